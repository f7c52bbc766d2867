"""Barrier objects in shared memory (mbarrier), and the bulk copies that arrive at them.

An object counts arrivals and bytes; a phase ends when both have come. Arriving releases and waiting
acquires, in the CTA. A wait that fails is taken to be done again until it does not: code that does
something else meanwhile is not modelled, nor are objects whose phases depend on the schedule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.benchmarks.check.exhaustive.memory import Event, joined
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import Access, FaultError
from warpmill.benchmarks.check.exhaustive.threads import (
    BarrierObject,
    Copy,
    Cta,
    ObjectWait,
    Thread,
    fence_proxy,
    knows,
    snapshot,
    values_of,
)

if TYPE_CHECKING:
    from warpmill.benchmarks.check.exhaustive.machine import Machine

MOST_OBJECTS = 64
"""Objects of a CTA at most."""
_MOST_REPEATED = 64
"""Steps at most between a wait that fails and the same one again."""


def make(machine: Machine, thread: Thread, access: Access, event: Event) -> None:
    """``mbarrier.init``, after its write."""
    objects = machine.ctas[thread.cta].objects
    address = machine.address_of(thread, access)
    (count,) = thread.values
    if not count:
        raise FaultError(f"a barrier object of no threads at line {access.line}")
    known = objects.get(address)
    number = len(objects) if known is None else known.number
    if number >= MOST_OBJECTS:
        raise NotModelledError("so many barrier objects")
    objects[address] = BarrierObject(number, count, count, event)


def object_at(machine: Machine, thread: Thread, access: Access) -> BarrierObject:
    """The object that an operation is on. FaultError where there is none."""
    address = machine.address_of(thread, access)
    found = machine.ctas[thread.cta].objects.get(address)
    if found is None:
        raise FaultError(f"no barrier object at line {access.line}")
    if not knows(thread, found.made.slot, found.made.time):
        raise NotModelledError("a barrier object that is not made before it is used")
    region = machine.memory.shared[thread.cta]
    history = region.history[address // region.granule]
    if history[-1].event is not found.made:
        raise FaultError(f"an overwritten barrier object at line {access.line}")
    return found


def operate(machine: Machine, thread: Thread, access: Access) -> bool:
    """An operation on an object; whether the thread goes on at once."""
    found = object_at(machine, thread, access)
    values = values_of(thread, access) if access.sources is not None else ()
    if any(value is None for value in values):
        raise FaultError(f"an undefined operand at line {access.line}")
    if access.kind == "wait":
        return _wait(machine, thread, access, found, values[0] or 0)
    if access.kind == "expect":
        found.bytes_left += values[0] or 0
    else:
        if "expect_tx" in access.words:
            found.bytes_left += values[0] or 0
            count = 1
        else:
            count = (values[0] or 0) if values else 1
        _check_phase(found, thread)
        for register in access.dests:
            if register is not None:
                thread.registers[register] = found.phase
        found.arrived.append((thread.slot, thread.time))
        own = snapshot(thread)
        found.clock, found.order = joined(found.clock, own), joined(found.order, own)
        found.proxied = [joined(a, b) for a, b in zip(found.proxied, thread.proxied, strict=True)]
        thread.epoch += 1
        _take(found, count)
    thread.counter += 1
    try_phase(machine, machine.ctas[thread.cta], found)
    return True


def arrive_of_copies(machine: Machine, cta: Cta, copy: Copy) -> None:
    """``cp.async.mbarrier.arrive.noinc``, when the copies before it are done."""
    found = copy.object
    assert found is not None
    found.arrived.append((copy.slots[1], copy.time))
    _know(cta, found, copy)
    _take(found, 1)
    try_phase(machine, cta, found)


def complete_bytes(machine: Machine, cta: Cta, copy: Copy) -> None:
    """A bulk copy has written its bytes."""
    found = copy.object
    assert found is not None
    found.bytes_left -= copy.size
    found.copies -= 1
    _know(cta, found, copy)
    try_phase(machine, cta, found)


def _know(cta: Cta, found: BarrierObject, copy: Copy) -> None:
    first = cta.threads[0]
    times = [0] * first.peers
    times[copy.slots[1]] = copy.time
    found.clock = joined(found.clock, {first.cta: times})
    found.order = joined(joined(found.order, copy.clock), {first.cta: times})


def _take(found: BarrierObject, count: int) -> None:
    found.pending -= count
    if found.pending < 0:
        raise FaultError("more arrivals at a barrier object than it counts")


def _check_phase(found: BarrierObject, thread: Thread) -> None:
    """Refuse an arrival that could as well have come in the phase before."""
    if found.phases and not all(knows(thread, *one) for one in found.phases[-1]):
        raise NotModelledError("a barrier object whose phases depend on the schedule")


def try_phase(machine: Machine, cta: Cta, found: BarrierObject) -> None:
    """End the phase if all have come, and let those go on that wait for it."""
    if found.pending or found.bytes_left:
        return
    if found.copies:
        raise NotModelledError("copies to a barrier object that does not expect them")
    times = found.order.get(cta.threads[0].cta)
    assert times is not None
    if any(times[slot] < time for slot, time in found.waits):
        raise NotModelledError("a barrier object that may be a phase ahead of who waits")
    found.phases.append(found.arrived)
    found.arrived, found.waits = [], []
    found.phase += 1
    found.pending = found.count
    ready = [wait for wait in found.waiting if wait.phase == found.phase]
    found.waiting = [wait for wait in found.waiting if wait.phase != found.phase]
    for wait in ready:
        _pass(found, wait.thread, wait.access)
        wait.thread.waits = ""
        machine.wake(wait.thread)
    for wait in ready:
        machine.advance(wait.thread)


def _pass(found: BarrierObject, thread: Thread, access: Access) -> None:
    """A wait that is over: the thread knows what those know that have arrived."""
    thread.clock = joined(thread.clock, found.clock)
    thread.proxied = [joined(a, b) for a, b in zip(thread.proxied, found.proxied, strict=True)]
    thread.epoch += 1
    found.waits.append((thread.slot, thread.time))
    if access.dests[0] is not None:
        thread.registers[access.dests[0]] = 1
    thread.counter += 1


def _wait(
    machine: Machine, thread: Thread, access: Access, found: BarrierObject, value: int
) -> bool:
    """Wait for the end of a phase: of a parity, or of the one that an arrival has told.

    As far as the thread knows, ``known`` phases have ended. The phase that it goes on in is the
    same in every schedule where no later one can have begun by then.
    """
    known = len(found.phases)
    while known and not all(knows(thread, *one) for one in found.phases[known - 1]):
        known -= 1
    if "parity" in access.words:
        wanted = known if known & 1 != value & 1 else known + 1
    else:
        wanted = value + 1
    if found.phase > max(wanted, known):
        raise NotModelledError("a barrier object that may be a phase ahead of who waits")
    if found.phase >= wanted:
        _pass(found, thread, access)
        return True
    _check_repeated(machine, thread, access)
    found.waiting.append(ObjectWait(thread, access, wanted))
    thread.waits = "a barrier object"
    machine.block(thread)
    return False


def _check_repeated(machine: Machine, thread: Thread, access: Access) -> None:
    """NotModelledError unless a wait that fails is done again and nothing else."""
    steps, registers = machine.image.program.steps, list(thread.registers)
    if access.dests[0] is not None:
        registers[access.dests[0]] = 0
    begin, counter = list(registers), thread.counter + 1
    for _ in range(_MOST_REPEATED):
        if counter == thread.counter:
            break
        step = steps[counter]
        if step.guard is not None and bool(registers[step.guard[0]]) == step.guard[1]:
            counter += 1
        elif step.kind == "jump":
            counter = step.data
        elif step.kind == "compute":
            step.data(registers, thread.special)
            counter += 1
        else:
            break
    if counter != thread.counter or registers != begin:
        raise NotModelledError("a wait that does something else when it fails")


def fence_proxies(machine: Machine, thread: Thread, spaces: tuple[str, ...]) -> None:
    """A fence between ordinary accesses and bulk copies, of spaces or of objects that it made."""
    if spaces == ("objects",):
        for found in machine.ctas[thread.cta].objects.values():
            found.is_fenced |= found.made.who == thread.number
    else:
        fence_proxy(thread, spaces)
