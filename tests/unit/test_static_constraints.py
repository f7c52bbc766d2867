"""How long a comparison stays as it is, against trying every iteration."""

import random
from itertools import product

import numpy as np
import pytest

from analyzer.trace.static.constraints import Constraint, Sign, iterations_allowed, outward

HOLDS = {
    Sign.NEGATIVE: lambda d: d < 0,
    Sign.NOT_NEGATIVE: lambda d: d >= 0,
    Sign.ZERO: lambda d: d == 0,
    Sign.NOT_ZERO: lambda d: d != 0,
}
FAR = 60


def random_constraint(rng, counters):
    """One that holds where all counters stand at 0, as those of a walk do."""
    sign, lanes = rng.choice(list(Sign)), rng.randint(1, 4)
    base = [rng.randint(-12, 12) for _ in range(lanes)]
    base = [b for b in base if HOLDS[sign](b)] or [
        0 if sign in (Sign.ZERO, Sign.NOT_NEGATIVE) else -3
    ]
    strides = tuple(
        (c, np.array([rng.choice([0, 1, -1, 2, 3, -4, 5]) for _ in base])) for c in counters
    )
    return Constraint(sign, np.array(base), strides)


def holds(constraint, counters):
    strides = dict(constraint.strides)
    moved = constraint.base + sum((strides[c] * i for c, i in counters.items() if c in strides), 0)
    return bool(np.all(HOLDS[constraint.sign](moved)))


@pytest.mark.parametrize("seed", range(80))
def test_iterations_allowed_is_the_first_change(seed):
    constraint = random_constraint(random.Random(seed), (1,))
    allowed = iterations_allowed(constraint, 1)
    changes = [i for i in range(FAR) if not holds(constraint, {1: i})]
    assert allowed == (changes[0] if changes else None)
    assert iterations_allowed(constraint, 2) is None


@pytest.mark.parametrize("seed", range(80))
def test_what_passes_outwards_is_enough_for_all_inner_iterations(seed):
    rng = random.Random(seed)
    constraint = random_constraint(rng, (1, 2))
    count = rng.randint(1, iterations_allowed(constraint, 2) or 6)
    rest = outward(constraint, 2, count)
    assert rest is not None and holds(rest, {})
    allowed = iterations_allowed(rest, 1)
    needed = [
        i for i, j in product(range(FAR), range(count)) if not holds(constraint, {1: i, 2: j})
    ]
    exact = min(needed) if needed else None
    if exact is not None:
        assert allowed is not None and allowed <= exact
    if constraint.sign in (Sign.NEGATIVE, Sign.NOT_NEGATIVE):
        assert allowed == exact  # the worst iteration decides: nothing is given away


def test_nothing_passes_outwards_where_no_other_counter_is_left():
    constraint = Constraint(Sign.NEGATIVE, np.array([-5]), ((1, np.array([1])),))
    assert outward(constraint, 1, 3) is None
