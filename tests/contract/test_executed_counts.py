"""Samples executed for real do what their static traces say, block by block.

The two engines share nothing but the IR: one walks paths without data, the other computes.
"""

from itertools import product
from pathlib import Path

import pytest

from analyzer.trace.source import StaticSource
from warpmill import run, trace
from warpmill.jobs import LaunchOptions, prepare_all

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


@pytest.mark.parametrize("file", FILES)
def test_each_launch_executes_the_blocks_that_its_trace_says(file):
    path = SAMPLES / file
    jobs = prepare_all(path, options=LaunchOptions(sizes=SIZES[path.parent.name]))
    for job, launched in zip(jobs, run(jobs).launches, strict=True):
        x, y, z = job.launch.grid
        every = [(i, j, k) for k, j, i in product(range(z), range(y), range(x))]
        traced = trace(job, ctas=every)
        assert isinstance(traced.source, StaticSource)
        executed = launched.launched.counts.execution
        assert tuple(executed.block_warps) == traced.summary.block_executions
        assert executed.thread_instructions == traced.summary.thread_instructions
