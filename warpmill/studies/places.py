"""Where studies are kept if nobody says where."""

from __future__ import annotations

import os
from pathlib import Path

from analyzer.diagnostics import UsageError


def default_store() -> Path:
    """Give the file that sweeps are kept in where none is named; its folder is made."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        folder = Path(cache) / "warpmill"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # nobody's home, or none that may be written to
        raise UsageError(
            f"there is no folder to keep studies in ({error}); name a file with --store, or keep "
            "nothing with --no-store"
        ) from None
    return folder / "studies.db"
