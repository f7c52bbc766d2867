"""Seldom constructs of LLVM: all are understood, and what they become keeps the IR's rules."""

import operator
from pathlib import Path

import pytest
from llvm_inputs.rendered import kernel_text, parsed, rendered

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.reader import read_module

TEXT = (Path(__file__).parent / "llvm_inputs" / "constructs.ll").read_text()


def test_nothing_is_left_to_warn_of():
    result = parsed(TEXT)
    assert [d.message for d in result.diagnostics if d.severity.value != "note"] == []
    opcodes = {i.operation.opcode for k in result.module.kernels for i in k.instructions}
    assert not any(opcode.startswith(("unknown", "call")) for opcode in opcodes)
    assert {
        "atom.nand.global.b32", "atom.sub_cond.global.u32", "atom.sub_sat.global.u16",
        "atom.global.max.NaN.f32", "atom.global.add.noftz.f16x2", "atom.global.cas.b128",
        "tex.2d.v4.f32.f32", "tex.3d.v4.s32.s32", "suld.b.2d.b32.trap", "sust.b.2d.v2.b32.clamp",
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32",
        "barrier.cluster.arrive.aligned", "alloca.u64", "stacksave.u64", "math.ldexp.f32",
    } <= opcodes  # fmt: skip


def test_constants_are_taken_apart_bit_by_bit():
    floats = "<2 x float> bitcast (<1 x double> splat (double 1.0) to <2 x float>)"
    body = (
        "store i32 bitcast (<2 x i16> <i16 1, i16 2> to i32), ptr %q\n"
        f"store float extractelement ({floats}, i32 1), ptr %q"
    )
    assert rendered(parsed(kernel_text(body)).module.kernels[0])[:2] == [
        "st.global.b32 [%q], 131073",
        "st.global.f32 [%q], f32:3ff00000",
    ]


def test_the_result_is_printed_and_read_back():
    module = parse(Source("t.ll", TEXT)).module
    assert print_module(read_module(print_module(module))) == print_module(module)


def test_a_thread_that_ends_inside_a_block_ends_the_block():
    body = "br label %a\na:\n%r = phi i32 [ 1, %entry ], [ %n, %b ]\nbr label %b\nb:\n"
    body += "%n = add i32 %r, 1\ncall void @llvm.nvvm.exit()\nstore i32 %n, ptr %q\n"
    body += "br i1 true, label %a, label %z\nz:"
    (kernel,) = parsed(kernel_text(body, around="declare void @llvm.nvvm.exit()\n")).module.kernels
    assert rendered(kernel)[-3:] == ["add.s32 %n, %r, 1", "exit", "ret"]
    assert [e.predecessor for e in kernel.blocks[1].incoming] == [0]


def test_a_jump_to_an_address_may_go_to_all_blocks_and_is_said():
    body = "indirectbr ptr %q, [label %a, label %b, label %a]\na:\nret void\nb:"
    result = parsed(kernel_text(body))
    assert result.module.kernels[0].blocks[0].successors == (1, 2)
    (warning,) = result.diagnostics
    assert (warning.severity.value, "indirectbr" in warning.message) == ("warning", True)


def test_assembly_that_jumps_keeps_its_edges():
    body = 'callbr void asm "", "!i"()\n to label %a [label %b]\na:\nret void\nb:'
    result = parse(Source("t.ll", kernel_text(body)))
    assert set(result.module.kernels[0].blocks[0].successors) == {1, 2}
    assert [d.severity.value for d in result.diagnostics] == ["warning"]


@pytest.mark.parametrize("mask", range(1, 1024, 37))
def test_a_class_of_numbers_by_their_bits(mask):
    """Hand-made: the ten kinds of a half, by its fields."""
    samples = {0x7C01: 1, 0x7E00: 2, 0xFE00: 2, 0xFC00: 4, 0xBC00: 8, 0x8001: 16, 0x8000: 32,
               0x0000: 64, 0x03FF: 128, 0x0400: 256, 0x7BFF: 256, 0x7C00: 512}  # fmt: skip
    lines = f"""
    %r = call i1 @llvm.is.fpclass.f16(half %h, i32 {mask})
    """
    around = "declare i1 @llvm.is.fpclass.f16(half, i32)\n"
    (kernel,) = parsed(kernel_text(lines, around=around)).module.kernels
    for bits, kind in samples.items():
        assert evaluated(kernel, bits) == bool(mask & kind), hex(bits)


OPERATIONS = {
    "mov.b16": lambda a: a, "mov.pred": lambda a: a, "and.b16": operator.and_,
    "sub.s16": lambda a, b: (a - b) & 0xFFFF, "setp.gt.u16": operator.gt,
    "setp.ge.u16": operator.ge, "setp.lt.u16": operator.lt, "setp.eq.b16": operator.eq,
    "setp.lt.s16": operator.lt, "setp.ge.s16": operator.ge, "or.pred": operator.or_,
    "and.pred": operator.and_,
}  # fmt: skip


def evaluated(kernel, bits):
    """Follow the predicates that a half's bits give."""
    state = {}

    def value(operand):
        if hasattr(operand, "index"):
            return state.get(operand.index, bits)
        return operand.value & 0xFFFF

    for instruction in kernel.instructions:
        opcode = instruction.operation.opcode
        if opcode == "ret":
            break
        to, *sources = instruction.operands
        read = [value(s) for s in sources]
        signed = [v - 0x10000 if v >> 15 else v for v in read]
        state[to.index] = OPERATIONS[opcode](*(signed if ".s16" in opcode else read))
    return bool(state[to.index])
