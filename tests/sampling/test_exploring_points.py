"""What is one point wherever it is explored from, what a failed run leaves, and interruptions."""

import os
import shutil
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.sampling.exploring_logged import Logged
from tests.sampling.exploring_parts import ROOT, SMALL, VECADD, small
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.cli.main import main
from warpmill.exploring import evaluation, exploration
from warpmill.exploring.backends import ExplorationInterrupted, PointWorkers, run_points
from warpmill.exploring.evaluation import ExplorationEvaluator, simulated
from warpmill.exploring.exploration import explore, explored, studies_in
from warpmill.exploring.options import Sampling
from warpmill.exploring.points import ExplorationConfig, Maker
from warpmill.exploring.space_file import space_called
from warpmill.exploring.workloads import ExploredWorkload, LoadedWorkload
from warpmill.session import simulations
from warpmill.session.options import TraceOptions
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines.compare import new_machine_text
from warpmill.studies.model import PointOutcome
from warpmill.studies.store import Store

ALL, FAILING = 120, 12
"""Points of the small space, and those of them that cannot be measured."""
LARGER = ExploredWorkload(VECADD.target, {"n": 8192})
EXECUTED = ExplorationConfig(TraceOptions(source="executed"))


@pytest.fixture
def logged(tmp_path, monkeypatch):
    """Let explorations make figures up, and write down of which points."""
    one = Logged(str(tmp_path / "log"))
    monkeypatch.setattr(exploration, "ExplorationEvaluator", lambda _how: one)
    return one


def test_a_report_shows_the_last_run_whatever_was_run_between(tmp_path, logged):
    store = tmp_path / "s.db"
    first = explore(small(), [VECADD], Sampling(8), store=store)
    explore(small(), [VECADD, LARGER], Sampling(3), EXECUTED, store=store)
    between = explored("small", store)
    assert [(one.title, len(one.samples), one.left_out) for one in between.workloads] == [
        (VECADD.title, 3, 8), (LARGER.title, 3, 0),
    ]  # fmt: skip
    again = explore(small(), [VECADD], Sampling(8), store=store)
    assert (again.known, again.workloads) == (8, first.workloads)
    own, larger = explored("small", store).workloads
    assert (own.samples, own.left_out) == (first.workloads[0].samples, 3)
    assert (len(larger.samples), larger.left_out) == (3, 0)


def test_machines_that_were_others_are_of_another_run(tmp_path, logged):
    store = tmp_path / "s.db"
    explore(small(), [VECADD], Sampling(5), store=store)
    other = small(SMALL.replace('"sm.count" = 4', '"sm.count" = 5'))
    assert explore(other, [VECADD], Sampling(6), store=store).known == 0
    (own,) = explored("small", store).workloads
    assert (len(own.samples), own.left_out) == (6, 5)


def test_workloads_have_the_same_points_when_a_study_is_extended(tmp_path, logged):
    store = tmp_path / "s.db"
    alone = explore(small(), [VECADD], Sampling(6), store=store)
    explore(small(), [LARGER], Sampling(4, seed=5), store=store)
    found = explore(small(), [LARGER, VECADD], Sampling(12), store=store)
    assert (found.known, len(logged.seen())) == (6 + 4, 24)
    larger, own = ([one.point for one in each.samples] for each in found.workloads)
    assert larger == own
    assert own[:6] == [one.point for one in alone.workloads[0].samples]
    kept = explored("small", store)  # in the same order, so that models are checked alike
    assert {one.title: one.samples for one in kept.workloads} == {
        one.title: one.samples for one in found.workloads
    }


def test_files_may_be_called_otherwise_or_moved(tmp_path, logged, monkeypatch):
    store, size = tmp_path / "s.db", {"n": 4096}
    monkeypatch.chdir(shutil.copytree(ROOT / "samples" / "vecadd", tmp_path / "here"))
    explore(small(), [ExploredWorkload("launch.toml", size)], Sampling(5), store=store)
    monkeypatch.chdir(tmp_path)
    twice = [ExploredWorkload(name, size) for name in ("./here/launch.toml", "here/launch.toml")]
    found = explore(small(), twice, Sampling(5), store=store)
    assert (found.known, len(found.workloads)) == (5, 1)
    (tmp_path / "here").rename(tmp_path / "there")
    moved = ExploredWorkload("there/launch.toml", size)
    assert explore(small(), [moved], Sampling(6), store=store).known == 5
    assert len(logged.seen()) == 6
    (own,) = explored("small", store).workloads
    assert (own.title, len(own.samples), own.left_out) == (moved.title, 6, 0)


def test_machine_files_beside_a_space_are_the_same_from_every_folder(tmp_path, logged, monkeypatch):
    (tmp_path / "own.toml").write_text(new_machine_text("quadro_fx5800_gpgpusim", {}, "own"))
    (tmp_path / "small.toml").write_text(SMALL.replace("quadro_fx5800_gpgpusim", "own.toml"))
    known = []
    for folder, name in ((tmp_path, "small.toml"), (tmp_path.parent, tmp_path / "small.toml")):
        monkeypatch.chdir(folder)
        space = space_called(name)
        known.append(explore(space, [VECADD], Sampling(4), store=tmp_path / "s.db").known)
        made = Maker.of(space, LoadedWorkload.ready(VECADD), ExplorationConfig()).point(
            space.design.point(0)
        )
        assert made.beside["base_at"] == str(tmp_path / "own.toml")  # where workers find it
    assert known == [0, 4]


def test_limits_are_no_part_of_a_point():
    plain = ExplorationConfig().words
    assert (
        ExplorationConfig(TraceOptions(max_instructions=7), Options(max_cycles=10)).words == plain
    )
    assert ExplorationConfig(options=Options(max_memory_bytes=1, max_trace_events=1)).words == plain
    assert ExplorationConfig(options=Options(keep_l1=True)).words != plain
    assert EXECUTED.words != plain
    assert ExplorationConfig(options=Options(max_cycles=10)).limits != ExplorationConfig().limits


def test_saved_traces_are_what_is_in_their_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.trace"
    path.write_bytes(b"one")
    here = ExplorationConfig(TraceOptions(source="a.trace"))
    assert (
        here.words == here.here.words == ExplorationConfig(TraceOptions(source="./a.trace")).words
    )
    assert here.here.trace.source == str(path)
    before = here.words
    path.write_bytes(b"other")
    assert here.words != before


def test_what_a_limit_ended_is_tried_again_with_others(tmp_path):
    store, low = tmp_path / "s.db", ExplorationConfig(options=Options(max_cycles=10))
    (failed,) = explore(small(), [VECADD], Sampling(2), low, store=store).workloads
    assert all("--max-cycles" in one.problem for one in failed.failures)
    assert len(failed.failures) == 2
    assert explore(small(), [VECADD], Sampling(2), low, store=store).known == 2
    found = explore(small(), [VECADD], Sampling(2), store=store)
    assert (found.known, len(found.workloads[0].measured)) == (0, 2)
    assert explore(small(), [VECADD], Sampling(2), low, store=store).workloads == found.workloads


IMPOSSIBLE = """
schema = 1
base = "quadro_fx5800_gpgpusim"
[parameters.wide]
values = [1, 100]
set = { "icnt.flit_bytes" = "8 * wide * often" }
[parameters.often]
values = [1, 100]
set = { "dram.queue" = "16 * often" }
"""


def test_values_that_make_no_machine_together_stop_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation, "simulated", lambda *_given: PointOutcome({"time_us": 1.0}))
    found = explore(small(IMPOSSIBLE), [VECADD], Sampling(4), store=tmp_path / "s.db")
    (own,) = found.workloads
    (none,) = own.failures
    assert none.point == {"wide": 100, "often": 100}
    assert none.problem.startswith("it is no machine: icnt.flit_bytes is 1 to 65536 B, not 80000")
    assert len(own.measured) == 3


# --------------------------------------------------------------------------- what changes nothing


def test_a_run_that_cannot_begin_changes_nothing(tmp_path, logged):
    store, gone = tmp_path / "s.db", ExploredWorkload(str(tmp_path / "none.toml"))
    other = small(SMALL.replace('"sm.count" = 4', '"sm.count" = 5'))
    for begin in (Sampling(1000), Sampling(fraction=2.0)):
        with pytest.raises((InputError, UsageError)):
            explore(small(), [VECADD, gone] if begin.samples else [VECADD], begin, store=store)
        assert not store.exists()
    explore(small(), [VECADD], Sampling(1000), store=store)
    study = Store(store).study("small")
    before = study.about(), study.counts()
    with pytest.raises(InputError, match=r"none\.toml"):
        explore(other, [VECADD, gone], Sampling(5, retry=True), store=store)
    assert (study.about(), study.counts()) == before
    assert study.counts().failed == FAILING


def test_a_store_that_is_not_there_is_not_made(tmp_path):
    store = tmp_path / "never.db"
    with pytest.raises(UsageError, match="has no exploration `small`: there is no such file"):
        explored("small", store)
    assert studies_in(store) == ()
    assert not store.exists()


@pytest.mark.slow
def test_retry_is_for_what_is_explored(tmp_path, logged):
    store = tmp_path / "s.db"
    explore(small(), [VECADD], Sampling(1000), store=store)
    explore(small(), [LARGER], Sampling(1000, retry=True), store=store)
    assert len(logged.seen()) == 2 * ALL
    assert [len(one.failures) for one in explored("small", store).workloads] == [FAILING] * 2


def test_files_that_change_end_a_run_and_leave_no_failures(tmp_path, monkeypatch):
    folder = shutil.copytree(ROOT / "samples" / "vecadd", tmp_path / "vecadd")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(evaluation, "simulated", lambda *_given: PointOutcome({"time_us": 1.0}))
    maker = Maker.of(
        small(),
        LoadedWorkload.ready(ExploredWorkload("vecadd/launch.toml", {"n": 4096})),
        ExplorationConfig(),
    )
    made = maker.points([small().design.point(k) for k in range(3)])
    study = Store(tmp_path / "s.db").study("small")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    LoadedWorkload.forget()
    run_points(
        study, made[:1], ExplorationEvaluator(ExplorationConfig()), PointWorkers()
    )  # found from every folder
    for change, words in ((change_code, "has changed since"), (Path.unlink, "vecadd.sm_80.ptx")):
        change(folder / "vecadd.sm_80.ptx")
        LoadedWorkload.forget()
        with pytest.raises(InputError, match=words):
            run_points(study, made, ExplorationEvaluator(ExplorationConfig()), PointWorkers())
        assert (study.counts().done, study.counts().failed, study.counts().open) == (1, 0, 2)


def change_code(path):
    path.write_text(path.read_text() + "\n// another one\n")


def test_figures_that_are_no_numbers_are_left_out(monkeypatch):
    real = simulations.simulated

    class Odd:
        """A result whose hit rates cannot be told."""

        warp_ipc, achieved_occupancy_fraction = float("nan"), float("inf")

        def __init__(self, plan):
            self._done = real(plan).result

        def __getattr__(self, name):
            return getattr(self._done, name)

    monkeypatch.setattr(simulations, "simulated", lambda plan: SimpleNamespace(result=Odd(plan)))
    space, ready = small(), LoadedWorkload.ready(VECADD)
    machine = space.machine(space.design.point(0), ready.footprints(space.fixed))
    figures = simulated(ready.jobs, machine, ExplorationConfig()).figures
    assert "cycles" in figures
    assert not {"warp_ipc", "achieved_occupancy_fraction"} & set(figures)


# -------------------------------------------------------------------------------- interrupted


def interrupting(log, number):
    """Measure as ``log`` does, and press Ctrl-C at the point of a number."""

    def measure(inputs):
        if len(log.seen()) + 1 == number:
            os.kill(os.getpid(), signal.SIGINT)
        return log(inputs)

    return measure


@pytest.fixture
def heeded():
    """Ctrl-C is heeded, also where tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
def test_an_interruption_says_what_is_kept(tmp_path, logged, monkeypatch, capsys):
    (tmp_path / "small.toml").write_text(SMALL)
    words = ["explore", tmp_path / "small.toml", VECADD.target, "--size", "n=4096", "--samples",
             "12", "--workers", "1", "--store", tmp_path / "s.db"]  # fmt: skip
    monkeypatch.setattr(exploration, "ExplorationEvaluator", lambda _how: interrupting(logged, 6))
    assert main([str(word) for word in words]) == 130
    said = capsys.readouterr().err
    assert f"interrupted: 5 of 12 are kept in {tmp_path / 's.db'}; the same command goes on" in said
    assert len(logged.seen()) == 5
    monkeypatch.setattr(exploration, "ExplorationEvaluator", lambda _how: logged)
    found = explore(small(), [VECADD], Sampling(12), store=tmp_path / "s.db")
    assert found.known == 5


def test_an_interruption_while_models_are_made_is_no_less_told(logged, monkeypatch):
    def interrupted(*_given):
        raise KeyboardInterrupt

    monkeypatch.setattr(exploration, "wants_more", interrupted)
    with pytest.raises(ExplorationInterrupted) as caught:
        explore(small(), [VECADD, LARGER], Sampling(60, until_error=1.0))
    assert (caught.value.over, caught.value.all) == (60, 60)
