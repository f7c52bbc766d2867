"""Formulas of bit operations, where known bits show that they move or add numbers.

``tid.x * 4 & 508`` is ``tid.x * 4`` in a block of 128 threads, ``ctaid.x << 13 | tid.x`` is a sum,
and ``bfi`` puts a number above another one. A rule gets the formulas of an operation's sources and
what is known of them as words (``analyzer.analyses.ranges``); it gives None where it has nothing to
say. Bytes that memory holds of one value are put together again (``composed``). All of this holds
modulo two to the word's width, as the machine computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from warpmill.analyzer.analyses.ranges.domain import KnownWord, resized
from warpmill.analyzer.analyses.ranges.transfer import field_of, result_word
from warpmill.analyzer.analyses.values.ssa import SlotPart
from warpmill.analyzer.analyses.values.symbolic import (
    Atom,
    AtomKind,
    Expression,
    apply,
    number,
    of,
    split,
)
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import TypeKind

Rule = Callable[[Instruction, list[Expression], list[KnownWord]], Expression | None]


def _width(instruction: Instruction) -> int:
    return instruction.operation.types[0].bits


def _cut(instruction: Instruction, words: list[KnownWord]) -> list[KnownWord]:
    """The first sources as the operation reads them."""
    bits = _width(instruction)
    return [resized(word, bits, signed=False) for word in words]


def _settled(rule: Rule) -> Rule:
    """A rule before which a result that the words decide is taken as the number that it is."""

    def first(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
        word = result_word(i.operation, w, _width(i))
        if word.constant is not None and word.constant <= word.full >> 1:
            return number(word.constant)
        return rule(i, s, w)

    return first


def _field(value: Expression, word: KnownWord, start: int, mask: int) -> Expression:
    """``value >> start & mask`` of a word; the mask is one of the lowest bits and fits the word."""
    if not word.possible >> start & mask:
        return number(0)
    moved = apply("floordiv", value, number(1 << start)) if start else value
    fits = not word.possible >> start & ~mask
    return moved if fits else apply("and", moved, number(mask))


def _and(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    words = _cut(i, w)
    for value, word, other in ((s[0], words[0], words[1]), (s[1], words[1], words[0])):
        mask = other.constant
        if mask is None:
            continue
        if not word.possible & ~mask:
            return value
        low = word.full & ~mask
        if low & (low + 1) == 0 and all(split(value, low + 1)):
            return value - apply("and", value, number(low))
    return None


def _joined(name: str) -> Rule:
    """``or`` and ``xor``: a sum where no bit may be one in both, else above the lower one's."""

    def rule(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
        a, b = _cut(i, w)
        if not a.possible & b.possible:
            return s[0] + s[1]
        for value, word, low, bits in ((s[0], a, s[1], b), (s[1], b, s[0], a)):
            turned = bits.constant
            if name == "xor" and turned is not None and not turned & ~(word.zeros | word.ones):
                return value + number((turned & word.zeros) - (turned & word.ones))
            if name == "or" and not bits.possible & ~word.ones:
                return value
            above, rest = split(value, 1 << bits.possible.bit_length())
            if above.terms:
                return above + (apply(name, rest, low) if rest.terms else low)
        return None

    return rule


def _shift_left(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    """Bits that small numbers lose at the top, as in tests of one bit, are masked first.

    Larger ones, such as sizes, are taken not to overflow.
    """
    (word, *_), places = _cut(i, w), w[1].constant
    if places is None or places >= word.bits or word.high >= _SMALL:
        return None
    mask = word.full >> places
    return _field(s[0], word, 0, mask) * number(1 << places)


_SMALL = 1 << 16
"""Bound below which values are taken to be made from thread ids."""


def _shift_right(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    places, bits = w[1].constant, _width(i)
    if places is None or i.operation.types[0].kind is not TypeKind.SIGNED:
        return None
    if len(s[0].terms) != 1 or not 0 < places < bits:
        return None
    # a field that has been moved to the top: its highest bit is the sign
    ((monomial, factor),) = s[0].terms
    length = bits - (factor.bit_length() - 1)
    if factor <= 0 or factor & (factor - 1) or length < 1 or w[0].is_natural:
        return None
    field = Expression(((monomial, 1),)) if monomial else number(1)
    if resized(w[0], bits, signed=False).trailing_zeros < bits - length:
        return None
    is_masked = len(monomial) == 1 and monomial[0].name == "and"
    if not is_masked or monomial[0].operands[1].constant != (1 << length) - 1:
        return None
    return apply("floordiv", _signed(field, length) * number(factor), number(1 << places))


def _signed(field: Expression, length: int) -> Expression:
    """A field of so many bits as a signed number."""
    sign = field if length == 1 else apply("floordiv", field, number(1 << length - 1))
    return field - sign * number(1 << length)


def _extract(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    bits = _width(i)
    place = field_of(w[1].constant, w[2].constant, bits)
    if place is None:
        return None
    start, mask = place
    word = resized(w[0], bits, signed=False)
    field = _field(s[0], word, start, mask)
    if i.operation.types[0].kind is not TypeKind.SIGNED or not mask:
        return field
    if not word.possible >> start & (mask + 1 >> 1):
        return field
    if ((w[2].constant or 0) & 255) > mask.bit_length():
        return None  # the field's sign is that of the whole word
    return _signed(field, mask.bit_length())


def _insert(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    place = field_of(w[2].constant, w[3].constant, _width(i))
    if place is None:
        return None
    start, mask = place
    upper, lower = _cut(i, w[:2])
    replaced = _field(s[1], lower, start, mask)
    return s[1] + (_field(s[0], upper, 0, mask) - replaced) * number(1 << start)


def _lookup(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    """``lop3`` as the ``xor`` of products of its inputs, where no bit may be one in two of them."""
    table = w[3].constant
    if table is None or len(s) != _LOOKED_UP or "BoolOp" in i.operation.modifiers:
        return None
    words, taken = _cut(i, w[:3]), 0
    total = number(0)
    for entry in range(8):
        # whether the product of these inputs is part: the parity of the table below them
        below = [e for e in range(8) if e & ~entry == 0]
        if not sum(table >> e & 1 for e in below) & 1:
            continue
        chosen = [k for k in range(3) if entry & 4 >> k]
        if not chosen:
            return None
        possible = words[0].full
        for k in chosen:
            possible &= words[k].possible
        if possible & taken:
            return None
        taken |= possible
        if possible:
            total = total + _product([s[k] for k in chosen], [words[k] for k in chosen])
    return total


_LOOKED_UP = 4
"""Sources of ``lop3``: three numbers and the table."""


def _product(values: list[Expression], words: list[KnownWord]) -> Expression:
    """The ``and`` of some values; a mask that takes nothing away is left out."""
    possible = words[0].full
    for word in words:
        possible &= word.possible
    open_ = [
        (v, word) for v, word in zip(values, words, strict=True) if word.ones & possible != possible
    ]
    if not open_:
        return number(possible)
    value, left = open_[0][0], words[0].full
    for other, _ in open_[1:]:
        value = apply("and", value, other)
    for _, word in open_:
        left &= word.possible
    return apply("and", value, number(possible)) if left & ~possible else value


def _funnel(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    amount, words = w[2].constant, i.operation.modifiers
    if amount is None:
        return None
    amount = amount & 31 if "wrap" in words else min(amount, 32)
    right = 32 - amount if "l" in words else amount  # of the 64 bits
    low, high = _cut(i, w[:2])
    if right == 32:
        return s[1]
    if right == 0:
        return s[0]
    upper = _field(s[1], high, 0, (1 << right) - 1)
    return _field(s[0], low, right, (1 << 32 - right) - 1) + upper * number(1 << 32 - right)


def _permute(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    """``prmt`` of a fixed selection without signs: runs of bytes, each moved as one field."""
    selector = w[2].constant
    if selector is None or len(i.operation.modifiers) > 1 or selector & 0x8888:
        return None
    words = _cut(i, w[:2])
    chosen = [selector >> 4 * k & 7 for k in range(4)]
    total, place = number(0), 0
    while place < 4:
        end = place + 1
        while end < 4 and chosen[end] == chosen[end - 1] + 1 and chosen[end] != 4:
            end += 1
        source, start = divmod(chosen[place], 4)
        mask = (1 << 8 * (end - place)) - 1
        field = _field(s[source], words[source], 8 * start, mask)
        total = total + field * number(1 << 8 * place)
        place = end
    return total


def packed(parts: list[tuple[Expression, KnownWord]], bits: int) -> Expression | None:
    """Words side by side as one, the lowest first; None where they are no such words."""
    if any(word.bits * len(parts) != bits for _, word in parts):
        return None
    total = number(0)
    for place, (value, word) in enumerate(parts):
        is_top = place == len(parts) - 1
        plain = is_top or word.is_natural
        low = value if plain else apply("and", value, number(word.full))
        total = total + low * number(1 << place * word.bits)
    return total


def unpacked(value: Expression, word: KnownWord, place: int, bits: int) -> Expression:
    """One of the words, of so many bits each, that stand side by side in another."""
    start = place * bits
    _, rest = split(value, 1 << start + bits)  # what lies above is cut off
    return _field(rest, word, start, word.full >> start) if start else rest


def _select(_: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
    chosen = w[2].constant
    if chosen is None:
        return s[0] if s[0] == s[1] else None
    return s[0 if chosen else 1]


def _extreme(name: str) -> Rule:
    def rule(i: Instruction, s: list[Expression], w: list[KnownWord]) -> Expression | None:
        if len(w) != 2:
            return None
        signed, bits = i.operation.types[0].kind is TypeKind.SIGNED, _width(i)
        a, b = (resized(word, bits, signed=signed).bounds(signed=signed) for word in w)
        below = a[1] <= b[0]
        if below or b[1] <= a[0]:
            return s[0 if below == (name == "min") else 1]
        return None

    return rule


BIT_RULES: dict[str, Rule] = {
    "and": _settled(_and),
    "or": _joined("or"),
    "xor": _joined("xor"),
    "lop3": _settled(_lookup),
    "shl": _shift_left,
    "shr": _settled(_shift_right),
    "shf": _funnel,
    "bfe": _settled(_extract),
    "bfi": _settled(_insert),
    "prmt": _permute,
    "selp": _select,
    "min": _extreme("min"),
    "max": _extreme("max"),
}
"""Formula rule of each bit operation, by its name; None where it stays as it is."""


# Values that memory holds in pieces: bytes of one that others are made of.


def composed(
    parts: Sequence[tuple[SlotPart, Expression]], old: Expression | None, size: int
) -> Expression:
    """Value that parts, lowest first, make in so many bytes; other bytes stay as in ``old``."""
    total, place = number(0), 0
    for part, value in (*parts, (None, None)):
        end = size if part is None else part.at
        if end > place and old is not None:
            total = total + _field_of(old, place, end, size, ends=end == size) * _unit(place)
        if part is None or value is None:
            break
        place = part.at + part.size
        field = _field_of(value, part.first, part.first + part.size, part.of, ends=place == size)
        total = total + field * _unit(part.at)
    return _rejoined(total)


def _unit(place: int) -> Expression:
    return number(1 << 8 * place)


def _field_of(value: Expression, start: int, end: int, size: int, *, ends: bool) -> Expression:
    """Bytes of a value of ``size`` bytes; the last ones with its sign where they end."""
    mask = number((1 << 8 * (end - start)) - 1)
    if start and value == apply("and", value, number((1 << 8 * start) - 1)):
        return number(0)
    moved = apply("floordiv", value, _unit(start)) if start else value
    return moved if ends and end == size else apply("and", moved, mask)


def _rejoined(total: Expression) -> Expression:
    """Sum with the low and the high part of one value joined again."""
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
