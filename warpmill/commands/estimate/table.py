"""The rows of ``estimate`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.estimate.result import EstimateReport
from warpmill.report.table import CsvRow, CsvTable

ESTIMATE_COLUMNS = (
    "kernel", "launch", "machine", "time_us", "execution_us", "launch_us", "estimated_cycles",
    "clock_mhz", "bound", "ctas_per_sm", "warps_per_sm", "occupancy_fraction",
    "achieved_occupancy_fraction", "limiting", "registers_per_thread", "registers_source",
    "shared_bytes", "round_cycles", "rounds", "warp_instructions", "warp_ipc", "flops_kind",
    "flops", "achieved_gflops", "roof_gflops", "l1_hit_fraction", "l2_hit_fraction",
    "l2_bytes", "dram_bytes", "unmodelled", "assumptions", "assumed_values", "what_if",
    "factor", "ratio", "within_noise", "reason", "mark",
)  # fmt: skip

_COUNTED = {"unmodelled", "assumptions", "assumed_values", "what_if"}


def _estimate(report: EstimateReport) -> Iterator[CsvRow]:
    columns = set(ESTIMATE_COLUMNS)
    for launch in report.launches:
        names = {"kernel": launch.kernel.name, "launch": launch.launch.name}
        for e in launch.estimates:
            yield {
                **names,
                **e.model_dump(include=columns - _COUNTED),
                **e.occupancy.model_dump(include=columns),
                **e.roofline.model_dump(include=columns),
                **e.memory.model_dump(include=columns),
                "flops_kind": e.roofline.kind,
                "registers_per_thread": e.registers.registers_per_thread,
                "registers_source": e.registers.source,
                "round_cycles": e.round.cycles,
                "rounds": e.round.rounds,
                "unmodelled": [f"{u.op_class} {u.warp_instructions}" for u in e.unmodelled],
                "assumptions": len(e.assumptions),
                "assumed_values": len(e.assumed_values),
                "mark": e.marks["time_us"].value,
            }
            for change in e.what_if or ():
                figures = change.model_dump(exclude={"name", "problem", "settings", "marks"})
                row = {"machine": e.machine, "what_if": change.name, "reason": change.problem}
                yield {**names, **row, **figures, "mark": e.marks["what_if.time_us"].value}
        for missing in launch.not_estimated:
            yield {**names, "machine": missing.machine, "reason": missing.reason}


ESTIMATE = CsvTable(ESTIMATE_COLUMNS, _estimate)
