"""`-`: a kernel file that comes to the process, wherever a target is taken."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.commands.test_cli_bad_input import fails
from warpmill.cli.main import main

VECADD = Path(__file__).parents[2] / "samples" / "vecadd" / "vecadd.sm_80.ptx"
LAUNCH = ["--grid", "2", "--block", "32", *["--arg", "buffer=f32:64"] * 3, "--arg", "64"]
KEPT = ["--no-store", "--over", "machine=a100,v100"]


@pytest.fixture(autouse=True)
def coming(monkeypatch):
    """Let a kernel come in, once."""
    text = io.TextIOWrapper(io.BytesIO(VECADD.read_bytes()))
    monkeypatch.setattr(sys, "stdin", text)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "-"],
        ["run", "-", *LAUNCH],
        ["profile", "-", *LAUNCH],
        ["dfsg", "-", *LAUNCH],
        ["trace", "-", *LAUNCH, "--trace", "executed"],
        ["trace", "-", *LAUNCH, "--compare"],
        ["simulate", "-", *LAUNCH, "--trace", "executed", "-m", "v100"],
        ["estimate", "-", *LAUNCH, "--trace", "executed", "-m", "v100"],
        ["sample", "-", *LAUNCH, "-m", "v100"],
        ["sweep", "-", *LAUNCH, *KEPT],
        ["diff", "-", str(VECADD)],
    ],
    ids=lambda words: " ".join(words[:1]),
)
def test_what_comes_in_is_a_target(words, capsys):
    assert main(words) == 0
    assert capsys.readouterr().out


def test_a_recording_of_it_stands_alone(tmp_path, capsys, monkeypatch):
    path = tmp_path / "r.wmrec"
    assert main(["record", "-", *LAUNCH, "-o", str(path)]) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["replay", str(path)]) == 0


def test_measured_rows_may_be_of_it(tmp_path, capsys):
    table = tmp_path / "times.csv"
    table.write_text("target,kernel,grid,block,machine,time_us\n-,vecadd,2,32,v100,5\n", "utf-8")
    assert main(["correlate", str(table), *LAUNCH[4:], "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_other_processes_do_not_get_it(capsys):
    words = ["sweep", "-", *LAUNCH, *KEPT, "--workers", "2"]
    fails(capsys, words, 2, "other processes do not read this one's standard input: save it to a")


def test_nothing_comes(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    fails(capsys, ["run", "-", *LAUNCH], 2, "<stdin>: error: nothing came")
