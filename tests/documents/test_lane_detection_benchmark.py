"""The case study of lane detection: Table VI, rows of sweeps, figures, the page and its picture."""

import shlex
from dataclasses import replace
from itertools import product
from statistics import fmean

import pytest

import warpmill
from warpmill.benchmarks import lane_detection
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.lane_detection import BENCHMARK, STUDY, Design, LaneResult, sizes_of
from warpmill.session.options import LaunchOptions
from warpmill.sweeps.api import space_given
from warpmill.sweeps.sweep import MeasuredConfiguration

PRE, DETECT, TRACK = STUDY["kernel"]
ONE, TWO = STUDY["machines"][:2]


def design(threads, local, one, two, simulated):
    return Design(
        kernel="lane_detect", threads=threads, local=local, launches=threads // 512,
        us={ONE: one, TWO: two}, estimated_us=one / 2, simulated_us=simulated,
    )  # fmt: skip


ROWS = (
    design(1024, 2, 40.0, 8.0, 16.0), design(1024, 4, 20.0, 9.0, 20.0),
    design(2048, 2, 80.0, 12.0, 32.0), design(2048, 4, 90.0, 11.0, 36.0),
)  # fmt: skip
RESULT = LaneResult(rows=ROWS)


def points(kernel):
    """The global and local sizes of a kernel's designs."""
    axes = space_given(dict(kernel["over"])).axes
    each = product(*(axis.values for axis in axes))
    return [sizes_of(kernel, dict(zip([a.name for a in axes], one, strict=True))) for one in each]


def test_the_table_has_its_fifty_designs():
    assert [k["paper"] for k in STUDY["kernel"]] == ["KERNEL_PRE", "KERNEL_LD", "KERNEL_PF"]
    assert points(PRE) == [(512 * 96, 2**k) for k in range(1, 11)]
    wanted = {(2**n, 2**k) for n in range(10, 14) for k in range(1, 6)}
    assert set(points(DETECT)) == set(points(TRACK)) == wanted
    assert [len(points(k)) for k in STUDY["kernel"]] == [10, 20, 20]
    errors = [kernel["error_percent"] for kernel in STUDY["kernel"]]
    assert fmean(errors) == pytest.approx(STUDY["error_percent"], abs=0.01)


def test_the_commands_are_ones():
    words = shlex.split(lane_detection.command(DETECT).replace("\\\n", " "))
    assert words[:3] == ["warpmill", "sweep", "lane-detection:paper-hybrid"]
    given = dict(word.split("=", 1) for word in words if "*" in word)
    assert given == DETECT["over"]
    assert words[words.index("--machine") + 1].split(",") == STUDY["machines"]
    assert set(STUDY["machines"]) <= set(warpmill.machine_names())


def test_rows_are_frames_sorted_by_sizes():
    def one(threads, local, machine, time_us, **figures):
        configuration = {"candidates": threads, "local": local, "machine": machine}
        return MeasuredConfiguration(
            configuration, {"time_us": time_us, **figures}, {"launches": 4}
        )

    times = [one(2048, 2, "a", 80.0), one(1024, 16, "a", 40.0), one(1024, 16, "b", 20.0)]
    ours = [one(2048, 2, "a", 80.0, execution_us=60.0), one(1024, 16, "a", 8.0, execution_us=4.0)]
    found = lane_detection.designs(DETECT, times, ours, times[:2])
    assert [(row.threads, row.local, row.launches) for row in found] == [
        (1024, 16, 4), (2048, 2, 4)]  # fmt: skip
    assert found[0].us == {"a": 10.0, "b": 5.0}
    assert (found[0].estimated_us, found[0].simulated_us) == (1.0, 10.0)
    with pytest.raises(KeyError):
        lane_detection.designs(DETECT, times, ours[:1], times)


@pytest.mark.slow
def test_a_sweep_gives_the_times_of_the_api(tmp_path):
    study = {"application": "lane-detection:tiny", "machines": ["quadro_k620"]}
    kernel = {**TRACK, "over": {"particles": "64", "local": "8,32"}}
    found = lane_detection.swept(study, kernel, store=tmp_path / "s.db")
    first, second = lane_detection.designs(kernel, found, found, found)
    assert (first.threads, first.local, second.local, first.launches) == (64, 8, 32, 3)
    sizes = LaunchOptions(sizes={"particles": 64, "local": 8}, launches="all")
    jobs = warpmill.session.prepare.prepare_all("lane-detection:tiny", "lane_track", sizes)
    each = [warpmill.estimate(job, "quadro_k620") for job in jobs]
    assert first.us["quadro_k620"] == pytest.approx(fmean(e.time_us for e in each))
    assert first.estimated_us == pytest.approx(fmean(e.execution_us for e in each))


def test_a_design_that_cannot_be_measured_ends_it(tmp_path):
    study = {"application": "lane-detection:tiny", "machines": ["quadro_k620"]}
    kernel = {**PRE, "over": {"local_pre": "2048"}}
    with pytest.raises(SystemExit, match="lane_pre, estimate: "):
        lane_detection.swept(study, kernel, store=tmp_path / "s.db")
    with pytest.raises(SystemExit, match="lane_none; there are lane_pre, lane_detect, lane_track"):
        lane_detection.measure(Request(names=("lane_none",)))


def test_figures_of_designs():
    found, *groups = RESULT.agreement
    assert [one.designs for one in groups] == [1, 3]
    # 20, 10, 40, 45 against 16, 20, 32, 36: +25 %, -50 %, +25 %, +25 %
    assert (found.error, found.bias) == (pytest.approx(31.25), pytest.approx(6.25))
    assert found.rank == pytest.approx(0.8)  # ranks 2 1 3 4 and 1 2 3 4
    assert found.same_best == "1 of 2"
    assert [one.on[ONE] for one in RESULT.best] == ["4: 20.0 (2.0x)", "2: 80.0 (1.1x)"]
    assert [one.on[TWO] for one in RESULT.best] == ["2: 8.00 (1.1x)", "4: 11.0 (1.1x)"]
    many = [replace(RESULT.rows[k % 4], local=k, threads=k) for k in range(50)]
    aside = LaneResult(rows=tuple(many)).agreement
    assert [(one.what, one.designs) for one in aside[1:]] == [("put aside", 16), ("the others", 34)]


def test_the_page_and_its_picture(tmp_path):
    found = Measured(RESULT, {"computer": {"processor": "a CPU", "python": "3"}})
    BENCHMARK.write(found, tmp_path)
    text = (tmp_path / "lane-detection.md").read_text("utf-8")
    assert "| KERNEL_PRE | `lane_pre` | `49152` | `local_pre=2..1024*2` | 10 | 15.45 % |" in text
    assert "| lane\\_detect | 1,024 | 4: 20.0 (2.0x) | 2: 8.00 (1.1x) |" in text
    assert "| lane\\_detect | 4 | 31.2 % | +6.2 % | 0.800 | 1 of 2 |" in text
    assert "`lane_detect` 2 or 4" in text
    assert all(lane_detection.command(kernel) in text for kernel in STUDY["kernel"])
    assert (tmp_path / "lane-detection" / "figure_4.png").stat().st_size < 200_000
