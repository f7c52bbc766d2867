"""Texels in generated code, one lane at a time: where they lie, and their formats.

All values here are uniform: they are of the one lane that is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpmill.executor.fault_kinds import FaultKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.structured import Variable, counted, variable, when
from warpmill.executor.native.translation import note_fault
from warpmill.executor.native.values import Value, constant
from warpmill.executor.texture_table import (
    COLUMNS,
    FLOAT_KIND,
    ROW_BYTES,
    SIGNED_KIND,
    AddressMode,
)

AXES = ("width", "height", "depth")
MODES = ("address_x", "address_y", "address_z")


@dataclass(frozen=True)
class Row:
    """A row of the table, by its address as i64."""

    emitter: Emitter
    address: Value

    def get(self, name: str, type_: str = "i64") -> Value:
        """Read a column."""
        e = self.emitter
        at = e.op("add", self.address, constant(8 * COLUMNS[name], "i64"))
        whole = e.define(f"load i64, ptr {pointer(e, at)}", "i64", uniform=True)
        return e.resize(whole, type_)

    def is_set(self, name: str) -> Value:
        """Tell whether a column is not 0."""
        return self.emitter.compare("ne", self.get(name), constant(0, "i64"))


def pointer(e: Emitter, address: Value) -> str:
    """Give an address in an i64 as a pointer."""
    name = e.name()
    e.raw(f"  {name} = inttoptr i64 {address.text} to ptr")
    return name


def with_row(
    e: Emitter, handle: Value, lane: Value, site: Value, use: Callable[[Row], None]
) -> None:
    """Run ``use`` on the row that a handle names; note a fault where it names none."""
    number = e.op("sub", handle, constant(1, "i64"))

    def found() -> None:
        start = e.context("textures")
        base = e.define(f"ptrtoint ptr {start.text} to i64", "i64", uniform=True)
        use(Row(e, e.op("add", base, e.op("mul", number, constant(ROW_BYTES, "i64")))))

    def missing() -> None:
        note_fault(e, constant(FaultKind.TEXTURE, "i64"), lane, handle, site)

    when(e, e.compare("ult", number, e.context("texture_count")), found, missing)


# Coordinates.


def texel_index(e: Emitter, index: Value, size: Value, mode: Value, normalised: Value) -> Value:
    """Give the texel of an axis that an index (i32) means, -1 for the border.

    Wrapping and mirroring need normalised coordinates; without them they are clamping.
    """
    return e.outlined("texel_index", _texel_index, index, size, mode, normalised)[0]


def _texel_index(e: Emitter, index: Value, size: Value, mode: Value, normalised: Value) -> Value:
    zero, one = constant(0, "i32"), constant(1, "i32")
    last = e.op("sub", size, one)
    clamped = e.call("llvm.smin", e.call("llvm.smax", index, zero), last)
    wrapped = _modulo(e, index, size)
    twice = e.op("shl", size, one)
    folded = _modulo(e, index, twice)
    back = e.op("sub", e.op("sub", twice, one), folded)
    mirrored = e.call("llvm.smin", folded, back)
    inside = e.compare("ult", index, size)
    bordered = e.select(inside, index, constant(-1, "i32"))

    def is_mode(number: AddressMode) -> Value:
        return e.compare("eq", mode, constant(number, "i32"))

    repeated = e.select(is_mode(AddressMode.MIRROR), mirrored, clamped)
    repeated = e.select(is_mode(AddressMode.WRAP), wrapped, repeated)
    chosen = e.select(normalised, repeated, clamped)
    return e.select(is_mode(AddressMode.BORDER), bordered, chosen)


def texel_indices(
    row: Row, how: Row, indices: tuple[Value, Value, Value]
) -> tuple[Value, Value, Value]:
    """Give the texels that indices along x, y and z mean by a sampler, -1 for the border."""
    e, normalised = row.emitter, how.is_set("normalised")
    x, y, z = (
        texel_index(e, index, row.get(axis, "i32"), how.get(mode, "i32"), normalised)
        for index, axis, mode in zip(indices, AXES, MODES, strict=True)
    )
    return x, y, z


def _modulo(e: Emitter, a: Value, b: Value) -> Value:
    """Give what is left of a division rounded down; ``b`` is positive."""
    rest = e.op("srem", a, b)
    return e.select(e.compare("slt", rest, constant(0, "i32")), e.op("add", rest, b), rest)


def texel_address(
    e: Emitter, row: Row, place: tuple[Value, Value, Value], layer: Value, base: str = "host"
) -> Value:
    """Give the address of a texel, on the host or the ``device``, by its indices (i32, inside)."""
    x, y, z = (e.resize(v, "i64", signed=True) for v in place)
    deep = e.op("add", z, e.op("mul", e.resize(layer, "i64"), row.get("depth")))
    offset = e.op("mul", x, row.get("texel_bytes"))
    offset = e.op("add", offset, e.op("mul", y, row.get("pitch")))
    offset = e.op("add", offset, e.op("mul", deep, row.get("slice")))
    return e.op("add", row.get(base), offset)


# Texels.


def fetch(
    e: Emitter, row: Value, sampler: Value, place: tuple[Value, Value, Value], layer: Value
) -> tuple[Value, ...]:
    """Give the four channels of a texel as bits (i32), its indices addressed by the sampler."""
    return e.outlined("texel", _fetch, row, sampler, *place, layer)


def _fetch(  # noqa: PLR0913, PLR0917 - a place in a texture
    e: Emitter, image: Value, sampler: Value, x: Value, y: Value, z: Value, layer: Value
) -> tuple[Value, ...]:
    row, how = Row(e, image), Row(e, sampler)
    place = texel_indices(row, how, (x, y, z))
    lowest = e.call("llvm.smin", e.call("llvm.smin", place[0], place[1]), place[2])
    results = [variable(e, constant(0, "i32")) for _ in range(4)]

    def border() -> None:
        for result, letter in zip(results, "rgba", strict=True):
            result.set(how.get(f"border_{letter}", "i32"))

    def inside() -> None:
        address = texel_address(e, row, place, layer)
        for result, value in zip(results, read_texel(e, row, address), strict=True):
            result.set(value)

    when(e, e.compare("slt", lowest, constant(0, "i32")), border, inside)
    return tuple(result.get() for result in results)


def read_texel(e: Emitter, row: Row, address: Value) -> list[Value]:
    """Read the channels at a host address as bits; those that there are not are 0, 0, 1."""
    is_float = e.compare("eq", row.get("kind"), constant(FLOAT_KIND, "i64"))
    gives_float = e.op("or", is_float, row.is_set("reads_normalised"))
    one = e.select(gives_float, constant(0x3F800000, "i32"), constant(1, "i32"))
    channels = e.array("i32")
    for k in range(4):
        e.put(channels, constant(k, "i32"), one if k == 3 else constant(0, "i32"))
    size = row.get("channel_bytes")

    def channel(k: Value) -> None:
        at = e.op("add", address, e.op("mul", k, size))
        e.put(channels, k, _read_channel(e, row, at))

    counted(e, constant(0, "i64"), row.get("channels"), channel)
    return [e.get(channels, constant(k, "i32"), "i32") for k in range(4)]


def _read_channel(e: Emitter, row: Row, address: Value) -> Value:
    """Read a channel as the bits of a float or of an integer of 32 bits."""
    size, result = row.get("channel_bytes"), variable(e, constant(0, "i32"))
    is_signed = e.compare("eq", row.get("kind"), constant(SIGNED_KIND, "i64"))
    is_float = e.compare("eq", row.get("kind"), constant(FLOAT_KIND, "i64"))
    normalises = row.is_set("reads_normalised")

    def load(type_: str) -> Value:
        return e.define(f"load {type_}, ptr {pointer(e, address)}, align 1", type_, uniform=True)

    def narrow(type_: str) -> None:
        bits = load(type_)
        up = e.select(is_signed, e.resize(bits, "i32", signed=True), e.resize(bits, "i32"))
        result.set(up)
        when(e, normalises, lambda: result.set(_normalised(e, up, int(type_[1:]), is_signed)))
        if type_ == "i16":
            single = e.cast("fpext", e.bitcast(bits, "half"), "float")
            when(e, is_float, lambda: result.set(e.bitcast(single, "i32")))

    def by_size(bytes_: int) -> Value:
        return e.compare("eq", size, constant(bytes_, "i64"))

    when(
        e,
        by_size(1),
        lambda: narrow("i8"),
        lambda: when(e, by_size(2), lambda: narrow("i16"), lambda: result.set(load("i32"))),
    )
    return result.get()


def _normalised(e: Emitter, value: Value, bits: int, is_signed: Value) -> Value:
    """Give an integer as a float: unsigned from 0 to 1, signed from -1 to 1."""
    unsigned = e.op("fdiv", e.cast("uitofp", value, "float"), constant(2**bits - 1, "float"))
    signed = e.op("fdiv", e.cast("sitofp", value, "float"), constant(2 ** (bits - 1) - 1, "float"))
    signed = e.call("llvm.maxnum", signed, constant(-1, "float"))
    return e.bitcast(e.select(is_signed, signed, unsigned), "i32")


# What the lane loops of textures and surfaces share.


@dataclass(frozen=True)
class Results:
    """Room for a result or several of each lane; 0 where nothing is written."""

    emitter: Emitter
    arrays: tuple[str, ...]
    type: str

    @classmethod
    def make(cls, e: Emitter, count: int, type_: str) -> Results:
        """Make the room."""
        zero = e.vector(constant(0, type_))
        return cls(e, tuple(e.spill(zero) for _ in range(count)), type_)

    def put(self, lane: Value, values: tuple[Value, ...] | list[Value]) -> None:
        """Write the results of one lane."""
        for array, value in zip(self.arrays, values, strict=True):
            self.emitter.put(array, lane, value)

    def whole(self) -> tuple[Value, ...]:
        """Give them for all lanes."""
        return tuple(self.emitter.whole(array, self.type) for array in self.arrays)


__all__ = [
    "AXES",
    "MODES",
    "Results",
    "Row",
    "Variable",
    "fetch",
    "pointer",
    "read_texel",
    "texel_address",
    "texel_indices",
    "with_row",
]
