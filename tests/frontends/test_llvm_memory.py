"""Loads, stores, atomics, address arithmetic, memory spaces and variables."""

import pytest
from llvm_inputs.rendered import copies, kernel_text, lowered, parsed, rendered

from warpmill.analyzer.ir.kernel import Symbol
from warpmill.analyzer.ir.types import Space

SHARED = "@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 4\n"


def test_phi_of_shared_and_unknown_pointers_is_generic():
    text = f"""target triple = "nvptx64"
{SHARED}
define ptx_kernel void @k(ptr %q, i1 %c) {{
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %g = phi ptr [ %q, %entry ], [ addrspacecast (ptr addrspace(3) @tile to ptr), %a ]
  %s = phi ptr [ addrspacecast (ptr addrspace(3) @tile to ptr), %entry ], [ poison, %a ]
  store i32 1, ptr %g
  store i32 2, ptr %s
  ret void
}}
"""
    kernel = parsed(text).module.kernels[0]
    assert rendered(kernel)[2:] == [
        "@%c bra a",
        "cvta.shared.u64 %.t2, &tile",
        "bra b",
        "st.b32 [%g], 1",
        "st.shared.b32 [%s], 2",
        "ret",
    ]
    assert copies(kernel, "b") == {
        "entry": {"%g": "%q", "%s": "&tile"},
        "a": {"%g": "%.t2", "%s": "0"},
    }


def test_a_stack_slot_is_a_local_variable():
    body = """
    %slot = alloca [8 x i32], align 4
    %e = getelementptr [8 x i32], ptr %slot, i64 0, i64 %l
    store i32 %x, ptr %e
    %v = load i32, ptr %slot
    """
    kernel = parsed(kernel_text(body)).module.kernels[0]
    assert rendered(kernel) == [
        "lea.b64 %e, &slot, %l, 4, 0",
        "st.local.b32 [%e], %x",
        "ld.local.b32 %v, [&slot]",
        "ret",
    ]
    (variable,) = kernel.variables
    assert (variable.name, variable.space, variable.size_bytes) == ("slot", Space.LOCAL, 32)


def test_a_byval_parameter_lies_in_param_space():
    text = kernel_text(
        "%e = getelementptr %S, ptr %s, i32 0, i32 1\n%v = load double, ptr %e",
        "i32 %0, ptr byval(%S) align 8 %s",
        "%S = type { i32, double }\n",
    )
    kernel = parsed(text).module.kernels[0]
    assert rendered(kernel)[:2] == ["lea.b64 %e, &s, 0, 1, 8", "ld.param.f64 %v, [%e]"]
    number, struct = kernel.parameters
    assert (number.name, number.register is None) == ("arg0", False)
    assert (struct.name, struct.size_bytes, struct.align, struct.register) == ("s", 16, 8, None)


def test_an_initialiser_has_its_padding():
    around = "@g = addrspace(1) global { i8, i32, i8 } { i8 1, i32 2, i8 3 }\n"
    body = "%a = load i8, ptr addrspace(1) @g"
    (variable,) = parsed(kernel_text(body, around=around)).module.variables
    assert variable.initialiser == (1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0)
    assert variable.align == 4


def test_pointer_parameters_tell_their_space():
    parameters = parsed(kernel_text("%z = add i32 1, 1")).module.kernels[0].parameters
    by_name = {p.name: p for p in parameters}
    assert by_name["p"].pointee_space is Space.GLOBAL
    assert by_name["q"].is_pointer and by_name["q"].pointee_space is Space.GLOBAL
    assert by_name["s"].pointee_space is Space.SHARED
    assert not by_name["x"].is_pointer


def test_variables_that_are_used_are_kept_with_their_initialisers():
    around = """
@table = addrspace(4) constant [3 x i16] [i16 1, i16 -2, i16 3], align 2
@list = addrspace(1) global [2 x ptr addrspace(1)] [ptr addrspace(1) @seen, ptr addrspace(1) null]
@seen = addrspace(1) global i32 7
@unseen = addrspace(1) global i32 8
@dynamic = external addrspace(3) global [0 x float], align 16
@text = private addrspace(4) constant [3 x i8] c"a\\0A\\00"
"""
    body = """
    %a = load i16, ptr addrspace(4) getelementptr ([3 x i16], ptr addrspace(4) @table, i64 0, i64 1)
    %b = load ptr addrspace(1), ptr addrspace(1) @list
    %e = load float, ptr addrspace(3) @dynamic
    %z = load i8, ptr addrspace(4) @text
    """
    result = parsed(kernel_text(body, around=around))
    assert rendered(result.module.kernels[0])[0] == "ld.const.b16 %a, [&table+2]"
    found = {v.name: v for v in result.module.variables}
    assert list(found) == ["table", "list", "seen", "dynamic", "text"]
    assert found["table"].initialiser == (1, 0xFFFE, 3)
    assert (found["table"].type.name, found["table"].shape) == ("b16", (3,))
    assert found["list"].initialiser == (Symbol("seen"), 0)
    assert found["seen"].initialiser == (7,)
    assert (found["dynamic"].size_bytes, found["dynamic"].align) == (None, 16)
    assert found["text"].initialiser == (0x61, 0x0A, 0)


@pytest.mark.parametrize(
    ("constant", "type_", "values"),
    [
        ("[2 x float] [float 1.5, float -2.0]", "f32", (1.5, -2.0)),
        ("double 0x7FF8000000000001", "b64", (0x7FF8000000000001,)),  # a float would lose its bits
        ("{ i8, i16 } { i8 1, i16 2 }", "b8", (1, 0, 2, 0)),
        ("{ ptr, i8 } { ptr @x, i8 3 }", "b8", (Symbol("x"), 3, 0, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_initialisers_are_elements_or_of_mixtures_bytes(constant, type_, values):
    around = f"@x = addrspace(1) constant i32 1\n@t = addrspace(4) constant {constant}\n"
    body = "%v = load i8, ptr addrspace(4) @t"
    around = around.replace("ptr @x", "ptr addrspacecast (ptr addrspace(1) @x to ptr)")
    result = parsed(kernel_text(body, around=around))
    found = {v.name: v for v in result.module.variables}["t"]
    assert (found.type.name, found.initialiser) == (type_, values)


def test_a_kernel_pointer_leads_to_global_memory_through_arithmetic_and_loops():
    body = """
    br label %loop
loop:
    %at = phi ptr [ %q, %entry ], [ %next, %loop ]
    %v = load float, ptr %at
    %next = getelementptr i8, ptr %at, i64 4
    %more = icmp ne ptr %next, null
    br i1 %more, label %loop, label %end
end:
    store float %v, ptr %next"""
    lines = lowered(body)
    assert "ld.global.f32 %v, [%at]" in lines
    assert "st.global.f32 [%next], %v" in lines
    assert "setp.ne.b64 %more, %next, 0" in lines  # as it is: global addresses are generic ones


def test_a_pointer_out_of_memory_or_of_two_spaces_stays_generic():
    body = """
    %t = load ptr, ptr %q
    %w = load i32, ptr %t
    %z = addrspacecast ptr addrspace(3) %s to ptr
    %m = icmp eq i32 %x, 0
    %o = select i1 %m, ptr %q, ptr %z
    store i32 %w, ptr %o"""
    lines = lowered(body)
    assert "ld.global.b64 %t, [%q]" in lines
    assert "ld.b32 %w, [%t]" in lines
    assert "st.b32 [%o], %w" in lines


def test_a_device_function_is_given_generic_pointers():
    text = """target triple = "nvptx64-nvidia-cuda"
define float @f(ptr %a) {
  %v = load float, ptr %a
  ret float %v
}
define ptx_kernel void @k(ptr %q) {
  %v = call float @f(ptr %q)
  store float %v, ptr %q
  ret void
}
"""
    module = parsed(text).module
    (function,) = module.functions
    assert function.parameters[0].pointee_space is None
    assert rendered(function)[0] == "ld.f32 %v, [%a]"
    assert rendered(module.kernels[0])[1] == "st.global.f32 [%q], %v"


def test_other_targets_kernels_may_be_given_any_generic_pointer():
    text = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr %q) {
  store i32 1, ptr %q
  ret void
}
"""
    (kernel,) = parsed(text).module.kernels
    assert kernel.parameters[0].pointee_space is None
    assert rendered(kernel)[0] == "st.b32 [%q], 1"
