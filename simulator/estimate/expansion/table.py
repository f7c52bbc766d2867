"""What one operation becomes in machine code: its line in ``expansion.toml``, looked up.

The table is data, measured by ``tools/measure_expansion.py``; nothing here knows an operation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from warpmill.analyzer.ir.kernel import (
    FloatImm,
    Imm,
    Instruction,
    Operand,
    Reg,
    Special,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Type

OLDEST = 35
"""The oldest capability that was measured: 3.5, written as the other numbers of this table."""


_NARROWEST = 16
"""Bits of the smallest registers; PTX computes on no smaller type, LLVM does."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Machine instructions by unit: ``(("add", 2), ("multiply", 1))``, in the table's order."""

    counts: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """All of them: the issue slots."""
        return sum(n for _, n in self.counts)

    def __add__(self, other: Mix) -> Mix:
        return _mix({**dict(self.counts), **{u: self.of(u) + n for u, n in other.counts}})

    def of(self, unit: str) -> int:
        """How many go to a unit."""
        return dict(self.counts).get(unit, 0)


FREE = Mix()
"""Of an operation that the machine code does not have."""


@dataclass(frozen=True, slots=True)
class OpcodeGroup:
    """A group of machine opcodes: the pipe they share, and the machine keys of their times.

    Compilers put some of them on the pipe ``also`` by turns, from Volta on.
    """

    name: str
    pipe: str
    also: str
    interval: str
    latency: str
    opcodes: frozenset[str]


@dataclass(frozen=True)
class ExpansionTable:
    """The file: units, the words that keys keep, and for each key the mixes by oldest chip."""

    units: dict[str, OpcodeGroup]
    words: frozenset[str]
    minor: frozenset[str]
    aliases: dict[str, str]
    lines: dict[str, tuple[tuple[int, Mix], ...]]


@cache
def expansion_data() -> dict[str, Any]:
    """Read the file as it stands."""
    table = files("warpmill.simulator.estimate.expansion").joinpath("expansion.toml")
    return tomllib.loads(table.read_text(encoding="utf-8"))


@cache
def expansion_table() -> ExpansionTable:
    """Give the table."""
    data = expansion_data()
    units = {name: _unit(name, line) for name, line in data["units"].items()}
    lines = {
        key: tuple((int(chip.removeprefix("sm_")), _parse(mix)) for chip, mix in line.items())
        for key, line in data["expansions"].items()
    }
    keys = data["keys"]
    words, minor = (frozenset(keys[name].split()) for name in ("words", "minor"))
    return ExpansionTable(units, words, minor, keys["aliases"], lines)


def _unit(name: str, line: dict[str, str]) -> OpcodeGroup:
    opcodes = frozenset(line["opcodes"].split())
    also = line.get("also", "")
    return OpcodeGroup(name, line["pipe"], also, line["interval"], line["latency"], opcodes)


def _parse(text: str) -> Mix:
    if text == "free":
        return FREE
    return Mix(tuple((u, int(n)) for u, n in (part.split() for part in text.split(", "))))


def _mix(counts: dict[str, int]) -> Mix:
    return Mix(tuple(sorted((unit, n) for unit, n in counts.items() if n)))


def mix_of_key(key: str, capability: int) -> Mix | None:
    """Give what a key stands for on a chip: the entry of the newest chip not newer than it.

    None where the table has no such key, or the operation came with a later chip. Chips older than
    ``OLDEST`` are taken for it.
    """
    mix = None
    for chip, one in expansion_table().lines.get(key, ()):
        if chip <= max(capability, OLDEST):
            mix = one
    return mix


def mix_of(instruction: Instruction, capability: int) -> Mix | None:
    """Give what an instruction becomes by itself; None where the table does not know it."""
    key = key_of(instruction.operation, _form(instruction), max(capability, OLDEST))
    return None if key is None else mix_of_key(key, capability)


def _form(instruction: Instruction) -> str:
    """Say what its operands make special: a constant, a special register, a symbol, a pair."""
    sources = instruction.sources
    if instruction.operation.name == "mov":
        return _move_form(instruction.operands[0], sources[0])
    last = sources[-1] if sources else None
    if last is not None and is_power_of_two(last):
        return "pow2"
    return "const" if isinstance(last, Imm | FloatImm) else ""


def is_power_of_two(operand: Operand) -> bool:
    """Whether an operand is an integer constant that is a power of two."""
    value = operand.value if isinstance(operand, Imm) else 0
    return value > 0 and not value & (value - 1)


def _move_form(to: Operand, source: Operand) -> str:
    match source:
        case Special(name):
            return name.partition(".")[0]
        case Symbol():
            return "symbol"
        case Imm() | FloatImm():
            return "const"
        case Vector():
            return "pack"
        case Reg() if isinstance(to, Vector):
            return "unpack"
    return ""


@lru_cache(maxsize=16384)
def key_of(operation: Operation, form: str, capability: int) -> str | None:
    """Give the key of the line that holds for an operation in a form; None where there is none."""
    lines = expansion_table().lines
    for key in _keys(operation, form):
        entries = lines.get(key)
        if entries and entries[0][0] <= capability:
            return key
    return None


def _keys(operation: Operation, form: str) -> Iterator[str]:
    """Name the keys that may hold, the most special first."""
    if operation.name == "mov" and form not in ("", "const"):
        yield f"mov.{form}"
    forms = {"pow2": (".pow2", ".const", ""), "const": (".const", "")}.get(form, (f".{form}", ""))
    aliases = expansion_table().aliases
    names = dict.fromkeys((operation.name, aliases.get(operation.name, operation.name)))
    for words in _word_choices(operation):
        for types in _type_choices(operation):
            for name in names:
                stem = ".".join((name, *words, *types))
                yield from (stem + one for one in forms)


def _word_choices(operation: Operation) -> Iterator[tuple[str, ...]]:
    """Give the words that may count: as written, with aliases, fewer."""
    table = expansion_table()
    taken = operation.name.split(".")
    written = [w.partition("::")[0] for w in operation.modifiers]
    spelt = tuple(w for w in written if w in table.words and w not in taken)
    renamed = tuple(table.aliases.get(w, w) for w in written)
    aliased = tuple(w for w in renamed if w in table.words and w not in taken)
    for dropped in ((), ("ftz",), ("ftz", "rn"), table.minor):
        yield tuple(w for w in spelt if w not in dropped)
        yield tuple(w for w in aliased if w not in dropped)
    yield ()


def _type_choices(operation: Operation) -> Iterator[tuple[str, ...]]:
    types = operation.types if operation.name in ("cvt", "set", "slct") else ()
    chosen = types or (() if operation.type is None else (operation.type,))
    yield tuple(t.name for t in chosen)
    yield tuple(_bits(t) for t in chosen)
    yield (_bits(chosen[0]), *(t.name for t in chosen[1:])) if chosen else ()
    if chosen and chosen[0].bits < _NARROWEST:
        yield (f"b{_NARROWEST}",)
    yield ()


def _bits(type_: Type) -> str:
    return type_.name if type_.is_float and type_.lanes > 1 else f"b{type_.bits}"
