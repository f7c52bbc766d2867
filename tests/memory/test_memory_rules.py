"""Sectors, lines and wavefronts of known accesses; test_memory_rule_copies counts byte by byte."""

import random

import numpy as np
import pytest

from tests.reference.accesses import passes
from warpmill.analyzer.memory.rules import requests, sectors, shared_wavefronts


@pytest.mark.parametrize("seed", range(20))
def test_lines_and_sectors_of_copies_are_those_of_their_bytes(seed):
    rng = random.Random(seed)
    width = rng.choice([2, 16, 48, 128, 304, 1008])
    addresses = [rng.randint(0, 4000) for _ in range(rng.choice([1, 2, 7]))]
    touched = [address + byte for address in addresses for byte in range(width)]
    array = np.array(addresses, dtype=np.int64)
    assert sectors(array, width) == len({byte // 32 for byte in touched})
    assert requests(array, width) == len({byte // 128 for byte in touched})
    assert sectors(array[:1] // 32 * 32, 1 << 40) == 1 << 35


@pytest.mark.parametrize("width", [4, 8, 16])
def test_wavefronts_are_the_most_words_that_one_bank_gives(width):
    """Of as many lanes together as fill all banks once, word by word."""
    random = np.random.default_rng(width)
    for _ in range(60):
        addresses = random.integers(0, 64, 32) * width
        touched = [range(a, a + width) for a in addresses.tolist()]
        assert shared_wavefronts(addresses, width) == passes(touched, width)


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
