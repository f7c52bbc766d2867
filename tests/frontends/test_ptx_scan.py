"""The quick scan, and counts of whole files against an independent scan for statements."""

import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lark import Lark, logger

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.base.lalr import grammar_text
from warpmill.analyzer.frontends.ptx import PtxFunctionHeader, grammar, parse, scan
from warpmill.analyzer.frontends.ptx.lexer import operand_shape
from warpmill.analyzer.ir.verifier import verify

ROOT = Path(__file__).parents[2]
FORMS = Path(__file__).parent / "ptx_inputs" / "forms.ptx"
FILES = [*sorted((ROOT / "samples").glob("*/*.ptx")), FORMS]

INLINE = """.version 8.0
.target sm_80
// .visible .entry in_a_comment() {
.visible .func (.param .b32 r) helper(.param .b32 x)
{ // }
  { .reg .b32 t; { mov.b32 t, 1; } }
  ret;
}
.extern .func declared(.param .b32 x);
.weak .entry
split_header
(
)
{ ret;
}
"""


def test_scan_finds_functions_with_bodies():
    assert scan(Source("inline.ptx", INLINE)) == (
        PtxFunctionHeader("helper", 4, 8, is_entry=False),
        PtxFunctionHeader("split_header", 10, 15, is_entry=True),
    )


def test_scan_skips_block_comments_and_survives_truncation():
    hidden = INLINE.replace("// .visible", "/* .visible").replace("comment() {", "comment() { */")
    assert len(scan(Source("inline.ptx", hidden))) == 2
    assert scan(Source("inline.ptx", "")) == ()
    cut = INLINE[: INLINE.index("{ ret;") + 3]
    assert scan(Source("inline.ptx", cut))[-1] == PtxFunctionHeader("split_header", 10, 14, True)
    assert scan(Source("inline.ptx", INLINE + "/* open .entry x() {")) == scan(
        Source("inline.ptx", INLINE)
    )


def statement_count(text: str) -> int:
    """Count what ends in a semicolon inside function bodies and starts with an opcode or guard."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    text = re.sub(r"^\.section[^{]*\{[^}]*\}|^\.(?:file|loc)[^\n]*", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*\.loc[^\n]*", "", text, flags=re.MULTILINE)
    text = re.sub(r"^[.](?!func|entry|visible|weak)[^;]*;", "", text, flags=re.MULTILINE)
    statements = [re.sub(r"^\s*(?:[\w$]+\s*:|[{}]|\s)*", "", s) for s in text.split(";")[:-1]]
    return sum(re.match(r"\s*(?:@|[a-z][\w]*(?:[.:\s]|$))", s) is not None for s in statements)


def scanned_count(text: str) -> int:
    """Sum the counts of the bodies only, found by their braces at the start of a line."""
    lines = text.split("\n")
    headers = scan(Source("x", text))
    bodies = ["\n".join(lines[h.first_line - 1 : h.last_line]) for h in headers]
    return sum(statement_count(body[body.index("{") + 1 : body.rindex("}")]) for body in bodies)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_files_parse_completely(path):
    text = path.read_text()
    parsed = parse(Source(path.name, text))
    functions = (*parsed.module.kernels, *parsed.module.functions)
    assert sum(f.instruction_count for f in functions) == scanned_count(text)
    assert parsed.diagnostics == ()
    assert verify(parsed.module) == ()
    entries = [h.name for h in scan(Source(path.name, text)) if h.is_entry]
    assert [k.name for k in parsed.module.kernels] == entries


def test_one_kernel_of_each_file_is_the_same_as_among_all():
    for path in FILES:
        source = Source(path.name, path.read_text())
        for kernel in parse(source).module.kernels:
            assert parse(source, kernel.name).module.kernels == (kernel,)


def test_importing_and_scanning_load_no_parser():
    code = (
        "import sys; from warpmill.analyzer.frontends.ptx import scan;"
        "from warpmill.analyzer.base.diagnostics import Source;"
        "scan(Source('x', '.entry k() { ret; }')); assert 'lark' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_grammar_has_no_conflicts(caplog):
    """Lark settles shift and reduce conflicts silently, telling only its debug log."""
    logger.setLevel(logging.DEBUG)
    try:
        Lark(
            grammar_text("ptx.lark"),
            parser="lalr",
            lexer=grammar._Kinds,
            start=list(grammar.STARTS),
            debug=True,
        )
    finally:
        logger.setLevel(logging.CRITICAL)
    assert "conflict" not in caplog.text.lower()


def test_comments_behind_a_statement_take_time_in_line_with_their_length():
    """A kernel with 400,000 blanks where a comment was: minutes, were each tried as a start."""
    shape, values = operand_shape(f"%r1, 4{' ' * 400_000}", lambda name: ("REG", name))
    assert (shape, len(values)) == ("REG , INT", 2)
