"""The stepped cache does what a cache of lists does, access by access, whatever its policies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.cache import NaiveCache
from warpmill.simulator.memory.cache import CacheSpec, CacheState
from warpmill.simulator.memory.cache_step import HIT, MISS, NONE, SECTOR_MISS, find

WORDS = {HIT: "hit", SECTOR_MISS: "sector miss", MISS: "miss"}


@st.composite
def specs(draw):
    """Any cache of up to 96 lines; the number of sets need be no power of two."""
    sectors, sector_bytes = draw(st.integers(1, 5)), draw(st.sampled_from([1, 16, 32, 48]))
    sets, ways = draw(st.integers(1, 12)), draw(st.integers(1, 8))
    line_bytes = sectors * sector_bytes
    return CacheSpec(
        size_bytes=sets * ways * line_bytes,
        line_bytes=line_bytes,
        sector_bytes=sector_bytes if sectors > 1 or draw(st.booleans()) else None,
        ways=0 if sets == 1 and draw(st.booleans()) else ways,
        replacement=draw(st.sampled_from(["lru", "fifo"])),
        write=draw(st.sampled_from(["back", "through"])),
        write_allocate=draw(st.booleans()),
    )


def trace(random, length):
    """Draw a trace: of a few places, of many, in a row, with a stride."""
    few = random.integers(0, 40, length)
    many = random.integers(0, random.choice([300, 10**6, 2**55]), length)
    row = random.integers(0, 500) + np.arange(length)
    strided = random.integers(0, 99) + random.choice([64, 4096, 2**20]) * (np.arange(length) % 37)
    sectors = np.choose(random.integers(0, 4, length), [few, many, row, strided])
    return sectors, random.random(length) < random.choice([0, 0.3, 1])


def compare(state, naive, cache, sectors, is_write):
    done = state.run(sectors, is_write, cache)
    for k, (sector, write) in enumerate(zip(sectors.tolist(), is_write.tolist(), strict=True)):
        found, victim, dirty = naive.access(sector, write)
        mask = sum(1 << part for part in dirty)
        expected = (found, NONE if victim is None else victim, mask)
        assert (WORDS[done.outcome[k]], done.victim[k], done.written_back[k]) == expected, k


@given(spec=specs(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_random_traces_agree(spec, seed):
    random = np.random.default_rng(seed)
    state, naive = CacheState(spec, 2), [NaiveCache(spec), NaiveCache(spec)]
    for cache in (0, 1, 0, 1):
        compare(state, naive[cache], cache, *trace(random, 120))
    assert state.dirty_sectors == sum(len(one.dirty()) for one in naive)
    state.empty()
    compare(state, NaiveCache(spec), 1, *trace(random, 60))


@pytest.mark.parametrize("seed", range(3))
def test_a_line_is_found_where_it_is_and_only_there(seed):
    random, spec = np.random.default_rng(seed), CacheSpec(96 * 128, 128, 32, 8)
    state, naive = CacheState(spec), NaiveCache(spec)
    for _ in range(10):
        compare(state, naive, 0, *trace(random, 100))
        held = {line["number"] for lines in naive.sets for line in lines}
        for number in [*held, *random.integers(0, 2**55, 50).tolist()]:
            row = find(state.words, state.scalars, 0, number)
            assert (row != NONE) == (number in held)
