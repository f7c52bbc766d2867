"""Caches from chases: sizes, ways, lines and sectors of caches that are lists of lines."""

from dataclasses import dataclass, field

import pytest

from tests.reference.cache import NaiveCache
from warpmill.calibration.caches import RingChase, WalkRuler, find_levels, together
from warpmill.calibration.knees import elements, knee, rough
from warpmill.calibration.probes import Probe, ProbedMachine, Reading, Ring
from warpmill.codegen.microbench.frame import Microbench
from warpmill.simulator.memory.cache import CacheSpec


def target(**given):
    """A target like a GPU of two SMs; ``given`` replaces what it is."""
    facts = {
        "name": "made up", "chip": "sm_80", "capability": 80, "sms": 2, "max_warps": 8,
        "max_block": 256, "sm_mhz": 1000.0, "l2_bytes": 1 << 20, "memory_bytes": 1 << 30,
        "instruction_bytes": 16, "is_model": True,
    }  # fmt: skip
    return ProbedMachine(**(facts | given))


@dataclass
class CacheRunner:
    """Caches one behind the other, without time of their own: a hop takes what its level does.

    ``levels`` are (spec, cycles of a hit, whether each SM has one) from the nearest on; ``memory``
    is what is behind them. A launch takes 100 cycles more.
    """

    levels: list
    memory: float
    target: ProbedMachine = field(default_factory=target)
    launches: int = 0
    benches: tuple[Microbench, ...] = ()

    def read(self, probes):
        """Walk every probe."""
        self.launches += len(probes)
        return [Reading((self.cycles(probe),), (1e-6,)) for probe in probes]

    def queued_us(self, probe, count, *, behind):
        """Have no launches."""

    def cycles(self, probe: Probe):
        """The cycles of the chain that takes longest; chains take turns, hop by hop."""
        ring = probe.memory
        own = [self._made(private=True) for _ in range(ring.chains)]
        shared = self._made(private=False)
        length = ring.elements // ring.chains
        places = [chain * (length if ring.parted else 1) for chain in range(ring.chains)]
        taken = [100.0] * ring.chains
        for _ in range(probe.turns * probe.bench.links):
            for chain, place in enumerate(places):
                taken[chain] += self._hop(place * ring.stride_bytes, own[chain] + shared)
                places[chain] = _following(ring, place, length)
        return max(taken)

    def _made(self, *, private):
        return [(NaiveCache(spec), cycles) for spec, cycles, own in self.levels if own == private]

    def _hop(self, address, caches):
        for cache, cycles in caches:
            hit, *_ = cache.access(address // cache.spec.granule_bytes, False)
            if hit == "hit":
                return cycles
        return self.memory


def _following(ring, place, length):
    """The link that a link leads to, in plain words."""
    if not ring.parted:
        return (place + ring.chains) % ring.elements
    return place // length * length + (place + 1) % length


GEOMETRIES = [
    (8192, 64, 32, 4),
    (8192, 128, 32, 64),  # all ways, one set
    (6144, 128, 32, 8),  # 6 sets
    (4096, 32, 32, 1),  # direct
    (12288, 128, 128, 16),
    (5120, 64, 64, 5),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("size", "line", "sector", "ways"), GEOMETRIES)
def test_knees_are_those_of_a_plain_cache(size, line, sector, ways):
    runner = CacheRunner([(CacheSpec(size, line, sector, ways), 30.0, True)], 400.0)
    ruler = WalkRuler(runner, RingChase("global", line, unroll=1))
    found = knee(ruler, rough(ruler, size / 4, size * 4))
    assert found.size_bytes.value == pytest.approx(size, abs=line)
    if found.ways is None:
        assert ways == size // line  # all at once, between two footprints
    else:
        assert found.ways.value == pytest.approx(ways, rel=0.02, abs=0.1)


def test_there_is_no_knee_where_all_takes_the_same():
    runner = CacheRunner([], 400.0)
    ruler = WalkRuler(runner, RingChase("global", 128, unroll=1))
    assert rough(ruler, 1024, 4096) is None


TWO = [
    (CacheSpec(4096, 64, 32, 4), 30.0, True),
    (CacheSpec(32768, 128, 32, 8), 200.0, False),
]


def test_two_levels_are_told_apart():
    found = find_levels(CacheRunner(TWO, 500.0), "global", 512, 1 << 17)
    own, shared = found.caches
    assert (own.private, shared.private) == (True, False)
    assert own.hit.value == pytest.approx(30.0)
    assert shared.hit.value == pytest.approx(200.0)
    assert own.knee.size_bytes.value == pytest.approx(4096, abs=64)
    assert shared.knee.size_bytes.value == pytest.approx(32768, abs=128)
    assert (own.line_bytes, shared.line_bytes) == (64, 128)
    assert own.sector_bytes.value == pytest.approx(32.0)
    assert own.knee.ways.value == pytest.approx(4, abs=0.1)
    assert shared.knee.ways.value == pytest.approx(8, abs=0.2)
    assert [hop for _, hop in found.curve if hop > 450] == [500.0, 500.0]


@pytest.mark.parametrize(("line", "sector"), [(32, 32), (64, 64), (128, 32), (256, 64)])
def test_lines_and_sectors_are_found(line, sector):
    cache = CacheSpec(8192, line, sector, 4)
    (found,) = find_levels(CacheRunner([(cache, 30.0, True)], 300.0), "global", 512, 65536).caches
    assert found.line_bytes == line
    assert found.sector_bytes.value == pytest.approx(sector)


def test_without_caches_none_is_found():
    found = find_levels(CacheRunner([], 300.0), "global", 512, 1 << 16)
    assert found.caches == ()
    assert {hop for _, hop in found.curve} == {300.0}


def test_one_sm_alone_cannot_share():
    runner = CacheRunner(TWO[1:], 500.0, target(sms=1))
    (found,) = find_levels(runner, "global", 512, 1 << 17).caches
    assert found.private  # nobody could tell


def test_several_sms_go_round_what_their_own_caches_do_not_hold():
    walk = RingChase("global", 128)
    assert together(walk, 80, 1 << 17, 1 << 22).sms == 8
    assert together(walk, 4, 1 << 17, 1 << 22).sms == 4
    assert together(walk, 80, 1 << 20, 1 << 22) == walk
    assert together(walk, 80, 0.0, 1 << 22).sms == 8


def test_elements_are_whole_granules():
    walk = RingChase("global", 64, 4, unroll=2)
    assert walk.granule == 8
    assert elements(walk, 64 * 100) == 96 or elements(walk, 64 * 100) == 104
    assert elements(walk, 1) == 8


@pytest.mark.parametrize("parted", [False, True])
def test_rings_lead_round_all_their_links(parted):
    ring = Ring("global", 12, 24, 3, parted)
    words = ring.links(0x1000).tolist()
    seen = set()
    for chain in range(3):
        address = 0x1000 + chain * ring.first_bytes
        for _ in range(4):
            seen.add(address)
            address = words[(address - 0x1000) // 8]
        assert address == 0x1000 + chain * ring.first_bytes
    assert seen == {0x1000 + 24 * k for k in range(12)}
