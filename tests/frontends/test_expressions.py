import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate, evaluate_exactly

NAMES = {"n": 1000, "rows": 7, "zero": 0}


@pytest.mark.parametrize(
    ("text", "start", "message", "hint"),
    [
        ("1 \n", 2, "`\\n` does not belong here", "allowed: numbers, names, + - * / ( ) ,"),
        ("(n + ", 3, "the expression ends where a number, a name or `)` should follow", None),
        ("", 0, "the expression is empty", None),
        ("1" * 501, 500, "the expression is longer than 500 characters", None),
    ],
)
def test_errors_say_where(text, start, message, hint):
    assert evaluate("\t7 ", NAMES) == 7
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, NAMES)
    error = caught.value
    assert (error.start, error.end) == (start, min(start + 1, len(text)))
    assert (error.message, error.hint) == (message, hint)
    assert isinstance(error, InputError)


def test_nesting_costs_no_stack():
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(150 + _depth())
        assert evaluate("(" * 240 + "1" + ")" * 240, {}) == 1
        assert evaluate("-" * 400 + "1", {}) == 1
        assert evaluate("+".join("1" * 200), {}) == 200
    finally:
        sys.setrecursionlimit(limit)


def _depth():
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


_terms = st.recursive(
    st.integers(0, 99).map(str) | st.sampled_from(["n", "rows"]),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(_terms, min_size=1, max_size=4), st.sampled_from("+-*/"))
def test_arithmetic_is_that_of_fractions(terms, sign):
    text = f" {sign} ".join(terms)
    exact = {name: Fraction(value) for name, value in NAMES.items()}
    lifted = "".join(f"Fraction({w})" if w.isdigit() else w for w in _words(text))
    try:
        expected = eval(lifted, {"Fraction": Fraction}, exact)
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="division by zero"):
            evaluate_exactly(text, NAMES)
        return
    assert evaluate_exactly(text, NAMES) == expected


def _words(text):
    spaced = "".join(f" {c} " if c in "()+-*/" else c for c in text)
    return spaced.split()


@settings(max_examples=200, deadline=None)
@given(st.text("0123456789nx_ +-*/(),ceilminé\n", max_size=20))
def test_any_text_gives_a_value_or_a_located_error(text):
    try:
        assert isinstance(evaluate(text, NAMES), int)
    except ExpressionError as error:
        assert 0 <= error.start <= error.end <= len(text)
