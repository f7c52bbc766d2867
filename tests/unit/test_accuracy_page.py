"""docs/accuracy.md and what is printed: of a result that is made up."""

import csv
import json

import pytest

from benchmarks import accuracy
from benchmarks.accuracy_parts import measuring, page, plots, printing
from benchmarks.accuracy_parts.extrapolation import compared
from benchmarks.accuracy_parts.figures import figures
from tests.unit.accuracy_rows import row

HOTSPOT = {"table": "kt_hotspot", "dataset": "kt_hotspot", "kernel": "hotspot", "gpu": "RTX_A4000"}
ROWS = [
    *(row(n, 1.0 + n, 1.1 * (1.0 + n)) for n in range(4)),
    *(row(n, 1.0 + n, 2.0 + n, has_error=n < 2, **HOTSPOT) for n in range(5)),
    row(9, 1.0, 1.5, kernel="scan"),
    row(10, 1.0, None, kernel="scan", problem="it took more than 60 s"),
    row(11, 1.0, 1.2, table="small", dataset="gpubench_small_kernels"),
]


@pytest.fixture
def result():
    part = [row(0, 1.0, 1.02, share=0.5, warp_instructions=1e6)]
    simulate = figures(part)
    simulate["extrapolation"] = compared(part, [row(0, 1.0, 1.0)])
    simulate["estimate_of_these"] = figures(ROWS[:1])["overall"]
    return {
        "estimate": figures(ROWS), "simulate": simulate, "missing": ["pmpp_nvbench"],
        "tables": {}, "date": "2026-11-23", "version": "0.1.0",
        "computer": {"processor": "a processor", "python": "3.11.7"},
    }  # fmt: skip


def lines_of(text, start):
    return [line for line in text.splitlines() if line.startswith(start)]


def test_the_page_has_the_figures(result):
    text = page.page(result)
    # 10 % of copy, 75 % of hotspot (100 and 50), 50 % of scan
    assert "| mean error | 45.0 % | 2.00 % | 10.0 % |" in text
    assert "| worst pick | 1.00 × | - | - |" in text
    assert "Not here, as their tables were not there: pmpp_nvbench." in text
    assert "| kt_hotspot | RTX A4000 | 5 | 1.00 | 1.00 |" in text
    assert lines_of(text, "| simple16 | TITAN V | scan | 1 | it took more than … s |")
    assert lines_of(text, "| simple16 | TITAN V | copy |  | 50 % | +2.0 % |")


def test_kernels_stand_worst_first(result):
    text = page.page(result).partition("## Estimates")[2].partition("## ")[0]
    kernels = [line.split(" | ")[2] for line in lines_of(text, "| simple16") if "nvcc" in line]
    assert kernels == ["scan", "copy"]
    order = [one["kernel"] for one in page.worst_first(result["estimate"]["groups"])]
    assert order[0] == "hotspot"
    unknown = {**result["estimate"]["groups"][0], "kernel": "none", "mape": None}
    assert page.worst_first([*result["estimate"]["groups"], unknown])[0]["kernel"] == "none"


def test_what_is_apart_is_apart(result):
    text = page.page(result)
    before, _, after = text.partition("## What models are calibrated with")
    assert lines_of(after, "| gpubench_small_kernels | TITAN V | copy | 1 | 20.0 |")
    assert not lines_of(before.partition("## Estimates")[2], "| gpubench")


def test_the_page_without_simulations(result):
    del result["simulate"]
    text = page.page(result)
    assert "## Simulations" not in text
    assert "warpmill simulate" not in text


def test_pictures(result, tmp_path):
    page.write(result, tmp_path)
    assert sorted(p.name for p in (tmp_path / "accuracy").iterdir()) == ["ranks.png", "times.png"]
    assert (tmp_path / "accuracy.md").read_text("utf-8") == page.page(result)


def test_pictures_show_rows_with_errors_and_rank_all(result):
    groups = result["estimate"]["groups"]
    drawn = plots.times_of(groups)
    assert {name: len(own) for name, own in drawn.items()} == {"simple16": 5, "kt_hotspot": 2}
    assert drawn["kt_hotspot"].tolist() == [[1.0, 2.0], [2.0, 3.0]]
    assert len(plots.times_of(groups, ranked=True)["kt_hotspot"]) == 5


def test_lines_for_people_are_worst_first_and_apart_last(result):
    lines = list(printing.table(result))
    kernels = [line.split()[2] for line in lines if line.split()[:1] in (["simple16"],)]
    assert kernels == ["scan", "copy", "copy"]  # that of simulations is last
    places = {line.split()[0]: n for n, line in enumerate(lines) if "TITAN_V" in line}
    assert lines[places["gpubench_small_kernels"]].split()[3] == "(apart)"
    of_estimates = [line.split()[0] for line in lines[1:6]]
    assert of_estimates == ["kt_hotspot", "simple16", "simple16", "gpubench_small_kernels", "mape"]
    assert any(line.endswith("1 without") for line in lines)
    assert "missing: pmpp_nvbench" in lines
    assert any("continued from 50% of CTAs: +2.0 %" in line for line in lines)


def test_the_object_has_figures_and_no_points(result):
    found = printing.summary(result)
    assert found["estimate"]["overall"] == result["estimate"]["overall"]
    assert not any("points" in one for one in found["estimate"]["groups"])
    assert "points" in result["estimate"]["groups"][0]
    assert json.loads(json.dumps(found))["missing"] == ["pmpp_nvbench"]


def test_rows_as_a_file(tmp_path):
    printing.write_rows(tmp_path / "rows.csv", {"estimate": ROWS})
    with (tmp_path / "rows.csv").open(newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert len(found) == len(ROWS)
    assert (found[0]["engine"], found[0]["kernel"], found[0]["measured_ms"]) == (
        "estimate", "copy", "1.0",
    )  # fmt: skip
    assert float(found[0]["error_percent"]) == pytest.approx(10)
    failed = found[10]
    assert (failed["problem"], failed["predicted_ms"]) == ("it took more than 60 s", "")


@pytest.fixture
def record(result):
    """What is kept: parts, by engine and data set."""
    estimated, simulated = result["estimate"]["groups"], result["simulate"]
    names = {one["dataset"] for one in estimated}
    parts = {
        f"estimate/{name}": {
            "groups": [one for one in estimated if one["dataset"] == name],
            "simulated_too": estimated[:1] if name == "simple16" else [],
        }
        for name in sorted(names)
    }
    parts["simulate/simple16"] = {
        "groups": simulated["groups"], "extrapolation": simulated["extrapolation"]
    }  # fmt: skip
    told = {name: result[name] for name in ("missing", "tables", "date", "version", "computer")}
    return {**told, "parts": parts, "unfinished": [], "fresh": True, "changed": []}


def of_engines(record):
    """What is kept of each engine, by the name that it is kept as."""
    return {
        f"accuracy-{engine}": {
            **record,
            "parts": {k: v for k, v in record["parts"].items() if k.startswith(f"{engine}/")},
        }
        for engine in ("estimate", "simulate")
    }


def test_what_was_kept_is_printed_at_once(record, monkeypatch, capsys):
    monkeypatch.setattr(accuracy, "kept", of_engines(record).get)
    accuracy.main(["--json"])
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["fresh"]
    assert last["estimate"]["overall"]["mape"] == pytest.approx(45)
    assert "parts" not in last


def test_parts_are_put_together(record, result):
    found = measuring.combined(record["parts"])
    for name in ("estimate", "simulate"):
        assert found[name]["overall"] == pytest.approx(result[name]["overall"])
    assert found["simulate"]["extrapolation"] == result["simulate"]["extrapolation"]
    own = [one for one in result["estimate"]["groups"] if one["dataset"] == "simple16"][:1]
    assert found["simulate"]["estimate_of_these"]["mape"] == own[0]["mape"]


def test_what_is_not_measured_yet_is_told(record, monkeypatch, capsys):
    own = of_engines(record)
    del own["accuracy-simulate"]
    own["accuracy-estimate"]["unfinished"] = ["estimate/pmpp_nvbench"]
    monkeypatch.setattr(accuracy, "kept", own.get)
    accuracy.main(["--json"])
    told = capsys.readouterr()
    last = json.loads(told.out.splitlines()[-1])
    assert "estimate" in last
    assert "simulate" not in last
    assert last["unfinished"] == ["estimate/pmpp_nvbench", "simulate"]
    assert "not measured yet: estimate/pmpp_nvbench, simulate" in told.err


def test_one_engine_that_changed_is_told(record, monkeypatch, capsys):
    own = of_engines(record)
    own["accuracy-simulate"] |= {"fresh": False, "changed": ["simulator/gpu/lsu.py"]}
    monkeypatch.setattr(accuracy, "kept", own.get)
    accuracy.main(["--json"])
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert not last["fresh"]
    assert last["changed"] == ["simulator/gpu/lsu.py"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--fresh", "--quick"], "--fresh and --docs are of the whole"),
        (["--docs", "--engine", "estimate"], "leave out --engine"),
    ],
)
def test_pages_and_what_is_kept_are_of_the_whole(words, problem, capsys):
    with pytest.raises(SystemExit):
        accuracy.main(words)
    assert problem in capsys.readouterr().err
