"""CTAs that do the same: one of them is walked, and stands for a box of the grid around it.

The place of a CTA is a counter for each axis, as a loop's is, and what its decisions rest on limits
how far the others do alike: a kernel without special cases is walked once for a whole grid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.many_warps import Alike, Numbers
from warpmill.analyzer.traces.model import WarpTrace
from warpmill.analyzer.traces.static.batch import AXES, Triple
from warpmill.analyzer.traces.static.constraints import (
    Constraint,
    gathered,
    iterations_allowed,
    outward,
)
from warpmill.analyzer.traces.static.cut import Group
from warpmill.analyzer.traces.static.values import Known


@dataclass(frozen=True)
class Box:
    """The CTAs from ``first`` to ``last``, both among them, and the walk of one of them."""

    first: Triple
    last: Triple
    walked: Triple
    groups: tuple[Group, ...]

    @property
    def size(self) -> int:
        """How many CTAs lie in it."""
        return prod(b - a + 1 for a, b in zip(self.first, self.last, strict=True))

    def common(self, other: Box) -> int:
        """Count the CTAs that lie in another box as well."""
        sides = zip(self.first, self.last, other.first, other.last, strict=True)
        return prod(max(0, min(b, d) - max(a, c) + 1) for a, b, c, d in sides)

    def holds(self, cta: Triple) -> bool:
        """Whether a CTA lies in it."""
        return all(a <= c <= b for a, c, b in zip(self.first, cta, self.last, strict=True))

    def held(self, ctas: Numbers) -> npt.NDArray[np.bool_]:
        """Tell which of some CTAs, shape (CTAs, 3), lie in it."""
        return np.asarray(((ctas >= self.first) & (ctas <= self.last)).all(axis=1))

    @property
    def corners(self) -> tuple[Triple, Triple]:
        """How far the first and the last of them lie from the one walked."""
        x, y, z = self.walked
        (a, b, c), (d, e, f) = self.first, self.last
        return (a - x, b - y, c - z), (d - x, e - y, f - z)

    def alike(self, ctas: Numbers, first_warps: Numbers) -> list[Alike] | None:
        """Give the warps of CTAs in it, shape (CTAs, 3); those of each come from a place on.

        None where trees depend on the CTA.
        """
        if not all(group.is_same for group in self.groups):
            return None
        found, offsets = [], ctas - np.array(self.walked)
        for group in self.groups:
            nodes, warps, bases = group.everywhere(offsets)
            places = (first_warps[:, None] + warps).reshape(-1)
            found.append(Alike(nodes, places, bases.reshape(len(places), -1)))
        return found

    def traces(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """Give the traces of the warps of a CTA in it, in order."""
        x, y, z = (c - w for c, w in zip(cta, self.walked, strict=True))
        found = {}
        for group in self.groups:
            shape = group.shape((x, y, z))
            for warp, bases in zip(shape.rows.tolist(), shape.bases.tolist(), strict=True):
                found[warp] = WarpTrace(cta, warp, shape.nodes, tuple(bases))
        return tuple(found[warp] for warp in sorted(found))


def box_around(
    cta: Triple, grid: Triple, constraints: Iterable[Constraint]
) -> tuple[Triple, Triple]:
    """Give the first and the last CTA of a box around one, in which all constraints hold."""
    left = gathered(constraints)
    first, last = [], []
    for axis, counter in enumerate(AXES):
        back = _room(left, counter, -1, cta[axis] + 1)
        forth = _room(left, counter, 1, grid[axis] - cta[axis])
        first.append(cta[axis] - back + 1)
        last.append(cta[axis] + forth - 1)
        count = Known(back + forth - 1)
        moved = (_from(c, counter, 1 - back) for c in left)
        left = [rest for c in moved if (rest := outward(c, counter, count)) is not None]
    return (first[0], first[1], first[2]), (last[0], last[1], last[2])


def _room(constraints: list[Constraint], counter: int, direction: int, most: int) -> int:
    """Count the CTAs in one direction, the one in the middle included."""
    turned = (_turned(c, counter) if direction < 0 else c for c in constraints)
    allowed = iterations_allowed(turned, counter)
    if allowed is None:
        return most
    assert isinstance(allowed.base, int)
    return min(most, allowed.base)


def _turned(constraint: Constraint, counter: int) -> Constraint:
    strides = tuple((c, -s if c == counter else s) for c, s in constraint.strides)
    return Constraint(constraint.sign, constraint.base, strides)


def _from(constraint: Constraint, counter: int, start: int) -> Constraint:
    """Count a counter from another place."""
    moved = sum((s * start for c, s in constraint.strides if c == counter), constraint.base)
    return Constraint(constraint.sign, moved, constraint.strides)
