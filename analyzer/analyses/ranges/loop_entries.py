"""Entries of loops, and how often each iteration of the loop around has one, as formulas.

A loop that compilers test at its bottom stands behind a test of its own: where that does not hold,
it is not entered, and its trip count, which is one at least, does not apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.analyzer.analyses.ranges.bounds import (
    KnownTrips,
    LoopBound,
    SymbolicTrips,
    UnknownTrips,
    deeper_values,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.choices import choose
from warpmill.analyzer.analyses.values.conditions import Condition, guard_condition, negated
from warpmill.analyzer.analyses.values.ssa import enters_alone
from warpmill.analyzer.analyses.values.symbolic import Expression, apply, number


class LoopEntries:
    """Formulas for the loops of a kernel; a text in their place says why there is none."""

    def __init__(self, structure: Structure, bounds: Sequence[LoopBound]) -> None:
        self._structure, self._bounds = structure, {b.loop: b for b in bounds}
        self._values = deeper_values(structure)
        self._tested: dict[int, tuple[Condition | None, ...]] = {}

    def count(self, loop: int) -> Expression | str:
        """How often a loop's body runs in one iteration of the loop around; 0: not entered."""
        trips = self._bounds[loop].trips
        if isinstance(trips, UnknownTrips):
            return trips.reason
        return self._entered(loop, self._formula(trips))

    def entered(self, loop: int) -> Expression | str:
        """1 where a loop is entered in an iteration of the loop around, else 0."""
        return self._entered(loop, number(1))

    def runs_once_entered(self, loop: int) -> bool:
        """Whether a loop that is entered runs its body at least once, so that 0 says it is not."""
        trips = self._bounds[loop].trips
        lowest = None if isinstance(trips, UnknownTrips) else self._formula(trips).lower_bound
        return lowest is not None and lowest >= 1

    def visits(self, loop: int, block: int) -> Expression | str:
        """How often a loop comes to one of its blocks each time that it is there.

        A block that stands before the test that ends the loop runs once more than those behind it.
        """
        visits = self.visits_once_entered(loop, block)
        return visits if isinstance(visits, str) else self._entered(loop, visits)

    def visits_once_entered(self, loop: int, block: int) -> Expression | str:
        """The same where a loop is entered, whatever decides that."""
        bound = self._bounds[loop]
        if isinstance(bound.trips, UnknownTrips):
            return bound.trips.reason
        found = [
            self._formula(e.trips) + number(self._runs_on(loop, e.source, block))
            for e in bound.exits
            if not isinstance(e.trips, UnknownTrips)
        ]
        least = found[0]
        for formula in found[1:]:
            least = apply("min", least, formula)
        return least

    def _runs_on(self, loop: int, source: int, block: int) -> bool:
        """Whether a block runs before the test in the iteration that ends a loop."""
        if source in self._structure.loops.loops[loop].latches:
            return False
        return not self._structure.dominators.dominates(source, block)

    @staticmethod
    def _formula(trips: KnownTrips | SymbolicTrips) -> Expression:
        return number(trips.count) if isinstance(trips, KnownTrips) else trips.formula

    def _entered(self, loop: int, count: Expression) -> Expression | str:
        """A count where the tests before a loop let it be entered, else 0."""
        for condition in self._tests_before(loop):
            if condition is None:
                return "several ways lead to it"
            chosen = choose(condition, count, number(0))
            if chosen is None:
                return f"it is entered when {condition}"
            count = chosen
        return count

    def _tests_before(self, loop: int) -> tuple[Condition | None, ...]:
        """Conditions for a loop to be entered, up to a branch that is undecided."""
        if loop not in self._tested:
            found = []
            for condition in self._tests(loop, self._structure.loops.loops[loop].header):
                found.append(condition)
                if condition is None:
                    break
            self._tested[loop] = tuple(found)
        return self._tested[loop]

    def _tests(self, loop: int, after: int) -> Iterator[Condition | None]:
        """Conditions for reaching block ``after`` in the loop around; the nearest first.

        None stands for a branch that does not tell. Each block that dominates it is asked whether
        it leads to the next one.
        """
        structure = self._structure
        parent = structure.loops.loops[loop].parent
        inside = None if parent is None else structure.loops.loops[parent].members
        block = structure.dominators.idom[after]
        while block is not None and (inside is None or block in inside):
            if not self._passes(block, after, parent):
                yield self._side(block, after, parent)
            after, block = block, structure.dominators.idom[block]

    def _passes(self, block: int, after: int, parent: int | None) -> bool:
        """Whether a block always leads to another, or leaves the loop around if it does not.

        Of a loop before it, that holds where all its exits lead there.
        """
        structure = self._structure
        reaches = structure.postdominators.dominates
        successors = structure.cfg.successors[block]
        if len(successors) < 2 or reaches(after, block):
            return True
        around = structure.loops.innermost(block)
        if around is not None and around.id != parent:
            return all(target == after or reaches(after, target) for _, target in around.exits)
        return around is not None and any(s not in around.members for s in successors)

    def _side(self, block: int, after: int, parent: int | None) -> Condition | None:
        structure = self._structure
        around = structure.loops.innermost(block)
        if (None if around is None else around.id) != parent:
            return None
        code = structure.kernel.blocks[block]
        last = code.terminator
        if last is None or last.guard is None or len(last.targets) > 1:
            return None
        condition = guard_condition(structure, block, len(code.instructions) - 1, last.guard)
        condition = self._values.condition(condition, block)
        taken = last.targets[0] if last.targets else structure.cfg.exit_id
        for first, by in ((taken, condition), (code.fallthrough, negated(condition))):
            if first is not None and self._only_by(block, first, after):
                return by
        return None

    def _only_by(self, block: int, first: int, after: int) -> bool:
        """Whether the way to a block goes by this edge of a branch and no other."""
        successors = self._structure.cfg.successors[block]
        if first not in successors or first >= len(self._structure.kernel.blocks):
            return False
        if enters_alone(self._structure, block, first):
            return self._structure.dominators.dominates(first, after)
        others = [s for s in successors if s != first]
        return first == after and not any(self._leads(other, after, block) for other in others)

    def _leads(self, start: int, after: int, without: int) -> bool:
        """Whether a way leads from a block to another without a third."""
        seen, open_ = {without}, [start]
        while open_:
            block = open_.pop()
            if block == after:
                return True
            if block not in seen:
                seen.add(block)
                open_ += self._structure.cfg.successors[block]
        return False
