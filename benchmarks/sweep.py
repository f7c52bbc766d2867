"""How fast launch configurations are swept, and whether a study survives what happens to it.

    python -m benchmarks.sweep            tables
    python -m benchmarks.sweep --json     the figures as one JSON object on the last line
    python -m benchmarks.sweep --quick    fewer configurations, kills and points

Sweeps run in this process, on one core, from the reading of the launch file to the last point kept;
CPU time counts. Points whose traces need their data executed are among them. Then runs of a sweep
are killed at random moments and resumed, two processes work on one study, and a large store is
asked for its best points.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import insert

from warpmill.simulator.machines import machine_names
from warpmill.studies import tables
from warpmill.studies.running import run
from warpmill.studies.store import Store
from warpmill.sweeps.evaluation import SweepEvaluator
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig, points_of
from warpmill.sweeps.space import space_of
from warpmill.sweeps.sweep import sweep

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples"
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
KILLS, QUICK_KILLS = 20, 3
LARGE, QUICK_LARGE = 1_000_000, 50_000


class Logged(SweepEvaluator):
    """Measures points, and writes down which, when each is measured."""

    def __init__(self, target, how, log):
        super().__init__(target, how)
        self.log = log

    def __call__(self, inputs):
        """Measure a point."""
        outcome = super().__call__(inputs)
        with Path(self.log).open("a") as file:
            file.write(json.dumps(inputs["configuration"], sort_keys=True) + "\n")
        return outcome


def _target(sample):
    return SweepTarget(str(SAMPLES / sample / "launch.toml"))


def speed(sweeps, machines, say):
    """Sweep; a row for each sample: configurations, and CPU seconds."""
    rows = []
    for sample, *over in sweeps:
        say(f"{sample}: {' '.join(over)} on {len(machines)} machines")
        with tempfile.TemporaryDirectory() as folder:
            space, how = space_of(over, []), EvaluationConfig(machines=machines)
            begin = time.process_time()
            done = sweep(_target(sample), space, how, store=Path(folder) / "s.db")
            seconds = time.process_time() - begin
        rows.append({
            "sample": sample, "configurations": len(done.measured), "failed": len(done.failures),
            "cpu_s": seconds,
        })  # fmt: skip
    return rows


# -- what happens to a study -------------------------------------------------------------------


def measure_logged(store, log):
    """Measure the points of the sweep that is killed; what a child process does."""
    sample, *over = KILLED
    target, how = _target(sample), EvaluationConfig(machines=MACHINES)
    made = points_of(Launches(target), space_of(over, []), how, 10_000)
    run(Store(store).study("killed"), made.points, Logged(target, how, log))


def _started(store, log):
    words = "import sys; from benchmarks.sweep import measure_logged; measure_logged(*sys.argv[1:])"
    return subprocess.Popen([sys.executable, "-c", words, str(store), str(log)], cwd=ROOT)


def kills(number, seed, say):
    """Kill a run again and again, and let the last one end. Gives points measured in vain."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        store, log = Path(folder) / "s.db", Path(folder) / "log"
        log.touch()
        for k in range(number):
            say(f"kill {k + 1} of {number}")
            begun = len(log.read_text().splitlines())
            one = _started(store, log)
            while one.poll() is None and len(log.read_text().splitlines()) == begun:
                time.sleep(0.02)  # it is at work
            time.sleep(chance.uniform(0, 0.6))
            one.send_signal(signal.SIGKILL)
            one.wait()
        _started(store, log).wait()
        measured = log.read_text().splitlines()
        counts = Store(store).study("killed").counts()
    in_vain = len(measured) - len(set(measured))
    return {
        "points": counts.all, "done": counts.over, "measured_twice": in_vain,
        "lost_beyond_those_in_flight": max(0, in_vain - number) + counts.all - counts.over,
    }  # fmt: skip


def two_writers(say):
    """Let two processes measure one study; gives the points that both measured."""
    say("two writers")
    with tempfile.TemporaryDirectory() as folder:
        store, log = Path(folder) / "s.db", Path(folder) / "log"
        both = [_started(store, log) for _ in range(2)]
        codes = [one.wait() for one in both]
        measured = log.read_text().splitlines()
    return {"exit_codes": codes, "points": len(set(measured)),
            "repeated": len(measured) - len(set(measured))}  # fmt: skip


def large(number, say):
    """Fill a store and ask it for the best points; gives seconds."""
    say(f"a store of {number:,} points")
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "s.db")
        study = store.study("large")
        with tables.writing(store.engine) as connection:
            for first in range(0, number, 50_000):
                _fill(connection, study.id, range(first, min(number, first + 50_000)), chance)
        begin = time.perf_counter()
        best = study.best("time_us", 10)
        best_s = time.perf_counter() - begin
        begin = time.perf_counter()
        few = store.study("small").best("time_us", 10)
        return {"points": number, "best_s": best_s, "rows": len(best),
                "best_of_another_s": time.perf_counter() - begin, "its_rows": len(few)}  # fmt: skip


def _fill(connection, study, numbers, chance):
    done = {"state": tables.DONE, "outputs": '{"facts":{},"figures":{}}', "seconds": 0.01}
    rows = [{"id": n + 1, "key": f"{n:064d}", "inputs": f'{{"n":{n}}}', **done} for n in numbers]
    connection.execute(insert(tables.points), rows)
    values = [(n + 1, name) for n in numbers for name in ("time_us", "occupancy")]
    rows = [{"point": p, "name": name, "value": chance.random()} for p, name in values]
    connection.execute(insert(tables.figures), rows)
    rows = [{"study": study, "point": n + 1, "number": n} for n in numbers]
    connection.execute(insert(tables.members), rows)


# -- figures -----------------------------------------------------------------------------------


def measure(*, quick, say):
    """Do it all; gives the figures."""
    unknown = set(MACHINES) - set(machine_names())
    assert not unknown, unknown
    machines = MACHINES[:3] if quick else MACHINES
    rows = speed(SWEEPS[:2] if quick else SWEEPS, machines, say)
    killed = kills(QUICK_KILLS if quick else KILLS, 7, say)
    writers, store = two_writers(say), large(QUICK_LARGE if quick else LARGE, say)
    seconds = sum(row["cpu_s"] for row in rows)
    return {
        "benchmark": "sweep",
        "quick": quick,
        "sweep_configs_per_s": sum(row["configurations"] for row in rows) / seconds,
        "sweeps": rows,
        "kills": QUICK_KILLS if quick else KILLS,
        "resume_lost_points": killed["lost_beyond_those_in_flight"],
        "killed": killed,
        "two_writers_repeated": writers["repeated"],
        "two_writers": writers,
        "best_s": store["best_s"],
        "store": store,
    }


def table(result):
    """Lay the figures out for people."""
    yield f"{'sample':<12}{'configurations':>15}{'CPU s':>9}{'a second':>10}"
    for row in result["sweeps"]:
        number, seconds = row["configurations"], row["cpu_s"]
        yield f"{row['sample']:<12}{number:>15,}{seconds:>9.2f}{number / seconds:>10.1f}"
    yield f"{'all':<36}{result['sweep_configs_per_s']:>10.1f}"
    killed, writers, store = result["killed"], result["two_writers"], result["store"]
    yield (
        f"{result['kills']} kills: {killed['done']} of {killed['points']} points done, "
        f"{killed['measured_twice']} measured twice, {result['resume_lost_points']} lost beyond "
        "those in flight"
    )
    yield f"two writers: {writers['points']} points, {writers['repeated']} measured twice"
    yield f"best of {store['points']:,} points: {store['best_s']:.3f} s"


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--quick", action="store_true", help="fewer of everything")
    arguments = parser.parse_args()
    result = measure(quick=arguments.quick, say=lambda words: print(words, file=sys.stderr))
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))


if __name__ == "__main__":
    main()
