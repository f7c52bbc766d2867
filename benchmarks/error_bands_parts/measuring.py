"""Measured rows estimated again: errors, and what the estimates are known by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts import running, selecting
from benchmarks.accuracy_parts.measuring import tables_of
from benchmarks.accuracy_parts.model import Row
from benchmarks.accuracy_parts.selecting import APART, Chosen
from benchmarks.accuracy_parts.tables import FOLDER
from warpmill.studies.places import default_store

DIGITS = 4
"""Decimals of errors and shares that are kept."""


def measured(
    folder: Path | None, rows: int, *, store: str | None, workers: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """Estimate rows of the tables in a folder; what is kept of them, by kernel on a GPU."""
    folder = folder or FOLDER
    cases, missing = running.all_cases(folder)
    chosen = few_of_each(selecting.choose(cases), rows)
    say(f"{len(chosen)} rows of {len(cases)}")
    built = running.built_code(chosen, say)
    found = running.predicted("estimate", chosen, built, store or default_store(), workers, say)
    return {"tables": tables_of(folder), "missing": list(missing), "kernels": by_kernel(found)}


def few_of_each(chosen: Iterable[Chosen], rows: int) -> list[Chosen]:
    """Choose rows of each kernel on a GPU, from all orders of time; none of what is apart."""
    groups: dict[tuple[str, str, str], list[Chosen]] = {}
    for one in chosen:
        if one.has_error and one.case.dataset not in APART:
            groups.setdefault(one.case.group, []).append(one)
    return [one for _, own in sorted(groups.items()) for one in _from_all_times(own, rows)]


def _from_all_times(own: Sequence[Chosen], rows: int) -> list[Chosen]:
    return selecting.one_of_each(sorted(own, key=lambda c: (c.case.time_ms, c.case.row)), rows)


def by_kernel(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The errors and features of rows with a prediction, by data set, kernel and GPU."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.prediction is not None:
            found.setdefault(row.case.group, []).append(row)
    return [
        {
            "dataset": dataset,
            "kernel": kernel,
            "gpu": gpu.replace("_", " "),
            "capability": own[0].prediction.features["capability"] if own[0].prediction else None,
            "rows": [_row(row) for row in own],
        }
        for (dataset, gpu, kernel), own in found.items()
    ]


def _row(row: Row) -> dict[str, Any]:
    """What is kept of a row: of times one digit, which is all that bands ask for."""
    assert row.prediction is not None and row.error is not None
    features = row.prediction.features
    shares = {cause: round(share, DIGITS) for cause, share in features["shares"].items()}
    return {
        "error": round(row.error / 100, DIGITS),
        "time_us": float(f"{features['time_us']:.1g}"),
        "shares": {cause: share for cause, share in shares.items() if share},
    }
