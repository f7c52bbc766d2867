"""The texture and surface objects of the executor, as rows that generated code samples from."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.kernel import Variable
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host.backend import Bytes, TextureSpec
from warpmill.executor.texture_table import (
    AddressMode,
    Filter,
    Format,
    TextureDescriptor,
    texture_table,
)

_FORMATS = {
    "u8": Format.U8, "u16": Format.U16, "u32": Format.U32, "i8": Format.S8, "i16": Format.S16,
    "i32": Format.S32, "f16": Format.F16, "f32": Format.F32,
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
        """Give a copy of an object's memory."""
        return self._memory.view(*self._places[handle - 1]).copy()

    def table(self) -> npt.NDArray[Any] | None:
        """Give the rows; None where there are no objects."""
        if self._table is None and self._rows:
            self._table = texture_table(self._rows)
        return self._table


_MODES = {"clamp_ogl": "clamp", "clamp_to_edge": "clamp", "clamp_to_border": "border"}


def sampler_of(variable: Variable) -> TextureSpec | None:
    """What a ``.samplerref`` says of itself, as of a texture of one element; None: nothing."""
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
