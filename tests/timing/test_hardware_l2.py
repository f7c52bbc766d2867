"""What hardware does and simulators' configurations leave out: L2, DRAM, CTAs, barriers."""

import pytest

from tests.timing.hardware_kernels import HEAD, simulated
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.spec import specify
from warpmill.simulator.machines import load_machine

NOTHING = "mov.u32 %r5, tile; st.shared.u32 [%r5], %r1; ret; }"
EIGHTH_WORDS = """mul.wide.u32 %rd2, %r4, 32; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1; ret; }"""
NEIGHBOURS = """mul.wide.u32 %rd2, %r4, 32; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;
    st.global.u32 [%rd3+4], %r1; st.global.v2.u32 [%rd3+8], {%r1, %r1};
    st.global.v4.u32 [%rd3+16], {%r1, %r1, %r1, %r1}; ret; }"""


@pytest.mark.parametrize(
    ("memory", "body", "reads"), [("HBM2", EIGHTH_WORDS, 0), ("GDDR6", EIGHTH_WORDS, 1),
                                  ("GDDR6", NEIGHBOURS, 0)],
)  # fmt: skip
def test_what_is_left_of_a_written_sector_is_read_where_dram_takes_whole_ones(
    tmp_path, memory, body, reads
):
    """L2 of 512 KiB: of 2 MiB of sectors most go to DRAM, filled unless they are whole."""
    small = {"dram.type": memory, "l2.size_bytes": 1 << 19, "l2.slices": 32, "sm.count": 4}
    done = simulated(tmp_path, body, grid=256, block=256, words=1 << 19, **small)
    assert 0.7 * 65536 < done.dram.writes < 65536
    some = 0.005 * done.dram.writes  # yet to come, or gone before their CTA had written all
    assert done.dram.reads == pytest.approx(reads * done.dram.writes, abs=some)


def test_a_sector_that_is_stored_to_in_part_is_read_at_once_by_l2s_that_fetch_on_write(tmp_path):
    """It is read once, though all of it is stored to in four pieces, and L2 has room for all."""
    own = {"dram.type": "GDDR6", "l2.write_allocate": "fetch_on_write", "sm.count": 4}
    done = simulated(tmp_path, NEIGHBOURS, grid=8, block=256, words=1 << 14, **own)
    assert (done.dram.reads, done.dram.writes) == (2048, 0)


IN_PLACE = """mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r5, [%rd3];
    add.u32 %r5, %r5, 1; st.global.u32 [%rd3], %r5; ret; }"""


@pytest.mark.parametrize(("store", "written"), [(True, 32768), (False, 0)])
def test_a_warm_l2_has_yet_to_write_what_an_equal_launch_has_stored(tmp_path, store, written):
    """1 MiB is stored to: L2 of 512 KiB is dirty all over when the launch begins and ends."""
    body = IN_PLACE if store else IN_PLACE.replace("st.global.u32 [%rd3], %r5;", "")
    small = {"l2.size_bytes": 1 << 19, "l2.slices": 32, "sm.count": 4}
    done = simulated(tmp_path, body, grid=1024, block=256, words=1 << 18, l2="warm", **small)
    assert done.dram.writes == pytest.approx(written, rel=0.02)


@pytest.mark.parametrize("opcode", ["ld.global.u32 %r5, [%rd3]", "st.global.u32 [%rd3], %r1"])
@pytest.mark.parametrize(("stride", "longer"), [(4, 1), (32, 1), (64, 2), (96, 2)])
def test_l2_takes_as_long_for_a_part_of_what_it_takes_at_once(tmp_path, opcode, stride, longer):
    """2,048 lanes so many bytes apart: up to 32 B both sectors of a block are asked for."""
    body = f"""mul.wide.u32 %rd2, %r4, {stride}; add.u64 %rd3, %rd1, %rd2;
        {opcode}; add.u32 %r6, %r5, 1; ret; }}"""
    own = {"sm.count": 4, "l2.slices": 4, "l2.bytes_per_clk": 8.0, "icache.miss_latency": 0.0,
           "l2.write_cost": 1.0}  # fmt: skip
    sector, both = (
        simulated(tmp_path, body, grid=4, block=512, **own, **{"l2.access_bytes": n}).cycles
        for n in (32, 64)
    )
    assert both == pytest.approx(longer * sector, rel=0.1)


BARRIERS = f"{'bar.sync 0;' * 40} st.global.u32 [%rd1], %r1; ret; }}"


@pytest.mark.parametrize(("lanes", "of_warp"), [(16.0, 2.0), (8.0, 4.0), (32.0, 1.0)])
@pytest.mark.parametrize("base", ["v100", "a40"])
def test_warps_come_to_a_barrier_as_fast_as_the_sm_counts_them(tmp_path, base, lanes, of_warp):
    """16 threads a cycle since Volta: of 32 warps the last one comes 62 cycles after the first."""
    own = {"sm.count": 1, "icache.miss_latency": 0.0, "lanes.barrier": lanes}
    few, many = (
        simulated(tmp_path, BARRIERS, block=32 * n, base=base, **own).cycles for n in (16, 32)
    )
    assert (many - few) / 40 / 16 == pytest.approx(of_warp, abs=0.2)


def test_simulators_know_no_rate_of_barriers(tmp_path):
    slow, fast = (
        simulated(tmp_path, BARRIERS, block=512, base="qv100_accelsim", **{"lanes.barrier": n})
        for n in (1.0, 128.0)
    )
    assert slow.cycles == fast.cycles


def test_pipes_of_the_sm_are_apart(tmp_path):
    """Barriers do not wait for double precision, of which graphics chips have two lanes an SM."""
    multiply, store = "fma.rn.f64 %fd1, %fd2, %fd2, %fd2;", "st.global.u32 [%rd1], %r1; ret; }"
    head = HEAD.replace(".reg .pred", ".reg .f64 %fd<3>; .reg .pred")
    own = {"sm.count": 1, "icache.miss_latency": 0.0, "lanes.barrier": 2.0, "latency.barrier": 1.0}
    both, *alone = (
        simulated(tmp_path, body + store, head=head, block=128, base="rtx2080ti", **own).cycles
        for body in ((multiply + "bar.sync 0;") * 20, multiply * 20, "bar.sync 0;" * 20)
    )
    assert both <= 1.1 * max(alone) < 0.7 * sum(alone)


@pytest.mark.parametrize(("schedulers", "of_all"), [(4, 1.0), (2, 1.0), (1, 2.0)])
def test_schedulers_have_all_units_of_an_sm_among_them(tmp_path, schedulers, of_all):
    """64 lanes are two warps a cycle: two schedulers keep them busy, and one half of them."""
    work = "fma.rn.f32 %f1, %f2, %f2, %f2; fma.rn.f32 %f3, %f4, %f4, %f4;" * 200
    own = {"sm.count": 1, "icache.miss_latency": 0.0}
    every, some = (
        simulated(tmp_path, work + NOTHING, block=1024, **own, **{"sm.schedulers": n}).cycles
        for n in (4, schedulers)
    )
    assert some == pytest.approx(of_all * every, rel=0.1)


def test_a_cta_takes_the_place_of_another_after_its_setup(tmp_path):
    """One CTA at a time: each but the first begins so many cycles later."""
    own = {"sm.count": 1, "sm.max_blocks": 1, "latency.int_add": 4}
    cycles = [
        simulated(tmp_path, NOTHING, grid=9, **own, **{"launch.block_cycles": n}).cycles
        for n in (140, 240)
    ]
    assert cycles[1] - cycles[0] == 8 * 100


@pytest.mark.parametrize("name", ["qv100_accelsim", "gtx480_gpgpusim"])
def test_configurations_of_simulators_leave_it_out(name):
    changes = {"launch.block_cycles": 500, "l2.write_cost": 3, "interval.shared_atomic": 9,
               "l2.access_bytes": 64}  # fmt: skip
    numbers = specify(load_machine(name, changes), 0).numbers
    assert numbers["cta_turnaround_cycles"] == numbers["shared_atomic_ticks"] == 0
    assert numbers["dram_mixed_loss"] == numbers["busy_pipes_stall"] == 0
    assert (numbers["l2_partial_writes"], numbers["sectors_per_l2_access"]) == (c.PARTS_NONE, 1)
    assert numbers["slice_write_ticks"] == numbers["slice_ticks"] == numbers["atomic_first_ticks"]


@pytest.mark.slow
def test_turns_of_the_bus_leave_what_was_measured_of_reads_and_writes(tmp_path):
    """A copy between DRAM and DRAM: 1 / 0.8 times as long as where turns cost nothing."""
    body = """mul.wide.u32 %rd2, %r4, 16; add.u64 %rd3, %rd1, %rd2;
        ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3];
        st.global.v4.u32 [%rd3+16777216], {%r5, %r6, %r7, %r8}; ret; }"""
    own = {"l2.size_bytes": 1 << 20, "l2.slices": 32, "dram.channels": 4, "sm.count": 40,
           "dram.bytes_per_clk_per_channel": 16, "dram.bandwidth_gbs": 56.1,
           "dram.measured_gbs": 56.1}  # fmt: skip
    whole, part = (
        simulated(tmp_path, body, grid=2048, block=256, words=1 << 23, **own,
                  **{"dram.mixed_efficiency": share}).cycles
        for share in (1.0, 0.8)
    )  # fmt: skip
    assert part / whole == pytest.approx(1.25, rel=0.06)
