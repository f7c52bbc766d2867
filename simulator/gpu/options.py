"""How launches are simulated: what stays in caches between them, and limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How launches are simulated. None: no limit.

    ``keep_l1`` and ``keep_l2`` keep what caches hold from one launch to the next; ``warm_l2`` lets
    L2 hold at the beginning what it can of the buffers, as copies from the host leave it.
    ``rounds`` simulates so many rounds of CTAs of each launch and continues them in a line.
    """

    keep_l1: bool = False
    keep_l2: bool = True
    warm_l2: bool = False
    rounds: int | None = None
    max_cycles: int | None = None
    max_memory_bytes: int = 4 << 30
    max_trace_events: int = 50_000_000
    unit_instructions: int = 1_000_000
    spans: int = 0
