"""Inline assembly of NVIDIA targets in LLVM IR becomes the instructions that it is.

What is expected is what llc's NVPTX back end makes of the calls, with registers in place of its
copies where PTX takes the value as it is.
"""

import re
from pathlib import Path

import pytest
from llvm_inputs.nvptx_terms import back_end_kernels, terms_of
from llvm_inputs.rendered import PARAMETERS, kernel_text, lowered, parsed, rendered

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.verifier import verify


def assembly(call, parameters=PARAMETERS):
    return lowered(call, parameters)


def warning_of(call, parameters=PARAMETERS):
    (warning,) = parsed(kernel_text(call, parameters)).diagnostics
    assert warning.severity.value == "warning"
    return warning


def test_constants_are_written_into_the_text():
    call = 'call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2, $3;", '
    call += '"r,l,n,in,~{memory}"(ptr addrspace(3) %s, ptr addrspace(1) %p, i32 16, i32 -8)'
    parameters = PARAMETERS.replace("ptr addrspace(3) %s", "i32 %s")
    call = call.replace("ptr addrspace(3) %s", "i32 %s")
    assert assembly(call, parameters) == ["cp.async.ca.shared.global [%s], [%p], 16, -8"]


def test_floats_are_no_fragments_of_bits():
    """ptxas refuses .f32 registers for the factor of ``wgmma``, which are no accumulators."""
    opcode = "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32"
    text = f"{opcode} {{$0,$1,$2,$3}}, {{$8,$8,$8,$9}}, $10, 1, 1, 1;"
    results = "{ float, float, float, float }"
    call = f'%r = call {results} asm sideeffect "{text}", "=f,=f,=f,=f,0,1,2,3,r,r,l"'
    values = "float %f, float %g, float %f, float %g, i32 %x, float %f, i64 %l"
    written = assembly(f"{call}({values})")
    assert written[0] == "mov.b32 %.t1, %f"
    assert written[-1] == (f"{opcode} {{%r.0 %r.1 %r.2 %r.3}}, {{%x %x %x %.t1}}, %l, 1, 1, 1")


# -- texts that jump
WAIT = r"""\0A{\0A .reg .pred done;\0Await:\0A
 mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\0A @!done bra.uni wait;\0A}\0A""".replace(
    "\n", ""
)
WAITS = f"""
call void asm sideeffect "{WAIT}", "r,r"(i32 %x, i32 0)
call void asm sideeffect "{WAIT}", "r,r"(i32 %y, i32 %x)
"""


def test_a_loop_is_one_function_that_is_called():
    module = parsed(kernel_text(WAITS)).module
    (function,) = module.functions
    assert rendered(module.kernels[0]) == [
        "call {}, &inline_asm_1, {%x 0}",
        "call {}, &inline_asm_1, {%y %x}",
        "ret",
    ]
    assert rendered(function) == [
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%operand0], %operand1",
        "@!done bra.uni wait",
        "ret",
    ]
    assert {i.span.line for i in function.instructions} == {5}


def test_a_loop_is_inlined_block_by_block():
    module = parsed(kernel_text(WAITS)).module
    kernel = inline_calls(module, module.kernels[0]).kernel
    loops = [b.label for b in kernel.blocks if b.id in b.successors]
    assert loops == ["inline_asm_1.1.wait", "inline_asm_1.2.wait"]
    calls = [i.inlined.call.line for i in kernel.instructions if i.inlined is not None]
    assert calls == [5, 5, 6, 6]


def test_calls_with_lines_of_their_own_have_functions_of_their_own():
    lines = [line for line in WAITS.split("\n") if line]
    body = "\n".join(f"{line}, !dbg !{n + 3}" for n, line in enumerate([*lines, lines[0]]))
    metadata = """
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!6}
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
    !1 = !DIFile(filename: "k.cu", directory: "/")
    !2 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !7,
         spFlags: DISPFlagDefinition)
    !3 = !DILocation(line: 5, scope: !2)
    !4 = !DILocation(line: 6, scope: !2)
    !5 = !DILocation(line: 5, scope: !2)
    !6 = !{i32 2, !"Debug Info Version", i32 3}
    !7 = !DISubroutineType(types: !{})
    """.replace(",\n", ",")
    text = kernel_text(body).replace(") {", ") !dbg !2 {") + metadata.replace("\n    ", "\n")
    module = parsed(text).module
    found = [{i.debug.line for i in f.instructions if i.debug} for f in module.functions]
    assert found == [{5}, {6}]


def test_results_and_ties_of_a_loop():
    text = "up: add.u32 $0, $0, $4; setp.lt.u32 $1, $0, $3; @$1 bra up; st.u32 $2, $0;"
    call = f'%r = call {{ i8, i1 }} asm "{text}", "=r,=b,=*m,r,n,0"'
    call += "(ptr elementtype(i32) %q, i32 %y, i32 2, i8 %c)"
    module = parsed(kernel_text(call)).module
    assert rendered(module.kernels[0])[:-1] == [
        "cvt.u32.u8 %.t2, %c",
        "call {%.t1 %r.1}, &inline_asm_1, {%q %y %.t2}",
        "cvt.u8.u32 %r.0, %.t1",
    ]
    (function,) = module.functions
    assert rendered(function) == [
        "mov.b32 %operand0, %input5",
        "add.u32 %operand0, %operand0, 2",
        "setp.lt.u32 %operand1, %operand0, %operand3",
        "@%operand1 bra up",
        "st.u32 [%operand2], %operand0",
        "ret",
    ]
    assert [p.type.name for p in (*function.parameters, *function.returns)] == [
        *("b64", "b32", "b32"),
        *("b32", "pred"),
    ]


def test_variables_of_a_text_and_a_name_that_is_taken():
    text = "{ .shared .align 4 .b8 room[64]; mov.u32 $0, room; }"
    call = f'%r = call i32 asm "{text}", "=r"()\ncall void @inline_asm_1()'
    module = parsed(kernel_text(call, around="declare void @inline_asm_1()\n")).module
    assert rendered(module.kernels[0])[0] == "call {%r}, &inline_asm_2, {}"
    assert [v.size_bytes for v in module.functions[0].variables] == [64]


def test_a_text_that_ends_the_thread_ends_the_block():
    body = 'call void asm sideeffect "exit;", ""()\nstore i32 %x, ptr %q'
    assert rendered(parsed(kernel_text(body)).module.kernels[0]) == ["exit"]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ('asm "v_add_f32 $0, $1, $2", "=f,f,f"(float %f, float %g)', "v_add_f32"),
        ('asm "add.f32 $0, $1, $2;", "=f,f,l"(float %f, i64 %l)', "wants .f32"),
        ('asm "ret; mov.f32 $0, $1;", "=f,f"(float %f)', "returns"),
        ('asm "mov.b32 $0, $1;", "=f,r"(i64 %l)', "64 bits in a register of 32"),
        ('asm "mov.b32 $0, $1;", "=f,{r1}"(i32 %x)', "constraints"),
        ('asm "mov.b32 $0, $2;", "=f,r"(i32 %x)', "%operand2"),
    ],
)
def test_what_is_no_ptx_is_told_with_its_reason(call, reason):
    body = f"%r = call float {call}"
    warning = warning_of(body)
    assert reason in warning.message
    assert (warning.span.line, warning.span.column) == (5, 3)
    assert rendered(parsed(kernel_text(body)).module.kernels[0])[0].startswith("unknown.f32 %r, ")
    with pytest.raises(InputError, match="inline assembly"):
        parse(Source("t.ll", kernel_text(body)), strict=True)


def test_an_opcode_of_no_table_counts_by_the_nearest_rule():
    body = '%r = call i32 asm "frob.b32 $0, $1;", "=r,r"(i32 %x)'
    assert "frob.b32" in warning_of(body).message
    with pytest.raises(InputError, match="frob"):
        parse(Source("t.ll", kernel_text(body)), strict=True)


def test_assembly_of_another_target():
    text = (
        kernel_text("""
    %r = call i32 asm "", "=v,0"(i32 %x)
    %o = call i32 asm "v_mov_b32 $0, $1", "=v,v"(i32 %y)
    """)
        .replace("nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa")
        .replace("ptx_kernel", "amdgpu_kernel")
    )
    result = parse(Source("t.ll", text))
    assert verify(result.module) == ()
    shown = rendered(result.module.kernels[0])
    assert [line for line in shown if "%r" in line or "%o" in line] == [
        "mov.b32 %r, %x",
        "unknown.b32 %o, %y",
    ]
    assert ["NVIDIA" in d.message for d in result.diagnostics] == [True]


# -- LLVM's own back end as the judge
COMPUTED = (Path(__file__).parent / "llvm_inputs" / "assembly.ll").read_text()


@pytest.mark.parametrize("name", re.findall(r"@k_(\w+)", COMPUTED))
def test_the_same_is_computed_as_by_the_back_end(name):
    kernel = parsed(COMPUTED).module.kernel(f"k_{name}")
    expected = back_end_kernels(COMPUTED)[f"k_{name}"]
    assert len(expected) > 1  # a store is always there
    assert terms_of(kernel) == expected


def test_shared_pointers_in_wide_registers():
    text = """
    %a = call i64 asm "add.u64 $0, $1, 5;", "=l,l"(ptr addrspace(3) %s)
    %b = call ptr addrspace(3) asm "add.u64 $0, $1, 5;", "=l,l"(i64 %a)
    """
    layout = 'target datalayout = "e-p3:32:32-i64:64"'
    lines = lowered(text, around=layout)
    opcodes = [line.split()[0] for line in lines]
    assert opcodes == ["cvt.u64.u32", "add.u64", "add.u64", "cvt.u32.u64"]
    assert " %s" in lines[0]
