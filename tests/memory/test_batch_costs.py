"""Costs of many accesses at once against the rules' plain functions, one access after another."""

import numpy as np
import pytest

from warpmill.analyzer.memory.batches import access_costs
from warpmill.analyzer.memory.rules import LOCAL, MEMORY, MemoryRules, WarpAccesses
from warpmill.analyzer.traces.model import (
    Count,
    LaneAddresses,
    ListedPattern,
    TracedAccess,
    lanes_of,
)
from warpmill.analyzer.traces.summary import totals_over_warps

RULES = [
    MemoryRules(),
    MemoryRules(sector_bytes=64, lanes_per_group=16, banks=16),
    MemoryRules(sector_bytes=128, lanes_per_group=8, bank_width_bytes=8),
]
ONCE = (Count(1),)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("lanes", [32, 64])
def test_costs_are_those_of_the_rules(rules, lanes):
    random = np.random.default_rng(lanes)
    number = 300
    widths = random.choice([1, 2, 4, 8, 16, 12, 32], number)
    local = random.random(number) < 0.3
    patterns = random.integers(0, 40, (60, lanes)) * random.choice([1, 4, 8, 16, 132], (60, 1))
    pattern = random.integers(0, 60, number).astype(np.int32)
    mask = random.integers(1, 1 << 63, number, np.uint64) >> np.uint64(64 - lanes)
    mask |= np.uint64(1)
    base = random.integers(0, 1 << 30, number)
    ways = np.where(local, LOCAL, MEMORY).astype(np.uint8)
    found = access_costs(
        WarpAccesses(base, pattern, patterns, mask, widths, ways), rules
    ).of_accesses
    for k in range(number):
        own = lanes_of(int(mask[k]))
        offsets = tuple((patterns[pattern[k], list(own)]).tolist())
        access = TracedAccess(0, int(mask[k]), LaneAddresses(0, ListedPattern(offsets), (0,)))
        at = {int(base[k]): 1}
        total = totals_over_warps(
            access, 1, at, int(widths[k]), ONCE, rules, in_local=bool(local[k])
        )
        assert found[k].tolist() == [total.sectors, total.lines, total.wavefronts]
