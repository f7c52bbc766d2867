"""A cache: sets of lines in the order of their use, with what of them is on its way."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from warpmill.simulator.memory.cache import CacheSpec


class Line:
    """A line, or the room for one. Its sectors are named by their place in it."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.hold(None)

    def hold(self, number: int | None) -> None:
        """Hold another line, as yet without sectors."""
        self.number = number
        self.valid: set[int] = set()
        self.dirty: set[int] = set()
        self.written: set[int] = set()
        """Sectors of which a part was written and the rest is not known."""
        self.parts: dict[int, frozenset[int]] = {}
        """The eighths of these that were written."""
        self.waiting: dict[int, list[Any]] = {}
        """Sectors on their way, and what waits for each."""
        self.arrives = 0


class Cache:
    """A set-associative cache that drops the line that was used longest ago."""

    def __init__(self, spec: CacheSpec, *, hashed: bool) -> None:
        self.sectors = spec.line_bytes // spec.granule_bytes
        self._sets, self._hashed = spec.sets, hashed
        ways = spec.lines // spec.sets
        self._lines: dict[int, list[Line]] = defaultdict(lambda: [Line() for _ in range(ways)])

    def find(self, number: int) -> Line | None:
        """The line of a number; None where it is not there."""
        return next((x for x in self._lines[self._set(number)] if x.number == number), None)

    def use(self, line: Line) -> None:
        """Let a line be the one used last."""
        assert line.number is not None
        own = self._lines[self._set(line.number)]
        own.remove(line)
        own.append(line)

    def victim(self, number: int) -> Line | None:
        """The room that a line gets: the longest unused of its set that awaits nothing."""
        return next((x for x in self._lines[self._set(number)] if not x.waiting), None)

    def bring_in(self, line: Line, number: int) -> None:
        """Let a room of a line's set hold it."""
        line.hold(number)
        self.use(line)

    def _set(self, number: int) -> int:
        """A line's set: hashed, its number's upper digits are folded into the lowest."""
        sets = self._sets
        if not self._hashed or sets & (sets - 1):
            return number % sets
        digits = [number // sets**k % sets for k in range(4)]
        return digits[0] ^ digits[1] ^ digits[2] ^ digits[3]
