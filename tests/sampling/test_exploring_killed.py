"""Explorations that are killed, share a store, or run on clusters and databases."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures.process import BrokenProcessPool

import pytest

from tests.sampling.exploring_logged import Logged, cannot_be
from tests.sampling.exploring_parts import ROOT, points, small
from tests.sampling.servers import dask_cluster, free_port, postgresql
from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.exploring import backends
from warpmill.exploring.backends import PointWorkers, run_points
from warpmill.exploring.exploration import explore
from warpmill.exploring.workloads import ExploredWorkload
from warpmill.studies import running
from warpmill.studies.store import Store, Study

FEW = 48
"""Points that most of these measure; the small space has 120."""


def failing():
    return sum(cannot_be(one.inputs["point"]) for one in points(FEW))


def started(store, log, pause, workers):
    """Start a process that measures all points."""
    process = made_ready(store, log, pause, workers)
    begin(process)
    return process


def made_ready(store, log, pause, workers):
    words = [sys.executable, "-m", "tests.sampling.exploring_logged", store, log, pause, workers]
    process = subprocess.Popen(
        [str(word) for word in words], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout.readline() == b"ready\n"
    process.stdout.close()
    return process


def begin(process):
    process.stdin.write(json.dumps([dict(point.inputs) for point in points(FEW)]).encode())
    process.stdin.close()


def killed_worker(log, own):
    """Kill a process that measures, but for ``own``; gives whether there was one to be killed."""
    for line in reversed(log.seen()):
        number = int(line.split(" ")[0])
        if number != own:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue
            return True
    return False


def counts(place):
    store = Store(place)
    try:
        return store.study("small").counts()
    finally:
        store.engine.dispose()


def wait_for(log, number, process):
    while len(log.seen()) < number and process.poll() is None:
        time.sleep(0.005)


@pytest.mark.slow
def test_killed_workers_lose_no_more_than_the_points_in_flight(tmp_path):
    store, log = tmp_path / "s.db", Logged(str(tmp_path / "log"))
    process = started(store, log.log, 0.05, 2)
    wait_for(log, 5, process)
    assert killed_worker(log, process.pid)
    assert process.wait(timeout=60) == 0
    assert (counts(store).over, counts(store).failed) == (FEW, failing())
    times = Counter(line.partition(" ")[2] for line in log.seen())
    assert len(times) == FEW
    assert sum(times.values()) <= FEW + 2  # both workers' points were in flight, at most


@pytest.mark.slow
def test_a_run_that_is_killed_often_goes_on_where_it_was(tmp_path):
    store, log = tmp_path / "s.db", Logged(str(tmp_path / "log"))
    kills = 0
    for more in (3, 10, 1):
        process = started(store, log.log, 0.01, 1)
        wait_for(log, len(log.seen()) + more, process)
        kills += process.poll() is None
        process.kill()
        process.wait()
    run_points(Store(store).study("small"), points(FEW), log, PointWorkers())
    assert counts(store).over == FEW
    assert FEW <= len(log.seen()) <= FEW + kills


def test_two_processes_on_one_store_repeat_nothing(tmp_path):
    store, log = tmp_path / "s.db", Logged(str(tmp_path / "log"))
    both = [made_ready(store, log.log, 0.01, 1) for _ in range(2)]
    for process in both:
        begin(process)
    assert [one.wait(timeout=60) for one in both] == [0, 0]
    lines = [line.partition(" ")[2] for line in log.seen()]
    assert (len(lines), len(set(lines))) == (FEW, FEW)
    assert len({line.split(" ")[0] for line in log.seen()}) == 2


def test_workers_may_end_as_long_as_points_are_measured_in_between(tmp_path, monkeypatch):
    study, log = Store(tmp_path / "s.db").study("small"), Logged(str(tmp_path / "log"))
    runs = []

    def ending(study, wanted, evaluate, **options):
        """Measure a point at every other time; the workers end at all times."""
        runs.append(len(runs))
        left = study.unfinished([one.key for one in wanted])
        if len(runs) % 2 and len(runs) < 12:
            running.run(study, [one for one in wanted if one.key == left[0]], evaluate)
        raise BrokenProcessPool

    monkeypatch.setattr(backends, "run", ending)
    with pytest.raises(LimitError, match=r"workers ended 3 times .* with 2 left"):
        run_points(study, points(8), log, PointWorkers())
    assert (len(runs), len(log.seen())) == (11 + 3, 6)


def test_what_was_measured_before_workers_ended_counts_too(tmp_path, monkeypatch):
    study, log = Store(tmp_path / "s.db").study("small"), Logged(str(tmp_path / "log"))
    shares = [3, 2]

    def ending(study, wanted, evaluate, **options):
        """Measure three points, then two; then the workers stay to the end."""
        if not shares:
            return running.run(study, wanted, evaluate, **options)
        left = study.unfinished([one.key for one in wanted])[: shares.pop(0)]
        running.run(study, [one for one in wanted if one.key in left], evaluate, **options)
        raise BrokenProcessPool

    monkeypatch.setattr(backends, "run", ending)
    assert run_points(study, points(8), log, PointWorkers()) == len(log.seen()) == 8


# ------------------------------------------------------------------------------ other stores


def test_a_worker_that_looks_into_another_store_ends_the_run(tmp_path):
    here = Store(tmp_path / "here.db").study("small")
    here.add(points(2))
    gone = Study(Store(tmp_path / "gone.db"), here.id, "small")
    other = Store(tmp_path / "other.db").study("small")
    assert (other.id, other.name) == (here.id, here.name)
    for study in (gone, other):
        with pytest.raises(InputError, match="is not the store of this run: all workers need"):
            list(running._part(study, points(2), Logged(str(tmp_path / "log"))))
    assert not (tmp_path / "gone.db").exists()


def test_points_that_nobody_is_at_do_not_keep_a_run_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_WAIT_S", 0)
    monkeypatch.setattr(running, "_measured", lambda *_given: iter(()))  # they have a copy
    study = Store(tmp_path / "s.db").study("small")
    with pytest.raises(InputError, match="nothing comes of 2 points; do all workers write"):
        running.run(study, points(2), Logged("none"))


def test_a_cluster_needs_a_store(tmp_path):
    with pytest.raises(UsageError, match="a Dask cluster needs a store that its workers reach"):
        explore(
            small(), [ExploredWorkload("none.toml")], backend=PointWorkers(1, "tcp://127.0.0.1:9")
        )


# ----------------------------------------------------------------------- Dask and PostgreSQL


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_measures_every_point_once(tmp_path):
    pytest.importorskip("distributed")
    store, log = tmp_path / "s.db", Logged(str(tmp_path / "log"), 0.01)
    study = Store(store).study("small")
    with dask_cluster() as cluster:
        backend = PointWorkers(1, cluster.address)
        alone = cluster.start_worker()
        run_points(study, points(8), log, backend)  # of one worker, too, none is measured here
        assert {int(line.split(" ")[0]) for line in log.seen()} == {alone.pid}
        other, told = cluster.start_worker(), []
        run_points(study, points(FEW), log, backend, told.append)
        assert (told[0].over, told[-1].over) == (8, FEW)
        seen = log.seen()
        assert len(seen) == len({line.partition(" ")[2] for line in seen}) == FEW
        assert {int(line.split(" ")[0]) for line in seen} == {alone.pid, other.pid}

        def kill_scheduler():
            wait_for(log, FEW + 3, alone)
            cluster.scheduler.kill()

        killer = threading.Thread(target=kill_scheduler)
        killer.start()
        with pytest.raises(LimitError, match=f"the scheduler at {cluster.address} is gone"):
            run_points(study, points(), Logged(log.log, 0.1), backend)
        killer.join()
    run_points(study, points(), log, PointWorkers())
    assert study.counts().over == len(points())
    run_points(study, points(), log, backend)  # nothing is left to do


def test_a_scheduler_that_is_not_there_is_said(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(backends, "CONNECT_S", 1)
    study = Store(tmp_path / "s.db").study("small")
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(UsageError, match=f"there is no Dask scheduler at {address}"):
        run_points(study, points(4), Logged("none"), PointWorkers(1, address))


@pytest.mark.slow
def test_a_postgresql_server_keeps_what_two_processes_measure(tmp_path):
    log = Logged(str(tmp_path / "log"), 0.002)
    (tmp_path / "pg").mkdir()
    with postgresql(tmp_path / "pg") as url:
        killed = started(url, log.log, 0.002, 1)
        wait_for(log, 10, killed)
        killed.kill()
        killed.wait()
        both = [started(url, log.log, 0.002, 1) for _ in range(2)]
        assert [one.wait(timeout=60) for one in both] == [0, 0]
        assert (counts(url).over, counts(url).failed) == (FEW, failing())
        assert len(log.seen()) <= FEW + 1
