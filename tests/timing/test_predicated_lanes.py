"""Lanes that execute an instruction, where a guard or a branch that became a predicate skips it."""

from __future__ import annotations

import pytest

import warpmill
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulated, simulated_until
from warpmill.simulator.gpu.options import Options

HEAD = ".version 7.8\n.target sm_80\n.address_size 64\n"
KERNEL = """
.visible .entry kernel(.param .u64 p)
{
    .reg .pred %p<3>; .reg .b32 %r<3>; .reg .f32 %f<5>;
    mov.u32 %r1, %tid.x;
    mov.f32 %f1, 0f3F800000;
    setp.lt.u32 %p1, %r1, 37;
    @%p1 fma.rn.f32 %f2, %f1, %f1, %f1;
    setp.ge.u32 %p2, %r1, 40;
    @%p2 bra DONE;
    add.f32 %f3, %f1, %f1;
DONE:
    mul.f32 %f4, %f1, %f1;
    ret;
}
"""
THREADS, CTAS = 96, 3
COUNTS = {"fma": 37, "add": 40, "mul": THREADS}
"""Threads of a CTA that execute each, by hand."""


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    path = tmp_path_factory.mktemp("kernel") / "kernel.ptx"
    path.write_text(HEAD + KERNEL)
    return warpmill.prepare(str(path), grid=CTAS, block=THREADS, args=["buffer=f32:64"])


def counts(job, result):
    """Predicated-on thread instructions by operation, of those above."""
    blocks = job.kernel.blocks
    found = {}
    for one in result.instructions:
        name = blocks[one.block].instructions[one.instruction].operation.name
        if name in COUNTS:
            found[name] = one.predicated_on
    return found


@pytest.mark.parametrize("machine", ["v100", "gtx480_gpgpusim"])
def test_lanes_whose_predicate_is_off_execute_nothing(job, machine):
    result = simulated(plan(job, machine)).result
    assert counts(job, result) == {name: CTAS * n for name, n in COUNTS.items()}
    (done,) = result.operations
    assert (done.kind, done.number) == ("f32", CTAS * (2 * 37 + 40 + THREADS))


def test_a_simulation_of_some_ctas_counts_theirs(job):
    some = plan(
        job, "v100", overrides={"sm.count": 1, "sm.max_blocks": 1}, options=Options(waves=1)
    )
    assert counts(job, simulated(some).result) == COUNTS


def test_a_simulation_that_goes_on_from_a_checkpoint_has_not_forgotten_them(job, tmp_path):
    made = plan(job, "v100", overrides={"sm.count": 1, "sm.max_blocks": 1})
    assert simulated_until(made, 200, tmp_path / "at") is None
    result = simulated(made, resume=tmp_path / "at").result
    assert counts(job, result) == {name: CTAS * n for name, n in COUNTS.items()}


def test_an_estimate_counts_operations_of_lanes_that_execute_them(job):
    found = warpmill.estimate(job, "v100")
    assert found.roofline.flops == CTAS * (2 * 37 + 40 + THREADS)
