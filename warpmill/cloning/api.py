"""Clones in a few lines of Python: made, written to a folder, and compared with the original.

::

    made = warpmill.clone("samples/matmul/launch.toml", "matmul-clone", machines="v100")
    there = made.fidelity.machines[0]
    print(there.compared.figure("ipc").difference)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Unpack

from warpmill.analyzer.base.diagnostics import NO_ANSWER, WarpmillError, all_unanswered
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.profile.counts import Profile
from warpmill.cloning.clone import Cloned, ProfiledTarget, clone_studied, study
from warpmill.cloning.fidelity import (
    Fidelity,
    FidelityOnMachine,
    ReadBack,
    compare_on,
    compare_profiles,
    read_back,
    simulate_clone,
    simulate_original,
)
from warpmill.cloning.files import Folder, beside, check_folder, folder_of, put
from warpmill.cloning.options import MAX_ERROR, CloneOptions
from warpmill.cloning.search import Search, search
from warpmill.codegen.model import CloneModel
from warpmill.report.base import Report
from warpmill.report.facts import NotSimulated, not_simulated
from warpmill.session.jobs import is_application
from warpmill.session.options import (
    LaunchKeywords,
    LaunchOptions,
    SimulationSetup,
    launch_with,
)
from warpmill.session.simulations import Done
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

DEFAULT_MACHINE = "v100"

Stage = Callable[[str, bool], AbstractContextManager[Callable[[Done], None] | None]]
"""Context of a stage, by its words and whether it simulates; its callback for progress."""


@dataclass(frozen=True)
class KernelClone:
    """A kernel of the clone, and the launches of the original that it stands for."""

    mark: ClassVar[Mark] = Mark.EXACT

    model: CloneModel
    original: Annotated[Kernel, INTERNAL]
    first: Annotated[Profile, INTERNAL]
    launches: Annotated[int, Metric("Launches")]
    clone_launches: Annotated[int, Metric("Launches of the clone")]

    @derived("Mangled name")
    def kernel(self) -> str:
        """The original's name as its file has it."""
        return self.original.name

    @derived("Kernel")
    def demangled(self) -> str:
        """The original's name as its source has it."""
        return demangle(self.original.name)

    @derived("Grid")
    def grid(self) -> tuple[int, int, int]:
        """The grid of the original's first such launch."""
        return self.first.grid

    @derived("Loops")
    def loop_labels(self) -> tuple[str, ...]:
        """The labels of the blocks that the loops of ``model`` begin with, in the original."""
        return tuple(self.original.blocks[loop.header].label for loop in self.model.loops)


class WrittenClone(Report):
    """A clone with its files, what it was compared by, and how its reduction was found.

    ``fidelity`` and ``search`` are None where nothing was asked for; ``groups`` of ``fidelity``
    stand in the order of ``kernels``. ``not_simulated`` are machines that the launches do not fit
    on. ``limits`` say how far figures may be off, by name; ``*`` is of every figure without one of
    its own. ``out`` None: it was not written.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["clone"] = "clone"
    cloned: Annotated[Cloned, INTERNAL]
    folder: Annotated[Folder, INTERNAL]
    options: Annotated[CloneOptions, INTERNAL]
    out: Annotated[Path | None, Metric("Written to")]
    fidelity: Fidelity | None
    search: Search | None
    not_simulated: tuple[NotSimulated, ...]
    limits: Annotated[Mapping[str, float], Metric("Limits", "%")] = field(default_factory=dict)

    @derived("Target")
    def target(self) -> str:
        """Target of the clone."""
        return self.cloned.studied.title

    @derived("Files")
    def files(self) -> tuple[str, ...]:
        """The files that were written."""
        return () if self.out is None else tuple(self.folder.files)

    @derived("Chip")
    def chip(self) -> str:
        """Chip of the files."""
        return self.cloned.application.module.target

    @derived("Reduction")
    def reduction(self) -> str:
        """Requested reduction: max, auto, or a factor."""
        return str(self.options.reduction)

    @derived("Kernels")
    def kernels(self) -> tuple[KernelClone, ...]:
        """The kernels of the clone."""
        studied, launches = self.cloned.studied, self.cloned.application.launches
        kinds = zip(self.cloned.models, studied.subjects, studied.groups, strict=True)
        return tuple(
            KernelClone(
                model,
                subject.structure.kernel,
                studied.profiles[group[0]],
                len(group),
                sum(one.repeats for one in launches if one.kernel == model.name),
            )
            for model, subject, group in kinds
        )

    @derived("Beyond the limit")
    def exceeding(self) -> tuple[str, ...]:
        """The figures of the whole that are beyond their limits."""
        found = () if self.fidelity is None else self.fidelity.figures
        return tuple(f.name if on is None else f"{on}: {f.name}" for on, f in found if f.exceeds)

    def limited(self, limits: Mapping[str, float]) -> WrittenClone:
        """It with limits of figures by their names."""
        fidelity = None if self.fidelity is None else self.fidelity.limited(limits)
        return replace(self, limits=limits, fidelity=fidelity)


def clone(
    target: str | Path,
    out: str | Path | None = None,
    options: CloneOptions | None = None,
    *,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    machines: str | Machine | Sequence[str | Machine] = DEFAULT_MACHINE,
    simulation: SimulationSetup | None = None,
    stage: Stage | None = None,
    **keywords: Unpack[LaunchKeywords],
) -> WrittenClone:
    """Clone a target, write the clone to a new folder ``out``, and compare both on machines.

    A reduction is searched on the first machine. The registers of ``simulation`` are those of the
    original's threads. UsageError, InputError and LimitError, before anything is written.
    """
    options, setup = options or CloneOptions(), simulation or SimulationSetup()
    path = None if out is None else Path(out)
    if path is not None:
        check_folder(path, force=options.force)
    named = (machines,) if isinstance(machines, str | Machine) else tuple(machines)
    on = [m if isinstance(m, Machine) else load_machine(m) for m in named]
    making = _Making(on, setup, stage or _quiet)
    with making.stage(f"studying {target}", False):
        studied = study(target, kernel, launch_with(launch or launches_of(target), keywords))
    if options.reduction == "auto":
        cloned, searched = making.searched(studied, options)
    else:
        cloned, searched = clone_studied(studied, options), None
    folder = folder_of(cloned, setup.registers.registers)
    fidelity = making.written(cloned, folder, path, check=options.compare)
    return WrittenClone(
        cloned=cloned,
        folder=folder,
        options=options,
        out=path,
        fidelity=fidelity,
        search=searched,
        not_simulated=not_simulated(making.failures),
    )


def launches_of(target: str | Path, options: LaunchOptions | None = None) -> LaunchOptions:
    """Choose all launches of a target; what else the options say is kept."""
    every: Literal["all", "largest"] = "all" if is_application(target) else "largest"
    return replace(options or LaunchOptions(), launches=every)


@contextmanager
def _quiet(_what: str, _simulating: bool) -> Iterator[None]:
    with nullcontext():
        yield None


class _Making:
    """Simulates originals once a machine, and remembers machines that launches do not fit on."""

    def __init__(self, machines: Sequence[Machine], how: SimulationSetup, stage: Stage) -> None:
        self.machines, self.how, self.stage = machines, how, stage
        self.failures: dict[str, WarpmillError] = {}
        self._known: dict[str, SimResult] = {}

    def searched(self, studied: ProfiledTarget, options: CloneOptions) -> tuple[Cloned, Search]:
        max_error = MAX_ERROR if options.max_error is None else options.max_error
        machine = self.machines[0]
        original = self._original(studied, machine)
        with self.stage("searching a reduction", False):
            found = search(studied, options, machine, original, max_error=max_error, how=self.how)
        return found.cloned, found.search

    def _original(self, studied: ProfiledTarget, machine: Machine) -> SimResult:
        if machine.name not in self._known:
            with self.stage(f"simulating {studied.title} on {machine.name}", True) as progress:
                self._known[machine.name] = simulate_original(studied, machine, self.how, progress)
        return self._known[machine.name]

    def written(
        self, cloned: Cloned, folder: Folder, path: Path | None, *, check: bool
    ) -> Fidelity | None:
        """Write a clone, compare what its files say, and then let it be seen."""
        if path is None and not check:
            return None
        with beside(path) as unfinished:
            folder.write(unfinished)
            fidelity = self._fidelity(read_back(cloned, unfinished)) if check else None
            if path is not None:
                put(unfinished, path)
        return fidelity

    def _fidelity(self, clone: ReadBack) -> Fidelity:
        with self.stage("profiling the clone", False):
            profiled = compare_profiles(clone)
        found: list[FidelityOnMachine] = []
        for machine in self.machines:
            try:
                found.append(self._on(clone, machine))
            except NO_ANSWER as error:
                self.failures[machine.name] = error
        if self.failures and not found:
            raise all_unanswered(list(self.failures.values()))
        return Fidelity(profiled, tuple(found))

    def _on(self, clone: ReadBack, machine: Machine) -> FidelityOnMachine:
        original = self._original(clone.cloned.studied, machine)
        with self.stage(f"simulating the clone on {machine.name}", True) as progress:
            result = simulate_clone(clone, machine, self.how, progress)
        return compare_on(clone, machine, original, result)
