"""The loops of two builds of a kernel, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange, loop_ranges
from warpmill.commands.diff.figures import DiffFigure, figure
from warpmill.comparing.blocks import Counters, Terms
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
from warpmill.report.base import Mark, Marks, Part, marks
from warpmill.report.facts import SourcePlace, block_place
from warpmill.session.jobs import Job


class LoopSide(Part):
    """A loop in one build; its name is its header's label."""

    name: str
    place: SourcePlace | None


class LoopDiff(Part):
    """A loop of both builds, or of one where the other side is null.

    ``matched_by``: source line, or structure (nesting, trip count, buffers). ``like`` is the loop
    of the other build that a lone one resembles, and which has another partner. ``iterations_of_a``
    are those that one iteration of B does, by bytes and steps of addresses, or trip counts; null
    where these do not agree. ``elsewhere`` counts the other build's instructions of a lone loop's
    source lines. Trip counts among ``figures`` are in common terms: parameters by place, counters
    by depth.
    """

    a: LoopSide | None
    b: LoopSide | None
    matched_by: str | None
    like: str | None
    elsewhere: int | None
    iterations_of_a: float | None
    figures: list[DiffFigure]
    equal: bool
    marks: Marks


class LoopsOfBoth:
    """The loops of two builds, paired."""

    def __init__(self, jobs: tuple[Job, Job], terms: tuple[Terms, Terms]) -> None:
        self._jobs = jobs
        self._features = (loop_features(jobs[0], terms[0]), loop_features(jobs[1], terms[1]))
        self._matches = match_loops(*self._features)
        self._ranges = (_ranges(jobs[0]), _ranges(jobs[1]))
        self._lines = (instructions_by_line(jobs[0].kernel), instructions_by_line(jobs[1].kernel))

    def counters(self) -> tuple[Counters, Counters]:
        """Name the counters of loops that are the same alike, ``i1``, and say how far they run."""
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
        """Compare each pair, and show what is lone, those of A first."""
        return [self._row(match) for match in self._matches]

    def _row(self, match: LoopMatch) -> LoopDiff:
        figures = self._figures(match)
        is_pair = match.a is not None and match.b is not None
        return LoopDiff(
            a=self._side(0, match.a),
            b=self._side(1, match.b),
            matched_by=match.by or None,
            like=self._name(1 if match.b is None else 0, match.like),
            elsewhere=self._elsewhere(match),
            iterations_of_a=self._iterations(match),
            figures=figures,
            equal=is_pair and all(f.equal is not False for f in figures),
            marks=marks(LoopDiff, Mark.EXACT),
        )

    def _side(self, build: int, loop: int | None) -> LoopSide | None:
        if loop is None:
            return None
        job = self._jobs[build]
        header = job.analysis.structure.loops.loops[loop].header
        place = block_place(job.loaded, job.kernel.blocks[header])
        return LoopSide(name=self._name(build, loop) or "", place=place)

    def _name(self, build: int, loop: int | None) -> str | None:
        if loop is None:
            return None
        job = self._jobs[build]
        return job.kernel.blocks[job.analysis.structure.loops.loops[loop].header].label

    def _elsewhere(self, match: LoopMatch) -> int | None:
        """Count the other build's instructions of a lone loop's lines, where lines are known."""
        if match.a is not None and match.b is not None:
            return None
        own, other = (0, 1) if match.b is None else (1, 0)
        loop = match.a if match.b is None else match.b
        assert loop is not None
        lines = self._features[own][loop].lines
        files = {file for file, _ in self._lines[other]}
        if not any(file in files for file, _ in lines):
            return None
        return sum(self._lines[other][line] for line in lines)

    def _iterations(self, match: LoopMatch) -> float | None:
        if match.a is None or match.b is None:
            return None
        ratio = iterations_ratio(self._features[0][match.a], self._features[1][match.b])
        return None if ratio is None else float(ratio)

    def _figures(self, match: LoopMatch) -> list[DiffFigure]:
        x = None if match.a is None else self._features[0][match.a]
        y = None if match.b is None else self._features[1][match.b]
        sizes = [
            figure(key, _value(x, key), _value(y, key), unit, mark_a=mark, mark_b=mark)
            for key, unit, mark in _SIZES
            if key != "own_instructions" or not all(f is None or f.is_innermost for f in (x, y))
        ]
        return [sizes[0], self._trips(match, x, y), *self._counts(match), *sizes[1:]]

    def _trips(
        self, match: LoopMatch, x: LoopFeatures | None, y: LoopFeatures | None
    ) -> DiffFigure:
        found = [
            f"{name}: {bound.reason}"
            for name, job, loop in zip("ab", self._jobs, (match.a, match.b), strict=True)
            if loop is not None
            and isinstance(bound := job.analysis.bounds[loop].trips, UnknownTrips)
        ]
        a, b = (None if f is None else f.trips or None for f in (x, y))
        is_silent = len(found) == 2 or (found and None in (x, y))
        row = figure("trips", a, b, "iterations", reason="; ".join(found) or None)
        return row if is_silent or not found else replace(row, equal=False)

    def _counts(self, match: LoopMatch) -> list[DiffFigure]:
        """Compare the numbers of the launches, where both have one."""
        if None in (match.a, match.b) or None in self._ranges:
            return []
        x, y = (
            (ranges or {})[loop]
            for ranges, loop in zip(self._ranges, (match.a, match.b), strict=True)
            if loop is not None
        )
        signs = [Mark.SAMPLED if r.sampled else Mark.EXACT for r in (x, y)]
        reason = x.reason or y.reason
        return [
            figure(key, a, b, "iterations", reason=reason, mark_a=signs[0], mark_b=signs[1])
            for key, a, b in (
                ("iterations_min", x.low, y.low),
                ("iterations_max", x.high, y.high),
            )
        ]


_SIZES = (
    ("depth", "", Mark.EXACT),
    ("instructions", "instructions", Mark.EXACT),
    ("own_instructions", "instructions", Mark.EXACT),
    ("accessed_bytes", "bytes a thread and iteration", Mark.EXACT),
    ("live_registers", "registers a thread", Mark.MODELLED),
)
"""Key, unit and mark. Own instructions are those that are in no inner loop; accessed bytes are the
widths of all accesses in it, those of inner loops once; live are 32-bit registers at its header."""


def _value(loop: LoopFeatures | None, key: str) -> int | None:
    if loop is None:
        return None
    if key != "accessed_bytes":
        value: int = getattr(loop, key)
        return value
    widths = [width for _, width in loop.bytes]
    return None if None in widths else sum(w for w in widths if w is not None)


def _ranges(job: Job) -> Mapping[int, TripRange] | None:
    if job.launch is None:
        return None
    analysis = job.analysis
    return loop_ranges(job.loaded.module, analysis.structure, job.launch, analysis.bounds)
