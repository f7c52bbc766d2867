"""What matrix products cost: by their shape, their factors, and whether half of these are zero.

NVIDIA's whitepapers (A100, H100) give the rates beside that of halves: doubles a sixteenth, tf32
half, 8 bits twice, 4 bits four times; sparse products leave out half. An m16n8k16 of halves is 1.
"""

from __future__ import annotations

import pytest

from warpmill.analyzer.ir.operation import decode
from warpmill.simulator.assembler.costs import arithmetic_cost, factor_bits, ptx_cost
from warpmill.simulator.machines import load_machine

MMA, WGMMA = "mma.sync.aligned", "wgmma.mma_async"


@pytest.mark.parametrize(
    ("opcode", "bits", "times"),
    [
        (f"{MMA}.m16n8k16.row.col.f32.f16.f16.f32", 16, 1),
        (f"{MMA}.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 1),
        (f"{MMA}.m16n8k8.row.col.f32.tf32.tf32.f32", 32, 1),
        (f"{MMA}.m16n8k32.row.col.f32.e4m3.e5m2.f32", 8, 1),
        (f"{MMA}.m16n8k32.row.col.satfinite.s32.s8.u8.s32", 8, 1),
        (f"{MMA}.m16n8k64.row.col.s32.s4.s4.s32", 4, 1),
        (f"{MMA}.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 1, 1),
        (f"{MMA}.m8n8k4.row.col.f64.f64.f64.f64", 64, 2),
        (f"{MMA}.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32", 8, 1),
        (f"{MMA}.kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0", 4, 1),
        ("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 16, 1),
        ("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", 8, 1),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 16, 2),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", 8, 1),
        (f"{WGMMA}.sync.aligned.m64n8k16.f32.f16.f16", 16, 1),
        (f"{WGMMA}.sync.aligned.m64n256k32.f32.e4m3.e4m3", 8, 32),
        (f"{WGMMA}.sp.sync.aligned.m64n8k32.f32.bf16.bf16", 16, 1),
    ],
)
def test_time_of_a_product_is_that_of_its_shape_and_factors(opcode, bits, times):
    machine, operation = load_machine("a100"), decode(opcode)
    assert factor_bits(operation) == bits
    for cost in (arithmetic_cost(operation, machine), ptx_cost(operation, machine)):
        assert cost.pipe_cycles == pytest.approx(times * machine.number("interval.tensor"))


@pytest.mark.parametrize(
    ("opcode", "times"),
    [
        (f"{MMA}.m16n8k16.row.col.f16.f16.f16.f16", 1),
        (f"{MMA}.m16n8k16.row.col.f32.f16.f16.f32", 2),
        (f"{MMA}.m16n8k8.row.col.f32.tf32.tf32.f32", 2),
        (f"{MMA}.m16n8k32.row.col.f32.e4m3.e4m3.f32", 2),
        (f"{MMA}.m16n8k32.row.col.s32.s8.s8.s32", 1),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16", 2),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 4),
    ],
)
def test_geforce_cards_sum_in_fp32_at_half_the_rate(opcode, times):
    machine, operation = load_machine("rtx4090"), decode(opcode)
    for cost in (arithmetic_cost(operation, machine), ptx_cost(operation, machine)):
        assert cost.pipe_cycles == pytest.approx(times * 16)


def test_a_wgmma_goes_at_the_rate_of_the_tensor_cores_and_mma_sync_below_it():
    """H100: 4,096 operations of halves a cycle and SM; measured 64 cycles for m64n128k16."""
    machine = load_machine("h100_sxm")
    cost = arithmetic_cost(decode(f"{WGMMA}.sync.aligned.m64n128k16.f32.f16.f16"), machine)
    assert (cost.pipe_cycles, cost.latency_cycles) == (64, machine.number("latency.wgmma") / 2)
    assert machine.number("interval.tensor") == 2 * machine.number("interval.wgmma")


def test_a_product_whose_shape_is_data_has_no_known_time():
    operation = decode("tcgen05.mma.cta_group::1.kind::f16")
    assert arithmetic_cost(operation, load_machine("b200")) is None
