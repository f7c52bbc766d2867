"""How the page of ``simulate`` shows caches, DRAM, shared memory and latencies."""

from __future__ import annotations

from warpmill.reports.simulate import SimulateReport
from warpmill.reports.simulate_machine import MachineSimulation
from warpmill.reports.simulate_memory import CacheFigures
from warpmill.reports.simulate_stalls import InstructionStalls
from warpmill.views.page import Page, figure, percent, size
from warpmill.views.simulate_stall_text import TOP
from warpmill.views.words import place

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
    lines = [("SMs asked for", f"{sectors}: {asked}")]
    if moved.l2_write_backs:
        lines.append(("L2 wrote back", f"{figure(moved.l2_write_backs, mark)} sectors"))
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
    words = f"{accesses} accesses of warps in {passes} passes, {conflicts} bank conflicts"
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
