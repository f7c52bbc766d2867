"""The house in figures: who imports whom, read from the sources.

    python -m tools.house             a table
    python -m tools.house --json      the same as one JSON object
    python -m tools.house --rows      the modules behind each figure
    python -m tools.house --picture   draw the floors in CONTRIBUTING.md anew

- `modules`, `lines`: Python modules and lines of the product's rooms.
- `single_importer_modules`: modules that exactly one module of the product imports.
- `circles`: groups of modules that import each other, all imports counted, those for type checkers
  too; `run_time_circles`: those that only imports at run time tie, lazy ones counted.
- `room_circles`: groups of rooms that import each other.
- `sample_lines`: lines of text that git keeps below samples/.
- `bare_imports`: imports of a room by a name that does not begin with `warpmill`.
- `view_lines`: lines of what shows results: `report/`, `cli/`, and of each command its options,
  result, pages, tables and plots.
- `longest_parameter_list`: parameters of the function with most, jitted ones apart.
- `fields_copied_by_hand`: fields of results that are filled from fields of the same name, by a
  keyword `x=found.x`, by a local that was `found.x`, or by `**`.
- `labels_outside_words`: labels that people read with words of no listed source, or with a phrase
  that is given up (`tools/labels.py`, `tools/terms.toml`).
- `files_entered_estimate`: modules of the product with more than a docstring in them that
  `warpmill estimate samples/vecadd/launch.toml` loads.
- `files_to_add_a_command`, `files_to_add_an_option`: files that are touched or made
  (`tools/additions.py`, which a test follows).
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

import networkx as nx

from tools import additions
from tools.labels import held, outside_words, parsed, statements
from warpmill.studies.sources import ROOMS as PLACED

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = "warpmill"
ROOMS = (*(room for room in PLACED if room not in {"benchmarks", "samples"}), SHIPPED)


@dataclass(frozen=True)
class Import:
    """That a module imports another: whether only type checkers do, and by what name."""

    of: str
    by: str
    line: int
    typing_only: bool
    lazy: bool


@dataclass
class House:
    """Modules of the product by their place (``analyzer.ir.kernel``), and their imports."""

    modules: dict[str, Path] = field(default_factory=dict)
    imports: list[Import] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)

    def graph(self, *, typing: bool) -> nx.DiGraph[str]:
        """Who imports whom, with or without what only type checkers read."""
        found: nx.DiGraph[str] = nx.DiGraph()
        found.add_nodes_from(self.modules)
        found.add_edges_from((i.by, i.of) for i in self.imports if typing or not i.typing_only)
        return found


def read_house(root: Path = ROOT) -> House:
    """The product's modules and who imports whom."""
    house = House()
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            if path.is_symlink() or any(p.is_symlink() for p in path.relative_to(root).parents):
                continue
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            house.modules[name] = path
    for name, path in house.modules.items():
        _read(house, name, path)
    return house


def _read(house: House, name: str, path: Path) -> None:
    tree = parsed(path)
    seen = set()
    for node, typing_only, lazy in _imports(tree, False, False):
        for target in _targets(node):
            top = target.partition(".")[0]
            if top in PLACED:
                house.bare.append(f"{path.relative_to(ROOT)}:{node.lineno}: {target}")
            of = _module(house, target)
            if of is not None and of != name and (of, typing_only) not in seen:
                seen.add((of, typing_only))
                house.imports.append(Import(of, name, node.lineno, typing_only, lazy))


Found = tuple[ast.Import | ast.ImportFrom, bool, bool]


def _imports(node: ast.AST, typing_only: bool, lazy: bool) -> Iterator[Found]:
    """Imports below a node; whether for type checkers only, and whether inside a function."""
    for child in held(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, typing_only, lazy
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for inner in child.body:
                yield from _imports(ast.Module([inner], []), True, lazy)
            for inner in child.orelse:
                yield from _imports(ast.Module([inner], []), typing_only, lazy)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _imports(child, typing_only, lazy or function)


def _targets(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if node.level or node.module is None:
        return []
    return [f"{node.module}.{alias.name}" for alias in node.names]


def _module(house: House, target: str) -> str | None:
    """The module that an imported name leads to: itself, or what holds it."""
    parts = target.split(".")
    if parts[0] == SHIPPED and len(parts) > 1 and parts[1] in PLACED:
        parts = parts[1:]
    while parts:
        name = ".".join(parts)
        if name in house.modules:
            return name
        parts.pop()
    return None


def circles(graph: nx.DiGraph[str]) -> list[list[str]]:
    """Groups that import each other, the largest first."""
    found = [sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1]
    return sorted(found, key=lambda c: (-len(c), c))


def rooms_of(graph: nx.DiGraph[str], modules: dict[str, Path]) -> nx.DiGraph[str]:
    """Who imports whom among folders. A program's entry, ``__main__``, is above all of them."""
    entries = {name for name, path in modules.items() if path.name == "__main__.py"}
    room = {name: str(path.parent.relative_to(ROOT)) for name, path in modules.items()}
    found: nx.DiGraph[str] = nx.DiGraph()
    found.add_nodes_from(room.values())
    edges = ((room[a], room[b]) for a, b in graph.edges if a not in entries)
    found.add_edges_from((a, b) for a, b in edges if a != b)
    return found


def sample_lines(root: Path = ROOT) -> int:
    """Lines of text below samples/ that git keeps."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "samples"], cwd=root, capture_output=True, check=True
    ).stdout
    total = 0
    for name in filter(None, listed.decode().split("\0")):
        data = (root / name).read_bytes() if (root / name).is_file() else b""
        total += 0 if b"\0" in data else data.count(b"\n")
    return total


def figures(house: House) -> tuple[dict[str, int], dict[str, list[str]]]:
    """The figures, and what each counts."""
    graph = house.graph(typing=True)
    importers = {name: set(graph.predecessors(name)) for name in house.modules}
    single = sorted(n for n, by in importers.items() if len(by) == 1 and not _is_package(house, n))
    lists, copied = parameter_lists(house), copied_fields(house)
    outside = outside_words(house.modules.values(), ROOT)
    all_circles, at_run_time = circles(graph), circles(house.graph(typing=False))
    room_circles = circles(rooms_of(graph, house.modules))
    found = {
        "modules": len(house.modules),
        "lines": sum(len(p.read_text("utf-8").splitlines()) for p in house.modules.values()),
        "imports": len(house.imports),
        "lazy_imports": sum(i.lazy for i in house.imports),
        "single_importer_modules": len(single),
        "circles": len(all_circles),
        "run_time_circles": len(at_run_time),
        "room_circles": len(room_circles),
        "sample_lines": sample_lines(),
        "bare_imports": len(house.bare),
        "view_lines": sum(map(_lines, filter(_shows, house.modules.values()))),
        "longest_parameter_list": max((number for number, _ in lists), default=0),
        "fields_copied_by_hand": len(copied),
        "labels_outside_words": len(outside),
    }
    found |= additions.figures()
    rows = {
        "single_importer_modules": [f"{n}  by {next(iter(importers[n]))}" for n in single],
        "circles": [" ".join(c) for c in all_circles],
        "run_time_circles": [" ".join(c) for c in at_run_time],
        "room_circles": [" ".join(c) for c in room_circles],
        "bare_imports": house.bare,
        "longest_parameter_list": [f"{number}  {where}" for number, where in lists[:20]],
        "fields_copied_by_hand": copied,
        "labels_outside_words": outside,
    }
    return found, rows


ENTERED = """
import sys
from warpmill.cli.main import main
assert main(["estimate", "samples/vecadd/launch.toml"]) == 0
print(*(name for name in sys.modules if name.partition(".")[0] == "warpmill"))
"""


def entered_by_estimate(house: House) -> list[str]:
    """Modules that an estimate loads; packages that hold a docstring alone are none."""
    done = subprocess.run(
        [sys.executable, "-c", ENTERED], cwd=ROOT, capture_output=True, check=True
    )
    loaded = done.stdout.decode().splitlines()[-1].split()
    names = {_module(house, name) for name in loaded} - {None}
    return sorted(name for name in names if name and _has_code(house.modules[name]))


def _has_code(path: Path) -> bool:
    tree = parsed(path)
    return len(tree.body) > (ast.get_docstring(tree) is not None)


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def _shows(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return parts[0] == SHIPPED and parts[1] in {"cli", "commands", "report"}


_COMPILED = ("jit", "part", "overload", "intrinsic", "device")
"""Words of decorators whose functions numba compiles: they take arrays and numbers one by one."""


def parameter_lists(house: House) -> list[tuple[int, str]]:
    """How many parameters each function takes, the longest list first."""
    found = []
    for name, path in house.modules.items():
        for node in statements(parsed(path)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if any(word in ast.unparse(d) for d in node.decorator_list for word in _COMPILED):
                continue
            given = node.args
            names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            taken = [each for each in names if each not in ("self", "cls")]
            found.append((len(taken), f"{name}:{node.lineno} {node.name}"))
    return sorted(found, key=lambda each: (-each[0], each[1]))


_AS_NAMES = frozenset({"flat", "vars", "asdict", "_asdict", "__dict__", "getattr", "fields_of"})
"""What hands all fields of an object on by their names."""


def copied_fields(house: House) -> list[str]:
    """Fields of results that are filled from fields of the same name in other objects.

    In what shows results, of calls that make an object of a class: keywords ``x=found.x``, and
    ``x=local`` where a local of the same function was ``found.x``, alone or unpacked; ``**`` of
    something that hands fields on by name. ``replace`` changes a copy, and copies none.
    """
    found = []
    for path in house.modules.values():
        if _shows(path):
            tree = parsed(path)
            found += [f"{path.relative_to(ROOT)}:{word}" for word in copied_in(tree)]
    return sorted(found)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def copied_in(scope: ast.AST, above: Mapping[str, Set[str]] | None = None) -> Iterator[str]:
    """Lines and names of the fields that a module, or a function of it, copies.

    ``above`` has the fields that locals around it were.
    """
    nodes = list(_own_nodes(scope))
    known: dict[str, Set[str]] = dict(above or {})
    for name, field_name in (pair for node in nodes for pair in _assigned(node)):
        known[name] = {*known.get(name, ()), field_name}
    for node in nodes:
        if isinstance(node, ast.Call) and _makes_a_result(node):
            yield from (f"{node.lineno} {word}" for word in _copied_by(node, known))
        if isinstance(node, _FUNCTIONS):
            yield from copied_in(node, known)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, and the functions in it, but not what lies in these."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, _FUNCTIONS):
            yield from _own_nodes(child)


def _assigned(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names that a node makes fields of other objects, each with the field."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield from _unpacked(node.target, node.value)


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
        yield target.id, value.attr
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        for one, own in zip(target.elts, value.elts, strict=False):
            yield from _unpacked(one, own)


_LIBRARIES = frozenset({"typer"})
"""Modules whose objects are no results: options are handed to them."""


def _makes_a_result(call: ast.Call) -> bool:
    module, _, name = ast.unparse(call.func).rpartition(".")
    return name.lstrip("_")[:1].isupper() and module not in _LIBRARIES


def _copied_by(call: ast.Call, known: Mapping[str, Set[str]]) -> Iterator[str]:
    for word in call.keywords:
        value = word.value
        if word.arg is None:
            names = {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(value)}
            if names & _AS_NAMES:
                yield f"**{ast.unparse(value)}"
        elif word.arg in _fields_behind(value, known):
            yield word.arg


def _fields_behind(value: ast.expr, known: Mapping[str, Set[str]]) -> Set[str]:
    if isinstance(value, ast.Attribute):
        return {value.attr}
    return known.get(value.id, frozenset()) if isinstance(value, ast.Name) else frozenset()


PAGE = ROOT / "CONTRIBUTING.md"
BEGIN, END = (
    "<!-- the picture: python -m tools.house --picture -->\n",
    "<!-- end of the picture -->\n",
)
_DIVIDED = frozenset({"analyzer", "simulator", "warpmill"})
"""Folders whose own folders are rooms."""


def picture(house: House) -> str:
    """The rooms as a Markdown table, floor by floor from the ground, with what each is about.

    A room stands above all that it imports at run time; rooms that import each other share a floor.
    What the program's entry imports is left out.
    """
    rooms: nx.DiGraph[str] = nx.DiGraph()
    rooms.add_nodes_from(map(_room, house.modules.values()))
    for one in house.imports:
        by, of = _room(house.modules[one.by]), _room(house.modules[one.of])
        if by != of and not one.typing_only and not one.by.endswith("__main__"):
            rooms.add_edge(by, of)
    groups = nx.condensation(rooms)
    floor: dict[int, int] = {}
    for group in reversed(list(nx.topological_sort(groups))):
        floor[group] = max((floor[below] + 1 for below in groups.successors(group)), default=0)
    lines = ["| floor | room | what it is |", "|---|---|---|"]
    for group in sorted(groups, key=lambda g: (floor[g], sorted(groups.nodes[g]["members"]))):
        members = sorted(groups.nodes[group]["members"])
        shared = " ⇄" if len(members) > 1 else ""
        lines += [f"| {floor[group]}{shared} | `{room}/` | {_about(room)} |" for room in members]
    return "\n".join([*lines, ""])


def _room(path: Path) -> str:
    first, *rest = path.relative_to(ROOT).parent.parts
    return f"{first}/{rest[0]}" if rest and first in _DIVIDED else first


def _about(room: str) -> str:
    tree = ast.parse((ROOT / room / "__init__.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def page(text: str, table: str) -> str:
    """A page with its picture drawn anew. ValueError where it has no place for one."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"


def _is_package(house: House, name: str) -> bool:
    return house.modules[name].name == "__init__.py"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--rows", action="store_true", help="the modules behind each figure")
    parser.add_argument("--picture", action="store_true", help="draw the floors anew")
    options = parser.parse_args()
    if options.picture:
        PAGE.write_text(page(PAGE.read_text("utf-8"), picture(read_house())), "utf-8")
        return
    house = read_house()
    found, rows = figures(house)
    rows["files_entered_estimate"] = entered_by_estimate(house)
    found["files_entered_estimate"] = len(rows["files_entered_estimate"])
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<26}{value:>10,}")
    if options.rows:
        for name, lines in rows.items():
            print(f"\n{name}: {len(lines)}", *lines, sep="\n  ")


if __name__ == "__main__":
    main()
