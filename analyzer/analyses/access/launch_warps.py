"""The warps of a launch that analyses compute: what formulas are worth in each of their lanes.

``LaunchWarps`` chooses the CTAs, and tells where lanes lie and how often their loops run;
``LaneValues`` works out what an expression is worth in each lane: numbers, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.divergence.lane_operations import Lanes, operation_in_lanes
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, LoopBound, SymbolicTrips
from warpmill.analyzer.analyses.ranges.loop_entries import LoopEntries
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import Definition, DefinitionKind, Split, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, number
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.analyzer.traces.layout import LaunchLayout, lay_out
from warpmill.analyzer.traces.static.constraints import Triple, WarpBatch
from warpmill.analyzer.traces.static.values import KnownNumbers, Unknown

Numbers = NDArray[np.int64]

MOST_WARPS = 64
"""Warps that are computed; of a launch with more, those of some CTAs."""

MOST_SHAPES = 1024
"""Shapes that are remembered at a time."""


def chosen_ctas(launch: Launch, warp_size: int, most_warps: int = MOST_WARPS) -> tuple[Triple, ...]:
    """Choose CTAs: all where their warps are few, else the first, the last and some between.

    Those between stand a step apart that has no factor in common with the grid, so that they lie
    at all its rows and columns.
    """
    total = launch.cta_count
    each = -(-launch.threads_per_cta // warp_size)
    count = min(total, max(2, most_warps // each))
    step = max(1, round(total * _GOLDEN))
    while gcd(step, total) > 1:
        step += 1
    ids, place = {0, total - 1}, 0
    while len(ids) < count:
        place = (place + step) % total
        ids.add(place)
    return tuple(unravel_index(i, launch.grid) for i in sorted(ids))


_GOLDEN = 0.6180339887498949
"""Steps of this part of a whole fill it evenly, however many they are."""


@dataclass(frozen=True, slots=True)
class AddressShape:
    """The addresses of an access in each warp, its constant left out.

    ``addresses`` has the shape (warps, lanes); lanes that do not exist lie where the first does.
    ``patterns`` are the bytes of the offsets of each warp's lanes from its first one.
    """

    addresses: Numbers
    patterns: tuple[bytes, ...]
    first: Numbers
    bits: int
    """All bits that are set in some address."""


class LaunchWarps:
    """Values of formulas for the warps of some CTAs of a launch."""

    def __init__(
        self,
        module: Module,
        structure: Structure,
        launch: Launch,
        bounds: Sequence[LoopBound],
        ctas: Sequence[Triple],
    ) -> None:
        self.structure = structure
        self.batch = WarpBatch(launch.grid, launch.block, module.warp_size, tuple(ctas))
        layout = lay_out(module, structure.kernel, launch)
        self._values = LaneValues(structure, layout, self.batch, bounds)
        self._bounds = {bound.loop: bound for bound in bounds}
        self._entries = LoopEntries(structure, bounds)
        self._valid = np.asarray(self.batch.valid)
        self._lanes: list[int] = self._valid.sum(axis=1).tolist()
        self._shapes: dict[object, AddressShape | Unknown] = {}
        self._entered: dict[int, Numbers | Unknown] = {}
        self._executions: dict[object, Numbers | Unknown] = {}
        self.count = len(self._lanes)

    @property
    def is_whole(self) -> bool:
        """Whether these are all warps of the launch."""
        x, y, z = self.batch.grid
        return len(self.batch.ctas) == x * y * z

    def label(self, loop: int) -> str:
        """The label of a loop's header."""
        header = self.structure.loops.loops[loop].header
        return self.structure.kernel.blocks[header].label

    def bound(self, loop: int) -> LoopBound:
        """The bound of a loop."""
        return self._bounds[loop]

    def per_lane(self, expression: Expression, at: Mapping[int, int]) -> Numbers | Unknown:
        """Values of shape (warps, lanes); those of lanes that do not exist are the first's."""
        found = self._values.of(expression, at)
        if isinstance(found, Unknown):
            return found
        full = np.broadcast_to(found, self._valid.shape)
        return full if full.strides[1] == 0 else np.where(self._valid, full, full[:, :1])

    def per_warp(self, expression: Expression, at: Mapping[int, int]) -> Numbers | Unknown:
        """The largest value in each warp."""
        lanes = self.per_lane(expression, at)
        return lanes if isinstance(lanes, Unknown) else lanes.max(axis=1)

    @cached_property
    def neighbours(self) -> Numbers:
        """Whether a lane and the one before it are threads of one row of the block."""
        pairs = self._valid[:, 1:]
        row = self.batch.block[0]
        return pairs & (self.batch.thread[:, 1:] % row != 0) if row > 1 else pairs

    def values(self, expression: Expression, at: Mapping[int, int]) -> Numbers | Unknown:
        """Values by warp and lane, as far as they differ; any for lanes that do not exist."""
        return self._values.of(expression, at)

    def entered(self, loop: int) -> Numbers | Unknown:
        """Per warp, 1 where a lane enters a loop that stands in no other, else 0."""
        if loop not in self._entered:
            formula = self._entries.entered(loop)
            self._entered[loop] = (
                Unknown(formula) if isinstance(formula, str) else self.per_warp(formula, {})
            )
        return self._entered[loop]

    def executions(self, loop: int, block: int, at: Mapping[int, int]) -> Numbers | Unknown:
        """How often a loop comes to one of its blocks, in the lane where it runs longest.

        A block that stands before the test that ends the loop runs once more than those behind it.
        """
        place = loop, block, tuple(sorted(at.items()))  # accesses of a block ask for the same
        if place not in self._executions:
            if len(self._executions) >= MOST_SHAPES:
                self._executions.clear()
            self._executions[place] = self._counted(loop, block, at)
        return self._executions[place]

    def _counted(self, loop: int, block: int, at: Mapping[int, int]) -> Numbers | Unknown:
        bound = self._bounds[loop]
        latches = self.structure.loops.loops[loop].latches
        least: Numbers | None = None
        for exit_ in bound.exits:
            trips = exit_.trips
            if not isinstance(trips, KnownTrips | SymbolicTrips):
                continue
            formula = number(trips.count) if isinstance(trips, KnownTrips) else trips.formula
            counts = self.per_warp(formula, at)
            if isinstance(counts, Unknown):
                return counts
            behind = self.structure.dominators.dominates(exit_.source, block)
            if exit_.source not in latches and (block == exit_.source or not behind):
                counts = counts + 1
            least = counts if least is None else np.minimum(least, counts)
        return Unknown(str(bound.trips)) if least is None else np.maximum(least, 0)

    def shape(self, address: Expression, at: Mapping[int, int]) -> AddressShape | Unknown:
        """Layout of an access's lanes, without the address's constant."""
        terms = tuple(t for t in address.terms if t[0])
        moves = address.kinds() & {AtomKind.COUNTER, AtomKind.CARRIED, AtomKind.MERGE}
        key = (terms, tuple(sorted(at.items())) if moves else ())
        if key not in self._shapes:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            self._shapes[key] = self._compute(Expression(terms), at)
        return self._shapes[key]

    def _compute(self, address: Expression, at: Mapping[int, int]) -> AddressShape | Unknown:
        addresses = self.per_lane(address, at)
        if isinstance(addresses, Unknown):
            return addresses
        first = addresses[:, 0]
        offsets = addresses - first[:, None]
        if np.array_equal(offsets[1:], offsets[:-1]) and len(set(self._lanes)) == 1:
            patterns = (offsets[0, : self._lanes[0]].tobytes(),) * self.count
        else:
            rows = zip(offsets, self._lanes, strict=True)
            patterns = tuple(row[:lanes].tobytes() for row, lanes in rows)
        return AddressShape(
            addresses, patterns, first, int(np.bitwise_or.reduce(addresses, axis=None))
        )


# What an expression is worth in each lane of some warps of a launch: numbers, exactly.
#
# Where the symbolic form is a polynomial, a clamp, a remainder or a swizzle, the value is computed
# as the machine would, in 64 bits, for all lanes at once. Values that loops carry are stepped from
# iteration to iteration; where two ways meet, the branch that parts them is decided lane by lane.
# What memory decides has no number here, and says why.

Iteration = Mapping[int, int]
"""The iteration, from 0, that each loop is in, by loop id."""


class LaneValues:
    """Evaluates expressions for the warps of a batch and remembers what it has computed."""

    def __init__(
        self,
        structure: Structure,
        layout: LaunchLayout,
        batch: WarpBatch,
        bounds: Sequence[LoopBound],
    ) -> None:
        self._structure, self._layout, self._batch = structure, layout, batch
        self._bounds = {bound.loop: bound for bound in bounds}
        self._depth = 0
        self._atoms: dict[Atom, Lanes | Unknown] = {}
        self._moving: dict[tuple[Atom, tuple[tuple[int, int], ...]], Lanes | Unknown] = {}

    def of(self, expression: Expression, at: Iteration) -> Lanes | Unknown:
        """The values at an iteration of the loops around, or why there are none."""
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
        """Value of a φ where two paths meet, or of a carried value after its loop."""
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
        """Lanes that arrive by some paths: each lane decides its branches."""
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
        """Lanes in which the branch at a block's end is taken."""
        instructions = self._structure.kernel.blocks[block].instructions
        guard = instructions[-1].guard
        assert guard is not None
        place = (block, len(instructions) - 1)
        found = self.of(self._structure.values.of_operand(*place, guard.register), at)
        if isinstance(found, Unknown):
            return found
        return np.asarray(found == 0 if guard.negated else found != 0)

    def _after(self, definition: Definition, loop: Loop, at: Iteration) -> Lanes | Unknown:
        """``start + step * passes`` of an evenly carried value, after its loop."""
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
        """How often a loop goes back before it is left, by its one exit."""
        exits = self._bounds[loop.id].exits
        if len(exits) != 1:
            return Unknown("a loop before has several exits")
        trips = exits[0].trips
        if not isinstance(trips, KnownTrips | SymbolicTrips):
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
    """A number as 64 bits, without a shape."""
    half = 1 << 63
    return np.asarray((value + half) % (1 << 64) - half, dtype=np.int64)


def _number(value: object, atom: Atom) -> Lanes | Unknown:
    if isinstance(value, KnownNumbers):
        return np.asarray(value.base, dtype=np.int64)
    return value if isinstance(value, Unknown) else Unknown(f"{atom.name} is not given")
