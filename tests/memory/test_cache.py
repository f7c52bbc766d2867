"""Caches against cases that are worked out by hand."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.memory.cache import CacheSpec, CacheState
from warpmill.simulator.memory.cache_step import HIT, MISS, SECTOR_MISS, hands_on

READS = np.False_


def run(spec, sectors, writes=READS):
    """Run sectors through a new cache; give what it found, as letters, and the state."""
    state = CacheState(spec)
    done = state.run(sectors, np.broadcast_to(writes, len(sectors)))
    letters = {HIT: "h", SECTOR_MISS: "s", MISS: "m"}
    return "".join(letters[o] for o in done.outcome.tolist()), done, state


def lines(count, ways=0, **more):
    """A cache of so many lines of 64 B without sectors."""
    return CacheSpec(64 * count, 64, None, ways, **more)


def test_lines_of_one_set_push_each_other_out():
    # 4 sets of 1 line: 0, 4 and 8 share set 0, 1 has a set to itself.
    found, done, _ = run(lines(4, 1), [0, 4, 0, 8, 1, 8, 1])
    assert found == "mmmmmhh"
    assert done.victim.tolist() == [-1, 0, 4, 0, -1, -1, -1]


def test_full_associativity_has_no_conflicts():
    assert run(lines(4), [0, 4, 0, 8, 1, 8, 1, 4])[0] == "mmhmmhhh"


def test_sets_need_be_no_power_of_two():
    # 3 sets of 1 line: 0, 3 and 6 share one.
    assert run(lines(3, 1), [0, 1, 2, 3, 1, 2, 0])[0] == "mmmmhhm"


def test_lru_keeps_what_was_used_and_fifo_does_not():
    # 0 is used again before 2 needs room: LRU lets 1 go, FIFO 0.
    trace = [0, 1, 0, 2, 0, 1]
    assert run(lines(2), trace)[0] == "mmhmhm"
    assert run(lines(2, replacement="fifo"), trace)[0] == "mmhmmm"


def test_a_loop_that_is_one_line_too_long_never_hits():
    assert run(lines(4), [0, 1, 2, 3, 4] * 3)[0] == "m" * 15
    assert run(lines(5), [0, 1, 2, 3, 4] * 3)[0] == "m" * 5 + "h" * 10


def test_streaming_misses_each_sector_once():
    found, done, _ = run(CacheSpec(1024, 128, 32, 4), np.arange(4 * 100))
    assert found == "msss" * 100
    assert (done.victim >= 0).sum() == 100 - 8


def test_sectors_are_fetched_one_by_one_and_go_together():
    # 1 line of 4 sectors: sector 4 is of the next line, after which nothing of the first is there.
    found, done, _ = run(CacheSpec(128, 128, 32), [1, 3, 1, 3, 0, 4, 1, 3])
    assert found == "mshhsmms"
    assert done.victim.tolist() == [-1, -1, -1, -1, -1, 0, 1, -1]


def test_dirty_sectors_are_written_back_and_clean_ones_are_not():
    # Of line 0 sectors 0 and 2 are written; line 1 is only read.
    spec = CacheSpec(128, 128, 32)
    _, done, state = run(spec, [0, 1, 2, 4, 8, 9], [True, False, True, False, True, True])
    assert done.written_back.tolist() == [0, 0, 0, 0b101, 0, 0]
    assert state.dirty_sectors == 2


def test_written_through_nothing_is_dirty():
    _, done, state = run(lines(1, write="through"), [0, 1, 2], np.True_)
    assert done.written_back.tolist() == [0, 0, 0]
    assert state.dirty_sectors == 0


def test_stores_that_miss_bring_nothing_in_without_allocation():
    spec = CacheSpec(256, 128, 32, write="through", write_allocate=False)
    # A store misses, a load brings sector 0, a store hits it and misses its neighbour.
    found, _, _ = run(spec, [0, 0, 0, 1, 1], [True, False, True, True, False])
    assert found == "mmhss"


def test_a_store_that_misses_does_not_make_a_line_newer_without_allocation():
    # A store to sector 1 of line 0 leaves line 0 the oldest: it goes, and line 1 stays.
    spec = CacheSpec(256, 128, 32, write_allocate=False)
    found, done, _ = run(spec, [0, 4, 1, 8, 4], [False, False, True, False, False])
    assert found == "mmsmh"
    assert done.victim[3] == 0


@pytest.mark.parametrize(
    ("write", "allocate", "on_hit", "on_miss"),
    [
        ("back", True, False, False),
        ("back", False, False, True),
        ("through", True, True, True),
        ("through", False, True, True),
    ],
)
def test_which_stores_the_next_level_sees(write, allocate, on_hit, on_miss):
    scalars = CacheState(lines(2, write=write, write_allocate=allocate)).scalars
    assert hands_on(scalars, HIT) == on_hit
    assert hands_on(scalars, MISS) == hands_on(scalars, SECTOR_MISS) == on_miss


def test_caches_side_by_side_do_not_see_each_other():
    state = CacheState(lines(2), 3)
    for cache in range(3):
        assert state.run([7], [False], cache).outcome.tolist() == [MISS]
    assert state.run([7], [False], 1).outcome.tolist() == [HIT]


def test_what_is_warm_stays_warm_until_it_is_emptied():
    state = CacheState(lines(2))
    assert state.run([1, 1], [True, True]).outcome.tolist() == [MISS, HIT]
    assert state.run([1], [False]).outcome.tolist() == [HIT]
    state.empty()
    assert state.dirty_sectors == 0
    assert state.run([1], [False]).outcome.tolist() == [MISS]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"size_bytes": 0}, "positive"),
        ({"size_bytes": 1024, "ways": -1}, "positive"),
        ({"size_bytes": 1024, "line_bytes": 128, "sector_bytes": 48}, "no number of sectors"),
        ({"size_bytes": 8192, "line_bytes": 128, "sector_bytes": 1}, "128 sectors, over 62"),
        ({"size_bytes": 1000}, "1000 B are no number of lines of 128 B"),
        ({"size_bytes": 1024, "ways": 3}, "no number of sets of 3 lines of 128 B"),
        ({"size_bytes": 1024, "replacement": "plru"}, "lru or fifo, not plru"),
        ({"size_bytes": 1024, "write": "around"}, "back or through, not around"),
    ],
)
def test_what_does_not_go_together_is_said(values, words):
    with pytest.raises(UsageError, match=words):
        CacheSpec(**values)


def test_caches_that_do_not_fit_this_computer_are_refused():
    with pytest.raises(UsageError, match="lines in all"):
        CacheState(lines(1 << 20), 100)
    with pytest.raises(UsageError, match="at least one cache"):
        CacheState(lines(2), 0)


@pytest.mark.parametrize(
    ("sectors", "writes", "cache", "words"),
    [
        ([-1], [False], 0, "0 or more"),
        ([1, 2], [False], 0, "one length"),
        ([[1]], [[False]], 0, "one length"),
        ([1], [False], 1, "none is 1"),
    ],
)
def test_traces_that_are_none_are_refused(sectors, writes, cache, words):
    with pytest.raises(ValueError, match=words):
        CacheState(lines(2)).run(sectors, writes, cache)
