"""The page of ``simulate``: what a profiler shows, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.base.naming import base_name
from warpmill.commands.simulate.plot import gigabytes, rates
from warpmill.commands.simulate.result import MachineSimulation, SimulateReport
from warpmill.report.assumed import add_assumed_values, assumed_lines
from warpmill.report.page import Page, figure, percent
from warpmill.report.sections import (
    Charts,
    Comparison,
    Each,
    Repeated,
    Section,
    Shown,
    Special,
    Table,
)
from warpmill.report.words import dimensions, kernel_lines, launch_lines, lines_of, plural
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import LaunchResult, Throughput
from warpmill.simulator.resources import SIMULATED_STATES

if TYPE_CHECKING:
    from warpmill.report.charts import Chart
    from warpmill.report.source_view import SourceListing

_INTERVALS = 8
"""Rows that the time of a simulation is shown in."""

_ASSUMPTIONS, _FINDINGS = 5, 3
"""Lines of lists that are shown where not everything is asked for."""

_LEVELS = {
    "l1": "L1",
    "const": "constants",
    "tex": "textures",
    "icache": "instructions",
    "l2": "L2",
}
_PARAMETERS = ("param", "const")
"""Memory whose latencies are shown with everything only."""


def charts(report: SimulateReport) -> Iterator[Chart]:
    """The charts of the simulations, machines side by side."""
    from warpmill.report.timing_charts import simulation_charts  # noqa: PLC0415 - HTML alone has them

    found = [one.result for one in report.simulations]
    return simulation_charts([one.machine for one in found], found)


def source(report: SimulateReport) -> Iterator[SourceListing]:
    """The lines of each kernel by warp cycles and stalls, on the first of the machines."""
    from warpmill.report.source_view import LineCosts, source_listing  # noqa: PLC0415 - HTML alone has it

    first = report.simulations[0]
    whole = sum(first.result.stalls) or 1
    for number, job in enumerate(first.done.plan.kernels):
        costs = (
            (
                job.kernel.blocks[one.block].instructions[one.instruction],
                LineCosts(sum(one.stalls) / whole, one.warp_instructions, one.stall_cycles / whole),
            )
            for one in first.result.instructions
            if one.kernel == number
        )
        title = f"{job.kernel.name}: lines by warp cycles on {first.result.machine}"
        found = source_listing(job.loaded, costs, title)
        if found is not None:
            yield found


def _head(page: Page, report: SimulateReport) -> None:
    """Title, launches and the answer of a simulation."""
    results = [one.result for one in report.simulations]
    on = ", ".join(one.machine for one in results)
    named = f"{on} ({results[0].machine_name})" if len(results) == 1 else on
    page.title(f"simulate: {_what(report)} on {named}")
    page.facts([*_how(report), *assumed_lines(report.assumed)])
    page.blank()
    told = [" ".join(one.answer) for one in report.simulations]
    if len(told) == 1:
        page.line(told[0])
    else:
        page.items(told)


def _what(report: SimulateReport) -> str:
    if len(report.launches) == 1:
        return report.kernels[0].demangled
    of = plural(len(report.kernels), "kernel")
    return f"{plural(len(report.launches), 'launch')} of {of}"


def _how(report: SimulateReport) -> list[tuple[str, str]]:
    options, found = report.options, [("target", report.target), ("launches", report.order)]
    if len(report.launches) == 1:
        found = launch_lines(report.launches[0].facts)
    if options.l2 == "warm":
        found.append(("caches", "L2 begins with what it can hold of the buffers"))
    if len(report.launches) > 1:
        kept = [*(["L1"] if options.keep_l1 else []), *([] if options.flush_l2 else ["L2"])]
        found.append(("between launches", f"kept in caches: {', '.join(kept) or 'none'}"))
    if options.waves is not None and any(one.result.sampled for one in report.simulations):
        waves = plural(options.waves, "wave")
        found.append(("sampled", f"{waves} of CTAs of each launch, extrapolated linearly"))
    if report.overrides:
        found.append(("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())))
    return found + [(x.machine, f"not simulated: {x.reason}") for x in report.not_simulated]


def _of_peak(one: Throughput) -> str:
    """How near a rate is to the machine's most: ``30.6% of 1,555 GB/s``."""
    if one.peak is None:
        return f"{figure(one.rate)} {one.unit}"
    peak = figure(one.peak, Mark.ASSUMED if one.peak_assumed else None)
    return f"{percent(one.fraction)} of {peak} {one.unit}"


def _simulated_cycles(result: SimResult) -> str | None:
    return f"{figure(result.simulated_cycles)}; all below is of them" if result.sampled else None


def _shared(result: SimResult) -> str | None:
    if not result.shared_requests:
        return None
    requests, wavefronts = figure(result.shared_requests), figure(result.shared_wavefronts)
    conflicts = figure(result.bank_conflicts)
    return f"{requests} requests, {wavefronts} wavefronts, {conflicts} bank conflicts"


def _some(number: float) -> str | None:
    return figure(number) if number else None


COMPARED = (
    Comparison("GPU Speed of Light", (
        "result.time_us", "result.cycles",
        Shown("result", "Simulated cycles", words=_simulated_cycles),
        "result.warp_instructions", Shown("result.thread_instructions", detail=True),
        "result.warp_ipc", "result.warp_ipc_per_sm", Shown("result.thread_ipc", detail=True),
        Each("result.throughputs", "resource", Shown("", words=_of_peak)),
    ), of="simulations", head="result.machine"),
    Comparison("Memory workload", (
        "result.l1_hit_fraction", "result.l2_bytes", "result.l2_hit_fraction",
        "result.dram_bytes", "result.dram_gb_per_s", "result.dram.row_hit_fraction",
        "result.dram.busy_fraction", "result.dram.mean_wait_cycles",
        Shown("result.l2_write_backs", words=_some),
        Shown("result", "Shared memory", words=_shared),
    ), of="simulations", head="result.machine"),
    Comparison("Occupancy", (
        "result.achieved_occupancy_fraction", "result.achieved_warps_per_sm",
        "result.occupancy_fraction", "result.warp_slots_per_sm", "result.limiting",
    ), of="simulations", head="result.machine"),
)  # fmt: skip


def _is_one_launch(one: MachineSimulation) -> bool:
    return len(one.result.launches) == 1


def _number(launch: LaunchResult) -> str:
    return str(launch.number if launch.place is None else launch.place)


def _hits(level: str) -> Callable[[LaunchResult], str | None]:
    def hit_rate(launch: LaunchResult) -> str | None:
        found = None if launch.alone is None else launch.alone.cache(level)
        return None if found is None else percent(found.hit_fraction)

    return hit_rate


def _findings(page: Page, one: MachineSimulation) -> None:
    """Further findings, behind the first, which the answer names."""
    others = [f"{found.rule}: {found.text}" for found in one.findings[1:]]
    if others:
        page.heading("Rules", one.result.modelled.value)
        page.items(others, None if page.style.verbose else _FINDINGS, " (--verbose)")


def _over_time(page: Page, one: MachineSimulation) -> None:
    """Rates over time, in a few intervals; of all SMs together."""
    result, bins = one.result, len(one.result.timeline.warp_instructions)
    if bins < 2:
        return
    over = rates(result, -(-bins // _INTERVALS))
    moved = (gigabytes(result, x) for x in (over.l1_sectors, over.l2_sectors, over.dram_sectors))
    columns = (over.edges[:-1], over.ipc, over.resident_ctas, over.resident_warps, *moved)
    each = zip(*(column.tolist() for column in columns), strict=True)
    rows = [(f"{begin:,}", *map(figure, values)) for begin, *values in each]
    page.heading("Over time", result.modelled.value)
    header = ("from cycle", "IPC", "resident CTAs", "resident warps")
    page.table((*header, "L1 GB/s", "L2 GB/s", "DRAM GB/s"), rows)


_STALLED = (
    "warp_instructions", "stall_cycles", "stall_fraction", Shown("main_reason", "Stall reason"),
)  # fmt: skip

MACHINE: tuple[Section, ...] = (
    Special(_findings),
    Table("Warp state statistics", "result.warp_states", (
        Shown("state", "Warp state"), "warp_cycles", "fraction",
        Shown("state", "Description", words=lambda state: state.meaning),
    ), top=len(SIMULATED_STATES), left=(0, 3), wrap=(3,), order=lambda one: one.warp_cycles,
        chosen=lambda one: one.warp_cycles > 0),
    Table("Source counters", "lines", (Shown("line", "Line"), "opcode", *_STALLED),
        left=(0, 1, 5), wrap=(0, 1)),
    Table("Source counters by function", "functions", ("demangled", "copies", *_STALLED),
        left=(0, 5), wrap=(0,), when=lambda one: any(found.copies for found in one.functions)),
    Table("Source counters by basic block", "blocks", (
        "label", Shown("kernel_name", "Kernel", words=base_name), *_STALLED,
    ), left=(0, 1, 5), wrap=(0, 1), detail=True),
    Table("Caches", "result.caches", (
        Shown("level", "Cache", words=lambda level: _LEVELS[level]), "accesses", "hits", "pending",
        "misses", "hit_fraction", "bytes",
    ), chosen=lambda cache: cache.accesses > 0),
    Table("Latency of memory instructions, cycles", "instructions", (
        Shown("line", "Line"), "opcode", "result.latency.accesses",
        Shown("result.sectors", words=_some), "result.latency.mean_cycles",
        "result.latency.p50_cycles", "result.latency.p90_cycles", "result.latency.p99_cycles",
    ), left=(0, 1), wrap=(0, 1), order=lambda one: one.result.latency_cycles,
        chosen=lambda one: one.result.completed > 0,
        main=lambda one: one.space not in _PARAMETERS),
    Comparison("Launch statistics", (
        "registers.registers_per_thread",
        Shown("registers.source", words=lambda source: source.partition(" (")[0]),
        "registers.spilled.store_bytes",
        "registers.spilled.load_bytes",
        "shared_bytes", "occupancy.ctas_per_sm", "occupancy.warps_per_sm",
        Shown("occupancy.limits", detail=True),
    ), of="result.launches", head="name", when=_is_one_launch),
    Table("Launches", "result.launches", (
        Shown("", "Number", words=_number), Shown("kernel", words=base_name),
        Shown("stream", "Stream", detail=True), Shown("grid", "Grid", words=dimensions),
        Shown("block", "Block", words=dimensions, detail=True), "begin_cycle", "cycles", "time_us",
        "warp_ipc", Shown("", "L1 hit rate", words=_hits("l1")),
        Shown("", "L2 hit rate", words=_hits("l2")),
    ), top=12, left=(1,), wrap=(1,), when=lambda one: not _is_one_launch(one)),
    Special(_over_time),
    Comparison("Tail", (
        "result.tail.begin_cycle", "result.tail.cycles", "result.tail_fraction",
        "result.tail.adjusted_cycles",
    )),
    Table("SMs", "result.per_sm", (
        Shown("sm", "SM"), "ctas", "warp_instructions", "warp_ipc", "resident_warps", "end_cycle",
    ), detail=True),
)  # fmt: skip


def _machine(one: MachineSimulation) -> str:
    return f"{one.result.machine} ({one.result.machine_name})"


def _rests_on(page: Page, report: SimulateReport) -> None:
    """Assumptions and provenance, last and short; what all machines share is said once."""
    page.heading("Assumptions and provenance")
    results = [one.result for one in report.simulations]
    traces = _ordered(f"{x.trace}: {x.trace_reason}" for x in results[0].launches)
    if len(report.launches) == 1:
        of = kernel_lines(report.kernels[0])
    else:
        of = [("lines are of", f"{lines_of(report.kernels[0])}, where no file is named")]
    page.facts([*of, ("trace", "; ".join(traces))])
    assumptions = _ordered(a for r in results for a in r.assumptions)
    if assumptions:
        page.line(f"assumptions of the trace: {len(assumptions)}")
        page.items(assumptions, None if page.style.verbose else _ASSUMPTIONS, " (--verbose)")
    for result in results:
        _of_machine(page, result)
    if page.style.verbose:
        page.line("left out of the model:")
        page.items(_ordered(s for r in results for s in r.simplifications))
    for result in results:
        add_assumed_values(result.machine, result.assumed_values, page)


def _of_machine(page: Page, result: SimResult) -> None:
    on = result.machine
    if result.unknown_accesses:
        accesses = figure(result.unknown_accesses, result.counted)
        page.line(f"{on}: accesses at unknown addresses, spread over their buffer: {accesses}")
    unmodelled = [
        f"{u.op_class} ({plural(u.warp_instructions, 'warp instruction')})"
        for u in result.unmodelled
    ]
    if unmodelled:
        page.line(f"{on}: classes without a model: {', '.join(unmodelled)}")
    for words in result.beyond_machine:
        page.line(f"warning: {on}: {words}, so this simulation is wrong: please report it")
    for note in _ordered(n for x in result.launches for n in x.occupancy.notes):
        page.line(f"note: {on}: {note}")


def _ordered(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


PAGE = (
    Special(_head),
    Charts("warpmill.commands.simulate.page:charts"),
    Charts("warpmill.commands.simulate.page:source"),
    *COMPARED,
    Repeated("simulations", MACHINE, _machine, apart=True),
    Special(_rests_on),
)
