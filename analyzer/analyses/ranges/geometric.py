"""Values that halve or double around a loop, and the iteration in which they pass a limit."""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, apply, number, of
from warpmill.analyzer.analyses.values.truths import fact_of


@dataclass(frozen=True, slots=True)
class Geometric:
    """A value that moves left by ``shift`` bits each iteration; negative: to the right.

    ``start`` is raw, as the loop's header sees it; ``after`` is the value an iteration later, in
    terms of itself; ``is_rounded_to_zero``: a negative value is divided and not shifted.
    """

    start: Expression
    shift: int
    after: Expression
    is_rounded_to_zero: bool


def geometric(structure: Structure, definition: int) -> Geometric | None:
    """Tell how a loop header's φ halves or doubles; None where it does neither."""
    start = structure.values.start_expression(definition)
    steps = set(structure.values.step_expressions(definition))
    if start is None or len(steps) != 1:
        return None
    (after,) = steps
    name = structure.ssa.register(definition).name
    own = Atom(AtomKind.CARRIED, name, definition)
    shift = _left(after, own) or -_right(after, own)
    if not shift:
        return None
    made = after.single
    return Geometric(start, shift, after, made is not None and made.name == "div")


def _left(after: Expression, own: Atom) -> int:
    if len(after.terms) != 1 or after.terms[0][0] != (own,):
        return 0
    return _bits(after.terms[0][1])


def _right(after: Expression, own: Atom) -> int:
    made = after.single
    if made is None or made.name not in ("floordiv", "div") or made.operands[0] != of(own):
        return 0
    return _bits(made.operands[1].constant or 0)


def _bits(factor: int) -> int:
    return factor.bit_length() - 1 if factor > 1 and not factor & (factor - 1) else 0


def closed_form(start: Expression, moved: Geometric, iteration: Expression) -> Expression:
    """Give the value in an iteration, where the start is not negative."""
    shift = number(abs(moved.shift)) * iteration
    if moved.shift > 0:
        return apply("shl", start, shift)
    return apply("shr", start, shift)


def bit_length(value: Expression) -> Expression:
    """Give how many binary digits a value has, in terms of what it was shifted from."""
    atom = value.single
    is_own = atom is not None and atom.kind is AtomKind.OPERATION and atom.key < 0
    if atom is None or not is_own or len(atom.operands) != 2:
        return apply("bitlength", value)
    inner, by = atom.operands
    if atom.name == "shl" and (inner.constant or 0) > 0:
        return apply("bitlength", inner) + by
    if atom.name in ("floordiv", "div") and _bits(by.constant or 0):
        left = bit_length(inner) - number(_bits(by.constant or 0))
        return left if is_natural(left) else apply("bitlength", value)
    return apply("bitlength", value)


def is_natural(value: Expression) -> bool:
    """Whether a value is never negative: a sum of ids, sizes, counters and numbers above zero."""
    return all(c > 0 and all(a.kind in _NATURAL for a in m) for m, c in value.terms)


_NATURAL = frozenset({AtomKind.SPECIAL, AtomKind.COUNTER})


def _from_zero(value: Expression) -> Expression:
    return value if is_natural(value) else apply("max", number(0), value)


@dataclass(frozen=True, slots=True)
class Tested:
    """What is compared: ``value word threshold``; ``ahead`` iterations before it is the value."""

    word: str
    threshold: Expression
    ahead: int


MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Comparisons read from the other side."""


def tested(word: str, difference: Expression, own: Atom, after: Expression) -> Tested | None:
    """Solve ``difference word 0`` for a carried value, as it is or as it will be next."""
    for ahead, value in enumerate((of(own), after)):
        for rest, turned in ((difference - value, word), (-difference - value, MIRRORED[word])):
            if own not in rest.atoms:
                return Tested(turned, -rest, ahead)
    return None


def crossing(test: Tested, start: Expression, moved: Geometric) -> Expression | None:
    """Give the first iteration, from 0, in which a halving or doubling value passes its test."""
    if moved.shift < 0:
        return _halving(test, start, moved)
    return _doubling(test, start, moved.shift)


def _halving(test: Tested, start: Expression, moved: Geometric) -> Expression | None:
    """First ``i`` with ``start >> (shift * i)`` below a power of two."""
    limit, shift = test.threshold.constant, -moved.shift
    if limit is None:
        return None
    if test.word == "eq" and moved.is_rounded_to_zero and not is_natural(start):
        return None
    below = {"lt": limit, "le": limit + 1, "eq": 1 if limit == 0 else 0}.get(test.word, 0)
    if below <= 0 or below & (below - 1):
        return None
    small = below.bit_length() - 1 + shift * test.ahead
    bits = bit_length(start) - number(small)
    return apply("ceildiv", _from_zero(bits), number(shift))


def _doubling(test: Tested, start: Expression, shift: int) -> Expression | None:
    """First ``i`` with ``start << (shift * i)`` at or above a threshold, for a plain start."""
    first = start.constant
    if first is None or first <= 0 or test.word not in ("ge", "gt"):
        return None
    first <<= shift * test.ahead
    reach = test.threshold + number(1) if test.word == "gt" else test.threshold
    doublings = apply("log2ceil", apply("ceildiv", reach, number(first)))
    return apply("ceildiv", doublings, number(shift))


@dataclass(frozen=True, slots=True)
class Saturating:
    """A value that moves by one each iteration, up or down, until it has come to ``limit``."""

    start: Expression
    step: int
    limit: Expression


def saturating(structure: Structure, definition: int) -> Saturating | None:
    """Tell how a loop header's φ counts to a limit and stays there, as numba's ranges do.

    ``n + selp(-1, 0, n > 0)``: what is added is chosen by whether the limit is still ahead.
    """
    start = structure.values.start_expression(definition)
    steps = set(structure.values.step_expressions(definition))
    if start is None or len(steps) != 1:
        return None
    own = of(Atom(AtomKind.CARRIED, structure.ssa.register(definition).name, definition))
    chosen = (steps.pop() - own).single
    if chosen is None or not chosen.name.startswith("selp.") or chosen.key >= 0:
        return None
    step, rest, by = chosen.operands
    known = fact_of(by)
    if rest.constant != 0 or isinstance(known, bool) or known[0].word != "gt":
        return None
    fact, is_so = known
    # where it still moves: own > limit for a way down, own < limit for a way up
    if step.constant == -1 and is_so and fact.left == own and _is_steady(fact.right):
        return None if fact.is_unsigned else Saturating(start, -1, fact.right)
    if step.constant == 1 and is_so and fact.right == own and _is_steady(fact.left):
        return None if fact.is_unsigned else Saturating(start, 1, fact.left)
    return None


def _is_steady(limit: Expression) -> bool:
    """Whether a limit is the same in all iterations of all loops."""
    return limit.kinds() <= {AtomKind.ARGUMENT, AtomKind.SPECIAL}


def saturated(start: Expression, moved: Saturating, iteration: Expression) -> Expression:
    """Give the value in an iteration: one that starts beyond the limit stays where it is."""
    there = "max" if moved.step < 0 else "min"
    stays = apply("min" if moved.step < 0 else "max", start, moved.limit)
    return apply(there, stays, start + number(moved.step) * iteration)
