"""Summary of a sweep's rows: the best of each machine, the effect of each axis, reasons.

Some axes are given and others chosen: nobody chooses the size of a problem, or the machine. The
best block is asked for on each machine and for each size, and whether one block will do for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.simulator.machines.schema import schema
from warpmill.sweeps.figures import FIGURES, METRICS, TIME, Ranking
from warpmill.sweeps.launches import OF_LAUNCHES
from warpmill.sweeps.space import Axis, AxisKind, Value
from warpmill.sweeps.sweep import MeasuredConfiguration

MACHINE = "machine"


def kind_of(name: str, sizes: Sequence[str]) -> AxisKind:
    """Kind of an axis: a size, the launch, the machine or one of its values, registers."""
    if name in sizes:
        return "size"
    if name in OF_LAUNCHES:
        return "launch"
    if name == MACHINE:
        return "machine"
    return "machine value" if name in schema().keys else "registers"


def with_kinds(axes: Sequence[Axis], sizes: Sequence[str]) -> tuple[Axis, ...]:
    """Axes that say what they vary; ``sizes`` are the names of the launch's sizes."""
    return tuple(replace(axis, kind=kind_of(axis.name, sizes)) for axis in axes)


def with_ranks(
    rows: Sequence[MeasuredConfiguration],
    sound: Sequence[MeasuredConfiguration],
    ranking: Ranking,
) -> tuple[MeasuredConfiguration, ...]:
    """Rows that say their rank among those that are ``sound``, and how far they are behind."""
    ranks = {row.number: rank for rank, row in enumerate(ranked_by(sound, ranking), start=1)}
    fastest = min((row.figures[TIME] for row in sound), default=0.0)
    return tuple(
        replace(
            row,
            rank=ranks.get(row.number),
            times_fastest=row.figures[TIME] / fastest if row.figures and fastest > 0 else None,
        )
        for row in rows
    )


REGISTERS = "the registers of a thread are assumed: --regs says them"
"""Assumption of a row whose registers no source states for its machine."""


def assumptions_of(row: MeasuredConfiguration) -> list[str]:
    """Assumptions of a row's figures."""
    texts = list(row.facts.get("assumptions", ()))
    return [*texts, REGISTERS] if row.facts.get("registers_assumed") else texts


_BY_REGISTERS = ("occupancy_fraction", "ctas_per_sm", "registers_per_thread")


def metrics_of(engine: str, rows: Sequence[MeasuredConfiguration]) -> dict[str, Metric]:
    """Label of each figure of an engine, and its mark over all rows together.

    What an SM holds follows from the registers; all else the model says.
    """
    assumed = any(row.facts.get("registers_assumed") for row in rows)
    by_registers = Mark.ASSUMED if assumed else Mark.EXACT
    marks: dict[str, Mark] = {}
    if engine == "estimate":
        marks = {**dict.fromkeys(_BY_REGISTERS, by_registers), "shared_bytes": Mark.EXACT}
    return {
        name: replace(METRICS[name], mark=marks.get(name, Mark.MODELLED))
        for name in FIGURES[engine]
    }


def varied(axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """The axes that have more than one value."""
    return tuple(axis for axis in axes if len(axis.values) > 1)


def given_names(axes: Sequence[Axis], sizes: Sequence[str]) -> tuple[str, ...]:
    """The names of axes that are given: machines first, their values, sizes. The others are chosen.

    Where nothing is left to be chosen, the machine alone is given.
    """
    there = [axis.name for axis in varied(axes)]
    kinds = {name: kind_of(name, sizes) for name in there}
    machines = [name for name in there if name == MACHINE]
    others = [name for name in there if kinds[name] in {"size", "machine value"}]
    chosen = len(there) - len(machines) - len(others)
    return (*machines, *others) if chosen else tuple(machines)


@dataclass(frozen=True)
class Best:
    """The best configuration of those in which some axes have the values of ``of``.

    ``worst_ratio`` says by how many times the worst of these ``rows`` is worse; null: there is no
    such. ``row`` is the number of the best.
    """

    of: Mapping[str, Value]
    best: Annotated[MeasuredConfiguration, INTERNAL]
    rows: int
    worst_ratio: Annotated[float | None, Metric("Worst, × best")]

    @derived("Number")
    def row(self) -> Id:
        """The number of the best."""
        return self.best.number


def best_of_each(
    rows: Sequence[MeasuredConfiguration], names: Sequence[str], ranking: Ranking
) -> tuple[Best, ...]:
    """The best configuration for each combination of the values of some axes."""
    return tuple(
        Best(of, ranked[0], len(ranked), times_worse(ranked[0], ranked[-1], ranking))
        for of, ranked in _each(rows, names, ranking)
    )


def _each(
    rows: Sequence[MeasuredConfiguration], names: Sequence[str], ranking: Ranking
) -> list[tuple[dict[str, Value], list[MeasuredConfiguration]]]:
    """Measured rows by the values of some axes; the best come first in each part."""
    parts: dict[tuple[Value, ...], list[MeasuredConfiguration]] = {}
    for row in ranked_by(rows, ranking):
        parts.setdefault(tuple(row.configuration[name] for name in names), []).append(row)
    places = [_places(rows, name) for name in names]
    there = sorted(parts, key=lambda key: [at[v] for at, v in zip(places, key, strict=True)])
    return [(dict(zip(names, key, strict=True)), parts[key]) for key in there]


def _places(rows: Sequence[MeasuredConfiguration], name: str) -> dict[Value, int]:
    """The order in which the values of an axis come."""
    values = dict.fromkeys(row.configuration[name] for row in rows)
    return {value: place for place, value in enumerate(values)}


def _keys(
    rows: Sequence[MeasuredConfiguration], names: Sequence[str]
) -> dict[tuple[Value, ...], None]:
    return dict.fromkeys(tuple(row.configuration[name] for name in names) for row in rows)


def ranked_by(
    rows: Sequence[MeasuredConfiguration], ranking: Ranking
) -> list[MeasuredConfiguration]:
    """The rows that have a figure, the best first; equal ones in their order."""
    known = [(row.figure(ranking.figure), row) for row in rows if row.problem is None]
    found = [(value, row) for value, row in known if value is not None]
    found.sort(key=lambda pair: pair[0], reverse=ranking.larger_is_better)
    return [row for _, row in found]


def times_worse(
    best: MeasuredConfiguration, other: MeasuredConfiguration, ranking: Ranking
) -> float | None:
    """Factor by which another row is worse than the best; None where one is 0 or below."""
    first, second = best.figure(ranking.figure), other.figure(ranking.figure)
    if first is None or second is None or min(first, second) <= 0:
        return None
    return first / second if ranking.larger_is_better else second / first


@dataclass(frozen=True)
class CommonChoice:
    """The one choice that loses least wherever one has to be made, in ``parts`` of them.

    ``geometric_mean_ratio`` is of how many times worse than the best it is in each of them;
    ``worst_ratio`` the largest, in ``worst_of``.
    """

    choice: Mapping[str, Value]
    parts: int
    geometric_mean_ratio: float
    worst_ratio: float
    worst_of: Mapping[str, Value]


def common_choice(
    rows: Sequence[MeasuredConfiguration],
    axes: Sequence[Axis],
    names: Sequence[str],
    ranking: Ranking,
) -> CommonChoice | None:
    """The choice that is best where one is made for all values of the axes ``names``.

    None where nothing is to be chosen or there is one part alone, or where no choice has the figure
    in all of them.
    """
    chosen = tuple(axis.name for axis in varied(axes) if axis.name not in names)
    parts = _each(rows, names, ranking)
    if len(parts) < 2 or not chosen:
        return None
    losses: dict[tuple[Value, ...], list[tuple[float, int]]] = {}
    for number, (_, ranked) in enumerate(parts):
        for row in ranked:
            loss = times_worse(ranked[0], row, ranking)
            if loss is not None:
                key = tuple(row.configuration[name] for name in chosen)
                losses.setdefault(key, []).append((loss, number))
    everywhere = {key: found for key, found in losses.items() if len(found) == len(parts)}
    if not everywhere:
        return None
    ratios = {key: _geometric_mean([x for x, _ in found]) for key, found in everywhere.items()}
    order = {key: n for n, key in enumerate(_keys(rows, chosen))}
    key = min(ratios, key=lambda key: (ratios[key], order[key]))
    worst, where = max(everywhere[key], key=lambda pair: pair[0])
    choice = dict(zip(chosen, key, strict=True))
    return CommonChoice(choice, len(parts), ratios[key], worst, parts[where][0])


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


@dataclass(frozen=True)
class Effect:
    """Effect of an axis' value on the time, in groups of rows that differ in the axis alone.

    ``geometric_mean_ratio`` is of time over that of the axis' best value; ``best_in`` counts the
    ``groups`` in which the value is the best.
    """

    axis: Annotated[str, Metric("Axis")]
    value: Annotated[Value, Metric("Value")]
    geometric_mean_ratio: Annotated[float, Metric("× best", mark=Mark.MODELLED)]
    best_in: Annotated[int, Metric("Best in", mark=Mark.MODELLED)]
    groups: Annotated[int, Metric("Of", mark=Mark.EXACT)]


def effects(rows: Sequence[MeasuredConfiguration], axes: Sequence[Axis]) -> tuple[Effect, ...]:
    """Effect of each value of each varied axis on the time.

    A value that is nowhere measured beside another one is left out.
    """
    there = varied(axes)
    return tuple(
        effect
        for axis in there
        for effect in _of_axis(rows, axis, [a.name for a in there if a is not axis])
    )


def _of_axis(
    rows: Sequence[MeasuredConfiguration], axis: Axis, others: Sequence[str]
) -> list[Effect]:
    groups: dict[tuple[Value, ...], dict[Value, float]] = {}
    for row in rows:
        time = row.figures.get(TIME, 0.0)
        if row.problem is None and time > 0:
            key = tuple(row.configuration[name] for name in others)
            groups.setdefault(key, {})[row.configuration[axis.name]] = time
    ratios: dict[Value, list[float]] = {}
    for times in groups.values():
        if len(times) > 1:
            best = min(times.values())
            for value, time in times.items():
                ratios.setdefault(value, []).append(time / best)
    return [
        Effect(
            axis.name,
            value,
            _geometric_mean(ratios[value]),
            sum(ratio == 1.0 for ratio in ratios[value]),
            len(ratios[value]),
        )
        for value in axis.values
        if value in ratios
    ]


def grouped(
    rows: Sequence[MeasuredConfiguration], said: Callable[[MeasuredConfiguration], Sequence[str]]
) -> dict[str, list[int]]:
    """The places of the rows of which the same is said, most rows first."""
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for text in said(row):
            places.setdefault(text, []).append(place)
    return dict(sorted(places.items(), key=lambda pair: -len(pair[1])))
