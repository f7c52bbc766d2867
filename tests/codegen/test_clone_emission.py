"""Emission of clones: what is written says what the IR says, and compilers and engines take it."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Declaration
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.types import TYPES
from warpmill.analyzer.ir.verifier import verify
from warpmill.analyzer.launch import BufferArgument, RefArgument, ScalarArgument, load_launches
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneBuffer,
    CloneLaunch,
)
from warpmill.codegen.emission.files import (
    asm_statements,
    c_type,
    cuda_text,
    emit,
    launch_text,
    ptx_text,
)
from warpmill.codegen.emission.preparing import (
    MAX_NAME,
    EmissionLimits,
    Namer,
    clean,
    clean_line,
    clean_name,
)

NVCC, PTXAS = shutil.which("nvcc"), shutil.which("ptxas")

TEXT = """.version 8.7
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 of_module[64];
.const .align 4 .s32 table[4] = {1, -2, 3, 2147483647};
.global .align 4 .f32 scale[2] = {0f3F800000, 0fBF000000};

.visible .entry first(.param .u64 p, .param .u32 n, .param .f32 x, .param .s64 z)
.maxntid 128
.minnctapersm 2
{
	.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
	.shared .align 16 .b8 array[512];
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	ld.param.f32 %f1, [x];
	ld.param.s64 %rd3, [z];
	mov.u32 %r2, %tid.x;
	shl.b32 %r3, %r2, 3;
	mov.u32 %r4, array;
	add.s32 %r4, %r4, %r3;
$L__BB0_1:
	.pragma "nounroll";
	st.shared.u32 [%r4], %r2;
	st.shared.f32 [dynamic], %f1;
	st.shared.u32 [of_module+4], %r2;
	bar.sync 0;
	ld.shared.u32 %r5, [%r4];
	ld.const.u32 %r6, [table+4];
	ld.global.f32 %f2, [scale];
	fma.rn.f32 %f1, %f2, 0f3F000000, %f1;
	add.s32 %r1, %r1, -1;
	setp.ne.s32 %p1, %r1, 0;
	@%p1 bra $L__BB0_1;
	setp.ge.s32 %p2, %r2, 128;
	@%p2 bra $end;
	cvt.u64.u32 %rd2, %r3;
	add.s64 %rd2, %rd1, %rd2;
	st.global.v2.u32 [%rd2], {%r5, %r6};
$end:
	ret;
}

.visible .entry second(.param .u64 p)
{
	.reg .b32 %r<3>; .reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	$choice: .branchtargets A, B;
	brx.idx %r1, $choice;
A:
	st.global.u32 [%rd1], %r1;
	exit;
B:
	ret;
}
"""
SCALARS = (ScalarArgument("u32", 3), ScalarArgument("f32", 0.1), ScalarArgument("i64", -(1 << 63)))
LAUNCHES = (
    CloneLaunch("first", (2, 1, 1), (64, 1, 1), 65536, (BufferPointer("A", 16), *SCALARS), 3),
    CloneLaunch("second", (1, 2, 1), (2, 1, 1), 0, (BufferPointer("B"),)),
    CloneLaunch("second", (1, 1, 1), (2, 1, 1), 0, (BufferPointer("A", 8),)),
)
BUFFERS = (CloneBuffer("A", "f32", 1024), CloneBuffer("B", "u8", 4096))


def read(text):
    return parse(Source("clone.ptx", text)).module


def application(**changes):
    made = CloneApplication("mini", read(TEXT), BUFFERS, LAUNCHES, ("a clone", "by hand"))
    return replace(made, **changes)


def plain(module):
    """Leave out spans, and order registers by name: the text declares them by type."""
    text = re.sub(r" *\[\d+:\d+(-[\d:]+)?\]", "", print_module(replace(module, name="")))
    lines = [line for line in text.split("\n") if not line.lstrip().startswith(".reg ")]
    registers = [sorted((r.name, r.type.name) for r in k.registers) for k in module.kernels]
    return lines, registers


def asm_of(cuda):
    """For each kernel the texts of its inline assembly, as C++ reads its strings."""
    bodies = re.findall(r'extern "C" __global__ void [^\n]*\n\{\n(.*?)\n\}', cuda, re.DOTALL)
    found = []
    for body in bodies:
        texts = re.findall(r'^    asm volatile\("((?:[^"\\]|\\.)*)"\);$', body, re.MULTILINE)
        found.append([re.sub(r"\\(.)", r"\1", text) for text in texts])
    return found


def test_ptx_parses_back_to_the_module_that_was_given():
    app = application()
    again = read(ptx_text(app))
    assert verify(again) == ()
    assert plain(again) == plain(clean(app).module)
    opcodes = [[i.operation.opcode for i in k.instructions] for k in again.kernels]
    assert opcodes == [[i.operation.opcode for i in k.instructions] for k in app.module.kernels]


def test_inline_assembly_parses_back_to_the_instructions():
    app = application()
    cleaned = clean(app).module
    for kernel, texts in zip(cleaned.kernels, asm_of(cuda_text(app)), strict=True):
        parameters = ", ".join(f".param .{p.type} {p.name}" for p in kernel.parameters)
        body = "\n".join(texts)
        module_level = TEXT.partition(".visible")[0].replace(".shared .align 4", "//")
        again = read(f"{module_level}.visible .entry {kernel.name}({parameters})\n{{\n{body}\n}}\n")
        (back,) = again.kernels
        assert [block.label for block in back.blocks] == [b.label for b in kernel.blocks]
        bare = [(i.operation.opcode, len(i.operands), i.targets) for i in back.instructions]
        given = [(i.operation.opcode, len(i.operands), i.targets) for i in kernel.instructions]
        assert bare == given
        names = [[back.registers[r].name for r in (*i.writes, *i.reads)] for i in back.instructions]
        wanted = [
            ["r_" + kernel.registers[r].name[1:] for r in (*i.writes, *i.reads)]
            for i in kernel.instructions
        ]
        assert names == wanted


def test_one_asm_statement_holds_one_line_of_ptx_and_no_operands():
    module = clean(application()).module
    for kernel in module.kernels:
        statements = asm_statements(kernel, module)
        assert all(text.endswith((";", ":")) for text in statements)
        assert all("\n" not in text and "\t" not in text for text in statements)
        assert sum(not text.startswith(".") for text in statements) >= kernel.instruction_count
    assert '.pragma \\"nounroll\\";' in asm_statements(module.kernels[0], module)


def balanced(text):
    """See that brackets of C++ close in order, outside of strings and comments."""
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    text = re.sub(r"//[^\n]*", "", text)
    assert '"' not in text.replace('""', "")
    opened = []
    for character in text:
        if character in "([{":
            opened.append({"(": ")", "[": "]", "{": "}"}[character])
        elif character in ")]}" and (not opened or opened.pop() != character):
            return False
    return not opened


def test_the_frame_of_the_cuda_file():
    text = cuda_text(application())
    assert balanced(text)
    assert re.search(r"^int main\(\)\n\{$", text, re.MULTILINE)
    heads = re.findall(r'^extern "C" __global__ void (.*)\n\{$', text, re.MULTILINE)
    assert heads == [
        "__launch_bounds__(128, 2) first("
        "unsigned long long p0, unsigned int p1, float p2, long long p3)",
        "second(unsigned long long p0)",
    ]
    assert 'asm volatile("" :: "l"(dynamic));' in text
    assert "__align__(4) unsigned int table[4] = { 1ull, 4294967294ull, 3ull, 2147483647ull }" in (
        text
    )
    assert "unsigned int scale[2] = { 1065353216ull, 3204448256ull }" in text
    limit = "cudaFuncSetAttribute(first, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536)"
    assert limit in text
    assert text.count("cudaFuncSetAttribute") == 1
    calls = re.findall(r"i < (\d+); \+\+i\)\n +(\w+)<<<(.*)>>>\((.*)\);", text)
    assert calls == [
        (
            "3",
            "first",
            "dim3(2, 1, 1), dim3(64, 1, 1), 65536",
            "(unsigned long long)(memory[0].device + 16ull), 3u, 0x1.99999a0000000p-4f, "
            "(-9223372036854775807ll - 1)",
        ),
        (
            "1",
            "second",
            "dim3(1, 2, 1), dim3(2, 1, 1), 0",
            "(unsigned long long)(memory[1].device + 0ull)",
        ),
        (
            "1",
            "second",
            "dim3(1, 1, 1), dim3(2, 1, 1), 0",
            "(unsigned long long)(memory[0].device + 8ull)",
        ),
    ]


@pytest.mark.parametrize(
    ("type_", "argument", "written"),
    [
        ("u8", ScalarArgument("i8", -1), "255"),
        ("s16", ScalarArgument("u16", 65535), "-1"),
        ("b64", ScalarArgument("u64", (1 << 64) - 1), "18446744073709551615ull"),
        ("b32", ScalarArgument("f32", 1.0), "1065353216u"),
        ("f32", ScalarArgument("f32", float("inf")), "INFINITY"),
        ("f64", ScalarArgument("f64", float("-inf")), "-INFINITY"),
        ("f64", ScalarArgument("f64", -0.0), "-0x0.0p+0"),
        ("b16", ScalarArgument("bf16", 1.0), "16256"),
    ],
)
def test_numbers_have_the_bits_of_their_arguments(type_, argument, written):
    text = TEXT.partition(".visible")[0]
    module = read(f"{text}.visible .entry k(.param .{type_} x)\n{{\n\tret;\n}}\n")
    launch = CloneLaunch("k", (1, 1, 1), (1, 1, 1), 0, (argument,))
    text = cuda_text(application(module=module, launches=(launch,)))
    assert f">>>({written});" in text
    assert f"k({c_type(TYPES[type_])} p0)" in text


@pytest.mark.parametrize(
    ("type_", "declared"),
    [("u8", "unsigned char"), ("s16", "unsigned short"), ("f32", "unsigned int"),
     ("b64", "unsigned long long")],
)  # fmt: skip
def test_arrays_have_as_many_elements_as_in_ptx(type_, declared):
    kernels = ".visible .entry first"
    text = TEXT.replace(kernels, f".global .align 8 .{type_} many[24];\n{kernels}")
    text = cuda_text(application(module=read(text)))
    assert f" {declared} many[24]" in text


def test_an_application_without_launches_and_buffers_is_whole(tmp_path):
    empty = application(launches=(), buffers=())
    assert balanced(cuda_text(empty))
    assert "[[launch]]" not in launch_text(empty, "mini.ptx")


def test_the_launch_file_reads_back(tmp_path):
    files = emit(application())
    assert files.names == ("mini.ptx", "mini.cu", "launch.toml")
    for name, text in files.files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    launches = load_launches(tmp_path / "launch.toml")
    assert [launch.kernel for launch in launches] == ["first"] * 3 + ["second"] * 2
    assert [launch.grid for launch in launches[2:]] == [(2, 1, 1), (1, 2, 1), (1, 1, 1)]
    assert {launch.dynamic_shared_bytes for launch in launches[:3]} == {65536}
    a, b = BufferArgument("f32", (1024,), name="A"), BufferArgument("u8", (4096,), name="B")
    assert [launch.arguments[0] for launch in launches] == [
        *[RefArgument(a, 16)] * 3, b, RefArgument(a, 8)
    ]  # fmt: skip
    assert launches[1].arguments[1:] == SCALARS
    assert launch_text(application(), "mini.ptx") == files.text("launch.toml")


def test_a_buffer_with_an_offset_runs_as_a_reference_does(tmp_path):
    files = emit(application(launches=LAUNCHES[:1]))
    for name, text in files.files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    from warpmill.session.run import run  # noqa: PLC0415 - brings the executor

    (buffer,) = run(tmp_path / "launch.toml").buffers
    values = buffer.values.view("uint32")
    # two words a thread, 16 bytes on: its number and what stands in the table
    pairs = [word for thread in range(64) for word in (thread, (1 << 32) - 2)]
    assert values.tolist() == [0] * 4 + pairs + [0] * (1024 - 4 - 128)


def test_the_same_application_gives_the_same_bytes():
    assert emit(application()) == emit(application())


@pytest.mark.parametrize(
    ("given", "clean_one"),
    [
        ("vector_add", "vector_add"),
        ("ns::copy<float>(int)", "ns_copy_float_int"),
        ("3d", "x3d"),
        ("sin", "sin_"),
        ("main", "main_"),
        ("été", "_t"),
        ("../../etc/passwd", "_etc_passwd"),
        ('"; rm -rf', "_rm_rf"),
        ("", "x"),
    ],
)
def test_names_are_identifiers(given, clean_one):
    assert clean_name(given) == clean_one


def test_long_and_equal_names_are_told_apart():
    namer = Namer()
    given = [namer.give("k" * 500), namer.give("k" * 400), namer.give("K" * 64)]
    assert len({name.lower() for name in given}) == 3
    assert max(map(len, given)) <= MAX_NAME


def test_comments_cannot_be_left():
    assert clean_line("a\nbra END;\r\x00§ \\") == "a?bra END;???"
    assert clean_line("ends with \\\\") == "ends with"
    app = application(note=("x\n} int evil() {", "é"))
    for _, text in emit(app).files:
        assert text.isascii()
        assert not re.search(r"^\W*\} int evil", text, re.MULTILINE)


def test_odd_names_are_cleaned_wherever_they_stand():
    odd = TEXT.replace("first", "$first$").replace("dynamic", "dyn$amic").replace("array", "ar$ray")
    kernels = (replace(LAUNCHES[0], kernel="$first$"), *LAUNCHES[1:])
    buffers = (replace(BUFFERS[0], name='A", x'), BUFFERS[1])
    pointed = [
        replace(
            launch,
            arguments=tuple(
                BufferPointer('A", x', a.offset_bytes) if a == BufferPointer("A", 16) else a
                for a in launch.arguments
            ),
        )
        for launch in kernels[:2]
    ]
    app = application(module=read(odd), launches=tuple(pointed), buffers=buffers, name="../a b")
    files = emit(app)
    assert files.names == ("_a_b.ptx", "_a_b.cu", "launch.toml")
    assert not any("$" in text.replace("$T", "") for _, text in files.files)
    assert verify(read(files.text("_a_b.ptx"))) == ()
    assert balanced(files.text("_a_b.cu"))


def kernel_changed(**changes):
    module = read(TEXT)
    first, second = module.kernels
    return application(module=replace(module, kernels=(replace(first, **changes), second)))


def changed_launch(**changes):
    return application(launches=(replace(LAUNCHES[0], **changes),))


@pytest.mark.parametrize(
    ("app", "words"),
    [
        (application(module=replace(read(TEXT), target="gfx90a")), "target such as sm_80"),
        (application(module=replace(read(TEXT), kernels=())), "at least one kernel"),
        (
            application(module=replace(read(TEXT), declarations=(Declaration("f"),))),
            "no functions beside its kernels",
        ),
        (kernel_changed(attributes=("visible", "noreturn")), "attribute `noreturn`"),
        (changed_launch(kernel="third"), "`third`, which is not there"),
        (changed_launch(repeats=0), "repeated 0 times"),
        (changed_launch(block=(2048, 1, 1)), "1 to 1024 threads"),
        (changed_launch(block=(256, 1, 1)), "compiled for at most 128 threads"),
        (changed_launch(arguments=LAUNCHES[1].arguments), "takes 4 arguments, not 1"),
        (changed_launch(dynamic_shared_bytes=1 << 20), "more than the 232448"),
        (changed_launch(arguments=(BufferPointer("C"), *SCALARS)), "`C`, which is not there"),
        (changed_launch(arguments=(BufferPointer("A", 4096), *SCALARS)), "points 4096 bytes"),
        (changed_launch(arguments=(BufferPointer("A", 6), *SCALARS)), "no element of it begins"),
        (application(buffers=(*BUFFERS, BUFFERS[0])), "buffer `A` is there 2 times"),
        (application(buffers=(*BUFFERS, CloneBuffer("D", "f31", 1))), "which is no type"),
        (application(buffers=(*BUFFERS, CloneBuffer("D", "f32", 0))), "0 elements"),
        (application(module=read(TEXT.replace("[512]", "[65536]"))), "49152 may be static"),
        (application(module=read(TEXT.replace("table[4]", "table[16385]"))), "65536 may be"),
    ],
)
def test_what_cannot_be_written_is_refused(app, words):
    with pytest.raises(InputError, match=re.escape(words)):
        emit(app)


@pytest.mark.parametrize(
    ("limits", "flag"),
    [
        (EmissionLimits(memory_bytes=8191), "--max-memory"),
        (EmissionLimits(launches=4), "--max-launches"),
        (EmissionLimits(instructions=29), "--max-clone-instructions"),
    ],
)
def test_limits(limits, flag):
    with pytest.raises(LimitError, match=flag):
        emit(application(), limits)
    emit(application(), EmissionLimits(memory_bytes=8192, launches=5, instructions=40))


def tool(command, folder):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PTXAS is None, reason="ptxas is not installed")
def test_ptxas_takes_the_ptx_file(tmp_path):
    (tmp_path / "mini.ptx").write_text(emit(application()).text("mini.ptx"), encoding="utf-8")
    tool([PTXAS, "-arch=sm_80", "mini.ptx", "-o", "mini.cubin"], tmp_path)


@pytest.mark.skipif(NVCC is None, reason="nvcc is not installed")
def test_nvcc_keeps_every_instruction_in_its_order(tmp_path):
    app = application()
    (tmp_path / "mini.cu").write_text(cuda_text(app), encoding="utf-8")
    tool([NVCC, "-arch=sm_80", "-ptx", "mini.cu", "-o", "nvcc.ptx"], tmp_path)
    made = (tmp_path / "nvcc.ptx").read_text(encoding="utf-8")
    cleaned = clean(app).module
    for kernel in cleaned.kernels:
        body = made.partition(f".entry {kernel.name}(")[2].partition("\n}")[0]
        kept = re.findall(r"// begin inline asm\n(.*?)\n?\t// end inline asm", body, re.DOTALL)
        texts = [line for text in kept if (line := text.strip())]
        wanted = [re.sub(r"\\(.)", r"\1", text) for text in asm_statements(kernel, cleaned)]
        assert texts == wanted
        assert f"{kernel.name}_param_0" in body
