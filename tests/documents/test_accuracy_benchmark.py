"""benchmarks/accuracy: figures derived by hand, rows that are chosen, what is asked of engines."""

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

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
from warpmill.benchmarks.accuracy.measuring import memory_limit, time_limit
from warpmill.benchmarks.accuracy.model import Code, Program
from warpmill.benchmarks.accuracy.selecting import Amount, choose, one_of_each, simulated
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
    rows = [
        row(0, 1, 1, own_instructions=210.0, warp_instructions=200.0),
        row(1, 1, 1, own_instructions=180.0, warp_instructions=200.0),
        row(2, 1, 1, warp_instructions=200.0),
        row(3, 1, 1, own_instructions=5.0),
        row(4, 1, None, warp_instructions=200.0),
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
    part = [row(0, 1.0, 1.02, share=0.5, own_instructions=1e6)]
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


CODE = Code(Path("x.ptx"), "nvcc 12.9 sm_70", {"copy": 16}, "ptxas 12.9 sm_70")


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Stand for engines and compilers; gives the rows that were asked about."""
    rows = []

    def predict(one, _code):
        rows.append(one.row)
        if one.kernel == "broken":
            raise InputError("no such thing")
        return TOLD

    def built(program):
        if program.source == "broken.cu":
            return measuring.BuildError("no compiler")
        ptx = tmp_path / f"{program.source}.ptx"
        ptx.write_text(program.source)
        return replace(CODE, ptx=ptx, registers={"copy": dict(program.macros).get("REGS", 16)})

    monkeypatch.setattr(measuring, "ENGINES", dict.fromkeys(measuring.ENGINES, predict))
    monkeypatch.setattr(measuring, "build_all", lambda all_: {one: built(one) for one in all_})
    return rows


def told(engine, cases, folder):
    """What an engine is taken to say of cases, by row: a prediction or a problem."""
    rows = measuring.predicted(engine, cases, Request(store=str(folder / "rows.db")))
    return {one.case.row: one.problem or one.prediction for one in rows}


def test_only_other_launches_code_and_engines_are_asked_about(tmp_path, asked):
    changes = [
        {"clock_mhz": 1000.0}, {"gpu": "RTX_2080_Ti"}, {"warm": True}, {"back_to_back": True},
        {"config": {"mode": "graph"}}, {"args": ({"i32": 1},)}, {"sizes": {"n": 4}},
        {"dynamic_shared_bytes": 64}, {"block": (64, 1, 1)}, {"registers": 16},
        {"program": Program("other.cu", (), (), 70, 70)}, {"warp_instructions": 4.0},
        {"program": Program("copy.cu", (("REGS", 8),), (), 70, 70)},
    ]  # fmt: skip
    cases = [case(n, 1.0, **one) for n, one in enumerate(changes)]
    again = [case(98, 1.0), case(99, 2.0, kernel="scan")]  # times and names are no part of a point
    for engine in ("estimate", "simulate"):
        found = told(engine, [*cases, *again], tmp_path)
        assert list(found.values()) == [TOLD] * (len(cases) + 2)
    assert len(asked) == 2 * (len(cases) + 1)


def test_what_an_engine_refuses_is_the_rows_problem_and_is_asked_again(tmp_path, asked):
    cases = [case(0, 1.0, kernel="broken"), case(1, 1.0, grid=(2, 1, 1))]
    for _ in range(2):
        assert told("estimate", cases, tmp_path) == {0: "no such thing", 1: TOLD}
    assert sorted(asked) == [0, 0, 1]


def test_code_that_there_is_not_is_a_rows_problem(tmp_path, asked):
    broken = case(0, 1.0, program=Program("broken.cu", (), (), 70, 70))
    assert told("estimate", [broken, case(1, 1.0)], tmp_path) == {0: "no compiler", 1: TOLD}


def test_the_tables_registers_come_first():
    assert CODE.registers_of(case(0, 1.0, registers=20)) == (20, "table")
    assert CODE.registers_of(case(0, 1.0)) == (16, "ptxas 12.9 sm_70")
    assert CODE.registers_of(case(0, 1.0, entry="other")) == (None, "")


@pytest.mark.parametrize(("engine", "in_full"), [("estimate", []), ("simulate", [0])])
def test_a_data_set_is_asked_of_an_engine(monkeypatch, engine, in_full):
    """Ten rows of which a launch that was continued is simulated in full as well."""
    told = []

    def predicted(name, chosen, _request):
        told.append((name, [one.row for one in chosen]))
        share = 0.5 if name == "simulate" else 1.0
        return [row(one.row, 1.0, 1.5, share=share) for one in chosen]

    monkeypatch.setattr(measuring, "predicted", predicted)
    monkeypatch.setattr(measuring, "cases_of", lambda *_: [case(n, 1.0 + n) for n in range(10)])
    monkeypatch.setattr(measuring, "tables_of", lambda _: {"a.csv": "hash"})
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
        return row(number, 1, 1.0, share=share, own_instructions=instructions)

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


# ---------------------------------------------------------------------------- choosing rows


def rows_of(dataset, count, **more):
    return [case(n, 1.0 + n, table=dataset, dataset=dataset, **more) for n in range(count)]


def test_all_of_a_small_data_set():
    chosen = choose(rows_of("simple16", 20), Amount(errors=20))
    assert [one.row for one in chosen] == list(range(20))
    assert all(one.has_error for one in chosen)


def test_only_headline_rows_and_those_apart():
    cases = [
        *rows_of("simple16", 2, headline=False),
        *rows_of("gpubench_small_kernels", 2, headline=False),
        case(7, 1.0),
    ]
    found = [(one.dataset, one.row) for one in choose(cases)]
    assert sorted(found) == [
        ("gpubench_small_kernels", 0), ("gpubench_small_kernels", 1), ("simple16", 7),
    ]  # fmt: skip


def test_every_kernel_and_every_order_of_time_has_its_share():
    many = [case(n, 2.0 ** (7 * n % 10), kernel="scan" if n % 10 else "copy") for n in range(100)]
    chosen = choose(many, Amount(errors=20))
    assert Counter(one.kernel for one in chosen) == {"scan": 18, "copy": 2}
    times = Counter(one.time_ms for one in chosen if one.kernel == "scan")
    assert times == {2.0**power: 2 for power in range(1, 10)}


def test_of_a_tuned_space_more_are_ranked_than_have_errors():
    chosen = choose(rows_of("kt_hotspot", 100), Amount(errors=10, ranked=50))
    assert len(chosen) == 50
    assert sum(one.has_error for one in chosen) == 10


def test_of_other_spaces_errors_are_taken_alone():
    chosen = choose(rows_of("ktt_counters", 100), Amount(errors=10, ranked=50))
    assert len(chosen) == 10
    assert all(one.has_error for one in chosen)


def test_the_same_rows_every_time_and_others_for_other_amounts():
    cases = rows_of("kt_hotspot", 100)
    amount = Amount(errors=10, ranked=50)
    assert choose(cases, amount) == choose(cases, amount)
    assert choose(cases, amount) != choose(cases, Amount(errors=11, ranked=50))


def test_one_of_each_stretch():
    drawn = one_of_each(range(1000), 100)
    assert [number // 10 for number in drawn] == list(range(100))
    assert one_of_each(range(7), 7) == list(range(7))
    assert len({number % 10 for number in drawn}) > 5, "not always the same place of a stretch"


def test_simulated_rows_are_some_of_those_with_errors():
    cases = [
        *rows_of("kt_hotspot", 100),
        *rows_of("simple16", 5),
        *rows_of("gpubench_small_kernels", 5),
    ]
    chosen = choose(cases, Amount(errors=20, ranked=50))
    found = simulated(chosen, 10)
    assert Counter(one.dataset for one in found) == {"kt_hotspot": 10, "simple16": 5}
    assert all(one.has_error and one in chosen for one in found)
    times = [one.time_ms for one in found if one.dataset == "kt_hotspot"]
    assert times == sorted(times)
    assert times[-1] - times[0] > 60, "over the whole range of times"
