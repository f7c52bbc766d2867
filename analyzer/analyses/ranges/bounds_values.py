"""Values that a trip count rests on, seen deeper than one place's formula tells.

What a loop left in a register, what two ways bring together, and what halves or doubles around a
loop become formulas, as far as the counts and conditions that they rest on are formulas.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.choices import choose, condition_of, unchosen
from warpmill.analyzer.analyses.values.conditions import (
    Combined,
    Compare,
    Condition,
    Opaque,
    guard_condition,
    rewritten,
)
from warpmill.analyzer.analyses.values.ssa import Split, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, substitute
from warpmill.analyzer.analyses.values.truths import holds

_DEEPEST = 8
"""Values that are followed through each other."""

_MOST_OPERATIONS = 48
"""Operations in each other of a value that is still followed."""


class DeeperValues:
    """Replaces atoms by what they are made of. ``last_iteration`` gives a loop's, or None."""

    def __init__(
        self, structure: Structure, last_iteration: Callable[[int], Expression | None]
    ) -> None:
        self._structure, self._last = structure, last_iteration
        self._known: dict[tuple[int, int], Expression | None] = {}
        self._depth = 0

    def condition(self, condition: Condition, block: int, solved: int | None = None) -> Condition:
        """Resolve both sides of each comparison in a condition.

        What the loop headed by block ``solved`` carries stays: its count is to be found.
        """

        def deeper(part: Compare | Opaque) -> Condition:
            plain = unchosen(part)
            if isinstance(plain, Combined):
                return self.condition(plain, block, solved)
            if isinstance(plain, Opaque):
                return plain
            left, right = (self.resolved(s, block, solved) for s in (plain.left, plain.right))
            return Compare(plain.word, left, right, plain.type)

        return rewritten(condition, deeper)

    def resolved(self, expression: Expression, block: int, solved: int | None = None) -> Expression:
        """Replace what can be, as seen from a block."""
        if not any(a.kind in _FOLLOWED or _is_choice(a) for a in expression.atoms):
            return expression
        return substitute(expression, lambda atom: self._replacement(atom, block, solved))

    def _replacement(self, atom: Atom, block: int, solved: int | None) -> Expression | None:
        if _is_choice(atom):
            return self._selected(atom, block, solved)
        if atom.kind not in _FOLLOWED or atom.key < 0 or self._depth > _DEEPEST:
            return None
        if self._structure.ssa.definitions[atom.key].block == solved:
            return None
        place = (atom.key, block)
        if place not in self._known:
            self._known[place] = None  # what rests on itself is not followed
            self._depth += 1
            found = self._made_of(atom, block)
            deeper = None if found is None else self.resolved(found, block)
            is_deep = deeper is not None and deeper.depth > _MOST_OPERATIONS
            self._known[place] = None if is_deep else deeper
            self._depth -= 1
        return self._known[place]

    def _selected(self, atom: Atom, block: int, solved: int | None) -> Expression | None:
        """Value that a ``selp`` chooses."""
        known = holds(atom.operands[2], self._structure.values.facts(block))
        if known is not None:
            return self.resolved(atom.operands[0 if known else 1], block, solved)
        by = condition_of(atom.operands[2])
        if by is None:
            return None
        sides = [self.resolved(side, block, solved) for side in atom.operands[:2]]
        return choose(self.condition(by, block, solved), sides[0], sides[1])

    def _made_of(self, atom: Atom, block: int) -> Expression | None:
        made = self._structure.ssa.definitions[atom.key]
        loop = self._structure.loops.innermost(made.block)
        if loop is not None and loop.header == made.block:
            if block in loop.members:
                return self._at(atom.key, block, self._structure.values.counter(loop.id))
            return self._after(atom.key, loop.id, block)
        ways = ways_of(self._structure, atom.key)
        return None if ways is None else self._of_ways(ways, made.block, block)

    def _at(self, definition: int, block: int, iteration: Expression) -> Expression | None:
        """Value that a loop carries in an iteration."""
        from warpmill.analyzer.analyses.ranges.uneven_loops import (  # noqa: PLC0415 - only for loops
            closed_form,
            geometric,
            saturated,
            saturating,
        )

        values = self._structure.values
        even = values.recurrence(definition)
        if even is not None:
            start, step = (values.closed(e, block) for e in (even.start, even.step))
            return even.at(start, step, iteration)
        moved = geometric(self._structure, definition)
        if moved is not None:
            return closed_form(self._start(moved.start, block), moved, iteration)
        counted = saturating(self._structure, definition)
        if counted is not None:
            return saturated(self._start(counted.start, block), counted, iteration)
        return None

    def _start(self, raw: Expression, block: int) -> Expression:
        """Value on entry to a loop, as seen from a block."""
        return self.resolved(self._structure.values.closed(raw, block), block)

    def _after(self, definition: int, loop: int, block: int) -> Expression | None:
        """Value that a loop has left in a register."""
        last = self._last(loop)
        if last is None:
            return None
        around = {found.id for found in self._structure.loops.containing(block)}
        if any(a.kind is AtomKind.COUNTER and a.key not in around for a in last.atoms):
            return None
        return self._at(definition, block, last)

    def _of_ways(self, ways: Ways, join: int, block: int) -> Expression | None:
        if not isinstance(ways, Split):
            return self.resolved(self._structure.values.at_join(ways, join), block)
        truths = self._structure.values.truths
        taken = truths.outcome(ways.block, truths.at(block))
        if taken is not None:
            return self._of_ways(ways.taken if taken else ways.fallen, join, block)
        last = self._structure.kernel.blocks[ways.block].terminator
        assert last is not None and last.guard is not None
        number = len(self._structure.kernel.blocks[ways.block].instructions) - 1
        by = guard_condition(self._structure, ways.block, number, last.guard)
        sides = [self._of_ways(side, join, block) for side in (ways.taken, ways.fallen)]
        if sides[0] is None or sides[1] is None:
            return None
        return choose(self.condition(by, ways.block), sides[0], sides[1])


def _is_choice(atom: Atom) -> bool:
    is_choice = atom.kind is AtomKind.OPERATION and atom.name.startswith("selp.")
    return is_choice and atom.key < 0 and len(atom.operands) == 3


_FOLLOWED = frozenset({AtomKind.MERGE, AtomKind.CARRIED})
