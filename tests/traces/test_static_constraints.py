"""How long a comparison stays as it is, against trying every iteration."""

import random
from itertools import product

import numpy as np
import pytest

from warpmill.analyzer.traces.static.constraints import (
    Constraint,
    Sign,
    at_least_one,
    iterations_allowed,
    outward,
)
from warpmill.analyzer.traces.static.values import KnownNumbers

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
    allowed = iterations_allowed([constraint], 1)
    changes = [i for i in range(FAR) if not holds(constraint, {1: i})]
    assert allowed == (KnownNumbers(changes[0]) if changes else None)
    assert iterations_allowed([constraint], 2) is None


@pytest.mark.parametrize("seed", range(80))
def test_what_passes_outwards_is_enough_for_all_inner_iterations(seed):
    rng = random.Random(seed)
    constraint = random_constraint(rng, (1, 2))
    allowed = iterations_allowed([constraint], 2)
    count = rng.randint(1, 6 if allowed is None else allowed.base)
    rest = outward(constraint, 2, KnownNumbers(count))
    assert rest is None or holds(rest, {})
    allowed = None if rest is None else first_change(rest)
    needed = [
        i for i, j in product(range(FAR), range(count)) if not holds(constraint, {1: i, 2: j})
    ]
    exact = min(needed) if needed else None
    if exact is not None:
        assert allowed is not None and allowed <= exact
    if constraint.sign in (Sign.NEGATIVE, Sign.NOT_NEGATIVE):
        assert allowed == exact  # the worst iteration decides: nothing is given away


def first_change(constraint):
    allowed = iterations_allowed([constraint], 1)
    return None if allowed is None else allowed.base


@pytest.mark.parametrize("seed", range(300))
def test_a_growing_count_holds_as_far_as_its_own_constraints_say(seed):
    """In inner iterations 0 … count(i) - 1, for every outer i that what passes outwards allows."""
    rng = random.Random(seed)
    constraints = [random_constraint(rng, (1, 2)) for _ in range(rng.randint(1, 3))]
    count = iterations_allowed(constraints, 2)
    if count is None:
        return
    outer = [outward(c, 2, count) for c in constraints] + [at_least_one(count)]
    limits = [first_change(c) for c in outer if c is not None]
    limits = [n for n in limits if n is not None]
    for i in range(min(limits, default=FAR)):
        inner = count.base + sum(s * i for _, s in count.strides)
        assert inner >= 1
        for j in range(inner):
            assert all(holds(c, {1: i, 2: j}) for c in constraints)


def test_a_triangle_grows_by_one_each_time():
    below_the_row = Constraint(
        Sign.NEGATIVE, np.array([-5, -7]), ((1, np.array([-1, -1])), (2, np.array([1, 1])))
    )
    assert iterations_allowed([below_the_row], 2) == KnownNumbers(5, ((1, 1),))
    rest = outward(below_the_row, 2, KnownNumbers(5, ((1, 1),)))
    assert rest is None or first_change(rest) is None  # it goes on for ever


def test_lanes_that_would_grow_at_different_rates_do_as_the_slowest():
    mixed = Constraint(
        Sign.NEGATIVE, np.array([-5, -5]), ((1, np.array([-1, -3])), (2, np.array([1, 1])))
    )
    assert iterations_allowed([mixed], 2) == KnownNumbers(5, ((1, 1),))
    uneven = Constraint(Sign.NEGATIVE, np.array([-5]), ((1, np.array([-1])), (2, np.array([2]))))
    assert iterations_allowed([uneven], 2) == KnownNumbers(3)


def test_nothing_passes_outwards_where_no_other_counter_is_left():
    constraint = Constraint(Sign.NEGATIVE, np.array([-5]), ((1, np.array([1])),))
    assert outward(constraint, 1, KnownNumbers(3)) is None
