"""Pages that Nsight Compute exports as CSV, as tables of measurements: one row a launch.

``ncu --csv --page raw`` has a row for each launch, a column for each metric, and a row of units
below the header. ``--page details``, and ``--csv`` with ``--metrics``, have a row for each metric
of a launch. Lines of ncu itself (``==PROF==``) may stand anywhere, and what the program wrote above
the header.

Both become one table: columns that say which launch it is, by ncu's names for them, then metrics,
those of the details page by the metric that a label stands for. Cells keep their places in the file
and the unit that is said of them. What a launch lacks is an empty cell.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.measurements.tables import Cell, MeasurementRow, MeasurementTable, separated_spans

LAUNCH_COLUMNS = (
    "ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context",
    "Stream", "Block Size", "Grid Size", "Device", "CC",
)  # fmt: skip
"""Columns of both pages that are no metrics."""

_NAME, _UNIT, _VALUE = "Metric Name", "Metric Unit", "Metric Value"

CC = "CC"
"""Column with the compute capability of the GPU."""

SM_COUNT = "device__attribute_multiprocessor_count"

ROLES: Mapping[str, tuple[str, ...]] = {
    "time": (
        "gpu__time_duration.sum",
        "gpu__time_duration.max",
        "gpu__time_duration.avg",
        "sm__cycles_elapsed.max",
    ),
    "kernel": ("Kernel Name",),
    "grid": ("Grid Size",),
    "block": ("Block Size",),
    "machine": ("device__attribute_display_name",),
    "registers": ("launch__registers_per_thread",),
    "shared": ("launch__shared_mem_per_block_dynamic",),
}
"""Columns of a page by role, the first that it has."""

_NCU_LINE = "=="
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,(\d{1,2}|\d{4,})")
_EXPORT = "export it with: LC_ALL=C ncu --import FILE.ncu-rep --csv --page raw"
_MOST_ERRORS = 20


@cache
def ncu_table() -> Mapping[str, Any]:
    """What ``ncu.toml`` says of metrics."""
    import tomllib  # noqa: PLC0415 - only where there is a page

    text = (files("warpmill.measurements") / "ncu.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def read_metrics() -> frozenset[str]:
    """Metrics whose numbers are read: those that are compared, and what tells GPUs apart."""
    found = {SM_COUNT}
    for one in ncu_table()["compared"].values():
        found |= {one["metric"], *one.get("parts", ())}
    return frozenset(found)


@dataclass(frozen=True)
class _Line:
    """Fields of a line of a page, by the names of its columns."""

    number: int
    cells: Mapping[str, Cell]

    def text(self, name: str) -> str:
        return self.cells[name].text if name in self.cells else ""


@gc_paused()
def page_table(source: Source) -> MeasurementTable | None:
    """Table of a page of Nsight Compute; None for other tables.

    InputError for a page that is broken, with all that is wrong with it.
    """
    first = next((n for n, line in enumerate(source.lines) if _is_header(line)), None)
    if first is None:
        return None
    header, lines = _lines(source, first)
    if _NAME in header:
        table = _of_details(source, header, lines)
    else:
        table = _of_raw(source, header, lines)
    _refuse_decimal_commas(table)
    return table


def _is_header(line: str) -> bool:
    """Whether a line heads a page: kernels by ID, with metrics named beside them."""
    if not line.lstrip().startswith(("ID,", '"ID",')):
        return False
    names = _fields(line) or []
    return "Kernel Name" in names and (_NAME in names or any("__" in name for name in names))


def _fields(line: str) -> list[str] | None:
    """Fields of a line; None where it is no CSV."""
    try:
        return [field.strip() for field in next(csv.reader([line], strict=True))]
    except (csv.Error, StopIteration):
        return None


def _lines(source: Source, first: int) -> tuple[Mapping[str, Cell], list[_Line]]:
    """The header's cells by name, and the lines below it. InputError for all that are broken."""
    names = _fields(source.lines[first]) or []
    header: dict[str, Cell] = {}
    errors = []
    for cell in _cells(source, first + 1, names):
        if header.setdefault(cell.text, cell) is not cell:
            words = f"two columns are called `{cell.text}`"
            errors.append(at(source, cell.span, Severity.ERROR, words, _EXPORT))
    _raise(errors)
    found = []
    for number, text in enumerate(source.lines[first + 1 :], start=first + 2):
        if not text.strip() or text.startswith(_NCU_LINE):
            continue
        fields = _fields(text)
        if fields is None or len(fields) != len(names):
            errors.append(_broken(source, number, fields, len(names)))
            continue
        found.append(_Line(number, dict(zip(names, _cells(source, number, fields), strict=True))))
    _raise(errors)
    return header, found


def _broken(source: Source, line: int, fields: Sequence[str] | None, wanted: int) -> Diagnostic:
    span = Span(line, 1, len(source.line(line)) + 1)
    words = "this is no row of the page"
    if fields is not None:
        said = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
        words = f"{words}: it has {said}, and the header {wanted}"
    hint = f"where the program itself wrote it, {_EXPORT}, or profile with --log-file FILE"
    return at(source, span, Severity.ERROR, words, hint)


def _cells(source: Source, line: int, fields: Sequence[str]) -> list[Cell]:
    text, begin, cells = source.line(line), 1, []
    if text != ",".join(f'"{field}"' for field in fields):  # not as ncu writes it
        spans = separated_spans(text, line, ",")
        return [Cell(field, span) for field, span in zip(fields, spans, strict=True)]
    for field in fields:  # pages may have a thousand columns
        end = begin + len(field) + 2
        cells.append(Cell(field, Span(line, begin, end)))
        begin = end + 1
    return cells


def _raise(errors: Sequence[Diagnostic]) -> None:
    if errors:
        more = len(errors) - _MOST_ERRORS
        told = [f"and {more:,} more lines"] if more > 0 else []
        raise InputError(*errors[:_MOST_ERRORS], *told)


# The raw page.


def _of_raw(source: Source, header: Mapping[str, Cell], lines: Sequence[_Line]) -> MeasurementTable:
    units: Mapping[str, Cell] = {}
    if lines and not lines[0].text("ID"):
        units, lines = lines[0].cells, lines[1:]
    errors = [
        at(source, line.cells["ID"].span, Severity.ERROR, "this launch has no ID", _EXPORT)
        for line in lines
        if not line.text("ID")
    ]
    _raise(errors)
    if not lines:
        raise _no_launches(source, header)
    names = {name: _metric(name) for name in header}
    kept = list(dict.fromkeys(names.values()))
    place = {metric: name for name, metric in reversed(names.items())}
    return MeasurementTable(
        source,
        tuple(Cell(metric, header[place[metric]].span) for metric in kept),
        tuple(
            MeasurementRow(
                line.number,
                tuple(
                    Cell(one.text, one.span, units[name].text if name in units else None)
                    for name, one in ((place[m], line.cells[place[m]]) for m in kept)
                ),
            )
            for line in lines
        ),
        _roles(kept),
    )


def _metric(name: str) -> str:
    """The name that a metric has here: that of newer versions."""
    found: str = ncu_table()["same"].get(name, name)
    return found


# The details page.


def _of_details(
    source: Source, header: Mapping[str, Cell], lines: Sequence[_Line]
) -> MeasurementTable:
    for name in (_NAME, _VALUE):
        if name not in header:
            words = f"the page has no column `{name}`"
            raise InputError(at(source, header["ID"].span, Severity.ERROR, words, _EXPORT))
    own = [name for name in LAUNCH_COLUMNS if name in header]
    launches: dict[tuple[str, ...], tuple[_Line, dict[str, Cell]]] = {}
    metrics: dict[str, Cell] = {}
    for line in lines:
        key = tuple(line.text(name) for name in own)
        _, cells = launches.setdefault(key, (line, {}))
        if not line.text(_NAME):  # advice of a rule
            continue
        metric = _detail(line.text(_NAME), line.text(_UNIT))
        metrics.setdefault(metric, line.cells[_NAME])
        value = line.cells[_VALUE]
        cells.setdefault(metric, Cell(value.text, value.span, line.text(_UNIT)))
    if not launches:
        raise _no_launches(source, header)
    return MeasurementTable(
        source,
        (
            *(Cell(name, header[name].span) for name in own),
            *(Cell(name, cell.span) for name, cell in metrics.items() if name not in own),
        ),
        tuple(_launch(first, cells, own, metrics) for first, cells in launches.values()),
        _roles([*own, *metrics]),
    )


def _launch(
    first: _Line, cells: Mapping[str, Cell], own: Sequence[str], metrics: Mapping[str, Cell]
) -> MeasurementRow:
    empty = Cell("", first.cells["ID"].span)
    named = (first.cells[name] for name in own)
    counted = (cells.get(name, empty) for name in metrics if name not in own)
    return MeasurementRow(first.number, (*named, *counted))


def _detail(label: str, unit: str) -> str:
    """The metric that a label of the details page stands for; others keep it."""
    if "__" in label:  # of --metrics, which the page shows by their names
        return _metric(label)
    by_label = _by_label()
    if label.casefold() in by_label["rates"] and unit != "%":
        return by_label["rates"][label.casefold()]
    return by_label["details"].get(label.casefold(), f"{label} [%]" if unit == "%" else label)


@cache
def _by_label() -> Mapping[str, Mapping[str, str]]:
    return {
        part: {label.casefold(): metric for label, metric in ncu_table()[part].items()}
        for part in ("details", "rates")
    }


# Both.


def _roles(names: Sequence[str]) -> Mapping[str, str]:
    found = ((role, next((n for n in each if n in names), None)) for role, each in ROLES.items())
    return {role: name for role, name in found if name is not None}


def _no_launches(source: Source, header: Mapping[str, Cell]) -> InputError:
    words = "the page has no launch: a row for each is needed below the header"
    return InputError(at(source, header["ID"].span, Severity.ERROR, words, _EXPORT))


def _refuse_decimal_commas(table: MeasurementTable) -> None:
    """Refuse a page whose numbers have decimal commas: 1,234 could be two numbers. InputError."""
    columns = [n for n, name in enumerate(table.names) if name not in LAUNCH_COLUMNS]
    cells = (row.cells[n] for row in table.rows for n in columns)
    found = next((cell for cell in cells if _DECIMAL_COMMA.fullmatch(cell.text)), None)
    if found is not None:
        words = f"`{found.text}` is a number with a decimal comma, as the page's locale has it"
        raise table.error(found, words, _EXPORT)


# Reports of Nsight Compute.


def report_source(path: Path) -> Source:
    """Page of a report (``.ncu-rep``), as text, by NVIDIA's module ``ncu_report``.

    Lines of errors are those of this text. InputError where the module or the file is not there,
    and where it cannot read the file.
    """
    try:
        ncu_report: Any = import_module("ncu_report")
    except ImportError:
        words = "a report is read by Nsight Compute's Python module ncu_report, which is not found"
        hint = (
            f"put its folder extras/python on PYTHONPATH, or {_EXPORT.replace('FILE', path.stem)}"
        )
        raise InputError(Diagnostic(Severity.ERROR, words, str(path), hint=hint)) from None
    try:
        report = ncu_report.load_report(str(path))
        ranges = [report.range_by_idx(n) for n in range(report.num_ranges())]
        actions = [each.action_by_idx(n) for each in ranges for n in range(each.num_actions())]
        lines = [line for n, action in enumerate(actions) for line in _of_action(n, action)]
    except (RuntimeError, OSError, ValueError, TypeError, AttributeError) as error:
        words = f"ncu_report cannot read the report: {error or type(error).__name__}"
        raise InputError(Diagnostic(Severity.ERROR, words, str(path), hint=_EXPORT)) from None
    text = StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([_OF_REPORT, *lines])
    return Source(str(path), text.getvalue())


_OF_REPORT = ("ID", "Kernel Name", "Block Size", "Grid Size", CC, _NAME, _UNIT, _VALUE)


def _of_action(number: int, action: Any) -> Iterator[tuple[object, ...]]:
    """A profiled kernel as lines of a details page: a line a metric that is a number."""
    metrics = {name: action.metric_by_name(name) for name in action.metric_names()}
    values = {name: metric.value() for name, metric in metrics.items() if metric is not None}

    def shape(what: str) -> str:
        each = [values.get(f"launch__{what}_dim_{axis}") for axis in "xyz"]
        return "" if None in each else f"({', '.join(f'{size:.0f}' for size in each)})"

    demangled = getattr(action, "NameBase_DEMANGLED", None)
    name = action.name() if demangled is None else action.name(demangled)
    major, minor = (values.get(f"{_CAPABILITY}_{part}") for part in ("major", "minor"))
    capability = "" if major is None or minor is None else f"{major:.0f}.{minor:.0f}"
    launch = (number, " ".join(name.split()), shape("block"), shape("grid"), capability)
    for metric, value in values.items():
        if isinstance(value, int | float) or metric in ROLES["machine"]:
            yield *launch, metric, metrics[metric].unit() or "", value


_CAPABILITY = "device__attribute_compute_capability"


# Numbers and their units.


@dataclass(frozen=True)
class MeasuredCounter:
    """A number of a page, in the unit that the page says."""

    value: float
    unit: str


_PREFIXES = {"": 1.0, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9,
             "T": 1e12, "P": 1e15}  # fmt: skip
_SECONDS = ("second", "sec", "s")
_BASES = {
    "B": ("byte", "B"),
    "µs": _SECONDS,
    "cycle": ("cycle",),
    "inst": ("inst", "instruction"),
    "thread inst": ("inst", "thread", "thread inst"),
    "sector": ("sector",),
    "warp": ("warp",),
}
"""What Nsight Compute calls the units of figures."""

_TIMES = {"µs": 1e6, "GB/s": 1e-9, "MHz": 1e-6, "%": 0.01}
"""Units of figures, of what Nsight Compute counts in without a prefix."""

_HERTZ = re.compile(r"([kmgKMG]?)[hH]z")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")
_INSTANCES = re.compile(r"\s*\(.*\)$")
_PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def number_of(text: str) -> float | None:
    """A number as Nsight Compute writes it, ``37,748,736`` too; None for other texts (``n/a``)."""
    plain = _INSTANCES.sub("", text)
    if _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    value = float(plain) if _PLAIN.fullmatch(plain) else math.inf
    return value if math.isfinite(value) else None


def converted(value: float, unit: str | None, wanted: str) -> float | None:
    """A number in a unit of Nsight Compute (``Mbyte``, ``cycle/nsecond``) in one of figures.

    A count without a unit is taken as it is. None where the one cannot be said in the other.
    """
    factor = _factor((unit or "").strip(), wanted)
    return None if factor is None else value * factor


def _factor(unit: str, wanted: str) -> float | None:
    if wanted == "%" or unit == "%":
        return _TIMES["%"] if wanted == unit else None
    top, _, bottom = unit.partition("/")
    if wanted == "GB/s":
        return _rate(_prefixed(top, _BASES["B"]), bottom, wanted)
    if wanted == "MHz":
        hertz = _HERTZ.fullmatch(unit)
        if hertz is not None:
            return _PREFIXES[hertz[1].upper()] * _TIMES[wanted]
        return _rate(_prefixed(top, _BASES["cycle"]), bottom, wanted)
    if wanted not in _BASES or not top:
        return 1.0
    own = _prefixed(top, _BASES[wanted])
    return None if own is None else own * _TIMES.get(wanted, 1.0)


def _rate(top: float | None, bottom: str, wanted: str) -> float | None:
    below = _prefixed(bottom, _SECONDS)
    return None if top is None or below is None else top / below * _TIMES[wanted]


def _prefixed(text: str, bases: Sequence[str]) -> float | None:
    """What the prefix of a unit is worth, where it is one of some."""
    for base in bases:
        if text.endswith(base) and text.removesuffix(base) in _PREFIXES:
            return _PREFIXES[text.removesuffix(base)]
    return None


_MOST_BYTES = 2.0**48


def whole_bytes(cell: Cell) -> int | None:
    """Bytes of a cell. None where it says none.

    A size that ncu rounded (8.19 Kbyte) is the roundest in binary of those that it can be: 8,192.
    """
    plain = _INSTANCES.sub("", cell.text).replace(",", "")
    factor = _factor(cell.unit or "byte", "B")
    if not _PLAIN.fullmatch(plain) or factor is None:
        return None
    value = min(float(plain) * factor, _MOST_BYTES)
    half = 0.5 * 10.0 ** -len(plain.partition(".")[2]) * factor
    if factor == 1.0 and value.is_integer():
        return int(value)
    steps = (1 << power for power in range(40, -1, -1))
    nearest = (round(value / step) * step for step in steps)
    return next((size for size in nearest if abs(size - value) <= half), round(value))
