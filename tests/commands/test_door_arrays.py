"""Arrays as arguments of launches: of NumPy, of other libraries, and described alone."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.launch import BufferArgument, RefArgument, Zeros
from warpmill.doors.arguments import ArrayShape, HostArray, LaunchArrays, array_of
from warpmill.doors.launching import chip_of, with_names


class Tensor:
    """An array of another library, as far as the doors look at it."""

    def __init__(self, values, dtype, device="cpu"):
        self.values, self.dtype, self.device = values, dtype, device
        self.shape = values.shape

    def detach(self):
        return self

    def stride(self):
        return tuple(step // self.values.itemsize for step in self.values.strides)

    def data_ptr(self):
        return 0x7000_0004

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_tensors_of_the_cpu_are_memory_and_those_of_a_gpu_are_shapes():
    values = np.arange(24, dtype=np.float32).reshape(4, 6)
    here = array_of(Tensor(values, "torch.float32"))
    assert isinstance(here, HostArray)
    assert here.type_name == "float32"
    assert np.shares_memory(here.values, values)
    there = array_of(Tensor(values[:, ::2], "torch.float32", "cuda:0"))
    assert there == ArrayShape("float32", (4, 3), (24, 8), 4, 0x7000_0004)
    argument = LaunchArrays([]).argument(there, "x")
    assert argument == BufferArgument("f32", (23,), name="x")  # to the last element, and no more


def test_arrays_may_be_described():
    assert array_of(("*bf16", 8)) == ArrayShape("bf16", (8,), (2,), 2)
    fp8 = LaunchArrays([]).argument(array_of(("*fp8e4nv", (3, 5))), "x")
    assert (fp8.element, fp8.shape, fp8.init) == ("u8", (15,), Zeros())
    assert array_of((3, 4)) is array_of(5) is array_of(np.float32(1)) is None
    for wrong in (("*fp16", ()), ("*fp16", 0), ("*fp16", 2.5), ("*nothing", 4)):
        with pytest.raises(UsageError):
            array_of(wrong)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.one_in(4)
def test_every_array_lies_where_its_argument_says(seed):
    rng = np.random.default_rng(seed)
    memory = rng.integers(0, 99, 60, np.int32)
    views = []
    for _ in range(rng.integers(1, 6)):
        low, high = sorted(rng.choice(61, 2, replace=False))
        step = rng.choice([1, 2, 3, -1])
        whole = memory[low:high] if rng.random() < 0.7 else memory[low:high].view(np.uint8)
        views.append(whole[::step])
    hosts = [array_of(view) for view in views]
    arrays = LaunchArrays(hosts)
    found = [arrays.argument(host, f"a{n}") for n, host in enumerate(hosts)]
    buffers = [a.buffer if isinstance(a, RefArgument) else a for a in found]
    for host, argument, buffer in zip(hosts, found, buffers, strict=True):
        offset = argument.offset_bytes if isinstance(argument, RefArgument) else 0
        values = buffer.init.values
        assert values.ctypes.data + offset == host.pointer
        assert arrays.offset(host) == offset
        assert buffer.bytes == values.nbytes
        assert values.ctypes.data <= host.start
        assert host.end <= values.ctypes.data + values.nbytes
        assert values.flags.c_contiguous
    for one, a in zip(hosts, buffers, strict=True):
        for other, b in zip(hosts, buffers, strict=True):
            overlap = one.start < other.end and other.start < one.end
            assert not overlap or a is b


def test_names_that_ptx_has_for_something_else_get_a_line():
    text = 'ld.param.u64 %rd1, [k_param_0]; add.u64 %x, k_param_1, taken; .file 1 "k_param_0 a.py"'
    names = {"k_param_0": "min", "k_param_1": "taken", "k_param_2": "a.b"}
    assert with_names(text.replace('"k_param_0 a.py"', '"a.py"'), names) == (
        'ld.param.u64 %rd1, [min_]; add.u64 %x, taken_, taken; .file 1 "a.py"'
    )


def test_a_chip_may_stand_for_a_machine():
    assert [chip_of(name) for name in ("a100", "sm_120", "sm_90a")] == [80, 120, 90]
    with pytest.raises(UsageError):
        chip_of("sm_")
