"""``warpmill samples``: what it lists, shows and runs."""

import json

import pytest

from tests.commands.test_cli_bad_input import fails
from warpmill.checks import equal
from warpmill.cli.main import main
from warpmill.session import workload_runs
from warpmill.session.workload_runs import FILE, PresetFigures, read_figures
from warpmill.session.workloads import Workload, find_workload, workloads


def shown(capsys, *words):
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_the_list_has_every_workload(capsys):
    listed = json.loads(shown(capsys, "samples", "list", "--format", "json"))["samples"]
    assert {sample["name"] for sample in listed} == set(workloads())
    bfs = next(sample for sample in listed if sample["name"] == "bfs")
    assert bfs["form"]["papers"] == ["hybrid", "stargazer", "minibench"]
    tiny = bfs["presets"][0]
    assert tiny["preset"] == "tiny"
    total, kernels = tiny["executed"]["total"], tiny["executed"]["kernels"]
    assert total["threads"] == sum(kernel["threads"] for kernel in kernels)
    assert total["instructions_per_thread"] == total["thread_instructions"] / total["threads"]
    page = shown(capsys, "samples")
    assert all(name in page for name in workloads())
    assert page == shown(capsys, "samples", "list")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("group", ["samples", "machines"])
@pytest.mark.parametrize("options", [(), ("--format", "json"), ("-f", "csv")])
def test_list_may_be_left_out(group, options, capsys):
    assert shown(capsys, group, *options) == shown(capsys, group, "list", *options)


def test_only_options_mean_the_list(capsys):
    assert "Commands:" in shown(capsys, "samples", "--help")


@pytest.mark.parametrize(("group", "name"), [("samples", "bfs"), ("machines", "a100")])
def test_what_is_listed_is_no_command(group, name, capsys):
    told = fails(capsys, [group, name], 2, f"warpmill {group} has no command `{name}`")
    assert f"`warpmill {group} show {name}`" in told
    fails(capsys, [group, "shw"], 2, "Did you mean 'show'?")


def test_the_list_can_be_narrowed(capsys):
    found = json.loads(
        shown(capsys, "samples", "list", "--paper", "stargazer", "--area", "graphs", "-f", "json")
    )["samples"]
    assert {sample["form"]["area"] for sample in found} == {"graphs"}
    assert all("stargazer" in sample["form"]["papers"] for sample in found)
    named = shown(capsys, "samples", "list", "--paper", "Stargazer", "--area", "GRAPHS")
    assert named == shown(capsys, "samples", "list", "--paper", "stargazer", "--area", "graphs")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--area", "foo"], ["--area foo", "there are graphs, stencils, dense", "others"]),
        (["--area", "grafs"], ["did you mean `graphs`", "modern, others"]),
        (["--paper", "foo"], ["--paper foo", "there are hybrid, tbpoint, stargazer"]),
        (["--area", "modern", "--paper", "hybrid"], ["of --area modern --paper hybrid"]),
    ],
)
def test_areas_and_papers_that_are_none_are_told_with_those_there_are(words, said, capsys):
    fails(capsys, ["samples", "list", *words], 2, *said)


def test_one_is_shown_in_full(capsys):
    page = shown(capsys, "samples", "show", "bfs")
    for words in ("Rodinia", "bfs_expand", "BFS_1", "65536 nodes", "scipy.sparse.csgraph.dijkstra"):
        assert words in page


def test_a_run_counts_and_checks(capsys):
    report = json.loads(shown(capsys, "samples", "run", "bfs", "--preset", "tiny", "-f", "json"))
    assert report["passed"]
    figures = report["executed"]
    assert figures["total"]["launches"] == sum(k["launches"] for k in figures["kernels"])
    assert report["checks"][0]["wrong"] == 0
    assert set(report["seconds"]) == {"make", "run", "check"}
    other = json.loads(
        shown(capsys, "samples", "run", "bfs", "--preset", "tiny", "--size", "nodes=64",
              "--build", "opencl", "-f", "json")
    )  # fmt: skip
    assert other["target"] == "bfs:tiny:opencl"
    assert other["sizes"]["nodes"] == 64


def test_a_wrong_result_ends_with_exit_code_1(capsys, monkeypatch):
    def call(self, name, *given, **named):
        if name == "check":
            return [equal("levels", [1], [2], "nothing")]
        return plain(self, name, *given, **named)

    plain = workload_runs._Program.call
    monkeypatch.setattr(workload_runs._Program, "call", call)
    assert main(["samples", "run", "bfs", "--preset", "tiny"]) == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bsf"], "there is no workload `bsf`"),
        (["bfs", "--preset", "huge"], "bfs has no preset `huge`"),
        (["bfs", "--build", "sm_10"], "bfs has no build `sm_10`"),
        (["bfs:tiny"], "here the workload alone is named"),
        (["bfs", "--size", "seed=-1"], "a seed is 0 or more"),
        (["bfs", "--size", "block=0"], "a CTA has 1 to 1024 threads"),
        (["bfs", "--size", "nodes"], "--size nodes: this is not of the form NAME=VALUE"),
        (["bfs", "--build", "opencl", "--device", "cuda"], "takes PTX, not LLVM bitcode"),
        (["bfs", "--max-instructions", "10"], "--max-instructions"),
    ],
)
def test_what_cannot_run_is_told(words, told, capsys):
    assert main(["samples", "run", *words]) in (2, 3)
    assert told in capsys.readouterr().err


def test_figures_that_were_never_counted_are_unknown(capsys, monkeypatch):
    monkeypatch.setattr("warpmill.commands.samples.result.read_figures", lambda _: {})
    listed = json.loads(shown(capsys, "samples", "show", "bfs", "-f", "json"))["samples"]
    assert listed[0]["presets"][0]["executed"] is None
    assert "not counted yet" in shown(capsys, "samples", "show", "bfs")


def test_a_broken_file_of_figures_is_told(tmp_path):
    (tmp_path / FILE).write_text("[]")
    broken = Workload("broken", tmp_path, find_workload("bfs").form)
    with pytest.raises(Exception, match=f"this is no {FILE}"):
        read_figures(broken)
    assert PresetFigures(()).total.launches == 0


def test_a_program_that_fails_is_told_at_its_line(capsys):
    words = ["samples", "run", "bfs", "--preset", "tiny", "--size", "graph=none"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "error: bfs: " in error
    assert "warpmill samples show bfs lists sizes that work" in error
