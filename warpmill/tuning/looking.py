"""A closer look at the best choices: they are executed, and simulated on the whole GPU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from warpmill.executor.fault_kinds import FaultKind
from warpmill.processes import in_processes
from warpmill.sweeps.launches import Target
from warpmill.sweeps.points import How
from warpmill.sweeps.space import Axis, Space, Value
from warpmill.sweeps.sweep import Measured, sweep
from warpmill.tuning.checking import FAULTS
from warpmill.tuning.choices import is_default, key_of
from warpmill.tuning.model import VARIANT, Choice, OnMachine, Running, Wanted
from warpmill.tuning.verdicts import Verdict


class Verdicts:
    """What executions told, by what is computed: on all machines it is the same."""

    def __init__(self, wanted: Wanted, own: Mapping[str, Value], running: Running) -> None:
        self._targets = {variant.name: variant.target for variant in wanted.variants}
        self._wanted, self._own, self._running = wanted, own, running
        self._known: dict[tuple[tuple[str, Value], ...], Verdict] = {}

    @property
    def are_asked(self) -> bool:
        """Whether anything is to be executed."""
        return self._wanted.checker is not None

    def look_at(self, one: OnMachine) -> None:
        """Execute choices, the best first, until so many are not wrong as were asked for."""
        if self._wanted.checker is None:
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
        checker = self._wanted.checker
        assert checker is not None
        target = self._targets[str(own.pop(VARIANT))]
        return checker.check(target, own, keep_grid=self._wanted.keep_grid and "grid" in own)

    def given(self, choice: Choice, default: Choice) -> Choice:
        """Give a choice with what is known of it: of its execution, or of its static traces.

        A run of the launch as it is tells more than traces do, one at smaller sizes less.
        """
        if is_default(choice.row.configuration, self._own, apart_from=("regs",)):
            return replace(choice, verdict=Verdict(True))
        known = self._known.get(key_of(choice.row.configuration))
        checker = self._wanted.checker
        is_whole = checker is not None and not checker.sizes
        if known is not None and (known.same is False or (known.same and is_whole)):
            return replace(choice, verdict=known)
        return replace(choice, verdict=overrunning(choice, default) or known)


def overrunning(choice: Choice, default: Choice) -> Verdict | None:
    """What static traces tell of a choice that leaves its memory for certain; None: nothing.

    Where the default does so, too, that says nothing of a choice.
    """
    found = choice.row.facts.get("overruns")
    if not found or default.row.facts.get("overruns"):
        return None
    return Verdict(False, FAULTS[FaultKind.OUT_OF_BOUNDS], f"{found[0].partition(';')[0]} (static)")


@dataclass(frozen=True)
class _Simulation:
    """A choice that is to be simulated: what takes part in it, to be sent to processes."""

    target: Target
    configuration: tuple[tuple[str, Value], ...]
    how: How
    store: str | Path | None
    retry: bool

    def run(self) -> Measured:
        space = Space(tuple(Axis(name, (value,)) for name, value in self.configuration))
        rows = sweep(self.target, space, self.how, store=self.store, retry=self.retry).rows
        return rows[0]


def simulated(
    machines: Sequence[OnMachine], wanted: Wanted, running: Running
) -> tuple[OnMachine, ...]:
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


def _asked(one: OnMachine, number: int) -> list[Choice]:
    """List the default, where it runs, and the best choices that are others."""
    if not one.choices:
        return []
    default = [one.default] if one.default.row.problem is None else []
    best = [choice for choice in one.choices[:number] if not choice.is_default]
    return [*default, *best]


def _simulation(
    choice: Choice, targets: Mapping[str, Target], wanted: Wanted, running: Running
) -> _Simulation:
    own = {k: v for k, v in choice.row.configuration.items() if k != VARIANT}
    machine = str(own.pop("machine"))
    how = replace(wanted.how, engine="simulate", machines=(machine,), options=wanted.simulation)
    target = targets[choice.variant]
    if choice.is_default:
        own = {}  # as it is written, whatever is varied
    return _Simulation(target, tuple(own.items()), how, running.store, running.retry)


def _all(tasks: Sequence[_Simulation], running: Running) -> list[Measured]:
    workers = min(running.workers, len(tasks))
    if workers <= 1:
        return _heard((task.run() for task in tasks), len(tasks), running)
    with in_processes(_Simulation.run, tasks, workers) as rows:
        return _heard(rows, len(tasks), running)


def _heard(rows: Iterable[Measured], number: int, running: Running) -> list[Measured]:
    found: list[Measured] = []
    if running.simulated is not None:
        running.simulated(0, number)
    for row in rows:
        found.append(row)
        if running.simulated is not None:
            running.simulated(len(found), number)
    return found


def _with(one: OnMachine, found: Sequence[Choice]) -> OnMachine:
    """Put simulated choices into their places: first by that time, then all others as they were."""
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


def key_of_row(row: Measured) -> tuple[tuple[str, Value], ...]:
    """Give what of a row tells it from others: all of its configuration."""
    return tuple(sorted(row.configuration.items()))
