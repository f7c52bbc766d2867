"""Units drawn, counted off, clustered and put into strata."""

import itertools
import statistics

import numpy as np
import pytest

from tests.sampling.test_gtpin import kernel, launch
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.sampling.methods import by_blocks, counted_off, drawn, stratified
from warpmill.simulator.sampling.model import SelectionUnit

UNITS = [SelectionUnit(k, k + 1, 100 + k) for k in range(50)]


@pytest.mark.parametrize("choose", [drawn, counted_off])
@pytest.mark.parametrize(("share", "count"), [(0.1, 5), (0.11, 6), (0.001, 1), (1.0, 50)])
def test_so_many_are_chosen(choose, share, count):
    found = choose(UNITS, share)
    assert len(found.chosen) == count
    (stratum,) = found.strata
    assert stratum.members == tuple(range(50))
    assert stratum.weight == 1.0
    assert choose(UNITS, share) == found


@pytest.mark.parametrize("choose", [drawn, counted_off])
@pytest.mark.parametrize("share", [0.0, -0.1, 1.5])
def test_shares_lie_between_none_and_all(choose, share):
    with pytest.raises(UsageError, match="it lies above 0, up to 1"):
        choose(UNITS, share)
    with pytest.raises(UsageError, match="no units"):
        choose([], 0.5)


def test_each_unit_is_drawn_as_often():
    counts = np.zeros(50)
    for seed in range(400):
        counts[list(drawn(UNITS, 0.1, seed).chosen)] += 1
    assert counts.min() > 15  # 40 each are expected, with a deviation of 6
    assert counts.max() < 65


def test_units_are_counted_off_at_equal_distances():
    for seed in range(20):
        chosen = counted_off(UNITS, 0.1, seed).chosen
        assert {b - a for a, b in itertools.pairwise(chosen)} == {10}
    assert {counted_off(UNITS, 0.1, seed).chosen[0] for seed in range(200)} == set(range(10))


def test_units_of_like_blocks_stand_for_each_other():
    vectors = np.array([[9.0, 1.0] if k % 2 else [1.0, 9.0] for k in range(50)])
    found = by_blocks(UNITS, vectors)
    assert [set(s.members) for s in found.strata] == [set(range(0, 50, 2)), set(range(1, 50, 2))]
    assert all(len(s.chosen) == 1 for s in found.strata)
    assert sum(s.weight for s in found.strata) == pytest.approx(1.0)


ONE, OTHER = kernel("one", 2), kernel("other", 2)


def launches(sizes, of=ONE):
    """Make launches of so many instructions."""
    return [launch(of, (size, 0), [], interval=k) for k, size in enumerate(sizes)]


def test_launches_of_about_as_many_instructions_are_a_stratum():
    """Ten and eleven thousand vary little; one of fifty thousand does not belong to them."""
    found = stratified(launches([10, 11, 50, 10, 11, 10]))
    assert [s.members for s in found.strata] == [(0, 1, 3, 4, 5), (2,)]
    assert [s.chosen for s in found.strata] == [(0, 3), (2,)]
    assert sum(s.weight for s in found.strata) == pytest.approx(1.0)


def test_strata_are_even_and_of_one_kernel():
    sizes = [int(x) for x in np.random.default_rng(3).lognormal(5, 2, 60)]
    every = launches([size + 1 for size in sizes[:40]]) + launches(
        [s + 1 for s in sizes[40:]], OTHER
    )
    found = stratified(every, spread=0.3)
    assert sorted(n for s in found.strata for n in s.members) == list(range(60))
    for stratum in found.strata:
        own = [every[n].warp_instructions for n in stratum.members]
        assert statistics.pstdev(own) <= 0.3 * statistics.mean(own)
        assert len({every[n].kernel for n in stratum.members}) == 1
        assert stratum.chosen[0] == min(stratum.members)
        assert len(stratum.chosen) == min(2, len(own))


def test_launches_that_execute_nothing_are_apart():
    found = stratified(launches([0, 0, 7]))
    assert [s.members for s in found.strata] == [(0, 1), (2,)]
    assert [s.weight for s in found.strata] == [0.0, 1.0]
