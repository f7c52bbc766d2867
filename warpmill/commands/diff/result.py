"""What ``diff`` answers: what became of a kernel between two builds of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from warpmill.commands.diff.accesses import AddressDiff, BufferDiff, address_rows, buffer_rows
from warpmill.commands.diff.figures import DiffFigure, differing, kernel_figures, side_by_side
from warpmill.commands.diff.launch import LaunchDiff
from warpmill.commands.diff.loops import LoopDiff, LoopsOfBoth
from warpmill.comparing.blocks import Terms, accesses_of, common_terms
from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.report.facts import KernelIdentity, LaunchFacts, kernel_facts, launch_facts
from warpmill.session.jobs import Job
from warpmill.session.prepare import kernels_beside


class RowCounts(Part):
    """How many rows of each list were compared, those that are equal and left out too."""

    figures: int
    classes: int
    opcodes: int
    loops: int
    buffers: int
    addresses: int


class KernelDiff(Part):
    """One kernel in two builds. Its lists hold what differs, or all rows where that is asked for.

    ``figures`` are of the whole kernel, ``classes`` and ``opcodes`` count instructions, ``buffers``
    and ``addresses`` are of memory accesses, ``run`` of the traces of a launch; ``run_reason`` says
    why there are none.
    """

    a: KernelIdentity
    b: KernelIdentity
    launch_a: LaunchFacts | None
    launch_b: LaunchFacts | None
    equal: bool
    compared: RowCounts
    figures: list[DiffFigure]
    classes: list[DiffFigure]
    opcodes: list[DiffFigure]
    loops: list[LoopDiff]
    buffers: list[BufferDiff]
    addresses: list[AddressDiff]
    run: LaunchDiff | None
    run_reason: str | None
    marks: Marks


class DiffReport(Report):
    """Two builds of a kernel, or of all kernels that two files have by one name.

    ``rows`` says whether equal rows are left out. Kernels that only one file has are listed.
    """

    report: Literal["diff"] = "diff"
    a: str
    b: str
    rows: Literal["differing", "all"]
    equal: bool
    kernels: list[KernelDiff]
    only_in_a: list[str]
    only_in_b: list[str]

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to show."""
        return self.equal and self.rows == "differing"


@dataclass(frozen=True)
class ComparedBuilds:
    """A kernel in two builds, with what ptxas says now and what the launches do, where asked."""

    a: Job
    b: Job
    ptxas: tuple[DiffFigure, ...] = ()
    run: LaunchDiff | None = None
    run_reason: str | None = "no launch was given"

    @property
    def terms(self) -> tuple[Terms, Terms]:
        """The common names of both."""
        x, y = (common_terms(j.loaded.module, j.kernel) for j in (self.a, self.b))
        return x, y


def diff_report(
    names: tuple[str, str],
    pairs: Sequence[ComparedBuilds],
    lone: tuple[Sequence[str], Sequence[str]] = ((), ()),
    *,
    all_rows: bool = False,
) -> DiffReport:
    """Compare kernels pair by pair; ``lone`` are those that only the first or second file has."""
    kernels = [_kernel(pair, all_rows=all_rows) for pair in pairs]
    return DiffReport(
        a=names[0],
        b=names[1],
        rows="all" if all_rows else "differing",
        equal=all(k.equal for k in kernels) and not lone[0] and not lone[1],
        kernels=kernels,
        only_in_a=list(lone[0]),
        only_in_b=list(lone[1]),
    )


def _kernel(pair: ComparedBuilds, *, all_rows: bool) -> KernelDiff:
    a, b = pair.a, pair.b
    rows = _compared(pair)
    equal = rows.equal and (pair.run is None or pair.run.equal)
    shown = rows if all_rows else rows.differing()
    run = pair.run if pair.run is None or all_rows else pair.run.differing()
    return KernelDiff(
        a=kernel_facts(a.loaded, a.kernel, kernels_beside(a.loaded)),
        b=kernel_facts(b.loaded, b.kernel, kernels_beside(b.loaded)),
        launch_a=None if a.launch is None else launch_facts(a.launch, a.kernel),
        launch_b=None if b.launch is None else launch_facts(b.launch, b.kernel),
        equal=equal,
        compared=rows.counts(),
        **vars(shown),
        run=run,
        run_reason=None if run is not None else pair.run_reason,
        marks=marks(KernelDiff, Mark.EXACT),
    )


@dataclass(frozen=True)
class _Rows:
    """All that is compared without a launch."""

    figures: list[DiffFigure]
    classes: list[DiffFigure]
    opcodes: list[DiffFigure]
    loops: list[LoopDiff]
    buffers: list[BufferDiff]
    addresses: list[AddressDiff]

    @property
    def equal(self) -> bool:
        return all(row.equal is not False for each in vars(self).values() for row in each)

    def counts(self) -> RowCounts:
        return RowCounts(**{name: len(each) for name, each in vars(self).items()})

    def differing(self) -> _Rows:
        loops = [
            replace(loop, figures=differing(loop.figures)) for loop in self.loops if not loop.equal
        ]
        return _Rows(
            differing(self.figures),
            differing(self.classes),
            differing(self.opcodes),
            loops,
            [buffer for buffer in self.buffers if not buffer.equal],
            [address for address in self.addresses if not address.equal],
        )


def _compared(pair: ComparedBuilds) -> _Rows:
    jobs, terms = (pair.a, pair.b), pair.terms
    mixes = (pair.a.analysis.mix, pair.b.analysis.mix)
    loops = LoopsOfBoth(jobs, terms)
    counters = loops.counters()
    both = (
        accesses_of(jobs[0], terms[0], counters[0]),
        accesses_of(jobs[1], terms[1], counters[1]),
    )
    return _Rows(
        kernel_figures(*jobs, pair.ptxas),
        side_by_side(dict(mixes[0].by_class), dict(mixes[1].by_class), "instructions"),
        side_by_side(dict(mixes[0].by_opcode), dict(mixes[1].by_opcode), "instructions"),
        loops.rows(),
        buffer_rows(both),
        address_rows(jobs, both),
    )
