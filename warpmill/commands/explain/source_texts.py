"""Texts of the lines that places name: of the input, and of the source beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePath

from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.report.facts import Place

MOST_BYTES = 4 << 20
"""Sources that are larger are not read: nobody wrote them by hand."""


def line_text(loaded: LoadedModule, place: Place) -> str | None:
    """Give the text of a line; None where it is not at hand.

    The source that was compiled is looked for beside the kernel file, by the last part of the name
    that the compiler recorded: a file says nothing else of what is read on this machine.
    """
    if place.of != "source":
        return _plain(loaded.source.line(place.line))
    lines = _lines(Path(loaded.path).parent / PurePath(place.file).name)
    if not 0 < place.line <= len(lines):
        return None
    return _plain(lines[place.line - 1])


def _plain(line: str) -> str | None:
    """Give a line with single blanks; None for one that says nothing."""
    return " ".join(line.split()) or None


@cache
def _lines(path: Path) -> tuple[str, ...]:
    """Read the lines of a source; none where it cannot be read."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return ()
        return tuple(path.read_text("utf-8", errors="replace").splitlines())
    except (OSError, ValueError):
        return ()
