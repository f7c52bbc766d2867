"""Figures of how near predicted times come, derived by hand."""

import pytest

from benchmarks.accuracy_parts import extrapolation
from benchmarks.accuracy_parts.figures import (
    best_pick_slowdown,
    figures,
    group,
    instruction_errors,
    kendall_tau,
)
from tests.unit.accuracy_rows import row

TUNED = {"table": "kt_hotspot", "dataset": "kt_hotspot", "kernel": "hotspot"}


def test_errors_of_a_kernel():
    # errors in percent: +10, -20, +30, -40
    found = group([row(0, 1, 1.1), row(1, 10, 8), row(2, 2, 2.6), row(3, 5, 3)])
    assert found["rows"] == 4
    assert found["mape"] == pytest.approx(25)
    assert found["median"] == pytest.approx(25)
    assert found["p90"] == pytest.approx(37)  # at 2.7 of 0 to 3: 30 + 0.7 * 10
    assert found["bias"] == pytest.approx(-5)


def test_rows_that_are_only_ranked_have_no_error():
    rows = [row(0, 1, 1.1, **TUNED), row(1, 2, 9, has_error=False, **TUNED)]
    found = group(rows)
    assert (found["rows"], found["ranked"]) == (1, 2)
    assert found["mape"] == pytest.approx(10)


def test_what_fails_is_counted_with_its_reason_and_has_no_error():
    long = "it took more than 60 s"
    rows = [row(0, 1, 1.5), row(1, 1, None, problem=long), row(2, 1, None, problem="file 3: no")]
    found = group(rows)
    assert (found["rows"], found["problems"], found["mape"]) == (1, 2, pytest.approx(50))
    assert found["reasons"] == {"it took more than … s": 1, "file …: no": 1}
    nothing = group(rows[1:])
    assert (nothing["rows"], nothing["mape"], nothing["kendall_tau"]) == (0, None, None)


def test_points_are_measured_and_predicted_times():
    assert group([row(0, 1.234567, 2)])["points"] == [[1.2346, 2.0, True]]


def test_rank_correlation():
    # of the six pairs of 1, 2, 3, 4 and 1, 3, 2, 4 one is in the other order: (5 - 1) / 6
    pairs = [(1, 1), (2, 3), (3, 2), (4, 4)]
    rows = [row(n, measured, predicted) for n, (measured, predicted) in enumerate(pairs)]
    assert kendall_tau(rows) == pytest.approx(4 / 6)
    assert kendall_tau(rows[:1]) is None
    assert kendall_tau([row(0, 1, 2), row(1, 2, 2)]) is None, "no order was predicted"


def test_the_pick_is_the_worst_of_those_predicted_best():
    rows = [row(0, 2.0, 5), row(1, 3.0, 5), row(2, 1.5, 6)]
    assert best_pick_slowdown(rows) == 2.0
    assert best_pick_slowdown(rows[2:]) == 1.0
    assert best_pick_slowdown([row(0, 1, None)]) is None


def test_few_rows_are_ranked_in_tuned_spaces_alone():
    rows = [row(n, n + 1, n + 1) for n in range(19)]
    assert group(rows)["kendall_tau"] is None
    assert group([*rows, row(19, 20, 20)])["kendall_tau"] == 1.0
    assert group([row(n, n + 1, n + 1, **TUNED) for n in range(3)])["kendall_tau"] == 1.0


def test_instructions_beside_a_profilers_count():
    counters = {"counters": {"warp_inst": 200.0}}
    rows = [
        row(0, 1, 1, warp_instructions=210.0, **counters),
        row(1, 1, 1, warp_instructions=180.0, **counters),
        row(2, 1, 1, **counters),
        row(3, 1, 1, warp_instructions=5.0),
        row(4, 1, None, **counters),
    ]
    assert instruction_errors(rows) == pytest.approx([5.0, 10.0])
    assert figures(rows)["overall"]["warp_inst_error_median"] == pytest.approx(7.5)


def test_overall_is_the_mean_over_kernels_and_without_what_is_apart():
    rows = [
        *(row(n, 1, 1.1) for n in range(9)),
        row(9, 1, 1.5, kernel="scan"),
        row(10, 1, 1.9, dataset="gpubench_small_kernels"),
    ]
    found = figures(rows)["overall"]
    assert found["mape"] == pytest.approx(30)
    assert (found["groups"], found["rows"], found["problems"]) == (2, 10, 0)
    assert (found["kendall_tau_min"], found["best_pick_slowdown_max"]) == (None, None)


def test_the_worst_tuned_space_counts():
    right = [row(n, n + 1, n + 1, **TUNED) for n in range(3)]
    wrong = [row(n, n + 1, 3 - n, **{**TUNED, "dataset": "kt_convolution"}) for n in range(3)]
    other = [row(n, n + 1, 9 - n, dataset="ktt_counters") for n in range(9)]
    found = figures([*right, *wrong, *other])["overall"]
    assert found["kendall_tau_min"] == pytest.approx(-1)
    assert found["best_pick_slowdown_max"] == 3.0


# ------------------------------------------------------------------------------------ continuing


def continued(number, share, instructions=1e6, predicted=1.0):
    return row(number, 1, predicted, share=share, warp_instructions=instructions)


def test_few_launches_from_the_furthest_continued_to_the_least(monkeypatch):
    monkeypatch.setattr(extrapolation, "ROWS", 5)
    rows = [continued(n, (n + 1) / 100) for n in range(10)]
    chosen = sorted(number for _, number in extrapolation.few(rows))
    assert [number // 2 for number in chosen] == [0, 1, 2, 3, 4]


def test_only_launches_that_were_continued_and_can_be_simulated_in_full():
    most = extrapolation.MOST_INSTRUCTIONS
    rows = [
        continued(0, 1.0), continued(1, 0.5, 2 * most), continued(2, 0.5, most), row(3, 1, None),
    ]  # fmt: skip
    assert extrapolation.few(rows) == {("table", 2)}


def test_rounds_beside_the_launch_in_full():
    rows = [continued(0, 0.5, predicted=1.2), continued(1, 0.25), continued(2, 0.1)]
    found = extrapolation.compared(rows, [continued(0, 1.0, predicted=1.5), row(1, 1, None)])
    assert [one["error"] for one in found] == [pytest.approx(-20), None]
    assert [one["problem"] for one in found] == ["", "failed"]
    assert (found[0]["ms"], found[0]["full_ms"], found[0]["share"]) == (1.2, 1.5, 0.5)
