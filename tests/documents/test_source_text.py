"""Names of parameters are those of the source, where it lies beside the kernel."""

import pytest

import warpmill
from warpmill.report.source_text import note_compiled, source_beside, source_name

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  .loc 1 3 0
  ld.param.u64 %rd1, [scale_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 7;
  st.global.u32 [%rd2], %r1;
  ret;
}
.file 1 "/elsewhere/scale.cu"
"""


def named(tmp_path, source):
    (tmp_path / "scale.ptx").write_text(PTX)
    if source is not None:
        (tmp_path / "scale.cu").write_text(source)
    job = warpmill.prepare(tmp_path / "scale.ptx")
    return [source_name(job.loaded, job.kernel, f"scale_param_{n}") for n in range(2)]


@pytest.mark.parametrize(
    "source",
    [
        'extern "C" __global__ void scale(float *data, int n)\n{ }',
        "__global__ void scale(float *__restrict__ data /* of n, */, // and\n const int n = 3) { }",
        "template <int B> __global__ void __launch_bounds__(B) scale(A<B, 2> data[], int n) { }",
        "void host() { scale(x, y); }\n__global__ void scale(float *data, int n) { }",
    ],
)
def test_parameters_are_named_as_in_the_source(tmp_path, source):
    assert named(tmp_path, source) == ["data", "n"]


@pytest.mark.parametrize("has_source", [True, False])
def test_buffers_of_a_run_have_the_names_of_the_source(tmp_path, has_source):
    (tmp_path / "scale.ptx").write_text(PTX)
    if has_source:
        (tmp_path / "scale.cu").write_text("__global__ void scale(float *data, int n) { }")
    launch = warpmill.LaunchOptions(grid=(1,), block=(1,), args=["buffer=u32:2", "3"])
    done = warpmill.run(tmp_path / "scale.ptx", launch=launch)
    assert {name: values.tolist() for name, values in done.outputs.items()} == {
        "data" if has_source else "param_0": [7, 0]
    }


@pytest.mark.parametrize(
    "source",
    [
        None,
        "",
        "__global__ void scale(float *data) { }",
        "void scale(float *data, int n) { }",
        "__global__ void other(float *data, int n) { }",
        "__global__ void scale(float *data, int n",
    ],
)
def test_what_is_not_that_definition_names_none(tmp_path, source):
    assert named(tmp_path, source) == [None, None]


def test_a_file_that_was_compiled_here_is_found_where_it_is(tmp_path):
    """One that only a kernel's file names is not read: its name says nothing of this machine."""
    for folder in ("cache", "own"):
        (tmp_path / folder).mkdir()
    source, module = tmp_path / "own/kernels.py", tmp_path / "cache/rows.ptx"
    source.write_text("import triton\n")
    assert source_beside(module, str(source)) == tmp_path / "cache/kernels.py"
    note_compiled(str(source))
    assert source_beside(module, str(source)) == source
    (tmp_path / "cache/kernels.py").write_text("")
    assert source_beside(module, str(source)) == tmp_path / "cache/kernels.py"
