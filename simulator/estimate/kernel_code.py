"""A kernel's operations as arrays for the pipeline: laid out once, costed for each machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.analyses.schedule import Orders
from analyzer.ir.kernel import Instruction, Kernel
from analyzer.ir.operation import Operation
from analyzer.ir.types import OpClass, Space
from simulator.estimate.costs import FREE, Cost, arithmetic_cost, cost_table, is_free
from simulator.estimate.pipeline import Code
from simulator.machines.model import Machine

Place = tuple[int, int]
"""A block and the index of an instruction in it."""


class _Kind(NamedTuple):
    """What an operation's cost follows from. ``space`` is of those that touch memory alone."""

    operation: Operation
    is_free: bool
    in_memory: bool
    space: Space | None


@dataclass(frozen=True)
class Compiled:
    """A kernel's operations with their costs on a machine, and what could not be costed."""

    code: Code
    unmodelled: Mapping[Place, str]


class KernelCode:
    """The operations of a kernel, block by block; those that cost nothing only pass values on.

    ``spaces`` are those of accesses; ``orders`` is the order of each block's instructions, left out
    that of the text. With ``kept``, by block, no others cost anything (the paper's pruning,
    §III-A-1). ``first`` numbers the operations of each block from there on, an operation
    an instruction; ``number`` is that of each instruction, by (block, instruction), and
    ``operations`` has how many operations each block has.
    """

    def __init__(
        self,
        kernel: Kernel,
        spaces: Mapping[Place, Space],
        kept: Sequence[frozenset[int]] | None = None,
        orders: Orders | None = None,
    ) -> None:
        self._kernel, self._spaces, self._kept = kernel, spaces, kept
        first = [0]
        kinds: dict[_Kind, int] = {}
        self._places: list[Place] = []
        kind_of: list[int] = []
        for block in kernel.blocks:
            for index in range(len(block.instructions)) if orders is None else orders[block.id]:
                instruction = block.instructions[index]
                kind = self._kind((block.id, index), instruction)
                kind_of.append(kinds.setdefault(kind, len(kinds)))
                self._places.append((block.id, index))
            first.append(len(kind_of))
        self.first, self._kinds, self._kind_of = first, tuple(kinds), np.array(kind_of, np.intp)
        self.operations = tuple(b - a for a, b in pairwise(first))
        self.number = {place: number for number, place in enumerate(self._places)}

    def _kind(self, place: Place, instruction: Instruction) -> _Kind:
        in_memory = touches_memory(instruction)
        is_kept = self._kept is None or place[1] in self._kept[place[0]]
        free = not is_kept or (not in_memory and is_free(instruction))
        space = self._spaces.get(place) if in_memory else None
        return _Kind(instruction.operation, free, in_memory, space)

    @cached_property
    def _laid_out(self) -> Code:
        """The arrays that do not depend on the machine; costs are empty."""
        instructions = [self._kernel.blocks[b].instructions[i] for b, i in self._places]
        source, sources = _ragged([i.reads for i in instructions])
        target, targets = _ragged([i.writes for i in instructions])
        nothing = np.zeros(0, np.float64)
        return Code(
            first=np.array(self.first, np.int32),
            pipe=np.zeros(0, np.int32),
            pipe_cycles=nothing,
            second=np.zeros(0, np.int32),
            second_cycles=nothing,
            issue_cycles=nothing,
            latency=nothing,
            memory=np.array([touches_memory(i) for i in instructions], np.bool_),
            barrier=np.array([_is_cta_barrier(i) for i in instructions], np.bool_),
            source=source,
            sources=sources,
            target=target,
            targets=targets,
        )

    def on(self, machine: Machine) -> Compiled:
        """Cost the operations on a machine."""
        pipes = {name: i for i, name in enumerate(cost_table().pipes)}
        port = machine.number("sm.schedulers") / machine.number("sm.subpartitions")
        slot = 1.0 / (port * machine.number("sm.issue_per_scheduler"))
        found = [_cost(kind, machine) for kind in self._kinds]
        unmodelled = {
            place: self._kinds[kind].operation.op_class.value
            for place, kind in zip(self._places, self._kind_of.tolist(), strict=True)
            if found[kind] is None
        }
        other = (
            Cost("alu", 1.0, 1, float(machine.number("latency.int_add"))) if unmodelled else FREE
        )
        costs = [other if cost is None else cost for cost in found]
        code = self._laid_out._replace(
            pipe=np.array([pipes.get(c.pipe, -1) for c in costs], np.int32)[self._kind_of],
            pipe_cycles=np.array([c.pipe_cycles for c in costs], np.float64)[self._kind_of],
            second=np.full(len(self._kind_of), -1, np.int32),
            second_cycles=np.zeros(len(self._kind_of)),
            issue_cycles=np.array([c.issues * slot for c in costs], np.float64)[self._kind_of],
            latency=np.array([c.latency_cycles for c in costs], np.float64)[self._kind_of],
        )
        return Compiled(code, unmodelled)


def _ragged(lists: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    ends = np.cumsum([0, *map(len, lists)])
    return ends.astype(np.int32), np.array([i for part in lists for i in part], np.int32)


def touches_memory(instruction: Instruction) -> bool:
    """Whether an instruction has a memory cost of its own at every visit."""
    operation = instruction.operation
    if operation.op_class is OpClass.PREFETCH or operation.space is Space.PARAM:
        return False
    return operation.op_class.is_memory


def _is_cta_barrier(instruction: Instruction) -> bool:
    return instruction.operation.op_class is OpClass.BARRIER and (
        "barrier" in instruction.operation.effects
    )


def _cost(kind: _Kind, machine: Machine) -> Cost | None:
    """Give the cost of an operation; None where it is not known."""
    if kind.is_free:
        return FREE
    if not kind.in_memory:
        return arithmetic_cost(kind.operation, machine)
    if kind.space is None or kind.operation.op_class is OpClass.ASYNC_COPY:
        return None
    return Cost("none", 0.0, 1, 0.0)  # the load-store unit is a server of accesses
