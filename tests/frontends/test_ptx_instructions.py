"""Every form of operand and guard, from text to IR."""

import pytest

from warpmill.analyzer.base.diagnostics import InputError, Source, Span
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    FloatImm,
    Guard,
    Imm,
    Kernel,
    Negated,
    NotPredicate,
    Pair,
    Reg,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.types import TYPES

HEAD = """.version 8.0
.target sm_90
.address_size 64
.global .texref image;
.global .align 4 .b8 table[64];
.extern .func (.param .b32 r) callee (.param .b32 x);
.visible .entry k(.param .u64 buffer)
{
.reg .pred %p<4>; .reg .b32 %r<10>, plain; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .v4 .f32 %v;
"""


def kernel(body: str) -> Kernel:
    return parse(Source("k.ptx", f"{HEAD}{body}\n}}\n")).module.kernels[0]


def one(statement: str):
    return next(iter(kernel(statement).instructions))


R0, R1, R2, R3 = (Reg(i) for i in range(4))
F32, F64 = TYPES["f32"], TYPES["f64"]


@pytest.mark.parametrize(
    ("statement", "operands"),
    [
        ("add.s32 %r1, %r2, plain;", (R0, R1, R2)),
        ("mov.u32 %r1, -5;", (R0, Imm(-5))),
        ("mov.u32 %r1, 0x1fU;", (R0, Imm(31))),
        ("mov.u32 %r1, 0b101;", (R0, Imm(5))),
        ("mov.u32 %r1, 017;", (R0, Imm(15))),
        ("mov.u32 %r1, 0;", (R0, Imm(0))),
        ("mov.u32 %r1, WARP_SZ;", (R0, Imm(32))),
        ("mov.u64 %rd1, 0xffffffffffffffff;", (R0, Imm(2**64 - 1))),
        ("mov.u32 %r1, -(3+1)*2;", (R0, Imm(-8))),
        ("mov.u32 %r1, 1<<4^3;", (R0, Imm(19))),
        ("mov.u32 %r1, (1|6)&~1;", (R0, Imm(6))),
        ("mov.u32 %r1, -7/2+7 % 4-1;", (R0, Imm(-1))),
        ("mov.f32 %f1, 0f3F800000;", (R0, FloatImm(0x3F800000, F32))),
        ("mov.f32 %f1, -0f3F800000;", (R0, FloatImm(0xBF800000, F32))),
        ("mov.f64 %rd1, 0d7FF0000000000000;", (R0, FloatImm(0x7FF << 52, F64))),
        ("mov.f32 %f1, 1.5;", (R0, FloatImm(0x3FC00000, F32))),
        ("mov.f32 %f1, -2.5e-1;", (R0, FloatImm(0xBE800000, F32))),
        ("mov.f64 %rd1, 1.5;", (R0, FloatImm(0x3FF8 << 48, F64))),
        ("mov.f32 %f1, .5;", (R0, FloatImm(0x3F000000, F32))),
        ("mov.f32 %f1, -.25e+1;", (R0, FloatImm(0xC0200000, F32))),
        ("mov.u32 %r1, 1 < 2 ? 4 : 5;", (R0, Imm(4))),
        ("mov.u32 %r1, 0 ? 1 : 0 ? 2 : 3;", (R0, Imm(3))),
        ("mov.u32 %r1, 4 && 0 || 2;", (R0, Imm(1))),
        ("mov.f32 %f1, 1e39;", (R0, FloatImm(0x7F800000, F32))),
        ("mov.u32 %r1, %tid.x;", (R0, Special("tid.x"))),
        ("mov.v4.b32 %v, %tid;", (R0, Special("tid"))),
        ("mov.u32 %r1, %lanemask_lt;", (R0, Special("lanemask_lt"))),
        ("mov.u32 %r1, %envreg31;", (R0, Special("envreg31"))),
        ("mov.u32 %r1, %cluster_nctaid.w;", (R0, Special("cluster_nctaid.w"))),
        ("mov.u64 %rd1, %pm3_64;", (R0, Special("pm3_64"))),
        ("mov.u64 %rd1, table;", (R0, Symbol("table"))),
        ("mov.u64 %rd1, table+8;", (R0, Symbol("table", 8))),
        ("mov.u64 %rd1, buffer;", (R0, Symbol("buffer"))),
        ("mov.f32 %f1, %v.y;", (R0, Element(R1, "y"))),
        ("vadd.s32.u32.s32 %r1, %r2.b0, %r3.h1;", (R0, Element(R1, "b0"), Element(R2, "h1"))),
        ("ld.global.u32 %r1, [%rd1];", (R0, Address(R1))),
        ("ld.global.u32 %r1, [%rd1+4].unified;", (R0, Address(R1, 4))),
        ("ld.global.L2::cache_hint.u32 %r1, [table].unified, %rd2;",
         (R0, Address(Symbol("table")), R1)),
        ("vmad.s32.s32.s32 %r1, -%r2, %r3, %r4;", (R0, Negated(R1), R2, R3)),
        ("vmad.s32.s32.s32 %r1, -%r2.b0, %r3, %r4;", (R0, Negated(Element(R1, "b0")), R2, R3)),
        ("vmad.s32.s32.s32 %r1, %r2.b0, %r3, -%r4;", (R0, Element(R1, "b0"), R2, Negated(R3))),
        ("ld.global.u32 %r1, [%rd1+16];", (R0, Address(R1, 16))),
        ("ld.global.u32 %r1, [%rd1+-4];", (R0, Address(R1, -4))),
        ("ld.global.u32 %r1, [%rd1-4+2*8];", (R0, Address(R1, 12))),
        ("ld.param.u64 %rd1, [buffer];", (R0, Address(Symbol("buffer")))),
        ("ld.global.u32 %r1, [table+8];", (R0, Address(Symbol("table"), 8))),
        ("ld.shared.u32 %r1, [64];", (R0, Address(Imm(64)))),
        ("ld.global.v2.f32 {%f1, _}, [%rd1];", (Vector((R0, Sink())), Address(R1))),
        ("st.global.v2.u32 [%rd1], {%r1, -3};", (Address(R0), Vector((R1, Imm(-3))))),
        ("st.global.v2.f32 [%rd1], {%f1, 1.5};",
         (Address(R0), Vector((R1, FloatImm(0x3FC00000, F32))))),
        ("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
         (Pair(R0, R1), R2, R3, NotPredicate(Reg(4)))),
        ("setp.lt.s32 _|%p2, %r1, %r2;", (Pair(Sink(), R0), R1, R2)),
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f6}];",
         (Vector((R0, R1, R2, R3)), TupleAddress((Symbol("image"), Vector((Reg(4), Reg(5))))))),
        ("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
         "[%r1], [%rd1, {%r2, %r3}], [%r4+8];",
         (Address(R0), TupleAddress((R1, Vector((R2, R3)))), Address(Reg(4), 8))),
        ("membar.gl;", ()),
    ],
)  # fmt: skip
def test_operands(statement, operands):
    assert one(statement).operands == operands


@pytest.mark.parametrize(
    ("statement", "operands"),
    [
        ("call callee;", (Arguments(()), Symbol("callee"), Arguments(()))),
        ("call.uni callee, (table);",
         (Arguments(()), Symbol("callee"), Arguments((Symbol("table"),)))),
        ("call (%r1), callee, (%r2, 5);",
         (Arguments((R0,)), Symbol("callee"), Arguments((R1, Imm(5))))),
        ("call (%r1), callee;", (Arguments((R0,)), Symbol("callee"), Arguments(()))),
        ("P : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) "
         ".noreturn; call (%r1), %rd1, (%rd2), P;",
         (Arguments((R0,)), R1, Arguments((R2,)), Symbol("P"))),
        ("T: .calltargets callee; call %rd1, T;",
         (Arguments(()), R0, Arguments(()), Symbol("T"))),
    ],
)  # fmt: skip
def test_calls_have_one_form(statement, operands):
    assert one(statement).operands == operands


def test_guards():
    body = "@%p1 add.s32 %r1, %r1, 1;\n@!%p1 ret;\n@ ! %p1 exit;"
    first, second, third, _ = kernel(body).instructions
    assert (first.guard, second.guard, third.guard) == (
        Guard(R0),
        Guard(R0, negated=True),
        Guard(R0, negated=True),
    )


def test_spans_start_at_the_guard_and_end_with_the_first_line():
    body = "  @%p1 add.s32 %r1,\n  %r2, 1  ;\n\tmov.u32 %r1, %r2; membar.gl;"
    spans = [i.span for i in kernel(body).instructions]
    assert spans[:3] == [Span(10, 3, 20), Span(12, 2, 18), Span(12, 20, 29)]


def test_registers_stand_in_order_of_first_use_those_of_ranges_first():
    made = kernel("mov.b32 plain, %r7; @%p2 mov.b32 %r3, plain; mov.v4.f32 %v, %v;")
    assert [(r.name, r.type.name, r.vector) for r in made.registers] == [
        ("%r7", "b32", 1),
        ("%p2", "pred", 1),
        ("%r3", "b32", 1),
        ("plain", "b32", 1),
        ("%v", "f32", 4),
    ]


def test_ranges_end_before_their_count_and_may_follow_digits():
    made = kernel(".reg .f32 %x1<3>; mov.f32 %x12, %x10;")
    assert [r.name for r in made.registers] == ["%x12", "%x10"]


def test_unknown_opcodes_are_warned_about_once_and_keep_their_operands():
    text = f"{HEAD}frobnicate.s32 %r1, [%rd1];\nfrobnicate.s32 %r1, [%rd2];\n}}"
    parsed = parse(Source("k.ptx", text))
    first = next(iter(parsed.module.kernels[0].instructions))
    (warning,) = parsed.diagnostics
    assert first.operands == (R0, Address(R1))
    assert str(warning).startswith(
        "k.ptx:10:1: warning: opcode `frobnicate.s32` is not in the table; "
    )
    assert warning.span == Span(10, 1, 15)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(.s64)-1", -1), ("3<4", 1), ("3==4", 0), ("3!=4", 1), ("3>=4", 0), ("4<=4", 1),
        ("(1?2:3)", 2), ("(0?1:0?4:5)", 5), ("(1&&0)", 0), ("(1||0&&0)", 1), ("!5", 0), ("!0", 1),
        ("- -3", 3), ("--3", 3), ("-~3", 4), ("1<2<3", 1), ("1 & 3 == 3", 1), ("-1<0U", 0),
        ("-1 < 0", 1), ("0xFFFFFFFFFFFFFFFF < 0", 0), ("(.s64)0xFFFFFFFFFFFFFFFF < 0", 1),
        ("-7/2", -3), ("-7/2U", 9223372036854775804), ("(.u64)-16>>2", 4611686018427387900),
        ("-16>>2", -4), ("0xFFFFFFFFFFFFFFFF/2", 9223372036854775807), ("3<<(.u64)2", 12),
        ("(.u64)-1/3", 6148914691236517205),
    ],
)  # fmt: skip
def test_constant_expressions_have_the_values_that_ptxas_gives(expression, value):
    (_, source), *_ = [i.operands for i in kernel(f"mov.b64 %rd1, {expression}; ret;").instructions]
    assert source == Imm(value)
    assert type(source.value) is int


@pytest.mark.parametrize("deep", ["-" * 5000 + "1", "(.s64)" * 5000 + "1", f"({'1?1:' * 5000}1)"])
def test_deep_expressions_are_errors(deep):
    with pytest.raises(InputError):
        kernel(f"mov.b64 %rd1, {deep}; ret;")


def test_a_cast_to_another_type_is_an_error():
    with pytest.raises(InputError, match="cannot be cast to"):
        kernel("mov.b64 %rd1, (.s32)5; ret;")


def interpreted(body):
    """What address arithmetic before the last instruction makes of it, by hand."""
    *before, last, _ = kernel(body).instructions
    return [(i.operation.opcode, i.operands) for i in before], last


ARRAYS = ".shared .align 8 .u64 s[16]; .reg .s32 %i;"


@pytest.mark.parametrize(
    ("statement", "operand"),
    [  # as the machine code of ptxas has it: elements count, not bytes
        ("ld.shared.u64 %rd1, s[3];", Address(Symbol("s"), 24)),
        ("ld.shared.u64 %rd1, s[2+1];", Address(Symbol("s"), 24)),
        ("mov.u64 %rd1, s[5];", Symbol("s", 40)),
    ],
)
def test_an_array_with_a_constant_index_is_an_address(statement, operand):
    before, last = interpreted(ARRAYS + statement)
    assert (before, last.operands[1]) == ([], operand)


@pytest.mark.parametrize(
    ("index", "opcode", "offset"),
    [
        ("%r1", "mad.wide.u32", 0),
        ("%i", "mad.wide.s32", 0),
        ("%rd2", "mad.lo.u64", 0),
        ("%r1+2", "mad.wide.u32", 16),
    ],
)
def test_an_array_with_an_index_in_a_register_takes_arithmetic(index, opcode, offset):
    (move, multiply), last = interpreted(f"{ARRAYS} st.shared.u64 s[{index}], %rd1;")
    start, scaled = move[1][0], multiply[1][0]
    assert move == ("mov.u64", (start, Symbol("s")))
    assert multiply == (opcode, (scaled, multiply[1][1], Imm(8), start))
    assert last.operands[0] == Address(scaled, offset)
