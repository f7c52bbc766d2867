"""The benchmark of workloads: rows are kept, groups of opcodes complete, pictures drawn."""

import pytest

from benchmarks.workload_pages import paper_plots
from benchmarks.workload_parts import groups, gtpin, kept_rows
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.types import OpClass
from warpmill.studies.model import PointOutcome


@pytest.fixture
def measured(monkeypatch):
    """Let measuring be counted; the first `b+tree` fails."""
    seen = []

    def evaluate(inputs):
        seen.append(inputs["workload"])
        if inputs["workload"] == "b+tree" and seen.count("b+tree") == 1:
            raise InputError("no room")
        return PointOutcome(facts={"result": [inputs["workload"], inputs["preset"]]})

    monkeypatch.setattr(kept_rows, "evaluate", evaluate)
    return seen


def points(*names):
    return [kept_rows.wanted(kept_rows.ROW, name, "tiny", "sm_80") for name in names]


@pytest.mark.slow
def test_rows_are_measured_once_and_failures_again(tmp_path, measured):
    store = tmp_path / "s.db"
    assert kept_rows.kept(store, points("bfs"), 1, str) == [["bfs", "tiny"]]
    with pytest.raises(SystemExit, match="no room"):
        kept_rows.kept(store, points("bfs", "b+tree"), 1, str)
    wanted = [["b+tree", "tiny"], ["bfs", "tiny"]]
    assert kept_rows.kept(store, points("b+tree", "bfs"), 1, str) == wanted
    assert measured == ["bfs", "b+tree", "b+tree"]


@pytest.mark.slow
def test_a_row_is_another_where_its_workload_or_kind_is():
    own = kept_rows.wanted(kept_rows.ROW, "bfs", "tiny", "sm_80")
    others = [
        kept_rows.wanted(kept_rows.ENGINES, "bfs", "tiny", "sm_80"),
        kept_rows.wanted(kept_rows.ROW, "bfs", "small", "sm_80"),
        kept_rows.wanted(kept_rows.ROW, "nn", "tiny", "sm_80"),
    ]
    assert own.key == kept_rows.wanted(kept_rows.ROW, "bfs", "tiny", "sm_80").key
    assert own.key not in {other.key for other in others}
    assert own.inputs["files"] != others[-1].inputs["files"]


def test_every_class_of_operation_is_in_one_group():
    names = [name for each in groups._OF_CLASS.values() for name in each]
    assert sorted(names) == sorted(one.name for one in OpClass)
    assert set(groups._OF_CLASS) == set(groups.GROUPS)


def test_launches_differ_from_a_fifth_of_the_largest_on():
    assert not gtpin._differ([100, 80])
    assert gtpin._differ([100, 79, 100])
    assert not gtpin._differ([0, 0])


@pytest.mark.slow
def test_pictures_are_drawn(tmp_path):
    shares = dict.fromkeys(groups.GROUPS, 0.2)
    row = {
        "application": "A", "name": "A", "workload": "a",
        "calls": dict.fromkeys(paper_plots.CALLS, 4),
        "kernels": 2, "static_blocks": 9, "block_executions": 90, "warp_instructions": 900,
        "groups": shares, "lanes": [0.2] * len(gtpin.LANES), "bytes_read": 8, "bytes_written": 0,
        "instructions_per_thread": 12.0, "branch_share": 0.1, "thread_instructions": 20_000,
    }  # fmt: skip
    rows = [row, {**row, "application": "B", "name": "B", "workload": "b"}]
    point = {"workload": "nw", "threads": 128, "ipc": 0.2}
    drawn = {
        "minibench": rows, "figure_7": [point, {**point, "threads": 256}], "figure_8": rows,
        "gtpin_structure": rows, "gtpin_work": rows,
    }  # fmt: skip
    for name, given in drawn.items():
        path = tmp_path / f"{name}.png"
        getattr(paper_plots, name)(given, path)
        assert path.read_bytes().startswith(b"\x89PNG")
