"""Instructions and the events of warps, read out of the arrays that the engine is given."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

from warpmill.analyzer.memory.rules import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import EngineCode
from warpmill.simulator.streams import Numbers, WarpStreams

SPACES = {
    MEMORY: c.SPACE_GLOBAL,
    LOCAL: c.SPACE_LOCAL,
    CONST: c.SPACE_CONST,
    TEXTURE: c.SPACE_TEXTURE,
    SHARED: c.SPACE_SHARED,
}


@dataclass(frozen=True)
class Instruction:
    """A row of the code: what it reads and writes, which unit takes it and for how long."""

    number: int
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    kind: int
    pipe: int
    alternate_pipe: int
    shared_pipe: int
    pipe_ticks: int
    latency: int
    issue_slots: int
    read_cycles: int
    reason: int
    line: int
    recorded: int
    space: int
    access: int
    memory_access: int
    bypasses_l1: int
    aggregated: int
    wavefronts: int
    parameter: int
    barrier: int
    barrier_warps: int
    copy_groups: int

    @property
    def is_store(self) -> bool:
        """Whether it counts as a store: one to shared memory ends as a load does."""
        return self.access == c.ACCESS_STORE and self.space != c.SPACE_SHARED


WHOLE = frozenset(range(8))


@dataclass(frozen=True)
class Sector:
    """A transaction: its sector, the lanes on its busiest word, which eighths of it are touched."""

    number: int
    words: int
    parts: frozenset[int]

    @property
    def full(self) -> bool:
        """Whether all of it is touched."""
        return self.parts == WHOLE


@dataclass(frozen=True)
class Access:
    """What a warp's execution of an instruction asks for. ``most`` lanes are on one word."""

    row: int
    space: int
    passes: int
    most: int
    sectors: tuple[Sector, ...]


@dataclass(frozen=True)
class Event:
    """An execution of a block by a warp."""

    block: int
    lanes: int
    accesses: tuple[Access, ...]


class Program:
    """The instructions of all kernels. A block is named by its kernel's first and its number."""

    def __init__(self, code: EngineCode) -> None:
        registers = code.registers.tolist()
        self.instructions = [_instruction(n, row, registers) for n, row in enumerate(code.rows)]
        self._blocks = code.blocks.tolist()

    def block(self, first: int, number: int) -> list[Instruction]:
        return self.instructions[slice(*self._blocks[first + number : first + number + 2])]


def _instruction(number: int, row: Any, registers: list[int]) -> Instruction:
    needs = registers[row["needs"] :][: row["need_count"]]
    reads = row["need_count"] - row["write_count"]
    own = {field.name: int(row[field.name]) for field in fields(Instruction)[3:]}
    return Instruction(number, tuple(needs[:reads]), tuple(needs[reads:]), **own)


def read_streams(streams: WarpStreams, rows: Numbers) -> list[list[Event]]:
    """The events of each warp of a batch. ``rows`` are those of the code by access point."""
    warps = streams.warp_events.tolist()
    events = [_event(streams, k, rows) for k in range(len(streams.event_block))]
    return [events[first:last] for first, last in pairwise(warps)]


def _event(streams: WarpStreams, number: int, rows: Numbers) -> Event:
    own = range(*streams.event_access[number : number + 2].tolist())
    accesses = tuple(_access(streams, k, rows) for k in own)
    return Event(int(streams.event_block[number]), int(streams.event_lanes[number]), accesses)


def _access(streams: WarpStreams, number: int, rows: Numbers) -> Access:
    shape, base = int(streams.access_shape[number]), int(streams.access_base[number])
    own = range(*streams.shape_first[shape : shape + 2].tolist())
    sectors = tuple(
        Sector(
            base + int(streams.txn_offset[k]),
            int(streams.txn_words[k]),
            frozenset(part for part in WHOLE if int(streams.txn_parts[k]) >> part & 1),
        )
        for k in own
    )
    row = int(rows[streams.access_point[number]])
    space = SPACES[int(streams.access_way[number])]
    passes, most = int(streams.shape_passes[shape]), int(streams.shape_most[shape])
    return Access(row, space, passes, most, sectors)
