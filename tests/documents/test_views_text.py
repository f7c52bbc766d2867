import csv
from pathlib import Path

import pytest

import warpmill
from warpmill.cli.main import main
from warpmill.commands.analyze.result import analyze_report
from warpmill.commands.machines.result import MachineListReport
from warpmill.report.base import Mark
from warpmill.report.facts import SourcePlace
from warpmill.report.page import Page, Style, capacity, figure, percent, size
from warpmill.report.safe import escaped, printable
from warpmill.report.text import page_text, render
from warpmill.report.words import dimensions, few, place, plural, variable

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (figure(738107.5, Mark.MODELLED), "738,108~"),
        (figure(12, Mark.EXACT, "cycles"), "12 cycles"),
        (figure(0.12345, Mark.SAMPLED), "0.1235≈"),
        (figure(998.76, Mark.ASSUMED), "998.8?"),
        (figure(None, Mark.EXACT), "-"),
        (figure(0), "0"),
        (percent(0.975, Mark.MODELLED), "97.5%~"),
        (percent(0.9996), "100%"),
        (percent(None), "-"),
        (size(9999), "9,999 B"),
        (size(67108864, Mark.SAMPLED), "67.1 MB≈"),
        (size(1.5e9), "1.5 GB"),
        (capacity(40 << 20), "40 MiB"),
        (capacity(768 << 10, Mark.ASSUMED), "768 KiB?"),
        (dimensions([64, 1, 1]), "64"),
        (dimensions([1, 1, 1]), "1"),
        (dimensions([1, 2, 1]), "1 x 2"),
        (plural(1, "branch"), "1 branch"),
        (plural(2, "branch"), "2 branches"),
        (few(["a.cu:1", "a.cu:2", "a.cu:2", "b.cu:3"]), "a.cu:1, 2, b.cu:3"),
        (few(list("123456")), "1, 2, 3, 4 and 2 more"),
    ],
)
def test_words_for_figures(shown, words):
    assert shown == words


def test_lines_of_the_file_itself_stand_alone():
    where = SourcePlace(file="/x/a.ptx", line=7, column=1, of="input")
    assert place(where, "/x/a.ptx") == "7"
    assert place(where, "b.ptx") == "a.ptx:7"
    assert place(None) == "-"


def test_buffers_by_their_short_names():
    kernel = analyze_report([warpmill.prepare(SAMPLES / "matmul" / "matmul.sm_80.ptx")])
    facts = kernel.analyses[0].kernel
    assert variable("matmul_param_3", facts) == "param_3"
    assert variable("_ZZ6matmulE6a_tile", facts) == "a_tile"
    assert variable("_ZN2ns5tableE", facts) == "table"
    assert variable("matmul.a_tile", facts) == "a_tile"
    assert variable(None, facts) == "-"


def test_what_a_name_may_not_do_to_a_terminal():
    assert escaped("a\x1b[2Jb\u202ec\td\n") == "a\\x1b[2Jb\\x202ec\td\n"
    assert printable("\x1b[1mbold\x1b[0m\x1b[2J") == "\x1b[1mbold\x1b[0m\\x1b[2J"


def shown(*rows, width=40, wrap=(), colour=False):
    page = Page(Style(width=width, colour=colour))
    page.title("title [red]")
    page.table(("name", "count"), rows, wrap=wrap)
    return page_text(page)


def test_columns_line_up():
    lines = shown(("a", "1"), ("longer", "1,000")).splitlines()
    assert lines == ["title [red]", "  name    count", "  a           1", "  longer  1,000"]


def test_narrow_pages_break_the_columns_that_may_break():
    lines = shown(("word " * 12, "1,000,000"), wrap=(0,)).splitlines()
    assert all(len(line) <= 40 for line in lines)
    assert "1,000,000" in lines[2]
    assert "".join(lines).count("word") == 12


def test_colour_only_where_it_is_wanted():
    assert "\x1b[" not in shown(("a", "1"))
    assert "\x1b[1m" in shown(("a", "1"), colour=True)


def out(capsys, *arguments):
    assert main([str(a) for a in arguments]) == 0
    return capsys.readouterr().out


def test_analyze_tells_formula_and_number(capsys):
    text = out(capsys, "analyze", SAMPLES / "matmul" / "launch.toml")
    assert "max(1, ceildiv(matmul_param_3, 16))" in text
    assert "max(1, ceildiv(matmul_param_3, 16))  64 " in text
    assert "16  load shared" in text
    assert "matmul_param_3 <" in text
    assert "Divergent" in text
    assert "2  synchronisation     bar.sync " in text
    assert "4≈ sectors" in text
    assert "temporal" in text


LONG_NAMES = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .f32 PARAMETER)
{
.reg .pred %p<2>; .reg .f32 %f<4>;
ld.param.f32 %f1, [PARAMETER];
a_very_long_label_of_a_block_that_comes_from_an_inlined_function_0:
setp.lt.f32 %p1, %f1, 0f40800000;
@%p1 bra a_very_long_label_of_a_block_that_comes_from_an_inlined_function_0;
ret;
}
"""


def test_analyze_keeps_long_conditions_and_labels_readable(tmp_path, capsys):
    file = tmp_path / "k.ptx"
    file.write_text(LONG_NAMES.replace("PARAMETER", "the_threshold_" * 20))
    text = out(capsys, "analyze", file)
    trips = text.partition("unknown (--assume")[2].partition("\nBranches")[0]
    assert "..." in "".join(trips.split())
    table = text.partition("\nBranches")[2].partition("Memory accesses")[0]
    assert "Dependence" in table
    assert "argument" in table  # in one piece
    assert trips not in out(capsys, "analyze", file, "--verbose")


def test_analyze_tells_how_to_say_what_is_unknown(capsys):
    text = out(capsys, "analyze", SAMPLES / "spmv" / "spmv.sm_80.ptx")
    assert "--assume '$L__BB0_7=N'" in " ".join(text.split())


def test_inspect_tells_the_coverage(capsys):
    text = out(capsys, "inspect", SAMPLES / "matmul" / "matmul.sm_80.ptx")
    words = " ".join(text.split())
    assert "Instructions 103 Instructions by the nearest rule 0 " in words
    assert "Threads per CTA at most 256" in words


def test_trace_shows_a_warp_with_its_loops_folded(capsys):
    launch = SAMPLES / "matmul" / "launch.toml"
    text = out(capsys, "trace", launch, "--warp", "0")
    assert "Warp 0 of CTA 0,0,0: 67 block executions, loops folded" in text
    assert "repeat 64 times:" in text
    assert "32 lanes 0xffffffff" in text
    assert "(chosen)" in text


def test_estimate_puts_machines_side_by_side(capsys):
    launch = SAMPLES / "vecadd" / "launch.toml"
    text = out(capsys, "estimate", launch, "-m", "a100,v100", "-m", "t4", "--regs", "16")
    (header,) = {line for line in text.splitlines() if line.split()[:1] == ["a100"]}
    assert header.split() == ["a100", "v100", "t4"]
    (time,) = [line for line in text.splitlines() if line.strip().startswith("Duration")]
    assert len(time.split()) == 2 + 3
    assert len(time) == len(header)
    assert "DRAM bandwidth" in text
    (launching,) = [
        line for line in text.splitlines() if line.strip().startswith("Launch overhead")
    ]
    assert len(launching.split()) == 3 + 3
    assert "assumptions of the trace" not in text


def test_many_machines_come_in_several_tables(capsys):
    launch = SAMPLES / "vecadd" / "launch.toml"
    names = ["a100", "v100", "t4", "p100", "l4"]
    text = out(capsys, "estimate", launch, "-m", ",".join(names), "--regs", "16")
    headers = [
        line.split() for line in text.splitlines() if line.split()[:1] in (["a100"], ["p100"])
    ]
    assert ["a100", "v100", "t4"] in headers
    assert ["p100", "l4"] in headers


def test_verbose_lists_every_assumed_value(capsys):
    launch = SAMPLES / "vecadd" / "launch.toml"
    short = out(capsys, "estimate", launch, "-m", "t4")
    full = out(capsys, "estimate", launch, "-m", "t4", "--verbose")
    assert "more (--verbose)" in short
    assert "more (--verbose)" not in full
    assert full.count("(inherited)") + full.count("(stated)") > 3


def test_overrides_and_the_paper_pipeline_are_told(capsys):
    launch = SAMPLES / "vecadd" / "launch.toml"
    text = out(capsys, "estimate", launch, "-m", "a100", "--set", "sm.count=54", "--mode", "eq8")
    assert "sm.count = 54" in text
    assert "Equation 8 of the hybrid paper" in text


def test_how_a_launch_is_timed_and_what_l2_has_are_told(capsys):
    launch = SAMPLES / "vecadd" / "launch.toml"
    ways = ("--l2", "warm", "--timed", "back-to-back")
    text = out(capsys, "estimate", launch, "-m", "a100", *ways)
    assert "warm: as an equal launch left it" in text
    assert "one of many launches in a stream" in text
    plain = out(capsys, "estimate", launch, "-m", "a100")
    assert "an equal launch before" not in plain and "timed" not in plain


@pytest.mark.slow
def test_settings_and_the_pipeline_change_the_estimate(capsys):
    launch = SAMPLES / "matmul" / "launch.toml"

    def figures(*more):
        text = out(capsys, "estimate", launch, "-m", "a100", "-f", "csv", *more)
        (row,) = csv.DictReader(text.splitlines())
        return row

    def cycles(*more):
        return float(figures(*more)["cycles"])

    usual = cycles()
    assert cycles("--set", "sm.count=54") == pytest.approx(2 * usual, rel=0.1)
    assert cycles("--regs", "128") > usual
    assert figures("--mode", "eq8") != figures()
    times = {way: figures("--timed", way) for way in ("kernel", "event")}
    assert times["kernel"]["execution_us"] == times["event"]["execution_us"]
    assert float(times["kernel"]["time_us"]) < float(times["event"]["time_us"])
    small = "--size", "n=256"
    assert float(figures(*small, "--l2", "warm")["dram_bytes"]) == 0
    assert float(figures(*small)["dram_bytes"]) == pytest.approx(2 * 256 * 256 * 4, rel=0.01)


def test_a_graph_with_its_loop_as_a_box(capsys):
    text = out(capsys, "analyze", SAMPLES / "matmul" / "matmul.bc", "--format", "dot")
    assert text.startswith('digraph "matmul" {\n')
    assert text.count("{") == text.count("}")
    assert 'subgraph "cluster 59" {' in text
    assert "trip count max(1, ceildiv(arg3, 16))" in text
    assert text.count("style=bold") == 1
    analysis = analyze_report([warpmill.prepare(SAMPLES / "matmul" / "matmul.bc")]).analyses[0]
    assert text.count(" -> ") == analysis.edges
    assert text.count("instructions\\n") == len(analysis.blocks)


def test_only_analyses_are_graphs():
    with pytest.raises(warpmill.WarpmillError, match="dot is for analyze"):
        render(MachineListReport(machines=()), "dot")


def test_numbers_of_machines_have_their_thousands_apart(capsys):
    shown = " ".join(out(capsys, "machines", "show", "a100", "--verbose").split())
    for words in ("sm_mhz 1,410 MHz", "size_bytes 41,943,040 B", "compute_capability 8.0"):
        assert words in shown
    shown = " ".join(out(capsys, "machines", "diff", "v100", "a100").split())
    for words in ("clock.sm_mhz 1,530? 1,410 MHz", "dram.bandwidth_gbs 900 1,555.2 GB/s"):
        assert words in shown
    table = out(capsys, "machines", "diff", "v100", "a100", "--format", "csv")
    assert "clock.sm_mhz,MHz,1530.0,1410.0" in table


def test_new_machines_load_again(tmp_path, capsys):
    path = tmp_path / "wide.toml"
    base = ["machines", "new", "wide", "--from", "a100", "--set", "sm.count=160"]
    assert out(capsys, *base, "--out", path) == ""
    assert out(capsys, *base) == path.read_text("utf-8")
    rows = out(capsys, "machines", "show", path, "--format", "csv").splitlines()
    assert any(row.startswith("sm.count,160,SMs,stated") for row in rows)
    diff = out(capsys, "machines", "diff", "a100", path, "--format", "csv")
    assert "sm.count,SMs,108,160,exact,exact" in diff.splitlines()
