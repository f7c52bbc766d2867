"""What models are used for: the best points, costs, rankings, likeness, suggestions, errors."""

from functools import cache

import numpy as np
import pytest

from tests.reference import stepwise_twin
from tests.sampling.regression_surfaces import SMALL, sampled, small_figure, space
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.draws import draw
from warpmill.simulator.regression.errors import (
    compare_workloads,
    cross_validate,
    errors,
    rank,
    term_shares,
)
from warpmill.simulator.regression.fit import fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.parameters import DesignParameter
from warpmill.simulator.regression.predict import predict
from warpmill.simulator.regression.search import (
    MOST_SUGGESTED,
    best_points,
    check_costs,
    pareto_front,
    points_left,
    suggest,
    untried,
)

POINTS, MEASURED = sampled(SMALL, small_figure, 50, 0.02)
MODEL = fit_stepwise(samples_of(SMALL.parameters, POINTS, MEASURED), theta=0.0, phi=0.0)
LARGE = space({"x": range(1, 201), "y": range(1, 101), "z": (0, 1)})
LARGE_SAMPLES = sampled(LARGE, lambda p: (p["x"] - 40) ** 2 + 3 * p["y"], 99)
LARGE_MODEL = fit_terms(samples_of(LARGE.parameters, *LARGE_SAMPLES), [("x",), ("y",)])


@cache
def listed(where, model):
    """All points, their values, and the numbers of those whose numbers samples have."""
    points = [where.point(k) for k in range(where.count)]
    samples = LARGE_SAMPLES[0] if model is LARGE_MODEL else POINTS
    known = [{point[name] for point in samples} for name in model.used]
    tried = [k for k, point in enumerate(points)
             if all(point[n] in own for n, own in zip(model.used, known, strict=True))]  # fmt: skip
    return points, predict(model, points, interval=None).values.tolist(), tried


@pytest.mark.parametrize("largest", [False, True])
def test_the_best_points_are_those_of_a_list(largest):
    for where, model in ((SMALL.where("a + b <= 6", "w != gto"), MODEL), (LARGE, LARGE_MODEL)):
        points, values, tried = listed(where, model)
        order = sorted(tried, key=lambda k: (-values[k] if largest else values[k], k))
        found = best_points(model, where, 12, largest=largest, alike=True)
        assert [f.number for f in found] == order[:12]
        assert [f.point for f in found] == [points[k] for k in order[:12]]
        assert [f.predicted for f in found] == pytest.approx([values[k] for k in order[:12]])
        whole = predict(model, [f.point for f in found])
        assert [f.low for f in found] == pytest.approx(whole.low)
        assert [f.high for f in found] == pytest.approx(whole.high)


def test_points_that_the_model_does_not_tell_apart_are_given_once():
    assert LARGE_MODEL.used == ("x", "y")
    twice = best_points(LARGE_MODEL, LARGE, 12, alike=True)
    once = best_points(LARGE_MODEL, LARGE, 6)
    assert [f.number for f in once] == [f.number for f in twice if f.point["z"] == 0]
    failed = [once[0].point, twice[3].point, {"x": -1, "y": 1, "z": 0}]  # the last is none of it
    other = best_points(LARGE_MODEL, LARGE, 6, besides=failed)
    assert [(f.point["x"], f.point["y"]) for f in other] == [
        (f.point["x"], f.point["y"]) for f in once
    ]
    assert [f.point["z"] for f in other] == [1, 0, 0, 0, 0, 0]
    assert set(MODEL.used) == {"a", "w"}
    assert len(best_points(MODEL, SMALL, 1000)) == 4 * 3


@pytest.mark.parametrize("largest", [False, True])
def test_the_pareto_front_is_that_of_a_list(largest):
    sign = -1 if largest else 1
    price = {"a * b + c": lambda p: p["a"] * p["b"] + p["c"],
             "floor((x + 2 * y) / 16) + z": lambda p: (p["x"] + 2 * p["y"]) // 16 + p["z"],
             "5": lambda _: 5}  # fmt: skip
    for where, model, cost in ((SMALL, MODEL, "a * b + c"), (SMALL.where("a < 5"), MODEL, "5"),
                               (LARGE, LARGE_MODEL, "floor((x + 2 * y) / 16) + z")):  # fmt: skip
        points, values, tried = listed(where, model)
        front, best = [], float("inf")
        for k in sorted(tried, key=lambda k: (price[cost](points[k]), sign * values[k], k)):
            if sign * values[k] < best:
                best = sign * values[k]
                front.append((k, price[cost](points[k])))
        found = pareto_front(model, where, cost, largest=largest)
        assert [(f.number, f.cost) for f in found] == front


def test_costs_that_cannot_be():
    for cost, words in (("w + 1", "takes words"), ("1 / (a - 1)", "division by zero"),
                        ("aa", "did you mean `a`|not defined"), ("a +", "the expression ends"),
                        ("9" * 400, "too large")):  # fmt: skip
        with pytest.raises(UsageError, match=words):
            pareto_front(MODEL, SMALL, cost)
    assert pareto_front(MODEL, SMALL.where("a != 1"), "1 / (a - 1)")
    check_costs(SMALL.where("a != 4"), "1 / (a - 4)")
    with pytest.raises(UsageError, match="division by zero"):  # at the third value alone
        check_costs(SMALL, "1 / (a - 4)")
    with pytest.raises(UsageError, match="none"):
        best_points(MODEL, SMALL, 0)
    with pytest.raises(UsageError, match="needs a value of w"):
        best_points(MODEL, space({"a": (1, 2), "b": (1, 2)}))


def test_unknown_points_are_not_the_best():
    pair = space({"v": ("a", "b"), "w": ("c", "d")})
    points = [p for p in map(pair.point, range(4)) if p != {"v": "a", "w": "c"}] * 2
    model = fit_terms(
        samples_of(pair.parameters, points, [1.0, 2, 3, 1, 2, 4]), [("v",), ("w",), ("v", "w")]
    )
    assert len(best_points(model, pair, 4)) == 3
    assert {f.number for f in pareto_front(model, pair, "1")} == {1}


SWINGING = {"b": (1, 2, 4, 8, 16), "s": (8, 16, 32), "c": (1, 2)}
"""A time that falls with b and s; a spline without its samples at 4 has -19 there, not 15."""


def swinging(gone, *conditions):
    """The space, and a model of all samples but those at a value of b."""
    where = space(SWINGING)
    points = [p for p in map(where.point, range(where.count)) if p["b"] != gone]
    measured = [300 / p["s"] + (50 if p["b"] == 1 else 6) for p in points]
    model = fit_terms(samples_of(where.parameters, points, measured), [("s",), ("b",)])
    return space(SWINGING, *conditions), model, points


@pytest.mark.parametrize("gone", [4, 16])
def test_numbers_that_no_sample_has_are_never_the_best(gone):
    where, model, _ = swinging(gone)
    lowest = min(listed_anew(where, model))
    found = best_points(model, where, 1)[0]
    assert lowest[1]["b"] == gone  # a list would have it
    assert lowest[0] < 0 < found.predicted
    assert (found.point["s"], found.predicted) == (32, pytest.approx(300 / 32 + 6))
    assert gone not in {f.point["b"] for f in pareto_front(model, where, "64 - b")}
    assert gone not in {f.point["b"] for f in best_points(model, where, 99, alike=True)}
    assert untried(model, where) == 6
    tied = where.where("b <= s / 2", "c + s <= 33")
    assert untried(model, tied) == sum(
        tied.point(k)["b"] == gone for k in range(tied.count)
    )  # fmt: skip
    assert untried(model, tied) not in (0, tied.count)
    assert best_points(model, where.where(f"b == {gone}"), 3) == ()
    assert untried(*swinging(99)[1::-1]) == 0


def listed_anew(where, model):
    points = [where.point(k) for k in range(where.count)]
    values = predict(model, points, interval=None).values.tolist()
    return [(value, Hashed(point)) for value, point in zip(values, points, strict=True)]


class Hashed(dict):
    """A point that may stand beside another of the same value in a sorted list."""

    def __lt__(self, other):
        return list(self.values()) < list(other.values())


def test_shares_are_what_r_squared_of_nested_models_grows_by():
    r_squared = [0.0] + [
        stepwise_twin.fitted(POINTS, MEASURED, MODEL.terms[: k + 1]).rsquared
        for k in range(len(MODEL.terms))
    ]
    grew = dict(zip(MODEL.terms, np.diff(r_squared), strict=True))
    assert [term for term, _ in term_shares(MODEL)] == list(MODEL.terms)
    assert [share for _, share in term_shares(MODEL)] == pytest.approx(list(grew.values()))
    found = {each.name: each for each in rank(MODEL)}
    (pair,) = [term for term in MODEL.terms if set(term) == {"a", "w"}]
    for name in ("a", "w"):
        assert found[name].alone == pytest.approx(grew[(name,)])
        assert found[name].interactions == pytest.approx(grew[pair] / 2)
        assert found[name].share == pytest.approx(grew[(name,)] + grew[pair] / 2)
    assert (found["b"].share, found["c"].share) == (0, 0)
    order = [each.share for each in rank(MODEL)]
    assert order == sorted(order, reverse=True)


def of_lines(slopes):
    """Make a model of straight lines in x, y, z over a full grid, whose shares follow by hand."""
    cube = space(dict.fromkeys("xyz", (0, 1)))
    points = [cube.point(k) for k in range(8)] * 2
    measured = [sum(s * p[n] for n, s in zip("xyz", slopes, strict=True)) for p in points]
    return fit_terms(samples_of(cube.parameters, points, measured), [("x",), ("y",), ("z",)])


def test_workloads_are_as_far_apart_as_their_shares():
    models = {"x": of_lines((2, 0, 0)), "xy": of_lines((1, 1, 0)), "y2": of_lines((1, 2, 0)),
              "z": of_lines((0, 0, 5)), "none": of_lines((0, 0, 0))}  # fmt: skip
    found = compare_workloads(models)
    assert found.parameters == ("x", "y", "z")
    assert np.array(found.shares[:4]) == pytest.approx(
        np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.8, 0], [0, 0, 1]]), abs=1e-12
    )
    wanted = [[0, 0.5, 0.8, 1], [0.5, 0, 0.3, 1], [0.8, 0.3, 0, 1], [1, 1, 1, 0]]
    distances = np.array(found.distances, dtype=float)
    assert distances[:4, :4] == pytest.approx(np.array(wanted), abs=1e-12)
    assert found.distances[4] == (None,) * 5
    assert [(p.first, p.second) for p in found.pairs[:2]] == [("xy", "y2"), ("x", "xy")]
    assert MODEL.r_squared < 0.999
    assert sum(compare_workloads({"small": MODEL}).shares[0]) == pytest.approx(1)


def naive_variances(model, where, measured, chosen):
    """Fit the terms' columns of all points so far, and give x' (X'X)^-1 x of every point."""
    terms = model.terms
    samples = samples_of(
        where.parameters, [*measured, *chosen], [0.0] * (len(measured) + len(chosen))
    )
    columns = np.hstack([np.ones((len(samples.measured), 1)), *map(samples.of_term, terms)])
    inverse = np.linalg.inv(columns.T @ columns)
    points = [where.point(k) for k in range(where.count)]
    rows = samples_of(where.parameters, points, [0.0] * len(points))
    rows = np.hstack([np.ones((len(points), 1)), *map(rows.of_term, terms)])
    return points, np.einsum("ij,jk,ik->i", rows, inverse, rows)


def test_suggestions_are_the_least_sure_points_one_after_another():
    tied = SMALL.where("a + b <= 9")
    measured = draw(SMALL, 40, seed=2)
    model = fit_stepwise(samples_of(SMALL.parameters, measured, list(map(small_figure, measured))))
    found = suggest(model, tied, 8, besides=measured, seed=1)
    chosen = []
    for each in found:
        points, variances = naive_variances(model, SMALL, measured, chosen)
        free = [v for p, v in zip(points, variances, strict=True)
                if p in tied and p not in measured and p not in chosen]  # fmt: skip
        assert each.variance == pytest.approx(max(free), rel=1e-6)
        assert each.point in tied
        assert each.point not in measured
        assert each.predicted == pytest.approx(predict(model, [each.point]).values[0])
        chosen.append(each.point)
    assert len({SMALL.index_of_point(p) for p in chosen}) == 8
    assert found == suggest(model, tied, 8, besides=measured, seed=1)


def test_many_suggestions_are_distinct_and_too_many_are_refused():
    many = space({"a": tuple(range(60)), "b": tuple(range(60))})
    few = draw(many, 20, seed=1)
    values = [point["a"] + 2.0 * point["b"] for point in few]
    model = fit_terms(samples_of(many.parameters, few, values), [("a",), ("b",)])
    found = suggest(model, many, MOST_SUGGESTED, besides=few)
    assert len({many.index_of_point(each.point) for each in found}) == MOST_SUGGESTED
    with pytest.raises(UsageError, match="1,001 points to simulate next are too many"):
        suggest(model, many, MOST_SUGGESTED + 1, besides=few)


def test_suggestions_tell_more_than_even_draws():
    terms, few = [("a",), ("w",), ("a", "w")], POINTS[:24]
    model = fit_terms(samples_of(SMALL.parameters, few, MEASURED[:24]), terms)

    def information(more):  # the determinant of X'X, with columns of the twin
        columns = stepwise_twin.design([*few, *more], few, terms)
        return np.linalg.slogdet(columns.T @ columns)[1]

    found = [s.point for s in suggest(model, SMALL, 6, besides=few)]
    even = [information(draw(SMALL, 6, seed=seed, besides=few)) for seed in range(50)]
    assert information(found) > max(even) - 1e-9
    assert information(found) > np.quantile(even, 0.9) + 0.05
    assert all(point not in few for point in found)
    assert len({SMALL.index_of_point(point) for point in found}) == 6


def test_numbers_that_no_sample_has_are_suggested_first():
    where, model, points = swinging(4)
    found = suggest(model, where, 5, besides=points)
    assert found[0].point["b"] == 4
    assert found[0].between
    assert np.isnan(found[0].variance)
    assert not np.isnan(found[0].low) and found[0].low < found[0].predicted < found[0].high
    two = {"b": (1, 2, 3, 4, 5, 6), "s": (8, 16, 32, 64)}
    grid = space(two)
    points = [p for p in map(grid.point, range(24)) if p["b"] in (1, 3, 5) and p["s"] != 16] * 2
    model = fit_terms(samples_of(grid.parameters, points, [p["b"] * p["s"] for p in points]),
                      [("b",), ("s",), ("b", "s")])  # fmt: skip
    more = suggest(model, grid, 4, besides=points)
    assert more[0].point["s"] == 16  # and one of three others; once that is there, others follow
    assert {s.point["b"] for s in more[:3]} == {2, 4, 6}
    assert 16 not in {s.point["s"] for s in more[1:3]}
    assert more[[s.point["b"] for s in more].index(6)].outside
    assert points_left(grid, [*points, points[0], {"b": 9, "s": 8}]) == 24 - 9


def test_what_no_sample_tells_is_suggested_first():
    words = (DesignParameter("w", ("a", "b", "c")), DesignParameter("x", (0, 1)))
    points = [{"w": "ba"[k % 2], "x": k // 2 % 2} for k in range(8)]
    model = fit_terms(samples_of(words, points, [1.0, 2, 4, 3, 1.5, 2, 4, 3]), [("w",), ("x",)])
    found = suggest(model, space({"w": ("a", "b", "c"), "x": (0, 1)}), 2, besides=points)
    assert {s.point["w"] for s in found} == {"c"}
    assert np.isnan(found[0].predicted)
    assert np.isnan(found[0].variance)  # a prior is no figure to tell
    with pytest.raises(UsageError, match="has 2 to choose from"):
        suggest(model, space({"w": ("a", "b", "c"), "x": (0, 1)}), 3, besides=points)


def test_errors_by_hand():
    line = (DesignParameter("x", (0, 1, 2)),)
    model = fit_terms(samples_of(line, [{"x": 0}, {"x": 1}] * 2, [10.0, 20, 10, 20]), [("x",)])
    new, measured = [{"x": 0}, {"x": 1}, {"x": 2}, {"x": 0}], [8.0, 25, 40, -10]
    found = errors(model, new, measured)
    assert found.each == pytest.approx((25, 20, 25, 200))
    assert found.mean_percent == pytest.approx(67.5)
    assert found.maximum_percent == pytest.approx(200)
    assert found.median_percent == pytest.approx(25)
    assert found.quantile(0.75) == pytest.approx(25 + 0.25 * 175)
    assert found.unknown == 0
    for points, values in (([], []), (new, measured[1:]), (new, [1, 2, 0, 3])):
        with pytest.raises(UsageError):
            errors(model, points, values)


def test_errors_where_nothing_is_known():
    words = (DesignParameter("w", ("a", "b", "c")),)
    model = fit_terms(samples_of(words, [{"w": "a"}, {"w": "b"}] * 2, [1.0, 2, 1, 3]), [("w",)])
    some = errors(model, [{"w": "c"}, {"w": "a"}], [1, 2])
    assert some.each == (None, pytest.approx(50))
    assert (some.unknown, some.mean_percent) == (1, pytest.approx(50))
    none = errors(model, [{"w": "c"}], [1])
    assert (none.mean_percent, none.maximum_percent, none.median_percent) == (None, None, None)


def test_cross_validation_leaves_one_fold_out_at_a_time():
    seen = []

    def fit(points, measured):
        seen.append([POINTS.index(p) for p in points])
        return fit_terms(samples_of(SMALL.parameters, points, measured), [("a",), ("w",)])

    found = cross_validate(POINTS, MEASURED, fit, folds=7, seed=3)
    folds = tuple(seen)
    left_out = [sorted(set(range(50)) - set(inside)) for inside in folds]
    assert sorted(k for fold in left_out for k in fold) == list(range(50))
    assert {len(fold) for fold in left_out} == {7, 8}
    for fold, inside in zip(left_out, folds, strict=True):
        model = fit([POINTS[k] for k in inside], [MEASURED[k] for k in inside])
        own = errors(model, [POINTS[k] for k in fold], [MEASURED[k] for k in fold])
        assert [found.each[k] for k in fold] == pytest.approx(own.each)
    assert found == cross_validate(POINTS, MEASURED, fit, folds=7, seed=3)
    assert found.each != cross_validate(POINTS, MEASURED, fit, folds=7, seed=4).each
    for folds in (1, 51):
        with pytest.raises(UsageError, match="folds"):
            cross_validate(POINTS, MEASURED, fit, folds=folds)
