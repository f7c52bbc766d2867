"""What a launch of a compiled kernel is given, and what it should leave behind.

A `Program` is data: which kernel of which source, how it is launched, with what, what NumPy or
SciPy say of the results, and how near they have to be and why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Near:
    """How far a result may be off: ``absolute + relative * |expected|``, and why it may."""

    relative: float
    absolute: float
    why: str


EXACT = Near(0, 0, "integers, copies, or single operations that IEEE 754 defines")
SINGLE = Near(2e-5, 2e-5, "sums of some hundred products in f32, in another order or contracted")
DOUBLE = Near(1e-13, 1e-13, "sums of some hundred products in f64, in another order or contracted")
APPROXIMATE = Near(1e-4, 1e-4, "f32 with ex2.approx, rsqrt.approx or rcp.approx")
SUMS = Near(1e-5, 1e-4, "sums of some hundred numbers near 1 in f32, in another order")


@dataclass(frozen=True)
class Program:
    """One kernel with a launch of it.

    ``name`` is `source:kernel` and, for one of several launches, `:case`: the stem of the
    artefacts' names, and the demangled name without parameters (none: the only one there is).
    ``inputs`` are the arguments, or what draws them all from a seeded generator. ``oracle`` gives
    what arguments hold afterwards, by their places: an array (masked where nothing is said), one
    with a tolerance of its own, or a predicate of the array. Where results need only be ``near``
    it is handed floating-point numbers as f64. With ``by_artefact`` it is handed the artefact's
    name first. ``symbols`` are module variables that the host sets; ``without`` gives artefacts,
    by a part of their names, that the meaning does not hold for, with the reason.
    """

    language: str
    name: str
    grid: int | tuple[int, ...]
    block: int | tuple[int, ...]
    inputs: Sequence[Any] | Callable[[np.random.Generator], Sequence[Any]]
    oracle: Callable[..., dict[Any, Any]]
    near: Near = EXACT
    shared: int = 0
    symbols: Mapping[str, Any] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)
    by_artefact: bool = False


@dataclass(frozen=True)
class Draw:
    """An argument that is drawn from a seeded generator."""

    make: Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class OnDevice:
    """An argument that needs addresses: ``make(device)`` gives its array or its bytes."""

    make: Callable[[Any], Any]


@dataclass(frozen=True)
class Strided:
    """An array as numba passes it: two null pointers, sizes, address, shape and strides."""

    values: Any


@dataclass(frozen=True)
class Image:
    """A two-dimensional texture with clamped, unnormalised coordinates."""

    values: Any


@dataclass(frozen=True)
class Outcome:
    """What came of one program with one artefact: right, wrong, refused."""

    program: str
    artefact: str
    compiler: str
    state: str
    words: str = ""


def integers(low, high, *shape, dtype=np.int32):
    """Whole numbers from ``low`` to below ``high``, as a type has them."""
    drawn = dtype if is_whole(dtype) else np.int64
    return Draw(lambda rng: rng.integers(low, high, shape, drawn).astype(dtype))


def uniform(low, high, *shape, dtype=np.float32):
    """Numbers between two others."""
    return Draw(lambda rng: rng.uniform(low, high, shape).astype(dtype))


def normal(*shape, dtype=np.float32):
    """Numbers of a normal distribution."""
    return Draw(lambda rng: rng.standard_normal(shape).astype(dtype))


def spread(dtype, *shape, real=normal):
    """Numbers over the whole range of a type of whole numbers; of others what ``real`` draws."""
    if not is_whole(dtype):
        return real(*shape, dtype=dtype)
    info = np.iinfo(dtype)
    return Draw(lambda rng: rng.integers(info.min, info.max, shape, dtype, endpoint=True))


def zeros(*shape, dtype=np.float32):
    """Room for results."""
    return np.zeros(shape, dtype)


def is_whole(dtype):
    """Whether numbers of a type are whole ones."""
    return np.issubdtype(dtype, np.integer)


def wide(values):
    """Numbers as f64, complex ones as two of them, whole ones as i64."""
    kind = np.complex128 if np.iscomplexobj(values) else np.float64
    return values.astype(np.int64 if is_whole(values.dtype) else kind)


def as_mask(bits):
    """Pack the bits of 32 lanes."""
    return (bits.astype(np.uint32) << np.arange(32, dtype=np.uint32)).sum(-1, dtype=np.uint32)


def rotated(x, left):
    """Rotate words of 32 bits to the left."""
    return x << np.uint32(left) | x >> np.uint32(32 - left)


def signed(value):
    """Take the lower 32 bits as a number with a sign."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def same_set(expected):
    """A predicate: an array begins with these numbers, in any order."""
    return lambda got: bool((np.sort(got[: expected.size]) == np.sort(expected)).all())


def all_but(share, expected):
    """A predicate: an array is this one but for a share of its places, where rounding decides."""
    return lambda got: bool((got != expected).mean() <= share)
