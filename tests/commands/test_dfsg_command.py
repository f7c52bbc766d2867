"""``warpmill dfsg`` from target to output: graphs of executed launches, files, options, errors."""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import warpmill
from tests.reference import flow_kernels, profile_twin
from tests.reference.random_graphs import GraphMaker, words_of
from tests.reference.run_kernel import Prepared, kernel_text, module_of
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.profile.dfsg.graph import LoopPattern
from warpmill.cli.main import main
from warpmill.executor.compile import CompileOptions
from warpmill.executor.launching import Grid
from warpmill.executor.observation import profile_of
from warpmill.session.dfsgs import dfsgs
from warpmill.session.options import LaunchOptions, RunOptions

SAMPLES = Path(__file__).parents[2] / "samples"
REDUCE = str(SAMPLES / "reduce" / "launch.toml")
SMALL = ["--size", "n=65536"]


def output(capsys, *arguments):
    assert main([str(a) for a in arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def fails(capsys, code, *arguments):
    assert main([str(a) for a in arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


@pytest.fixture
def kernel_file(tmp_path):
    path = tmp_path / "flow.ptx"
    path.write_text(kernel_text(flow_kernels.NORMAL_LOOP, {}, ""))
    return path


# What is counted.


def test_an_executed_kernel_has_the_graph_that_was_worked_out_by_hand(kernel_file):
    (found,) = dfsgs(kernel_file, launch=LaunchOptions(grid="1", block="48"))
    kernel = flow_kernels.kernel_of(flow_kernels.NORMAL_LOOP)
    wanted = profile_twin.interpreted(kernel, block=(48, 1, 1))
    assert (found.launch.index, found.launch.name) == (0, "k")
    assert replace(found, launch=wanted.launch) == wanted


def test_random_kernels_have_the_graphs_of_the_interpreter():
    options = CompileOptions(count_edges=True, count_paths=True)
    for seed in range(6):
        chance = random.Random(f"executed dfsg {seed}")
        kernel = GraphMaker(chance, chance.randint(2, 8)).kernel()
        prepared = Prepared(module_of(kernel), kernel, options)
        out = {"out": np.zeros(words_of(2, 40), np.uint32)}
        ran = prepared.run((2, 1, 1), (40, 1, 1), out)
        profile = profile_of(prepared.compiled, Grid((2, 1, 1), (40, 1, 1)), ran.execution)
        arguments = {"out": GLOBAL_BASE}
        wanted = profile_twin.interpreted(
            kernel, grid=(2, 1, 1), block=(40, 1, 1), arguments=arguments
        )
        assert profile_twin.dfsg_of(profile) == wanted


def test_reduce_halves_its_step_eight_times():
    """256 CTAs of 256 threads: 8 iterations each; the body runs for 128 + 64 + ... + 1 threads."""
    (found,) = dfsgs(REDUCE, launch=LaunchOptions(sizes={"n": 131072}))
    dfsg = found
    threads = 256 * 256
    (loop,) = dfsg.loops
    assert (loop.pattern, loop.counts.iterations) == (LoopPattern.NORMAL, 8 * threads)
    assert loop.counts.iterations_per_thread == 8
    assert loop.counts.iterates_alike is True
    nodes = {node.label: node for node in dfsg.nodes}
    assert (nodes["bb6"].lcount, nodes["bb6"].threads) == (256 * 255, 256 * 128)
    assert nodes["$L__BB0_7"].scount == 8 * threads
    assert nodes["bb9"].ecount == 256


def test_a_host_program_has_a_graph_for_each_launch(kernel_file, capsys, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "def main(device, times=2):\n"
        f"    kernel = device.load({str(kernel_file)!r})['k']\n"
        "    for n in range(times):\n"
        "        device.launch(kernel, grid=n + 1, block=48, args=[])\n"
    )
    graphs = dfsgs(program, launch=LaunchOptions(sizes={"times": "3"}))
    assert [(g.launch.index, g.launch.threads) for g in graphs] == [(0, 48), (1, 96), (2, 144)]
    text = output(capsys, "dfsg", program, "--launch", "1")
    assert "Launch    1: launch 1" in text and "grid 2 (2 CTAs)" in text


def test_launches_of_one_file_share_their_buffers(capsys):
    text = output(capsys, "dfsg", SAMPLES / "scan" / "launch.toml")
    titles = [line for line in text.splitlines() if line.startswith("dfsg: ")]
    assert titles == ["dfsg: scan_blocks", "dfsg: scan_blocks", "dfsg: scan_add"]


def test_limits_of_runs_hold(capsys):
    error = fails(capsys, 3, "dfsg", REDUCE, "--max-instructions", "1000")
    assert "--max-instructions" in error


def test_graphs_are_the_cpus(kernel_file):
    assert warpmill.dfsgs is dfsgs
    options = RunOptions(workers=2, resident_ctas=3)
    how = LaunchOptions(grid="4", block="48")
    assert dfsgs(kernel_file, launch=how, options=options) == dfsgs(kernel_file, launch=how)


# Commands.


def test_show_may_be_left_out(capsys):
    short = output(capsys, "dfsg", REDUCE, *SMALL)
    assert short == output(capsys, "dfsg", "show", REDUCE, *SMALL)
    assert short == output(capsys, "dfsg", *SMALL, REDUCE)


def test_a_file_called_as_a_command(kernel_file, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kernel_file.rename("diff")
    how = ["--grid", "1", "--block", "48"]
    assert output(capsys, "dfsg", "show", "diff", *how) == output(capsys, "dfsg", "./diff", *how)
    assert "Missing argument" in fails(capsys, 2, "dfsg", "diff", *how)


@pytest.mark.parametrize("words", [["dfsg"], ["dfsg", "show"], ["dfsg", "diff"]])
def test_nothing_said_is_help(words, capsys):
    main(words)
    assert "Usage: warpmill dfsg" in "".join(capsys.readouterr())


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_the_help_of_both_ways(option, capsys):
    shown = output(capsys, "dfsg", option)
    assert "TARGET | COMMAND" in shown and "\n  diff  Compare" in shown
    assert "--launch N" in output(capsys, "dfsg", "show", option)


def test_graphs_are_compared_later(capsys, tmp_path):
    path = tmp_path / "reduce.json"
    output(capsys, "dfsg", REDUCE, *SMALL, "--format", "json", "--output", path)
    again = output(capsys, "dfsg", path, "--format", "json")
    assert json.loads(again)["graphs"] == json.loads(path.read_text())["graphs"]
    text = output(capsys, "dfsg", "diff", path, REDUCE, *SMALL, "--exit-code")
    assert "Equal yes" in " ".join(text.split())
    more = ["dfsg", "diff", str(path), REDUCE, "--size", "n=131072", "--format", "json"]
    (launch,) = json.loads(output(capsys, *more))["launches"]
    assert (launch["paired_by"], launch["equal"], launch["distance"]) == ("id", False, 0)
    assert main([*more, "--exit-code"]) == 1


def test_a_build_against_another(capsys):
    other = str(SAMPLES / "reduce" / "launch.bc.toml")
    data = json.loads(output(capsys, "dfsg", "diff", REDUCE, other, *SMALL, "-f", "json"))
    (launch,) = data["launches"]
    assert (launch["paired_by"], launch["equal"], launch["distance"]) == ("position", True, 0)


@pytest.mark.slow
def test_launches_are_chosen_on_each_side(capsys):
    scan = SAMPLES / "scan" / "launch.toml"
    args = ["dfsg", "diff", scan, scan, "--launch", "0", "--launch-b", "1", "-f", "json"]
    (launch,) = json.loads(output(capsys, *args))["launches"]
    assert (launch["a"]["index"], launch["b"]["index"]) == (0, 1)
    (launch,) = json.loads(output(capsys, *args[:6], "-f", "json"))["launches"]
    assert (launch["a"]["index"], launch["b"]["index"], launch["equal"]) == (0, 0, True)
    named = ["dfsg", "diff", scan, scan, "-f", "json", "--kernel", "scan_add"]
    (launch,) = json.loads(output(capsys, *named))["launches"]
    assert (launch["a"]["kernel"], launch["b"]["kernel"]) == ("scan_add", "scan_add")
    error = fails(capsys, 2, *named, "--kernel-b", "scan_blocks")
    assert "has 1 launch and" in error
    error = fails(capsys, 2, "dfsg", "diff", scan, REDUCE)
    assert "has 3 launches and" in error and "--launch-b" in error
    error = fails(capsys, 2, "dfsg", scan, "--launch", "3")
    assert "has no launch 3; launches: 0, 1, 2" in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dfsg", "none.toml"], "none.toml"),
        (["dfsg", "none.json"], "none.json: error: the file cannot be read"),
        (["dfsg", REDUCE, "--grid", "4"], "--grid is for kernel files"),
        (["dfsg", str(SAMPLES / "reduce" / "reduce.sm_80.ptx")], "a launch is needed"),
        (["dfsg", REDUCE, "--kernel", "other"], "launches no kernel other"),
        (["dfsg", "diff", REDUCE], "Missing argument"),
        (["dfsg", REDUCE, "--device", "cuda"], "No such option"),
        (["dfsg", REDUCE, *SMALL, "--kernel", "reduce", "-f", "svgg"], "svgg"),
    ],
)
def test_what_users_get_wrong(arguments, words, capsys):
    assert words in fails(capsys, 2, *arguments)


def test_a_target_without_a_launch_has_no_graph(tmp_path):
    with pytest.raises(UsageError, match="launch is needed"):
        dfsgs(SAMPLES / "reduce" / "reduce.sm_80.ptx")


def test_a_file_of_graphs_is_not_read_as_a_kernel_where_an_option_is_wrong(tmp_path, capsys):
    graphs = tmp_path / "graphs.json"
    graphs.write_text("{}")
    said = fails(capsys, 2, "dfsg", graphs, "--size", "n")
    assert "--size n: this is not of the form" in said
    assert "PTX" not in said
