"""tex, tld4 and txq (PTX ISA 9.0, section 9.7.10), lane by lane in functions of their own.

Textures have one level of detail, so that any level and any gradient mean the same. Integer
coordinates are texels and are never filtered. Channels that a format lacks are 0, the last 1.
Layers beyond the last are the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from warpmill.analyzer.ir.kernel import Address, Instruction, Operand, Pair, TupleAddress, Vector
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.executor.native.emitter import Emitter, variable, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.rules.texels import (
    Results,
    TextureRow,
    cube_face,
    first_texel,
    gather,
    note_texels,
    sample,
    texel_at,
    with_row,
)
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.texture_table import COLUMNS, FLOAT_KIND, ROW_BYTES, AddressMode


@dataclass(frozen=True)
class Geometry:
    """Coordinates of a texture or a surface."""

    axes: int
    is_array: bool = False
    is_cube: bool = False


GEOMETRIES = {
    "1d": Geometry(1), "2d": Geometry(2), "3d": Geometry(3),
    "a1d": Geometry(1, is_array=True), "a2d": Geometry(2, is_array=True),
    "cube": Geometry(3, is_cube=True), "acube": Geometry(3, is_array=True, is_cube=True),
}  # fmt: skip
"""Geometries by PTX's names."""


def geometry_of(operation: Operation) -> Geometry | None:
    """The geometry that an opcode names; None where it has no code."""
    return next((GEOMETRIES[w] for w in operation.modifiers if w in GEOMETRIES), None)


@dataclass(frozen=True)
class Operands:
    """The operands of a texture instruction, sorted."""

    handle: Operand
    sampler: Operand | None
    coordinates: Operand | None
    extra: tuple[Operand, ...]  # offsets and a depth to compare with, without levels and gradients


def operands_of(instruction: Instruction) -> Operands:
    """Sort the operands of an instruction."""
    place = instruction.address
    assert place is not None
    after = instruction.operands[instruction.operands.index(place) + 1 :]
    modifiers = instruction.operation.modifiers
    skipped = 1 if "level" in modifiers else 2 if "grad" in modifiers else 0
    if isinstance(place, Address):
        return Operands(place.base, None, None, after[skipped:])
    handle, *middle = place.parts
    coordinates = middle.pop() if middle else None
    return Operands(handle, middle[0] if middle else None, coordinates, after[skipped:])


@dataclass(frozen=True)
class Look:
    """Key of a lookup's function: what it depends on beside its operands."""

    geometry: Geometry
    is_float: bool  # the coordinates
    component: int | None  # the one that is gathered

    @property
    def name(self) -> str:
        """Name it, all told apart."""
        g = self.geometry
        what = "sample" if self.component is None else f"gather{self.component}"
        return f"{what}.{g.axes}{'a' if g.is_array else ''}{'c' if g.is_cube else ''}"


def look_up(
    look: Look,
    e: Emitter,
    bits: LlvmValue,
    site: LlvmValue,
    handle: LlvmValue,
    sampler: LlvmValue,
    *rest: LlvmValue,
) -> tuple[LlvmValue, ...]:
    """Write the function: for each lane its row, its coordinates, its value."""
    results = Results.make(e, 4, "i32")
    _each(look, e, bits, site, (handle, sampler, *rest), results, _value)
    return results.whole()


def first_texels(
    look: Look,
    e: Emitter,
    bits: LlvmValue,
    site: LlvmValue,
    handle: LlvmValue,
    sampler: LlvmValue,
    *rest: LlvmValue,
) -> tuple[LlvmValue, ...]:
    """Write the function: for each lane where its first texel lies, and its bytes; both i64."""
    results = Results.make(e, 2, "i64")
    _each(look, e, bits, site, (handle, sampler, *rest), results, _first_texel)
    return results.whole()


Find = Callable[
    [Emitter, Look, TextureRow, TextureRow, LlvmValue, Sequence[LlvmValue]], tuple[LlvmValue, ...]
]
"""Lookup of one lane, by the rows of texture and sampler, layer and places."""


def _each(
    look: Look,
    e: Emitter,
    bits: LlvmValue,
    site: LlvmValue,
    given: Sequence[LlvmValue],
    results: Results,
    find: Find,
) -> None:
    """Store each lane's texel into ``results``; ``given`` are handle, sampler and places."""
    arrays = [e.spill(v) for v in given]

    def one(lane: LlvmValue) -> None:
        h, s, *numbers = (e.get(a, lane, v.type) for a, v in zip(arrays, given, strict=True))

        def image(row: TextureRow) -> None:
            with_row(e, s, lane, site, partial(found, row))

        def found(row: TextureRow, how: TextureRow) -> None:
            layer, places = _within(e, look.geometry, row, numbers)
            results.put(lane, find(e, look, row, how, layer, places))

        with_row(e, h, lane, site, image)

    e.each_lane(bits, one)


def _within(
    e: Emitter, geometry: Geometry, row: TextureRow, numbers: Sequence[LlvmValue]
) -> tuple[LlvmValue, Sequence[LlvmValue]]:
    """The layer, or a cube's face, that a lane looks into, and coordinates and offsets there.

    ``numbers`` are its layer, if there are layers, its coordinates and its offsets.
    """
    layer = numbers[0] if geometry.is_array else constant(0, "i32")
    places = numbers[1:] if geometry.is_array else numbers
    layers = row.get("layers", "i32")
    if geometry.is_cube:
        face, s, t = e.outlined("cube_face", cube_face, *places[:3])
        cubes = e.op("udiv", layers, constant(6, "i32"))
        cube = e.call("llvm.umin", layer, e.op("sub", cubes, constant(1, "i32")))
        layer = e.op("add", e.op("mul", cube, constant(6, "i32")), face)
        places = [s, t, constant(0, "i32"), constant(0, "i32")]
    return e.call("llvm.umin", layer, e.op("sub", layers, constant(1, "i32"))), places


def _value(
    e: Emitter,
    look: Look,
    row: TextureRow,
    how: TextureRow,
    layer: LlvmValue,
    places: Sequence[LlvmValue],
) -> tuple[LlvmValue, ...]:
    """The four channels at one lane's coordinates."""
    if look.component is not None:
        component = constant(look.component, "i32")
        return e.outlined("gather", gather, row.address, how.address, layer, component, *places)
    kind = ("sample", sample) if look.is_float else ("texel_at", texel_at)
    return e.outlined(*kind, row.address, how.address, layer, *places)


def _first_texel(
    e: Emitter,
    look: Look,
    row: TextureRow,
    how: TextureRow,
    layer: LlvmValue,
    places: Sequence[LlvmValue],
) -> tuple[LlvmValue, ...]:
    """Address of the first texel of one lane's lookup, and its bytes."""
    spread = constant(1, "i1")
    if look.component is None:
        spread = how.is_set("linear") if look.is_float else constant(0, "i1")
    return e.outlined("first_texel", first_texel, row.address, how.address, layer, spread, *places)


@rule("tex", "tld4")
def lower_tex(step: LoweringStep) -> None:
    """Lower a texture lookup."""
    geometry, given = geometry_of(step.operation), operands_of(step.instruction)
    assert geometry is not None
    assert given.coordinates is not None
    e, is_float = step.emitter, step.operation.types[1].is_float
    components = [w for w in step.operation.modifiers if w in ("r", "g", "b", "a")]
    component = "rgba".index(components[0]) if step.operation.name == "tld4" else None
    look = Look(geometry, is_float, component)
    handle = _handle(step, given.handle)
    sampler = handle if given.sampler is None else _handle(step, given.sampler)
    numbers = _coordinates(step, geometry, given, is_float)
    function = partial(look_up, look)
    word = e.bits(step.mask)
    parts = (word, constant(step.site, "i64"), handle, sampler, *numbers)
    if step.points.records:
        texels = e.outlined(f"{look.name}.texels", partial(first_texels, look), *parts)
        note_texels(step, "load", Space.TEXTURE, *texels)
    if geometry == GEOMETRIES["1d"] and not is_float and given.sampler is None and not given.extra:
        _give(step, e.outlined("line", partial(_line, look), *parts))
        return
    _give(step, e.outlined(look.name, function, *parts))


def _line(
    look: Look,
    e: Emitter,
    bits: LlvmValue,
    site: LlvmValue,
    handle: LlvmValue,
    sampler: LlvmValue,
    *rest: LlvmValue,
) -> tuple[LlvmValue, ...]:
    """Write the function of a lookup in one dimension by integers: plain textures at once."""
    results = [e.spill(e.vector(constant(0, "i32"))) for _ in range(4)]

    def keep(values: Sequence[LlvmValue]) -> None:
        for place, value in zip(results, values, strict=True):
            e.raw(f"  store {e.typed(value)}, ptr {place}, align 64")

    is_plain, address = plain_row(e, bits, handle)
    others = partial(look_up, look)
    when(
        e,
        is_plain,
        lambda: keep(line_texels(e, bits, address, rest[0])),
        lambda: keep(e.outlined(look.name, others, bits, site, handle, sampler, *rest)),
    )
    return tuple(e.whole(place, "i32") for place in results)


def _handle(step: LoweringStep, operand: Operand) -> LlvmValue:
    return step.emitter.vector(step.read(operand, TYPES["b64"]))


def _coordinates(
    step: LoweringStep, geometry: Geometry, given: Operands, is_float: bool
) -> list[LlvmValue]:
    """Read the layer, the coordinates and the offsets, a number a lane each."""
    e = step.emitter
    assert given.coordinates is not None
    parts = list(step.elements(given.coordinates))
    numbers = [step.read(parts.pop(0), TYPES["u32"])] if geometry.is_array else []
    letter = TYPES["f32" if is_float else "s32"]
    numbers += [step.read(part, letter) for part in parts[: geometry.axes]]
    offsets: list[LlvmValue] = [constant(0, "i32")] * geometry.axes
    if given.extra:
        offsets = [step.read(o, TYPES["s32"]) for o in step.elements(given.extra[0])]
    return [e.vector(v) for v in (*numbers, *offsets[: geometry.axes])]


def _give(step: LoweringStep, values: Sequence[LlvmValue]) -> None:
    """Write the four results, two to a register for pairs of halves; all of it is resident."""
    destination, e = step.instruction.operands[0], step.emitter
    if isinstance(destination, Pair):
        step.write(destination.second, constant(1, "i1"))
        destination = destination.first
    type_ = step.operation.types[0].name
    if type_.startswith("f16"):
        halves = [e.cast("fptrunc", e.bitcast(v, "float"), "half") for v in values]
        values = [e.bitcast(h, "i16") for h in halves]
    if type_ == "f16x2":
        wide = [e.resize(v, "i32") for v in values]
        high = [e.op("shl", v, constant(16, "i32")) for v in wide[1::2]]
        values = [e.op("or", a, b) for a, b in zip(wide[::2], high, strict=True)]
    for operand, value in zip(step.elements(destination), values, strict=False):
        step.write(operand, value)


@refuses("tex", "tld4")
def refuse_tex(instruction: Instruction) -> str | None:
    """Name what a lookup has no code for."""
    operation = instruction.operation
    geometry = geometry_of(operation)
    if geometry is None or not isinstance(instruction.address, TupleAddress):
        return "textures with several samples a texel"
    extra = operands_of(instruction).extra
    is_offset = bool(extra) and (isinstance(extra[0], Vector) or geometry.axes == 1)
    if len(extra) > is_offset:
        return "textures of depths that are compared"
    if geometry.is_cube and (extra or operation.name == "tld4" or not operation.types[1].is_float):
        return "cubes other than by directions"
    return None


# Queries.

_FIELDS = {
    "width": "width", "height": "height", "depth": "depth", "array_size": "layers",
    "channel_data_type": "data_type", "channel_order": "order",
    "normalized_coords": "normalised", "filter_mode": "linear",
    "addr_mode_0": "address_x", "addr_mode_1": "address_y", "addr_mode_2": "address_z",
}  # fmt: skip
_CONSTANTS = {
    "num_mipmap_levels": 1,
    "num_samples": 1,
    "force_unnormalized_coords": 0,
    "memory_layout": 1,  # one row after another
}


@rule("txq", "suq")
def lower_query(step: LoweringStep) -> None:
    """Lower a query of a field of a texture, a surface or a sampler."""
    e, given = step.emitter, operands_of(step.instruction)
    word = next(w for w in step.operation.modifiers if w in _FIELDS or w in _CONSTANTS)
    site, bits = constant(step.site, "i64"), e.bits(step.mask)
    body = partial(_query, word)
    step.give(*e.outlined(f"query.{word}", body, bits, site, _handle(step, given.handle)))


def _query(
    word: str, e: Emitter, bits: LlvmValue, site: LlvmValue, handle: LlvmValue
) -> tuple[LlvmValue, ...]:
    handles, results = e.spill(handle), Results.make(e, 1, "i32")

    def one(lane: LlvmValue) -> None:
        def found(row: TextureRow) -> None:
            column = _FIELDS.get(word)
            value = row.get(column, "i32") if column else constant(_CONSTANTS[word], "i32")
            results.put(lane, [value])

        with_row(e, e.get(handles, lane, "i64"), lane, site, found)

    e.each_lane(bits, one)
    return results.whole()


@refuses("txq", "suq")
def refuse_query(instruction: Instruction) -> str | None:
    """Name a field that there is none of."""
    words = instruction.operation.modifiers
    known = any(w in _FIELDS or w in _CONSTANTS for w in words)
    return None if known else f"the query `{instruction.operation.opcode}`"


# Texels of a plain one-dimensional texture, all lanes at once: what ``tex1Dfetch`` reads.
#
# Where all lanes name one texture of single 32-bit channels that clamps, by integer coordinates,
# they are one gather; lane by lane that takes ten times as long.


def plain_row(e: Emitter, bits: LlvmValue, handle: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
    """Whether all lanes name one such texture (i1), and give the address of its row (i64)."""
    lane = e.call("llvm.cttz", bits, extra=", i1 true")
    lane = e.op("and", e.resize(lane, "i32"), constant(e.lanes - 1, "i32"))
    first = e.define(f"extractelement {e.typed(handle)}, i32 {lane.text}", "i64", uniform=True)
    alike = e.op("and", e.bits(e.compare("eq", handle, first)), bits)
    number = e.op("sub", first, constant(1, "i64"))
    is_one = e.op(
        "and", e.compare("eq", alike, bits), e.compare("ne", bits, constant(0, bits.type))
    )
    is_one = e.op("and", is_one, e.compare("ult", number, e.context("texture_count")))
    start = e.context("textures")
    base = e.define(f"ptrtoint ptr {start.text} to i64", "i64", uniform=True)
    address = e.op("add", base, e.op("mul", number, constant(ROW_BYTES, "i64")))
    is_plain = variable(e, constant(0, "i1"))

    def look() -> None:
        row, holds = TextureRow(e, address), constant(1, "i1")
        for column, wanted in _PLAIN.items():
            holds = e.op("and", holds, e.compare("eq", row.get(column), constant(wanted, "i64")))
        is_plain.set(holds)

    when(e, is_one, look)
    return is_plain.get(), address


_PLAIN = {
    "channels": 1, "channel_bytes": 4, "texel_bytes": 4, "layers": 1, "reads_normalised": 0,
    "normalised": 0, "address_x": int(AddressMode.CLAMP),
}  # fmt: skip
assert _PLAIN.keys() <= COLUMNS.keys()


def line_texels(
    e: Emitter, bits: LlvmValue, address: LlvmValue, x: LlvmValue
) -> tuple[LlvmValue, ...]:
    """The four channels at the lanes' coordinates; lanes that are off give 0."""
    row = TextureRow(e, address)
    last = e.op("sub", row.get("width", "i32"), constant(1, "i32"))
    place = e.call(
        "llvm.smin", e.call("llvm.smax", x, e.vector(constant(0, "i32"))), e.vector(last)
    )
    offset = e.op("shl", e.resize(place, "i64"), constant(2, "i64"))
    hosts = e.op("add", offset, row.get("host"))
    name = e.name()
    e.raw(f"  {name} = inttoptr {e.typed(hosts)} to <{e.lanes} x ptr>")
    found = e.gather(name, e.mask(bits), "i32")
    is_float = e.compare("eq", row.get("kind"), constant(FLOAT_KIND, "i64"))
    one = e.select(is_float, constant(0x3F800000, "i32"), constant(1, "i32"))
    zero = e.vector(constant(0, "i32"))
    return found, zero, zero, e.vector(one)
