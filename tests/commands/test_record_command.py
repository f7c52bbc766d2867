"""``warpmill record`` and ``warpmill replay``: reports, choices, what differs, bad input."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.commands.replay.command import launch_numbers
from warpmill.executor.host.recording import (
    MAGIC,
    AllocateCall,
    LaunchCall,
    ReadCall,
    load_recording,
    save_recording,
)

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"
ROUNDS = f"""
import numpy as np

def main(device, n=64, rounds=3):
    add = device.load({str(VECADD)!r})["vecadd"]
    x = device.array(np.ones(n, np.float32), name="x")
    y = device.zeros(n, name="y")
    for _ in range(rounds):
        device.launch(add, 2, 32, [x, x, y, n])
        device.launch(add, 2, 32, [y, y, x, n - 3])
        x.get()
    device.launch(add, 2, 32, [x, y, y, n])
    y.free()
    device.zeros(n // 2, name="z")
    return {{"x": x}}
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rounds.py").write_text(ROUNDS)
    return "rounds.py"


@pytest.fixture
def recorded(program, capsys):
    assert main(["record", program, "--out", "app.wmrec"]) == 0
    capsys.readouterr()
    return "app.wmrec"


def report_of(capsys, *words, code=0):
    assert main([*words, "--format", "json"]) == code
    return json.loads(capsys.readouterr().out)


def fails(capsys, words, code, *expected):
    assert main(words) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert captured.err.count("error:") + captured.err.count("Error:") == 1, captured.err
    for word in expected:
        assert word in captured.err


# ------------------------------------------------------------------------------------ record


def test_a_recording_is_reported(program, capsys):
    report = report_of(capsys, "record", program, "-o", "app.wmrec", "--size", "rounds=4")
    assert (report["target"], report["recorded"]) == ("rounds.py", "app.wmrec")
    assert report["totals"]["launches"] == 9
    assert {c["call"]: c["count"] for c in report["calls"]} == {
        "load": 1, "kernel": 1, "allocate": 3, "write": 1, "launch": 9, "read": 5, "free": 1,
        "synchronize": 1,
    }  # fmt: skip
    buffers = report["buffers"]
    assert (buffers["count"], buffers["bytes"], buffers["most_bytes"]) == (3, 640, 512)
    file = report["file"]
    assert file["contents"] == 2  # the text of the module, and what x holds first
    assert file["content_bytes"] == 256 + len(VECADD.read_bytes())
    assert file["file_bytes"] == Path("app.wmrec").stat().st_size
    assert file["bytes_per_buffer_byte"] == file["file_bytes"] / 512
    (kernel,) = report["kernels"]
    assert (kernel["module"], kernel["kernel"]) == (str(VECADD), "vecadd")
    assert kernel["launches"] == 9


def test_intervals_are_reported_with_what_is_launched_in_them(program, capsys):
    report = report_of(capsys, "record", program, "-o", "app.wmrec")
    found = report["intervals"]
    assert [
        (i["calls"]["first_launch"], i["launches"]["launches"], i["calls"]["ended_by"])
        for i in found
    ] == [
        (0, 2, "read"), (2, 2, "read"), (4, 2, "read"), (6, 1, "synchronize"),
    ]  # fmt: skip
    calls = [i["calls"] for i in found]
    assert [c["first_call"] for c in calls[1:]] == [c["last_call"] + 1 for c in calls[:-1]]
    totals = report["interval_totals"]
    assert (totals["count"], totals["launches_min"], totals["launches_max"]) == (4, 1, 2)
    assert totals["launches_mean"] == 7 / 4
    assert totals["is_last_open"] is False  # the run itself waits at its end
    (kernel,) = report["kernels"]
    for count in ("warp_instructions", "thread_instructions"):
        assert sum(i["launches"][count] for i in found) == kernel[count] > 0


def test_many_intervals_are_cut_short_unless_all_are_asked_for(program, capsys):
    words = ["record", program, "-o", "app.wmrec", "--size", "rounds=30"]
    assert main(words) == 0
    short = capsys.readouterr().out
    shown = " ".join(short.split())
    assert "Intervals 31 Min launches 1 Mean launches 1.968 Max launches 2" in shown
    assert "and 15 more (--verbose)" in short
    assert main([*words, "--verbose"]) == 0
    assert capsys.readouterr().out.count("  read\n") == short.count("  read\n") + 14


def test_run_and_record_write_the_same_file(program, capsys):
    assert main(["run", program, "--record", "of_run"]) == 0
    assert main(["record", program, "--out", "of_record"]) == 0
    assert Path("of_run").read_bytes() == Path("of_record").read_bytes()


def test_the_same_application_gives_the_same_file_and_report(program, capsys):
    first = report_of(capsys, "record", program, "-o", "app.wmrec")
    held = Path("app.wmrec").read_bytes()
    assert report_of(capsys, "record", program, "-o", "app.wmrec") == first
    assert Path("app.wmrec").read_bytes() == held


def test_launch_options_reach_what_is_recorded(tmp_path, capsys):
    out = str(tmp_path / "app.wmrec")
    words = ["--grid", "2", "--block", "32", "--arg", "buffer=f32:64:arange"]
    words += ["--arg", "buffer=f32:64", "--arg", "buffer=f32:64", "--arg", "60"]
    report = report_of(capsys, "record", str(VECADD), "-o", out, *words)
    assert report["totals"]["launches"] == 1
    (launch,) = load_recording(out).launches
    assert (launch.grid, launch.block) == ((2, 1, 1), (32, 1, 1))
    assert launch.arguments[-1].value == "60"


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["rounds.py"], 2, "--out"),
        (["rounds.py", "-o", "no/app.wmrec"], 2, "there is no folder no"),
        (["rounds.py", "-o", "."], 2, "it is a folder"),
        (["rounds.py", "-o", "a", "--device", "gpu"], 2, "devices are cpu, cuda"),
        (["rounds.py", "-o", "a", "--grid", "4"], 2, "--grid is for files"),
        (["rounds.py", "-o", "a", "--max-instructions", "10"], 3, "--max-instructions"),
        (["rounds.py", "-o", "a", "--max-memory", "300"], 3, "--max-memory"),
        (["nothing.py", "-o", "a"], 2, "nothing.py"),
    ],
)
def test_what_cannot_be_recorded(words, code, expected, program, capsys):
    fails(capsys, ["record", *words], code, expected)
    assert [p.name for p in Path().iterdir()] == ["rounds.py"]  # nothing half done


# ------------------------------------------------------------------------------------ replay


def test_a_replay_is_compared_with_the_recording(recorded, capsys):
    report = report_of(capsys, "replay", recorded)
    assert (report["recording"], report["device"], report["recorded_on"]) == (
        "app.wmrec", "cpu", "cpu",
    )  # fmt: skip
    assert (report["equal"], report["differing"], report["chosen"]) == (True, [], None)
    totals = report["totals"]
    assert {name: (n["made"], n["recorded"]) for name, n in totals.items()} == {
        "calls": (totals["calls"]["recorded"],) * 2,
        "launches": (7, 7),
        "reads": (4, 4),
    }
    assert [one["number"] for one in report["launches"]] == list(range(7))
    for one in report["launches"]:
        assert one["equal"] is True
        now, then = one, one["recorded"]
        assert now["thread_instructions"] == then["thread_instructions"] > 0
    assert all(r["equal"] and r["sha256"] == r["recorded"]["content"] for r in report["reads"])


def test_chosen_launches_are_run_with_what_they_need(recorded, capsys):
    report = report_of(capsys, "replay", recorded, "--launches", "3, 1-2,2")
    assert report["chosen"] == [1, 2, 3]
    assert [one["number"] for one in report["launches"]] == [1, 2, 3]
    totals = report["totals"]
    assert (totals["launches"]["made"], totals["launches"]["recorded"]) == (4, 7)
    assert (totals["reads"]["made"], totals["reads"]["recorded"]) == (1, 4)
    assert main(["replay", recorded, "--launches", "6"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Launches 7 of 7 Chosen launches 6" in shown


def spoilt(path, kind, number, **words):
    """Change a call of a recording in its file; give the call's place."""
    recording = load_recording(path)
    calls = list(recording.calls)
    place = [c.index for c in calls if isinstance(c, kind)][number]
    calls[place] = replace(calls[place], **words)
    save_recording(replace(recording, calls=tuple(calls)), path)
    return place


def test_a_copy_that_differs_ends_with_1(recorded, capsys):
    place = spoilt(recorded, ReadCall, 1, content="00" * 32)
    report = report_of(capsys, "replay", recorded, code=1)
    assert (report["equal"], report["differing"]) == (False, [place])
    assert [r["recorded"]["index"] for r in report["reads"] if not r["equal"]] == [place]
    assert main(["replay", recorded]) == 1
    shown = capsys.readouterr().out
    assert f"Calls with a difference {place}" in " ".join(shown.split())
    assert "00000000" in shown
    assert main(["replay", recorded, "--launches", "0-3"]) == 0  # the copy comes later


def test_counts_that_differ_end_with_1_though_their_launch_is_not_chosen(recorded, capsys):
    place = spoilt(recorded, LaunchCall, 2, thread_instructions=5)
    report = report_of(capsys, "replay", recorded, "--launches", "4", code=1)
    assert report["differing"] == [place]
    assert [one["equal"] for one in report["launches"]] == [True]
    report = report_of(capsys, "replay", recorded, code=1)
    assert [one["number"] for one in report["launches"] if not one["equal"]] == [2]


def test_csv_has_a_row_a_launch_and_a_row_a_copy(recorded, capsys):
    assert main(["replay", recorded, "--format", "csv", "--output", "rows.csv"]) == 0
    assert capsys.readouterr().out == ""
    rows = list(csv.DictReader(io.StringIO(Path("rows.csv").read_text())))
    assert [row["kind"] for row in rows] == ["launch"] * 7 + ["read"] * 4


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("0", (0,)), ("3,1", (1, 3)), (" 2 - 4", None), ("2-4,3", (2, 3, 4)), ("9", (9,))],
)
def test_launches_are_numbers_and_ranges(text, numbers):
    if numbers is None:
        with pytest.raises(UsageError):
            launch_numbers(text, 10)
    else:
        assert launch_numbers(text, 10) == numbers


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is no number"),
        ("1,", "is no number"),
        ("a", "`a` is no number"),
        ("-1", "`-1` is no number"),
        ("1-2-3", "is no number"),
        ("²", "is no number"),
        ("4-2", "ends before it begins"),
        ("7", "no launch 7; its 7 launches are 0 to 6"),
        ("5-99999999999", "no launch 7"),
        ("99999999999999", "is no number"),
    ],
)
def test_launches_that_cannot_be_chosen(text, expected, recorded, capsys):
    fails(capsys, ["replay", recorded, f"--launches={text}"], 2, "--launches", expected)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "it does not start as one"),
        (VECADD.read_bytes(), "it does not start as one"),
        (MAGIC, "this is no recording"),
        (MAGIC + bytes(100), "compressed form is damaged"),
    ],
)
def test_what_is_no_recording(data, expected, tmp_path, capsys):
    path = tmp_path / "app.wmrec"
    path.write_bytes(data)
    fails(capsys, ["replay", str(path)], 2, str(path), expected)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_file(share, recorded, capsys):
    whole = Path(recorded).read_bytes()
    Path(recorded).write_bytes(whole[: int(share * len(whole))])
    fails(capsys, ["replay", recorded], 2, "app.wmrec", "no recording that can be read")


def test_a_file_that_is_not_there(capsys):
    fails(capsys, ["replay", "nowhere.wmrec"], 2, "nowhere.wmrec", "No such file")


def test_limits_hold_in_a_replay(recorded, capsys):
    fails(capsys, ["replay", recorded, "--max-instructions", "100"], 3, "--max-instructions")
    few = ["replay", recorded, "--max-memory", "100"]
    fails(capsys, few, 3, "the recording has more than 100 bytes (--max-memory)")
    spoilt(recorded, AllocateCall, 1, bytes=1 << 30, dtype="|u1", shape=(1 << 30,))
    much = ["replay", recorded, "--max-memory", "100000"]
    fails(capsys, much, 3, "1073741824 B of device memory", "--max-memory moves the limit")


def test_devices_are_named(recorded, capsys):
    fails(capsys, ["replay", recorded, "--device", "gpu"], 2, "devices are cpu, cuda")
    assert main(["replay", recorded, "--device", "gpu", "--launches", "2-x"]) == 2
    said = capsys.readouterr().err
    assert "devices are cpu, cuda" in said
    assert "`2-x` is no number" in said


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"shape": (2,)}, "is no <f4 of shape (2,)"),
        ({"shape": (-1, -1)}, "of shape (-1, -1)"),
        ({"dtype": "<f9"}, "there is no element type '<f9'"),
        ({"dtype": "[('a', '<u4'"}, "there is no element type"),
        ({"dtype": "{'names': 3}"}, "there is no element type"),
    ],
)
def test_an_array_that_its_bytes_are_not(words, expected, recorded, capsys):
    place = spoilt(recorded, AllocateCall, 1, **words)
    call = f"call {place}: " if "shape" in words else ""
    for command in ("run", "replay", "estimate"):
        fails(capsys, [command, recorded], 2, "no recording that can be read", call, expected)


def test_a_recording_that_contradicts_itself(recorded, capsys):
    place = spoilt(recorded, LaunchCall, 1, kernel="other")
    fails(capsys, ["replay", recorded], 2, f"call {place}, launch: kernel `other`")
    assert main(["replay", recorded, "--launches", "0"]) == 0  # as it is not come to
