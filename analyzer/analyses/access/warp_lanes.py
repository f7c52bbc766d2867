"""How the lanes of warps lie to each other in a formula, as the kernel alone tells.

A formula is taken apart into sums: what thread ids alone decide is computed for every lane of every
warp of the block, what is the same in all lanes (arguments, CTA ids, counters) stays a factor. So
``(tid.x & 31) * n + (tid.x >> 5) * 4096`` has the step ``n`` from lane to lane. What control flow
chooses, or a loop carries, has the steps of what it is made from where these are alike. The block
is the one that the kernel requires; without one, warps are taken to lie along x, from a multiple of
the warp size on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.analyses.divergence.lane_operations import operation_in_lanes
from warpmill.analyzer.analyses.divergence.uniformity import Uniformity
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.ssa import DefinitionKind, Split, Ways, ways_of
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, number
from warpmill.analyzer.analyses.values.truths import Facts, KnownComparison
from warpmill.analyzer.traces.model import wrapped
from warpmill.analyzer.traces.static.values import Unknown

if TYPE_CHECKING:
    Lanes = np.ndarray[Any, np.dtype[np.int64]]
    Parts = dict[Expression, Lanes]

Triple = tuple[int, int, int]

MOST_THREADS = 1024
"""Threads of a CTA that no machine exceeds."""

MOST_CHOICES = 64
"""Chosen and carried values that are looked into for one formula."""


class WarpLanes:
    """Parts of formulas for the warps of a block.

    A formula becomes sums over factors that all lanes of a row share: for each factor its value in
    each lane, of shape (warps, lanes); lanes that do not exist repeat the last one.
    """

    def __init__(
        self, block: Triple | None, warp_size: int, structure: Structure, uniformity: Uniformity
    ) -> None:
        self._structure, self._uniformity, self._block = structure, uniformity, block
        x, y, z = block or (MOST_THREADS, 1, 1)
        threads = np.arange(-(-x * y * z // warp_size) * warp_size).reshape(-1, warp_size)
        threads = np.minimum(threads, x * y * z - 1)
        self._ids = {"tid.x": threads % x, "laneid": np.arange(warp_size) + threads * 0}
        if block is not None:
            self._ids |= {"tid.y": threads // x % y, "tid.z": threads // (x * y)}
            sizes = zip(("ntid.x", "ntid.y", "ntid.z"), block, strict=True)
            self._ids |= {name: threads * 0 + size for name, size in sizes}
        same_row = (threads // x)[:, 1:] == (threads // x)[:, :-1]
        exists = threads[:, 1:] != threads[:, :-1]
        self._rows = exists & (same_row if x > 1 else True)
        self._atoms: dict[Atom, Lanes | None] = {}
        self._chosen: dict[int, Parts | None] = {}
        self._looked_into = self._depth = 0

    def step(self, address: Expression, place: int, facts: Facts) -> Expression | None:
        """Step from each lane to the next in its row; None where that is no one formula.

        Lanes that are on together are compared, as far as facts say which these are.
        """
        parts = self._taken_apart(address, place)
        if parts is None:
            return None
        found = _step(parts, self._rows)
        if found is None and facts:
            on = lanes_that_may_be_on(facts, self._sum)
            rows = self._rows
            if on is not None:
                on = np.broadcast_to(on, self._ids["tid.x"].shape)
                found = _step(parts, rows & on[:, 1:] & on[:, :-1])
        return found

    def first_warp(self, address: Expression, place: int) -> tuple[int, ...] | None:
        """Offsets of the first warp's lanes; None where more than their ids decides them."""
        if any(a.kind in _CHOSEN and self._own(a) is None for a in address.atoms):
            return None
        parts = self._taken_apart(address, place)
        found = np.zeros(self._rows.shape[1] + 1, dtype=np.int64)
        for factor, lanes in () if parts is None else parts.items():
            constant = factor.constant
            if constant is not None:
                found = found + wrapped(constant) * lanes[0]
            elif not (lanes == lanes[0, 0]).all():
                return None
        return None if parts is None else tuple(found.tolist())

    def _taken_apart(self, expression: Expression, place: int) -> Parts | None:
        self._looked_into = 0
        return self._parts(expression, place, {})

    def _parts(
        self, expression: Expression, place: int, taken: Mapping[int, Parts]
    ) -> Parts | None:
        """Take a formula apart as a block sees it; None where a lane's id meets other values.

        What a value adds that is chosen or carried by all lanes alike is left out. ``taken`` are
        the parts that values are taken to have that go round loops.
        """
        sums: Parts = {}
        for monomial, coefficient in expression.terms:
            products: Parts = {number(1): np.full_like(self._ids["tid.x"], wrapped(coefficient))}
            for atom in monomial:
                own = self._own(atom)
                if own is not None:
                    products = {factor: lanes * own for factor, lanes in products.items()}
                    continue
                if self._is_shared(atom, place):
                    by = Expression((((atom,), 1),))
                    products = {factor * by: lanes for factor, lanes in products.items()}
                    continue
                # beside numbers alone: it is not known what all lanes share of it
                chosen = self._of_chosen(atom, place, taken) if len(monomial) == 1 else None
                if chosen is None:
                    return None
                products = {factor: lanes * coefficient for factor, lanes in chosen.items()}
            for factor, lanes in products.items():
                sums[factor] = sums[factor] + lanes if factor in sums else lanes
        return sums

    def _is_shared(self, atom: Atom, place: int) -> bool:
        """Whether all lanes of a warp see one value."""
        if self._uniformity.varies(atom, place):
            return False
        within = self._block is not None and {a.name for a in _leaves(atom)} & _ROWS
        return not within

    # -- values that control flow chooses, and that loops carry ----------------------------------

    def _of_chosen(self, atom: Atom, place: int, taken: Mapping[int, Parts]) -> Parts | None:
        """The parts by which lanes differ in a value; None where more does."""
        if atom.kind not in _CHOSEN or atom.key < 0:
            return None
        if self._uniformity.left_apart(atom.key, place):
            return None
        if atom.key in taken:
            return taken[atom.key]
        if atom.key in self._chosen:
            return self._chosen[atom.key]
        self._looked_into += 1
        if self._looked_into > MOST_CHOICES:
            return None
        found = self._of_phi(atom.key, taken)
        if not taken:
            self._chosen[atom.key] = found
        return found

    def _of_phi(self, id_: int, taken: Mapping[int, Parts]) -> Parts | None:
        """Parts of a φ's inputs, where all of them have the same."""
        definition = self._structure.ssa.definitions[id_]
        if definition.kind is not DefinitionKind.PHI:
            return None
        values, inputs = self._structure.values, self._structure.ssa.phi_inputs[id_]
        loop = self._structure.loops.innermost(definition.block)
        carried = loop is not None and loop.header == definition.block
        if not carried and self._uniformity.meet_apart(definition.block):
            return None
        # what enters a loop first, and with it the parts that are then taken to go round
        ordered = sorted(inputs, key=lambda i: loop is not None and i.predecessor in loop.blocks)
        found: Parts | None = None
        for source in ordered:
            known = taken if found is None or not carried else {**taken, id_: found}
            own = self._parts(values.of_phi_input(source), source.predecessor, known)
            moving = None if own is None else self._moving(own)
            if moving is None or not all(map(_is_fixed, moving)):
                return None
            if found is not None and not self._are_alike(found, moving):
                return None
            found = moving if found is None else found
        return found

    def _moving(self, parts: Parts) -> Parts:
        """Leave out the parts in which lanes of a row do not differ."""
        return {f: lanes for f, lanes in parts.items() if np.diff(lanes, axis=1)[self._rows].any()}

    def _are_alike(self, a: Parts, b: Parts) -> bool:
        """Whether lanes move alike from one to the next."""
        return a.keys() == b.keys() and all(
            np.array_equal(*(np.diff(p[factor], axis=1)[self._rows] for p in (a, b)))
            for factor in a
        )

    # -- what thread ids alone decide ------------------------------------------------------------

    def _own(self, atom: Atom) -> Lanes | None:
        """Value of an atom in each lane that thread ids alone determine."""
        if atom not in self._atoms:
            self._atoms[atom] = None  # where it rests on itself
            self._depth += 1
            self._atoms[atom] = self._value(atom) if self._depth <= _DEEPEST else None
            self._depth -= 1
        return self._atoms[atom]

    def _value(self, atom: Atom) -> Lanes | None:
        if atom.kind is AtomKind.SPECIAL:
            return self._ids.get(atom.name)
        if atom.kind is AtomKind.MERGE and atom.key >= 0:
            ways = ways_of(self._structure, atom.key)
            return None if ways is None else self._by(ways)
        if atom.kind is not AtomKind.OPERATION or atom.key >= 0 or not atom.operands:
            return None
        found = operation_in_lanes(atom.name, atom.operands, self._known)
        return None if isinstance(found, Unknown) else found

    def _by(self, ways: Ways) -> Lanes | None:
        """Lanes that arrive by some paths, where ids decide the branches."""
        values = self._structure.values
        if not isinstance(ways, Split):
            return self._sum(values.of_phi_input(ways))
        instructions = self._structure.kernel.blocks[ways.block].instructions
        guard = instructions[-1].guard
        assert guard is not None
        holds = self._sum(values.of_operand(ways.block, len(instructions) - 1, guard.register))
        if holds is None:
            return None
        taken, fallen = self._by(ways.taken), self._by(ways.fallen)
        if taken is None or fallen is None:
            return None
        return np.where((holds == 0) == guard.negated, taken, fallen)

    def _known(self, expression: Expression) -> Lanes | Unknown:
        found = self._sum(expression)
        return Unknown("more than ids decides it") if found is None else found

    def _sum(self, expression: Expression) -> Lanes | None:
        total = self._ids["tid.x"] * 0
        for monomial, coefficient in expression.terms:
            if not -_LIMIT < coefficient < _LIMIT:
                return None
            product: Lanes = total * 0 + coefficient
            for atom in monomial:
                own = self._own(atom)
                if own is None:
                    return None
                product = product * own
            total = total + product
        return total


def _step(parts: Parts, pairs: Lanes) -> Expression | None:
    """Step from the first to the second lane of some pairs; None where that is no one formula."""
    total = number(0)
    for factor, lanes in parts.items():
        moves = np.diff(lanes, axis=1)[pairs]
        if moves.size == 0 or not (moves == moves[0]).all():
            return None
        total = total + factor * number(int(moves[0]))
    return total


def _is_fixed(factor: Expression) -> bool:
    """Whether a factor is the same wherever it stands in the kernel."""
    return factor.kinds() <= _FIXED


_CHOSEN = frozenset({AtomKind.MERGE, AtomKind.CARRIED})
_FIXED = frozenset({AtomKind.ARGUMENT, AtomKind.SPECIAL, AtomKind.ADDRESS, AtomKind.OPERATION})
"""Kinds of atoms that a launch decides, and those made of them."""

_DEEPEST = 32
"""Values that are being computed for one another; more would fill the stack."""

_LIMIT = 1 << 62
"""Factors beyond are not computed with in 64 bits."""

_ROWS = frozenset({"tid.y", "tid.z"})
"""Ids that may differ within a warp of a block that is narrower than it."""


def _leaves(atom: Atom) -> set[Atom]:
    return {atom, *(a for operand in atom.operands for a in operand.atoms)}


# Which lanes may be on where an access executes, by the branches and guards that lead there.


def lanes_that_may_be_on(
    facts: Facts, value_of: Callable[[Expression], NDArray[Any] | Unknown | None]
) -> NDArray[Any] | None:
    """The lanes in which nothing that holds where they are on is known to be false.

    ``value_of`` gives an expression's value by lane; a fact of which it gives none leaves no lane
    out. None: every lane may be on.
    """
    found: NDArray[Any] | None = None
    for fact, is_so in facts.items():
        left, right = value_of(fact.left), value_of(fact.right)
        if left is None or right is None or isinstance(left, Unknown) or isinstance(right, Unknown):
            continue
        left, right = (np.asarray(value, dtype=np.int64) for value in (left, right))
        may_be = _may_be(fact, left, right, is_so=is_so)
        found = may_be if found is None else found & may_be
    return found


def _may_be(
    fact: KnownComparison, left: NDArray[Any], right: NDArray[Any], *, is_so: bool
) -> NDArray[Any]:
    """Lanes in which a fact may hold as words of 32 or of 64 bits, whichever they are."""
    if fact.word != "gt":
        if is_so != (fact.word == "eq"):
            return np.asarray(left != right)
        return np.asarray((left - right) & _WORD == 0)
    is_plain = (np.minimum(left, right) >= _LEAST) & (np.maximum(left, right) <= _WORD)
    if fact.is_unsigned:  # what is below zero is above all others
        left, right = left.view(np.uint64), right.view(np.uint64)
    return np.asarray(((left > right) == is_so) | ~is_plain)


_WORD, _LEAST = (1 << 32) - 1, -(1 << 31)
"""Numbers beyond these may have overflowed, and are not compared."""
