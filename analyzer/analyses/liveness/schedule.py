"""The order in which an assembler leaves the instructions of a block.

Compilers write PTX in the order of the source; ptxas issues loads as early as registers allow, so
that their latency passes while others run. How it decides is not published: here the order counts
that would take the fewest issue slots, of some that keep to the registers of a thread
(``overlapped_order``). Blocks are ordered one by one, or together where branches between them
became predicates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.liveness.analysis import RESERVED
from warpmill.analyzer.analyses.liveness.liveness import live_registers
from warpmill.analyzer.analyses.liveness.orders import (
    Room,
    latency_order,
    on_demand,
    peak,
    shrinking,
)
from warpmill.analyzer.analyses.liveness.region import (
    SHARED_LATENCY,
    BlockGraph,
    GraphStep,
    build_region,
)
from warpmill.analyzer.analyses.liveness.values import (
    InstructionRegisters,
    MachineView,
    machine_view,
)
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.places import Place


def written_regions(
    kernel: Kernel, regions: Iterable[tuple[int, ...]] = ()
) -> tuple[tuple[Place, ...], ...]:
    """Give the order of the text, by block; where blocks are one, at the first of the region."""
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
    """Give an order that hides latency, for a thread that has so many 32-bit registers.

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
    """Give the instructions of blocks that are one, and the branches between them."""
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
    """Let each step wait for those before it that read or write a register that it writes."""
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
    """Give an order that hides latency within ``limit`` registers, from the one of the text.

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
        """Give a load behind all that it waits for still; None where it cannot be pulled."""
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
