"""The kernel of an estimate: its operations as arrays, costed for each machine, and its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.access.merged_loads import (
    COUNTS,
    MERGES,
    MergedLoad,
    RepeatedLoad,
    aggregated_atomics,
    counted_atomics,
    merged_loads,
    repeated_loads,
    with_copies,
)
from warpmill.analyzer.analyses.divergence.analysis import divergent_branches
from warpmill.analyzer.analyses.liveness.schedule import KEEPS, scheduled_regions, written_regions
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Imm, Instruction, Kernel, Module
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.static.plan import is_access
from warpmill.simulator.estimate.costs import (
    FREE,
    Cost,
    access_mix_cost,
    cost_table,
    is_free,
    is_of_sm,
    operation_cost,
    unmodelled_name,
)
from warpmill.simulator.estimate.expansion.expand import Expansion, expand, kept_mixes
from warpmill.simulator.estimate.expansion.values import Mix
from warpmill.simulator.estimate.pipeline import PipelineCode
from warpmill.simulator.gpu.streams import heads
from warpmill.simulator.machine_limits import flops_by_block
from warpmill.simulator.machines.model import KeptByValues, Machine, capability_of

MOST_COMPILED = 16
"""Machines whose costs of a kernel are kept: launches of other sizes have the same."""


class _Kind(NamedTuple):
    """Key that an operation's cost follows from. ``space`` is of those that touch memory alone."""

    operation: Operation
    is_pruned: bool
    is_free: bool
    in_memory: bool
    space: Space | None


@dataclass(frozen=True)
class Compiled:
    """A kernel's operations with their costs on a machine, and what could not be costed.

    ``issues`` are the machine instructions of each operation; those that are ``folded`` became
    an operand of others. Instructions of block b execute as often as block ``counted_as[b]`` does:
    those under a predicate whichever way the branch goes that they took the place of.
    """

    code: PipelineCode
    unmodelled: Mapping[Place, str]
    issues: NDArray[np.float64]
    folded: NDArray[np.bool_]
    counted_as: Sequence[int]

    def instructions(self, executions: Mapping[int, float]) -> float:
        """Count machine instructions of warps from how often warps execute each block."""
        times = [executions.get(block, 0) for block in self.counted_as]
        return float(self._issues_of_block @ np.array(times, np.float64))

    @cached_property
    def _issues_of_block(self) -> NDArray[np.float64]:
        return np.diff(np.append(0.0, np.cumsum(self.issues))[self.code.first])


@dataclass(frozen=True)
class _Mixed:
    """Expansion of operations on one compute capability: ``kinds`` of them, each with its mix.

    ``entry`` are instructions that come before the first one.
    """

    kinds: tuple[tuple[int, Mix | None], ...]
    kind_of: NDArray[np.intp]
    entry: int
    counted_as: tuple[int, ...]


@dataclass(frozen=True)
class KernelAssembly:
    """Assembler's version of a kernel.

    ``order`` has by block its instructions in their order, left out that of the text; where several
    blocks are one (``regions``), the first has those of all. ``expansion`` gives what the kernel
    becomes on a compute capability (86 for 8.6); without it an operation is an instruction, but for
    those that costs.toml has more of. Accesses that are ``merged`` into others are no instructions,
    nor are those that became copies of what others gave (``copied``), which make no accesses.
    Accesses to arrays that are ``kept`` in registers are the moves that they became.
    """

    order: tuple[tuple[Place, ...], ...] | None = None
    regions: tuple[tuple[int, ...], ...] = ()
    expansion: Callable[[int], Expansion] | None = None
    merged: frozenset[Place] = frozenset()
    copied: frozenset[Place] = frozenset()
    kept: Mapping[Place, Mix] = field(default_factory=dict)


class KernelCode:
    """The operations of a kernel, block by block; those that cost nothing only pass values on.

    ``spaces`` are those of accesses, ``assembly`` is what an assembler makes of the kernel.
    With ``kept``, by block, no others cost anything (the paper's pruning,
    §III-A-1). ``first`` numbers the operations of each block from there on, an operation
    an instruction; ``number`` is that of each instruction, by (block, instruction), and
    ``operations`` has how many operations each block has. Of blocks that are one the first has the
    operations of all (``heads``).
    """

    def __init__(
        self,
        kernel: Kernel,
        spaces: Mapping[Place, Space],
        kept: Sequence[frozenset[int]] | None = None,
        assembly: KernelAssembly | None = None,
    ) -> None:
        self._assembly = assembly or KernelAssembly()
        self._kernel, self._spaces, self._kept = kernel, spaces, kept
        self._mixes_of: dict[int, _Mixed] = {}
        first = [0]
        kinds: dict[_Kind, int] = {}
        self._places: list[Place] = []
        kind_of: list[int] = []
        order = self._assembly.order or written_regions(kernel)
        for own in order:
            for block, index in own:
                kind = self._kind((block, index), kernel.blocks[block].instructions[index])
                kind_of.append(kinds.setdefault(kind, len(kinds)))
                self._places.append((block, index))
            first.append(len(kind_of))
        self.heads = heads(len(kernel.blocks), self._assembly.regions)
        self.first, self._kinds, self._kind_of = first, tuple(kinds), np.array(kind_of, np.intp)
        self.operations = tuple(b - a for a, b in pairwise(first))
        self.number = {place: number for number, place in enumerate(self._places)}

    @property
    def copied(self) -> frozenset[Place]:
        """The loads that became copies of what others gave."""
        return self._assembly.copied

    def _kind(self, place: Place, instruction: Instruction) -> _Kind:
        in_memory = self._is_access(place, instruction)
        pruned = self._kept is not None and place[1] not in self._kept[place[0]]
        free = pruned or (not in_memory and is_free(instruction))
        space = self._spaces.get(place) if in_memory else None
        return _Kind(instruction.operation, pruned, free, in_memory, space)

    def _is_access(self, place: Place, instruction: Instruction) -> bool:
        return touches_memory(instruction) and place not in self._assembly.kept

    def _is_served(self, place: Place, instruction: Instruction) -> bool:
        """Whether memory serves it where a trace tells of its accesses, as one may of texels."""
        is_texel = instruction.operation.op_class.is_texel_access
        return is_texel or self._is_access(place, instruction)

    @cached_property
    def _laid_out(self) -> PipelineCode:
        """The arrays that do not depend on the machine; costs are empty."""
        instructions = [self._kernel.blocks[b].instructions[i] for b, i in self._places]
        copies = (len(self._kernel.registers),)
        source, sources = _ragged([(*i.reads, *copies * _awaits_copies(i)) for i in instructions])
        target, targets = _ragged([(*i.writes, *copies * _copies(i)) for i in instructions])
        nothing = np.zeros(0, np.float64)
        return PipelineCode(
            first=np.array(self.first, np.int32),
            pipe=np.zeros(0, np.int32),
            pipe_cycles=nothing,
            second=np.zeros(0, np.int32),
            second_cycles=nothing,
            issue_cycles=nothing,
            latency=nothing,
            memory=np.array(list(map(self._is_served, self._places, instructions)), np.bool_),
            barrier=np.array([_is_cta_barrier(i) for i in instructions], np.bool_),
            source=source,
            sources=sources,
            target=target,
            targets=targets,
            of_sm=np.zeros(0, np.bool_),
        )

    def on(self, machine: Machine) -> Compiled:
        """Cost the operations on a machine."""
        return self._compiled.of(None, machine, self._costed)

    @cached_property
    def _compiled(self) -> KeptByValues[Compiled]:
        return KeptByValues(MOST_COMPILED)

    def _costed(self, machine: Machine) -> Compiled:
        pipes = {name: i for i, name in enumerate(cost_table().pipes)}
        port = float(machine.number("sm.schedulers") / machine.number("sm.subpartitions"))
        mixed = self._mixed(capability_of(machine))
        found = [_cost(self._kinds[kind], mix, machine) for kind, mix in mixed.kinds]
        which = mixed.kind_of
        names = [
            unmodelled_name(self._kinds[kind].operation, cost)
            for (kind, _), cost in zip(mixed.kinds, found, strict=True)
        ]
        unmodelled = {
            place: name
            for place, kind in zip(self._places, which.tolist(), strict=True)
            if (name := names[kind]) is not None
        }
        other = (
            Cost("alu", 1.0, 1, float(machine.number("latency.int_add"))) if unmodelled else FREE
        )
        costs = [other if cost is None else cost for cost in found]
        issues = np.array([c.issues for c in costs], np.float64)[which]
        issues[:1] += mixed.entry
        latency = np.array([c.latency_cycles for c in costs], np.float64)[which]
        laid_out = self._laid_out
        of_sm = np.array([is_of_sm(pipe, machine) for pipe in pipes], np.bool_)
        parts = machine.number("sm.subpartitions")
        scale = {
            pipe: 1.0 / parts for pipe, is_shared in zip(pipes, of_sm, strict=True) if is_shared
        }
        held = [c.pipe_cycles * scale.get(c.pipe, 1.0) for c in costs]
        second_held = [c.second_cycles * scale.get(c.second, 1.0) for c in costs]
        code = laid_out._replace(
            pipe=np.array([pipes.get(c.pipe, -1) for c in costs], np.int32)[which],
            pipe_cycles=np.array(held, np.float64)[which],
            second=np.array([pipes.get(c.second, -1) for c in costs], np.int32)[which],
            second_cycles=np.array(second_held, np.float64)[which],
            issue_cycles=issues * self._slots(issues, machine) / port,
            of_sm=of_sm,
            latency=np.where(laid_out.barrier, 0.0, latency),  # their release takes it
        )
        folded = np.array([mix is not None and not mix.total for _, mix in mixed.kinds], np.bool_)
        return Compiled(code, unmodelled, issues, folded[which], mixed.counted_as)

    def _slots(self, issues: NDArray[np.float64], machine: Machine) -> NDArray[np.float64] | float:
        """The cycles of a scheduler that each instruction takes."""
        width = float(machine.number("sm.issue_per_scheduler"))
        if width <= 1.0:
            return 1.0 / width
        return np.where(paired(self._laid_out, issues), 1.0 / width, 1.0)

    def _mixed(self, capability: int | None) -> _Mixed:
        """Expansion of operations on chips of a compute capability; made once."""
        expansion = None
        if self._assembly.expansion is not None and capability is not None:
            expansion = self._assembly.expansion(capability)
        key = -1 if capability is None else capability
        if key not in self._mixes_of:
            self._mixes_of[key] = self._with_mixes(expansion, merges=(capability or 0) >= MERGES)
        return self._mixes_of[key]

    def _with_mixes(self, expansion: Expansion | None, *, merges: bool) -> _Mixed:
        kinds: dict[tuple[int, Mix | None], int] = {}
        kind_of = []
        for place, kind in zip(self._places, self._kind_of.tolist(), strict=True):
            mix = None if expansion is None else expansion.mixes[place[0]][place[1]]
            if place in self._assembly.copied or (merges and place in self._assembly.merged):
                mix = Mix()
            mix = self._assembly.kept.get(place, mix)
            kind_of.append(kinds.setdefault((kind, mix), len(kinds)))
        same = tuple(range(len(self._kernel.blocks)))
        index = np.array(kind_of, np.intp)
        if expansion is None:
            return _Mixed(tuple(kinds), index, 0, same)
        return _Mixed(tuple(kinds), index, expansion.entry.total, self._counted_as(expansion))

    def _counted_as(self, expansion: Expansion) -> tuple[int, ...]:
        """Block that each block is counted as: one whose branch its instructions replace, or it.

        A predicated block has one way in, from that branch or from another such block.
        """
        before = {s: b.id for b in self._kernel.blocks for s in b.successors}
        found = []
        for block in range(len(self._kernel.blocks)):
            at = block
            while at in expansion.branches.predicated:
                at = before[at]
            found.append(at)
        return tuple(found)


def _ragged(lists: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    ends = np.cumsum([0, *map(len, lists)])
    return ends.astype(np.int32), np.array([i for part in lists for i in part], np.int32)


def touches_memory(instruction: Instruction) -> bool:
    """Whether an instruction has a memory cost of its own at every visit."""
    operation = instruction.operation
    if operation.op_class is OpClass.PREFETCH or operation.space is Space.PARAM:
        return False
    return operation.op_class.is_memory


def _copies(instruction: Instruction) -> bool:
    """Whether an instruction begins an asynchronous copy.

    As if all copies of a warp wrote one register, behind those of the kernel, that is read where
    they are waited for.
    """
    return instruction.operation.op_class is OpClass.ASYNC_COPY and instruction.address is not None


def _awaits_copies(instruction: Instruction) -> bool:
    """Whether an instruction waits for all copies: where it waits for some, these are old ones."""
    words = instruction.operation.modifiers
    numbers = [o.value for o in instruction.operands if isinstance(o, Imm)]
    return "wait_all" in words or ("wait_group" in words and numbers[:1] == [0])


def _is_cta_barrier(instruction: Instruction) -> bool:
    return instruction.operation.op_class is OpClass.BARRIER and (
        "barrier" in instruction.operation.effects
    )


def _cost(kind: _Kind, mix: Mix | None, machine: Machine) -> Cost | None:
    """The cost of an operation that becomes ``mix``; None where it is not known.

    Without a mix it is what ``costs.toml`` says.
    """
    if kind.is_pruned:
        return FREE
    if kind.in_memory:
        if kind.space is None and kind.operation.op_class is OpClass.ASYNC_COPY:
            return Cost("alu", 1.0, 1, 1.0)  # what closes groups of copies, and waits for them
        if kind.space is None:
            return None
        # The load-store unit is a server of accesses.
        return Cost("none", 0.0, 1, 0.0) if mix is None else access_mix_cost(mix, machine)
    return operation_cost(kind.operation, mix, machine, is_free=kind.is_free)


# Which instructions a scheduler issues together where it has two issue slots a cycle.
#
# Kepler, Maxwell and Pascal schedulers pick one warp a cycle, and issue its next instruction and
# the one behind it where they do not depend on each other (CUDA C++ programming guide, compute
# capability 3.x: two independent instructions for one of its warps). So the second slot is of use
# for what can be paired alone, and not for two warps.


def paired(code: PipelineCode, issues: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether operations are issued in pairs: each single, behind one that it does not need.

    ``issues`` are the machine instructions of each operation. What issues none, and only passes on
    what others wrote, stands between without being in the way. Pairs do not reach over the ends of
    blocks; nothing is issued with a barrier, as its warp stops there.
    """
    found = np.zeros(len(issues), np.bool_)
    source, target = code.source.tolist(), code.target.tolist()
    sources, targets = code.sources.tolist(), code.targets.tolist()
    single, barrier = (issues == 1.0).tolist(), code.barrier.tolist()
    issued = (issues > 0.0).tolist()
    for begin, end in zip(code.first[:-1].tolist(), code.first[1:].tolist(), strict=True):
        first = -1  # what may have a second one
        made: set[int] = set()
        for op in range(begin, end):
            reads = sources[source[op] : source[op + 1]]
            writes = targets[target[op] : target[op + 1]]
            depends = not made.isdisjoint(reads) or not made.isdisjoint(writes)
            if not issued[op]:
                if depends:
                    made.update(writes)
                continue
            if first >= 0 and single[op] and not barrier[op] and not depends:
                found[[first, op]] = True
                first = -1
                continue
            first = op if single[op] and not barrier[op] else -1
            made = set(writes)
    return found


# What an estimate is of: a launch, and its kernel, whose facts are worked out once, when asked.

_ON_CHIP = frozenset({Space.SHARED, Space.CONST, Space.PARAM})


@dataclass(frozen=True)
class EstimateKernel:
    """A kernel, for the estimates of its launches.

    With ``kept``, instructions by block, no others cost anything. ``accesses`` are the kernel's
    memory accesses where they are known already.
    """

    module: Module
    structure: Structure
    kept: tuple[frozenset[int], ...] | None = None
    accesses: tuple[MemoryAccess, ...] | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel itself."""
        return self.structure.kernel

    def code(self, registers: int | None, capability: int | None = None) -> KernelCode:
        """The kernel's operations, not yet costed.

        In the order in which an assembler leaves them that gives a thread so many registers; None:
        in that of the text. Blocks are one that it makes one for a compute capability.
        """
        regions: tuple[tuple[int, ...], ...] = ()
        if registers is not None and capability is not None:
            regions = self.expansion(capability).branches.regions
        kept = self.in_registers(capability)
        key = registers, regions, bool(kept)
        if key not in self._codes:
            kernel, order = with_copies(self.kernel, self.repeated), None
            if registers is not None:
                view = self.structure.view if kernel is self.kernel else None
                order = scheduled_regions(kernel, self.structure.cfg, registers, regions, view)
            merged, copied = (
                frozenset(place for load in loads for place in load.others)
                for loads in (self.merged, self.repeated)
            )
            assembly = KernelAssembly(order, regions, self.expansion, merged, copied, kept)
            self._codes[key] = KernelCode(kernel, self.spaces, self.kept, assembly)
        return self._codes[key]

    @cached_property
    def _codes(self) -> dict[tuple[int | None, tuple[tuple[int, ...], ...], bool], KernelCode]:
        return {}

    def expansion(self, capability: int) -> Expansion:
        """Expansion of the kernel into machine code of a compute capability, 86 for 8.6."""
        if capability not in self._expansions:
            self._expansions[capability] = expand(self.structure, capability, self._divergent)
        return self._expansions[capability]

    @cached_property
    def _expansions(self) -> dict[int, Expansion]:
        return {}

    @cached_property
    def _divergent(self) -> Mapping[int, int | None]:
        return divergent_branches(self.structure)

    @cached_property
    def flops(self) -> NDArray[np.float64]:
        """The operations of a thread in each block, as ``flops_by_block`` counts them."""
        return flops_by_block(self.kernel, self.module.warp_size)

    @cached_property
    def spaces(self) -> dict[tuple[int, int], Space]:
        """The space of each access, by (block, instruction), as far as analysis tells it."""
        return {(a.block, a.instruction): a.space for a in self.known_accesses}

    @cached_property
    def off_chip(self) -> Mapping[int, int]:
        """How many accesses of each block may leave the SM, by block, of those that have any."""
        return Counter(
            block.id
            for block in self.kernel.blocks
            for place, instruction in enumerate(block.instructions)
            if is_access(instruction) and not self._spaces_of(block.id, place) <= _ON_CHIP
        )

    @cached_property
    def on_chip(self) -> frozenset[tuple[int, int]]:
        """Accesses that never leave the SM, by (block, instruction)."""
        return frozenset(
            (block.id, place)
            for block in self.kernel.blocks
            for place, instruction in enumerate(block.instructions)
            if is_access(instruction) and self._spaces_of(block.id, place) <= _ON_CHIP
        )

    def _spaces_of(self, block: int, place: int) -> set[Space]:
        """The spaces that an access is to; a copy reads one and writes another."""
        operation = self.kernel.blocks[block].instructions[place].operation
        if operation.op_class is OpClass.ASYNC_COPY:
            return {*operation.spaces} or {Space.GENERIC}
        return {self.spaces.get((block, place), operation.space or Space.GENERIC)}

    @cached_property
    def known_accesses(self) -> tuple[MemoryAccess, ...]:
        """Accesses of the kernel, by analysis."""
        if self.accesses is not None:
            return self.accesses
        return memory_accesses(self.module, self.structure)

    @cached_property
    def merged(self) -> tuple[MergedLoad, ...]:
        """Loads of shared memory that an assembler makes one, for chips where it does so."""
        return merged_loads(self.module, self.structure, self.known_accesses)

    @cached_property
    def repeated(self) -> tuple[RepeatedLoad, ...]:
        """Loads that an assembler makes once, for chips where it does so."""
        return repeated_loads(self.structure, self.known_accesses)

    def in_registers(self, capability: int | None) -> Mapping[tuple[int, int], Mix]:
        """Mixes of accesses to local arrays that an assembler keeps in registers."""
        return self._kept if (capability or 0) >= KEEPS else {}

    @cached_property
    def _kept(self) -> Mapping[tuple[int, int], Mix]:
        return kept_mixes(self.structure, self.known_accesses)

    def merged_on(self, machine: Machine) -> tuple[MergedLoad, ...]:
        """The loads of shared memory that are one on a machine."""
        return self.merged if (capability_of(machine) or 0) >= MERGES else ()

    @cached_property
    def aggregated(self) -> frozenset[tuple[int, int]]:
        """Atomics that a warp makes as one, by (block, instruction)."""
        return aggregated_atomics(self.known_accesses)

    @cached_property
    def counted(self) -> frozenset[tuple[int, int]]:
        """Atomics on shared memory that count lanes, where chips can do that."""
        return counted_atomics(self.kernel, self.known_accesses)

    def as_one(self, machine: Machine) -> frozenset[tuple[int, int]]:
        """The atomics whose lanes at one word take no turns on a machine."""
        if (capability_of(machine) or 0) < COUNTS:
            return self.aggregated
        return self.aggregated | self.counted


@dataclass(frozen=True)
class EstimateSubject:
    """A launch of a kernel with its traces. Launches of one kernel may share its ``facts``."""

    facts: EstimateKernel
    launch: Launch
    source: TraceSource

    @property
    def kernel(self) -> Kernel:
        """The kernel that is launched."""
        return self.facts.kernel

    @cached_property
    def shared_bytes(self) -> int:
        """The shared memory that a CTA takes."""
        return shared_bytes(self.facts.module, self.kernel) + self.launch.dynamic_shared_bytes
