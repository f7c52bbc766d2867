"""numba's compiler with a cache where one can be written, and without where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

_Function = TypeVar("_Function", bound=Callable[..., Any])


def jit(function: _Function) -> _Function:
    """Compile a function of arrays and NamedTuples of scalars without the interpreter.

    The cache's key is the function's own file; an engine keeps all that it jits in one file.
    """
    try:
        return cast(_Function, numba.njit(cache=True)(function))
    except RuntimeError:  # numba finds no folder that it may write to
        return cast(_Function, numba.njit(function))


def cache_folder() -> str | None:
    """Tell where numba keeps what it compiled; None where no folder can be written."""
    compiled: Any = jit(_nothing)
    path = compiled.stats.cache_path
    return None if path is None else str(path)


def _nothing() -> None:
    """What numba is asked about: it is never compiled."""
