"""Charts of studies: what they draw is what the results hold, and nothing where these lack it."""

from dataclasses import replace
from itertools import product

import pytest

from tests.unit.test_sweep_plot import swept
from warpmill.commands.sweep.charts import charts as sweep_charts
from warpmill.commands.sweep.plot import curves_of
from warpmill.commands.sweep.result import SweepRequest, sweep_report
from warpmill.report.charts import BarChart, HeatChart, XyChart
from warpmill.sweeps.figures import Ranking
from warpmill.sweeps.launches import SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept


def cells(chart):
    """The values of a heat chart by row and column."""
    return {
        (y, x): value
        for y, row in zip(chart.ys, chart.values, strict=True)
        for x, value in zip(chart.xs, row, strict=True)
    }


def report_of(found, **asked):
    rows = tuple(replace(row, number=place) for place, row in enumerate(found.rows))
    return sweep_report(replace(found, rows=rows, sizes=("n",)), SweepRequest(**asked))


def test_two_axes_of_a_sweep_are_cells_beside_the_best_of_each_size():
    found = swept(blocks=(256, 64, 128), sizes=(1000, 300), lost=[(64, 300, "a100")])
    report = report_of(found)
    heats = [chart for chart in sweep_charts(report) if isinstance(chart, HeatChart)]
    assert [chart.title for chart in heats] == [
        f"Duration on {name}, × the best of each n" for name in ("a100", "v100")
    ]
    names = ("machine", "n", "block")
    times = {
        tuple(str(row.configuration[name]) for name in names): row.figures["time_us"]
        for row in report.ranked
    }
    for chart, machine in zip(heats, ("a100", "v100"), strict=True):
        for (n, block), ratio in cells(chart).items():
            own = [time for (m, size, _), time in times.items() if (m, size) == (machine, n)]
            time = times.get((machine, n, block))
            assert ratio == (None if time is None else pytest.approx(time / min(own)))
        marked = {(mark.y, mark.x) for mark in chart.marks}
        assert marked == {at for at, ratio in cells(chart).items() if ratio == 1.0}
    assert cells(heats[0])["300", "64"] is None
    assert "1 (best)" in heats[1].table()[1][0]


def test_two_axes_that_are_chosen_have_their_figure_in_cells():
    found = swept(blocks=(256, 64), sizes=(1000,), regs=(32, 64), machines=("a100",))
    report = report_of(found)
    (chart, effects) = sweep_charts(report)
    assert (chart.title, chart.unit) == ("Duration on a100", "µs")
    assert cells(chart) == {
        (str(row.configuration["block"]), str(row.configuration["regs"])): row.figures["time_us"]
        for row in report.ranked
    }
    best = report.ranked[0].configuration
    assert [(m.y, m.x, m.name) for m in chart.marks] == [
        (str(best["block"]), str(best["regs"]), "best")
    ]
    assert isinstance(effects, BarChart)
    assert effects.categories == tuple(f"{one.axis}={one.value}" for one in report.effects)
    assert effects.series[0].values == tuple(one.geometric_mean_ratio for one in report.effects)


def test_an_axis_is_a_line_a_machine_with_the_best_of_each():
    report = report_of(swept(blocks=(256, 64, 128), sizes=(300,)))
    (chart,) = sweep_charts(report)
    assert isinstance(chart, XyChart)
    assert not chart.x.log
    lines = {one.name: [(p.x, p.y) for p in one.points] for one in chart.series}
    wanted = [(float(block), 3.0 + block / 1000) for block in (64, 128, 256)]
    assert lines == {"a100": wanted, "v100": wanted, "best": [wanted[0]] * 2}
    sizes = report_of(swept(blocks=(64,), sizes=(300, 1000, 300_000)))
    (chart,) = sweep_charts(sizes)
    assert [one.name for one in chart.series] == ["a100", "v100"]  # of a size nobody chooses
    assert (chart.x.log, chart.x.base, chart.y.log) == (True, 2, True)


def test_many_axes_are_drawn_in_the_order_of_the_plot():
    found = swept(blocks=(256, 64, 128), sizes=(1024, 300), regs=(64, 32))
    report = report_of(found)
    chart, *_ = sweep_charts(report)
    curves = curves_of(found)
    for one in chart.series[:2]:
        assert [p.x for p in one.points] == list(range(1, 13))
        assert [p.y for p in one.points] == curves.times[one.name]
    best = [one.best.configuration for one in report.best_of_each]
    assert {p.label for p in chart.series[-1].points} == {
        f"block={own['block']} n={own['n']} regs={own['regs']}" for own in best
    }


def shaped(shapes, machines=("a100",), **figures):
    rows = tuple(
        MeasuredConfiguration(
            {"block": shape, "machine": machine},
            {"time_us": float(place), **{name: own[place] for name, own in figures.items()}},
            {"grid": [1], "block": [64]},
            number=place - 1,
        )
        for place, (shape, machine) in enumerate(product(shapes, machines), start=1)
    )
    space = SweepSpace((Axis("block", tuple(shapes)),))
    return Swept(SweepTarget("t"), EvaluationConfig(machines=machines), space, rows, 0, 1.0, ("k",))


def test_shapes_are_drawn_over_their_sides_and_words_as_bars():
    (chart,) = sweep_charts(sweep_report(shaped(("16x8", "8x8", "8x16", "16x32")), SweepRequest()))
    assert (chart.x.label, chart.y.label) == ("block x", "block y")
    assert (chart.xs, chart.ys) == (("8", "16"), ("8", "16", "32"))
    assert chart.values == ((2.0, 1.0), (3.0, None), (None, 4.0))
    (mark,) = chart.marks
    assert (mark.x, mark.y) == ("16", "8")
    (bars,) = sweep_charts(sweep_report(shaped(("64x1", "128x1")), SweepRequest()))
    assert isinstance(bars, BarChart)
    assert (bars.categories, bars.series[0].values) == (("64x1", "128x1"), (1.0, 2.0))


def test_a_front_lies_among_all_configurations():
    found = swept(blocks=(256, 64), sizes=(300,), machines=("a100",))
    report = report_of(found, fronts=(Ranking("block"),))
    *_, chart = sweep_charts(report)
    every, front = chart.series
    assert {(p.x, p.y) for p in every.points} == {
        (row.figures["time_us"], row.configuration["block"]) for row in report.ranked
    }
    assert len(every.points) == 2
    assert [(p.x, p.y) for p in front.points] == [
        (row.figures["time_us"], row.configuration["block"]) for row in report.fronts[0].found
    ]


def test_a_sweep_of_one_ranked_row_has_no_chart():
    lost = [(64, 300, "a100"), (64, 300, "v100"), (256, 300, "v100")]
    assert list(sweep_charts(report_of(swept(sizes=(300,), lost=lost)))) == []
