"""docs/estimate_table.md, written from a result of benchmarks.estimate_table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.estimate_table_parts.spaces import GPUS, PAPER_CONFIGURATIONS, table_kernels
from benchmarks.pages import number, rendered, table

TEMPLATE = Path(__file__).with_name("page.md.j2")
Result = Mapping[str, Any]


def write(result: Result, docs: Path) -> None:
    """Write the page into a folder."""
    (docs / "estimate_table.md").write_text(page(result), "utf-8")


def page(result: Result) -> str:
    """Write the page."""
    text = rendered(
        TEMPLATE,
        result,
        configurations=number(result["configurations"]),
        paper_configurations=number(PAPER_CONFIGURATIONS),
        estimates=number(result["estimates"]),
        ms=number(result["time_per_estimate_ms"]),
        ms_of_all=number(result["time_of_all_ms"]),
        paper_ms=number(result["paper_time_per_estimate_ms"]),
        trace=number(result["trace"]),
        kept_trace=number(result["kept_trace"]),
        times_faster=number(result["times_faster"]),
        slower=", ".join(result["slower"]),
        paper_trace=number(result["paper_trace"]),
        grows=number(result["grows_percent"]),
        gpus_words=_gpus_words(result),
        cannot_words=_cannot_words(result),
        kernels=_kernels(result),
        growth=_growth(result),
        spaces=_spaces(),
        times=_times(result),
        problems=_problems(result),
    )
    return f"{text.rstrip()}\n"


def _gpus_words(result: Result) -> str:
    if result["each_gpu"]:
        return "Every configuration is estimated on all four GPUs, from the same traces."
    return (
        "Configurations go to the four GPUs in turn, a line of the growing size to one of them: as "
        "many estimates as the runs that the paper reports. `--each-gpu` asks for all on all four."
    )


def _cannot_words(result: Result) -> str:
    count = result["cannot_run"]
    if not count:
        return "Every GPU can hold a CTA of each configuration that it was asked about."
    return f"{count:,} more cannot run, as the GPU cannot hold a CTA; they count as no estimates."


def _kernels(result: Result) -> str:
    return table(
        ("application", "kernel", "configurations", "estimates", "cannot run", "trace", "kept",
         "paper", "ms an estimate", "p95", "most", "paper, ms"),
        ((one["application"], one["name"],
          *(number(one[key]) for key in ("configurations", "estimates", "cannot_run")),
          _whole(one["trace"]), _whole(one["kept_trace"]), number(one["paper_trace"]),
          *(number(one[key]) for key in ("time_per_estimate_ms", "p95_ms", "most_ms", "paper_ms")))
         for one in result["kernels"]),
    )  # fmt: skip


def _whole(value: float | None) -> str:
    return number(None if value is None else round(value))


def _growth(result: Result) -> str:
    return table(
        ("kernel", "grows with", "pairs", "grow", "largest fall"),
        ((one["name"], f"`{list(one['axes'])[-1]}`", number(one["pairs"]),
          _percent(one["grows_percent"]), _percent(one["largest_fall_percent"]))
         for one in result["kernels"]),
    )  # fmt: skip


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} %"


def _spaces() -> str:
    """List the axes of each kernel, as spaces.toml has them."""
    return table(
        ("kernel", "sizes that are varied", "configurations"),
        ((kernel.name,
          " × ".join(f"{len(a.values)} `{a.name}` {a.values[0]}…{a.values[-1]}"
                     for a in kernel.axes),
          number(kernel.configurations))
         for kernel in table_kernels()),
    )  # fmt: skip


def _times(result: Result) -> str:
    return table(
        ("kernel", *GPUS),
        ((one["name"], *(_range(one["gpus"][gpu]) for gpu in GPUS)) for one in result["kernels"]),
    )


def _range(times: Mapping[str, float | None]) -> str:
    return " / ".join(number(times[key]) for key in ("least_us", "median_us", "most_us"))


def _problems(result: Result) -> str:
    """List why configurations have no estimate, and of how many; nothing where all have one."""
    rows = [
        (one["name"], number(count), reason)
        for one in result["kernels"]
        for reason, count in (one["reasons"] | one["problem_reasons"]).items()
    ]
    if not rows:
        return ""
    listed = table(("kernel", "configurations", "why"), rows)
    return f"## Without an estimate\n\nThe most frequent reasons of each kernel.\n\n{listed}"
