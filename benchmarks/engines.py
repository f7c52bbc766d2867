"""Estimates and simulations of the same launches beside each other, and what is different in them.

::

    python -m benchmarks.engines [--json]          what was measured last, at once
    python -m benchmarks.engines --fresh [--json]  measure and keep it: 5 minutes
    python -m benchmarks.engines --quick           eight workloads on one machine
    python -m benchmarks.engines --docs            write docs/validation.md
    python -m benchmarks.engines --workloads nn    of some alone; nothing is kept

The largest launch of each kernel of the workloads' small presets, on three machines; durations,
each with the machine's launch overhead, which no simulation times.

- `engines_apart`: the percentage whose durations differ by more than a quarter; goal 0;
- `engines_ratio_median`: of the estimated over the simulated duration;
- `differs`: how many launches that are apart differ most in each cause of time. A launch's time is
  divided by cause by each engine's evidence (`warpmill.session`), in µs of its own duration; the
  cause whose times are furthest apart is what explains it.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.kept_command import KeptBenchmark, chosen, say

NAME = "engines"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "samples/workloads/**/*.toml",
)
MACHINES, QUICK_MACHINES = ("a100", "v100", "rtx3070"), ("a100",)
PRESET, QUICK_WORKLOADS, SEED = "small", 8, 25
MOST_CYCLES = 3_000_000
APART = 1.25
GOAL = 0.0

Row = dict[str, Any]
Result = Mapping[str, Any]


def measure(names: Sequence[str], _store: str | Path, _workers: int, *, quick: bool) -> Row:
    """Time launches of workloads by both engines, all without names; the whole result."""
    from warpmill.session.workloads import workloads  # noqa: PLC0415 - slow to load

    every = chosen(names, sorted(workloads()))
    if quick:
        every = random.Random(SEED).sample(every, min(QUICK_WORKLOADS, len(every)))
    rows: list[Row] = []
    for place, name in enumerate(every):
        say(f"{name}, {place + 1} of {len(every)}")
        rows += _of_workload(name, QUICK_MACHINES if quick else MACHINES)
    return {"benchmark": NAME, "quick": quick, "goal": GOAL, **figures(rows), "rows": rows}


def figures(rows: Sequence[Row]) -> Row:
    """What rows come to."""
    ratios = [row["estimated_us"] / row["simulated_us"] for row in rows]
    far = apart(rows)
    share = round(100 * len(far) / len(rows), 2) if rows else None
    causes = Counter(row["differs"]["cause"] for row in far)
    return {
        "engines_apart": share,
        "engines_compared": len(rows),
        "engines_ratio_median": round(statistics.median(ratios), 3) if ratios else None,
        "differs": dict(sorted(causes.items(), key=lambda one: (-one[1], one[0]))),
    }


def apart(rows: Iterable[Row]) -> list[Row]:
    """Rows whose durations differ by more than a quarter, the furthest first."""
    return sorted((row for row in rows if _ratio(row) > APART), key=lambda row: -_ratio(row))


def _ratio(row: Row) -> float:
    least, most = sorted((row["estimated_us"], row["simulated_us"]))
    return most / least if least else float("inf")


def _of_workload(name: str, machines: Sequence[str]) -> Iterator[Row]:
    """A row a kernel and machine; none where an engine refuses it, or it takes too long."""
    from warpmill.analyzer.base.diagnostics import WarpmillError  # noqa: PLC0415 - slow to load
    from warpmill.session.applications import (  # noqa: PLC0415
        application,
        largest_of_each_kernel,
    )

    app = application(f"{name}:{PRESET}")
    for number in largest_of_each_kernel(app.launches):
        for machine in machines:
            try:
                found = beside(app.job(number), machine)
            except WarpmillError:
                continue
            yield {"workload": name, "launch": number, "machine": machine, **found}


def beside(job: Any, on: str) -> Row:
    """A launch's durations by both engines, what bounds it, and the cause that differs most."""
    from warpmill.session.estimates import Estimator  # noqa: PLC0415 - slow to load
    from warpmill.session.evidence import evidence_of_estimate  # noqa: PLC0415
    from warpmill.session.simulated_evidence import evidence_of_simulation  # noqa: PLC0415
    from warpmill.session.simulation_plans import plan  # noqa: PLC0415
    from warpmill.session.simulations import simulated  # noqa: PLC0415
    from warpmill.simulator.assembler.costs import launch_overhead  # noqa: PLC0415
    from warpmill.simulator.gpu.options import Options  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine  # noqa: PLC0415
    from warpmill.simulator.resources import LAUNCH  # noqa: PLC0415

    machine, estimator = load_machine(on), Estimator(job)
    one = estimator.on(machine)
    other = simulated(plan(job, machine, options=Options(max_cycles=MOST_CYCLES)))
    overhead = launch_overhead(machine, job.launch.cta_count)
    whole = overhead.total_us(other.result.time_us)
    estimated = evidence_of_estimate(estimator, machine, one).shares or {}
    shares = evidence_of_simulation(other).shares or {}
    mine = {c: part * one.time_us for c, part in estimated.items() if c != LAUNCH}
    theirs = {cause: part * other.result.time_us for cause, part in shares.items()}
    cause = max(sorted({*mine, *theirs}), key=lambda c: abs(mine.get(c, 0.0) - theirs.get(c, 0.0)))
    waits = max(other.result.warp_states, key=lambda state: state.warp_cycles)
    return {
        "kernel": job.kernel.name,
        "estimated_us": one.time_us,
        "simulated_us": whole,
        "bound": one.bound,
        "waits": str(waits.state),
        "differs": {
            "cause": cause,
            "estimated_us": mine.get(cause, 0.0),
            "simulated_us": theirs.get(cause, 0.0),
        },
    }


def table(result: Result) -> Iterator[str]:
    """Lines for people: the sums, and each launch that is apart."""
    missed = "" if result["engines_apart"] == GOAL else "  missed"
    yield f"apart by more than a quarter, %   {result['engines_apart']}  (goal {GOAL:g}){missed}"
    yield f"launches                          {result['engines_compared']}"
    yield f"estimated over simulated, median  {result['engines_ratio_median']}"
    for cause, number in result["differs"].items():
        yield f"  differ most in {cause}: {number}"
    for row in apart(result["rows"]):
        yield "  " + words(row)


def words(row: Row) -> str:
    """A launch in one line."""
    own, ratio = row["differs"], row["estimated_us"] / row["simulated_us"]
    return (
        f"{ratio:5.2f}: {row['workload']} launch {row['launch']} on {row['machine']}: estimated "
        f"{row['estimated_us']:,.4g} µs, simulated {row['simulated_us']:,.4g} µs ({row['bound']}; "
        f"{row['waits']}); {own['cause']}: {own['estimated_us']:,.3g} µs estimated, "
        f"{own['simulated_us']:,.3g} simulated"
    )


def _write(_result: Result, _folder: Path) -> None:
    from benchmarks import validation  # noqa: PLC0415 - which takes this result, too

    validation.main(())


BENCHMARK = KeptBenchmark(
    NAME,
    "Estimates and simulations of the same launches, and what is different in them.",
    DATA,
    "workloads",
    measure,
    table,
    _write,
    switches=(("quick", "few workloads on one machine"),),
)

if __name__ == "__main__":
    BENCHMARK.main()
