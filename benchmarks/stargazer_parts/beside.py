"""What the paper says in figures that nothing is to reach, and where those are in a result."""

from __future__ import annotations

from statistics import fmean

from benchmarks.stargazer_parts.accuracy import FEW, MOST
from benchmarks.stargazer_parts.measuring import AS_PRINTED
from benchmarks.stargazer_parts.samples import ADJUSTED, TAILED

RIGHT = 5.0
"""A mean error in percent that is right enough (§7.3)."""


def accuracy_of(result, name, samples=MOST, threshold=AS_PRINTED):
    """How a workload's models of so many samples are judged; None where they are not."""
    rows = result["rows"].get(name, {"accuracy": {}})["accuracy"].get(f"{threshold:g}", ())
    return next((one for one in rows if one["samples"] == samples), None)


def workloads(result):
    """Name the workloads; AES with its tail adjusted is none of its own."""
    return [name for name in result["rows"] if name != ADJUSTED]


def paper_figures(result):
    """Words, the paper's figure, and the one here; None where it is unknown."""
    tailed, adjusted = accuracy_of(result, TAILED), accuracy_of(result, ADJUSTED)
    others = [accuracy_of(result, name) for name in workloads(result) if name != TAILED]
    quarters = [one["quantiles"]["0.75"] for one in others]
    rows = result["figures"].get("table_1", {"rows": ()})["rows"]
    grown = [row["r_squared"] for row in rows if row["chosen"] is not None]
    return [
        ("AES: mean error, 300 samples, %", 3.8, _of(tailed, "mean")),
        ("AES: 98 % of the errors are below, %", 21.7, _of(tailed, "quantiles", "0.98")),
        ("AES: largest error, %", 31.1, _of(tailed, "max")),
        ("others: 75 % of the errors are below, largest of all workloads, %", 4.4,
         max(quarters, default=None)),
        ("AES: R²", 0.902, _of(tailed, "r_squared")),
        ("AES with its tail adjusted: R²", 0.999, _of(adjusted, "r_squared")),
        ("workloads over 5 % with 60 samples (AES in the paper)", 1, _wrong(result)),
        ("what `simd` adds to R², mean of workloads", 0.78, _mean_gain(result, "simd")),
        ("what `#blk` adds where `simd` is 32, mean", 0.696, _mean_gain(result, "#blk", wide=True)),
        *((f"{name}: what `{term}` adds where `simd` is 32", own, gain(result, name, term, True))
          for name, term, own in _WIDE),
        (f"matmul: R² of its first term alone (`#blk` in the paper{_first(rows)})", 0.719,
         grown[0] if grown else None),
        ("matmul: R² at the end of Table 1", 0.9745, grown[-1] if grown else None),
    ]  # fmt: skip


_WIDE = (("AES", "smp", 0.244), ("nw", "smp", 0.996), ("BFS", "dramq", 0.261),
         ("bfs", "dramq", 0.620))  # fmt: skip


def _first(rows):
    return f", `{rows[0]['chosen']}` here" if rows else ""


def _of(one, *place):
    for key in place:
        one = None if one is None else one[key]
    return one


def _wrong(result):
    means = [_of(accuracy_of(result, name, FEW), "mean") for name in workloads(result)]
    return None if None in means else sum(mean > RIGHT for mean in means)


def gain(result, name, term, wide=False):
    """What a term adds to a workload's R²; 0 where it is in no model of it."""
    if name not in result["rows"]:
        return None
    key = "contributions_of_wide" if wide else "contributions"
    own = result["rows"][name][key][f"{AS_PRINTED:g}"]
    return dict(map(tuple, own["terms"])).get(term, 0.0)


def _mean_gain(result, term, wide=False):
    return fmean(gain(result, name, term, wide) for name in workloads(result))
