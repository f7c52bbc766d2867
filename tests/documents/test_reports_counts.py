from warpmill.analyzer.analyses.ranges.launch_trips import (
    MOST_POINTS,
    Around,
    TripRange,
    evaluate_over,
)
from warpmill.analyzer.analyses.values.symbolic import AtomKind, apply, number, symbol

TID = symbol(AtomKind.SPECIAL, "tid.x")
CTAID = symbol(AtomKind.SPECIAL, "ctaid.x")
N = symbol(AtomKind.ARGUMENT, "n", 0)
INNER = symbol(AtomKind.COUNTER, "i(outer)", 4)


def domains(**others):
    known = {(AtomKind.ARGUMENT, "n"): (100,), (AtomKind.SPECIAL, "tid.x"): range(32)}
    return known | {(AtomKind.SPECIAL, "ctaid.x"): range(8)} | others


def test_an_argument_gives_one_number():
    assert evaluate_over(apply("ceildiv", N, number(16)), domains()) == TripRange(7, 7)


def test_ids_give_a_range_over_them():
    formula = N - TID - number(32) * CTAID
    assert evaluate_over(formula, domains()) == TripRange(-155, 100, None, ("ctaid.x", "tid.x"))


def test_a_peak_between_the_ends_is_found():
    hill = apply("min", TID, number(20) - TID)
    assert evaluate_over(hill, domains()).high == 10


def test_an_outer_counter_runs_over_its_trips():
    found = evaluate_over(N - INNER, domains(), {4: Around(number(5))})
    assert found == TripRange(96, 100, None, ("i(outer)",))


def test_an_outer_counter_goes_as_far_as_its_loop_does_at_the_same_ids():
    found = evaluate_over(INNER + TID + number(1), domains(), {4: Around(number(32) - TID)})
    assert found == TripRange(1, 32, None, ("i(outer)", "tid.x"))


def test_ids_range_over_those_at_which_loops_around_come_to_a_formula():
    found = evaluate_over(TID, domains(), {4: Around(TID - number(20))})
    assert found == TripRange(21, 31, None, ("tid.x",))
    assert evaluate_over(TID, domains(), {4: Around(N)}).low == 0
    nowhere = evaluate_over(TID, domains(), {4: Around(TID - number(40))})
    assert nowhere.reason == "no loop around it comes to it"


def test_a_counter_whose_loop_data_may_end_is_assumed_to_go_on():
    found = evaluate_over(INNER, domains(), {4: Around(N, is_sure=False)})
    assert found == TripRange(0, 99, None, ("i(outer)",), is_assumed=True)
    assert not evaluate_over(TID, domains(), {4: Around(number(3), is_sure=False)}).is_assumed


def test_a_lane_is_that_of_its_thread():
    lane = symbol(AtomKind.SPECIAL, "laneid")
    more = {(AtomKind.SPECIAL, "laneid"): range(4), (AtomKind.SPECIAL, "ntid.x"): (32,)}
    more |= {(AtomKind.SPECIAL, name): (0,) for name in ("tid.y", "tid.z")}
    more |= {(AtomKind.SPECIAL, "ntid.y"): (1,)}
    found = evaluate_over(TID - lane, domains() | more)
    assert found == TripRange(0, 28, None, ("tid.x",))
    assert evaluate_over(lane, domains() | more) == TripRange(0, 3, None, ("laneid",))


def test_an_outer_counter_without_trips_is_unknown():
    found = evaluate_over(INNER, domains(), {})
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
    assert found == TripRange(0, (1 << 30) - 1, None, ("ctaid.x", "tid.x"), True)
    assert not evaluate_over(TID, {(AtomKind.SPECIAL, "tid.x"): range(MOST_POINTS)}).sampled
