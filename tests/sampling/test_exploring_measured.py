"""Measured points of a space: models recover a formula, and what is wrong is said at once."""

import csv
import io
import itertools
import json
import math

import pytest

import warpmill
from tests.commands.test_cli_bad_input import fails
from tests.sampling.exploring_parts import ROOT
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.cli.main import main
from warpmill.exploring.answers import ModelQuestions, answers
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.measured import measured_points
from warpmill.exploring.space_file import space_called

PTX = str(ROOT / "samples" / "vecadd" / "vecadd.sm_80.ptx")
SPACE = """
schema = 1
base = "a100"
where = ["threads <= 16 * tile"]
[parameters.threads]
values = [64, 128, 256, 512]
log2 = true
launch = "block"
[parameters.tile]
values = [8, 16, 32]
define = "TILE"
[parameters.policy]
values = ["lrr", "gto"]
key = "scheduler.policy"
"""
POINTS = [
    point
    for point in itertools.product((64, 128, 256, 512), (8, 16, 32), ("lrr", "gto"))
    if point[0] <= 16 * point[1]
]


def formula(threads, tile, policy):
    """What was measured, of each parameter apart: milliseconds."""
    return 3.0 + 2.0 * math.log2(threads) - 0.125 * tile + (4.0 if policy == "gto" else 0.0)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "space.toml").write_text(SPACE)

    def write(*lines, header="tile,threads,policy,kernel_ms"):
        (tmp_path / "points.csv").write_text("\n".join((header, *lines)) + "\n")
        return tmp_path / "points.csv"

    return write


def rows(points=POINTS):
    return [f"{tile},{threads}.0,{policy},{formula(threads, tile, policy)!r}"
            for threads, tile, policy in points]  # fmt: skip


def told(capsys, *words):
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_model_recovers_the_formula_that_rows_are_of(table, capsys):
    table(*rows())
    asked = ["--theta", "0", "--phi", "0", "--at", "threads=256,tile=16,policy=gto"]
    found = told(capsys, "explore", "run", "space.toml", "--measured", "points.csv", *asked)
    (one,) = found["workloads"]
    assert found["asked"]["fitting"]["response"] == "kernel_ms"
    assert found["exploration"]["measured"] == "points.csv"
    assert one["model"]["r_squared"] == pytest.approx(1)
    assert one["errors"]["maximum_percent"] == pytest.approx(0, abs=1e-6)
    assert one["points"][0]["predicted"] == pytest.approx(formula(256, 16, "gto"))
    best = min(POINTS, key=lambda point: formula(*point))
    assert one["best"][0]["predicted"] == pytest.approx(formula(*best))
    assert {name: one["best"][0]["point"][name] for name in ("threads", "tile", "policy")} == dict(
        zip(("threads", "tile", "policy"), best, strict=True)
    )
    assert (one["workload"]["measured_rows"], one["workload"]["simulated"]) == (len(POINTS), 0)


def test_rows_stand_in_the_csv_as_they_were_measured(table, capsys):
    table(*rows())
    words = ["explore", "run", "space.toml", "--measured", "points.csv", "--format", "csv"]
    assert main(words) == 0
    found = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(int(row["threads"]), int(row["tile"]), row["policy"]) for row in found] == POINTS
    assert [float(row["measured"]) for row in found] == [formula(*point) for point in POINTS]
    assert {(row["mark"], row["time_us"], row["workload"]) for row in found} == {
        ("exact", "", "points.csv")
    }


def test_a_point_that_was_measured_twice_counts_twice(table):
    points = POINTS + POINTS[:3]
    found, response = measured_points(space_called("space.toml"), table(*rows(points)))
    (own,) = found.workloads
    assert (response, len(own.samples)) == ("kernel_ms", len(POINTS) + 3)
    told_of = answers(found, ModelQuestions(Fitting(response, figures=(response,))))
    assert told_of.workloads[0].model.samples == len(POINTS) + 3


def test_all_that_is_wrong_is_said_at_once(table, capsys):
    lines = ["8,64,lrr,1.5", "9,64,lrr,1.5", "8,512,gto,1.5", "8,64,fifo,fast", "8,64,gto,nan"]
    table(*lines)
    wanted = [
        "points.csv:3:1: error: tile does not take `9`; it takes 8, 16, 32",
        "points.csv:4:1: error: this is no point: the space leaves it out: threads <= 16 * tile",
        "points.csv:5:6: error: policy does not take `fifo`; it takes lrr, gto",
        "points.csv:5:11: error: kernel_ms is a number, not `fast`",
        "points.csv:6:10: error: kernel_ms is a number, not `nan`",
    ]
    words = ["explore", "run", "space.toml", "--measured", "points.csv"]
    fails(capsys, [*words, "--curve", "tiles"], 2, *wanted, "`tiles`")


def test_columns_are_parameters_and_the_response(table, capsys):
    table("8,64,lrr,1,2", header="tile,thread,policy,kernel_ms,power_w")
    words = ["explore", "run", "space.toml", "--measured", "points.csv"]
    fails(
        capsys, [*words, "--response", "kernel_ms"], 2,
        "points.csv:1:6: error: the space space has no parameter `thread`",
        "did you mean `threads`",
        "points.csv:1:30: error: the space space has no parameter `power_w`",
        "no column is called `threads`, a parameter",
    )  # fmt: skip
    fails(capsys, words, 2, "no column is called `time_us`, the response", "--response NAME")
    path = table(*["9,64,lrr,1"] * 30)
    with pytest.raises(InputError) as found:
        measured_points(space_called("space.toml"), path)
    assert len(found.value.diagnostics) == 21
    assert found.value.diagnostics[-1].message == "and 10 more"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing is explored: name a workload, or give --measured"),
        ((PTX, "--measured", "points.csv"), "--mix simulates others beside them"),
        (("--mix",), "give --measured FILE.csv"),
        (("--mix", "--measured", "points.csv"), "of the one workload that was measured, not 0"),
        (("--measured", "points.csv", "--samples", "9"), "--samples is for what is simulated"),
        (("--measured", "none.csv"), "none.csv: error: there is no such file"),
        (
            (PTX, "--engine", "estimate", "--response", "warp_ipc"),
            "--engine estimate tells no warp",
        ),
        (
            (PTX, "--engine", "estimate", "--max-cycles", "9"),
            "--max-cycles is for --engine simulate",
        ),
        ((PTX, "--measured", "points.csv", "--mix"), "--engine simulate tells no kernel_ms"),
    ],
)
def test_what_does_not_go_together_is_refused(words, said, table, capsys):
    table(*rows())
    fails(capsys, ["explore", "run", "space.toml", *words], 2, said)


@pytest.mark.slow
def test_measured_points_are_mixed_with_others_where_that_is_asked(table, capsys, tmp_path):
    text = '\n[parameters.sms]\nvalues = [4, 8]\nkey = "sm.count"\n'
    base = 'schema = 1\nbase = "a100"\n'
    (tmp_path / "space.toml").write_text(
        f'{base}[parameters.threads]\nvalues = [64, 128]\nlaunch = "block"{text}'
    )
    table("64,4,100.0", "128,8,50.0", header="threads,sms,time_us")
    launch = ["--grid", "16", "--block", "256", *["--arg", "buffer=f32:4096"] * 3, "--arg", "4096"]
    found = told(
        capsys, "explore", "run", "space.toml", PTX, *launch, "--measured", "points.csv", "--mix",
        "--engine", "estimate", "--samples", "4", "--no-store", "--workers", "1",
    )  # fmt: skip
    (one,) = found["workloads"]
    samples = one["workload"]["samples"]
    assert [row["is_measured"] for row in samples] == [True, True, False, False, False, False]
    assert [row["figures"]["time_us"] for row in samples[:2]] == [100.0, 50.0]
    assert max(row["figures"]["time_us"] for row in samples[2:]) < 50.0
    assert one["workload"]["title"].startswith(PTX)


def test_the_table_of_samples_is_one():
    found = warpmill.explore("launch", measured=ROOT / "samples" / "simulated_points.csv")
    (own,) = answers(found).workloads
    assert (own.model.response, own.model.samples) == ("time_us", 60)
