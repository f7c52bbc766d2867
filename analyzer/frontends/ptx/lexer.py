"""Tokens of PTX and their kinds, as ``ptx.lark`` names them.

The *shape* of a text is the sequence of the kinds of its tokens, joined by spaces. Words and
punctuation that the grammar quotes are kinds of their own.
"""

# ruff: noqa: D102 - the methods are named after the rules of the grammar, which explains them

from __future__ import annotations

import math
import operator
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

from warpmill.analyzer.ir.kernel import FloatImm, Imm, Sink
from warpmill.analyzer.ir.types import TYPES, Space, Type

WARP_SIZE = 32
MAX_NESTING = 32

_INT = r"(?:0[xX][0-9a-fA-F]++|0[bB][01]++|0[0-7]*+|[1-9][0-9]*+)U?(?![\w$.])"
_FLOAT = r"(?:0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16})(?![\w$])"
_EXPONENT = r"[eE][-+]?[0-9]++"
_DECIMAL = (
    rf"(?:[0-9]++(?:\.[0-9]*+(?:{_EXPONENT})?|{_EXPONENT})|\.[0-9]++(?:{_EXPONENT})?)(?![\w$])"
)
_NUMBER = rf"-?(?:{_FLOAT}|{_INT})"
_NAME = r"(?:[A-Za-z_$][\w$]*+|%[\w$]++)(?:\.[A-Za-z]\w*+)?"
_PUNCTUATION = r"<<|>>|&&|\|\||[=!<>]=|[-+*/%&|^~!?@(){}\[\]<>,;:=]"

_TOKEN = re.compile(
    rf"\s*+(?:({_NAME})|({_FLOAT})|({_INT})|({_DECIMAL})"
    rf'|(\.[A-Za-z_]\w*+)|("[^"\n]*+")|({_PUNCTUATION})|(\S))',
    re.ASCII,
)
_IS_NAME, _IS_FLOAT, _IS_INT, _IS_DECIMAL, _IS_WORD, _IS_STRING, _IS_PUNCTUATION, _ = range(1, 9)
_FLOAT_START = re.compile("0[fFdD]")
_NUMBERS = re.compile(rf"\s*+((?:{_NUMBER}\s*+,\s*+)+)", re.ASCII)

_SPACES = {
    ".global": Space.GLOBAL,
    ".shared": Space.SHARED,
    ".const": Space.CONST,
    ".local": Space.LOCAL,
    ".tex": Space.TEXTURE,
}
_WORD_VALUES: dict[str, tuple[str, object]] = {
    **{f".{name}": ("TYPE", type_) for name, type_ in TYPES.items()},
    **{f".v{n}": ("VECTOR", n) for n in (2, 4, 8)},
    **{word: ("SPACE", space) for word, space in _SPACES.items()},
    **{f".{word}": ("LINKAGE", word) for word in ("visible", "extern", "weak", "common")},
}
_KEYWORDS = frozenset({"function_name", "inlined_at"})
_GENERIC = re.compile(r"(generic)\s*+\(")
"""An operator in initialisers; elsewhere it is a name like any other, to ptxas too."""
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")

Resolver = Callable[[str], tuple[str, object]]


class Token(NamedTuple):
    """A token with its kind, the value that it stands for, and its place in the text.

    The value of words and punctuation is None.
    """

    kind: str
    value: object
    start: int
    end: int


def directive_name(name: str) -> tuple[str, object]:
    """Take every name of a directive as it stands."""
    return (name, None) if name in _KEYWORDS else ("NAME", name)


def tokens(text: str, start: int, end: int, resolve: Resolver) -> Iterator[Token]:
    """Lex ``text[start:end]``; ``resolve`` gives the kind and the value of a name.

    It accepts every text: what is no token has the kind ``BAD``, and so has nesting beyond 32.
    """
    depth = 0
    in_initialiser = False
    while (match := _TOKEN.match(text, start, end)) is not None:
        group = match.lastindex or 0
        kind, value = _classify(group, match[group], resolve)
        if in_initialiser and _GENERIC.match(text, match.start(group), end):
            kind, value = "generic", None
        if kind in _OPENING:
            depth += 1
            kind = kind if depth <= MAX_NESTING else "BAD"
        depth -= kind in _CLOSING
        yield Token(kind, value, match.start(group), match.end(group))
        start = match.end()
        in_initialiser = in_initialiser or kind == "="
        if not in_initialiser or not depth or kind not in ("{", ","):
            continue
        if (run := _NUMBERS.match(text, start, end)) is not None:
            yield Token("NUMBERS", run[1], run.start(1), run.end(1))
            start = run.end()


def _classify(group: int, text: str, resolve: Resolver) -> tuple[str, object]:
    if group == _IS_NAME:
        return _name(text, resolve)
    if group == _IS_PUNCTUATION:
        return text, None
    if group == _IS_WORD:
        return _WORD_VALUES.get(text, (text, None))
    if group == _IS_STRING:
        return "STRING", text[1:-1]
    try:
        return _constant(group, text)
    except FaultError:
        return "BAD", None


def _name(text: str, resolve: Resolver) -> tuple[str, object]:
    if text == "_":
        return "SINK", Sink()
    if text == "WARP_SZ":
        return "INT", Imm(WARP_SIZE)
    return resolve(text)


def _constant(group: int, text: str) -> tuple[str, object]:
    if group == _IS_INT:
        return "INT", Imm(integer(text))
    if group == _IS_FLOAT:
        return "FLOAT", float_bits(text)
    if group == _IS_DECIMAL:
        return "DECIMAL", DecimalLiteral(text)
    return "BAD", None


def operand_shape(text: str, resolve: Resolver) -> tuple[str, list[object]]:
    """Do what ``shape_of`` and ``tokens`` do, faster, for a text without an initialiser."""
    if text.count("(") > MAX_NESTING:
        return shape_of(list(tokens(text, 0, len(text), resolve)))
    kinds, values = [], []
    for match in _TOKEN.finditer(text.rstrip()):  # a search tries space at the end place by place
        group = match.lastindex or 0
        kind, value = _classify(group, match[group], resolve)
        kinds.append(kind)
        if value is not None:
            values.append(value)
    return " ".join(kinds), values


def number(text: str) -> Imm | FloatImm | DecimalLiteral:
    """Read one constant of a NUMBERS token; raises FaultError."""
    digits = text.removeprefix("-").strip()
    if _FLOAT_START.match(digits):
        bits = float_bits(digits)
        return bits if digits == text else negated(bits)
    value = integer(digits)
    return Imm(value if digits == text else -value)


def shape_of(lexed: list[Token]) -> tuple[str, list[object]]:
    """The shape of tokens, and the values of those that have one."""
    return (
        " ".join([token.kind for token in lexed]),
        [token.value for token in lexed if token.value is not None],
    )


# Constants of PTX as values: literals, and the expressions that are made of them.

_F32 = TYPES["f32"]
_F64 = TYPES["f64"]
_LONGEST = 80  # characters; 64 binary digits with their prefix are 67


class FaultError(Exception):
    """A constant that cannot be: division by zero, too many bits."""


@dataclass(frozen=True, slots=True)
class DecimalLiteral:
    """A floating-point constant in decimal, whose width the instruction gives."""

    text: str

    @property
    def value(self) -> float:
        """The number, rounded to f64; infinite where it is too large."""
        return float(self.text)

    def as_type(self, type_: Type | None) -> FloatImm:
        """Literal as f32 where the instruction computes on f32, as f64 otherwise."""
        if type_ is _F32:
            return FloatImm(f32_bits(self.value), _F32)
        return FloatImm(f64_bits(self.value), _F64)


class Unsigned(int):
    """A number that expressions compute with as unsigned, and all that it meets with it."""


def integer(text: str) -> int:
    """Read an integer in base 2, 8, 10 or 16 with an optional U at its end."""
    digits = text.rstrip("U")
    if len(digits) > _LONGEST:
        raise FaultError("the constant has more than 64 bits")
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits, 2)
    else:
        value = int(digits, 8 if digits[0] == "0" else 10)
    if value >> 64:
        raise FaultError("the constant has more than 64 bits")
    return Unsigned(value) if digits != text or value >> 63 else value


def float_bits(text: str) -> FloatImm:
    """Read ``0fXXXXXXXX`` or ``0dXXXXXXXXXXXXXXXX``."""
    return FloatImm(int(text[2:], 16), _F32 if text[1] in "fF" else _F64)


@overload
def negated(constant: FloatImm) -> FloatImm: ...
@overload
def negated(constant: DecimalLiteral) -> DecimalLiteral: ...
def negated(constant: FloatImm | DecimalLiteral) -> FloatImm | DecimalLiteral:
    """Flip the sign."""
    if isinstance(constant, DecimalLiteral):
        return DecimalLiteral("-" + constant.text)
    return FloatImm(constant.bits ^ (1 << (constant.type.bits - 1)), constant.type)


def float_value(constant: FloatImm) -> float:
    """The number that the bits of an f32 or f64 stand for."""
    if constant.type is _F32:
        value = struct.unpack("<f", struct.pack("<I", constant.bits))[0]
    else:
        value = struct.unpack("<d", struct.pack("<Q", constant.bits))[0]
    return float(value)


def f32_bits(value: float) -> int:
    """Round to f32 and give the bits; what is too large becomes infinite."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", math.copysign(math.inf, value))
    return int.from_bytes(packed, "little")


def f64_bits(value: float) -> int:
    """The bits of an f64."""
    return int.from_bytes(struct.pack("<d", value), "little")


def wrapped(value: int) -> int:
    """Bring the result of an expression back into 64 bits, as PTX computes it."""
    if isinstance(value, Unsigned) or not -(1 << 63) <= value < 1 << 63:
        low = int(value) & ((1 << 64) - 1)
        return Unsigned(low) if isinstance(value, Unsigned) else low - ((low >> 63) << 64)
    return value


# Templates of constant expressions: functions from the values of tokens to an integer.
#
# The rules are those of ``ptx.lark``. Results wrap around at 64 bits, as in PTX; division by zero
# and shifts beyond 63 bits raise FaultError.

Values = Sequence[Any]
Number = Callable[[Values], int]
Step = tuple[Callable[[int, int], int], Number]


class ExpressionTemplates:
    """The rules from ``expression`` to ``primary``."""

    def number(self, children: list[Any]) -> Number:
        place = children[0].start_pos
        return lambda values: values[place].value

    def negative(self, children: list[Number]) -> Number:
        inner = children[0]
        return lambda values: _negative(inner(values))

    def complement(self, children: list[Number]) -> Number:
        inner = children[0]
        return lambda values: _like(inner(values), operator.invert)

    def positive(self, children: list[Number]) -> Number:
        return children[0]

    def logical_not(self, children: list[Number]) -> Number:
        inner = children[0]
        return lambda values: int(not inner(values))

    def cast(self, children: list[Any]) -> Number:
        place, inner = children[0].start_pos, children[1]
        return lambda values: _cast(values[place], inner(values))

    def choice(self, children: list[Number]) -> Number:
        condition, yes, no = children
        return lambda values: yes(values) if condition(values) else no(values)

    def logical_and(self, children: list[Number]) -> Number:
        first, second = children
        return lambda values: int(bool(first(values)) and bool(second(values)))

    def logical_or(self, children: list[Number]) -> Number:
        first, second = children
        return lambda values: int(bool(first(values)) or bool(second(values)))

    def equal(self, children: list[Number]) -> Number:
        return _comparison(operator.eq, children)

    def not_equal(self, children: list[Number]) -> Number:
        return _comparison(operator.ne, children)

    def less(self, children: list[Number]) -> Number:
        return _comparison(operator.lt, children)

    def greater(self, children: list[Number]) -> Number:
        return _comparison(operator.gt, children)

    def at_most(self, children: list[Number]) -> Number:
        return _comparison(operator.le, children)

    def at_least(self, children: list[Number]) -> Number:
        return _comparison(operator.ge, children)

    def sum(self, children: list[Any]) -> Number:
        return chain(children[0], children[1:])

    product = sum

    def plus(self, children: list[Number]) -> Step:
        return operator.add, children[0]

    def minus(self, children: list[Number]) -> Step:
        return operator.sub, children[0]

    def times(self, children: list[Number]) -> Step:
        return operator.mul, children[0]

    def over(self, children: list[Number]) -> Step:
        return _quotient, children[0]

    def modulo(self, children: list[Number]) -> Step:
        return _remainder, children[0]

    def bit_and(self, children: list[Number]) -> Number:
        return _binary(operator.and_, children)

    def bit_or(self, children: list[Number]) -> Number:
        return _binary(operator.or_, children)

    def bit_xor(self, children: list[Number]) -> Number:
        return _binary(operator.xor, children)

    def shift_left(self, children: list[Number]) -> Number:
        return _binary(_shift_left, children)

    def shift_right(self, children: list[Number]) -> Number:
        return _binary(_shift_right, children)


def chain(first: Number, steps: Sequence[Step]) -> Number:
    """Apply the steps to the first number from left to right."""
    if not steps:
        return first

    def compute(values: Values) -> int:
        result = first(values)
        for operation, operand in steps:
            result = _applied(operation, result, operand(values))
        return result

    return compute


def offset_of(steps: Sequence[Step]) -> Number | None:
    """The number that the steps add to what stands before them; None without steps."""
    return chain(lambda _values: 0, steps) if steps else None


def _binary(operation: Callable[[int, int], int], children: list[Number]) -> Number:
    first, second = children
    return lambda values: _applied(operation, first(values), second(values))


def _comparison(operation: Callable[[int, int], bool], children: list[Number]) -> Number:
    first, second = children
    return lambda values: int(operation(*_brought_together(first(values), second(values))))


def _applied(operation: Callable[[int, int], int], first: int, second: int) -> int:
    """Compute as C does: unsigned where one of the two is; of a shift, where the first is."""
    if operation in (_shift_left, _shift_right):
        return _like(first, lambda value: operation(value, second))
    first, second = _brought_together(first, second)
    return _like(first, lambda value: operation(value, second))


def _brought_together(first: int, second: int) -> tuple[int, int]:
    if isinstance(first, Unsigned) == isinstance(second, Unsigned):
        return first, second
    return wrapped(Unsigned(first)), wrapped(Unsigned(second))


def _like(operand: int, operation: Callable[[int], int]) -> int:
    result = operation(operand)
    return wrapped(Unsigned(result) if isinstance(operand, Unsigned) else int(result))


def _negative(value: int) -> int:
    """Change the sign; -9223372036854775808 is signed, although its digits alone are not."""
    return -(1 << 63) if value == 1 << 63 else _like(value, operator.neg)


def _cast(type_: Type, value: int) -> int:
    """Convert to one of the types that ptxas takes here."""
    if type_.name not in ("s64", "u64"):
        raise FaultError(f"a constant expression cannot be cast to .{type_.name}")
    return wrapped(Unsigned(value)) if type_.name == "u64" else wrapped(int(value))


def _quotient(dividend: int, divisor: int) -> int:
    if divisor == 0:
        raise FaultError("division by zero in a constant expression")
    magnitude = abs(dividend) // abs(divisor)
    return magnitude if (dividend < 0) == (divisor < 0) else -magnitude


def _remainder(dividend: int, divisor: int) -> int:
    return dividend - divisor * _quotient(dividend, divisor)


def _shift_left(value: int, count: int) -> int:
    return value << _checked(count)


def _shift_right(value: int, count: int) -> int:
    return value >> _checked(count)


def _checked(count: int) -> int:
    if not 0 <= count < 64:
        raise FaultError("a shift in a constant expression is not between 0 and 63")
    return count
