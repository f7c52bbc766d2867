"""Inline assembly, read as PTX."""

from warpmill.analyzer.frontends.ptx.module import OPERAND, read_assembly
from warpmill.analyzer.ir.kernel import Function


def opcodes(text, *types):
    read = read_assembly(text, types)
    assert isinstance(read, Function), read
    return [i.operation.opcode for i in read.instructions]


def test_operands_are_registers_of_their_types():
    read = read_assembly("@$2 st.global.v2.b32 [ $1 + 8 ], { $0, ${0:x} };", ("b32", "b64", "pred"))
    types = {register.name: register.type.name for register in read.registers}
    assert types == {f"{OPERAND}0": "b32", f"{OPERAND}1": "b64", f"{OPERAND}2": "pred"}
    assert [i.operation.opcode for i in read.instructions] == ["st.global.v2.b32", "ret"]


def test_scopes_registers_and_loops_of_its_own():
    text = """{
        .reg .pred done;
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;
        @!done bra.uni wait;
    }"""
    read = read_assembly(text, ("b32", "b32"))
    assert len(read.blocks) == 2
    assert read.blocks[0].instructions[-1].targets == (0,)


def test_comments_and_dollars():
    assert opcodes("// wait for $0\n bra $$L; $$L: mov.b32 $0, %laneid;", "b32") == [
        *("bra", "mov.b32", "ret"),
    ]


def test_a_scope_that_other_assembly_closes_is_empty():
    assert opcodes("{") == opcodes("}") == ["ret"]


def test_what_is_no_ptx_is_told():
    assert "wants .f32" in read_assembly("add.f32 $0, $0, $1;", ("f32", "b64"))
    assert isinstance(read_assembly("v_add_f32 $0, $1, $2", ("b32", "b32", "b32")), str)
    assert isinstance(read_assembly("} .func evil() { ret;", ()), str)
