"""What kernels do to caches, against counts derived by hand."""

import json

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.operation import decode, goes_past_l1
from warpmill.analyzer.ir.types import Space
from warpmill.executor.host.device import Device
from warpmill.executor.observation import Observation
from warpmill.session.cache_collector import CacheCollector
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.simulator.machines import load_machine, machine_names, parse_overrides
from warpmill.simulator.memory.cache import CacheSpec, l1_spec, l2_spec

KIB = 1024
L1 = CacheSpec(32 * KIB, 128, 32, 4, write="through", write_allocate=False)
L2 = CacheSpec(1024 * KIB, 128, 32, 16)
N = 8192  # numbers of 4 B, of which a sector has 8 and a line 32


def sample(name, sizes, collector):
    """Run a sample; give its profiles and what the collector says."""
    jobs = prepare_all(f"samples/{name}/launch.toml", options=LaunchOptions(sizes=sizes))
    done = profile(jobs, options=RunOptions(collectors=[collector]))
    return [one.profile for one in done.launches], collector.simulated


def vecadd(collector, numbers=N, times=1):
    """Launch vecadd some times on the same arrays, which begin at lines; CTAs have 8 warps."""
    device = Device()
    device.backend.instrument = Observation([collector])
    kernel = device.load("samples/vecadd/vecadd.sm_80.ptx")["vecadd"]
    arrays = [device.zeros(numbers, np.float32) for _ in range(3)]
    for _ in range(times):
        device.launch(kernel, numbers // 256, 256, [*arrays, numbers])
    return collector.simulated


def simulate(body, collector, ctas=(1,), threads=32, numbers=N):
    """Launch a kernel of one buffer with so many CTAs each time; give what the collector says."""
    device = Device()
    device.backend.instrument = Observation([collector])
    data = np.zeros(numbers, np.float32)
    given = device.array(data)
    kernel = device.load(kernel_text(body, {"data": data}), "k.ptx")["k"]
    for count in ctas:
        device.launch(kernel, count, threads, [given])
    return collector.simulated


def found(level):
    return level.hits, level.sector_misses, level.misses


def by_kind(launch):
    return {kind: [i.counts for i in launch.instructions if i.kind == kind] for kind in KINDS}


KINDS = ("load", "store", "atomic")


# vecadd: c[i] = a[i] + b[i]. A warp touches a line of each: 4 sectors, each of them once in all.


def test_vecadd_misses_every_sector_once():
    result = vecadd(CacheCollector(L1, L2, sms=4))
    launch = result.launches[0]
    kinds = by_kind(launch)
    assert len(kinds["load"]) == 2 and len(kinds["store"]) == 1
    for load in kinds["load"]:
        assert load.warp_accesses == N / 32
        # The first sector of a line misses it, the other three find it without themselves.
        assert found(load.l1) == found(load.l2) == (0, 3 * N / 32, N / 32)
        assert load.l2_reads == load.dram_reads == N / 8
    (store,) = kinds["store"]
    assert found(store.l1) == (0, 0, N / 8)  # not allocated: even the line is never there
    assert found(store.l2) == (0, 3 * N / 32, N / 32)
    assert (store.l2_writes, store.dram_reads, store.dram_writes) == (N / 8, 0, 0)
    assert launch.total.dram_bytes == 2 * 4 * N and result.waiting_bytes == 4 * N
    assert launch.total.l1.hit_rate == 0


def test_what_does_not_fit_into_l2_is_written_back():
    result = vecadd(CacheCollector(L1, CacheSpec(16 * KIB, 128, 32, 8)))
    total = result.launches[0].total
    # 3 N / 32 lines go through 128; all that went are in DRAM, and what waits is what stayed.
    assert total.l2.evictions == 3 * N / 32 - 128
    assert total.dram_writes == total.l2.write_backs
    assert total.dram_writes + result.waiting_bytes / 32 == N / 8


# Twice the same: the first launch leaves 16 KiB of a and b in the L1 of each of 4 SMs.


@pytest.mark.parametrize(
    ("keep", "l1_hits", "l2_hits"),
    [("nothing", 0, 0), ("l2", 0, 3 * N / 8), ("all", 2 * N / 8, N / 8)],
)
def test_what_the_second_launch_finds(keep, l1_hits, l2_hits):
    # Fully associative: every fourth CTA's lines would share a quarter of the sets.
    l1 = CacheSpec(32 * KIB, 128, 32, write="through", write_allocate=False)
    result = vecadd(CacheCollector(l1, L2, sms=4, keep=keep), times=2)
    first, second = result.launches
    assert first.total.l1.hits == first.total.l2.hits == 0
    assert (second.total.l1.hits, second.total.l2.hits) == (l1_hits, l2_hits)
    assert second.index == 1 and result.total.l1.accesses == 2 * 3 * N / 8
    # Emptying L2 writes back what the first launch stored: to its account, but to no instruction.
    assert first.total.dram_writes == (N / 8 if keep == "nothing" else 0)
    assert sum(i.counts.dram_writes for i in first.instructions) == 0


def test_a_dirty_l1_is_written_to_l2_when_it_is_emptied():
    written_back = CacheSpec(32 * KIB, 128, 32, 4)
    result = vecadd(CacheCollector(written_back, L2), 1024, times=2)
    first, second = result.launches
    assert (first.total.l2_reads, first.total.l2_writes) == (256, 128)
    assert first.total.l1.write_backs == 128 and first.total.l1.evictions == 0
    assert second.total.l2.hits == 256 and second.total.l2_writes == 0
    assert first.total.warp_accesses == second.total.warp_accesses == 3 * 32
    assert result.waiting_bytes == 2 * 128 * 32  # of the first launch in L2, of the second in L1


# Naive transpose of 64 x 64: CTA r reads row r, 2 warps of 4 sectors, and writes column r, which
# is 32 sectors a warp, each of which 8 CTAs in a row write a number of.

TRANSPOSE = """ld.param.u64 %d0, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r3, %r2, 64, %r1; mul.wide.u32 %d1, %r3, 4; add.u64 %d1, %d1, %d0;
    ld.global.u32 %r4, [%d1];
    mad.lo.u32 %r5, %r1, 64, %r2; mul.wide.u32 %d2, %r5, 4; add.u64 %d2, %d2, %d0;
    st.global.u32 [%d2+16384], %r4; ret;"""


def test_naive_transpose_stores_hit_in_an_l2_that_holds_the_columns():
    result = simulate(TRANSPOSE, CacheCollector(L1, L2), ctas=(64,), threads=64)
    kinds = by_kind(result.launches[0])
    assert found(kinds["load"][0].l1) == (0, 3 * 128, 128)
    assert kinds["store"][0].l2_writes == 64 * 64
    # 512 sectors of out; a row of it is two lines, the first sector of which misses the line.
    assert found(kinds["store"][0].l2) == (64 * 64 - 512, 3 * 128, 128)
    assert result.waiting_bytes == 512 * 32 and result.total.dram_writes == 0


def test_naive_transpose_stores_miss_in_an_l2_that_holds_half_a_warp():
    # 16 lines, where a warp writes 32 before it comes back to the first.
    small = CacheSpec(16 * 128, 128, 32)
    result = simulate(TRANSPOSE, CacheCollector(L1, small), ctas=(64,), threads=64)
    store = by_kind(result.launches[0])["store"][0]
    assert found(store.l2) == (0, 0, 64 * 64)
    # Each line that goes has one dirty sector, or is one of the loads'.
    assert result.total.dram_writes + result.waiting_bytes / 32 == 64 * 64


# Tiled matmul of 64 x 64: 4 x 4 CTAs take 4 steps; a step loads two tiles of 16 rows of 2 sectors.


@pytest.mark.parametrize(("sms", "l1_hits"), [(1, 4096 - 1024), (16, 0)])
def test_matmul_reads_its_matrices_once_where_an_sm_sees_all_ctas(sms, l1_hits):
    _, result = sample("matmul", {"n": 64}, CacheCollector(L1, L2, sms))
    loads = by_kind(result.launches[0])["load"]
    total = result.launches[0].total
    assert sum(c.l1.accesses for c in loads) == 16 * 4 * 2 * 32
    assert result.l1_load_hit_rate == l1_hits / 4096
    # 2 x 16 KiB fit into one L1: only the 2 x 512 sectors' first touches miss. CTAs of their own
    # SMs share nothing, and touch nothing twice.
    assert sum(c.l1.hits for c in loads) == l1_hits
    assert total.l2_reads == 4096 - l1_hits
    assert total.dram_reads == 2 * 512
    assert total.l2_writes == 512


# A small working set: each of 8 CTAs goes 10 times over the same 4 KiB.

AGAIN = """ld.param.u64 %d0, [data]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
    add.u64 %d1, %d1, %d0; mov.u32 %r2, 0;
    L: ld.global.u32 %r3, [%d1]; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 10; @%p1 bra L; ret;"""


@pytest.mark.parametrize("sms", [1, 2, 8])
def test_a_working_set_that_fits_misses_once_an_sm(sms):
    total = simulate(AGAIN, CacheCollector(L1, L2, sms), ctas=(8,), threads=1024).total
    assert total.l1.accesses == 8 * 10 * 128
    assert found(total.l1) == (total.l1.accesses - sms * 128, sms * 96, sms * 32)
    assert total.l2_reads == sms * 128 and total.dram_reads == 128


def test_one_that_is_a_line_too_long_for_lru_never_hits():
    # One warp goes round 5 lines, of which L1 holds 4.
    body = """ld.param.u64 %d0, [data]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
        add.u64 %d1, %d1, %d0; mov.u32 %r2, 0;
        L: rem.u32 %r4, %r2, 5; mul.wide.u32 %d2, %r4, 128; add.u64 %d3, %d1, %d2;
        ld.global.u32 %r3, [%d3]; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 50; @%p1 bra L; ret;"""
    four = CacheSpec(4 * 128, 128, 32, write="through", write_allocate=False)
    assert found(simulate(body, CacheCollector(four, L2)).total.l1) == (0, 150, 50)
    five = CacheSpec(5 * 128, 128, 32, write="through", write_allocate=False)
    assert found(simulate(body, CacheCollector(five, L2)).total.l1) == (180, 15, 5)


def test_atomics_and_loads_past_l1_go_to_l2():
    body = """ld.param.u64 %d0, [data]; mov.u32 %r1, %laneid; mul.wide.u32 %d1, %r1, 4;
        add.u64 %d1, %d1, %d0; ld.global.cg.u32 %r2, [%d1]; ld.global.cg.u32 %r2, [%d1];
        atom.global.add.u32 %r3, [%d1+128], %r2; red.global.add.u32 [%d1], %r2; ret;"""
    total = simulate(body, CacheCollector(L1, L2)).total
    assert total.l1.accesses == 0 and total.l1.hit_rate is None
    assert (total.l2_reads, total.l2_atomics, total.l2_writes) == (8, 8, 0)
    assert found(total.l2) == (8, 6, 2)
    assert total.dram_reads == 8  # 4 of the first load, 4 of the first atomic


def test_local_memory_lies_interleaved_and_ctas_of_an_sm_use_it_again():
    body = """.local .align 4 .b8 own[8]; mov.u32 %r1, %tid.x; st.local.u32 [own], %r1;
        st.local.u32 [own+4], %r1; ld.local.u32 %r2, [own]; ret;"""
    # A word of 32 threads is a line. A CTA stores two of them, which only L2 takes, and loads one
    # of them into L1. The next CTA on the SM stores over both, and finds in L1 what it loads.
    one = simulate(body, CacheCollector(L1, L2), ctas=(2,)).total
    assert (one.l2_writes, one.l2_reads) == (2 * 8, 4)
    assert found(one.l1) == (4 + 4, 3, 4 + 4 + 1 + 4)
    assert found(one.l2) == (4 + 8, 6, 2)
    two = simulate(body, CacheCollector(L1, L2, sms=2), ctas=(2,)).total
    assert (two.l2_writes, two.l2_reads) == (2 * 8, 2 * 4)
    assert found(two.l2) == (2 * 4, 2 * 6, 2 * 2)


def test_shared_memory_goes_nowhere():
    body = """.shared .align 4 .b8 tile[128]; mov.u32 %r1, %tid.x; st.shared.u32 [tile], %r1;
        mov.u64 %d1, tile; cvta.shared.u64 %d1, %d1; ld.u32 %r2, [%d1]; ret;"""
    result = simulate(body, CacheCollector(L1, L2))
    assert result.launches[0].instructions == ()
    assert result.total.warp_accesses == result.total.l2_bytes == 0


@pytest.mark.parametrize("name", ["spmv", "transpose", "reduce", "scan"])
def test_sectors_are_the_transactions_that_profiles_count(name):
    sizes = {"spmv": {"rows": 4096}, "transpose": {"rows": 128}, "reduce": {"n": 1 << 14}}
    profiles, result = sample(name, sizes.get(name, {}), CacheCollector(L1, L2, sms=8))
    for one, launch in zip(profiles, result.launches, strict=True):
        own = {}
        for access in one.accesses:
            if access.space in (Space.GLOBAL, Space.LOCAL):
                key = access.block, access.instruction, access.kind
                own[key] = own.get(key, 0) + access.sectors
        told = {
            (i.block, i.instruction, i.kind): i.counts.l1.accesses + i.counts.l2_atomics
            for i in launch.instructions
        }
        assert told == {key: count for key, count in own.items() if count}


# Machines.


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", machine_names())
def test_every_machine_has_caches_of_its_size(name):
    machine = load_machine(name)
    whole, l2 = l1_spec(machine), l2_spec(machine)
    assert whole is None or (whole.write, whole.write_allocate) == ("through", False)
    assert l2 is None or (l2.write, l2.write_allocate) == ("back", True)
    assert (l2.size_bytes if l2 else 0) == machine.integer("l2.size_bytes")
    assert (whole.size_bytes if whole else 0) == machine.integer("l1.size_bytes")
    for kib in machine.integers("shared.carveout_kib"):
        left = l1_spec(machine, kib * KIB)
        assert left is None or (left.ways <= whole.ways and left.size_bytes <= whole.size_bytes)


def test_what_shared_memory_takes_is_taken_of_l1():
    machine = load_machine("v100")  # 128 KiB: 16 sets of 64 ways
    assert (l1_spec(machine).sets, l1_spec(machine).ways) == (16, 64)
    left = l1_spec(machine, 96 * KIB)
    assert (left.size_bytes, left.sets, left.ways) == (32 * KIB, 16, 16)
    odd = l1_spec(load_machine("a100"), 100 * KIB)  # 92 KiB are 736 lines, and it has 24 sets
    assert (odd.size_bytes, odd.sets, odd.ways) == (92 * KIB, 16, 46)


def test_a_machine_says_what_is_assumed():
    made = CacheCollector.for_machine(load_machine("a100")).simulated
    assert (made.machine, made.sms, made.assumed) == ("a100", 108, ())
    assert (made.l1.size_bytes, made.l2.size_bytes) == (192 * KIB, 40 * KIB * KIB)
    found = CacheCollector.for_machine(load_machine("b200")).simulated.assumed
    assumed = {one.key: one for one in found}
    assert "l1.ways" in assumed and "l1.size_bytes" not in assumed


def test_a_machine_without_caches_reads_dram():
    machine = load_machine("quadro_fx5800_gpgpusim")
    result = vecadd(CacheCollector.for_machine(machine))
    assert result.l1 is result.l2 is None
    assert (result.total.dram_reads, result.total.dram_writes) == (2 * N / 8, N / 8)


def test_lanes_merge_as_the_machine_merges_them():
    body = "ld.param.u64 %d0, [data]; ld.global.u32 %r1, [%d0]; ret;"
    for name, sectors in (("v100", 1), ("quadro_fx5800_gpgpusim", 2)):  # the latter by half-warps
        total = simulate(body, CacheCollector.for_machine(load_machine(name))).total
        assert (total.warp_accesses, total.l2_reads) == (1, sectors)


def test_an_l1_that_does_not_cache_global_memory_is_left_out():
    machine = load_machine("v100", parse_overrides(["l1.caches_global=false"]))
    total = simulate(AGAIN, CacheCollector.for_machine(machine), threads=32).total
    assert total.l1.accesses == 0 and total.l2.hits == 36


@pytest.mark.parametrize(
    ("opcode", "cached", "uncached"),
    [
        ("ld.global.f32", False, True),
        ("ld.global.ca.f32", False, False),
        ("ld.global.nc.v4.f32", False, False),
        ("ld.global.cg.f32", True, True),
        ("ld.global.cv.f32", True, True),
        ("ld.volatile.global.f32", True, True),
        ("ld.relaxed.gpu.global.f32", True, True),
        ("ld.acquire.cta.global.f32", False, True),
        ("ld.global.L1::no_allocate.f32", True, True),
        ("ld.f32", False, True),
        ("ld.local.f32", False, False),
        ("ld.volatile.local.f32", False, False),
        ("st.global.f32", False, True),
    ],
)
def test_what_goes_past_l1(opcode, cached, uncached):
    operation = decode(opcode)
    assert goes_past_l1(operation) == cached
    assert goes_past_l1(operation, caches_global=False) == uncached


# The result, and bad input.


def test_the_result_can_be_shown():
    made = CacheCollector.for_machine(load_machine("b200"))
    vecadd(made)
    shown = json.loads(json.dumps(made.result()))
    assert shown["mark"] == "modelled" and shown["machine"] == "b200"
    assert any(text.startswith("l1.ways = ") for text in shown["assumed"])
    assert shown["l1"].startswith("262144 B, lines of 128 B, sectors of 32 B, 64 ways, lru")
    (launch,) = shown["launches"]
    assert launch["kernel"] == "vecadd" and launch["dram_bytes"] == shown["dram_bytes"] == 8 * N
    assert [i["opcode"] for i in launch["instructions"]] == [
        "ld.global.nc.f32",
        "ld.global.nc.f32",
        "st.global.f32",
    ]
    assert launch["l1"]["hit_rate"] == shown["l1_hit_rate"] == 0.0
    assert launch["instructions"][2]["counts"]["l2_writes"] == N / 8
    assert launch["instructions"][2]["kind"] == "store"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CacheCollector(L1, L2, 0), "at least one SM"),
        (lambda: CacheCollector(L1, L2, keep="l1"), "not `l1`"),
        (lambda: CacheCollector(L1, CacheSpec(4096, 128)), "one size, not of 32 B and 128 B"),
        (lambda: CacheCollector(L1, L2, 1 << 20), "lines in all"),
    ],
)
def test_caches_that_cannot_be_are_refused(make, words):
    with pytest.raises(UsageError, match=words):
        make()
