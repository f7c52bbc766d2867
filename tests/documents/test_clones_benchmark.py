"""The benchmark of clones: what rows add up to, sampling in space, the page; nothing is timed."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.clones import (
    BENCHMARK,
    FRACTIONS,
    HARD,
    LIKENESSES,
    WAYS,
    ClonesResult,
    Likeness,
    Pair,
    Problem,
    Searched,
    Step,
    Workload,
    measuring,
    simulating,
    space,
)
from warpmill.benchmarks.points import Rows
from warpmill.cloning.clone import clone, clone_studied, study
from warpmill.cloning.fidelity import read_back
from warpmill.cloning.files import folder_of
from warpmill.cloning.options import CloneOptions
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.registers import find_registers, registers_of
from warpmill.session.simulations import simulate
from warpmill.simulator.machines import load_machine

A, B = "minibench_8sm", "minibench_28sm"
ERROR = "mean absolute error"
SPEEDUP = "harmonic mean of the machines' mean speed-ups"


def test_the_ipc_of_a_whole_is_made_of_the_launches_it_stands_for():
    ran = np.array([(10, 100), (50, 50)], float)  # of the clone's launches IPC 10 and 1
    ipc = simulating.told_ipc([1600, 400], ran)
    assert ipc == pytest.approx(2000 / (1600 / 10 + 400 / 1))
    whole = {"ipc": 5.0, "cpu_s": 10.0, "engine_s": 5.0}
    mini = {"ipc": ipc, "cpu_s": 1.0, "engine_s": 0.25}
    found = measuring.paired(A, whole, mini)
    assert found.error == pytest.approx(100 * (2000 / 560 - 5) / 5)
    assert (found.speedup, found.engine_speedup) == (10.0, 20.0)


def pair(machine, error, speedup, ipc=4.0):
    return Pair(machine=machine, ipc=ipc, clone_ipc=ipc * (1 + error / 100), error=error,
                speedup=speedup, engine_speedup=2 * speedup, cpu_s=speedup,
                clone_cpu_s=1.0)  # fmt: skip


def workload(name, *pairs, loops=True, **more):
    alike = {**dict.fromkeys(LIKENESSES, Likeness(original=2.0, error=10.0)), "branch_share": None}
    return Workload(name=name, workload=name.lower(), loops=loops, pairs=pairs, alike=alike, **more)


def result():
    """Three workloads, one of them without loops; the first with everything that a page shows."""
    search = Searched(factor=None, reductions={"k": {"1": 4, "2": 2}}, met=True, trials=3,
                      search_cpu_s=3.0, original_cpu_s=1.0,
                      pairs=(pair(B, 1.0, 10.0), pair("v100", -20.0, 10.0)))  # fmt: skip
    shares = {way: {f"{p:g}": p if way == "threads" else 1.0 for p in FRACTIONS} for way in WAYS}
    shares["warps"]["0.25"] = 0.25
    rows = (
        workload("MM", pair(A, 4.0, 10.0, 1.0), pair(B, -12.0, 30.0, 2.0), searched=search,
                 series=tuple(Step(factor=n, error=1.0, speedup=n) for n in (1, 2, 4)),
                 one_iteration=-30.0, space=shares),
        workload("LU", pair(A, -2.0, 2.0, 1.0), pair(B, 6.0, 4.0, 3.0)),
        workload("NE", pair(A, 40.0, 0.5, 1.0), pair(B, -40.0, 0.5, 1.2), loops=False),
    )  # fmt: skip
    metrics = {"ipc": 2.0, "l1_miss_rate": 0.5, "icache_hit_rate": None, "sectors_read": 8,
               "memory_queue_stalls": 0}  # fmt: skip
    figure_3 = measuring.figure_3({"threads": dict.fromkeys(FRACTIONS, metrics)})
    accepted = measuring.acceptance([{"ptxas sm_80": None}, {"ptxas sm_80": "line 3: no"}])
    problem = Problem(kind="shortened", workload="lu", machine=A, why="no room")
    return ClonesResult(rows=rows, figure_3=figure_3, accepted=accepted,
                        problems=(problem,))  # fmt: skip


def test_errors_are_of_workloads_with_loops():
    found = result()
    every, hard = (found.by_group[name] for name in ("with loops", "the eight hard ones"))
    assert (every["number"], every[ERROR], every["pairs over 10 %"]) == (2, pytest.approx(6.0), 1)
    assert (hard[ERROR], hard["largest"]) == (pytest.approx(22.0), 40.0)  # LU and NE
    assert [one[ERROR] for one in found.machines[:2]] == [pytest.approx(3.0), pytest.approx(9.0)]


def test_workloads_without_loops_count_as_one_in_speedups():
    found = result()
    means = (10 + 2 + 1) / 3, (30 + 4 + 1) / 3
    assert [found.by_machine[m]["mean speed-up"] for m in (A, B)] == pytest.approx(means)
    assert found.by_group["with loops"][SPEEDUP] == pytest.approx(2 / (1 / means[0] + 1 / means[1]))
    assert found.by_machine[A]["harmonic mean"] == pytest.approx(3 / (1 / 10 + 1 / 2 + 1))
    assert found.by_machine[A]["mean of timing alone"] == pytest.approx((20 + 4 + 1) / 3)
    assert (found.max_speedup, found.min_speedup) == (30.0, 2.0)


def test_the_harmonic_mean_is_of_the_papers_machines():
    rows = (workload("MM", *(pair(m, 0.0, s) for m, s in ((A, 10.0), (B, 10.0), ("a100", 1.0)))),)
    assert ClonesResult(rows=rows).by_group["with loops"][SPEEDUP] == pytest.approx(10.0)


def test_machines_that_clones_rank_otherwise_are_told():
    found = result()
    assert [row.swapped for row in found.rows] == ["", "", f"{A}/{B}"]
    assert found.ranks_kept == 2


def test_the_cost_of_a_search_is_shared_by_the_machines():
    found = result()
    on = found.by_machine["v100"]
    assert (on["error of searched clones"], on["their speed-up"]) == (20.0, 10.0)
    assert on["with the search"] == pytest.approx(10 / (1 + 2))
    assert found.judged_error == 20.0  # on v100, not where it was searched
    assert found.rows[0].searched.words == "k: 2 loops by 2 to 4"


def test_reductions_below_the_largest_are_tried():
    assert measuring.factors({"reduction": 20}) == [1, 2, 4, 8, 16]
    assert measuring.factors({"reduction": 1}) == measuring.factors(None) == []


def test_readings_of_samples_in_space():
    row = result().rows[0]
    assert [row.reading(way) for way in WAYS] == pytest.approx([0.0, -75.0, 0.0])
    assert row.shares["threads 12%"] == 0.125
    assert [one.metric for one in result().figure_3] == ["ipc", "l1 miss rate", "sectors read"]


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
    for way in WAYS:
        assert space.sampled(jobs, "minibench_8sm", way, 1.0)["ipc"] == whole.thread_ipc
    few = space.sampled(jobs, "minibench_8sm", "ctas", 0.5)
    assert few["threads"] == pytest.approx(whole.thread_instructions / 2, rel=0.02)


# -------------------------------------------------------------------------------------- clones


def test_a_clones_kernels_take_the_registers_of_the_original(tmp_path):
    made = clone("samples/matmul/launch.toml", launch=LaunchOptions(sizes={"n": 32}))
    folder_of(made).write(tmp_path)
    jobs = read_back(made, tmp_path).jobs
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


@pytest.mark.parametrize("target", simulating.TARGETS)
def test_clones_for_every_chip_are_read_and_assembled(known, tmp_path, target):
    files = clone_studied(known, CloneOptions(chip=target)).files
    for name, text in files.files:
        (tmp_path / name).write_text(text, "utf-8")
    jobs = prepare_all(tmp_path / "launch.toml")  # by the grammar, everywhere
    assert {job.loaded.module.target for job in jobs} == {target}
    ptx, cuda = (next(n for n in files.names if n.endswith(end)) for end in (".ptx", ".cu"))
    if "ptxas" in simulating.compilers():
        assert simulating.complaint(["ptxas", f"-arch={target}", ptx], tmp_path) is None
    if "nvcc" in simulating.compilers() and target == simulating.TARGETS[-1]:
        assert simulating.complaint(["nvcc", f"-arch={target}", "-cubin", cuda], tmp_path) is None


@pytest.mark.skipif("ptxas" not in simulating.compilers(), reason="ptxas is not installed")
def test_what_a_compiler_says_is_told(tmp_path):
    (tmp_path / "wrong.ptx").write_text(".version 7.0\n.target sm_80\nnonsense;\n")
    said = simulating.complaint(["ptxas", "-arch=sm_80", "wrong.ptx"], tmp_path)
    assert "nonsense" in said


# ---------------------------------------------------------------------------------- the whole


def rows_by(monkeypatch, folder, measure):
    """Rows in a store of their own, each kind measured by a function."""
    kinds = {name: replace(one, measure=measure(name))
             for name, one in measuring.STUDY.kinds.items()}  # fmt: skip
    monkeypatch.setattr(measuring, "STUDY", replace(measuring.STUDY, kinds=kinds))
    return Rows(measuring.STUDY, Request(store=str(folder / "s.db")))


def test_what_cannot_be_measured_is_a_problem(tmp_path, monkeypatch):
    seen = Counter()

    def fails(workload, machine=None, **options):
        seen[workload] += 1
        raise InputError("no room")

    rows = rows_by(monkeypatch, tmp_path, lambda _: fails)
    found = measuring.measured_with(rows, {"nn": ("NE", False)}, [A], whole=False)
    assert [one.kind for one in found.problems] == ["clone", "original", "alike"]
    assert {one.why for one in found.problems} == {"no room"}
    assert found.rows[0].pairs == ()
    assert seen == {"nn": 3}


def test_all_is_wanted_once_and_put_together(tmp_path, monkeypatch):
    """The points of a whole measurement, by what would be measured."""
    answers = {
        "original": {"ipc": 8.0, "cpu_s": 4.0, "engine_s": 2.0},
        "clone": {"ipc": 4.0, "cpu_s": 1.0, "engine_s": 0.5, "reduction": 4},
        "alike": dict.fromkeys(LIKENESSES), "accepted": {"ptxas sm_80": None},
        "searched": {"factor": 2, "reductions": {}, "met": True, "trials": 1, "search_cpu_s": 1.0,
                     "original_cpu_s": 1.0},
        "shortened": {"ipc": 4.0},
        "space": dict.fromkeys(measuring.METRICS, 1.0),
    }  # fmt: skip
    seen = Counter()

    def answer(kind):
        def measure(*given, **options):
            seen[kind, *given, str(options)] += 1
            return answers[kind]

        return measure

    for _ in range(2):
        rows = rows_by(monkeypatch, tmp_path, answer)
        found = measuring.measured_with(rows, {"matmul": ("MM", True)}, [A], whole=True)
    assert set(seen.values()) == {1}
    (row,) = found.rows
    assert (row.on[A].error, row.on[A].speedup) == (pytest.approx(-50.0), 4.0)
    assert [step.factor for step in row.series] == [1, 2, 4]
    assert row.one_iteration == pytest.approx(-50.0)
    assert len(row.searched.pairs) == len(measuring.ALL_MACHINES)


def test_what_makes_clones_changes_no_original():
    of = measuring.STUDY.point("original", "nn", machine=A).inputs["sources"]
    assert measuring.STUDY.point("clone", "nn", machine=A).inputs["sources"] != of


def test_the_papers_workloads_are_known():
    known = measuring.known_workloads()
    assert len(known) == 23
    names = {name for name, _ in known.values()}
    assert names > set(HARD)
    assert {name for name, loops in known.values() if not loops} == {"MT", "BFS", "NE"}


def test_the_page_and_its_pictures(tmp_path):
    found = Measured(result(), {"computer": {"processor": "a CPU", "python": "3"}})
    BENCHMARK.write(found, tmp_path)
    text = (tmp_path / "clones.md").read_text("utf-8")
    assert "| mean of the absolute IPC errors, % | \\<= 4.7 | 6 | MISSED |" in text
    assert "| MM | k: 2 loops by 2 to 4 | 3 | +1.0 % | -20.0 % |" in text
    assert "| MM | 2 | +10.0 % | 2 | +10.0 % | 2 | +10.0 % |" in text
    assert "| shortened | lu | minibench\\_8sm | no room |" in text
    assert "ptxas sm_80 1 of 2" in text
    shown = {part.split(")")[0] for part in text.split("](clones/")[1:]}
    assert {path.name for path in (tmp_path / "clones").iterdir()} == shown
    assert len(shown) == 7
    text = BENCHMARK.page(Measured(ClonesResult(rows=result().rows[1:]), found.about))
    for words in ("reduction factor", "by search", "one iteration", "in space\n", "ompilers"):
        assert f"## {words}" not in text
