"""What threads of a CTA know of each other: barriers, barrier objects, waits for copies.

Callbacks of racecheck. An event makes what threads know greater; what they do after it has a later
time than what they did before.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from warpmill.executor.native.segments import ENDED, WAITING, WARP
from warpmill.executor.sanitizers.callbacks import callback, part
from warpmill.executor.sanitizers.log import run_at, watch_at
from warpmill.executor.sanitizers.race_records import (
    AGENTS,
    GROUPS,
    MOST_OBJECTS,
    OBJECT_BYTES,
    cta_at,
    object_at,
    races_at,
    words_at,
)
from warpmill.executor.sanitizers.race_releases import join_all, joined, pass_fence

_STATUS, _BARRIER = WARP["status"] // 8, WARP["barrier"] // 8
_MASK, _ALIVE = WARP["mask"] // 8, WARP["alive"] // 8


@part
def begun(run: Any) -> Any:
    """What is kept of the CTA that runs; it begins where it has not."""
    cta = cta_at(run.cta_races)
    if cta.cta != run.cta:
        races = races_at(watch_at(run.sanitizer).races)
        cta.cta = run.cta
        for k in range(cta.object_count):
            _clear_object(cta, object_at(cta.objects + k * OBJECT_BYTES))
        cta.object_count = 0
        _forget(cta)
        for k in range(cta.threads):
            words_at(cta.groups)[k * (1 + GROUPS)] = 0
            words_at(cta.bulk_groups)[k * (1 + GROUPS)] = 0
            words_at(cta.nodes)[k] = 0
            words_at(cta.unread)[k] = 0
            words_at(cta.unread_own)[k] = 0
            words_at(cta.fenced)[k] = 0
            words_at(cta.fenced_cta)[k] = 0
            words_at(cta.fenced_proxy)[k] = 0
        for k in range(AGENTS * cta.threads):
            words_at(cta.waited)[k] = races.now
            words_at(cta.begun)[k] = 0
            words_at(cta.copies_known)[k] = races.now
        cta.floor = cta.copy_floor = races.now
        races.now += 1
    return cta


@part
def _forget(cta: Any) -> None:
    """Give all rows back: all threads know the same."""
    free = cta.free_count
    total = cta.threads + 17 + 2 * MOST_OBJECTS + 1
    if free == total:
        return
    for k in range(cta.threads):
        give(cta, k, 0)
    for number in range(17):
        _release(cta, words_at(cta.barrier_rows)[number])
        words_at(cta.barrier_rows)[number] = 0


# Rows.


@part
def words_of(cta: Any, row: int) -> Any:
    """The words of a row."""
    return words_at(cta.pool + row * 8 * (1 + AGENTS) * cta.threads)


@part
def take(cta: Any) -> int:
    """A row in which nobody is known."""
    cta.free_count -= 1
    row: int = words_at(cta.free)[cta.free_count]
    words = words_of(cta, row)
    for k in range((1 + AGENTS) * cta.threads):
        words[k] = 0
    words_at(cta.uses)[row] = 1
    words_at(cta.row_nodes)[row] = 0
    return row


@part
def _release(cta: Any, row: int) -> None:
    """Give a row back, as far as one has it."""
    if row:
        uses = words_at(cta.uses)
        uses[row] -= 1
        if not uses[row]:
            words_at(cta.free)[cta.free_count] = row
            cta.free_count += 1


@part
def give(cta: Any, thread: int, row: int) -> None:
    """Let a thread know what is in a row, in place of its own."""
    rows = words_at(cta.rows)
    old = rows[thread]
    if row:
        words_at(cta.uses)[row] += 1
    rows[thread] = row
    _release(cta, old)


@part
def _add(races: Any, cta: Any, row: int, other: int) -> None:
    """Add what is in another row."""
    if other:
        nodes = words_at(cta.row_nodes)
        nodes[row] = joined(races, nodes[row], nodes[other])
        words, more = words_of(cta, row), words_of(cta, other)
        for k in range((1 + AGENTS) * cta.threads):
            words[k] = max(words[k], more[k])


@part
def _add_warp(races: Any, run: Any, cta: Any, row: int, warp: int, bits: int) -> None:
    """Add what lanes of a warp know, and have done until now."""
    words = words_of(cta, row)
    rows, waited, nodes = words_at(cta.rows), words_at(cta.waited), words_at(cta.row_nodes)
    first = warp * run.lanes
    last = 0
    for lane in range(run.lanes):
        thread = first + lane
        floor = words_at(cta.warp_floors)[warp]
        words[thread] = max(words[thread], floor)
        if bits >> lane & 1:
            if rows[thread] != last:
                last = rows[thread]
                _add(races, cta, row, last)
            nodes[row] = joined(races, nodes[row], words_at(cta.nodes)[thread])
            words[thread] = races.now
            for agent in range(AGENTS):
                number = agent * cta.threads + thread
                words[cta.threads + number] = max(words[cta.threads + number], waited[number])


# Barriers.


@callback("warpmill.race.barrier")
def barrier(ctx: int, number: int) -> None:
    """A barrier is passed by the warps that wait there: each knows what all did."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    here, others = 0, 0
    for warp in range(run.warp_count):
        fields = words_at(run.warps + warp * run.record_bytes)
        if fields[_STATUS] == WAITING and fields[_BARRIER] == number:
            here += 1
        elif fields[_STATUS] != ENDED:
            others += 1
    if not others:
        _meet_all(races, cta)
    else:
        row = words_at(cta.barrier_rows)[number]
        words_at(cta.barrier_rows)[number] = 0
        if not row:
            row = take(cta)
        for second in range(2):
            for warp in range(run.warp_count):
                fields = words_at(run.warps + warp * run.record_bytes)
                if fields[_STATUS] == WAITING and fields[_BARRIER] == number:
                    if second:
                        _hand_out(races, run, cta, row, warp, fields[_MASK])
                    else:
                        _add_warp(races, run, cta, row, warp, fields[_MASK])
        _release(cta, row)
    races.now += 1


@part
def _hand_out(races: Any, run: Any, cta: Any, row: int, warp: int, bits: int) -> None:
    """Let lanes of a warp know what is in a row."""
    for lane in range(run.lanes):
        if bits >> lane & 1:
            give(cta, warp * run.lanes + lane, row)
            _learn(races, cta, warp * run.lanes + lane, row)


@part
def _learn(races: Any, cta: Any, thread: int, row: int) -> None:
    """Let a thread know what was acquired by those who made a row."""
    nodes = words_at(cta.nodes)
    nodes[thread] = joined(races, nodes[thread], words_at(cta.row_nodes)[row])


@part
def _meet_all(races: Any, cta: Any) -> None:
    """Let all threads know what all did, and the copies that each has waited for."""
    cta.floor = races.now
    cta.copy_floor = races.now
    if races.has_copies:
        _learn_copies(races, cta)
    if races.syncs:
        join_all(races, cta)
    _forget(cta)


@part
def _learn_copies(races: Any, cta: Any) -> None:
    """Let all threads know the copies that any of them knows to be done."""
    waited, last = words_at(cta.waited), words_at(cta.begun)
    known, rows = words_at(cta.copies_known), words_at(cta.rows)
    done = 0
    for thread in range(cta.threads):
        if rows[thread] != done:
            done = rows[thread]
            more = words_of(cta, done) if done else known
            for k in range(AGENTS * cta.threads if done else 0):
                known[k] = max(known[k], more[cta.threads + k])
    for k in range(AGENTS * cta.threads):
        known[k] = max(known[k], waited[k])
        if known[k] >= last[k]:
            known[k] = races.now
        else:
            cta.copy_floor = min(cta.copy_floor, known[k])


@part
def _clear_object(cta: Any, found: Any) -> None:
    _release(cta, found.arrived)
    _release(cta, found.passed)
    found.arrived, found.passed = 0, 0


@callback("warpmill.race.arrive")
def arrive(ctx: int, number: int, bits: int) -> None:
    """A warp arrives at a barrier and does not wait."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    rows = words_at(cta.barrier_rows)
    if not rows[number]:
        rows[number] = take(cta)
    _add_warp(races, run, cta, rows[number], run.warp, bits)
    races.now += 1


@callback("warpmill.race.warp_barrier")
def warp_barrier(ctx: int, masks: int, bits: int) -> None:
    """Lanes of a warp meet: those that name the same lanes."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    alive = words_at(run.warps + run.warp * run.record_bytes)[_ALIVE]
    left = bits
    while left:
        low = 0
        while not left >> low & 1:
            low += 1
        wanted = words_at(masks)[low]
        here = 0
        for lane in range(low, run.lanes):
            if left >> lane & 1 and words_at(masks)[lane] == wanted:
                here |= 1 << lane
        left &= ~here
        if wanted & alive & ~here:
            races.parted = 1
            races.lockstep = 1
        here &= wanted
        if here:
            _meet_lanes(races, run, cta, here, here == alive)
    races.now += 1


@part
def _meet_lanes(races: Any, run: Any, cta: Any, bits: int, all_of_it: bool) -> None:
    """Let lanes of the warp that runs know what each of them knows and did."""
    rows = words_at(cta.rows)
    first = run.warp * run.lanes
    if all_of_it:
        same = True
        one, low = -1, 0
        while not bits >> low & 1:
            low += 1
        for lane in range(run.lanes):
            if bits >> lane & 1:
                one = rows[first + lane] if one < 0 else one
                same &= rows[first + lane] == one
                same &= words_at(cta.nodes)[first + lane] == words_at(cta.nodes)[first + low]
                for agent in range(AGENTS):
                    number = agent * cta.threads + first + lane
                    known = words_at(cta.copies_known)[number]
                    same &= words_at(cta.begun)[number] <= known
        if same:
            words_at(cta.warp_floors)[run.warp] = races.now
            return
    row = take(cta)
    _add_warp(races, run, cta, row, run.warp, bits)
    _hand_out(races, run, cta, row, run.warp, bits)
    _release(cta, row)


@callback("warpmill.race.fence")
def fence(ctx: int, bits: int, is_narrow: int) -> None:
    """Lanes pass a fence, for their CTA alone or for more."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    for lane in range(run.lanes):
        if bits >> lane & 1:
            pass_fence(races, cta, run.warp * run.lanes + lane, is_narrow)
    races.now += 1


@callback("warpmill.race.proxy_fence")
def proxy_fence(ctx: int, bits: int) -> None:
    """Lanes pass a fence between the generic and the asynchronous proxy."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    for lane in range(run.lanes):
        if bits >> lane & 1:
            words_at(cta.fenced_proxy)[run.warp * run.lanes + lane] = races.now
    races.now += 1


# Barrier objects.


@part
def _object_of(races: Any, cta: Any, place: int) -> Any:
    """What is kept of the barrier object at a host address; the last is one for all beyond it."""
    for k in range(cta.object_count):
        found = object_at(cta.objects + k * OBJECT_BYTES)
        if found.place == place:
            return found
    if cta.object_count == MOST_OBJECTS:
        races.within = 0
        return object_at(cta.objects)
    found = object_at(cta.objects + cta.object_count * OBJECT_BYTES)
    cta.object_count += 1
    found.place, found.arrived, found.passed = place, 0, 0
    return found


@callback("warpmill.race.object")
def object_changes(ctx: int, place: int, lane: int, kind: int, ends: int) -> None:
    """A lane changes a barrier object, of which a phase may end.

    ``kind`` 1 arrives, 2 is for copies that are done, 3 makes it.
    """
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    found = _object_of(races, cta, place)
    thread = run.warp * run.lanes + lane
    if kind == 3:
        _clear_object(cta, found)
        return
    if kind and not found.arrived:
        found.arrived = take(cta)
    if kind == 1:
        _add_warp(races, run, cta, found.arrived, run.warp, 1 << lane)
    elif kind == 2:
        words_of(cta, found.arrived)[cta.threads + thread] = races.now
    if ends:
        if not found.passed:
            found.passed = found.arrived
        else:
            _add(races, cta, found.passed, found.arrived)
            _release(cta, found.arrived)
        found.arrived = 0
    races.now += 1


@callback("warpmill.race.waited")
def object_waited(ctx: int, places: int, bits: int) -> None:
    """Lanes have seen a phase of barrier objects end, each of one at a host address."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    left = bits
    while left:
        low = 0
        while not left >> low & 1:
            low += 1
        thread = run.warp * run.lanes + low
        place, own = words_at(places)[low], words_at(cta.rows)[thread]
        passed = _object_of(races, cta, place).passed
        row = 0
        if passed:
            row = take(cta)
            _add(races, cta, row, own)
            _add(races, cta, row, passed)
        for lane in range(low, run.lanes):
            thread = run.warp * run.lanes + lane
            alike = words_at(places)[lane] == place and words_at(cta.rows)[thread] == own
            if left >> lane & 1 and (alike or lane == low):
                left &= ~(1 << lane)
                if passed:
                    give(cta, thread, row)
                    _learn(races, cta, thread, row)
        _release(cta, row)


# Copies.


@callback("warpmill.race.commit")
def commit(ctx: int, bits: int, bulk: int) -> None:
    """Lanes end a group of copies."""
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    groups = words_at(cta.bulk_groups if bulk else cta.groups)
    for lane in range(run.lanes):
        if bits >> lane & 1:
            own = (run.warp * run.lanes + lane) * (1 + GROUPS)
            groups[own + 1 + groups[own] % GROUPS] = races.now
            groups[own] += 1
    races.now += 1


@callback("warpmill.race.wait_copies")
def wait_copies(ctx: int, bits: int, most: int, bulk: int) -> None:
    """Lanes wait until so many groups of copies are under way at most; -1: until none is.

    ``bulk`` 1 are bulk copies, 2 the reads of these.
    """
    run: Any = run_at(ctx)
    races = races_at(watch_at(run.sanitizer).races)
    cta = begun(run)
    groups, waited = words_at(cta.bulk_groups if bulk else cta.groups), words_at(cta.waited)
    for lane in range(run.lanes):
        if bits >> lane & 1:
            thread = run.warp * run.lanes + lane
            own = thread * (1 + GROUPS)
            time = 0
            if most < 0:
                time = races.now
            elif most < GROUPS and groups[own] > most:
                time = groups[own + 1 + (groups[own] - 1 - most) % GROUPS]
            for agent in range(AGENTS):
                is_meant = agent > 0 if bulk == 1 else agent == 0 if bulk == 0 else agent == 1
                if is_meant:
                    number = agent * cta.threads + thread
                    waited[number] = max(waited[number], time)
    races.now += 1
