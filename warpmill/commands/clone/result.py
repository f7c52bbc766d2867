"""What ``clone`` answers: what was made of each kernel, and how like the original it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.cloning.api import WrittenClone
from warpmill.cloning.fidelity import Fidelity
from warpmill.cloning.search import Search
from warpmill.codegen.model import CloneModel
from warpmill.report.base import Part, Report
from warpmill.report.facts import NotSimulated


class KernelClone(Part):
    """A kernel of the clone, and the launches of the original that it stands for.

    ``grid`` is that of the original's first such launch. ``loop_labels`` are those of the blocks
    that the loops of ``model`` begin with, in the original.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    kernel: str
    launches: Annotated[int, Metric("Launches")]
    clone_launches: Annotated[int, Metric("Launches of the clone")]
    grid: tuple[int, int, int]
    model: CloneModel
    loop_labels: list[str]

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its source has it."""
        return demangle(self.kernel)


class CloneReport(Report):
    """A clone of a target. ``out`` null: it was not written.

    ``fidelity`` null: nothing was compared; its ``groups`` stand in the order of ``kernels``.
    ``limits`` say how far figures may be off, by name; ``*`` is of every figure without one of its
    own. ``exceeding`` names figures beyond their limits.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["clone"] = "clone"
    target: str
    out: str | None
    files: list[str]
    chip: str
    reduction: str
    """What was asked for: max, auto, or a factor."""
    kernels: list[KernelClone]
    fidelity: Fidelity | None
    search: Search | None
    limits: Mapping[str, float]
    exceeding: list[str]
    not_simulated: list[NotSimulated]


def clone_report(
    target: str,
    made: WrittenClone,
    *,
    out: str | None = None,
    reduction: str = "max",
    limits: Mapping[str, float] | None = None,
) -> CloneReport:
    """The report of a clone; ``limits`` are by the names of figures, or for all of them."""
    limits = limits or {}
    fidelity = None if made.fidelity is None else made.fidelity.limited(limits)
    exceeding = () if fidelity is None else (f for f in fidelity.figures if f[1].exceeds)
    return CloneReport(
        target=target,
        out=out,
        files=list(made.folder.files) if out is not None else [],
        chip=made.cloned.application.module.target,
        reduction=reduction,
        kernels=list(_kernels(made)),
        fidelity=fidelity,
        search=made.search,
        limits=limits,
        exceeding=[f.name if on is None else f"{on}: {f.name}" for on, f in exceeding],
        not_simulated=[NotSimulated(machine=m, reason=why) for m, why in made.not_simulated],
    )


def _kernels(made: WrittenClone) -> Iterator[KernelClone]:
    cloned = made.cloned
    studied, launches = cloned.studied, cloned.application.launches
    for model, subject, group in zip(cloned.models, studied.subjects, studied.groups, strict=True):
        blocks = subject.structure.kernel.blocks
        yield KernelClone(
            kernel=subject.structure.kernel.name,
            launches=len(group),
            clone_launches=sum(one.repeats for one in launches if one.kernel == model.name),
            grid=studied.profiles[group[0]].grid,
            model=model,
            loop_labels=[blocks[loop.header].label for loop in model.loops],
        )
