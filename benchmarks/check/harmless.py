"""Whether a fault that was not found changes nothing, whatever the schedule."""

from __future__ import annotations

from warpmill.benchmarks.check.planting import Fault


def is_harmless(fault: Fault) -> bool | None:  # noqa: ARG001 - until there is a search
    """Whether an exhaustive search of schedules proves it; None where nobody knows."""
    return None
