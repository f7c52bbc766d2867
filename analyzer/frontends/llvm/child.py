"""The process in which LLVM reads modules (``worker.py``), seen from the one that asks it.

One process serves module after module. It is replaced after some, when it dies, is too slow or
refuses bitcode, so that no file can do harm to the next.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import WarpmillError

MODULES_A_PROCESS = 1024  # starting one takes as long as a hundred small modules
_WORKER = Path(__file__).with_name("worker.py")
_MOST_WORDS = 1 << 16


class TaskOutcome(Enum):
    """Outcome of a task; the first three are the worker's own codes."""

    DONE = 0
    UNREADABLE = 1
    INVALID = 2
    DIED = 3
    LATE = 4


class Reply(NamedTuple):
    """The answer to a task, or the reason for none; ``said`` is what LLVM wrote beside it.

    Of a process that died the answer is what ended it: ``SIGSEGV``, ``exit code 1``.
    """

    outcome: TaskOutcome
    answer: str
    said: str


class TaskLimits(NamedTuple):
    """Limits of a task."""

    seconds: float
    memory_bytes: int


def limits_for(n_bytes: int) -> TaskLimits:
    """10 s and 2 GiB for small modules, up to 60 s and 8 GiB for large ones."""
    return TaskLimits(min(60.0, 10.0 + n_bytes / 1e5), min(8 << 30, (2 << 30) + 1000 * n_bytes))


def start() -> None:
    """Start a process, if none waits: it loads LLVM while the one that will ask does other work."""
    with _LOCK:
        _helper()


def ask(task: str, data: bytes, limits: TaskLimits) -> Reply:
    """Have a task done. Raise WarpmillError where no process can be started for it.

    A process that dies may have been ended by something else, or by what an earlier module left
    behind: only one that has seen no other module speaks against this one.
    """
    with _LOCK:
        is_new = not _helper().was_asked
        reply = _ask_once(task, data, limits)
        if reply.outcome is TaskOutcome.DIED and not is_new:
            reply = _ask_once(task, data, limits)
        return reply


def _ask_once(task: str, data: bytes, limits: TaskLimits) -> Reply:
    helper = _helper()
    try:
        return helper.ask(task, data, limits)
    finally:
        if not helper.is_reusable:
            _retire()


class _Helper:
    """A worker process that waits for modules; ``owner`` tells what it was started by and from.

    ``is_reusable`` tells whether it may be asked again: a file that was refused as bitcode may have
    left LLVM in any state, and an exchange that was broken off leaves its answer behind.
    """

    def __init__(self, owner: tuple[int, Path]) -> None:
        self.owner = owner
        self.is_reusable = True
        self._asked = 0
        self._is_ready = False
        self._errors = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-S", "-c", _bootstrap()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
        except OSError as error:
            self._errors.close()
            raise _not_started(str(error)) from None

    @property
    def was_asked(self) -> bool:
        """Whether it has seen a module."""
        return self._asked > 0

    def ask(self, task: str, data: bytes, limits: TaskLimits) -> Reply:
        """The reply to a task; of one that was stopped at a limit the answer is empty."""
        self.is_reusable = False
        self._asked += 1
        late = threading.Event()
        timer = threading.Timer(limits.seconds, self._stop, (late,))
        timer.start()
        try:
            found = self._exchange(task, data, limits.memory_bytes)
        finally:
            timer.cancel()
        if found is None:
            return self._ended(late.is_set())
        code, answer = found
        outcome = TaskOutcome(code)
        is_sound = outcome is TaskOutcome.DONE or task == "check"
        self.is_reusable = is_sound and not late.is_set() and self._asked < MODULES_A_PROCESS
        return Reply(outcome, answer.decode("utf-8", "replace"), self._said())

    def _stop(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _exchange(self, task: str, data: bytes, memory: int) -> tuple[int, bytes] | None:
        """Send a module and read the answer; None where the process ends before it is whole."""
        given, taken = self._process.stdin, self._process.stdout
        assert given is not None and taken is not None
        try:
            self._is_ready = self._is_ready or taken.readline() == b"ready\n"
            if not self._is_ready:
                return None
            given.write(f"{task} {len(data)} {memory}\n".encode() + data)
            given.flush()
            code, length = map(int, taken.readline().split())
        except (OSError, ValueError):
            return None
        answer = taken.read(length)
        return (code, answer) if len(answer) == length else None

    def _ended(self, is_late: bool) -> Reply:
        self._process.kill()
        code = self._process.wait()
        words = self._said()
        if is_late:
            return Reply(TaskOutcome.LATE, "", words)
        if not self._is_ready:
            raise _not_started(words.strip().rpartition("\n")[2] or _ending(code))
        return Reply(TaskOutcome.DIED, _ending(code), words)

    def _said(self) -> str:
        """Standard error of the process since the last call; it is idle now."""
        self._errors.seek(0)
        words = self._errors.read(_MOST_WORDS).decode("utf-8", "replace")
        self._errors.seek(0)  # a place that the process shares
        self._errors.truncate()
        return words

    def close(self) -> None:
        """End the process, and wait until it is gone."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent is not wanted any more
                    pipe.close()
        self._process.wait()
        self._errors.close()


def _not_started(reason: str) -> WarpmillError:
    return WarpmillError(f"the process that runs LLVM does not start: {reason[:300]}")


def _ending(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


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
