"""The text form: the documented example, the words for each thing, and errors that point."""

import json
import re
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import DebugLocation, InputError, Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    FloatImm,
    Guard,
    Imm,
    Module,
    NotPredicate,
    Pair,
    Reg,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.analyzer.ir.verifier import verify

DOCUMENT = Path(__file__).parents[2] / "docs" / "ir.md"
HEAD = '.module m target sm_80 version "9.0" address_bits 64 warp_size 32\n'


def function_of(line):
    return f"""{HEAD}.function f [1:1-2]
.reg s32 %r1, %r2, two, %"x y"
.reg pred %p1
.block 0 ^a fallthrough ^b
{line}
.block 1 ^b
ret [9:1-4]
.end
"""


def instruction_of(words):
    return read_module(function_of(f"{words} [2:3-4]")).functions[0].blocks[0].instructions[0]


def test_the_documented_example_is_what_is_printed():
    (example,) = re.findall(r"```\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    module = read_module(example)
    assert print_module(module) == example
    assert verify(module) == ()
    kernel = module.kernel("scale")
    assert kernel.bounds.max_threads == (256, 1, 1)
    assert kernel.parameters[0].pointee_space is Space.GLOBAL
    assert module.variables[0].initialiser == (0, 0, 0, 0x40)
    branch = kernel.blocks[0].instructions[-1]
    assert (branch.guard, branch.targets, branch.span) == (Guard(Reg(0)), (2,), Span(23, 5, 20))
    assert kernel.blocks[1].instructions[3].operands[2] == FloatImm(0x40000000, TYPES["f32"])
    assert kernel.blocks[1].instructions[2].debug == DebugLocation("scale.cu", 4, 13)


OPERANDS = [
    ("%r1", Reg(0)),
    ("two", Reg(2)),
    ('%"x y"', Reg(3)),
    ("%#17", Reg(17)),
    ("%r2:x", Element(Reg(1), "x")),
    ("-5", Imm(-5)),
    ("f16:0x7e01", FloatImm(0x7E01, TYPES["f16"])),
    ("$tid.x", Special("tid.x")),
    ("&table-16", Symbol("table", -16)),
    ("[%r1+16]", Address(Reg(0), 16)),
    ("[&table+4]", Address(Symbol("table"), 4)),
    ("[&table+4-8]", Address(Symbol("table", -8), 4)),
    ("[&table+0+8]", Address(Symbol("table", 8), 0)),
    ("[-4096-4]", Address(Imm(-4096), -4)),
    ("[&image, {%r1, %r2}]", TupleAddress((Symbol("image"), Vector((Reg(0), Reg(1)))))),
    ("[%r1,]", TupleAddress((Reg(0),))),
    ("[,]", TupleAddress(())),
    ("{%r1, _}", Vector((Reg(0), Sink()))),
    ("%r1|%r2|_", Pair(Pair(Reg(0), Reg(1)), Sink())),
    ("%r1|<%r2|_>", Pair(Reg(0), Pair(Reg(1), Sink()))),
    ("!%p1", NotPredicate(Reg(4))),
    ("(%r1, 2)", Arguments((Reg(0), Imm(2)))),
    ("()", Arguments(())),
]


@pytest.mark.parametrize(("text", "operand"), OPERANDS, ids=[t for t, _ in OPERANDS])
def test_operands(text, operand):
    instruction = instruction_of(f"frob {text}, 1")
    assert instruction.operands == (operand, Imm(1))
    module = read_module(function_of(f"frob {text}, 1 [2:3-4]"))
    assert f"    frob {text}, 1 [2:3-4]\n" in print_module(module)


def test_a_tab_may_stand_in_a_quoted_name():
    assert read_module(HEAD + '.file "a\tb"\n').debug_files == ("a\tb",)


@pytest.mark.parametrize("opcode", ["", " ret", ".reg", "a b", 'x"y', "1"])
def test_an_opcode_that_is_no_plain_word_is_quoted(opcode):
    module = read_module(function_of(f"{json.dumps(opcode)} %r1 [1:1-2]"))
    assert module.functions[0].blocks[0].instructions[0].operation.opcode == opcode
    assert read_module(print_module(module)) == module


def test_very_long_integers_are_read_and_written():
    value = 10**5000
    module = read_module(function_of(f"frob {hex(value)} [1:1-2]"))
    assert module.functions[0].blocks[0].instructions[0].operands == (Imm(value),)
    assert f"frob {hex(value)} [" in print_module(module)


def test_initialisers():
    values = (*range(40), 256, -1, 1.5, Symbol("f", 8), 7)
    variable = Variable("v", Space.GLOBAL, TYPES["b8"], 64, 4, (16, None), values, ("extern",))
    empty = Variable("e", Space.SHARED, TYPES["b8"], None, 4, (), ())
    module = Module("m", "sm_80", "9.0", 64, 32, (), variables=(variable, empty))
    assert print_module(module).splitlines()[1:] == [
        ".var global b8 v size 64 align 4 shape (16, ?) attributes extern",
        f'.data x"{bytes(range(32)).hex()}"',
        '.data x"2021222324252627", 256, -1, f64:0x3ff8000000000000, &f+8, x"07"',
        ".var shared b8 e size ? align 4",
        ".data",
    ]
    assert read_module(print_module(module)) == module


def test_comments_blank_lines_line_ends_and_spaces_mean_nothing():
    (example,) = re.findall(r"```\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    loose = "// first\r\n\n" + example.replace("\n", "  // why\r\n \t\r\n// and\n\t").rstrip("\t\n")
    assert read_module(loose) == read_module(example)


ERRORS = [
    ("", 1, 1, "unexpected end of the text"),
    (HEAD + ".var global b8 v size 4", 2, 24, "unexpected end of the line"),
    (HEAD + ".function f [1:1-2]\n", 3, 1, "unexpected end of the text"),
    (HEAD + ".file a b\n", 2, 9, "unexpected `b`"),
    (HEAD + ".file \x01\n", 2, 7, "unexpected `\x01`"),
    (HEAD + ".var global b9 v size 4 align 4\n", 2, 13, "there is no type `b9`"),
    (HEAD + ".var lobal b8 v size 4 align 4\n", 2, 6, "there is no memory space `lobal`"),
    (HEAD + '.file "a\\q"\n', 2, 7, 'malformed quoted name "a\\q"'),
    (HEAD + ".var global b8 v size 4 align 4\n.data f32:0x0\n", 3, 7, "an f64 of 64 bits"),
    (HEAD + ".var global b8 v size 4 align 4\n.data f64:0x10000000000000000\n", 3, 7, "64 bits"),
    (HEAD + f".var global b8 v size 4 align {'9' * 5000}\n", 2, 31, "the number is too long"),
    (HEAD + ".function f [1:1-2]\n.bounds\n.end\n", 2, 11, "only a kernel has launch bounds"),
    (HEAD + ".function f [1:1-2]\n.reg s32 %#1\n.end\n", 3, 10, "declared by its name"),
    (HEAD + ".function f [1:1-2]\n.block 0 ^#1\n.end\n", 3, 10, "declared by its label"),
    (function_of("add.s32 %r1, %r9, 1 [1:1-2]"), 6, 14, "register `%r9` is not declared once"),
    (function_of("@%p2 ret [1:1-2]"), 6, 2, "register `%p2` is not declared once"),
    (function_of(".from ^a %r7 = 1"), 6, 10, "register `%r7` is not declared once"),
    (function_of(".from ^q"), 6, 7, "block `^q` does not stand once"),
    (function_of("bra -> ^b, ^c [1:1-2]"), 6, 12, "block `^c` does not stand once"),
    (function_of("mov %r1, f31:0x0 [1:1-2]"), 6, 10, "there is no type `f31`"),
    (function_of("add.s32 %r1, [1:1-2]"), 6, 16, "unexpected `:`"),
    (function_of("ret"), 6, 4, "unexpected end of the line"),
    (function_of(f"frob {'{' * 99}{'}' * 99} [1:1-2]"), 6, 1, "nested more than 64 deep"),
    (function_of(f"frob {'<' * 9999}1 [1:1-2]"), 6, 10007, "unexpected `[1:1-2]`"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), ERRORS)
def test_errors_point(text, line, column, words):
    with pytest.raises(InputError) as caught:
        read_module(text, "bad.ir")
    (diagnostic,) = caught.value.diagnostics
    assert words in diagnostic.message
    assert (diagnostic.file, diagnostic.span.line, diagnostic.span.column) == (
        "bad.ir", line, column,
    )  # fmt: skip


def test_a_name_given_twice_cannot_be_referred_to():
    text = function_of("add.s32 %r1, two, 1 [1:1-2]").replace('two, %"x y"', "two, two")
    with pytest.raises(InputError, match="register `two` is not declared once"):
        read_module(text)
    module = read_module(text.replace("two, 1", "%#3, 1"))
    assert "add.s32 %r1, %#3, 1" in print_module(module)
    text = function_of("bra -> ^b [1:1-2]").replace(".block 1 ^b", ".block 1 ^b\n.block 2 ^b")
    with pytest.raises(InputError, match="block `\\^b` does not stand once"):
        read_module(text)


def test_the_excerpt_and_what_was_expected_are_shown():
    with pytest.raises(InputError) as caught:
        read_module(HEAD + ".var global b8 v size x align 4\n", "bad.ir")
    assert str(caught.value) == (
        "bad.ir:2:23: error: unexpected `x`\n"
        "    2 | .var global b8 v size x align 4\n"
        "      |                       ^\n"
        "  = help: expected `?` or an integer"
    )
