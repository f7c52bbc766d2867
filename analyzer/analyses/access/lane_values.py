"""What an expression is worth in each lane of some warps of a launch: numbers, exactly.

Where the symbolic form is a polynomial, a clamp, a remainder or a swizzle, the value is computed
as the machine would, in 64 bits, for all lanes at once. Values that loops carry are stepped from
iteration to iteration; where two ways meet, the branch that parts them is decided lane by lane.
What memory decides has no number here, and says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.analyses.divergence.lane_operations import Lanes, operation_in_lanes
from warpmill.analyzer.analyses.ranges.bounds import Known as KnownTrips
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, Symbolic
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.joins import Split, Ways, ways_of
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, number
from warpmill.analyzer.traces.layout import Layout
from warpmill.analyzer.traces.static.batch import Batch
from warpmill.analyzer.traces.static.values import Known, Unknown

Iteration = Mapping[int, int]
"""The iteration, from 0, that each loop is in, by loop id."""


class LaneValues:
    """Evaluates expressions for the warps of a batch and remembers what it has computed."""

    def __init__(
        self, structure: Structure, layout: Layout, batch: Batch, bounds: Sequence[LoopBound]
    ) -> None:
        self._structure, self._layout, self._batch = structure, layout, batch
        self._bounds = {bound.loop: bound for bound in bounds}
        self._depth = 0
        self._atoms: dict[Atom, Lanes | Unknown] = {}
        self._moving: dict[tuple[Atom, tuple[tuple[int, int], ...]], Lanes | Unknown] = {}

    def of(self, expression: Expression, at: Iteration) -> Lanes | Unknown:
        """Give the values at an iteration of the loops around, or why there are none."""
        total: Lanes = _word(0)
        for monomial, coefficient in expression.terms:
            product: Lanes = _word(coefficient)
            for atom in monomial:
                value = self._atom(atom, at)
                if isinstance(value, Unknown):
                    return value
                product = product * value
            total = total + product
        return total

    def _atom(self, atom: Atom, at: Iteration) -> Lanes | Unknown:
        if atom.kind is AtomKind.COUNTER and atom.key in at:
            return _word(at[atom.key])
        if not _moves(atom):
            if atom not in self._atoms:
                self._atoms[atom] = self._compute(atom, at)
            return self._atoms[atom]
        key = _key(atom, at)
        if key not in self._moving:
            self._moving[key] = self._compute(atom, at)
        return self._moving[key]

    def _compute(self, atom: Atom, at: Iteration) -> Lanes | Unknown:
        if self._depth >= _DEEPEST:
            return Unknown("it rests on too long a chain of choices")
        self._depth += 1
        try:
            return self._value(atom, at)
        finally:
            self._depth -= 1

    def _value(self, atom: Atom, at: Iteration) -> Lanes | Unknown:
        match atom.kind:
            case AtomKind.ARGUMENT:
                return _number(self._layout.arguments.get(atom.name), atom)
            case AtomKind.SPECIAL:
                return _number(self._batch.special(atom.name), atom)
            case AtomKind.ADDRESS:
                place = self._layout.addresses.get(atom.name)
                return Unknown(f"{atom.name} has no address") if place is None else _word(place)
            case AtomKind.COUNTER:  # of a loop that has ended
                passes = self._passes(self._structure.loops.loops[atom.key])
                return passes if isinstance(passes, Unknown) else self.of(passes, at)
            case AtomKind.CARRIED:
                return self._carried(atom, at)
            case AtomKind.MERGE if atom.key >= 0:
                return self._merged(self._structure.ssa.definitions[atom.key], at)
            case AtomKind.OPERATION if atom.key < 0:
                return operation_in_lanes(atom.name, atom.operands, lambda e: self.of(e, at))
            case AtomKind.OPERATION:
                return Unknown(f"the formula of {atom.name} is too long")
            case AtomKind.LOAD:
                where = f"a load from {atom.operands[0]}" if atom.operands else "what memory holds"
                return Unknown(f"{where} decides it")
        return Unknown(f"{atom.kind.value}: {atom.name}")

    def _carried(self, atom: Atom, at: Iteration) -> Lanes | Unknown:
        """Step a carried value from the iteration before, down from the present one."""
        loop = self._structure.loops.innermost(self._structure.ssa.definitions[atom.key].block)
        if loop is None:
            return Unknown(f"{atom.name} is carried by no loop")
        if loop.id not in at:
            return self._carried_to_the_end(atom, loop, at)
        now = at[loop.id]
        if now > _MOST_STEPS:
            return Unknown(f"{atom.name} is carried through too many iterations")
        if now > 1 and _key(atom, {**at, loop.id: now - 1}) not in self._moving:
            for i in range(now):  # from the first: each rests on the one before
                self._atom(atom, {**at, loop.id: i})
        first = now == 0
        sources = {
            self._structure.values.of_phi_input(i)
            for i in self._structure.ssa.phi_inputs[atom.key]
            if (i.predecessor in loop.members) is not first
        }
        if len(sources) != 1:
            return Unknown(f"{atom.name} is carried around in several ways")
        then = {**at, loop.id: max(0, now - 1)}
        return self.of(sources.pop(), then)

    def _carried_to_the_end(self, atom: Atom, loop: Loop, at: Iteration) -> Lanes | Unknown:
        """Step a carried value to where its loop is left, each lane to its own last iteration."""
        passes = self._passes(loop)
        count = passes if isinstance(passes, Unknown) else self.of(passes, at)
        if isinstance(count, Unknown):
            return count
        if count.min() < 0 or count.max() > _MOST_STEPS:
            return Unknown(f"lanes leave the loop of {atom.name} late")
        found: Lanes = _word(0)
        for last in np.unique(count).tolist():
            value = self._atom(atom, {**at, loop.id: last})
            if isinstance(value, Unknown):
                return value
            found = np.where(count == last, value, found)
        return found

    # -- values that control flow chooses ------------------------------------------------------

    def _merged(self, definition: Definition, at: Iteration) -> Lanes | Unknown:
        """Give what a φ chooses where two ways meet, or a carried value after its loop."""
        loop = self._structure.loops.innermost(definition.block)
        if definition.kind is not DefinitionKind.PHI:
            return Unknown("a guard chooses it")
        if loop is not None and loop.header == definition.block:
            return self._after(definition, loop, at)
        ways = ways_of(self._structure, definition.id)
        return (
            Unknown("several ways meet where it is chosen") if ways is None else self._by(ways, at)
        )

    def _by(self, ways: Ways, at: Iteration) -> Lanes | Unknown:
        """Give what lanes take that come by some ways: each lane decides its branches."""
        if not isinstance(ways, Split):
            return self.of(self._structure.values.of_phi_input(ways), at)
        condition = self._condition(ways.block, at)
        if isinstance(condition, Unknown):
            return condition
        if condition.all() or not condition.any():
            return self._by(ways.taken if condition.all() else ways.fallen, at)
        taken, fallen = self._by(ways.taken, at), self._by(ways.fallen, at)
        if isinstance(taken, Unknown) or isinstance(fallen, Unknown):
            return taken if isinstance(taken, Unknown) else fallen
        return np.where(condition, taken, fallen)

    def _condition(self, block: int, at: Iteration) -> Lanes | Unknown:
        """Tell in which lanes the branch at a block's end is taken."""
        instructions = self._structure.kernel.blocks[block].instructions
        guard = instructions[-1].guard
        assert guard is not None
        place = (block, len(instructions) - 1)
        found = self.of(self._structure.values.of_operand(*place, guard.register), at)
        if isinstance(found, Unknown):
            return found
        return np.asarray(found == 0 if guard.negated else found != 0)

    def _after(self, definition: Definition, loop: Loop, at: Iteration) -> Lanes | Unknown:
        """Give ``start + step * passes`` of an evenly carried value, after its loop."""
        recurrence = self._structure.values.recurrence(definition.id)
        passes = self._passes(loop)
        if isinstance(passes, Unknown):
            return passes
        if recurrence is None:
            return Unknown("it goes around a loop before in no one step")
        start = self._structure.values.closed(recurrence.start, loop.header)
        step = self._structure.values.closed(recurrence.step, loop.header)
        return self.of(recurrence.at(start, step, passes), at)

    def _passes(self, loop: Loop) -> Expression | Unknown:
        """Give how often a loop goes back before it is left, by its one exit."""
        exits = self._bounds[loop.id].exits
        if len(exits) != 1:
            return Unknown("a loop before has several exits")
        trips = exits[0].trips
        if not isinstance(trips, KnownTrips | Symbolic):
            return Unknown(trips.reason)
        count = number(trips.count) if isinstance(trips, KnownTrips) else trips.formula
        return count - number(1) if exits[0].source in loop.latches else count


_DEEPEST = 64
"""Values that are being computed for one another; more would fill the stack."""

_MOST_STEPS = 2048
"""Iterations that a carried value is stepped through."""


def _key(atom: Atom, at: Iteration) -> tuple[Atom, tuple[tuple[int, int], ...]]:
    return atom, tuple(sorted(at.items()))


def _moves(atom: Atom) -> bool:
    """Whether a value may change from one iteration to the next."""
    moving = (AtomKind.COUNTER, AtomKind.CARRIED, AtomKind.MERGE)
    if atom.kind in moving:
        return True
    return any(a.kind in moving for o in atom.operands for a in o.atoms)


def _word(value: int) -> Lanes:
    """Give a number as 64 bits, without a shape."""
    half = 1 << 63
    return np.asarray((value + half) % (1 << 64) - half, dtype=np.int64)


def _number(value: object, atom: Atom) -> Lanes | Unknown:
    if isinstance(value, Known):
        return np.asarray(value.base, dtype=np.int64)
    return value if isinstance(value, Unknown) else Unknown(f"{atom.name} is not given")
