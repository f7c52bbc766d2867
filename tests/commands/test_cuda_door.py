"""Kernels in Python strings: PTX and CUDA C++, CuPy's objects, the sources of load_inline."""

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.frontends.compilers.toolchains import COMPILERS
from warpmill.analyzer.launch import NullArgument, ScalarArgument, StructArgument
from warpmill.doors.cuda import _source, device_part

PTX = """.version 7.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 .ptr .align 4 values, .param .f32 factor, .param .u32 count)
{
    .reg .b32 %r<6>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<4>;
    .reg .pred %p;
    ld.param.u64 %rd1, [values];
    ld.param.f32 %f1, [factor];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p ret;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %f2, [%rd3];
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%rd3], %f2;
    ret;
}
"""
TRANSPOSE = r"""
extern "C" __global__ void transpose(const float *in, float *out, int n) {
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
"""
HAS_COMPILER = any(compiler.find() is not None for compiler in COMPILERS)
compiles = pytest.mark.skipif(not HAS_COMPILER, reason="there is no compiler of CUDA")


def test_ptx_runs_in_one_call_and_writes_in_place(tmp_path):
    values = np.arange(100, dtype=np.float32)
    assert warpmill.cuda.ptx_run(PTX, 4, 32, values, 0.5, 100) is None
    assert np.array_equal(values, np.arange(100) * 0.5)
    (tmp_path / "scale.ptx").write_text(PTX)
    for path in (tmp_path / "scale.ptx", str(tmp_path / "scale.ptx")):
        warpmill.cuda.ptx_run(path, (4, 1), 32, values[:50], np.float32(2), np.uint32(50))
    assert np.array_equal(values, [*range(0, 100, 2), *np.arange(50, 100) * 0.5])


def test_numbers_take_the_types_of_the_parameters():
    values = np.zeros(8, np.float32)
    job = warpmill.cuda.prepare(PTX, "scale", 1, 8, (values, 3, 8))
    assert job.launch.arguments[1:] == (ScalarArgument("f32", 3.0), ScalarArgument("u32", 8))
    null = warpmill.cuda.prepare(PTX, None, 1, 8, (None, 3, True))
    assert null.launch.arguments[0] == NullArgument()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((3, 1.0, 8), r"\(`values`\): the parameter is a pointer of 8 bytes"),
        (([1], 1.0, 8), "`values`: a list is nothing that a kernel takes"),
        ((None, 1.0, 8.5), "`count`: the parameter is u32 of 4 bytes, not the number 8.5"),
        ((None, 1.0, 1 << 32), "`count`: 4294967296 does not fit u32"),
        ((None, 1.0), "takes 3 arguments"),
        ((None, np.float64(1), 8), "the argument f64 of 8 bytes"),
        ((np.zeros((0,), np.float32), 1.0, 8), "has no elements"),
    ],
)
def test_what_does_not_fit_a_parameter_is_said(arguments, words):
    with pytest.raises((UsageError, InputError), match=words):
        warpmill.cuda.prepare(PTX, "scale", 1, 8, arguments)


def test_a_kernel_that_writes_to_a_read_only_array_is_refused():
    values = np.ones(8, np.float32)
    values.flags.writeable = False
    with pytest.raises(UsageError, match="writes to `values`, an array that is read-only"):
        warpmill.cuda.ptx_run(PTX, 1, 8, values, 2.0, 8)
    warpmill.cuda.ptx_run(PTX, 1, 8, values, 1.0, 8)  # changes nothing


def test_views_are_memory_in_place():
    memory = np.arange(24, dtype=np.float32).reshape(4, 6)
    expected = memory.copy()
    expected.reshape(-1)[1:14] *= 2  # rows of 6 from column 1 on, with what lies between
    view = memory[0:3, 1:2]
    warpmill.cuda.ptx_run(PTX, 1, 32, view, 2.0, 13)
    assert np.array_equal(memory, expected)
    backward = memory.reshape(-1)[::-1]
    found = warpmill.cuda.check(PTX, "scale", 1, 8, (backward, 2.0, 2))
    assert "out of bounds" in str(found)  # the second element lies behind the first


class Raw:
    """CuPy's RawKernel, as far as the door looks at it."""

    code, name = TRANSPOSE, "transpose"
    options = ("-DSIDE=8", "-I/headers", "--std=c++17", "--use_fast_math")


def test_sources_are_known_by_what_holds_them():
    source, name, how = _source(Raw())
    assert (source.name, name) == ("<text>.cu", "transpose")
    assert (how.define, how.include, how.std) == (("SIDE=8",), ("/headers",), "c++17")
    assert _source([TRANSPOSE, "// more\n"])[0].text == TRANSPOSE + "\n// more\n"
    assert _source(PTX)[0].name == "<text>.ptx"
    with pytest.raises(UsageError, match="a source is a text, a file, or CuPy's"):
        warpmill.cuda.prepare(3, None, 1, 1)


INLINE = r"""#include <torch/extension.h>
#include <cmath>
#define STEP 1
__device__ float twice(float x) { return 2 * x; } /* at::Tensor }; */
__global__ void add(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { y[i] = twice(x[i]) + STEP; }
}
torch::Tensor add_of(torch::Tensor x) {
    auto y = torch::empty_like(x);
    if (x.numel()) { add<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 4); }
    return y;
}
PYBIND11_MODULE(NAME, m) { m.def("add", &add_of, "x;}"); }
struct Rest { int of; };
"""  # noqa: E501


def test_what_is_for_the_host_is_left_out_and_lines_stay():
    found = device_part(INLINE)
    assert found.count("\n") == INLINE.count("\n")
    assert found.splitlines()[4] == INLINE.splitlines()[4]
    assert not any(word in found for word in ("torch", "<<<", "PYBIND11"))
    assert all(word in found for word in ("twice(x[i])", "#define STEP 1", "struct Rest"))
    assert device_part(TRANSPOSE) == TRANSPOSE


@compiles
def test_a_string_of_cuda_runs_and_its_parameters_have_their_names():
    given = np.arange(100, dtype=np.float32).reshape(10, 10)
    result = np.zeros_like(given)
    warpmill.cuda.run(Raw(), None, (2, 2), (8, 8), (given, result, 10))
    assert np.array_equal(result, given.T)
    page = str(warpmill.cuda.check(TRANSPOSE, "transpose", 2, (8, 8), (given, result[:1], 10)))
    assert "end of `out` of 40 B" in " ".join(page.split())


@compiles
def test_sources_of_load_inline_are_compiled_for_the_device_alone():
    given, result = np.arange(70, dtype=np.float32), np.zeros(70, np.float32)
    warpmill.cuda.run(INLINE, "add", 3, 32, (given, result, np.int32(70)))
    assert np.array_equal(result, 2 * given + 1)


BY_VALUE = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .align 4 .b8 both[8])
{
    ret;
}
"""


@pytest.mark.parametrize("kind", [bytes, bytearray, np.void])
def test_a_struct_by_value_is_its_bytes(kind):
    data = bytes(range(3, 11))
    given = np.frombuffer(data, "i4,f4")[0] if kind is np.void else kind(data)
    (argument,) = warpmill.cuda.prepare(BY_VALUE, "k", 1, 1, (given,)).launch.arguments
    assert argument == StructArgument(tuple(ScalarArgument("u8", byte) for byte in data))
