"""Which configuration of a launch is the fastest on a machine, and by how much.

Choices are blocks, sizes that a kernel leaves open, and variants of its code. All are estimated or
simulated as a sweep; the best of them are executed, to see that they compute what the default does,
and may be simulated on the whole GPU, which is slower and nearer to silicon.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from warpmill.analyzer.base.diagnostics import none_answered
from warpmill.sweeps.figures import TIME, Ranking
from warpmill.sweeps.launches import Launches
from warpmill.sweeps.space import Axis, Space, Value
from warpmill.sweeps.summary import CommonChoice, common_choice
from warpmill.sweeps.sweep import Measured, sweep
from warpmill.tuning.choices import (
    axes_of,
    is_default,
    launches_of,
    of_default,
    spaces_of,
)
from warpmill.tuning.looking import Verdicts, simulated
from warpmill.tuning.model import VARIANT, Choice, OnMachine, Running, Tuned, Wanted
from warpmill.tuning.variants import Variant


def tune(wanted: Wanted, running: Running | None = None) -> Tuned:
    """Measure all choices, look at the best, and rank them.

    UsageError and InputError for what cannot be varied or read; InputError where nothing can be
    measured on any machine. LimitError for too many choices.
    """
    begin, running = time.monotonic(), running or Running()
    launches = launches_of(wanted.variants)
    spaces = spaces_of(wanted, launches, running.most)
    if wanted.checker is not None:
        for variant in wanted.variants:
            wanted.checker.prepare(variant.target, spaces[variant.name])
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
        tuple(machines),
        common,
        0 if wanted.checker is None else wanted.checker.runs,
        known + known_too,
        time.monotonic() - begin,
    )


def _simulated_rows(machines: Sequence[OnMachine]) -> list[Measured]:
    """Give choices with the figures of the whole-GPU model, where it has said some."""
    return [
        replace(choice.row, figures=choice.simulated.figures)
        for one in machines
        for choice in one.choices
        if choice.simulated is not None and choice.is_simulated and choice.is_checked
    ]


def _is_size(axis: Axis, launches: Launches) -> bool:
    return axis.name not in (VARIANT, "machine") and launches.is_size(axis.name)


def _measured(
    wanted: Wanted, spaces: Mapping[str, Space], running: Running
) -> tuple[list[Measured], int]:
    """Measure all choices of all variants; their names go into the configurations."""
    rows, known = [], 0
    for variant in wanted.variants:
        found, known_too = _swept(variant, spaces[variant.name], wanted, running)
        known += known_too
        rows += found
    return rows, known


def _swept(
    variant: Variant, space: Space, wanted: Wanted, running: Running
) -> tuple[list[Measured], int]:
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


def _refuse_empty(rows: Sequence[Measured], wanted: Wanted) -> None:
    if any(row.problem is None for row in rows):
        return
    reasons = dict.fromkeys(row.problem or "" for row in rows)
    said = "; ".join(list(reasons)[:5])
    path = wanted.variants[0].target.path
    words = f"{path}: none of {len(rows):,} choices could be measured: {said}"
    raise none_answered((row.is_at_limit for row in rows), words)


def _defaults(
    base: Variant,
    rows: Sequence[Measured],
    own: Mapping[str, Value],
    wanted: Wanted,
    running: Running,
) -> tuple[dict[str, Measured], int]:
    """Give the launch as it is written, by machine; it is measured where it is no choice."""
    found = {_machine(row): row for row in reversed(rows) if is_default(row.configuration, own)}
    if all(machine in found for machine in wanted.how.machines):
        return found, 0
    measured, known = _swept(base, Space(()), wanted, running)
    return {_machine(row): row for row in measured}, known


def _as_written(row: Measured, own: Mapping[str, Value]) -> Measured:
    """Let the default say what it has of what is varied."""
    return replace(row, configuration={**own, **row.configuration})


def _machine(row: Measured) -> str:
    return str(row.configuration["machine"])


def _on_machine(
    machine: str, rows: Sequence[Measured], default: Measured, own: Mapping[str, Value]
) -> OnMachine:
    """Rank what was measured on a machine; of equal times the default comes first."""
    there = [row for row in rows if _machine(row) == machine]
    ranked = [
        Choice(row, is_default(row.configuration, own)) for row in there if row.problem is None
    ]
    ranked.sort(key=lambda choice: (choice.row.figures[TIME], not choice.is_default))
    failures = tuple(row for row in there if row.problem is not None)
    return OnMachine(machine, Choice(default, is_default=True), tuple(ranked), (), failures)


def _looked_at(
    ranked: Sequence[OnMachine], verdicts: Verdicts, axes: Sequence[Axis]
) -> tuple[Sequence[OnMachine], CommonChoice | None]:
    """Execute the best choices of each machine, and the one that is best over all of them.

    That one is among those that may be recommended: none where nothing is executed.
    """
    for one in ranked:
        verdicts.look_at(one)
    while True:  # each time one more is known; at last the best over all is, or there is none
        parted = [_parted(one, verdicts, axes) for one in ranked]
        if not verdicts.are_asked:
            return parted, None
        rows = [c.row for one in parted for c in one.choices if c.is_checked or c.verdict is None]
        common = common_choice(rows, axes, ("machine",), Ranking())
        if common is None:
            return parted, common
        named = _named(common, parted)
        if named.verdict is not None:
            return parted, common
        verdicts.of(named)


def _named(common: CommonChoice, parted: Sequence[OnMachine]) -> Choice:
    return next(
        choice
        for one in parted
        for choice in one.choices
        if all(choice.row.configuration[name] == value for name, value in common.choice.items())
    )


def _parted(one: OnMachine, verdicts: Verdicts, axes: Sequence[Axis]) -> OnMachine:
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
