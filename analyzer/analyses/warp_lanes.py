"""How the lanes of warps lie to each other in a formula, as the kernel alone tells.

A formula is taken apart into sums: what thread ids alone decide is computed for every lane of every
warp of the block, what is the same in all lanes (arguments, CTA ids, counters) stays a factor. So
``(tid.x & 31) * n + (tid.x >> 5) * 4096`` has the step ``n`` from lane to lane. The block is the
one that the kernel requires; without one, warps are taken to lie along x, from a multiple of the
warp size on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analyses.lane_operations import apply_to_lanes
from analyzer.symbolic import Atom, AtomKind, Expression, number
from analyzer.trace.static.values import Unknown

if TYPE_CHECKING:
    Lanes = np.ndarray[Any, np.dtype[np.int64]]

Triple = tuple[int, int, int]

MOST_THREADS = 1024
"""Threads of a CTA that no machine exceeds."""


@dataclass(frozen=True)
class LaneForm:
    """A formula as sums over factors that all lanes share: (factor, value in each lane).

    The arrays have the shape (warps, lanes); lanes that do not exist repeat the last one.
    ``rows`` are truths of shape (warps, lanes - 1): whether a lane and the next lie in one row.
    """

    parts: tuple[tuple[Expression, Lanes], ...]
    rows: Lanes

    def step(self) -> Expression | None:
        """What each lane adds to the one before in its row; None where that is no one formula."""
        total = number(0)
        for factor, lanes in self.parts:
            moves = np.diff(lanes, axis=1)[self.rows]
            if moves.size == 0 or not (moves == moves[0]).all():
                return None
            total = total + factor * number(int(moves[0]))
        return total

    def first_warp(self) -> tuple[int, ...] | None:
        """Where the lanes of the first warp lie; None where more than their ids decides it."""
        found = np.zeros(self.rows.shape[1] + 1, dtype=np.int64)
        for factor, lanes in self.parts:
            constant = factor.constant
            if constant is not None:
                found = found + constant * lanes[0]
            elif not (lanes == lanes[0, 0]).all():
                return None
        return tuple(found.tolist())


class WarpLanes:
    """Takes formulas apart for the warps of a block. ``varies`` tells what lanes do not share."""

    def __init__(
        self, block: Triple | None, warp_size: int, varies: Callable[[Atom, int], bool]
    ) -> None:
        self._varies, self._block = varies, block
        x, y, z = block or (MOST_THREADS, 1, 1)
        threads = np.arange(-(-x * y * z // warp_size) * warp_size).reshape(-1, warp_size)
        threads = np.minimum(threads, x * y * z - 1)
        self._ids = {"tid.x": threads % x, "laneid": np.arange(warp_size) + threads * 0}
        if block is not None:
            self._ids |= {"tid.y": threads // x % y, "tid.z": threads // (x * y)}
            sizes = zip(("ntid.x", "ntid.y", "ntid.z"), block, strict=True)
            self._ids |= {name: threads * 0 + size for name, size in sizes}
        same_row = (threads // x)[:, 1:] == (threads // x)[:, :-1]
        exists = threads[:, 1:] != threads[:, :-1]
        self._rows = exists & (same_row if x > 1 else True)
        self._atoms: dict[Atom, Lanes | None] = {}

    def form(self, expression: Expression, place: int) -> LaneForm | None:
        """Take a formula apart as a block sees it; None where a lane's id meets other values."""
        sums: dict[Expression, Lanes] = {}
        for monomial, coefficient in expression.terms:
            factor, lanes = number(1), np.full_like(self._ids["tid.x"], coefficient)
            for atom in monomial:
                own = self._own(atom)
                if own is not None:
                    lanes = lanes * own
                elif not self._is_shared(atom, place):
                    return None
                else:
                    factor = factor * Expression((((atom,), 1),))
            sums[factor] = sums[factor] + lanes if factor in sums else lanes
        return LaneForm(tuple(sums.items()), self._rows)

    def _is_shared(self, atom: Atom, place: int) -> bool:
        """Whether all lanes of a warp see one value."""
        if self._varies(atom, place):
            return False
        within = self._block is not None and {a.name for a in _leaves(atom)} & _ROWS
        return not within

    def _own(self, atom: Atom) -> Lanes | None:
        """Give what thread ids alone make an atom in each lane."""
        if atom not in self._atoms:
            self._atoms[atom] = self._value(atom)
        return self._atoms[atom]

    def _value(self, atom: Atom) -> Lanes | None:
        if atom.kind is AtomKind.SPECIAL:
            return self._ids.get(atom.name)
        if atom.kind is not AtomKind.OPERATION or atom.key >= 0 or not atom.operands:
            return None
        operands = []
        for operand in atom.operands:
            value = self._sum(operand)
            if value is None:
                return None
            operands.append(value)
        with np.errstate(all="ignore"):
            found = apply_to_lanes(atom.name, operands)
        return None if isinstance(found, Unknown) else found

    def _sum(self, expression: Expression) -> Lanes | None:
        total = self._ids["tid.x"] * 0
        for monomial, coefficient in expression.terms:
            if not -_LIMIT < coefficient < _LIMIT:
                return None
            product: Lanes = total * 0 + coefficient
            for atom in monomial:
                own = self._own(atom)
                if own is None:
                    return None
                product = product * own
            total = total + product
        return total


_LIMIT = 1 << 62
"""Factors beyond are not computed with in 64 bits."""

_ROWS = frozenset({"tid.y", "tid.z"})
"""Ids that may differ within a warp of a block that is narrower than it."""


def _leaves(atom: Atom) -> set[Atom]:
    return {atom, *(a for operand in atom.operands for a in operand.atoms)}
