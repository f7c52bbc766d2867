"""benchmarks/accuracy: figures derived by hand, what is asked of engines, pages and pictures."""

import time

import numpy as np
import pytest

from tests.documents.accuracy_rows import TOLD, case, row
from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.benchmarks.accuracy import (
    BENCHMARKS,
    Accuracy,
    DatasetAccuracy,
    figures,
    measuring,
    pictures,
    summed,
)
from warpmill.benchmarks.accuracy.figures import best_pick_slowdown, groups, kendall_tau
from warpmill.benchmarks.accuracy.measuring import memory_limit, predictions, time_limit
from warpmill.benchmarks.accuracy.model import Compiled
from warpmill.benchmarks.accuracy.selecting import Chosen
from warpmill.benchmarks.benchmark import Measured, Request

TUNED = {"table": "kt_hotspot", "dataset": "kt_hotspot", "kernel": "hotspot", "gpu": "RTX_A4000"}
SMALL = {"table": "small", "dataset": "gpubench_small_kernels"}
ROWS = [
    *(row(n, 1.0 + n, 1.1 * (1.0 + n)) for n in range(4)),
    row(9, 1.0, 1.5, kernel="scan"),
    row(10, 1.0, None, kernel="scan", problem="it took more than 60 s"),
]


def group(rows):
    (found,) = groups(rows)
    return found


def test_errors_of_a_kernel():
    # errors in percent: +10, -20, +30, -60
    found = group([row(0, 1, 1.1), row(1, 10, 8), row(2, 2, 2.6), row(3, 5, 2)])
    assert (found.rows, found.mape, found.median) == (4, pytest.approx(30), pytest.approx(25))
    assert found.p90 == pytest.approx(51)  # at 2.7 of 0 to 3: 30 + 0.7 * 30
    assert found.bias == pytest.approx(-10)
    assert group([row(0, 1.234567, 2)]).points == ((1.2346, 2.0, True),)


def test_rows_that_are_only_ranked_have_no_error():
    found = group([row(0, 1, 1.1, **TUNED), row(1, 2, 9, has_error=False, **TUNED)])
    assert (found.rows, found.ranked, found.mape) == (1, 2, pytest.approx(10))


def test_what_fails_is_counted_with_its_reason_and_has_no_error():
    long = "it took more than 60 s"
    rows = [row(0, 1, 1.5), row(1, 1, None, problem=long), row(2, 1, None, problem="file 3: no")]
    found = group(rows)
    assert (found.rows, found.problems, found.mape) == (1, 2, pytest.approx(50))
    assert found.reasons == {"it took more than … s": 1, "file …: no": 1}
    nothing = group(rows[1:])
    assert (nothing.rows, nothing.mape, nothing.kendall_tau) == (0, None, None)


def test_rank_correlation_and_pick():
    # of the six pairs of 1, 2, 3, 4 and 1, 3, 2, 4 one is in the other order: (5 - 1) / 6
    pairs = np.array([(1, 1), (3, 2), (2, 3), (4, 4)], float)
    assert kendall_tau(pairs) == pytest.approx(4 / 6)
    assert kendall_tau(pairs[:1]) is None
    assert kendall_tau(np.array([(2.0, 1), (2, 2)])) is None, "no order was predicted"
    # of two that are predicted best the worst counts
    assert best_pick_slowdown(np.array([(5.0, 2.0), (5, 3), (6, 1.5)])) == 2.0
    assert best_pick_slowdown(pairs[:0]) is None


def test_few_rows_are_ranked_in_tuned_spaces_alone():
    rows = [row(n, n + 1, n + 1) for n in range(20)]
    assert (group(rows[:19]).kendall_tau, group(rows).kendall_tau) == (None, 1.0)
    assert group([row(n, n + 1, n + 1, **TUNED) for n in range(3)]).kendall_tau == 1.0


def test_instructions_beside_a_profilers_count():
    counters = {"counters": {"warp_inst": 200.0}}
    rows = [
        row(0, 1, 1, warp_instructions=210.0, **counters),
        row(1, 1, 1, warp_instructions=180.0, **counters),
        row(2, 1, 1, **counters),
        row(3, 1, 1, warp_instructions=5.0),
        row(4, 1, None, **counters),
    ]
    found = group(rows)
    assert found.instruction_errors == pytest.approx((5.0, 10.0))
    assert summed("", [found]).warp_inst_error_median == pytest.approx(7.5)


def test_the_worst_tuned_space_counts():
    right = [row(n, n + 1, n + 1, **TUNED) for n in range(3)]
    wrong = [row(n, n + 1, 3 - n, **{**TUNED, "dataset": "kt_convolution"}) for n in range(3)]
    other = [row(n, n + 1, 9 - n, dataset="ktt_counters") for n in range(9)]
    found = summed("", groups([*right, *wrong, *other]))
    assert (found.kendall_tau_min, found.best_pick_slowdown_max) == (pytest.approx(-1), 3.0)


def accuracy(engine="estimate"):
    hotspot = [row(n, 1.0 + n, 2.0 + n, has_error=n < 2, **TUNED) for n in range(5)]
    part = [row(0, 1.0, 1.02, share=0.5, warp_instructions=1e6)]
    continued = figures.compared(part, [row(0, 1.0, 1.0)]) if engine == "simulate" else ()
    parts = {
        "simple16": DatasetAccuracy(groups=groups(ROWS), extrapolation=continued),
        "kt_hotspot": DatasetAccuracy(groups=groups(hotspot)),
        "gpubench_small_kernels": DatasetAccuracy(groups=groups([row(11, 1.0, 1.2, **SMALL)])),
        "amaris_bsp": DatasetAccuracy(groups=()),
    }
    return Accuracy(engine=engine, tables={}, parts=parts)


def test_overall_is_the_mean_over_kernels_and_without_what_is_apart():
    found = accuracy()
    # 10 % of copy, 50 % of scan, 75 % of hotspot (100 and 50)
    assert (found.whole.mape, found.whole.groups) == (pytest.approx(45), 3)
    assert (found.whole.rows, found.whole.problems) == (7, 1)
    assert found.missing == ("amaris_bsp",)
    (aside,) = found.put_aside
    assert aside in {one.name for one in found.headline}
    assert [one.groups for one in found.sums] == [3, 1, 2]
    assert sum(one.mape * one.groups for one in found.sums[1:]) == pytest.approx(3 * 45)


@pytest.mark.parametrize("one", BENCHMARKS, ids=lambda one: one.name)
def test_pages_and_pictures(one, tmp_path):
    engine = one.name.partition("-")[2]
    told = {"computer": {"processor": "a CPU", "python": "3"}}
    one.write(Measured(accuracy(engine), told), tmp_path)
    text = (tmp_path / f"{one.name}.md").read_text("utf-8")
    kernels = text.partition("## By kernel")[2]
    order = [kernels.index(f"| {name} | ") for name in ("hotspot", "scan", "copy")]
    assert order == sorted(order), "the worst first"
    assert "| simple16 | TITAN V | scan | 1 | it took more than … s |" in text
    assert "Not here, as their tables were not there: amaris_bsp." in text
    assert (
        "| gpubench\\_small\\_kernels | TITAN V | copy | 1 | 20.0 |"
        in text.partition("## What models are calibrated with")[2]
    )
    assert ("| 50.0% | +2.0 % |" in text) is (engine == "simulate")
    drawn = {path.name for path in (tmp_path / one.name).iterdir()}
    assert drawn == {part.split(")")[0] for part in text.split(f"]({one.name}/")[1:]}


def test_pictures_show_rows_with_errors_and_rank_all():
    found = accuracy().headline
    assert pictures.times_of(found)["kt_hotspot"].tolist() == [[1.0, 2.0], [2.0, 3.0]]
    assert len(pictures.times_of(found, ranked=True)["kt_hotspot"]) == 5


# -------------------------------------------------------------------------------- asking engines


def test_what_takes_too_long_is_stopped_and_nothing_afterwards():
    with pytest.raises(LimitError, match=r"it took more than 0\.05 s"), time_limit(0.05):
        while True:
            sum(range(1000))
    with time_limit(0.05):
        pass
    time.sleep(0.1)


def test_memory_is_limited_and_given_back():
    with pytest.raises(LimitError, match=r"it took more than 8\.6 GB"), memory_limit(8 << 30):
        np.empty(9 << 30, np.uint8)
    assert np.empty(9 << 30, np.uint8).nbytes == 9 << 30


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

    monkeypatch.setattr(measuring, "ENGINES", dict.fromkeys(measuring.ENGINES, predict))
    return rows


def test_only_other_launches_code_and_engines_are_asked_about(tmp_path, compiled, asked):
    (tmp_path / "y.ptx").write_text("other code")
    plain = case(0, 1.0)
    changes = [
        {"clock_mhz": 1000.0}, {"gpu": "RTX_2080_Ti"}, {"warm": True}, {"back_to_back": True},
        {"config": (("mode", "graph"),)}, {"args": ({"i32": 1},)}, {"sizes": {"n": 4}},
        {"dynamic_shared_bytes": 64}, {"block": (64, 1, 1)},
    ]  # fmt: skip
    todo = [
        (plain, compiled),
        (case(1, 2.0, kernel="scan"), compiled),  # times and names are no part of a point
        (plain, Compiled(tmp_path / "y.ptx", compiled.compiler, 16, "table")),
        (plain, Compiled(compiled.ptx, compiled.compiler, 8, "table")),
        *((case(0, 1.0, **one), compiled) for one in changes),
    ]
    for name in ("estimate", "simulate"):
        assert predictions(name, todo, tmp_path / "rows.db", 1) == [TOLD] * len(todo)
    assert len(asked) == 2 * (len(todo) - 1)


def test_what_an_engine_refuses_is_the_rows_problem_and_is_asked_again(tmp_path, compiled, asked):
    todo = [(case(0, 1.0, kernel="broken"), compiled), (case(1, 1.0, grid=(2, 1, 1)), compiled)]
    for _ in range(2):
        assert predictions("estimate", todo, tmp_path / "rows.db", 1) == ["no such thing", TOLD]
    assert sorted(asked) == [0, 0, 1]


@pytest.mark.parametrize(("engine", "in_full"), [("estimate", []), ("simulate", [0])])
def test_a_data_set_is_asked_of_an_engine(monkeypatch, engine, in_full):
    """Ten rows of which a launch that was continued is simulated in full as well."""
    told = []

    def predicted(name, chosen, _request):
        told.append((name, [one.case.row for one in chosen]))
        share = 0.5 if name == "simulate" else 1.0
        return tuple(row(one.case.row, 1.0, 1.5, share=share) for one in chosen)

    monkeypatch.setattr(measuring, "predicted", predicted)
    monkeypatch.setattr(measuring, "cases_of", lambda *_: [case(n, 1.0 + n) for n in range(10)])
    monkeypatch.setattr(measuring, "tables_of", lambda _: {"a.csv": "hash"})
    monkeypatch.setattr(figures, "few", lambda _: {("table", 0)})
    monkeypatch.setattr(measuring, "few", lambda _: {("table", 0)})
    one = next(one for one in BENCHMARKS if one.name.endswith(engine))
    found = one.load(one.measure)(Request(names=("simple16",), quick=True))
    assert found.parts["simple16"].groups[0].rows == (10 if engine == "estimate" else 8)
    assert [rows for name, rows in told if name == "simulate in full"] == [in_full] * len(in_full)
    assert bool(found.parts["simple16"].simulated_too) is (engine == "estimate")
    assert len(found.parts["simple16"].extrapolation) == len(in_full)
    assert set(getattr(measuring, f"{engine}_datasets")()) >= {"simple16", "kt_hotspot"}


def test_only_launches_that_were_continued_and_are_short_are_simulated_in_full(monkeypatch):
    def continued(number, share, instructions=1e6):
        return row(number, 1, 1.0, share=share, warp_instructions=instructions)

    most = figures.MOST_INSTRUCTIONS
    rows = [continued(0, 1.0), continued(1, 0.5, 2 * most), continued(2, 0.5, most)]
    rows.append(row(3, 1, None))
    assert figures.few(rows) == {("table", 2)}
    monkeypatch.setattr(figures, "IN_FULL", 5)
    chosen = sorted(n for _, n in figures.few([continued(n, (n + 1) / 100) for n in range(10)]))
    assert [number // 2 for number in chosen] == [0, 1, 2, 3, 4]


def test_rounds_beside_the_launch_in_full():
    rows = [row(0, 1, 1.2, share=0.5), row(1, 1, 1.0, share=0.25)]
    first, second = figures.compared(rows, [row(0, 1, 1.5), row(1, 1, None)])
    assert (first.error, first.ms, first.full_ms) == (pytest.approx(-20), 1.2, 1.5)
    assert (second.error, second.problem) == (None, "failed")


def test_code_that_there_is_not_is_a_rows_problem(monkeypatch):
    problem = measuring.BuildError("no compiler")
    monkeypatch.setattr(
        measuring.building, "build_all", lambda all_, _: dict.fromkeys(all_, problem)
    )
    monkeypatch.setattr(measuring, "predictions", lambda *_: [])
    (found,) = measuring.predicted("estimate", [Chosen(case(0, 1.0), True)], Request(store="s"))
    assert (found.prediction, found.problem) == (None, "no compiler")
