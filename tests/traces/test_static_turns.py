"""Loops that take buffers in turn: their rounds fold into one level more."""

from __future__ import annotations

import pytest

import warpmill
from warpmill.analyzer.traces.model import Repeat, events
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

KERNEL = """.version 7.8
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 p)
{{
    .shared .align 4 .b8 tiles[{size}];
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, tiles; mov.u32 %r2, 0; mov.u32 %r3, 0;
L:  ld.global.f32 %f1, [%rd1];
    mad.lo.u32 %r4, %r3, 256, %r1;
    st.shared.f32 [%r4], %f1;
    add.s64 %rd1, %rd1, 128;
    add.u32 %r3, %r3, 1;
    setp.eq.u32 %p1, %r3, {buffers};
    selp.u32 %r3, 0, %r3, %p1;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, {turns};
    @%p2 bra L;
    ret;
}}
"""


def nodes_of(nodes):
    """How many nodes a folded trace has, and how deep its repeats stand."""
    count, depth = len(nodes), 0
    for node in nodes:
        if isinstance(node, Repeat):
            inner, below = nodes_of(node.body)
            count, depth = count + inner, max(depth, 1 + below)
    return count, depth


@pytest.mark.parametrize(("buffers", "turns"), [(2, 64), (2, 65), (3, 60), (3, 64), (1, 64)])
def test_as_many_nodes_stand_for_many_rounds_as_for_few(tmp_path, buffers, turns):
    path = tmp_path / "kernel.ptx"
    path.write_text(KERNEL.format(size=256 * buffers, buffers=buffers, turns=turns))
    job = warpmill.prepare(str(path), grid=1, block=32, args=["buffer=f32:8192"])
    found = {}
    for source in ("static", "executed"):
        (warp,) = trace_source(job, TraceOptions(source)).warps((0, 0, 0))
        found[source] = [*events(warp)]
        if source == "static":
            nodes, depth = nodes_of(warp.nodes)
    assert depth == min(2, buffers)
    assert nodes < 20
    assert found["static"] == found["executed"]
