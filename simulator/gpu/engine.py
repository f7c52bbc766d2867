"""The engine's loop: lookahead windows, in which SMs and then channels are moved one by one."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_in, words_of
from warpmill.simulator.gpu.bits import quotient, rest
from warpmill.simulator.gpu.caches import bring_in, key_of, look_up, use, victim_of
from warpmill.simulator.gpu.compiled import engine, part
from warpmill.simulator.gpu.constants import (
    LAUNCH_HELD,
    LAUNCH_WAITS,
    NEVER,
    NONE,
    REQUEST_LOAD,
    REQUEST_WRITE_BACK,
    RUN_DONE,
    RUN_NEEDS,
    RUN_PAUSED,
    RUN_STUCK,
    TICKS,
)
from warpmill.simulator.gpu.issuing import issue, pairs_with
from warpmill.simulator.gpu.lsu import receive, serve
from warpmill.simulator.gpu.memory_partition import (
    choose,
    fill,
    issue_column,
    step_slice,
    take_out,
    unstick,
)
from warpmill.simulator.gpu.network import (
    carry_replies,
    carry_requests,
    free_request,
    local_sector,
    next_entry,
    reply,
    slice_of,
    written_back,
)
from warpmill.simulator.gpu.records import (
    BIN,
    dram_request_at,
    gpu_at,
    instruction_at,
    line_at,
    nth_channel,
    nth_launch,
    nth_logged,
    nth_scheduler,
    nth_slice,
    nth_sm,
    request_at,
)
from warpmill.simulator.gpu.scheduling import choose_warp, step_dispatch, warp_of

BIN_WORDS = words_in(BIN)

_AHEAD = 1 << 14
"""Cycles that the plots over time have room for beyond a window: DRAM and L2 count in advance."""


@part
def gpu_of(words: Any) -> Any:
    """The GPU's record, at the begin of a state's words."""
    return gpu_at(words.ctypes.data)


@engine
def run(words: Any, until: int, most: int) -> Any:
    """Advance until everything is done, or a cycle or a number of lookahead windows is reached.

    Everything is done when ``stop_at_launches_done`` launches are. Gives one of RUN_DONE, RUN_NEEDS
    (the launch ``needs_traces_of``), RUN_PAUSED and RUN_STUCK.

    Time passes in lookahead windows no longer than the shortest way from L2 to an SM: in one, first
    each SM by itself, then the network, each channel with its slices, and the network back. How
    long the windows are changes nothing but the speed.
    """
    gpu = gpu_of(words)
    windows_run = 0
    while gpu.launches_done < gpu.stop_at_launches_done:
        start = gpu.window
        if start >= until or windows_run >= most or _has_ended(gpu, gpu.watched_cta):
            return RUN_PAUSED
        end = min(start + gpu.lookahead, until)
        while end + _AHEAD >= gpu.bin_count * gpu.bin_cycles:
            _widen_bins(gpu)
        if _move_sms(gpu, end):
            return RUN_NEEDS
        if gpu.launches_done == gpu.stop_at_launches_done:
            end = min(end, _last_end(gpu) + 1)
        carry_requests(gpu, start, end)
        following = min(gpu.dispatch_at, next_entry(gpu, gpu.sm_port_table, gpu.sm_count))
        for number in range(gpu.channel_count):
            channel = nth_channel(gpu, number)
            step_partition(gpu, channel, end)
            following = min(following, next_of(gpu, channel))
        reach = gpu.l2_delay + 1
        carry_replies(gpu, start + reach, end + reach)
        replies = next_entry(gpu, gpu.slice_port_table, gpu.slice_count)
        following = min(following, replies - reach)
        for number in range(gpu.sm_count):
            following = min(following, nth_sm(gpu, number).time)
        if gpu.launches_done == gpu.stop_at_launches_done:
            following = end
        if following >= NEVER - reach:
            return RUN_STUCK
        gpu.window = max(end, following)
        windows_run += 1
    return RUN_DONE


@part
def _has_ended(gpu: Any, number: int) -> Any:
    """Whether a CTA has begun and ended, by its number in the log."""
    log = nth_logged(gpu, number)
    return number != NONE and log.launch > 0 and log.end < NEVER


@part
def _move_sms(gpu: Any, end: int) -> Any:
    """Move all SMs up to a cycle, with CTAs started in order; gives whether traces are needed.

    An SM at which a CTA ends stops there, while others wait to start, until all SMs have come
    as far.
    """
    while True:
        limit = min(end, gpu.dispatch_at)
        dispatch = gpu.dispatch_at
        for number in range(gpu.sm_count):
            sm = nth_sm(gpu, number)
            while sm.time < limit and sm.time <= sm.yield_time:
                step_sm(gpu, sm, sm.time)
            dispatch = min(dispatch, sm.yield_time + 1)
        dispatch = min(dispatch, gpu.dispatch_at)
        if dispatch >= end or gpu.launches_done == gpu.stop_at_launches_done:
            gpu.dispatch_at = min(dispatch, NEVER)
            break
        if step_dispatch(gpu, dispatch):
            return True
        for number in range(gpu.sm_count):
            sm = nth_sm(gpu, number)
            if sm.yield_time < dispatch:
                sm.yield_time = NEVER
    for number in range(gpu.sm_count):
        nth_sm(gpu, number).yield_time = NEVER
    return False


@part
def _last_end(gpu: Any) -> Any:
    """The cycle at which the last launch has ended: up to there everything has to happen."""
    end = 0
    for number in range(gpu.launch_count):
        end = max(end, nth_launch(gpu, number).end)
    return end


@part
def _widen_bins(gpu: Any) -> None:
    """Double the length of each bin of the plots over time: pairs become one."""
    words, bins = words_of(gpu), gpu.bin_table
    for k in range(gpu.bin_count):
        for n in range(bins, bins + BIN_WORDS):
            total = 0
            if 2 * k + 1 < gpu.bin_count:
                first = n + 2 * k * BIN_WORDS
                total = words[first] + words[first + BIN_WORDS]
            words[n + k * BIN_WORDS] = total
    gpu.bin_cycles *= 2


@engine
def arm(words: Any, launches: int, now: int) -> None:
    """Allow so many of the launches to run, none before a cycle."""
    gpu = gpu_of(words)
    for number in range(launches):
        launch = nth_launch(gpu, number)
        if launch.state == LAUNCH_HELD:
            launch.state, launch.ready = LAUNCH_WAITS, now
    gpu.stop_at_launches_done = launches
    gpu.dispatch_at = min(gpu.dispatch_at, now)


@engine
def warm(words: Any, first: int, last: int, is_dirty: int) -> None:
    """Fill L2 with sectors, the last ones where not all fit; dirty ones have yet to go to DRAM."""
    gpu = gpu_of(words)
    cache = gpu.l2
    for sector in range(first, last):
        local, slice_ = local_sector(gpu, sector), slice_of(gpu, sector)
        key = key_of(cache, quotient(local, cache.sectors))
        row = look_up(gpu, cache, slice_, key)
        if row < 0:
            row = victim_of(gpu, cache, slice_, key)
            bring_in(gpu, cache, slice_, key, row)
        else:
            use(gpu, cache, slice_, row)
        line_at(gpu, row).valid |= 1 << rest(local, cache.sectors)
        if is_dirty != 0:
            line_at(gpu, row).dirty |= 1 << rest(local, cache.sectors)


# A streaming multiprocessor: in each of its cycles every scheduler issues what it can.


@part
def step_sm(gpu: Any, sm: Any, now: int) -> None:
    """Move an SM through one cycle, and say when it has to be looked at next."""
    receive(gpu, sm, now)
    was_full = sm.lsu_count == gpu.lsu_queue_size
    serve(gpu, sm, now)
    has_room = was_full and sm.lsu_count < gpu.lsu_queue_size
    first = sm.number * gpu.schedulers_per_sm
    for number in range(first, first + gpu.schedulers_per_sm):
        scheduler = nth_scheduler(gpu, number)
        if has_room:
            scheduler.time = min(scheduler.time, now)
        if scheduler.time <= now:
            _schedule(gpu, sm, scheduler, now)
    soonest = sm.lsu_time
    for number in range(first, first + gpu.schedulers_per_sm):
        soonest = min(soonest, nth_scheduler(gpu, number).time)
    if sm.replies.first != NONE:
        soonest = min(soonest, request_at(gpu, sm.replies.first).time)
    sm.time = max(soonest, now + 1)


@part
def _schedule(gpu: Any, sm: Any, scheduler: Any, now: int) -> None:
    """Issue, on one scheduler, from the warp that its policy prefers among those that can."""
    if scheduler.free_tick // TICKS > now:
        scheduler.time = scheduler.free_tick // TICKS
        return
    chosen = choose_warp(gpu, sm, scheduler, now)
    if chosen == NONE:
        return
    scheduler.last = chosen
    sm.counts.issue_cycles += 1
    warp = warp_of(gpu, sm, scheduler, chosen)
    pipe = instruction_at(gpu, warp.row).pipe
    slots = issue(gpu, sm, scheduler, warp, now)
    ticks, issued = slots * gpu.issue_ticks, 1
    while slots == 1 and issued < gpu.issue_width:
        if not pairs_with(gpu, sm, scheduler, warp, pipe, now):
            break
        issue(gpu, sm, scheduler, warp, now)
        issued += 1
        ticks = max(ticks, issued * gpu.paired_issue_ticks)
    scheduler.free_tick = max(scheduler.free_tick, now * TICKS) + ticks
    scheduler.time = max(now + 1, scheduler.free_tick // TICKS)


# A DRAM channel's cycle: one column command at a time, and what it brings back to L2.


@part
def step_partition(gpu: Any, channel: Any, end: int) -> None:
    """Move a channel with its slices up to a cycle; in a cycle slices are before their channel."""
    first = channel.number * gpu.slices_per_channel
    while True:
        now = next_of(gpu, channel)
        if now >= end:
            break
        for number in range(first, first + gpu.slices_per_channel):
            slice_ = nth_slice(gpu, number)
            if slice_.time <= now:
                step_slice(gpu, slice_, now)
        if channel.time <= now:
            step_channel(gpu, channel, now)


@part
def next_of(gpu: Any, channel: Any) -> Any:
    """The next cycle at which a channel or one of its slices has anything to do."""
    time, first = channel.time, channel.number * gpu.slices_per_channel
    for number in range(first, first + gpu.slices_per_channel):
        time = min(time, nth_slice(gpu, number).time)
    return time


@part
def step_channel(gpu: Any, channel: Any, now: int) -> None:
    """Bring back what DRAM has read by now, and issue the next column command if it is time."""
    _bring_back(gpu, channel, now)
    first = channel.number * gpu.slices_per_channel
    while channel.next_command <= now:
        place = choose(gpu, channel, now)
        if place == NONE:
            break
        request = dram_request_at(gpu, place)
        time = issue_column(gpu, channel, request)
        take_out(gpu, channel, request)
        _under_way(gpu, channel, request)
        following = now if gpu.t_burst < TICKS else now + 1  # fast channels: several in a cycle
        channel.next_command = max(following, time // TICKS)
        for number in range(first, first + gpu.slices_per_channel):
            unstick(nth_slice(gpu, number), now + 1)
    soonest = NEVER
    if channel.first_back != NONE:
        soonest = dram_request_at(gpu, channel.first_back).time
    if channel.first != NONE:
        time = max(dram_request_at(gpu, channel.first).time, channel.next_command)
        soonest = min(soonest, time)
    channel.time = max(now + 1, soonest)


@part
def _under_way(gpu: Any, channel: Any, request: Any) -> None:
    """Queue a request whose command was issued behind those before it; writes are over."""
    if request.kind != REQUEST_LOAD and gpu.has_l2 != 0:
        free_request(gpu, request)
        return
    place = place_of(gpu, request)
    request.time = -(-channel.bus_tick // TICKS) + 1
    request.next = NONE
    if channel.first_back == NONE:
        channel.first_back = place
    else:
        dram_request_at(gpu, channel.last_back).next = place
    channel.last_back = place


@part
def _bring_back(gpu: Any, channel: Any, now: int) -> None:
    """Fill L2 with the data that have come, or answer the SM where there is no L2.

    What was read for the rest of a sector that is written back goes there with it.
    """
    while channel.first_back != NONE:
        request = dram_request_at(gpu, channel.first_back)
        if request.time > now:
            break
        channel.first_back = request.next
        if gpu.has_l2 != 0 and request.owner != NONE:
            sector = rest(request.sector, gpu.l2.sectors)
            fill(gpu, nth_slice(gpu, request.slice), request.owner, sector, now)
        elif gpu.has_l2 == 0 and request.kind != REQUEST_WRITE_BACK:
            reply(gpu, request_at(gpu, request.owner), request.slice, now)
        elif gpu.has_l2 == 0:
            written_back(gpu, request_at(gpu, request.owner))
        free_request(gpu, request)
