"""Asynchronous copies: what a thread starts, what is done beside it, what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.benchmarks.check.exhaustive.objects import (
    arrive_of_copies,
    complete_bytes,
    object_at,
)
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import Access, FaultError
from warpmill.benchmarks.check.exhaustive.threads import (
    Agent,
    Copy,
    Thread,
    footprint_of,
    knows,
    snapshot,
    values_of,
    whole,
)

if TYPE_CHECKING:
    from warpmill.benchmarks.check.exhaustive.machine import Machine


def agent_of(machine: Machine, thread: Thread) -> Agent:
    """Who does the copies of a thread."""
    return machine.agents[len(machine.agents) // 2 + thread.number]


def _slots(machine: Machine, thread: Thread, kind: str) -> tuple[int, int]:
    """Where reading and writing of a thread's copies are in clocks."""
    size = len(machine.ctas[0].threads)
    if kind == "cp":
        return size + thread.slot, size + thread.slot
    return 2 * size + thread.slot, 3 * size + thread.slot


def issue(machine: Machine, thread: Thread, access: Access, target: int) -> None:
    """Start a copy to an address in shared memory."""
    assert access.origin is not None
    origin = machine.address_of(thread, access.origin)
    (limit,) = values_of(thread, access)
    if limit is None:
        raise FaultError(f"an undefined size at line {access.line}")
    limit = min(limit, access.size)
    copies = thread.copies
    _enqueue(
        machine,
        thread,
        Copy(
            "cp",
            access,
            machine.places_of(thread, access.origin, origin, limit) if limit else [],
            machine.places_of(thread, access, target),
            access.size,
            limit,
            snapshot(thread),
            len(copies.times) + 1,
            copies.time,
            _slots(machine, thread, "cp"),
            thread.proxied,
        ),
    )


def _enqueue(machine: Machine, thread: Thread, copy: Copy) -> None:
    agent = agent_of(machine, thread)
    agent.queue.append(copy)
    machine.wake(agent)


def issue_bulk(machine: Machine, thread: Thread, access: Access) -> None:
    """Start a bulk copy."""
    assert access.origin is not None
    (size,) = values_of(thread, access)
    if size is None or size % 16 or not size:
        raise FaultError(f"a size of bulk copies that is none at line {access.line}")
    places = []
    for part in (access.origin, access):
        address = machine.address_of(thread, part)
        if address % 16:
            raise FaultError(f"a misaligned address at line {access.line}")
        places.append(machine.places_of(thread, part, address, size))
    slots, time = _slots(machine, thread, "bulk"), thread.bulk.time
    found = None
    if access.object is not None:
        found = object_at(machine, thread, access.object)
        made = found.made
        of_proxy = thread.proxied[0].get(thread.cta)
        if not found.is_fenced and (of_proxy is None or of_proxy[made.slot] < made.time):
            raise NotModelledError("a barrier object made without a fence for bulk copies")
        if found.phases and not all(knows(thread, *one) for one in found.phases[-1]):
            raise NotModelledError("a barrier object whose phases depend on the schedule")
        own = 4 * len(machine.ctas[0].threads) + found.number
        slots, time = (own, own), found.phase + 1
        found.copies += 1
    group = len(thread.bulk.times) + 1 if found is None else 0
    own_copy = Copy(
        "bulk", access, places[0], places[1], size, size, snapshot(thread), group, time, slots,
        list(thread.proxied), found,
    )  # fmt: skip
    _enqueue(machine, thread, own_copy)


def arrive_after(machine: Machine, thread: Thread, access: Access) -> None:
    """``cp.async.mbarrier.arrive.noinc``: arrive when all copies so far are done."""
    found, copies = object_at(machine, thread, access), thread.copies
    if found.phases and not all(knows(thread, *one) for one in found.phases[-1]):
        raise NotModelledError("a barrier object whose phases depend on the schedule")
    slots = _slots(machine, thread, "cp")
    own_copy = Copy(
        "arrive", access, [], [], 0, 0, snapshot(thread), 0, copies.time, slots, thread.proxied,
        found,
    )  # fmt: skip
    copies.time += 1
    _enqueue(machine, thread, own_copy)


def copy_next(machine: Machine, agent: Agent) -> None:
    """Read what the next copy reads, or write it."""
    copy = agent.queue[0]
    cta = machine.ctas[agent.cta]
    agent.clock, agent.time, agent.proxied = copy.clock, copy.time, copy.proxied
    agent.is_bulk = copy.kind == "bulk"
    agent.slot = copy.slots[copy.values is not None]
    places = copy.target if copy.values is not None or copy.kind == "arrive" else copy.origin
    is_reading = copy.values is None
    if copy.kind == "arrive":
        agent.queue.pop(0)
    elif is_reading:
        _read(machine, agent, copy)
    else:
        assert copy.values is not None
        event = machine.event(agent, "copy", None)
        ((region, span),) = copy.target
        for place, part in zip(span, _parts(copy.values, region.granule), strict=True):
            machine.memory.write(region, place, part, event, agent)
        agent.queue.pop(0)
    machine.schedule.on_done(footprint_of(places, None, is_reading))
    machine.depth += 1
    if not agent.queue:
        machine.block(agent)
    if copy.kind == "arrive":
        arrive_of_copies(machine, cta, copy)
    elif copy.object is not None and not is_reading:
        complete_bytes(machine, cta, copy)
    thread = machine.agents[agent.number - len(machine.agents) // 2]
    assert isinstance(thread, Thread)
    if thread.waits == "copies" and _are_done(machine, thread, agent):
        thread.waits = ""
        thread.counter += 1
        machine.wake(thread)
        machine.advance(thread)


def _read(machine: Machine, agent: Agent, copy: Copy) -> None:
    event = machine.event(agent, "read", None)
    values: list[int | None] = []
    for region, span in copy.origin:
        entries = machine.memory.read(region, span, event, agent, set())
        for entry in entries:
            values += _bytes(entry.value, 8 * region.granule)
    copy.values = [*values[: copy.limit], *[0] * (copy.size - copy.limit)]


def _are_done(machine: Machine, thread: Thread, agent: Agent) -> bool:
    """Whether the copies are done that a thread waits for; then it knows of them."""
    kind, group, of_reads = thread.needed
    own = [c for c in agent.queue if c.kind == kind and 0 < c.group <= group]
    if any(copy.values is None or not of_reads for copy in own):
        return False
    groups = thread.copies if kind == "cp" else thread.bulk
    times = list(thread.clock.get(thread.cta) or [0] * thread.peers)
    for slot in _slots(machine, thread, kind)[: 1 if of_reads else 2]:
        times[slot] = max(times[slot], groups.times[group - 1])
    thread.clock = {**thread.clock, thread.cta: times}
    return True


def wait(machine: Machine, thread: Thread, kind: str, left: int | None, of_reads: bool) -> bool:
    """Wait for all groups of copies but the last; None: for all. Whether it goes on at once."""
    groups = thread.copies if kind == "cp" else thread.bulk
    if left is None:
        groups.commit()
    thread.needed = kind, len(groups.times) - (left or 0), of_reads
    thread.epoch += 1
    if thread.needed[1] <= 0 or _are_done(machine, thread, agent_of(machine, thread)):
        thread.counter += 1
        return True
    thread.waits = "copies"
    machine.block(thread)
    return False


def is_asynchronous(data: object) -> bool:
    """Whether a step begins something that goes on beside its thread."""
    kinds = ("cp", "bulk", "arrive of copies")
    return isinstance(data, Access) and data.kind in kinds


def commit(thread: Thread, kind: str) -> None:
    """End a group of copies."""
    (thread.copies if kind == "cp" else thread.bulk).commit()


def _bytes(value: int | None, bits: int) -> list[int | None]:
    return [None if value is None else value >> k & 255 for k in range(0, bits, 8)]


def _parts(values: list[int | None], granule: int) -> list[int | None]:
    """Bytes as places of so many bytes."""
    return [whole(values[k : k + granule], 8) for k in range(0, len(values), granule)]
