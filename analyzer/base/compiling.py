"""Compiling for this machine as its user sees it: what takes long, and what could not be kept.

The command line reads and sets what stands here without loading a compiler.
"""

from __future__ import annotations

from collections.abc import Callable

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
