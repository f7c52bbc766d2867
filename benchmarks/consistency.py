"""Whether what warpmill says of one kernel in several ways agrees.

    python -m benchmarks.consistency             a table
    python -m benchmarks.consistency --json      all figures as one JSON object on the last line
    python -m benchmarks.consistency --quick     fewer launches, no Triton
    python -m benchmarks.consistency --keep DIR  what compilers make is kept below DIR
    python -m benchmarks.consistency --rows      every row that is not as it should be

Launches are those of the samples, of the workloads (tiny presets) and of what nvcc, clang, Triton
and numba-cuda make of the kernels of `frontend_inputs`, as far as these are there (`missing`).

- `contiguous_called_irregular`: of the accesses that executed traces show contiguous (neighbours
  along x that are on lie next to each other, in every access of the warps of the first CTAs), the
  percentage that `analyze` calls irregular; goal at most 3. `by_maker` has them by compiler.
- `patterns_contradicted`: accesses called contiguous or broadcast that are not; goal 0.
- `unknown_trips`: of the loops whose trips the launch decides, the percentage whose count is
  unknown; goal at most 5.

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

from benchmarks.consistency_parts import launches
from benchmarks.consistency_parts.patterns import Compared
from benchmarks.consistency_parts.trips import Loops
from benchmarks.frontend_inputs.tools import tools

GOALS = {"contiguous_called_irregular": 3.0, "patterns_contradicted": 0, "unknown_trips": 5.0}
COMPILERS = ("nvcc", "clang", "triton", "numba-cuda")


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


def measure(keep, quick, progress):
    """Measure everything; the whole result."""
    start = time.perf_counter()
    compared, loops, refused = Compared(), Loops(), []
    seen = set()
    with folder(keep) as cache:
        for one in every_launch(cache, quick, refused, progress):
            compared.add(one)
            kernel = (one.maker, str(one.job.loaded.path), one.job.kernel.name)
            if kernel not in seen:
                seen.add(kernel)
                loops.add(one.maker, one.name, one.job)
    makers = sorted(loops.counts)
    result = {
        "benchmark": "consistency",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "quick": quick,
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
            for maker in makers
        },
        "missing": [name for name in COMPILERS if name not in tools()],
        "untraced": len(compared.untraced),
        "refused": len(refused),
        "goals": GOALS,
        "seconds": round(time.perf_counter() - start, 1),
    }
    result["reached"] = {
        name: result[name] is not None and result[name] <= goal for name, goal in GOALS.items()
    }
    rows = {
        "contradicted": compared.wrong,
        "irregular": compared.irregular,
        "unknown trips": loops.unknown,
        "untraced": compared.untraced,
        "refused": refused,
    }
    return result, rows


def table(result):
    """Lay the figures out for people."""
    yield f"{'':<34}{'':>10}{'goal':>8}"
    for name, goal in GOALS.items():
        value = "unknown" if result[name] is None else f"{result[name]:,.2f}"
        yield f"{name:<34}{value:>10}{goal:>8}{'' if result['reached'][name] else '  missed'}"
    yield f"{'by maker':<14}{'irregular, of contiguous':>28}{'unknown, of decided, of loops':>32}"
    for maker, row in result["by_maker"].items():
        irregular, of = row["contiguous_called_irregular"]
        unknown, decided = row["unknown_trips"]
        found = f"{irregular:>18,} of {of:>6,}{unknown:>14,} of {decided:,} of {row['loops']:,}"
        yield f"{maker:<14}{found}"
    if result["missing"]:
        yield f"missing: {', '.join(result['missing'])}; what needs it is left out"


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    result, rows = measure(
        options.keep, options.quick, lambda words: print(words, file=sys.stderr, flush=True)
    )
    print("\n".join(table(result)))
    if options.rows:
        for name, lines in rows.items():
            print(f"\n{name}: {len(lines)}", *lines, sep="\n  ")
    if options.json:
        print(json.dumps(result))
    sys.exit(not all(result["reached"].values()))


if __name__ == "__main__":
    main()
