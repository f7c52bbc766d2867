"""How long estimates take: the largest launch of each kernel of the workloads, small presets.

    python -m benchmarks.estimate [WORKLOAD ...] [--machine NAME] [--json]

The host program runs before, and its time is not counted, nor is loading the kernel's module. What
is: analysing the kernel, its traces (static where they are the default) and the estimate. Each is
the median of three of its CPU times, each of a fresh job; an estimate before these compiles what is
compiled.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from statistics import median

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.session.applications import Application, application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.workloads import workloads

ROUNDS = 3
MACHINE = "v100"
MEDIAN_GOAL_MS, P95_GOAL_MS = 25, 120


def timed(app, number, machine):
    """Estimate a launch, with no analysis or traces kept; milliseconds, where traces are from."""
    job = Application(app.title, app.recording).job(number)
    began = time.process_time()
    result = estimate(job, machine)
    return (time.process_time() - began) * 1e3, result.trace


def measured(name, machine):
    """Measure the launches of a workload that are the largest of their kernels: a row each."""
    app = application(f"{name}:small")
    rows = []
    for number in largest_of_each_kernel(app.launches):
        timed(app, number, machine)
        each = [timed(app, number, machine) for _ in range(ROUNDS)]
        row = {"workload": name, "launch": number, "trace": each[0][1]}
        rows.append({**row, "estimate_ms": median(one for one, _ in each)})
    return rows


def figures(rows, failed):
    """Sum rows up: a workload counts once, by the sum over its kernels' largest launches."""
    sums, each = {}, sorted(row["estimate_ms"] for row in rows)
    for row in rows:
        sums[row["workload"]] = sums.get(row["workload"], 0) + row["estimate_ms"]
    return {
        "estimate_ms_median": median(each) if rows else None,
        "estimate_ms_p95": each[int(0.95 * len(each))] if rows else None,
        "workload_ms_median": median(sums.values()) if sums else None,
        "workloads": len(sums),
        "failed": failed,
        "speed_rows": rows,
    }


def main(argv=None):
    """Measure, and print figures; 1 where the goal is missed or an estimate failed."""
    parser = argparse.ArgumentParser(description="how long estimates take")
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--machine", default=MACHINE)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    rows, failed = [], {}
    for name in given.workloads or workloads():
        try:
            new = measured(name, given.machine)
        except WarpmillError as error:
            failed[name] = str(error)
            continue
        rows += new
        for row in new:
            said = f"{name} {row['launch']} {row['trace']} {row['estimate_ms']:.1f} ms"
            print(said, file=sys.stderr, flush=True)
    summed = figures(rows, failed)
    short = {key: value for key, value in summed.items() if key != "speed_rows"}
    print(json.dumps(summed if given.json else short, indent=1))
    goals = {"estimate_ms_median": MEDIAN_GOAL_MS, "estimate_ms_p95": P95_GOAL_MS}
    missed = not rows or any(summed[name] > goal for name, goal in goals.items())
    return int(bool(failed) or missed)


if __name__ == "__main__":
    sys.exit(main())
