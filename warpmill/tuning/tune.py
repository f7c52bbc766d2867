"""Fastest configuration of a launch on a machine, and by how much.

Choices are blocks, sizes that a kernel leaves open, and variants of its code. All are estimated or
simulated as a sweep; the best of them are executed, to see that they compute what the default does,
and may be simulated on the whole GPU, which is slower and nearer to silicon.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import none_answered
from warpmill.executor.native.layout import FaultKind
from warpmill.studies.processes import in_processes
from warpmill.sweeps.figures import TIME, Ranking
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace, Value
from warpmill.sweeps.summary import CommonChoice, common_choice
from warpmill.sweeps.sweep import MeasuredConfiguration, sweep
from warpmill.tuning.comparing import FAULTS
from warpmill.tuning.model import (
    VARIANT,
    Choice,
    MachineTuning,
    Running,
    Tuned,
    TuneRequest,
    axes_of,
    is_default,
    key_of,
    key_of_row,
    launches_of,
    of_default,
    spaces_of,
)
from warpmill.tuning.variants import Variant
from warpmill.tuning.verdicts import Verdict


def tune(wanted: TuneRequest, running: Running | None = None) -> Tuned:
    """Measure all choices, look at the best, and rank them.

    UsageError and InputError for what cannot be varied or read; InputError where nothing can be
    measured on any machine. LimitError for too many choices.
    """
    begin, running = time.monotonic(), running or Running()
    launches = launches_of(wanted.variants)
    spaces = spaces_of(wanted, launches, running.most)
    if wanted.comparer is not None:
        for variant in wanted.variants:
            wanted.comparer.prepare(variant.target, spaces[variant.name])
    axes = axes_of(wanted, spaces)
    base = wanted.variants[0]
    default = of_default(launches[base.name], base.name)
    rows, known = _measured(wanted, spaces, running)
    _refuse_empty(rows, wanted)
    defaults, known_too = _defaults(base, rows, default, wanted, running)
    own = {axis.name: default[axis.name] for axis in axes if axis.name in default}
    ranked = [
        _on_machine(m, rows, _as_written(defaults[m], own), default) for m in wanted.how.machines
    ]
    verdicts = Verdicts(wanted, default, running)
    machines, common = _looked_at(ranked, verdicts, axes)
    if wanted.refine:
        machines = simulated(machines, wanted, running)
        rows = _simulated_rows(machines) if verdicts.are_asked else []
        common = common_choice(rows, axes, ("machine",), Ranking())
    return Tuned(
        wanted,
        launches[base.name].base,
        axes,
        own,
        tuple(axis.name for axis in axes if _is_size(axis, launches[base.name])),
        tuple(one.ranked for one in machines),
        common,
        0 if wanted.comparer is None else wanted.comparer.runs,
        known + known_too,
        time.monotonic() - begin,
    )


def _simulated_rows(machines: Sequence[MachineTuning]) -> list[MeasuredConfiguration]:
    """Choices with the figures of the whole-GPU model, where it has said some."""
    return [
        replace(choice.row, figures=choice.simulated.figures)
        for one in machines
        for choice in one.choices
        if choice.simulated is not None and choice.is_simulated and choice.is_compared
    ]


def _is_size(axis: Axis, launches: Launches) -> bool:
    return axis.name not in (VARIANT, "machine") and launches.is_size(axis.name)


def _measured(
    wanted: TuneRequest, spaces: Mapping[str, SweepSpace], running: Running
) -> tuple[list[MeasuredConfiguration], int]:
    """Measure all choices of all variants; their names go into the configurations."""
    rows, known = [], 0
    for variant in wanted.variants:
        found, known_too = _swept(variant, spaces[variant.name], wanted, running)
        known += known_too
        rows += found
    return rows, known


def _swept(
    variant: Variant, space: SweepSpace, wanted: TuneRequest, running: Running
) -> tuple[list[MeasuredConfiguration], int]:
    if running.begun is not None:
        running.begun(variant.name)
    found = sweep(
        variant.target,
        space,
        wanted.how,
        store=running.store,
        workers=running.workers,
        most=running.most,
        retry=running.retry,
        told=running.told,
    )
    rows = [
        replace(row, configuration={VARIANT: variant.name, **row.configuration})
        for row in found.rows
    ]
    return rows, found.known


def _refuse_empty(rows: Sequence[MeasuredConfiguration], wanted: TuneRequest) -> None:
    if any(row.problem is None for row in rows):
        return
    reasons = dict.fromkeys(row.problem or "" for row in rows)
    said = "; ".join(list(reasons)[:5])
    path = wanted.variants[0].target.path
    words = f"{path}: none of {len(rows):,} choices could be measured: {said}"
    raise none_answered((row.is_at_limit for row in rows), words)


def _defaults(
    base: Variant,
    rows: Sequence[MeasuredConfiguration],
    own: Mapping[str, Value],
    wanted: TuneRequest,
    running: Running,
) -> tuple[dict[str, MeasuredConfiguration], int]:
    """The launch as it is written, by machine; it is measured where it is no choice."""
    found = {_machine(row): row for row in reversed(rows) if is_default(row.configuration, own)}
    if all(machine in found for machine in wanted.how.machines):
        return found, 0
    measured, known = _swept(base, SweepSpace(()), wanted, running)
    return {_machine(row): row for row in measured}, known


def _as_written(row: MeasuredConfiguration, own: Mapping[str, Value]) -> MeasuredConfiguration:
    """The default, saying what it has of what is varied."""
    return replace(row, configuration={**own, **row.configuration})


def _machine(row: MeasuredConfiguration) -> str:
    return str(row.configuration["machine"])


def _on_machine(
    machine: str,
    rows: Sequence[MeasuredConfiguration],
    default: MeasuredConfiguration,
    own: Mapping[str, Value],
) -> MachineTuning:
    """Rank what was measured on a machine; of equal times the default comes first."""
    there = [row for row in rows if _machine(row) == machine]
    ranked = [
        Choice(row, is_default(row.configuration, own)) for row in there if row.problem is None
    ]
    ranked.sort(key=lambda choice: (choice.row.figures[TIME], not choice.is_default))
    failures = tuple(row for row in there if row.problem is not None)
    return MachineTuning(machine, Choice(default, is_default=True), tuple(ranked), (), failures)


def _looked_at(
    ranked: Sequence[MachineTuning], verdicts: Verdicts, axes: Sequence[Axis]
) -> tuple[Sequence[MachineTuning], CommonChoice | None]:
    """Execute the best choices of each machine, and the one that is best over all of them.

    That one is among those that may be recommended: none where nothing is executed.
    """
    for one in ranked:
        verdicts.look_at(one)
    while True:  # each time one more is known; at last the best over all is, or there is none
        parted = [_parted(one, verdicts, axes) for one in ranked]
        if not verdicts.are_asked:
            return parted, None
        rows = [c.row for one in parted for c in one.choices if c.is_compared or c.verdict is None]
        common = common_choice(rows, axes, ("machine",), Ranking())
        if common is None:
            return parted, common
        named = _named(common, parted)
        if named.verdict is not None:
            return parted, common
        verdicts.of(named)


def _named(common: CommonChoice, parted: Sequence[MachineTuning]) -> Choice:
    return next(
        choice
        for one in parted
        for choice in one.choices
        if all(choice.row.configuration[name] == value for name, value in common.choice.items())
    )


def _parted(one: MachineTuning, verdicts: Verdicts, axes: Sequence[Axis]) -> MachineTuning:
    """Set those apart that compute something else, in the order of the axes."""
    every = [verdicts.given(choice, one.default) for choice in one.choices]
    wrong = [c for c in every if c.verdict is not None and c.verdict.same is False]
    right = [c for c in every if c.verdict is None or c.verdict.same is not False]
    there = [axis for axis in axes if axis.name in (wrong[0].row.configuration if wrong else ())]

    def place(choice: Choice) -> list[int]:
        return [axis.values.index(choice.row.configuration[axis.name]) for axis in there]

    wrong.sort(key=place)
    default = verdicts.given(one.default, one.default)
    return replace(one, default=default, choices=tuple(right), different=tuple(wrong))


# A closer look at the best choices: they are executed, and simulated on the whole GPU.


class Verdicts:
    """Verdicts of executions, by what is computed: on all machines it is the same."""

    def __init__(self, wanted: TuneRequest, own: Mapping[str, Value], running: Running) -> None:
        self._targets = {variant.name: variant.target for variant in wanted.variants}
        self._wanted, self._own, self._running = wanted, own, running
        self._known: dict[tuple[tuple[str, Value], ...], Verdict] = {}

    @property
    def are_asked(self) -> bool:
        """Whether anything is to be executed."""
        return self._wanted.comparer is not None

    def look_at(self, one: MachineTuning) -> None:
        """Execute choices, the best first, until so many are not wrong as were asked for."""
        if self._wanted.comparer is None:
            return
        if self._running.executed is not None:
            self._running.executed(len(self._known))
        fine = 0
        for choice in one.choices:
            if fine == self._wanted.top:
                return
            self.of(choice)
            verdict = self.given(choice, one.default).verdict
            fine += verdict is None or verdict.same is not False

    def of(self, choice: Choice) -> Verdict:
        """Execute a choice where that was not done yet. What the default computes is right."""
        configuration = choice.row.configuration
        if is_default(configuration, self._own, apart_from=("regs",)):
            return Verdict(True)
        key = key_of(configuration)
        if key not in self._known:
            self._known[key] = self._executed(dict(key))
            if self._running.executed is not None:
                self._running.executed(len(self._known))
        return self._known[key]

    def _executed(self, own: dict[str, Value]) -> Verdict:
        comparer = self._wanted.comparer
        assert comparer is not None
        target = self._targets[str(own.pop(VARIANT))]
        return comparer.compare(target, own, keep_grid=self._wanted.keep_grid and "grid" in own)

    def given(self, choice: Choice, default: Choice) -> Choice:
        """A choice with what is known of it: of its execution, or of its static traces.

        A run of the launch as it is tells more than traces do, one at smaller sizes less.
        """
        if is_default(choice.row.configuration, self._own, apart_from=("regs",)):
            return replace(choice, verdict=Verdict(True))
        known = self._known.get(key_of(choice.row.configuration))
        comparer = self._wanted.comparer
        is_whole = comparer is not None and not comparer.sizes
        if known is not None and (known.same is False or (known.same and is_whole)):
            return replace(choice, verdict=known)
        return replace(choice, verdict=overrunning(choice, default) or known)


def overrunning(choice: Choice, default: Choice) -> Verdict | None:
    """Verdict on a choice that leaves its memory for certain, by static traces; None: none.

    Where the default does so, too, that says nothing of a choice.
    """
    found = choice.row.facts.get("overruns")
    if not found or default.row.facts.get("overruns"):
        return None
    return Verdict(False, FAULTS[FaultKind.OUT_OF_BOUNDS], f"{found[0].partition(';')[0]} (static)")


@dataclass(frozen=True)
class _Simulation:
    """A choice that is to be simulated: what takes part in it, to be sent to processes."""

    target: SweepTarget
    configuration: tuple[tuple[str, Value], ...]
    how: EvaluationConfig
    store: str | Path | None
    retry: bool

    def run(self) -> MeasuredConfiguration:
        space = SweepSpace(tuple(Axis(name, (value,)) for name, value in self.configuration))
        rows = sweep(self.target, space, self.how, store=self.store, retry=self.retry).rows
        return rows[0]


def simulated(
    machines: Sequence[MachineTuning], wanted: TuneRequest, running: Running
) -> tuple[MachineTuning, ...]:
    """Simulate the default and the best choices of each machine; these come first then.

    One that cannot be simulated keeps its place behind them, with the reason.
    """
    asked = [_asked(one, wanted.refine) for one in machines]
    every = [choice for part in asked for choice in part]
    targets = {variant.name: variant.target for variant in wanted.variants}
    tasks = [_simulation(choice, targets, wanted, running) for choice in every]
    found = iter(_all(tasks, running))
    return tuple(
        _with(one, [replace(choice, simulated=next(found)) for choice in part])
        for one, part in zip(machines, asked, strict=True)
    )


def _asked(one: MachineTuning, number: int) -> list[Choice]:
    """The default, where it runs, and the best choices that are others."""
    if not one.choices:
        return []
    default = [one.default] if one.default.row.problem is None else []
    best = [choice for choice in one.choices[:number] if not choice.is_default]
    return [*default, *best]


def _simulation(
    choice: Choice, targets: Mapping[str, SweepTarget], wanted: TuneRequest, running: Running
) -> _Simulation:
    own = {k: v for k, v in choice.row.configuration.items() if k != VARIANT}
    machine = str(own.pop("machine"))
    options = replace(wanted.how.options, engine="simulate")
    how = replace(wanted.how, options=options, machines=(machine,))
    target = targets[choice.variant]
    if choice.is_default:
        own = {}  # as it is written, whatever is varied
    return _Simulation(target, tuple(own.items()), how, running.store, running.retry)


def _all(tasks: Sequence[_Simulation], running: Running) -> list[MeasuredConfiguration]:
    workers = min(running.workers, len(tasks))
    if workers <= 1:
        return _heard((task.run() for task in tasks), len(tasks), running)
    with in_processes(_Simulation.run, tasks, workers) as rows:
        return _heard(rows, len(tasks), running)


def _heard(
    rows: Iterable[MeasuredConfiguration], number: int, running: Running
) -> list[MeasuredConfiguration]:
    found: list[MeasuredConfiguration] = []
    if running.simulated is not None:
        running.simulated(0, number)
    for row in rows:
        found.append(row)
        if running.simulated is not None:
            running.simulated(len(found), number)
    return found


def _with(one: MachineTuning, found: Sequence[Choice]) -> MachineTuning:
    """Choices with the simulated ones in their places: first by that time, then the others."""
    if not found:
        return one
    named = {key_of_row(choice.row): choice for choice in found}
    choices = [named.get(key_of_row(choice.row), choice) for choice in one.choices]
    default = named.get(key_of_row(one.default.row), one.default)
    choices = [
        replace(default, verdict=choice.verdict) if choice.is_default else choice
        for choice in choices
    ]
    first = sorted(
        (choice for choice in choices if choice.is_simulated),
        key=lambda choice: (choice.microseconds or 0.0, not choice.is_default),
    )
    rest = [choice for choice in choices if not choice.is_simulated]
    return replace(one, default=default, choices=(*first, *rest))
