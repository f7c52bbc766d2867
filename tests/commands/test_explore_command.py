"""``warpmill explore`` as people call it: what it shows, keeps, writes and refuses."""

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

from tests.commands.refusals import refusals, words_of
from tests.commands.test_cli_bad_input import fails
from tests.sampling.exploring_logged import Logged
from tests.sampling.exploring_parts import SMALL, VECADD
from warpmill.cli.main import main
from warpmill.commands.explore import command as explore_command
from warpmill.exploring import exploration
from warpmill.simulator.regression.model import model_of
from warpmill.simulator.regression.predict import predict

TARGET = VECADD.target


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The words of an exploration of made-up figures, kept in a file."""
    one = Logged(str(tmp_path / "log"))
    monkeypatch.setattr(exploration, "ExplorationEvaluator", lambda _how: one)
    (tmp_path / "small.toml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    store = ["--store", str(tmp_path / "s.db")]
    size = ["--size", "n=4096", "--workers", "1"]
    return ["explore", str(tmp_path / "small.toml"), TARGET, *size, *store], store, one


def told(capsys, *words):
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def figure(point):
    return 100.0 / point["simd"] + 1.0 / point["#blk"]


@pytest.mark.slow
def test_models_tell_what_was_made_up(small, capsys):
    words, store, _ = small
    asked = ["--samples", "80", "--theta", "0", "--phi", "0", "--cost", "simd * _blk",
             "--curve", "simd", "--at", "#blk=2,simd=16", "--suggest", "2",
             "--where", "simd <= 16"]  # fmt: skip
    found = told(capsys, *words, *asked)
    (one,) = found["workloads"]
    assert one["workload"]["title"] == f"{TARGET} n=4096"
    assert len(one["workload"]["samples"]) == 80
    assert one["workload"]["failure_reasons"][0]["reason"] == "SIMD width 16 has no 4 ports"
    model = one["model"]
    assert model["summary"].startswith("time_us ~ simd + #blk")
    assert model["r_squared"] == pytest.approx(1)
    assert one["errors"]["maximum_percent"] == pytest.approx(0, abs=1e-6)
    best = one["best"][0]
    assert (best["point"]["simd"], best["point"]["#blk"]) == (16, 8)
    assert best["predicted"] == pytest.approx(figure(best["point"]))
    assert one["points"][0]["predicted"] == pytest.approx(100 / 16 + 0.5)
    assert [row["point"]["simd"] for row in one["curves"][0]["rows"]] == [8, 16, 32]
    assert one["curves"][0]["at"]["#blk"] == 2
    costs = [row["cost"] for row in one["front"]]
    assert costs == sorted(costs)
    assert costs[0] == 8
    seen = [row["point"] for row in one["workload"]["samples"]]
    assert len(one["suggestions"]) == 2
    assert all(each["point"] not in seen for each in one["suggestions"])
    again = told(capsys, "explore", "report", "small", *store, *asked[2:])
    assert again == found
    some = told(
        capsys, "explore", "report", "small", f"{TARGET} n=4096", "--fix", "simd=32", *store
    )
    own = some["workloads"][0]["model"]
    assert own["samples"] == sum(row["point"]["simd"] == 32 for row in one["workload"]["samples"])
    assert "simd" not in own["summary"]


@pytest.mark.slow
def test_csv_pictures_and_all_predictions(small, capsys, tmp_path):
    words, store, _ = small
    pictures = ["--plot", "terms.svg", "--plot-curves", "curves.png"]
    every = tmp_path / "all.csv"
    more = ["--samples", "60", "--curve", "#blk", "--predict-all", "all.csv", "--format", "csv"]
    assert main([*words, *more, *pictures]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 60
    assert all(float(row["time_us"]) == pytest.approx(figure({n: float(row[n]) for n in row if n in
               ("simd", "#blk")})) for row in rows if not row["reason"])  # fmt: skip
    assert all(float(r["low"]) <= float(r["predicted"]) <= float(r["high"]) for r in rows
               if not r["reason"])  # fmt: skip
    with every.open() as file:
        header, *points = csv.reader(file)
    named = f"time_us of {TARGET} n=4096"
    own = [named, f"{named} low", f"{named} high", f"{named} notes"]
    assert header == ["#blk", "simd", "smp", "flit", *own]
    assert len(points) == 120
    assert {row[-1] for row in points} == {"", "failed"}
    at = ",".join(f"{name}={value}" for name, value in zip(header[:4], points[77][:4], strict=True))
    (said,) = told(capsys, "explore", "report", "small", *store, "--at", at)["workloads"]
    (point,) = said["points"]
    assert [float(cell) for cell in points[77][4:7]] == pytest.approx(
        [point["predicted"], point["low"], point["high"]]
    )
    assert (tmp_path / "terms.svg").read_text().startswith("<?xml")
    assert (tmp_path / "curves.png").read_bytes()[:4] == b"\x89PNG"


def test_a_model_that_was_saved_predicts_the_same(small, capsys, tmp_path):
    words, store, _ = small
    model = tmp_path / "model.json"
    found = told(capsys, *words, "--samples", "60", "--save-model", "model.json", "--at", "simd=12")
    saved = model_of(model.read_text())
    (point,) = found["workloads"][0]["points"]
    assert point["between"]
    own = predict(saved, [point["point"]])
    assert [own.values[0], own.low[0], own.high[0]] == pytest.approx(
        [point["predicted"], point["low"], point["high"]]
    )
    model.unlink()
    given = ["--terms", "#blk,simd", "--save-model", "model.json"]
    again = told(capsys, "explore", "report", "small", *store, *given)
    assert again["asked"]["fitting"]["terms"] == [["#blk"], ["simd"]]
    assert model_of(model.read_text()).terms == (("#blk",), ("simd",))


def test_nothing_is_written_where_there_is_no_model_but_the_report_is_shown(
    small, capsys, tmp_path
):
    words, _, _ = small
    more = ["--samples", "2", "--save-model", "model.json", "--plot", "terms.svg"]
    assert main([*words, *more]) == 2
    shown = capsys.readouterr()
    page = " ".join(shown.out.split())
    assert "no model: 2 samples are too few for a model; measure more points" in page
    assert "nothing is written for --plot and --save-model: there is no model" in shown.err
    assert "2 points in " in shown.err
    assert not list(tmp_path.glob("model*")) + list(tmp_path.glob("terms*"))
    assert main([*words, "--samples", "1"]) == 0
    assert "1 point in " in capsys.readouterr().err


def test_a_cost_is_asked_for_where_points_are_looked_for(small, capsys):
    words, store, _ = small
    asked = ["--cost", "1 / (simd - 8)", "--where", "simd != 8"]
    found = told(capsys, *words, "--samples", "60", "--until-error", "50%", *asked)
    front = found["workloads"][0]["front"]
    assert min(row["cost"] for row in front) == pytest.approx(1 / 24)
    assert (found["asked"]["until_error"], found["workloads"][0]["reached"]) == (50, True)
    assert len(found["workloads"][0]["workload"]["samples"]) == 30
    fails(capsys, ["explore", "report", "small", *store, *asked[:2]], 2, "division by zero")


def test_what_is_known_is_told(small, capsys):
    words, _, log = small
    assert main([*words, "--samples", "30"]) == 0
    assert "0 known, 30 to measure; kept in " in capsys.readouterr().err
    assert main([*words, "--samples", "40"]) == 0
    assert "30 known, 10 to measure" in capsys.readouterr().err
    assert len(log.seen()) == 40


def test_more_points_than_allowed_are_refused_before_anything_is_done(small, capsys):
    words, _, log = small
    wanted = ["the exploration has 100 points for each workload, more than 99", "--max-points"]
    asked = ["--samples", "100", "--max-points", "99"]
    fails(capsys, [*words, *asked], 3, *wanted)
    fails(capsys, [*words, *asked, "--until-error", "5%"], 3, *wanted)
    whole = ["explore", "stargazer", "nothing.toml", "--samples"]  # not even its file is looked for
    fails(capsys, [*whole, "9999999999"], 3, "has 933,120 points", "more than 10,000")
    assert log.seen() == []
    assert main([*words, "--samples", "100", "--max-points", "100"]) == 0
    assert "making" not in capsys.readouterr().err


def test_a_space_with_fewer_points_than_asked_for_says_so(small, capsys, monkeypatch):
    words, _, _ = small
    monkeypatch.setattr(explore_command, "_MANY", 119)
    assert main([*words, "--samples", "9999999999"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[:2] == [
        "--samples 9,999,999,999: the space has 120 points, and all are taken",
        "making the machines of 120 points",
    ]


def test_all_that_is_wrong_is_said_at_once(small, capsys):
    words, _, log = small
    wrong = ["--curve", "smid", "--at", "simd=8,simd=9", "--fix", "simd=9", "--plot", "terms.doc"]
    assert main([*words, *wrong]) == 2
    told_of = capsys.readouterr().err
    for said in ("`smid`", "--at gives simd twice", "simd does not take 9", "terms.doc"):
        assert said in told_of, said
    assert log.seen() == []


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("command", "said"), refusals("explore"))
def test_what_cannot_be_is_refused_before_anything_runs(command, said, small, capsys):
    whole, store, log = small
    whole = [w for w in whole if w not in ("--workers", "1")]
    places = {"$SMALL": shlex.join(whole), "$STORE": shlex.join(store), "$TARGET": TARGET}
    fails(capsys, words_of(command, places), 2, *said)
    assert log.seen() == []
    assert {path.name for path in Path.cwd().iterdir()} <= {"small.toml", "s.db"}
