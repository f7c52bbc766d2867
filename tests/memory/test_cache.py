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


def test_lru_keeps_what_was_used_and_fifo_does_not():
    # 0 is used again before 2 needs room: LRU lets 1 go, FIFO 0.
    trace = [0, 1, 0, 2, 0, 1]
    assert run(lines(2), trace)[0] == "mmhmhm"
    assert run(lines(2, replacement="fifo"), trace)[0] == "mmhmmm"


def test_dirty_sectors_are_written_back_and_clean_ones_are_not():
    # Of line 0 sectors 0 and 2 are written; line 1 is only read.
    spec = CacheSpec(128, 128, 32)
    _, done, state = run(spec, [0, 1, 2, 4, 8, 9], [True, False, True, False, True, True])
    assert done.written_back.tolist() == [0, 0, 0, 0b101, 0, 0]
    assert state.dirty_sectors == 2


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
