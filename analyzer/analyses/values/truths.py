"""Facts known to hold at a place: the outcomes of the branches that lead there.

A block that is come to by one side of a branch only knows what the branch was decided by. So does
the way back to a loop's header know that the loop goes on, and with that what a value becomes that
is changed only if it does: numba counts its ranges down by ``selp(-1, 0, count > 0)``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import NamedTuple

from warpmill.analyzer.analyses.values.ssa import (
    PhiInput,
    Split,
    SupportsFlow,
    Ways,
    enters_alone,
    ways_of,
)
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    number,
    of,
    substitute,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind

WORDS = {
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
    "lo": "lt", "ls": "le", "hi": "gt", "hs": "ge",
}  # fmt: skip
"""The comparisons of integers by how instructions spell them, unsigned ones too."""

MOST_FACTS = 16
"""Facts that are looked at in one place; those of branches further up are left out."""


class KnownComparison(NamedTuple):
    """A comparison that holds or does not: ``left > right`` or ``left == right`` (``word``).

    Other predicates are those that differ from 0. ``is_unsigned`` says as what both are compared.
    """

    word: str
    left: Expression
    right: Expression
    is_unsigned: bool = False


Facts = dict[KnownComparison, bool]


class Truths:
    """Facts by place. ``value_of`` gives a definition's value, raw, ``input_of`` a φ's."""

    def __init__(
        self,
        flow: SupportsFlow,
        value_of: Callable[[int], Expression],
        input_of: Callable[[PhiInput], Expression],
    ) -> None:
        self._flow, self._value_of, self._input_of = flow, value_of, input_of
        self._at: dict[int, Facts] = {}
        self._on_edge: dict[tuple[int, int], Facts] = {}

    def at(self, block: int) -> Facts:
        """Facts that hold in a block by the branches above it, the nearest first."""
        if block not in self._at:
            found: Facts = {}
            self._add_above(found, block)
            self._at[block] = completed(found)
        return self._at[block]

    def on_edge(self, source: int, target: int) -> Facts:
        """Facts that hold on the edge from a block to one that follows."""
        edge = source, target
        if edge not in self._on_edge:
            found: Facts = {}
            self._add_edge(found, source, target)
            self._add_above(found, source)
            self._on_edge[edge] = completed(found)
        return self._on_edge[edge]

    def settled(self, value: Expression, facts: Facts, depth: int = 0) -> Expression:
        """Value with its choices resolved as far as facts decide, those by control flow too."""
        if not facts or not any(map(is_undecided, value.atoms)):
            return value

        def replacement(atom: Atom) -> Expression | None:
            side = _side(atom, facts)
            if side is None and _is_merge(atom) and depth < _DEEPEST:
                side = self._chosen(ways_of(self._flow, atom.key), facts)
            return None if side is None else self.settled(side, facts, depth + 1)

        return substitute(value, replacement)

    def outcome(self, block: int, facts: Facts) -> bool | None:
        """Whether the guard of the branch at a block's end holds, as far as facts say."""
        last = self._flow.kernel.blocks[block].terminator
        if last is None or last.guard is None or not facts:
            return None
        known = holds(self.guard(block), facts)
        return None if known is None else known != last.guard.negated

    def _chosen(self, ways: Ways | None, facts: Facts) -> Expression | None:
        """Input that a φ takes where facts determine the path."""
        while isinstance(ways, Split):
            taken = self.outcome(ways.block, facts)
            if taken is None:
                return None
            ways = ways.taken if taken else ways.fallen
        return None if ways is None else self._input_of(ways)

    def _add_above(self, found: Facts, block: int) -> None:
        for _ in range(_MOST_BLOCKS):
            above = self._flow.dominators.idom[block]
            if above is None or len(found) >= MOST_FACTS:
                return
            if len(self._flow.cfg.successors[above]) > 1 and enters_alone(self._flow, above, block):
                self._add_edge(found, above, block)
            block = above

    def _add_edge(self, found: Facts, source: int, target: int) -> None:
        block = self._flow.kernel.blocks[source]
        last = block.terminator
        if last is None or last.guard is None or len(last.targets) != 1:
            return
        taken = last.targets[0]
        if taken != block.fallthrough and target in (taken, block.fallthrough):
            _add(found, self.guard(source), (target == taken) != last.guard.negated)

    def guard(self, block: int) -> Expression:
        """The predicate of the branch at a block's end, its negation aside."""
        instructions = self._flow.kernel.blocks[block].instructions
        guard = instructions[-1].guard
        assert guard is not None
        before = self._flow.ssa.before[block][len(instructions) - 1]
        return self._value_of(before[guard.register.index])


_MOST_BLOCKS = 64
_DEEPEST = 8


# -- predicates as facts ---------------------------------------------------------------------


def fact_of(predicate: Expression) -> tuple[KnownComparison, bool] | bool:
    """The fact that a predicate rests on, and its outcome then; a bool where it is one."""
    if predicate.constant is not None:
        return bool(predicate.constant & 1)
    atom = predicate.single
    if atom is not None and atom.name == "not.pred":
        return _turned(fact_of(atom.operands[0]))
    if atom is not None and atom.name.startswith("setp.") and len(atom.operands) == 2:
        operation = decode(atom.name)
        word = next((w for w in operation.modifiers if w in WORDS), None)
        if word is not None and operation.type is not None and operation.type.is_integer:
            return comparison(word, *atom.operands, operation.type)
    return KnownComparison("ne", predicate, number(0)), True


def comparison(
    word: str, left: Expression, right: Expression, type_: Type
) -> tuple[KnownComparison, bool] | bool:
    """The fact that a comparison rests on, and its outcome then; a bool where it is one."""
    plain = WORDS[word]
    if type_.kind is TypeKind.BITS:
        type_ = TYPES[f"{'s' if plain == word else 'u'}{type_.bits}"]
    left, right = (
        side if side.constant is None else number(type_.read(side.constant))
        for side in (left, right)
    )
    for side, other, turned in ((left, right, plain), (right, left, _MIRRORED[plain])):
        chosen, limit = chosen_numbers(side), other.constant
        if chosen is not None and limit is not None:
            first, second = (_is_so(turned, value, limit, type_) for value in chosen[:2])
            return _of_choice(first, second, chosen[2])
    if left.constant is not None and right.constant is not None:
        return _is_so(plain, left.constant, right.constant, type_)
    if plain in ("ge", "le", "ne"):
        return _turned(comparison(_OPPOSITE[plain], left, right, type_))
    is_unsigned = type_.kind is TypeKind.UNSIGNED or plain != word
    if plain == "lt":
        left, right = right, left
    if plain != "eq" and left.constant is not None:
        lowest = 0 if is_unsigned else -(1 << type_.bits - 1)
        if left.constant == lowest:
            return False  # nothing is below
        return KnownComparison("gt", right, number(left.constant - 1), is_unsigned), False
    if plain == "eq" and left.constant is not None:
        left, right = right, left
    return KnownComparison("eq" if plain == "eq" else "gt", left, right, is_unsigned), True


_OPPOSITE = {"ge": "lt", "le": "gt", "ne": "eq"}
_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def _is_so(word: str, left: int, right: int, type_: Type) -> bool:
    return _HOLDS[word](type_.read(left), type_.read(right))


def _of_choice(
    first: bool, second: bool, predicate: Expression
) -> tuple[KnownComparison, bool] | bool:
    """The fact behind the truth of what a predicate chooses of two."""
    if first == second:
        return first
    found = fact_of(predicate)
    return found if first else _turned(found)


def _turned(found: tuple[KnownComparison, bool] | bool) -> tuple[KnownComparison, bool] | bool:
    return not found if isinstance(found, bool) else (found[0], not found[1])


def chosen_numbers(value: Expression) -> tuple[int, int, Expression] | None:
    """Read a value as a choice of two numbers by a predicate."""
    atom = value.single
    if atom is None:
        return None
    if atom.name == "and" and len(atom.operands) == 2:
        for inner, mask in (atom.operands, atom.operands[::-1]):
            found = chosen_numbers(inner)
            if found is not None and mask.constant is not None:
                return found[0] & mask.constant, found[1] & mask.constant, found[2]
    if not _is_choice(atom):
        return None
    first, second = (side.constant for side in atom.operands[:2])
    return None if first is None or second is None else (first, second, atom.operands[2])


# -- what follows from facts -----------------------------------------------------------------


def holds(predicate: Expression, facts: Facts) -> bool | None:
    """Whether a predicate holds where facts do; None where they do not say."""
    return _known(fact_of(simplified(predicate, facts)), facts)


def simplified(value: Expression, facts: Facts) -> Expression:
    """A value with the sides in the place of choices that facts decide."""
    if not facts or not any(_is_choice(a) for a in value.atoms):
        return value

    def replacement(atom: Atom) -> Expression | None:
        side = _side(atom, facts)
        return None if side is None else simplified(side, facts)

    return substitute(value, replacement)


def extended(facts: Facts) -> Facts:
    """Add what follows: a choice in a fact goes the one way where the other contradicts facts.

    ``n + selp(-1, 0, n > 0) > 0`` says that ``n > 0``.
    """
    found = dict(facts)
    while len(found) < 2 * MOST_FACTS:
        new = next(_following(found), None)
        if new is None:
            break
        found[new[0]] = new[1]
    return found


def completed(facts: Facts) -> Facts:
    """Facts with what follows, and each once more with the choices in it made."""
    found = extended(facts)
    for fact, is_so in list(found.items()):
        restated = _restated(fact, {f: known for f, known in found.items() if f != fact})
        if not isinstance(restated, bool):
            found.setdefault(restated[0], is_so == restated[1])
    return found


def sharpened(fact: KnownComparison, is_so: bool) -> Facts | None:
    """Facts that hold together just where one does, without the choices that it decides.

    None where it decides none.
    """
    together = extended({fact: is_so})
    if len(together) == 1:
        return None
    depth = {f: max(f.left.depth, f.right.depth) for f in together}
    found: Facts = {}
    for each, known in together.items():
        below = {f: known_ for f, known_ in together.items() if depth[f] < depth[each]}
        restated = _restated(each, below)
        if isinstance(restated, bool):
            continue
        found[restated[0]] = known == restated[1]
    return _without_implied(found)


def _without_implied(facts: Facts) -> Facts:
    """Leave out a sum that is above zero where another one is that is less by a number.

    Of formulas it is assumed that they do not overflow; of plain numbers it is not.
    """
    found = dict(facts)
    for each, is_so in facts.items():
        others = {f: known for f, known in found.items() if f != each}
        if any(_implies(f, each, is_so=is_so) for f, known in others.items() if known == is_so):
            del found[each]
    return found


def _implies(fact: KnownComparison, other: KnownComparison, *, is_so: bool) -> bool:
    if fact.word != "gt" or other.word != "gt" or fact.is_unsigned != other.is_unsigned:
        return False
    if other.left.kinds() | other.right.kinds() <= {AtomKind.COUNTER}:
        return False
    by = (other.left - other.right - (fact.left - fact.right)).constant
    return by is not None and (by >= 0 if is_so else by <= 0)


def _following(facts: Facts) -> Iterator[tuple[KnownComparison, bool]]:
    for fact in facts:
        choices = [a for a in fact.left.atoms | fact.right.atoms if _is_choice(a)]
        for atom in sorted(choices, key=lambda a: a.order):
            own = fact_of(simplified(atom.operands[2], facts))
            if isinstance(own, bool) or _known(own, facts) is not None:
                continue
            for guess in (True, False):
                if _contradict({**facts, own[0]: guess}):
                    yield own[0], not guess


def _contradict(facts: Facts) -> bool:
    for fact, is_so in facts.items():
        others = {f: known for f, known in facts.items() if f != fact}
        known = _known(_restated(fact, others), others)
        if known is not None and known != is_so:
            return True
    return False


def _restated(fact: KnownComparison, facts: Facts) -> tuple[KnownComparison, bool] | bool:
    """A fact with the choices in it made."""
    left, right = (simplified(side, facts) for side in (fact.left, fact.right))
    if fact.word == "ne":
        return fact_of(left)
    return comparison(fact.word, left, right, TYPES["u64" if fact.is_unsigned else "s64"])


def _known(found: tuple[KnownComparison, bool] | bool, facts: Facts) -> bool | None:
    if isinstance(found, bool):
        return found
    fact, outcome = found
    known = facts.get(fact)
    if known is None:
        decided = (_decided(fact, other, is_so) for other, is_so in facts.items())
        known = next((d for d in decided if d is not None), None)
    return None if known is None else known == outcome


def _decided(fact: KnownComparison, other: KnownComparison, is_so: bool) -> bool | None:
    """Outcome of another comparison of the same value that a comparison with a number implies."""
    own, limit = fact.right.constant, other.right.constant
    if own is None or limit is None or fact.left != other.left:
        return None
    if other.word == "eq" and is_so:
        return limit == own if fact.word == "eq" else limit > own
    if other.word != "gt" or fact.is_unsigned != other.is_unsigned:
        return None
    if fact.word == "eq":
        return False if (own <= limit) == is_so else None
    if fact.word == "gt" and (own <= limit if is_so else own >= limit):
        return is_so
    return None


def with_outcome(facts: Facts, predicate: Expression, *, is_so: bool) -> Facts:
    """Facts with the outcome of one more predicate, which comes first."""
    found: Facts = {}
    _add(found, predicate, is_so)
    return completed(found | facts)


def limits_of(value: Expression, facts: Facts) -> tuple[int, int] | None:
    """The least and the most that a sum can be where facts hold; None where one is open."""
    low = high = 0
    for monomial, factor in value.terms:
        if len(monomial) > 1:
            return None
        lowest, highest = _atom_limits(monomial[0], facts) if monomial else (1, 1)
        if lowest is None or highest is None:
            return None
        low += factor * (lowest if factor > 0 else highest)
        high += factor * (highest if factor > 0 else lowest)
    return low, high


def _atom_limits(atom: Atom, facts: Facts) -> tuple[int | None, int | None]:
    low, high = None, None
    if atom.kind in (AtomKind.COUNTER, AtomKind.SPECIAL):
        low = 0
    masks = [o.constant for o in atom.operands if o.constant is not None and o.constant >= 0]
    if atom.name == "and" and atom.key < 0 and masks:
        low, high = 0, min(masks)
    for fact, is_so in facts.items():
        for lowest, highest in _limits_by(fact, atom, is_so=is_so):
            low = lowest if low is None or (lowest is not None and lowest > low) else low
            high = highest if high is None or (highest is not None and highest < high) else high
    return low, high


def _limits_by(
    fact: KnownComparison, atom: Atom, *, is_so: bool
) -> Iterator[tuple[int | None, int | None]]:
    """The limits that a comparison with a number sets to what is counted up in it."""
    for side, other, is_left in ((fact.left, fact.right, True), (fact.right, fact.left, False)):
        limit, slope = other.constant, side.coefficient(atom)
        by = None if slope is None else slope.constant
        if limit is None or by is None or by <= 0:
            continue
        fixed = (side - of(atom) * number(by)).constant
        if fixed is None:
            continue
        top = limit - fixed  # what is compared with a multiple of the atom
        if fact.word == "eq" and is_so:
            yield -(-top // by), top // by
        elif fact.word == "gt" and is_so == is_left:
            if fact.is_unsigned:
                continue  # what is above may be below zero
            yield (top + 1 if is_left else top) // by + ((top + is_left) % by > 0), None
        elif fact.word == "gt":
            most = (top if is_left else top - 1) // by
            yield (-(fixed // by) if fact.is_unsigned else None), most


def outcomes(predicate: Expression, *, is_so: bool) -> Facts:
    """The facts that the outcome of a predicate is made of: all of them hold just where it does."""
    found: Facts = {}
    _add(found, predicate, is_so)
    return found


def _add(found: Facts, predicate: Expression, is_so: bool) -> None:
    """Note the outcome of a predicate: of each part where it is joined of several."""
    atom = predicate.single
    if atom is not None and atom.name in ("and", "or") and is_so == (atom.name == "and"):
        for part in atom.operands:
            _add(found, part, is_so)
        return
    fact = fact_of(predicate)
    if not isinstance(fact, bool):
        found.setdefault(fact[0], fact[1] == is_so)


def _side(atom: Atom, facts: Facts) -> Expression | None:
    if not _is_choice(atom):
        return None
    known = holds(atom.operands[2], facts)
    return None if known is None else atom.operands[0 if known else 1]


def _is_choice(atom: Atom) -> bool:
    is_choice = atom.kind is AtomKind.OPERATION and atom.name.startswith("selp.")
    return is_choice and atom.key < 0 and len(atom.operands) == 3


def is_undecided(atom: Atom) -> bool:
    """Whether an atom is a choice, by a predicate or by control flow."""
    return _is_choice(atom) or _is_merge(atom)


def _is_merge(atom: Atom) -> bool:
    return atom.kind is AtomKind.MERGE and atom.key >= 0
