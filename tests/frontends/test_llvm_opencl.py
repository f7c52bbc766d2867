"""OpenCL's built-ins, by their mangled names, become the operations that say the same."""

import pytest
from llvm_inputs.rendered import kernel_text, parsed, rendered

PARAMETERS = (
    "ptr addrspace(1) %p, ptr addrspace(3) %l, i32 %x, i32 %y, i64 %n, float %f, <2 x float> %v,"
    " <2 x i32> %w, <4 x i8> %c, i64 %t"
)


def call(signature, arguments, result="%r = "):
    returns, name = signature.split(" @")
    types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments)
    around = f"declare {returns} @{name}({types})\n"
    text = kernel_text(
        f"{result}call {returns} @{name}({', '.join(arguments)})", PARAMETERS, around
    )
    module = parsed(text)
    assert [d.message for d in module.diagnostics if d.severity.value == "warning"] == []
    lines = rendered(module.module.kernels[0])[:-1]
    return [line for line in lines if not line.startswith("ld.param")]


@pytest.mark.parametrize(
    ("signature", "arguments", "expected"),
    [
        ("i32 @_Z6islessff", ["float %f", "float 1.0"],
         ["setp.lt.f32 %.t1, %f, f32:3f800000", "selp.b32 %r, 1, 0, %.t1"]),
        ("<2 x i32> @_Z6islessDv2_fS_", ["<2 x float> %v", "<2 x float> %v"],
         ["setp.lt.f32 %.t1, %v.0, %v.0", "selp.b32 %r.0, -1, 0, %.t1",
          "setp.lt.f32 %.t2, %v.1, %v.1", "selp.b32 %r.1, -1, 0, %.t2"]),
        ("i32 @_Z3anyDv2_i", ["<2 x i32> %w"],
         ["or.b32 %.t1, %w.0, %w.1", "setp.lt.s32 %.t2, %.t1, 0", "selp.b32 %r, 1, 0, %.t2"]),
        ("float @_Z6lengthDv2_f", ["<2 x float> %v"],
         ["mul.f32 %.t1, %v.0, %v.0", "fma.rn.f32 %.t2, %v.1, %v.1, %.t1", "sqrt.rn.f32 %r, %.t2"]),
        ("i32 @_Z7add_satii", ["i32 %x", "i32 %y"], ["add.sat.s32 %r, %x, %y"]),
        ("i32 @_Z4haddii", ["i32 %x", "i32 %y"],
         ["and.b32 %.t1, %x, %y", "xor.b32 %.t2, %x, %y", "shr.s32 %.t3, %.t2, 1",
          "add.s32 %r, %.t1, %.t3"]),
        ("i32 @_Z6rotateii", ["i32 %x", "i32 %y"], ["shf.l.wrap.b32 %r, %x, %x, %y"]),
        ("float @_Z4asinf", ["float %f"], ["math.asin.f32 %r, %f"]),
        ("float @_Z8half_cosf", ["float %f"], ["cos.approx.f32 %r, %f"]),
        ("float @_Z4pownfi", ["float %f", "i32 %x"], ["math.pown.f32 %r, %f, %x"]),
        ("i32 @_Z5ilogbf", ["float %f"], ["math.ilogb.s32.f32 %r, %f"]),
        ("float @_Z10vload_halfmPU3AS1KDh", ["i64 %n", "ptr addrspace(1) %p"],
         ["lea.b64 %.t1, %p, %n, 2, 0", "ld.global.b16 %.t2, [%.t1]", "mov.b16 %.t3, %.t2",
          "cvt.f32.f16 %r, %.t3"]),
        ("i32 @_Z16atomic_fetch_maxPU3AS1VU7_Atomicjj", ["ptr addrspace(1) %p", "i32 %x"],
         ["atom.global.max.u32 %r, [%p], %x"]),
        ("i32 @_Z8atom_subPU3AS1Vii", ["ptr addrspace(1) %p", "i32 %x"],
         ["neg.s32 %.t1, %x", "atom.global.add.u32 %r, [%p], %.t1"]),
        ("i32 @_Z20sub_group_reduce_addi", ["i32 %x"], ["redux.sync.add.s32 %r, %x, -1"]),
        ("float @_Z21work_group_reduce_maxf", ["float %f"], ["group.reduce.max.f32 %r, %f"]),
        ("i64 @_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event",
         ["ptr addrspace(3) %l", "ptr addrspace(1) %p", "i64 %n", "i64 0"],
         ["group_copy.shared.global.b32 [%l], [%p], %n", "mov.b64 %r, 0"]),
    ],
)  # fmt: skip
def test_a_built_in(signature, arguments, expected):
    assert call(signature, arguments) == expected


def test_a_second_result_goes_behind_the_pointer():
    assert call("float @_Z5fractfPf", ["float %f", "ptr addrspace(1) %p"])[:2] == [
        "cvt.rmi.f32.f32 %.t1, %f",
        "sub.f32 %.t2, %f, %.t1",
    ]
    assert call("float @_Z5fractfPf", ["float %f", "ptr addrspace(1) %p"])[-1] == (
        "st.global.f32 [%p], %.t1"
    )


@pytest.mark.parametrize(
    ("signature", "arguments", "opcode"),
    [
        ("<4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i", ["i64 %t", "<2 x i32> %w"],
         "tex.2d.v4.f32.s32"),
        ("<4 x i32> @_Z12read_imageui20ocl_image1d_array_roDv2_i", ["i64 %t", "<2 x i32> %w"],
         "tex.a1d.v4.u32.s32"),
        ("i32 @_Z15get_image_width14ocl_image2d_ro", ["i64 %t"], "txq.width.b32"),
    ],
)  # fmt: skip
def test_an_image_is_read_as_a_texture(signature, arguments, opcode):
    returns, name = signature.split(" @")
    types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments)
    body = f"%r = call {returns} @{name}({', '.join(arguments)})"
    text = kernel_text(body, PARAMETERS, f"declare {returns} @{name}({types})\n")
    result = parsed(text)
    assert [d.message for d in result.diagnostics] == []
    assert opcode in {i.operation.opcode for i in result.module.kernels[0].instructions}


def test_a_constant_sampler_leaves_the_texture_its_own_ways():
    """Its number is no handle: the lookup names the image alone; one that is passed is named."""
    name = "<4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i"
    around = f"""declare ptr addrspace(4) @__translate_sampler_initializer(i32)
declare {name}(i64, ptr addrspace(4), <2 x i32>)
"""
    read = f"call {name}"
    text = kernel_text(
        f"""%s = call ptr addrspace(4) @__translate_sampler_initializer(i32 18)
  %r = {read}(i64 %t, ptr addrspace(4) %s, <2 x i32> %w)
  %q = {read}(i64 %t, ptr addrspace(4) %o, <2 x i32> %w)""",
        f"{PARAMETERS}, ptr addrspace(4) %o",
        around,
    )
    kernel = parsed(text).module.kernels[0]
    lookups = [i for i in kernel.instructions if i.operation.name == "tex"]
    assert [len(i.operands[1].parts) for i in lookups] == [2, 3]
