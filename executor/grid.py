"""How large a launch is, and where it stops."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

Dim3 = tuple[int, int, int]
Progress = Callable[[int, int], None]
"""Told how many CTAs of how many are done."""


@dataclass(frozen=True)
class Grid:
    """How many threads a launch has."""

    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int = 0

    @property
    def ctas(self) -> int:
        """CTAs of the grid."""
        return math.prod(self.grid)

    @property
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        return math.prod(self.block)


@dataclass(frozen=True)
class RunLimits:
    """Where a run stops: thread instructions, wall seconds, bytes of the executor's own memory."""

    max_instructions: int | None = None
    max_seconds: float | None = None
    max_bytes: int = 4 << 30


NO_LIMITS = RunLimits()
"""Only the executor's own memory is limited."""
