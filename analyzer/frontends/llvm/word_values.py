"""Values as words of 64 bits: narrow ones packed into them, and integers that take several.

Vectors of ``i1`` and of other odd widths lie so in memory, and a bit cast between values of
different make-up goes by way of such words. The first value is in the lowest bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm.context import float_of, is_predicate
from warpmill.analyzer.frontends.llvm.types import (
    BOOL,
    FloatType,
    IntType,
    Scalar,
    Type,
    Unsupported,
    VectorType,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Operand, Reg

WORD_BITS = 64


class PackedWord(NamedTuple):
    """``bits`` bits, the upper ones of its register of ``width`` bits are zero."""

    operand: Operand
    bits: int
    width: int


def container(bits: int) -> int:
    """The width of the narrowest register for so many bits."""
    return next(w for w in (8, 16, 32, 64) if bits <= w)


def word_sizes(bits: int) -> list[int]:
    """How many bits each word of a value has."""
    return [min(WORD_BITS, bits - start) for start in range(0, bits, WORD_BITS)]


def pack(low: Lowering, parts: Sequence[Operand], leaves: Sequence[Scalar]) -> list[PackedWord]:
    """Words that hold values side by side."""
    sizes = [low.layout.scalar_bits(leaf) for leaf in leaves]
    words = [PackedWord(Imm(0), n, container(n)) for n in word_sizes(sum(sizes))]
    start = 0
    for part, leaf, bits in zip(parts, leaves, sizes, strict=True):
        _put(low, words, as_integer(low, part, leaf), BitField(start, bits), low.module.width(leaf))
        start += bits
    return words


class BitField(NamedTuple):
    """A field: its first bit and its size."""

    start: int
    bits: int


def as_integer(low: Lowering, part: Operand, leaf: Scalar) -> Operand:
    """A scalar's bits as an integer operand; of ``i1`` 0 or 1."""
    if is_predicate(leaf):
        if isinstance(part, Imm):
            return Imm(part.value & 1)
        return low.builder.compute("selp.b8", "b8", Imm(1), Imm(0), part)
    if isinstance(part, FloatImm):
        return Imm(part.bits)
    if isinstance(leaf, FloatType):
        width = low.module.width(leaf)
        return low.builder.compute(f"mov.b{width}", f"b{width}", part)
    if isinstance(part, Imm):
        return Imm(part.value & ((1 << low.layout.scalar_bits(leaf)) - 1))
    return part


def _put(
    low: Lowering, words: list[PackedWord], value: Operand, place: BitField, width: int
) -> None:
    """Add a field to the words that it lies in: one, or two."""
    width = max(width, 8)
    done = 0
    while done < place.bits:
        number, at = divmod(place.start + done, WORD_BITS)
        into = words[number].width
        part = value
        if done:
            part = _shifted(low, "shr.u", value, width, done)
        part = _resized(low, part, width, into)
        part = _shifted(low, "shl.b", part, into, at)
        words[number] = words[number]._replace(
            operand=_joined(low, words[number].operand, part, into)
        )
        done += WORD_BITS - at


def _joined(low: Lowering, left: Operand, right: Operand, width: int) -> Operand:
    if left == Imm(0):
        return right
    if right == Imm(0):
        return left
    if isinstance(left, Imm) and isinstance(right, Imm):
        return Imm(left.value | right.value)
    return low.builder.compute(f"or.b{width}", f"b{width}", left, right)


def _shifted(low: Lowering, opcode: str, value: Operand, width: int, amount: int) -> Operand:
    if amount == 0:
        return value
    if isinstance(value, Imm):
        moved = value.value << amount if opcode == "shl.b" else value.value >> amount
        return Imm(moved & ((1 << width) - 1))
    return low.builder.compute(f"{opcode}{width}", f"b{width}", value, Imm(amount))


def _resized(low: Lowering, value: Operand, width: int, into: int) -> Operand:
    if isinstance(value, Imm):
        return Imm(value.value & ((1 << into) - 1))
    if width == into:
        return value
    return low.builder.resize(None, value, into, width, "u")


def field(low: Lowering, words: Sequence[PackedWord], place: BitField, width: int = 0) -> Operand:
    """The bits of a field, zero above, in a register of ``width``, or that ``container`` tells."""
    number, at = divmod(place.start, WORD_BITS)
    word = words[number]
    into = width or container(place.bits)
    value = _shifted(low, "shr.u", word.operand, word.width, at)
    here = min(place.bits, word.bits - at)
    value = _resized(low, value, word.width, into)
    if here < place.bits:
        rest = field(low, words, BitField(place.start + here, place.bits - here))
        rest = _resized(low, rest, container(place.bits - here), into)
        return _joined(low, value, _shifted(low, "shl.b", rest, into, here), into)
    exact = at + place.bits == word.bits or place.bits == into
    return value if exact else masked(low, value, into, place.bits)


def masked(low: Lowering, value: Operand, width: int, bits: int) -> Operand:
    """The lowest bits of a value."""
    mask = (1 << bits) - 1
    if isinstance(value, Imm):
        return Imm(value.value & mask)
    return low.builder.compute(f"and.b{width}", f"b{width}", value, Imm(mask))


def unpack(
    low: Lowering, words: Sequence[PackedWord], leaves: Sequence[Scalar], results: Sequence[Reg]
) -> None:
    """Take values out of words, one after the other, into their registers."""
    start = 0
    for leaf, to in zip(leaves, results, strict=True):
        bits = low.layout.scalar_bits(leaf)
        if is_predicate(leaf):
            _test_bit(low, words, start, to)
        else:
            low.builder.move(to, field(low, words, BitField(start, bits), low.module.width(leaf)))
        start += bits


def _test_bit(low: Lowering, words: Sequence[PackedWord], start: int, to: Reg) -> None:
    number, at = divmod(start, WORD_BITS)
    word = words[number]
    width = word.width
    if isinstance(word.operand, Imm):
        low.builder.move(to, Imm(word.operand.value >> at & 1))
        return
    bit = low.builder.compute(f"and.b{width}", f"b{width}", word.operand, Imm(1 << at))
    low.emit(f"setp.ne.b{width}", to, bit, Imm(0))


def is_odd(low: Lowering, scalar: Scalar) -> bool:
    """Whether it is an integer, ``i1`` apart, that is narrower than its register."""
    return (
        isinstance(scalar, IntType)
        and scalar is not BOOL
        and low.module.width(scalar) != scalar.bits
    )


def sign_extended(low: Lowering, value: Operand, scalar: Scalar) -> Operand:
    """An odd integer with its sign in all upper bits of its register."""
    width, bits = low.module.width(scalar), low.layout.scalar_bits(scalar)
    if isinstance(value, Imm):
        number = value.value & ((1 << bits) - 1)
        return Imm(number - (1 << bits) if number >> (bits - 1) else number)
    left = low.builder.compute(f"shl.b{width}", f"b{width}", value, Imm(width - bits))
    return low.builder.compute(f"shr.s{width}", f"b{width}", left, Imm(width - bits))


# Arithmetic on integers beyond 64 bits, on the words that they are kept in.
#
# The lowest word comes first. A last word that is not full holds zeros above. Additions and
# multiplications are the carry chains that PTX has for this.

_TABLE = data_table("instructions.toml")
_BITWISE = ("and", "or", "xor")


def element_of(low: Lowering, type_: Type) -> Type:
    """The type of a vector's elements, or the type itself."""
    resolved = low.layout.resolve(type_)
    return low.layout.resolve(resolved.element) if isinstance(resolved, VectorType) else resolved


def is_wide(low: Lowering, type_: Type) -> bool:
    """Whether it is an integer beyond 64 bits, or a vector of such."""
    element = element_of(low, type_)
    return isinstance(element, IntType) and element.bits > WORD_BITS


def bits_of(low: Lowering, type_: Type) -> int:
    """The bits of a wide integer or of one element of a vector of such."""
    element = element_of(low, type_)
    if not isinstance(element, IntType):
        raise Unsupported("a value that is no integer")
    return element.bits


def chunks(parts: Sequence[Operand], bits: int) -> list[tuple[Operand, ...]]:
    """A vector's words, element by element."""
    step = len(word_sizes(bits))
    return [tuple(parts[k : k + step]) for k in range(0, len(parts), step)]


def binary(low: Lowering, opcode: str, bits: int, a: Words, b: Words) -> list[Operand]:
    """The words of ``a opcode b``; raise Unsupported where there is no way."""
    if opcode in _BITWISE:
        return [_compute(low, f"{opcode}.b64", x, y) for x, y in zip(a, b, strict=True)]
    match opcode:
        case "add" | "sub":
            found = _chain(low, opcode, a, b)
        case "mul":
            found = _product(low, a, b)
        case "shl" | "lshr" | "ashr":
            return _shift(low, opcode, bits, a, b)
        case _:
            raise Unsupported(f"`{opcode}` of {bits} bits")
    return trimmed(low, found, bits)


Words = Sequence[Operand]


def trimmed(low: Lowering, words: Words, bits: int) -> list[Operand]:
    """Words with zeros above the value's bits."""
    last = word_sizes(bits)[-1]
    if last == WORD_BITS:
        return list(words)
    return [*words[:-1], masked(low, words[-1], 64, last)]


def extended(low: Lowering, words: Words, bits: int) -> list[Operand]:
    """Words with the sign in the bits above the value's."""
    last = word_sizes(bits)[-1]
    if last == WORD_BITS:
        return list(words)
    left = _compute(low, "shl.b64", words[-1], Imm(WORD_BITS - last))
    return [*words[:-1], _compute(low, "shr.s64", left, Imm(WORD_BITS - last))]


def _compute(low: Lowering, opcode: str, *sources: Operand) -> Reg:
    return low.builder.compute(opcode, "b64", *sources)


def _chain(low: Lowering, opcode: str, a: Words, b: Words) -> list[Operand]:
    """Sum or difference with the carry from word to word."""
    found: list[Operand] = []
    for k, (x, y) in enumerate(zip(a, b, strict=True)):
        carry_in, carry_out = "c" if k else "", ".cc" if k < len(a) - 1 else ""
        found.append(_compute(low, f"{opcode}{carry_in}{carry_out}.s64", x, y))
    return found


def _product(low: Lowering, a: Words, b: Words) -> list[Operand]:
    """All products of words that matter, low halves and high halves added at their places."""
    count = len(a)
    total: list[Operand] = [Imm(0)] * count
    for i, x in enumerate(a):
        for half, moved in (("lo", 0), ("hi", 1)):
            start = i + moved
            row: list[Operand] = [
                Imm(0) if Imm(0) in (x, y) else _compute(low, f"mul.{half}.u64", x, y)
                for y in b[: count - start]
            ]
            if row:
                first = all(t == Imm(0) for t in total[start:])
                total[start:] = row if first else _chain(low, "add", total[start:], row)
    return total


def _shift(low: Lowering, opcode: str, bits: int, a: Words, b: Words) -> list[Operand]:
    words = extended(low, a, bits) if opcode == "ashr" else list(a)
    if isinstance(b[0], Imm):
        found = _shift_by_constant(low, opcode, words, b[0].value)
    else:
        found = _shift_by_register(low, opcode, words, b[0])
    return trimmed(low, found, bits)


def _fill(low: Lowering, opcode: str, words: Words) -> Operand:
    """Bits that come in at the end of a shift."""
    if opcode != "ashr":
        return Imm(0)
    return _compute(low, "shr.s64", words[-1], Imm(WORD_BITS - 1))


def _shift_by_constant(low: Lowering, opcode: str, words: Words, amount: int) -> list[Operand]:
    far, near = divmod(amount, WORD_BITS)
    fill = _fill(low, opcode, words)
    moved = _moved(opcode, words, far, fill)
    return moved if near == 0 else _near(low, opcode, moved, Imm(near), fill)


def _moved(opcode: str, words: Words, far: int, fill: Operand) -> list[Operand]:
    """Words moved by whole words."""
    count = len(words)
    sources = [k - far if opcode == "shl" else k + far for k in range(count)]
    return [words[s] if 0 <= s < count else fill for s in sources]


def _near(
    low: Lowering, opcode: str, words: Words, amount: Operand, fill: Operand
) -> list[Operand]:
    """Words shifted by less than one; shifts by 64 give 0, as PTX has it."""
    if isinstance(amount, Imm):
        back: Operand = Imm(WORD_BITS - amount.value)
    else:
        back = low.builder.compute("sub.s32", "b32", Imm(WORD_BITS), amount)
    down, up = ("shl.b64", "shr.u64") if opcode == "shl" else ("shr.u64", "shl.b64")
    found: list[Operand] = []
    for k, word in enumerate(words):
        neighbour = k - 1 if opcode == "shl" else k + 1
        other = words[neighbour] if 0 <= neighbour < len(words) else fill
        own = _compute(low, down, word, amount) if word != Imm(0) else Imm(0)
        if other == Imm(0):
            found.append(own)
            continue
        carried = _compute(low, up, other, back)
        found.append(carried if own == Imm(0) else _compute(low, "or.b64", own, carried))
    return found


def _shift_by_register(
    low: Lowering, opcode: str, words: list[Operand], amount: Operand
) -> list[Operand]:
    """Whole words by selections on the amount's upper bits, then the rest."""
    fill = _fill(low, opcode, words)
    count = low.builder.resize(None, amount, 32, 64, "u")
    far = WORD_BITS
    while far < WORD_BITS * len(words):
        bit = low.builder.compute("and.b32", "b32", count, Imm(far))
        p = low.builder.compute("setp.ne.b32", "pred", bit, Imm(0))
        moved = _moved(opcode, words, far // WORD_BITS, fill)
        words = [_compute(low, "selp.b64", m, w, p) for m, w in zip(moved, words, strict=True)]
        far *= 2
    near = low.builder.compute("and.b32", "b32", count, Imm(WORD_BITS - 1))
    return _near(low, opcode, words, near, fill)


def compare(low: Lowering, predicate: str, bits: int, a: Words, b: Words, to: Reg) -> None:
    """``icmp``: from the highest word down for orders, all words for equality."""
    if predicate in ("eq", "ne"):
        _compare_equal(low, predicate, a, b, to)
        return
    signed = predicate[0] == "s"
    if signed:
        a, b = extended(low, a, bits), extended(low, b, bits)
    strict = "gt" if predicate[1] == "g" else "lt"
    result = low.builder.compute(f"setp.{predicate[1:]}.u64", "pred", a[0], b[0])
    for k in range(1, len(a)):
        last = k == len(a) - 1
        letter = "s" if signed and last else "u"
        beyond = low.builder.compute(f"setp.{strict}.{letter}64", "pred", a[k], b[k])
        same = low.builder.compute("setp.eq.b64", "pred", a[k], b[k])
        below = low.builder.compute("and.pred", "pred", same, result)
        result = to if last else low.builder.temporary("pred")
        low.emit("or.pred", result, beyond, below)


def _compare_equal(low: Lowering, predicate: str, a: Words, b: Words, to: Reg) -> None:
    total: Operand | None = None
    for x, y in zip(a, b, strict=True):
        different = x if y == Imm(0) else _compute(low, "xor.b64", x, y)
        total = different if total is None else _compute(low, "or.b64", total, different)
    assert total is not None
    low.emit(f"setp.{predicate}.b64", to, total, Imm(0))


def cast(low: Lowering, opcode: str, value: Words, to: Type, source: Type) -> list[Operand]:
    """A cast to or from a wide integer: the parts of the result."""
    if isinstance(to, FloatType):
        return [_to_float(low, opcode, value, to, source)]
    if isinstance(source, FloatType):
        return _from_float(low, opcode, value[0], to, source)
    if not isinstance(to, IntType) or not isinstance(source, IntType):
        raise Unsupported(f"`{opcode}` of a wide integer")
    return _resized_wide(low, opcode, value, to.bits, source)


def _resized_wide(
    low: Lowering, opcode: str, value: Words, bits: int, source: IntType
) -> list[Operand]:
    from_bits = source.bits
    sizes = word_sizes(bits)
    if opcode == "trunc" or bits < from_bits:
        words = [
            PackedWord(v, n, WORD_BITS) for v, n in zip(value, word_sizes(from_bits), strict=True)
        ]
        if bits == 1:
            one = field(low, words, BitField(0, 8))
            one = low.builder.compute("and.b8", "b8", one, Imm(1))
            return [low.builder.compute("setp.ne.b8", "pred", one, Imm(0))]
        starts = range(0, bits, WORD_BITS)
        return [
            field(low, words, BitField(start, n), WORD_BITS if bits > WORD_BITS else 0)
            for start, n in zip(starts, sizes, strict=True)
        ]
    if from_bits == 1:
        one = Imm(-1 if opcode == "sext" else 1)
        low_word: Operand = _compute(low, "selp.b64", one, Imm(0), low.builder.predicate(value[0]))
        words64: list[Operand] = [low_word]
    elif from_bits <= WORD_BITS:
        words64 = [_one_word(low, opcode, value[0], source)]
    else:
        words64 = extended(low, value, from_bits) if opcode == "sext" else list(value)
    missing = len(sizes) - len(words64)
    if missing:
        words64 += [_fill(low, "ashr" if opcode == "sext" else "lshr", words64)] * missing
    return trimmed(low, words64, bits) if opcode == "sext" else words64


def _one_word(low: Lowering, opcode: str, value: Operand, source: IntType) -> Operand:
    if opcode == "sext" and is_odd(low, source):
        value = sign_extended(low, value, source)
    return low.builder.resized(value, source, WORD_BITS, "s" if opcode == "sext" else "u")


def _to_float(low: Lowering, opcode: str, value: Words, to: FloatType, source: Type) -> Operand:
    """Float of a wide integer, from the highest word down: total * 2**64 + word."""
    if opcode == "sitofp":
        value = extended(low, value, bits_of(low, source))
    f = low.module.spelled(to, "f")
    letter = "s" if opcode == "sitofp" else "u"
    total: Operand = low.builder.compute(f"cvt.rn.{f}.{letter}64", f, value[-1])
    for word in reversed(value[:-1]):
        part = low.builder.compute(f"cvt.rn.{f}.u64", f, word)
        if to.name == "half":
            raise Unsupported("a wide integer as half")
        total = low.builder.compute(f"fma.rn.{f}", f, total, float_of(2.0**64, to), part)
    return total


def _from_float(
    low: Lowering, opcode: str, value: Operand, to: Type, source: FloatType
) -> list[Operand]:
    """Values that 64 bits hold; larger ones are rare enough to be said."""
    if not isinstance(to, IntType):
        raise Unsupported(f"`{opcode}` of a wide integer")
    low.module.note_once(
        low.builder.span, f"`{opcode}` to {to.bits} bits is done as one to 64 bits"
    )
    letter = "s" if opcode == "fptosi" else "u"
    word = _compute(low, f"cvt.rzi.{letter}64.{low.module.spelled(source, 'f')}", value)
    sizes = word_sizes(to.bits)
    fill = _fill(low, "ashr" if letter == "s" else "lshr", [word])
    return trimmed(low, [word, *[fill] * (len(sizes) - 1)], to.bits)
