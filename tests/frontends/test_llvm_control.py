"""Blocks, branches, φ, functions and debug locations of LLVM IR."""

from llvm_inputs.rendered import copies, parsed, rendered

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import DebugLocation

LOOP = """target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %0, i32 %1) {
  %3 = icmp sgt i32 %1, 0
  br i1 %3, label %4, label %8

4:                                                ; preds = %2, %4
  %5 = phi i32 [ 0, %2 ], [ %6, %4 ]
  %6 = add i32 %5, 1 ; one more
  %7 = icmp eq i32 %6, %1
  br i1 %7, label %8, label %4

8:
  ret void
}
"""


def test_the_false_successor_falls_through():
    kernel = parsed(LOOP).module.kernels[0]
    assert [b.label for b in kernel.blocks] == ["2", "4", "8"]
    entry, loop, end = kernel.blocks
    assert rendered(kernel)[1] == "@%3 bra 4"
    assert (entry.terminator.targets, entry.fallthrough) == ((1,), 2)
    assert (loop.terminator.targets, loop.fallthrough) == ((2,), 1)
    assert end.successors == ()
    assert entry.successors == (2, 1)


def test_phi_is_no_instruction_but_copies_on_edges():
    kernel = parsed(LOOP).module.kernels[0]
    assert copies(kernel, "4") == {"2": {"%5": "0"}, "4": {"%5": "%6"}}
    assert kernel.instruction_count == 6


def test_registers_stand_in_the_order_of_their_first_appearance():
    kernel = parsed(LOOP).module.kernels[0]
    assert [r.name for r in kernel.registers] == ["%0", "%1", "%3", "%5", "%6", "%7"]


def test_spans_point_to_the_statement_without_its_comment():
    add = parsed(LOOP).module.kernels[0].blocks[1].instructions[0]
    assert add.span == Span(9, 3, 21)


def test_a_constant_condition_keeps_both_edges():
    text = (
        "define ptx_kernel void @k() {\nentry:\n  br i1 true, label %a, label %b\n"
        "a:\n  br label %b\nb:\n  %p = phi i32 [ 1, %entry ], [ 2, %a ]\n  ret void\n}\n"
    )
    kernel = parsed(text).module.kernels[0]
    assert rendered(kernel)[:2] == ["mov.pred %.t1, 1", "@%.t1 bra a"]
    assert kernel.blocks[0].successors == (2, 1)


def test_switch_over_several_lines():
    text = """define ptx_kernel void @k(i32 %x, ptr addrspace(1) %p) {
entry:
  switch i32 %x, label %other [
    i32 0, label %zero ; nothing
    i32 -7, label %seven
    i32 8, label %zero
  ], !prof !0
zero:
  br label %other
seven:
  unreachable
other:
  %v = phi i32 [ 1, %entry ], [ 2, %zero ]
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 2, i32 3, i32 4}
"""
    kernel = parsed(text).module.kernels[0]
    assert rendered(kernel)[0] == "switch.s32 %x, 0, -7, 8, zero, seven, zero"
    assert kernel.blocks[0].fallthrough == kernel.block_ids["other"]
    assert kernel.blocks[0].instructions[0].span == Span(3, 3, 32)
    assert rendered(kernel)[2] == "unreachable"
    assert copies(kernel, "other") == {"entry": {"%v": "1"}, "zero": {"%v": "2"}}


def test_device_functions_stay_calls_and_their_bodies_are_kept():
    text = """target triple = "nvptx64"
define ptx_kernel void @k(ptr addrspace(1) %p, float %f) {
  %r = call float @half_of(float %f)
  %t = call { i32, float } @both(i32 3)
  call void @outside(ptr addrspace(1) %p, float %r)
  ret void
}
define internal float @half_of(float noundef %x) {
  %h = fmul float %x, 5.000000e-01
  ret float %h
}
define { i32, float } @both(i32 %x) {
  %a = insertvalue { i32, float } { i32 0, float 1.0 }, i32 %x, 0
  %b = call float @half_of(float 0.0)
  ret { i32, float } %a
}
define void @unused() {
  ret void
}
declare void @outside(ptr addrspace(1), float)
"""
    module = parsed(text).module
    assert rendered(module.kernels[0])[:3] == [
        "call {%r}, &half_of, {%f}",
        "call {%t.0 %t.1}, &both, {3}",
        "call {}, &outside, {%p %r}",
    ]
    assert [f.name for f in module.functions] == ["half_of", "both"]
    assert [d.name for d in module.declarations] == ["outside"]
    half, both = module.functions
    assert rendered(half) == ["mul.f32 %h, %x, f32:3f000000", "mov.f32 %.retval0, %h", "ret"]
    assert [half.registers[p.register.index].name for p in half.returns] == ["%.retval0"]
    assert [p.type.name for p in both.returns] == ["b32", "f32"]


def test_debug_locations_come_from_the_scope():
    text = """define ptx_kernel void @k(i32 %x) !dbg !4 {
  %a = add i32 %x, 1, !dbg !6
    #dbg_value(i32 %a, !9, !DIExpression(), !6)
  %b = add i32 %a, 1, !dbg !7
  %c = add i32 %b, 1
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !DIFile(filename: "inc/b.h", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0)
!5 = !DISubroutineType(types: !10)
!6 = !DILocation(line: 12, column: 7, scope: !4)
!7 = !DILocation(line: 3, scope: !11, inlinedAt: !6)
!8 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !5, unit: !0)
!9 = !DILocalVariable(name: "a", scope: !4, file: !1, line: 2)
!10 = !{null}
!11 = !DILexicalBlock(scope: !8, line: 2)
"""
    module = parsed(text).module
    places = [i.debug for i in module.kernels[0].instructions]
    assert places == [
        DebugLocation("a.cu", 12, 7),
        DebugLocation("inc/b.h", 3, 0, DebugLocation("a.cu", 12, 7)),
        None,
        DebugLocation("a.cu", 12, 7),
    ]
    assert module.debug_files == ("a.cu", "inc/b.h")


def test_unusual_layout_is_read_from_llvms_own_print():
    text = "define ptx_kernel void @k(i32 %x,\n  i32 %y) { %a = add i32 %x, %y ret void }\n"
    result = parsed(text)
    assert rendered(result.module.kernels[0]) == ["add.s32 %a, %x, %y", "ret"]
    assert result.source.derived
    line = result.module.kernels[0].blocks[0].instructions[0].span.line
    assert "%a = add i32 %x, %y" in result.source.line(line)


def test_two_statements_on_a_line_are_told_apart():
    text = (
        "define ptx_kernel void @k(i32 %x) {\n"
        "  %a = add i32 %x, 1 %b = mul i32 %a, 2\n  ret void\n}\n"
    )
    kernel = parsed(text).module.kernels[0]
    assert rendered(kernel) == ["add.s32 %a, %x, 1", "mul.lo.s32 %b, %a, 2", "ret"]


def test_implicit_blocks_are_numbered_as_llvm_does():
    text = "define ptx_kernel void @k(i1 %c) {\n  br label %1\n  ret void\n}\n"
    assert [b.label for b in parsed(text).module.kernels[0].blocks] == ["0", "1"]


def test_typed_pointers_of_old_compilers_are_read():
    text = (
        "define void @k(float addrspace(1)* %p) {\n"
        "  %v = load float, float addrspace(1)* %p\n  ret void\n}\n"
        "!nvvm.annotations = !{!0}\n"
        '!0 = !{void (float addrspace(1)*)* @k, !"kernel", i32 1}\n'
    )
    result = parsed(text)
    assert rendered(result.module.kernels[0]) == ["ld.global.f32 %v, [%p]", "ret"]
    assert result.source.derived
