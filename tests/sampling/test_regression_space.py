"""Design spaces: points by number, conditions, and points that are drawn."""

import math
import random
import re
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.sampling.regression_surfaces import SMALL, STARGAZER, space
from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.launch.expressions import evaluate_exactly
from warpmill.simulator.regression.draws import draw, share_of, share_of_each
from warpmill.simulator.regression.parameters import DesignParameter, figures, plain_name
from warpmill.simulator.regression.space import DesignSpace


def test_the_papers_space():
    assert STARGAZER.size == STARGAZER.count == 933_120
    assert STARGAZER.point(1)["inter"] == 4
    assert STARGAZER.point(3)["intra"] == 2


def test_points_without_conditions_are_in_the_order_of_a_product():
    listed = [dict(zip(SMALL.names, values, strict=True))
              for values in product(*(p.values for p in SMALL.parameters))]  # fmt: skip
    assert [SMALL.point(k) for k in range(SMALL.count)] == listed
    assert [SMALL.index_of_point(point) for point in listed] == list(range(SMALL.count))


def test_conditions_leave_the_points_that_meet_them():
    tied = SMALL.where("a + c <= 9", "b != 2", "w != lrr", "c * b < 20 * a")
    wanted = [p for p in map(SMALL.point, range(SMALL.count))
              if p["a"] + p["c"] <= 9 and p["b"] != 2 and p["w"] != "lrr"
              and p["c"] * p["b"] < 20 * p["a"]]  # fmt: skip
    found = [tied.point(k) for k in range(tied.count)]
    assert sorted(map(str, found)) == sorted(map(str, wanted))
    assert len(wanted) not in (0, SMALL.count)
    assert [tied.index_of_point(point) for point in found] == list(range(tied.count))
    assert [p for p in map(SMALL.point, range(SMALL.count)) if p in tied] == wanted


def test_chunks_go_through_all_points_once():
    tied = SMALL.where("a <= c")
    codes = [row for _, rows in tied.chunks(7) for row in rows.tolist()]
    assert tied.points_of(np.array(codes)) == tuple(map(tied.point, range(tied.count)))
    assert [first for first, _ in tied.chunks(7)] == list(range(0, tied.count, 7))


def test_membership():
    assert {"a": 1, "b": 1, "c": 5, "w": "gto", "more": 3} in SMALL
    assert {"a": 3, "b": 1, "c": 5, "w": "gto"} not in SMALL
    assert {"a": 1, "b": 1, "c": 5} not in SMALL
    with pytest.raises(UsageError, match="does not meet"):
        SMALL.where("a == 1").index_of_point({"a": 2, "b": 1, "c": 5, "w": "gto"})
    with pytest.raises(UsageError, match="does not meet"):
        SMALL.where("w == gto").index_of_point({"a": 2, "b": 1, "c": 5, "w": "lrr"})
    with pytest.raises(UsageError, match="from 0 to 71"):
        SMALL.point(72)


def test_decimal_values_are_compared_as_they_are_written():
    assert space({"x": (0.1, 0.2, 0.3)}, "10 * x == 3").count == 1
    assert space({"x": (0.1, 0.2), "y": (0.2, 0.3)}, "x + y == 3 / 10").count == 1
    assert 0.1 + 0.2 != 0.3  # which floats would say


def expression(rng, depth=0):
    if depth > 3 or rng.random() < 0.25:
        return rng.choice(["a", "_blk", "x", "n", str(rng.randint(0, 9)), "0x1F", "1_000"])
    inner = [expression(rng, depth + 1) for _ in range(2)]
    shape = rng.choice(["{0} + {1}", "({0} - {1})", "({0}) * ({1})", "({0}) / ({1})", "-({0})",
                        "floor({0})", "ceil({0})", "min({0}, {1})", "max({0}, {1})"])  # fmt: skip
    return shape.format(*inner)


def exactly(text, point):
    names = {plain_name(k): Fraction(str(v)) for k, v in point.items()} | {"n": 7}
    return evaluate_exactly(text, names)


def test_random_conditions_are_decided_as_fractions_decide_them():
    values = {"a": (1, 2, 4, 6), "#blk": (-3, 0, 1, 5), "x": (0.1, 0.3, 2.5)}
    free, rng, seen = space(values), random.Random(1), Counter()
    points = [free.point(k) for k in range(free.count)]
    for _ in range(150):
        left, right = expression(rng), expression(rng)
        sign = rng.choice(["<=", "<", "==", "!=", ">=", ">"])
        holds = {"<=": "__le__", "<": "__lt__", "==": "__eq__", "!=": "__ne__", ">=": "__ge__",
                 ">": "__gt__"}[sign]  # fmt: skip
        try:
            wanted = [getattr(exactly(left, p), holds)(exactly(right, p)) for p in points]
        except Exception:  # divided by zero somewhere
            wanted = None
        try:
            tied = DesignSpace(free.parameters, (f"{left} {sign} {right}",), (("n", 7),))
            found = [p in tied for p in points]
        except UsageError as error:
            found = [False] * len(points) if "no point" in str(error) else None
        assert found == wanted, f"{left} {sign} {right}"
        seen["error" if wanted is None else "some" if 0 < sum(wanted) < len(points) else "all"] += 1
    assert min(seen["error"], seen["some"]) > 20


def test_random_costs_are_what_fractions_give():
    rng, compared = random.Random(2), 0
    a, blk = np.array([1.0, 2, 6, 6, 1e15]), np.array([-3.0, 0, 5, 1, 3])
    for _ in range(200):
        text = re.sub(r"\bx\b", "a", expression(rng))
        try:
            wanted = [float(exactly(text, {"a": int(i), "_blk": int(j)}))
                      for i, j in zip(a, blk, strict=True)]  # fmt: skip
        except Exception:  # divided by zero somewhere
            with pytest.raises(UsageError, match="division by zero"):
                figures(text, {"a": a, "_blk": blk}, {"n": 7})
            continue
        found = figures(text, {"a": a, "_blk": blk}, {"n": 7})
        assert np.broadcast_to(found, 5).tolist() == pytest.approx(wanted, rel=1e-5, abs=1e-9), text
        compared += 1
    assert compared > 100


BAD = {
    "no comparison": ({"a": (1, 2)}, "a + 1", "no comparison"),
    "nothing is left": ({"a": (1, 2)}, "a > 2", "no point meets"),
    "a name that is near": ({"cores": (1, 2)}, "core > 1", "did you mean `cores`"),
    "words in arithmetic": ({"w": ("x", "y")}, "2 * w > 1", "takes words"),
    "words in order": ({"w": ("x", "y")}, "w < x", "takes words"),
    "an unknown word": ({"w": ("x", "y")}, "w == z", "takes x, y"),
    "division by zero": ({"a": (0, 1)}, "1 / a > 0", "division by zero"),
    "syntax": ({"a": (0, 1)}, "a + > 0", "the expression ends"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_conditions(name):
    values, condition, words = BAD[name]
    with pytest.raises(UsageError, match=words):
        space(values, condition)


def test_conditions_that_exclude_each_other_leave_nothing():
    with pytest.raises(UsageError, match="no point meets the conditions a > b; b > a"):
        space({"a": (1, 2), "b": (1, 2)}, "a > b", "b > a")


def test_bad_parameters():
    for values in ((), (1, 1), (1, 1.0), (math.nan,), (True,), ("",), (None,), (2**63,)):
        with pytest.raises(UsageError):
            DesignParameter("a", values)
    with pytest.raises(UsageError, match="called _blk"):
        space({"#blk": (1,), "_blk": (1,)})
    with pytest.raises(LimitError, match="tie"):
        space({f"p{k}": range(200) for k in range(3)}, "p0 < p1", "p1 < p2")


def test_nested_signs_do_not_take_forever():
    assert space({"a": (1, 2)}, f"{'-' * 300}a > 1").count == 1


def test_every_allowed_point_is_drawn_equally_often():
    tied = SMALL.where("a <= c", "b + c != 8", "w != lrr")
    assert 20 < tied.count < 40
    for count in (2, 7):  # few of all, and many of all, are drawn in two ways
        drawn = Counter(tied.index_of_point(p) for seed in range(1500)
                        for p in draw(tied, count, seed=seed))  # fmt: skip
        assert len(drawn) == tied.count
        assert chisquare(list(drawn.values())).pvalue > 0.01


@pytest.mark.parametrize("method", ["random", "lhs", "sobol"])
def test_points_are_distinct_allowed_and_the_same_again(method):
    tied = SMALL.where("a <= c")
    for count in (1, 10, tied.count - 5):
        known = draw(tied, 5, seed=8)
        points = draw(tied, count, method=method, seed=3, besides=known)
        assert len({tied.index_of_point(p) for p in (*points, *known)}) == count + 5
        assert points == draw(tied, count, method=method, seed=3, besides=known)
        assert count > 30 or points != draw(tied, count, method=method, seed=4, besides=known)


def test_latin_hypercubes_take_each_value_equally_often():
    points = draw(STARGAZER, 300, method="lhs", seed=1)
    for parameter in STARGAZER.parameters:
        taken = Counter(p[parameter.name] for p in points)
        share = 300 / len(parameter.values)
        assert all(abs(taken[value] - share) <= 1 for value in parameter.values)
    evenly = Counter(p["c$"] for p in draw(STARGAZER, 300, seed=1))
    assert max(abs(evenly[v] - 50) for v in evenly) > 3


def test_sobols_sequence_takes_each_value_equally_often():
    values = {f"p{k}": (1, 2, 4, 8) for k in range(8)}
    points = draw(space(values), 256, method="sobol", seed=1)
    assert all(
        Counter(p[name] for p in points) == dict.fromkeys((1, 2, 4, 8), 64) for name in values
    )


def test_conditions_do_not_disturb_other_parameters():
    tied = STARGAZER.where("c_ <= t_", "simd >= 2 * _blk")
    points = draw(tied, 200, method="lhs", seed=1)
    assert all(p["c$"] <= p["t$"] and p["simd"] >= 2 * p["#blk"] for p in points)
    assert set(Counter(p["smp"] for p in points).values()) == {50}


def test_shares():
    assert share_of(STARGAZER, 0.001) == 934
    assert share_of(SMALL, 1) == SMALL.count == 72
    assert share_of_each(SMALL, 0.5) == 2 * 2 * 1 * 2
    for share in (0, -1, 1.5, math.nan):
        with pytest.raises(UsageError):
            share_of(SMALL, share)


def test_more_points_than_there_are():
    with pytest.raises(UsageError, match="73 points are asked for, and the space has 72"):
        draw(SMALL, 73)
    with pytest.raises(UsageError, match="has 71"):
        draw(SMALL, 72, besides=[SMALL.point(3), SMALL.point(3)])
    with pytest.raises(UsageError, match="no points"):
        draw(SMALL, 0)
    with pytest.raises(UsageError, match="did you mean `sobol`"):
        draw(SMALL, 1, method="soboll")


def test_parts_with_given_values_are_those_of_conditions():
    own = SMALL.where("a <= c").with_values({"w": "lrr", "a": 4})
    same = SMALL.where("a <= c", "w == lrr", "a == 4")
    assert own.count == same.count == 3 * 2
    assert [own.point(k) for k in range(6)] == [same.point(k) for k in range(6)]
    assert space({"w": ("x=1", "y"), "k": (1, 2)}).with_values({"w": "x=1"}).count == 2
    with pytest.raises(UsageError, match="no point meets the conditions a <= b; a = 4; b = 2"):
        SMALL.where("a <= b").with_values({"a": 4, "b": 2})
    with pytest.raises(UsageError, match="a does not take 5"):
        SMALL.with_values({"a": 5})


def test_spaces_too_large_to_number_are_drawn_from():
    huge = space({f"p{k}": range(100) for k in range(20)}, "p0 < p1")
    assert huge.count == 4950 * 100**18
    for method in ("random", "lhs", "sobol"):
        points = draw(huge, 40, method=method)
        assert all(p in huge for p in points)
    with pytest.raises(LimitError):
        huge.point(0)
