"""The page of ``simulate``: what a profiler shows, section by section, for each machine."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.reports.simulate import SimulateReport
from warpmill.reports.simulate_launch import LaunchFigures, SimulatedLaunch
from warpmill.reports.simulate_machine import MachineSimulation
from warpmill.reports.simulate_memory import RateFigures
from warpmill.views.assumed_words import assumed_lines
from warpmill.views.page import Page, figure, percent
from warpmill.views.simulate_memory_text import latency_section, memory_section
from warpmill.views.simulate_notes_text import notes
from warpmill.views.simulate_stall_text import (
    line_sections,
    stall_section,
)
from warpmill.views.simulate_time_text import (
    occupancy_section,
    sampling_section,
    tail_section,
    time_section,
)
from warpmill.views.words import dimensions, kernel_lines, launch_lines, lines_of, plural

_FEW = 12


def simulate_page(report: SimulateReport, page: Page) -> None:
    """Show the simulation on each machine."""
    for simulation in report.simulations:
        _simulation(report, simulation, page)


def _simulation(report: SimulateReport, one: MachineSimulation, page: Page) -> None:
    page.title(f"simulate: {_what(report)} on {one.machine} ({one.machine_name})")
    page.facts([*_heads(report), *_missing(report)])
    page.heading("summary")
    page.facts(_summary(one))
    _rates(one, page)
    stall_section(one, page)
    line_sections(report, one, page)
    memory_section(one, page)
    latency_section(report, one, page)
    occupancy_section(one, page)
    time_section(one, page)
    _launches(report, one, page)
    tail_section(one, page)
    sampling_section(one, page)
    notes(one, page)


def _what(report: SimulateReport) -> str:
    if len(report.launches) == 1:
        return report.kernels[0].demangled
    of = plural(len(report.kernels), "kernel")
    return f"{plural(len(report.launches), 'launch')} of {of}"


def _heads(report: SimulateReport) -> list[tuple[str, str]]:
    """Say what was simulated and how."""
    lines: list[tuple[str, str]] = []
    if len(report.launches) == 1:
        lines += [*kernel_lines(report.kernels[0]), *launch_lines(report.launches[0].facts)]
    else:
        lines += [("target", report.target), ("launches", report.options.order)]
        where = f"{lines_of(report.kernels[0])}, where no file is named"
        lines.append(("lines are of", where))
    caches = ""
    if len(report.launches) > 1:
        kept = [name for name in ("L1", "L2") if getattr(report.options, f"keep_{name.lower()}")]
        caches = f"; kept from launch to launch: {', '.join(kept) or 'none'}"
    warm = report.options.warm_l2
    begin = "L2 begins with what it can hold of the buffers" if warm else "they begin empty"
    lines.append(("caches", f"{begin}{caches}"))
    if report.options.rounds is not None:
        rounds = plural(report.options.rounds, "round")
        lines.append(("sampled", f"{rounds} of CTAs of each launch, continued in a line"))
    if report.overrides:
        lines.append(("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())))
    return [*lines, *assumed_lines(report.assumed)]


def _missing(report: SimulateReport) -> list[tuple[str, str]]:
    return [(one.machine, f"not simulated: {one.reason}") for one in report.not_simulated]


def _summary(one: MachineSimulation) -> list[tuple[str, str]]:
    marks = one.marks
    cycles = figure(one.cycles, marks["cycles"], digits=0)
    clock = figure(one.clock_mhz, marks["clock_mhz"])
    by_warps = figure(one.warp_instructions, marks["warp_instructions"])
    by_threads = figure(one.thread_instructions, marks["thread_instructions"])
    ipc = figure(one.warp_ipc, marks["warp_ipc"])
    each = figure(one.warp_ipc_per_sm, marks["warp_ipc_per_sm"])
    threads = figure(one.thread_ipc, marks["thread_ipc"])
    time = figure(one.time_us, marks["time_us"])
    lines = [("time", f"{time} µs: {cycles} cycles at {clock} MHz")]
    if one.sampled:
        simulated = figure(one.simulated_cycles, marks["simulated_cycles"])
        lines.append(("simulated", f"{simulated} of these cycles; all below is of them"))
    return [
        *lines,
        ("instructions", f"{by_warps} by warps, {by_threads} by threads"),
        ("IPC", f"{ipc} by warps ({each} an SM), {threads} by threads"),
        ("issue slots", f"{percent(one.issue.fraction, marks['issue.fraction'])} used"),
    ]


_UNITS = {"IPC": "warp instructions a cycle"}


def _rates(one: MachineSimulation, page: Page) -> None:
    page.heading("utilisation")
    rows = [_rate(rate) for rate in one.rates]
    page.table(("", "rate", "peak", "share", "unit"), rows, left=(0, 4))


def _rate(rate: RateFigures) -> tuple[str, ...]:
    return (
        rate.resource,
        figure(rate.rate, rate.marks["rate"]),
        figure(rate.peak, rate.marks["peak"]),
        percent(rate.fraction, rate.marks["fraction"]),
        _UNITS.get(rate.unit, rate.unit),
    )


def _launches(report: SimulateReport, one: MachineSimulation, page: Page) -> None:
    """Show launches as a table, where there are several."""
    if len(report.launches) < 2:
        return
    page.heading(f"launches: {len(report.launches):,}")
    has_streams = len({launch.stream for launch in report.launches}) > 1
    names = [kernel.demangled for kernel in report.kernels]
    pairs = zip(report.launches, one.launches, strict=True)
    rows = [_launch(a, names, b, one, has_streams=has_streams) for a, b in pairs]
    more = ("stream",) if has_streams else ("L1", "L2")
    header = ("n", "kernel", "grid", "block", "begin", "cycles", "µs", "IPC", *more)
    page.table(header, page.few(rows, _FEW), left=(1,), wrap=(1,))
    page.rest(rows, _FEW)
    page.line("begin: first cycle; IPC: by warps" + ("" if has_streams else "; L1, L2: hit rates"))


def _launch(
    launch: SimulatedLaunch,
    names: Sequence[str],
    figures: LaunchFigures,
    one: MachineSimulation,
    *,
    has_streams: bool,
) -> tuple[str, ...]:
    marks, facts = one.marks, launch.facts
    hits = {cache.level: cache.hit_fraction for cache in figures.caches or ()}
    mark = marks["launches.caches.hit_fraction"]
    more = (str(launch.stream),) if has_streams else (percent(hits.get(x), mark) for x in _LEVELS)
    return (
        str(launch.number if facts.place is None else facts.place.number),
        names[launch.kernel],
        dimensions(facts.grid),
        dimensions(facts.block),
        figure(figures.begin_cycle, marks["launches.begin_cycle"]),
        figure(figures.cycles, marks["launches.cycles"], digits=0),
        figure(figures.time_us, marks["launches.time_us"]),
        figure(figures.warp_ipc, marks["launches.warp_ipc"]),
        *more,
    )


_LEVELS = ("l1", "l2")
