"""Which column is what: named, guessed by its header, or the name of a size."""

import pytest

from warpmill.analyzer.base.diagnostics import InputError, Source, Span, UsageError
from warpmill.measurements.columns import ROLES, find_columns, header_unit, spelt_unit, with_sizes
from warpmill.measurements.tables import Cell, MeasurementRow, MeasurementTable


def table(*names):
    header, place = [], 1
    for name in names:
        header.append(Cell(name, Span(1, place, place + len(name))))
        place += len(name) + 1
    cells = tuple(Cell("1", Span(2, 1, 2)) for _ in names)
    return MeasurementTable(
        Source("m.csv", ",".join(names)), tuple(header), (MeasurementRow(2, cells),)
    )


def roles(found):
    return {role: column.name for role, column in found.by_role.items()}


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("time_ms", "ms"),
        ("Time (s)", "s"),
        ("Duration [us]", "us"),
        ("Duration [µs]", "us"),
        ("time_μs", "us"),
        ("kernel time in ns", "ns"),
        ("time_ms_mean", "ms"),
        ("min_time_ms", "ms"),
        ("runtime_seconds", "s"),
        ("gpu__time_duration.sum [nsecond]", "ns"),
        ("gpu__time_duration.sum [ns]", "ns"),
        ("gpc__cycles_elapsed.max", "cycles"),
        ("cycles", "cycles"),
        ("elapsed cycles", "cycles"),
        ("GPU Time (msec)", "ms"),
        ("latency_usec", "us"),
        ("time", None),
    ],
)
def test_times_and_their_units(header, unit):
    assert header_unit(header) == unit
    found = find_columns(table("x", header), {}, unit=None if unit else "ms")
    assert roles(found) == {"time": header}
    assert found.by_role["time"].unit == (unit or "ms")
    assert found.by_role["time"].how == "guessed"


@pytest.mark.parametrize("header", ["std_ms", "start (ns)", "times", "time_max_ms", "n", "ms"])
def test_what_is_no_time(header):
    with pytest.raises(InputError, match="no column is known as the measured time"):
        find_columns(table("gpu", header), {})


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("gpu", "machine"),
        ("Device", "machine"),
        ("GPU name", "machine"),
        ("machine", "machine"),
        ("launch_file", "target"),
        ("workload", "target"),
        ("Kernel Name", "kernel"),
        ("kernel", "kernel"),
        ("Grid Size", "grid"),
        ("gridDim", "grid"),
        ("GrdX", "grid_x"),
        ("block_size_y", "block_y"),
        ("Block Size", "block"),
        ("threads_per_block", "block"),
        ("Reg/Trd", "registers"),
        ("regs", "registers"),
        ("dyn_smem_bytes", "shared"),
        ("unit", "unit"),
        ("launch", "launch"),
        ("args", "args"),
    ],
)
def test_headers_that_are_known(header, role):
    assert roles(find_columns(table(header, "time_ms"), {}))[role] == header


def test_no_header_is_of_two_roles():
    headers = [header for _, known in ROLES.values() for header in known]
    assert len(headers) == len(set(headers))


def test_each_guess_is_a_line():
    found = with_sizes(table("n", "gpu", "time_ms", "x"), find_columns(
        table("n", "gpu", "time_ms", "x"), {"machine": "gpu"}), ["n"])  # fmt: skip
    assert found.guesses() == (
        "column `n` is taken for the size `n`",
        "column `time_ms` is taken for the measured time, in ms",
    )


def test_what_is_named_is_not_guessed():
    both = table("time_ms", "duration_us", "gpu")
    found = find_columns(both, {"time": "duration_us"})
    assert roles(found) == {"time": "duration_us", "machine": "gpu"}
    assert found.by_role["time"].unit == "us"
    assert roles(find_columns(both, {"time": "time_ms", "machine": "gpu"}, ())).keys() == {
        "time",
        "machine",
    }


def test_what_comes_from_elsewhere_is_not_guessed():
    found = find_columns(table("time_ms", "gpu"), {}, ["machine"])
    assert roles(found) == {"time": "time_ms"}


def test_what_there_is_no_column_for():
    found = find_columns(table("time_ms", "name"), {"kernel": "", "n": ""})
    assert roles(found) == {"time": "time_ms"}
    with pytest.raises(InputError, match="no column is known as the measured time"):
        find_columns(table("time_ms", "name"), {"time": ""})


def test_a_guess_that_could_be_two_points_at_the_second():
    with pytest.raises(InputError) as caught:
        find_columns(table("gpu", "time_ms", "time_ms_min"), {})
    words = str(caught.value)
    assert words.startswith("m.csv:1:13: error: the measured time could be column `time_ms` or")
    assert "--column time=time_ms " in words


def test_two_machines():
    with pytest.raises(InputError, match="the machine could be column `gpu` or `device`"):
        find_columns(table("time_ms", "gpu", "device"), {})


@pytest.mark.parametrize(
    ("named", "unit", "words"),
    [
        ({"time": "tme_ms"}, None, "no column `tme_ms`"),
        ({"time": "time_ms", "n": "time_ms"}, None, "named for `time` and for `n`"),
        ({}, "us", "says that it is in ms"),
    ],
)
def test_what_is_named_wrong(named, unit, words):
    with pytest.raises(UsageError, match=words):
        find_columns(table("time_ms", "gpu"), named, unit=unit)


def test_a_unit_that_nothing_says():
    with pytest.raises(InputError, match="nothing says the unit of column `time`") as caught:
        find_columns(table("gpu", "time"), {})
    assert str(caught.value).startswith("m.csv:1:5: ")
    with pytest.raises(UsageError, match="a column says the unit of each time"):
        find_columns(table("time", "unit"), {}, unit="ms")
    assert find_columns(table("time", "unit"), {}).by_role["time"].unit is None


def test_sizes_take_what_is_left_and_what_was_only_guessed():
    one = table("time_ms", "block", "n", "x", "elements")
    found = with_sizes(one, find_columns(one, {"m": "elements"}), ["n", "m", "block", "time_ms"])
    assert roles(found) == {"time": "time_ms"}
    assert {c.role: c.name for c in found.sizes} == {"m": "elements", "block": "block", "n": "n"}
    assert [c.words for c in found.used][1] == "the size `block`"
    named = with_sizes(one, find_columns(one, {"block": "block"}), ["n", "block"])
    assert roles(named) == {"time": "time_ms", "block": "block"}


def test_units_as_people_write_them():
    assert [spelt_unit(text) for text in (" MS ", "µs", "Seconds", "usec", "h", "")] == [
        "ms", "us", "s", "us", None, None,
    ]  # fmt: skip
