"""Values that memory holds in pieces: bytes of one that others are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.analyzer.analyses.values.slots import SlotPart
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, Expression, apply, number, of


def composed(
    parts: Sequence[tuple[SlotPart, Expression]], old: Expression | None, size: int
) -> Expression:
    """Give what parts of values, lowest first, make in so many bytes; others stay of ``old``."""
    total, place = number(0), 0
    for part, value in (*parts, (None, None)):
        end = size if part is None else part.at
        if end > place and old is not None:
            total = total + _field(old, place, end, size, ends=end == size) * _unit(place)
        if part is None or value is None:
            break
        place = part.at + part.size
        field = _field(value, part.first, part.first + part.size, part.of, ends=place == size)
        total = total + field * _unit(part.at)
    return _rejoined(total)


def _unit(place: int) -> Expression:
    return number(1 << 8 * place)


def _field(value: Expression, start: int, end: int, size: int, *, ends: bool) -> Expression:
    """Give bytes of a value of ``size`` bytes; the last ones with its sign where they end."""
    mask = number((1 << 8 * (end - start)) - 1)
    if start and value == apply("and", value, number((1 << 8 * start) - 1)):
        return number(0)
    moved = apply("floordiv", value, _unit(start)) if start else value
    return moved if ends and end == size else apply("and", moved, mask)


def _rejoined(total: Expression) -> Expression:
    """Put the low and the high part of one value together again."""
    for atom, factor in _atoms(total):
        if atom.name != "and":
            continue
        for value, mask in (atom.operands, atom.operands[::-1]):
            unit = (mask.constant or 0) + 1
            if unit < _BYTE or unit & (unit - 1):
                continue
            high = apply("floordiv", value, number(unit)) * number(unit * factor)
            rest = total - of(atom) * number(factor) - high
            if len(rest.terms) < len(total.terms) - 1 or not rest.terms:
                return rest + value * number(factor)
    return total


_BYTE = 1 << 8


def _atoms(total: Expression) -> Iterator[tuple[Atom, int]]:
    for monomial, factor in total.terms:
        if len(monomial) == 1 and monomial[0].kind is AtomKind.OPERATION and monomial[0].key < 0:
            yield monomial[0], factor
