"""Some CTAs at once: where each warp stands, its reconvergence stack, its registers and memory.

All warps that stand at the same place take a step together; the place that comes first in reverse
postorder goes first, so that stragglers catch up. A warp's own order is that of design.md: the
fall-through side first, each side up to the immediate post-dominator.
"""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor.frame import Frame
from tests.reference.numpy_executor.memory import GLOBAL_BASE, places, shared_between
from tests.reference.numpy_executor.program import TrapError, case_values, sides_of
from tests.reference.numpy_executor.values import masks, truth
from warpmill.analyzer.ir.types import OpClass, Space

__all__ = ["Chunk", "DeadlockError", "TooLongError", "TrapError"]

READY, WAITING, DONE = 0, 1, 2
NONE = np.uint64(0)
BARRIERS = 16


class DeadlockError(Exception):
    """No warp can go on."""


class TooLongError(Exception):
    """More steps than the caller wants to wait for."""


class Chunk:
    """The CTAs that run together, from their first instruction to their last."""

    def __init__(self, program, layout, memory, geometry, ctas, counts):
        self.program, self.layout = program, layout
        self.warp_size = geometry.warp_size
        self.n_warps = len(ctas) * geometry.warps
        self.lanes = self.n_warps * self.warp_size
        self.warps_of_cta = geometry.warps
        self.all_lanes = np.arange(self.lanes)
        self.counts = counts
        self._specials = geometry.specials(ctas)
        self._set_memory(memory, layout, len(ctas))
        self._set_registers()
        self._set_warps(geometry, len(ctas))

    def _set_memory(self, memory, layout, n_ctas):
        self._limits = {
            Space.GLOBAL: len(memory), Space.CONST: len(memory),
            Space.PARAM: len(layout.parameters),
            Space.SHARED: layout.shared_bytes, Space.LOCAL: layout.local_bytes,
        }  # fmt: skip
        self._memories = {
            Space.GLOBAL: memory, Space.CONST: memory, Space.PARAM: layout.parameters,
            Space.SHARED: np.zeros(n_ctas * layout.shared_bytes, np.uint8),
            Space.LOCAL: np.zeros(self.lanes * layout.local_bytes, np.uint8),
        }  # fmt: skip
        cta = self.all_lanes // (self.warps_of_cta * self.warp_size)
        self._starts = {  # of each lane's own part, in elements of a width
            (space, width): numbers * (size // width)
            for width in (1, 2, 4, 8)
            for space, numbers, size in (
                (Space.SHARED, cta, layout.shared_bytes),
                (Space.LOCAL, self.all_lanes, layout.local_bytes),
            )
        }

    def _set_registers(self):
        kernel, dtypes = self.program.kernel, self.program.operands.dtypes
        self.registers = [np.zeros(1, bool if d is None else d) for d in dtypes]
        self.registers.append(np.zeros(1, bool))  # the carry flag
        for parameter in kernel.parameters:
            if parameter.register is not None:
                index = parameter.register.index
                value = self.layout.arguments[parameter.name]
                self.registers[index] = np.frombuffer(value, dtypes[index])

    def _set_warps(self, geometry, n_ctas):
        self.full = np.tile(masks(geometry.threads_there()), n_ctas)
        self.alive = self.full.copy()
        self.mask = self.full.copy()
        self.block = np.zeros(self.n_warps, np.int64)
        self.piece = np.zeros(self.n_warps, np.int64)
        self.end = np.full(self.n_warps, self.program.exit_id)
        self.state = np.zeros(self.n_warps, np.int8)
        self.depth = np.zeros(self.n_warps, np.int64)
        self.stack = [np.zeros((self.n_warps, 4), t) for t in (np.int64, np.int64, np.uint64)]
        self.arrived = np.zeros((n_ctas, BARRIERS), np.int64)
        self.expected = np.full((n_ctas, BARRIERS), -1)
        self.barrier = np.zeros(self.n_warps, np.int64)
        self.order = np.array(self.program.order)

    def special(self, name):
        """A special register over all lanes."""
        if name not in self._specials:
            raise NotImplementedError(f"%{name}")
        return self._specials[name]

    def locate(self, frame, space, at, width, elements):
        """The array of a space as elements of a width, and the lanes' indices in it."""
        if space in (Space.GLOBAL, Space.CONST):
            at = at - np.uint64(GLOBAL_BASE)
        index = places(at, width, self._limits[space], elements)
        if (space, width) in self._starts:
            index = index + frame.pick(self._starts[space, width])
        return shared_between(self._memories[space], width), index

    # Control.

    def run(self, most_steps):
        """Execute until every warp has ended."""
        for _ in range(most_steps):
            ready = np.flatnonzero(self.state == READY)
            if not len(ready):
                if (self.state == DONE).all():
                    return
                self.release()
                continue
            place = self.order[self.block[ready]] * 4096 + self.piece[ready]
            warps = ready[place == place.min()]
            self.step(warps)
            self.settle(warps)
        raise TooLongError(f"{most_steps} steps")

    def settle(self, warps):
        """Pop what is over: at the end of its side, or without a lane."""
        while len(warps):
            self.mask[warps] &= self.alive[warps]
            over = (self.block[warps] == self.end[warps]) | (self.mask[warps] == NONE)
            warps = warps[over]
            ended = self.depth[warps] == 0
            self.state[warps[ended]] = DONE
            warps = warps[~ended]
            self.depth[warps] -= 1
            for array, level in zip((self.block, self.end, self.mask), self.stack, strict=True):
                array[warps] = level[warps, self.depth[warps]]

    def push(self, warps, block, end, mask):
        """Put the running side of some warps on their stacks and start another."""
        if not len(warps):
            return
        depth = self.depth[warps]
        if depth.max() >= self.stack[0].shape[1]:
            self.stack = [np.concatenate((level, np.zeros_like(level)), 1) for level in self.stack]
        for array, level in zip((self.block, self.end, self.mask), self.stack, strict=True):
            level[warps, depth] = array[warps]
        self.depth[warps] += 1
        self.block[warps], self.end[warps], self.mask[warps] = block, end, mask

    def frame(self, warps):
        """The frame of these warps' active lanes."""
        everyone = len(warps) == self.n_warps
        if everyone and (self.mask == self.counts.all_lanes_mask).all():
            return Frame(self, None)
        active = np.flatnonzero(truth(self.mask[warps], self.warp_size))
        lane = active % self.warp_size
        return Frame(self, warps[active // self.warp_size] * self.warp_size + lane)

    def step(self, warps):
        """Let warps that stand at the same place execute up to a barrier or the block's end."""
        number, at = int(self.block[warps[0]]), int(self.piece[warps[0]])
        pieces = self.program.pieces[number]
        frame = self.frame(warps)
        if at == 0:
            self.counts.add(number, len(warps), frame.size)
        piece = pieces[at]
        for execute in piece.steps:
            execute(frame)
        if piece.barrier is not None:
            frame.write_back(frozenset(frame.written))
            self.piece[warps] = at + 1
            self.arrive(warps, frame, piece.barrier)
            return
        self.piece[warps] = 0
        kept = self.program.kept[number]
        self.leave(warps, frame, self.program.kernel.blocks[number], kept)

    # Barriers.

    def arrive(self, warps, frame, barrier):
        """Note warps at a barrier; those of bar.arrive go on."""
        first = np.searchsorted(frame.lane_numbers // self.warp_size, warps)
        number = np.broadcast_to(barrier.number(frame), frame.size)[first].astype(np.int64)
        ctas = warps // self.warps_of_cta
        np.add.at(self.arrived, (ctas, number), 1)
        if barrier.threads is not None:
            threads = np.broadcast_to(barrier.threads(frame), frame.size)[first].astype(np.int64)
            self.expected[ctas, number] = -(-threads // self.warp_size)
        if barrier.waits:
            self.state[warps] = WAITING
            self.barrier[warps] = number

    def release(self):
        """Open the barriers to which all have come. DeadlockError where there is none."""
        there = np.add.reduceat(self.state != DONE, np.arange(0, self.n_warps, self.warps_of_cta))
        wanted = np.where(self.expected < 0, there[:, None], self.expected)
        open_ = (self.arrived >= wanted) & (self.arrived > 0)
        ctas = np.arange(self.n_warps) // self.warps_of_cta
        go_on = (self.state == WAITING) & open_[ctas, self.barrier]
        if not go_on.any():
            raise DeadlockError(f"{(self.state == WAITING).sum()} warps wait at a barrier")
        self.state[go_on] = READY
        self.arrived[open_], self.expected[open_] = 0, -1

    # Branches.

    def leave(self, warps, frame, block, kept):
        """Send the lanes of a finished block where they go."""
        last = block.terminator
        if last is not None and last.operation.op_class is OpClass.RETURN:
            self.leave_by_return(warps, frame, block, last, kept)
            return
        sides = sides_of(block, self.program.exit_id)
        if len(sides) == 1:
            self.copy(frame, block.id, sides[0])
            self.block[warps] = sides[0]
            frame.write_back(kept)
            return
        chosen = self.choices(frame, last, sides)
        everyone = chosen.size == 1 or (chosen == chosen[0]).all()
        if everyone:
            side = sides[int(chosen[0])]
            self.copy(frame, block.id, side)
            self.block[warps] = side
            frame.write_back(kept)
            return
        frame.write_back(kept)
        self.part(warps, frame, block.id, sides, chosen)

    def choices(self, frame, last, sides):
        """For each lane which side it takes."""
        if last.operation.name == "bra":
            guard = last.guard
            if guard is None:
                return np.ones(1, np.int64)
            return (frame.get(guard.register.index) ^ guard.negated).astype(np.int64)
        if last.guard is not None or last.operation.name not in ("switch", "brx.idx"):
            raise NotImplementedError(last.operation.opcode)
        values, chosen = case_values(last), np.zeros(1, np.int64)
        dtype = self.program.operands.dtypes[last.operands[0].index]
        selector = self.program.operands.reader(last.operands[0], dtype)(frame)
        for value, target in zip(values, last.targets, strict=True):
            bits = np.array([value % (1 << (8 * dtype.itemsize))], f"u{dtype.itemsize}").view(dtype)
            chosen = np.where(selector == bits, sides.index(target), chosen)
        return chosen

    def part(self, warps, frame, number, sides, chosen):
        """Split warps whose lanes go to different sides."""
        taken = []
        rows = np.searchsorted(warps, frame.lane_numbers // self.warp_size)
        lane = frame.lane_numbers % self.warp_size
        for side, target in enumerate(sides):
            on = chosen == side
            lanes = np.zeros((len(warps), self.warp_size), bool)
            lanes[rows[on], lane[on]] = True
            taken.append(masks(lanes))
            if on.any() and (number, target) in self.program.copies:
                part = Frame(self, frame.lane_numbers[on])
                self.copy(part, number, target)
                part.write_back(frozenset(part.written))
        parted = sum((bits != NONE).astype(int) for bits in taken) > 1
        for bits, target in zip(taken, sides, strict=True):
            self.block[warps[~parted & (bits != NONE)]] = target
        meet = self.program.meet[number]
        self.block[warps[parted]] = meet
        for bits, target in reversed(list(zip(taken, sides, strict=True))):
            on = parted & (bits != NONE)
            self.push(warps[on], target, meet, bits[on])

    def leave_by_return(self, warps, frame, block, last, kept):
        """End lanes; those whose guard is false go on."""
        gone = np.ones(1, bool)
        if last.guard is not None:
            gone = frame.get(last.guard.register.index) ^ last.guard.negated
        gone = np.broadcast_to(gone, frame.size)
        lanes = np.zeros((self.n_warps, self.warp_size), bool)
        numbers = frame.lane_numbers[gone]
        lanes[numbers // self.warp_size, numbers % self.warp_size] = True
        self.alive &= ~masks(lanes)
        stay = (self.mask[warps] & self.alive[warps]) != NONE
        self.block[warps[~stay]] = self.program.exit_id
        if stay.any():
            self.block[warps[stay]] = block.fallthrough
            if (block.id, block.fallthrough) in self.program.copies:
                raise NotImplementedError("copies after a guarded return")
        frame.write_back(kept)

    def copy(self, frame, source, target):
        """Do the copies of an edge."""
        step = self.program.copies.get((source, target))
        if step is not None:
            step(frame)
