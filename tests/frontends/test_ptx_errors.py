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


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("add.s32 %r1, %r77, 1;", (7, 14, 18, "register `%r77` is not declared")),
        ("add.s32 %r1, %r10, 1;", (7, 14, 18, "register `%r10` is not declared")),
        ("add.s32 %r1, %r05, 1;", (7, 14, 18, "register `%r05` is not declared")),
        ("mov.b64 %rd1, nowhere;", (7, 15, 22, "`nowhere` is not declared")),
        ("mov.b32 %r1, %tid.q;", (7, 14, 20, "register `%tid.q` is not declared")),
        ("@%q1 ret;", (7, 2, 5, "register `%q1` is not declared")),
        ("@5 ret;", (7, 2, 3, "`5` does not fit here: a guard is a predicate, @%p or @!%p")),
        ("  bra NOWHERE;", (7, 7, 14, "label `NOWHERE` is not there")),
        ("brx.idx %r1, T;", (7, 14, 15, "label `T` is not there")),
        ("T: .branchtargets X; brx.idx %r1, T;", (7, 19, 20, "label `X` is not there")),
        ("{ IN: } bra IN;", (7, 13, 15, "label `IN` is not there")),
        ("A: ret; A: ret;", (7, 9, 10, "label `A` is declared twice")),
        (".reg .b32 x, x;", (7, 11, 12, "register `x` is declared twice")),
        (".reg .b32 %r3;", (7, 11, 14, "register `%r3` is declared twice")),
        (".reg .b64 %r<3>;", (7, 11, 13, "register `%r` is declared twice")),
        (".shared .u32 s; .local .u32 s;", (7, 29, 30, "variable `s` is declared twice")),
        ("add.s32 %r1, %r2", (7, 17, 18, "missing `;` after `%r2`")),
        ("ret", (7, 4, 5, "missing `;` after `ret`")),
        ("add.s32 %r1, %r2, 1\nret;", (7, 20, 21, "missing `;` after `1`")),
        ("{ membar.gl } ret;", (7, 12, 13, "missing `;` after `membar.gl`")),
        (".reg .b32 x\nret;", (7, 12, 13, "missing `;` after `x`")),
        ("add.s32 %r1 %r2, %r3;",
         (7, 13, 16, "`%r2` does not fit here: a `,` is missing before it")),
        ("add.s32 %r1, , %r3;",
         (7, 14, 15, "`,` does not fit here: an operand is missing before it")),
        ("add.s32 %r1, %r2,;",
         (7, 17, 18, "the statement ends too early, after `,`: an operand is missing")),
        ("ld.global.u32 %r1, [%rd1;", (7, 21, 25, "missing `]` after `%rd1`")),
        ("ld.global.u32 %r1, [%rd1*4];",
         (7, 25, 26, "`*` does not fit here: an address is a base and a constant, [%rd1+4]")),
        ("st.global.v2.u32 [%rd1], {%r1, {%r2}};",
         (7, 32, 33, "`{` does not fit here: braces around operands do not nest")),
        ("mov.u32 %r1, 0f3F8;",
         (7, 14, 19, "`0f3F8` is not a constant: 0f takes 8 digits of base 16, 0d 16 of them")),
        ("mov.u64 %rd1, 0x10000000000000000;",
         (7, 15, 34, "`0x10000000000000000` is not a constant of at most 64 bits")),
        ("mov.u32 %r1, 1/0;", (7, 1, 17, "division by zero in a constant expression")),
        ("mov.u32 %r1, 1<<64;",
         (7, 1, 19, "a shift in a constant expression is not between 0 and 63")),
        ("mov.u32 %r1, #;", (7, 14, 15, "`#` is not part of PTX")),
        (".wrong %r1;",
         (7, 1, 7, "`.wrong` does not fit here: there is no directive `.wrong` at this place")),
        ("123 %r1;", (7, 1, 4, "`123` does not fit here")),
        (";", (7, 1, 2, "`;` does not fit here")),
        ("ld.global.u32 %r1, %rd1;",
         (7, 20, 24, "`%rd1` does not fit here: an address stands in brackets")),
        ("st.global.u32 %rd1, %r1;",
         (7, 15, 19, "`%rd1` does not fit here: an address stands in brackets")),
        ("atom.add.u32 %r1, %rd1, 1;",
         (7, 19, 23, "`%rd1` does not fit here: an address stands in brackets")),
        ("ret %r1;", (7, 5, 8, "`%r1` does not fit here: a return takes no operands")),
        ("bra %r1;",
         (7, 5, 8, "`%r1` does not fit here: a branch has one label; brx.idx takes a list")),
        ("add.s32 %r1, %r2;", (7, 1, 8, "`add.s32` takes 3 operands, not 2")),
        ("mov.b32 %r1, %r2, %r3;", (7, 1, 8, "`mov.b32` takes 2 operands, not 3")),
        (".shared .u32 s[2] = {1, 2, 3};",
         (7, 1, 30, "the initialiser has 12 bytes, the variable 8")),
        (".shared .u32 s[2][];",
         (7, 1, 20, "only the first dimension of an array may be open, and none negative")),
        ("add.s32, %r1, %r2, %r3;",
         (7, 8, 9, "`,` does not fit here: an operand is missing before it")),
        ("add.s32 %r1, %r2, 3 4;",
         (7, 21, 22, "`4` does not fit here: a `,` is missing before it")),
        ("ld.global.u32 %r1, [%rd1+%rd2];",
         (7, 26, 30, "`%rd2` does not fit here: an address is a base and a constant, [%rd1+4]")),
        ("ld.global.u32 %r1, [];",
         (7, 21, 22, "`]` does not fit here: an operand is missing before it")),
        ("mov.u32 %r1, 0x12G;", (7, 14, 19, "`0x12G` is not a number")),
        ("mov.u32 %r1, 089;", (7, 14, 17, "`089` is not a number")),
        ("mov.f32 %r1, 1.5f;", (7, 14, 18, "`1.5f` is not a number")),
        ("mov.u32 %r1, (3+4;", (7, 17, 18, "missing `)` after `4`")),
        ("mov.u32 %r1, 3+;",
         (7, 15, 16, "the statement ends too early, after `+`: a number is missing")),
        ("setp.lt.s32 %p1|%p2|%p3, %r1, %r2;",
         (7, 20, 21, "`|` does not fit here: no more than two destinations are joined")),
        ("bra;", (7, 1, 4, "the statement ends too early, after `bra`: a label is missing")),
        ("bra L, M;",
         (7, 6, 7, "`,` does not fit here: a branch has one label; brx.idx takes a list")),
        ("brx.idx %r1;",
         (7, 9, 12, "the statement ends too early, after `%r1`: a list of labels is missing")),
        ("call;", (7, 1, 5, "the statement ends too early, after `call`: the function is missing")),
        ("call %rd1(%r1);", (7, 10, 11, "`(` does not fit here: a `,` is missing before it")),
        ("call f, %r1;", (7, 6, 7, "`f` is not declared")),
        (".reg %r1;",
         (7, 6, 9, "`%r1` does not fit here: a type such as .b32 is missing before it")),
        (".reg .b32 %x<>;",
         (7, 14, 15, "`>` does not fit here: a range is written with its size, as %r<10>")),
        (".reg .b32 %x<4;", (7, 14, 15, "missing `>` after `4`")),
        (".reg .v3 .f32 %x;",
         (7, 6, 9, "`.v3` does not fit here: a vector has 2, 4 or 8 elements")),
        (".shared .u32 s[2;", (7, 16, 17, "missing `]` after `2`")),
        (".shared s;",
         (7, 9, 10, "`s` does not fit here: a type such as .b32 is missing before it")),
        (".shared .align .u32 s;",
         (7, 16, 20, "`.u32` does not fit here: a number is missing before it")),
        (".global .u32 g = ;",
         (7, 16, 17, "the statement ends too early, after `=`: a value is missing")),
        (".pragma nounroll;",
         (7, 9, 17, "`nounroll` does not fit here: a text in quotes is missing")),
        ("T: .branchtargets ;",
         (7, 4, 18, "the statement ends too early, after `.branchtargets`: a label is missing")),
        (".loc 1;", (7, 7, 8, "`;` does not fit here: a place is a file, a line and a column")),
        ("mov.u32 %r1, 'a';", (7, 14, 15, "`'` is not part of PTX")),
        ("tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4} [%rd1, {%r5, %r6}];",
         (7, 40, 41, "`[` does not fit here: a `,` is missing before it")),
    ],
)  # fmt: skip
def test_one_error_with_its_place(body, expected):
    assert errors(f"{HEAD}{body}\n}}\n") == [expected]


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
        (HEAD, [(5, 1, 2, "this `{` is never closed")]),
        (".version 8.0\n/* open", [(2, 1, 3, "this comment is never closed")]),
        (".version 8.0\n", [(1, 1, 2, "the module has no .target")]),
        (".version 8.0\n.target sm_80\n.address_size 16",
         [(1, 1, 2, ".address_size is 32 or 64, not 16")]),
        (".version eight\n.target sm_80\n",
         [(1, 1, 2, "the module has no .version"), (1, 10, 15, "`eight` does not fit here")]),
        (".version 8.0\n.target sm_80\n.global .u32 x\n.global .u32 y;",
         [(3, 15, 16, "missing `;` after `x`")]),
        (".version 8.0\n.target sm_80\n.global .u32 x", [(3, 1, 8,
         "the file ends before the end of `.global`")]),
        (".version 8.0\n.target sm_80\n.visible .entry k(.param .u64 a",
         [(3, 1, 9, "the file ends before the end of `.visible`")]),
        (".version 8.0\n.target sm_80\n.entry k() { ret; } }\n.entry l() { ret }\n",
         [(3, 21, 22, "`}` does not fit here"), (4, 17, 18, "missing `;` after `ret`")]),
        (".version 8.0\n.target sm_80\n.entry k(.param .u64 a .param .u64 b) { ret; }",
         [(3, 24, 30, "`.param` does not fit here")]),
        (".version 8.0\n.target sm_80\n.global .u32 x;\n.global .u32 x;",
         [(4, 14, 15, "variable `x` is declared twice")]),
        (".version 8.0\n.target sm_80\n.entry k() { ret; }\n.entry k() { ret; }",
         [(4, 8, 9, "function `k` is declared twice")]),
        (".version 8.0\n.target sm_80\n.entry k(.param .u64 a, .param .u64 a) { ret; }",
         [(3, 1, 39, "parameter `a` is declared twice")]),
        (".version 8.0\n.target sm_80\n.global .u64 x = missing;",
         [(3, 18, 25, "`missing` is not declared")]),
        (".version 8.0\n.target sm_80\n.global .u8 x[2] = {0xFF(x), 3};",
         [(3, 1, 32, "the masks of `x` are not those of a whole address")]),
        (".version 8.0\n.target sm_80\n.global .u32 x = 1.5;",
         [(3, 1, 21, "`1.5` is no value for .u32")]),
    ],
)  # fmt: skip
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
