"""How much memory this computer has free."""

from __future__ import annotations

import re
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_AVAILABLE = re.compile(r"^MemAvailable:\s+(?P<kib>\d+) kB$", re.MULTILINE)


def available_bytes(meminfo: Path = _MEMINFO) -> int | None:
    """Bytes that programs can take without swapping; None where Linux does not tell."""
    if not meminfo.is_file():
        return None
    found = _AVAILABLE.search(meminfo.read_text("ascii", "replace"))
    return int(found["kib"]) * 1024 if found else None


def at_most_half_of_it(most_bytes: int, available: int | None) -> int:
    """Give ``most_bytes``, or half of the available ones where that is less.

    The other half is for what is made on the way: contents of buffers before they are copied, and
    results. Beyond it the operating system ends the process without a word.
    """
    return most_bytes if available is None else max(1, min(most_bytes, available // 2))
