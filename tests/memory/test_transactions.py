"""Totals of folded accesses against unfolding every execution."""

import random
from math import comb

import numpy as np
import pytest

from warpmill.analyzer.memory.rules import MemoryRules, requests, sectors, shared_wavefronts
from warpmill.analyzer.traces.model import (
    AffinePattern,
    Count,
    LaneAddresses,
    ListedPattern,
    Repeat,
    TracedAccess,
    UnknownAddresses,
    Visit,
    WarpTrace,
    events,
    executions,
    visits_with_counts,
)
from warpmill.analyzer.traces.summary import totals_over_warps


def folded(access, counts, base):
    nodes = (Visit(0, access.mask, (), (access,)),)
    for count in reversed(counts):
        nodes = (Repeat(count.first, nodes, count.strides),)
    return WarpTrace((0, 0, 0), 0, nodes, (base,))


def growing_counts(rng):
    """Up to three levels; an inner count may grow or shrink with those around."""
    counts, largest = [], []
    for _ in range(rng.randint(0, 3)):
        strides = tuple(rng.choice([0, 0, 1, 2, -1]) for _ in counts)
        falls = sum(-s * n for s, n in zip(strides, largest, strict=True) if s < 0)
        first = rng.choice([0, 1, 2, 5, 9]) + falls
        counts.append(Count(first, strides if any(strides) else ()))
        rises = sum(s * n for s, n in zip(strides, largest, strict=True) if s > 0)
        largest.append(first + rises)
    return tuple(counts)


def plain(*numbers):
    return tuple(Count(n) for n in numbers)


@pytest.mark.parametrize("seed", range(60))
def test_totals_are_the_sum_over_all_iterations(seed):
    rng = random.Random(seed)
    mask = rng.randint(1, 2**32 - 1) if rng.random() < 0.5 else 2**32 - 1
    counts = plain(*(rng.choice([1, 2, 5, 9, 40]) for _ in range(rng.randint(0, 2))))
    if rng.random() < 0.6:
        counts = growing_counts(rng)
    strides = tuple(rng.choice([0, 4, 32, 36, 128, -4, 20, 4096]) for _ in counts)
    if rng.random() < 0.5:
        pattern = AffinePattern(rng.choice([0, 4, 8, -4, 12, 132]))
    else:
        rest = (rng.randint(-200, 2000) for _ in range(mask.bit_count() - 1))
        pattern = ListedPattern((0, *rest))
    width = rng.choice([1, 4, 8, 16])
    rules = rng.choice(
        [MemoryRules(), MemoryRules(sector_bytes=64, banks=16), MemoryRules(banks=64)]
    )
    base = rng.randint(5000, 9000)
    access = TracedAccess(3, mask, LaneAddresses(0, pattern, strides))
    total = totals_over_warps(access, 1, {base: 1}, width, counts, rules)
    unfolded = [np.array(e.addresses[0][1]) for e in events(folded(access, counts, base))]
    assert total.executions == len(unfolded)
    assert total.lanes == sum(a.size for a in unfolded)
    lanes = np.array([lane for lane in range(32) if mask >> lane & 1])
    assert total.sectors == sum(sectors(a, width, rules, lanes) for a in unfolded)
    assert total.lines == sum(requests(a, width) for a in unfolded)
    assert total.wavefronts == sum(shared_wavefronts(a, width, rules, lanes) for a in unfolded)


@pytest.mark.parametrize(
    ("width", "mask", "sectors_wanted", "lines_wanted"),
    [
        (4, 2**32 - 1, 4, 1),  # a word of each lane: one row of 128 B
        (16, 2**32 - 1, 16, 4),  # four words: four rows
        (1, 2**32 - 1, 4, 1),
        (4, 1 | 1 << 7 | 1 << 8 | 1 << 31, 3, 1),  # lanes 0 and 7 share a sector
    ],
)
def test_local_words_of_a_warp_lie_interleaved(width, mask, sectors_wanted, lines_wanted):
    """Every lane has the same address of its own memory, and no two share a byte."""
    access = TracedAccess(0, mask, LaneAddresses(0, AffinePattern(0), (4,)))
    total = totals_over_warps(access, 1, {40 * 16: 1}, width, plain(6), in_local=True)
    assert total.sectors == 6 * sectors_wanted
    assert total.lines == 6 * lines_wanted


def test_lanes_at_different_local_words_share_no_sector():
    access = TracedAccess(0, 2**32 - 1, LaneAddresses(0, AffinePattern(4), ()))
    assert totals_over_warps(access, 1, {0: 1}, 4, (), in_local=True).sectors == 32


def test_a_long_loop_is_not_unfolded():
    access = TracedAccess(0, 2**32 - 1, LaneAddresses(0, AffinePattern(4), (4, 128)))
    total = totals_over_warps(access, 1, {256: 1}, 4, plain(10**6, 10**9))
    by_shift = [sectors(np.arange(32) * 4 + 4 * i, 4) for i in range(32)]
    assert total.sectors == sum(by_shift) * (10**6 // 32) * 10**9
    assert total.executions == 10**15


def test_unknown_addresses_have_unknown_costs_and_known_lanes():
    access = TracedAccess(0, 7, UnknownAddresses("data"))
    total = totals_over_warps(access, 1, {}, 4, plain(3, 5))
    assert (total.executions, total.lanes) == (15, 45)
    assert (total.sectors, total.lines, total.wavefronts) == (None, None, None)


def test_visits_come_with_the_repeats_around_them():
    a, b = Visit(0, 1), Visit(1, 1)
    nodes = (a, Repeat(3, (b, Repeat(2, (a,), (1,)))))
    two = Count(2, (1,))
    assert list(visits_with_counts(nodes)) == [(a, ()), (b, (Count(3),)), (a, (Count(3), two))]


def test_lane_patterns_skip_the_lanes_that_are_off():
    access = TracedAccess(0, 0b1010, LaneAddresses(0, AffinePattern(4), (1000,)))
    trace = folded(access, plain(2), 100)
    assert [e.addresses for e in events(trace)] == [((0, (100, 108)),), ((0, (1100, 1108)),)]


def test_a_triangular_loop_unfolds_to_a_row_more_each_time():
    counts = (Count(3), Count(1, (1,)))
    access = TracedAccess(0, 1, LaneAddresses(0, AffinePattern(0), (100, 4)))
    starts = [e.addresses[0][1][0] for e in events(folded(access, counts, 0))]
    assert starts == [0, 100, 104, 200, 204, 208]


@pytest.mark.parametrize("seed", range(60))
def test_executions_are_those_of_nested_loops(seed):
    counts = growing_counts(random.Random(seed))

    def run(level, iteration):
        if level == len(counts):
            return 1
        return sum(run(level + 1, (*iteration, i)) for i in range(counts[level].at(iteration)))

    assert executions(counts) == run(0, ())


def test_large_triangles_are_counted_without_iterating():
    n = 10**9
    assert executions((Count(n), Count(0, (1,)))) == n * (n - 1) // 2
    assert executions((Count(n), Count(0, (1,)), Count(0, (0, 1)))) == comb(n, 3)
