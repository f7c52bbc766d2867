"""Sectors of many accesses at once, against the rules' plain function, access by access."""

import numpy as np
import pytest

from warpmill.analyzer.memory.batches import Windows, touched_sectors
from warpmill.analyzer.memory.rules import (
    GENERIC,
    LOCAL,
    MEMORY,
    MemoryRules,
    WarpAccesses,
    sectors,
)

WINDOWS = Windows(global_base=1 << 28, local_base=1 << 25, local_bytes=1 << 24)
RULES = [
    MemoryRules(),
    MemoryRules(sector_bytes=64, lanes_per_group=16),
    MemoryRules(sector_bytes=48, lanes_per_group=5),
    MemoryRules(sector_bytes=1, lanes_per_group=64),
]


def draw(seed, lanes):
    """Draw accesses of every kind; equal ones come again, moved by a little or by whole sectors."""
    random = np.random.default_rng(seed)
    n, rows = 300, 12
    strides = random.choice([0, 1, 4, 8, 12, 32, 128, -4, -8], rows)
    patterns = strides[:, None] * np.arange(lanes)
    anywhere = random.integers(-2000, 2000, (rows, lanes))
    patterns = np.where(random.random((rows, 1)) < 0.4, anywhere, patterns)
    masks = random.integers(1, 1 << lanes, n, dtype=np.uint64, endpoint=False)
    masks[random.random(n) < 0.5] = (1 << lanes) - 1
    space = random.choice([MEMORY, LOCAL, GENERIC], n).astype(np.uint8)
    place = random.choice([4096, 4100, 4101, 8192, 6000, 12288], n)
    inside = random.choice([1 << 28, 1 << 25], n)
    inside[space == MEMORY] = 1 << 28
    inside[space == LOCAL] = 0
    base = inside + place
    some = (space == GENERIC) & (random.random(n) < 0.3)
    base[some] = (1 << 28) + random.integers(-40, 40, some.sum())  # lanes of several spaces
    return WarpAccesses(
        base=base.astype(np.int64),
        pattern=random.integers(0, rows, n).astype(np.int32),
        patterns=patterns.astype(np.int64),
        mask=masks,
        width_bytes=random.choice([-1, 1, 2, 4, 8, 16, 12], n).astype(np.int64),
        way=space,
        local_start=random.integers(0, 9, n) * 4096 + (1 << 40),
    )


def lanes_of(accesses, k):
    """(lane, address, whether it is in local memory) of the lanes outside the SM."""
    steps = accesses.patterns[accesses.pattern[k]]
    for lane, step in enumerate(steps.tolist()):
        if not int(accesses.mask[k]) >> lane & 1:
            continue
        address, space = int(accesses.base[k]) + step, accesses.way[k]
        inside = address - WINDOWS.local_base
        if space == GENERIC and 0 <= inside < WINDOWS.local_bytes:
            yield lane, inside, True
        elif space != GENERIC or address >= WINDOWS.global_base:
            yield lane, address, space == LOCAL


def pieces(accesses, k, lanes):
    """The lanes' addresses as they lie in memory, with their bytes: of local memory one each."""
    width = max(1, int(accesses.width_bytes[k]))
    for lane, address, is_local in lanes_of(accesses, k):
        if not is_local:
            yield lane, address, width
            continue
        for at in range(address, address + width):
            place = at // 4 * 4 * lanes + lane * 4 + at % 4
            yield lane, int(accesses.local_start[k]) + place, 1


def slow(accesses, k, lanes, rules):
    """Collect the sectors of each group of lanes byte by byte, in order."""
    found = {}
    for lane, at, width in pieces(accesses, k, lanes):
        for byte in range(width):
            found[lane // rules.lanes_per_group, (at + byte) // rules.sector_bytes] = None
    return [sector for _, sector in found]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("lanes", [32, 64, 8])
@pytest.mark.parametrize("seed", range(4))
def test_sectors_are_those_of_going_byte_by_byte(rules, lanes, seed):
    accesses = draw(seed, lanes)
    touched = touched_sectors(accesses, WINDOWS, rules)
    assert touched.first[0] == 0 and touched.first[-1] == len(touched.sectors)
    for k in range(len(accesses)):
        own = touched.sectors[touched.first[k] : touched.first[k + 1]].tolist()
        assert own == slow(accesses, k, lanes, rules), k


@pytest.mark.parametrize("rules", RULES)
def test_as_many_as_the_rules_count(rules):
    accesses = draw(7, 32)
    counts = np.diff(touched_sectors(accesses, WINDOWS, rules).first)
    for k in np.flatnonzero(accesses.way == MEMORY):
        on = [lane for lane in range(32) if int(accesses.mask[k]) >> lane & 1]
        addresses = accesses.base[k] + accesses.patterns[accesses.pattern[k]][on]
        width = int(accesses.width_bytes[k])
        assert counts[k] == sectors(addresses, width, rules, np.array(on)), k


def test_accesses_beside_memory_have_none():
    one = WarpAccesses(
        base=np.array([1 << 24]),  # shared memory, by a generic address
        pattern=np.zeros(1, np.int32),
        patterns=np.arange(32)[None] * 4,
        mask=np.array([0xFFFFFFFF], np.uint64),
        width_bytes=np.array([4]),
        way=np.array([GENERIC], np.uint8),
        local_start=np.zeros(1, np.int64),
    )
    assert touched_sectors(one, WINDOWS).first.tolist() == [0, 0]
