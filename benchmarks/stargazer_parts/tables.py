"""A result of benchmarks.stargazer as lines."""

from __future__ import annotations

from benchmarks.stargazer_parts.accuracy import FEW, MOST
from benchmarks.stargazer_parts.measuring import AS_PRINTED, REASONABLE
from benchmarks.stargazer_parts.others import KINDS

_FIGURES = ("mean_error_300", "worst_error_300", "worst_error_300_adjusted", "max_error_300",
            "max_error_300_without_aes", "worst_error_60", "mean_r_squared", "held_95", "unknown",
            "three_factors")  # fmt: skip
_SHOWN = 6


def table(result):
    """The rows as lines, then the figures of all, speeds and goals."""
    yield (f"{'':10}{'terms':>9}{'R²':>8}{'mean':>8}{'75 %':>8}{'98 %':>8}{'max':>8}{'of 60':>8}"
           f"{'θ=φ=.01':>9}{'3 terms':>9}" + "".join(f"{kind:>10}" for kind in KINDS)
           + "  what matters")  # fmt: skip
    for name, row in result["rows"].items():
        yield _row(name, row)
    for key in _FIGURES:
        yield f"{key:26} {_words(result[key])}{_beside(result, key)}"
    for kind, one in result["others"].items():
        yield f"{kind:26} {_words(one)}"
    for part, one in result["speed"].items():
        yield f"{part:26} {_words(one)}"
    for goal in result["goals"]:
        met = "reached" if goal["reached"] else "NOT reached"
        yield f"{goal['what']}: {_words(goal['here'])}, {goal['side']} {goal['wanted']:g}: {met}"


def _row(name, row):
    of = {one["samples"]: one for one in row["accuracy"][f"{AS_PRINTED:g}"]}
    most, terms = of[MOST], row["contributions"][f"{REASONABLE:g}"]["terms"]
    other = next(o for o in row["accuracy"][f"{REASONABLE:g}"] if o["samples"] == MOST)
    beside = next(one for one in row["others"] if one["samples"] == MOST)
    pair = f"({most['parameters']}, {most['pairs']})"
    quantiles = "".join(f"{value:8.2f}" for value in most["quantiles"].values())
    return (f"{name:10}{pair:>9}{most['r_squared']:8.4f}{most['mean']:8.2f}{quantiles}"
            f"{most['max']:8.2f}{of[FEW]['mean']:8.2f}{other['mean']:9.2f}"
            f"{row['three_factors']['mean']:9.2f}"
            + "".join(f"{beside[kind]['mean']:10.2f}" for kind in KINDS)
            + "  " + ", ".join(f"{term} {gain:.3f}" for term, gain in terms[:_SHOWN]))  # fmt: skip


def _beside(result, key):
    own = result[f"at_{REASONABLE:g}"].get(key)
    return "" if own is None else f" (θ = φ = {REASONABLE:g}: {own:.4g})"


def _words(value):
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return "; ".join(" ".join(map(_words, one)) for one in value) or "none"
    return f"{value:.4g}" if isinstance(value, float) else "-" if value is None else str(value)
