"""CSV: one flat table a report, with columns that docs/guide names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from warpmill.commands.analyze.accesses import AccessFacts
from warpmill.commands.analyze.result import AnalyzeReport, KernelAnalysis
from warpmill.commands.calibrate.table import COLUMNS as CALIBRATE_COLUMNS
from warpmill.commands.calibrate.table import calibrate_rows
from warpmill.commands.clone.table import COLUMNS as CLONE_COLUMNS
from warpmill.commands.clone.table import clone_rows
from warpmill.commands.correlate.table import COLUMNS as CORRELATE_COLUMNS
from warpmill.commands.correlate.table import correlate_rows
from warpmill.commands.dfsg.table import COLUMNS as DFSG_COLUMNS
from warpmill.commands.dfsg.table import DIFF_COLUMNS as DFSG_DIFF_COLUMNS
from warpmill.commands.dfsg.table import dfsg_diff_rows, dfsg_rows
from warpmill.commands.diff.table import COLUMNS as DIFF_COLUMNS
from warpmill.commands.diff.table import diff_rows
from warpmill.commands.doctor.result import DoctorReport
from warpmill.commands.estimate.result import EstimateReport
from warpmill.commands.explain.table import COLUMNS as EXPLAIN_COLUMNS
from warpmill.commands.explain.table import explain_rows
from warpmill.commands.explore.table import COLUMNS as EXPLORE_COLUMNS
from warpmill.commands.explore.table import explore_names, explore_rows
from warpmill.commands.inspect.result import InspectReport
from warpmill.commands.machines.result import MachineDiffReport, MachineListReport, MachineReport
from warpmill.commands.profile.table import COLUMNS as PROFILE_COLUMNS
from warpmill.commands.profile.table import profile_rows
from warpmill.commands.record.result import RecordReport
from warpmill.commands.replay.result import ReplayReport
from warpmill.commands.run.result import RunReport
from warpmill.commands.sample.table import COLUMNS as SAMPLE_COLUMNS
from warpmill.commands.sample.table import sample_rows
from warpmill.commands.samples.result import SampleRunReport, SamplesReport
from warpmill.commands.simulate.table import COLUMNS as SIMULATE_COLUMNS
from warpmill.commands.simulate.table import simulate_rows
from warpmill.commands.sweep.table import COLUMNS as SWEEP_COLUMNS
from warpmill.commands.sweep.table import sweep_names, sweep_rows
from warpmill.commands.trace.result import LaunchTrace, TraceReport
from warpmill.commands.tune.table import COLUMNS as TUNE_COLUMNS
from warpmill.commands.tune.table import tune_names, tune_rows
from warpmill.report.base import Report
from warpmill.report.facts import Place
from warpmill.report.safe import plain_text

Row = Mapping[str, Any]

COLUMNS: dict[str, tuple[str, ...]] = {
    "inspect": (
        "file", "format", "target", "kernel", "demangled", "line", "parameters", "registers",
        "shared_bytes", "local_bytes", "blocks", "instructions", "instructions_known",
        "instructions_by_nearest_rule", "mark",
    ),
    "analyze": (
        "kernel", "launch", "kind", "block", "file", "line", "depth", "formula", "count_min",
        "count_max", "at_most", "condition", "decided_by", "may_diverge", "hits", "misses",
        "splits", "opcode", "space", "buffer", "width_bytes", "pattern", "lane_stride_bytes",
        "loop_strides_bytes", "alignment_bytes", "sectors", "bank_passes", "loop_reuse",
        "same_for", "reason", "mark",
    ),
    "diff": DIFF_COLUMNS,
    "trace": (
        "kernel", "launch", "kind", "name", "block", "instruction", "space", "buffer", "file",
        "line", "ctas", "ctas_total", "warp_executions", "thread_executions", "bytes_requested",
        "sectors", "sectors_per_access", "requests", "bank_passes", "reason", "mark",
    ),
    "run": (
        "kind", "name", "launch", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
        "warp_instructions", "thread_instructions", "lane_utilisation", "seconds",
        "thread_instructions_per_second", "argument", "element", "shape", "bytes", "changed", "min",
        "max", "mean", "nans", "infinities", "sha256", "mark",
    ),
    "profile": PROFILE_COLUMNS,
    "record": (
        "kind", "name", "module", "count", "bytes", "first_call", "last_call", "first_launch",
        "launches", "warp_instructions", "thread_instructions", "mark",
    ),
    "replay": (
        "kind", "call", "number", "kernel", "grid", "block", "dynamic_shared_bytes", "stream",
        "warp_instructions", "thread_instructions", "recorded_warp_instructions",
        "recorded_thread_instructions", "bytes", "sha256", "recorded_sha256", "equal", "mark",
    ),
    "dfsg": DFSG_COLUMNS,
    "dfsg-diff": DFSG_DIFF_COLUMNS,
    "estimate": (
        "kernel", "launch", "machine", "time_us", "execution_us", "launch_us", "estimated_cycles",
        "clock_mhz", "bound", "ctas_per_sm", "warps_per_sm", "occupancy_fraction",
        "achieved_occupancy_fraction", "limiting", "registers_per_thread", "registers_source",
        "shared_bytes", "round_cycles", "rounds", "warp_instructions", "warp_ipc", "flops_kind",
        "flops", "achieved_gflops", "roof_gflops", "l1_hit_fraction", "l2_hit_fraction",
        "l2_bytes", "dram_bytes", "unmodelled", "assumptions", "assumed_values", "what_if",
        "factor", "ratio", "within_noise", "reason", "mark",
    ),
    "explain": EXPLAIN_COLUMNS,
    "simulate": SIMULATE_COLUMNS,
    "correlate": CORRELATE_COLUMNS,
    "sweep": SWEEP_COLUMNS,
    "tune": TUNE_COLUMNS,
    "clone": CLONE_COLUMNS,
    "sample": SAMPLE_COLUMNS,
    "explore": EXPLORE_COLUMNS,
    "calibrate": CALIBRATE_COLUMNS,
    "machines-list": (
        "machine", "name", "vendor", "architecture", "compute_capability", "kind", "sms",
        "warp_size", "clock_mhz", "l2_bytes", "dram_gb_per_s", "assumed",
    ),
    "machines-show": ("key", "value", "unit", "status", "origin", "source", "mark"),
    "machines-diff": ("key", "unit", "a", "b", "mark_a", "mark_b"),
    "samples": (
        "name", "title", "area", "suite", "papers", "builds", "preset", "kernel", "launches",
        "ctas", "threads", "warp_instructions", "thread_instructions", "instructions_per_thread",
        "mark",
    ),
    "samples-run": (
        "kind", "name", "launches", "ctas", "threads", "warp_instructions",
        "thread_instructions", "instructions_per_thread", "against", "elements", "wrong",
        "tolerance", "worst", "passed", "seconds", "mark",
    ),
    "doctor": ("group", "name", "status", "found", "advice"),
}  # fmt: skip
"""The columns of each table, in order; a word in brackets stands for those of ``_NAMED``."""

_NAMED: dict[str, Callable[[Any], Mapping[str, Sequence[str]]]] = {
    "sweep": sweep_names,
    "tune": tune_names,
    "explore": explore_names,
}
"""Columns that depend on what a report has, by the words that stand for them."""


def csv_text(report: Report) -> str:
    """Write a report's table: a header, then a line a row; what is unknown is empty.

    A text that a spreadsheet would compute begins with an apostrophe instead.
    """
    out = io.StringIO()
    columns = columns_of(report)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(plain_text, columns))
    for row in _ROWS[report.report](report):
        writer.writerow([plain_text(_cell(row.get(column))) for column in columns])
    return out.getvalue()


def columns_of(report: Report) -> tuple[str, ...]:
    """Name the columns of a report's table, in order."""
    named = _NAMED[report.report](report) if report.report in _NAMED else {}
    return tuple(name for column in COLUMNS[report.report] for name in named.get(column, (column,)))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "; ".join(_cell(v) for v in value)
    return str(value)


def _place(place: Place | None) -> Row:
    return {} if place is None else {"file": place.file, "line": place.line}


def _inspect(report: InspectReport) -> Iterator[Row]:
    for file in report.files:
        for kernel in file.kernels:
            yield {
                **file.model_dump(include={"file", "format", "target"}),
                **kernel.model_dump(include=set(COLUMNS["inspect"]) - {"parameters"}),
                "kernel": kernel.name,
                "line": kernel.place.line,
                "parameters": len(kernel.parameters),
                "mark": "exact",
            }


def _analyze(report: AnalyzeReport) -> Iterator[Row]:
    for analysis in report.analyses:
        launch = None if analysis.launch is None else analysis.launch.name
        for row in _facts(analysis):
            yield {"kernel": analysis.kernel.name, "launch": launch, "mark": "exact", **row}


def _facts(analysis: KernelAnalysis) -> Iterator[Row]:
    for loop in analysis.loops:
        yield {
            **loop.model_dump(include={"depth", "formula", "count_min", "count_max", "at_most"}),
            **_place(loop.place),
            "kind": "loop",
            "block": loop.name,
            "reason": loop.reason or loop.count_reason,
            "mark": loop.marks["count_min"].value,
        }
    for branch in analysis.branches:
        yield {
            **branch.model_dump(
                include={"block", "opcode", "condition", "decided_by", "may_diverge"}
            ),
            **({} if branch.outcomes is None else branch.outcomes.model_dump(include=_OUTCOMES)),
            **_place(branch.place),
            "kind": "branch",
        }
    for access in analysis.accesses:
        yield {
            **access.model_dump(include=set(COLUMNS["analyze"])),
            **_place(access.place),
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


_OUTCOMES = {"hits", "misses", "splits"}


def _costs(access: AccessFacts) -> Row:
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


def _trace(report: TraceReport) -> Iterator[Row]:
    for launch in report.launches:
        shared = {
            "kernel": launch.kernel.name,
            "launch": launch.launch.name,
            "ctas": launch.ctas,
            "ctas_total": launch.ctas_total,
            "mark": launch.marks["warp_instructions"].value,
        }
        for row in _counts(launch):
            yield {**shared, **row}


def _counts(launch: LaunchTrace) -> Iterator[Row]:
    yield {
        "kind": "total",
        "name": "instructions",
        "warp_executions": launch.warp_instructions,
        "thread_executions": launch.thread_instructions,
    }
    yield {
        "kind": "total",
        "name": "instructions of the whole launch",
        "warp_executions": launch.grid_warp_instructions,
        "thread_executions": launch.grid_thread_instructions,
        "mark": launch.marks["grid_warp_instructions"].value,
    }
    for one in launch.by_class:
        yield {
            "kind": "class",
            "name": one.op_class,
            "warp_executions": one.warp_instructions,
            "thread_executions": one.thread_instructions,
        }
    for access in launch.accesses:
        counts = access.model_dump(include=set(COLUMNS["trace"]))
        yield {"kind": "access", "name": access.opcode, **counts, **_place(access.place)}


def _run(report: RunReport) -> Iterator[Row]:
    for launch in report.launches:
        yield {**launch.model_dump(exclude={"marks"}), "kind": "launch", "mark": "exact"}
    for buffer in report.buffers:
        yield {**buffer.model_dump(exclude={"marks"}), "kind": "buffer", "mark": "exact"}


def _record(report: RecordReport) -> Iterator[Row]:
    file, buffers = report.file, report.buffers
    for name, count, size in (
        ("buffers", buffers.count, buffers.bytes),
        ("buffers at one time", None, buffers.most_bytes),
        ("contents", file.contents, file.content_bytes),
        ("file", None, file.file_bytes),
    ):
        yield {"kind": "total", "name": name, "count": count, "bytes": size, "mark": "exact"}
    for one in report.calls:
        yield {"kind": "call", "name": one.call, "count": one.count, "mark": "exact"}
    for kernel in report.kernels:
        figures = kernel.model_dump(exclude={"marks"})
        yield {"kind": "kernel", "name": kernel.kernel, **figures, "mark": "exact"}
    for interval in report.intervals:
        figures = interval.model_dump(exclude={"marks"})
        yield {"kind": "interval", "name": interval.ended_by, **figures, "mark": "exact"}


def _replay(report: ReplayReport) -> Iterator[Row]:
    for launch in report.launches:
        yield {**launch.model_dump(exclude={"marks"}), "kind": "launch", "mark": "exact"}
    for read in report.reads:
        yield {**read.model_dump(exclude={"marks"}), "kind": "read", "mark": "exact"}


_COUNTED = {"unmodelled", "assumptions", "assumed_values", "what_if"}


def _estimate(report: EstimateReport) -> Iterator[Row]:
    columns = set(COLUMNS["estimate"])
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


def _machine_list(report: MachineListReport) -> Iterator[Row]:
    for machine in report.machines:
        assumed = [key for key, mark in machine.marks.items() if mark == "assumed"]
        yield {**machine.model_dump(exclude={"marks"}), "assumed": assumed}


def _machine(report: MachineReport) -> Iterator[Row]:
    for value in report.values:
        yield {**value.model_dump(exclude={"marks"}), "mark": value.marks["value"].value}


def _difference(report: MachineDiffReport) -> Iterator[Row]:
    for one in report.differences:
        signs = {"mark_a": one.marks["a"].value, "mark_b": one.marks["b"].value}
        yield {**one.model_dump(exclude={"marks"}), **signs}


def _samples(report: SamplesReport) -> Iterator[Row]:
    for sample in report.samples:
        facts = sample.model_dump(include={"name", "title", "area", "suite", "papers", "builds"})
        for preset in sample.presets:
            row = {**facts, "preset": preset.preset}
            for kernel in preset.kernels or ():
                yield {**row, **kernel.model_dump(), "mark": "exact"}
            if not preset.kernels:
                yield row


def _sample_run(report: SampleRunReport) -> Iterator[Row]:
    for kernel in report.kernels:
        figures = kernel.model_dump()
        yield {"kind": "kernel", "name": kernel.kernel, **figures, "mark": "exact"}
    for check in report.checks:
        yield {**check.model_dump(exclude={"marks"}), "kind": "check", "mark": "exact"}
    for name, seconds in report.seconds.items():
        yield {"kind": "time", "name": name, "seconds": seconds, "mark": "exact"}


def _doctor(report: DoctorReport) -> Iterator[Row]:
    for check in report.checks:
        yield check.model_dump()


_ROWS: dict[str, Callable[[Any], Iterable[Row]]] = {
    "inspect": _inspect,
    "analyze": _analyze,
    "diff": diff_rows,
    "trace": _trace,
    "run": _run,
    "profile": profile_rows,
    "record": _record,
    "replay": _replay,
    "dfsg": dfsg_rows,
    "dfsg-diff": dfsg_diff_rows,
    "estimate": _estimate,
    "explain": explain_rows,
    "simulate": simulate_rows,
    "correlate": correlate_rows,
    "sweep": sweep_rows,
    "tune": tune_rows,
    "clone": clone_rows,
    "sample": sample_rows,
    "explore": explore_rows,
    "calibrate": calibrate_rows,
    "machines-list": _machine_list,
    "machines-show": _machine,
    "machines-diff": _difference,
    "samples": _samples,
    "samples-run": _sample_run,
    "doctor": _doctor,
}
