"""The collector of caches against L1s, L2 and DRAM of lists, access by access, by instruction."""

import numpy as np
import pytest

from tests.reference.cache_levels import NaiveLevels, as_counts
from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.executor.host.device import Device
from warpmill.executor.observation import Observation
from warpmill.session.cache_collector import CacheCollector
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.run import run
from warpmill.simulator.memory.cache import CacheLevels, CacheSpec, LevelAccesses, TouchedSectors
from warpmill.simulator.memory.cache_step import (
    DRAM_WRITES,
    L1,
    L2,
    LOAD,
    STORE,
    WRITE_BACKS,
)

SAMPLES = {
    "spmv": {"rows": 300, "cols": 2000},
    "transpose": {"rows": 64, "columns": 96},
    "matmul": {"n": 64},
    "reduce": {"n": 5000},
    "scan": {"n": 3000},
}
SPECS = {
    "as GPUs have them": (
        CacheSpec(4096, 128, 32, 4, write="through", write_allocate=False),
        CacheSpec(24 * 1024, 128, 32, 8),
    ),
    "L1 written back": (
        CacheSpec(2048, 128, 32, 2),
        CacheSpec(3 * 4096, 128, 32, 4, replacement="fifo"),
    ),
    "L1 written back without allocation": (
        CacheSpec(1024, 64, 32, 0, write_allocate=False),
        CacheSpec(12 * 1024, 256, 32, 4, write="through"),
    ),
    "whole lines": (CacheSpec(2048, 64, ways=4), CacheSpec(8192, 128, 64, 2)),
    "no L1": (None, CacheSpec(8192, 128, 32, 4, write_allocate=False)),
    "no L2": (CacheSpec(8192, 128, 32, 4, write="through", write_allocate=False), None),
}

MIXED = """
    .local .align 8 .b8 own[64]; .shared .align 8 .b8 tile[512];
    ld.param.u64 %d0, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
    and.b32 %r3, %r1, 15; mul.wide.u32 %d1, %r3, 4; mov.u64 %d2, own; add.u64 %d3, %d2, %d1;
    mad.lo.u32 %r4, %r2, 37, %r1; and.b32 %r4, %r4, 1023; mul.wide.u32 %d4, %r4, 16;
    add.u64 %d4, %d4, %d0; and.b32 %r5, %r1, 7; mul.wide.u32 %d5, %r5, 24; add.u64 %d5, %d5, %d0;
    st.local.u32 [%d3], %r1; ld.local.v2.u32 {%r6, %r7}, [%d2+8];
    ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%d4]; ld.global.cg.u32 %r12, [%d5];
    ld.volatile.global.u32 %r13, [%d5]; ld.global.nc.u64 %d6, [%d5];
    setp.lt.u32 %p1, %r3, 9; @%p1 st.global.u16 [%d5+4], %h1;
    atom.global.add.u32 %r14, [%d5+8], %r1; red.global.max.u32 [%d4+4], %r1;
    cvta.local.u64 %d7, %d3; add.u64 %d8, %d5, 64; selp.b64 %d9, %d7, %d8, %p1;
    ld.u32 %r15, [%d9]; st.u32 [%d9], %r15;
    mov.u64 %d10, tile; cvta.shared.u64 %d10, %d10; add.u64 %d11, %d10, %d1;
    selp.b64 %d12, %d11, %d4, %p1; st.u32 [%d12], %r15; ld.shared.u32 %r16, [tile]; ret;"""
"""Every space, operators of L1, parts of warps, lanes of one access in several spaces."""


def twins(name, sms=3, **more):
    """Make a collector and its twin, which puts local memory where the collector does."""
    l1, l2 = SPECS[name]
    rules = MemoryRules(lanes_per_group=more.pop("lanes_per_group", 32))
    made = CacheCollector(l1, l2, sms, rules=rules, keep="all", **more)

    def local(sm, warp):
        return int(made._launches[-1].local_start(np.array([sm]), np.array([warp]))[0])

    group = rules.lanes_per_group
    return made, NaiveLevels(l1, l2, sms, lanes_per_group=group, local=local, **more)


def agree(made, twin):
    """Compare all counts, and that nothing that is dirty is forgotten."""
    assert as_counts(made.simulated) == +twin.counts
    caches = [cache for cache in (*twin.l1s, twin.l2) if cache is not None]
    dirty = sum(len(cache.dirty()) for cache in caches)
    assert made.simulated.waiting_bytes == dirty * made.simulated.total.sector_bytes


@pytest.mark.one_in(12)
@pytest.mark.parametrize("specs", SPECS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_samples(sample, specs):
    made, twin = twins(specs)
    options = RunOptions(collectors=[made, twin])
    run(
        f"samples/{sample}/launch.toml",
        launch=LaunchOptions(sizes=SAMPLES[sample]),
        options=options,
    )
    assert twin.counts
    agree(made, twin)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("specs", SPECS)
@pytest.mark.parametrize(
    "more", [{}, {"caches_global": False}, {"lanes_per_group": 16}, {"sms": 1}]
)
def test_every_kind_of_access(specs, more):
    made, twin = twins(specs, **more)
    device = Device()
    device.backend.instrument = Observation([made, twin])
    data = device.zeros(8192, np.uint32)
    text = kernel_text(MIXED, {"data": np.zeros(1, np.uint32)})
    kernel = device.load(text, "k.ptx")["k"]
    device.launch(kernel, 5, 80, [data])
    first = made.simulated.launches[0].total
    assert first.l2_atomics > 0 and first.warp_accesses > 0
    agree(made, twin)


def test_an_l1_that_is_emptied_hands_on_the_sectors_that_were_stored_to():
    """Of a line of four sectors two are stored to, and one is loaded."""
    levels = CacheLevels(CacheSpec(4096, 128, 32), CacheSpec(8192, 128, 32))
    sectors, kinds = np.array([8, 9, 11]), np.array([STORE, LOAD, STORE], np.int8)
    zeros = np.zeros(3, np.int64)
    counts = np.zeros((2, 16), np.int64)
    levels.run(LevelAccesses(TouchedSectors(np.arange(4), sectors), kinds, zeros, zeros), counts)
    assert levels.waiting_bytes == 2 * 32
    levels.empty_l1(counts, 1)
    assert counts[1, L1 + WRITE_BACKS] == 2
    assert levels.waiting_bytes == 2 * 32
    levels.empty_l2(counts, 1)
    assert counts[1, [L2 + WRITE_BACKS, DRAM_WRITES]].tolist() == [2, 2]
    assert levels.waiting_bytes == 0
