"""Accesses of a kernel to memory, and what is done there."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import MemoryRules


@dataclass(frozen=True)
class AccessSite:
    """A place where an instruction accesses a space. ``kind`` is load, store or atomic.

    ``width_bytes`` are those of one lane's access; None where only its execution tells.
    """

    block: int
    instruction: int
    kind: str
    space: Space
    width_bytes: int | None


@dataclass
class AccessSites:
    """The points of a kernel while it is lowered, by what is done at them.

    Accesses are counted by ``rules``, and their addresses written down where it ``records``.
    ``written`` counts the accesses that are; one to texels has several points to choose from.
    """

    rules: MemoryRules | None = None
    records: bool = False
    counted: list[AccessSite] = field(default_factory=list)
    recorded: list[AccessSite] = field(default_factory=list)
    written: int = 0
