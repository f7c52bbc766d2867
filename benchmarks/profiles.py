"""How fast and how right profiles, traces and replays are.

    python -m benchmarks.profiles             a table
    python -m benchmarks.profiles --json      all figures as one JSON object on the last line
    python -m benchmarks.profiles --quick     one artefact a sample, one round

Rates are 10^9 thread instructions a second of CPU time on one core, geometric means over the eight
kernels of benchmarks.execution, at its sizes:

- `profile_ginst_per_s`: everything in the profile, memory statistics too;
- `trace_ginst_per_s`: every event of every CTA with all lane addresses, as arrays;
  `trace_saved_ginst_per_s` with writing them to a file, whose `trace_bytes_per_warp_inst` are told;
- `overhead`: bare execution over execution with each collector, by name;
- `peak_mb_profiling_1e9`: peak memory of a fresh process that profiles 10^9 thread instructions.

What is equal is counted as [n, of m]:

- `replay_equal`: artefacts of samples all of whose launches, recorded, saved, loaded and replayed,
  leave the recorded memory after each launch and give the recorded profiles, the last launch alone
  too;
- `static_equals_executed`: launches that no data decide whose static traces are the executed ones,
  event by event with all addresses; `static_overshoot` tells of those that data decide;
- `reference_memory_equal`: launches for which GPGPU-Sim counts the same lanes of loads, stores and
  shared accesses, the same bank conflicts and as many sectors into the L1;
  `reference_memory_racing` has those of a program that races, and how far they are off.

`recording_ratio` is the size of a recorded application of 1,000 launches over that of its buffers.
The exit code is 1 where anything is not equal; `failures` says what.
"""

import argparse
import json
import platform
import sys
import time

from benchmarks.profile_parts import equalities, recordings, reference_memory, speed

FLOORS = {"profile_ginst_per_s": 0.5, "trace_ginst_per_s": 0.3}
"""What figures should be at least."""

GOALS = {"peak_mb_profiling_1e9": 500.0, "recording_ratio": 2.0}
"""What figures should be at most."""

EQUAL = ("replay_equal", "static_equals_executed", "reference_memory_equal")
WANTED = (*FLOORS, *GOALS, *EQUAL)
MOST_TOLD = 10


def say(words):
    """Tell progress."""
    print(words, file=sys.stderr, flush=True)


def measure(quick):
    """Check and measure everything; the whole result."""
    start = time.perf_counter()
    fast = speed.figures(quick=quick, say=say)
    replayed, differing = equalities.replays(quick=quick, say=say)
    static, unequal, decided = equalities.static_traces(quick=quick, say=say)
    memory, off, racing = reference_memory.compare(quick=quick, say=say)
    wrong = [row["kernel"] for row in fast["speed_rows"] if not row["right"]]
    failures = {"speed": wrong, "replay_equal": differing, "static_equals_executed": unequal,
                "reference_memory_equal": off}  # fmt: skip
    result = {
        "benchmark": "profiles",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "quick": quick,
        **fast,
        "replay_equal": replayed,
        "static_equals_executed": static,
        "static_overshoot": decided,
        "reference_memory_equal": memory,
        "reference_memory_racing": racing,
        **recordings.figures(quick=quick, say=say),
        "goals": GOALS,
        "floors": FLOORS,
        "failures": {name: found for name, found in failures.items() if found},
    }
    result["reached"] = {name: reached(result, name) for name in WANTED}
    result["seconds"] = round(time.perf_counter() - start, 1)
    return result


def reached(result, name):
    """Whether a figure is what it should be."""
    found = result[name]
    if name in EQUAL:
        return found[0] == found[1]
    return found <= GOALS[name] if name in GOALS else found >= FLOORS[name]


def table(result):
    """Lay the figures out for people."""
    for name in EQUAL:
        n, of = result[name]
        yield f"{name:<28}{n:>8} of {of}{'' if n == of else '  not all'}"
    yield ""
    for name, bound in (FLOORS | GOALS).items():
        least = "at least" if name in FLOORS else "at most"
        missed = "" if result["reached"][name] else "  missed"
        yield f"{name:<28}{result[name]:>10,.3f}  {least} {bound:g}{missed}"
    for name in ("trace_saved_ginst_per_s", "trace_bytes_per_warp_inst"):
        yield f"{name:<28}{result[name]:>10,.3f}"
    yield ""
    heads = ("bare G/s", "profile", "trace", "saved", "B/warp inst")
    yield f"{'kernel':<14}" + "".join(f"{head:>12}" for head in heads)
    for row in result["speed_rows"]:
        figures = [row[f"{n}_ginst_per_s"] for n in ("bare", "profile", "trace", "trace_saved")]
        figures.append(row["trace_bytes"] / row["warp_insts"])
        yield f"{row['kernel']:<14}" + "".join(f"{figure:>12.3f}" for figure in figures)
    yield ""
    yield f"{'overhead over bare':<28}{'mean':>8}{'least':>8}{'most':>8}"
    for name, mean in result["overhead"].items():
        each = [row["overhead"][name] for row in result["speed_rows"]]
        yield f"{name:<28}{mean:>8.2f}{min(each):>8.2f}{max(each):>8.2f}"
    off = [row["off"] for row in result["reference_memory_racing"]]
    if off:
        yield f"{'a race beside the reference':<28}{max(off):>8.1%} off at most in {len(off)} rows"
    for what, found in result["failures"].items():
        yield from (f"{what}: {one}"[:200] for one in found[:MOST_TOLD])


def main():
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer artefacts, one round")
    arguments = parser.parse_args()
    result = measure(arguments.quick)
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    return 1 if result["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
