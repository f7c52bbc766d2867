"""The pages of ``machines``; and its rows as CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpmill.commands.machines.result import (
    MachineDiffReport,
    MachineListReport,
    MachineReport,
    MachineSummary,
    MachineValue,
)
from warpmill.report.base import Mark
from warpmill.report.page import SIGNS, Page, capacity, figure
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import plural


def machine_list_page(report: MachineListReport, page: Page) -> None:
    """Show the machines, one a line, kind by kind, the newest generation first."""
    page.title(f"machines: {len(report.machines)}")
    header = ("generation", "machine", "name", "SMs", "MHz", "FP32\nTFLOP/s", "L2", "DRAM\nGB/s")
    kept = [n for n in range(len(header)) if n != _NAME or page.style.width >= _WIDE]
    for kind in dict.fromkeys(machine.kind for machine in report.machines):
        machines = sorted((m for m in report.machines if m.kind == kind), key=_newest_first)
        page.heading(f"{kind.replace('-', ' ')}: {len(machines)}")
        rows, last = [], ""
        for machine in machines:
            generation = _generation(machine)
            row = _row(machine, "" if generation == last else generation)
            rows.append([row[n] for n in kept])
            last = generation
        left = range(len(kept) - 5)
        page.table([header[n] for n in kept], rows, left=left)


_NAME, _WIDE = 2, 110
"""The column of full names, and the columns from which on there is room for it."""


def _generation(machine: MachineSummary) -> str:
    family = machine.architecture.split()[0]
    return f"{family} {machine.compute_capability or ''}".rstrip()


def _newest_first(machine: MachineSummary) -> tuple[bool, float, str]:
    numbers = re.fullmatch(r"\d+\.\d+", machine.compute_capability or "")
    capability = float(numbers[0]) if numbers else 0.0
    return machine.vendor != "nvidia", -capability, machine.machine


def _row(machine: MachineSummary, generation: str) -> tuple[str, ...]:
    marks = machine.marks
    return (
        generation,
        machine.machine,
        _without_vendor(machine),
        figure(machine.sms, marks["sms"]),
        figure(machine.clock_mhz, marks["clock_mhz"]),
        figure(machine.fp32_tflops, marks["fp32_tflops"]),
        capacity(machine.l2_bytes, marks["l2_bytes"]),
        figure(machine.dram_gb_per_s, marks["dram_gb_per_s"]),
    )


def _without_vendor(machine: MachineSummary) -> str:
    first, _, rest = machine.name.partition(" ")
    return rest if rest and first.lower() == machine.vendor.lower() else machine.name


def machine_page(report: MachineReport, page: Page) -> None:
    """Show the figures that people look for; where everything is shown, every value as well."""
    page.title(f"{report.machine}: {report.name}")
    page.facts([*_figures(report), *_about(report)])
    if page.style.verbose:
        _all_values(report, page)
    else:
        page.line("--verbose shows every value with its source, diff compares two machines")


def _about(report: MachineReport) -> Iterator[tuple[str, str]]:
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    yield "falls back on", ", then ".join(report.chain[1:]) or "nothing"
    assumed = sum(v.marks["value"] is Mark.ASSUMED for v in report.values)
    yield "values", f"{len(report.values)}, {assumed} of them assumed"


_FIGURES = (
    ("architecture", "{machine.architecture}, compute capability {machine.compute_capability}"),
    ("SMs", "{sm.count} at {clock.sm_mhz} MHz"),
    ("an SM holds", "{sm.max_warps} warps of {machine.warp_size}, {sm.max_blocks} CTAs"),
    ("schedulers", "{sm.schedulers} an SM, each {sm.issue_per_scheduler} inst/cycle"),
    ("registers", "{reg.per_sm} an SM, at most {reg.max_per_thread} a thread"),
    ("shared memory", "{shared.per_sm_bytes} an SM, at most {shared.per_block_optin_bytes} a CTA"),
    ("L1", "{l1.size_bytes} an SM, {l1.line_bytes} lines, {l1.latency} cycles"),
    ("L2", "{l2.size_bytes} in {l2.slices} slices, {l2.latency} cycles"),
    ("DRAM", "{dram.type}, {dram.size_gb} GB, {dram.channels} channels, {dram.latency} cycles"),
    ("DRAM bandwidth", "{dram.bandwidth_gbs} GB/s, streams reach {dram.measured_gbs} GB/s"),
)
"""The first figures of a machine, in words around values; a part without its value is left out."""


def _figures(report: MachineReport) -> Iterator[tuple[str, str]]:
    values = {value.key: _in_words(value) for value in report.values}
    for place, (name, words) in enumerate(_FIGURES):
        if place == _PEAKS_AT:
            for peak in (each for each in report.peaks if each.tflops):
                yield f"{peak.operation} peak", figure(peak.tflops, peak.marks["tflops"], "TFLOP/s")
        parts = [(part, _KEY.findall(part)) for part in words.split(", ")]
        known = [part for part, keys in parts if all(values.get(key) for key in keys)]
        if known:
            yield name, _KEY.sub(lambda found: values[found[1]], ", ".join(known))


_KEY = re.compile(r"\{([\w.]+)\}")
_PEAKS_AT = 2
"""The place of peak rates among the figures."""


def _in_words(value: MachineValue) -> str:
    mark = value.marks["value"]
    if value.unit == "B" and isinstance(value.value, int):
        return capacity(value.value, mark)
    return f"{_shown(value.value)}{SIGNS[mark]}" if value.value != "" else ""


def _all_values(report: MachineReport, page: Page) -> None:
    page.heading("rates")
    page.table(
        ("rate", "announced", "computed", "unit"),
        [(r.key, figure(r.announced), figure(r.computed, Mark.MODELLED), r.unit)
         for r in report.rates],
        left=(0, 3),
    )  # fmt: skip
    for group in dict.fromkeys(_group(value) for value in report.values):
        page.heading(group)
        page.table(
            ("key", "value", "unit", "status", "source"),
            [_value_row(v, report) for v in report.values if _group(v) == group],
            left=(0, 2, 3, 4),
            wrap=(1, 4),
        )


def _group(value: MachineValue) -> str:
    return value.key.rpartition(".")[0]


def _value_row(value: MachineValue, report: MachineReport) -> tuple[str, ...]:
    is_own = value.origin == report.machine or value.status in ("derived", "set")
    origin = "" if is_own else f" from {value.origin}"
    return (
        value.key.rpartition(".")[2],
        _shown(value.value) + SIGNS[value.marks["value"]],
        value.unit,
        f"{value.status}{origin}",
        value.source,
    )


def machine_diff_page(report: MachineDiffReport, page: Page) -> None:
    """Show what differs, side by side."""
    page.title(f"{report.a} and {report.b}: {plural(len(report.differences), 'value')} that differ")
    page.table(
        ("key", report.a, report.b, "unit"),
        [
            (
                d.key,
                _shown(d.a) + SIGNS[d.marks["a"]],
                _shown(d.b) + SIGNS[d.marks["b"]],
                d.unit,
            )
            for d in report.differences
        ],
        left=(0, 3),
        wrap=(1, 2),
    )


def _shown(value: float | bool | str | list[int] | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if value is None or isinstance(value, str):
        return value or "-"
    if isinstance(value, float) and abs(value) < 1e6:
        return f"{value:,.6g}"
    return f"{round(value):,}"


MACHINES_LIST_COLUMNS = (
    "machine", "name", "vendor", "architecture", "compute_capability", "kind", "sms",
    "warp_size", "clock_mhz", "fp32_tflops", "l2_bytes", "dram_gb_per_s", "assumed",
)  # fmt: skip

MACHINES_SHOW_COLUMNS = ("key", "value", "unit", "status", "origin", "source", "mark")  # fmt: skip

MACHINES_DIFF_COLUMNS = ("key", "unit", "a", "b", "mark_a", "mark_b")  # fmt: skip


def _machine_list(report: MachineListReport) -> Iterator[CsvRow]:
    for machine in report.machines:
        assumed = [key for key, mark in machine.marks.items() if mark == "assumed"]
        yield {**machine.flat(but={"marks"}), "assumed": assumed}


def _machine(report: MachineReport) -> Iterator[CsvRow]:
    for value in report.values:
        yield {**value.flat(but={"marks"}), "mark": value.marks["value"].value}


def _difference(report: MachineDiffReport) -> Iterator[CsvRow]:
    for one in report.differences:
        signs = {"mark_a": one.marks["a"].value, "mark_b": one.marks["b"].value}
        yield {**one.flat(but={"marks"}), **signs}


MACHINES_LIST = CsvTable(MACHINES_LIST_COLUMNS, _machine_list)

MACHINES_SHOW = CsvTable(MACHINES_SHOW_COLUMNS, _machine)

MACHINES_DIFF = CsvTable(MACHINES_DIFF_COLUMNS, _difference)
