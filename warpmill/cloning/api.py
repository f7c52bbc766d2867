"""Clones in a few lines of Python: made, written to a folder, and compared with the original.

::

    made = warpmill.clone("samples/matmul/launch.toml", "matmul-clone", machines="v100")
    there = made.fidelity.machines[0]
    print(there.compared.figure("ipc").difference)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Unpack

from warpmill.analyzer.base.diagnostics import NO_ANSWER, WarpmillError, all_unanswered
from warpmill.cloning.clone import Cloned, Studied, clone_studied, study
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
class WrittenClone:
    """A clone with its files, what it was compared by, and how its reduction was found.

    ``fidelity`` and ``search`` are None where nothing was asked for. ``not_simulated`` are machines
    that the launches do not fit on, with reasons.
    """

    cloned: Cloned
    folder: Folder
    fidelity: Fidelity | None
    search: Search | None
    not_simulated: tuple[tuple[str, str], ...]


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
    fidelity = making.written(cloned, folder, path, check=options.check)
    return WrittenClone(cloned, folder, fidelity, searched, tuple(making.failures.items()))


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
        self.failures: dict[str, str] = {}
        self._known: dict[str, SimResult] = {}

    def searched(self, studied: Studied, options: CloneOptions) -> tuple[Cloned, Search]:
        max_error = MAX_ERROR if options.max_error is None else options.max_error
        machine = self.machines[0]
        original = self._original(studied, machine)
        with self.stage("searching a reduction", False):
            found = search(studied, options, machine, original, max_error=max_error, how=self.how)
        return found.cloned, found.search

    def _original(self, studied: Studied, machine: Machine) -> SimResult:
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
        problems: list[WarpmillError] = []
        for machine in self.machines:
            try:
                found.append(self._on(clone, machine))
            except NO_ANSWER as error:
                problems.append(error)
                self.failures[machine.name] = "; ".join(d.message for d in error.diagnostics)
        if problems and not found:
            raise all_unanswered(problems)
        return Fidelity(profiled, tuple(found))

    def _on(self, clone: ReadBack, machine: Machine) -> FidelityOnMachine:
        original = self._original(clone.cloned.studied, machine)
        with self.stage(f"simulating the clone on {machine.name}", True) as progress:
            result = simulate_clone(clone, machine, self.how, progress)
        return compare_on(clone, machine, original, result)
