"""The figures of benchmarks/stargazer.py, of surfaces that are known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from benchmarks import stargazer
from benchmarks.stargazer_parts import accuracy, figures, others, samples, speed
from benchmarks.stargazer_parts.samples import DEFAULTS, NAMES, Series
from tests.unit.regression_surfaces import SMALL, STARGAZER, TABLE_2, runtime, sampled
from warpmill.exploring.explored import OfWorkload, PointSample
from warpmill.exploring.space_file import space_called, space_of_text
from warpmill.simulator.machines import load_machine
from warpmill.simulator.regression.fit import fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.model import words_of_term
from warpmill.simulator.regression.parameters import DesignParameter
from warpmill.simulator.regression.predict import predict

PARAMETERS = STARGAZER.parameters
TRAINED, TESTED = 120, 40
THRESHOLDS = (1e-4, 0.0)
"""Of a trace."""


@pytest.fixture(autouse=True)
def few_points(monkeypatch):
    """Test with 40 points, twice."""
    monkeypatch.setattr(accuracy, "TESTED", TESTED)
    monkeypatch.setattr(accuracy, "TRIES", 2)


def series_of(figure, count=TRAINED + TESTED, where=STARGAZER, noise=0.0):
    points, measured = sampled(where, figure, count, noise)
    return Series("planted", "planted", tuple(points), tuple(measured))


@pytest.fixture(scope="module")
def planted():
    return series_of(runtime)


# ------------------------------------------------------------------------------------- accuracy


def test_splits_are_the_papers(monkeypatch):
    monkeypatch.undo()
    tries = list(accuracy.splits(samples.POINTS))
    assert [(len(train), len(test)) for train, test in tries] == [(300, 200)] * 5
    assert all(sorted(train + test) == list(range(500)) for train, test in tries)
    assert len({tuple(test) for _, test in tries}) == 5
    assert tries == list(accuracy.splits(samples.POINTS))
    assert max(accuracy.SIZES) == accuracy.MOST == 300


def test_all_sizes_are_tested_with_the_same_points(planted, monkeypatch):
    trained, tested, taken, told = [], [], accuracy.samples_of, accuracy.told
    monkeypatch.setattr(accuracy, "samples_of", lambda *a: trained.append(list(a[1])) or taken(*a))
    monkeypatch.setattr(accuracy, "told", lambda *a: tested.append(list(a[2])) or told(*a))
    found = accuracy.accuracy(planted, PARAMETERS, 0.01, sizes=(30, 60))
    assert [one["samples"] for one in found] == [30, 60]
    assert [len(points) for points in trained] == [30, 30, 60, 60]
    assert tested[:2] == tested[2:]
    assert len(tested[0]) == TESTED
    assert tested[0] != tested[1]
    assert [points[:30] for points in trained[2:]] == trained[:2]
    assert not any(p in test for train, test in zip(trained, tested, strict=True) for p in train)


def steps(point):
    return {8: 400.0, 16: 200.0, 32: 100.0}[point["simd"]]


def test_errors_are_relative_to_what_was_measured(monkeypatch):
    """A model that is right for most points, and a fifth too small for the others."""
    exact = series_of(steps)
    model = fit_terms(samples_of(PARAMETERS, exact.points, exact.measured), [("simd",)])
    narrow = replace(model, residual_variance=1e-6)
    monkeypatch.setattr(accuracy, "fit_stepwise", lambda *_, **__: narrow)
    slow = {k for k in range(len(exact.points)) if k % 10 == 0}
    measured = (v * (1.25 if k in slow else 1.0) for k, v in enumerate(exact.measured))
    series = replace(exact, measured=tuple(measured))
    share = [len(slow.intersection(test)) / TESTED for _, test in accuracy.splits(160)]
    (found,) = accuracy.accuracy(series, PARAMETERS, 0.0, sizes=(30,))
    assert found["mean"] == pytest.approx(20 * sum(share) / 2)
    assert found["max"] == pytest.approx(20)
    assert found["held"] == pytest.approx(1 - sum(share) / 2)
    assert (found["unknown"], found["parameters"], found["pairs"]) == (0, 1, 0)
    assert found["quantiles"] == {"0.75": pytest.approx(0, abs=1e-9), "0.98": pytest.approx(20)}


def test_largest_errors_are_of_all_tries():
    made = [SimpleNamespace(mean_percent=2.0, maximum_percent=3.0, each=(1.0, 3.0)),
            SimpleNamespace(mean_percent=6.0, maximum_percent=9.0, each=(3.0, 9.0))]  # fmt: skip
    found = accuracy.summed(made)
    assert (found["mean"], found["max"]) == (4.0, 9.0)
    assert found["quantiles"]["0.75"] == pytest.approx(4.5)


def test_a_planted_surface_is_found(planted):
    (found,) = accuracy.accuracy(planted, PARAMETERS, 0.0, sizes=(TRAINED,))
    assert found["mean"] < 0.2
    assert found["max"] < 2.0
    assert found["r_squared"] > 0.9999
    assert found["adjusted_r_squared"] > 0.999
    assert found["parameters"] >= 5
    assert found["pairs"] >= 2


def test_three_factors_are_width_and_blocks(planted):
    """They tell what depends on these two, which interact, and nothing else."""
    own = series_of(lambda point: 1e6 / point["simd"] * (1 + 2 / point["#blk"]))
    assert accuracy.of_three_factors(own, PARAMETERS)["max"] < 1e-6
    assert accuracy.of_three_factors(planted, PARAMETERS)["mean"] > 1.0


def cut(point):
    return 100.0 + 10 * point["a"] * point["b"]


def unknown_series():
    """Make samples of which those to train with lack a corner: a = 8 with b = 3."""
    points, measured = sampled(SMALL, cut, 72)
    corner = [k for k, p in enumerate(points) if (p["a"], p["b"]) == (8, 3)]
    rest = [k for k in range(72) if k not in corner]
    return Series("cut", "cut", tuple(points), tuple(measured)), rest[:50], [*corner, *rest[50:]]


def test_points_that_nothing_is_known_of_are_counted_and_judged(monkeypatch):
    series, train, test = unknown_series()
    monkeypatch.setattr(accuracy, "splits", lambda _: [(train, test)])
    (found,) = accuracy.accuracy(series, SMALL.parameters, 0.0, sizes=(50,))
    unknown = sum(series.points[k]["a"] == 8 and series.points[k]["b"] == 3 for k in test)
    assert found["unknown"] == unknown == 6
    # the model is right wherever it knows, and judged at the corner as well
    assert found["max"] > 1.0
    assert found["mean"] == pytest.approx(found["max"] * unknown / len(test), rel=1e-6)


def test_unknown_points_are_told_by_the_terms_that_are_known_everywhere():
    series, train, test = unknown_series()
    own = samples_of(SMALL.parameters, *series.only(train))
    model = fit_terms(own, [("a",), ("b",), ("b", "a")])
    assert model.dropped
    points, _ = series.only(test)
    values, low, high, unknown = accuracy.told(model, own, points)
    corner = np.array([p["a"] == 8 and p["b"] == 3 for p in points])
    assert unknown == corner.sum() > 0
    of_model, of_both = predict(model, points), predict(fit_terms(own, [("a",), ("b",)]), points)
    for found, name in ((values, "values"), (low, "low"), (high, "high")):
        assert found[~corner] == pytest.approx(getattr(of_model, name)[~corner])
        assert found[corner] == pytest.approx(getattr(of_both, name)[corner])


# -------------------------------------------------------------------------------------- figures


@pytest.fixture(scope="module")
def traced(planted):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accuracy, "TESTED", TESTED)
        return figures.trace(planted, PARAMETERS, THRESHOLDS)


def training(series):
    return samples_of(PARAMETERS, *series.only(next(accuracy.splits(len(series.points)))[0]))


def test_the_trace_is_that_of_the_model(planted, traced):
    model = fit_stepwise(training(planted), theta=THRESHOLDS[0], phi=THRESHOLDS[1])
    *rows, last = traced["rows"]
    assert [row["chosen"] for row in rows] == [words_of_term(term) for term in model.terms]
    assert [row["r_squared"] for row in rows] == [
        pytest.approx(step.r_squared) for step in model.steps
    ]
    assert len(model.terms) > 4
    assert last["chosen"] is None
    assert traced["thresholds"] == list(THRESHOLDS)


def test_scores_are_those_of_statsmodels(planted, traced):
    own = training(planted)
    chosen = []
    compared = 0
    for row in traced["rows"]:
        for term, (r_squared, adjusted) in row["scores"].items():
            design = [own.of_term(tuple(name.split(":"))) for name in (*chosen, term)]
            columns = np.hstack([np.ones((TRAINED, 1)), *design])
            fitted = OLS(own.measured, columns).fit()
            assert r_squared == pytest.approx(fitted.rsquared, abs=1e-9)
            assert adjusted == pytest.approx(fitted.rsquared_adj, abs=1e-9)
            compared += 1
        if row["chosen"]:
            chosen.append(row["chosen"])
    assert compared > 40


def test_contributions_are_of_the_first_training_set(planted):
    found = figures.contributions(planted, PARAMETERS, 0.01)
    model = fit_stepwise(training(planted), theta=0.01, phi=0.01)
    assert [term for term, _ in found["terms"]] == [words_of_term(t) for t in model.terms]
    assert sum(each for _, each in found["terms"]) == pytest.approx(found["r_squared"])
    assert found["r_squared"] == model.r_squared


def test_wide_contributions_are_of_wide_samples_alone(planted):
    found = figures.contributions_of_wide(planted, PARAMETERS, 0.01)
    own = [k for k, point in enumerate(planted.points) if point["simd"] == 32]
    rest = [each for each in PARAMETERS if each.name != "simd"]
    model = fit_stepwise(samples_of(rest, *planted.only(own)), theta=0.01, phi=0.01)
    assert found["samples"] == len(own) < len(planted.points)
    assert found["terms"] == list(zip(map(words_of_term, model.terms), model.gains, strict=True))
    assert not any("simd" in term for term, _ in found["terms"])
    whole = figures.contributions(planted, PARAMETERS, 0.01)["terms"]
    assert any(term == "simd" for term, _ in whole)


def test_along_blocks_there_are_sixteen_points():
    space = space_called("stargazer")
    text = figures._with_values(space.text, DEFAULTS)
    found = space_of_text(text, "blocks", "blocks.toml", space.folder).design
    assert found.count == 16
    points = [found.point(k) for k in range(16)]
    assert sorted(point["#blk"] for point in points) == list(range(1, 17))
    assert all({**point, "#blk": 8} == DEFAULTS for point in points)


def test_defaults_are_the_base_machines():
    space = space_called("stargazer")
    machine, base = space.machine(DEFAULTS), load_machine(space.base)
    keys = {key for each in space.parameters if each.name not in {"#blk", "t$"}
            for key in each.realisation.keys} | {"sm.max_blocks"}  # fmt: skip
    assert len(keys) >= len(DEFAULTS) - 1
    assert [key for key in keys if machine[key].value != base[key].value] == []


@pytest.mark.slow
def test_simulations_along_blocks_have_both_times(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "BLOCKS", (1, 4))
    space, store = space_called("stargazer"), tmp_path / "s.db"
    found = figures.along_blocks(space, "nw:tiny", store, 1, None)
    assert found["blocks"] == [1, 4]
    assert all(0 < cut <= whole for cut, whole in
               zip(found["adjusted_us"], found["time_us"], strict=True))  # fmt: skip


def test_predictions_along_blocks_are_those_of_raw_values_where_samples_are(planted):
    found = figures.predicted_along_blocks(planted, PARAMETERS)
    at = [found["blocks"].index(value) for value in TABLE_2["#blk"]]
    points = [{**DEFAULTS, "#blk": value} for value in TABLE_2["#blk"]]
    for key in ("values", "raw"):
        assert [found[key][k] for k in at] == pytest.approx([runtime(p) for p in points], rel=0.01)
    assert [found["values"][k] for k in at] == pytest.approx([found["raw"][k] for k in at])
    between = [k for k in range(16) if k not in at]
    truth = [runtime({**DEFAULTS, "#blk": found["blocks"][k]}) for k in between]
    assert [found["values"][k] for k in between] == pytest.approx(truth, rel=0.1)
    assert [found["raw"][k] for k in between] != pytest.approx(truth, rel=0.5)
    assert all(a < b < c for a, b, c in zip(*(found[k] for k in ("low", "values", "high")),
                                            strict=True))  # fmt: skip


# ------------------------------------------------------------------------- samples, others, speed


@pytest.mark.slow
def test_workloads_are_simulated_at_the_same_points(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "PRESET", "tiny")
    monkeypatch.setattr(samples, "POINTS", 4)
    found = samples.simulated(["aes-128", "nw"], tmp_path / "s.db", 1, None)
    assert list(found.series) == ["AES", "AES-adj", "nw"]
    assert found.space.name == "stargazer"
    each = list(found.series.values())
    assert len(each[0].points) == 4
    assert each[0].points == each[1].points == each[2].points
    assert each[0].workload == each[1].workload == "aes-128"
    assert all(0 < cut <= whole for whole, cut in
               zip(each[0].measured, each[1].measured, strict=True))  # fmt: skip
    facts = found.facts["nw"]
    assert (facts["workload"], set(found.facts)) == ("nw", {"AES", "nw"})
    assert (facts["fastest_us"], facts["slowest_us"]) == (
        min(each[2].measured), max(each[2].measured),
    )  # fmt: skip
    assert facts["launches"] > 1
    assert facts["warp_instructions"] > 0
    assert facts["simulation_s"] > 0


def test_a_point_that_cannot_be_simulated_ends_it(monkeypatch):
    broken = OfWorkload("nw:tiny", (PointSample({}, {}, {}, problem="too many registers"),))
    monkeypatch.setattr(samples, "explore", lambda *_, **__: SimpleNamespace(workloads=[broken]))
    with pytest.raises(SystemExit, match="nw: too many registers"):
        samples.simulated(["nw"], None, 1, None)


def straight(point):
    return 500.0 + 7 * point["simd"] - 3 * point["#blk"] + 2 * point["dramq"]


def test_a_linear_model_finds_what_is_linear(monkeypatch):
    monkeypatch.setattr(others, "KINDS", ("linear", "forest"))
    monkeypatch.setattr(others, "TREES", 5)
    found = others.judged(series_of(straight, 90), PARAMETERS, sizes=(20, 50))
    assert [one["samples"] for one in found] == [20, 50]
    assert all(one["linear"]["max"] < 1e-6 for one in found)
    assert found[1]["forest"]["max"] > found[1]["forest"]["mean"] > 1.0


def test_a_gaussian_process_finds_what_is_smooth(monkeypatch):
    monkeypatch.setattr(accuracy, "TRIES", 1)
    monkeypatch.setattr(others, "KINDS", ("gaussian",))
    (found,) = others.judged(series_of(straight, 90, noise=0.01), PARAMETERS, sizes=(50,))
    assert found["gaussian"]["mean"] < 2.0


def test_a_linear_model_does_not_find_what_is_not(monkeypatch, planted):
    monkeypatch.setattr(others, "KINDS", ("linear",))
    (found,) = others.judged(planted, PARAMETERS, sizes=(TRAINED,))
    assert found["linear"]["mean"] > 5.0


def test_models_are_timed(planted):
    small = SimpleNamespace(design=replace_space({**TABLE_2, "c$": (1,), "t$": (1,), "ccp": (1,)}))
    found = speed.of_models({"steps": series_of(steps), "planted": planted}, small, 0.01)
    model = fit_stepwise(training(planted), theta=0.01, phi=0.01)
    assert found["coefficients"] == len(model.coefficients)
    assert found["points"] == small.design.count
    assert min(found["fit_s"], found["predict_s"], found["predict_intervals_s"]) > 0


def replace_space(values):
    parameters = tuple(DesignParameter(name, own) for name, own in values.items())
    return replace(STARGAZER, parameters=parameters)


def test_workloads_are_those_of_the_paper():
    known = stargazer.known_workloads()
    assert set(known) == set(NAMES)
    assert len(known) == 11
