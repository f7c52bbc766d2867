"""``warpmill explain``: what it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from warpmill.cli.main import main
from warpmill.report import estimate_sections
from warpmill.simulator.machines import new_machine_text

SAMPLES = Path(__file__).parents[2] / "samples"
SCAN = ("explain", str(SAMPLES / "scan" / "launch.toml"), "--size", "n=4096", "-m", "a100")
ADD = (*SCAN, "--kernel", "scan_add")


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "100")

    def written(*words: str) -> str:
        assert main(list(words)) == 0
        return capsys.readouterr().out

    return written


def test_the_line_that_waits_stands_first_with_its_text(out: Any) -> None:
    text = out(*ADD)
    lines = text.splitlines()
    place = next(k for k, line in enumerate(lines) if line.split()[:1] == ["Share"])
    first, detail = lines[place + 1 : place + 3]
    assert "out[first] += before;" in first or "out[second] += before;" in first
    assert "most time at add.s32" in detail
    assert "after loads at scan.cu:56, " in " ".join(lines[place + 2 : place + 4])
    assert "DRAM latency" in text


def test_top_says_how_many_lines_are_shown(out: Any) -> None:
    data = json.loads(out(*ADD, "-f", "json"))
    (one,) = data["launches"][0]["explanations"]
    whole = len(one["lines"])
    short = out(*ADD, "--top", "2")
    assert short.count("most time at") == 2
    assert f"and {whole - 2} more (--verbose)" in short
    assert out(*ADD, "--top", "2", "--verbose").count("most time at") == whole
    assert data["top"] == 10


def test_each_launch_has_a_page_with_the_lines_on_each_machine(out: Any) -> None:
    text = out(*SCAN, "-m", "v100")
    assert text.count("explain: scan_blocks") == 2
    assert text.count("explain: scan_add") == 1
    for machine in ("a100", "v100"):  # and all launches together
        assert text.count(f"Source counters on {machine}: lines") == 3 + 1


def test_csv_has_a_row_for_each_instruction(out: Any) -> None:
    rows = list(csv.DictReader(out(*ADD, "-f", "csv").splitlines()))
    assert sum(float(row["time_fraction"]) for row in rows) == pytest.approx(1.0)
    (load,) = (r for r in rows if r["line"] == "58" and r["opcode"] == "ld.global.u32")
    assert (load["space"], load["buffer"], load["sectors"]) == ("global", "scan_add_param_0", "4.0")
    (sum_,) = (r for r in rows if r["line"] == "58" and r["opcode"] == "add.s32")
    assert sum_["waits_for"] == "scan.cu:56; scan.cu:58"
    assert {row["mark"] for row in rows} == {"modelled"}


def test_how_it_is_estimated_is_told(out: Any) -> None:
    more = ("--mode", "eq8", "--l2", "warm", "--timed", "event", "--set", "sm.count=7")
    text = out(*ADD, *more)
    assert "Equation 8 of the hybrid paper" in text
    assert "warm: as an equal launch left it" in text
    assert "sm.count = 7" in text
    assert [line.split() for line in text.splitlines() if line.strip().startswith("timed")] == [
        ["timed", "by", "events", "around", "one", "launch"]
    ]
    assert "timed" not in out(*ADD)
    data = json.loads(out(*ADD, *more, "-f", "json"))
    assert tuple(data["options"][key] for key in ("mode", "l2", "timed")) == (
        "eq8",
        "warm",
        "event",
    )
    plain = json.loads(out(*ADD, "-f", "json"))["launches"][0]["estimates"][0]
    other = data["launches"][0]["estimates"][0]
    assert other["launch_us"] > plain["launch_us"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--top", "0"), "--top"),
        (("--assume", "x=3..9"), "has no loop x"),
        (("-m", "h1000"), "there is no machine"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ADD, *words]) == 2
    assert message in capsys.readouterr().err


# Several launches, and machines that a launch does not fit on.


def test_lines_of_all_launches_make_their_execution(out: Any) -> None:
    data = json.loads(out(*SCAN, "-m", "v100", "-f", "json"))
    assert [t["machine"] for t in data["totals"]] == ["a100", "v100"]
    for number, total in enumerate(data["totals"]):
        times = [launch["estimates"][number] for launch in data["launches"]]
        ones = [launch["explanations"][number] for launch in data["launches"]]
        for key in ("time_us", "execution_us", "launch_us"):
            assert total[key] == pytest.approx(sum(one[key] for one in times))
        lines = data["total_lines"][number]["lines"]
        assert sum(line["time_us"] for line in lines) == pytest.approx(total["execution_us"])
        assert sum(line["time_fraction"] for line in lines) == pytest.approx(1.0)
        times = [line["time_us"] for line in lines]
        assert times == sorted(times, reverse=True)
        for line in lines:
            own = [x for one in ones for x in one["lines"] if x["place"] == line["place"]]
            assert line["launches"] == len(own)
            assert line["time_us"] == pytest.approx(sum(x["time_us"] for x in own))
            assert line["warp_instructions"] == pytest.approx(
                sum(x["warp_instructions"] for x in own)
            )


def test_lines_say_which_kernels_and_launches_have_them(out: Any) -> None:
    """Two launches of scan_blocks, one of scan_add, which have no line in common."""
    (total,) = json.loads(out(*SCAN, "-f", "json"))["total_lines"]
    kernels = {
        line["place"]["line"]: (line["kernels"], line["launches"]) for line in total["lines"]
    }
    blocks, add = (next(k for k, n in kernels.values() if n == launches) for launches in (2, 1))
    assert [names[0].partition("(")[0] for names in (blocks, add)] == ["scan_blocks", "scan_add"]
    text = out(*SCAN)
    page = text.partition("explain: 3 launches, one after another")[2]
    assert f"in 2 launches of {blocks[0]}" in " ".join(page.split())


def test_counts_of_all_launches_are_as_sure_as_the_least_sure(out: Any) -> None:
    """8 CTAs and 1 are all counted; of 128 some are."""
    exact = json.loads(out(*SCAN, "-f", "json"))
    (total,) = exact["total_lines"]
    assert total["marks"]["lines.warp_instructions"] == "exact"
    large = (*SCAN[:2], "--size", "n=65536", "-m", "a100", "-f", "json")
    (total,) = json.loads(out(*large))["total_lines"]
    assert total["marks"]["lines.warp_instructions"] == "sampled"


def test_one_launch_has_no_page_of_all(out: Any) -> None:
    assert "one after another" not in out(*ADD)


def test_of_many_launches_those_that_take_longest_have_pages(
    out: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first launch takes longest; the second is the smallest."""
    monkeypatch.setattr(estimate_sections, "MOST_PAGES", 2)
    data = json.loads(out(*SCAN, "-f", "json"))
    times = [launch["estimates"][0]["time_us"] for launch in data["launches"]]
    text = out(*SCAN)
    assert text.count("explain: scan_") == 2
    assert "explain: 3 launches, one after another" in text
    assert "pages: of the 2 launches that take longest (--verbose: of all)" in text
    shown = [f"{t:.4g} µs on NVIDIA" in text.replace(",", "") for t in times]
    assert [not missing for missing in shown].index(True) == times.index(min(times))
    whole = out(*SCAN, "--verbose")
    assert whole.count("explain: scan_") == 3
    assert "pages: of the" not in whole


def narrow(folder: Path) -> str:
    """A machine whose CTAs have 128 threads at most."""
    file = folder / "narrow.toml"
    file.write_text(new_machine_text("v100", {"sm.max_threads_per_block": 128}, "narrow"))
    return str(file)


def test_a_machine_that_a_launch_does_not_fit_on_is_told(out: Any, tmp_path: Path) -> None:
    data = json.loads(out(*ADD, "-m", narrow(tmp_path), "-f", "json"))
    (launch,) = data["launches"]
    assert [one["machine"] for one in launch["explanations"]] == ["a100"]
    (missing,) = launch["not_estimated"]
    assert missing["machine"] == "narrow"
    assert "a CTA has at most 128" in missing["reason"]
    text = out(*ADD, "-m", narrow(tmp_path))
    assert "narrow no estimate: the launch does not fit on narrow" in " ".join(text.split())


def test_where_it_fits_on_no_machine_that_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for word in ADD if word not in {"-m", "a100"}]
    assert main([*words, "-m", narrow(tmp_path)]) == 2
    assert "does not fit on narrow" in capsys.readouterr().err


# Inputs of other kinds.


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("words", "of"),
    [
        (("matmul/launch.toml", "--size", "n=128"), "input"),
        (("matmul/launch.bc.toml", "--size", "n=128"), "printed bitcode"),
        (("matmul/launch.opencl.toml", "--size", "n=128"), "printed bitcode"),
        (("stencil5/launch.bc.toml", "--size", "width=64"), "source"),
        (("scan/launch.toml", "--size", "n=4096", "-k", "scan_add"), "source"),
    ],
)
@pytest.mark.parametrize("mode", ["waves", "eq8"])
def test_times_of_lines_make_the_execution(
    out: Any, words: tuple[str, ...], of: str, mode: str
) -> None:
    target = ("explain", str(SAMPLES / words[0]), *words[1:], "--mode", mode, "-f", "json")
    (launch,) = json.loads(out(*target))["launches"]
    (one,), (whole,) = launch["explanations"], launch["estimates"]
    for part in ("lines", "instructions"):
        assert sum(x["time_us"] for x in one[part]) == pytest.approx(whole["execution_us"])
    longest = one["lines"][0]  # further down are lines of headers, which are not at hand
    assert (longest["place"]["of"], bool(longest["text"])) == (of, True)


def test_text_of_llvm_is_explained_too(out: Any, tmp_path: Path) -> None:
    """An .ll file is its own text: lines are those of the file."""
    text = (SAMPLES / "vecadd" / "vecadd.ll").read_text()
    (tmp_path / "own.ll").write_text(text)
    words = ("--grid", "64", "--block", "256", *(["--arg", "buffer=f32:16384"] * 3))
    data = json.loads(
        out("explain", str(tmp_path / "own.ll"), *words, "--arg", "16384", "-f", "json")
    )
    (one,) = data["launches"][0]["explanations"]
    lines = text.splitlines()
    for line in one["lines"]:
        assert line["text"] == " ".join(lines[line["place"]["line"] - 1].split())
    assert "fadd" in one["lines"][0]["text"]


def test_saved_traces_are_explained_as_those_that_they_are_of(out: Any, tmp_path: Path) -> None:
    saved = str(tmp_path / "scan.wmt")
    out("trace", *ADD[1:4], "-k", "scan_add", "--save", saved)
    kept, made = (json.loads(out(*ADD, *more, "-f", "json")) for more in (["--trace", saved], []))
    assert kept["launches"][0]["explanations"] == made["launches"][0]["explanations"]


def test_one_instruction_is_not_several(out: Any, tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n"
    )
    text = out("explain", str(file), "--grid", "1", "--block", "1")
    assert "most time at ret" in text
    assert "100%" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.toml",), "there is no such file"),
        (("nothing:tiny",), "no workload"),
        ((str(SAMPLES / "scan" / "launch.toml"), "-k", "none"), "launches no kernel none"),
        ((str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx"),), "a launch is needed"),
        (("bfs:tiny", "--launch", "99"), "has no launch 99"),
        ((str(SAMPLES / "reduce" / "launch.gfx90a.toml"),), "compiled for warps of 64 lanes"),
    ],
)
def test_what_is_not_there_is_refused(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *words]) == 2
    assert message in capsys.readouterr().err
