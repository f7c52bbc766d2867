"""How long a user waits for a first answer: CPU seconds of whole processes, from start to end.

    python -m benchmarks.startup            a table
    python -m benchmarks.startup --json     the figures as one JSON object on the last line
    python -m benchmarks.startup --quick    fewer runs

Each command runs once unmeasured, so that files and caches are warm, then in turn with the others;
the median counts. CPU seconds are those of user and system, which other programs do not change;
`elapsed_s` has the seconds on the clock. `python -c pass` is what no program in Python gets below.
The first estimate and the first simulation after an installation run once each, with an empty cache
of compiled code and without tables of parsers.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS, QUICK_RUNS = 15, 5

# Warm means with Python's compiled files, as where warpmill is installed.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Case:
    """A command, the name of its figure, and the CPU seconds that it should not exceed."""

    figure: str
    arguments: tuple[str, ...]
    goal_s: float | None

    @property
    def words(self):
        """What a user types."""
        return " ".join(("warpmill", *self.arguments)) if self.goal_s else "python -c pass"

    @property
    def command(self):
        """The process that is measured."""
        start = (sys.executable, "-m", "warpmill") if self.goal_s else (sys.executable, "-c")
        return (*start, *self.arguments)


CASES = (
    Case("interpreter_s", ("pass",), None),
    Case("help_s", ("--help",), 0.12),
    Case("inspect_s", ("inspect", "samples/matmul/matmul.sm_80.ptx"), 0.8),
    Case("estimate_s", ("estimate", "samples/matmul/launch.toml"), 1.2),
)
FIRST = (
    Case("first_estimate_s", ("estimate", "samples/matmul/launch.toml"), 8.0),
    Case(
        "first_simulation_s", ("simulate", "samples/vecadd/launch.toml", "--size", "n=65536"), 20.0
    ),
)


def seconds(case, environment=ENVIRONMENT):
    """The CPU seconds of a command, and those on the clock, from its start to its end."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        case.command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{case.words}: exit code {done.returncode}\n{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, elapsed


def measure(runs):
    """The seconds of each case's runs; the cases take turns, so that noise hits all alike."""
    for case in CASES:
        seconds(case)
    taken = {case.figure: [] for case in CASES}
    for number in range(runs):
        print(f"\rrun {number + 1} of {runs}", end="", file=sys.stderr, flush=True)
        for case in CASES:
            taken[case.figure].append(seconds(case))
    print(file=sys.stderr)
    return taken | {case.figure: [first_seconds(case)] for case in FIRST}


def first_seconds(case):
    """The seconds of a command where nothing is kept of earlier ones."""
    clear = (sys.executable, "-m", "warpmill", "cache", "--clear", "tables")
    subprocess.run(clear, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        return seconds(case, ENVIRONMENT | {"NUMBA_CACHE_DIR": folder})


def figures(taken):
    """The medians, their ratio to a bare interpreter's, and whether goals are met."""
    columns = {figure: zip(*pairs, strict=True) for figure, pairs in taken.items()}
    both = {figure: [*map(statistics.median, each)] for figure, each in columns.items()}
    medians = {figure: cpu for figure, (cpu, _) in both.items()}
    bare = medians["interpreter_s"]
    goals = {case.figure: case.goal_s for case in (*CASES, *FIRST) if case.goal_s}
    return {
        "benchmark": "startup",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "runs": len(taken["interpreter_s"]),
        **{figure: round(median, 4) for figure, median in medians.items()},
        "elapsed_s": {figure: round(elapsed, 4) for figure, (_, elapsed) in both.items()},
        "ratio_to_interpreter": {f: round(medians[f] / bare, 2) for f in goals},
        "goals_s": goals,
        "reached": {figure: medians[figure] <= goal for figure, goal in goals.items()},
    }


def table(result):
    """Lay the figures out for people."""
    runs = f"median of {result['runs']} runs"
    yield f"{runs:<68}{'CPU s':>8}{'x bare':>9}{'goal s':>9}"
    for case in (*CASES, *FIRST):
        ratio = result["ratio_to_interpreter"].get(case.figure, 1.0)
        goal = f"{case.goal_s:9.1f}" if case.goal_s else ""
        missed = "" if result["reached"].get(case.figure, True) else "  missed"
        words = f"first {case.words}" if case in FIRST else case.words
        yield f"{words:<68}{result[case.figure]:8.3f}{ratio:9.1f}{goal}{missed}"


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs, not {RUNS}")
    arguments = parser.parse_args()
    result = figures(measure(QUICK_RUNS if arguments.quick else RUNS))
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))


if __name__ == "__main__":
    main()
