"""Overhead of collecting: the CPU time of launches with it and without (GT-Pin, §III-C)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from warpmill.analyzer.base.metric import Mark, Metric, derived
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.host.backend import LaunchOutcome, LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions, KernelRunner
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.profiles import Profiled, profile
from warpmill.session.run import run
from warpmill.session.runs import Run, cpu_options

Result = TypeVar("Result")


@dataclass
class CpuTime:
    """CPU seconds of all threads of the process: for launches, and for compiling their kernels."""

    seconds: Annotated[float, Metric("CPU time", "s")] = 0.0
    compile_seconds: Annotated[float, Metric("Compilation", "s")] = 0.0


@dataclass(frozen=True)
class Overhead:
    """CPU times of this computer, over all launches of a run with collectors and of one without.

    Compiling kernels is apart: it happens once a kernel, however long that runs.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    collecting: CpuTime
    plain: CpuTime

    @derived("Overhead", "x")
    def ratio(self) -> float | None:
        """How many times as long launches take with collectors, without compilation.

        Null where nothing was launched.
        """
        return self.collecting.seconds / self.plain.seconds if self.plain.seconds else None


def profile_with_overhead(
    target: str | Path | Job | Sequence[Job],
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    counts: Sequence[str] | None = None,
    strict: bool = False,
) -> tuple[Profiled, Overhead]:
    """Do what ``profile`` does, then run the target once more without collectors, and compare."""
    given = options or RunOptions()

    def collect(own: RunOptions) -> Profiled:
        return profile(target, kernel, launch, own, counts=counts, strict=strict)

    def run_plainly(own: RunOptions) -> Run:
        return run(target, kernel, launch, own, strict=strict)

    _load_engine()
    found, collecting = timed(given, collect)
    _, plain = timed(replace(given, collectors=()), run_plainly)
    return found, Overhead(collecting, plain)


def _load_engine() -> None:
    """Load what the first launch of a process would load, which is nobody's cost."""
    for name in ("launching", "observation", "entries"):
        import_module(f"warpmill.executor.{name}")


def timed(options: RunOptions, run: Callable[[RunOptions], Result]) -> tuple[Result, CpuTime]:
    """Result of a run on the executor, and the CPU time of its launches."""
    spent = CpuTime()
    backend = _TimedBackend(cpu_options(options), spent)
    return run(replace(options, device=backend)), spent


class _TimedEngine(KernelRunner):
    def __init__(self, spent: CpuTime) -> None:
        super().__init__()
        self._spent = spent

    def compile(self, *arguments: Any, **named: Any) -> CompiledKernel:
        """Compile a kernel; the time is taken off the launch's, which it is a part of."""
        with _clock() as elapsed:
            compiled = super().compile(*arguments, **named)
        self._spent.compile_seconds += elapsed()
        self._spent.seconds -= elapsed()
        return compiled


class _TimedBackend(CpuBackend):
    def __init__(self, options: CpuOptions, spent: CpuTime) -> None:
        super().__init__(options, _TimedEngine(spent))
        self._spent = spent

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Run a kernel, with what collectors do."""
        with _clock() as elapsed:
            counts = super().launch(request)
        self._spent.seconds += elapsed()
        return counts


@contextmanager
def _clock() -> Iterator[Callable[[], float]]:
    """Clock that returns the CPU seconds of the block, after it."""
    begin = time.process_time()
    taken = [0.0]
    yield lambda: taken[0]
    taken[0] = time.process_time() - begin
