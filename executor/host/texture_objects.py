"""Texture and surface objects: as a host program makes them, and as rows for generated code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.ir.kernel import Variable
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host.backend import ADDRESS_MODES, FILTERS, Bytes, TextureSpec
from warpmill.executor.texture_table import (
    AddressMode,
    Filter,
    TexelFormat,
    TextureDescriptor,
    texture_table,
)

ELEMENTS = {
    "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "int8": "i8", "int16": "i16", "int32": "i32",
    "float16": "f16", "float32": "f32",
}  # fmt: skip
"""The element types that textures have on GPUs, by NumPy's name."""

_MOST_DIMENSIONS = 3


class SupportsTextures(Protocol):
    """Operations that textures need of their device."""

    def read_texture(self, handle: int) -> npt.NDArray[np.uint8]:
        """Copy a texture's elements to the host, as bytes."""


@dataclass(frozen=True)
class Texture:
    """A texture or surface object: passed to a kernel by its handle."""

    device: SupportsTextures = field(repr=False)
    handle: int
    spec: TextureSpec
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def get(self) -> npt.NDArray[Any]:
        """Copy the elements to the host: of a surface, what kernels have written."""
        data = self.device.read_texture(self.handle)
        return data.view(self.dtype).reshape(self.shape)


class TextureWords(TypedDict, total=False):
    """How a texture is read: as ``Device.texture`` takes it, by name."""

    channels: int
    filter: str
    address: str | Sequence[str]
    normalised_coordinates: bool
    normalised_values: bool
    layered: bool
    cube: bool
    linear_memory: bool


def texture_spec(
    shape: Sequence[int],
    dtype: np.dtype[Any],
    *,
    is_surface: bool = False,
    **how: Unpack[TextureWords],
) -> TextureSpec:
    """Describe a texture over an array of rows; with channels, they are its last dimension.

    UsageError for what no GPU has.
    """
    channels, filter_ = how.get("channels", 1), how.get("filter", "point")
    normalised_coordinates = how.get("normalised_coordinates", False)
    normalised_values = how.get("normalised_values", False)
    is_layered, is_cube = how.get("layered", False), how.get("cube", False)
    is_linear = how.get("linear_memory", False)
    element = ELEMENTS.get(dtype.name)
    if element is None:
        raise UsageError(f"a texture has elements of {', '.join(ELEMENTS)}, not {dtype}")
    if channels not in (1, 2, 4):
        raise UsageError(f"an element of a texture has 1, 2 or 4 channels, not {channels}")
    sizes = tuple(shape)
    if channels > 1 and (not sizes or sizes[-1] != channels):
        raise UsageError(f"{channels} channels want a last dimension of that size: {sizes}")
    layers, extent = _extent(sizes[:-1] if channels > 1 else sizes, is_layered or is_cube)
    if is_cube and (layers % 6 or len(extent) != 2 or extent[0] != extent[1]):
        raise UsageError(f"a cube has six square faces, or six of each of its layers: {sizes}")
    if filter_ == "linear" and dtype.kind != "f" and not normalised_values:
        raise UsageError("linear filtering needs floating-point or normalised elements")
    if normalised_values and (dtype.kind == "f" or dtype.itemsize > 2):
        raise UsageError(f"integers of 8 or 16 bits can be read as normalised, not {dtype}")
    modes = _modes(how.get("address", "clamp"), normalised=normalised_coordinates)
    if is_linear and (len(extent) != 1 or layers or filter_ != "point" or normalised_coordinates):
        words = "a texture of linear memory has one dimension, point filter and no layers, and"
        raise UsageError(f"{words} coordinates that are not normalised")
    return TextureSpec(
        element=element,
        extent=extent,
        channels=channels,
        filter=_known("filter", filter_, FILTERS),
        address_modes=modes,
        normalised_coordinates=normalised_coordinates,
        normalised_values=normalised_values,
        is_surface=is_surface,
        layers=layers,
        is_cube=is_cube,
        is_linear=is_linear,
    )


def _extent(sizes: Sequence[int], has_layers: bool) -> tuple[int, tuple[int, ...]]:
    """Layers, and width, height and depth. UsageError for what no texture has."""
    layers = sizes[0] if has_layers and sizes else 0
    extent = tuple(reversed(sizes[1:] if has_layers else sizes))
    most = _MOST_DIMENSIONS - has_layers
    if not 1 <= len(extent) <= most or 0 in sizes:
        what = "with layers has 1 or 2 dimensions beside them" if has_layers else "has 1 to 3"
        raise UsageError(f"a texture {what}, with elements, not {tuple(sizes)}")
    return layers, extent


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


# The texture and surface objects of the executor, as rows that generated code samples from.

_FORMATS = {
    "u8": TexelFormat.U8, "u16": TexelFormat.U16, "u32": TexelFormat.U32,
    "i8": TexelFormat.S8, "i16": TexelFormat.S16, "i32": TexelFormat.S32,
    "f16": TexelFormat.F16, "f32": TexelFormat.F32,
}  # fmt: skip


class TextureRows:
    """The objects of a device, each over memory of its own or over another's."""

    def __init__(self, memory: DeviceMemory) -> None:
        self._memory = memory
        self._rows: list[TextureDescriptor] = []
        self._places: list[tuple[int, int]] = []  # address and bytes of each
        self._table: npt.NDArray[Any] | None = None

    def add(self, spec: TextureSpec, data: Bytes | None, over: int | None) -> int:
        """Make an object of a copy of ``data``, or over the memory of another; give its handle."""
        number = len(self._rows) + 1
        if over is None:
            assert data is not None
            address = self._memory.allocate(data.size, f"{spec.kind} {number}")
            self._memory.view(address, data.size)[:] = data
            place = (address, data.size)
        else:
            place = self._places[over - 1]
        self._rows.append(_descriptor(spec, self._memory.view(*place), place[0]))
        self._places.append(place)
        self._table = None
        return number

    def read(self, handle: int) -> Bytes:
        """A copy of an object's memory."""
        return self._memory.view(*self._places[handle - 1]).copy()

    def table(self) -> npt.NDArray[Any] | None:
        """The rows; None where there are no objects."""
        if self._table is None and self._rows:
            self._table = texture_table(self._rows)
        return self._table


_MODES = {"clamp_ogl": "clamp", "clamp_to_edge": "clamp", "clamp_to_border": "border"}


def sampler_of(variable: Variable) -> TextureSpec | None:
    """Sampler that a ``.samplerref`` declares, as of a texture of one element; None: nothing."""
    said = dict(word.split("=", 1) for word in variable.attributes if "=" in word)
    if not said:
        return None
    modes = [said.get(f"addr_mode_{axis}", "clamp_to_edge") for axis in range(3)]
    x, y, z = [_MODES.get(mode, mode) for mode in modes]
    linear = said.get("filter_mode") == "linear"
    return TextureSpec("f32", (1,), filter="linear" if linear else "point",
                       address_modes=(x, y, z))  # fmt: skip


def _descriptor(spec: TextureSpec, data: Bytes, address: int) -> TextureDescriptor:
    width, height, depth = (*spec.extent, 1, 1)[:3]
    x, y, z = (AddressMode[mode.upper()] for mode in spec.address_modes)
    try:
        return TextureDescriptor(
            host_address=data.ctypes.data,
            width=width,
            format=_FORMATS[spec.element],
            height=height,
            depth=depth,
            layers=max(1, spec.layers),
            channels=spec.channels,
            filter=Filter[spec.filter.upper()],
            address=(x, y, z),
            is_normalised=spec.normalised_coordinates,
            reads_normalised=spec.normalised_values,
            device_address=address,
        )
    except ValueError as error:
        raise UsageError(f"the {spec.kind} cannot be made: {error}") from None
