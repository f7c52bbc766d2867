"""What the launches of two builds execute, side by side, from their traces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from warpmill.commands.diff.figures import DiffFigure, differing, figure, side_by_side
from warpmill.comparing.blocks import Terms, place_of_access
from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.session.jobs import Job
from warpmill.session.traces import Traced


class LaunchDiff(Part):
    """The traces of two launches. Figures are for whole launches, scaled where CTAs were left out.

    ``accesses`` has warp executions, bytes that lanes ask for, sectors of 32 B and passes of shared
    memory for each kind of access to each buffer, named in ``of``.
    """

    ctas_a: int
    ctas_b: int
    ctas_total_a: int
    ctas_total_b: int
    assumptions_a: list[str]
    assumptions_b: list[str]
    figures: list[DiffFigure]
    classes: list[DiffFigure]
    accesses: list[DiffFigure]
    equal: bool
    marks: Marks

    def differing(self) -> LaunchDiff:
        """Leave out what is equal."""
        return replace(
            self,
            figures=differing(self.figures),
            classes=differing(self.classes),
            accesses=differing(self.accesses),
        )


def launch_diff(
    jobs: tuple[Job, Job], terms: tuple[Terms, Terms], traced: tuple[Traced, Traced]
) -> LaunchDiff:
    """Compare what two launches execute."""
    signs = (_mark(traced[0]), _mark(traced[1]))
    figures = _figures(traced, signs)
    classes = side_by_side(_classes(traced[0]), _classes(traced[1]), "warp instructions", *signs)
    accesses = _accesses(jobs, terms, traced, signs)
    return LaunchDiff(
        ctas_a=traced[0].summary.ctas,
        ctas_b=traced[1].summary.ctas,
        ctas_total_a=traced[0].ctas_total,
        ctas_total_b=traced[1].ctas_total,
        assumptions_a=list(traced[0].assumptions),
        assumptions_b=list(traced[1].assumptions),
        figures=figures,
        classes=classes,
        accesses=accesses,
        equal=all(row.equal is not False for row in (*figures, *classes, *accesses)),
        marks=marks(LaunchDiff, Mark.EXACT),
    )


def _mark(traced: Traced) -> Mark:
    """Mark what stands for a grid: what was assumed stays so when it is scaled."""
    if traced.assumptions:
        return Mark.ASSUMED
    return Mark.EXACT if traced.is_exact else Mark.SAMPLED


def _scaled(traced: Traced, count: int) -> int:
    return round(count * traced.ctas_total / traced.summary.ctas)


def _figures(traced: tuple[Traced, Traced], signs: tuple[Mark, Mark]) -> list[DiffFigure]:
    x, y = (one.summary for one in traced)
    rows = (
        ("warp_instructions", "warp instructions", x.warp_instructions, y.warp_instructions),
        ("thread_instructions", "thread instructions", x.thread_instructions,
         y.thread_instructions),
    )  # fmt: skip
    counts = [
        figure(key, _scaled(traced[0], a), _scaled(traced[1], b), unit,
               mark_a=signs[0], mark_b=signs[1])
        for key, unit, a, b in rows
    ]  # fmt: skip
    lanes = figure(
        "lane_utilization", x.lane_utilization, y.lane_utilization, "fraction",
        mark_a=signs[0], mark_b=signs[1],
    )  # fmt: skip
    return [*counts, lanes]


def _classes(traced: Traced) -> dict[str, int]:
    return {name: _scaled(traced, count) for name, count in traced.summary.by_class}


_MEASURES = (
    ("warp_executions", "warp instructions", "warp_executions"),
    ("bytes_requested", "bytes", "bytes_requested"),
    ("sectors", "sectors", "sectors"),
    ("wavefronts", "wavefronts", "wavefronts"),
)
"""Key, unit, and the name in the summary of a trace."""

Totals = dict[tuple[str, str], int | None]
"""Sums by what is accessed and by measure; None where an address is not known."""


def _accesses(
    jobs: tuple[Job, Job],
    terms: tuple[Terms, Terms],
    traced: tuple[Traced, Traced],
    signs: tuple[Mark, Mark],
) -> list[DiffFigure]:
    x, y = (_totals(*each) for each in zip(jobs, terms, traced, strict=True))
    order = {name: place for place, (name, _, _) in enumerate(_MEASURES)}
    units = {name: unit for name, unit, _ in _MEASURES}
    rows = []
    for of, key in sorted({*x, *y}, key=lambda k: (k[0], order[k[1]])):
        a, b = x.get((of, key), 0), y.get((of, key), 0)
        reason = "addresses are not known" if a is None or b is None else None
        rows.append(
            figure(key, a, b, units[key], of=of, reason=reason, mark_a=signs[0], mark_b=signs[1])
        )
    return rows


def _totals(job: Job, terms: Terms, traced: Traced) -> Totals:
    """Add up by place; sectors are of what goes to L2, passes of shared memory."""
    facts = {(a.block, a.instruction): a for a in job.analysis.accesses}
    found: dict[tuple[str, str], list[int | None]] = defaultdict(list)
    for summary in traced.summary.accesses:
        fact = facts.get((summary.block, summary.instruction))
        if fact is None:
            continue
        place = place_of_access(fact, terms)
        left_out = "sectors" if place.space == "shared" else "wavefronts"
        for key, _, name in _MEASURES:
            if key != left_out:
                found[str(place), key].append(getattr(summary, name))
    return {key: _sum(traced, counts) for key, counts in found.items()}


def _sum(traced: Traced, counts: Sequence[int | None]) -> int | None:
    return None if None in counts else _scaled(traced, sum(c for c in counts if c is not None))
