"""Charts of ``sweep``: the figure that ranks over one axis, two, or all configurations; fronts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from warpmill.analyzer.base.metric import Metric
from warpmill.commands.sweep.page_parts import BEST, HeatPlane, configuration, plane_of, varied
from warpmill.commands.sweep.plot import key_of, ordered
from warpmill.commands.sweep.result import Front, SweepReport
from warpmill.report.charts import (
    Axis,
    BarChart,
    Chart,
    HeatChart,
    Point,
    PointSeries,
    Series,
    XyChart,
    axis_of,
)
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.space import Value
from warpmill.sweeps.summary import MACHINE, times_worse
from warpmill.sweeps.sweep import MeasuredConfiguration

_MOST_HEATS = 6
"""Machines that have a heat chart each."""

_LONG_AXIS = 12
"""Values of an axis beyond which their effects are left out."""


def charts(report: SweepReport) -> Iterator[Chart]:
    """The charts of a sweep: of ranked rows alone, as those that fault have no time."""
    if len(report.ranked) < 2:
        return
    drawn = _Drawn(report)
    yield from drawn.over_axes()
    if len(drawn.axes) > 1:
        yield from _effects(report)
    for front in report.fronts:
        if front.found:
            yield drawn.front(front)


class _Drawn:
    """What the charts of a sweep have in common: rows by machine, the figure, the best."""

    def __init__(self, report: SweepReport) -> None:
        self.report, self.rows = report, report.ranked
        asked = report.ranked_by.figure
        self.name = asked if asked in report.figures else TIME
        self.metric: Metric = report.figures[self.name]
        self.varied = varied(report.axes)
        self.axes = [a for a in report.axes if a.name in self.varied and a.name != MACHINE]
        self.by_machine: dict[str, list[MeasuredConfiguration]] = {}
        for axis in report.axes:
            if axis.name == MACHINE:
                self.by_machine = {str(name): [] for name in axis.values}
        for row in self.rows:
            self.by_machine[str(row.configuration[MACHINE])].append(row)
        self.by_machine = {name: rows for name, rows in self.by_machine.items() if rows}
        self.best = {self.part(one.best): one.best for one in report.best_of_each}
        self.marked = [one.best for one in report.best_of_each if one.rows > 1]
        if not report.best_of_each:
            self.best = {(): self.rows[0]}
            self.marked = self.rows[:1]
        if all(axis.kind == "size" for axis in self.axes):  # nothing is chosen
            self.marked = []

    def part(self, row: MeasuredConfiguration) -> tuple[Value, ...]:
        """The values of the axes that nobody chooses: a row is compared with others of these."""
        return tuple(row.configuration[name] for name in self.report.given)

    def value(self, row: MeasuredConfiguration) -> float:
        return row.figures[self.name]

    def over_axes(self) -> Iterator[Chart]:
        """The figure over what is varied besides the machine."""
        given_first = sorted(self.axes, key=lambda axis: axis.name not in self.report.given)
        plane = plane_of(given_first)
        if plane is not None and len(self.by_machine) <= _MOST_HEATS:
            yield from (self._heat(plane, *each) for each in self.by_machine.items())
        elif len(self.axes) == 1 and not any(isinstance(v, str) for v in self.axes[0].values):
            (axis,) = self.axes
            title = f"{self.metric.label} over {axis.name}"
            along = {row.number: float(row.configuration[axis.name]) for row in self.rows}
            yield self._lines(title, axis_of(axis.name, along.values(), base=2), along)
        elif len(self.axes) > 1:
            others = [axis for axis in self.report.axes if axis.name != MACHINE]
            order = ordered(self.rows, others)
            along = {row.number: 1.0 + order[key_of(row, others)] for row in self.rows}
            x = Axis("Configuration, by threads of the grid and then of a block")
            yield self._lines(f"{self.metric.label} of all configurations", x, along)
        else:
            yield self._bars()

    def _heat(
        self, plane: HeatPlane, machine: str, rows: Sequence[MeasuredConfiguration]
    ) -> HeatChart:
        """A heat chart of a machine; where sizes are on an axis, of the figure over its best."""
        given = [name for name in self.report.given if name in (plane.x.name, plane.y.name)]
        of = f"{self.metric.label} on {machine}"
        numbers = {row.number for row in rows}
        marks = [(row.configuration, BEST) for row in self.marked if row.number in numbers]
        if not given or self.name != self.report.ranked_by.figure:
            values = [(row.configuration, self.value(row)) for row in rows]
            return plane.chart(of, self.metric.unit, values, marks)
        ratios = [
            (r.configuration, times_worse(self.best[self.part(r)], r, self.report.ranked_by))
            for r in rows
        ]
        return plane.chart(f"{of}, × the best of each {given[0]}", "x", ratios, marks)

    def _lines(self, title: str, x: Axis, along: Mapping[int, float]) -> XyChart:
        """A line a machine; the best are points of their own."""
        series = [
            PointSeries(name, self._points(rows, along), line=True)
            for name, rows in self.by_machine.items()
        ]
        if self.marked:
            series.append(PointSeries(BEST, self._points(self.marked, along)))
        y = axis_of(self.metric.label, map(self.value, self.rows), self.metric.unit)
        return XyChart(title, x, y, tuple(series))

    def _points(
        self, rows: Iterable[MeasuredConfiguration], along: Mapping[int, float]
    ) -> tuple[Point, ...]:
        placed = sorted((along[row.number], row.number, row) for row in rows)
        return tuple(Point(x, self.value(row), self.words(row)) for x, _, row in placed)

    def words(self, row: MeasuredConfiguration) -> str:
        """A configuration without its machine, which is the name of its series."""
        return configuration({axis.name: row.configuration[axis.name] for axis in self.axes})

    def _bars(self) -> BarChart:
        """A bar a value of the one axis, or a machine."""
        title, unit = self.metric.label, self.metric.unit
        if not self.axes:
            times = tuple(self.value(rows[0]) for rows in self.by_machine.values())
            return BarChart(title, unit, tuple(self.by_machine), (Series(title, times),))
        (axis,) = self.axes
        found = {
            name: {row.configuration[axis.name]: self.value(row) for row in rows}
            for name, rows in self.by_machine.items()
        }
        series = (Series(n, tuple(own.get(v) for v in axis.values)) for n, own in found.items())
        values = tuple(map(str, axis.values))
        return BarChart(f"{title} by {axis.name}", unit, values, tuple(series))

    def front(self, front: Front) -> XyChart:
        """All configurations by time and a second figure, and those that no other one beats."""
        name, time = front.by.figure, self.report.figures[TIME]
        metric = self.report.figures.get(name, Metric(name))

        def points(rows: Iterable[MeasuredConfiguration]) -> tuple[Point, ...]:
            both = ((row, row.figure(name)) for row in rows)
            return tuple(
                Point(row.figures[TIME], value, configuration({
                    n: row.configuration[n] for n in self.varied or row.configuration
                }))
                for row, value in both
                if value is not None
            )  # fmt: skip

        return XyChart(
            f"Pareto front: {time.label} and {metric.label}",
            axis_of(time.label, (row.figures[TIME] for row in self.rows), time.unit),
            Axis(metric.label, metric.unit),
            (
                PointSeries("configurations", points(self.rows)),
                PointSeries("Pareto front", points(front.found), line=True),
            ),
        )


def _effects(report: SweepReport) -> Iterator[BarChart]:
    """How many times the best value's time each value takes; sizes, which nobody chooses, aside."""
    short = {a.name for a in report.axes if len(a.values) <= _LONG_AXIS and a.kind != "size"}
    shown = [one for one in report.effects if one.axis in short]
    if shown:
        names = tuple(f"{one.axis}={one.value}" for one in shown)
        ratios = tuple(one.geometric_mean_ratio for one in shown)
        title = "Effect of each axis on the time, × best value, all else equal (geometric mean)"
        yield BarChart(title, "x", names, (Series("× best", ratios),))
