"""``warpmill check --budget`` and ``--baseline``: bounds, the ratchet, what is unknown."""

import json
from pathlib import Path

import pytest

import warpmill
from tests.frontends.elf_bytes import Kernel, cubin
from warpmill.cli.main import main
from warpmill.gates.budget import Bound, BudgetRule
from warpmill.gates.figures import FIGURES, LARGER_IS_BETTER, GateSubject, GateValue
from warpmill.gates.gate import GateRules, hold
from warpmill.report.facts import SourcePlace

REDUCE = str(Path(__file__).parents[2] / "samples" / "reduce" / "launch.toml")
SIZE = ["--size", "n=16384"]


@pytest.fixture
def file(tmp_path):
    def write(name, contents):
        path = tmp_path / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return str(path)

    return write


def data_of(capsys, *words, code=0):
    assert main(["check", *words, "--format", "json"]) == code, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def said(text):
    return " ".join(text.split())


def test_figures_are_those_of_the_estimate_and_the_profile(file, capsys):
    """Of 64 CTAs: what ptxas has told, 1,024 B, sectors as a profile has them."""
    names = [n for n in FIGURES if n not in {"stack_frame_bytes", "constant_bytes"}]
    bounds = "".join(f"{name} = {{ most = 1e12 }}\n" for name in names)
    budget = file("b.toml", f'[[budget]]\nmachine = "a100"\n{bounds}')
    report = data_of(capsys, REDUCE, *SIZE, "--budget", budget)
    found = {row["figure"]: row["value"] for row in report["figures"]}
    assert main(["estimate", REDUCE, *SIZE, "-m", "a100", "-f", "json"]) == 0
    estimate = json.loads(capsys.readouterr().out)["launches"][0]["estimates"][0]
    assert main(["profile", REDUCE, *SIZE, "-m", "a100", "-f", "json"]) == 0
    profile = json.loads(capsys.readouterr().out)["launches"][0]
    outside = [row for row in profile["memory"] if row["sectors"] is not None]
    sectors, requests = (sum(row[key] for row in outside) for key in ("sectors", "requests"))
    assert found == {
        "time_us": estimate["time_us"],
        "registers_per_thread": estimate["registers"]["registers_per_thread"],
        "occupancy_fraction": estimate["occupancy"]["occupancy_fraction"],
        "achieved_occupancy_fraction": estimate["achieved_occupancy_fraction"],
        "shared_bytes": 1024,
        "l2_bytes": estimate["l2_bytes"],
        "dram_bytes": estimate["dram_bytes"],
        "spill_store_bytes": 0,
        "spill_load_bytes": 0,
        "sectors_a_request": pytest.approx(sectors / requests),
        "bank_conflicts": profile["profile"]["bank_conflicts"],
        "lane_utilization": pytest.approx(profile["profile"]["lane_utilization"]),
        "divergent_branches": 4,
    }
    assert report["verdict"] == "clean"
    assert report["tools"] == []  # no sanitizer has run


def test_a_figure_beyond_its_bound_fails_at_the_line_of_the_budget(file, capsys):
    budget = file(
        "b.toml",
        '[[budget]]\nkernel = "reduce"\nmachine = "a100"\nshared_bytes = { most = 1023 }\n'
        "registers_per_thread = { most = 10, least = 10 }\noccupancy_fraction = { least = 1.0 }\n",
    )
    report = data_of(capsys, REDUCE, *SIZE, "--budget", budget, code=1)
    outcomes = {row["figure"]: row["outcome"] for row in report["figures"]}
    kept = dict.fromkeys(["registers_per_thread", "occupancy_fraction"], "kept")
    assert outcomes == {"shared_bytes": "beyond", **kept}
    (row,) = [row for row in report["figures"] if row["outcome"] == "beyond"]
    assert (row["place"]["line"], row["value"], row["most"]) == (4, 1024, 1023)
    assert main(["check", REDUCE, *SIZE, "--budget", budget, "-f", "github"]) == 1
    told = capsys.readouterr().out
    assert "::error title=budget/shared_bytes,file=" in told
    assert "reduce.sm_80.ptx,line=16" in told
    assert "Shared memory per CTA 1,024 B, beyond the most of 1,023 B" in told
    assert main(["check", REDUCE, *SIZE, "--budget", budget, "-f", "junit"]) == 1
    assert f"{budget}:4" in capsys.readouterr().out


def test_the_baseline_is_a_ratchet_of_two_ways(file, tmp_path, capsys):
    path = str(tmp_path / "base.json")
    words = [REDUCE, *SIZE, "--baseline", path]
    made = data_of(capsys, *words, "--update", "-m", "a100")
    assert [row["outcome"] for row in made["figures"]] == ["new"]
    before = Path(path).read_text()
    again = data_of(capsys, *words)  # the machine is that of the baseline
    assert {row["outcome"] for row in again["figures"]} == {"as before"}
    assert len(again["figures"]) == 13
    assert again["machines"] == ["a100"]
    changed = json.loads(before)
    figures = changed["entries"][0]["figures"]
    figures["time_us"] /= 1.06
    figures["occupancy_fraction"] *= 0.9
    figures["dram_bytes"] *= 1.04
    file("base.json", json.dumps(changed))
    worse = data_of(capsys, *words, code=1)
    assert {r["figure"]: r["outcome"] for r in worse["figures"] if r["severity"] != "note"} == {
        "time_us": "worse", "occupancy_fraction": "better",
    }  # fmt: skip
    better = data_of(capsys, *words, "--fail-over", "7%")
    assert (better["verdict"], better["warnings"]) == ("warnings", 1)
    assert main(["check", *words, "--fail-over", "7%"]) == 0
    assert "is to be renewed with --update: 1 better" in said(capsys.readouterr().out)
    assert main(["check", *words, "--fail-over", "7%", "--strict"]) == 1
    capsys.readouterr()
    renewed = data_of(capsys, *words, "--update")
    assert (renewed["verdict"], renewed["updated"]) == ("clean", path)
    assert Path(path).read_text() == before


def test_what_is_not_there_any_more_and_another_launch_are_told(file, tmp_path, capsys):
    path = str(tmp_path / "base.json")
    assert main(["check", REDUCE, *SIZE, "--baseline", path, "--update", "-m", "a100,t4"]) == 0
    changed = json.loads(Path(path).read_text())
    changed["entries"][0]["kernel"] = "once"
    file("base.json", json.dumps(changed))
    capsys.readouterr()
    found = data_of(capsys, REDUCE, *SIZE, "--baseline", path, "-m", "a100")
    assert {(r["kernel"], r["machine"], r["outcome"]) for r in found["figures"]} == {
        ("once", "a100", "gone"), ("reduce", "a100", "new"),
    }  # fmt: skip
    other = data_of(capsys, REDUCE, "--size", "n=32768", "--baseline", path, "-m", "t4")
    assert other["verdict"] == "incomplete"
    assert "grid 32x1x1 in the baseline, 64x1x1 now" in other["why_incomplete"][0]
    assert main(["check", REDUCE, *SIZE, "--baseline", path, "-m", "a100", "--update"]) == 0
    entries = json.loads(Path(path).read_text())["entries"]
    assert [(e["kernel"], e["machine"]) for e in entries] == [("reduce", "t4"), ("reduce", "a100")]


KERNELS = {"_Z5scalePf": Kernel(40, 0, 512), "sum": Kernel(24, 64)}


def test_figures_of_machine_code_are_held_by_chip(file, capsys):
    path = file("k.cubin", cubin(KERNELS, 80))
    budget = file(
        "b.toml",
        '[[budget]]\nmachine = "sm_80"\nregisters_per_thread = { most = 32 }\n'
        '[[budget]]\nkernel = "scale"\nshared_bytes = { most = 512 }\n'
        '[[budget]]\nmachine = "sm_90"\nstack_frame_bytes = { most = 0 }\n',
    )
    report = data_of(capsys, path, "--budget", budget, code=1)
    rows = [(r["kernel"], r["figure"], r["outcome"]) for r in report["figures"]]
    assert rows == [
        ("scale(float*)", "registers_per_thread", "beyond"),
        ("sum", "registers_per_thread", "kept"),
        ("scale(float*)", "shared_bytes", "kept"),
    ]
    assert report["notes"] == [f"{budget}:7: `sm_90` was not looked at"]
    base = str(Path(path).with_name("base.json"))
    assert main(["check", path, "--baseline", base, "--update"]) == 0
    file("k.cubin", cubin({**KERNELS, "sum": Kernel(24, 128)}, 80))
    capsys.readouterr()
    worse = data_of(capsys, path, "--baseline", base, code=1)
    (row,) = [r for r in worse["figures"] if r["outcome"] == "worse"]
    assert (row["kernel"], row["figure"], row["change_fraction"]) == ("sum", "stack_frame_bytes", 1)


def test_what_is_unknown_never_passes_in_silence(file, capsys):
    path = file("k.cubin", cubin(KERNELS, 80))
    budget = file(
        "b.toml",
        '[[budget]]\nkernel = "sum"\ntime_us = { most = 4 }\n'
        '[[budget]]\nkernel = "sun"\nregisters_per_thread = { most = 4 }\n',
    )
    assert main(["check", path, "--budget", budget]) == 0
    shown = said(capsys.readouterr().out)
    assert "Incomplete: nothing was found in 1 figure, by budget" in shown
    assert data_of(capsys, path, "--budget", budget)["why_incomplete"] == [
        f"{budget}:4: there is no kernel `sun` on `*`",
        "sum on sm_80: Duration is unknown: machine code does not have it",
    ]
    assert main(["check", path, "--budget", budget, "--strict"]) == 1


def test_a_launch_that_does_not_fit_on_a_machine_is_an_error(file, capsys):
    text = (
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        ".shared .align 4 .b8 s[60000];\nret;\n}\n"
    )
    budget = file("b.toml", '[[budget]]\nmachine = "gtx480"\ntime_us = { most = 99 }\n')
    words = [file("k.ptx", text), "--grid", "1", "--block", "32", "--budget", budget]
    report = data_of(capsys, *words, code=1)
    (row,) = report["figures"]
    assert (row["outcome"], row["severity"]) == ("unknown", "error")
    assert "60000 B of shared memory do not fit" in row["message"]


def test_sanitizers_run_beside_a_gate_where_they_are_named(file, capsys):
    budget = file("b.toml", '[[budget]]\nmachine = "a100"\nshared_bytes = { most = 1024 }\n')
    report = data_of(capsys, REDUCE, *SIZE, "--budget", budget, "--tool", "memcheck")
    assert (report["tools"], report["gates"], report["launches"]) == (["memcheck"], ["budget"], 1)
    assert main(["check", REDUCE, *SIZE, "--budget", budget, "--tool", "memcheck"]) == 0
    shown = said(capsys.readouterr().out)
    assert "nothing was found in 1 launch, by memcheck and 1 figure, by budget." in shown


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[[budget]]\nregisters = { most = 4 }", 2, "did you mean `registers_per_thread`?"),
        ('[[budget]]\ntime_us = { most = "4" }', 2, "`most` must be a number, not text"),
        ('[[budget]]\nmachine = "a100"', 1, "must bound a figure, of time_us"),
        ("[[budget]]\ntime_us = { most = 4, least = 5 }", 2, "no `least` above its `most`"),
        ("[[budget]]\ntime_us = {}", 2, "must have `most`, `least` or both"),
        ("[budgets]\n", 1, "unknown key `budgets`"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_budget_is_told_at_its_line(file, capsys, text, line, words):
    assert main(["check", REDUCE, "--budget", file("b.toml", text)]) == 2
    told = capsys.readouterr().err
    assert f"b.toml:{line}:" in told
    assert words in told


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["entries"].append(d["entries"][0]), "come twice"),
        (lambda d: d["entries"][0]["figures"].update(speed=1), "there is no such figure"),
        (lambda d: d.update(report="estimate"), "this is a report of `estimate`"),
        (lambda d: d["entries"][0].update(more=1), "unexpected keyword argument"),
    ],
)
def test_what_is_wrong_with_a_baseline_is_told(file, tmp_path, capsys, change, words):
    path = tmp_path / "base.json"
    code = file("k.cubin", cubin(KERNELS, 80))
    assert main(["check", code, "--baseline", str(path), "--update"]) == 0
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    assert main(["check", code, "--baseline", str(path)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--update"], "--update is about the figures of --baseline"),
        (["--fail-over", "5%"], "--fail-over is about the figures of --baseline"),
        (["-m", "a100"], "--machine is for --budget and --baseline"),
        (["--baseline", "none.json"], "--update writes it"),
        (["--baseline", "a.json", "-o", "a.json"], "--baseline and --output name the same file"),
    ],
)  # fmt: skip
def test_options_without_what_they_are_about_are_refused(
    words, told, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["check", REDUCE, *words]) == 2
    assert told in said(capsys.readouterr().err)


def test_python_takes_the_same(tmp_path):
    path = tmp_path / "base.json"
    how = {"sizes": {"n": 16384}, "baseline": path, "machines": ["a100"]}
    assert warpmill.check(REDUCE, **how, update=True).updated == str(path)
    report = warpmill.check(REDUCE, **how, fail_over=0.0)
    assert {row.outcome for row in report.figures} == {"as before"}


PLACE = SourcePlace(file="b.toml", line=1, column=1, of="input")


@pytest.mark.parametrize(
    ("kernel", "machine", "is_of"),
    [
        ("*", "*", True),
        ("scale", "a100", True),
        ("_Z5scalePf", "a1*", True),
        ("scale(float?)", "*", True),
        ("sc", "*", False),
        ("*", "t4", False),
    ],
)
def test_patterns_match_any_name_of_a_kernel(kernel, machine, is_of):
    rule = BudgetRule(kernel, machine, {"shared_bytes": Bound(1.0, None, PLACE)}, PLACE)
    assert rule.is_of(GateSubject("_Z5scalePf", None, "a100")) == is_of


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_more_is_better_of_some_figures_and_worse_of_the_others(figure):
    from warpmill.gates.baseline import BaselineReport, renewed  # noqa: PLC0415

    def subject(value):
        return GateSubject("k", "k", "a100", {figure: GateValue(value)}, (1, 1, 1), (32, 1, 1))

    base = renewed(None, "k", [subject(0.5)], ())
    assert isinstance(base, BaselineReport)
    for value, more in ((0.6, True), (0.4, False)):
        (row,) = hold(GateRules(baseline=base), [subject(value)], ["a100"]).rows
        assert row.outcome == ("better" if more == (figure in LARGER_IS_BETTER) else "worse")
    (row,) = hold(GateRules(baseline=base), [subject(0.525)], ["a100"]).rows
    assert row.outcome == "as before"  # by 5 %, which is allowed
    zero = renewed(None, "k", [subject(0)], ())
    (row,) = hold(GateRules(baseline=zero), [subject(1)], ["a100"]).rows
    assert row.outcome == ("better" if figure in LARGER_IS_BETTER else "worse")
    assert row.change_fraction is None
