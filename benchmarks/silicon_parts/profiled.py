"""The process that ``ncu`` watches: it runs a plan's workloads, and notes what was profiled.

A plan is a JSON list of ``[workload, preset, build, [numbers of launches]]``. What was profiled is
written after each workload, so that a run that is stopped keeps what it has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.silicon_parts.timed import TimedBackend
from warpmill.runs import RunOptions
from warpmill.workload_runs import run_workload
from warpmill.workloads import WorkloadTarget, workloads


def main(plan: str, noted: str) -> None:
    """Run the plan."""
    backend, done = TimedBackend(), []
    for name, preset, build, numbers in json.loads(Path(plan).read_text("utf-8")):
        backend.profiled = frozenset(numbers)
        target = WorkloadTarget(workloads()[name], preset, build)
        run_workload(target, options=RunOptions(device=backend), checked=False)
        kernels = [one.kernel for one in backend.taken()]
        done += [[name, preset, build, n, kernels[n]] for n in numbers]
        Path(noted).write_text(json.dumps(done), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
