"""Instruction templates of ``calls.toml``: one string an instruction, filled in for each call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from analyzer.frontends.llvm.builder import is_predicate
from analyzer.frontends.llvm.constants import float_of
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.memory import address_of
from analyzer.frontends.llvm.types import FloatType, IntType, Scalar, Unsupported
from analyzer.ir.kernel import Imm, Operand, Pair, Reg, Special, Vector
from analyzer.ir.operation import decode
from analyzer.ir.types import TYPES, TypeKind

_HOLE = re.compile(r"<([\w.]+)>")
_OPERAND = re.compile(r"\{[^}]*\}|[^,\s]+")


@dataclass
class Call:
    """One call, or one part of a call of vectors, while its templates are filled in.

    ``results`` and ``arguments`` go with their LLVM scalars; ``pointers`` are addresses in the
    space that they are known to point into; ``words`` are the texts for ``<...>``.
    """

    results: tuple[tuple[Reg, Scalar], ...]
    arguments: tuple[tuple[tuple[Operand, Scalar], ...], ...]
    pointers: Mapping[int, Operand]
    words: Mapping[str, str]
    temporaries: dict[str, Reg] = field(default_factory=dict)


@cache
def _split(text: str) -> tuple[str, tuple[str, ...]]:
    opcode, _, rest = text.partition(" ")
    return opcode, tuple(_OPERAND.findall(rest))


def fill(low: Lowering, templates: list[str], call: Call) -> None:
    """Emit the instructions of a rule for one call."""
    for template in templates:
        text = _HOLE.sub(lambda m: _word(call, m[1]), template)
        opcode, words = _split(text)
        late: list[tuple[Reg, Reg, Scalar]] = []
        operands = [_operand(low, call, opcode, word, late) for word in words]
        low.emit(opcode, *operands)
        for to, value, scalar in late:
            _settle(low, to, value, scalar)


def direct(template: str, words: Mapping[str, str]) -> tuple[str, ...] | None:
    """Opcode and operands of a template, its holes filled in; None where a word is not there."""
    if any(m[1] not in words for m in _HOLE.finditer(template)):
        return None
    opcode, operands = _split(_HOLE.sub(lambda m: words[m[1]], template))
    return opcode, *operands


def _word(call: Call, name: str) -> str:
    if name not in call.words:
        raise Unsupported(f"no {name} here")
    return call.words[name]


def _settle(low: Lowering, to: Reg, value: Reg, scalar: Scalar) -> None:
    """Bring a 32-bit result to the type that the call has."""
    if is_predicate(scalar):
        low.emit("setp.ne.s32", to, value, Imm(0))
    else:
        low.builder.resize(to, value, low.module.width(scalar), 32, "u")


def _operand(
    low: Lowering, call: Call, opcode: str, word: str, late: list[tuple[Reg, Reg, Scalar]]
) -> Operand:
    if word.startswith("%"):
        return Special(word[1:])
    if word.startswith("["):
        return address_of(_pointer(call, word[2:-1]))
    if "|" in word:
        first, second = word.split("|")
        return Pair(*(_operand(low, call, opcode, w, late) for w in (first, second)))
    if word.startswith("{"):
        return _vector(low, call, opcode, word[1:-1], late)
    if not word.startswith("$"):
        return _constant(call, word)
    name, _, type_ = word[1:].partition(":")
    if name[0] == "t":
        return _temporary(low, call, opcode, name, type_)
    if name[0] == "d":
        return _result(low, call, name, type_, late)
    return _argument(low, call, int(name), type_)


def _constant(call: Call, word: str) -> Operand:
    if "." not in word:
        return Imm(int(word))
    scalar = call.results[0][1] if call.results else call.arguments[0][0][1]
    return float_of(float(word), scalar)


def _pointer(call: Call, number: str) -> Operand:
    if int(number) not in call.pointers:
        raise Unsupported("an argument that is no pointer")
    return call.pointers[int(number)]


def _vector(
    low: Lowering, call: Call, opcode: str, inside: str, late: list[tuple[Reg, Reg, Scalar]]
) -> Vector:
    if inside == "$d":
        return Vector(tuple(register for register, _ in call.results))
    if re.fullmatch(r"\$\d", inside):
        return Vector(tuple(operand for operand, _ in call.arguments[int(inside[1:])]))
    return Vector(tuple(_operand(low, call, opcode, w.strip(), late) for w in inside.split(",")))


def _temporary(low: Lowering, call: Call, opcode: str, name: str, type_: str) -> Reg:
    if name not in call.temporaries:
        call.temporaries[name] = low.builder.temporary(type_ or _natural_type(opcode))
    return call.temporaries[name]


def _natural_type(opcode: str) -> str:
    """The register type of an opcode's result."""
    operation = decode(opcode)
    if operation.name in ("setp", "isspacep", "testp"):
        return "pred"
    type_ = operation.types[0] if operation.types else TYPES["b32"]
    if type_.kind in (TypeKind.SIGNED, TypeKind.UNSIGNED):
        return f"b{type_.bits}"
    return type_.name


def _result(
    low: Lowering, call: Call, name: str, type_: str, late: list[tuple[Reg, Reg, Scalar]]
) -> Reg:
    number = int(name[1:] or 0)
    if number >= len(call.results):
        raise Unsupported("a result where the call has none")
    register, scalar = call.results[number]
    if not type_ or (isinstance(scalar, IntType) and low.module.width(scalar) == 32):
        return register
    value = low.builder.temporary("b32")
    late.append((register, value, scalar))
    return value


def _argument(low: Lowering, call: Call, number: int, type_: str) -> Operand:
    if number >= len(call.arguments) or len(call.arguments[number]) != 1:
        raise Unsupported("an argument of another form than is known")
    ((operand, scalar),) = call.arguments[number]
    if is_predicate(scalar):
        return low.builder.predicate(operand)
    if not type_ or isinstance(scalar, FloatType):
        return operand
    return low.builder.resized(operand, scalar, TYPES[type_].bits, type_[0])
