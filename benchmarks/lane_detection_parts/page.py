"""docs/lane-detection.md, written from a result of benchmarks.lane_detection."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.lane_detection_parts import plots
from benchmarks.lane_detection_parts.paper import KernelDesigns, case_study
from benchmarks.lane_detection_parts.sweeping import command
from benchmarks.pages import rendered
from benchmarks.pages import table as markdown

TEMPLATE = Path(__file__).with_name("page.md.j2")
ROOT = Path(__file__).resolve().parents[2]
SHOWN = (
    "warpmill sweep lane-detection:paper-hybrid --kernel lane_pre --over local_pre=16,64 "
    "--machine quadro_k600,quadro_k620 --no-store"
)
"""A command whose output the page has; a test runs it again."""
_TIMEOUT_S = 300

Result = Mapping[str, Any]


def write(result: Result, docs: Path) -> None:
    """Write the page and its picture into a folder."""
    pictures = docs / "lane-detection"
    pictures.mkdir(exist_ok=True)
    plots.draw(result, pictures / "figure_4.png")
    (docs / "lane-detection.md").write_text(page(result, printed(SHOWN)), "utf-8")


def printed(words: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(words)],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=True,
    )
    return done.stdout


def page(result: Result, shown: str) -> str:
    """Write the page; ``shown`` is what the command on it prints."""
    study = case_study()
    text: str = rendered(
        TEMPLATE,
        result,
        study=study,
        designs=result["designs"],
        table_vi=_table_vi(study.kernels),
        commands=[command(study, kernel, f"{kernel.name}.csv") for kernel in study.kernels],
        command=SHOWN,
        shown=shown,
        best=_best(result),
        launches=_launches(result),
        every=_designs(result),
        agreement=_agreement(result),
        simulated_on=result["simulated_on"],
        beside=_beside(result),
        trends=list(_trends(result)),
    )
    return text


def table(header: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Write a table in Markdown."""
    text: str = markdown(header, rows)
    return text


def _us(value: float) -> str:
    return f"{value:,.{0 if value >= 1000 else 1 if value >= 100 else 2}f}"


def _table_vi(kernels: tuple[KernelDesigns, ...]) -> str:
    rows = (
        (
            one.paper,
            f"`{one.name}`",
            f"{one.threads:,}" if isinstance(one.threads, int) else f"`{one.threads}`",
            "; ".join(f"`{name}={values}`" for name, values in one.over.items()),
            f"{one.designs}",
            f"{one.error_percent:.2f} %",
        )
        for one in kernels
    )
    header = ("the paper's kernel", "here", "global size", "varied", "designs", "the paper's error")
    return table(header, rows)


def _launches(result: Result) -> str:
    """Tell over how many frames times are means: the least and the most, where they differ."""
    said = []
    for kernel in result["kernels"]:
        each = sorted({row["launches"] for row in kernel["designs"]})
        words = f"{each[0]}" if len(each) == 1 else f"{each[0]} to {each[-1]}"
        said.append(f"`{kernel['kernel']}` {words}")
    return ", ".join(said)


def _best(result: Result) -> str:
    machines = result["machines"]
    header = ("kernel", "global size", *(f"{name}: best local size, µs" for name in machines))
    return table(header, _best_rows(result))


def _best_rows(result: Result) -> Iterator[tuple[str, ...]]:
    for kernel in result["kernels"]:
        columns = [kernel["best"][name] for name in result["machines"]]
        for own in zip(*columns, strict=True):
            cells = (
                f"{one['local']}: {_us(one['us'])} (worst, {one['worst_local']}: "
                f"{one['worst_over_best']:.1f}×)"
                for one in own
            )
            yield (kernel["kernel"], f"{own[0]['global']:,}", *cells)


def _designs(result: Result) -> str:
    machines = result["machines"]
    header = ("design", "kernel", "global size", "local size", *(f"{m}, µs" for m in machines))
    return table(header, _design_rows(result))


def _design_rows(result: Result) -> Iterator[tuple[str, ...]]:
    every = ((kernel, row) for kernel in result["kernels"] for row in kernel["designs"])
    for number, (kernel, row) in enumerate(every, start=1):
        times = (_us(row["us"][name]) for name in result["machines"])
        sizes = f"{row['global']:,}", f"{row['local']:,}"
        yield (f"{number}", kernel["kernel"], *sizes, *times)


def _agreement(result: Result) -> str:
    rows = (
        (
            kernel["kernel"],
            f"{found['mape']:.1f} %",
            f"{found['bias']:+.1f} %",
            f"{found['rank']:.3f}",
            f"{found['same_best'][0]} of {found['same_best'][1]}",
        )
        for kernel in result["kernels"]
        for found in (kernel["agreement"],)
    )
    header = ("kernel", "mean error", "with its sign", "rank correlation", "same local size")
    return table(header, rows)


def _beside(result: Result) -> str:
    """Show the designs that both engines were asked for, one frame of each."""
    header = ("kernel", "global size", "local size", "estimated µs", "simulated µs", "error")
    return table(header, _beside_rows(result))


def _beside_rows(result: Result) -> Iterator[tuple[str, ...]]:
    machine = result["simulated_on"]
    for kernel in result["kernels"]:
        both = zip(kernel["beside"]["estimate"], kernel["beside"]["simulate"], strict=True)
        for ours, theirs in both:
            times = [row["execution_us"][machine] for row in (ours, theirs)]
            yield (
                kernel["kernel"],
                f"{ours['global']:,}",
                f"{ours['local']:,}",
                *map(_us, times),
                f"{times[0] / times[1] - 1:+.1%}",
            )


def _trends(result: Result) -> Iterator[str]:
    """Say of each kernel which local sizes are best, and by how much the largest one is slower."""
    for kernel in result["kernels"]:
        best = [one for own in kernel["best"].values() for one in own]
        locals_ = sorted({one["local"] for one in best})
        words = f"{locals_[0]}" if len(locals_) == 1 else f"{locals_[0]} to {locals_[-1]}"
        worst = [one["worst_over_best"] for one in best]
        yield (
            f"`{kernel['kernel']}`: best with a local size of {words}; the worst takes "
            f"{min(worst):.1f} to {max(worst):.1f} times as long"
        )
