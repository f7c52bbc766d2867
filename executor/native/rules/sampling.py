"""Texture coordinates to values, one lane at a time, all values uniform.

Point filtering takes the texel at the coordinate rounded down. Linear filtering is the formula of
the CUDA C++ Programming Guide (appendix "Texture Fetching"): with b = x - 0.5, i = floor(b) and a =
b - i, the texels i and i + 1 count 1 - a and a, likewise along other axes. The fraction a is held
in fixed point with 8 bits: here the nearest multiple of 1 / 256, halves upwards. The weights are
exact in single precision; products are added in it by fma, x running fastest. Addressing acts on
the texels' numbers, so that a coordinate beyond the edge takes the edge's texel alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.texels import (
    AXES,
    MODES,
    Row,
    fetch,
    texel_address,
    texel_indices,
)
from warpmill.executor.native.structured import variable, when
from warpmill.executor.native.values import Value, constant
from warpmill.executor.texture_table import AddressMode

Triple = tuple[Value, Value, Value]


def _float(number: float) -> Value:
    return constant(number, "float")


def position(e: Emitter, row: Row, how: Row, axis: int, coordinate: Value) -> Value:
    """Give a coordinate in texels: normalised ones are wrapped or mirrored, and scaled.

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


def _index(e: Emitter, number: Value, offset: Value) -> Value:
    """Give a whole float as an index; what is far outside stays outside."""
    whole = e.call("llvm.fptosi.sat", number, result="i32")
    low, high = constant(-(1 << 30), "i32"), constant(1 << 30, "i32")
    near = e.call("llvm.smin", e.call("llvm.smax", whole, low), high)
    return e.op("add", near, offset)


def _padded(indices: Sequence[Value]) -> Triple:
    x, y, z = [*indices, constant(0, "i32"), constant(0, "i32")][:3]
    return x, y, z


def texel_at(
    e: Emitter, image: Value, sampler: Value, layer: Value, *places: Value
) -> tuple[Value, ...]:
    """Give the texel at integer coordinates, then as many offsets: never filtered."""
    axes = len(places) // 2
    moved = [e.op("add", places[k], places[axes + k]) for k in range(axes)]
    return fetch(e, image, sampler, _padded(moved), layer)


def sample(
    e: Emitter, image: Value, sampler: Value, layer: Value, *places: Value
) -> tuple[Value, ...]:
    """Give the filtered value at coordinates (floats), then as many offsets in texels."""
    row, how, axes = Row(e, image), Row(e, sampler), len(places) // 2
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


def _linear(  # noqa: PLR0913, PLR0917 - a place in a texture
    e: Emitter,
    image: Value,
    sampler: Value,
    layer: Value,
    at: Sequence[Value],
    offsets: Sequence[Value],
) -> list[Value]:
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


def _fraction(e: Emitter, x: Value, whole: Value) -> Value:
    """Give x - whole in fixed point of 8 bits."""
    scaled = e.op("fmul", e.op("fsub", x, whole), _float(256))
    rounded = e.call("llvm.floor", e.op("fadd", scaled, _float(0.5)))
    return e.op("fmul", rounded, _float(1 / 256))


def gather(
    e: Emitter, image: Value, sampler: Value, layer: Value, component: Value, *places: Value
) -> tuple[Value, ...]:
    """Give one component of the four texels that linear filtering would take.

    Counter-clockwise from the lower left, the rows running downwards: (i, j + 1), (i + 1, j + 1),
    (i + 1, j), (i, j).
    """
    row, how = Row(e, image), Row(e, sampler)
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
    e: Emitter, image: Value, sampler: Value, layer: Value, spread: Value, *places: Value
) -> tuple[Value, Value]:
    """Give the device address and the bytes of the first texel that a lookup touches.

    Places are coordinates, floats or integers, then as many offsets. With ``spread`` (i1) the
    lookup is of the texels i and i + 1 along each axis, else of i alone. 0 bytes: of the border.
    """
    row, how, axes = Row(e, image), Row(e, sampler), len(places) // 2
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


def cube_face(e: Emitter, x: Value, y: Value, z: Value) -> tuple[Value, Value, Value]:
    """Give the face (i32) that a direction meets, and where on it: both from 0 to 1.

    Faces are those of +x, -x, +y, -y, +z, -z, with s and t as the CUDA C++ Programming Guide's
    table gives them ("Cubemap Textures"); of equal components x wins over y, y over z.
    """
    size_x, size_y, size_z = (e.call("llvm.fabs", v) for v in (x, y, z))
    back_x, back_y, back_z = (e.op("fneg", v) for v in (x, y, z))
    is_x = e.op("and", e.compare("oge", size_x, size_y), e.compare("oge", size_x, size_z))
    is_y = e.compare("oge", size_y, size_z)
    negative = [e.compare("olt", v, _float(0)) for v in (x, y, z)]

    def by_axis(of_x: Value, of_y: Value, of_z: Value) -> Value:
        return e.select(is_x, of_x, e.select(is_y, of_y, of_z))

    faces = [
        e.select(n, constant(2 * k + 1, "i32"), constant(2 * k, "i32"))
        for k, n in enumerate(negative)
    ]
    major = by_axis(size_x, size_y, size_z)
    s = by_axis(e.select(negative[0], z, back_z), x, e.select(negative[2], back_x, x))
    t = by_axis(back_y, e.select(negative[1], back_z, z), back_y)

    def place(v: Value) -> Value:
        return e.op("fmul", e.op("fadd", e.op("fdiv", v, major), _float(1)), _float(0.5))

    return by_axis(faces[0], faces[1], faces[2]), place(s), place(t)
