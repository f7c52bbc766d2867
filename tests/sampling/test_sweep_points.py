"""Points of sweeps: launches in other configurations, what tells points apart, their figures."""

from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.session.estimates import estimate
from warpmill.session.options import EvaluationOptions, LaunchOptions
from warpmill.session.prepare import prepare, prepare_all
from warpmill.simulator.machines import load_machine
from warpmill.studies.places import default_store
from warpmill.studies.running import run
from warpmill.studies.store import Store
from warpmill.sweeps.figures import FIGURES
from warpmill.sweeps.launches import Launches, SweepTarget, changed
from warpmill.sweeps.points import EvaluationConfig, points_of
from warpmill.sweeps.space import space_of
from warpmill.sweeps.sweep import SweepEvaluator, spread, sweep

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD, SCAN, MATMUL = (
    str(SAMPLES / name / "launch.toml") for name in ("vecadd", "scan", "matmul")
)


def made(path, over, where=(), how=None, **target):
    launches = Launches(SweepTarget(path, **target))
    return points_of(launches, space_of(over, where), how or EvaluationConfig(), 10_000)


# -------------------------------------------------------------------------------- launches


def test_the_grid_follows_the_block():
    launch = prepare(MATMUL).required_launch()
    assert (launch.grid, launch.block) == ((64, 64, 1), (16, 16, 1))
    other = changed(launch, {"block": "8x32"})
    assert (other.grid, other.block) == ((128, 32, 1), (8, 32, 1))
    uneven = changed(launch, {"block": "24x16"})
    assert uneven.grid == (43, 64, 1)  # 1024 / 24, rounded up
    said = changed(launch, {"block": 256, "grid": "7x3", "shared": 64})
    assert (said.grid, said.block, said.dynamic_shared_bytes) == ((7, 3, 1), (256, 1, 1), 64)
    with pytest.raises(InputError, match="is no shape"):
        changed(launch, {"block": "wide"})
    with pytest.raises(InputError, match="at least 1"):
        changed(launch, {"block": "0x4"})


def test_sizes_change_launches_and_kernels_are_read_once():
    launches = Launches(SweepTarget(VECADD))
    (small,) = launches.jobs({"n": 1000})
    assert small.required_launch().grid == (4, 1, 1)
    assert small.kernel is launches.base[0].kernel
    assert small.analysis is launches.jobs({"n": 2000})[0].analysis
    both = launches.jobs({"n": 1000, "block": 128})[0].required_launch()
    assert (both.grid, both.block) == ((8, 1, 1), (128, 1, 1))
    wanted = prepare(VECADD, options=LaunchOptions(sizes={"n": 1000})).required_launch()
    assert small.required_launch() == wanted


def test_kernel_files_and_single_launches_of_a_file():
    options = LaunchOptions("16", "256", args=("buffer=f32:4096",) * 3 + ("4096",))
    ptx = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
    (point, *_) = made(ptx, ["block=512"], options=options).points
    outcome = SweepEvaluator(SweepTarget(ptx, options=options), EvaluationConfig())(point.inputs)
    assert outcome.facts["grid"] == [8, 1, 1]
    assert len(Launches(SweepTarget(SCAN)).base) == 3
    (second,) = Launches(SweepTarget(SCAN, number=1)).base
    assert second.kernel.name == prepare_all(SCAN)[1].kernel.name
    with pytest.raises(UsageError, match="say which with --launch N"):
        made(SCAN, ["block=128"])
    with pytest.raises(UsageError, match="has no launch 3"):
        Launches(SweepTarget(SCAN, number=3))


@pytest.mark.parametrize(
    ("over", "words"),
    [("blok=1", "there is no such thing to vary"), ("sm.cuont=1", "sm.count"), ("n=1.5", "whole")],
)
def test_axes_that_there_are_not(over, words):
    with pytest.raises(UsageError, match=words):
        made(VECADD, [over])


# ---------------------------------------------------------------------------------- points


def test_points_are_told_apart_by_what_changes_their_figures():
    how = EvaluationConfig(machines=("v100", "a100"))
    points = made(VECADD, ["n=1000,2000", "block=128,256"], how=how).points
    assert len({p.key for p in points}) == 8
    assert [len({p.key for p in points if p.group == g}) for g in dict.fromkeys(
        p.group for p in points)] == [2] * 4  # machines share the traces  # fmt: skip
    again = made(VECADD, ["n=1000,2000", "block=128,256"], how=how).points
    assert [p.key for p in again] == [p.key for p in points]
    for other in (
        replace(how, options=EvaluationOptions("simulate")),
        replace(how, options=EvaluationOptions(registers=40)),
        replace(how, overrides={"l2.latency": 300.0}),
    ):
        changed_points = made(VECADD, ["n=1000,2000", "block=128,256"], how=other).points
        assert not {p.key for p in points} & {p.key for p in changed_points}


def test_what_cannot_be_launched_has_a_reason():
    found = made(MATMUL, ["block=16x16,32x32", "n=64"])
    assert [p.inputs["configuration"]["block"] for p in found.points] == ["16x16"]
    ((configuration, reason),) = found.refused
    assert configuration == {"block": "32x32", "n": 64, "machine": "v100"}
    assert "at most 256 threads" in str(reason)


def test_values_of_machines_and_registers_are_axes():
    how = EvaluationConfig(machines=("gtx480",))
    points = made(VECADD, ["sm.count=8,15", "regs=16,40", "n=65536"], how=how).points
    evaluate = SweepEvaluator(SweepTarget(VECADD), how)
    times = {}
    for point in points:
        asked = point.inputs["configuration"]
        times[asked["sm.count"], asked["regs"]] = evaluate(point.inputs).figures
    assert times[8, 16]["time_us"] > times[15, 16]["time_us"]
    assert times[8, 40]["registers_per_thread"] == 40
    assert times[8, 40]["occupancy_fraction"] < times[8, 16]["occupancy_fraction"]


# ---------------------------------------------------------------------------------- figures


def test_a_point_is_what_estimate_says():
    how = EvaluationConfig(machines=("v100", "t4"))
    points = made(VECADD, ["n=100000"], how=how).points
    for point, name in zip(points, how.machines, strict=True):
        job = prepare(VECADD, options=LaunchOptions(sizes={"n": 100000}))
        wanted = estimate(job, load_machine(name))
        figures = SweepEvaluator(SweepTarget(VECADD), how)(point.inputs).figures
        assert figures["time_us"] == wanted.time_us
        assert figures["cycles"] == wanted.cycles
        assert tuple(figures) == FIGURES["estimate"]


def test_times_of_several_launches_add_up():
    jobs = prepare_all(SCAN, options=LaunchOptions(sizes={"n": 4096}))
    (point,) = made(SCAN, ["n=4096"]).points
    figures = SweepEvaluator(SweepTarget(SCAN), EvaluationConfig())(point.inputs).figures
    assert figures["time_us"] == sum(estimate(job, "v100").time_us for job in jobs)


def test_points_are_simulated_where_that_is_asked_for():
    how = EvaluationConfig(EvaluationOptions("simulate"), machines=("gtx480_gpgpusim",))
    (point,) = made(VECADD, ["n=2048"], how=how).points
    outcome = SweepEvaluator(SweepTarget(VECADD), how)(point.inputs)
    assert set(outcome.figures) <= set(FIGURES["simulate"])
    assert outcome.figures["time_us"] > 0
    assert 0 <= outcome.figures["l2_hit_fraction"] <= 1


@pytest.mark.slow
def test_a_study_of_a_sweep_is_measured_by_processes(tmp_path):
    how = EvaluationConfig(machines=("v100", "a100"))
    points = made(VECADD, ["n=1000..3000+1000", "block=64,1024"], how=how).points
    study = Store(tmp_path / "s.db").study("vecadd")
    run(study, points, SweepEvaluator(SweepTarget(VECADD), how), workers=2)
    alone = SweepEvaluator(SweepTarget(VECADD), how)
    for row, point in zip(study.rows(), points, strict=True):
        assert row.inputs == point.inputs
        assert row.figures == alone(point.inputs).figures
    assert study.best("time_us", 1)[0].inputs["configuration"]["machine"] in how.machines


# ----------------------------------------------------------------------------------- sweeps


@pytest.mark.slow
def test_a_sweep_ranks_what_it_measured(tmp_path):
    how = EvaluationConfig(machines=("v100",))
    space = space_of(["block=32..1024*2", "n=1048576"], [])
    done = sweep(SweepTarget(VECADD), space, how, store=tmp_path / "s.db")
    assert (len(done.measured), done.known, done.failures) == (6, 0, ())
    times = [row.figures["time_us"] for row in done.measured]
    best = done.best(2)
    assert [row.figures["time_us"] for row in best] == sorted(times)[:2]
    assert done.best(1, largest=True)[0].figures["time_us"] == max(times)
    assert spread(done.measured) == max(times) / min(times)
    front = done.front("block")
    assert [row.configuration["block"] for row in front] == sorted(
        (row.configuration["block"] for row in front), reverse=True
    )
    assert front[0].figures["time_us"] == min(times)
    assert front[-1].configuration["block"] == 32
    again = sweep(SweepTarget(VECADD), space, how, store=tmp_path / "s.db")
    assert again.known == 6
    assert again.rows == done.rows == sweep(SweepTarget(VECADD), space, how, workers=2).rows
    with pytest.raises(
        UsageError, match="no configuration has a figure `speed`; there are time_us"
    ):
        done.best(1, "speed")


def test_files_that_change_between_sweeps_are_read_again(tmp_path):
    text = (SAMPLES / "vecadd" / "vecadd.sm_80.ptx").read_text()
    ptx, options = (
        tmp_path / "k.ptx",
        LaunchOptions("64", "256", args=("buffer=f32:16384",) * 3 + ("16384",)),
    )
    target, space = SweepTarget(str(ptx), options=options), space_of(["block=256"], [])
    ptx.write_text(text)
    (first,) = sweep(target, space, EvaluationConfig(), store=tmp_path / "s.db").rows
    ptx.write_text(text.replace("add.f32", "div.rn.f32", 1))
    (second,) = sweep(target, space, EvaluationConfig(), store=tmp_path / "s.db").rows
    assert second.figures["cycles"] > first.figures["cycles"]
    (point,) = points_of(Launches(target), space, EvaluationConfig(), 1).points
    ptx.write_text(text)
    with pytest.raises(InputError, match="has changed since the sweep began"):
        SweepEvaluator(target, EvaluationConfig(EvaluationOptions(registers=33)))(
            {**point.inputs, "registers": 33, "launches": "x"}
        )


def test_a_sweep_says_what_could_not_be(tmp_path):
    space = space_of(["block=16x16,32x32", "n=64", "regs=32,255"], [])
    done = sweep(
        SweepTarget(MATMUL), space, EvaluationConfig(machines=("gtx480",)), store=tmp_path / "s.db"
    )
    reasons = {(r.configuration["block"], r.configuration["regs"]): r.problem for r in done.rows}
    assert reasons["16x16", 32] is None
    assert "at most 256 threads" in reasons["32x32", 32]
    assert "255" in reasons["16x16", 255] or "does not fit" in reasons["16x16", 255]
    assert len(done.failures) == 3


def test_the_default_store_is_in_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert default_store() == tmp_path / "cache" / "warpmill" / "studies.db"
    assert default_store().parent.is_dir()
