"""``warpmill sweep`` as people call it: what it shows, keeps, goes on with and refuses."""

import csv
import io
import json
import os
import sqlite3
from pathlib import Path

import pytest

import warpmill
from tests.commands.test_cli_bad_input import fails
from warpmill.cli.main import main
from warpmill.commands.sweep import running as sweep_running
from warpmill.session.options import DEFAULT_MACHINES
from warpmill.studies import running
from warpmill.studies.model import PointOutcome
from warpmill.studies.running import Progress
from warpmill.sweeps import sweep as sweeping
from warpmill.sweeps.figures import FIGURES, METRICS

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD, SCAN, MATMUL = (
    str(SAMPLES / name / "launch.toml") for name in ("vecadd", "scan", "matmul")
)
PTX = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
GIVEN = ["--arg", "buffer=f32:4096"] * 3 + ["--arg", "4096"]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Keep studies of a test to itself."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "warpmill" / "studies.db"


@pytest.fixture
def timed(monkeypatch):
    """Let an engine say times that are easy to know, and note which configurations it is asked."""
    asked = []

    def estimated(estimators, machine):
        launch = estimators[0].job.required_launch()
        block, sizes = launch.threads_per_cta, dict(launch.sizes)
        asked.append((machine.name, block, sizes["n"]))
        figures = {"time_us": sizes["n"] / block * (2 if machine.name == "v100" else 1)}
        return PointOutcome(figures, {"grid": list(launch.grid), "block": list(launch.block)})

    monkeypatch.setattr(sweeping, "estimated", estimated)
    return asked


def report(capsys, *words):
    assert main(["sweep", *words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def text(capsys, *words):
    assert main(["sweep", *words]) == 0
    return capsys.readouterr().out


BLOCKS = ["--over", "block=64..256*2", "--over", "n=4096,8192", "--machine", "v100,a100"]


def test_rows_are_those_of_estimate_in_the_order_of_the_space(capsys):
    found = report(capsys, VECADD, "--over", "n=100000,5000", "--machine", "a100,t4")
    assert [axis["name"] for axis in found["axes"]] == ["n", "machine"]
    assert [tuple(row["configuration"].values()) for row in found["rows"]] == [
        (100000, "a100"), (100000, "t4"), (5000, "a100"), (5000, "t4"),
    ]  # fmt: skip
    for row in found["rows"]:
        options = warpmill.LaunchOptions(sizes={"n": row["configuration"]["n"]})
        job = warpmill.prepare(VECADD, options=options)
        wanted = warpmill.estimate(job, row["configuration"]["machine"])
        assert row["figures"]["time_us"] == wanted.time_us
        assert row["figures"]["registers_per_thread"] == wanted.registers.registers_per_thread
        assert (row["bound"], row["trace"]) == (wanted.bound, wanted.trace)
        assert row["grid"] == list(job.launch.grid)
    marks = {name: found["marks"][f"rows.figures.{name}"] for name in found["figures"]}
    assert marks == {name: one["mark"] for name, one in found["figures"].items()}
    assert (marks["shared_bytes"], marks["occupancy_fraction"]) == ("exact", "assumed")
    assert found["figures"]["time_us"]["label"] == METRICS["time_us"].label
    times = [row["figures"]["time_us"] for row in found["rows"]]
    assert [row["rank"] for row in found["rows"]] == [sorted(times).index(t) + 1 for t in times]
    assert [row["times_fastest"] for row in found["rows"]] == [t / min(times) for t in times]
    assert [found["rows"][n]["rank"] for n in found["best"]] == [1, 2, 3, 4]


def test_the_machines_are_those_of_estimate(timed, capsys):
    found = report(capsys, VECADD, "--over", "n=64")
    assert found["axes"][-1]["values"] == list(DEFAULT_MACHINES)
    timed.clear()
    found = report(capsys, VECADD, "--over", "machine=t4,a40", "--over", "n=64,128")
    assert [name for name, *_ in timed] == ["t4", "a40"] * 2
    assert [axis["name"] for axis in found["axes"]] == ["machine", "n"]


def test_what_is_known_is_not_measured_again(timed, capsys, cache):
    first = report(capsys, VECADD, *BLOCKS)
    assert main(["sweep", VECADD, *BLOCKS, "--over", "regs=32"]) == 0  # another point
    assert len(timed) == 24
    capsys.readouterr()
    assert main(["sweep", VECADD, *BLOCKS, "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == first
    assert len(timed) == 24
    begin, end = captured.err.splitlines()
    assert begin == f"12 known, 0 to measure; kept in {cache}"
    assert end.startswith("12 configurations in ")


def test_stores_are_named_or_none(timed, capsys, cache, tmp_path):
    named = tmp_path / "own.db"
    for words, known in ((["--store", str(named)], 0), (["--store", str(named)], 12)):
        assert main(["sweep", VECADD, *BLOCKS, *words]) == 0
        assert capsys.readouterr().err.startswith(f"{known} known, {12 - known} to measure; kept")
    assert main(["sweep", VECADD, *BLOCKS, "--no-store"]) == 0
    assert capsys.readouterr().err.startswith("12 to measure; nothing is kept\n")
    assert len(timed) == 24
    assert named.is_file()
    assert not cache.exists()


@pytest.fixture
def interrupted(monkeypatch):
    """Let Ctrl-C come before the configuration that has a number, counted from 0."""

    def at(number):
        own, count = sweeping.estimated, iter(range(1000))

        def estimated(*arguments):
            if next(count) == number:
                raise KeyboardInterrupt
            return own(*arguments)

        monkeypatch.setattr(sweeping, "estimated", estimated)

    return at


def test_an_interrupted_sweep_goes_on_and_ends_as_if_nothing_had_been(
    timed, interrupted, capsys, cache, tmp_path
):
    wanted = text(capsys, VECADD, *BLOCKS, "--store", str(tmp_path / "other.db"))
    timed.clear()
    interrupted(7)
    assert main(["sweep", VECADD, *BLOCKS]) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[1] == (
        f"interrupted: 7 of 12 are kept in {cache}; the same command goes on from there"
    )
    assert main(["sweep", VECADD, *BLOCKS]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("7 known, 5 to measure")
    assert captured.out == wanted
    assert len(timed) == len(set(timed)) == 12


def test_what_an_interruption_leaves_where_nothing_is_kept(timed, interrupted, capsys):
    interrupted(2)
    assert main(["sweep", VECADD, *BLOCKS, "--no-store"]) == 130
    said = capsys.readouterr().err
    assert said.endswith("interrupted with 2 of 12 measured; nothing is kept (--no-store)\n")


def test_an_interruption_before_the_first(monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("warpmill.sweeps.sweep.points_of", stopped)
    assert main(["sweep", VECADD, *BLOCKS]) == 130
    assert capsys.readouterr().err == "interrupted before anything was measured\n"


def test_failures_are_kept_until_they_are_tried_again(capsys):
    words = [VECADD, "--over", "regs=16,255", "--over", "block=1024", "--machine", "v100"]
    found = report(capsys, *words)
    assert found["not_measured"] == 1
    (failure,) = found["reasons"]
    assert failure["rows"] == [1]
    assert "does not fit" in failure["reason"]
    assert main(["sweep", *words]) == 0
    assert capsys.readouterr().err.startswith("2 known, 0 to measure")
    assert main(["sweep", *words, "--retry"]) == 0
    assert capsys.readouterr().err.startswith("1 known, 1 to measure")


def test_processes_are_as_many_as_asked_for(timed, capsys, monkeypatch):
    """That they give the same is seen in test_sweep_points."""
    asked, own = [], running.run

    def run(study, points, evaluate, *, workers, told):
        asked.append(workers)
        return own(study, points, evaluate, told=told)

    monkeypatch.setattr("warpmill.sweeps.sweep.run", run)
    text(capsys, VECADD, *BLOCKS, "--workers", "3")
    text(capsys, VECADD, *BLOCKS)
    assert asked == [3, 1]


def test_the_best_the_choice_for_all_and_what_axes_do(timed, capsys):
    found = report(capsys, VECADD, *BLOCKS, "--top", "2")
    assert [found["rows"][n]["configuration"] for n in found["best"]] == [
        {"block": 256, "n": 4096, "machine": "a100"},
        {"block": 128, "n": 4096, "machine": "a100"},
    ]
    assert found["given"] == ["machine", "n"]
    assert [(one["of"], one["rows"], one["worst_ratio"]) for one in found["best_of_each"]] == [
        ({"machine": m, "n": n}, 3, 4.0) for m in ("v100", "a100") for n in (4096, 8192)
    ]
    assert found["common_choice"]["choice"] == {"block": 256}
    assert found["common_choice"]["worst_ratio"] == 1.0
    ratios = {(e["axis"], e["value"]): e["geometric_mean_ratio"] for e in found["effects"]}
    assert ratios == pytest.approx({
        ("block", 64): 4, ("block", 128): 2, ("block", 256): 1, ("n", 4096): 1, ("n", 8192): 2,
        ("machine", "v100"): 2, ("machine", "a100"): 1,
    })  # fmt: skip
    shown = text(capsys, VECADD, *BLOCKS, "--top", "2")
    assert "and 10 more (--verbose)" in shown
    assert "block=256 is the best for each of them" in shown
    assert "Best for each n: fastest" in text(capsys, VECADD, *BLOCKS, "--per", "n")
    assert "more (--" not in text(capsys, VECADD, *BLOCKS, "--top", "2", "--verbose")


def test_other_figures_and_other_ways(timed, capsys):
    asked = ["--by", "block", "--pareto", "block", "--pareto", "n:max"]
    found = report(capsys, VECADD, *BLOCKS, *asked)
    assert found["ranked_by"] == {"figure": "block", "larger_is_better": False}
    assert {found["rows"][n]["configuration"]["block"] for n in found["best"][:4]} == {64}
    blocks, sizes = found["fronts"]
    assert [tuple(found["rows"][n]["configuration"].values()) for n in blocks["rows"]] == [
        (256, 4096, "a100"), (128, 4096, "a100"), (64, 4096, "a100"),
    ]  # fmt: skip
    assert [found["rows"][n]["configuration"]["n"] for n in sizes["rows"]] == [4096, 8192]
    assert found["marks"]["rows.rank"] == "exact"
    found = report(capsys, VECADD, *BLOCKS, "--by", "n:max")
    assert found["ranked_by"] == {"figure": "n", "larger_is_better": True}
    assert {found["rows"][n]["configuration"]["n"] for n in found["best"][:6]} == {8192}
    unknown = ["--pareto", "occupancy_fraction", "--by", "occupancy_fraction"]
    none = report(capsys, VECADD, *BLOCKS, *unknown)
    assert none["fronts"][0]["reason"] == "occupancy_fraction is unknown of all configurations"
    assert none["best"] == []
    shown = text(capsys, VECADD, *BLOCKS, *unknown)
    assert shown.count("occupancy_fraction is unknown of all configurations") == 2


def test_conditions_and_files_of_spaces(timed, capsys, tmp_path):
    space = tmp_path / "space.toml"
    space.write_text('where = ["n > 100"]\n[over]\nblock = [64, "128..256*2"]\n')
    found = report(
        capsys, VECADD, "--space", str(space), "--over", "n=100,200,300", "--where", "n != 300",
        "--machine", "t4",
    )  # fmt: skip
    assert {row["configuration"]["n"] for row in found["rows"]} == {200}
    assert found["conditions"] == ["n > 100", "n != 300"]
    assert len(found["rows"]) == 3


def test_what_cannot_be_launched_is_listed_by_reason(capsys):
    words = [MATMUL, "--over", "block=32x32,16x16,64x64", "--over", "n=64,128", "--machine", "v100"]
    shown = " ".join(text(capsys, *words).split())
    assert "configurations 6, by estimate; 4 could not be measured" in shown
    assert "Not measured: 4 configurations" in shown
    assert "2 such as block=32x32 n=64: `matmul` was compiled for at most 256 threads" in shown
    header, *rows = csv.reader(io.StringIO(text(capsys, *words, "--format", "csv")))
    assert header[:5] == ["block", "n", "machine", "rank", "time_us"]
    assert [row[0] for row in rows] == ["32x32"] * 2 + ["16x16"] * 2 + ["64x64"] * 2
    lost = [dict(zip(header, row, strict=True)) for row in rows if row[header.index("reason")]]
    assert [(row["block"], row["rank"], row["time_us"], row["mark"]) for row in lost] == [
        ("32x32", "", "", "exact"), ("32x32", "", "", "exact"), ("64x64", "", "", "exact"),
        ("64x64", "", "", "exact"),
    ]  # fmt: skip


def test_a_size_that_is_called_as_a_column_has_another_one(timed, tmp_path, capsys):
    launch = Path(VECADD).read_text("utf-8").replace("vecadd.sm_80.ptx", PTX)
    (tmp_path / "l.toml").write_text(launch.replace("[sizes]\n", "[sizes]\nrank = 3\nmark = 4\n"))
    words = [str(tmp_path / "l.toml"), "--over", "rank=1,2", "--over", "n=64", "--over", "mark=7"]
    header, *rows = csv.reader(io.StringIO(text(capsys, *words, "-m", "t4", "--format", "csv")))
    assert header[:6] == ["axis.rank", "n", "axis.mark", "machine", "rank", "time_us"]
    assert [row[:5] for row in rows] == [["1", "64", "7", "t4", "1"], ["2", "64", "7", "t4", "2"]]


@pytest.mark.slow
def test_kernel_files_launches_and_applications(capsys):
    found = report(
        capsys, PTX, "--grid", "16", "--block", "256", *GIVEN, "--over", "block=128,512",
        "--machine", "a100",
    )  # fmt: skip
    assert [row["grid"][0] for row in found["rows"]] == [32, 8]
    one = report(capsys, SCAN, "--launch", "1", "--over", "n=4096", "--machine", "a100")
    both = report(capsys, SCAN, "--launch", "all", "--over", "n=4096", "--machine", "a100")
    assert len(one["kernels"]) == 1
    assert (one["rows"][0]["launches"], both["rows"][0]["launches"]) == (1, 3)
    assert one["rows"][0]["figures"]["time_us"] < both["rows"][0]["figures"]["time_us"]
    found = report(capsys, "bfs:tiny", "--over", "nodes=512,1024", "--machine", "a100")
    assert found["axes"][0]["kind"] == "size"
    assert found["not_measured"] == 0


def test_simulated_configurations(capsys):
    words = [VECADD, "--over", "n=2048,65536", "--machine", "gtx480_gpgpusim"]
    words += ["--engine", "simulate", "--waves", "1"]
    found = report(capsys, *words)
    assert list(found["figures"]) == list(FIGURES["simulate"])
    job = warpmill.prepare(VECADD, options=warpmill.LaunchOptions(sizes={"n": 2048}))
    wanted = warpmill.simulate(job, "gtx480_gpgpusim")
    assert found["rows"][0]["figures"]["cycles"] == wanted.cycles
    assert [row["sampled"] for row in found["rows"]] == [False, True]
    shown = " ".join(text(capsys, *words, "--pareto", "dram_bytes").split())
    assert "1 configuration: a part was simulated and continued in a line (--waves)" in shown
    assert "Pareto front of time and dram_bytes (less is better)" in shown
    limited = [*words[:-2], "--max-cycles", "2000"]
    assert "--max-cycles" in report(capsys, *limited)["reasons"][0]["reason"]


def test_many_axes_are_written_into_one_column_and_none_into_no_column(timed, capsys):
    values = ("sm.count=10,20", "clock.sm_mhz=1000,1100", "regs=32,40", "l2.latency=200,300")
    words = [word for value in values for word in ("--over", value)]
    shown = text(capsys, VECADD, *BLOCKS, *words)
    assert "block=256 n=4096 sm.count=10" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    one = text(capsys, VECADD, *OVER)
    words = "Best configurations, fastest first (modelled) Duration (µs) × fastest 262,144 1"
    assert words in " ".join(one.split())


def test_names_do_not_reach_the_terminal_as_they_are(timed, tmp_path, capsys):
    path = tmp_path / "a\x1b[31m.toml"
    path.write_text(Path(VECADD).read_text("utf-8").replace("vecadd.sm_80.ptx", PTX))
    assert main(["sweep", str(path), "--over", "n=64", "--where", "n > 1"]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err


def test_how_far_it_is_shows_on_a_terminal(timed, monkeypatch, capsys):
    shown = []

    class Bar:
        def __enter__(self):
            return shown.append

        def __exit__(self, *_):
            shown.append("gone")

    monkeypatch.setattr(sweep_running, "study_bar", lambda _: Bar())
    assert main(["sweep", VECADD, *BLOCKS]) == 0
    assert shown[0] == Progress(0, 12, 0, 0.0)
    assert [(p.over, p.measured) for p in shown[1:-1]] == [(n, n) for n in range(1, 13)]
    assert all(p.seconds_left is not None for p in shown[1:-1])
    assert shown[-1] == "gone"


OVER = ["--over", "block=64", "--machine", "t4"]


@pytest.mark.parametrize("over", ["machine=t4,t5", "sm.count=8,0", "regs=32,few"])
def test_bad_values_are_seen_before_launches_are_read_in_all_others(over, capsys, monkeypatch):
    monkeypatch.setattr("warpmill.sweeps.points.point_of", lambda *_: pytest.fail("too late"))
    fails(capsys, ["sweep", VECADD, "--over", over, "--over", "n=64,128"], 2, "")


def test_nothing_to_measure_is_not_announced(capsys):
    assert main(["sweep", VECADD, "--over", "block=4096", "--no-store"]) == 2
    assert "to measure" not in capsys.readouterr().err


def test_machine_files_of_a_folder_above_are_no_ranges(capsys):
    fails(capsys, ["sweep", VECADD, "--over", "machine=../none.toml"], 2, "../none.toml: error")


def test_too_many_configurations(capsys):
    said = "the sweep has 300 configurations, more than 10; raise the limit with --max-points"
    fails(capsys, ["sweep", VECADD, "--over", "n=1..100", "--max-points", "10"], 3, said)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_cache_that_cannot_be_written(capsys, tmp_path, monkeypatch):
    tmp_path.chmod(0o500)
    fails(capsys, ["sweep", VECADD, *OVER], 2, "--no-store")


def test_a_cache_that_is_a_file(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", VECADD)
    fails(capsys, ["sweep", VECADD, *OVER], 2, "name a file with --store, or keep nothing with")


def test_a_store_of_another_program(capsys, tmp_path):
    path = tmp_path / "own.db"
    with sqlite3.connect(path) as database:
        database.execute("create table mine (x)")
    fails(capsys, ["sweep", VECADD, *OVER, "--store", str(path)], 2, "it has other tables")
