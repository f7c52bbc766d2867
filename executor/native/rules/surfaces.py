"""suld, sust and sured (PTX ISA 9.0, section 9.7.11), lane by lane in functions of their own.

The first coordinate counts bytes with ``.b`` and texels with ``.p``. Outside the surface ``.trap``
is a fault (its address is that of the byte, from the surface's first), ``.clamp`` takes the nearest
place inside, ``.zero`` reads 0 and drops what is written. ``.p`` converts to the format of the
surface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from warpmill.analyzer.ir.kernel import Instruction, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Space, Type, TypeKind
from warpmill.executor.native.emitter import Emitter, counted, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.rules.texels import (
    AXES,
    Results,
    TextureRow,
    note_texels,
    pointer,
    texel_address,
    with_row,
)
from warpmill.executor.native.rules.textures import Geometry, geometry_of, operands_of
from warpmill.executor.native.step import LoweringStep, storage_of
from warpmill.executor.native.translation import note_fault
from warpmill.executor.texture_table import FLOAT_KIND, SIGNED_KIND

_MODES = ("trap", "clamp", "zero")


@dataclass(frozen=True)
class SurfaceAccess:
    """An access to a surface: all that its function depends on."""

    what: str  # load, store, or what a reduction does
    geometry: Geometry
    mode: str
    in_texels: bool
    type: Type
    count: int

    @property
    def name(self) -> str:
        """Name it, all told apart."""
        g = self.geometry
        unit = "p" if self.in_texels else "b"
        shape = f"{g.axes}{'a' if g.is_array else ''}"
        return f"surface.{self.what}.{unit}.{shape}.{self.mode}.{self.type.name}x{self.count}"

    @property
    def storage(self) -> str:
        """The LLVM type of an element."""
        return storage_of(self.type)


def _decode(operation: Operation) -> SurfaceAccess:
    words, geometry, type_ = operation.modifiers, geometry_of(operation), operation.types[0]
    assert geometry is not None
    mode = next((w for w in _MODES if w in words), "trap")
    what = {"suld": "load", "sust": "store"}.get(operation.name)
    what = what or next(w for w in words if w in _REDUCE)
    return SurfaceAccess(what, geometry, mode, "p" in words, type_, operation.vector)


Use = Callable[[LlvmValue, TextureRow, LlvmValue], None]
"""Does the access of a lane: ``use(lane, row, host address)``."""


def _each(
    access: SurfaceAccess,
    e: Emitter,
    bits: LlvmValue,
    site: LlvmValue,
    given: Sequence[LlvmValue],
    use: Use,
) -> None:
    """Run ``use`` for each lane whose place is inside; ``given`` is the handle, then the place."""
    arrays = [e.spill(v) for v in given]

    def one(lane: LlvmValue) -> None:
        h, *numbers = (e.get(a, lane, v.type) for a, v in zip(arrays, given, strict=True))
        with_row(e, h, lane, site, lambda row: _one(access, row, lane, site, numbers, use))

    e.each_lane(bits, one)


def _one(
    access: SurfaceAccess,
    row: TextureRow,
    lane: LlvmValue,
    site: LlvmValue,
    numbers: Sequence[LlvmValue],
    use: Use,
) -> None:
    """Check one lane's place; numbers are its layer, if there are layers, and its coordinates."""
    e, zero = row.emitter, constant(0, "i64")
    layer = e.resize(numbers[0], "i64") if access.geometry.is_array else zero
    places = numbers[1:] if access.geometry.is_array else numbers
    wide = [e.resize(v, "i64", signed=True) for v in places]
    if access.in_texels:
        wide[0] = e.op("mul", wide[0], row.get("texel_bytes"))
        size = row.get("texel_bytes")
    else:
        size = constant(access.type.size_bytes * access.count, "i64")
    row_bytes = e.op("mul", row.get("width"), row.get("texel_bytes"))
    last_x = e.op("sub", row_bytes, size)
    lasts = [last_x, *[e.op("sub", row.get(a), constant(1, "i64")) for a in AXES[1:]]]
    last_layer = e.op("sub", row.get("layers"), constant(1, "i64"))
    if access.mode == "clamp":
        wide = [_clamped(e, v, last) for v, last in zip(wide, lasts, strict=False)]
        layer = e.call("llvm.umin", layer, last_layer)
    inside = e.compare("ule", layer, last_layer)
    inside = e.op("and", inside, e.compare("sge", last_x, zero))
    for v, last in zip(wide, lasts, strict=False):
        inside = e.op("and", inside, e.compare("ule", v, last))
    x, y, z = (*wide, zero, zero)[:3]
    start = texel_address(e, row, (constant(0, "i32"), y, z), layer)
    host = e.op("add", start, x)
    from_first = e.op("sub", host, row.get("host"))
    aligned = e.compare("eq", e.op("urem", x, size), zero)

    def fault(kind: FaultKind) -> Callable[[], None]:
        return lambda: note_fault(e, constant(kind, "i64"), lane, from_first, site)

    def within() -> None:
        when(e, aligned, lambda: use(lane, row, host), fault(FaultKind.MISALIGNED))

    when(e, inside, within, None if access.mode == "zero" else fault(FaultKind.OUT_OF_BOUNDS))


def _clamped(e: Emitter, value: LlvmValue, last: LlvmValue) -> LlvmValue:
    return e.call("llvm.smax", e.call("llvm.smin", value, last), constant(0, "i64"))


def _place(e: Emitter, host: LlvmValue, offset: int) -> str:
    return pointer(e, e.op("add", host, constant(offset, "i64")))


def _load(
    access: SurfaceAccess, e: Emitter, bits: LlvmValue, site: LlvmValue, *given: LlvmValue
) -> tuple[LlvmValue, ...]:
    """Write the function of suld."""
    results, type_ = Results.make(e, access.count, access.storage), access.storage

    def use(lane: LlvmValue, _: TextureRow, host: LlvmValue) -> None:
        step = access.type.size_bytes
        values = [
            e.define(f"load {type_}, ptr {_place(e, host, k * step)}, align 1", type_, uniform=True)
            for k in range(access.count)
        ]
        results.put(lane, values)

    _each(access, e, bits, site, given, use)
    return results.whole()


def _store(
    access: SurfaceAccess, e: Emitter, bits: LlvmValue, site: LlvmValue, *given: LlvmValue
) -> None:
    """Write the function of sust; the last of ``given`` are the values."""
    _note_store(e)
    values = given[-access.count :]
    arrays = [e.spill(v) for v in values]

    def use(lane: LlvmValue, row: TextureRow, host: LlvmValue) -> None:
        elements = [e.get(a, lane, v.type) for a, v in zip(arrays, values, strict=True)]
        if access.in_texels:
            write_texel(e, row, host, elements)
            return
        for k, value in enumerate(elements):
            place = _place(e, host, k * access.type.size_bytes)
            e.raw(f"  store {e.typed(value)}, ptr {place}, align 1")

    _each(access, e, bits, site, given[: -access.count], use)


def _note_store(e: Emitter) -> None:
    e.set_context("stores", e.op("add", e.context("stores"), constant(1, "i64")))


# Reductions.

_REDUCE = {"add": "add", "min": "min", "max": "max", "and": "and", "or": "or"}


def _combine(
    e: Emitter, access: SurfaceAccess, signed: LlvmValue, old: LlvmValue, given: LlvmValue
) -> LlvmValue:
    if access.what in ("min", "max"):
        of_signed = e.call(f"llvm.s{access.what}", old, given)
        return e.select(signed, of_signed, e.call(f"llvm.u{access.what}", old, given))
    return e.op(access.what, old, given)


def _reduce(
    access: SurfaceAccess, e: Emitter, bits: LlvmValue, site: LlvmValue, *given: LlvmValue
) -> None:
    """Write the function of sured: lanes take their turns from the lowest."""
    _note_store(e)
    values, type_ = e.spill(given[-1]), access.storage

    def change(lane: LlvmValue, row: TextureRow, host: LlvmValue) -> None:
        place = pointer(e, host)
        old = e.define(f"load {type_}, ptr {place}, align 1", type_, uniform=True)
        signed = constant(access.type.kind is TypeKind.SIGNED, "i1")
        if access.in_texels:
            signed = e.compare("eq", row.get("kind"), constant(SIGNED_KIND, "i64"))
        new = _combine(e, access, signed, old, e.get(values, lane, type_))
        e.raw(f"  store {e.typed(new)}, ptr {place}, align 1")

    def use(lane: LlvmValue, row: TextureRow, host: LlvmValue) -> None:
        when(e, _has_reductions(access, row), lambda: change(lane, row, host))

    _each(access, e, bits, site, given[:-1], use)


def _has_reductions(access: SurfaceAccess, row: TextureRow) -> LlvmValue:
    """Whether texels can be reduced into: those of another size than the operand cannot."""
    if not access.in_texels:
        return constant(1, "i1")
    size = constant(access.type.size_bytes, "i64")
    return row.emitter.compare("eq", row.get("texel_bytes"), size)


# What traces have.


def _texels(
    access: SurfaceAccess, e: Emitter, bits: LlvmValue, site: LlvmValue, *given: LlvmValue
) -> tuple[LlvmValue, ...]:
    """Write the function: for each lane the device address and the bytes of what it accesses."""
    results = Results.make(e, 2, "i64")

    def use(lane: LlvmValue, row: TextureRow, host: LlvmValue) -> None:
        address = e.op("add", row.get("device"), e.op("sub", host, row.get("host")))
        size = constant(access.type.size_bytes * access.count, "i64")
        if access.in_texels:
            size = row.get("texel_bytes")
        if access.what in _REDUCE:
            size = e.select(_has_reductions(access, row), size, constant(0, "i64"))
        results.put(lane, (address, size))

    _each(access, e, bits, site, given, use)
    return results.whole()


def _note(step: LoweringStep, access: SurfaceAccess, given: Sequence[LlvmValue]) -> None:
    """Write an access down where that was asked for."""
    if not step.points.records:
        return
    e, parts = step.emitter, (step.emitter.bits(step.mask), constant(step.site, "i64"), *given)
    found = e.outlined(f"{access.name}.texels", partial(_texels, access), *parts)
    kind = access.what if access.what in ("load", "store") else "atomic"
    note_texels(step, kind, Space.SURFACE, *found)


# Rules.


def _given(step: LoweringStep, access: SurfaceAccess) -> list[LlvmValue]:
    """Read the handle, the layer and the coordinates, a number a lane each."""
    e, operands = step.emitter, operands_of(step.instruction)
    assert operands.coordinates is not None
    count = access.geometry.axes + access.geometry.is_array
    parts = step.elements(operands.coordinates)[:count]
    numbers = [step.read(part, TYPES["b32"]) for part in parts]
    return [e.vector(v) for v in (step.read(operands.handle, TYPES["b64"]), *numbers)]


@rule("suld")
def lower_load(step: LoweringStep) -> None:
    """Load from a surface."""
    e, access = step.emitter, _decode(step.operation)
    function, word = partial(_load, access), e.bits(step.mask)
    site, given = constant(step.site, "i64"), _given(step, access)
    _note(step, access, given)
    values = e.outlined(access.name, function, word, site, *given)
    for operand, value in zip(step.elements(step.instruction.operands[0]), values, strict=True):
        step.write(operand, value)


@rule("sust", "sured")
def lower_store(step: LoweringStep) -> None:
    """Store to a surface, or reduce into it."""
    e, access = step.emitter, _decode(step.operation)
    body = _store if step.operation.name == "sust" else _reduce
    values = [_bits(step, o, access.type) for o in step.elements(step.instruction.operands[1])]
    word, site, given = e.bits(step.mask), constant(step.site, "i64"), _given(step, access)
    _note(step, access, given)
    e.outlined(access.name, partial(body, access), word, site, *given, *values)


def _bits(step: LoweringStep, operand: Operand, type_: Type) -> LlvmValue:
    return step.emitter.vector(step.stored(operand, type_, storage_of(type_)))


@refuses("suld", "sust", "sured")
def refuse_surface(instruction: Instruction) -> str | None:
    """Name what has no code."""
    operation, geometry = instruction.operation, geometry_of(instruction.operation)
    if geometry is None or geometry.is_cube:
        return f"the surface of `{operation.opcode}`"
    if operation.name == "suld" and "p" in operation.modifiers:
        return "formatted loads from surfaces"
    return None


# Texels written in a surface's format, as ``sust.p`` does (PTX ISA 9.0, section 9.7.11.2).
#
# Integers are clamped to the format's range, floats rounded to it; where texels are read as
# normalised floats, such are written. All values here are uniform: they are of one lane.


def write_texel(e: Emitter, row: TextureRow, host: LlvmValue, values: Sequence[LlvmValue]) -> None:
    """Write as many channels as the surface has, of four; those not given are 0."""
    channels, size = e.array("i32", 4), row.get("channel_bytes")
    for k in range(4):
        given = values[k] if k < len(values) else constant(0, "i32")
        e.put(channels, constant(k, "i32"), given)

    def channel(k: LlvmValue) -> None:
        bits = _formatted(e, row, e.get(channels, k, "i32"))
        place = pointer(e, e.op("add", host, e.op("mul", k, size)))

        def put(type_: str) -> Callable[[], None]:
            return lambda: e.raw(f"  store {e.typed(e.resize(bits, type_))}, ptr {place}, align 1")

        is_byte = e.compare("eq", size, constant(1, "i64"))
        is_short = e.compare("eq", size, constant(2, "i64"))
        when(e, is_byte, put("i8"), lambda: when(e, is_short, put("i16"), put("i32")))

    counted(e, constant(0, "i64"), row.get("channels"), channel)


def _formatted(e: Emitter, row: TextureRow, value: LlvmValue) -> LlvmValue:
    """A channel's bits in the surface's format, in the low bits of an i32."""
    bits = e.op("shl", row.get("channel_bytes", "i32"), constant(3, "i32"))
    spare = e.op("sub", constant(32, "i32"), bits)
    all_ones = e.op("lshr", constant(-1, "i32"), spare)
    most = e.op("lshr", all_ones, constant(1, "i32"))
    is_signed = e.compare("eq", row.get("kind"), constant(SIGNED_KIND, "i64"))
    is_float = e.compare("eq", row.get("kind"), constant(FLOAT_KIND, "i64"))
    least = e.op("xor", most, constant(-1, "i32"))
    signed = e.call("llvm.smax", e.call("llvm.smin", value, most), least)
    integer = e.select(is_signed, signed, e.call("llvm.umin", value, all_ones))
    scale = e.cast("uitofp", e.select(is_signed, most, all_ones), "float")
    normalised = _normalised(e, value, scale, is_signed)
    integer = e.select(row.is_set("reads_normalised"), normalised, integer)
    half = e.bitcast(e.cast("fptrunc", e.bitcast(value, "float"), "half"), "i16")
    is_half = e.compare("eq", bits, constant(16, "i32"))
    floating = e.select(is_half, e.resize(half, "i32"), value)
    return e.select(is_float, floating, integer)


def _normalised(e: Emitter, value: LlvmValue, scale: LlvmValue, is_signed: LlvmValue) -> LlvmValue:
    """A float from 0 or -1 to 1 as an integer, rounded to the nearest, ties to even."""
    low = e.select(is_signed, constant(-1, "float"), constant(0, "float"))
    number = e.call("llvm.maxnum", e.bitcast(value, "float"), low)
    number = e.call("llvm.minnum", number, constant(1, "float"))
    scaled = e.call("llvm.roundeven", e.op("fmul", number, scale))
    return e.call("llvm.fptosi.sat", scaled, result="i32")
