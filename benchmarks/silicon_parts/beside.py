"""Predicted times beside measured ones: errors in percent of the measured time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.silicon_parts.predicting import Found, Timing
from benchmarks.silicon_parts.readings import Silicon, TimedRow

LEAST_MS = 0.01
"""Workloads that take less count in no mean: what they take is launching."""

Row = dict[str, Any]


def beside(silicon: Silicon, found: Found, timing: Timing, state: str) -> Row:
    """The figures of an engine.

    ``mape`` and ``bias`` are means over workloads longer than 10 µs, of the sums of the launches
    that have rows; ``kendall_tau`` ranks these workloads, ``kernels_mape`` is the mean over their
    kernels. ``rows`` come worst first, those of a whole workload and of its kernels; ``problems``
    say why a target has none. None where nothing is known.
    """
    workloads, kernels, problems = [], [], {}
    for target, one in found.items():
        if "problem" in one:
            problems[target] = one["problem"]
            continue
        if why := silicon.mismatch(target, len(one["launch_cycles"])):
            problems[target] = why
            continue
        launches = [row for row in silicon.by_target[target] if row.ms[state] is not None]
        if not launches:
            problems[target] = "the GPU told no times"
            continue
        cycles = one["launch_cycles"]
        whole = _row(target, None, launches, cycles, timing, state)
        workloads.append(whole)
        if whole["counts"]:
            kernels += _of_kernels(target, launches, cycles, timing, state)
    counting = [row for row in workloads if row["counts"]]
    return {
        "mape": _mean([abs(row["error"]) for row in counting]),
        "bias": _mean([row["error"] for row in counting]),
        "workloads": len(counting),
        "short": len(workloads) - len(counting),
        "kernels_mape": _mean([abs(row["error"]) for row in kernels]),
        "kendall_tau": _kendall_tau(counting),
        "problems": problems,
        "rows": sorted(workloads, key=_badness) + sorted(kernels, key=_badness),
    }


def _of_kernels(
    target: str, launches: Sequence[TimedRow], cycles: Sequence[float], timing: Timing, state: str
) -> list[Row]:
    by_kernel: dict[str, list[TimedRow]] = {}
    for one in launches:
        by_kernel.setdefault(one.kernel, []).append(one)
    return [_row(target, k, own, cycles, timing, state) for k, own in by_kernel.items()]


def _row(
    target: str,
    kernel: str | None,
    launches: Sequence[TimedRow],
    cycles: Sequence[float],
    timing: Timing,
    state: str,
) -> Row:
    measured = sum(one.ms[state] or 0.0 for one in launches)
    predicted = sum(timing.ms(cycles[one.number], one.ctas) for one in launches)
    return {
        "target": target,
        "kernel": kernel,
        "launches": len(launches),
        "measured_ms": measured,
        "predicted_ms": predicted,
        "error": 100 * (predicted / measured - 1),
        "counts": measured > LEAST_MS,
    }


def _badness(row: Mapping[str, Any]) -> tuple[float, str]:
    return -abs(row["error"]), row["target"]


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _kendall_tau(rows: Sequence[Row]) -> float | None:
    """Rank workloads (τ-b); None where there is nothing to rank."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - slow to load

    measured, predicted = ([row[k] for row in rows] for k in ("measured_ms", "predicted_ms"))
    if len(set(measured)) < 2 or len(set(predicted)) < 2:
        return None
    return float(kendalltau(measured, predicted).statistic)
