"""Caches of the engine: the rows of ``simulator.memory.cache_step`` with what is on its way.

A cache is one of several alike that stand side by side, by their numbers: one an SM, one a slice.
``cache`` is the record of its kind. Rows are places, as ``cache_step`` has them.
"""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import words_in, words_of
from warpmill.simulator.gpu.bits import lowest_bit, rest
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import NONE
from warpmill.simulator.gpu.records import LINE, WAITERS, line_at, waiters_at
from warpmill.simulator.memory.cache_step import (
    CacheScalars,
    bucket_of,
    find,
    touch,
    unchain,
)

LINE_WORDS, WAITERS_WORDS = words_in(LINE), words_in(WAITERS)


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
def waiters_of(gpu: Any, cache: Any, row: int, sector: int) -> Any:
    """The record of what waits for a sector of a row: nothing where it is not on its way."""
    first = cache.waiters_at + (row - cache.rows_at) // LINE_WORDS * cache.sectors * WAITERS_WORDS
    return waiters_at(gpu, first + sector * WAITERS_WORDS)


@part
def eighths_of(cache: Any, row: int, sector: int) -> Any:
    """The place of the eighths of a sector of a line that are written."""
    return cache.eighths_at + (row - cache.rows_at) // LINE_WORDS * cache.sectors + sector


@part
def key_of(cache: Any, line: int) -> Any:
    """The number that a line is kept under: where sets are hashed, its set is another one.

    The upper bits are folded into those that tell the set, which no two lines of one set share.
    """
    if cache.hashed == 0:
        return line
    sets = cache.sets
    if sets & (sets - 1) != 0:
        return line
    bits, own = lowest_bit(sets), sets - 1
    upper = line >> bits
    folded = (upper ^ (upper >> bits) ^ (upper >> 2 * bits)) & own
    return upper << bits | (line & own ^ folded)


@part
def line_of(cache: Any, key: int) -> Any:
    """The line that is kept under a number: the folding undoes itself."""
    return key_of(cache, key)


@part
def _set_of(cache: Any, number: int, key: int) -> Any:
    """``cache_step.set_of``: where the newest row of a line's set stands; the oldest follows."""
    return cache.sets_at + 2 * (number * cache.sets + rest(key, cache.sets))


@part
def look_up(gpu: Any, cache: Any, number: int, key: int) -> Any:
    """The row that holds a line, NONE where none does."""
    return find(words_of(gpu), scalars_of(cache), number, key)


@part
def use(gpu: Any, cache: Any, number: int, row: int) -> None:
    """Make a row the newest of its set."""
    touch(words_of(gpu), _set_of(cache, number, line_at(gpu, row).tag), row)


@part
def victim_of(gpu: Any, cache: Any, number: int, key: int) -> Any:
    """The oldest row of a line's set that nothing is on its way to; NONE: there is none."""
    row = words_of(gpu)[_set_of(cache, number, key) + 1]
    while row != NONE and line_at(gpu, row).pending != 0:
        row = line_at(gpu, row).newer
    return row


@part
def bring_in(gpu: Any, cache: Any, number: int, key: int, row: int) -> None:
    """Allocate a row for a line, as yet without sectors, as the newest of its set.

    Nothing is on its way to it, so that nothing waits.
    """
    scalars, words, line = scalars_of(cache), words_of(gpu), line_at(gpu, row)
    if line.tag != NONE:
        unchain(words, scalars, number, row)
    bucket = bucket_of(scalars, number, key)
    line.tag, line.valid, line.dirty, line.written = key, 0, 0, 0
    line.chain, words[bucket] = words[bucket], row
    words[cache.used_at + number] = 1
    touch(words, _set_of(cache, number, key), row)
