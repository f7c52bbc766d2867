"""The study store: what is kept once, claimed once, resumed, ranked and refused."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from tests.sampling.servers import postgresql
from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.studies import owners, tables
from warpmill.studies.content import canonical, key_of
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.running import run
from warpmill.studies.sources import sources_digest, statements
from warpmill.studies.store import Store
from warpmill.sweeps.sweep import pareto_front


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """The URL of a PostgreSQL server. Skips where there is none."""
    with postgresql(tmp_path_factory.mktemp("pg")) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    place = tmp_path / "studies.db"
    if request.param == "postgresql":
        place = request.getfixturevalue("database")
        engine = create_engine(place)
        tables.metadata.drop_all(engine)
        engine.dispose()
    store = Store(place)
    yield store
    store.engine.dispose()


def line(numbers, group=""):
    return [StudyPoint({"x": x, "what": "square"}, group or str(x % 3)) for x in numbers]


@dataclass
class Squares:
    """Squares numbers, and remembers in a file which."""

    log: Path
    pause_s: float = 0.0

    def __call__(self, inputs):
        time.sleep(self.pause_s)
        with self.log.open("a") as file:
            file.write(f"{inputs['x']}\n")
        if inputs["x"] == 13:
            raise InputError("13 has no square here")
        return PointOutcome({"square": float(inputs["x"] ** 2)}, {"even": inputs["x"] % 2 == 0})

    def seen(self):
        return [int(word) for word in self.log.read_text().split()]


@pytest.fixture
def squares(tmp_path):
    return Squares(tmp_path / "log")


# ------------------------------------------------------------------------------- kept once


def test_points_are_measured_once_and_come_back_in_their_order(store, squares):
    study, told = store.study("numbers"), []
    run(study, line([3, 1, 2]), squares, told=told.append)
    run(study, line([2, 3, 4]), squares)
    assert sorted(squares.seen()) == [1, 2, 3, 4]
    rows = list(study.rows())
    assert [(r.number, r.inputs["x"], r.figures["square"]) for r in rows] == [
        (0, 3, 9.0), (1, 1, 1.0), (2, 2, 4.0), (5, 4, 16.0),
    ]  # fmt: skip
    assert rows[2].facts == {"even": True}
    assert [(p.over, p.all, p.measured) for p in told] == [(1, 3, 1), (2, 3, 2), (3, 3, 3)]
    assert told[-1].seconds_left == 0


def test_studies_share_points_by_what_they_are_made_of(store, squares):
    run(store.study("one"), line([1, 2]), squares)
    run(store.study("other"), line([2, 5]), squares)
    assert squares.seen().count(2) == 1
    assert [r.inputs["x"] for r in store.study("other").rows()] == [2, 5]
    assert store.names() == ["one", "other"]


def test_keys_follow_from_content_alone():
    assert key_of({"a": 1, "b": [1.5, None]}) == key_of({"b": [1.5, None], "a": 1})
    assert key_of({"a": 1}) != key_of({"a": 1.5})
    assert canonical({"b": 1, "a": {"d": 2, "c": 3}}) == '{"a":{"c":3,"d":2},"b":1}'
    with pytest.raises(ValueError, match="Out of range"):
        key_of({"a": float("nan")})


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """A folder of sources, and what hashes them."""
    monkeypatch.setattr("warpmill.studies.sources.ROOT", tmp_path)
    (tmp_path / "engine").mkdir()

    def digest(*places, **options):
        sources_digest.cache_clear()
        return sources_digest(*(places or ["engine"]), **options)

    yield tmp_path / "engine", digest
    sources_digest.cache_clear()


def test_other_sources_are_another_engine(engine):
    folder, digest = engine
    digests = []
    for text in ("A = 1\n", "A = 2\n", "A = 1\n"):
        (folder / "a.py").write_text(text)
        digests.append(digest())
    assert digests[0] == digests[2] != digests[1]
    (folder / "view.py").write_text("B = 1\n")
    assert digest(without=("engine/view",)) == digests[0]
    assert digest() != digests[0]
    assert digest("engine/view.py", without=("engine/view",)) != digests[0]


def test_rooms_lie_below_the_package(engine):
    """As they are installed, and as links in the repository."""
    folder, digest = engine
    room = folder.parent / "warpmill" / "analyzer"
    room.mkdir(parents=True)
    (room / "a.py").write_text("A = 1\n")
    (room.parent / "jobs.py").write_text("JOB = 1\n")
    own, whole = digest("analyzer"), digest("warpmill")
    (room / "a.py").write_text("A = 2\n")
    assert digest("analyzer") != own
    assert digest("warpmill") == whole
    assert digest("analyzer", without=("analyzer/a",)) == digest("nowhere")


BODY = """{docstring}
import math
from engine.b import (
    half,
    third,
)


def f(a: int, b: int) -> int:
    {inner}
    return half(a) + third(b)


{table}
"""


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({"docstring": '"""Another one, of\n\ntwo paragraphs."""'}, True),
        ({"inner": "from engine.c import half  # lazily"}, True),
        ({"inner": "# says why"}, True),
        ({"table": "TABLE = [1, 2]"}, True),
        ({"table": "TABLE = [2, 1]"}, False),
        ({"inner": "a += 1"}, False),
        ({"inner": "if a:\n        return 0"}, False),
    ],
)
def test_code_is_the_same_however_it_is_laid_out(change, is_same):
    plain = {"docstring": '"""What it is."""', "inner": "", "table": "TABLE = [\n    1,\n    2,\n]"}
    changed = statements(BODY.format(**plain | change))
    assert (changed == statements(BODY.format(**plain))) == is_same


def test_a_study_says_what_it_is_and_what_it_is_of(store):
    study = store.study("s", "first")
    study.add([StudyPoint({"n": 3}), StudyPoint({"n": 1})])
    assert (study.about(), study.inputs()) == ("first", [{"n": 3}, {"n": 1}])
    study.describe("then")
    assert store.study("s").about() == "then"
    assert store.study("other").about() == ""


def test_what_cannot_be_measured_has_its_reason(store, squares):
    study = store.study("numbers")
    run(study, line([12, 13]), squares)
    run(study, line([12, 13]), squares)
    assert squares.seen() == [12, 13]
    assert [r.problem for r in study.rows()] == [None, "13 has no square here"]
    counts = study.counts()
    assert (counts.done, counts.failed, counts.over, counts.all) == (1, 1, 2, 2)
    study.forget_failures()
    run(study, line([12, 13]), squares)
    assert squares.seen() == [12, 13, 13]


def test_errors_that_are_no_ones_input_end_the_run_and_give_points_back(store):
    study = store.study("numbers")

    def fails(inputs):
        raise ZeroDivisionError(inputs["x"])

    with pytest.raises(ZeroDivisionError):
        run(study, line([1, 2]), fails)
    assert study.counts().open == 2


def test_limits_are_problems_too(store):
    def limited(_inputs):
        raise LimitError("too long")

    run(store.study("s"), line([1]), limited)
    assert [r.problem for r in store.study("s").rows()] == ["too long"]


# ------------------------------------------------------------------------ several processes


@pytest.mark.slow
def test_workers_measure_every_point_once(store, squares):
    run(store.study("numbers"), line(range(40)), squares, workers=2)
    assert sorted(squares.seen()) == list(range(40))
    assert [r.inputs["x"] for r in store.study("numbers").rows()] == list(range(40))


SCRIPT = """
import sys
import threading
from pathlib import Path
from tests.sampling.test_study_store import Squares, line
from warpmill.studies.running import run
from warpmill.studies.store import Store
run(Store(sys.argv[1]).study("numbers"), line(range(60)), Squares(Path(sys.argv[2]), 0.02))
"""


def started(store, squares):
    words = [sys.executable, "-c", SCRIPT, store.url, str(squares.log)]
    return subprocess.Popen(words, cwd=Path(__file__).parents[2])


@pytest.mark.slow
def test_two_writers_repeat_nothing(store, squares):
    both = [started(store, squares) for _ in range(2)]
    assert [one.wait(timeout=60) for one in both] == [0, 0]
    assert sorted(squares.seen()) == list(range(60))
    assert store.study("numbers").counts().over == 60


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(store, squares):
    squares.log.touch()
    one = started(store, squares)
    while len(squares.seen()) < 10:
        assert one.poll() is None
        time.sleep(0.01)
    one.send_signal(signal.SIGKILL)
    one.wait()
    seen = squares.seen()
    kept = store.study("numbers").counts().over
    assert len(seen) - 1 <= kept <= len(seen)  # the last one may not have been kept
    run(store.study("numbers"), line(range(60)), squares)
    assert store.study("numbers").counts().over == 60
    assert len(squares.seen()) == 60 + len(seen) - kept


def test_claims_are_over_when_their_process_is_or_is_silent(store, monkeypatch):
    study = store.study("numbers")
    points = line([1, 2])
    study.add(points)
    (one, two) = (p.key for p in points)
    assert study.claim([one]) == {one}
    assert study.claim([one, two]) == {two}
    assert not owners.is_gone(owners.own_name())
    monkeypatch.setattr("warpmill.studies.store.LEASE_S", -1.0)
    assert study.claim([one]) == {one}
    study.finish(one, PointOutcome({"n": 1.0}), 0.5)
    assert study.claim([one]) == set()
    study.release([two])
    assert study.counts().open == 1


def test_owners_that_are_gone():
    host = owners.own_name().split(" ")[0]
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert owners.is_gone(f"{host} {child.pid} abc")
    assert owners.is_gone(f"{host} {os.getpid()} abc")  # its number came back
    assert not owners.is_gone(f"{host} {os.getppid()} abc")
    assert not owners.is_gone(f"elsewhere {child.pid} abc")


# ------------------------------------------------------------------------------------ ranks


def test_best_and_values(store, squares):
    study = store.study("numbers")
    run(study, line([3, -2, 5, 1, 13]), squares)
    assert [r.inputs["x"] for r in study.best("square", 2)] == [1, -2]
    assert [r.inputs["x"] for r in study.best("square", 1, largest=True)] == [5]
    assert study.best("nothing", 3) == []
    assert study.values("square", "square") == [
        (0, (9.0, 9.0)), (1, (4.0, 4.0)), (2, (25.0, 25.0)), (3, (1.0, 1.0)),
    ]  # fmt: skip
    assert [r.inputs["x"] for r in study.numbered([3, 0])] == [1, 3]


def beaten(row, rows):
    return any(all(a <= b for a, b in zip(x, row, strict=True)) and x != row for x in rows)


def test_the_front_is_what_nothing_beats():
    rows = [(x * 7 % 11, x * 5 % 13, x * 3 % 7) for x in range(60)]
    front = pareto_front(rows)
    assert sorted(front) == [n for n, row in enumerate(rows) if not beaten(row, rows)]
    assert [rows[n][0] for n in front] == sorted(rows[n][0] for n in front)
    assert pareto_front([(1, 2), (2, 3), (3, 1)], (False, True)) == [0, 1]
    assert pareto_front([]) == []


# ---------------------------------------------------------------------------- what is refused


def test_what_is_no_store_is_said(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("no database " * 100)
    with pytest.raises(InputError, match=r"notes.txt: file is not a database"):
        Store(text).study("s")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(InputError, match="is no study store"):
        Store(other).study("s")
    with pytest.raises(InputError, match="unable to open"):
        Store(tmp_path / "nowhere" / "s.db").study("s")
    with pytest.raises(UsageError, match="is no address of a store"):
        Store("nosuch://x").study("s")
    with pytest.raises(UsageError, match="needs a name"):
        Store(tmp_path / "s.db").study(" ")


def test_stores_of_other_versions_are_refused(store):
    store.study("s")
    with store.engine.begin() as connection:
        connection.execute(tables.store.update().values(version=99))
    with pytest.raises(InputError, match=r"its tables are of version 99, 1 is read here"):
        Store(store.url).study("s")


def test_a_file_that_somebody_begins_to_write_is_waited_for(tmp_path):
    """SQLite gives up at once where its log is made beside a transaction that is to write."""
    place = tmp_path / "s.db"
    with closing(sqlite3.connect(place, isolation_level=None, check_same_thread=False)) as another:
        another.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.2, another.execute, ["COMMIT"])
        timer.start()
        assert Store(place).study("any").counts().over == 0
        timer.join()
