"""Profile of memory, by space and kind of access."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.counts import AccessProfile, Profile

OUTSIDE = frozenset({Space.GLOBAL, Space.LOCAL})
"""The spaces outside the SM, whose accesses have lines and sectors."""


@dataclass(frozen=True, slots=True)
class SpaceTraffic:
    """The accesses of one kind to one space, over all ``instructions`` that make any.

    The other figures are those of ``AccessProfile``, added up.
    """

    space: Annotated[Space, Metric("Memory")]
    kind: Annotated[str, Metric("Access")]
    instructions: Annotated[int, Metric("Instructions")]
    requests: Annotated[int, Metric("Requests")]
    threads: Annotated[int, Metric("Threads")]
    bytes_requested: Annotated[int, Metric("Requested", "B")]
    lines: Annotated[int | None, Metric("128 B lines")]
    sectors: Annotated[int | None, Metric("Sectors", "sector")]
    bytes_transferred: Annotated[int | None, Metric("Transferred", "B")]
    wavefronts: Annotated[int | None, Metric("Wavefronts")]
    bank_conflicts: Annotated[int | None, Metric("Bank conflicts")]


def memory_traffic(profile: Profile) -> tuple[SpaceTraffic, ...] | None:
    """The accesses by space and kind, in the order of spaces; None: not counted."""
    if profile.accesses is None:
        return None
    groups: dict[tuple[Space, str], list[AccessProfile]] = defaultdict(list)
    for access in profile.accesses:
        groups[access.space, access.kind].append(access)
    order = {space: k for k, space in enumerate(Space)}
    ranked = sorted(groups, key=lambda key: (order[key[0]], key[1]))
    return tuple(_traffic(groups[key]) for key in ranked)


def _traffic(accesses: Sequence[AccessProfile]) -> SpaceTraffic:
    return SpaceTraffic(
        space=accesses[0].space,
        kind=accesses[0].kind,
        instructions=len({(a.block, a.instruction) for a in accesses}),
        requests=sum(a.requests for a in accesses),
        threads=sum(a.threads for a in accesses),
        bytes_requested=sum(a.bytes_requested for a in accesses),
        lines=_sum([a.lines for a in accesses]),
        sectors=_sum([a.sectors for a in accesses]),
        bytes_transferred=_sum([a.bytes_transferred for a in accesses]),
        wavefronts=_sum([a.wavefronts for a in accesses]),
        bank_conflicts=_sum([a.bank_conflicts for a in accesses]),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
