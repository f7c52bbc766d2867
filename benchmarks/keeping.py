"""Results of benchmarks that take long: kept below benchmarks/results, with what they depend on.

::

    before = snapshot(["simulator/**/*.toml"])
    result = measure()
    keep("simulate", result, before)
    recorded("simulate")["changed"]    # files that are not what they were

A result depends on the modules of this project that were loaded when it was kept, on all that those
take in, and on files of data by patterns; not on what only shows it. All are hashed before anything
is measured, so that what is changed meanwhile counts as changed. A new file counts where it matches
a pattern. Of modules their statements count, wherever they stand: one that was moved or renamed, or
became part of another, has not changed (``warpmill.studies.sources``).

Results that take hours are measured point by point in a study of the store (``measured``): what was
interrupted goes on where it was.
"""

from __future__ import annotations

import ast
import json
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from warpmill.studies.sources import shows, statements

if TYPE_CHECKING:
    from warpmill.studies.model import PointOutcome, StudyPoint

ROOT = Path(__file__).resolve().parents[1]
OTHERS = "benchmarks/"
FOLDER = "benchmarks/results"
LEFT_OUT = frozenset({"build", "dist", "tests", "docs", "results"})
"""Folders without modules that a result could depend on; hidden ones are left out too."""
TOLD_S = 5.0
"""Seconds between two lines that tell how far it is."""
KEEPERS = frozenset({"benchmarks/keeping.py", "benchmarks/benchmark.py", "benchmarks/__main__.py"})
"""The modules that keep and show results: they have no part in making them."""


@dataclass(frozen=True)
class Snapshot:
    """The hashes of all modules and of the files of data at one time, by path below ``root``."""

    root: Path
    commit: str | None
    patterns: tuple[str, ...]
    modules: Mapping[str, frozenset[str]]
    data: Mapping[str, str]

    def used(self, own: str = "") -> dict[str, str | list[str]]:
        """The files of data by their hashes, and the modules that it rests on by now.

        Of these their statements, as they were then; none of a module that was not there. ``own``
        is how the paths of the benchmark's own modules begin: the command line loads all others.
        """
        loaded = {n for n in _loaded(self.root) if n.startswith(own) or not n.startswith(OTHERS)}
        every = filter(_counts, reached(self.root, loaded))
        modules = {name: sorted(self.modules.get(name, ())) for name in every}
        every_file: dict[str, str | list[str]] = {**modules, **self.data}
        return dict(sorted(every_file.items()))


def snapshot(patterns: Iterable[str] = (), root: Path = ROOT) -> Snapshot:
    """Hash the modules of the project, and the files that patterns below ``root`` match."""
    each = tuple(patterns)
    modules = {name: _statements(root / name) for name in _modules(root)}
    return Snapshot(root, _commit(root), each, modules, _data(root, each))


def keep(name: str, result: Mapping[str, Any], before: Snapshot, own: str = "") -> Path:
    """Write a result with date, version, machine and sources; whole or not at all. Its file.

    ``own`` is that of ``Snapshot.used``.
    """
    from warpmill import __version__  # noqa: PLC0415 - tests of this module do not need it

    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": before.commit,
        "version": __version__,
        "computer": computer(),
        "result": dict(result),
        "patterns": list(before.patterns),
        "sources": before.used(own),
    }
    path = _file(name, before.root)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".tmp")
    written.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    written.replace(path)
    return path


def recorded(name: str, root: Path = ROOT) -> dict[str, Any] | None:
    """The record of a result, with the files ``changed`` since it was kept; None: none."""
    path = _file(name, root)
    if not path.exists():
        return None
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return {**record, "changed": changes(record["sources"], record["patterns"], root)}


def changes(
    sources: Mapping[str, str | list[str]], patterns: Iterable[str], root: Path = ROOT
) -> list[str]:
    """Which files are not what they were: other contents, gone, or new.

    Of modules those whose statements are nowhere any more, and those taken in that have others.
    """
    before = {n: {found} if isinstance(found, str) else set(found) for n, found in sources.items()}
    modules = {name for name, found in sources.items() if not isinstance(found, str)}
    data = _data(root, {*patterns, *(sources.keys() - modules)})
    old = set().union(*before.values())
    now = _taken_in(root, (name for name in modules if (root / name).is_file()))
    now |= {name: frozenset({found}) for name, found in data.items()}
    missing = old - set().union(*now.values())
    if missing:  # some may be in modules that nothing which stayed takes in
        others = filter(_counts, _modules(root) - now.keys())
        each = {name: _statements(root / name) & missing for name in others}
        times = Counter(one for own in each.values() for one in own)
        alone = {one for one, number in times.items() if number == 1}  # an alias is in many places
        now = _taken_in(root, (name for name, own in each.items() if own & alone)) | now
    found = set().union(*now.values())
    gone = {name for name, own in before.items() if own - found}
    return sorted(gone | {name for name, own in now.items() if own - old})


def _taken_in(root: Path, names: Iterable[str]) -> dict[str, frozenset[str]]:
    """The statements of modules and of all that they take in."""
    return {name: _statements(root / name) for name in filter(_counts, reached(root, names))}


def computer() -> dict[str, Any]:
    """What a result was measured on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8").splitlines() if told.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _commit(root: Path) -> str | None:
    """The commit that is checked out, with a + where files differ from it; None without git."""
    try:
        told = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--dirty=+"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return None
    return str(told.stdout.strip())


def _file(name: str, root: Path) -> Path:
    return root / FOLDER / f"{name}.json"


def _modules(root: Path) -> set[str]:
    """The Python files of the project's packages."""
    folders = [p for p in root.iterdir() if p.is_dir() and p.name not in LEFT_OUT]
    packages = [p for p in folders if not p.name.startswith(".")]
    return {_below(root, path) for package in packages for path in package.rglob("*.py")}


def _data(root: Path, patterns: Iterable[str]) -> dict[str, str]:
    """The hashes of the files that patterns, or paths, below ``root`` match: 16 digits of each."""
    paths = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return {_below(root, p): sha256(p.read_bytes()).hexdigest()[:16] for p in paths}


def _loaded(root: Path) -> set[str]:
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    paths = {Path(file).resolve() for file in files if file}
    names = {_below(root, p) for p in paths if p.is_relative_to(root) and p.suffix == ".py"}
    return {name for name in names if _counts(name)}


def _counts(name: str) -> bool:
    """Whether a result can rest on a module, by its path below the root."""
    top = name.partition("/")[0]
    is_left_out = name in KEEPERS or top in LEFT_OUT or top.startswith(".")
    return not is_left_out and not shows(name)


def _statements(path: Path) -> frozenset[str]:
    return _statements_of(path.read_text("utf-8"))


_statements_of = cache(statements)


def _below(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


# Which modules a result rests on: those that are loaded, and all that they take in.


def reached(root: Path, names: Iterable[str]) -> set[str]:
    """Modules, by path below ``root``, and all below it that they import, however late.

    What a benchmark's worker processes load, its own process need not have, so imports are followed
    in the text, those inside functions too. It counts some that were never loaded, and leaves out
    none but what is imported by a name made at run time and was not loaded here.
    """
    seen: set[str] = set()
    to_do, there, links = list(names), _modules(root), _links(root)
    while to_do:
        name = to_do.pop()
        if name not in seen:
            seen.add(name)
            if _counts(name):  # what only shows a result takes in what the result does not rest on
                path = root / name
                imported = _imported(path.read_bytes()) if path.is_file() else ()  # or it is gone
                to_do += (file for one in imported for file in _files(one, there, links))
    return seen


def _links(root: Path) -> dict[str, str]:
    """The folders of packages that are links to others: rooms are part of ``warpmill`` so."""
    return {
        _below(root, path): _below(root.resolve(), path.resolve())
        for path in root.glob("*/*")
        if path.is_symlink() and path.resolve().is_relative_to(root.resolve())
    }


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
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        children = iter(node.orelse)
    for child in children:
        yield from _names(child)


def _files(module: str, there: Set[str], links: Mapping[str, str]) -> Iterator[str]:
    """The files that importing a dotted name runs: its packages', and its own."""
    whole = ""
    for step in module.split("."):
        whole = f"{whole}/{step}" if whole else step
        whole = links.get(whole, whole)
        for file in (f"{whole}/__init__.py", f"{whole}.py"):
            if file in there:
                yield file
                break


# Results that are measured point by point, in a study of the store.


def measured(
    study_name: str,
    store: str | Path,
    points: Sequence[StudyPoint],
    evaluate: Callable[[Mapping[str, Any]], PointOutcome],
    *,
    workers: int,
    say: Callable[[str], None],
) -> list[Any]:
    """The study's rows of points, in their order; what is not known yet is measured.

    ``evaluate`` gives the outcome of a point's inputs. What failed before is tried again: a limit
    or a compiler may have been the machine's.
    """
    from warpmill.studies.running import run  # noqa: PLC0415 - slow to load
    from warpmill.studies.store import Store  # noqa: PLC0415

    study = Store(Path(store) if "://" not in str(store) else store).study(study_name)
    study.add(points)
    study.forget_failures()
    known = len(points) - len(study.unfinished([p.key for p in points]))
    say(f"{known:,} of {len(points):,} rows are known")

    last = -TOLD_S

    def told(progress: Any) -> None:
        nonlocal last
        if monotonic() < last + TOLD_S:
            return
        last = monotonic()
        left = progress.seconds_left
        words = "" if left is None else f", about {left / 60:.0f} min left"
        say(f"{progress.over:,} of {progress.all:,}{words}")

    run(study, points, evaluate, workers=workers, told=told)
    found = study.of_keys([p.key for p in points])
    return [found[p.key] for p in points]


def results(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """What rows found. SystemExit with their problems where some could not be measured."""
    problems = {row.problem for row in rows if row.problem is not None}
    if problems:
        raise SystemExit("; ".join(sorted(problems)))
    return [row.facts["result"] for row in rows]
