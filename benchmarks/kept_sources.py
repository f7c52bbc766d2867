"""Which modules of the project a result rests on: those that are loaded, and all that they take in.

What a benchmark's worker processes load, its own process need not have: a function of a loaded
module takes a parser in, and only workers call it. So imports are followed in the text, those
inside functions too. It counts some that were never loaded, and leaves out none but what is
imported by a name made at run time and was not loaded here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def reached(root: Path, names: Iterable[str]) -> set[str]:
    """Modules, by path below ``root``, and all below it that they import, however late."""
    seen: set[str] = set()
    to_do = list(names)
    while to_do:
        name = to_do.pop()
        if name not in seen:
            seen.add(name)
            to_do += _imported_files(root, name)
    return seen


def _imported_files(root: Path, name: str) -> list[str]:
    """List the files that a module imports; what is gone imports none."""
    path = root / name
    if not path.is_file():
        return []
    return [file for module in _imported(path.read_bytes()) for file in _files(root, module)]


@cache
def _imported(source: bytes) -> frozenset[str]:
    """The names that a module imports where it is run, and those that might be modules."""
    return frozenset(_names(ast.parse(source)))


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names):
            yield from (each.name for each in names)
        case ast.ImportFrom(str(module), names):
            yield module
            yield from (f"{module}.{each.name}" for each in names)
        case ast.Call(ast.Name("import_module"), [ast.Constant(str(module))]):
            yield module
    typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    for child in node.orelse if typing else ast.iter_child_nodes(node):
        yield from _names(child)


def _files(root: Path, module: str) -> Iterator[str]:
    """The files that importing a dotted name runs: its packages', and its own."""
    steps = module.split(".")
    for count in range(1, len(steps) + 1):
        whole = Path(*steps[:count])
        for file in (whole / "__init__.py", whole.with_suffix(".py")):
            path = root / file
            if path.is_file():
                yield path.resolve().relative_to(root.resolve()).as_posix()  # rooms are links
                break
