"""Which registers are live where blocks begin and end: bit sets in Python's integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.liveness.values import MachineView


class RegisterAccesses(Protocol):
    """An instruction as far as registers go: those that it reads and writes."""

    @property
    def reads(self) -> tuple[int, ...]:
        """The registers that it reads."""

    @property
    def writes(self) -> tuple[int, ...]:
        """The registers that it writes, whatever they held."""


RegistersOnEdges = Mapping[tuple[int, int], tuple[Iterable[int], Iterable[int]]]
"""For edges (from, to) the registers that are written on them and those that are read."""


@dataclass(frozen=True)
class Liveness:
    """Sets of registers on entry and at the end of each block; bit ``r`` stands for register ``r``.

    What edge copies read is live at the end of the block before, what they write on entry of the
    one behind. Blocks that control cannot reach have empty sets.
    """

    on_entry: tuple[int, ...]
    at_end: tuple[int, ...]


def live_registers(view: MachineView, cfg: Cfg) -> Liveness:
    """Liveness of the registers that take room."""
    return liveness(view.lines, view.copies, cfg)


def liveness(
    lines: Sequence[Sequence[RegisterAccesses]], copies: RegistersOnEdges, cfg: Cfg
) -> Liveness:
    """Work out liveness backwards to the smallest fixed point, from the lines of each block."""
    used, written = zip(*map(_used_and_written, lines), strict=True)
    edges = {
        edge: (~bits(written_on), bits(read_on)) for edge, (written_on, read_on) in copies.items()
    }
    on_entry, at_end = [0] * len(lines), [0] * len(lines)
    changed = True
    while changed:
        changed = False
        for block in reversed(cfg.reverse_postorder):
            live = 0
            for after in cfg.successors[block]:
                if after != cfg.exit_id:
                    keep, read = edges.get((block, after), (-1, 0))
                    live |= on_entry[after] & keep | read
            at_end[block] = live
            before = used[block] | live & ~written[block]
            if before != on_entry[block]:
                on_entry[block], changed = before, True
    return Liveness(tuple(on_entry), tuple(at_end))


def _used_and_written(lines: Sequence[RegisterAccesses]) -> tuple[int, int]:
    """Give the registers that a block reads before it writes them, and those that it writes."""
    used: set[int] = set()
    written: set[int] = set()
    for line in lines:
        used.update([register for register in line.reads if register not in written])
        written.update(line.writes)
    return bits(used), bits(written)


def bits(members: Iterable[int]) -> int:
    """Make a set of small numbers into an integer."""
    result = 0
    for member in members:
        result |= 1 << member
    return result


def members(set_: int) -> Iterator[int]:
    """Give what is in a set, in ascending order."""
    while set_:
        lowest = set_ & -set_
        yield lowest.bit_length() - 1
        set_ ^= lowest
