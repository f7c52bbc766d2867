"""How a page looks: what whoever asks for it says, and every page needs to know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """How text looks: all of it or the main things, how wide, and whether in colour."""

    verbose: bool = False
    width: int = 80
    colour: bool = False
