"""Texels written in a surface's format, as ``sust.p`` does (PTX ISA 9.0, section 9.7.11.2).

Integers are clamped to the format's range, floats rounded to it; where texels are read as
normalised floats, such are written. All values here are uniform: they are of one lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.texels import Row, pointer
from warpmill.executor.native.structured import counted, when
from warpmill.executor.native.values import Value, constant
from warpmill.executor.texture_table import FLOAT_KIND, SIGNED_KIND


def write_texel(e: Emitter, row: Row, host: Value, values: Sequence[Value]) -> None:
    """Write as many channels as the surface has, of four; those not given are 0."""
    channels, size = e.array("i32", 4), row.get("channel_bytes")
    for k in range(4):
        given = values[k] if k < len(values) else constant(0, "i32")
        e.put(channels, constant(k, "i32"), given)

    def channel(k: Value) -> None:
        bits = _formatted(e, row, e.get(channels, k, "i32"))
        place = pointer(e, e.op("add", host, e.op("mul", k, size)))

        def put(type_: str) -> Callable[[], None]:
            return lambda: e.raw(f"  store {e.typed(e.resize(bits, type_))}, ptr {place}, align 1")

        is_byte = e.compare("eq", size, constant(1, "i64"))
        is_short = e.compare("eq", size, constant(2, "i64"))
        when(e, is_byte, put("i8"), lambda: when(e, is_short, put("i16"), put("i32")))

    counted(e, constant(0, "i64"), row.get("channels"), channel)


def _formatted(e: Emitter, row: Row, value: Value) -> Value:
    """Give a channel's bits in the surface's format, in the low bits of an i32."""
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


def _normalised(e: Emitter, value: Value, scale: Value, is_signed: Value) -> Value:
    """Give a float from 0 or -1 to 1 as an integer, rounded to the nearest, ties to even."""
    low = e.select(is_signed, constant(-1, "float"), constant(0, "float"))
    number = e.call("llvm.maxnum", e.bitcast(value, "float"), low)
    number = e.call("llvm.minnum", number, constant(1, "float"))
    scaled = e.call("llvm.roundeven", e.op("fmul", number, scale))
    return e.call("llvm.fptosi.sat", scaled, result="i32")
