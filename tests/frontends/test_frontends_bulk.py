"""Objects made together, and the shortcuts that read the usual operands."""

import gc
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Source, Span
from warpmill.analyzer.base.many_objects import gc_paused, instances
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.frontends.ptx.operands import Fragments
from warpmill.analyzer.frontends.ptx.scopes import FunctionNames, NameScope
from warpmill.analyzer.ir.kernel import Instruction, Register
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES

SAMPLES = Path(__file__).parents[2] / "samples"


def test_objects_made_together_are_those_made_one_by_one():
    rows = [("a", TYPES["u32"], 1), ("b", TYPES["f32"], 4)]
    assert instances(Register, list(zip(*rows, strict=True))) == [Register(*row) for row in rows]
    assert instances(Register, ([], [], [])) == []


def test_fields_without_a_column_have_their_default():
    operation, span = decode("ret"), Span(1, 2, 3)
    assert instances(Instruction, ([operation], [()], [span])) == [Instruction(operation, (), span)]


@pytest.mark.parametrize("is_on", [True, False])
def test_the_search_for_cycles_is_as_before_afterwards(is_on):
    was_on = gc.isenabled()
    try:
        (gc.enable if is_on else gc.disable)()
        with pytest.raises(ZeroDivisionError), gc_paused():
            assert not gc.isenabled()
            _ = 1 // 0
        assert gc.isenabled() == is_on
        assert gc.get_freeze_count() == 0
    finally:
        (gc.enable if was_on else gc.disable)()


@pytest.mark.parametrize(
    "text",
    [
        "%r1", "%r0", "%r12", "%q1", "%p1.x", "%tid.x", "%r01", "%", "", "{%r1", "%r1}", "{%q1",
        "{%r1}", "%r1}}", "{ %r1", "%r1 }", "{ %r1 }", "{ %q1 }", "{}", "{ }", "{", "[ %r1 ]",
        "[ %r1 + 4 ]", "[%r1 +  4]", "[ v + 8 ]",
        "[%r1]", "[%r1+4]", "[%r1+-4]", "[%r1-4]", "[%q1]", "[%q1+4]", "[v]",
        "[v+8]", "[v+-8]", "[_]", "[WARP_SZ]", "[%tid.x]", "[%r1+010]", "0", "7", "-7", "010",
        "0x10", "5U", "- 5", "0f3F800000", "0F3f800000", "0d3FF0000000000000", "0f3F8", "1.5",
        "_", "WARP_SZ", "%tid.x", "%laneid", "%r1.x", "%r", "v.x", "$L__BB0_1", "_Z1kPf", "%tid",
        "%r1|%p2", "%r1 | %p2", "%q1|%p1", "%r1|_",
        "@%p1", "@!%p1 ", "@%q1", "@! %p1", "@5", "v", "v+4", "x", "[x]",
    ],
)  # fmt: skip
def test_shortcuts_give_what_the_grammar_gives(text):
    assert fragments()[text] == fragments()._made(text)


def fragments() -> Fragments:
    scope = NameScope(FunctionNames(reserved=()))
    for name, type_ in (("%r", "b32"), ("%p", "pred")):
        scope.declare_register(name, 20, TYPES[type_], 1)
    scope.declare_symbol("v")
    return Fragments(scope)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*.ptx")), ids=lambda path: path.name)
def test_registers_are_numbered_the_same_at_once_and_one_by_one(path):
    text = path.read_text()
    end = text.rindex("\n}") + 1
    nested = f"{text[:end]}{{ .reg .b32 unused; }}\n{text[end:]}"  # keeps from doing it at once
    at_once, one_by_one = (parse(Source("k.ptx", t)).module for t in (text, nested))
    assert at_once.kernels[-1].registers == one_by_one.kernels[-1].registers
    assert [b.instructions for b in at_once.kernels[-1].blocks] == [
        b.instructions for b in one_by_one.kernels[-1].blocks
    ]


def test_names_that_are_no_registers_are_not_numbered():
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    body = ".reg .b32 %r<3>; .reg .pred %p; mov.u32 %r2, %tid.x; @%p bra L; L: ret;"
    text = f'{head}.entry k() {{ {body} .pragma "%r1 %r01 %r3"; }}'
    (kernel,) = parse(Source("k.ptx", text)).module.kernels
    assert [register.name for register in kernel.registers] == ["%r2", "%p"]
