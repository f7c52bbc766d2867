"""What people new to the device object get wrong: it is told in words, at once, with a way out."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNELS = (
    HEAD
    + """
.const .align 4 .b8 weights[12];
.visible .entry first(.param .u64 out)
{
  .reg .f32 %f; .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  ld.const.f32 %f, [weights+8];
  st.global.f32 [%rd], %f;
  ret;
}
.visible .entry _Z4axpyIfEvT_(.param .f32 a) { ret; }
.visible .entry _Z4axpyIdEvT_(.param .f64 a) { ret; }
.visible .entry by_value(.param .align 8 .b8 s[16]) { ret; }
"""
)


@pytest.fixture
def device():
    return Device()


@pytest.fixture
def module(device):
    return device.load(KERNELS, "kernels.ptx")


def test_a_module_that_is_not_there_is_told_at_once(device, tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        device.load(tmp_path / "none.ptx")
    with pytest.raises(InputError, match="folder"):
        device.load(str(tmp_path))
    with pytest.raises(UsageError, match="name or the text"):
        device.load(b".version 8.0")


def test_a_launch_takes_kernels_lists_and_streams(device, module):
    kernel, out = module["first"], device.zeros(1)
    for words, call in {
        "a kernel is what": lambda: device.launch("first", 1, 1, [out]),
        "args is a list": lambda: device.launch(kernel, 1, 1, 2.0),
        "whole number of bytes": lambda: device.launch(kernel, 1, 1, [out], shared=2.5),
        r"device\.stream\(\)": lambda: device.launch(kernel, 1, 1, [out], stream=3),
    }.items():
        with pytest.raises(UsageError, match=words):
            call()


def test_kernels_of_one_name_are_listed_alone(module):
    with pytest.raises(UsageError, match="2 kernels axpy") as caught:
        module["axpy"]
    assert "axpy<float>" in str(caught.value)
    assert "first" not in str(caught.value)
    assert module["axpy<double>"].name == "_Z4axpyIdEvT_"


def test_bytes_of_a_variable_take_a_type_by_a_view(device, module):
    """C++ compilers declare arrays as bytes: converting what is copied would lose its values."""
    values = np.array([1, 2, 3.5], np.float32)
    with pytest.raises(UsageError, match=r"\.view\('float32'\) of the device array"):
        module.symbol("weights").set(values)
    module.symbol("weights", np.float32).set(values)
    out = device.zeros(1)
    device.launch(module["first"], 1, 1, [out])
    assert out.get()[0] == 3.5


def test_a_struct_without_padding(device, module):
    fields = [("a", "u1"), ("b", "f8")]
    with pytest.raises(UsageError, match="align=True"):
        device.launch(module["by_value"], 1, 1, [np.zeros((), np.dtype(fields))[()]])
    padded = np.zeros((), np.dtype(fields, align=True))[()]
    device.launch(module["by_value"], 1, 1, [padded])


@pytest.mark.parametrize(
    ("dtype", "value"),
    [("f4", 1e300), ("f2", 70000.0), ("i4", 2.5), ("u1", -1), ("u1", 256), ("i4", float("nan"))],
)
def test_numbers_that_an_element_cannot_hold(device, dtype, value):
    with pytest.raises(UsageError, match="does not fit"):
        device.zeros(2, dtype).fill(value)


@pytest.mark.parametrize(
    ("dtype", "value"), [("f4", 0.1), ("f4", float("inf")), ("i4", 2.0), ("u1", 255)]
)
def test_numbers_that_it_holds(device, dtype, value):
    array = device.zeros(2, dtype)
    array.fill(value)
    np.testing.assert_array_equal(array.get(), np.array([value, value], dtype))


def test_shapes_are_numbers_or_tuples(device):
    array = device.array(np.arange(12))
    np.testing.assert_array_equal(array.reshape((3, -1)).get(), np.arange(12).reshape(3, 4))
    np.testing.assert_array_equal(array.reshape(4, 3).get(), np.arange(12).reshape(4, 3))
    for shape in (3.5, "abc", (2, "b")):
        with pytest.raises(UsageError, match="a shape is"):
            device.zeros(shape)


def test_a_path_object_is_a_file(device, tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(KERNELS)
    assert device.load(Path(path))["first"].name == "first"


def test_threads_take_turns_in_a_device(device, module, monkeypatch):
    """While one thread is in a call of the device no other one gets into another."""
    inside, most = [], []

    def slowly(method):
        def call(*arguments, **named):
            inside.append(method)
            time.sleep(0.002)  # the others get their chance here
            most.append(len(inside))
            inside.pop()
            return method(*arguments, **named)

        return call

    kernel = module["_Z4axpyIfEvT_"]
    for name in ("allocate", "free", "write", "read", "launch"):
        monkeypatch.setattr(device.backend, name, slowly(getattr(device.backend, name)))

    def work(number):
        array = device.array(np.full(10, number))
        device.launch(kernel, 1, 1, [1.0])
        assert (array.get() == number).all()
        array.free()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert most == [1] * 20


@pytest.mark.parametrize("name", ["workers", "resident_ctas"])
def test_options_that_no_executor_has(name):
    with pytest.raises(UsageError, match=f"{name} must be at least 1"):
        CpuOptions(**{name: 0})
    with pytest.raises(UsageError, match="CpuOptions"):
        Device(options={name: 2})
