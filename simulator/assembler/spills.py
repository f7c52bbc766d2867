"""Spills: values that a thread's registers do not hold, stored in local memory and loaded again.

An assembler that is held to fewer registers than a kernel needs stores some values once they are
made, and loads them again where they are read. Which ones ptxas takes is not published. Here, of
values that are live over the ends of blocks those go first that are read least for the room that
they take (Chaitin et al., Computer Languages 6, 1981); within a block what is read furthest ahead
leaves its registers (Belady, IBM Systems Journal 5, 1966). A value that has left is stored where it
is made, once, and loaded again before it is read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from warpmill.analyzer.analyses.liveness import MachineView, live_registers, members
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Address, Instruction, Kernel, Reg, Symbol
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch
from warpmill.simulator.assembler.registers import RESERVED
from warpmill.simulator.assembler.schedule import Orders

_SLOT = Symbol("spilled")
_WORD_BYTES = 4
_LOOP_RUNS = 8.0
"""How often a loop is taken to run where values are chosen; compilers weigh loops by 8 or 10."""


@dataclass(frozen=True, eq=False)
class Spills:
    """Local loads and stores of a kernel, behind the instructions of each block by number.

    ``kernel`` has them, so that no place of the kernel without them changes; ``orders`` say where
    they stand. ``points`` are their accesses, whose bytes of a thread's local memory begin at
    ``offsets``. ``owners`` has the instruction that each is there for. Bytes are those of a thread,
    each instruction once, as ``ptxas -v`` counts them.
    """

    kernel: Kernel
    orders: Orders
    points: tuple[AccessPoint, ...] = ()
    offsets: tuple[int, ...] = ()
    owners: Mapping[Place, Place] = field(default_factory=dict)
    frame_bytes: int = 0

    @property
    def store_bytes(self) -> int:
        """Bytes that a thread stores."""
        return sum(p.width_bytes or 0 for p in self.points if p.kind == "store")

    @property
    def load_bytes(self) -> int:
        """Bytes that a thread loads."""
        return sum(p.width_bytes or 0 for p in self.points if p.kind == "load")

    @cached_property
    def by_block(self) -> Mapping[int, int]:
        """How many each block has, of those that have any."""
        found: dict[int, int] = {}
        for point in self.points:
            found[point.block] = found.get(point.block, 0) + 1
        return found

    def traced(self, batch: EventBatch) -> EventBatch:
        """A batch of the kernel's events with their accesses: behind the others of each event."""
        if not self.points or not len(batch.block):
            return batch
        first = len(batch.tables.points)
        each = np.bincount([p.block for p in self.points], minlength=int(batch.block.max()) + 1)
        order = np.argsort([p.block for p in self.points], kind="stable")
        begin = np.concatenate([[0], np.cumsum(each)])
        more = each[batch.block]
        before = np.diff(batch.event_accesses)
        ends = np.concatenate([[0], np.cumsum(before + more)])
        event = np.repeat(np.arange(len(more)), more)
        number = np.arange(len(event)) - np.repeat(np.cumsum(more) - more, more)
        at = ends[event] + before[event] + number
        point = order[begin[batch.block[event]] + number]
        known = np.ones(ends[-1], np.bool_)
        known[at] = False

        def column(own: np.ndarray, added: np.ndarray) -> np.ndarray:
            both = np.empty(ends[-1], own.dtype)
            both[known], both[at] = own, added
            return both

        zeros = np.zeros((1, batch.patterns.shape[1]), batch.patterns.dtype)
        rows = np.full(len(at), len(batch.patterns))
        return replace(
            batch,
            tables=replace(batch.tables, points=(*batch.tables.points, *self.points)),
            event_accesses=ends,
            access_point=column(batch.access_point, first + point),
            access_mask=column(batch.access_mask, batch.mask[event]),
            access_base=column(batch.access_base, np.array(self.offsets)[point]),
            access_pattern=column(batch.access_pattern, rows),
            patterns=np.concatenate([batch.patterns, zeros]),
            _known={},
        )


def spilled(structure: Structure, orders: Orders, registers: int, local_bytes: int = 0) -> Spills:
    """Spill what does not fit into the ``registers`` of a thread, in an order of its instructions.

    ``local_bytes`` are those of a thread's local memory that its variables take.
    """
    found = _Spiller(structure, orders, max(1, registers - RESERVED)).run()
    return _laid_out(structure.kernel, structure.view, orders, found, local_bytes)


def spilled_as(
    structure: Structure,
    orders: Orders,
    told_bytes: int,
    local_bytes: int = 0,
    *,
    of_frame: bool = False,
) -> Spills:
    """Spill until a thread's stores and loads come as near to a number of bytes as they can.

    ``of_frame``: the number is that of the local memory which they go to.
    """
    most = sum(structure.view.weights) + RESERVED + 1
    made: dict[int, Spills] = {}

    def off(registers: int) -> int:
        if registers not in made:
            made[registers] = spilled(structure, orders, registers, local_bytes)
        one = made[registers]
        found = one.frame_bytes if of_frame else one.store_bytes + one.load_bytes
        return found - told_bytes

    few, many = 1, min(most, 512)
    while few < many:  # fewer registers, more traffic
        middle = (few + many) // 2
        few, many = (few, middle) if off(middle) <= 0 else (middle + 1, many)
    best = min((few, max(1, few - 1)), key=lambda registers: abs(off(registers)))
    return made[best]


class _Spiller:
    """Chooses what leaves its registers, and where it comes back."""

    def __init__(self, structure: Structure, orders: Orders, limit: int) -> None:
        self._structure, self._orders, self._limit = structure, orders, limit
        view: MachineView = structure.view
        self._weights = view.weights
        self._live = live_registers(view, structure.cfg)
        self._lines = {id(one.instruction): one for lines in view.lines for one in lines}
        self._last = {head: self._ends(head, order) for head, order in enumerate(orders) if order}
        self._made_anew = _made_anew(structure.kernel)
        self._loads: list[tuple[Place, int]] = []

    def _ends(self, head: int, order: Sequence[Place]) -> int:
        """The block that control leaves by those blocks that are one with the first."""
        blocks = self._structure.kernel.blocks
        inside = {block for block, _ in order}
        return max(b for b in inside if not set(blocks[b].successors) & (inside - {head}))

    def run(self) -> list[tuple[Place, int]]:
        """Registers that are loaded again, each with the place before which."""
        away = self._kept_away()
        for head, order in enumerate(self._orders):
            if order:
                self._block(head, order, away)
        return self._loads

    # Values over the ends of blocks.

    def _kept_away(self) -> set[int]:
        """Registers that are in memory where blocks begin and end, so that the others fit."""
        sets = [self._live.on_entry[first] for first in self._last]
        sets += [self._live.at_end[last] for last in self._last.values()]
        alive = [set(members(one)) for one in sets]
        away: set[int] = set()
        costs = self._read_costs()
        while True:
            over = [one for one in alive if self._room(one - away) > self._limit]
            if not over:
                return away
            times: dict[int, int] = {}
            for one in over:
                for register in one - away:
                    times[register] = times.get(register, 0) + 1
            gains = {r: n * self._weights[r] for r, n in times.items() if self._weights[r]}
            if not gains:
                return away
            away.add(min(gains, key=lambda r: (costs.get(r, 0.0) / gains[r], r)))

    def _room(self, registers: set[int]) -> int:
        return sum(self._weights[r] for r in registers)

    def _read_costs(self) -> Mapping[int, float]:
        """How often each register is read and written, by the loops that it is in."""
        costs: dict[int, float] = {}
        loops = self._structure.loops
        for block, lines in enumerate(self._structure.view.lines):
            loop = loops.innermost(block)
            runs = _LOOP_RUNS ** (0 if loop is None else loop.depth)
            for line in lines:
                for register in (*line.reads, *line.writes):
                    costs[register] = costs.get(register, 0.0) + runs * self._weights[register]
        return costs

    # Values within a block.

    def _block(self, first: int, order: Sequence[Place], away: set[int]) -> None:
        kernel = self._structure.kernel
        lines = [
            self._lines.get(id(kernel.blocks[block].instructions[index])) for block, index in order
        ]
        stays = set(members(self._live.at_end[self._last[first]])) - away
        nexts = _Nexts([line.reads if line else () for line in lines], stays)
        held = {
            r for r in members(self._live.on_entry[first]) if r not in away and self._weights[r]
        }
        for number, (place, line) in enumerate(zip(order, lines, strict=True)):
            nexts.at(number)
            if number == len(order) - 1:  # what follows finds it in its registers
                for register in sorted(stays - held):
                    if self._weights[register] and register not in (line.writes if line else ()):
                        self._load(place, register, held)
            if line is None:
                continue
            reads = [r for r in line.reads if self._weights[r]]
            for register in reads:
                if register not in held:
                    self._load(place, register, held)
            self._fit(held, nexts, set(reads))
            held -= {r for r in reads if nexts.after(r) == math.inf}
            writes = {r for r in line.writes if self._weights[r]}
            held |= writes
            self._fit(held, nexts, writes)
            held -= {r for r in writes if nexts.after(r) == math.inf}

    def _load(self, place: Place, register: int, held: set[int]) -> None:
        if register not in self._made_anew:
            self._loads.append((place, register))
        held.add(register)

    def _fit(self, held: set[int], nexts: _Nexts, needed: set[int]) -> None:
        """Let go of what is read furthest ahead until what is held fits."""
        room = self._room(held)
        while room > self._limit:
            others = held - needed
            if not others:
                return
            gone = max(others, key=lambda r: (nexts.after(r), r))
            held.discard(gone)
            room -= self._weights[gone]


class _Nexts:
    """The next line that reads each register, as the lines of a block go by."""

    def __init__(self, reads: Sequence[Sequence[int]], stays: set[int]) -> None:
        self._stays, self._end, self._now = stays, len(reads), 0
        self._places: dict[int, list[int]] = {}
        for number in range(len(reads) - 1, -1, -1):
            for register in reads[number]:
                self._places.setdefault(register, []).append(number)

    def at(self, number: int) -> None:
        """Come to a line."""
        self._now = number

    def after(self, register: int) -> float:
        """The next line behind the present one; those that are live at the end: behind the last."""
        places = self._places.get(register, [])
        while places and places[-1] <= self._now:
            places.pop()
        if places:
            return places[-1]
        return self._end if register in self._stays else math.inf


def _made_anew(kernel: Kernel) -> frozenset[int]:
    """Registers that are made again where they are read: of nothing but constants and ids."""
    written = Counter(r for i in kernel.instructions for r in i.writes)
    return frozenset(
        i.writes[0]
        for i in kernel.instructions
        if len(i.writes) == 1 and written[i.writes[0]] == 1 and not i.reads
        if not i.operation.effects and i.address is None
    )


def _laid_out(
    kernel: Kernel,
    view: MachineView,
    orders: Orders,
    found: Sequence[tuple[Place, int]],
    local_bytes: int,
) -> Spills:
    """Put the loads and stores behind the instructions of their blocks, and into the order."""
    slots: dict[int, int] = {}
    at = -(-local_bytes // 16) * 16
    for register in sorted({register for _, register in found}):
        size = _WORD_BYTES * view.weights[register]
        at = -(-at // size) * size
        slots[register] = at
        at += size
    added: list[list[Instruction]] = [[] for _ in kernel.blocks]
    points: list[AccessPoint] = []
    offsets: list[int] = []
    owners: dict[Place, Place] = {}

    def add(owner: Place, register: int, kind: str) -> Place:
        block, index = owner
        own = kernel.blocks[block].instructions
        place = block, len(own) + len(added[block])
        width = _WORD_BYTES * view.weights[register]
        added[block].append(_access(own[index], kind, register, slots[register], width))
        points.append(AccessPoint(*place, kind, Space.LOCAL, width))
        offsets.append(slots[register])
        owners[place] = owner
        return place

    loads: dict[Place, list[int]] = {}
    for place, register in found:
        loads.setdefault(place, []).append(register)
    made = []
    for order in orders:
        own: list[Place] = []
        entered: set[int] = set()
        for place in order:
            if place[0] not in entered:
                entered.add(place[0])
                written = _edge_writes(kernel, place[0])
                own += [add(place, r, "store") for r in written if r in slots]
            own += [add(place, r, "load") for r in loads.get(place, ())]
            own.append(place)
            writes = kernel.blocks[place[0]].instructions[place[1]].writes
            own += [add(place, r, "store") for r in dict.fromkeys(writes) if r in slots]
        made.append(tuple(own))
    blocks = tuple(
        replace(block, instructions=(*block.instructions, *added[block.id]))
        for block in kernel.blocks
    )
    spilling = replace(kernel, blocks=blocks)
    return Spills(spilling, tuple(made), tuple(points), tuple(offsets), owners, at - local_bytes)


def _edge_writes(kernel: Kernel, block: int) -> Iterator[int]:
    """Registers that are written on the way to a block."""
    copies = (copy for edge in kernel.blocks[block].incoming for copy in edge.copies)
    return iter(dict.fromkeys(register.index for register, _ in copies))


def _access(owner: Instruction, kind: str, register: int, offset: int, width: int) -> Instruction:
    """The local load or store of a register, at the place in the source of what it is for."""
    bits = 8 * min(width, 8)
    where = Address(_SLOT, offset)
    operands = (Reg(register), where) if kind == "load" else (where, Reg(register))
    return replace(
        owner,
        operation=decode(f"{'ld' if kind == 'load' else 'st'}.local.b{bits}"),
        operands=operands,
        guard=None,
        targets=(),
    )
