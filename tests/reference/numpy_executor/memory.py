"""Memory: one array of bytes a space, and where variables, parameters and buffers lie in them.

Global and constant variables and the buffers share one array. A generic address tells its space by
its upper bits; within a space, addresses of shared and local memory count from 0 in every CTA and
every thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from warpmill.analyzer.ir.kernel import Symbol
from warpmill.analyzer.ir.types import Space

ALIGN = 256
GLOBAL_BASE = 1 << 32
WINDOW_BITS = 44
WINDOWS = {Space.GLOBAL: 0, Space.SHARED: 1, Space.LOCAL: 2, Space.PARAM: 3}
BASES = {space: window << WINDOW_BITS for space, window in WINDOWS.items()}
BASES |= {Space.GLOBAL: 0, Space.CONST: 0, Space.GENERIC: 0}


class AccessError(Exception):
    """An access that is misaligned, or outside of its space."""


@dataclass
class Arena:
    """Bytes of global memory while they are gathered; ``end`` is where the next thing goes."""

    parts: list = field(default_factory=list)
    end: int = 0

    def place(self, array: np.ndarray, align: int = ALIGN) -> int:
        """Take an array in; its address."""
        start = -(-self.end // align) * align
        self.parts.append((start, array))
        self.end = start + array.nbytes
        return GLOBAL_BASE + start

    def bytes(self) -> np.ndarray:
        """All of it as one array."""
        whole = np.zeros(-(-self.end // ALIGN) * ALIGN + ALIGN, np.uint8)
        for start, array in self.parts:
            whole[start : start + array.nbytes] = np.ascontiguousarray(array).view(np.uint8).ravel()
        return whole

    def copy_back(self, whole: np.ndarray) -> None:
        """Update the arrays that came from outside."""
        for start, array in self.parts:
            piece = whole[start : start + array.nbytes].view(array.dtype)
            array[...] = piece.reshape(array.shape)


@dataclass
class Layout:
    """Where everything lies: addresses by name, each space's size, and the parameters' bytes."""

    addresses: dict
    arena: Arena
    shared_bytes: int
    local_bytes: int
    parameters: np.ndarray
    arguments: dict


def lay_out(module, kernel, arguments, dynamic_shared, symbols) -> Layout:
    """Place variables, buffers and parameters."""
    variables = (*module.variables, *kernel.variables)
    addresses, arena = {}, Arena()
    ends = {Space.SHARED: 0, Space.LOCAL: 0}
    for variable in sorted(variables, key=lambda v: v.size_bytes is None):
        if variable.space in ends:
            start = -(-ends[variable.space] // variable.align) * variable.align
            addresses[variable.name] = start
            is_open = variable.size_bytes is None
            ends[variable.space] = max(
                ends[variable.space], start + (0 if is_open else variable.size_bytes)
            )
    open_at = [addresses[v.name] for v in variables if v.size_bytes is None]
    shared = max([ends[Space.SHARED], *(start + dynamic_shared for start in open_at)])
    contents = {}
    for variable in variables:
        if variable.space in (Space.GLOBAL, Space.CONST):
            given = (symbols or {}).get(variable.name)
            contents[variable.name] = (
                np.zeros(variable.size_bytes, np.uint8) if given is None else given
            )
            addresses[variable.name] = arena.place(contents[variable.name], max(variable.align, 16))
    for variable in variables:
        if variable.name in contents and variable.name not in (symbols or {}):
            _initialise(contents[variable.name], variable, addresses)
    parameters, values = _parameters(kernel, arguments, arena, addresses)
    sizes = [_rounded(end) for end in (shared, ends[Space.LOCAL])]
    return Layout(addresses, arena, *sizes, parameters, values)


def _rounded(size):
    return max(16, -(-size // 16) * 16)


def _initialise(into, variable, addresses):
    at = 0
    for element in variable.initialiser or ():
        size = variable.type.size_bytes
        if isinstance(element, Symbol):
            value = addresses[element.name] + element.offset
            size = max(size, 8)
        elif variable.type.is_float:
            value = int(np.array([element], f"f{size}").view(f"u{size}")[0])
        else:
            value = element % (1 << (8 * size))
        into[at : at + size] = np.frombuffer(value.to_bytes(size, "little"), np.uint8)
        at += size


def _parameters(kernel, arguments, arena, addresses):
    """Lay the arguments out; buffers become their addresses, one for each array."""
    if len(kernel.parameters) != len(arguments):
        raise ValueError(f"{kernel.name} takes {len(kernel.parameters)} arguments")
    placed, values, image, at = {}, {}, bytearray(), 0
    for parameter, argument in zip(kernel.parameters, arguments, strict=True):
        if isinstance(argument, np.ndarray):
            if id(argument) not in placed:
                placed[id(argument)] = arena.place(argument)
            data = placed[id(argument)].to_bytes(8, "little")
        else:
            data = (
                bytes(argument) if isinstance(argument, bytes) else np.asarray(argument).tobytes()
            )
        if len(data) != parameter.size_bytes:
            raise ValueError(
                f"{parameter.name} takes {parameter.size_bytes} bytes, not {len(data)}"
            )
        at = -(-len(image) // parameter.align) * parameter.align
        image += bytes(at - len(image)) + data
        addresses[parameter.name] = at
        values[parameter.name] = data
    image += bytes(16 - len(image) % 16)
    return np.frombuffer(bytes(image), np.uint8).copy(), values


def shared_between(array: np.ndarray, width: int) -> np.ndarray:
    """See bytes as elements of a width."""
    return array.view(f"u{width}")


def places(offsets, width, limit, elements=1):
    """Turn byte offsets in a space into indices of elements. AccessError."""
    size = width * elements
    top = int(offsets.max(initial=0))
    if top + size > limit:
        raise AccessError(f"{size} bytes at offset {top:#x} of {limit:#x}")
    if size > 1 and np.bitwise_or.reduce(offsets) & np.uint64(size - 1):
        raise AccessError(f"an address is no multiple of {size}")
    return (offsets >> np.uint64(width.bit_length() - 1)).view(np.int64)
