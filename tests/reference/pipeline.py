"""The estimate's pipeline as plain Python: slow, obvious, one object a warp.

It shares nothing with the engine but the form of its input and the names of its reasons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

LEVELS = ("arithmetic", "shared", "constant", "l1", "l2", "dram")
SERVERS = ("lsu", "shared", "l1", "l2", "dram", "atomic")
QUEUES = {s: f"{s}_bandwidth" for s in SERVERS} | {"lsu": "lsu", "atomic": "l2_atomics"}
LEAVES_SM = ("l2", "dram")


@dataclass(eq=False)
class Warp:
    """A warp: the operations that are left, and when its registers are ready, and why then.

    ``next`` is None where it has ended, or will have when the barrier lets it go; ``previous`` is
    the operation before.
    """

    place: int
    part: int
    cta: int
    operations: Iterator[tuple[int, Any]]
    in_order: float
    next: tuple[int, Any] | None = None
    previous: int = -1
    ready: dict[int, tuple[float, str]] = field(default_factory=dict)
    waits: bool = False


@dataclass
class Done:
    """What a run came to."""

    cycles: float = 0.0
    operations: int = 0
    waits: Counter[str] = field(default_factory=Counter)
    pipe_waits: Counter[int] = field(default_factory=Counter)
    pipe_busy: Counter[int] = field(default_factory=Counter)
    server_busy: Counter[str] = field(default_factory=Counter)
    issue_busy: float = 0.0
    operation_cycles: Counter[int] = field(default_factory=Counter)
    ends: dict[int, float] = field(default_factory=dict)


def operations_of(code: Any, work: Any, warp: int) -> Iterator[tuple[int, Any]]:
    """Unfold what a warp does: an operation with its row of costs, where it has an access."""
    for event in range(work.warp_events[warp], work.warp_events[warp + 1]):
        block = work.event_block[event]
        accesses = list(range(work.event_access[event], work.event_access[event + 1]))
        for op in range(code.first[block], code.first[block + 1]):
            mine = bool(code.memory[op] and accesses and work.access_op[accesses[0]] == op)
            yield op, work.cost[accesses.pop(0)] if mine else None


class Sm:
    """An SM on which CTAs run; ``simulate`` drives it."""

    def __init__(self, code: Any, work: Any, scalars: Any) -> None:
        self.code, self.work, self.scalars = code, work, scalars
        self.ctas = (len(work.warp_events) - 1) // scalars.warps_per_cta
        self.places: list[list[Warp]] = [[] for _ in range(min(scalars.resident, self.ctas))]
        self.free_from = [0.0] * len(self.places)
        self.arrivals = [0.0] * len(self.places)
        self.parts: list[list[Warp]] = [[] for _ in range(scalars.subpartitions)]
        self.last: list[Warp | None] = [None] * scalars.subpartitions
        self.issue_free = [0.0] * scalars.subpartitions
        self.pipe_free: dict[tuple[int, int], float] = {}
        self.server_free = dict.fromkeys(SERVERS, 0.0)
        self.queues = [[0.0] * scalars.queue for _ in self.parts]
        self.under_way = [0.0] * scalars.in_flight
        self.answered: dict[int, float] = {}
        self.begun = 0
        self.done = Done()

    def start(self) -> None:
        """Put the next CTAs into the places that have none."""
        for place, warps in enumerate(self.places):
            if warps or self.begun == self.ctas:
                continue
            self.arrivals[place] = 0.0
            for k in range(self.scalars.warps_per_cta):
                number = self.begun * self.scalars.warps_per_cta + k
                part = (place * self.scalars.warps_per_cta + k) % len(self.parts)
                todo = operations_of(self.code, self.work, number)
                warp = Warp(place, part, self.begun, todo, self.free_from[place])
                warp.next = next(warp.operations)
                warps.append(warp)
                self.parts[part].append(warp)
            self.begun += 1

    def operands(self, warp: Warp) -> tuple[float, str]:
        """When the next operation has its operands, and what they waited for."""
        code, (op, _) = self.code, warp.next or (0, None)
        found = (0.0, "issue")
        for register in code.sources[code.source[op] : code.source[op + 1]]:
            one = warp.ready.get(int(register), (0.0, "issue"))
            found = one if one[0] > found[0] else found
        return found

    def pipes(self, op: int) -> list[tuple[int, float]]:
        """List the pipes that an operation holds, with the cycles of each."""
        code = self.code
        both = ((code.pipe[op], code.pipe_cycles[op]), (code.second[op], code.second_cycles[op]))
        issues = code.issue_cycles[op] > 0
        return [(int(pipe), cycles) for pipe, cycles in both if pipe >= 0 and issues]

    def place(self, warp: Warp, pipe: int) -> tuple[int, int]:
        """Which pipe of a kind a warp uses: that of its part, or the only one."""
        return (-1 if self.code.of_sm[pipe] else warp.part), pipe

    def earliest(self, warp: Warp) -> float:
        """When the next operation of a warp can go."""
        assert warp.next is not None
        (op, row), times = warp.next, [warp.in_order, self.operands(warp)[0]]
        if self.code.issue_cycles[op] > 0:
            times.append(self.issue_free[warp.part])
        times += [self.pipe_free.get(self.place(warp, pipe), 0.0) for pipe, _ in self.pipes(op)]
        if row is not None:
            times.append(self.queues[warp.part][0])
        return max(times)

    def in_turn(self, part: int) -> list[Warp]:
        """List the warps of a part in the order in which they are asked.

        Greedy: the one that issued last, then the oldest; else those after the last one in turn.
        Warps that have ended keep their places, so that those after them stay the next ones.
        """
        warps, last = self.parts[part], self.last[part]
        place = -1 if last is None else warps.index(last)
        before, own, after = warps[: max(0, place)], warps[place : place + 1], warps[place + 1 :]
        order = [*own, *before, *after] if self.scalars.greedy else [*after, *before, *own]
        return [w for w in order if w.next is not None and not w.waits]

    def choose(self, first: int) -> tuple[float, Warp] | None:
        """Find the earliest operation: of equal ones that of the part, then the warp, in turn."""
        parts = [(first + k) % len(self.parts) for k in range(len(self.parts))]
        found = [(self.earliest(w), w) for part in parts for w in self.in_turn(part)]
        return min(found, key=lambda one: one[0], default=None)

    def issue(self, now: float, warp: Warp) -> None:
        """Let the next operation of a warp go."""
        assert warp.next is not None
        (op, row), code, done = warp.next, self.code, self.done
        self.book(now, warp)
        if code.issue_cycles[op] > 0:
            done.operations += 1
            done.issue_busy += code.issue_cycles[op]
            self.issue_free[warp.part] = now + code.issue_cycles[op]
        for pipe, cycles in self.pipes(op):
            self.pipe_free[self.place(warp, pipe)] = now + cycles
            done.pipe_busy[pipe] += cycles * (len(self.parts) if self.code.of_sm[pipe] else 1)
        result, why = now + code.latency[op], "arithmetic_latency"
        if row is not None:
            result, why = self.access(now, warp.part, row)
        written = [int(r) for r in code.targets[code.target[op] : code.target[op + 1]]]
        warp.ready |= dict.fromkeys(written, (result, why))
        held = [now + cycles for _, cycles in self.pipes(op)]
        done.cycles = max(done.cycles, *([result, *held] if written else [0.0]))
        begun, warp.in_order = warp.in_order, now + code.issue_cycles[op]
        if self.scalars.blocking and result > warp.in_order:
            done.waits[why] += result - warp.in_order
            warp.in_order = result
        done.operation_cycles[op] += warp.in_order - begun
        self.last[warp.part] = warp
        self.step(now, warp)

    def book(self, now: float, warp: Warp) -> None:
        """What a warp has waited for: first its operands, then what it shares with others."""
        assert warp.next is not None
        (op, row), waits = warp.next, self.done.waits
        operands, why = self.operands(warp)
        can_go = max(warp.in_order, operands)
        waits[why] += can_go - warp.in_order
        if now > can_go and self.issue_free[warp.part] >= now:
            waits["not_selected"] += now - can_go
        elif now > can_go and row is not None and self.queues[warp.part][0] >= now:
            waits[QUEUES["lsu"]] += now - can_go
        elif now > can_go:
            waits["math_pipe_throttle"] += now - can_go
            held = {p: self.pipe_free.get(self.place(warp, p), 0) for p, _ in self.pipes(op)}
            late = [p for p in held if held[p] >= now]
            self.done.pipe_waits[late[-1]] += now - can_go

    def access(self, now: float, part: int, row: Any) -> tuple[float, str]:
        """When the result of an access is there, and what was the longer part of it."""
        *held, latency, level, group = row
        name, found = LEVELS[int(level)], self.answered.get(int(group))
        if found is not None:
            latency = self.scalars.hit_cycles
        is_counted = name in LEAVES_SM and self.under_way
        begin = max(now, self.under_way[0]) if is_counted else now
        if held[0] > 0:
            begin = self.through_unit(begin, part, held[0])
        served, why = begin, "imc_miss" if name == "constant" else f"{name}_latency"
        for server, cycles in zip(SERVERS[1:], held[1:], strict=True):
            if cycles > 0:
                self.server_free[server] = max(self.server_free[server], begin) + cycles
                self.done.server_busy[server] += cycles
                if self.server_free[server] > served:
                    served = self.server_free[server]
                    why = QUEUES[server] if served - now > latency else why
        done = served + latency
        if found is not None and found > done:
            done, why = found, "imc_miss" if name == "constant" else f"{name}_latency"
        elif found is not None and why not in QUEUES.values():
            why = "l1_latency"
        elif found is None and group >= 0:
            self.answered[int(group)] = done
        if is_counted:
            self.under_way = [*self.under_way[1:], done]
        return done, why

    def through_unit(self, begin: float, part: int, cycles: float) -> float:
        """When the load-store unit takes an access, which then leaves its part's queue."""
        begin = max(begin, self.server_free["lsu"])
        self.server_free["lsu"] = begin + cycles
        self.done.server_busy["lsu"] += cycles
        self.queues[part] = [*self.queues[part][1:], begin]
        return begin

    def step(self, now: float, warp: Warp) -> None:
        """Go on to the warp's next operation; it may stand at a barrier, or have ended."""
        assert warp.next is not None
        warp.previous, warp.next = warp.next[0], next(warp.operations, None)
        if self.code.barrier[warp.previous]:
            warp.waits = True
            self.arrivals[warp.place] = max(self.arrivals[warp.place], now)
            self.release(warp.place)
        elif warp.next is None:
            self.end(warp)

    def release(self, place: int) -> None:
        """Let a CTA go on whose living warps all stand at the barrier."""
        living = list(self.places[place])
        if not living or not all(w.waits for w in living):
            return
        released = self.arrivals[place] + self.scalars.barrier_cycles
        for warp in living:
            waited = released - warp.in_order
            self.done.waits["barrier"] += waited
            self.done.operation_cycles[warp.previous] += waited
            warp.in_order, warp.waits = released, False
        self.arrivals[place] = 0.0
        for warp in living:
            if warp.next is None:
                self.end(warp)

    def end(self, warp: Warp) -> None:
        """Take a warp away; with the last one its CTA ends."""
        own = self.places[warp.place]
        own.remove(warp)
        ends = self.done.ends
        ends[warp.cta] = max(ends.get(warp.cta, 0.0), warp.in_order)
        self.arrivals[warp.place] = max(self.arrivals[warp.place], warp.in_order)
        if own:
            self.release(warp.place)
        else:
            self.free_from[warp.place] = ends[warp.cta] + self.scalars.start_cycles


def simulate(code: Any, work: Any, scalars: Any) -> Done:
    """Run all warps to their ends."""
    sm, first = Sm(code, work, scalars), 0
    sm.start()
    while (chosen := sm.choose(first)) is not None:
        now, warp = chosen
        first = (warp.part + 1) % scalars.subpartitions
        sm.issue(now, warp)
        sm.start()
    ends = sm.done.ends.values()
    sm.done.cycles = max(sm.done.cycles, *ends, *sm.server_free.values())
    return sm.done
