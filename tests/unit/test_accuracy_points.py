"""Rows that engines are asked about: kept, stopped where they take too much, asked once."""

import time

import numpy as np
import pytest

from benchmarks.accuracy_parts import points
from benchmarks.accuracy_parts.model import Compiled
from benchmarks.accuracy_parts.points import memory_limit, now_and_then, predictions, time_limit
from tests.unit.accuracy_rows import TOLD, case
from warpmill.analyzer.base.diagnostics import InputError, LimitError


def test_what_takes_too_long_is_stopped():
    with pytest.raises(LimitError, match=r"it took more than 0\.05 s"), time_limit(0.05):
        while True:
            sum(range(1000))


def test_nothing_is_stopped_afterwards():
    with time_limit(0.05):
        pass
    time.sleep(0.1)


def test_memory_is_limited_and_given_back():
    with pytest.raises(LimitError, match=r"it took more than 8\.6 GB"), memory_limit(8 << 30):
        np.empty(9 << 30, np.uint8)
    assert np.empty(9 << 30, np.uint8).nbytes == 9 << 30


def test_told_now_and_then(monkeypatch):
    clock, said = [0.0], []
    monkeypatch.setattr(points.time, "monotonic", lambda: clock[0])
    tell = now_and_then(said.append)
    for second in range(12):
        clock[0] = float(second)
        tell(str(second))
    assert said == ["0", "5", "10"]


@pytest.fixture
def compiled(tmp_path):
    (tmp_path / "x.ptx").write_text("code")
    return Compiled(tmp_path / "x.ptx", "nvcc 12.9 sm_70", 16, "table")


@pytest.fixture
def asked(monkeypatch):
    """Stand for engines; gives the rows that were asked about."""
    rows = []

    def predict(one, _compiled):
        rows.append(one.row)
        if one.kernel == "broken":
            raise InputError("no such thing")
        return TOLD

    monkeypatch.setattr(points, "engine", lambda _name: predict)
    return rows


def ask(store, todo, name="estimate"):
    return predictions(name, todo, store, 1, lambda _words: None)


@pytest.mark.slow
def test_rows_are_asked_about_once(tmp_path, compiled, asked):
    store = tmp_path / "rows.db"
    todo = [(case(n, 1.0, grid=(n + 1, 1, 1)), compiled) for n in range(3)]
    assert ask(store, todo) == [TOLD] * 3
    assert sorted(asked) == [0, 1, 2]
    assert ask(store, todo) == [TOLD] * 3
    assert len(asked) == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"clock_mhz": 1000.0},
        {"gpu": "RTX_2080_Ti"},
        {"warm": True},
        {"back_to_back": True},
        {"config": (("mode", "graph"),)},
        {"args": ({"i32": 1},)},
        {"sizes": {"n": 4}},
        {"dynamic_shared_bytes": 64},
        {"block": (64, 1, 1)},
    ],
)
def test_another_launch_is_another_point(tmp_path, compiled, asked, changed):
    ask(tmp_path / "rows.db", [(case(0, 1.0), compiled), (case(1, 1.0, **changed), compiled)])
    assert len(asked) == 2


def test_other_code_registers_and_engines_are_other_points(tmp_path, compiled, asked):
    (tmp_path / "y.ptx").write_text("other code")
    other = Compiled(tmp_path / "y.ptx", compiled.compiler, 16, "table")
    fewer = Compiled(compiled.ptx, compiled.compiler, 8, "table")
    one = case(0, 1.0)
    ask(tmp_path / "rows.db", [(one, compiled), (one, other), (one, fewer)])
    ask(tmp_path / "rows.db", [(one, compiled)], "simulate")
    assert len(asked) == 4


def test_measured_times_and_names_are_no_part_of_a_point(tmp_path, compiled, asked):
    ask(tmp_path / "rows.db", [(case(0, 1.0), compiled), (case(1, 2.0, kernel="scan"), compiled)])
    assert len(asked) == 1


def test_what_an_engine_refuses_is_the_rows_problem_and_is_asked_again(tmp_path, compiled, asked):
    store = tmp_path / "rows.db"
    todo = [(case(0, 1.0, kernel="broken"), compiled), (case(1, 1.0, grid=(2, 1, 1)), compiled)]
    assert ask(store, todo) == ["no such thing", TOLD]
    assert ask(store, todo) == ["no such thing", TOLD]
    assert sorted(asked) == [0, 0, 1]
