"""Applications simulated whole, their thirty selections, and these judged by other runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from warpmill.benchmarks import launch_times
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.gtpin import (
    ALL,
    CLOCK,
    CLOCKS,
    MACHINES,
    OTHER,
    SEED,
    TRIALS,
    WAYS,
    Application,
    ByEstimates,
    Choice,
    Combination,
    Estimates,
    GtpinResult,
    Judged,
    Many,
    NotStudied,
    intervals_of,
)
from warpmill.benchmarks.keeping import measured
from warpmill.sampling.methods import features_of
from warpmill.sampling.options import DIVISION, FEATURE
from warpmill.sampling.runs import EXECUTED, estimated_times
from warpmill.session.options import LaunchOptions
from warpmill.session.sampled_launches import sampled_launches
from warpmill.session.workloads import workloads
from warpmill.simulator.machines import load_machine
from warpmill.simulator.sampling.gtpin import (
    FEATURES,
    RatedSelection,
    best_universal,
    error,
    explore,
    least_error,
    select,
    under_threshold,
)
from warpmill.simulator.sampling.model import Selection, SelectionUnit, Stratum, project
from warpmill.simulator.sampling.tbpoint import inter_launch
from warpmill.studies.content import canonical
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest
from warpmill.studies.store import Store

MACHINE = "quadro_k600"
"""Where selections are made: 336 Gflop/s and 29 GB/s, beside the paper's 333 and 26."""
PAPER_MHZ = 1150
LARGEST_THRESHOLD = 10.0
MANY_OF, MANY_LAUNCHES = "tvl1-flow:paper-gtpin", 10_000
"""The application of most launches, over and over."""

Row = dict[str, Any]
Say = Callable[[str], None]


def known_applications() -> dict[str, str]:
    """The target of each application by the paper's name, in the order of the names."""
    found = {
        name: f"{workload}:{preset}"
        for workload, one in workloads().items()
        if one.form.paper.gtpin is not None
        for preset, name in one.form.paper.gtpin.applications.items()
    }
    return dict(sorted(found.items()))


def measure(request: Request) -> GtpinResult:
    """Measure applications. SystemExit where all are measured and some cannot be."""
    known = known_applications()
    targets = {name: known[name] for name in request.chosen(known)}
    found = study(targets, request.store or default_store(), request.workers)
    if found.missing and not request.is_partial:
        raise SystemExit("; ".join(f"{one.application}: {one.why}" for one in found.missing))
    return found


def study(
    targets: Mapping[str, str],
    store: str | Path,
    workers: int,
    clocks: Sequence[int] = CLOCKS,
    machines: Sequence[str] = MACHINES,
) -> GtpinResult:
    """Measure applications, targets by the paper's names."""
    wanted = {name: runs(target, clocks, machines) for name, target in targets.items()}
    found = times([run for own in wanted.values() for run in own], store, workers, say)
    own = {name: found[each[0].point.key] for name, each in wanted.items()}
    rows = Rows(store, workers, say)
    explored = rows.explored(
        {targets[n]: row["launch_cycles"] for n, row in own.items() if "problem" not in row}
    )
    problems = {n: {**own[n], **explored.get(t, {})}.get("problem") for n, t in targets.items()}
    known = {n: targets[n] for n, problem in problems.items() if problem is None}
    work = rows.counted([run for name in known for run in wanted[name][1:] if run.kind == TRIALS])
    estimates = rows.estimated(list(known.values()), MACHINE)
    many = rows.many(MANY_OF) if MANY_OF in known.values() else None
    others = {
        name: [
            (run.kind, run.label, found[run.point.key], work[t] if run.sizes else explored[t])
            for run in wanted[name][1:]
        ]
        for name, t in known.items()
    }
    combinations = {name: explored_of(explored[target]) for name, target in known.items()}
    chosen = places(combinations) if known else {}
    missing = [
        NotStudied(application=name, run=MACHINE, why=problem)
        for name, problem in problems.items()
        if problem is not None
    ]
    every = [made["projection"] for t in known.values() for made in explored[t]["combinations"]]
    return GtpinResult(
        rows=tuple(
            application(name, target, explored[target], own[name], chosen[name], others[name],
                        estimates_of(estimates[target], own[name], combinations[name]))
            for name, target in known.items()
        ),
        missing=tuple(missing),
        every_interval=intervals_of(
            ALL, [(one["error"], one["half_width"], one["held"]) for one in every]
        ),
        many=None if many is None or "problem" in many else Many(**many),
    )  # fmt: skip


# What is made of measured rows.


def application(
    name: str,
    target: str,
    row: Row,
    times: Row,
    chosen: Mapping[str, int],
    others: Sequence[tuple[str, str, Row, Row]],
    estimate: Estimates | None = None,
) -> Application:
    """An application of its row; ``others`` are runs: kind, label, times, what launches execute."""
    return Application(
        application=name,
        target=target,
        launches=len(row["instructions"]),
        warp_instructions=sum(row["instructions"]),
        cycles=times["cycles"],
        combinations=tuple(Combination(**_named(c)) for c in row["combinations"]),
        **{way: _choice(row, place, others) for way, place in chosen.items()},
        estimate=estimate,
        simulation_s=times["cpu_s"],
        profile_s=row["profile_s"],
        one_s=row["choice_s"]["one"],
        all_s=row["choice_s"]["all"],
    )


def _named(made: Row) -> Row:
    return {key: made[key] for key in ("division", "feature", "error", "share")}


def _choice(row: Row, place: int, others: Sequence[tuple[str, str, Row, Row]]) -> Choice:
    made = row["combinations"][place]
    projection = made["projection"]
    return Choice(
        **_named(made),
        clusters=len(made["picks"]),
        projected_error=projection["error"],
        half_width=projection["half_width"],
        held=projection["held"],
        judged=tuple(judged(kind, label, made["picks"], row, times, work)
                     for kind, label, times, work in others),
    )  # fmt: skip


def places(explored: Mapping[str, Sequence[RatedSelection]]) -> dict[str, dict[str, int]]:
    """Which of the thirty each way chooses, by application and way."""
    best = best_universal(explored)
    return {
        name: dict(zip(WAYS, (
            own.index(least_error(own)),
            own.index(under_threshold(own, LARGEST_THRESHOLD)),
            next(k for k, one in enumerate(own)
                 if (one.division, one.feature) == (best.division, best.feature)),
        ), strict=True))
        for name, own in explored.items()
    }  # fmt: skip


def explored_of(row: Row) -> tuple[RatedSelection, ...]:
    """The thirty combinations of an application's row."""
    return tuple(
        RatedSelection(one["division"], one["feature"],
                       selection_of(one["picks"], row["instructions"]), one["error"])
        for one in row["combinations"]
    )  # fmt: skip


def selection_of(picks: Sequence[Any], instructions: Sequence[int]) -> Selection:
    """Make a selection of chosen intervals and their ratios: what lies between are units too.

    ``picks`` has the first launch of each, the one behind the last, and the ratio; ``instructions``
    are those by launch of the run that is projected, which may be another one.
    """
    made, strata, reached = [], [], 0
    for first, end, weight in sorted(picks):
        if first > reached:
            made.append(_unit(reached, first, instructions))
        strata.append(Stratum((len(made),), (len(made),), weight))
        made.append(_unit(first, end, instructions))
        reached = end
    if reached < len(instructions):
        made.append(_unit(reached, len(instructions), instructions))
    return Selection("gtpin", tuple(made), tuple(strata))


def _unit(first: int, end: int, instructions: Sequence[int]) -> SelectionUnit:
    return SelectionUnit(first, end, sum(instructions[first:end]))


def error_of(picks: Sequence[Any], cycles: Sequence[float], instructions: Sequence[int]) -> float:
    """The error in percent (Equation 1) of chosen intervals and ratios in a run."""
    return error(selection_of(picks, instructions), cycles)


def judged(kind: str, run: str, picks: Sequence[Any], own: Row, times: Row, work: Row) -> Judged:
    """The error of chosen intervals in a run (Figure 8), or why it is unknown.

    ``own`` has the kernels of the launches that they were chosen of; ``times`` and ``work`` are
    the row of the run and what its launches execute.
    """
    why = work.get("problem") or _unlike(own, work) or times.get("problem")
    if why is not None:
        return Judged(kind=kind, run=run, why=why)
    off = error_of(picks, times["launch_cycles"], work["instructions"])
    return Judged(kind=kind, run=run, error=off)


def _unlike(own: Row, other: Row) -> str | None:
    """Why the launches of two runs are not the same; None where they are, by their kernels."""
    first, second = ([work["kernels"][n] for n in work["kernel_of"]] for work in (own, other))
    if len(first) != len(second):
        return f"{len(second):,} launches instead of {len(first):,}"
    each = enumerate(zip(first, second, strict=True))
    unlike = ((k, one, two) for k, (one, two) in each if one != two)
    return next((f"launch {k} is of {two} instead of {one}" for k, one, two in unlike), None)


def estimates_of(row: Row, times: Row, explored: Sequence[RatedSelection]) -> Estimates | None:
    """What is chosen by estimated times; None where there are none."""
    if "problem" in row:
        return None
    cycles = row["launch_cycles"]
    by_them = [replace(each, error=error(each.selection, cycles)) for each in explored]

    def chosen(way: RatedSelection) -> ByEstimates:
        return ByEstimates(division=way.division, feature=way.feature, expected=way.error,
                           error=explored[by_them.index(way)].error,
                           share=way.sample_share)  # fmt: skip

    return Estimates(
        off=100 * (sum(cycles) / times["cycles"] - 1),
        estimated=row["estimated"],
        cpu_s=row["cpu_s"],
        least_error=chosen(least_error(by_them)),
        threshold10=chosen(under_threshold(by_them, LARGEST_THRESHOLD)),
    )


# The runs of an application: its own, and those that its selections are judged by.


@dataclass(frozen=True)
class Run:
    """All launches of a target on a machine. ``label`` tells runs of one kind apart."""

    kind: str
    label: str
    target: str
    point: StudyPoint
    sizes: Mapping[str, int] = field(default_factory=dict)


def runs(
    target: str, clocks: Sequence[int] = CLOCKS, machines: Sequence[str] = MACHINES
) -> tuple[Run, ...]:
    """An application's runs, its own first."""
    full = float(load_machine(MACHINE).number("clock.sm_mhz"))
    sizes = {"seed": SEED}
    trial = launch_times.wanted(target, MACHINE, sizes)
    return (
        _run("own", MACHINE, target, MACHINE),
        Run(TRIALS, f"seed {SEED}", target, trial, sizes),
        *(_run(CLOCK, f"{mhz} MHz", target, MACHINE,
               **{"clock.sm_mhz": round(full * mhz / PAPER_MHZ, 1)}) for mhz in clocks),
        *(_run(OTHER, machine, target, machine) for machine in machines),
    )  # fmt: skip


def _run(kind: str, label: str, target: str, machine: str, **settings: Any) -> Run:
    return Run(kind, label, target, launch_times.wanted(target, machine, **settings))


def times(wanted: Sequence[Run], store: str | Path, workers: int, say: Say) -> dict[str, Row]:
    """The row of each run by its point's key, or the problem that it has instead."""
    points = list({run.point.key: run.point for run in wanted}.values())
    with suppress(SystemExit):  # runs that cannot be simulated have problems, told below
        launch_times.launch_times(points, store, workers, say)
    whole = Store(Path(store) if "://" not in str(store) else store).study(launch_times.STUDY)
    rows = whole.of_keys([point.key for point in points])
    return {p.key: _found(rows[p.key]) for p in points}


def _found(row: Any) -> Row:
    found: Row = row.facts["result"] if row.problem is None else {"problem": row.problem}
    return found


# Rows of the study: applications explored, other inputs counted, launches estimated.

STUDY = "benchmarks.gtpin"
VERSION = 2
"""One more where this file measures something else: it is not hashed."""
_EXECUTION = (
    "analyzer", "executor", "grammars", "warpmill/session/sampled_launches.py",
    "warpmill/session/runs.py",
)  # fmt: skip
_SOURCES = {
    "explored": (*_EXECUTION, "simulator/sampling", "warpmill/sampling"),
    "counted": _EXECUTION,
    "estimated": (
        *_EXECUTION, "simulator/estimate", "warpmill/sampling/runs.py",
        *(f"warpmill/session/{name}.py"
          for name in ("applications", "estimates", "registers", "traces")),
    ),
    "many": (*_EXECUTION[3:], "simulator/sampling"),
}  # fmt: skip


class Rows:
    """Measures rows, or finds those that are known; what cannot be is ``{"problem": words}``."""

    def __init__(self, store: str | Path, workers: int, say: Say) -> None:
        self._store, self._workers, self._say = store, workers, say

    def explored(self, cycles: Mapping[str, Sequence[float]]) -> dict[str, Row]:
        """Explore applications; ``cycles`` has those of each launch, by target."""
        digests = {
            t: sha256(canonical(list(own)).encode()).hexdigest() for t, own in cycles.items()
        }
        points = [_point("explored", target, cycles=own) for target, own in digests.items()]
        return self._of(points, partial(_evaluated, cycles=cycles))

    def counted(self, trials: Sequence[Run]) -> dict[str, Row]:
        """Count the launches of other data; ``trials`` are runs, one of each target."""
        return self._of([_point("counted", run.target, sizes=run.sizes) for run in trials])

    def estimated(self, targets: Sequence[str], machine: str) -> dict[str, Row]:
        """Estimate all launches of applications."""
        more = {"machine": machine, "machine_digest": load_machine(machine).digest}
        return self._of([_point("estimated", target, **more) for target in targets])

    def many(self, target: str) -> Row:
        """Time the choice among ten thousand launches."""
        return self._of([_point("many", target)])[target]

    def _of(
        self,
        points: Sequence[StudyPoint],
        evaluate: Callable[[Mapping[str, Any]], PointOutcome] | None = None,
    ) -> dict[str, Row]:
        if not points:
            return {}
        found = measured(STUDY, self._store, points, evaluate or _evaluated,
                         workers=self._workers, say=self._say)  # fmt: skip
        return {p.inputs["target"]: _found(row) for p, row in zip(points, found, strict=True)}


def _point(kind: str, target: str, **more: Any) -> StudyPoint:
    files = launch_times.wanted(target, MACHINE).inputs["files"]
    own = {"kind": kind, "target": target, "files": files, "sources": _sources(kind),
           "measuring": VERSION}  # fmt: skip
    return StudyPoint({**own, **more}, target)


@cache
def _sources(kind: str) -> str:
    return sources_digest(*_SOURCES[kind])


def _evaluated(
    inputs: Mapping[str, Any], cycles: Mapping[str, Sequence[float]] | None = None
) -> PointOutcome:
    target = inputs["target"]
    do: dict[str, Callable[[], Row]] = {
        "explored": lambda: explored_row(target, (cycles or {})[target]),
        "counted": lambda: _work_of(
            sampled_launches(target, None, LaunchOptions(sizes=inputs["sizes"])).launches
        ),
        "estimated": lambda: estimated(target, inputs["machine"]),
        "many": lambda: many(target),
    }
    return PointOutcome(facts={"result": do[inputs["kind"]]()})


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
    known: dict[Any, Row] = {}  # divisions are often alike
    return {
        **_work_of(launches),
        "profile_s": profiled - begin,
        "choice_s": {"one": chosen - profiled, "all": over - chosen},
        "combinations": [_combination(launches, cycles, one, known) for one in every],
    }


def _work_of(launches: Sequence[Any]) -> Row:
    """The kernel and the warp instructions of each launch."""
    names = list(dict.fromkeys(one.kernel for one in launches))
    numbers = {name: number for number, name in enumerate(names)}
    return {
        "kernels": names,
        "kernel_of": [numbers[one.kernel] for one in launches],
        "instructions": [one.warp_instructions for one in launches],
    }


def _combination(
    launches: Sequence[Any], cycles: Sequence[float], one: RatedSelection, known: dict[Any, Row]
) -> Row:
    selection = one.selection
    if (selection.units, one.feature) not in known:
        known[selection.units, one.feature] = _projected(launches, cycles, selection)
    return {
        "division": one.division,
        "feature": one.feature,
        "error": one.error,
        "share": one.sample_share,
        "picks": picks(selection),
        "projection": known[selection.units, one.feature],
    }


def picks(selection: Selection) -> list[list[Any]]:
    """The chosen intervals: first launch, the one behind the last, the ratio."""
    return [
        [selection.units[number].first, selection.units[number].end, stratum.weight]
        for stratum in selection.strata
        for number in stratum.chosen
    ]


def _projected(launches: Sequence[Any], cycles: Sequence[float], selection: Selection) -> Row:
    """Project the whole, and see whether its true cycles are in the interval: in percent."""
    by_unit = {n: sum(cycles[k] for k in selection.units[n].launches) for n in selection.chosen}
    found = project(selection, by_unit, features_of(launches, selection))
    true = sum(cycles)
    half, held = None, None
    if found.interval is not None:
        low, high = found.interval
        half = (high - low) / 2 / found.cycles * 100
        held = bool(low <= true <= high)
    return {"error": abs(found.cycles / true - 1.0) * 100, "half_width": half, "held": held}


def estimated(target: str, machine: str) -> Row:
    """Estimate all launches: cycles of each, how many were estimated, and the CPU seconds.

    As `sample --target-error` does: of each launch the traces of one round of CTAs are executed.
    """
    app, on = sampled_launches(target), load_machine(machine)
    begin = time.process_time()
    found = estimated_times(app, on, EXECUTED)
    spent = time.process_time() - begin
    return {"launch_cycles": list(found.cycles), "estimated": found.estimated, "cpu_s": spent}


def many(target: str, launches: int = MANY_LAUNCHES) -> Row:
    """The CPU seconds of each feature's clustering of so many launches, and of TBPoint's."""
    own = sampled_launches(target, ctas=True).launches
    repeated = zip(range(launches), own * -(-launches // len(own)), strict=False)
    made = [replace(one, number=number) for number, one in repeated]
    select(made[:50], "kernel", "BB")  # libraries load
    seconds = {name: _timed(partial(select, made, "kernel", name)) for name in FEATURES}
    return {"launches": len(made), "tbpoint_s": _timed(partial(inter_launch, made)),
            "gtpin_s": seconds, "slowest_s": max(seconds.values())}  # fmt: skip


def _timed(do: Callable[[], Any]) -> float:
    begin = time.process_time()
    do()
    return time.process_time() - begin
