"""Results beside the rates of their machine: near them where a loop does one thing, never above."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.timing.hardware_kernels import HEAD, simulated
from tests.timing.test_compute_roofs import DOUBLES, FLOATS, HALVES, TENSOR8, TENSOR16, loop
from warpmill.session.estimates import estimate
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.spec import specify
from warpmill.simulator.machine_limits import peak_gflops, simulation_violations
from warpmill.simulator.machines import load_machine

MORE = HEAD.replace("sm_70", "sm_80").replace("%r<20>", "%r<99>").replace("%f<20>", "%f<99>")
MORE = MORE.replace(".reg .b32", ".reg .f64 %fd<99>; .reg .b32")
QUIET = {"icache.miss_latency": 0.0, "sm.count": 1}
SFU = "ex2.approx.f32 %f{0}, %f{0};"
INTEGERS = "and.b32 %r{0}, %r{0}, %r61;"
SUMS = "add.s32 %r{0}, %r{0}, %r61;"
ADDRESS = (
    "shl.b32 %r70, %r1, 2; mov.u32 %r71, tile; and.b32 %r70, %r70, 1023;add.u32 %r71, %r71, %r70;"
)
LOADS = "ld.shared.u32 %r{0}, [%r71];"


def result_of(folder, line, machine, chains=24, **changes):
    """Simulate a loop of one instruction on one SM, full of warps."""
    begin = ADDRESS if line is LOADS else ""
    body = begin + loop(line, chains, 40).replace("%r1,", "%r72,").replace("%r1 ", "%r72 ")
    return simulated(
        folder, body + " ret; }", grid=4, block=512, base=machine, head=MORE, **QUIET, **changes
    )


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("machine", "line", "kind", "unit"),
    [
        ("v100", FLOATS, "f32", "FMA pipe"),
        ("v100", HALVES, "f16", "FMA pipe"),
        ("v100", DOUBLES, "f64", "FP64 pipe"),
        ("rtx4090", FLOATS, "f32", "FMA pipe"),
        ("rtx4090", DOUBLES, "f64", "FP64 pipe of the SM"),
        ("rtx4090", TENSOR16, "tensor16_f32acc", "Tensor pipe"),
        ("a100", TENSOR16, "tensor16_f32acc", "Tensor pipe"),
        ("a100", TENSOR8, "tensor8", "Tensor pipe"),
        ("gtx980", FLOATS, "f32", "FMA pipe"),
        ("tesla_k40", FLOATS, "f32", "FMA pipe"),
        ("v100", SFU, None, "XU pipe"),
        ("v100", INTEGERS, None, "ALU pipe"),
        ("v100", SUMS, None, "ALU pipe or FMA pipe"),
        ("gtx980", INTEGERS, None, "ALU pipe"),
        ("v100", LOADS, None, "load-store unit"),
    ],
)
def test_loops_of_one_instruction_come_near_the_rate_of_its_unit(
    tmp_path, machine, line, kind, unit
):
    found = result_of(tmp_path, line, machine, 4 if "mma" in line else 24)
    assert found.beyond_machine == ()
    own = next(one for one in found.units if one.name == unit)
    assert 0.75 < own.busy <= 1.0 + own.last
    if kind is not None:
        (done,) = (one for one in found.operations if one.kind == kind)
        rate = done.number / (found.simulated_cycles / found.clock_mhz) / 1e3
        given = load_machine(machine, QUIET)
        assert 0.75 < rate / peak_gflops(given, kind) < 1.01


def test_more_operations_than_units_do_are_told(tmp_path):
    found = result_of(tmp_path, FLOATS, "v100")
    (done,) = found.operations
    more = replace(found, operations=(replace(done, number=2 * done.number),))
    (told,) = simulation_violations(more, load_machine("v100", QUIET))
    assert told.rate == "peak of f32"
    busier = replace(found, units=tuple(replace(u, busy=2 * u.busy) for u in found.units))
    told = simulation_violations(busier, load_machine("v100", QUIET))
    assert "FMA pipe" in {one.rate for one in told}


@pytest.mark.parametrize("width", [1.0, 1.5, 1.9, 2.0])
def test_a_scheduler_issues_as_many_instructions_a_cycle_as_its_machine_says(tmp_path, width):
    """Two independent instructions for two pipes that take one a cycle each; Maxwell does two."""
    two = FLOATS + " and.b32 %r{0}, %r{0}, %r61;"
    found = result_of(tmp_path, two, "gtx980", **{"sm.issue_per_scheduler": width})
    assert 0.85 < found.warp_ipc / (4 * width) <= 1.0


@pytest.mark.parametrize("rate", [16, 32, 64, 128, 256, 1024])
def test_packets_take_a_port_for_their_bytes_at_its_rate(rate):
    numbers = specify(load_machine("v100", {"icnt.bytes_per_clk_per_sm": rate}), 0).numbers
    assert numbers["packet_ticks"] == c.TICKS * 32 / rate
    assert numbers["header_ticks"] == c.TICKS * min(1 / 4, 32 / rate)
    assert numbers["network_turns"] == max(1, rate / 32)


def test_an_estimate_lasts_until_the_last_warps_pipes_are_free():
    """A branch holds its pipe for longer than all else takes."""
    machine = load_machine("b200", {"interval.branch": 65536})
    found = estimate("samples/vecadd/launch.toml", machine)
    assert found.beyond_machine == ()
    assert found.cycles >= 65536


@pytest.mark.parametrize(("bytes_", "sectors"), [(1, 16), (16, 16), (17, 32), (400, 400)])
def test_local_memory_of_a_warp_slot_is_words_of_its_lanes(bytes_, sectors):
    """Threads have 16 bytes or a multiple: 32 of them are 16 sectors of 32 bytes."""
    numbers = specify(load_machine("v100"), 0, bytes_).numbers
    assert numbers["local_sectors"] == sectors
