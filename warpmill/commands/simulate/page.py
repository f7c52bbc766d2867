"""The page of ``simulate``: what a profiler shows, section by section, for each machine."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.commands.simulate.launch import SimulatedLaunch, SimulatedLaunchFigures
from warpmill.commands.simulate.machine import MachineSimulation
from warpmill.commands.simulate.memory import CacheFigures, RateFigures
from warpmill.commands.simulate.result import SimulateReport
from warpmill.commands.simulate.stalls import InstructionStalls, StalledPart
from warpmill.commands.simulate.time_page import (
    occupancy_section,
    sampling_section,
    sm_section,
    tail_section,
    time_section,
)
from warpmill.report.assumed_words import add_assumed_values, assumed_lines
from warpmill.report.page import UNKNOWN, Page, figure, percent, size
from warpmill.report.words import dimensions, kernel_lines, launch_lines, lines_of, place, plural
from warpmill.simulator.resources import WARP_STATES

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
        waves = plural(report.options.rounds, "wave")
        lines.append(("sampled", f"{waves} of CTAs of each launch, continued in a line"))
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
    page.heading("utilization")
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
    figures: SimulatedLaunchFigures,
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


# What the page of ``simulate`` says its figures rest on.

_ASSUMPTIONS = 5


def notes(one: MachineSimulation, page: Page) -> None:
    """Say what the figures rest on; with everything, each SM and the events too."""
    if page.style.verbose:
        sm_section(one, page)
        _events(one, page)
    most = None if page.style.verbose else _ASSUMPTIONS
    page.heading("assumptions and provenance")
    traces = dict.fromkeys(f"{x.trace}: {x.trace_reason}" for x in one.launches)
    page.facts([("traces", "; ".join(traces))])
    page.line(f"assumptions of the traces: {len(one.assumptions) or 'none'}")
    page.items(one.assumptions, most, " (--verbose)")
    if one.unknown_accesses:
        number = figure(one.unknown_accesses, one.marks["unknown_accesses"])
        page.line(f"accesses of warps at unknown addresses, spread over their buffer: {number}")
    page.line(f"classes without a model: {_unmodelled(one)}")
    page.line("left out of the model:")
    page.items(one.simplifications)
    for words in one.beyond_machine:
        page.line(f"warning: {words}, so this simulation is wrong: please report it")
    for note in dict.fromkeys(n for x in one.launches for n in x.occupancy.notes):
        page.line(f"note: {note}")
    add_assumed_values(one.machine, one.assumed_values, page)


def _unmodelled(one: MachineSimulation) -> str:
    found = [
        f"{u.op_class} ({plural(u.warp_instructions, 'warp instruction')})" for u in one.unmodelled
    ]
    return ", ".join(found) or "none"


def _events(one: MachineSimulation, page: Page) -> None:
    page.heading("events of an energy model")
    mark = one.marks["events"]
    rows = [(name.replace("_", " "), figure(n, mark)) for name, n in one.events.items()]
    page.table(("event", "number"), rows)


# How the page of ``simulate`` shows caches, DRAM, shared memory and latencies.

_NAMES = {
    "l1": "L1",
    "const": "constants",
    "tex": "textures",
    "icache": "instructions",
    "l2": "L2",
}
_PARAMETERS = ("param", "const")
"""Memory whose latencies are shown with everything only."""


def memory_section(one: MachineSimulation, page: Page) -> None:
    """Show each level, then DRAM and shared memory."""
    page.heading("memory")
    rows = [_cache(cache, one) for cache in one.caches]
    header = ("", "accesses", "hits", "pending", "misses", "hit rate", "bytes", "GB/s")
    if rows:
        page.table(header, rows)
    page.facts(_facts(one))


def _cache(cache: CacheFigures, one: MachineSimulation) -> tuple[str, ...]:
    marks = one.marks
    return (
        _NAMES[cache.level],
        figure(cache.accesses, marks["caches.accesses"]),
        figure(cache.hits, marks["caches.hits"]),
        figure(cache.pending, marks["caches.pending"]),
        figure(cache.misses, marks["caches.misses"]),
        percent(cache.hit_fraction, marks["caches.hit_fraction"]),
        size(cache.bytes, marks["caches.bytes"]),
        figure(cache.gb_per_s, marks["caches.gb_per_s"]),
    )


def _facts(one: MachineSimulation) -> list[tuple[str, str]]:
    return [*_moved(one), *_dram(one), *_shared(one)]


def _moved(one: MachineSimulation) -> list[tuple[str, str]]:
    moved, mark = one.moved, one.marks["moved.read_sectors"]
    sectors = f"sectors of {figure(moved.sector_bytes)} B"
    asked = f"{figure(moved.read_sectors, mark)} read, {figure(moved.write_sectors, mark)} written"
    if moved.atomic_sectors:
        asked += f", {figure(moved.atomic_sectors, mark)} atomic"
    lines = [("L2 traffic", f"{sectors}: {asked}")]
    if moved.l2_write_backs:
        lines.append(("L2 write-backs", f"{figure(moved.l2_write_backs, mark)} sectors"))
    return lines


def _dram(one: MachineSimulation) -> list[tuple[str, str]]:
    dram, marks = one.dram, one.marks
    if not dram.bytes:
        return [("DRAM", "no access")]
    reads = figure(dram.reads, marks["dram.reads"])
    writes = figure(dram.writes, marks["dram.writes"])
    rate = figure(dram.gb_per_s, marks["dram.gb_per_s"])
    moved = f"{size(dram.bytes, marks['dram.bytes'])}, {rate} GB/s"
    rows = percent(dram.row_hit_fraction, marks["dram.row_hit_fraction"])
    busy = percent(dram.busy_fraction, marks["dram.busy_fraction"])
    wait = figure(dram.mean_wait_cycles, marks["dram.mean_wait_cycles"])
    return [
        ("DRAM", f"{reads} sectors read, {writes} written: {moved}"),
        ("DRAM rows", f"open at {rows} of accesses; buses busy {busy} of the time"),
        ("DRAM requests", f"{wait} cycles each, on average"),
    ]


def _shared(one: MachineSimulation) -> list[tuple[str, str]]:
    shared, marks = one.shared, one.marks
    if not shared.accesses:
        return []
    accesses = figure(shared.accesses, marks["shared.accesses"])
    passes = figure(shared.passes, marks["shared.passes"])
    conflicts = figure(shared.bank_conflicts, marks["shared.bank_conflicts"])
    words = f"{accesses} accesses of warps in {passes} wavefronts, {conflicts} bank conflicts"
    return [("shared memory", words)]


def latency_section(report: SimulateReport, one: MachineSimulation, page: Page) -> None:
    """Show how long accesses took, those with most cycles in all first."""
    measured = [x for x in one.instructions if x.latency is not None]
    if not page.style.verbose:
        measured = [x for x in measured if x.space not in _PARAMETERS]
    if not measured:
        return
    page.heading(f"latency of memory instructions in cycles: {len(measured)}")
    costliest = sorted(measured, key=_whole, reverse=True)
    rows = [_latency(x, report.kernels[0].file, one) for x in costliest]
    header = ("line", "opcode", "accesses", "sectors", "mean", "p50", "p90", "p99")
    page.table(header, page.few(rows, TOP), left=(0, 1), wrap=(0, 1))
    page.rest(rows, TOP)


def _whole(one: InstructionStalls) -> float:
    return 0.0 if one.latency is None else one.latency.accesses * one.latency.mean_cycles


def _latency(x: InstructionStalls, file: str, one: MachineSimulation) -> tuple[str, ...]:
    assert x.latency is not None
    of, mark = x.latency, one.marks["instructions.latency.mean_cycles"]
    return (
        place(x.place, file),
        x.opcode,
        figure(of.accesses, one.marks["instructions.latency.accesses"]),
        figure(x.sectors or None, one.marks["instructions.sectors"]),
        *(
            figure(c, mark, digits=0)
            for c in (of.mean_cycles, of.p50_cycles, of.p90_cycles, of.p99_cycles)
        ),
    )


# How the page of ``simulate`` shows where warps spend their cycles.

TOP = 10
"""Rows of a table that are shown where not all are."""


def stall_section(one: MachineSimulation, page: Page) -> None:
    """Show what warps wait for, the most first."""
    page.heading("warp stall reasons")
    marks = one.marks
    ranked = sorted(one.stalls, key=lambda s: -s.warp_cycles)
    rows = [
        (
            stall.reason,
            figure(stall.warp_cycles, marks["stalls.warp_cycles"]),
            percent(stall.fraction, marks["stalls.fraction"]),
            stall.reason.meaning,
        )
        for stall in ranked
        if stall.warp_cycles or page.style.verbose
    ]
    page.table(("reason", "warp cycles", "share", "description"), rows, left=(0, 3), wrap=(3,))


def line_sections(report: SimulateReport, one: MachineSimulation, page: Page) -> None:
    """Show the lines that warps wait at most, and functions where any were inlined."""
    file = report.kernels[0].file
    names = [kernel.demangled for kernel in report.kernels]
    lines = [(place(x.place, file), x.opcode, *_cells("lines", x, one)) for x in one.lines]
    _ranked(f"lines: {len(lines):,}, those with most stalls first", ("line", "opcode"), lines, page)
    page.line("stalled: cycles of warps that wait to issue, here and not where they wait for")
    if any(function.copies for function in one.functions):
        functions = [
            (x.demangled, _copies(x.copies), *_cells("functions", x, one)) for x in one.functions
        ]
        _ranked(f"functions: {len(functions):,}", ("function", "copies"), functions, page)
    if page.style.verbose:
        blocks = [(x.label, names[x.kernel], *_cells("blocks", x, one)) for x in one.blocks]
        _ranked(f"blocks: {len(blocks):,}", ("block", "kernel"), blocks, page)


def _copies(copies: int) -> str:
    return "the kernel" if not copies else f"{copies:,}"


_COUNTS = ("issued", "stalled", "share", "mostly")


def _ranked(
    title: str, names: tuple[str, str], rows: Sequence[tuple[str, ...]], page: Page
) -> None:
    page.heading(title)
    header = (*names, *_COUNTS)
    last = len(header) - 1
    page.table(header, page.few(rows, TOP), left=(0, 1, last), wrap=(0, 1))
    page.rest(rows, TOP)


def _cells(part: str, one: StalledPart, simulation: MachineSimulation) -> tuple[str, ...]:
    marks = simulation.marks
    return (
        figure(one.issues, marks[f"{part}.issues"]),
        figure(one.stall_cycles, marks[f"{part}.stall_cycles"]),
        percent(one.stall_fraction, marks[f"{part}.stall_fraction"]),
        WARP_STATES[max(one.stalls, key=one.stalls.__getitem__)] if one.stalls else UNKNOWN,
    )
