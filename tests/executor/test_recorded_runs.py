"""Recordings as targets of run, profile and dfsg."""

import json

import numpy as np
import pytest

from tests.reference.saved_traces import SAMPLES
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.cli.main import main
from warpmill.session.dfsgs import dfsgs
from warpmill.session.options import LaunchOptions
from warpmill.session.profiles import profile
from warpmill.session.records import record
from warpmill.session.run import run

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
    assert [(g.nodes, g.edges, g.loops) for g in dfsgs(recorded)] == [
        (g.nodes, g.edges, g.loops) for g in dfsgs(FILE, launch=SIZES)
    ]


STRUCTS = """
import numpy as np

PTX = '''.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
    .reg .b64 %rd<4>; .reg .b32 %r<2>;
    ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, SIZE;
    add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3+4], %r1; ret;
}
'''


def main(device):
    struct = np.dtype([("a", "u1"), ("b", "<u4"), ("c", "<f2", (2,))], align=ALIGN)
    made = device.array(np.zeros((4, 8), struct), name="made")
    kernel = device.load(PTX.replace("SIZE", str(struct.itemsize)))["k"]
    device.launch(kernel, grid=1, block=32, args=[made])
    return {"made": made}
"""


@pytest.mark.parametrize("align", [True, False])
def test_arrays_of_structs_are_those_of_the_program(tmp_path, align):
    program = tmp_path / "structs.py"
    first_field = "u1" if align else "<u4"  # what follows lies at 4
    program.write_text(STRUCTS.replace("ALIGN", str(align)).replace("u1", first_field))
    path = tmp_path / "structs.wmrec"
    record(program, path)
    first, again = run(program)["made"], run(path)["made"]
    assert first.dtype == again.dtype
    assert first.dtype.names == ("a", "b", "c")
    assert again["b"].tolist() == first["b"].tolist() == np.arange(32).reshape(4, 8).tolist()


def test_of_one_kernel_only_its_launches_are_told(recorded):
    every = profile(recorded).launches
    (added,) = profile(recorded, "scan_add").launches
    assert added.profile == every[2].profile
    assert added.name == "launch 2"
    assert [one.name for one in profile(recorded, "scan_blocks").launches] == [
        "launch 0",
        "launch 1",
    ]
    with pytest.raises(UsageError, match=r"no kernel scan_all.* it launches scan_blocks"):
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
