"""Collectors: what they are told, and that nothing else is compiled in."""

from collections import Counter

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.executor.collectors import COUNTS, Collector, ProfileCollector, wants
from warpmill.executor.compile import CompileOptions
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.observation import Observation
from warpmill.session.options import RunOptions
from warpmill.session.run import run

LOOP = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; and.b32 %r3, %r1, 1;
    mov.u32 %r4, 0;
    L: add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r2; @%p1 bra L;
    setp.ne.u32 %p2, %r3, 0; mul.wide.u32 %d1, %r1, 8; add.u64 %d1, %d1, %d0;
    @%p2 st.global.u32 [%d1], %r4; ret;"""
"""CTA c goes round a loop c + 1 times; then odd threads store, two words apart."""


class Told(Collector):
    """Keeps all that it is told."""

    def __init__(self):
        self.launches, self.blocks, self.accesses, self.profiles = [], [], [], []

    def on_launch(self, launch):
        self.launches.append(launch)

    def on_blocks(self, blocks):
        self.blocks += list(blocks)

    def on_accesses(self, accesses):
        self.accesses += list(accesses)

    def on_profile(self, profile):
        self.profiles.append(profile)


def launched(*collectors, ctas=3, threads=64, times=1, rules=None, workers=1):
    device = Device(options=CpuOptions(workers=workers))
    observation = Observation(collectors, rules or MemoryRules())
    device.backend.instrument = observation
    out = device.zeros(2 * threads, np.uint32)
    kernel = device.load(kernel_text(LOOP, {"out": np.zeros(1, np.uint32)}), "k.ptx")["k"]
    for _ in range(times):
        device.launch(kernel, ctas, threads, [out])
    return device, out


def test_blocks_come_with_their_warps_lanes_and_how_often_in_a_row():
    told = Told()
    launched(told)
    whole = 2**32 - 1
    assert [(b.cta, b.warp, b.block, b.mask, b.count) for b in told.blocks] == [
        (cta, warp, block, whole, cta + 1 if block == 1 else 1)
        for cta in range(3)
        for warp in range(2)
        for block in range(3)
    ]


def test_accesses_come_with_the_addresses_of_the_lanes_that_are_on():
    told = Told()
    _, out = launched(told)
    assert len(told.accesses) == 6
    for access in told.accesses:
        assert (access.block, access.kind, access.space, access.width_bytes) == (
            2,
            "store",
            "global",
            4,
        )
        assert access.mask == 0xAAAAAAAA
        threads = access.warp * 32 + np.arange(1, 32, 2)
        assert access.addresses == tuple((out.address + 8 * threads).tolist())


def test_arrays_of_accesses_can_be_chosen_from():
    class Lines(Collector):
        def on_launch(self, _):
            self.lines = set()

        def on_accesses(self, accesses):
            stores = accesses[(accesses.kind == "store") & (accesses.warp == 1)]
            self.lines.update((stores.addresses[stores.on] // 128).tolist())

    lines = Lines()
    _, out = launched(lines)
    assert lines.lines == {out.address // 128 + k for k in (2, 3)}


def test_a_thousand_patterns_are_told_apart():
    random = np.random.default_rng(8)
    offsets = random.integers(0, 1 << 20, (1000, 32)).astype(np.uint32)
    offsets[::7] = offsets[0]  # some come again
    body = """ld.param.u64 %d0, [offsets]; ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x;
        mul.wide.u32 %d2, %r1, 4; add.u64 %d0, %d0, %d2; mov.u32 %r2, 0;
        L: ld.global.u32 %r3, [%d0]; mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d3, %d1;
        ld.global.u32 %r4, [%d3]; add.u64 %d0, %d0, 128; add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 1000; @%p1 bra L; ret;"""
    device, told = Device(), Told()
    device.backend.instrument = Observation([told])
    data = device.zeros(1 << 20, np.uint32)
    given = {"offsets": np.zeros(1, np.uint32), "data": np.zeros(1, np.uint32)}
    kernel = device.load(kernel_text(body, given), "k.ptx")["k"]
    device.launch(kernel, 1, 32, [device.array(offsets), data])
    gathers = [a.addresses for a in told.accesses if a.instruction == 3]
    assert np.array_equal(np.array(gathers), data.address + 4 * offsets.astype(np.int64))


def test_launches_are_told_before_and_after():
    told = Told()
    launched(told, times=2)
    assert [(x.index, x.kernel.name, x.grid, x.block, x.warp_size) for x in told.launches] == [
        (k, "k", (3, 1, 1), (64, 1, 1), 32) for k in range(2)
    ]
    assert [p.thread_instructions for p in told.profiles] == [64 * (3 * 10 + 3 * 6)] * 2


def test_only_what_is_asked_for_is_compiled_in():
    class Blocks(Collector):
        def on_blocks(self, blocks):
            pass

    class Memory(Collector):
        counts = frozenset({"memory"})

    class Nothing(Collector):
        pass

    plain = CompileOptions()
    rules = MemoryRules(sector_bytes=64)
    assert Observation([Nothing()]).options(plain) == CompileOptions(record_addresses=False)
    blocks = Observation([Blocks()]).options(plain)
    assert (blocks.record_events, blocks.record_addresses) == (True, False)
    memory = Observation([Memory(), Nothing()], rules).options(plain)
    assert memory == CompileOptions(memory_rules=rules, record_addresses=False)
    both = Observation([Blocks(), Told(), Memory()]).options(plain)
    assert (both.record_events, both.record_addresses) == (True, True)
    every = Observation([ProfileCollector()]).options(plain)
    assert all((every.count_edges, every.count_lanes, every.count_paths, every.count_ctas))
    assert not every.record_events


@pytest.mark.parametrize("name", COUNTS)
def test_a_profile_has_the_counts_that_were_asked_for_and_no_others(name):
    collector = ProfileCollector([name])
    launched(collector)
    (found,) = collector.profiles
    has = {
        "edges": found.edges is not None and name == "edges",
        "lanes": found.lanes is not None,
        "paths": found.loops is not None,
        "memory": found.accesses is not None,
        "ctas": found.by_cta is not None,
    }
    assert {k for k, v in has.items() if v} == {name}
    assert found.thread_instructions == 64 * (3 * 10 + 3 * 6)


def test_unknown_counts_are_refused():
    with pytest.raises(ValueError, match="no counts `cycles`; counts are edges, lanes"):
        Observation([ProfileCollector(["cycles"])])


def test_transactions_are_counted_by_the_rules_that_are_given():
    usual, wide = ProfileCollector(["memory"]), ProfileCollector(["memory"])
    launched(usual)
    launched(wide, rules=MemoryRules(sector_bytes=128))
    (few,), (many,) = wide.profiles[0].accesses, usual.profiles[0].accesses
    assert (many.sectors, few.sectors) == (6 * 8, 6 * 2)
    assert many.lines == few.lines == 6 * 2


def test_workers_leave_one_order():
    one, several = Told(), Told()
    launched(one, ctas=40)
    launched(several, ctas=40, workers=3)
    assert one.blocks == several.blocks
    assert one.accesses == several.accesses


def test_what_is_not_defined_is_not_wanted():
    assert [wants(Told(), m) for m in ("on_blocks", "on_accesses", "on_profile")] == [True] * 3
    assert not any(wants(Collector(), m) for m in ("on_blocks", "on_accesses", "on_profile"))


def test_the_state_that_a_collector_sees_is_that_of_its_launch():
    """Taken away in between, a collector is told of the launches with it alone."""
    told = Told()
    device, out = launched(told)
    kernel = device.load(kernel_text(LOOP, {"out": np.zeros(1, np.uint32)}), "k.ptx")["k"]
    instrument, device.backend.instrument = device.backend.instrument, None
    device.launch(kernel, 3, 64, [out])
    device.backend.instrument = instrument
    device.launch(kernel, 1, 64, [out])
    assert [x.grid[0] for x in told.launches] == [3, 1]
    assert Counter(b.cta for b in told.blocks) == {0: 12, 1: 6, 2: 6}


def test_collectors_are_for_the_executor(monkeypatch):
    class Other:
        name = "other"

    with pytest.raises(UsageError, match="what the executor does"):
        run("samples/vecadd/launch.toml", options=RunOptions(device=Other(), collectors=[Told()]))
