"""Basic blocks, branches, scopes and labels."""

import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Kernel, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.ir.verifier import verify

HEAD = """.version 8.0
.target sm_90
.address_size 64
.global .u32 word;
.visible .entry k()
{
.reg .pred %p<4>; .reg .b32 %r<10>;
"""


def kernel(body: str) -> Kernel:
    return parse(Source("k.ptx", f"{HEAD}{body}\n}}\n")).module.kernels[0]


def edges(made: Kernel):
    """Label, number of instructions, fall-through and targets of each block."""
    return [
        (
            b.label,
            len(b.instructions),
            b.fallthrough,
            b.instructions[-1].targets if b.instructions else (),
        )
        for b in made.blocks
    ]


def test_a_loop_with_a_guarded_branch():
    made = kernel("""mov.u32 %r1, 0;
$L__BB0_1: add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, 9;
@%p1 bra $L__BB0_1;
bra.uni DONE;
trap;
DONE: ret;""")
    assert edges(made) == [
        ("bb0", 1, 1, ()),
        ("$L__BB0_1", 3, 2, (1,)),
        ("bb2", 1, None, (4,)),
        ("bb3", 1, 4, ()),
        ("DONE", 1, None, ()),
    ]
    assert [b.id for b in made.blocks] == [0, 1, 2, 3, 4]


def test_trap_does_not_end_a_block_and_guarded_ends_fall_through():
    made = kernel("trap; @%p1 ret; @!%p1 exit; exit; ret;")
    assert edges(made) == [
        ("bb0", 2, 1, ()),
        ("bb1", 1, 2, ()),
        ("bb2", 1, None, ()),
        ("bb3", 1, None, ()),
    ]


def test_branch_target_lists_may_stand_before_or_after():
    made = kernel("""bra B;
A: ret;
T: .branchtargets B, A, B;
B: brx.idx %r1, T;
@%p1 brx.idx %r1, U;
U: .branchtargets A;
ret;""")
    assert edges(made) == [
        ("bb0", 1, None, (2,)),
        ("A", 1, None, ()),
        ("B", 1, None, (2, 1, 2)),
        ("bb3", 1, 4, (1,)),
        ("bb4", 1, None, ()),
    ]


def test_where_control_reaches_the_end_it_returns():
    """As ptxas has it, which takes such bodies without a word."""
    assert edges(kernel("membar.gl;")) == [("bb0", 2, None, ())]
    assert edges(kernel("")) == [("bb0", 1, None, ())]
    assert edges(kernel("@%p1 ret;")) == [("bb0", 1, 1, ()), ("bb1", 1, None, ())]
    assert edges(kernel("bra M; ret; M:"))[-1] == ("M", 1, None, ())
    (*_, last) = kernel("membar.gl;").instructions
    assert (last.operation.opcode, last.span) == ("ret", (9, 1, 2))
    assert not list(verify(parse(Source("k.ptx", f"{HEAD}@%p1 ret;\n}}")).module))


def test_where_control_does_not_reach_the_end_nothing_is_added():
    assert edges(kernel("L: bra L;")) == [("L", 1, None, (0,))]
    assert edges(kernel("exit;")) == [("bb0", 1, None, ())]


def test_labels_that_no_branch_names_start_no_block():
    made = kernel("$L__begin: membar.gl;\n$L__tmp: membar.gl; ret;\n$L__end:")
    assert edges(made) == [("$L__begin", 3, None, ())]


def test_two_labels_at_one_place_are_one_block():
    made = kernel("bra B; A: B: membar.gl; @%p1 bra A; ret;")
    assert edges(made) == [("bb0", 1, None, (1,)), ("A", 2, 2, (1,)), ("bb2", 1, None, ())]


def test_names_of_blocks_without_labels_are_free():
    made = kernel("bra bb1; bb0: bb1: @%p1 bra bb0; ret;")
    assert [b.label for b in made.blocks] == ["bb0_2", "bb0", "bb2"]


def test_labels_and_registers_of_scopes_are_renamed():
    made = kernel("""{ .reg .pred P; .reg .b32 %r1; WAIT: mov.b32 %r1, 1; @P bra WAIT; }
mov.b32 %r1, 2;
{ .reg .pred P; WAIT: @!P bra WAIT; bra OUT; { mov.b32 %r1, 3; @P bra WAIT; } }
OUT: ret;""")
    assert [(r.name, r.type.name) for r in made.registers] == [
        ("%r1", "b32"),
        ("P", "pred"),
        ("%r1_2", "b32"),
        ("P_2", "pred"),
    ]
    assert edges(made) == [
        ("WAIT", 2, 1, (0,)),
        ("bb1", 1, 2, ()),
        ("WAIT_2", 1, 3, (2,)),
        ("bb3", 1, None, (5,)),
        ("bb4", 2, 5, (2,)),
        ("OUT", 1, None, ()),
    ]


def test_an_inner_declaration_hides_an_outer_one_only_from_then_on():
    made = kernel("{ mov.b32 %r1, 1; .reg .b32 %r1; mov.b32 %r1, 2; } mov.b32 %r1, 3; ret;")
    assert [i.operands[0].index for i in made.instructions if i.operands] == [0, 1, 0]


def test_an_operand_known_outside_means_something_else_inside():
    made = kernel("""mov.b32 %r1, [%r2+4]; @%p1 mov.b32 %r1, 2;
{ .reg .b32 %r1, %r2; .reg .pred %p<2>; mov.b32 %r1, [%r2+4]; @%p1 mov.b32 %r1, 2; }
{ mov.b32 %r1, [%r2+4]; @%p1 mov.b32 %r1, 2; } ret;""")
    instructions = list(made.instructions)
    assert [i.operands[0].index for i in instructions[:6:2]] == [0, 3, 0]
    assert [i.address.base.index for i in instructions[:6:2]] == [1, 4, 1]
    assert [i.guard.register.index for i in instructions[1:6:2]] == [2, 5, 2]


def test_variables_of_scopes_are_renamed():
    made = kernel("""{ .param .b32 param0; st.param.b32 [param0], %r1; }
{ .param .align 8 .b8 param0[16]; st.param.b32 [param0+8], %r1; }
{ .shared .u32 word; st.shared.b32 [word], %r1; }
st.global.b32 [word], %r1; ret;""")
    assert [(v.name, v.space, v.size_bytes) for v in made.variables] == [
        ("param0", Space.PARAM, 4),
        ("param0_2", Space.PARAM, 16),
        ("word_2", Space.SHARED, 4),
    ]
    assert [i.address.base for i in made.instructions if i.address] == [
        Symbol("param0"),
        Symbol("param0_2"),
        Symbol("word_2"),
        Symbol("word"),
    ]


@pytest.mark.parametrize("name", ["%tid", "%laneid"])
def test_a_register_hides_a_special_register(name):
    made = kernel(f".reg .b32 {name}; mov.b32 %r1, {name}; ret;")
    assert [r.name for r in made.registers] == ["%r1", name]


NESTED = """.version 7.2
.target sm_80
.address_size 64
.visible .entry kernel()
{
    .reg .b32 %r<9>;
    .loc 1 6 1
    mov.u32 %r1, 1;
    .loc 2 216 16, function_name $L_name, inlined_at 1 11 30
    mov.u32 %r2, 2;
    .loc 2 196 12, function_name $L_name, inlined_at 2 216 16
    mov.u32 %r3, 3;
    .loc 2 216 16, function_name $L_name, inlined_at 1 12 56
    mov.u32 %r4, 4;
    .loc 2 196 12, function_name $L_name, inlined_at 2 216 16
    mov.u32 %r5, 5;
    .loc 3 9 2, function_name $L_name, inlined_at 1 13 5
    mov.u32 %r6, 6;
    ret;
}
.file 1 "kernels.py"
.file 2 "/lib/triton/language/standard.py"
.file 3 "helpers.py"
"""


def test_a_line_that_is_inlined_into_an_inlined_function_knows_both_calls():
    (kernel,) = parse(Source("a.ptx", NESTED)).module.kernels
    debugs = [i.debug for i in kernel.instructions][:6]

    def chain(debug):
        return [] if debug is None else [debug.line, *chain(debug.inlined_at)]

    assert [chain(debug) for debug in debugs] == [
        [6], [216, 11], [196, 216, 11], [216, 12], [196, 216, 12], [9, 13],
    ]  # fmt: skip
    own = [(debug.place.file, debug.place.line) for debug in debugs]
    lines = [6, 11, 11, 12, 12]  # of a library of a compiler the call, of a helper its own line
    assert own == [*(("kernels.py", line) for line in lines), ("helpers.py", 9)]
