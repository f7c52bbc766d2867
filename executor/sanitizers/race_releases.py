"""What threads know of each other by releases and acquires: fences, strong accesses, chains.

A release makes a node: what its thread and, up to their last barrier, the other threads of its CTA
did, with the nodes that the thread knew before and that of the write that it follows in a chain of
atomics. A strong write leaves its node at its place; who acquires there knows all that can be
reached from it. Whether that holds an access is looked for when an access needs it: nodes that are
older than it cannot.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from warpmill.executor.sanitizers.callbacks import part
from warpmill.executor.sanitizers.race_records import (
    ACQUIRES,
    CHANGES,
    FOUND_BITS,
    MOST_NODES,
    NARROW,
    NODE_BYTES,
    PLACE_BITS,
    PLACE_BYTES,
    RELEASES,
    WRITES,
    node_at,
    place_at,
    words_at,
)


@part
def _node(races: Any, first: int, second: int) -> Any:
    """A new node with two that it knows; the last one is for all for which there is no room."""
    if races.node_count < MOST_NODES - 1:
        races.node_count += 1
    else:
        races.between = 0
    found = node_at(races.nodes + races.node_count * NODE_BYTES)
    found.first, found.second, found.time = first, second, races.now
    found.cta, found.thread, found.base, found.top = -1, 0, 0, 0
    return found


@part
def joined(races: Any, one: int, other: int) -> int:
    """The number of a node that knows what two know."""
    if not one or one == other:
        return other
    if not other:
        return one
    _node(races, one, other)
    number: int = races.node_count
    return number


@part
def knows(races: Any, start: int, cta: int, thread: int, time: int) -> bool:
    """Whether an access of a thread is among what can be reached from a node."""
    slot = (start * 31 + cta) & ((1 << FOUND_BITS) - 1)
    found = words_at(races.found)
    if found[2 * slot] == start and _holds(races, found[2 * slot + 1], cta, thread, time):
        return True
    races.asked += 1
    seen, stack = words_at(races.seen), words_at(races.stack)
    stack[0], depth = start, 1
    while depth:
        depth -= 1
        number = stack[depth]
        node = node_at(races.nodes + number * NODE_BYTES)
        if not number or seen[number] == races.asked or node.time < time:
            continue
        seen[number] = races.asked
        if _holds(races, number, cta, thread, time):
            found[2 * slot], found[2 * slot + 1] = start, number
            return True
        stack[depth], stack[depth + 1] = node.first, node.second
        depth += 2
    return False


@part
def _holds(races: Any, number: int, cta: int, thread: int, time: int) -> bool:
    node = node_at(races.nodes + number * NODE_BYTES)
    own = node.thread == thread and time <= node.top
    return bool(node.cta == cta and (time <= node.base or own))


# Strong accesses.


@part
def _place(races: Any, address: int) -> Any:
    """What was released at a place."""
    mask = (1 << PLACE_BITS) - 1
    slot = (address >> 2) * 0x9E3779B1 >> 8 & mask
    for _ in range(64):
        found = place_at(races.places + slot * PLACE_BYTES)
        if found.address == address or not found.address:
            found.address = address
            return found
        slot = slot + 1 & mask
    races.between = 0
    return found


@part
def synchronise(races: Any, run: Any, cta: Any, own: Any, lane: int, address: int) -> None:
    """Take what was released at the place of a strong access, and leave what it releases.

    Of a chain of atomics those of the CTA that released last can acquire all, others what was
    released to all by accesses whose scopes hold them.
    """
    thread = run.warp * run.lanes + lane
    place = _place(races, address)
    nodes = words_at(cta.nodes)
    is_own = place.cta == run.cta
    narrow = own.number & NARROW != 0
    to_all = 0 if narrow else place.to_all
    seen = place.node if is_own else to_all
    if seen and (own.order & CHANGES or not own.number & WRITES):
        if own.order & ACQUIRES:
            nodes[thread] = joined(races, nodes[thread], seen)
        else:
            unread = words_at(cta.unread_own if is_own else cta.unread)
            unread[thread] = joined(races, unread[thread], seen)
    if not own.number & WRITES:
        return
    wide = races.now if own.order & RELEASES else words_at(cta.fenced)[thread]
    time = max(wide, words_at(cta.fenced_cta)[thread])
    if not own.order & CHANGES:
        seen = to_all = 0
    if not time:
        others = 0 if narrow or not own.order & CHANGES else place.node
        place.node, place.to_all = seen if is_own else others, to_all
        return
    place.node, place.cta = _released(races, run, cta, thread, seen, time), run.cta
    place.to_all = to_all
    if wide and not narrow:
        is_same = wide == time and seen == to_all
        place.to_all = place.node if is_same else _released(races, run, cta, thread, to_all, wide)


@part
def _released(races: Any, run: Any, cta: Any, thread: int, before: int, time: int) -> int:
    """The number of a new node: what a thread knew up to a time, and what it follows."""
    made = _node(races, words_at(cta.nodes)[thread], before)
    made.cta, made.thread, made.top = run.cta, thread, time
    made.base = min(cta.floor, time)
    if words_at(cta.rows)[thread] or words_at(cta.warp_floors)[run.warp] > cta.floor:
        made.base = time
    number: int = races.node_count
    return number


@part
def pass_fence(races: Any, cta: Any, thread: int, is_narrow: int) -> None:
    """Have a thread know what it has read before a fence; what it writes later releases it."""
    nodes, own, other = words_at(cta.nodes), words_at(cta.unread_own), words_at(cta.unread)
    nodes[thread] = joined(races, nodes[thread], own[thread])
    own[thread] = 0
    words_at(cta.fenced_cta)[thread] = races.now
    if not is_narrow:
        nodes[thread] = joined(races, nodes[thread], other[thread])
        other[thread] = 0
        words_at(cta.fenced)[thread] = races.now


@part
def join_all(races: Any, cta: Any) -> None:
    """Let all threads of a CTA know what each has acquired, read and fenced."""
    node = unread = own = fenced = narrow = 0
    for thread in range(cta.threads):
        node = joined(races, node, words_at(cta.nodes)[thread])
        unread = joined(races, unread, words_at(cta.unread)[thread])
        own = joined(races, own, words_at(cta.unread_own)[thread])
        fenced = max(fenced, words_at(cta.fenced)[thread])
        narrow = max(narrow, words_at(cta.fenced_cta)[thread])
    for thread in range(cta.threads):
        words_at(cta.nodes)[thread] = node
        words_at(cta.unread)[thread] = unread
        words_at(cta.unread_own)[thread] = own
        words_at(cta.fenced)[thread] = fenced
        words_at(cta.fenced_cta)[thread] = narrow
