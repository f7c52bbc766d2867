"""Pages of Nsight Compute as tables: what a page says, in which unit, and what is no page."""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from warpmill.analyzer.base.diagnostics import InputError, Source, Span
from warpmill.analyzer.base.naming import find_by_name
from warpmill.measurements.columns import find_columns
from warpmill.measurements.ncu_pages import (
    converted,
    number_of,
    page_table,
    report_source,
    whole_bytes,
)
from warpmill.measurements.reading import read_measurements
from warpmill.measurements.rows import MeasuredLaunch, measured_rows
from warpmill.measurements.tables import Cell, MeasurementTable

RAW = """\
my program prints, as it likes
==PROF== Connected to process 7 (app)
"ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC",{metrics}
"","","","","","","",{units}
==WARNING== Note: something
"0","7","void rows<(int)4>(const float *, float *)","(256, 1, 1)","(16, 2, 1)","0","8.0",{values}
==PROF== Disconnected from process 7
"""

DETAILS = """\
"ID","Kernel Name","Block Size","Grid Size","Device","CC","Section Name","Metric Name",\
"Metric Unit","Metric Value","Rule Name"
"0","k","(64, 1, 1)","(2, 1, 1)","0","9.0","GPU Speed Of Light","Memory Throughput","%","40.5",""
"0","k","(64, 1, 1)","(2, 1, 1)","0","9.0","GPU Speed Of Light","Duration","us","2.5",""
"0","k","(64, 1, 1)","(2, 1, 1)","0","9.0","GPU Speed Of Light","","","","Bottleneck"
"0","k","(64, 1, 1)","(2, 1, 1)","0","9.0","Memory","Memory Throughput","Gbyte/second","1.5",""
"1","k","(64, 1, 1)","(4, 1, 1)","0","9.0","GPU Speed Of Light","Duration","ms","1,002.5",""
"1","k","(64, 1, 1)","(4, 1, 1)","0","9.0","Launch","Registers Per Thread","register/thread","40",""
"""


def raw(metrics: str, units: str, values: str) -> str:
    def quoted(text: str) -> str:
        return ",".join(f'"{part}"' for part in text.split("|"))

    return RAW.format(metrics=quoted(metrics), units=quoted(units), values=quoted(values))


def table(text: str) -> MeasurementTable:
    found = page_table(Source("p.csv", text))
    assert found is not None
    return found


def rows(text: str) -> tuple[MeasuredLaunch, ...]:
    found = table(text)
    return measured_rows(found, find_columns(found, {}))


def test_a_raw_page() -> None:
    metrics = "gpu__time_duration.sum|launch__registers_per_thread|gpc__cycles_elapsed.max"
    text = raw(metrics, "usecond|register/thread|cycle", "1,234.5|32|n/a")
    (row,) = rows(text)
    assert (row.line, row.microseconds, row.registers) == (6, 1234.5, 32)
    assert (row.grid, row.block) == ((16, 2, 1), (256, 1, 1))
    assert row.kernel == "void rows<(int)4>(const float *, float *)"
    assert (row.gpu, row.compute_capability) == (None, "8.0")  # device 0 is the name of no GPU
    found = table(text)
    assert "sm__cycles_elapsed.max" in found.names  # as newer versions call it
    cell = found.rows[0].cells[found.names.index("gpu__time_duration.sum")]
    assert (cell.unit, text.split("\n")[5][cell.span.column - 1 : cell.span.end_column - 1]) == (
        "usecond",
        '"1,234.5"',
    )


def test_the_name_of_the_gpu_is_its_machine() -> None:
    name = "device__attribute_display_name|gpu__time_duration.sum"
    (row,) = rows(raw(name, "|nsecond", "NVIDIA A100-SXM4-40GB|1500"))
    assert (row.gpu, row.microseconds) == ("NVIDIA A100-SXM4-40GB", 1.5)


def test_cycles_where_a_page_has_no_time() -> None:
    (row,) = rows(raw("gpc__cycles_elapsed.max|x__y.sum", "cycle|", "12,345|1"))
    assert (row.cycles, row.microseconds) == (12345.0, None)


def test_a_details_page_has_a_row_a_launch() -> None:
    first, second = rows(DETAILS)
    assert (first.line, first.microseconds, first.grid, first.registers) == (
        2, 2.5, (2, 1, 1), None,
    )  # fmt: skip
    assert (second.line, second.grid, second.registers) == (6, (4, 1, 1), 40)
    assert second.microseconds == pytest.approx(1_002_500.0)  # each time has a unit of its own
    found = table(DETAILS)
    assert {"dram__bytes.sum.per_second", "Memory Throughput [%]"} <= set(found.names)
    assert "" not in found.names  # advice of rules is no metric


def test_details_by_the_names_of_metrics() -> None:
    text = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
    text += '"0","k","gpu__time_duration.sum","nsecond","2,048"\n'
    assert [row.microseconds for row in rows(text)] == [2.048]


def test_other_tables_are_no_pages() -> None:
    for text in ("", "target,time_us\na,1\n", "ID,Kernel Name,time_us\n0,k,1\n"):
        assert page_table(Source("m.csv", text)) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (DETAILS + "hello\n\"2\",\"k\"\n", ["p.csv:8:1: error: this is no row of the page",
                                           "p.csv:9:1: error: this is no row", "it has 2 fields"]),
        (DETAILS.replace('"2.5"', '"2,5"'), ["p.csv:3:81: error: `2,5` is a number with a decimal",
                                             "LC_ALL=C ncu --import"]),
        (DETAILS.partition("\n")[0] + "\n", ["p.csv:1:1: error: the page has no launch"]),
        (DETAILS.replace('"Metric Value"', '"Value"'), ["no column `Metric Value`"]),
        (raw("a__b|a__b", "|", "1|2"), ["p.csv:3:79: error: two columns are called `a__b`"]),
        (raw("a__b", "", "1").replace('"0","7"', '"","7"'), ["no ID"]),
    ],
)  # fmt: skip
def test_broken_pages_say_all_that_is_wrong(text: str, wanted: list[str]) -> None:
    with pytest.raises(InputError) as error:
        page_table(Source("p.csv", text))
    assert [words for words in wanted if words not in str(error.value)] == []


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "result"),
    [
        (8.41, "Mbyte", "B", 8.41e6),
        (8.0, "Kbyte/block", "B", 8e3),
        (243.0, "usecond", "µs", 243.0),
        (2.0, "ms", "µs", 2000.0),
        (91.2, "%", "%", 0.912),
        (91.2, "%", "B", None),
        (1.0, "", "%", None),
        (1.41, "cycle/nsecond", "MHz", 1410.0),
        (1.41, "Ghz", "MHz", 1410.0),
        (900.0, "Mhz", "MHz", 900.0),
        (1.5, "Tbyte/second", "GB/s", 1500.0),
        (1.5, "byte/s", "GB/s", 1.5e-9),
        (1.5, "%", "GB/s", None),
        (7.0, "byte", "inst", None),
        (7.0, "inst", "inst", 7.0),
        (7.0, "Kinst", "inst", 7000.0),
        (7.0, "thread", "thread inst", 7.0),
        (4.0, "sector/request", "sector", 4.0),
        (32.0, "register/thread", "", 32.0),
    ],
)
def test_units(value: float, unit: str, wanted: str, result: float | None) -> None:
    assert converted(value, unit, wanted) == (None if result is None else pytest.approx(result))


def test_what_a_launch_lacks_is_unknown() -> None:
    metrics = "gpu__time_duration.sum|launch__registers_per_thread|dram__bytes.sum"
    (row,) = rows(raw(metrics, "usecond||byte", "n/a|n/a|n/a"))
    assert math.isnan(row.time)
    assert (row.registers, row.counters) == (None, {})
    lacking = DETAILS.replace('"Duration","ms"', '"Something else","ms"')
    first, second = rows(lacking)
    assert (first.microseconds, math.isnan(second.time), second.registers) == (2.5, True, 40)


def test_rows_that_cannot_be_are_told_together() -> None:
    text = DETAILS.replace('"us"', '"fortnight"').replace('"(4, 1, 1)"', '"many"')
    with pytest.raises(InputError) as error:
        rows(text)
    assert "p.csv:3:88: error: `fortnight` is no unit of time" in str(error.value)
    assert "p.csv:6:22: error: the grid is `many`" in str(error.value)


def test_damaged_pages_are_read_or_refused_with_a_place() -> None:
    """Whatever is lost or written twice in a page: no other end."""
    chosen, ends = random.Random(7), set()
    for _ in range(400):
        text = chosen.choice((DETAILS, raw("gpu__time_duration.sum|a__b", "usecond|", "1|2")))
        for _ in range(chosen.randint(1, 5)):
            place = chosen.randrange(len(text))
            more = chosen.choice(('"', ",", "\n", "n/a", "9e999", "(", text[place : place + 60]))
            text = text[:place] + more + text[place + chosen.randint(0, 9) :]
        try:
            found = page_table(Source("p.csv", text))
            ends.add("table" if found is None else "page")
            if found is not None:
                measured_rows(found, find_columns(found, {}))
        except InputError as error:
            assert all(d.span for d in error.diagnostics if "more lines" not in d.message)
            ends.add("refused")
    assert ends == {"table", "page", "refused"}


def test_numbers() -> None:
    texts = ("37,748,736", "1.5e3", "-2", "12 (1; 2; 3)", "n/a", "", "nan", "1,5", "(8, 8, 1)")
    found = [number_of(text) for text in texts]
    assert found == [37748736.0, 1500.0, -2.0, 12.0, None, None, None, None, None]


@pytest.mark.parametrize(
    ("text", "unit", "size"),
    [("8.19", "Kbyte/block", 8192), ("32.77", "Kbyte/block", 32768), ("1,040", "byte/block", 1040),
     ("0", "byte/block", 0), ("49.15", "Kbyte/block", 49152), ("n/a", "byte", None),
     ("3", "%", None), ("1.02", "Kbyte/block", 1024), ("1.04", "Kbyte/block", 1040)],
)  # fmt: skip
def test_sizes_that_ncu_rounded(text: str, unit: str, size: int | None) -> None:
    assert whole_bytes(Cell(text, Span(1, 1, 2), unit)) == size


@pytest.mark.parametrize(
    ("name", "there", "found"),
    [
        ("rows(const float *, float *, int)", ["_Z4rowsPKfPfi", "cols"], "_Z4rowsPKfPfi"),
        ("rows(const float *, float *, int)", ["rows", "cols"], "rows"),
        ("void gemm<128, 8>(const float *, float *)", ["_Z4gemmILi128ELi8EEvPKfPf"],
         "_Z4gemmILi128ELi8EEvPKfPf"),
        ("f(const float *const *, const ns::B<int> &)", ["_Z1fPKPKfRKN2ns1BIiEE"],
         "_Z1fPKPKfRKN2ns1BIiEE"),
        ("scale(const float *)", ["_Z5scalePf", "_Z5scalePKf"], "_Z5scalePKf"),
        ("scale(float *)", ["_Z5scalePd"], None),
    ],
)  # fmt: skip
def test_names_of_kernels_as_profilers_write_them(
    name: str, there: list[str], found: str | None
) -> None:
    assert find_by_name(name, there) == found


def test_a_page_needs_a_machine_and_a_target(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(raw("gpu__time_duration.sum", "usecond", "1"))
    with pytest.raises(InputError, match=r"of compute capability 8\.0: a100, a100_pcie_80gb"):
        read_measurements(path)


class StandIn:
    """What NVIDIA documents of ``ncu_report``: reports of ranges of actions with metrics."""

    class Metric:
        def __init__(self, value: object, unit: str) -> None:
            self.value, self.unit = (lambda: value), (lambda: unit)

    class Action:
        NameBase_DEMANGLED = 2

        def __init__(self, name: str, metrics: dict[str, tuple[object, str]]) -> None:
            self._name, self._metrics = name, metrics

        def name(self, base: int = 0) -> str:
            return self._name if base == self.NameBase_DEMANGLED else self._name.partition("(")[0]

        def metric_names(self) -> list[str]:
            return list(self._metrics)

        def metric_by_name(self, name: str) -> StandIn.Metric:
            return StandIn.Metric(*self._metrics[name])

    def __init__(self, *ranges: list[StandIn.Action]) -> None:
        self._ranges = ranges

    def load_report(self, path: str) -> StandIn:
        if Path(path).read_text() != "a report":
            raise RuntimeError("no report")
        return self

    def num_ranges(self) -> int:
        return len(self._ranges)

    def range_by_idx(self, number: int) -> SimpleNamespace:
        actions = self._ranges[number]
        return SimpleNamespace(num_actions=lambda: len(actions), action_by_idx=lambda n: actions[n])


def launched(grid: int, time: float) -> dict[str, tuple[object, str]]:
    dims = {"grid_dim_x": grid, "grid_dim_y": 2, "grid_dim_z": 1}
    dims |= {"block_dim_x": 64, "block_dim_y": 1, "block_dim_z": 1}
    return {
        **{f"launch__{name}": (size, "") for name, size in dims.items()},
        "device__attribute_compute_capability_major": (9, ""),
        "device__attribute_compute_capability_minor": (0, ""),
        "device__attribute_display_name": ("NVIDIA H100 80GB HBM3", ""),
        "gpu__time_duration.sum": (time, "nsecond"),
        "launch__registers_per_thread": (40, "register/thread"),
        "some__text": ("two\nlines", ""),
    }


def test_a_report_by_the_module_of_nsight_compute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "void rows<4>(const float *)"
    report = StandIn(
        [StandIn.Action(name, launched(8, 2048.0))], [StandIn.Action(name, launched(4, 1e6))]
    )
    monkeypatch.setitem(sys.modules, "ncu_report", report)  # type: ignore[arg-type]
    path = tmp_path / "p.ncu-rep"
    path.write_text("a report")
    first, second = rows(report_source(path).text)
    assert (first.kernel, first.gpu) == (name, "NVIDIA H100 80GB HBM3")
    assert (first.grid, first.block, first.registers) == ((8, 2, 1), (64, 1, 1), 40)
    assert (first.microseconds, second.microseconds, second.grid) == (2.048, 1000.0, (4, 2, 1))
    assert first.compute_capability == "9.0"
    with pytest.raises(InputError, match="--target TARGET says"):
        read_measurements(path)
    path.write_text("none")
    with pytest.raises(InputError, match="cannot read the report: no report"):
        read_measurements(path)


def test_a_report_without_the_module_is_to_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ncu_report", None)
    path = tmp_path / "p.ncu-rep"
    with pytest.raises(InputError, match="there is no such file"):
        read_measurements(path)
    path.write_text("a report")
    with pytest.raises(InputError, match=r"ncu --import p\.ncu-rep --csv --page raw"):
        read_measurements(path)
