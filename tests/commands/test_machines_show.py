"""The figures of a machine on one screen, and all of its values on request."""

import json

import pytest

from warpmill.cli.main import main
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.machines.model import peak_rates


def shown(capsys, *words):
    assert main(["machines", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", machine_names())
def test_every_machine_fits_a_screen(name, capsys):
    lines = shown(capsys, "show", name).splitlines()
    assert len(lines) <= 24
    assert any(line.startswith("  FP32 peak ") for line in lines)
    assert "{" not in "".join(lines)


def test_the_figures_of_a_machine_of_the_books(capsys):
    text = shown(capsys, "show", "a100")
    for words in ("108 at 1,410 MHz", "19.49 TFLOP/s", "311.9 TFLOP/s", "40 MiB", "1,555.2 GB/s"):
        assert words in text
    assert "sm.collector_units" not in text
    assert "v100, then generic" in text


def test_peaks_follow_what_is_set():
    """NVIDIA's white paper of the A100: 19.5, 9.7, 78 and 312 TFLOP/s."""
    peaks = {one.operation: one.tflops for one in peak_rates(load_machine("a100"))}
    announced = {"FP32": 19.5, "FP64": 9.7, "FP16": 78.0, "FP16 tensor": 312.0}
    assert {key: peaks[key] for key in announced} == pytest.approx(announced, rel=0.006)
    twice = {one.operation: one for one in peak_rates(load_machine("a100", {"sm.count": 216}))}
    assert twice["FP32"].tflops == pytest.approx(2 * peaks["FP32"])


def test_a_chip_without_tensor_cores_has_no_such_peak(capsys):
    assert "tensor" not in shown(capsys, "show", "gtx480")


def test_all_values_with_their_sources_on_request_and_in_json(capsys):
    text = shown(capsys, "show", "a100", "--verbose")
    assert "collector_units" in text
    assert "vendor figure" in text
    data = json.loads(shown(capsys, "show", "a100", "--format", "json"))
    assert len(data["values"]) == len(load_machine("a100").values)
    assert [peak["operation"] for peak in data["peaks"]][:2] == ["FP32", "FP64"]


def test_the_list_has_the_newest_generation_first_and_breaks_no_name(capsys):
    lines = shown(capsys, "list").splitlines()
    hardware = lines[lines.index("hardware  (exact; ? assumed)") :]
    assert hardware[4].split()[:3] == ["Blackwell", "10.0", "b200"]
    assert len(hardware[: hardware.index("")]) == 34 + 4  # a line a machine
