"""Recordings as targets of run, profile and dfsg."""

import json

import numpy as np
import pytest

from analyzer.diagnostics import InputError, UsageError
from tests.reference.saved_traces import SAMPLES
from warpmill.api import LaunchOptions
from warpmill.cli.main import main
from warpmill.dfsg_runs import dfsgs
from warpmill.profiles import profile
from warpmill.records import record
from warpmill.runs import run

FILE = SAMPLES / "scan" / "launch.toml"
SIZES = LaunchOptions(sizes={"n": 4096})


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "scan.wmrec"
    record(FILE, path, launch=SIZES)
    return path


def test_a_recording_runs_as_the_program_did(recorded):
    first, again = run(FILE, launch=SIZES), run(recorded)
    for a, b in zip(first.launches, again.launches, strict=True):
        assert a.launched.kernel.name == b.launched.kernel.name
        assert (a.launched.grid, a.launched.block) == (b.launched.grid, b.launched.block)
        assert a.launched.counts.thread_instructions == b.launched.counts.thread_instructions
    assert sorted(b.sha256 for b in first.buffers) == sorted(b.sha256 for b in again.buffers)
    assert np.array_equal(first["out"], again["out"])
    assert again.recording.calls == run(recorded).recording.calls


def test_its_profiles_and_graphs_are_those_of_the_program(recorded):
    wanted = [one.profile for one in profile(FILE, launch=SIZES).launches]
    assert [one.profile for one in profile(recorded).launches] == wanted
    assert [g.dfsg for g in dfsgs(recorded)] == [g.dfsg for g in dfsgs(FILE, launch=SIZES)]


def test_of_one_kernel_only_its_launches_are_told(recorded):
    every = profile(recorded).launches
    (added,) = profile(recorded, "scan_add").launches
    assert added.profile == every[2].profile
    assert added.name == "launch 2"
    assert [one.name for one in profile(recorded, "scan_blocks").launches] == [
        "launch 0",
        "launch 1",
    ]
    with pytest.raises(UsageError, match="launches no kernel scan_all; it launches scan_blocks"):
        run(recorded, "scan_all")


def test_options_of_files_are_refused(recorded):
    with pytest.raises(UsageError, match="a recording, which says its launches: --size is for"):
        run(recorded, launch=SIZES)
    with pytest.raises(UsageError, match="--grid is for files"):
        run(recorded, launch=LaunchOptions(grid="4"))


def test_what_is_no_recording_is_refused(tmp_path):
    (tmp_path / "a.wmrec").write_bytes(b"something else")
    with pytest.raises(InputError, match="no recording"):
        profile(tmp_path / "a.wmrec")


def test_the_command_line_takes_it(recorded, capsys, tmp_path):
    assert main(["run", str(recorded), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["totals"]["launches"] == 3
    assert main(["profile", str(recorded), "--kernel", "scan_add", "--format", "json"]) == 0
    (launch,) = json.loads(capsys.readouterr().out)["launches"]
    assert launch["kernel"] == "scan_add"
    assert main(["record", str(recorded), "-o", str(tmp_path / "again.wmrec")]) == 0
    assert (tmp_path / "again.wmrec").read_bytes() == recorded.read_bytes()
