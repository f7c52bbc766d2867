"""Slots of shared memory: counters and flags that a CTA keeps there.

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
from typing import TYPE_CHECKING, NamedTuple

from warpmill.analyzer.analyses.divergence.place import read_operand
from warpmill.analyzer.analyses.divergence.solver import Solver
from warpmill.analyzer.analyses.values.one_thread import Block, OneThread, Side, axes_of
from warpmill.analyzer.analyses.values.slot_search import Pointers, ValueFlow, slots_of
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind, Slots
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression
from warpmill.analyzer.ir.kernel import Imm, Instruction, Kernel, Variable, registers_in
from warpmill.analyzer.ir.types import OpClass, Place, Space

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
    """Assumptions of branches about shared memory: block of a store by one thread, and words."""
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


# What threads do to slots of shared memory between barriers: whether all see the same.
#
# Every load of a slot by another thread than the one that stored has to be parted from the store
# by a barrier of the whole CTA, and every store from the loads and stores of others before it.
# What the threads on one side of a branch do, those on the other may see at any time.

Thread = frozenset[tuple[str, Expression]]
"""Identity of one thread of a CTA: its ids, by axis."""

ALL: Thread = frozenset()
"""All threads of a CTA, which come to a place in step."""


class Unfollowed(Exception):  # noqa: N818 - no error: why a variable is left out
    """Reason why a variable cannot be followed, or none can where it names none."""

    def __init__(self, reason: str, variable: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.variable = reason, variable


class _Access(NamedTuple):
    """A load or store of a slot; ``by`` tells the threads, None: some of them."""

    slot: int
    is_store: bool
    by: Thread | None
    place: Place
    line: int


class Phases:
    """Checks that threads see in slots what the last store before left there."""

    def __init__(self, structure: Structure, one: OneThread) -> None:
        self._structure, self._kernel, self._one = structure, structure.kernel, one
        self._slots = structure.ssa.slots
        self._solver = Solver(structure, of_cta=True)
        self._solver.solve()
        self._regions = [found.blocks for _, found in self._solver.divergent.values()]
        self._apart = frozenset[int]().union(*self._regions)
        self._blocks = [b for b in structure.cfg.reverse_postorder if b < len(self._kernel.blocks)]

    def check(self) -> dict[str, tuple[Place, ...]]:
        """The places of stores by one thread, by variable. Unfollowed."""
        barriers = frozenset(self._barriers())
        steps = {block: list(self._steps(block, barriers)) for block in self._blocks}
        beside = self._beside(steps)
        arriving: dict[int, frozenset[_Access]] = {b: beside[b] for b in self._blocks}
        work = list(self._blocks)
        while work:
            block = work.pop(0)
            state = set(arriving[block])
            for step in steps[block]:
                if step is None:
                    state = set(beside[block])
                    continue
                for other in sorted(state, key=_order):
                    self._compare(other, step)
                state.add(step)
            for after in self._structure.cfg.successors[block]:
                if after in arriving and not state <= arriving[after]:
                    arriving[after] |= state
                    work.append(after)
        places: dict[str, set[Place]] = {}
        for step in (s for found in steps.values() for s in found if s is not None):
            if step.is_store and step.by:
                places.setdefault(self._variable(step.slot), set()).add(step.place)
        return {name: tuple(sorted(found)) for name, found in sorted(places.items())}

    def _compare(self, first: _Access, then: _Access) -> None:
        """Refuse accesses of several threads to one slot that no barrier parts."""
        if first.slot != then.slot or not (first.is_store or then.is_store):
            return
        if first.by and first.by == then.by:  # one thread does both, in its order
            return
        if first.by == ALL and first.is_store and not then.is_store:
            return  # whoever loads has stored the same before
        what = "stores" if then.is_store else "loads"
        raise Unfollowed(
            f"line {then.line} {what} it with no barrier of the whole CTA behind line {first.line}",
            self._variable(first.slot),
        )

    def _variable(self, slot: int) -> str:
        return self._slots.variables[slot - len(self._kernel.registers)]

    def _beside(self, steps: Mapping[int, list[_Access | None]]) -> dict[int, frozenset[_Access]]:
        """Accesses that other threads may make meanwhile where threads have diverged, by block."""
        found = dict.fromkeys(self._blocks, frozenset[_Access]())
        for region in self._regions:
            own = {s for b in region for s in steps.get(b, ()) if s is not None}
            for block in region & found.keys() if own else ():
                found[block] |= own
        return found

    def _steps(self, block: int, barriers: frozenset[Place]) -> Iterator[_Access | None]:
        """The accesses of a block in order; None: a barrier."""
        for index, instruction in enumerate(self._kernel.blocks[block].instructions):
            place = block, index
            if place in barriers:
                yield None
            read = {r.slot for r in self._slots.read_at(*place).values()} & self._slots.shared
            written = self._slots.written_at(*place).keys() & self._slots.shared
            if not read and not written:
                continue
            by = self._threads(place, instruction)
            for slot in sorted(read):
                yield _Access(slot, False, by, place, instruction.span.line)
            for slot in sorted(written):
                self._check_store(place, instruction, slot, by)
                yield _Access(slot, True, by, place, instruction.span.line)

    def _check_store(
        self, place: Place, instruction: Instruction, slot: int, by: Thread | None
    ) -> None:
        line, variable = instruction.span.line, self._variable(slot)
        if by is None:
            raise Unfollowed(f"some of the threads store it in line {line}", variable)
        at = self._structure.ssa.before[place[0]][place[1]]
        for operand in self._slots.written_at(*place)[slot].operands:
            if not read_operand(operand, at, place[0], self._solver.at).is_uniform:
                raise Unfollowed(f"what line {line} stores differs by thread", variable)

    def _threads(self, place: Place, instruction: Instruction) -> Thread | None:
        """The threads that execute an instruction; None: some of them, which nothing tells."""
        block = place[0]
        sides = self._one.sides_around(block)
        sure = {s.branch for s in sides if s.others is not None}
        parted = {b for b, (_, f) in self._solver.divergent.items() if block in f.blocks}
        if not parted <= sure:
            return None
        is_apart = bool(sides or parted)
        if instruction.guard is not None:
            at = self._structure.ssa.before[block][place[1]]
            guard = read_operand(instruction.guard.register, at, block, self._solver.at)
            if not guard.is_uniform and self._one.by_guard(place) is None:
                return None
            is_apart = is_apart or not guard.is_uniform
        if not is_apart:
            return ALL
        ids = self._one.ids_at(place)
        return None if ids is None else frozenset(ids.items())

    # Barriers.

    def _barriers(self) -> Iterator[Place]:
        """The barriers that all threads of a CTA come to. Unfollowed: where that is not sure."""
        whole: dict[int, list[Place]] = {}
        others: list[tuple[int | None, int]] = []
        for block in self._blocks:
            for index, instruction in enumerate(self._kernel.blocks[block].instructions):
                name = instruction.operation.name
                if instruction.operation.op_class is not OpClass.BARRIER:
                    continue
                if name.partition(".")[0] not in ("bar", "barrier") or "cluster" in name:
                    continue
                number, line = _number(instruction), instruction.span.line
                is_whole = _is_whole(instruction)
                if is_whole and (block in self._apart or number is None):
                    raise Unfollowed(f"not all threads come to the barrier in line {line}")
                if is_whole and instruction.guard is None:
                    assert number is not None
                    whole.setdefault(number, []).append((block, index))
                else:
                    others.append((number, line))
        for number, line in others:
            if number is None or number in whole:
                raise Unfollowed(f"the barrier in line {line} may let a part of the threads go on")
        for places in whole.values():
            yield from places


def _order(access: _Access) -> tuple[int, Place, bool]:
    return access.slot, access.place, access.is_store


def _number(instruction: Instruction) -> int | None:
    """The number of a barrier, where it is one."""
    sources = instruction.sources
    return sources[0].value if sources and isinstance(sources[0], Imm) else None


def _is_whole(instruction: Instruction) -> bool:
    """Whether a barrier waits for all threads of the CTA: it gives no count of them."""
    operation = instruction.operation
    if operation.name in ("bar", "barrier") and "arrive" not in operation.modifiers:
        return len(instruction.sources) == 1
    if operation.name.endswith(".red"):
        return len(instruction.sources) == 2
    return False
