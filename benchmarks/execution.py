"""How right and how fast the executor is.

    python -m benchmarks.execution             a table
    python -m benchmarks.execution --json      all figures as one JSON object on the last line
    python -m benchmarks.execution --quick     smaller samples and references, one round

What is right is counted as [n, of m]:

- `samples_checked`: samples all of whose launches, with every artefact as the module (PTX of nvcc
  and clang, LLVM IR and bitcode of CUDA and OpenCL), leave behind what NumPy or SciPy computes;
  `launches_checked` counts the launches;
- `opcodes_executed`: opcodes of the manual, with their types and modifiers, all of whose forms run
  and give what twins of them give; some are refused by name (`opcodes_refused`);
- `reference_counts_equal`: rows of GPGPU-Sim's counts (`execution_inputs/gpgpusim/reference.csv`)
  that are equal, the results being right; the racing breadth-first search within 1 % of its thread
  instructions. `reference_counts_exact` counts those without any difference.

Speeds are CPU time on one core, the median of three rounds after one to warm up:

- `counts_ginst_per_s`: 10^9 thread instructions a second with counts by block, the geometric mean
  over eight kernels of 10^8 thread instructions or more;
- `ratio_to_numpy_executor`: that rate over the one of executing whole grids in NumPy, the
  geometric mean over the kernels, on a smaller size there;
- `jit_ms_per_250_instructions`: from IR to machine code in a fresh process, scaled to 250
  instructions, the geometric mean over the kernels; `jit_worst_ms_per_250_instructions` is the
  slowest; `jit_next_ms_per_250_instructions`: once more, with what kernels share compiled before;
- `peak_mb_at_1e9`: peak memory of a fresh process that launches 10^9 thread instructions.

The exit code is 1 where anything is not right; `failures` says what.
"""

import argparse
import importlib.util
import json
import platform
import sys
import time

from benchmarks.execution_parts import gpgpusim, samples, speed
from benchmarks.execution_parts.runners import NativeRunner

GOALS = {"jit_ms_per_250_instructions": 300.0, "peak_mb_at_1e9": 500.0}
"""What figures should be at most."""

FLOORS = {"counts_ginst_per_s": 1.0, "ratio_to_numpy_executor": 5.0}
"""What figures should be at least."""

RIGHT = ("samples_checked", "launches_checked", "opcodes_executed", "reference_counts_equal")
WANTED = (*GOALS, *FLOORS, *RIGHT)
MOST_TOLD = 10  # failures of a kind in the table


def say(words):
    """Tell progress."""
    print(words, file=sys.stderr, flush=True)


def reference_counts(quick):
    """Hold the counts against GPGPU-Sim's; figures and failures."""
    rows, wrong = gpgpusim.compare(
        NativeRunner(), NativeRunner(gpgpusim.RESIDENT), quick=quick, say=say
    )
    unequal = [row for row in rows if not row["equal"]]
    return {
        "reference_counts_equal": [len(rows) - len(unequal), len(rows)],
        "reference_counts_exact": [sum(row["exact"] for row in rows), len(rows)],
        "reference_rows_inexact": [row for row in rows if not row["exact"]],
    }, [*wrong, *unequal]


def opcodes(missing, failures):
    """Run every form of the manual's instructions; figures, and what fails."""
    if importlib.util.find_spec("benchmarks.execution_parts.opcodes") is None:
        missing.append("benchmarks/execution_parts/opcodes.py")
        return {}
    from benchmarks.execution_parts.opcodes import opcodes_executed  # noqa: PLC0415 - may be absent

    say("opcodes")
    found = opcodes_executed()
    failures["opcodes"] = found["failing"]
    return {
        "opcodes_executed": found["opcodes_executed"],
        "opcodes_refused": found["refused"],
        "opcodes_missing": found["missing"],
    }


def measure(quick):
    """Check and measure everything; the whole result."""
    start, missing, failures = time.perf_counter(), [], {}
    sampled = samples.figures(samples.check(NativeRunner(), quick=quick, say=say))
    failures["samples"] = sampled.pop("samples_wrong")
    counts, failures["reference_counts"] = reference_counts(quick)
    executed = opcodes(missing, failures)
    fast = speed.figures(quick=quick, say=say)
    failures["speed"] = [row["kernel"] for row in fast["speed_rows"] if not row["right"]]
    result = {
        "benchmark": "execution",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "quick": quick,
        **sampled,
        **executed,
        **counts,
        **fast,
        "goals": GOALS,
        "floors": FLOORS,
        "missing": missing,
        "failures": {name: found for name, found in failures.items() if found},
    }
    result["reached"] = {name: reached(result, name) for name in WANTED if name in result}
    result["seconds"] = round(time.perf_counter() - start, 1)
    return result


def reached(result, name):
    """Whether a figure is what it should be."""
    found = result[name]
    if name in RIGHT:
        return found[0] == found[1]
    return found <= GOALS[name] if name in GOALS else found >= FLOORS[name]


def table(result):
    """Lay the figures out for people."""
    for name in RIGHT:
        if name in result:
            n, of = result[name]
            yield f"{name:<36}{n:>8} of {of}{'' if n == of else '  not all'}"
    yield ""
    yield f"{'':<36}{'':>10}{'goal':>9}"
    for name, goal in (GOALS | FLOORS).items():
        missed = "" if result["reached"][name] else "  missed"
        yield f"{name:<36}{result[name]:>10,.1f}{goal:>9,.0f}{missed}"
    for name in ("jit_worst_ms_per_250_instructions", "jit_next_ms_per_250_instructions"):
        yield f"{name:<36}{result[name]:>10,.1f}"
    yield ""
    heads = f"{'10^6 insts':>12}{'G/s':>8}{'NumPy G/s':>11}{'ratio':>8}"
    yield f"{'kernel':<14}{heads}{'insts':>8}{'ms':>8}{'ms/250':>9}{'next':>8}"
    for row, jit in zip(result["speed_rows"], result["jit_rows"], strict=True):
        rates = f"{row['ginst_per_s']:>8.2f}{row['numpy_ginst_per_s']:>11.3f}{row['ratio']:>8.1f}"
        times = f"{jit['instructions']:>8}{jit['ms']:>8.1f}{jit['ms_per_250']:>9.1f}"
        times += f"{jit['next_ms']:>8.1f}"
        yield f"{row['kernel']:<14}{row['thread_insts'] / 1e6:>12,.1f}{rates}{times}"
    for what, found in result["failures"].items():
        yield from (f"{what}: {one}"[:200] for one in found[:MOST_TOLD])
        if len(found) > MOST_TOLD:
            yield f"{what}: {len(found) - MOST_TOLD} more; --json gives all"
    for name in result["missing"]:
        yield f"missing: {name}; what needs it is left out"


def main():
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="smaller inputs, one round")
    arguments = parser.parse_args()
    result = measure(arguments.quick)
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    return 1 if result["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
