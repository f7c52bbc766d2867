"""The rows of ``profile`` as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from warpmill.commands.profile.flow import KindCounts
from warpmill.commands.profile.launch import CtaSpread, LaunchCountFacts, PerCta
from warpmill.commands.profile.result import CollectorResult, OverheadFigures, ProfileReport
from warpmill.report.table import CsvRow, CsvTable, place_columns

COLUMNS = (
    "launch", "launch_name", "kernel", "kind", "name", "block", "target", "instruction", "cta",
    "lanes", "space", "access", "width_bytes", "file", "line", "static_instructions", "warps",
    "threads", "distinct_threads", "warp_instructions", "thread_instructions", "predicated_on",
    "warp_instruction_fraction", "lane_utilization", "entries", "iterations",
    "iterations_a_thread", "iterations_min", "iterations_max", "bytes_requested",
    "bytes_transferred", "requests", "transactions", "bank_passes", "bank_conflicts", "vector",
    "mean", "min", "max", "standard_deviation", "coefficient_of_variation", "key", "value", "mark",
)  # fmt: skip


def profile_rows(report: ProfileReport) -> Iterator[CsvRow]:
    """Give a row for each thing that was counted; ``kind`` says what it is.

    ``mark`` is that of what a row counts by rules of a machine, where it does, as all else is
    exact.
    """
    for launch in report.launches:
        names = {"launch": launch.index, "launch_name": launch.name, "kernel": launch.kernel}
        for row in _launch(launch):
            yield {**names, "mark": launch.marks["warp_instructions"].value, **row}
    for collector in report.collectors:
        for row in _collector(collector):
            mark = collector.marks["result"].value
            yield {"kind": "collector", "name": collector.name, **row, "mark": mark}
    if report.overhead is not None:
        yield from _overhead(report.overhead)


def _launch(launch: LaunchCountFacts) -> Iterator[CsvRow]:
    yield from _totals(launch)
    for kind, found in (
        ("class", launch.classes),
        ("opcode", launch.opcodes),
        ("vector", launch.vectors),
    ):
        yield from _kinds(kind, found)
    for lanes, count in (launch.lanes or {}).items():
        yield {"kind": "lanes", "lanes": lanes, "warp_instructions": count}
    for line in launch.lines:
        where = place_columns(line.place)
        yield {"kind": "line", **where, **line.flat(but={"place"})}
    yield from _flow(launch)
    yield from _memory(launch)
    if launch.cta_spread is not None:
        yield from _spread(launch.cta_spread)
    if launch.per_cta is not None:
        yield from _ctas(launch.per_cta)


def _totals(launch: LaunchCountFacts) -> Iterator[CsvRow]:
    """Give the launch as a whole, then its static counts, barriers and bytes as values."""
    keys = {"warp_instructions", "thread_instructions", "predicated_on", "lane_utilization"}
    keys |= {"static_instructions", "bytes_transferred", "transactions", "bank_conflicts"}
    counted = {launch.marks[key].value for key in ("transactions", "bank_conflicts")}
    mark = "assumed" if "assumed" in counted else "exact"
    whole = {"requests": launch.memory_requests, "mark": mark}
    yield {"kind": "total", **launch.flat(only=keys), **whole}
    for key in ("ctas", "static_blocks", "block_executions", "bytes_read", "bytes_written"):
        value = getattr(launch, key)
        if value is not None:
            yield {"kind": "total", "key": key, "value": value}
    barriers = {"warps": launch.barriers, "threads": launch.barrier_threads}
    yield {"kind": "total", "key": "barriers", **barriers}


def _kinds(kind: str, found: Iterable[KindCounts]) -> Iterator[CsvRow]:
    for one in found:
        yield {"kind": kind, **one.flat()}


def _flow(launch: LaunchCountFacts) -> Iterator[CsvRow]:
    for block in launch.blocks:
        where = place_columns(block.place)
        figures = block.flat(only=set(COLUMNS) - {"lanes"})
        counts = {"block": block.id, "name": block.label, "static_instructions": block.instructions}
        yield {"kind": "block", **counts, **figures, **where}
    for edge in launch.edges or ():
        to = "end" if edge.target is None else edge.target
        yield {"kind": "edge", **edge.flat(), "block": edge.source, "target": to}
    for loop in launch.loops or ():
        figures = loop.flat(only=set(COLUMNS))
        yield {"kind": "loop", "block": loop.header, "name": loop.label, **figures}


def _memory(launch: LaunchCountFacts) -> Iterator[CsvRow]:
    outside = launch.marks["accesses.transactions"].value
    inside = launch.marks["accesses.bank_passes"].value
    for one in launch.accesses or ():
        counted = {"name": one.opcode, "access": one.kind, **one.flat(but={"kind"})}
        where = place_columns(one.place)
        mark = inside if one.bank_passes is not None else outside
        yield {"kind": "access", **counted, **where, "mark": mark}
    for space in launch.memory or ():
        counted = {"access": space.kind, **space.flat(but={"kind"})}
        mark = inside if space.bank_passes is not None else outside
        count = {"static_instructions": space.instructions}
        yield {"kind": "space", **counted, **count, "mark": mark}


def _spread(spread: CtaSpread) -> Iterator[CsvRow]:
    yield {"kind": "spread", "key": "block_vectors", "value": spread.block_vectors}
    for name, of in vars(spread).items():
        if name != "block_vectors" and of is not None:
            yield {"kind": "spread", "key": name, **of.flat()}


def _ctas(per_cta: PerCta) -> Iterator[CsvRow]:
    requests = per_cta.memory_requests
    for cta, vector in enumerate(per_cta.vector):
        yield {
            "kind": "cta",
            "cta": cta,
            "warp_instructions": per_cta.warp_instructions[cta],
            "thread_instructions": per_cta.thread_instructions[cta],
            "requests": None if requests is None else requests[cta],
            "vector": vector,
        }
    for number, one in enumerate(per_cta.vectors):
        each = zip(one.block_warps, one.block_threads, one.warp_instruction_fractions, strict=True)
        for block, (warps, threads, fraction) in enumerate(each):
            row = {"kind": "vector of CTAs", "vector": number, "block": block, "warps": warps}
            yield {**row, "threads": threads, "warp_instruction_fraction": fraction}


def _collector(found: CollectorResult) -> Iterator[CsvRow]:
    """Give a row for each name of a dict, each item of a list, or one; what is deeper is JSON."""
    if found.result in ({}, []):
        yield {}
    elif isinstance(found.result, dict):
        for name, value in found.result.items():
            yield {"key": name, "value": _flat(value)}
    elif isinstance(found.result, list):
        for number, value in enumerate(found.result):
            yield {"key": str(number), "value": _flat(value)}
    else:
        yield {"value": _flat(found.result)}


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _overhead(overhead: OverheadFigures) -> Iterator[CsvRow]:
    for name, value in overhead.flat(but={"marks"}).items():
        yield {
            "kind": "overhead",
            "key": name,
            "value": value,
            "mark": overhead.marks[name].value,
        }


PROFILE = CsvTable(COLUMNS, profile_rows)
