"""Limits that branches set to an index, against trying all numbers."""

import random

import pytest

from analyzer.analyses.truths import Fact, limits_of
from analyzer.symbolic import AtomKind, number, symbol

WORD = 1 << 32
X = symbol(AtomKind.MERGE, "x", 1)
ALL = range(-60, 61)


def holds(fact, x):
    """Whether a fact holds, of 32-bit words."""

    def value(side):
        total = sum(c * (x if m else 1) for m, c in side.terms)
        return total % WORD if fact.is_unsigned else total

    left, right = value(fact.left), value(fact.right)
    return left > right if fact.word == "gt" else left == right


@pytest.mark.parametrize("seed", range(60))
def test_no_number_that_facts_allow_is_beyond_the_limits(seed):
    rng, bounded = random.Random(seed), 0
    for _ in range(60):
        facts = {}
        for _ in range(rng.randint(1, 4)):
            own = X * number(rng.choice([1, 1, 1, 3])) + number(rng.randint(-9, 9))
            limit = number(rng.randint(-9, 30))
            unsigned = rng.random() < 0.4
            if unsigned:
                limit = number(rng.randint(0, 30))
            sides = (own, limit) if rng.random() < 0.5 else (limit, own)
            facts[Fact(rng.choice(["gt", "gt", "gt", "eq"]), *sides, unsigned)] = rng.random() < 0.5
        found = limits_of(X * number(4) + number(8), facts)
        allowed = [x for x in ALL if all(holds(f, x) == is_so for f, is_so in facts.items())]
        if found is None:
            continue
        bounded += 1
        assert all(found[0] <= 4 * x + 8 <= found[1] for x in allowed), (facts, found)
    assert bounded > 5
