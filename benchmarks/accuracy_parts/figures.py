"""How near predicted times come to measured ones. Errors are in percent of the measured time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.accuracy_parts.model import Row
from benchmarks.accuracy_parts.selecting import APART, TUNED

RANKED_FROM = 20
"""Rows from which on a kernel that is no tuned space is ranked."""

Figures = dict[str, Any]


def figures(rows: Iterable[Row]) -> Figures:
    """The figures of each data set, GPU and kernel, and those of all.

    ``mape`` is the mean over groups of their mean absolute error, those apart left out.
    ``kendall_tau_min`` and ``best_pick_slowdown_max`` are the worst of the spaces in ``TUNED``.
    ``warp_inst_error_median`` is over rows with a profiler's count. None where nothing is known.
    """
    found: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[row.case.group].append(row)
    return of_groups([group(own) for own in found.values()])


def of_groups(groups: Sequence[Mapping[str, Any]]) -> Figures:
    """Groups with the figures of all."""
    return {"overall": overall(groups), "groups": list(groups)}


def overall(groups: Sequence[Mapping[str, Any]]) -> Figures:
    """The figures of all groups."""
    headline = [one for one in groups if not one["apart"]]
    tuned = [one for one in headline if one["dataset"] in TUNED]
    instructions = [error for one in groups for error in one["instruction_errors"]]
    return {
        "mape": _mean([one["mape"] for one in headline]),
        "groups": len(headline),
        "rows": sum(one["rows"] for one in headline),
        "problems": sum(one["problems"] for one in headline),
        "kendall_tau_min": min(_known(one["kendall_tau"] for one in tuned), default=None),
        "best_pick_slowdown_max": max(
            _known(one["best_pick_slowdown"] for one in tuned), default=None
        ),
        "warp_inst_error_median": float(np.median(instructions)) if instructions else None,
        "seconds": sum((one["seconds_a_row"] or 0.0) * one["predicted"] for one in groups),
    }


def group(rows: Sequence[Row]) -> Figures:
    """The figures of the rows of one kernel on one GPU.

    ``mape``, ``median`` and ``p90`` are of absolute errors, ``bias`` is the mean error; ``rows`` is
    how many have one, ``problems`` counts those without a prediction, and ``reasons`` says why.
    ``instruction_errors`` are of the rows that a profiler has counted instructions of.
    ``points`` are measured and predicted times in ms, and whether the error counts.
    """
    case = rows[0].case
    errors = np.array(_known(row.error for row in rows if row.has_error))
    known = [row for row in rows if row.prediction is not None]
    ranked = known if case.dataset in TUNED or len(known) >= RANKED_FROM else []
    return {
        "dataset": case.dataset,
        "gpu": case.gpu,
        "kernel": case.kernel,
        "apart": case.dataset in APART,
        "rows": len(errors),
        "predicted": len(known),
        "problems": len(rows) - len(known),
        **_spread(errors),
        "ranked": len(ranked),
        "kendall_tau": kendall_tau(ranked),
        "best_pick_slowdown": best_pick_slowdown(ranked),
        "compilers": sorted({row.compiler for row in known}),
        "registers": sorted({_source(row) for row in known}),
        "seconds_a_row": _mean([row.prediction.seconds for row in known if row.prediction]),
        "instruction_errors": instruction_errors(rows),
        "reasons": dict(Counter(_reason(row.problem) for row in rows if row.problem)),
        "points": [_point(row) for row in known],
    }


def _reason(problem: str) -> str:
    """Cut what went wrong down to what several rows have in common: without its numbers."""
    return re.sub(r"\d[\d.,e+]*", "…", problem.splitlines()[0])[:200]


def _point(row: Row) -> list[Any]:
    assert row.prediction is not None
    return [*(float(f"{ms:.5g}") for ms in (row.case.time_ms, row.prediction.ms)), row.has_error]


def _spread(errors: np.ndarray) -> Figures:
    if not len(errors):
        return dict.fromkeys(("mape", "median", "p90", "bias"))
    sizes = np.abs(errors)
    return {
        "mape": float(sizes.mean()),
        "median": float(np.median(sizes)),
        "p90": float(np.percentile(sizes, 90)),
        "bias": float(errors.mean()),
    }


def kendall_tau(rows: Sequence[Row]) -> float | None:
    """The rank correlation of predicted and measured times (τ-b); None where there is none."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - slow to load

    pairs = _times(rows)
    if len(pairs) < 2 or np.ptp(pairs[:, 0]) == 0 or np.ptp(pairs[:, 1]) == 0:
        return None
    return float(kendalltau(pairs[:, 0], pairs[:, 1]).statistic)


def best_pick_slowdown(rows: Sequence[Row]) -> float | None:
    """The measured time of the row that is predicted best, over the best measured one.

    Of several that are predicted best, the one that was measured worst counts. None without rows.
    """
    pairs = _times(rows)
    if not len(pairs):
        return None
    picked = pairs[pairs[:, 0] == pairs[:, 0].min(), 1].max()
    return float(picked / pairs[:, 1].min())


def instruction_errors(rows: Iterable[Row]) -> list[float]:
    """How far executed warp instructions are from a profiler's, in percent, unsigned."""
    found = []
    for row in rows:
        counted = row.case.counters.get("warp_inst")
        own = row.prediction.warp_instructions if row.prediction is not None else None
        if counted and own is not None:
            found.append(100 * abs(own / counted - 1))
    return found


def _times(rows: Sequence[Row]) -> np.ndarray:
    """Predicted and measured times, a row each."""
    pairs = [(r.prediction.ms, r.case.time_ms) for r in rows if r.prediction is not None]
    return np.array(pairs).reshape(-1, 2)


def _source(row: Row) -> str:
    return row.prediction.registers_source if row.prediction is not None else ""


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(values: Sequence[float | None]) -> float | None:
    known = _known(values)
    return sum(known) / len(known) if known else None
