"""The CTAs of a grid, walked one for many where they do alike and side by side where not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.traces.event_batch import (
    ManyWarps,
    Numbers,
    SharedTree,
    axes_of,
    put_together,
)
from warpmill.analyzer.traces.model import Assumption, Node, WarpTrace
from warpmill.analyzer.traces.static.constraints import (
    AXES,
    Constraint,
    Triple,
    WarpBatch,
    gathered,
    iterations_allowed,
    outward,
)
from warpmill.analyzer.traces.static.cut import AlikeWarps, groups
from warpmill.analyzer.traces.static.evaluation import Inputs
from warpmill.analyzer.traces.static.nodes import BatchNode
from warpmill.analyzer.traces.static.overruns import Overruns
from warpmill.analyzer.traces.static.plan import WalkPlan
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.analyzer.traces.static.walk import AbstractExecution, WalkLimits

if TYPE_CHECKING:
    from warpmill.analyzer.traces.outcomes import BranchOutcome

_TRIES = 4
"""CTAs in a row that stand for themselves alone, until CTAs are walked side by side instead."""

_TOGETHER = 64
"""CTAs that are walked side by side."""

_NEAR = 64
"""Boxes that are kept to look CTAs up in, those found last first: CTAs mostly come in order."""

_AT_A_TIME = 64 * _TOGETHER
"""CTAs of a grid that are looked at ahead: grids have up to 2 ** 31."""


class GridWalker:
    """Traces of CTAs of one launch, with memory of what stands for many of them.

    ``threads`` are the grid, the block and the warp size. ``assumptions`` grows with the CTAs that
    were asked for, as do ``unfollowed``, calls whose code is not in the kernel. ``overruns`` finds
    out of which buffers CTAs go; ``limits`` hold for the walks to come.
    """

    def __init__(
        self,
        plan: WalkPlan,
        threads: tuple[Triple, Triple, int],
        inputs: Inputs,
        limits: WalkLimits,
        overruns: Overruns | None = None,
    ) -> None:
        self._plan, self._inputs, self.limits = plan, inputs, limits
        self._grid, self._block, self._warp_size = threads
        self._trees: dict[tuple[Node, ...], tuple[Node, ...]] = {}
        self._boxes: list[Box] = []
        self._near: list[Box] = []
        self._alone = 0
        self._stood_for = 0  # CTAs, at least: what three boxes share is taken off too often
        self._assumptions: dict[Assumption, None] = {}
        self.unfollowed: frozenset[Place] = frozenset()
        self._overruns = overruns
        self._walked: tuple[Triple, tuple[BatchNode, ...]] | None = None  # the first CTA's nodes

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Assumptions of the traces so far where data decide, by block."""
        return tuple(sorted(self._assumptions, key=lambda a: (a.block, a.text)))

    def traces(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """The traces of CTAs in order. LimitError and InputError as the walk raises them."""
        left = iter(ctas)
        while wanted := tuple(islice(left, _AT_A_TIME)):
            made: dict[Triple, tuple[WarpTrace, ...]] = {}
            for number, cta in enumerate(wanted):
                if cta not in made:
                    made |= self._made(cta, wanted, number)
                yield made.pop(cta)

    def grouped(self, ctas: Sequence[Triple]) -> ManyWarps:
        """The warps of some CTAs as arrays, each CTA once; as ``traces`` does."""
        wanted = axes_of(ctas)
        each = -(-prod(self._block) // self._warp_size)
        left, parts, apart = np.arange(len(wanted)), list[SharedTree](), list[Numbers]()
        tried = 0
        while left.size:
            if tried == len(self._boxes):
                if self._alone >= _TRIES:
                    break
                self._add_box(ctas[left[0]])
            box, tried = self._boxes[tried], tried + 1
            inside = box.held(wanted[left])
            own, left = left[inside], left[~inside]
            if own.size:
                found = box.alike(wanted[own], own * each)
                if found is None:
                    apart.append(own)
                parts += found or ()
        rest = np.sort(np.concatenate([left, *apart]))
        parts += self._one_by_one(ctas, rest.tolist(), each)
        return put_together(ctas, len(ctas) * each, parts)

    def _one_by_one(
        self, ctas: Sequence[Triple], wanted: Sequence[int], each: int
    ) -> list[SharedTree]:
        """The warps of CTAs that have trees of their own, those of one tree together."""
        own: dict[int, list[tuple[int, WarpTrace]]] = {}
        traces = self.traces([ctas[place] for place in wanted])
        for place, warps in zip(wanted, traces, strict=True):
            for w in warps:
                own.setdefault(id(w.nodes), []).append((place * each + w.warp, w))
        return [
            SharedTree(
                warps[0][1].nodes,
                np.array([place for place, _ in warps]),
                np.array([w.bases for _, w in warps], np.int64).reshape(len(warps), -1),
            )
            for warps in own.values()
        ]

    def standing(self, ctas: Sequence[Triple], share: float) -> tuple[Triple, ...]:
        """Those of some CTAs that were walked, or that a walk stands for.

        From the middle of the grid outwards they are walked until walks stand for that share of the
        grid. All are given where CTAs stand for themselves alone.
        """
        total = prod(self._grid)
        for cta in sorted(ctas, key=self._from_middle):
            if self._stood_for >= share * total:
                break
            if any(box.holds(cta) for box in self._boxes):
                continue
            if self._alone >= _TRIES:
                return tuple(ctas)
            self._add_box(cta)
        return tuple(cta for cta in ctas if any(box.holds(cta) for box in self._boxes))

    def _from_middle(self, cta: Triple) -> float:
        """How far a CTA lies from the middle of the grid, as a share of its sides."""
        return max(abs(2 * c + 1 - n) / n for c, n in zip(cta, self._grid, strict=True))

    def outcomes(self, cta: Triple) -> tuple[BranchOutcome, ...]:
        """Outcomes of the branches in one CTA, by warp and iteration."""
        from warpmill.analyzer.traces.outcomes import branch_outcomes  # noqa: PLC0415 - seldom needed

        if self._walked is not None and self._walked[0] == cta:
            return branch_outcomes(cta, self._walked[1])
        batch = WarpBatch(self._grid, self._block, self._warp_size, (cta,))
        return branch_outcomes(cta, self._walk(batch).nodes)

    def _made(
        self, cta: Triple, wanted: Sequence[Triple], number: int
    ) -> dict[Triple, tuple[WarpTrace, ...]]:
        """Make the traces of a CTA, and of the next that are wanted where they come along."""
        box = next((b for b in self._near if b.holds(cta)), None)
        if box is None and self._alone < _TRIES:
            box = self._walked_around(cta)
        if box is None:
            return self._together(tuple(dict.fromkeys(wanted[number : number + _TOGETHER])))
        if box is not self._near[0]:
            self._near.remove(box)
            self._near.insert(0, box)
        return {cta: box.traces(cta)}

    def _add_box(self, cta: Triple) -> None:
        """Walk a CTA, and count how many it stands for."""
        box = self._walked_around(cta)
        self._stood_for += box.size - sum(box.common(other) for other in self._boxes)
        self._boxes.append(box)

    def _walked_around(self, cta: Triple) -> Box:
        """The box of a CTA that is walked, once for all calls; others are looked up in it."""
        known = next((box for box in self._near if box.walked == cta), None)
        box = known or self._walk_around(cta)
        self._alone = self._alone + 1 if box.first == box.last else 0
        self._near = [box, *(other for other in self._near if other is not box)][:_NEAR]
        return box

    def _walk_around(self, cta: Triple) -> Box:
        """Walk one CTA with its place in the grid as a symbol."""
        batch = WarpBatch(self._grid, self._block, self._warp_size, (cta,), moves=True)
        walk = self._walk(batch)
        if cta == (0, 0, 0):
            self._walked = cta, walk.nodes
        first, last = box_around(cta, self._grid, walk.of_grid)
        box = Box(first, last, cta, groups(walk.nodes, batch.warps_per_cta, self._trees))
        self._look(box.groups, walk, box.corners)
        return box

    def _together(self, ctas: tuple[Triple, ...]) -> dict[Triple, tuple[WarpTrace, ...]]:
        """Walk several CTAs side by side, each by its own numbers."""
        batch = WarpBatch(self._grid, self._block, self._warp_size, ctas)
        walk, per_cta = self._walk(batch), batch.warps_per_cta
        traces: dict[int, WarpTrace] = {}
        found = groups(walk.nodes, len(ctas) * per_cta, self._trees)
        self._look(found, walk, ((0, 0, 0), (0, 0, 0)))
        for group in found:
            shape = group.shape((0, 0, 0))
            for row, bases in zip(shape.rows.tolist(), shape.bases.tolist(), strict=True):
                cta, warp = divmod(row, per_cta)
                traces[row] = WarpTrace(ctas[cta], warp, shape.nodes, tuple(bases))
        return {
            cta: tuple(traces[i * per_cta + w] for w in range(per_cta))
            for i, cta in enumerate(ctas)
        }

    def _look(
        self, found: Iterable[AlikeWarps], walk: AbstractExecution, corners: tuple[Triple, Triple]
    ) -> None:
        """Check accesses that data had no part in for any that leave their buffers."""
        if self._overruns is None:
            return
        assumed = frozenset(a.block for a in walk.assumptions)
        for group in found:
            self._overruns.look(*group.between(*corners), assumed)

    def _walk(self, batch: WarpBatch) -> AbstractExecution:
        walk = AbstractExecution(self._plan, batch, self._inputs, self.limits)
        walk.run()
        self._assumptions |= dict.fromkeys(walk.assumptions)
        self.unfollowed |= walk.unfollowed
        return walk


# CTAs that do the same: one of them is walked, and stands for a box of the grid around it.
#
# The place of a CTA is a counter for each axis, as a loop's is, and what its decisions rest on
# limits how far the others do alike: a kernel without special cases is walked once for a whole
# grid.


@dataclass(frozen=True)
class Box:
    """The CTAs from ``first`` to ``last``, both among them, and the walk of one of them."""

    first: Triple
    last: Triple
    walked: Triple
    groups: tuple[AlikeWarps, ...]

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
        """Whether each of some CTAs, shape (CTAs, 3), lies in it."""
        return np.asarray(((ctas >= self.first) & (ctas <= self.last)).all(axis=1))

    @property
    def corners(self) -> tuple[Triple, Triple]:
        """How far the first and the last of them lie from the one walked."""
        x, y, z = self.walked
        (a, b, c), (d, e, f) = self.first, self.last
        return (a - x, b - y, c - z), (d - x, e - y, f - z)

    def alike(self, ctas: Numbers, first_warps: Numbers) -> list[SharedTree] | None:
        """The warps of CTAs in it, shape (CTAs, 3); those of each come from a place on.

        None where trees depend on the CTA.
        """
        if not all(group.is_same for group in self.groups):
            return None
        offsets = ctas - np.array(self.walked)
        return [group.everywhere(offsets, first_warps) for group in self.groups]

    def traces(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """The traces of the warps of a CTA in it, in order."""
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
    """The first and the last CTA of a box around one, in which all constraints hold."""
    left = gathered(constraints)
    first, last = [], []
    for axis, counter in enumerate(AXES):
        back = _room(left, counter, -1, cta[axis] + 1)
        forth = _room(left, counter, 1, grid[axis] - cta[axis])
        first.append(cta[axis] - back + 1)
        last.append(cta[axis] + forth - 1)
        count = KnownNumbers(back + forth - 1)
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
