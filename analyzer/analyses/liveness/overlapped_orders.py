"""Orders of a block's instructions in which loads overlap, whatever room registers leave.

Two ways of an assembler are tried, and the order that would take the fewest issue slots is taken.
One puts the instruction with the longest way to the end of the block first (``latency_order``);
registers that addresses fill long before their loads spoil that where there is little room. The
other keeps an order and pulls loads forward, each with what its address takes, as long as they fit
(as hand-written kernels load the next operands while they work on these).
"""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.analyses.liveness.orders import (
    Room,
    latency_order,
    on_demand,
    peak,
    shrinking,
)
from warpmill.analyzer.analyses.liveness.region import SHARED_LATENCY, Region

MOST_PULLED = 32
"""Steps that are pulled forward together, a load and those that it waits for."""


def overlapped_order(region: Region, base: Sequence[int], limit: int) -> list[int]:
    """Give an order that hides latency within ``limit`` registers, from the one of the text.

    Orders that need more stand back behind those that do not; where all do, the one counts that
    needs least beside those that need no more than it.
    """
    by_height = latency_order(region, base, limit)
    found = [by_height]
    loads = sum(step.latency >= SHARED_LATENCY for step in region.steps)
    if loads > 1:
        found.append(pulled_forward(region, base, limit))
        if peak(region, base) > limit:
            starts = (shrinking(region, start) for start in (base, on_demand(region)))
            found += [pulled_forward(region, start, limit) for start in starts]
    if len(found) == 1:
        return by_height[0]
    most = max(limit, min(needed for _, needed in found))
    fitting = [order for order, needed in found if needed <= most]
    return min(fitting, key=lambda order: slots(region, order))


def pulled_forward(region: Region, base: Sequence[int], limit: int) -> tuple[list[int], int]:
    """Keep an order but for loads, which come as early as they fit; give the most it needs."""
    room = Room(region)
    done = [False] * len(base)
    anchors = set(region.anchors)
    loads = [n for n in base if region.steps[n].latency >= SHARED_LATENCY and n not in anchors]
    order: list[int] = []
    place = {number: n for n, number in enumerate(base)}

    def take(number: int) -> None:
        done[number] = True
        order.append(number)
        room.take(number)

    def chain(load: int) -> list[int] | None:
        """Give a load behind all that it waits for still; None where it cannot be pulled."""
        needed, stack = {load}, [load]
        while stack:
            for before in region.steps[stack.pop()].after:
                if done[before] or before in needed:
                    continue
                if before in anchors or len(needed) == MOST_PULLED:
                    return None
                needed.add(before)
                stack.append(before)
        return sorted(needed, key=place.__getitem__)

    def fits(steps: list[int]) -> bool:
        made = sum(region.weights[value] for step in steps for value in region.steps[step].makes)
        if room.now + made <= limit:
            return True
        return len(steps) == 1 and room.now + room.growth(steps[0]) <= limit

    following = 0
    for number in base:
        while following < len(loads):
            load = loads[following]
            if not done[load]:
                steps = chain(load)
                if steps is None or not fits(steps):
                    break
                for step in steps:
                    take(step)
            following += 1
        if not done[number]:
            take(number)
    return order, room.peak


def slots(region: Region, order: Sequence[int]) -> int:
    """Count the issue slots until all results are there, one step a slot, in order."""
    ready = [0] * len(order)
    slot = end = 0
    for number in order:
        step = region.steps[number]
        for before in step.after:
            slot = max(slot, ready[before])
        ready[number] = slot + step.latency
        end = max(end, ready[number])
        slot += 1
    return end
