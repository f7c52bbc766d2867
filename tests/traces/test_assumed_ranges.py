"""``--assume NAME=LOW..HIGH`` through traces and estimates: both ends, and what was assumed."""

import json
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source

SPMV = Path(__file__).parents[2] / "samples" / "spmv" / "launch.toml"
LOOP = "$L__BB0_7"
SMALL = ("--size", "rows=512", "--size", "cols=512")


def report(capsys, command, value, *more):
    arguments = [command, SPMV, *SMALL, "--assume", f"{LOOP}={value}", *more, "--format", "json"]
    assert main([str(a) for a in arguments]) == 0
    return json.loads(capsys.readouterr().out)["launches"][0]


def test_an_estimate_of_a_range_is_that_of_its_ends(capsys):
    low, high, both = (report(capsys, "estimate", v, "-m", "a100") for v in ("4", "16", "4..16"))
    assert [(a["name"], a["low"], a["high"]) for a in both["assumed"]] == [(LOOP, 4, 16)]
    assert both["assumed"][0]["marks"] == {"high": "assumed", "low": "assumed"}
    (one,) = both["estimates"]
    for figure in ("time_us", "cycles"):
        ends = [end["estimates"][0][figure] for end in (low, high)]
        assert ends[0] < ends[1]
        assert [one["ranges"][figure]["low"], one["ranges"][figure]["high"]] == ends
        assert one[figure] == ends[0]
        assert one["marks"][f"ranges.{figure}"] == "assumed"
    assert low["estimates"][0]["ranges"] is None


def test_traces_of_a_range_are_those_of_its_ends(capsys):
    low, high, both = (report(capsys, "trace", value) for value in ("4", "16", "4..16"))
    assert low["ranges"] is None
    assert [(a["low"], a["high"]) for a in low["assumed"]] == [(4, 4)]
    for figure in both["ranges"]:
        ends = [{**one["traced"], **one["traced"]["summary"]}[figure] for one in (low, high)]
        assert ends[0] < ends[1]
        assert both["ranges"][figure] == {"low": ends[0], "high": ends[1]}
    assert both["traced"] == low["traced"]


@pytest.mark.parametrize("command", ["trace", "estimate"])
def test_text_shows_both_ends_and_what_was_assumed(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "200")
    assert main([command, str(SPMV), *SMALL, "--assume", f"{LOOP}=4..16"]) == 0
    text = capsys.readouterr().out
    assert f"{LOOP} = 4 .. 16; one figure: of the low ends" in text
    assert "as assumed" in text
    assert main([command, str(SPMV), *SMALL, "--assume", f"{LOOP}=4"]) == 0
    text = capsys.readouterr().out
    assert f"{LOOP} = 4\n" in text
    assert "…" not in text and ".." not in text.replace("...", "")


def test_nothing_assumed_leaves_no_line(capsys):
    assert main(["trace", str(SPMV), *SMALL]) == 0
    assert "\n  assumed " not in capsys.readouterr().out


def test_one_trace_takes_no_range(tmp_path, capsys):
    job = prepare(SPMV)
    with pytest.raises(UsageError, match="one trace takes one number"):
        trace_source(job, TraceOptions(assume={LOOP: AssumedRange(4, 16)}))
    arguments = ["trace", SPMV, "--assume", f"{LOOP}=4..16", "--save", tmp_path / "a.wtrace"]
    assert main([str(a) for a in arguments]) == 2
    assert "needs numbers there, not ranges" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("assumed", "words"),
    [
        ("spmv_param_5=3", "the launch gives spmv_param_5"),
        ("ntid.x=3", "the launch gives ntid.x"),
        (f"{LOOP}=-1..3", "never below zero"),
        (f"{LOOP}=9..3", "ends before it starts"),
    ],
)
def test_what_the_launch_gives_is_not_assumed(capsys, assumed, words):
    assert main(["estimate", str(SPMV), "--assume", assumed]) == 2
    assert words in capsys.readouterr().err
