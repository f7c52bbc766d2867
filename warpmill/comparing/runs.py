"""Executions of the launches of two builds, side by side, from their traces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.traces.summary import AccessSummary
from warpmill.comparing.blocks import AccessTarget, Terms, place_of_access
from warpmill.comparing.figures import DiffFigure, compared, sum_or_none
from warpmill.report.base import Mark, Part
from warpmill.report.read import Reader
from warpmill.session.jobs import Job
from warpmill.session.traces import Traced


@dataclass(frozen=True)
class BufferTraffic:
    """Accesses of one kind to one buffer in a launch; None where addresses are not known."""

    warp_executions: Annotated[int | None, Metric("Requests")]
    bytes_requested: Annotated[int | None, Metric("Bytes requested", "B")]
    sectors: Annotated[int | None, Metric("Sectors", "sector")]
    wavefronts: Annotated[int | None, Metric("Shared-memory wavefronts")]


_NOTHING = BufferTraffic(0, 0, 0, 0)


class LaunchRun(Part):
    """The traces of a launch. Figures are for the whole launch, scaled where CTAs were left out.

    ``traffic`` is by kind of access, state space and buffer; shared memory has wavefronts, the
    others sectors of 32 B.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    traced: Annotated[Traced, INTERNAL]
    traffic: Mapping[AccessTarget, BufferTraffic]

    @derived("CTAs of the trace", "CTA")
    def ctas(self) -> int:
        """CTAs whose traces were summed."""
        return self.traced.summary.ctas

    @derived("CTAs", "CTA")
    def ctas_total(self) -> int:
        """CTAs of the grid."""
        return self.traced.ctas_total

    @derived("Assumptions")
    def assumptions(self) -> tuple[str, ...]:
        """Assumptions of the static walk, and what data decide."""
        return self.traced.assumptions

    @derived("Warp instructions", "inst")
    def warp_instructions(self) -> int:
        """Instructions that warps execute."""
        return scaled(self.traced, self.traced.summary.warp_instructions)

    @derived("Thread instructions", "thread inst")
    def thread_instructions(self) -> int:
        """The same by the lanes that are on."""
        return scaled(self.traced, self.traced.summary.thread_instructions)

    @derived("Lane utilization", "%")
    def lane_utilization(self) -> float | None:
        """Share of lanes on, over all warp instructions."""
        return self.traced.summary.lane_utilization

    @derived("Warp instructions by class", "inst")
    def by_class(self) -> Mapping[str, int]:
        """The most frequent first."""
        return {name: scaled(self.traced, n) for name, n in self.traced.summary.by_class}

    def mark_exceptions(self) -> dict[str, Mark]:
        """Marks of assumed figures, which stay so when they are scaled."""
        scale = Mark.EXACT if self.traced.is_exact else Mark.SAMPLED
        own = Mark.ASSUMED if self.traced.assumptions else scale
        return {"": own, "ctas": Mark.EXACT, "ctas_total": Mark.EXACT}


class LaunchDiff(Part):
    """Two launches side by side; ``accesses`` has the traffic of each buffer, named in ``of``."""

    a: LaunchRun
    b: LaunchRun
    figures: list[DiffFigure]
    classes: list[DiffFigure]
    accesses: list[DiffFigure]

    @derived("Equal")
    def equal(self) -> bool:
        """Whether no figure differs."""
        rows = (*self.figures, *self.classes, *self.accesses)
        return all(row.equal is not False for row in rows)


def launch_diff(
    jobs: tuple[Job, Job], terms: tuple[Terms, Terms], traced: tuple[Traced, Traced]
) -> LaunchDiff:
    """Executions of two launches."""
    a, b = (
        LaunchRun(traced=one, traffic=_traffic(job, names, one))
        for job, names, one in zip(jobs, terms, traced, strict=True)
    )
    figures = ("warp_instructions", "thread_instructions", "lane_utilization")
    return LaunchDiff(
        a=a,
        b=b,
        figures=compared(figures, a, b),
        classes=compared(("by_class",), a, b),
        accesses=[
            row
            for target in sorted({*a.traffic, *b.traffic}, key=str)
            for row in _accesses(target, a, b)
        ],
    )


def scaled(traced: Traced, count: int) -> int:
    """A count of the traced CTAs for all CTAs of the grid."""
    return round(count * traced.ctas_total / traced.summary.ctas)


def _accesses(target: AccessTarget, a: LaunchRun, b: LaunchRun) -> list[DiffFigure]:
    x, y = (Reader(run.traffic.get(target, _NOTHING), Reader(run), "traffic") for run in (a, b))
    last = "wavefronts" if target.space == "shared" else "sectors"
    found = []
    for key in ("warp_executions", "bytes_requested", last):
        is_known = None not in (x.at(key).value, y.at(key).value)
        reason = None if is_known else "addresses are not known"
        found += compared((key,), x, y, of=str(target), reason=reason)
    return found


def _traffic(job: Job, terms: Terms, traced: Traced) -> dict[AccessTarget, BufferTraffic]:
    facts = {(a.block, a.instruction): a for a in job.analysis.accesses}
    found: dict[AccessTarget, list[AccessSummary]] = defaultdict(list)
    for summary in traced.summary.accesses:
        fact = facts.get((summary.block, summary.instruction))
        if fact is not None:
            found[place_of_access(fact, terms)].append(summary)

    def whole(counts: Iterable[int | None]) -> int | None:
        total = sum_or_none(counts)
        return None if total is None else scaled(traced, total)

    return {
        target: BufferTraffic(
            whole(s.warp_executions for s in each),
            whole(s.bytes_requested for s in each),
            whole(s.sectors for s in each),
            whole(s.wavefronts for s in each),
        )
        for target, each in found.items()
    }
