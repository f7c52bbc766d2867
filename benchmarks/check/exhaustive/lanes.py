"""What lanes of a warp do together, and what atomics make of a value, for the checker of schedules.

Each operation gets the lanes that have come, with the values of their operands; a value of a lane
that is not among them is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.benchmarks.check.exhaustive.numbers import to_bits, to_float
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import Access, FaultError, Meeting

if TYPE_CHECKING:
    from warpmill.benchmarks.check.exhaustive.threads import Thread

Values = tuple[int | None, ...]
Lanes = dict[int, tuple["Thread", Values]]


def _write(thread: Thread, register: int | None, value: int | None) -> None:
    if register is not None:
        thread.registers[register] = value


def _shuffle(meeting: Meeting, lanes: Lanes) -> None:
    """``shfl.sync``: from another lane of the segment; outside of it one's own value and false."""
    mode = next(w for w in meeting.words if w in ("up", "down", "bfly", "idx"))
    results: list[tuple[Thread, int | None, int | None]] = []
    for lane, (thread, (a, b, c, _)) in lanes.items():
        if b is None or c is None:
            results.append((thread, None, None))
            continue
        source, is_inside = _source(mode, lane, b & 31, c)
        value = a
        if is_inside:
            value = lanes[source][1][0] if source in lanes else None
        results.append((thread, value, int(is_inside)))
    for thread, value, is_inside_ in results:
        _write(thread, meeting.dests[0], value)
        if len(meeting.dests) > 1:
            _write(thread, meeting.dests[1], is_inside_)


def _source(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """The lane that a shuffle reads, and whether it is in the segment."""
    clamp, segment = c & 31, c >> 8 & 31
    first = lane & segment
    last = first | clamp & ~segment & 31
    if mode == "up":
        return lane - b, lane - b >= last
    if mode == "idx":
        source = first | b & ~segment & 31
        return source, source <= last
    source = lane + b if mode == "down" else lane ^ b
    return source, source <= last


def _vote(meeting: Meeting, lanes: Lanes) -> None:
    truths = {lane: values[0] for lane, (_, values) in lanes.items()}
    mode = next(w for w in meeting.words if w in ("all", "any", "uni", "ballot"))
    result: int | None
    if any(t is None for t in truths.values()):
        result = None
    elif mode == "ballot":
        result = sum(1 << lane for lane, truth in truths.items() if truth)
    else:
        functions = {"all": all, "any": any, "uni": lambda v: len({bool(t) for t in v}) == 1}
        result = int(functions[mode](list(truths.values())))
    for thread, _ in lanes.values():
        _write(thread, meeting.dests[0], result)


def _match(meeting: Meeting, lanes: Lanes) -> None:
    values = {lane: given[0] for lane, (_, given) in lanes.items()}
    is_known = all(v is not None for v in values.values())
    for lane, (thread, _) in lanes.items():
        alike = sum(1 << k for k, value in values.items() if value == values[lane])
        are_all = alike.bit_count() == len(values)
        mask = alike if "any" in meeting.words or are_all else 0
        _write(thread, meeting.dests[0], mask if is_known else None)
        if len(meeting.dests) > 1:
            _write(thread, meeting.dests[1], int(are_all) if is_known else None)


def _reduce(meeting: Meeting, lanes: Lanes) -> None:
    type_ = meeting.type
    if type_ is None or type_.is_float:
        raise NotModelledError(meeting.opcode)
    name = next(w for w in meeting.words if w in ATOMICS)
    values = [given[0] for _, given in lanes.values()]
    result = values[0]
    for value in values[1:]:
        is_known = result is not None and value is not None
        result = ATOMICS[name](type_, result, value) if is_known else None
    for thread, _ in lanes.values():
        _write(thread, meeting.dests[0], result)


def _multiply(meeting: Meeting, lanes: Lanes) -> None:
    """``mma.m16n8k16`` of halves: each element's products added exactly and rounded once."""
    if "m16n8k16" not in meeting.words or meeting.words[-4:] != ("f32", "f16", "f16", "f32"):
        raise NotModelledError(meeting.opcode)
    a: dict[tuple[int, int], float | None] = {}
    b: dict[tuple[int, int], float | None] = {}
    for lane, (_, values) in lanes.items():
        group, pair = lane >> 2, 2 * (lane & 3)
        for k in range(4):
            row, column = group + 8 * (k & 1), pair + 8 * (k >> 1)
            a[row, column], a[row, column + 1] = _halves(values[k])
        for k in range(2):
            b[pair + 8 * k, group], b[pair + 8 * k + 1, group] = _halves(values[4 + k])
    for lane, (thread, values) in lanes.items():
        group, pair = lane >> 2, 2 * (lane & 3)
        for k in range(4):
            row, column = group + 8 * (k >> 1), pair + (k & 1)
            given = [(a[row, i], b[i, column]) for i in range(16)]
            _write(thread, meeting.dests[k], _dot(given, values[6 + k]))


def _halves(word: int | None) -> tuple[float | None, float | None]:
    if word is None:
        return None, None
    return to_float(word & 0xFFFF, "f16"), to_float(word >> 16, "f16")


def _dot(pairs: list[tuple[float | None, float | None]], start: int | None) -> int | None:
    terms = [x * y for x, y in pairs if x is not None and y is not None]
    if start is None or len(terms) < len(pairs):
        return None
    terms.append(to_float(start, "f32"))
    try:
        return to_bits(math.fsum(terms), "f32")
    except (OverflowError, ValueError):  # infinities
        return to_bits(sum(terms), "f32")


LANE_OPERATIONS: dict[str, Callable[[Meeting, Lanes], None]] = {
    "shfl": _shuffle,
    "vote": _vote,
    "match": _match,
    "redux": _reduce,
    "mma": _multiply,
}
"""By the operation's name."""


def reduce_barrier(waiting: list[tuple[Thread, Meeting, Values]]) -> None:
    """Give the threads of a ``bar.red`` what their predicates come to."""
    truths = [values[2] for _, _, values in waiting]
    for thread, meeting, _ in waiting:
        result: int | None = None
        if all(t is not None for t in truths):
            how = next(w for w in meeting.words if w in ("popc", "and", "or"))
            count = sum(bool(t) for t in truths)
            result = {"popc": count, "and": int(count == len(truths)), "or": int(count > 0)}[how]
        _write(thread, meeting.dests[0], result)


def matrix_pieces(access: Access, lanes: Lanes) -> Iterator[tuple[Thread, list[int]]]:
    """The addresses of the elements that each lane accesses of a ``ldmatrix`` or ``stmatrix``.

    Lane 8 k + r has the address of row r of matrix k; of each matrix a lane has two elements side
    by side in row lane / 4, or one above the other in column lane / 4 where it is transposed.
    """
    matrices = access.count // 2
    if len(lanes) != 32:
        raise NotModelledError(f"{access.opcode} of a warp of {len(lanes)}")
    rows = [lanes[k][1][0] for k in range(8 * matrices)]
    for row in rows:
        if row is None or row % 16:
            raise FaultError(f"a misaligned row at line {access.line}")
    for lane, (thread, _) in lanes.items():
        group, pair = lane >> 2, 2 * (lane & 3)
        addresses: list[int] = []
        for matrix in range(matrices):
            for k in (0, 1):
                row, column = (pair + k, group) if "trans" in access.words else (group, pair + k)
                base = rows[8 * matrix + row]
                assert base is not None
                addresses.append(base + 2 * column)
        yield thread, addresses


# Atomics.


def _number(type_: Type, bits: int) -> int:
    return type_.read(bits) if type_.kind is TypeKind.SIGNED else bits


def _add(type_: Type, a: int, b: int) -> int:
    if type_.is_float:
        return to_bits(to_float(a, type_.name) + to_float(b, type_.name), type_.name)
    return a + b & (1 << type_.bits) - 1


def _extreme(choose: Callable[[int, int], int]) -> Callable[..., int]:
    def extreme(type_: Type, a: int, b: int) -> int:
        return choose(_number(type_, a), _number(type_, b)) & (1 << type_.bits) - 1

    return extreme


ATOMICS: dict[str, Callable[..., int]] = {
    "add": _add,
    "min": _extreme(min),
    "max": _extreme(max),
    "and": lambda _, a, b: a & b,
    "or": lambda _, a, b: a | b,
    "xor": lambda _, a, b: a ^ b,
    "inc": lambda _, a, b: 0 if a >= b else a + 1,
    "dec": lambda _, a, b: b if a == 0 or a > b else a - 1,
    "exch": lambda *given: given[2],
    "cas": lambda _, a, b, c: c if a == b else a,
}
"""What becomes of a value, by the type, the value and the operands."""
