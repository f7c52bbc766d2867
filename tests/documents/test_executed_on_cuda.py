"""Host programs over device cuda come out right where the driver executes what it is told."""

import numpy as np
import pytest

from tests.documents.test_silicon import Gpu, read
from tests.executor.test_cuda_backend import Names, installed
from tests.reference.executing_gpu import ExecutingGpu
from warpmill.benchmarks.silicon import __main__ as silicon
from warpmill.benchmarks.silicon import gpu
from warpmill.executor.host.device import Device

WORKLOADS = (
    "aes-128",  # a texture over plain memory, variables
    "bfs",  # launches that data decide
    "gaussian-image",  # a texture over a surface's array
    "histogram-image",  # integers read as numbers from 0 to 1
    "matmul-async",  # asynchronous copies to shared memory
    "mummer",  # textures of four channels
    "ray",  # repeated outside, between elements
)


class TimedGpu(ExecutingGpu, Gpu):
    """It tells what it is, and times, as the stand-in does that executes nothing."""

    CUdevice_attribute = Names()


@pytest.fixture
def driver(monkeypatch):
    return installed(TimedGpu(), monkeypatch)


@pytest.mark.slow
def test_workloads_are_right(driver, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, ""))
    words = ["--quick", "--only", ",".join(WORKLOADS), "--out", str(tmp_path)]
    assert silicon.main(words) == 0, capsys.readouterr().err
    runs = read(tmp_path / "runs.csv")
    assert [row["workload"] for row in runs] == list(WORKLOADS)
    assert {row["right"] for row in runs} == {"True"}


@pytest.mark.parametrize("layers", [0, 3])
def test_arrays_come_back_as_they_went(driver, layers):
    values = np.arange(4 * 6 * max(1, layers), dtype=np.float32)
    values = values.reshape((layers, 4, 6) if layers else (4, 6))
    device = Device("cuda")
    array = device.surface(values, layered=bool(layers))
    np.testing.assert_array_equal(array.get(), values)
