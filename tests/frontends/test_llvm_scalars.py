"""Arithmetic, comparison, selection and casts of LLVM IR as operations of the IR."""

import pytest
from llvm_inputs.rendered import kernel_text, lowered, parsed, rendered

ONE = "f32:3f800000"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("%r = add nuw nsw i32 %x, -3", "add.s32 %r, %x, -3"),
        ("%r = sub i64 %l, 1", "sub.s64 %r, %l, 1"),
        ("%r = mul i8 %c, %c", "mul.lo.s8 %r, %c, %c"),
        ("%r = sdiv i32 %x, %y", "div.s32 %r, %x, %y"),
        ("%r = udiv exact i32 %x, %y", "div.u32 %r, %x, %y"),
        ("%r = srem i64 %l, 7", "rem.s64 %r, %l, 7"),
        ("%r = urem i32 %x, %y", "rem.u32 %r, %x, %y"),
        ("%r = and i32 %x, %y", "and.b32 %r, %x, %y"),
        ("%r = or disjoint i64 %l, 1", "or.b64 %r, %l, 1"),
        ("%r = xor i32 %x, -1", "xor.b32 %r, %x, -1"),
        ("%r = shl i32 %x, %y", "shl.b32 %r, %x, %y"),
        ("%r = lshr i64 %l, 3", "shr.u64 %r, %l, 3"),
        ("%r = ashr exact i32 %x, 31", "shr.s32 %r, %x, 31"),
        ("%r = fadd contract float %f, 1.0", f"add.f32 %r, %f, {ONE}"),
        ("%r = fsub float %f, 0x7FF0000000000000", "sub.f32 %r, %f, f32:7f800000"),
        ("%r = fmul half %h, 0xH3C00", "mul.f16 %r, %h, f16:3c00"),
        ("%r = fdiv double %d, 2.5", "div.rn.f64 %r, %d, f64:4004000000000000"),
        ("%r = fdiv float %f, %g", "div.rn.f32 %r, %f, %g"),
        ("%r = fdiv arcp float %f, %g", "div.approx.f32 %r, %f, %g"),
        ("%r = fdiv float %f, %g, !fpmath !0", "div.full.f32 %r, %f, %g"),
        ("%r = fneg fast float %f", "neg.f32 %r, %f"),
        ("%r = freeze i32 %x", "mov.b32 %r, %x"),
        ("%r = icmp eq i32 %x, 0", "setp.eq.b32 %r, %x, 0"),
        ("%r = icmp samesign ult i32 %x, %y", "setp.lt.u32 %r, %x, %y"),
        ("%r = icmp sge i64 %l, 4", "setp.ge.s64 %r, %l, 4"),
        ("%r = icmp ne ptr %q, null", "setp.ne.b64 %r, %q, 0"),
        ("%r = fcmp oeq float %f, %g", "setp.eq.f32 %r, %f, %g"),
        ("%r = fcmp one float %f, %g", "setp.ne.f32 %r, %f, %g"),
        ("%r = fcmp une float %f, %g", "setp.neu.f32 %r, %f, %g"),
        ("%r = fcmp uge double %d, %d", "setp.geu.f64 %r, %d, %d"),
        ("%r = fcmp ord float %f, %g", "setp.num.f32 %r, %f, %g"),
        ("%r = fcmp uno float %f, %g", "setp.nan.f32 %r, %f, %g"),
        ("%r = fcmp true float %f, %g", "mov.pred %r, 1"),
        ("%r = zext nneg i32 %x to i64", "cvt.u64.u32 %r, %x"),
        ("%r = sext i8 %c to i32", "cvt.s32.s8 %r, %c"),
        ("%r = trunc i64 %l to i32", "cvt.u32.u64 %r, %l"),
        ("%r = fpext float %f to double", "cvt.f64.f32 %r, %f"),
        ("%r = fptrunc double %d to float", "cvt.rn.f32.f64 %r, %d"),
        ("%r = fptosi float %f to i32", "cvt.rzi.s32.f32 %r, %f"),
        ("%r = fptoui double %d to i64", "cvt.rzi.u64.f64 %r, %d"),
        ("%r = sitofp i32 %x to float", "cvt.rn.f32.s32 %r, %x"),
        ("%r = uitofp i64 %l to double", "cvt.rn.f64.u64 %r, %l"),
        ("%r = bitcast float %f to i32", "mov.b32 %r, %f"),
        ("%r = ptrtoint ptr %q to i64", "mov.b64 %r, %q"),
        ("%r = ptrtoint ptr %q to i32", "cvt.u32.u64 %r, %q"),
        ("%r = inttoptr i64 %l to ptr", "mov.b64 %r, %l"),
        ("%r = addrspacecast ptr addrspace(1) %p to ptr", "cvta.global.u64 %r, %p"),
        ("%r = addrspacecast ptr %q to ptr addrspace(3)", "cvta.to.shared.u64 %r, %q"),
    ],
)
def test_one_statement_is_one_instruction(statement, expected):
    assert lowered(statement, around="!0 = !{float 2.5}\n") == [expected]


def test_register_types_follow_the_values():
    kernel = parsed_kernel("%a = icmp eq i32 %x, 0\n%b = add i8 %c, 1\n%e = fadd half %h, %h")
    types = {r.name: r.type.name for r in kernel.registers}
    assert types["%a"] == "pred"
    assert (types["%b"], types["%e"], types["%p"], types["%d"]) == ("b8", "f16", "b64", "f64")


def parsed_kernel(body):
    return parsed(kernel_text(body)).module.kernels[0]


def test_predicates_are_computed_with_logic():
    body = """
    %a = icmp eq i32 %x, 0
    %b = icmp eq i32 %y, 0
    %n = xor i1 %a, true
    %u = and i1 %a, %b
    %v = select i1 %a, i1 true, i1 %b
    %w = select i1 %a, i1 %b, i1 false
    %e = icmp eq i1 %a, %b
    %i = icmp slt i1 %a, %b
    """
    assert lowered(body)[2:] == [
        "not.pred %n, %a",
        "and.pred %u, %a, %b",
        "or.pred %v, %a, %b",
        "and.pred %w, %a, %b",
        "xor.pred %.t1, %a, %b",
        "not.pred %e, %.t1",
        "selp.s32 %.t2, -1, 0, %a",
        "selp.s32 %.t3, -1, 0, %b",
        "setp.lt.s32 %i, %.t2, %.t3",
    ]


def test_predicates_become_numbers_by_selection():
    body = """
    %a = icmp eq i32 %x, 0
    %z = zext i1 %a to i64
    %i = sext i1 %a to i32
    %u = uitofp i1 %a to float
    %t = trunc i32 %x to i1
    %n = trunc nuw i32 %x to i1
    %m = select nnan i1 %a, float %f, float 1.0
    """
    assert lowered(body)[1:] == [
        "selp.s64 %z, 1, 0, %a",
        "selp.s32 %i, -1, 0, %a",
        f"selp.f32 %u, {ONE}, f32:0, %a",
        "and.b32 %.t1, %x, 1",
        "setp.ne.b32 %t, %.t1, 0",
        "setp.ne.b32 %n, %x, 0",
        f"selp.f32 %m, %f, {ONE}, %a",
    ]


def test_shift_amounts_are_32_bits_wide():
    assert lowered("%r = shl i64 %l, %l") == ["cvt.u32.u64 %.t1, %l", "shl.b64 %r, %l, %.t1"]


def test_frem_is_spelled_out():
    assert lowered("%r = frem float %f, %g") == [
        "div.rn.f32 %.t1, %f, %g",
        "cvt.rzi.f32.f32 %.t2, %.t1",
        "neg.f32 %.t3, %.t2",
        "fma.rn.f32 %r, %.t3, %g, %f",
    ]


def test_odd_widths_are_cut_and_extended_and_noted_once():
    result = parsed(
        'target triple = "nvptx64"\n'
        "define ptx_kernel void @k(i32 %x, i64 %l) {\n"
        "  %a = trunc i32 %x to i3\n  %b = sext i3 %a to i32\n  %c = add i3 %a, 1\n"
        "  %d = add i3 %a, 2\n  ret void\n}\n"
    )
    assert rendered(result.module.kernels[0])[:7] == [
        "cvt.u8.u32 %.t1, %x",
        "and.b8 %a, %.t1, 7",
        "shl.b8 %.t2, %a, 5",
        "shr.s8 %.t3, %.t2, 5",
        "cvt.s32.s8 %b, %.t3",
        "add.s8 %.t4, %a, 1",
        "and.b8 %c, %.t4, 7",
    ]
    (note,) = result.diagnostics
    assert (note.severity.value, note.span.line) == ("note", 4)
    assert "3 bits" in note.message


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("0x3FB99999A0000000", 0x3DCCCCCD),
        ("-0.0", 0x80000000),
        ("0x7FF8000000000000", 0x7FC00000),
        ("0xFFF0000020000000", 0xFF800001),
        ("1.000000e+02", 0x42C80000),
    ],
)
def test_float_constants_keep_their_bits(text, bits):
    assert lowered(f"%r = fadd float %f, {text}") == [f"add.f32 %r, %f, f32:{bits:x}"]


def test_bfloat_has_its_own_type():
    assert lowered("%r = fmul bfloat %b, 0xR3F80", "bfloat %b") == ["mul.bf16 %r, %b, bf16:3f80"]
