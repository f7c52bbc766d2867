"""Scheduling: CTAs onto SMs, and the warps of an SM onto issue slots."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_of
from warpmill.simulator.gpu.bits import LANES, lowest_bit, ready_at, soonest_at
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    ASYNC_GROUPS,
    BARRIERS,
    KIND_FREE,
    LAUNCH_DONE,
    LAUNCH_RUNS,
    LAUNCH_WAITS,
    NEVER,
    NONE,
    POLICY_GTO,
    POLICY_LRR,
    POLICY_TWO_LEVEL,
    SHARES,
    STALL,
    TICKS,
    WARP_NONE,
    WARP_RUNS,
)
from warpmill.simulator.gpu.issuing import can_issue, collector_of, pipe_of, record_stall, skip_free
from warpmill.simulator.gpu.records import (
    instruction_at,
    launch_at,
    nth_cta,
    nth_launch,
    nth_logged,
    nth_sm,
    nth_warp,
    scheduler_at,
)
from warpmill.simulator.gpu.warps import enter_next_block, fetched, next_ready, start_drain

# CTAs onto SMs: by their numbers, to each SM in turn that has room (breadth first).


@part
def step_dispatch(gpu: Any, now: int) -> Any:
    """Start CTAs of the launches that may run; gives whether traces are needed to go on.

    SMs that have gone on beyond this cycle, to the end of a CTA, take none yet.
    """
    gpu.dispatch_at = NEVER
    for number in range(gpu.launch_count):
        launch = nth_launch(gpu, number)
        _begin_if_possible(gpu, launch, now)
        if launch.state != LAUNCH_RUNS:
            continue
        while launch.next_cta < launch.ctas:
            if gpu.dispatch_free_tick >= (now + 1) * TICKS:
                gpu.dispatch_at = min(gpu.dispatch_at, gpu.dispatch_free_tick // TICKS)
                return False
            number_of_sm = _room_on(gpu, launch, now)
            if number_of_sm == NONE:
                break
            if launch.next_cta >= launch.loaded_ctas:
                gpu.needs_traces_of, gpu.dispatch_at = number, now
                return True
            _start(gpu, launch, nth_sm(gpu, number_of_sm), now)
            used = max(gpu.dispatch_free_tick, now * TICKS)
            gpu.dispatch_free_tick = used + gpu.cta_ticks
        if launch.next_cta < launch.ctas and _took_cta(gpu, now):
            gpu.dispatch_at = min(gpu.dispatch_at, now + 1)
    return False


@part
def _took_cta(gpu: Any, now: int) -> Any:
    """Whether an SM was given a CTA in this cycle, and may take another in the next."""
    for sm in range(gpu.sm_count):
        if nth_sm(gpu, sm).last_cta == now:
            return True
    return False


@part
def _begin_if_possible(gpu: Any, launch: Any, now: int) -> None:
    """Start a launch whose predecessor in its stream has ended."""
    if launch.state != LAUNCH_WAITS:
        return
    if launch.after != NONE and launch_at(gpu, launch.after).state != LAUNCH_DONE:
        return
    if launch.ready > now:
        gpu.dispatch_at = min(gpu.dispatch_at, launch.ready)
        return
    launch.state, launch.begin = LAUNCH_RUNS, now
    gpu.waiting_ctas += launch.ctas


@part
def _room_on(gpu: Any, launch: Any, now: int) -> Any:
    """The next SM in turn that has room for a CTA and was given none in this cycle."""
    for k in range(gpu.sm_count):
        number = (gpu.last_sm + 1 + k) % gpu.sm_count
        sm = nth_sm(gpu, number)
        if sm.last_cta == now or sm.ctas >= gpu.ctas_per_sm:
            continue
        if now <= sm.yield_time < NEVER:
            continue
        if sm.share + launch.share > SHARES:
            continue
        if sm.warps + launch.warps <= gpu.warps_per_sm:
            return number
    return NONE


@part
def _start(gpu: Any, launch: Any, sm: Any, now: int) -> None:
    """Start the next CTA of a launch on an SM that has room."""
    number, cta = launch.next_cta, _free_cta(gpu, sm)
    cta.launch, cta.number = place_of(gpu, launch), number
    cta.live_warps, cta.issued = launch.warps, 0
    for k in range(BARRIERS):
        cta.arrived[k], cta.awaited[k] = 0, 0
    if launch.log + number < gpu.logged_ctas:
        log = nth_logged(gpu, launch.log + number)
        log.launch, log.sm, log.begin = cta.launch, sm.number, now
        log.end = NEVER
    launch.next_cta += 1
    sm.ctas += 1
    sm.share += launch.share
    sm.warps += launch.warps
    sm.last_cta = now
    gpu.last_sm = sm.number
    gpu.waiting_ctas -= 1
    sm.counts.ctas += 1
    slot = sm.number * gpu.warps_per_sm
    for k in range(launch.warps):
        while nth_warp(gpu, slot).state != WARP_NONE:
            slot += 1
        events = launch.first_cta + 2 * (number * launch.warps + k)
        first, last = words_of(gpu)[events], words_of(gpu)[events + 1]
        _start_warp(gpu, sm, nth_warp(gpu, slot), cta, first, last, now)
    sm.time = min(sm.time, now + 1)


@part
def _free_cta(gpu: Any, sm: Any) -> Any:
    """The first free record of a CTA on an SM."""
    number = sm.number * gpu.ctas_per_sm
    while nth_cta(gpu, number).launch != NONE:
        number += 1
    return nth_cta(gpu, number)


@part
def _start_warp(gpu: Any, sm: Any, warp: Any, cta: Any, first: int, last: int, now: int) -> None:
    """Start a warp with its first event, later where its CTA takes the place of another."""
    warp.state, warp.cta = WARP_RUNS, place_of(gpu, cta)
    _to_youngest(gpu, warp)
    warp.event, warp.last_event = first, last
    warp.loads, warp.stores, warp.issued = 0, 0, 0
    warp.copies, warp.copy_groups, warp.alias_count = 0, 0, 0
    warp.last_issue, warp.begin, warp.held_until = now, now, 0
    warp.active = 0
    for k in range(ASYNC_GROUPS):
        warp.copies_of_group[k] = 0
    for k in range(warp.registers, warp.registers + gpu.registers_per_warp):
        words_of(gpu)[k] = 0
    if not enter_next_block(gpu, warp):
        start_drain(gpu, warp, NONE, now)
        return
    follows = launch_at(gpu, cta.launch).done_ctas > 0
    floor = now + max(gpu.start_cycles, gpu.cta_turnaround_cycles if follows else 0)
    floor = fetched(gpu, sm, warp, instruction_at(gpu, warp.row).line, floor)
    next_ready(gpu, warp, floor, STALL.no_instruction)


# A warp scheduler: its policy ranks the warps that are ready; the first that units take goes.


@part
def choose_warp(gpu: Any, sm: Any, scheduler: Any, now: int) -> Any:
    """Choose a warp of a scheduler by its place among them; NONE, and the next time to look.

    The policy ranks the warps that are ready; the first whose instruction units take is chosen.
    """
    words, times = words_of(gpu), scheduler.ready
    if gpu.scheduler_policy == POLICY_TWO_LEVEL:
        _claim_places(gpu, sm, scheduler, now)
    free = words[collector_of(gpu, scheduler)]
    if free > now * TICKS:
        scheduler.time = -(-free // TICKS)
        _hold_first(gpu, sm, scheduler, now)
        return NONE
    slots, policy, soonest = gpu.slots_per_scheduler, gpu.scheduler_policy, NEVER
    turn = _next_turn(gpu, scheduler, 0, now)
    while turn != NONE:
        chosen = _place_at(gpu, scheduler, turn)
        warp = warp_of(gpu, sm, scheduler, chosen)
        if policy != POLICY_TWO_LEVEL or (warp.active == 1) == (turn < slots):
            if instruction_at(gpu, warp.row).kind == KIND_FREE:
                skip_free(gpu, sm, warp, now)
            if words[times + chosen] <= now:
                when = can_issue(gpu, sm, scheduler, warp, now)
                if when <= now:
                    return chosen
                soonest = min(soonest, when)
        turn = _next_turn(gpu, scheduler, turn + 1, now)
    scheduler.time = min(soonest, _next_ready_time(gpu, scheduler, now))
    return NONE


# A policy looks at the warps of a scheduler in turns. Loose round-robin looks at the next ones in a
# circle; two-level at those of them that are active, then at the others; greedy-then-oldest at the
# last one, then at all by age.


@part
def _next_turn(gpu: Any, scheduler: Any, turn: int, now: int) -> Any:
    """The first turn from one on in which a policy looks at a warp that is ready; NONE: no more."""
    slots, last = gpu.slots_per_scheduler, scheduler.last
    if gpu.scheduler_policy == POLICY_GTO:
        words, times = words_of(gpu), scheduler.ready
        if turn == 0 and last != NONE and words[times + last] <= now:
            return 0
        for k in range(max(turn, 1), slots + 1):
            place = words[scheduler.order + k - 1]
            if words[times + place] <= now and place != last:
                return k
        return NONE
    if turn < slots:
        found = _next_in_circle(gpu, scheduler, turn, now)
        if found != NONE or gpu.scheduler_policy == POLICY_LRR:
            return found
        turn = slots
    found = _next_in_circle(gpu, scheduler, turn - slots, now)
    return found if found == NONE else found + slots


@part
def _next_in_circle(gpu: Any, scheduler: Any, turn: int, now: int) -> Any:
    """The first turn from one on in which the next ones in a circle have one that is ready."""
    slots, next_ = gpu.slots_per_scheduler, scheduler.last + 1
    if next_ + turn < slots:
        place = _first_ready(gpu, scheduler, next_ + turn, slots, now)
        if place < slots:
            return place - next_
        turn = slots - next_
    place = _first_ready(gpu, scheduler, next_ + turn - slots, next_, now)
    return place - next_ + slots if place < next_ else NONE


@part
def _first_ready(gpu: Any, scheduler: Any, place: int, end: int, now: int) -> Any:
    """The first of a scheduler's warps from a place to before ``end`` that is ready, or ``end``."""
    first, before = place // LANES * LANES, place % LANES
    while first < end:
        ready = ready_at(gpu, scheduler.ready + first, now) >> before << before
        if ready != 0:
            return min(first + lowest_bit(ready), end)
        first, before = first + LANES, 0
    return end


@part
def _next_ready_time(gpu: Any, scheduler: Any, now: int) -> Any:
    """The next time at which one of a scheduler's warps is ready."""
    first, soonest = scheduler.ready, NEVER
    for place in range(first, first + gpu.slots_per_scheduler, LANES):
        soonest = min(soonest, soonest_at(gpu, place, now))
    return soonest


@part
def warp_of(gpu: Any, sm: Any, scheduler: Any, place: int) -> Any:
    """A warp of a scheduler by its place among these: warps go round the schedulers."""
    slot = place * gpu.schedulers_per_sm + scheduler.number
    return nth_warp(gpu, sm.number * gpu.warps_per_sm + slot)


@part
def _place_at(gpu: Any, scheduler: Any, turn: int) -> Any:
    """The place among a scheduler's warps of the one that a policy looks at in a turn."""
    if gpu.scheduler_policy == POLICY_GTO:
        return scheduler.last if turn == 0 else words_of(gpu)[scheduler.order + turn - 1]
    place = scheduler.last + 1 + turn
    while place >= gpu.slots_per_scheduler:
        place -= gpu.slots_per_scheduler
    return place


@part
def _to_youngest(gpu: Any, warp: Any) -> None:
    """Put a warp behind all others of its scheduler, in their order by age."""
    words, first = words_of(gpu), scheduler_at(gpu, warp.scheduler).order
    place, last = warp.slot // gpu.schedulers_per_sm, first + gpu.slots_per_scheduler - 1
    while words[first] != place:
        first += 1
    while first < last:
        words[first] = words[first + 1]
        first += 1
    words[last] = place


@part
def _hold_first(gpu: Any, sm: Any, scheduler: Any, now: int) -> None:
    """Note of the warp that would be next that full collectors hold it up."""
    turn = _next_turn(gpu, scheduler, 0, now)
    while turn != NONE:
        warp = warp_of(gpu, sm, scheduler, _place_at(gpu, scheduler, turn))
        active = turn < gpu.slots_per_scheduler
        if gpu.scheduler_policy != POLICY_TWO_LEVEL or (warp.active == 1) == active:
            _hold(gpu, scheduler, warp, now)
            return
        turn = _next_turn(gpu, scheduler, turn + 1, now)


@part
def _hold(gpu: Any, scheduler: Any, warp: Any, now: int) -> None:
    """Note of a warp that full collectors hold it up."""
    words = words_of(gpu)
    instruction, reason = instruction_at(gpu, warp.row), STALL.dispatch_stall
    if instruction.pipe >= 0 and words[pipe_of(gpu, scheduler, instruction, now)] > now * TICKS:
        reason = STALL.math_pipe_throttle
    record_stall(warp, scheduler.time, reason, now)


@part
def _claim_places(gpu: Any, sm: Any, scheduler: Any, now: int) -> None:
    """Assign the free places among the active warps to those that are ready.

    That is done before warps are ranked, so that ranks stay while one after another is tried.
    """
    for place in range(gpu.slots_per_scheduler):
        if words_of(gpu)[scheduler.ready + place] <= now:
            warp = warp_of(gpu, sm, scheduler, place)
            if warp.active == 0:
                _claim_place(gpu, sm, scheduler, warp)


@part
def _claim_place(gpu: Any, sm: Any, scheduler: Any, warp: Any) -> None:
    """Make a warp an active one if there is a place.

    A place is free where an active warp has ended or waits for memory, barriers or fences.
    """
    active = 0
    slots = (
        gpu.warps_per_sm - scheduler.number + gpu.schedulers_per_sm - 1
    ) // gpu.schedulers_per_sm
    for place in range(slots):
        other = warp_of(gpu, sm, scheduler, place)
        if other.active == 1:
            if other.state == WARP_RUNS and words_of(gpu)[other.ready] < NEVER:
                active += 1
            else:
                other.active = 0
    if active < gpu.active_warps:
        warp.active = 1
