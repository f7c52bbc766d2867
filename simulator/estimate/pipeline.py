"""The instruction pipeline of one SM, event by event, in numba (hybrid paper, §IV-B).

Warps consume the operations of their traces in order. An operation waits for its operands, for an
issue slot of its sub-partition, for its pipes, and, where it touches memory, for the servers that
carry its bytes; each is held for a fixed delay, and the result comes after the latency. Time jumps
to the earliest operation that can go. Barriers release a CTA when its warps have all arrived or
ended, and where a CTA has ended the next one takes its place.

Everything jitted stands in this file: numba's cache does not see changes in another one. It is one
function over local arrays: handing a tuple of arrays to functions made it twelve times slower,
as numba counts references to each array at each call.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.base.jit import jit
from warpmill.simulator import resources

SERVERS = tuple(resources.SERVERS)
"""Servers of accesses' bytes, shared by the whole SM."""

LEVELS = ("arithmetic", "shared", "constant", "l1", "l2", "dram")
"""Origins of results, as numbers: arithmetic, and who answers an access last."""

REASONS = resources.ESTIMATED_STALLS
"""Why an operation waited: for an issue slot, for a pipe, for a result, whose latency or whose
queue was the longer part of it, or at a barrier."""

ISSUE, PIPE, LATENCY, BARRIER, QUEUE = 0, 1, 2, 8, 9
"""The places of reasons; those of levels and servers follow in their order."""

COSTS = len(SERVERS) + 3
"""Columns of an access: cycles that it holds each server, its latency, the level that answers, and
its group: the accesses to a sector that one of them brings into L1. The first of a group waits for
the latency, those after it for what is left of that, or for a hit. -1: it is in none."""


class PipelineCode(NamedTuple):
    """The kernel's operations, block by block.

    ``first`` has one entry a block and one more; ``pipe`` and ``second`` are -1 for operations
    without one; an operation that issues nothing has ``issue_cycles`` 0. ``memory`` tells those
    that may have an access. Source and destination registers of operation i are
    ``sources[source[i]:source[i+1]]`` and so on. ``of_sm`` tells by pipe whether all sub-partitions
    share one; others have one each.
    """

    first: NDArray[np.int32]
    pipe: NDArray[np.int32]
    pipe_cycles: NDArray[np.float64]
    second: NDArray[np.int32]
    second_cycles: NDArray[np.float64]
    issue_cycles: NDArray[np.float64]
    latency: NDArray[np.float64]
    memory: NDArray[np.bool_]
    barrier: NDArray[np.bool_]
    source: NDArray[np.int32]
    sources: NDArray[np.int32]
    target: NDArray[np.int32]
    targets: NDArray[np.int32]
    of_sm: NDArray[np.bool_]


class PipelineWork(NamedTuple):
    """Work of the warps. Warps stand CTA by CTA, ``warps_per_cta`` each.

    The events of warp w are ``warp_events[w]`` to ``warp_events[w+1]``; the accesses of event e
    ``event_access[e]`` to ``event_access[e+1]``, each of the operation ``access_op`` and with a row
    of COSTS; their groups are numbers below ``groups``.
    """

    warp_events: NDArray[np.int64]
    event_block: NDArray[np.int32]
    event_access: NDArray[np.int64]
    access_op: NDArray[np.int32]
    cost: NDArray[np.float64]
    groups: int


class Scalars(NamedTuple):
    """Sizes and switches.

    ``resident`` CTAs run at once, the others as these end, ``start_cycles`` after. ``in_flight``:
    accesses that miss in L1 and that the SM has under way at once; 0: any number. ``hit_cycles`` is
    the latency of what is in L1. ``blocking``: a
    warp waits for each result before its next operation. ``queue``: accesses of a sub-partition
    that wait for the load-store unit, which is the first server; then the warp waits. ``greedy``: a
    warp goes on issuing while it can, and then the oldest one does; else they take turns.
    """

    warps_per_cta: int
    resident: int
    subpartitions: int
    pipes: int
    registers: int
    barrier_cycles: float
    start_cycles: float
    in_flight: int
    hit_cycles: float
    queue: int
    blocking: bool
    greedy: bool


SPAN_PART, SPAN_WARPS = 0, 16
"""The sub-partition whose warps have spans, and its places for warps that do."""

SPAN = ("warp", "operation", "reason", "begin", "issued", "done")
"""Columns of a span: a warp, counted over the run, is at an operation from ``begin``, when the one
before it has issued, until it issues; ``reason`` is the longer wait in between, -1 without one, and
its result is there when it is ``done``. At barriers a second span lasts until it is released."""


class Sums(NamedTuple):
    """Sums of a run, in cycles: busy time by pipe, by server, of issue slots, waits by reason.

    Pipes and issue slots are summed over sub-partitions (one that these share counts for each),
    waits over warps; ``pipe_waits`` are those
    for pipes, by pipe. ``operation_cycles`` is
    the time that warps spent at each operation, waiting included, ``ends`` when each CTA ended, and
    ``issued`` how many operations of all had been issued by then.
    ``drain`` is the reason, by its place, that the run goes on for after the last of these: results
    and stores that no warp waits for; -1 where it does not. ``drain_op`` is the operation that the
    last result is of.
    """

    operations: int
    pipe_busy: NDArray[np.float64]
    server_busy: NDArray[np.float64]
    issue_busy: float
    waits: NDArray[np.float64]
    pipe_waits: NDArray[np.float64]
    operation_cycles: NDArray[np.float64]
    ends: NDArray[np.float64]
    issued: NDArray[np.int64]
    drain: int
    drain_op: int
    spans: NDArray[np.float64] = np.zeros((0, len(SPAN)))


class PipelineState(NamedTuple):
    """State of a run: of the warps at each place of the SM, of resources, of CTAs; and its sums."""

    # Where the warp at each place stands: event, operation, access.
    event: NDArray[np.int64]
    last_event: NDArray[np.int64]
    op: NDArray[np.int32]
    last: NDArray[np.int32]
    access: NDArray[np.int64]
    phase: NDArray[np.int8]
    cta: NDArray[np.int32]

    # Its next operation: from when only resources hold it back, and what held it back before.
    touches: NDArray[np.bool_]  # it has an access
    issues: NDArray[np.bool_]  # it takes an issue slot
    can_go: NDArray[np.float64]
    not_before: NDArray[np.float64]  # it cannot go: _NOT_FETCHED, or infinite at a barrier
    in_order: NDArray[np.float64]  # the operation before it has issued
    because: NDArray[np.int8]
    ready: NDArray[np.float64]  # by register
    reason: NDArray[np.int8]

    # Resources that it needs, as places in ``free``; the last place is of those that it does not.
    slot_at: NDArray[np.int32]
    pipe_at: NDArray[np.int32]
    second_at: NDArray[np.int32]
    queue_at: NDArray[np.int32]

    # Resources: from when they are free. ``free`` has by sub-partition its pipes, its issue slot
    # and its queue.
    free: NDArray[np.float64]
    server_free: NDArray[np.float64]
    ring: NDArray[np.float64]
    left: NDArray[np.float64]  # when those in the queue leave it
    next_left: NDArray[np.int32]

    # Warps of each sub-partition, in the order in which they take turns.
    member: NDArray[np.int32]
    members: NDArray[np.int32]
    turn: NDArray[np.int32]  # the one that issued last
    chosen: NDArray[np.int32]
    soonest: NDArray[np.float64]
    look: NDArray[np.bool_]
    early: NDArray[
        np.int32
    ]  # may go before the next issue slot: not fetched, or without need of it

    # Barriers and ends, by place of a CTA.
    arrived: NDArray[np.int32]
    living: NDArray[np.int32]
    arrival: NDArray[np.float64]
    ended: NDArray[np.float64]

    # As in ``Sums``.
    pipe_busy: NDArray[np.float64]
    server_busy: NDArray[np.float64]
    waits: NDArray[np.float64]
    pipe_waits: NDArray[np.float64]
    operation_cycles: NDArray[np.float64]
    ends: NDArray[np.float64]
    issued: NDArray[np.int64]
    spans: NDArray[np.float64]
    answered: NDArray[np.float64]  # by group: when its sector is in L1; 0: nobody has asked


def _begin(
    code: PipelineCode, work: PipelineWork, scalars: Scalars, most_spans: int
) -> PipelineState:
    """The state before the first CTA starts."""
    parts, registers = scalars.subpartitions, scalars.registers
    ctas = (work.warp_events.size - 1) // scalars.warps_per_cta
    resident = min(scalars.resident, ctas)
    n = resident * scalars.warps_per_cta
    most = (n + parts - 1) // parts
    return PipelineState(
        event=np.zeros(n, np.int64),
        last_event=np.zeros(n, np.int64),
        op=np.zeros(n, np.int32),
        last=np.zeros(n, np.int32),
        access=np.zeros(n, np.int64),
        phase=np.zeros(n, np.int8),
        cta=np.zeros(n, np.int32),
        touches=np.zeros(n, np.bool_),
        issues=np.zeros(n, np.bool_),
        can_go=np.zeros(n),
        not_before=np.zeros(n),
        in_order=np.zeros(n),
        because=np.zeros(n, np.int8),
        ready=np.zeros((n, registers)),
        reason=np.zeros((n, registers), np.int8),
        slot_at=np.zeros(n, np.int32),
        pipe_at=np.zeros(n, np.int32),
        second_at=np.zeros(n, np.int32),
        queue_at=np.zeros(n, np.int32),
        free=np.zeros(parts * (scalars.pipes + 2) + 1),
        server_free=np.zeros(len(SERVERS)),
        ring=np.zeros(max(1, scalars.in_flight)),
        left=np.zeros((parts, scalars.queue)),
        next_left=np.zeros(parts, np.int32),
        member=np.zeros((parts, most), np.int32),
        members=np.zeros(parts, np.int32),
        turn=np.full(parts, -1, np.int32),
        chosen=np.zeros(parts, np.int32),
        soonest=np.full(parts, np.inf),
        look=np.ones(parts, np.bool_),
        early=np.zeros(parts, np.int32),
        arrived=np.zeros(resident, np.int32),
        living=np.zeros(resident, np.int32),
        arrival=np.zeros(resident),
        ended=np.full(resident, -float(scalars.start_cycles)),
        pipe_busy=np.zeros(scalars.pipes),
        server_busy=np.zeros(len(SERVERS)),
        waits=np.zeros(len(REASONS)),
        pipe_waits=np.zeros(scalars.pipes),
        operation_cycles=np.zeros(code.pipe.size),
        ends=np.zeros(ctas),
        issued=np.zeros(ctas, np.int64),
        spans=np.zeros((most_spans, len(SPAN))),
        answered=np.zeros(work.groups),
    )


def run(
    code: PipelineCode, work: PipelineWork, scalars: Scalars, most_spans: int = 0
) -> tuple[float, Sums]:
    """Run all warps to their ends; give the cycles and what was busy meanwhile.

    Among operations of a sub-partition that can go at the same time the one whose warp comes next
    in turn goes first.
    """
    state = _begin(code, work, scalars, most_spans)
    cycles, operations, issue_busy, drain, drain_op, noted = _run(code, work, scalars, state)
    sums = Sums(
        operations=operations,
        pipe_busy=state.pipe_busy,
        server_busy=state.server_busy,
        issue_busy=issue_busy,
        waits=state.waits,
        pipe_waits=state.pipe_waits,
        operation_cycles=state.operation_cycles,
        ends=state.ends,
        issued=state.issued,
        drain=drain,
        drain_op=drain_op,
        spans=state.spans[:noted],
    )
    return cycles, sums


RUNS, WAITS = 1, 2
_SERVER_COUNT = len(SERVERS)
_L1 = LEVELS.index("l1")
_NOT_FETCHED = -1.0


@partial(jit, arrays=False)
def _run(code: Any, work: Any, scalars: Any, state: Any) -> Any:
    per_cta, parts = scalars.warps_per_cta, scalars.subpartitions
    ctas, resident, servers = state.ends.size, state.ended.size, _SERVER_COUNT

    # Each array is bound to a name once: handing on a tuple of them costs too much.
    first, op_pipe, pipe_cycles = code.first, code.pipe, code.pipe_cycles
    second, second_cycles, issue_cycles = code.second, code.second_cycles, code.issue_cycles
    latency, memory, barrier = code.latency, code.memory, code.barrier
    source, sources, target, targets = code.source, code.sources, code.target, code.targets
    of_sm = code.of_sm
    warp_events, event_block = work.warp_events, work.event_block
    event_access, access_op, cost = work.event_access, work.access_op, work.cost
    event, last_event, op, last = state.event, state.last_event, state.op, state.last
    access, phase, cta = state.access, state.phase, state.cta
    touches, issues, can_go = state.touches, state.issues, state.can_go
    not_before = state.not_before
    in_order, because = state.in_order, state.because
    ready, reason = state.ready, state.reason
    slot_at, pipe_at = state.slot_at, state.pipe_at
    second_at, queue_at = state.second_at, state.queue_at
    free, server_free = state.free, state.server_free
    ring, left, next_left = state.ring, state.left, state.next_left
    member, members, turn, chosen = state.member, state.members, state.turn, state.chosen
    soonest, look, early = state.soonest, state.look, state.early
    arrived, living, arrival, ended = state.arrived, state.living, state.arrival, state.ended
    pipe_busy, server_busy, waits = state.pipe_busy, state.server_busy, state.waits
    pipe_waits, op_cycles, ends = state.pipe_waits, state.operation_cycles, state.ends
    issued = state.issued
    spans, answered = state.spans, state.answered

    issue_busy = 0.0
    operations = begun = running = noted = rung = 0
    end, drain, drain_op = 0.0, -1, 0
    to_start = resident  # places without a CTA
    check = -1  # a place whose barrier may be complete
    next_part = 0
    # The places of a sub-partition in ``free``: pipes, slot, queue. Nothing waits for the last one.
    slot, row, nothing = scalars.pipes, scalars.pipes + 2, free.size - 1

    while running > 0 or to_start > 0:
        if to_start > 0:
            for seat in range(resident):
                if living[seat] > 0 or begun >= ctas:
                    continue
                start = ended[seat] + scalars.start_cycles
                arrived[seat] = 0
                arrival[seat] = 0.0
                for k in range(per_cta):
                    w, own = seat * per_cta + k, begun * per_cta + k
                    event[w], last_event[w] = warp_events[own], warp_events[own + 1]
                    op[w] = last[w] = 0
                    access[w] = event_access[event[w]]
                    phase[w] = RUNS
                    cta[w] = begun
                    not_before[w] = _NOT_FETCHED
                    in_order[w] = start
                    ready[w, :] = 0.0
                    living[seat] += 1
                    p = w % parts
                    member[p, members[p]] = w
                    members[p] += 1
                    early[p] += 1
                    look[p] = True
                    running += 1
                begun += 1
            to_start = 0

        for p in range(parts):
            if not look[p]:
                continue
            look[p] = False
            # What the loop reads each time, as numbers: they are not read anew after each store.
            there, before, soon = members[p], turn[p], np.inf
            slot_free = free[p * row + slot]
            soonest[p] = np.inf
            for j in range(there + 1):
                # The warp that issued last goes on while it can; of the others the oldest is next.
                if scalars.greedy:
                    k = before if j == 0 else j - 1
                    if k < 0 or k >= there:
                        continue
                else:
                    if j == there:
                        break
                    k = before + 1 + j
                    k = k - there if k >= there else k
                    k = 0 if k >= there else k
                w = member[p, k]
                if not_before[w] >= soon:
                    continue
                if not_before[w] < 0.0:
                    while op[w] == last[w]:
                        if event[w] == last_event[w]:
                            phase[w] = 0
                            break
                        block = event_block[event[w]]
                        op[w], last[w] = first[block], first[block + 1]
                        access[w] = event_access[event[w]]
                        event[w] += 1
                    if phase[w] == 0:
                        # The warp has ended: the others of its part have not all been looked at.
                        seat = w // per_cta
                        living[seat] -= 1
                        ended[seat] = max(ended[seat], in_order[w])
                        running -= 1
                        place = 0
                        while member[p, place] != w:
                            place += 1
                        for behind in range(place + 1, members[p]):
                            member[p, behind - 1] = member[p, behind]
                        members[p] -= 1
                        early[p] -= 1
                        if turn[p] > place:
                            turn[p] -= 1
                        elif turn[p] == place:
                            turn[p] = -1 if scalars.greedy else place - 1
                        if living[seat] == 0:
                            ends[cta[w]], issued[cta[w]] = ended[seat], operations
                            if begun < ctas:
                                to_start += 1
                        else:
                            arrival[seat] = max(arrival[seat], in_order[w])
                            check = seat
                        look[p] = True
                        break
                    i = op[w]
                    touches[w], issues[w] = False, issue_cycles[i] > 0.0
                    early[p] -= issues[w]
                    if memory[i] and access[w] < event_access[event[w]]:
                        touches[w] = access_op[access[w]] == i
                    slot_at[w] = pipe_at[w] = second_at[w] = queue_at[w] = nothing
                    if touches[w]:
                        queue_at[w] = p * row + slot + 1
                    if issues[w]:
                        slot_at[w] = p * row + slot
                        if op_pipe[i] >= 0:
                            pipe_at[w] = op_pipe[i] + (0 if of_sm[op_pipe[i]] else p * row)
                        if second[i] >= 0:
                            second_at[w] = second[i] + (0 if of_sm[second[i]] else p * row)
                    operands = 0.0
                    because[w] = 0
                    for s in range(source[i], source[i + 1]):
                        if ready[w, sources[s]] > operands:
                            operands = ready[w, sources[s]]
                            because[w] = reason[w, sources[s]]
                    can_go[w] = max(in_order[w], operands)
                time = max(can_go[w], free[slot_at[w]])
                time = max(time, free[pipe_at[w]], free[second_at[w]], free[queue_at[w]])
                not_before[w] = time  # what it waits for is free no earlier than now
                if time < soon:
                    soon = soonest[p] = time
                    chosen[p] = k
                    if time <= slot_free and early[p] == 0:
                        break  # none of the others goes before it
            if look[p] or to_start > 0:
                break
        else:
            best, best_time = -1, np.inf
            if check < 0:
                for j in range(parts):
                    p = next_part + j if next_part + j < parts else next_part + j - parts
                    if soonest[p] < best_time:
                        best, best_time = p, soonest[p]
                if best < 0:
                    break  # every warp left waits at a barrier that none can complete
                p, now = best, best_time
                next_part = p + 1 if p + 1 < parts else 0
                w = member[p, chosen[p]]
                turn[p] = chosen[p]
                i, own_row = op[w], p * row
                # Book the wait: for the operands first, then for the pipe or the issue slot.
                if can_go[w] > in_order[w]:
                    waits[because[w]] += can_go[w] - in_order[w]
                held_by = PIPE
                if now > can_go[w]:
                    if free[own_row + slot] >= now:
                        held_by = ISSUE
                    elif touches[w] and free[queue_at[w]] >= now:
                        held_by = QUEUE
                    waits[held_by] += now - can_go[w]
                    if held_by == PIPE:
                        own = op_pipe[i]
                        other = second[i]
                        if own < 0 or (other >= 0 and free[second_at[w]] >= now):
                            own = other
                        pipe_waits[own] += now - can_go[w]
                if issue_cycles[i] > 0.0:
                    operations += 1
                    free[own_row + slot] = now + issue_cycles[i]
                    issue_busy += issue_cycles[i]
                    if op_pipe[i] >= 0:
                        q = op_pipe[i]
                        free[pipe_at[w]] = now + pipe_cycles[i]
                        if of_sm[q]:
                            pipe_busy[q] += parts * pipe_cycles[i]
                            look[:] = True
                        else:
                            pipe_busy[q] += pipe_cycles[i]
                    if second[i] >= 0:
                        q = second[i]
                        free[second_at[w]] = now + second_cycles[i]
                        if of_sm[q]:
                            pipe_busy[q] += parts * second_cycles[i]
                            look[:] = True
                        else:
                            pipe_busy[q] += second_cycles[i]
                done = now + latency[i]
                why = LATENCY
                if touches[w]:
                    a = access[w]
                    access[w] += 1
                    level = int(cost[a, servers + 1])
                    away, group = cost[a, servers], int(cost[a, servers + 2])
                    follows = group >= 0 and answered[group] > 0.0
                    if follows:
                        away = scalars.hit_cycles
                    begin = now
                    if level > 3 and scalars.in_flight > 0:
                        begin = max(begin, ring[rung])
                    if cost[a, 0] > 0.0:
                        begin = max(begin, server_free[0])
                        server_free[0] = begin + cost[a, 0]
                        server_busy[0] += cost[a, 0]
                        left[p, next_left[p]] = begin
                        next_left[p] += 1
                        if next_left[p] == scalars.queue:
                            next_left[p] = 0
                        free[own_row + slot + 1] = left[p, next_left[p]]
                    served, slowest = begin, LATENCY + level
                    for s in range(1, servers):
                        held = cost[a, s]
                        if held > 0.0:
                            server_free[s] = max(server_free[s], begin) + held
                            server_busy[s] += held
                            if server_free[s] > served:
                                served = server_free[s]
                                if served - now > away:
                                    slowest = QUEUE + s
                    done = served + away
                    if follows and answered[group] > done:
                        done = answered[group]
                        slowest = LATENCY + level
                    elif follows and slowest < QUEUE:
                        slowest = LATENCY + _L1
                    elif group >= 0 and not follows:
                        answered[group] = done
                    why = slowest
                    if level > 3 and scalars.in_flight > 0:
                        ring[rung] = done
                        rung = rung + 1 if rung + 1 < ring.size else 0
                if target[i + 1] > target[i]:
                    # A result is not whole before its pipes have done with it.
                    last_of_it = done
                    if issue_cycles[i] > 0.0 and op_pipe[i] >= 0:
                        last_of_it = max(last_of_it, now + pipe_cycles[i])
                    if issue_cycles[i] > 0.0 and second[i] >= 0:
                        last_of_it = max(last_of_it, now + second_cycles[i])
                    if last_of_it > end:
                        end, drain, drain_op = last_of_it, why, i
                for t in range(target[i], target[i + 1]):
                    ready[w, targets[t]] = done
                    reason[w, targets[t]] = why
                if noted < spans.shape[0] and p == SPAN_PART and w < SPAN_WARPS * parts:
                    cause = -1
                    if now > in_order[w]:
                        cause = because[w]
                        if now - can_go[w] > can_go[w] - in_order[w]:
                            cause = held_by
                    spans[noted, 0] = cta[w] * per_cta + w % per_cta
                    spans[noted, 1], spans[noted, 2] = i, cause
                    spans[noted, 3], spans[noted, 4], spans[noted, 5] = in_order[w], now, done
                    noted += 1
                op_cycles[i] += now + issue_cycles[i] - in_order[w]
                in_order[w] = now + issue_cycles[i]
                if scalars.blocking and done > in_order[w]:
                    waits[why] += done - in_order[w]
                    op_cycles[i] += done - in_order[w]
                    in_order[w] = done
                op[w] += 1
                not_before[w] = _NOT_FETCHED
                early[p] += issues[w]
                look[p] = True
                if barrier[i]:
                    phase[w] = WAITS
                    not_before[w] = np.inf
                    early[p] -= 1
                    check = w // per_cta
                    arrived[check] += 1
                    arrival[check] = max(arrival[check], now)

        if check >= 0:
            # Release the CTA where its last living warp has arrived.
            if living[check] > 0 and arrived[check] == living[check]:
                released = arrival[check] + scalars.barrier_cycles
                for w in range(check * per_cta, (check + 1) * per_cta):
                    if phase[w] == WAITS:
                        phase[w] = RUNS
                        not_before[w] = _NOT_FETCHED
                        early[w % parts] += 1
                        look[w % parts] = True
                        waits[BARRIER] += released - in_order[w]
                        is_shown = w % parts == SPAN_PART and w < SPAN_WARPS * parts
                        if noted < spans.shape[0] and is_shown:
                            spans[noted, 0] = cta[w] * per_cta + w % per_cta
                            spans[noted, 1], spans[noted, 2] = op[w] - 1, BARRIER
                            spans[noted, 3] = in_order[w]
                            spans[noted, 4] = spans[noted, 5] = released
                            noted += 1
                        op_cycles[op[w] - 1] += released - in_order[w]
                        in_order[w] = released
                arrived[check] = 0
                arrival[check] = 0.0
            check = -1

    for s in range(servers):
        if server_free[s] > end:
            end, drain = server_free[s], QUEUE + s
    for c in range(ctas):
        if ends[c] >= end:
            end, drain = ends[c], -1
    return end, operations, issue_busy, drain, drain_op, noted
