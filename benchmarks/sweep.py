"""How fast launch configurations are swept, and whether a study survives what happens to it.

Sweeps run in this process, on one core, from the reading of the launch file to the last point kept;
CPU time counts. Points whose traces need their data executed are among them. Then runs of a sweep
are killed at random moments and resumed, two processes work on one study, and a large store is
asked for its best points.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

from sqlalchemy import insert

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import ROOT, Benchmark, Goal, Request, say
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Table
from warpmill.studies import tables
from warpmill.studies.model import PointOutcome
from warpmill.studies.running import run
from warpmill.studies.store import Store
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig, points_of
from warpmill.sweeps.space import space_of
from warpmill.sweeps.sweep import SweepEvaluator, sweep

MACHINES = (
    "v100", "a100", "h100_sxm", "h200_sxm", "t4", "rtx2080ti", "rtx3070", "rtx4090", "l4", "p100",
    "gtx980", "tesla_k40", "mi100", "b200", "a40",
)  # fmt: skip
FLAT, SQUARE = "block=64..512*2", "block=16x8,16x16,32x4,32x8"
SWEEPS = (
    ("vecadd", FLAT, "n=1048576..16777216*2"),
    ("stencil5", SQUARE, "width=512..4096*2"),
    ("reduce", FLAT, "n=1048576..16777216*2"),
    ("transpose", SQUARE, "rows=512..4096*2"),
    ("matmul", SQUARE, "n=256..1024*2"),
    ("spmv", FLAT, "rows=16384..65536*2"),
)
"""Samples with what is varied of each, on all of the machines above."""

KILLED = ("vecadd", FLAT, "n=100000..2000000+100000")


class SampleSweep(Part):
    """A sample's sweep; ``cpu_s`` are CPU seconds."""

    sample: Annotated[str, Metric("sample")]
    configurations: Annotated[int, Metric("configurations")]
    failed: Annotated[int, Metric("failed")]
    cpu_s: Annotated[float, Metric("CPU time", "s")]

    @derived("configurations a second")
    def per_s(self) -> float:
        """Configurations a CPU second."""
        return self.configurations / self.cpu_s


class SweepResult(Part):
    """Sweeps, and what became of a study whose runs were killed, and of one of two processes."""

    sweeps: tuple[SampleSweep, ...]
    kills: Annotated[int, Metric("kills")]
    killed_points: Annotated[int, Metric("points of the study whose runs were killed")]
    killed_done: Annotated[int, Metric("of them done")]
    measured_twice: Annotated[int, Metric("of them measured twice")]
    two_writers_repeated: Annotated[int, Metric("points that both of two writers measured")]
    store_points: Annotated[int, Metric("points of a large store")]
    best_s: Annotated[float, Metric("its ten best", "s")]
    best_of_another_s: Annotated[float, Metric("of an empty study beside it", "s")]

    @derived("configurations a second of CPU time")
    def sweep_configs_per_s(self) -> float:
        """Over all sweeps."""
        return sum(r.configurations for r in self.sweeps) / sum(r.cpu_s for r in self.sweeps)

    @derived("points lost beyond those in flight at a kill")
    def resume_lost_points(self) -> int:
        """Points measured in vain, beyond one at each kill, or not at all."""
        in_vain = max(0, self.measured_twice - self.kills)
        return in_vain + self.killed_points - self.killed_done


def _target(sample: str) -> SweepTarget:
    return SweepTarget(str(ROOT / "samples" / sample / "launch.toml"))


def swept(sample: str, over: Sequence[str], machines: Sequence[str]) -> SampleSweep:
    """Sweep a sample."""
    with tempfile.TemporaryDirectory() as folder:
        space, how = space_of(list(over), []), EvaluationConfig(machines=tuple(machines))
        begin = time.process_time()
        done = sweep(_target(sample), space, how, store=Path(folder) / "s.db")
        seconds = time.process_time() - begin
    return SampleSweep(
        sample=sample,
        configurations=len(done.measured),
        failed=len(done.failures),
        cpu_s=seconds,
    )


# -- what happens to a study -------------------------------------------------------------------


def measure_logged(store: Path, log: Path) -> None:
    """Measure the points of the sweep that is killed; each has a line in the log when it was."""
    sample, *over = KILLED
    target, how = _target(sample), EvaluationConfig(machines=MACHINES)
    evaluate = SweepEvaluator(target, how)

    def logged(inputs: Mapping[str, Any]) -> PointOutcome:
        outcome = evaluate(inputs)
        with log.open("a") as file:
            file.write(json.dumps(inputs["configuration"], sort_keys=True) + "\n")
        return outcome

    made = points_of(Launches(target), space_of(over, []), how, 10_000)
    run(Store(store).study("killed"), made.points, logged)


def _started(store: Path, log: Path) -> Any:
    """A process of its own that measures these points."""
    process = get_context("spawn").Process(target=measure_logged, args=(store, log))
    process.start()
    return process


def killed(number: int, seed: int = 7) -> dict[str, int]:
    """Kill a run again and again, and let the last one end."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        store, log = Path(folder) / "s.db", Path(folder) / "log"
        log.touch()
        for k in range(number):
            say(f"kill {k + 1} of {number}")
            begun = log.stat().st_size
            one = _started(store, log)
            while one.is_alive() and log.stat().st_size == begun:
                time.sleep(0.02)  # it is at work
            time.sleep(chance.uniform(0, 0.6))
            one.kill()
            one.join()
        _started(store, log).join()
        counts = Store(store).study("killed").counts()
        return {"kills": number, "killed_points": counts.all, "killed_done": counts.over,
                "measured_twice": _repeated(log)}  # fmt: skip


def two_writers() -> int:
    """Points that both of two processes measured, which work on one study."""
    say("two writers")
    with tempfile.TemporaryDirectory() as folder:
        store, log = Path(folder) / "s.db", Path(folder) / "log"
        both = [_started(store, log) for _ in range(2)]
        for one in both:
            one.join()
        if any(one.exitcode for one in both):
            raise SystemExit(f"two writers: exit codes {[one.exitcode for one in both]}")
        return _repeated(log)


def _repeated(log: Path) -> int:
    measured = log.read_text().splitlines()
    return len(measured) - len(set(measured))


def large(number: int) -> dict[str, Any]:
    """Fill a store and ask it for the best points."""
    say(f"a store of {number:,} points")
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "s.db")
        study = store.study("large")
        with tables.writing(store.engine) as connection:
            for first in range(0, number, 50_000):
                _fill(connection, study.id, range(first, min(number, first + 50_000)), chance)
        begin = time.perf_counter()
        study.best("time_us", 10)
        middle = time.perf_counter()
        store.study("small").best("time_us", 10)
        other_s = time.perf_counter() - middle
    return {"store_points": number, "best_s": middle - begin, "best_of_another_s": other_s}


def _fill(connection: Any, study: int, numbers: Sequence[int], chance: random.Random) -> None:
    done = {"state": tables.DONE, "outputs": '{"facts":{},"figures":{}}', "seconds": 0.01}
    rows: list[dict[str, Any]]
    rows = [{"id": n + 1, "key": f"{n:064d}", "inputs": f'{{"n":{n}}}', **done} for n in numbers]
    connection.execute(insert(tables.points), rows)
    values = [(n + 1, name) for n in numbers for name in ("time_us", "occupancy")]
    rows = [{"point": p, "name": name, "value": chance.random()} for p, name in values]
    connection.execute(insert(tables.figures), rows)
    rows = [{"study": study, "point": n + 1, "number": n} for n in numbers]
    connection.execute(insert(tables.members), rows)


def measure(request: Request) -> SweepResult:
    """Do it all; of samples, kills and points fewer for a look."""
    quick = request.quick
    rows = []
    for sample, *over in SWEEPS[:2] if quick else SWEEPS:
        say(f"{sample}: {' '.join(over)}")
        rows.append(swept(sample, over, MACHINES[:3] if quick else MACHINES))
    return SweepResult(
        sweeps=tuple(rows),
        **killed(3 if quick else 20),
        two_writers_repeated=two_writers(),
        **large(50_000 if quick else 1_000_000),
    )


BENCHMARK: Benchmark[SweepResult] = Benchmark(
    name="sweep",
    about="How many configurations a second are swept, and whether a study survives kills.",
    takes="5 minutes",
    result=":SweepResult",
    measure=":measure",
    sections=(
        Table("Sweeps", "sweeps", ("sample", "configurations", "failed", "cpu_s", "per_s")),
        Comparison(
            "Studies",
            ("sweep_configs_per_s", "kills", "killed_points", "measured_twice", "store_points",
             "best_s", "best_of_another_s"),
        ),
    ),
    goals=(Goal("resume_lost_points", 0.0), Goal("two_writers_repeated", 0.0)),
    data=("samples/*/launch.toml", "samples/*/*.ptx", "simulator/machines/*.toml"),
)  # fmt: skip
