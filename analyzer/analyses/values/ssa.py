"""Definition that each use of a register sees: static single assignment as a side table.

The IR lets a register be written many times. This finds, for every place, the one definition that
reaches it, with φs where paths meet (Cytron et al., on dominance frontiers) and what they bring is
read later (pruned, as Choi, Cytron and Ferrante have it, POPL 1991). The IR stays as it is. Slots
of memory count as registers that loads read and stores write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from warpmill.analyzer.analyses.cfg.graph import Cfg, DomTree, LoopForest
from warpmill.analyzer.analyses.liveness import liveness
from warpmill.analyzer.ir.kernel import Block, Function, Operand, Reg, Register, registers_in
from warpmill.analyzer.ir.types import Place, Type

# Slots: places of memory that hold values as registers do.
#
# A slot is some bytes of a local variable that loads read at an address which is known: the
# variable's and a number. In the side table of static single assignment it is a register more,
# which stores write and loads read. Those of shared variables are registers that a CTA has one of.


@dataclass(frozen=True, slots=True)
class SlotRead:
    """The slot that a load takes a register's value from, and the type that it is read as."""

    slot: int
    type: Type


@dataclass(frozen=True, slots=True)
class SlotPart:
    """Bytes of a stored value that go to a slot: ``size`` of them, from byte ``first`` of it on.

    They lie from byte ``at`` of the slot on. The value has ``of`` bytes.
    """

    value: Operand
    at: int
    first: int
    size: int
    of: int


@dataclass(frozen=True, slots=True)
class SlotWrite:
    """Value written to a slot; ``value`` is None where that is no one operand as it is.

    ``parts`` are what it is made of then, lowest first, where that is known, beside bytes that stay
    as they are where ``keeps``. ``by_one``: one thread of the CTA stores it, for all.
    """

    value: Operand | None
    parts: tuple[SlotPart, ...] = ()
    keeps: bool = False
    by_one: bool = False

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands that it is made of."""
        return tuple(p.value for p in self.parts) if self.value is None else (self.value,)


@dataclass(frozen=True)
class Slots:
    """The slots of a function, numbered on after its registers, and where they are used.

    ``variables`` are those that they lie in. ``reads`` gives for loads the slot of each register
    that is written, ``writes`` the slots that change at a place. ``shared`` are those in shared
    memory; ``ways`` gives for a block that ways lead to on which one thread stores in some of
    them, by slot, the predecessors that this thread comes from: what it stores counts for all.
    """

    registers: tuple[Register, ...] = ()
    variables: tuple[str, ...] = ()
    reads: Mapping[Place, Mapping[int, SlotRead]] = field(default_factory=dict)
    writes: Mapping[Place, Mapping[int, SlotWrite]] = field(default_factory=dict)
    shared: frozenset[int] = frozenset()
    ways: Mapping[int, Mapping[int, frozenset[int]]] = field(default_factory=dict)

    def read_at(self, block: int, instruction: int) -> Mapping[int, SlotRead]:
        """The slots that an instruction reads, by the register that each goes to."""
        return self.reads.get((block, instruction), {})

    def written_at(self, block: int, instruction: int) -> Mapping[int, SlotWrite]:
        """The slots that an instruction writes, by their numbers."""
        return self.writes.get((block, instruction), {})


NO_SLOTS = Slots()
"""Slots of a function that keeps nothing in memory that is followed."""


class DefinitionKind(Enum):
    """Origin of a register's value."""

    PARAMETER = "parameter"
    INSTRUCTION = "instruction"
    PHI = "phi"
    UNDEFINED = "undefined"


class Definition(NamedTuple):
    """One value of one register or slot. ``instruction`` is the index in the block, -1 for a φ."""

    id: int
    register: int
    kind: DefinitionKind
    block: int
    instruction: int = -1


class _Touched(NamedTuple):
    """The registers that an instruction reads, in ascending order, and those that it writes."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]


class PhiInput(NamedTuple):
    """Input of a φ from one predecessor: an operand, looked up in ``out`` of that block."""

    predecessor: int
    operand: Operand


@dataclass(frozen=True)
class Ssa:
    """Definitions of a function and where they reach.

    ``before[block][i]`` maps registers that instruction ``i`` reads to definition ids; for a
    guarded write it also holds the written register's earlier definition. ``out[block]`` maps
    registers to their definitions at the block's end, those at least that are read later.
    ``phi_inputs[d]`` belongs to φ ``d``.
    ``registers`` are those of the function, then the slots.
    """

    definitions: tuple[Definition, ...]
    before: tuple[tuple[dict[int, int], ...], ...]
    written: tuple[tuple[dict[int, int], ...], ...]
    entry: tuple[dict[int, int], ...]
    out: tuple[dict[int, int], ...]
    phi_inputs: dict[int, tuple[PhiInput, ...]]
    registers: tuple[Register, ...]
    slots: Slots = NO_SLOTS

    def register(self, definition: int) -> Register:
        """The register or slot that a definition is of."""
        return self.registers[self.definitions[definition].register]

    def is_shared(self, definition: int) -> bool:
        """Whether a definition is of a slot in shared memory, which a CTA has one of."""
        return self.definitions[definition].register in self.slots.shared

    def is_stored_by_one(self, definition: Definition) -> bool:
        """Whether one thread makes a definition for its CTA: whatever guards it holds there."""
        if definition.register not in self.slots.shared:
            return False
        place = definition.block, definition.instruction
        written = self.slots.written_at(*place).get(definition.register)
        return written is not None and written.by_one

    def operand_definition(self, block: int, instruction: int, register: int) -> Definition:
        """The definition that instruction sees in ``register``."""
        return self.definitions[self.before[block][instruction][register]]


def build_ssa(function: Function, cfg: Cfg, dominators: DomTree, slots: Slots = NO_SLOTS) -> Ssa:
    """Find the reaching definition of every register use in the reachable part of a function."""
    return _Builder(function, cfg, dominators, slots).build()


class _Builder:
    def __init__(self, function: Function, cfg: Cfg, dominators: DomTree, slots: Slots) -> None:
        self.function, self.cfg, self.dominators, self.slots = function, cfg, dominators, slots
        self.registers = (*function.registers, *slots.registers)
        self.definitions: list[Definition] = []
        self.touched = [tuple(self._touched(block)) for block in function.blocks]
        self.phis = self._place_phis()
        n = len(function.blocks)
        self.before: list[tuple[dict[int, int], ...]] = [()] * n
        self.written: list[tuple[dict[int, int], ...]] = [()] * n
        self.entry: list[dict[int, int]] = [{} for _ in range(n)]
        self.out: list[dict[int, int]] = [{} for _ in range(n)]
        self.undefined: dict[int, int] = {}

    def build(self) -> Ssa:
        start = {
            p.register.index: self._define(p.register.index, DefinitionKind.PARAMETER, 0)
            for p in self.function.parameters
            if p.register is not None
        }
        phi_ids = {
            block: {r: self._define(r, DefinitionKind.PHI, block) for r in registers}
            for block, registers in sorted(self.phis.items())
        }
        stack = [(self.cfg.entry, start)]
        while stack:
            block, incoming = stack.pop()
            self._rename(block, incoming | phi_ids.get(block, {}))
            stack += [
                (child, self.out[block])
                for child in self.dominators.children[block]
                if child < len(self.function.blocks)
            ]
        inputs = {id_: i for block, ids in phi_ids.items() for id_, i in self._inputs(block, ids)}
        for register in range(len(self.registers)):
            self._undefined(register)
        return Ssa(
            tuple(self.definitions), tuple(self.before), tuple(self.written), tuple(self.entry),
            tuple(self.out), inputs, self.registers, self.slots,
        )  # fmt: skip

    def _define(self, register: int, kind: DefinitionKind, block: int, index: int = -1) -> int:
        self.definitions.append(Definition(len(self.definitions), register, kind, block, index))
        return len(self.definitions) - 1

    def _undefined(self, register: int) -> int:
        if register not in self.undefined:
            self.undefined[register] = self._define(register, DefinitionKind.UNDEFINED, 0)
        return self.undefined[register]

    def _touched(self, block: Block) -> Iterator[_Touched]:
        """Registers and slots that each instruction reads and writes, each once."""
        for index, instruction in enumerate(block.instructions):
            reads, writes = set(instruction.reads), instruction.writes
            if self.slots.registers:
                reads.update(r.slot for r in self.slots.read_at(block.id, index).values())
                stored = self.slots.written_at(block.id, index)
                writes = (*writes, *stored)
                reads.update(slot for slot, write in stored.items() if write.keeps)
            if instruction.guard is not None:
                reads.update(writes)
            yield _Touched(tuple(sorted(reads)), writes)

    def _live_on_entry(self) -> tuple[int, ...]:
        """The sets of registers that are read in a block, or behind it, as they come there."""
        copies = {
            (edge.predecessor, block.id): (
                [register.index for register, _ in edge.copies],
                [index for _, operand in edge.copies for index in registers_in(operand)],
            )
            for block in self.function.blocks
            for edge in block.incoming
        }
        return liveness(self.touched, copies, self.cfg).on_entry

    def _place_phis(self) -> dict[int, list[int]]:
        """The registers that need a φ at each block: edge copies, and where writes meet."""
        places, live = self._written_in(), self._live_on_entry()
        phis: dict[int, dict[int, None]] = defaultdict(dict)
        for block in self.function.blocks:
            for edge in block.incoming if block.id in self.cfg.reachable else ():
                for register_, _ in edge.copies:
                    phis[block.id][register_.index] = None
        for register in sorted(places):
            work = sorted(places[register])
            while work:
                for join in sorted(self.dominators.frontier[work.pop()]):
                    is_read = join < len(live) and live[join] >> register & 1
                    if is_read and register not in phis[join]:
                        phis[join][register] = None
                        work.append(join)
        return {block: list(registers) for block, registers in phis.items() if registers}

    def _written_in(self) -> dict[int, set[int]]:
        """The blocks that write each register."""
        places: dict[int, set[int]] = defaultdict(set)
        for block in self.function.blocks:
            if block.id not in self.cfg.reachable:
                continue
            for _, writes in self.touched[block.id]:
                for register in writes:
                    places[register].add(block.id)
            for edge in block.incoming:
                for register_, _ in edge.copies:
                    places[register_.index].add(block.id)
        for parameter in self.function.parameters:
            if parameter.register is not None:
                places[parameter.register.index].add(self.cfg.entry)
        return places

    def _rename(self, block: int, current: dict[int, int]) -> None:
        current = dict(current)
        self.entry[block] = dict(current)
        before, written = [], []
        for index, (reads, writes) in enumerate(self.touched[block]):
            before.append({r: current[r] if r in current else self._undefined(r) for r in reads})
            made = {r: self._define(r, DefinitionKind.INSTRUCTION, block, index) for r in writes}
            written.append(made)
            current |= made
        self.before[block], self.written[block] = tuple(before), tuple(written)
        self.out[block] = current

    def _inputs(
        self, block: int, phis: dict[int, int]
    ) -> Iterator[tuple[int, tuple[PhiInput, ...]]]:
        """Inputs of a block's φs, from each predecessor."""
        copies = {
            edge.predecessor: {register.index: operand for register, operand in edge.copies}
            for edge in self.function.blocks[block].incoming
        }
        before = [(p, copies.get(p, {})) for p in self.cfg.predecessors[block]]
        ways = self.slots.ways.get(block, {})
        for register, id_ in phis.items():
            own, counting = Reg(register), ways.get(register)
            yield (
                id_,
                tuple(
                    [
                        PhiInput(p, copied.get(register, own))
                        for p, copied in before
                        if counting is None or p in counting
                    ]
                ),
            )


# Where ways meet: which branch decides what a φ takes.
#
# A φ with several inputs is a choice by the branch that its predecessors come from. Choices nest
# as ``a && b && c`` does.


class SupportsFlow(Protocol):
    """A kernel's control flow, and where its values come from."""

    @property
    def kernel(self) -> Function:
        """The kernel."""

    @property
    def cfg(self) -> Cfg:
        """Its control-flow graph."""

    @property
    def dominators(self) -> DomTree:
        """Its dominators."""

    @property
    def loops(self) -> LoopForest:
        """Its loops."""

    @property
    def ssa(self) -> Ssa:
        """Definition that each use sees."""


@dataclass(frozen=True, slots=True)
class Split:
    """A branch at the end of ``block``: what is taken where its guard holds, and where not."""

    block: int
    taken: Ways
    fallen: Ways


Ways = Split | PhiInput


def ways_of(structure: SupportsFlow, definition: int) -> Ways | None:
    """How branches choose the input of a φ; None for a loop's and where that is not plain."""
    made = structure.ssa.definitions[definition]
    if made.kind is not DefinitionKind.PHI:
        return None
    innermost = structure.loops.innermost(made.block)
    if innermost is not None and innermost.header == made.block:
        return None
    number = structure.cfg.rpo_number
    inputs = structure.ssa.phi_inputs[definition]
    if any(number.get(i.predecessor, number[made.block]) >= number[made.block] for i in inputs):
        return None
    return _ways(structure, made.block, inputs)


def _ways(structure: SupportsFlow, join: int, inputs: Sequence[PhiInput]) -> Ways | None:
    if len(inputs) == 1:
        return inputs[0]
    split = _common_dominator(structure, [i.predecessor for i in inputs])
    block = structure.kernel.blocks[split]
    last = block.terminator
    taken = None if last is None or len(last.targets) != 1 else last.targets[0]
    if last is None or last.guard is None or taken in (None, block.fallthrough):
        return None
    if any(join not in loop.members for loop in structure.loops.containing(split)):
        return None
    sides = [
        [i for i in inputs if _comes_by(structure, i.predecessor, (split, first), join)]
        for first in (taken, block.fallthrough)
    ]
    if not all(sides) or len(sides[0]) + len(sides[1]) != len(inputs):
        return None
    ways = [_ways(structure, join, side) for side in sides]
    if ways[0] is None or ways[1] is None:
        return None
    return Split(split, ways[0], ways[1])


def _common_dominator(structure: SupportsFlow, blocks: Sequence[int]) -> int:
    found = blocks[0]
    while not all(structure.dominators.dominates(found, b) for b in blocks):
        above = structure.dominators.idom[found]
        assert above is not None
        found = above
    return found


def _comes_by(structure: SupportsFlow, block: int, edge: tuple[int, int | None], join: int) -> bool:
    """Whether the way from ``edge`` on leads through ``block`` to the join, and no other does."""
    source, first = edge
    if block == source:
        return first == join
    if first is None or first == join or not enters_alone(structure, source, first):
        return False
    return structure.dominators.dominates(first, block)


def enters_alone(structure: SupportsFlow, source: int, block: int) -> bool:
    """Whether a block is come to from one block only, ways back from behind it aside."""
    before = structure.cfg.predecessors[block]
    return source in before and all(
        p == source or structure.dominators.dominates(block, p) for p in before
    )
