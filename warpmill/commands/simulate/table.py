"""The rows of ``simulate`` as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from warpmill.commands.simulate.machine import MachineSimulation
from warpmill.commands.simulate.result import SimulateReport
from warpmill.commands.simulate.stalls import StalledPart
from warpmill.commands.simulate.time import UnitFigures
from warpmill.report.base import Part
from warpmill.report.facts import SourcePlace
from warpmill.report.table import CsvRow, CsvTable
from warpmill.simulator.gpu.fields import REASONS

_STALLS = tuple(reason for reason in REASONS if reason != "selected")

COLUMNS = (
    "machine", "kind", "name", "kernel", "launch", "grid", "block", "instruction", "sm", "file",
    "line", "key", "value", "unit", "begin_cycle", "end_cycle", "cycles", "time_us", "ctas",
    "warp_instructions", "thread_instructions", "warp_ipc", "resident_warps", "issues",
    "thread_issues", "stall_cycles", "fraction", *_STALLS, "sectors", "l1_hits", "shared_passes",
    "accesses", "mean_cycles", "p50_cycles", "p90_cycles", "p99_cycles", "reason", "mark",
)  # fmt: skip

_TOTALS = (
    ("cycles", "cycles"),
    ("time_us", "µs"),
    ("simulated_cycles", "cycles"),
    ("clock_mhz", "MHz"),
    ("sms", "SMs"),
    ("warp_instructions", "instructions"),
    ("thread_instructions", "instructions"),
    ("warp_ipc", "instructions/cycle"),
    ("thread_ipc", "instructions/cycle"),
    ("unknown_accesses", "accesses"),
)


def simulate_rows(report: SimulateReport) -> Iterator[CsvRow]:
    """Give a row for each thing that was found, machine by machine; ``kind`` says what it is."""
    for one in report.simulations:
        for row in _simulation(report, one):
            yield {"machine": one.machine, "mark": one.marks["cycles"].value, **row}
    for missing in report.not_simulated:
        yield {"kind": "not simulated", **missing.flat(), "mark": "exact"}


def _simulation(report: SimulateReport, one: MachineSimulation) -> Iterator[CsvRow]:
    yield from _values(one)
    yield from _launches(report, one)
    for stall in one.stalls:
        row = {"kind": "stall", "name": stall.reason.key, "key": "warp_cycles", "unit": "cycles"}
        yield {**row, "value": stall.warp_cycles, "fraction": stall.fraction}
    yield from _places(report, one)
    for sm in one.per_sm:
        yield {"kind": "sm", **sm.flat()}
    yield from _time(one)


def _values(one: MachineSimulation) -> Iterator[CsvRow]:
    """Give the figures that stand alone, by key."""
    for key, unit in _TOTALS:
        mark = one.marks[key].value
        yield {"kind": "total", "key": key, "value": getattr(one, key), "unit": unit, "mark": mark}
    for rate in one.rates:
        row = {"kind": "rate", "name": rate.resource.key, "unit": rate.unit}
        yield {**row, "key": "rate", "value": rate.rate, "fraction": rate.fraction}
        peak = {"key": "peak", "value": rate.peak, "mark": rate.marks["peak"].value}
        yield {**row, **peak}
    for cache in one.caches:
        yield from _keys("cache", cache, "caches", one, name=cache.level)
    for kind in ("issue", "occupancy", "moved", "dram", "shared", "tail"):
        yield from _keys(kind, getattr(one, kind), kind, one)
    for name, count in one.events.items():
        yield {"kind": "event", "name": name, "value": count, "mark": one.marks["events"].value}
    for unmodelled in one.unmodelled:
        count = unmodelled.warp_instructions
        mark = one.marks["unmodelled.warp_instructions"].value
        name = unmodelled.op_class
        yield {"kind": "unmodelled", "name": name, "warp_instructions": count, "mark": mark}


def _keys(
    kind: str, part: Part, path: str, one: MachineSimulation, name: str | None = None
) -> Iterator[CsvRow]:
    """Give a row for each number of a part, whose marks stand under ``path``."""
    for key, value in part.flat().items():
        if isinstance(value, int | float):
            mark = one.marks[f"{path}.{key}"].value
            row = {"kind": kind, "name": name, "key": key, "value": value}
            yield {**row, "unit": _unit(key), "mark": mark}


_UNITS = {"cycles": "cycles", "cycle": "cycle", "bytes": "B", "gb_per_s": "GB/s"}


def _unit(key: str) -> str | None:
    """Give the unit that a key ends with; None: it counts, or is a share."""
    return next((unit for end, unit in _UNITS.items() if key.endswith(end)), None)


def _launches(report: SimulateReport, one: MachineSimulation) -> Iterator[CsvRow]:
    for launch, figures in zip(report.launches, one.launches, strict=True):
        yield {
            "kind": "launch",
            "name": launch.facts.name,
            "kernel": report.kernels[launch.kernel].name,
            "launch": launch.number,
            "grid": " x ".join(map(str, launch.facts.grid)),
            **figures.flat(only=set(COLUMNS)),
            "ctas": figures.ctas_simulated,
        }


def _places(report: SimulateReport, one: MachineSimulation) -> Iterator[CsvRow]:
    names = [kernel.name for kernel in report.kernels]
    for line in one.lines:
        yield {**_stalled("line", line, names), "name": line.opcode, **_place(line.place)}
    for block in one.blocks:
        row = _stalled("block", block, names)
        yield {**row, "name": block.label, "block": block.block, **_place(block.place)}
    for function in one.functions:
        yield {**_stalled("function", function, names), "name": function.name}
    for x in one.instructions:
        row = {**_stalled("instruction", x, names), "name": x.opcode, **_place(x.place)}
        yield {
            **row,
            **x.flat(only={"block", "instruction", "sectors", "l1_hits", "shared_passes"}),
            **({} if x.latency is None else x.latency.flat(but={"histogram"})),
        }


def _stalled(kind: str, part: StalledPart, names: list[str]) -> dict[str, Any]:
    return {
        "kind": kind,
        "kernel": names[part.kernel],
        "issues": part.issues,
        "thread_issues": part.thread_issues,
        "stall_cycles": part.stall_cycles,
        "fraction": part.stall_fraction,
        **{reason: part.stalls.get(reason, 0) for reason in _STALLS},
    }


def _place(place: SourcePlace | None) -> CsvRow:
    return {} if place is None else {"file": place.file, "line": place.line}


def _time(one: MachineSimulation) -> Iterator[CsvRow]:
    units = one.sampling_units
    yield from _units("unit of instructions", units.by_instructions)
    yield from _units("unit of a CTA's life", units.by_cta_life)
    timeline = one.timeline
    for k, issued in enumerate(timeline.warp_instructions):
        yield {
            "kind": "time",
            "begin_cycle": k * timeline.bin_cycles,
            "end_cycle": (k + 1) * timeline.bin_cycles,
            "warp_instructions": issued,
            "resident_warps": timeline.resident_warps[k],
            "ctas": timeline.resident_ctas[k],
            "sectors": timeline.l1_sectors[k],
        }


def _units(kind: str, of: UnitFigures) -> Iterable[CsvRow]:
    for begin, end, issued in zip(of.begin_cycle, of.end_cycle, of.warp_instructions, strict=True):
        cycles = end - begin
        yield {
            "kind": kind,
            "begin_cycle": begin,
            "end_cycle": end,
            "cycles": cycles,
            "warp_instructions": issued,
            "warp_ipc": issued / cycles if cycles else None,
        }


SIMULATE = CsvTable(COLUMNS, simulate_rows)
