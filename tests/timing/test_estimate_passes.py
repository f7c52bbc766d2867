"""Passes over accesses and transactions, against what NumPy makes of the same in several steps."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from warpmill.simulator.estimate.service import mixed
from warpmill.simulator.estimate.transactions import distinct_lines, evenly, in_turn, spread
from warpmill.simulator.estimate.wave_traffic import (
    STORED,
    TOUCHED,
    MissCounts,
    TouchCounts,
    count_misses,
    count_touches,
    regions_of,
    rows_of_banks,
    some_sets,
)

SEEDS = range(5)


def firsts(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@pytest.mark.parametrize("resident", [1, 2, 7])
@pytest.mark.parametrize("longest", [1, 6, 3000])
@pytest.mark.parametrize("seed", SEEDS)
def test_accesses_come_in_turns_of_the_resident_warps(seed: int, longest: int, resident: int):
    """Few accesses in many turns are sorted, many are counted: both come out alike."""
    rng = np.random.default_rng(seed)
    warps_per_cta = int(rng.integers(1, 4))
    warp_events = firsts(rng.integers(0, longest + 1, 6 * warps_per_cta))
    event_access = firsts(rng.integers(0, 3, warp_events[-1]) * (rng.random() < 0.7))
    event = np.repeat(np.arange(warp_events[-1]), np.diff(event_access))
    own = np.searchsorted(warp_events, event, side="right") - 1
    counts = np.zeros((len(warp_events) - 1, max(1, np.diff(warp_events).max())), np.int64)
    np.add.at(counts, (own, event - warp_events[own]), 1)
    begins = firsts(counts.max(axis=0))
    when = begins[event - warp_events[own]] + np.arange(len(event)) - event_access[event]
    when = when + own // warps_per_cta // resident * begins[-1]
    warp, turn, step, order = in_turn(warp_events, event_access, warps_per_cta, resident)
    assert warp.tolist() == own.tolist()
    assert turn.tolist() == when.tolist()
    steps = event - warp_events[own] + own // warps_per_cta // resident * counts.shape[1]
    assert longest < 2 or step.tolist() == steps.tolist()
    assert order.tolist() == np.argsort(when, kind="stable").tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_accesses_are_spread_over_the_transactions_of_their_shapes(seed: int):
    rng = np.random.default_rng(seed)
    first = firsts(rng.integers(0, 5, 4))
    shape = rng.integers(0, 4, 30).astype(np.int32)
    base, offset = rng.integers(0, 1000, 30), rng.integers(-1000, 9, int(first[-1]))
    accesses = rng.permutation(30)[:20]
    granule, owner, place = spread(accesses, shape, first, base, offset, (1 << 52) - 1)
    wanted = [(a, k) for a in accesses for k in range(first[shape[a]], first[shape[a] + 1])]
    assert list(zip(owner.tolist(), place.tolist(), strict=True)) == wanted
    assert granule.tolist() == [(offset[k] + base[a]) % (1 << 52) for a, k in wanted]


def test_what_lies_beside_regions_lies_in_none():
    starts, ends = np.array([96, 320, 1024]), np.array([160, 330, 1056])
    sectors = np.array([0, 3, 4, 5, 9, 10, 11, 32, 33, 1 << 40])
    assert regions_of(sectors, 32, starts, ends, 1 << 40).tolist() == [4, 0, 0, 4, 4, 1, 4, 2, 4, 3]
    nothing = np.zeros(0, np.int64)
    assert regions_of(sectors, 32, nothing, nothing, 1 << 40).tolist() == [1] * 9 + [0]


@pytest.mark.parametrize(("per_line", "every"), [(1, 1), (4, 1), (4, 3), (3, 2), (4, 8)])
def test_some_sets_stand_for_all(per_line: int, every: int):
    granules = np.random.default_rng(per_line).integers(0, 1 << 30, 500)
    numbers = mixed(granules, per_line)
    stream, kept = some_sets(granules, per_line, every)
    assert kept.tolist() == np.flatnonzero(numbers // per_line % every == 0).tolist()
    line, sector = np.divmod(numbers[kept], per_line)
    assert stream.tolist() == (line // every * per_line + sector).tolist()


def test_rows_of_banks_are_counted_by_channel():
    sectors = np.array([0, 7, 8, 15, 16, 128, 1000, 7])
    address = sectors * 32
    for stretch, page, once in ((256, 1024, [1, 3]), (256, 1000, [])):
        wanted = address // (2 * page) * 2 + address // stretch % 2
        found = rows_of_banks(sectors, 32, stretch, 2, page, 100)
        assert found.tolist() == np.delete(wanted, once).tolist()
        found = rows_of_banks(sectors, 32, stretch, 2, page, 4)  # of 8, three turns
        wanted = wanted * 3 + np.arange(len(wanted)) // 4
        assert found.tolist() == np.delete(wanted, once).tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fetches", [False, True])
def test_transactions_are_counted_by_point_and_by_region(seed: int, fetches: bool):
    rng = np.random.default_rng(seed)
    points, regions, accesses, n = 4, 3, 40, 200

    def flags():
        return rng.random(n) < rng.random()

    point = rng.integers(0, points, accesses).astype(np.int32)
    storing = rng.random(accesses) < 0.4
    owner, region = np.sort(rng.integers(0, accesses, n)), rng.integers(0, regions, n)
    whole, asked, hits, first, stored = (flags() for _ in range(5))
    what = (first * TOUCHED | stored * STORED).astype(np.uint8)
    counted = count_touches(point, storing, owner, region, what, points, regions)
    found, places = TouchCounts(*counted), np.flatnonzero(asked)
    parts = np.where(whole, 255, 3).astype(np.uint8)
    none = np.zeros(len(point), np.bool_)
    beyond = MissCounts(
        *count_misses(
            point,
            storing,
            SimpleNamespace(owner=owner, granule=np.arange(n), parts=parts, whole=whole),
            places,
            hits[places],
            none,
            points,
            fetches=fetches,
        )
    )
    at, stores = point[owner], storing[owner]
    missed, filled = asked & ~hits & ~stores, asked & ~hits & stores & ~whole

    def by(place, number):
        return np.bincount(place, minlength=number).tolist()

    assert found.touched.tolist() == by(at, points)
    assert beyond.missed.tolist() == by(at[missed], points)
    assert beyond.filled.tolist() == by(at[filled], points)
    assert found.written.tolist() == by(at[stored], points)
    assert beyond.looked_at.tolist() == by(point[np.unique(owner[asked])], points)
    assert beyond.waiting.tolist() == by(point[np.unique(owner[missed])], points)
    begun = first & ~stores
    assert found.begun.tolist() == by(at[begun], points)
    assert found.beginning.tolist() == by(point[np.unique(owner[begun])], points)
    assert found.region_read.tolist() == by(region[begun], regions)
    assert found.region_first.tolist() == by(region[first], regions)
    table = np.bincount(at * regions + region, minlength=points * regions)
    assert found.region_of.tolist() == table.reshape(points, regions).argmax(axis=1).tolist()


def test_lines_of_an_access_are_counted_once_each():
    owner = np.array([0, 0, 0, 0, 2, 2, 2, 1])
    granule = np.array([8, 9, 12, 8, 0, 1_000_003 * 4, 3, 8])
    assert distinct_lines(owner, granule, 4, 4).tolist() == [2, 1, 2, 0]


def test_a_share_of_the_accesses_of_each_point_is_chosen_evenly():
    rng = np.random.default_rng(1)
    point, order = rng.integers(0, 3, 600), rng.permutation(600)
    asks, share = rng.random(600) < 0.8, np.array([0.0, 0.3, 1.0])
    found = evenly(order, point, asks, share, (1 + 5**0.5) / 2, 1e-9)
    assert not found[~asks].any()
    for at in range(3):
        own = order[(point == at)[order] & asks[order]]
        part = np.arange(1, len(own) + 1) * ((1 + 5**0.5) / 2) % 1.0
        assert found[own].tolist() == (share[at] + part + 1e-9 >= 1.0).tolist()
        assert abs(found[own].mean() - share[at]) < 0.02
