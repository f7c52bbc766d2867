"""cvt between integers and floating point, with rounding and saturation (PTX ISA 9.7.9)."""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor import floats
from tests.reference.numpy_executor.values import FLOATS, dtype_of

TO_INTEGERS = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}
KNOWN = {"rn", "rz", "rm", "rp", "sat", "ftz", *TO_INTEGERS}


def convert(operation):
    """The function of a conversion."""
    if len(operation.types) != 2:
        raise NotImplementedError(operation.opcode)
    to, from_ = operation.types
    words = set(operation.modifiers) - {to.name, from_.name}
    if words - KNOWN or any(t.is_float and t.name not in FLOATS for t in (to, from_)):
        raise NotImplementedError(operation.opcode)
    target = dtype_of(to)
    if from_.is_float and not to.is_float:
        inner = _to_integer(words, target)
    elif from_.is_float:
        inner = _between_floats(words, target)
    elif to.is_float:
        inner = _from_integer(words, target)
    else:
        inner = _between_integers(words, target)
    return _flushing(inner, from_, to) if "ftz" in words else inner


def _flushing(inner, from_, to):
    def flush(value):
        value = floats.flushed(value) if from_.name == "f32" else value
        result = inner(value)
        return floats.flushed(result) if to.name == "f32" else result

    return flush


def _to_integer(words, target):
    to_integer = next(TO_INTEGERS[w] for w in words if w in TO_INTEGERS)
    limits = np.iinfo(target)

    def round_(value):
        whole = to_integer(value.astype(np.float64))
        below, above = whole <= float(limits.min), whole >= float(limits.max)
        inside = np.where(below | above | np.isnan(whole), 0.0, whole).astype(target)
        top = np.where(above, target.type(limits.max), inside)
        result = np.where(below, target.type(limits.min), top)
        # A NaN is 0, of 64 bits the lowest number's pattern: what the hardware gives.
        nan = 0 if target.itemsize < 8 else (1 << 63 if target.kind == "u" else limits.min)
        return np.where(np.isnan(whole), target.type(nan), result)

    return round_


def _between_floats(words, target):
    to_integer = next((TO_INTEGERS[w] for w in words if w in TO_INTEGERS), None)
    rounding = next((w for w in ("rz", "rm", "rp") if w in words), "rn")

    def round_(value):
        if to_integer is not None:
            value = to_integer(value)
        result = floats.narrowed(value, target, rounding)
        return np.nan_to_num(np.clip(result, 0, 1), nan=0.0) if "sat" in words else result

    return round_


def _from_integer(words, target):
    rounding = next((w for w in ("rz", "rm", "rp") if w in words), "rn")
    if rounding != "rn":
        raise NotImplementedError(f"cvt.{rounding} of integers")
    return lambda value: value.astype(target)


def _between_integers(words, target):
    if "sat" not in words:
        return lambda value: value.astype(target)
    limits = np.iinfo(target)

    def clamp(value):
        own = np.iinfo(value.dtype)
        return np.clip(value, max(limits.min, own.min), min(limits.max, own.max)).astype(target)

    return clamp
