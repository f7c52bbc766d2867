"""Kernels for AMD: wave sizes, the launch's dimensions, lanes, matrices, buffers."""

import pytest
from llvm_inputs.rendered import parsed, rendered

HEAD = (
    'target datalayout = "e-p:64:64-p1:64:64-p3:32:32-p4:64:64-p5:32:32-p8:128:128-A5"\n'
    'target triple = "amdgcn-amd-amdhsa"\n'
)
PARAMETERS = "ptr addrspace(1) %p, i32 %x, i32 %y, float %f, i1 %c, <4 x half> %h, <4 x float> %v"
IMPLICIT = "declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()\n"
PACKET = "declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"


def module(body, around="", attributes=""):
    lines = "\n".join("  " + line.strip() for line in body.strip().split("\n"))
    return parsed(
        f"{HEAD}define amdgpu_kernel void @k({PARAMETERS}) #0 {{\n{lines}\n  ret void\n}}\n{around}"
        f"attributes #0 = {{ nounwind {attributes} }}\n"
    )


def lowered(body, around=""):
    result = module(body, around)
    assert [d.message for d in result.diagnostics if d.severity.value == "warning"] == []
    lines = rendered(result.module.kernels[0])
    taken = ("ld.param", "setp.ne.b8 %c")  # how the parameters are taken apart
    return [line for line in lines[:-1] if not line.startswith(taken)]


def call(signature, arguments):
    returns, name = signature.split(" @")
    types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments)
    body = f"%r = call {returns} @{name}({', '.join(arguments)})"
    return lowered(body, f"declare {returns} @{name}({types})\n")


@pytest.mark.parametrize(
    ("attributes", "lanes"),
    [
        ("", 64),
        ('"target-cpu"="gfx90a"', 64),
        ('"target-cpu"="gfx1100"', 32),
        ('"target-cpu"="gfx1100" "target-features"="+dpp,+wavefrontsize64"', 64),
        ('"target-cpu"="gfx1030" "target-features"="+dpp,+wavefrontsize32"', 32),
    ],
)
def test_the_wave_is_as_wide_as_the_attributes_say(attributes, lanes):
    assert module("", attributes=attributes).module.warp_size == lanes


def test_sizes_of_the_launch_are_special_registers():
    body = """
    %i = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
    %n = load i32, ptr addrspace(4) %i
    %w = icmp ult i32 %x, %n
    %o = select i1 %w, i64 12, i64 18
    %q = getelementptr i8, ptr addrspace(4) %i, i64 %o
    %s = load i16, ptr addrspace(4) %q
    %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
    %e = getelementptr i8, ptr addrspace(4) %d, i64 16
    %g = load i32, ptr addrspace(4) %e
    """
    assert lowered(body, IMPLICIT + PACKET) == [
        "mov.u32 %.t2, %nctaid.x",
        "mov.b32 %n, %.t2",
        "setp.lt.u32 %w, %x, %n",
        "selp.b64 %o, 12, 18, %w",
        "mov.u32 %.t3, %ntid.x",
        "cvt.u16.u32 %.t4, %.t3",
        "mov.b16 %s, %.t4",
        "mov.u32 %.t5, %nctaid.y",
        "mov.u32 %.t6, %ntid.y",
        "mul.lo.u32 %.t7, %.t5, %.t6",
        "mov.b32 %g, %.t7",
    ]


def test_a_pointer_that_goes_elsewhere_is_said_not_to_be_known():
    body = """
    %i = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
    %q = getelementptr i8, ptr addrspace(4) %i, i64 12
    store ptr addrspace(4) %q, ptr addrspace(1) %p
    """
    (warning,) = module(body, IMPLICIT).diagnostics
    assert "llvm.amdgcn.implicitarg.ptr" in warning.message


@pytest.mark.parametrize(
    ("signature", "arguments", "expected"),
    [
        ("i32 @llvm.amdgcn.ds.bpermute", ["i32 %x", "i32 %y"],
         ["shr.u32 %.t2, %x, 2", "lane_read.b32 %r, %y, %.t2"]),
        ("i32 @llvm.amdgcn.readlane.i32", ["i32 %x", "i32 3"], ["lane_read.b32 %r, %x, 3"]),
        ("i32 @llvm.amdgcn.readfirstlane.i32", ["i32 %x"], ["lane_first.b32 %r, %x"]),
        ("i32 @llvm.amdgcn.update.dpp.i32",
         ["i32 %x", "i32 %y", "i32 273", "i32 15", "i32 15", "i1 false"],
         ["dpp.b32 %r, %x, %y, 273, 15, 15, %.t2"]),
        ("i64 @llvm.amdgcn.ballot.i64", ["i1 %c"], ["vote.sync.ballot.b64 %r, %c, -1"]),
        ("i64 @llvm.amdgcn.icmp.i64.i32", ["i32 %x", "i32 %y", "i32 38"],
         ["setp.gt.s32 %.t2, %x, %y", "vote.sync.ballot.b64 %r, %.t2, -1"]),
        ("i32 @llvm.amdgcn.ubfe.i32", ["i32 %x", "i32 3", "i32 5"], ["bfe.u32 %r, %x, 3, 5"]),
        ("float @llvm.amdgcn.rcp.f32", ["float %f"], ["rcp.approx.f32 %r, %f"]),
        ("float @__ocml_asin_f32", ["float %f"], ["math.asin.f32 %r, %f"]),
        ("float @__ocml_fma_rte_f32", ["float %f"] * 3, ["fma.rn.f32 %r, %f, %f, %f"]),
        ("i32 @__ockl_activelane_u32", [],
         ["activemask.b32 %.t2", "mov.u32 %.t3, %lanemask_lt", "and.b32 %.t4, %.t2, %.t3",
          "popc.b32 %r, %.t4"]),
        ("i64 @__ockl_get_local_size", ["i32 1"],
         ["mov.u32 %.t2, %ntid.y", "cvt.u64.u32 %r, %.t2"]),
    ],
)  # fmt: skip
def test_lanes_and_the_device_library(signature, arguments, expected):
    lines = call(signature, arguments)
    assert [line for line in lines if not line.startswith("mov.pred")] == expected


def test_a_matrix_operation_is_one_of_its_class():
    body = (
        "%r = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %h, <4 x half> %h,"
        " <4 x float> %v, i32 0, i32 0, i32 0)"
    )
    around = (
        "declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16"
        "(<4 x half>, <4 x half>, <4 x float>, i32, i32, i32)\n"
    )
    result = module(body, around)
    operation = list(result.module.kernels[0].instructions)[-2].operation
    assert (operation.opcode, operation.op_class.value) == ("mfma.f32.16x16x16f16", "mma")
    assert result.diagnostics == ()


def test_a_buffer_access_goes_to_base_and_offsets():
    body = """
    %b = call ptr addrspace(8) @MAKE(ptr addrspace(1) %p, i16 0, i64 64, i32 7)
    %r = call float @LOAD(ptr addrspace(8) %b, i32 %x, i32 4, i32 0)
    """
    around = (
        "declare ptr addrspace(8) @MAKE(ptr addrspace(1), i16, i64, i32)\n"
        "declare float @LOAD(ptr addrspace(8), i32, i32, i32)\n"
    )
    for short, name in (("MAKE", "make.buffer.rsrc.p8.p1"), ("LOAD", "raw.ptr.buffer.load.f32")):
        body = body.replace(short, f"llvm.amdgcn.{name}")
        around = around.replace(short, f"llvm.amdgcn.{name}")
    assert lowered(body, around)[-5:] == [
        "and.b64 %.t4, %b.0, 281474976710655",
        "cvt.u64.u32 %.t5, %x",
        "add.s64 %.t6, %.t4, %.t5",
        "add.s64 %.t7, %.t6, 4",
        "ld.global.f32 %r, [%.t7]",
    ]


def test_an_element_of_a_buffer_is_one_access():
    body = """
    %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %p, i16 0, i64 64, i32 7)
    %r = call <2 x double> @llvm.amdgcn.raw.ptr.buffer.load.v2f64(ptr addrspace(8) %b, i32 %x, i32 4, i32 0)
    """  # noqa: E501 - two calls
    around = (
        "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1"
        "(ptr addrspace(1), i16, i64, i32)\n"
        "declare <2 x double> @llvm.amdgcn.raw.ptr.buffer.load.v2f64"
        "(ptr addrspace(8), i32, i32, i32)\n"
    )
    assert lowered(body, around)[-2:] == [
        "ld.global.f64 %r.0, [%.t7]",
        "ld.global.f64 %r.1, [%.t7+8]",
    ]


MASK = "i32 15"  # of four components
MODES = ["i32 0", "i32 0"]  # faults and caching
FOUR = "{%r.0 %r.1 %r.2 %r.3}"


@pytest.mark.parametrize(
    ("name", "arguments", "access"),
    [
        ("load.1d", ["i32 %x"], f"tex.1d.v4.f32.s32 {FOUR}, [image {{%x}}]"),
        ("load.2d", ["i32 %x", "i32 %y"], f"tex.2d.v4.f32.s32 {FOUR}, [image {{%x %y}}]"),
        ("load.mip.2d", ["i32 %x", "i32 %y", "i32 0"],
         f"tex.2d.v4.f32.s32 {FOUR}, [image {{%x %y}}]"),
        ("load.2darray", ["i32 %x", "i32 %y", "i32 7"],
         f"tex.a2d.v4.f32.s32 {FOUR}, [image {{7 %x %y 0}}]"),
        ("load.2dmsaa", ["i32 %x", "i32 %y", "i32 7"],
         f"tex.2d.v4.f32.s32 {FOUR}, [image {{%x %y}}]"),
        ("sample.1d", ["float %f"], f"tex.1d.v4.f32.f32 {FOUR}, [image {{%f}}]"),
        ("sample.b.2d", ["float 2.0", "float %f", "float 1.0"],
         f"tex.2d.v4.f32.f32 {FOUR}, [image {{%f f32:3f800000}}]"),
        ("sample.l.2d", ["float %f", "float 1.0", "float 2.0"],
         f"tex.2d.v4.f32.f32 {FOUR}, [image {{%f f32:3f800000}}]"),
    ],
)  # fmt: skip
def test_an_image_is_read_at_its_coordinates(name, arguments, access):
    """What comes before them (a bias) and behind (a level of detail, a sample) is no place."""
    form, sampler = "i32.v8i32", []
    if name.startswith("sample"):
        form, sampler = "f32.v8i32.v4i32", ["<4 x i32> zeroinitializer", "i1 false"]
    given = [MASK, *arguments, "<8 x i32> %i", *sampler, *MODES]
    assert image_access(f"<4 x float> @llvm.amdgcn.image.{name}.v4f32.{form}", given) == access


def test_an_image_is_written_at_its_coordinates():
    given = ["<4 x float> %v", MASK, "i32 %x", "i32 %y", "<8 x i32> %i", *MODES]
    access = image_access("void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32", given)
    assert access == "sust.p.2d.v4.b32.trap [image {%x %y}], {%v.0 %v.1 %v.2 %v.3}"


def image_access(signature, arguments):
    """How an image is accessed whose resource is in memory."""
    returns, name = signature.split(" @")
    types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments)
    body = f"""%i = load <8 x i32>, ptr addrspace(1) %p
    {"" if returns == "void" else "%r = "}call {returns} @{name}({", ".join(arguments)})"""
    *_, handle, access = lowered(body, f"declare {returns} @{name}({types})\n")
    operation, register, *resource = handle.replace(",", "").split()
    assert (operation, resource) == ("cvt.u64.u32", ["%i.0"])
    return access.replace(register, "image")
