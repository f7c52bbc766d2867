"""A DRAM channel: a queue of sectors to be read or written, banks with rows, and a bus."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reference.gpu_twin.network import Request, up
from warpmill.simulator.gpu import fields as f

if TYPE_CHECKING:
    from tests.reference.gpu_twin.cache import Line
    from tests.reference.gpu_twin.gpu import Gpu
    from tests.reference.gpu_twin.l2 import Slice

BEFORE_QUEUE = 64
"""Room between L2 and the queue of a channel's scheduler."""
LONG_AGO = -(1 << 40)


@dataclass(eq=False)
class Command:
    """A sector of a slice to be read or written: for a line of L2, or, without L2, a request."""

    slice: Slice
    sector: int
    is_read: bool
    line: Line | None = None
    part: int = 0
    request: Request | None = None
    arrives: int = 0
    bank: int = 0
    row: int = 0


@dataclass
class Bank:
    """A bank: its open row, and the ticks from which on it can be read, or closed."""

    group: int
    row: int | None = None
    opened: int = LONG_AGO
    columns_from: int = 0
    closes_from: int = 0


class Channel:
    """Issues one column command after the other, and brings back what was read.

    It decides once a cycle, more often where its bus moves more than a sector in one.
    """

    def __init__(self, gpu: Gpu, number: int) -> None:
        n = self._n = gpu.spec.numbers
        self._gpu, self._count = gpu, gpu.counts.channels[number]
        self.slices: list[Slice] = []
        self._queue: list[Command] = []
        self._reading: deque[tuple[int, Command]] = deque()
        self._banks = [Bank(k % n[f.BANK_GROUPS]) for k in range(n[f.BANKS])]
        self._decides = 0
        """The cycle from which on the next command is chosen."""
        self._column, self._group = LONG_AGO, -1
        self._opened = self._wrote = LONG_AGO
        self._bus = 0

    @property
    def has_room(self) -> bool:
        return len(self._queue) < self._n[f.DRAM_QUEUE] + BEFORE_QUEUE

    def take(self, command: Command, now: int) -> None:
        """Take a sector of a slice. Pages go round the banks, in each turn in another order."""
        n = self._n
        place = self._gpu.places.in_channel(command.slice.number, command.sector)
        command.row, place = divmod(place // n[f.PAGE_SECTORS], n[f.BANKS])
        command.bank = (place ^ command.row % n[f.BANKS]) % n[f.BANKS]
        command.arrives = now + 1 + n[f.DRAM_DELAY]
        self._queue.append(command)

    def cycle(self, now: int) -> None:
        """Hand on what has been read by now, and issue commands if it is time."""
        while self._reading and self._reading[0][0] <= now:
            command = self._reading.popleft()[1]
            command.slice.fill(command, now)
        while self._decides <= now:
            chosen = self._choose(now)
            if chosen is None:
                break
            self._queue.remove(chosen)
            self._issue(chosen, now)

    def _choose(self, now: int) -> Command | None:
        """Choose the command that can go first, the older of two; without FR-FCFS the oldest."""
        come = [x for x in self._queue[: self._n[f.DRAM_QUEUE]] if x.arrives <= now]
        if not come or not self._n[f.DRAM_FIRST_READY]:
            return come[0] if come else None
        return min(come, key=self._column_time)

    def _column_time(self, command: Command) -> int:
        """The first tick at which a sector's column command can go."""
        n, bank = self._n, self._banks[command.bank]
        times = [command.arrives * f.TICKS, bank.columns_from]
        if bank.row != command.row:
            times = [self._opening_time(command) + n[f.T_RCD]]
        times.append(self._column + n[f.T_CCDL if bank.group == self._group else f.T_CCD])
        times.append(self._bus - n[f.T_CL if command.is_read else f.T_WL])
        if command.is_read:
            times.append(self._wrote + n[f.T_CDLR])
        return max(times)

    def _opening_time(self, command: Command) -> int:
        """The first tick at which a bank opens a sector's row, its own one closed before."""
        n, bank = self._n, self._banks[command.bank]
        times = [command.arrives * f.TICKS, bank.opened + n[f.T_RC], self._opened + n[f.T_RRD]]
        if bank.row is not None:
            times.append(max(bank.closes_from, bank.opened + n[f.T_RAS]) + n[f.T_RP])
            times.append(command.arrives * f.TICKS + n[f.T_RP])
        return max(times)

    def _issue(self, command: Command, now: int) -> None:
        n, bank, count = self._n, self._banks[command.bank], self._count
        time = self._column_time(command)
        if bank.row == command.row:
            count[f.N_ROW_HITS] += 1
        else:
            count[f.N_ROW_MISSES] += 1
            bank.opened = self._opened = self._opening_time(command)
            bank.row, bank.columns_from = command.row, bank.opened + n[f.T_RCD]
        self._bus = time + n[f.T_CL if command.is_read else f.T_WL] + n[f.T_BURST]
        if not command.is_read:
            reads, writes = count[f.N_DRAM_READS], count[f.N_DRAM_WRITES] + 1
            self._bus += n[f.T_BURST] * n[f.MIXED_LOSS] * reads // ((reads + writes) * f.TICKS)
        self._column, self._group = time, bank.group
        if command.is_read:
            bank.closes_from = time + n[f.T_RTPL]
        else:
            self._wrote, bank.closes_from = self._bus, self._bus + n[f.T_WR]
        count[f.N_DRAM_READS if command.is_read else f.N_DRAM_WRITES] += 1
        count[f.N_DRAM_BUSY] += n[f.T_BURST]
        count[f.N_DRAM_WAIT] += self._bus - command.arrives * f.TICKS
        over = self._bus // f.TICKS + n[f.L2_DELAY]
        self._gpu.counts.times[f.B_DRAM_SECTORS][over] += 1
        if command.is_read or command.request is not None:
            self._reading.append((up(self._bus) + 1, command))
        several = n[f.T_BURST] < f.TICKS
        self._decides = max(now if several else now + 1, time // f.TICKS)
        for slice_ in self.slices:
            slice_.stuck = False
