"""Processes that check files one after another; one that dies takes only its case with it."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import resource
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.llvm import prepared_text
from warpmill.benchmarks.fuzz_frontends.check import (
    ACCEPTED,
    REJECTED,
    Found,
    check,
    frames,
)
from warpmill.benchmarks.fuzz_frontends.mutate import mutated
from warpmill.benchmarks.fuzz_frontends.seeds import SUFFIXES
from warpmill.executor import compile as machine

Checker = Callable[[Path, str, int], Found]
SLOW_S = 5.0
"""CPU time that a case may take, so that other work on the machine makes none slow."""

HANG_S = 60.0
"""After so long on the clock a case is given up and its process ended."""

_CASES_A_PROCESS = 2000
"""Native code stays in a process as long as it lives: after so many cases comes another one."""

_OBJECTS_BETWEEN_SEARCHES = 50_000
"""As the command line has it: what a command makes, it mostly keeps."""

MEMORY_BYTES = 4 << 30
"""Address space that a process may take."""

_GROWN_KIB = 16 << 10
_TEXTS, _KERNELS = 48, 256

CRASH, HANG = "crash", "hang"

_CONTEXT = multiprocessing.get_context("forkserver")


class Task(NamedTuple):
    """A case: mutation ``number`` of a kind's inputs, or ``data`` where they are given."""

    kind: str
    seed: int
    number: int
    data: bytes | None = None

    def content(self) -> bytes:
        """The file's bytes."""
        return mutated(*self[:3])[1] if self.data is None else self.data


class Result(NamedTuple):
    """What became of a task; ``grown_kib`` is what the process's peak of memory grew by."""

    task: Task
    found: Found
    seconds: float
    grown_kib: int = 0


def share() -> None:
    """Keep, from now on in this process, what is read; compile kernels without optimisation.

    A launch file that is changed launches the same kernels as the one before it, and the commands
    that a file meets all read the same text. Results are frozen, so what is read once serves all.
    """
    answers: Any = prepared_text
    ptx.parse = lru_cache(_TEXTS)(ptx.parse)
    answers.ask = lru_cache(_TEXTS)(answers.ask)
    machine.COMPILED._most = _KERNELS
    machine._MOST_OPTIMISED = 0


def _work(pipe: Any, folder: str, check: Checker, hang_s: float) -> None:
    """Check task after task until the pipe closes; runs in a process and group of its own.

    An alarm ends the process at a case that hangs, whatever it is at.
    """
    os.setsid()
    errors = Path(folder, "errors.txt").open("w+b", buffering=0)  # noqa: SIM115 - until the end
    os.dup2(errors.fileno(), 2)  # what LLVM says to standard error is not for people here
    faulthandler.enable(errors)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("error")
    share()
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    with suppress(EOFError):
        while True:
            task = pipe.recv()
            path = Path(folder, f"case{SUFFIXES[task.kind]}")
            path.write_bytes(task.content())
            errors.truncate(0)
            errors.seek(0)
            before = _peak()
            faulthandler.dump_traceback_later(min(SLOW_S, hang_s * 0.9), file=errors)
            signal.setitimer(signal.ITIMER_REAL, hang_s)
            start = time.process_time()
            found = check(path, task.kind, task.number)
            seconds = time.process_time() - start
            signal.setitimer(signal.ITIMER_REAL, 0)
            faulthandler.cancel_dump_traceback_later()
            if seconds > SLOW_S and not found.place:
                found = found._replace(place=_where(folder))
            if found.kind not in (ACCEPTED, REJECTED) or _peak() - before > _GROWN_KIB:
                gc.collect()  # tracebacks hold on to what a command had made
            pipe.send((found, seconds, _peak() - before))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _said(folder: str) -> str:
    return Path(folder, "errors.txt").read_text("utf-8", "replace")


def _where(folder: str) -> str:
    """The project's innermost frame in what a process wrote of its stack."""
    return next(iter(frames(_said(folder))), "no Python frame")


class _Worker:
    """A process at work, seen from the one that waits for it."""

    def __init__(self, checker: Checker, hang_s: float) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="fuzz-")
        self.pipe, theirs = _CONTEXT.Pipe()
        arguments = (theirs, self.folder.name, checker, hang_s)
        self.process = _CONTEXT.Process(target=_work, args=arguments)
        self.process.start()
        theirs.close()
        self.cases = 0

    def result(self, task: Task) -> Result:
        """The result of a task, or what the process died of."""
        begin, self.cases = time.perf_counter(), self.cases + 1
        try:
            self.pipe.send(task)
            return Result(task, *self.pipe.recv())
        except (EOFError, ConnectionError):
            self.process.join()
        code, self.cases = self.process.exitcode or 0, _CASES_A_PROCESS
        ending = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        words = f"{ending}\n{_said(self.folder.name)[:1500]}"
        kind = HANG if code == -signal.SIGALRM else CRASH
        found = Found(kind, _where(self.folder.name), words)
        return Result(task, found, time.perf_counter() - begin)

    def end(self) -> None:
        """End the process, and the one that it may have started."""
        with suppress(ProcessLookupError):  # it has not yet made itself a group, or is gone
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.folder.cleanup()


class Pool:
    """Some workers, replaced as they are lost; ``with`` ends them.

    Each calls ``checker`` with a file's path, its kind and the case's number.
    """

    def __init__(self, processes: int, checker: Checker = check, hang_s: float = HANG_S) -> None:
        _CONTEXT.set_forkserver_preload(["warpmill.benchmarks.fuzz_frontends.check"])
        self._given = checker, hang_s
        self._threads = ThreadPoolExecutor(processes)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(processes):
            self._idle.put(_Worker(*self._given))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        while not self._idle.empty():
            self._idle.get().end()

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """A Result for each task, in their order."""
        return self._threads.map(self._result, tasks)

    def _result(self, task: Task) -> Result:
        worker = self._idle.get()
        result = worker.result(task)
        if worker.cases >= _CASES_A_PROCESS:
            worker.end()
            worker = _Worker(*self._given)
        self._idle.put(worker)
        return result
