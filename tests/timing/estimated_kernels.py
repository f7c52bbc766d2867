"""Kernels of a few lines of PTX that tests of the estimate look at."""

from __future__ import annotations

from pathlib import Path

from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare

MODULE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k({parameters})
{{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<99>; .reg .f64 %fd<99>;
.shared .align 4 .b8 tile[4096];
{body}
ret;
}}
"""


def job(
    folder: Path,
    body: str,
    grid: int = 108,
    block: int = 256,
    params: str = "",
    words: int = 1 << 20,
) -> Job:
    """Launch a kernel with this body; each parameter is a buffer of so many words of 4 bytes."""
    names = params.split()
    declared = ", ".join(f".param .u64 {name}" for name in names)
    file = folder / "k.ptx"
    file.write_text(MODULE.format(parameters=declared, body=body))
    args = [f"buffer=f32:{words}"] * len(names)
    return prepare(file, None, LaunchOptions((grid,), (block,), 0, args))


def fmas(chains: int, iterations: int) -> str:
    """Multiply and add in a loop, in so many chains of operations that wait for each other."""
    body = "\n".join(f"fma.rn.f32 %f{i}, %f90, %f91, %f{i};" for i in range(chains))
    end = f"add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, {iterations};"
    return f"mov.u32 %r1, 0;\nL: {body}\n{end}\n@%p1 bra L;"


def streamed(words: int = 1) -> str:
    """Load that many words a thread at its place, and store them to another buffer."""
    place = """ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r1, %r2, %r3, %r1;
mul.wide.s32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;"""
    step = 4 << 20
    moves = [
        f"ld.global.f32 %f{k}, [%rd1+{k * step}]; st.global.f32 [%rd2+{k * step}], %f{k};"
        for k in range(words)
    ]
    return "\n".join([place, *moves])
