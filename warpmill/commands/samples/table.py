"""The rows of ``samples`` as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.samples.result import SampleRunReport, SamplesReport
from warpmill.report.table import CsvRow, CsvTable

SAMPLES_COLUMNS = (
    "name", "title", "area", "suite", "papers", "builds", "preset", "kernel", "launches",
    "ctas", "threads", "warp_instructions", "thread_instructions", "instructions_per_thread",
    "mark",
)  # fmt: skip

SAMPLES_RUN_COLUMNS = (
    "kind", "name", "launches", "ctas", "threads", "warp_instructions",
    "thread_instructions", "instructions_per_thread", "against", "elements", "wrong",
    "tolerance", "worst", "passed", "seconds", "mark",
)  # fmt: skip


def _samples(report: SamplesReport) -> Iterator[CsvRow]:
    for sample in report.samples:
        facts = sample.flat(only={"name", "title", "area", "suite", "papers", "builds"})
        for preset in sample.presets:
            row = {**facts, "preset": preset.preset}
            for kernel in preset.kernels or ():
                yield {**row, **kernel.flat(), "mark": "exact"}
            if not preset.kernels:
                yield row


def _sample_run(report: SampleRunReport) -> Iterator[CsvRow]:
    for kernel in report.kernels:
        figures = kernel.flat()
        yield {"kind": "kernel", "name": kernel.kernel, **figures, "mark": "exact"}
    for check in report.checks:
        yield {**check.flat(but={"marks"}), "kind": "check", "mark": "exact"}
    for name, seconds in report.seconds.items():
        yield {"kind": "time", "name": name, "seconds": seconds, "mark": "exact"}


SAMPLES = CsvTable(SAMPLES_COLUMNS, _samples)

SAMPLES_RUN = CsvTable(SAMPLES_RUN_COLUMNS, _sample_run)
