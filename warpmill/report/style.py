"""How a page looks: what whoever asks for it says, and every page needs to know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """How text looks: all of it or the main things, how wide, and whether in colour.

    ``metrics``: labels have Nsight Compute's names of metrics beside them.
    """

    verbose: bool = False
    width: int = 80
    colour: bool = False
    metrics: bool = False
