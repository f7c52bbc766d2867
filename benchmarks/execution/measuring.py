"""Measuring of benchmarks/execution: what is right, rates, times of compilation, peak memory.

All times are CPU time of one core. Rates count thread instructions, launches without copies and
compilation; a workload runs once to warm up and is checked then, and three times more. What NumPy
runs is smaller, and rates are compared.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.checks import Found, failures, measured, right
from warpmill.benchmarks.execution import (
    CompilerRow,
    ExecutionResult,
    KernelSpeed,
    gpgpusim,
    samples,
)
from warpmill.benchmarks.execution.runners import NativeRunner, NumpyRunner, Runner, loaded_kernel
from warpmill.benchmarks.execution.workloads import WORKLOADS, Workload

INPUTS = Path(__file__).resolve().parents[1] / "execution_inputs"
ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3
PEAK_SIZE = 672  # of the matrix product: 10^9 thread instructions


def measure(request: Request) -> ExecutionResult:
    """Check and measure what is asked for."""
    return ExecutionResult(**measured(request.chosen(PARTS), PARTS, request.quick))


# ------------------------------------------------------------------------------ what is right


def checked_samples(quick: bool) -> Found:
    """Samples all of whose launches are right, and launches."""
    rows = samples.check(NativeRunner(), quick=quick)
    wrong = [row for row in rows if not row.right]
    names = {row.sample for row in rows}
    told = [f"{row.artefact}, {row.launch}: {row.words}" for row in wrong]
    return {
        "samples_checked": right(len(names), len({row.sample for row in wrong})),
        "launches_checked": right(len(rows), len(wrong)),
        "failures": failures("samples", told),
    }


def checked_opcodes(_: bool) -> Found:
    """Opcodes of PTX whose forms, with all types and modifiers, give what twins of them give.

    The twins were written from the PTX ISA manual alone (tests/reference/ptx_twins); each form runs
    on edges and random bits. Opcodes without a twin count as not right.
    """
    from tests.reference.ptx_check import check_forms  # noqa: PLC0415 - of checkouts only
    from tests.reference.ptx_forms import all_forms  # noqa: PLC0415

    kinds: dict[str, set[str]] = {}
    wrong = []
    for operation, group in groupby(all_forms(), key=lambda form: form.operation):
        say(f"opcodes: {operation}")
        for one in check_forms(group):
            kinds.setdefault(one.form.opcode, set()).add(one.kind)
            if one.kind in {"wrong", "error"}:
                wrong.append(f"{one.form.name}: {one.details}")
    refused = sorted(opcode for opcode, own in kinds.items() if "refused" in own)
    no_rule = sorted(opcode for opcode, own in kinds.items() if "no rule" in own)
    taken = [own for opcode, own in kinds.items() if opcode not in refused]
    return {
        "opcodes_executed": right(len(taken), sum(own != {"right"} for own in taken)),
        "refused": refused,
        "failures": failures("opcodes", [*sorted(wrong), *(f"{n}: no rule" for n in no_rule)]),
    }


def checked_counts(quick: bool) -> Found:
    """Counts beside GPGPU-Sim's, the results being right; races within 1 %."""
    resident = NativeRunner(gpgpusim.RESIDENT)
    rows, wrong = gpgpusim.compare(NativeRunner(), resident, quick=quick, say=say)
    unequal = [row for row in rows if not row["equal"]]
    told = [*wrong, *(f"{r['program']} {r['input']}, launch {r['launch']} of {r['config']}: "
                      f"{r['counted']}, not {r['expected']}" for r in unequal)]  # fmt: skip
    return {
        "reference_counts_equal": right(len(rows), len(unequal)),
        "reference_counts_exact": right(len(rows), sum(not row["exact"] for row in rows)),
        "failures": failures("GPGPU-Sim's counts", told),
    }


def checked_compilers(quick: bool) -> Found:
    """Programs with what compilers make of them."""
    from warpmill.benchmarks.execution.compiled import outcomes  # noqa: PLC0415 - many programs

    found, made = outcomes(quick=quick)
    ran = [one for one in found if one.state != "refused"]
    rows = [
        CompilerRow(compiler=name, right=sum(o.state == "right" for o in own), of=len(own))
        for name in sorted({o.compiler for o in ran})
        for own in [[o for o in ran if o.compiler == name]]
    ]
    told = [f"{o.program} with {o.artefact}: {o.words}" for o in ran if o.state != "right"]
    reasons = [o.words for o in found if o.state == "refused"]
    return {
        "compilers_checked": right(len(ran), len(told)),
        "by_compiler": tuple(rows),
        "refused": [f"{w} ({reasons.count(w)} programs)" for w in dict.fromkeys(reasons)],
        "missing": made.missing,
        "failures": failures(
            "compilers", [*told, *(f"not built: {file}: {words}" for file, words in made.refused)]
        ),
    }


# -------------------------------------------------------------------------------------- speeds


@dataclass(frozen=True)
class Timed:
    """One workload on one executor."""

    thread_insts: int
    seconds: float
    right: bool

    @property
    def rate(self) -> float:
        """Thread instructions a second."""
        return self.thread_insts / self.seconds


def launcher(runner: Runner) -> Callable[..., Any]:
    """What a workload launches with."""
    return lambda kernel, grid, block, args: runner(
        INPUTS / f"{kernel}.ptx", kernel, grid, block, args
    )


def timed(workload: Workload, runner: Runner, size: int, rounds: int) -> Timed:
    """Run a workload to warm up, check it, and time it."""
    given, launch = workload.make(size), launcher(runner)
    is_right = bool(workload.right(given, workload.run(launch, given)))
    if isinstance(runner, NumpyRunner):
        runner.exact = False  # fused multiply-adds are checked, and timed without their care
    seconds = []
    for _ in range(rounds):
        runner.reset()
        workload.run(launch, given)
        seconds.append(runner.seconds)
    return Timed(runner.thread_insts, median(seconds), is_right)


def speed(quick: bool) -> Found:
    """Rates on both executors, compilation in fresh processes, and peak memory."""
    rounds, native = 1 if quick else ROUNDS, NativeRunner()
    rows, wrong = [], []
    for workload in WORKLOADS:
        say(workload.name)
        fast = timed(workload, native, workload.size, rounds)
        slow = timed(workload, NumpyRunner(), workload.numpy_size, rounds)
        if not (fast.right and slow.right):
            wrong.append(workload.name)
        words = f"print_compile_times({workload.name!r})"
        compiled = [child("execution.measuring", words) for _ in range(rounds)]
        rows.append(
            KernelSpeed(
                kernel=workload.name,
                thread_insts=fast.thread_insts,
                ginst_per_s=fast.rate / 1e9,
                numpy_ginst_per_s=slow.rate / 1e9,
                instructions=int(compiled[0][0]),
                ms=median(float(own[1]) for own in compiled),
                next_ms=median(float(own[2]) for own in compiled),
            )
        )
    say("peak memory")
    peak = float(child("execution.measuring", "print_peak()")[0])
    return {"speed_rows": tuple(rows), "peak_mb_at_1e9": peak, "failures": failures("speed", wrong)}


def child(module: str, words: str) -> list[str]:
    """The words that a call of a function of a benchmark prints in a process of its own."""
    command = [sys.executable, "-c", f"from benchmarks.{module} import *; {words}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the child that calls {words} failed: {done.stderr[-2000:]}")
    return done.stdout.split()


def print_compile_times(name: str) -> None:
    """Compile a kernel twice in this process; print its instructions and the milliseconds of each.

    The first time nothing is shared with kernels before; the second time what kernels share is
    there, as for all but the first kernel of a process. LLVM's own start counts for neither.
    """
    from warpmill.executor.compile import compile_kernel, target_machine  # noqa: PLC0415 - slow

    loaded, kernel = loaded_kernel(INPUTS / f"{name}.ptx", name)
    target_machine()
    spent = []
    for _ in range(2):
        begin = time.process_time()
        compile_kernel(loaded.module, kernel)
        spent.append(1e3 * (time.process_time() - begin))
    print(kernel.instruction_count, *spent)


def print_peak(make: Callable[[], Runner] = NativeRunner) -> None:
    """Launch 10^9 thread instructions; print the peak memory in MB."""
    (workload,) = (w for w in WORKLOADS if w.name == "matmul")
    workload.run(launcher(make()), workload.make(PEAK_SIZE))
    print(peak_kilobytes() / 1024)


def peak_kilobytes() -> int:
    """The peak of this process's own memory.

    What getrusage tells holds on Linux also what the process was before it became this program: a
    copy of its parent. The kernel's own account (VmHWM) does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


PARTS: dict[str, Callable[[bool], Found]] = {
    "samples": checked_samples, "opcodes": checked_opcodes, "counts": checked_counts,
    "compilers": checked_compilers, "speed": speed,
}  # fmt: skip
