"""Samples executed for real do what their static traces say, event by event.

The two engines share nothing but the IR: one walks paths without data, the other computes.
"""

from itertools import product
from pathlib import Path

import pytest

from warpmill import trace
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.session.traces import compare_with_executed

SAMPLES = Path(__file__).parents[2] / "samples"
SIZES = {
    "binomial": {"options": 128, "large": 1},
    "bitonic": {"n": 2048},
    "lud": {"n": 48},
    "matmul": {"n": 48},
    "nw": {"n": 48},
    "reduce": {"n": 3000},
    "scan": {"n": 4096},
    "stencil5": {"width": 70, "height": 50},
    "transpose": {"rows": 96, "columns": 64},
    "trisolve": {"n": 20, "sides": 40, "m": 16, "batch": 1},
    "vecadd": {"n": 1000},
}
"""Sizes that leave partial tiles where kernels take them. In spmv data decide: it is not here."""

FILES = [
    path.relative_to(SAMPLES).as_posix()
    for name in SIZES
    for path in sorted((SAMPLES / name).glob("launch*.toml"))
]


def jobs_of(file):
    path = SAMPLES / file
    return prepare_all(path, options=LaunchOptions(sizes=SIZES[path.parent.name]))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("file", FILES)
def test_each_launch_executes_the_blocks_that_its_trace_says(file):
    """Memory too: what static traces add up without executing is what was counted."""
    jobs = jobs_of(file)
    for job, launched in zip(jobs, profile(jobs).launches, strict=True):
        x, y, z = job.launch.grid
        every = [(i, j, k) for k, j, i in product(range(z), range(y), range(x))]
        traced = trace(job, TraceOptions("static"), ctas=every)
        executed = launched.profile
        assert tuple(b.warps for b in executed.blocks) == traced.summary.block_executions
        assert executed.thread_instructions == traced.summary.thread_instructions
        assert costs_counted(executed) == costs_traced(traced.summary, executed)


def costs_counted(found):
    """Warps, lanes and costs of each instruction that accesses memory."""
    return {
        (a.block, a.instruction): (a.requests, a.threads, a.lines, a.sectors, a.wavefronts)
        for a in found.accesses
    }


def costs_traced(summary, found):
    """The same of a static trace; the spaces are those that were executed."""
    shared = {(a.block, a.instruction): a.space is Space.SHARED for a in found.accesses}
    return {
        (a.block, a.instruction): (
            a.warp_executions,
            a.thread_executions,
            *(
                (None, None, a.wavefronts)
                if shared[a.block, a.instruction]
                else (a.lines, a.sectors, None)
            ),
        )
        for a in summary.accesses
    }


@pytest.mark.one_in(6)
@pytest.mark.parametrize("file", FILES)
def test_traces_of_launches_that_no_data_decide_are_equal_event_by_event(file):
    for job in jobs_of(file):
        last = tuple(size - 1 for size in job.launch.grid)
        ctas = dict.fromkeys((*sampled_ctas(job.launch.grid, 1), last))
        found = compare_with_executed(job, ctas=tuple(ctas))
        assert found.assumed == ()
        assert found.comparison.is_equal
        assert found.comparison.warp_overshoot == 0


@pytest.mark.parametrize("file", ["launch.toml", "launch.bc.toml", "launch.opencl.toml"])
def test_where_data_decide_the_static_trace_covers_what_is_executed(file):
    """As long as the rows that are assumed are as long as the longest one."""
    sizes = {"rows": 512, "cols": 512}
    (job,) = prepare_all(SAMPLES / "spmv" / file, options=LaunchOptions(sizes=sizes))
    loops = [job.kernel.blocks[b.header].label for b in job.analysis.bounds]
    options = TraceOptions("static", dict.fromkeys(loops, 40))
    found = compare_with_executed(job, options)
    assert found.assumed
    assert found.comparison.covers
    assert found.comparison.equal_warps == 0
    assert found.comparison.thread_overshoot > found.comparison.warp_overshoot > 0
    short = compare_with_executed(job, TraceOptions("static", dict.fromkeys(loops, 1)))
    assert not short.comparison.covers
