"""Native code that calls back: the door between a run and what the host does for its threads."""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from warpmill.analyzer.ir.externs import HOST_FUNCTIONS
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE, WINDOW_BYTES, WINDOWS
from warpmill.executor.device_memory import DeviceMemory

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel


_CALL = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32
)
_ARRAYS = {Space.SHARED: "shared", Space.CONST: "constants", Space.PARAM: "params"}


class SupportsHostCalls(Protocol):
    """State of the run that a call can access."""

    compiled: CompiledKernel
    memory: DeviceMemory
    arrays: dict[str, npt.NDArray[Any]]

    def get(self, name: str) -> int:
        """Read a field of the context."""

    def set(self, name: str, number: int) -> None:
        """Write a field of the context."""

    def renew_allocations(self) -> None:
        """Show native code the allocations as they are now."""


class Host:
    """Receiver of the calls of one run. What goes wrong in one is raised when the run is back."""

    def __init__(self, run: SupportsHostCalls) -> None:
        self._run = run
        self._lane = 0
        self._functions = HostFunctions(run.memory, self._read, run.renew_allocations)
        self._entry = _CALL(self._call)  # kept alive: native code has its address
        self.error: Exception | None = None
        run.set("host", ctypes.cast(self._entry, ctypes.c_void_p).value or 0)

    @property
    def printed(self) -> str:
        """Text that threads have printed so far."""
        return "".join(self._functions.printed)

    def _call(self, _context: int, number: int, first: int, second: int, lane: int) -> int:
        self._lane = lane
        mask = (1 << 64) - 1
        try:
            return self._functions.call(number, first & mask, second & mask)
        except Exception as error:  # it may not pass through native code
            self.error = self.error or error
            self._run.set("budget", 0)
            return 0

    def _read(self, address: int, size: int) -> bytes:
        """Read memory as the calling thread sees it; less than asked for at an end."""
        run = self._run
        if address >= GLOBAL_BASE:
            found = run.memory.find(address)
            if found is None:
                return b""
            return run.memory.view(address, min(size, found.end - address)).tobytes()
        for space, window in WINDOWS.items():
            offset = address - window
            if 0 <= offset < WINDOW_BYTES:
                return self._window(space, offset, size)
        return b""

    def _window(self, space: Space, offset: int, size: int) -> bytes:
        run = self._run
        if space is not Space.LOCAL:
            return run.arrays[_ARRAYS[space]][offset : offset + size].tobytes()
        each = run.compiled.local_bytes
        start = (run.get("warp") * run.compiled.lanes + self._lane) * each
        return run.arrays["local"][start + offset : start + min(offset + size, each)].tobytes()


# What device code asks of the host while it runs: text to print, memory from the device heap.

MOST_TEXT = 1 << 20
"""Bytes of printed text that are kept, as much as CUDA's buffer."""

_CONVERSION = re.compile(
    r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|z|t|j|L)?([diouxXeEfFgGaAcsp%])"
)

Read = Callable[[int, int], bytes]
"""Reader of so many bytes at a generic address of the calling thread; fewer at an end."""


@dataclass
class HostFunctions:
    """The host's side of one launch. ``read`` sees memory as the calling thread does."""

    memory: DeviceMemory
    read: Read
    table_changed: Callable[[], None]
    printed: list[str] = field(default_factory=list)
    _bytes: int = 0

    def call(self, number: int, first: int, second: int) -> int:
        """Do what a thread asks, by the function's number."""
        if number == HOST_FUNCTIONS["vprintf"][0]:
            return self._print(first, second)
        if number == HOST_FUNCTIONS["malloc"][0]:
            size, name = max(1, first), "memory from malloc"
            address = self.memory.allocate(size, name, is_defined=False)
            self.table_changed()
            return address
        if first:
            self.memory.free(first)
            self.table_changed()
        return 0

    def _print(self, words: int, arguments: int) -> int:
        """Format as C does, with arguments in slots of their own size, and give their number."""
        place = arguments
        count = 0

        def number(size: int, code: str) -> int | float:
            nonlocal place, count
            place = -(-place // size) * size
            value = struct.unpack(code, self.read(place, size).ljust(size, b"\0"))[0]
            place, count = place + size, count + 1
            return value  # type: ignore[no-any-return] # by the code: an int or a float

        def convert(match: re.Match[str]) -> str:
            flags, width, precision, length, letter = match.groups()
            if letter == "%":
                return "%"
            form = "%" + flags
            if width is not None:
                form += str(int(number(4, "<i"))) if width == "*" else width
            if precision is not None:
                digits = int(number(4, "<i")) if precision == "*" else int(precision or 0)
                form += f".{digits}" if digits >= 0 else ""  # as C: a negative one is none
            if letter in "eEfFgGaA":
                value = float(number(8, "<d"))
                return float.hex(value) if letter in "aA" else (form + letter) % value
            if letter == "s":
                return (form + "s") % self._text(int(number(8, "<Q")))
            if letter == "p":
                return hex(int(number(8, "<Q")))
            wide = length in ("ll", "l", "z", "t", "j")
            code = ("q" if wide else "i") if letter in "dic" else ("Q" if wide else "I")
            whole = int(number(8 if wide else 4, f"<{code}"))
            return (form + ("d" if letter in "iu" else letter)) % (
                whole & 0xFF if letter == "c" else whole
            )

        text = _CONVERSION.sub(convert, self._text(words))
        if self._bytes < MOST_TEXT:
            self.printed.append(text)
            self._bytes += len(text)
        return count

    def _text(self, address: int) -> str:
        """Read a string up to its end."""
        found = b""
        while True:
            piece = self.read(address + len(found), 64)
            end = piece.find(b"\0")
            if end >= 0 or not piece or len(found) > MOST_TEXT:
                return (found + piece[: max(end, 0) if end >= 0 else None]).decode(errors="replace")
            found += piece
