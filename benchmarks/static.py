"""How fast, how small and how right static analysis and static traces are.

    python -m benchmarks.static             a table
    python -m benchmarks.static --json      all figures as one JSON object on the last line
    python -m benchmarks.static --quick     fewer repeats, artefacts and chips
    python -m benchmarks.static --keep DIR  inputs and counts of ptxas below DIR

On the twelve samples at the sizes of their launch files:

- `analysis_ms`: CPU time of all analyses of a kernel, without parsing, the median over the kernels
  of nvcc's PTX and clang's LLVM IR; `analysis_with_launch_ms` with what a launch adds;
- `trace_set_s`: CPU time of the static traces of 100,000 threads (all where a launch has fewer),
  the median over launches; `trace_sets_under_goal` counts those below the goal;
- `trace_events_per_s`: block executions by warps that these traces hold, a second, and
  `ratio_to_unfolding` that speed over the one of unfolding events one by one in the same run;
- `trace_bytes_per_dynamic_instruction`: bytes of the saved traces for each warp instruction;
- `triangular_loops_exact`: [exact, of all] loops whose count depends on an outer loop's, in every
  artefact, counted by traces and, where they are LLVM IR, told by bounds, against totals that were
  derived by hand (samples/*/loops.toml);
- `registers_median_error`: live registers against `ptxas -v`, over the pairs of kernel and target
  of the samples and of the front-end benchmark's inputs (`benchmarks/static_parts/registers.py`).

The exit code is 1 where a triangular loop is not exact.
"""

import argparse
import json
import platform
import sys
import time
from pathlib import Path

from benchmarks.static_parts import registers, speeds
from tests.reference.sample_loops import triangular_exact

GOALS = {"analysis_ms": 50.0, "trace_set_s": speeds.TRACE_SET_S, "registers_median_error": 0.15}
FEWEST = {"triangular_loops_exact": 10, "registers_pairs": 60}


def measure(cache, quick):
    """Measure everything; the whole result."""
    start = time.perf_counter()
    fast = speeds.figures(speeds.analysis_rows(quick), speeds.trace_rows())
    triangular = triangular_exact(quick)
    pressure = registers.measure(cache, quick)
    kept = {k: v for k, v in pressure.items() if k.startswith("registers_")}
    exact = [sum(row.exact for row in triangular), len(triangular)]
    result = {
        "benchmark": "static",
        "python": platform.python_version(),
        "machine": platform.machine(),
        **fast,
        "triangular_loops_exact": exact,
        "triangular_rows": [vars(row) for row in triangular],
        **kept,
        "registers_by_producer": pressure["by_producer"],
        "registers_held_out": pressure["held_out"],
        "registers_missing": pressure["missing"],
        "goals": GOALS,
        "fewest": FEWEST,
    }
    result["reached"] = {
        **{name: result[name] <= goal for name, goal in GOALS.items()},
        "triangular_loops_exact": exact[0] == exact[1] >= FEWEST["triangular_loops_exact"],
        "registers_pairs": result["registers_pairs"] >= FEWEST["registers_pairs"],
    }
    result["seconds"] = round(time.perf_counter() - start, 1)
    return result


def table(result):
    """Lay the figures out for people."""
    yield f"{'':<44}{'':>14}{'goal':>10}"
    for name, goal in GOALS.items():
        missed = "" if result["reached"][name] else "  missed"
        yield f"{name:<44}{result[name]:14,.3f}{goal:10,.2f}{missed}"
    for name in ("analysis_worst_ms", "analysis_with_launch_ms", "trace_set_worst_s",
                 "trace_events_per_s", "ratio_to_unfolding"):  # fmt: skip
        yield f"{name:<44}{result[name]:14,.2f}"
    size = result["trace_bytes_per_dynamic_instruction"]
    yield f"{'trace_bytes_per_dynamic_instruction':<44}{size:14.5f}"
    yield f"{'registers_pairs':<44}{result['registers_pairs']:14,}"
    for name in ("triangular_loops_exact", "trace_sets_under_goal"):
        exact, whole = result[name]
        yield f"{name:<44}{f'{exact} of {whole}':>14}"
    yield ""
    yield f"{'analysis':<52}{'instructions':>13}{'ms':>8}{'launch ms':>11}"
    for row in result["analysis_rows"]:
        name = f"{row['file']} {row['kernel']}"
        times = f"{row['milliseconds']:8.1f}{row['with_launch_milliseconds']:11.1f}"
        yield f"{name:<52}{row['instructions']:>13,}{times}"
    yield ""
    yield f"{'traces':<40}{'threads':>9}{'events':>13}{'trees':>7}{'s':>9}{'bytes':>9}"
    for row in result["trace_rows"]:
        name = f"{row['file']} {row['kernel']}"
        counts = f"{row['threads']:>9,}{row['events']:>13,}{row['trees']:>7,}"
        yield f"{name[:40]:<40}{counts}{row['seconds']:>9.3f}{row['file_bytes']:>9,}"
    for row in result["triangular_rows"]:
        if not row["exact"]:
            where = f"{row['artefact']} {row['kernel']} {row['counter']}"
            yield f"not exact: {where}: {row['found']}, by hand {row['expected']}"
    for name in result["registers_missing"]:
        yield f"missing: {name}; what needs it is left out"


def main():
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, artefacts and chips")
    parser.add_argument("--keep", type=Path, default=registers.CACHE, help="where inputs are kept")
    arguments = parser.parse_args()
    result = measure(arguments.keep.resolve(), arguments.quick)
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    exact, whole = result["triangular_loops_exact"]
    return 0 if exact == whole else 1


if __name__ == "__main__":
    sys.exit(main())
