"""What continuing rounds in a line changes: some launches are simulated in full as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

from benchmarks.accuracy_parts.model import Prediction, Row
from benchmarks.accuracy_parts.selecting import one_of_each

ROWS = 1
"""Launches of a data set that are simulated in full."""

MOST_INSTRUCTIONS = 40_000_000
"""Warp instructions that such a launch has at most."""

Place = tuple[str, int]


def few(rows: Sequence[Row]) -> set[Place]:
    """Choose among rows that were continued those to simulate in full, by table and row.

    From those that were continued furthest to those that were least: one of each of as many parts.
    """
    known = [(row.prediction.share, _place(row)) for row in rows if _is_short(row.prediction)]
    return {place for _, place in one_of_each(sorted(known), ROWS)}


def _is_short(told: Prediction | None) -> TypeGuard[Prediction]:
    """Whether a launch was continued, and is short enough to be simulated in full."""
    if told is None or told.share >= 1 or told.warp_instructions is None:
        return False
    return told.warp_instructions <= MOST_INSTRUCTIONS


def compared(rows: Sequence[Row], in_full: Sequence[Row]) -> list[dict[str, Any]]:
    """Put times of rounds beside those of whole launches; ``error`` is in percent of the latter.

    What could not be simulated in full has its problem.
    """
    known = {_place(row): row for row in rows}
    return [_beside(known[_place(whole)], whole) for whole in in_full]


def _beside(part: Row, whole: Row) -> dict[str, Any]:
    case, told, full = part.case, part.prediction, whole.prediction
    assert told is not None
    return {
        "dataset": case.dataset,
        "gpu": case.gpu,
        "kernel": case.kernel,
        "config": case.words,
        "share": told.share,
        "ms": told.ms,
        "full_ms": None if full is None else full.ms,
        "error": None if full is None else 100 * (told.ms / full.ms - 1),
        "problem": whole.problem,
    }


def _place(row: Row) -> Place:
    return row.case.table, row.case.row
