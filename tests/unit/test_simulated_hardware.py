"""What hardware does and simulators' configurations leave out: machine code, L1, L2, CTAs, DRAM."""

from dataclasses import replace

import numpy as np
import pytest

from analyzer.addresses import GLOBAL_BASE
from analyzer.analyses.aggregation import counted_atomics
from analyzer.ir.types import Space
from analyzer.memory_rules import MemoryRules, bank_passes
from analyzer.trace.event_batch import AccessPoint
from simulator.gpu import fields as f
from simulator.gpu.options import Options
from simulator.gpu.ordering import in_order
from simulator.gpu.results import result_of
from simulator.gpu.simulate import Simulation
from simulator.gpu.spec import specify
from simulator.gpu.streams import StreamRules, streams
from simulator.gpu.work import Work
from simulator.machines import load_machine
from tests.unit.test_streams import batch_of
from warpmill.jobs import LaunchOptions, prepare
from warpmill.traces import trace_source

HEAD = """.version 7.8
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<20>;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r4, %r2, %r3, %r1;
"""
WITH_TABLE = HEAD.replace(".visible", ".const .align 4 .b8 table[4096];\n.visible")
ONE_COUNTER = "mov.u32 %r5, 1; red.global.add.u32 [%rd1], %r5; ret; }"
EACH_ITS_OWN = """mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2; mov.u32 %r5, 1;
    red.global.add.u32 [%rd3], %r5; ret; }"""
NOTHING = "mov.u32 %r5, tile; st.shared.u32 [%r5], %r1; ret; }"
SHARED_ATOMIC = "and.b32 %r6, %r1, {mask}; shl.b32 %r6, %r6, 2; mov.u32 %r5, tile;\
    add.u32 %r5, %r5, %r6; mov.u32 %r7, 1; red.shared.add.u32 [%r5], %r7; ret; }}"
EIGHTH_WORDS = """mul.wide.u32 %rd2, %r4, 32; add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1; ret; }"""
NEIGHBOURS = """mul.wide.u32 %rd2, %r4, 32; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;
    st.global.u32 [%rd3+4], %r1; st.global.v2.u32 [%rd3+8], {%r1, %r1};
    st.global.v4.u32 [%rd3+16], {%r1, %r1, %r1, %r1}; ret; }"""
FOUR_WORDS = """mov.u32 %r5, tile; ld.shared.f32 %f1, [%r5]; ld.shared.f32 %f2, [%r5+4];
    ld.shared.f32 %f3, [%r5+8]; ld.shared.f32 %f4, [%r5+12]; add.f32 %f1, %f1, %f2;
    add.f32 %f3, %f3, %f4; add.f32 %f1, %f1, %f3; mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2; st.global.f32 [%rd3], %f1; ret; }"""


def simulated(  # noqa: PLR0913 - a launch
    tmp_path, body, *, grid=1, block=32, words=1 << 16, base="v100", head=None, **changes
):
    """Simulate a kernel of that body, given a buffer of zeros."""
    path = tmp_path / "k.ptx"
    path.write_text((head or HEAD) + body)
    options = LaunchOptions(grid=str(grid), block=str(block), args=(f"buffer=u32:{words}",))
    job = prepare(path, None, options)
    work = Work(job.loaded.module, job.analysis.structure, job.required_launch(), 16,
                lambda: trace_source(job))  # fmt: skip
    running = Simulation(load_machine(base, changes), [work], Options())
    running.run()
    return result_of(running)


def passes(width, offsets, space=Space.SHARED, rules=None):
    """Give the passes of an access of a warp whose lanes are at these offsets."""
    base = GLOBAL_BASE if space is Space.GLOBAL else 64
    batch = batch_of(
        [AccessPoint(0, 0, "load", space, width)], 32, [0], [base], [0], [offsets], [(1 << 32) - 1]
    )
    return streams(batch, rules or StreamRules(lines_per_clk=4.0, packs_pairs=True))


# -- machine code ------------------------------------------------------------------------------


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
    assert [one.shared_accesses for one in (new, merged, alone)] == [1, 1, 4]
    assert new.shared_passes == 2  # of half a warp each
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
    waited = dict(zip(f.REASONS, loads.stalls, strict=True))["imc_miss"]
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
    waited = [dict(zip(f.REASONS, one.stalls, strict=True))["no_instruction"] for one in found]
    assert waited[0] == pytest.approx(500 * lines, rel=0.01)
    assert waited[1] == pytest.approx(waited[0] / 2, rel=0.2)  # pairs of lines, one trip each
    assert waited[2] == pytest.approx(waited[0] / 5, rel=0.2)
    assert waited[3] == pytest.approx(500, rel=0.1)


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
    waited = dict(zip(f.REASONS, done.stalls, strict=True))["no_instruction"]
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


# -- shared memory and L1 ----------------------------------------------------------------------


def test_wide_loads_that_lanes_share_take_half_the_passes():
    lane = np.arange(32)
    for width, offsets, expected in (
        (16, lane * 16, 4),
        (16, lane * 0, 2),
        (16, lane // 2 * 16, 2),
        (16, lane // 4 * 16, 2),
        (8, lane * 8, 2),
        (8, lane // 2 * 8, 1),
        (8, lane % 8 * 8, 2),
        (4, lane * 4, 1),
    ):
        assert passes(width, offsets).shape_passes.tolist() == [expected]
        assert bank_passes(offsets, width, MemoryRules(packs_pairs=True)) == expected
    plain = passes(16, lane * 0, rules=StreamRules())
    assert plain.shape_passes.tolist() == [bank_passes(lane * 0, 16)] == [4]


def test_l1_takes_as_long_as_its_banks_or_the_tags_of_lines():
    """Measured on an A100: 2 cycles for stride 2, 8 for 8, 32 for 32; 1 + (n - 2) / 4 for lines."""
    lane = np.arange(32)
    for words, expected in ((1, 1), (2, 2), (4, 4), (8, 8), (32, 32), (33, 9), (17, 5), (0, 1)):
        found = passes(4, lane * 4 * words, Space.GLOBAL)
        assert found.shape_passes.tolist() == [expected]


def test_parts_of_sectors_are_those_whose_bytes_are_all_touched():
    random = np.random.default_rng(7)
    for _ in range(40):
        width = int(random.choice([1, 2, 4, 8]))
        offsets = random.integers(0, 64, 32) * int(random.choice([1, 2, 4]))
        found = passes(width, offsets, Space.GLOBAL)
        touched = {int(o) + k for o in offsets for k in range(width)}
        base = int(found.access_base[0]) * 32 - GLOBAL_BASE
        for offset, parts in zip(found.txn_offset, found.txn_parts, strict=True):
            begin = base + 32 * int(offset)
            whole = [{*range(begin + 4 * k, begin + 4 * k + 4)} <= touched for k in range(8)]
            assert [bool(parts >> k & 1) for k in range(8)] == whole


def test_lanes_at_one_word_of_shared_memory_take_turns(tmp_path):
    """32 warps, and 20 cycles a lane: 2 lanes at each of 16 words, or one at each of 32."""
    held = {
        mask: simulated(
            tmp_path, SHARED_ATOMIC.format(mask=mask), block=1024, **{"interval.shared_atomic": 20}
        ).cycles
        for mask in (31, 15, 7)
    }
    assert held[15] - held[31] == 31 * 20
    assert held[7] - held[15] == 31 * 40


COUNTED = """mov.u32 %r5, tile; and.b32 %r6, %r1, 1; mad.lo.u32 %r5, %r6, 4, %r5;
    {atomic}; st.global.u32 [%rd1], {stored}; ret; }}"""


@pytest.mark.parametrize(
    ("atomic", "stored", "is_counted"),
    [
        ("atom.shared.add.u32 %r7, [%r5], 1", "%r5", True),
        ("red.shared.add.s32 [%r5], 1", "%r5", True),
        ("atom.shared.add.u32 %r7, [%r5], 1", "%r7", False),  # which number each lane was is told
        ("atom.shared.add.u32 %r7, [%r5], 2", "%r5", False),
        ("atom.shared.add.u32 %r7, [%r5], %r1", "%r5", False),
        ("atom.shared.max.u32 %r7, [%r5], 1", "%r5", False),
        ("red.global.add.u32 [%rd1], 1", "%r5", False),
    ],
)
def test_lanes_are_counted_where_ones_are_added_and_nothing_is_read(
    tmp_path, atomic, stored, is_counted
):
    path = tmp_path / "k.ptx"
    path.write_text(HEAD + COUNTED.format(atomic=atomic, stored=stored))
    analysis = prepare(path, None, LaunchOptions()).analysis
    found = counted_atomics(analysis.structure.kernel, analysis.accesses)
    assert len(found) == is_counted


def test_counting_lanes_takes_no_turns_from_compute_capability_8_on(tmp_path):
    """32 warps, 16 lanes on each of two words, 20 cycles a turn; stores go in between."""
    body = COUNTED.format(atomic="atom.shared.add.u32 %r7, [%r5], 1", stored="%r5")
    own = {"interval.shared_atomic": 20, "l2.atomic_cycles": 1}
    new, old = (
        simulated(tmp_path, body, block=1024, **own, **{"machine.compute_capability": chip}).cycles
        for chip in ("8.0", "7.5")
    )
    assert old - new == pytest.approx(32 * 15 * 20, abs=250)


# -- L2, DRAM and CTAs -------------------------------------------------------------------------


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


def test_an_l2_without_a_rate_is_no_error(tmp_path):
    assert simulated(tmp_path, ONE_COUNTER, **{"l2.bytes_per_clk": 0.0}).cycles > 0


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
    assert numbers[f.CTA_TURN_CYCLES] == numbers[f.SHARED_ATOMIC_TICKS] == 0
    assert numbers[f.MIXED_LOSS] == numbers[f.PIPES_HOLD] == 0
    assert (numbers[f.L2_PARTS], numbers[f.SECTORS_AT_ONCE]) == (f.PARTS_NONE, 1)
    assert numbers[f.WRITE_TICKS] == numbers[f.SLICE_TICKS] == numbers[f.ATOMIC_FIRST_TICKS]


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
