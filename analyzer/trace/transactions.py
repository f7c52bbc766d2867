"""Transactions of folded accesses, exact over all iterations without unfolding them.

What an access costs depends on its base address only through the remainder by a line's size. Loop
strides move that remainder around a short cycle, so the executions are counted by remainder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from analyzer.memory_rules import DEFAULT_RULES, MemoryRules, bank_passes, requests, sectors
from analyzer.trace.model import (
    Access,
    AffinePattern,
    ListedPattern,
    Node,
    Repeat,
    UnknownAddresses,
    Visit,
    lanes_of,
)


@dataclass(frozen=True, slots=True)
class AccessTotals:
    """Sums over all executions of one access of one warp.

    ``sectors`` and ``requests`` count granules of memory outside the SM; ``bank_passes`` are those
    of shared memory. None where the addresses are not known.
    """

    executions: int
    lanes: int
    sectors: int | None
    requests: int | None
    bank_passes: int | None


def visits_with_counts(
    nodes: tuple[Node, ...], counts: tuple[int, ...] = ()
) -> Iterator[tuple[Visit, tuple[int, ...]]]:
    """Give each Visit of a folded trace with the counts of the Repeats around, outermost first."""
    for node in nodes:
        if isinstance(node, Repeat):
            yield from visits_with_counts(node.body, (*counts, node.count))
        else:
            yield node, counts


def access_totals(
    access: Access,
    width_bytes: int,
    counts: tuple[int, ...],
    rules: MemoryRules = DEFAULT_RULES,
    *,
    in_local: bool = False,
) -> AccessTotals:
    """Sum what an access costs over the iterations of the Repeats around it.

    ``in_local``: it is to local memory, whose addresses are those of one thread; the words of a
    warp's threads lie interleaved.
    """
    executions = 1
    for count in counts:
        executions *= count
    lanes = executions * access.mask.bit_count()
    where = access.addresses
    if isinstance(where, UnknownAddresses):
        return AccessTotals(executions, lanes, None, None, None)
    modulus = max(128, rules.line_bytes, rules.banks * rules.bank_width_bytes)
    total = [0, 0, 0]
    for remainder, times in remainders(where.base, where.loop_strides, counts, modulus).items():
        once = _once(where.pattern, access.mask, width_bytes, remainder, rules, in_local)
        total = [t + times * o for t, o in zip(total, once, strict=True)]
    return AccessTotals(executions, lanes, *total)


def remainders(
    base: int, strides: tuple[int, ...], counts: tuple[int, ...], modulus: int
) -> dict[int, int]:
    """Count executions by the remainder of the base address, over all iterations."""
    found = {base % modulus: 1}
    for stride, count in zip(strides, counts, strict=True):
        cycle = modulus // gcd(stride, modulus)
        whole, rest = divmod(count, cycle)
        moved: dict[int, int] = {}
        for step in range(min(cycle, count)):
            times = whole + (step < rest)
            for remainder, before in found.items():
                place = (remainder + step * stride) % modulus
                moved[place] = moved.get(place, 0) + before * times
        found = moved
    return found


@lru_cache(maxsize=1 << 16)
def _once(  # noqa: PLR0913, PLR0917 - the key of the cache
    pattern: AffinePattern | ListedPattern,
    mask: int,
    width_bytes: int,
    remainder: int,
    rules: MemoryRules,
    in_local: bool,
) -> tuple[int, int, int]:
    """(sectors, requests, bank passes) of one execution."""
    offsets = np.array(pattern.offsets(mask), dtype=np.int64)
    addresses = offsets + remainder
    lanes = np.array(lanes_of(mask), dtype=np.int64)
    if in_local:
        addresses, lanes = _interleaved(addresses, lanes, width_bytes)
        width_bytes = min(width_bytes, _LOCAL_WORD)
    return (
        sectors(addresses, width_bytes, rules, lanes),
        requests(addresses, width_bytes),
        bank_passes(addresses, width_bytes, rules, lanes),
    )


_LOCAL_WORD = 4
_LOCAL_ROW = 64 * _LOCAL_WORD
"""One word of each thread of the widest warp; a narrower warp touches as many granules in it."""

_Numbers = NDArray[np.int64]


def _interleaved(addresses: _Numbers, lanes: _Numbers, width: int) -> tuple[_Numbers, _Numbers]:
    """Place each word of local accesses where it lies, and give the lanes that they belong to."""
    steps = np.arange(0, max(width, 1), _LOCAL_WORD)
    words, owners = (addresses[:, None] + steps).ravel(), np.repeat(lanes, steps.size)
    rows = words // _LOCAL_WORD * _LOCAL_ROW
    return rows + owners * _LOCAL_WORD + words % _LOCAL_WORD, owners
