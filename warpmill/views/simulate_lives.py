"""What ran on each SM from when to when, in rows that do not overlap: warps, or else CTAs."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.simulator.gpu.result import Ctas, SimResult, Spans

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lives:
    """Lives of warps or of CTAs, which of them ``of`` says; arrays of one length.

    ``row`` is a warp's slot on its SM. CTAs have no slots: theirs is the first row of the SM that
    is free when they begin. They stand in the order of SM, row and first cycle. ``note`` says why
    it is not every warp; None where it is.
    """

    of: str
    sm: Numbers
    row: Numbers
    cta: Numbers
    launch: Numbers
    begin_cycle: Numbers
    end_cycle: Numbers
    note: str | None


def lives(result: SimResult, most: int) -> Lives:
    """Give the lives of all warps; where they are not all known, or are over ``most``, of CTAs.

    Of more than ``most`` CTAs those that began first are given.
    """
    why = _why_not_warps(result.spans, most)
    if why is None:
        return _warps(result.spans)
    note, ctas = f"CTAs are shown, not warps: {why}", len(result.ctas.sm)
    if ctas > most:
        note += f"; of {ctas:,} CTAs only the {most:,} that began first"
    return _ctas(result.ctas, most, note)


def _why_not_warps(spans: Spans, most: int) -> str | None:
    warps = len(spans.sm)
    if not spans.complete:
        return f"of these only {warps:,} lives were kept" if warps else "their lives were not kept"
    return f"{warps:,} warps are more than {most:,}" if warps > most else None


def _warps(spans: Spans) -> Lives:
    order = np.lexsort((spans.end_cycle, spans.begin_cycle, spans.slot, spans.sm))
    return Lives(
        "warp",
        spans.sm[order],
        spans.slot[order],
        spans.cta[order],
        spans.launch[order],
        spans.begin_cycle[order],
        spans.end_cycle[order],
        None,
    )


def _ctas(ctas: Ctas, most: int, note: str) -> Lives:
    kept = np.lexsort((ctas.number, ctas.launch, ctas.end_cycle, ctas.begin_cycle))[:most]
    row = _rows(ctas.sm[kept], ctas.begin_cycle[kept], ctas.end_cycle[kept])
    order = np.lexsort((np.arange(len(kept)), row, ctas.sm[kept]))
    kept = kept[order]
    return Lives(
        "CTA",
        ctas.sm[kept],
        row[order],
        ctas.number[kept],
        ctas.launch[kept],
        ctas.begin_cycle[kept],
        ctas.end_cycle[kept],
        note,
    )


def _rows(sm: Numbers, begin: Numbers, end: Numbers) -> Numbers:
    """Give each the first row of its SM that is free; they come in the order of their begins."""
    taken: dict[int, list[tuple[int, int]]] = {}  # by SM: when a row is free again
    free: dict[int, list[int]] = {}
    rows = []
    for place, first, last in zip(sm.tolist(), begin.tolist(), end.tolist(), strict=True):
        busy, idle = taken.setdefault(place, []), free.setdefault(place, [])
        while busy and busy[0][0] <= first:
            heapq.heappush(idle, heapq.heappop(busy)[1])
        row = heapq.heappop(idle) if idle else len(busy)
        heapq.heappush(busy, (last, row))
        rows.append(row)
    return np.array(rows, np.int64)
