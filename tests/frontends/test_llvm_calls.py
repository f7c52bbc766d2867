"""Built-ins of CUDA, OpenCL and AMD become the operations that PTX has for them."""

import pytest
from llvm_inputs.rendered import PARAMETERS, kernel_text, parsed, rendered


def test_less_accurate_replacements_are_noted_once():
    around = "declare float @_Z3expf(float)\n"
    body = "%a = call float @_Z3expf(float %f)\n%b = call float @_Z3expf(float %a)"
    result = parsed(kernel_text(body, PARAMETERS, around))
    assert rendered(result.module.kernels[0])[:2] == [
        "mul.f32 %.t1, %f, f32:3fb8aa3b",
        "ex2.approx.f32 %a, %.t1",
    ]
    (note,) = result.diagnostics
    assert (note.severity.value, note.span.line) == ("note", 6)
    assert "`exp`" in note.message


def test_what_has_no_rule_stays_a_call():
    body = "%r = call float @unheard_of(float %f)\n%u = call float @unheard_of(float %g)"
    result = parsed(kernel_text(body, around="declare float @unheard_of(float)\n"))
    assert rendered(result.module.kernels[0])[0] == "call {%r}, &unheard_of, {%f}"
    (warning,) = result.diagnostics
    assert (warning.severity.value, warning.span.line) == ("warning", 6)
    assert "`unheard_of` has no body" in warning.message


@pytest.mark.parametrize(
    ("returns", "parameters"),
    [("float", "i64, ptr addrspace(1)"), ("<2 x float>", "i64, ptr addrspace(1), i32")],
)
def test_what_is_vload_by_its_name_alone_stays_a_call(returns, parameters):
    name = "@_Z6vload2mPU3AS1Kf"
    given = ", ".join(f"{type_} zeroinitializer" for type_ in parameters.split(", "))
    around = f"declare {returns} {name}({parameters})\n"
    result = parsed(kernel_text(f"%r = call {returns} {name}({given})", around=around))
    (warning,) = result.diagnostics
    assert f"`{name[1:]}` has no body" in warning.message


def test_assembly_with_a_computed_address_is_not_taken_for_plain():
    body = '%a = call i32 asm "ld.global.u32 $0, [$1+$1];", "=r,l"(i64 %l)'
    result = parsed(kernel_text(body))
    assert rendered(result.module.kernels[0])[0] == "unknown.b32 %a, %l"


def test_plain_inline_assembly_is_read_as_ptx():
    body = """
    %a = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()
    call void asm sideeffect "membar.gl;", "~{memory}"()
    %u = call i32 asm "{ .reg .pred p; .reg .u32 t; setp.lt.u32 p, $1, 7; @!p add.u32 t, $1, 1;
 selp.u32 $0, t, 0x1f, p; }", "=r,r"(i32 %x)
    %v = call { i32, i32 } asm "mov.b64 {$0,$1}, $2;", "=r,=r,l"(i64 %l)
    %e = call i32 asm "mad.lo.s32 $0, $1, $2, $0;", "=r,r,r,0"(i32 %x, i32 %y, i32 %a)
    call void asm sideeffect "st.global.u32 [ $0 + 4 ], $1;", "l,r,~{memory}"(i64 %l, i32 %x)
    %b = call i32 asm "{ .reg .u32 t<3>; add.u32 $0, $1, $1; }", "=r,r"(i32 %x)
    """.replace("7; @!p add.u32 t, $1, 1;\n", "7; @!p add.u32 t, $1, 1;")
    result = parsed(kernel_text(body))
    assert result.diagnostics == ()
    assert rendered(result.module.kernels[0]) == [
        "mov.u32 %a, %laneid",
        "membar.gl",
        "setp.lt.u32 %.t1, %x, 7",
        "@!%.t1 add.u32 %.t2, %x, 1",
        "selp.u32 %u, %.t2, 31, %.t1",
        "mov.b64 {%v.0 %v.1}, %l",
        "mad.lo.s32 %e, %x, %y, %a",
        "st.global.u32 [%l+4], %x",
        "add.u32 %b, %x, %x",
        "ret",
    ]
