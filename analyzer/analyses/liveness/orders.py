"""Orders of a block's instructions, and how many registers each needs.

A compiler's text is one order of many. An assembler takes another: it leaves out of the way what
takes room before it is needed, and with the registers that are left it issues loads early, so that
their latency passes while other instructions run. Goodman and Hsu describe such a scheduler, which
weighs latency against registers (Code scheduling and register allocation in large basic blocks,
ICS 1988).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from warpmill.analyzer.analyses.liveness.region import BlockGraph


class Room:
    """The registers in use while steps are taken in some order; ``peak`` is the most so far."""

    def __init__(self, region: BlockGraph) -> None:
        self._region = region
        self.left = list(region.uses)
        self.now = self.peak = sum(region.weights[: region.entering])

    def growth(self, number: int) -> int:
        """Give the registers that a step would add: what it makes without what it is last to read.

        What it makes for nobody counts too, as it takes room for a moment.
        """
        region, step = self._region, self._region.steps[number]
        made = sum([region.weights[v] for v in step.makes])
        return made - sum(
            [region.weights[v] for v in step.reads if self.left[v] == 1 and v not in region.leaving]
        )

    def take(self, number: int) -> None:
        """Go past a step."""
        region, step = self._region, self._region.steps[number]
        weights, leaving = region.weights, region.leaving
        for value in step.reads:
            self.left[value] -= 1
            if not self.left[value] and value not in leaving:
                self.now -= weights[value]
        for value in step.makes:
            self.now += weights[value]
        self.peak = max(self.peak, self.now)
        for value in step.makes:
            if not self.left[value] and value not in leaving:
                self.now -= weights[value]


def peak(region: BlockGraph, order: Sequence[int]) -> int:
    """Give the registers that a block needs where its steps are taken in an order."""
    room = Room(region)
    for number in order:
        room.take(number)
    return room.peak


def on_demand(region: BlockGraph) -> list[int]:
    """Order the steps so that each comes when the next anchor needs it: late, and depth first.

    Of two operands the one that takes more steps in a row is made first, so that the other does not
    wait for it in a register (as Sethi and Ullman order expressions, JACM 1970).
    """
    before = _deepest_first(region)
    order: list[int] = []
    seen: set[int] = set()
    for root in (*region.anchors, *range(len(region.steps))):
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(before[root]))]
        while stack:
            number, rest = stack[-1]
            needed = next((s for s in rest if s not in seen), None)
            if needed is None:
                order.append(number)
                stack.pop()
            else:
                seen.add(needed)
                stack.append((needed, iter(before[needed])))
    return order


def _deepest_first(region: BlockGraph) -> list[list[int]]:
    """Give the steps before each one, those behind the longest row of steps first."""
    depth = [0] * len(region.steps)
    for number, step in enumerate(region.steps):
        depth[number] = 1 + max([depth[before] for before in step.after], default=0)
    return [sorted(step.after, key=lambda n: (-depth[n], n)) for step in region.steps]


class _Ready:
    """Which steps have all that they wait for."""

    def __init__(self, region: BlockGraph) -> None:
        self.missing = [len(step.after) for step in region.steps]
        self.behind: list[list[int]] = [[] for _ in region.steps]
        for number, step in enumerate(region.steps):
            for before in step.after:
                self.behind[before].append(number)

    def take(self, number: int) -> Iterator[int]:
        """Go past a step; give those that are ready now."""
        for after in self.behind[number]:
            self.missing[after] -= 1
            if not self.missing[after]:
                yield after


def shrinking(region: BlockGraph, base: Sequence[int]) -> list[int]:
    """Take at once what does not add to the registers in use, else the next step of ``base``."""
    room, ready = Room(region), _Ready(region)
    readers = _readers(region)
    place = _places(base)
    done = [False] * len(base)
    order: list[int] = []
    waiting: list[int] = []

    def look_at(number: int) -> None:
        if not done[number] and not ready.missing[number] and room.growth(number) <= 0:
            heappush(waiting, place[number])

    def take(number: int) -> None:
        done[number] = True
        order.append(number)
        room.take(number)
        for after in ready.take(number):
            look_at(after)
        for value in region.steps[number].reads:
            if room.left[value] == 1:  # whoever reads it last frees it
                for reader in readers[value]:
                    look_at(reader)

    for number in range(len(base)):
        look_at(number)
    for number in base:
        while waiting:
            first = base[heappop(waiting)]
            if not done[first]:
                take(first)
        if not done[number]:
            take(number)
    return order


def latency_order(region: BlockGraph, base: Sequence[int], limit: int) -> tuple[list[int], int]:
    """Order steps so that latency is hidden within ``limit`` registers; give the most it needs.

    Of the steps whose operands are there, the one with the longest way to the end of the block goes
    first. Where it would pass the limit, the next step of ``base`` goes instead.
    """
    room, ready = Room(region), _Ready(region)
    heights, place = _heights(region), _places(base)
    done = [False] * len(base)
    start = [0] * len(base)  # the first slot in which the operands are there
    future: list[tuple[int, int]] = []
    now = [(-heights[n], place[n]) for n, missing in enumerate(ready.missing) if not missing]
    now.sort()
    slot = oldest = 0
    order: list[int] = []
    for _ in base:
        while now and done[base[now[0][1]]]:
            heappop(now)
        if not now and future:
            slot = max(slot, future[0][0])
        while future and future[0][0] <= slot:
            late = heappop(future)[1]
            if not done[late]:
                heappush(now, (-heights[late], place[late]))
        if now and _fits(room, base[now[0][1]], limit):
            number = base[heappop(now)[1]]
        else:
            while done[base[oldest]]:
                oldest += 1
            number = base[oldest]
        slot = max(slot, start[number])
        done[number] = True
        order.append(number)
        room.take(number)
        for after in ready.behind[number]:
            start[after] = max(start[after], slot + region.steps[number].latency)
        for after in ready.take(number):
            heappush(future, (start[after], after))
        slot += 1
    return order, room.peak


def _fits(room: Room, number: int, limit: int) -> bool:
    growth = room.growth(number)
    return growth <= 0 or room.now + growth <= limit


def _heights(region: BlockGraph) -> list[int]:
    """Give the slots from each step to the end of the block along the longest way."""
    heights = [step.latency for step in region.steps]
    for number in range(len(heights) - 1, -1, -1):
        for before in region.steps[number].after:
            heights[before] = max(heights[before], heights[number] + region.steps[before].latency)
    return heights


def _places(order: Sequence[int]) -> list[int]:
    places = [0] * len(order)
    for place, number in enumerate(order):
        places[number] = place
    return places


def _readers(region: BlockGraph) -> list[list[int]]:
    readers: list[list[int]] = [[] for _ in region.weights]
    for number, step in enumerate(region.steps):
        for value in step.reads:
            readers[value].append(number)
    return readers
