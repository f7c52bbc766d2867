"""What the estimate must obey whatever the kernel: bandwidths, peaks, latencies, Equation 8."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.session.estimates import estimate
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, LaunchOptions, RegisterSources, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace
from warpmill.simulator.assembler.costs import UnmodelledClass
from warpmill.simulator.estimate import timing
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines import load_machine

SAMPLES = Path(__file__).parents[2] / "samples"
REGISTERS = RegisterSources(registers=32)
EQ8 = EstimateOptions("eq8")


def job(tmp_path: Path, body: str, grid: int = 108, block: int = 256, params: str = "") -> Job:
    """A kernel from the body of its PTX; one f32 buffer of 4 MiB for each parameter."""
    declared = ", ".join(f".param .u64 {p}" for p in params.split())
    text = f""".version 8.0
.target sm_80
.address_size 64
.visible .entry k({declared})
{{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<99>;
.shared .align 4 .b8 tile[4096];
{body}
ret;
}}
"""
    file = tmp_path / "k.ptx"
    file.write_text(text)
    args = ["buffer=f32:1048576"] * len(params.split())
    return prepare(file, None, LaunchOptions((grid,), (block,), 0, args))


def timed(subject: Job, machine: str = "a100", **overrides: int) -> Estimate:
    settings = {key.replace("__", "."): value for key, value in overrides.items()}
    return estimate(subject, load_machine(machine, settings), registers=REGISTERS)


def busy(result: Estimate, resource: str) -> float:
    return next(u.fraction for u in result.utilization if u.resource == resource)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("machine", ["v100", "a100", "rtx2080ti", "h100_sxm", "gtx980"])
def test_a_streaming_kernel_reaches_dram_bandwidth_and_no_more(machine: str) -> None:
    result = estimate(prepare(SAMPLES / "vecadd/launch.toml"), machine)
    moved = 3 * 4 * 2**24
    rate_gbs = moved / result.execution_us / 1e3
    best = load_machine(machine).number("dram.measured_gbs")
    assert 0.9 * best < rate_gbs <= best * 1.0001
    assert "DRAM" in result.bound


def test_independent_arithmetic_reaches_the_peak_of_its_pipe(tmp_path: Path) -> None:
    fmas = "\n".join(f"fma.rn.f32 %f{i}, %f20, %f21, %f{i};" for i in range(16))
    loop = (
        f"mov.u32 %r1, 0;\nL: {fmas}\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 512;\n@%p1 bra L;"
    )
    result = timed(job(tmp_path, loop, grid=108 * 8))
    fma_cycles = 16 * 512 * 64 / 4 * load_machine("a100").number("interval.fp32")
    assert fma_cycles <= result.wave_cycles < 1.05 * fma_cycles
    assert result.bound.startswith("FMA pipe")


def test_a_dependent_chain_takes_its_latency(tmp_path: Path) -> None:
    chain = "\n".join("fma.rn.f32 %f1, %f1, %f1, %f1;" for _ in range(200))
    result = timed(job(tmp_path, chain, grid=1, block=32))
    expected = 200 * load_machine("a100").number("latency.fp32_fma")
    assert result.cycles == pytest.approx(expected, rel=0.05)
    assert "arithmetic latency" in result.bound


@pytest.mark.parametrize("store", ["st.local.f32", "cvta.local.u64 %rd1, %rd1; st.f32"])
def test_local_memory_moves_every_lane_s_own_bytes(tmp_path: Path, store: str) -> None:
    place = "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;"
    body = f".local .align 4 .b8 own[64]; mov.u64 %rd1, own; {place} {store} [%rd1+8], %f1;"
    subject = job(tmp_path, body, grid=7)
    (moved,) = timed(subject).traffic
    assert (moved.region, moved.requested_bytes) == ("local memory", 7 * 256 * 4)
    (stores,) = trace(subject).summary.accesses
    assert stores.sectors == 7 * 8 * 4


@pytest.mark.parametrize(("stride", "passes"), [(4, 1), (8, 2), (128, 32)])
def test_bank_conflicts_cost_their_passes(tmp_path: Path, stride: int, passes: int) -> None:
    load = f"mov.u32 %r1, %tid.x; mul.lo.s32 %r1, %r1, {stride}; and.b32 %r1, %r1, 4095;"
    loads = "\n".join(f"ld.shared.f32 %f{i}, [%r1];" for i in range(64))
    result = timed(job(tmp_path, f"{load}\n{loads}", grid=1, block=32))
    assert busy(result, "shared-memory bandwidth") * result.cycles == pytest.approx(64 * passes)


def test_a_pointer_chase_takes_the_latency_of_dram(tmp_path: Path) -> None:
    chase = "\n".join("ld.global.u64 %rd1, [%rd1];" for _ in range(50))
    result = timed(job(tmp_path, f"ld.param.u64 %rd1, [p];\n{chase}", 1, 1, "p"))
    assert result.cycles == pytest.approx(50 * load_machine("a100").number("dram.latency"), rel=0.1)


def test_equation_8_scales_one_round() -> None:
    one = estimate(prepare(SAMPLES / "transpose/launch.toml"), "a100", options=EQ8)
    per_sm = -(-128 * 128 // 108)
    assert one.waves == pytest.approx(per_sm / one.wave_ctas)
    assert one.cycles == pytest.approx(one.wave_cycles * one.waves)


def test_fewer_ctas_than_sms_run_in_one_round(tmp_path: Path) -> None:
    result = timed(job(tmp_path, "add.s32 %r1, %r2, %r3;", grid=5))
    assert (result.wave_ctas, result.waves) == (1, 1.0)


def test_a_launch_that_does_not_fit_is_refused_with_its_reason() -> None:
    subject = prepare(SAMPLES / "matmul/launch.toml")
    with pytest.raises(InputError, match=r"does not fit on a100.*registers") as error:
        estimate(subject, "a100", overrides={"reg.per_block": 4096}, registers=REGISTERS)
    assert error.value.diagnostics[0].file == str(SAMPLES / "matmul/launch.toml")


def test_the_papers_pipeline_waits_for_each_result(tmp_path: Path) -> None:
    """Loads that do not depend on each other: one latency, or one for each where a warp waits.

    The paper's latency of memory grows with the warps that an SM lacks (§IV-A-2).
    """
    loads = "\n".join(f"ld.global.f32 %f{i}, [%rd1+{4096 * i}];" for i in range(8))
    subject = job(tmp_path, f"ld.param.u64 %rd1, [p];\n{loads}", 1, 32, "p")
    machine = load_machine("a100")
    latency = float(machine.number("dram.latency"))
    assert timed(subject).cycles == pytest.approx(latency, rel=0.15)
    paper = estimate(subject, machine, registers=REGISTERS, options=EQ8)
    assert paper.cycles == pytest.approx(8 * latency * machine.integer("sm.max_warps"), rel=0.01)


def test_classes_without_a_cost_are_named_and_counted(tmp_path: Path) -> None:
    """Of the two warps, one each."""
    result = timed(job(tmp_path, "frobnicate.x %r1, %r2;", 1, 64))
    assert result.unmodelled == (UnmodelledClass("unknown", 2),)
    copy = "ld.param.u64 %rd1, [p]; mov.u32 %r5, tile; cp.async.ca.shared.global [%r5], [%rd1], 4;"
    assert timed(job(tmp_path, copy, 1, 64, "p")).unmodelled == ()


def test_matrix_products_take_tensor_cores_by_their_work(tmp_path: Path) -> None:
    d, a = "{%f1,%f2,%f3,%f4}", "{%r1,%r2,%r3,%r4}"
    half = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {{%r5,%r6}}, {d};"
    wide = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {d}, {a}, {{%r5,%r6}}, {d};"
    small = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d}, {{%r1,%r2}}, {{%r5}}, {d};"
    busy_cycles = []
    for text in (half, wide, small):
        result = timed(job(tmp_path, text.format(d=d, a=a) * 20, grid=1, block=128))
        assert result.unmodelled == ()
        busy_cycles.append(busy(result, "Tensor pipe") * result.cycles)
    assert busy_cycles == pytest.approx([busy_cycles[0], busy_cycles[0], busy_cycles[0] / 2])


def test_lanes_at_unknown_addresses_are_taken_apart_and_said_so(tmp_path: Path) -> None:
    gather = """ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1];
and.b32 %r1, %r1, 1020; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
ld.global.f32 %f1, [%rd2];
mov.u32 %r2, tile; add.s32 %r2, %r2, %r1; ld.shared.u32 %r3, [%r2];"""
    result = timed(job(tmp_path, gather, grid=1, block=32, params="p"))
    assert result.traffic[0].requested_bytes == 32 + 32 * 32
    assert busy(result, "shared-memory bandwidth") * result.cycles == pytest.approx(1)
    off_chip, shared = result.assumptions
    assert "data decide the addresses of ld.global.f32; a place as good as random" in off_chip
    assert "data decide the addresses of ld.shared.u32; consecutive words" in shared


def test_long_loops_are_continued_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = prepare(SAMPLES / "matmul/launch.toml")
    monkeypatch.setattr(timing, "MOST_OPERATIONS", 10**9)
    whole = estimate(subject, "a100", registers=REGISTERS)
    monkeypatch.setattr(timing, "MOST_OPERATIONS", 60_000)
    short = estimate(subject, "a100", registers=REGISTERS)
    assert short.extrapolated
    assert not whole.extrapolated
    assert short.cycles == pytest.approx(whole.cycles, rel=0.05)


def test_assumed_values_are_listed_until_they_are_set() -> None:
    subject = prepare(SAMPLES / "vecadd/launch.toml")
    before = {
        one.key: one for one in estimate(subject, "h100_sxm", registers=REGISTERS).assumed_values
    }
    assert "dram.latency" in before or "latency.barrier" in before
    key = sorted(before)[0]
    value = load_machine("h100_sxm").number(key)
    after = estimate(subject, "h100_sxm", overrides={key: value}, registers=REGISTERS)
    assert key not in {one.key for one in after.assumed_values}


def test_more_bandwidth_is_faster_where_bandwidth_bounds() -> None:
    subject = prepare(SAMPLES / "vecadd/launch.toml")
    slow = estimate(subject, "rtx2080ti", registers=REGISTERS)
    twice = {"dram.measured_gbs": 1200.0}
    fast = estimate(subject, "rtx2080ti", overrides=twice, registers=REGISTERS)
    assert fast.cycles < 0.65 * slow.cycles


def test_two_runs_give_equal_results() -> None:
    results = [estimate(prepare(SAMPLES / "stencil5/launch.toml"), "t4") for _ in range(2)]
    assert results[0] == results[1]


def test_traces_are_executed_where_data_decide() -> None:
    subject = prepare(SAMPLES / "spmv/launch.toml")
    taken = estimate(subject, "a100")
    executed = estimate(subject, "a100", trace_options=TraceOptions("executed"))
    assert (taken.trace, taken.cycles) == ("executed", executed.cycles)
    assert not taken.assumptions
    assert estimate(subject, "a100", trace_options=TraceOptions("static")).assumptions
    regular = estimate(prepare(SAMPLES / "reduce/launch.toml"), "a100")
    assert (regular.trace, regular.trace_reason) == ("static", "no data decide what executes")


def test_static_and_executed_traces_take_the_same_time_where_no_data_decide() -> None:
    subject = prepare(SAMPLES / "transpose/launch.toml")
    static, executed = (
        estimate(subject, "a100", trace_options=TraceOptions(kind))
        for kind in ("static", "executed")
    )
    # static traces of a wave are cut short, executed ones have fewer CTAs of it
    assert static.cycles == pytest.approx(executed.cycles, rel=0.02)
    assert static.wave_instructions == executed.wave_instructions


def test_data_dependent_loops_take_what_the_user_assumes() -> None:
    subject = prepare(SAMPLES / "spmv/launch.bc.toml")
    loop = subject.kernel.blocks[subject.analysis.bounds[0].header].label
    few, many = (
        estimate(subject, "a100", trace_options=TraceOptions(assume={loop: trips}))
        for trips in (4, 40)
    )
    assert many.cycles > 2 * few.cycles  # that of few is of DRAM rows, the same of both
    assert any("40 iterations" in text for text in many.assumptions)


def test_nothing_is_assumed_of_a_loop_that_is_known() -> None:
    subject = prepare(SAMPLES / "reduce/launch.toml")
    loop = subject.kernel.blocks[subject.analysis.bounds[0].header].label
    with pytest.raises(UsageError, match="data do not decide"):
        estimate(subject, "a100", trace_options=TraceOptions(assume={loop: 3}))


def test_hits_in_l1_wait_as_much_longer_with_equation_8(tmp_path: Path) -> None:
    """One warp, where an SM has 64: eight words of a sector, of which seven hit."""
    words = (f"ld.global.f32 %f{k}, [%rd1+{4 * k}]; " for k in range(8))
    loads = "ld.param.u64 %rd1, [p]; " + "".join(words)
    machine = load_machine("a100")
    hit, dram = (float(machine.number(key)) for key in ("l1.latency", "dram.latency"))
    made = job(tmp_path, loads, 1, 32, "p")
    one = estimate(made, machine, registers=REGISTERS, options=EQ8)
    assert one.cycles > 64 * (7 * hit + dram)
