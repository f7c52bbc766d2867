"""Vectors and aggregates are taken apart into registers."""

from llvm_inputs.rendered import lowered, parsed, rendered

V4 = "<4 x float> %v, i32 %x, i64 %l, ptr addrspace(1) %p"


def without_loads(body, parameters=V4):
    return [line for line in lowered(body, parameters) if "ld.param" not in line]


def test_elementwise_operations_are_one_instruction_a_part():
    assert without_loads("%r = fadd <4 x float> %v, splat (float 1.0)") == [
        f"add.f32 %r.{k}, %v.{k}, f32:3f800000" for k in range(4)
    ]


def test_constant_elements_are_moves():
    body = """
    %e = extractelement <4 x float> %v, i64 2
    %i = insertelement <4 x float> %v, float %e, i32 0
    %s = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 3, i32 0>
    """
    assert without_loads(body) == [
        "mov.f32 %e, %v.2",
        "mov.f32 %i.0, %e",
        "mov.f32 %i.1, %v.1",
        "mov.f32 %i.2, %v.2",
        "mov.f32 %i.3, %v.3",
        "mov.f32 %s.0, %v.3",
        "mov.f32 %s.1, %v.0",
    ]


def test_a_variable_element_is_a_chain_of_selections():
    parameters = "<2 x float> %v, i32 %x"
    assert without_loads("%e = extractelement <2 x float> %v, i32 %x", parameters) == [
        "setp.eq.b32 %.t1, %x, 1",
        "selp.f32 %e, %v.1, %v.0, %.t1",
    ]
    assert without_loads("%i = insertelement <2 x float> %v, float 0.0, i32 %x", parameters) == [
        "setp.eq.b32 %.t1, %x, 0",
        "selp.f32 %i.0, f32:0, %v.0, %.t1",
        "setp.eq.b32 %.t2, %x, 1",
        "selp.f32 %i.1, f32:0, %v.1, %.t2",
    ]


def test_a_vector_parameter_is_loaded_from_param_space():
    result = parsed(f"define ptx_kernel void @k({V4}) {{\n  ret void\n}}\n")
    kernel = result.module.kernels[0]
    assert rendered(kernel)[0] == "ld.param.v4.f32 {%v.0 %v.1 %v.2 %v.3}, [&v]"
    first = kernel.parameters[0]
    assert (first.name, first.register, first.size_bytes, first.align) == ("v", None, 16, 16)
    assert [p.name for p in kernel.parameters] == ["v", "x", "l", "p"]


def test_reductions_and_vector_intrinsics():
    body = """
    %a = call float @llvm.vector.reduce.fmax.v4f32(<4 x float> %v)
    %b = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v)
    """
    around = (
        "declare float @llvm.vector.reduce.fmax.v4f32(<4 x float>)\n"
        "declare <4 x float> @llvm.fabs.v4f32(<4 x float>)\n"
    )
    code = [line for line in lowered(body, V4, around) if "ld.param" not in line]
    assert code == [
        "max.f32 %.t1, %v.0, %v.1",
        "max.f32 %.t2, %.t1, %v.2",
        "max.f32 %a, %.t2, %v.3",
        *(f"abs.f32 %b.{k}, %v.{k}" for k in range(4)),
    ]
