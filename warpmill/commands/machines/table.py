"""The rows of ``machines`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.machines.result import MachineDiffReport, MachineListReport, MachineReport
from warpmill.report.table import CsvRow, CsvTable

MACHINES_LIST_COLUMNS = (
    "machine", "name", "vendor", "architecture", "compute_capability", "kind", "sms",
    "warp_size", "clock_mhz", "l2_bytes", "dram_gb_per_s", "assumed",
)  # fmt: skip

MACHINES_SHOW_COLUMNS = ("key", "value", "unit", "status", "origin", "source", "mark")  # fmt: skip

MACHINES_DIFF_COLUMNS = ("key", "unit", "a", "b", "mark_a", "mark_b")  # fmt: skip


def _machine_list(report: MachineListReport) -> Iterator[CsvRow]:
    for machine in report.machines:
        assumed = [key for key, mark in machine.marks.items() if mark == "assumed"]
        yield {**machine.model_dump(exclude={"marks"}), "assumed": assumed}


def _machine(report: MachineReport) -> Iterator[CsvRow]:
    for value in report.values:
        yield {**value.model_dump(exclude={"marks"}), "mark": value.marks["value"].value}


def _difference(report: MachineDiffReport) -> Iterator[CsvRow]:
    for one in report.differences:
        signs = {"mark_a": one.marks["a"].value, "mark_b": one.marks["b"].value}
        yield {**one.model_dump(exclude={"marks"}), **signs}


MACHINES_LIST = CsvTable(MACHINES_LIST_COLUMNS, _machine_list)

MACHINES_SHOW = CsvTable(MACHINES_SHOW_COLUMNS, _machine)

MACHINES_DIFF = CsvTable(MACHINES_DIFF_COLUMNS, _difference)
