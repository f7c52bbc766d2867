"""Rows as points of a study: what an engine said of one is not asked again while nothing changed.

A point follows from the launch, the code that was compiled, the machine's clock, and the sources of
the engines. A row that takes too long is stopped, and has that as its problem.
"""

from __future__ import annotations

import math
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.accuracy_parts.engines import FULL, engine
from benchmarks.accuracy_parts.gpus import gpus
from benchmarks.accuracy_parts.model import Case, Compiled, Prediction
from benchmarks.keeping import measured
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.accuracy"
SOURCES = ("analyzer", "executor", "grammars", "simulator", "warpmill", "benchmarks/accuracy_parts")
NOT_SOURCES = (
    *(f"simulator/{name}/" for name in ("regression", "sampling")),
    *(f"warpmill/{name}/" for name in ("calibration", "exploring", "sampling", "sweeps")),
    *(f"benchmarks/accuracy_parts/{name}" for name in ("extrapolation", "figures", "selecting")),
)
"""Files that no figure of a row follows from."""

LIMITS_S = {"estimate": 60, "simulate": 300, FULL: 900}
"""Seconds after which a row is stopped, by engine."""

MOST_BYTES = 8 << 30
"""Memory that a process may have while it is at a row."""

TOLD_S = 5.0
"""Seconds between two lines that tell how far it is."""

Tell = Callable[[str], None]


def predictions(
    name: str, todo: Sequence[tuple[Case, Compiled]], store: str | Path, workers: int, say: Tell
) -> list[Prediction | str]:
    """What an engine says of cases, in their order; a text is why it says nothing."""
    points = [_point(name, case, compiled) for case, compiled in todo]
    rows = measured(STUDY, store, points, evaluate, workers=workers, say=now_and_then(say))
    return [
        Prediction(**row.facts["prediction"]) if row.problem is None else row.problem
        for row in rows
    ]


def _point(name: str, case: Case, compiled: Compiled) -> StudyPoint:
    """Make the point of a case; the same code is read once by the process that measures it."""
    inputs = {
        "engine": name,
        "launch": [case.entry, case.grid, case.block, case.dynamic_shared_bytes],
        "data": [case.args, case.symbols, case.sizes],
        "code": sha256(compiled.ptx.read_bytes()).hexdigest(),
        "registers": [compiled.registers, compiled.registers_source],
        "machine": [gpus()[case.gpu].machine, case.clock_mhz],
        "timed": [case.warm, case.back_to_back, dict(case.config).get("cache"),
                  dict(case.config).get("mode")],
        "counted": bool(case.counters),
        "limits": [LIMITS_S[name], MOST_BYTES],
        "sources": sources_digest(*SOURCES, without=NOT_SOURCES),
    }  # fmt: skip
    own = {"case": case, "compiled": compiled}
    return StudyPoint(inputs, f"{'/'.join(case.group)} {compiled.ptx.name}", own)


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Ask an engine about a case. WarpmillErrors; LimitError where it takes too much."""
    seconds, most_bytes = inputs["limits"]
    with time_limit(seconds), memory_limit(most_bytes):
        found = engine(inputs["engine"])(inputs["case"], inputs["compiled"])
    if not math.isfinite(found.ms):
        raise LimitError(f"the time is {found.ms}")
    return PointOutcome({"predicted_ms": found.ms}, {"prediction": asdict(found)})


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what runs inside after some seconds, when it next comes back to Python. LimitError.

    It is for the main thread of a process. Where what is called from compiled code swallows the
    error, it comes again a second later.
    """

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise LimitError(f"it took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def memory_limit(size: int) -> Iterator[None]:
    """Let this process have no more memory than that, in bytes. LimitError."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size, before[1]))
    try:
        yield
    except MemoryError:
        raise LimitError(f"it took more than {size / 1e9:.1f} GB") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def now_and_then(say: Tell) -> Tell:
    """What says a text unless it has just said another one."""
    last = -math.inf

    def told(words: str) -> None:
        nonlocal last
        if time.monotonic() >= last + TOLD_S:
            last = time.monotonic()
            say(words)

    return told
