"""Measured operations as the machine instructions that a chip has for them."""

import pytest

from warpmill.calibration.calibrate import CodeRuler
from warpmill.calibration.machine_code import apiece, beside, filler, instructions
from warpmill.calibration.simulated_gpu import ModelRunner, target_of
from warpmill.codegen.microbench.frame import measured_operations
from warpmill.codegen.microbench.kernels import chain
from warpmill.simulator.machines import load_machine

OPERATIONS = measured_operations()


def target(machine):
    return target_of(load_machine(machine))


@pytest.mark.parametrize(
    ("machine", "operation", "of_a_link", "of_an_operation"),
    [
        ("v100", "int_add", 2, 1),
        ("v100", "int_minmax", 4, 2),  # a comparison and a selection; one instruction elsewhere
        ("rtx2080ti", "int_minmax", 2, 1),
        ("tesla_k40", "int_minmax", 2, 1),
        ("tesla_k40", "mufu", 2, 2),  # its range is reduced before
        ("v100", "mufu", 1, 1),
        ("v100", "int_div", 18, 1),  # what divisions take is that of all of it
        ("gtx980", "int_mul", 3, 1),  # three XMAD, which have keys of their own
        ("gtx980", "barrier", 2, 1),
        ("v100", "setp", 2, 1),
        ("qv100_accelsim", "int_minmax", 2, 1),  # executes PTX
    ],
)
def test_instructions_are_counted(machine, operation, of_a_link, of_an_operation):
    one, of = OPERATIONS[operation], target(machine)
    assert instructions(one, of) == of_a_link
    assert apiece(one, of) == of_an_operation


@pytest.mark.parametrize(
    ("machine", "operation", "fills"),
    [
        ("v100", "int_add", "int_mad"),
        ("h100_sxm", "int_shift", "int_mad"),
        ("v100", "int_logic", None),
        ("v100", "int_minmax", None),
        ("v100", "fp32_fma", None),
        ("gtx980", "int_add", None),
        ("qv100_accelsim", "int_add", None),
    ],
)
def test_what_has_a_second_pipe_is_measured_beside_what_fills_it(machine, operation, fills):
    found = filler(OPERATIONS[operation], target(machine))
    assert (found and found.name) == fills


def test_what_fills_a_pipe_comes_by_turns_and_in_chains_of_its_own():
    made = beside(OPERATIONS["int_add"], 2, target("v100"))
    assert made.statements == (
        "add.u32 r0 r0 r1", "mad.lo.u32 r4 r4 rc rd", "add.u32 r2 r2 r3", "mad.lo.u32 r5 r5 rc rd",
        "add.u32 r1 r1 r0", "mad.lo.u32 r4 r4 rc rd", "add.u32 r3 r3 r2", "mad.lo.u32 r5 r5 rc rd",
    )  # fmt: skip
    assert chain(made, 1, 4, "sm_80").links == 4 * OPERATIONS["int_add"].links


def test_code_is_as_long_as_its_instructions():
    ruler = CodeRuler(ModelRunner(load_machine("v100")), 16)
    assert ruler.granule == 5  # chains of one instruction a link, and a branch
