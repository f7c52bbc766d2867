"""numba's compiler with a cache where one can be written, and without where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

_Function = TypeVar("_Function", bound=Callable[..., Any])


def jit(function: _Function) -> _Function:
    """Compile a function of arrays and NamedTuples of scalars without the interpreter.

    The cache's key is the function's own file; an engine keeps all that it jits in one file.
    """
    try:
        compiled = numba.njit(cache=True)(function)
    except RuntimeError:  # numba finds no folder that it may write to
        compiled = numba.njit(function)
    result: _Function = compiled
    return result
