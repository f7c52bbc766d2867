"""The samples' triangular loops: are static traces and bounds what was derived by hand?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.reference.sample_bounds import compared, expected_loops, matched
from tests.reference.sample_jobs import (
    FOLDERS,
    artefacts_of,
    door_of,
    job_of,
    launches_of,
    sample_loops,
    source_of,
)
from tests.reference.sample_traces import traced_bodies
from warpmill.session.jobs import Job


@dataclass(frozen=True)
class TriangularRow:
    """A triangular loop of one artefact: how often CTA 0 executes its body, by hand and traced.

    Bodies that share a line are counted together. ``formula_exact`` tells whether the bound gives
    the trips of every entry that is compared; None where bounds are not compared, as compilers
    that unroll leave other loops. ``exact``: both, as far as they are there.
    """

    sample: str
    kernel: str
    counter: str
    line: int
    artefact: str
    expected: int
    found: int
    formula_exact: bool | None
    exact: bool


@dataclass(frozen=True)
class _Case:
    """One launch of one artefact whose kernel has triangular loops."""

    artefact: Path
    number: int
    loops: tuple[int, ...]


QUICK = frozenset({"cuda", "nvcc"})
"""Doors that are enough for a quick look: clang's and nvcc's of CUDA."""


def triangular_exact(
    quick: bool,
    progress: Callable[[str], None] | None = None,
    folders: Sequence[Path] = FOLDERS,
) -> tuple[TriangularRow, ...]:
    """Compare the triangular loops of the samples with what was derived by hand.

    A row for every such loop and every artefact of its sample that has line tables, or whose body
    is shown by operations that nothing else executes. ``quick``: of one LLVM module and in
    CUDA only. ``progress`` is told each artefact and launch before its traces are made.
    """
    rows: list[TriangularRow] = []
    for case in _triangular_cases(quick, folders):
        if progress is not None:
            launch = launches_of(case.artefact.parent)[case.number]
            progress(f"{case.artefact.name} {launch.name}")
        rows += _rows(case)
    return tuple(rows)


def _triangular_cases(quick: bool, folders: Sequence[Path]) -> Iterator[_Case]:
    for folder in folders:
        sample = sample_loops(folder)
        chosen = artefacts_of(folder, {".bc", ".ptx"}) if quick else artefacts_of(folder)
        for artefact in chosen:
            if quick and (door_of(artefact) not in QUICK or ".clang." in artefact.name):
                continue
            for number, launch in enumerate(launches_of(folder)):
                loops = sample.of(launch.kernel or "").items()
                triangular = tuple(i for i, loop in loops if loop.triangular)
                if triangular:
                    yield _Case(artefact, number, triangular)


def _rows(case: _Case) -> Iterator[TriangularRow]:
    job, sample = job_of(case.artefact, case.number), sample_loops(case.artefact.parent)
    has_lines = any(i.debug is not None for b in job.kernel.blocks for i in b.instructions)
    traced = {i: body for body in traced_bodies(case.artefact, case.number) for i in body.loops}
    suffix = source_of(case.artefact)[1]
    for i in case.loops:
        loop, body = sample.loops[i], traced[i]
        if not has_lines and not body.is_shown:
            continue
        formula = _formula_exact(job, case, i)
        yield TriangularRow(
            case.artefact.parent.name,
            job.kernel.name,
            loop.counter,
            loop.line[suffix],
            case.artefact.name,
            body.expected,
            body.found,
            formula,
            body.is_exact and formula is not False,
        )


def _formula_exact(job: Job, case: _Case, loop: int) -> bool | None:
    if case.artefact.suffix != ".bc":
        return None
    sample = sample_loops(case.artefact.parent)
    expected = expected_loops(sample, job.kernel.name, door_of(case.artefact))
    pairs = matched(job, case.artefact, expected)
    if loop not in expected:
        return None
    if loop not in pairs or pairs[loop].at_most:
        return False
    entries = list(compared(job, case.artefact, case.number, loop, pairs))
    return bool(entries) and all(entry.found == entry.trips for entry in entries)
