"""Machine that stands for a GPU, by the name that people and drivers have for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.whole_files import is_file
from warpmill.simulator.machines import Machine, load_machine
from warpmill.simulator.machines.files import (
    KnownMachine,
    alike,
    fitting,
    machine_names,
    packaged_file,
)
from warpmill.simulator.machines.schema import Scalar


@dataclass(frozen=True)
class MachineChoice:
    """The machine that stands for a GPU; ``machine_name`` is the product of a packaged one.

    ``guessed``: it was found by the name of the product.
    """

    gpu: str
    machine: str
    machine_name: str | None
    guessed: bool


@dataclass(frozen=True)
class MachineChoices:
    """Choices of the user for machines.

    ``every`` is that of all rows, ``otherwise`` only of those of which no column says it; ``named``
    has machines by the names that the table has for GPUs.
    """

    every: str | None = None
    named: Mapping[str, str] = field(default_factory=dict)
    otherwise: str | None = None

    @property
    def without_column(self) -> str | None:
        """The machine of rows of which no column says it."""
        return self.every if self.every is not None else self.otherwise


def find_machine(
    gpu: str, named: Mapping[str, str] | None = None, folder: Path | None = None
) -> MachineChoice:
    """Find the machine for a GPU: as ``named`` says, by a machine's name or file, by its product.

    ``NVIDIA A100-SXM4-40GB`` is a100: all words of the one name are in the other, brands aside,
    and what only one has is a size or a kind of memory or a form that the other does not name.
    Files are looked for in ``folder`` first. UsageError, with machines that are like it, where
    none or several fit.
    """
    chosen = (named or {}).get(gpu)
    if chosen is not None:
        return MachineChoice(gpu, chosen, _product(chosen), False)
    if gpu in machine_names():
        return MachineChoice(gpu, gpu, _product(gpu), False)
    if gpu.endswith(".toml"):
        beside = folder / gpu if folder is not None else Path(gpu)
        return MachineChoice(gpu, str(beside) if is_file(beside) else gpu, None, False)
    found = fitting(gpu)
    if len(found) == 1:
        return MachineChoice(gpu, found[0].name, found[0].product, True)
    raise UsageError(_unknown(gpu, found))


class Machines:
    """The machines of a table, each found and loaded once."""

    def __init__(
        self,
        choices: MachineChoices,
        overrides: Mapping[str, Scalar],
        folder: Path,
    ) -> None:
        """Find those that the user says. UsageError, InputError."""
        self._choices, self._overrides, self._folder = choices, overrides, folder
        self._loaded: dict[str, Machine] = {}
        self.found: dict[str, MachineChoice] = {}
        for name in choices.named.values():
            self.loaded(name)
        self._every: MachineChoice | None = None
        if choices.without_column is not None:
            self._every = self._of_option(choices.without_column)
            self.loaded(self._every.machine)

    def _of_option(self, name: str) -> MachineChoice:
        """Find the machine of all rows. UsageError as for any command where there is none."""
        try:
            return find_machine(name, self._choices.named)
        except UsageError:
            self.loaded(name)
            raise

    def choice(self, gpu: str | None) -> str:
        """The name or file of a row's machine. UsageError, InputError."""
        if gpu is None:
            if self._every is None:
                raise UsageError("the row names no machine, and there is no --machine for all rows")
            found = self._every
        else:
            found = self.found.get(gpu) or find_machine(gpu, self._choices.named, self._folder)
        self.loaded(found.machine)
        self.found[found.gpu] = found
        return found.machine

    def loaded(self, name: str) -> Machine:
        """A machine by its name or file. UsageError, InputError."""
        if name not in self._loaded:
            self._loaded[name] = load_machine(name, self._overrides)
        return self._loaded[name]


def stated_capability(name: str) -> str | None:
    """Compute capability that a packaged machine's own file states; None where it states none."""
    entry = packaged_file(name).entries.get("machine.compute_capability")
    kind = packaged_file(name).entries.get("machine.kind")
    if entry is None or entry.value is None or kind is None or kind.value != "hardware":
        return None
    return str(entry.value)


def _product(name: str) -> str | None:
    if name not in machine_names():
        return None
    return str(packaged_file(name).entries["machine.name"].value)


def _unknown(gpu: str, found: list[KnownMachine]) -> Diagnostic:
    near = found or alike(gpu)
    names = ", ".join(f"{m.name} ({m.product})" for m in near)
    words = f"no machine is known to be `{gpu}`"
    if found:
        words = f"`{gpu}` could be several machines"
    like = f"like it: {names}; " if names else "warpmill machines list has the machines; "
    hint = f"{like}--machine '{gpu}=NAME' says which stands for it"
    return Diagnostic(Severity.ERROR, words, hint=hint)
