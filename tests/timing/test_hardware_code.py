"""What hardware does and simulators' configurations leave out: machine code, and its pipes."""

from dataclasses import replace

import numpy as np
import pytest

from tests.memory.test_streams import batch_of
from tests.reference.gpu_twin import side_by_side
from tests.timing.hardware_kernels import HEAD, ONE_COUNTER, WITH_TABLE, simulated, work_of
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import SIMULATED_STATES
from warpmill.simulator.streams import in_order

EACH_ITS_OWN = """mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2; mov.u32 %r5, 1;
    red.global.add.u32 [%rd3], %r5; ret; }"""
FOUR_WORDS = """mov.u32 %r5, tile; ld.shared.f32 %f1, [%r5]; ld.shared.f32 %f2, [%r5+4];
    ld.shared.f32 %f3, [%r5+8]; ld.shared.f32 %f4, [%r5+12]; add.f32 %f1, %f1, %f2;
    add.f32 %f3, %f3, %f4; add.f32 %f1, %f1, %f3; mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2; st.global.f32 [%rd3], %f1; ret; }"""


@pytest.mark.parametrize("seed", range(6))
def test_accesses_stand_in_the_order_of_the_code_and_others_go(seed):
    random = np.random.default_rng(seed)
    n, points = 400, 12
    point = random.integers(0, points, n)
    made = batch_of(
        [AccessPoint(0, k, "load", Space.SHARED, 4) for k in range(points)], 32, point,
        np.arange(n), np.zeros(n), np.zeros((1, 32)), np.ones(n),
    )  # fmt: skip
    firsts = np.sort(random.integers(0, n, 60))
    made = replace(made, event_accesses=np.concatenate([[0], firsts, [n]]))
    rows = random.permutation(points)
    gone = rows < 3
    rows[gone] = -1
    widths = {(0, k): 16 for k in range(points) if rows[k] == 5}
    found = in_order(made, rows, widths)
    expected, ends = [], [0]
    for first, last in zip(made.event_accesses, made.event_accesses[1:], strict=False):
        own = [k for k in range(first, last) if rows[point[k]] >= 0]
        expected += sorted(own, key=lambda k: rows[point[k]])
        ends.append(len(expected))
    assert found.access_base.tolist() == expected
    assert found.access_point.tolist() == point[expected].tolist()
    assert found.event_accesses.tolist() == ends
    wide = [16 if rows[k] == 5 else 4 for k in range(points)]
    assert [p.width_bytes for p in found.tables.points] == wide


def test_a_warp_adds_to_one_counter_once(tmp_path):
    """64 warps: the slice serves one after the other, at its rate, or all lanes of each in turn."""
    slow = {"l2.atomic_cycles": 50.0, "sm.count": 1}
    one = simulated(tmp_path, ONE_COUNTER, grid=64, **slow)
    each = simulated(tmp_path, ONE_COUNTER, grid=64, base="qv100_accelsim", **slow)
    assert 64 * 50 <= one.cycles < 64 * 50 + 3000
    assert each.cycles > 64 * 32 * 50
    apart = simulated(tmp_path, EACH_ITS_OWN, grid=64, **slow)
    assert apart.atomic_sectors == 64 * 4 and one.atomic_sectors == 64


def test_loads_of_neighbouring_words_are_one(tmp_path):
    """Four loads of a word become one of 16 B, from compute capability 5.2 on."""
    new, merged, alone = (
        simulated(tmp_path, FOUR_WORDS, **{"machine.compute_capability": chip})
        for chip in ("7.0", "5.2", "5.0")
    )
    assert [one.shared_requests for one in (new, merged, alone)] == [1, 1, 4]
    assert new.shared_wavefronts == 2  # of half a warp each
    assert merged.warp_instructions == alone.warp_instructions - 3


@pytest.mark.parametrize(
    ("base", "in_l1"),
    [
        ("v100", {"ld.global", "ld.global.ca", "ld.global.nc", "ld.relaxed.cta.global"}),
        ("gtx980", {"ld.global.ca", "ld.global.nc"}),  # L1 keeps read-only data, or what asks
    ],
)
def test_opcodes_say_which_loads_look_into_l1(tmp_path, base, in_l1):
    kinds = ("ld.global", "ld.global.ca", "ld.global.nc", "ld.global.cg", "ld.volatile.global",
             "ld.relaxed.gpu.global", "ld.relaxed.cta.global")  # fmt: skip
    alone, other = {}, {}
    for kind in kinds:
        one = simulated(tmp_path, _loads(f"{kind}.f32", 1), block=1024, base=base)
        stored = 128 if base == "v100" else 0
        alone[kind] = one.cache("l1").accesses - stored
        other[kind] = one.cycles
        assert one.read_sectors == 128
    assert {kind for kind, accesses in alone.items() if accesses == 128} == in_l1
    assert {kind for kind, accesses in alone.items() if accesses == 0} == set(kinds) - in_l1
    assert max(other.values()) <= 1.02 * min(other.values())  # all miss: L2 is as far from all


def test_loads_of_the_same_bytes_are_made_once(tmp_path):
    """Sixteen loads a thread of one word that nobody writes: one is issued and asked for."""
    once, again, plain, old = (
        simulated(tmp_path, _loads(kind, times), block=1024, base=base)
        for kind, times, base in (
            ("ld.global.nc.f32", 1, "a100"), ("ld.global.nc.f32", 16, "a100"),
            ("ld.volatile.global.f32", 16, "a100"), ("ld.global.nc.f32", 16, "tesla_k40"),
        )
    )  # fmt: skip
    asked = [one.read_sectors for one in (once, again, plain)]
    assert asked == [32 * n for n in (4, 4, 64)]
    assert again.warp_instructions == once.warp_instructions
    assert again.cycles == once.cycles < plain.cycles
    assert plain.warp_instructions == old.warp_instructions == once.warp_instructions + 15 * 32


def _loads(kind, times):
    """Load a word some times, each into a register of its own, and write the last one."""
    loads = "".join(f"{kind} %f{n}, [%rd3];" for n in range(times))
    return f"""mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2; {loads}
        st.global.f32 [%rd3+4096], %f{times - 1}; ret; }}"""


def test_constants_hold_the_load_store_unit_before_volta_alone(tmp_path):
    """How long an access holds it does not count for constants from compute capability 7.0 on."""
    body = "mov.u64 %rd4, table; mul.wide.u32 %rd5, %r2, 64; add.u64 %rd4, %rd4, %rd5;"
    body += "ld.const.u32 %r5, [%rd4]; st.shared.u32 [tile], %r5;" * 2
    body += "".join(f"ld.const.u32 %r5, [%rd4+{4 * k}];" for k in range(16)) + "ret; }"

    def cycles(capability, interval):
        changes = {"machine.compute_capability": capability, "interval.ldst": interval}
        return simulated(tmp_path, body, block=1024, head=WITH_TABLE, **changes).cycles

    apart, held = ([cycles(chip, interval) for interval in (4, 16)] for chip in ("7.0", "6.1"))
    assert held[1] - held[0] > 16 * 32 * (16 - 4) / 4 * 0.9, "18 accesses of 32 warps, by 4 parts"
    assert apart[1] - apart[0] < (held[1] - held[0]) / 4, "two stores of each warp"


AT_PLACES = "".join(f"ld.const.f32 %f{n}, [table+{4 * (n - 1)}];" for n in range(1, 17))
SUMS = "".join(f"add.f32 %f0, %f0, %f{n};" for n in range(1, 17))


@pytest.mark.parametrize("chip", ["6.1", "7.0", "8.0"])
def test_constants_at_known_places_are_operands(tmp_path, chip):
    """They take no issue slot and hold nothing; one that the SM's cache has is there at once.

    16 words of two sectors, which are fetched once each.
    """
    own = {"machine.compute_capability": chip, "sm.count": 1, "icache.miss_latency": 0}
    store = "st.global.f32 [%rd1], %f0; ret; }"
    registers = "".join(f"mov.b32 %f{n}, %r1;" for n in range(1, 17))  # copies, which are none

    def run(body):
        return simulated(tmp_path, body + SUMS + store, head=WITH_TABLE, **own)

    loads, none = run(AT_PLACES), run(registers)
    again = run(AT_PLACES + AT_PLACES)
    assert loads.warp_instructions == again.warp_instructions == none.warp_instructions
    const = [one.cache("const") for one in (loads, again, none)]
    assert [(c.accesses, c.misses) for c in const] == [(16, 2), (32, 2), (0, 0)]
    assert again.cycles == loads.cycles
    waited = dict(zip(SIMULATED_STATES, loads.stalls, strict=True))["imc_miss"]
    assert waited > 150
    assert loads.cycles - none.cycles == pytest.approx(waited, abs=8)


def test_blocks_that_machine_code_makes_one_are_one_event(tmp_path):
    """A store under a predicate, which both warps issue, and half of one makes; then another."""
    body = """setp.lt.u32 %p1, %r1, 16; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
        @!%p1 bra SKIP; st.global.u32 [%rd3], %r1;
        SKIP: st.global.u32 [%rd3+4096], %r1; ret; }"""
    found = simulated(tmp_path, body, block=64, base="a100", **{"l2.write_cost": 1})
    two, one = (simulated(tmp_path, body, block=n, base="a100").warp_instructions for n in (64, 32))
    assert found.cache("l2").write_accesses == 2 + 2 * 4
    assert two == 2 * one
    as_text = simulated(tmp_path, body, block=64, base="qv100_accelsim")
    assert as_text.cache("l2").write_accesses == 2 + 2 * 4


def test_lines_are_fetched_ahead(tmp_path):
    """Fourteen lines of code, one after the other: all but the first are on their way by then."""
    adds = "".join(f"add.u32 %r1, %r1, {n}; xor.b32 %r1, %r1, {n};" for n in range(3, 59))
    body = f"{adds} mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; ret; }}"
    body = body.replace("ret;", "st.global.u32 [%rd3], %r1; ret;")
    head = HEAD[: HEAD.index("mov.u32 %r2")]
    cycles = {"icache.miss_latency": 500, "sm.count": 1}
    found = [
        simulated(tmp_path, body, head=head, base="a100", **cycles, **{"icache.prefetch_lines": n})
        for n in (0, 1, 4, 16)
    ]
    misses = [one.cache("icache").misses for one in found]
    lines = misses[0]
    assert lines >= 14 and misses[1:] == [1, 1, 1]
    waited = [
        dict(zip(SIMULATED_STATES, one.stalls, strict=True))["no_instruction"] for one in found
    ]
    assert waited[0] == pytest.approx(500 * lines, rel=0.01)
    assert waited[1] == pytest.approx(waited[0] / 2, rel=0.2)  # pairs of lines, one trip each
    assert waited[2] == pytest.approx(waited[0] / 5, rel=0.2)
    assert waited[3] == pytest.approx(500, rel=0.1)


@pytest.mark.parametrize("keep_l1", [False, True])
def test_what_was_fetched_ahead_goes_with_the_instruction_cache(tmp_path, keep_l1):
    """Two kernels of a line each, one behind the other: the first one's fetch brings both lines.

    The second launch finds its line in the stream buffer, unless that was flushed between them.
    """
    bodies = "st.global.u32 [%rd1], %r1; ret; }", "st.global.u32 [%rd1], %r2; ret; }"
    own = {"icache.line_bytes": 512, "icache.miss_latency": 500, "icache.prefetch_lines": 1}
    machine = load_machine("a100", own | {"sm.count": 1})
    works = [work_of(tmp_path, body) for body in bodies]
    made = side_by_side.simulation(machine, works, Options(keep_l1=keep_l1, spans=16))
    made.run()
    assert set(made.code.rows["line"].tolist()) == {0, 1}
    assert [int(one.sms["fetch_misses"]) for one in made.counts] == [1, 1 if keep_l1 else 2]
    assert side_by_side.unequal(made) == []


def test_code_behind_what_is_not_issued_is_fetched(tmp_path):
    """A branch under whose predicate six instructions are; no lane makes these.

    Lines have eight instructions: what comes before the first one and four of the six fill one.
    """
    six = "".join(f"add.u32 %r1, %r1, {n}; xor.b32 %r1, %r1, {n};" for n in (3, 5, 9))
    body = f"""setp.lt.u32 %p1, %r1, 64; @%p1 bra SKIP; {six}
        SKIP: mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ret;
        }}"""
    head = HEAD[: HEAD.index("mov.u32 %r2")]
    cycles = {"icache.miss_latency": 500, "icache.prefetch_lines": 0, "sm.count": 1}
    done = simulated(tmp_path, body, head=head, base="a100", **cycles)
    assert done.cache("icache").misses == 2
    waited = dict(zip(SIMULATED_STATES, done.stalls, strict=True))["no_instruction"]
    assert waited == pytest.approx(2 * 500, abs=15)


def test_sub_partitions_share_two_lanes_of_double_precision(tmp_path):
    """A warp alone has both of them, 16 cycles an instruction; four have them by turns."""
    adds = "".join(f"fma.rn.f64 %d{n}, %d0, %d0, %d0;" for n in range(1, 65))
    sums = "".join(f"add.f64 %d0, %d0, %d{n};" for n in range(1, 3))
    body = f"""{adds} {sums} mul.wide.u32 %rd2, %r4, 8; add.u64 %rd3, %rd1, %rd2;
        st.global.f64 [%rd3], %d0; ret; }}"""
    head = HEAD.replace(".reg .pred", ".reg .f64 %d<65>; .reg .pred")
    head += "cvt.rn.f64.u32 %d0, %r1;"
    own = {"sm.count": 1, "icache.miss_latency": 0}
    two = [
        simulated(tmp_path, body, head=head, base="rtx_a4000", block=32 * warps, **own).cycles
        for warps in (1, 2, 4)
    ]
    many = [
        simulated(tmp_path, body, head=head, base="v100", block=32 * warps, **own).cycles
        for warps in (1, 4)
    ]
    assert two[1] - two[0] == pytest.approx(66 * 16, rel=0.05)
    assert two[2] - two[0] == pytest.approx(3 * 66 * 16, rel=0.05)
    assert many[1] - many[0] < 100  # each sub-partition has lanes of its own
