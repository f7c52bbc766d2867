"""Caches of the engine: the rows of ``simulator.memory.cache_step`` with what is on its way.

A cache is one of several alike that stand side by side, by their numbers: one an SM, one a slice.
``cache`` is the record of its kind. Rows are places, as ``cache_step`` has them.
"""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import NONE
from warpmill.simulator.gpu.pointers import place_of, words_in, words_of
from warpmill.simulator.gpu.records import LINE_STATE, WAITERS, line_at, line_state_at, waiters_of
from warpmill.simulator.memory.cache_step import (
    FIELDS,
    CacheScalars,
    bucket_of,
    find,
    set_of,
    touch,
    unchain,
)

STATE_WORDS, WAITERS_WORDS = words_in(LINE_STATE), words_in(WAITERS)


@part
def scalars_of(cache: Any) -> Any:
    """The numbers of a kind of cache as ``cache_step`` takes them."""
    fifo, write_back, write_allocate = False, True, True
    return CacheScalars(
        cache.sets,
        cache.sectors,
        cache.buckets,
        cache.bucket_bits,
        cache.sets_at,
        cache.buckets_at,
        fifo,
        write_back,
        write_allocate,
    )


@part
def state_of(gpu: Any, cache: Any, row: int) -> Any:
    """The record beside a row: what is on its way to its line."""
    place = cache.states_at + (row - cache.rows_at) // FIELDS * cache.state_words
    return line_state_at(gpu, place)


@part
def eighths_of(gpu: Any, cache: Any, row: int, sector: int) -> Any:
    """The place of the eighths of a sector of a line that are written."""
    state = place_of(gpu, state_of(gpu, cache, row))
    return state + STATE_WORDS + WAITERS_WORDS * cache.sectors + sector


@part
def key_of(cache: Any, line: int) -> Any:
    """The number that a line is kept under: where sets are hashed, its set is another one.

    The upper bits are folded into those that tell the set, which no two lines of one set share.
    """
    if cache.hashed == 0:
        return line
    sets = cache.sets
    upper = line // sets
    folded = (upper ^ (upper // sets) ^ (upper // (sets * sets))) % sets
    return upper * sets + (line % sets ^ folded) if sets & (sets - 1) == 0 else line


@part
def line_of(cache: Any, key: int) -> Any:
    """The line that is kept under a number: the folding undoes itself."""
    return key_of(cache, key)


@part
def look_up(gpu: Any, cache: Any, number: int, key: int) -> Any:
    """The row that holds a line, NONE where none does."""
    return find(words_of(gpu), scalars_of(cache), number, key)


@part
def use(gpu: Any, cache: Any, number: int, row: int) -> None:
    """Make a row the newest of its set."""
    touch(words_of(gpu), set_of(scalars_of(cache), number, line_at(gpu, row).tag), row)


@part
def victim_of(gpu: Any, cache: Any, number: int, key: int) -> Any:
    """The oldest row of a line's set that nothing is on its way to; NONE: there is none."""
    row = words_of(gpu)[set_of(scalars_of(cache), number, key) + 1]
    while row != NONE and state_of(gpu, cache, row).pending != 0:
        row = line_at(gpu, row).newer
    return row


@part
def bring_in(gpu: Any, cache: Any, number: int, key: int, row: int) -> None:
    """Allocate a row for a line, as yet without sectors, as the newest of its set."""
    scalars, words, line = scalars_of(cache), words_of(gpu), line_at(gpu, row)
    if line.tag != NONE:
        unchain(words, scalars, number, row)
    bucket = bucket_of(scalars, number, key)
    line.tag, line.valid, line.dirty = key, 0, 0
    line.chain, words[bucket] = words[bucket], row
    state = state_of(gpu, cache, row)
    state.pending, state.written = 0, 0
    for sector in range(cache.sectors):
        waiters = waiters_of(state, sector)
        waiters.first, waiters.count = NONE, 0
    touch(words, set_of(scalars, number, key), row)
