"""Typed pointers of LLVM 14 and older are written as opaque ones, and nothing else is touched."""

import shutil
import subprocess

import llvmlite.binding as llvm
import pytest
from llvm_inputs.rendered import parsed, rendered

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm.prepared_text import upgraded

OLD = r"""target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%struct.S = type { float*, i32 (i8*, ...)*, %struct.S addrspace(1)*, [4 x i8*] }
%"class.a b*" = type { i8** }
@s = internal addrspace(3) global [256 x float] undef, align 4
@.str = private unnamed_addr constant [4 x i8] c"a*;b", align 1 ; x*
@fp = internal global void (i32*)* null
declare i8* @ext(i8**, %"class.a b*"* byval(%"class.a b*") align 8)
define internal void @helper(i32* nocapture %p) {
  store i32 1, i32* %p, align 4
  ret void
}
define void @k(float addrspace(1)* nocapture %a, i32 addrspace(1)* addrspace(1)* %pp, %struct.S* byval(%struct.S) align 8 %v) {
  %arrayidx = getelementptr inbounds float, float addrspace(1)* %a, i64 3
  %x = load float, float addrspace(1)* %arrayidx, align 4
  %y = addrspacecast float addrspace(3)* getelementptr inbounds ([256 x float], [256 x float] addrspace(3)* @s, i64 0, i64 4) to float*
  store float %x, float* %y, align 4
  %q = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* %pp, align 8
  %c = bitcast i32 addrspace(1)* %q to <4 x i8> addrspace(1)*
  %d = load <4 x i8>, <4 x i8> addrspace(1)* %c, align 4
  %f = select i1 true, void (i32*)* @helper, void (i32*)* null
  %g = getelementptr inbounds %struct.S, %struct.S* %v, i64 0, i32 0
  %h = load float*, float** %g, align 8
  %i = inttoptr i64 0 to {i32, float*} addrspace(1)*
  %v4 = insertelement <2 x i8*> undef, i8* null, i32 0
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (float addrspace(1)*, i32 addrspace(1)* addrspace(1)*, %struct.S*)* @k, !"kernel", i32 1}
"""  # noqa: E501 - as the compiler prints it


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i32*", "ptr"),
        ("i32 addrspace(3)*", "ptr addrspace(3)"),
        ("i32 addrspace(0)*", "ptr"),
        ("i8* addrspace(1)*", "ptr addrspace(1)"),
        ("i8 addrspace(1)**", "ptr"),
        ("<{ i8*, [2 x float*] }>*", "ptr"),
        ("void (i8*, ...)*", "ptr"),
        ("{ i32 } (i8*)* (i8*)*", "ptr"),
        ("<4 x i32*>", "<4 x ptr>"),
        ('%"a (*b"*', "ptr"),
        ("%struct.S* byval align 8 %p", "ptr byval(%struct.S) align 8 %p"),
        ("%struct.S* byval(%struct.S) %p", "ptr byval(%struct.S) %p"),
        ('asm "=*m;", "r"(i8* %p) ; i8*', 'asm "=*m;", "r"(ptr %p) ; i8*'),
    ],
)
def test_a_type(old, new):
    assert upgraded(Source("t.ll", old)).text == new


def test_text_without_typed_pointers_stays_as_it_is():
    source = Source("t.ll", '@a = constant [2 x i8] c"**" ; x*\n!0 = !{!"char*"}')
    assert upgraded(source) is source


def module_text(module):
    return sorted(line for line in str(module).split("\n") if not line.startswith((";", "attrib")))


@pytest.mark.skipif(shutil.which("llvm-as-14") is None, reason="LLVM 14 is not here")
def test_it_is_what_llvms_reader_of_old_bitcode_makes_of_it():
    run = subprocess.run(
        ["llvm-as-14", "-o", "-"], input=OLD.encode(), capture_output=True, check=True
    )
    old = llvm.parse_bitcode(run.stdout, context=llvm.create_context())
    new = llvm.parse_assembly(upgraded(Source("t.ll", OLD)).text, context=llvm.create_context())
    wanted = [line for line in module_text(old) if not line.startswith("source_filename")]
    assert [line for line in module_text(new) if not line.startswith("source_filename")] == wanted


def test_a_kernel_is_found_by_its_annotation():
    module = parsed(OLD).module
    (kernel,) = module.kernels
    assert (kernel.name, [p.name for p in kernel.parameters]) == ("k", ["a", "pp", "v"])
    assert rendered(kernel)[:2] == [
        "lea.b64 %arrayidx, %a, 0, 1, 12",
        "ld.global.f32 %x, [%arrayidx]",
    ]
    assert kernel.instructions.__next__().span.line == 14
