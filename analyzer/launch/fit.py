"""Whether an initialiser can fill a buffer: its numbers, the element type and the shape."""

from __future__ import annotations

import math

from warpmill.analyzer.launch.elements import ElementKind, ElementType
from warpmill.analyzer.launch.initialisers import (
    Arange,
    Constant,
    Csr,
    CsrPart,
    Initialiser,
    Normal,
    Permutation,
    Uniform,
)

_MAX_SIDE = (1 << 31) - 1  # so that column numbers multiply without overflow


def misfit(init: Initialiser, type_: ElementType, count: int) -> str | None:
    """Say why ``init`` cannot fill ``count`` elements of a type; None where it can.

    The contents of a file are not looked at.
    """
    match init:
        case Constant(value):
            return _unfit_number(value, type_)
        case Arange(start, step):
            last = start + (count - 1) * step
            if isinstance(last, float) and not math.isfinite(last):
                return "the last element is not finite"
            return next((m for v in (start, step, last) if (m := _unfit_number(v, type_))), None)
        case Uniform():
            return _unfit_uniform(init, type_)
        case Normal():
            return _unfit_normal(init, type_)
        case Permutation():
            if type_.is_float or type_.kind is ElementKind.BOOL:
                return f"a permutation needs an integer type, not {type_.name}"
            return _unfit_number(count - 1, type_)
        case Csr():
            return _unfit_csr(init, type_, count)
        case _:
            return None


def _unfit_number(value: float, type_: ElementType) -> str | None:
    if isinstance(value, float) and not type_.is_float and not value.is_integer():
        return f"{value} is not an integer, and the elements are {type_.name}"
    return None if type_.holds(value) else f"{value} does not fit {type_.name}"


def _unfit_uniform(init: Uniform, type_: ElementType) -> str | None:
    if not (math.isfinite(init.low) and math.isfinite(init.high)):
        return "the bounds must be finite"
    if init.low > init.high or (init.low == init.high and not type_.is_float):
        return f"the upper bound {init.high} must be above the lower bound {init.low}"
    if type_.is_float and not type_.holds(init.high - init.low):
        return f"the range from {init.low} to {init.high} is too wide for {type_.name}"
    above = 0 if type_.is_float else 1
    return _unfit_number(init.low, type_) or _unfit_number(init.high - above, type_)


def _unfit_normal(init: Normal, type_: ElementType) -> str | None:
    if not type_.is_float:
        return f"a normal distribution needs a floating-point type, not {type_.name}"
    if not (math.isfinite(init.mean) and math.isfinite(init.deviation)):
        return "mean and standard deviation must be finite"
    if init.deviation < 0:
        return f"the standard deviation must not be negative: {init.deviation}"
    return _unfit_number(init.mean, type_) or _unfit_number(init.deviation, type_)


def _unfit_csr(init: Csr, type_: ElementType, count: int) -> str | None:
    part = init.part
    if min(init.rows, init.columns) < 1 or init.nnz_per_row < 0:
        return "a matrix needs rows and columns"
    if max(init.rows, init.columns) > _MAX_SIDE:
        return f"a matrix has at most {_MAX_SIDE} rows and columns"
    if init.nnz_per_row > init.columns:
        return f"{init.nnz_per_row} entries a row do not fit {init.columns} columns"
    if part is CsrPart.VALUES and not type_.is_float:
        return f"`values` needs a floating-point type, not {type_.name}"
    if part is not CsrPart.VALUES and (type_.is_float or type_.kind is ElementKind.BOOL):
        return f"`{part.value}` needs an integer type, not {type_.name}"
    if count != init.length:
        return f"`{part.value}` of this matrix has {init.length} elements, the buffer {count}"
    if part is CsrPart.VALUES:
        return None
    largest = init.entries if part is CsrPart.ROW_PTR else init.columns - 1
    return _unfit_number(largest, type_)
