"""Files that warpmill keeps to be quick the next time: where they lie, and clearing them.

Any of them may go at any time, also while other processes use them: what is not there is made anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from warpmill.analyzer.base import lalr
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.frontends.compilers.compile import cache_folder
from warpmill.studies.places import store_folder

CacheKind = Literal["engines", "tables", "sources", "studies"]

KINDS: tuple[CacheKind, ...] = get_args(CacheKind)

ABOUT: dict[CacheKind, str] = {
    "engines": "engines compiled by numba; each takes seconds to make anew",
    "tables": "tables of the parsers; up to half a second each",
    "sources": "PTX and LLVM IR that compilers made of sources; each takes a second or more",
    "studies": "points that sweep, tune and explore have measured, which is hours of work",
}

_PRODUCT = Path(__file__).resolve().parents[1]
_SUFFIXES = (".nbi", ".nbc")
"""Suffixes of an index and of the code that it names. The index is removed first."""


@dataclass(frozen=True)
class KeptFiles:
    """The files of one kind, and the folders that they lie in."""

    mark: ClassVar[Mark] = Mark.EXACT

    kind: Annotated[CacheKind, Metric("Kind")]
    folders: Annotated[tuple[Path, ...], Metric("Folders")]
    paths: Annotated[tuple[Path, ...], INTERNAL]
    size_bytes: Annotated[int, Metric("Size", "B")]

    @derived("Files")
    def files(self) -> int:
        """How many there are."""
        return len(self.paths)

    @derived("Contents")
    def about(self) -> str:
        """Contents, and the cost of making them anew."""
        return ABOUT[self.kind]


def kept_files() -> tuple[KeptFiles, ...]:
    """Files that are kept now, by kind. A file that goes meanwhile is not counted."""
    found = {
        "engines": _engines(),
        "tables": _tables(),
        "sources": _sources(),
        "studies": _studies(),
    }
    return tuple(_kept(kind, found[kind]) for kind in KINDS)


def clear(kinds: Iterable[str]) -> tuple[KeptFiles, ...]:
    """Remove files of some kinds, or ``all``; what was removed. UsageError for another kind."""
    wanted = set(kinds)
    unknown = sorted(wanted - {*KINDS, "all"})
    if unknown:
        raise UsageError(f"there is no cache `{unknown[0]}`: {', '.join(KINDS)}, or all")
    chosen = [one for one in kept_files() if wanted & {one.kind, "all"}]
    for one in chosen:
        for path in one.paths:
            path.unlink(missing_ok=True)
    return tuple(chosen)


def _kept(kind: CacheKind, paths: Iterable[Path]) -> KeptFiles:
    sizes = {path: size for path in paths if (size := _size(path)) is not None}
    folders = dict.fromkeys(path.parent for path in sizes)
    return KeptFiles(kind, tuple(folders), tuple(sizes), sum(sizes.values()))


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _engines() -> Iterator[Path]:
    """Files that numba keeps for modules of warpmill: beside them, or where it was told to."""
    from numba.core import config  # noqa: PLC0415 - slow to load
    from numba.core.caching import UserWideCacheLocator  # noqa: PLC0415
    from numba.misc.appdirs import AppDirs  # noqa: PLC0415

    places: Any = AppDirs  # numba has no types
    bases = [Path(places(appname="numba", appauthor=False).user_cache_dir)]
    told = getattr(config, "CACHE_DIR", "")
    bases += [Path(told)] if told else []
    locator: Any = UserWideCacheLocator
    for folder in sorted(_folders()):
        name = locator.get_suitable_cache_subpath(str(folder / "any.py"))
        for place in (folder / "__pycache__", *(base / name for base in bases)):
            for suffix in _SUFFIXES:
                yield from sorted(place.glob(f"*{suffix}"))


def _folders() -> set[Path]:
    """The folders of the product's modules, by the paths that Python has them under."""
    walked = os.walk(_PRODUCT, followlinks=True)
    found = {Path(folder) for folder, _, names in walked if any(n.endswith(".py") for n in names)}
    return found | {folder.resolve() for folder in found}


def _tables() -> Iterator[Path]:
    for folder in lalr.table_folders():
        yield from sorted(folder.glob("*.tables"))


def _sources() -> Iterator[Path]:
    with suppress(OSError):  # nobody's home is known, where nothing is kept
        yield from sorted(cache_folder().glob("*.json"))


def _studies() -> Iterator[Path]:
    yield from sorted(store_folder().glob("studies.db*"))
