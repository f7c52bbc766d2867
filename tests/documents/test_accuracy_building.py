"""Which compiler makes the code of measured rows, how it is called, and what is kept."""

import stat
from pathlib import Path

import pytest

from warpmill.benchmarks.accuracy import building
from warpmill.benchmarks.accuracy.building import (
    BuildError,
    Tool,
    assembler_of,
    build,
    compiler_of,
    registers_said,
)
from warpmill.benchmarks.accuracy.model import Program

PROGRAM = Program("simple16.cu", (("WIDTH", 8),), ("-use_fast_math",), 70, 70)

NVCC_10 = Tool("nvcc", "/10/nvcc", "10.2", frozenset({35, 52, 70, 75}))
NVCC_11 = Tool("nvcc", "/11/nvcc", "11.8", frozenset({35, 52, 70, 86, 90}))
NVCC_12 = Tool("nvcc", "/12/nvcc", "12.9", frozenset({52, 70, 86, 90, 100}))
NVRTC_11 = Tool("nvrtc", "/11/libnvrtc.so", "11.8", frozenset({35, 52, 70, 86, 90}))
NVCC_13 = Tool("nvcc", "/13/nvcc", "13.0", frozenset({75, 86, 90, 100}))


@pytest.mark.parametrize(
    ("chip", "there", "found"),
    [
        (86, (NVCC_13, NVCC_12, NVCC_11), (NVCC_11, 86)),  # the oldest that knows it
        (52, (NVCC_13, NVCC_12), (NVCC_12, 52)),
        (52, (NVCC_13, NVCC_10), (NVCC_13, 75)),  # 10 is too old: the lowest chip of another
        (86, (NVRTC_11, NVCC_11), (NVCC_11, 86)),
        (35, (NVCC_12, NVRTC_11), (NVRTC_11, 35)),
        (100, (NVCC_11, NVCC_13, NVCC_12), (NVCC_12, 100)),
        (30, (NVCC_13, NVCC_12), (NVCC_12, 52)),
        (30, (NVCC_10,), None),
        (70, (), None),
    ],
)
def test_the_compiler_of_a_chip(chip, there, found):
    assert compiler_of(chip, there) == found


def ptxas(version, *chips):
    return Tool("ptxas", f"/{version}/ptxas", version, frozenset(chips))


def test_the_assembler_of_the_chip_that_ran_it():
    old, new = ptxas("11.8", 35, 52, 86), ptxas("13.0", 75, 86, 100)
    assert assembler_of(86, 86, "13.0", (old, new)) == (new, 86)
    assert assembler_of(86, 86, "11.8", (new, old)) == (old, 86), "the release that made the PTX"
    assert assembler_of(86, 86, "12.9", (old, new)) == (new, 86), "else the newest"
    assert assembler_of(52, 75, "11.8", (old, new)) == (new, 75), "PTX for 5.2 on a 7.5"
    assert assembler_of(52, 60, "11.8", (old, new)) == (old, 52), "the nearest"
    assert assembler_of(60, 60, "11.8", (old, new)) == (new, 75), "not below the PTX's target"
    assert assembler_of(120, 120, "13.0", (old, new)) is None
    assert assembler_of(86, 86, "11.8", (NVCC_11,)) is None


def test_options_name_chip_macros_and_flags():
    for kind in ("nvcc", "nvrtc"):
        found = building.options(PROGRAM, kind, 70)
        assert {"--gpu-architecture=compute_70", "-DWIDTH=8", "-use_fast_math"} <= set(found)
    assert "-O3" in building.options(PROGRAM, "nvcc", 70)


SAID = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'scan' for 'sm_86'
ptxas info    : Function properties for scan
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 372 bytes cmem[0]
ptxas info    : Compiling entry function 'copy' for 'sm_86'
ptxas info    : Used 8 registers, used 0 barriers, 368 bytes cmem[0]
"""


def test_registers_are_read_by_kernel():
    assert registers_said(SAID) == {"scan": 40, "copy": 8}
    assert registers_said(SAID + "ptxas info    : Used 12 registers") == {"scan": 40, "copy": 8}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Keep code in a folder of the test, and give it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    return tmp_path


def program(folder, name, body):
    """Write a shell script that stands for a tool, and notes each call."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho called >> "{path}.calls"\n{body}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def calls(path):
    return len(Path(f"{path}.calls").read_text().splitlines())


@pytest.fixture
def tools(folder):
    """A compiler that writes its arguments, and an assembler that says registers."""
    last = 'for word; do before=$this; this=$word; [ "$before" = -o ] && out=$word; done'
    nvcc = program(folder, "nvcc", f'{last}\necho "$@" > "$out"')
    said = program(folder, "ptxas", f"cat <<'END'\n{SAID}END")
    return (
        Tool("nvcc", nvcc, "11.8", frozenset({70})),
        Tool("ptxas", said, "11.8", frozenset({70, 86})),
    )


def test_a_program_is_compiled_once(tools):
    nvcc, ptxas_ = tools
    first, second = build(PROGRAM, tools), build(PROGRAM, tools)
    assert first == second
    assert first.compiler == "nvcc 11.8 sm_70"
    assert "-DWIDTH=8" in first.ptx.read_text()
    assert (calls(nvcc.path), calls(ptxas_.path)) == (1, 1)


def test_other_macros_flags_or_releases_are_other_code(tools):
    nvcc, ptxas_ = tools
    made = {build(PROGRAM, tools).ptx}
    made.add(build(Program("simple16.cu", (("WIDTH", 9),), ("-use_fast_math",), 70, 70), tools).ptx)
    made.add(build(Program("simple16.cu", (("WIDTH", 8),), (), 70, 70), tools).ptx)
    newer = Tool("nvcc", nvcc.path, "12.0", nvcc.chips)
    made.add(build(PROGRAM, (newer, ptxas_)).ptx)
    assert len(made) == 4


def test_registers_of_another_chip_are_marked(tools):
    assert build(PROGRAM, tools).registers_source == "ptxas 11.8 sm_70"
    for_older = build(Program("simple16.cu", (), (), 75, 70), tools)
    assert for_older.registers == {"scan": 40, "copy": 8}
    assert for_older.registers_source == "ptxas 11.8 sm_70 (for sm_75)"
    nobody = build(PROGRAM, tools[:1])
    assert (nobody.registers, nobody.registers_source) == ({}, "")


def test_what_does_not_compile_has_the_compilers_words(folder):
    path = program(folder, "nvcc", "echo 'line 3: no such thing' >&2; exit 1")
    broken = Tool("nvcc", path, "11.8", frozenset({70}))
    with pytest.raises(BuildError, match=r"simple16\.cu: line 3: no such thing"):
        build(PROGRAM, (broken,))
    with pytest.raises(BuildError, match="no compiler of CUDA"):
        build(PROGRAM, ())
    assert not list((folder / "kept").rglob("*.ptx"))


def test_what_fails_stands_for_its_program(folder, monkeypatch):
    monkeypatch.setattr(building, "tools", lambda: ())
    found = building.build_all([PROGRAM, PROGRAM])
    assert list(found) == [PROGRAM]
    assert isinstance(found[PROGRAM], BuildError)


# -------------------------------------------------------------------------------- what is there


@pytest.fixture
def toolkit(folder, monkeypatch):
    """A folder with a toolkit that is listed; nothing else is there."""
    monkeypatch.setenv(building.FOLDERS, str(folder))
    monkeypatch.setattr(building.shutil, "which", lambda _name: None)
    monkeypatch.setattr(building.sysconfig, "get_paths", lambda: {"purelib": str(folder / "no")})
    building.tools.cache_clear()
    (folder / "bin").mkdir()
    yield folder / "bin"
    building.tools.cache_clear()


def test_toolkits_of_listed_folders_are_asked_what_they_know(toolkit):
    version = "echo 'Cuda compilation tools, release 11.8, V11.8.89'"
    arch = "echo compute_35; echo compute_86"
    program(toolkit, "nvcc", f'case "$1" in --version) {version};; *) {arch};; esac')
    helped = "echo 'sm_86, sm_90 sm_35'"
    program(toolkit, "ptxas", f'case "$1" in --version) {version};; *) {helped};; esac')
    found = {one.kind: one for one in building.tools()}
    assert found["nvcc"].name == "nvcc 11.8"
    assert found["nvcc"].chips == {35, 86}
    assert found["ptxas"].chips == {35, 86, 90}


def test_the_run_time_compiler_is_asked_in_a_process_of_its_own(toolkit, monkeypatch):
    """A script stands for Python: it tells chips, or its options as PTX of a source."""
    library = toolkit.parent / "libnvrtc.so.11"
    library.touch()
    about = """echo '{"version": "11.8", "chips": [35, 70]}'"""
    compile_ = 'echo "$@" > "$5"'
    python = program(toolkit, "python", f"if [ $# = 3 ]; then {about}; else {compile_}; fi")
    monkeypatch.setattr(building.sys, "executable", python)
    (one,) = building.tools()
    assert one == Tool("nvrtc", str(library), "11.8", frozenset({35, 70}))
    module, _, source, _, *options = build(PROGRAM, [one]).ptx.read_text().split()[1:]
    assert (module, Path(source).name) == (building.NVRTC_PROGRAM, "simple16.cu")
    assert tuple(options) == building.options(PROGRAM, "nvrtc", 70)


def test_what_cannot_be_run_is_not_there(toolkit):
    program(toolkit, "nvcc", "exit 1")
    assert building.tools() == ()
