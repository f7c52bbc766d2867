"""What ``analyze`` says of loops: trip counts as formulas, and as numbers of a launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from warpmill.analyzer.analyses.ranges.assumptions import (
    NOTHING,
    AssumedRange,
    Assumptions,
    bound_intervals,
)
from warpmill.analyzer.analyses.ranges.bounds import (
    KnownTrips,
    LoopBound,
    SymbolicTrips,
    UnknownTrips,
)
from warpmill.analyzer.analyses.values.shared_slots import decided_by
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.launch.model import Launch
from warpmill.commands.analyze.counts import Range, loop_ranges
from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.report.facts import SourcePlace, block_place
from warpmill.session.jobs import Job

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.ranges.iterations import LoopIterations


class ExitFacts(Part):
    """One edge out of a loop and when it is taken; ``trips`` are the iterations before that."""

    source: str
    target: str
    condition: str | None
    trips: str


class IterationRun(Part):
    """Times that a loop is entered, ``first`` to ``last`` from 0, in order of execution.

    It runs ``count`` times in the first and ``step`` times more in each that follows.
    """

    first: int
    last: int
    count: int
    step: int


class ThreadIterations(Part):
    """How often a loop runs in the first thread of the launch, for each iteration of those around.

    ``formula`` has the launch's values in it. It is entered ``entries`` times, and its body runs
    ``total`` times in all; ``more``: there are further runs. ``reason`` says why there is nothing.
    """

    marked_as_one: ClassVar[bool] = True

    formula: str | None
    entries: int | None
    total: int | None
    runs: list[IterationRun]
    more: bool
    at_most: bool
    reason: str | None


class LoopFacts(Part):
    """One loop; its name is its header's label, as ``--assume`` takes it.

    ``trips`` is known, symbolic (a formula) or unknown (``reason`` says why). ``count_min`` and
    ``count_max`` are the formula's values in this launch, over ``over`` (thread ids and the like);
    null without a launch, or where ``count_reason`` says why. ``at_most``: data may end it earlier.
    ``assumed_min`` and ``assumed_max`` are what ``--assume`` makes of it, null where it says
    nothing; not ``assumed_tight``: the count lies between them, and may not reach them.
    """

    name: str
    depth: int
    parent: str | None
    blocks: int
    trips: Literal["known", "symbolic", "unknown"]
    formula: str | None
    reason: str | None
    at_most: bool
    bottom_tested: bool
    count_min: int | None
    count_max: int | None
    count_over: list[str]
    count_reason: str | None
    assumed_min: int | None
    assumed_max: int | None
    assumed_tight: bool | None
    first_thread: ThreadIterations | None
    exits: list[ExitFacts]
    place: SourcePlace | None
    marks: Marks


def loop_facts(job: Job, labels: Sequence[str], assumed: Assumptions = NOTHING) -> list[LoopFacts]:
    """Describe the loops of a kernel, outer ones first; ``labels`` are those of its blocks."""
    analysis = job.analysis
    ranges: Mapping[int, Range] = {}
    counted: Mapping[int, LoopIterations] = {}
    if job.launch is not None:
        ranges = loop_ranges(job.loaded.module, analysis.structure, job.launch, analysis.bounds)
        counted = {i.loop: i for i in first_thread(job, job.launch)}
    intervals: Mapping[int, AssumedRange] = {}
    if assumed:
        intervals = bound_intervals(analysis.structure, analysis.bounds, assumed)
    return [
        _loop(
            job,
            labels,
            bound,
            _Found(ranges.get(bound.loop), counted.get(bound.loop), intervals.get(bound.loop)),
        )
        for bound in analysis.bounds
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a launch and the user's assumptions tell of a loop."""

    range: Range | None
    iterations: LoopIterations | None
    assumed: AssumedRange | None


def _loop(job: Job, labels: Sequence[str], bound: LoopBound, found: _Found) -> LoopFacts:
    trips = bound.trips
    loops = job.analysis.structure.loops.loops
    loop = loops[bound.loop]
    count = _count(bound, found, [labels[loops[o].header] for o in _counters(bound)])
    parent = None if loop.parent is None else loops[loop.parent]
    shared = decided_by(job.analysis.structure, [e.source for e in bound.exits])
    is_assumed = count.is_assumed or not shared.isdisjoint(job.analysis.structure.stores_by_one)
    count_mark = Mark.ASSUMED if is_assumed else Mark.EXACT
    count_mark = Mark.SAMPLED if count.sampled else count_mark
    interval = found.assumed
    return LoopFacts(
        name=labels[loop.header],
        depth=loop.depth,
        parent=None if parent is None else labels[parent.header],
        blocks=len(loop.blocks),
        trips=_kind(bound),
        formula=str(trips) if isinstance(trips, KnownTrips | SymbolicTrips) else None,
        reason=trips.reason if isinstance(trips, UnknownTrips) else None,
        at_most=bound.at_most,
        bottom_tested=bound.bottom_tested,
        count_min=count.low,
        count_max=count.high,
        count_over=list(count.over),
        count_reason=count.reason,
        assumed_min=None if interval is None else interval.low,
        assumed_max=None if interval is None else interval.high,
        assumed_tight=None if interval is None else interval.is_tight,
        first_thread=None if found.iterations is None else _thread(found.iterations),
        exits=[
            ExitFacts(
                source=labels[e.source],
                target=labels[e.target],
                condition=None if e.condition is None else str(e.condition),
                trips=str(e.trips),
            )
            for e in bound.exits
        ],
        place=block_place(job.loaded, job.kernel.blocks[loop.header]),
        marks=marks(
            LoopFacts,
            Mark.EXACT,
            count_min=count_mark,
            count_max=count_mark,
            assumed_min=Mark.ASSUMED,
            assumed_max=Mark.ASSUMED,
        ),
    )


def _counters(bound: LoopBound) -> list[int]:
    """Give the loops around on whose iterations a count depends."""
    if not isinstance(bound.trips, SymbolicTrips):
        return []
    return sorted({a.key for a in bound.trips.formula.atoms if a.kind is AtomKind.COUNTER})


def _count(bound: LoopBound, found: _Found, over: Sequence[str]) -> Range:
    """Give the range of a count: what the first thread does where all do that, else of the formula.

    Only the former tells all iterations of loops around, however many.
    """
    if found.range is None:
        known = bound.trips.count if isinstance(bound.trips, KnownTrips) else None
        return Range(known, known, None if known is not None else _without_launch(bound))
    counted = found.iterations
    if not over or counted is None or counted.has_more_runs or not counted.runs:
        return found.range
    if found.range.low is None or not counted.is_shared:
        return found.range
    counters = tuple(f"i({name})" for name in over)
    ends = [n for r in counted.runs for n in (r.count, r.count + r.step * (r.last - r.first))]
    return replace(found.range, low=min(ends), high=max(ends), over=counters, sampled=False)


def first_thread(job: Job, launch: Launch) -> tuple[LoopIterations, ...]:
    """Count the iterations of every loop in the first thread of a launch."""
    from warpmill.analyzer.analyses.ranges.iterations import iterations  # noqa: PLC0415 - numpy is slow to load
    from warpmill.analyzer.traces.layout import lay_out  # noqa: PLC0415
    from warpmill.analyzer.traces.static import values as lanes  # noqa: PLC0415

    given = lay_out(job.loaded.module, job.kernel, launch).arguments
    values = {
        name: value.base
        for name, value in given.items()
        if isinstance(value, lanes.KnownNumbers) and isinstance(value.base, int)
    }
    for axis, grid, block in zip("xyz", launch.grid, launch.block, strict=True):
        values |= {f"tid.{axis}": 0, f"ctaid.{axis}": 0}
        values |= {f"ntid.{axis}": block, f"nctaid.{axis}": grid}
    values["laneid"] = 0
    return iterations(job.analysis.structure, job.analysis.bounds, values)


def _thread(found: LoopIterations) -> ThreadIterations:
    return ThreadIterations(
        formula=None if found.formula is None else str(found.formula),
        entries=found.entries,
        total=found.total,
        runs=[
            IterationRun(first=r.first, last=r.last, count=r.count, step=r.step) for r in found.runs
        ],
        more=found.has_more_runs,
        at_most=found.at_most,
        reason=found.reason,
    )


def _kind(bound: LoopBound) -> Literal["known", "symbolic", "unknown"]:
    if isinstance(bound.trips, KnownTrips):
        return "known"
    return "symbolic" if isinstance(bound.trips, SymbolicTrips) else "unknown"


def _without_launch(bound: LoopBound) -> str:
    if isinstance(bound.trips, UnknownTrips):
        return bound.trips.reason
    return "no launch was given"
