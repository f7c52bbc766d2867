"""A result of benchmarks.tbpoint as lines."""

from __future__ import annotations

_FIGURES = ("error_geomean", "sample_geomean", "worst_error", "worst_sensitivity", "error_mean",
            "sample_mean", "simpoint", "random", "by_paper", "intervals", "cost", "speedup",
            "large_samples", "irregular_share")  # fmt: skip


def table(result):
    """The rows as lines, then the figures of all, other methods and goals."""
    yield (f"{'workload':22}{'launches':>9}{'CTAs':>9}{'IPC':>9}{'error':>9}{'sample':>9}"
           f"{'inter':>8}{'intra':>8}{'SimPoint':>10}{'sample':>8}{'random':>8}"
           f"{'2 units':>9}{'sample':>9}")  # fmt: skip
    for row in result["rows"]:
        yield (f"{row['workload']:22}{row['launches']:9}{row['ctas']:9,}{row['ipc'][0]:9.3f}"
               f"{row['error']:+8.2f}%{row['sample']:8.2f}%{row['skipped_inter']:7.1f}%"
               f"{row['skipped_intra']:7.1f}%{row['simpoint']['error']:+9.2f}%"
               f"{row['simpoint']['sample']:7.2f}%{row['random']['error']:7.2f}%"
               f"{row['by_paper']['error']:+8.2f}%{row['by_paper']['sample']:8.2f}%")  # fmt: skip
    for key in _FIGURES:
        yield f"{key:22} {_words(result[key])}"
    for name, one in result["methods"].items():
        yield f"{name:22} {_words(one)}"
    for goal in result["goals"]:
        met = "reached" if goal["reached"] else "NOT reached"
        yield f"{goal['what']}: {_words(goal['here'])}, at most {goal['wanted']:g}: {met}"


def _words(value):
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return "; ".join(" ".join(map(_words, one)) for one in value) or "none"
    return f"{value:.4g}" if isinstance(value, float) else "-" if value is None else str(value)
