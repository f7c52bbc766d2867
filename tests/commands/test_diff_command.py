"""``warpmill diff`` as people call it."""

import json
import shutil
from pathlib import Path

import pytest

from tests.commands import diff_builds as builds
from warpmill.cli.main import main

SAMPLES = Path(__file__).parents[2] / "samples"
LUD = [str(SAMPLES / "lud" / name) for name in ("lud.ll", "lud.bc")]
VECADD = [str(SAMPLES / "vecadd" / name) for name in ("vecadd.sm_80.ptx", "vecadd.ll")]
LAUNCH = [str(SAMPLES / "vecadd" / name) for name in ("launch.toml", "launch.bc.toml")]


@pytest.fixture
def files(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.ptx").write_text(text)
        return [str(tmp_path / f"{name}.ptx") for name in texts]

    return write


def shown(capsys, *arguments, code=0):
    assert main(["diff", *map(str, arguments)]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_no_difference_is_one_line(files, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    a, b = files(a=builds.SCALAR, b=builds.RENAMED)
    text = shown(capsys, a, b, "--exit-code")
    assert text == f"diff: no differences in 1 kernel of {a} and {b}\n"
    everything = shown(capsys, a, b, "--all")
    assert "differences  none of 27 figures" in everything
    assert "4 x 4 B strided 16" in everything


def test_a_difference_ends_with_1_only_where_that_is_asked_for(files, capsys):
    given = files(a=builds.ROLLED, b=builds.UNROLLED)
    text = shown(capsys, *given)
    assert "b does 2 iterations in one" in text
    assert "8 in a, 4 in b" in text
    assert "Instructions 14 17 +3 +21.4%" in " ".join(text.split())
    assert shown(capsys, *given, "--exit-code", code=1) == text


def test_vectorisation_is_told(files, capsys):
    text = shown(capsys, *files(a=builds.SCALAR, b=builds.VECTOR), "--verbose")
    assert "load global arg0 4 x 4 B strided 16 1 x 16 B contiguous same" in " ".join(text.split())
    assert "arg0 + 16*tid.x + 12" in text
    assert "ld.global.v4.f32 0 1" in " ".join(text.split())


def test_a_kernel_in_one_file_only_is_told(files, capsys):
    given = files(a=TWO, b=TWO.replace("other", "third"))
    text = shown(capsys, *given)
    assert "diff: scale: no differences" in text
    assert "Only in a:\n  · other" in text
    assert "Only in b:\n  · third" in text
    rows = shown(capsys, *given, "--format", "csv").splitlines()
    assert rows[1:] == ["other,kernel,,,,other,,,,false,,,exact,exact",
                        "third,kernel,,,,,third,,,false,,,exact,exact"]  # fmt: skip
    named = shown(capsys, *given, "--kernel", "other", "--kernel-b", "third")
    assert named.startswith("diff: no differences in 1 kernel")


TWO = builds.SCALAR + builds.SCALAR.partition(".address_size 64\n")[2].replace("scale", "other")


def test_a_launch_for_both_kernel_files(files, capsys):
    given = files(a=builds.SCALAR, b=builds.VECTOR)
    launch = ["--grid", "16", "--block", "128", "--arg", "buffer=f32:8192", "--arg", "3"]
    data = json.loads(shown(capsys, *given, *launch, "--format", "json"))
    (kernel,) = data["kernels"]
    rows = {(r["of"], r["key"]): (r["a"], r["b"]) for r in kernel["run"]["accesses"]}
    warps = 16 * 4
    assert rows["load global arg0", "sectors"] == (warps * 64, warps * 16)
    assert kernel["launch_a"]["grid"] == [16, 1, 1]


def test_two_launch_files_are_compared_launch_by_launch(capsys):
    data = json.loads(shown(capsys, *LAUNCH, "--size", "n=1024", "--format", "json"))
    (kernel,) = data["kernels"]
    assert (data["only_in_a"], data["only_in_b"]) == ([], [])
    assert kernel["run"]["a"]["ctas_total"] == kernel["run"]["b"]["ctas_total"] == 4


def test_a_launch_of_one_side_is_no_comparison_of_runs(capsys):
    data = json.loads(shown(capsys, LAUNCH[0], VECADD[1], "--format", "json"))
    (kernel,) = data["kernels"]
    assert kernel["run"] is None
    assert kernel["run_reason"] == "b has no launch"


def test_what_is_assumed_of_a_loop_goes_to_the_build_that_has_it(capsys):
    given = [SAMPLES / "spmv" / name for name in ("launch.toml", "launch.opencl.toml")]
    text = shown(capsys, *given, "--assume", "$L__BB0_7=3", "--verbose", "--size", "rows=64")
    assert "line 123: data decide when loop $L__BB0_7 ends; 3 iterations" in text


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is optional")
def test_ptxas_tells_registers_and_spills(files, capsys):
    spilling = builds.many_live(120).replace("\n{\n", "\n.maxnreg 32\n{\n")
    data = json.loads(shown(
        capsys, *files(a=builds.many_live(120), b=spilling), "--ptxas", "-f", "json"
    ))  # fmt: skip
    rows = {r["key"]: r for r in data["kernels"][0]["figures"] if r["of"] == "ptxas for sm_80"}
    assert rows["registers"]["b"] <= 32 < rows["registers"]["a"]
    assert rows["spill_store_bytes"]["a"] == 0 < rows["spill_store_bytes"]["b"]


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is optional")
def test_what_ptxas_cannot_read_is_unknown(capsys):
    data = json.loads(shown(capsys, *VECADD, "--ptxas", "--format", "json"))
    rows = [r for r in data["kernels"][0]["figures"] if r["of"] == "ptxas for sm_80"]
    assert {(r["b"], r["equal"], r["reason"]) for r in rows} == {(None, None, "b is no PTX")}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-", "-"], "`-` is one: save the other to a file"),
        ([LUD[0], "nothing.ptx"], "cannot be read"),
        ([LUD[0], VECADD[0]], "no kernel is in both"),
        ([*LUD, "--kernel", "lud_x"], "has no kernel lud_x"),
        ([*LUD, "--kernel-b", "lud_internal"], "--kernel has to name one"),
        ([*LUD, "--grid", "1", "--block", "32"], "a launch is for one kernel"),
        ([*VECADD, "--grid", "1"], "needs --block"),
        ([*VECADD, "--assume", "LOOP=3"], "neither build has such a loop"),
        ([*VECADD, "--size", "n=3"], "is a kernel file"),
        ([*LAUNCH, "--grid", "3"], "is a launch file"),
        ([VECADD[1], VECADD[1], "--ptxas"], "--ptxas reads PTX"),
        ([*VECADD, "--format", "dot"], "'dot'"),
    ],
)
def test_wrong_usage_is_told(arguments, words, capsys):
    assert main(["diff", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.ptx", "naught.ptx"], ["nothing.ptx: error:", "naught.ptx: error:"]),
        ([LUD[0], "nothing.ptx", "--kernel", "x"], ["has no kernel x", "nothing.ptx: error:"]),
        ([*LUD, "--kernel", "x", "--kernel-b", "y"], ["has no kernel x", "has no kernel y"]),
        ([*VECADD, "--assume", "P=3", "--assume", "Q=3"], ["--assume P:", "--assume Q:"]),
    ],
)
def test_what_is_wrong_with_both_is_told_at_once(arguments, words, capsys):
    assert main(["diff", *arguments]) == 2
    told = capsys.readouterr().err
    assert [told.count(each) for each in words] == [1, 1]


def test_what_is_wrong_once_is_told_once(capsys):
    assert main(["diff", *VECADD, "--grid", "1"]) == 2
    assert capsys.readouterr().err.count("needs --block") == 1


def test_a_limit_names_its_flag(capsys):
    assert main(["diff", *LAUNCH, "--max-trace-visits", "1"]) == 3
    assert "--max-trace-visits" in capsys.readouterr().err
