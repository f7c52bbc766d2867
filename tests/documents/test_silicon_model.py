"""Predictions beside a GPU's times: sums, errors, what is left out, clones, selections."""

import csv
import json

import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.benchmarks import silicon_model
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.silicon.readings import read_silicon
from warpmill.benchmarks.silicon_model import (
    BENCHMARK,
    SiliconModel,
    beside,
    clones_beside,
    launch_ms,
    selections,
)
from warpmill.simulator.machines import load_machine

V100 = load_machine("v100", {"clock.sm_mhz": 1000.0, "launch.blocks_per_clk": 1.0})
"""A cycle is a nanosecond."""


def launch(workload, number, kernel, ms, build="sm_90"):
    return {"workload": workload, "preset": "tiny", "build": build, "launch": number,
            "kernel": kernel, "grid": "4x1x1", "warm_ms": ms, "flushed_ms": ms}  # fmt: skip


def counted(workload, number, build, **values):
    return {"workload": workload, "preset": "tiny", "build": build, "launch": number,
            "kernel": "k", **values}  # fmt: skip


def ended(workload, launches, build="sm_90"):
    return [{"workload": workload, "preset": "tiny", "build": build, "launches": launches,
             "error": "", "equal": True}]  # fmt: skip


def folder(path, launches, counters=(), floor=0.0, **ends):
    """Write a folder as ``benchmarks.silicon`` does."""
    about = {"name": "NVIDIA H200", "floor_ms": {"warm": floor, "flushed": floor}}
    (path / "gpu.json").write_text(json.dumps(about))
    programs = {(row["workload"], row["build"]): 0 for row in launches}
    for row in launches:
        programs[row["workload"], row["build"]] += 1
    runs = [run for (w, b), n in programs.items() for run in ended(w, n, b)]
    tables = {"launches": launches, "counters": list(counters), "runs": runs, **ends}
    for name, rows in tables.items():
        if rows:
            columns = list(dict.fromkeys(key for row in rows for key in row))
            with (path / f"{name}.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, columns, restval="")
                writer.writeheader()
                writer.writerows(rows)
    return path


def figures(path, cycles, **more):
    """What comes of simulations that take so many cycles."""
    silicon = read_silicon(path)
    found = {t: {"launch_cycles": own} for t, own in cycles.items()} | more
    rows, problems = beside(silicon, "simulate", found, V100)
    return SiliconModel(gpu="a GPU", machine="v100", rows=tuple(rows), problems=tuple(problems))


def test_errors_are_of_sums_by_workload_and_by_kernel(tmp_path):
    launches = [launch("bfs", 0, "a", 0.1), launch("bfs", 1, "b", 0.3), launch("bfs", 2, "a", 0.1),
                launch("nn", 0, "c", 0.2), launch("nw", 0, "d", 0.009)]  # fmt: skip
    cycles = {"bfs:tiny:sm_90": [150_000, 300_000, 150_000], "nn:tiny:sm_90": [100_000],
              "nw:tiny:sm_90": [1_000_000]}  # fmt: skip
    found = figures(folder(tmp_path, launches), cycles)
    rows = {(row.target, row.kernel): row for row in found.rows}
    assert rows["bfs:tiny:sm_90", None].error == pytest.approx(20.0)
    assert rows["bfs:tiny:sm_90", "a"].error == pytest.approx(50.0)
    assert rows["bfs:tiny:sm_90", "a"].launches == 2
    assert rows["bfs:tiny:sm_90", "b"].error == pytest.approx(0.0)
    assert not rows["nw:tiny:sm_90", None].counts  # 9 µs
    own = found.by_engine["simulate"]
    assert (own.mape, own.bias) == pytest.approx(((20 + 50) / 2, (20 - 50) / 2))
    assert own.kernels_mape == pytest.approx((50 + 0 + 50) / 3)
    assert (own.workloads, own.short, own.kendall_tau) == (2, 1, 1.0)
    (aside,) = found.put_aside
    errors = {"bfs": 20.0, "nn": 50.0, "nw": None}
    assert own.aside == (errors[aside] and pytest.approx(errors[aside]))


def test_launches_without_rows_are_no_part_of_sums(tmp_path):
    path = folder(tmp_path, [launch("bfs", 2, "a", 0.2)], runs=ended("bfs", 3))
    found = figures(path, {"bfs:tiny:sm_90": [9e9, 9e9, 200_000]})
    assert found.by_engine["simulate"].mape == pytest.approx(0.0)


def test_what_has_no_figures_is_said(tmp_path):
    launches = [*(launch("bfs", n, "a", 0.2) for n in range(3)), launch("nn", 0, "a", ""),
                launch("nw", 0, "a", 0.1)]  # fmt: skip
    cycles = {"bfs:tiny:sm_90": [1.0] * 4, "nn:tiny:sm_90": [1.0]}
    large = {"nw:tiny:sm_90": {"problem": "too large"}}
    found = figures(folder(tmp_path, launches), cycles, **large)
    assert {one.target.partition(":")[0]: one.why for one in found.problems} == {
        "bfs": "the GPU made 3 launches, and 4 were predicted",
        "nn": "the GPU told no times", "nw": "too large",
    }  # fmt: skip
    assert (found.rows, found.sums) == ((), ())


def test_the_floor_adds_less_the_cta_that_it_holds():
    """A near-empty kernel takes 7 µs, of which its CTA starts and waits for L2."""
    own = V100.number("launch.block_cycles") + V100.number("l2.latency")
    warm = launch_ms(V100, "warm", 7.0, 10_000, 4)
    assert warm == pytest.approx(0.010 + 0.007 - own * 1e-6)
    cold = V100.number("dram.latency") - V100.number("l2.latency")
    assert launch_ms(V100, "flushed", 7.0, 10_000, 4) == pytest.approx(warm - cold * 1e-6)
    assert launch_ms(V100, "warm", 7.0, 1, 4) == pytest.approx(0.007)
    assert launch_ms(V100, "warm", 7.0, 1, 50_000) > 0.050  # a CTA a cycle begins
    event = float(V100.number("launch.event_us"))
    assert launch_ms(V100, "warm", None, 1, 4) == pytest.approx(event / 1e3)


def test_clones_stand_beside_the_same_launches_of_their_originals(tmp_path):
    launches = [launch("bfs", n, "a", 0.1) for n in range(2)]
    launches += [launch("bfs", n, "clone0", 0.02, build="clone") for n in range(2)]
    launches += [launch("nn", 0, "n", 0.1), launch("nn", 0, "clone0", 0.1, build="clone")]
    launches += [launch("nw", 0, "n", 0.1), launch("nw", 1, "n", "")]
    launches += [launch("nw", 0, "clone0", 0.1, build="clone")]
    counters = [
        counted("bfs", 0, "sm_90", warp_inst=1000, sm_cycles=500, l1_hit_pct=40),
        counted("bfs", 1, "sm_90", warp_inst=3000, sm_cycles=500, l1_hit_pct=60),
        counted("bfs", 1, "clone", warp_inst=300, sm_cycles=60, l1_hit_pct=55),
    ]
    cuda = [{"built": "", "ran": ""}, {"built": "no nvcc", "ran": ""}]
    found = clones_beside(read_silicon(folder(tmp_path, launches, counters, cuda_clones=cuda)))
    bfs, nn, nw = found.rows
    assert (bfs.workload, bfs.launches, bfs.ipc, bfs.clone_ipc) == ("bfs", 1, 6.0, 5.0)
    assert bfs.ipc_error == pytest.approx(100 * (5 / 6 - 1))
    assert (bfs.l1_hit_pct_apart, bfs.l2_hit_pct_apart) == (-5.0, None)
    assert bfs.speedup == pytest.approx(5.0)
    assert (nn.ipc, nn.ipc_error, nn.speedup) == (None, None, 1.0)
    assert nw.speedup is None, "a launch has no time"
    assert found.mean_ipc_error == pytest.approx(100 / 6)
    assert (found.clones, found.ran, found.equal_to_executor) == (3, 3, 3)
    assert (found.cuda, found.cuda_built, found.cuda_ran) == (2, 1, 1)


@pytest.mark.slow
def test_selections_are_judged_by_the_gpu(tmp_path):
    """bfs on the GPU takes just what was simulated, and then four times that in a launch."""
    target = "bfs:tiny:sm_90"
    cycles = [1000.0 * (1 + n % 3) for n in range(14)]
    path, others = tmp_path / "one", tmp_path / "two"
    for where, factor in ((path, 1), (others, 4)):
        where.mkdir()
        folder(where, [launch("bfs", n, "k", c * 1e-6 * (factor if n == 5 else 1))
                       for n, c in enumerate(cycles)])  # fmt: skip
    request = Request(store=str(tmp_path / "store.db"))
    simulated = {target: {"launch_cycles": cycles}, "nn:tiny:sm_90": {"problem": "no"}}
    (same, _), (changed, _) = (
        selections(read_silicon(where), simulated, request) for where in (path, others)
    )
    assert {row.target for row in same} == {target}
    for row in same:
        assert row.error == pytest.approx(row.expected, abs=1e-6)
    assert any(row.error > row.expected + 1 for row in changed)


def test_programs_that_are_not_timed_whole_are_not_selected_from(tmp_path):
    launches = [launch("bfs", n, "k", 0.1) for n in range(12)]
    path = folder(tmp_path, launches, runs=ended("bfs", 13))
    simulated = {"bfs:tiny:sm_90": {"launch_cycles": [1.0] * 13}}
    request = Request(store=str(tmp_path / "store.db"))
    assert selections(read_silicon(path), simulated, request) == ((), [])


def test_what_was_timed_is_predicted_as_its_machine(tmp_path, monkeypatch):
    asked = []

    def predicted(engine, targets, machine, _request):
        asked.append((engine, targets, machine))
        return {target: {"launch_cycles": [200_000.0]} for target in targets}

    monkeypatch.setattr(silicon_model, "predicted", predicted)
    folder(tmp_path, [launch("nn", 0, "c", 0.2), launch("nw", 0, "d", 0.1)])
    request = Request(names=("estimate", "clones"), quick=True, data=tmp_path)
    found = silicon_model.measure(request)
    assert asked == [("estimate", ["nn:tiny:sm_90", "nw:tiny:sm_90"], "h200_sxm")]
    assert len(found.rows) == 4
    text = BENCHMARK.text(Measured(found, {}))
    for words in ("NVIDIA H200", "h200_sxm", "nw:tiny:sm_90", "estimate: mean error, %"):
        assert words in text
    (tmp_path / "machine.toml").write_text("")
    assert silicon_model.machine_of(read_silicon(tmp_path), tmp_path).endswith("machine.toml")
    with pytest.raises(InputError, match=r"has no gpu\.json"):
        silicon_model.measure(Request(data=tmp_path / "none"))
    with pytest.raises(SystemExit, match="--data FOLDER"):
        silicon_model.measure(Request())


@pytest.mark.slow
def test_engines_predict_every_launch(tmp_path):
    """A workload of two launches, on a GPU that is small enough."""
    request = Request(store=str(tmp_path / "store.db"))
    for engine in ("estimate", "simulate"):
        found = silicon_model.predicted(engine, ["transpose:tiny:sm_90"], "minibench_8sm", request)
        cycles = found["transpose:tiny:sm_90"]["launch_cycles"]
        assert len(cycles) == 2
        assert all(each > 100 for each in cycles)
