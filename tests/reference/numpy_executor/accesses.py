"""Loads, stores and atomics. Lanes take their turn in the order of their numbers."""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor.floats import extreme
from tests.reference.numpy_executor.memory import BASES, WINDOW_BITS, WINDOWS
from tests.reference.numpy_executor.values import dtype_of
from warpmill.analyzer.ir.kernel import Reg, Sink, Vector
from warpmill.analyzer.ir.types import Space

PLAIN_SPACES = (Space.GLOBAL, Space.CONST, Space.SHARED, Space.LOCAL, Space.PARAM)
ASYNCHRONOUS = ("async", "bulk")


def access_step(instruction, operands, access):
    """Make the step of an access: ``access(frame, space, addresses)``."""
    operation = instruction.operation
    address = operands.address(instruction.address)
    if operation.space in PLAIN_SPACES:
        return lambda frame: access(frame, operation.space, address(frame))
    if operation.space is not Space.GENERIC:
        raise NotImplementedError(operation.opcode)

    def sorted_by_space(frame):
        at = address(frame)
        windows = at >> np.uint64(WINDOW_BITS)
        found = np.unique(windows)
        for window in found:
            space = next(s for s, number in WINDOWS.items() if number == window)
            inside = at - np.uint64(BASES[space])
            if len(found) == 1:
                access(frame, space, inside)
                continue
            on = windows == window
            part = frame.some(on)
            access(part, space, inside[on])
            frame.merge(part, on)

    return sorted_by_space


def elements(instruction):
    """The operands that are loaded or stored, one for each element."""
    operand = next(o for o in instruction.operands if o is not instruction.address)
    return operand.elements if isinstance(operand, Vector) else (operand,)


def load_step(instruction, operands):
    operation = instruction.operation
    if any(word in operation.opcode for word in ASYNCHRONOUS):
        raise NotImplementedError(operation.opcode)
    dtype, destinations = dtype_of(operation.type), elements(instruction)
    writers = [None if isinstance(o, Sink) else operands.writer(o) for o in destinations]

    def load(frame, space, at):
        memory, index = frame.chunk.locate(frame, space, at, dtype.itemsize, len(writers))
        for number, write in enumerate(writers):
            if write is not None:
                write(frame, memory[index + number if number else index].view(dtype))

    return access_step(instruction, operands, load)


def store_step(instruction, operands):
    operation = instruction.operation
    if any(word in operation.opcode for word in ASYNCHRONOUS):
        raise NotImplementedError(operation.opcode)
    dtype = dtype_of(operation.type)
    unsigned = f"u{dtype.itemsize}"
    readers = [operands.reader(o, dtype) for o in elements(instruction)]

    def store(frame, space, at):
        memory, index = frame.chunk.locate(frame, space, at, dtype.itemsize, len(readers))
        for number, read in enumerate(readers):
            value = read(frame).view(unsigned)
            if index.size == 1:
                value = value[-1:]  # the last lane's stays
            memory[index + number if number else index] = value

    return access_step(instruction, operands, store)


def _up_to(old, limit):
    """Count up to a limit and start again."""
    return np.where(old >= limit, old.dtype.type(0), old + old.dtype.type(1))


def _down_from(old, limit):
    return np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1))


UPDATES = {
    "add": lambda old, b: old + b,
    "and": lambda old, b: old & b,
    "or": lambda old, b: old | b,
    "xor": lambda old, b: old ^ b,
    "exch": lambda _, b: b,
    "inc": _up_to,
    "dec": _down_from,
    "cas": lambda old, b, c: np.where(old == b, c, old),
}
AT_ONCE = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


def _update(word, dtype):
    if word in ("min", "max"):
        if dtype.kind == "f":
            return lambda old, b: extreme(word == "max", old, b)
        return np.minimum if word == "min" else np.maximum
    return UPDATES[word]


def atomic_step(instruction, operands):
    """Make an atomic's step; without a reader of the old value they are done at once."""
    operation = instruction.operation
    if operation.vector > 1 or operation.name not in ("atom", "red"):
        raise NotImplementedError(operation.opcode)
    word = next((w for w in operation.modifiers if w in UPDATES or w in ("min", "max")), None)
    dtype = dtype_of(operation.type)
    if word is None or operation.type.lanes > 1 or (operation.type.is_float and dtype.kind != "f"):
        raise NotImplementedError(operation.opcode)
    update = _update(word, dtype)
    count = 2 if word == "cas" else 1
    place = instruction.operands.index(instruction.address)
    readers = [operands.reader(o, dtype) for o in instruction.operands[place + 1 :][:count]]
    destination = instruction.operands[0] if operation.name == "atom" else Sink()
    is_read = isinstance(destination, Reg) and destination.index in operands.ever_read
    write = operands.writer(destination) if is_read else None
    at_once = {"add": np.add, "min": np.minimum, "max": np.maximum, **AT_ONCE}.get(word)
    if dtype.kind == "f" and word != "add":
        at_once = None

    def atomic(frame, space, at):
        memory, index = frame.chunk.locate(frame, space, at, dtype.itemsize, 1)
        values = [np.broadcast_to(read(frame), frame.size) for read in readers]
        index, cells = np.broadcast_to(index, frame.size), memory.view(dtype)
        if write is None and at_once is not None:
            at_once.at(cells, index, values[0])
            return
        old = in_turn(cells, index, values, update)
        if write is not None:
            write(frame, old)

    return access_step(instruction, operands, atomic)


def in_turn(cells, index, values, update):
    """Update cells one lane after another; what each found. Distinct cells go together."""
    order = np.argsort(index, kind="stable")
    cell = index[order]
    begins = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
    turn = np.arange(len(cell)) - np.repeat(begins, np.diff(np.r_[begins, len(cell)]))
    old = np.empty(len(cell), cells.dtype)
    by_turn = np.argsort(turn, kind="stable")
    ends = np.cumsum(np.bincount(turn))
    for first, last in zip(np.r_[0, ends[:-1]], ends, strict=True):
        lanes = order[by_turn[first:last]]
        at = index[lanes]
        old[lanes] = cells[at]
        cells[at] = update(old[lanes], *(v[lanes] for v in values))
    return old
