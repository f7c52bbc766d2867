"""Which launches are put to NVIDIA's calculation: every edge of its rules, then a random rest."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from tests.reference.occupancy.capabilities import KIB, Capability
from tests.reference.occupancy.table import Configuration

_ODD_SIZES = (
    *(1, 31, 33, 63, 65, 95, 97, 100, 127, 129, 200, 255, 257, 300, 500, 511, 513, 700),
    *(767, 769, 999, 1000, 1023),
)
_LAUNCHED = tuple(sorted((*_ODD_SIZES, *range(32, 1025, 32))))
_REFUSED = (0, 1025, 1056, 2048)  # threads
_FEW_REGISTERS = (0, 1, 32, 63)
# Sizes with 2, 5, 9, 3, 16 … warps: multiples of no, one and all sub-partitions.
_WITH_EVERY_REGISTER = (64, 160, 288, 96, 512, 352, 32, 1024, 736, 224, 416, 832)
# The header admits 64 to 255 registers on 3.0 and 256 from 7.0 on, which no thread can have
# there: these are left out, what is above them is refused by both.
_TOO_MANY_REGISTERS = (257, 300)
_GRANULES = (1, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025)  # bytes
_SMALL_CTA = (32, 16)  # threads and registers: only shared memory and slots limit
MOST_STATIC = 48 * KIB  # what compilers admit


def configurations(capability: Capability, count: int) -> tuple[Configuration, ...]:
    """Choose launches of one compute capability, always the same ones, in order and distinct."""
    chosen = set(_edges(capability))
    assert len(chosen) < count, f"{len(chosen)} edges of {capability.name}"
    source = random.Random(f"occupancy of {capability.name}")
    while len(chosen) < count:
        chosen.add(_any(capability, source))
    return tuple(sorted(chosen))


def _edges(capability: Capability) -> Iterator[Configuration]:
    name = capability.name
    for threads in (*_LAUNCHED, *_REFUSED):
        for registers in _FEW_REGISTERS:
            yield Configuration(name, threads, registers, 0, 0, 0)
    every = registers_of(capability)
    for threads in _WITH_EVERY_REGISTER[: 768 // len(every)]:
        for registers in (*every, *_TOO_MANY_REGISTERS):
            yield Configuration(name, threads, registers, 0, 0, 0)
    for shared in shared_edges(capability):
        for opts_in in (0, 1):
            yield Configuration(name, *_SMALL_CTA, 0, shared, opts_in)
        if shared <= MOST_STATIC:
            yield Configuration(name, *_SMALL_CTA, shared, 0, 0)


def registers_of(capability: Capability) -> tuple[int, ...]:
    """The registers that a thread can have: 0 too, of an empty kernel."""
    return tuple(range(capability.registers_per_thread + 1))


def shared_edges(capability: Capability) -> tuple[int, ...]:
    """The bytes of a CTA around which something changes, and those one below and above.

    They are granules of allocation, the sizes that an SM can be set to, the most of a CTA, and
    what 2, 3, 4 … CTAs share evenly; each with and without what the driver reserves.
    """
    whole = capability.shared_kib_per_sm * KIB
    edges = {size * KIB for size in capability.shared_sizes_kib} | set(_GRANULES)
    edges |= {size * KIB for size in (capability.shared_kib_per_block, capability.shared_kib_optin)}
    # even shares are no multiples of a granule: the largest one below is what just fits
    shares = (whole // blocks for blocks in range(1, capability.blocks_per_sm + 1))
    edges |= {share // granule * granule for share in shares for granule in (128, 256)}
    edges |= {edge - capability.reserved_bytes for edge in edges}
    return tuple(sorted(_with_neighbours(edges)))


def _with_neighbours(edges: Iterable[int]) -> set[int]:
    return {edge + step for edge in edges for step in (-1, 0, 1) if edge + step >= 0}


def _any(capability: Capability, source: random.Random) -> Configuration:
    """Draw a launch that can be meant: half of the shared sizes lie at an edge, registers are few.

    With as many registers as there can be, they would be what limits nearly always.
    """
    registers = source.randint(
        1, min(source.choice((32, 64, 255)), capability.registers_per_thread)
    )
    most = capability.shared_kib_optin * KIB // source.choice((1, 4, 16))
    edges = [edge for edge in shared_edges(capability) if edge <= most]
    shared = source.choice((source.choice(edges), source.randint(0, most)))
    static = source.choice((0, min(shared, MOST_STATIC), source.randint(0, shared)))
    static = min(static, MOST_STATIC)
    return Configuration(
        capability.name,
        source.choice(_LAUNCHED),
        registers,
        static,
        shared - static,
        source.choice((0, 1)),
    )
