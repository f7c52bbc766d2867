"""Comparison, selection and logic, of integers and of floating point.

Source: PTX ISA 9.0, sections 9.7.6 (comparison and selection), 9.7.7 (half precision) and 9.7.3
(testp, copysign).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from warpmill.analyzer.ir.kernel import Imm, Instruction, Pair
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant, float_constant
from warpmill.executor.native.rules.registry import (
    join,
    ones,
    opposite,
    part,
    pure,
    read_bits,
    refuses,
    rule,
    zero,
)
from warpmill.executor.native.step import LoweringStep

_INTEGER = {
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
    "lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge",
}  # fmt: skip
"""LLVM's predicates of integers by PTX's words; those without u are to get the type's sign."""

_FLOAT = {
    "eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge",
    "equ": "ueq", "neu": "une", "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge",
    "num": "ord", "nan": "uno",
}  # fmt: skip
"""LLVM's predicates of floating point: PTX's plain words are false where an operand is NaN."""

_COMBINE = ("and", "or", "xor")


def compare(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> list[LlvmValue]:
    """Compare two values as the operation's type; one truth for each packed element."""
    type_ = operation.type
    assert type_ is not None
    word = next(w for w in operation.modifiers if w in _FLOAT or w in _INTEGER)
    if type_.lanes > 1:
        narrow = f"i{type_.bits // type_.lanes}"
        pairs = [(part(e, a, k, narrow), part(e, b, k, narrow)) for k in range(type_.lanes)]
    else:
        pairs = [(a, b)]
    if not type_.is_float:
        return [e.compare(_integer_word(word, type_), x, y) for x, y in pairs]
    ftz = "ftz" in operation.modifiers
    floats = [[_comparable(e, type_, v, ftz=ftz) for v in pair] for pair in pairs]
    return [e.compare(_FLOAT[word], x, y) for x, y in floats]


def _integer_word(word: str, type_: Type) -> str:
    name = _INTEGER[word]
    if name[0] == "u" or name in ("eq", "ne"):
        return name
    return ("s" if type_.kind is TypeKind.SIGNED else "u") + name


def _comparable(e: Emitter, type_: Type, value: LlvmValue, *, ftz: bool) -> LlvmValue:
    """A number as float or double, which hold every number of the type."""
    if ftz:
        value = without_subnormals(e, type_, value)
    element = type_.name.removesuffix("x2")
    if element == "bf16":
        return e.bitcast(e.op("shl", e.resize(value, "i32"), constant(16, "i32")), "float")
    if element == "f16":
        return e.cast("fpext", e.bitcast(value, "half"), "float")
    return value


_EXPONENTS = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F80_0000, "f64": 0x7FF0_0000_0000_0000}
"""The bits of the exponent."""


def without_subnormals(e: Emitter, type_: Type, value: LlvmValue) -> LlvmValue:
    """Zeros of the same sign for subnormal numbers."""
    exponents = _EXPONENTS[type_.name.removesuffix("x2")]
    bits = e.bitcast(value, f"i{value.bits}")
    exponent = e.op("and", bits, constant(exponents, bits.type))
    sign = e.op("and", bits, constant(1 << bits.bits - 1, bits.type))
    flushed = e.select(e.compare("eq", exponent, zero(bits.type)), sign, bits)
    return e.bitcast(flushed, value.type)


def _combined(
    e: Emitter, operation: Operation, truth: LlvmValue, rest: tuple[LlvmValue, ...]
) -> LlvmValue:
    word = next((w for w in operation.modifiers if w in _COMBINE), None)
    return e.op(word, truth, rest[0]) if word is not None and rest else truth


@rule("setp")
def setp(step: LoweringStep) -> None:
    """Compare; the second predicate is the opposite, of packed pairs the upper pair's."""
    e, operation = step.emitter, step.operation
    a, b, *rest = step.sources()
    truths = compare(e, operation, a, b)
    if len(truths) == 1 and isinstance(step.instruction.operands[0], Pair):
        truths.append(opposite(e, truths[0]))
    step.give(*[_combined(e, operation, truth, tuple(rest)) for truth in truths])


@pure("set")
def set_(
    e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, *rest: LlvmValue
) -> LlvmValue:
    """Compare; true is 1.0 or all bits set."""
    truths = [_combined(e, operation, t, rest) for t in compare(e, operation, a, b)]
    to = operation.types[0]
    if len(truths) == 1:
        return _truth(e, truths[0], to)
    element = TYPES[to.name.removesuffix("x2")] if to.is_float else None
    bits = f"i{to.bits // len(truths)}"
    parts = [
        e.cast("sext", t, bits) if element is None else e.bitcast(_truth(e, t, element), bits)
        for t in truths
    ]
    return join(e, parts, f"i{to.bits}")


_ONE = {"f16": ("half", 0x3C00), "f32": ("float", 0x3F80_0000), "f64": ("double", 0x3FF0 << 48)}


def _truth(e: Emitter, truth: LlvmValue, type_: Type) -> LlvmValue:
    if type_.name in _ONE:
        name, bits = _ONE[type_.name]
        return e.select(truth, float_constant(bits, name), float_constant(0, name))
    if type_.name == "bf16":
        return e.select(truth, constant(0x3F80, "i16"), constant(0, "i16"))
    return e.cast("sext", truth, f"i{type_.bits}")


@rule("selp")
def selp(step: LoweringStep) -> None:
    """Choose by a predicate."""
    a, b, condition = step.instruction.sources
    type_ = step.operation.type
    step.give(
        step.emitter.select(
            step.read(condition, TYPES["pred"]),
            read_bits(step, a, type_),
            read_bits(step, b, type_),
        )
    )


@pure("slct")
def slct(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Choose the first where the third is 0 or above; NaN chooses the second."""
    if not c.is_float:
        return e.select(e.compare("sge", c, zero(c.type)), a, b)
    if "ftz" in operation.modifiers:
        c = without_subnormals(e, operation.types[-1], c)
    return e.select(e.compare("oge", c, float_constant(0, c.type)), a, b)


@pure("testp")
def testp(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Class of a number. Zeros count as normal numbers."""
    assert operation.type is not None
    word = next(w for w in operation.modifiers if w in _CLASSES)
    bits = e.bitcast(a, f"i{a.bits}")
    most = _EXPONENTS[operation.type.name]
    size = e.op("and", bits, constant((1 << a.bits - 1) - 1, bits.type))
    predicate, limit = _CLASSES[word]
    if word in ("normal", "subnormal"):
        return _by_exponent(e, size, most, normal=word == "normal")
    return e.compare(predicate, size, constant(most + limit, bits.type))


_CLASSES = {
    "finite": ("ult", 0),
    "infinite": ("eq", 0),
    "number": ("ule", 0),
    "notanumber": ("ugt", 0),
    "normal": ("", 0),
    "subnormal": ("", 0),
}
"""How a number without its sign compares with infinity."""


def _by_exponent(e: Emitter, size: LlvmValue, infinity: int, *, normal: bool) -> LlvmValue:
    least = infinity & -infinity  # the smallest normal number
    tiny = e.compare(
        "ult", e.op("sub", size, constant(1, size.type)), constant(least - 1, size.type)
    )
    if not normal:
        return tiny
    finite = e.compare("ult", size, constant(infinity, size.type))
    return e.op("and", finite, opposite(e, tiny))


@pure("copysign")
def copysign(e: Emitter, _: Operation, sign: LlvmValue, size: LlvmValue) -> LlvmValue:
    """The second number with the sign of the first."""
    if size.is_float:
        return e.call("llvm.copysign", size, sign)
    top = constant(1 << size.bits - 1, size.type)
    rest = constant((1 << size.bits - 1) - 1, size.type)
    return e.op("or", e.op("and", sign, top), e.op("and", size, rest))


# Logic on bits and predicates. Source: PTX ISA 9.0, section 9.7.8.


@pure("and")
def and_(e: Emitter, _: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """The bits that both have."""
    return e.op("and", a, b)


@pure("or")
def or_(e: Emitter, _: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """The bits that either has."""
    return e.op("or", a, b)


@pure("xor")
def xor(e: Emitter, _: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """The bits in which both differ."""
    return e.op("xor", a, b)


@pure("not")
def not_(e: Emitter, _: Operation, a: LlvmValue) -> LlvmValue:
    """Turn all bits over."""
    return e.op("xor", a, ones(a.type))


@pure("cnot")
def cnot(e: Emitter, _: Operation, a: LlvmValue) -> LlvmValue:
    """1 for 0 and 0 for all else, as C's ``!`` does."""
    return e.cast("zext", e.compare("eq", a, zero(a.type)), a.type)


@rule("lop3")
def lop3(step: LoweringStep) -> None:
    """Apply a truth table of three inputs; with a predicate, say too whether any bit is set."""
    e = step.emitter
    a, b, c, _, *rest = step.sources()
    table = step.instruction.sources[3]
    assert isinstance(table, Imm)
    result = by_table(e, table.value & 0xFF, a, b, c)
    words = [w for w in step.operation.modifiers if w in ("and", "or", "xor")]
    if not words:
        step.give(result)
        return
    is_set = e.compare("ne", result, zero(result.type))
    step.give(result, e.op(words[0], is_set, rest[0]))


@refuses("lop3")
def _refuse_table(instruction: Instruction) -> str | None:
    known = isinstance(instruction.sources[3], Imm)
    return None if known else "its table is not a constant"


@dataclass(frozen=True)
class _Formula:
    """A term over three inputs as nested tuples: ``("and", "a", ("not", "b"))``."""

    term: object
    cost: int


_VARIABLES = {"a": 0xF0, "b": 0xCC, "c": 0xAA}
"""The truth table of each input alone, as PTX numbers them."""


def by_table(e: Emitter, table: int, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Compute a function of three inputs by its truth table of eight bits."""
    inputs = {"a": a, "b": b, "c": c}
    return _write(e, _formula(table, "abc").term, inputs)


def _write(e: Emitter, term: object, inputs: dict[str, LlvmValue]) -> LlvmValue:
    type_ = inputs["a"].type
    if isinstance(term, int):
        return ones(type_) if term else zero(type_)
    if isinstance(term, str):
        return inputs[term]
    assert isinstance(term, tuple)
    opcode, *parts = term
    values = [_write(e, part, inputs) for part in parts]
    return e.op("xor", *values, ones(type_)) if opcode == "not" else e.op(opcode, *values)


@cache
def _formula(table: int, variables: str) -> _Formula:
    """Find a short term: split by each variable in turn and keep the cheapest."""
    if table in (0, 0xFF):
        return _Formula(int(table > 0), 0)
    for name in variables:
        if table == _VARIABLES[name]:
            return _Formula(name, 0)
        if table == _VARIABLES[name] ^ 0xFF:
            return _Formula(("not", name), 1)
    tries = [_split(table, name, variables.replace(name, "")) for name in variables]
    return min(tries, key=lambda formula: formula.cost)


def _split(table: int, name: str, others: str) -> _Formula:
    """Write a table as a choice by one variable between the tables where it is 0 and 1."""
    mask = _VARIABLES[name]
    step = (
        mask & -mask
    ).bit_length() - 1  # what tells apart two rows that differ in this variable only
    low, high = table & ~mask & 0xFF, table & mask
    off, on = low | low << step, high | high >> step
    if off == on:
        return _formula(off, others)
    if off == on ^ 0xFF:
        return _both("xor", _Formula(name, 0), _formula(off, others))
    if off & on == off:  # more is set where the variable is: add what is new
        return _either(off, _gated("and", name, on, others), others)
    if off & on == on:
        return _either(on, _gated("and", ("not", name), off, others), others)
    differs = _gated("and", name, off ^ on, others)
    return _both("xor", _formula(off, others), differs)


def _gated(opcode: str, name: object, table: int, others: str) -> _Formula:
    own = _Formula(name, int(isinstance(name, tuple)))
    return own if table == 0xFF else _both(opcode, own, _formula(table, others))


def _either(table: int, more: _Formula, others: str) -> _Formula:
    return more if table == 0 else _both("or", _formula(table, others), more)


def _both(opcode: str, left: _Formula, right: _Formula) -> _Formula:
    return _Formula((opcode, left.term, right.term), left.cost + right.cost + 1)
