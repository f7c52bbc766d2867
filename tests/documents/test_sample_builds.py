"""Modules of workloads that say what those for sm_80 say are not kept, and long ones are packed."""

import gzip
import json
import sys

import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.samples import build
from warpmill.session.workloads import kept_text, text_for_the_chip, workloads

TOML = """[[module]]
name = "twice"
triton = true
"""
# writes PTX for the chip that it is called with, as long as LENGTH says and other where OTHER does
COMPILER = """import sys
if sys.argv[-1].endswith(".json"):
    open(sys.argv[-1], "w").write("{}")
else:
    body = "ret;\\n" * LENGTH + ("exit;\\n" if sys.argv[2] == "OTHER" else "")
    open(sys.argv[-1], "w").write(".version 8.0\\n.target " + sys.argv[2] + "\\n" + body)
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A workload in a folder of samples of its own, and a function that builds it."""
    root = tmp_path / "samples"
    monkeypatch.setattr(build, "ROOT", root)
    (root / "common").mkdir(parents=True)
    (root / "common/triton_ptx.py").write_text("# compiles\n")
    folder = root / "workloads/double"
    folder.mkdir(parents=True)
    (folder / "workload.toml").write_text(TOML)
    (folder / "twice.py").write_text("# kernels\n")

    def built(length=1, other="no"):
        script = COMPILER.replace("LENGTH", str(length)).replace("OTHER", other)
        (root / "common/triton_ptx.py").write_text(script)
        build.build("workloads/double", {"triton": build.Tool("python", sys.executable, "9.9")})
        return {path.name for path in folder.glob("twice.sm_*")}

    return folder, built


def ptx(chip, body="ret;\n"):
    return f".version 8.0\n.target {chip}\n{body}"


def test_what_the_module_for_sm_80_gives_is_not_kept(home):
    folder, built = home
    assert built() == {"twice.sm_80.ptx", "twice.sm_80.launch.json"}
    record = json.loads((folder / "artefacts.json").read_text())
    assert len(record) == 6
    assert list(build.differences("workloads/double")) == []
    for chip in ("sm_75", "sm_80", "sm_90"):
        assert kept_text(folder / f"twice.{chip}.ptx") == ptx(chip)
        assert kept_text(folder / f"twice.{chip}.launch.json") == "{}"


def test_what_differs_is_kept_and_what_no_longer_does_goes(home):
    folder, built = home
    assert built(other="sm_90") == {"twice.sm_80.ptx", "twice.sm_90.ptx", "twice.sm_80.launch.json"}
    assert kept_text(folder / "twice.sm_90.ptx") == ptx("sm_90", "ret;\nexit;\n")
    assert list(build.differences("workloads/double")) == []
    assert "twice.sm_90.ptx" not in built()


def test_a_long_module_is_packed(home):
    folder, built = home
    assert built(build.LONG) == {"twice.sm_80.ptx.gz", "twice.sm_80.launch.json"}
    packed = folder / "twice.sm_80.ptx.gz"
    text = ptx("sm_80", "ret;\n" * build.LONG)
    assert (
        gzip.decompress(packed.read_bytes()).decode() == text == kept_text(packed.with_suffix(""))
    )
    assert kept_text(folder / "twice.sm_75.ptx") == text.replace("sm_80", "sm_75")
    assert list(build.differences("workloads/double")) == []
    packed.write_bytes(gzip.compress(text.encode(), compresslevel=1, mtime=0))
    before = packed.read_bytes()
    built(build.LONG)
    assert packed.read_bytes() == before  # packed otherwise, it is the same text
    assert built(3) == {"twice.sm_80.ptx", "twice.sm_80.launch.json"}


def test_the_check_sees_what_is_wrong(home):
    folder, built = home
    built()
    double = folder / "twice.sm_75.ptx"
    double.write_text(ptx("sm_75"))
    assert list(build.differences("workloads/double")) == [
        "double/twice.sm_75.ptx: kept, though the one for sm_80 gives it"
    ]
    double.write_text(ptx("sm_75", "exit;\n"))
    words = "differs from the one recorded for twice"
    assert list(build.differences("workloads/double")) == [
        f"double/twice.sm_75.ptx: {words}.sm_75.ptx"
    ]
    double.unlink()
    (folder / "twice.sm_80.ptx").write_text(ptx("sm_80", "exit;\n"))
    assert list(build.differences("workloads/double")) == [
        f"double/twice.{chip}.ptx: {words}.{chip}.ptx" for chip in ("sm_75", "sm_80", "sm_90")
    ]
    (folder / "twice.sm_80.ptx").unlink()
    assert "double/twice.sm_90.ptx: missing" in list(build.differences("workloads/double"))
    long = ptx("sm_80", "ret;\n" * build.LONG)
    (folder / "twice.sm_80.ptx").write_text(long)
    found = list(build.differences("workloads/double"))
    assert f"double/twice.sm_80.ptx: more than {build.LONG} lines, and not packed" in found


def test_only_a_file_for_another_chip_has_a_text_that_sm_80_gives(tmp_path):
    (tmp_path / "a.sm_80.ptx").write_text(ptx("sm_80", "// .target sm_80\n.target sm_80\n"))
    text = text_for_the_chip(tmp_path / "a.sm_90.ptx")
    assert text == ptx("sm_90", "// .target sm_80\n.target sm_80\n")  # the first one only
    for name in ("a.sm_80.ptx", "a.ptx", "b.sm_90.ptx", "a.opencl.bc"):
        assert text_for_the_chip(tmp_path / name) is None


def test_a_module_is_its_file_or_its_text():
    bfs, norm, causal = (workloads()[n] for n in ("bfs", "layer-norm", "flash-attention"))
    assert bfs.module("bfs", "sm_80") == bfs.folder / "bfs.sm_80.ptx"
    assert bfs.module("bfs", "opencl") == bfs.folder / "bfs.opencl.bc"
    assert norm.module("layer_norm", "sm_90") == norm.folder / "layer_norm.sm_90.ptx"
    given = bfs.module("bfs", "sm_90")
    assert isinstance(given, Source)
    assert given.name == str(bfs.folder / "bfs.sm_90.ptx")
    assert [line for line in given.lines if line.startswith(".target")] == [".target sm_90"]
    packed = causal.module("attention_causal", "sm_90")
    assert isinstance(packed, Source)
    assert ".target sm_90" in packed.text
    assert (causal.folder / "attention_causal.sm_90.ptx.gz").exists()  # it is its own
