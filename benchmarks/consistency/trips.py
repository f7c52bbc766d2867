"""Loops of kernels whose trips the launch decides, and how many of them have an unknown count.

Where a loop's end rests on what is read from memory, or on when a copy arrives (waits on
mbarriers), nobody can know its count without data; all others the analysis should know as a number
or as a formula. What an end rests on is found here by following registers back, without formulas: a
second opinion. What a branch chooses rests on what decides the branch: a binary search in memory is
decided by data. Slots of local memory are followed as registers; the rest of it, which code that is
not optimised keeps arrays in, counts as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.ir.kernel import Instruction, Reg
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.session.jobs import Job

_READS_DATA = {
    OpClass.BARRIER, OpClass.ATOMIC, OpClass.TEXTURE, OpClass.SURFACE, OpClass.MATRIX_MOVE,
}  # fmt: skip
_CLOCKS = ("clock", "globaltimer", "smid", "envreg")


@dataclass
class Loops:
    """Loops, those that the launch decides, and those of unknown trips, by maker; and why."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)

    def add(self, maker: str, title: str, job: Job) -> None:
        """Count the loops of a kernel."""
        found, loops = _Origins(job), job.analysis.structure.loops.loops
        for loop, bound in zip(loops, job.analysis.bounds, strict=True):
            self.counts[maker, "loops"] += 1
            if not loop.exits or any(found.data_decide(source) for source, _ in loop.exits):
                continue
            self.counts[maker, "decided"] += 1
            if isinstance(bound.trips, UnknownTrips):
                self.counts[maker, "unknown"] += 1
                self.unknown.append(f"{maker}: {title}: loop {bound.loop}: {bound.trips.reason}")


class _Origins:
    """Which branches of a kernel rest on data."""

    def __init__(self, job: Job) -> None:
        self._structure: Structure = job.analysis.structure
        self._spaces = {(a.block, a.instruction): a.space for a in job.analysis.accesses}
        self._local: bool | None = None

    def data_decide(self, block: int) -> bool:
        """Whether the branch at the end of a block rests on data."""
        return self._any_data(self._structure.ssa.before[block][-1:])

    def _any_data(self, uses: Iterable[Mapping[int, int]]) -> bool:
        """Whether what some instructions read rests on data: what it is made from, all the way."""
        seen: set[int] = set()
        todo = [number for one in uses for number in one.values()]
        while todo:
            number = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            made = self._structure.ssa.definitions[number]
            if self._is_data(made):
                return True
            todo += self._sources(made)
        return False

    def _instruction(self, made: Definition) -> Instruction | None:
        if made.kind is not DefinitionKind.INSTRUCTION:
            return None
        return self._structure.kernel.blocks[made.block].instructions[made.instruction]

    def _is_data(self, made: Definition) -> bool:
        one = self._instruction(made)
        if one is None:
            return False
        kind = one.operation.op_class
        if kind in _READS_DATA or any(word in str(s) for s in one.sources for word in _CLOCKS):
            return True
        if kind is not OpClass.LOAD or one.operation.space is Space.PARAM:
            return False
        slots = self._structure.ssa.slots
        if made.register in slots.read_at(made.block, made.instruction):
            return False
        if self._spaces.get((made.block, made.instruction)) is Space.LOCAL:
            return self._local_holds_data()
        return True

    def _local_holds_data(self) -> bool:
        """Whether anything that is stored to local memory rests on data."""
        if self._local is None:
            self._local = False  # what local memory's own loads give is no data by itself
            blocks, before = self._structure.kernel.blocks, self._structure.ssa.before
            self._local = self._any_data(
                before[block][instruction]
                for (block, instruction), space in self._spaces.items()
                if space is Space.LOCAL
                and blocks[block].instructions[instruction].operation.op_class is OpClass.STORE
            )
        return self._local

    def _sources(self, made: Definition) -> list[int]:
        ssa = self._structure.ssa
        if made.kind is DefinitionKind.PHI:
            return self._deciding(made) + [
                ssa.out[i.predecessor][i.operand.index]
                for i in ssa.phi_inputs[made.id]
                if isinstance(i.operand, Reg) and i.operand.index in ssa.out[i.predecessor]
            ]
        if made.kind is DefinitionKind.INSTRUCTION:
            return list(ssa.before[made.block][made.instruction].values())
        return []

    def _deciding(self, made: Definition) -> list[int]:
        """What decides the branches by which the inputs of a φ part."""
        structure, ssa = self._structure, self._structure.ssa
        inputs = [i.predecessor for i in ssa.phi_inputs[made.id]]
        loop = structure.loops.innermost(made.block)
        if loop is not None and loop.header == made.block:  # each way on its own: round, and in
            inputs = [b for b in inputs if b in loop.blocks]
        if len(inputs) < 2:
            return []
        above = [list(self._dominators(block)) for block in inputs]
        common = set(above[0]).intersection(*above)
        top = next(block for block in above[0] if block in common)
        return [
            number
            for block in set().union(*above) - common | {top}
            if (code := structure.kernel.blocks[block].instructions) and code[-1].is_branch
            for number in ssa.before[block][-1].values()
        ]

    def _dominators(self, block: int | None) -> Iterator[int]:
        """A block and all that dominate it, the nearest first."""
        while block is not None:
            yield block
            block = self._structure.dominators.idom[block]
