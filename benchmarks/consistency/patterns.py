"""What ``analyze`` calls the pattern of an access, beside what the lanes of a launch do.

The oracle is the executed trace: of every warp access the lanes that are on, two neighbours along x
at a time. It knows nothing of addresses as formulas.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.source import SupportsProbing
from warpmill.analyzer.traces.summary import GridCtas
from warpmill.session.jobs import Job
from warpmill.session.kernel_analysis import access_facts
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

MOST_CTAS, MOST_WORDS = 8, 200_000
MAX_INSTRUCTIONS = 400_000_000
CONTIGUOUS, BROADCAST, IRREGULAR, OTHER = "contiguous", "broadcast", "irregular", "other"
_KINDS = ("load", "store", "atomic")

Place = tuple[int, int]


@dataclass
class Compared:
    """Accesses of some launches: what the trace shows and what they are called.

    ``counts`` are of contiguous accesses, and of those called irregular, by maker; ``named`` are
    called contiguous or broadcast, and ``wrong`` those of them that the trace contradicts.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    named: int = 0
    wrong: list[str] = field(default_factory=list)
    irregular: list[str] = field(default_factory=list)
    untraced: list[str] = field(default_factory=list)

    def add(self, maker: str, title: str, job: Job) -> None:
        """Compare the accesses of a launch."""
        try:
            shown = traced_patterns(job)
        except Exception as error:  # told among the figures: `untraced`
            self.untraced.append(f"{title}: {' '.join(str(error).split())[:200]}")
            return
        for access, fact in zip(job.analysis.accesses, access_facts(job), strict=True):
            traced = shown.get((access.block, access.instruction))
            if traced is None:
                continue
            name, place = fact.pattern.value, f"block {access.block}"
            words = f"{title}: {access.opcode} in {place}, instruction {access.instruction}"
            if name in (CONTIGUOUS, BROADCAST):
                self.named += 1
                if traced != name:
                    self.wrong.append(f"{words}: called {name}, is {traced}")
            if traced == CONTIGUOUS:
                self.counts[maker, "contiguous"] += 1
                if name == IRREGULAR:
                    self.counts[maker, "irregular"] += 1
                    self.irregular.append(words)


def traced_patterns(job: Job) -> dict[Place, str]:
    """What lanes do at each load, store and atomic, by (block, instruction).

    ``contiguous`` (each lane lies right behind the one before it, or each right before),
    ``broadcast``, or ``other``; accesses of which no two neighbours are on together have none.
    """
    options = TraceOptions(source="executed", max_instructions=MAX_INSTRUCTIONS)
    source, launch = trace_source(job, options), job.required_launch()
    ctas = GridCtas(launch.grid)[:MOST_CTAS]
    seen: dict[Place, set[str]] = {}
    begun = source.beginnings(ctas, MOST_WORDS) if isinstance(source, SupportsProbing) else None
    for batch in (source.batches(ctas) or ()) if begun is None else (begun,):
        _look(batch, launch.block[0], seen)
    return {place: min(kinds) if len(kinds) == 1 else OTHER for place, kinds in seen.items()}


def _look(batch: EventBatch, row: int, seen: dict[Place, set[str]]) -> None:
    """Note what lanes do in the accesses of a batch, copies left out: they have two addresses."""
    count = len(batch.access_point)
    if count == 0:
        return
    lanes = batch.patterns.shape[1]
    numbers = np.arange(lanes, dtype=np.uint64)
    on = (batch.access_mask[:, None] >> numbers & np.uint64(1)).astype(bool)
    event = np.searchsorted(batch.event_accesses, np.arange(count), side="right") - 1
    warp = np.searchsorted(batch.warps, event, side="right") - 1
    thread = (warp % batch.tables.warps_per_cta)[:, None] * lanes + np.arange(lanes)
    pairs = on[:, 1:] & on[:, :-1] & (thread[:, 1:] % row != 0)
    step = np.diff(batch.lane_addresses, axis=1)
    widths = np.array([p.width_bytes or 0 for p in batch.tables.points], dtype=np.int64)
    wide = widths[batch.access_point][:, None]
    forwards, backwards, alike = (~(pairs & (step != w)).any(axis=1) for w in (wide, -wide, 0))
    shown = np.select([forwards | backwards, alike], [CONTIGUOUS, BROADCAST], OTHER)
    some = pairs.any(axis=1)
    several = zip(batch.tables.points, batch.tables.turns, strict=True)
    copies = {(p.block, p.instruction) for p, turn in several if turn}
    for number, point in enumerate(batch.tables.points):
        kinds = set(shown[(batch.access_point == number) & some].tolist())
        place = (point.block, point.instruction)
        if kinds and point.kind in _KINDS and widths[number] and place not in copies:
            seen.setdefault(place, set()).update(kinds)
