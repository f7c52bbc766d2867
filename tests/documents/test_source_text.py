"""Names of parameters are those of the source, where it lies beside the kernel."""

import pytest

import warpmill
from warpmill.report.source_text import source_name

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
