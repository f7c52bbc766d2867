"""Stepwise selection: Algorithm 1 by Table 1's figures, by hand, and beside a slow twin."""

import math
from itertools import product

import numpy as np
import pytest

from tests.reference import stepwise_twin
from tests.sampling.regression_surfaces import (
    SMALL,
    STARGAZER,
    TABLE_2,
    runtime,
    sampled,
    small_figure,
    space,
)
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.fit import (
    FIXED_TERMS,
    Score,
    fit_stepwise,
    fit_terms,
    samples_of,
    select_terms,
    term_of,
)
from warpmill.simulator.regression.model import words_of_term
from warpmill.simulator.regression.parameters import DesignParameter


def in_columns(text, *left_out):
    """A row of Table 1 by the names of its columns."""
    names = [name for name in TABLE_2 if name not in left_out]
    return dict(zip(names, map(float, text.split()), strict=True))


TABLE_1 = {
    (): in_columns("0.719 0.023 0.004 0.004 0.004 0.154 0.001 0.009 0.014 0.002"),
    ("#blk",): in_columns("0.717 0.718 0.719 0.716 0.851 0.716 0.719 0.718 0.718", "#blk"),
    ("#blk", "simd"): {"simd:#blk": 0.967},
    ("#blk", "simd", "simd:#blk"): in_columns(
        "0.967 0.967 0.971 0.967 0.967 0.969 0.972 0.967", "#blk", "simd"
    ),
    ("#blk", "simd", "simd:#blk", "intra"): {"intra:#blk": 0.9730, "intra:simd": 0.9728},
    ("#blk", "simd", "simd:#blk", "intra", "intra:#blk"): {
        "intra:simd": 0.9737,
        **in_columns("0.9729 0.9728 0.9769 0.9729 0.9728 0.9748 0.9729", "#blk", "simd", "intra"),
    },
}
"""What each tentative model scores, by the model so far: R² first, then adjusted R²."""
AFTER = {1: 0.719, 2: 0.853, 3: 0.968, 4: 0.9727, 5: 0.9745}


class Printed:
    """A model that scores what the paper's Table 1 says."""

    def __init__(self):
        self.terms = ()

    def score(self, term):
        figure = TABLE_1[self.terms][words_of_term(term)]
        return Score(figure, figure)

    def add(self, term):
        self.terms += (words_of_term(term),)
        return AFTER.get(len(self.terms), math.nan)


def test_table_1_is_decided_as_it_is_printed():
    model = Printed()
    chosen = select_terms(list(TABLE_2), model, theta=0.003, phi=0)
    assert chosen == (("#blk",), ("simd",), ("simd", "#blk"), ("intra",), ("intra", "#blk"))
    assert tuple(map(words_of_term, chosen)) == model.terms


@pytest.mark.parametrize(("theta", "terms"), [(0.14, 1), (0.131, 3), (0.0041, 3), (0.0039, 5)])
def test_a_higher_threshold_ends_table_1_sooner(theta, terms):
    assert len(select_terms(list(TABLE_2), Printed(), theta, phi=0)) == terms


class Told:
    """A model that scores what it is told; R² grows by what is given."""

    def __init__(self, scores, after):
        self.scores, self.after, self.terms = scores, iter(after), []

    def score(self, term):
        return self.scores.get(words_of_term(term))

    def add(self, term):
        self.terms.append(words_of_term(term))
        return next(self.after)


def test_the_first_term_is_chosen_by_r_squared_and_others_by_adjusted_r_squared():
    scores = {"a": Score(0.5, 0.4), "b": Score(0.6, 0.3), "c": Score(0.7, 0.8), "d": None}
    model = Told(scores, [0.7, 0.8, 0.9])
    select_terms("dbac", model, theta=-1, phi=0)
    assert model.terms == ["c", "a", "b"]


@pytest.mark.parametrize(("more", "terms"), [(1e-13, ["a"]), (1e-11, ["a", "b"])])
def test_what_rounding_makes_is_no_gain(more, terms):
    model = Told({"a": Score(0.5, 0.5), "b": Score(0.5, 0.5 + more)}, [0.5, 0.5])
    select_terms("ab", model, theta=0, phi=0)
    assert model.terms == terms


def fitted(where, points, measured, **options):
    return fit_stepwise(samples_of(where.parameters, points, measured), **options)


SURFACES = {
    "the paper's space": (STARGAZER, runtime, 120, 0.01, 0.0, 0.0),
    "fewer terms": (STARGAZER, runtime, 120, 0.01, 0.01, 0.01),
    "few samples": (STARGAZER, runtime, 30, 0.02, 0.0, 0.0),
    "terms but no interactions": (STARGAZER, runtime, 80, 0.01, 0.0, 0.5),
    "words": (SMALL, small_figure, 60, 0.02, 0.0, 0.0),
    "words, few samples": (SMALL, small_figure, 14, 0.02, 0.0, 0.0),
    "noise alone": (SMALL, lambda _: 100, 50, 0.1, 0.0, 0.0),
    "everything until samples run out": (SMALL, small_figure, 25, 0.3, -0.2, -0.2),
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_terms_are_those_of_the_slow_twin(name, seed):
    where, figure, count, noise, theta, phi = SURFACES[name]
    points, measured = sampled(where, figure, count, noise, seed)
    model = fitted(where, points, measured, theta=theta, phi=phi)
    terms, r_squared = stepwise_twin.stepwise(where.names, points, measured, theta, phi)
    assert list(model.terms) == terms
    assert [step.r_squared for step in model.steps] == pytest.approx(r_squared, abs=1e-9)
    last = stepwise_twin.fitted(points, measured, terms)
    assert model.steps[-1].adjusted == pytest.approx(last.rsquared_adj, abs=1e-9)
    assert model.aic == pytest.approx(last.aic, rel=1e-9)
    assert model.residual_variance == pytest.approx(last.mse_resid, rel=1e-8)


def test_planted_interactions_are_found():
    points, measured = sampled(STARGAZER, runtime, 300, 0.005)
    model = fitted(STARGAZER, points, measured, theta=0.0, phi=0.0)
    assert {frozenset(t) for t in model.terms} >= {
        frozenset(t)
        for t in (("simd",), ("#blk",), ("simd", "#blk"), ("intra",), ("intra", "#blk"))
    }
    assert model.r_squared > 0.999
    assert "mshr" not in model.used
    assert sum(model.gains) == pytest.approx(model.r_squared)


def test_without_noise_nothing_enters_for_rounding():
    points, measured = sampled(SMALL, small_figure, 60)
    model = fitted(SMALL, points, measured, theta=0.0, phi=0.0)
    assert set(model.used) == {"a", "b", "w"}
    assert model.r_squared == pytest.approx(1, abs=1e-12)


def test_r_squared_by_hand():
    line = (DesignParameter("x", (0, 1)),)
    samples = samples_of(line, [{"x": 0}, {"x": 0}, {"x": 1}, {"x": 1}], [1, 3, 5, 7])
    model = fit_stepwise(samples)
    (step,) = model.steps
    assert step.r_squared == pytest.approx(1 - 4 / 20)  # means 2 and 6; 4 of 4² + 2² + 2² - 4
    assert step.adjusted == pytest.approx(1 - 4 / 20 * 3 / 2)
    assert model.coefficients == pytest.approx((2, 4))
    assert model.residual_variance == pytest.approx(4 / 2)
    assert model.covariance == pytest.approx(2 * np.array([[0.5, -0.5], [-0.5, 1]]))
    assert model.t_values == pytest.approx((2 / 1, 4 / math.sqrt(2)))
    assert model.aic == pytest.approx(4 * (1 + math.log(2 * math.pi * 4 / 4)) + 2 * 2)


def test_the_fixed_three_factors():
    points, measured = sampled(STARGAZER, runtime, 100, 0.01)
    model = fit_terms(samples_of(STARGAZER.parameters, points, measured), FIXED_TERMS)
    assert model.terms == (("simd",), ("#blk",), ("simd", "#blk"))
    assert len(model.coefficients) == 1 + 2 + 4 + 8
    twin = stepwise_twin.fitted(points, measured, FIXED_TERMS)
    assert model.r_squared == pytest.approx(twin.rsquared, abs=1e-10)
    assert (model.theta, model.phi) == (None, None)


def test_columns_that_follow_from_others_are_dropped():
    both = (DesignParameter("x", (0, 1, 2)), DesignParameter("y", (0, 2, 4)))
    points = [{"x": k % 3, "y": 2 * (k % 3)} for k in range(9)]
    measured = [1.0, 4, 2, 1.5, 4.5, 2, 1, 4, 2.5]
    model = fit_terms(samples_of(both, points, measured), [("x",), ("y",)])
    assert [step.columns for step in model.steps] == [(0, 1), ()]
    assert model.gains[1] == pytest.approx(0, abs=1e-12)
    assert fit_stepwise(samples_of(both, points, measured), theta=-1).terms == (("x",),)


def test_no_model_has_as_many_columns_as_samples():
    points, measured = sampled(SMALL, small_figure, 9, 0.5)
    model = fitted(SMALL, points, measured, theta=-9, phi=-9)
    assert model.freedom >= 1
    samples = samples_of(SMALL.parameters, points, measured)
    with pytest.raises(UsageError, match="too few for the terms up to w"):
        fit_terms(samples, [("a",), ("b",), ("c",), ("w",)])  # 1 + 3 + 2 + 1 + 2 columns
    with pytest.raises(UsageError, match="too few for a term"):
        fitted(space({"a": (1, 2, 3)}), [{"a": 1}, {"a": 2}, {"a": 3}], [1, 2, 4])


def test_equal_values_make_a_model_without_terms():
    points, _ = sampled(SMALL, small_figure, 20)
    model = fitted(SMALL, points, [1e9 / 3] * 20)
    assert model.terms == ()
    assert model.r_squared == 0
    assert model.coefficients == pytest.approx((1e9 / 3,))


def test_scales_and_the_order_of_samples_do_not_matter():
    points, measured = sampled(SMALL, small_figure, 40, 0.05)
    model = fitted(SMALL, points, measured)
    for factor in (1e-100, 1e100):
        scaled = fitted(SMALL, points, [value * factor for value in measured])
        assert scaled.terms == model.terms
        assert scaled.r_squared == pytest.approx(model.r_squared)
    assert fitted(SMALL, points[::-1], measured[::-1]).terms == model.terms


def test_the_first_of_equal_terms_is_chosen():
    pair = (DesignParameter("y", (1, 2)), DesignParameter("x", (1, 2)))
    points = [{"x": a, "y": b} for a, b in product((1, 2), repeat=2)] * 2
    measured = [p["x"] + p["y"] + k / 10 for p, k in zip(points, range(8), strict=True)]
    symmetric = [p["x"] + p["y"] + 0.1 * (k > 3) for k, p in enumerate(points)]
    assert fit_stepwise(samples_of(pair, points, symmetric)).terms[0] == ("y",)
    assert fit_stepwise(samples_of(pair, points, measured)).terms[0] == ("x",)


BAD = {
    "a value too few": (lambda s: samples_of(s, [{"a": 1}] * 4, [1] * 3), "4 points and 3"),
    "two samples": (lambda s: samples_of(s, [{"a": 1}] * 2, [1, 2]), "2 samples are too few"),
    "one sample": (lambda s: samples_of(s, [{"a": 1}], [1]), "1 sample is too few for a model"),
    "nan": (lambda s: samples_of(s, [{"a": 1}] * 3, [1, math.nan, 2]), "sample 1"),
    "no such parameter": (lambda s: samples_of(s, [{"b": 1}] * 3, [1, 2, 3]), "has no a"),
    "log2 of none": (lambda s: samples_of(s, [{"a": 1}] * 3, [1, 2, 3], ["b"]), "parameter `b`"),
    "no term": (lambda s: fit_terms(ok(s), [("a", "a")]), "two unlike"),
    "a term of none": (lambda s: fit_terms(ok(s), [("b",)]), "there is no parameter `b`"),
    "a term twice": (lambda s: fit_terms(ok(s), [("a",), ("a",)]), "twice"),
    "a threshold": (lambda s: fit_stepwise(ok(s), theta=math.nan), "thresholds"),
    "nothing varied": (lambda s: fit_stepwise(samples_of(s, [{"a": 1}] * 4, [1, 2, 3, 4])), "none"),
}


def ok(parameters):
    return samples_of(parameters, [{"a": k % 2} for k in range(6)], [1, 2, 3, 4, 5, 7])


@pytest.mark.parametrize("name", BAD)
def test_bad_samples(name):
    make, words = BAD[name]
    with pytest.raises(UsageError, match=words):
        make((DesignParameter("a", (0, 1)),))


def test_terms_are_read():
    assert term_of("simd:#blk") == ("simd", "#blk")
    assert term_of(" simd ") == ("simd",)
