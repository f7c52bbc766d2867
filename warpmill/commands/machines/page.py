"""The pages of ``machines``; and its rows as CSV."""

from __future__ import annotations

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
    """Show the machines, one a line, kind by kind."""
    page.title(f"machines: {len(report.machines)}")
    header = ("machine", "name", "chip family", "SMs", "MHz", "L2", "DRAM GB/s")
    kept = [0, 2, 3, 4, 5, 6] if page.style.width < _WIDE else list(range(7))
    for kind in dict.fromkeys(machine.kind for machine in report.machines):
        rows = [_row(machine) for machine in report.machines if machine.kind == kind]
        page.heading(f"{kind.replace('-', ' ')}: {len(rows)}")
        page.table(
            [header[i] for i in kept],
            [[row[i] for i in kept] for row in rows],
            left=range(len(kept) - 4),
        )


_WIDE = 100
"""Columns from which on there is room for the full names."""


def _row(machine: MachineSummary) -> tuple[str, ...]:
    marks = machine.marks
    capability = f" {machine.compute_capability}" if machine.compute_capability else ""
    return (
        machine.machine,
        _without_vendor(machine),
        f"{machine.architecture}{capability}",
        figure(machine.sms, marks["sms"]),
        figure(machine.clock_mhz, marks["clock_mhz"]),
        capacity(machine.l2_bytes, marks["l2_bytes"]),
        figure(machine.dram_gb_per_s, marks["dram_gb_per_s"]),
    )


def _without_vendor(machine: MachineSummary) -> str:
    first, _, rest = machine.name.partition(" ")
    return rest if rest and first.lower() == machine.vendor.lower() else machine.name


def machine_page(report: MachineReport, page: Page) -> None:
    """Show every value of a machine with its source."""
    page.title(f"{report.machine}: {report.name}")
    facts = [("falls back on", ", then ".join(report.chain[1:]) or "nothing")]
    if report.overrides:
        facts.append(("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())))
    assumed = sum(v.marks["value"] is Mark.ASSUMED for v in report.values)
    facts.append(("values", f"{len(report.values)}, {assumed} of them assumed"))
    page.facts(facts)
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
    "warp_size", "clock_mhz", "l2_bytes", "dram_gb_per_s", "assumed",
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
