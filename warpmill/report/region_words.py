"""Words that the timeline and the plot of a simulation share."""

from __future__ import annotations

from warpmill.report.safe import escaped
from warpmill.simulator.gpu.result import SimResult


def plain(text: str) -> str:
    """Take from a text what neither a terminal nor a file in UTF-8 should have."""
    return escaped(text).encode("utf-8", "replace").decode()


def sampled_words(result: SimResult) -> str | None:
    """Say that not all CTAs are in a picture; None where they are."""
    if not result.sampled:
        return None
    done = sum(launch.ctas_simulated for launch in result.launches)
    whole = sum(launch.ctas for launch in result.launches)
    return f"sampled: {done:,} of {whole:,} CTAs were simulated, and are shown"
