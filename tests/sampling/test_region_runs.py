"""Simulations that pass over CTAs: what is left out, what is executed, how long the whole takes."""

from itertools import pairwise

import numpy as np
import pytest

from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulate
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.machines import load_machine
from warpmill.simulator.sampling.region_runs import (
    OUTSIDE,
    PAPER,
    STABLE,
    CtaUnit,
    RegionPlan,
    RegionStability,
    SampledLaunch,
    SkippableCtas,
    run_regions,
)

HEAD = """.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
"""
EVEN = """mad.lo.u32 %r3, %r1, 64, %r2; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;
mov.u32 %r5, 0;
LOOP: ld.global.u32 %r4, [%rd3]; add.u32 %r6, %r6, %r4; add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 40; @%p1 bra LOOP;
st.global.u32 [%rd3], %r6; ret; }
"""
"""40 loads one after another, of the CTA's own words."""
CHAIN = """mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; setp.ne.u32 %p1, %r2, 0; @%p1 ret;
ld.global.u32 %r4, [%rd3]; add.u32 %r4, %r4, 1; st.global.u32 [%rd3+4], %r4; mov.u32 %r5, 0;
LOOP: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, %r4; @%p2 bra LOOP; ret; }
"""
"""CTA n finds how often the CTAs before it were there, and goes round n + 1 times."""
CTAS = 96


def steered(tmp_path, body, ctas=CTAS, launches=1, trace="executed", **overrides):
    path = tmp_path / "k.ptx"
    path.write_text(HEAD + body)
    options = LaunchOptions(grid=str(ctas), block="64", args=("buffer=u32:8192",))
    jobs = [prepare(path, None, options)] * launches
    own = {"sm.count": 2, "sm.max_blocks": 4, "launch.block_cycles": 0}
    machine = load_machine("v100", own | overrides)
    traces = TraceOptions(source=trace)
    made = plan(jobs, machine, trace_options=traces)
    whole = simulate(jobs, machine, trace_options=traces)
    return Steered(made.machine, made.works, made.options), whole


def one_region(count, warp_instructions=None):
    each = np.full(count, 100, np.int64) if warp_instructions is None else warp_instructions
    return RegionPlan(np.zeros(count, np.int64), each)


def counted(whole):
    """The warp instructions of each CTA of a launch, as the whole simulation issued them."""
    return whole.ctas.warp_instructions


def units(*ipcs):
    return [CtaUnit(round(100 * ipc), 100) for ipc in ipcs]


def whole_warp_instructions(found):
    return found.warp_instructions + sum(each.warp_instructions for each in found.skippable_ctas)


def test_the_papers_rule_compares_two_units():
    assert PAPER.ipc(units(2.0), 50) is None
    assert PAPER.ipc(units(5.0, 2.0, 2.19), 50) == pytest.approx(2.19)
    assert PAPER.ipc(units(2.0, 2.2), 50) is None
    assert PAPER.ipc(units(2.0, 1.79), 50) is None


def test_halves_of_the_last_units_are_compared():
    rule = RegionStability(units=4, share=0.1, tolerance=0.05, both=True)
    assert rule.ipc(units(2.0, 2.1, 1.9), 10) is None
    assert rule.ipc(units(9.0, 1.8, 2.2, 2.1, 1.98), 10) == pytest.approx(2.02)
    assert rule.ipc(units(1.8, 2.2, 2.1, 2.1), 10) is None  # 2.0 and 2.1 differ by a twentieth
    last = RegionStability(units=4, share=0.1, tolerance=0.06, both=False)
    assert last.ipc(units(1.8, 2.2, 2.1, 2.1), 10) == pytest.approx(2.1)
    long = [
        CtaUnit(200, 100),
        CtaUnit(200, 100),
        *units(2, 2)[:1],
        CtaUnit(600, 290),
    ]
    assert rule.ipc(long, 10) == pytest.approx(1200 / 590)


@pytest.mark.parametrize(("rounds", "most"), [(3, 4), (40, 4), (41, 6), (100, 10), (101, 12)])
def test_long_regions_are_looked_at_longer(rounds, most):
    rule = RegionStability(units=4, share=0.1, tolerance=0.05, both=True)
    assert rule.looked_at(rounds) == most
    assert rule.ipc(units(*[2.0] * most), rounds) == 2.0
    assert rule.ipc(units(*[2.0] * (most - 1)), rounds) is None
    assert STABLE.looked_at(rounds) <= most
    assert PAPER.looked_at(rounds) == 2


def test_without_regions_all_is_simulated(tmp_path):
    running, whole = steered(tmp_path, EVEN, launches=2)
    found = run_regions(running, [None, RegionPlan(np.full(CTAS, OUTSIDE), counted(whole)[:CTAS])])
    assert [each.cycles for each in found] == [one.cycles for one in whole.launches]
    assert result_of(running).cycles == whole.cycles
    assert sum(each.warp_instructions for each in found) == whole.warp_instructions
    assert [each.skippable_ctas for each in found] == [(), ()]


def test_cycles_of_a_launch_by_hand():
    """600 instructions at an IPC of 2 and 100 at 0.5 take 300 and 200 cycles (Table IV)."""
    passed = [SkippableCtas(1, 0, 7, n, ipc, (ipc, ipc), 50) for n, ipc in ((600, 2.0), (100, 0.5))]
    assert SampledLaunch(0, "k", 1000, 100, tuple(passed)).whole_cycles == 1500.0
    assert SampledLaunch(0, "k", 1000, 100, ()).whole_cycles == 1000.0


@pytest.mark.parametrize("trace", ["executed", "static"])
def test_what_is_alike_is_skipped(tmp_path, trace):
    """8 CTAs run at a time; units of one each are alike from the second on, at the latest."""
    running, whole = steered(tmp_path, EVEN, trace=trace)
    (found,) = run_regions(running, [one_region(CTAS, counted(whole))], PAPER)
    (over,) = found.skippable_ctas
    assert (found.launch, over.region, over.last_cta) == (0, 0, CTAS - 1)
    assert 8 <= over.first_cta < CTAS // 2
    before, last = over.unit_ipcs
    assert abs(last - before) < 0.1 * before
    assert over.ipc == last
    assert running.life(0, 0)[1] <= over.cycle <= found.cycles
    assert whole_warp_instructions(found) == whole.warp_instructions
    assert found.warp_instructions == counted(whole)[: over.first_cta].sum()
    assert found.whole_cycles == pytest.approx(whole.cycles, rel=0.1)
    done = result_of(running)
    assert done.ctas.number.tolist() == list(range(over.first_cta))


def test_a_region_is_left_where_another_begins(tmp_path):
    """The CTAs behind it are simulated, and the next region is entered in its own time."""
    running, whole = steered(tmp_path, EVEN, **{"scheduler.policy": "lrr"})
    regions = np.repeat([4, OUTSIDE, 7], [40, 16, 40])
    (found,) = run_regions(running, [RegionPlan(regions, counted(whole))], PAPER)
    assert [(p.region, p.last_cta) for p in found.skippable_ctas] == [(4, 39), (7, CTAS - 1)]
    first, second = found.skippable_ctas
    assert first.first_cta < 40
    assert 56 < second.first_cta < CTAS
    there = result_of(running).ctas.number
    assert there.tolist() == [*range(first.first_cta), *range(40, second.first_cta)]
    assert found.whole_cycles == pytest.approx(whole.cycles, rel=0.1)


def test_units_that_differ_are_not_stable(tmp_path):
    """Each CTA goes round more often than the one before: by a tenth and more up to the tenth."""
    running, whole = steered(tmp_path, CHAIN, ctas=8, **{"sm.count": 1, "sm.max_blocks": 1})
    (found,) = run_regions(running, [one_region(8, counted(whole))], PAPER)
    assert found.cycles <= whole.cycles
    assert whole_warp_instructions(found) == whole.warp_instructions


def test_skipped_ctas_are_executed_where_others_need_what_they_write(tmp_path):
    """The last two read what all before them have left, those that are skipped too."""
    one_at_a_time = {"sm.count": 1, "sm.max_blocks": 1}
    running, whole = steered(tmp_path, CHAIN, ctas=16, **one_at_a_time)
    assert running.begin_next()
    assert running.run_to_end_of(0, 0)
    first = running.dispatched(0)
    assert running.skip_ctas(0, 14) == 14
    running.run_group()
    done = result_of(running)
    assert done.ctas.number.tolist() == [*range(first), 14, 15]
    kept = dict(zip(whole.ctas.number.tolist(), counted(whole).tolist(), strict=True))
    assert done.ctas.warp_instructions.tolist() == [kept[n] for n in [*range(first), 14, 15]]


def test_a_launch_ends_with_a_cta(tmp_path):
    """Where none runs, the last one is not skipped."""
    running, _ = steered(tmp_path, EVEN, ctas=12, **{"sm.count": 1, "sm.max_blocks": 1})
    assert running.begin_next()
    assert running.skip_ctas(0, 12) == 11
    running.run_group()
    assert result_of(running).ctas.number.tolist() == [11]


def test_it_stops_where_a_cta_ends(tmp_path):
    running, whole = steered(tmp_path, EVEN)
    running.begin_next()
    for cta in (0, 9, 40):
        assert running.run_to_end_of(0, cta)
        begin, end = running.life(0, cta)
        at = whole.ctas.number.tolist().index(cta)
        assert (begin, end) == (whole.ctas.begin_cycle[at], whole.ctas.end_cycle[at])
        assert end - 100 <= running.reached <= end + 2000
        assert cta not in running.alive(0)
        assert set(running.alive(0)) <= set(range(running.dispatched(0)))
    assert running.first_begun(0, end) > 40
    assert counted(whole)[:40].sum() // 2 < running.issued() <= whole.warp_instructions
    assert not running.run_to_end_of(0, CTAS - 1) or running.dispatched(0) == CTAS


def test_stretches_have_about_as_many_instructions(tmp_path):
    """Together they are the whole: cycles end to end, and what each row of the code issued."""
    running, whole = steered(tmp_path, EVEN, launches=2)
    found = list(running.run_intervals(5000))
    assert sum(one.warp_instructions for one in found) == whole.warp_instructions
    for before, after in pairwise(found):
        assert before.end_cycle == after.begin_cycle
        assert 5000 <= before.warp_instructions < 5200
    assert found[0].begin_cycle == 0
    assert found[-1].end_cycle >= whole.cycles
    issued = sum(one.issues for one in found)
    assert issued.sum() == whole.warp_instructions
    rows = {i.warp_instructions for i in whole.instructions if i.warp_instructions}
    assert set(issued[issued > 0].tolist()) == rows
