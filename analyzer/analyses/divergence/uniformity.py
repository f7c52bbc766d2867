"""Values that are the same in every lane of a warp that lies along x.

Thread ids in x differ from lane to lane, and what is made from them. A value that control flow
chooses differs where the values that meet do, or where lanes part on the way to it; one that a loop
carries differs where its start or its step does. Lanes that are in a loop together have made the
same number of iterations, so that counters do not differ inside; after the loop they may.
"""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import (
    Compare,
    Condition,
    Opaque,
    comparisons,
    guard_condition,
)
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, of
from warpmill.analyzer.ir.kernel import Reg
from warpmill.analyzer.ir.types import OpClass, Space

LANE_IDS = ("tid.x", "laneid")
"""Special registers that grow by one from each lane to the next."""

_LANE_SPECIALS = frozenset({*LANE_IDS, *(f"lanemask_{w}" for w in ("eq", "le", "lt", "ge", "gt"))})
_LANE_OPERATIONS = frozenset({"elect", "lane_scan", "lane_write", "lane_send", "dpp", "group"})
"""Operations whose results differ by lane, whatever goes in."""

_CHOSEN = frozenset({AtomKind.MERGE, AtomKind.CARRIED})


class Uniformity:
    """Values that differ between the lanes of a warp, worked out on demand and remembered.

    Optimistic: all chosen and carried values are alike until something shows otherwise, as long as
    anything new shows.
    """

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._varying: set[int] = set()
        self._divergent: set[int] = set()
        self._asked: list[int] = []
        self._was_asked: set[int] = set()
        self._conditions: dict[int, Condition | None] = {}

    def varies(self, expression: Expression | Atom, block: int) -> bool:
        """Whether neighbouring lanes may see different values of it in ``block``."""
        known = len(self._asked)
        found = self._of(expression, block)
        if found or len(self._asked) == known:
            return found
        self._settle(known)
        return self._of(expression, block)

    def meet_apart(self, join: int) -> bool:
        """Whether lanes may come to a block by different ways from where control last was one."""
        known = len(self._asked)
        found = any(self._parts(block) for block in self._between(join))
        if found or len(self._asked) == known:
            return found
        self._settle(known)
        return any(self._parts(block) for block in self._between(join))

    def left_apart(self, definition: int, block: int) -> bool:
        """Whether lanes may have left a loop in different iterations since a value was made."""
        known = len(self._asked)
        found = self._left_apart(definition, block)
        if found or len(self._asked) == known:
            return found
        self._settle(known)
        return self._left_apart(definition, block)

    def _settle(self, known: int) -> None:
        """Go round what was newly asked for until no further value turns out to differ.

        What was known before rests on nothing new.
        """
        seen = known
        while len(self._asked) > seen:
            seen, newest = len(self._asked), self._asked[seen:]
            self._go_round(newest)
        while self._go_round(self._asked[known:]):
            pass

    def _go_round(self, asked: list[int]) -> bool:
        """Revisit each value, those that others rest on first; true where one has changed."""
        before = len(self._varying)
        for id_ in reversed(asked):
            definition = self._structure.ssa.definitions[id_]
            if id_ not in self._varying and self._of_definition(definition):
                self._varying.add(id_)
        return len(self._varying) > before

    def _of(self, value: Expression | Atom, block: int) -> bool:
        seen: set[Atom] = set()
        open_ = [value if isinstance(value, Expression) else of(value)]
        while open_:
            for atom in (a for monomial, _ in open_.pop().terms for a in monomial):
                if atom in seen:
                    continue
                seen.add(atom)
                varies = self._of_atom(atom, block)
                if varies:
                    return True
                if varies is None:
                    open_ += atom.operands
        return False

    def _of_atom(self, value: Atom, block: int) -> bool | None:
        """Whether an atom varies in itself; None where its operands tell."""
        if value.kind is AtomKind.SPECIAL:
            return value.name in _LANE_SPECIALS
        if value.kind in _CHOSEN:
            return self._of_chosen(value, block)
        if value.kind is AtomKind.LOAD and self._is_private(value, block):
            return True
        if value.kind is AtomKind.OPERATION and not value.operands:
            return True
        if value.kind is AtomKind.OPERATION and value.name.partition(".")[0] in _LANE_OPERATIONS:
            return True
        return True if value.kind is AtomKind.UNKNOWN else None

    def _of_chosen(self, atom: Atom, block: int) -> bool:
        if atom.key < 0:
            return True
        if self._structure.ssa.is_shared(atom.key):
            return self._left_apart(atom.key, block)
        if atom.key not in self._was_asked:
            self._was_asked.add(atom.key)
            self._asked.append(atom.key)
        return atom.key in self._varying or self._left_apart(atom.key, block)

    def _left_apart(self, id_: int, block: int) -> bool:
        made = self._structure.ssa.definitions[id_].block
        left = [x for x in self._structure.loops.containing(made) if block not in x.members]
        return any(self._parts(source) for loop in left for source, _ in loop.exits)

    def _is_private(self, load: Atom, block: int) -> bool:
        """Whether lanes get values of their own from one address: atomics, local memory."""
        if load.key < 0 or self._left_apart(load.key, block):
            return True
        definition = self._structure.ssa.definitions[load.key]
        made = self._structure.kernel.blocks[definition.block]
        operation = made.instructions[definition.instruction].operation
        if operation.op_class is OpClass.ATOMIC or operation.space is Space.LOCAL:
            return True
        local = {v.name for v in self._structure.kernel.variables if v.space is Space.LOCAL}
        read = {a for operand in load.operands for a in operand.atoms}
        return any(a.kind is AtomKind.ADDRESS and a.name in local for a in read)

    def _of_definition(self, definition: Definition) -> bool:
        if definition.kind is DefinitionKind.PHI:
            values = self._structure.values
            inputs = self._structure.ssa.phi_inputs[definition.id]
            if any(self._of(values.of_phi_input(i), i.predecessor) for i in inputs):
                return True
            loop = self._structure.loops.innermost(definition.block)
            if loop is not None and loop.header == definition.block:
                return False
            return any(self._parts(block) for block in self._between(definition.block))
        if definition.kind is DefinitionKind.INSTRUCTION:
            return self._of_guarded(definition)
        return True

    def _of_guarded(self, definition: Definition) -> bool:
        """Whether a value differs that a guarded instruction writes or leaves."""
        place = (definition.block, definition.instruction)
        instruction = self._structure.kernel.blocks[place[0]].instructions[place[1]]
        if instruction.guard is None or instruction.operation.op_class is OpClass.ATOMIC:
            return True
        values = self._structure.values
        read = (*instruction.sources, Reg(definition.register))
        condition = guard_condition(self._structure, *place, instruction.guard)
        return self._of_condition(condition, place[0]) or any(
            self._of(values.of_operand(*place, operand), place[0]) for operand in read
        )

    def _between(self, join: int) -> Iterator[int]:
        """The blocks on the ways from where control last was one to where it meets."""
        top = self._structure.dominators.idom[join]
        found: set[int] = set()
        open_ = list(self._structure.cfg.predecessors[join])
        while open_:
            block = open_.pop()
            if block not in found:
                found.add(block)
                open_ += () if block == top else self._structure.cfg.predecessors[block]
        yield from sorted(found)

    def _parts(self, block: int) -> bool:
        """Whether lanes may part at the end of a block."""
        if len(self._structure.cfg.successors[block]) < 2:
            return False
        if block in self._divergent:
            return True
        if block not in self._conditions:
            self._conditions[block] = self._condition(block)
        condition = self._conditions[block]
        if condition is None or self._of_condition(condition, block):
            self._divergent.add(block)
        return block in self._divergent

    def _condition(self, block: int) -> Condition | None:
        instructions = self._structure.kernel.blocks[block].instructions
        last = instructions[-1]
        if last.guard is not None:
            return guard_condition(self._structure, block, len(instructions) - 1, last.guard)
        if not last.sources:
            return None
        place = (block, len(instructions) - 1)
        return Opaque("", (self._structure.values.of_operand(*place, last.sources[0]),))

    def _of_condition(self, condition: Condition, block: int) -> bool:
        for part in comparisons(condition):
            inputs = (part.left, part.right) if isinstance(part, Compare) else part.inputs
            if not inputs or any(self._of(e, block) for e in inputs):
                return True
        return False
