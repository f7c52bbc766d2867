"""Applications simulated whole, their thirty selections, and these judged by other runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from warpmill.benchmarks import gtpin as told
from warpmill.benchmarks import launch_times
from warpmill.benchmarks.benchmark import Request
from warpmill.benchmarks.gtpin import Combination
from warpmill.benchmarks.points import Row, RowKind, Rows, RowStudy
from warpmill.sampling.methods import features_of
from warpmill.sampling.options import DIVISION, FEATURE
from warpmill.sampling.runs import EXECUTED, estimated_times
from warpmill.session.sampled_launches import sampled_launches
from warpmill.session.workloads import workloads
from warpmill.simulator.machines import load_machine
from warpmill.simulator.sampling.gtpin import (
    FEATURES,
    RatedSelection,
    best_universal,
    explore,
    least_error,
    select,
    under_threshold,
)
from warpmill.simulator.sampling.model import Selection, project
from warpmill.studies.model import StudyPoint

LARGEST_THRESHOLD = 10.0
MANY_OF, MANY_LAUNCHES = "tvl1-flow:paper-gtpin", 10_000
"""The application of most launches, over and over."""
TRIAL = {"seed": told.SEED}


def known_applications() -> dict[str, str]:
    """The target of each application by the paper's name, in the order of the names."""
    found = {
        name: f"{workload}:{preset}"
        for workload, one in workloads().items()
        if one.form.paper.gtpin is not None
        for preset, name in one.form.paper.gtpin.applications.items()
    }
    return dict(sorted(found.items()))


def measure(request: Request) -> told.GtpinResult:
    """Measure applications. SystemExit where all are measured and some cannot be."""
    known = known_applications()
    found = study({name: known[name] for name in request.chosen(known)}, request)
    if found.missing and not request.is_partial:
        raise SystemExit("; ".join(f"{one.application}: {one.why}" for one in found.missing))
    return found


def study(
    targets: Mapping[str, str],
    request: Request,
    clocks: Sequence[int] = told.CLOCKS,
    machines: Sequence[str] = told.MACHINES,
) -> told.GtpinResult:
    """Measure applications, targets by the paper's names."""
    wanted = {name: runs(target, clocks, machines) for name, target in targets.items()}
    every = [run.point for each in wanted.values() for run in each]
    times = launch_times.launch_times(every, request)
    own = {name: times.at(first.point) for name, (first, *_) in wanted.items()}
    rows = Rows(STUDY, request)
    found = explored(rows, {name: (target, own[name]) for name, target in targets.items()})
    known = {name: row for name, row in found.items() if "problem" not in row}
    with_many = MANY_OF in [targets[name] for name in known]
    rows.measure(STUDY.point("estimated", targets[n], machine=told.MACHINE) for n in known)
    rows.measure([STUDY.point("many", MANY_OF)] if with_many else [])
    chosen = places({name: combinations(row) for name, row in known.items()}) if known else {}
    made = []
    for name, row in known.items():
        others = [(run, times.at(run.point)) for run in wanted[name][1:]]
        cycles = rows("estimated", targets[name], machine=told.MACHINE)
        estimate = None if cycles is None else estimates_of(cycles, own[name], row)
        made.append(
            application(name, targets[name], row, own[name], chosen[name], others, estimate)
        )
    projections = [one["projection"] for row in known.values() for one in row["combinations"]]
    missing = {name: row["problem"] for name, row in found.items() if "problem" in row}
    return told.GtpinResult(
        rows=tuple(made),
        missing=tuple(told.NotStudied(application=name, run=told.MACHINE, why=why)
                      for name, why in missing.items()),
        every_interval=told.intervals_of(told.ALL, projections),
        many=told.Many(**many) if with_many and (many := rows("many", MANY_OF)) else None,
    )  # fmt: skip


def explored(rows: Rows, timed: Mapping[str, tuple[str, Row]]) -> dict[str, Row]:
    """Explore applications, targets with the times of their launches, where these are known."""
    points = {name: STUDY.point("explored", target, cycles=times["launch_cycles"])
              for name, (target, times) in timed.items() if "problem" not in times}  # fmt: skip
    rows.measure(points.values())
    return {name: rows.at(points[name]) if name in points else times
            for name, (_, times) in timed.items()}  # fmt: skip


# The runs of an application: its own, and those that its selections are judged by.


class Run(NamedTuple):
    """All launches of a target on a machine; ``label`` tells runs of one kind apart."""

    kind: str
    label: str
    point: StudyPoint


def runs(
    target: str, clocks: Sequence[int] = told.CLOCKS, machines: Sequence[str] = told.MACHINES
) -> tuple[Run, ...]:
    """An application's runs, its own first."""
    wanted: Any = partial(launch_times.wanted, target)
    full = float(load_machine(told.MACHINE).number("clock.sm_mhz"))
    parts = {mhz: round(full * mhz / told.PAPER_MHZ, 1) for mhz in clocks}
    return (
        Run("own", told.MACHINE, wanted(told.MACHINE)),
        Run(told.TRIALS, f"seed {told.SEED}", wanted(told.MACHINE, TRIAL)),
        *(Run(told.CLOCK, f"{mhz} MHz", wanted(told.MACHINE, **{"clock.sm_mhz": part}))
          for mhz, part in parts.items()),
        *(Run(told.OTHER, machine, wanted(machine)) for machine in machines),
    )  # fmt: skip


Other = tuple[Run, Row]
"""Another run, and what its launches are and took."""


# What is made of measured rows.


def application(
    name: str,
    target: str,
    row: Row,
    times: Row,
    chosen: Mapping[str, int],
    others: Sequence[Other],
    estimate: told.Estimates | None = None,
) -> told.Application:
    """An application of its row."""
    return told.Application(
        application=name,
        target=target,
        launches=len(times["instructions"]),
        combinations=combinations(row),
        **{
            way: _choice(row["combinations"][place], times, others) for way, place in chosen.items()
        },
        estimate=estimate,
        simulation_s=times["cpu_s"],
        profile_s=row["profile_s"],
        one_s=row["choice_s"]["one"],
        all_s=row["choice_s"]["all"],
    )


def combinations(row: Row) -> tuple[Combination, ...]:
    """The thirty combinations of an application's row."""
    return tuple(Combination(**_named(one)) for one in row["combinations"])


def _named(one: Row) -> Row:
    return {key: one[key] for key in ("division", "feature", "error", "share")}


def _choice(made: Row, own: Row, others: Sequence[Other]) -> told.Choice:
    error, half_width, held = made["projection"]
    return told.Choice(
        **_named(made),
        clusters=len(made["picks"]),
        projected_error=error,
        half_width=half_width,
        held=held,
        judged=tuple(judged(made["picks"], own, *other) for other in others),
    )


def places(explored: Mapping[str, Sequence[Combination]]) -> dict[str, dict[str, int]]:
    """Which of the thirty each way chooses, by application and way."""
    every: Mapping[str, Any] = explored
    best = best_universal(every)
    return {
        name: {
            "least_error": own.index(least_error(own)),
            "threshold10": own.index(under_threshold(own, LARGEST_THRESHOLD)),
            "universal": [(c.division, c.feature) for c in own].index(
                (best.division, best.feature)
            ),
        }
        for name, own in every.items()
    }


def error_of(picks: Sequence[Any], cycles: Sequence[float], instructions: Sequence[int]) -> float:
    """The error in percent (Equation 1) of chosen intervals and ratios in a run.

    ``picks`` has the first launch of each, the one behind the last, and the ratio; cycles and
    instructions are those by launch of the run that is projected, which may be another one.
    """
    projected: float = sum(
        ratio * sum(cycles[first:end]) / sum(instructions[first:end]) for first, end, ratio in picks
    )
    measured = sum(cycles) / sum(instructions)
    return 100 * abs(projected - measured) / measured


def judged(picks: Sequence[Any], own: Row, run: Run, times: Row) -> told.Judged:
    """The error of chosen intervals in a run (Figure 8), or why it is unknown.

    ``own`` is the row of the run that they were chosen of.
    """
    why = times.get("problem") or _unlike(own["kernels"], times["kernels"])
    off = None if why else error_of(picks, times["launch_cycles"], times["instructions"])
    return told.Judged(kind=run.kind, run=run.label, error=off, why=why)


def _unlike(first: Sequence[str], second: Sequence[str]) -> str | None:
    """Why the launches of two runs are not the same; None where they are, by their kernels."""
    if len(first) != len(second):
        return f"{len(second):,} launches instead of {len(first):,}"
    each = enumerate(zip(first, second, strict=True))
    unlike = ((k, one, two) for k, (one, two) in each if one != two)
    return next((f"launch {k} is of {two} instead of {one}" for k, one, two in unlike), None)


def estimates_of(row: Row, times: Row, explored: Row) -> told.Estimates:
    """What is chosen by estimated times."""
    cycles, own = row["launch_cycles"], combinations(explored)
    by_them: list[Any] = [
        replace(one, error=error_of(made["picks"], cycles, times["instructions"]))
        for one, made in zip(own, explored["combinations"], strict=True)
    ]
    return told.Estimates(
        off=100 * (sum(cycles) / times["cycles"] - 1),
        estimated=row["estimated"],
        cpu_s=row["cpu_s"],
        least_error=own[by_them.index(least_error(by_them))],
        threshold10=own[by_them.index(under_threshold(by_them, LARGEST_THRESHOLD))],
    )


# Rows of the study: applications explored, launches estimated.


def explored_row(target: str, cycles: Sequence[float]) -> Row:
    """Try all combinations: error, share, the intervals that were chosen, the projection.

    Seconds are CPU time: of the profile, of choosing by one combination, and of choosing by all.
    """
    import sklearn.cluster  # noqa: F401, PLC0415 - not among the seconds of the first choice

    begin = time.process_time()
    launches = sampled_launches(target).launches
    profiled = time.process_time()
    select(launches, DIVISION, FEATURE)
    chosen = time.process_time()
    every = explore(launches, cycles)
    over = time.process_time()
    return {
        "profile_s": profiled - begin,
        "choice_s": {"one": chosen - profiled, "all": over - chosen},
        "combinations": [_combination(launches, cycles, one) for one in every],
    }


def _combination(launches: Sequence[Any], cycles: Sequence[float], one: RatedSelection) -> Row:
    return {
        "division": one.division,
        "feature": one.feature,
        "error": one.error,
        "share": one.sample_share,
        "picks": picks(one.selection),
        "projection": _projected(launches, cycles, one.selection),
    }


def picks(selection: Selection) -> list[list[Any]]:
    """The chosen intervals: first launch, the one behind the last, the ratio."""
    return [
        [selection.units[number].first, selection.units[number].end, stratum.weight]
        for stratum in selection.strata
        for number in stratum.chosen
    ]


def _projected(
    launches: Sequence[Any], cycles: Sequence[float], selection: Selection
) -> tuple[float, float | None, bool | None]:
    """Error of the projected whole, half of its interval, in percent, and whether that holds."""
    by_unit = {n: sum(cycles[k] for k in selection.units[n].launches) for n in selection.chosen}
    found = project(selection, by_unit, features_of(launches, selection))
    true = sum(cycles)
    error = abs(found.cycles / true - 1.0) * 100
    if found.interval is None:
        return error, None, None
    low, high = found.interval
    return error, (high - low) / 2 / found.cycles * 100, bool(low <= true <= high)


def estimated_row(target: str, machine: str) -> Row:
    """Estimate all launches: cycles of each, how many were estimated, and the CPU seconds.

    As `sample --target-error` does: of each launch the traces of one round of CTAs are executed.
    """
    app, on = sampled_launches(target), load_machine(machine)
    begin = time.process_time()
    found = estimated_times(app, on, EXECUTED)
    spent = time.process_time() - begin
    return {"launch_cycles": list(found.cycles), "estimated": found.estimated, "cpu_s": spent}


def many_row(target: str, launches: int = MANY_LAUNCHES) -> Row:
    """The CPU seconds of clustering so many launches by the slowest feature."""
    own = sampled_launches(target).launches
    repeated = zip(range(launches), own * -(-launches // len(own)), strict=False)
    made = [replace(one, number=number) for number, one in repeated]
    select(made[:50], "kernel", "BB")  # libraries load
    return {"slowest_s": max(_timed(partial(select, made, "kernel", name)) for name in FEATURES)}


def _timed(do: Callable[[], Any]) -> float:
    begin = time.process_time()
    do()
    return time.process_time() - begin


_EXECUTION = (
    "analyzer", "executor", "grammars", "warpmill/session/sampled_launches.py",
    "warpmill/session/runs.py",
)  # fmt: skip
_ESTIMATE = (
    "simulator/estimate", "warpmill/sampling/runs.py",
    *(f"warpmill/session/{name}.py"
      for name in ("applications", "estimates", "registers", "traces")),
)  # fmt: skip
_CHOICE = ("simulator/sampling", "warpmill/sampling")
STUDY = RowStudy("benchmarks.gtpin", 3, {
    "explored": RowKind(explored_row, (*_EXECUTION, *_CHOICE)),
    "estimated": RowKind(estimated_row, (*_EXECUTION, *_ESTIMATE)),
    "many": RowKind(many_row, (*_EXECUTION[-2:], "simulator/sampling")),
})  # fmt: skip
