"""Streams: warps that read memory, or copy it, without waiting for anything but its bandwidth.

A CTA reads one slab of memory a turn: ``unroll`` times 16 B a thread, which stand ``lane`` bytes
from those of the next thread and ``step`` bytes from one load to the next. Then it goes on by
``advance`` slabs, of ``slabs`` all around. So one kernel reads what L1 holds (no advance), what L2
holds (the next CTA's slab, which no SM reads twice before its L1 has lost it) or DRAM (all slabs
once), coalesced or a sector for each lane.
"""

from __future__ import annotations

from functools import cache

from warpmill.codegen.microbench.frame import Body, Microbench, microbench
from warpmill.codegen.microbench.statements import Scope

LOAD_BYTES = 16
"""Bytes that a lane reads at once."""

_NUMBERS = ("lane", "slab", "slabs", "advance")
_BEFORE = """
ld.param.u32 rs [&lane]; ld.param.u32 rb [&slab]; ld.param.u32 rn [&slabs];
ld.param.u32 ra [&advance]; mul.wide.u32 qi rx rs; add.s64 qa qm qi; mov.u32 rc ry; mov.u32 ro 0
"""
_PLACE = "mul.wide.u32 qi rc rb; add.s64 qb qa qi"
_LOAD = "ld.global.v4.u32 {{{}}} [qb+{}]"
_TAKE = "lop3.b32 ro ro {0} {1} 150; lop3.b32 ro ro {2} {3} 150"
"""A load is taken a turn later, so that nothing waits for it; all of it, or ptxas loads less."""
_ON = "add.u32 rc rc ra; setp.ge.u32 pa rc rn; @pa sub.u32 rc rc rn"
_STORE = "st.global.v4.u32 [qt+{}] {{{}}}"


@cache
def stream(
    unroll: int, step: int, chip: str, *, copies: bool = False, again: int = 1
) -> Microbench:
    """Give a kernel that reads slabs, or with ``copies`` writes each also ``target`` MiB behind.

    ``step`` stands in the code, so that nothing has to be worked out between loads. A turn reads
    and goes on ``again`` times: else warps in step all come to the loop's end at once.
    """
    scope = Scope()
    loaded = [" ".join(f"r{4 * k + part}" for part in range(4)) for k in range(unroll)]
    loads = [_LOAD.format(names, k * step) for k, names in enumerate(loaded)]
    numbers: tuple[str, ...] = _NUMBERS
    before, place = [_BEFORE], _PLACE
    if copies:
        numbers = (*_NUMBERS, "target")
        before.append("ld.param.u32 ri [&target]; cvt.u64.u32 qc ri; shl.b64 qc qc 20")
        place += "; add.s64 qt qb qc"
        done = [*loads, *[_STORE.format(k * step, names) for k, names in enumerate(loaded)]]
    else:
        before += [f"mov.u32 {one} ry" for names in loaded for one in names.split()]
        takes = [_TAKE.format(*names.split()) for names in loaded]
        done = [one for pair in zip(takes, loads, strict=True) for one in pair]
    turn = [place, *done, _ON] * again
    return microbench(
        f"{'copy' if copies else 'read'}_{again}x{unroll}_{step}",
        f"each thread {'copies' if copies else 'reads'} {again} x {unroll} times 16 B a turn",
        scope,
        Body(scope.written("; ".join(before)), [scope.written("; ".join(turn))], []),
        chip,
        again * unroll,
        numbers=numbers,
    )
