"""Traces of Accel-Sim as targets of commands, and as what ``trace`` writes."""

import json

import pytest

import warpmill
from tests.traces.accelsim_text import HEADER, TWO_CTAS, WARP_0, WARP_1, cta, trace
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main


@pytest.fixture
def target(tmp_path):
    (tmp_path / "kernel-3.traceg").write_text(TWO_CTAS)
    three = HEADER.replace("(2,1,1)", "(3,1,1)").replace("nregs = 18", "nregs = 40")
    ctas = [cta(k, WARP_0, WARP_1) for k in range(3)]
    (tmp_path / "kernel-4.traceg").write_text(trace(*ctas, header=three))
    other = trace(cta(0, WARP_0, WARP_1), header=HEADER.replace("_Z4stepPf", "last"))
    (tmp_path / "kernel-5.traceg").write_text(other.replace("(2,1,1)", "(1,1,1)"))
    path = tmp_path / "kernelslist.g"
    copy = "MemcpyHtoD,0x00007f0000000000,1024\n"
    path.write_text(f"{copy}kernel-3.traceg\nkernel-4.traceg\nkernel-5.traceg\n")
    return path


def said(capsys, *words):
    assert main([*map(str, words), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_inspect_shows_each_kernel_of_a_list(target, capsys):
    files = said(capsys, "inspect", target)["files"]
    assert [f["kernels"][0]["demangled"] for f in files] == ["step(float*)"] * 2 + ["last"]
    assert files[0]["format"] == "Accel-Sim trace"
    assert files[0]["target"] == "sm_70"
    assert files[0]["kernels"][0]["instructions"] == 7
    assert files[0]["kernels"][0]["launch_bounds"]["max_registers"] == 18
    assert "34 warp instructions" in files[0]["remarks"][0]["message"]


def test_trace_counts_what_stands_there(target, capsys):
    one = said(capsys, "trace", target.with_name("kernel-3.traceg"))["launches"][0]["traced"]
    assert one["summary"]["warp_instructions"] == 34
    # warp 0: 9 with 32 lanes and the atomic with 4 of 32; warp 1: 7 events of 16 lanes
    assert one["grid_warp_instructions"] == 34
    assert one["trace"] == "saved"
    assert "machine code for sm_70" in one["reason"]


def test_launches_of_a_list_are_chosen(target):
    chosen = lambda **how: [  # noqa: E731 - a word
        (job.launch.name, job.launch.grid[0]) for job in warpmill.prepare_all(target, **how)
    ]
    assert chosen() == [("_Z4stepPf", 3), ("last", 1)]
    assert chosen(launches="all") == [("_Z4stepPf", 2), ("_Z4stepPf", 3), ("last", 1)]
    assert chosen(launches=0) == [("_Z4stepPf", 2)]
    assert chosen(kernel="step", launches="all") == [("_Z4stepPf", 2), ("_Z4stepPf", 3)]
    with pytest.raises(UsageError, match="has no launch 3; its launches are 0 to 2"):
        chosen(launches=3)
    with pytest.raises(UsageError, match="launches no kernel nothing"):
        chosen(kernel="nothing")


def test_simulate_issues_each_instruction_with_the_headers_registers(target, capsys):
    found = said(capsys, "simulate", target, "--machine", "a100", "--kernel", "last")
    (launch,) = found["simulations"][0]["result"]["launches"]
    assert launch["warp_instructions"] == 17
    count = launch["registers"]
    assert count["registers_per_thread"] == 18
    assert count["source"] == "header of the trace for sm_70"


def test_estimate_takes_the_same(target, capsys):
    path = target.with_name("kernel-4.traceg")
    found = said(capsys, "estimate", path, "--machine", "v100")
    (one,) = found["launches"][0]["estimates"]
    assert one["warp_instructions"] == 3 * 17
    assert one["registers"]["registers_per_thread"] == 40


@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run",), "neither code nor data to execute"),
        (("profile",), "neither code nor data to execute"),
        (("trace", "--trace", "static"), "neither code nor data for --trace static"),
        (("trace", "--compare"), "neither code nor data to execute"),
        (("trace", "--grid", "3"), "is a trace, which says its launch: --grid is for"),
        (("trace", "--size", "n=3"), "is a trace, which says its launch: --size is for"),
        (("trace", "--assume", "a=3"), "--assume is for traces without data"),
        (("estimate", "--over", "block=32", "-m", "a100"), None),
        (("tune", "--over", "block=32", "--machine", "a100"), "to launch it in another way"),
    ],
)
def test_what_takes_code_or_data_is_refused(target, capsys, words, told):
    command, *rest = words
    assert main([command, str(target.with_name("kernel-3.traceg")), *rest]) == 2
    err = capsys.readouterr().err
    assert told is None or told in " ".join(err.split())


def test_trace_writes_the_form_and_reads_it_again(tmp_path, capsys):
    path = tmp_path / "out" / "kernelslist.g"
    vecadd = ["samples/vecadd/launch.toml", "--size", "n=4096"]
    written = said(capsys, "trace", *vecadd, "--save", path)["launches"][0]
    assert written["saved"]["ctas"] == written["launch"]["ctas"]
    assert written["saved"]["bytes"] == (tmp_path / "out" / "kernel-1.traceg").stat().st_size
    read = said(capsys, "trace", path)["launches"][0]
    for name in ("warp_instructions", "thread_instructions"):
        assert read["traced"]["summary"][name] == written["traced"]["summary"][name]
    sectors = [[a["sectors"] for a in one["accesses"]] for one in (written, read)]
    assert sectors[0] == sectors[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--ctas", "2"), "takes whole grids: leave out"),
        (("--max-trace-bytes", "100"), "raise the limit with --max-trace-bytes"),
        (("--save", "x.traceg"), "name the list of the traces, such as FOLDER/kernelslist.g"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, capsys, words, told):
    path = tmp_path / "out" / "kernelslist.g"
    assert main(["trace", "samples/vecadd/launch.toml", "--save", str(path), *words]) in (2, 3)
    assert told in " ".join(capsys.readouterr().err.split())
    assert not [*tmp_path.iterdir()]
