"""What is asked of LLVM in a child process: to print bitcode, and to promote stack slots.

One process serves module after module. It is replaced after some, when it dies, is too slow or
refuses a module, so that no file can do harm to the next.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from analyzer.diagnostics import Diagnostic, InputError, Severity
from analyzer.source import Source

TIME_LIMIT_S = 60.0
MODULES_A_PROCESS = 64
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
    with _LOCK:
        helper = _helper()
        code, answer = helper.ask(task, data, time_limit_s)
        if code != 0 or helper.asked >= MODULES_A_PROCESS:
            _retire()  # a module that was refused may have left LLVM in any state
    if code == 0:
        return answer.decode("utf-8", "replace")
    if code == 1:
        raise _refused(name, f"LLVM cannot read this module: {_message(answer)}")
    if code is None:
        message = f"LLVM took longer than {time_limit_s:g} s over this module and was stopped"
        raise _refused(name, message)
    raise _refused(name, "LLVM gave up on this module: it is damaged", _crash(answer))


class _Helper:
    """A worker process that waits for modules; ``owner`` tells what it was started by and from."""

    def __init__(self, owner: tuple[int, Path]) -> None:
        self.owner = owner
        self.asked = 0
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-S", "-c", _bootstrap()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )

    def ask(self, task: str, data: bytes, time_limit_s: float) -> tuple[int | None, bytes]:
        """The answer to a task with code 0, or 1 and the reason why not.

        Code None: stopped at the time limit. Any other: it died, and these were its last words.
        """
        self.asked += 1
        late = threading.Event()
        timer = threading.Timer(time_limit_s, self._stop, (late,))
        timer.start()
        try:
            found = self._exchange(task, data)
        finally:
            timer.cancel()
        if found is not None:
            if late.is_set():
                self.asked = MODULES_A_PROCESS  # stopped just after it had answered
            return found
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        return None if late.is_set() else -1, self._errors.read()

    def _stop(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _exchange(self, task: str, data: bytes) -> tuple[int, bytes] | None:
        """Send a module and read the answer; None where the process ends before it is whole."""
        given, taken = self._process.stdin, self._process.stdout
        assert given is not None and taken is not None
        try:
            given.write(f"{task} {len(data)}\n".encode() + data)
            given.flush()
            code, length = map(int, taken.readline().split())
        except (OSError, ValueError):
            return None
        answer = taken.read(length)
        return (code, answer) if len(answer) == length else None

    def close(self) -> None:
        """End the process, and wait until it is gone."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent is not wanted any more
                    pipe.close()
        self._process.wait()
        self._errors.close()


_LOCK = threading.Lock()
_HELPERS: list[_Helper] = []


def _helper() -> _Helper:
    """The process at hand, or a new one; a forked process does not use its parent's."""
    owner = (os.getpid(), _WORKER)
    if _HELPERS and _HELPERS[0].owner[0] != owner[0]:
        _HELPERS.clear()
    if _HELPERS and _HELPERS[0].owner != owner:
        _retire()
    if not _HELPERS:
        _HELPERS.append(_Helper(owner))
    return _HELPERS[0]


@atexit.register
def _retire() -> None:
    """End the process that waits, if this process started one."""
    while _HELPERS:
        helper = _HELPERS.pop()
        if helper.owner[0] == os.getpid():
            helper.close()


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
