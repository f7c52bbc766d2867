"""What a launch of a compiled kernel is given, and what it should leave behind.

A `Program` is data: which kernel of which source, how it is launched, with what, what NumPy or
SciPy say of the results, and how near they have to be and why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


@dataclass(frozen=True)
class Program:
    """One kernel with a launch of it.

    ``source`` is the stem of the artefacts' names (`gemm_tiles`, or Triton's variant), ``kernel``
    the demangled name without parameters ('' for the only one). ``inputs`` makes the arguments
    from a seeded generator, ``oracle`` gives what arguments hold afterwards, by their places: an
    array (masked where nothing is said) or a predicate of the array; it is handed the artefact's
    name where ``by_artefact`` is set. ``symbols`` are module variables that the host sets;
    ``without`` gives artefacts, by a part of their names, that the meaning does not hold for, with
    the reason. ``case`` tells several launches of one kernel apart.
    """

    source: str
    kernel: str
    grid: int | tuple[int, ...]
    block: int | tuple[int, ...]
    inputs: Callable[[np.random.Generator], list[Any]]
    oracle: Callable[..., dict[Any, Any]]
    near: Near = EXACT
    shared: int = 0
    symbols: Mapping[str, Any] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)
    by_artefact: bool = False
    case: str = ""

    @property
    def name(self) -> str:
        """Source, kernel and which of several launches of it."""
        parts = (self.source, self.kernel, self.case)
        return ":".join(part for part in parts if part)


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


def to_bfloat(values):
    """Round f32 to the bits of bf16, to nearest, ties to even; no NaN."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bfloat(bits):
    """Widen the bits of bf16 to f32."""
    return (np.asarray(bits, np.uint16).astype(np.uint32) << 16).view(np.float32)


def from_e5m2(bits):
    """Widen the bits of an E5M2: the upper byte of an f16."""
    return (np.asarray(bits, np.uint8).astype(np.uint16) << 8).view(np.float16)


def from_e4m3(bits):
    """Widen the bits of an E4M3: bias 7, no infinities, one NaN."""
    bits = np.asarray(bits, np.uint8).astype(np.int64)
    exponent, fraction = bits >> 3 & 15, bits & 7
    scaled = np.where(exponent > 0, 8 + fraction, fraction) * 2.0 ** (np.maximum(exponent, 1) - 10)
    value = np.where((bits & 127) == 127, np.nan, scaled)
    return np.where(bits & 128, -value, value).astype(np.float32)
