"""Explorations that run: what is kept, gone on with and extended, and what belongs together."""

import re
import shutil

import pytest

from tests.sampling.exploring_logged import Logged
from tests.sampling.exploring_parts import ROOT, SMALL, VECADD, points, small
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.exploring import exploration, kept_traces
from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.evaluation import simulated
from warpmill.exploring.exploration import explore, explored, studies_in
from warpmill.exploring.options import Sampling
from warpmill.exploring.points import NOT_SOURCES, ExplorationConfig, sources
from warpmill.exploring.workloads import ExploredWorkload, LoadedWorkload
from warpmill.session.replay_device import ReplayDevice
from warpmill.simulator.regression.draws import draw
from warpmill.studies.store import Store

ALL = 120
FAILING = 12
"""Of the points of the small space those that cannot be measured."""


@pytest.fixture
def logged(tmp_path, monkeypatch):
    """Let explorations make figures up, and write down of which points."""
    one = Logged(str(tmp_path / "log"))
    monkeypatch.setattr(exploration, "ExplorationEvaluator", lambda _how: one)
    return one


def titles(found):
    return [(one.title, len(one.measured), len(one.failures)) for one in found.workloads]


# --------------------------------------------------------------------------------- what is kept


def test_points_are_simulated_once_and_a_study_is_extended(tmp_path, logged):
    store, told = tmp_path / "s.db", []
    first = explore(small(), [VECADD], Sampling(20), store=store, told=told.append)
    assert (first.known, len(logged.seen())) == (0, 20)
    assert [told[0].over, told[0].all, told[-1].over] == [0, 20, 20]
    again = explore(small(), [VECADD], Sampling(20), store=store)
    assert (again.known, len(logged.seen())) == (20, 20)
    assert again.workloads == first.workloads
    more = explore(small(), [VECADD], Sampling(50), store=store)
    assert (more.known, len(logged.seen())) == (20, 50)
    assert more.workloads[0].samples[:20] == first.workloads[0].samples
    assert explore(small(), [VECADD], Sampling(20), store=store).workloads == first.workloads
    kept = explored("small", store)
    assert kept.workloads == more.workloads
    assert kept.space == small()
    assert studies_in(store) == ("small",)


def test_samples_are_those_that_regression_draws(tmp_path, logged):
    for method in ("random", "lhs", "sobol"):
        found = explore(small(), [VECADD], Sampling(15, method=method, seed=4))
        wanted = draw(small().design, 15, method=method, seed=4)
        assert [one.point for one in found.workloads[0].samples] == list(wanted)


@pytest.mark.slow
def test_what_fails_has_its_reason_and_stops_nothing(tmp_path, logged):
    found = explore(small(), [VECADD], Sampling(1000), store=tmp_path / "s.db")
    (own,) = found.workloads
    assert (len(own.measured), len(own.failures)) == (ALL - FAILING, FAILING)
    assert {one.problem for one in own.failures} == {"SIMD width 16 has no 4 ports"}
    explore(small(), [VECADD], Sampling(1000, retry=True), store=tmp_path / "s.db")
    assert len(logged.seen()) == ALL + FAILING


@pytest.mark.slow
def test_shares_and_errors_say_how_many_samples_there_are(tmp_path, logged):
    found = explore(small(), [VECADD], Sampling(fraction=0.1))
    assert len(found.workloads[0].samples) == 12
    good = explore(small(), [VECADD], Sampling(100, until_error=50.0))
    assert len(good.workloads[0].samples) == 30
    best = explore(small(), [VECADD], Sampling(70, until_error=1e-30))
    assert len(best.workloads[0].samples) == 70
    for wrong in ({"samples": 0}, {"samples": 3, "fraction": 0.5}, {"until_error": 0.0}):
        with pytest.raises(UsageError):
            Sampling(**wrong)


def test_workloads_share_points_of_the_space_and_have_their_own_figures(tmp_path, logged):
    larger = ExploredWorkload(VECADD.target, {"n": 8192})
    found = explore(small(), [VECADD, larger, VECADD], Sampling(10), store=tmp_path / "s.db")
    one, other = found.workloads
    assert (one.title, other.title) == (VECADD.title, larger.title)
    assert [s.point for s in one.samples] == [s.point for s in other.samples]
    assert len(logged.seen()) == 20
    assert titles(explored("small", tmp_path / "s.db")) == titles(found)
    with pytest.raises(UsageError, match="has no workload"):
        found.workload("bfs")


@pytest.mark.slow
def test_a_space_with_more_values_keeps_what_was_measured(tmp_path, logged):
    store = tmp_path / "s.db"
    explore(small(), [VECADD], Sampling(1000), store=store)
    more = small(SMALL.replace("[1, 2, 4, 8]", "[1, 2, 4, 8, 6]"))
    found = explore(more, [VECADD], Sampling(1000), store=store)
    assert (found.known, len(logged.seen())) == (ALL, 150)
    other = small(SMALL.replace('"sm.count" = 4', '"sm.count" = 5'))
    assert explore(other, [VECADD], Sampling(5), store=store).known == 0


def test_other_studies_are_left_alone(tmp_path, logged):
    Store(tmp_path / "s.db").study("mine", "what I tried")
    with pytest.raises(UsageError, match="is no exploration"):
        explore(small(), [VECADD], Sampling(5), store=tmp_path / "s.db", study="mine")
    with pytest.raises(UsageError, match="has no exploration `other`; warpmill explore makes one"):
        explored("other", tmp_path / "s.db")
    with pytest.raises(UsageError, match="name a workload"):
        explore(small(), [])


def test_sources_of_simulations_alone_make_other_points():
    assert re.fullmatch(r"[0-9a-f]{64}", sources())
    for left_out in NOT_SOURCES:  # none is the name of something that is gone
        assert list(ROOT.glob(f"{left_out.rstrip('/')}*")), left_out
    one, other = points(2)
    assert one.inputs["sources"] == sources()
    assert one.key != other.key
    assert one.group == other.group == LoadedWorkload.ready(VECADD).digest


@pytest.mark.slow
def test_real_simulations_are_equal_in_processes_and_here(tmp_path):
    here = explore(small(), [VECADD], Sampling(2), store=tmp_path / "a.db")
    there = explore(
        small(), [VECADD], Sampling(2), store=tmp_path / "b.db", backend=PointWorkers(2)
    )
    figures = [[one.figures for one in x.workloads[0].samples] for x in (here, there)]
    assert figures[0] == figures[1]
    assert all(one["cycles"] >= one["adjusted_cycles"] > 0 for one in figures[0])
    assert all(one["time_us"] == pytest.approx(one["cycles"] / 325) for one in figures[0])


@pytest.mark.slow
def test_traces_are_made_once_for_all_points_and_change_nothing(monkeypatch):
    space, ready = small(), LoadedWorkload.ready(ExploredWorkload("bfs:tiny"))
    kernels, made = ready.footprints(space.fixed), []
    executed = ReplayDevice.executed
    monkeypatch.setattr(
        ReplayDevice, "executed", lambda *given: made.append(given[1]) or executed(*given)
    )
    kept, figures = ready.kept("auto"), []
    for number in (3, 70, 110):
        machine = space.machine(space.design.point(number), kernels)
        figures.append(simulated(ready.jobs, machine, ExplorationConfig(), kept).figures)
        if number == 3:
            made.clear()
    assert made == []
    assert 0 < kept.bytes < kept_traces.MOST_BYTES
    monkeypatch.setattr(kept_traces, "MOST_BYTES", kept.bytes // 2)
    half = ready.kept("in half of the memory")
    for number, wanted in ((3, figures[0]), (110, figures[2])):
        machine = space.machine(space.design.point(number), kernels)
        assert simulated(ready.jobs, machine, ExplorationConfig()).figures == wanted
        assert simulated(ready.jobs, machine, ExplorationConfig(), half).figures == wanted
    assert 0 < half.bytes <= kept.bytes // 2


def test_a_launch_that_changes_meanwhile_is_refused(tmp_path):
    folder = shutil.copytree(ROOT / "samples" / "vecadd", tmp_path / "vecadd")
    workload = ExploredWorkload(str(folder / "launch.toml"), {"n": 4096})
    ready = LoadedWorkload.ready(workload)
    ptx = folder / "vecadd.sm_80.ptx"
    ptx.write_text(ptx.read_text() + "\n// another one\n")
    LoadedWorkload.forget()
    with pytest.raises(InputError, match="has changed since the exploration began"):
        LoadedWorkload.ready(workload, ready.digest)
