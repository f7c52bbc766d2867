"""The pages of ``samples``, and their rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.commands.samples.result import (
    ListedWorkload,
    PaperClaims,
    SampleRunReport,
    SamplesReport,
)
from warpmill.report.page import UNKNOWN, Page, figure
from warpmill.report.sections import Shown, Special, Table, add_sections
from warpmill.report.table import CsvRow, CsvTable, RowsOf
from warpmill.report.words import duration, plural
from warpmill.session.workload_runs import KernelTotals, PresetFigures

_SHOWN = "small"
_LETTERS = {"hybrid": "H", "tbpoint": "T", "stargazer": "S", "minibench": "M", "gtpin": "G"}


def _samples(page: Page, report: SamplesReport) -> None:
    """Many workloads a line each, or one in full."""
    if len(report.samples) == 1:
        _one(report.samples[0], page)
        return
    page.title(f"workloads: {len(report.samples)}")
    page.line("samples show NAME says all of one, samples run NAME runs and checks it;")
    page.line("commands take NAME, NAME:PRESET, NAME:PRESET:BUILD where a launch file stands")
    page.line("papers: " + ", ".join(f"{letter} {paper}" for paper, letter in _LETTERS.items()))
    page.line("presets: tiny, small, and those of each paper whose letter is a capital")
    page.line(f"o: in OpenCL too; launches, threads, instructions per thread: of preset {_SHOWN}")
    for area in dict.fromkeys(sample.area for sample in report.samples):
        rows = [_row(sample) for sample in report.samples if sample.area == area]
        page.heading(f"{area}: {len(rows)}")
        page.table(
            ("workload", "papers", "o", "launches", "threads", "per thread", "description"),
            rows,
            left=(0, 1, 2, 6),
            wrap=(6,),
        )


def _row(sample: ListedWorkload) -> tuple[str, ...]:
    found = next((p.executed for p in sample.presets if p.preset == _SHOWN), None)
    total = None if found is None else found.total
    return (
        sample.name,
        _papers(sample),
        "o" if "opencl" in sample.builds else "",
        *_totals(total),
        sample.title,
    )


def _papers(sample: ListedWorkload) -> str:
    """The letters of its papers, capitals where it has a preset of the paper's size."""
    presets = {preset.preset for preset in sample.presets}
    letters = []
    for paper, letter in _LETTERS.items():
        has_preset = any(preset.startswith(f"paper-{paper}") for preset in presets)
        known = letter if has_preset else letter.lower()
        letters.append(known if paper in sample.papers else "·")
    return "".join(letters)


def _totals(total: KernelTotals | None) -> tuple[str, str, str]:
    if total is None:
        return UNKNOWN, UNKNOWN, UNKNOWN
    each = figure(total.instructions_per_thread)
    return figure(total.launches), figure(total.threads), each


def _one(sample: ListedWorkload, page: Page) -> None:
    page.title(f"{sample.name}: {sample.title}")
    page.facts(
        [
            ("area", sample.area),
            ("after", sample.suite),
            ("papers", ", ".join(sample.papers)),
            ("builds", ", ".join(sample.builds)),
            ("main kernel", sample.main_kernel),
            ("checked by", sample.checked_by),
            ("left out", sample.left_out),
            *((f"{claim.paper} says", _claim(claim)) for claim in sample.claims),
        ]
    )
    for preset in sample.presets:
        sizes = ", ".join(f"{name} = {value}" for name, value in preset.sizes.items())
        page.heading(f"{sample.name}:{preset.preset}   {sizes}")
        if preset.executed is None:
            page.line("not counted yet")
        else:
            _kernels(page, preset.executed)


def _claim(claim: PaperClaims) -> str:
    parts = []
    if claim.launches is not None:
        kind = f"type {claim.kernel_type}"
        parts.append(f"{plural(claim.launches, 'launch')}, {figure(claim.ctas)} CTAs, {kind}")
    if claim.problem is not None:
        parts.append(
            f"{claim.problem}, {claim.threads_per_block} threads a CTA, "
            f"{figure(claim.thread_instructions)} thread instructions"
        )
    if claim.kernels:
        pairs = (f"{theirs} is {ours}" for theirs, ours in claim.kernels.items())
        parts.append(", ".join(pairs))
    return "; ".join(parts)


def _kernels(page: Page, figures: PresetFigures) -> None:
    shown = figures if len(figures.kernels) < 2 else _with_total(figures)
    add_sections(page, shown, (KERNELS,))


def _with_total(figures: PresetFigures) -> PresetFigures:
    return PresetFigures((*figures.kernels, replace(figures.total, kernel="all")))


KERNELS = Table(
    "",
    "kernels",
    (
        "kernel", "launches", "ctas", "threads", Shown("warp_instructions", "by warps"),
        Shown("thread_instructions", "by threads"), Shown("instructions_per_thread", "per thread"),
    ),
    top=1 << 30,
)  # fmt: skip


def _run(page: Page, report: SampleRunReport) -> None:
    page.title(f"samples run: {report.target}")
    seconds = report.seconds
    spent = f"{duration(seconds['run'])}, {duration(seconds['make'])} for inputs"
    page.facts(
        [
            ("sizes", ", ".join(f"{name} = {value}" for name, value in report.sizes.items())),
            ("device", "cpu, executed here" if report.device == "cpu" else report.device),
            ("duration", f"{spent}, {duration(seconds['check'])} for checks"),
            ("results", "right" if report.passed else "WRONG"),
        ]
    )
    page.heading("Instructions executed", "exact")
    _kernels(page, report.executed)


RUN_PAGE = (
    Special(_run),
    Table(
        "Checks",
        "checks",
        (
            "name", "against", "elements", "wrong",
            Shown("worst", words=lambda worst: None if worst is None else f"{worst:.2g}"),
            "tolerance",
        ),
        top=1 << 30,
        left=(0, 1, 5),
        wrap=(0, 1),
    ),
)  # fmt: skip

PAGE = (Special(_samples),)

SAMPLES_COLUMNS = (
    "name", "title", "area", "suite", "papers", "builds", "preset", "kernel", "launches",
    "ctas", "threads", "warp_instructions", "thread_instructions", "instructions_per_thread",
    "mark",
)  # fmt: skip

_FACTS = ("name", "title", "area", "suite", "papers", "builds")

SAMPLES = CsvTable(
    SAMPLES_COLUMNS,
    (
        RowsOf(
            "samples.presets.executed.kernels",
            {**{key: f".samples.{key}" for key in _FACTS}, "preset": ".samples.presets.preset"},
            mark="launches",
        ),
        RowsOf(
            "samples.presets",
            {key: f".samples.{key}" for key in _FACTS},
            chosen=lambda preset: preset.executed is None,
        ),
    ),
)

_RUN_COLUMNS = (
    "kind", "name", "launches", "ctas", "threads", "warp_instructions",
    "thread_instructions", "instructions_per_thread", "against", "elements", "wrong",
    "tolerance", "worst", "passed", "seconds", "mark",
)  # fmt: skip


def _run_rows(report: SampleRunReport) -> Iterator[CsvRow]:
    rows = (
        RowsOf("executed.kernels", {"name": "kernel"}, {"kind": "kernel"}, mark="launches"),
        RowsOf("checks", {}, {"kind": "check"}, mark="elements"),
    )
    for kind in rows:
        yield from kind.rows(report, _RUN_COLUMNS)
    for name, seconds in report.seconds.items():
        yield {"kind": "time", "name": name, "seconds": seconds, "mark": "exact"}


SAMPLES_RUN = CsvTable(
    _RUN_COLUMNS,
    _run_rows,
)
