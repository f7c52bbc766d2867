# ruff: noqa: N802, ARG002 - the stand-in has the names and parameters of the driver
"""Device cuda over a stand-in for cuda.bindings.driver: which calls it makes, with what.

The stand-in has memory and streams of its own, so that what programs copy comes back; a launch
notes the parameters that its pointers lead to. Names and forms are those of cuda-bindings 13.
"""

import ctypes
import json
import sys
from enum import IntEnum
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from tests.executor.test_device_api import SCALE, VARIABLES
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.cli.main import main
from warpmill.commands.run.result import RunReport
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import LaunchCall
from warpmill.executor.host.replay import replay
from warpmill.session.options import RunOptions
from warpmill.session.run import run

ROOT = Path(__file__).parents[2]
BASE = 0x7F00_0000_0000


class Status(IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_NOT_READY = 600


class FakeDriver(ModuleType):
    """What the backend uses of the driver."""

    CUresult = Status
    CUDA_ARRAY3D_SURFACE_LDST = 2
    CUDA_ARRAY3D_LAYERED = 1
    CUDA_ARRAY3D_CUBEMAP = 4
    CU_TRSF_READ_AS_INTEGER = 1
    CU_TRSF_NORMALIZED_COORDINATES = 2

    def __init__(self):
        super().__init__("cuda.bindings.driver")
        self.log, self.memory, self.next = [], {}, BASE
        self.launches, self.arrays, self.refuse = [], {}, None
        for name in (
            "CUfunction_attribute", "CUstream_flags", "CUevent_flags", "CUresourcetype",
            "CUarray_format", "CUmemorytype", "CUaddress_mode", "CUfilter_mode",
        ):  # fmt: skip
            setattr(self, name, Names())
        self.CUstream = lambda number: f"stream {number}"
        self.CUDA_RESOURCE_DESC = lambda: SimpleNamespace(
            res=SimpleNamespace(array=SimpleNamespace(), linear=SimpleNamespace())
        )
        for name in ("CUDA_ARRAY3D_DESCRIPTOR", "CUDA_MEMCPY3D", "CUDA_TEXTURE_DESC"):
            setattr(self, name, SimpleNamespace)

    def __getattr__(self, name):
        if not name.startswith("cu"):
            raise AttributeError(name)

        def function(*arguments):
            self.log.append((name, *arguments))
            if name == "cuStreamQuery" and name != self.refuse:
                return (Status.CUDA_ERROR_NOT_READY,)  # what was launched is under way
            if name == self.refuse:
                return (Status.CUDA_ERROR_INVALID_VALUE, None)
            return (Status.CUDA_SUCCESS, *getattr(self, f"do_{name}", nothing)(*arguments))

        return function

    def calls(self, *names):
        return [call for call in self.log if call[0] in names]

    def do_cuGetErrorName(self, status):
        return (Status(status).name.encode(),)

    def do_cuGetErrorString(self, status):
        return (b"invalid argument",)

    def do_cuDeviceGet(self, number):
        return (f"device {number}",)

    def do_cuDevicePrimaryCtxRetain(self, device):
        return ("context",)

    def do_cuModuleLoadData(self, text):
        assert text.endswith(b"\0")
        return (("module", text),)

    def do_cuModuleGetFunction(self, module, name):
        assert b".entry " + name + b"(" in module[1]
        return (("function", name),)

    def do_cuModuleGetGlobal(self, module, name):
        if name not in self.memory:
            self.memory[name] = self.do_cuMemAlloc(12)[0]
        return self.memory[name], 12

    def do_cuMemAlloc(self, size):
        assert size > 0
        address, self.next = self.next, self.next + size + 512 & ~255
        self.memory[address] = bytearray(b"\xcd" * size)
        return (address,)

    def do_cuMemFree(self, address):
        del self.memory[address]
        return ()

    def _find(self, address, size):
        start = max(a for a in self.memory if isinstance(a, int) and a <= address)
        assert address + size <= start + len(self.memory[start])
        return self.memory[start], address - start

    def do_cuMemsetD8(self, address, value, size):
        memory, start = self._find(address, size)
        memory[start : start + size] = bytes([value]) * size
        return ()

    def do_cuMemcpyHtoDAsync(self, address, host, size, stream):
        memory, start = self._find(address, size)
        memory[start : start + size] = ctypes.string_at(host, size)
        return ()

    def do_cuMemcpyDtoHAsync(self, host, address, size, stream):
        memory, start = self._find(address, size)
        ctypes.memmove(host, bytes(memory[start : start + size]), size)
        return ()

    def do_cuMemcpyDtoDAsync(self, address, source, size, stream):
        memory, start = self._find(source, size)
        data = memory[start : start + size]
        memory, start = self._find(address, size)
        memory[start : start + size] = data
        return ()

    def do_cuStreamCreate(self, flag):
        return (f"stream {len(self.calls('cuStreamCreate'))}",)

    def do_cuEventCreate(self, flag):
        return (f"event {len(self.calls('cuEventCreate'))}",)

    def do_cuEventElapsedTime(self, start, end):
        return (1.25,)

    def do_cuArray3DCreate(self, wanted):
        array = f"array {len(self.arrays)}"
        self.arrays[array] = (wanted, None)
        return (array,)

    def do_cuMemcpy3D(self, copy):
        size = copy.WidthInBytes * copy.Height * copy.Depth
        if copy.srcMemoryType == "CU_MEMORYTYPE_DEVICE":
            assert (copy.srcPitch, copy.srcHeight) == (copy.WidthInBytes, copy.Height)
            memory, start = self._find(copy.srcDevice, size)
            data = bytes(memory[start : start + size])
            self.arrays[copy.dstArray] = (self.arrays[copy.dstArray][0], data)
        else:
            assert copy.dstMemoryType == "CU_MEMORYTYPE_HOST"
            ctypes.memmove(copy.dstHost, self.arrays[copy.srcArray][1], size)
        return ()

    def do_cuMemcpy3DAsync(self, copy, stream):
        assert (copy.srcMemoryType, copy.dstMemoryType) == (
            "CU_MEMORYTYPE_ARRAY", "CU_MEMORYTYPE_DEVICE",
        )  # fmt: skip
        assert (copy.dstPitch, copy.dstHeight) == (copy.WidthInBytes, copy.Height)
        data = self.arrays[copy.srcArray][1]
        memory, start = self._find(copy.dstDevice, len(data))
        memory[start : start + len(data)] = data
        return ()

    def do_cuTexObjectCreate(self, resource, sampling, view):
        return (1000 + len(self.calls("cuTexObjectCreate")),)

    def do_cuSurfObjectCreate(self, resource):
        return (2000 + len(self.calls("cuSurfObjectCreate")),)

    def do_cuLaunchKernel(self, function, *rest):
        *sizes, shared, stream, pointers, extra = rest
        assert extra == 0
        self.launches.append((function[1], tuple(sizes), shared, stream, pointers))
        self.pointed = self.read_params(pointers)
        return ()

    def do_cuLaunchCooperativeKernel(self, function, *rest):
        return self.do_cuLaunchKernel(function, *rest, 0)

    def read_params(self, pointers):
        """Read what the pointers lead to, as the parameters of ``scale`` have it."""
        places = np.ctypeslib.as_array((ctypes.c_uint64 * 3).from_address(pointers)).copy()
        sizes = (8, 4, 4)
        return [ctypes.string_at(int(p), s) for p, s in zip(places, sizes, strict=True)]


def nothing(*_):
    return ()


class Names:
    """An enumeration whose members are their names."""

    def __getattr__(self, name):
        return name


def installed(fake, monkeypatch):
    """Let a stand-in be what programs import as the driver."""
    for name in ("cuda", "cuda.bindings"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", fake)
    return fake


@pytest.fixture
def driver(monkeypatch):
    return installed(FakeDriver(), monkeypatch)


def test_the_driver_is_started_before_anything_else(driver):
    Device("cuda")
    names = [call[0] for call in driver.log]
    assert names == ["cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent"]
    assert driver.log[-1] == ("cuCtxSetCurrent", "context")


def test_memory_goes_there_and_back(driver):
    device = Device("cuda")
    values = np.arange(10, dtype=np.float32)
    a, b = device.array(values), device.zeros(10)
    assert not b.get().any()
    device.copy(b[2:], a[:8])
    np.testing.assert_array_equal(b.get(), [0, 0, *values[:8]])
    np.testing.assert_array_equal(a[4:6].get(), values[4:6])
    a.free()
    assert driver.calls("cuMemFree") == [("cuMemFree", a.address)]
    assert device.zeros(0).get().size == 0


def test_a_launch_passes_pointers_to_its_parameters(driver):
    device = Device("cuda")
    kernel = device.load(SCALE)["scale"]
    array, stream = device.array(np.ones(64, np.float32)), device.stream()
    launched = device.launch(kernel, (2, 3), (32, 2), [array[4:], 1.5, 60], 1024, stream)
    ((name, sizes, shared, on, _),) = driver.launches
    assert (name, sizes, shared, on) == (b"scale", (2, 3, 1, 32, 2, 1), 1024, "stream 1")
    address, factor, count = driver.pointed
    assert int.from_bytes(address, "little") == array.address + 16
    assert np.frombuffer(factor, np.float32)[0] == 1.5
    assert int.from_bytes(count, "little") == 60
    assert launched.counts.warp_instructions is None  # a GPU does not count
    assert launched.lane_utilization is None
    assert driver.calls("cuFuncSetAttribute") == []


def test_a_kernel_with_barriers_of_the_grid_is_launched_cooperatively(driver):
    device = Device("cuda")
    asks = SCALE.replace("ret;", ".reg .b32 %envlow; mov.u32 %envlow, %envreg2;\nret;")
    assert asks != SCALE
    for text in (SCALE, asks):
        device.launch(device.load(text)["scale"], 2, 32, [device.zeros(64), 1.5, 60])
    assert len(driver.calls("cuLaunchKernel")) == 1
    assert len(driver.calls("cuLaunchCooperativeKernel")) == 1
    assert driver.launches[0][1:4] == driver.launches[1][1:4]


def test_a_module_is_loaded_once_and_as_it_is(driver):
    device = Device("cuda")
    module = device.load(SCALE)
    array = device.zeros(4)
    for _ in range(3):
        device.launch(module["scale"], 1, 32, [array, 1.0, 4])
    ((_, text),) = driver.calls("cuModuleLoadData")
    assert text == SCALE.encode() + b"\0"


def test_much_shared_memory_is_asked_for(driver):
    device = Device("cuda")
    kernel = device.load(SCALE)["scale"]
    device.launch(kernel, 1, 32, [device.zeros(4), 1.0, 4], shared=65536)
    ((_, _, attribute, size),) = driver.calls("cuFuncSetAttribute")
    assert attribute == "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
    assert size == 65536


def test_variables_are_the_modules(driver):
    device = Device("cuda")
    weights = device.load(VARIABLES).symbol("weights")
    weights.set(np.array([1, 2, 3], np.float32))
    assert weights.get().tolist() == [1, 2, 3]
    ((_, module, name),) = driver.calls("cuModuleGetGlobal")
    assert (module[0], name) == ("module", b"weights")


def test_textures_and_surfaces_are_over_arrays(driver):
    device = Device("cuda")
    picture = np.arange(24, dtype=np.uint8).reshape(3, 4, 2)
    texture = device.texture(
        picture, channels=2, filter="linear", normalised_values=True, normalised_coordinates=True,
        address=("wrap", "border"),
    )  # fmt: skip
    ((_, wanted),) = driver.calls("cuArray3DCreate")
    assert (wanted.Width, wanted.Height, wanted.Depth, wanted.NumChannels) == (4, 3, 0, 2)
    assert wanted.Format == "CU_AD_FORMAT_UNSIGNED_INT8"
    assert driver.arrays["array 0"][1] == picture.tobytes()
    ((_, resource, sampling, view),) = driver.calls("cuTexObjectCreate")
    assert (resource.resType, resource.res.array.hArray) == (
        "CU_RESOURCE_TYPE_ARRAY", "array 0",
    )  # fmt: skip
    assert view is None
    assert sampling.filterMode == "CU_TR_FILTER_MODE_LINEAR"
    modes = ["WRAP", "BORDER", "CLAMP"]
    assert sampling.addressMode == [f"CU_TR_ADDRESS_MODE_{m}" for m in modes]
    assert sampling.flags == 2  # normalised coordinates, elements read as floats
    assert texture.handle == 1001
    np.testing.assert_array_equal(texture.get(), picture)
    device.texture(np.zeros((2, 2), np.int32))
    assert driver.calls("cuTexObjectCreate")[1][2].flags == 1  # read as integers


def test_a_texture_of_linear_memory_is_over_a_copy(driver):
    device = Device("cuda")
    values = device.array(np.arange(200_000, dtype=np.float32))  # more than arrays have
    texture = device.texture(values, linear_memory=True)
    ((_, resource, sampling, view),) = driver.calls("cuTexObjectCreate")
    linear = resource.res.linear
    assert (resource.resType, linear.format) == ("CU_RESOURCE_TYPE_LINEAR", "CU_AD_FORMAT_FLOAT")
    assert (linear.numChannels, linear.sizeInBytes, view) == (1, 800_000, None)
    assert linear.devPtr != values.address
    assert sampling.flags == 0
    assert not driver.calls("cuArray3DCreate")
    values.fill(0)
    np.testing.assert_array_equal(texture.get(), np.arange(200_000))
    device.copy(values, texture)
    np.testing.assert_array_equal(values.get(), np.arange(200_000))


def test_layers_take_the_depth(driver):
    device = Device("cuda")
    device.texture(np.zeros((5, 3, 4), np.float32), layered=True)
    device.texture(np.zeros((6, 4, 4), np.float32), cube=True)
    device.texture(np.zeros((2, 3, 4), np.float32))
    sizes = [(w.Width, w.Height, w.Depth, w.Flags & 5) for _, w in driver.calls("cuArray3DCreate")]
    assert sizes == [(4, 3, 5, 1), (4, 4, 6, 4), (4, 3, 2, 0)]
    copied = [(c.Height, c.Depth) for _, c in driver.calls("cuMemcpy3D")]
    assert copied == [(3, 5), (4, 6), (3, 2)]


def test_a_texture_is_copied_to_an_array_in_a_stream(driver):
    device = Device("cuda")
    picture = np.arange(24, dtype=np.uint8).reshape(3, 4, 2)
    texture, array = device.texture(picture, channels=2), device.zeros(32, np.uint8)
    device.copy(array[4:28], texture, device.stream())
    assert [call[-1] for call in driver.calls("cuMemcpy3DAsync")] == ["stream 1"]
    np.testing.assert_array_equal(array.get(), [0] * 4 + list(range(24)) + [0] * 4)


def test_a_flush_asks_streams_and_waits_for_none(driver):
    """Asking whether a stream is done submits its work; that it is not yet is no error."""
    device = Device("cuda")
    first, _ = device.stream(), device.stream()
    device.flush()
    first.flush()
    asked = [call[1] for call in driver.calls("cuStreamQuery")]
    assert asked == ["stream 0", "stream 1", "stream 2", "stream 1"]
    assert driver.calls("cuStreamSynchronize", "cuCtxSynchronize") == []
    driver.refuse = "cuStreamQuery"
    with pytest.raises(InputError, match="cuStreamQuery: CUDA_ERROR_INVALID_VALUE"):
        device.flush()


def test_events_have_a_clock(driver):
    device = Device("cuda")
    start, end, stream = device.event(), device.event(), device.stream()
    start.record(stream)
    end.record(stream)
    stream.wait(end)
    assert end.elapsed_ms(start) == 1.25
    assert driver.calls("cuEventRecord") == [
        ("cuEventRecord", "event 1", "stream 1"),
        ("cuEventRecord", "event 2", "stream 1"),
    ]
    assert driver.calls("cuStreamWaitEvent") == [("cuStreamWaitEvent", "stream 1", "event 2", 0)]
    device.synchronize()
    stream.synchronize()
    assert [c[0] for c in driver.log[-2:]] == ["cuCtxSynchronize", "cuStreamSynchronize"]


def test_what_the_driver_refuses_is_told(driver):
    device = Device("cuda")
    driver.refuse = "cuMemAlloc"
    with pytest.raises(InputError, match=r"cuMemAlloc: CUDA_ERROR_INVALID_VALUE \(invalid"):
        device.zeros(4)


def test_llvm_ir_is_refused(driver):
    device = Device("cuda")
    kernel = device.load(ROOT / "samples" / "vecadd" / "vecadd.ll").kernel()
    arrays = [device.zeros(4) for _ in range(3)]
    with pytest.raises(InputError, match="LLVM IR, and device cuda runs PTX"):
        device.launch(kernel, 1, 4, [*arrays, 4])


def test_a_recording_of_the_executor_replays_there(driver):
    here = Device()
    array = here.array(np.ones(64, np.float32))
    here.launch(here.load(SCALE)["scale"], 2, 32, [array[8:], 2.0, 56])
    array.get()
    recording = here.recording
    there = Device("cuda").backend
    replayed = replay(recording, there)
    moved = int.from_bytes(driver.pointed[0], "little")
    (launch,) = [c for c in recording.calls if isinstance(c, LaunchCall)]
    assert launch.arguments[0].address == array.address + 32
    assert moved == BASE + 32
    assert len(replayed.differing) == 1  # the stand-in runs no kernels: the read differs
    assert replayed.launches[0].thread_instructions is None
    assert driver.log[-1] == ("cuCtxSynchronize",)  # so that a launch's error shows


def test_replay_on_a_gpu_from_the_command_line(driver, tmp_path, capsys):
    words = ["record", str(ROOT / "samples" / "vecadd" / "launch.toml"), "--size", "n=1000"]
    assert main([*words, "--out", str(tmp_path / "app.wmrec")]) == 0
    capsys.readouterr()
    replayed = ["replay", str(tmp_path / "app.wmrec"), "--device", "cuda", "--format", "json"]
    assert main(replayed) == 1  # the stand-in runs no kernels
    report = json.loads(capsys.readouterr().out)
    assert (report["device"], report["recorded_on"]) == ("cuda", "cpu")
    (launch,) = report["launches"]
    assert (launch["thread_instructions"], launch["equal"]) == (None, None)
    assert launch["recorded"]["thread_instructions"] > 0
    assert [read["equal"] for read in report["reads"]] == [True, True, False]


@pytest.mark.slow
def test_a_launch_file_runs_there_and_counts_nothing(driver, capsys):
    words = ["run", str(ROOT / "samples" / "vecadd" / "launch.toml"), "--size", "n=1000"]
    assert main([*words, "--device", "cuda"]) == 0
    shown = capsys.readouterr().out
    assert "Device    cuda" in shown
    assert "Execution time" not in shown
    assert [launch[:2] for launch in driver.launches] == [(b"vecadd", (4, 1, 1, 256, 1, 1))]
    report = RunReport(run=run(words[1], options=RunOptions(device="cuda")))
    assert report.totals.thread_instructions is None
    assert report.launches[0].launched.counts.seconds is None
    assert [b.changed for b in report.buffers] == [False] * 3  # the stand-in runs no kernels


def test_without_the_package_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
    with pytest.raises(UsageError) as error:
        Device("cuda")
    assert "the package cuda-bindings is not installed" in str(error.value)
    assert "pip install cuda-bindings" in str(error.value)
    assert error.value.exit_code == 2


def test_without_a_gpu_it_is_told(driver):
    driver.refuse = "cuInit"
    with pytest.raises(UsageError, match="device cuda cannot be used: cuInit") as error:
        Device("cuda")
    assert "NVIDIA GPU" in str(error.value)
