"""Compiling for this machine as its user sees it: what takes long, and what could not be kept.

The command line reads and sets what stands here without loading a compiler.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import cast

not_kept: dict[str, str] = {}
"""Folders that compiled code could not be kept in since the process began, each with why."""

_listeners: list[Callable[[], None]] = []


def before_compiling(listener: Callable[[], None] | None) -> None:
    """Have ``listener`` called once, before the first function is compiled; None: nobody."""
    _listeners[:] = [] if listener is None else [listener]


def announce() -> None:
    """Tell the listener that a function is about to be compiled."""
    while _listeners:
        _listeners.pop()()


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Have imports of some modules fail meanwhile, as where they are not installed.

    A compiler loads them where they are there, though it needs them seldom. Those that are loaded
    already stay as they are.
    """
    unseen = [name for name in names if name not in sys.modules]
    modules = cast("dict[str, ModuleType | None]", sys.modules)
    modules.update(dict.fromkeys(unseen))
    try:
        yield
    finally:
        for name in unseen:
            del modules[name]
