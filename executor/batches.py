"""Entries that warps wrote down, put in the order of CTAs and warps, as batches of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, LimitError, Severity
from warpmill.analyzer.ir.limits import most_event_bytes
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import CONSTANT_BASE, GLOBAL_BASE, WINDOW_BYTES, WINDOWS
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.analyzer.traces.static_tables import known_widths
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.entries import Entries, EntryReader
from warpmill.executor.grid import Grid
from warpmill.executor.native.events import ACCESS, BLOCK, GUARD, Words

Numbers = npt.NDArray[np.int64]


def event_tables(compiled: CompiledKernel, grid: Grid) -> EventTables:
    """Give what the numbers of a kernel's events stand for."""
    recorded = compiled.lowered.recorded
    unsized = {(p.block, p.instruction) for p in recorded if p.width_bytes is None}
    widths = known_widths(compiled.kernel, unsized) if unsized else {}
    points = tuple(
        AccessPoint(
            p.block,
            p.instruction,
            p.kind,
            p.space,
            widths.get((p.block, p.instruction)) if p.width_bytes is None else p.width_bytes,
        )
        for p in recorded
    )
    warps = -(-grid.threads_per_cta // compiled.lanes)
    return EventTables(grid.grid, compiled.lanes, warps, points, compiled.guards)


@dataclass
class Written:
    """What is taken down of one batch; ``chosen`` are the CTAs wanted, all where it is None."""

    reader: EntryReader
    chosen: Numbers | None = None
    words: int = 0
    _parts: list[Entries] = field(default_factory=list)

    def take(self, words: Words) -> None:
        """Take a piece. LimitError where all together take more memory than they may."""
        self.words += words.size
        if 8 * self.words > (most := most_event_bytes()):
            said = f"the events of the CTAs that are held at once take more than {most:,} bytes"
            hint = "--max-event-bytes moves the limit"
            raise LimitError(Diagnostic(Severity.ERROR, said, hint=hint))
        entries = self.reader.read(words)
        self._parts.append(entries if self.chosen is None else entries.of_ctas(self.chosen))

    def batch(self, tables: EventTables, numbers: Sequence[int]) -> EventBatch:
        """Give the events of CTAs, which have all ended."""
        entries = joined(self._parts, tables.warp_size)
        ctas = np.array(numbers, np.int64)
        place = np.searchsorted(ctas, entries.cta)
        warp = place * tables.warps_per_cta + entries.warp
        return _batch(entries.sorted_by(warp), np.sort(warp, kind="stable"), tables, ctas)


def joined(parts: Sequence[Entries], lanes: int) -> Entries:
    """Put pieces one after another."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Entries.none(lanes)
    starts = np.cumsum([0, *(len(p.patterns) for p in parts)])
    moved = [p.pattern + start for p, start in zip(parts, starts, strict=False)]
    names = ("kind", "cta", "warp", "number", "mask", "base")
    columns = {n: np.concatenate([getattr(p, n) for p in parts]) for n in names}
    patterns = np.concatenate([p.patterns for p in parts])
    return Entries(**columns, pattern=np.concatenate(moved).astype(np.int32), patterns=patterns)


def _batch(entries: Entries, warp: Numbers, tables: EventTables, ctas: Numbers) -> EventBatch:
    """Cut entries, sorted by warp, into events with their guards and accesses."""
    begins = entries.kind == BLOCK
    event = np.cumsum(begins) - 1  # the event that an entry is of
    block, mask = entries.number[begins], entries.mask[begins]
    warps = np.searchsorted(warp[begins], np.arange(len(ctas) * tables.warps_per_cta + 1))
    guards = np.flatnonzero(entries.kind == GUARD)
    guards = guards[entries.mask[guards] != mask[event[guards]]]
    accesses = np.flatnonzero(entries.kind == ACCESS)
    steps = np.arange(len(block) + 1)
    return EventBatch(
        tables=tables,
        ctas=ctas,
        warps=warps,
        block=block,
        mask=mask,
        event_guards=np.searchsorted(event[guards], steps),
        guard_number=entries.number[guards],
        guard_mask=entries.mask[guards],
        event_accesses=np.searchsorted(event[accesses], steps),
        access_point=entries.number[accesses],
        access_mask=entries.mask[accesses],
        access_base=_placed(entries, accesses, tables),
        access_pattern=entries.pattern[accesses],
        patterns=entries.patterns,
    )


_NUMBERS = {space: number for number, space in enumerate(Space)}


def _placed(entries: Entries, accesses: Numbers, tables: EventTables) -> Numbers:
    """Give bases as traces have them: a generic address as one of the space that it means.

    Where lanes of one access mean several spaces, it stays as it is.
    """
    base = entries.base[accesses].copy()
    spaces = np.array([_NUMBERS[p.space] for p in tables.points], np.int64)
    space = spaces[entries.number[accesses]] if len(spaces) else np.zeros(0, np.int64)
    generic = np.flatnonzero(space == _NUMBERS[Space.GENERIC])
    if generic.size:
        rows = entries.patterns[entries.pattern[accesses[generic]]]
        low, high = base[generic] + rows.min(axis=1), base[generic] + rows.max(axis=1)
        for own, start in WINDOWS.items():
            inside = generic[(low >= start) & (high < start + WINDOW_BYTES)]
            base[inside] -= start
            if own is Space.CONST:
                base[inside] += CONSTANT_BASE
    constants = (space == _NUMBERS[Space.CONST]) & (base < GLOBAL_BASE)
    base[constants] += CONSTANT_BASE  # a buffer that is passed as constant memory stays where it is
    return base
