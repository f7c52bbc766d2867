"""OpenCL's built-ins, by their mangled names, become the operations that say the same."""

import numpy as np
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


def test_a_second_result_goes_behind_the_pointer():
    assert call("float @_Z5fractfPf", ["float %f", "ptr addrspace(1) %p"])[:2] == [
        "cvt.rmi.f32.f32 %.t1, %f",
        "sub.f32 %.t2, %f, %.t1",
    ]
    assert call("float @_Z5fractfPf", ["float %f", "ptr addrspace(1) %p"])[-1] == (
        "st.global.f32 [%p], %.t1"
    )


@pytest.mark.parametrize(
    ("type_", "mangled", "made", "float_type", "bits"),
    [("half", "Dh", "fptrunc", np.float16, 11), ("float", "f", None, np.float32, 24),
     ("double", "d", "fpext", np.float64, 53)],
)  # fmt: skip
def test_a_fraction_is_below_one_in_its_own_precision(type_, mangled, made, float_type, bits):
    """Of a negative number next to zero the difference rounds to one (OpenCL C, 6.15.2)."""
    before = f"%z = {made} float %f to {type_}\n" if made else ""
    name = f"{type_} @_Z5fract{mangled}P{mangled}"
    arguments = [f"{type_} {'%z' if made else '%f'}", "ptr addrspace(1) %p"]
    (least,) = [line for line in call(name, arguments, f"{before}%r = ") if line[:4] == "min."]
    written = bytes.fromhex(least.rpartition(":")[2])
    (most,) = np.frombuffer(written, np.dtype(float_type).newbyteorder(">"))
    assert most == 1 - 2.0**-bits


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
