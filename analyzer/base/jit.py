"""numba's compiler with a cache where one can be written, and without where not.

What is kept is loaded at once: numba itself would first load all that it knows of NumPy and of
Python's types, which takes ten times as long, and which code needs that is yet to be compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core.options import DefaultOptions
from numba.core.runtime.nrt import rtsys

from warpmill.analyzer.base.compiling import announce, not_kept
from warpmill.analyzer.base.jit_parts import Part, WholeCompiler

_Function = TypeVar("_Function", bound=Callable[..., Any])

_UNCOUNTED = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}
"""Options that make numba count no references; it has them for itself, and promises nothing."""


def jit(function: _Function, *, nogil: bool = False, arrays: bool = True) -> _Function:
    """Compile a function of arrays and NamedTuples of scalars without the interpreter.

    The cache's key is the function's own file; an engine keeps all that it jits in one file. With
    ``nogil`` other threads run beside it. ``arrays`` as in ``jit_part``.
    """
    options: dict[str, Any] = {} if arrays else dict(_UNCOUNTED)
    options |= {"nogil": nogil, "pipeline_class": WholeCompiler}
    try:
        compiled: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba finds no folder that it may write to
        compiled = numba.njit(**options)(function)
    return cast(_Function, _kept_if_it_can_be(compiled))


def jit_part(
    function: _Function, *, arrays: bool = False, error_model: str = "python"
) -> _Function:
    """Compile a function that jitted ones alone call, as a part of these.

    Without ``arrays`` it makes none and gives none back. Then references to the arrays that it is
    handed need not be counted, which takes longer than a short function does (a cache steps at a
    third of its speed). With the error model of ``numpy`` division by zero is not looked for.

    Python can call it too, and then runs it as it stands.
    """
    options = {"nopython": True, "error_model": error_model, **({} if arrays else _UNCOUNTED)}
    no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made: Any = Part(function, {}, {**options, **no_wrappers})
    return cast(_Function, made)


def _kept_if_it_can_be(compiled: Any) -> Any:
    """Cache whose reading or writing may fail at a cost of time alone."""
    cache = compiled._cache
    save = cache.save_overload

    def loaded(signature: Any, target: Any) -> Any:
        try:
            rtsys.initialize(target)  # all that code needs which is not to be compiled
            found = cache._load_overload(signature, target)
        except Exception:  # no cache, or whatever a damaged file makes of unpickling
            found = None
        if found is None:
            announce()
        return found

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
