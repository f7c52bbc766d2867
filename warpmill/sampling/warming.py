"""Launches that are simulated before those that were chosen, so that these find L2 as it would be.

What is chosen is simulated without most of what comes before it. Where that would have left data in
L2 that the chosen launch reads, it runs slower than in the whole application.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.profile.counts import bytes_read, bytes_written
from warpmill.analyzer.profile.memory import OUTSIDE
from warpmill.sampling.options import WARM_UPS
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.model import CountedLaunch

NEGLIGIBLE = 0.01
"""A launch that cold caches can delay by no more than this share of its time needs none."""


def warm_ups(
    launches: Sequence[CountedLaunch], chosen: Sequence[int], machine: Machine, most: int = WARM_UPS
) -> tuple[int, ...]:
    """The places of launches to simulate beside the chosen ones, ascending.

    Before each chosen launch that L2 could help they are the ones right before it, ``most`` at
    most, and no more than move as many bytes as L2 holds.
    """
    own, capacity = set(chosen), machine.integer("l2.size_bytes")
    found: set[int] = set()
    for number in chosen:
        if not _is_delayed(launches[number], machine):
            continue
        moved = 0
        for before in range(number - 1, max(-1, number - 1 - most), -1):
            if before in own or moved >= capacity:
                break
            found.add(before)
            moved += sum(_bytes(launches[before]))
    return tuple(sorted(found))


def _is_delayed(launch: CountedLaunch, machine: Machine) -> bool:
    """Whether reading from DRAM what L2 could hold takes long beside issuing the instructions."""
    read, _ = _bytes(launch)
    per_cycle = machine.number("dram.bandwidth_gbs") * 1e3 / machine.number("clock.sm_mhz")
    delay = min(read, machine.integer("l2.size_bytes")) / per_cycle
    issued = machine.number("sm.schedulers") * machine.number("sm.issue_per_scheduler")
    least = launch.warp_instructions / (machine.integer("sm.count") * issued)
    return bool(delay > NEGLIGIBLE * least)


def _bytes(launch: CountedLaunch) -> tuple[int, int]:
    """The bytes that a launch reads from global and local memory, and those it writes."""
    accesses = launch.profile.accesses
    assert accesses is not None, "accesses are counted of what is sampled"
    outside = [access for access in accesses if access.space in OUTSIDE]
    return bytes_read(outside), bytes_written(outside)
