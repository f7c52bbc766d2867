"""Python's garbage collector paused: it takes long where many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Keep Python from searching for cycles of dead objects: parses, analyses and traces make few.

    They make many objects, and every some hundred of these would have all looked at. The search
    goes on afterwards where it was on before. What was made in between is then counted among the
    old objects (frozen and thawed), or the search would begin with all of it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
