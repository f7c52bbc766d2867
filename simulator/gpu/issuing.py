"""Instructions of warps issued and advanced: the units that they need, and what they hold up."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, prefetch, words_in, words_of
from warpmill.simulator.gpu.bits import quotient
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    ACCESS_ASYNC,
    ACCESS_STORE,
    ASYNC_GROUPS,
    KIND_ALU,
    KIND_ARRIVE,
    KIND_BARRIER,
    KIND_BRANCH,
    KIND_COMMIT,
    KIND_FREE,
    KIND_MEMORY,
    NEVER,
    NONE,
    REASON_BITS,
    SPACE_SHARED,
    SPACE_TEXTURE,
    STALL,
    TICKS,
    WARP_RUNS,
)
from warpmill.simulator.gpu.lsu import enqueue
from warpmill.simulator.gpu.records import (
    ACCESS,
    access_at,
    counts_of,
    cta_at,
    event_at,
    instruction_at,
    nth_bin,
    pending_at,
)
from warpmill.simulator.gpu.sm_caches import all_there
from warpmill.simulator.gpu.trace_words import row_of, space_of
from warpmill.simulator.gpu.warps import (
    EVENT_WORDS,
    eliminate_move,
    enter_next_block,
    fetched,
    next_ready,
    open_barriers,
    start_drain,
    write_results,
)

ACCESS_WORDS = words_in(ACCESS)
FETCHED_WORDS = 8


@part
def can_issue(gpu: Any, sm: Any, scheduler: Any, warp: Any, now: int) -> Any:
    """The time from which on units take a warp's instruction, ``now`` where they do.

    In hardware a warp does not issue to a pipe that is busy; in simulators a collector takes the
    instruction, and holds up all warps where all collectors do.
    """
    instruction = instruction_at(gpu, warp.row)
    if gpu.busy_pipes_stall != 0 and instruction.pipe >= 0:
        free = words_of(gpu)[pipe_of(gpu, scheduler, instruction, now)] // TICKS
        if free > now:
            return record_stall(warp, free, STALL.math_pipe_throttle, now)
    if instruction.kind != KIND_MEMORY:
        return now
    reason = STALL.lg_throttle
    if instruction.space == SPACE_SHARED:
        reason = STALL.mio_throttle
    elif instruction.space == SPACE_TEXTURE:
        reason = STALL.tex_throttle
    misses = instruction.access != ACCESS_STORE and instruction.space != SPACE_SHARED
    if misses and 0 < gpu.loads_per_warp <= warp.loads:
        words_of(gpu)[warp.ready], warp.reason = NEVER, STALL.lg_throttle
        return NEVER
    if sm.lsu_count >= gpu.lsu_queue_size:
        return record_stall(warp, max(now + 1, sm.lsu_time), reason, now)
    if sm.free_pending == NONE:
        return record_stall(warp, now + PENDING_RETRY, reason, now)
    return now


@part
def record_stall(warp: Any, until: int, reason: int, now: int) -> Any:
    """Note that a warp that is ready is held up by a unit."""
    warp.held_until, warp.held_reason = min(until, now + (1 << 20)), reason
    return until


@part
def pipe_of(gpu: Any, scheduler: Any, instruction: Any, now: int) -> Any:
    """The place of the time from which on an instruction's pipe is free.

    It is one of a scheduler's sub-partition. Where two do the same, the second one is taken while
    the first is busy, if it is free sooner.
    """
    words, pipe = words_of(gpu), scheduler.pipes + instruction.pipe
    if instruction.alternate_pipe < 0 or words[pipe] <= now * TICKS:
        return pipe
    alternate = scheduler.pipes + instruction.alternate_pipe
    return alternate if words[alternate] < words[pipe] else pipe


@part
def collector_of(gpu: Any, scheduler: Any) -> Any:
    """The place of that operand collector of a scheduler that is free first."""
    words, first = words_of(gpu), scheduler.collectors
    best = first
    for place in range(first + 1, first + gpu.collectors_per_scheduler):
        if words[place] < words[best]:
            best = place
    return best


@part
def pairs_with(gpu: Any, sm: Any, scheduler: Any, warp: Any, pipe: int, now: int) -> Any:
    """Whether a warp's next instruction, if it takes one slot, can go in the same cycle.

    In simulators it goes to another unit; in hardware the unit may be one that takes more than one
    a cycle, as those of Kepler, and the load-store unit takes one.
    """
    if warp.state != WARP_RUNS or warp.reason == STALL.barrier:
        return False
    instruction = instruction_at(gpu, warp.row)
    kind = instruction.kind
    if (kind != KIND_ALU and kind != KIND_MEMORY) or instruction.issue_slots > 1:
        return False
    if instruction.pipe == pipe and (pipe < 0 or gpu.busy_pipes_stall == 0):
        return False
    if words_of(gpu)[warp.ready] != now + 1 or warp.reason != STALL.selected:
        return False
    words, registers, first = words_of(gpu), warp.registers, instruction.needs
    for n in range(first, first + instruction.need_count):
        if words[registers + words[n]] >> REASON_BITS > now:
            return False
    if words[collector_of(gpu, scheduler)] > now * TICKS:
        return False
    return can_issue(gpu, sm, scheduler, warp, now) <= now


@part
def issue(gpu: Any, sm: Any, scheduler: Any, warp: Any, now: int) -> Any:
    """Issue a warp's instruction and let it go on to the next; gives the issue slots taken."""
    instruction, words = instruction_at(gpu, warp.row), words_of(gpu)
    _count_issue(gpu, sm, warp, now)
    kind, reads, shared = instruction.kind, instruction.read_cycles, instruction.shared_pipe
    collector = collector_of(gpu, scheduler)
    start = now * TICKS
    if instruction.pipe >= 0:
        pipe = pipe_of(gpu, scheduler, instruction, now)
        start = max(start, words[pipe])
        if shared != 0:
            start = max(start, sm.shared_pipes[shared])
            words[pipe], sm.shared_pipes[shared] = start, start + instruction.pipe_ticks
        else:
            words[pipe] = start + instruction.pipe_ticks
    words[collector] = start + reads * TICKS
    if kind == KIND_MEMORY:
        begin_access(gpu, sm, warp, now + reads - 1)
    else:
        time = -(-start // TICKS) + reads - 1 + instruction.latency
        write_results(gpu, warp, instruction, time << REASON_BITS | instruction.reason)
    if kind == KIND_COMMIT:
        warp.copy_groups += 1
    go_on(gpu, sm, warp, now)
    if kind == KIND_BARRIER or kind == KIND_ARRIVE:
        arrives = -(-start // TICKS) if shared != 0 else now
        _arrive_at_barrier(gpu, warp, instruction, arrives)
    return instruction.issue_slots


@part
def _count_issue(gpu: Any, sm: Any, warp: Any, now: int) -> None:
    """Count an issue, and why the warp did not issue since the one before."""
    counts, lanes = sm.counts, warp.lanes
    counts.warp_instructions += 1
    counts.thread_instructions += lanes
    bin_ = quotient(now, gpu.bin_cycles)
    if bin_ < gpu.bin_count:
        nth_bin(gpu, bin_).instructions += 1
    warp.issued += 1
    own = counts_of(gpu, warp.row)
    own.issues += 1
    own.lanes += lanes
    stalls, begin = own.stalls, warp.last_issue + 1
    stalls[STALL.selected] += 1
    ready = min(max(words_of(gpu)[warp.ready], begin), now)
    if ready > begin:
        stalls[warp.reason] += ready - begin
    held = min(max(warp.held_until, ready), now)
    if held > ready:
        stalls[warp.held_reason] += held - ready
    stalls[STALL.not_selected] += max(now, begin) - max(held, begin)
    warp.last_issue, warp.held_until = now, 0


@part
def _arrive_at_barrier(gpu: Any, warp: Any, instruction: Any, now: int) -> None:
    """Note that a warp has come to a barrier; it waits there unless it only tells so."""
    if warp.state != WARP_RUNS:
        return
    cta, barrier = cta_at(gpu, warp.cta), instruction.barrier
    cta.arrived[barrier] += 1
    cta.awaited[barrier] = instruction.barrier_warps
    if instruction.kind == KIND_BARRIER:
        words_of(gpu)[warp.ready], warp.reason, warp.barrier = NEVER, STALL.barrier, barrier
    open_barriers(gpu, cta, now)


# A warp on its way through its trace: what it asks of memory, and its next instruction.

PENDING_RETRY = 4
"""Cycles until it is tried again where there was no room for another access under way."""


@part
def begin_access(gpu: Any, sm: Any, warp: Any, now: int) -> None:
    """Submit an access to the load-store unit, if any lane makes it."""
    found = NONE
    if instruction_at(gpu, warp.row).recorded != 0:
        found = _taken(gpu, warp)
        if found == NONE:
            return
    _begin_pending(gpu, sm, warp, found, now)


@part
def _taken(gpu: Any, warp: Any) -> Any:
    """Take what a warp's next instruction asks for; NONE where no lane asks for anything."""
    found = NONE
    following = warp.event + EVENT_WORDS
    end = following + event_at(gpu, following).accesses
    while warp.access < end:
        access = access_at(gpu, warp.access)
        if row_of(access) != warp.row:
            break
        if found == NONE or space_of(access) != SPACE_SHARED:  # a copy: where it copies from counts
            found = warp.access
        warp.access += ACCESS_WORDS
    if found != NONE:
        prefetch(gpu, found + FETCHED_WORDS)
    return found


@part
def _begin_pending(gpu: Any, sm: Any, warp: Any, found: int, now: int) -> None:
    """Register a pending access, whose results are yet to come."""
    instruction, pending = instruction_at(gpu, warp.row), pending_at(gpu, sm.free_pending)
    sm.free_pending = pending.next
    pending.warp, pending.row, pending.left = place_of(gpu, warp), warp.row, 0
    pending.begin, pending.ready, pending.access = now, 0, found
    pending.all_requested, pending.copy_group = 0, 0
    if instruction.access == ACCESS_STORE and instruction.space != SPACE_SHARED:
        warp.stores += 1
    else:
        warp.loads += 1
        write_results(gpu, warp, instruction, NEVER << REASON_BITS | instruction.reason)
    if instruction.access == ACCESS_ASYNC:
        pending.copy_group = warp.copy_groups % ASYNC_GROUPS
        warp.copies_of_group[pending.copy_group] += 1
        warp.copies += 1
    enqueue(gpu, sm, pending, now + gpu.lsu_cycles)


@part
def go_on(gpu: Any, sm: Any, warp: Any, now: int) -> None:
    """Advance a warp past the instruction that it has issued, or end it."""
    before = warp.row
    instruction = instruction_at(gpu, before)
    floor, reason = now + 1, STALL.selected
    if instruction.issue_slots > 1:
        floor, reason = now + instruction.issue_slots, STALL.wait
    if not _advance(gpu, warp):
        start_drain(gpu, warp, before, now)
        return
    after = warp.row
    if instruction.kind == KIND_BRANCH:
        cycles = gpu.branch_cycles
        if after != before + 1:
            cycles = max(cycles, gpu.refill_cycles)
        if now + cycles > floor:
            floor, reason = now + cycles, STALL.branch_resolving
    while instruction_at(gpu, warp.row).kind == KIND_FREE:
        if _passed(gpu, sm, warp, now) != now:
            break
        if not _advance(gpu, warp):
            start_drain(gpu, warp, before, now)
            return
    line = instruction_at(gpu, warp.row).line
    if line != instruction.line:
        there = fetched(gpu, sm, warp, line, floor)
        if there > floor:
            floor, reason = there, STALL.no_instruction
    next_ready(gpu, warp, floor, reason)


@part
def _advance(gpu: Any, warp: Any) -> Any:
    """Advance a warp to its next instruction; returns whether there is one."""
    warp.row += 1
    if warp.row < warp.end_row:
        return True
    warp.event += EVENT_WORDS
    return enter_next_block(gpu, warp)


@part
def skip_free(gpu: Any, sm: Any, warp: Any, now: int) -> None:
    """Carry out instructions that take no time where a warp stands before one."""
    before = instruction_at(gpu, warp.row).line
    while instruction_at(gpu, warp.row).kind == KIND_FREE:
        when = _passed(gpu, sm, warp, now)
        if when > now:
            words_of(gpu)[warp.ready] = when
            warp.reason = STALL.long_scoreboard if when >= NEVER else STALL.lg_throttle
            return
        if not _advance(gpu, warp):
            start_drain(gpu, warp, warp.end_row - 1, now)
            return
    line = instruction_at(gpu, warp.row).line
    floor, reason = now, warp.reason  # what it waited for to come here
    if line != before:
        there = fetched(gpu, sm, warp, line, now)
        if there > now:
            floor, reason = there, STALL.no_instruction
    next_ready(gpu, warp, floor, reason)


@part
def _passed(gpu: Any, sm: Any, warp: Any, now: int) -> Any:
    """Carry out an instruction that takes no time; gives the time at which to try again.

    That is the present one where it is done, and NEVER where a result has to come first. Constants
    that are operands are there at once, or on their way as those of a load where the SM's cache
    does not have them.
    """
    if instruction_at(gpu, warp.row).recorded != 0:
        first = warp.access
        found = _taken(gpu, warp)
        if found != NONE and not all_there(gpu, sm, access_at(gpu, found), now):
            if sm.lsu_count >= gpu.lsu_queue_size or sm.free_pending == NONE:
                warp.access = first
                return now + PENDING_RETRY
            _begin_pending(gpu, sm, warp, found, now)
            return now
    return now if eliminate_move(gpu, warp) else NEVER
