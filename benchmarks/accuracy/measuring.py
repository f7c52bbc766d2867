"""Predicting the chosen rows of data sets: programs are compiled, then an engine is asked.

Rows are points of a study: what an engine said of one is not asked again while nothing changed. A
point follows from the launch, the code that was compiled, the machine's clock, and the sources of
the engines. A row that takes too long is stopped, and has that as its problem.
"""

from __future__ import annotations

import math
import resource
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from types import FrameType
from typing import Any

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.benchmarks.accuracy import Accuracy, DatasetAccuracy
from warpmill.benchmarks.accuracy.building import BuildError, build_all
from warpmill.benchmarks.accuracy.cases import DATASETS, cases_of
from warpmill.benchmarks.accuracy.figures import compared, few, groups
from warpmill.benchmarks.accuracy.model import (
    FOLDER,
    Case,
    Code,
    Prediction,
    Row,
    form,
    tables_of,
)
from warpmill.benchmarks.accuracy.predicting import ENGINES, ESTIMATE, FULL, SIMULATE
from warpmill.benchmarks.accuracy.selecting import APART, QUICK, WHOLE, choose, simulated
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.keeping import measured
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.accuracy"
SOURCES = ("analyzer", "executor", "grammars", "simulator", "warpmill", "benchmarks/accuracy")
NOT_SOURCES = (
    *(f"simulator/{name}/" for name in ("regression", "sampling")),
    *(f"warpmill/{name}/" for name in ("calibration", "exploring", "sampling", "sweeps")),
    *(f"benchmarks/accuracy/{name}" for name in ("figures", "selecting")),
)
"""Files that no figure of a row follows from."""
LIMITS_S = {ESTIMATE: 60, SIMULATE: 300, FULL: 900}
"""Seconds after which a row is stopped, by engine."""
MOST_BYTES = 8 << 30
"""Memory that a process may have while it is at a row."""


def datasets(engine: str) -> list[str]:
    """All data sets; of simulations those that models are not calibrated with."""
    return [name for name in DATASETS if engine == ESTIMATE or name not in APART]


def measure(engine: str, request: Request) -> Accuracy:
    """Predict data sets by an engine."""
    folder = request.data or FOLDER
    parts = {}
    for name in request.chosen(datasets(engine)):
        say(f"{engine} {name}")
        parts[name] = _part(engine, cases_of(folder, name), request)
    return Accuracy(engine=engine, tables=tables_of(folder), parts=parts)


estimate_datasets, simulate_datasets = partial(datasets, ESTIMATE), partial(datasets, SIMULATE)
measure_estimate, measure_simulate = partial(measure, ESTIMATE), partial(measure, SIMULATE)


def _part(engine: str, cases: Sequence[Case], request: Request) -> DatasetAccuracy:
    amount = QUICK if request.quick else WHOLE
    chosen = choose(cases, amount)
    some = simulated(chosen, amount.simulated)
    if engine == ESTIMATE:
        rows, places = predicted(engine, chosen, request), {case.place for case in some}
        too = groups(row for row in rows if row.case.place in places)
        return DatasetAccuracy(groups=groups(rows), simulated_too=too)
    rows = predicted(engine, some, request)
    places = few(rows)
    whole = predicted(FULL, [case for case in some if case.place in places], request)
    return DatasetAccuracy(groups=groups(rows), extrapolation=compared(rows, whole))


def predicted(engine: str, chosen: Sequence[Case], request: Request) -> list[Row]:
    """Predict cases by an engine, kernel by kernel; what cannot be has its problem."""
    codes = build_all(case.program for case in chosen)
    ordered = sorted(chosen, key=lambda case: (case.group, repr(case.program)))
    pairs = [(case, codes[case.program]) for case in ordered]
    points = [_point(engine, case, code) for case, code in pairs if isinstance(code, Code)]
    store = request.store or default_store()
    found = iter(measured(STUDY, store, points, evaluate, workers=request.workers, say=say))
    return [
        Row(case, "", None, str(code)) if isinstance(code, BuildError)
        else _row(case, code.compiler, next(found))
        for case, code in pairs
    ]  # fmt: skip


def _row(case: Case, compiler: str, found: Any) -> Row:
    if found.problem is not None:
        return Row(case, compiler, None, found.problem)
    return Row(case, compiler, Prediction(**found.facts["prediction"]))


def _point(engine: str, case: Case, code: Code) -> StudyPoint:
    """Make the point of a case; the same code is read once by the process that measures it."""
    inputs = {
        "engine": engine,
        "launch": [case.entry, case.grid, case.block, case.dynamic_shared_bytes],
        "data": [case.args, case.symbols, case.sizes],
        "code": sha256(code.ptx.read_bytes()).hexdigest(),
        "registers": code.registers_of(case),
        "machine": [form("gpus")[case.gpu]["machine"], case.clock_mhz],
        "timed": [case.warm, case.back_to_back, case.config.get("cache"), case.config.get("mode")],
        "counted": case.warp_instructions is not None,
        "limits": [LIMITS_S[engine], MOST_BYTES],
        "sources": sources_digest(*SOURCES, without=NOT_SOURCES),
    }
    beside = {"case": case, "built": code}
    return StudyPoint(inputs, f"{'/'.join(case.group)} {code.ptx.name}", beside)


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Ask an engine about a case. WarpmillErrors; LimitError where it takes too much."""
    seconds, most_bytes = inputs["limits"]
    with time_limit(seconds), memory_limit(most_bytes):
        found = ENGINES[inputs["engine"]](inputs["case"], inputs["built"])
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
