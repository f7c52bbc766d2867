"""Files that a launch file names: whether they are there, and which ones are spelt alike."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from warpmill.analyzer.base.naming import suggestion

_MAX_LISTED = 1000


def is_file(path: Path) -> bool:
    """Whether there is a file at ``path``; a name that no file can have names none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def nearby_files(path: Path, suffixes: tuple[str, ...]) -> str | None:
    """Give a hint that names files beside ``path`` which are spelt like it, or are all there are.

    None where there is nothing to say.
    """
    try:
        listed = sorted(p.name for p in islice(path.parent.iterdir(), _MAX_LISTED))
    except (OSError, ValueError):
        return None
    names = [name for name in listed if name.lower().endswith(suffixes)]
    near = suggestion(path.name, names)
    if near is not None or not names:
        return near
    return f"there are: {', '.join(names[:5])}{', …' if len(names) > 5 else ''}"
