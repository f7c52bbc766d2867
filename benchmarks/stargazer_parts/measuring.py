"""The whole measurement: what was simulated, and all figures of it."""

from __future__ import annotations

from statistics import fmean

from benchmarks.stargazer_parts import figures, speed
from benchmarks.stargazer_parts.accuracy import (
    FEW,
    MOST,
    SIZES,
    THRESHOLDS,
    accuracy,
    of_three_factors,
)
from benchmarks.stargazer_parts.goals import goals_met
from benchmarks.stargazer_parts.others import KINDS, judged
from benchmarks.stargazer_parts.samples import (
    ADJUSTED,
    NAMES,
    POINTS,
    PRESET,
    SEED,
    TAILED,
    simulated,
)  # fmt: skip

AS_PRINTED, REASONABLE = THRESHOLDS
CURVES = ("LPS", "RAY")
"""Figure 7."""


def measure(workloads, store, workers, say):
    """Measure workloads; the whole result."""

    def told(progress):
        left = progress.seconds_left
        words = "" if left is None else f", about {left / 60:.0f} min left"
        say(f"{progress.over:,} of {progress.all:,} points{words}")

    found = simulated(workloads, store, workers, told)
    parameters = found.space.design.parameters
    say("models")
    rows = {name: of_series(one, parameters) for name, one in found.series.items()}
    result = {
        "space": {"name": found.space.name, "points": found.space.design.count, "seed": SEED,
                  "sampled": POINTS},
        "workloads": found.facts,
        "rows": rows,
        **summary(rows),
        "figures": of_figures(found, store, workers, told),
        "speed": {"simulations": speed.of_simulations(found.space, told),
                  "models": speed.of_models(found.series, found.space, AS_PRINTED)},
    }  # fmt: skip
    return {**result, "goals": goals_met(result)}


def of_series(series, parameters):
    """Judge models of a series of samples, by thresholds, and other ways."""
    return {
        "accuracy": {f"{t:g}": accuracy(series, parameters, t) for t in THRESHOLDS},
        "three_factors": of_three_factors(series, parameters),
        "others": judged(series, parameters),
        "contributions": {
            f"{t:g}": figures.contributions(series, parameters, t) for t in THRESHOLDS
        },
        "contributions_of_wide": {
            f"{t:g}": figures.contributions_of_wide(series, parameters, t) for t in THRESHOLDS
        },
    }


def of_figures(found, store, workers, told):
    """Table 1 and Figures 4 and 7, of the workloads that were measured."""
    parameters, made = found.space.design.parameters, {}
    if figures.TRACED in found.series:
        made["table_1"] = figures.trace(found.series[figures.TRACED], parameters)
    if TAILED in found.series:
        tailed = next(name for name, called in NAMES.items() if called == TAILED)
        made["figure_4"] = {
            "simulated": figures.along_blocks(
                found.space, f"{tailed}:{PRESET}", store, workers, told
            ),
            "predicted": {
                name: figures.predicted_along_blocks(found.series[name], parameters)
                for name in (TAILED, ADJUSTED)
            },
        }
    made["figure_7"] = {
        name: figures.predicted_along_blocks(found.series[name], parameters)
        for name in CURVES
        if name in found.series
    }
    return made


def summary(rows):
    """Sum up all workloads: as printed, by the reasonable thresholds, and in other ways."""
    found = of_threshold(rows, AS_PRINTED)
    found[f"at_{REASONABLE:g}"] = of_threshold(rows, REASONABLE)
    workloads = [name for name in rows if name != ADJUSTED]
    found["three_factors"] = fmean(rows[name]["three_factors"]["mean"] for name in workloads)
    found["others"] = {
        kind: {str(size): _of_kind(rows, workloads, kind, size) for size in (FEW, MOST)}
        for kind in KINDS
    }
    return found


def of_threshold(rows, threshold):
    """Sum up the models of a threshold; AES-adj stands beside the workloads, not among them."""
    at = {
        name: {one["samples"]: one for one in row["accuracy"][f"{threshold:g}"]}
        for name, row in rows.items()
    }
    plain = [name for name in rows if name != ADJUSTED]
    adjusted = [name for name in rows if name != TAILED]
    most = {name: own[MOST] for name, own in at.items()}
    without = [most[name]["max"] for name in adjusted if name != ADJUSTED]
    return {
        "mean_error_300": fmean(most[name]["mean"] for name in plain),
        "worst_error_300": max(most[name]["mean"] for name in plain),
        "worst_error_300_adjusted": max(most[name]["mean"] for name in adjusted),
        "max_error_300": max(most[name]["max"] for name in plain),
        "max_error_300_without_aes": max(without, default=None),
        "worst_error_60": max(at[name][FEW]["mean"] for name in adjusted),
        "mean_error": {
            str(size): fmean(at[name][size]["mean"] for name in plain) for size in SIZES
        },
        "mean_r_squared": fmean(most[name]["r_squared"] for name in plain),
        "held_95": fmean(most[name]["held"] for name in plain),
        "unknown": sum(most[name]["unknown"] for name in plain),
    }


def _of_kind(rows, workloads, kind, size):
    own = [
        next(row[kind] for row in rows[name]["others"] if row["samples"] == size)
        for name in workloads
    ]
    return {"mean": fmean(one["mean"] for one in own), "worst": max(one["mean"] for one in own),
            "max": max(one["max"] for one in own)}  # fmt: skip
