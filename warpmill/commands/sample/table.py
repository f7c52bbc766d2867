"""``sample`` as CSV: a row for each stratum, figure, simulated launch and region passed over."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.sample.result import MachineSample, SampleReport
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "kind", "machine", "name", "unit", "value", "low", "high", "simulated", "kernel", "launch",
    "members", "chosen", "weight", "warp_instructions", "cycles", "region", "first_cta", "last_cta",
    "mark",
)  # fmt: skip


def sample_rows(report: SampleReport) -> Iterator[CsvRow]:
    """The strata, then what each machine says."""
    for number, stratum in enumerate(report.strata):
        yield {
            "kind": "stratum",
            "name": number,
            "kernel": stratum.kernels,
            "launch": stratum.launches,
            "members": stratum.members,
            "chosen": stratum.chosen,
            "weight": stratum.weight,
            "warp_instructions": stratum.warp_instructions,
            "mark": "exact",
        }
    for one in report.machines:
        for row in _machine_rows(one):
            yield {"machine": one.machine, **row}


def _machine_rows(one: MachineSample) -> Iterator[CsvRow]:
    marks = one.marks
    for figure in one.figures:
        yield {"kind": "figure", **figure.flat(), "mark": marks["figures.value"].value}
    shares = (("sample_share", one.sample_share), ("speedup", one.speedup))
    for name, value in shares:
        yield {"kind": "figure", "name": name, "value": value, "mark": marks[name].value}
    if one.check is not None:
        mark = marks["check.error"].value
        yield {"kind": "check", "name": "error", "value": one.check.error, "mark": mark}
        yield {"kind": "check", "name": "holds", "value": one.check.holds, "mark": mark}
    for launch in one.launches:
        yield {
            "kind": "launch",
            **launch.flat(but={"whole_cycles"}),
            "name": "whole_cycles",
            "unit": "cycles",
            "value": launch.whole_cycles,
            "mark": marks["launches.whole_cycles"].value,
        }
    for passed in one.passed_over:
        yield {
            "kind": "passed_over",
            **passed.flat(but={"ipc", "cycle", "unit_ipcs"}),
            "name": "ipc",
            "value": passed.ipc,
            "low": min(passed.unit_ipcs),
            "high": max(passed.unit_ipcs),
            "cycles": passed.cycle,
            "mark": marks["passed_over.ipc"].value,
        }


SAMPLE = CsvTable(COLUMNS, sample_rows)
