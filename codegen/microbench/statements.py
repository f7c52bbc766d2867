"""A short way to write instructions: ``add.u32 r0 r0 rc`` with registers that names call up.

The first letter of a register's name is its type (``TYPES_OF``), so nothing is declared by hand. A
name that ends in a digit belongs to a chain, others are shared: ``copied`` gives a chain of its own
to each copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import (
    Address,
    Guard,
    Imm,
    Instruction,
    Operand,
    Reg,
    Special,
    Symbol,
    Vector,
)
from warpmill.codegen.synthesis.writing import KernelRegisters, imm, write

TYPES_OF = {"r": "b32", "h": "b16", "f": "f32", "d": "f64", "q": "b64", "p": "pred"}
"""Types of registers by the first letter of their names."""

_WORD = re.compile(r"\{[^}]*\}|\[[^]]*\]|\S+")
_OWN = re.compile(r"\b([rhfdqp])(\d+)\b")
_REGISTER = re.compile(r"[rhfdqp](\d+|[a-z])")


@dataclass
class NamedRegisters:
    """The registers of a kernel by the names that statements have for them."""

    registers: KernelRegisters = field(default_factory=KernelRegisters)
    known: dict[str, Reg] = field(default_factory=dict)

    def register(self, name: str) -> Reg:
        """Give a register; it is declared where it is first named."""
        if _REGISTER.fullmatch(name) is None:
            raise ValueError(f"`{name}` is no name of a register")
        if name not in self.known:
            self.known[name] = self.registers.new(TYPES_OF[name[0]])
        return self.known[name]

    def write(self, text: str, targets: tuple[int, ...] = ()) -> Instruction:
        """Give the instruction of a statement; ``targets`` are the blocks that it jumps to.

        Operands are registers, whole numbers, ``%tid.x``, ``&name`` (an address), ``[q0]``,
        ``{f0 f1}``; ``@p0`` or ``@!p0`` before the opcode guards.
        """
        words = _WORD.findall(text)
        guard = None
        if words[0].startswith("@"):
            name = words.pop(0)[1:]
            guard = Guard(self.register(name.lstrip("!")), name.startswith("!"))
        return write(words[0], *map(self._operand, words[1:]), guard=guard, targets=targets)

    def written(self, text: str) -> list[Instruction]:
        """Give the instructions of statements with semicolons between them."""
        return [self.write(one) for one in text.split(";") if one.strip()]

    def _operand(self, word: str) -> Operand:
        if word.startswith("["):
            return self._address(word[1:-1])
        if word.startswith("{"):
            return Vector(tuple(self._operand(part) for part in word[1:-1].split()))
        if word.startswith("%"):
            return Special(word[1:])
        if word.startswith("&"):
            return Symbol(word[1:])
        if word.lstrip("-").isdigit():
            return Imm(int(word)) if word.startswith("-") else imm(int(word), 64)
        return self.register(word)

    def _address(self, text: str) -> Address:
        base, _, offset = text.partition("+")
        bytes_ = int(offset or 0)
        if base.startswith("&"):
            return Address(Symbol(base[1:]), bytes_)
        return Address(self.register(base), bytes_)


def names_in(text: str) -> tuple[str, ...]:
    """List the registers that statements name, each once, in order."""
    operands = " ".join(operands for one in text.split(";") for operands in _parted(one)[::2])
    words = re.findall(r"[a-z]\w*", operands)
    return tuple(dict.fromkeys(word for word in words if _REGISTER.fullmatch(word)))


def copied(text: str, copies: int) -> list[str]:
    """Give the statements of so many chains, a statement of each chain after the other.

    Chains have the registers of the first one, counted on; what they share stays.
    """
    width = 1 + max((int(name[1:]) for name in own_of(names_in(text))), default=0)
    statements = [one.strip() for one in text.split(";") if one.strip()]
    return [_renamed(one, copy * width) for one in statements for copy in range(copies)]


def _renamed(statement: str, by: int) -> str:
    """Count a statement's own registers on; the opcode is not looked at."""
    guard, opcode, operands = _parted(statement)
    guard, operands = (
        _OWN.sub(lambda m: f"{m[1]}{int(m[2]) + by}", part) for part in (guard, operands)
    )
    return " ".join(part for part in (guard, opcode, operands) if part)


def _parted(statement: str) -> tuple[str, str, str]:
    """Give a statement's guard, opcode and operands."""
    text = statement.strip()
    guard, _, rest = text.partition(" ") if text.startswith("@") else ("", "", text)
    opcode, _, operands = rest.partition(" ")
    return guard, opcode, operands


def own_of(names: Iterable[str]) -> tuple[str, ...]:
    """List the registers that belong to chains."""
    return tuple(name for name in names if name[-1].isdigit())
