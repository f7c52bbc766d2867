"""Instructions and the events of warps, read out of the arrays that the engine is given."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.code import EngineCode
from warpmill.simulator.gpu.shapes import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from warpmill.simulator.streams import Numbers, WarpStreams

SPACES = {
    MEMORY: f.S_GLOBAL,
    LOCAL: f.S_LOCAL,
    CONST: f.S_CONST,
    TEXTURE: f.S_TEXTURE,
    SHARED: f.S_SHARED,
}


@dataclass(frozen=True)
class Instruction:
    """A row of the code: what it reads and writes, which unit takes it and for how long."""

    number: int
    kind: int
    pipe: int
    also: int
    pipe_ticks: int
    latency: int
    slots: int
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    recorded: bool
    space: int
    access: int
    asks: int
    read_cycles: int
    reason: int
    barrier: int
    barrier_warps: int
    line: int
    groups: int
    as_one: bool
    past_l1: bool
    passes: int
    of_sm: int

    @property
    def is_store(self) -> bool:
        """Whether it counts as a store: one to shared memory ends as a load does."""
        return self.access == f.A_STORE and self.space != f.S_SHARED


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
        rows = code.rows.reshape(-1, f.CODE_FIELDS).tolist()
        self.instructions = [_instruction(n, row, registers) for n, row in enumerate(rows)]
        self._blocks = code.blocks.tolist()

    def block(self, first: int, number: int) -> list[Instruction]:
        return self.instructions[slice(*self._blocks[first + number : first + number + 2])]


def _instruction(number: int, row: list[int], registers: list[int]) -> Instruction:
    needs = registers[row[f.R_NEEDS] :][: row[f.R_NEED_COUNT]]
    reads = row[f.R_NEED_COUNT] - row[f.R_WRITE_COUNT]
    return Instruction(
        number=number,
        kind=row[f.R_KIND],
        pipe=row[f.R_PIPE],
        also=row[f.R_ALSO],
        pipe_ticks=row[f.R_TICKS],
        latency=row[f.R_LATENCY],
        slots=row[f.R_ISSUES],
        reads=tuple(needs[:reads]),
        writes=tuple(needs[reads:]),
        recorded=bool(row[f.R_RECORDED]),
        space=row[f.R_SPACE],
        access=row[f.R_ACCESS],
        asks=row[f.R_ASKS],
        read_cycles=row[f.R_READ_CYCLES],
        reason=row[f.R_REASON],
        barrier=row[f.R_BARRIER],
        barrier_warps=row[f.R_BARRIER_WARPS],
        line=row[f.R_LINE],
        groups=row[f.R_GROUPS],
        as_one=bool(row[f.R_AS_ONE]),
        past_l1=bool(row[f.R_PAST_L1]),
        of_sm=row[f.R_OF_SM],
        passes=row[f.R_PASSES],
    )


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
