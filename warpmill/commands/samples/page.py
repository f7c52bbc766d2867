"""The pages of ``samples``."""

from __future__ import annotations

from warpmill.commands.samples.result import (
    KernelFigures,
    ListedWorkload,
    PaperClaims,
    SampleRunReport,
    SamplesReport,
)
from warpmill.report.page import UNKNOWN, Page, figure
from warpmill.report.words import duration, plural

_SHOWN = "small"
_LETTERS = {"hybrid": "H", "tbpoint": "T", "stargazer": "S", "minibench": "M", "gtpin": "G"}


def samples_page(report: SamplesReport, page: Page) -> None:
    """Show many workloads a line each, or one in full."""
    if len(report.samples) == 1:
        _one(report.samples[0], page)
        return
    page.title(f"workloads: {len(report.samples)}")
    page.line("samples show NAME says all of one, samples run NAME runs and checks it;")
    page.line("commands take NAME, NAME:PRESET, NAME:PRESET:BUILD where a launch file stands")
    page.line("papers: " + ", ".join(f"{letter} {paper}" for paper, letter in _LETTERS.items()))
    page.line("presets: tiny, small, and those of each paper whose letter is a capital")
    page.line(f"o: in OpenCL too; launches, threads, instructions a thread: of preset {_SHOWN}")
    for area in dict.fromkeys(sample.area for sample in report.samples):
        rows = [_row(sample) for sample in report.samples if sample.area == area]
        page.heading(f"{area}: {len(rows)}")
        page.table(
            ("workload", "papers", "o", "launches", "threads", "each", "what"),
            rows,
            left=(0, 1, 2, 6),
            wrap=(6,),
        )


def _row(sample: ListedWorkload) -> tuple[str, ...]:
    total = next((p.total for p in sample.presets if p.preset == _SHOWN), None)
    return (
        sample.name,
        _papers(sample),
        "o" if "opencl" in sample.builds else "",
        *_totals(total),
        sample.title,
    )


def _papers(sample: ListedWorkload) -> str:
    """Give the letters of its papers, capitals where it has a preset of the paper's size."""
    presets = {preset.preset for preset in sample.presets}
    letters = []
    for paper, letter in _LETTERS.items():
        has_preset = any(preset.startswith(f"paper-{paper}") for preset in presets)
        known = letter if has_preset else letter.lower()
        letters.append(known if paper in sample.papers else "·")
    return "".join(letters)


def _totals(total: KernelFigures | None) -> tuple[str, str, str]:
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
        if preset.kernels is None or preset.total is None:
            page.line("not counted yet")
        else:
            _kernels(preset.kernels, preset.total, page)


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


def _kernels(kernels: list[KernelFigures], total: KernelFigures, page: Page) -> None:
    rows = [*kernels, total] if len(kernels) > 1 else kernels
    page.table(
        ("kernel", "launches", "CTAs", "threads", "by warps", "by threads", "each"),
        [
            (
                k.kernel or "all",
                figure(k.launches),
                figure(k.ctas),
                figure(k.threads),
                figure(k.warp_instructions),
                figure(k.thread_instructions),
                figure(k.instructions_per_thread),
            )
            for k in rows
        ],
        left=(0,),
    )


def sample_run_page(report: SampleRunReport, page: Page) -> None:
    """Show what a workload executed, and what its checks say."""
    page.title(f"samples run: {report.target}")
    seconds = report.seconds
    spent = f"{duration(seconds['run'])}, {duration(seconds['make'])} for inputs"
    page.facts(
        [
            ("sizes", ", ".join(f"{name} = {value}" for name, value in report.sizes.items())),
            ("device", "cpu, executed here" if report.device == "cpu" else report.device),
            ("time here", f"{spent}, {duration(seconds['check'])} for checks"),
            ("results", "right" if report.passed else "WRONG"),
        ]
    )
    page.heading(f"kernels: {len(report.kernels)}")
    _kernels(report.kernels, report.total, page)
    page.heading(f"checks: {len(report.checks) or 'none'}")
    if report.checks:
        page.table(
            ("result", "against", "elements", "wrong", "worst", "tolerance"),
            [
                (
                    check.name,
                    check.against,
                    figure(check.elements),
                    figure(check.wrong),
                    UNKNOWN if check.worst is None else f"{check.worst:.2g}",
                    check.tolerance,
                )
                for check in report.checks
            ],
            left=(0, 1, 5),
            wrap=(0, 1),
        )
