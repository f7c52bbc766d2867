"""Lines that simulators fill as a whole: of code and parameters, which come from L2, and of L1."""

import pytest

from tests.timing.hardware_kernels import HEAD
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.gpu.state import as_numbers
from warpmill.simulator.machines import load_machine

FETCHES = {"icache.fetches_from_l2": True, "icache.miss_latency": 1.0}
USE = "add.u64 %rd2, %rd1, %rd1;"
ADDS = "".join(f"add.u32 %r1, %r1, {n};" for n in range(58))
STRAIGHT = f"{USE} {ADDS} ret; }}"
INSTRUCTIONS = 5 + 1 + 58 + 1
LINES = -(-INSTRUCTIONS * 8 // 128)  # an instruction of PTX takes 8 bytes
EACH_A_LINE = "shl.b32 %r5, %r4, 7; cvt.u64.u32 %rd2, %r5; add.u64 %rd3, %rd1, %rd2;"
SIDE_BY_SIDE = "mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;"


def simulation(tmp_path, body, base, *, grid=1, launches=1, **changes):
    """Simulate a kernel of that body so many times in a row."""
    path = tmp_path / "k.ptx"
    path.write_text(HEAD + body)
    options = LaunchOptions(grid=str(grid), block="32", args=("buffer=u32:65536",))
    job = prepare(path, None, options)
    work = LaunchWork(job.analysis.kernel_facts, job.required_launch(),
                RegisterCount(16, "given", False),
                lambda: trace_source(job))  # fmt: skip
    made = Simulation(load_machine(base, changes), [work] * launches, Options())
    made.run()
    return made


def counts(made, launch=0):
    """What SMs, slices and channels have counted by the end of a launch."""
    one = made.counts[launch]
    return as_numbers(one.sms), as_numbers(one.slices), as_numbers(one.channels)


@pytest.mark.parametrize("sms", [1, 3])
def test_each_sm_has_code_and_parameters_come_from_l2_and_they_come_from_dram_once(tmp_path, sms):
    """Lines of 128 B of code are four sectors; of parameters one is asked for."""
    own = FETCHES | {"sm.count": sms}
    sm, l2, dram = counts(simulation(tmp_path, STRAIGHT, "qv100_accelsim", grid=sms, **own))
    assert LINES == 5
    assert sm["fetch_misses"] == LINES * sms and sm["const_misses"] == sms
    assert sm["const_accesses"] == sms
    assert l2["reads"] == sms * (4 * LINES + 1)
    assert dram["reads"] == 4 * LINES + 1
    without = own | {"icache.fetches_from_l2": False}
    sm, l2, dram = counts(simulation(tmp_path, STRAIGHT, "qv100_accelsim", grid=sms, **without))
    assert (sm["const_accesses"], l2["reads"], dram["reads"]) == (0, 0, 0)


def test_a_warp_waits_for_each_line_and_for_its_parameters(tmp_path):
    """DRAM 100 cycles away: the code comes line after line, and the parameters between."""
    near, far = (
        simulation(tmp_path, STRAIGHT, "qv100_accelsim", **FETCHES,
                   **{"sm.count": 1, "dram.pipeline_latency": cycles}).cycles
        for cycles in (100, 200)
    )  # fmt: skip
    assert far - near == 100 * (LINES + 1)


def test_what_was_fetched_stays_for_the_next_launch(tmp_path):
    made = simulation(
        tmp_path, STRAIGHT, "qv100_accelsim", launches=2, **FETCHES, **{"sm.count": 1}
    )
    first, second = counts(made)[0], counts(made, 1)[0]
    assert second["fetch_misses"] == first["fetch_misses"]
    assert second["fetch_accesses"] == 2 * first["fetch_accesses"]
    assert second["const_misses"] == 1


def test_a_line_of_an_l1_without_sectors_is_one_look_up_and_four_sectors_of_l2(tmp_path):
    """32 lanes that load a word of a line each, and then 32 neighbours: of 33 lines all misses."""
    body = f"{EACH_A_LINE} ld.global.u32 %r6, [%rd3+4096]; {SIDE_BY_SIDE}"
    body += "ld.global.u32 %r7, [%rd3]; add.u32 %r6, %r6, %r7; ret; }"
    own = {"sm.count": 1, "icache.fetches_from_l2": False}
    made = simulation(tmp_path, body, "gtx480_gpgpusim", **own)
    sm, l2, dram = counts(made)
    assert made.spec.sector_bytes == 32
    assert (sm["l1_accesses"], sm["l1_misses"]) == (33, 33)
    assert sm["read_sectors"] == 32 + 4  # that lanes touch
    assert l2["reads"] == 33 * 4 == dram["reads"]
    assert sm["packets_in"] == 33 * 4


def test_a_load_waits_for_the_last_sector_of_its_line(tmp_path):
    """The four of them have one slice, which takes 1 and then 101 cycles for each.

    DRAM, which takes some cycles for each too, brings them meanwhile.
    """
    body = f"{SIDE_BY_SIDE} ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1; ret; }}"
    own = {"sm.count": 1, "icache.miss_latency": 0, "l2.slices": 1, "dram.channels": 1}
    fast, slow = (
        simulation(tmp_path, body, "gtx480_gpgpusim", **own, **{"l2.bytes_per_clk": rate}).cycles
        for rate in (32.0, 32.0 / 101)
    )
    assert 3 * 100 - 30 < slow - fast <= 3 * 100


def test_stores_send_the_sectors_that_they_touch(tmp_path):
    """A word of each of 32 lines, and a whole line, to an L1 without sectors."""
    body = f"{EACH_A_LINE} st.global.u32 [%rd3+4096], %r4; {SIDE_BY_SIDE}"
    body += "st.global.u32 [%rd3], %r4; ret; }"
    own = {"sm.count": 1, "icache.fetches_from_l2": False}
    sm, l2, _ = counts(simulation(tmp_path, body, "gtx480_gpgpusim", **own))
    assert (sm["write_accesses"], sm["write_sectors"]) == (33, 32 + 4)
    assert l2["writes"] == 32 + 4


def test_a_request_for_a_line_takes_a_packet_of_the_network(tmp_path):
    """32 lines of one slice: their requests leave one a cycle, not one in four cycles."""
    body = f"{EACH_A_LINE} ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1; ret; }}"
    own = {"sm.count": 1, "icache.miss_latency": 0, "l2.slices": 1, "dram.channels": 1}
    made = simulation(tmp_path, body, "gtx480_gpgpusim", **own)
    leaves = made.state.table("sm")["port_free_tick"][0] / 256
    first = made.spec.start_cycles + made.spec.l1_miss_cycles
    assert first + 32 < leaves < first + 32 + 90  # and what comes before the load


@pytest.mark.parametrize(("policy", "misses"), [("local_back", 2), ("through", 1)])
def test_a_global_store_evicts_its_line_where_l1_keeps_local_ones_alone(tmp_path, policy, misses):
    body = f"{SIDE_BY_SIDE} ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1;"
    body += "st.global.u32 [%rd3], %r6; membar.gl; ld.global.u32 %r7, [%rd3];"
    body += "add.u32 %r7, %r7, %r6; ret; }"
    own = {"sm.count": 1, "icache.fetches_from_l2": False, "l1.write": policy}
    sm, _, _ = counts(simulation(tmp_path, body, "gtx480_gpgpusim", **own))
    assert sm["write_hits"] == 1
    assert sm["l1_misses"] == misses


def test_each_sm_of_a_simulator_is_given_a_cta_in_the_same_cycle(tmp_path):
    own = {"sm.count": 30, "launch.blocks_per_clk": 30.0}
    made = simulation(tmp_path, STRAIGHT, "qv100_accelsim", grid=60, **own)
    begins = made.state.table("cta_log")["begin"].tolist()
    assert begins == [0] * 30 + [1] * 30
