"""From the text of a statement to its shape, and from a shape to its template, once for each."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from warpmill.analyzer.frontends.llvm.statement import GlobalVariable, Header, Template
from warpmill.analyzer.frontends.llvm.types import Type

_SLOT = re.compile(
    r"""
      (?P<string> c?"[^"]*" )
    | (?P<local>  %(?:[-\w.$]+|"[^"]*") )
    | (?P<global> @(?:[-\w.$]+|"[^"]*") )
    | (?P<meta>   !(?:[-\w.$\\]+|"[^"]*")? )
    | (?P<group>  \#\d+ )
    | (?P<float>  (?<![\w.$-]) (?: -?\d+\.\d*(?:[eE][-+]?\d+)? | f?0x[HKLMR]?[0-9A-Fa-f]+
                                 | [-+](?:inf|nan)\b ) (?![\w.]) )
    | (?P<int>    (?<![\w.$-]) (?<!addrspace\() (?: -?\d+ | [su]0x[0-9A-Fa-f]+ )
                  (?![\w.]) (?![ ]+x\b) )
    """,
    re.VERBOSE,
)
_PLACEHOLDER = {
    "string": '""', "local": "%", "global": "@", "meta": "!", "group": "#", "float": "0.0",
    "int": "0",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """A statement with its names and constants taken out; ``texts`` are those, by slot."""

    text: str
    texts: tuple[str, ...]


def shape_of(statement: str, type_names: Set[str]) -> Shape:
    """Normalise a statement. Names of the module's types belong to the shape and stay."""
    texts: list[str] = []

    def placeholder(found: re.Match[str]) -> str:
        kind, text = str(found.lastgroup), found[0]
        if kind == "local" and text[1:] in type_names:
            return text
        texts.append(text)
        return _PLACEHOLDER[kind]

    return Shape(_SLOT.sub(placeholder, statement), tuple(texts))


def slot_positions(statement: str, type_names: Set[str]) -> dict[int, int]:
    """Where each slot's placeholder starts in the shape: position to slot index."""
    positions: dict[int, int] = {}
    moved = 0
    for found in _SLOT.finditer(statement):
        kind = str(found.lastgroup)
        if kind == "local" and found[0][1:] in type_names:
            continue
        positions[found.start() + moved] = len(positions)
        moved += len(_PLACEHOLDER[kind]) - len(found[0])
    return positions


class SyntaxFault(Exception):  # noqa: N818 - it becomes a warning at the statement
    """A shape that the grammar does not know."""


_TEMPLATES: dict[tuple[str, str], object] = {}
_LIMIT = 65536


def _parsed(statement: str, start: str, type_names: Set[str]) -> tuple[object, tuple[str, ...]]:
    shape = shape_of(statement, type_names)
    return _of_shape(statement, shape, start, type_names), shape.texts


def _of_shape(statement: str, shape: Shape, start: str, type_names: Set[str]) -> object:
    key = (start, shape.text)
    if key not in _TEMPLATES:
        from warpmill.analyzer.frontends.llvm.syntax import parse_shape  # noqa: PLC0415 - lark is heavy

        if len(_TEMPLATES) >= _LIMIT:
            _TEMPLATES.clear()
        positions = slot_positions(statement, type_names)
        _TEMPLATES[key] = parse_shape(shape.text, start, positions)
    return _TEMPLATES[key]


def parse_statement(statement: str, shape: Shape, type_names: Set[str]) -> Template:
    """Parse an instruction of a shape; raise SyntaxFault where the grammar does not know it."""
    template = _of_shape(statement, shape, "statement", type_names)
    assert isinstance(template, Template)
    return template


def parse_header(text: str, type_names: Set[str]) -> tuple[Header, tuple[str, ...]]:
    """Parse a function's first line up to its closing parenthesis."""
    header, texts = _parsed(text, "header", type_names)
    assert isinstance(header, Header)
    return header, texts


def parse_global(text: str, type_names: Set[str]) -> tuple[GlobalVariable, tuple[str, ...]]:
    """Parse a module-level variable, without what follows its initialiser."""
    variable, texts = _parsed(text, "global_variable", type_names)
    assert isinstance(variable, GlobalVariable)
    return variable, texts


def parse_type(text: str, type_names: Set[str]) -> Type | None:
    """Parse what a type definition gives a name to; None for an opaque type."""
    type_, _ = _parsed(text, "type_body", type_names)
    return type_  # type: ignore[return-value] # what `type_body` gives
