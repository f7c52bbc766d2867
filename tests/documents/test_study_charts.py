"""Charts of studies: what they draw is what the results hold, and nothing where these lack it."""

from dataclasses import replace
from itertools import pairwise, product

import pytest

from tests.commands.test_sample_command import PROGRAM
from tests.commands.test_tune_plot import choice, on, tuned
from tests.sampling.test_exploring_answers import ALL, FEW, every, explored, sample, worded
from tests.sampling.test_sweep_plot import VECADD, swept
from tests.timing.test_calibrate_file import calibration, findings
from warpmill import reports
from warpmill.calibration.api import Calibrated, model_origin
from warpmill.calibration.comparison import compared
from warpmill.calibration.findings import CalibrationCurve
from warpmill.commands.calibrate.page import charts as calibrate_charts
from warpmill.commands.calibrate.result import CalibrateReport
from warpmill.commands.correlate.page import charts as correlate_charts
from warpmill.commands.correlate.result import correlate_report
from warpmill.commands.explore.page import charts as explore_charts
from warpmill.commands.explore.result import explore_report
from warpmill.commands.profile.charts import charts as profile_charts
from warpmill.commands.sample.charts import charts as sample_charts
from warpmill.commands.sweep.charts import charts as sweep_charts
from warpmill.commands.sweep.plot import curves_of
from warpmill.commands.sweep.result import SweepRequest, sweep_report
from warpmill.commands.tune.charts import charts as tune_charts
from warpmill.commands.tune.result import tune_report
from warpmill.exploring.answers import ModelQuestions
from warpmill.measurements import correlated_rows
from warpmill.measurements.correlated_rows import Timed
from warpmill.measurements.correlations import correlate
from warpmill.report.charts import BarChart, HeatChart, XyChart
from warpmill.sampling.growing import SamplingPass
from warpmill.sampling.options import SampleOptions
from warpmill.sampling.runs import samples
from warpmill.simulator.machines import load_machine
from warpmill.sweeps.figures import Ranking
from warpmill.sweeps.launches import SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept
from warpmill.tuning.verdicts import Verdict


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


# ------------------------------------------------------------------------------------- tune


def tuned_charts(*machines):
    report = tune_report(tuned(*machines))
    return [list(tune_charts((report, one))) for one in report.tuned.machines]


def bars_of(chart):
    """Each bar with its series: no row has two."""
    found = []
    for place, name in enumerate(chart.categories):
        ((kind, value),) = [
            (one.name, one.values[place]) for one in chart.series if one.values[place] is not None
        ]
        found.append((name, kind, value))
    return found


def test_the_fastest_choices_are_bars_of_what_is_known_of_them():
    same, odd = Verdict(True), Verdict(None, "odd", "odd")
    found = on(
        "a100",
        choice("a100", 64, 2.0, "wide", verdict=same),
        choice("a100", 64, 3.0, verdict=odd),
        choice("a100", 256, 4.0, verdict=same),
    )
    ((bars, heat),) = tuned_charts(found)
    assert bars.stacked
    assert bars_of(bars) == [
        ("wide block=64", "same result", 2.0),
        ("default block=64", "result unknown", 3.0),
        ("default block=256", "default", 4.0),
    ]
    assert cells(heat) == {
        ("default", "64"): 3.0, ("default", "256"): 4.0, ("wide", "64"): 2.0, ("wide", "256"): None,
    }  # fmt: skip
    assert {(m.y, m.x): m.name for m in heat.marks} == {
        ("wide", "64"): "best", ("default", "256"): "default",
    }  # fmt: skip


def test_a_faster_choice_of_unknown_result_is_marked_as_that():
    found = on("a100", choice("a100", 64, 2.0), choice("a100", 256, 4.0))
    ((_, heat),) = tuned_charts(found)
    assert {m.x: m.name for m in heat.marks} == {"64": "fastest, result unknown", "256": "default"}
    alone = on("a100", choice("a100", 256, 4.0), choice("a100", 64, 5.0))
    ((_, heat),) = tuned_charts(alone)
    assert {m.x: m.name for m in heat.marks} == {"256": "best, default"}


def test_simulated_choices_have_bars_of_their_own_and_of_many_some_are_drawn():
    row = MeasuredConfiguration({}, {"time_us": 7.0}, {})
    many = [choice("a100", block, float(block)) for block in range(300, 400)]
    ((bars, simulated, *_),) = tuned_charts(
        on("a100", choice("a100", 64, 2.0, simulated=row), *many)
    )
    assert len(bars.categories) == 21
    assert bars_of(bars)[-1] == ("default block=256", "default", 4.0)
    assert bars_of(simulated) == [("default block=64", "result unknown", 7.0)]


def test_without_choices_or_with_the_default_alone_there_is_no_chart():
    machines = (on("t4"), on("v100", choice("v100", 256, 4.0)), on("a100", choice("a100", 64, 2.0)))
    (nothing, default, (bars,)) = tuned_charts(*machines)
    assert nothing == default == []
    assert bars_of(bars)[-1] == ("default block=256", "default", 4.0)


# -------------------------------------------------------------------------------- correlate


def test_rows_of_a_correlation_are_points_and_errors(tmp_path, monkeypatch):
    monkeypatch.setattr(correlated_rows, "timed_on", lambda *_: Timed(2.0, 3000.0))
    times = [("a100", 1), ("v100", 4), ("a100", 16), *[("t4", 2 + k / 100) for k in range(20)]]
    text = "".join(f"{VECADD},{machine},{time}\n" for machine, time in times)
    (tmp_path / "m.csv").write_text(f"target,machine,time_us\n{text}")
    report = correlate_report(correlate(tmp_path / "m.csv"))
    scatter, errors = correlate_charts(report)
    points = {one.name: [(p.x, p.y) for p in one.points] for one in scatter.series if not one.line}
    assert points["a100"] == [(1.0, 2.0), (16.0, 2.0)]
    assert points["v100"] == [(4.0, 2.0)]
    assert len(points["t4"]) == 20
    lines = {one.name: [p.y / p.x for p in one.points] for one in scatter.series if one.line}
    assert lines == {"equal": [1.0, 1.0], "2 x": [2.0, 2.0], "0.5 x": [0.5, 0.5]}
    assert scatter.series[0].points[0].label.endswith("line 2")
    sizes = [abs(error) for error in errors.series[0].values]
    assert sizes == sorted(sizes, reverse=True)
    assert list(errors.series[0].values) == [row.error_fraction for row in report.rows[:20]]
    assert errors.categories[0].endswith(" on a100")
    assert "23 rows" in errors.title


# ---------------------------------------------------------------------------------- explore


@pytest.fixture(scope="module")
def explored_twice():
    """Two workloads of made-up figures, the second of which depends on words too."""
    where = worded()
    points = every(where)[::7]
    other = [sample(p, lambda q: 50 + 9 * (q["policy"] == "gto") + q["simd"]) for p in points]
    found = explored([sample(p) for p in points], where, other=other)
    return explore_report(found, ModelQuestions(fitting=ALL, cost="_blk * simd", curves=("#blk",)))


def test_shares_of_parameters_and_terms_are_those_of_the_models(explored_twice):
    shares, terms, *_ = explore_charts(explored_twice)
    for series, one in zip(shares.series, explored_twice.workloads, strict=True):
        assert series.name == one.workload.title
        told = dict(zip(shares.categories, series.values, strict=True))
        assert told | {p.name: p.share for p in one.ranking if p.share > 0.001} == told
    assert terms.stacked
    assert terms.categories == ("made up", "other")
    for place, one in enumerate(explored_twice.workloads):
        whole = sum(series.values[place] for series in terms.series)
        assert whole == pytest.approx(one.model.r_squared)


def test_samples_are_points_of_what_was_simulated_and_predicted(explored_twice):
    chart = next(c for c in explore_charts(explored_twice) if c.title.startswith("Samples"))
    *series, equal = chart.series
    for own, one in zip(series, explored_twice.workloads, strict=True):
        assert [(p.x, p.y) for p in own.points] == [
            (row.figures["time_us"], row.predicted) for row in one.workload.samples
        ]
    assert all(p.x == p.y for p in equal.points)


def test_curves_are_those_asked_for_with_their_intervals(explored_twice):
    (chart,) = (c for c in explore_charts(explored_twice) if "along" in c.title)
    for own, one in zip(chart.series, explored_twice.workloads, strict=True):
        (curve,) = one.curves
        assert [(p.x, p.y, p.low, p.high) for p in own.points] == [
            (row.point["#blk"], row.predicted, row.low, row.high) for row in curve.rows
        ]
    assert (chart.x.log, chart.x.base) == (True, 2)
    header, rows = chart.table()
    assert header[2:] == ["#blk", "Duration (µs)", "low", "high"]
    assert {len(row) for row in rows} == {len(header)}


def test_a_front_has_its_costs(explored_twice):
    chart = next(c for c in explore_charts(explored_twice) if c.title.startswith("Pareto"))
    assert [(p.x, p.y) for p in chart.series[0].points] == [
        (row.cost, row.predicted) for row in explored_twice.workloads[0].front
    ]
    assert chart.x.label == "cost: _blk * simd"


def test_nobody_need_ask_for_curves_and_words_are_bars():
    points = every(worded())[::7]
    samples = [sample(p, lambda q: 50 + 9 * (q["policy"] == "gto") + q["simd"]) for p in points]
    report = explore_report(explored(samples, worded()), ModelQuestions(fitting=ALL))
    kinds = {c.title.split(",")[0]: c for c in explore_charts(report) if "along" in c.title}
    assert list(kinds) == ["Duration along simd", "Duration along policy"]
    bars = kinds["Duration along policy"]
    assert isinstance(bars, BarChart)
    assert dict(zip(bars.categories, bars.series[0].values, strict=True)) == pytest.approx(
        {"lrr": 66.0, "gto": 75.0, "two_level": 66.0}
    )
    assert "others at simd=16" in bars.title
    assert [c.title for c in explore_charts(report) if "by term" in c.title] == []


def test_a_surface_has_what_the_model_says_and_nothing_where_the_space_has_no_point():
    samples = [sample(p, lambda q: 300 / q["simd"] + 5 * q["smp"]) for p in every()[::3]]
    report = explore_report(explored(samples), ModelQuestions(fitting=ALL))
    (chart,) = (c for c in explore_charts(report) if isinstance(c, HeatChart))
    assert (chart.x.label, chart.y.label) == ("smp", "simd")
    for (simd, smp), value in cells(chart).items():
        if 4 * int(smp) > int(simd):
            assert value is None
        else:
            assert value == pytest.approx(300 / int(simd) + 5 * int(smp))


def test_without_a_model_there_is_no_chart():
    report = explore_report(explored([sample(every()[0])]), ModelQuestions(fitting=FEW))
    assert report.workloads[0].model is None
    assert list(explore_charts(report)) == []


# ----------------------------------------------------------------------------------- sample


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    """Launches of three sizes, some of which are simulated on a machine of two SMs."""
    path = tmp_path_factory.mktemp("program") / "adds.py"
    path.write_text(PROGRAM)
    machine = load_machine("v100", {"sm.count": 2})
    options = SampleOptions(method="stratified", compare=True)
    return samples(path, [machine], options)


def test_launches_lie_one_after_another_by_their_instructions(sampled):
    chart, *_ = sample_charts(sampled)
    assert chart.lanes == ("vecadd", "simulated")
    every, simulated = ([s for s in chart.spans if s.lane == lane] for lane in (0, 1))
    assert [s.end - s.begin for s in every] == [one.warp_instructions for one in sampled.launches]
    assert all(one.end == after.begin for one, after in pairwise(every))
    assert every[-1].end == sampled.selection.warp_instructions
    names = [f"launch {place}: vecadd" for place in sampled.selection.launches]
    assert [s.name.partition("(")[0] for s in simulated] == names
    for number, stratum in enumerate(sampled.selection.strata):
        own = {int(s.name.split()[1][:-1]) for s in every if s.group == f"stratum {number}"}
        assert own == {n for k in stratum.members for n in sampled.selection.units[k].launches}


def test_strata_have_their_shares(sampled):
    _, chart, *_ = sample_charts(sampled)
    whole, simulated = (series.values for series in chart.series)
    assert sum(whole) == pytest.approx(1)
    assert sum(simulated) == pytest.approx(sampled.selection.sample_share)
    assert list(whole) == sorted(whole, reverse=True)


def test_errors_and_selections_that_were_tried_are_drawn_where_they_are_known(sampled):
    (machine,) = sampled.machines
    assert len(list(sample_charts(sampled))) == 3
    tried = (SamplingPass(2, 0.2, 0.5), SamplingPass(4, 0.4, None), SamplingPass(8, 0.8, 0.1))
    several = replace(sampled, machines=(replace(machine, passes=tried),))
    _, _, errors, passes = sample_charts(several)
    assert dict(zip(errors.categories, errors.series[0].values, strict=True)) == {
        "95% interval, ±": machine.half_width, "error against the whole": machine.error,
    }  # fmt: skip
    assert [(p.x, p.y) for p in passes.series[0].points] == [(0.2, 0.5), (0.8, 0.1)]
    apart = replace(machine.projection, interval=None)
    blind = replace(machine, projection=apart, whole=None, passes=tried[1:2] * 2)
    assert len(list(sample_charts(replace(sampled, machines=(blind,))))) == 2


# -------------------------------------------------------------------------------- calibrate


def calibrated(values, *curves):
    machine = load_machine("v100")
    part = replace(findings(values), curves=curves)
    made = calibration("v100", part)
    origin = model_origin(machine, None, None)
    return CalibrateReport(
        calibrated=Calibrated(made, machine, compared(made, machine), origin, ())
    )


def test_differences_and_curves_of_a_calibration_are_drawn():
    values = {"latency.int_add": 8.0, "latency.fp32_add": 4.0, "latency.shared_load": 10.0}
    curves = (
        CalibrationCurve("stride", "loads", "bytes", "cycles", ((4.0, 1.0), (8.0, 2.0))),
        CalibrationCurve("warps", "fp32", "warps", "a cycle", ((1.0, 0.5), (8.0, 4.0))),
        CalibrationCurve("warps", "sfu", "warps", "ops", ((1.0, 0.25), (8.0, 1.0))),
        CalibrationCurve("footprint", "L1", "bytes", "cycles", ((512.0, 0.0), (1024.0, 9.0))),
    )
    bars, footprint, warps, stride = calibrate_charts(report := calibrated(values, *curves))
    found = {row.key: row.difference_fraction for row in report.calibrated.rows if row.found}
    assert bars.categories == ("latency.int_add", "latency.shared_load")
    assert bars.series[0].values == tuple(found[key] for key in bars.categories)
    assert [one.name for one in warps.series] == ["fp32, a cycle", "sfu, ops"]
    assert [(p.x, p.y) for p in warps.series[0].points] == list(curves[1].points)
    assert (warps.x.log, warps.x.base, warps.y.log) == (True, 2, False)
    assert (footprint.x.log, footprint.y.log) == (True, False)  # 0 has no logarithm
    assert (stride.title, stride.y.log) == ("Cost over the stride of lanes", True)
    assert list(calibrate_charts(calibrated({"latency.fp32_add": 4.0}))) == []


# ---------------------------------------------------------------------------------- profile


def test_a_profile_has_its_classes_and_active_threads():
    launch = reports.profile(str(VECADD), sizes={"n": 1000}).launches[0]
    classes, lanes = profile_charts(launch)
    wanted = {one.name: one.executions.warp_instruction_fraction for one in launch.classes}
    assert dict(zip(classes.categories, classes.series[0].values, strict=True)) == wanted
    assert list(wanted) == list(classes.categories)
    found = zip(map(int, lanes.categories), lanes.series[0].values, strict=True)
    assert dict(found) == launch.lanes
    _, lanes = profile_charts(replace(launch, lanes={32: 5, 1: 2}))
    assert (lanes.categories, lanes.series[0].values) == (("1", "32"), (2.0, 5.0))
    assert len(list(profile_charts(replace(launch, lanes={32: 5})))) == 1
    assert list(profile_charts(replace(launch, lanes=None, classes=()))) == []
