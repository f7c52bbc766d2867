"""Register pressure: how many 32-bit registers a thread needs, as a stand-in for ptxas.

The number is what is live at once over a linear scan of the kernel, in the order in which an
assembler would leave it. How it is made:

1. Registers that take no room are left out (`values`).
2. Liveness around blocks (`liveness`); blocks that run one after another are put together, and each
   piece is made a dependence graph (`region`).
3. The scan goes over each piece in the order of the text and in one that keeps values short-lived;
   the better counts (`orders`). The most that a piece needs is what the kernel cannot do
   without.
4. Registers up to the next step of occupancy cost nothing: as many threads fit. ptxas spends them
   on loads that are issued early. The scan over an order that hides latency within that step says
   how many are spent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import takewhile
from math import prod
from typing import Annotated

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.liveness import (
    BlockGraph,
    InstructionRegisters,
    Liveness,
    MachineView,
    build_region,
    live_registers,
    machine_view,
    members,
)
from warpmill.analyzer.base.metric import INTERNAL, Metric
from warpmill.analyzer.ir.kernel import Kernel, LaunchBounds
from warpmill.analyzer.ir.types import OpClass

RESERVED = 5
"""Registers on top of the live ones: constants that no operand holds, the alignment of pairs.

Fitted to ptxas 13.0's counts for half of the kernels of `benchmarks/frontend_inputs`, as
`MOST_PREDICATED` is and nothing else. The benchmark
(`python -m benchmarks static registers`) prints the error on that half and on the other.
"""

CALL_REGISTERS = 24
"""Least registers of a kernel that calls another function: the ABI's scratch registers.

ptxas gives 24 to a kernel that does nothing but call, for every target.
"""

REGISTER_FILE = 65536
MOST_REGISTERS = 255
GRANULARITY = 8
"""The 32-bit registers of an SM, the most for a thread, and the unit in which threads get them: the
same for all chips since compute capability 5 (CUDA programming guide, technical specifications by
compute capability)."""

THREADS_OF_SM = {75: 1024, 80: 2048, 86: 1536, 87: 1536, 88: 1536, 89: 1536, 90: 2048, 100: 2048,
                 103: 2048, 110: 1536, 120: 1536, 121: 1536}  # fmt: skip
"""Most threads of an SM by chip (same source; ptxas's counts for 88, 110 and 12x show theirs)."""

USUAL_THREADS = 2048
"""Threads of an SM of a chip that the table lacks, and where no target is given."""

THREAD_STEP = 128
"""Occupancy changes by a warp for each of the four schedulers of an SM."""


@dataclass(frozen=True, slots=True)
class Spilled:
    """Registers of a thread do not hold all values of a kernel; ``cause`` says what limits them.

    Bytes are those of a thread, each instruction once, as ``ptxas -v`` counts them; where no
    assembler has told them they are modelled (``is_modelled``), and None until a program is made.
    ``frame_bytes``: the local memory that they lie in, where a cubin tells that alone.
    """

    cause: Annotated[str, Metric("Registers limited by")]
    store_bytes: Annotated[int | None, Metric("Spill stores per thread", "B")] = None
    load_bytes: Annotated[int | None, Metric("Spill loads per thread", "B")] = None
    is_modelled: Annotated[bool, Metric("Spills modelled")] = True
    frame_bytes: Annotated[int | None, INTERNAL] = None

    @property
    def sentence(self) -> str:
        """What a thread does with what its registers do not hold."""
        if self.store_bytes is None or self.load_bytes is None:
            return (
                f"Registers spill ({self.cause}), which is not timed: PTX is issued as it stands."
            )
        told = "modelled from liveness" if self.is_modelled else "told by ptxas"
        return (
            f"Registers spill ({self.cause}): a thread stores {self.store_bytes:,} B and loads "
            f"{self.load_bytes:,} B, {told}."
        )


@dataclass(frozen=True, slots=True)
class RegisterCount:
    """Registers of a thread and where the number comes from; ``assumed``: from no compiler.

    ``spilled``: they do not hold all of the kernel's values; None: they do, or nobody knows.
    """

    registers_per_thread: Annotated[
        int, Metric("Registers per thread", "", ncu="launch__registers_per_thread")
    ]
    source: Annotated[str, Metric("Register count from")]
    assumed: Annotated[bool, INTERNAL]
    spilled: Spilled | None = None


@dataclass(frozen=True, slots=True)
class RegisterDemand:
    """Registers of a thread that an assembler would take, and the fewest that hold its values.

    ``limit`` says what the kernel states that leaves it fewer; None: nothing does.
    """

    registers: int
    fewest: int
    limit: str | None = None


def register_pressure(
    kernel: Kernel, cfg: Cfg, target: str | None = None, view: MachineView | None = None
) -> int:
    """Estimate the 32-bit registers of a thread, as ``register_demand`` does."""
    return register_demand(kernel, cfg, target, view).registers


def register_demand(
    kernel: Kernel, cfg: Cfg, target: str | None = None, view: MachineView | None = None
) -> RegisterDemand:
    """Estimate the 32-bit registers a thread needs. Predicates have their own file.

    ``view`` is the kernel's ``machine_view`` where it is known already.

    ``target`` is that of the module (``sm_90``); it decides how many registers are free to use at
    full occupancy. Launch bounds and ``.maxnreg`` limit the number, beyond it ptxas spills. Time
    goes with the number of instructions (times its logarithm).
    """
    most = _most(kernel.bounds)
    view = view or machine_view(kernel, cfg)
    plans, needed = _plans(view, live_registers(view, cfg), cfg)
    steps = occupancy_steps(target)
    step = next((s for s in steps if s >= needed + RESERVED), MOST_REGISTERS)
    room = max(min(step, most) - RESERVED, needed)
    live = needed
    for plan in plans:
        if live < min(room, plan.region.most):
            live = max(live, min(room, latency_order(plan.region, plan.order, room)[1]))
    least = CALL_REGISTERS if _has_call(kernel) else 0
    wanted, limit = max(live + RESERVED, least), _limit(kernel.bounds)
    return RegisterDemand(min(wanted, most), needed + RESERVED, limit if most < wanted else None)


def occupancy_steps(target: str | None) -> tuple[int, ...]:
    """List the registers for a thread up to which as many threads fit, ascending."""
    match = re.match(r"sm_(\d+)", target or "")
    threads = THREADS_OF_SM.get(int(match[1]), USUAL_THREADS) if match else USUAL_THREADS
    fitting = (_registers_each(n) for n in range(threads, 0, -THREAD_STEP))
    return tuple(dict.fromkeys(takewhile(lambda step: step < MOST_REGISTERS, fitting)))


def _registers_each(threads: int) -> int:
    """The registers that each of so many threads of an SM can have."""
    return min(REGISTER_FILE // max(threads, 1) // GRANULARITY * GRANULARITY, MOST_REGISTERS)


def _most(bounds: LaunchBounds) -> int:
    """Most registers that launch bounds leave to a thread."""
    threads = prod(bounds.required_threads or bounds.max_threads or (1,))
    by_threads = _registers_each(threads * (bounds.min_ctas_per_sm or 1))
    named = MOST_REGISTERS if bounds.max_registers is None else bounds.max_registers
    return max(1, min(by_threads, named))


def _limit(bounds: LaunchBounds) -> str:
    """Words for what launch bounds leave to a thread."""
    if bounds.max_registers is not None and bounds.max_registers <= _most(bounds):
        return f".maxnreg {bounds.max_registers}"
    threads = prod(bounds.required_threads or bounds.max_threads or (1,))
    ctas = bounds.min_ctas_per_sm or 1
    return f"launch bounds of {threads} threads and {ctas} CTAs per SM" if threads > 1 else "ISA"


def _has_call(kernel: Kernel) -> bool:
    return any(i.operation.op_class is OpClass.CALL for i in kernel.instructions)


@dataclass(frozen=True)
class _Plan:
    """A piece of straight code and the better of the orders that were tried."""

    region: BlockGraph
    order: Sequence[int]


def _plans(view: MachineView, live: Liveness, cfg: Cfg) -> tuple[list[_Plan], int]:
    """Choose orders for the paths that count, and give the registers that the worst one needs.

    Paths that could need most go first; those that cannot need more than one before are left out.
    """
    paths = straight_paths(view, live, cfg)
    bounds = [_bound(view, path) for path in paths]
    plans: list[_Plan] = []
    needed = 0
    for number in sorted(range(len(paths)), key=lambda n: -bounds[n]):
        if bounds[number] <= needed:
            break
        path = paths[number]
        region = build_region(path.lines, path.on_entry, path.at_end, view.weights)
        order, registers = _better_order(region, needed)
        plans.append(_Plan(region, order))
        needed = max(needed, registers)
    return plans, needed


def _bound(view: MachineView, path: Path) -> int:
    """Registers that suffice for a path in any order: for all that it has and makes."""
    entering = sum(view.weights[r] for r in members(path.on_entry))
    return entering + sum(view.weights[r] for line in path.lines for r in line.writes)


def _better_order(region: BlockGraph, enough: int) -> tuple[Sequence[int], int]:
    """An order and its peak; the one of the text where it does with ``enough`` registers."""
    text = range(len(region.steps))
    registers = peak(region, text)
    if registers <= enough:
        return text, registers
    late = shrinking(region, on_demand(region))
    fewer = peak(region, late)
    return (late, fewer) if fewer < registers else (text, registers)


# Blocks that run one after another, put together to one piece of straight code.
#
# An assembler gives a short block that is branched around a predicate in place of the branch, so
# that its loads, too, can be issued early; and blocks with one way between them are one.

MOST_PREDICATED = 6
"""Instructions of a block up to which a predicate takes the place of the branch around it.

Fitted, as ``RESERVED`` is: 5 to 7 fit alike, more makes too much of kernels with long branches.
"""

_NEVER_PREDICATED = frozenset(
    {OpClass.CALL, OpClass.BARRIER, OpClass.FENCE, OpClass.ASYNC_COPY, OpClass.RETURN}
)


@dataclass(frozen=True)
class Path:
    """Straight code, with the sets of registers that are live on entry and at the end of it."""

    lines: tuple[InstructionRegisters, ...]
    on_entry: int
    at_end: int


def straight_paths(view: MachineView, live: Liveness, cfg: Cfg) -> list[Path]:
    """Blocks joined into paths as far as they run one after another."""
    joined: set[int] = set()
    paths = []
    for block in cfg.reverse_postorder:
        if block in joined:
            continue
        parts = [(block, False), *_behind(block, view, cfg, joined)]
        joined.update(part for part, _ in parts)
        lines = tuple(
            line
            for place, (part, is_predicated) in enumerate(parts)
            for line in (
                _predicated(view.lines[part], live.at_end[parts[place - 1][0]])
                if is_predicated
                else view.lines[part]
            )
            if place == len(parts) - 1 or not line.instruction.is_branch
        )
        paths.append(Path(lines, live.on_entry[block], live.at_end[parts[-1][0]]))
    return paths


def _behind(
    block: int, view: MachineView, cfg: Cfg, joined: set[int]
) -> Iterator[tuple[int, bool]]:
    """The blocks that follow in one piece, each with whether a predicate guards it."""
    seen = {block, *joined}
    while True:
        after = cfg.successors[block]
        if (
            cfg.exit_id in after
            or seen & set(after)
            or any((block, a) in view.copies for a in after)
        ):
            return
        if len(after) == 1 and cfg.predecessors[after[0]] == (block,):
            seen.add(block := after[0])
            yield block, False
            continue
        side = next((s for s in after if _is_side(s, block, view, cfg)), None)
        if side is None:
            return
        yield side, True
        seen |= {side, block := cfg.successors[side][0]}
        yield block, False


def _is_side(side: int, block: int, view: MachineView, cfg: Cfg) -> bool:
    """Whether a block is short, comes after ``block`` only, and leads to what it else goes to.

    ``block`` has to branch by a predicate.
    """
    ends, after = cfg.successors[side], cfg.successors[block]
    return (
        len(after) == 2
        and view.lines[block][-1].instruction.operation.name == "bra"
        and cfg.predecessors[side] == (block,)
        and len(ends) == 1
        and ends[0] in after
        and set(cfg.predecessors[ends[0]]) == {block, side}
        and (side, ends[0]) not in view.copies
        and _can_be_predicated(view.lines[side])
    )


def _can_be_predicated(lines: tuple[InstructionRegisters, ...]) -> bool:
    classes = {line.instruction.operation.op_class for line in lines}
    return len(lines) <= MOST_PREDICATED and not classes & _NEVER_PREDICATED


def _predicated(
    lines: tuple[InstructionRegisters, ...], live_before: int
) -> Iterator[InstructionRegisters]:
    """Lines that keep what lanes without the predicate have in registers that they write."""
    for line in lines:
        kept = (r for r in line.writes if live_before >> r & 1)
        yield InstructionRegisters(
            line.instruction, tuple(dict.fromkeys((*line.reads, *kept))), line.writes
        )


# Orders of a block's instructions, and how many registers each needs.
#
# A compiler's text is one order of many. An assembler takes another: it leaves out of the way what
# takes room before it is needed, and with the registers that are left it issues loads early, so
# that their latency passes while other instructions run. Goodman and Hsu describe such a
# scheduler, which weighs latency against registers (Code scheduling and register allocation in
# large basic blocks, ICS 1988).


class Room:
    """The registers in use while steps are taken in some order; ``peak`` is the most so far."""

    def __init__(self, region: BlockGraph) -> None:
        self._region = region
        self.left = list(region.uses)
        self.now = self.peak = sum(region.weights[: region.entering])

    def growth(self, number: int) -> int:
        """The registers that a step would add: what it makes without what it is last to read.

        What it makes for nobody counts too, as it takes room for a moment.
        """
        region, step = self._region, self._region.steps[number]
        made = sum([region.weights[v] for v in step.makes])
        return made - sum(
            [region.weights[v] for v in step.reads if self.left[v] == 1 and v not in region.leaving]
        )

    def take(self, number: int) -> None:
        """Go past a step."""
        region, step = self._region, self._region.steps[number]
        weights, leaving = region.weights, region.leaving
        for value in step.reads:
            self.left[value] -= 1
            if not self.left[value] and value not in leaving:
                self.now -= weights[value]
        for value in step.makes:
            self.now += weights[value]
        self.peak = max(self.peak, self.now)
        for value in step.makes:
            if not self.left[value] and value not in leaving:
                self.now -= weights[value]


def peak(region: BlockGraph, order: Sequence[int]) -> int:
    """The registers that a block needs where its steps are taken in an order."""
    room = Room(region)
    for number in order:
        room.take(number)
    return room.peak


def on_demand(region: BlockGraph) -> list[int]:
    """Order the steps so that each comes when the next anchor needs it: late, and depth first.

    Of two operands the one that takes more steps in a row is made first, so that the other does not
    wait for it in a register (as Sethi and Ullman order expressions, JACM 1970).
    """
    before = _deepest_first(region)
    order: list[int] = []
    seen: set[int] = set()
    for root in (*region.anchors, *range(len(region.steps))):
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(before[root]))]
        while stack:
            number, rest = stack[-1]
            needed = next((s for s in rest if s not in seen), None)
            if needed is None:
                order.append(number)
                stack.pop()
            else:
                seen.add(needed)
                stack.append((needed, iter(before[needed])))
    return order


def _deepest_first(region: BlockGraph) -> list[list[int]]:
    """The steps before each one, those behind the longest row of steps first."""
    depth = [0] * len(region.steps)
    for number, step in enumerate(region.steps):
        depth[number] = 1 + max([depth[before] for before in step.after], default=0)
    return [sorted(step.after, key=lambda n: (-depth[n], n)) for step in region.steps]


class _Ready:
    """Steps that have all that they wait for."""

    def __init__(self, region: BlockGraph) -> None:
        self.missing = [len(step.after) for step in region.steps]
        self.behind: list[list[int]] = [[] for _ in region.steps]
        for number, step in enumerate(region.steps):
            for before in step.after:
                self.behind[before].append(number)

    def take(self, number: int) -> Iterator[int]:
        """Go past a step; give those that are ready now."""
        for after in self.behind[number]:
            self.missing[after] -= 1
            if not self.missing[after]:
                yield after


def shrinking(region: BlockGraph, base: Sequence[int]) -> list[int]:
    """Take at once what does not add to the registers in use, else the next step of ``base``."""
    room, ready = Room(region), _Ready(region)
    readers = _readers(region)
    place = _places(base)
    done = [False] * len(base)
    order: list[int] = []
    waiting: list[int] = []

    def look_at(number: int) -> None:
        if not done[number] and not ready.missing[number] and room.growth(number) <= 0:
            heappush(waiting, place[number])

    def take(number: int) -> None:
        done[number] = True
        order.append(number)
        room.take(number)
        for after in ready.take(number):
            look_at(after)
        for value in region.steps[number].reads:
            if room.left[value] == 1:  # whoever reads it last frees it
                for reader in readers[value]:
                    look_at(reader)

    for number in range(len(base)):
        look_at(number)
    for number in base:
        while waiting:
            first = base[heappop(waiting)]
            if not done[first]:
                take(first)
        if not done[number]:
            take(number)
    return order


def latency_order(region: BlockGraph, base: Sequence[int], limit: int) -> tuple[list[int], int]:
    """Order steps so that latency is hidden within ``limit`` registers; give the most it needs.

    Of the steps whose operands are there, the one with the longest way to the end of the block goes
    first. Where it would pass the limit, the next step of ``base`` goes instead.
    """
    room, ready = Room(region), _Ready(region)
    heights, place = _heights(region), _places(base)
    done = [False] * len(base)
    start = [0] * len(base)  # the first slot in which the operands are there
    future: list[tuple[int, int]] = []
    now = [(-heights[n], place[n]) for n, missing in enumerate(ready.missing) if not missing]
    now.sort()
    slot = oldest = 0
    order: list[int] = []
    for _ in base:
        while now and done[base[now[0][1]]]:
            heappop(now)
        if not now and future:
            slot = max(slot, future[0][0])
        while future and future[0][0] <= slot:
            late = heappop(future)[1]
            if not done[late]:
                heappush(now, (-heights[late], place[late]))
        if now and _fits(room, base[now[0][1]], limit):
            number = base[heappop(now)[1]]
        else:
            while done[base[oldest]]:
                oldest += 1
            number = base[oldest]
        slot = max(slot, start[number])
        done[number] = True
        order.append(number)
        room.take(number)
        for after in ready.behind[number]:
            start[after] = max(start[after], slot + region.steps[number].latency)
        for after in ready.take(number):
            heappush(future, (start[after], after))
        slot += 1
    return order, room.peak


def _fits(room: Room, number: int, limit: int) -> bool:
    growth = room.growth(number)
    return growth <= 0 or room.now + growth <= limit


def _heights(region: BlockGraph) -> list[int]:
    """The slots from each step to the end of the block along the longest way."""
    heights = [step.latency for step in region.steps]
    for number in range(len(heights) - 1, -1, -1):
        for before in region.steps[number].after:
            heights[before] = max(heights[before], heights[number] + region.steps[before].latency)
    return heights


def _places(order: Sequence[int]) -> list[int]:
    places = [0] * len(order)
    for place, number in enumerate(order):
        places[number] = place
    return places


def _readers(region: BlockGraph) -> list[list[int]]:
    readers: list[list[int]] = [[] for _ in region.weights]
    for number, step in enumerate(region.steps):
        for value in step.reads:
            readers[value].append(number)
    return readers
