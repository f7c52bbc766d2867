"""How launches are simulated: what stays in caches between them, and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Mark
from warpmill.analyzer.base.opt import Opt

L2AtFirst = Annotated[
    Literal["cold", "warm"],
    Opt(
        "What L2 has at first: cold: nothing; warm: what fits of the launch's buffers, as an equal "
        "launch or copies leave it."
    ),
]
"""An option of both engines."""


@dataclass(frozen=True)
class Options:
    """How launches are simulated. None: no limit.

    ``keep_l1`` keeps what L1 holds from one launch to the next, ``flush_l2`` empties L2 between
    them. ``l2`` is what it has at the beginning. ``waves`` simulates so many waves of CTAs of
    each launch and continues them in a line. ``spans`` are lives of warps that are kept.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    keep_l1: Annotated[bool, Opt("Let L1 keep what it holds from launch to launch.")] = False
    flush_l2: Annotated[bool, Opt("Empty L2 between launches.")] = False
    l2: L2AtFirst = "cold"
    waves: Annotated[
        int | None,
        Opt(
            "Simulate N waves of CTAs of each launch and continue them in a line; a wave is as "
            "many as all SMs hold.",
            metavar="N",
            least=1,
        ),
    ] = None
    max_cycles: Annotated[int | None, Opt("Most cycles to simulate.", metavar="N", least=1)] = None
    max_memory_bytes: Annotated[
        int,
        Opt(
            "Most bytes that a simulation takes.",
            names=("--max-memory",),
            metavar="BYTES",
            least=1,
        ),
    ] = 4 << 30
    max_trace_events: Annotated[
        int, Opt("Most events of the traces of one CTA.", metavar="N", least=1)
    ] = 50_000_000
    unit_instructions: Annotated[
        int, Opt("Warp instructions of a sampling unit.", metavar="N", least=1)
    ] = 1_000_000
    spans: Annotated[int, INTERNAL] = 0
