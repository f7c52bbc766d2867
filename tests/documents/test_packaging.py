"""What is published: the wheel holds every data file and works from an empty folder."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import warpmill
from warpmill.session.jobs import sample_names
from warpmill.studies.sources import ROOMS

ROOT = Path(__file__).parents[2]
METADATA = f"warpmill-{warpmill.__version__}.dist-info"
DATA = (".toml", ".lark", ".j2")


def run(*command, cwd, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | variables
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy of the tree, links as links, so that nothing is written into it."""
    source = tmp_path_factory.mktemp("source") / "warpmill"
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for package in (*ROOMS, "warpmill"):
        shutil.copytree(ROOT / package, source / package, ignore=ignore, symlinks=True)
    bytecode = source / "samples/workloads/__pycache__/left.cpython-311.pyc"  # of an earlier run
    bytecode.parent.mkdir()
    bytecode.touch()
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source / name)
    return source


@pytest.fixture(scope="module")
def wheel(source):
    """The wheel of the source distribution, as an index would build it."""
    folder = source.parent
    build = (sys.executable, "-m", "build", "--no-isolation", "-o", folder)
    run(*build, "--sdist", source, cwd=folder)
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    run(*build, "--wheel", unpacked, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel):
    """Install the wheel alone into a folder of its own; its libraries are those of the tests."""
    target = wheel.parent / "installed"
    options = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    pip = (sys.executable, "-m", "pip", "install")
    run(*pip, *options, "--target", target, wheel, cwd=wheel.parent)
    return target


def test_the_wheel_holds_every_module_and_data_file(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    folders = [ROOT / "warpmill", *(ROOT / room for room in ROOMS if room != "samples")]
    files = [path for folder in folders for path in folder.rglob("*")]
    expected = {
        _installed_name(path)
        for path in files
        if path.is_file() and path.suffix in (*DATA, ".py", ".typed")
    }
    assert expected - names == set()
    workloads = {
        _installed_name(path)
        for path in (ROOT / "samples/workloads").glob("*/*.*")
        if path.suffix != ".pyc"
    }
    assert workloads - names == set()
    assert not any(name.endswith(".pyc") for name in names)
    assert "warpmill/samples/common/graphs.py" in names
    samples = {
        _installed_name(path)
        for folder in sample_names()
        for path in (ROOT / "samples" / folder).iterdir()
    }
    assert len(samples) > 100
    assert samples - names == set()
    assert "warpmill/samples/machines/smallgpu/gpgpusim.config" in names
    assert {name.partition("/")[0] for name in names} == {"warpmill", METADATA}
    assert "warpmill/py.typed" in names
    assert "warpmill/session/error_bands.json" in names
    assert sum(name.endswith(("/LICENSE", "/NOTICE")) for name in names) == 2


def _installed_name(path):
    name = path.relative_to(ROOT).as_posix()
    return name if name.startswith("warpmill/") else f"warpmill/{name}"


FROM_A_WHEEL = """
import warpmill
from warpmill.analyzer.frontends.load import load
from warpmill.session.environment import examine
assert warpmill.__file__.startswith(TARGET), warpmill.__file__
assert warpmill.load_machine("a100").integer("sm.count") == 108
print(load(KERNEL).module.kernels[0].name, examine(self_test=False).is_healthy)
"""


def test_it_works_from_an_empty_folder(installed, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    kernel = tmp_path / "vecadd.ptx"
    shutil.copy(ROOT / "samples" / "vecadd" / "vecadd.sm_80.ptx", kernel)
    code = f"TARGET = {str(installed)!r}\nKERNEL = {str(kernel)!r}\n{FROM_A_WHEEL}"
    environment = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run(sys.executable, "-c", code, cwd=empty, **environment) == "vecadd True\n"
    command = (sys.executable, "-m", "warpmill", "machines", "list")
    listed = run(*command, cwd=empty, **environment)
    assert "a100" in listed
    command = (sys.executable, "-m", "warpmill", "samples", "run", "bfs", "--preset", "tiny")
    assert "right" in run(*command, cwd=empty, **environment)
    for words in ("samples/vecadd/launch.toml", "start stencil5"):
        told = run(sys.executable, "-m", "warpmill", *words.split(), cwd=empty, **environment)
        assert "$ warpmill estimate" in told
    assert list(empty.iterdir()) == []
    picture = tmp_path / "figure.png"
    words = ("reproduce", "tbpoint", "--figure", "9", "--plot", picture)
    shown = run(sys.executable, "-m", "warpmill", *words, cwd=empty, **environment)
    assert "Figure 9 of tbpoint" in shown
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_command_is_declared(installed):
    (entry_points,) = installed.glob("*.dist-info/entry_points.txt")
    declared = entry_points.read_text().split("\n\n")
    assert "[console_scripts]\nwarpmill = warpmill.__main__:main" in declared
    assert "[pytest11]\nwarpmill = warpmill.testing.plugin" in (one.strip() for one in declared)
