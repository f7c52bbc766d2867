import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate, evaluate_exactly

NAMES = {"n": 1000, "rows": 7, "zero": 0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ceil(n / 16)", 63),
        ("floor(n / 16)", 62),
        ("ceil(-n / 16)", -62),
        ("1_000 + 0x1F", 1031),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("100 / 5 / 2", 10),
        ("n / 3 * 3", 1000),
        ("-n", -1000),
        ("--+3", 3),
        ("2 * -3", -6),
        ("min(n, rows, 9)", 7),
        ("max(ceil(n / 16), 3 + 61)", 64),
        ("\t7 ", 7),
        ("007", 7),
    ],
)
def test_values(text, value):
    assert evaluate(text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "start", "end", "message", "hint"),
    [
        ("n / 16", 0, 6, "the value is 62.5, not an integer", "write ceil(...) or floor(...)"),
        (
            "4 * rwos",
            4,
            8,
            "`rwos` is not defined",
            "did you mean `rows`? names known here: n, rows, zero",
        ),
        ("xyz", 0, 3, "`xyz` is not defined", "names known here: n, rows, zero"),
        ("1 + ciel(2)", 4, 8, "there is no function `ciel`", "did you mean `ceil`?"),
        ("ceil(1, 2)", 0, 4, "`ceil` takes one argument, not 2", None),
        ("1 + min", 4, 7, "`min` needs arguments in parentheses", None),
        ("n / (zero * 2)", 2, 3, "division by zero", None),
        ("2 ** 3", 3, 4, "`*` does not belong here", None),
        ("16n", 2, 3, "`n` does not belong here", None),
        ("1.5", 1, 2, "`.` does not belong here", "allowed: numbers, names, + - * / ( ) ,"),
        ("1 \n", 2, 3, "`\\n` does not belong here", "allowed: numbers, names, + - * / ( ) ,"),
        ("n)", 1, 2, "`)` does not belong here", None),
        (
            "(n + ",
            3,
            4,
            "the expression ends where a number, a name or `)` should follow",
            None,
        ),
        ("", 0, 0, "the expression is empty", None),
        ("1" * 501, 500, 501, "the expression is longer than 500 characters", None),
    ],
)
def test_errors_say_where(text, start, end, message, hint):
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, NAMES)
    error = caught.value
    assert (error.start, error.end, error.message, error.hint) == (start, end, message, hint)
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
