"""How fast the executor is: rates, the NumPy executor beside it, compilation, peak memory.

All times are CPU time of one core. Rates count thread instructions, launches without copies and
compilation; a workload runs once to warm up and is checked then, and three times more. What NumPy
runs is smaller, and rates are compared.
"""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.execution_parts.runners import NativeRunner, NumpyRunner
from benchmarks.execution_parts.workloads import WORKLOADS

INPUTS = Path(__file__).parents[1] / "execution_inputs"
ROUNDS = 3
INSTRUCTIONS = 250  # that compile times are scaled to
PEAK_SIZE = 672  # of the matrix product: 10^9 thread instructions
FEWEST = 10**8  # thread instructions of a timed workload


@dataclass(frozen=True)
class Timed:
    """One workload on one executor."""

    name: str
    thread_insts: int
    seconds: float
    right: bool

    @property
    def rate(self):
        """Thread instructions a second."""
        return self.thread_insts / self.seconds


def launcher(runner):
    """What a workload launches with."""
    return lambda kernel, grid, block, args: runner(
        INPUTS / f"{kernel}.ptx", kernel, grid, block, args
    )


def timed(workload, runner, size, rounds):
    """Run a workload to warm up, check it, and time it."""
    given, launch = workload.make(size), launcher(runner)
    right = bool(workload.right(given, workload.run(launch, given)))
    runner.exact = False  # NumPy's fused multiply-adds are checked, and timed without their care
    seconds = []
    for _ in range(rounds):
        runner.reset()
        workload.run(launch, given)
        seconds.append(runner.seconds)
    return Timed(workload.name, runner.thread_insts, median(seconds), right)


def rates(*, quick, say):
    """Time every workload on both executors; a row each."""
    native, rows = NativeRunner(), []
    rounds = 1 if quick else ROUNDS
    for workload in WORKLOADS:
        say(f"{workload.name}: native")
        fast = timed(workload, native, workload.size, rounds)
        say(f"{workload.name}: NumPy")
        slow = timed(workload, NumpyRunner(), workload.numpy_size, rounds)
        rows.append(
            {
                "kernel": workload.name,
                "thread_insts": fast.thread_insts,
                "ginst_per_s": round(fast.rate / 1e9, 3),
                "numpy_thread_insts": slow.thread_insts,
                "numpy_ginst_per_s": round(slow.rate / 1e9, 4),
                "ratio": round(fast.rate / slow.rate, 2),
                "right": fast.right and slow.right,
            }
        )
    return rows


def compile_times(*, quick, say):
    """Time the text and the machine code of every kernel, each in fresh processes; a row each."""
    rows = []
    for workload in WORKLOADS:
        say(f"{workload.name}: compilation")
        rounds = [_child("compile_time", workload.name) for _ in range(1 if quick else ROUNDS)]
        count = int(rounds[0][0])
        first, following = (median([float(each[k]) for each in rounds]) for k in (1, 2))
        rows.append(
            {
                "kernel": workload.name,
                "instructions": count,
                "ms": round(first, 1),
                "ms_per_250": round(first * INSTRUCTIONS / count, 1),
                "next_ms": round(following, 1),
                "next_ms_per_250": round(following * INSTRUCTIONS / count, 1),
            }
        )
    return rows


def _child(module, *arguments):
    """Run a module of this package in a process of its own; gives the words that it prints."""
    command = [sys.executable, "-m", f"benchmarks.execution_parts.{module}", *arguments]
    done = subprocess.run(
        command, cwd=INPUTS.parents[1], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the child {module} failed: {done.stderr[-2000:]}")
    return done.stdout.split()


def peak_megabytes():
    """The peak memory of a launch of 10^9 thread instructions in a process of its own."""
    thread_insts, megabytes = _child("peak")
    return int(thread_insts), float(megabytes)


def geometric_mean(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def figures(*, quick, say):
    """Measure everything."""
    rows = rates(quick=quick, say=say)
    compiled = compile_times(quick=quick, say=say)
    say("peak memory")
    thread_insts, megabytes = peak_megabytes()
    per_250 = [row["ms_per_250"] for row in compiled]
    following = [row["next_ms_per_250"] for row in compiled]
    return {
        "counts_ginst_per_s": round(geometric_mean([r["ginst_per_s"] for r in rows]), 3),
        "ratio_to_numpy_executor": round(geometric_mean([r["ratio"] for r in rows]), 2),
        "jit_ms_per_250_instructions": round(geometric_mean(per_250), 1),
        "jit_worst_ms_per_250_instructions": max(per_250),
        "jit_next_ms_per_250_instructions": round(geometric_mean(following), 1),
        "peak_mb_at_1e9": round(megabytes, 1),
        "peak_thread_insts": thread_insts,
        "speed_rows": rows,
        "jit_rows": compiled,
        "fewest_thread_insts": min(r["thread_insts"] for r in rows),
    }
