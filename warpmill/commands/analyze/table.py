"""The rows of ``analyze`` as CSV."""

from __future__ import annotations

from typing import Any

from warpmill.commands.analyze.result import AccessFacts
from warpmill.report.read import Reader
from warpmill.report.table import CsvTable, RowsOf


def _decided_by(access: AccessFacts) -> list[str]:
    return [f"{load.block}+{load.instruction}" for load in access.decided_by]


def _strides(access: AccessFacts) -> list[str | int]:
    return ["unknown" if s.stride_bytes is None else s.stride_bytes for s in access.loops]


def _cost(access: AccessFacts, name: str) -> float | None:
    """What a request moves: on average over the launch, or a full warp where there is none."""
    launch, full = access.in_launch, access.full_warp
    if launch is not None and launch.all_iterations is not None:
        found = getattr(launch.all_iterations, name)
        return None if found is None else found.mean
    known: float | None = getattr(full, name) if _is_of_full_warp(access) else None
    return known


def _is_of_full_warp(access: AccessFacts) -> bool:
    launch = access.in_launch
    return launch is None or (launch.all_iterations is None and access.full_warp.reason is None)


def _cost_mark(access: AccessFacts) -> str:
    reader = Reader(access)
    if _is_of_full_warp(access):
        return str(reader.mark("full_warp"))
    return str(Reader(access.in_launch).mark("all_iterations"))


def _cost_reason(access: AccessFacts) -> str | None:
    launch = access.in_launch
    if launch is None or _is_of_full_warp(access) or launch.all_iterations is not None:
        return None
    return launch.reason


COLUMNS = (
    "kernel", "launch", "kind", "block", "file", "line", "depth", "trip_count", "trip_count_min",
    "trip_count_max", "at_most", "condition", "decided_by", "may_diverge", "taken", "not_taken",
    "divergent", "opcode", "space", "buffer", "width_bytes", "pattern", "lane_stride_bytes",
    "loop_strides_bytes", "alignment_bytes", "sectors", "wavefronts", "loop_reuse", "same_for",
    "reason", "mark",
)  # fmt: skip

_NAMES: dict[str, Any] = {
    "kernel": ".analyses.kernel.name",
    "launch": ".analyses.launch.name",
    "file": "place.file",
    "line": "place.line",
}

ANALYZE = CsvTable(
    COLUMNS,
    (
        RowsOf(
            "analyses.loops",
            {
                **_NAMES,
                "block": "name",
                "trip_count_min": "in_launch.low",
                "trip_count_max": "in_launch.high",
                "at_most": "bound.at_most",
                "reason": lambda loop: loop.bound.reason or loop.in_launch.reason,
            },
            {"kind": "loop"},
            mark="in_launch",
        ),
        RowsOf(
            "analyses.branches",
            {
                **_NAMES,
                "taken": "outcomes.taken",
                "not_taken": "outcomes.not_taken",
                "divergent": "outcomes.divergent",
            },
            {"kind": "branch"},
        ),
        RowsOf(
            "analyses.accesses",
            {
                **_NAMES,
                "kind": "access.op_class",
                "loop_strides_bytes": _strides,
                "alignment_bytes": "alignment.bytes",
                "sectors": lambda access: _cost(access, "sectors"),
                "wavefronts": lambda access: _cost(access, "wavefronts"),
                "decided_by": _decided_by,
                "loop_reuse": lambda access: [loop.reuse.kind for loop in access.loops],
                "same_for": "reuse.same_for",
                "reason": _cost_reason,
                "mark": _cost_mark,
            },
        ),
    ),
)
