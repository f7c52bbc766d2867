"""How the page of ``simulate`` shows occupancy, what happened over time, and units for sampling."""

from __future__ import annotations

from warpmill.commands.simulate.machine import MachineSimulation
from warpmill.commands.simulate.time import UnitFigures
from warpmill.report.page import Page, figure, percent
from warpmill.report.words import plural

_STRETCHES = 8
"""Rows that the time of a simulation is shown in."""


def occupancy_section(one: MachineSimulation, page: Page) -> None:
    """Show how full SMs were, and what allows no more."""
    page.heading("occupancy of SMs")
    of, marks = one.occupancy, one.marks
    achieved = percent(of.achieved_fraction, marks["occupancy.achieved_fraction"])
    warps = figure(of.achieved_warps_per_sm, marks["occupancy.achieved_warps_per_sm"])
    theoretical = percent(of.theoretical_fraction, marks["occupancy.theoretical_fraction"])
    limiting = ", ".join(of.limiting).replace("_", " ")
    facts = [
        ("achieved", f"{achieved}: {warps} warps of {figure(of.warps_per_sm)} an SM"),
        ("theoretical", f"{theoretical}, limited by {limiting}"),
    ]
    if len(one.launches) == 1:
        facts += _resources(one)
    page.facts(facts)


def _resources(one: MachineSimulation) -> list[tuple[str, str]]:
    (launch,), marks = one.launches, one.marks
    fit, mark = launch.occupancy, marks["launches.occupancy.ctas_per_sm"]
    registers = figure(
        launch.registers.registers_per_thread, marks["launches.registers.registers_per_thread"]
    )
    source = launch.registers.source.partition(" (")[0]
    shared = figure(launch.shared_bytes, marks["launches.shared_bytes"])
    return [
        (
            "resident per SM",
            f"{figure(fit.ctas_per_sm, mark)} CTAs, {figure(fit.warps_per_sm, mark)} warps",
        ),
        ("registers per thread", f"{registers} ({source})"),
        ("shared memory per CTA", f"{shared} B"),
    ]


def time_section(one: MachineSimulation, page: Page) -> None:
    """Show what happened over time, in a few stretches."""
    rows = _stretches(one)
    if len(rows) < 2:
        return
    page.heading("over time")
    page.table(("from cycle", "IPC", "CTAs", "warps", "L1 GB/s", "L2 GB/s", "DRAM GB/s"), rows)
    page.line("of all SMs together; CTAs, warps: resident")


def _stretches(one: MachineSimulation) -> list[tuple[str, ...]]:
    """Sum the stretches of the timeline up to few."""
    timeline, marks = one.timeline, one.marks
    bins = len(timeline.warp_instructions)
    wide = -(-bins // _STRETCHES)
    rate = one.moved.sector_bytes * one.clock_mhz / 1e3
    rows = []
    for first in range(0, bins, wide):
        part = slice(first, first + wide)
        count = len(timeline.warp_instructions[part])
        cycles = _cycles_in(one, first, count)
        resident = [
            figure(sum(values[part]) * timeline.bin_cycles / cycles, marks[f"timeline.{key}"])
            for key, values in (
                ("resident_ctas", timeline.resident_ctas),
                ("resident_warps", timeline.resident_warps),
            )
        ]
        moved = [
            figure(sum(values[part]) / cycles * rate, marks["timeline.l1_sectors"])
            for values in (timeline.l1_sectors, timeline.l2_sectors, timeline.dram_sectors)
        ]
        issued = sum(timeline.warp_instructions[part]) / cycles
        ipc = figure(issued, marks["timeline.warp_instructions"])
        rows.append((f"{first * timeline.bin_cycles:,}", ipc, *resident, *moved))
    return rows


def _cycles_in(one: MachineSimulation, first: int, count: int) -> int:
    """Give the cycles of some stretches; the last one ends with the simulation."""
    width = one.timeline.bin_cycles
    end = max(launch.end_cycle for launch in one.launches)
    return max(1, min((first + count) * width, end) - first * width)


def tail_section(one: MachineSimulation, page: Page) -> None:
    """Show how long SMs run empty at the end."""
    page.heading("tail")
    tail, marks = one.tail, one.marks
    begin = figure(tail.begin_cycle, marks["tail.begin_cycle"])
    cycles = figure(tail.cycles, marks["tail.cycles"])
    share = percent(tail.fraction, marks["tail.fraction"])
    adjusted = figure(tail.adjusted_cycles, marks["tail.adjusted_cycles"])
    page.line(f"from cycle {begin} on no CTA waits and an SM is empty: {cycles} cycles, {share}")
    page.line(f"adjusted cycles, were all SMs busy to the end: {adjusted}")


def sampling_section(one: MachineSimulation, page: Page) -> None:
    """Show units of time, as far as there are two of a kind."""
    units = one.sampling_units
    size = f"of {units.unit_instructions:,} instructions"
    kinds = ((size, units.by_instructions), ("of a CTA's life", units.by_cta_life))
    rows = [_units(name, of, one) for name, of in kinds if of.units > 1]
    if rows:
        page.heading("units for sampling")
        page.table(("units", "number", "mean IPC", "variation"), rows)
        page.line("variation: the coefficient of variation, deviation over mean")


def _units(name: str, of: UnitFigures, one: MachineSimulation) -> tuple[str, ...]:
    mark = one.marks["sampling_units.by_cta_life.mean_ipc"]
    return (
        name,
        figure(of.units, mark),
        figure(of.mean_ipc, mark),
        figure(of.ipc_coefficient_of_variation, mark),
    )


def sm_section(one: MachineSimulation, page: Page) -> None:
    """Show each SM."""
    page.heading(f"SMs: {plural(len(one.per_sm), 'SM')}")
    marks = one.marks
    rows = [
        (
            str(sm.sm),
            figure(sm.ctas, marks["per_sm.ctas"]),
            figure(sm.warp_instructions, marks["per_sm.warp_instructions"]),
            figure(sm.warp_ipc, marks["per_sm.warp_ipc"]),
            figure(sm.resident_warps, marks["per_sm.resident_warps"]),
            figure(sm.end_cycle, marks["per_sm.end_cycle"]),
        )
        for sm in one.per_sm
    ]
    page.table(("SM", "CTAs", "by warps", "IPC", "warps", "ends"), rows)
