"""GT-Pin's three divisions of an application into intervals (§V-B, Table II).

``sync`` cuts at the calls at which host and device align, ``instructions`` cuts these intervals
further into pieces of about a given number of instructions, ``kernel`` makes each launch one. No
interval ends inside a launch, and none goes over a synchronisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from warpmill.simulator.sampling.model import LaunchCounts, Unit, units_of_launches

DIVISIONS = ("sync", "instructions", "kernel")
"""Largest intervals first, as in Table II."""
PARTS = 1000
"""An interval by instructions has about this part of the application's, where nothing is asked."""


def intervals(
    launches: Sequence[LaunchCounts], division: str, instructions: int | None = None
) -> tuple[Unit, ...]:
    """Divide the launches of an application, all of them, in their order.

    ``instructions`` are the warp instructions that those of the division by instructions have about
    (§V-B: 100 M, of 227 billion on average); None: 1/1,000 of the application's. ``first`` and
    ``end`` of a unit are places among these launches. ValueError for a division that there is not,
    and fewer than one instruction.
    """
    if division == "kernel":
        return units_of_launches(launches)
    if division == "sync":
        return tuple(_unit(launches, stretch) for stretch in _stretches(launches))
    if division != "instructions":
        raise ValueError(f"there is no division {division}: there are {', '.join(DIVISIONS)}")
    target = about(launches) if instructions is None else instructions
    if target < 1:
        raise ValueError(f"intervals have at least 1 instruction, not {target}")
    pieces = (piece for each in _stretches(launches) for piece in _pieces(launches, each, target))
    return tuple(_unit(launches, piece) for piece in pieces)


def about(launches: Sequence[LaunchCounts]) -> int:
    """Give the instructions that an interval has about, where nothing is asked."""
    return max(1, round(sum(one.warp_instructions for one in launches) / PARTS))


def _unit(launches: Sequence[LaunchCounts], places: range) -> Unit:
    executed = sum(launches[place].warp_instructions for place in places)
    return Unit(places.start, places.stop, executed)


def _stretches(launches: Sequence[LaunchCounts]) -> Iterator[range]:
    """Give the places of launches between two synchronisations."""
    for _, group in groupby(range(len(launches)), key=lambda place: launches[place].interval):
        places = tuple(group)
        yield range(places[0], places[-1] + 1)


def _pieces(launches: Sequence[LaunchCounts], stretch: range, target: int) -> Iterator[range]:
    """Cut where a piece is nearest to the target.

    That is before a launch that overshoots by more than is missing without it, else behind it. So
    a launch of over twice the target stands alone, or begins a piece that it ends too; what is left
    at the end of a stretch stays a piece of its own, however short.
    """
    first, executed = stretch.start, 0
    for place in stretch:
        more = launches[place].warp_instructions
        if place > first and executed + more - target > target - executed:
            yield range(first, place)
            first, executed = place, 0
        executed += more
    yield range(first, stretch.stop)
