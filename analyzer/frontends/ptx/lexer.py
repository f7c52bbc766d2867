"""Tokens of PTX and their kinds, as ``ptx.lark`` names them.

The *shape* of a text is the sequence of the kinds of its tokens, joined by spaces. Words and
punctuation that the grammar quotes are kinds of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from warpmill.analyzer.frontends.ptx.literals import (
    DecimalLiteral,
    FaultError,
    float_bits,
    integer,
    negated,
)
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Sink
from warpmill.analyzer.ir.types import TYPES, Space

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
    """Give the shape of tokens, and the values of those that have one."""
    return (
        " ".join([token.kind for token in lexed]),
        [token.value for token in lexed if token.value is not None],
    )
