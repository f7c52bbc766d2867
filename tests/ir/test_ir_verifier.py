"""Each rule of the verifier: a module that breaks it, once, and what is said where."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Severity, Span
from warpmill.analyzer.ir import verifier
from warpmill.analyzer.ir.kernel import Imm, Reg, Register, Symbol
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind
from warpmill.analyzer.ir.verifier import verify

GOOD = """
.module good.ptx target sm_80 version "9.0" address_bits 64 warp_size 32
.declare vprintf
.var const b8 table size 8 align 8 attributes extern [2:1-9]
.data &helper+4
.function helper [3:1-9]
    .reg u32 %a
    .param u32 x size 4 align 4 register %a
    .return u32 y size 4 align 4
.block 0 ^only
    ret [4:5-8]
.end
.kernel k [5:1-9]
    .reg pred %p, %q
    .reg s32 %i, %j
    .reg u64 %rd
    .reg f32[4] %v
    .param u64 out size 8 align 8 register %rd pointee_align 16
    .param u32 n size 4 align 4
    .var shared b8 tile size ? align 16 [6:1-9]
.block 0 ^entry fallthrough ^loop
    ld.param.u32 %i, [&n] [7:5-20]
    @!%p bra -> ^end [8:5-20]
.block 1 ^loop fallthrough ^pick
    .from ^entry %i = 0, %j = &table+4
    .from ^pick %i = %j, %j = %i
    st.shared.u32 [&tile+4], %i [9:5-20]
    selp.s32 %i, 1, 2, !%p [10:5-20]
    call.uni (%i), &helper, (%j) [11:5-20]
    call.uni (), %rd, (), &prototype_1 [12:5-20]
    setp.lt.s32 %p|%q, %i, 5 [13:5-20]
    frobnicate.s32 [14:5-20]
    atom.global.add.u32 _, [%rd], 1 [15:5-20]
    @%p exit [15:30-40]
.block 2 ^pick fallthrough ^end
    switch %i, 0, -1 -> ^loop, ^end [16:5-20]
.block 3 ^end
    ret [17:5-20]
.end
"""


def breaking(old, new):
    assert GOOD.count(old) == 1, old
    return read_module(GOOD.replace(old, new))


def rules(module):
    return [int(re.match(r"invalid IR, rule (\d+): ", d.message)[1]) for d in verify(module)]


def with_kernel(**changes):
    module = read_module(GOOD)
    return replace(module, kernels=(replace(module.kernels[0], **changes),))


def with_instruction(number, **changes):
    kernel = read_module(GOOD).kernels[0]
    block = kernel.blocks[1]
    instructions = list(block.instructions)
    instructions[number] = replace(instructions[number], **changes)
    changed = replace(block, instructions=tuple(instructions))
    return with_kernel(blocks=(kernel.blocks[0], changed, *kernel.blocks[2:]))


def test_a_good_module_breaks_no_rule():
    assert verify(read_module(GOOD)) == ()


BROKEN = json.loads(Path(__file__).with_name("broken_modules.json").read_text("utf-8"))


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("expected", "old", "new"), BROKEN)
def test_breaking_a_rule_is_told_once(expected, old, new):
    assert rules(breaking(old, new)) == expected


def test_a_function_without_blocks_has_no_entry():
    assert rules(with_kernel(blocks=())) == [2]


def test_a_vector_register_is_no_guard():
    registers = list(read_module(GOOD).kernels[0].registers)
    registers[0] = replace(registers[0], vector=2)
    assert set(rules(with_kernel(registers=tuple(registers)))) == {9, 23}


@pytest.mark.parametrize("name", ["%p", "%q"])
def test_two_registers_with_one_name(name):
    kernel = read_module(GOOD).kernels[0]
    twin = Register(name, TYPES["pred"])
    assert rules(with_kernel(registers=(*kernel.registers, twin))) == [16]


def test_two_blocks_with_one_label():
    blocks = read_module(GOOD).kernels[0].blocks
    assert rules(with_kernel(blocks=(*blocks[:3], replace(blocks[3], label="loop")))) == [16]


def test_two_variables_of_a_function_with_one_name():
    (tile,) = read_module(GOOD).kernels[0].variables
    assert rules(with_kernel(variables=(tile, tile))) == [16]


def test_a_type_outside_the_table():
    odd = Register("%odd", Type("s32", TypeKind.SIGNED, 33))
    kernel = read_module(GOOD).kernels[0]
    assert rules(with_kernel(registers=(*kernel.registers, odd))) == [20]


def test_an_operation_that_its_opcode_does_not_decode_to():
    broken = replace(decode("selp.s32"), vector=2)
    assert rules(with_instruction(1, operation=broken)) == [20]


def test_operands_of_an_unknown_opcode_are_not_held_against_it():
    assert rules(with_instruction(5, operands=(Imm(4),))) == []
    assert rules(with_instruction(5, operands=(Reg(40), Symbol("gone")))) == [8, 15]


def test_a_call_may_name_a_prototype_but_no_unknown_callee():
    (found,) = verify(breaking("&helper, (%j)", "&prototype_1, (%j)"))
    assert "rule 15: there is no `prototype_1` in `k`" in found.message


def test_errors_stand_in_order_and_point_into_the_input():
    text = GOOD.replace("[&n]", "[&m]").replace("2, !%p", "2, !%i")
    text = text.replace("warp_size 32", "warp_size 0")
    first, second, third = verify(read_module(text))
    assert (first.message, first.span) == ("invalid IR, rule 21: a warp of 0 lanes", None)
    assert second.message == "invalid IR, rule 15: there is no `m` in `k`"
    assert (second.file, second.span, second.severity) == (
        "good.ptx", Span(7, 5, 20), Severity.ERROR,
    )  # fmt: skip
    assert third.message == "invalid IR, rule 9: register `%i` is not a predicate in `k`"
    assert third.span == Span(10, 5, 20)


def test_every_rule_of_the_docstring_is_broken_here():
    numbered = {int(n) for n in re.findall(r"^(\d+)\. ", verifier.__doc__, re.MULTILINE)}
    assert numbered == set(range(1, 24))
    assert numbered == {rules[0] for rules, _, _ in BROKEN if len(rules) == 1} | {2, 20}
