"""Caches of the engine: the rows of ``simulator.memory.cache_step`` with what is on its way.

A cache is one of several alike that stand side by side (one an SM, one a slice); ``c`` is the place
of its kind's numbers among the parameters. Beside each row stand the words X_PENDING and so on.
"""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    C_ALLOCATES,
    C_BUCKET_BITS,
    C_BUCKETS,
    C_BUCKETS_AT,
    C_EXTRA_AT,
    C_EXTRA_FIELDS,
    C_FIFO,
    C_HASHED,
    C_ROWS_AT,
    C_SECTORS,
    C_SETS,
    C_SETS_AT,
    C_WRITE_BACK,
    NONE,
    X_PENDING,
    X_WAITERS,
    X_WRITTEN,
)
from warpmill.simulator.memory.cache_step import (
    CHAIN,
    DIRTY,
    FIELDS,
    NEWER,
    TAG,
    VALID,
    CacheScalars,
    bucket_of,
    find,
    set_of,
    touch,
    unchain,
)


@part
def scalars_of(m: Any, c: int) -> Any:
    """The numbers of a kind of cache as ``cache_step`` takes them."""
    return CacheScalars(
        m[c + C_SETS],
        m[c + C_SECTORS],
        m[c + C_BUCKETS],
        m[c + C_BUCKET_BITS],
        m[c + C_SETS_AT],
        m[c + C_BUCKETS_AT],
        m[c + C_FIFO] != 0,
        m[c + C_WRITE_BACK] != 0,
        m[c + C_ALLOCATES] != 0,
    )


@part
def extra_of(m: Any, c: int, row: int) -> Any:
    """The place of the words beside a row."""
    return m[c + C_EXTRA_AT] + (row - m[c + C_ROWS_AT]) // FIELDS * m[c + C_EXTRA_FIELDS]


@part
def key_of(m: Any, c: int, line: int) -> Any:
    """The number that a line is kept under: where sets are hashed, its set is another one.

    The upper bits are folded into those that tell the set, which no two lines of one set share.
    """
    if m[c + C_HASHED] == 0:
        return line
    sets = m[c + C_SETS]
    upper = line // sets
    folded = (upper ^ (upper // sets) ^ (upper // (sets * sets))) % sets
    return upper * sets + (line % sets ^ folded) if sets & (sets - 1) == 0 else line


@part
def line_of(m: Any, c: int, key: int) -> Any:
    """The line that is kept under a number: the folding undoes itself."""
    return key_of(m, c, key)


@part
def look_up(m: Any, c: int, cache: int, key: int) -> Any:
    """The row that holds a line, NONE where none does."""
    return find(m, scalars_of(m, c), cache, key)


@part
def use(m: Any, c: int, cache: int, row: int) -> None:
    """Make a row the newest of its set."""
    scalars = scalars_of(m, c)
    if not scalars.fifo:
        touch(m, set_of(scalars, cache, m[row + TAG]), row)


@part
def victim_of(m: Any, c: int, cache: int, key: int) -> Any:
    """The oldest row of a line's set that nothing is on its way to; NONE: there is none."""
    row = m[set_of(scalars_of(m, c), cache, key) + 1]
    while row != NONE and m[extra_of(m, c, row) + X_PENDING] != 0:
        row = m[row + NEWER]
    return row


@part
def bring_in(m: Any, c: int, cache: int, key: int, row: int) -> None:
    """Allocate a row for a line, as yet without sectors, as the newest of its set."""
    scalars = scalars_of(m, c)
    if m[row + TAG] != NONE:
        unchain(m, scalars, cache, row)
    bucket = bucket_of(scalars, cache, key)
    m[row + TAG], m[row + VALID], m[row + DIRTY] = key, 0, 0
    m[row + CHAIN], m[bucket] = m[bucket], row
    extra = extra_of(m, c, row)
    m[extra + X_PENDING], m[extra + X_WRITTEN] = 0, 0
    for k in range(m[c + C_SECTORS]):
        m[extra + X_WAITERS + 2 * k], m[extra + X_WAITERS + 2 * k + 1] = NONE, 0
    touch(m, set_of(scalars, cache, key), row)
