"""Arithmetic, comparison, selection and casts of LLVM IR as operations of the IR."""

from llvm_inputs.rendered import kernel_text, parsed, rendered


def test_register_types_follow_the_values():
    kernel = parsed_kernel("%a = icmp eq i32 %x, 0\n%b = add i8 %c, 1\n%e = fadd half %h, %h")
    types = {r.name: r.type.name for r in kernel.registers}
    assert types["%a"] == "pred"
    assert (types["%b"], types["%e"], types["%p"], types["%d"]) == ("b8", "f16", "b64", "f64")


def parsed_kernel(body):
    return parsed(kernel_text(body)).module.kernels[0]


def test_odd_widths_are_cut_and_extended_and_noted_once():
    result = parsed(
        'target triple = "nvptx64"\n'
        "define ptx_kernel void @k(i32 %x, i64 %l) {\n"
        "  %a = trunc i32 %x to i3\n  %b = sext i3 %a to i32\n  %c = add i3 %a, 1\n"
        "  %d = add i3 %a, 2\n  ret void\n}\n"
    )
    assert rendered(result.module.kernels[0])[:7] == [
        "cvt.u8.u32 %.t1, %x",
        "and.b8 %a, %.t1, 7",
        "shl.b8 %.t2, %a, 5",
        "shr.s8 %.t3, %.t2, 5",
        "cvt.s32.s8 %b, %.t3",
        "add.s8 %.t4, %a, 1",
        "and.b8 %c, %.t4, 7",
    ]
    (note,) = result.diagnostics
    assert (note.severity.value, note.span.line) == ("note", 4)
    assert "3 bits" in note.message
