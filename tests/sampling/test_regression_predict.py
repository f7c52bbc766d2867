"""Predictions and their intervals, beside statsmodels; models as text; response curves."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from tests.reference import stepwise_twin
from tests.sampling.regression_surfaces import (
    SMALL,
    STARGAZER,
    runtime,
    sampled,
    small_figure,
    space,
)
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.simulator.regression.draws import draw
from warpmill.simulator.regression.fit import fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.model import (
    checked,
    coefficients_of,
    formula_of,
    model_of,
    model_text,
)
from warpmill.simulator.regression.parameters import DesignParameter
from warpmill.simulator.regression.predict import (
    PredictionInterval,
    Predictor,
    predict,
    predict_space,
    response_curve,
)

POINTS, MEASURED = sampled(STARGAZER, runtime, 150, 0.01)
MODEL = fit_stepwise(samples_of(STARGAZER.parameters, POINTS, MEASURED), theta=0.0, phi=0.0)
SMALL_POINTS, SMALL_MEASURED = sampled(SMALL, small_figure, 50, 0.02)
SMALL_SAMPLES = samples_of(SMALL.parameters, SMALL_POINTS, SMALL_MEASURED)
OF_WORDS = fit_stepwise(SMALL_SAMPLES, theta=0.0, phi=0.0)


@pytest.mark.parametrize(
    ("model", "where", "points", "measured"),
    [(MODEL, STARGAZER, POINTS, MEASURED), (OF_WORDS, SMALL, SMALL_POINTS, SMALL_MEASURED)],
    ids=["numbers", "words"],
)
@pytest.mark.parametrize("level", [0.95, 0.5])
def test_values_and_intervals_are_those_of_statsmodels(model, where, points, measured, level):
    new = draw(where, 20, seed=9, besides=points)
    twin = stepwise_twin.fitted(points, measured, model.terms)
    frame = twin.get_prediction(stepwise_twin.design(new, points, model.terms))
    frame = frame.summary_frame(alpha=1 - level)
    point = predict(model, new, interval=PredictionInterval("point", level))
    mean = predict(model, new, interval=PredictionInterval("mean", level))
    assert point.values == pytest.approx(frame["mean"].to_numpy(), rel=1e-8)
    assert point.low == pytest.approx(frame["obs_ci_lower"].to_numpy(), rel=1e-7)
    assert point.high == pytest.approx(frame["obs_ci_upper"].to_numpy(), rel=1e-7)
    assert mean.low == pytest.approx(frame["mean_ci_lower"].to_numpy(), rel=1e-7)
    assert mean.high == pytest.approx(frame["mean_ci_upper"].to_numpy(), rel=1e-7)
    assert predict(model, new, interval=None).values.tolist() == point.values.tolist()
    assert predict(model, new, interval=None).low is None


def test_intervals_hold_what_they_say():
    new, measured = sampled(STARGAZER, runtime, 500, 0.01, seed=5)
    found = predict(MODEL, new, interval=PredictionInterval(level=0.9))
    inside = (found.low <= measured) & (measured <= found.high)
    assert 0.8 < inside.mean() < 0.99


def test_a_whole_space_is_predicted_in_its_order():
    tied = STARGAZER.where("c_ == t_", "_blk <= 4", "intra != 2", "ccp == smp")
    assert tied.count > 1 << 14
    parts = list(predict_space(MODEL, tied, interval=PredictionInterval()))
    values = np.concatenate([part.values for _, _, part in parts])
    low = np.concatenate([part.low for _, _, part in parts])
    some = [0, 1, 77, 20_000 % tied.count, tied.count - 1]
    one_by_one = predict(MODEL, [tied.point(k) for k in some])
    assert values[some] == pytest.approx(one_by_one.values, rel=1e-12)
    assert low[some] == pytest.approx(one_by_one.low, rel=1e-9)


def test_chunks_do_not_show(monkeypatch):
    new = draw(STARGAZER, 50, seed=3)
    whole = predict(MODEL, new)
    monkeypatch.setattr("warpmill.simulator.regression.predict.CHUNK", 7)
    parts = predict(MODEL, new)
    assert parts.values.tolist() == whole.values.tolist()
    assert parts.low == pytest.approx(whole.low, rel=1e-12)
    assert predict(MODEL, []).values.shape == (0,)


def test_many_unlike_values_are_multiplied_point_by_point(monkeypatch):
    new = [{**point, "#blk": 1 + k / 7, "simd": 8 + k / 5} for k, point in enumerate(POINTS[:60])]
    by_tables = predict(MODEL, new)
    monkeypatch.setattr("warpmill.simulator.regression.predict._LARGEST_TABLE", 10)
    assert predict(MODEL, new).values == pytest.approx(by_tables.values, rel=1e-12)
    assert predict(MODEL, new).high == pytest.approx(by_tables.high, rel=1e-12)


def test_points_beyond_the_samples_are_told():
    point = dict(POINTS[0])
    found = predict(MODEL, [point, {**point, "simd": 64}, {**point, "mshr": 9}])
    assert found.outside.tolist() == [False, True, True]
    assert "mshr" not in MODEL.used
    assert found.values[2] == found.values[0]
    del point["mshr"]
    assert predict(MODEL, [point]).values[0] == found.values[0]
    del point["simd"]
    with pytest.raises(UsageError, match="has no simd"):
        predict(MODEL, [point])
    with pytest.raises(UsageError, match="needs a value of simd"):
        Predictor(MODEL, {"#blk": (1, 2)})


def test_numbers_between_those_of_samples_are_told_where_they_matter(monkeypatch):
    point = dict(POINTS[0])
    others = [{**point, "#blk": 3}, {**point, "simd": 24.0}, {**point, "mshr": 2.5}]
    others += [{**point, "simd": 64}, {**point, "simd": 64, "#blk": 12}]
    found = predict(MODEL, [point, *others], interval=None)
    assert {"#blk", "simd"} <= set(MODEL.used)
    assert "mshr" not in MODEL.used
    assert found.between.tolist() == [False, True, True, False, False, True]
    assert found.outside.tolist() == [False] * 4 + [True] * 2
    monkeypatch.setattr("warpmill.simulator.regression.predict.CHUNK", 2)
    assert predict(MODEL, [point, *others]).between.tolist() == found.between.tolist()
    assert found.known.all()  # errors are told of them


def test_a_word_that_no_sample_has_is_unknown():
    words = (DesignParameter("w", ("a", "b", "c")), DesignParameter("x", (0, 1)))
    points = [{"w": "ba"[k % 2], "x": k // 2 % 2} for k in range(8)]
    model = fit_terms(samples_of(words, points, [1.0, 2, 4, 3, 1.5, 2, 4, 3]), [("w",), ("x",)])
    found = predict(model, [{"w": w, "x": 0} for w in "abc"])
    assert found.known.tolist() == [True, True, False]
    assert found.outside.tolist() == [False, False, True]
    assert np.isnan(found.low[2])
    assert found.values[:2] == pytest.approx([2.5 + 1.625 - 2.5625, 2.625 + 1.625 - 2.5625])


def test_two_words_that_no_sample_has_together_are_unknown():
    pair = (DesignParameter("v", ("a", "b")), DesignParameter("w", ("c", "d", "e")))
    points = [{"v": v, "w": w} for v in "ab" for w in "cde" if v + w != "be"] * 2
    measured = [float(k * k % 7) for k in range(len(points))]
    alone = fit_terms(samples_of(pair, points, measured), [("v",), ("w",)])
    model = fit_terms(samples_of(pair, points, measured), [("v",), ("w",), ("v", "w")])
    every = [{"v": v, "w": w} for v in "ab" for w in "cde"]
    assert len(model.dropped) == 1
    assert predict(alone, every).known.all()
    assert predict(model, every).known.tolist() == [True] * 5 + [False]
    assert predict(model_of(model_text(model)), every).known.tolist() == [True] * 5 + [False]


def test_no_interval():
    for wrong in (("both", 0.9), ("point", 0), ("mean", 1.0)):
        with pytest.raises(UsageError, match="an interval is"):
            PredictionInterval(*wrong)


def test_response_curves():
    at = {**POINTS[0], "#blk": 16}
    curve = response_curve(MODEL, "#blk", at)
    assert curve.values == (1, 2, 4, 8, 16)
    wanted = predict(MODEL, [{**at, "#blk": value} for value in curve.values])
    assert curve.prediction.values.tolist() == wanted.values.tolist()
    assert curve.prediction.high.tolist() == wanted.high.tolist()
    assert curve.prediction.values[0] > curve.prediction.values[-1]  # Figure 7
    dense = response_curve(MODEL, "#blk", at, 31)
    assert (len(dense.values), dense.values[0], dense.values[-1]) == (31, 1, 16)
    basis = MODEL.basis("#blk")
    at_knots = predict(MODEL, [{**at, "#blk": k} for k in basis.knots], interval=None).values
    spline = CubicSpline(basis.knots, at_knots, bc_type="natural")(dense.values)
    assert dense.prediction.values == pytest.approx(spline, rel=1e-8)
    assert response_curve(MODEL, "#blk", at, [3, 5]).values == (3, 5)
    words = response_curve(OF_WORDS, "w", SMALL_POINTS[0])
    assert words.values == ("gto", "lrr", "two")
    assert ("w", "gto") not in words.at
    with pytest.raises(UsageError, match="cannot be varied in 5 steps"):
        response_curve(OF_WORDS, "w", SMALL_POINTS[0], 5)
    with pytest.raises(UsageError, match="no parameter `simt`; did you mean `simd`"):
        response_curve(MODEL, "simt", at)


def test_logarithms_are_another_model():
    logs = fit_terms(samples_of(STARGAZER.parameters, POINTS, MEASURED, ["#blk"]), [("#blk",)])
    raw = fit_terms(samples_of(STARGAZER.parameters, POINTS, MEASURED), [("#blk",)])
    own = [{"#blk": v} for v in (1, 2, 4, 8, 16)]  # five knots tell five values either way
    assert predict(logs, own).values == pytest.approx(predict(raw, own).values, rel=1e-8)
    means = [np.mean([m for p, m in zip(POINTS, MEASURED, strict=True) if p["#blk"] == v])
             for v in (1, 2, 4, 8, 16)]  # fmt: skip
    assert predict(raw, own).values == pytest.approx(means, rel=1e-8)
    between = predict(logs, [{"#blk": 12}], interval=None).values[0]
    assert means[4] * 0.9 < between < means[3] * 1.1  # where a spline of raw values swings
    dense = response_curve(logs, "#blk", {}, 5).values
    assert dense == pytest.approx((1, 2, 4, 8, 16))


@pytest.mark.parametrize("model", [MODEL, OF_WORDS], ids=["numbers", "words"])
def test_models_are_written_and_read_to_the_last_bit(model):
    text = model_text(model)
    again = model_of(text)
    assert again == model
    assert model_text(again) == text
    points = POINTS if model is MODEL else SMALL_POINTS
    assert predict(again, points).low.tolist() == predict(model, points).low.tolist()
    assert json.loads(text)["model"]["steps"][0]["term"] == list(model.terms[0])


def damaged():
    data = json.loads(model_text(OF_WORDS))
    yield "nothing", "{}"
    yield "no JSON", model_text(OF_WORDS)[:-20]
    yield "another version", json.dumps({**data, "regression_model": 2})
    yield "true", json.dumps({**data, "regression_model": True})
    for name in (f.name for f in fields(OF_WORDS)):
        for wrong in ("x", [], [[1, 2]], -1, None, {"a": 1}):
            allowed = data["model"][name] == wrong or (wrong, name) in {
                ("x", "response"), (-1, "aic"), (None, "aic"), (-1, "theta"), (None, "theta"),
                (-1, "phi"), (None, "phi"),
            } if not isinstance(wrong, list | dict) else data["model"][name] == wrong  # fmt: skip
            if not allowed:
                changed = {**data["model"], name: wrong}
                yield f"{name} {wrong}", json.dumps({**data, "model": changed})


DAMAGED = dict(damaged())


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_models_are_refused(name):
    with pytest.raises(InputError):
        model_of(DAMAGED[name])


def test_models_whose_parts_do_not_fit():
    basis, step = OF_WORDS.bases[0], OF_WORDS.steps[0]
    for wrong in (
        replace(OF_WORDS, samples=len(OF_WORDS.coefficients)),
        replace(OF_WORDS, coefficients=OF_WORDS.coefficients[1:]),
        replace(OF_WORDS, spread=OF_WORDS.spread[::-1]),
        replace(OF_WORDS, bases=OF_WORDS.bases[1:]),
        replace(OF_WORDS, bases=(basis, *OF_WORDS.bases)),
        replace(OF_WORDS, bases=(replace(basis, knots=basis.knots[::-1]), *OF_WORDS.bases[1:])),
        replace(OF_WORDS, bases=(replace(basis, measured=()), *OF_WORDS.bases[1:])),
        replace(OF_WORDS, bases=(replace(basis, measured=("x",)), *OF_WORDS.bases[1:])),
        replace(OF_WORDS, steps=(replace(step, columns=(99,)), *OF_WORDS.steps[1:])),
        replace(OF_WORDS, steps=(replace(step, term=("q",)), *OF_WORDS.steps[1:])),
        replace(OF_WORDS, steps=(replace(step, term=()), *OF_WORDS.steps[1:])),
    ):
        with pytest.raises(InputError, match="do not fit together"):
            checked(wrong)
    assert checked(OF_WORDS) is OF_WORDS


def test_a_perfect_fit_can_be_written():
    points, measured = sampled(SMALL, lambda p: 3.0 * p["b"], 30)
    model = fit_stepwise(samples_of(SMALL.parameters, points, measured))
    assert model_of(model_text(model)) == model
    constant = fit_stepwise(samples_of(SMALL.parameters, points, [0.0] * 30))
    assert constant.aic is None
    assert model_of(model_text(constant)) == constant
    assert predict(constant, points).values.tolist() == [0.0] * 30


def test_formulas():
    two = space({"x": (0, 4), "w": ("a", "b"), "k": (1, 2, 4)})
    points = [two.point(k) for k in range(two.count)]
    measured = [7 + p["x"] + 3 * (p["w"] == "b") * (1 + p["x"] / 4) for p in points]
    model = fit_terms(samples_of(two.parameters, points, measured), [("x",), ("w",), ("w", "x")])
    lines = formula_of(model).splitlines()
    assert lines[0] == "cycles = 7"
    assert [line.partition("  + ")[2] for line in lines[1:4]] == [
        "x(4: 4)", "w(b: 3)", "w:x(b,4: 3)",
    ]  # fmt: skip
    assert lines[3].startswith(f"  R² 1.0000  {model.gains[2]:+.4f}  + w:x")
    assert lines[4] == "x(k: a): the line in x that is 0 at 0, a at k"
    assert lines[5] == "w(w: a, …): a where w is w, 0 where it is a"
    assert model.summary == "cycles ~ x + w + w:x"
    spline = fit_terms(samples_of(two.parameters, points, measured, ["k"]), [("k",)])
    assert formula_of(spline).splitlines()[-1] == (
        "k(k: a, …): the natural cubic spline in log2 of k that is a at k, 0 at 1; knots 1,2,4"
    )


def test_coefficients_are_what_terms_add_at_their_knots():
    found = coefficients_of(OF_WORDS)
    assert [c.value for c in found] == list(OF_WORDS.coefficients)
    assert (found[0].term, found[0].at) == (None, ())
    at = {"a": 1, "b": 1, "c": 5, "w": "gto"}  # the first values: all columns are 0
    (base,) = predict(OF_WORDS, [at], interval=None).values
    assert found[0].value == pytest.approx(base)
    twin = stepwise_twin.fitted(SMALL_POINTS, SMALL_MEASURED, OF_WORDS.terms)
    for each in found[1:]:
        if len(each.parameters) > 1:
            continue
        ((name,), (value,)) = each.parameters, each.at
        (there,) = predict(OF_WORDS, [{**at, name: value}], interval=None).values
        assert there - base == pytest.approx(each.value, rel=1e-6)
    change = stepwise_twin.design([{**at, "w": "two"}], SMALL_POINTS, OF_WORDS.terms)
    change = change - stepwise_twin.design([at], SMALL_POINTS, OF_WORDS.terms)
    (own,) = [c for c in found if (c.term, c.at) == ("w", ("two",))]
    assert own.t_value == pytest.approx(float(twin.t_test(change).tvalue.item()), rel=1e-6)
    perfect = fit_terms(samples_of(SMALL.parameters, SMALL_POINTS, [0.0] * 50), [("a",)])
    assert {c.t_value for c in coefficients_of(perfect)} == {None}
