"""Texture and surface objects, as a host program makes them of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.diagnostics import UsageError
from analyzer.execution.backend import ADDRESS_MODES, FILTERS, TextureSpec
from analyzer.naming import suggestion

ELEMENTS = {
    "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "int8": "i8", "int16": "i16", "int32": "i32",
    "float16": "f16", "float32": "f32",
}  # fmt: skip
"""The element types that textures have on GPUs, by NumPy's name."""

_MOST_DIMENSIONS = 3


@dataclass(frozen=True)
class Texture:
    """A texture or surface object: passed to a kernel by its handle."""

    handle: int
    spec: TextureSpec

    @property
    def kind(self) -> str:
        """What it is: ``texture`` or ``surface``."""
        return "surface" if self.spec.is_surface else "texture"


def texture_spec(  # noqa: PLR0913 - each option by its name
    shape: Sequence[int],
    dtype: np.dtype[Any],
    *,
    channels: int = 1,
    filter_: str = "point",
    address: str | Sequence[str] = "clamp",
    normalised_coordinates: bool = False,
    normalised_values: bool = False,
    is_surface: bool = False,
) -> TextureSpec:
    """Describe a texture over an array of rows; with channels, they are its last dimension.

    UsageError for what no GPU has.
    """
    element = ELEMENTS.get(dtype.name)
    if element is None:
        raise UsageError(f"a texture has elements of {', '.join(ELEMENTS)}, not {dtype}")
    if channels not in (1, 2, 4):
        raise UsageError(f"an element of a texture has 1, 2 or 4 channels, not {channels}")
    sizes = tuple(shape)
    if channels > 1 and (not sizes or sizes[-1] != channels):
        raise UsageError(f"{channels} channels want a last dimension of that size: {sizes}")
    extent = tuple(reversed(sizes[:-1] if channels > 1 else sizes))
    if not 1 <= len(extent) <= _MOST_DIMENSIONS or 0 in extent:
        raise UsageError(f"a texture has 1 to 3 dimensions with elements, not {sizes}")
    if filter_ == "linear" and dtype.kind != "f" and not normalised_values:
        raise UsageError("linear filtering needs floating-point or normalised elements")
    if normalised_values and (dtype.kind == "f" or dtype.itemsize > 2):
        raise UsageError(f"integers of 8 or 16 bits can be read as normalised, not {dtype}")
    modes = _modes(address, normalised=normalised_coordinates)
    return TextureSpec(
        element=element,
        extent=extent,
        channels=channels,
        filter=_known("filter", filter_, FILTERS),
        address_modes=modes,
        normalised_coordinates=normalised_coordinates,
        normalised_values=normalised_values,
        is_surface=is_surface,
    )


def _modes(address: str | Sequence[str], *, normalised: bool) -> tuple[str, str, str]:
    given = [address] * 3 if isinstance(address, str) else [*address, "clamp", "clamp"][:3]
    x, y, z = (_known("address mode", mode, ADDRESS_MODES) for mode in given)
    if not normalised and {x, y, z} & {"wrap", "mirror"}:
        raise UsageError("address modes wrap and mirror need normalised coordinates")
    return x, y, z


def _known(what: str, word: str, words: Sequence[str]) -> str:
    if word not in words:
        hint = suggestion(word, words) or f"there are {', '.join(words)}"
        raise UsageError(f"there is no {what} `{word}`: {hint}")
    return word
