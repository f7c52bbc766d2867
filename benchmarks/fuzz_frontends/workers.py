"""Processes that check files one after another, and the one that watches them.

A worker that dies or hangs takes only its case with it: the case is recorded and another worker
takes its place.
"""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import re
import resource
import signal
import tempfile
import time
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial, wraps
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple, Self

from warpmill.analyzer.frontends import load, ptx
from warpmill.analyzer.frontends.llvm import prepared_text
from warpmill.benchmarks.fuzz_frontends.check import ACCEPTED, REJECTED, SUFFIXES, Found, check
from warpmill.benchmarks.fuzz_frontends.mutate import mutated
from warpmill.executor import compile as machine

Checker = Callable[[Path, str, int], Found]
SLOW_S = 5.0
"""CPU time that a case may take, so that other work on the machine makes none slow."""

HANG_S = 60.0
"""After so long on the clock a case is given up and its worker ended."""

_CASES_A_WORKER = 2000
"""Native code stays in a process as long as it lives: after so many cases comes another one."""

_OBJECTS_BETWEEN_SEARCHES = 50_000
"""As the command line has it: what a command makes, it mostly keeps."""

MEMORY_BYTES = 4 << 30
"""Address space that a worker may take."""

_GROWN_KIB = 16 << 10

CRASH, HANG = "crash", "hang"

_CONTEXT = multiprocessing.get_context("forkserver")
_ROOT = f"{Path(__file__).resolve().parents[2]}{os.sep}"
_FRAME = re.compile(r'File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>\S+)')


class Task(NamedTuple):
    """A case: mutation ``number`` of a front-end's inputs, or ``data`` where they are given."""

    frontend: str
    seed: int
    number: int
    data: bytes | None = None

    def content(self) -> bytes:
        """The file's bytes."""
        return mutated(*self[:3])[1] if self.data is None else self.data


class Result(NamedTuple):
    """What became of a task. Memory is the worker's peak so far, and its children's, in KiB."""

    task: Task
    kind: str
    place: str
    words: str
    child_died: bool
    seconds: float
    peak_kib: int
    child_peak_kib: int
    grown_kib: int


_TEXTS, _KERNELS = 48, 256


def share() -> None:
    """Keep, from now on in this process, what is read; compile kernels without optimisation.

    A launch file that is changed launches the same kernels as the one before it, and the commands
    that a file meets all read the same text. Results are frozen, so what is read once serves all.
    """
    ptx.parse = _kept(ptx.parse, _text_and_rest)
    parts: Any = load
    parts.inline_calls = _kept(parts.inline_calls, lambda *given: tuple(map(id, given)))
    answers: Any = prepared_text
    answers.ask = lru_cache(_TEXTS)(answers.ask)
    machine.COMPILED._most = _KERNELS
    machine._MOST_OPTIMISED = 0


def _text_and_rest(source: Any, *rest: Any, **options: Any) -> tuple[Any, ...]:
    return source.name, source.text, rest, tuple(options.items())


def _kept(function: Any, key_of: Callable[..., Any]) -> Any:
    """The function, whose last results are kept by a key, with what they are of."""
    results: OrderedDict[Any, Any] = OrderedDict()

    @wraps(function)
    def kept(*given: Any, **options: Any) -> Any:
        key = key_of(*given, **options)
        if key not in results:
            results[key] = given, function(*given, **options)
            if len(results) > _TEXTS:
                results.popitem(last=False)
        results.move_to_end(key)
        return results[key][1]

    return kept


def _work(pipe: Any, folder: str, check: Checker, hang_s: float) -> None:
    """Check task after task until the pipe closes; runs in a process and group of its own."""
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
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        path = Path(folder, f"case{SUFFIXES[task.frontend]}")
        path.write_bytes(task.content())
        errors.truncate(0)
        errors.seek(0)
        before = _peak()
        faulthandler.dump_traceback_later(min(SLOW_S, hang_s * 0.9), file=errors)
        start = time.process_time()
        found = check(path, task.frontend, task.number)
        seconds = time.process_time() - start
        faulthandler.cancel_dump_traceback_later()
        if seconds > SLOW_S and not found.place:
            found = found._replace(place=_where(folder))
        child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        if found.kind not in (ACCEPTED, REJECTED) or _peak() - before > _GROWN_KIB:
            gc.collect()  # tracebacks hold on to what a command had made
        pipe.send((*found, seconds, _peak(), child, _peak() - before))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class _Worker:
    """A process at work, seen from the one that watches."""

    def __init__(self, checker: Checker, hang_s: float) -> None:
        self.hang_s = hang_s
        self.folder = tempfile.TemporaryDirectory(prefix="fuzz-")
        self.pipe, theirs = _CONTEXT.Pipe()
        arguments = (theirs, self.folder.name, checker, hang_s)
        self.process = _CONTEXT.Process(target=_work, args=arguments)
        self.process.start()
        theirs.close()
        self.task: Any = None
        self.since, self.cases = 0.0, 0

    def give(self, task: Task) -> None:
        """Hand over a task; the worker must be idle."""
        self.task, self.since, self.cases = task, time.perf_counter(), self.cases + 1
        self.pipe.send(task)

    def result(self) -> Result:
        """The result that has come, or what the worker died of."""
        try:
            answer = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            return self._lost(CRASH, _ending(self.process.exitcode))
        return Result(self.task, *answer)

    def hung(self) -> Result:
        """What there is to say of a worker that takes too long."""
        return self._lost(HANG, f"no end after {self.hang_s:g} s")

    def _lost(self, kind: str, words: str) -> Result:
        words = f"{words}\n{_said(self.folder.name)[:1500]}"
        seconds = time.perf_counter() - self.since
        return Result(self.task, kind, _where(self.folder.name), words, False, seconds, 0, 0, 0)

    def end(self) -> None:
        """End the process, and the one that it may have started."""
        if self.process.is_alive() and self.process.pid is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has not yet made itself a group
                self.process.kill()
        self.process.join()
        self.pipe.close()
        self.folder.cleanup()


def _said(folder: str) -> str:
    return Path(folder, "errors.txt").read_text("utf-8", "replace")


def _where(folder: str) -> str:
    """The project's innermost frame in what a worker wrote of its stack."""
    for found in _FRAME.finditer(_said(folder)):
        if found["file"].startswith(_ROOT) and "/.venv/" not in found["file"]:
            return f"{found['file'].removeprefix(_ROOT)}:{found['line']} {found['function']}"
    return "no Python frame"


def _ending(code: int | None) -> str:
    return f"signal {signal.Signals(-code).name}" if code and code < 0 else f"exit code {code}"


class Pool:
    """Some workers, replaced as they are lost; ``with`` ends them.

    Each calls ``checker`` with a file's path, the front-end and the case's number.
    """

    def __init__(self, processes: int, checker: Checker = check, hang_s: float = HANG_S) -> None:
        _CONTEXT.set_forkserver_preload(["warpmill.benchmarks.fuzz_frontends.check"])
        self._new = partial(_Worker, checker, hang_s)
        self._idle = deque(self._new() for _ in range(processes))
        self._busy: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in (*self._idle, *self._busy):
            worker.end()

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """A Result for each task, in the order in which they are done."""
        todo = iter(tasks)
        while True:
            while self._idle and (task := next(todo, None)) is not None:
                worker = self._idle.popleft()
                worker.give(task)
                self._busy.append(worker)
            if not self._busy:
                return
            yield from self._done()

    def _done(self) -> Iterator[Result]:
        """The results that have come, after waiting for some; workers that hang are given up."""
        ready = wait([worker.pipe for worker in self._busy], timeout=1.0)
        for worker in tuple(self._busy):
            if worker.pipe in ready:
                result = worker.result()
            elif time.perf_counter() - worker.since > worker.hang_s:
                result = worker.hung()
            else:
                continue
            self._busy.remove(worker)
            lost = result.kind in (CRASH, HANG) or worker.cases >= _CASES_A_WORKER
            if lost:
                worker.end()
            self._idle.append(self._new() if lost else worker)
            yield result
