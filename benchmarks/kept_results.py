"""Results of benchmarks that take long: kept below benchmarks/results, with what they depend on.

::

    before = snapshot(["simulator/**/*.toml"])
    result = measure()
    keep("simulate", result, before)
    kept("simulate")    # the same, with `fresh`, and `changed`: files that are not what they were

A result depends on the modules of this project that were loaded when it was kept, on all that those
take in, and on files of data by patterns; not on what only shows it. All are hashed before anything
is measured, so that what is changed meanwhile counts as changed. A new file counts where it matches
a pattern. Of modules their statements count, wherever they stand: one that was moved or renamed, or
became part of another, has not changed (``warpmill.studies.sources``).
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.kept_sources import reached
from warpmill.studies.sources import shows, statements

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "benchmarks/results"
LEFT_OUT = frozenset({"build", "dist", "tests", "docs", "results"})
"""Folders without modules that a result could depend on; hidden ones are left out too."""
KEEPERS = frozenset({"benchmarks/kept_results.py", "benchmarks/kept_sources.py"})
"""The modules that keep results: they have no part in making them."""


@dataclass(frozen=True)
class Snapshot:
    """The hashes of all modules and of the files of data at one time, by path below ``root``."""

    root: Path
    patterns: tuple[str, ...]
    modules: Mapping[str, frozenset[str]]
    data: Mapping[str, str]

    def used(self) -> dict[str, str | list[str]]:
        """The files of data by their hashes, and the modules that it rests on by now.

        Of these their statements, as they were then; none of a module that was not there.
        """
        every = filter(_counts, reached(self.root, _loaded(self.root)))
        modules = {name: sorted(self.modules.get(name, ())) for name in every}
        return dict(sorted({**modules, **self.data}.items()))


def snapshot(patterns: Iterable[str] = (), root: Path = ROOT) -> Snapshot:
    """Hash the modules of the project, and the files that patterns below ``root`` match."""
    each = tuple(patterns)
    modules = {_below(root, path): _statements(path) for path in _modules(root)}
    data = {_below(root, path): _hash(path) or "" for path in _data(root, each)}
    return Snapshot(root, each, modules, data)


def keep(name: str, result: Mapping[str, Any], before: Snapshot) -> Path:
    """Write a result with date, version, machine and sources; whole or not at all. Its file."""
    from warpmill import __version__  # noqa: PLC0415 - tests of this module do not need it

    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "version": __version__,
        "computer": computer(),
        "result": dict(result),
        "patterns": list(before.patterns),
        "sources": before.used(),
    }
    path = _file(name, before.root)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".tmp")
    written.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    written.replace(path)
    return path


def kept(name: str, root: Path = ROOT) -> dict[str, Any] | None:
    """The result that was kept, with ``fresh`` and the files ``changed`` since; None: none."""
    path = _file(name, root)
    if not path.exists():
        return None
    record = json.loads(path.read_text("utf-8"))
    changed = changes(record["sources"], record["patterns"], root)
    told = {key: record[key] for key in ("date", "version", "computer")}
    return {**record["result"], **told, "fresh": not changed, "changed": changed}


def changes(
    sources: Mapping[str, str | list[str]], patterns: Iterable[str], root: Path = ROOT
) -> list[str]:
    """Which files are not what they were: other contents, gone, or new."""
    data = {name: found for name, found in sources.items() if isinstance(found, str)}
    modules = {name: set(found) for name, found in sources.items() if not isinstance(found, str)}
    return sorted({*_changed_data(data, patterns, root), *_changed_modules(modules, root)})


def _changed_data(before: Mapping[str, str], patterns: Iterable[str], root: Path) -> set[str]:
    """Which files of data have other contents, are nowhere any more, or are new."""
    now = {_below(root, p): _hash(p) for p in (*_data(root, patterns), *(root / n for n in before))}
    gone = {n for n, found in before.items() if now[n] != found and found not in now.values()}
    return gone | {n for n, found in now.items() if found and found not in before.values()}


def _changed_modules(before: Mapping[str, set[str]], root: Path) -> set[str]:
    """Whose statements are nowhere any more, and which modules taken in have others."""
    old = set().union(*before.values())
    known = {name for name in before if (root / name).is_file()}
    now = _taken_in(root, known)
    if old - set().union(*now.values()):  # some are in modules that nothing which stayed takes in
        every = {_below(root, path) for path in _modules(root)} - now.keys()
        moved = {name for name in every if _counts(name) and _statements(root / name) & old}
        now |= _taken_in(root, moved)
    found = set().union(*now.values())
    gone = {name for name, own in before.items() if own - found}
    return gone | {name for name, own in now.items() if own - old}


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


def _file(name: str, root: Path) -> Path:
    return root / FOLDER / f"{name}.json"


def _modules(root: Path) -> list[Path]:
    """List the Python files of the project's packages."""
    folders = [p for p in root.iterdir() if p.is_dir() and p.name not in LEFT_OUT]
    packages = [p for p in folders if not p.name.startswith(".")]
    return [path for package in packages for path in package.rglob("*.py")]


def _data(root: Path, patterns: Iterable[str]) -> list[Path]:
    return [path for pattern in patterns for path in root.glob(pattern) if path.is_file()]


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
    return statements(path.read_text("utf-8"))


def _hash(path: Path) -> str | None:
    """Hash a file; None where there is none. The first 16 digits of SHA-256."""
    try:
        return sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return None


def _below(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()
