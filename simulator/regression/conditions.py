"""What must hold between parameters: ``2 * _blk <= simd``, ``scheduler != lrr``.

A condition compares two expressions of numbers, or a parameter that takes words with one of them.
It is looked at once for each combination of the parameters that it names. Rounding does not decide:
where floats leave it open, fractions are compared.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.launch.expressions import ExpressionError
from warpmill.simulator.regression.columns import (
    Column,
    Floats,
    column_of,
    evaluate_at,
    evaluate_columns,
    names_in,
    with_hint,
)
from warpmill.simulator.regression.parameters import Parameter, Value, plain_name

MOST_COMBINATIONS = 4_000_000
"""Combinations of the parameters that one condition names, at most."""
MOST_EXACT = 1_000_000
"""Combinations that are compared in fractions, at most."""

_COMPARISON = re.compile(r"(?P<left>[^<>=!]+)(?P<sign><=|>=|==|!=|<|>)(?P<right>[^<>=!]+)")
_SIGNS: dict[str, Callable[..., bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, eq=False)
class Table:
    """Where a condition holds: an axis for each of the parameters in ``columns``, ascending."""

    columns: tuple[int, ...]
    holds: npt.NDArray[np.bool_]


def tables_of(
    conditions: Sequence[str],
    parameters: Sequence[Parameter],
    constants: Sequence[tuple[str, int]],
) -> tuple[Table, ...]:
    """Find where each condition holds. UsageError for one that is none, or that never holds."""
    return tuple(_table(text, parameters, dict(constants)) for text in conditions)


def _table(text: str, parameters: Sequence[Parameter], constants: Mapping[str, int]) -> Table:
    found = _COMPARISON.fullmatch(text)
    if found is None:
        raise UsageError(
            f"the condition `{text}` is no comparison: write two expressions with one of "
            f"{' '.join(_SIGNS)} between them, such as `4 * cores <= banks`"
        )
    left, sign, right = found["left"].strip(), found["sign"], found["right"].strip()
    of_words = _of_words(text, left, sign, right, parameters)
    if of_words is not None:
        return of_words
    used = names_in(left) | names_in(right)
    columns = tuple(k for k, each in enumerate(parameters) if plain_name(each.name) in used)
    words = next((parameters[k] for k in columns if not parameters[k].numeric), None)
    if words is not None:
        raise UsageError(
            f"the condition `{text}`: {words.name} takes words, which can be compared by == and != "
            f"only, such as {plain_name(words.name)} == {words.values[0]}"
        )
    return _checked(text, _compared(text, (left, sign, right), columns, parameters, constants))


def _checked(text: str, table: Table) -> Table:
    if not table.holds.any():
        raise UsageError(f"no point meets the condition `{text}`")
    return table


def _of_words(
    text: str, left: str, sign: str, right: str, parameters: Sequence[Parameter]
) -> Table | None:
    """Compare a parameter that takes words with one of them; None for other conditions."""
    of_words = {plain_name(p.name): k for k, p in enumerate(parameters) if not p.numeric}
    name, word = (left, right) if left in of_words else (right, left)
    if name not in of_words or sign not in ("==", "!="):
        return None
    column = of_words[name]
    parameter, word = parameters[column], word.strip("\"'")
    if word not in map(str, parameter.values):
        known = ", ".join(map(str, parameter.values))
        raise UsageError(f"the condition `{text}`: {parameter.name} takes {known}")
    equal = np.array([str(value) == word for value in parameter.values])
    return _checked(text, Table((column,), equal if sign == "==" else ~equal))


def _compared(
    text: str,
    sides: tuple[str, str, str],
    columns: tuple[int, ...],
    parameters: Sequence[Parameter],
    constants: Mapping[str, int],
) -> Table:
    left, sign, right = sides
    own = [parameters[k] for k in columns]
    shape = tuple(len(each.values) for each in own)
    if math.prod(shape) > MOST_COMBINATIONS:
        raise LimitError(
            f"the condition `{text}` names parameters of {math.prod(shape):,} combinations, more "
            f"than {MOST_COMBINATIONS:,}"
        )
    comparison = _Comparison(text, left, right, _SIGNS[sign])
    numeric = [each for each in parameters if each.numeric]
    comparison.at(_combination(numeric, (0,) * len(numeric), constants))  # says what is wrong
    names = {name: column_of(np.array(float(value))) for name, value in constants.items()}
    for axis, each in enumerate(own):
        along = [-1 if k == axis else 1 for k in range(len(own))]
        values = np.array([float(value) for value in each.values])
        names[plain_name(each.name)] = column_of(values.reshape(along))
    a, b = evaluate_columns(left, names), evaluate_columns(right, names)
    holds, unsure = _by_floats(a, b, comparison.compare, shape)
    if unsure.sum() > MOST_EXACT:
        raise LimitError(f"the condition `{text}` is close in more than {MOST_EXACT:,} cases")
    for place in map(tuple, np.argwhere(unsure).tolist()):
        holds[place] = comparison.at(_combination(own, place, constants))
    return Table(columns, holds)


def _by_floats(
    a: Column, b: Column, compare: Callable[..., bool], shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Tell where a comparison holds, and where floats are too near to tell."""
    with np.errstate(invalid="ignore"):  # infinities are computed exactly
        unsure: npt.NDArray[np.bool_] = ~(np.abs(a.values - b.values) > 2 * (a.errors + b.errors))
    holds: Floats = np.asarray(compare(a.values, b.values))
    return (
        np.broadcast_to(holds, shape).astype(bool),
        np.broadcast_to(unsure, shape).astype(bool),
    )


def _combination(
    parameters: Sequence[Parameter], places: Sequence[int], constants: Mapping[str, int]
) -> dict[str, Value]:
    own = {
        plain_name(each.name): each.values[k] for each, k in zip(parameters, places, strict=True)
    }
    return {**own, **constants}


@dataclass(frozen=True)
class _Comparison:
    text: str
    left: str
    right: str
    compare: Callable[..., bool]

    def at(self, names: Mapping[str, Value]) -> bool:
        """Compare in fractions. UsageError for what cannot be computed."""
        try:
            a, b = evaluate_at(self.left, names), evaluate_at(self.right, names)
        except ExpressionError as error:
            raise UsageError(f"the condition `{self.text}`: {with_hint(error)}") from None
        return self.compare(a, b)
