"""Which rows are compared: headline rows, evenly drawn, the same every time."""

from collections import Counter

from tests.documents.accuracy_rows import case
from warpmill.benchmarks.accuracy.selecting import Amount, choose, one_of_each, simulated


def rows(dataset, count, **more):
    return [case(n, 1.0 + n, table=dataset, dataset=dataset, **more) for n in range(count)]


def places(chosen):
    return [(one.case.dataset, one.case.row) for one in chosen]


def test_all_of_a_small_data_set():
    chosen = choose(rows("simple16", 20), Amount(errors=20))
    assert [one.case.row for one in chosen] == list(range(20))
    assert all(one.has_error for one in chosen)


def test_only_headline_rows_and_those_apart():
    cases = [
        *rows("simple16", 2, headline=False),
        *rows("gpubench_small_kernels", 2, headline=False),
        case(7, 1.0),
    ]
    found = places(choose(cases))
    assert sorted(found) == [
        ("gpubench_small_kernels", 0), ("gpubench_small_kernels", 1), ("simple16", 7),
    ]  # fmt: skip


def test_every_kernel_and_every_order_of_time_has_its_share():
    many = [case(n, 2.0 ** (7 * n % 10), kernel="scan" if n % 10 else "copy") for n in range(100)]
    chosen = choose(many, Amount(errors=20))
    assert Counter(one.case.kernel for one in chosen) == {"scan": 18, "copy": 2}
    times = Counter(one.case.time_ms for one in chosen if one.case.kernel == "scan")
    assert times == {2.0**power: 2 for power in range(1, 10)}


def test_of_a_tuned_space_more_are_ranked_than_have_errors():
    chosen = choose(rows("kt_hotspot", 100), Amount(errors=10, ranked=50))
    assert len(chosen) == 50
    assert sum(one.has_error for one in chosen) == 10


def test_of_other_spaces_errors_are_taken_alone():
    chosen = choose(rows("ktt_counters", 100), Amount(errors=10, ranked=50))
    assert len(chosen) == 10
    assert all(one.has_error for one in chosen)


def test_the_same_rows_every_time_and_others_for_other_amounts():
    cases = rows("kt_hotspot", 100)
    amount = Amount(errors=10, ranked=50)
    assert choose(cases, amount) == choose(cases, amount)
    assert choose(cases, amount) != choose(cases, Amount(errors=11, ranked=50))


def test_one_of_each_stretch():
    drawn = one_of_each(range(1000), 100)
    assert [number // 10 for number in drawn] == list(range(100))
    assert one_of_each(range(7), 7) == list(range(7))
    assert len({number % 10 for number in drawn}) > 5, "not always the same place of a stretch"


def test_simulated_rows_are_some_of_those_with_errors():
    cases = [*rows("kt_hotspot", 100), *rows("simple16", 5), *rows("gpubench_small_kernels", 5)]
    chosen = choose(cases, Amount(errors=20, ranked=50))
    found = simulated(chosen, 10)
    assert Counter(one.case.dataset for one in found) == {"kt_hotspot": 10, "simple16": 5}
    assert all(one.has_error and one in chosen for one in found)
    times = [one.case.time_ms for one in found if one.case.dataset == "kt_hotspot"]
    assert times == sorted(times)
    assert times[-1] - times[0] > 60, "over the whole range of times"
