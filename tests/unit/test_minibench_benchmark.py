"""The benchmark of clones: what rows add up to, sampling in space, the page; nothing is timed."""

import json
from collections import Counter

import numpy as np
import pytest

from benchmarks import minibench
from benchmarks.minibench_parts import (
    extras,
    figures,
    further,
    kept_points,
    measuring,
    page,
    page_tables,
    space,
    tables,
)
from benchmarks.minibench_parts.flow_plot import layers
from benchmarks.minibench_parts.simulating import write_clone
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.cloning.clone import clone, clone_studied, study
from warpmill.cloning.options import CloneOptions
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.registers import find_registers, registers_of
from warpmill.session.simulations import simulate
from warpmill.simulator.machines import load_machine

A, B = "minibench_8sm", "minibench_28sm"


def sums(cycles, threads, warps=100):
    return {
        "cycles": cycles, "threads": threads, "warps": warps,
        "l1_accesses": 10, "l1_misses": 5, "dram": 4,
    }  # fmt: skip


def original(*launches, cpu_s=10.0):
    rows = [sums(*one) for one in launches]
    return {**figures._sums(rows), "cpu_s": cpu_s, "engine_s": cpu_s / 2, "launch_rows": rows}


def clone_of(*launches, cpu_s=1.0):
    """Make a clone's row: of each launch what it took, the threads it stands for, and of which."""
    rows = [
        {
            **sums(cycles, threads), "original": {"threads": stands, "warps": 100},
            "stands_for": list(numbers), "kernel": "k", "clone": name, "grid": [1, 1, 1],
            "repeats": 1,
        }
        for name, cycles, threads, stands, numbers in launches
    ]  # fmt: skip
    models = [{"represented": 2.0, "reduction": 4, "kernel": "k"}]
    return {"cpu_s": cpu_s, "engine_s": cpu_s / 4, "warps": 50, "launches": len(rows),
            "cycles": sum(r["cycles"] for r in rows), "models": models,
            "launch_rows": rows}  # fmt: skip


# ---------------------------------------------------------------------------------------- rows


def test_the_ipc_of_a_whole_is_made_of_the_launches_it_stands_for():
    whole = original((100, 800), (100, 800), (200, 400))  # IPC 5
    mini = clone_of(("a", 10, 100, 1600, (0, 1)), ("b", 50, 50, 400, (2,)))  # IPC 10 and 1
    row = figures.paired("w", "W", A, whole, mini)
    # 2000 / (1600 / 10 + 400 / 1)
    assert row["ipc"] == pytest.approx([5.0, 2000 / 560])
    assert row["error_percent"] == pytest.approx(100 * (2000 / 560 - 5) / 5)
    assert (row["speedup"], row["engine_speedup"]) == (10.0, 20.0)
    first, second = row["parts"]
    assert first["share"] == 0.5
    assert first["error_percent"] == pytest.approx(25.0)  # 8 a cycle, and 10 of the clone
    assert second["error_percent"] == pytest.approx(-50.0)


def test_kernels_are_summed_up_largest_first():
    whole = original((100, 800), (300, 900), (100, 800))
    mini = clone_of(
        ("a", 10, 80, 800, (0,)), ("b", 10, 30, 900, (1,)), ("a", 5, 80, 800, (2,))
    )  # fmt: skip
    both = figures.by_kernel(figures.paired("w", "W", A, whole, mini)["parts"])
    assert [(one["clone"], one["clone_launches"]) for one in both] == [("b", 1), ("a", 2)]
    assert both[1]["error_percent"] == pytest.approx(100 * (200 / 150 - 1))
    assert both[1]["worst_percent"] == pytest.approx(100.0)


def test_launches_at_the_same_time_are_compared_as_a_whole():
    whole = original((100, 1600))
    mini = clone_of(("a", 10, 100, 800, (0,)), ("b", 10, 100, 800, (1,)))
    row = figures.paired("w", "W", A, whole, mini)
    assert row["ipc"] == pytest.approx([16.0, 10.0])
    assert [part["share"] for part in row["parts"]] == [None, None]


def row_of(name, machine, error, speedup, ipc=4.0):
    return {"name": name, "workload": name.lower(), "machine": machine, "error_percent": error,
            "speedup": speedup, "engine_speedup": 2 * speedup,
            "ipc": [ipc, ipc * (1 + error / 100)], "loops": name != "NE", "launches": [2, 1],
            "cpu_s": [speedup, 1.0], "engine_s": [speedup, 0.5], "instructions_over": speedup,
            "parts": []}  # fmt: skip


ROWS = [
    row_of("MM", A, 4.0, 10.0, 1.0), row_of("MM", B, -12.0, 30.0, 2.0),
    row_of("LU", A, -2.0, 2.0, 1.0), row_of("LU", B, 6.0, 4.0, 3.0),
    row_of("NE", A, 40.0, 0.5, 1.0), row_of("NE", B, -40.0, 0.5, 1.2),
]  # fmt: skip
LOOPS = {"MM": True, "LU": True, "NE": False}


def test_errors_are_of_workloads_with_loops():
    found = figures.figures(ROWS, LOOPS)
    assert (found["workloads"], found["workloads_with_loops"]) == (3, 2)
    assert found["mean_abs_ipc_error"] == pytest.approx(6.0)
    assert found["pairs_over_10"] == 1
    assert found["over_10"] == [["MM", B, -12.0]]
    assert [name for name, *_ in found["without_loops"]] == ["NE", "NE"]
    assert found["hard_mean_abs_ipc_error"] == pytest.approx(22.0)  # LU and NE
    assert found["hard_max_abs_ipc_error"] == 40.0
    assert found["error_by_machine"] == {A: pytest.approx(3.0), B: pytest.approx(9.0)}


def test_workloads_without_loops_count_as_one_in_speedups():
    found = figures.figures(ROWS, LOOPS)
    means = (10 + 2 + 1) / 3, (30 + 4 + 1) / 3
    assert found["speedup"] == {A: pytest.approx(means[0]), B: pytest.approx(means[1])}
    assert found["harmonic_mean_speedup"] == pytest.approx(2 / (1 / means[0] + 1 / means[1]))
    within = 3 / (1 / 10 + 1 / 2 + 1)
    assert found["harmonic_mean_over_workloads"][A] == pytest.approx(within)
    assert (found["max_speedup"], found["min_speedup"]) == (30.0, 2.0)
    assert found["engine_speedup"][A] == pytest.approx((20 + 4 + 1) / 3)


def test_the_harmonic_mean_is_of_the_papers_machines():
    rows = [row_of("MM", m, 0.0, s) for m, s in ((A, 10.0), (B, 10.0), ("a100", 1.0))]
    assert figures.figures(rows, LOOPS)["harmonic_mean_speedup"] == pytest.approx(10.0)


def test_machines_that_clones_rank_otherwise_are_told():
    told = figures.ranks_kept(ROWS)
    assert told["workloads"] == [2, 3]
    clones = 100 * (0.72 / 1.4 - 1)
    assert told["swapped"] == [["NE", B, A, pytest.approx(20.0), pytest.approx(clones)]]


def test_goals_are_the_papers():
    met = figures.goals_met(
        {"mean_abs_ipc_error": 4.7, "pairs_over_10": 3, "max_speedup": 588.0,
         "harmonic_mean_speedup": 49.0, "speedup": {A: 40.0, B: 45.9}}
    )  # fmt: skip
    assert met == {
        "mean_abs_ipc_error": True, "pairs_over_10": False, "max_speedup": False,
        "harmonic_mean_speedup": True, f"speedup.{A}": True, f"speedup.{B}": False,
    }  # fmt: skip


# --------------------------------------------------------------------------------------- extras


def test_the_cost_of_a_search_is_shared_by_the_machines():
    searched = {"search_cpu_s": 3.0, "original_cpu_s": 1.0}
    pairs = [(m, original((100, 800)), clone_of(("a", 10, 80, 800, (0,)))) for m in (A, B)]
    rows = extras.automatic("w", "W", searched, pairs)
    assert [row["speedup_with_search"] for row in rows] == [pytest.approx(10 / (1 + 2))] * 2


@pytest.mark.slow
def test_reductions_below_the_largest_are_tried():
    wanted = extras.series("matmul", {"models": [{"reduction": 4}, {"reduction": 20}]})
    assert [p.inputs["options"]["reduction"] for p in wanted] == [1, 2, 4, 8, 16]
    assert extras.series("matmul", {"models": [{"reduction": 1}]}) == []


def test_clones_of_a_search_have_its_factors():
    one = extras.with_found("matmul", A, {"factor": 8, "reductions": {}})
    assert one.inputs["options"] == {"reduction": 8}
    each = extras.with_found("matmul", A, {"factor": None, "reductions": {"k": {"3": 2}}})
    assert each.inputs["options"] == {"reductions": {"k": {"3": 2}}}


def test_readings_of_samples_in_space():
    rows = {(way, part): {"ipc": 8.0 * (part if way == "threads" else 1.0)}
            for way in space.WAYS for part in space.FRACTIONS}  # fmt: skip
    rows["warps", 0.25] = {"ipc": 2.0}
    told = extras.sampled_in_space(rows)
    assert [told[way]["error_percent"] for way in space.WAYS] == pytest.approx([0.0, -75.0, 0.0])
    assert told["threads"]["normalised_ipc"]["0.125"] == 0.125


def test_files_that_compilers_refuse_are_listed():
    told = extras.acceptance([{"ptxas sm_80": None}, {"ptxas sm_80": "line 3: no"}])
    assert told == {"files": {"ptxas sm_80": [1, 2]}, "refused": [["ptxas sm_80", "line 3: no"]]}


# ----------------------------------------------------------------------------- sampling in space


def batch():
    """Make two CTAs of two warps of four lanes: two events each, the second with an access."""
    point = AccessPoint(1, 0, "load", Space.GLOBAL, 4)
    events = 8
    return EventBatch(
        EventTables((2, 1, 1), 4, 2, (point,), ((0, 0),)),
        ctas=np.arange(2), warps=np.arange(5) * 2, block=np.tile([0, 1], 4).astype(np.int32),
        mask=np.full(events, 0b1111, np.uint64),
        event_guards=np.array([0, 1, 1, 1, 1, 1, 1, 1, 1]), guard_number=np.zeros(1, np.int32),
        guard_mask=np.array([0b0011], np.uint64),
        event_accesses=np.array([0, 0, 1, 1, 2, 2, 3, 3, 4]),
        access_point=np.zeros(4, np.int32), access_mask=np.full(4, 0b0110, np.uint64),
        access_base=np.arange(4) * 100, access_pattern=np.zeros(4, np.int32),
        patterns=np.array([[0, 0, 4, 0]]),
    )  # fmt: skip


def test_lanes_are_switched_off():
    kept = np.array([0b1111, 0b0001, 0, 0b0100], np.uint64)
    few = space.with_lanes(batch(), kept)
    assert few.warps.tolist() == [0, 2, 4, 4, 6]  # nothing is left of the third
    assert few.mask.tolist() == [15, 15, 1, 1, 4, 4]
    assert few.event_accesses.tolist() == [0, 0, 1, 1, 1, 1, 2]  # the second has no lane in its
    assert few.access_base.tolist() == [0, 300]
    assert few.access_mask.tolist() == [6, 4]
    assert few.guard_mask.tolist() == [3]


def test_warps_are_left_out_of_every_cta():
    few = space.with_warps(batch(), np.array([1]))
    assert few.tables.warps_per_cta == 1
    assert few.warps.tolist() == [0, 2, 4]
    assert few.access_base.tolist() == [100, 300]
    assert few.event_guards.tolist() == [0] * 5
    assert len(few.traces(1)) == 1


def test_all_threads_are_the_original():
    jobs = prepare_all("samples/reduce/launch.toml", options=LaunchOptions(sizes={"n": 8192}))
    whole = simulate(jobs, "minibench_8sm")
    for way in space.WAYS:
        assert space.sampled(jobs, "minibench_8sm", way, 1.0)["ipc"] == whole.thread_ipc
    few = space.sampled(jobs, "minibench_8sm", "ctas", 0.5)
    assert few["threads"] == pytest.approx(whole.thread_instructions / 2, rel=0.02)


# -------------------------------------------------------------------------------------- clones


def test_a_clones_kernels_take_the_registers_of_the_original(tmp_path):
    made = clone("samples/matmul/launch.toml", launch=LaunchOptions(sizes={"n": 32}))
    jobs = write_clone(made, "minibench_8sm", tmp_path)
    machine = load_machine("minibench_8sm")
    assert jobs
    for job, own in zip(jobs, made.studied.groups, strict=True):
        theirs = made.studied.jobs[own[0]]
        count = [registers_of(j, machine).registers_per_thread for j in (job, theirs)]
        assert count[0] == count[1]
        assert find_registers(job.loaded, job.kernel, lambda: 1, machine).registers_per_thread > 1


@pytest.fixture(scope="module")
def known():
    return study("samples/scan/launch.toml", launch=LaunchOptions(sizes={"n": 4096}))


@pytest.mark.parametrize("target", further.TARGETS)
def test_clones_for_every_chip_are_read_and_assembled(known, tmp_path, target):
    files = clone_studied(known, CloneOptions(chip=target)).files
    for name, text in files.files:
        (tmp_path / name).write_text(text, "utf-8")
    jobs = prepare_all(tmp_path / "launch.toml")  # by the grammar, everywhere
    assert {job.loaded.module.target for job in jobs} == {target}
    ptx, cuda = (next(n for n in files.names if n.endswith(end)) for end in (".ptx", ".cu"))
    if "ptxas" in further.compilers():
        assert further.complaint(["ptxas", f"-arch={target}", ptx], tmp_path) is None
    if "nvcc" in further.compilers() and target == further.TARGETS[-1]:
        assert further.complaint(["nvcc", f"-arch={target}", "-cubin", cuda], tmp_path) is None


@pytest.mark.skipif("ptxas" not in further.compilers(), reason="ptxas is not installed")
def test_what_a_compiler_says_is_told(tmp_path):
    (tmp_path / "wrong.ptx").write_text(".version 7.0\n.target sm_80\nnonsense;\n")
    said = further.complaint(["ptxas", "-arch=sm_80", "wrong.ptx"], tmp_path)
    assert "nonsense" in said


# ---------------------------------------------------------------------------------- the whole


@pytest.mark.slow
def test_what_cannot_be_measured_is_a_problem(tmp_path, monkeypatch):
    seen = Counter()

    def fails(workload, machine=None, **options):
        seen[workload] += 1
        raise InputError("no room")

    monkeypatch.setattr(kept_points, "MEASURES", dict.fromkeys(kept_points.MEASURES, fails))
    rows = measuring.Rows(tmp_path / "s.db", 1, str)
    result = measuring.measure({"nn": ("NE", False)}, [A], rows, with_extras=False)
    assert [p["kind"] for p in result["problems"]] == ["clone", "original", "alike"]
    assert {p["problem"] for p in result["problems"]} == {"no room"}
    assert result["rows"] == []
    assert seen == {"nn": 3}
    assert any("no room" in line for line in tables.table(result))


def test_rows_are_measured_once(tmp_path, monkeypatch):
    seen = []

    def measured(workload, machine=None, **options):
        seen.append((workload, machine))
        return {"workload": workload}

    monkeypatch.setattr(kept_points, "MEASURES", dict.fromkeys(kept_points.MEASURES, measured))
    for _ in range(2):
        rows = measuring.Rows(tmp_path / "s.db", 1, str)
        rows.measure([kept_points.wanted(kept_points.ORIGINAL, "nn", A)] * 2)
        assert rows(kept_points.ORIGINAL, "nn", A) == {"workload": "nn"}
    assert seen == [("nn", A)]


def test_what_makes_clones_changes_no_original():
    assert kept_points.sources(True) != kept_points.sources(False)
    of = kept_points.wanted(kept_points.ORIGINAL, "nn", A)
    assert of.inputs["sources"] == kept_points.sources(True)
    assert kept_points.wanted(kept_points.CLONE, "nn", A).inputs["sources"] != of.inputs["sources"]


def test_the_papers_workloads_are_known():
    known = minibench.known_workloads()
    assert len(known) == 23
    assert {name for name, _ in known.values()} > set(figures.HARD)
    without = {name for name, loops in known.values() if not loops}
    assert without == {"MT", "BFS", "NE"}
    assert minibench.chosen(("MM", "nn")) == ("matmul", "nn")


def whole_result():
    """Make a result up, with everything that the page shows."""
    summed = figures.figures(ROWS, LOOPS)
    alike = {"original": 2.0, "clone": 2.2, "error_percent": 10.0}
    of_kinds = dict.fromkeys(("shared_wavefronts_per_request", "sectors_per_request",
                              "lanes_per_instruction"), alike)  # fmt: skip
    rows = {(way, part): {"ipc": part, "l1_miss_rate": 0.5, "icache_hit_rate": 1.0,
                          "sectors_read": 8, "memory_queue_stalls": 0}
            for way in space.WAYS for part in space.FRACTIONS}  # fmt: skip
    flow = {"blocks": [3, 9, 1], "edges": [[0, 1], [1, 1], [1, 2], [2, 3]], "loops": [1]}
    search = {"factor": None, "reductions": {"k": {"1": 4}}, "met": True, "trials": 3,
              "search_cpu_s": 2.0, "original_cpu_s": 1.0}  # fmt: skip
    auto = [{**row, "speedup_with_search": 1.5} for row in ROWS]
    return {
        "machines": [A, B], "names": {"MM": "mm", "LU": "lu", "NE": "ne"}, **summed,
        "goals": figures.goals_met(summed), "rows": ROWS, "problems": [],
        "alike": {"mm": {**of_kinds, "branch_share": None}, "lu": None},
        "auto": extras.automatic_figures(auto, {"mm": search}, LOOPS), "auto_rows": auto,
        "searches": {"MM": search}, "one_iteration": {"MM": -30.0, "LU": 3.0},
        "series": {"MM": [{"factor": n, "error_percent": 1.0, "speedup": n, "engine_speedup": n}
                          for n in (1, 2, 4)]},
        "space": {"MM": extras.sampled_in_space(rows)}, "figure_3": extras.figure_3(rows),
        "accepted": {"compilers": ["ptxas"], **extras.acceptance([{"ptxas sm_80": None}])},
        "figure_13": {"kernel": "k", "nodes": [[0, 64, 0, 0], [1, 320, 320, 0], [2, 0, 0, 0]],
                      "edges": [[0, 1, 64, 64, 64], [1, 1, 256, 256, 64],
                                [1, None, 64, 64, 64], [0, 2, 0, 0, 0]]},
        "figure_22": {"original": flow, "clone": flow, "shortened": None},
        "computer": {"processor": "a processor", "python": "3"}, "date": "2026-01-01",
    }  # fmt: skip


@pytest.mark.slow
def test_the_page_shows_bad_rows_too(tmp_path):
    page.write(whole_result(), tmp_path)
    text = (tmp_path / "clones.md").read_text("utf-8")
    assert "| MM | minibench_28sm | -12.0 % | not explained |" in text
    assert "| pairs of workload and machine over 10 % | 2 | 1 | yes |" in text
    assert "| mean of the absolute IPC errors, % | 4.7 | 6.0 | NO |" in text
    assert "| MM | k B1 by 4 | 3 | +4.0 % | -12.0 % |" in text
    assert "| #1 | end | 64 | 64 | 64 |" in text
    assert "\n\n\n" not in text
    shown = {line.split("](clones/")[1][:-1] for line in text.splitlines() if "](clones/" in line}
    assert {path.name for path in (tmp_path / "clones").iterdir()} == shown
    assert all((tmp_path / "clones" / name).stat().st_size > 1000 for name in shown)


def test_a_page_leaves_out_what_was_not_measured():
    result = whole_result()
    for name in ("series", "auto", "auto_rows", "searches", "one_iteration", "space", "figure_3",
                 "figure_13", "figure_22", "accepted"):  # fmt: skip
        del result[name]
    text = page.page(result)
    assert "## Every workload on every machine" in text
    for words in ("reduction factor", "by search", "one iteration", "in space\n", "kmeans", "chip"):
        assert f"## {words}" not in text
    assert "figure_22" not in text


def test_the_table_tells_figures_and_goals():
    lines = list(tables.table(whole_result(), verbose=True))
    assert any(line.startswith("mean_abs_ipc_error") and line.endswith("6.00") for line in lines)
    assert f"{'pairs_over_10':<40}reached" in lines
    assert any("NE" in line and "no loops" in line for line in lines)


def test_results_are_json():
    assert json.loads(json.dumps(whole_result()))["pairs_over_10"] == 1


def test_explanations_are_of_what_there_is():
    names = {name for name, _ in minibench.known_workloads().values()}
    for name, machine in page_tables.EXPLANATIONS:
        assert name in names
        assert machine in figures.MACHINES


def test_blocks_stand_below_what_comes_before_them():
    flow = {"blocks": [1, 1, 1], "edges": [[0, 1], [1, 2], [2, 1], [2, 3]], "loops": [1]}
    assert {n: y for n, (_, y) in layers(flow).items()} == {0: 0, 1: -1, 2: -2, 3: -3}
    odd = {"blocks": [1, 1, 1], "edges": [[0, 2], [2, 1], [1, 3]], "loops": []}
    assert {n: y for n, (_, y) in layers(odd).items()} == {0: 0, 2: -1, 1: -2, 3: -3}
