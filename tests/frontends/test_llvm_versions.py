# ruff: noqa: E501 - as the compiler prints it
"""What other versions of LLVM write into debug information and declarations is read."""

import llvmlite.binding as llvm
import pytest
from llvm_inputs.rendered import lowered, parsed

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.llvm import parse, read_bitcode

TEXT = """target triple = "spir64"
@table = internal addrspace(1) global i32 0, !dbg !20
define spir_kernel void @k(ptr addrspace(1) %out) !dbg !4 {
  call spir_func void @llvm.dbg.value(metadata i32 5, metadata !12, metadata !DIExpression()), !dbg !8
  #dbg_value(i32 7, !12, !DIExpression(DW_OP_constu, 0), !8)
  store i32 7, ptr addrspace(1) %out, !dbg !8
  %i = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !10
  ret void, !dbg !11
}
declare !dbg !21 spir_func i64 @_Z13get_global_idj(i32)
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, isOptimized: false, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: "/", checksumkind: CSK_MD5, checksum: "0123456789abcdef0123456789abcdef")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !{null})
!8 = !DILocation(line: 2, column: 3, scope: !9)
!9 = !DILexicalBlock(scope: !4, file: !1, line: 2, column: 1)
!10 = !DILocation(line: 3, scope: !22, inlinedAt: !11)
!11 = !DILocation(line: 4, scope: !4)
!12 = !DILocalVariable(name: "x", scope: !9, file: !1, line: 2, type: !13)
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!21 = !DISubprogram(name: "g", scope: !1, file: !1, line: 9, type: !5, spFlags: DISPFlagOptimized)
!22 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!23 = distinct !DIGlobalVariable(name: "table", scope: !0, file: !1, line: 7, type: !13, isLocal: true, isDefinition: true)
""".replace("  call spir_func void @llvm", "  call void @llvm")  # fmt: skip

RECORD = "  #dbg_value(i32 7, !12, !DIExpression(DW_OP_constu, 0), !8)\n"
PLAIN = TEXT.replace(RECORD, "\n")


def lines(result):
    (kernel,) = result.module.kernels
    return [(i.operation.opcode, i.debug) for i in kernel.instructions]


@pytest.fixture(scope="module")
def wanted():
    found = lines(parsed(PLAIN))
    assert list(dict.fromkeys(d.line for _, d in found)) == [2, 3, 4]
    return found


@pytest.mark.parametrize(
    ("known", "foreign"),
    [
        ("DW_CC_normal", "DW_CC_Unheard"),
        ("DW_LANG_OpenCL", "DW_LANG_Unheard"),
        ("DW_ATE_signed", "DW_ATE_unheard"),
        ("CSK_MD5", "CSK_Unheard"),
        ("spFlags: DISPFlagDefinition", "spFlags: DISPFlagDefinition | DISPFlagUnheard"),
        ("isOptimized: false", "isUnheard: !{}"),
        ("scope: !9)\n", "scope: !9, unheard: 5)\n"),
        ("size: 32", "size: !2"),
        ("!13 = !DIBasicType(", "!13 = !DIUnheardType("),
        ("!23 = distinct !DIGlobalVariable(", "!23 = distinct !DIUnheardVariable("),
        ("!DIExpression(DW_OP_constu, 0)", "!DIExpression(DW_OP_unheard)"),
        ("#dbg_value(", "#dbg_unheard("),
    ],
)
def test_words_that_this_llvm_does_not_know_cost_no_line(wanted, known, foreign):
    calls = TEXT.replace("  call void @llvm", "  ; call void @llvm") if known in RECORD else PLAIN
    result = parsed(calls.replace(known, foreign))
    assert result.diagnostics == ()
    assert lines(result) == wanted


@pytest.mark.parametrize(
    ("known", "foreign", "why"),
    [
        ("!9 = !DILexicalBlock(", "!9 = !DIUnheardBlock(", "scope must be a DILocalScope"),
        ("!dbg !8\n  %i", "!dbg !DIUnheardLocation(line: 2)\n  %i", "expected metadata type"),
    ],
)
def test_what_leads_to_no_line_is_left_out_with_a_note(wanted, known, foreign, why):
    result = parsed(PLAIN.replace(known, foreign))
    (note,) = [str(d) for d in result.diagnostics]
    assert "note: LLVM leaves debug information out" in note
    assert why in note
    assert [opcode for opcode, _ in lines(result)] == [opcode for opcode, _ in wanted]
    assert lines(result)[0][1] is None


def test_faults_beside_debug_information_stay_where_they_are():
    with pytest.raises(InputError) as caught:
        parse(Source("t.ll", PLAIN.replace("store i32 7", "stoer i32 7")))
    assert str(caught.value).startswith("t.ll:6:3: error: expected instruction opcode")


AMD = 'target triple = "amdgcn-amd-amdhsa"\ntarget datalayout = "e-p8:128:128-G1"\n'


def amd(call, result, name, types):
    text = f"""{AMD}define amdgpu_kernel void @k(ptr addrspace(1) %p, float %f) {{
  {call}
  ret void
}}
declare {result} @{name}({types})
"""
    return parse(Source("t.ll", text))


@pytest.mark.parametrize("records", ["i32", "i64"])
def test_a_buffer_has_records_of_either_width(records):
    name = "llvm.amdgcn.make.buffer.rsrc.p8.p1"
    call = f"%r = call ptr addrspace(8) @{name}(ptr addrspace(1) %p, i16 0, {records} 64, i32 0)"
    types = f"ptr addrspace(1) readnone, i16, {records}, i32"
    result = amd(call, "ptr addrspace(8)", name, types)
    assert result.diagnostics == ()
    opcodes = [i.operation.opcode for i in result.module.kernels[0].instructions]
    assert opcodes == ["and.b64", "mov.b64", "shl.b64", "or.b64", "ret"]


def test_older_bitcode_with_attributes_is_read():
    name = "llvm.amdgcn.make.buffer.rsrc.p1"
    call = f"%r = call ptr addrspace(8) @{name}(ptr addrspace(1) %p, i16 0, i32 64, i32 0)"
    text = f"""{AMD}define amdgpu_kernel void @k(ptr addrspace(1) %p) {{\n  {call}\n  ret void\n}}
declare ptr addrspace(8) @{name}(ptr addrspace(1) readnone, i16, i32, i32) #0
attributes #0 = {{ nounwind memory(none) }}
"""
    module = llvm.parse_assembly(text, llvm.create_context())
    source = read_bitcode(module.as_bitcode(), "k.bc")
    assert f"@{name}(" in source.text
    assert parse(source).diagnostics == ()


def test_a_buffer_without_its_layout_is_not_understood():
    name = "llvm.amdgcn.make.buffer.rsrc.p8.p1"
    call = f"%r = call ptr addrspace(8) @{name}(ptr addrspace(1) %p, i16 0, i64 64, i32 0)"
    text = f"{AMD.splitlines()[0]}\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p) {{\n  {call}"
    text += f"\n  ret void\n}}\ndeclare ptr addrspace(8) @{name}(ptr addrspace(1), i16, i64, i32)\n"
    (warning,) = parse(Source("t.ll", text)).diagnostics
    assert "a buffer descriptor of 64 bits" in warning.message


@pytest.mark.parametrize("pair", ["<2 x i16>", "<2 x bfloat>"])
def test_a_product_of_bf16_has_integers_in_older_text(pair):
    name = "llvm.amdgcn.fdot2.f32.bf16"
    zero = f"{pair} zeroinitializer"
    call = f"%r = call float @{name}({zero}, {zero}, float %f, i1 false)"
    result = amd(call, "float", name, f"{pair}, {pair}, float, i1 immarg")
    opcodes = [i.operation.opcode for i in result.module.kernels[0].instructions]
    assert opcodes == [*["cvt.f32.bf16", "cvt.f32.bf16", "fma.rn.f32"] * 2, "ret"]


def test_older_types_of_nvidia_and_in_text_that_is_printed_anew():
    name = "llvm.nvvm.f2bf16.rn"
    body = f"%s.0 = alloca i16\n%r = call i16 @{name}(float %f)\nstore i16 %r, ptr %s.0"
    around = f"declare i16 @{name}(float)"
    assert "cvt.rn.bf16.f32 %r, %f" in lowered(body, around=around)


@pytest.mark.parametrize(
    ("name", "result", "types", "line"),
    [
        ("llvm.amdgcn.ds.bpermute", "i32", "i32 0, i32 0, i32 0", 7),
        ("llvm.amdgcn.ds.bpermute", "i32", "i32 0", 7),
        ("llvm.amdgcn.workitem.id.x", "i64", "", 7),
        ("llvm.amdgcn.make.buffer.rsrc.p8.p1", "i128", "i32 0", 7),
    ],
)
def test_types_of_no_version_are_refused_where_they_are_declared(name, result, types, line):
    call = f"%r = call {result} @{name}({types})"
    with pytest.raises(InputError) as caught:
        amd(call, result, name, types.replace(" 0", ""))
    (refusal,) = caught.value.diagnostics
    assert (refusal.span.line, f"`{name}`" in refusal.message) == (line, True)
    assert refusal.excerpt[refusal.span.column - 1 :].startswith(f"@{name}")
