"""GT-Pin's selections, projections (Equation 1) and the thirty combinations, worked out by hand."""

import math
from itertools import product

import numpy as np
import pytest

from tests.sampling.test_gtpin_features import access, kernel, launch
from warpmill.simulator.sampling.gtpin import (
    DIVISIONS,
    FEATURES,
    METHOD,
    THRESHOLDS,
    RatedSelection,
    best_universal,
    error,
    explore,
    least_error,
    measured_spi,
    projected_spi,
    select,
    under_threshold,
    universals,
)
from warpmill.simulator.sampling.model import Selection, SelectionUnit, Stratum

SLOW, FAST = kernel("slow", 2), kernel("fast", 2)


def phases(rounds=12):
    """Rounds of two launches of one kernel, a synchronisation, one of another, and one more."""
    made = []
    for k in range(rounds):
        loads = [access(0, "load", 32)]
        made += [launch(SLOW, (99 + n, 2), loads, interval=2 * k) for n in (0, 1)]
        made.append(launch(FAST, (500, 0), loads, interval=2 * k + 1))
    return made


def times(launches, slow=3.0, fast=0.5):
    """Give each launch a time by its kernel's seconds an instruction."""
    rate = {"slow": slow, "fast": fast}
    return [rate[one.kernel] * one.warp_instructions for one in launches]


# ------------------------------------------------------------------------------ selections


def test_clusters_are_strata_weighted_by_instructions():
    launches = phases()
    made = select(launches, "sync", "KN")
    assert (made.method, len(made.units)) == (METHOD, 24)
    assert [sorted(s.members) for s in made.strata] == [
        list(range(0, 24, 2)),
        list(range(1, 24, 2)),
    ]
    slow, fast = 12 * (198 + 2 + 200 + 2), 12 * 1000
    assert [s.weight for s in made.strata] == pytest.approx(
        [slow / (slow + fast), fast / (slow + fast)]
    )
    assert all(len(s.chosen) == 1 and s.chosen[0] in s.members for s in made.strata)
    assert made.options == {
        "division": "sync", "feature": "KN", "max_clusters": "10", "seed": "0",
    }  # fmt: skip


def test_options_say_how_many_instructions():
    launches = phases(2)
    assert select(launches, "instructions", "BB").options["instructions"] == "3"
    made = select(launches, "instructions", "BB", instructions=400, max_clusters=3, seed=5)
    said = {"instructions": "400", "max_clusters": "3", "seed": "5"}
    assert said.items() <= made.options.items()
    assert len(made.units) == 4


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("division", "feature"), [*product(DIVISIONS, FEATURES)])
def test_every_combination_covers_the_application(division, feature):
    launches = phases(5)
    made = select(launches, division, feature)
    members = sorted(n for stratum in made.strata for n in stratum.members)
    assert members == list(range(len(made.units)))
    assert len(made.strata) <= 10
    assert made.warp_instructions == sum(one.warp_instructions for one in launches)
    assert math.fsum(s.weight for s in made.strata) == pytest.approx(1)
    for stratum in made.strata:
        inside = sum(made.units[n].warp_instructions for n in stratum.members)
        assert stratum.weight == pytest.approx(inside / made.warp_instructions)
    assert made == select(launches, division, feature)


def test_no_more_clusters_than_are_allowed():
    made = select(
        [launch(kernel(f"k{n}", 2), (9, 0)) for n in range(8)], "kernel", "KN", max_clusters=3
    )
    assert len(made.strata) <= 3


def test_the_seed_is_that_of_the_clustering():
    chance = np.random.default_rng(6)
    k = kernel("many", *[3] * 30)
    launches = [launch(k, chance.integers(1, 99, 31).tolist()) for _ in range(60)]
    made = [select(launches, "kernel", "BB", seed=seed).strata for seed in range(4)]
    assert len(set(made)) > 1


def test_one_launch_is_the_whole():
    (stratum,) = select([launch(SLOW, (1, 1))], "sync", "BB").strata
    assert stratum == Stratum((0,), (0,), 1.0)


def test_nothing_to_choose_from():
    with pytest.raises(ValueError, match="no intervals"):
        select([], "sync", "KN")


# ------------------------------------------------------------------------------ projections

BY_HAND = Selection(
    "gtpin",
    (SelectionUnit(0, 2, 100), SelectionUnit(2, 3, 300), SelectionUnit(3, 5, 600)),
    (Stratum((0, 1), (0,), 0.4), Stratum((2,), (2,), 0.6)),
)
SECONDS = [30.0, 20.0, 180.0, 200.0, 40.0]
"""The intervals take 0.5, 0.6 and 0.4 seconds an instruction, all of them 0.47."""


def test_equation_1_by_hand():
    """0.4 of 50 s over 100, and 0.6 of 240 s over 600: 0.44 of a measured 0.47."""
    assert projected_spi(BY_HAND, SECONDS) == pytest.approx(0.4 * 0.5 + 0.6 * 0.4)
    assert measured_spi(BY_HAND, SECONDS) == pytest.approx(470 / 1000)
    assert error(BY_HAND, SECONDS) == pytest.approx(100 * 0.03 / 0.47)
    assert error(BY_HAND, [2 * each for each in SECONDS]) == pytest.approx(100 * 0.03 / 0.47)


def test_the_error_is_of_either_sign():
    """The third interval takes 0.6 an instruction: 0.56 of a measured 0.59."""
    slower = [*SECONDS[:3], 300.0, 60.0]
    assert error(BY_HAND, slower) == pytest.approx(100 * 0.03 / 0.59)
    faster = [*SECONDS[:2], 30.0, *SECONDS[3:]]  # 0.44 of a measured 0.32
    assert error(BY_HAND, faster) == pytest.approx(100 * 0.12 / 0.32)


def test_a_projection_looks_at_selected_launches_alone():
    assert projected_spi(BY_HAND, {0: 30.0, 1: 20.0, 3: 200.0, 4: 40.0}) == pytest.approx(0.44)


def test_several_of_a_stratum_are_added_up():
    """The stratum's two intervals together: 230 s over 400."""
    both = Selection("gtpin", BY_HAND.units, (Stratum((0, 1), (0, 1), 0.4), BY_HAND.strata[1]))
    assert projected_spi(both, SECONDS) == pytest.approx(0.4 * 230 / 400 + 0.6 * 0.4)


def test_no_time_no_error():
    with pytest.raises(ValueError, match="no time"):
        error(BY_HAND, [0.0] * 5)


def test_clusters_of_even_speed_are_projected_exactly():
    launches = phases()
    made = select(launches, "sync", "BB")
    assert made.sample_share < 0.1
    assert error(made, times(launches)) == pytest.approx(0, abs=1e-9)
    assert error(made, times(launches, slow=1, fast=9)) == pytest.approx(0, abs=1e-9)


# ------------------------------------------------------------------------------ the thirty


def test_all_thirty_are_what_each_is_alone():
    launches = phases(2)
    measured = np.random.default_rng(2).uniform(10, 99, len(launches)).tolist()
    found = explore(launches, measured, instructions=300, seed=1)
    assert [(one.division, one.feature) for one in found] == list(product(DIVISIONS, FEATURES))
    for one in found:
        alone = select(launches, one.division, one.feature, instructions=300, seed=1)
        assert one.selection == alone
        assert one.error == error(alone, measured)
        assert one.sample_share == alone.sampled_warp_instructions / alone.warp_instructions
        assert one.speedup == pytest.approx(
            alone.warp_instructions / alone.sampled_warp_instructions
        )


def test_a_time_for_each_launch():
    with pytest.raises(ValueError, match="3 launches have 2 times"):
        explore(phases(1), [1.0, 2.0])


def tried(error, sampled, division="sync", feature="KN"):
    """Make a combination that measures so many of 1,000 instructions."""
    units = (SelectionUnit(0, 1, sampled), SelectionUnit(1, 2, 1000 - sampled))
    return RatedSelection(
        division, feature, Selection("gtpin", units, (Stratum((0, 1), (0,), 1.0),)), error
    )


def test_the_least_error_and_of_equal_ones_the_smallest():
    some = [tried(2, 10), tried(0.5, 400), tried(0.5, 300), tried(0.5, 500)]
    assert least_error(some) is some[2]


def test_the_smallest_under_a_threshold():
    some = [tried(3, 10), tried(0.9, 400), tried(1.0, 20), tried(0.2, 500), tried(0.4, 20)]
    chosen = [under_threshold(some, t) for t in (0.1, 0.3, 0.95, 1.0, 3, 10)]
    wanted = [some[3], some[3], some[4], some[4], some[0], some[0]]
    assert all(a is b for a, b in zip(chosen, wanted, strict=True))
    assert THRESHOLDS == (0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_the_best_for_all_applications():
    first = [tried(1.0, 100), tried(0.0, 100, feature="BB"), tried(2.0, 10, "kernel", "BB")]
    second = [tried(2.0, 300), tried(4.0, 500, feature="BB"), tried(1.0, 20, "kernel", "BB")]
    each = universals({"first": first, "second": second})
    assert [(one.division, one.feature) for one in each] == [
        ("sync", "KN"), ("sync", "BB"), ("kernel", "BB"),
    ]  # fmt: skip
    assert [one.error for one in each] == [1.5, 2.0, 1.5]
    best = best_universal({"first": first, "second": second})
    assert best == each[2]
    assert (best.sample_share, best.largest_share) == (0.015, 0.02)
    assert best.share_speedup == pytest.approx(1 / 0.015)


def test_applications_are_compared_in_the_same_combinations():
    with pytest.raises(ValueError, match="not tried in the same combinations"):
        universals({"a": [tried(1, 1)], "b": [tried(1, 1, feature="BB")]})
