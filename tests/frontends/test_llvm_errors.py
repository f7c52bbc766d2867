"""Bad input to the LLVM front-end ends in a diagnostic that points to its place."""

import random
from pathlib import Path

import pytest
from llvm_inputs.rendered import parsed, rendered

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.llvm import child, parse, read_bitcode, scan

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
HEAD = "define ptx_kernel void @k(ptr %p, i32 %x) {\n"


def refused(text, kernel=None, **options):
    with pytest.raises(InputError) as caught:
        parse(Source("bad.ll", text), kernel, **options)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.file == "bad.ll"
    return diagnostic


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        (HEAD + "  %a = add i32 %b, 1\n  ret void\n}\n", 2, 16, "undefined value '%b'"),
        (HEAD + "  %a = adx i32 %x, 1\n  ret void\n}\n", 2, 8, "expected instruction opcode"),
        (HEAD + "  %a = add i64 %x, 1\n  ret void\n}\n", 2, 16, "'%x' defined with type 'i32'"),
        (HEAD + "  ret void\n", 3, 1, "end of file"),
        (
            HEAD + "  br label %b\nc:\n  ret void\nb:\n  %a = add i32 %z, 1\n  ret void\n"
            "d:\n  %z = add i32 %x, 1\n  br label %c\n}\n",
            9,
            3,
            "does not dominate",
        ),
    ],
)
def test_broken_text_is_pointed_at(text, line, column, words):
    diagnostic = refused(text)
    assert (diagnostic.span.line, diagnostic.span.column) == (line, column)
    assert words in diagnostic.message
    assert diagnostic.excerpt == text.split("\n")[line - 1]


def test_the_span_covers_the_word():
    span = refused(HEAD + "  %a = adx i32 %x, 1\n  ret void\n}\n").span
    assert span.end_column == 11


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_empty_text(text):
    assert "empty" in refused(text).message


def test_text_with_zero_bytes():
    assert "not text" in refused("\0\1\2 something").message


def test_no_kernel_points_to_the_first_function():
    diagnostic = refused("\ndefine void @f() {\n  ret void\n}\n")
    assert "no kernel" in diagnostic.message
    assert diagnostic.span.line == 2
    assert "ptx_kernel" in diagnostic.hint


def test_a_kernel_that_is_not_there():
    diagnostic = refused(HEAD + "  ret void\n}\n", "other")
    assert "`other`" in diagnostic.message
    assert diagnostic.hint == "kernels here: k"


def test_a_target_that_is_no_gpu():
    diagnostic = refused(f'\ntarget triple = "x86_64-pc-linux"\n{HEAD}  ret void\n}}\n')
    assert "x86_64-pc-linux" in diagnostic.message
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 1)


UNKNOWN = HEAD + (
    "  %a = call i32 @llvm.amdgcn.s.quadmask.i32(i32 %x)\n  %b = add i32 %a, 1\n  ret void\n}\n"
    "declare i32 @llvm.amdgcn.s.quadmask.i32(i32)\n"
)


def test_what_is_not_understood_is_kept_with_a_warning():
    result = parsed(UNKNOWN)
    assert rendered(result.module.kernels[0])[:2] == ["unknown.b32 %a, %x", "add.s32 %b, %a, 1"]
    (warning,) = result.diagnostics
    assert (warning.severity.value, warning.span.line, warning.span.column) == ("warning", 2, 3)
    assert "llvm.amdgcn.s.quadmask.i32" in warning.message


def test_what_the_grammar_does_not_know_is_kept_with_a_warning():
    text = HEAD + "  %a = va_arg ptr %p, i32\n  ret void\n}\n"
    result = parse(Source("t.ll", text))
    assert rendered(result.module.kernels[0]) == ["unknown", "ret"]
    (warning,) = result.diagnostics
    assert (warning.span.line, "va_arg" in warning.message) == (2, True)


def test_strict_makes_it_an_error():
    diagnostic = refused(UNKNOWN, strict=True)
    assert diagnostic.severity.value == "error"
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 3)


def test_scan_refuses_what_has_no_end():
    with pytest.raises(InputError):
        scan(Source("bad.ll", "define ptx_kernel void @k() {\n  ret void\n"))


# -- bitcode
def refused_bitcode(data, **options):
    with pytest.raises(InputError) as caught:
        read_bitcode(data, "bad.bc", **options)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.file == "bad.bc"
    return diagnostic


@pytest.fixture(scope="module")
def bitcode():
    return (SAMPLES / "vecadd" / "vecadd.bc").read_bytes()


def test_empty_and_foreign_files():
    assert "empty" in refused_bitcode(b"").message
    assert "not LLVM bitcode" in refused_bitcode(b"\x7fELF....").message


def test_truncated_bitcode(bitcode):
    assert "LLVM" in refused_bitcode(bitcode[: len(bitcode) // 2]).message


def test_random_bytes_behind_the_magic():
    data = b"BC\xc0\xde" + random.Random(1).randbytes(400)
    assert "LLVM" in refused_bitcode(data).message


READY = "import sys; print('ready', flush=True)\n"


def worker(tmp_path, monkeypatch, body):
    script = tmp_path / "worker.py"
    script.write_text(READY + body)
    monkeypatch.setattr(child, "_WORKER", script)


def test_an_abort_of_the_child_is_a_clean_error(bitcode, tmp_path, monkeypatch):
    body = "import os, sys\nsys.stderr.write('LLVM ERROR: no such abbreviation')\n"
    worker(tmp_path, monkeypatch, body + "sys.stderr.flush()\nos.abort()\n")
    diagnostic = refused_bitcode(bitcode)
    assert "damaged" in diagnostic.message
    assert diagnostic.hint == "LLVM ERROR: no such abbreviation"


def test_a_child_that_hangs_is_stopped(bitcode, tmp_path, monkeypatch):
    worker(tmp_path, monkeypatch, "import time\ntime.sleep(60)\n")
    assert "0.5 s" in refused_bitcode(bitcode, time_limit_s=0.5).message


ECHO = """import os, sys
while line := sys.stdin.buffer.readline():
    data = sys.stdin.buffer.read(int(line.split()[1]))
    code = 1 if data.endswith(b"refuse") else 0
    if data.endswith(b"abort"):
        os.abort()
    answer = str(os.getpid()).encode()
    sys.stdout.buffer.write(b"%d %d\\n%s" % (code, len(answer), answer))
    sys.stdout.buffer.flush()
"""


def test_one_child_serves_several_files(tmp_path, monkeypatch):
    worker(tmp_path, monkeypatch, ECHO)
    served = [read_bitcode(b"BC\xc0\xde" * n, "a.bc").text for n in (1, 1000)]
    assert served[0] == served[1]


@pytest.mark.parametrize("word", [b"refuse", b"abort"])
def test_a_child_that_met_a_bad_file_is_replaced(word, tmp_path, monkeypatch):
    worker(tmp_path, monkeypatch, ECHO)
    before = read_bitcode(b"BC\xc0\xde", "a.bc").text
    refused_bitcode(b"BC\xc0\xde" + word)
    assert read_bitcode(b"BC\xc0\xde", "a.bc").text != before


def test_a_child_is_replaced_after_some_files(tmp_path, monkeypatch):
    worker(tmp_path, monkeypatch, ECHO)
    monkeypatch.setattr(child, "MODULES_A_PROCESS", 2)
    served = [read_bitcode(b"BC\xc0\xde", "a.bc").text for _ in range(4)]
    assert served[0] == served[1] != served[2] == served[3]


def test_good_bitcode_is_read_after_a_bad_one(bitcode):
    refused_bitcode(bitcode[: len(bitcode) // 2])
    assert "@vecadd" in read_bitcode(bitcode, "a.bc").text
