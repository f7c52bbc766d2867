"""The order in which an assembler leaves the instructions of a block.

Compilers write PTX in the order of the source; ptxas issues loads as early as registers allow, so
that their latency passes while others run. How it decides is not published: here the order counts
that would take the fewest issue slots, of some that keep to the registers of a thread
(``overlapped_order``). Blocks are ordered one by one, or together where branches between them
became predicates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.liveness import (
    SHARED_LATENCY,
    BlockGraph,
    GraphStep,
    InstructionRegisters,
    MachineView,
    build_region,
    live_registers,
    machine_view,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.ir.kernel import Kernel, Reg
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.simulator.assembler.registers import (
    RESERVED,
    Room,
    latency_order,
    on_demand,
    peak,
    shrinking,
)

Orders = tuple[tuple[Place, ...], ...]
"""Instructions of each block in their order, by (block, instruction)."""


def written_regions(kernel: Kernel, regions: Iterable[tuple[int, ...]] = ()) -> Orders:
    """The order of the text, by block; where blocks are one, at the first of the region."""
    found = [tuple((b.id, i) for i in range(len(b.instructions))) for b in kernel.blocks]
    for first, *others in regions:
        for block in others:
            found[first] += found[block]
            found[block] = ()
    return tuple(found)


def scheduled_regions(
    kernel: Kernel,
    cfg: Cfg,
    registers: int,
    regions: Iterable[tuple[int, ...]] = (),
    view: MachineView | None = None,
) -> tuple[tuple[Place, ...], ...]:
    """An order that hides latency, for a thread that has so many 32-bit registers.

    It is by block; where blocks are one, it stands at the first of the region. Registers keep their
    names: an instruction stays behind those that read or write what it overwrites.

    ``regions`` are blocks with a single way in and no branches between them but such as became
    predicates; each stands behind those that lead to it. Their other blocks have nothing of their
    own. What is under a predicate waits for it. ``view`` is the kernel's ``machine_view`` where it
    is known already.
    """
    view = view or machine_view(kernel, cfg)
    live = live_registers(view, cfg)
    kept = {r for lines in view.lines for line in lines for r in line.writes}
    weights = tuple(w if r in kept else 0 for r, w in enumerate(view.weights))
    limit = max(1, registers - RESERVED)
    one_of = {region[0]: region for region in regions}
    inner = {block for region in one_of.values() for block in region[1:]}
    found: list[tuple[Place, ...]] = []
    for block in kernel.blocks:
        if block.id in inner:
            found.append(())
            continue
        blocks = one_of.get(block.id, (block.id,))
        places, lines, gone = _one(kernel, cfg, view, blocks)
        graph = build_region(lines, live.on_entry[block.id], live.at_end[blocks[-1]], weights)
        order = overlapped_order(_with_names(graph, lines), range(len(lines)), limit)
        found.append((*gone, *(places[number] for number in order)))
    return tuple(found)


def _one(
    kernel: Kernel, cfg: Cfg, view: MachineView, blocks: tuple[int, ...]
) -> tuple[list[Place], list[InstructionRegisters], list[Place]]:
    """The instructions of blocks that are one, and the branches between them."""
    places: list[Place] = []
    lines: list[InstructionRegisters] = []
    gone: list[Place] = []
    for block in blocks:
        before = cfg.predecessors[block]
        last = kernel.blocks[before[0]].terminator if len(before) == 1 else None
        under: tuple[int, ...] = ()
        if block != blocks[0] and last is not None and last.guard is not None:
            under = (last.guard.register.index,)
        for index, line in enumerate(view.plain[block]):
            if line.instruction.is_branch and block != blocks[-1]:
                gone.append((block, index))
                continue
            places.append((block, index))
            reads = tuple(dict.fromkeys((*line.reads, *under))) if under else line.reads
            lines.append(InstructionRegisters(line.instruction, reads, line.writes))
    return places, lines, gone


def _with_names(region: BlockGraph, lines: list[InstructionRegisters]) -> BlockGraph:
    """Block graph in which each step waits for earlier ones that read or write what it writes."""
    readers: dict[int, list[int]] = {}
    writer: dict[int, int] = {}
    steps: list[GraphStep] = []
    for number, (step, line) in enumerate(zip(region.steps, lines, strict=True)):
        waits = set(step.after)
        for register in line.reads:
            readers.setdefault(register, []).append(number)
        for register in line.writes:
            waits.update(readers.pop(register, ()))
            waits.add(writer.get(register, number))
            writer[register] = number
        waits.discard(number)
        steps.append(GraphStep(step.reads, step.makes, tuple(sorted(waits)), step.latency))
    return replace(region, steps=tuple(steps))


# Orders of a block's instructions in which loads overlap, whatever room registers leave.
#
# Two ways of an assembler are tried, and the order that would take the fewest issue slots is
# taken. One puts the instruction with the longest way to the end of the block first
# (``latency_order``); registers that addresses fill long before their loads spoil that where there
# is little room. The other keeps an order and pulls loads forward, each with what its address
# takes, as long as they fit (as hand-written kernels load the next operands while they work on
# these).

MOST_PULLED = 32
"""Steps that are pulled forward together, a load and those that it waits for."""


def overlapped_order(region: BlockGraph, base: Sequence[int], limit: int) -> list[int]:
    """An order that hides latency within ``limit`` registers, from the one of the text.

    Orders that need more stand back behind those that do not; where all do, the one counts that
    needs least beside those that need no more than it.
    """
    by_height = latency_order(region, base, limit)
    found = [by_height]
    loads = sum(step.latency >= SHARED_LATENCY for step in region.steps)
    if loads > 1:
        found.append(pulled_forward(region, base, limit))
        if peak(region, base) > limit:
            starts = (shrinking(region, start) for start in (base, on_demand(region)))
            found += [pulled_forward(region, start, limit) for start in starts]
    if len(found) == 1:
        return by_height[0]
    most = max(limit, min(needed for _, needed in found))
    fitting = [order for order, needed in found if needed <= most]
    return min(fitting, key=lambda order: slots(region, order))


def pulled_forward(region: BlockGraph, base: Sequence[int], limit: int) -> tuple[list[int], int]:
    """Keep an order but for loads, which come as early as they fit; give the most it needs."""
    room = Room(region)
    done = [False] * len(base)
    anchors = set(region.anchors)
    loads = [n for n in base if region.steps[n].latency >= SHARED_LATENCY and n not in anchors]
    order: list[int] = []
    place = {number: n for n, number in enumerate(base)}

    def take(number: int) -> None:
        done[number] = True
        order.append(number)
        room.take(number)

    def chain(load: int) -> list[int] | None:
        """A load behind all that it waits for still; None where it cannot be pulled."""
        needed, stack = {load}, [load]
        while stack:
            for before in region.steps[stack.pop()].after:
                if done[before] or before in needed:
                    continue
                if before in anchors or len(needed) == MOST_PULLED:
                    return None
                needed.add(before)
                stack.append(before)
        return sorted(needed, key=place.__getitem__)

    def fits(steps: list[int]) -> bool:
        made = sum(region.weights[value] for step in steps for value in region.steps[step].makes)
        if room.now + made <= limit:
            return True
        return len(steps) == 1 and room.now + room.growth(steps[0]) <= limit

    following = 0
    for number in base:
        while following < len(loads):
            load = loads[following]
            if not done[load]:
                steps = chain(load)
                if steps is None or not fits(steps):
                    break
                for step in steps:
                    take(step)
            following += 1
        if not done[number]:
            take(number)
    return order, room.peak


def slots(region: BlockGraph, order: Sequence[int]) -> int:
    """Count the issue slots until all results are there, one step a slot, in order."""
    ready = [0] * len(order)
    slot = end = 0
    for number in order:
        step = region.steps[number]
        for before in step.after:
            slot = max(slot, ready[before])
        ready[number] = slot + step.latency
        end = max(end, ready[number])
        slot += 1
    return end


# Local arrays that an assembler keeps in registers, though their index is known at run time only.
#
# Loops that are not unrolled, or in part, leave arrays in local memory that would have been
# registers. ptxas compares the index with each place that it may be, and moves what lies there
# under that predicate, where the places are few. It does so since 5.0; how many places are few
# follows from what ptxas 11.8, 12.9 and 13.0 made of kernels of our own: of 8 x 3 widths and
# numbers of accesses outside of loops, and of a sum of 2 to 32 places in loops, unrolled by 1 to
# 16.

KEEPS = 50
"""The compute capability, 5.0, from which on assemblers were seen to do so."""

MOST_PLACES = {4: (4, 8), 8: (4, 16), 16: (8, 16)}
"""Places of an array at most, by the bytes of its widest access: in a loop, and outside of one."""

_WORD = 4
_ADDRESS = AtomKind.ADDRESS


@dataclass(frozen=True, slots=True)
class KeptAccess:
    """Replacement of an access to an array in registers: comparisons, and predicated moves."""

    compares: int
    moves: int


def kept_accesses(
    structure: Structure, accesses: Sequence[MemoryAccess]
) -> Mapping[Place, KeptAccess]:
    """Find the accesses to local memory that become moves between registers.

    No array is kept whose address goes elsewhere: into a call, or into memory.
    """
    kernel = structure.kernel
    if any(i.operation.op_class is OpClass.CALL for i in kernel.instructions):
        return {}
    by_array: dict[str, list[MemoryAccess]] = defaultdict(list)
    for access in accesses:
        if access.space in (Space.LOCAL, Space.GENERIC):
            name = _array(access)
            if name is None and access.space is Space.LOCAL:
                return {}  # it may be any of them
            if name is not None:
                by_array[name].append(access)
    if not by_array:
        return {}
    gone = _stored_addresses(structure)
    found: dict[Place, KeptAccess] = {}
    for variable in kernel.variables:
        own = by_array.get(variable.name, [])
        size = variable.size_bytes
        is_own = variable.space is Space.LOCAL and variable.name not in gone
        if is_own and own and size is not None:
            found |= _kept(structure, own, size)
    return found


def _kept(
    structure: Structure, own: Sequence[MemoryAccess], size_bytes: int
) -> dict[Place, KeptAccess]:
    """Replacements of an array's accesses; empty where it stays in memory."""
    moving = [access for access in own if _index(access)]
    if any(a.space is not Space.LOCAL or a.width_bytes is None for a in own):
        return {}  # who knows what else a generic access may be to
    widest = max((a.width_bytes or 0 for a in moving), default=_WORD)
    if widest not in MOST_PLACES:
        return {}
    places = -(-size_bytes // widest)
    in_loop = any(structure.loops.innermost(a.block) is not None for a in moving)
    if moving and places > MOST_PLACES[widest][0 if in_loop else 1]:
        return {}
    found: dict[Place, KeptAccess] = {}
    compared: set[tuple[int, object]] = set()
    for access in own:
        chosen = access in moving and access.width_bytes == widest
        index = access.block, access.address
        compares = places if chosen and index not in compared else 0
        compared.add(index)
        moves = places * widest // _WORD if chosen else 0
        found[access.block, access.instruction] = KeptAccess(compares, moves)
    return found


def _stored_addresses(structure: Structure) -> frozenset[str]:
    """The variables whose addresses the kernel stores: whoever reads them may go there."""
    found: set[str] = set()
    for block in structure.kernel.blocks:
        if block.id not in structure.cfg.reachable:
            continue
        for index, instruction in enumerate(block.instructions):
            if instruction.operation.op_class not in (OpClass.STORE, OpClass.ATOMIC):
                continue
            for operand in instruction.sources:
                if isinstance(operand, Reg):
                    value = structure.values.of_operand(block.id, index, operand)
                    found |= {a.name for m, _ in value.terms for a in m if a.kind is _ADDRESS}
    return frozenset(found)


def _array(access: MemoryAccess) -> str | None:
    """The variable that an access is to, if its address tells."""
    named = [
        monomial[0].name
        for monomial, factor in access.address.terms
        if len(monomial) == factor == 1 and monomial[0].kind is _ADDRESS
    ]
    return named[0] if len(named) == 1 else None


def _index(access: MemoryAccess) -> bool:
    """Whether the place in the array depends on something."""
    return any(
        monomial and not (len(monomial) == 1 and monomial[0].kind is _ADDRESS)
        for monomial, _ in access.address.terms
    )
