"""A kernel as one LLVM function that runs a warp until it ends or waits, with what is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.graph import build_cfg, postdominator_tree, reconvergence
from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Special,
    Symbol,
)
from warpmill.analyzer.ir.operation import Role
from warpmill.analyzer.ir.types import OpClass
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.executor.native.control import FlowShape, WarpFlow
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.events import record_block, record_guard, room
from warpmill.executor.native.instructions import LlvmModule, LlvmValue, constant
from warpmill.executor.native.lane_schedule import brings_together
from warpmill.executor.native.paths import PathLayout, count_lanes, pass_block, pass_edge
from warpmill.executor.native.points import AccessSite, AccessSites
from warpmill.executor.native.rules import RULES
from warpmill.executor.native.rules.groups import finish_barrier, finish_group
from warpmill.executor.native.segments import (
    BlockSegment,
    FrameLayout,
    FrameSlot,
    RecordLayout,
    Segments,
    cut,
    joins_lanes,
    lay_out_frame,
    suspends,
)
from warpmill.executor.native.specials import Places
from warpmill.executor.native.step import LaneRegisters, LoweringStep
from warpmill.executor.native.sync_checks import check_members

UNKNOWN_FORM = (
    AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError,
)  # fmt: skip
"""Exceptions of a rule on operands or words that it was not written for."""


class UnknownFormError(Exception):
    """A rule met operands that it was not written for."""

    def __init__(self, instruction: Instruction, reason: str) -> None:
        super().__init__(reason)
        self.instruction = instruction


@dataclass(frozen=True)
class Lowered:
    """The text of a warp's function, with where things lie in a warp's record.

    ``sites`` are the instructions that may fault, as (block, index), by their number; ``counted``
    and ``recorded`` the points whose accesses are.
    """

    segments: Segments
    layout: FrameLayout
    record: RecordLayout
    sites: tuple[tuple[int, int], ...]
    zeroed: tuple[tuple[int, int], ...]  # offset and bytes of registers read before they are set
    uses_barriers: bool
    counting: Counting
    counted: tuple[AccessSite, ...]
    recorded: tuple[AccessSite, ...]
    most_words: int
    segment_order: npt.NDArray[np.int64]


def shape_of(kernel: Kernel, module: LlvmModule) -> FlowShape:
    """Work out the control flow of a kernel."""
    cfg = build_cfg(kernel)
    meeting = reconvergence(cfg, postdominator_tree(cfg))
    points = tuple(cfg.exit_id if m is None else m for m in meeting)
    reconvergence_blocks = {m for m in meeting if m is not None and m != cfg.exit_id}
    # each entry has lanes of its own or a meeting point of its own
    entries = module.lanes + len(kernel.blocks) + 2
    waits = module.checks_masks or any(map(suspends, kernel.instructions))
    endings = _endings(kernel) if waits else frozenset()
    segments = cut(kernel, brings_together) if module.independent else cut(kernel)
    return FlowShape(
        segments, points, frozenset(reconvergence_blocks), endings, cfg.rpo_number, entries
    )


def _endings(kernel: Kernel) -> frozenset[int]:
    """Find the blocks that do nothing but end the threads that come to them."""
    found: set[int] = set()
    more = True
    while more:
        more = False
        for block in kernel.blocks:
            if block.id not in found and _only_ends(block, found):
                found.add(block.id)
                more = True
    return frozenset(found)


def _only_ends(block: Block, endings: Collection[int]) -> bool:
    """Whether a block is a return, or a way to one of these blocks, and nothing else."""
    if len(block.instructions) > 1:
        return False
    last = block.terminator
    if last is None:
        return not block.instructions and block.fallthrough in endings
    if last.guard is not None:
        return False
    if last.is_branch:
        return last.operation.name == "bra" and all(t in endings for t in last.targets)
    return "ends" in last.operation.effects


def lower(module: LlvmModule, kernel: Kernel, places: Places, counting: Counting) -> Lowered:
    """Write the function ``@warp`` of a kernel into a module."""
    shape = shape_of(kernel, module)
    segments = shape.segments
    kept = 0
    for live in segments.live_in:
        kept |= live
    layout = lay_out_frame(kernel, module.lanes, invariant_registers(kernel), kept)
    record = RecordLayout(shape.stack_entries, layout.bytes)
    e = Emitter(module)
    probes = Probes(e, counting)
    flow = WarpFlow(e, shape, places, probes.edge, LaneRegisters(e, layout))
    writer = _Writer(e, shape, layout, places, probes, flow)
    writer.flow.write_resume()
    writer.flow.write_pop()
    for segment in segments.segments:
        if segment.block in shape.order:
            writer.segment(segment)
    module.functions["@warp"] = (
        "define internal i32 @warp(ptr %ctx, ptr %warp) #0 {\n"
        f"  %frame = getelementptr i8, ptr %warp, i64 {record.frame_start}\n"
        f"{e.body_text()}\n}}\n"
    )
    barriers = any(map(suspends, kernel.instructions))
    points = writer.points
    return Lowered(
        segments,
        layout,
        record,
        tuple(writer.sites),
        writer.zeroed(),
        barriers,
        counting,
        tuple(points.counted),
        tuple(points.recorded),
        writer.most_words,
        _segment_order(shape),
    )


def _segment_order(shape: FlowShape) -> npt.NDArray[np.int64]:
    """The place of each segment in reverse postorder; that of the exit is the last."""
    segments = shape.segments.segments
    order = {s.id: shape.order.get(s.block, 0) * (len(segments) + 1) + s.id for s in segments}
    return np.array([*order.values(), np.iinfo(np.int64).max - 1], np.int64)


@dataclass
class _Writer:
    """Writer of a kernel's segments, one after another."""

    emitter: Emitter
    shape: FlowShape
    layout: FrameLayout
    places: Places
    probes: Probes
    flow: WarpFlow

    def __post_init__(self) -> None:
        counting = self.probes.counting
        self.points = AccessSites(counting.rules, counting.addresses)
        self.most_words = 0
        self.sites: list[tuple[int, int]] = []
        self.reads_clock = any(
            isinstance(o, Special) and o.name.startswith(("clock", "globaltimer"))
            for i in self.shape.segments.kernel.instructions
            for o in i.operands
        )

    def segment(self, segment: BlockSegment) -> None:
        """Write one segment."""
        e, segments = self.emitter, self.shape.segments
        e.start(f"seg{segment.id}")
        if self._meets(segment):
            self.flow.meet(segment, LaneRegisters(e, self.layout))
        bits = self.flow.mask()
        registers = LaneRegisters(e, self.layout)
        tell = self.flow.make_room(segment) if self.probes.counting.events else None
        before = self.points.written
        if segment.id == segments.first[segment.block]:
            self._begin(segment, bits, registers)
        active = e.mask(bits)
        self._after_barrier(segment, registers, active)
        for index in range(segment.start, segment.end):
            self._instruction(segment, index, registers, active)
        live = segments.live_out(segment)
        for slot in registers.values:
            if slot in registers.written and live & self._holders.get(slot, 0):
                registers.store(slot, active, bits)
        self.flow.leave(segment, registers)
        if tell is not None:
            guards = sum(i.guard is not None for i in self.shape.segments.instructions(segment))
            words = room(self.points.written - before, guards, self.layout.lanes)
            self.most_words = max(self.most_words, words)
            tell(words)

    def _meets(self, segment: BlockSegment) -> bool:
        """Whether a segment begins with an operation that lanes come to together."""
        return segment.id > 0 and self.shape.segments.segments[segment.id - 1].meets

    def _begin(self, segment: BlockSegment, bits: LlvmValue, registers: LaneRegisters) -> None:
        self.probes.block(segment.block, bits)
        if self.reads_clock:
            length = len(self.shape.segments.kernel.blocks[segment.block].instructions)
            e = self.emitter
            e.set_context("clock", e.op("add", e.context("clock"), constant(length, "i64")))
        if segment.id == 0:
            self._parameters(registers)

    def _parameters(self, registers: LaneRegisters) -> None:
        """Set the registers that hold parameters on entry."""
        e = self.emitter
        for parameter in self.shape.segments.kernel.parameters:
            if parameter.register is None:
                continue
            slot = self.layout.slots[parameter.register.index][0]
            _, offset = self.places.names[parameter.name]
            place = e.name()
            e.raw(f"  {place} = getelementptr i8, ptr {e.context('params').text}, i64 {offset}")
            stored = f"i{8 * parameter.type.size_bytes}"
            value = e.define(f"load {stored}, ptr {place}, align 1", stored, uniform=True)
            registers.write(slot, e.resize(value, slot.type))

    def _after_barrier(
        self, segment: BlockSegment, registers: LaneRegisters, active: LlvmValue
    ) -> None:
        if segment.start == 0:
            return
        before = self.shape.segments.kernel.blocks[segment.block].instructions[segment.start - 1]
        if not suspends(before):
            return
        finish = finish_group if before.operation.name == "group" else finish_barrier
        place = (segment.block, segment.start - 1)
        step = LoweringStep(
            self.emitter, registers, before, active, self.places, -1, place, self.points
        )
        finish(step)

    def _instruction(
        self, segment: BlockSegment, index: int, registers: LaneRegisters, active: LlvmValue
    ) -> None:
        block = self.shape.segments.kernel.blocks[segment.block]
        instruction = block.instructions[index]
        if instruction is block.terminator:
            return
        site, place = self._site(segment.block, index, instruction), (segment.block, index)
        step = LoweringStep(
            self.emitter, registers, instruction, active, self.places, site, place, self.points
        )
        self.probes.guard(step)
        check_members(step)
        try:
            RULES[instruction.operation.name](step)
        except UNKNOWN_FORM as error:
            raise UnknownFormError(instruction, str(error)) from error

    def _site(self, block: int, index: int, instruction: Instruction) -> int:
        """Number the instruction where it may fault."""
        operation = instruction.operation
        faults = Role.ADDRESS in operation.roles or operation.op_class.is_memory
        faults = faults or bool(operation.effects & {"barrier", "aborts"})
        faults = faults or operation.op_class is OpClass.CALL
        faults = faults or operation.name in _NOTING
        faults = faults or (self.emitter.module.checks_masks and joins_lanes(instruction))
        if not faults:
            return -1
        self.sites.append((block, index))
        return len(self.sites) - 1

    @cached_property
    def _holders(self) -> dict[FrameSlot, int]:
        """The registers that lie in each place, as bits; those that copies alone read have none."""
        found: dict[FrameSlot, int] = {}
        for k, each in enumerate(self.layout.flat):
            for slot in each:
                if slot.offset >= 0:
                    found[slot] = found.get(slot, 0) | 1 << k
        return found

    def zeroed(self) -> tuple[tuple[int, int], ...]:
        """The registers that are read before they are written: they begin at 0."""
        segments = self.shape.segments
        live = segments.live_in[0]
        given = {p.register.index for p in segments.kernel.parameters if p.register is not None}
        found = []
        for slot in sorted(
            (s for s, bits in self._holders.items() if live & bits), key=lambda s: s.offset
        ):
            if any(slot in self.layout.slots[index] for index in given):
                continue
            bits = int(slot.type[1:])
            lanes = 1 if slot.uniform else self.layout.lanes
            found.append((slot.offset, 8 if bits == 1 else max(8, bits // 8 * lanes)))
        return tuple(found)


# Registers that hold one value for all lanes of a warp from their only write on.
#
# They are computed and kept once, as scalars: pointers and sizes from parameters, the CTA's place
# in the grid, and what is computed from these alone.

_CLASSES = frozenset(
    {
        OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.DIV, OpClass.MINMAX, OpClass.LOGIC,
        OpClass.SHIFT, OpClass.COMPARE, OpClass.SELECT, OpClass.MOVE, OpClass.CONVERT, OpClass.BIT,
        OpClass.ADDRESS,
    }
)  # fmt: skip
_SPECIALS = frozenset(
    {f"{name}.{axis}" for name in ("ntid", "ctaid", "nctaid") for axis in "xyzw"}
    | {"nwarpid", "smid", "nsmid", "gridid", "dynamic_smem_size", "total_smem_size"}
)
_NOTING = frozenset({"alloca", "check.address", "check.numeric", "shadow.use"})
"""Operations without an address that faults and findings name."""

_STATEFUL = frozenset({"alloca", "stacksave", "stackrestore"})


def invariant_registers(kernel: Kernel) -> frozenset[int]:
    """The indices of the invariant registers of a kernel."""
    writes = Counter(w for i in kernel.instructions for w in i.writes)
    writes.update(r.index for b in kernel.blocks for edge in b.incoming for r, _ in edge.copies)
    writes.update(p.register.index for p in kernel.parameters if p.register is not None)
    found = {p.register.index for p in kernel.parameters if p.register is not None}
    found = {index for index in found if writes[index] == 1}
    candidates = [
        i
        for i in kernel.instructions
        if _is_candidate(kernel, i) and all(writes[w] == 1 for w in i.writes)
    ]
    growing = True
    while growing:
        before = len(found)
        found |= {i.writes[0] for i in candidates if _reads_only(i, found)}
        growing = len(found) > before
    return frozenset(i for i in found if kernel.registers[i].vector == 1)


def _is_candidate(kernel: Kernel, instruction: Instruction) -> bool:
    operation = instruction.operation
    one = len(instruction.destinations) == 1 and isinstance(instruction.destinations[0], Reg)
    if instruction.guard is not None or not one or operation.name in _STATEFUL:
        return False
    if operation.op_class is OpClass.LOAD:
        place = instruction.address
        fixed = isinstance(place, Address) and isinstance(place.base, Symbol)
        return kernel.reads_parameter(instruction) and operation.vector == 1 and fixed
    is_pure = operation.op_class in _CLASSES and not operation.effects
    carries = "cc" in operation.modifiers or operation.name in ("addc", "subc", "madc")
    return is_pure and not carries


def _reads_only(instruction: Instruction, found: set[int]) -> bool:
    return all(_is_invariant(o, found) for o in instruction.sources)


def _is_invariant(operand: Operand, found: set[int]) -> bool:
    match operand:
        case Reg(index):
            return index in found
        case Address(base=Symbol()) | Imm() | FloatImm() | Symbol():
            return True
        case Special(name):
            return name in _SPECIALS
        case _:
            return False


# What generated code counts and writes down beside what it does: only what is asked for.


@dataclass(frozen=True)
class Counting:
    """Counters of generated code beside its work.

    ``guards`` numbers the guarded instructions by (block, index), ``edges`` the edges of which
    crossings are counted by (block, successor). ``lanes`` counts executions of blocks by their
    lanes, ``paths`` the threads that go each way, ``ctas`` leaves a line for each CTA. ``rules``
    count memory accesses. ``events`` has blocks and guards written down, ``addresses`` accesses
    too.
    """

    blocks: bool = True
    guards: Mapping[tuple[int, int], int] | None = None
    edges: Mapping[tuple[int, int], int] | None = None
    lanes: bool = False
    paths: PathLayout | None = None
    ctas: bool = False
    rules: MemoryRules | None = None
    events: bool = False
    addresses: bool = False


@dataclass(frozen=True)
class Probes:
    """Writer of the counters at blocks, edges and guards."""

    emitter: Emitter
    counting: Counting

    def block(self, block: int, bits: LlvmValue) -> None:
        """A block begins, with lanes on."""
        counting = self.counting
        if counting.blocks:
            count(self.emitter, "block_counts", block, bits)
        if counting.lanes:
            count_lanes(self.emitter, block, bits)
        if counting.paths is not None:
            pass_block(self.emitter, counting.paths, block, bits)
        if counting.events:
            record_block(self.emitter, block, bits)

    def edge(self, source: int, target: int, lanes: LlvmValue) -> None:
        """Lanes, at least one, take an edge."""
        number = (self.counting.edges or {}).get((source, target))
        if number is None:
            return
        count(self.emitter, "edge_counts", number, lanes)
        if self.counting.paths is not None:
            pass_edge(self.emitter, self.counting.paths, number, lanes)

    def guard(self, step: LoweringStep) -> None:
        """A guarded instruction begins."""
        number = (self.counting.guards or {}).get(step.place)
        if number is None:
            return
        e, place = self.emitter, self.emitter.name()
        e.raw(f"  {place} = getelementptr i64, ptr {e.context('guard_counts').text}, i64 {number}")
        old = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        bits = e.bits(step.mask)
        if self.counting.events:
            record_guard(e, number, bits)
        on = e.resize(e.call("llvm.ctpop", bits), "i64")
        e.raw(f"  store i64 {e.op('add', old, on).text}, ptr {place}")


def count(e: Emitter, table: str, number: int, lanes: LlvmValue) -> None:
    """Count one execution by a warp and by its lanes in a table of pairs."""
    base = e.context(table)
    for k, by in enumerate((None, lanes)):
        place = e.name()
        e.raw(f"  {place} = getelementptr i64, ptr {base.text}, i64 {2 * number + k}")
        old = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        more = constant(1, "i64") if by is None else e.resize(e.call("llvm.ctpop", by), "i64")
        e.raw(f"  store i64 {e.op('add', old, more).text}, ptr {place}")
