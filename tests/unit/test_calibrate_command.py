"""``warpmill calibrate``: what it writes is a machine, what it shows comes worst first."""

import re

import pytest

from analyzer.diagnostics import UsageError
from simulator.machines import load_machine
from warpmill.calibration import gpu_facts
from warpmill.cli.main import main

MODEL = ["calibrate", "--on-model", "v100", "--only"]


def test_what_is_written_is_a_machine_that_commands_take(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    altered = ["--set", "const.l1_latency=40", "--set", "const.l1_bytes=1024"]
    assert main([*MODEL, "constant,launch", *altered, "--out", str(path), "--check"]) == 0
    machine = load_machine(str(path))
    assert machine.number("const.l1_latency") == pytest.approx(40, abs=1)
    assert machine.number("const.l1_bytes") == 1024
    assert "chase through constants that hit, ± " in machine["const.l1_latency"].source
    assert machine.number("l2.size_bytes") == load_machine("v100").number("l2.size_bytes")
    assert main(["machines", "show", str(path)]) == 0
    capsys.readouterr()
    launch = ["samples/vecadd/launch.toml", "--size", "n=4096"]
    assert main(["estimate", *launch, "--machine", str(path)]) == 0
    assert "mine" in capsys.readouterr().out


def test_rows_come_worst_first(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert main([*MODEL, "shared,launch"]) == 0
    apart = [abs(float(one)) for one in re.findall(r"([+-]\d+\.\d)%", capsys.readouterr().out)]
    assert len(apart) == 5
    assert apart == sorted(apart, reverse=True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--on-model", "v10"], "did you mean `v100`"),
        (["--on-model", "v100", "--only", "latencies"], "did you mean `latency`"),
        (["--on-model", "v100", "--out", "mine.txt"], "ends in .toml"),
        (["--on-model", "v100", "--machine", "../mine"], "no name of a file"),
        (["--set", "sm.count=2"], "a GPU is as it is"),
        (["--on-model", "mi100", "--only", "launch"], "warps of 64 lanes"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_measured(words, told, capsys):
    assert main(["calibrate", *words]) == 2
    assert told in capsys.readouterr().err


def test_without_a_gpu_it_says_what_to_do(capsys, monkeypatch):
    def none():
        raise UsageError("no GPU: the package cuda-bindings is not installed")

    monkeypatch.setattr(gpu_facts, "load_driver", none)
    assert main(["calibrate", "--only", "launch"]) == 2
    told = capsys.readouterr().err
    assert "there is no GPU that could be calibrated" in told
    assert "--on-model v100" in told
