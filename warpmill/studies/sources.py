"""Digests of what code computes, apart from what shows it, where it stands and its layout.

Code is taken as the set of the statements at the top of its modules, without imports, comments and
docstrings: moved to another module, or renamed where ``renamed.toml`` says so, it is the same code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""Folder of the package ``warpmill``: the repository, or where it is installed."""

ROOMS = ("analyzer", "benchmarks", "codegen", "executor", "grammars", "samples", "simulator")
"""Folders of the repository that are packages below ``warpmill``."""

_KINDS = frozenset({".py", ".toml", ".lark", ".j2"})
"""Modules, and files beside them that decide what is computed."""

_SHOWING = ("warpmill/cli/", "warpmill/commands/", "warpmill/report/")
_SHOWING_FILES = frozenset(
    {
        "__init__.py",
        "page.py",
        "page_tables.py",
        "pages.py",
        "pictures.py",
        "plots.py",
        "printing.py",
        "tables.py",
    }
)
"""Folders and modules that show results: of the product, and of a benchmark by their names."""

_IMPORT = re.compile(r"^[ \t]*(?:from [\w.]+ )?import (?:\([^)]*\)|[^\n(]*)[^\n]*\n", re.M)
_DOCSTRING = re.compile(r'^[ \t]*r?"""(?:[^"\\]|\\.|"(?!""))*"""[ \t]*(?:#[^\n]*)?\n', re.M)
_COMMENT = re.compile(r"(?:^[ \t]*|  )#[^\n]*", re.M)
_STATEMENT = re.compile(r"\n(?=[^\s)\]}])")
_WORD = re.compile(r"\w+")
_LAST_COMMA = re.compile(r",(?=[)\]}])")
_ROOT_NAME = re.compile(r"\bwarpmill\.(?=[a-z])")


def shows(path: str) -> bool:
    """Whether a file, by its path below the project's root, shows results and makes none."""
    place, _, name = path.rpartition("/")
    return path.startswith(_SHOWING) or (place.startswith("benchmarks") and name in _SHOWING_FILES)


def statements(text: str) -> frozenset[str]:
    """Hash the statements of a module, eight hexadecimal digits each."""
    plain = _COMMENT.sub("", _DOCSTRING.sub("", _IMPORT.sub("", f"{text}\n")))
    old = _renamed()  # word by word: a pattern of so many names takes several times as long
    plain = _WORD.sub(lambda found: old.get(found[0], found[0]), plain) if old else plain
    plain = _ROOT_NAME.sub("", plain)
    each = (_LAST_COMMA.sub("", "".join(part.split())) for part in _STATEMENT.split(f"\n{plain}"))
    return frozenset(sha256(part.encode()).hexdigest()[:8] for part in each if part)


@cache
def _renamed() -> dict[str, str]:
    """Renamed names, each a word, with their former names."""
    text = Path(__file__).with_name("renamed.toml").read_text("utf-8")
    old: dict[str, str] = tomllib.loads(text)["was"]
    return old


@cache
def sources_digest(*places: str, without: tuple[str, ...] = ()) -> str:
    """Hash what is computed by folders and files of the project: another engine makes other keys.

    Of folders, what shows results is left out, and ``without``, by how paths in the project begin.
    """
    found: set[str] = set()
    for name, path in (each for place in places for each in _files(place)):
        if name not in places and (shows(name) or name.startswith(without)):
            continue
        if path.suffix == ".py":
            found |= statements(path.read_text("utf-8"))
        else:
            found.add(path.name + sha256(path.read_bytes()).hexdigest())
    return sha256("\n".join(sorted(found)).encode()).hexdigest()


def _files(place: str) -> Iterator[tuple[str, Path]]:
    """The files of a folder, or the one file, by their paths in the repository."""
    is_room = place.partition("/")[0] in ROOMS
    above = ROOT / "warpmill" if is_room else ROOT
    start = above / place
    for path in start.rglob("*") if start.is_dir() else [start]:
        name = path.relative_to(above).as_posix()
        if path.suffix not in _KINDS or "__pycache__" in path.parts:
            continue
        if is_room or not name.startswith(_BELOW):
            yield name, path


_BELOW = tuple(f"warpmill/{room}/" for room in ROOMS)
