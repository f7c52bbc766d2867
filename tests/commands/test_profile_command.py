"""``warpmill profile``: reports, choices, many launches, rules of machines, bad input."""

import csv
import io
import json
import time
from pathlib import Path

import pytest

import warpmill
from warpmill.cli.main import main
from warpmill.commands.profile.result import profile_report
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.overhead import profile_with_overhead

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"
SCAN = str(SAMPLES / "scan" / "launch.toml")
REDUCE = [str(SAMPLES / "reduce" / "launch.toml"), "--size", "n=8192"]
ROUNDS = f"""
import numpy as np

def main(device, n=64, rounds=3):
    add = device.load({str(VECADD)!r})["vecadd"]
    x = device.array(np.ones(n, np.float32), name="x")
    for k in range(rounds):
        device.launch(add, 2 + k % 2, 32, [x, x, x, n])
    return {{"x": x}}
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rounds.py").write_text(ROUNDS)
    return "rounds.py"


def written(capsys, *words, code=0):
    assert main(["profile", *words]) == code
    return capsys.readouterr().out


def report_of(capsys, *words):
    return json.loads(written(capsys, *words, "--format", "json"))


def fails(capsys, words, code, *expected):
    assert main(["profile", *words]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert "internal error" not in captured.err
    for word in expected:
        assert word in captured.err


# ---------------------------------------------------------------------------------- report


def test_a_launch_is_reported_with_all_that_was_counted(capsys):
    report = report_of(capsys, *REDUCE)
    assert report["counted"] == ["edges", "lanes", "paths", "memory", "ctas"]
    (launch,) = report["launches"]
    whole = launch["profile"]
    assert (whole["grid"], whole["ctas"], whole["static_instructions"]) == ([16, 1, 1], 16, 50)
    assert whole["barriers"] == 16 * 8 * 9
    (loop,) = launch["loops"]
    assert (loop["label"], loop["counts"]["iterations"]) == ("$L__BB0_5", 16 * 256 * 8)
    assert loop["counts"]["by_warp"] == [{"iterations": 8, "threads": 1, "warps": 128}]
    spread = launch["cta_spread"]
    assert (spread["block_vectors"], spread["warp_instructions"]["mean"]) == (1, 725)
    assert launch["per_cta"] is None
    assert report["collectors"] == []
    assert report["overhead"] is None


def test_figures_of_parts_are_those_of_the_launch(capsys):
    for launch in report_of(capsys, SCAN)["launches"]:
        whole = launch["profile"]
        for kinds in ("opcodes", "classes", "lines"):
            for key in (
                "static_instructions", "warp_instructions", "thread_instructions", "predicated_on",
            ):  # fmt: skip
                assert sum(one["executions"][key] for one in launch[kinds]) == whole[key], (
                    kinds,
                    key,
                )
        for key in ("warp_instructions", "thread_instructions"):
            assert sum(block[key] for block in launch["blocks"]) == whole[key]
        assert sum(b["counts"]["warps"] for b in launch["blocks"]) == whole["block_executions"]
        fractions = [block["warp_instruction_fraction"] for block in launch["blocks"]]
        assert sum(fractions) == pytest.approx(1)
        for block in launch["blocks"]:
            assert sum(block["lanes"].values()) == block["counts"]["warps"]
            lanes = sum(int(n) * count for n, count in block["lanes"].items())
            assert lanes == block["counts"]["threads"]
        for rows in ([one["counts"] for one in launch["accesses"]], launch["memory"]):
            for key in ("sectors", "bytes_transferred", "bank_conflicts"):
                assert sum(one[key] or 0 for one in rows) == whole[key], key
            assert sum(one["lines"] or 0 for one in rows) == whole["memory_lines"]
            read = sum(o["bytes_requested"] for o in rows if o["kind"] != "store")
            assert read == whole["bytes_read"]
        assert whole["bytes_transferred"] == 32 * whole["sectors"]
        assert whole["bank_conflicts"] > 0 or launch["kernel"] == "scan_add"


def test_accesses_have_their_place_and_what_their_space_has(capsys):
    (launch,) = report_of(capsys, *REDUCE)["launches"]
    text = (SAMPLES / "reduce" / "reduce.sm_80.ptx").read_text().splitlines()
    for access in launch["accesses"]:
        assert access["opcode"] in text[access["place"]["line"] - 1]
        counts = access["counts"]
        has_banks = counts["space"] == "shared"
        assert (counts["wavefronts"] is not None) == has_banks
        assert (counts["lines"] is None) == (counts["bytes_transferred"] is None) == has_banks


def test_what_stands_out_comes_first(capsys):
    """The tree of the scan has bank conflicts, most at scan.cu:25 (samples/scan)."""
    words = [SCAN, "--kernel", "scan_blocks", "--size", "n=4096", "--count", "memory"]
    launch = report_of(capsys, *words)["launches"][0]
    (found, *_) = [f for f in launch["findings"] if "bank conflict" in f["text"]]
    assert found["place"]["file"].endswith("scan.cu")
    assert found["text"] in " ".join(launch["answer"])
    text = written(capsys, *words)
    assert text.index("bank conflicts") < text.index("Launch statistics")


def test_a_line_that_no_compiler_recorded_is_that_of_the_input(capsys):
    """nvcc gives jumps of its own the line 0."""
    for launch in report_of(capsys, SCAN, "--count", "blocks")["launches"]:
        places = [one["place"] for one in (*launch["blocks"], *launch["lines"])]
        assert {place["of"] for place in places} >= {"source"}
        assert min(place["line"] for place in places) > 0


def test_each_cta_is_given_where_it_is_asked_for(capsys):
    report = report_of(capsys, *REDUCE[:2], "n=8000", "--per-cta")
    (launch,) = report["launches"]
    ctas, whole = launch["per_cta"]["counts"], launch["profile"]
    for key in ("warp_instructions", "thread_instructions", "memory_lines"):
        assert len(ctas[key]) == whole["ctas"]
        assert sum(ctas[key]) == whole[key]
    for cta, number in enumerate(ctas["vectors"]):
        for word in ("warp", "thread"):
            counts = ctas[f"block_{word}s"][number]
            each = [n * b["instructions"] for n, b in zip(counts, launch["blocks"], strict=True)]
            assert sum(each) == ctas[f"{word}_instructions"][cta]
    for fractions in launch["per_cta"]["warp_instruction_fractions"]:
        assert sum(fractions) == pytest.approx(1)
    assert sum(launch["per_cta"]["vector_ctas"]) == whole["ctas"]
    text = written(capsys, *REDUCE, "--per-cta")
    assert "Each CTA" in text


def test_workers_change_nothing(capsys):
    one = written(capsys, SCAN, "--format", "json", "--per-cta", "--workers", "1")
    two = written(capsys, SCAN, "--format", "json", "--per-cta", "--workers", "2")
    assert one == two


def test_less_is_counted_where_less_is_asked_for(capsys):
    report = report_of(capsys, *REDUCE, "--count", "blocks")
    assert (report["counted"], report["rules"]) == ([], None)
    (launch,) = report["launches"]
    for key in ("lanes", "loops", "memory", "accesses", "cta_spread"):
        assert launch[key] is None, key
    for key in ("edges", "memory_lines", "bytes_read", "sectors", "bank_conflicts"):
        assert launch["profile"][key] is None, key
    assert launch["blocks"][0]["counts"]["distinct_threads"] is None
    (whole,) = report_of(capsys, *REDUCE)["launches"]
    assert launch["opcodes"] == whole["opcodes"]
    report = report_of(capsys, *REDUCE, "--count", "ctas, lanes")
    assert report["counted"] == ["lanes", "ctas"]
    assert report["launches"][0]["cta_spread"]["memory_lines"] is None
    assert "Memory" not in written(capsys, *REDUCE, "--count", "blocks")


def test_memory_is_counted_by_the_rules_of_a_machine(capsys):
    """Where half-warps are served apart, a word that all lanes read is fetched for each half."""
    words = [SCAN, "--kernel", "scan_add", "--count", "memory"]
    plain = report_of(capsys, *words)
    assert (plain["rules"]["machine"], plain["rules"]["memory"]["lanes_per_group"]) == (None, 32)
    halves = report_of(capsys, *words, "--machine", "minibench_8sm")
    rules = halves["rules"]["memory"]
    assert halves["rules"]["machine"] == "minibench_8sm"
    assert (rules["banks"], rules["lanes_per_group"]) == (16, 16)

    def each(report):
        return [one["counts"]["sectors"] for one in report["launches"][0]["accesses"]]

    warps = 512 * 8
    assert each(plain) == [warps, 4 * warps, 4 * warps, 4 * warps, 4 * warps]  # sums, then out
    assert each(halves) == [2 * warps, *each(plain)[1:]]


def test_what_rests_on_assumed_values_is_marked(capsys):
    words = [*REDUCE, "--count", "memory"]
    launch = report_of(capsys, *words)["launches"][0]
    assert [k for k, mark in launch["marks"].items() if mark != "exact"] == [
        "findings.speedup_fraction"
    ]
    report = report_of(capsys, *words, "--machine", "v100")  # its bank's width is nobody's word
    assumed = {key for key, mark in report["launches"][0]["marks"].items() if mark == "assumed"}
    assert assumed == {
        "profile.bank_conflicts", "accesses.counts.wavefronts", "accesses.counts.bank_conflicts",
        "accesses.wavefronts_a_request", "memory.wavefronts", "memory.bank_conflicts",
    }  # fmt: skip
    assert [k for k, m in report["rules"]["marks"].items() if m == "assumed"] == [
        "memory.bank_width_bytes"
    ]
    report = report_of(capsys, *words, "--machine", "a40")  # as its sector is
    marks = report["launches"][0]["marks"]
    assert (marks["profile.bytes_transferred"], marks["accesses.counts.sectors"]) == (
        "assumed",
        "assumed",
    )
    assert marks["accesses.counts.wavefronts"] == marks["profile.memory_lines"] == "exact"
    text = written(capsys, *words, "--machine", "v100")
    assert "Memory rules v100" in " ".join(text.split()) and "4 B?" in text


# -------------------------------------------------------------------------- many launches


def test_launches_of_a_program_have_sections_of_their_own(program, capsys):
    text = written(capsys, program)
    assert [line for line in text.splitlines() if line.startswith("launch ")] == [
        f"launch {k}: vecadd" for k in range(3)
    ]
    report = report_of(capsys, program)
    totals = report["totals"]
    assert totals["launches"] == 3
    for key in ("warp_instructions", "thread_instructions", "memory_lines", "predicated_on"):
        assert totals[key] == sum(one["profile"][key] for one in report["launches"]) > 0
    assert {one["file"] for one in report["launches"]} == {str(VECADD)}


def test_many_launches_are_a_table(program, capsys):
    words = [program, "--size", "rounds=17"]
    text = written(capsys, *words)
    assert "Launches" in text
    assert "Source counters" not in text
    rows = [line.split() for line in text.splitlines() if "vecadd" in line]
    assert [row[:4] for row in rows] == [["9", "vecadd", "2", "32"], ["8", "vecadd", "3", "32"]]
    executed = sum(int(row[4].replace(",", "")) for row in rows)
    assert f"Executed instructions {executed:,} " in " ".join(text.split())
    full = written(capsys, *words, "--verbose")
    assert "launch 16: vecadd" in full
    one = written(capsys, *words, "--launch", "16")
    assert "launch 16: vecadd" in one
    assert "launch 15" not in one


def test_one_launch_is_that_of_the_whole(program, capsys):
    whole = report_of(capsys, program)["launches"]
    one = report_of(capsys, program, "--launch", "1")
    assert one["launches"] == [whole[1]]
    assert one["totals"]["warp_instructions"] == whole[1]["profile"]["warp_instructions"]


def test_a_program_without_launches(tmp_path, capsys):
    path = tmp_path / "idle.py"
    path.write_text("def main(device): pass")
    assert "launches: none" in written(capsys, str(path))
    report = report_of(capsys, str(path), "--overhead")
    assert report["totals"]["lane_utilization"] is None
    assert report["overhead"]["ratio"] is None
    assert written(capsys, str(path), "--format", "csv").count("\n") == 1


# -------------------------------------------------------------------------------- overhead


def test_overhead_compares_with_a_plain_run(program, capsys):
    report = report_of(capsys, program, "--overhead")
    found = report["overhead"]
    assert found["plain"]["seconds"] > 0
    assert found["ratio"] == found["collecting"]["seconds"] / found["plain"]["seconds"] > 0
    assert found["collecting"]["compile_seconds"] > 0
    assert report["launches"] == report_of(capsys, program)["launches"]
    assert "Overhead" in written(capsys, program, "--overhead")


class Spinning(warpmill.Collector):
    def on_profile(self, profile):
        end = time.process_time() + 0.3
        while time.process_time() < end:
            self.last = profile


def test_what_a_collector_takes_is_its_cost():
    options = RunOptions(collectors=[Spinning()])
    launch = LaunchOptions(sizes={"n": 1000})
    target = SAMPLES / "vecadd" / "launch.toml"
    found, overhead = profile_with_overhead(target, None, launch, options, counts=())
    assert len(found.launches) == 1
    assert overhead.collecting.seconds >= 0.3 > overhead.plain.seconds
    assert overhead.ratio == overhead.collecting.seconds / overhead.plain.seconds
    assert overhead.plain.seconds < overhead.plain.compile_seconds  # 1,000 elements take no time


# --------------------------------------------------------------------------------- formats


def test_csv_has_a_row_for_each_thing(capsys):
    text = written(capsys, *REDUCE, "--format", "csv", "--per-cta")
    rows = list(csv.DictReader(io.StringIO(text)))
    kinds = {row["kind"] for row in rows}
    assert kinds == {
        "total", "class", "opcode", "vector", "lanes", "line", "block", "edge", "loop", "access",
        "space", "spread", "cta", "vector of CTAs",
    }  # fmt: skip
    whole = next(row for row in rows if row["kind"] == "total")
    assert sum(int(row["lines"]) for row in rows if row["kind"] == "cta") == int(whole["lines"])
    for kind in ("opcode", "class", "line", "block", "lanes", "cta"):
        found = sum(int(row["warp_instructions"]) for row in rows if row["kind"] == kind)
        assert found == int(whole["warp_instructions"]), kind
    conflicts = [
        int(row["wavefronts"]) for row in rows if row["kind"] == "access" and row["wavefronts"]
    ]
    spaces = [
        int(row["wavefronts"]) for row in rows if row["kind"] == "space" and row["wavefronts"]
    ]
    assert sum(conflicts) == sum(spaces) > 0


def test_the_python_api():
    done = warpmill.profile(SAMPLES / "vecadd" / "launch.toml", counts=["lanes"])
    report = profile_report(done)
    assert report.rules is None
    assert report.launches[0].lanes == {32: done.launches[0].profile.warp_instructions}


# ------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        ([*REDUCE, "--machine", "nothing"], 2, ["nothing"]),
        ([*REDUCE, "--machine", "nothing.toml"], 2, ["nothing.toml"]),
        ([*REDUCE, "--count", "loops"], 2, ["no `loops` to count", "paths"]),
        ([*REDUCE, "--count", ""], 2, ["--count"]),
        ([*REDUCE, "--count", "lanes", "--per-cta"], 2, ["--per-cta needs ctas"]),
        ([*REDUCE, "--count", "ctas", "--machine", "v100"], 2, ["--machine needs memory"]),
        ([*REDUCE, "--launch", "1"], 2, ["has no launch 1", "0 to 0"]),
        ([*REDUCE, "--launch", "-1"], 2, ["--launch"]),
        ([*REDUCE, "--max-instructions", "10"], 3, ["--max-instructions"]),
        ([*REDUCE, "--grid", "4"], 2, ["--grid is for kernel files"]),
        ([*REDUCE, "--collector", "nothing.py"], 2, ["nothing.py", "cannot be read"]),
        (["nothing.toml"], 2, ["nothing.toml"]),
        ([str(VECADD)], 2, ["a launch is needed"]),
    ],
)
def test_what_cannot_be(words, code, expected, capsys):
    fails(capsys, words, code, *expected)


def test_wrong_options_are_told_at_once(capsys):
    wrong = ["--count", "foo", "--machine", "v10", "--collector", "nobody", "--size", "n"]
    assert main(["profile", str(SAMPLES / "vecadd" / "launch.toml"), *wrong]) == 2
    said = capsys.readouterr().err
    for each in ("no `foo` to count", "no machine `v10`", "--collector nobody", "--size n: this"):
        assert each in said
