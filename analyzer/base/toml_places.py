"""Where keys and values stand in a TOML text, by tree-sitter's tolerant parse.

Imported only when something asks for a place, which is when there is an error to point at.
"""

from __future__ import annotations

import tomllib
from typing import NamedTuple

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from warpmill.analyzer.base.source import Span

KeyPath = tuple[str | int, ...]

_MAX_DEPTH = 64  # deeper values have the place of their nearest indexed parent


class TomlPlace(NamedTuple):
    """Where a key and its value stand; both are the same for elements and table headers."""

    key: Span
    value: Span


def find_places(text: str) -> dict[KeyPath, TomlPlace]:
    """Give the place of every key path of a TOML text, as deep as 64 keys."""
    return _Index(text).places


class _Index:
    """Builds the places of all key paths from tree-sitter's tree."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "replace")
        self._lines = self._data.split(b"\n")
        self.places: dict[KeyPath, TomlPlace] = {}
        self._elements: dict[KeyPath, int] = {}  # arrays of tables: the index of the last element
        root = Parser(Language(tree_sitter_toml.language())).parse(self._data).root_node
        self._pairs((), root)
        for node in root.children:
            if node.type in ("table", "table_array_element"):
                self._pairs(self._header(node), node)

    def _header(self, node: Node) -> KeyPath:
        """Record a header; give the path of the table that it opens."""
        keys = next((_key_parts(child) for child in node.children if _is_key(child)), [])
        path: KeyPath = ()
        for number, key in enumerate(keys[:_MAX_DEPTH]):
            path = (*path, _key_text(key))
            self._record(path, self._span(key), self._span(key))
            if node.type == "table_array_element" and number == len(keys) - 1:
                self._elements[path] = self._elements.get(path, -1) + 1
            if path in self._elements:
                path = (*path, self._elements[path])
                self._record(path, self._span(key), self._span(key))
        return path

    def _pairs(self, base: KeyPath, node: Node) -> None:
        for child in node.children:
            if child.type == "pair":
                self._pair(base, child)

    def _pair(self, base: KeyPath, pair: Node) -> None:
        parts = [child for child in pair.children if child.is_named and child.type != "comment"]
        if len(parts) != 2 or not _is_key(parts[0]):
            return  # a text that tomllib read and tree-sitter did not: the parent's place serves
        keys = _key_parts(parts[0])
        if len(base) + len(keys) > _MAX_DEPTH:
            return
        for key in keys[:-1]:
            base = (*base, _key_text(key))
            self._record(base, self._span(key), self._span(key))
        self._value((*base, _key_text(keys[-1])), self._span(keys[-1]), parts[1])

    def _value(self, path: KeyPath, key: Span, node: Node) -> None:
        self._record(path, key, self._span(node))
        if node.type == "inline_table":
            self._pairs(path, node)
        if node.type != "array" or len(path) >= _MAX_DEPTH:
            return
        items = (c for c in node.children if c.is_named and c.type != "comment")
        for number, item in enumerate(items):
            self._value((*path, number), self._span(item), item)

    def _record(self, path: KeyPath, key: Span, value: Span) -> None:
        self.places.setdefault(path, TomlPlace(key, value))

    def _span(self, node: Node) -> Span:
        """Give a node's span in characters; what runs over several lines ends with the first."""
        (row, start), (end_row, end) = node.start_point, node.end_point
        line = self._lines[row].rstrip(b"\r") if row < len(self._lines) else b""
        if end_row != row:
            end = len(line)
        column = len(line[:start].decode("utf-8", "replace")) + 1
        width = len(line[start:end].decode("utf-8", "replace"))
        return Span(row + 1, column, column + max(1, width))


def _is_key(node: Node) -> bool:
    return node.type in ("bare_key", "quoted_key", "dotted_key")


def _key_parts(node: Node) -> list[Node]:
    """Give the simple keys of a dotted key, which the tree nests to the left, from the first."""
    parts: list[Node] = []
    here: Node | None = node
    while here is not None:
        keys = [child for child in here.children if _is_key(child)]
        if here.type != "dotted_key" or not keys:
            parts.append(here)
            break
        parts += reversed(keys[1:])
        here = keys[0]
    return parts[::-1]


def _key_text(node: Node) -> str:
    """Give the key that a bare or quoted key stands for."""
    written = (node.text or b"").decode("utf-8", "replace")
    return written if node.type == "bare_key" else next(iter(tomllib.loads(f"{written} = 0")))
