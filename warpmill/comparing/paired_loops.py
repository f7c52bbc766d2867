"""The loops of two builds of a kernel, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.ranges.bounds import LoopBound
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange, loop_ranges
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.comparing.blocks import Counters, Terms
from warpmill.comparing.figures import DiffFigure, compared
from warpmill.comparing.loops import (
    LoopFeatures,
    LoopMatch,
    instructions_by_line,
    iterations_ratio,
    known_runs,
    loop_features,
    match_loops,
    whole_runs,
)
from warpmill.report.base import Mark, Part
from warpmill.report.facts import SourcePlace, block_place
from warpmill.report.sections import Shown
from warpmill.session.jobs import Job


class LoopSide(Part):
    """A loop in one build; its name is its header's label, its bound in that build's own terms."""

    name: Annotated[str, Metric("Loop")]
    place: SourcePlace | None
    bound: LoopBound
    features: Annotated[LoopFeatures, INTERNAL]


class LoopDiff(Part):
    """A loop of both builds, or of one where the other side is null.

    ``matched_by``: source line, or structure (nesting, trip count, buffers). ``like`` is the loop
    of the other build that a lone one resembles, and which has another partner. ``iterations_of_a``
    are those that one iteration of B does, by bytes and steps of addresses, or trip counts; null
    where these do not agree. ``elsewhere`` counts the other build's instructions of a lone loop's
    source lines. Trip counts among ``figures`` are in common terms: parameters by place, counters
    by depth.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    a: LoopSide | None
    b: LoopSide | None
    matched_by: str | None
    like: str | None
    elsewhere: int | None
    iterations_of_a: float | None
    figures: list[DiffFigure]

    @derived("Equal")
    def equal(self) -> bool:
        """Whether both builds have it, and no figure differs."""
        is_pair = self.a is not None and self.b is not None
        return is_pair and all(figure.equal is not False for figure in self.figures)

    @property
    def names(self) -> str:
        """Names of the loop in A and in B."""
        return " = ".join(dict.fromkeys(s.name for s in (self.a, self.b) if s is not None))


class LoopsOfBoth:
    """The loops of two builds, paired."""

    def __init__(self, jobs: tuple[Job, Job], terms: tuple[Terms, Terms]) -> None:
        self._jobs = jobs
        self._features = (loop_features(jobs[0], terms[0]), loop_features(jobs[1], terms[1]))
        self._matches = match_loops(*self._features)
        self._ranges = (_ranges(jobs[0]), _ranges(jobs[1]))
        self._lines = (instructions_by_line(jobs[0].kernel), instructions_by_line(jobs[1].kernel))

    def counters(self) -> tuple[Counters, Counters]:
        """Counters of loops that are the same named alike, ``i1``, and how far they run."""
        pairs = [(m.a, m.b) for m in self._matches if m.a is not None and m.b is not None]
        trips = tuple([f.trips for f in each] for each in self._features)
        alike = [p for p in pairs if trips[0][p[0]] and trips[0][p[0]] == trips[1][p[1]]]
        left, right = (
            Counters(
                {pair[build]: f"i{n}" for n, pair in enumerate(pairs, start=1)},
                known_runs(self._jobs[build]),
                whole_runs(self._jobs[build], [pair[build] for pair in alike]),
            )
            for build in (0, 1)
        )
        return left, right

    def rows(self) -> list[LoopDiff]:
        """Each pair, and what is lone, those of A first."""
        return [self._row(match) for match in self._matches]

    def _row(self, match: LoopMatch) -> LoopDiff:
        a, b = self._side(0, match.a), self._side(1, match.b)
        like = self._side(1 if b is None else 0, match.like)
        ratio = None if a is None or b is None else iterations_ratio(a.features, b.features)
        return LoopDiff(
            a=a,
            b=b,
            matched_by=match.by or None,
            like=None if like is None else like.name,
            elsewhere=self._elsewhere(a, b),
            iterations_of_a=None if ratio is None else float(ratio),
            figures=[*_figures(a, b), *self._counts(match)],
        )

    def _side(self, build: int, loop: int | None) -> LoopSide | None:
        if loop is None:
            return None
        job = self._jobs[build]
        header = job.kernel.blocks[job.analysis.structure.loops.loops[loop].header]
        return LoopSide(
            name=header.label,
            place=block_place(job.loaded, header),
            bound=job.analysis.bounds[loop],
            features=self._features[build][loop],
        )

    def _elsewhere(self, a: LoopSide | None, b: LoopSide | None) -> int | None:
        """Instructions of the other build of a lone loop's lines, where lines are known."""
        lone = b if a is None else a
        if lone is None or None not in (a, b):
            return None
        other, lines = self._lines[1 if b is None else 0], lone.features.lines
        files = {file for file, _ in other}
        return sum(other[line] for line in lines) if any(f in files for f, _ in lines) else None

    def _counts(self, match: LoopMatch) -> list[DiffFigure]:
        """The numbers of the launches, where both have one."""
        left, right = self._ranges
        if match.a is None or match.b is None or left is None or right is None:
            return []
        x, y = left[match.a], right[match.b]
        rows = {"iterations_min": Shown("low"), "iterations_max": Shown("high")}
        sides = tuple(Mark.SAMPLED if r.sampled else Mark.EXACT for r in (x, y))
        return compared(rows, x, y, reason=x.reason or y.reason, sides=(sides[0], sides[1]))


def _figures(a: LoopSide | None, b: LoopSide | None) -> list[DiffFigure]:
    """Trips, sizes and registers. Data may end a loop in both builds: these trips are unknown."""
    sides = [("a", a), ("b", b)]
    unknown = [f"{n}: {s.bound.reason}" for n, s in sides if s is not None and s.bound.reason]
    known = [s for _, s in sides if s is not None and not s.bound.reason]
    x, y = (None if s is None else s.features for s in (a, b))
    reason = None if known else "; ".join(unknown)
    is_outer = not all(f is None or f.is_innermost for f in (x, y))
    return [
        *compared(("depth",), x, y),
        *compared(("trips",), x, y, reason=reason),
        *compared(("instructions", *(["own_instructions"] if is_outer else [])), x, y),
        *compared(("accessed_bytes", "live_registers"), x, y),
    ]


def _ranges(job: Job) -> Mapping[int, TripRange] | None:
    if job.launch is None:
        return None
    analysis = job.analysis
    return loop_ranges(job.loaded.module, analysis.structure, job.launch, analysis.bounds)
