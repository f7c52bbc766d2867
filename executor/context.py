"""Addresses that native code gets: grid, context, initialised variables, work memory."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.kernel import Symbol, Variable
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.executor.native.layout import CONTEXT, CONTEXT_TYPES

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the context: where it begins, and how its number is read and written."""

    place: int
    signed: struct.Struct
    unsigned: struct.Struct
    mask: int


def _field(name: str) -> Field:
    if CONTEXT_TYPES[name] == "i32":
        return Field(CONTEXT[name], struct.Struct("<i"), struct.Struct("<I"), (1 << 32) - 1)
    return Field(CONTEXT[name], struct.Struct("<q"), struct.Struct("<Q"), (1 << 64) - 1)


FIELDS = {name: _field(name) for name in CONTEXT}
"""The fields of a context by name."""


def address_of(array: npt.NDArray[Any]) -> int:
    """Address of an array's data, sooner than ``ctypes.data`` returns it."""
    if not array.size or not array.flags.writeable:
        return array.ctypes.data
    return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type] # no Buffer in 3.11


def aligned(size: int) -> Bytes:
    """Make zeroed memory of so many bytes and some more, at a multiple of 64."""
    raw = np.zeros(size + 128, np.uint8)
    start = -address_of(raw) % 64
    return raw[start : start + size + 64]


@lru_cache(maxsize=64)
def thread_ids(block: Dim3, warps: int, lanes: int) -> Bytes:
    """Tid.x, .y and .z of each lane, warp after warp; what is given is read only."""
    thread = np.arange(warps * lanes, dtype=np.int64).reshape(warps, lanes)
    ids = np.stack(unravel_index(thread, block), axis=1).astype(np.int32)
    whole = aligned(ids.nbytes)
    whole[: ids.nbytes] = ids.reshape(-1).view(np.uint8)
    whole.flags.writeable = False
    return whole


@lru_cache(maxsize=64)
def first_masks(threads: int, warps: int, lanes: int) -> npt.NDArray[np.uint64]:
    """Bits of the lanes that each warp begins with; what is given is read only."""
    counts = [min(lanes, threads - warp * lanes) for warp in range(warps)]
    masks = np.array([(1 << count) - 1 for count in counts], np.uint64)
    masks.flags.writeable = False
    return masks


# How large a launch is, and where it stops.

Dim3 = tuple[int, int, int]
Progress = Callable[[int, int], None]
"""Callback with the CTAs that are done, and CTAs of all."""


@dataclass(frozen=True)
class Grid:
    """How many threads a launch has."""

    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int = 0

    @property
    def ctas(self) -> int:
        """CTAs of the grid."""
        return math.prod(self.grid)

    @property
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        return math.prod(self.block)


@dataclass(frozen=True)
class RunLimits:
    """Limits of a run: thread instructions, wall seconds, bytes of the executor's own memory."""

    max_instructions: int | None = None
    max_seconds: float | None = None
    max_bytes: int = 4 << 30


NO_LIMITS = RunLimits()
"""Only the executor's own memory is limited."""


# The bytes that a module's variables hold before anything runs.

_FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}


def initial_bytes(
    variable: Variable, addresses: Mapping[str, int], address_bytes: int = 8
) -> npt.NDArray[np.uint8]:
    """Initial bytes of a variable; what its initialiser leaves out is zero.

    ``addresses`` are those of the variables and functions that initialisers may name. InputError
    for one that is not there, or where the initialiser is longer than the variable.
    """
    image = np.zeros(variable.size_bytes or 0, np.uint8)
    parts = [_element(v, variable, addresses, address_bytes) for v in variable.initialiser or ()]
    given = b"".join(parts)
    if len(given) > image.size:
        words = f"{len(given)} bytes, the variable {image.size}"
        raise InputError(f"the initialiser of `{variable.name}` has {words}")
    image[: len(given)] = np.frombuffer(given, np.uint8)
    return image


def _element(
    value: int | float | Symbol,
    variable: Variable,
    addresses: Mapping[str, int],
    address_bytes: int,
) -> bytes:
    """The bytes of one element; in an array of bytes an address stands for all of its own."""
    type_ = variable.type
    if isinstance(value, Symbol):
        if value.name not in addresses:
            words = f"the initialiser of `{variable.name}` takes the address of `{value.name}`"
            raise InputError(f"{words}, which has none here")
        size = max(address_bytes, type_.size_bytes)
        return _integer(addresses[value.name] + value.offset, size)
    if not isinstance(value, float):
        return _integer(value, type_.size_bytes)
    if type_.name == "bf16":
        return struct.pack("<f", value)[2:]  # what PTX writes for bf16 are its bits; exact here
    return struct.pack(_FLOATS[type_.name], value)


def _integer(value: int, size: int) -> bytes:
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
