"""PTX text from the IR: it parses back to the same module, and ptxas takes it."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Source, Span, UsageError
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Declaration, EdgeCopies, Imm, Parameter, Reg, Symbol
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.ir.types import TYPES

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").glob("*/*.ptx"))
INPUTS = sorted((ROOT / "tests" / "frontends" / "ptx_inputs").glob("*.ptx"))
FILETESTS = sorted((ROOT / "tests" / "filetests").glob("*.ptx"))
PTXAS = shutil.which("ptxas")
NOWHERE = Span(1, 1, 1)

HEAD = """.version 8.0
.target sm_80
.address_size 64
"""
KERNEL = """.visible .entry k(.param .u64 p)
{
	.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
	BODY
}
"""


def read(text, name="k.ptx"):
    return parse(Source(name, text)).module


def kernel_with(body):
    return read(HEAD + KERNEL.replace("BODY", body))


def plain_function(function):
    """Leave out spans, debug locations and hints about single instructions."""
    blocks = []
    for block in function.blocks:
        bare = [replace(i, span=NOWHERE, debug=None) for i in block.instructions]
        hints = tuple(hint for hint in block.attributes if hint == "pragma=nounroll")
        blocks.append(replace(block, instructions=tuple(bare), attributes=hints))
    variables = tuple(replace(v, span=None) for v in function.variables)
    return replace(function, span=NOWHERE, blocks=tuple(blocks), variables=variables)


def plain(module):
    return replace(
        module,
        name="",
        debug_files=(),
        attributes=tuple(word for word in module.attributes if word != "target=debug"),
        kernels=tuple(map(plain_function, module.kernels)),
        functions=tuple(map(plain_function, module.functions)),
        variables=tuple(replace(v, span=None) for v in module.variables),
    )


def words(text):
    return sorted(re.findall(r"[^\s,;]+", text))


def lines_and_registers(module):
    """A module without the order of registers: the text names them."""
    lines = print_module(plain(module)).split("\n")
    functions = (*module.functions, *module.kernels)
    registers = [sorted((r.name, r.type.name, r.vector) for r in f.registers) for f in functions]
    return [line for line in lines if not line.startswith("    .reg ")], registers


def relative(path):
    return str(path.relative_to(ROOT))


@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", [*SAMPLES, *INPUTS, *FILETESTS], ids=relative)
def test_text_parses_back_to_the_same_module(path):
    module = read(path.read_text(encoding="utf-8"), path.name)
    text = print_ptx(module)
    again = read(text)
    assert lines_and_registers(again) == lines_and_registers(module)
    assert words(print_ptx(again)) == words(text)


def test_there_are_samples_and_inputs():
    assert len(SAMPLES) >= 5
    assert {p.name for p in INPUTS} >= {"forms.ptx", "calls.ptx"}


@pytest.mark.one_in(12)
@pytest.mark.skipif(PTXAS is None, reason="ptxas is not installed")
@pytest.mark.parametrize(
    "path", [*SAMPLES, *(p for p in INPUTS if p.name == "calls.ptx")], ids=relative
)
def test_ptxas_takes_what_is_printed(path, tmp_path):
    module = read(path.read_text(encoding="utf-8"))
    printed = tmp_path / "printed.ptx"
    printed.write_text(print_ptx(module), encoding="utf-8")
    for file in (path, printed):
        command = [PTXAS, "-arch", module.target, "-o", str(tmp_path / "out.cubin"), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"{file.name}: {done.stderr}"


@pytest.mark.parametrize(
    "statement",
    [
        "add.s32 %r1, %r2, -5;",
        "mov.u64 %rd1, 0xffffffffffffffff;",
        "mov.b64 %rd1, -9223372036854775808;",
        "mov.f32 %f1, 0f7FC00001;",
        "mov.f64 %fd1, 0d8000000000000000;",
        "ld.global.u32 %r1, [%rd1+-4];",
        "ld.shared.u32 %r1, [64];",
        "mov.u64 %rd1, p;",
        "@!%p1 st.global.v2.f32 [%rd1], {%f1, %f2};",
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
        "ld.global.v2.f32 {%f1, _}, [%rd1+8];",
        "call.uni callee;",
        "call (%r1), %rd1, (%rd2), P;",
        "mov.u32 %r1, %tid.x;",
        "vadd.s32.u32.s32 %r1, %r2.b0, %r3.h1;",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%r1], [%rd1, {%r2, %r3}], [%r4+8];",
        "wgmma.fence.sync.aligned;",
        "frobnicate.f32 %f1, %f2;",
    ],
)  # fmt: skip
def test_a_statement_is_written_as_it_was_read(statement):
    prototype = "P: .callprototype (.reg .b32 _) _ (.reg .b64 _); " if ", P" in statement else ""
    declared = ".func callee;\n" if "callee" in statement else ""
    body = KERNEL.replace("BODY", f"{prototype}{statement} ret;")
    module = read(HEAD + declared + body)
    text = print_ptx(module)
    assert f"\t{statement}\n" in text
    assert plain(read(text)) == plain(module)


@pytest.mark.parametrize(
    "declaration",
    [
        ".visible .global .f32 x = 0f3FC00000;",
        ".extern .shared .align 16 .b8 dynamic[];",
        ".const .f32 w[2][3] = {{0f3F800000, 0f40200000, 0f00000000}, {0f7FC00001, 0f80000000}};",
        ".global .u64 here[2] = {generic(k2)+8, 7};",
        ".weak .global .align 8 .s16 y = -1;",
        ".global .attribute(.managed) .b8 m[16];",
        ".global .u64 most = 0xffffffffffffffff;",
        ".global .samplerref s = {addr_mode_0 = wrap, filter_mode = nearest};",
        ".tex .u32 t;",
    ],
)
def test_a_variable_is_written_as_it_was_read(declaration):
    module = read(f"{HEAD}.global .u32 k2[4];\n{declaration}\n")
    assert f"{declaration}\n" in print_ptx(module)


def test_an_address_in_bytes_is_cut_again():
    masks = ", ".join(f"0x{0xFF << 8 * i:X}(generic(x))" for i in range(8))
    declaration = f".global .align 8 .u8 a[9] = {{{masks}, 1}};"
    assert declaration in print_ptx(read(f"{HEAD}.global .u32 x;\n{declaration}\n"))


def test_a_function_in_an_initialiser_is_not_made_generic():
    text = f"{HEAD}.func f;\n.global .u64 a = f;\n"
    assert ".global .u64 a = f;" in print_ptx(read(text))


def test_a_header_keeps_its_directives():
    text = f"""{HEAD}.weak .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24])
.maxntid 16, 8, 1
.minnctapersm 2
.maxnreg 64
.explicitcluster
.reqnctapercluster 2, 1, 1
{{
	ret;
}}
"""
    assert text[len(HEAD) :] in print_ptx(read(text))


def test_labels_and_jump_tables():
    module = kernel_with(
        "T: .branchtargets A, B, A; @%p1 bra A; brx.idx %r1, T; A: bra.uni C; B: ret; C: trap;"
    )
    lines = print_ptx(module).splitlines()
    table = next(line for line in lines if ".branchtargets" in line)
    assert table.endswith(": .branchtargets A, B, A;")
    assert f"\tbrx.idx %r1, {table.partition(':')[0]};" in lines
    assert "\t@%p1 bra A;" in lines
    assert [line for line in lines if line in ("A:", "B:", "C:")] == ["A:", "B:", "C:"]


def test_a_fall_through_to_another_place_becomes_a_branch():
    module = kernel_with("@%p1 bra A; ret; A: add.s32 %r1, %r1, 1; B: exit;")
    (kernel,) = module.kernels
    blocks = list(kernel.blocks)
    blocks[0] = replace(blocks[0], fallthrough=2)
    text = print_ptx(replace(module, kernels=(replace(kernel, blocks=tuple(blocks)),)))
    assert "\t@%p1 bra A;\n\tbra.uni \tA;\n" in text


def test_locations_are_left_out():
    body = KERNEL.replace("BODY", ".loc 1 2 3\n\tadd.s32 %r1, %r2, 1; ret;")
    module = read(f'{HEAD}.file 1 "a.cu"\n{body}')
    text = print_ptx(module)
    assert module.debug_files == ("a.cu",)
    assert ".loc" not in text
    assert ".file" not in text


def changed_kernel(**changes):
    module = kernel_with("ret;")
    return replace(module, kernels=(replace(module.kernels[0], **changes),))


def with_instruction(opcode, *operands):
    module = kernel_with("mov.u32 %r1, %r2; ret;")
    (kernel,) = module.kernels
    first, *rest = kernel.blocks[0].instructions
    changed = replace(first, operation=decode(opcode), operands=operands)
    block = replace(kernel.blocks[0], instructions=(changed, *rest))
    return replace(module, kernels=(replace(kernel, blocks=(block,)),))


def with_copies():
    block = kernel_with("ret;").kernels[0].blocks[0]
    return changed_kernel(blocks=(replace(block, incoming=(EdgeCopies(0, ()),)),))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: with_instruction("lea.s64", Reg(0), Reg(1), Imm(4), Imm(0)), "operation `lea`"),
        (lambda: with_instruction("unreachable"), "operation `unreachable`"),
        (with_copies, "a copy on an edge"),
        (
            lambda: changed_kernel(parameters=(Parameter("p", TYPES["u64"], 8, 8, Reg(0)),)),
            "a parameter of a kernel in a register",
        ),
    ],
    ids=["lea", "unreachable", "copies", "parameter"],
)
def test_what_ptx_has_no_text_for_is_named(make, words):
    with pytest.raises(UsageError, match=words):
        print_ptx(make())


def test_a_declared_function_gets_the_parameters_of_its_call():
    text = f"{HEAD}.extern .func (.param .b32 r) f (.param .align 8 .b8 s[16], .param .b64 q);\n"
    body = ".param .b32 r; .param .align 8 .b8 s[16]; .param .b64 q; call (r), f, (s, q); ret;"
    module = read(text + KERNEL.replace("BODY", body))
    assert module.declarations == (Declaration("f", ("extern",)),)
    wanted = ".extern .func (.param .b32 r0) f(.param .align 8 .b8 p0[16], .param .b64 p1);"
    assert wanted in print_ptx(module)


def test_symbols_keep_their_offsets():
    module = read(f"{HEAD}.global .b8 t[64];\n{KERNEL.replace('BODY', 'mov.u64 %rd1, t+8; ret;')}")
    operands = next(iter(module.kernels[0].instructions)).operands
    assert operands[1] == Symbol("t", 8)
    assert "mov.u64 %rd1, t+8;" in print_ptx(module)


def test_the_numbers_of_unified_are_kept():
    variable = ".global .attribute(.unified(19, 95)) .f32 v;"
    function = ".func .attribute(.unified(1, 0x2)) f() { ret; }"
    module = read(f"{HEAD}{variable} {function} {KERNEL.replace('BODY', 'call f; ret;')}")
    assert module.variables[0].attributes == ("unified(19,95)",)
    assert module.functions[0].attributes == ("unified(1,2)",)
    text = print_ptx(module)
    assert ".global .attribute(.unified(19,95)) .f32 v;" in text
    assert ".func .attribute(.unified(1,2)) f()" in text


def test_a_declared_function_keeps_its_directives():
    declared = ".extern .func stops() .noreturn;"
    module = read(f"{HEAD}{declared} {KERNEL.replace('BODY', 'call stops; ret;')}")
    assert declared in print_ptx(module)
