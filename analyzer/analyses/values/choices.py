"""Values chosen by conditions, as formulas: minima, maxima and sums of masked parts.

``condition ? a : b`` is written ``b + truth * (a - b)``, where the truth of ``x < y`` is the number
``min(1, max(0, y - x))``, so that whatever computes formulas computes choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.analyses.values.conditions import (
    Combined,
    Compare,
    Condition,
    as_words,
    combined,
    compare,
    negated,
    truth,
)
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    apply,
    number,
    of,
    substitute,
)
from warpmill.analyzer.analyses.values.truths import (
    WORDS,
    KnownComparison,
    chosen_numbers,
    comparison,
    sharpened,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import Type, TypeKind

_MOST_ATOMS = 48
"""Atoms of a choice that is still followed."""

_MOST_TERMS = 256
"""Terms of the number that a condition is; products of several comparisons double them."""


def choose(condition: Condition, a: Expression, b: Expression) -> Expression | None:
    """``a`` where a condition holds, else ``b``; None where that is no formula."""
    if a == b:
        return a
    condition = as_words(condition)
    known = truth(condition)
    if known is not None:
        return a if known else b
    if isinstance(condition, Compare):
        found = _of_comparison(condition, a, b)
        if found is not None:
            return found
    share = indicator(condition)
    if share is None:
        return None
    result = b + share * (a - b)
    return result if len(result.atoms) <= _MOST_ATOMS else None


def condition_of(predicate: Expression) -> Condition | None:
    """Read a predicate's formula, ``setp.lt.s32(a, b)`` and what joins such, as a condition."""
    return _condition_of(predicate, {})


def _condition_of(predicate: Expression, made: dict[Atom, Condition | None]) -> Condition | None:
    atom = predicate.single
    if atom is None or atom.kind is not AtomKind.OPERATION or atom.key >= 0:
        return None
    if atom not in made:
        made[atom] = _of_operation(atom, made)
    return made[atom]


def _of_operation(atom: Atom, made: dict[Atom, Condition | None]) -> Condition | None:
    operation, sources = decode(atom.name), atom.operands
    if operation.name == "setp" and operation.type is not None and operation.type.is_integer:
        word = next((w for w in operation.modifiers if w in WORDS), None)
        if word is None or len(sources) != 2:
            return None
        return compare(word, *sources, operation.type)
    parts = [_condition_of(source, made) for source in sources]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or operation.name not in ("and", "or", "not"):
        return None
    if operation.name in ("and", "or") and len(known) == 2:
        return combined(operation.name, known[0], known[1])
    return negated(known[0]) if operation.name == "not" and len(known) == 1 else None


def unchosen(condition: Condition) -> Condition:
    """A test of a truth that was kept as one of two numbers as the test that it was."""
    if not isinstance(condition, Compare):
        return condition
    word, left, right = condition.word, condition.left, condition.right
    for turned, side, other in ((word, left, right), (_MIRRORED[word], right, left)):
        numbers = None if other.constant is None else chosen_numbers(side)
        if numbers is None:
            continue
        holds = [truth(Compare(turned, number(n), other)) for n in numbers[:2]]
        if holds[0] == holds[1]:
            return Compare("eq", number(0), number(0 if holds[0] else 1))
        inner = condition_of(numbers[2])
        if inner is not None:
            return unchosen(inner if holds[0] else negated(inner))
    return condition


_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def without_choices(condition: Condition) -> Condition:
    """Condition that ends a loop, without the choices that the loop's going on decides.

    A counter that goes down only while it is above zero, several times in an iteration, is above
    zero in between where it is at the end.
    """
    condition = unchosen(condition)
    if not isinstance(condition, Compare) or condition.type is None:
        return condition
    found = comparison(condition.word, condition.left, condition.right, condition.type)
    if isinstance(found, bool):
        return condition
    stays = sharpened(found[0], not found[1])
    if not stays:
        return condition
    ends: list[Condition] = [_ending(f, is_so, condition.type) for f, is_so in stays.items()]
    whole = ends[0]
    for each in ends[1:]:
        whole = combined("or", whole, each)
    return whole


_LEAVES = {"gt": "le", "eq": "ne", "ne": "eq"}


def _ending(fact: KnownComparison, is_so: bool, type_: Type) -> Compare:
    """The comparison that holds where a fact is no longer so."""
    is_own = fact.is_unsigned == (type_.kind is TypeKind.UNSIGNED)
    word = _LEAVES[fact.word] if is_so else fact.word
    return Compare(word, fact.left, fact.right, type_ if is_own else None)


def indicator(condition: Condition) -> Expression | None:
    """1 where a condition holds, else 0; None where it is no comparison of integers."""
    return _indicator(condition, {})


def _indicator(
    condition: Condition, known: dict[Condition, Expression | None]
) -> Expression | None:
    if condition not in known:
        known[condition] = None
        if isinstance(condition, Compare):
            known[condition] = _indicators(condition.word, condition.left - condition.right)
        elif isinstance(condition, Combined):
            is_both = condition.word == "and"
            parts = [
                _indicator(part if is_both else negated(part), known)
                for part in (condition.first, condition.second)
            ]
            known[condition] = _product(*parts, is_both=is_both)
    return known[condition]


def _product(
    first: Expression | None, second: Expression | None, *, is_both: bool
) -> Expression | None:
    if first is None or second is None or len(first.terms) * len(second.terms) > _MOST_TERMS:
        return None
    both = first * second
    return both if is_both else number(1) - both


def _indicators(word: str, difference: Expression) -> Expression:
    """1 where ``difference word 0`` holds, else 0."""
    one, nought = number(1), number(0)
    atom = difference.single
    if atom is not None and atom.name == "and" and one in atom.operands:
        return {"gt": difference, "ne": difference, "ge": one, "lt": nought}.get(
            word, one - difference
        )
    above = apply("min", one, apply("max", nought, difference))
    below = apply("min", one, apply("max", nought, -difference))
    return {
        "gt": above, "lt": below, "le": one - above, "ge": one - below,
        "ne": above + below, "eq": one - above - below,
    }[word]  # fmt: skip


def _of_comparison(condition: Compare, a: Expression, b: Expression) -> Expression | None:
    word, difference = condition.word, condition.left - condition.right
    if word in ("ne", "gt", "ge"):
        return _of_comparison(_opposite(condition), b, a)
    if word == "eq":
        return b if _vanishes(b - a, difference) else _from_nought(a, b, difference)
    if a - b in (difference, -difference):
        return apply("min" if a - b == difference else "max", a, b)
    # b is taken where the difference is at least ``least``
    positive = difference if word == "le" else difference + number(1)
    return _from_zero(a, b, positive)


def _opposite(condition: Compare) -> Compare:
    opposite = negated(condition)
    assert isinstance(opposite, Compare)
    return opposite


def _vanishes(expression: Expression, where: Expression) -> bool:
    """Whether an expression is 0 wherever another one is: a multiple of it, or made of its atom."""
    if not where.terms:
        return False
    monomial, coefficient = where.terms[0]
    factor = dict(expression.terms).get(monomial, 0)
    if factor and factor % coefficient == 0:
        return expression == where * number(factor // coefficient)
    atom = where.single
    if atom is None:
        return False
    zeroed = substitute(expression, lambda found: number(0) if found == atom else None)
    return not zeroed.terms


def _from_zero(a: Expression, b: Expression, positive: Expression) -> Expression | None:
    """Join what a loop adds with its being passed by: ``max(1, n)`` where ``n > 0``, else 0.

    ``b`` is taken where ``positive`` is above zero; the loop is tested at its bottom.
    """
    for factor, least, high, rest in _maxima(b - a):
        missing = number(1 - least)  # max(0, n - 1) + 1 is max(1, n)
        if rest == factor * missing and _same_sign(high + missing, positive):
            return a + factor * apply("max", number(0), high + missing)
    return None


def _from_nought(a: Expression, b: Expression, difference: Expression) -> Expression | None:
    """Join ``max(1, n)`` where ``n != 0``, else 0, of an ``n`` that is never below."""
    for factor, least, high, rest in _maxima(b - a):
        lowest = high.lower_bound
        is_natural = lowest is not None and lowest >= 0
        if least == 1 and not rest.terms and is_natural and high in (difference, -difference):
            return a + factor * high
    return None


def _maxima(grown: Expression) -> Iterator[tuple[Expression, int, Expression, Expression]]:
    """Read a sum as ``factor * max(least, n) + rest``, ``least`` 0 or 1: these four, each way."""
    for atom in sorted(grown.atoms, key=lambda found: found.order):
        factor = grown.coefficient(of(atom).terms[0][0][0]) if atom.name == "max" else None
        if factor is None or factor.constant == 0 or len(atom.operands) != 2:
            continue
        low, high = sorted(atom.operands, key=lambda o: o.constant is None)
        if low.constant in (0, 1):
            yield factor, low.constant, high, grown - factor * of(atom)


def _same_sign(count: Expression, positive: Expression) -> bool:
    """Whether one is above zero exactly where the other is, by what stands in them."""
    atom = count.single
    divided = atom is not None and atom.kind is AtomKind.OPERATION and atom.name == "ceildiv"
    if divided and atom is not None and (atom.operands[1].constant or 0) > 0:
        return _same_sign(atom.operands[0], positive)
    return count == positive
