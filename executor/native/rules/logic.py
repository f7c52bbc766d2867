"""Logic on bits and predicates. Source: PTX ISA 9.0, section 9.7.8."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.registry import pure, refuses, rule
from warpmill.executor.native.rules.support import ones, zero
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value


@pure("and")
def and_(e: Emitter, _: Operation, a: Value, b: Value) -> Value:
    """Give the bits that both have."""
    return e.op("and", a, b)


@pure("or")
def or_(e: Emitter, _: Operation, a: Value, b: Value) -> Value:
    """Give the bits that either has."""
    return e.op("or", a, b)


@pure("xor")
def xor(e: Emitter, _: Operation, a: Value, b: Value) -> Value:
    """Give the bits in which both differ."""
    return e.op("xor", a, b)


@pure("not")
def not_(e: Emitter, _: Operation, a: Value) -> Value:
    """Turn all bits over."""
    return e.op("xor", a, ones(a.type))


@pure("cnot")
def cnot(e: Emitter, _: Operation, a: Value) -> Value:
    """Give 1 for 0 and 0 for all else, as C's ``!`` does."""
    return e.cast("zext", e.compare("eq", a, zero(a.type)), a.type)


@rule("lop3")
def lop3(step: Step) -> None:
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


def by_table(e: Emitter, table: int, a: Value, b: Value, c: Value) -> Value:
    """Compute a function of three inputs by its truth table of eight bits."""
    inputs = {"a": a, "b": b, "c": c}
    return _write(e, _formula(table, "abc").term, inputs)


def _write(e: Emitter, term: object, inputs: dict[str, Value]) -> Value:
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
