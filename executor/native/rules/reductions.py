"""Reductions and prefixes over the lanes of a warp.

``redux`` is PTX's (PTX ISA 9.0, section 9.7.13), also on the types that AMD and OpenCL reduce;
``lane_scan`` is our own. Floating point is combined in the order of the lanes.
"""

from __future__ import annotations

from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.members import active_bits, group_bits
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.rules.support import is_float, is_signed, peel
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant, float_constant

_WORDS = ("add", "min", "max", "and", "or", "xor")


def _word(operation: Operation) -> str:
    return next(w for w in operation.modifiers if w in _WORDS)


@rule("redux")
def redux(step: Step) -> None:
    """Combine the values of the lanes of a group into one that all of them get."""
    e, operation = step.emitter, step.operation
    value, members = step.instruction.sources
    values = e.vector(step.read(value, operation.type))
    group = group_bits(step, members)

    def combined(e: Emitter, values: Value, group: Value) -> Value:
        if is_float(operation):
            return _combine_floats(e, operation, values, group)
        return _combine_integers(e, operation, values, group)

    name = operation.opcode
    if group.uniform:
        step.give(e.outlined(name, combined, values, group)[0])
        return

    def by_group(e: Emitter, values: Value, groups: Value, active: Value) -> Value:
        array = e.spill(groups)

        def one(lane: Value, result: Value) -> tuple[Value, Value]:
            bits = e.get(array, lane, groups.type)
            same = e.mask(e.bits(e.compare("eq", groups, bits)))
            total = e.outlined(name, combined, values, bits)[0]
            return e.bits(same), e.select(same, total, result)

        return peel(e, active, zero_of(values.type), one)

    step.give(e.outlined(f"{name}.groups", by_group, values, group, active_bits(step))[0])


def zero_of(type_: str) -> Value:
    """Give the constant 0 of an LLVM type."""
    return constant(0, type_)


def identity(operation: Operation, type_: str) -> Value:
    """Give the integer that combines with any other to that other."""
    bits = int(type_[1:])
    signed = is_signed(operation)
    least, most = (1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, -1)
    value = {"and": -1, "min": most, "max": least}.get(_word(operation), 0)
    return constant(value, type_)


def _combine_integers(e: Emitter, operation: Operation, values: Value, group: Value) -> Value:
    chosen = e.select(e.mask(group), values, identity(operation, values.type))
    word = _word(operation)
    if word in ("min", "max"):
        word = ("s" if is_signed(operation) else "u") + word
    return e.reduced(word, chosen)


def _combine_floats(e: Emitter, operation: Operation, values: Value, group: Value) -> Value:
    """Combine lane by lane; a minimum begins with the first lane twice, so that its NaN counts."""
    if "abs" in operation.modifiers:
        values = floats.abs_(e, decode(f"abs.{operation.type}"), values)
    array, total = e.spill(values), e.array(values.type)
    here, type_ = constant(0, "i32"), values.type
    first = e.op(
        "and", e.call("llvm.cttz", group, extra=", i1 false"), constant(e.lanes - 1, group.type)
    )
    e.put(total, here, e.get(array, first, type_))
    rest = e.op("and", group, e.op("sub", group, constant(1, group.type)))

    def one(lane: Value) -> None:
        before, new = e.get(total, here, type_), e.get(array, lane, type_)
        e.put(total, here, combine(e, operation, before, new))

    e.each_lane(rest if _word(operation) == "add" else group, one)
    return e.get(total, here, type_)


def combine(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    """Combine two values as a reduction or a prefix does."""
    word = _word(operation)
    if is_float(operation):
        nan = ".NaN" if "NaN" in operation.modifiers else ""
        plain = decode(f"{word}{nan}.{operation.type}")
        if word == "add":
            return floats.add(e, plain, a, b)
        return (floats.minimum if word == "min" else floats.maximum)(e, plain, a, b)
    if word in ("min", "max"):
        return e.call(f"llvm.{'s' if is_signed(operation) else 'u'}{word}", a, b)
    return e.op(word, a, b)


@rule("lane_scan")
def lane_scan(step: Step) -> None:
    """Combine the values of the active lanes up to each one, or of those below it."""
    e, operation = step.emitter, step.operation
    (value,) = step.instruction.sources
    values = e.vector(step.read(value, operation.type))
    inclusive = "inclusive" in operation.modifiers

    def body(e: Emitter, values: Value, active: Value) -> Value:
        array, results, total = e.spill(values), e.spill(values), e.array(values.type)
        here, type_ = constant(0, "i32"), values.type
        e.put(total, here, _neutral(operation, type_))

        def one(lane: Value) -> None:
            before = e.get(total, here, type_)
            after = combine(e, operation, before, e.get(array, lane, type_))
            e.put(total, here, after)
            e.put(results, lane, after if inclusive else before)

        e.each_lane(active, one)
        return e.whole(results, type_)

    step.give(e.outlined(operation.opcode, body, values, active_bits(step))[0])


_INFINITY = {"half": 0x7C00, "float": 0x7F80_0000, "double": 0x7FF0 << 48, "i16": 0x7F80}


def _neutral(operation: Operation, type_: str) -> Value:
    """Give what a prefix begins with: 0, or the number beyond all others."""
    if not is_float(operation):
        return identity(operation, type_)
    if _word(operation) == "add":
        return zero_of(type_)
    bits = int(_INFINITY[type_])
    if _word(operation) == "max":
        bits |= 1 << {"half": 15, "i16": 15, "float": 31, "double": 63}[type_]
    return constant(bits, type_) if type_ == "i16" else float_constant(bits, type_)
