"""Registers as arrays: which dtype a type has, and how bits are seen as another type.

A value is an array with an element for each lane of a frame, or of one element where all have the
same. Arrays of registers are never changed in place, so they may be shared.
"""

from __future__ import annotations

import numpy as np

from warpmill.analyzer.ir.types import Type, TypeKind

FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def dtype_of(type_: Type) -> np.dtype:
    """The dtype of a type; formats that NumPy lacks are the bits that they take."""
    if type_.kind is TypeKind.PREDICATE:
        return np.dtype(bool)
    if type_.name in FLOATS:
        return np.dtype(FLOATS[type_.name])
    if type_.bits not in (8, 16, 32, 64):
        raise NotImplementedError(f"values of {type_.name}")
    return np.dtype(f"{'i' if type_.kind is TypeKind.SIGNED else 'u'}{type_.bits // 8}")


def seen_as(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """See the low bits of a register as a value of a type that is no wider; widen with zeros."""
    if value.dtype == dtype:
        return value
    if value.dtype.kind == "b" or dtype.kind == "b":
        raise NotImplementedError(f"{value.dtype} read as {dtype}")
    if value.itemsize == dtype.itemsize:
        return value.view(dtype)
    bits = value.view(f"u{value.itemsize}").astype(f"u{dtype.itemsize}")
    return bits.view(dtype)


def fitted(value: np.ndarray, register: np.dtype) -> np.ndarray:
    """Bring a result to its register's width: signed ones keep their sign, others get zeros."""
    if value.dtype == bool or value.itemsize == register.itemsize:
        return value
    if value.dtype.kind == "f":
        value = value.view(f"u{value.itemsize}")
    return value.astype(f"{value.dtype.kind}{register.itemsize}")


def constant(value: int, dtype: np.dtype) -> np.ndarray:
    """An integer's low bits as an array of one element."""
    if dtype.kind == "b":
        return np.array([bool(value)])
    return np.array([value % (1 << (8 * dtype.itemsize))], f"u{dtype.itemsize}").view(dtype)


def truth(bits: np.ndarray, lanes: int) -> np.ndarray:
    """Spread masks over lanes, one row a warp."""
    return np.unpackbits(bits.view(np.uint8), bitorder="little").reshape(-1, 64)[:, :lanes] > 0


def masks(lanes: np.ndarray) -> np.ndarray:
    """Pack rows of lanes to masks of 64 bits."""
    rows, width = lanes.shape
    packed = np.zeros((rows, 8), np.uint8)
    packed[:, : width // 8] = np.packbits(lanes, axis=1, bitorder="little")
    return packed.view(np.uint64).reshape(rows)
