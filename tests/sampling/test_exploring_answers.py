"""What models of samples tell: of figures that are made up, so that nothing is simulated."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.sampling.exploring_parts import SMALL, small
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.commands.explore.plot import curves_figure, terms_figure
from warpmill.commands.explore.result import explore_report
from warpmill.exploring.answers import (
    ModelQuestions,
    all_predictions,
    answers,
    check_asked,
    searched_space,
)
from warpmill.exploring.exploration import wants_more
from warpmill.exploring.explored import ExplorationResult, OfWorkload, PointSample, Predicted
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.options import Sampling
from warpmill.exploring.predicted import PredictedCurve, why_no_point
from warpmill.report.fields import marks_of
from warpmill.report.page import Style
from warpmill.report.sections import page_of
from warpmill.report.text import page_text
from warpmill.simulator.regression.fit import FIXED_TERMS

REASON = "SIMD width 16 has no 4 ports"
WORDED = SMALL + (
    '[parameters.policy]\nvalues = ["lrr", "gto", "two_level"]\nkey = "scheduler.policy"\n'
)
TINY = (
    SMALL.replace("[1, 2, 4, 8]", "[8]")
    .replace("[1, 2, 3, 4]", "[4]")
    .replace("[8, 16, 32]\nrealise", "[32]\nrealise")
    .replace("[8, 16, 32]\nlog2", "[8, 32]\nlog2")
)
FEW = Fitting(folds=2)
"""Quick."""
ALL = replace(FEW, theta=0.0, phi=0.0)


@cache
def space():
    return small()


@cache
def worded():
    return small(WORDED)


def time_us(point):
    """Depends on simd and #blk alone; a spline without #blk=4 is far off there."""
    return 300 / point["simd"] + (50.0 if point["#blk"] == 1 else 6.0 + 1e-3 * point["smp"])


def sample(point, figure=time_us, **facts):
    return PointSample(point, {"time_us": figure(point)}, {"ctas_per_sm": [point["#blk"]], **facts})


def explored(samples, where=None, **others):
    own = where or space()
    more = tuple(OfWorkload(title, tuple(each)) for title, each in others.items())
    return ExplorationResult(own, "small", (OfWorkload("made up", tuple(samples)), *more))


def every(where=None):
    design = (where or space()).design
    return [design.point(k) for k in range(design.count)]


def one(samples, where=None, **asked):
    (own,) = answers(
        explored(samples, where), ModelQuestions(**{"fitting": FEW, **asked})
    ).workloads
    return own


def pages(samples, where=None, verbose=False, width=80, **asked):
    told = explore_report(explored(samples, where), ModelQuestions(**{"fitting": FEW, **asked}))
    return page_text(page_of(told, Style(verbose, width, False)))


# ------------------------------------------------------------------ numbers that no sample has


def test_what_no_sample_has_is_told_and_not_chosen():
    points = every()
    samples = [sample(p) for p in points if p["#blk"] != 4]
    at = {"#blk": 4, "simd": 32}
    own = one(samples, points=(at, {**at, "#blk": 8}), curves=("#blk",), suggest=1, cost="9 - _blk")
    swung, known = own.points
    assert swung.predicted < 0 < known.predicted  # as the model has it: this is why it is told
    assert (swung.between, known.between) == (True, False)
    assert [row.between for row in own.curves[0].rows] == [False, False, True, False]
    assert 4 not in {f.point["#blk"] for f in (*own.best, *own.front)}
    assert own.untried == sum(p["#blk"] == 4 for p in points)
    assert own.suggestions[0].point["#blk"] == 4
    words = pages(samples, points=(at,), suggest=1)
    (line,) = [row for row in words.splitlines() if "Points without samples" in row]
    assert line.split()[-1] == f"{own.untried}="
    assert "between samples" in words
    rows = list(all_predictions(own, space().design))
    assert {row[-1] for row in rows if row[0] == 4} == {"between"}
    assert {row[-1] for row in rows if row[0] != 4} == {""}


def test_all_predictions_have_what_points_have():
    points = every()
    samples = [sample(p) for p in points[:80]]
    failed = [PointSample(p, {}, {}, REASON) for p in points[80:83]]
    own = one([*samples, *failed], points=tuple(points))
    rows = list(all_predictions(own, space().design))
    assert [row[:4] for row in rows] == [tuple(p.values()) for p in points]
    said = [[p.predicted, p.low, p.high] for p in own.points]
    assert np.array([row[4:7] for row in rows]) == pytest.approx(np.array(said))
    assert [k for k, row in enumerate(rows) if row[7] == "failed"] == [80, 81, 82]
    assert {type(cell) for row in rows for cell in row} == {int, float, str}


# ------------------------------------------------------------------ points that there are not


def test_points_that_could_not_be_simulated_are_neither_best_nor_told_without_a_reason():
    points = every()
    best = one([sample(p) for p in points], top=1, fitting=ALL).best[0].point
    samples = [sample(p) if p != best else PointSample(p, {}, {}, REASON) for p in points]
    own = one(samples, top=200, cost="1", fitting=ALL, points=(best, {"simd": 32, "#blk": 8}))
    assert len(own.best) > 1
    assert best not in [f.point for f in (*own.best, *own.front)]
    assert own.points[0].problem == f"it could not be simulated: {REASON}"
    assert own.points[1].problem is None  # of others like it nothing is known
    words = pages(samples, points=(best,), top=0)
    assert "it could not be" in words


def test_points_that_conditions_leave_out_are_told():
    assert why_no_point(space(), {"#blk": 8, "simd": 8}) is None
    narrow = "the space leaves it out: 4 * smp <= simd"
    assert why_no_point(space(), {"smp": 4, "simd": 8}) == narrow
    assert why_no_point(space(), {"simd": 7}) is None  # smp may be 1
    assert why_no_point(space(), {"smp": 3, "simd": 11.5}) is not None  # of numbers it has not
    samples = [sample(p) for p in every()]
    own = one(samples, points=({"smp": 4, "simd": 8},), curves=("smp",), at={"simd": 8})
    assert own.points[0].problem == narrow
    assert [row.problem is None for row in own.curves[0].rows] == [True, True, False, False]


def test_what_is_unknown_is_no_number_among_all_predictions():
    samples = [sample(p, lambda p: time_us(p) + 20 * (p["policy"] == "lrr"))
               for p in every(worded()) if p["policy"] != "gto"]  # fmt: skip
    own = one(samples, worded(), points=({"policy": "gto"},))
    for row in all_predictions(own, worded().design):
        assert (row[-1], row[-2] is None) == (
            ("outside unknown", True) if "gto" in row else ("", False)
        )
    assert own.points[0].predicted is None


def test_words_can_be_fixed_beside_conditions_on_others():
    own = replace(worded(), conditions=("policy != gto",))
    assert why_no_point(own, {"policy": "gto"}) == "the space leaves it out: policy != gto"
    assert why_no_point(own, {"policy": "lrr", "simd": 9}) is None
    fixed = ModelQuestions(Fitting(fixed=(("policy", "lrr"),)), where=("policy != two_level",))
    own = searched_space(worded(), fixed)
    assert own.count == worded().design.count // 3
    assert {own.point(k)["policy"] for k in range(own.count)} == {"lrr"}
    samples = [sample(p) for p in every(worded())]
    told = one(samples, worded(), fitting=fixed.fitting, points=({"simd": 8},), curves=("simd",))
    assert "policy" not in told.model.used
    assert {f.point["policy"] for f in told.best} == {"lrr"}
    assert told.curves[0].at.keys() == {"#blk", "smp", "flit"}


def test_each_point_has_middle_values_where_it_names_none():
    samples = [sample(p) for p in every()]
    first, second = {"#blk": 1, "simd": 8}, {"simd": 32}
    own = one(samples, points=(first, second), at=first, curves=("smp",))
    assert own.points[1].point["#blk"] == 4  # not the 1 of the first
    middle = {"#blk": 4, "simd": 32, "smp": 3}
    assert own.points[1].predicted == pytest.approx(time_us(middle), rel=1e-3)
    assert (own.curves[0].at["#blk"], own.curves[0].at["simd"]) == (1, 8)


# ------------------------------------------------------------------ models, and why there are none


def test_given_terms_are_those_of_the_model():
    samples = [sample(p) for p in every()[::2]]
    found = answers(explored(samples), ModelQuestions(Fitting(terms=FIXED_TERMS)))
    (own,) = found.workloads
    assert own.model.terms == FIXED_TERMS
    made = explore_report(found.explored, found.asked)
    assert made.asked.fitting.terms == FIXED_TERMS
    assert (made.workloads[0].model.theta, made.workloads[0].model.phi) == (None, None)
    assert "models of  time_us, of given terms: simd, #blk, simd:#blk" in pages(
        samples, fitting=Fitting(terms=FIXED_TERMS)
    )
    for terms, words in (
        ((("simt",),), "no parameter `simt`"), ((("simd", "simd"),), "two unlike"),
        ((("simd",),), "no parameter `simd`"),
    ):  # fmt: skip
        fixed = (("simd", 8),) if terms == (("simd",),) else ()
        with pytest.raises(UsageError, match=words):
            check_asked(space(), ModelQuestions(Fitting(terms=terms, fixed=fixed)))


def test_a_model_is_told_whole():
    samples = [sample(p, lambda p: time_us(p) + p["flit"] % 7 / 50) for p in every()[::3]]
    (own,) = explore_report(explored(samples)).workloads
    facts = own.model
    n, k = len(samples), len(facts.coefficients)
    values = np.array([s.figures["time_us"] for s in samples])
    told = own.workload.samples
    left = sum((told[i].predicted - value) ** 2 for i, value in enumerate(values))
    total = ((values - values.mean()) ** 2).sum()
    assert facts.r_squared == pytest.approx(1 - left / total)
    assert facts.adjusted_r_squared == pytest.approx(1 - left / total * (n - 1) / (n - k))
    assert facts.aic == pytest.approx(n * (1 + np.log(2 * np.pi * left / n)) + 2 * k)
    assert [c.term for c in facts.term_coefficients][:2] == [None, facts.entered_terms[0].term]
    assert [c.value for c in facts.term_coefficients] == list(facts.coefficients)
    assert [c.t_value for c in facts.term_coefficients] == list(facts.t_values)
    words = pages(samples, verbose=True)
    assert f"{facts.adjusted_r_squared:.4g}" in words
    assert f"{facts.aic:.4g}" in words
    rows = words[words.index("\nCoefficients") + 1 :].splitlines()
    assert len(rows[2 : 2 + k]) == k
    assert rows[2].split()[0] == "constant"
    assert max(map(len, words.splitlines())) <= 80


def test_why_there_is_no_error_is_told():
    points = every()
    samples = [sample(p) for p in points[::8]]
    zero = [sample(p, lambda p: float(p["simd"] - 8)) for p in points]
    like = {"simd": 32, "smp": 1, "flit": 8}
    bare = [sample({**like, "#blk": blocks}) for blocks in (1, 1, 2, 4)]
    for given, fitting, words in (
        (samples, Fitting(folds=17), "15 samples, 17 folds"),
        (zero, FEW, "time_us is 0 somewhere"),
        (bare, Fitting(folds=4), "without a fold, 3 samples are too few for a term"),
        (bare[:1] * 3, Fitting(folds=2), "3 samples, 2 folds"),
    ):
        own = one(given, fitting=fitting)
        assert own.errors is None
        assert own.no_errors.startswith(words)
    words = pages(samples, fitting=Fitting(folds=17))
    assert "the model is of unknown error" in " ".join(words.split())
    assert "15 samples, 17 folds\n" in words


def test_why_there_is_no_model_is_told():
    points = every()
    failed = [PointSample(p, {}, {}, REASON) for p in points]
    few = [sample(p) for p in points[:2]]
    tiny = small(TINY)
    for samples, where, fitting, words in (
        (failed, None, Fitting(), "no point could be simulated"),
        (few, None, Fitting("l1_hit_fraction"), "no sample has l1_hit_fraction"),
        ([sample(p) for p in points if p["simd"] != 8], None, Fitting(fixed=(("simd", 8),)),
         "no sample with time_us has simd=8"),
        (few, None, Fitting(), "2 samples are too few for a model; measure more points"),
        ([sample(p) for p in every(tiny)][:1], tiny, Fitting(),
         "1 sample is too few for a model; measure more points"),
        ([sample(p) for p in every(tiny)], tiny, Fitting(fixed=(("flit", 8),)),
         "1 sample is too few for a model; the space has no more points"),
    ):  # fmt: skip
        own = one(samples, where, fitting=fitting)
        assert own.model is None
        assert own.reason == words
        assert f"no model: {words}" in pages(samples, where, fitting=fitting, width=120)


def test_whether_an_error_that_was_aimed_at_is_reached_is_told():
    rough = [sample(p, lambda p: time_us(p) * (1 + p["flit"] % 3 / 4)) for p in every()[::4]]
    for number, aim, reached in ((30, 1e-6, False), (30, 500.0, True), (2, 5.0, False)):
        samples = rough[:number]
        made = explore_report(explored(samples), ModelQuestions(until_error=aim))
        assert made.asked.until_error == aim
        assert made.workloads[0].reached is reached
        own = made.exploration.workloads[0]
        wants = wants_more(Sampling(500, until_error=aim), space(), own)
        assert wants is not reached
    (line,) = [row for row in pages(rough, until_error=1e-6).splitlines() if "is reached" in row]
    assert line.split()[-1] == "no"
    assert explore_report(explored(rough)).workloads[0].reached is None


def test_as_many_points_are_suggested_as_are_left():
    points = every()
    samples = [sample(p) for p in points[2:]]
    own = one(samples, suggest=9)
    assert sorted(map(str, (s.point for s in own.suggestions))) == sorted(map(str, points[:2]))
    assert "Points to simulate next" in pages(samples, suggest=9)
    assert one([sample(p) for p in points], suggest=9).suggestions == ()
    assert "Points to simulate next" not in pages([sample(p) for p in points], suggest=9)


@pytest.mark.parametrize("name", ["theta", "phi"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_thresholds_are_numbers(name, value):
    with pytest.raises(UsageError, match="which is no number"):
        Fitting(**{name: value})


def test_a_share_of_each_parameter():
    found = Sampling(fraction_of_each=0.5).most(space().design)
    assert found == 2 * 2 * 2 * 2
    for wrong in ({"samples": 3}, {"fraction": 0.1}):
        with pytest.raises(UsageError, match="or one fraction"):
            Sampling(**wrong, fraction_of_each=0.5)
    with pytest.raises(UsageError, match="above 0 and at most 1"):
        Sampling(fraction_of_each=1.5).most(space().design)


# ------------------------------------------------------------------ reports and pictures


def test_what_figures_rest_on_is_told():
    points = every()
    samples = [sample(p, registers_assumed=True) for p in points[:50]]
    samples += [sample(p, registers_assumed=True, assumptions=["loops run 8 times"])
                for p in points[50:60]]  # fmt: skip
    (facts,) = explore_report(explored(samples)).workloads
    assert [(a.text, a.samples) for a in facts.workload.assumptions] == [
        ("the registers of a thread are assumed", 60), ("loops run 8 times", 10),
    ]  # fmt: skip
    assert facts.workload.samples[3].ctas_per_sm == (points[3]["#blk"],)
    words = pages(samples)
    assert " 60  the registers of a thread are assumed\n" in words
    assert " 10  loops run 8 times\n" in words


def test_points_are_in_the_order_of_the_space_and_samples_have_intervals():
    points = [dict(sorted(p.items())) for p in every()]
    samples = [sample(p) for p in points[:-1]] + [PointSample(points[-1], {}, {}, REASON)]
    asked = ModelQuestions(ALL, points=({"smp": 1, "#blk": 2},))
    (facts,) = explore_report(explored(samples), asked).workloads
    names = ["#blk", "simd", "smp", "flit"]
    rows = facts.workload.samples
    assert all(list(row.point) == names for row in rows)
    assert [row.number for row in rows] == list(range(len(points)))
    assert list(facts.workload.failure_reasons[0].first) == names
    assert list(facts.points[0].point) == ["#blk", "simd", "smp"]
    assert all(row.low < row.predicted < row.high for row in rows[:-1])
    assert rows[-1].low is rows[-1].predicted is None
    marks = marks_of(explore_report(explored(samples)))
    of_terms = "model.term_coefficients"
    for name in ("best.point", "front.cost", "curves.at", "errors.folds", f"{of_terms}.at"):
        assert marks[f"workloads.{name}"] == "exact"
    for name in ("best.predicted", "model.aic", f"{of_terms}.value", "suggestions.low"):
        assert marks[f"workloads.{name}"] == "modelled"


def row(value, predicted, between=False, outside=False, problem=None):
    return Predicted(
        point={"x": value}, predicted=predicted, low=predicted - 1, high=predicted + 1,
        outside=outside, between=between, problem=problem,
    )  # fmt: skip


def test_pictures_show_what_is_told():
    samples = [sample(p) for p in every()]
    both = explored(samples, None, other=samples[::2])
    made = explore_report(both, ModelQuestions(FEW, curves=("simd",), at={"smp": 1}))
    (axes,) = terms_figure(made).axes
    for number, each in enumerate(made.workloads):
        bars = [b.patches[number].get_width() for b in axes.containers]
        assert sum(bars) == pytest.approx(each.model.r_squared)
    (axes,) = curves_figure(made).axes
    lines = [line for line in axes.lines if len(line.get_xdata())]
    for line, each in zip(lines, made.workloads, strict=True):
        rows = each.curves[0].rows
        assert list(line.get_xdata()) == [8, 16, 32]
        assert list(line.get_ydata()) == [r.predicted for r in rows]
    assert axes.get_ylim()[0] > 0  # times of 40 to 50 are not drawn from 0


def test_pictures_join_no_words_and_doubtful_values_are_hollow():
    samples = [sample(p) for p in every()]
    made = explore_report(explored(samples), ModelQuestions())
    numbers = [row(1, 5.0), row(2, 6.0, between=True), row(3, 7.0, problem="none")]
    for rows, style in ((numbers, "-"), ([row("a", 5.0), row("b", 6.0, outside=True)], "None")):
        curve = PredictedCurve(parameter="x", at={}, rows=tuple(rows))
        (own,) = made.workloads
        told = replace(own, curves=(curve,))
        (axes,) = curves_figure(replace(made, workloads=(told,))).axes
        drawn, hollow = (line for line in axes.lines if len(line.get_xdata()))
        assert drawn.get_linestyle() == style
        assert list(drawn.get_ydata()) == [r.predicted for r in rows]
        assert list(hollow.get_ydata()) == [r.predicted for r in rows[1:]]
        assert hollow.get_markerfacecolor() == "white"


def test_a_study_of_two_workloads_is_compared():
    samples = [sample(p) for p in every()]
    flat = [sample(p, lambda p: 10.0 + p["flit"]) for p in every()]
    found = answers(explored(samples, None, flat=flat))
    assert found.likeness.distances[0][1] == pytest.approx(1, abs=0.01)
    without = replace(found.explored, workloads=found.explored.workloads[:1])
    assert answers(without).likeness is None
