"""Meaning of a measurement table's columns: named by the user, or guessed by header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError, at
from warpmill.analyzer.base.metric import Id, Metric
from warpmill.analyzer.base.naming import suggestion
from warpmill.measurements.tables import MeasurementTable

How = Literal["named", "guessed", "size", "page"]

ROLES: dict[str, tuple[str, frozenset[str]]] = {
    role: (words, frozenset(headers.split()))
    for role, words, headers in (
        (
            "time",
            "the measured time",
            "time duration elapsed elapsed_time runtime run_time kernel_time gpu_time latency "
            "kernel_duration measured measured_time execution_time exec_time time_per_kernel "
            "gpu_time_duration_sum cycles elapsed_cycles cycles_elapsed measured_cycles "
            "gpc_cycles_elapsed_max sm_cycles_elapsed_max",
        ),
        ("unit", "the unit of the time", "unit units time_unit"),
        (
            "machine",
            "the machine",
            "machine machine_name gpu gpu_name device device_name accelerator",
        ),
        ("target", "the target", "target launch_file file path module workload program"),
        ("kernel", "the kernel", "kernel kernel_name name function"),
        ("launch", "the launch, by number or name", "launch launch_number launch_id launch_index"),
        ("grid", "the grid", "grid grid_size grid_dim griddim"),
        ("grid_x", "the grid in x", "grid_x grid_size_x grid_dim_x griddim_x grdx"),
        ("grid_y", "the grid in y", "grid_y grid_size_y grid_dim_y griddim_y grdy"),
        ("grid_z", "the grid in z", "grid_z grid_size_z grid_dim_z griddim_z grdz"),
        (
            "block",
            "the block",
            "block block_size block_dim blockdim threads_per_block threads_per_cta cta_size",
        ),
        ("block_x", "the block in x", "block_x block_size_x block_dim_x blockdim_x blkx"),
        ("block_y", "the block in y", "block_y block_size_y block_dim_y blockdim_y blky"),
        ("block_z", "the block in z", "block_z block_size_z block_dim_z blockdim_z blkz"),
        (
            "shared",
            "dynamic shared memory in bytes",
            "shared dynamic_shared shared_bytes dynamic_shared_bytes dyn_smem_bytes",
        ),
        (
            "registers",
            "registers of a thread",
            "registers regs registers_per_thread reg_trd",
        ),
        ("args", "the arguments", "args arguments"),
    )
}
"""Roles of columns: words about each, and the headers that it is guessed by, as ``_plain``."""

MICROSECONDS: dict[str, float] = {"s": 1e6, "ms": 1e3, "us": 1.0, "ns": 1e-3}
CYCLES = "cycles"
UNITS = (*MICROSECONDS, CYCLES)
"""The units of a measured time, by the names that ``--unit`` has for them."""

_SPELT: dict[str, str] = {
    word: unit
    for unit, words in (
        ("s", "s sec secs second seconds"),
        ("ms", "ms msec msecs msecond millisecond milliseconds"),
        ("us", "us µs μs usec usecs usecond microsecond microseconds"),
        ("ns", "ns nsec nsecs nsecond nanosecond nanoseconds"),
        (CYCLES, "cycles cycle"),
    )
    for word in words.split()
}
_STATISTICS = frozenset(["mean", "avg", "average", "median", "min", "minimum", "best"])
_BRACKETS = re.compile(r"[\[(]([^\])]*)[\])]\s*$")


@dataclass(frozen=True)
class MeasurementColumn:
    """Meaning of a column: a role, or a size by its name. ``place`` counts from 0.

    ``is_size``: ``role`` is the name of a size that targets have. ``how``: the user named it, it
    was guessed by its header, a target has a size of that name, or the table is a page of Nsight
    Compute, which has a column for it. ``unit`` is what its header or the user says of the unit of
    a time; null where nobody does, and where each time has its own.
    """

    place: Id
    name: Annotated[str, Metric("Column")]
    role: str
    how: How
    unit: str | None = None
    is_size: bool = False

    @property
    def words(self) -> str:
        """Meaning of the column in words."""
        if self.is_size:
            return f"the size `{self.role}`"
        words = ROLES[self.role][0]
        return words if self.unit is None else f"{words}, in {self.unit}"


@dataclass(frozen=True)
class Columns:
    """The columns of a table that are used, by role; ``sizes`` are those of targets."""

    by_role: Mapping[str, MeasurementColumn]
    sizes: tuple[MeasurementColumn, ...]

    @property
    def used(self) -> tuple[MeasurementColumn, ...]:
        """All of them, in the order of the table."""
        return tuple(sorted((*self.by_role.values(), *self.sizes), key=lambda c: c.place))

    def guesses(self) -> tuple[str, ...]:
        """Guessed columns, a line each."""
        return tuple(
            f"column `{c.name}` is taken for {c.words}"
            for c in self.used
            if c.how not in {"named", "page"}
        )


def spelt_unit(text: str) -> str | None:
    """Read a unit of time as people write it; None for anything else."""
    return _SPELT.get(text.strip().lower())


def header_unit(header: str) -> str | None:
    """Unit in a header: ``time_ms``, ``Duration [us]``, ``cycles``."""
    bracketed = _BRACKETS.search(header)
    if bracketed is not None:
        return spelt_unit(bracketed[1])
    found = [unit for word in _words(header) if (unit := spelt_unit(word)) is not None]
    return found[-1] if found else None


def _words(header: str) -> list[str]:
    return [word for word in re.split(r"[^0-9a-zµμ]+", header.lower()) if word]


def _plain(header: str) -> str:
    """A header in the spelling of ``ROLES``: without unit and statistic, joined by ``_``."""
    bare = _BRACKETS.sub("", header)
    # cycles are a unit and what is counted: they stay
    units = set(_SPELT) - {"cycles"}
    kept = [word for word in _words(bare) if word not in _STATISTICS]
    if len(kept) > 1 and kept[-1] in units:
        kept = kept[:-1]
    if len(kept) > 1 and kept[-1] == "in":
        kept = kept[:-1]
    return "_".join(kept)


def find_columns(
    table: MeasurementTable,
    named: Mapping[str, str],
    given: Iterable[str] = (),
    unit: str | None = None,
) -> Columns:
    """Find the columns of a table; sizes that are not named are not looked for here.

    ``named`` has headers by role or size; an empty one says that there is none. Roles in ``given``
    come from elsewhere: no column is guessed for them. UsageError for a column that there is not,
    InputError where a guess could be two columns, where none is the time, and where nothing says
    its unit.
    """
    found = {role: _named(table, role, header) for role, header in named.items() if header}
    _check_once(found.values())
    taken = {column.place for column in found.values()}
    for role in ROLES:
        if role in named or role in given:
            continue
        guess = _guessed(table, role, taken)
        if guess is not None:
            found[role] = guess
            taken.add(guess.place)
    if "time" not in found:
        words = "no column is known as the measured time"
        hint = f"--column time=NAME says which it is; columns: {', '.join(table.names)}"
        raise InputError(at(table.source, table.header[0].span, Severity.ERROR, words, hint))
    found["time"] = _with_unit(table, found["time"], unit, has_column="unit" in found)
    sizes = tuple(c for c in found.values() if c.is_size)
    roles = {role: c for role, c in found.items() if not c.is_size}
    return Columns(roles, sizes)


def with_sizes(table: MeasurementTable, columns: Columns, sizes: Iterable[str]) -> Columns:
    """Take what is left, and what was guessed but is the name of a target's size, for sizes."""
    known = set(sizes)
    kept = {
        role: c
        for role, c in columns.by_role.items()
        if c.how == "named" or c.name not in known or role == "time"
    }
    taken = {c.place for c in (*kept.values(), *columns.sizes)}
    named = {c.role for c in columns.sizes}
    found = [
        MeasurementColumn(place, name, name, "size", is_size=True)
        for place, name in enumerate(table.names)
        if name in known and name not in named and place not in taken
    ]
    return Columns(kept, (*columns.sizes, *found))


def _named(table: MeasurementTable, role: str, header: str) -> MeasurementColumn:
    if header not in table.names:
        known = suggestion(header, table.names) or f"columns: {', '.join(table.names)}"
        words = f"--column {role}={header}: {table.source.name} has no column `{header}`"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=known))
    place = table.names.index(header)
    return MeasurementColumn(place, header, role, "named", is_size=role not in ROLES)


def _check_once(columns: Iterable[MeasurementColumn]) -> None:
    seen: dict[int, MeasurementColumn] = {}
    for column in columns:
        other = seen.setdefault(column.place, column)
        if other is not column:
            words = f"column `{column.name}` is named for `{other.role}` and for `{column.role}`"
            raise UsageError(words)


def _guessed(table: MeasurementTable, role: str, taken: set[int]) -> MeasurementColumn | None:
    """Guess the column of a role. InputError where there could be two."""
    if table.roles is not None:
        name = table.roles.get(role)
        if name is None or table.names.index(name) in taken:
            return None
        return MeasurementColumn(table.names.index(name), name, role, "page")
    headers = ROLES[role][1]
    places = [
        place
        for place, name in enumerate(table.names)
        if place not in taken and _plain(name) in headers
    ]
    if not places:
        return None
    if len(places) > 1:
        raise _two(table, role, places)
    return MeasurementColumn(places[0], table.names[places[0]], role, "guessed")


def _two(table: MeasurementTable, role: str, places: Sequence[int]) -> InputError:
    first, *others = (f"`{table.names[place]}`" for place in places)
    words = f"{ROLES[role][0]} could be column {first} or {' or '.join(others)}"
    hint = f"--column {role}={table.names[places[0]]} takes the first"
    return table.error(table.header[places[1]], words, hint)


def _with_unit(
    table: MeasurementTable, time: MeasurementColumn, unit: str | None, *, has_column: bool
) -> MeasurementColumn:
    said = header_unit(time.name)
    own = {row.cells[time.place].unit for row in table.rows} - {None}
    if said is None and own:
        return _with_own_units(time, own, unit)
    if has_column:
        if unit is not None:
            raise UsageError(f"--unit {unit}: a column says the unit of each time")
        return time
    if unit is not None and said is not None and said != unit:
        raise UsageError(f"--unit {unit}: the header `{time.name}` says that it is in {said}")
    found = unit or said
    if found is None:
        words = f"nothing says the unit of column `{time.name}`"
        hint = f"--unit {'|'.join(UNITS)} does, or a header such as time_ms"
        raise table.error(table.header[time.place], words, hint)
    return MeasurementColumn(time.place, time.name, time.role, time.how, found)


def _with_own_units(
    time: MeasurementColumn, own: set[str | None], unit: str | None
) -> MeasurementColumn:
    """A time whose cells say their units: that of the column where all say the same."""
    if unit is not None:
        raise UsageError(f"--unit {unit}: the table says the unit of each time")
    (first, *others) = own
    return replace(time, unit=None if others else spelt_unit(first or ""))
