"""What is wrong with a text, and where: line, column and words."""

import random
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, Severity, Source
from warpmill.analyzer.frontends.ptx import parse, scan

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
.reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<9>;
"""
INPUTS = Path(__file__).parent / "ptx_inputs"


def errors(text: str, *, strict: bool = False):
    """Line, column, end column and words of each error."""
    with pytest.raises(InputError) as caught:
        parse(Source("k.ptx", text), strict=strict)
    return [(*d.span, d.message) if d.span else d.message for d in caught.value.diagnostics]


def test_errors_of_several_statements_come_together_in_order():
    body = "bra X;\nadd.s32 %r1 %r2;\nmov.b32 %r99, 1\nmov.b32 %r1, y;\nret;"
    assert errors(f"{HEAD}{body}\n}}\n") == [
        (7, 5, 6, "label `X` is not there"),
        (8, 13, 16, "`%r2` does not fit here: a `,` is missing before it"),
        (9, 9, 13, "register `%r99` is not declared"),
    ]


def test_after_a_missing_semicolon_the_next_statement_is_read():
    body = "mov.b32 %r1, 1\nmov.b32 %r1, y;"
    assert errors(f"{HEAD}{body}\n}}\n") == [
        (7, 15, 16, "missing `;` after `1`"),
        (8, 14, 15, "`y` is not declared"),
    ]


def test_no_more_than_twenty():
    body = "mov.b32 %r1, y;\n" * 50
    found = errors(f"{HEAD}{body}\n}}\n")
    assert [line for line, *_ in found] == list(range(7, 27))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["the file is empty"]),
        (" \n\t\n", ["the file is empty"]),
        ("\x7fELF\x02\0\0\0", ["this is a binary file, not the text of PTX"]),
        ("int main() { return 0; }", ["this is not PTX: it has no .version"]),
    ],
)
def test_texts_that_are_wrong_as_a_whole(text, expected):
    assert errors(text) == expected


def test_strictness_makes_errors_of_unknown_opcodes():
    ((line, column, end, message),) = errors(f"{HEAD}frob.s32 %r1;\n}}", strict=True)
    assert (line, column, end) == (7, 1, 9)
    assert message.startswith("opcode `frob.s32` is not in the table")


def test_a_location_in_an_unknown_file_is_a_warning():
    parsed = parse(Source("k.ptx", f"{HEAD}.loc 3 1 1\n.loc 3 2 1\nret;\n}}"))
    assert [(d.severity, d.span.line, d.message) for d in parsed.diagnostics] == [
        (Severity.WARNING, 7, "no .file declares the file 3")
    ]
    assert next(iter(parsed.module.kernels[0].instructions)).debug is None


def test_deep_nesting_is_an_error():
    deep = "(" * 5000 + "1" + ")" * 5000
    assert errors(f"{HEAD}mov.u32 %r1, {deep};\n}}") == [
        (7, 46, 47, "brackets are nested more than 32 deep")
    ]
    assert errors(f"{HEAD}{'{' * 5000}{'}' * 5000}\n}}") == [
        (7, 201, 202, "scopes are nested more than 200 deep")
    ]
    braces = "{" * 5000 + "}" * 5000
    found = errors(f".version 8.0\n.target sm_80\n.global .u32 x[2] = {braces};")
    assert found == [(3, 53, 54, "brackets are nested more than 32 deep")]


def test_long_chains_are_no_trouble():
    text = f"{HEAD}mov.u32 %r1, {'+'.join(['1'] * 20000)};\n}}"
    (instruction, _) = parse(Source("k.ptx", text)).module.kernels[0].instructions
    assert instruction.operands[1].value == 20000


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(60))
def test_mutations_end_well(seed):
    """Whatever is done to a text, it parses or it ends in InputError with a place."""
    chance = random.Random(seed)
    text = (INPUTS / "forms.ptx").read_text()
    for _ in range(chance.choice([1, 1, 3, 10])):
        text = _mutated(text, chance)
    try:
        parse(Source("k.ptx", text))
    except InputError as error:
        assert error.diagnostics
    scan(Source("k.ptx", text))


def _mutated(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text))
    length = chance.choice([1, 2, 8, 40])
    piece = text[start : start + length]
    other = chance.choice([*'{}()[];:,.@!%"$+-/*\n_<>=0fx\\\0é', "", piece * 2, piece[::-1]])
    if chance.random() < 0.05:
        return text[:start]
    return text[:start] + other + text[start + length :]


@pytest.mark.parametrize("blank", ["\u00a0", "\u0085", "\x1c", "\u2028"])
@pytest.mark.parametrize("place", ["module", "body"])
def test_blanks_that_ptx_does_not_know_are_errors(blank, place):
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n"
    damaged = text + f"{blank};\n" if place == "module" else text.replace("ret;", f"ret; {blank};")
    with pytest.raises(InputError) as raised:
        parse(Source("k.ptx", damaged))
    assert raised.value.diagnostics[0].span is not None


def test_an_impossible_address_size_is_told_before_variables_are_laid_out():
    text = ".version 8.0\n.target sm_80\n.address_size 1\n.global .b8 a[8] = {0xFF(b)};\n"
    with pytest.raises(InputError, match="32 or 64"):
        parse(Source("k.ptx", text))


@pytest.mark.parametrize(
    "line",
    [
        ".shared .align 7 .b8 tile[64];",
        ".entry e(.param .align 6 .b8 p[8]) { ret; }",
        ".entry e(.param .u64 .ptr .global .align 3 p) { ret; }",
        ".entry e() { .local .align 0 .b8 a[4]; ret; }",
    ],
)
def test_an_alignment_is_a_power_of_two(line):
    text = f".version 8.0\n.target sm_80\n.address_size 64\n{line}\n.entry k() {{ ret; }}\n"
    with pytest.raises(InputError, match="an alignment is a power of two") as raised:
        parse(Source("k.ptx", text))
    assert raised.value.diagnostics[0].span.line == 4


def test_a_branch_by_a_list_that_is_none_is_an_error():
    body = ".reg .b32 %r; T: .branchtargets L; brx.no_such %r, T; L: ret;"
    text = f".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {{\n{body}\n}}\n"
    with pytest.raises(InputError, match=r"brx\.no_such") as raised:
        parse(Source("k.ptx", text))
    assert raised.value.diagnostics[0].span.line == 5
