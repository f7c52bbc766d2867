"""Boxes of CTAs that do alike, against trying every CTA of the grid."""

import random
from itertools import product

import numpy as np
import pytest

from analyzer.trace.static.batch import AXES
from analyzer.trace.static.boxes import box_around
from analyzer.trace.static.constraints import Constraint, Sign
from tests.unit.test_static_constraints import holds, random_constraint

GRID = (5, 4, 3)


def at(constraint, cta):
    """Count the axes from one CTA on, as a walk of that CTA does."""
    moved = sum(s * cta[AXES.index(c)] for c, s in constraint.strides)
    return Constraint(constraint.sign, constraint.base + moved, constraint.strides)


@pytest.mark.parametrize("seed", range(150))
def test_every_cta_of_a_box_keeps_the_constraints(seed):
    rng = random.Random(seed)
    constraints = [random_constraint(rng, AXES) for _ in range(rng.randint(1, 3))]
    cta = tuple(rng.randrange(n) for n in GRID)
    seen_from_it = [at(c, cta) for c in constraints]
    if not all(holds(c, {}) for c in seen_from_it):
        return  # a walk of this CTA would have left other constraints
    first, last = box_around(cta, GRID, seen_from_it)
    assert all(0 <= a <= c <= b < n for a, c, b, n in zip(first, cta, last, GRID, strict=True))
    for other in product(*(range(a, b + 1) for a, b in zip(first, last, strict=True))):
        away = {axis: o - c for axis, o, c in zip(AXES, other, cta, strict=True)}
        assert all(holds(c, away) for c in seen_from_it)


def test_without_constraints_one_cta_stands_for_the_grid():
    assert box_around((1, 2, 0), GRID, []) == ((0, 0, 0), (4, 3, 2))


def test_a_box_reaches_to_both_sides_of_the_cta_walked():
    low = Constraint(Sign.NOT_NEGATIVE, np.array([1]), ((AXES[0], np.array([1])),))
    high = Constraint(Sign.NEGATIVE, np.array([-2]), ((AXES[0], np.array([1])),))
    assert box_around((2, 0, 0), GRID, [low, high]) == ((1, 0, 0), (3, 3, 2))
