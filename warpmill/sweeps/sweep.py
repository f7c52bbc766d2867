"""Sweeps: all configurations of a space measured, those known already taken from the store.

Points are measured by estimates, or by simulations of the whole GPU.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    UsageError,
    WarpmillError,
    is_limit,
    words_of,
)
from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.traces.source import StaticSource, TraceSource
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, RegisterSources
from warpmill.simulator.estimate.result import l2_hits
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import LIMITS, PointOutcome, StudyPoint, StudyRow
from warpmill.studies.options import MOST_POINTS
from warpmill.studies.places import kept_or_passing
from warpmill.studies.running import Progress, ProgressListener, run
from warpmill.studies.store import Store, Study
from warpmill.sweeps.figures import FIGURES, TIME, names_of
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig, launches_digest, on_machines, points_of
from warpmill.sweeps.space import Axis, Configuration, SweepSpace, Value, numbers_of


@dataclass
class SweepEvaluator:
    """Measures points by their configurations (an ``Evaluate``); may be sent to processes."""

    target: SweepTarget
    how: EvaluationConfig

    def __call__(self, inputs: Mapping[str, Any]) -> PointOutcome:
        """Measure a point. WarpmillErrors of the engine."""
        configuration: Configuration = inputs["configuration"]
        estimators = _Shared.of(self.target).estimators(inputs, self.how)
        machine = self.how.machine(configuration)
        if self.how.engine == "simulate":
            jobs = [one.job for one in estimators]
            return simulated(jobs, machine, self.how, inputs["registers"])
        return estimated(estimators, machine)


class _Shared:
    """State that points of one target share in a process: its kernels, the last's launches."""

    _kept: ClassVar[tuple[SweepTarget, _Shared] | None] = None

    def __init__(self, target: SweepTarget) -> None:
        self._target, self._launches = target, Launches(target)
        self._last: tuple[Any, tuple[Estimator, ...]] | None = None

    @classmethod
    def of(cls, target: SweepTarget) -> _Shared:
        if cls._kept is None or cls._kept[0] != target:
            cls._kept = target, cls(target)
        return cls._kept[1]

    def estimators(self, inputs: Mapping[str, Any], how: EvaluationConfig) -> tuple[Estimator, ...]:
        """The launches of a point, ready to be estimated. InputError: they have changed."""
        l2 = how.options.simulation.l2
        key = inputs["launches"], inputs["traces"], inputs["registers"], l2
        if self._last is None or self._last[0] != key:
            sources = RegisterSources(registers=inputs["registers"])
            made = (
                Estimator(
                    job,
                    registers=sources,
                    trace_options=how.options.trace,
                    options=EstimateOptions(l2=l2),
                )
                for job in self._jobs(inputs)
            )
            self._last = key, tuple(made)
        return self._last[1]

    def _jobs(self, inputs: Mapping[str, Any]) -> tuple[Job, ...]:
        """The launches that a point was made of; files may have changed in between."""
        jobs = self._launches.jobs(inputs["configuration"])
        if launches_digest(jobs) != inputs["launches"]:
            self._launches = Launches(self._target)
            jobs = self._launches.jobs(inputs["configuration"])
        if launches_digest(jobs) != inputs["launches"]:
            raise InputError(f"{self._target.path} has changed since the sweep began")
        return jobs


def estimated(estimators: Sequence[Estimator], machine: Machine) -> PointOutcome:
    """Estimate launches one after another; times and bytes add up, the rest is of the first."""
    found = [one.on(machine) for one in estimators]
    first, traffic = found[0], [t for one in found for t in one.traffic]
    figures = {
        "time_us": sum(one.time_us for one in found),
        "execution_us": sum(one.execution_us for one in found),
        "cycles": sum(one.cycles for one in found),
        "occupancy_fraction": first.occupancy.occupancy_fraction,
        "achieved_occupancy_fraction": first.achieved_occupancy_fraction,
        "ctas_per_sm": float(first.occupancy.ctas_per_sm),
        "waves": first.waves,
        "registers_per_thread": float(first.registers.registers_per_thread),
        "shared_bytes": float(first.shared_bytes),
        "l1_hit_fraction": first.l1_hit_fraction,
        "l2_hit_fraction": l2_hits(traffic),
        "l2_bytes": sum(t.l2_bytes for t in traffic),
        "dram_bytes": sum(t.dram_bytes for t in traffic),
    }
    known = {name: value for name, value in figures.items() if value is not None}
    assumed = sorted({text for one in found for text in one.assumptions})
    facts = {
        "bound": first.bound,
        "trace": first.trace,
        "registers_assumed": any(one.registers.assumed for one in found),
        "assumptions": assumed,
        "overruns": sorted({text for one in estimators for text in overruns_of(one.source)}),
    }
    return PointOutcome(known, facts | _launched([one.job for one in estimators]))


def overruns_of(source: TraceSource) -> tuple[str, ...]:
    """Accesses that leave their memory for certain; none where a kernel was executed for them."""
    return source.overruns if isinstance(source, StaticSource) else ()


def simulated(
    jobs: Sequence[Job], machine: Machine, how: EvaluationConfig, registers: int | None
) -> PointOutcome:
    """Simulate launches in a row on the whole GPU."""
    from warpmill.session import simulations  # noqa: PLC0415 - the engine is slow to load
    from warpmill.session.simulation_plans import plan  # noqa: PLC0415 - as above

    sources = RegisterSources(registers=registers)
    options = how.options
    made = plan(
        jobs,
        machine,
        options=options.simulation,
        registers=sources,
        trace_options=options.trace,
    )
    done = simulations.simulated(made).result
    figures = {name: getattr(done, name) for name in FIGURES["simulate"]}
    known = {name: float(value) for name, value in figures.items() if value is not None}
    facts = {
        "registers_assumed": any(count.assumed for count in made.registers),
        "sampled": done.sampled,
        "assumptions": sorted(done.assumptions),
    }
    return PointOutcome(known, facts | _launched(jobs))


def _launched(jobs: Sequence[Job]) -> dict[str, Any]:
    """Launch configuration: of several launches the first."""
    launch = jobs[0].required_launch()
    return {"grid": list(launch.grid), "block": list(launch.block), "launches": len(jobs)}


@dataclass(frozen=True)
class MeasuredConfiguration:
    """A configuration, and what came of it; ``problem`` where it has no figures.

    ``figures`` has those that are known, by name. ``number`` is its place in the space, from 0.
    ``rank`` is 1 for the best of those that it was ranked with; null where it was not, the figure
    is unknown, or memory out of bounds is accessed. ``times_fastest``: its time over the least of
    these. Of several launches in a row, ``launches`` of them, ``grid``, ``block`` and ``bound`` are
    of the first.
    """

    configuration: Mapping[str, Value]
    figures: Mapping[str, float]
    facts: Annotated[Mapping[str, Any], INTERNAL]
    problem: str | None = None
    number: Id = 0
    rank: Annotated[int | None, Metric("Rank")] = None
    times_fastest: Annotated[float | None, Metric("× fastest", mark=Mark.MODELLED)] = None

    @derived("Bound by")
    def bound(self) -> str | None:
        """Bound of its time."""
        return self.facts.get("bound")

    @derived("Trace")
    def trace(self) -> str | None:
        """Origin of its traces."""
        return self.facts.get("trace")

    @derived("Grid size", "CTA")
    def grid(self) -> list[int] | None:
        """CTAs in each direction."""
        return self.facts.get("grid")

    @derived("Block size")
    def block(self) -> list[int] | None:
        """Threads of a CTA in each direction."""
        return self.facts.get("block")

    @derived("Launches")
    def launches(self) -> int | None:
        """How many launches were made in a row."""
        return self.facts.get("launches")

    @derived("Sampled")
    def sampled(self) -> bool:
        """Whether a part was simulated and continued."""
        return bool(self.facts.get("sampled", False))

    @property
    def is_at_limit(self) -> bool:
        """Whether it has no figures because a limit was reached."""
        return self.problem is not None and LIMITS in self.facts

    def figure(self, name: str) -> float | None:
        """A figure, or the number that the configuration says; None: it is unknown."""
        own = self.configuration.get(name)
        if name not in self.figures and isinstance(own, float):
            return own
        return self.figures.get(name, numbers_of(self.configuration).get(name.replace(".", "_")))


@dataclass(frozen=True)
class Swept:
    """Result of a sweep: all configurations, in the order of the space.

    ``known`` of them were measured before, ``here`` by this sweep and ``elsewhere`` meanwhile by
    other processes on the same store. ``kernels`` are the names of those that are launched,
    ``sizes`` the axes that are sizes, ``remarks`` what was noticed while kernels were read.
    """

    target: SweepTarget
    how: EvaluationConfig
    space: SweepSpace
    rows: tuple[MeasuredConfiguration, ...]
    known: int
    seconds: float
    kernels: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()
    here: int = 0
    elsewhere: int = 0

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Axes of the sweep, the machines too where there is one alone."""
        return on_machines(self.space, self.how).axes

    @property
    def measured(self) -> tuple[MeasuredConfiguration, ...]:
        """Those that have figures, in the order of the space."""
        return tuple(row for row in self.rows if row.problem is None)

    @property
    def ranked(self) -> tuple[MeasuredConfiguration, ...]:
        """Those that may be the best: where others do not, none that leaves its memory for certain.

        That of a kernel which faults is no time.
        """
        sound = tuple(row for row in self.measured if not row.facts.get("overruns"))
        return sound or self.measured

    @property
    def failures(self) -> tuple[MeasuredConfiguration, ...]:
        """Those that have none, each with its reason."""
        return tuple(row for row in self.rows if row.problem is not None)

    def best(
        self, count: int, figure: str = TIME, *, largest: bool = False
    ) -> list[MeasuredConfiguration]:
        """The best configurations by a figure, the best first. UsageError: nobody has it."""
        ranked = [(value, row) for row, value in self._with(figure)]
        ranked.sort(key=lambda pair: pair[0], reverse=largest)
        return [row for _, row in ranked[:count]]

    def front(self, figure: str, *, largest: bool = False) -> list[MeasuredConfiguration]:
        """Pareto front in both time and a figure; the fastest first. UsageError."""
        both = [(row, row.figures[TIME], value) for row, value in self._with(figure)]
        chosen = pareto_front([(t, v) for _, t, v in both], (False, largest))
        return [both[n][0] for n in chosen]

    def _with(self, figure: str) -> list[tuple[MeasuredConfiguration, float]]:
        found = [(row, row.figure(figure)) for row in self.ranked]
        known = [(row, value) for row, value in found if value is not None]
        if not known and found:
            names = names_of(FIGURES[self.how.engine], self.space.axes)
            raise UsageError(
                f"no configuration has a figure `{figure}`; there are {', '.join(names)}"
            )
        return known


class SweepInterrupted(KeyboardInterrupt):
    """A sweep was interrupted when ``over`` of its ``all`` points were measured, or known."""

    def __init__(self, over: int, all_: int) -> None:
        super().__init__(f"{over:,} of {all_:,} configurations were measured")
        self.over, self.all = over, all_


def sweep(
    target: SweepTarget,
    space: SweepSpace,
    how: EvaluationConfig,
    *,
    store: str | Path | None = None,
    workers: int = 1,
    most: int = MOST_POINTS,
    retry: bool = False,
    told: ProgressListener | None = None,
) -> Swept:
    """Measure all configurations of a space. Without ``store`` nothing is kept.

    ``retry`` tries those again that could not be measured before. ``told`` hears first how many are
    known, then how far it is. UsageError and InputError for what cannot be varied or read,
    LimitError for more than ``most`` configurations; one that cannot be launched or measured has
    its reason instead. Interrupted by a KeyboardInterrupt.
    """
    begin = time.monotonic()
    target.check_processes(workers)
    launches = Launches(target)
    made = points_of(launches, space, how, most)
    with kept_or_passing(store) as place:
        study = Store(place).study(f"sweep of {target.path}"[:200])
        study.add(made.points)
        if retry:
            study.forget_failures()
        keys = list(dict.fromkeys(p.key for p in made.points))
        known = len(keys) - len(study.unfinished(keys))
        if told is not None:
            told(Progress(known, len(keys), 0, 0.0))
        rows: dict[str, StudyRow] = {}
        here = 0
        while len(rows) < len(keys):  # once, unless another process retries what failed
            here += _run(study, made.points, SweepEvaluator(target, how), workers, told)
            rows = study.of_keys(keys)
    measured = [_measured(rows[p.key], FIGURES[how.engine]) for p in made.points]
    measured += [_refused(configuration, error) for configuration, error in made.refused]
    return Swept(
        target,
        how,
        space,
        tuple(_in_order(measured, on_machines(space, how).axes)),
        known,
        time.monotonic() - begin,
        tuple(dict.fromkeys(demangle(job.kernel.name) for job in launches.base)),
        tuple(axis.name for axis in space.axes if launches.is_size(axis.name)),
        tuple(d for job in launches.base for d in job.loaded.diagnostics),
        here,
        max(0, len(keys) - known - here),
    )


def _run(
    study: Study,
    points: Sequence[StudyPoint],
    evaluate: SweepEvaluator,
    workers: int,
    told: ProgressListener | None,
) -> int:
    try:
        return run(study, points, evaluate, workers=workers, told=told)
    except KeyboardInterrupt:
        keys = list(dict.fromkeys(p.key for p in points))
        raise SweepInterrupted(len(keys) - len(study.unfinished(keys)), len(keys)) from None


def _in_order(
    rows: Sequence[MeasuredConfiguration], axes: Sequence[Axis]
) -> list[MeasuredConfiguration]:
    """Configurations in the order of the space; those that were refused come apart."""
    places = [(a.name, {value: n for n, value in enumerate(a.values)}) for a in axes]
    rows = sorted(rows, key=lambda row: [at[row.configuration[name]] for name, at in places])
    return [
        replace(
            row,
            configuration={axis.name: row.configuration[axis.name] for axis in axes},
            number=number,
        )
        for number, row in enumerate(rows)
    ]


def _measured(row: StudyRow, names: Sequence[str]) -> MeasuredConfiguration:
    figures = {name: row.figures[name] for name in names if name in row.figures}
    return MeasuredConfiguration(row.inputs["configuration"], figures, row.facts, row.problem)


def _refused(configuration: Mapping[str, Value], error: WarpmillError) -> MeasuredConfiguration:
    facts = {LIMITS: None} if is_limit(error) else {}
    return MeasuredConfiguration(configuration, {}, facts, words_of(error))


def spread(rows: Sequence[MeasuredConfiguration]) -> float | None:
    """Ratio of the slowest time to the fastest; None: there are none."""
    times = [row.figures[TIME] for row in rows]
    return max(times) / min(times) if times and min(times) > 0 else None


# What is best: the Pareto front of two figures or more.


def pareto_front(values: Sequence[Sequence[float]], largest: Sequence[bool] = ()) -> list[int]:
    """The places of the rows that no other row beats.

    One that does is as good in every column, and better in one.

    ``values`` are one row a point, smaller being better but in the columns that ``largest`` says.
    Rows come by the first column, the best first; of equal rows all are given.
    """
    if not len(values):
        return []
    table = np.asarray(values, np.float64)
    table[:, [bool(x) for x in largest] + [False] * (table.shape[1] - len(largest))] *= -1
    left = np.lexsort(table.T[::-1])
    front: list[int] = []
    while left.size:  # the first is beaten by none: what beats it would stand before it
        best = table[left[0]]
        front.append(int(left[0]))
        beaten = (table[left] >= best).all(axis=1) & (table[left] > best).any(axis=1)
        left = left[~beaten][1:]
    return front
