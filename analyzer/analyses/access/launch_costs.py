"""Cost of each access in a launch: exact counts over warps of some CTAs and over iterations.

Addresses are computed from their formulas for every lane that exists. Which lanes a guard or a
branch leaves out is not looked at: every access counts as if all lanes of its warp made it. Traces
count what is executed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import gcd, prod
from typing import Annotated, ClassVar

import numpy as np

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.access.coalescing import (
    ALLOCATOR_BYTES,
    LoopReuse,
    LoopReuseKind,
    reuse_in_loop,
    reuse_of_step,
    uncountable,
)
from warpmill.analyzer.analyses.access.launch_warps import (
    AddressShape,
    LaunchWarps,
    Numbers,
    chosen_ctas,
)
from warpmill.analyzer.analyses.access.warp_counts import (
    AccessKind,
    WarpAccessCost,
    warp_cost,
    worst_cost,
)
from warpmill.analyzer.analyses.access.warp_lanes import lanes_that_may_be_on
from warpmill.analyzer.analyses.ranges.bounds import LoopBound
from warpmill.analyzer.analyses.ranges.iterations import (
    AccessIterations,
    IterationPoint,
    counters_in,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression
from warpmill.analyzer.analyses.values.symbolic_values import MADE_BY_DEFINITIONS
from warpmill.analyzer.analyses.values.truths import Facts, KnownComparison
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules
from warpmill.analyzer.traces.static.constraints import Triple
from warpmill.analyzer.traces.static.values import Unknown

_SECTORS = "l1tex__average_t_sectors_per_request.ratio"


@dataclass(frozen=True, slots=True)
class CostRange:
    """The least, the most and the mean of a count over accesses of warps."""

    marked_as_one: ClassVar[bool] = True

    least: int
    most: int
    mean: float


@dataclass(frozen=True, slots=True)
class CostSpread:
    """Spreads of the counts of ``WarpAccessCost``; None where that kind is not counted."""

    marked_as_one: ClassVar[bool] = True

    sectors: Annotated[CostRange | None, Metric("Sectors/request", "sector", ncu=_SECTORS)]
    lines: Annotated[CostRange | None, Metric("Lines/request")]
    wavefronts: Annotated[CostRange | None, Metric("Wavefronts/request")]


@dataclass(frozen=True, slots=True)
class LaunchCost:
    """Cost of one access in a launch, with all lanes of each warp active.

    ``first`` is over the warps with every loop in its first iteration, ``all_iterations`` over all
    iterations, each weighing as often as it runs (None where all counts are 0).
    ``alignment_bytes`` is the largest power of two, up to ``ALLOCATOR_BYTES``, that divides every
    address. ``loops`` says how the access moves in this launch's loops, outermost
    first; unknown where lanes, warps or iterations differ in that.
    ``cta_sectors`` are the distinct sectors that the warps of a CTA access together in the first
    iterations, on average, and ``cta_sharing`` how many of its warps access one of them; None for
    shared and local memory. Where ``reason`` is set, none of this is known, and ``worst`` is the
    most that a full warp of aligned lanes can cost (None: not even that). ``assumptions`` are what
    counts of iterations rest on. The last two flags tell whether some CTAs, and some iterations of
    loops that follow no cycle, were left out.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    first: Annotated[CostSpread | None, Metric("In first iterations")]
    all_iterations: Annotated[CostSpread | None, Metric("Over all iterations")]
    alignment_bytes: Annotated[int | None, Metric("Alignment of addresses", "B")]
    loops: Annotated[tuple[LoopReuse, ...], INTERNAL]
    cta_sectors: Annotated[float | None, Metric("Distinct sectors of a CTA", "sector")]
    cta_sharing: Annotated[float | None, Metric("Warps per sector of a CTA", "warp")]
    worst: Annotated[WarpAccessCost | None, Metric("At most")]
    assumptions: tuple[str, ...]
    is_sample_of_ctas: Annotated[bool, INTERNAL]
    is_sample_of_iterations: Annotated[bool, INTERNAL]
    reason: str | None
    lane_step_bytes: Annotated[int | None, INTERNAL] = None
    """Bytes from each lane to the next in a row of the block, where there is one number: for all
    that may be on together, in all warps and iterations."""

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of figures of sampled CTAs or iterations, and of those that rest on assumptions."""
        first = Mark.SAMPLED if self.is_sample_of_ctas else Mark.EXACT
        every = Mark.SAMPLED if self.is_sample_of_iterations else first
        every = Mark.ASSUMED if self.assumptions else every
        by_iteration = dict.fromkeys(("all_iterations", "alignment_bytes"), every)
        return dict.fromkeys(("first", "cta_sectors", "cta_sharing", "worst"), first) | by_iteration


def launch_costs(
    module: Module,
    structure: Structure,
    launch: Launch,
    bounds: Sequence[LoopBound],
    accesses: Sequence[MemoryAccess],
    *,
    ctas: Sequence[Triple] | None = None,
    rules: MemoryRules = DEFAULT_RULES,
) -> tuple[LaunchCost, ...]:
    """Count each access of a launch over ``ctas``, else over all CTAs or an even choice."""
    chosen = chosen_ctas(launch, module.warp_size) if ctas is None else ctas
    warps = LaunchWarps(module, structure, launch, bounds, chosen)
    return tuple(_Counting(warps, access, rules).cost() for access in accesses)


class _Counting:
    """Counts one access."""

    def __init__(self, warps: LaunchWarps, access: MemoryAccess, rules: MemoryRules) -> None:
        self._warps, self._access = warps, access
        self._kind = AccessKind(access.space, access.width_bytes or 0, rules)
        self._iterations = AccessIterations(warps, access, self._kind.modulus)
        constant = next((c for m, c in access.address.terms if not m), 0)
        self._constant = TYPES["s64"].read(constant)  # addresses wrap at 64 bits
        self._places: set[tuple[bytes, int]] = set()
        self._bits = self._constant

    def cost(self) -> LaunchCost:
        """Count it, or tell why that cannot be."""
        reason = uncountable(self._access)
        if reason is not None:
            return self._none(reason, None)
        worst = worst_cost(self._kind, self._warps.batch.warp_size)
        shape = self._warps.shape(self._access.address, self._iterations.start)
        if isinstance(shape, Unknown):
            return self._none(shape.reason, worst)
        first = self._tally(self._iterations.first)
        every = first if isinstance(first, str) else self._over_iterations(first)
        if isinstance(first, str) or isinstance(every, str):
            return self._none(first if isinstance(first, str) else str(every), worst)
        return LaunchCost(
            spread(first),
            spread(every),
            min(self._bits & -self._bits or ALLOCATOR_BYTES, ALLOCATOR_BYTES),
            tuple(self._reuse(loop) for loop in self._iterations.loops),
            *self._of_cta(shape, first),
            worst,
            tuple(self._iterations.notes),
            not self._warps.is_whole,
            self._iterations.is_thinned,
            None,
            self._lane_step(),
        )

    def _lane_step(self) -> int | None:
        """Step from each lane to the next, where the kernel alone does not determine it."""
        told = self._access.lane_stride_bytes
        if told is not None and not self._access.is_aligned_warp:
            return told
        return lane_step(self._warps, self._access, self._iterations)

    def _none(self, reason: str, worst: WarpAccessCost | None) -> LaunchCost:
        return LaunchCost(
            None, None, None, (), None, None, worst, (), not self._warps.is_whole, False, reason
        )

    def _over_iterations(self, first: Counter[WarpAccessCost]) -> Counter[WarpAccessCost] | str:
        total: Counter[WarpAccessCost] = Counter()
        if self._iterations.are_none:
            return total
        if not self._iterations.uneven and self._is_settled(first):
            return first
        for point in self._iterations.points():
            found = self._tally(point)
            if isinstance(found, str):
                return found
            total += found
        return total

    def _is_settled(self, first: Counter[WarpAccessCost]) -> bool:
        """Whether one iteration costs what all cost: at every place that strides can lead to."""
        units = [self._iterations.unit(loop) for loop in self._iterations.loops]
        step = gcd(self._kind.modulus, *units)
        places = self._kind.modulus // step
        if len(first) != 1 or places * len(self._places) > _MOST_PLACES:
            return False
        (cost,) = first
        moved = (
            warp_cost(self._kind, pattern, (place + i * step) % self._kind.modulus)
            for pattern, place in self._places
            for i in range(places)
        )
        if any(c != cost for c in moved):
            return False
        for unit in units:
            self._bits |= unit
        return True

    def _tally(self, point: IterationPoint) -> Counter[WarpAccessCost] | str:
        """Count the costs of all warps at a point, over the iterations of its folded loops."""
        shape = self._warps.shape(self._access.address, point.at)
        if isinstance(shape, Unknown):
            return shape.reason
        moves = self._moves(point)
        if isinstance(moves, str):
            return moves
        self._bits |= shape.bits
        places = ((shape.first + self._constant) % self._kind.modulus).tolist()
        self._places = set(zip(shape.patterns, places, strict=True))
        alike = Counter(zip(shape.patterns, places, moves, point.weights.tolist(), strict=True))
        total: Counter[WarpAccessCost] = Counter()
        for (pattern, place, move, weight), warps in alike.items():
            for moved, times in places_over(place, move, self._kind.modulus):
                total[warp_cost(self._kind, pattern, moved)] += times * warps * weight
        return +total

    def _moves(self, point: IterationPoint) -> list[tuple[tuple[int, int], ...]] | str:
        """For each warp (stride modulo a line, count) of the folded loops."""
        columns = []
        for fold in point.folded:
            slope = self._iterations.slope(fold.loop)
            assert slope is not None
            strides = self._warps.per_warp(slope, point.at)
            if isinstance(strides, Unknown):
                return strides.reason
            if max(fold.counts, default=0) > 1:
                self._bits |= int(np.bitwise_or.reduce(strides))
            remainders = (strides % self._kind.modulus).tolist()
            columns.append(list(zip(remainders, fold.counts, strict=True)))
        return list(zip(*columns, strict=True)) if columns else [()] * self._warps.count

    def _reuse(self, loop: int) -> LoopReuse:
        """How the access moves in a loop, as a number."""
        told = reuse_in_loop(self._warps.structure, self._access, loop, self._kind.rules)
        if told.kind is not LoopReuseKind.UNKNOWN or told.step is None or counters_in(told.step):
            return told
        strides = self._warps.per_lane(told.step, self._iterations.start)
        if isinstance(strides, Unknown) or not np.all(strides == strides[:1, :1]):
            return told
        stride = int(strides[0, 0])
        return LoopReuse(loop, *reuse_of_step(stride, told.step, self._kind.rules), None)

    def _of_cta(
        self, shape: AddressShape, first: Counter[WarpAccessCost]
    ) -> tuple[float | None, float | None]:
        """The distinct sectors of a CTA, and how many of its warps access each."""
        if self._kind.space in (Space.SHARED, Space.LOCAL):
            return None, None
        sector, ctas = self._kind.rules.sector_bytes, len(self._warps.batch.ctas)
        addresses = shape.addresses.reshape(ctas, -1) + self._constant
        lowest, highest = addresses // sector, (addresses + self._kind.width_bytes - 1) // sector
        spans = [np.minimum(lowest + i, highest) for i in range(int((highest - lowest).max()) + 1)]
        touched = np.sort(np.concatenate(spans, axis=1), axis=1)
        distinct = ctas + int(np.count_nonzero(np.diff(touched, axis=1)))
        by_warps = sum((cost.sectors or 0) * times for cost, times in first.items())
        return distinct / ctas, by_warps / distinct


_MOST_PLACES = 256
"""Places of lanes in a line that are tried to show that all cost the same."""


@lru_cache(maxsize=1 << 14)
def places_over(
    place: int, moves: tuple[tuple[int, int], ...], modulus: int
) -> tuple[tuple[int, int], ...]:
    """Count, over iterations, at which remainders the first lane lies: (remainder, times)."""
    found = {place: 1}
    for stride, count in moves:
        cycle = modulus // gcd(stride, modulus)
        whole, rest = divmod(count, cycle)
        moved: Counter[int] = Counter()
        for step in range(min(cycle, count)):
            for before, times in found.items():
                moved[(before + step * stride) % modulus] += times * (whole + (step < rest))
        found = dict(moved)
    return tuple(found.items())


def spread(costs: Counter[WarpAccessCost]) -> CostSpread | None:
    """The spreads of some costs; None where nothing was executed."""
    if not costs:
        return None
    return CostSpread(
        _of((c.sectors, n) for c, n in costs.items()),
        _of((c.lines, n) for c, n in costs.items()),
        _of((c.wavefronts, n) for c, n in costs.items()),
    )


def _of(counts: Iterator[tuple[int | None, int]]) -> CostRange | None:
    known = [(value, times) for value, times in counts if value is not None]
    if not known:
        return None
    total = sum(times for _, times in known)
    mean = sum(value * times for value, times in known) / total
    return CostRange(min(v for v, _ in known), max(v for v, _ in known), mean)


# What each lane adds to the address of the one before it, over a launch's warps and iterations.
#
# Only lanes that may be on together are compared: branches, guards and the ends of loops leave
# others out.

MOST_ITERATIONS = 64
"""Iterations of loops that move all lanes alike in which it is asked which lanes are on."""


def lane_step(warps: LaunchWarps, access: MemoryAccess, iterations: AccessIterations) -> int | None:
    """The bytes from each lane to the next in a row of the block, where it is one number.

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

    def __init__(self, warps: LaunchWarps, access: MemoryAccess) -> None:
        self._warps, self._access = warps, access
        self.found: int | None = None

    def add(self, point: IterationPoint, guessed: Collection[int]) -> bool:
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

    def take(self, point: IterationPoint, at: Mapping[int, int], moving: Collection[int]) -> bool:
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
        """Facts that hold where the access executes."""
        values = self._warps.structure.values
        return values.facts_where(self._access.block, self._access.instruction)

    @cached_property
    def _facts(self) -> dict[KnownComparison, frozenset[int]]:
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
