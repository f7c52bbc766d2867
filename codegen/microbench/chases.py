"""Pointer chases: each load gives the address of the next one (§III-B-3, §IV-A-2).

What memory holds decides where a chase goes: footprint, stride and order are the ring's, not the
kernel's. Each warp follows a chain of its own that begins ``stride`` after that of the warp before.
"""

from __future__ import annotations

from functools import cache

from warpmill.analyzer.ir.kernel import Instruction, Reg, TupleAddress, Vector
from warpmill.analyzer.ir.types import Space
from warpmill.codegen.microbench.frame import Body, Microbench, microbench, variable
from warpmill.codegen.microbench.statements import Scope
from warpmill.codegen.synthesis.writing import write

TABLE_BYTES = 65536
"""Constant memory that a module may declare."""

_START = {
    "global": "ld.param.u32 rs [&stride]; mul.wide.u32 qi rv rs; add.s64 q0 qm qi",
    "const": "ld.param.u32 rs [&stride]; mul.wide.u32 qi rv rs; mov.u64 q0 &table; "
    "add.s64 q0 q0 qi",
    "texture": "ld.param.u32 rs [&stride]; mul.lo.u32 r0 rv rs",
}
_HOP = {"global": "ld.global.u64 q0 [q0]", "const": "ld.const.u64 q0 [q0]"}
_VALUE = {"global": "cvt.u32.u64 ro q0", "const": "cvt.u32.u64 ro q0", "texture": "mov.u32 ro r0"}

SPACES = tuple(_START)
"""What can be chased through."""

ELEMENT_BYTES = {"global": 8, "const": 8, "texture": 4}
"""Bytes of a link of a chain: a pointer, or the number of a texel."""


@cache
def chase(space: str, unroll: int, chip: str) -> Microbench:
    """Give a kernel that follows pointers in a space, so many hops a turn of its loop.

    Strides of textures count texels, others bytes. A texture is passed as its handle.
    """
    scope = Scope()
    before = scope.written(_START[space])
    hops = [_texel_hop(scope) if space == "texture" else scope.write(_HOP[space])] * unroll
    is_const = space == "const"
    return microbench(
        f"chase_{space}_{unroll}",
        f"{unroll} hops through {space} memory a turn",
        scope,
        Body(before, [hops], scope.written(_VALUE[space])),
        chip,
        unroll,
        numbers=("stride",),
        variables=[variable("table", Space.CONST, TABLE_BYTES)] if is_const else (),
        data=True,
        table="table" if is_const else None,
    )


def _texel_hop(scope: Scope) -> Instruction:
    place = scope.register("r0")
    others: list[Reg] = [scope.register(name) for name in ("ri", "rj", "rk")]
    address = TupleAddress((scope.register("qm"), Vector((place,))))
    return write("tex.1d.v4.u32.s32", Vector((place, *others)), address)
