"""Occupancy against the table of 43 machines, the Ada examples, and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.occupancy import Occupancy, l1_bytes_beside, occupancy

_CONFIGURATIONS = ((256, 32, 4096), (128, 63, 0), (512, 40, 12288))
_NAMES = {"blocks": "blocks", "warps": "warps", "registers": "regs", "shared_memory": "smem"}

# CTAs per SM, percent of the most warps, limiting resources; one column a configuration.
# Cross-checked against NVIDIA's own calculation (compute capability 3 and later) and against a
# public calculator (1.3 and 2.0).
_FULL = "8 100 warps+regs | 8 50 regs | 3 75 regs"
_GA10X = "6 100 warps | 8 67 regs | 3 100 warps+regs"
_TURING = "4 100 warps | 8 100 warps+regs | 2 100 warps"
_FERMI = "4 67 regs | 4 33 regs | 1 33 regs"
_GT200 = "2 50 regs | 2 25 regs | 0 0 regs"
_LARGE_GT200 = "4 100 warps+regs+smem | 4 50 regs | 1 50 regs+smem"
_GROUPS = {
    _FULL: "a100 a100_pcie_80gb b200 geforce_940m generic gh200 gtx645 gtx980 gtx_titan_x_maxwell "
    "h100_pcie h100_sxm h200_sxm p100 quadro_k600 quadro_k620 qv100_accelsim tesla_k40 titan_v "
    "v100",
    _GA10X: "a40 l4 l40 rtx3060 rtx3070 rtx4070 rtx4090 rtx_a4000 rtx_a6000",
    _TURING: "gtx1650 rtx2060 rtx2080ti t4",
    _FERMI: "gtx480 gtx480_gpgpusim",
    _GT200: "minibench_28sm minibench_8sm quadro_fx5800 quadro_fx5800_gpgpusim",
    _LARGE_GT200: "minibench_110sm minibench_56sm",
    "8 80 regs | 8 40 regs | 3 60 regs": "mi100",
    "8 100 warps | 16 100 warps+regs | 4 100 warps": "mi250x_gcd",
    "4 67 regs+smem | 4 33 regs | 1 33 regs+smem": "tbpoint_fermi",
}
_TABLE = {name: row for row, names in _GROUPS.items() for name in names.split()}


def _words(found: Occupancy) -> str:
    limiting = "+".join(_NAMES[name] for name in found.limiting)
    return f"{found.ctas_per_sm} {100 * found.occupancy_fraction:.0f} {limiting}"


def test_the_table_names_every_machine() -> None:
    assert tuple(sorted(_TABLE)) == machine_names()


@pytest.mark.parametrize("name", sorted(_TABLE))
def test_three_configurations_on_every_machine(name: str) -> None:
    machine = load_machine(name)
    found = " | ".join(_words(occupancy(machine, *each)) for each in _CONFIGURATIONS)
    assert found == _TABLE[name]


def _blocks(name: str, threads: int, registers: int | None, shared: int) -> int:
    return occupancy(load_machine(name), threads, registers, shared).ctas_per_sm


def test_ada_examples() -> None:
    assert _blocks("rtx4090", 256, 80, 0) == 3
    assert _blocks("rtx4090", 256, 64, 0) == 4
    assert _blocks("rtx4090", 256, 64, 24576) == 4
    assert _blocks("rtx4090", 256, 64, 24577) == 3


def test_gp100_checks_a_cta_as_if_it_had_four_partitions() -> None:
    # 5 warps round to 6 for the two partitions and to 8 for the check: 8 × 255·32 → 8 × 8192
    assert _blocks("p100", 160, 255, 0) == 1
    # 9 warps round to 10 and to 12: 12 × 6144 registers exceed the 65536 of a CTA
    refused = occupancy(load_machine("p100"), 288, 192, 0)
    assert refused.ctas_per_sm == 0
    assert "73728 registers of a CTA do not fit: it has at most 65536" in refused.notes
    allowed = load_machine("p100", {"reg.legality_partitions": 1})
    assert occupancy(allowed, 288, 192, 0).ctas_per_sm == 1


def test_registers_go_to_sub_partitions_one_by_one() -> None:
    # 7 warps of 255 registers: 8192 a warp, two warps in each of four partitions of 16384
    assert _blocks("a100", 224, 255, 0) == 1
    # 5 warps need 8 slots for the check but only 5 of the 8 resident ones: no second CTA
    assert _blocks("a100", 160, 255, 0) == 1
    # 168 · 32 = 5376 a warp: 3 warps a partition and 12 an SM, not 65536 // 5376 = 12.19
    assert _blocks("a100", 32, 168, 0) == 12
    # 136 · 32 = 4352: 3 warps a partition where an undivided file would hold 15
    assert _blocks("a100", 32, 136, 0) == 12


def test_the_check_of_one_cta_rounds_its_warps_to_the_sub_partitions() -> None:
    # 5 warps count as 8: 8 × 4096 registers are allowed, 8 × 4352 are not
    machine = load_machine("a100", {"reg.per_block": 32768})
    assert occupancy(machine, 160, 128, 0).ctas_per_sm == 3
    assert occupancy(machine, 160, 136, 0).ctas_per_sm == 0


def test_cc_1_rounds_the_registers_of_a_cta() -> None:
    # 3 warps round to 4: 4 · 32 · 10 = 1280 → 1536 registers; 16384 // 1536 = 10, but 8 slots
    found = occupancy(load_machine("quadro_fx5800"), 96, 10, 0)
    assert dict(found.limits)["registers"] == 10
    assert (found.ctas_per_sm, found.limiting) == (8, ("blocks",))


def test_shared_memory_counts_what_the_driver_reserves() -> None:
    a100 = load_machine("a100")
    found = occupancy(a100, 64, 16, 40 * 1024)
    assert dict(found.limits)["shared_memory"] == 167936 // (41 * 1024)
    assert dict(occupancy(a100, 64, 16, 0).limits)["shared_memory"] == 167936 // 1024
    assert dict(occupancy(load_machine("v100"), 64, 16, 0).limits)["shared_memory"] is None


def test_opt_in_shared_memory() -> None:
    a100 = load_machine("a100")
    assert occupancy(a100, 64, 16, 48 * 1024).notes == ()
    opted = occupancy(a100, 64, 16, 48 * 1024 + 1)
    assert opted.ctas_per_sm == 3
    assert opted.notes == ("the kernel must opt in to this much shared memory",)
    assert occupancy(a100, 64, 16, 163 * 1024).ctas_per_sm == 1
    refused = occupancy(a100, 64, 16, 163 * 1024 + 1)
    assert refused.ctas_per_sm == 0
    assert refused.limiting == ("shared_memory",)
    assert refused.notes == ("166913 B of shared memory do not fit: a CTA has at most 166912 B",)


def test_what_cannot_launch_says_why() -> None:
    a100 = load_machine("a100")
    large = occupancy(a100, 1025, 16, 0)
    assert (large.ctas_per_sm, large.occupancy_fraction) == (0, 0)
    assert large.notes == ("1025 threads do not fit: a CTA has at most 1024",)
    hungry = occupancy(a100, 32, 256, 0)
    assert (hungry.ctas_per_sm, hungry.limiting) == (0, ("registers",))
    assert hungry.notes == ("256 registers do not fit: a thread has at most 255",)
    few = load_machine("a100", {"sm.max_threads": 512})
    assert occupancy(few, 1024, 16, 0).notes == ("32 warps do not fit: an SM holds 16",)


def test_unknown_registers_do_not_limit_and_are_named() -> None:
    found = occupancy(load_machine("a100"), 256, None, 0)
    assert dict(found.limits)["registers"] is None
    assert found.notes == ("the registers of a thread are unknown and not counted",)


@pytest.mark.parametrize("bad", [(0, 16, 0), (32, -1, 0), (32, 16, -1)])
def test_senseless_sizes_are_usage_errors(bad: tuple[int, int, int]) -> None:
    with pytest.raises(UsageError, match="at least"):
        occupancy(load_machine("a100"), *bad)


def test_carve_out_and_what_is_left_of_l1() -> None:
    a100 = load_machine("a100")
    assert occupancy(a100, 1024, 32, 20 * 1024).shared_carveout_bytes == 64 * 1024  # 2 × 21 KiB
    assert occupancy(a100, 1024, 32, 31 * 1024).shared_carveout_bytes == 64 * 1024  # just so
    assert (
        occupancy(a100, 1024, 32, 0).shared_carveout_bytes == 8 * 1024
    )  # the driver's share alone
    assert l1_bytes_beside(a100, 64 * 1024) == 128 * 1024
    assert l1_bytes_beside(load_machine("p100"), 65536) == 24576
    assert l1_bytes_beside(load_machine("gtx480"), 48 * 1024) == 16 * 1024
    assert l1_bytes_beside(load_machine("quadro_fx5800"), 16384) == 0


_SIZES = {
    "name": st.sampled_from(machine_names()),
    "threads": st.integers(1, 1100),
    "registers": st.integers(1, 300),
    "shared": st.integers(0, 240_000),
}


@settings(max_examples=200, deadline=None)
@given(**_SIZES, more=st.integers(0, 5000))
def test_more_of_a_resource_never_holds_more_ctas(
    name: str, threads: int, registers: int, shared: int, more: int
) -> None:
    machine = load_machine(name)
    now = occupancy(machine, threads, registers, shared)
    assert occupancy(machine, threads, registers, shared + more).ctas_per_sm <= now.ctas_per_sm
    assert occupancy(machine, threads, registers + more % 64, shared).ctas_per_sm <= now.ctas_per_sm


@settings(max_examples=200, deadline=None)
@given(**_SIZES)
def test_what_resides_fits(name: str, threads: int, registers: int, shared: int) -> None:
    machine = load_machine(name)
    found = occupancy(machine, threads, registers, shared)
    blocks, warp = found.ctas_per_sm, machine.integer("machine.warp_size")
    assert blocks <= machine.integer("sm.max_blocks")
    assert found.warps_per_sm == blocks * found.warps_per_cta <= machine.integer("sm.max_warps")
    assert 0 <= found.occupancy_fraction <= 1
    assert found.warps_per_sm * warp * registers <= machine.integer("reg.per_sm")
    assert blocks * shared <= machine.integer("shared.per_sm_bytes")
    assert found.limiting
    assert (blocks > 0) or found.notes
