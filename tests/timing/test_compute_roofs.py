"""Loops of arithmetic run at their machine's peak: near it, and never above."""

from __future__ import annotations

import pytest

from tests.timing.estimated_kernels import job
from tests.timing.hardware_kernels import simulated
from tests.timing.test_estimate_shares import estimated

HALVES = "fma.rn.f16x2 %r{0}, %r60, %r61, %r{0};"
FLOATS = "fma.rn.f32 %f{0}, %f60, %f61, %f{0};"
DOUBLES = "fma.rn.f64 %fd{0}, %fd60, %fd61, %fd{0};"
PRODUCT = (
    "mma.sync.aligned.{0}.row.col.{1} {{{{%{2}{{0}}0,%{2}{{0}}1,%{2}{{0}}2,%{2}{{0}}3}}}}, "
    "{{{{%r20,%r21,%r22,%r23}}}}, {{{{%r24,%r25}}}}, "
    "{{{{%{2}{{0}}0,%{2}{{0}}1,%{2}{{0}}2,%{2}{{0}}3}}}};"
)
TENSOR16 = PRODUCT.format("m16n8k16", "f32.f16.f16.f32", "f")
TENSOR32 = PRODUCT.format("m16n8k8", "f32.tf32.tf32.f32", "f")
TENSOR8 = PRODUCT.format("m16n8k32", "s32.s8.s8.s32", "r")


def loop(line: str, chains: int = 16, iterations: int = 400) -> str:
    """Do a line in chains that wait for nothing but themselves."""
    body = "\n".join(line.format(k) for k in range(2, 2 + chains))
    end = f"add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, {iterations};"
    return f"mov.u32 %r1, 0;\nL: {body}\n{end}\n@%p1 bra L;"


@pytest.mark.one_in(12)
@pytest.mark.parametrize("machine", ["v100", "t4", "a100", "h100_sxm", "p100"])
@pytest.mark.parametrize(("line", "kind"), [(HALVES, "f16"), (FLOATS, "f32"), (DOUBLES, "f64")])
def test_loops_of_arithmetic_are_at_the_roof(tmp_path, machine, line, kind):
    chains = 10 if kind == "f64" else 16  # 32 registers hold them
    twice = f"{line}\n{line}"  # the three instructions of the loop itself take few issue slots
    found = estimated(job(tmp_path, loop(twice, chains), grid=1024), machine).roofline
    assert found.kind == kind
    assert 0.8 < found.achieved_gflops / found.roof_gflops <= 1.0


@pytest.mark.parametrize(
    ("line", "kind"),
    [(TENSOR16, "tensor16_f32acc"), (TENSOR32, "tensor32_f32acc"), (TENSOR8, "tensor8")],
)
def test_loops_of_matrix_products_are_at_the_roof_of_their_factors(tmp_path, line, kind):
    found = estimated(job(tmp_path, loop(line, 4), grid=1024), "a100").roofline
    assert found.kind == kind
    assert 0.8 < found.achieved_gflops / found.roof_gflops <= 1.0


def test_sums_in_fp32_take_geforce_cards_twice_as_long(tmp_path):
    """RTX 4090: 330 TFLOP/s with sums in FP16, 165 in FP32; an L4, of the same design, as many."""
    halves = TENSOR16.replace("f32.f16.f16.f32", "f16.f16.f16.f16").replace("%f", "%r")
    halves = halves.replace("%r{0}2,%r{0}3", "").replace(",}}", "}}")
    for machine, times in (("rtx4090", 2.0), ("l4", 1.0)):
        rates = []
        for line in (halves, TENSOR16):
            roof = estimated(job(tmp_path, loop(line, 4), grid=1024), machine).roofline
            assert 0.8 < roof.achieved_gflops / roof.peak_gflops <= 1.0
            rates.append(roof.peak_gflops)
        assert rates[0] / rates[1] == pytest.approx(times)
        assert rates[0] == pytest.approx({"rtx4090": 330_300, "l4": 121_000}[machine], rel=0.01)


@pytest.mark.parametrize("machine", ["v100", "t4"])
def test_simulated_halves_by_twos_take_as_long_as_twice_the_floats(tmp_path, machine):
    """64 lanes of floats and 128 results of halves a cycle: two cycles a warp for either."""
    cycles = []
    for line in (HALVES, FLOATS):
        body = loop(line, 8, 60).replace("%r60, %r61", "%r0, %r19")
        body = body.replace("%f60, %f61", "%f0, %f19")
        found = simulated(tmp_path, body + " ret; }", grid=80, block=256, base=machine)
        cycles.append(found.cycles)
    assert cycles[0] / cycles[1] == pytest.approx(1.0, rel=0.1)
