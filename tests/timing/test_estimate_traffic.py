"""Traffic of estimates beside an exact twin of whole waves, which looks at every sector."""

import numpy as np
import pytest

from tests.reference.cache import NaiveCache
from tests.reference.wave_twin import PlainCache
from warpmill.benchmarks.consistency import APART
from warpmill.benchmarks.consistency.waves import beside_twin, machine
from warpmill.simulator.memory.cache import CacheSpec


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kernel", "size"),
    [
        ("vecadd", 3),  # more than L2: some is written at the end
        ("gather", 2),
        ("convolution", 2),
        ("tiled product", 0),  # each sector of C is stored to by several stores
        ("tiled product", 1),
        ("histogram", 2),  # atomics
    ],
)
def test_an_estimate_moves_what_the_twin_does(kernel, size):
    row = beside_twin(kernel, size, machine(), simulates=False)
    assert row.twin.dram > 0
    assert row.apart <= APART, row


def test_the_twin_has_a_plain_cache():
    spec = CacheSpec(4096, 128, 32, 4)
    plain, naive = PlainCache(spec, hashed=False), NaiveCache(spec)
    for sector in np.random.default_rng(3).integers(0, 300, 3000).tolist():
        hit = plain.find(sector) == plain.whole
        plain.put(sector, plain.whole)
        assert hit == (naive.access(sector, is_write=False)[0] == "hit")
