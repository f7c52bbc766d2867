"""The warps of a launch that analyses compute: where their lanes lie, how often their loops run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.access.lane_values import LaneValues
from warpmill.analyzer.analyses.ranges.bounds import Known, LoopBound, Symbolic
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression, number
from warpmill.analyzer.base.linear import place_of
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import lay_out
from warpmill.analyzer.traces.static.batch import Batch, Triple
from warpmill.analyzer.traces.static.values import Unknown

Numbers = NDArray[np.int64]

MOST_WARPS = 64
"""Warps that are computed; of a launch with more, those of some CTAs."""

MOST_SHAPES = 1024
"""Shapes that are remembered at a time."""


def chosen_ctas(launch: Launch, warp_size: int, most_warps: int = MOST_WARPS) -> tuple[Triple, ...]:
    """Choose CTAs: all where their warps are few, else the first, the last and some between.

    Those between stand a step apart that has no factor in common with the grid, so that they lie
    at all its rows and columns.
    """
    total = launch.cta_count
    each = -(-launch.threads_per_cta // warp_size)
    count = min(total, max(2, most_warps // each))
    step = max(1, round(total * _GOLDEN))
    while gcd(step, total) > 1:
        step += 1
    ids, place = {0, total - 1}, 0
    while len(ids) < count:
        place = (place + step) % total
        ids.add(place)
    return tuple(place_of(i, launch.grid) for i in sorted(ids))


_GOLDEN = 0.6180339887498949
"""Steps of this part of a whole fill it evenly, however many they are."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The addresses of an access in each warp, its constant left out.

    ``addresses`` has the shape (warps, lanes); lanes that do not exist lie where the first does.
    ``patterns`` are the bytes of the offsets of each warp's lanes from its first one.
    """

    addresses: Numbers
    patterns: tuple[bytes, ...]
    first: Numbers
    bits: int
    """All bits that are set in some address."""


class Warps:
    """Computes formulas for the warps of some CTAs of a launch."""

    def __init__(
        self,
        module: Module,
        structure: Structure,
        launch: Launch,
        bounds: Sequence[LoopBound],
        ctas: Sequence[Triple],
    ) -> None:
        self.structure = structure
        self.batch = Batch(launch.grid, launch.block, module.warp_size, tuple(ctas))
        layout = lay_out(module, structure.kernel, launch)
        self._values = LaneValues(structure, layout, self.batch, bounds)
        self._bounds = {bound.loop: bound for bound in bounds}
        self._entries = LoopEntries(structure, bounds)
        self._valid = np.asarray(self.batch.valid)
        self._lanes: list[int] = self._valid.sum(axis=1).tolist()
        self._shapes: dict[object, Shape | Unknown] = {}
        self._entered: dict[int, Numbers | Unknown] = {}
        self._executions: dict[object, Numbers | Unknown] = {}
        self.count = len(self._lanes)

    @property
    def is_whole(self) -> bool:
        """Whether these are all warps of the launch."""
        x, y, z = self.batch.grid
        return len(self.batch.ctas) == x * y * z

    def label(self, loop: int) -> str:
        """Give the label of a loop's header."""
        header = self.structure.loops.loops[loop].header
        return self.structure.kernel.blocks[header].label

    def bound(self, loop: int) -> LoopBound:
        """Give the bound of a loop."""
        return self._bounds[loop]

    def per_lane(self, expression: Expression, at: Mapping[int, int]) -> Numbers | Unknown:
        """Give values of shape (warps, lanes); those of lanes that do not exist are the first's."""
        found = self._values.of(expression, at)
        if isinstance(found, Unknown):
            return found
        full = np.broadcast_to(found, self._valid.shape)
        return full if full.strides[1] == 0 else np.where(self._valid, full, full[:, :1])

    def per_warp(self, expression: Expression, at: Mapping[int, int]) -> Numbers | Unknown:
        """Give the largest value in each warp."""
        lanes = self.per_lane(expression, at)
        return lanes if isinstance(lanes, Unknown) else lanes.max(axis=1)

    @cached_property
    def neighbours(self) -> Numbers:
        """Whether a lane and the one before it are threads of one row of the block."""
        pairs = self._valid[:, 1:]
        row = self.batch.block[0]
        return pairs & (self.batch.thread[:, 1:] % row != 0) if row > 1 else pairs

    def values(self, expression: Expression, at: Mapping[int, int]) -> Numbers | Unknown:
        """Give values by warp and lane, as far as they differ; any for lanes that do not exist."""
        return self._values.of(expression, at)

    def entered(self, loop: int) -> Numbers | Unknown:
        """Tell by warp whether a lane enters a loop that stands in no other: 1 or 0."""
        if loop not in self._entered:
            formula = self._entries.entered(loop)
            self._entered[loop] = (
                Unknown(formula) if isinstance(formula, str) else self.per_warp(formula, {})
            )
        return self._entered[loop]

    def executions(self, loop: int, block: int, at: Mapping[int, int]) -> Numbers | Unknown:
        """Give how often a loop comes to one of its blocks, in the lane where it runs longest.

        A block that stands before the test that ends the loop runs once more than those behind it.
        """
        place = loop, block, tuple(sorted(at.items()))  # accesses of a block ask for the same
        if place not in self._executions:
            if len(self._executions) >= MOST_SHAPES:
                self._executions.clear()
            self._executions[place] = self._counted(loop, block, at)
        return self._executions[place]

    def _counted(self, loop: int, block: int, at: Mapping[int, int]) -> Numbers | Unknown:
        bound = self._bounds[loop]
        latches = self.structure.loops.loops[loop].latches
        least: Numbers | None = None
        for exit_ in bound.exits:
            trips = exit_.trips
            if not isinstance(trips, Known | Symbolic):
                continue
            formula = number(trips.count) if isinstance(trips, Known) else trips.formula
            counts = self.per_warp(formula, at)
            if isinstance(counts, Unknown):
                return counts
            behind = self.structure.dominators.dominates(exit_.source, block)
            if exit_.source not in latches and (block == exit_.source or not behind):
                counts = counts + 1
            least = counts if least is None else np.minimum(least, counts)
        return Unknown(str(bound.trips)) if least is None else np.maximum(least, 0)

    def shape(self, address: Expression, at: Mapping[int, int]) -> Shape | Unknown:
        """Give where the lanes of an access lie, without the address's constant."""
        terms = tuple(t for t in address.terms if t[0])
        moves = address.kinds() & {AtomKind.COUNTER, AtomKind.CARRIED, AtomKind.MERGE}
        key = (terms, tuple(sorted(at.items())) if moves else ())
        if key not in self._shapes:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            self._shapes[key] = self._compute(Expression(terms), at)
        return self._shapes[key]

    def _compute(self, address: Expression, at: Mapping[int, int]) -> Shape | Unknown:
        addresses = self.per_lane(address, at)
        if isinstance(addresses, Unknown):
            return addresses
        first = addresses[:, 0]
        offsets = addresses - first[:, None]
        if np.array_equal(offsets[1:], offsets[:-1]) and len(set(self._lanes)) == 1:
            patterns = (offsets[0, : self._lanes[0]].tobytes(),) * self.count
        else:
            rows = zip(offsets, self._lanes, strict=True)
            patterns = tuple(row[:lanes].tobytes() for row, lanes in rows)
        return Shape(addresses, patterns, first, int(np.bitwise_or.reduce(addresses, axis=None)))
