"""What a launch moves to and from DRAM, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.timing.estimated_kernels import fmas, job, streamed
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.program import KernelFacts
from warpmill.simulator.estimate import memory, wave_traffic
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.memory import WARM, Dram, dram_traffic, times_of
from warpmill.simulator.estimate.rounds import Rounds
from warpmill.simulator.estimate.waves import Waves
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine, fills_parts
from warpmill.simulator.streams import stream_rules

V100 = load_machine("v100")


@pytest.mark.parametrize(
    ("name", "fills"), [("v100", False), ("a100", False), ("rtx3060", True), ("tesla_k40", True)]
)
def test_memory_that_takes_whole_sectors_has_parts_filled(name: str, fills: bool) -> None:
    assert fills_parts(load_machine(name)) is fills


def dram(
    subject: Job, machine: Machine, per_sm: int, *, warm: bool = False, traces: str = "static"
) -> tuple[Dram, EstimateSubject]:
    source = trace_source(subject, TraceOptions(source=traces))
    facts = KernelFacts(subject.loaded.module, subject.analysis.structure)
    of = EstimateSubject(facts, subject.required_launch(), source)
    waves = Waves(of.launch.grid, machine.integer("sm.count"), per_sm)
    found = dram_traffic(
        of, facts.program(machine), Rounds(of), waves, machine, stream_rules(machine),
        middle=waves.full // 2, l2=WARM if warm else None,
    )  # fmt: skip
    return found, of


WORDS = 1 << 18


def copied(folder: Path, ctas: int = WORDS // 256) -> Job:
    """Copy 1 MiB, a word a thread."""
    return job(folder, streamed(), ctas, 256, "p q", WORDS)


def test_data_that_stay_in_l2_are_read_once_and_not_written(tmp_path: Path) -> None:
    """Two buffers of 1 MiB in an L2 of 6 MiB."""
    found, _ = dram(copied(tmp_path), V100, 8)
    load, store = 0, 1
    assert found.reads[load] == pytest.approx(4)  # sectors of a warp
    assert found.waits[load] == pytest.approx(1)
    assert (found.reads[store], found.writes[load], found.writes[store]) == (0, 0, 0)
    assert dict(zip(found.regions, found.footprint.tolist(), strict=True))["p"] == 1 << 20


def test_sectors_that_lines_are_no_whole_number_of_are_lines(tmp_path: Path) -> None:
    """L1 fills 64 B at once, and as many bytes come from DRAM."""
    made = Estimator(copied(tmp_path))
    plain, odd = (
        made.on(load_machine("v100", {"l1.line_bytes": 64, "l1.sector_bytes": n}))
        for n in (64, 128)
    )
    assert odd.dram_bytes == plain.dram_bytes == 1 << 20  # L2 keeps what is written


def test_an_equal_launch_before_leaves_all_that_fits(tmp_path: Path) -> None:
    found, _ = dram(copied(tmp_path), V100, 8, warm=True)
    assert not found.reads.any()
    assert not found.waits.any()
    assert not found.writes.any()


@pytest.mark.parametrize("warm", [False, True])
def test_of_more_than_l2_has_the_rest_is_written(tmp_path: Path, warm: bool) -> None:
    """2 MiB through an L2 of 512 KiB: at the end it has the 384 KiB that the last wave stores.

    Where an equal launch before has left as much, that is written back meanwhile.
    """
    machine = load_machine("v100", {"l2.size_bytes": 1 << 19, "l2.ways": 16})
    found, _ = dram(copied(tmp_path), machine, 8, warm=warm)
    assert found.reads[0] == pytest.approx(4)
    assert found.writes[1] == pytest.approx(4 * (1 - (0 if warm else 384 / 1024)))


IN_PARTS = """ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x; mad.lo.s32 %r1, %r2, %r3, %r1; mul.wide.s32 %rd2, %r1, 32;
add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1;"""
"""A word of each sector of 4 MiB."""


@pytest.mark.parametrize(
    ("dram_type", "policy", "filled"),
    [
        ("HBM2", "lazy_fetch_on_read", 0.0),
        ("GDDR6", "lazy_fetch_on_read", 32 * (1 - 1 / 4)),
        ("GDDR6", "fetch_on_write", 32.0),
    ],
)
def test_parts_of_sectors_are_read_to_be_written(
    tmp_path: Path, dram_type: str, policy: str, filled: float
) -> None:
    """4 MiB through an L2 of 1 MiB, which still has a quarter at the end."""
    sizes = {"l2.size_bytes": 1 << 20, "l2.ways": 16, "l2.write_allocate": policy}
    machine = load_machine("v100", {"dram.type": dram_type, **sizes})
    found, _ = dram(job(tmp_path, IN_PARTS, 512, 256, "p", 1 << 20), machine, 8)
    assert found.writes[0] == pytest.approx(32 * (1 - 1 / 4) + filled, rel=0.01)


@pytest.mark.parametrize(("policy", "read"), [("lazy_fetch_on_read", 0), ("fetch_on_write", 32)])
@pytest.mark.parametrize("warm", [False, True])
def test_parts_that_stay_in_l2_are_read_where_they_are_not_there(
    tmp_path: Path, policy: str, read: int, warm: bool
) -> None:
    machine = load_machine("v100", {"l2.write_allocate": policy})
    found, _ = dram(job(tmp_path, IN_PARTS, 512, 256, "p", 1 << 20), machine, 8, warm=warm)
    assert found.writes[0] == (0 if warm else read)


def test_waves_with_cut_loops_find_what_the_wave_before_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All warps load 128 KiB, and each CTA stores 2 KiB of its own: 160 KiB a wave of 16 CTAs.

    An L2 of 256 KiB has 128 sets of 16 ways. Of 1280 lines 10 come to a set in the mean, fewer than
    16 with a chance of 0.9513 (Poisson). The first of 16 waves finds nothing.
    """
    body = """ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x; mad.lo.s32 %r2, %r2, 64, %r1; mul.wide.s32 %rd3, %r2, 32;
add.s64 %rd2, %rd2, %rd3; and.b32 %r1, %r1, 31; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3;
mov.u32 %r3, 0;
L: ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f2, %f1; add.s64 %rd1, %rd1, 128; add.s32 %r3, %r3, 1;
setp.lt.s32 %p1, %r3, 1024;
@%p1 bra L;
st.global.v4.f32 [%rd2], {%f2, %f2, %f2, %f2}; st.global.v4.f32 [%rd2+16], {%f2, %f2, %f2, %f2};"""
    sizes = {"l2.size_bytes": 1 << 18, "l2.ways": 16, "sm.count": 8, "l1.caches_global": False}
    machine = load_machine("v100", sizes)
    monkeypatch.setattr(memory, "MOST_WAVE_ACCESSES", 4000)
    found, _ = dram(job(tmp_path, body, 256, 64, "p q", 1 << 19), machine, 2)
    sectors = found.reads[0] * 256 * 2 * 1024
    assert sectors == pytest.approx(4096 * (1 + 15 * (1 - 0.9513)), rel=0.02)


def test_turning_the_bus_costs_most_where_as_much_is_read_as_written(tmp_path: Path) -> None:
    """v100 keeps 0.9 of its rate there: 1 - 0.1 · 4 s (1 - s), s the part that is written."""
    rows = {"dram.timing.rrd": 1, "dram.timing.rc": 1}  # rows cost nothing here
    machine = load_machine("v100", {"l2.size_bytes": 1 << 19, "l2.ways": 16, **rows})
    found, _ = dram(copied(tmp_path), machine, 8)
    written = 0.625 / 1.625
    assert found.efficiency == pytest.approx(1 - 0.1 * 4 * written * (1 - written))


def test_rows_that_are_opened_for_little_cost_dram_its_rate(tmp_path: Path) -> None:
    """A sector of every 8 KiB, which is another row each time: 32 · 8192 B apart by lane.

    A row a sector: opening takes max(3, 40 / 16) clocks of 877 MHz on one of 32 channels; the
    sector takes 32 B at 897 GB/s.
    """
    body = """ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x; mad.lo.s32 %r1, %r2, %r3, %r1; mul.wide.s32 %rd2, %r1, 32768;
add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r4, [%rd1];"""
    found, _ = dram(job(tmp_path, body, 256, 32, "p", 1 << 26), V100, 8)
    opening_us, data_us = 3 / 877 / 32, 32 / 897e3
    assert found.efficiency == pytest.approx(data_us / opening_us, rel=1e-3)


@pytest.mark.parametrize(("factor", "left"), [(1.0, 40), (0.25, 10)])
def test_events_that_are_left_stand_for_those_that_are_cut(
    tmp_path: Path, factor: float, left: int
) -> None:
    body = """ld.param.u64 %rd1, [p]; ld.global.u32 %r3, [%rd1]; mov.u32 %r1, 0;
L: ld.global.u32 %r2, [%rd1+64]; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 40;
@%p1 bra L;"""
    subject = job(tmp_path, body, 4, 64, "p")
    source = trace_source(subject, TraceOptions(source="static"))
    facts = KernelFacts(subject.loaded.module, subject.analysis.structure)
    of = EstimateSubject(facts, subject.required_launch(), source)
    one = Rounds(of).of(((0, 0, 0), (1, 0, 0)))
    batch = one.events(stream_rules(V100), factor).batch
    assert times_of(one, batch).tolist() == [1.0, 40 / left]


SHARED = """ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd1, %rd1, %rd2; mov.u32 %r1, 0;
L: ld.global.f32 %f1, [%rd1]; add.s64 %rd1, %rd1, 1024;
add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 64;
@%p1 bra L;"""
"""All CTAs of 256 threads read the same 64 KiB."""


@pytest.mark.parametrize(
    ("traces", "most"),
    [("static", memory.MOST_TOUCHED), ("static", 100_000), ("executed", 1 << 30)],
)
def test_what_all_ctas_read_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, traces: str, most: int
) -> None:
    """Whether all of 480 CTAs are looked at, their loops are cut, or some stand for all."""
    monkeypatch.setattr(memory, "MOST_TOUCHED", most)
    monkeypatch.setattr(wave_traffic, "MOST_TOUCHED", most)
    found, _ = dram(job(tmp_path, SHARED, 480, 256, "p", 1 << 24), V100, 6, traces=traces)
    assert found.reads[0] == pytest.approx(4 / 480, rel=0.1)


@pytest.mark.parametrize("traces", ["static", "executed"])
def test_what_each_cta_reads_for_itself_is_read_by_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, traces: str
) -> None:
    monkeypatch.setattr(memory, "MOST_TOUCHED", 20_000)
    monkeypatch.setattr(wave_traffic, "MOST_TOUCHED", 20_000)
    own = SHARED.replace(
        "mov.u32 %r1, 0;", "mov.u32 %r3, %ctaid.x; mul.wide.u32 %rd3, %r3, 65536;"
        " add.s64 %rd1, %rd1, %rd3; mov.u32 %r1, 0;"
    )  # fmt: skip
    found, of = dram(job(tmp_path, own, 640, 256, "p", 1 << 24), V100, 8, traces=traces)
    assert found.reads[0] == pytest.approx(4)
    assert of.source.kind == traces
    assert found.footprint[0] == pytest.approx(640 * 65536)


PASSES = """mov.u32 %r3, %ctaid.x; shr.u32 %r4, %r3, 7; shl.b32 %r4, %r4, 5;
and.b32 %r5, %r3, 31; add.s32 %r4, %r4, %r5; mul.lo.u32 %r4, %r4, 12288;
shr.u32 %r5, %r3, 5; and.b32 %r5, %r5, 3; shl.b32 %r5, %r5, 5; add.s32 %r4, %r4, %r5;
cvt.u64.u32 %rd2, %r4; ld.param.u64 %rd1, [p]; add.s64 %rd1, %rd1, %rd2; mov.u32 %r2, 0;
M: mov.u64 %rd3, %rd1; mov.u32 %r1, 0;
L: ld.global.cg.f32 %f1, [%rd3]; add.s64 %rd3, %rd3, 128; add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, 96;
@%p1 bra L;
add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 2;
@%p1 bra M;"""
"""Each CTA reads a sector of its own of 96 lines, twice, which it shares with three others of its
wave: those 32, 64 and 96 places away. A wave of 128 CTAs touches 3,072 lines."""


@pytest.mark.parametrize("events", [memory.MOST_EXECUTED_EVENTS, 2000])
def test_lines_that_ctas_share_take_their_room_in_l2_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, events: int
) -> None:
    """Whether all CTAs of a wave are looked at, or the first few, which share nothing.

    L2 has 4,096 lines: the second pass finds what the first one read.
    """
    monkeypatch.setattr(memory, "MOST_EXECUTED_EVENTS", events)
    settings = {"sm.count": 16, "l2.size_bytes": 512 << 10, "l2.ways": 16}
    machine = load_machine("v100", settings)
    subject = job(tmp_path, PASSES, 1024, 32, "p", 1024 * 96 * 8)
    found, _ = dram(subject, machine, 8, traces="executed")
    assert found.reads[0] == pytest.approx(0.5, rel=0.1)


TWO_LOOPS = """ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd1, %rd1, %rd2; mov.u64 %rd3, %rd1; mov.u32 %r1, 0;
L: ld.global.cg.f32 %f1, [%rd3]; add.s64 %rd3, %rd3, 128; add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, 1024;
@%p1 bra L;
mov.u64 %rd3, %rd1; mov.u32 %r1, 0;
M: ld.global.cg.f32 %f1, [%rd3]; add.s64 %rd3, %rd3, 128; add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, 1024;
@%p1 bra M;"""
"""All CTAs read 1,024 lines, in two loops."""


@pytest.mark.parametrize("events", [1 << 30, 3000])
def test_later_loops_share_with_other_ctas_as_the_first_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, events: int
) -> None:
    """L2 has 512 lines, so that each loop reads all for the 128 CTAs of a wave, once.

    Where one CTA is looked at, the beginnings of the others say that of the first loop alone: the
    second one begins with what the first has brought in.
    """
    monkeypatch.setattr(memory, "MOST_EXECUTED_EVENTS", events)
    monkeypatch.setattr(memory, "MOST_EXECUTED_WORDS", 128 * 100)
    machine = load_machine("v100", {"sm.count": 16, "l2.size_bytes": 1 << 16, "l2.ways": 16})
    found, _ = dram(job(tmp_path, TWO_LOOPS, 256, 32, "p", 1 << 15), machine, 8, traces="executed")
    assert found.reads[:2].tolist() == pytest.approx([4 / 128] * 2, rel=0.3)


def test_data_that_ctas_far_apart_share_are_in_l2(tmp_path: Path) -> None:
    """CTAs k and k + 64 read the same rows in long loops: nothing is cut of what they read.

    Rows of 256 words, 64 a CTA, of 128 CTAs that run at once: half of what is read is read anew.
    """
    body = SHARED.replace(
        "mov.u32 %r1, 0;", "mov.u32 %r3, %ctaid.x; and.b32 %r3, %r3, 63;"
        " mul.wide.u32 %rd3, %r3, 65536; add.s64 %rd1, %rd1, %rd3; mov.u32 %r1, 0;"
    )  # fmt: skip
    long = f"{body}\n{fmas(1, 4000).replace('L:', 'M:').replace('bra L', 'bra M')}"
    found, _ = dram(job(tmp_path, long, 128, 256, "p", 1 << 24), V100, 8)
    assert found.reads[0] == pytest.approx(2)
