"""Shapes of statements, parsed once each with ``ptx.lark``.

This is the only module that loads lark, at the first shape of the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer, Token

from warpmill.analyzer.base.lalr import lalr_parser
from warpmill.analyzer.frontends.ptx.lexer import MAX_NESTING
from warpmill.analyzer.frontends.ptx.templates import Templates

STARTS = ("guard", "operand", "instruction", "body_directive", "header", "module_directive")
KINDS_WITH_VALUE = frozenset(
    {
        "REG", "ELEMENT", "SPECIAL", "NAME", "LABEL", "SINK", "INT", "FLOAT", "DECIMAL", "NUMBERS",
        "STRING", "TYPE", "VECTOR", "SPACE", "LINKAGE",
    }
)  # fmt: skip


class RejectedError(Exception):
    """The grammar has no such statement.

    ``index`` is the place of the first token that does not fit, or the number of tokens where the
    statement ends too early.
    """

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class _Kinds(Lexer):
    """Hands kinds to the parser; ``start_pos`` carries the place among the values."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]  # lark passes on what parse() got
        terminals = _terminals()
        place = 0
        for index, kind in enumerate(data):
            yield Token(terminals.get(kind, kind), kind, start_pos=place, column=index)
            place += kind in KINDS_WITH_VALUE


@cache
def _parser() -> Lark:
    return lalr_parser("ptx.lark", lexer=_Kinds, start=list(STARTS), transformer=Templates())


@cache
def _terminals() -> dict[str, str]:
    """Names of the terminals by the text that the grammar quotes."""
    return {t.pattern.value: t.name for t in _parser().terminals if t.pattern is not None}


def _too_deep(kinds: list[str]) -> int | None:
    """Find where operators before an operand, casts and choices go too deep; brackets apart."""
    depth = 0
    for index, (before, kind) in enumerate(pairwise(kinds), start=1):
        is_repeated = kind in _BEFORE_OPERAND and before in _BEFORE_OPERAND
        depth += is_repeated or kind == "?" or (before == "(" and kind == "TYPE")
        if depth > MAX_NESTING:
            return index
    return None


_BEFORE_OPERAND = frozenset("-+~!")


@lru_cache(maxsize=16384)
def _parsed(start: str, shape: str) -> Any:
    kinds = shape.split()
    too_deep = _too_deep(kinds)
    if too_deep is not None:
        return RejectedError(too_deep)
    try:
        return _parser().parse(kinds, start=start)
    except UnexpectedToken as error:
        at_end = error.token.type == "$END"
        return RejectedError(len(kinds) if at_end else int(error.token.column or 0))


def template(start: str, shape: str) -> Any:
    """Give what ``Templates`` made of a shape, read as ``start``; raises RejectedError."""
    result = _parsed(start, shape)
    if isinstance(result, RejectedError):
        raise RejectedError(result.index)
    return result
