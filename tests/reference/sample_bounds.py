"""The samples' loops as bounds have them, entry by entry beside what the source does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.reference.loop_nests import Entry, SampleLoops, SourceLoop, value
from tests.reference.sample_jobs import executed, sample_loops, source_of
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, LoopBound, SymbolicTrips
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, evaluate
from warpmill.analyzer.launch.model import ScalarArgument
from warpmill.session.jobs import Job

MOST_COMPARED = 100
"""Entries of one loop by one thread whose trip counts are compared with a formula."""


# ---------------------------------------------------------------- loops of kernel and source


def expected_loops(sample: SampleLoops, kernel: str, door: str) -> dict[int, SourceLoop]:
    """The loops, by number, that a compiler leaves loops of."""
    return {i: loop for i, loop in sample.of(kernel).items() if door not in loop.unrolled}


def line_of(job: Job, block: int) -> int | None:
    """The source's line of a block's branch, where a line table tells it."""
    last = job.kernel.blocks[block].terminator
    return last.debug.line if last is not None and last.debug is not None else None


def matched(job: Job, artefact: Path, expected: Mapping[int, SourceLoop]) -> dict[int, LoopBound]:
    """Join the kernel's loops to those of the source, by number: by line, then depth and order.

    Loops that find no partner are left out.
    """
    sample, suffix = sample_loops(artefact.parent), source_of(artefact)[1]
    forest = job.analysis.structure.loops.loops
    pairs: dict[int, LoopBound] = {}
    left = dict(expected)
    for bound in sorted(job.analysis.bounds, key=lambda b: (forest[b.loop].depth, b.header)):
        lines = {line_of(job, exit_.source) for exit_ in bound.exits}
        fits = (
            i
            for i, loop in left.items()
            if (loop.line[suffix] in lines or lines == {None})
            and len(sample.around(i)) + 1 == forest[bound.loop].depth
        )
        number = next(fits, None)
        if number is not None:
            pairs[number] = bound
            del left[number]
    return pairs


def partners(job: Job, artefact: Path) -> dict[int, list[LoopBound]]:
    """Join a kernel's loops to those of the source by lines, else by depth; there may be several.

    Unrolling leaves no loop, or two. A loop without a line is joined by its depth alone; one whose
    line several have goes to the nearest inside of what its own outer loop was joined to.
    """
    sample, suffix = sample_loops(artefact.parent), source_of(artefact)[1]
    own, forest = sample.of(job.kernel.name), job.analysis.structure.loops.loops
    found: dict[int, list[LoopBound]] = {i: [] for i in own}
    source: dict[int, int] = {}
    for bound in sorted(job.analysis.bounds, key=lambda b: (forest[b.loop].depth, b.header)):
        lines = {line_of(job, exit_.source) for exit_ in bound.exits}
        parent = forest[bound.loop].parent
        outer = None if parent is None else source.get(parent)
        fits = [
            (len(sample.around(i)), len(found[i]), i)
            for i, loop in own.items()
            if (loop.line[suffix] in lines or _is_at(sample, i, lines, forest[bound.loop].depth))
            and (outer is None or outer in sample.around(i))
        ]
        if fits:
            source[bound.loop] = min(fits)[-1]
            found[min(fits)[-1]].append(bound)
    return found


def _is_at(sample: SampleLoops, loop: int, lines: set[int | None], depth: int) -> bool:
    return lines == {None} and len(sample.around(loop)) + 1 == depth


# ---------------------------------------------------------------- trip counts


def trips_at(job: Job, bound: LoopBound, around: Sequence[int], entry: Entry) -> int | None:
    """Compute a loop's trip count for one entry; None where that is not enough.

    ``around`` are the ids of the loops around, outermost first.
    """
    if isinstance(bound.trips, KnownTrips):
        return bound.trips.count
    if not isinstance(bound.trips, SymbolicTrips):
        return None
    values: dict[Atom, int] = {}
    for atom in bound.trips.formula.atoms:
        if atom.kind is AtomKind.ARGUMENT:
            argument = job.required_launch().arguments[atom.key]
            if isinstance(argument, ScalarArgument) and isinstance(argument.value, int):
                values[atom] = argument.value
        elif atom.kind is AtomKind.COUNTER and atom.key in around:
            values[atom] = entry.iterations[around.index(atom.key)]
        elif atom.kind is AtomKind.SPECIAL and _triple(atom) in entry.environment:
            values[atom] = value(atom.name, entry.environment)
    return evaluate(bound.trips.formula, values)


def _triple(atom: Atom) -> str:
    """The triple that a special register belongs to: ``tid`` of ``tid.x``."""
    return atom.name.partition(".")[0]


@dataclass(frozen=True)
class Compared:
    """An entry of a loop: the thread and where it was then, its trips and what a bound gives."""

    thread: int
    iterations: tuple[int, ...]
    trips: int
    found: int | None


def compared(
    job: Job, artefact: Path, number: int, loop: int, pairs: Mapping[int, LoopBound]
) -> Iterator[Compared]:
    """Compare a loop's bound with its entries in a launch.

    ``pairs`` are the bounds of this loop and those around, by the source's numbers. A loop that is
    tested at its bottom is not entered for no trip.
    """
    bound = pairs[loop]
    outer = sample_loops(artefact.parent).around(loop)
    around = [pairs[i].loop if i in pairs else -1 for i in outer]
    for thread, entered in executed(artefact.parent, number):
        own = [e for e in entered if e.loop == loop and (e.trips or not bound.bottom_tested)]
        for entry in _chosen(own):
            found = trips_at(job, bound, around, entry)
            yield Compared(thread.index, entry.iterations, entry.trips, found)


def _chosen(own: Sequence[Entry]) -> Iterator[Entry]:
    """Choose entries of a thread evenly; of least and most trips there is one at least."""
    yield from own[:: len(own) // MOST_COMPARED + 1]
    if len(own) > MOST_COMPARED:
        yield min(own, key=lambda entry: entry.trips)
        yield max(own, key=lambda entry: entry.trips)
