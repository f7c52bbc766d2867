"""Flags that loops end by: when the value that a test looks at becomes one that ends it."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.choices import unchosen
from warpmill.analyzer.analyses.values.conditions import (
    Compare,
    Condition,
    Opaque,
    chosen,
    comparisons,
    guard_condition,
    rewritten,
)
from warpmill.analyzer.analyses.values.joins import Split, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    of,
    substitute,
)
from warpmill.analyzer.ir.types import Type


class Flag:
    """A value ``own`` that a loop carries and its test ``leaving`` looks at."""

    def __init__(self, structure: Structure, leaving: Compare, own: Atom) -> None:
        self._structure, self._leaving, self._own = structure, leaving, own

    def raised_by(self, value: Expression) -> Condition:
        """Give when the test ends the loop for a value of the flag."""

        def replacement(atom: Atom) -> Expression | None:
            return value if atom == self._own else None

        test = self._leaving
        left, right = (
            _read(substitute(side, replacement), test.type) for side in (test.left, test.right)
        )
        return unchosen(Compare(test.word, left, right, test.type))

    def raised(self, after: Expression) -> Condition | None:
        """Give when an iteration leaves a value that ends the loop (raw ``after``); None: unknown.

        Where it stays what it was, the loop goes on as it did.
        """
        if after == of(self._own):
            return _NEVER
        if len(after.terms) == 1 and len(after.terms[0][0]) == 1 and after.terms[0][1] == 1:
            (atom,) = after.terms[0][0]
            if atom.kind is AtomKind.MERGE and atom.key >= 0:
                ways = ways_of(self._structure, atom.key)
                return None if ways is None else self._by_ways(ways)
        made = self.raised_by(after)
        return None if isinstance(made, Opaque) else self._closed(made)

    def _by_ways(self, ways: Ways) -> Condition | None:
        if not isinstance(ways, Split):
            return self.raised(self._structure.values.taken(ways))
        sides = [self._by_ways(side) for side in (ways.taken, ways.fallen)]
        last = self._structure.kernel.blocks[ways.block].terminator
        if sides[0] is None or sides[1] is None or last is None or last.guard is None:
            return None
        place = len(self._structure.kernel.blocks[ways.block].instructions) - 1
        by = guard_condition(self._structure, ways.block, place, last.guard)
        return chosen(by, sides[0], sides[1])

    def _closed(self, condition: Condition) -> Condition:
        """Give a condition in terms of the loop's counter, as in the flag's block."""
        block = self._structure.ssa.definitions[self._own.key].block

        def closed(part: Compare | Opaque) -> Condition:
            if isinstance(part, Opaque):
                return part
            left, right = (self._structure.values.closed(s, block) for s in (part.left, part.right))
            return Compare(part.word, left, right, part.type)

        return rewritten(condition, closed)


def _read(side: Expression, type_: Type | None) -> Expression:
    """Give a number as the comparison's type reads its bits."""
    known = side.constant
    return side if known is None or type_ is None else number(type_.read(known))


_NEVER = Compare("ne", number(0), number(0))


def sides_of(condition: Condition) -> Iterator[Expression]:
    """Give all that is compared in a condition."""
    for part in comparisons(condition):
        yield from (part.left, part.right) if isinstance(part, Compare) else part.inputs
