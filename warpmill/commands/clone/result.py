"""What ``clone`` answers: what was made of each kernel, and how like the original it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from warpmill.analyzer.base.naming import demangle
from warpmill.cloning.api import WrittenClone
from warpmill.cloning.figures import FidelityFigure, Kind
from warpmill.cloning.search import Search, Trial
from warpmill.commands.simulate.result import NotSimulated
from warpmill.report.base import Id, Mark, Marks, Part, Report, figures, marks

WHOLE = "*"
"""The name of a limit that holds for every figure without one of its own."""


class CloneFigure(Part):
    """A figure of the original and of its clone; null where there is none.

    ``difference`` is a share of the original's where ``kind`` is ratio or size, clone minus
    original where it is share, and the distance of both, from 0 to 1, where it is distance. What a
    size differs by is no error, as clones are to be smaller.
    """

    name: str
    what: str
    kind: Kind
    unit: str
    original: float | None
    clone: float | None
    difference: float | None
    exceeds: bool | None
    """Whether it is beyond its limit; null where there is no limit."""


class ClonedLoop(Part):
    """A loop of the original by its header: mean iterations a run, and those of the clone."""

    loop: str
    block: Id
    original_iterations: float
    clone_iterations: int
    factor: float


class KernelClone(Part):
    """A kernel of the clone, and the launches of the original that it stands for.

    ``reduction`` is the factor that its loops were reduced by, and ``represented`` how many
    executions of the original one of the clone's stands for.
    """

    clone: str
    kernel: str
    demangled: str
    launches: int
    clone_launches: int
    grid: list[int]
    block: list[int]
    reduction: int
    represented: float
    loops: list[ClonedLoop]
    figures: list[CloneFigure]


class CloneOnMachine(Part):
    """What a simulation adds on a machine: of all launches, and by kernel of the clone."""

    machine: str
    figures: list[CloneFigure]
    by_clone: dict[str, list[CloneFigure]]


class LoopFactor(Part):
    """The factor of a loop, by the kernel's name and the block that the loop begins with.

    There are several of a loop where each group of launches of its kernel has its own.
    """

    kernel: str
    block: Id
    factor: int


class TrialFacts(Part):
    """A clone that was simulated: ``factor`` for all loops, or null and ``factors``."""

    factor: int | None
    factors: list[LoopFactor]
    ipc_difference: float
    thread_instructions: int
    inside: bool


class SearchFacts(Part):
    """The search for a reduction. ``met``: the chosen clone's IPC is within ``max_error``.

    ``complete``: it ended by itself, and not because of the limit of simulations.
    """

    machine: str
    max_error: float
    met: bool
    complete: bool
    chosen: TrialFacts
    trials: list[TrialFacts]


class LimitFacts(Part):
    """How far a figure may be off; ``*`` is every figure without a limit of its own."""

    figure: str
    limit: float


class CloneReport(Report):
    """A clone of a target. ``out`` null: it was not written.

    ``figures`` are those of the whole target that no machine is needed for, empty where nothing was
    compared. ``exceeding`` names figures beyond their limits.
    """

    report: Literal["clone"] = "clone"
    target: str
    out: str | None
    files: list[str]
    chip: str
    seed: Id
    reduction: str
    """What was asked for: max, auto, or a factor."""
    kernels: list[KernelClone]
    figures: list[CloneFigure]
    machines: list[CloneOnMachine]
    search: SearchFacts | None
    limits: list[LimitFacts]
    exceeding: list[str]
    not_simulated: list[NotSimulated]
    marks: Marks


def clone_report(
    target: str,
    made: WrittenClone,
    *,
    out: str | None = None,
    reduction: str = "max",
    limits: Mapping[str, float] | None = None,
) -> CloneReport:
    """Report a clone; ``limits`` are by the names of figures, or for all of them."""
    limits = limits or {}
    fidelity = made.fidelity
    whole = [] if fidelity is None else _figures(fidelity.profiled.figures, limits)
    machines = [] if fidelity is None else [
        CloneOnMachine(
            machine=one.machine.name,
            figures=_figures(one.compared.figures, limits),
            by_clone={
                model.name: _figures(own, {})
                for model, own in zip(made.cloned.models, one.compared.groups, strict=True)
            },
        )
        for one in fidelity.machines
    ]  # fmt: skip
    return CloneReport(
        target=target,
        out=out,
        files=list(made.folder.files) if out is not None else [],
        chip=made.cloned.application.module.target,
        seed=made.cloned.models[0].seed,
        reduction=reduction,
        kernels=list(_kernels(made)),
        figures=whole,
        machines=machines,
        search=None if made.search is None else _search(made.search),
        limits=[LimitFacts(figure=name, limit=limit) for name, limit in limits.items()],
        exceeding=[
            *(f.name for f in whole if f.exceeds),
            *(f"{m.machine}: {f.name}" for m in machines for f in m.figures if f.exceeds),
        ],
        not_simulated=[NotSimulated(machine=m, reason=why) for m, why in made.not_simulated],
        marks=_marks(),
    )


def _marks() -> dict[str, Mark]:
    modelled = [key for key in figures(CloneReport) if key.startswith("machines.")]
    modelled += [key for key in figures(CloneReport) if key.endswith("ipc_difference")]
    return marks(
        CloneReport,
        Mark.EXACT,
        **{key.replace(".", "__"): Mark.MODELLED for key in modelled},
    )


def _figures(found: Iterable[FidelityFigure], limits: Mapping[str, float]) -> list[CloneFigure]:
    return [
        CloneFigure(
            name=one.name,
            what=one.what.strip(),
            kind=one.kind,
            unit=one.unit,
            original=one.original,
            clone=None if one.kind == "distance" else one.clone,
            difference=one.difference,
            exceeds=exceeds(one, limits),
        )
        for one in found
    ]


def exceeds(figure: FidelityFigure, limits: Mapping[str, float]) -> bool | None:
    """Say whether a figure is beyond its limit; parts of a mix have the limit of all figures."""
    limit = limits.get(figure.name, limits.get(WHOLE))
    if limit is None or not figure.is_judged:
        return None
    if figure.difference is None:  # beyond any limit where only one of the two has any
        return (figure.original or None) != (figure.clone or None)
    return abs(figure.difference) > limit


def _kernels(made: WrittenClone) -> Iterable[KernelClone]:
    cloned, fidelity = made.cloned, made.fidelity
    studied = cloned.studied
    for number, (model, subject, group) in enumerate(
        zip(cloned.models, studied.subjects, studied.groups, strict=True)
    ):
        kernel = subject.structure.kernel
        yield KernelClone(
            clone=model.name,
            kernel=kernel.name,
            demangled=demangle(kernel.name),
            launches=len(group),
            clone_launches=sum(
                one.repeats for one in cloned.application.launches if one.kernel == model.name
            ),
            grid=list(studied.profiles[group[0]].grid),
            block=list(model.block),
            reduction=model.reduction,
            represented=model.represented,
            loops=[
                ClonedLoop(
                    loop=kernel.blocks[loop.header].label,
                    block=loop.header,
                    original_iterations=loop.original,
                    clone_iterations=loop.iterations,
                    factor=loop.factor,
                )
                for loop in model.loops
            ],
            figures=[] if fidelity is None else _figures(fidelity.profiled.groups[number], {}),
        )


def _search(found: Search) -> SearchFacts:
    return SearchFacts(
        machine=found.machine,
        max_error=found.max_error,
        met=found.met,
        complete=found.complete,
        chosen=_trial(found.chosen, found.max_error),
        trials=_trials(found.trials, found.max_error),
    )


def _trials(trials: Sequence[Trial], max_error: float) -> list[TrialFacts]:
    return [_trial(one, max_error) for one in trials]


def _trial(one: Trial, max_error: float) -> TrialFacts:
    return TrialFacts(
        factor=one.factor,
        factors=[
            LoopFactor(kernel=kernel, block=block, factor=factor)
            for kernel, block, factor in one.factors
        ],
        ipc_difference=one.ipc_error,
        thread_instructions=one.thread_instructions,
        inside=abs(one.ipc_error) <= max_error,
    )
