"""What each lane adds to the address of the one before it, over a launch's warps and iterations.

Only lanes that may be on together are compared: branches, guards and the ends of loops leave others
out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import product
from math import prod

import numpy as np

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.launch_warps import Numbers, Warps
from warpmill.analyzer.analyses.divergence.active_lanes import lanes_that_may_be_on
from warpmill.analyzer.analyses.ranges.launch_iterations import Iterations, Point
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression
from warpmill.analyzer.analyses.values.symbolic_values import MADE_BY_DEFINITIONS
from warpmill.analyzer.analyses.values.truths import Fact, Facts
from warpmill.analyzer.traces.static.values import Unknown

MOST_ITERATIONS = 64
"""Iterations of loops that move all lanes alike in which it is asked which lanes are on."""


def lane_step(warps: Warps, access: MemoryAccess, iterations: Iterations) -> int | None:
    """Give the bytes from each lane to the next in a row of the block, where it is one number.

    None too where no two lanes are on together, and where lanes move otherwise in each iteration of
    a loop of which nobody knows how often it runs.
    """
    steps = _Steps(warps, access)
    if not iterations.uneven and steps.take(iterations.first, iterations.start, iterations.loops):
        return steps.found
    for point in iterations.points():
        if iterations.guessed & iterations.uneven or not steps.add(point, iterations.guessed):
            return None
    return steps.found


class _Steps:
    """The step of one access, as far as points of its iterations were looked at."""

    def __init__(self, warps: Warps, access: MemoryAccess) -> None:
        self._warps, self._access = warps, access
        self.found: int | None = None

    def add(self, point: Point, guessed: Collection[int]) -> bool:
        """Compare the lanes at a point; tell whether all steps up to now are one.

        Of loops that move all lanes alike, iterations are told apart where they decide who is on.
        """
        deciding = set().union(*self._facts.values()) - set(guessed)
        spans = {f.loop: range(max(f.counts)) for f in point.folded if f.loop in deciding}
        if prod(map(len, spans.values())) > MOST_ITERATIONS:
            spans = {}
        moving = [fold.loop for fold in point.folded if fold.loop not in spans]
        every = (dict(zip(spans, each, strict=True)) for each in product(*spans.values()))
        return all(self.take(point, {**point.at, **at}, moving) for at in every)

    def take(self, point: Point, at: Mapping[int, int], moving: Collection[int]) -> bool:
        """Compare them at one iteration; what ``moving`` loops change tells of no lane there."""
        shape = self._warps.shape(self._access.address, point.at)
        if isinstance(shape, Unknown):
            return False
        steps = np.diff(shape.addresses, axis=1)
        pairs = self._warps.neighbours & (point.weights > 0)[:, None]
        if self._is_one(steps[pairs]):
            return True
        facts = {f: is_so for f, is_so in self._known.items() if not self._facts[f] & set(moving)}
        on = lanes_that_may_be_on(facts, lambda value: self._warps.values(value, at))
        if on is None:
            return False
        on = np.broadcast_to(on, shape.addresses.shape)
        return self._is_one(steps[pairs & on[:, 1:] & on[:, :-1]])

    def _is_one(self, steps: Numbers) -> bool:
        """Whether steps are all one, and the one that was found before; it is noted then."""
        if not steps.size:
            return True
        step = int(steps[0])
        if not (steps == step).all() or self.found not in (None, step):
            return False
        self.found = step
        return True

    @cached_property
    def _known(self) -> Facts:
        """What holds where the access executes."""
        values = self._warps.structure.values
        return values.facts_where(self._access.block, self._access.instruction)

    @cached_property
    def _facts(self) -> dict[Fact, frozenset[int]]:
        """The loops whose iterations each fact may differ between."""
        return {f: self._loops(f.left) | self._loops(f.right) for f in self._known}

    def _loops(self, value: Expression) -> frozenset[int]:
        structure, found = self._warps.structure, set()
        for atom in value.atoms:
            if atom.kind is AtomKind.COUNTER:
                found.add(atom.key)
            elif atom.kind in MADE_BY_DEFINITIONS and atom.key >= 0:
                made = structure.ssa.definitions[atom.key].block
                found.update(loop.id for loop in structure.loops.containing(made))
        return frozenset(found)
