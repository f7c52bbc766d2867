"""Results that claimed more than their machine has, each with what holds of them."""

from __future__ import annotations

import shutil

import pytest

from tests.timing.machine_kernel_table import KERNELS
from tests.timing.machine_kernels import simulated
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.machines.schema import RULES, follows, schema


def estimates(warpmill, rows: int, depth: int, *words: str):
    """Estimates by machine of a matrix product: rows x depth halves by depth x rows."""
    tiles, sizes = rows // 128, f"{rows}x{depth}:uniform --arg buffer=f16:{depth}x{rows}:uniform"
    ended = warpmill(
        "61-triton-matmul", "estimate", *words, f"--grid {tiles}x{tiles} --block 256",
        f"--arg buffer=f16:{sizes} --arg buffer=f16:{rows}x{rows}",
        f"--arg {rows} --arg {rows} --arg {depth} --arg null --arg null --format json",
    )  # fmt: skip
    return {e["machine"]: e for e in ended.data["launches"][0]["estimates"]}


@pytest.mark.slow
def test_a_copy_to_shared_memory_takes_the_time_of_both_memories(warpmill) -> None:
    found = estimates(warpmill, 2048, 512, "tmm.sm_80.ptx --shared 32768 -m rtx4090,a100,l4")
    for machine, most in (("rtx4090", 929.8), ("a100", 1555), ("l4", 300)):
        one = found[machine]
        assert one["dram_gb_per_s"] <= most
        assert one["roofline"]["roof_fraction"] <= 1.0
        assert one["dram_bytes"] >= 2 * 2 * 2048 * 512
        assert one["beyond_machine"] == []
    peaks = {machine: found[machine]["roofline"]["peak_gflops"] for machine in found}
    assert peaks["rtx4090"] == pytest.approx(165_200, rel=0.01)
    assert peaks["l4"] == pytest.approx(121_000, rel=0.01)


@pytest.mark.slow
def test_a_cold_cache_has_none_of_the_inputs_and_wgmma_the_whole_rate(warpmill) -> None:
    one = estimates(warpmill, 4096, 4096, "tmm.sm_90.ptx --shared 49152 -m h100_sxm")["h100_sxm"]
    traffic = {t["region"]: t["dram_bytes"] for t in one["traffic"]}
    assert set(traffic) == {"matmul_param_0", "matmul_param_1", "matmul_param_2"}
    assert sum(traffic.values()) >= 2 * 2 * 4096 * 4096
    assert one["dram_gb_per_s"] <= 3184
    pipe = next(u for u in one["utilization"] if u["resource"] == "tensor_pipe")
    reached = one["roofline"]["achieved_gflops"] / one["roofline"]["peak_gflops"]
    assert pipe["fraction"] == pytest.approx(reached, rel=0.05)


@pytest.mark.parametrize("name", machine_names())
def test_twice_of_a_value_moves_all_that_follow_from_it(name) -> None:
    """Whatever is made of a value, or goes with it, goes with it on every machine."""
    machine = load_machine(name)
    made = {key: set(rule.inputs) for key, rule in RULES.items()}
    for key, value in machine.values:
        rule = follows(key, value.letter, value.source)
        if rule is not None and value.status != "derived":
            made.setdefault(key, set()).update(rule.sources)
    sources = {source for inputs in made.values() for source in inputs}
    for source in sorted(sources):
        before = machine.get(source)
        if before is None or not before.value or schema().keys[source].max < 2 * before.value:
            continue
        try:
            after = load_machine(name, {source: 2 * before.value})
        except InputError:
            continue  # a whole number that half of is none: said so
        for key in (key for key, inputs in made.items() if source in inputs):
            own = machine.get(key)
            if own is None or not own.value or (key, source) in STAYS:
                continue
            assert after[key].value != own.value, (key, source)
            assert after[key].status != "stated", (key, source)


STAYS = {
    ("sm.simd_width", "lanes.fp32"),  # at most a warp
    ("sm.simd_width", "machine.warp_size"),
    ("front_end.fetch_width", "sm.issue_per_scheduler"),  # a half and one both take one
    ("sm.simd_width", "sm.subpartitions"),
    ("dram.bytes_per_clk_per_channel", "clock.mem_mhz"),  # as the rate of a pin goes with it
}


@pytest.mark.parametrize(("machine", "rate"), [("rtx2060", 15.4), ("rtx4090", 23.1)])
def test_a_stream_is_a_tenth_faster_where_memory_is(machine, rate) -> None:
    """Of clock.mem_gtps alone: the command clock goes with it, and timings in its clocks."""
    few = {"sm.count": 16, "dram.bus_bits": 32}  # channels and slices go with it
    slow, fast = (
        simulated(KERNELS["read"], machine, few | more).cycles
        for more in ({}, {"clock.mem_gtps": rate})
    )
    assert 0.88 < fast / slow < 0.95


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not there")
def test_spilled_registers_move_memory_and_are_warned_of(warpmill) -> None:
    ended = warpmill(
        "39-launch-bounds-spills", "estimate kernel.ptx --grid 1024 --block 256",
        "--arg buffer=f64:10485760 --arg buffer=f64:262144 --arg 262144 -m a100 --ptxas -f json",
    )  # fmt: skip
    assert "spill" in ended.err
    assert ended.data["launches"][0]["estimates"][0]["time_us"] >= 100


def test_spills_without_ptxas_are_modelled(warpmill) -> None:
    ended = warpmill(
        "39-launch-bounds-spills", "estimate kernel.ptx --grid 1024 --block 256",
        "--arg buffer=f64:10485760 --arg buffer=f64:262144 --arg 262144 -m a100 --no-ptxas -f json",
    )  # fmt: skip
    assert "Registers spill (launch bounds of 256 threads and 8 CTAs per SM)" in ended.err
    (one,) = ended.data["launches"][0]["estimates"]
    assert one["time_us"] >= 100
    spilled = one["registers"]["spilled"]
    assert spilled["is_modelled"]
    assert spilled["store_bytes"] == pytest.approx(3220, rel=0.5)  # what ptxas 13.0 says
    assert spilled["load_bytes"] == pytest.approx(4212, rel=0.5)
