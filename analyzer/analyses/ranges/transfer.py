"""Transfer functions of integer operations on known words: one table, by the operation's name.

A rule gets the operation and its sources, each as wide as the operation's type says, and gives a
word of the result's width. What has no rule gives a word of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.analyses.ranges.domain import (
    KnownWord,
    anything,
    exactly,
    joined,
    known,
    resized,
)
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Type, TypeKind

Rule = Callable[[Operation, list[KnownWord]], KnownWord]


def result_word(operation: Operation, sources: list[KnownWord], bits: int) -> KnownWord:
    """Known word of a result that goes into a register of so many bits."""
    rule = RULES.get(operation.name)
    types = operation.types
    if rule is None or not types or not all(_is_plain(t) for t in types):
        return anything(bits)
    if not _EXCLUDED.isdisjoint(operation.modifiers):
        return anything(bits)
    word = rule(operation, sources)
    return resized(word, bits, signed=types[0].kind is TypeKind.SIGNED)


_EXCLUDED = frozenset({"sat", "cc", "relu"})
"""Modifiers of another operation than the plain one."""


def _is_plain(type_: Type) -> bool:
    """Whether a type is one integer or truth value of at most 64 bits."""
    whole = type_.is_integer or type_.kind is TypeKind.PREDICATE
    return whole and type_.lanes == 1 and type_.bits <= 64


def _cut(operation: Operation, word: KnownWord) -> KnownWord:
    """The word as the operation reads it: of its type's width."""
    type_ = operation.types[-1] if operation.name == "cvt" else operation.types[0]
    return resized(word, type_.bits, signed=_is_signed(operation))


def _is_signed(operation: Operation) -> bool:
    return operation.types[0].kind is TypeKind.SIGNED


# -- sums and products ------------------------------------------------------------------------


def _sum(a: KnownWord, b: KnownWord, carry: int = 0) -> KnownWord:
    """``a + b + carry``: bits are known as far as those below and their carries are."""
    full = a.full
    most = (a.possible + b.possible + carry) & full
    least = (a.ones + b.ones + carry) & full
    # a carry into a bit is known where the sum of all possible bits, or of the sure ones, tells it
    carry_known = ~(most ^ a.zeros ^ b.zeros) | least ^ a.ones ^ b.ones
    settled = (a.zeros | a.ones) & (b.zeros | b.ones) & carry_known & full
    return known(
        a.bits,
        ~most & settled & full,
        least & settled,
        (a.low + b.low + carry, a.high + b.high + carry),
        (a.least + b.least + carry, a.most + b.most + carry),
    )


def moved(a: KnownWord, offset: int) -> KnownWord:
    """The word with a number added."""
    return _sum(a, exactly(a.bits, offset)) if offset else a


def inverted(a: KnownWord) -> KnownWord:
    """The word with every bit turned."""
    full = a.full
    return KnownWord(
        a.bits, a.ones, a.zeros, full - a.high, full - a.low, -1 - a.most, -1 - a.least
    )


def _difference(a: KnownWord, b: KnownWord) -> KnownWord:
    found = _sum(a, inverted(b), 1)
    return known(
        a.bits,
        found.zeros,
        found.ones,
        (a.low - b.high, a.high - b.low),
        (a.least - b.most, a.most - b.least),
    )


def _product(a: KnownWord, b: KnownWord) -> KnownWord:
    low = min(a.known_low, b.known_low)
    mask = (1 << low) - 1
    value = a.ones * b.ones & mask
    zeros = mask & ~value
    zeros |= (1 << min(a.trailing_zeros + b.trailing_zeros, a.bits)) - 1
    corners = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
    return known(
        a.bits,
        zeros,
        value & ~zeros,
        (a.low * b.low, a.high * b.high),
        (min(corners), max(corners)),
    )


def _add(operation: Operation, s: list[KnownWord]) -> KnownWord:
    return _sum(_cut(operation, s[0]), _cut(operation, s[1]))


def _subtract(operation: Operation, s: list[KnownWord]) -> KnownWord:
    return _difference(_cut(operation, s[0]), _cut(operation, s[1]))


def _negate(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a = _cut(operation, s[0])
    return _difference(exactly(a.bits, 0), a)


def _absolute(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a = _cut(operation, s[0])
    if a.least >= 0:
        return a
    least = 0 if a.most >= 0 else -a.most
    return known(a.bits, unsigned=(least, max(-a.least, a.most)))


def _multiply(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a, b = (_cut(operation, word) for word in s[:2])
    if "lo" in operation.modifiers or {"wide", "hi"}.isdisjoint(operation.modifiers):
        return _product(a, b)
    signed, bits = _is_signed(operation), a.bits
    whole = _product(*(resized(word, 2 * bits, signed=signed) for word in (a, b)))
    return whole if "wide" in operation.modifiers else _upper(whole, bits, signed=signed)


def _upper(whole: KnownWord, bits: int, *, signed: bool) -> KnownWord:
    """The upper half of a word."""
    return resized(_shifted_right(whole, bits, signed=signed), bits, signed=signed)


def _multiply_add(operation: Operation, s: list[KnownWord]) -> KnownWord:
    product = _multiply(operation, s)
    return _sum(product, resized(s[2], product.bits, signed=_is_signed(operation)))


def _multiply_24(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a, b = (_cut(operation, word) for word in s[:2])
    narrow = _is_signed(operation) and min(a.least, b.least) < -(1 << 23)
    if narrow or max(a.high, b.high) >= 1 << 23 or "hi" in operation.modifiers:
        return anything(a.bits)
    product = _product(a, b)
    return product if operation.name == "mul24" else _sum(product, _cut(operation, s[2]))


def _address(_: Operation, s: list[KnownWord]) -> KnownWord:
    """Base + index * scale + offset, in 64 bits."""
    base, index, scale, offset = (resized(word, 64, signed=True) for word in s)
    return _sum(_sum(base, _product(index, scale)), offset)


# -- bits -------------------------------------------------------------------------------------


def _and(a: KnownWord, b: KnownWord) -> KnownWord:
    return known(a.bits, a.zeros | b.zeros, a.ones & b.ones, (0, min(a.high, b.high)))


def _or(a: KnownWord, b: KnownWord) -> KnownWord:
    most = (1 << max(a.high, b.high).bit_length()) - 1
    return known(a.bits, a.zeros & b.zeros, a.ones | b.ones, (max(a.low, b.low), most))


def _xor(a: KnownWord, b: KnownWord) -> KnownWord:
    most = (1 << max(a.high, b.high).bit_length()) - 1
    zeros = a.zeros & b.zeros | a.ones & b.ones
    return known(a.bits, zeros, a.zeros & b.ones | a.ones & b.zeros, (0, most))


def _bitwise(function: Callable[[KnownWord, KnownWord], KnownWord]) -> Rule:
    return lambda operation, s: function(_cut(operation, s[0]), _cut(operation, s[1]))


def _invert(operation: Operation, s: list[KnownWord]) -> KnownWord:
    return inverted(_cut(operation, s[0]))


def _lookup(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """``lop3``: the table says for each of the eight inputs of a bit what it becomes."""
    table = s[3].constant
    a, b, c = (_cut(operation, word) for word in s[:3])
    if table is None or "BoolOp" in operation.modifiers:
        return anything(a.bits)
    may_be = [0, 0]
    for entry in range(8):
        possible = a.full
        for word, bit in ((a, 4), (b, 2), (c, 1)):
            possible &= ~word.zeros if entry & bit else ~word.ones
        may_be[table >> entry & 1] |= possible
    return known(a.bits, a.full & ~may_be[1], a.full & ~may_be[0])


def _shifted_left(a: KnownWord, places: int) -> KnownWord:
    if places >= a.bits:
        return exactly(a.bits, 0)
    zeros = (a.zeros << places | (1 << places) - 1) & a.full
    return known(
        a.bits,
        zeros,
        a.ones << places & a.full,
        (a.low << places, a.high << places),
        (a.least << places, a.most << places),
    )


def _shifted_right(a: KnownWord, places: int, *, signed: bool) -> KnownWord:
    if signed:
        places = min(places, a.bits - 1)
        above = a.full & ~(a.full >> places)
        top = a.full + 1 >> 1
        zeros = a.zeros >> places | (above if a.zeros & top else 0)
        ones = a.ones >> places | (above if a.ones & top else 0)
        return known(a.bits, zeros, ones, None, (a.least >> places, a.most >> places))
    if places >= a.bits:
        return exactly(a.bits, 0)
    above = a.full & ~(a.full >> places)
    return known(
        a.bits,
        a.zeros >> places | above,
        a.ones >> places,
        (a.low >> places, a.high >> places),
    )


_MOST_PLACES = 8
"""Shift amounts that are tried one by one."""


def _shift(one: Callable[[KnownWord, int], KnownWord], a: KnownWord, by: KnownWord) -> KnownWord:
    """Join what each of a few shift amounts gives."""
    if by.high - by.low >= _MOST_PLACES:
        return anything(a.bits)
    return joined(*(one(a, places) for places in range(by.low, by.high + 1)))


def _shift_left(operation: Operation, s: list[KnownWord]) -> KnownWord:
    return _shift(_shifted_left, _cut(operation, s[0]), s[1])


def _shift_right(operation: Operation, s: list[KnownWord]) -> KnownWord:
    signed = _is_signed(operation)
    a = _cut(operation, s[0])
    if s[1].high - s[1].low >= _MOST_PLACES:  # the more it moves, the nearer to zero it comes
        least, most = a.bounds(signed=signed)
        nearer = (min(least, 0), max(most, 0 if least >= 0 else -1))
        return known(a.bits, signed=nearer) if signed else known(a.bits, unsigned=nearer)
    return _shift(lambda word, n: _shifted_right(word, n, signed=signed), a, s[1])


def _funnel(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """``shf``: a word out of two, the low one first, by the amount modulo 32 or at most 32."""
    low, high = (_cut(operation, word) for word in s[:2])
    amount, words = s[2].constant, operation.modifiers
    if amount is None:
        return anything(low.bits)
    amount = amount & 31 if "wrap" in words else min(amount, 32)
    both = _or(
        resized(low, 64, signed=False),
        _shifted_left(resized(high, 64, signed=False), 32),
    )
    if "l" in words:
        return resized(
            _shifted_right(_shifted_left(both, amount), 32, signed=False), 32, signed=False
        )
    return resized(_shifted_right(both, amount, signed=False), 32, signed=False)


def _field(a: KnownWord, start: int, length: int, *, signed: bool) -> KnownWord:
    """A field of bits at a place, in the lowest ones."""
    if length == 0:
        return exactly(a.bits, 0)
    start, length = min(start, a.bits), min(length, a.bits)
    moved = _shifted_right(a, start, signed=signed)
    if length == a.bits:
        return moved
    if not signed:
        return _and(moved, exactly(a.bits, (1 << length) - 1))
    return resized(resized(moved, length, signed=True), a.bits, signed=True)


def _extract(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """``bfe``: only the lowest bytes of place and length count."""
    a = _cut(operation, s[0])
    start, length = s[1].constant, s[2].constant
    if start is not None and length is not None:
        return _field(a, start & 255, length & 255, signed=_is_signed(operation))
    if _is_signed(operation) or s[2].high > 255:
        return anything(a.bits)
    longest = min(s[2].high, a.bits)
    return known(a.bits, unsigned=(0, (1 << longest) - 1))


def _insert(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """``bfi``: the low bits of the first source at a place of the second one."""
    a, b = (_cut(operation, word) for word in s[:2])
    place = field_of(s[2].constant, s[3].constant, a.bits)
    if place is None:
        return anything(a.bits)
    mask = place[1] << place[0]
    kept = _and(b, exactly(a.bits, ~mask))
    return _or(kept, _and(_shifted_left(a, place[0]), exactly(a.bits, mask)))


def field_of(start: int | None, length: int | None, bits: int) -> tuple[int, int] | None:
    """First bit of a field, and a mask of its length that fits the word."""
    if start is None or length is None:
        return None
    start, length = start & 255, length & 255
    length = min(length, max(bits - start, 0))
    return (start if length else 0), (1 << length) - 1


def _mask(operation: Operation, s: list[KnownWord]) -> KnownWord:
    start, length = s[0].constant, s[1].constant
    if start is None or length is None or "wrap" in operation.modifiers:
        return anything(32)
    start, length = min(start, 32), min(length, 32)
    return exactly(32, ((1 << length) - 1) << start)


def _extend(operation: Operation, s: list[KnownWord]) -> KnownWord:
    length = s[1].constant
    a = _cut(operation, s[0])
    if length is None:
        return anything(a.bits)
    length = length & 31 if "wrap" in operation.modifiers else min(length, 32)
    return _field(a, 0, length, signed=_is_signed(operation))


def _permute(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """``prmt``: four bytes out of eight, each with a sign's copies where bit 3 says so."""
    selector = s[2].constant
    if selector is None or not _PERMUTED.isdisjoint(operation.modifiers):
        return anything(32)
    a, b = (resized(_cut(operation, word), 64, signed=False) for word in s[:2])
    bytes_ = _or(a, _shifted_left(b, 32))
    result = exactly(32, 0)
    for place in range(4):
        choice = selector >> 4 * place & 15
        byte = _field(bytes_, 8 * (choice & 7), 8, signed=False)
        if choice & 8:
            sign = _shifted_right(resized(byte, 8, signed=False), 7, signed=True)
            byte = resized(sign, 64, signed=False)
        result = _or(result, resized(_shifted_left(byte, 8 * place), 32, signed=False))
    return result


_PERMUTED = frozenset({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
"""Modes of ``prmt`` that read the selector in another way."""


def _reverse(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a = _cut(operation, s[0])
    zeros, ones = (int(f"{mask:0{a.bits}b}"[::-1], 2) for mask in (a.zeros, a.ones))
    return known(a.bits, zeros, ones)


def _count(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a = _cut(operation, s[0])
    return known(32, unsigned=(a.ones.bit_count(), a.possible.bit_count()))


def _leading_zeros(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a = _cut(operation, s[0])
    return known(32, unsigned=(a.bits - a.high.bit_length(), a.bits - a.low.bit_length()))


def _find(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """``bfind``: all ones where there is no bit."""
    a = _cut(operation, s[0])
    if a.low == 0 or "shiftamt" in operation.modifiers or (_is_signed(operation) and a.least < 0):
        return known(32, signed=(-1, a.bits - 1))
    return known(32, unsigned=(a.low.bit_length() - 1, a.high.bit_length() - 1))


# -- divisions and choices --------------------------------------------------------------------


def _are_natural(operation: Operation, a: KnownWord, b: KnownWord) -> bool:
    """Whether a number of no sign is divided by one that is not 0, which gives all ones."""
    return b.low > 0 and not (_is_signed(operation) and (a.least < 0 or b.least <= 0))


def _divide(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a, b = (_cut(operation, word) for word in s[:2])
    if not _are_natural(operation, a, b):
        return anything(a.bits)
    power = b.constant
    if power is not None and power & (power - 1) == 0:
        return _shifted_right(a, power.bit_length() - 1, signed=False)
    return known(a.bits, unsigned=(a.low // b.high, a.high // b.low))


def _remainder(operation: Operation, s: list[KnownWord]) -> KnownWord:
    a, b = (_cut(operation, word) for word in s[:2])
    if not _are_natural(operation, a, b):
        return anything(a.bits)
    power = b.constant
    if power is not None and power & (power - 1) == 0:
        return _and(a, exactly(a.bits, power - 1))
    if a.high < b.low:
        return a
    if power is not None and a.low // power == a.high // power:  # the same multiple is taken away
        return moved(a, -(a.low - a.low % power))
    return known(a.bits, unsigned=(0, min(a.high, b.high - 1)))


def _extreme(choose: Callable[[int, int], int]) -> Rule:
    def rule(operation: Operation, s: list[KnownWord]) -> KnownWord:
        a, b = (_cut(operation, word) for word in s[:2])
        both, signed = joined(a, b), _is_signed(operation)
        first, second = a.bounds(signed=signed), b.bounds(signed=signed)
        bounds = (choose(first[0], second[0]), choose(first[1], second[1]))
        unsigned = (both.low, both.high) if signed else bounds
        return known(
            a.bits, both.zeros, both.ones, unsigned, bounds if signed else (both.least, both.most)
        )

    return rule


def packed(words: list[KnownWord]) -> KnownWord:
    """The words side by side as one, the lowest first."""
    bits = sum(word.bits for word in words)
    total, place = exactly(bits, 0), 0
    for word in words:
        wide = resized(word, bits, signed=False)
        total = _or(total, _shifted_left(wide, place))
        place += word.bits
    return total


def unpacked(word: KnownWord, place: int, bits: int) -> KnownWord:
    """One of the words, of so many bits each, that stand side by side in another."""
    return resized(_shifted_right(word, place * bits, signed=False), bits, signed=False)


def _select(operation: Operation, s: list[KnownWord]) -> KnownWord:
    sides = [_cut(operation, word) for word in s[:2]]
    chosen = s[2].constant
    return joined(*sides) if chosen is None else sides[0 if chosen else 1]


def _copy(operation: Operation, s: list[KnownWord]) -> KnownWord:
    return _cut(operation, s[0])


def _convert(operation: Operation, s: list[KnownWord]) -> KnownWord:
    if len(operation.types) != 2 or len(s) > 1:
        return anything(operation.types[0].bits)
    to, source = operation.types
    signed = source.kind is TypeKind.SIGNED
    cut = resized(s[0], source.bits, signed=signed)
    return resized(cut, to.bits, signed=signed)


def _compare(operation: Operation, s: list[KnownWord]) -> KnownWord:
    """A comparison of which the bounds decide; two sources only."""
    types = operation.types
    if len(s) != 2 or len(types) != 1 or types[0].kind is TypeKind.PREDICATE:
        return anything(1)
    word = next((w for w in operation.modifiers if w in _SENSES), None)
    if word is None:
        return anything(1)
    a, b = (_cut(operation, word) for word in s)
    holds = _decided(word, a, b, signed=_is_signed(operation) and word not in _UNSIGNED_SENSES)
    return anything(1) if holds is None else exactly(1, holds)


_SENSES = {
    "lt": "lt", "lo": "lt", "le": "le", "ls": "le", "gt": "gt", "hi": "gt", "ge": "ge", "hs": "ge",
    "eq": "eq", "ne": "ne",
}  # fmt: skip
_UNSIGNED_SENSES = frozenset({"lo", "ls", "hi", "hs"})


def _decided(word: str, a: KnownWord, b: KnownWord, *, signed: bool) -> bool | None:
    sense = _SENSES[word]
    if sense in ("eq", "ne"):
        differ = bool(a.ones & b.zeros | a.zeros & b.ones) or a.high < b.low or b.high < a.low
        if not differ and (a.constant is None or a.constant != b.constant):
            return None
        return differ == (sense == "ne")
    if sense in ("gt", "ge"):
        sense, a, b = ("lt" if sense == "gt" else "le"), b, a
    (low_a, high_a), (low_b, high_b) = a.bounds(signed=signed), b.bounds(signed=signed)
    if sense == "lt":
        return True if high_a < low_b else False if low_a >= high_b else None
    return True if high_a <= low_b else False if low_a > high_b else None


RULES: dict[str, Rule] = {
    "mov": _copy,
    "cvta": _copy,
    "cvt": _convert,
    "add": _add,
    "sub": _subtract,
    "neg": _negate,
    "abs": _absolute,
    "mul": _multiply,
    "mad": _multiply_add,
    "mul24": _multiply_24,
    "mad24": _multiply_24,
    "lea": _address,
    "and": _bitwise(_and),
    "or": _bitwise(_or),
    "xor": _bitwise(_xor),
    "not": _invert,
    "lop3": _lookup,
    "shl": _shift_left,
    "shr": _shift_right,
    "shf": _funnel,
    "bfe": _extract,
    "bfi": _insert,
    "bmsk": _mask,
    "szext": _extend,
    "prmt": _permute,
    "brev": _reverse,
    "popc": _count,
    "clz": _leading_zeros,
    "bfind": _find,
    "div": _divide,
    "rem": _remainder,
    "min": _extreme(min),
    "max": _extreme(max),
    "selp": _select,
    "setp": _compare,
}
"""Transfer function of each operation, by its name."""
