"""How each instruction accessed memory in the CTAs that were traced (GPGPU-MiniBench, §4.1.4-5).

The paper keeps an array's base and an index that is affine in the thread's number. Here the form
has the CTA and the loops around as well, and what is not affine is told by its distribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import (
    CONSTANT_BASE,
    GLOBAL_BASE,
    PARAMETER_BASE,
    unravel_index,
)
from warpmill.analyzer.profile.behaviour.access_counts import PointAccesses, PointSums, SectorReuse
from warpmill.analyzer.profile.behaviour.control_flow import EventIterations, event_iterations
from warpmill.analyzer.profile.behaviour.model import AccessBehaviour, AffineAddress, Triple
from warpmill.analyzer.traces.event_batch import (
    AccessPoint,
    EventBatch,
    EventTables,
    Masks,
    Numbers,
    joined,
)
from warpmill.analyzer.traces.layout import MemoryRegion

# A sample of the executions of an access point, and the affine address that it shows.
#
# Executions are chosen by their number, scrambled, so that the sample is spread over CTAs and time
# without a period, is the same in every run, and does not hang on how executions come in batches.

_MOST = 2048
"""Executions of a point that are kept."""


class _Kept(NamedTuple):
    """Executions that were chosen, with the scrambled numbers that chose them.

    ``addresses`` are of lanes; ``ctas`` has x, y and z; ``loops`` an iteration for each loop
    around, the outermost first. ``warp`` is the warp's number in its CTA.
    """

    order: npt.NDArray[np.uint64]
    addresses: Numbers
    mask: Masks
    warp: Numbers
    ctas: Numbers
    loops: Numbers

    def some(self, chosen: npt.NDArray[np.bool_]) -> _Kept:
        """Some of them."""
        return _Kept._make(column[chosen] for column in self)


@dataclass
class ExecutionSample:
    """The executions of one point that were chosen so far; ``loops`` are those around it."""

    loops: Sequence[Loop]
    _seen: int = 0
    _limit: int = (1 << 64) - 1
    _kept: _Kept | None = None

    def add(self, own: PointAccesses, batch: EventBatch, iterations: EventIterations) -> None:
        """Choose of executions; they are of the warps of a batch."""
        order = scrambled(np.arange(self._seen, self._seen + len(own), dtype=np.uint64))
        self._seen += len(own)
        chosen = np.flatnonzero(order <= np.uint64(self._limit))
        if len(chosen) > _MOST:
            chosen = chosen[np.sort(np.argpartition(order[chosen], _MOST)[:_MOST])]
        new = _taken(order[chosen], own, chosen, batch, iterations, len(self.loops))
        if self._kept is not None:
            both = zip(self._kept, new, strict=True)
            new = _Kept._make(np.concatenate(columns) for columns in both)
        if len(new.order) >= _MOST:
            self._limit = int(np.partition(new.order, _MOST - 1)[_MOST - 1])
            new = new.some(new.order <= np.uint64(self._limit))
        self._kept = new

    def affine(self, block: Triple, origin: int) -> AffineAddress | None:
        """The form of the addresses' distances from ``origin`` in CTAs of a shape."""
        kept = self._kept
        if kept is None:
            return None
        lanes = np.arange(kept.addresses.shape[1])
        on = (kept.mask[:, None] >> lanes.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
        row, lane = np.nonzero(on)
        thread = kept.warp[row] * kept.addresses.shape[1] + lane
        threads = np.stack(unravel_index(thread, block), axis=1)
        columns = np.hstack([threads, kept.loops[row][:, ::-1], kept.ctas[row]])
        fit = affine_fit(columns, kept.addresses[on] - origin)
        if fit is None:
            return None
        inner = len(self.loops)
        found = fit.coefficients
        of_loops = found[3 : 3 + inner][::-1]
        return AffineAddress(
            offset=fit.offset,
            threads=_triple(found[:3]),
            ctas=_triple(found[3 + inner :]),
            loops=tuple((o.header, n) for o, n in zip(self.loops, of_loops, strict=True)),
            share=fit.share,
        )


def _taken(
    order: npt.NDArray[np.uint64],
    own: PointAccesses,
    chosen: npt.NDArray[np.intp],
    batch: EventBatch,
    iterations: EventIterations,
    levels: int,
) -> _Kept:
    """The chosen ones of some executions with all that an address may depend on."""
    warp, each = own.warp[chosen], batch.tables.warps_per_cta
    cta = batch.ctas[warp // each]
    return _Kept(
        order,
        own.base[chosen, None] + own.patterns[own.pattern[chosen]],
        own.mask[chosen],
        warp % each,
        np.stack(unravel_index(cta, batch.tables.grid), axis=1),
        iterations.numbers[:levels, own.event[chosen]].T.astype(np.int64),
    )


def _triple(numbers: Sequence[int]) -> Triple:
    x, y, z = numbers
    return x, y, z


_TOGETHER = 1 << 20
"""Accesses, about, of which batches are joined, so that small ones cost no time of their own."""

_ACCESS_WORDS = 8
"""Words of patterns that are held for as much as an access."""


def access_behaviours(
    structure: Structure,
    block: Triple,
    batches: Iterable[EventBatch],
    regions: Sequence[MemoryRegion],
    spaces: Mapping[tuple[int, int], Space] | None = None,
) -> tuple[AccessBehaviour, ...]:
    """How the access points of a launch's CTAs accessed memory, in program order.

    ``batches`` are events of CTAs of one launch, each CTA once, ``block`` their shape, ``regions``
    where memory lies. All figures are exact over what is given, but for affine forms: they are
    found and tried on up to 2,048 executions of each point. ``spaces`` tells by (block,
    instruction) what is known of generic accesses; otherwise their addresses tell whether all are
    to global memory, and where they do not, the space stays generic and only executions in global
    memory have sectors.

    An instruction that accesses one space several times in an event, as texture fetches do, counts
    as several executions. ``width_bytes`` is 0 where only the execution knew it; sectors are then
    counted as of one byte a lane. Of shared memory, reuse and footprint are of 32 B pieces of the
    CTA's window, of which no two CTAs share any; of local memory they are of each warp's.
    """
    found: dict[int, _Point] = {}
    for batch in _merged(batches):
        iterations = event_iterations(structure.loops, batch)
        reach = _Reach(batch.patterns.min(axis=1), batch.patterns.max(axis=1))
        for number, own in _by_point(batch):
            if number not in found:
                found[number] = _Point.of(batch.tables, number, structure, spaces or {})
            found[number].add(own, reach, batch, iterations)
    ordered = sorted(found, key=lambda n: (found[n].at.block, found[n].at.instruction, n))
    return tuple(found[number].behaviour(block, regions) for number in ordered)


def _merged(batches: Iterable[EventBatch]) -> Iterator[EventBatch]:
    """Batches with small ones joined."""
    waiting: list[EventBatch] = []
    held = 0
    for batch in batches:
        waiting.append(batch)
        held += len(batch.access_base) + batch.patterns.size // _ACCESS_WORDS
        if held >= _TOGETHER:
            whole, waiting, held = joined(waiting), [], 0
            yield whole
    if waiting:
        yield joined(waiting)


def _by_point(batch: EventBatch) -> Iterator[tuple[int, PointAccesses]]:
    """The accesses of each point of the tables that has any, with a lane on."""
    events = np.arange(batch.events)
    event = np.repeat(events, np.diff(batch.event_accesses))
    warp = (np.searchsorted(batch.warps, events, side="right") - 1)[event]
    some = np.flatnonzero(batch.access_mask)
    order = some[np.argsort(batch.access_point[some], kind="stable")]
    points = np.arange(len(batch.tables.points) + 1)
    ends = np.searchsorted(batch.access_point[order], points)
    for number, (start, end) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        if start < end:
            own = order[start:end]
            yield (
                number,
                PointAccesses(
                    batch.access_base[own],
                    batch.access_pattern[own],
                    batch.access_mask[own],
                    warp[own],
                    event[own],
                    batch.patterns,
                ),
            )


class _Reach(NamedTuple):
    """How far the lanes of each pattern of a batch reach down and up from the base, in bytes."""

    low: Numbers
    high: Numbers


@dataclass
class _Point:
    """State of an access point so far: ``low`` and ``high``: its bytes lie between.

    ``costs`` are the counts of executions outside the SM: all, unless the space is generic.
    """

    at: AccessPoint
    space: Space
    loops: tuple[Loop, ...]
    counts: PointSums
    costs: PointSums
    reuse: SectorReuse
    sample: ExecutionSample
    low: int = 1 << 62
    high: int = 0

    @classmethod
    def of(
        cls,
        tables: EventTables,
        number: int,
        structure: Structure,
        spaces: Mapping[tuple[int, int], Space],
    ) -> _Point:
        """Begin a point."""
        at = tables.points[number]
        operation = structure.kernel.blocks[at.block].instructions[at.instruction].operation
        known = spaces.get((at.block, at.instruction), at.space)
        space = known if at.space is Space.GENERIC else at.space
        width = at.width_bytes or operation.width_bytes or 0
        counts = PointSums(width, space is Space.LOCAL)
        costs = PointSums(width, is_local=False) if space is Space.GENERIC else counts
        loops = structure.loops.containing(at.block)[::-1]
        reuse = SectorReuse(width, space, tables.warps_per_cta)
        return cls(at, space, loops, counts, costs, reuse, ExecutionSample(loops))

    def add(
        self, own: PointAccesses, reach: _Reach, batch: EventBatch, iterations: EventIterations
    ) -> None:
        """Add the point's executions in a batch."""
        lows = own.base + reach.low[own.pattern]
        self.low = min(self.low, int(lows.min()))
        last = max(self.counts.width_bytes, 1) - 1
        self.high = max(self.high, int((own.base + reach.high[own.pattern]).max()) + last)
        self.counts.add(own)
        self.sample.add(own, batch, iterations)
        if self.space is Space.GENERIC:
            own = own.some(lows >= GLOBAL_BASE)
            self.costs.add(own)
        self.reuse.add(own)

    def behaviour(self, block: Triple, regions: Sequence[MemoryRegion]) -> AccessBehaviour:
        """Behaviour over all executions."""
        counts, space = self.counts, self._space()
        start, size = self._region(space, regions)
        sectors, lines, passes = self.costs.costs.tolist()
        shared, whole = space is Space.SHARED, counts.executions
        origin = 0 if space is Space.LOCAL else start
        of_warp, of_cta, of_grid = self.reuse.shares
        return AccessBehaviour(
            block=self.at.block,
            instruction=self.at.instruction,
            kind=self.at.kind,
            space=space,
            width_bytes=counts.width_bytes,
            executions=whole,
            lanes=counts.lanes / whole,
            sectors=0.0 if shared else sectors / whole,
            lines=0.0 if shared else lines / whole,
            passes=passes / whole if shared else 0.0,
            region=start,
            region_bytes=size,
            lane_stride=counts.lane_stride,
            affine=None if origin is None else self.sample.affine(block, origin),
            of_warp=of_warp,
            of_cta=of_cta,
            of_grid=of_grid,
            footprint_sectors=self.reuse.footprint,
        )

    def _space(self) -> Space:
        """The space, which the addresses tell of generic ones that are all alike."""
        if self.space is not Space.GENERIC or self.low < GLOBAL_BASE:
            return self.space
        if self.high < PARAMETER_BASE:
            return Space.GLOBAL
        return Space.CONST if self.low >= CONSTANT_BASE else Space.GENERIC

    def _region(self, space: Space, regions: Sequence[MemoryRegion]) -> tuple[int | None, int]:
        """Start and size of what all addresses lie in."""
        if space is Space.SHARED:
            return 0, 0
        if space is Space.LOCAL:
            return None, 0
        found = next((r for r in regions if r.holds(self.low) and r.holds(self.high)), None)
        return (None, 0) if found is None else (found.start, found.size_bytes)


# The affine function of whole numbers that most of a sample of addresses obey, if there is one.
#
# Exceptions, such as clamped borders, may be a tenth. Least squares are fitted again and again to
# the addresses that the last fit came nearest to (least trimmed squares), by which exceptions fall
# out. The coefficients are rounded and then tried on the whole sample.

Floats = npt.NDArray[np.float64]

ENOUGH = 0.9
"""The share of addresses that a form has to give to the byte."""

_ROWS = 2048
"""Addresses that are fitted; all are tried."""

_ROUNDS = 12
"""Times that a fit is made anew, to the addresses that lay nearest to the last."""

_KEPT = 0.85
"""The share of addresses that count as near: less than what has to obey the form."""

_DEPENDENT = 1e-9
"""A column with less than this part of it left beside others is a combination of them."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Addresses are ``offset`` and the ``coefficients`` times the columns, in ``share`` of rows."""

    offset: int
    coefficients: tuple[int, ...]
    share: float


def scrambled(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers as good as random, the same in every run: a bijection."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def affine_fit(columns: Numbers, addresses: Numbers) -> Fit | None:
    """Find whole coefficients of columns, shape (rows, columns), that give the addresses.

    A column that never varies, or that follows from others before it, gets 0: no sample can tell
    what it does. Where that leaves no form, the others are tried before it. No form is found where
    there are so few addresses that any would obey one.
    """
    if not addresses.size:
        return None
    chosen = _sample(len(addresses))
    some, wanted = columns[chosen].astype(np.float64), addresses[chosen]
    forward = list(range(columns.shape[1]))
    used = _independent(some, forward)
    fit = _fit_on(columns, addresses, some, wanted, used)
    varying = [k for k in forward if np.ptp(some[:, k])]
    if fit is None and len(used) < len(varying):
        others = _independent(some, forward[::-1])
        fit = _fit_on(columns, addresses, some, wanted, sorted(others))
    return fit


def _sample(rows: int) -> npt.NDArray[np.intp]:
    """Choose rows to fit, spread over all."""
    if rows <= _ROWS:
        return np.arange(rows)
    order = np.argsort(scrambled(np.arange(rows, dtype=np.uint64)), kind="stable")
    return np.sort(order[:_ROWS])


def _independent(rows: Floats, order: Sequence[int]) -> list[int]:
    """The columns that neither never vary nor follow from those before them."""
    found: list[int] = []
    basis: list[Floats] = []
    for number in order:
        column = rows[:, number] - rows[:, number].mean()
        size = float(np.linalg.norm(column))
        if not size:
            continue
        for _ in range(2):  # once more for the rounding of the first time
            for known in basis:
                column = column - known * (known @ column)
        left = float(np.linalg.norm(column))
        if left > _DEPENDENT * size:
            found.append(number)
            basis.append(column / left)
    return found


def _fit_on(
    columns: Numbers,
    addresses: Numbers,
    some: Floats,
    wanted: Numbers,
    used: Sequence[int],
) -> Fit | None:
    """Fit some of the columns; ``some`` and ``wanted`` are the rows that are fitted."""
    if used and len(addresses) < len(used) + 2:
        return None
    tried = set()
    for found in _solutions(some[:, used], wanted):
        if found in tried:
            continue
        tried.add(found)
        rest = wanted - (some[:, used].astype(np.int64) @ np.array(found, np.int64))
        if _share(rest)[1] < ENOUGH / 2:  # far from it, as where data say the address
            continue
        whole = addresses - columns[:, used] @ np.array(found, np.int64)
        offset, share = _share(whole)
        if share >= ENOUGH:
            coefficients = [0] * columns.shape[1]
            for number, value in zip(used, found, strict=True):
                coefficients[number] = value
            return Fit(offset, tuple(coefficients), share)
    return None


def _share(rest: Numbers) -> tuple[int, float]:
    """The middle of numbers, and the share that it has: where most are one, it is that."""
    offset = int(np.partition(rest, rest.size // 2)[rest.size // 2])
    return offset, float(np.count_nonzero(rest == offset)) / rest.size


def _solutions(rows: Floats, wanted: Numbers) -> Iterator[tuple[int, ...]]:
    """Coefficients to try: those of a fit to all, then of fits to what lay near the last."""
    if not rows.shape[1]:
        yield ()
        return
    right = (wanted - int(np.median(wanted))).astype(np.float64)
    middle, scale = rows.mean(axis=0), np.ptp(rows, axis=0)
    left = np.column_stack([(rows - middle) / scale, np.ones(len(rows))])

    def whole(solution: Floats) -> tuple[int, ...]:
        return tuple(np.rint(solution[:-1] / scale).astype(np.int64).tolist())

    solution = _least_squares(left, right)
    yield whole(solution)
    place = int(_KEPT * (len(right) - 1))
    for _ in range(_ROUNDS):
        off = np.abs(right - left @ solution)
        near = off <= np.partition(off, place)[place]
        solution = _least_squares(left[near], right[near])
        yield whole(solution)


def _least_squares(left: Floats, right: Floats) -> Floats:
    """Solve for the coefficients that come nearest."""
    return np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], np.float64)
