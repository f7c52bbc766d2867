"""The lanes that execute an instruction together, and the operands as they see them."""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor.values import constant, dtype_of, fitted, seen_as
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Negated,
    NotPredicate,
    Reg,
    Special,
    Symbol,
)


class Frame:
    """Some lanes of a chunk: all of them (``index`` is None), or those that ``index`` names."""

    __slots__ = ("chunk", "index", "local", "size", "written")

    def __init__(self, chunk, index):
        self.chunk, self.index = chunk, index
        self.size = chunk.lanes if index is None else len(index)
        self.local = {}
        self.written = set()

    def get(self, register: int) -> np.ndarray:
        value = self.local.get(register)
        if value is None:
            value = self.local[register] = self.pick(self.chunk.registers[register])
        return value

    def put(self, register: int, value: np.ndarray) -> None:
        self.local[register] = value
        self.written.add(register)

    def pick(self, whole: np.ndarray) -> np.ndarray:
        """These lanes' elements of an array over the chunk."""
        return whole if self.index is None or whole.size == 1 else whole[self.index]

    @property
    def lane_numbers(self) -> np.ndarray:
        """The lanes' numbers in the chunk."""
        return self.chunk.all_lanes if self.index is None else self.index

    def spread(self, value: np.ndarray) -> np.ndarray:
        """A value with an element for each lane, its own copy."""
        return np.array(np.broadcast_to(value, self.size))

    def some(self, on: np.ndarray) -> Frame:
        """A frame of those lanes for which ``on`` is true."""
        part = Frame(self.chunk, self.lane_numbers[on])
        for register, value in self.local.items():
            part.local[register] = value if value.size == 1 else value[on]
        return part

    def merge(self, part: Frame, on: np.ndarray) -> None:
        """Take over what a frame of some lanes wrote."""
        for register in part.written:
            new = part.local[register]
            value = self.spread(self.get(register)).view(new.dtype)
            value[on] = new
            self.put(register, value)

    def write_back(self, kept: frozenset) -> None:
        """Store the registers that are read later into the chunk's."""
        registers = self.chunk.registers
        for register in self.written & kept:
            value = self.local[register]
            if self.index is not None:
                old = registers[register]
                whole = np.array(np.broadcast_to(old, self.chunk.lanes)).view(value.dtype)
                whole[self.index] = value
                value = whole
            registers[register] = value


def under_guard(guard, step):
    """Make a step run only in the lanes where the instruction's guard holds."""
    register, negated = guard.register.index, guard.negated

    def guarded(frame):
        on = frame.get(register) ^ negated
        if on.all():
            step(frame)
        elif on.any():
            part = frame.some(on)
            step(part)
            frame.merge(part, on)

    return guarded


class Operands:
    """Makes functions that read and write the operands of one kernel's instructions."""

    def __init__(self, kernel, layout, exact):
        self.exact = exact
        self.kernel, self.layout = kernel, layout
        self.dtypes = [None if r.vector > 1 else _dtype(r) for r in kernel.registers]

    def reader(self, operand, dtype):
        """Make a function from a frame to the operand's value as ``dtype``."""
        match operand:
            case Reg(index):
                return lambda frame: seen_as(frame.get(index), dtype)
            case NotPredicate(register):
                index = register.index
                return lambda frame: ~frame.get(index)
            case Negated(inner):
                read = self.reader(inner, dtype)
                return lambda frame: -read(frame)
            case Imm(value):
                if dtype.kind == "f":
                    raise NotImplementedError(f"{operand} as {dtype}")
                fixed = constant(value, dtype)
            case FloatImm(bits, type_):
                fixed = seen_as(constant(bits, np.dtype(f"u{type_.bits // 8}")), dtype)
            case Symbol(name, offset):
                fixed = constant(self.layout.addresses[name] + offset, dtype)
            case Special(name):
                return lambda frame: seen_as(frame.pick(frame.chunk.special(name)), dtype)
            case _:
                raise NotImplementedError(f"operand {operand}")
        return lambda _: fixed

    def address(self, operand):
        """Make a function from a frame to addresses of 64 bits."""
        if not isinstance(operand, Address):
            raise NotImplementedError(f"address {operand}")
        base, offset = operand.base, operand.offset
        if not isinstance(base, Reg):
            at = base.value if isinstance(base, Imm) else base.offset
            if isinstance(base, Symbol):
                at += self.layout.addresses[base.name]
            fixed = constant(at + offset, np.dtype(np.uint64))
            return lambda _: fixed
        width = self.dtypes[base.index].itemsize
        read = self.reader(base, np.dtype(f"u{width}"))
        more = constant(offset, np.dtype(f"u{width}"))
        if not offset:
            return lambda frame: read(frame).astype(np.uint64, copy=False)
        return lambda frame: (read(frame) + more).astype(np.uint64, copy=False)

    def writer(self, operand):
        """Make a function that puts a result into a destination."""
        if not isinstance(operand, Reg):
            raise NotImplementedError(f"destination {operand}")
        index, dtype = operand.index, self.dtypes[operand.index]
        return lambda frame, value: frame.put(index, fitted(value, dtype))


def _dtype(register):
    try:
        return dtype_of(register.type)
    except NotImplementedError:
        return None
