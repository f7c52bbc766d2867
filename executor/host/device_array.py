"""Arrays in device memory: what a host program holds of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError

if TYPE_CHECKING:
    from warpmill.executor.host.backend import DeviceBackend


class SupportsArrays(Protocol):
    """Operations that arrays need of their device."""

    def read_bytes(
        self, address: int, size: int, stream: Stream | None = None
    ) -> npt.NDArray[np.uint8]:
        """Copy bytes from an address of the device."""

    def read_hashed(
        self, address: int, size: int, stream: Stream | None = None
    ) -> tuple[npt.NDArray[np.uint8], str]:
        """Copy bytes from an address of the device, and give their SHA-256."""

    def write_bytes(
        self, address: int, data: npt.NDArray[np.uint8], stream: Stream | None = None
    ) -> None:
        """Copy bytes to an address of the device."""

    def free(self, array: DeviceArray) -> None:
        """Free an array's memory."""


class DeviceArray:
    """Elements of one type in device memory, row-major: an address with a type and a shape.

    A slice of the first axis is an array over the same memory. ``get`` gives a copy as NumPy has
    it; nothing is copied without being asked for.
    """

    def __init__(
        self,
        device: SupportsArrays,
        address: int,
        shape: Sequence[int],
        dtype: npt.DTypeLike,
        *,
        name: str | None = None,
        owner: DeviceArray | None = None,
    ) -> None:
        self.device = device
        self.address = address
        self.shape = tuple(int(n) for n in shape)
        self.dtype = np.dtype(dtype)
        self.name = name
        self._owner = owner  # None where it has its own memory: no cycle keeps that alive

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def base(self) -> DeviceArray:
        """The array whose memory this one is a part of; itself where it has its own."""
        return self if self._owner is None else self._owner

    def get(self, stream: Stream | None = None) -> npt.NDArray[Any]:
        """Copy to the host."""
        data = self.device.read_bytes(self.address, self.nbytes, stream)
        return data.view(self.dtype).reshape(self.shape)

    def set(self, values: npt.ArrayLike, stream: Stream | None = None) -> None:
        """Copy from the host: an array of the same type and number of elements, or one number.

        UsageError where they differ: no array is converted in silence. Lists have no type yet.
        """
        is_typed = isinstance(values, np.ndarray | np.generic)
        given = np.asarray(values) if is_typed else self._typed(values)
        if given.ndim == 0:
            given = self._spread(given)
        if given.dtype != self.dtype:
            raise UsageError(self._of_another_type(given))
        if given.size != self.size or (given.ndim > 1 and given.shape != self.shape):
            raise UsageError(f"{self._title} has shape {self.shape}, what is copied {given.shape}")
        data = np.ascontiguousarray(given).reshape(-1).view(np.uint8)
        self.device.write_bytes(self.address, data, stream)

    def _of_another_type(self, given: npt.NDArray[Any]) -> str:
        """Message that types differ, and how the bytes fit where there are as many of them."""
        words = f"{self._title} has elements of {self.dtype}, what is copied to it {given.dtype}"
        convert = f".astype({str(self.dtype)!r})"
        if given.nbytes != self.nbytes or given.dtype.hasobject:
            return f"{words}; convert it with {convert}"
        same_bytes = f".view({str(given.dtype)!r}) of the device array takes these bytes"
        return f"{words}; {same_bytes}, {convert} of what is copied converts the values"

    def fill(self, value: int | float, stream: Stream | None = None) -> None:
        """Set all elements to one number."""
        self.set(np.asarray(value), stream)

    def _typed(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """Take Python numbers as elements. UsageError where they do not fit."""
        if np.ndim(values) == 0:
            return np.asarray(values)
        try:
            return np.asarray(values, self.dtype)
        except (OverflowError, ValueError, TypeError) as error:
            raise UsageError(f"{self._title} has elements of {self.dtype}: {error}") from None

    def _spread(self, value: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Repeat a number. UsageError where the type does not hold it."""
        if value.dtype.kind not in "biuf" or self.dtype.kind not in "biuf":
            raise UsageError(f"{self._title} cannot be filled with {value.dtype}")
        number = value.item()
        try:
            with np.errstate(over="raise", invalid="raise"):
                made = np.full((), number, self.dtype)
        except (OverflowError, ValueError, FloatingPointError):
            made = None
        is_cut = made is not None and self.dtype.kind in "biu" and made.item() != number
        if made is None or is_cut:
            raise UsageError(f"{number} does not fit elements of {self.dtype}")
        return np.full(self.shape, made, self.dtype)

    def view(self, dtype: npt.DTypeLike) -> DeviceArray:
        """The same bytes as elements of another type, in one dimension if sizes differ."""
        wanted = np.dtype(dtype)
        if wanted.itemsize == self.dtype.itemsize:
            return self._part(self.address, self.shape, wanted)
        if wanted.itemsize == 0 or self.nbytes % wanted.itemsize:
            raise UsageError(f"{self._title}: {self.nbytes} B are no whole elements of {wanted}")
        return self._part(self.address, (self.nbytes // wanted.itemsize,), wanted)

    def reshape(self, *shape: int | Sequence[int]) -> DeviceArray:
        """The same elements in another shape, sizes or a tuple of them; one may be -1."""
        sizes = [int(n) for part in shape for n in (part if isinstance(part, Sequence) else [part])]
        if sizes.count(-1) == 1:
            rest = math.prod(n for n in sizes if n != -1)
            sizes[sizes.index(-1)] = self.size // rest if rest else 0
        if min(sizes, default=0) < 0 or math.prod(sizes) != self.size:
            raise UsageError(f"{self._title} of shape {self.shape} cannot take shape {shape}")
        return self._part(self.address, sizes, self.dtype)

    def free(self) -> None:
        """The memory back. UsageError for a part of an array."""
        if self._owner is not None:
            raise UsageError(f"{self._title} is a part of an array: free that one")
        self.device.free(self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __getitem__(self, index: int | slice) -> DeviceArray:
        if not self.shape:
            raise IndexError(f"{self._title} has no dimensions")
        row = math.prod(self.shape[1:]) * self.dtype.itemsize
        if isinstance(index, slice):
            start, stop, step = index.indices(self.shape[0])
            if step != 1:
                raise UsageError(f"{self._title}: slices have a step of 1 here")
            count = max(0, stop - start)
            return self._part(self.address + start * row, (count, *self.shape[1:]), self.dtype)
        if not isinstance(index, int | np.integer):
            raise UsageError(f"{self._title}: an index is an integer or a slice of the first axis")
        place = int(index) + (self.shape[0] if index < 0 else 0)
        if not 0 <= place < self.shape[0]:
            raise IndexError(f"{self._title} has {self.shape[0]} rows, none of number {index}")
        return self._part(self.address + place * row, self.shape[1:], self.dtype)

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a device array is not on the host: .get() copies it there")

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.shape))
        return f"<{self._title}: {self.dtype}[{shape}] at {self.address:#x}>"

    @property
    def _title(self) -> str:
        return "a device array" if self.name is None else f"device array `{self.name}`"

    def _part(self, address: int, shape: Sequence[int], dtype: np.dtype[Any]) -> DeviceArray:
        return DeviceArray(self.device, address, shape, dtype, name=self.name, owner=self.base)


# Streams and events of a device, as a host program holds them.


class SupportsStreams(Protocol):
    """Operations that streams and events need of their device."""

    backend: DeviceBackend

    def synchronize(self, stream: Stream | None = None) -> None:
        """Wait for a stream."""

    def flush(self, stream: Stream | None = None) -> None:
        """Submit what waits in a stream."""

    def record_event(self, event: Event, stream: Stream | None = None) -> None:
        """Record an event in a stream."""

    def wait_event(self, event: Event, stream: Stream | None = None) -> None:
        """Make a stream wait for an event."""

    def synchronize_event(self, event: Event) -> None:
        """Wait for an event."""


class Stream:
    """An order of work.

    The executor runs all streams in the order of the program, which is one of the orders that a
    GPU may take; recordings keep which stream each call was for.
    """

    def __init__(self, device: SupportsStreams, number: int) -> None:
        self.device = device
        self.number = number

    def synchronize(self) -> None:
        """Wait until all that is in it is done."""
        self.device.synchronize(self)

    def flush(self) -> None:
        """Submit what is in it, without waiting for it."""
        self.device.flush(self)

    def wait(self, event: Event) -> None:
        """Make what comes after wait for an event."""
        self.device.wait_event(event, self)

    def __repr__(self) -> str:
        return f"<stream {self.number}>"


class Event:
    """A mark in a stream."""

    def __init__(self, device: SupportsStreams, number: int) -> None:
        self.device = device
        self.number = number
        self.is_recorded = False

    def record(self, stream: Stream | None = None) -> None:
        """Record it in a stream."""
        self.device.record_event(self, stream)

    def synchronize(self) -> None:
        """Wait until the work before it is done."""
        self.device.synchronize_event(self)

    def elapsed_ms(self, start: Event) -> float | None:
        """The milliseconds from another event to this one, by the clock of a GPU.

        None on the executor: how long a GPU takes is not measured there but estimated. UsageError
        unless both are recorded.
        """
        if not (self.is_recorded and start.is_recorded):
            raise UsageError("the time between events needs both to be recorded")
        return self.device.backend.elapsed_ms(start.number, self.number)

    def __repr__(self) -> str:
        return f"<event {self.number}>"
