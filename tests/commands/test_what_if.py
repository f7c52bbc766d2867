"""What changing one thing of a machine would bring: derived by hand where it bounds a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.timing.estimated_kernels import fmas, job, streamed
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.session import what_if as machine_changes
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, RegisterSources
from warpmill.session.what_if import WhatIf, changed, changes, factors, what_if
from warpmill.simulator.assembler.costs import cta_start_cycles, near_empty_keys, near_empty_us
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines import load_machine, new_machine_text
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.cache import l1_spec
from warpmill.simulator.occupancy import l1_bytes_beside, occupancy

KINDS = (
    "v100", "t4", "a40", "p100", "gtx480", "quadro_fx5800", "mi100", "minibench_8sm",
    "qv100_accelsim",
)  # fmt: skip
"""Machines of one array of L1 and shared memory and of two, of few sizes, without L1 or L2."""


def estimator(subject: Job, registers: int = 32, **options: Any) -> Estimator:
    asked = EstimateOptions(**options)
    return Estimator(subject, registers=RegisterSources(registers), options=asked)


def ratios(made: Estimator, machine: str | Machine = "a100") -> dict[tuple[str, float], float]:
    chosen = load_machine(machine) if isinstance(machine, str) else machine
    return {(w.name, w.factor): w.ratio for w in what_if(made, chosen) if w.ratio is not None}


def change(name: str) -> machine_changes.MachineChange:
    return next(c for c in changes() if c.name == name)


def turned(machine: Machine, name: str, factor: float, shared: int = 0) -> Machine:
    return changed(machine, change(name).make(machine, factor, shared))


def execution_ratio(made: Estimator, machine: Machine, name: str, factor: float) -> float:
    before, after = made.on(machine), made.on(turned(machine, name, factor))
    return after.time_us / before.time_us


# What bounds a kernel decides, and nothing else does.


def test_a_stream_takes_the_time_of_dram(tmp_path: Path) -> None:
    found = ratios(estimator(job(tmp_path, streamed(), 1 << 16, 256, "p q", 1 << 24)), "v100")
    assert found["DRAM bandwidth", 0.5] == pytest.approx(2.0, abs=0.03)
    assert 0.5 <= found["DRAM bandwidth", 2.0] < 0.7  # then L2 bounds it
    for name in ("SMs", "FMA pipe", "L1 size", "arithmetic latency"):
        assert found[name, 2.0] == pytest.approx(1.0, abs=0.01)


def test_a_chain_takes_the_latency_of_its_operations(tmp_path: Path) -> None:
    machine = load_machine("a100")
    alone = estimator(job(tmp_path, fmas(1, 4000), 1, 32))
    assert execution_ratio(alone, machine, "arithmetic latency", 2.0) > 1.6
    assert execution_ratio(alone, machine, "FMA pipe", 2.0) == pytest.approx(1.0, abs=0.01)
    assert execution_ratio(alone, machine, "SMs", 0.5) == pytest.approx(1.0)


def test_warps_that_fill_a_pipe_take_the_time_of_its_lanes(tmp_path: Path) -> None:
    full = estimator(job(tmp_path, fmas(16, 400), 108 * 8, 256))
    machine = load_machine("a100")
    # the loop's other operations take a slot when the pipe is free now and then
    assert execution_ratio(full, machine, "FMA pipe", 0.5) == pytest.approx(2.0, rel=0.05)
    assert execution_ratio(full, machine, "SMs", 0.5) == pytest.approx(2.0, rel=0.02)
    assert execution_ratio(full, machine, "SM and L2 clock", 2.0) == pytest.approx(0.5, 0.02)
    # twice the lanes: an issue slot a cycle is left, where a warp held the pipe for two
    assert execution_ratio(full, machine, "FMA pipe", 2.0) == pytest.approx(0.5, rel=0.15)


def test_a_pointer_chase_takes_the_way_to_dram(tmp_path: Path) -> None:
    chase = "\n".join("ld.global.u64 %rd1, [%rd1];" for _ in range(200))
    alone = estimator(job(tmp_path, f"ld.param.u64 %rd1, [p];\n{chase}", 1, 1, "p"))
    machine = load_machine("a100")
    near, far = machine.number("l2.latency"), machine.number("dram.latency")
    further = near + 2 * (far - near)
    assert execution_ratio(alone, machine, "DRAM latency", 2.0) == pytest.approx(
        further / far, 0.01
    )
    longer = (far + near) / far
    assert execution_ratio(alone, machine, "L2 latency", 2.0) == pytest.approx(longer, 0.01)
    # at twice the clock, L2 takes half the time and the way beyond it what it took
    faster = (near / 2 + far - near) / far
    clocked = execution_ratio(alone, machine, "SM and L2 clock", 2.0)
    assert clocked == pytest.approx(faster, rel=0.01)


def start_us(machine: Machine) -> float:
    return cta_start_cycles(machine) / float(machine.number("clock.sm_mhz"))


def test_what_launching_adds_stays_as_it_is(tmp_path: Path) -> None:
    """But for the start of the first CTA, which takes the SM so many cycles."""
    tiny = estimator(job(tmp_path, fmas(1, 400), 1, 32))
    machine = load_machine("a100")
    base = tiny.on(machine)
    for name in ("SM and L2 clock", "L2 latency"):
        for factor in factors():
            other = turned(machine, name, factor)
            added = tiny.on(other).launch_us - start_us(other)
            assert added == pytest.approx(base.launch_us - start_us(machine), rel=1e-6)


def test_near_empty_kernels_hold_what_the_estimate_says_they_do() -> None:
    machine = load_machine("v100")
    slow = turned(machine, "SM and L2 clock", 0.5)
    assert len(near_empty_keys()) == 4
    for key, memory in near_empty_keys().items():
        alone = [m.number(key) - near_empty_us(m, memory) for m in (machine, slow)]
        assert alone[0] == pytest.approx(alone[1])


# How machines are changed.


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", KINDS)
def test_every_change_of_a_machine_can_be_made(name: str) -> None:
    machine = load_machine(name)
    for one in changes():
        for factor in factors():
            for shared in (0, machine.integer("shared.per_sm_bytes")):
                settings = one.make(machine, factor, shared)
                found = changed(machine, settings)
                assert all(found[key].value == value for key, value in settings.items())


def test_every_pipe_has_lanes_or_intervals_to_change() -> None:
    machine = load_machine("a100")
    for one in changes():
        if one.busy.endswith(" pipe"):
            settings = one.make(machine, 2.0, 0)
            before = {key: machine.number(key) for key in settings}
            assert settings
            for key, value in settings.items():
                assert value == before[key] * (2 if key.startswith("lanes.") else 0.5)
    fma, alu = (change(name).make(machine, 2.0, 0) for name in ("FMA pipe", "ALU pipe"))
    assert {"lanes.fp32", "interval.fp32", "lanes.fp16", "lanes.int_mul"} <= set(fma)
    assert {"lanes.compare", "lanes.int_add", "lanes.int_logic"} <= set(alu)


def test_what_follows_from_a_value_follows() -> None:
    machine = load_machine("v100")
    assert turned(machine, "FMA pipe", 2.0).number("interval.fp32") == 1.0  # 32 * 4 / 128
    assert turned(machine, "warp and CTA slots", 0.5).integer("sm.max_warps") == 32
    assert turned(machine, "DRAM bandwidth", 2.0).number("dram.bandwidth_gbs") == 1800
    # 900 GB/s are 897 measured: twice as much stays as near to what was announced
    assert turned(machine, "DRAM bandwidth", 2.0).number("dram.measured_gbs") == 2 * 897


@pytest.mark.parametrize("name", ["v100", "t4", "a40", "gtx480", "p100"])
@pytest.mark.parametrize("factor", [2.0, 0.5])
def test_l1_and_shared_memory_change_one_without_the_other(name: str, factor: float) -> None:
    machine = load_machine(name)
    sizes = (kib * 1024 for kib in machine.integers("shared.carveout_kib"))
    for shared in (s for s in sizes if l1_bytes_beside(machine, s)):
        before, spec = l1_bytes_beside(machine, shared), l1_spec(machine, shared)
        larger = turned(machine, "L1 size", factor, shared)
        assert l1_bytes_beside(larger, shared) == before * factor
        assert larger.integer("shared.per_sm_bytes") == machine.integer("shared.per_sm_bytes")
        wider = turned(machine, "shared-memory size", factor, shared)
        most = machine.integer("shared.per_sm_bytes") * factor
        assert wider.integer("shared.per_sm_bytes") == most
        for other in wider.integers("shared.carveout_kib"):
            assert l1_spec(wider, other * 1024) == spec
        assert max(wider.integers("shared.carveout_kib")) * 1024 <= most


def test_registers_and_shared_memory_let_more_ctas_in(tmp_path: Path) -> None:
    machine = load_machine("v100")
    # 128 registers of 256 threads are half the file; 48 KiB are half of the shared memory
    assert occupancy(machine, 256, 128, 0).ctas_per_sm == 2
    assert occupancy(turned(machine, "register file", 2.0), 256, 128, 0).ctas_per_sm == 4
    assert occupancy(machine, 256, 16, 49152).ctas_per_sm == 2
    assert occupancy(turned(machine, "shared-memory size", 2.0), 256, 16, 49152).ctas_per_sm == 4
    assert occupancy(turned(machine, "shared-memory size", 0.5), 256, 16, 49152).ctas_per_sm == 1
    assert occupancy(machine, 64, 255, 0).ctas_per_sm == 4
    found = ratios(estimator(job(tmp_path, fmas(1, 200), 80 * 16, 64), registers=255), "v100")
    # one chain a warp and 8 warps: half of a latency of 4 hides behind the other warp of a
    # sub-partition, which half of the registers have no room for
    assert found["register file", 0.5] > 1.3


def test_settings_of_the_user_stay() -> None:
    machine = load_machine("a100", {"sm.count": 20, "dram.latency": 600.0})
    other = turned(machine, "L2 size", 2.0)
    assert (other.number("sm.count"), other.number("dram.latency")) == (20, 600)
    assert turned(machine, "SMs", 2.0).number("sm.count") == 40


def test_a_machine_that_is_in_no_file_is_refused(tmp_path: Path) -> None:
    packaged = load_machine("a100")
    altered = tuple((k, v) for k, v in packaged.values if k != "l1.latency")
    own = Machine(packaged.name, packaged.chain, altered)
    with pytest.raises(UsageError, match="a100 is in no machine file"):
        changed(own, {"sm.count": 10})


def test_a_machine_of_a_users_file_can_be_changed(tmp_path: Path) -> None:
    file = tmp_path / "wide.toml"
    file.write_text(new_machine_text("a100", {"sm.count": 160}, "wide"))
    wide = load_machine(str(file))
    assert turned(wide, "SMs", 0.5).integer("sm.count") == 80
    assert turned(wide, "SMs", 0.5).name == wide.name


# What is answered.


def answers(subject: Job, machine: str = "a100", **options: Any) -> tuple[WhatIf, ...]:
    return what_if(estimator(subject, **options), load_machine(machine))


def test_what_a_launch_does_not_use_is_left_out(tmp_path: Path) -> None:
    found = {one.name for one in answers(job(tmp_path, fmas(4, 10)))}
    assert {"FMA pipe", "SMs", "arithmetic latency"} <= found
    assert not {"FP64 pipe", "Tensor pipe", "L2 atomic units", "shared-memory bandwidth"} & found
    wide = job(tmp_path, "fma.rn.f64 %fd1, %fd2, %fd3, %fd1;")
    assert "FP64 pipe" in {one.name for one in answers(wide)}


def test_a_change_that_leaves_no_room_for_a_cta_says_so(tmp_path: Path) -> None:
    (half,) = (
        one
        for one in what_if(
            estimator(job(tmp_path, fmas(1, 10), 4, 1024), registers=64), load_machine("a100")
        )
        if (one.name, one.factor) == ("register file", 0.5)
    )
    assert (half.time_us, half.ratio) == (None, None)
    assert "does not fit on a100" in half.problem


def test_settings_tell_what_was_changed(tmp_path: Path) -> None:
    found = {(a.name, a.factor): a.settings for a in answers(job(tmp_path, fmas(1, 10)))}
    (sms,) = found["SMs", 0.5]
    assert (sms.key, sms.before, sms.after) == ("sm.count", 108, 54)
    clock, latency, *rest = found["SM and L2 clock", 2.0]
    assert (clock.key, clock.after, latency.key) == ("clock.sm_mhz", 2820.0, "dram.latency")
    assert {one.key for one in rest} == set(machine_changes.floors())


def test_settings_make_the_same_machine_by_themselves(tmp_path: Path) -> None:
    made = estimator(job(tmp_path, fmas(1, 400), 1, 32))
    for one in what_if(made, load_machine("a100")):
        if one.time_us is not None:
            machine = load_machine("a100", {s.key: s.after for s in one.settings})
            assert made.on(machine).time_us == pytest.approx(one.time_us)


@pytest.mark.parametrize("mode", ["waves", "eq8"])
def test_changes_that_let_no_other_ctas_in_are_as_if_estimated(tmp_path: Path, mode: str) -> None:
    made = estimator(job(tmp_path, streamed(), 108 * 4, 256, "p q"), mode=mode)
    machine = load_machine("a100")
    base = made.on(machine)
    for one in what_if(made, machine, base):
        if change(one.name).fit and one.ratio is not None:
            settings = {s.key: s.after for s in one.settings}
            full: Estimate = made.on(changed(machine, settings))
            assert one.time_us == pytest.approx(full.time_us, rel=1e-12)


def test_small_ctas_take_the_time_of_their_starts(tmp_path: Path) -> None:
    """65,536 CTAs that do nothing, started one a clock."""
    made = estimator(job(tmp_path, "", 1 << 16, 32))
    machine = load_machine("a100")
    base = made.on(machine)
    assert base.bound == "CTA launch rate (100% busy)"
    starts = (1 << 16) / float(machine.number("launch.blocks_per_clk")) / 1410
    assert base.time_us == pytest.approx(starts, rel=0.05)
    found = ratios(made)
    assert found["CTA launch rate", 0.5] == pytest.approx(2.0, rel=0.05)
    assert found["CTA launch rate", 2.0] < 0.75


def test_few_ctas_wait_for_no_starts(tmp_path: Path) -> None:
    made = estimator(job(tmp_path, fmas(16, 400), 108 * 8, 256))
    busy = {u.resource: u.fraction for u in made.on(load_machine("a100")).utilization}
    assert 0 < busy["CTA launch rate"] < 0.1
    found = ratios(made)
    assert found["CTA launch rate", 2.0] == pytest.approx(1.0)


def test_launching_bounds_what_takes_less_than_it(tmp_path: Path) -> None:
    short = estimator(job(tmp_path, fmas(1, 40), 1, 32)).on(load_machine("a100"))
    assert short.launch_us > short.execution_us
    assert short.bound.startswith("launch overhead (")
    assert short.bound.endswith("; then arithmetic latency)")
    longer = estimator(job(tmp_path, fmas(1, 4000), 1, 32)).on(load_machine("a100"))
    assert longer.bound.startswith("arithmetic latency")
