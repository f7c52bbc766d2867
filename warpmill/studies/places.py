"""Places of studies: the default, and that of those which are not to be kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.whole_files import temporary_folder


def store_folder() -> Path:
    """The folder that studies are kept in where none is named. RuntimeError: nobody's home."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "warpmill"


def default_store() -> Path:
    """The file that sweeps are kept in where none is named; its folder is made."""
    try:
        folder = store_folder()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # nobody's home, or none that may be written to
        raise UsageError(
            f"there is no folder to keep studies in ({error}); name a file with --store, or keep "
            "nothing with --no-store"
        ) from None
    return folder / "studies.db"


@contextmanager
def kept_or_passing(store: str | Path | None) -> Iterator[str | Path]:
    """Store of points; where nothing is to be kept, a file that goes away."""
    if store is not None:
        yield store
        return
    with temporary_folder() as folder:
        yield folder / "s.db"
