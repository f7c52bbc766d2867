"""Functions in Python that native code calls: compiled by numba, under names that LLVM finds."""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from numba import types
from numba.core.ccallback import CFunc

from warpmill.analyzer.base.compiling import announce
from warpmill.analyzer.base.jit import jit_part

_Function = TypeVar("_Function", bound=Callable[..., Any])
_number: Any = types.int64

SYMBOLS: dict[str, Callable[..., None]] = {}
"""The callbacks by the names that native code calls them by."""


def callback(name: str) -> Callable[[_Function], _Function]:
    """Make a function of 64-bit integers, addresses among them, one that native code can call."""

    def register(function: _Function) -> _Function:
        SYMBOLS[name] = function
        return function

    return register


def part(function: _Function) -> _Function:
    """Compile a function that callbacks call, as a part of these."""
    return jit_part(function, error_model="numpy")


def inlined(function: _Function) -> _Function:
    """Compile a function as a part of the code of each callback that calls it."""
    return jit_part(function, error_model="numpy", inlined=True)


@cache
def provide(name: str) -> None:
    """Compile a callback, or load it as it was kept, and let LLVM find it."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    llvm.add_symbol(name, _compiled(SYMBOLS[name]).address)


@cache
def _compiled(function: Callable[..., None]) -> Any:
    number = function.__code__.co_argcount
    options = {"nopython": True, "error_model": "numpy"}
    made: Any = CFunc(function, ((_number,) * number, types.void), {}, options)
    try:
        made.enable_caching()
    except RuntimeError:  # numba finds no folder that it may write to
        announce()
    else:
        file = made._cache._cache_file
        file._source_stamp = (file._source_stamp, _sources_digest())
    made.compile()
    return made


@cache
def _sources_digest() -> str:
    """Hash the sources of the callbacks: numba's cache knows only the file of a function."""
    digest = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
