"""``warpmill check``: verdicts, exit codes, and findings with their places."""

import json

import pytest

import warpmill
from warpmill.cli.main import main
from warpmill.report.html import fragment
from warpmill.report.page import Page, Style, code_line
from warpmill.report.text import page_text

KERNEL = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 past)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd0, [a];
  ld.param.u64 %rd1, [b];
  ld.param.u32 %r0, [past];
  mov.u32 %r1, %tid.x;
  add.u32 %r2, %r1, %r0;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd0, %rd2;
  ld.global.u32 %r3, [%rd3];
  mul.wide.u32 %rd4, %r1, 4;
  add.u64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5], %r3;
  ret;
}
"""


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "copy.ptx"
    path.write_text(KERNEL)
    return path


def words(kernel, past):
    buffers = ["--arg", "buffer=u32:32:arange", "--arg", "buffer=u32:32"]
    return ["check", str(kernel), "--grid", "1", "--block", "32", *buffers, "--arg", str(past)]


def test_a_clean_kernel_ends_with_0_and_says_so_first(kernel, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    assert main(words(kernel, 0)) == 0
    title, verdict = capsys.readouterr().out.splitlines()[:2]
    assert title == f"check: {kernel}"
    assert verdict.strip().startswith("Clean: nothing was found in 1 launch, by memcheck")


def test_what_is_out_of_bounds_is_one_finding_and_the_launch_goes_on(kernel, capsys):
    assert main([*words(kernel, 3), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    (found,) = report["findings"]
    assert report["verdict"] == "findings"
    assert (found["tool"], found["kind"], found["count"]) == ("memcheck", "out of bounds", 3)
    assert found["access"]["place"]["line"] == 16
    assert found["access"]["thread"] == [29, 0, 0]
    assert found["nearest"] == "0 B past the end of `a` of 128 B"


LAUNCH = """
[[launch]]
module = "copy.ptx"
grid = [1]
block = [32]
args = [{{ buffer = "u32", shape = [32] }}, {{ buffer = "u32", shape = [32] }}, {{ u32 = {past} }}]
"""


@pytest.mark.parametrize("is_unrolled", [False, True], ids=["as it is", "unrolled"])
def test_a_line_is_one_finding_in_all_launches_and_wherever_it_was_unrolled(is_unrolled, kernel):
    if is_unrolled:
        load = "  ld.global.u32 %r3, [%rd3];\n"
        text = KERNEL.replace(load, f"  .loc 1 7 3\n{load}{load}  .loc 1 8 3\n")
        kernel.write_text(text.replace(".visible", '.file 1 "copy.cu"\n.visible', 1))
    path = kernel.parent / "launch.toml"
    path.write_text("".join(LAUNCH.format(past=past) for past in (3, 0, 1)))
    (found,) = warpmill.check(str(path), tools=["memcheck"]).findings
    assert (found.launch, found.launches) == (0, 2)
    assert found.count == (3 + 1) * (2 if is_unrolled else 1)
    assert [line for line in found.details if "likewise" in line] == (
        ["likewise at line 19 of the input"] if is_unrolled else []
    )


def test_what_lands_in_another_buffer_is_out_of_bounds_all_the_same(kernel, capsys):
    """Buffers lie 512 B apart where nobody checks: a run reads the other one, and says nothing."""
    far = words(kernel, 128)
    assert main(["run", *far[1:]]) == 0
    capsys.readouterr()
    assert main([*far, "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["kind"], found["count"]) == ("out of bounds", 32)
    assert found["nearest"] == "384 B past the end of `a` of 128 B"


def test_a_page_points_into_the_code(kernel, capsys):
    assert main(words(kernel, 3)) == 1
    out = capsys.readouterr().out.splitlines()
    place = next(n for n, line in enumerate(out) if "ld.global.u32 %r3, [%rd3];" in line)
    assert out[place + 1].split("|")[1].strip() == "^" * len("ld.global.u32 %r3, [%rd3]")


def test_the_page_as_html_marks_what_is_meant_between_the_lines_beside_it(kernel, capsys):
    assert main([*words(kernel, 3), "--format", "html"]) == 1
    out = capsys.readouterr().out
    assert '<p class="toned error">1 error in 1 launch, by ' in out
    (row,) = (line for line in out.splitlines() if "<mark>" in line)
    before, meant, after = row.partition("<mark>ld.global.u32 %r3, [%rd3]</mark>;")
    assert meant
    assert [before.count("<tr"), after.count("<tr")] == [4, 3]
    assert "add.u64 %rd3, %rd0, %rd2;" in before
    assert "mul.wide.u32 %rd4, %r1, 4;" in after


def test_code_of_strangers_is_no_mark_up_and_carets_stand_below_tabs():
    page = Page(Style(charts=True))
    page.code("<at>", [("<a>", [code_line(7, "\tif (a <\tb)", 5, 9), code_line(8, "<b>")])])
    told = fragment(page.blocks)
    assert "<at>" not in told and "<b>" not in told
    assert "    if (<mark>a &lt; </mark>b)" in told
    assert page_text(page).splitlines()[1:3] == [
        "      7 |     if (a < b)",
        "        |         ^^^^",
    ]


def test_the_api_gives_the_report(kernel):
    report = warpmill.check(kernel, grid=1, block=32, args=["buffer=u32:32"] * 2 + ["1"])
    assert (report.verdict, report.errors, report.launches) == ("findings", 1, 1)
    assert report.findings[0].count == 1


def test_tools_that_there_are_not_are_told(kernel, capsys):
    assert main([*words(kernel, 0), "--tool", "memcheck,leaks"]) == 2
    assert "tools are memcheck" in capsys.readouterr().err


def test_a_barrier_that_is_never_passed_ends_the_run_as_a_finding(tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .pred %p;\n.reg .b32 %r;\nmov.u32 %r, %tid.x;\nsetp.lt.u32 %p, %r, 32;\n"
        "@%p bra L;\nbar.sync 0, 64;\nL:\nadd.u32 %r, %r, 1;\nret;\n}\n"
    )
    assert main(["check", str(path), "--grid", "1", "--block", "64", "-f", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    (found,) = report["findings"]
    assert (found["tool"], found["kind"]) == ("synccheck", "deadlock")
    waits = "warp 1 waits at barrier 0 in line 11: 1 of 2 warps have come"
    assert found["details"] == [waits, "warp 0 has exited"]
    assert found["access"]["place"]["line"] == 11
    assert not report["complete"]


ORDERED = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 flag, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [flag];
  ld.param.u64 %rd1, [out];
  mov.u32 %r0, FIRST;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra SET;
  ld.global.u32 %r1, [%rd0];
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra END;
  st.global.u32 [%rd1+4096], %r0;
  bra END;
SET:
  mov.u32 %r2, 1;
  st.global.u32 [%rd0], %r2;
END:
  add.u32 %r0, %r0, 1;
  ret;
}
"""
"""What comes first sets a flag; who comes before it stores out of bounds."""


@pytest.mark.parametrize(("first", "shape"), [("%warpid", (1, 64)), ("%ctaid.x", (2, 32))])
def test_other_orders_find_what_the_first_does_not(tmp_path, first, shape):
    path = tmp_path / "k.ptx"
    path.write_text(ORDERED.replace("FIRST", first))
    launch = {"grid": shape[0], "block": shape[1], "args": ["buffer=u32:1"] * 2}
    reports = [warpmill.check(path, **launch, tools=["memcheck"], schedules=n) for n in (0, 6, 6)]
    assert [report.verdict for report in reports] == ["clean", "findings", "findings"]
    assert [report.schedules for report in reports] == [1, 7, 7]
    found = [report.findings for report in reports[1:]]
    assert found[0] == found[1]
    (one,) = found[0]
    assert (one.kind, one.count) == ("out of bounds", 32)
    assert one.schedule > 0


def test_what_all_orders_find_is_told_once(kernel, capsys):
    assert main([*words(kernel, 3), "--schedules", "2", "--tool", "memcheck"]) == 1
    out = capsys.readouterr().out
    assert "1 error in 1 launch, by memcheck, in 3 schedules." in " ".join(out.split())
    assert "in run" not in out


LOCKED = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 lock)
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [lock];
AGAIN:
  atom.global.cas.b32 %r0, [%rd0], 0, 1;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra AGAIN;
  atom.global.exch.b32 %r1, [%rd0], 0;
  ret;
}
"""


def test_lanes_that_fight_for_a_lock_go_on_where_they_are_independent(tmp_path, capsys):
    path = tmp_path / "k.ptx"
    path.write_text(LOCKED)
    launch = [str(path), "--grid", "1", "--block", "32", "--arg", "buffer=u32:1"]
    for command, code in (("run", 2), ("check", 1)):
        assert main([command, *launch]) == code
        told = capsys.readouterr()
        assert "--schedule its" in told.out + told.err
        assert main([command, *launch, "--schedule", "its"]) == 0


def test_a_sample_is_titled_by_the_word_that_means_it(alone, capsys):
    word = "samples/vecadd/launch.toml"
    assert main(["check", word, "--size", "n=64", "--tool", "memcheck", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["target"] == word
