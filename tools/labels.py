"""Labels that people read, held against the terms of the field (``terms.toml``).

Labels are those of ``Metric`` and ``derived``, titles and headings of pages and sections, headers
of tables and names of facts; of texts that are put together, the parts that are written out. Values
are none. A label passes where it consists of listed terms, joined by plain words, units and
numbers, and has none of the phrases that are given up.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TERMS = Path(__file__).with_name("terms.toml")

_METRICS = frozenset({"Metric", "derived"})
_TITLED = frozenset({"heading", "title", "Facts", "Table", "Comparison"})
_WORD = re.compile(r"[a-zµ][\w/µ]*(?:-\w+)*", re.IGNORECASE)
_MOST_WORDS = 6
"""Words of the longest term."""


@dataclass(frozen=True)
class Terms:
    """What labels may consist of: terms with where they are from, words that join, units."""

    source: Mapping[str, str]
    joining: frozenset[str]
    given_up: tuple[str, ...]


@cache
def terms() -> Terms:
    """The table, in lower case."""
    table = tomllib.loads(TERMS.read_text("utf-8"))
    listed = {_plain(term): name for name, found in table["terms"].items() for term in found["of"]}
    joining = frozenset(word.lower() for word in (*table["plain"]["words"], *table["units"]["of"]))
    return Terms(listed, joining, tuple(phrase.lower() for phrase in table["given_up"]["phrases"]))


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def outside(label: str) -> list[str]:
    """The words of a label that no term has, and the phrases in it that are given up."""
    known, text = terms(), label.lower()
    wrong = [f"“{p}”" for p in known.given_up if re.search(rf"(?<!\w){re.escape(p)}(?!\w)", text)]
    words = [word for word in _WORD.findall(text) if len(word) > 1]
    place = 0
    while place < len(words):
        length = next(
            (n for n in range(_MOST_WORDS, 0, -1) if _is_listed(words[place : place + n])), 0
        )
        if not length:
            wrong.append(words[place])
        place += max(1, length)
    return wrong


def _is_listed(words: list[str]) -> bool:
    known, text = terms(), " ".join(words)
    if len(words) == 1 and text in known.joining:
        return True
    return any(each in known.source for each in _singulars(text))


def _singulars(text: str) -> Iterator[str]:
    yield text
    for end, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if text.endswith(end):
            yield text.removesuffix(end) + instead


@dataclass(frozen=True)
class Label:
    """A label and where it stands."""

    text: str
    place: str


@cache
def parsed(path: Path) -> ast.Module:
    """A module, parsed once."""
    return ast.parse(path.read_text("utf-8"), str(path))


def held(node: ast.AST) -> Iterator[ast.AST]:
    """What a statement holds, without expressions: they hold no statements, and are most of it."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, field, ())


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All that is below a statement, without expressions."""
    for child in held(node):
        yield child
        yield from statements(child)


def labels(paths: Iterable[Path], root: Path) -> list[Label]:
    """The labels in some modules, in order."""
    found = []
    for path in sorted(paths):
        tree = parsed(path)
        name = str(path.relative_to(root))
        for node, text in _labels_in(tree, is_page="page" in path.stem):
            if _WORD.search(text):
                found.append(Label(text.strip(" :;,"), f"{name}:{node.lineno}"))
    return sorted(set(found), key=lambda one: (one.place.partition(":")[0], one.text))


def _labels_in(tree: ast.Module, *, is_page: bool) -> Iterator[tuple[ast.expr, str]]:
    tuples = _named_tuples(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            first, called = node.args[0], _called(node)
            if called in _METRICS or called in _TITLED:
                yield from _texts(first)
            if called == "table":
                for header in tuples.get(first.id, []) if isinstance(first, ast.Name) else [first]:
                    yield from _texts_of_tuple(header)
            if is_page and called == "append":
                yield from _name_of_pair(first)
        elif is_page and isinstance(node, ast.List):
            for each in node.elts:
                yield from _name_of_pair(each)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


def _named_tuples(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """Tuples that are given a name, by it."""
    found: dict[str, list[ast.expr]] = {}
    for node in statements(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def _name_of_pair(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        yield from _texts(node.elts[0])


def _texts_of_tuple(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, ast.Tuple):
        for each in node.elts:
            yield from _texts(each)


def _texts(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """What of a text is written out; its parts are texts of their own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node, node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield from _texts(part)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left)
        yield from _texts(node.right)


def outside_words(paths: Iterable[Path], root: Path) -> list[str]:
    """Labels that do not pass, with where they stand and why."""
    every = ((one, outside(one.text)) for one in labels(paths, root))
    return [f"{one.place} “{one.text}”: {', '.join(wrong)}" for one, wrong in every if wrong]
