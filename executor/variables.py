"""The bytes that a module's variables hold before anything runs."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.kernel import Symbol, Variable

_FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}


def initial_bytes(
    variable: Variable, addresses: Mapping[str, int], address_bytes: int = 8
) -> npt.NDArray[np.uint8]:
    """Give what a variable is initialised with; what its initialiser leaves out is zero.

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
    """Give the bytes of one element; in an array of bytes an address stands for all of its own."""
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
