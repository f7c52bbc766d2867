"""What a static walk carries along: positions of lanes, loops that run, what was assumed."""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.analyses.cfg.loops import Loop
from warpmill.analyzer.traces.static.nodes import LoopSegment
from warpmill.analyzer.traces.static.values import KnownNumbers, Lanes


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """Bounds on a walk: block visits that are walked, folded repetitions not counted.

    ``assumes``: what data decide is assumed; else the walk ends there (``DataDecide``).
    """

    visits: int = 100_000
    assumes: bool = True


class DataDecide(Exception):  # noqa: N818 - no error: an answer that is found half way
    """What data decide of a walk, as a phrase."""


@dataclass(slots=True)
class Position:
    """Where the lanes of a run stand: a block, who is on, and who waits where."""

    block: int
    lanes: Lanes
    parked: list[tuple[int, Lanes]]


@dataclass(slots=True)
class LoopRun:
    """A loop that is being run: iterations done, what was executed, iterations in a pattern."""

    loop: Loop
    done: KnownNumbers
    segments: list[LoopSegment]
    period: int = 1
    misses: int = 0

    def missed(self, *, by_remainder: bool) -> None:
        """Note that the next iterations were not alike, though no lane left.

        ``by_remainder``: because of something irregular, which may come again after a while.
        """
        self.misses += by_remainder
        if self.misses == _PATIENCE:
            later = _PERIODS[_PERIODS.index(self.period) + 1 :]
            self.period, self.misses = (later or (self.period,))[0], 0


ONCE = KnownNumbers(1)
"""A single iteration."""

_PATIENCE = 2
_PERIODS = (1, 2, 4, 3, 8, 6, 16, 5)
"""Iterations that a pattern may have before it comes again, in the order in which they are tried:
unrolled loops go by powers of two, strided ones by their step."""
