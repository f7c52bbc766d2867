"""Calls that traces do not follow: by recursion, through registers, or to code that is elsewhere.

Such a call counts as one instruction. What it executes, and the memory that it touches, is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

from warpmill.analyzer.ir.host_calls import callee_of
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.traces.model import Assumption


def unfollowed_calls(kernel: Kernel, places: Iterable[Place]) -> tuple[Assumption, ...]:
    """Say of each call that it is not followed, by place; copies of one line are told once."""
    found: dict[str, Assumption] = {}
    for place in sorted(places):
        told = _told(kernel, place)
        found.setdefault(told.text, told)
    return tuple(found.values())


def _told(kernel: Kernel, place: Place) -> Assumption:
    call = kernel.blocks[place[0]].instructions[place[1]]
    callee = callee_of(call) or "a function known at run time only"
    text = f"the call of {callee} is not followed; what it executes is missing"
    return Assumption(place[0], f"line {call.span.line}: {text}")
