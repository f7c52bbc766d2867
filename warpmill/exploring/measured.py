"""Rows that were measured of points of a space: models are made of them as of simulated points.

::

    explored, response = measured_points(space_called("stargazer"), Path("points.csv"))
    told = answers(explored, ModelQuestions(Fitting(response, figures=(response,))))

A table has a column for each parameter of the space, by its name, and one for the response. Each
row is a sample, also where a point was measured several times. A value has to be one of the
space's, and a row a point that its conditions allow: all that is wrong is said at once, with line
and column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.exploring.explored import ExplorationResult, OfWorkload, PointSample
from warpmill.exploring.options import RESPONSE
from warpmill.exploring.predicted import why_no_point
from warpmill.exploring.space import ExploredSpace
from warpmill.measurements.tables import Cell, MeasurementRow, MeasurementTable, read_table
from warpmill.simulator.regression.parameters import DesignParameter, Value

_MOST_TOLD = 20
"""Errors of one table that are told one by one."""


def measured_points(
    space: ExploredSpace, path: Path, response: str = RESPONSE
) -> tuple[ExplorationResult, str]:
    """An exploration of the rows of a table, and the name of the response that they have.

    That is ``response``, or the one column beside the parameters where none has its name.
    InputError for columns and values that the space has not.
    """
    table, problems = read_table(path), _Problems()
    name = _response(space, table, response, problems)
    places = {column: place for place, column in enumerate(table.names)}
    samples = []
    for row in table.rows:
        point = _point(space, table, row, places, problems)
        value = _number(table, row.cells[places[name]], name, problems) if name in places else 0.0
        samples.append(PointSample(point, {name: value}, {"is_measured": True}))
    problems.check(path)
    own = OfWorkload(str(path), tuple(samples))
    return ExplorationResult(space, space.name, (own,), measured=str(path)), name


class _Problems:
    """What is wrong with a table, so that it is said at once."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def add(self, table: MeasurementTable, cell: Cell, words: str, hint: str | None = None) -> None:
        """Something that is wrong with a cell."""
        self._found += table.error(cell, words, hint).diagnostics

    def check(self, path: Path) -> None:
        """Raise what was found: the first ones, and how many there are more. InputError."""
        more = len(self._found) - _MOST_TOLD
        rest = [Diagnostic(Severity.ERROR, f"and {more:,} more", str(path))] if more > 0 else []
        if self._found:
            raise InputError(*self._found[:_MOST_TOLD], *rest)


def with_measured(found: ExplorationResult, rows: ExplorationResult) -> ExplorationResult:
    """An exploration of one workload with measured rows before what was simulated. UsageError."""
    if len(found.workloads) != 1:
        words = f"measured rows are of one workload, and there are {len(found.workloads)}"
        raise UsageError(words)
    (own,), (given,) = found.workloads, rows.workloads
    both = replace(own, samples=(*given.samples, *own.samples))
    return replace(found, workloads=(both,), measured=rows.measured)


def _response(
    space: ExploredSpace, table: MeasurementTable, response: str, problems: _Problems
) -> str:
    """The column of the response; columns that are missing or unknown are added to problems."""
    parameters = space.design.names
    others = [cell for cell in table.header if cell.text not in parameters]
    alone = response == RESPONSE and len(others) == 1 and not _misspelt(space, others[0].text)
    found = others[0].text if alone else response
    for cell in others:
        if cell.text != found:
            hint = f"columns are {', '.join(parameters)}, and the response: --response NAME"
            words = f"the space {space.name} has no parameter `{cell.text}`"
            problems.add(table, cell, words, _misspelt(space, cell.text) or hint)
    for name in parameters:
        if name not in table.names:
            problems.add(table, table.header[0], f"no column is called `{name}`, a parameter")
    if found not in table.names:
        words = f"no column is called `{found}`, the response"
        problems.add(table, table.header[0], words, "--response NAME says which column it is")
    return found


def _misspelt(space: ExploredSpace, name: str) -> str | None:
    return suggestion(name, space.design.names)


def _point(
    space: ExploredSpace,
    table: MeasurementTable,
    row: MeasurementRow,
    places: Mapping[str, int],
    problems: _Problems,
) -> dict[str, Value]:
    """The point of a row; what is wrong with it is added to problems."""
    point: dict[str, Value] = {}
    for each in space.design.parameters:
        if each.name not in places:
            continue
        cell = row.cells[places[each.name]]
        value = next(_values(each, cell.text), None)
        if value is not None:
            point[each.name] = value
            continue
        known = ", ".join(map(str, each.values))
        problems.add(table, cell, f"{each.name} does not take `{cell.text}`; it takes {known}")
    if len(point) == len(space.design.parameters) and point not in space.design:
        words = why_no_point(space, point) or "the space leaves it out"
        problems.add(table, row.cells[0], f"this is no point: {words}")
    return point


def _values(parameter: DesignParameter, text: str) -> Iterator[Value]:
    """The values of a parameter that a text says: 32, 32.0 and 3.2e1 are one number."""
    try:
        number = float(text)
    except ValueError:
        number = None
    for value in parameter.values:
        if str(value) == text or (not isinstance(value, str) and value == number):
            yield value


def _number(table: MeasurementTable, cell: Cell, name: str, problems: _Problems) -> float:
    try:
        value = float(cell.text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        problems.add(table, cell, f"{name} is a number, not `{cell.text}`")
    return value
