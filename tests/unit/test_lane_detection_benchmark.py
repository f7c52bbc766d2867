"""The case study of lane detection: Table VI, rows of sweeps, figures, the page and its picture."""

import json
import shlex
from dataclasses import replace
from itertools import product
from statistics import fmean

import pytest

import warpmill
from benchmarks import lane_detection
from benchmarks.lane_detection_parts import figures, page, plots, sweeping
from benchmarks.lane_detection_parts.paper import case_study
from warpmill.session.options import LaunchOptions
from warpmill.sweeps.api import space_given
from warpmill.sweeps.sweep import MeasuredConfiguration

PRE, DETECT, TRACK = case_study().kernels
MACHINES = ("one", "two")


def design(threads, local, *times, launches=2):
    return {
        "global": threads, "local": local, "launches": launches,
        "us": dict(zip(MACHINES, times, strict=False)),
        "execution_us": {m: t / 2 for m, t in zip(MACHINES, times, strict=False)},
    }  # fmt: skip


DESIGNS = [
    design(1024, 2, 40.0, 8.0),
    design(1024, 4, 20.0, 9.0),
    design(2048, 2, 80.0, 12.0, launches=3),
    design(2048, 4, 90.0, 11.0, launches=3),
]


def result():
    simulated = [design(1024, 2, 32.0), design(1024, 4, 40.0), design(2048, 2, 64.0),
                 design(2048, 4, 72.0)]  # fmt: skip
    kernel = {
        "kernel": "lane_detect", "paper": "KERNEL_LD", "designs": DESIGNS,
        "best": {name: figures.best_locals(DESIGNS, name) for name in MACHINES},
        "beside": {"estimate": DESIGNS, "simulate": simulated},
        "agreement": figures.agreement(DESIGNS, simulated, "one"),
    }  # fmt: skip
    return {
        "benchmark": "lane-detection", "machines": list(MACHINES), "simulated_on": "one",
        "designs": 4, "kernels": [kernel], "date": "2026-11-23",
        "computer": {"processor": "a processor", "python": "3.11.7"},
    }  # fmt: skip


# -- Table VI ------------------------------------------------------------------------------------


def points(kernel):
    """The global and local sizes of a kernel's designs."""
    axes = space_given(dict(kernel.over)).axes
    each = product(*(axis.values for axis in axes))
    return [kernel.sizes(dict(zip([a.name for a in axes], one, strict=True))) for one in each]


def test_the_table_has_its_fifty_designs():
    assert [k.paper for k in case_study().kernels] == ["KERNEL_PRE", "KERNEL_LD", "KERNEL_PF"]
    assert points(PRE) == [(512 * 96, 2**k) for k in range(1, 11)]
    wanted = {(2**n, 2**k) for n in range(10, 14) for k in range(1, 6)}
    assert set(points(DETECT)) == set(points(TRACK)) == wanted
    assert [len(points(k)) for k in case_study().kernels] == [10, 20, 20]
    assert [k.designs for k in case_study().kernels] == [10, 20, 20]


def test_its_errors_have_the_mean_that_is_printed():
    errors = [kernel.error_percent for kernel in case_study().kernels]
    assert fmean(errors) == pytest.approx(case_study().error_percent, abs=0.01)


def test_the_commands_are_ones(tmp_path):
    words = shlex.split(sweeping.command(case_study(), DETECT, "a.csv").replace("\\\n", " "))
    assert words[:3] == ["warpmill", "sweep", "lane-detection:paper-hybrid"]
    given = dict(word.split("=", 1) for word in words if "*" in word)
    assert given == DETECT.over
    assert words[words.index("--machine") + 1].split(",") == list(case_study().machines)
    assert set(case_study().machines) <= set(warpmill.machine_names())


# -- rows ----------------------------------------------------------------------------------------


def test_rows_are_frames_sorted_by_sizes():
    def one(threads, local, machine, time_us, **figures_):
        configuration = {"candidates": threads, "local": local, "machine": machine}
        return MeasuredConfiguration(
            configuration, {"time_us": time_us, **figures_}, {"launches": 4}
        )

    found = sweeping._rows(DETECT, [
        one(2048, 2, "a", 80.0, execution_us=60.0), one(1024, 16, "a", 40.0),
        one(1024, 2, "b", 20.0), one(1024, 2, "a", 8.0, execution_us=4.0),
    ])  # fmt: skip
    assert [(row["global"], row["local"]) for row in found] == [(1024, 2), (1024, 16), (2048, 2)]
    assert found[0]["us"] == {"b": 5.0, "a": 2.0}
    assert found[0]["execution_us"] == {"b": 5.0, "a": 1.0}
    assert found[2]["launches"] == 4


@pytest.mark.slow
def test_a_sweep_gives_the_times_of_the_api(tmp_path):
    study = replace(case_study(), application="lane-detection:tiny", machines=("quadro_k620",))
    kernel = replace(TRACK, over={"particles": "64", "local": "8,32"})
    said = []
    rows = sweeping.swept(study, kernel, study.machines, store=tmp_path / "s.db", say=said.append)
    assert [(row["global"], row["local"], row["launches"]) for row in rows] == [
        (64, 8, 3), (64, 32, 3),
    ]  # fmt: skip
    sizes = LaunchOptions(sizes={"particles": 64, "local": 8}, launches="all")
    jobs = warpmill.session.prepare.prepare_all("lane-detection:tiny", "lane_track", sizes)
    each = [warpmill.estimate(job, "quadro_k620") for job in jobs]
    assert rows[0]["us"]["quadro_k620"] == pytest.approx(fmean(e.time_us for e in each))
    assert rows[0]["execution_us"]["quadro_k620"] == pytest.approx(
        fmean(e.execution_us for e in each)
    )
    assert said[0].startswith("lane_track, estimate: 0 of 2")


def test_a_design_that_cannot_be_measured_ends_it(tmp_path):
    study = replace(case_study(), application="lane-detection:tiny", machines=("quadro_k620",))
    kernel = replace(PRE, over={"local_pre": "2048"})
    with pytest.raises(SystemExit, match="lane_pre, estimate: "):
        sweeping.swept(study, kernel, study.machines, store=tmp_path / "s.db", say=str)


# -- figures -------------------------------------------------------------------------------------


def test_the_best_local_size_is_that_of_each_global_one():
    assert figures.best_locals(DESIGNS, "one") == [
        {"global": 1024, "local": 4, "us": 20.0, "worst_local": 2, "worst_over_best": 2.0},
        {"global": 2048, "local": 2, "us": 80.0, "worst_local": 4, "worst_over_best": 1.125},
    ]
    assert [one["local"] for one in figures.best_locals(DESIGNS, "two")] == [2, 4]


def test_engines_agree_by_design():
    found = result()["kernels"][0]["agreement"]
    # 40, 20, 80, 90 against 32, 40, 64, 72: +25 %, -50 %, +25 %, +25 %
    assert found["mape"] == pytest.approx(31.25)
    assert found["bias"] == pytest.approx(6.25)
    assert found["rank"] == pytest.approx(0.8)  # ranks 2 1 3 4 and 1 2 3 4
    assert found["same_best"] == [1, 2]
    assert figures.agreement(DESIGNS, DESIGNS, "one")["same_best"] == [2, 2]
    with pytest.raises(ValueError, match="other designs"):
        figures.agreement(DESIGNS, DESIGNS[:2], "one")


# -- the page and its picture --------------------------------------------------------------------


def test_the_page_has_the_figures():
    text = page.page(result(), "what is printed\n")
    assert f"$ {page.SHOWN}\nwhat is printed\n```" in text
    assert "| KERNEL_PRE | `lane_pre` | 49,152 | `local_pre=2..1024*2` | 10 | 15.45 % |" in text
    assert "| lane_detect | 1,024 | 4: 20.00 (worst, 2: 2.0×) | 2: 8.00 (worst, 4: 1.1×) |" in text
    assert "| 4 | lane_detect | 2,048 | 4 | 90.00 | 11.00 |" in text
    assert "| lane_detect | 31.2 % | +6.2 % | 0.800 | 1 of 2 |" in text
    assert "| lane_detect | 1,024 | 2 | 20.00 | 16.00 | +25.0% |" in text
    assert "`lane_detect` 2 to 3" in text
    assert "best with a local size of 2 to 4; the worst takes 1.1 to 2.0 times as long" in text
    for kernel in case_study().kernels:
        assert sweeping.command(case_study(), kernel, f"{kernel.name}.csv") in text


@pytest.mark.slow
def test_the_same_result_gives_the_same_picture(tmp_path):
    for name in ("a.png", "b.png"):
        plots.draw(result(), tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    other = result()
    other["kernels"][0]["designs"] = [design(1024, 2, 1.0, 2.0), *DESIGNS[1:]]
    plots.draw(other, tmp_path / "c.png")
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "c.png").read_bytes()


def test_the_page_and_the_picture_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "printed", lambda words: f"{words}!\n")
    lane_detection.write(result(), tmp_path)
    assert f"{page.SHOWN}!" in (tmp_path / "lane-detection.md").read_text("utf-8")
    assert (tmp_path / "lane-detection" / "figure_4.png").stat().st_size < 200_000


def test_lines_have_every_design():
    lines = list(lane_detection.table(result()))
    assert lines[1].split() == ["lane_detect", "1,024", "2", "40.0", "8.0"]
    assert lines[-1].endswith("mean error 31.2 % (+6.2 %), rank 0.800, same local size 1 of 2")


def test_what_was_kept_is_printed_at_once(monkeypatch, capsys):
    kept = {**result(), "fresh": True, "changed": []}
    monkeypatch.setattr("benchmarks.kept_command.kept", lambda _name: kept)
    lane_detection.BENCHMARK.main(["--json"])
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["kernels"][0]["agreement"]["same_best"] == [1, 2]


def test_kernels_are_chosen_by_name(tmp_path):
    with pytest.raises(SystemExit, match="lane_none; there are lane_pre, lane_detect, lane_track"):
        lane_detection.measure(["lane_none"], tmp_path / "s.db", 1)
