"""What is asked of LLVM in a child process: to print bitcode, and to promote stack slots."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from analyzer.diagnostics import Diagnostic, InputError, Severity
from analyzer.source import Source

TIME_LIMIT_S = 60.0
_WORKER = Path(__file__).with_name("worker.py")
_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_BARRIERS = re.compile(r"\b(?:optnone|noinline)\b ?")


def print_bitcode(data: bytes, name: str, time_limit_s: float = TIME_LIMIT_S) -> Source:
    """Give the text of a module in bitcode; ``name`` is what its diagnostics call it.

    Raise InputError where it is no bitcode, is damaged, or takes longer than the limit.
    """
    if not data:
        raise _refused(name, "the file is empty")
    if not data.startswith(_MAGICS):
        raise _refused(name, "this is not LLVM bitcode: it does not start with `BC`")
    return Source(name, _ask("print", data, name, time_limit_s), derived=True)


def promote(source: Source, time_limit_s: float = TIME_LIMIT_S) -> Source:
    """Turn stack slots into values (LLVM's ``sroa``) and give the text that LLVM prints.

    ``optnone`` and ``noinline`` are taken off first: they keep passes from touching a function.
    """
    lines = source.text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(("attributes #", "define ")):
            lines[number] = _BARRIERS.sub("", line)
    text = _ask("promote", "\n".join(lines).encode(), source.name, time_limit_s)
    return Source(source.name, text, derived=True)


def _ask(task: str, data: bytes, name: str, time_limit_s: float) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-S", "-c", _bootstrap(), task],
            input=data,
            capture_output=True,
            timeout=time_limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"LLVM took longer than {time_limit_s:g} s over this module and was stopped"
        raise _refused(name, message) from None
    if done.returncode == 1:
        raise _refused(name, f"LLVM cannot read this module: {_message(done.stderr)}")
    if done.returncode:
        raise _refused(name, "LLVM gave up on this module: it is damaged", _crash(done.stderr))
    return done.stdout.decode("utf-8", "replace")


def _bootstrap() -> str:
    """Code for the child: this process's path, so that it finds the same llvmlite."""
    return (
        f"import sys, runpy; sys.path[:] = {sys.path!r};"
        f" runpy.run_path({str(_WORKER)!r}, run_name='__main__')"
    )


def _refused(name: str, message: str, hint: str | None = None) -> InputError:
    return InputError(Diagnostic(Severity.ERROR, message, name, hint=hint))


def _message(stderr: bytes) -> str:
    """LLVM's own words, on one line."""
    words = stderr.decode("utf-8", "replace").split("\n")
    kept = [w.strip() for w in words if w.strip() and "parsing error" not in w]
    return "; ".join(kept)[:500] or "no reason given"


def _crash(stderr: bytes) -> str | None:
    """The line in which LLVM says what it found, if it got that far."""
    for line in stderr.decode("utf-8", "replace").split("\n"):
        if "LLVM ERROR" in line or "Assertion" in line:
            return line.strip()[:300]
    return None
