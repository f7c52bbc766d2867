"""The scanner of trace bodies: text of whole CTAs to columns. Jitted.

A line's instruction is told by a hash of its PC and of what stands there at every execution: the
registers, the opcode and the size of an access. Lanes' addresses become a base, that of the lowest
lane that is on, and a pattern of distances from it; equal patterns of a piece are kept once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit, jit_part

Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

LANES = 32

FAULTS = (
    "",
    "a thread block begins with #BEGIN_TB",
    "the place of the thread block is needed: thread block = x,y,z",
    "the number of a warp is needed: warp = N",
    "the number of instructions is needed: insts = N",
    "the warp has fewer instructions than its `insts = ` says",
    "the warp has more instructions than its `insts = ` says",
    "a PC is needed, in hexadecimal digits",
    "the mask of active lanes is needed, in hexadecimal digits",
    "the number of registers is needed, 0 to 9",
    "a register is missing",
    "the opcode is missing",
    "the bytes of an access are needed, 0 where there is none",
    "the form of the addresses is needed: 0 (all), 1 (base and stride) or 2 (base and differences)",
    "an address is needed, as 0x…",
    "a stride is needed",
    "fewer differences of addresses than active lanes",
    "the address lies beyond all memory",
    "base and stride are for lanes that follow each other",
    "#END_TB is missing before the next thread block",
    "the prefix of CTA and warp is needed before the PC, as of tracers before version 3",
    "the line of the source is needed before the PC, as -enable lineinfo = 1 says",
)  # fmt: skip
(
    OK, NO_BEGIN, NO_PLACE, NO_WARP, NO_COUNT, FEWER, MORE, NO_PC, NO_MASK, NO_NUMBER, NO_REGISTER,
    NO_OPCODE, NO_WIDTH, NO_MODE, NO_ADDRESS, NO_STRIDE, NO_DELTA, BEYOND, NOT_A_RUN, NO_END,
    NO_PREFIX, NO_LINE,
) = range(len(FAULTS))  # fmt: skip

_NL, _BLANK, _HASH, _MINUS, _ZERO, _X = 10, 32, 35, 45, 48, 120
_SEED, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MOST_LISTED, _MOST_DIGITS = 9, 16


@dataclass(frozen=True, eq=False)
class Scanned:
    """Columns of whole CTAs. ``fault`` and ``at``: what is wrong, and the byte where; 0: nothing.

    ``pc``, ``mask``, ``key`` (the hash) and ``line`` (of the source, 0: not told) are by
    instruction; its text is from ``begin`` to ``end``. ``access`` is its row of ``base`` and
    ``pattern``, -1: none. ``warp_id`` and ``warp_first`` are by warp as it stands, with the number
    of instructions at the end; ``cta_place`` (x, y, z), ``cta_warp`` and ``cta_byte`` likewise.
    """

    fault: int
    at: int
    pc: Numbers
    mask: Words
    key: Words
    line: Numbers
    begin: Numbers
    end: Numbers
    access: Numbers
    base: Numbers
    pattern: Numbers
    patterns: Numbers
    warp_id: Numbers
    warp_first: Numbers
    cta_place: Numbers
    cta_warp: Numbers
    cta_byte: Numbers


def scan(text: bytes, *, has_lines: bool = False, prefixed: bool = False) -> Scanned:
    """Scan the text of whole CTAs. Nothing behind a fault is read."""
    data = np.frombuffer(text, np.uint8)
    room = text.count(b"\n") + 1
    ctas = text.count(b"#BEGIN_TB") + 1
    warps = text.count(b"warp =") + 1
    rows = np.empty((7, room), np.int64)
    words = np.empty((2, room), np.uint64)
    patterns = np.empty((room, LANES), np.int64)
    slots = np.full(1 << max(10, (2 * room).bit_length()), -1, np.int32)
    told = np.empty((2, warps + 1), np.int64)
    places = np.empty((5, ctas + 1), np.int64)
    ends = np.zeros(6, np.int64)
    _scan(data, has_lines, prefixed, rows, words, patterns, slots, told, places, ends)
    fault, at, n, accesses, distinct, _ = ends.tolist()
    warps, ctas = int(ends[5]) >> 32, int(ends[5]) & 0xFFFFFFFF
    told[1, warps] = n
    places[3, ctas] = warps
    return Scanned(
        fault, at, rows[0, :n], words[0, :n], words[1, :n], rows[1, :n], rows[2, :n], rows[3, :n],
        rows[4, :n], rows[5, :accesses], rows[6, :accesses], patterns[:distinct],
        told[0, :warps], told[1, : warps + 1],
        places[:3, :ctas], places[3, : ctas + 1], places[4, :ctas],
    )  # fmt: skip


@jit_part
def skip(data: Any, at: Any) -> Any:
    """The place of the next word of a line, or of its end."""
    while data[at] <= _BLANK and data[at] != _NL:
        at += 1
    return at


@jit_part
def over(data: Any, at: Any) -> Any:
    """The place behind a word."""
    while data[at] > _BLANK:
        at += 1
    return at


@jit_part
def hexadecimal(data: Any, at: Any) -> Any:
    """A number of hexadecimal digits, and the place behind it; none where that is the same."""
    value = np.uint64(0)
    while True:
        c = data[at]
        if 48 <= c <= 57:
            digit = c - 48
        elif 97 <= c <= 102:
            digit = c - 87
        elif 65 <= c <= 70:
            digit = c - 55
        else:
            return value, at
        value = (value << np.uint64(4)) | np.uint64(digit)
        at += 1


@jit_part
def decimal(data: Any, at: Any) -> Any:
    """A number of decimal digits with a sign, and the place behind it; as ``hexadecimal``."""
    begin, sign = at, np.int64(1)
    if data[at] == _MINUS:
        sign, at = np.int64(-1), at + 1
    value, first = np.int64(0), at
    while 48 <= data[at] <= 57:
        value = value * 10 + (np.int64(data[at]) - 48)
        at += 1
    return sign * value, at if at > first else begin


@jit_part
def starts(data: Any, at: int, word: Any) -> bool:
    """Whether a word stands at a place."""
    if at + word.size > data.size:
        return False
    for k in range(word.size):
        if data[at + k] != word[k]:
            return False
    return True


@jit_part
def same(patterns: Any, a: int, b: int) -> bool:
    """Whether two patterns are equal."""
    for lane in range(LANES):
        if patterns[a, lane] != patterns[b, lane]:
            return False
    return True


@jit_part
def operands(data: Any, at: int) -> Any:
    """Pass over the registers and the opcode: a fault, and the place behind them."""
    for part in range(2):
        number, after = decimal(data, at)
        if after == at or number < 0 or number > _MOST_LISTED or data[after] > _BLANK:
            return NO_NUMBER, at
        at = skip(data, after)
        for _ in range(number):
            if data[at] == _NL:
                return NO_REGISTER, at
            at = skip(data, over(data, at))
        if part == 0:
            if data[at] == _NL:
                return NO_OPCODE, at
            at = skip(data, over(data, at))
    return OK, at


@jit_part
def address(data: Any, at: int) -> Any:
    """A fault, the number behind 0x, and the place behind it."""
    if data[at] != _ZERO or data[at + 1] != _X:
        return NO_ADDRESS, np.int64(0), at
    value, after = hexadecimal(data, at + 2)
    if after == at + 2 or after > at + 2 + _MOST_DIGITS:
        return NO_ADDRESS, np.int64(0), at
    fault = BEYOND if value >> np.uint64(63) else OK
    return fault, np.int64(value), skip(data, after)


@jit_part
def addresses(data: Any, at: int, mask: Any, patterns: Any, row: int) -> Any:
    """A fault, and the address of the lowest lane on; fills the lanes' distances from it."""
    mode = np.int64(data[at]) - 48
    if mode < 0 or mode > 2 or data[at + 1] > _BLANK:
        return NO_MODE, np.int64(0)
    at = skip(data, at + 1)
    fault, base, stride = OK, np.int64(0), np.int64(0)
    if mode > 0:
        fault, base, at = address(data, at)
    if fault == OK and mode == 1:
        stride, after = decimal(data, at)
        run = mask // (mask & (~mask + np.uint64(1)))
        fault = NO_STRIDE if after == at else NOT_A_RUN if run & (run + np.uint64(1)) else OK
    offset = np.int64(0)
    seen = False
    for lane in range(LANES):
        patterns[row, lane] = 0
        if fault != OK or (mask >> np.uint64(lane)) & np.uint64(1) == 0:
            continue
        if mode == 0:
            fault, value, at = address(data, at)
            base = base if seen else value
            offset = value - base
        elif seen and mode == 1:
            offset += stride
        elif seen:
            step, after = decimal(data, at)
            fault = NO_DELTA if after == at else OK
            at = skip(data, after)
            offset += step
        patterns[row, lane] = offset
        if base + offset < 0:
            fault = BEYOND if fault == OK else fault
        seen = True
    return fault, base


@jit_part
def slot_of(patterns: Any, slots: Any, row: int) -> Any:
    """The slot that has a pattern like that of a row, or the empty one where it belongs."""
    mixed = np.uint64(0)
    for lane in range(LANES):
        mixed = (mixed ^ np.uint64(patterns[row, lane])) * _MIX
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(slots.size - 1))
    while slots[slot] >= 0 and not same(patterns, slots[slot], row):
        slot = (slot + 1) & (slots.size - 1)
    return slot


_BEGIN_TB = np.frombuffer(b"#BEGIN_TB", np.uint8)
_END_TB = np.frombuffer(b"#END_TB", np.uint8)
_PLACE = np.frombuffer(b"thread block = ", np.uint8)
_WARP = np.frombuffer(b"warp = ", np.uint8)
_INSTS = np.frombuffer(b"insts = ", np.uint8)

_OUTSIDE, _OPEN, _NAMED, _COUNTED, _INSIDE = range(5)


@jit
def _scan(
    data: Any,
    has_lines: bool,
    prefixed: bool,
    rows: Any,
    words: Any,
    patterns: Any,
    slots: Any,
    told: Any,
    places: Any,
    ends: Any,
) -> None:
    """Fill the columns; ``ends`` has the fault, its place, and how much of each there is."""
    state, left = _OUTSIDE, 0
    n = accesses = distinct = warps = ctas = 0
    at, fault = 0, OK
    size = data.size
    while at < size and fault == OK:
        start = at
        at = skip(data, at)
        if data[at] == _NL:
            at += 1
            continue
        first = data[at]
        if first == _HASH:
            if left > 0:
                fault = FEWER
            elif starts(data, at, _BEGIN_TB):
                if state != _OUTSIDE:
                    fault = NO_END
                places[4, ctas] = at
                state = _OPEN
            elif starts(data, at, _END_TB):
                if state == _OPEN:
                    fault = NO_PLACE
                elif state == _COUNTED:
                    fault = NO_COUNT
                elif state == _OUTSIDE:
                    fault = NO_BEGIN
                state = _OUTSIDE
            else:
                fault = NO_BEGIN
            at = over(data, at)
        elif starts(data, at, _PLACE) and state == _OPEN:
            at += _PLACE.size
            for axis in range(3):
                value, after = decimal(data, at)
                if after == at or (axis < 2 and data[after] != 44):
                    fault = NO_PLACE
                    break
                places[axis, ctas] = value
                at = after + 1 if axis < 2 else after
            places[3, ctas] = warps
            ctas += 1
            state = _NAMED
        elif starts(data, at, _WARP):
            if left > 0:
                fault = FEWER
            elif state != _NAMED:
                fault = NO_BEGIN if state == _OUTSIDE else NO_PLACE
                if state == _COUNTED:
                    fault = NO_COUNT
            else:
                value, after = decimal(data, at + _WARP.size)
                if after == at + _WARP.size or value < 0:
                    fault = NO_WARP
                told[0, warps], told[1, warps] = value, n
                warps += 1
                state, at = _COUNTED, after
        elif starts(data, at, _INSTS):
            value, after = decimal(data, at + _INSTS.size)
            if state != _COUNTED:
                fault = NO_WARP
            elif after == at + _INSTS.size or value < 0:
                fault = NO_COUNT
            left, at, state = value, after, _NAMED
        elif state == _OUTSIDE:
            fault = NO_BEGIN
        elif state == _OPEN:
            fault = NO_PLACE
        elif state == _COUNTED:
            fault = NO_COUNT
        elif left <= 0:
            fault = MORE if 48 <= first <= 102 else NO_WARP
        else:
            left -= 1
            # -- an instruction
            if prefixed:
                for _ in range(4):
                    _, after = decimal(data, at)
                    if after == at:
                        fault = NO_PREFIX
                    at = skip(data, after)
            source = 0
            if has_lines:
                source, after = decimal(data, at)
                if after == at or data[after] != _BLANK:
                    fault = NO_LINE
                at = skip(data, after)
            pc, after = hexadecimal(data, at)
            if after == at or data[after] > _BLANK:
                fault = NO_PC if fault == OK else fault
            if fault != OK:
                continue
            at = skip(data, after)
            mask, after = hexadecimal(data, at)
            if after == at or after > at + 8 or data[after] > _BLANK:
                fault = NO_MASK
                continue
            at = skip(data, after)
            begin = at
            fault, at = operands(data, at)
            if fault != OK:
                continue
            width, after = decimal(data, at)
            if after == at or width < 0 or data[after] > _BLANK:
                fault = NO_WIDTH
                continue
            at = after
            access = -1
            if width > 0 and mask != 0:
                end = at
                at = skip(data, at)
                fault, base = addresses(data, at, mask, patterns, distinct)
                if fault != OK:
                    continue
                slot = slot_of(patterns, slots, distinct)
                if slots[slot] < 0:
                    slots[slot] = distinct
                    distinct += 1
                rows[5, accesses], rows[6, accesses] = base, slots[slot]
                access = accesses
                accesses += 1
            elif width > 0:
                end = at
            else:
                while data[at] != _NL:
                    at += 1
                end = at
                while data[end - 1] <= _BLANK:
                    end -= 1
            while data[at] != _NL:
                at += 1
            hashed = (_SEED ^ pc) * _MIX ^ np.uint64(source)
            for k in range(begin, end):
                hashed = (hashed ^ np.uint64(data[k])) * _PRIME
            rows[0, n], rows[1, n], rows[2, n], rows[3, n] = np.int64(pc), source, begin, end
            rows[4, n] = access
            words[0, n], words[1, n] = mask, hashed
            n += 1
        if fault == OK:
            at = skip(data, at)
            if data[at] == _NL:
                at += 1
    ends[0], ends[1] = fault, min(at, size - 1)
    if fault != OK:
        ends[1] = start
    ends[2], ends[3], ends[4] = n, accesses, distinct
    ends[5] = (warps << 32) | ctas
