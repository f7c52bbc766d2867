"""The examples of the page about kernels in Python do what it says."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from warpmill.analyzer.frontends.compilers.toolchains import COMPILERS

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "python-kernels.md"
_BLOCK = re.compile(
    r"^## (?P<title>[^\n]*)$|^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
NEEDS = {"Triton": "triton", "numba": "numba_cuda"}


def examples():
    """The sections of the page, with their blocks of Python."""
    found, title = {}, ""
    for block in _BLOCK.finditer(PAGE.read_text("utf-8")):
        title = block["title"] or title
        if block["code"]:
            found.setdefault(title, []).append(block["code"])
    return found


def test_each_library_has_examples():
    found = examples()
    assert [title.split()[0] for title in found] == ["Triton", "numba", "CUDA"]
    assert [len(blocks) for blocks in found.values()] == [3, 2, 2]


def executed(blocks, folder, monkeypatch):
    """Execute blocks, a first one that is a file from that file."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")
    monkeypatch.delitem(sys.modules, "kernels", raising=False)
    for block in blocks:
        if block.startswith("# kernels.py"):
            (folder / "kernels.py").write_text(block)
        else:
            exec(compile(block, str(PAGE), "exec"), {"__name__": "example"})
    monkeypatch.delitem(sys.modules, "kernels", raising=False)


@pytest.mark.slow
@pytest.mark.parametrize("title", NEEDS)
def test_examples_of_compilers_of_python_run(title, tmp_path, monkeypatch, capsys):
    if importlib.util.find_spec(NEEDS[title]) is None:
        pytest.skip(f"{NEEDS[title]} is not there")
    executed(examples()[title], tmp_path, monkeypatch)
    assert capsys.readouterr().out


def test_the_emulator_of_ptx_runs(tmp_path, monkeypatch):
    *_, blocks = examples().values()
    executed(blocks[1:], tmp_path, monkeypatch)


def test_a_string_of_cuda_runs(tmp_path, monkeypatch, capsys):
    if not any(compiler.find() is not None for compiler in COMPILERS):
        pytest.skip("there is no compiler of CUDA")
    *_, blocks = examples().values()
    executed(blocks[:1], tmp_path, monkeypatch)
    assert capsys.readouterr().out.endswith("\n")
