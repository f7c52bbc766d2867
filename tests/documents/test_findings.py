"""Findings: each saving is held beside the estimate of the same kernel with that thing mended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpmill.analyzer.base.metric import Mark
from warpmill.session.engine_evidence import evidence_of_profile, evidence_of_simulation
from warpmill.session.estimates import Estimator, explain
from warpmill.session.evidence import (
    Evidence,
    evidence_of_estimate,
)
from warpmill.session.findings import Finding, answer_sentences, findings
from warpmill.session.options import LaunchOptions, RegisterSources
from warpmill.session.prepare import prepare, prepare_all
from warpmill.session.profiles import profile
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulated
from warpmill.session.what_if import WhatIf
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import LAUNCH, SERVERS

A100 = load_machine("a100")

HEAD = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<16>; .reg .f32 %f<40>; .reg .b64 %rd<8>; .reg .pred %p<4>; .reg .f64 %d<4>;
  .shared .align 16 .b8 tile[16384];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mov.f32 %f1, 0f3F800000; mov.f32 %f3, 0f3F800000; mov.f64 %d1, 0d3FF0000000000000;
  mov.u32 %r5, 0;
"""
TAIL = """
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, {times};
  @%p1 bra LOOP;
  st.global.f32 [%rd3], %f1;
  ret;
}}
"""


def of_shared(stride):
    """A loop of shared-memory loads, so many bytes from lane to lane; the load is in line 17."""
    return (
        HEAD
        + f"""  mul.lo.u32 %r6, %r1, {stride}; and.b32 %r6, %r6, 16383;
  mov.u32 %r7, tile; add.u32 %r7, %r7, %r6;
  mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
LOOP:
  ld.shared.f32 %f2, [%r7];
  add.f32 %f1, %f1, %f2;"""
        + TAIL.format(times=64)
    )


def of_global(work="add.f32 %f1, %f1, %f2;", *, stride=4, step=1 << 22, times=8):
    """A loop of global loads, so many bytes from lane to lane, and work with each."""
    return (
        HEAD
        + f"""  mul.wide.u32 %rd2, %r4, {stride}; add.u64 %rd3, %rd1, %rd2;
LOOP:
  ld.global.f32 %f2, [%rd3];
  {work}
  add.u64 %rd3, %rd3, {step};"""
        + TAIL.format(times=times)
    )


FUSED = " ".join("fma.rn.f32 %f1, %f1, %f3, %f2;" for _ in range(16))
NON_FUSED = " ".join(
    f"mul.rn.f32 %f{8 + k}, %f2, %f3; add.rn.f32 %f1, %f1, %f{8 + k};" for k in range(16)
)
FP64 = " ".join("fma.rn.f64 %d1, %d1, %d1, %d1;" for _ in range(16))
TWO_LOADS = "ld.global.f32 %f4, [%rd3+1048576]; add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f4;"


@pytest.fixture
def made(tmp_path):
    """Prepares a kernel."""

    def make(text, grid=1728, block=256):
        path = tmp_path / f"k{abs(hash(text))}.ptx"
        path.write_text(text)
        options = LaunchOptions(
            grid=(grid, 1, 1), block=(block, 1, 1), args=(f"buffer=f32:{1 << 26}",)
        )
        return prepare(path, None, options)

    return make


def evidence(job, registers=32) -> Evidence:
    estimator = Estimator(job, registers=RegisterSources(registers=registers))
    return evidence_of_estimate(estimator, A100, estimator.on(A100))


def found(evidence: Evidence, rule: str) -> Finding:
    return next(one for one in findings(evidence) if one.rule == rule)


def saved(before: Evidence, after: Evidence) -> float:
    return 1.0 - after.time_us / before.time_us


@pytest.mark.parametrize(("stride", "ways"), [(16, 4), (64, 16)])
def test_bank_conflicts_save_what_the_kernel_without_them_takes_less(made, stride, ways):
    bad, good = evidence(made(of_shared(stride))), evidence(made(of_shared(4)))
    one = found(bad, "Shared memory bank conflicts")
    assert one.figure == f"{ways}-way"
    assert one.ideal == "1"
    assert one.place.line == 17
    assert one.mark is Mark.MODELLED
    assert one.speedup_fraction == pytest.approx(saved(bad, good), abs=0.06)
    assert one == findings(bad)[0]
    assert not [f for f in findings(good) if f.rule == one.rule]


@pytest.mark.parametrize("stride", [8, 32, 128])
def test_uncoalesced_accesses_save_what_coalesced_ones_take_less(made, stride):
    bad, good = evidence(made(of_global(stride=stride))), evidence(made(of_global()))
    one = found(bad, "Uncoalesced global accesses")
    assert one.figure == f"{min(32, stride)} sectors a request"
    assert one.ideal == "4"
    assert one.speedup_fraction == pytest.approx(saved(bad, good), abs=0.05)


def test_a_transpose_through_a_tile_takes_as_much_less_as_the_naive_one_is_told():
    naive, tiled = (evidence(job, None) for job in prepare_all("transpose:small")[:2])
    one = found(naive, "Uncoalesced global accesses")
    assert one.figure == "15.6 sectors a request"
    assert one.place.line == 12
    assert "`to`" in one.text
    assert one.speedup_fraction == pytest.approx(saved(naive, tiled), abs=0.05)


@pytest.mark.parametrize(("registers", "part", "waves"), [(64, "50%", 8), (128, "25%", 0.5)])
def test_occupancy_saves_what_fewer_registers_do(made, registers, part, waves):
    grid = int(108 * 8 * waves)  # half a wave has CTAs for half of the slots
    job = made(of_global(FUSED, step=grid * 1024), grid)
    bad, good = evidence(job, registers), evidence(job, 32)
    one = found(bad, "Theoretical occupancy")
    assert one.figure == part
    assert one.speedup_fraction == pytest.approx(saved(bad, good), abs=0.05)


@pytest.mark.parametrize(
    ("rule", "bad", "good"),
    [
        ("FP64 arithmetic", of_global(FP64), of_global(FUSED)),
        ("FP32 non-fused instructions", of_global(NON_FUSED), of_global(FUSED)),
    ],
)
def test_instructions_save_what_cheaper_ones_take_less(made, rule, bad, good):
    slow, fast = (evidence(made(text, grid=108 * 64)) for text in (bad, good))
    assert found(slow, rule).speedup_fraction == pytest.approx(saved(slow, fast), abs=0.1)


def of_atomics(shift, guard=""):
    """A loop of atomics, 2 ** shift neighbouring lanes at one word."""
    return (
        HEAD
        + f"""  shr.u32 %r6, %r4, {shift}; mul.wide.u32 %rd2, %r6, 32; add.u64 %rd3, %rd1, %rd2;
  and.b32 %r7, %r1, {(1 << shift) - 1}; setp.eq.u32 %p2, %r7, 0;
LOOP:
  {guard} atom.global.add.u32 %r8, [%rd3], %r4;
  add.u64 %rd3, %rd3, 4194304;"""
        + TAIL.format(times=4)
    )


@pytest.mark.parametrize("shift", [5, 3])
def test_atomics_of_a_warp_save_what_one_lane_takes_less(made, shift):
    slow, fast = (evidence(made(of_atomics(shift, guard))) for guard in ("", "@%p2"))
    one = found(slow, "Atomic contention")
    assert one.figure == f"{1 << shift} lanes a sector"
    assert one.speedup_fraction == pytest.approx(saved(slow, fast), abs=0.05)
    assert not [f for f in findings(fast) if f.rule == one.rule]


def test_dram_traffic_has_an_ideal_of_once_read_and_once_written(made):
    e = evidence(made(of_global(step=0, times=1)))
    (region,) = (one for one in e.traffic if one.footprint_bytes)
    whole = {SERVERS["dram"]: 1.0}
    for times, saving in ((4, 0.5), (2, None)):  # it is loaded and stored
        traffic = (replace(region, dram_bytes=times * region.footprint_bytes),)
        told = findings(replace(e, traffic=traffic, shares=whole, busy=whole))
        own = [f for f in told if f.rule == "DRAM traffic beyond the footprint"]
        assert [f.speedup_fraction for f in own] == ([] if saving is None else [saving])


def test_twice_as_many_loads_in_flight_save_what_is_told(made):
    slow = evidence(made(of_global(times=32, step=1 << 20), 108))
    fast = evidence(made(of_global(TWO_LOADS, times=16, step=1 << 21), 108))
    one = found(slow, "Long scoreboard stalls")
    assert one.place.line == 15
    assert one.speedup_fraction == pytest.approx(saved(slow, fast), abs=0.05)


def test_loads_that_nothing_reads_are_waited_for_where_they_stand(made):
    e = of_simulation(made(of_global(FP64, times=32, step=1 << 20), 108))
    assert found(e, "Long scoreboard stalls").place.line == 15


def test_a_small_grid_saves_what_more_threads_with_less_to_do_take_less(made):
    slow = evidence(made(of_global(FUSED, times=64, step=27 * 4096), 27, 1024))
    fast = evidence(made(of_global(FUSED, times=16, step=108 * 4096), 108, 1024))
    one = found(slow, "Small grid")
    assert one.place is None
    assert one.text.startswith("27 CTAs leave 81 of 108 SMs idle")
    assert one.speedup_fraction == pytest.approx(saved(slow, fast), abs=0.05)


def test_a_tail_saves_what_ctas_of_whole_waves_take_less(made):
    def takes(ctas):
        return evidence(made(of_global(FUSED, times=64, step=1 << 19), ctas))

    one, two, more = takes(864), takes(1728), takes(972)
    ideal = one.time_us + (two.time_us - one.time_us) * (972 - 864) / 864
    tail = found(more, "Tail effect")
    assert tail.figure == "1.12 waves"
    assert tail.speedup_fraction == pytest.approx(1.0 - ideal / more.time_us, abs=0.05)


def test_half_empty_warps_save_what_full_ones_take_less(made):
    half = evidence(made(of_global(FUSED), 108 * 128, 16))
    whole = evidence(made(of_global(FUSED), 108 * 64, 32))
    one = found(half, "Block size")
    assert one.figure == "16 threads"
    assert one.speedup_fraction == pytest.approx(saved(half, whole), abs=0.05)


def test_tiny_ctas_save_what_half_as_many_of_twice_the_size_take_less(made):
    tiny = evidence(made(of_global(times=1), 108 * 640, 32))
    larger = evidence(made(of_global(times=1), 108 * 320, 64))
    one = found(tiny, "CTA launch rate")
    assert one.speedup_fraction == pytest.approx(saved(tiny, larger), abs=0.05)


def test_no_saving_goes_beyond_the_next_resource(made):
    whole = evidence(made(of_shared(64)))
    shared, dram = SERVERS["shared"], SERVERS["dram"]
    left = 1.0 - whole.shares[LAUNCH]
    busy = replace(whole, busy={shared: 1.0, dram: 0.8}, shares={shared: left, LAUNCH: 1 - left})
    assert found(busy, "Shared memory bank conflicts").speedup_fraction == pytest.approx(0.2 * left)
    half = replace(busy, shares={shared: 0.1, LAUNCH: 1 - left, dram: left - 0.1})
    part = 1.0 - 1.0 / 16
    one = found(half, "Shared memory bank conflicts")
    assert one.speedup_fraction == pytest.approx(0.1 * part, rel=0.01)


def test_the_answer_says_how_long_how_near_and_what_first(made):
    e = evidence(made(of_shared(16)))
    how_long, how_near, first = answer_sentences(e, findings(e))
    assert how_long.startswith(f"{e.time_us:.4g} µs on NVIDIA A100")
    assert "bound by shared-memory bandwidth (" in how_long
    assert "roofline" in how_near
    assert ":17 has 4-way shared-memory bank conflicts (ideal 1;" in first
    assert first.startswith("Try first: ")
    assert first.endswith("of the time.")


def test_nothing_stands_out_at_the_roof():
    e = evidence(prepare("samples/vecadd/launch.toml"), None)
    *_, last = answer_sentences(e, findings(e))
    assert last.startswith("No single change stands out")


def test_the_best_change_of_the_machine_is_named_unless_it_is_noise():
    changes = [
        WhatIf("DRAM bandwidth", 2.0, (), 1.0, 1.0, 0.62, noise=0.01),
        WhatIf("L2 latency", 0.5, (), 1.0, 1.0, 0.9, noise=0.01),
        WhatIf("clock", 0.5, (), 1.0, 1.0, 1.7, noise=0.01),
    ]
    e = evidence(prepare("samples/vecadd/launch.toml"), None)
    *_, last = answer_sentences(e, (), changes)
    assert last.endswith("; a machine with twice the DRAM bandwidth would take 0.62 of the time.")
    *_, last = answer_sentences(e, (), [replace(changes[0], ratio=0.995)])
    assert "machine" not in last


def of_simulation(job) -> Evidence:
    return evidence_of_simulation(simulated(plan(job, A100)))


def test_a_profile_and_a_simulation_find_the_same_line_in_the_same_words(made):
    job, rule = made(of_shared(64), grid=108), "Shared memory bank conflicts"
    by_profile = evidence_of_profile(job, profile(job).launches[0].profile)
    exact, simulated_one = found(by_profile, rule), found(of_simulation(job), rule)
    estimated = found(evidence(job), rule)
    assert {f.place for f in (exact, simulated_one)} == {estimated.place}
    assert {f.figure for f in (exact, simulated_one)} == {estimated.figure}
    assert estimated.text.startswith(exact.text.removesuffix("."))
    assert exact.speedup_fraction is None
    assert exact.mark is Mark.EXACT
    assert answer_sentences(by_profile, [exact])[-1] == f"Look first at this: {exact.text}"


@pytest.mark.parametrize("stride", [16, 64])
def test_simulated_conflicts_save_what_a_simulation_without_them_takes_less(made, stride):
    slow, fast = (of_simulation(made(of_shared(each), grid=108)) for each in (stride, 4))
    one = found(slow, "Shared memory bank conflicts")
    assert one.speedup_fraction == pytest.approx(saved(slow, fast), abs=0.1)
    assert slow.roofline.flops == evidence(made(of_shared(stride), grid=108)).roofline.flops


@pytest.mark.parametrize(("stride", "excess"), [(8, "50%"), (32, "88%")])
def test_simulated_strides_save_loads_from_dram(made, stride, excess):
    """Stores stay in L2: what goes to DRAM are loads, and what is too much of them is theirs."""
    slow, fast = (of_simulation(made(of_global(stride=each), grid=432)) for each in (stride, 4))
    one = found(slow, "Uncoalesced global accesses")
    assert one.basis.startswith(f"{excess} of DRAM bandwidth (")
    assert 0.1 < one.speedup_fraction <= saved(slow, fast)
    assert slow.bound.startswith("DRAM bandwidth (")


def test_an_explanation_has_the_same_evidence_as_its_estimate(made):
    estimator = Estimator(made(of_shared(16)), registers=RegisterSources(registers=32))
    found = explain(estimator, A100)
    explained = evidence_of_estimate(estimator, A100, found.estimate, found.counts)
    assert explained == evidence(estimator.job)


@pytest.mark.slow
def test_every_sample_has_an_answer():
    for name in ("bitonic", "lud", "nw", "reduce", "scan", "spmv", "stencil5"):
        for job in prepare_all(f"samples/{name}/launch.toml"):
            e = evidence(job, None)
            made = findings(e)
            assert len(answer_sentences(e, made)) == 3
            for one in made:
                assert 0.0 <= (one.speedup_fraction or 0.0) <= 1.0
                assert one.text.endswith(".")
