"""A kernel cut where a warp may stop and go on later, and the record that keeps its state.

A segment is a straight piece of one block: the whole of it, or a part between barriers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from warpmill.analyzer.ir.kernel import (
    Block,
    EdgeCopies,
    Function,
    Instruction,
    Kernel,
    Operand,
    registers_in,
)
from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue
from warpmill.executor.sanitizers.shadow_operations import is_of_shadows

CARRY_WORDS = frozenset({"addc", "subc", "madc"})
_STACK_READS = frozenset({"alloca", "stacksave"})
_STACK_WRITES = frozenset({"alloca", "stackrestore"})
_ARRIVALS = ("bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.cta.arrive")


def suspends(instruction: Instruction) -> bool:
    """Whether a warp hands over to the CTA here: at barriers, waiting or only arriving."""
    operation = instruction.operation
    return "barrier" in operation.effects or operation.name in _ARRIVALS


_WITH_MASK = frozenset({"shfl", "vote", "match", "redux", "elect", "bar.warp"})
"""Operations whose last source is the mask of the lanes that they join, where they are .sync."""


def members_of(instruction: Instruction) -> Operand | None:
    """The mask of the lanes that an operation joins."""
    operation = instruction.operation
    if operation.name not in _WITH_MASK or "sync" not in operation.modifiers:
        return None
    return instruction.sources[-1]


def _is_of_all(instruction: Instruction) -> bool:
    """Whether an operation is one of all lanes of a warp: products of matrices and the like."""
    words, is_shadow = instruction.operation.modifiers, is_of_shadows(instruction.operation)
    return not is_shadow and "sync" in words and "aligned" in words and not suspends(instruction)


def joins_lanes(instruction: Instruction) -> bool:
    """Whether lanes have to come together to an operation."""
    return members_of(instruction) is not None or _is_of_all(instruction)


@dataclass(frozen=True)
class BlockSegment:
    """Instructions ``start`` to ``end`` of a block; ``next`` is the segment after a barrier.

    One that ``meets`` ends before an operation that lanes come to together, and does not stop.
    """

    id: int
    block: int
    start: int
    end: int
    next: int | None
    meets: bool = False


@dataclass(frozen=True)
class Segments:
    """All segments of a kernel, the first of each block, and the registers live at their ends.

    Sets of registers are bits of integers, by register index; the carry flag comes after the last,
    then the end of the stack.
    """

    kernel: Kernel
    segments: tuple[BlockSegment, ...]
    first: tuple[int, ...]  # by block

    def instructions(self, segment: BlockSegment) -> tuple[Instruction, ...]:
        """The instructions of a segment."""
        return self.kernel.blocks[segment.block].instructions[segment.start : segment.end]

    def starts_at(self, number: int) -> tuple[int, int] | None:
        """Block and place of the first instruction from a segment's start on; None without one."""
        if not 0 <= number < len(self.segments):
            return None
        segment = self.segments[number]
        block = self.kernel.blocks[segment.block]
        if segment.start < len(block.instructions):
            return (segment.block, segment.start)
        if block.fallthrough is None:
            return None
        return self.starts_at(self.first[block.fallthrough])

    @property
    def carry(self) -> int:
        """The number that stands for the carry flag."""
        return len(self.kernel.registers)

    @cached_property
    def live_in(self) -> tuple[int, ...]:
        """The registers that are read after the start of each segment, before being written."""
        uses, kills = zip(*[self._uses(s) for s in self.segments], strict=True)
        live = [0] * len(self.segments)
        changed = True
        while changed:
            changed = False
            for segment in reversed(self.segments):
                out = self._live_out(segment, live)
                new = uses[segment.id] | (out & ~kills[segment.id])
                changed |= new != live[segment.id]
                live[segment.id] = new
        return tuple(live)

    def live_out(self, segment: BlockSegment) -> int:
        """The registers that are read after the end of a segment."""
        return self._live_out(segment, self.live_in)

    def _live_out(self, segment: BlockSegment, live: Sequence[int]) -> int:
        if segment.next is not None:
            return live[segment.next]
        block = self.kernel.blocks[segment.block]
        out = 0
        for successor in block.successors:
            out |= self.before_edge(
                block, self.kernel.blocks[successor], live[self.first[successor]]
            )
        return out

    def copies(self, source: int, target: int) -> Sequence[EdgeCopies]:
        """The copies that are made on the edge from one block to another."""
        return self._copies.get((source, target), ())

    @cached_property
    def _copies(self) -> dict[tuple[int, int], list[EdgeCopies]]:
        found: dict[tuple[int, int], list[EdgeCopies]] = {}
        for block in self.kernel.blocks:
            for edge in block.incoming:
                found.setdefault((edge.predecessor, block.id), []).append(edge)
        return found

    def before_edge(self, source: Block, target: Block, live: int) -> int:
        """Registers live before the copies on an edge, from those live after them."""
        for edge in self.copies(source.id, target.id):
            for register, _ in edge.copies:
                live &= ~(1 << register.index)
            for _, value in edge.copies:
                live |= _bits(registers_in(value))
        return live

    def _uses(self, segment: BlockSegment) -> tuple[int, int]:
        used, killed = self._finished(segment), 0
        for instruction in self.instructions(segment):
            reads = _bits(instruction.reads) | self._hidden_reads(instruction)
            writes = _bits(instruction.writes) | self._hidden_writes(instruction)
            used |= reads & ~killed
            if instruction.guard is None:
                killed |= self._whole(instruction, writes)
            else:
                used |= writes & ~killed
        return used, killed

    def _finished(self, segment: BlockSegment) -> int:
        """Registers that a guarded barrier reads when the warp resumes: guard and kept ones."""
        if segment.start == 0:
            return 0
        before = self.kernel.blocks[segment.block].instructions[segment.start - 1]
        if before.guard is None or not suspends(before):
            return 0
        return _bits(before.writes) | 1 << before.guard.register.index

    def _whole(self, instruction: Instruction, writes: int) -> int:
        """Leave out vector registers of which one element is written."""
        registers = self.kernel.registers
        for index in instruction.writes:
            if registers[index].vector > 1:
                writes &= ~(1 << index)
        return writes

    def _hidden_reads(self, instruction: Instruction) -> int:
        name = instruction.operation.name
        return int(name in CARRY_WORDS) << self.carry | int(name in _STACK_READS) << self.carry + 1

    def _hidden_writes(self, instruction: Instruction) -> int:
        operation = instruction.operation
        carries = int("cc" in operation.modifiers) << self.carry
        return carries | int(operation.name in _STACK_WRITES) << self.carry + 1


def _bits(indices: Iterable[int]) -> int:
    total = 0
    for index in indices:
        total |= 1 << index
    return total


def cut(kernel: Kernel, meets: Callable[[Instruction], bool] = lambda _: False) -> Segments:
    """Cut the blocks of a kernel after each instruction at which a warp may stop.

    And before those at which its lanes ``meet``.
    """
    segments: list[BlockSegment] = []
    first: list[int] = []
    for block in kernel.blocks:
        first.append(len(segments))
        start = 0
        for place, instruction in enumerate(block.instructions):
            number = len(segments)
            if meets(instruction):
                end = place  # lanes are together in what is done with shadows before it too
                while end > start and is_of_shadows(block.instructions[end - 1].operation):
                    end -= 1
                segments.append(BlockSegment(number, block.id, start, end, number + 1, True))
                start, number = end, number + 1
            if suspends(instruction):
                segments.append(BlockSegment(number, block.id, start, place + 1, number + 1))
                start = place + 1
        segments.append(BlockSegment(len(segments), block.id, start, len(block.instructions), None))
    return Segments(kernel, tuple(segments), tuple(first))


# Where a warp keeps its registers between blocks: one vector of all lanes for each.

_ALIGN = 64  # bytes of the widest vector that a CPU stores at once


@dataclass(frozen=True)
class FrameSlot:
    """A register's place in the frame: bytes from its start, and the LLVM type of one lane.

    ``uniform`` ones hold one number for all lanes. A negative offset is no place: such a register
    lives within one piece of code only.
    """

    offset: int
    type: str
    uniform: bool = False


@dataclass(frozen=True)
class FrameLayout:
    """The places of all registers of a kernel, of the carry flag and of the stack's end.

    The stack is what ``alloca`` takes: bytes of local memory after the variables, by lane.
    """

    lanes: int
    slots: tuple[tuple[FrameSlot, ...], ...]  # by register index; several of a vector register
    carry: FrameSlot
    stack: FrameSlot
    bytes: int

    @property
    def flat(self) -> tuple[tuple[FrameSlot, ...], ...]:
        """The slots of each register, and after the last those of the flag and the stack."""
        return (*self.slots, (self.carry,), (self.stack,))


def storage_type(type_: Type) -> str:
    """The LLVM type that a register of a type is kept in: an integer of its bits."""
    if type_.kind is TypeKind.PREDICATE:
        return "i1"
    return f"i{max(8, type_.bits)}"


def lay_out_frame(
    function: Function, lanes: int, invariant: Collection[int] = frozenset(), kept: int = -1
) -> FrameLayout:
    """Place the registers of a function one after another; predicates take a bit a lane.

    Those of ``invariant``, by index, have one value for all lanes. Only those of ``kept``, bits by
    index, get a place.
    """
    build = _Build(lanes)
    slots = tuple(
        tuple(
            build.place(storage_type(r.type), uniform=k in invariant, kept=bool(kept >> k & 1))
            for _ in range(r.vector)
        )
        for k, r in enumerate(function.registers)
    )
    carry, stack = build.place("i1"), build.place("i32")
    return FrameLayout(lanes, slots, carry, stack, max(build.end, _ALIGN))


@dataclass
class _Build:
    lanes: int
    end: int = field(default=0)
    unplaced: int = field(default=0)

    def place(self, type_: str, *, uniform: bool = False, kept: bool = True) -> FrameSlot:
        """The next place for a register, or a number of its own where it needs none."""
        if not kept:
            self.unplaced -= 1
            return FrameSlot(self.unplaced, type_, uniform)
        bits = int(type_[1:])
        size = 8 if bits == 1 else max(8, bits // 8 * (1 if uniform else self.lanes))
        align = min(_ALIGN, max(8, size & -size))
        start = -(-self.end // align) * align
        self.end = start + size
        return FrameSlot(start, type_, uniform)


# Where a warp stands, in memory: what survives when it stops, and its frame of registers.

_FIELDS = (
    "resume",  # segment to go on at
    "mask",  # bits of the lanes that run
    "alive",  # bits of the lanes that have not ended
    "leaving",  # bits of those that are on their way to the end, with nothing left to do
    "reconvergence",  # block at which the lanes that run wait for others; the exit's id: nowhere
    "depth",  # entries on the stack
    "status",  # a WarpStatus
    "barrier",  # number of the barrier that it waits at or arrived at
    "barrier_threads",  # how many threads that barrier is for, 0: all
    "barrier_kind",  # a BarrierKind
    "barrier_count",  # lanes whose predicate holds
    "barrier_lanes",  # lanes that arrived
    "group_turn",  # which of two tables the next operation of all threads uses
    "barrier_result",  # what a reducing barrier gives, all lanes alike
    "is_alone",  # 1 where lanes go on without those that they are to wait for: nobody else can
)

WARP = {name: 8 * place for place, name in enumerate(_FIELDS)}
"""Byte offset of each field of a warp's record; each takes eight bytes."""

STACK_START = 8 * len(_FIELDS)
"""Byte offset of the stack: entries of block, mask and the reconvergence block after it."""

ENTRY_BYTES = 24

READY, WAITING, ENDED = 0, 1, 2
"""Status of a warp."""

HAS_ENDED, GIVES_WAY, AT_BARRIER = 0, 1, 2
"""Return values of a warp's function."""


@dataclass(frozen=True)
class RecordLayout:
    """Sizes of the records of a kernel's warps, in bytes."""

    stack_entries: int
    frame_bytes: int

    @property
    def frame_start(self) -> int:
        """Offset of the frame, after the stack."""
        return -(-(STACK_START + self.stack_entries * ENTRY_BYTES) // 64) * 64

    @property
    def bytes(self) -> int:
        """Bytes of a whole record; an odd number of cache lines, so that warps spread over sets."""
        lines = -(-(self.frame_start + self.frame_bytes) // 64)
        return (lines | 1) * 64


def get_field(e: Emitter, warp: str, name: str, type_: str = "i64") -> LlvmValue:
    """Read a field of the warp's record at the pointer ``warp``."""
    return e.define(f"load {type_}, ptr {field_place(e, warp, name)}", type_, uniform=True)


def set_field(e: Emitter, warp: str, name: str, value: LlvmValue) -> None:
    """Write a field; narrower values leave the upper bytes as they are."""
    e.raw(f"  store {e.typed(value)}, ptr {field_place(e, warp, name)}")


def field_place(e: Emitter, warp: str, name: str) -> str:
    """The address of a field."""
    place = e.name()
    e.raw(f"  {place} = getelementptr i8, ptr {warp}, i64 {WARP[name]}")
    return place
