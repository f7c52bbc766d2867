"""The kernel of an estimate: its operations as arrays, costed for each machine, and its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.ir.kernel import Imm, Instruction, Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.analyzer.traces.source import TraceSource
from warpmill.simulator.assembler.costs import (
    FREE,
    Cost,
    access_mix_cost,
    cost_table,
    is_free,
    is_of_sm,
    operation_cost,
    ptx_cost,
    unmodelled_name,
)
from warpmill.simulator.assembler.expand import Expansion
from warpmill.simulator.assembler.program import KernelFacts, MachineProgram, touches_memory
from warpmill.simulator.assembler.values import Mix
from warpmill.simulator.estimate.pipeline import PipelineCode
from warpmill.simulator.machine_limits import flops_by_block
from warpmill.simulator.machines.model import KeptByValues, Machine

MOST_COMPILED = 16
"""Machines whose costs of a program are kept: launches of other sizes have the same."""


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


class KernelCode:
    """The operations of a kernel, block by block; those that cost nothing only pass values on.

    With ``pruned``, by block, no instructions but those cost anything (the paper's pruning,
    §III-A-1). ``first`` numbers the operations of each block from there on, an operation
    an instruction; ``number`` is that of each instruction, by (block, instruction), and
    ``operations`` has how many operations each block has. Of blocks that are one the first has the
    operations of all (``heads``).
    """

    def __init__(
        self, program: MachineProgram, pruned: Sequence[frozenset[int]] | None = None
    ) -> None:
        self.program, self._pruned = program, pruned
        self._kernel = kernel = program.with_copies
        first = [0]
        kinds: dict[_Kind, int] = {}
        self._places: list[Place] = []
        kind_of: list[int] = []
        for own in program.orders:
            for block, index in own:
                kind = self._kind((block, index), kernel.blocks[block].instructions[index])
                kind_of.append(kinds.setdefault(kind, len(kinds)))
                self._places.append((block, index))
            first.append(len(kind_of))
        self.heads = program.heads
        self.first, self._kinds, self._kind_of = first, tuple(kinds), np.array(kind_of, np.intp)
        self.operations = tuple(b - a for a, b in pairwise(first))
        self.number = {place: number for number, place in enumerate(self._places)}

    def _kind(self, place: Place, instruction: Instruction) -> _Kind:
        in_memory = self._is_access(place, instruction)
        pruned = self._pruned is not None and place[1] not in self._pruned[place[0]]
        free = pruned or (not in_memory and is_free(instruction))
        space = self.program.spaces.get(place) if in_memory else None
        return _Kind(instruction.operation, pruned, free, in_memory, space)

    def _is_access(self, place: Place, instruction: Instruction) -> bool:
        return touches_memory(instruction) and place not in self.program.kept

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
        mixed = self._mixed
        assembled = self.program.assembled
        found = [_cost(self._kinds[k], mix, machine, assembled) for k, mix in mixed.kinds]
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

    @cached_property
    def _mixed(self) -> _Mixed:
        """Expansion of the operations."""
        program, kinds, kind_of = self.program, dict[tuple[int, Mix | None], int](), []
        gone = program.copied.union(*(load.others for load in program.merged))
        for place, kind in zip(self._places, self._kind_of.tolist(), strict=True):
            mix = Mix() if place in gone else program.mix(place)
            kind_of.append(kinds.setdefault((kind, mix), len(kinds)))
        index, expansion = np.array(kind_of, np.intp), program.expansion
        if expansion is None:
            return _Mixed(tuple(kinds), index, 0, tuple(range(len(self._kernel.blocks))))
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


def _copies(instruction: Instruction) -> bool:
    """Whether an instruction begins an asynchronous copy.

    As if all copies of a warp wrote one register, behind those of the kernel, that is read where
    they are waited for.
    """
    return instruction.operation.op_class is OpClass.ASYNC_COPY and instruction.address is not None


def _awaits_copies(instruction: Instruction) -> bool:
    """Whether an instruction waits for all copies: where it waits for some, these are old ones."""
    words = instruction.operation.modifiers
    if instruction.operation.name == "DEPBAR":
        words = ("wait_group",)
    numbers = [o.value for o in instruction.operands if isinstance(o, Imm)]
    return "wait_all" in words or ("wait_group" in words and numbers[:1] == [0])


def _is_cta_barrier(instruction: Instruction) -> bool:
    return instruction.operation.op_class is OpClass.BARRIER and (
        "barrier" in instruction.operation.effects
    )


def _cost(kind: _Kind, mix: Mix | None, machine: Machine, assembled: bool) -> Cost | None:
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
    if not assembled:
        return ptx_cost(kind.operation, machine)
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


# What an estimate is of: a launch of a kernel.


@dataclass(frozen=True)
class EstimateSubject:
    """A launch of a kernel with its traces. Launches of one kernel may share its ``facts``.

    With ``pruned``, instructions by block, no others cost anything.
    """

    facts: KernelFacts
    launch: Launch
    source: TraceSource
    pruned: tuple[frozenset[int], ...] | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel that is launched."""
        return self.facts.kernel

    def code(self, program: MachineProgram) -> KernelCode:
        """The operations of a program of the kernel, not yet costed; made once."""
        key = KernelCode, program, self.pruned
        return self.facts.once(key, lambda: KernelCode(program, self.pruned))

    @property
    def flops(self) -> NDArray[np.float64]:
        """The operations of a thread in each block, as ``flops_by_block`` counts them."""
        warp_size = self.facts.module.warp_size
        return self.facts.once(flops_by_block, lambda: flops_by_block(self.kernel, warp_size))

    @cached_property
    def shared_bytes(self) -> int:
        """The shared memory that a CTA takes."""
        return shared_bytes(self.facts.module, self.kernel) + self.launch.dynamic_shared_bytes
