"""Textures and surfaces as generated code sees them: a row of 64-bit integers each.

A handle, as kernels pass it around, is 1 + the number of its row; 0 is no texture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AddressMode(IntEnum):
    """Address modes of a coordinate outside, as txq numbers them (PTX ISA 9.0, section 5.3)."""

    WRAP = 0
    MIRROR = 1
    CLAMP = 3
    BORDER = 4


class Filter(IntEnum):
    """How texels become a value."""

    POINT = 0
    LINEAR = 1


class TexelFormat(IntEnum):
    """The format of one channel: 8 × kind + bytes, kinds being unsigned, signed and float."""

    U8 = 1
    U16 = 2
    U32 = 4
    S8 = 9
    S16 = 10
    S32 = 12
    F16 = 18
    F32 = 20

    @property
    def bytes(self) -> int:
        """Bytes of a channel."""
        return self & 7

    @property
    def is_float(self) -> bool:
        """Whether it holds floats."""
        return self >> 3 == FLOAT_KIND


SIGNED_KIND = 1
FLOAT_KIND = 2

_DATA_TYPES = {
    TexelFormat.U8: 0x10DA, TexelFormat.U16: 0x10DB, TexelFormat.U32: 0x10DC,
    TexelFormat.S8: 0x10D7, TexelFormat.S16: 0x10D8, TexelFormat.S32: 0x10D9,
    TexelFormat.F16: 0x10DD, TexelFormat.F32: 0x10DE,
}  # fmt: skip
_NORMALISED_TYPES = {
    TexelFormat.U8: 0x10D2,
    TexelFormat.U16: 0x10D3,
    TexelFormat.S8: 0x10D0,
    TexelFormat.S16: 0x10D1,
}
_ORDERS = {1: 0x10B0, 2: 0x10B2, 4: 0x10B5}
"""Channel data types and orders, numbered as in OpenCL (PTX ISA 9.0, section 5.3.2)."""

_COLUMNS = (
    "host", "width", "height", "depth", "layers", "pitch", "slice", "channels", "channel_bytes",
    "kind", "reads_normalised", "linear", "normalised", "address_x", "address_y", "address_z",
    "border_r", "border_g", "border_b", "border_a", "data_type", "order", "texel_bytes", "device",
)  # fmt: skip

COLUMNS = {name: place for place, name in enumerate(_COLUMNS)}
"""The column of each field in a row."""

ROW_BYTES = 8 * len(_COLUMNS)
"""Bytes of a row."""

_MOST = 1 << 27  # texels along an axis: the most of a linear texture


@dataclass(frozen=True)
class TextureDescriptor:
    """A texture or a surface: where its texels lie and how they are read.

    ``host_address`` is where they are read, ``device_address`` is what traces say. Sizes are in
    texels, 1 along axes that it does not have. Rows lie ``pitch_bytes`` apart, slices of a 3D
    texture and layers ``height`` rows apart; a cube has six layers, or six for each of its own.
    ``border`` are the bits of the four channels outside, of a float each where reading gives
    floats.
    """

    host_address: int
    width: int
    format: TexelFormat
    height: int = 1
    depth: int = 1
    layers: int = 1
    pitch_bytes: int = 0  # 0: rows lie one after another
    channels: int = 1
    filter: Filter = Filter.POINT
    address: tuple[AddressMode, AddressMode, AddressMode] = (AddressMode.CLAMP,) * 3
    is_normalised: bool = False  # whether coordinates run from 0 to 1
    reads_normalised: bool = False  # whether integers are read as floats from 0 or -1 to 1
    border: tuple[int, int, int, int] = (0, 0, 0, 0)
    device_address: int = 0

    def __post_init__(self) -> None:
        """Refuse what generated code relies on not to happen; ValueError names the field."""
        for name in ("width", "height", "depth", "layers"):
            if not 1 <= getattr(self, name) <= _MOST:
                raise ValueError(f"{name} {getattr(self, name)} is not from 1 to {_MOST}")
        if self.channels not in _ORDERS:
            raise ValueError(f"{self.channels} channels: there can be 1, 2 or 4")
        if self.pitch_bytes and self.pitch_bytes < self.width * self.texel_bytes:
            raise ValueError(f"a pitch of {self.pitch_bytes} bytes is less than a row")
        if self.reads_normalised and self.format not in _NORMALISED_TYPES:
            raise ValueError(f"{self.format.name} cannot be read as a normalised float")

    @property
    def texel_bytes(self) -> int:
        """Bytes of a texel."""
        return self.channels * self.format.bytes

    @property
    def pitch(self) -> int:
        """Bytes from one row to the next."""
        return self.pitch_bytes or self.width * self.texel_bytes

    @property
    def size_bytes(self) -> int:
        """Bytes from the first texel to the end of the last row."""
        rows = self.height * self.depth * self.layers
        return (rows - 1) * self.pitch + self.width * self.texel_bytes

    @property
    def gives_floats(self) -> bool:
        """Whether a fetch gives floats, which alone can be filtered."""
        return self.reads_normalised or self.format.is_float

    def row(self) -> tuple[int, ...]:
        """The row of the table."""
        types = _NORMALISED_TYPES if self.reads_normalised else _DATA_TYPES
        linear = self.filter is Filter.LINEAR and self.gives_floats
        return (
            self.host_address, self.width, self.height, self.depth, self.layers,
            self.pitch, self.pitch * self.height, self.channels, self.format.bytes,
            self.format >> 3, int(self.reads_normalised), int(linear), int(self.is_normalised),
            *self.address, *self.border, types[self.format], _ORDERS[self.channels],
            self.texel_bytes, self.device_address,
        )  # fmt: skip


def texture_table(descriptors: Sequence[TextureDescriptor]) -> NDArray[np.int64]:
    """The table that the context's field ``textures`` points at, a row a descriptor."""
    import numpy as np  # noqa: PLC0415 - descriptors are described without it

    rows = [descriptor.row() for descriptor in descriptors]
    return np.array(rows, np.int64).reshape(len(rows), len(_COLUMNS))
