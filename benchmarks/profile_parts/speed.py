"""How fast launches are profiled and traced, beside bare execution in the same run.

CPU time of one core; the kernels, sizes and checks are those of the executor's benchmark. Each runs
once to warm up, and is checked then.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.execution_parts.speed import geometric_mean, launcher, timed
from benchmarks.execution_parts.workloads import WORKLOADS
from benchmarks.profile_parts.runners import TOOLS, CollectingRunner, TracingRunner

ROUNDS = 3
ROOT = Path(__file__).parents[2]


def figures(*, quick, say):
    """Measure everything about speed."""
    rounds = 1 if quick else ROUNDS
    rows = [_row(workload, rounds, say) for workload in WORKLOADS]
    say("peak memory")
    threads, megabytes = _peak()
    overheads = {
        name: round(geometric_mean([row["overhead"][name] for row in rows]), 2) for name in TOOLS
    }
    return {
        "profile_ginst_per_s": _mean(rows, "profile_ginst_per_s"),
        "trace_ginst_per_s": _mean(rows, "trace_ginst_per_s"),
        "trace_saved_ginst_per_s": _mean(rows, "trace_saved_ginst_per_s"),
        "trace_bytes_per_warp_inst": round(
            sum(r["trace_bytes"] for r in rows) / sum(r["warp_insts"] for r in rows), 4
        ),
        "overhead": overheads,
        "peak_mb_profiling_1e9": round(megabytes, 1),
        "peak_thread_insts": threads,
        "speed_rows": rows,
    }


def _mean(rows, name):
    return round(geometric_mean([row[name] for row in rows]), 3)


def _row(workload, rounds, say):
    """Time one kernel: bare, with each tool, traced."""
    say(f"{workload.name}: bare")
    bare = timed(workload, CollectingRunner(), workload.size, rounds)
    right, rates = bare.right, {}
    for name, make in TOOLS.items():
        say(f"{workload.name}: {name}")
        with_tool = timed(workload, CollectingRunner(make()), workload.size, rounds)
        right, rates[name] = right and with_tool.right, with_tool.rate
    say(f"{workload.name}: traces")
    traced = _traced(workload, rounds)
    return {
        "kernel": workload.name,
        "thread_insts": bare.thread_insts,
        "bare_ginst_per_s": round(bare.rate / 1e9, 3),
        "profile_ginst_per_s": round(rates["profile"] / 1e9, 3),
        "overhead": {name: round(bare.rate / rate, 2) for name, rate in rates.items()},
        **traced,
        "right": right and traced["right"] and traced["thread_insts"] == bare.thread_insts,
    }


def _traced(workload, rounds):
    runner, given = TracingRunner(), workload.make(workload.size)
    launch = launcher(runner)
    right = bool(workload.right(given, workload.run(launch, given)))
    made, saved = [], []
    for _ in range(rounds):
        runner.reset()
        workload.run(launch, given)
        made.append(runner.seconds)
        saved.append(runner.seconds + runner.written)
    return {
        "trace_ginst_per_s": round(runner.thread_insts / median(made) / 1e9, 3),
        "trace_saved_ginst_per_s": round(runner.thread_insts / median(saved) / 1e9, 3),
        "trace_bytes": runner.bytes,
        "warp_insts": runner.warp_insts,
        "thread_insts": runner.thread_insts,
        "right": right,
    }


def _peak():
    """The peak memory of profiling a launch of 10^9 thread instructions in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.profile_parts.peak"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the child that measures memory failed: {done.stderr[-2000:]}")
    threads, megabytes = done.stdout.split()
    return int(threads), float(megabytes)
