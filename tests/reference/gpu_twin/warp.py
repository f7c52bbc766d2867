"""A warp: where it stands, when its registers are written, and what it waits for."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.dispatch import Cta
    from tests.reference.gpu_twin.program import Access, Event, Instruction, Program

Written = tuple[int, int]
"""The cycle from which on a register can be read, and the reason to wait until then."""


class Warp:
    """A warp on an SM.

    It is ready from the cycle ``ready`` on; until then ``reason`` says why not. ``held`` is until
    when, and why, a full unit holds it up that is ready.
    """

    def __init__(self, program: Program, cta: Cta, slot: int, events: list[Event]) -> None:
        self.program, self.cta, self.slot, self.events = program, cta, slot, events
        self.event = -1
        self.block: list[Instruction] = []
        self.place = 0
        self.accesses: list[Access] = []
        self.registers: dict[int, Written] = defaultdict(lambda: (0, 0))
        self.aliases: list[tuple[int, int]] = []
        self.ready, self.reason = c.NEVER, 0
        self.held: Written = (0, 0)
        self.loads = self.stores = 0
        self.copies: Counter[int] = Counter()
        """Asynchronous copies under way, by their group."""
        self.group = 0
        self.ending = self.ended = self.active = False
        self.at_barrier: int | None = None
        self.begin = self.last_issue = self.age = self.issued = 0
        self.final: int | None = None
        """The row that it issued last, once it ends."""

    # -- where it stands -----------------------------------------------------------------------

    @property
    def next(self) -> Instruction:
        return self.block[self.place]

    @property
    def lanes(self) -> int:
        return self.events[self.event].lanes

    @property
    def runs(self) -> bool:
        return not self.ending and not self.ended

    def advance(self) -> bool:
        """Go on to the next instruction; gives whether there is one."""
        self.place += 1
        while self.place >= len(self.block):
            self.event += 1
            if self.event >= len(self.events):
                return False
            event = self.events[self.event]
            self.block = self.program.block(self.cta.launch.first_block, event.block)
            self.place, self.accesses = 0, list(event.accesses)
        return True

    def take_access(self, row: int) -> Access | None:
        """Take what the next instruction asks for; None where no lane does.

        A copy has two parts on the way: that in global memory counts.
        """
        own = []
        while self.accesses and self.accesses[0].row == row:
            own.append(self.accesses.pop(0))
        outside = [x for x in own if x.space != c.SPACE_SHARED]
        return outside[-1] if outside else own[0] if own else None

    # -- registers -----------------------------------------------------------------------------

    def write(self, instruction: Instruction, written: Written) -> None:
        for register in instruction.writes:
            self.registers[register] = written

    def rename(self, instruction: Instruction) -> bool:
        """Do an instruction that takes no time: its results are there when its sources are.

        Names of a value on its way are remembered, MOST_ALIASES of them. Gives whether it is done.
        """
        latest, source = (0, 0), None
        for register in instruction.reads:
            if self.registers[register] > latest:
                latest, source = self.registers[register], register
        coming = latest[0] >= c.NEVER
        if coming and len(self.aliases) + len(instruction.writes) > c.MOST_ALIASES:
            return False
        self.write(instruction, latest)
        if coming:
            assert source is not None
            self.aliases += [(name, source) for name in instruction.writes]
        return True

    def arrived(self, instruction: Instruction, written: Written) -> None:
        """Write what has come, and let its other names be ready too."""
        self.write(instruction, written)
        left = []
        for name, source in self.aliases:
            if self.registers[source][0] < c.NEVER:
                self.registers[name] = self.registers[source]
            else:
                left.append((name, source))
        self.aliases = left

    # -- waiting -------------------------------------------------------------------------------

    def next_ready(self, floor: int, reason: int) -> None:
        """Work out when the next instruction can go: not before ``floor``, nor its registers."""
        instruction = self.next
        best = floor, reason
        for register in (*instruction.reads, *instruction.writes):
            if self.registers[register][0] > best[0]:
                best = self.registers[register]
        if self._waits_for_copies(instruction):
            best = c.NEVER, c.STALL.long_scoreboard
        if instruction.kind == c.KIND_FENCE and self.under_way:
            best = c.NEVER, c.STALL.membar
        self.ready, self.reason = best

    @property
    def under_way(self) -> int:
        return self.loads + self.stores

    def _waits_for_copies(self, instruction: Instruction) -> bool:
        """Whether copies are under way of a group that an instruction waits for.

        That is any group, or any but the open one and so many before it. ASYNC_GROUPS are told
        apart: another one can only be opened when the oldest of them is empty.
        """
        if instruction.kind == c.KIND_COMMIT:
            return any(n for g, n in self.copies.items() if g <= self.group + 1 - c.ASYNC_GROUPS)
        if instruction.kind != c.KIND_WAIT:
            return False
        oldest = (
            self.group - instruction.copy_groups if instruction.copy_groups >= 0 else self.group + 1
        )
        return any(n for group, n in self.copies.items() if group < oldest)
