"""The pages of ``machines``; and its rows as CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from warpmill.commands.machines.result import (
    MachineDiffReport,
    MachineListReport,
    MachineReport,
    MachineSummary,
)
from warpmill.report.page import UNKNOWN, Page, capacity, figure
from warpmill.report.read import Reader
from warpmill.report.sections import Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import plural
from warpmill.simulator.machines.model import MachineRow, value_words
from warpmill.simulator.machines.schema import Scalar, schema

_ALL = 1000


def _title_of_list(page: Page, report: MachineListReport) -> None:
    page.title(f"machines: {len(report.machines)}")


def _generation(machine: MachineSummary) -> str:
    family = machine.architecture.split()[0]
    return f"{family} {machine.compute_capability or ''}".rstrip()


def _newest(machine: MachineSummary) -> float:
    numbers = re.fullmatch(r"\d+\.\d+", machine.compute_capability or "")
    return (float(numbers[0]) if numbers else 0.0) + (_ALL if machine.vendor == "nvidia" else 0)


def _of_kind(kind: str) -> Callable[[MachineSummary], bool]:
    return lambda machine: machine.kind == kind


LIST = (
    Special(_title_of_list),
    *(
        Table(
            kind.replace("-", " "),
            "machines",
            (
                Shown("", "generation", words=_generation),
                "machine",
                "sms",
                "clock_mhz",
                "fp32_tflops",
                "l2_bytes",
                "dram_gb_per_s",
            ),
            left=(0, 1),
            once=(0,),
            chosen=_of_kind(kind),
            order=_newest,
            top=_ALL,
        )
        for kind in schema().keys["machine.kind"].choices
    ),
)


def _machine(page: Page, report: MachineReport) -> None:
    page.title(f"{report.machine}: {report.name}")
    page.facts([*_figures(report), *_about(report)])
    if not page.style.verbose:
        page.line("--verbose shows every value with its source, diff compares two machines")


def _about(report: MachineReport) -> Iterator[tuple[str, str]]:
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    yield "falls back on", ", then ".join(report.chain[1:]) or "nothing"
    assumed = sum(value.assumed for value in report.values)
    yield "values", f"{len(report.values)}, {assumed} of them assumed (?)"


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
                sign = "?" if peak.assumed else ""
                yield f"{peak.operation} peak", f"{figure(peak.tflops)}{sign} TFLOP/s"
        parts = [(part, _KEY.findall(part)) for part in words.split(", ")]
        known = [part for part, keys in parts if all(values.get(key) for key in keys)]
        if known:
            yield name, _KEY.sub(lambda found: values[found[1]], ", ".join(known))


_KEY = re.compile(r"\{([\w.]+)\}")
_PEAKS_AT = 2
"""The place of peak rates among the figures."""


def _in_words(row: MachineRow) -> str:
    """A value with the sign of its mark, sizes in steps of 1024; nothing where it is empty."""
    if row.unit == "B" and isinstance(row.value, int):
        return f"{capacity(row.value)}{'?' if row.assumed else ''}"
    return _signed(row.value, is_assumed=row.assumed) if row.value != "" else ""


def _signed(value: Scalar | None, *, is_assumed: bool) -> str:
    """A value with the sign of what is assumed."""
    words = UNKNOWN if value in {None, ""} else _words(value)
    return f"{words}{'?' if is_assumed else ''}"


def _words(value: Scalar | None) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "" if value is None else value_words(value)
    return f"{value:,.6g}" if isinstance(value, float) and abs(value) < 1e6 else f"{round(value):,}"


def _status(reader: Reader) -> str:
    row: MachineRow = reader.subject
    is_own = row.origin == reader.holder.machine or row.status in ("derived", "set")
    return f"{row.status}{'' if is_own else f' from {row.origin}'}"


def _in_group(group: str) -> Callable[[MachineRow], bool]:
    return lambda row: row.key.rpartition(".")[0] == group


SHOW = (
    Special(_machine),
    Table("Rates", "rates", ("key", "announced", "computed", "unit"), left=(0, 3), detail=True),
    *(
        Table(
            group,
            "values",
            (
                Shown("key", words=lambda key: key.rpartition(".")[2]),
                Shown("", "Value", words=lambda row: _signed(row.value, is_assumed=row.assumed)),
                "unit",
                Shown("status", told=_status),
                "source",
            ),
            left=(0, 2, 3, 4),
            wrap=(1, 4),
            chosen=_in_group(group),
            detail=True,
            top=_ALL,
        )
        for group in schema().groups
    ),
)


def _title_of_diff(page: Page, report: MachineDiffReport) -> None:
    page.title(f"a: {report.a}, b: {report.b}, {plural(len(report.differences), 'difference')}")


def _side(place: int) -> Shown:
    def words(reader: Reader) -> str:
        row = reader.subject
        return _signed((row.a, row.b)[place], is_assumed=row.sides[place] == "assumed")

    return Shown("", "ab"[place], told=words)


DIFF = (
    Special(_title_of_diff),
    Table(
        "",
        "differences",
        (Shown("key", "key"), _side(0), _side(1), Shown("unit", "unit")),
        left=(0, 3),
        wrap=(1, 2),
        top=_ALL,
    ),
)

MACHINES_LIST = CsvTable(
    (
        "machine", "name", "vendor", "architecture", "compute_capability", "kind", "sms",
        "warp_size", "clock_mhz", "fp32_tflops", "l2_bytes", "dram_gb_per_s", "assumed",
    ),
    (RowsOf("machines", {"assumed": lambda machine: list(machine.mark_exceptions())}),),
)  # fmt: skip

MACHINES_SHOW = CsvTable(
    ("key", "value", "unit", "status", "origin", "source", "mark"),
    (RowsOf("values", mark="value"),),
)

MACHINES_DIFF = CsvTable(
    ("key", "unit", "a", "b", "mark_a", "mark_b"),
    (
        RowsOf(
            "differences",
            {"mark_a": lambda row: row.sides[0], "mark_b": lambda row: row.sides[1]},
        ),
    ),
)
