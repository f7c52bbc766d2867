"""What the lanes of a warp do together: reductions and prefixes, votes, shuffles.

``redux`` is PTX's (PTX ISA 9.0, section 9.7.13), also on the types that AMD and OpenCL reduce;
``lane_scan`` is our own. Floating point is combined in the order of the lanes.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Pair
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.members import active_bits, group_bits
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.rules.support import is_float, is_signed, number, peel, zero
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


# Votes, matches and elections among the lanes of a warp. Source: PTX ISA 9.0, section 9.7.13.


@rule("activemask")
def activemask(step: Step) -> None:
    """Give the lanes that are active, as bits."""
    step.give(active_bits(step))


@rule("vote")
def vote(step: Step) -> None:
    """Tell the lanes of a group about a predicate of all of them."""
    e = step.emitter
    predicate, *members = step.instruction.sources
    group = group_bits(step, members[0] if members else None)
    held = e.bits(step.read(predicate, step.operation.operand_types[1]))
    yes = e.op("and", group, held)
    words = step.operation.modifiers
    if "ballot" in words:
        step.give(yes)
        return
    none, every = e.compare("eq", yes, zero(yes.type)), e.compare("eq", yes, group)
    if "all" in words:
        step.give(every)
    elif "any" in words:
        step.give(e.compare("ne", yes, zero(yes.type)))
    else:
        step.give(e.op("or", none, every))


@rule("match")
def match(step: Step) -> None:
    """Give the lanes of a group that have the same value, or all of them where all have."""
    e = step.emitter
    value, members = step.instruction.sources
    group = group_bits(step, members)
    values = e.vector(step.read(value, step.operation.type))
    (same,) = e.outlined(f"match.{values.type}", _equal_lanes, values, active_bits(step))
    same = e.op("and", same, group)
    if "any" in step.operation.modifiers:
        step.give(same)
        return
    every = e.compare("eq", same, e.vector(group))
    step.give(e.select(every, same, zero(same.type)), every)


def _equal_lanes(e: Emitter, values: Value, active: Value) -> Value:
    """Give for each active lane the lanes that have its value, active or not."""
    array = e.spill(values)

    def one(lane: Value, result: Value) -> tuple[Value, Value]:
        equal = e.compare("eq", values, e.get(array, lane, values.type))
        bits = e.bits(equal)
        return bits, e.select(equal, bits, result)

    return peel(e, active, zero(active.type), one)


@rule("elect")
def elect(step: Step) -> None:
    """Choose the lowest lane of the group: its number, and who it is."""
    e = step.emitter
    (members,) = step.instruction.sources
    group = group_bits(step, members)
    leader = e.resize(e.call("llvm.cttz", group, extra=", i1 false"), "i32")
    step.give(leader, e.compare("eq", leader, e.lane_numbers()))


# ``shfl``: each lane reads a register of another one. Source: PTX ISA 9.0, section 9.7.9.6.
#
# The manual's five bits of lane numbers are six in warps of 64.

_SEGMENT = 8  # where in the operand the mask of the segments begins


@rule("shfl")
def shfl(step: Step) -> None:
    """Read from the lane that the operands give; from the own one where that is out of range."""
    e = step.emitter
    value, offset, limits, *_ = step.sources()
    mode = next(w for w in step.operation.modifiers if w in ("up", "down", "bfly", "idx"))
    asks = isinstance(step.instruction.operands[0], Pair)
    known = number(offset), number(limits)
    if None not in known:
        lanes = [_source(mode, lane, *known, e.lanes) for lane in range(e.lanes)]  # type: ignore[arg-type] # both are numbers here
        order = [lane if source is None else source for lane, source in enumerate(lanes)]
        bits = sum(1 << lane for lane, source in enumerate(lanes) if source is not None)
        result = e.permute(value, order)
        step.give(result, *([e.mask(constant(bits, f"i{e.lanes}"))] if asks else []))
        return
    source, in_range = _sources(e, mode, offset, _limits(e, limits))
    step.give(e.shuffle(value, source), in_range)


def _source(mode: str, lane: int, offset: int, limits: int, lanes: int) -> int | None:
    """Give the lane that a lane reads; None where that is out of its range."""
    most = lanes - 1
    segment = limits >> _SEGMENT & most
    offset &= most
    first = lane & segment
    last = first | limits & most & ~segment
    if mode == "up":
        return lane - offset if lane - offset >= last else None
    source = {"down": lane + offset, "bfly": lane ^ offset, "idx": first | offset & ~segment}[mode]
    return source if source <= last else None


@dataclass(frozen=True)
class _Limits:
    """The first and last lane of each lane's range, and the bits of a lane's place within it."""

    first: Value
    last: Value
    inner: Value


def _limits(e: Emitter, limits: Value) -> _Limits:
    most = e.lanes - 1
    known = number(limits)
    if known is not None:
        segment = known >> _SEGMENT & most
        if segment == 0:
            last = constant(known & most, "i32")
            return _Limits(constant(0, "i32"), last, constant(most, "i32"))
        first = _lane_constants([lane & segment for lane in range(e.lanes)])
        inner = constant(most & ~segment, "i32")
        return _Limits(first, e.op("or", first, constant(known & most & ~segment, "i32")), inner)
    every = constant(most, "i32")
    part = e.op("and", e.op("lshr", limits, constant(_SEGMENT, "i32")), every)
    inner = e.op("xor", part, every)
    first = e.op("and", e.lane_numbers(), part)
    return _Limits(first, e.op("or", first, e.op("and", limits, inner)), inner)


def _lane_constants(numbers: list[int]) -> Value:
    return Value(f"<{', '.join([f'i32 {n}' for n in numbers])}>", "i32")


def _sources(e: Emitter, mode: str, offset: Value, limits: _Limits) -> tuple[Value, Value]:
    """Give the lane that each lane reads, and whether it is in range."""
    own = e.lane_numbers()
    if mode == "idx":
        inside = e.op("and", offset, limits.inner)
        source = inside if number(limits.first) == 0 else e.op("or", limits.first, inside)
        if number(limits.last) == e.lanes - 1:
            return source, constant(1, "i1")
    else:
        offset = e.op("and", offset, constant(e.lanes - 1, "i32"))
        source = e.op({"up": "sub", "down": "add", "bfly": "xor"}[mode], own, offset)
    in_range = e.compare("sge" if mode == "up" else "sle", source, limits.last)
    return e.select(in_range, source, own), in_range
