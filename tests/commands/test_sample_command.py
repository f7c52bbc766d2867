"""``warpmill sample`` as people call it: what it chooses, projects, checks, keeps and refuses."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.commands.test_cli_bad_input import fails
from warpmill.cli.main import main
from warpmill.sampling.methods import METHODS
from warpmill.sampling.simpoint_files import read_simpoints, read_vectors

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
REDUCE = [str(SAMPLES / "reduce" / "launch.toml"), "--size", "n=65536"]
FEW_SMS = ["--machine", "a100", "--set", "sm.count=2"]
PAPER = ["--stability", "paper"]
BFS = ["bfs:tiny", "--size", "nodes=256"]

PROGRAM = f"""
import numpy as np


def main(device, n=256, launches=14, last=200):
    add = device.load({VECADD!r})["vecadd"]
    x = device.array(np.ones(4 * n, np.float32))
    for k in range(launches):
        count = last if k == launches - 1 else n * (1 + k % 3)
        device.launch(add, grid=-(-count // 128), block=128, args=[x, x, x, count])
        if k % 4 == 3:
            device.synchronize()
    return x
"""
"""Launches of three sizes by turns, and one more. What compiles fast is tested fast."""


@pytest.fixture(scope="module")
def adds(tmp_path_factory):
    path = tmp_path_factory.mktemp("program") / "adds.py"
    path.write_text(PROGRAM)
    return [str(path), "--set", "sm.count=2"]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Launches of which every other one finds in L2 what the one before has brought there."""
    path = tmp_path_factory.mktemp("program") / "pairs.py"
    begin = "    x = [device.array(np.ones(4 * n, np.float32)) for _ in range(launches // 2)]"
    whole = PROGRAM.replace("    x = device.array(np.ones(4 * n, np.float32))", begin)
    path.write_text(whole.replace("args=[x, x, x, count]", "args=[*[x[k // 2]] * 3, count]"))
    return [str(path), "--set", "sm.count=2"]


_KNOWN: dict[tuple[str, ...], dict] = {}


def report(capsys, *words):
    """A report; it is made once for all tests."""
    if words not in _KNOWN:
        assert main(["sample", *words, "--format", "json"]) == 0
        _KNOWN[words] = json.loads(capsys.readouterr().out)
    return _KNOWN[words]


def text(capsys, *words):
    assert main(["sample", *words]) == 0
    return capsys.readouterr().out


def figures(machine):
    return {one["name"]: one for one in machine["figures"]}


# ------------------------------------------------------------------------------ what is said


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_chooses_a_part_and_projects_the_whole(adds, method, capsys):
    one = report(capsys, *adds, "--method", method, "--compare")
    (machine,) = one["machines"]
    assert one["selection"]["method"] == method
    selection, of_strata = one["selection"], one["stratum_launches"]
    members = sorted(n for stratum in selection["strata"] for n in stratum["members"])
    assert members == list(range(len(selection["units"])))
    assert sum(stratum["weight"] for stratum in selection["strata"]) == pytest.approx(1)
    for stratum, launches in zip(selection["strata"], of_strata, strict=True):
        assert set(stratum["chosen"]) <= set(stratum["members"])
        executed = sum(selection["units"][n]["warp_instructions"] for n in stratum["members"])
        assert launches["warp_instructions"] == executed
        assert stratum["weight"] == pytest.approx(executed / selection["warp_instructions"])
    launches = sorted(n for stratum in of_strata for n in stratum["launches"])
    assert launches == [each["launch"] for each in machine["runs"]]
    found, cycles = figures(machine), machine["whole"]["cycles"]
    assert machine["error"] == pytest.approx(found["cycles"]["value"] / cycles - 1)
    assert found["cycles"]["simulated"] == cycles
    issued = sum(each["warp_instructions"] for each in machine["runs"])
    assert machine["simulated_warp_instructions"] == issued + machine["warming_warp_instructions"]
    assert bool(machine["warming"]) is (method != "tbpoint")
    assert machine["speedup"] == pytest.approx(1 / machine["sample_share"])


def test_what_is_all_simulated_is_as_simulated(adds, capsys):
    """Nothing is scaled, and the simulation of all launches says the same."""
    words = ["--method", "random", "--share", "100%", "--compare"]
    one = report(capsys, *adds, *words)
    (machine,) = one["machines"]
    assert machine["sample_share"] == 1
    assert machine["marks"]["figures.value"] == "modelled"
    assert machine["error"] == 0
    assert machine["holds"]
    simulated = main(["simulate", *adds, "--launch", "all", "--streams", "serial", "-f", "json"])
    assert simulated == 0
    whole = json.loads(capsys.readouterr().out)["simulations"][0]["result"]
    found = figures(machine)
    spans = [x["end_cycle"] - x["begin_cycle"] for x in whole["launches"]]
    assert found["cycles"]["value"] == sum(spans)
    assert machine["issued"]["warp_instructions"] == whole["warp_instructions"]
    assert found["thread_ipc"]["value"] * sum(spans) == pytest.approx(whole["thread_instructions"])


def test_figures_follow_from_cycles_and_lie_in_their_intervals(adds, capsys):
    (machine,) = report(capsys, *adds, "--method", "stratified", "--compare")["machines"]
    found = figures(machine)
    cycles, low, high = (found["cycles"][key] for key in ("value", "low", "high"))
    assert low < cycles < high
    assert machine["half_width"] > 0
    assert found["time"]["value"] == pytest.approx(cycles / machine["clock_mhz"])
    assert found["ipc"]["value"] == pytest.approx(machine["issued"]["warp_instructions"] / cycles)
    assert found["ipc"]["low"] == pytest.approx(machine["issued"]["warp_instructions"] / high)
    assert found["ipc"]["high"] == pytest.approx(machine["issued"]["warp_instructions"] / low)
    assert found["thread_ipc"]["low"] < found["thread_ipc"]["value"] < found["thread_ipc"]["high"]
    assert low >= sum(each["cycles"] for each in machine["runs"])
    assert machine["marks"]["figures.value"] == "sampled"
    assert machine["holds"] is (low <= machine["whole"]["cycles"] <= high)


@pytest.mark.slow
def test_ctas_inside_of_launches_are_skipped(capsys):
    (machine,) = report(capsys, *REDUCE, *FEW_SMS, *PAPER, "--compare")["machines"]
    (launch,) = machine["runs"]
    passed = launch["skippable_ctas"]
    assert passed
    assert all(each["first_cta"] <= each["last_cta"] < 128 for each in passed)
    left_out = sum(each["warp_instructions"] for each in passed)
    assert launch["warp_instructions"] + left_out == machine["issued"]["warp_instructions"]
    added = sum(each["warp_instructions"] / each["ipc"] for each in passed)
    assert launch["whole_cycles"] == pytest.approx(launch["cycles"] + added)
    assert machine["sample_share"] < 1
    assert machine["half_width"] > 0
    whole = report(capsys, *REDUCE, *FEW_SMS, "--compare", "--no-inside")["machines"][0]
    assert whole["runs"][0]["skippable_ctas"] == []
    assert whole["error"] == 0
    other = report(capsys, *REDUCE, *FEW_SMS, *PAPER, "--method", "random", "--inside")
    assert other["machines"][0]["runs"][0]["skippable_ctas"] == passed


def test_launches_before_chosen_ones_warm_caches(pairs, capsys):
    """With all that comes before them, they run as in the whole application."""
    words = [*pairs, "--method", "stratified"]
    cold, warm, usual = (
        report(capsys, *words, *more)["machines"][0]
        for more in (["--warm-up", "0"], ["--warm-up", "1000"], [])
    )
    everything = report(capsys, *pairs, "--method", "random", "--share", "100%")["machines"][0]
    true = {each["launch"]: each["cycles"] for each in everything["runs"]}
    assert len(cold["warming"]) == 0 < len(usual["warming"]) < len(warm["warming"])
    chosen = [each["launch"] for each in cold["runs"]]
    assert len(warm["warming"]) == max(chosen) + 1 - len(chosen)
    off = [
        [each["cycles"] - true[each["launch"]] for each in one["runs"]]
        for one in (cold, usual, warm)
    ]
    assert not any(off[2])
    assert sum(map(abs, off[0])) > sum(map(abs, off[1]))
    assert f"{len(usual['warming'])} launches" in text(capsys, *words)


def test_a_rule_for_skipping_needs_something_to_skip(adds, capsys):
    words = ["sample", *adds, "--stability", "paper", "--method", "random"]
    fails(capsys, words, 2, "--stability says when CTAs are skipped, which needs --inside")


def test_one_choice_serves_several_machines(capsys):
    one = report(capsys, *REDUCE, *PAPER, "--machine", "t4,a100", "--set", "sm.count=2")
    assert [each["machine"] for each in one["machines"]] == ["t4", "a100"]
    t4, a100 = (each["runs"][0]["skippable_ctas"] for each in one["machines"])
    assert t4[0]["first_cta"] != a100[0]["first_cta"]  # they hold different numbers of CTAs


def test_a_machine_that_launches_do_not_fit_on_is_left_out(capsys):
    ptx = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
    wide = [ptx, "--grid", "2", "--block", "1024", *["--arg", "buffer=f32:2048"] * 3]
    wide += ["--arg", "2048", "--machine"]
    one = report(capsys, *wide, "a100,quadro_fx5800")
    assert [each["machine"] for each in one["machines"]] == ["a100"]
    assert [each["machine"] for each in one["not_simulated"]] == ["quadro_fx5800"]
    assert "not simulated on quadro_fx5800" in text(capsys, *wide, "a100,quadro_fx5800")
    fails(capsys, ["sample", *wide, "quadro_fx5800"], 2, "does not fit on quadro_fx5800")


@pytest.mark.slow
def test_one_kernel_and_one_launch(capsys):
    one = report(capsys, *BFS, "--kernel", "bfs_advance", "--method", "gtpin", "--features", "KN")
    assert one["kernels"] == ["bfs_advance"]
    assert len(one["selection"]["strata"]) == 1
    assert {n["number"] % 2 for n in one["launches"]} == {1}  # those of the application
    alone = report(capsys, *BFS, "--launch", "2")
    assert [n["number"] for n in alone["launches"]] == [2]


def test_gtpin_divides_as_it_is_told(adds, capsys):
    by_kernel, by_sync = (
        report(capsys, *adds, "--method", "gtpin", "--intervals", word, "--features", "KN-GWS")
        for word in ("kernel", "sync")
    )
    assert by_kernel["selection"]["options"]["division"] == "kernel"
    assert by_kernel["selection"]["options"]["feature"] == "KN-GWS"
    assert len(by_kernel["selection"]["units"]) == 14
    assert len(by_kernel["selection"]["strata"]) == 3  # grids of 2, 4 and 6 CTAs
    assert [u["end"] for u in by_sync["selection"]["units"]] == [4, 8, 12, 14]


def test_the_same_seed_chooses_the_same(adds, capsys):
    drawn = ["--method", "random", "--share", "30%", "--seed"]
    launches = [
        [each["launch"] for each in report(capsys, *adds, *drawn, seed)["machines"][0]["runs"]]
        for seed in ("1", "2", "1")
    ]
    assert launches[0] == launches[2]
    assert launches[0] != launches[1]


# ------------------------------------------------------------------------------ target errors


@pytest.mark.parametrize("method", ["random", "stratified"])
def test_more_is_simulated_until_the_interval_is_narrow(adds, method, capsys):
    one = report(capsys, *adds, "--method", method, "--target-error", "15%")
    (machine,) = one["machines"]
    widths = [each["half_width"] for each in machine["passes"]]
    assert len(widths) > 1
    assert all(width > 0.15 for width in widths[:-1])
    assert widths[-1] <= 0.15
    assert machine["met"]
    assert machine["half_width"] == pytest.approx(widths[-1])
    chosen = sum(len(stratum["chosen"]) for stratum in one["selection"]["strata"])
    assert machine["passes"][-1]["units"] == chosen


def test_gtpin_takes_the_smallest_selection_by_estimated_times(adds, capsys):
    loose, tight = (
        report(capsys, *adds, "--method", "gtpin", "--target-error", target)
        for target in ("50%", "0.001%")
    )
    assert loose["machines"][0]["expected_error"] <= 0.5
    assert loose["machines"][0]["met"]
    assert loose["selection"]["sample_share"] <= tight["selection"]["sample_share"]
    assert loose["machines"][0]["marks"]["expected_error"] == "modelled"


# ------------------------------------------------------------------------------ files


def test_a_selection_is_used_again(adds, capsys, tmp_path):
    path = tmp_path / "bfs.json"
    drawn = ["--method", "random", "--share", "30%"]
    made = report(capsys, *adds, *drawn, "--save", str(path))
    again = report(capsys, *adds, "--selection", str(path))
    for key in ("selection", "stratum_launches", "machines", "launches"):
        assert again[key] == made[key]
    assert again["saved"] == str(path)
    other = report(capsys, *adds, "--selection", str(path), "--machine", "t4,a100")
    assert other["selection"] == made["selection"]
    assert other["machines"] != made["machines"]


@pytest.mark.parametrize("method", ["tbpoint", "gtpin"])
def test_a_selection_that_is_used_again_has_the_same_interval(adds, method, capsys, tmp_path):
    path = tmp_path / "bfs.json"
    made = report(capsys, *adds, "--method", method, "--save", str(path))
    again = report(capsys, *adds, "--selection", str(path))
    assert again["inside"] is made["inside"] is (method == "tbpoint")
    assert again["machines"] == made["machines"]
    assert report(capsys, *adds, "--selection", str(path), "--no-inside")["inside"] is False


def test_another_application_is_refused_with_what_differs(adds, capsys, tmp_path):
    path = str(tmp_path / "adds.json")
    report(capsys, *adds, "--method", "random", "--save", path)
    for words, told in (
        (["--size", "n=512"], "launch 0 has grid 4 x 1 x 1, and 2 x 1 x 1 here"),
        (["--size", "last=150"], "launch 13 has warp instructions"),
        (["--size", "last=201"], "code, arguments or blocks differ"),
        (["--size", "launches=13", "--size", "last=256"], "13 launches, and 14 are here"),
        (["--launch", "2"], "launch 2 has the number 2, and 0 here"),
    ):
        given = [*adds, *words, "--selection", path]
        fails(capsys, ["sample", *given], 2, f"{path}:", told, "another application")
    fails(capsys, ["sample", *BFS, "--selection", path], 2, "has the kernel bfs_expand, and vecadd")


def test_simpoints_files_say_what_was_chosen(adds, capsys, tmp_path):
    prefix = tmp_path / "bfs"
    one = report(capsys, *adds, "--method", "stratified", "--simpoints", str(prefix))
    vectors = read_vectors(tmp_path / "bfs.bb")
    executed = [unit["warp_instructions"] for unit in one["selection"]["units"]]
    assert vectors.sum(axis=1).tolist() == executed
    points = read_simpoints(tmp_path / "bfs.simpoints", tmp_path / "bfs.weights")
    assert [p.interval for p in points] == [
        n for each in one["selection"]["strata"] for n in each["chosen"]
    ]
    assert sum(point.weight for point in points) == pytest.approx(1)
    # weights with the CPI of the intervals give the projection
    cycles = {each["launch"]: each["whole_cycles"] for each in one["machines"][0]["runs"]}
    projected = sum(p.weight * cycles[p.interval] / executed[p.interval] for p in points)
    found = figures(one["machines"][0])["cycles"]["value"]
    assert projected * one["selection"]["warp_instructions"] == pytest.approx(found)


def test_csv_has_what_json_has(capsys):
    one = report(capsys, *REDUCE, *FEW_SMS, *PAPER, "--compare")
    rows = list(
        csv.DictReader(
            io.StringIO(text(capsys, *REDUCE, *FEW_SMS, *PAPER, "--compare", "-f", "csv"))
        )
    )
    kinds = [row["kind"] for row in rows]
    assert sorted(set(kinds)) == ["comparison", "figure", "launch", "skippable_ctas", "stratum"]
    (machine,) = one["machines"]
    cycles = next(row for row in rows if row["name"] == "cycles")
    assert float(cycles["value"]) == figures(machine)["cycles"]["value"]
    assert float(cycles["simulated"]) == machine["whole"]["cycles"]
    passed = next(row for row in rows if row["kind"] == "skippable_ctas")
    assert int(passed["first_cta"]) == machine["runs"][0]["skippable_ctas"][0]["first_cta"]


# ------------------------------------------------------------------------------ flags and errors


def test_an_error_above_the_limit_is_flagged(adds, capsys):
    drawn = [*adds, "--method", "systematic", "--share", "20%", "--compare"]
    off = abs(report(capsys, *drawn)["machines"][0]["error"])
    assert off > 0.001
    assert main(["sample", *drawn, "--fail-over", f"{off * 100 - 0.01:.4f}%"]) == 1
    assert "allowed" in capsys.readouterr().out
    assert main(["sample", *drawn, "--fail-over", f"{off * 100 + 0.01:.4f}%"]) == 0


def test_what_it_took_is_told_apart(adds, capsys):
    assert main(["sample", *adds, "--compare"]) == 0
    told = capsys.readouterr()
    assert told.err.startswith("CPU time: profile ")
    assert "of all launches" in told.err
    assert "CPU" not in told.out


def test_limits(adds, capsys):
    fails(capsys, ["sample", *adds, "--max-cycles", "100"], 3, "--max-cycles")
    assert main(["sample", *adds, "--max-instructions", "100"]) == 3
    assert "--max-instructions" in capsys.readouterr().err


def test_options_beside_a_selection_are_refused(adds, capsys, tmp_path):
    path = str(tmp_path / "bfs.json")
    report(capsys, *adds, "--method", "random", "--save", path)
    words = [*adds, "--selection", path, "--method", "gtpin", "--seed", "3"]
    fails(capsys, ["sample", *words], 2, "leave out --method, --seed")


def test_the_page_says_what_was_tried_and_used_again(adds, capsys, tmp_path):
    path = str(tmp_path / "adds.json")
    drawn = ["--method", "random", "--target-error", "15%", "--save", path]
    page = text(capsys, *adds, *drawn, "--verbose")
    assert "met, by the interval" in page
    assert "selections tried on v100" in page
    again = text(capsys, *adds, "--selection", path)
    assert "Selection of" in again
    assert "selections tried on" not in again
