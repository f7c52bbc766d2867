"""Natural cubic splines of a parameter: knots, columns, words."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.model import basis_of, natural_columns
from warpmill.simulator.regression.parameters import DesignParameter

KNOTS = {
    (32,): (32,),
    (8, 32): (8, 32),
    (8, 16, 32): (8, 20, 32),
    (1, 2, 4, 8): (1, 1 + 7 / 3, 1 + 14 / 3, 8),
    (1, 2, 4, 8, 16): (1, 4.75, 8.5, 12.25, 16),
    (32, 1, 8, 4, 2, 16): (1, 8.75, 16.5, 24.25, 32),
}


def basis(values, log2=False):
    return basis_of(DesignParameter("p", tuple(values)), values, log2=log2)


@pytest.mark.parametrize("values", KNOTS)
def test_knots_are_even_between_the_outer_values(values):
    found = basis(values)
    assert found.knots == pytest.approx(KNOTS[values])
    assert found.width == len(found.knots) - 1
    assert found.table(values).shape == (len(values), found.width)


def test_knots_are_those_of_values_that_samples_have():
    seen = basis_of(DesignParameter("p", (1, 2, 4, 8, 16)), [2, 8, 2, 4])
    assert seen.measured == (2, 4, 8)
    assert seen.knots == (2, 5, 8)
    assert seen.outside([1, 2, 3, 8, 8.5]).tolist() == [True, False, False, False, True]
    assert seen.between([1, 2, 3, 8.0, 8.5]).tolist() == [False, False, True, False, False]
    words = basis_of(DesignParameter("w", ("a", "b", "c")), ["a", "c"])
    assert words.between(["a", "b", "c"]).tolist() == [False] * 3  # of b nothing is known


@pytest.mark.parametrize("knots", [(1, 4, 7), (1, 2.5, 4, 10), (1, 4.75, 8.5, 12.25, 16)])
def test_columns_are_scipys_natural_splines(knots):
    rng, x = np.random.default_rng(0), np.linspace(knots[0], knots[-1], 101)
    heights = rng.normal(size=len(knots))
    wanted = CubicSpline(knots, heights, bc_type="natural")(x)
    found = heights[0] + natural_columns(x, knots) @ (heights[1:] - heights[0])
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("knots", [(1, 7), (1, 4, 7), (1, 4.75, 8.5, 12.25, 16)])
def test_straight_lines_are_spanned_inside_and_beyond(knots):
    x = np.linspace(-20, 40, 61)
    slope = np.array(knots[1:]) - knots[0]
    assert natural_columns(x, knots) @ slope == pytest.approx(x - knots[0], abs=1e-11)


def test_columns_are_straight_beyond_the_outer_knots_and_not_bent_there():
    knots, h = (1, 4.75, 8.5, 12.25, 16), 1e-3
    at = np.array([-30, -3.0, 0, 17, 30, 200])
    second = sum(natural_columns(at + k * h, knots) * f for k, f in ((-1, 1), (0, -2), (1, 1)))
    assert second / h**2 == pytest.approx(0, abs=1e-5)
    for end in (1, 16):  # one slope on both sides, and a second derivative that goes to 0
        before, there, after = (natural_columns(np.array([end + k * h]), knots) for k in (-1, 0, 1))
        assert (after - there) / h == pytest.approx((there - before) / h, abs=1e-5)
        assert (after - 2 * there + before) / h**2 == pytest.approx(0, abs=1e-3)
    inside = natural_columns(np.array([6 - h, 6, 6 + h]), knots)
    assert abs(inside[0] - 2 * inside[1] + inside[2]).min() / h**2 > 1e-3


def test_logarithms():
    found = basis((1, 2, 4, 8, 16), log2=True)
    assert found.knots == (0, 1, 2, 3, 4)
    assert found.labels == (2, 4, 8, 16)
    assert found.table((1, 2, 4, 8, 16)) == pytest.approx(np.eye(5)[:, 1:])
    with pytest.raises(UsageError, match="no logarithm"):
        basis((0, 1), log2=True)
    with pytest.raises(UsageError, match="no logarithm"):
        basis(("x", "y"), log2=True)
    with pytest.raises(UsageError, match="no logarithm"):
        found.table([-1])


def test_words_have_a_column_each_but_the_first_that_samples_have():
    words = DesignParameter("w", ("a", "b", "c", 4))
    found = basis_of(words, ["c", "b", "c"])
    assert found.measured == ("b", "c")
    assert found.labels == ("a", "c", 4)
    assert found.table(["a", "b", "c", 4]).tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert found.outside(["a", "b", "c"]).tolist() == [True, False, False]
    with pytest.raises(UsageError, match="does not take 'd'"):
        found.table(["d"])


def test_values_that_a_parameter_cannot_have():
    for wrong in ("x", float("nan"), float("inf"), True, None):
        with pytest.raises(UsageError):
            basis_of(DesignParameter("p", (1, 2)), [2, wrong])
    with pytest.raises(UsageError, match="takes numbers"):
        basis((1, 2)).table(["x"])
