"""For how many iterations a decision stays what it is.

While a loop counter is symbolic, every comparison is decided for its first iteration and leaves a
constraint: the number of further iterations in which each lane would decide the same. A loop's
segment is as long as its tightest constraint allows, and the constraint then passes outwards, with
the counter replaced by the worst of its range.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]


class Sign(Enum):
    """What stays true of a difference."""

    NEGATIVE = "d < 0"
    NOT_NEGATIVE = "d >= 0"
    ZERO = "d == 0"
    NOT_ZERO = "d != 0"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A difference ``base + sum(stride * counter)`` that keeps its sign, for some lanes.

    ``base`` and the strides are one-dimensional arrays over the lanes concerned.
    """

    sign: Sign
    base: Column
    strides: tuple[tuple[int, Column], ...]


def iterations_allowed(constraint: Constraint, counter: int) -> int | None:
    """Count the iterations of ``counter`` from 0 for which it holds; None means all.

    The other counters stand at 0. It holds at 0, so the answer is at least 1.
    """
    stride = next((s for c, s in constraint.strides if c == counter), None)
    if stride is None:
        return None
    base = constraint.base
    match constraint.sign:
        case Sign.NEGATIVE:
            moving = stride > 0
        case Sign.NOT_NEGATIVE:
            moving = stride < 0
        case Sign.ZERO:
            moving = stride != 0
        case Sign.NOT_ZERO:
            moving = (stride != 0) & ((base < 0) != (stride < 0))
            moving &= base % np.where(moving, stride, 1) == 0
    divisor = np.where(moving, stride, 1)
    match constraint.sign:
        case Sign.NEGATIVE | Sign.NOT_ZERO:
            steps = -(base // divisor)
        case Sign.NOT_NEGATIVE:
            steps = base // -divisor + 1
        case Sign.ZERO:
            steps = np.ones_like(base)
    return int(steps[moving].min()) if np.any(moving) else None


def outward(constraint: Constraint, counter: int, count: int) -> Constraint | None:
    """Give what remains to hold once ``counter`` has run over ``0 … count - 1``.

    None: nothing depends on a counter any more.
    """
    rest = tuple((c, s) for c, s in constraint.strides if c != counter)
    if not rest:
        return None
    stride = next((s for c, s in constraint.strides if c == counter), None)
    if stride is None or count == 1:
        return Constraint(constraint.sign, constraint.base, rest)
    travel = stride * (count - 1)
    low = constraint.base + np.minimum(travel, 0)
    high = constraint.base + np.maximum(travel, 0)
    match constraint.sign:
        case Sign.NEGATIVE:
            return Constraint(Sign.NEGATIVE, high, rest)
        case Sign.NOT_NEGATIVE:
            return Constraint(Sign.NOT_NEGATIVE, low, rest)
        case Sign.ZERO:
            return Constraint(Sign.ZERO, constraint.base, rest)
        case Sign.NOT_ZERO if np.all(high < 0):
            return Constraint(Sign.NEGATIVE, high, rest)
        case Sign.NOT_ZERO if np.all(low > 0):
            return Constraint(Sign.NOT_NEGATIVE, low - 1, rest)
    # The sign differs between lanes: hold every outer counter where it is.
    return Constraint(Sign.ZERO, np.zeros_like(low), tuple((c, np.ones_like(low)) for c, _ in rest))
