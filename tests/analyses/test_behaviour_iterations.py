"""Iterations and runs of loops by hand, and against a walk that follows each lane by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.profile.behaviour.control_flow import event_iterations
from warpmill.analyzer.traces.event_batch import joined
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare

SAMPLES = Path(__file__).parents[2] / "samples"
BREAKING = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; rem.u32 %r2, %r1, 3; mov.u32 %r3, 0;
OUTER: mov.u32 %r4, 0;
INNER: add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r2; @%p1 bra INNER;
add.u32 %r3, %r3, 1; setp.ge.u32 %p2, %r3, 4; @%p2 bra END;
setp.eq.u32 %p3, %r3, 2; setp.eq.and.u32 %p4, %r1, 7, %p3; @!%p4 bra OUTER;
st.global.u32 [%rd2], %r3;
END: ret;
}
"""
"""Four times round, lanes 1 to 3 times round inside; lane 7 breaks out in its second iteration.

The break is the fall-through side and comes first: a block outside, and then the header.
"""


def batch_of(job, ctas):
    return joined(list(executed_source(job).batches(ctas)))


@pytest.fixture(name="breaking")
def _breaking(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(BREAKING)
    return prepare(path, None, LaunchOptions((2,), (48,), 0, ["buffer=i32:64"]))


def test_a_break_of_one_lane_ends_no_run(breaking):
    loops = breaking.analysis.structure.loops
    batch = batch_of(breaking, [(0, 0, 0)])
    found = event_iterations(loops, batch)
    outer, inner = loops.loops
    assert (outer.depth, inner.depth) == (1, 2)
    warp = slice(0, int(batch.warps[1]))
    block = batch.block[warp]
    at_outer = block == outer.header
    assert found.iteration(outer.id)[warp][at_outer].tolist() == [0, 1, 2, 3]
    assert found.run(outer.id)[warp][at_outer].tolist() == [0, 0, 0, 0]
    at_inner = block == inner.header
    assert found.iteration(inner.id)[warp][at_inner].tolist() == [0, 1, 2] * 4
    assert found.run(inner.id)[warp][at_inner].tolist() == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    # what is in the inner loop is in an iteration of the outer one
    around = found.iteration(outer.id)[warp][at_inner]
    assert around.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    # the event before the third iteration is lane 7's, outside
    before = int(np.flatnonzero(at_outer)[2]) - 1
    assert batch.mask[before] == 1 << 7
    assert found.iteration(outer.id)[before] == found.run(outer.id)[before] == -1


def test_a_tiled_product_goes_round_once_a_tile():
    job = prepare(SAMPLES / "matmul" / "launch.toml", options=LaunchOptions(sizes={"n": 64}))
    batch = batch_of(job, [(0, 0, 0), (1, 0, 0)])
    (loop,) = job.analysis.structure.loops.loops
    found = event_iterations(job.analysis.structure.loops, batch)
    inside = batch.block == loop.header
    assert found.iteration(loop.id)[inside].tolist() == [0, 1, 2, 3] * 16  # 2 CTAs of 8 warps
    assert found.run(loop.id)[inside].tolist() == np.repeat(np.arange(16), 4).tolist()
    assert set(found.iteration(loop.id)[~inside].tolist()) == {-1}


def walked(loops, batch):
    """Follow each lane: (iteration, run) of each loop for each event, by its first lane on."""
    blocks = [set(loop.blocks) for loop in loops.loops]
    found, runs = [[(-1, -1)] * batch.events for _ in blocks], 0
    for start, end in zip(batch.warps[:-1].tolist(), batch.warps[1:].tolist(), strict=True):
        last, state = {}, {}
        for event in range(start, end):
            block, mask = int(batch.block[event]), int(batch.mask[event])
            on = [lane for lane in range(64) if mask >> lane & 1]
            for loop in loops.loops:
                if block == loop.header:
                    inside = last.get(on[0]) in blocks[loop.id]
                    number, run = state.get((on[0], loop.id), (None, None))
                    new = (number + 1, run) if inside else (0, runs)
                    runs += not inside
                    state.update({(lane, loop.id): new for lane in on})
                if block in blocks[loop.id]:
                    found[loop.id][event] = state[on[0], loop.id]
            last.update(dict.fromkeys(on, block))
    return found


@pytest.mark.parametrize(
    ("sample", "kernel", "sizes"),
    [
        ("breaking", None, {}),
        ("spmv", None, {"rows": 1024}),
        ("trisolve", "trisolve_forward", {"n": 24, "sides": 256}),
        ("binomial", "binomial_block", {"options": 256, "large": 2}),
    ],
)
def test_the_fast_walk_is_that_of_each_lane(sample, kernel, sizes, breaking):
    job = breaking
    if sample != "breaking":
        job = prepare(SAMPLES / sample / "launch.toml", kernel, LaunchOptions(sizes=sizes))
    loops = job.analysis.structure.loops
    batch = batch_of(job, [(0, 0, 0), (1, 0, 0)])
    found = event_iterations(loops, batch)
    for loop, wanted in zip(loops.loops, walked(loops, batch), strict=True):
        assert found.iteration(loop.id).tolist() == [number for number, _ in wanted]
        assert found.run(loop.id).tolist() == [run for _, run in wanted]


def test_a_kernel_without_loops_has_no_iterations():
    job = prepare(SAMPLES / "vecadd" / "launch.toml", options=LaunchOptions(sizes={"n": 512}))
    batch = batch_of(job, [(0, 0, 0)])
    found = event_iterations(job.analysis.structure.loops, batch)
    assert found.numbers.shape == (0, batch.events)
