"""What several threads come to together: barriers, and operations of lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpmill.benchmarks.check.exhaustive.lanes import (
    LANE_OPERATIONS,
    matrix_pieces,
    reduce_barrier,
)
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import Access, FaultError, Meeting
from warpmill.benchmarks.check.exhaustive.threads import (
    Arrival,
    Barrier,
    Cta,
    Thread,
    meet_clocks,
    meet_proxied,
    values_of,
)

if TYPE_CHECKING:
    from warpmill.benchmarks.check.exhaustive.machine import Machine


def meet(machine: Machine, thread: Thread, meeting: Meeting) -> bool:
    """Come to an operation of several threads; whether the thread goes on at once."""
    values = meeting.sources(thread.registers, thread.special)
    if not meeting.kind.startswith("bar") or meeting.kind == "bar.warp":
        full = (1 << machine.image.warp_size) - 1
        mask = full if meeting.kind == "mma" else values[-1]
        if mask is None:
            raise FaultError(f"an undefined mask at line {meeting.line}")
        return meet_lanes(machine, thread, meeting, mask, values)
    number, count = values[0], values[1]
    if number is None or count is None:
        raise FaultError(f"an undefined barrier at line {meeting.line}")
    if count % machine.image.warp_size or number > 15:
        raise FaultError(f"a wrong barrier at line {meeting.line}")
    cta = machine.ctas[thread.cta]
    barrier = cta.barriers.setdefault(number, Barrier())
    _check_phase(barrier, thread, meeting, count)
    arrival = Arrival(thread, meeting, values, thread.time, thread.clock, thread.proxied)
    barrier.arrived.append(arrival)
    thread.time += 1
    thread.epoch += 1
    if arrival.waits:
        thread.waits = "a barrier"
        machine.block(thread)
    else:
        thread.counter += 1
    try_barrier(machine, cta, number, thread)
    return not thread.waits


def _check_phase(barrier: Barrier, thread: Thread, meeting: Meeting, count: int) -> None:
    """Refuse what makes a barrier's threads depend on the schedule, and wrong counts."""
    if barrier.arrived:
        one = barrier.arrived[0]
        kinds = {one.meeting.kind, meeting.kind}
        if one.values[1] != count or ("bar.red" in kinds and len(kinds) > 1):
            raise FaultError(f"different barriers at line {meeting.line}")
    if thread.slot in barrier.slots:
        raise NotModelledError("a thread that comes to a barrier twice")
    barrier.slots.add(thread.slot)
    if barrier.phase and barrier.before:
        times = thread.clock.get(thread.cta)
        if times is None or any(
            times[slot] < time for slot, time in barrier.before if slot != thread.slot
        ):
            raise NotModelledError("a barrier whose threads depend on the schedule")


def try_barrier(machine: Machine, cta: Cta, number: int, current: Thread | None = None) -> None:
    """Let those go on that wait at a barrier, if all have come."""
    barrier = cta.barriers[number]
    if not barrier.arrived:
        return
    count = barrier.arrived[0].values[1]
    if len(barrier.arrived) < (count or cta.alive):
        return
    arrived, barrier.arrived = barrier.arrived, []
    barrier.slots.clear()
    _check_aligned(cta, arrived)
    barrier.phase += 1
    clock = meet_clocks([(a.thread, a.time, a.clock) for a in arrived])
    is_full = not count and all(a.waits for a in arrived)
    barrier.before = [] if is_full else [(a.thread.slot, a.time) for a in arrived]
    waiting = [a for a in arrived if a.waits]
    if waiting and waiting[0].meeting.kind == "bar.red":
        reduce_barrier([(a.thread, a.meeting, a.values) for a in waiting])
    proxied = meet_proxied([a.proxied for a in arrived])
    for one in waiting:
        one.thread.clock = clock
        one.thread.proxied = list(proxied)
        one.thread.waits = ""
        one.thread.counter += 1
    for one in waiting:
        machine.wake(one.thread)
    for one in waiting:
        if one.thread is not current:
            machine.advance(one.thread)


def _check_aligned(cta: Cta, arrived: list[Arrival]) -> None:
    """An aligned barrier is one that all lanes of a warp come to at one place."""
    places: dict[int, set[int]] = {}
    numbers: dict[int, int] = {}
    for one in arrived:
        opcode, warp = one.meeting.opcode, one.thread.warp
        if not opcode.startswith("bar.") and "aligned" not in one.meeting.words:
            return
        places.setdefault(warp, set()).add(one.meeting.line)
        numbers[warp] = numbers.get(warp, 0) + 1
    for warp, lines in places.items():
        there = sum(t.warp == warp and not t.is_done for t in cta.threads)
        if len(lines) > 1 or numbers[warp] < there:
            raise FaultError(f"a barrier for a part of a warp at line {min(lines)}")


def meet_lanes(
    machine: Machine,
    thread: Thread,
    operation: Meeting | Access,
    mask: int,
    values: tuple[int | None, ...],
) -> bool:
    """Come to an operation of the lanes of a mask; whether the thread goes on at once."""
    cta, size = machine.ctas[thread.cta], machine.image.warp_size
    lanes = cta.threads[thread.warp * size : (thread.warp + 1) * size]
    mask &= (1 << len(lanes)) - 1
    if not mask >> thread.lane & 1:
        raise FaultError(f"a mask without the lane itself at line {operation.line}")
    named = [lane for lane in lanes if mask >> lane.lane & 1]
    if any(lane.is_done for lane in named):
        raise FaultError(f"a mask names a lane that has exited at line {operation.line}")
    key = (thread.warp, thread.counter, mask)
    there = cta.lanes.setdefault(key, {})
    there[thread.lane] = (thread, values)
    if len(there) < len(named):
        thread.waits = "lanes"
        machine.block(thread)
        return False
    del cta.lanes[key]
    return _go_together(machine, thread, operation, there)


def _go_together(
    machine: Machine,
    current: Thread,
    operation: Meeting | Access,
    there: dict[int, tuple[Thread, tuple[int | None, ...]]],
) -> bool:
    """All lanes have come: do what they do, and let them go on."""
    if isinstance(operation, Access):
        for thread, address in matrix_pieces(operation, there):
            one = _of_one_element(operation)
            thread.places = [p for a in address for p in machine.places_of(thread, one, a)]
            thread.values = () if operation.sources is None else values_of(thread, operation)
            thread.waits = ""
            machine.wake(thread)
        return False
    if operation.kind == "bar.warp":
        threads = [thread for thread, _ in there.values()]
        clock = meet_clocks([(t, t.time, t.clock) for t in threads])
        proxied = meet_proxied([t.proxied for t in threads])
        for thread in threads:
            thread.clock = clock
            thread.proxied = list(proxied)
            thread.time += 1
            thread.epoch += 1
    else:
        LANE_OPERATIONS[operation.kind](operation, there)
    for thread, _ in there.values():
        thread.waits = ""
        thread.counter += 1
        machine.wake(thread)
    for thread, _ in there.values():
        if thread is not current:
            machine.advance(thread)
    return True


def _of_one_element(access: Access) -> Access:
    """A matrix move as the access of one element."""
    return Access("ldmatrix", access.opcode, access.line, access.space, None, 0, access.size)
