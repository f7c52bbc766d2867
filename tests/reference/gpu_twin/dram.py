"""A DRAM channel: a queue of sectors to be read or written, banks with rows, and a bus."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reference.gpu_twin.network import Request, up
from warpmill.simulator.gpu import constants as c

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
    activated_tick: int = LONG_AGO
    column_tick: int = 0
    precharge_tick: int = 0


class Channel:
    """Issues one column command after the other, and brings back what was read.

    It decides once a cycle, more often where its bus moves more than a sector in one.
    """

    def __init__(self, gpu: Gpu, number: int) -> None:
        spec = self._spec = gpu.spec
        self._gpu, self._count = gpu, gpu.counts.channels[number]
        self.slices: list[Slice] = []
        self._queue: list[Command] = []
        self._reading: deque[tuple[int, Command]] = deque()
        self._banks = [Bank(k % spec.bank_groups) for k in range(spec.banks_per_channel)]
        self._next_command = 0
        """The cycle from which on the next command is chosen."""
        self._column_tick, self._column_group = LONG_AGO, -1
        self._activate_tick = self._written_tick = LONG_AGO
        self._bus_tick = 0

    @property
    def has_room(self) -> bool:
        return len(self._queue) < self._spec.dram_queue + BEFORE_QUEUE

    def take(self, command: Command, now: int) -> None:
        """Take a sector of a slice. Pages go round the banks, in each turn in another order."""
        spec = self._spec
        place = self._gpu.places.in_channel(command.slice.number, command.sector)
        command.row, place = divmod(place // spec.sectors_per_page, spec.banks_per_channel)
        command.bank = (place ^ command.row % spec.banks_per_channel) % spec.banks_per_channel
        command.arrives = now + 1 + spec.dram_delay
        self._queue.append(command)

    def cycle(self, now: int) -> None:
        """Hand on what has been read by now, and issue commands if it is time."""
        while self._reading and self._reading[0][0] <= now:
            command = self._reading.popleft()[1]
            command.slice.fill(command, now)
        while self._next_command <= now:
            chosen = self._choose(now)
            if chosen is None:
                break
            self._queue.remove(chosen)
            self._issue(chosen, now)

    def _choose(self, now: int) -> Command | None:
        """Choose the command that can go first, the older of two; without FR-FCFS the oldest."""
        come = [x for x in self._queue[: self._spec.dram_queue] if x.arrives <= now]
        if not come or not self._spec.dram_first_ready:
            return come[0] if come else None
        return min(come, key=self._column_time)

    def _column_time(self, command: Command) -> int:
        """The first tick at which a sector's column command can go."""
        spec, bank = self._spec, self._banks[command.bank]
        times = [command.arrives * c.TICKS, bank.column_tick]
        if bank.row != command.row:
            times = [self._opening_time(command) + spec.t_rcd]
        times.append(
            self._column_tick + (spec.t_ccdl if bank.group == self._column_group else spec.t_ccd)
        )
        times.append(self._bus_tick - (spec.t_cl if command.is_read else spec.t_wl))
        if command.is_read:
            times.append(self._written_tick + spec.t_cdlr)
        return max(times)

    def _opening_time(self, command: Command) -> int:
        """The first tick at which a bank opens a sector's row, its own one closed before."""
        spec, bank = self._spec, self._banks[command.bank]
        times = [
            command.arrives * c.TICKS,
            bank.activated_tick + spec.t_rc,
            self._activate_tick + spec.t_rrd,
        ]
        if bank.row is not None:
            times.append(max(bank.precharge_tick, bank.activated_tick + spec.t_ras) + spec.t_rp)
            times.append(command.arrives * c.TICKS + spec.t_rp)
        return max(times)

    def _issue(self, command: Command, now: int) -> None:
        spec, bank, count = self._spec, self._banks[command.bank], self._count
        time = self._column_time(command)
        if bank.row == command.row:
            count["row_hits"] += 1
        else:
            count["row_misses"] += 1
            bank.activated_tick = self._activate_tick = self._opening_time(command)
            bank.row, bank.column_tick = command.row, bank.activated_tick + spec.t_rcd
        self._bus_tick = time + (spec.t_cl if command.is_read else spec.t_wl) + spec.t_burst
        if not command.is_read:
            reads, writes = count["reads"], count["writes"] + 1
            self._bus_tick += (
                spec.t_burst * spec.dram_mixed_loss * reads // ((reads + writes) * c.TICKS)
            )
        self._column_tick, self._column_group = time, bank.group
        if command.is_read:
            bank.precharge_tick = time + spec.t_rtpl
        else:
            self._written_tick, bank.precharge_tick = self._bus_tick, self._bus_tick + spec.t_wr
        count["reads" if command.is_read else "writes"] += 1
        count["busy_ticks"] += spec.t_burst
        count["wait_ticks"] += self._bus_tick - command.arrives * c.TICKS
        over = self._bus_tick // c.TICKS + spec.l2_delay
        self._gpu.counts.times["dram_sectors"][over] += 1
        if command.is_read or command.request is not None:
            self._reading.append((up(self._bus_tick) + 1, command))
        several = spec.t_burst < c.TICKS
        self._next_command = max(now if several else now + 1, time // c.TICKS)
        for slice_ in self.slices:
            slice_.is_stuck = False
