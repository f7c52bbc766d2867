"""Where the values of a JSON text stand."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from warpmill.analyzer.base.source import Span
from warpmill.simulator.machines.imported.text_file import places

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')

JsonPath = tuple[str | int, ...]


@dataclass
class _Open:
    """An object or array that has not ended: the key, or the number, of what comes next."""

    is_object: bool
    key: str | int = 0
    awaits_key: bool = field(default=False)


def json_places(text: str) -> dict[JsonPath, Span]:
    """Give the span of every value of a text that is known to be JSON, by its path.

    Of an object or array it is the bracket that opens it.
    """
    found: dict[JsonPath, Span] = {}
    span, stack = places(text), list[_Open]()
    for token in _TOKEN.finditer(text):
        here = stack[-1] if stack else None
        if token[0] == ":":
            continue
        if token[0] == ",":
            _advance(stack[-1])
        elif token[0] in "]}":
            stack.pop()
        elif here is not None and here.awaits_key:
            here.key, here.awaits_key = json.loads(token[0]), False
        else:
            found[tuple(level.key for level in stack)] = span(token.start(), len(token[0]))
            if token[0] in "[{":
                stack.append(_Open(token[0] == "{", 0, token[0] == "{"))
    return found


def _advance(level: _Open) -> None:
    if level.is_object:
        level.awaits_key = True
    elif isinstance(level.key, int):
        level.key += 1
