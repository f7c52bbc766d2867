"""``warpmill calibrate``: what it writes is a machine, what it shows comes worst first."""

import re
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.calibration import gpu_facts
from warpmill.cli.main import main
from warpmill.commands.calibrate.options import CalibrationFiles
from warpmill.simulator.machines import load_machine

MODEL = ["calibrate", "--on-model", "v100", "--only"]


@pytest.mark.slow
def test_what_is_written_is_a_machine_that_commands_take(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    altered = ["--set", "const.l1_latency=40", "--set", "const.l1_bytes=1024"]
    assert main([*MODEL, "constant,launch", *altered, "--out", str(path), "--exit-code"]) == 0
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


@pytest.mark.slow
def test_rows_come_worst_first(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert main([*MODEL, "shared,launch"]) == 0
    apart = [abs(float(one)) for one in re.findall(r"([+-]?\d+\.\d)%", capsys.readouterr().out)]
    assert len(apart) == 5
    assert apart == sorted(apart, reverse=True)


def test_a_name_of_two_lines_is_refused_before_anything_is_measured(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*MODEL, "launch", "--machine", "a\nb"]) == 2
    assert "no name of a file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_all_that_is_wrong_is_said_at_once(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = ["--on-model", "v10", "--only", "latencies", "--like", "a10x", "--out", "mine.txt"]
    assert main(["calibrate", *wrong, "--plot", "mine.doc"]) == 2
    told = capsys.readouterr().err
    for said in ("`v100`", "`latency`", "--like a10x", "ends in .toml", "mine.doc"):
        assert said in told, said


@pytest.mark.slow
def test_benches_go_to_a_folder_whatever_it_is_called(tmp_path, capsys):
    folder = tmp_path / "benches.npz"
    assert main([*MODEL, "launch", "--ptx", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["empty.ptx", "empty_32.ptx"]
    assert main([*MODEL, "launch", "--ptx", str(folder)]) == 2
    assert "is there already, and no empty folder" in capsys.readouterr().err


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_an_error(tmp_path, capsys, monkeypatch):
    def refused(self, **_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", refused)
    assert main([*MODEL, "launch", "--ptx", str(tmp_path / "benches")]) == 2
    assert "benches cannot be written: Permission denied" in capsys.readouterr().err


def test_without_a_gpu_it_says_what_to_do(capsys, monkeypatch):
    def none():
        raise UsageError("no GPU: the package cuda-bindings is not installed")

    monkeypatch.setattr(gpu_facts, "load_driver", none)
    assert main(["calibrate", "--only", "launch"]) == 2
    told = capsys.readouterr().err
    assert "there is no GPU that could be calibrated" in told
    assert "--on-model v100" in told


@pytest.mark.parametrize("name", ["", ".mine", "a/b", "../mine", "a\tb"])
def test_a_machine_that_is_no_name_of_a_file_needs_one(name):
    assert CalibrationFiles().machine_file("my_gpu 2") == Path("my_gpu 2.toml")
    assert CalibrationFiles().machine_file(None) is None
    with pytest.raises(UsageError, match="this is no name of a file; --out FILE says where"):
        CalibrationFiles().machine_file(name)
