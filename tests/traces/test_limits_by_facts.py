"""Limits that branches set to an index, against trying all numbers."""

import random

import pytest

from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, number, of, symbol
from warpmill.analyzer.analyses.values.truths import KnownComparison, limits_of, with_outcome

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


@pytest.mark.one_in(12)
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
            facts[KnownComparison(rng.choice(["gt", "gt", "gt", "eq"]), *sides, unsigned)] = (
                rng.random() < 0.5
            )
        found = limits_of(X * number(4) + number(8), facts)
        allowed = [x for x in ALL if all(holds(f, x) == is_so for f, is_so in facts.items())]
        if found is None:
            continue
        bounded += 1
        assert all(found[0] <= 4 * x + 8 <= found[1] for x in allowed), (facts, found)
    assert bounded > 5


N = symbol(AtomKind.ARGUMENT, "n")


@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_an_outcome_more_is_the_first_of_the_facts_and_keeps_the_others(first, second):
    """n < 9 and n < 3, by trying numbers; the nearest branch comes first, as limits look at few."""
    nine, three = (of(Atom(AtomKind.OPERATION, "setp.lt.s32", -1, (N, number(k)))) for k in (9, 3))
    before = with_outcome({}, nine, is_so=first)
    facts = with_outcome(before, three, is_so=second)
    assert next(iter(facts)) not in before
    assert set(before) <= set(facts)
    for n in range(-5, 20):
        is_right = (n < 9) == first and (n < 3) == second
        told = [facts[f] == ((n if f.left == N else 0) > f.right.constant) for f in facts]
        assert all(told) == is_right, n
