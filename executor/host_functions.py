"""What device code asks of the host while it runs: text to print, memory from the device heap."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from warpmill.analyzer.ir.host_calls import HOST_FUNCTIONS
from warpmill.executor.device_memory import DeviceMemory

MOST_TEXT = 1 << 20
"""Bytes of printed text that are kept, as much as CUDA's buffer."""

_CONVERSION = re.compile(
    r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|z|t|j|L)?([diouxXeEfFgGaAcsp%])"
)

Read = Callable[[int, int], bytes]
"""Reads so many bytes at a generic address of the thread that calls; fewer at an end."""


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
            address = self.memory.allocate(max(1, first), "memory from malloc")
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
