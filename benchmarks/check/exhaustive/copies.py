"""Asynchronous copies: what a thread starts, what is done beside it, what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.benchmarks.check.exhaustive.steps import Access, FaultError
from warpmill.benchmarks.check.exhaustive.threads import (
    Agent,
    Copy,
    Thread,
    footprint_of,
    snapshot,
    values_of,
    whole,
)

if TYPE_CHECKING:
    from warpmill.benchmarks.check.exhaustive.machine import Machine


def issue(machine: Machine, thread: Thread, access: Access, target: int) -> None:
    """Start a copy to an address in shared memory."""
    assert access.origin is not None
    origin = machine.address_of(thread, access.origin)
    (limit,) = values_of(thread, access)
    if limit is None:
        raise FaultError(f"an undefined size at line {access.line}")
    agent = machine.agents[len(machine.agents) // 2 + thread.number]
    limit = min(limit, access.size)
    agent.queue.append(
        Copy(
            access,
            machine.places_of(thread, access.origin, origin, limit) if limit else [],
            machine.places_of(thread, access, target),
            limit,
            snapshot(thread),
            thread.committed + 1,
        )
    )
    machine.wake(agent)


def copy_next(machine: Machine, agent: Agent) -> None:
    """Read what the next copy reads, or write it."""
    copy = agent.queue[0]
    agent.clock, agent.time = copy.clock, copy.group
    if copy.values is None:
        event = machine.event(agent, "read", None)
        copy.values = []
        for region, span in copy.origin:
            entries = machine.memory.read(region, span, event, agent, set())
            bits = 8 * region.granule
            for entry in entries:
                copy.values += _bytes(entry.value, bits)
        left = copy.access.size - copy.limit
        copy.values = [*copy.values[: copy.limit], *[0] * left]
        footprint = footprint_of(copy.origin, None, True)
    else:
        event = machine.event(agent, "copy", None)
        ((region, span),) = copy.target
        for place, part in zip(span, _parts(copy.values, region.granule), strict=True):
            machine.memory.write(region, place, part, event, agent)
        agent.queue.pop(0)
        footprint = footprint_of(copy.target, None, False)
    machine.schedule.on_done(footprint)
    machine.depth += 1
    if not agent.queue:
        machine.block(agent)
    thread = machine.agents[agent.number - len(machine.agents) // 2]
    assert isinstance(thread, Thread)
    if thread.waits == "copies" and _are_done(thread, agent):
        thread.waits = ""
        thread.counter += 1
        machine.wake(thread)
        machine.advance(thread)


def _are_done(thread: Thread, agent: Agent) -> bool:
    """Whether the copies are done that a thread waits for; then it knows of them."""
    if any(copy.group <= thread.needed for copy in agent.queue):
        return False
    times = list(thread.clock.get(thread.cta) or [0] * thread.peers)
    times[agent.slot] = max(times[agent.slot], thread.needed)
    thread.clock = {**thread.clock, thread.cta: times}
    return True


def wait(machine: Machine, thread: Thread, left: int | None) -> bool:
    """Wait for all groups of copies but the last; None: for all. Whether it goes on at once."""
    if left is None:
        thread.committed += 1
    thread.needed = thread.committed - (left or 0)
    thread.epoch += 1
    agent = machine.agents[len(machine.agents) // 2 + thread.number]
    if thread.needed <= 0 or _are_done(thread, agent):
        thread.counter += 1
        return True
    thread.waits = "copies"
    machine.block(thread)
    return False


def _bytes(value: int | None, bits: int) -> list[int | None]:
    return [None if value is None else value >> k & 255 for k in range(0, bits, 8)]


def _parts(values: list[int | None], granule: int) -> list[int | None]:
    """Bytes as places of so many bytes."""
    return [whole(values[k : k + granule], 8) for k in range(0, len(values), granule)]
