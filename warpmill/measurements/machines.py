"""Which machine stands for a GPU, by the name that people and drivers have for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from analyzer.diagnostics import Diagnostic, Severity, UsageError
from analyzer.launch.files import is_file
from simulator.machines import Machine, load_machine
from simulator.machines.files import machine_names, packaged_file
from simulator.machines.schema import Scalar

_BRANDS = frozenset(
    ("nvidia", "amd", "geforce", "tesla", "quadro", "instinct", "radeon", "gpu", "corporation")
)
_PARTS = re.compile(r"[0-9]+(?P<size>gb)|(?P<form>sxm|pcie)[0-9]*|(?P<memory>hbm|gddr)[0-9]+[ex]?")
"""Words that tell forms of one product apart; where a machine's name has none, any is its own."""

_INDEX = re.compile(r"\s*\(\d+\)\s*$")
_REMARK = re.compile(r"\([^)]*\)")


@dataclass(frozen=True)
class KnownMachine:
    """A packaged machine that is a product: the words of its name, and those that may be there."""

    name: str
    product: str
    words: frozenset[str]
    extra: frozenset[str]


@dataclass(frozen=True)
class MachineChoice:
    """The machine that stands for a GPU; ``product`` is that of a packaged one.

    ``guessed``: it was found by the name of the product.
    """

    gpu: str
    machine: str
    product: str | None
    guessed: bool


@dataclass(frozen=True)
class MachineChoices:
    """What the user says of machines.

    ``every`` is that of all rows where no column says it, ``named`` has machines by the names that
    the table has for GPUs.
    """

    every: str | None = None
    named: Mapping[str, str] = field(default_factory=dict)


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
    found = _fitting(gpu)
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
        if choices.every is not None:
            self._every = self._of_option(choices.every)
            self.loaded(self._every.machine)

    def _of_option(self, name: str) -> MachineChoice:
        """Find the machine of all rows. UsageError as for any command where there is none."""
        try:
            return find_machine(name, self._choices.named)
        except UsageError:
            self.loaded(name)
            raise

    def choice(self, gpu: str | None) -> str:
        """Give the name or file of a row's machine. UsageError, InputError."""
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
        """Give a machine by its name or file. UsageError, InputError."""
        if name not in self._loaded:
            self._loaded[name] = load_machine(name, self._overrides)
        return self._loaded[name]


def _product(name: str) -> str | None:
    if name not in machine_names():
        return None
    return str(packaged_file(name).entries["machine.name"].value)


def _fitting(gpu: str) -> list[KnownMachine]:
    """Give the machines that a name fits: one whose names are spelt so, else all by their words."""
    text = _INDEX.sub("", gpu)
    squeezed = _squeezed(text)
    spelt = [m for m in _known() if squeezed in (_squeezed(m.name), _squeezed(m.product))]
    if spelt:
        return spelt
    words = _words(text)
    return [m for m in _known() if words and _fits(words, m)]


def _fits(words: frozenset[str], machine: KnownMachine) -> bool:
    missing, beyond = machine.words - words, words - machine.words - machine.extra
    if not words & machine.words:
        return False
    if missing and (beyond or not all(_PARTS.fullmatch(word) for word in missing)):
        return False
    return all(_PARTS.fullmatch(word) and not _contradicts(word, machine) for word in beyond)


def _contradicts(word: str, machine: KnownMachine) -> bool:
    """Tell whether a machine's own name says another size or form; all have a memory."""
    kind = _kind(word)
    return kind == "memory" or kind in {_kind(own) for own in machine.words}


def _kind(word: str) -> str | None:
    match = _PARTS.fullmatch(word)
    return None if match is None else match.lastgroup


@cache
def _known() -> tuple[KnownMachine, ...]:
    """The packaged machines that are products; configurations of simulators are named as such."""
    found = []
    for name in machine_names():
        entries = packaged_file(name).entries
        if entries["machine.kind"].value != "hardware":
            continue
        product = str(entries["machine.name"].value)
        memory = entries.get("dram.type")
        extra = {str(memory.value).lower()} if memory is not None else set()
        words = _words(_REMARK.sub("", product))
        found.append(KnownMachine(name, product, words, frozenset(extra)))
    return tuple(found)


def _words(text: str) -> frozenset[str]:
    return frozenset(w for w in re.split(r"[^0-9a-z]+", text.lower()) if w) - _BRANDS


def _squeezed(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", "", text.lower())


def _unknown(gpu: str, found: list[KnownMachine]) -> Diagnostic:
    near = found or _alike(gpu)
    names = ", ".join(f"{m.name} ({m.product})" for m in near)
    words = f"no machine is known to be `{gpu}`"
    if found:
        words = f"`{gpu}` could be several machines"
    like = f"like it: {names}; " if names else "warpmill machines list has the machines; "
    hint = f"{like}--machine '{gpu}=NAME' says which stands for it"
    return Diagnostic(Severity.ERROR, words, hint=hint)


def _alike(gpu: str) -> list[KnownMachine]:
    words = {w for w in _words(gpu) if not _PARTS.fullmatch(w) and any(c.isdigit() for c in w)}
    return [m for m in _known() if words & m.words][:4]
