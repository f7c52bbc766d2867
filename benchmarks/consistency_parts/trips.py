"""Loops of kernels whose trips the launch decides, and how many of them have an unknown count.

Where a loop's end rests on what is read from memory, nobody can know its count without data; all
others the analysis should know as a number or as a formula.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from analyzer.analyses.bounds import Unknown
from analyzer.analyses.deciders import DecidedBy, decided_by
from warpmill.api import Job

_DATA = {DecidedBy.MEMORY, DecidedBy.OTHER}


@dataclass
class Loops:
    """Loops by maker: (unknown, decided by the launch, all); ``unknown`` says which and why."""

    counts: dict[str, list[int]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    def add(self, maker: str, name: str, job: Job) -> None:
        """Count the loops of a kernel."""
        row = self.counts.setdefault(maker, [0, 0, 0])
        structure = job.analysis.structure
        for bound in job.analysis.bounds:
            row[2] += 1
            conditions = [(e.source, e.condition) for e in bound.exits]
            told = [c for c in conditions if c[1] is not None]
            deciders = {
                d for block, c in told if c is not None for d in decided_by(structure, block, c)
            }
            if not conditions or len(told) < len(conditions) or deciders & _DATA:
                continue
            row[1] += 1
            if isinstance(bound.trips, Unknown):
                row[0] += 1
                self.unknown.append(f"{name}: loop {bound.loop}: {bound.trips.reason}")

    def share(self, makers: Iterable[str] | None = None) -> tuple[int, int]:
        """(unknown, decided by the launch), over some makers or all."""
        rows = [r for m, r in self.counts.items() if makers is None or m in makers]
        return sum(r[0] for r in rows), sum(r[1] for r in rows)
