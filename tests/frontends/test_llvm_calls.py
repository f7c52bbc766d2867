"""Built-ins of CUDA, OpenCL and AMD become the operations that PTX has for them."""

import pytest
from llvm_inputs.rendered import PARAMETERS, kernel_text, lowered, parsed, rendered

GLOBAL_ID = ["mov.u32 %.t1, %ctaid.x", "mov.u32 %.t2, %ntid.x", "mov.u32 %.t3, %tid.x"]


def call(signature, arguments, result="%r = "):
    """Lower a call of a function that is declared with the same types."""
    returns, name = signature.split(" @")
    types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments)
    around = f"declare {returns} @{name}({types})\n"
    return lowered(f"{result}call {returns} @{name}({', '.join(arguments)})", around=around)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_all_vendors_work_item_ids_are_the_same_special_register(axis):
    number = "xyz".index(axis)
    assert call(f"i32 @llvm.nvvm.read.ptx.sreg.tid.{axis}", []) == [f"mov.u32 %r, %tid.{axis}"]
    assert call(f"i32 @llvm.amdgcn.workitem.id.{axis}", []) == [f"mov.u32 %r, %tid.{axis}"]
    assert call("i64 @_Z12get_local_idj", [f"i32 {number}"]) == [
        f"mov.u32 %.t1, %tid.{axis}",
        "cvt.u64.u32 %r, %.t1",
    ]
    assert call("i32 @_Z12get_local_idj", [f"i32 {number}"]) == [f"mov.u32 %r, %tid.{axis}"]


@pytest.mark.parametrize(
    ("name", "register"),
    [
        ("_Z12get_group_idj", "ctaid.x"),
        ("_Z14get_local_sizej", "ntid.x"),
        ("_Z14get_num_groupsj", "nctaid.x"),
    ],
)
def test_opencl_work_group_functions(name, register):
    assert call(f"i64 @{name}", ["i32 0"]) == [f"mov.u32 %.t1, %{register}", "cvt.u64.u32 %r, %.t1"]


def test_global_id_is_computed():
    assert call("i64 @_Z13get_global_idj", ["i32 0"]) == [
        *GLOBAL_ID,
        "mad.lo.s32 %.t4, %.t1, %.t2, %.t3",
        "cvt.u64.u32 %r, %.t4",
    ]
    assert call("i32 @_Z13get_global_idj", ["i32 0"]) == [
        *GLOBAL_ID,
        "mad.lo.s32 %r, %.t1, %.t2, %.t3",
    ]


def test_dimensions_that_are_not_there_have_their_constants():
    assert call("i64 @_Z13get_global_idj", ["i32 3"]) == ["mov.b64 %r, 0"]
    assert call("i64 @_Z14get_num_groupsj", ["i32 4"]) == ["mov.b64 %r, 1"]


def test_a_dimension_that_is_computed_is_chosen_of_three():
    lines = call("i32 @_Z14get_num_groupsj", ["i32 %x"])
    assert lines == [
        "mov.u32 %.t1, %nctaid.x",
        "setp.eq.b32 %.t2, %x, 0",
        "selp.b32 %.t3, %.t1, 1, %.t2",
        "mov.u32 %.t4, %nctaid.y",
        "setp.eq.b32 %.t5, %x, 1",
        "selp.b32 %.t6, %.t4, %.t3, %.t5",
        "mov.u32 %.t7, %nctaid.z",
        "setp.eq.b32 %.t8, %x, 2",
        "selp.b32 %r, %.t7, %.t6, %.t8",
    ]


@pytest.mark.parametrize(
    ("signature", "arguments", "expected"),
    [
        ("void @llvm.nvvm.barrier.cta.sync.aligned.all", ["i32 0"], "bar.sync 0"),
        ("void @_Z7barrierj", ["i32 1"], "bar.sync 0"),
        ("void @_Z18work_group_barrierj12memory_scope", ["i32 1", "i32 1"], "bar.sync 0"),
        ("void @llvm.amdgcn.s.barrier", [], "bar.sync 0"),
        ("void @llvm.nvvm.membar.gl", [], "membar.gl"),
        ("void @_Z9mem_fencej", ["i32 1"], "fence.acq_rel.cta"),
        ("void @llvm.trap", [], "trap"),
    ],
)
def test_barriers_and_fences(signature, arguments, expected):
    assert call(signature, arguments, result="") == [expected]


@pytest.mark.parametrize(
    ("signature", "arguments", "expected"),
    [
        ("float @llvm.fma.f32", ["float %f", "float %g", "float %f"], "fma.rn.f32 %r, %f, %g, %f"),
        ("double @llvm.fmuladd.f64", ["double %d"] * 3, "fma.rn.f64 %r, %d, %d, %d"),
        ("float @llvm.sqrt.f32", ["float %f"], "sqrt.rn.f32 %r, %f"),
        ("double @llvm.fabs.f64", ["double %d"], "abs.f64 %r, %d"),
        ("float @llvm.maxnum.f32", ["float %f", "float %g"], "max.f32 %r, %f, %g"),
        ("float @llvm.copysign.f32", ["float %f", "float %g"], "copysign.f32 %r, %g, %f"),
        ("float @llvm.floor.f32", ["float %f"], "cvt.rmi.f32.f32 %r, %f"),
        ("i32 @llvm.smin.i32", ["i32 %x", "i32 %y"], "min.s32 %r, %x, %y"),
        ("i64 @llvm.umax.i64", ["i64 %l", "i64 3"], "max.u64 %r, %l, 3"),
        ("i32 @llvm.ctpop.i32", ["i32 %x"], "popc.b32 %r, %x"),
        ("i32 @llvm.ctlz.i32", ["i32 %x", "i1 false"], "clz.b32 %r, %x"),
        ("i32 @llvm.fshl.i32", ["i32 %x", "i32 %y", "i32 7"], "shf.l.wrap.b32 %r, %y, %x, 7"),
        ("float @llvm.nvvm.rcp.approx.ftz.f", ["float %f"], "rcp.approx.ftz.f32 %r, %f"),
        ("i32 @llvm.nvvm.activemask", [], "activemask.b32 %r"),
        (
            "i32 @llvm.nvvm.shfl.sync.down.i32",
            ["i32 -1", "i32 %x", "i32 4", "i32 31"],
            "shfl.sync.down.b32 %r, %x, 4, 31, -1",
        ),
        (
            "{ i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p",
            ["i32 -1", "i32 %x", "i32 %y", "i32 31"],
            "shfl.sync.idx.b32 %r.0|%r.1, %x, %y, 31, -1",
        ),
        ("float @_Z4sqrtf", ["float %f"], "sqrt.rn.f32 %r, %f"),
        ("float @_Z10native_sinf", ["float %f"], "sin.approx.f32 %r, %f"),
        ("float @_Z3fmafff", ["float %f", "float %g", "float %f"], "fma.rn.f32 %r, %f, %g, %f"),
        ("i32 @_Z3maxii", ["i32 %x", "i32 %y"], "max.s32 %r, %x, %y"),
        ("i32 @_Z3maxjj", ["i32 %x", "i32 %y"], "max.u32 %r, %x, %y"),
        ("i32 @_Z5mul24ii", ["i32 %x", "i32 %y"], "mul24.lo.s32 %r, %x, %y"),
        ("float @__nv_sqrtf", ["float %f"], "sqrt.rn.f32 %r, %f"),
        ("double @fmin", ["double %d", "double %d"], "min.f64 %r, %d, %d"),
        (
            "i32 @_Z10atomic_addPU3AS1Vii",
            ["ptr addrspace(1) %p", "i32 3"],
            "atom.global.add.u32 %r, [%p], 3",
        ),
        ("i32 @_Z11convert_intf", ["float %f"], "cvt.rzi.s32.f32 %r, %f"),
        ("float @_Z13convert_floatj", ["i32 %x"], "cvt.rn.f32.u32 %r, %x"),
        ("i8 @_Z17convert_uchar_sati", ["i32 %x"], "cvt.sat.u8.s32 %r, %x"),
    ],
)  # fmt: skip
def test_functions_with_one_operation(signature, arguments, expected):
    assert call(signature, arguments) == [expected]


def test_results_are_brought_to_the_type_of_the_call():
    assert call("i64 @llvm.ctpop.i64", ["i64 %l"]) == [
        "popc.b64 %.t1, %l",
        "cvt.u64.u32 %r, %.t1",
    ]


def test_vectors_of_built_ins_are_taken_part_by_part():
    body = "%r = call <2 x float> @_Z4sqrtDv2_f(<2 x float> splat (float 2.0))"
    around = "declare <2 x float> @_Z4sqrtDv2_f(<2 x float>)\n"
    assert lowered(body, around=around) == [
        "sqrt.rn.f32 %r.0, f32:40000000",
        "sqrt.rn.f32 %r.1, f32:40000000",
    ]


def test_vload_and_vstore_ask_for_no_more_than_element_alignment():
    around = (
        "declare <2 x float> @_Z6vload2mPU3AS1Kf(i64, ptr addrspace(1))\n"
        "declare void @_Z7vstore2Dv2_fmPU3AS1f(<2 x float>, i64, ptr addrspace(1))\n"
    )
    body = """
    %r = call <2 x float> @_Z6vload2mPU3AS1Kf(i64 %l, ptr addrspace(1) %p)
    call void @_Z7vstore2Dv2_fmPU3AS1f(<2 x float> %r, i64 0, ptr addrspace(1) %p)
    """
    assert lowered(body, around=around) == [
        "lea.b64 %.t1, %p, %l, 8, 0",
        "ld.global.f32 %r.0, [%.t1]",
        "ld.global.f32 %r.1, [%.t1+4]",
        "lea.b64 %.t2, %p, 0, 8, 0",
        "st.global.f32 [%.t2], %r.0",
        "st.global.f32 [%.t2+4], %r.1",
    ]


def test_intrinsics_without_work_are_dropped():
    around = "declare void @llvm.assume(i1)\ndeclare void @llvm.lifetime.start.p0(ptr)\n"
    assert lowered("call void @llvm.assume(i1 true)", around=around) == []


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


def test_a_function_with_a_body_is_not_taken_for_a_built_in():
    around = "define float @sqrtf(float %a) {\n  ret float %a\n}\n"
    assert lowered("%r = call float @sqrtf(float %f)", around=around) == ["call {%r}, &sqrtf, {%f}"]


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
