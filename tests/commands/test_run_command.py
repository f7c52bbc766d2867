"""``warpmill run``: launch files, kernel files and host programs; reports, limits, saving."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.buffers import materialise
from warpmill.cli.main import main
from warpmill.commands.run.result import RunReport
from warpmill.executor.host.recording import content_hash, load_recording
from warpmill.executor.host.replay import replay
from warpmill.report.words import duration
from warpmill.session.options import RunOptions
from warpmill.session.run import run

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"
SMALL = ["--size", "n=1000"]


def report_of(capsys, *words, code=0):
    assert main(["run", *map(str, words), "--format", "json"]) == code
    return json.loads(capsys.readouterr().out)


# ------------------------------------------------------------------------------ launch files


def test_a_launch_file_is_run(capsys):
    report = report_of(capsys, SAMPLES / "vecadd" / "launch.toml", *SMALL)
    (launch,) = report["launches"]
    launched = launch["launched"]
    assert launched["kernel"]["name"] == "vecadd"
    assert (launched["grid"], launched["block"]) == ([4, 1, 1], [256, 1, 1])
    x, y = (
        materialise(a)
        for a in load_launches(SAMPLES / "vecadd" / "launch.toml", {"n": 1000})[0].arguments[:2]
    )
    inputs, output = report["buffers"][:2], report["buffers"][2]
    for buffer, values in zip(inputs, (x, y), strict=True):
        assert buffer["sha256"] == content_hash(values.tobytes())
        assert buffer["changed"] is False
        assert (buffer["min"], buffer["max"]) == (values.min(), values.max())
        assert buffer["mean"] == pytest.approx(values.mean(dtype=np.float64))
    assert output["sha256"] == content_hash((x + y).tobytes())
    assert (output["changed"], output["element"], output["shape"]) == (True, "f32", [1000])
    assert (output["nans"], output["bytes"], output["argument"]) == (0, 4000, "vecadd_param_2")


def test_counts_are_those_of_the_code(capsys):
    """Two guarded warps of 1000 threads in 4 CTAs of 256: the last has 24 outside."""
    (one,) = report_of(capsys, SAMPLES / "vecadd" / "launch.toml", *SMALL)["launches"]
    launch, counts = one["launched"], one["launched"]["counts"]
    job = warpmill.prepare(SAMPLES / "vecadd" / "launch.toml")
    sizes = [len(b.instructions) for b in job.kernel.blocks]
    assert len(sizes) == 3  # the test, the body, the return
    assert counts["thread_instructions"] == 1024 * (sizes[0] + sizes[2]) + 1000 * sizes[1]
    assert counts["warp_instructions"] == 32 * sum(sizes)
    assert launch["lane_utilization"] == counts["thread_instructions"] / (32 * 32 * sum(sizes))
    assert counts["seconds"] > 0


def test_launches_share_named_buffers(capsys):
    """A prefix sum in three launches: what the first writes, the next ones read."""
    done = run(SAMPLES / "scan" / "launch.toml")
    (source,) = [b.values for b in done.buffers if b.launch == "scan_blocks" and b.changed is False]
    wanted = np.cumsum(source, dtype=np.int64) - source
    np.testing.assert_array_equal(done["out"], wanted)
    assert [one.name for one in done.launches] == ["scan_blocks", "scan_sums", "scan_add"]


TWICE = """
[[launch]]
module = "k.ptx"
name = "first"
grid = [1]
block = [32]
args = [
  { buffer = "f32", shape = [8], init = { constant = 1 }, name = "x" },
  { ref = "x" },
  { buffer = "f32", shape = [8] },
  { i32 = 8 },
]
[[launch]]
module = "k.ptx"
name = "second"
grid = [1]
block = [32]
args = [{ ref = "x" }, { ref = "x" }, { buffer = "f32", shape = [8] }, { i32 = 4 }]
"""


def test_buffers_with_names_alike_are_told_apart_by_their_launch(tmp_path):
    (tmp_path / "k.ptx").write_text(VECADD.read_text())
    (tmp_path / "launch.toml").write_text(TWICE)
    outputs = run(tmp_path / "launch.toml").outputs
    assert {name: values.tolist() for name, values in outputs.items()} == {
        "x": [1] * 8,
        "first.param_2": [2] * 8,
        "second.param_2": [2] * 4 + [0] * 4,
    }


def test_one_kernel_of_a_launch_file(capsys):
    report = report_of(capsys, SAMPLES / "scan" / "launch.toml", "--kernel", "scan_add")
    assert [one["launched"]["kernel"]["name"] for one in report["launches"]] == ["scan_add"]


LAUNCH = """
[[launch]]
module = "k.ptx"
grid = [1]
block = [4]
symbols = { scale = { buffer = "f32", shape = [2], init = { constant = 3 } } }
args = [
  { struct = [ { i32 = 7 }, { buffer = "u32", shape = [8], init = "arange", name = "a" } ] },
  { ref = "a", offset = 4 },
  { null = true },
  { texture = "f32", shape = [2, 4], init = "arange" },
]
"""
KERNEL = """.version 8.0
.target sm_80
.address_size 64
.const .align 4 .f32 scale[2] = {0f3F800000, 0f3F800000};
.visible .entry k(.param .align 8 .b8 s[16], .param .u64 half, .param .u64 none, .param .u64 tex)
{
  .reg .f32 %f<7>; .reg .b32 %r<5>; .reg .b64 %rd<8>;
  ld.param.u32 %r1, [s];
  ld.param.u64 %rd1, [s+8];
  ld.param.u64 %rd2, [half];
  ld.param.u64 %rd3, [none];
  ld.param.u64 %rd4, [tex];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
  st.global.u32 [%rd6], %r1;
  cvt.rn.f32.u32 %f1, %r2;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd4, {%f1, %f1}];
  ld.const.f32 %f6, [scale+4];
  fma.rn.f32 %f2, %f2, %f6, 0f3F000000;
  cvt.rzi.u32.f32 %r3, %f2;
  cvt.u32.u64 %r4, %rd3;
  add.u32 %r3, %r3, %r4;
  st.global.u32 [%rd7], %r3;
  ret;
}
"""


def test_every_kind_of_argument_reaches_the_kernel(tmp_path):
    (tmp_path / "k.ptx").write_text(KERNEL)
    (tmp_path / "launch.toml").write_text(LAUNCH)
    done = run(tmp_path / "launch.toml")
    (launch,) = done.recording.launches
    assert launch.addresses == (8, 16, 32)  # in the struct, the reference, the texture
    texels = [0, 5, 6, 7]  # (0, 0), (1, 1), then clamped to row 1
    assert done["a"].tolist() == [7] * 4 + [3 * t for t in texels]
    scale, buffer = done.buffers
    assert (buffer.name, buffer.element, buffer.changed) == ("a", "u32", True)
    assert (scale.name, scale.values.tolist(), scale.changed) == ("scale", [3, 3], False)


# ------------------------------------------------------------------------------ kernel files


def test_a_kernel_file_with_options(capsys):
    report = report_of(
        capsys, VECADD, "--grid", "1", "--block", "64",
        "--arg", "buffer=f32:64:arange", "--arg", "buffer=f32:64:arange", "--arg", "buffer=f32:64",
        "--arg", "60",
    )  # fmt: skip
    out = report["buffers"][2]
    assert (out["min"], out["max"], out["mean"]) == (0, 118, 2 * sum(range(60)) / 64)


def test_a_kernel_without_a_launch(capsys):
    assert main(["run", str(VECADD)]) == 2
    assert "a launch is needed" in capsys.readouterr().err


# ------------------------------------------------------------------------------ host programs


def program(tmp_path, text, name="program.py"):
    path = tmp_path / name
    path.write_text(text)
    return path


DOUBLING = f"""
import numpy as np

def main(device, n=8, times=3):
    print("this goes to stderr")
    add = device.load({str(VECADD)!r})["vecadd"]
    x = device.array(np.ones(n, np.float32), name="x")
    for _ in range(times):
        device.launch(add, 1, 32, [x, x, x, n], stream=device.stream())
    return {{"doubled": x, "note": "no array"}}
"""


def test_a_program_decides_what_is_launched(tmp_path, capsys):
    path = program(tmp_path, DOUBLING)
    assert main(["run", str(path), "--size", "times=5", "--format", "json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert "this goes to stderr" in captured.err
    assert len(report["launches"]) == report["totals"]["launches"] == 5
    assert [one["launched"]["stream"] for one in report["launches"]] == [1, 2, 3, 4, 5]
    (buffer,) = report["buffers"]
    assert (buffer["name"], buffer["min"], buffer["max"], buffer["changed"]) == (
        "doubled", 32, 32, None,
    )  # fmt: skip
    total = sum(one["launched"]["counts"]["thread_instructions"] for one in report["launches"])
    assert report["totals"]["thread_instructions"] == total


def test_what_a_program_leaves_behind_is_shown(tmp_path):
    text = "def main(device):\n    device.zeros(3, name='a')\n    device.zeros((2, 2), 'i4')\n"
    done = run(program(tmp_path, text))
    assert {name: values.shape for name, values in done.outputs.items()} == {
        "a": (3,),
        "array 1": (2, 2),
    }


def test_a_program_may_import_what_lies_beside_it(tmp_path):
    program(tmp_path, "N = 5\n", "beside_the_program.py")
    text = "from beside_the_program import N\ndef main(device):\n    return N\n"
    assert run(program(tmp_path, text))["result"] == 5


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("def main(device):\n    x = 1\n    return [][x]\n", "raised IndexError: list index", 3),
        ("def main(device):\n    raise KeyError\n", "raised KeyError", 2),
        ("import nothing_like_this\n", "raised ModuleNotFoundError", 1),
        ("def main(device:\n", "no Python", 1),
        ("x = 1\n", "no function `main(device)`", None),
        ("def main(device):\n    raise SystemExit(4)\n", "ended itself with 4", None),
        ("def main(device):\n    device.load('none.ptx').kernel()\n", "none.ptx", None),
    ],
)
def test_what_is_wrong_with_a_program_is_told_at_its_line(text, words, line, tmp_path, capsys):
    path = program(tmp_path, text)
    assert main(["run", str(path)]) == 2
    error = capsys.readouterr().err
    assert words in error
    if line is not None:
        assert f"{path}:{line}:" in error
    assert "Traceback" not in error


def test_a_fault_in_a_program_names_both_places(tmp_path, capsys):
    text = DOUBLING.replace("[x, x, x, n]", "[x, x, x, 20]")
    path = program(tmp_path, text)
    assert main(["run", str(path)]) == 2
    error = capsys.readouterr().err
    line = text.split("\n").index(
        "        device.launch(add, 1, 32, [x, x, x, 20], stream=device.stream())"
    )
    assert f"{path}:{line + 1}:9: note: the program came to it here" in error
    assert f"{VECADD}:" in error
    assert "0 B past the end of `x` of 32 B" in error


def test_a_program_takes_only_the_sizes_that_it_names(tmp_path):
    path = program(tmp_path, DOUBLING)
    with pytest.raises(UsageError, match="no parameter `m`; it takes n, times"):
        run(path, launch=warpmill.LaunchOptions(sizes={"m": 3}))
    with pytest.raises(UsageError, match="--grid is for files"):
        run(path, launch=warpmill.LaunchOptions(grid="3"))


def test_a_program_that_is_not_there(capsys):
    assert main(["run", "nowhere.py"]) == 2
    assert "nowhere.py: error: cannot be read" in capsys.readouterr().err


# ------------------------------------------------------------------------- limits and choices


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (["--max-instructions", "1000"], "--max-instructions"),
        (["--max-memory", "5000"], "--max-memory"),
    ],
)
def test_limits_end_with_exit_code_3(words, flag, capsys):
    assert main(["run", str(SAMPLES / "vecadd" / "launch.toml"), *SMALL, *words]) == 3
    assert f"{flag} moves the limit" in capsys.readouterr().err


SHARED = """.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b32 s[32];
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, s;
  ld.shared.u32 %r2, [%r1+16];
  st.global.u32 [%rd1], %r2;
  ret;
}
"""


def test_the_former_check_of_shared_memory_is_told_its_command(tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(SHARED)
    words = ["run", str(path), "--grid", "1", "--block", "1", "--arg", "buffer=u32:1"]
    assert main(words) == 0
    capsys.readouterr()
    assert main([*words, "--check-shared"]) == 2
    assert "--check-shared is now warpmill check --tool initcheck" in capsys.readouterr().err


def test_devices_are_named(capsys):
    assert main(["run", str(SAMPLES / "vecadd" / "launch.toml"), "--device", "gpu"]) == 2
    assert "devices are cpu, cuda" in capsys.readouterr().err


# ------------------------------------------------------------------------------------ reports


def test_statistics_leave_nan_out(tmp_path):
    text = (
        "import numpy as np\n"
        "def main(device):\n"
        "    return {'f': np.array([1, np.nan, 3, np.inf], 'f4'), 'n': np.full(2, np.nan),\n"
        "            'e': np.zeros((0, 3)), 'u': np.array([2**64 - 1], 'u8')}\n"
    )
    f, n, e, u = RunReport(run=run(program(tmp_path, text))).buffers
    assert (f.min, f.max, f.mean, f.nans, f.infinities) == (1, None, None, 1, 1)
    assert (n.min, n.max, n.mean, n.nans) == (None, None, None, 2)
    assert (e.min, e.shape, e.nans) == (None, (0, 3), 0)
    assert (u.min, u.max, u.element) == (2**64 - 1, 2**64 - 1, "u64")


def test_text_groups_many_launches(tmp_path, capsys):
    path = program(tmp_path, DOUBLING)
    assert main(["run", str(path), "--size", "times=40"]) == 0
    grouped = capsys.readouterr().out
    assert "Launches by kernel" in grouped
    assert "and 24 more (--verbose)" in grouped
    assert sum(line.startswith("  vecadd ") for line in grouped.splitlines()) == 16 + 1
    assert main(["run", str(path), "--size", "times=40", "--verbose"]) == 0
    assert (
        sum(line.startswith("  vecadd ") for line in capsys.readouterr().out.splitlines()) == 40 + 1
    )


def test_csv_has_a_row_a_launch_and_a_row_a_buffer(capsys):
    words = ["run", str(SAMPLES / "scan" / "launch.toml"), "--format", "csv"]
    assert main(words) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["kind"] for row in rows] == ["launch"] * 3 + ["buffer"] * 5
    assert rows[3]["launch"] == "scan_blocks"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0000123, "12.3 µs"),
        (0.0123, "12.3 ms"),
        (1.23, "1.23 s"),
        (12345, "12,345 s"),
        (None, "-"),
    ],
)
def test_times(seconds, words):
    assert duration(seconds) == words


def test_a_bar_shows_on_a_terminal_and_goes(monkeypatch, capsys):
    words = ["run", str(SAMPLES / "scan" / "launch.toml"), "--format", "csv"]
    assert main(words) == 0
    plain = capsys.readouterr()
    assert plain.err == ""
    monkeypatch.setattr("warpmill.cli.progress.DELAY_S", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(words) == 0
    shown = capsys.readouterr()
    assert "running" in shown.err
    assert len(shown.out.splitlines()) == len(plain.out.splitlines())


# --------------------------------------------------------------------------------- Python API


def test_the_python_api():
    assert warpmill.run is run
    done = warpmill.run(warpmill.prepare(SAMPLES / "scan" / "launch.toml", "scan_add"))
    assert done.jobs[0].kernel.name == "scan_add"
    assert len(done.recording.launches) == 1
    device = warpmill.Device()
    assert device.zeros(3).get().tolist() == [0, 0, 0]


def test_runs_can_be_recorded_and_replayed():
    options = RunOptions(record=True)
    sizes = warpmill.LaunchOptions(sizes={"n": 1000})
    done = run(SAMPLES / "vecadd" / "launch.toml", launch=sizes, options=options)
    replayed = replay(done.recording)
    assert replayed.differing == ()
    assert list(replayed.reads.values())[-1].tobytes() == done["param_2"].tobytes()


def test_the_calls_of_a_program_are_kept_in_a_file(tmp_path, capsys):
    path, record = program(tmp_path, DOUBLING), tmp_path / "calls"
    assert main(["run", str(path), "--record", str(record)]) == 0
    assert "Recorded to" in capsys.readouterr().out
    recording = load_recording(record)
    assert len(recording.launches) == 3
    (read,) = replay(recording).reads.values()
    assert read.view(np.float32).tolist() == [8] * 8
    assert main(["run", str(path), "--record", str(tmp_path / "no" / "calls")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_what_cannot_run_is_an_input_error_with_its_line(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(
        SHARED.replace("ret;", "call printf; ret;").replace(
            ".shared", ".extern .func printf;\n.shared", 1
        )
    )
    with pytest.raises(InputError) as error:
        run(
            path,
            launch=warpmill.LaunchOptions("1", "1", None, ("buffer=u32:1",)),
        )
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.file == str(path)
    assert "printf" in diagnostic.excerpt
