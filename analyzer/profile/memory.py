"""What a profile says of memory: bytes asked for and moved, by instruction and by space."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.profile.counts import AccessProfile, Profile

REQUEST_BYTES = 128
"""The line that a memory request is, whatever the machine (TBPoint, §IV)."""

OUTSIDE = frozenset({Space.GLOBAL, Space.LOCAL})
"""The spaces outside the SM, whose accesses are requests and transactions."""


@dataclass(frozen=True, slots=True)
class SpaceTraffic:
    """The accesses of one kind to one space, over all instructions that make any.

    ``instructions`` counts these, ``warps`` and ``threads`` their executions with a lane on. What
    a space has not is None: only global and local memory have requests (128 B lines), transactions
    (sectors) and bytes transferred, only shared memory has passes over banks and conflicts.
    """

    space: Space
    kind: str
    instructions: int
    warps: int
    threads: int
    bytes_requested: int
    bytes_transferred: int | None
    requests: int | None
    transactions: int | None
    bank_passes: int | None
    bank_conflicts: int | None


def transferred_bytes(access: AccessProfile, rules: MemoryRules) -> int | None:
    """Give the bytes that move between SM and memory: whole sectors. None: the space is inside."""
    return access.transactions * rules.sector_bytes if access.space in OUTSIDE else None


def bytes_read(accesses: Sequence[AccessProfile]) -> int:
    """Give the bytes that threads read, in all spaces: those of loads and of atomics."""
    return sum(a.bytes_requested for a in accesses if a.kind != "store")


def bytes_written(accesses: Sequence[AccessProfile]) -> int:
    """Give the bytes that threads wrote, in all spaces: those of stores and of atomics."""
    return sum(a.bytes_requested for a in accesses if a.kind != "load")


def memory_traffic(profile: Profile) -> tuple[SpaceTraffic, ...] | None:
    """Give the accesses by space and kind, in the order of spaces; None: not counted."""
    if profile.accesses is None or profile.rules is None:
        return None
    groups: dict[tuple[Space, str], list[AccessProfile]] = defaultdict(list)
    for access in profile.accesses:
        groups[access.space, access.kind].append(access)
    order = {space: k for k, space in enumerate(Space)}
    ranked = sorted(groups, key=lambda key: (order[key[0]], key[1]))
    return tuple(_traffic(groups[key], profile.rules) for key in ranked)


def _traffic(accesses: Sequence[AccessProfile], rules: MemoryRules) -> SpaceTraffic:
    first = accesses[0]
    outside, inside = first.space in OUTSIDE, first.space is Space.SHARED
    transactions = sum(a.transactions for a in accesses)
    return SpaceTraffic(
        space=first.space,
        kind=first.kind,
        instructions=len({(a.block, a.instruction) for a in accesses}),
        warps=sum(a.warps for a in accesses),
        threads=sum(a.threads for a in accesses),
        bytes_requested=sum(a.bytes_requested for a in accesses),
        bytes_transferred=transactions * rules.sector_bytes if outside else None,
        requests=sum(a.requests for a in accesses) if outside else None,
        transactions=transactions if outside else None,
        bank_passes=sum(a.bank_passes for a in accesses) if inside else None,
        bank_conflicts=sum(a.bank_conflicts for a in accesses) if inside else None,
    )
