"""Counters of a page beside an engine's figures: the same quantity, in the same unit, or none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import warpmill
from tests.commands.test_cli_bad_input import fails
from warpmill.analyzer.profile.counts import Profile
from warpmill.cli.main import main
from warpmill.measurements import correlated_rows
from warpmill.measurements.correlated_rows import Timed
from warpmill.measurements.counters import counter_kinds, ncu_readings, wanted_metrics
from warpmill.measurements.ncu_pages import ncu_table
from warpmill.report.fields import field_of, fields_of
from warpmill.report.read import Reader, Reading
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.gpu.result import SimResult

SAMPLES = Path(__file__).parents[2] / "samples"
MATMUL = str(SAMPLES / "matmul" / "launch.toml")

Page = Callable[..., str]


@pytest.fixture
def page(tmp_path: Path) -> Page:
    """Writes a raw page: a row a mapping of metrics, units in the first."""

    def write(units: Mapping[str, str], *rows: Sequence[object], cc: str = "8.0") -> str:
        head = ("ID", "Kernel Name", "Block Size", "Grid Size", "CC", *units)
        own = ("matmul", "(16, 16, 1)", "(8, 8, 1)", cc)
        lines = [head, ("", "", "", "", "", *units.values())]
        lines += [(str(n), *own, *map(str, row)) for n, row in enumerate(rows)]
        path = tmp_path / "ncu.csv"
        path.write_text("".join(",".join(f'"{x}"' for x in line) + "\n" for line in lines))
        return str(path)

    return write


def correlate(capsys: pytest.CaptureFixture[str], path: str, *words: str, code: int = 0) -> Any:
    own = ("--target", MATMUL, "--size", "n=128", "-m", "a100", "-f", "json")
    assert main(["correlate", path, *own, *words]) == code
    return json.loads(capsys.readouterr().out)


def by_figure(found: Any, row: int = 0) -> dict[str, Any]:
    return {one["figure"]: one for one in found["rows"][row]["counters"]}


UNITS = {
    "l1tex__t_sectors.sum": "sector",
    "gpu__time_duration.sum": "usecond",
    "launch__registers_per_thread": "register/thread",
    "smsp__inst_executed.sum": "inst",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "%",
    "lts__t_sectors.sum": "sector",
    "dram__bytes_read.sum": "Kbyte",
    "dram__bytes_write.sum": "byte",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": "",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "%",
}
ROW = (30_000, 5, 40, "200,000", 50, 32768, 100, "n/a", 0, 31, 12)


def test_every_metric_that_is_compared_is_a_figure_of_an_engine() -> None:
    """Of an estimate, a simulation, or what traces count; the table names nothing else."""
    known = {name for kind in (Estimate, SimResult, Profile) for name in _metrics(kind)}
    for kind in counter_kinds().values():
        assert kind.needs <= known, kind.name
        assert (kind.label is None) == (kind.of is None), kind.name
    every = ncu_table()
    assert not {*every["same"]} & {kind.metric for kind in counter_kinds().values()}
    assert len({kind.metric for kind in counter_kinds().values()}) == len(counter_kinds())


def _metrics(kind: Any) -> set[str]:
    found = {one.metric.ncu for one in fields_of(kind) if one.metric and one.metric.ncu}
    for name in ("occupancy", "registers", "dram"):
        if any(one.name == name for one in fields_of(kind)):
            found |= _metrics(field_of(kind, name).annotation)
    return found


def test_an_estimate_beside_a_page(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    found = correlate(capsys, page(UNITS, ROW))
    own = warpmill.estimate(MATMUL, "a100", sizes={"n": 128}, registers=40)
    counters = by_figure(found)
    assert counters["instructions"]["measured"] == 200_000
    assert counters["instructions"]["estimated"] == own.warp_instructions
    assert counters["registers"]["measured"] == 40
    assert counters["registers"]["estimated"] == 32  # its own, though the page's are estimated with
    assert counters["registers"]["error_fraction"] == pytest.approx(-0.2)
    occupancy = counters["achieved_occupancy"]
    assert occupancy["measured"] == 0.5
    assert occupancy["error_fraction"] == own.achieved_occupancy_fraction - 0.5  # points
    assert counters["l2_sectors"]["estimated"] == own.l2_bytes / 32
    # what the page lacks, and what the engine does, is unknown
    assert not {"dram_bytes", "dram_written", "bank_conflicts", "l1_hits"} & counters.keys()
    assert found["correlation"]["not_compared"] == [
        "dram__bytes_read.sum",
        "dram__bytes_write.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    ]
    profiled = warpmill.profile(MATMUL, sizes={"n": 128}, counts=("memory",))
    sectors = profiled.launches[0].profile.sectors
    assert counters["l1_sectors"]["estimated"] == pytest.approx(sectors, rel=0.01)
    # all threads of the kernel go one way
    assert counters["active_threads"]["estimated"] == pytest.approx(32.0)


def test_a_simulation_beside_a_page(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    path = page(UNITS, (*ROW[:7], 64, *ROW[8:]))
    counters = by_figure(correlate(capsys, path, "--engine", "simulate"))
    own = warpmill.simulate(MATMUL, "a100", sizes={"n": 128}, registers=40)
    assert counters["dram_read"]["measured"] == 100e3
    assert counters["dram_read"]["estimated"] == own.dram.reads * 32
    assert counters["dram_written"]["estimated"] == own.dram.writes * 32 == 0
    assert counters["dram_written"]["error_fraction"] == -1.0
    assert counters["l1_sectors"]["estimated"] == own.cache("l1").accesses  # all go through L1
    assert counters["dram_bytes"]["measured"] == 100_064  # the sum of both
    assert counters["bank_conflicts"]["estimated"] == own.bank_conflicts > 0
    assert counters["bank_conflicts"]["error_fraction"] is None  # 0 was measured
    assert counters["active_threads"]["error_fraction"] == pytest.approx(1 / 31)
    assert counters["instructions"]["estimated"] == own.warp_instructions


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that says 4 µs, 30 registers and half of the warps."""
    figures = ncu_readings(Reader(warpmill.estimate(MATMUL, "a100", sizes={"n": 128})))
    names = {"launch__registers_per_thread": 30, list(UNITS)[4]: 0.5}
    told = {name: Reading(value, figures[name].metric) for name, value in names.items()}
    monkeypatch.setattr(correlated_rows, "timed_on", lambda *_: Timed(4.0, 5640.0, figures=told))


FEW = {name: UNITS[name] for name in list(UNITS)[1:5] if "inst" not in name}


@pytest.mark.usefixtures("seen")
def test_errors_over_all_rows(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    found = correlate(capsys, page(FEW, (5, 40, 50), (4, 30, 60), (8, 20, "n/a")))
    registers, occupancy = found["correlation"]["counters"]
    assert (registers["figure"], registers["rows"], registers["worst_line"]) == ("registers", 3, 5)
    assert registers["mean_absolute_error_fraction"] == pytest.approx((0.25 + 0 + 0.5) / 3)
    assert registers["bias_fraction"] == pytest.approx((-0.25 + 0 + 0.5) / 3)
    assert occupancy["rows"] == 2
    assert occupancy["mean_absolute_error_fraction"] == pytest.approx(0.05)


@pytest.mark.usefixtures("seen")
@pytest.mark.parametrize(
    ("limits", "exceeding", "said"),
    [
        ("25%", [], "Within the limit: time is 20.0% off in the mean (at most 25.0% is allowed)."),
        ("15%", ["time"], "Beyond the limit: time is 20.0% off"),
        ("time=25%,registers=0%", ["registers"], "Beyond the limit: registers is 25.0% off"),
        ("registers=25%,achieved_occupancy=0%", [], "Within the limit: registers is 25.0% off"),
        ("l2_hits=50%", ["l2_hits"], "l2_hits is unknown (no row has it both measured and"),
    ],
)
def test_limits(
    limits: str, exceeding: list[str], said: str, page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    path, code = page(FEW, (5, 40, 50)), int(bool(exceeding))
    found = correlate(capsys, path, "--fail-over", limits, code=code)
    assert found["correlation"]["exceeding"] == exceeding
    assert found["correlation"]["verdict"] == ("exceeded" if exceeding else "kept")
    assert {one["figure"]: one["limit_fraction"] for one in found["correlation"]["limits"]}
    words = ["correlate", path, "--target", MATMUL, "--size", "n=128", "-m", "a100"]
    assert main([*words, "--fail-over", limits]) == code
    _, _, shown = " ".join(capsys.readouterr().out.split()).partition("ncu.csv ")
    assert shown.startswith(("Within the limit: ", "Beyond the limit: "))
    assert shown.partition(" Estimated times are")[0].find(said) >= 0
    assert correlate(capsys, path)["correlation"]["verdict"] is None


@pytest.mark.usefixtures("seen")
def test_a_figure_that_is_not_compared_has_no_limit(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("correlate", page(FEW, (5, 40, 50)), "--target", MATMUL, "-m", "a100", "--fail-over")
    fails(capsys, [*words, "register=5%"], 2, "did you mean `registers`")
    fails(capsys, [*words, "registers=5"], 2, "a percentage is needed")


@pytest.mark.usefixtures("seen")
def test_a_machine_that_is_not_the_page_s(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    more = {"gpc__cycles_elapsed.max": "cycle", "device__attribute_multiprocessor_count": ""}
    path = page({**FEW, **more}, (5, 40, 50, 5000, 98), cc="9.0")
    assert main(["correlate", path, "--target", MATMUL, "--size", "n=128", "-m", "a100"]) == 0
    said = capsys.readouterr().err
    assert "the page is of compute capability 9.0, and a100 has 8.0" in said
    assert "SMs ran at 1,000 MHz, and a100 has 1,410" in said
    assert "the page is of a GPU of 98 SMs, and a100 has 108" in said
    assert "--set clock.sm_mhz=1000" in said


def test_counts_of_traces_are_made_only_where_a_page_has_them() -> None:
    estimated = set(ncu_readings(Reader(warpmill.estimate(MATMUL, "a100", sizes={"n": 128}))))
    assert not wanted_metrics({"launch__registers_per_thread", "lts__t_sectors.sum"}) - estimated
    assert wanted_metrics({"l1tex__t_sectors.sum"}) - estimated


@pytest.mark.usefixtures("seen")
def test_a_launch_without_a_time_is_left_out(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    found = correlate(capsys, page(FEW, (5, 40, 50), ("n/a", 40, 50)))
    assert [row["measured"]["line"] for row in found["rows"]] == [3]
    (left,) = found["correlation"]["left_out"]
    assert (left["measured"]["line"], left["reason"]) == (
        4, "the page has no time of this launch",
    )  # fmt: skip


def test_of_a_part_of_a_launch_only_rates_are_compared(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    """Counts of one wave say nothing of the whole launch."""
    words = ("--engine", "simulate", "--waves", "1", "--size", "n=512", "--set", "sm.count=4")
    path = page({**UNITS, "sm__cycles_elapsed.avg.per_second": "Ghz"}, (*ROW, 1.41))
    text = Path(path).read_text().replace("(8, 8, 1)", "(32, 32, 1)")
    Path(path).write_text(text)
    found = correlate(capsys, path, *words)
    assert found["rows"][0]["estimated"]["sampled"]
    assert set(by_figure(found)) == {"sm_frequency", "registers", "achieved_occupancy"}


@pytest.mark.usefixtures("seen")
def test_what_the_page_shows(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    """A limit in its first line or none; a few metrics that are not compared, and how many more."""
    more = {f"x__metric{n:02}.sum": "" for n in range(12)}
    path = page({**FEW, **more}, (5, 40, 50, *range(12)))
    words = ["correlate", path, "--target", MATMUL, "--size", "n=128", "-m", "a100"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "ncu.csv\n  Estimated times are 20.0% off" in shown
    told = " ".join(shown.split())
    assert "not compared, as estimate has no figure: x__metric00.sum, " in told
    assert "x__metric07.sum and 4 more (--verbose)" in told
    assert re.search(r"Line Counter Measured Estimated Error 3 Registers per thread 40=? 30", told)
    assert "Achieved occupancy 50.0%= 50.0% 0.0%" in told
    assert main([*words, "--verbose"]) == 0
    assert "x__metric11.sum" in capsys.readouterr().out
