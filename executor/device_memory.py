"""Global memory of the device: allocations at addresses that are the same in every run.

Addresses are handed out one after another and never again, so that an access to what was freed, or
past the end of a buffer, meets no other buffer and can be told in words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.analyzer.launch.numbering import GAP_BYTES, GLOBAL_BASE, next_buffer

HOST_ALIGN_BYTES = 64
"""Alignment of an allocation's host memory: the widest vector that a CPU loads."""

DEFAULT_MAX_BYTES = 16 << 30
"""Bytes of all allocations together above which ``allocate`` refuses."""

_REMEMBERED = 4096  # freed allocations that are still known by name

Bytes = npt.NDArray[np.uint8]

_NOTHING: Bytes = np.zeros(0, np.uint8)

UNDEFINED = 0x80
"""The shadow of a byte that nobody has written; that of one computed from such has all bits."""

_NEAR_BYTES, _FAR_BYTES = 1 << 28, 1 << 34
"""Bytes between neighbours that are spread: first such that addresses of 32 bits hold a dozen of
them, then as many as 32-bit indices of 4 B elements reach."""

_SPREAD_END = 1 << 46  # where the room for that ends: the workspace of the grid lies above

COMPUTED_BIT = 0x40
"""Set in the shadow of what was computed from undefined bytes, and not copied."""


@dataclass(frozen=True)
class Allocation:
    """A piece of global memory with the host memory behind it; ``name`` is for messages.

    ``shadow`` has a byte for each byte, 0 where it is defined, where anybody asks for that.
    """

    address: int
    bytes: int
    name: str | None
    data: Bytes = field(compare=False, repr=False)
    shadow: Bytes | None = field(default=None, compare=False, repr=False)

    @property
    def end(self) -> int:
        """The address one past its last byte."""
        return self.address + self.bytes

    @property
    def title(self) -> str:
        """Name of the allocation in messages: ``buffer `a` of 4096 B``."""
        return _title(self.address, self.bytes, self.name)


def _title(address: int, size: int, name: str | None) -> str:
    return f"the buffer of {size} B at {address:#x}" if name is None else f"`{name}` of {size} B"


class DeviceMemory:
    """The allocations of a device, up to ``max_bytes`` of them in all.

    ``has_shadow``: it is kept which bytes are defined. ``is_spread``: neighbours lie far apart, so
    that what leaves one of them meets no other.
    """

    def __init__(
        self,
        max_bytes: int = DEFAULT_MAX_BYTES,
        *,
        has_shadow: bool = False,
        is_spread: bool = False,
    ) -> None:
        self._max_bytes = max_bytes
        self._is_spread = is_spread
        self._has_shadow = has_shadow
        self._used = 0
        self._next = GLOBAL_BASE
        self._starts: list[int] = []  # of the live allocations, ascending
        self._live: list[Allocation] = []
        self._freed: deque[tuple[int, int, str | None]] = deque(maxlen=_REMEMBERED)
        self._table: npt.NDArray[np.int64] | None = None

    @property
    def used_bytes(self) -> int:
        """Bytes of all live allocations."""
        return self._used

    @property
    def allocations(self) -> tuple[Allocation, ...]:
        """The live allocations by ascending address."""
        return tuple(self._live)

    def allocate(self, size: int, name: str | None = None, *, is_defined: bool = True) -> int:
        """The address of ``size`` new bytes, all zero. LimitError beyond the limit.

        ``is_defined``: zero is what they hold, and not what happens to be there. The host memory is
        not touched: the operating system gives it page by page when it is used.
        """
        if size < 0:
            raise ValueError(f"a negative number of bytes: {size}")
        if self._used + size > self._max_bytes:
            raise _over_limit(size, self._used, self._max_bytes, name)
        address = self._next
        self._add(address, size, name)
        if not is_defined:
            self._shadow(address, size)[:] = UNDEFINED
        self._next = next_buffer(address, size, self._gap_behind(address + size))
        self._used += size
        return address

    def _gap_behind(self, end: int) -> int:
        """The bytes from the end of an allocation to the next."""
        if not self._is_spread or end > _SPREAD_END:
            return GAP_BYTES
        return _NEAR_BYTES if end + 2 * _NEAR_BYTES <= 1 << 32 else _FAR_BYTES

    def reserve(self, address: int, size: int, name: str) -> None:
        """Make memory at an address of our own choice, far above what ``allocate`` gives out."""
        self._add(address, size, name)

    def _add(self, address: int, size: int, name: str | None) -> None:
        place = bisect_right(self._starts, address)
        shadow = _zeros(size, name) if self._has_shadow else None
        self._live.insert(place, Allocation(address, size, name, _zeros(size, name), shadow))
        self._starts.insert(place, address)
        self._table = None

    def free(self, address: int) -> None:
        """An allocation back, by the address that ``allocate`` gave. KeyError for others."""
        place = bisect_right(self._starts, address) - 1
        if place < 0 or self._starts[place] != address:
            raise KeyError(address)
        gone = self._live.pop(place)
        del self._starts[place]
        self._freed.append((gone.address, gone.bytes, gone.name))
        self._used -= gone.bytes
        self._table = None

    def view(self, address: int, size: int) -> Bytes:
        """``size`` bytes at an address as a writable view of the host memory.

        IndexError, with where it lies, unless all of them are of one allocation.
        """
        found = self._holder(address, size)
        start = address - found.address
        return found.data[start : start + size]

    def _holder(self, address: int, size: int) -> Allocation:
        """The allocation that so many bytes at an address are of. IndexError."""
        found = self.find(address)
        if found is None and size == 0:
            found = self._before(address)  # an empty slice at a buffer's end
        if found is None or address + size > found.end:
            where = self.nearest(address if found is None else found.end)
            raise IndexError(f"{size} B at {address:#x} are not all of one buffer: {where}")
        return found

    # Which bytes are defined. Without shadows, all are.

    def _shadow(self, address: int, size: int) -> Bytes:
        """The shadow of so many bytes of one allocation, writable; nothing where none is kept."""
        found = self._holder(address, size)
        if found.shadow is None:
            return _NOTHING
        start = address - found.address
        return found.shadow[start : start + size]

    def define(self, address: int, size: int) -> None:
        """Take down that the host has written to memory."""
        self._shadow(address, size)[:] = 0

    def copy_shadow(self, address: int, source: int, size: int) -> None:
        """Take down that memory was copied."""
        self._shadow(address, size)[:] = self._shadow(source, size)

    def undefined(self, address: int, size: int) -> npt.NDArray[np.int64]:
        """Places of bytes, of so many at an address, that nobody has written, nor computed."""
        shadow = self._shadow(address, size)
        return np.flatnonzero((shadow != 0) & (shadow & COMPUTED_BIT == 0))

    def is_computed(self, address: int) -> bool:
        """Whether a byte was computed from undefined ones."""
        found = self.find(address)
        return found is not None and bool(self._shadow(address, 1) & COMPUTED_BIT)

    def table(self) -> npt.NDArray[np.int64]:
        """Rows of first address, end and host address by ascending address.

        Generated code looks addresses up in it. It holds until the next ``allocate`` or ``free``.
        """
        if self._table is None:
            rows: list[Any] = [(a.address, a.end, a.data.ctypes.data) for a in self._live]
            self._table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return self._table

    def shadow_table(self) -> npt.NDArray[np.int64]:
        """As ``table``, with the host addresses of shadows."""
        rows = [
            (a.address, a.end, a.shadow.ctypes.data) for a in self._live if a.shadow is not None
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    def find(self, address: int) -> Allocation | None:
        """The allocation that an address lies in; None where there is none."""
        found = self._before(address)
        return found if found is not None and address < found.end else None

    def nearest(self, address: int) -> str:
        """Place of an address in words: ``32 B past the end of `a` of 4096 B``.

        Addresses from 2^63 on are those below zero.
        """
        address -= address >> 63 << 64
        for start, size, name in reversed(self._freed):
            if start <= address < start + size:
                return f"{address - start:,} B into {_title(start, size, name)}, which was freed"
        place = bisect_right(self._starts, address)
        before = self._live[place - 1] if place else None
        after = self._live[place] if place < len(self._live) else None
        if before is not None and address < before.end:
            return f"{address - before.address:,} B into {before.title}"
        past = None if before is None else address - before.end
        ahead = None if after is None else after.address - address
        if before is not None and past is not None and (ahead is None or past < ahead):
            return f"{past:,} B past the end of {before.title}"
        if after is not None:
            return f"{ahead:,} B before the start of {after.title}"
        return "there are no buffers"

    def _before(self, address: int) -> Allocation | None:
        """The last allocation that starts at an address or before it."""
        place = bisect_right(self._starts, address) - 1
        return self._live[place] if place >= 0 else None


def _zeros(size: int, name: str | None) -> Bytes:
    """Make zeroed host memory, aligned, that the operating system gives when it is touched."""
    try:
        whole = np.zeros(size + HOST_ALIGN_BYTES, np.uint8)
    except MemoryError:
        words = f"this computer has no {size} B left{_for(name)}"
        raise LimitError(Diagnostic(Severity.ERROR, words)) from None
    start = -whole.ctypes.data % HOST_ALIGN_BYTES
    return whole[start : start + size]


def _over_limit(size: int, used: int, limit: int, name: str | None) -> LimitError:
    words = (
        f"{size} B of device memory{_for(name)} on top of {used} B are over the limit of {limit} B"
    )
    return LimitError(Diagnostic(Severity.ERROR, words, hint="--max-memory moves the limit"))


def _for(name: str | None) -> str:
    return "" if name is None else f" for `{name}`"
