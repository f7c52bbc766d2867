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
from warpmill.benchmarks.consistency.measuring import LaunchOf
from warpmill.session.jobs import Job
from warpmill.session.kernel_analysis import access_facts
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

MOST_CTAS, MOST_WORDS = 8, 200_000
MAX_INSTRUCTIONS = 400_000_000
CONTIGUOUS, BROADCAST, IRREGULAR = "contiguous", "broadcast", "irregular"
_KINDS = ("load", "store", "atomic")

Place = tuple[int, int]


@dataclass
class Compared:
    """Accesses of some launches: what the trace shows and what they are called.

    ``called`` counts (maker, shown by the trace, called by the analysis); ``wrong`` has
    accesses whose name contradicts the trace; ``irregular`` contiguous ones called irregular.
    """

    called: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    irregular: list[str] = field(default_factory=list)
    untraced: list[str] = field(default_factory=list)

    def add(self, one: LaunchOf) -> None:
        """Compare the accesses of a launch."""
        try:
            shown = traced_patterns(one.job)
        except Exception as error:  # told among the figures: `untraced`
            self.untraced.append(f"{one.name}: {' '.join(str(error).split())[:200]}")
            return
        for block, instruction, name, opcode in called_patterns(one.job):
            traced = shown.get((block, instruction))
            if traced is None:
                continue
            self.called[one.maker, traced, name] += 1
            words = f"{one.name}: {opcode} in block {block}, instruction {instruction}"
            if name in (CONTIGUOUS, BROADCAST) and traced != name:
                self.wrong.append(f"{words}: called {name}, is {traced}")
            if name == IRREGULAR and traced == CONTIGUOUS:
                self.irregular.append(words)

    @property
    def named(self) -> int:
        """Accesses that are called contiguous or broadcast."""
        return sum(n for (*_, name), n in self.called.items() if name in (CONTIGUOUS, BROADCAST))

    def share(self, maker: str) -> tuple[int, int]:
        """Accesses that traces show contiguous: (called irregular, all)."""
        of = [
            (name, n)
            for (who, traced, name), n in self.called.items()
            if traced == CONTIGUOUS and maker == who
        ]
        return sum(n for name, n in of if name == IRREGULAR), sum(n for _, n in of)


def called_patterns(job: Job) -> list[tuple[int, int, str, str]]:
    """Block, instruction, pattern and opcode of each access, as ``analyze`` reports them."""
    facts = access_facts(job)
    return [
        (access.block, access.instruction, fact.pattern.value, access.opcode)
        for access, fact in zip(job.analysis.accesses, facts, strict=True)
    ]


def traced_patterns(job: Job) -> dict[Place, str]:
    """What lanes do at each load, store and atomic, by (block, instruction).

    ``contiguous`` (each lane lies right behind the one before it, or each right before),
    ``broadcast``, or ``other``; accesses of which no two neighbours are on together have none.
    """
    options = TraceOptions(source="executed", max_instructions=MAX_INSTRUCTIONS)
    source = trace_source(job, options)
    launch = job.required_launch()
    grid = launch.grid
    ctas = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])][
        :MOST_CTAS
    ]
    seen: dict[Place, set[str]] = {}
    begun = source.beginnings(ctas, MOST_WORDS) if isinstance(source, SupportsProbing) else None
    for batch in (source.batches(ctas) or ()) if begun is None else (begun,):
        _look(batch, launch.block[0], seen)
    return {
        place: next(iter(kinds)) if len(kinds) == 1 else "other"
        for place, kinds in seen.items()
        if kinds
    }


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
    some = pairs.any(axis=1)
    forwards, backwards = (~(pairs & (step != w)).any(axis=1) for w in (wide, -wide))
    one_after_another = some & (forwards | backwards)
    all_alike = some & ~(pairs & (step != 0)).any(axis=1)
    several = zip(batch.tables.points, batch.tables.turns, strict=True)
    copies = {(p.block, p.instruction) for p, turn in several if turn}
    for number, point in enumerate(batch.tables.points):
        mine = (batch.access_point == number) & some
        if point.kind not in _KINDS or not widths[number] or not mine.any():
            continue
        if (point.block, point.instruction) in copies:
            continue
        kinds = seen.setdefault((point.block, point.instruction), set())
        kinds.update(
            name
            for name, which in (
                (CONTIGUOUS, one_after_another),
                (BROADCAST, all_alike),
                ("other", ~one_after_another & ~all_alike),
            )
            if (mine & which).any()
        )
