"""GT-Pin's three divisions into intervals (§V-B, Table II), worked out by hand."""

from itertools import pairwise

import numpy as np
import pytest

from tests.sampling.test_gtpin_features import kernel, launch
from warpmill.simulator.sampling.gtpin import DIVISIONS, about, intervals
from warpmill.simulator.sampling.model import SelectionUnit


def application(*stretches):
    """Make launches of so many instructions, in lists between synchronisations."""
    k = kernel("k", 2)
    pairs = [(size, place) for place, sizes in enumerate(stretches) for size in sizes]
    executed = [(launch(k, (0, size), interval=place, number=n), size)
                for n, (size, place) in enumerate(pairs)]  # fmt: skip
    assert all(one.warp_instructions == size for one, size in executed)
    return [one for one, _ in executed]


def cut(launches, division, instructions=None):
    """The sizes of the launches of each interval."""
    sizes = [one.warp_instructions for one in launches]
    return [sizes[u.first : u.end] for u in intervals(launches, division, instructions)]


def test_the_divisions_from_large_to_small():
    launches = application([50, 60, 30], [80], [10, 10])
    assert cut(launches, "sync") == [[50, 60, 30], [80], [10, 10]]
    assert cut(launches, "instructions", 100) == [[50, 60], [30], [80], [10, 10]]
    assert cut(launches, "kernel") == [[50], [60], [30], [80], [10], [10]]
    assert intervals(launches, "sync") == (
        SelectionUnit(0, 3, 140),
        SelectionUnit(3, 4, 80),
        SelectionUnit(4, 6, 20),
    )
    assert DIVISIONS == ("sync", "instructions", "kernel")


BY_INSTRUCTIONS = {
    "exactly": ([40, 60, 100, 50, 50], [[40, 60], [100], [50, 50]]),
    "overshoots by less than is missing": ([60, 70, 5], [[60, 70], [5]]),
    "overshoots by as much as is missing": ([60, 80, 5], [[60, 80], [5]]),
    "overshoots by more than is missing": ([60, 81, 5], [[60], [81, 5]]),
    "large ones stand alone": ([10, 500, 10, 500], [[10], [500], [10], [500]]),
    "full ones end": ([130, 1, 1], [[130], [1, 1]]),
    "small ones gather": ([30] * 7, [[30] * 3, [30] * 3, [30]]),
    "what is left": ([100, 100, 1], [[100], [100], [1]]),
    "one": ([7], [[7]]),
}


@pytest.mark.parametrize("name", BY_INSTRUCTIONS)
def test_pieces_of_about_100_instructions(name):
    sizes, wanted = BY_INSTRUCTIONS[name]
    assert cut(application(sizes), "instructions", 100) == wanted


def test_no_piece_goes_over_a_synchronisation():
    launches = application([30], [30], [30, 30, 30, 30])
    assert cut(launches, "instructions", 100) == [[30], [30], [30] * 3, [30]]


def test_a_thousandth_where_nothing_is_asked():
    launches = application([3] * 2000, [1500])
    assert about(launches) == 8  # of 7,500: 7.5, to the even
    assert cut(launches, "instructions")[:2] == [[3, 3, 3], [3, 3, 3]]
    assert about(application([5])) == 1


@pytest.mark.parametrize("division", DIVISIONS)
def test_each_launch_is_in_one_interval(division):
    chance = np.random.default_rng(3)
    stretches = [chance.integers(1, 300, chance.integers(1, 9)).tolist() for _ in range(40)]
    launches = application(*stretches)
    units = intervals(launches, division, 200)
    assert units[0].first == 0
    assert units[-1].end == len(launches)
    assert all(a.end == b.first < b.end for a, b in pairwise(units))
    for unit in units:
        inside = launches[unit.first : unit.end]
        assert unit.warp_instructions == sum(one.warp_instructions for one in inside)
        assert len({one.interval for one in inside}) == 1


def test_pieces_are_as_near_as_they_can_be():
    """No launch more or less at its end brings a piece nearer to what was asked."""
    chance = np.random.default_rng(4)
    sizes = chance.integers(1, 150, 500).tolist()
    pieces = cut(application(sizes), "instructions", 200)
    for piece, after in pairwise(pieces):
        far = abs(sum(piece) - 200)
        assert far <= abs(sum(piece) + after[0] - 200)
        assert len(piece) == 1 or far <= abs(sum(piece[:-1]) - 200)


def test_what_there_is_not():
    launches = application([1])
    with pytest.raises(ValueError, match="no division warp: there are sync, instructions, kernel"):
        intervals(launches, "warp")
    with pytest.raises(ValueError, match="at least 1 instruction, not 0"):
        intervals(launches, "instructions", 0)


def test_nothing_is_divided_into_nothing():
    assert [intervals([], division) for division in DIVISIONS] == [(), (), ()]
