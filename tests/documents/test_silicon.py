# ruff: noqa: N802, ARG002 - the stand-in has the names and parameters of the driver
"""Workloads timed on a GPU: what is asked of the driver, of nvidia-smi and of ncu, and written.

The GPU is a stand-in that executes nothing, so that results are as memory was.
"""

import csv
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests.executor.test_cuda_backend import FakeDriver, Names, installed
from tests.executor.test_device_api import SCALE
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.benchmarks.silicon import __main__ as silicon
from warpmill.benchmarks.silicon import counters, gpu
from warpmill.benchmarks.silicon.measuring import FLOOR_LAUNCHES, NEAR_EMPTY, chosen, longest
from warpmill.benchmarks.silicon.subjects import (
    build_for,
    built_and_run,
    cloned,
    executed,
    known_results,
    make_clones,
    subjects,
)
from warpmill.benchmarks.silicon.timed import WAIT, TimedBackend, TimedLaunch
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import content_hash

KERNELS = ("transpose_naive", "transpose")
FUNCTIONS = {"SHARED_SIZE_BYTES": 256, "NUM_REGS": 24, "LOCAL_SIZE_BYTES": 16}
L2 = 1 << 20


class Gpu(FakeDriver):
    """A GPU that takes 1 ms for the first launch, 2 ms for the second and so on, in each run."""

    CUdevice_attribute = Names()

    def do_cuDeviceGetAttribute(self, name, device):
        values = {"COMPUTE_CAPABILITY_MAJOR": 9, "COMPUTE_CAPABILITY_MINOR": 0, "L2_CACHE_SIZE": L2}
        return (values.get(name.removeprefix("CU_DEVICE_ATTRIBUTE_"), 0),)

    def do_cuDeviceGetName(self, size, device):
        return (b"Stand-in\0",)

    def do_cuDeviceTotalMem(self, device):
        return (1 << 30,)

    def do_cuDriverGetVersion(self):
        return (13000,)

    def do_cuFuncGetAttribute(self, name, function):
        return (FUNCTIONS[name.removeprefix("CU_FUNC_ATTRIBUTE_")],)

    def do_cuEventElapsedTime(self, start, end):
        first, last = int(start.split()[1]), int(end.split()[1])
        assert last == first + 1
        return (last / 2,)

    def read_params(self, pointers):
        return None


@pytest.fixture
def driver(monkeypatch):
    return installed(Gpu(), monkeypatch)


def test_events_stand_around_each_launch_behind_what_keeps_the_gpu_busy(driver):
    backend = TimedBackend()
    device = Device(backend)
    kernel, stream = device.load(SCALE)["scale"], device.stream()
    device.launch(kernel, (2, 3), (32, 2), [device.zeros(64), 1.5, 60], 1024, stream)
    names = ("cuLaunchKernel", "cuEventRecord")
    seen = [(c[0], c[1][1] if c[0] == names[0] else c[1]) for c in driver.calls(*names)]
    assert seen == [
        ("cuLaunchKernel", b"warpmill_wait"), ("cuEventRecord", "event 1"),
        ("cuLaunchKernel", b"scale"), ("cuEventRecord", "event 2"),
    ]  # fmt: skip
    assert {launch[3] for launch in driver.launches} == {"stream 1"}
    assert backend.taken() == (
        TimedLaunch("scale", (2, 3, 1), (32, 2, 1), 1024, 256, 24, 16, ms=1.0),
    )
    assert backend.taken() == ()


def test_what_keeps_it_busy_is_right():
    module = ptx.parse(Source("wait.ptx", WAIT.read_text())).module
    assert [kernel.name for kernel in module.kernels] == ["warpmill_wait"]
    assert [len(block.instructions) for block in module.kernels[0].blocks] == [2, 4, 1]


def test_the_floor_is_of_a_warp_that_does_next_to_nothing():
    device = Device()
    words = device.zeros(64)
    device.launch(device.load(NEAR_EMPTY)["near_empty"], 1, 32, [words])
    assert words.get().view(np.uint32)[0] == 1


def test_memory_of_a_run_is_freed_and_what_is_written_before_launches_stays(driver):
    backend = TimedBackend()
    backend.flushed_bytes = 4096
    for run in range(2):
        device = Device(backend)
        array = device.zeros(16)
        device.launch(device.load(SCALE)["scale"], 1, 32, [array, 1.5, 16])
        backend.taken()
        assert ("cuMemFree", array.address) in driver.calls("cuMemFree")
        assert len(driver.calls("cuMemsetD8Async")) == run + 1
    (scratch,) = {call[1] for call in driver.calls("cuMemsetD8Async")}
    assert ("cuMemFree", scratch) not in driver.calls("cuMemFree")
    assert driver.calls("cuMemsetD8Async")[0][3] == 4096


def test_a_profiler_sees_what_is_chosen(driver):
    backend = TimedBackend()
    backend.profiled = {1}
    device = Device(backend)
    kernel, array = device.load(SCALE)["scale"], device.zeros(16)
    for _ in range(3):
        device.launch(kernel, 1, 32, [array, 1.5, 16])
    calls = driver.calls("cuProfilerStart", "cuProfilerStop", "cuLaunchKernel")
    names = [c[0] if len(c) == 1 else c[1][1].decode() for c in calls]
    assert names == [
        "warpmill_wait", "scale", "cuProfilerStart", "scale", "cuProfilerStop", "warpmill_wait",
        "scale",
    ]  # fmt: skip


def test_builds_are_the_newest_that_a_gpu_takes():
    assert [build_for(c) for c in (75, 86, 90, 120)] == ["sm_75", "sm_80", "sm_90", "sm_90"]
    with pytest.raises(ValueError, match="not for 70"):
        build_for(70)


def test_presets_are_meant_by_their_first_word():
    found = [t.title for t in subjects(["small", "paper"], "sm_80", ["nn", "softmax"])]
    presets = ["nn:small", "softmax:small", "nn:paper-hybrid", "nn:paper-minibench"]
    assert found == [f"{preset}:sm_80" for preset in presets]


def test_launches_are_chosen_evenly_and_by_kernel():
    def made(name):
        return TimedLaunch(name, (1, 1, 1), (32, 1, 1), 0, 0, 8, 0)

    launches = [made("many") for _ in range(10)] + [made("one")]
    assert chosen(launches, 4) == [0, 2, 5, 7, 10]
    assert chosen(launches, 100) == list(range(11))


def test_the_longest_launch_of_each_kernel_is_counted():
    rows = [
        {"launch": n, "kernel": kernel, "flushed_ms": ms}
        for n, (kernel, ms) in enumerate([("a", 1.0), ("b", None), ("a", 3.0), ("a", 2.0)])
    ]
    assert longest(rows) == [1, 2]


def read(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_workloads_are_timed_and_written(driver, tmp_path, monkeypatch, capsys):
    results = tmp_path / "results.json"
    monkeypatch.setattr(silicon, "RESULTS", results)
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, "7"))
    executed(subjects(["tiny"], "sm_90", ["transpose"]), results, 1, lambda _: None)
    assert set(known_results(results)["transpose:tiny:sm_90"]["results"]) == {
        "transpose",
        "transpose_naive",
    }
    out = tmp_path / "figures"
    words = ["--out", str(out), "--presets", "tiny", "--only", "transpose", "--runs", "2"]
    assert silicon.main(words) == 1  # the stand-in computes nothing
    (run,) = read(out / "runs.csv")
    assert (run["right"], run["equal"], run["runs"]) == ("False", "False", "2")
    assert run["wrong"] == "transpose_naive, transpose"
    assert run["unequal"] == "transpose, transpose_naive"
    assert run["sm_mhz_before"] == run["sm_mhz_after"] == "7"
    launches = read(out / "launches.csv")
    assert [row["kernel"] for row in launches] == ["transpose_naive", "transpose"]
    assert [row["warm_ms"] for row in launches] == ["1.0", "2.0"]
    assert [row["flushed_mad_ms"] for row in launches] == ["0.0", "0.0"]
    assert {row["registers"] for row in launches} == {"24"}
    flushes = driver.calls("cuMemsetD8Async")[FLOOR_LAUNCHES:]  # before them those of the floor
    assert [call[3] for call in flushes] == [3 * L2] * 4  # two launches, two runs of that state
    about = json.loads((out / "gpu.json").read_text())
    assert (about["name"], about["capability"], about["cuda"]) == ("Stand-in", 90, 13000)
    assert about["floor_ms"] == {
        "warm": (FLOOR_LAUNCHES + 1) / 2,
        "flushed": (FLOOR_LAUNCHES + 1) / 2,
    }
    assert "transpose:tiny:sm_90: wrong: transpose_naive, transpose" in capsys.readouterr().err


def test_results_like_the_executors_need_no_check(driver, tmp_path, monkeypatch, capsys):
    results = tmp_path / "results.json"
    monkeypatch.setattr(silicon, "RESULTS", results)
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, ""))
    words = ["--quick", "--only", "transpose", "--out", str(tmp_path), "--json"]
    zeros = content_hash(np.zeros(100 * 70 * 4, np.uint8))
    known = {"transpose:tiny:sm_90": {"files": "", "results": dict.fromkeys(KERNELS, zeros)}}
    results.write_text(json.dumps(known))
    assert silicon.main(words) == 0  # as the stand-in has it, they are all zero
    (run,) = read(tmp_path / "runs.csv")
    assert (run["right"], run["equal"], run["wrong"]) == ("True", "True", "")
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary == {"benchmark": "silicon", "programs": 1, "right": 1, "equal": [1, 1],
                       "launches": 2, "cuda_clones": [0, 0], "failures": []}  # fmt: skip


def test_without_a_gpu_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
    assert silicon.main(["--out", str(tmp_path)]) == 2
    assert "cuda-bindings is not installed" in capsys.readouterr().err


def test_what_fails_is_a_row_and_the_others_go_on(driver, tmp_path, monkeypatch):
    monkeypatch.setattr(silicon, "RESULTS", tmp_path / "none.json")
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, ""))
    driver.refuse = "cuLaunchKernel"
    words = ["--out", str(tmp_path), "--presets", "tiny", "--only", "transpose,nn"]
    assert silicon.main(words) == 1
    rows = read(tmp_path / "runs.csv")
    assert [row["workload"] for row in rows] == ["nn", "transpose"]
    assert all("cuLaunchKernel" in row["error"] for row in rows)
    assert read(tmp_path / "launches.csv") == []
    assert json.loads((tmp_path / "gpu.json").read_text())["floor_ms"]["warm"] is None
    assert len(driver.calls("cuDevicePrimaryCtxReset")) == 3  # nothing of a context goes on


def test_results_that_are_known_are_not_made_again(tmp_path):
    todo, path, told = subjects(["tiny"], "sm_80", ["nn"]), tmp_path / "results.json", []
    executed(todo, path, 1, told.append)
    first = path.read_bytes()
    executed(todo, path, 1, told.append)
    assert told == ["1 of 1: nn:tiny:sm_80"]
    assert path.read_bytes() == first


def test_without_ncu_times_are_written_all_the_same(driver, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(silicon, "RESULTS", tmp_path / "none.json")
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, ""))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert silicon.main(["--out", str(tmp_path), "--quick", "--only", "nn", "--counters"]) == 1
    assert "counters: there is no ncu on the PATH" in capsys.readouterr().err
    assert len(read(tmp_path / "launches.csv")) > 0


def test_clones_are_made_run_and_compared_with_the_executor(driver, tmp_path, monkeypatch):
    monkeypatch.setattr(silicon, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, ""))
    monkeypatch.setenv("PATH", str(tmp_path))  # has no nvcc
    words = ["--quick", "--only", "nn", "--clones", str(tmp_path / "clones")]
    assert silicon.main(["--executor", *words]) == 0
    known = known_results(tmp_path / "results.json")
    assert set(known) == {"nn:tiny:sm_90", "nn:tiny:clone"}
    (clone,) = cloned(subjects(["tiny"], "sm_90", ["nn"]), tmp_path / "clones")
    assert ".target sm_90" in (clone.folder / "clone.ptx").read_text()
    assert silicon.main([*words, "--out", str(tmp_path / "out")]) == 1
    runs = read(tmp_path / "out" / "runs.csv")
    assert [(row["build"], row["right"], row["equal"]) for row in runs] == [
        ("sm_90", "False", "False"), ("clone", "True", "True"),  # the clone leaves zeros
    ]  # fmt: skip
    launches = read(tmp_path / "out" / "launches.csv")
    assert [row["kernel"] for row in launches if row["build"] == "clone"] == ["clone0"]
    (program,) = read(tmp_path / "out" / "cuda_clones.csv")
    assert (program["built"], program["ran"]) == ("nvcc: No such file or directory", "")


def test_clones_that_are_there_stay(tmp_path):
    (clone,) = cloned_of(tmp_path, "nn")
    before = (clone.folder / "clone.ptx").stat().st_mtime_ns
    assert make_clones(subjects(["tiny"], "sm_80", ["nn"]), tmp_path, lambda _: None) == []
    assert (clone.folder / "clone.ptx").stat().st_mtime_ns == before


def cloned_of(folder, name):
    todo = subjects(["tiny"], "sm_80", [name])
    assert make_clones(todo, folder, lambda _: None) == []
    return cloned(todo, folder)


def test_clones_in_cuda_are_built_and_run(tmp_path, monkeypatch):
    (clone,) = cloned_of(tmp_path, "nn")
    nvcc = tmp_path / "nvcc"
    nvcc.write_text('#!/bin/sh\ntest "$1" = -arch=sm_80 -a -f "$4" && printf "#!/bin/sh\\n'
                    'echo it fell; exit 3\\n" > "$3" && chmod +x "$3"\n')  # fmt: skip
    nvcc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert built_and_run([clone], 1) == [clone.names | {"built": "", "ran": "it fell"}]


def test_clocks_are_read():
    found = gpu.read("NVIDIA H200, 580.159.03, 1980, 3201, 1980, 31, [N/A]\n")
    assert (found["gpu"], found["sm_mhz"], found["power_w"]) == ("NVIDIA H200", "1980", "")


NCU = """==PROF== Connected to process 12
==PROF== Disconnected from process 12
"ID","Process ID","Kernel Name","Block Size","smsp__inst_executed.sum","gpu__time_duration.sum"
"","","","","inst","ns"
"0","12","scale(float *, int)","(32, 1, 1)","1,024","2,208.50"
"1","12","add","(32, 1, 1)","7","n/a"
"""


def test_counters_are_read():
    columns = {"warp_inst": "smsp__inst_executed.sum", "duration_ns": "gpu__time_duration.sum",
               "sm_cycles": "sm__cycles_elapsed.max"}  # fmt: skip
    assert counters.read(NCU, columns) == [
        {"kernel": "scale", "warp_inst": "1024", "duration_ns": "2208.50", "sm_cycles": ""},
        {"kernel": "add", "warp_inst": "7", "duration_ns": "", "sm_cycles": ""},
    ]
    with pytest.raises(ValueError, match="no table: ==ERROR== refused"):
        counters.read("==ERROR== refused", columns)


def test_only_metrics_that_a_gpu_has_are_asked_for():
    listed = "Device H200\nsmsp__inst_executed    Counter  inst   # of warp instructions\n"
    assert counters.able(listed) == {"warp_inst": "smsp__inst_executed.sum"}
    assert "stall_long_scoreboard" in counters.metrics()


def test_launches_are_counted_and_joined_with_what_they_are_of(driver, tmp_path, monkeypatch):
    monkeypatch.setattr(silicon, "RESULTS", tmp_path / "none.json")
    monkeypatch.setattr(gpu, "readings", lambda: dict.fromkeys(gpu.FIELDS, ""))
    monkeypatch.setattr(counters.shutil, "which", lambda name: f"/bin/{name}")

    def ran(words, **_):
        if "--query-metrics" in words:
            return SimpleNamespace(returncode=0, stdout="smsp__inst_executed x", stderr="")
        counters.profile(*words[-2:])
        head = '"ID","Kernel Name","smsp__inst_executed.sum"\n"","","inst"\n'
        rows = '"0","transpose_naive","10"\n"1","transpose","20"\n'
        return SimpleNamespace(returncode=0, stdout=head + rows, stderr="")

    monkeypatch.setattr(subprocess, "run", ran)
    words = ["--out", str(tmp_path), "--presets", "small", "--only", "transpose", "--runs", "1"]
    silicon.main([*words, "--counters"])
    rows = read(tmp_path / "counters.csv")
    assert [(r["workload"], r["kernel"], r["warp_inst"]) for r in rows] == [
        ("transpose", "transpose_naive", "10"), ("transpose", "transpose", "20"),
    ]  # fmt: skip
    assert len(driver.calls("cuProfilerStart")) == 2
