"""Every form of operand and guard, from text to IR."""

from pathlib import Path

import pytest
from llvm_inputs.rendered import rendered
from text_cases import hold

from warpmill.analyzer.base.diagnostics import InputError, Source, Span
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import (
    Address,
    Guard,
    Kernel,
    Reg,
)

READ = Path(__file__).parent / "read"
HEAD = """.version 8.0
.target sm_90
.address_size 64
.global .texref image;
.global .align 4 .b8 table[64];
.extern .func (.param .b32 r) callee (.param .b32 x);
.visible .entry k(.param .u64 buffer)
{
.reg .pred %p<4>; .reg .b32 %r<10>, plain; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .v4 .f32 %v;
"""


def kernel(body: str) -> Kernel:
    return parse(Source("k.ptx", f"{HEAD}{body}\n}}\n")).module.kernels[0]


@pytest.mark.parametrize("path", sorted(READ.glob("*.txt")), ids=lambda path: path.stem)
def test_statements_become_what_stands_below_them(path, bless):
    """The files of ``read/``: constants and elements of arrays are as ptxas has them."""
    hold(path, bless, lambda lines: rendered(kernel("\n".join(lines)))[:-1])


R0, R1 = Reg(0), Reg(1)


def test_guards():
    body = "@%p1 add.s32 %r1, %r1, 1;\n@!%p1 ret;\n@ ! %p1 exit;"
    first, second, third, _ = kernel(body).instructions
    assert (first.guard, second.guard, third.guard) == (
        Guard(R0),
        Guard(R0, negated=True),
        Guard(R0, negated=True),
    )


def test_spans_start_at_the_guard_and_end_with_the_first_line():
    body = "  @%p1 add.s32 %r1,\n  %r2, 1  ;\n\tmov.u32 %r1, %r2; membar.gl;"
    spans = [i.span for i in kernel(body).instructions]
    assert spans[:3] == [Span(10, 3, 20), Span(12, 2, 18), Span(12, 20, 29)]


def test_registers_stand_in_order_of_first_use_those_of_ranges_first():
    made = kernel("mov.b32 plain, %r7; @%p2 mov.b32 %r3, plain; mov.v4.f32 %v, %v;")
    assert [(r.name, r.type.name, r.vector) for r in made.registers] == [
        ("%r7", "b32", 1),
        ("%p2", "pred", 1),
        ("%r3", "b32", 1),
        ("plain", "b32", 1),
        ("%v", "f32", 4),
    ]


def test_ranges_end_before_their_count_and_may_follow_digits():
    made = kernel(".reg .f32 %x1<3>; mov.f32 %x12, %x10;")
    assert [r.name for r in made.registers] == ["%x12", "%x10"]


def test_unknown_opcodes_are_warned_about_once_and_keep_their_operands():
    text = f"{HEAD}frobnicate.s32 %r1, [%rd1];\nfrobnicate.s32 %r1, [%rd2];\n}}"
    parsed = parse(Source("k.ptx", text))
    first = next(iter(parsed.module.kernels[0].instructions))
    (warning,) = parsed.diagnostics
    assert first.operands == (R0, Address(R1))
    assert str(warning).startswith(
        "k.ptx:10:1: warning: opcode `frobnicate.s32` is not in the table; "
    )
    assert warning.span == Span(10, 1, 15)


@pytest.mark.parametrize("deep", ["-" * 5000 + "1", "(.s64)" * 5000 + "1", f"({'1?1:' * 5000}1)"])
def test_deep_expressions_are_errors(deep):
    with pytest.raises(InputError):
        kernel(f"mov.b64 %rd1, {deep}; ret;")


def test_a_cast_to_another_type_is_an_error():
    with pytest.raises(InputError, match="cannot be cast to"):
        kernel("mov.b64 %rd1, (.s32)5; ret;")
