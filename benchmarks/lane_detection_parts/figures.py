"""What the sweeps over Table VI say: best local sizes, and how the two engines agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from scipy.stats import spearmanr

Row = Mapping[str, Any]


def best_locals(designs: Sequence[Row], machine: str) -> list[dict[str, Any]]:
    """For each global size the local one with the least time, and how much worst costs."""
    found = []
    for threads in dict.fromkeys(row["global"] for row in designs):
        own = [(row["us"][machine], row["local"]) for row in designs if row["global"] == threads]
        least, local = min(own)
        worst, worst_local = max(own)
        found.append({
            "global": threads, "local": local, "us": least, "worst_local": worst_local,
            "worst_over_best": worst / least,
        })  # fmt: skip
    return found


def agreement(estimated: Sequence[Row], simulated: Sequence[Row], machine: str) -> dict[str, Any]:
    """Compare the engines over the designs of a kernel. ValueError for other designs.

    ``mape``: mean absolute error of the estimate against the simulation, as a percentage; ``bias``
    the same with its sign; ``rank``: Spearman's correlation; ``same_best``: how often the best
    local size of a global one is the same, and of how many.
    """
    places = [[(row["global"], row["local"]) for row in rows] for rows in (estimated, simulated)]
    if places[0] != places[1]:
        raise ValueError("the engines were asked for other designs")
    ours, theirs = (
        [row["execution_us"][machine] for row in rows] for rows in (estimated, simulated)
    )
    errors = [a / b - 1 for a, b in zip(ours, theirs, strict=True)]
    return {
        "mape": 100 * fmean(abs(error) for error in errors),
        "bias": 100 * fmean(errors),
        "rank": float(spearmanr(ours, theirs).statistic),
        "same_best": _same_best(places[0], ours, theirs),
    }


def _same_best(
    places: Sequence[tuple[int, int]], ours: Sequence[float], theirs: Sequence[float]
) -> list[int]:
    globals_ = list(dict.fromkeys(threads for threads, _ in places))
    same = 0
    for threads in globals_:
        own = [n for n, place in enumerate(places) if place[0] == threads]
        same += min(own, key=lambda n: ours[n]) == min(own, key=lambda n: theirs[n])
    return [same, len(globals_)]
