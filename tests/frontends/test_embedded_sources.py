"""Sources in strings of Python files: where they stand, and that they are compiled."""

import shutil
from pathlib import Path

import pytest

from warpmill.analyzer.frontends.compilers.embedded import embedded_source, holds_sources
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.session.jobs import is_application

TWO = '''"""Kernels as CuPy's users hold them; __global__ is a word of CUDA."""
FIRST = r"""
extern "C" __global__ void twice(float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
}
"""
OTHER = "a text"
SECOND = 'extern "C" __global__ void once(float *x) { x[0] = 1.0f; }'
'''


def test_each_stands_at_its_lines():
    lines = embedded_source(Path("k.py"), TWO).text.splitlines()
    own = TWO.splitlines()
    assert lines[2:6] == own[2:6]
    assert lines[8] == 'extern "C" __global__ void once(float *x) { x[0] = 1.0f; }'
    assert not "".join([lines[1], *lines[6:8]]).strip()


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        f"{TWO}\n\ndef main(device):\n    device.load(FIRST)\n",  # it launches them itself
        "def broken(:\n    '__global__'\n",
    ],
)
def test_other_files_are_what_they_were(tmp_path, text):
    assert embedded_source(Path("k.py"), text) is None
    (tmp_path / "k.py").write_text(text)
    assert is_application(tmp_path / "k.py")
    assert not holds_sources(tmp_path / "none.py")


def test_a_file_with_sources_is_a_kernel_file(tmp_path):
    (tmp_path / "k.py").write_text(TWO)
    assert not is_application(tmp_path / "k.py")
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    loaded, kernel = load_kernel(tmp_path / "k.py", "twice")
    lines = {i.span.line for i in kernel.instructions if i.span is not None}
    assert kernel.name == "twice"
    assert lines
    assert "k.py" in loaded.compiled.compiled_from.name
