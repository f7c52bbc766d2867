"""A struct passed by value decides branches by its parts, however its address is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpmill.analyzer.analyses.divergence.analysis import DecidedBy, Deciders
from warpmill.analyzer.analyses.values.conditions import guard_condition
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace

LLVM = """target triple = "nvptx64-nvidia-cuda"
%S = type { float, i32, i64 }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr byval(%S) align 8 %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr inbounds i8, ptr %s, i64 4
  %n = load i32, ptr %at, align 4
  %c = icmp slt i32 %t, %n
  br i1 %c, label %yes, label %no
yes:
  %p = getelementptr inbounds float, ptr %out, i32 %t
  store float 1.0, ptr %p, align 4
  br label %no
no:
  ret void
}
"""

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .align 8 .b8 s[16])
{
.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<2>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
READ
setp.ge.s32 %p1, %r1, %r2;
@%p1 bra DONE;
mul.wide.s32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
st.global.f32 [%rd1], %f1;
DONE: ret;
}
"""

READS = {
    "by name": "ld.param.u32 %r2, [s+4];",
    "by register": "mov.b64 %rd3, s; ld.param.u32 %r2, [%rd3+4];",
    "by sum": "mov.b64 %rd3, s; add.s64 %rd3, %rd3, 4; ld.param.u32 %r2, [%rd3];",
}

LAUNCH = """[[launch]]
module = "{}"
grid = [2]
block = [64]
args = [
  {{ buffer = "f32", shape = [64] }},
  {{ struct = [ {{ f32 = 2 }}, {{ i32 = 40 }}, {{ i64 = 7 }} ] }},
]
"""


@pytest.mark.parametrize("how", ["llvm", *READS])
def test_the_part_of_a_struct_is_an_argument(tmp_path: Path, how: str) -> None:
    name = "k.ll" if how == "llvm" else "k.ptx"
    text = LLVM if how == "llvm" else PTX.replace("READ", READS[how])
    (tmp_path / name).write_text(text)
    (tmp_path / "launch.toml").write_text(LAUNCH.format(name))
    job = prepare(tmp_path / "launch.toml")
    traced = trace(job)
    assert traced.assumptions == ()
    (store,) = traced.summary.accesses
    assert (store.warp_executions, store.thread_executions) == (2 * 2, 2 * 40)
    (last,) = (b.terminator for b in job.kernel.blocks if b.terminator and b.terminator.guard)
    block = next(b for b in job.kernel.blocks if b.terminator is last)
    place = (block.id, len(block.instructions) - 1)
    assert last.guard is not None
    condition = guard_condition(job.analysis.structure, *place, last.guard)
    deciders = Deciders(job.analysis.structure).of(block.id, condition)
    assert DecidedBy.ARGUMENT in deciders
    assert DecidedBy.MEMORY not in deciders
