"""Workloads of Triton: how their modules are built where Triton is found, and launched anywhere."""

import json
import re
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from warpmill.analyzer.launch.triton import TritonLaunch
from warpmill.executor.host.device import Device
from warpmill.samples import build
from warpmill.samples.common.triton_launches import triton_kernel
from warpmill.session.workloads import ModuleForm, kept_text, workloads

TOML = """architectures = ["sm_80"]
[[module]]
name = "twice"
source = "both"
triton = true
"""
MODULES = [
    (workload.folder, f"{module.name}.{architecture}")
    for workload in workloads().values()
    for module in workload.form.module
    if module.triton
    for architecture in workload.form.architectures
]
# answers `-c` as a Python with Triton does, and writes the name of the module for any other call
COMPILER = """#!{python}
import sys
if sys.argv[1] == "-c":
    print("Triton 9.9.9")
else:
    open(sys.argv[-1], "w").write(sys.argv[2] + sys.argv[3])
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A workload in a folder of samples of its own."""
    root = tmp_path / "samples"
    monkeypatch.setattr(build, "ROOT", root)
    (root / "common").mkdir(parents=True)
    (root / "common/triton_ptx.py").write_text("# compiles\n")
    folder = root / "workloads/double"
    folder.mkdir(parents=True)
    (folder / "workload.toml").write_text(TOML)
    (folder / "both.py").write_text("# kernels\n")
    return folder


@pytest.fixture
def triton(tmp_path, monkeypatch):
    """Let a stand-in be the Python that has Triton."""
    path = tmp_path / "python-with-triton"
    path.write_text(COMPILER.format(python=sys.executable))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv(build.TRITON_PYTHON, str(path))
    return build.find_triton()


def test_a_module_is_its_ptx_and_what_a_launch_needs(home, triton):
    build.build("workloads/double", triton)
    assert (home / "twice.sm_80.ptx").read_text() == "twicesm_80"
    assert (home / "twice.sm_80.launch.json").read_text() == "twicesm_80"
    record = json.loads((home / "artefacts.json").read_text())
    assert set(record) == {"twice.sm_80.ptx", "twice.sm_80.launch.json"}
    script = "../../common/triton_ptx.py"
    for name, entry in record.items():
        assert entry["compiler"] == "Triton 9.9.9"
        assert entry["command"] == f"python {script} twice sm_80 both.py -o {name}"
        assert set(entry["sources"]) == {"both.py", script}
    assert list(build.differences("workloads/double")) == []


def test_a_changed_kernel_is_seen(home, triton):
    build.build("workloads/double", triton)
    (home / "both.py").write_text("# other kernels\n")
    found = list(build.differences("workloads/double"))
    assert found == [
        f"double/both.py: differs from the one recorded for twice.sm_80.{suffix}"
        for suffix in ("launch.json", "ptx")
    ]


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false", sys.executable])
def test_without_triton_everything_stays(home, triton, python, monkeypatch, capsys):
    build.build("workloads/double", triton)
    (home / "both.py").write_text("# other kernels\n")
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    monkeypatch.setenv(build.TRITON_PYTHON, python)
    monkeypatch.setattr(build, "TRITON_VERSION", "import no_such_package")
    build.build("workloads/double", build.find_triton())
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before
    assert f"triton: not found in {python}" in capsys.readouterr().err


@pytest.mark.parametrize("more", [{"defines": ["A=1"]}, {"includes": ["a.h"]}, {"opencl": True}])
def test_a_module_is_of_one_language(more):
    with pytest.raises(ValidationError, match="takes neither includes, defines nor opencl"):
        ModuleForm(name="a", triton=True, **more)


@pytest.mark.parametrize(
    ("folder", "stem"), MODULES, ids=lambda one: str(getattr(one, "name", one))
)
def test_launches_fit_the_ptx(folder, stem):
    text = kept_text(folder / f"{stem}.ptx")
    facts = json.loads(kept_text(folder / f"{stem}.launch.json"))
    header, _, body = text.partition("\n)\n")
    facts = TritonLaunch.of(facts)
    assert re.findall(r"\.entry (\w+)\(", text) == [facts.kernel]
    assert int(re.search(r"\.reqntid (\d+)", body)[1]) == facts.threads
    assert facts.ctas == 1
    # those that Triton appends are addresses that the kernel never reads
    last = header.count(".param")
    for place in range(last - len(facts.scratch), last):
        assert f".align 1 {facts.kernel}_param_{place}" in header
        assert f"_param_{place}" not in body
    assert facts.shared_bytes > 0
    assert "sm_90a" not in text


def test_there_are_modules_of_triton():
    assert len(MODULES) >= 16
    assert {folder.name for folder, _ in MODULES} >= {"softmax", "flash-attention"}


PTX = """.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 global_smem[];
.visible .entry store(.param .u64 store_param_0, .param .u64 store_param_1)
.reqntid 32
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [store_param_0];
    mov.u32 %r1, %dynamic_smem_size;
    mov.u32 %r2, %ntid.x;
    st.global.b32 [%rd1], %r1;
    st.global.b32 [%rd1+4], %r2;
    ret;
}
"""


def test_a_kernel_is_launched_as_the_compiler_says(tmp_path):
    path = tmp_path / "store.sm_80.ptx"
    path.write_text(PTX)
    facts = {"name": "store", "num_warps": 1, "shared": 48, "global_scratch_size": 0}
    words = json.dumps({**facts, "constants": {"BLOCK": 7}})
    Path(tmp_path / "store.sm_80.launch.json").write_text(words)
    device = Device()
    out = device.zeros(2, np.int32)
    kernel = triton_kernel(device, {"store": device.load(path)}, "store")
    kernel.launch(1, [out])
    assert out.get().tolist() == [48, 32]
    assert kernel.constants == {"BLOCK": 7}
