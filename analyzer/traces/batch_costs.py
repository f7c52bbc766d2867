"""Costs of many warp accesses at once: the rules of ``analyzer.memory.rules``.

One pass over arrays for accesses whose lanes lie anywhere, which executed traces have many of.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit, jit_part
from warpmill.analyzer.memory.rules import WIDEST_WORDS, MemoryRules

Numbers = npt.NDArray[np.int64]

_LINE_BYTES = 128
_WORD_BYTES = 4
_ROW_BYTES = 64 * _WORD_BYTES  # a word of each thread of the widest warp


def access_costs(
    base: Numbers,
    pattern: npt.NDArray[np.int32],
    patterns: Numbers,
    mask: npt.NDArray[np.uint64],
    width_bytes: Numbers,
    in_local: npt.NDArray[np.bool_],
    rules: MemoryRules,
) -> Numbers:
    """Sectors, 128 B lines and passes over the banks of each access, shape (accesses, 3).

    Lane ``k`` of an access is at ``base + patterns[pattern, k]`` where bit k of ``mask`` is set.
    ``in_local``: addresses are those of one thread, whose words lie interleaved with the others'.
    """
    lanes = patterns.shape[1]
    numbers = (rules.sector_bytes, rules.lanes_per_group, rules.banks, rules.bank_width_bytes)
    granules = np.array([*numbers, rules.packs_pairs], np.int64)
    most = lanes * (2 + int(width_bytes.max(initial=1)))
    out = np.zeros((len(base), 3), np.int64)
    _costs(base, pattern, patterns, mask, width_bytes, in_local, granules, np.zeros(most, np.int64),
           np.zeros(rules.banks, np.int64), out)  # fmt: skip
    return out


@jit
def _costs(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    base: Numbers,
    pattern: npt.NDArray[np.int32],
    patterns: Numbers,
    mask: npt.NDArray[np.uint64],
    width: Numbers,
    local: npt.NDArray[np.bool_],
    rules: Numbers,
    found: Numbers,
    banks: Numbers,
    out: Numbers,
) -> None:
    lanes = patterns.shape[1]
    where, owner = np.zeros(found.size, np.int64), np.zeros(found.size, np.int64)
    for k in range(base.size):
        bytes_, count = max(width[k], 1), 0
        steps = 1
        if local[k]:
            steps = (bytes_ + _WORD_BYTES - 1) // _WORD_BYTES
        for lane in range(lanes):
            if not mask[k] >> np.uint64(lane) & np.uint64(1):
                continue
            address = base[k] + patterns[pattern[k], lane]
            for step in range(steps):
                at = address + step * _WORD_BYTES
                if local[k]:
                    rest = at % _WORD_BYTES
                    at = (at - rest) // _WORD_BYTES * _ROW_BYTES + lane * _WORD_BYTES + rest
                where[count], owner[count] = at, lane
                count += 1
        if local[k]:
            bytes_ = min(bytes_, _WORD_BYTES)
        out[k, 0] = _granules(where, owner, count, bytes_, rules[0], rules[1], lanes, found)
        out[k, 1] = _granules(where, owner, count, bytes_, _LINE_BYTES, lanes, lanes, found)
        words = max(1, bytes_ // rules[3])
        group = max(1, rules[2] // words)
        if rules[4] and 1 < words <= WIDEST_WORDS and _are_pairs(where, owner, count):
            group *= 2
        out[k, 2] = _passes(where, owner, count, words, rules[3], group, lanes, found, banks)


@jit_part
def _granules(
    where: Numbers,
    owner: Numbers,
    count: int,
    width: int,
    granule: int,
    group: int,
    lanes: int,
    found: Numbers,
) -> int:
    """Count the distinct granules of each group of lanes."""
    total = 0
    for first in range(0, lanes, group):
        known = 0
        for k in range(count):
            if first <= owner[k] < first + group:
                for g in range(where[k] // granule, (where[k] + width - 1) // granule + 1):
                    known = _add(found, known, g)
        total += known
    return total


@jit_part
def _passes(  # noqa: PLR0913, PLR0917 - as above
    where: Numbers,
    owner: Numbers,
    count: int,
    words: int,
    bank_width: int,
    group: int,
    lanes: int,
    found: Numbers,
    banks: Numbers,
) -> int:
    """Count the passes over the banks: for each group the most distinct words in one bank."""
    total = 0
    for first in range(0, lanes, group):
        known = 0
        for k in range(count):
            if first <= owner[k] < first + group:
                for word in range(words):
                    known = _add(found, known, where[k] // bank_width + word)
        banks[:] = 0
        most = 0
        for k in range(known):
            banks[found[k] % banks.size] += 1
            most = max(most, banks[found[k] % banks.size])
        total += most
    return total


@jit_part
def _are_pairs(where: Numbers, owner: Numbers, count: int) -> bool:
    """Whether each lane reads what its neighbour does, or what the next but one does."""
    near = far = True
    for k in range(count):
        for other in range(k + 1, min(count, k + 3)):  # owners ascend
            if where[other] != where[k]:
                apart = owner[other] ^ owner[k]
                near, far = near and apart != 1, far and apart != 2
    return near or far


@jit_part
def _add(found: Numbers, known: int, number: int) -> int:
    """Insert a number among those found, unless it is there; returns how many there are."""
    for k in range(known):
        if found[known - 1 - k] == number:
            return known
    found[known] = number
    return known + 1
