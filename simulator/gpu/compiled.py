"""Compiling the engine: what numba keeps of it depends on all of its files.

numba's cache of a function knows only the function's own file, and would give back old code where
a constant or another function of the engine changed elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.simulator.gpu.constants import STALL
from warpmill.simulator.gpu.records import GPU

_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def sources_digest(*, jitted: bool = False) -> str:
    """Hash the sources of the engine and what surrounds it, or of jitted code alone. SHA-256."""
    here = Path(__file__).parent
    digest = sha256()
    beside = [
        here.parent / "memory" / "cache_step.py",
        here.parent / "resources.py",
        here.parents[1] / "analyzer" / "base" / "pointers.py",
    ]
    if not jitted:
        shapes = sorted((here.parents[1] / "analyzer" / "memory").glob("*.py"))
        beside += [here.parent / "streams.py", *shapes]
    for path in (*sorted(here.glob("*.py")), *beside):
        text = path.read_bytes()
        if not jitted or any(mark in text for mark in _MARKS) or path.name in _LAYOUT:
            digest.update(text)
    digest.update(repr((GPU, STALL)).encode())
    return digest.hexdigest()


_MARKS = (b"\n@part\n", b"\n@engine\n", b"\n@jit_part\n")
"""Markers of a file that has jitted functions."""

_LAYOUT = ("constants.py", "pointers.py", "records.py")
"""Files that say what stands where in the engine's memory, and what words of it mean. Others only
name machines' numbers and warp states: what is made of these is hashed, and not how."""


def engine(function: _Function) -> _Function:
    """Compile a function that Python calls."""
    return _stamped(jit(function))


def part(function: _Function) -> _Function:
    """Compile a function that jitted ones call; it makes no arrays and gives none back.

    It is not kept by itself: it is part of what is kept of those that call it.
    """
    return jit_part(function, error_model="numpy")


def _stamped(compiled: _Function) -> _Function:
    """Function whose kept code holds for these sources only."""
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None and hasattr(file, "_source_stamp"):
        file._source_stamp = (file._source_stamp, sources_digest(jitted=True))
    return compiled
