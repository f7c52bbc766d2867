"""What is read off profiles, beside what samples do when it is worked out by hand."""

from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import warpmill
from tests.reference.run_kernel import kernel_text, prepare
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import DEFAULT_RULES
from warpmill.analyzer.profile.ctas import cta_block_vectors, cta_statistics, spread
from warpmill.analyzer.profile.memory import memory_traffic
from warpmill.analyzer.profile.mix import (
    Executions,
    block_vector,
    class_mix,
    executions_by,
    lane_histogram,
    opcode_mix,
    vector_mix,
)
from warpmill.executor.compile import CompileOptions
from warpmill.executor.context import Grid
from warpmill.executor.observation import profile_of
from warpmill.session.options import LaunchOptions

SAMPLES = Path(__file__).parents[2] / "samples"
ALL = CompileOptions(
    count_edges=True,
    count_lanes=True,
    count_paths=True,
    count_ctas=True,
    memory_rules=DEFAULT_RULES,
)


def sample(name, file="launch.toml", counts=None, **sizes):
    options = LaunchOptions(sizes=sizes)
    done = warpmill.profile(SAMPLES / name / file, launch=options, counts=counts)
    return [one.profile for one in done.launches]


def of_kernel(body, arguments, threads=32, ctas=1, options=ALL):
    """Profile a few instructions."""
    prepared = prepare(kernel_text(body, arguments), 32, options)
    grid, block = (ctas, 1, 1), (threads, 1, 1)
    ran = prepared.run(grid, block, arguments)
    return profile_of(prepared.compiled, Grid(grid, block), ran.execution)


def by_name(mix):
    return {one.name: one.executions for one in mix}


def line_of(instruction):
    """The line of the source where the compiler recorded one, else that of the input."""
    debug = instruction.debug
    return (debug.file, debug.line) if debug and debug.line else (None, instruction.span.line)


# ------------------------------------------------------------------------------- vecadd


@pytest.fixture(scope="module")
def vecadd():
    """4 CTAs of 256 for 1,000 elements: the last warp has 8 threads inside."""
    (found,) = sample("vecadd", n=1000)
    return found


def test_vecadd_by_opcode(vecadd):
    """Its head is executed by 32 warps of 1,024 threads, its body by 1,000 of these."""
    head, body = (1024, 1024), (1000, 1000)
    wanted = {
        "ld.param.u64": (3, *head), "ld.param.u32": (1, *head), "mov.u32": (3, *head),
        "mad.lo.s32": (1, *head), "setp.ge.s32": (1, *head), "bra": (1, *head), "ret": (1, *head),
        "cvta.to.global.u64": (3, *body), "mul.wide.s32": (1, *body), "add.s64": (3, *body),
        "ld.global.nc.f32": (2, *body), "add.f32": (1, *body), "st.global.f32": (1, *body),
    }  # fmt: skip
    assert by_name(opcode_mix(vecadd)) == {
        name: Executions(n, 32 * n, threads * n, on * n)
        for name, (n, threads, on) in wanted.items()
    }


def test_vecadd_by_class(vecadd):
    found = by_name(class_mix(vecadd))
    assert found["load"] == Executions(6, 6 * 32, 4 * 1024 + 2 * 1000, 4 * 1024 + 2 * 1000)
    assert found["store"] == Executions(1, 32, 1000, 1000)
    assert found["add"] == Executions(4, 4 * 32, 4000, 4000)  # of integers and of floats
    assert class_mix(vecadd)[0].name == "load"  # the most executed


def test_vecadd_by_lanes_and_blocks(vecadd):
    """Ten instructions, then eleven in the body, then one."""
    assert [len(b.instructions) for b in vecadd.kernel.blocks] == [10, 11, 1]
    histogram = [0] * 33
    histogram[32], histogram[8] = 32 * (10 + 1) + 31 * 11, 11
    assert lane_histogram(vecadd) == tuple(histogram)
    assert block_vector(vecadd).tolist() == [10 / 22, 11 / 22, 1 / 22]
    threads = 1024 * 10 + 1000 * 11 + 1024
    wanted = [10240 / threads, 11000 / threads, 1024 / threads]
    assert block_vector(vecadd, by="threads").tolist() == wanted


def test_vecadd_moves_whole_sectors(vecadd):
    """31 warps ask for a line, 4 sectors, each time; the last one for 8 * 4 B, a sector."""
    loads, stores = memory_traffic(vecadd)
    assert (loads.space, loads.kind, loads.instructions) == (Space.GLOBAL, "load", 2)
    assert (loads.requests, loads.threads, loads.bytes_requested) == (64, 2000, 8000)
    assert (loads.lines, loads.sectors) == (64, 2 * (31 * 4 + 1))
    assert loads.bytes_transferred == 2 * (31 * 128 + 32)
    assert (stores.kind, stores.bytes_requested, stores.bytes_transferred) == ("store", 4000, 4000)
    assert loads.wavefronts is stores.bank_conflicts is None
    assert (vecadd.bytes_read, vecadd.bytes_written) == (8000, 4000)


def test_the_last_cta_of_vecadd_differs(vecadd):
    found = cta_statistics(vecadd)
    full, last = 256 * 22, 256 * 11 + 232 * 11
    of = found.thread_instructions
    assert (of.min, of.max, of.mean) == (last, full, (3 * full + last) / 4)
    # three are d / 4 above the mean and one 3 d / 4 below: the root of (3 + 9) / 16 / 4
    assert of.standard_deviation == pytest.approx((full - last) * sqrt(3) / 4)
    assert of.coefficient_of_variation == of.standard_deviation / of.mean
    assert (found.warp_instructions.min, found.warp_instructions.standard_deviation) == (176, 0)
    assert found.memory_lines.mean == 3 * 8
    assert found.lines_per_warp_instruction.max == 24 / 176
    vectors = cta_block_vectors(vecadd, by="threads")
    assert vectors.of_cta.tolist() in ([0, 0, 0, 1], [1, 1, 1, 0])
    body = vectors.vectors[vectors.of_cta][:, 1]
    assert body.tolist() == [256 * 11 / full] * 3 + [232 * 11 / last]


# ------------------------------------------------------------------------------- reduce


@pytest.fixture(scope="module")
def reduce():
    """As samples/reduce/README.md works it out, for 16 CTAs of 256 threads, 8 warps."""
    (found,) = sample("reduce", n=16 * 512)
    return found


CTAS = 16
TREE = 4 + 2 + 1 + 5  # warps that add while 128, 64, 32 and then 16, 8, 4, 2, 1 threads do


def test_reduce_by_opcode(reduce):
    found = by_name(opcode_mix(reduce))
    # a thread adds its two elements, then 255 add in the tree
    assert found["add.f32"] == Executions(2, CTAS * (8 + TREE), CTAS * 511, CTAS * 511)
    assert found["bar.sync"] == Executions(2, CTAS * 8 * 9, CTAS * 256 * 9, CTAS * 256 * 9)
    assert (reduce.barriers, reduce.barrier_threads) == (CTAS * 8 * 9, CTAS * 256 * 9)
    assert found["st.global.f32"] == Executions(1, CTAS, CTAS, CTAS)


def test_reduce_by_lanes(reduce):
    """Five trips of the tree have half, a quarter, ... of a warp; one thread stores the sum."""
    tree, last = (len(reduce.kernel.blocks[k].instructions) for k in (6, 9))
    found = lane_histogram(reduce)
    halves = {16: tree, 8: tree, 4: tree, 2: tree, 1: tree + last}
    assert {lanes: n for lanes, n in enumerate(found[:32]) if n} == {
        lanes: n * CTAS for lanes, n in halves.items()
    }
    assert sum(found) == reduce.warp_instructions
    assert sum(lanes * n for lanes, n in enumerate(found)) == reduce.thread_instructions


def test_reduce_by_space(reduce):
    found = {(t.space.value, t.kind): t for t in memory_traffic(reduce)}
    bytes_of = {key: t.bytes_requested // CTAS for key, t in found.items()}
    assert bytes_of == {
        ("global", "load"): 2048, ("global", "store"): 4,
        ("shared", "load"): 2044, ("shared", "store"): 2044,
    }  # fmt: skip
    assert found["global", "load"].lines == CTAS * 16
    assert found["global", "load"].bytes_transferred == CTAS * 2048
    assert found["global", "store"].bytes_transferred == CTAS * 32
    assert found["shared", "store"].wavefronts == CTAS * (8 + TREE)
    assert found["shared", "load"].wavefronts == CTAS * (2 * TREE + 1)
    assert found["shared", "load"].bank_conflicts == 0
    assert found["shared", "load"].lines is found["shared", "load"].bytes_transferred is None


def test_ctas_of_reduce_are_alike(reduce):
    found = cta_statistics(reduce)
    assert (reduce.ctas, found.block_vectors) == (CTAS, 1)
    assert found.thread_instructions.coefficient_of_variation == 0
    assert found.memory_lines.mean == 17
    assert len(cta_block_vectors(reduce).vectors) == 1
    np.testing.assert_array_equal(cta_block_vectors(reduce).vectors[0], block_vector(reduce))


# --------------------------------------------------------------------------- sums of any

EVERY = [
    ("scan", "launch.toml", {"n": 4096}),
    ("spmv", "launch.bc.toml", {}),
    ("matmul", "launch.opencl.toml", {"n": 64}),
    ("transpose", "launch.toml", {"rows": 64, "columns": 96}),
    ("trisolve", "launch.toml", {"n": 20, "sides": 40, "m": 16, "batch": 1}),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "file", "sizes"), EVERY)
def test_all_parts_add_up_to_the_whole(name, file, sizes):
    for profile in sample(name, file, **sizes):
        whole = (
            profile.kernel.instruction_count,
            profile.warp_instructions,
            profile.thread_instructions,
            profile.predicated_on,
        )
        for mix in (
            by_name(opcode_mix(profile)),
            by_name(class_mix(profile)),
            executions_by(profile, line_of),
        ):
            sums = [
                (c.static_instructions, c.warp_instructions, c.thread_instructions, c.predicated_on)
                for c in mix.values()
            ]
            assert tuple(map(sum, zip(*sums, strict=True))) == whole
        assert sum(lane_histogram(profile)) == profile.warp_instructions
        assert block_vector(profile).sum() == pytest.approx(1)
        traffic = memory_traffic(profile)
        assert sum(t.lines or 0 for t in traffic) == profile.memory_lines
        assert sum(t.bytes_transferred or 0 for t in traffic) == profile.bytes_transferred
        assert profile.bytes_transferred == profile.rules.sector_bytes * profile.sectors
        asked = sum(t.bytes_requested for t in traffic)
        atomics = sum(t.bytes_requested for t in traffic if t.kind == "atomic")
        assert profile.bytes_read + profile.bytes_written == asked + atomics
        ctas = profile.by_cta
        assert ctas.warp_instructions.sum() == profile.warp_instructions
        assert ctas.thread_instructions.sum() == profile.thread_instructions
        assert ctas.memory_lines.sum() == profile.memory_lines


# ------------------------------------------------------------------------- small kernels

GUARDED = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 10;
    mul.wide.u32 %d1, %r1, 16; add.u64 %d2, %d0, %d1;
    @%p1 ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d2];
    @!%p1 ld.global.v2.f32 {%f1, %f2}, [%d2]; @%p1 st.global.f32 [%d2], %f1;
    atom.global.add.u32 %r2, [%d0], 1; ret;"""
"""Of 32 threads the first ten load four numbers and store one, the others load two."""


def test_guards_and_vectors():
    profile = of_kernel(GUARDED, {"out": np.zeros(32 * 4, np.float32)})
    found = by_name(opcode_mix(profile))
    assert found["ld.global.v4.f32"] == Executions(1, 1, 32, 10)
    assert found["ld.global.v2.f32"] == Executions(1, 1, 32, 22)
    assert profile.predicated_on == profile.thread_instructions - 22 - 10 - 22
    assert by_name(vector_mix(profile)) == {
        "v1": Executions(2, 2, 64, 10 + 32),
        "v2": Executions(1, 1, 32, 22),
        "v4": Executions(1, 1, 32, 10),
    }
    assert profile.bytes_read == 10 * 16 + 22 * 8 + 32 * 4
    assert profile.bytes_written == 10 * 4 + 32 * 4


def test_lines_are_those_of_the_source_where_they_are_known():
    scanned = sample("scan", n=4096)[0]
    lines = executions_by(scanned, line_of)
    files = Counter(Path(file).name if file else None for file, _ in lines)
    assert files["scan.cu"] > 20
    assert set(lines) == set(map(line_of, scanned.kernel.instructions))


def test_what_was_not_counted_is_none():
    (profile,) = sample("reduce", counts=(), n=8192)
    assert lane_histogram(profile) is None
    assert memory_traffic(profile) is None
    assert cta_statistics(profile) is None
    assert cta_block_vectors(profile) is None
    (profile,) = sample("reduce", counts=("ctas",), n=8192)
    assert cta_statistics(profile).thread_instructions.min == 22271
    assert cta_statistics(profile).memory_lines is None  # and not 0
    assert cta_statistics(profile).lines_per_warp_instruction is None


def test_the_spread_of_some_numbers():
    """TBPoint's example, §IV: blocks of 160 and 40 instructions, and two of 100."""
    assert spread(np.array([160, 40])).coefficient_of_variation == 60 / 100
    assert spread(np.array([100, 100])).coefficient_of_variation == 0
    assert spread(np.array([0, 0, 0])).coefficient_of_variation is None
    values = np.random.default_rng(1).integers(0, 50, 1000) / 7
    found = spread(values)
    assert found.mean == pytest.approx(values.mean())
    assert found.standard_deviation == pytest.approx(values.std())
    assert (found.min, found.max) == (values.min(), values.max())


def test_equal_shares_have_no_deviation():
    """Several times such a share, over their number, may be another number."""
    share = 1 / 10
    assert share * 3 / 3 != share
    found = spread(np.full(3, share))
    assert (found.mean, found.standard_deviation, found.coefficient_of_variation) == (share, 0, 0)
