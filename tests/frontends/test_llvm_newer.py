"""Text of a newer LLVM: its floating-point constants are read as what they are."""

import struct

import pytest
from llvm_inputs.rendered import kernel_text, parsed

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.analyzer.frontends.llvm.prepared_text import rewritten
from warpmill.analyzer.ir.kernel import FloatImm


def constants(statement):
    (first, *_) = parsed(kernel_text(statement)).module.kernels[0].instructions
    return [o.bits for o in first.operands if isinstance(o, FloatImm)]


def single(value):
    return int.from_bytes(struct.pack("<f", value), "little")


@pytest.mark.parametrize(
    ("statement", "bits"),
    [
        ("%r = fmul float %f, f0x3FB8AA3B", 0x3FB8AA3B),
        ("%r = fmul float %f, f0xFF800000", 0xFF800000),
        ("%r = fadd float %f, -inf", 0xFF800000),
        ("%r = fadd float %f, +inf", 0x7F800000),
        ("%r = fadd float %f, nan", 0x7FC00000),
        ("%r = fadd float %f, f0x7F800001", 0x7F800001),  # a signalling NaN stays one
        ("%r = fadd float %f, f0xFFA00001", 0xFFA00001),
        ("%r = fadd float %f, 0.1", single(0.1)),
        ("%r = fadd float %f, -1.442695e+00", single(-1.442695)),
        ("%r = fadd half %h, f0x3C00", 0x3C00),
        ("%r = fadd half %h, 0.1", 0x2E66),
        ("%r = fadd double %d, f0x3FF0000000000000", 0x3FF0000000000000),
        ("%r = fadd double %d, -inf", 0xFFF0000000000000),
        ("%r = fadd bfloat 1.0, f0x3F80", 0x3F80),
    ],
)
def test_a_constant_has_these_bits(statement, bits):
    assert constants(statement)[-1] == bits


def test_constants_of_several_types_on_a_line():
    statement = "%r = call float @g(half f0x3C00, float f0x40000000, double 0.1)"
    text = kernel_text(statement, around="declare float @g(half, float, double)\n")
    (call, *_) = parsed(text).module.kernels[0].instructions
    found = [o.bits for o in call.operands[2].items]
    assert found == [0x3C00, 0x40000000, 0x3FB999999999999A]


def test_nothing_else_is_touched():
    text = kernel_text(
        "%inf = fadd float %f, 5.000000e-01 ; -inf\n%1.5 = fadd double %d, 0.1\n"
        'call void asm "// float -inf f0x3F800000", ""()'
    )
    source = Source("t.ll", text)
    assert rewritten(source) is source


def test_lines_keep_their_numbers():
    text = kernel_text("%a = fadd float %f, -inf\n%b = fadd float %a, f0x3F800000")
    result = parsed(text)
    assert result.source.derived
    for instruction in list(result.module.kernels[0].instructions)[:2]:
        line = instruction.span.line
        assert result.source.line(line).split("=")[0] == text.split("\n")[line - 1].split("=")[0]


def test_an_empty_triple_is_nvidias():
    text = kernel_text("%a = fadd float %f, -inf").replace("nvptx64-nvidia-cuda", "")
    assert parsed(text).module.warp_size == 32


@pytest.mark.parametrize("constant", ["f0x123456789", "infinite", "f0x", "-in"])
def test_what_is_no_constant_is_refused_where_it_stands(constant):
    text = kernel_text(f"%a = fadd float %f, {constant}")
    with pytest.raises(InputError) as caught:
        parse(Source("t.ll", text))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span.line == 1 + text[: text.index("fadd")].count("\n")
