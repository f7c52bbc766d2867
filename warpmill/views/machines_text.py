"""The pages of ``machines``."""

from __future__ import annotations

from warpmill.reports.base import Mark
from warpmill.reports.machines import (
    MachineDiffReport,
    MachineListReport,
    MachineReport,
    MachineSummary,
)
from warpmill.views.page import SIGNS, Page, figure, size
from warpmill.views.words import plural


def machine_list_page(report: MachineListReport, page: Page) -> None:
    """Show the machines, one a line."""
    page.title(f"machines: {len(report.machines)}")
    page.table(
        ("machine", "name", "architecture", "SMs", "MHz", "L2", "DRAM GB/s", "kind"),
        [_row(machine) for machine in report.machines],
        left=(0, 1, 2, 7),
    )


def _row(machine: MachineSummary) -> tuple[str, ...]:
    marks = machine.marks
    capability = f" {machine.compute_capability}" if machine.compute_capability else ""
    return (
        machine.machine,
        machine.name,
        f"{machine.architecture}{capability}",
        figure(machine.sms, marks["sms"]),
        figure(machine.clock_mhz, marks["clock_mhz"]),
        size(machine.l2_bytes, marks["l2_bytes"]),
        figure(machine.dram_gb_per_s, marks["dram_gb_per_s"]),
        machine.kind,
    )


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
    page.heading("values")
    page.table(
        ("key", "value", "unit", "status", "from", "source"),
        [
            (v.key, _shown(v.value) + SIGNS[v.marks["value"]], v.unit, v.status, v.origin, v.source)
            for v in report.values
        ],
        left=(0, 2, 3, 4, 5),
    )


def machine_diff_page(report: MachineDiffReport, page: Page) -> None:
    """Show what differs, side by side."""
    page.title(
        f"{report.a} and {report.b}: {plural(len(report.differences), 'value')} that differ"
    )
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
    )


def _shown(value: float | bool | str | list[int] | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if value is None or isinstance(value, str):
        return value or "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
