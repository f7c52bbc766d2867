"""Waves of CTAs: how a launch comes to the SMs, and what full waves and the last one take."""

from __future__ import annotations

import random
from math import prod
from pathlib import Path

import pytest

from tests.timing.estimated_kernels import fmas, job, streamed
from warpmill.session.estimates import Estimator
from warpmill.session.options import EstimateOptions, RegisterSources
from warpmill.session.simulations import simulate
from warpmill.simulator.estimate import engine
from warpmill.simulator.estimate.engine import Mode
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.estimate.waves import Typical, Waves
from warpmill.simulator.machines import load_machine


def test_a_launch_is_so_many_full_waves_and_the_rest() -> None:
    """30 CTAs on 4 SMs of 2 each: 3 waves of 8, and 6 that leave two SMs with one CTA."""
    found = Waves((10, 3, 1), sms=4, per_sm=2)
    assert (found.ctas, found.size, found.full, found.rest) == (30, 8, 3, 6)
    assert (found.rest_per_sm, found.rest_sms, found.active_sms) == (2, 4, 4)
    assert found.most_per_sm == 8  # ⌈30 / 4⌉, Equation 8


def test_several_small_waves_are_looked_at_in_a_row() -> None:
    """30 CTAs in four waves of 8; the first, which finds nothing in L2, goes with all alone."""
    found = Waves((10, 3, 1), sms=4, per_sm=2)
    assert [found.around(2, count) for count in (1, 2, 3, 4, 9)] == [
        (2, 1), (1, 2), (1, 3), (0, 4), (0, 4),
    ]  # fmt: skip
    assert found.of_wave(1, 100, 2) == tuple((k % 10, k // 10, 0) for k in range(8, 24))


def test_sms_are_alike_where_their_ctas_lie_alike() -> None:
    """Of 5 columns on 4 SMs: the one that begins a row has its next CTA in the same row."""
    rows = Waves((5, 5, 1), sms=4, per_sm=2)
    assert rows.of_sm(1, 2, sm=2) == ((0, 2, 0), (4, 2, 0))
    assert rows.of_sm(1, 2, sm=3) == ((1, 2, 0), (0, 3, 0))
    assert rows.unlike_sms(1, 2, 9) == ((0, 3), (2, 1))
    assert rows.unlike_sms(1, 2, 1) == ((0, 3),)
    assert Waves((25, 1, 1), sms=4, per_sm=2).unlike_sms(1, 2, 9) == ((0, 4),)


@pytest.mark.parametrize(
    ("grid", "full", "rest", "rest_per_sm", "rest_sms"),
    [
        ((1, 1, 1), 0, 1, 1, 1),
        ((8, 1, 1), 1, 0, 0, 0),
        ((9, 1, 1), 1, 1, 1, 1),
        ((2, 2, 3), 1, 4, 1, 4),
    ],
)
def test_edges_of_waves(
    grid: tuple[int, int, int], full: int, rest: int, rest_per_sm: int, rest_sms: int
) -> None:
    found = Waves(grid, sms=4, per_sm=2)
    assert (found.full, found.rest) == (full, rest)
    assert (found.rest_per_sm, found.rest_sms) == (rest_per_sm, rest_sms)


def test_ctas_of_a_wave_follow_each_other_x_first() -> None:
    found = Waves((10, 3, 1), sms=4, per_sm=2)
    assert found.of_wave(1, 3) == ((8, 0, 0), (9, 0, 0), (0, 1, 0))
    assert found.of_wave(3, 99) == tuple((k, 2, 0) for k in range(4, 10))
    assert Waves((2, 2, 3), 4, 2).of_wave(1, 99) == ((0, 0, 2), (1, 0, 2), (0, 1, 2), (1, 1, 2))


def test_an_sm_has_every_so_manyth_cta() -> None:
    """The SM in the middle: number 2 of 4, from CTA 8 on."""
    found = Waves((10, 3, 1), sms=4, per_sm=2)
    assert found.of_sm(1, 2) == ((0, 1, 0), (4, 1, 0))
    assert found.of_sm(0, 6) == tuple((k % 10, k // 10, 0) for k in (2, 6, 10, 14, 18, 22))


@pytest.mark.parametrize("seed", range(40))
def test_ctas_of_an_sm_are_different_ones_of_the_grid(seed: int) -> None:
    rng = random.Random(seed)
    grid = rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 4)
    found = Waves(grid, rng.randint(1, 12), rng.randint(1, 6))
    assert found.full * found.size + found.rest == found.ctas == prod(grid)
    for count in {1, min(found.per_sm, found.most_per_sm), found.rest_per_sm} - {0}:
        ctas = found.of_sm(rng.randint(0, found.full), count)
        assert len(set(ctas)) == count
        assert all(0 <= at < size for cta in ctas for at, size in zip(cta, grid, strict=True))
        assert list(ctas) == sorted(ctas, key=lambda cta: cta[::-1])


# What waves take. 32 warps of four chains each are a CTA; two of them are on each of three SMs, and
# a CTA begins at once where another has ended.


def estimated(
    folder: Path, ctas: int, mode: Mode = "waves", registers: int = 32, **changes: float
) -> Estimate:
    settings = {key.replace("__", "."): value for key, value in changes.items()}
    machine = load_machine("v100", {"sm.count": 3, "launch.block_cycles": 1.0, **settings})
    options = EstimateOptions(mode)
    subject = job(folder, fmas(4, 30), ctas, 1024)
    return Estimator(subject, registers=RegisterSources(registers), options=options).on(machine)


def test_registers_say_how_many_ctas_run_at_once(tmp_path: Path) -> None:
    """65,536 registers: 32 for each thread of two CTAs, or 64 of one."""
    assert estimated(tmp_path, 6).occupancy.ctas_per_sm == 2
    assert estimated(tmp_path, 6, registers=64).occupancy.ctas_per_sm == 1


@pytest.mark.parametrize(("ctas", "full", "rest"), [(6, 1, 0), (18, 3, 0), (20, 3, 2), (23, 3, 5)])
def test_full_waves_take_as_long_each_and_the_last_as_its_ctas_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ctas: int, full: int, rest: int
) -> None:
    monkeypatch.setattr(engine, "GENERATIONS", 1)  # no wave begins while another ends
    monkeypatch.setattr(engine, "GENERATION_CTAS", 1)
    found, wave = estimated(tmp_path, ctas), estimated(tmp_path, 6)
    last = estimated(tmp_path, rest).cycles if rest else 0.0
    assert found.cycles == pytest.approx(full * wave.cycles + last)
    assert found.waves == pytest.approx(found.cycles / wave.wave_cycles)


def test_two_ctas_left_run_on_two_sms_and_four_on_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "GENERATIONS", 1)
    monkeypatch.setattr(engine, "GENERATION_CTAS", 1)
    one, two, three, four = (estimated(tmp_path, n).cycles for n in (1, 2, 3, 4))
    assert one == two == three
    assert three < four == estimated(tmp_path, 6).cycles


def test_ctas_that_begin_where_others_end_take_what_all_of_them_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six waves of two CTAs are run and the others continued: as if all twelve had been run."""
    some = estimated(tmp_path, 72)
    monkeypatch.setattr(engine, "GENERATIONS", 12)
    monkeypatch.setattr(engine, "MOST_OPERATIONS", 10**9)
    whole = estimated(tmp_path, 72)
    assert (some.wave_ctas, whole.wave_ctas) == (12, 24)
    assert some.cycles == pytest.approx(whole.wave_cycles, rel=0.01)
    assert whole.cycles == pytest.approx(whole.wave_cycles)


def test_a_wave_and_a_half_takes_no_longer_than_two_where_memory_decides(tmp_path: Path) -> None:
    """512 CTAs, 8 on an SM: 32 SMs have two waves of them, 33 a part of the second one."""
    made = Estimator(job(tmp_path, streamed(), 512, 256, "p q"), registers=RegisterSources(16))
    slow = {"dram.bandwidth_gbs": 200.0, "dram.measured_gbs": 195.0, "dram.channels": 8}
    two, *others = (
        made.on(load_machine("a100", {"sm.count": n, **slow})).cycles for n in (32, 33, 36, 48)
    )
    assert others == pytest.approx([two] * 3, rel=0.06)


UNLIKE = """mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 192; selp.u32 %r2, 1, 0, %p1;
mad.lo.u32 %r2, %r2, {more}, {least}; mov.u32 %r1, 0;
L: fma.rn.f32 %f1, %f90, %f91, %f1; fma.rn.f32 %f2, %f90, %f91, %f2;
add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;
@%p1 bra L;"""
"""CTAs from the 192nd on have more iterations than those before."""


@pytest.mark.parametrize("generations", [1, 3])
def test_full_waves_take_as_long_as_ctas_all_over_the_launch_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, generations: int
) -> None:
    """Of 384 CTAs the second half has 1,000 iterations, the first 200: in the mean 600.

    The CTAs that are looked at are of two kinds, of which half are of each.
    """
    monkeypatch.setattr(engine, "GENERATIONS", generations)
    monkeypatch.setattr(engine, "GENERATION_CTAS", 1)
    machine = load_machine("v100", {"sm.count": 3, "launch.block_cycles": 1.0})

    def cycles(least: int, more: int) -> float:
        subject = job(tmp_path, UNLIKE.format(least=least, more=more), 384, 1024)
        return Estimator(subject, registers=RegisterSources(32)).on(machine).cycles

    alike, unlike = cycles(600, 0), cycles(200, 800)
    assert unlike == pytest.approx(alike, rel=0.1)
    monkeypatch.setattr(engine, "typical", lambda *_: Typical())  # the wave in the middle: 1,000
    assert cycles(200, 800) == pytest.approx(alike * 1000 / 600, rel=0.03)


TAIL = """mov.u32 %r2, %ctaid.x; and.b32 %r2, %r2, 15; setp.eq.u32 %p1, %r2, 9;
selp.u32 %r2, 400, 50, %p1; mov.u32 %r1, 0;
L: fma.rn.f32 %f1, %f90, %f91, %f1; fma.rn.f32 %f1, %f90, %f91, %f1;
add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;
@%p1 bra L;"""
"""One CTA in 16 goes on for eight times as long."""


def test_what_goes_on_at_the_end_is_waited_for_once(tmp_path: Path) -> None:
    """The three waves that are run end with such a CTA alone; in 45 others run beside it."""
    machine = load_machine("v100", {"sm.count": 2, "launch.block_cycles": 1.0})
    slow, registers = job(tmp_path, TAIL, 384, 512), RegisterSources(32)
    found = Estimator(slow, registers=registers).on(machine)
    assert found.wave_ctas == 3 * found.occupancy.ctas_per_sm
    done = simulate(slow, machine, registers=registers)
    assert found.cycles == pytest.approx(done.cycles, rel=0.15)


LEFT_OVER = """mov.u32 %r2, %ctaid.x; setp.ge.u32 %p1, %r2, 170; selp.u32 %r2, 1, 1000, %p1;
mov.u32 %r3, %ctaid.x; mov.u32 %r1, 0;
L: fma.rn.f32 %f1, %f90, %f91, %f1; fma.rn.f32 %f2, %f90, %f91, %f2;
add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;
@%p1 bra L;"""
"""CTAs from the 170th on, those of the wave in the middle too, have next to nothing to do."""


def test_ctas_with_nothing_to_do_do_not_stand_for_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take long for what they execute: all is waiting for the block to begin and to end."""
    monkeypatch.setattr(engine, "GENERATIONS", 1)
    monkeypatch.setattr(engine, "GENERATION_CTAS", 1)
    machine = load_machine("v100", {"sm.count": 3, "launch.block_cycles": 1.0})

    def estimate(text: str, ctas: int) -> Estimate:
        return Estimator(job(tmp_path, text, ctas, 1024), registers=RegisterSources(32)).on(machine)

    few, all_ = (estimate(LEFT_OVER, ctas) for ctas in (168, 384))
    assert all_.cycles == pytest.approx(few.cycles, rel=0.1)
    assert all_.warp_instructions == pytest.approx(few.warp_instructions, rel=0.1)
    monkeypatch.setattr(engine, "typical", lambda *_: Typical())
    assert estimate(LEFT_OVER, 384).cycles < 0.1 * few.cycles


def test_each_cta_that_follows_another_begins_some_cycles_after_its_end(tmp_path: Path) -> None:
    """Twelve CTAs on each SM, one at a time: eleven of them begin where another has ended."""
    slow, slower = (
        estimated(tmp_path, 36, registers=64, launch__block_cycles=cycles).cycles
        for cycles in (500.0, 1500.0)
    )
    assert slower - slow == pytest.approx(11 * 1000)


@pytest.mark.parametrize("ctas", [1, 3, 6, 7, 18, 20, 23])
def test_equation_8_scales_a_round_to_the_ctas_of_the_fullest_sm(tmp_path: Path, ctas: int) -> None:
    """T = ⌈CTAs / SMs⌉ / (CTAs of a round) · T of the round (hybrid paper, §IV-B)."""
    found = estimated(tmp_path, ctas, "eq8")
    most = -(-ctas // 3)
    assert found.wave_ctas == min(2, most)
    assert found.waves == pytest.approx(most / found.wave_ctas)
    assert found.cycles == pytest.approx(found.wave_cycles * most / found.wave_ctas)


def test_the_last_wave_begins_some_cycles_after_the_one_before(tmp_path: Path) -> None:
    """Three CTAs, and two more after them: the second wave begins as it does where it is full."""
    waits = {"registers": 64, "launch__block_cycles": 1500.0}
    part, full = (estimated(tmp_path, ctas, **waits).cycles for ctas in (5, 6))
    assert part == pytest.approx(full)


def test_occupancy_is_the_mean_over_time_and_sms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A CTA has 32 of 64 warps: 6 CTAs fill the SMs, 7 leave five places empty in the end."""
    monkeypatch.setattr(engine, "GENERATIONS", 1)
    monkeypatch.setattr(engine, "GENERATION_CTAS", 1)
    full, one = estimated(tmp_path, 6), estimated(tmp_path, 1)
    assert full.achieved_occupancy_fraction == pytest.approx(1.0)
    assert one.achieved_occupancy_fraction == pytest.approx(1 / 6)
    both = estimated(tmp_path, 7)
    mean = (full.cycles * 1 + one.cycles / 6) / (full.cycles + one.cycles)
    assert both.achieved_occupancy_fraction == pytest.approx(mean)
    assert estimated(tmp_path, 7, "eq8").achieved_occupancy_fraction == 1.0
