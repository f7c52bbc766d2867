"""What the time goes to makes the whole, and rooflines are those of the formulas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.timing.estimated_kernels import fmas, job, streamed
from tests.timing.test_estimate_by_hand import ADD, timed
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, RegisterSources
from warpmill.simulator.assembler.costs import (
    Mode,
    cost_table,
    cta_start_cycles,
    launch_overhead,
    near_empty_us,
)
from warpmill.simulator.estimate.pipeline import PIPE, REASONS, Sums
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machine_limits import KINDS, flops_by_block, roofline, shares
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

MODES: tuple[Mode, ...] = ("kernel", "event", "back-to-back", "graph")


def estimated(subject: Job, machine: str = "v100", **options: object) -> Estimate:
    asked = EstimateOptions(**options)  # type: ignore[arg-type]
    made = Estimator(subject, registers=RegisterSources(32), options=asked)
    return made.on(load_machine(machine))


def summed(issue_busy: float, waits: np.ndarray, pipe_waits: np.ndarray) -> Sums:
    """Sums of a run with these figures."""
    _, sums = timed([[ADD]])
    return sums._replace(issue_busy=issue_busy, waits=waits, pipe_waits=pipe_waits)


# What the time goes to.


def test_each_cause_has_its_part_of_what_is_left_beside_launching() -> None:
    """8 cycles of issuing, 6 of one pipe, 26 of waiting: of 3/4 of the time."""
    pipes, waits = np.zeros(len(cost_table().pipes)), np.zeros(len(REASONS))
    pipes[1], waits[PIPE], waits[REASONS.index("barrier")] = 6.0, 6.0, 26.0
    found = shares(summed(8.0, waits, pipes), 0.25)
    parts = {s.cause: s.fraction for s in found if s.fraction}
    assert parts == pytest.approx(
        {
            "issue slots": 0.75 * 8 / 40,
            "FMA pipe": 0.75 * 6 / 40,
            "Stall Barrier": 0.75 * 26 / 40,
            "launch overhead": 0.25,
        }
    )


def test_waiting_for_a_slot_is_issuing() -> None:
    waits = np.zeros(len(REASONS))
    waits[REASONS.index("not_selected")] = 3.0
    found = shares(summed(1.0, waits, np.zeros(len(cost_table().pipes))), 0.0)
    assert [(s.cause, s.fraction) for s in found if s.fraction] == [("issue slots", 1.0)]


def test_nothing_at_all_is_launching() -> None:
    nothing = summed(0.0, np.zeros(len(REASONS)), np.zeros(len(cost_table().pipes)))
    assert [(s.cause, s.fraction) for s in shares(nothing, 1.0) if s.fraction] == [
        ("launch overhead", 1.0)
    ]


BODIES = {
    "arithmetic": (fmas(4, 40), ""),
    "a stream": (streamed(), "p q"),
    "barriers": ("st.shared.f32 [tile], %f1; bar.sync 0; ld.shared.f32 %f2, [tile];", ""),
    "atomics": ("ld.param.u64 %rd1, [p]; atom.global.add.u32 %r1, [%rd1], 1;", "p"),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("mode", ["waves", "eq8"])
def test_all_causes_make_the_whole(tmp_path: Path, body: tuple[str, str], mode: str) -> None:
    text, params = body
    found = estimated(job(tmp_path, text, 200, 256, params), mode=mode)
    assert sum(s.fraction for s in found.shares) == pytest.approx(1.0)
    assert len({s.cause for s in found.shares}) == len(found.shares)
    assert sum(t.fraction for t in found.instruction_times) == pytest.approx(1.0)
    assert sum(w.fraction for w in found.stalls) == pytest.approx(1.0)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("mode", ["waves", "eq8"])
def test_no_cause_has_less_than_nothing(tmp_path: Path, body: str, mode: str) -> None:
    text, params = BODIES[body]
    found = estimated(job(tmp_path, text, 200, 256, params), "quadro_k620", mode=mode)
    assert min(s.fraction for s in found.shares) >= 0


def start_us(machine: Machine) -> float:
    return cta_start_cycles(machine) / float(machine.number("clock.sm_mhz"))


def test_a_near_empty_kernel_takes_what_was_measured(tmp_path: Path) -> None:
    """It starts, loads a value and stores it: the execution has all of it but the start."""
    body = """ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd1, %rd1, %rd2; ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd1], %f1;"""
    machine = load_machine("a100")
    found = Estimator(job(tmp_path, body, 1, 32, "p"), options=EstimateOptions(l2="warm"))
    one = found.on(machine)
    assert one.time_us == pytest.approx(float(machine.number("launch.kernel_us")), rel=0.05)
    assert start_us(machine) > 0.2
    assert one.execution_us + start_us(machine) == pytest.approx(near_empty_us(machine), rel=0.15)


@pytest.mark.parametrize("launched", MODES)
def test_launching_has_what_the_execution_leaves(tmp_path: Path, launched: Mode) -> None:
    found = estimated(job(tmp_path, fmas(1, 400), 160), timed=launched)
    machine = load_machine("v100")
    begun = found.execution_us + start_us(machine)
    whole = launch_overhead(machine, 160, launched).total_us(begun)
    assert found.time_us == pytest.approx(whole)
    assert found.launch_us > 0
    share = {s.cause: s.fraction for s in found.shares}["launch overhead"]
    assert share == pytest.approx(found.launch_us / whole)


def test_what_no_warp_waits_for_is_waited_for_after_all_of_them(tmp_path: Path) -> None:
    """Additions to one word of L2 give no warp anything, and take most of the time."""
    body = "ld.param.u64 %rd1, [p]; mov.u32 %r1, 1; red.global.add.u32 [%rd1], %r1;"
    made = Estimator(job(tmp_path, body, 400, 256, "p"), registers=RegisterSources(32))
    found = made.on(load_machine("a100"))
    assert found.bound.startswith("L2 atomic units")
    longest = max(found.shares, key=lambda s: s.fraction)
    assert (longest.cause, longest.fraction > 0.5) == ("L2 atomic units", True)
    most = max(found.instruction_times, key=lambda t: t.fraction)
    place = made.job.kernel.blocks[most.block].instructions[most.instruction]
    assert place.operation.name == "red"
    assert sum(t.fraction for t in found.instruction_times) == pytest.approx(1.0)


# The roofline.


@pytest.mark.parametrize(
    ("text", "kind", "each"),
    [
        ("fma.rn.f32 %f1, %f2, %f3, %f4;", "f32", 2),
        ("add.f32 %f1, %f2, %f3;", "f32", 1),
        ("sqrt.rn.f32 %f1, %f2;", "f32", 1),
        ("fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", "f64", 2),
        ("mul.f64 %fd1, %fd2, %fd3;", "f64", 1),
        ("fma.rn.f16x2 %r1, %r2, %r3, %r4;", "f16", 4),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
         "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};",
         "tensor16_f32acc", 2 * 16 * 8 * 16 / 32),
        ("add.s32 %r1, %r2, %r3;", "f32", 0),
        ("setp.lt.f32 %p1, %f1, %f2;", "f32", 0),
        ("mov.f32 %f1, %f2;", "f32", 0),
    ],
)  # fmt: skip
def test_operations_of_a_thread_are_counted(
    tmp_path: Path, text: str, kind: str, each: float
) -> None:
    kernel = job(tmp_path, text * 3, 1, 32).kernel
    found = flops_by_block(kernel, 32).sum(axis=0)
    assert dict(zip(KINDS, found.tolist(), strict=True)) == {
        name: 3 * each if name == kind else 0.0 for name in KINDS
    }


def test_a_roof_is_the_peak_or_what_dram_feeds() -> None:
    """v100: 2 · 64 lanes · 80 SMs · 1.53 GHz are 15,667 GFLOP/s; 897 GB/s feed 897 a FLOP/B."""
    machine = load_machine("v100")
    flops = np.array([0.0, 1e9] + [0.0] * (len(KINDS) - 2))
    dense = roofline(flops, 1e6, 100.0, machine)
    assert (dense.kind, dense.flops, dense.flops_per_dram_byte) == ("f32", 1e9, 1000)
    assert dense.achieved_gflops == pytest.approx(1e4)
    assert dense.peak_gflops == dense.roof_gflops == pytest.approx(2 * 64 * 80 * 1.53)
    thin = roofline(flops, 1e9, 2000.0, machine)
    assert thin.roof_gflops == pytest.approx(897)
    assert thin.achieved_gflops == pytest.approx(500)
    none = roofline(flops, 0.0, 100.0, machine)
    assert (none.flops_per_dram_byte, none.roof_gflops) == (None, none.peak_gflops)


def test_without_operations_there_is_neither_kind_nor_roof() -> None:
    found = roofline(np.zeros(len(KINDS)), 1e6, 100.0, load_machine("v100"))
    assert (found.kind, found.peak_gflops, found.roof_gflops) == (None, None, None)
    assert (found.flops, found.achieved_gflops) == (0.0, 0.0)


def test_the_kind_that_takes_longest_counts() -> None:
    """Half as many lanes for f64 on a v100: a little more than half of the operations is more."""
    machine = load_machine("v100")
    for double, kind in ((0.45e9, "f32"), (0.55e9, "f64")):
        found = roofline(np.array([0.0, 1e9, double] + [0.0] * (len(KINDS) - 3)), 1.0, 1.0, machine)
        assert found.kind == kind


def test_operations_are_those_of_threads_that_take_part(tmp_path: Path) -> None:
    """A fused multiply-add, 3 times, of the 5 threads of each CTA; 40 CTAs of 64 threads."""
    body = """mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 5; @%p1 bra OUT;
fma.rn.f32 %f1, %f2, %f3, %f1; fma.rn.f32 %f1, %f2, %f3, %f1; fma.rn.f32 %f1, %f2, %f3, %f1;
OUT:"""
    found = estimated(job(tmp_path, body, 40, 64))
    assert found.roofline.flops == pytest.approx(40 * 5 * 3 * 2)
