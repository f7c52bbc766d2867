"""Whether what warpmill says of one kernel in several ways agrees, and how long it takes to say it.

    python -m benchmarks.consistency             a table
    python -m benchmarks.consistency --json      all figures as one JSON object on the last line
    python -m benchmarks.consistency --quick     fewer launches and machines, no Triton
    python -m benchmarks.consistency --only PART words, growth, rates or waves (may be repeated)
    python -m benchmarks.consistency --keep DIR  what compilers make is kept below DIR
    python -m benchmarks.consistency --rows      every row that is not as it should be

**words**: launches are those of the samples, of the workloads (tiny presets) and of what nvcc,
clang, Triton and numba-cuda make of the kernels of `frontend_inputs`, as far as these are there
(`missing`).

- `contiguous_called_irregular`: of the accesses that executed traces show contiguous (neighbours
  along x that are on lie next to each other, in every access of the warps of the first CTAs), the
  percentage that `analyze` calls irregular; goal at most 3. `by_maker` has them by compiler.
- `patterns_contradicted`: accesses called contiguous or broadcast that are not; goal 0.
- `unknown_trips`: of the loops whose trips the launch decides, the percentage whose count is
  unknown; goal at most 5.

**growth**: `analyze_ms_p99` and `analyze_ms_worst` over the compilers' kernels, without and with a
launch, and over kernels that grow in one direction; goals 500 and 3,000 ms of CPU time.

**rates**: `above_machine_rates`: estimates and simulations of workloads and samples that claim more
than their machine has; goal 0. `results_checked` says of how many.

**waves**: `traffic_apart`: of ten kernels at six sizes (`traffic_compared`), those whose estimate
has over 10 % more or less traffic, to L2 or DRAM, than an exact twin that looks at each sector of
each warp; goal 0. `traffic` has the sectors of both, and of simulations, the furthest apart first.

The exit code is 1 where a goal is missed.
"""

import argparse
import json
import platform
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from benchmarks.consistency_parts import growth, launches
from benchmarks.consistency_parts.patterns import Compared
from benchmarks.consistency_parts.rates import above_machine_rates
from benchmarks.consistency_parts.trips import Loops
from benchmarks.consistency_parts.waves import waves
from benchmarks.execution.compiled import building
from benchmarks.frontend_inputs.tools import tools

GOALS = {
    "contiguous_called_irregular": 3.0,
    "patterns_contradicted": 0,
    "unknown_trips": 5.0,
    "analyze_ms_p99": 500,
    "analyze_ms_worst": 3000,
    "above_machine_rates": 0,
    "traffic_apart": 0,
}
COMPILERS = ("nvcc", "clang", "triton", "numba-cuda")
QUICK_SHARE = 0.25
"""Of the sizes of kernels that grow, what a quick run takes."""
SLOW_MS = 500


def percent(some, of):
    """A share in percent; 0 of nothing is unknown."""
    return None if of == 0 else round(100 * some / of, 2)


@contextmanager
def folder(keep):
    """The folder that is kept, or a temporary one."""
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="consistency") as made:
        yield Path(made)


def every_launch(cache, quick, refused, progress):
    """All launches, of one maker after the other."""
    yield from launches.of_samples()
    yield from launches.of_workloads("s" if quick else "")
    for number, one in enumerate(launches.of_compilers(cache, quick=quick)):
        if number % 50 == 0:
            progress(f"launch {number} of compiled kernels")
        if isinstance(one, str):
            refused.append(one)
        else:
            yield one


def words(cache, quick, progress):
    """Patterns beside executed traces, and trips: figures and rows."""
    compared, loops, refused = Compared(), Loops(), []
    seen = set()
    for one in every_launch(cache, quick, refused, progress):
        compared.add(one)
        kernel = (one.maker, str(one.job.loaded.path), one.job.kernel.name)
        if kernel not in seen:
            seen.add(kernel)
            loops.add(one.maker, one.name, one.job)
    figures = {
        "contiguous_called_irregular": percent(*compared.share()),
        "contiguous_accesses": compared.share()[1],
        "patterns_contradicted": len(compared.wrong),
        "unknown_trips": percent(*loops.share()),
        "loops_launch_decides": loops.share()[1],
        "by_maker": {
            maker: {
                "contiguous_called_irregular": list(compared.share(maker)),
                "unknown_trips": list(loops.share([maker])),
                "loops": loops.counts[maker][2],
            }
            for maker in sorted(loops.counts)
        },
        "missing": [name for name in COMPILERS if name not in tools()],
        "untraced": len(compared.untraced),
        "refused": len(refused),
    }
    rows = {
        "contradicted": compared.wrong,
        "irregular": compared.irregular,
        "unknown trips": loops.unknown,
        "untraced": compared.untraced,
        "refused": refused,
    }
    return figures, rows


def growing(cache, quick, progress):
    """How long ``analyze`` takes: figures and rows."""
    progress("timing analyze")
    built = building.built(cache, quick=quick)
    files = sorted({file for made in built.files.values() for file in made})
    times = {
        name: round(1000 * seconds)
        for name, seconds in growth.all_times(files, QUICK_SHARE if quick else 1.0).items()
    }
    slowest = sorted(times, key=times.__getitem__, reverse=True)
    figures = {
        "analyze_ms_p99": growth.percentile(times.values(), 99),
        "analyze_ms_median": growth.percentile(times.values(), 50),
        "analyze_ms_worst": max(times.values(), default=None),
        "analyze_worst": slowest[0] if slowest else None,
        "analyses_timed": len(times),
    }
    slow = [f"{times[name]:,} ms: {name}" for name in slowest if times[name] > SLOW_MS]
    return figures, {"slow analyses": slow}


def rates(_cache, quick, progress):
    """Results beyond a rate of their machine: figures and rows."""
    progress("holding results against their machines")
    above, checked, rows = above_machine_rates(quick)
    return {"above_machine_rates": above, "results_checked": checked}, {"above": rows}


PARTS = {"words": words, "growth": growing, "rates": rates, "waves": waves}


def measure(keep, quick, progress, only=()):
    """Measure everything, or some parts; the whole result."""
    start = time.perf_counter()
    result = {
        "benchmark": "consistency",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "quick": quick,
    }
    rows = {}
    with folder(keep) as cache:
        for name in only or PARTS:
            begin = time.perf_counter()
            figures, found = PARTS[name](cache, quick, progress)
            result |= figures | {f"{name}_seconds": round(time.perf_counter() - begin, 1)}
            rows |= found
    result["seconds"] = round(time.perf_counter() - start, 1)
    result["goals"] = {name: goal for name, goal in GOALS.items() if name in result}
    result["reached"] = {
        name: result[name] is not None and result[name] <= goal
        for name, goal in result["goals"].items()
    }
    return result, rows


def table(result):
    """Lay the figures out for people."""
    yield f"{'':<34}{'':>10}{'goal':>8}"
    for name, goal in result["goals"].items():
        value = "unknown" if result[name] is None else f"{result[name]:,}"
        missed = "" if result["reached"][name] else "  missed"
        yield f"{name:<34}{value:>10}{goal:>8,}{missed}"
    if "analyze_worst" in result:
        yield f"of {result['analyses_timed']:,} analyses; longest: {result['analyze_worst']}"
    if "results_checked" in result:
        yield f"of {result['results_checked']:,} estimates and simulations"
    if "traffic_compared" in result:
        worst = result["traffic_worst_percent"]
        yield f"of {result['traffic_compared']} launches' traffic; furthest apart: {worst} %"
    if "by_maker" in result:
        irregular, unknown = "irregular, of contiguous", "unknown, of decided, of loops"
        yield f"{'by maker':<14}{irregular:>28}{unknown:>32}"
    for maker, row in result.get("by_maker", {}).items():
        irregular, of = row["contiguous_called_irregular"]
        unknown, decided = row["unknown_trips"]
        found = f"{irregular:>18,} of {of:>6,}{unknown:>14,} of {decided:,} of {row['loops']:,}"
        yield f"{maker:<14}{found}"
    if result.get("missing"):
        yield f"missing: {', '.join(result['missing'])}; what needs it is left out"


def said(sentence):
    """How far the measurement is."""
    print(sentence, file=sys.stderr, flush=True)


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", action="append", choices=PARTS)
    options = parser.parse_args()
    result, rows = measure(options.keep, options.quick, said, options.only or ())
    print("\n".join(table(result)))
    if options.rows:
        for name, lines in rows.items():
            print(f"\n{name}: {len(lines)}", *lines, sep="\n  ")
    if options.json:
        print(json.dumps(result))
    sys.exit(not all(result["reached"].values()))


if __name__ == "__main__":
    main()
