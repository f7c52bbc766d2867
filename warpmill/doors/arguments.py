"""Arguments of kernels as Python has them: arrays as memory of the launch, and shapes alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.launch.model import (
    ELEMENT_TYPES,
    Argument,
    BufferArgument,
    InMemory,
    RefArgument,
    ScalarArgument,
    element_meant,
)

Array = npt.NDArray[Any]

_NAMED = {"bfloat16": "bf16", "bf16": "bf16", "i1": "bool", "u1": "bool", "fp16": "f16"}
_NAMED |= {"fp32": "f32", "fp64": "f64"}

ALIGNMENT = 256
"""Bytes that the start of device memory is a multiple of."""


@dataclass(frozen=True)
class HostArray:
    """An array of the host, that a launch reads and writes in place.

    ``type_name`` is its element type as its library names it.
    """

    values: Array
    type_name: str

    @property
    def start(self) -> int:
        """The lowest address of its memory."""
        return np.lib.array_utils.byte_bounds(self.values)[0]

    @property
    def end(self) -> int:
        """The address behind its memory."""
        return np.lib.array_utils.byte_bounds(self.values)[1]

    @property
    def pointer(self) -> int:
        """The address of its first element, which is not the lowest where a stride is negative."""
        return self.values.ctypes.data

    @property
    def shape(self) -> tuple[int, ...]:
        """Elements along each axis."""
        return self.values.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from an element to the next along each axis."""
        return self.values.strides

    @property
    def item_bytes(self) -> int:
        """Bytes of an element."""
        return self.values.itemsize


@dataclass(frozen=True)
class ArrayShape:
    """An array of which type and shape are known, and not what it holds: of a GPU, or of none.

    ``strides`` are in bytes; ``pointer`` is its address where it has one.
    """

    type_name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    item_bytes: int
    pointer: int = ALIGNMENT


def array_of(value: object) -> HostArray | ArrayShape | None:
    """The array that a value is: NumPy's, PyTorch's, or anything with a type and a shape.

    Or a pair such as ``("*fp16", (64, 64))``. None for numbers and all else.
    """
    if isinstance(value, np.ndarray):
        return HostArray(value, str(value.dtype))
    if isinstance(value, tuple):
        return _described(value)
    if isinstance(value, np.generic) or not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return None
    name = str(value.dtype).rpartition(".")[2]
    held = None if hasattr(value, "__cuda_array_interface__") else _values(value, name)
    if held is not None:
        return HostArray(held, name)
    item = _item_bytes(name)
    strides = getattr(value, "stride", None)
    sides = tuple(int(side) for side in value.shape)
    steps = tuple(n * item for n in strides()) if callable(strides) else _row_major(sides, item)
    address = getattr(value, "data_ptr", None)
    return ArrayShape(name, sides, steps, item, address() if callable(address) else ALIGNMENT)


def _described(value: tuple[object, ...]) -> ArrayShape | None:
    """``("*fp16", (64, 64))`` and ``("*fp16", 4096)``; None for another tuple."""
    if len(value) != 2 or not isinstance(value[0], str) or not value[0].startswith("*"):
        return None
    name, sides = value[0].removeprefix("*"), value[1]
    shape = tuple(sides) if isinstance(sides, Sequence) else (sides,)
    if not shape or not all(isinstance(n, int | np.integer) and n > 0 for n in shape):
        raise UsageError(f"an array is described by its type and shape, not by {value!r:.80}")
    item = _item_bytes(name)
    return ArrayShape(name, tuple(map(int, shape)), _row_major(shape, item), item)


def _values(value: Any, name: str) -> Array | None:
    """The elements of an array of another library, in place; None where they are not here."""
    if str(getattr(value, "device", "cpu")).partition(":")[0].lower() != "cpu":
        return None
    if name.startswith(("bfloat16", "float8")) and hasattr(value, "untyped_storage"):
        torch = import_module("torch")  # there is a tensor of it
        value = value.detach().view(torch.uint16 if name == "bfloat16" else torch.uint8)
    try:
        found = np.asarray(value.detach() if hasattr(value, "detach") else value)
    except (TypeError, ValueError, RuntimeError):
        return None
    return found if found.dtype != np.object_ and found.shape == tuple(value.shape) else None


def _row_major(shape: Sequence[int], item: int) -> tuple[int, ...]:
    sides = [int(side) for side in shape]
    return tuple(item * math.prod(sides[place + 1 :]) for place in range(len(sides)))


def element_of(name: str) -> str | None:
    """A type's name in launch files by the name that a library has for it; None: it has none."""
    return _NAMED.get(name) or element_meant(name)


def _item_bytes(name: str) -> int:
    element = element_of(name)
    if element is not None:
        return ELEMENT_TYPES[element].size_bytes
    if name.startswith(("fp8", "float8")):
        return 1
    try:
        return np.dtype(name).itemsize
    except TypeError:
        raise UsageError(f"there is no element type `{name[:40]}`") from None


@dataclass
class _Memory:
    """Memory of the host that arrays of a launch lie in, and the buffer over it."""

    start: int
    end: int
    arrays: list[HostArray]
    buffer: BufferArgument | None = None
    is_passed: bool = field(default=False)


class LaunchArrays:
    """The arrays of a launch: those that share memory share a buffer.

    ``host`` are all that it may be given, so that overlaps are known before the first is asked for.
    """

    def __init__(self, host: Sequence[HostArray]) -> None:
        self._memory: list[_Memory] = []
        for array in sorted(host, key=lambda one: (one.start, -one.end)):
            last = self._memory[-1] if self._memory else None
            if last is not None and array.start < last.end:
                last.end = max(last.end, array.end)
                last.arrays.append(array)
            else:
                self._memory.append(_Memory(array.start, array.end, [array]))

    def offset(self, array: HostArray) -> int:
        """Bytes from the start of its buffer to an array's first element."""
        return array.pointer - self._of(array).start

    def argument(self, array: HostArray | ArrayShape, name: str) -> Argument:
        """The argument that an array is; the first of some that share memory names the buffer."""
        if isinstance(array, ArrayShape):
            return _shape_argument(array, name)
        if not array.values.size:
            raise UsageError(f"`{name}`: an array of shape {array.shape} has no elements")
        memory = self._of(array)
        if memory.buffer is None:
            memory.buffer = _buffer(memory, name)
        offset = array.pointer - memory.start
        if offset or memory.is_passed:
            return RefArgument(memory.buffer, offset)
        memory.is_passed = True
        return memory.buffer

    def _of(self, array: HostArray) -> _Memory:
        return next(m for m in self._memory if m.start <= array.pointer < max(m.end, m.start + 1))


def _buffer(memory: _Memory, name: str) -> BufferArgument:
    values, type_name = _whole(memory)
    element = element_of(type_name)
    if element is None or ELEMENT_TYPES[element].size_bytes != values.itemsize:
        values, element = values.reshape(-1).view(np.uint8), "u8"
    return BufferArgument(element, values.shape or (1,), InMemory(values), name=name)


def _whole(memory: _Memory) -> tuple[Array, str]:
    """All elements of some memory as a contiguous array over it, and the name of their type."""
    first = memory.arrays[0]
    is_alone = all(
        (a.start, a.end, a.type_name) == (first.start, first.end, first.type_name)
        for a in memory.arrays
    )
    if is_alone and first.values.flags.c_contiguous:
        return first.values, first.type_name
    item = first.item_bytes
    is_alike = all(
        a.type_name == first.type_name and (a.start - memory.start) % item == 0
        for a in memory.arrays
    )
    forward = tuple(slice(None, None, -1 if step < 0 else 1) for step in first.strides)
    lowest = first.values[forward]
    size = memory.end - memory.start
    if is_alike and size % item == 0:
        return as_strided(lowest, (size // item,), (item,)), first.type_name
    one = as_strided(lowest, (1,), (item,)).view(np.uint8)
    return as_strided(one, (size,), (1,)), "uint8"


def _shape_argument(array: ArrayShape, name: str) -> BufferArgument:
    """A buffer of unknown contents: as many elements as lie between the first and the last."""
    element = element_of(array.type_name)
    shape = array.shape or (1,)
    if array.strides != _row_major(array.shape, array.item_bytes):
        pairs = zip(array.shape, array.strides, strict=True)
        reach = sum((side - 1) * step for side, step in pairs)
        shape = (reach // array.item_bytes + 1,)
    if element is None:
        element, shape = "u8", (math.prod(shape) * array.item_bytes,)
    return BufferArgument(element, shape, name=name)


def typed_number(value: Any, name: str) -> ScalarArgument:
    """A number of NumPy in its own type. UsageError for what is none."""
    element = element_of(str(value.dtype)) if isinstance(value, np.generic) else None
    if element is None:
        raise UsageError(f"`{name}`: a {type(value).__name__} is nothing that a kernel takes")
    kind = ELEMENT_TYPES[element]
    return ScalarArgument(element, float(value) if kind.is_float else int(value))


def written_arrays(arguments: Sequence[Argument]) -> Iterator[tuple[int, InMemory]]:
    """Memory of the host that a launch is given, each once, with the place of its argument."""
    seen: set[InMemory] = set()
    for place, argument in enumerate(arguments):
        buffer = argument.buffer if isinstance(argument, RefArgument) else argument
        init = buffer.init if isinstance(buffer, BufferArgument) else None
        if isinstance(init, InMemory) and init not in seen:
            seen.add(init)
            yield place, init
