"""LLVM works in a process of its own: what it does there reaches nobody but as a clean error."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from llvm_inputs.rendered import parsed

from warpmill.analyzer.base.diagnostics import InputError, Source, WarpmillError
from warpmill.analyzer.frontends.llvm import child, parse, prepared_text
from warpmill.analyzer.frontends.llvm.child import TaskLimits, TaskOutcome, limits_for

ROOT = Path(__file__).resolve().parents[2]
GOOD = "define ptx_kernel void @k(ptr %p) {\n  ret void\n}\n"
DEBUG = """define ptx_kernel void @k(i32 %x) !dbg !3 {
  %a = add i32 %b, 1, !dbg !6
  %b = add i32 %x, 1, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocation(line: 2, scope: !3)
"""
TWICE = DEBUG.replace("%b, 1", "%x, 1") + "define void @f() !dbg !3 {\n  ret void\n}\n"


def refused(text):
    with pytest.raises(InputError) as caught:
        parse(Source("bad.ll", text))
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


@pytest.fixture
def worker(tmp_path, monkeypatch):
    def stand_in(body):
        script = tmp_path / "worker.py"
        script.write_text(body)
        monkeypatch.setattr(child, "_WORKER", script)

    return stand_in


def test_the_user_has_no_llvm_in_the_process():
    code = (
        "import sys; from warpmill.analyzer.frontends.llvm import parse;"
        "from warpmill.analyzer.base.diagnostics import Source;"
        f" print(len(parse(Source('t.ll', {GOOD!r})).module.kernels), 'llvmlite' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("1 False\n", "")


@pytest.mark.parametrize("bracket", ["{", "[1 x "])
def test_brackets_nested_too_deep_for_llvm_are_pointed_at(bracket):
    text = GOOD.replace("  ret", f"  %x = load {bracket * 60000}i32, ptr %p\n  ret")
    diagnostic = refused(text)
    assert "nest 60001 deep" in diagnostic.message
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 13 + len(bracket) * 59999)
    assert parsed(GOOD).module.kernels[0].name == "k"


def test_the_verifiers_words_survive_an_abort_over_debug_information():
    diagnostic = refused(DEBUG)
    assert "does not dominate all uses" in diagnostic.message
    assert (diagnostic.span.line, diagnostic.span.column) == (3, 3)


def test_llvms_warnings_become_a_note(capfd):
    result = parse(Source("t.ll", TWICE))
    (note,) = result.diagnostics
    assert note.severity.value == "note"
    assert "DISubprogram attached to more than one function" in note.message
    assert capfd.readouterr().err == ""
    assert parse(Source("t.ll", GOOD)).diagnostics == ()


def test_too_much_memory_is_said(monkeypatch):
    monkeypatch.setattr(prepared_text, "limits_for", lambda _: TaskLimits(10.0, 1 << 20))
    text = "".join(f"@g{n} = global [8 x i64] zeroinitializer\n" for n in range(20_000)) + GOOD
    assert "LLVM needs more than 0.0 GiB" in refused(text).message


def test_limits_grow_with_the_module():
    assert limits_for(1000) == (10.01, (2 << 30) + 1_000_000)
    assert limits_for(1 << 30) == (60.0, 8 << 30)


def test_a_process_that_does_not_start_is_no_fault_of_the_file(worker):
    worker("import no_such_llvm\n")
    with pytest.raises(WarpmillError) as caught:
        parse(Source("t.ll", GOOD))
    assert not isinstance(caught.value, InputError)
    words = "does not start: ModuleNotFoundError: No module named 'no_such_llvm'"
    assert str(caught.value).endswith(words)


def test_text_that_is_refused_costs_no_process():
    child._retire()  # none that is at its last module
    parse(Source("t.ll", GOOD))
    (before,) = child._HELPERS
    refused(GOOD.replace("ret void", "ret i32 %x"))
    refused(GOOD.replace("ret void", "ret i32 0"))
    parse(Source("t.ll", GOOD))
    (after,) = child._HELPERS
    assert after is before


def test_an_exchange_that_is_broken_off_leaves_no_answer_behind(monkeypatch):
    with monkeypatch.context() as patched:
        exchange = child._Helper._exchange

        def interrupted(*arguments):
            exchange(*arguments)
            raise KeyboardInterrupt

        patched.setattr(child._Helper, "_exchange", interrupted)
        with pytest.raises(KeyboardInterrupt):
            child.ask("check", GOOD.encode(), limits_for(0))
    reply = child.ask("check", b"define void @other() {\n  ret void\n}", limits_for(0))
    assert (reply.outcome, reply.answer) == (TaskOutcome.DONE, '{"other": 1}')


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_a_process_that_waits_is_no_fault_of_the_next_file(number):
    child._retire()
    parse(Source("t.ll", GOOD))
    (helper,) = child._HELPERS
    helper._process.send_signal(number)
    if number == signal.SIGKILL:
        helper._process.wait()
    assert parse(Source("t.ll", GOOD)).module.kernels[0].name == "k"
    assert (child._HELPERS[0] is helper) == (number == signal.SIGINT)


def test_names_of_types_do_not_come_from_the_module_before():
    text = "%t = type { i32 }\n@g = global %t zeroinitializer\n"
    replies = [child.ask("reprint", text.encode(), limits_for(0)).answer for _ in range(2)]
    assert replies[0] == replies[1]
    assert "%t = type { i32 }" in replies[1]


@pytest.mark.parametrize(
    ("parameter", "statement"),
    [("i32* %p", "store i32 1, i32* %p"), ("ptr %p", "store float f0x3F800000, ptr %p")],
)
def test_text_that_is_rewritten_is_verified_too(parameter, statement):
    text = GOOD.replace("ptr %p", parameter).replace("ret", f"{statement}\n  ret")
    assert parsed(text).module.kernels[0].name == "k"
    assert "undefined value" in refused(text.replace("ret", "call void @g(i32 %z)\n  ret")).message
