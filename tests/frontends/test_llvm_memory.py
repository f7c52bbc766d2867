"""Loads, stores, atomics, address arithmetic, memory spaces and variables."""

import pytest
from llvm_inputs.rendered import copies, kernel_text, lowered, parsed, rendered

from warpmill.analyzer.ir.kernel import Symbol
from warpmill.analyzer.ir.types import Space

SHARED = "@tile = internal addrspace(3) global [16 x [16 x float]] undef, align 4\n"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("%r = load float, ptr addrspace(1) %p, align 4", "ld.global.f32 %r, [%p]"),
        ("%r = load i8, ptr %q", "ld.global.b8 %r, [%q]"),
        ("%r = load half, ptr addrspace(3) %s", "ld.shared.b16 %r, [%s]"),
        ("%r = load ptr, ptr addrspace(4) null", "ld.const.b64 %r, [0]"),
        ("%r = load volatile i32, ptr addrspace(1) %p", "ld.volatile.global.b32 %r, [%p]"),
        ("%r = load i32, ptr addrspace(1) %p, !invariant.load !0", "ld.global.nc.b32 %r, [%p]"),
        (
            '%r = load atomic i32, ptr %q syncscope("agent") monotonic, align 4',
            "ld.relaxed.gpu.global.b32 %r, [%q]",
        ),
        ("store double %d, ptr addrspace(5) null", "st.local.f64 [0], %d"),
        (
            'store atomic i32 %x, ptr addrspace(1) %p syncscope("block") release, align 4',
            "st.release.cta.global.b32 [%p], %x",
        ),
        ("fence seq_cst", "fence.sc.sys"),
        ('fence syncscope("workgroup") acquire', "fence.acq_rel.cta"),
        (
            "%r = atomicrmw add ptr addrspace(1) %p, i32 %x monotonic",
            "atom.global.add.u32 %r, [%p], %x",
        ),
        ("%r = atomicrmw xchg ptr %q, i64 %l seq_cst", "atom.global.exch.b64 %r, [%q], %l"),
        (
            "%r = atomicrmw volatile fadd ptr addrspace(3) %s, float %f monotonic",
            "atom.shared.add.f32 %r, [%s], %f",
        ),
        (
            "%r = atomicrmw umax ptr addrspace(1) %p, i32 5 monotonic",
            "atom.global.max.u32 %r, [%p], 5",
        ),
        (
            "%r = atomicrmw min ptr addrspace(1) %p, i32 %x monotonic",
            "atom.global.min.s32 %r, [%p], %x",
        ),
        (
            "%r = atomicrmw sub ptr addrspace(1) %p, i32 4 monotonic",
            "atom.global.add.u32 %r, [%p], -4",
        ),
        ("%r = getelementptr i8, ptr %q, i64 4", "lea.b64 %r, %q, 0, 1, 4"),
        ("%r = getelementptr float, ptr addrspace(1) %p, i64 %l", "lea.b64 %r, %p, %l, 4, 0"),
        (
            "%r = getelementptr inbounds { i32, [4 x double] }, ptr %q, i64 1, i32 1, i64 %l",
            "lea.b64 %r, %q, %l, 8, 48",
        ),
    ],
)
def test_one_statement_is_one_instruction(statement, expected):
    assert lowered(statement, around="!0 = !{}\n") == [expected]


def test_several_indices_are_a_chain_and_narrow_ones_are_extended():
    body = "%r = getelementptr [16 x float], ptr %q, i32 %x, i64 %l"
    assert lowered(body) == [
        "cvt.s64.s32 %.t1, %x",
        "lea.b64 %.t2, %q, %.t1, 64, 0",
        "lea.b64 %r, %.t2, %l, 4, 0",
    ]


def test_seq_cst_access_has_a_fence_before_it():
    assert lowered("%r = load atomic i32, ptr %q seq_cst, align 4") == [
        "fence.sc.sys",
        "ld.acquire.sys.global.b32 %r, [%q]",
    ]


def test_compare_exchange_gives_value_and_success():
    body = """
    %r = cmpxchg ptr addrspace(1) %p, i32 0, i32 %x acq_rel monotonic
    %ok = extractvalue { i32, i1 } %r, 1
    """
    assert lowered(body) == [
        "atom.global.cas.b32 %r.0, [%p], 0, %x",
        "setp.eq.b32 %r.1, %r.0, 0",
        "mov.pred %ok, %r.1",
    ]


def test_i1_lies_in_memory_as_a_byte():
    body = "%r = load i1, ptr %q\nstore i1 %r, ptr %q"
    assert lowered(body) == [
        "ld.global.u8 %.t1, [%q]",
        "setp.ne.b8 %r, %.t1, 0",
        "selp.b8 %.t2, 1, 0, %r",
        "st.global.u8 [%q], %.t2",
    ]


def test_a_shared_variable_cast_to_generic_is_still_accessed_as_shared():
    cast = "addrspacecast (ptr addrspace(3) @tile to ptr)"
    body = f"""
    %a = getelementptr inbounds float, ptr {cast}, i64 %l
    %b = load float, ptr %a
    %e = load float, ptr getelementptr (i8, ptr {cast}, i64 8)
    store ptr %a, ptr %q
    """
    assert lowered(body, around=SHARED) == [
        "lea.b64 %a, &tile, %l, 4, 0",
        "ld.shared.f32 %b, [%a]",
        "ld.shared.f32 %e, [&tile+8]",
        "cvta.shared.u64 %.t1, %a",
        "st.global.b64 [%q], %.t1",
    ]


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


def test_short_copies_are_unrolled_as_far_as_alignment_allows():
    around = "declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)\n"
    copy = "call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %p, ptr align 8 %q, i64 6"
    assert lowered(f"{copy}, i1 false)", around=around) == [
        "ld.global.b32 %.t1, [%q]",
        "ld.global.b16 %.t2, [%q+4]",
        "st.global.b32 [%p], %.t1",
        "st.global.b16 [%p+4], %.t2",
    ]


def test_a_copy_moves_no_more_than_its_alignment_at_once():
    around = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
    body = "call void @llvm.memset.p0.i64(ptr align 4 %q, i8 1, i64 12, i1 false)"
    assert lowered(body, around=around) == [
        f"st.global.b32 [%q{suffix}], {0x01010101}" for suffix in ("", "+4", "+8")
    ]


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
