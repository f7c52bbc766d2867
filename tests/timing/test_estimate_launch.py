"""The time of launches against floors and small kernels that were measured."""

from __future__ import annotations

from statistics import mean

import pytest

from warpmill.simulator.assembler.costs import LaunchOverhead, launch_overhead, near_empty_us
from warpmill.simulator.machines import load_machine, machine_names

MODES = ("kernel", "event", "back-to-back", "graph")

# RRZE-HPC/gpu-benches@1038c5d, gpu-small-kernels, CTAs of 256 threads: doubles that a kernel reads
# and writes in L2, and the time per kernel in µs, queued one by one and as nodes of a graph. The
# rate is what the larger ones of them gain by each byte more.
COPIES = {
    "a40": (
        3110,
        ((4096, 2.05, 1.13), (26392, 2.19, 1.26), (67031, 2.24, 1.49), (106831, 2.72, 1.74),
         (170268, 2.72, 2.04), (271378, 3.33, 2.57)),
    ),
    "l40": (
        5100,
        ((4096, 1.64, 0.96), (67031, 1.78, 1.28), (271378, 2.54, 1.90), (689381, 3.76, 3.17),
         (1098763, 5.08, 4.44), (2791232, 10.34, 9.70)),
    ),
    "h200_sxm": (
        5800,
        ((4096, 2.52, 1.28), (67031, 2.62, 1.45), (271378, 3.24, 1.98), (432530, 3.67, 2.47),
         (689381, 4.33, 3.17), (1098763, 5.39, 4.21)),
    ),
}  # fmt: skip


def errors(name: str, column: int, mode: str) -> list[float]:
    machine = load_machine(name)
    gb_per_s, rows = COPIES[name]
    found = []
    for row in rows:
        execution = near_empty_us(machine) + row[0] * 16 / gb_per_s / 1e3
        launch = launch_overhead(machine, row[0] // 256 + 1, mode)
        found.append(launch.total_us(execution) / row[column] - 1)
    return found


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize(("column", "mode"), [(1, "back-to-back"), (2, "graph")])
def test_small_kernels_take_what_was_measured(name, column, mode):
    found = errors(name, column, mode)
    assert mean(map(abs, found)) < 0.05
    assert max(map(abs, found)) < 0.13


# NvBench (R100001/Programming-Massively-Parallel-Processors@a972fb50) on sums of two arrays of
# n x n elements, n = 2 and 64: µs a launch without flush, and with flush.
@pytest.mark.parametrize(
    ("name", "warm", "cold"),
    [
        ("gtx1650", (5.18, 5.18), 6.92),
        ("rtx2060", (5.17, 5.17), 7.35),
        ("rtx3060", (5.2, 5.2), 6.78),
    ],
)
def test_a_slow_host_hides_small_kernels(name, warm, cold):
    machine = load_machine(name)
    for ctas, measured in zip((1, 16), warm, strict=True):
        found = launch_overhead(machine, ctas, "back-to-back").total_us(near_empty_us(machine))
        assert found == pytest.approx(measured, rel=0.02)
    event = launch_overhead(machine, 1, "event")
    assert event.total_us(near_empty_us(machine, "dram.latency")) == pytest.approx(cold, abs=0.4)


def test_the_greater_of_host_and_gpu_counts():
    launch = LaunchOverhead("back-to-back", fixed_us=2.0, floor_us=5.0, dispatch_us=0.5)
    assert [launch.total_us(t) for t in (0.0, 3.0, 4.0, 10.0)] == [5.0, 5.0, 6.0, 12.0]


def test_tiny_ctas_start_no_faster_than_they_are_dealt_out():
    # RRZE-HPC/gpu-benches, gpu-small-kernels, graph: 18,012,850 doubles by CTAs of 64 on an H200
    # take 170.6 µs, by CTAs of 256 86.1 µs, which is DRAM's time.
    machine = load_machine("h200_sxm")
    by_256 = launch_overhead(machine, 18_012_850 // 256 + 1, "graph").total_us(86.1)
    by_64 = launch_overhead(machine, 18_012_850 // 64 + 1, "graph").total_us(86.1)
    assert by_256 == pytest.approx(86.1, rel=0.02)
    assert by_64 == pytest.approx(170.6, rel=0.02)


@pytest.mark.parametrize("name", machine_names())
def test_a_near_empty_kernel_takes_its_floor(name):
    machine = load_machine(name)
    for mode in MODES:
        memory = "dram.latency" if mode == "event" else "l2.latency"
        launch = launch_overhead(machine, 1, mode)
        assert launch.fixed_us >= 0
        assert launch.total_us(0.0) == launch.floor_us
        assert launch.total_us(near_empty_us(machine, memory)) == pytest.approx(launch.floor_us)
    floors = [launch_overhead(machine, 1, mode).floor_us for mode in ("graph", "back-to-back")]
    assert floors[0] <= floors[1]


def test_a_profiler_sees_less_than_a_stream_and_events_see_more():
    for name in ("a100", "gtx980", "tesla_k40", "titan_v", "rtx3060"):
        machine = load_machine(name)
        kernel, stream, event = (
            launch_overhead(machine, 1, mode).fixed_us
            for mode in ("kernel", "back-to-back", "event")
        )
        assert 0 < kernel <= stream + 1e-9 < event


def test_the_fixed_part_is_the_floor_without_its_cta():
    machine = load_machine("a100")
    changed = load_machine("a100", {"launch.kernel_us": 3.0, "clock.sm_mhz": 1000.0})
    cta = machine.number("launch.block_cycles") + machine.number("l2.latency")
    assert launch_overhead(changed, 1, "kernel").fixed_us == pytest.approx(3.0 - cta / 1000)
    assert near_empty_us(changed, "dram.latency") == pytest.approx(
        (machine.number("launch.block_cycles") + machine.number("dram.latency")) / 1000
    )
    slow = load_machine("a100", {"launch.block_cycles": 9000.0})
    assert launch_overhead(slow, 1, "kernel").fixed_us == 0.0
