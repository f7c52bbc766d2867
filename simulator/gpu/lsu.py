"""The load and store unit of an SM: accesses in order, through its caches or past them."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_of
from warpmill.simulator.gpu.bits import quotient
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    ACCESS_ATOMIC,
    ACCESS_LOAD,
    ISSUE_TO_NETWORK,
    KIND_FREE,
    NEVER,
    NONE,
    PARAMETER_SECTOR,
    REQUEST_ATOMIC,
    REQUEST_LOAD,
    REQUEST_WRITE_BACK,
    SPACE_ALWAYS,
    SPACE_CONST,
    SPACE_LOCAL,
    SPACE_SHARED,
    SPACE_TEXTURE,
    TICKS,
)
from warpmill.simulator.gpu.network import free_request, take_first
from warpmill.simulator.gpu.records import (
    access_at,
    counts_of,
    instruction_at,
    pending_at,
    request_at,
    sm_at,
    warp_at,
)
from warpmill.simulator.gpu.sm_caches import (
    BLOCKED,
    DONE,
    FILL_CYCLES,
    all_requests_issued,
    complete_access,
    fill_sector,
    load_sector,
    on_sector_fill,
    past_l1,
    store_sector,
)
from warpmill.simulator.gpu.trace_words import most_of, passes_of, sectors_of, shape_of, space_of
from warpmill.simulator.gpu.warps import fill_code


@part
def enqueue(gpu: Any, sm: Any, pending: Any, time: int) -> None:
    """Append an access to the unit's queue, which has room, from a time on."""
    place = _in_ring(gpu, sm.lsu_first + sm.lsu_count)
    words_of(gpu)[sm.lsu_queue + place] = place_of(gpu, pending)
    pending.queued = time
    if sm.lsu_count == 0:
        sm.lsu_time = max(time, -(-sm.lsu_free_tick // TICKS))
        sm.lsu_sector = 0
    sm.lsu_count += 1


@part
def _in_ring(gpu: Any, place: int) -> Any:
    """A place in the unit's queue, which is less than twice as long as the queue, in the ring."""
    return place - gpu.lsu_queue_size if place >= gpu.lsu_queue_size else place


@part
def serve(gpu: Any, sm: Any, now: int) -> None:
    """Serve what the unit can at a cycle; ``lsu_time`` is then the next one at which it can."""
    while sm.lsu_count > 0 and sm.lsu_time <= now:
        pending = _head(gpu, sm)
        space, shape = SPACE_ALWAYS, instruction_at(gpu, pending.row).wavefronts
        if pending.access != NONE:
            access = access_at(gpu, pending.access)
            space, shape = space_of(access), words_of(gpu)[shape_of(gpu, access)]
        if space == SPACE_ALWAYS and _goes_for_parameters(gpu, pending):
            held = _parameters(gpu, sm, pending, now)
            if held < 0:
                break
            all_requests_issued(gpu, pending, now)
        elif space == SPACE_SHARED or space == SPACE_ALWAYS:
            held = _on_chip(gpu, sm, pending, passes_of(shape), most_of(shape), now)
        else:
            held = _sectors(gpu, sm, pending, now)
            if held < 0:
                break
            held = max(held, -quotient(-passes_of(shape), _ports(gpu, space)) * TICKS)
            all_requests_issued(gpu, pending, now)
        if not _is_apart(gpu, pending, space):
            free = max(sm.lsu_free_tick, now * TICKS)
            sm.lsu_free_tick = free + max(held, gpu.lsu_ticks)
        sm.lsu_first = _in_ring(gpu, sm.lsu_first + 1)
        sm.lsu_count -= 1
        sm.lsu_sector = 0
        sm.last_segment = sm.last_l2_access = NONE
        _look_at_next(gpu, sm)


@part
def _head(gpu: Any, sm: Any) -> Any:
    """The first access of the unit's queue, which is not empty."""
    return pending_at(gpu, words_of(gpu)[sm.lsu_queue + sm.lsu_first])


@part
def _is_apart(gpu: Any, pending: Any, space: int) -> Any:
    """Whether an access leaves the unit alone: constants on some machines, or as operands."""
    is_operand = instruction_at(gpu, pending.row).kind == KIND_FREE
    return space == SPACE_CONST and (gpu.const_bypasses_lsu != 0 or is_operand)


@part
def _look_at_next(gpu: Any, sm: Any) -> None:
    if sm.lsu_count == 0:
        sm.lsu_time = NEVER
        return
    sm.lsu_time = max(_head(gpu, sm).queued, sm.lsu_free_tick // TICKS)


@part
def _on_chip(gpu: Any, sm: Any, pending: Any, passes: int, most: int, now: int) -> Any:
    """Serve an access to shared memory, or to what is always on the SM; gives ticks held.

    ``passes`` are those of its banks, 0 for constants; ``most`` are lanes at the busiest word, of
    which atomics serve one after the other. Where addresses are not known no banks conflict.
    """
    counts, row = sm.counts, pending.row
    instruction, is_known = instruction_at(gpu, row), pending.access != NONE
    number = 1
    if passes > 0:
        number = -quotient(-passes, gpu.shared_ports)
    if passes > 0 and (is_known or instruction.space == SPACE_SHARED):
        counts.shared_accesses += 1
        counts.shared_wavefronts += number
        counts.bank_conflicts += passes - 1 if is_known else 0
        counts_of(gpu, row).wavefronts += number
    ticks = number * gpu.shared_wavefront_ticks if passes > 0 else TICKS
    if passes > 0 and instruction.access == ACCESS_ATOMIC:
        ticks = max(ticks, (most if instruction.aggregated == 0 else 1) * gpu.shared_atomic_ticks)
    time = now + (ticks + TICKS - 1) // TICKS - 1 + instruction.latency + gpu.result_cycles
    complete_access(gpu, pending, time, now)
    return ticks


@part
def _goes_for_parameters(gpu: Any, pending: Any) -> Any:
    """Whether an access is to parameters of the kernel that may not be there yet."""
    return gpu.fetches_from_l2 != 0 and instruction_at(gpu, pending.row).parameter != NONE


@part
def _parameters(gpu: Any, sm: Any, pending: Any, now: int) -> Any:
    """Load parameters through the constant cache; gives ticks held, BLOCKED as ``_sectors``.

    Where they are there that takes as long as what always is.
    """
    row, instruction = pending.row, instruction_at(gpu, pending.row)
    sector, latency = PARAMETER_SECTOR + instruction.parameter, instruction.latency
    latency += gpu.result_cycles - 1
    when = load_sector(gpu, sm, pending, row, gpu.const, sector, now, latency, ISSUE_TO_NETWORK)
    if when != DONE:
        sm.lsu_time = NEVER if when == BLOCKED else max(when, now + 1)
        sm.counts.lsu_stalls += 1
        return BLOCKED
    return TICKS


@part
def _sectors(gpu: Any, sm: Any, pending: Any, now: int) -> Any:
    """Request the sectors of an access from where it stands on; returns ticks held.

    Where one has to wait it gives BLOCKED, and ``lsu_time`` says until when, NEVER until something
    comes back.
    """
    row, access = pending.row, access_at(gpu, pending.access)
    instruction, space, base = instruction_at(gpu, row), space_of(access), access.sector
    kind = instruction.memory_access
    first, last = sectors_of(gpu, shape_of(gpu, access))
    count = last - first
    if space == SPACE_LOCAL:
        base += _own_window(gpu, warp_at(gpu, pending.warp))
    lines = _looks_up_lines(gpu, instruction, kind, space)
    for k in range(sm.lsu_sector, count):
        word = words_of(gpu)[first + k]
        sector, words, parts = base + (word >> 16), word >> 8 & 255, word & 255
        if instruction.aggregated != 0:
            words = 1
        again = lines and k > 0 and _is_of_line(gpu, first + k - 1, base, sector)
        when = _ask(gpu, sm, pending, row, kind, space, sector, words, parts, now, again)
        if when != DONE:
            sm.lsu_sector = k
            sm.lsu_time = NEVER if when == BLOCKED else max(when, now + 1)
            sm.counts.lsu_stalls += 1
            return BLOCKED
    counts_of(gpu, row).sectors += count
    if space == SPACE_CONST or space == SPACE_TEXTURE:
        return -quotient(-count, _ports(gpu, space)) * TICKS
    if lines:
        for k in range(first + 1, last):
            sector = base + (words_of(gpu)[k] >> 16)
            count -= 1 if _is_of_line(gpu, k - 1, base, sector) else 0
    return count * gpu.l1_sector_ticks


@part
def _looks_up_lines(gpu: Any, instruction: Any, kind: int, space: int) -> Any:
    """Whether an access looks its lines up in an L1 that fills several sectors at once."""
    if gpu.l1_fill == 1 or kind == ACCESS_ATOMIC or space == SPACE_CONST or space == SPACE_TEXTURE:
        return False
    return instruction.bypasses_l1 == 0 or space == SPACE_LOCAL


@part
def _is_of_line(gpu: Any, place: int, base: int, sector: int) -> Any:
    """Whether a sector of an access is of what L1 fills at once with another one."""
    other = base + (words_of(gpu)[place] >> 16)
    return quotient(other, gpu.l1_fill) == quotient(sector, gpu.l1_fill)


@part
def _ports(gpu: Any, space: int) -> Any:
    """How much of an access is served at once: words of constants, lines of textures."""
    if space == SPACE_CONST:
        return gpu.const_ports
    return gpu.tex_ports if space == SPACE_TEXTURE else 1


@part
def _own_window(gpu: Any, warp: Any) -> Any:
    """The first sector of the memory that a warp's slot has for its threads' own variables."""
    number = sm_at(gpu, warp.sm).number * gpu.warps_per_sm + warp.slot
    return (1 << 40) + number * gpu.local_sectors


@part
def _ask(
    gpu: Any, sm: Any, pending: Any, row: int, kind: int, space: int, sector: int,
    words: int, parts: int, now: int, again: bool,
) -> Any:  # fmt: skip
    """Request one sector; returns DONE, BLOCKED, or the time until which it has to wait.

    ``again``: it is of the line that was looked up for the one before it, and comes with that one.
    """
    counts = sm.counts
    if space == SPACE_CONST:
        away = gpu.const_latency + ISSUE_TO_NETWORK
        return load_sector(gpu, sm, pending, row, gpu.const, sector, now, gpu.const_latency, away)
    if space == SPACE_TEXTURE:
        away = gpu.tex_latency + ISSUE_TO_NETWORK
        return load_sector(gpu, sm, pending, row, gpu.tex, sector, now, gpu.tex_latency, away)
    bypasses = instruction_at(gpu, row).bypasses_l1 != 0 and space != SPACE_LOCAL
    cached = gpu.l1.is_there != 0 and not (bypasses and gpu.l1_holds_data != 0)
    if kind == ACCESS_LOAD:
        if again:
            when = DONE
        elif cached:
            when = load_sector(
                gpu, sm, pending, row, gpu.l1, sector, now, gpu.l1_latency, gpu.l1_miss_cycles
            )
        else:
            away = gpu.l1_bypass_cycles
            when = past_l1(gpu, sm, pending, REQUEST_LOAD, sector, words, parts, now, away)
        if when == DONE:
            counts.read_sectors += 1
        return when
    if kind == ACCESS_ATOMIC:
        when = past_l1(gpu, sm, pending, REQUEST_ATOMIC, sector, words, parts, now, 1)
        if when == DONE:
            counts.atomic_sectors += 1
        return when
    cached = cached and gpu.l1_holds_data != 0
    when = store_sector(gpu, sm, pending, row, space, cached, sector, words, parts, now, again)
    if when == DONE:
        counts.write_sectors += 1
    return when


@part
def receive(gpu: Any, sm: Any, now: int) -> None:
    """Take the replies that have come to an SM."""
    replies = sm.replies
    while replies.first != NONE and request_at(gpu, replies.first).time <= now:
        request = take_first(gpu, replies)
        sm.packets_under_way -= 1
        sm.counts.packets_in += 1
        if request.cache == place_of(gpu, gpu.icache):
            fill_code(gpu, sm, request, now)
        elif request.cache != NONE:
            fill_sector(gpu, sm, request, now)
        elif request.kind != REQUEST_WRITE_BACK:
            on_sector_fill(gpu, pending_at(gpu, request.owner), now + FILL_CYCLES, now)
        free_request(gpu, request)
        if sm.lsu_count > 0 and sm.lsu_time >= NEVER:
            sm.lsu_time = now
