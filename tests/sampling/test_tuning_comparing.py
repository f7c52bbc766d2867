"""Choices that are executed beside the default: the same, another result, or nobody knows."""

from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.analyzer.ir.kernel import Variable
from warpmill.analyzer.ir.types import Space as MemorySpace
from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.analyzer.launch import StructArgument
from warpmill.session.options import LaunchOptions
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.tuning.comparing import Comparer, needed_before
from warpmill.tuning.variants import parse_variant

SAMPLES = Path(__file__).parents[2] / "samples"


def target(name, **sizes):
    return SweepTarget(str(SAMPLES / name / "launch.toml"), options=LaunchOptions(sizes=sizes))


VECADD, MATMUL, TRANSPOSE = target("vecadd"), target("matmul"), target("transpose")
SMALL = {"n": 1000}

KERNEL = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .reg .pred %p<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r5, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.u32 %r4, %r3, %r2, %r1;
    setp.ge.u32 %p1, %r4, %r5;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2;
    BODY
DONE:
    ret;
}
"""
LOOP = """
    mov.u32 %r6, 100000;
LOOP:
    sub.u32 %r6, %r6, 1;
    setp.ne.u32 %p2, %r6, 0;
    @%p2 bra LOOP;
"""
PLAIN = "st.global.u32 [%rd3], %r4;"


@pytest.fixture
def launch_file(tmp_path):
    """Write a kernel that stores the number of each thread, and its launch."""

    def write(body=PLAIN, name="k", shape='["n"]', n=256):
        (tmp_path / f"{name}.ptx").write_text(KERNEL.replace("BODY", body))
        (tmp_path / f"{name}.toml").write_text(
            f"[sizes]\nn = {n}\nthreads = 64\n[[launch]]\n"
            f'module = "{name}.ptx"\ngrid = ["ceil(n / threads)"]\nblock = ["threads"]\n'
            f'args = [{{ buffer = "u32", shape = {shape}, init = {{ constant = 7 }} }}, '
            '{ u32 = "n" }]\n'
        )
        return SweepTarget(str(tmp_path / f"{name}.toml"))

    return write


@pytest.mark.one_in(3)
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("block", [32, 96, 1024])
def test_a_kernel_that_takes_any_block(block, workers):
    found = Comparer(VECADD, SMALL, workers=workers).compare(VECADD, {"block": block})
    assert (found.same, found.apart, found.reason) == (True, 0.0, None)


def test_a_block_that_a_kernel_was_not_written_for():
    comparer = Comparer(TRANSPOSE, {"rows": 64, "columns": 96})
    found = comparer.compare(TRANSPOSE, {"block": "32x4"})
    assert found.same is False
    assert found.kind == "its results differ"
    assert "of 6,144 elements of param_1 differ" in found.reason
    found = comparer.compare(TRANSPOSE, {"block": "64x4"})
    assert (found.same, found.kind) == (False, "it accesses memory out of bounds")
    assert "of 4 B at shared address" in found.reason
    assert comparer.runs == 3  # the default once


def test_sums_in_another_order_are_the_same():
    plain = parse_variant(MATMUL, f"plain={SAMPLES / 'matmul' / 'matmul.O0.ll'}")
    found = Comparer(MATMUL, {"n": 64}).compare(plain.target, {})
    assert found.same
    assert 0 < found.apart < 1e-5


def test_a_variant_with_a_mistake(launch_file):
    base = launch_file()
    launch_file("add.u32 %r6, %r4, %r4; st.global.u32 [%rd3], %r6;", "twice")
    launch_file("st.global.u32 [%rd3+4], %r4;", "late")
    launch_file("bar.sync 0;\n setp.eq.u32 %p2, %r1, 0;\n @%p2 trap;", "trap")
    comparer, folder = Comparer(base), Path(base.path).parent
    found = {
        name: comparer.compare(parse_variant(base, str(folder / f"{name}.ptx")).target, {})
        for name in ("twice", "late", "trap")
    }
    assert found["twice"].reason == "255 of 256 elements of out differ, the first at 1: 2, not 1"
    assert found["late"].kind == "it accesses memory out of bounds"
    assert (found["trap"].same, found["trap"].kind) == (False, "it cannot be executed to its end")


def test_sizes_that_are_varied(launch_file):
    base = launch_file()
    comparer = Comparer(base, {"n": 100})
    assert comparer.compare(base, {"threads": 32}).same
    found = comparer.compare(base, {"n": 50})
    assert (found.same, found.kind) == (None, "it has buffers of another shape")
    assert found.reason == "out is u32 of 50, of the default u32 of 100"


def test_the_grid_follows_the_size_of_runs_even_where_it_is_kept(launch_file):
    base = launch_file(n=1 << 20)
    comparer = Comparer(base, {"n": 256})
    kept = {"block": 128, "grid": 1 << 14}
    assert comparer.compare(base, kept, keep_grid=True).same
    assert comparer.compare(base, {**kept, "block": 32}, keep_grid=True).same is False
    assert comparer.compare(base, {"block": 32}).same


def test_a_launch_that_cannot_be_at_the_size_of_runs():
    found = Comparer(VECADD, {"n": 100}).compare(VECADD, {"block": 2048})
    assert found.same is None
    assert "2048" in found.reason


def test_limits_leave_it_unknown(launch_file):
    found = Comparer(VECADD, {"n": 100_000}, max_instructions=1000).compare(VECADD, {"block": 64})
    assert (found.same, found.kind) == (None, "the default cannot be executed")
    assert "--compare-size makes runs smaller, --max-compare-instructions moves" in found.reason
    base = launch_file()
    launch_file(f"{LOOP} {PLAIN}", "slow")
    slow = parse_variant(base, str(Path(base.path).parent / "slow.ptx")).target
    found = Comparer(base, max_instructions=100_000).compare(slow, {})
    assert (found.same, found.kind) == (None, "it takes more than a run may")
    assert Comparer(base).compare(slow, {}).same


def test_a_launch_that_is_too_large_is_run_at_smaller_sizes(launch_file):
    base = launch_file(n=100_000)
    comparer = Comparer(base, max_instructions=1_000_000)
    comparer.prepare(base, SweepSpace((Axis("block", (32, 128)),)))
    assert comparer.compare(base, {"block": 32}).same
    assert comparer.are_chosen
    assert comparer.sizes == {"n": 100_000 // 4 // 1024 * 1024 // 4 // 1024 * 1024 + 100_000 % 1024}
    kept = Comparer(base, max_instructions=1_000_000)
    kept.prepare(base, SweepSpace((Axis("n", (1, 2)),)))  # which is varied, and stays
    assert (kept.compare(base, {"block": 32}).same, kept.sizes) == (None, {})


def test_buffers_of_zeros_hold_random_numbers(tmp_path):
    ptx = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
    zeros = ("buffer=f32:1024",) * 3 + ("1024",)
    base = SweepTarget(ptx, options=LaunchOptions("4", "256", args=zeros))
    comparer = Comparer(base)
    assert comparer.compare(base, {"block": 128}).same
    assert comparer.is_random
    too_few = {"block": 128, "grid": 7}
    assert "128 of 1,024 elements of param_2 differ" in comparer.compare(base, too_few).reason
    given = ("buffer=f32:1024:uniform",) * 2 + zeros[2:]
    base = SweepTarget(ptx, options=LaunchOptions("4", "256", args=given))
    assert Comparer(base).compare(base, {"block": 128}).same


def test_a_default_that_does_nothing_or_faults(launch_file):
    base = launch_file("mov.u32 %r6, %r4;")
    found = Comparer(base).compare(base, {"block": 32})
    assert (found.same, found.kind) == (
        None, "the default changes no buffer: there is nothing to compare",
    )  # fmt: skip
    base = launch_file("st.global.u32 [%rd3+4096], %r4;")
    found = Comparer(base).compare(base, {"block": 32})
    assert (found.same, found.kind) == (None, "the default cannot be executed")
    assert "out of bounds" in found.reason


def test_launches_before_that_make_its_data_are_executed_too():
    scan = Launches(target("scan", n=2048)).base
    assert [len(needed_before(job)) for job in scan] == [0, 1, 2]
    lud = Launches(target("lud", n=32)).base
    assert [len(needed_before(job)) for job in lud] == [0, 1, 2, 3]
    assert needed_before(lud[3]) == lud[:3]
    trisolve = Launches(target("trisolve")).base
    assert [needed_before(job) for job in trisolve] == [()] * 5
    loaded = trisolve[4].loaded
    kept = Variable("kept", MemorySpace.GLOBAL, Type("u32", TypeKind.UNSIGNED, 32), 4, 4)
    loaded = replace(loaded, module=replace(loaded.module, variables=(kept,)))
    assert len(needed_before(replace(trisolve[4], loaded=loaded))) == 4  # variables stay, too
    add = replace(target("scan", n=2048), number=2)
    comparer = Comparer(add)
    assert comparer.compare(add, {}).same
    assert comparer.compare(add, {"block": 512}).same is False


def test_buffers_in_structs_are_data_of_launches_before_too():
    """A launch of scan takes what the one before it made; here each argument is a struct."""

    def in_structs(job):
        launch = job.required_launch()
        arguments = tuple(StructArgument((one,)) for one in launch.arguments)
        return replace(job, launch=replace(launch, arguments=arguments))

    scan = [in_structs(job) for job in Launches(target("scan", n=2048)).base]
    jobs = [replace(job, before=tuple(scan[:k])) for k, job in enumerate(scan)]
    assert [len(needed_before(job)) for job in jobs] == [0, 1, 2]


def test_sizes_are_checked_before_anything_runs():
    none = SweepSpace(())
    with pytest.raises(UsageError, match="--compare-size n: it is varied"):
        Comparer(VECADD, SMALL).prepare(VECADD, SweepSpace((Axis("n", (1, 2)),)))
    ptx = SweepTarget(
        str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx"),
        options=LaunchOptions("4", "256", args=("buffer=f32:1024",) * 3 + ("1024",)),
    )
    with pytest.raises(UsageError, match="--compare-size changes the sizes of a launch file"):
        Comparer(ptx, SMALL).prepare(ptx, none)
    with pytest.raises(WarpmillError, match="m"):
        Comparer(VECADD, {"m": 4}).prepare(VECADD, none)
