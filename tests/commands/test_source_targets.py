"""Commands take a source where they take a kernel file: options, launch files, what is told."""

import json

import pytest

import warpmill
from tests.reference.stand_in_compiler import nvcc_calls, working_folder  # noqa: F401 - fixtures
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main

SOURCE = """// kernel: fill
// body: ld.param.u64 %rd1, [fill_param_0]; st.global.u32 [%rd1], 7; ret;
extern "C" __global__ void fill(int *a) { *a = 7; }
"""
LAUNCH = ["--grid", "1", "--block", "32", "--arg", "buffer=i32:32"]


@pytest.fixture
def source(folder, nvcc):
    (folder / "fill.cu").write_text(SOURCE)
    return "fill.cu"


@pytest.mark.parametrize(
    "words",
    [
        ["analyze"], ["run"], ["check"], ["estimate"], ["simulate"], ["profile"], ["explain"],
        ["trace"],
    ],
)  # fmt: skip
@pytest.mark.one_in(3)
def test_a_command_takes_a_source_with_a_launch(source, words, nvcc, capsys):
    code = main([*words, source, "--arch", "sm_90", "-D", "N=1", *LAUNCH])
    assert code in (0, 1), capsys.readouterr().err  # check finds 32 threads that store to one place
    (call,) = nvcc()
    assert {"-arch=sm_90", "-DN=1"} <= set(call)


def test_inspect_says_what_compiled_a_source(source, capsys):
    assert main(["inspect", source, "--std", "c++17", "--format", "json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["compiled_by"] == "nvcc 13.0.1 --arch sm_80 --std c++17"
    assert file["kernels"][0]["source"] == {
        "file": "fill.cu", "line": 3, "column": 1, "of": "source"
    }  # fmt: skip


def test_two_sources_are_compared(source, folder, nvcc, capsys):
    (folder / "other.cu").write_text(SOURCE.replace("7", "8"))
    assert main(["diff", source, "other.cu", "--arch", "sm_90", "--all"]) == 0
    assert "other.cu" in capsys.readouterr().out
    assert ["-arch=sm_90" in call for call in nvcc()] == [True, True]


def test_a_source_is_compared_with_a_file_that_is_compiled(source, folder, capsys):
    assert main(["inspect", source]) == 0
    (folder / "fill.ptx").write_text(warpmill.load(source).source.text)
    assert main(["diff", source, "fill.ptx", "--arch", "sm_90"]) == 0


def test_options_of_compilers_are_refused_where_nothing_is_compiled(source, folder, capsys):
    (folder / "fill.ptx").write_text(warpmill.load(source).source.text)
    assert main(["analyze", "fill.ptx", "--arch", "sm_90"]) == 2
    assert "--arch is for sources, which are compiled; fill.ptx has none" in capsys.readouterr().err


def test_what_is_wrong_with_options_is_an_error(source, capsys):
    assert main(["analyze", source, "--arch", "volta", "-D", "1"]) == 2
    said = capsys.readouterr().err
    assert "--arch volta: chips are called" in said
    assert "--define 1: a macro is NAME" in said


def test_errors_of_the_compiler_end_the_command_and_are_said_once(source, folder, capsys):
    (folder / source).write_text("// wrong\n" + SOURCE)
    assert main(["estimate", source, *LAUNCH]) == 2
    said = capsys.readouterr().err
    assert said.count('identifier "b" is undefined') == 1
    assert said.count("error: nvcc 13.0.1 does not compile it") == 1


# Launch files.

LAUNCH_FILE = """[compile]
arch = "sm_90"
include = ["headers"]
define = { N = 4, FLAG = true }

[[launch]]
module = "fill.cu"
grid = 1
block = 32
args = [ { buffer = "i32", shape = 32 } ]
"""


def test_a_launch_file_says_how_its_source_is_compiled(source, folder, nvcc, monkeypatch):
    (folder / "launch.toml").write_text(LAUNCH_FILE)
    monkeypatch.chdir(folder.parent)
    job = warpmill.prepare(f"{folder.name}/launch.toml")
    (call,) = nvcc()
    assert {"-arch=sm_90", "-DN=4", "-DFLAG", f"-I{folder}/headers"} <= set(call)
    assert job.loaded.compiled.compiler == "nvcc"


def test_options_go_before_what_a_launch_file_says(source, folder, nvcc):
    (folder / "launch.toml").write_text(LAUNCH_FILE)
    warpmill.prepare("launch.toml", arch="sm_80", define={"N": 5})
    (call,) = nvcc()
    assert "-arch=sm_80" in call
    assert call.index("-DN=4") < call.index("-DN=5"), "the last one holds"


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("sm_90", "volta", "2:8", "chips are called sm_NN"),
        ("arch =", "archs =", "2:1", "unknown key `archs`"),
        ('arch = "sm_90"', 'compiler = "gcc"', "2:12", "compiler"),
        ("N = 4", '"1x" = 1', "4:10", "a macro is NAME or NAME=VALUE"),
    ],
)
@pytest.mark.one_in(1)
def test_what_is_wrong_with_the_table_is_pointed_at(source, folder, capsys, old, new, place, words):
    (folder / "launch.toml").write_text(LAUNCH_FILE.replace(old, new))
    assert main(["analyze", "launch.toml"]) == 2
    said = capsys.readouterr().err
    assert f"launch.toml:{place}" in said
    assert words in said


def test_a_table_goes_unused_where_modules_are_compiled(source, folder):
    (folder / "fill.ptx").write_text(warpmill.load(source).source.text)
    (folder / "launch.toml").write_text(LAUNCH_FILE.replace("fill.cu", "fill.ptx"))
    assert warpmill.prepare("launch.toml").kernel.name == "fill"
    with pytest.raises(UsageError, match="--arch is for sources"):
        warpmill.prepare("launch.toml", arch="sm_75")


# Python.


def test_keywords_say_how_a_source_is_compiled(source, nvcc):
    warpmill.analyze(source, arch="sm_90", std="c++20", define=["A"])
    (call,) = nvcc()
    assert {"-arch=sm_90", "-std=c++20", "-DA"} <= set(call)


def test_a_device_takes_a_source_and_a_text_by_its_name(source, nvcc):
    device = warpmill.Device("cpu")
    for module in (device.load(source), device.load(SOURCE, "text.cu")):
        out = device.array([0] * 32, "int32")
        device.launch(module["fill"], 1, 1, [out])
        assert out.get()[0] == 7
    assert len(nvcc()) == 2
