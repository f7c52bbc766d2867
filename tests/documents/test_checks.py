"""What checks of results call right and wrong."""

import numpy as np

from warpmill.checks import close, equal, holds


def test_equal_counts_what_differs():
    assert equal("a", [1, 2, 3], [1, 2, 3], "by hand").passed
    check = equal("a", [1, 2, 3], [1, 0, 0], "by hand")
    assert (check.wrong, check.elements, check.passed) == (2, 3, False)


def test_nothing_compared_is_not_right():
    assert not equal("a", [], [], "by hand").passed
    assert not holds("a", [], "by hand").passed


def test_another_shape_is_wrong_throughout():
    check = equal("a", np.zeros((2, 3)), np.zeros(6), "by hand")
    assert check.wrong == 6
    assert "of shape (2, 3) for (6,)" in check.name
    assert close("a", np.zeros(2), np.zeros(3), "by hand").wrong == 3


def test_close_is_relative_and_absolute():
    check = close("a", [1.01, 100.0], [1.0, 100.0], "by hand", rtol=0.1)
    assert check.passed
    assert abs(check.worst - 0.01) < 1e-12
    assert close("a", [1.2], [1.0], "by hand", rtol=0.1).wrong == 1
    assert close("a", [0.05], [0.0], "by hand", rtol=0.1, atol=0.1).passed
    assert not close("a", [1e-30], [0.0], "by hand", rtol=0.1).passed
    assert close("a", [1.05], [1.0], "by hand", rtol=0, atol=0.1).passed


def test_nan_is_wrong_and_equal_infinities_are_not():
    assert close("a", [np.nan], [np.nan], "by hand").wrong == 1
    assert close("a", [1.0], [np.nan], "by hand").wrong == 1
    assert close("a", [np.inf], [1.0], "by hand").wrong == 1
    assert close("a", [1.0], [np.inf], "by hand").wrong == 1
    assert close("a", [-np.inf], [np.inf], "by hand").wrong == 1
    assert close("a", [np.inf], [np.inf], "by hand").passed


def test_holds_counts_what_does_not():
    check = holds("a", [True, False, True], "by hand")
    assert (check.wrong, check.elements) == (1, 3)
