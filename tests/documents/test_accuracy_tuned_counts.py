"""Executed requests of the kernels with counters, beside what Nsight Compute counted on a GPU.

Rows are measured ones of an RTX 2080 Ti: HiPerCoRe/KTT @ 931c4157, MIT licence.
"""

from itertools import product
from math import prod

import pytest

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.summary import summarise
from warpmill.benchmarks.accuracy.building import build
from warpmill.benchmarks.accuracy.cases_tuned import case_of, forms
from warpmill.benchmarks.accuracy.compilers import compilers
from warpmill.benchmarks.accuracy.launches import job_of
from warpmill.session.traces import trace_source

pytestmark = pytest.mark.skipif(
    not any(one.kind != "ptxas" for one in compilers()), reason="there is no compiler of CUDA"
)

COULOMB = (
    # group x, y, inner unrolling, planes, arrays: requests of loads from global memory
    (32, 8, 1, 8, 0, 4718590),
    (32, 4, 4, 16, 1, 8912900),
    (16, 8, 1, 32, 0, 1572860),
    (32, 8, 8, 32, 1, 4718590),
    (16, 4, 1, 4, 0, 8912900),
    (32, 8, 4, 32, 0, 1572860),
    (32, 4, 1, 2, 0, 17301500),
    (32, 2, 2, 8, 1, 17301500),
    (16, 4, 16, 32, 1, 4718590),
    (32, 4, 2, 8, 1, 17301500),
    (16, 4, 8, 32, 0, 1572860),
    (32, 8, 0, 1, 0, 34078700),
    (32, 2, 1, 16, 0, 2621440),
    (32, 4, 0, 8, 0, 4718590),
    (32, 8, 2, 4, 0, 8912900),
    (16, 4, 1, 32, 1, 4718590),
    (32, 8, 2, 16, 1, 8912900),
    (32, 2, 2, 16, 0, 2621440),
    (32, 4, 1, 4, 0, 8912900),
    (32, 8, 1, 2, 0, 17301500),
)
CONVOLUTION = (
    # block x, y, tile x, y, read-only path: requests
    (8, 16, 1, 6, 1, 1837060),
    (64, 2, 2, 3, 1, 2185280),
    (48, 16, 2, 1, 1, 1313280),
    (48, 4, 3, 1, 1, 4478980),
    (8, 8, 1, 1, 0, 4718590),
    (16, 4, 3, 2, 0, 3367940),  # lanes of a warp load in 3 or 4 turns, apart: some rows twice
    (48, 16, 2, 6, 0, 803358),
    (8, 32, 7, 2, 1, 844800),
    (112, 1, 5, 4, 0, 2856960),
    (8, 32, 4, 7, 1, 844800),
)


@pytest.fixture(scope="module", autouse=True)
def kept(tmp_path_factory):
    """Keep what is compiled in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARPMILL_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield


def case_with(kernel, **config):
    """The case of a row that says so."""
    counters = dict.fromkeys(forms()["ktt_counters"]["counters"], "0")
    words = ";".join(f"{name}={value}" for name, value in config.items())
    row = {"kernel": kernel, "gpu": "RTX_2080_Ti", "config": words, "time_ms": "1", "regs": ""}
    return case_of("ktt_counters", 0, {**row, **counters})


def kinds_of_ctas(grid):
    """A CTA of each kind, and how many there are: those at the far edges are cut."""
    ends = [[(0, n - 1), (n - 1, 1)] if n > 1 else [(0, 1)] for n in grid]
    for chosen in product(*ends):
        yield tuple(place for place, _ in chosen), prod(count for _, count in chosen)


def global_loads(case):
    """Count a launch's requests of loads from global memory: warp instructions with a lane on."""
    job = job_of(case, build(case.program).ptx)
    source = trace_source(job)
    blocks, loads = job.kernel.blocks, 0
    for cta, count in kinds_of_ctas(case.grid):
        for access in summarise(job.kernel, [source.warps(cta)], 32).accesses:
            operation = blocks[access.block].instructions[access.instruction].operation
            if operation.space is Space.GLOBAL and operation.opcode.startswith("ld"):
                loads += count * access.warp_executions
    assert (source.kind, source.assumptions) == ("static", ())
    return loads


def as_counted(number):
    """A count as the table has it: with six digits."""
    return float(f"{number:.6g}")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("x", "y", "unroll", "planes", "arrays", "counted"), COULOMB)
def test_requests_of_coulomb3d_are_those_counted(x, y, unroll, planes, arrays, counted):
    case = case_with(
        "coulomb3d", WORK_GROUP_SIZE_X=x, WORK_GROUP_SIZE_Y=y, INNER_UNROLL_FACTOR=unroll,
        Z_ITERATIONS=planes, USE_CONSTANT_MEMORY=0, USE_SOA=arrays, VECTOR_SIZE=1,
        WORK_GROUP_SIZE_Z=1,
    )  # fmt: skip
    assert as_counted(global_loads(case)) == counted


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize(("x", "y", "tile_x", "tile_y", "read_only", "counted"), CONVOLUTION)
def test_requests_of_convolution15_are_those_counted(x, y, tile_x, tile_y, read_only, counted):
    case = case_with(
        "convolution15", BLOCK_SIZE_X=x, BLOCK_SIZE_Y=y, TILE_SIZE_X=tile_x, TILE_SIZE_Y=tile_y,
        PADDING=0, READ_ONLY=read_only,
    )  # fmt: skip
    assert as_counted(global_loads(case)) == counted


@pytest.mark.parametrize("block", [32, 64, 128, 256])
def test_requests_of_vector_add_are_those_counted(block):
    assert global_loads(case_with("vectorAdd", multiply_block_size=block)) == 65536
