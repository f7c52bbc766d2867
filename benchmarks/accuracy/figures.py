"""How near predicted times come to measured ones, kernel by kernel; and continued ones to whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from warpmill.benchmarks.accuracy import Continued, Group
from warpmill.benchmarks.accuracy.model import Prediction, Row
from warpmill.benchmarks.accuracy.selecting import TUNED, grouped, one_of_each

RANKED_FROM = 20
"""Rows from which on a kernel that is no tuned space is ranked."""
IN_FULL = 1
"""Launches of a data set that are simulated in full."""
MOST_INSTRUCTIONS = 40_000_000
"""Warp instructions that such a launch has at most."""


def groups(rows: Iterable[Row]) -> tuple[Group, ...]:
    """The figures of each data set, GPU and kernel."""
    return tuple(map(_group, grouped(rows, lambda row: row.case.group).values()))


def _group(rows: Sequence[Row]) -> Group:
    case = rows[0].case
    errors = np.array([r.error for r in rows if r.case.has_error and r.error is not None])
    sizes = np.abs(errors)
    known = [(row, row.prediction) for row in rows if row.prediction is not None]
    pairs = np.array([(told.ms, row.case.time_ms) for row, told in known]).reshape(-1, 2)
    ranked = pairs if case.dataset in TUNED or len(known) >= RANKED_FROM else pairs[:0]
    return Group(
        dataset=case.dataset,
        gpu=case.gpu,
        kernel=case.kernel,
        rows=len(errors),
        predicted=len(known),
        problems=len(rows) - len(known),
        mape=float(sizes.mean()) if len(errors) else None,
        median=float(np.median(sizes)) if len(errors) else None,
        p90=float(np.percentile(sizes, 90)) if len(errors) else None,
        bias=float(errors.mean()) if len(errors) else None,
        ranked=len(ranked),
        kendall_tau=kendall_tau(ranked),
        best_pick_slowdown=best_pick_slowdown(ranked),
        compilers=tuple(sorted({row.compiler for row, _ in known})),
        registers=tuple(sorted({told.registers_source for _, told in known})),
        seconds_a_row=float(np.mean([told.seconds for _, told in known])) if known else None,
        instruction_errors=instruction_errors(rows),
        reasons=dict(Counter(_reason(row.problem) for row in rows if row.problem)),
        points=tuple(
            (_five(row.case.time_ms), _five(told.ms), row.case.has_error) for row, told in known
        ),
    )


def _reason(problem: str) -> str:
    """Cut what went wrong down to what several rows have in common: without its numbers."""
    return re.sub(r"\d[\d.,e+]*", "…", problem.splitlines()[0])[:200]


def _five(value: float) -> float:
    return float(f"{value:.5g}")


def kendall_tau(pairs: npt.NDArray[np.float64]) -> float | None:
    """The rank correlation of the columns (τ-b); None where one of them has no order."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - slow to load

    if len(pairs) < 2 or (np.ptp(pairs, axis=0) == 0).any():
        return None
    return float(kendalltau(pairs[:, 0], pairs[:, 1]).statistic)


def best_pick_slowdown(pairs: npt.NDArray[np.float64]) -> float | None:
    """The measured time of the row that is predicted best, over the best measured one.

    Of several that are predicted best, the one that was measured worst counts. None without rows.
    """
    if not len(pairs):
        return None
    picked = pairs[pairs[:, 0] == pairs[:, 0].min(), 1].max()
    return float(picked / pairs[:, 1].min())


def instruction_errors(rows: Iterable[Row]) -> tuple[float, ...]:
    """How far executed warp instructions are from a profiler's, in percent, unsigned."""
    pairs = [
        (row.prediction.warp_instructions, row.case.warp_instructions)
        for row in rows
        if row.prediction is not None
    ]
    return tuple(100 * abs(own / told - 1) for own, told in pairs if told and own is not None)


# What continuing rounds in a line changes: some launches are simulated in full as well.


def few(rows: Sequence[Row]) -> set[tuple[str, int]]:
    """Choose among rows that were continued those to simulate in full, by table and row.

    From those that were continued furthest to those that were least: one of each of as many parts.
    """
    known = [(row.prediction.share, row.case.place) for row in rows if _is_short(row.prediction)]
    return {place for _, place in one_of_each(sorted(known), IN_FULL)}


def _is_short(told: Prediction | None) -> TypeGuard[Prediction]:
    """Whether a launch was continued, and is short enough to be simulated in full."""
    if told is None or told.share >= 1 or told.warp_instructions is None:
        return False
    return told.warp_instructions <= MOST_INSTRUCTIONS


def compared(rows: Sequence[Row], in_full: Sequence[Row]) -> tuple[Continued, ...]:
    """Put times of rounds beside those of whole launches."""
    known = {row.case.place: row.prediction for row in rows}
    return tuple(_beside(known, whole) for whole in in_full)


def _beside(known: Mapping[tuple[str, int], Prediction | None], whole: Row) -> Continued:
    case, told, full = whole.case, known[whole.case.place], whole.prediction
    assert told is not None
    return Continued(
        dataset=case.dataset,
        gpu=case.gpu.replace("_", " "),
        kernel=case.kernel,
        config=case.words,
        share=told.share,
        ms=told.ms,
        full_ms=None if full is None else full.ms,
        error=None if full is None else 100 * (told.ms / full.ms - 1),
        problem=whole.problem,
    )
