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
    access: Access, width_bytes: int, counts: tuple[int, ...], rules: MemoryRules = DEFAULT_RULES
) -> AccessTotals:
    """Sum what an access costs over the iterations of the Repeats around it."""
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
        once = _once(where.pattern, access.mask, width_bytes, remainder, rules)
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
def _once(
    pattern: AffinePattern | ListedPattern,
    mask: int,
    width_bytes: int,
    remainder: int,
    rules: MemoryRules,
) -> tuple[int, int, int]:
    """(sectors, requests, bank passes) of one execution."""
    offsets = np.array(pattern.offsets(mask), dtype=np.int64)
    addresses = offsets + remainder
    return (
        sectors(addresses, width_bytes, rules, np.array(lanes_of(mask), dtype=np.int64)),
        requests(addresses, width_bytes),
        bank_passes(addresses, width_bytes, rules),
    )
