"""Every instruction as a step: a function that changes a frame and the memory."""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor import accesses, together
from tests.reference.numpy_executor.arithmetic import comparison, pure_rule, source_dtypes
from tests.reference.numpy_executor.frame import under_guard
from tests.reference.numpy_executor.memory import BASES, WINDOW_BITS, WINDOWS
from tests.reference.numpy_executor.values import dtype_of, seen_as
from warpmill.analyzer.ir.kernel import Pair, Reg, Sink, Vector
from warpmill.analyzer.ir.types import OpClass

CARRY = -1
"""The register number of the carry flag."""

NOTHING = {"membar", "fence", "bar.warp", "nanosleep", "prefetch", "prefetchu", "pmevent",
           "griddepcontrol", "setmaxnreg", "applypriority"}  # fmt: skip


def step_of(instruction, operands):
    """The step of an instruction; None where it changes nothing. NotImplementedError."""
    try:
        step = _plain_step(instruction, operands)
    except (NotImplementedError, KeyError, StopIteration, AttributeError) as error:
        raise NotImplementedError(f"{instruction.operation.opcode}: {error}") from error
    if step is None or instruction.guard is None:
        return step
    return under_guard(instruction.guard, step)


def _plain_step(instruction, operands):
    operation = instruction.operation
    name, words = operation.name, operation.modifiers
    if name in NOTHING:
        return None
    if name in together.STEPS:
        return together.STEPS[name](instruction, operands)
    if name in ("ld", "ldu"):
        return accesses.load_step(instruction, operands)
    if name == "st":
        return accesses.store_step(instruction, operands)
    if operation.op_class is OpClass.ATOMIC:
        return accesses.atomic_step(instruction, operands)
    if name == "cvta":
        return _between_spaces(instruction, operands)
    if name == "isspacep":
        return _is_in_space(instruction, operands)
    if name == "setp":
        return _compare(instruction, operands)
    if name in ("addc", "subc") or "cc" in words:
        return _with_carry(instruction, operands)
    if name == "mov" and any(isinstance(o, Vector) for o in instruction.operands):
        return _pack(instruction, operands)
    return _pure(instruction, operands)


def _pure(instruction, operands):
    function = pure_rule(instruction.operation, operands.exact)
    if function is None or len(instruction.destinations) != 1:
        raise NotImplementedError(instruction.operation.opcode)
    sources = zip(instruction.sources, source_dtypes(instruction), strict=True)
    readers = [operands.reader(o, dtype) for o, dtype in sources]
    write = operands.writer(instruction.destinations[0])
    if len(readers) == 1:
        (one,) = readers
        return lambda frame: write(frame, function(one(frame)))
    if len(readers) == 2:
        first, second = readers
        return lambda frame: write(frame, function(first(frame), second(frame)))
    return lambda frame: write(frame, function(*[read(frame) for read in readers]))


def _compare(instruction, operands):
    operation = instruction.operation
    compare = comparison(operation, operation.type.is_float)
    sources = zip(instruction.sources, source_dtypes(instruction), strict=True)
    readers = [operands.reader(o, dtype) for o, dtype in sources]
    destination = instruction.destinations[0]
    both = (
        (destination.first, destination.second) if isinstance(destination, Pair) else (destination,)
    )
    writers = [None if isinstance(o, Sink) else operands.writer(o) for o in both]

    def step(frame):
        for write, found in zip(writers, compare(*[read(frame) for read in readers]), strict=False):
            if write is not None:
                write(frame, found)

    return step


def _between_spaces(instruction, operands):
    """cvta: a generic address has its space in the upper bits."""
    operation = instruction.operation
    base = np.uint64(BASES[operation.space])
    wide = np.dtype(np.uint64)
    read = operands.reader(instruction.sources[0], dtype_of(operation.type))
    write = operands.writer(instruction.destinations[0])
    if "to" in operation.modifiers:
        return lambda frame: write(frame, seen_as(read(frame), wide) - base)
    return lambda frame: write(frame, seen_as(read(frame), wide) + base)


def _is_in_space(instruction, operands):
    window = WINDOWS[instruction.operation.space]
    read = operands.reader(instruction.sources[0], np.dtype(np.uint64))
    write = operands.writer(instruction.destinations[0])
    return lambda frame: write(frame, read(frame) >> np.uint64(WINDOW_BITS) == window)


def _with_carry(instruction, operands):
    """add.cc, addc, sub.cc, subc: the borrow is kept as what is subtracted."""
    operation = instruction.operation
    name, words = operation.name, operation.modifiers
    if name not in ("add", "addc", "sub", "subc"):
        raise NotImplementedError(operation.opcode)
    dtype = np.dtype(f"u{operation.type.size_bytes}")
    a, b = (operands.reader(o, dtype) for o in instruction.sources)
    write = operands.writer(instruction.destinations[0])
    is_sum, takes, gives = name.startswith("add"), name.endswith("c"), "cc" in words

    def step(frame):
        x, y = a(frame), b(frame)
        carry = frame.get(CARRY).astype(dtype) if takes else np.zeros(1, dtype)
        result = x + y + carry if is_sum else x - y - carry
        if gives:
            over = (
                (result < x) | ((result == x) & (carry > 0) & (y != 0))
                if is_sum
                else ((x < y) | ((x == y) & (carry > 0)))
            )
            frame.put(CARRY, over)
        write(frame, result)

    return step


def _pack(instruction, operands):
    """mov between a vector of registers and one as wide as all: the first has the lowest bits."""
    destination, source = instruction.operands
    bits = instruction.operation.type.bits
    parts = source if isinstance(source, Vector) else destination
    narrow = np.dtype(f"u{bits // 8 // len(parts.elements)}")
    wide = np.dtype(f"u{bits // 8}")
    shifts = [np.array([i * narrow.itemsize * 8], wide) for i in range(len(parts.elements))]
    if parts is source:
        readers = [operands.reader(o, narrow) for o in parts.elements]
        write = operands.writer(destination)

        def pack(frame):
            terms = [r(frame).astype(wide) << s for r, s in zip(readers, shifts, strict=True)]
            write(frame, np.bitwise_or.reduce(np.broadcast_arrays(*terms)))

        return pack
    read = operands.reader(source, wide)
    writers = [None if isinstance(o, Sink) else operands.writer(o) for o in parts.elements]

    def unpack(frame):
        value = read(frame)
        for write, shift in zip(writers, shifts, strict=True):
            if write is not None:
                write(frame, (value >> shift).astype(narrow))

    return unpack


def registers_read(kernel):
    """All registers that anything reads."""
    read = {r for i in kernel.instructions for r in i.reads}
    copies = [c for b in kernel.blocks for e in b.incoming for c in e.copies]
    return read | {o.index for _, o in copies if isinstance(o, Reg)}
