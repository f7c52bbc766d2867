"""Plans and tables of a static walk: what it needs to know of a kernel, for all launches.

Beside it what the hybrid paper's Listing 1 (§III-B-2) has of each block, which reports show.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, access_width
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, SymbolicTrips, TripCount
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import SlotRead, Slots, SlotWrite
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.ir.externs import is_unfollowed
from warpmill.analyzer.ir.kernel import (
    Address,
    EdgeCopies,
    Instruction,
    Kernel,
    Operand,
    Reg,
    TupleAddress,
    registers_in,
)
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventTables, Triple
from warpmill.analyzer.traces.static.nodes import Which


@dataclass(frozen=True, slots=True)
class StepAccess:
    """One access of an instruction, and its address.

    ``limit``: what says which lanes of a copy's source read something, as
    ``Instruction.read_limit``; None: all.
    """

    which: Which
    address: Address | TupleAddress
    limit: Operand | None


@dataclass(frozen=True, slots=True)
class WalkStep:
    """An instruction that the walk looks at: it evaluates its result, notes accesses, or both.

    Instructions that do neither and have no guard are passed over. ``reads`` and ``writes`` are the
    slots of local memory that it moves values from and to.
    """

    index: int
    instruction: Instruction
    evaluates: bool
    accesses: tuple[StepAccess, ...]
    reads: Mapping[int, SlotRead]
    writes: Mapping[int, SlotWrite]


class CarriedRegisters(NamedTuple):
    """Registers that a loop carries; ``grow_evenly``: each by the same in every iteration.

    Of others it has to be seen in an iteration that they do.
    """

    registers: tuple[int, ...]
    grow_evenly: bool


@dataclass(frozen=True)
class WalkPlan:
    """A kernel made ready for walking.

    ``steps`` and ``copies`` are by block; ``carried`` holds, for each loop, the registers that
    enter its header changed by the last iteration.
    ``unfollowed`` are a block's calls whose code is not in the kernel.
    """

    kernel: Kernel
    structure: Structure
    bounds: tuple[LoopBound, ...]
    steps: tuple[tuple[WalkStep, ...], ...]
    copies: tuple[dict[int, EdgeCopies], ...]
    carried: tuple[CarriedRegisters, ...]
    needed: frozenset[int]
    unfollowed: tuple[tuple[int, ...], ...]


def make_plan(structure: Structure, bounds: tuple[LoopBound, ...]) -> WalkPlan:
    """Find the instructions whose results decide control flow or addresses."""
    kernel = structure.kernel
    slots = structure.ssa.slots
    needed = _needed_registers(kernel, slots)
    steps = tuple(
        tuple(
            WalkStep(
                i,
                instruction,
                evaluates,
                _accesses(structure, (block.id, i), instruction),
                slots.read_at(block.id, i),
                written,
            )
            for i, instruction in enumerate(block.instructions)
            for written in [slots.written_at(block.id, i)]
            for evaluates in [bool(needed.intersection((*instruction.writes, *written)))]
            if evaluates or is_access(instruction) or instruction.guard is not None
        )
        for block in kernel.blocks
    )
    copies = tuple(
        {edge.predecessor: _only(edge, needed) for edge in block.incoming}
        for block in kernel.blocks
    )
    used = _used_definitions(structure, steps)
    carried = tuple(
        _carried(structure, loop, needed, used) for loop in range(len(structure.loops.loops))
    )
    unfollowed = tuple(
        tuple(i for i, each in enumerate(block.instructions) if is_unfollowed(each))
        for block in kernel.blocks
    )
    return WalkPlan(kernel, structure, bounds, steps, copies, carried, needed, unfollowed)


def _accesses(
    structure: Structure, place: tuple[int, int], instruction: Instruction
) -> tuple[StepAccess, ...]:
    found = accessed(instruction)
    if not found:
        return ()
    width = access_width(structure, place, instruction)
    told = None if width == instruction.width_bytes else width
    return tuple(
        StepAccess(Which(place[1], turn, told), address, None if turn else instruction.read_limit)
        for turn, address in enumerate(found)
    )


def accessed(instruction: Instruction) -> tuple[Address | TupleAddress, ...]:
    """The addresses whose lanes' values the trace records, in their order."""
    return instruction.accessed if is_access(instruction) else ()


def is_access(instruction: Instruction) -> bool:
    """Whether the trace records lane addresses for an instruction (not for parameters)."""
    operation = instruction.operation
    if operation.op_class is OpClass.PREFETCH or instruction.address is None:
        return False
    return operation.op_class.is_memory and operation.space is not Space.PARAM


def _only(edge: EdgeCopies, needed: frozenset[int]) -> EdgeCopies:
    return EdgeCopies(edge.predecessor, tuple(c for c in edge.copies if c[0].index in needed))


def _needed_registers(kernel: Kernel, slots: Slots) -> frozenset[int]:
    """Registers that decide a guard, a branch or an address, and all that they are made from."""
    needed: set[int] = set()
    for instruction in kernel.instructions:
        if instruction.guard is not None:
            needed.add(instruction.guard.register.index)
        if instruction.is_branch:
            needed.update(instruction.reads)
        for address in accessed(instruction):
            needed.update(registers_in(address))
        if instruction.read_limit is not None:
            needed.update(registers_in(instruction.read_limit))
    sources = _sources_by_register(kernel, slots)
    work = sorted(needed)
    while work:
        for register in sources.get(work.pop(), ()):
            if register not in needed:
                needed.add(register)
                work.append(register)
    return frozenset(needed)


def _sources_by_register(kernel: Kernel, slots: Slots) -> dict[int, set[int]]:
    sources: dict[int, set[int]] = {}
    for instruction in kernel.instructions:
        operation = instruction.operation
        from_data = operation.op_class.is_memory and operation.space is not Space.PARAM
        reads = () if from_data else instruction.reads
        for register in instruction.writes:
            sources.setdefault(register, set()).update(reads)
    for read in slots.reads.values():
        for register, from_ in read.items():
            sources.setdefault(register, set()).add(from_.slot)
    for written in slots.writes.values():
        for slot, write in written.items():
            given = sources.setdefault(slot, set())
            for operand in write.operands:
                given.update(registers_in(operand))
            if write.keeps:
                given.add(slot)
    for block in kernel.blocks:
        for edge in block.incoming:
            for copied, operand in edge.copies:
                sources.setdefault(copied.index, set()).update(registers_in(operand))
    return sources


def _used_definitions(structure: Structure, steps: tuple[tuple[WalkStep, ...], ...]) -> set[int]:
    """Definitions that a step reads, through φs."""
    ssa = structure.ssa
    work = [
        d
        for block in structure.cfg.reachable
        if block < len(steps)
        for step in steps[block]
        for d in ssa.before[block][step.index].values()
    ]
    for block in structure.cfg.reachable:
        if block < len(steps):
            last = structure.kernel.blocks[block].terminator
            if last is not None:
                work += ssa.before[block][
                    len(structure.kernel.blocks[block].instructions) - 1
                ].values()
    used: set[int] = set()
    while work:
        definition = work.pop()
        if definition in used:
            continue
        used.add(definition)
        for source in ssa.phi_inputs.get(definition, ()):
            work += [
                ssa.out[source.predecessor][r]
                for r in registers_in(source.operand)
                if r in ssa.out[source.predecessor]
            ]
    return used


def _carried(
    structure: Structure, loop: int, needed: frozenset[int], used: set[int]
) -> CarriedRegisters:
    header = structure.loops.loops[loop].header
    registers, grow_evenly = [], True
    for register, definition in sorted(structure.ssa.entry[header].items()):
        made = structure.ssa.definitions[definition]
        is_phi = made.block == header and definition in structure.ssa.phi_inputs
        if not is_phi or register not in needed or definition not in used:
            continue
        if _unchanged(structure, definition):
            continue
        recurrence = structure.values.recurrence(definition)
        is_even = recurrence is not None and recurrence.cut is None
        grow_evenly = grow_evenly and is_even
        registers.append(register)
    return CarriedRegisters(tuple(registers), grow_evenly)


def _unchanged(structure: Structure, definition: int) -> bool:
    """Whether the loop only passes a value on: its φ is itself around every latch."""
    made = structure.ssa.definitions[definition]
    latches = structure.loops.innermost(made.block)
    assert latches is not None
    return all(
        source.operand == Reg(made.register)
        and structure.ssa.out[source.predecessor].get(made.register) == definition
        for source in structure.ssa.phi_inputs[definition]
        if source.predecessor in latches.blocks
    )


# What is known of each block before a trace is made: Listing 1 of the hybrid paper (§III-B-2).
#
# The fields that the paper's search fills while it runs live elsewhere: ``branchMissWarpID`` and
# ``branchMissLoopConfig`` in ``analyzer.traces.outcomes``, ``bounds``, ``unvisitedCount`` and
# ``isVisited`` in the segments of a loop's run.


@dataclass(frozen=True, slots=True)
class BasicBlockInfo:
    """One block, by the names of Listing 1.

    ``bb_name`` is its label, ``loop_depth`` 1 outside all loops, ``loop_bound_expr`` the bound of
    the innermost loop around. ``associated_bbs`` are the headers of the loops on whose iterations
    that bound depends, outermost first; ``preced_bb`` is the closest block before that lies at the
    next upper level of loops, None where there is none.
    """

    bb_name: str
    loop_depth: int
    loop_bound_expr: TripCount | None
    associated_bbs: tuple[int, ...]
    preced_bb: int | None


def basic_block_infos(
    structure: Structure, bounds: Sequence[LoopBound]
) -> tuple[BasicBlockInfo, ...]:
    """Describe every block of a kernel, by id; ``bounds`` are those of its loops, by id."""
    return tuple(_info(structure, bounds, block.id) for block in structure.kernel.blocks)


def _info(structure: Structure, bounds: Sequence[LoopBound], block: int) -> BasicBlockInfo:
    label = structure.kernel.blocks[block].label
    loop = structure.loops.innermost(block)
    if loop is None:
        return BasicBlockInfo(label, 1, None, (), None)
    trips = bounds[loop.id].trips
    return BasicBlockInfo(
        label, loop.depth + 1, trips, _associated(structure, trips), _preceding(structure, block)
    )


def _associated(structure: Structure, trips: TripCount) -> tuple[int, ...]:
    if not isinstance(trips, SymbolicTrips):
        return ()
    loops = {a.key for a in trips.formula.atoms if a.kind is AtomKind.COUNTER}
    return tuple(structure.loops.loops[number].header for number in sorted(loops))


def _preceding(structure: Structure, block: int) -> int | None:
    """Go up the dominators to the first block outside the innermost loop around."""
    loop = structure.loops.innermost(block)
    assert loop is not None
    return structure.dominators.idom[loop.header]


# What the numbers in events of traces without data stand for: accesses and guards of a kernel.
#
# As executing it gives them (``executor.entries``), with one difference: an address whose opcode
# says no space has the space of what it is counted from, where that is known.


def static_tables(
    kernel: Kernel,
    grid: Triple,
    warp_size: int,
    warps_per_cta: int,
    accesses: Sequence[MemoryAccess] = (),
) -> EventTables:
    """The tables of a kernel's events. ``accesses`` are what analysis says of its accesses.

    Points are all instructions whose addresses a trace without data has, in program order.
    """
    known = {(a.block, a.instruction): a for a in accesses}
    points, guards = [], []
    for block in kernel.blocks:
        for place, instruction in enumerate(block.instructions):
            if is_access(instruction):
                found = known.get((block.id, place))
                kinds = [kind for _, kind in instruction.accesses]
                if len(kinds) > 1:
                    points.append(_source(block.id, place, instruction, found))
                points.append(_point(block.id, place, instruction, kinds[-1], found))
            if instruction.guard is not None and instruction is not block.terminator:
                guards.append((block.id, place))
    return EventTables(grid, warp_size, warps_per_cta, tuple(points), tuple(guards))


def _source(
    block: int, place: int, instruction: Instruction, found: MemoryAccess | None
) -> AccessPoint:
    """Access point of a copy's load, of as many bytes as it stores."""
    spaces = instruction.operation.spaces
    width = instruction.width_bytes if found is None else found.width_bytes
    return AccessPoint(block, place, "load", spaces[-1] if spaces else Space.GENERIC, width or None)


def _point(
    block: int, place: int, instruction: Instruction, kind: str, found: MemoryAccess | None
) -> AccessPoint:
    operation = instruction.operation
    space, width = operation.space or Space.GENERIC, instruction.width_bytes
    if found is not None:
        space, width = found.space, found.width_bytes
    return AccessPoint(block, place, kind, space, width or None)


def known_widths(kernel: Kernel, places: Collection[Place]) -> Mapping[Place, int | None]:
    """Bytes of a lane at some accesses, where the kernel tells them for all its launches."""
    own = {(b, i): kernel.blocks[b].instructions[i] for b, i in places}
    told = {place: i.width_bytes for place, i in own.items()}
    unsaid = [p for p, i in own.items() if told[p] is None and i.bytes_operand is not None]
    if unsaid:
        structure = analyse_structure(kernel, follows_memory=False)
        told |= {place: access_width(structure, place, own[place]) for place in unsaid}
    return told


_WIDEST_UNTOLD = 16
"""Bytes that a lane has at most in an access of a shape: a row of a matrix, a texel."""

_POINT_KINDS = ("load", "store", "atomic")


def access_widths(kernel: Kernel) -> Mapping[Place, int | None]:
    """Bytes of a lane at all accesses in traces without data, where the kernel tells them."""
    return known_widths(
        kernel,
        {
            (block.id, place)
            for block in kernel.blocks
            for place, instruction in enumerate(block.instructions)
            if is_access(instruction)
        },
    )


def fits_kernel(tables: EventTables, kernel: Kernel) -> bool:
    """Whether tables from outside name instructions of a kernel, and what these may access."""
    lengths = [len(b.instructions) for b in kernel.blocks]
    places = (*((p.block, p.instruction) for p in tables.points), *tables.guards)
    if not all(0 <= b < len(lengths) and 0 <= i < lengths[b] for b, i in places):
        return False
    widths = known_widths(kernel, {(p.block, p.instruction) for p in tables.points})
    return all(
        p.kind in _POINT_KINDS and is_width(p.width_bytes, widths[p.block, p.instruction])
        for p in tables.points
    )


def is_width(found: int | None, told: int | None) -> bool:
    """Whether an access may have so many bytes a lane, where the kernel tells so many."""
    return found is None or found == told or (told is None and 0 < found <= _WIDEST_UNTOLD)
