"""Stack distances against lists, against exact caches, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.stack_distance import stack_distances as slow
from warpmill.simulator.memory import stack_distance
from warpmill.simulator.memory.cache import CacheSpec, CacheState
from warpmill.simulator.memory.cache_step import HIT
from warpmill.simulator.memory.stack_distance import (
    COLD,
    MOST_LISTED,
    _distances,
    _hits,
    _listed_hits,
    first_touches,
    first_touches_of,
    lru_hits,
    still_held,
)

STREAMS = st.lists(st.integers(0, 40), max_size=200)


def stack_distances(lines, sets=1):
    found, _ = _distances(np.array(lines, np.int64), sets)
    return found


def test_distance_counts_other_lines_since_the_last_access():
    stream = [7, 3, 3, 9, 7, 3, 7]
    assert stack_distances(stream).tolist() == [COLD, COLD, 0, COLD, 2, 2, 1]


def test_lines_of_other_sets_do_not_count():
    stream = [0, 1, 3, 0, 2, 0]
    assert stack_distances(stream, sets=2).tolist() == [COLD, COLD, COLD, 0, COLD, 1]


def test_large_numbers_of_lines():
    stream = np.array([1 << 50, 5, 1 << 50, (1 << 50) + 1, 5])
    assert stack_distances(stream).tolist() == [COLD, COLD, 1, COLD, 2]


@pytest.mark.parametrize("stream", [[[1, 2]], [-1]])
def test_what_is_no_stream_is_refused(stream):
    with pytest.raises(ValueError, match="stream"):
        lru_hits(stream, 1)


@pytest.mark.parametrize(("ways", "sets", "per_line"), [(0, 1, 1), (1, 0, 1), (1, 1, 63)])
def test_caches_that_cannot_be_are_refused(ways, sets, per_line):
    with pytest.raises(ValueError, match="at least 1"):
        lru_hits([1], ways, sets, per_line)


@settings(deadline=None)
@given(STREAMS, st.integers(1, 7))
def test_equal_to_lists(stream, sets):
    assert stack_distances(stream, sets).tolist() == slow(stream, sets)


@settings(max_examples=60, deadline=None)
@given(STREAMS, st.integers(1, 5), st.integers(1, 4), st.sampled_from([1, 2, 4]))
def test_hits_are_those_of_the_exact_cache(stream, ways, sets, per_line):
    spec = CacheSpec(ways * sets * 32 * per_line, 32 * per_line, 32, ways)
    outcome = CacheState(spec).run(stream, np.zeros(len(stream), bool)).outcome
    hits = lru_hits(stream, ways, sets, per_line)
    assert hits.tolist() == (outcome == HIT).tolist()


@pytest.mark.parametrize("apart", [1, 1 << 40])
def test_first_touches_of_groups_are_those_of_each_alone(apart: int):
    """Numbers near each other have places in a table, others are looked for."""
    rng = np.random.default_rng(4)
    stream, groups = apart * rng.integers(7, 500, 2000), rng.integers(0, 8, 2000).astype(np.uint8)
    found = first_touches_of(stream, groups)
    for bit in (1, 2, 4):
        own = groups & bit != 0
        assert (found & bit != 0)[own].tolist() == first_touches(stream[own]).tolist()
        assert not (found & bit)[~own].any()


@pytest.mark.parametrize("apart", [1, 1 << 40])
def test_first_touches_are_those_without_a_distance(apart: int):
    stream = apart * np.random.default_rng(3).integers(7, 500, 2000)
    assert first_touches(stream).tolist() == (stack_distances(stream) == COLD).tolist()


@pytest.mark.parametrize("ways", [1, 3, 16, 50])
@pytest.mark.parametrize("per_line", [1, 4, 5])
def test_lists_of_lines_and_distances_tell_the_same_hits(ways, per_line):
    rng = np.random.default_rng(ways)
    stream = np.where(rng.random(5000) < 0.5, rng.integers(0, 900, 5000), np.arange(5000) // 3)
    hits = _hits(stream, ways, 7, per_line)
    assert 0 < hits.sum() < len(hits)
    assert hits.tolist() == _listed_hits(stream, ways, 7, per_line).tolist()


def test_no_lists_are_made_for_a_cache_that_is_too_large_for_them(monkeypatch):
    stream = np.random.default_rng(6).integers(0, 900, 2000)
    wanted = lru_hits(stream, 4, sets=50)
    monkeypatch.setattr(stack_distance, "_listed_hits", None)
    monkeypatch.setattr(stack_distance, "MOST_HELD", 199)
    assert lru_hits(stream, 4, sets=50).tolist() == wanted.tolist()


def test_one_pass_tells_the_misses_of_every_associativity():
    stream = np.random.default_rng(5).integers(0, 300, 6000)
    distances = stack_distances(stream, sets=4)
    for ways in (1, 2, 8, MOST_LISTED, MOST_LISTED + 1, 2 * MOST_LISTED):
        hits = (distances != COLD) & (distances < ways)
        assert hits.tolist() == lru_hits(stream, ways, sets=4).tolist()


@pytest.mark.parametrize(("ways", "per_line"), [(1, 1), (4, 5), (50, 4)])
def test_a_cache_with_a_set_for_each_line_keeps_all_that_was_there(ways, per_line):
    """2^40 sets are no reason to make room for them; of 901 lines 901 sets have one each."""
    stream = np.random.default_rng(ways).integers(10**6, 10**6 + 900 * per_line, 3000)
    wanted = ~first_touches(stream)
    assert lru_hits(stream, ways, 901, per_line).tolist() == wanted.tolist()
    assert lru_hits(stream, ways, 1 << 40, per_line).tolist() == wanted.tolist()


@pytest.mark.parametrize("others", [0, 300, 512, 700])
def test_a_line_is_still_held_as_often_as_sets_leave_it(others):
    """64 sets of 8 ways, and other lines that fall into them at random."""
    rng, held = np.random.default_rng(others), []
    for _ in range(600):
        lines = rng.integers(0, 1 << 20, others + 1)
        held.append(lru_hits(np.append(lines, lines[0]), 8, 64)[-1])
    assert np.mean(held) == pytest.approx(still_held(others, 8, 64), abs=0.05)


def test_nothing_is_held_of_what_came_long_ago():
    assert still_held(1e9, 16, 128) == 0.0


@pytest.mark.parametrize(("lines", "held"), [(1000, 1.0), (60_000, 0.0)])
def test_one_set_holds_as_many_lines_as_it_has_ways(lines, held):
    assert still_held(lines, 50_000, 1) == held
