"""The process that ``ncu`` watches: it runs a plan's workloads, and notes what was profiled.

A plan is a JSON list of ``[subject, [numbers of launches]]``. What was profiled is written after
each, so that a run that is stopped keeps what it has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from warpmill.benchmarks.silicon.subjects import subject_of
from warpmill.benchmarks.silicon.timed import TimedBackend
from warpmill.session.options import RunOptions


def main(plan: str, noted: str) -> None:
    """Run the plan."""
    backend, done = TimedBackend(), []
    for written, numbers in json.loads(Path(plan).read_text("utf-8")):
        backend.profiled = frozenset(numbers)
        subject = subject_of(written)
        subject.run(RunOptions(device=backend), checked=False)
        launches = backend.taken()
        done += [
            subject.names | {"launch": n, "kernel": launches[n].kernel} for n in sorted(numbers)
        ]
        Path(noted).write_text(json.dumps(done), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
