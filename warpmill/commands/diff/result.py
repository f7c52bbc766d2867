"""Result of ``diff``: the differences between two builds of a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeVar

from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.commands.diff.kernels import kernel_figures, mix_figures
from warpmill.commands.inspect.result import MachineKernel
from warpmill.comparing.accesses import AddressDiff, BufferDiff, address_rows, buffer_rows
from warpmill.comparing.blocks import Terms, accesses_of, common_terms
from warpmill.comparing.figures import DiffFigure, compared
from warpmill.comparing.machine_code import MachineKernels, PairedCode
from warpmill.comparing.paired_loops import LoopDiff, LoopsOfBoth
from warpmill.comparing.runs import LaunchDiff
from warpmill.report.base import Mark, Part, Report
from warpmill.report.facts import KernelIdentity, LaunchFacts, kernel_facts, launch_facts
from warpmill.session.jobs import Job
from warpmill.session.prepare import kernels_beside


class KernelDiff(Part):
    """One kernel in two builds. Its lists hold what differs, or all rows where that is asked for.

    ``figures`` are of the whole kernel, ``classes`` and ``opcodes`` count instructions, ``buffers``
    and ``addresses`` are of memory accesses, ``run`` of the traces of a launch; ``run_reason`` says
    why there are none. ``compared`` has the rows of each list, those that are left out too.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    a: KernelIdentity
    b: KernelIdentity
    launch_a: LaunchFacts | None
    launch_b: LaunchFacts | None
    compared: Mapping[str, int]
    figures: list[DiffFigure]
    classes: list[DiffFigure]
    opcodes: list[DiffFigure]
    loops: list[LoopDiff]
    buffers: list[BufferDiff]
    addresses: list[AddressDiff]
    run: LaunchDiff | None
    run_reason: str | None

    @derived("Equal")
    def equal(self) -> bool:
        """Whether nothing differs."""
        rows = (row for name in LISTS for row in getattr(self, name))
        return all(r.equal is not False for r in rows) and (self.run is None or self.run.equal)


LISTS = ("figures", "classes", "opcodes", "loops", "buffers", "addresses")
"""What is compared of a kernel without a launch."""


class MachineCodeDiff(Part):
    """What a kernel takes in the machine code of two builds, each for a chip."""

    mark: ClassVar[Mark] = Mark.EXACT

    pair: Annotated[MachineKernels, INTERNAL]
    figures: list[DiffFigure]

    @derived("Mangled name")
    def name(self) -> str:
        """The kernel's name as A has it."""
        return self.pair.a[1].name

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name in A, as its author wrote it."""
        return demangle(self.pair.a[1].name)

    @derived("Chip of a")
    def chip_a(self) -> str:
        """The chip that A is for."""
        return f"sm_{self.pair.a[0].chip}"

    @derived("Chip of b")
    def chip_b(self) -> str:
        """The chip that B is for."""
        return f"sm_{self.pair.b[0].chip}"

    @derived("Equal")
    def equal(self) -> bool:
        """Whether nothing differs."""
        return all(row.equal is not False for row in self.figures)


class DiffReport(Report):
    """Two builds of a kernel, or of all kernels that two files have by one name.

    ``rows`` says whether equal rows are left out. ``machine_code`` compares what binaries hold
    beside PTX, or instead. Kernels that only one file has are listed.
    """

    report: Literal["diff"] = "diff"
    a: str
    b: str
    rows: Literal["differing", "all"]
    kernels: list[KernelDiff]
    machine_code: list[MachineCodeDiff]
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]

    @derived("Equal")
    def equal(self) -> bool:
        """Whether nothing differs."""
        same = all(k.equal for k in self.kernels) and all(c.equal for c in self.machine_code)
        return same and not self.only_in_a and not self.only_in_b

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to show."""
        return self.equal and self.rows == "differing"


@dataclass(frozen=True)
class ComparedBuilds:
    """A kernel in two builds, with what ptxas says now, where that is asked for.

    ``launches`` is what the launches do, or why they are not compared.
    """

    a: Job
    b: Job
    ptxas: Sequence[DiffFigure] = ()
    launches: LaunchDiff | str = "no launch was given"

    @property
    def terms(self) -> tuple[Terms, Terms]:
        """The common names of both."""
        x, y = (common_terms(j.loaded.module, j.kernel) for j in (self.a, self.b))
        return x, y


def diff_report(
    names: tuple[str, str],
    pairs: Sequence[ComparedBuilds],
    lone: tuple[Sequence[str], Sequence[str]] = ((), ()),
    code: PairedCode = PairedCode(),  # noqa: B008 - frozen
    *,
    all_rows: bool = False,
) -> DiffReport:
    """Compare kernels pair by pair; ``lone`` are those that only the first or second file has."""
    kernels = map(_kernel, pairs)
    return DiffReport(
        a=names[0],
        b=names[1],
        rows="all" if all_rows else "differing",
        kernels=[kernel if all_rows else _only_differing(kernel) for kernel in kernels],
        machine_code=[_machine_code(pair, all_rows=all_rows) for pair in code.pairs],
        only_in_a=(*lone[0], *code.only_in_a),
        only_in_b=(*lone[1], *code.only_in_b),
    )


_TAKEN = ("registers", "stack_frame_bytes", "shared_bytes", "constant_bytes")
"""Figures of machine code: fields of a ``MachineKernel``."""


def _machine_code(pair: MachineKernels, *, all_rows: bool) -> MachineCodeDiff:
    a, b = (MachineKernel(resources=resources) for _, resources in (pair.a, pair.b))
    rows = [replace(row, reason=_unknown(row)) for row in compared(_TAKEN, a, b)]
    return MachineCodeDiff(pair=pair, figures=rows if all_rows else differing(rows))


def _unknown(row: DiffFigure) -> str | None:
    sides = [name for name, value in (("a", row.a), ("b", row.b)) if value is None]
    return f"{' and '.join(sides)} does not say it" if sides else None


def _kernel(pair: ComparedBuilds) -> KernelDiff:
    a, b = jobs = pair.a, pair.b
    terms, loops = pair.terms, LoopsOfBoth(jobs, pair.terms)
    x, y = map(accesses_of, jobs, terms, loops.counters())
    rows: dict[str, list[Any]] = {
        "figures": kernel_figures(a, b, pair.ptxas),
        "classes": mix_figures("by_class", a, b),
        "opcodes": mix_figures("by_opcode", a, b),
        "loops": loops.rows(),
        "buffers": buffer_rows((x, y)),
        "addresses": address_rows(jobs, (x, y)),
    }
    return KernelDiff(
        a=kernel_facts(a.loaded, a.kernel, kernels_beside(a.loaded)),
        b=kernel_facts(b.loaded, b.kernel, kernels_beside(b.loaded)),
        launch_a=None if a.launch is None else launch_facts(a.launch, a.kernel),
        launch_b=None if b.launch is None else launch_facts(b.launch, b.kernel),
        compared={name: len(each) for name, each in rows.items()},
        run=None if isinstance(pair.launches, str) else pair.launches,
        run_reason=pair.launches if isinstance(pair.launches, str) else None,
        **rows,
    )


class Compared(Protocol):
    """A row of a comparison."""

    @property
    def a(self) -> Any:
        """Value of the first side."""

    @property
    def b(self) -> Any:
        """Value of the second side."""

    @property
    def equal(self) -> bool | None:
        """Whether they are equal; None: unknown."""


ComparedRow = TypeVar("ComparedRow", bound=Compared)


def differing(rows: Iterable[ComparedRow]) -> list[ComparedRow]:
    """Rows without those that are equal, and those of which both sides are unknown."""
    return [r for r in rows if not r.equal and not (r.a is None and r.b is None)]


def _only_differing(kernel: KernelDiff) -> KernelDiff:
    """A comparison without the rows that are equal."""
    rows: dict[str, Any] = {name: differing(getattr(kernel, name)) for name in LISTS}
    rows["loops"] = [replace(loop, figures=differing(loop.figures)) for loop in rows["loops"]]
    run = kernel.run
    if run is not None:
        names = ("figures", "classes", "accesses")
        shown: dict[str, Any] = {name: differing(getattr(run, name)) for name in names}
        run = replace(run, **shown)
    return replace(kernel, run=run, **rows)
