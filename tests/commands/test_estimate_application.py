"""``warpmill estimate`` of a whole application: what its calls wait for, and what its time is."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpmill.cli.main import main
from warpmill.executor.host.device import Device
from warpmill.session.application_times import operations_of

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"

PROGRAM = f"""
import numpy as np

def main(device, n=65536, times=4):
    kernel = device.load({str(VECADD)!r})["vecadd"]
    a, b, c = (device.array(np.ones(n, np.float32)) for _ in range(3))
    for _ in range(times):
        device.launch(kernel, grid=n // 256, block=256, args=[a, b, c, n])
    return {{"c": c.get()}}
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The same launch four times, between copies to the device and one back."""
    (tmp_path / "app.py").write_text(PROGRAM)
    return str(tmp_path / "app.py")


def estimated(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["estimate", *words, "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_operations_wait_for_streams_events_and_the_host() -> None:
    device = Device()
    kernel = device.load(VECADD)["vecadd"]
    a = device.array(np.ones(64, np.float32))  # 0
    b = device.empty(64)
    first, second, event = device.stream(), device.stream(), device.event()
    args = [a, a, b, 64]
    device.launch(kernel, 1, 64, args, stream=first)  # 1
    event.record(first)
    device.launch(kernel, 1, 64, args, stream=first)  # 2
    second.wait(event)
    device.launch(kernel, 1, 64, args, stream=second)  # 3
    device.copy(b, a, second)  # 4
    event.synchronize()
    device.launch(kernel, 1, 64, args)  # 5
    device.synchronize()
    b.get()  # 6
    found = operations_of(device.recording)
    assert [(one.kind, one.launch, one.stream) for one in found] == [
        ("copy to device", None, 0), ("kernel", 0, 1), ("kernel", 1, 1), ("kernel", 2, 2),
        ("copy on device", None, 2), ("kernel", 3, 0), ("copy to host", None, 0),
    ]  # fmt: skip
    assert [one.after for one in found] == [(), (), (1,), (1,), (3,), (0,), (5,)]
    assert [one.host_after for one in found] == [(), (0,), (), (), (), (1,), (2, 4, 5)]
    assert [one.bytes for one in found] == [256, 0, 0, 0, 256, 0, 256]


def test_the_time_of_an_application_is_that_of_its_timeline(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three copies in turn, four kernels with gaps, and a copy back; each alone."""
    data = estimated(capsys, program, "-m", "a100")
    (app,), (total,) = data["applications"], data["totals"]
    each = 6 + 65536 * 4 / 24.81e3, 6 + 65536 * 4 / 25e3
    copies = {one["kind"]: (one["copies"], one["time_us"]) for one in app["copies"]}
    assert copies == {
        "copy to device": (3, pytest.approx(3 * each[0])),
        "copy to host": (1, pytest.approx(each[1])),
    }
    kernels = [one for one in app["operations"] if one["kind"] == "kernel"]
    assert [one["launch"] for one in kernels] == [0, 1, 2, 3]
    assert kernels[0]["begin_us"] == pytest.approx(3 * each[0] + 2.6)  # asked for after the copies
    for one, behind in pairwise(kernels):
        gap = behind["begin_us"] - one["begin_us"] - one["time_us"]
        assert gap == pytest.approx(2.6 - 1.4)  # launch.serial_us less launch.kernel_us
    ended = kernels[-1]["begin_us"] + kernels[-1]["time_us"]
    whole = app["timeline"]
    assert whole["time_us"] == pytest.approx(ended + each[1])
    parts = whole["kernels_us"] + whole["copies_us"] + whole["gaps_us"]
    assert whole["time_us"] == pytest.approx(parts)
    assert whole["kernels_us"] == pytest.approx(total["execution_us"])
    assert (whole["bound"], app["launches"], app["streams"]) == ("copies", 4, 1)
    assert app["lacks"] == ["the latency of 1 launch that the host makes after waiting"]


def test_equal_launches_share_estimates_and_find_what_others_left(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first finds nothing in L2, the others all that it reads; the page is of the first."""
    warm = {
        x["number"]: x["time_us"]
        for x in estimated(capsys, program, "-m", "v100")["totals"][0]["by_launch"]
    }
    cold = {
        x["number"]: x["time_us"]
        for x in estimated(capsys, program, "-m", "v100", "--flush-l2")["totals"][0]["by_launch"]
    }
    assert warm[1] == warm[2] == warm[3] < warm[0] == cold[0]
    assert len(set(cold.values())) == 1
    data = estimated(capsys, program, "-m", "v100")
    assert data["applications"][0]["estimates"] == 2
    assert [launch["launch"]["place"]["number"] for launch in data["launches"]] == [0]
    one = estimated(capsys, program, "-m", "v100", "--launch", "3")
    assert (len(one["launches"]), one["applications"]) == (1, [])


def test_without_a_link_to_the_host_the_time_says_so(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (app,) = estimated(capsys, program, "-m", "rtx3070")["applications"]
    assert app["lacks"][0].startswith("4 transfers between host and device (1,048,576 B): ")
    assert {one["time_us"] for one in app["copies"]} == {None}
    assert app["timeline"]["copies_us"] == 0.0
    link = ("host.to_device_gbs=10", "host.to_host_gbs=10", "host.copy_us=0")
    words = [word for one in link for word in ("--set", one)]
    (told,) = estimated(capsys, program, "-m", "rtx3070", *words)["applications"]
    assert told["timeline"]["copies_us"] == pytest.approx(4 * 65536 * 4 / 10e3)
    assert not any("link" in words for words in told["lacks"])


def test_the_page_begins_with_the_application(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["estimate", program, "-m", "a100"]) == 0
    head, answer, *rest = capsys.readouterr().out.splitlines()
    assert head == "estimate: 4 launches"
    assert "app.py: " in answer
    assert " µs on NVIDIA A100 SXM4 40GB, bound by copies (copies " in answer
    assert any("Whole application" in line for line in rest)


def test_an_equal_launch_of_other_buffers_finds_nothing_at_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second is like the first, of other memory; the third finds what the second left."""
    others = "for x in ([a, b, c], [d, e, f], [d, e, f])"
    text = PROGRAM.replace("a, b, c = ", "a, b, c, d, e, f = ").replace("range(3)", "range(6)")
    text = text.replace("for _ in range(times)", others).replace("[a, b, c, n]", "[*x, n]")
    (tmp_path / "app.py").write_text(text)
    data = estimated(capsys, str(tmp_path / "app.py"), "-m", "v100")
    times = {one["number"]: one["time_us"] for one in data["totals"][0]["by_launch"]}
    assert times[0] == times[1] > times[2]
    assert data["applications"][0]["estimates"] == 2


def test_launches_of_a_file_share_the_buffers_that_they_refer_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Sums of blocks are scanned, and added to what the first launch has written."""
    scan = (str(SAMPLES / "scan" / "launch.toml"), "--size", "n=65536", "-m", "v100")
    kept, flushed = (
        {
            x["launch"]: x["time_us"]
            for x in estimated(capsys, *scan, *more)["totals"][0]["by_launch"]
        }
        for more in ((), ("--flush-l2",))
    )
    assert kept["scan_blocks"] == flushed["scan_blocks"]
    assert kept["scan_add"] < flushed["scan_add"]
