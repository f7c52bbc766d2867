"""What threads do to slots of shared memory between barriers: whether all see the same.

Every load of a slot by another thread than the one that stored has to be parted from the store by a
barrier of the whole CTA, and every store from the loads and stores of others before it. What the
threads on one side of a branch do, those on the other may see at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from warpmill.analyzer.analyses.divergence.place import read_operand
from warpmill.analyzer.analyses.divergence.solver import Solver
from warpmill.analyzer.analyses.values.one_thread import OneThread
from warpmill.analyzer.analyses.values.symbolic import Expression
from warpmill.analyzer.ir.kernel import Imm, Instruction
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import OpClass

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.structure import Structure

Thread = frozenset[tuple[str, Expression]]
"""What tells one thread of a CTA: its ids, by axis."""

ALL: Thread = frozenset()
"""All threads of a CTA, which come to a place in step."""


class Unfollowed(Exception):  # noqa: N818 - no error: why a variable is left out
    """Why a variable cannot be followed, or none can where it names none."""

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
        self._regions = [found.blocks for _, found in self._solver.parting.values()]
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
        """What other threads may do meanwhile where threads have parted, by block."""
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
        parted = {b for b, (_, f) in self._solver.parting.items() if block in f.blocks}
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
