"""A stream buffer: lines of code that follow those which were needed."""

from __future__ import annotations


class Ahead:
    """The lines on their way behind one that was fetched, each with the time at which it comes."""

    def __init__(self, size: int, latency: int) -> None:
        self._size, self._latency = size, latency
        self.lines: dict[int, int] = {}

    def take(self, line: int, time: int) -> int:
        """When a line is there; those before it are given up, and more are fetched."""
        arrives = self.lines.get(line)
        kept = {} if arrives is None else {n: at for n, at in self.lines.items() if n > line}
        wanted = range(line + 1, line + 1 + self._size)
        self.lines = {n: kept.get(n, time + self._latency) for n in wanted}
        return time + self._latency if arrives is None else arrives
