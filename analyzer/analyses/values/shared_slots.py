"""Finds the slots of shared memory: counters and flags that a CTA keeps there.

A shared variable is followed where all that may write it stores at known places. What all threads
store alike counts, and what one thread stores counts for all: the thread that a branch or a guard
tells by its id. Every load by another thread has to be parted from the store by a barrier of the
whole CTA, and so has every store from the loads and stores before it; else other threads may see
the old value or the new one, and the variable is not followed.

What is found rests on a CTA that extends only in the axes whose ids the kernel reads, so that one
thread passes a test for one (a launch's block tells), and on no race elsewhere: all warps load the
same from one address. All of it is checked in the program with the slots in it. That does not go
round in circles: the first step at which a thread saw something else would follow from steps before
it that went as they should.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpmill.analyzer.analyses.values.one_thread import Block, OneThread, Side, axes_of
from warpmill.analyzer.analyses.values.shared_phases import Phases, Unfollowed
from warpmill.analyzer.analyses.values.slot_search import Pointers, ValueFlow, slots_of
from warpmill.analyzer.analyses.values.slots import Slots
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.ir.kernel import Instruction, Kernel, Variable, registers_in
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import OpClass, Space

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.structure import Structure

_SPACES = frozenset({None, Space.GENERIC, Space.LOCAL, Space.SHARED})


@dataclass(frozen=True)
class SharedSlots:
    """Slots of a kernel, those of local memory among them, and why variables have none.

    ``stores`` are the places where one thread stores for all, by variable.
    """

    slots: Slots
    reasons: Mapping[str, str]
    stores: Mapping[str, tuple[Place, ...]]


def shared_slots(
    structure: Structure, variables: Iterable[Variable], block: Block | None
) -> SharedSlots | None:
    """Find the slots of a kernel in its shared variables; None where it has none of those.

    ``structure`` has the slots of local memory; ``block`` is the CTA's, where it is known.
    """
    shared = [v for v in variables if v.space is Space.SHARED]
    if not shared:
        return None
    names = frozenset(v.name for v in shared if _is_fixed(v))
    search = _Search(structure, names, block)
    reasons = search.reasons | {v.name: _DYNAMIC for v in shared if v.name not in names}
    while True:
        slots = search.slots(names - reasons.keys())
        if slots is None:
            return SharedSlots(structure.ssa.slots, reasons, {})
        try:
            stores = Phases(with_slots(structure, slots), search.one).check()
        except Unfollowed as why:
            left_out = search.candidates if why.variable is None else {why.variable}
            reasons |= dict.fromkeys(left_out - reasons.keys(), why.reason)
            continue
        return SharedSlots(slots, reasons, stores)


def _is_fixed(variable: Variable) -> bool:
    """Whether a shared variable has a place of its own: dynamic ones lie all in one."""
    is_declared = not {"extern", "external", "extern_weak"}.isdisjoint(variable.attributes)
    return variable.size_bytes is not None and not is_declared


_DYNAMIC = "dynamic shared memory begins at one place, whatever it is called"


def with_slots(structure: Structure, slots: Slots) -> Structure:
    """The same kernel with other slots."""
    flow = ValueFlow(
        structure.kernel, structure.cfg, structure.dominators, structure.loops, structure.ssa
    ).with_slots(slots)
    return replace(structure, ssa=flow.ssa, values=flow.values)


def is_for_block(kernel: Kernel, block: Block) -> bool:
    """Whether a CTA extends only in axes whose ids its kernel reads, as is assumed without one."""
    return axes_of(kernel, block) <= axes_of(kernel, None)


def assumptions(structure: Structure) -> Iterator[tuple[int, str]]:
    """What branches rest on of shared memory: the block of a store by one thread, and in words."""
    used = decided_by(structure, structure.cfg.reachable) if structure.stores_by_one else ()
    for name in sorted(used):
        places = structure.stores_by_one.get(name, ())
        code = structure.kernel.blocks
        lines = sorted({code[b].instructions[i].span.line for b, i in places})
        if places:
            told = f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
            yield (
                places[0][0],
                f"{told}: what one thread stores to {name} in shared memory counts for all threads "
                "behind the next barrier; no other access races with it",
            )


def decided_by(structure: Structure, blocks: Iterable[int]) -> frozenset[str]:
    """The shared variables whose slots have a part in where the ends of blocks lead."""
    slots, first = structure.ssa.slots, len(structure.kernel.registers)
    if not slots.shared:
        return frozenset()
    made = _behind(structure, blocks)
    return frozenset(
        slots.variables[d.register - first] for d in made if d.register in slots.shared
    )


def unfollowed(structure: Structure, blocks: Iterable[int]) -> dict[str, str]:
    """The shared variables that are loaded to decide where the ends of blocks lead, with reasons.

    Those that are followed are not among them.
    """
    found: dict[str, str] = {}
    for made in _behind(structure, blocks) if structure.unfollowed else ():
        if made.kind is not DefinitionKind.INSTRUCTION:
            continue
        instruction = structure.kernel.blocks[made.block].instructions[made.instruction]
        if instruction.operation.op_class is OpClass.LOAD and instruction.address is not None:
            where = structure.values.of_operand(made.block, made.instruction, instruction.address)
            names = {a.name for a in where.atoms if a.kind is AtomKind.ADDRESS}
            found |= {
                name: structure.unfollowed[name] for name in names & structure.unfollowed.keys()
            }
    return dict(sorted(found.items()))


def _behind(structure: Structure, blocks: Iterable[int]) -> Iterator[Definition]:
    """The definitions that the ends of blocks follow from."""
    ssa, code = structure.ssa, structure.kernel.blocks
    todo = [
        id_
        for block in blocks
        if block < len(code) and code[block].terminator is not None and ssa.before[block]
        for id_ in ssa.before[block][-1].values()
    ]
    seen: set[int] = set()
    while todo:
        id_ = todo.pop()
        if id_ in seen:
            continue
        seen.add(id_)
        made = ssa.definitions[id_]
        yield made
        todo += (
            ssa.out[source.predecessor][register]
            for source in ssa.phi_inputs.get(id_, ())
            for register in registers_in(source.operand)
            if register in ssa.out[source.predecessor]
        )
        if made.kind is DefinitionKind.INSTRUCTION:
            todo += ssa.before[made.block][made.instruction].values()


class _Search:
    """The accesses to shared variables whose writes are all at known places."""

    def __init__(self, structure: Structure, names: frozenset[str], block: Block | None) -> None:
        self._structure, self._kernel = structure, structure.kernel
        local = {v.name for v in self._kernel.variables if v.space is Space.LOCAL}
        self._pointers = Pointers(structure, names | local, _SPACES)
        known = self._known(names)
        reached = self._reached(names) if known else {}
        self.candidates = known - reached.keys()
        self.reasons = {
            name: f"line {line} may write it at a place that is not known"
            for name, line in reached.items()
        }
        self._uses = [
            use
            for use in (self._pointers.uses(reaching=False) if self.candidates else ())
            if use.parts and all(part.variable in self.candidates for part, _ in use.parts)
        ]
        self.one = OneThread(structure, block)

    def _known(self, names: frozenset[str]) -> frozenset[str]:
        """The variables that are stored to and loaded from at known places."""
        stored, loaded = set[str](), set[str]()
        for use in self._pointers.uses(reaching=False):
            into = loaded if use.is_load else stored
            into.update(part.variable for part, value in use.parts if value is not None)
        return names & stored & loaded

    def _reached(self, names: frozenset[str]) -> dict[str, int]:
        """The variables that something else may write than stores at known places, and a line."""
        found: dict[str, int] = {}
        seen = set()
        for use in self._pointers.uses(reaching=True):
            seen.add(use.place)
            if use.is_load:
                continue
            is_store = use.instruction.operation.op_class is OpClass.STORE
            others = {p.variable for p, value in use.parts if value is None or not is_store}
            found |= dict.fromkeys(others.union(use.reach) & names, use.instruction.span.line)
        for block in sorted(self._structure.cfg.reachable):
            code = (
                self._kernel.blocks[block].instructions if block < len(self._kernel.blocks) else ()
            )
            for index, instruction in enumerate(code):
                line = instruction.span.line
                if _writes_anywhere(instruction, is_known=(block, index) in seen):
                    found |= dict.fromkeys(names, line)
                if _takes_addresses(instruction):
                    for operand in instruction.operands:
                        held = self._pointers.held_by(operand, (block, index)) & names
                        found |= dict.fromkeys(held, line)
        return found

    def slots(self, names: frozenset[str]) -> Slots | None:
        """The slots of local memory and of some shared variables; None without those."""
        local, kernel = self._structure.ssa.slots, self._kernel
        uses = [u for u in self._uses if all(p.variable in names for p, _ in u.parts)]
        first = len(kernel.registers) + len(local.registers)
        shared = slots_of(uses, frozenset(), first)
        if not shared.registers:
            return None
        numbers = frozenset(range(first, first + len(shared.registers)))
        ways: dict[int, dict[int, frozenset[int]]] = {}
        for side in self.one.sides:
            self._add_ways(ways, side, shared)
        writes = {
            place: {
                slot: replace(write, by_one=self.one.is_at(place))
                for slot, write in written.items()
            }
            for place, written in shared.writes.items()
        }
        return Slots(
            local.registers + shared.registers,
            local.variables + shared.variables,
            {**local.reads, **shared.reads},
            {**local.writes, **writes},
            numbers,
            ways,
        )

    def _add_ways(
        self, ways: dict[int, dict[int, frozenset[int]]], side: Side, slots: Slots
    ) -> None:
        """Note by which ways the thread of a side comes to where the threads meet again."""
        structure = self._structure
        meet = structure.reconvergence[side.branch]
        if side.others is None or meet is None:
            return
        dominates = structure.dominators.dominates
        own = frozenset(structure.cfg.predecessors[meet]) - side.others
        stored = {
            slot
            for (block, _), written in slots.writes.items()
            if dominates(side.first, block)
            for slot in written
        }
        for slot in sorted(stored):
            before = ways.setdefault(meet, {}).get(slot)
            both = own if before is None else before & own
            ways[meet][slot] = both or own  # of two threads: these are refused, later


def _writes_anywhere(instruction: Instruction, *, is_known: bool) -> bool:
    """Whether it writes shared memory where nothing tells, or that of other CTAs is in play."""
    operation = instruction.operation
    if "cluster" in operation.opcode or operation.name == "mapa":
        return True
    return operation.space is Space.SHARED and "writes" in operation.effects and not is_known


def _takes_addresses(instruction: Instruction) -> bool:
    """Whether it may write what its operands point to, otherwise than loads and stores do."""
    operation = instruction.operation
    is_followed = operation.op_class in (OpClass.LOAD, OpClass.STORE, OpClass.BRANCH)
    return not is_followed and not operation.op_class.is_arithmetic
