"""The rows of ``analyze`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.analyze.accesses import AccessFacts
from warpmill.commands.analyze.result import AnalyzeReport, KernelAnalysis
from warpmill.report.table import CsvRow, CsvTable, place_columns

ANALYZE_COLUMNS = (
    "kernel", "launch", "kind", "block", "file", "line", "depth", "formula", "count_min",
    "count_max", "at_most", "condition", "decided_by", "may_diverge", "hits", "misses",
    "splits", "opcode", "space", "buffer", "width_bytes", "pattern", "lane_stride_bytes",
    "loop_strides_bytes", "alignment_bytes", "sectors", "bank_passes", "loop_reuse",
    "same_for", "reason", "mark",
)  # fmt: skip

_OUTCOMES = {"hits", "misses", "splits"}


def _analyze(report: AnalyzeReport) -> Iterator[CsvRow]:
    for analysis in report.analyses:
        launch = None if analysis.launch is None else analysis.launch.name
        for row in _facts(analysis):
            yield {"kernel": analysis.kernel.name, "launch": launch, "mark": "exact", **row}


def _facts(analysis: KernelAnalysis) -> Iterator[CsvRow]:
    for loop in analysis.loops:
        yield {
            **loop.flat(only={"depth", "formula", "count_min", "count_max", "at_most"}),
            **place_columns(loop.place),
            "kind": "loop",
            "block": loop.name,
            "reason": loop.reason or loop.count_reason,
            "mark": loop.marks["count_min"].value,
        }
    for branch in analysis.branches:
        yield {
            **branch.flat(only={"block", "opcode", "condition", "decided_by", "may_diverge"}),
            **({} if branch.outcomes is None else branch.outcomes.flat(only=_OUTCOMES)),
            **place_columns(branch.place),
            "kind": "branch",
        }
    for access in analysis.accesses:
        yield {
            **access.flat(only=set(ANALYZE_COLUMNS)),
            **place_columns(access.place),
            **_costs(access),
            "alignment_bytes": access.alignment.bytes,
            "loop_reuse": [loop.kind for loop in access.reuse.loops],
            "same_for": access.reuse.same_for,
            "decided_by": [f"{d.block}+{d.instruction}" for d in access.decided_by],
            "kind": access.op_class,
            "loop_strides_bytes": [
                "unknown" if s.bytes is None else s.bytes for s in access.loop_strides
            ],
        }


def _costs(access: AccessFacts) -> CsvRow:
    """Give what a warp moves: on average over the launch, or a full warp where there is none."""
    launched = access.in_launch
    if launched is None or (launched.all_iterations is None and access.full_warp.reason is None):
        cost = access.full_warp.cost
        mark = access.marks["full_warp"].value
        return {"sectors": cost.sectors, "bank_passes": cost.bank_passes, "mark": mark}
    found = launched.all_iterations
    mark = launched.marks["all_iterations"].value
    if found is None:
        return {"reason": launched.reason, "mark": mark}
    return {
        "sectors": None if found.sectors is None else found.sectors.mean,
        "bank_passes": None if found.bank_passes is None else found.bank_passes.mean,
        "mark": mark,
    }


ANALYZE = CsvTable(ANALYZE_COLUMNS, _analyze)
