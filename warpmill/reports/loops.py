"""What ``analyze`` says of loops: trip counts as formulas, and as numbers of a launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from analyzer.analyses.bounds import Known, LoopBound, Symbolic, Unknown
from analyzer.cfg.loops import Loop
from warpmill.api import Job
from warpmill.reports.base import Mark, Marks, Part, marks
from warpmill.reports.counts import Range, loop_ranges
from warpmill.reports.facts import Place, block_place


class ExitFacts(Part):
    """One edge out of a loop and when it is taken; ``trips`` are the iterations before that."""

    source: str
    target: str
    condition: str | None
    trips: str


class LoopFacts(Part):
    """One loop; its name is its header's label, as ``--assume`` takes it.

    ``trips`` is known, symbolic (a formula) or unknown (``reason`` says why). ``count_min`` and
    ``count_max`` are the formula's values in this launch, over ``over`` (thread ids and the like);
    null without a launch, or where ``count_reason`` says why. ``at_most``: data may end it earlier.
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
    exits: list[ExitFacts]
    place: Place | None
    marks: Marks


def loop_facts(job: Job, labels: Sequence[str]) -> list[LoopFacts]:
    """Describe the loops of a kernel, outer ones first; ``labels`` are those of its blocks."""
    analysis = job.analysis
    ranges: Mapping[int, Range] = {}
    if job.launch is not None:
        ranges = loop_ranges(job.loaded.module, job.kernel, job.launch, analysis.bounds)
    forest = analysis.structure.loops.loops
    return [
        _loop(job, labels, forest[bound.loop], bound, ranges.get(bound.loop))
        for bound in analysis.bounds
    ]


def _loop(
    job: Job, labels: Sequence[str], loop: Loop, bound: LoopBound, found: Range | None
) -> LoopFacts:
    trips = bound.trips
    if found is None:
        known = trips.count if isinstance(trips, Known) else None
        found = Range(known, known, None if known is not None else _without_launch(bound))
    parent = None if loop.parent is None else job.analysis.structure.loops.loops[loop.parent]
    count_mark = Mark.SAMPLED if found.sampled else Mark.EXACT
    return LoopFacts(
        name=labels[loop.header],
        depth=loop.depth,
        parent=None if parent is None else labels[parent.header],
        blocks=len(loop.blocks),
        trips=_kind(bound),
        formula=str(trips) if isinstance(trips, Known | Symbolic) else None,
        reason=trips.reason if isinstance(trips, Unknown) else None,
        at_most=bound.at_most,
        bottom_tested=bound.bottom_tested,
        count_min=found.low,
        count_max=found.high,
        count_over=list(found.over),
        count_reason=found.reason,
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
        marks=marks(LoopFacts, Mark.EXACT, count_min=count_mark, count_max=count_mark),
    )


def _kind(bound: LoopBound) -> Literal["known", "symbolic", "unknown"]:
    if isinstance(bound.trips, Known):
        return "known"
    return "symbolic" if isinstance(bound.trips, Symbolic) else "unknown"


def _without_launch(bound: LoopBound) -> str:
    if isinstance(bound.trips, Unknown):
        return bound.trips.reason
    return "no launch was given"
