"""Where traces come from: static where no data decide, executed where the launch has data."""

from functools import partial

import numpy as np
import pytest

from tests.reference.saved_traces import SAMPLES
from warpmill.analyzer.base.diagnostics import DataError, InputError, UsageError
from warpmill.analyzer.traces.comparison import compare_traces
from warpmill.analyzer.traces.model import Repeat, Visit, WarpTrace
from warpmill.session.data import data_are_given, data_digest
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.simulation_plans import simulated_traces
from warpmill.session.traces import compare_with_executed, trace_source

GATHER = """.version 8.0
.target sm_80
.address_size 64
.visible .entry gather(.param .u64 to, .param .u64 from, .param .u64 index)
{
    .reg .b32 %r<4>; .reg .b64 %d<8>;
    ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from]; ld.param.u64 %d3, [index];
    mov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4; add.u64 %d3, %d3, %d4;
    ld.global.u32 %r2, [%d3]; mul.wide.u32 %d5, %r2, 4; add.u64 %d2, %d2, %d5;
    ld.global.u32 %r3, [%d2]; add.u64 %d1, %d1, %d4; st.global.u32 [%d1], %r3;
    CALL
    ret;
}
"""
FILE = """[[launch]]
module = "gather.ptx"
grid = [1]
block = [64]
args = [
  { buffer = "u32", shape = [64] },
  { buffer = "u32", shape = [64], init = "arange" },
  { buffer = "u32", shape = [64], init = INIT, seed = SEED },
]
"""


def gather(folder, call="", seed=1, init='"permutation"'):
    (folder / "gather.ptx").write_text(GATHER.replace("CALL", call))
    (folder / "launch.toml").write_text(FILE.replace("SEED", str(seed)).replace("INIT", init))
    return prepare_all(folder / "launch.toml")[0]


def sample(name):
    return prepare_all(SAMPLES / name / "launch.toml")[0]


def test_what_no_data_decide_is_static():
    source = trace_source(sample("vecadd"))
    assert (source.kind, source.reason) == ("static", "no data decide what executes")


def test_addresses_that_data_decide_are_executed(tmp_path):
    source = trace_source(gather(tmp_path))
    assert source.kind == "executed"
    assert source.reason == "data decide where it accesses memory"
    assert trace_source(sample("spmv")).reason == "data decide at line 53"


def test_what_cannot_be_executed_stays_static(tmp_path):
    job = gather(tmp_path, "wgmma.fence.sync.aligned;")
    source = trace_source(job)
    assert source.kind == "static"
    assert "data decide where it accesses memory; `wgmma.fence" in source.reason
    with pytest.raises(InputError, match="wgmma"):
        trace_source(job, TraceOptions("executed"))


def test_data_that_do_not_fit_are_no_reason_to_go_without(tmp_path):
    np.save(tmp_path / "index.npy", np.arange(32, dtype=np.uint32))
    job = gather(tmp_path, init='{ file = "index.npy" }')
    for choose in (trace_source, partial(simulated_traces, together=True)):
        with pytest.raises(DataError, match="has 32 elements, not 64"):
            choose(job, TraceOptions())
    np.save(tmp_path / "index.npy", np.arange(64, dtype=np.uint32))
    assert trace_source(job).kind == "executed"


def test_a_launch_that_says_nothing_of_its_data_is_static(tmp_path):
    gather(tmp_path)
    options = LaunchOptions(grid="1", block="64", args=["buffer=u32:64"] * 3)
    (job,) = prepare_all(tmp_path / "gather.ptx", options=options)
    assert not data_are_given(job)
    source = trace_source(job)
    assert source.kind == "static"
    assert source.reason.endswith("the launch does not say what its buffers hold")
    filled = LaunchOptions(
        grid="1", block="64", args=["buffer=u32:64", "buffer=u32:64", "buffer=u32:64:arange"]
    )
    (job,) = prepare_all(tmp_path / "gather.ptx", options=filled)
    assert trace_source(job).kind == "executed"


def test_what_is_assumed_asks_for_static_traces():
    job = sample("spmv")
    loop = job.kernel.blocks[job.analysis.bounds[0].header].label
    assert trace_source(job, TraceOptions(assume={loop: 3})).kind == "static"
    with pytest.raises(UsageError, match="use --trace static"):
        trace_source(job, TraceOptions("executed", assume={loop: 3}))


def test_data_are_told_apart(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = gather(tmp_path / "a"), gather(tmp_path / "b")
    assert data_digest(one) == data_digest(other)
    assert data_digest(gather(tmp_path / "b", seed=2)) != data_digest(one)


def test_a_comparison_sees_other_addresses(tmp_path):
    """The way through the kernel is known, the addresses of one load are not."""
    found = compare_with_executed(gather(tmp_path)).comparison
    assert (found.warps, found.equal_paths, found.equal_warps) == (2, 2, 0)
    assert found.covers
    assert not found.is_equal
    assert found.warp_overshoot == found.thread_overshoot == 0


def test_a_comparison_counts_the_warps_that_have_less_of_a_block():
    """Of three warps the first executes it more often than assumed, the second by more threads."""
    whole, half = (1 << 32) - 1, (1 << 16) - 1

    def warps(*loops):
        return tuple(
            WarpTrace((0, 0, 0), number, (Visit(0, whole), Repeat(times, (Visit(1, mask),))))
            for number, (times, mask) in enumerate(loops)
        )

    static = warps((2, whole), (4, half), (9, whole))
    executed = warps((5, whole), (4, whole), (1, whole))
    found = compare_traces(sample("spmv").kernel, [(static, executed)])
    first, second = found.blocks
    assert (first.static_warps, first.executed_warps, first.short_warps) == (3, 3, 0)
    assert (second.static_warps, second.executed_warps, second.short_warps) == (15, 10, 2)
    assert (second.static_threads, second.executed_threads) == (2 * 32 + 4 * 16 + 9 * 32, 10 * 32)
    assert not found.covers
