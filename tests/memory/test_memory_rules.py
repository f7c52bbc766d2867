"""Sectors, lines and wavefronts against counting byte by byte."""

import random

import numpy as np
import pytest

from warpmill.analyzer.memory.rules import MemoryRules, requests, sectors, shared_wavefronts


def touched(addresses, width, granule):
    return {(a + byte) // granule for a in addresses for byte in range(max(width, 1))}


def slow_sectors(addresses, width, rules):
    groups = [
        addresses[i : i + rules.lanes_per_group]
        for i in range(0, len(addresses), rules.lanes_per_group)
    ]
    return sum(len(touched(group, width, rules.sector_bytes)) for group in groups)


def slow_passes(addresses, width, rules):
    """One group after another; a pass serves one word of every bank."""
    words_each = max(1, width // rules.bank_width_bytes)
    group, passes = max(1, rules.banks // words_each), 0
    for start in range(0, len(addresses), group):
        words = {
            a // rules.bank_width_bytes + i
            for a in addresses[start : start + group]
            for i in range(words_each)
        }
        waiting = [[w for w in words if w % rules.banks == bank] for bank in range(rules.banks)]
        passes += max(map(len, waiting))
    return passes


RULES = [
    MemoryRules(),
    MemoryRules(sector_bytes=128, lanes_per_group=16, banks=16),
    MemoryRules(sector_bytes=64, banks=4, bank_width_bytes=8),
]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(15))
def test_counts_are_those_of_a_byte_by_byte_count(rules, seed):
    rng = random.Random(seed)
    width = rng.choice([1, 2, 4, 8, 16])
    lanes = rng.choice([1, 3, 16, 32])
    base, stride = rng.randint(0, 300), rng.choice([0, 1, 4, 8, 12, 32, 128, -4])
    addresses = [4096 + base + i * stride for i in range(lanes)]
    if rng.random() < 0.4:
        addresses = [rng.randint(0, 2000) for _ in range(lanes)]
    array = np.array(addresses, dtype=np.int64)
    assert sectors(array, width, rules) == slow_sectors(addresses, width, rules)
    assert requests(array, width) == len(touched(addresses, width, 128))
    assert shared_wavefronts(array, width, rules) == slow_passes(addresses, width, rules)


@pytest.mark.parametrize("seed", range(20))
def test_bulk_copies_touch_what_their_bytes_do(seed):
    rng = random.Random(seed)
    width = rng.choice([48, 128, 304, 1008])
    addresses = [rng.randint(0, 4000) for _ in range(rng.choice([1, 2, 7]))]
    array = np.array(addresses, dtype=np.int64)
    assert sectors(array, width) == slow_sectors(addresses, width, MemoryRules())
    assert requests(array, width) == len(touched(addresses, width, 128))
    assert sectors(array[:1] // 32 * 32, 1 << 40) == 1 << 35


def test_known_cases():
    lanes = np.arange(32, dtype=np.int64)
    assert sectors(lanes * 4, 4) == 4  # contiguous words
    assert sectors(lanes * 4 + 4, 4) == 5  # shifted by one word
    assert sectors(lanes * 0, 4) == 1  # broadcast
    assert sectors(lanes * 128, 4) == requests(lanes * 128, 4) == 32
    assert shared_wavefronts(lanes * 4, 4) == 1
    assert shared_wavefronts(lanes * 8, 4) == 2
    assert shared_wavefronts(lanes * 128, 4) == 32  # a column of a 32 x 32 tile
    assert shared_wavefronts(lanes * 132, 4) == 1  # the same with a padded row
    assert shared_wavefronts(lanes * 16, 16) == 4  # quarter-warps
    assert shared_wavefronts(lanes * 0, 4) == 1


def test_no_lane_costs_nothing():
    nobody = np.array([], dtype=np.int64)
    assert (sectors(nobody, 4), requests(nobody, 4), shared_wavefronts(nobody, 4)) == (0, 0, 0)


def test_wide_accesses_go_by_half_warps_of_lanes_and_not_of_those_that_are_on():
    # lanes 8 to 23 are on: eight in each half-warp, all in the banks 0 and 1
    addresses = np.arange(8, 24) * 128
    lanes = np.arange(8, 24)
    assert shared_wavefronts(addresses, 8, lanes=lanes) == 8 + 8
    # alternate halves that fill different banks share no pass
    addresses = np.array([0, 8, 0 + 1024, 8 + 1024])
    assert shared_wavefronts(addresses, 8, lanes=np.array([0, 15, 16, 31])) == 2
    assert shared_wavefronts(addresses, 8) == 2
    assert shared_wavefronts(np.array([0, 8]), 8, lanes=np.array([0, 16])) == 2
    assert shared_wavefronts(np.array([0, 8]), 8, lanes=np.array([0, 1])) == 1
