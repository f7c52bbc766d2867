"""Operations of a warp's lanes together: reductions and prefixes, votes, shuffles, exchanges.

``redux`` is PTX's (PTX ISA 9.0, section 9.7.13), also on the types that AMD and OpenCL reduce;
``lane_scan`` is our own. Floating point is combined in the order of the lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Imm, Instruction, Operand, Pair
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant, float_constant
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.registry import (
    active_bits,
    group_bits,
    is_float,
    is_signed,
    number,
    peel,
    pure,
    refuses,
    rule,
    zero,
)
from warpmill.executor.native.step import LoweringStep

_WORDS = ("add", "min", "max", "and", "or", "xor")


def _word(operation: Operation) -> str:
    return next(w for w in operation.modifiers if w in _WORDS)


@rule("redux")
def redux(step: LoweringStep) -> None:
    """Combine the values of the lanes of a group into one that all of them get."""
    e, operation = step.emitter, step.operation
    value, members = step.instruction.sources
    values = e.vector(step.read(value, operation.type))
    group = group_bits(step, members)

    def combined(e: Emitter, values: LlvmValue, group: LlvmValue) -> LlvmValue:
        if is_float(operation):
            return _combine_floats(e, operation, values, group)
        return _combine_integers(e, operation, values, group)

    name = operation.opcode
    if group.uniform:
        step.give(e.outlined(name, combined, values, group)[0])
        return

    def by_group(e: Emitter, values: LlvmValue, groups: LlvmValue, active: LlvmValue) -> LlvmValue:
        array = e.spill(groups)

        def one(lane: LlvmValue, result: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
            bits = e.get(array, lane, groups.type)
            same = e.mask(e.bits(e.compare("eq", groups, bits)))
            total = e.outlined(name, combined, values, bits)[0]
            return e.bits(same), e.select(same, total, result)

        return peel(e, active, zero_of(values.type), one)

    step.give(e.outlined(f"{name}.groups", by_group, values, group, active_bits(step))[0])


def zero_of(type_: str) -> LlvmValue:
    """The constant 0 of an LLVM type."""
    return constant(0, type_)


def identity(operation: Operation, type_: str) -> LlvmValue:
    """The integer that combines with any other to that other."""
    bits = int(type_[1:])
    signed = is_signed(operation)
    least, most = (1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, -1)
    value = {"and": -1, "min": most, "max": least}.get(_word(operation), 0)
    return constant(value, type_)


def _combine_integers(
    e: Emitter, operation: Operation, values: LlvmValue, group: LlvmValue
) -> LlvmValue:
    chosen = e.select(e.mask(group), values, identity(operation, values.type))
    word = _word(operation)
    if word in ("min", "max"):
        word = ("s" if is_signed(operation) else "u") + word
    return e.reduced(word, chosen)


def _combine_floats(
    e: Emitter, operation: Operation, values: LlvmValue, group: LlvmValue
) -> LlvmValue:
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

    def one(lane: LlvmValue) -> None:
        before, new = e.get(total, here, type_), e.get(array, lane, type_)
        e.put(total, here, combine(e, operation, before, new))

    e.each_lane(rest if _word(operation) == "add" else group, one)
    return e.get(total, here, type_)


def combine(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
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
def lane_scan(step: LoweringStep) -> None:
    """Combine the values of the active lanes up to each one, or of those below it."""
    e, operation = step.emitter, step.operation
    (value,) = step.instruction.sources
    values = e.vector(step.read(value, operation.type))
    inclusive = "inclusive" in operation.modifiers

    def body(e: Emitter, values: LlvmValue, active: LlvmValue) -> LlvmValue:
        array, results, total = e.spill(values), e.spill(values), e.array(values.type)
        here, type_ = constant(0, "i32"), values.type
        e.put(total, here, _neutral(operation, type_))

        def one(lane: LlvmValue) -> None:
            before = e.get(total, here, type_)
            after = combine(e, operation, before, e.get(array, lane, type_))
            e.put(total, here, after)
            e.put(results, lane, after if inclusive else before)

        e.each_lane(active, one)
        return e.whole(results, type_)

    step.give(e.outlined(operation.opcode, body, values, active_bits(step))[0])


_INFINITY = {"half": 0x7C00, "float": 0x7F80_0000, "double": 0x7FF0 << 48, "i16": 0x7F80}


def _neutral(operation: Operation, type_: str) -> LlvmValue:
    """Neutral element of a prefix: 0, or the number beyond all others."""
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
def activemask(step: LoweringStep) -> None:
    """The lanes that are active, as bits."""
    step.give(active_bits(step))


@rule("vote")
def vote(step: LoweringStep) -> None:
    """Lower a vote of a group's lanes on a predicate."""
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
def match(step: LoweringStep) -> None:
    """The lanes of a group that have the same value, or all of them where all have."""
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


def _equal_lanes(e: Emitter, values: LlvmValue, active: LlvmValue) -> LlvmValue:
    """Lanes with the value of each active lane, active or not."""
    array = e.spill(values)

    def one(lane: LlvmValue, result: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
        equal = e.compare("eq", values, e.get(array, lane, values.type))
        bits = e.bits(equal)
        return bits, e.select(equal, bits, result)

    return peel(e, active, zero(active.type), one)


@rule("elect")
def elect(step: LoweringStep) -> None:
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
def shfl(step: LoweringStep) -> None:
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
    """The lane that a lane reads; None where that is out of its range."""
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

    first: LlvmValue
    last: LlvmValue
    inner: LlvmValue


def _limits(e: Emitter, limits: LlvmValue) -> _Limits:
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


def _lane_constants(numbers: list[int]) -> LlvmValue:
    return LlvmValue(f"<{', '.join([f'i32 {n}' for n in numbers])}>", "i32")


def _sources(
    e: Emitter, mode: str, offset: LlvmValue, limits: _Limits
) -> tuple[LlvmValue, LlvmValue]:
    """The lane that each lane reads, and whether it is in range."""
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


# Exchanges between lanes that AMD and OpenCL have and PTX has not.
#
# Sources: AMD's instruction set references (GCN3 and Vega for ``dpp`` and ``ds_swizzle``, RDNA 2
# for ``v_permlane``, CDNA 3 for the swaps); docs/ir.md names the operations. Where a lane would
# read an inactive one it gets what the instruction gives for lanes out of range.


@pure("lane_read")
def lane_read(e: Emitter, _: Operation, value: LlvmValue, lane: LlvmValue) -> LlvmValue:
    """Value of a lane, by its number modulo the warp's size."""
    return e.shuffle(value, _within(e, lane))


def _within(e: Emitter, lane: LlvmValue) -> LlvmValue:
    return e.op("and", lane, constant(e.lanes - 1, lane.type))


@rule("lane_first")
def lane_first(step: LoweringStep) -> None:
    """Lower a read of the first active lane's value."""
    e = step.emitter
    (value,) = step.sources()
    first = e.call("llvm.cttz", active_bits(step), extra=", i1 false")
    step.give(e.shuffle(value, e.resize(_within(e, first), "i32")))


@pure("lane_write")
def lane_write(
    e: Emitter, _: Operation, value: LlvmValue, lane: LlvmValue, old: LlvmValue
) -> LlvmValue:
    """Value written into one lane; the others keep the last operand."""
    return e.select(e.compare("eq", e.lane_numbers(), _within(e, lane)), value, old)


@rule("lane_send")
def lane_send(step: LoweringStep) -> None:
    """Each active lane's value to the lane that it names; the highest wins, no value is 0."""
    e = step.emitter
    value, lane = (e.vector(v) for v in step.sources())

    def body(e: Emitter, value: LlvmValue, lane: LlvmValue, active: LlvmValue) -> LlvmValue:
        values, lanes = e.spill(value), e.spill(_within(e, lane))
        results = e.spill(e.vector(zero(value.type)))

        def one(number: LlvmValue) -> None:
            to = e.get(lanes, number, "i32")
            e.put(results, to, e.get(values, number, value.type))

        e.each_lane(active, one)
        return e.whole(results, value.type)

    name = f"lane_send.{value.type}"
    step.give(e.outlined(name, body, value, lane, active_bits(step))[0])


# Patterns that are known here.


def _numbers(operands: tuple[Operand, ...]) -> list[int]:
    return [o.value for o in operands if isinstance(o, Imm)]


def _taken(
    step: LoweringStep, value: LlvmValue, sources: list[int | None], missing: LlvmValue
) -> LlvmValue:
    """Values of other lanes; ``missing`` where there is none or it is not active."""
    e = step.emitter
    order = [lane if source is None else source for lane, source in enumerate(sources)]
    given = _lanes_of(e, [source is not None for source in sources])
    active = e.op("and", e.permute(step.mask, order), given)
    return e.select(active, e.permute(value, order), missing)


def _lanes_of(e: Emitter, truths: list[bool]) -> LlvmValue:
    bits = sum(1 << lane for lane, truth in enumerate(truths) if truth)
    return e.mask(constant(bits, f"i{e.lanes}"))


@rule("dpp")
def dpp(step: LoweringStep) -> None:
    """Read within rows of 16 lanes by AMD's control; masked rows and banks keep the old value."""
    e = step.emitter
    old, value, *_, bound = step.sources()
    control, rows, banks = _numbers(step.instruction.operands[3:6])
    bound = bound if bound.type == "i1" else e.compare("ne", bound, zero(bound.type))
    missing = e.select(bound, zero(old.type), old)
    taken = _taken(step, value, dpp_sources(control, e.lanes) or [], missing)
    on = [rows >> lane // 16 & banks >> lane // 4 % 4 & 1 == 1 for lane in range(e.lanes)]
    step.give(taken if all(on) else e.select(_lanes_of(e, on), taken, old))


@refuses("dpp")
def _refuse_dpp(instruction: Instruction) -> str | None:
    known = _numbers(instruction.operands[3:6])
    if len(known) < 3:
        return "its control and masks are not constants"
    return None if dpp_sources(known[0], 64) else f"its control {known[0]:#x} is not known"


@rule("swizzle")
def swizzle(step: LoweringStep) -> None:
    """Read within 32 lanes by AMD's pattern; what an inactive lane has counts as 0."""
    value, _ = step.sources()
    (pattern,) = _numbers(step.instruction.operands[2:])
    sources = swizzle_sources(pattern & 0xFFFF, step.emitter.lanes)
    step.give(_taken(step, value, sources, zero(value.type)))


@refuses("swizzle")
def _refuse_swizzle(instruction: Instruction) -> str | None:
    return None if _numbers(instruction.operands[2:]) else "its pattern is not a constant"


@rule("permlane")
def permlane(step: LoweringStep) -> None:
    """Read within and between rows of 16 lanes, or within groups of 8."""
    words = step.operation.modifiers
    if "dpp8" in words:
        _groups_of_eight(step)
    elif "swap16" in words or "swap32" in words:
        _swapped(step, 16 if "swap16" in words else 32)
    else:
        _rows(step, other="other16" in words)


@refuses("permlane")
def _refuse_permlane(instruction: Instruction) -> str | None:
    words = instruction.operation.modifiers
    if "dpp8" in words:
        return None if _numbers(instruction.operands[2:]) else "its selector is not a constant"
    known = {"x16", "other16", "swap16", "swap32"} & set(words)
    return None if known else "its kind is not known"


def _groups_of_eight(step: LoweringStep) -> None:
    value = step.read(step.instruction.operands[1], step.operation.type)
    (selector,) = _numbers(step.instruction.operands[2:])
    lanes = range(step.emitter.lanes)
    sources: list[int | None] = [k & ~7 | selector >> 3 * (k & 7) & 7 for k in lanes]
    step.give(_taken(step, value, sources, zero(value.type)))


def _swapped(step: LoweringStep, rows: int) -> None:
    """Swap the odd rows of the first value with the even ones of the second."""
    e = step.emitter
    to, *sources = step.instruction.operands
    first, second = (step.read(o, step.operation.type) for o in sources[:2])
    across = [lane ^ rows if lane ^ rows < e.lanes else lane for lane in range(e.lanes)]
    even = _lanes_of(e, [not lane & rows for lane in range(e.lanes)])
    results = (
        e.select(even, first, e.permute(second, across)),
        e.select(even, e.permute(first, across), second),
    )
    for target, result in zip(step.elements(to), results, strict=False):
        step.write(target, result)


def _rows(step: LoweringStep, *, other: bool) -> None:
    """Read from a lane of the own row or the other of its pair, by a nibble each.

    The nibbles stand in two words, or each lane has its own.
    """
    e = step.emitter
    _, *operands = step.instruction.operands
    old, value = (step.read(o, step.operation.type) for o in operands[:2])
    words = [e.resize(step.read(o), "i32") for o in operands[2:]]
    row = e.op("and", e.lane_numbers(), constant(~15, "i32"))
    if other:
        row = e.op("xor", row, constant(16, "i32"))
    source = _within(e, e.op("or", row, e.op("and", _nibble(e, words), constant(15, "i32"))))
    active = e.shuffle(step.mask, source)
    step.give(e.select(active, e.shuffle(value, source), old))


def _nibble(e: Emitter, words: list[LlvmValue]) -> LlvmValue:
    if len(words) == 1:
        return words[0]
    upper = _lanes_of(e, [bool(lane & 8) for lane in range(e.lanes)])
    amounts = ", ".join([f"i32 {4 * (lane & 7)}" for lane in range(e.lanes)])
    return e.op("lshr", e.select(upper, words[1], words[0]), LlvmValue(f"<{amounts}>", "i32"))


# AMD's ways of naming lanes, as tables: which lane each lane reads, None where there is none.
#
# Sources: AMD's GCN3, Vega and RDNA 2 instruction set references, ``DPP_CTRL`` and ``ds_swizzle``.

Source = Callable[[int, int], int]
"""Source lane by the lane and the control's low four bits."""


def _within_row(lane: int, source: int) -> int:
    """A source, or -1 where it is in another row of 16 lanes."""
    return source if source >> 4 == lane >> 4 else -1


_BY_AMOUNT: dict[int, Source] = {
    0x100: lambda lane, n: _within_row(lane, lane + n),  # row_shl
    0x110: lambda lane, n: _within_row(lane, lane - n),  # row_shr
    0x120: lambda lane, n: lane & ~15 | lane - n & 15,  # row_ror
    0x150: lambda lane, n: lane & ~15 | n,  # row_share
    0x160: lambda lane, n: lane ^ n,  # row_xmask
}

_SINGLE: dict[int, Callable[[int, int], int]] = {
    0x130: lambda lane, _: lane + 1,  # wave_shl
    0x134: lambda lane, lanes: (lane + 1) % lanes,  # wave_rol
    0x138: lambda lane, _: lane - 1,  # wave_shr
    0x13C: lambda lane, lanes: (lane - 1) % lanes,  # wave_ror
    0x140: lambda lane, _: lane ^ 15,  # row_mirror
    0x141: lambda lane, _: lane ^ 7,  # row_half_mirror
    0x142: lambda lane, _: (lane & ~15) - 1,  # row_bcast15
    0x143: lambda lane, _: 31 if lane >= 32 else -1,  # row_bcast31
}


def dpp_sources(control: int, lanes: int) -> list[int | None] | None:
    """The lanes that ``dpp`` reads by its control; None for a control that is not known."""
    if 0 <= control < 0x100:
        return [lane & ~3 | control >> 2 * (lane & 3) & 3 for lane in range(lanes)]
    if control in _SINGLE:
        return [_valid(_SINGLE[control](lane, lanes), lanes) for lane in range(lanes)]
    kind, amount = control & ~15, control & 15
    if kind not in _BY_AMOUNT or (amount == 0 and kind < 0x150):
        return None
    return [_valid(_BY_AMOUNT[kind](lane, amount), lanes) for lane in range(lanes)]


def _valid(source: int, lanes: int) -> int | None:
    return source if 0 <= source < lanes else None


def swizzle_sources(pattern: int, lanes: int) -> list[int | None]:
    """The lanes that ``ds_swizzle`` reads, within each 32 of them."""
    return [lane & ~31 | _swizzled(lane & 31, pattern) for lane in range(lanes)]


def _swizzled(lane: int, pattern: int) -> int:
    low, middle, high = pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31
    if pattern >= 0xE000:  # for Fourier transforms: reversed bits, below those that stay
        turned = int(f"{lane:05b}"[::-1], 2)
        return turned >> low.bit_count() | lane & low
    if pattern >= 0xC000:  # rotation; bit 10 is its direction
        way = -middle if pattern >> 10 & 1 else middle
        return lane & low | lane + way & ~low & 31
    if pattern >= 0x8000:  # within fours
        return lane & ~3 | pattern >> 2 * (lane & 3) & 3
    return (lane & low | middle) ^ high
