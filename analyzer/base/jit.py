"""numba's compiler with a cache where one can be written, and without where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core.options import DefaultOptions

_Function = TypeVar("_Function", bound=Callable[..., Any])

_UNCOUNTED = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}
"""Options that make numba count no references; it has them for itself, and promises nothing."""


def jit(function: _Function) -> _Function:
    """Compile a function of arrays and NamedTuples of scalars without the interpreter.

    The cache's key is the function's own file; an engine keeps all that it jits in one file.
    """
    try:
        return cast(_Function, _kept_if_it_can_be(numba.njit(cache=True)(function)))
    except RuntimeError:  # numba finds no folder that it may write to
        return cast(_Function, numba.njit(function))


def jit_part(function: _Function, *, keep: bool = True) -> _Function:
    """Compile a function that jitted ones call at each step of a loop.

    It may make no arrays and give none back. Then references to the arrays that it is handed need
    not be counted, which takes longer than a short function does (a cache steps at a third of its
    speed). Without ``keep`` it has no cache of its own, and division
    by zero is not looked for.
    """
    njit: Any = numba.njit
    if not keep:
        return cast(_Function, njit(error_model="numpy", **_UNCOUNTED)(function))
    try:
        return cast(_Function, _kept_if_it_can_be(njit(cache=True, **_UNCOUNTED)(function)))
    except RuntimeError:  # as above
        return cast(_Function, njit(**_UNCOUNTED)(function))


not_kept: dict[str, str] = {}
"""Folders that compiled code could not be kept in since the process began, each with why."""


def _kept_if_it_can_be(compiled: Any) -> Any:
    """Cache whose reading or writing may fail at a cost of time alone."""
    cache = compiled._cache
    load, save = cache.load_overload, cache.save_overload

    def loaded(*given: Any) -> Any:
        try:
            return load(*given)
        except Exception:  # whatever a damaged file makes of unpickling; it is compiled anew
            return None

    def saved(*given: Any) -> None:
        try:
            save(*given)
        except OSError as error:
            cache.disable()
            not_kept[cache.cache_path] = error.strerror or str(error)
        except Exception:  # what is kept there names a class that is gone: it is written anew
            cache.flush()
            save(*given)

    cache.load_overload, cache.save_overload = loaded, saved
    return compiled


def cache_folder() -> str | None:
    """Folder of numba's compiled code; None where no folder can be written."""
    compiled: Any = jit(_nothing)
    path = compiled.stats.cache_path
    return None if path is None else str(path)


def _nothing() -> None:
    """Function that numba's options are looked up for: it is never compiled."""
