"""Integer addition, subtraction, sign, minimum and maximum; floating point goes to its own rules.

Source: PTX ISA 9.0, sections 9.7.1 (integers) and 9.7.2 (extended precision).
"""

from __future__ import annotations

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.registry import pure, rule
from warpmill.executor.native.rules.support import by_element, is_float, is_signed, zero
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant


@rule("add")
def add(step: Step) -> None:
    """Add; ``.cc`` leaves the carry."""
    if "cc" in step.operation.modifiers:
        _add_with_carry(step)
    else:
        step.give(_sum(step.emitter, step.operation, *step.sources()))


@rule("sub")
def sub(step: Step) -> None:
    """Subtract; ``.cc`` leaves the borrow."""
    if "cc" in step.operation.modifiers:
        _subtract_with_borrow(step)
    else:
        step.give(_difference(step.emitter, step.operation, *step.sources()))


@rule("addc")
def addc(step: Step) -> None:
    """Add two numbers and the carry."""
    _add_with_carry(step, carry=step.carry)


@rule("subc")
def subc(step: Step) -> None:
    """Subtract a number and the borrow."""
    _subtract_with_borrow(step, borrow=step.carry)


def _sum(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    if is_float(operation):
        return floats.add(e, operation, a, b)
    if "sat" not in operation.modifiers:
        return by_element(e, operation, lambda e, x, y: e.op("add", x, y), a, b)
    name = "llvm.sadd.sat" if is_signed(operation) else "llvm.uadd.sat"
    return by_element(e, operation, lambda e, x, y: e.call(name, x, y), a, b)


def _difference(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    if is_float(operation):
        return floats.sub(e, operation, a, b)
    if "sat" not in operation.modifiers:
        return by_element(e, operation, lambda e, x, y: e.op("sub", x, y), a, b)
    name = "llvm.ssub.sat" if is_signed(operation) else "llvm.usub.sat"
    return by_element(e, operation, lambda e, x, y: e.call(name, x, y), a, b)


def carrying_sum(e: Emitter, a: Value, b: Value, carry: Value | None) -> tuple[Value, Value]:
    """Give ``a + b + carry`` and whether it carried out of the highest bit."""
    total = e.op("add", a, b)
    out = e.compare("ult", total, a)
    if carry is None:
        return total, out
    whole = e.op("add", total, e.cast("zext", carry, total.type))
    return whole, e.op("or", out, e.compare("ult", whole, total))


def give_with_carry(step: Step, result: Value, carry: Value) -> None:
    """Write a result, and the carry where the instruction says ``.cc``."""
    if "cc" in step.operation.modifiers:
        step.carry = carry
    step.give(result)


def _add_with_carry(step: Step, carry: Value | None = None) -> None:
    a, b = step.sources()
    give_with_carry(step, *carrying_sum(step.emitter, a, b, carry))


def _subtract_with_borrow(step: Step, borrow: Value | None = None) -> None:
    e = step.emitter
    a, b = step.sources()
    rest, out = e.op("sub", a, b), e.compare("ult", a, b)
    if borrow is not None:
        taken = e.cast("zext", borrow, rest.type)
        out = e.op("or", out, e.compare("ult", rest, taken))
        rest = e.op("sub", rest, taken)
    give_with_carry(step, rest, out)


@pure("neg")
def neg(e: Emitter, operation: Operation, a: Value) -> Value:
    """Change the sign; the lowest number stays."""
    if is_float(operation):
        return floats.neg(e, operation, a)
    return by_element(e, operation, lambda e, x: e.op("sub", zero(x.type), x), a)


@pure("abs")
def absolute(e: Emitter, operation: Operation, a: Value) -> Value:
    """Drop the sign; the lowest number stays."""
    if is_float(operation):
        return floats.abs_(e, operation, a)
    return by_element(e, operation, lambda e, x: e.call("llvm.abs", x, extra=", i1 false"), a)


def distance(e: Emitter, a: Value, b: Value, *, signed: bool) -> Value:
    """Give how far two numbers are apart, as an unsigned number."""
    below = e.compare("slt" if signed else "ult", a, b)
    return e.select(below, e.op("sub", b, a), e.op("sub", a, b))


@pure("sad")
def sad(e: Emitter, operation: Operation, a: Value, b: Value, c: Value) -> Value:
    """Add the distance of two numbers to a third."""
    return e.op("add", distance(e, a, b, signed=is_signed(operation)), c)


@pure("min")
def minimum(e: Emitter, operation: Operation, *sources: Value) -> Value:
    """Give the least of two or three."""
    if is_float(operation):
        return floats.minimum(e, operation, *sources)
    return _extreme(e, operation, "min", sources)


@pure("max")
def maximum(e: Emitter, operation: Operation, *sources: Value) -> Value:
    """Give the greatest of two or three."""
    if is_float(operation):
        return floats.maximum(e, operation, *sources)
    return _extreme(e, operation, "max", sources)


def _extreme(e: Emitter, operation: Operation, word: str, sources: tuple[Value, ...]) -> Value:
    name = f"llvm.{'s' if is_signed(operation) else 'u'}{word}"
    relu = "relu" in operation.modifiers

    def one(e: Emitter, first: Value, *others: Value) -> Value:
        best = first
        for other in others:
            best = e.call(name, best, other)
        return e.call("llvm.smax", best, constant(0, best.type)) if relu else best

    return by_element(e, operation, one, *sources)
