"""Rows of a table of measurements as numbers: how long it took, which launch, on which GPU."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from warpmill.analyzer.base.diagnostics import Faults
from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.measurements.columns import CYCLES, MICROSECONDS, UNITS, Columns, spelt_unit
from warpmill.measurements.ncu_pages import (
    CC,
    MeasuredCounter,
    converted,
    number_of,
    read_metrics,
    whole_bytes,
)
from warpmill.measurements.tables import Cell, MeasurementRow, MeasurementTable

SHORTEST_US, LONGEST_US = 1e-6, 1e15
"""A picosecond and thirty years: a time outside is no launch's."""

_MOST_CYCLES = 1e18
_MOST_FAULTS = 20
_WHOLE = re.compile(r"\d{1,10}(\.0+)?")
_DIMENSIONS = re.compile(r"\(?\s*\d{1,10}(?:\s*[,x× ]\s*\d{1,10}){0,2}\s*\)?")

Dimensions = tuple[int, ...]


@dataclass(frozen=True)
class MeasuredLaunch:
    """One measured launch. What no column says is None; ``sizes`` are those of its row.

    ``time`` is in ``unit``: s, ms, us, ns or cycles; NaN where a page has none. ``launch`` is a
    number from 0, or a name.
    """

    line: Annotated[Id, Metric("Line")]
    time: Annotated[float, INTERNAL]
    unit: Annotated[str, INTERNAL]
    gpu: str | None = None
    target: str | None = None
    kernel: Annotated[str | None, INTERNAL] = None
    launch: Annotated[int | str | None, INTERNAL] = None
    grid: Annotated[Dimensions | None, INTERNAL] = None
    block: Annotated[Dimensions | None, INTERNAL] = None
    shared: Annotated[int | None, INTERNAL] = None
    registers: Annotated[int | None, INTERNAL] = None
    arguments: Annotated[tuple[str, ...] | None, INTERNAL] = None
    sizes: Annotated[tuple[tuple[str, str], ...], INTERNAL] = ()
    compute_capability: Annotated[str | None, INTERNAL] = None
    counters: Annotated[Mapping[str, MeasuredCounter], INTERNAL] = field(
        default_factory=dict, hash=False
    )

    @property
    def microseconds(self) -> float | None:
        """The time in µs; None where it is in cycles."""
        return None if self.unit == CYCLES else self.time * MICROSECONDS[self.unit]

    @derived("Measured cycles", "cycle", Mark.EXACT)
    def cycles(self) -> float | None:
        """The measured cycles; null where a time was measured."""
        return self.time if self.unit == CYCLES else None


def measured_clock_mhz(row: MeasuredLaunch) -> float | None:
    """Clock of the SMs in a launch, as counters of a page say it; None where they do not."""
    said = row.counters.get("sm__cycles_elapsed.avg.per_second")
    if said is not None:
        return converted(said.value, said.unit, "MHz")
    cycles = row.counters.get("sm__cycles_elapsed.max")
    return None if cycles is None or not row.microseconds else cycles.value / row.microseconds


def measured_rows(table: MeasurementTable, columns: Columns) -> tuple[MeasuredLaunch, ...]:
    """All rows, read. InputError with the rows, up to 20, that cannot be what their columns are."""
    faults, found, wrong = Faults(), list[MeasuredLaunch](), 0
    for row in table.rows:
        one = faults.of(lambda row=row: _measured(table, columns, row))  # type: ignore[misc]
        found += [] if one is None else [one]
        wrong += one is None
        if wrong == _MOST_FAULTS:
            break
    faults.check()
    return tuple(found)


def _measured(table: MeasurementTable, columns: Columns, row: MeasurementRow) -> MeasuredLaunch:
    cells = {role: row.cells[c.place] for role, c in columns.by_role.items()}
    time, unit = _time(table, columns, cells)
    texts = {role: cell.text for role, cell in cells.items() if cell.text}
    arguments = texts.get("args")
    return MeasuredLaunch(
        line=row.line,
        time=time,
        unit=unit,
        gpu=texts.get("machine"),
        target=texts.get("target"),
        kernel=texts.get("kernel"),
        launch=_launch(texts.get("launch")),
        grid=_dimensions(table, cells, "grid"),
        block=_dimensions(table, cells, "block"),
        shared=_bytes(table, cells.get("shared")),
        registers=_whole(table, cells.get("registers"), "a number of registers"),
        arguments=None if arguments is None else tuple(arguments.split()),
        sizes=tuple(
            (c.role, _size(row.cells[c.place].text)) for c in columns.sizes if _said(row, c.place)
        ),
        compute_capability=_capability(table, row),
        counters={} if table.roles is None else dict(_counters(table, columns, row)),
    )


def _capability(table: MeasurementTable, row: MeasurementRow) -> str | None:
    if table.roles is None or CC not in table.names:
        return None
    return row.cells[table.names.index(CC)].text or None


def _counters(
    table: MeasurementTable, columns: Columns, row: MeasurementRow
) -> Iterator[tuple[str, MeasuredCounter]]:
    """The numbers of a page's launch by metric; what is no number (``n/a``) is unknown."""
    wanted, time = read_metrics(), columns.by_role["time"].name
    for name, cell in zip(table.names, row.cells, strict=True):
        value = number_of(cell.text) if name in wanted and name != time else None
        if value is not None:
            yield name, MeasuredCounter(value, cell.unit or "")


def _launch(text: str | None) -> int | str | None:
    if text is None or not _WHOLE.fullmatch(text):
        return text
    return int(text.partition(".")[0])


def _said(row: MeasurementRow, place: int) -> bool:
    return bool(row.cells[place].text)


def _size(text: str) -> str:
    """A size as launch files have it: 4096.0, which is how a column with gaps is written."""
    return text.partition(".")[0] if _WHOLE.fullmatch(text) else text


def _time(
    table: MeasurementTable, columns: Columns, cells: Mapping[str, Cell]
) -> tuple[float, str]:
    """Read the time and its unit. InputError for what is no time of a launch."""
    cell, unit = cells["time"], columns.by_role["time"].unit
    if table.roles is not None and number_of(cell.text) is None:
        return math.nan, unit or "us"
    if unit is None:
        where = cell if cell.unit is not None else cells["unit"]
        said = where.text if cell.unit is None else cell.unit
        unit = spelt_unit(said)
        if unit is None:
            words = f"`{said}` is no unit of time; units are {', '.join(UNITS)}"
            raise table.error(where, words)
    value = _number(table, cell)
    if math.isnan(value) or math.isinf(value):
        raise table.error(cell, f"the measured time is `{cell.text}`, not a finite number")
    if value <= 0:
        raise table.error(cell, f"the measured time is {cell.text}; a time is greater than 0")
    low, high = (0.5, _MOST_CYCLES) if unit == CYCLES else (SHORTEST_US, LONGEST_US)
    if not low <= value * MICROSECONDS.get(unit, 1.0) <= high:
        words = f"{cell.text} {unit} is the time of no launch; is the unit right?"
        raise table.error(cell, words)
    return value, unit


def _number(table: MeasurementTable, cell: Cell) -> float:
    if not cell.text:
        raise table.error(cell, "the measured time is missing")
    counted = None if cell.unit is None else number_of(cell.text)
    if counted is not None:
        return counted
    try:
        return float(_plain(cell.text))
    except ValueError:
        hint = None
        if re.fullmatch(r"[\d.,]*\d,\d[\d.,]*", cell.text):
            hint = "write a decimal point, and no separator of thousands"
        words = f"the measured time is `{cell.text}`, which is no number"
        raise table.error(cell, words, hint) from None


def _plain(text: str) -> str:
    """A number as it is written in files: Python reads ``1_000`` and other digits too."""
    return text if text.isascii() and "_" not in text else "no number"


def _whole(table: MeasurementTable, cell: Cell | None, what: str) -> int | None:
    if cell is None or not cell.text:
        return None
    if table.roles is not None:
        counted = number_of(cell.text)
        return None if counted is None else int(counted)
    if not _WHOLE.fullmatch(cell.text):
        raise table.error(cell, f"{what} is needed, and here is `{cell.text}`")
    return int(cell.text.partition(".")[0])


def _bytes(table: MeasurementTable, cell: Cell | None) -> int | None:
    if cell is None or cell.unit is None:
        return _whole(table, cell, "a number of bytes")
    return whole_bytes(cell)


def _dimensions(table: MeasurementTable, cells: Mapping[str, Cell], role: str) -> Dimensions | None:
    """Read ``256``, ``16,16``, ``(16, 16, 1)``, ``16x16``, or a column for each of x, y and z."""
    cell = cells.get(role)
    if cell is not None and cell.text:
        plain = _WHOLE.fullmatch(cell.text)
        text = cell.text.partition(".")[0] if plain else cell.text
        if not _DIMENSIONS.fullmatch(text):
            words = f"the {role} is `{cell.text}`, and one to three sizes are needed, as 16x16"
            raise table.error(cell, words)
        return _checked(table, cell, role, tuple(int(n) for n in re.findall(r"\d+", text)))
    parts = [cells.get(f"{role}_{axis}") for axis in "xyz"]
    first = parts[0]
    if first is None or not first.text:
        return None
    sizes = [_whole(table, part, f"a size of the {role}") for part in parts]
    return _checked(table, first, role, tuple(1 if size is None else size for size in sizes))


def _checked(table: MeasurementTable, cell: Cell, role: str, sizes: Dimensions) -> Dimensions:
    """Three sizes. InputError where one is 0."""
    if min(sizes) < 1:
        raise table.error(cell, f"a size of the {role} is 0")
    return (*sizes, 1, 1)[:3]
