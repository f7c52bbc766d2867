"""Texels in generated code, one lane at a time: where they lie, their formats, how to sample them.

All values here are uniform: they are of the one lane that is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.emitter import Emitter, counted, variable, when
from warpmill.executor.native.events import record_access
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.points import AccessSite
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.translation import note_fault
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
class TextureRow:
    """A row of the table, by its address as i64."""

    emitter: Emitter
    address: LlvmValue

    def get(self, name: str, type_: str = "i64") -> LlvmValue:
        """Read a column."""
        e = self.emitter
        at = e.op("add", self.address, constant(8 * COLUMNS[name], "i64"))
        whole = e.define(f"load i64, ptr {pointer(e, at)}", "i64", uniform=True)
        return e.resize(whole, type_)

    def is_set(self, name: str) -> LlvmValue:
        """Whether a column is not 0."""
        return self.emitter.compare("ne", self.get(name), constant(0, "i64"))


def pointer(e: Emitter, address: LlvmValue) -> str:
    """An address in an i64 as a pointer."""
    name = e.name()
    e.raw(f"  {name} = inttoptr i64 {address.text} to ptr")
    return name


def with_row(
    e: Emitter,
    handle: LlvmValue,
    lane: LlvmValue,
    site: LlvmValue,
    use: Callable[[TextureRow], None],
) -> None:
    """Run ``use`` on the row that a handle names; note a fault where it names none."""
    number = e.op("sub", handle, constant(1, "i64"))

    def found() -> None:
        start = e.context("textures")
        base = e.define(f"ptrtoint ptr {start.text} to i64", "i64", uniform=True)
        use(TextureRow(e, e.op("add", base, e.op("mul", number, constant(ROW_BYTES, "i64")))))

    def missing() -> None:
        note_fault(e, constant(FaultKind.TEXTURE, "i64"), lane, handle, site)

    when(e, e.compare("ult", number, e.context("texture_count")), found, missing)


# Coordinates.


def texel_index(
    e: Emitter, index: LlvmValue, size: LlvmValue, mode: LlvmValue, normalised: LlvmValue
) -> LlvmValue:
    """The texel of an axis that an index (i32) means, -1 for the border.

    Wrapping and mirroring need normalised coordinates; without them they are clamping.
    """
    return e.outlined("texel_index", _texel_index, index, size, mode, normalised)[0]


def _texel_index(
    e: Emitter, index: LlvmValue, size: LlvmValue, mode: LlvmValue, normalised: LlvmValue
) -> LlvmValue:
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

    def is_mode(number: AddressMode) -> LlvmValue:
        return e.compare("eq", mode, constant(number, "i32"))

    repeated = e.select(is_mode(AddressMode.MIRROR), mirrored, clamped)
    repeated = e.select(is_mode(AddressMode.WRAP), wrapped, repeated)
    chosen = e.select(normalised, repeated, clamped)
    return e.select(is_mode(AddressMode.BORDER), bordered, chosen)


def texel_indices(
    row: TextureRow, how: TextureRow, indices: tuple[LlvmValue, LlvmValue, LlvmValue]
) -> tuple[LlvmValue, LlvmValue, LlvmValue]:
    """The texels that indices along x, y and z mean by a sampler, -1 for the border."""
    e, normalised = row.emitter, how.is_set("normalised")
    x, y, z = (
        texel_index(e, index, row.get(axis, "i32"), how.get(mode, "i32"), normalised)
        for index, axis, mode in zip(indices, AXES, MODES, strict=True)
    )
    return x, y, z


def _modulo(e: Emitter, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Remainder of a division rounded down; ``b`` is positive."""
    rest = e.op("srem", a, b)
    return e.select(e.compare("slt", rest, constant(0, "i32")), e.op("add", rest, b), rest)


def texel_address(
    e: Emitter,
    row: TextureRow,
    place: tuple[LlvmValue, LlvmValue, LlvmValue],
    layer: LlvmValue,
    base: str = "host",
) -> LlvmValue:
    """The address of a texel, on the host or the ``device``, by its indices (i32, inside)."""
    x, y, z = (e.resize(v, "i64", signed=True) for v in place)
    deep = e.op("add", z, e.op("mul", e.resize(layer, "i64"), row.get("depth")))
    offset = e.op("mul", x, row.get("texel_bytes"))
    offset = e.op("add", offset, e.op("mul", y, row.get("pitch")))
    offset = e.op("add", offset, e.op("mul", deep, row.get("slice")))
    return e.op("add", row.get(base), offset)


# Texels.


def fetch(
    e: Emitter,
    row: LlvmValue,
    sampler: LlvmValue,
    place: tuple[LlvmValue, LlvmValue, LlvmValue],
    layer: LlvmValue,
) -> tuple[LlvmValue, ...]:
    """The four channels of a texel as bits (i32), its indices addressed by the sampler."""
    return e.outlined("texel", _fetch, row, sampler, *place, layer)


def _fetch(
    e: Emitter,
    image: LlvmValue,
    sampler: LlvmValue,
    x: LlvmValue,
    y: LlvmValue,
    z: LlvmValue,
    layer: LlvmValue,
) -> tuple[LlvmValue, ...]:
    row, how = TextureRow(e, image), TextureRow(e, sampler)
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


def read_texel(e: Emitter, row: TextureRow, address: LlvmValue) -> list[LlvmValue]:
    """Read the channels at a host address as bits; those that there are not are 0, 0, 1."""
    is_float = e.compare("eq", row.get("kind"), constant(FLOAT_KIND, "i64"))
    gives_float = e.op("or", is_float, row.is_set("reads_normalised"))
    one = e.select(gives_float, constant(0x3F800000, "i32"), constant(1, "i32"))
    channels = e.array("i32")
    for k in range(4):
        e.put(channels, constant(k, "i32"), one if k == 3 else constant(0, "i32"))
    size = row.get("channel_bytes")

    def channel(k: LlvmValue) -> None:
        at = e.op("add", address, e.op("mul", k, size))
        e.put(channels, k, _read_channel(e, row, at))

    counted(e, constant(0, "i64"), row.get("channels"), channel)
    return [e.get(channels, constant(k, "i32"), "i32") for k in range(4)]


def _read_channel(e: Emitter, row: TextureRow, address: LlvmValue) -> LlvmValue:
    """Read a channel as the bits of a float or of an integer of 32 bits."""
    size, result = row.get("channel_bytes"), variable(e, constant(0, "i32"))
    is_signed = e.compare("eq", row.get("kind"), constant(SIGNED_KIND, "i64"))
    is_float = e.compare("eq", row.get("kind"), constant(FLOAT_KIND, "i64"))
    normalises = row.is_set("reads_normalised")

    def load(type_: str) -> LlvmValue:
        return e.define(f"load {type_}, ptr {pointer(e, address)}, align 1", type_, uniform=True)

    def narrow(type_: str) -> None:
        bits = load(type_)
        up = e.select(is_signed, e.resize(bits, "i32", signed=True), e.resize(bits, "i32"))
        result.set(up)
        when(e, normalises, lambda: result.set(_normalised(e, up, int(type_[1:]), is_signed)))
        if type_ == "i16":
            single = e.cast("fpext", e.bitcast(bits, "half"), "float")
            when(e, is_float, lambda: result.set(e.bitcast(single, "i32")))

    def by_size(bytes_: int) -> LlvmValue:
        return e.compare("eq", size, constant(bytes_, "i64"))

    when(
        e,
        by_size(1),
        lambda: narrow("i8"),
        lambda: when(e, by_size(2), lambda: narrow("i16"), lambda: result.set(load("i32"))),
    )
    return result.get()


def _normalised(e: Emitter, value: LlvmValue, bits: int, is_signed: LlvmValue) -> LlvmValue:
    """An integer as a float: unsigned from 0 to 1, signed from -1 to 1."""
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

    def put(self, lane: LlvmValue, values: tuple[LlvmValue, ...] | list[LlvmValue]) -> None:
        """Write the results of one lane."""
        for array, value in zip(self.arrays, values, strict=True):
            self.emitter.put(array, lane, value)

    def whole(self) -> tuple[LlvmValue, ...]:
        """Results for all lanes."""
        return tuple(self.emitter.whole(array, self.type) for array in self.arrays)


# Texture coordinates to values.
#
# Point filtering takes the texel at the coordinate rounded down. Linear filtering is the formula
# of the CUDA C++ Programming Guide (appendix "Texture Fetching"): with b = x - 0.5, i = floor(b)
# and a = b - i, the texels i and i + 1 count 1 - a and a, likewise along other axes. The fraction
# a is held in fixed point with 8 bits: here the nearest multiple of 1 / 256, halves upwards. The
# weights are exact in single precision; products are added in it by fma, x running fastest.
# Addressing acts on the texels' numbers, so that a coordinate beyond the edge takes the edge's
# texel alone.

Triple = tuple[LlvmValue, LlvmValue, LlvmValue]


def _float(number: float) -> LlvmValue:
    return constant(number, "float")


def position(
    e: Emitter, row: TextureRow, how: TextureRow, axis: int, coordinate: LlvmValue
) -> LlvmValue:
    """A coordinate in texels: normalised ones are wrapped or mirrored, and scaled.

    Of the wrapped coordinate x - floor(x) is left; the mirrored one runs backwards where floor(x)
    is odd.
    """
    mode = how.get(MODES[axis], "i32")
    whole = e.call("llvm.floor", coordinate)
    part = e.op("fsub", coordinate, whole)
    half = e.op("fmul", whole, _float(0.5))
    is_odd = e.compare("une", half, e.call("llvm.floor", half))
    back = e.select(is_odd, e.op("fsub", _float(1), part), part)
    mirrors = e.compare("eq", mode, constant(AddressMode.MIRROR, "i32"))
    wraps = e.compare("eq", mode, constant(AddressMode.WRAP, "i32"))
    moved = e.select(wraps, part, e.select(mirrors, back, coordinate))
    scaled = e.op("fmul", moved, e.cast("uitofp", row.get(AXES[axis], "i32"), "float"))
    return e.select(how.is_set("normalised"), scaled, coordinate)


def _index(e: Emitter, number: LlvmValue, offset: LlvmValue) -> LlvmValue:
    """A whole float as an index; what is far outside stays outside."""
    whole = e.call("llvm.fptosi.sat", number, result="i32")
    low, high = constant(-(1 << 30), "i32"), constant(1 << 30, "i32")
    near = e.call("llvm.smin", e.call("llvm.smax", whole, low), high)
    return e.op("add", near, offset)


def _padded(indices: Sequence[LlvmValue]) -> Triple:
    x, y, z = [*indices, constant(0, "i32"), constant(0, "i32")][:3]
    return x, y, z


def texel_at(
    e: Emitter, image: LlvmValue, sampler: LlvmValue, layer: LlvmValue, *places: LlvmValue
) -> tuple[LlvmValue, ...]:
    """The texel at integer coordinates, then as many offsets: never filtered."""
    axes = len(places) // 2
    moved = [e.op("add", places[k], places[axes + k]) for k in range(axes)]
    return fetch(e, image, sampler, _padded(moved), layer)


def sample(
    e: Emitter, image: LlvmValue, sampler: LlvmValue, layer: LlvmValue, *places: LlvmValue
) -> tuple[LlvmValue, ...]:
    """The filtered value at coordinates (floats), then as many offsets in texels."""
    row, how, axes = TextureRow(e, image), TextureRow(e, sampler), len(places) // 2
    offsets = places[axes:]
    at = [position(e, row, how, k, places[k]) for k in range(axes)]
    results = [variable(e, constant(0, "i32")) for _ in range(4)]

    def point() -> None:
        found = [_index(e, e.call("llvm.floor", x), o) for x, o in zip(at, offsets, strict=True)]
        texel = fetch(e, image, sampler, _padded(found), layer)
        for result, value in zip(results, texel, strict=True):
            result.set(value)

    def linear() -> None:
        totals = _linear(e, image, sampler, layer, at, offsets)
        for result, value in zip(results, totals, strict=True):
            result.set(e.bitcast(value, "i32"))

    when(e, how.is_set("linear"), linear, point)
    return tuple(result.get() for result in results)


def _linear(
    e: Emitter,
    image: LlvmValue,
    sampler: LlvmValue,
    layer: LlvmValue,
    at: Sequence[LlvmValue],
    offsets: Sequence[LlvmValue],
) -> list[LlvmValue]:
    low = [e.op("fsub", x, _float(0.5)) for x in at]
    whole = [e.call("llvm.floor", x) for x in low]
    first = [_index(e, x, o) for x, o in zip(whole, offsets, strict=True)]
    second = [e.op("add", i, constant(1, "i32")) for i in first]
    upper = [_fraction(e, x, w) for x, w in zip(low, whole, strict=True)]
    lower = [e.op("fsub", _float(1), a) for a in upper]
    totals = [_float(0)] * 4
    for corner in product((0, 1), repeat=len(at)):
        ends = corner[::-1]  # x runs fastest
        weight = _float(1)
        for k, end in enumerate(ends):
            weight = e.op("fmul", weight, upper[k] if end else lower[k])
        place = [second[k] if end else first[k] for k, end in enumerate(ends)]
        texel = fetch(e, image, sampler, _padded(place), layer)
        totals = [
            e.call("llvm.fma", weight, e.bitcast(t, "float"), total)
            for t, total in zip(texel, totals, strict=True)
        ]
    return totals


def _fraction(e: Emitter, x: LlvmValue, whole: LlvmValue) -> LlvmValue:
    """X - whole in fixed point of 8 bits."""
    scaled = e.op("fmul", e.op("fsub", x, whole), _float(256))
    rounded = e.call("llvm.floor", e.op("fadd", scaled, _float(0.5)))
    return e.op("fmul", rounded, _float(1 / 256))


def gather(
    e: Emitter,
    image: LlvmValue,
    sampler: LlvmValue,
    layer: LlvmValue,
    component: LlvmValue,
    *places: LlvmValue,
) -> tuple[LlvmValue, ...]:
    """One component of the four texels that linear filtering would take.

    Counter-clockwise from the lower left, the rows running downwards: (i, j + 1), (i + 1, j + 1),
    (i + 1, j), (i, j).
    """
    row, how = TextureRow(e, image), TextureRow(e, sampler)
    first = []
    for k in range(2):
        low = e.op("fsub", position(e, row, how, k, places[k]), _float(0.5))
        first.append(_index(e, e.call("llvm.floor", low), places[2 + k]))
    chosen = []
    for right, down in ((0, 1), (1, 1), (1, 0), (0, 0)):
        x = e.op("add", first[0], constant(right, "i32"))
        y = e.op("add", first[1], constant(down, "i32"))
        texel = fetch(e, image, sampler, _padded([x, y]), layer)
        value = texel[0]
        for k in range(1, 4):
            is_it = e.compare("eq", component, constant(k, "i32"))
            value = e.select(is_it, texel[k], value)
        chosen.append(value)
    return tuple(chosen)


def first_texel(
    e: Emitter,
    image: LlvmValue,
    sampler: LlvmValue,
    layer: LlvmValue,
    spread: LlvmValue,
    *places: LlvmValue,
) -> tuple[LlvmValue, LlvmValue]:
    """The device address and the bytes of the first texel that a lookup touches.

    Places are coordinates, floats or integers, then as many offsets. With ``spread`` (i1) the
    lookup is of the texels i and i + 1 along each axis, else of i alone. 0 bytes: of the border.
    """
    row, how, axes = TextureRow(e, image), TextureRow(e, sampler), len(places) // 2
    back = e.select(spread, _float(0.5), _float(0))
    low = []
    for k, offset in enumerate(places[axes:]):
        if not places[k].is_float:
            low.append(e.op("add", places[k], offset))
            continue
        at = e.op("fsub", position(e, row, how, k, places[k]), back)
        low.append(_index(e, e.call("llvm.floor", at), offset))
    high = [e.op("add", i, e.resize(spread, "i32")) for i in low]
    x, y, z = (
        e.select(e.compare("slt", first, constant(0, "i32")), second, first)
        for first, second in zip(
            texel_indices(row, how, _padded(low)),
            texel_indices(row, how, _padded(high)),
            strict=True,
        )
    )
    lowest = e.call("llvm.smin", e.call("llvm.smin", x, y), z)
    inside = e.compare("sge", lowest, constant(0, "i32"))
    address = texel_address(e, row, (x, y, z), layer, "device")
    return address, e.select(inside, row.get("texel_bytes"), constant(0, "i64"))


def cube_face(
    e: Emitter, x: LlvmValue, y: LlvmValue, z: LlvmValue
) -> tuple[LlvmValue, LlvmValue, LlvmValue]:
    """The face (i32) that a direction meets, and where on it: both from 0 to 1.

    Faces are those of +x, -x, +y, -y, +z, -z, with s and t as the CUDA C++ Programming Guide's
    table gives them ("Cubemap Textures"); of equal components x wins over y, y over z.
    """
    size_x, size_y, size_z = (e.call("llvm.fabs", v) for v in (x, y, z))
    back_x, back_y, back_z = (e.op("fneg", v) for v in (x, y, z))
    is_x = e.op("and", e.compare("oge", size_x, size_y), e.compare("oge", size_x, size_z))
    is_y = e.compare("oge", size_y, size_z)
    negative = [e.compare("olt", v, _float(0)) for v in (x, y, z)]

    def by_axis(of_x: LlvmValue, of_y: LlvmValue, of_z: LlvmValue) -> LlvmValue:
        return e.select(is_x, of_x, e.select(is_y, of_y, of_z))

    faces = [
        e.select(n, constant(2 * k + 1, "i32"), constant(2 * k, "i32"))
        for k, n in enumerate(negative)
    ]
    major = by_axis(size_x, size_y, size_z)
    s = by_axis(e.select(negative[0], z, back_z), x, e.select(negative[2], back_x, x))
    t = by_axis(back_y, e.select(negative[1], back_z, z), back_y)

    def place(v: LlvmValue) -> LlvmValue:
        return e.op("fmul", e.op("fadd", e.op("fdiv", v, major), _float(1)), _float(0.5))

    return by_axis(faces[0], faces[1], faces[2]), place(s), place(t)


# Texels that lanes look up or write, written down as accesses where traces are asked for.
#
# An access has, for each lane, the device address of the first texel that it touches: the others
# that filtering and gathering take lie beside it or in the next row, and are left out. Lanes that
# touch none, as those that read the border, are off in it. Its width is a texel of the lowest lane
# on. Profiles do not count these accesses.

TEXEL_BYTES = (1, 2, 4, 8, 16)
"""Bytes of a texel, or of what is accessed in a surface by bytes: a point each."""


def note_texels(
    step: LoweringStep, kind: str, space: Space, where: LlvmValue, sizes: LlvmValue
) -> None:
    """Write down where texels lie (i64) and how large they are (i64, 0 for lanes without one)."""
    points = step.points
    first = len(points.recorded)
    points.recorded += [AccessSite(*step.place, kind, space, width) for width in TEXEL_BYTES]
    points.written += 1
    e = step.emitter
    bits = e.bits(e.compare("ne", sizes, constant(0, "i64")))
    number = e.op("add", _size_class(e, sizes, bits), constant(first, "i64"))
    record_access(e, number, where, bits)


def _size_class(e: Emitter, sizes: LlvmValue, bits: LlvmValue) -> LlvmValue:
    """The place among TEXEL_BYTES of the lowest lane's size; any where no lane is on."""
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    lane = e.op("and", lane, constant(e.lanes - 1, "i32"))
    size = e.get(e.spill(sizes), lane, "i64")
    log = e.call("llvm.cttz", size, extra=", i1 false")
    return e.call("llvm.umin", log, constant(len(TEXEL_BYTES) - 1, "i64"))
