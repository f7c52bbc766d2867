"""Exchanges between lanes that AMD and OpenCL have and PTX has not.

Sources: AMD's instruction set references (GCN3 and Vega for ``dpp`` and ``ds_swizzle``, RDNA 2 for
``v_permlane``, CDNA 3 for the swaps); docs/ir.md names the operations. Where a lane would read an
inactive one it gets what the instruction gives for lanes out of range.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.ir.kernel import Imm, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.members import active_bits
from warpmill.executor.native.rules.registry import pure, refuses, rule
from warpmill.executor.native.rules.support import zero
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant


@pure("lane_read")
def lane_read(e: Emitter, _: Operation, value: Value, lane: Value) -> Value:
    """Give what a lane has, by its number modulo the warp's size."""
    return e.shuffle(value, _within(e, lane))


def _within(e: Emitter, lane: Value) -> Value:
    return e.op("and", lane, constant(e.lanes - 1, lane.type))


@rule("lane_first")
def lane_first(step: Step) -> None:
    """Give what the first active lane has."""
    e = step.emitter
    (value,) = step.sources()
    first = e.call("llvm.cttz", active_bits(step), extra=", i1 false")
    step.give(e.shuffle(value, e.resize(_within(e, first), "i32")))


@pure("lane_write")
def lane_write(e: Emitter, _: Operation, value: Value, lane: Value, old: Value) -> Value:
    """Put a value into one lane; the others keep the last operand."""
    return e.select(e.compare("eq", e.lane_numbers(), _within(e, lane)), value, old)


@rule("lane_send")
def lane_send(step: Step) -> None:
    """Give each active lane's value to the lane that it names; the highest wins, no value is 0."""
    e = step.emitter
    value, lane = (e.vector(v) for v in step.sources())

    def body(e: Emitter, value: Value, lane: Value, active: Value) -> Value:
        values, lanes = e.spill(value), e.spill(_within(e, lane))
        results = e.spill(e.vector(zero(value.type)))

        def one(number: Value) -> None:
            to = e.get(lanes, number, "i32")
            e.put(results, to, e.get(values, number, value.type))

        e.each_lane(active, one)
        return e.whole(results, value.type)

    name = f"lane_send.{value.type}"
    step.give(e.outlined(name, body, value, lane, active_bits(step))[0])


# Patterns that are known here.


def _numbers(operands: tuple[Operand, ...]) -> list[int]:
    return [o.value for o in operands if isinstance(o, Imm)]


def _taken(step: Step, value: Value, sources: list[int | None], missing: Value) -> Value:
    """Give what other lanes have; ``missing`` where there is none or it is not active."""
    e = step.emitter
    order = [lane if source is None else source for lane, source in enumerate(sources)]
    given = _lanes_of(e, [source is not None for source in sources])
    active = e.op("and", e.permute(step.mask, order), given)
    return e.select(active, e.permute(value, order), missing)


def _lanes_of(e: Emitter, truths: list[bool]) -> Value:
    bits = sum(1 << lane for lane, truth in enumerate(truths) if truth)
    return e.mask(constant(bits, f"i{e.lanes}"))


@rule("dpp")
def dpp(step: Step) -> None:
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
def swizzle(step: Step) -> None:
    """Read within 32 lanes by AMD's pattern; what an inactive lane has counts as 0."""
    value, _ = step.sources()
    (pattern,) = _numbers(step.instruction.operands[2:])
    sources = swizzle_sources(pattern & 0xFFFF, step.emitter.lanes)
    step.give(_taken(step, value, sources, zero(value.type)))


@refuses("swizzle")
def _refuse_swizzle(instruction: Instruction) -> str | None:
    return None if _numbers(instruction.operands[2:]) else "its pattern is not a constant"


@rule("permlane")
def permlane(step: Step) -> None:
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


def _groups_of_eight(step: Step) -> None:
    value = step.read(step.instruction.operands[1], step.operation.type)
    (selector,) = _numbers(step.instruction.operands[2:])
    lanes = range(step.emitter.lanes)
    sources: list[int | None] = [k & ~7 | selector >> 3 * (k & 7) & 7 for k in lanes]
    step.give(_taken(step, value, sources, zero(value.type)))


def _swapped(step: Step, rows: int) -> None:
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


def _rows(step: Step, *, other: bool) -> None:
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


def _nibble(e: Emitter, words: list[Value]) -> Value:
    if len(words) == 1:
        return words[0]
    upper = _lanes_of(e, [bool(lane & 8) for lane in range(e.lanes)])
    amounts = ", ".join([f"i32 {4 * (lane & 7)}" for lane in range(e.lanes)])
    return e.op("lshr", e.select(upper, words[1], words[0]), Value(f"<{amounts}>", "i32"))


# AMD's ways of naming lanes, as tables: which lane each lane reads, None where there is none.
#
# Sources: AMD's GCN3, Vega and RDNA 2 instruction set references, ``DPP_CTRL`` and ``ds_swizzle``.

Source = Callable[[int, int], int]
"""Gives the source by the lane and the control's low four bits."""


def _within_row(lane: int, source: int) -> int:
    """Give a source, or -1 where it is in another row of 16 lanes."""
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
    """Give the lanes that ``dpp`` reads by its control; None for a control that is not known."""
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
    """Give the lanes that ``ds_swizzle`` reads, within each 32 of them."""
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
