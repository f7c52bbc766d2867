"""Values of machine files that were derived from measurements, derived again from a few of them.

The figures are of RRZE-HPC/gpu-benches@1038c5d where nothing else is said.
"""

from __future__ import annotations

from collections import Counter
from math import isclose
from statistics import mean, median
from typing import NamedTuple

import pytest

from warpmill.simulator.machines import load_machine, machine_names


def value(name: str, key: str) -> float:
    return float(load_machine(name).number(key))


class Stream(NamedTuple):
    """gpu-stream: arrays of doubles, one element a thread, few or all threads resident.

    ``few`` are threads on the whole GPU at one or two CTAs an SM, ``store`` and ``load`` their
    rates (init, read); ``best`` is the best rate of init, ``full`` that of read at full
    occupancy, ``copied`` that of scale, all in GB/s; ``mhz`` the clock.
    """

    sms: int
    mhz: int
    few: int
    store: int
    load: int
    best: int
    full: int
    copied: int
    each: int = 1  # CTAs an SM among the few


STREAMS = {
    "v100": Stream(80, 1380, 1280, 39, 19, 897, 867, 809),
    "a100": Stream(108, 1410, 1728, 54, 20, 1539, 1500, 1382),
    "a100_pcie_80gb": Stream(108, 1410, 1728, 53, 21, 1908, 1776, 1737),
    "a40": Stream(84, 1740, 1344, 52, 20, 680, 680, 653),
    "l40": Stream(142, 2490, 2272, 81, 41, 847, 845, 776),
    "h100_pcie": Stream(114, 1755, 7296, 228, 96, 2018, 1942, 1704, each=2),
    "gh200": Stream(132, 1980, 2112, 77, 31, 3944, 2775, 3174),
}


@pytest.mark.parametrize("name", STREAMS)
def test_the_rate_of_dram_is_that_of_the_best_stream(name):
    stream = STREAMS[name]
    assert value(name, "dram.measured_gbs") == stream.best
    assert 0.97 < stream.best / value(name, "dram.bandwidth_gbs") < 1
    others = {a.value for a in load_machine(name)["dram.measured_gbs"].alternatives}
    assert stream.full == stream.best or stream.full in others


@pytest.mark.parametrize("name", [n for n in STREAMS if n != "gh200"])
def test_reading_and_writing_at_once_costs_a_part(name):
    stream = STREAMS[name]
    assert value(name, "dram.mixed_efficiency") == round(stream.copied / stream.best, 2)


def test_cards_that_nobody_measured_have_the_median_part():
    measured = [s.copied / s.best for name, s in STREAMS.items() if name != "gh200"]
    assert value("generic", "dram.mixed_efficiency") == round(median(measured), 2)
    assert load_machine("mi100")["dram.mixed_efficiency"].assumed


def turnover_cycles(stream: Stream, gb_per_s: int) -> float:
    """Little's law: bytes of the resident threads over the rate is the time of a CTA."""
    return stream.few * 8 / gb_per_s * stream.mhz / 1e3


@pytest.mark.parametrize("name", STREAMS)
def test_a_cta_that_stores_a_value_takes_so_long(name):
    assert value(name, "launch.block_cycles") == round(
        turnover_cycles(STREAMS[name], STREAMS[name].store)
    )


@pytest.mark.parametrize("name", STREAMS)
def test_a_cta_that_loads_a_value_waits_for_dram_beside(name):
    loaded = value(name, "launch.block_cycles") + value(name, "dram.latency")
    assert loaded == pytest.approx(turnover_cycles(STREAMS[name], STREAMS[name].load), rel=0.075)


# gpu-latency: cycles of a dependent load in footprints (KiB) well inside of L1, L2 and DRAM.
CHASES = {
    "v100": ((30, 28.0), (2000, 212.1), (10_000, 425.4)),
    "a100_pcie_80gb": ((30, 33.2), (2000, 205.7), (156_000, 550.5)),
    "a40": ((30, 33.2), (2000, 250.4), (15_000, 546.7)),
    "l40": ((30, 34.2), (30_000, 273.6), (139_000, 622.7)),
    "gh200": ((30, 32.3), (15_000, 280.3), (460_000, 684.6)),
}


@pytest.mark.parametrize("name", CHASES)
def test_latencies_are_the_plateaus_of_pointer_chases(name):
    keys = ("l1.latency", "l2.latency", "dram.latency")
    for key, (footprint, cycles) in zip(keys, CHASES[name], strict=True):
        assert value(name, key) == pytest.approx(cycles, abs=0.75), key
        level = {"l1.latency": "l1.size_bytes", "l2.latency": "l2.size_bytes"}.get(key)
        assert level is None or footprint * 1024 < value(name, level)


# gpu-l1-strides: cycles of a warp's load of 4 B words so many words apart, at offsets of 0, 4, ...
# 28 words, from warps that start at a line and 32 strides after it.
STRIDES = {
    "a100": {1: 1.02, 2: 2.0, 3: 1.63, 4: 4.0, 5: 2.2, 7: 2.67, 9: 3.03, 12: 4.0, 15: 4.45,
             16: 16.0, 17: 5.1, 21: 6.0, 25: 7.0, 31: 8.5, 32: 32.0, 33: 8.8, 40: 9.8,
             48: 16.0, 53: 11.1, 63: 8.8},
    "a40": {0: 2.0, 1: 2.0, 2: 2.0, 3: 2.0, 4: 4.0, 5: 2.2, 7: 2.67, 8: 8.0, 9: 3.03, 17: 5.1,
            25: 7.0, 31: 8.5, 33: 8.8, 63: 8.8},
    "h200_sxm": {0: 1.01, 1: 1.01, 2: 2.01, 3: 1.63, 4: 4.01, 5: 2.0, 7: 2.41, 9: 3.0, 11: 3.41,
                 13: 4.1, 15: 4.6},
}  # fmt: skip


def lines_of(stride: int, start: int) -> int:
    return len({(start + stride * lane) // 32 for lane in range(32)})


def cycles_of(name: str, stride: int) -> float:
    """The rule of l1.lines_per_clk, beside banks of 4 B and the lanes of load-store units."""
    starts = [32 * stride * warp + offset for warp in (0, 1) for offset in range(0, 32, 4)]
    per_clk = value(name, "l1.lines_per_clk")
    tags = mean(1 + max(0, lines_of(stride, start) - 2) / per_clk for start in starts)
    banks = max(Counter(word % 32 for word in {stride * lane for lane in range(32)}).values())
    return max(tags, banks, 32 / value(name, "lanes.ldst"))


@pytest.mark.parametrize("name", STRIDES)
def test_strided_loads_take_what_tags_banks_or_lanes_take(name):
    errors = [cycles_of(name, stride) / cycles - 1 for stride, cycles in STRIDES[name].items()]
    assert mean(map(abs, errors)) < 0.065
    assert max(map(abs, errors)) < 0.24  # 53 words apart, where tags collide


@pytest.mark.parametrize("name", STRIDES)
def test_each_four_lines_more_take_a_cycle(name):
    odd = [s for s in STRIDES[name] if s % 2 and 4 < s < 34]
    lines = [mean(lines_of(s, o) for o in range(0, 32, 4)) for s in odd]
    cycles = [STRIDES[name][s] for s in odd]
    slope = sum((n - mean(lines)) * (c - mean(cycles)) for n, c in zip(lines, cycles, strict=True))
    slope /= sum((n - mean(lines)) ** 2 for n in lines)
    assert 1 / slope == pytest.approx(value(name, "l1.lines_per_clk"), rel=0.1)


def test_scalar_loads_of_ga10x_and_ad10x_are_bound_by_lanes_and_vectors_by_bytes():
    # gpu-cache, plateau of 4 B loads in L1, GB/s
    for name, sms, mhz, rate in (("a40", 84, 1740, 9352), ("l40", 142, 2490, 22540)):
        lanes = rate * 1e3 / sms / mhz / 4
        assert value(name, "lanes.ldst") == pytest.approx(lanes, rel=0.01)
        assert value(name, "l1.bytes_per_clk") > 1.8 * lanes * 4
        assert not load_machine(name)["lanes.ldst"].assumed
    # A100: 19217 GB/s; H200: 126 B a clock
    assert value("a100_pcie_80gb", "l1.bytes_per_clk") == pytest.approx(
        19217e3 / 108 / 1410, rel=0.02
    )
    assert value("h200_sxm", "l1.bytes_per_clk") == pytest.approx(126, rel=0.02)


# GB/s of reads in L2 (gpu-cache, gpu-l2-cache) and of copies in L2 (bytes read and written, the
# slope of gpu-small-kernels between two sizes: doubles and µs of graph nodes), and the clock.
L2 = {
    "a100_pcie_80gb": (5450, ((304432, 3.33), (1042953, 7.61)), 1410),
    "l40": (5332, ((689381, 3.17), (2791232, 9.70)), 2490),
    "h200_sxm": (10251, ((271378, 1.98), (1098763, 4.21)), 1980),
}


@pytest.mark.parametrize("name", L2)
def test_rates_of_l2(name):
    read, ((few, soon), (many, late)), mhz = L2[name]
    assert value(name, "l2.bytes_per_clk") == pytest.approx(read * 1e3 / mhz, rel=0.002)
    copied = (many - few) * 16 / (late - soon) / 1e3
    cost = 2 * read / copied - 1  # half of the bytes at the rate of reads, half at that of stores
    assert value(name, "l2.write_cost") == pytest.approx(cost, rel=0.05)


# gpu-small-kernels: CTAs of 64 threads per µs where larger CTAs keep the rate, and the clock
@pytest.mark.parametrize(("name", "rate", "mhz"), [("l40", 1842, 2490), ("h200_sxm", 1661, 1980)])
def test_the_rate_of_ctas(name, rate, mhz):
    assert value(name, "launch.blocks_per_clk") == round(rate / mhz, 2)


# NvBench, R100001/Programming-Massively-Parallel-Processors@a972fb50, µs: without flush kernels of
# 2 to 1024 elements of different sources, with flush those of 2 to 8.
NVBENCH = {
    "gtx1650": ((5.18, 5.14, 5.14, 5.13, 5.14), (6.92, 6.94, 6.96, 6.96)),
    "rtx2060": ((5.17, 5.15, 5.14, 5.14, 5.13), (7.35, 7.30, 7.36, 7.29)),
    "rtx3060": ((5.20, 5.16, 5.15, 5.16, 5.19), (6.50, 6.43, 6.40, 6.90)),
}


@pytest.mark.parametrize("name", NVBENCH)
def test_floors_of_nvbench(name):
    warm, cold = NVBENCH[name]
    assert value(name, "launch.back_to_back_us") == pytest.approx(median(warm), abs=0.011)
    assert value(name, "launch.event_us") == pytest.approx(median(cold), abs=0.03)


# nvprof, marcosamaris/gpuperfpredict@35b81711: µs of sums of 65,536 and of 131,072 elements
@pytest.mark.parametrize(
    ("name", "one", "two"), [("gtx980", 3.296, 5.28), ("tesla_k40", 5.024, 7.52)]
)
def test_the_line_to_no_elements(name, one, two):
    assert value(name, "launch.kernel_us") == round(one - (two - one), 2)


def test_a_card_runs_at_the_clock_that_was_queried_and_its_peak_at_the_announced_one():
    machine = load_machine("rtx2080ti")
    assert (machine.number("clock.sm_mhz"), machine.number("clock.peak_mhz")) == (1635, 1545)


@pytest.mark.parametrize("name", machine_names())
def test_what_launches_take_is_in_order(name):
    graph, serial, floor = (
        value(name, f"launch.{key}_us") for key in ("graph", "serial", "back_to_back")
    )
    assert graph <= serial <= floor
    kernel = value(name, "launch.kernel_us")
    assert kernel <= serial or isclose(kernel, serial)
    assert floor < value(name, "launch.event_us")
