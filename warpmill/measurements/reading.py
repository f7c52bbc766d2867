"""Measurements that a user has in a file: its columns found, its rows read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.naming import base_name
from warpmill.analyzer.base.whole_files import is_file
from warpmill.measurements.columns import ROLES, UNITS, Columns, find_columns, with_sizes
from warpmill.measurements.launches import SharedParts, located, target_sizes
from warpmill.measurements.machines import MachineChoices, stated_capability
from warpmill.measurements.ncu_pages import LAUNCH_COLUMNS, page_table, report_source
from warpmill.measurements.rows import MeasuredLaunch, measured_rows
from warpmill.measurements.tables import MeasurementTable, read_source, table_of
from warpmill.session.options import LaunchOptions, TargetOptions
from warpmill.simulator.machines.files import machine_names


@dataclass(frozen=True)
class TableChoices:
    """Choices of the user for a table.

    ``named`` has headers by role, ``unit`` is that of times; ``machines`` and ``parts`` are what
    columns do not say.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    machines: MachineChoices = field(default_factory=MachineChoices)
    parts: SharedParts = field(default_factory=SharedParts)


@dataclass(frozen=True)
class Measurements:
    """A table that was read; ``folder`` is where it lies."""

    table: MeasurementTable
    folder: Path
    choices: TableChoices
    columns: Columns
    rows: tuple[MeasuredLaunch, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Columns that are metrics of a page of Nsight Compute, what tells the GPU aside."""
        if self.table.roles is None:
            return ()
        names = (x for x in self.table.names if x not in LAUNCH_COLUMNS)
        return tuple(name for name in names if not name.startswith("device__"))

    @property
    def other_columns(self) -> tuple[str, ...]:
        """Columns that are no such metrics, and tell no attribute of the GPU."""
        metrics = frozenset(self.metrics)
        is_page = self.table.roles is not None
        names = (x for x in self.table.names if x not in metrics)
        return tuple(x for x in names if not is_page or x in LAUNCH_COLUMNS)


def read_measurements(path: str | Path, choices: TableChoices | None = None) -> Measurements:
    """Read a CSV file. UsageError for what was said of it, InputError, located, for what it is."""
    choices = choices or TableChoices()
    if choices.unit is not None and choices.unit not in UNITS:
        raise UsageError(f"--unit {choices.unit}: units are {', '.join(UNITS)}")
    folder, table = Path(path).parent, _table(Path(path))
    columns = _columns(table, choices, folder)
    rows = measured_rows(table, columns)
    for role, given in (
        ("machine", choices.machines.without_column),
        ("target", choices.parts.target),
    ):
        if given is None and role not in columns.by_role:
            raise _nowhere(table, role, rows)
    _see_that_all_are_there(choices.machines.named, rows)
    return Measurements(table, folder, choices, columns, rows)


_LISTED = 8
NAMED = "KERNEL"
"""What stands in words of a command for the file of the kernels that were measured."""


@dataclass(frozen=True)
class FirstCorrelation:
    """``launches`` in words, and the words that ``correlate`` needs of them; what is assumed."""

    launches: str
    words: tuple[str, ...]
    assumed: tuple[str, ...]


def is_measured(path: Path) -> bool:
    """Whether a file is a table of measurements, or a report of Nsight Compute, by its name."""
    return path.suffix.lower() in {".csv", ".ncu-rep"}


def first_correlation(path: Path) -> FirstCorrelation:
    """Read rows as they are, whatever they do not say. InputError for what the file is."""
    table = _table(path)
    rows = measured_rows(table, find_columns(table, {}))
    names = list(dict.fromkeys(base_name(row.kernel) for row in rows if row.kernel is not None))
    kernels = f"{', '.join(names[:_LISTED])}{' ...' * (len(names) > _LISTED)}"
    launches = (
        f"{len(rows):,} measured launch{'es' * (len(rows) > 1)}{f' of {kernels}' * bool(names)}"
    )
    words, assumed = [], []
    if any(row.target is None for row in rows):
        words += ["--target", NAMED]
    if any(row.gpu is None for row in rows):
        said = {row.compute_capability for row in rows} - {None}
        fitting = [m for m in machine_names() if stated_capability(m) in said] or ["MACHINE"]
        words += ["--machine", fitting[0]]
        others = f"; of its capability are {', '.join(fitting)}" * (len(fitting) > 1)
        assumed.append(f"machine: no column says the GPU{others}")
    return FirstCorrelation(launches, tuple(words), tuple(assumed))


def _table(path: Path) -> MeasurementTable:
    is_report = path.suffix == ".ncu-rep" and is_file(path)
    source = report_source(path) if is_report else read_source(path)
    return page_table(source) or table_of(source)


def _columns(table: MeasurementTable, choices: TableChoices, folder: Path) -> Columns:
    """Find the columns, with those of sizes. UsageError for the name of nothing."""
    parts = choices.parts
    given = {
        "machine": choices.machines.every,
        "target": parts.target,
        "kernel": parts.kernel,
        "args": parts.arguments or None,
    }
    said = [role for role, value in given.items() if value is not None]
    found = find_columns(table, choices.named, said, choices.unit)
    sizes = target_sizes(_targets(table, found, parts.target, folder))
    for column in found.sizes:
        if column.role not in sizes:
            words = f"--column {column.role}={column.name}: no target has a size `{column.role}`"
            known = f"columns can be {', '.join(ROLES)}; sizes: {', '.join(sizes) or 'none'}"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=known))
    return with_sizes(table, found, sizes)


def _see_that_all_are_there(named: Iterable[str], rows: Iterable[MeasuredLaunch]) -> None:
    """Refuse a machine for a GPU that no row is of. UsageError."""
    gpus = dict.fromkeys(row.gpu for row in rows if row.gpu is not None)
    for gpu in named:
        if gpu not in gpus:
            words = f"--machine {gpu}=…: no row is of `{gpu}`"
            hint = f"rows are of {', '.join(gpus)}" if gpus else "no column says what rows are of"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _nowhere(table: MeasurementTable, role: str, rows: Sequence[MeasuredLaunch]) -> InputError:
    words = f"no column is known as {ROLES[role][0]}, and there is no --{role} for all rows"
    if table.roles is not None:
        return table.error(table.header[0], words, _hint_of_page(role, rows))
    hint = f"--column {role}=NAME says which it is; columns: {', '.join(table.names)}"
    return table.error(table.header[0], words, hint)


def _hint_of_page(role: str, rows: Sequence[MeasuredLaunch]) -> str:
    """What to say of a page, which never names a target, and seldom the GPU."""
    if role == "target":
        return "--target TARGET says what was launched: a launch file, or a kernel file with --arg"
    said = {row.compute_capability for row in rows} - {None}
    fitting = [m for m in machine_names() if stated_capability(m) in said]
    those = f"; machines of compute capability {', '.join(map(str, said))}: {', '.join(fitting)}"
    return f"--machine NAME says which GPU it was{those if fitting else ''}"


def _targets(
    table: MeasurementTable, columns: Columns, target: str | None, folder: Path
) -> Iterator[str]:
    """Name the targets of a table, each once."""
    column = columns.by_role.get("target")
    if target is not None:
        yield target
    if column is not None:
        cells = (row.cells[column.place].text for row in table.rows)
        yield from (located(text, folder) for text in dict.fromkeys(cells) if text)


def measurements_of(
    file: Path | None, source: TargetOptions, launch: LaunchOptions, machines: Sequence[str]
) -> Measurements | None:
    """Measured launches of a target, of a file; None without one.

    Where it names no GPU, they are of the machine, if there is one. UsageError, InputError.
    """
    if file is None:
        return None
    machine = machines[0] if len(machines) == 1 and "," not in machines[0] else None
    parts = SharedParts(source.target, source.kernel, launch.sizes, tuple(launch.args))
    choices = TableChoices(machines=MachineChoices(otherwise=machine), parts=parts)
    return read_measurements(file, choices)
