"""Known functions by name, and the templates of instructions that their calls become."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from warpmill.analyzer.frontends.llvm.context import float_of, is_predicate
from warpmill.analyzer.frontends.llvm.memory import address_of
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    Scalar,
    Unsupported,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import BlockEnds, Lowering
from warpmill.analyzer.ir.kernel import Guard, Imm, Operand, Pair, Reg, Special, Vector
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, TypeKind

NVVM = "llvm.nvvm."
_HOLE = re.compile(r"\((\d)([!~_:>]?)\)")
_TO_INTEGERS = {"rn": "rni", "rz": "rzi", "rm": "rmi", "rp": "rpi", "floor": "rmi", "ceil": "rpi",
                "trunc": "rzi", "round": "rni"}  # fmt: skip


class CallRule(NamedTuple):
    """Lowered form of a function: templates, and what the table has beside them."""

    name: str
    emit: list[str]
    rest: str = ""
    approximate: bool = False
    beyond: int | None = None
    emit32: list[str] | None = None


@cache
def joined() -> dict[str, Any]:
    """``calls.toml`` with what the vendors' tables add to it."""
    table = dict(data_table("calls.toml"))
    amd = data_table("calls_amd.toml")
    table["drop"] = frozenset([*table["drop"], *amd["drop"]])
    table["intrinsics"] = {**table["intrinsics"], **amd["intrinsics"]}
    table["functions"] = {**table["functions"], **amd["functions"]}
    return table


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], list[str]], ...]:
    lines = data_table("calls_nvvm.toml")["patterns"]
    return tuple((re.compile(line["match"]), line["emit"]) for line in lines)


def nvvm_rule(callee: str) -> CallRule | None:
    """The rule of an intrinsic that is one of a family."""
    name = callee.removeprefix(NVVM)
    for pattern, emit in _patterns():
        found = pattern.fullmatch(name)
        if found is not None:
            return CallRule(callee, [_expanded(text, found) for text in emit])
    return None


def _expanded(text: str, found: re.Match[str]) -> str:
    return _HOLE.sub(lambda hole: _group(found[int(hole[1])] or "", hole[2]), text)


def _group(text: str, how: str) -> str:
    types: Mapping[str, str] = data_table("calls_nvvm.toml")["types"]
    match how:
        case "!":
            return types[text]
        case "~":
            return _TO_INTEGERS[text]
        case "_":
            return text.replace(".", "_")
        case ":":
            return text.replace("shared.cluster", "shared::cluster")
        case ">":
            source, _, to = text.partition("2")
            return f"{types[to]}.{types[source]}"
    return text


@cache
def math_names() -> Mapping[str, str]:
    """The operation of each function of mathematics that has one, without its type."""
    table = data_table("calls_math.toml")
    found = {name: f"math.{name}.<f>" for name in table["functions"]}
    return {**found, **{name: f"math.{name}.s32.<0f>" for name in table["to_integer"]}}


def math_rule(name: str) -> CallRule | None:
    """The rule of a function of mathematics; its arguments are as many as it is given."""
    opcode = math_names().get(name)
    return None if opcode is None else CallRule(name, [f"{opcode} $d, $*"])


# Instruction templates of ``calls.toml``: one string an instruction, filled in for each call.

_PART = re.compile(r"<([\w.]+)>")
_OPERAND = re.compile(r"\{[^}]*\}|[^,\s]+")


@dataclass
class TemplateCall:
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


def fill(low: Lowering, templates: list[str], call: TemplateCall) -> None:
    """Emit the instructions of a rule for one call."""
    for template in templates:
        text = _PART.sub(lambda m: _word(call, m[1]), template)
        guard = None
        if text.startswith("@"):
            word, _, text = text[1:].partition(" ")
            guard = _guard(low, call, word)
        opcode, words = _split(text)
        late: list[tuple[Reg, Reg, Scalar]] = []
        operands: list[Operand] = []
        for word in words:
            if word.startswith("$*"):
                operands += _rest(low, call, int(word[2:] or 0))
            else:
                operands.append(_operand(low, call, opcode, word, late))
        low.emit(opcode, *operands, guard=guard)
        for to, value, scalar in late:
            _settle(low, to, value, scalar)
        if "ends" in decode(opcode).effects:
            raise BlockEnds


def _guard(low: Lowering, call: TemplateCall, word: str) -> Guard:
    register = _operand(low, call, "mov.pred", word.removeprefix("!"), [])
    return Guard(low.builder.predicate(register), word.startswith("!"))


def _rest(low: Lowering, call: TemplateCall, first: int) -> list[Operand]:
    """All arguments from one on."""
    return [_argument(low, call, n, "") for n in range(first, len(call.arguments))]


def direct(template: str, words: Mapping[str, str]) -> tuple[str, ...] | None:
    """Opcode and operands of a template, its holes filled in; None where a word is not there."""
    if any(m[1] not in words for m in _PART.finditer(template)):
        return None
    opcode, operands = _split(_PART.sub(lambda m: words[m[1]], template))
    return opcode, *operands


def _word(call: TemplateCall, name: str) -> str:
    if name not in call.words:
        raise Unsupported(f"no {name} here")
    return call.words[name]


def _settle(low: Lowering, to: Reg, value: Reg, scalar: Scalar) -> None:
    """Bring a 32-bit result, or a predicate, to the type that the call has."""
    if low.builder.type_of(value) is TYPES["pred"]:
        low.emit(f"selp.b{low.module.width(scalar)}", to, Imm(1), Imm(0), value)
    elif is_predicate(scalar):
        low.emit("setp.ne.s32", to, value, Imm(0))
    else:
        low.builder.resize(to, value, low.module.width(scalar), 32, "u")


def _operand(
    low: Lowering, call: TemplateCall, opcode: str, word: str, late: list[tuple[Reg, Reg, Scalar]]
) -> Operand:
    if word.startswith("%"):
        return Special(word[1:])
    if word.startswith("["):
        number, _, offset = word[2:-1].partition("+")
        return address_of(_pointer(call, number), int(offset or 0))
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


def _constant(call: TemplateCall, word: str) -> Operand:
    if word.lstrip("-").isdigit() or "0x" in word.lower():
        return Imm(int(word, 0))
    scalars = [scalar for _, scalar in (*call.results, *(a for b in call.arguments for a in b))]
    scalar = next((s for s in scalars if isinstance(s, FloatType)), None)
    if scalar is None:
        raise Unsupported("a constant of no float type")
    value = _SMALLEST[scalar.name] if word == "tiny" else float(word)
    return float_of(value, scalar)


_SMALLEST = {"half": 2.0**-14, "bfloat": 2.0**-126, "float": 2.0**-126, "double": 2.0**-1022}


def _pointer(call: TemplateCall, number: str) -> Operand:
    if int(number) not in call.pointers:
        raise Unsupported("an argument that is no pointer")
    return call.pointers[int(number)]


def _vector(
    low: Lowering, call: TemplateCall, opcode: str, inside: str, late: list[tuple[Reg, Reg, Scalar]]
) -> Vector:
    if inside == "$d":
        return Vector(tuple(register for register, _ in call.results))
    if re.fullmatch(r"\$\d", inside):
        return Vector(tuple(operand for operand, _ in call.arguments[int(inside[1:])]))
    return Vector(tuple(_operand(low, call, opcode, w.strip(), late) for w in inside.split(",")))


def _temporary(low: Lowering, call: TemplateCall, opcode: str, name: str, type_: str) -> Reg:
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
    low: Lowering, call: TemplateCall, name: str, type_: str, late: list[tuple[Reg, Reg, Scalar]]
) -> Reg:
    number = int(name[1:] or 0)
    if number >= len(call.results):
        raise Unsupported("a result where the call has none")
    register, scalar = call.results[number]
    is_word = isinstance(scalar, IntType) and low.module.width(scalar) == 32
    if not type_ or (is_word and type_ != "pred"):
        return register
    if type_ == "pred" and is_predicate(scalar):
        return register
    value = low.builder.temporary("pred" if type_ == "pred" else "b32")
    late.append((register, value, scalar))
    return value


def _argument(low: Lowering, call: TemplateCall, number: int, type_: str) -> Operand:
    if number >= len(call.arguments) or len(call.arguments[number]) != 1:
        raise Unsupported("an argument of another form than is known")
    ((operand, scalar),) = call.arguments[number]
    if is_predicate(scalar):
        return low.builder.predicate(operand)
    if type_ == "pred":
        return low.builder.compute(f"setp.ne.b{low.module.width(scalar)}", "pred", operand, Imm(0))
    if not type_ or isinstance(scalar, FloatType):
        return operand
    return low.builder.resized(operand, scalar, TYPES[type_].bits, type_[0])
