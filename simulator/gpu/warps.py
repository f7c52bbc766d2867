"""Warps of an SM: what they wait for, how they go on, and how they end."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_in, words_of
from warpmill.simulator.gpu.caches import bring_in, key_of, look_up, use, victim_of, waiters_of
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    ASYNC_GROUPS,
    BARRIERS,
    CODE_SECTOR,
    HISTOGRAM,
    KIND_COMMIT,
    KIND_FENCE,
    KIND_WAIT,
    LAUNCH_DONE,
    MOST_ALIASES,
    NEVER,
    NONE,
    REASON_BITS,
    STALL,
    WARP_ENDING,
    WARP_NONE,
    WARP_RUNS,
)
from warpmill.simulator.gpu.network import ask_for
from warpmill.simulator.gpu.records import (
    EVENT,
    counts_of,
    cta_at,
    event_at,
    instruction_at,
    launch_at,
    line_at,
    nth_logged,
    nth_span,
    nth_warp,
    scheduler_at,
    sm_at,
    warp_at,
)

EVENT_WORDS = words_in(EVENT)

DECODE_CYCLES = 2
"""Cycles from the return of a line of instructions to the issue of the first: fetch and decode."""


@part
def set_wake(gpu: Any, warp: Any, time: int, reason: int) -> None:
    """Set the time from which a warp is ready, and at which its scheduler looks at it."""
    words_of(gpu)[warp.ready], warp.reason = time, reason
    if time >= NEVER:
        return
    scheduler = scheduler_at(gpu, warp.scheduler)
    scheduler.time = min(scheduler.time, time)


@part
def next_ready(gpu: Any, warp: Any, floor: int, reason: int) -> None:
    """Work out from when on a warp can issue its next instruction, not before ``floor``.

    Results that it needs, and registers that it writes and that are still to be written, hold it
    up; ``reason`` is why it does not issue before ``floor``. Its line of code may be on its way.
    """
    if gpu.fetches_from_l2 != 0 and floor < NEVER and _awaits_code(gpu, warp):
        floor, reason = NEVER, STALL.no_instruction
    instruction, words = instruction_at(gpu, warp.row), words_of(gpu)
    registers, first = warp.registers, instruction.needs
    best = floor << REASON_BITS | reason
    for k in range(first, first + instruction.need_count):
        word = words[registers + words[k]]
        if word >> REASON_BITS > best >> REASON_BITS:
            best = word
    kind = instruction.kind
    if kind == KIND_WAIT and copies_under_way(warp, instruction.copy_groups):
        best = NEVER << REASON_BITS | STALL.long_scoreboard
    if kind == KIND_COMMIT and warp.copies_of_group[(warp.copy_groups + 1) % ASYNC_GROUPS] > 0:
        best = NEVER << REASON_BITS | STALL.long_scoreboard  # so many groups are told apart
    if kind == KIND_FENCE and warp.loads + warp.stores > 0:
        best = NEVER << REASON_BITS | STALL.membar
    set_wake(gpu, warp, best >> REASON_BITS, best & ((1 << REASON_BITS) - 1))


@part
def copies_under_way(warp: Any, groups: int) -> Any:
    """Whether copies are under way of any but so many newest groups; -1: of any at all."""
    if warp.copies == 0:
        return False
    if groups < 0:
        return True
    newest = warp.copy_groups
    kept = 0
    for k in range(min(groups + 1, ASYNC_GROUPS)):
        kept += warp.copies_of_group[(newest - k) % ASYNC_GROUPS]
    return warp.copies > kept


@part
def fetched(gpu: Any, sm: Any, warp: Any, line: int, time: int) -> Any:
    """The time at which the instructions of a line are there, asked for at a time."""
    cache = gpu.icache
    if cache.is_there == 0:
        return time
    sm.counts.fetch_accesses += 1
    key = key_of(cache, line)
    row = look_up(gpu, cache, sm.number, key)
    if row == NONE:
        row = victim_of(gpu, cache, sm.number, key)
        if row == NONE:  # all of its set are on their way
            return time + gpu.fetch_miss_cycles
        bring_in(gpu, cache, sm.number, key, row)
        if gpu.fetches_from_l2 != 0:
            _fetch_from_l2(gpu, sm, row, line, time)
        else:
            _arrival(gpu, row).first = _prefetched(gpu, sm, warp, line, time)
    use(gpu, cache, sm.number, row)
    return max(time, _arrival(gpu, row).first)


@part
def _prefetched(gpu: Any, sm: Any, warp: Any, line: int, time: int) -> Any:
    """The time at which a line arrives that the cache does not have.

    A buffer of each scheduler has the lines behind the last one that it gave, or which nobody had
    prefetched; what it gives makes room for more.
    """
    words, size = words_of(gpu), gpu.prefetched_lines
    first = scheduler_at(gpu, warp.scheduler).prefetched
    place = line - words[first]
    arrives = time + gpu.fetch_miss_cycles
    if words[first] == NONE or place < 0 or place >= size:
        sm.counts.fetch_misses += 1
        place = size - 1
    else:
        arrives = words[first + 1 + place]
    words[first] = line + 1
    for k in range(size):
        there, asked = k + place + 1, time + gpu.fetch_miss_cycles
        words[first + 1 + k] = words[first + 1 + there] if there < size else asked
    return arrives


@part
def _fetch_from_l2(gpu: Any, sm: Any, row: int, line: int, time: int) -> None:
    """Ask L2 for a line of instructions, whose row is empty, from a time on."""
    sm.counts.fetch_misses += 1
    line_at(gpu, row).pending = (1 << gpu.code_sectors) - 1
    _arrival(gpu, row).first = NEVER
    first = CODE_SECTOR + line * gpu.code_sectors
    ask_for(gpu, sm, first, gpu.code_sectors, row, place_of(gpu, gpu.icache), time)


@part
def fill_code(gpu: Any, sm: Any, request: Any, now: int) -> None:
    """Put a sector of code into its line; with its last one those that wait for it go on."""
    row = request.owner
    line = line_at(gpu, row)
    line.pending &= ~(1 << request.sector % gpu.code_sectors)
    if line.pending != 0:
        return
    _arrival(gpu, row).first = now + DECODE_CYCLES
    first = sm.number * gpu.warps_per_sm
    for number in range(first, first + gpu.warps_per_sm):
        warp = nth_warp(gpu, number)
        waits = warp.state == WARP_RUNS and warp.reason == STALL.no_instruction
        if waits and words_of(gpu)[warp.ready] >= NEVER:
            next_ready(gpu, warp, now + DECODE_CYCLES, STALL.no_instruction)


@part
def _awaits_code(gpu: Any, warp: Any) -> Any:
    """Whether the line of a warp's next instruction is on its way."""
    cache, number = gpu.icache, sm_at(gpu, warp.sm).number
    row = look_up(gpu, cache, number, key_of(cache, instruction_at(gpu, warp.row).line))
    return row != NONE and line_at(gpu, row).pending != 0


@part
def _arrival(gpu: Any, row: int) -> Any:
    """The record that has the time at which a line of instructions arrives: its first waiter."""
    return waiters_of(gpu, gpu.icache, row, 0)


@part
def enter_next_block(gpu: Any, warp: Any) -> Any:
    """Advance a warp to the first instruction of its next event that has any.

    Gives whether there is one.
    """
    words = words_of(gpu)
    while warp.event < warp.last_event:
        event = event_at(gpu, warp.event)
        code = launch_at(gpu, cta_at(gpu, warp.cta).launch).code
        block = code + (event.block_and_lanes >> 8)
        if words[block] < words[block + 1]:
            warp.row, warp.end_row = words[block], words[block + 1]
            warp.access = warp.event + event.accesses
            warp.lanes = event.block_and_lanes & 255
            return True
        warp.event += EVENT_WORDS
    return False


@part
def eliminate_move(gpu: Any, warp: Any) -> Any:
    """Carry out an instruction that takes no time: what it writes is ready when what it reads is.

    Gives whether that could be done: a value on its way is followed by few names only.
    """
    instruction, words = instruction_at(gpu, warp.row), words_of(gpu)
    registers, word, source = warp.registers, 0, NONE
    first, writes = instruction.needs, instruction.write_count
    for k in range(first, first + instruction.need_count - writes):
        if words[registers + words[k]] > word:
            word, source = words[registers + words[k]], words[k]
    pending = word >> REASON_BITS >= NEVER
    if pending and warp.alias_count + writes > MOST_ALIASES:
        return False
    first = instruction.writes
    for k in range(first, first + writes):
        words[registers + words[k]] = word
        if pending:
            warp.alias_names[warp.alias_count] = words[k]
            warp.alias_sources[warp.alias_count] = source
            warp.alias_count += 1
    return True


@part
def _follow_aliases(gpu: Any, warp: Any) -> None:
    """Mark the other names of values that have arrived as ready too."""
    words, registers, kept = words_of(gpu), warp.registers, 0
    for k in range(warp.alias_count):
        name, source = warp.alias_names[k], warp.alias_sources[k]
        word = words[registers + source]
        if word >> REASON_BITS < NEVER:
            words[registers + name] = word
        else:
            warp.alias_names[kept], warp.alias_sources[kept] = name, source
            kept += 1
    warp.alias_count = kept


@part
def write_results(gpu: Any, warp: Any, instruction: Any, word: int) -> None:
    """Set when the results of an instruction are ready, from a word."""
    words, registers, first = words_of(gpu), warp.registers, instruction.writes
    for k in range(first, first + instruction.write_count):
        words[registers + words[k]] = word


@part
def writeback(gpu: Any, pending: Any, time: int, now: int) -> None:
    """End a load or an atomic: its results are there at a time, and the warp may go on.

    What waited for them only learns of it now, be the time the present one or one to come.
    """
    warp, instruction = warp_at(gpu, pending.warp), instruction_at(gpu, pending.row)
    write_results(gpu, warp, instruction, time << REASON_BITS | instruction.reason)
    if warp.alias_count > 0:
        _follow_aliases(gpu, warp)
    latency, counts = time - pending.begin, counts_of(gpu, pending.row)
    counts.latency_cycles += latency
    counts.completed += 1
    counts.latency_bins[bin_of(latency)] += 1
    free_pending(gpu, pending)
    warp.loads -= 1
    recheck_ready(gpu, warp, now)


@part
def free_pending(gpu: Any, pending: Any) -> None:
    """Free the record of an access."""
    sm = sm_at(gpu, warp_at(gpu, pending.warp).sm)
    pending.next = sm.free_pending
    sm.free_pending = place_of(gpu, pending)


@part
def bin_of(latency: int) -> Any:
    """The bin of a latency: two for each doubling, 0 for less than two cycles."""
    bits = 0
    while latency >> (bits + 1):
        bits += 1
    if bits == 0:
        return 0
    return min(HISTOGRAM - 1, 2 * bits + (latency >> (bits - 1) & 1) - 1)


@part
def recheck_ready(gpu: Any, warp: Any, now: int) -> None:
    """Recheck a warp for which something has changed: it may go on, or be at its end."""
    if warp.state == WARP_ENDING:
        if warp.loads + warp.stores == 0:
            end_warp(gpu, warp, now)
        return
    if warp.state != WARP_RUNS or words_of(gpu)[warp.ready] < NEVER:
        return
    if warp.reason == STALL.barrier:
        return
    next_ready(gpu, warp, now, warp.reason)


@part
def start_drain(gpu: Any, warp: Any, row: int, now: int) -> None:
    """Start the drain of a warp that has issued its last instruction, NONE if none."""
    warp.state, warp.reason, warp.row = WARP_ENDING, STALL.drain, row
    words_of(gpu)[warp.ready] = NEVER
    if warp.loads + warp.stores == 0:
        end_warp(gpu, warp, now)


@part
def end_warp(gpu: Any, warp: Any, now: int) -> None:
    """End a warp; with its last warp a CTA ends, and with its last CTA a launch."""
    sm, cta = sm_at(gpu, warp.sm), cta_at(gpu, warp.cta)
    warp.state, words_of(gpu)[warp.ready] = WARP_NONE, NEVER
    if warp.row != NONE:
        drained = max(0, now - warp.last_issue - 1)
        counts_of(gpu, warp.row).stalls[STALL.drain] += drained
    sm.warps -= 1
    sm.end = now
    sm.counts.warp_cycles += now - warp.begin
    cta.issued += warp.issued
    cta.live_warps -= 1
    if gpu.most_spans > gpu.spans:
        span = nth_span(gpu, gpu.spans)
        span.sm, span.slot = sm.number, warp.slot
        span.cta = launch_at(gpu, cta.launch).log + cta.number
        span.begin, span.end = warp.begin, now
        gpu.spans += 1
    if cta.live_warps == 0:
        _end_cta(gpu, sm, cta, now)
    else:
        open_barriers(gpu, cta, now)


@part
def _end_cta(gpu: Any, sm: Any, cta: Any, now: int) -> None:
    launch = launch_at(gpu, cta.launch)
    number = launch.log + cta.number
    if number < gpu.logged_ctas:
        log = nth_logged(gpu, number)
        log.end, log.issued = now, cta.issued
    cta.launch = NONE
    sm.ctas -= 1
    sm.share -= launch.share
    launch.done_ctas += 1
    launch.end = max(launch.end, now)
    if launch.done_ctas == launch.ctas:
        launch.state = LAUNCH_DONE
        gpu.launches_done += 1
        gpu.dispatch_at = min(gpu.dispatch_at, launch.end + 1)
    if gpu.waiting_ctas > 0:
        sm.yield_time = now


@part
def open_barriers(gpu: Any, cta: Any, now: int) -> None:
    """Open each barrier that all living warps have come to, or as many as it waits for."""
    for k in range(BARRIERS):
        arrived, awaited = cta.arrived[k], cta.awaited[k]
        if arrived > 0 and arrived >= (awaited if awaited > 0 else cta.live_warps):
            cta.arrived[k], cta.awaited[k] = 0, 0
            _release(gpu, cta, k, now)


@part
def _release(gpu: Any, cta: Any, barrier: int, now: int) -> None:
    """Release the warps that wait at a barrier."""
    own, first = place_of(gpu, cta), sm_at(gpu, cta.sm).number * gpu.warps_per_sm
    for number in range(first, first + gpu.warps_per_sm):
        warp = nth_warp(gpu, number)
        if warp.state != WARP_RUNS or warp.cta != own:
            continue
        waits = warp.reason == STALL.barrier and words_of(gpu)[warp.ready] >= NEVER
        if waits and warp.barrier == barrier:
            next_ready(gpu, warp, now + gpu.barrier_cycles, STALL.barrier)
