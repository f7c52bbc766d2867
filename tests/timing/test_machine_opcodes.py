"""Opcodes of machine code: the table of what they do and that of their units have the same ones."""

import pytest

from warpmill.analyzer.ir.operation import Knowledge, decode, goes_past_l1
from warpmill.analyzer.ir.types import OpClass
from warpmill.analyzer.machine_code.sass import mnemonic_like, sass_operation, sass_table
from warpmill.simulator.assembler.costs import factor_bits, mma_shape, operation_cost
from warpmill.simulator.assembler.values import expansion_table, machine_mix
from warpmill.simulator.machines import load_machine


def operation(opcode, addresses=False):
    return sass_operation(opcode, 1, 2, has_addresses=addresses)


def test_each_opcode_with_a_unit_is_known():
    named = {o for unit in expansion_table().units.values() for o in unit.opcodes}
    lacking = [o for o in named if operation(o).knowledge is Knowledge.NEAREST]
    assert lacking == []
    assert {o.partition(".")[0] for o in named} <= {
        o.partition(".")[0] for o in sass_table().opcodes
    }


@pytest.mark.parametrize(
    ("opcode", "unit"),
    [
        ("IMAD.MOV.U32", "move"),
        ("IMAD.WIDE", "multiply"),
        ("F2I.S32.F64.TRUNC", "convert64"),
        ("F2F.F32.F64", "convert64"),
        ("I2F.U32", "convert"),
        ("LDG.32.ld.global.f32", "memory"),
        ("BAR.SYNC.DEFER_BLOCKING", "arrive"),
        ("DFOO", "fp64"),
        ("HFOO2", "fp16"),
        ("XYZ", "add"),
    ],
)
def test_an_instruction_is_one_of_the_unit_of_its_opcode(opcode, unit):
    assert machine_mix(operation(opcode)).counts == ((unit, 1),)


def test_matrix_products_have_their_shape_and_factors():
    shapes = {
        "HMMA.16816.F32": (16, 8, 16),
        "HMMA.1688.F32.TF32": (16, 8, 8),
        "HMMA.884.F32.F32.STEP1": (8, 8, 4),
        "IMMA.16832.S8.S8": (16, 8, 32),
        "DMMA.884": (8, 8, 4),
        "BMMA.88128.XOR.POPC": (8, 8, 128),
    }
    assert {o: mma_shape(o) for o in shapes} == shapes
    assert [factor_bits(operation(o)) for o in shapes] == [16, 32, 16, 8, 64, 1]
    assert mma_shape("IMAD.16816") is None
    machine = load_machine("a100")
    whole, half = (
        operation_cost(operation(o), machine_mix(operation(o)), machine, is_free=False)
        for o in ("HMMA.16816.F32", "HMMA.1688.F32")
    )
    assert whole.pipe_cycles == 2 * half.pipe_cycles > 0


def test_accesses_that_others_are_to_see_go_past_l1():
    past = {o: goes_past_l1(operation(o, addresses=True)) for o in (
        "LDG.E.SYS", "LDG.E.STRONG.GPU", "LDG.E.STRONG.SYS", "LDG.E.STRONG.CTA", "LDL.STRONG.GPU",
    )}  # fmt: skip
    assert [*past.values()] == [False, True, True, False, False]
    cached = goes_past_l1(operation("LDG.E.CONSTANT", addresses=True), caches_global=False)
    assert not cached


@pytest.mark.parametrize(
    ("ptx", "mnemonic"),
    [
        ("add.s32", "IADD3"), ("add.f64", "DADD"), ("fma.rn.f32", "FFMA"), ("mul.f16x2", "HMUL2"),
        ("setp.lt.f32", "FSETP"), ("mad.lo.s32", "IMAD"), ("cvt.rn.f32.s32", "I2F"),
        ("cvt.u64.u32", "MOV"), ("ld.global.v4.f32", "LDG"), ("ld.shared.f32", "LDS"),
        ("ld.param.u64", "LDC"), ("ld.u32", "LD"), ("st.local.b32", "STL"), ("bar.sync", "BAR"),
        ("atom.shared.add.u32", "ATOMS"), ("red.global.add.u32", "RED"), ("ret", "EXIT"),
        ("shfl.sync.bfly.b32", "SHFL"), ("div.rn.f32", "MUFU"), ("membar.gl", "MEMBAR"),
        ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "HMMA"), ("popc.b32", "POPC"),
        ("tex.2d.v4.f32.s32", "TEX"), ("cp.async.wait_group", "DEPBAR"), ("bra", "BRA"),
    ],
)  # fmt: skip
def test_an_operation_of_ptx_has_a_mnemonic(ptx, mnemonic):
    assert mnemonic_like(decode(ptx)) == mnemonic
    assert sass_operation(mnemonic, 1, 1, has_addresses=False).op_class is not OpClass.UNKNOWN
