"""docs/validation.md: orders, goals, freshness and what is not measured, of made-up results."""

import json
import re
from dataclasses import replace

import pytest

from benchmarks import validation
from benchmarks.accuracy import Accuracy, DatasetAccuracy
from benchmarks.accuracy.figures import groups
from benchmarks.benchmark import Benchmark, Measured
from benchmarks.validation_parts.goals import Goal, goals, met
from benchmarks.validation_parts.headline import headline
from benchmarks.validation_parts.page import page
from benchmarks.validation_parts.status import mark, measured
from tests.unit.accuracy_rows import row
from tests.unit.validation_results import (
    COMPUTER,
    FRESH,
    NOTHING,
    accuracy,
    changed,
    everything,
    gtpin,
    simulate,
    tbpoint,
)


def part(text, heading):
    """What stands below a heading, to the next one that is as high or higher."""
    after = text.partition(f"\n{heading}\n")[2]
    assert after, heading
    return re.split(rf"\n#{{1,{heading.count('#')}}} ", after)[0]


def cells(text, header):
    """The rows of the table whose header begins with a cell; of the first one."""
    lines = text.partition(f"| {header} |")[2].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]


# ---------------------------------------------------------------------------- goals and freshness


@pytest.mark.parametrize(
    ("key", "within", "beyond"),
    [
        ("mape", 17.0, 17.04),
        ("kendall_tau_min", 0.8, 0.79),
        ("best_pick_slowdown_max", 1.1, 1.11),
        ("warp_inst_error_median", 10.0, 10.1),
    ],
)
def test_a_figure_is_on_one_side_of_its_goal(key, within, beyond):
    assert (met(key, within), met(key, beyond), met(key, None)) == (True, False, None)


@pytest.mark.parametrize(
    ("is_met", "state", "words"),
    [
        (True, FRESH, "reached"),
        (True, {**FRESH, "unfinished": []}, "reached"),
        (True, {**FRESH, "unfinished": ["estimate/a"]}, "within so far"),
        (True, changed(1), "within, not fresh"),
        (False, FRESH, "MISSED"),
        (False, changed(1), "MISSED"),
        (None, FRESH, "unknown"),
    ],
)
def test_only_what_is_whole_and_fresh_reaches_a_goal(is_met, state, words):
    assert mark(is_met, state) == words


def test_it_is_told_when_and_how_many_files_have_changed():
    assert measured(FRESH) == (
        "Measured on 2026-11-23 with warpmill 0.1.0. "
        "Fresh: no file that it rests on has changed since."
    )
    assert "sources: 1 file that it rests on has changed" in measured(changed(1))
    assert "sources: 84 files that it rests on have changed" in measured(changed(84))


def test_each_section_has_its_own_state():
    state = {"estimate": {**changed(3), "unfinished": []},
             "simulate": {**FRESH, "date": "2026-11-24", "unfinished": []}}  # fmt: skip
    text = page(everything(accuracy=accuracy("estimate", "simulate", by_engine=state),
                           simulate=simulate(**changed(4)), gtpin=gtpin(**changed(5))))  # fmt: skip
    silicon = part(text, "## Against silicon")
    assert "- `warpmill estimate`: Measured on 2026-11-23" in silicon
    assert "3 files that it rests on have" in silicon
    assert "- `warpmill simulate`: Measured on 2026-11-24 with warpmill 0.1.0. Fresh" in silicon
    assert "4 files" in part(text, "## Against another simulator")
    assert "4 files" in part(text, "## How fast the simulator is")
    assert "Fresh: no file" in part(text, "### TBPoint: launches and CTAs of kernels")
    assert "5 files" in part(text, "### GT-Pin: intervals of applications")


def test_figures_stand_beside_their_goals():
    own = accuracy("estimate", "simulate")
    own["simulate"]["overall"] = {
        "mape": 16.9, "kendall_tau_min": 0.79, "best_pick_slowdown_max": 1.1,
        "warp_inst_error_median": 10.5, "groups": 3, "rows": 5, "problems": 1234,
    }  # fmt: skip
    own["simulate"]["estimate_of_these"] = own["estimate"]["overall"]
    rows = cells(part(page(everything(accuracy=own)), "## Against silicon"), "figure")
    # 10 % of copy, 9.13 % of hotspot (20 % and less), 50 % of scan; sort has none
    assert rows == [
        ["mean error", "at most 17 %", "23.0 %", "MISSED", "16.9 %", "reached", "23.0 %"],
        ["worst rank correlation", "at least 0.8", "1.00", "reached", "0.79", "MISSED", "1.00"],
        ["worst pick", "at most 1.1 ×", "1.00 ×", "reached", "1.10 ×", "reached", "1.00 ×"],
        ["instructions off by, in the median", "at most 10 %", "-", "unknown", "10.5 %", "MISSED",
         "-"],
        ["kernels on GPUs", "", "4", "", "3", "", "4"],
        ["rows", "", "10", "", "5", "", "10"],
        ["rows without a prediction", "", "3", "", "1,234", "", "3"],
    ]  # fmt: skip


def test_goals_that_benchmarks_judge_themselves():
    rows = cells(part(page(everything()), "### TBPoint: launches and CTAs of kernels"), "figure")
    assert rows == [
        ["largest error, %", "<= 5", "4.00", "reached"],
        ["size, %", "<= 2", "6.00", "MISSED"],
        ["nobody knows", "<= 2", "-", "unknown"],
    ]
    stale = page(everything(tbpoint=tbpoint(**changed(2))))
    rows = cells(part(stale, "### TBPoint: launches and CTAs of kernels"), "figure")
    assert [row[-1] for row in rows] == ["within, not fresh", "MISSED", "unknown"]


def test_a_goal_is_not_reached_by_what_does_not_count():
    goal = Goal("estimate", "mape", "mape", "<= 17", 3.0, met=True, counts=True)
    assert goal.reached
    assert not replace(goal, counts=False).reached
    assert not replace(goal, met=None).reached
    stale = goals(everything(tbpoint=tbpoint(**changed(1))))
    assert [(one.met, one.reached) for one in stale if one.of == "tbpoint"] == [
        (True, False), (False, False), (None, False),
    ]  # fmt: skip
    part_of_it = goals({**NOTHING, "accuracy": accuracy("estimate", unfinished=["estimate/a"])})
    assert [(one.met, one.reached) for one in part_of_it][1:3] == [(True, False)] * 2


# ------------------------------------------------------------------------------------------ orders


@pytest.mark.parametrize("heading", ["### Estimates, by kernel", "### Simulations, by kernel"])
def test_kernels_stand_worst_first(heading):
    own = part(page(everything()), heading)
    kernels = cells(own, "data set")
    assert [row[2] for row in kernels] == ["sort", "scan", "copy", "hotspot"]
    assert kernels[0][3:] == ["0", *["-"] * 6]
    assert kernels[3] == ["kt_hotspot", "RTX A4000", "hotspot", "5", "9.13", "6.67", "16.0",
                          "9.13", "1.00", "1.00"]  # fmt: skip
    without = cells(own.partition("Rows without a prediction")[2], "data set")
    assert [row[2:] for row in without] == [
        ["sort", "2", "no such texture"], ["scan", "1", "it took more than … s"],
    ]  # fmt: skip
    assert "gpubench" not in own


def test_programs_counts_and_launches_stand_worst_first():
    own = part(page(everything()), "## Against another simulator")
    assert [row[0] for row in cells(own, "program")] == ["spmv", "matmul"]
    assert cells(own, "count")[:2] == [
        ["sectors written to L2", "0 of 3", "0 of 3"], ["sectors at L1", "1 of 3", "1 of 3"],
    ]  # fmt: skip
    off = cells(own.partition("Not equal")[2], "program")
    assert [(row[0], row[-1]) for row in off] == [("spmv", "+20.00%"), ("matmul", "-1.00%")]
    launches = cells(own, "error")
    assert [row[0] for row in launches] == ["-30.0%", "+5.0%", "-1.0%"]
    assert launches[0][6:] == ["70", "100", "50.0% / -", "50.0% / 25.0%", "5 / 6", "7", "4"]


def test_kernels_of_samples_stand_by_their_worst_machine():
    rows = cells(part(page(everything()), "### TBPoint: launches and CTAs of kernels"), "workload")
    assert [row[0] for row in rows] == ["cfd", "sssp", "mst"]
    assert rows[0][3:] == ["-9.00 % (W48 S7)", "-1.00 %", "2.00 %", "yes", "10.0 %"]
    assert rows[1][3:7] == ["-4.00 %", "-4.00 %", "2.00 %", "NO"]
    assert rows[2][3:7] == ["+0.00 %", "+0.00 %", "-", "-"]


def test_applications_stand_by_their_worst_run():
    own = part(page(everything()), "### GT-Pin: intervals of applications")
    rows = cells(own, "application")
    assert [row[0] for row in rows] == ["aes", "faces", "ocean"]
    assert rows[0][2:6] == ["0.30 %", "0.40 % (seed 7)", "0.30 % (350 MHz)", "33.00 % (a100)"]
    assert rows[2][3] == "1 unknown"


def test_the_slowest_programs_stand_first():
    rows = cells(part(page(everything()), "## How fast the simulator is"), "program")
    assert [row[0] for row in rows] == ["geometric mean", "slow", "quick"]


# ---------------------------------------------------------------------- what is not measured, sums


def test_bands_are_shown_with_whether_they_hold_and_errors_by_bound():
    own = part(page(everything()), "## How sure an estimate is")
    judged = cells(own, "left out and judged")
    assert [row[1:3] for row in judged] == [["18", "54"], ["18", "54"], ["6", "18"]]
    assert [row[:2] for row in cells(own, "bound")] == [
        ["DRAM bandwidth", "12"],
        ["FMA pipe", "12"],
    ]
    assert cells(own, "bound")[0][3] == "-10.0%"
    assert "of 24 kernels on GPUs (72 times)" in own


def test_launches_whose_engines_are_apart_are_named_the_furthest_first():
    own = part(page(everything()), "## The two engines beside each other")
    assert "Of 3 launches" in own
    assert "66.67 % have" in own
    assert "MISSED" in own
    assert [row[1] for row in cells(own, "ratio")] == ["further", "far"]
    assert cells(own, "cause") == [["L2 latency", "2"]]


def test_with_nothing_kept_each_section_says_so():
    text = page(NOTHING)
    commands = {
        "## Against silicon": "benchmarks accuracy-estimate --fresh --data DIR",
        "## How sure an estimate is": "benchmarks error-bands --fresh --data DIR",
        "## Against another simulator": "benchmarks.simulate --fresh",
        "## The two engines beside each other": "benchmarks engines --fresh",
        "### TBPoint: launches and CTAs of kernels": "benchmarks tbpoint --fresh",
        "### GT-Pin: intervals of applications": "benchmarks gtpin --fresh",
        "## How fast the simulator is": "benchmarks.simulate --fresh",
    }
    for heading, command in commands.items():
        assert part(text, heading).strip() == (
            f"Nothing is kept yet: `python -m {command}` measures it."
        )
    assert [row[2] for row in cells(text, "error")] == ["not measured yet"] * 5
    assert "(accuracy-" not in text
    assert goals(NOTHING) == []
    assert headline(NOTHING)["silicon"] == {"estimate": None, "simulate": None}


def test_estimates_alone():
    text = page(everything(accuracy=accuracy("estimate", missing=["pmpp_nvbench"])))
    own = part(text, "## Against silicon")
    assert "- `warpmill simulate`: not measured yet, on all data sets." in own
    assert "Left out, as their tables were not there: pmpp_nvbench." in own
    assert "### Estimates, by kernel" in own
    assert "Simulations, by kernel" not in own
    assert "rows of each data set are simulated" not in " ".join(own.split())
    assert "[Estimates beside real GPUs](accuracy-estimate.md)" in own
    assert [len(row) for row in cells(own, "figure")] == [4] * 7


def test_simulations_alone():
    own = part(page(everything(accuracy=accuracy("simulate"))), "## Against silicon")
    assert "- `warpmill estimate`: not measured yet, on all data sets." in own
    assert "### Simulations, by kernel" in own
    assert "(accuracy-estimate" not in own


def test_data_sets_that_are_not_measured_yet_are_named():
    left = ["estimate/kt_hotspot", "estimate/simple16"]
    text = page(everything(accuracy=accuracy("estimate", unfinished=left)))
    own = part(text, "## Against silicon")
    assert "changed since. Not measured yet: kt_hotspot, simple16." in own
    assert [row[3] for row in cells(own, "figure")][:3] == ["MISSED", *["within so far"] * 2]
    assert cells(text, "error")[0][2] == "23.0 % so far"


def test_where_every_row_has_a_prediction_this_is_said():
    own = accuracy("estimate")
    own["estimate"]["groups"] = [one for one in own["estimate"]["groups"] if not one["problems"]]
    text = part(page(everything(accuracy=own)), "## Against silicon")
    assert "Every row has a prediction." in text
    assert "Rows without a prediction" not in text


def test_each_error_has_a_row_of_its_own_and_there_is_none_of_all():
    assert cells(page(everything()), "error") == [
        ["against silicon", "`estimate`", "23.0 %", "50.0 %: scan of simple16, TITAN V", "1 of 4"],
        ["against silicon", "`simulate`", "23.0 %", "50.0 %: scan of simple16, TITAN V", "1 of 4"],
        ["against another simulator", "`simulate`", "16.5 %", "-30.0 %: spmv 1, SM7_QV100, own",
         "none is set"],
        ["sampled against full", "TBPoint", "1.67 %", "-9.00 %: cfd, W48 S7", "1 of 3"],
        ["sampled against full", "GT-Pin, the least errors", "1.47 %", "33.00 %: aes, a100",
         "1 of 1"],
    ]  # fmt: skip
    told = headline(everything())
    assert set(told) == {"benchmark", "silicon", "engines", "simulator", "sampled", "goals"}


# ------------------------------------------------------------------------------------- the command


def test_the_command_writes_the_page_and_prints_an_object_last(tmp_path, monkeypatch, capsys):
    results = everything(simulate=simulate(**changed(4)))
    monkeypatch.setattr(validation, "PAGE", tmp_path / "validation.md")
    monkeypatch.setattr(validation, "kept_results", lambda: results)
    validation.main(["--json"])
    assert (tmp_path / "validation.md").read_text("utf-8") == page(results)
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["silicon"]["estimate"]["mape"] == pytest.approx(23.04, abs=0.01)
    assert last["silicon"]["estimate"]["worst"]["kernel"] == "scan"
    assert last["silicon"]["simulate"]["unfinished"] == []
    assert (last["simulator"]["fresh"], last["simulator"]["changed"]) == (False, 4)
    assert last["sampled"]["tbpoint"]["worst"]["machine"] == "W48 S7"
    assert last["sampled"]["gtpin"]["worst"] == {"application": "aes", "error": 33, "run": "a100"}
    reached = {(one["of"], one["figure"]): one["reached"] for one in last["goals"]}
    assert reached["estimate", "kendall_tau_min"]
    assert not reached["estimate", "mape"]


def test_results_are_those_that_are_kept(monkeypatch):
    monkeypatch.setattr(validation, "kept", {"error-bands": {"a": 1}}.get)
    monkeypatch.setattr(validation, "_accuracy", lambda: None)
    monkeypatch.setattr(validation, "_tbpoint", lambda: None)
    monkeypatch.setattr(validation, "_gtpin", lambda: None)
    monkeypatch.setattr(validation, "_engines", lambda: None)
    monkeypatch.setattr(validation, "_simulate", lambda: None)
    assert validation.kept_results() == {**NOTHING, "error_bands": {"a": 1}}


def test_what_is_kept_of_each_engine_keeps_its_own_state(monkeypatch):
    parts = {"simple16": DatasetAccuracy(groups=groups([row(0, 1.0, 1.1)]))}
    told = {**FRESH, "computer": COMPUTER}
    estimate = Accuracy(engine="estimate", tables={}, parts=parts)
    simulate = replace(estimate, engine="simulate", unfinished=("kt_hotspot",))
    own = {
        "accuracy-estimate": Measured(estimate, told, ()),
        "accuracy-simulate": Measured(simulate, told | changed(2), tuple(changed(2)["changed"])),
    }
    monkeypatch.setattr(Benchmark, "kept", lambda self: own.get(self.name))
    found = validation._accuracy()
    assert found["by_engine"]["estimate"] == {**FRESH, "unfinished": []}
    assert found["by_engine"]["simulate"] == {**changed(2), "unfinished": ["simulate/kt_hotspot"]}
    text = part(page({**NOTHING, "accuracy": found}), "## Against silicon")
    assert "2 files that it rests on have changed since. Not measured yet: kt_hotspot." in text
    own.clear()
    assert validation._accuracy() is None
