"""Texels of a plain one-dimensional texture, all lanes at once: what ``tex1Dfetch`` reads.

Where all lanes name one texture of single 32-bit channels that clamps, by integer coordinates, they
are one gather; lane by lane that takes ten times as long.
"""

from __future__ import annotations

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.texels import Row
from warpmill.executor.native.structured import variable, when
from warpmill.executor.native.values import Value, constant
from warpmill.executor.texture_table import COLUMNS, FLOAT_KIND, ROW_BYTES, AddressMode


def plain_row(e: Emitter, bits: Value, handle: Value) -> tuple[Value, Value]:
    """Tell whether all lanes name one such texture (i1), and give the address of its row (i64)."""
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
        row, holds = Row(e, address), constant(1, "i1")
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


def line_texels(e: Emitter, bits: Value, address: Value, x: Value) -> tuple[Value, ...]:
    """Give the four channels at the lanes' coordinates; lanes that are off give 0."""
    row = Row(e, address)
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
