from analyzer.symbolic import AtomKind, apply, number, symbol
from warpmill.reports.counts import MOST_POINTS, Range, evaluate_over

TID = symbol(AtomKind.SPECIAL, "tid.x")
CTAID = symbol(AtomKind.SPECIAL, "ctaid.x")
N = symbol(AtomKind.ARGUMENT, "n", 0)
INNER = symbol(AtomKind.COUNTER, "i(outer)", 4)


def domains(**others):
    known = {(AtomKind.ARGUMENT, "n"): (100,), (AtomKind.SPECIAL, "tid.x"): range(32)}
    return known | {(AtomKind.SPECIAL, "ctaid.x"): range(8)} | others


def test_an_argument_gives_one_number():
    assert evaluate_over(apply("ceildiv", N, number(16)), domains()) == Range(7, 7)


def test_ids_give_a_range_over_them():
    formula = N - TID - number(32) * CTAID
    assert evaluate_over(formula, domains()) == Range(-155, 100, None, ("ctaid.x", "tid.x"))


def test_a_peak_between_the_ends_is_found():
    hill = apply("min", TID, number(20) - TID)
    assert evaluate_over(hill, domains()).high == 10


def test_an_outer_counter_runs_over_its_trips():
    found = evaluate_over(N - INNER, domains(), {4: Range(3, 5)})
    assert found == Range(96, 100, None, ("i(outer)",))


def test_an_outer_counter_without_trips_is_unknown():
    found = evaluate_over(INNER, domains(), {4: Range(None, None, "data")})
    assert (found.low, found.high) == (None, None)
    assert found.reason == "it depends on a loop counter: i(outer)"


def test_what_data_decide_is_unknown():
    loaded = symbol(AtomKind.LOAD, "*(p)", 3)
    found = evaluate_over(N + loaded, domains())
    assert found.low is None
    assert found.reason == "it depends on a memory load: *(p)"


def test_a_division_by_zero_has_no_number():
    found = evaluate_over(apply("floordiv", N, TID), domains())
    assert found.reason == "it cannot be computed for every thread"


def test_many_combinations_are_thinned_to_an_even_choice_with_both_ends():
    huge = {(AtomKind.SPECIAL, "ctaid.x"): range(1 << 20), (AtomKind.SPECIAL, "tid.x"): range(1024)}
    found = evaluate_over(CTAID * number(1024) + TID, domains() | huge)
    assert found == Range(0, (1 << 30) - 1, None, ("ctaid.x", "tid.x"), True)
    assert not evaluate_over(TID, {(AtomKind.SPECIAL, "tid.x"): range(MOST_POINTS)}).sampled
