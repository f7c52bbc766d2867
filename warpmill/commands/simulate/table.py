"""The rows of ``simulate`` as CSV: one for each thing that was found; ``kind`` says what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from warpmill.commands.simulate.result import SimulateReport
from warpmill.report.fields import fields_of
from warpmill.report.read import Reader
from warpmill.report.table import CsvRow, CsvTable, RowsOf
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.resources import SIMULATED_STATES

_STALLS = tuple(reason for reason in SIMULATED_STATES if reason != "selected")

COLUMNS = (
    "machine", "kind", "name", "kernel", "launch", "grid", "block", "instruction", "sm", "file",
    "line", "key", "value", "unit", "begin_cycle", "end_cycle", "cycles", "time_us", "ctas",
    "warp_instructions", "thread_instructions", "warp_ipc", "resident_warps", "stall_cycles",
    "fraction", *_STALLS, "sectors", "l1_hits", "wavefronts", "accesses", "mean_cycles",
    "p50_cycles", "p90_cycles", "p99_cycles", "reason", "mark",
)  # fmt: skip

_MACHINE = ".simulations.result.machine"


def _cycles_of(reason: str) -> Callable[[Any], int]:
    return lambda one: getattr(one, "result", one).stalls_by_reason.get(reason, 0)


_PLACE: Mapping[str, str | Callable[[Any], Any]] = {
    "machine": _MACHINE,
    "kernel": lambda one: one.kernel_name,
    "file": "place.file",
    "line": "place.line",
    "fraction": "stall_fraction",
    **{reason: _cycles_of(reason) for reason in _STALLS},
}
_LATENCY = ("accesses", "mean_cycles", "p50_cycles", "p90_cycles", "p99_cycles")


def _rows(
    of: str, kind: str, mark: str, names: Mapping[str, str | Callable[[Any], Any]], **fixed: str
) -> RowsOf:
    return RowsOf(
        f"simulations.{of}", {"machine": _MACHINE, **names}, {"kind": kind, **fixed}, mark
    )


_PEAK: Mapping[str, str | Callable[[Any], Any]] = {
    "name": "resource", "value": "peak", "fraction": lambda _: None,
}  # fmt: skip
_LAUNCH: Mapping[str, str | Callable[[Any], Any]] = {
    "launch": "number",
    "grid": lambda one: " x ".join(map(str, one.grid)),
    "block": lambda _: None,
    "ctas": "ctas_simulated",
    "thread_instructions": "alone.thread_instructions",
}
_WITH_LATENCY = {**_PLACE, "name": "opcode", **{k: f"result.latency.{k}" for k in _LATENCY}}

_KINDS = (
    _rows("result.throughputs", "rate", "rate", {"name": "resource", "value": "rate"}, key="rate"),
    _rows("result.throughputs", "rate", "peak", _PEAK, key="peak"),
    _rows("result.launches", "launch", "cycles", _LAUNCH),
    _rows("result.warp_states", "stall", "warp_cycles", {"name": "state", "value": "warp_cycles"},
          key="warp_cycles", unit="cycle"),
    _rows("lines", "line", "stall_cycles", {**_PLACE, "name": "opcode"}),
    _rows("blocks", "block", "stall_cycles", {**_PLACE, "name": "label"}),
    _rows("functions", "function", "stall_cycles", _PLACE),
    _rows("instructions", "instruction", "result.stall_cycles", _WITH_LATENCY),
    _rows("result.per_sm", "sm", "ctas", {}),
    _rows("result.unmodelled", "unmodelled", "warp_instructions", {"name": "op_class"}),
    RowsOf("not_simulated", fixed={"kind": "not simulated"}),
)  # fmt: skip


def simulate_rows(report: SimulateReport) -> Iterator[CsvRow]:
    """The rows: figures that stand alone by their keys, then what there are lists of."""
    for one in Reader(report).each("simulations"):
        result = Reader(one.subject.result)
        machine = {"machine": one.subject.result.machine}
        for row in (*_alone(result), *_in_bins(one.subject.result)):
            yield machine | row
    for kind in _KINDS:
        yield from kind.rows(report, COLUMNS)


def _alone(result: Reader) -> Iterator[dict[str, Any]]:
    """The figures that stand alone."""
    yield from _figures("total", result)
    for kind in ("dram", "tail"):
        yield from _figures(kind, Reader(getattr(result.subject, kind), result, kind))
    for cache in result.each("caches"):
        yield from _figures("cache", cache, cache.subject.level)
    mark = result.mark("events")
    for name, count in result.subject.events.items():
        yield {"kind": "event", "name": name, "key": "count", "value": count, "mark": mark}


def _figures(kind: str, part: Reader, name: str | None = None) -> Iterator[dict[str, Any]]:
    """A row for each number of a part."""
    kind_of: Any = type(part.subject)
    for one in fields_of(kind_of):
        value = getattr(part.subject, one.name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            unit = one.metric.unit if one.metric is not None else ""
            row = {"kind": kind, "name": name, "key": one.name, "value": value}
            yield {**row, "unit": unit or None, "mark": part.mark(one.name)}


def _in_bins(result: SimResult) -> Iterator[dict[str, Any]]:
    """Rows of what happened over time: sampling units of both kinds, and the timeline."""
    mark, line = result.modelled, result.timeline
    kinds = (("instructions", result.instruction_units), ("a CTA's life", result.cta_units))
    for name, units in kinds:
        rows = zip(units.begin_cycle, units.end_cycle, units.warp_instructions, strict=True)
        for begin, end, issued in rows:
            yield {
                "kind": f"unit of {name}",
                "begin_cycle": begin,
                "end_cycle": end,
                "cycles": end - begin,
                "warp_instructions": issued,
                "warp_ipc": issued / (end - begin) if end > begin else None,
                "mark": mark,
            }
    columns = (line.warp_instructions, line.resident_warps, line.resident_ctas, line.l1_sectors)
    for k, row in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        keys = ("warp_instructions", "resident_warps", "ctas", "sectors")
        times = {"begin_cycle": k * line.bin_cycles, "end_cycle": (k + 1) * line.bin_cycles}
        yield {"kind": "time", **times, **dict(zip(keys, row, strict=True)), "mark": mark}


SIMULATE = CsvTable(COLUMNS, simulate_rows)
