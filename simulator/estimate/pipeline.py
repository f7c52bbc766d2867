"""The instruction pipeline of one SM, event by event, in numba (hybrid paper, §IV-B).

Warps consume the operations of their traces in order. An operation waits for its operands, for an
issue slot of its sub-partition, for its pipe, and, where it touches memory, for the servers that
carry its bytes; each is held for a fixed delay, and the result comes after the latency. Time jumps
to the earliest operation that can go. Barriers release a CTA when its last warp has arrived.

Everything jitted stands in this file: numba's cache does not see changes in another one. It is one
function over local arrays: handing a tuple of arrays to functions made it twelve times slower,
as numba counts references to each array at each call.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.jit import jit

VISIT, LOOP, END, GROWING = 0, 1, 2, 3
"""Words of a trace program: run a visit, begin a repetition (count), jump back to its start; begin
a repetition whose count grows with those around (a row of ``growing``)."""

SERVERS = ("l1", "l2", "dram", "shared")
"""What carries bytes, shared by the whole SM."""

REASONS = ("issue", "pipe", "arithmetic", "memory", "barrier", "server")
"""Why an operation waited: for an issue slot, a pipe, a result of arithmetic or of memory, ..."""

MAX_DEPTH = 32
"""Repetitions that may nest."""


class Code(NamedTuple):
    """The kernel's operations, block by block.

    ``first`` has one entry a block and one more; ``pipe`` is -1 for operations without one;
    ``memory`` numbers the memory operations within the block, -1 for others. Source and
    destination registers of operation i are ``regs[source[i]:source[i+1]]`` and so on.
    """

    first: NDArray[np.int32]
    pipe: NDArray[np.int32]
    pipe_cycles: NDArray[np.float64]
    issue_cycles: NDArray[np.float64]
    latency: NDArray[np.float64]
    memory: NDArray[np.int32]
    barrier: NDArray[np.bool_]
    source: NDArray[np.int32]
    sources: NDArray[np.int32]
    target: NDArray[np.int32]
    targets: NDArray[np.int32]


class Traces(NamedTuple):
    """What the warps run: programs of (word, value) pairs, visits with their memory costs.

    ``cost[visit_cost[v] + m]`` belongs to memory operation m of visit v: cycles that each server
    is held, then the latency. A row of ``growing``: a count, the word after the repetition's end
    (counted from the program's start), and what an iteration of each repetition around adds.
    """

    program: NDArray[np.int32]
    start: NDArray[np.int32]
    cta: NDArray[np.int32]
    visit_block: NDArray[np.int32]
    visit_cost: NDArray[np.int32]
    cost: NDArray[np.float64]
    growing: NDArray[np.int64]


class Scalars(NamedTuple):
    """Sizes and switches. ``blocking``: a warp waits for each result before its next operation."""

    ctas: int
    subpartitions: int
    pipes: int
    registers: int
    barrier_cycles: float
    blocking: bool


class Sums(NamedTuple):
    """What a run adds up, in cycles: busy time by pipe, by server, of issue slots, waits by reason.

    Pipes and issue slots are summed over sub-partitions, waits over warps.
    """

    operations: int
    pipe_busy: NDArray[np.float64]
    server_busy: NDArray[np.float64]
    issue_busy: float
    waits: NDArray[np.float64]


RUNS, WAITS, DONE = 0, 1, 2


def run(code: Code, traces: Traces, scalars: Scalars) -> tuple[float, Sums]:
    """Run all warps to their ends; give the cycles and what was busy meanwhile.

    Among operations that can go at the same time the one whose warp comes next in turn goes first.
    """
    cycles, operations, pipe_busy, server_busy, issue_busy, waits = _run(code, traces, scalars)
    return cycles, Sums(operations, pipe_busy, server_busy, issue_busy, waits)


@jit
def _run(code: Any, traces: Any, scalars: Any) -> Any:
    n, parts = traces.start.size, scalars.subpartitions

    # The kernel's operations, bound to names once.
    first, op_pipe, pipe_cycles = code.first, code.pipe, code.pipe_cycles
    issue_cycles, latency, memory, barrier = (
        code.issue_cycles,
        code.latency,
        code.memory,
        code.barrier,
    )
    source, sources, target, targets = code.source, code.sources, code.target, code.targets
    program, start, cta, cost = traces.program, traces.start, traces.cta, traces.cost
    growing = traces.growing

    # Where each warp stands in its program: words, repetitions left, visit, operation.
    pc = start.copy()
    depth = np.zeros(n, np.int32)
    repeats = np.zeros((n, MAX_DEPTH), np.int32)
    repeated = np.zeros((n, MAX_DEPTH), np.int32)
    visit = np.full(n, -1, np.int32)
    op = np.zeros(n, np.int32)
    last = np.zeros(n, np.int32)
    phase = np.zeros(n, np.int8)

    # Its next operation: from when only resources hold it back, and whether memory did before.
    fetched = np.zeros(n, np.bool_)
    pipe = np.zeros(n, np.int32)
    can_go = np.zeros(n)
    in_order = np.zeros(n)  # the operation before it has issued
    on_memory = np.zeros(n, np.bool_)
    ready = np.zeros((n, scalars.registers))
    from_memory = np.zeros((n, scalars.registers), np.bool_)

    # Resources: from when they are free, and how long they were held.
    issue_free = np.zeros(parts)
    pipe_free = np.zeros((parts, scalars.pipes))
    server_free = np.zeros(4)
    pipe_busy = np.zeros(scalars.pipes)
    server_busy = np.zeros(4)
    issue_busy = 0.0
    waits = np.zeros(6)
    operations = 0
    end = 0.0

    # Barriers, by CTA.
    arrived = np.zeros(scalars.ctas, np.int32)
    living = np.zeros(scalars.ctas, np.int32)
    arrival = np.zeros(scalars.ctas)
    for w in range(n):
        living[cta[w]] += 1
    check = -1  # a CTA whose barrier may be complete

    # When each warp's operation could go, and the soonest of each sub-partition. What an operation
    # changes concerns its own sub-partition alone, barriers aside: only there one looks again.
    when = np.full(n, np.inf)
    soonest = np.full(parts, np.inf)
    look = np.ones(parts, np.bool_)

    turn = 0
    running = n
    while running > 0:
        for p in range(parts):
            if not look[p]:
                continue
            look[p] = False
            soonest[p] = np.inf
            for w in range(p, n, parts):
                when[w] = np.inf
                if phase[w] != RUNS:
                    continue
                if not fetched[w]:
                    fetched[w] = True
                    # Walk the program to the next operation.
                    while visit[w] < 0 or op[w] == last[w]:
                        word, value = program[2 * pc[w]], program[2 * pc[w] + 1]
                        pc[w] += 1
                        if word == VISIT:
                            visit[w] = value
                            op[w] = first[traces.visit_block[value]]
                            last[w] = first[traces.visit_block[value] + 1]
                        elif word == LOOP:
                            repeats[w, depth[w]] = value
                            repeated[w, depth[w]] = 0
                            depth[w] += 1
                        elif word == GROWING:
                            count = growing[value, 0]
                            for d in range(depth[w]):
                                count += growing[value, 2 + d] * repeated[w, d]
                            if count > 0:
                                repeats[w, depth[w]] = count
                                repeated[w, depth[w]] = 0
                                depth[w] += 1
                            else:
                                pc[w] = start[w] + growing[value, 1]
                        elif value < 0:
                            phase[w] = DONE
                            break
                        else:
                            repeats[w, depth[w] - 1] -= 1
                            repeated[w, depth[w] - 1] += 1
                            if repeats[w, depth[w] - 1] > 0:
                                pc[w] = start[w] + value
                            else:
                                depth[w] -= 1
                    if phase[w] == DONE:
                        running -= 1
                        living[cta[w]] -= 1
                        check = cta[w]
                        look[p] = True  # the others of the sub-partition have not been looked at
                        break
                    i = op[w]
                    operands = 0.0
                    on_memory[w] = False
                    for s in range(source[i], source[i + 1]):
                        if ready[w, sources[s]] > operands:
                            operands = ready[w, sources[s]]
                            on_memory[w] = from_memory[w, sources[s]]
                    can_go[w] = max(in_order[w], operands)
                    pipe[w] = op_pipe[i] if issue_cycles[i] > 0.0 else -1
                time = can_go[w]
                if pipe[w] >= 0:
                    time = max(time, issue_free[p], pipe_free[p, pipe[w]])
                when[w] = time
                soonest[p] = min(soonest[p], time)
            if check >= 0:
                break

        best, best_time = -1, np.inf
        if check < 0:
            for p in range(parts):
                best_time = min(best_time, soonest[p])
            for k in range(n):
                w = turn + k if turn + k < n else turn + k - n
                if when[w] == best_time and best_time < np.inf:
                    best = w
                    break

        if check < 0:
            if best < 0:
                break  # every warp left waits at a barrier that none can complete
            w, now = best, best_time
            i, p = op[w], best % parts
            # Book the wait: for the operands first, then for the pipe or the issue slot.
            waits[3 if on_memory[w] else 2] += can_go[w] - in_order[w]
            if now > can_go[w]:
                waits[1 if pipe_free[p, pipe[w]] >= now else 0] += now - can_go[w]
            if pipe[w] >= 0:
                operations += 1
                issue_free[p] = now + issue_cycles[i]
                issue_busy += issue_cycles[i]
                pipe_free[p, pipe[w]] = now + pipe_cycles[i]
                pipe_busy[pipe[w]] += pipe_cycles[i]
            done = now + latency[i]
            if memory[i] >= 0:
                row = traces.visit_cost[visit[w]] + memory[i]
                served = now
                for s in range(4):
                    if cost[row, s] > 0.0:
                        server_free[s] = max(server_free[s], now) + cost[row, s]
                        server_busy[s] += cost[row, s]
                        served = max(served, server_free[s])
                waits[5] += served - now
                done = served + cost[row, 4]
            if target[i + 1] > target[i]:
                end = max(end, done)
            for t in range(target[i], target[i + 1]):
                ready[w, targets[t]] = done
                from_memory[w, targets[t]] = memory[i] >= 0
            in_order[w] = now + issue_cycles[i]
            if scalars.blocking:
                in_order[w] = max(in_order[w], done)
            op[w] += 1
            fetched[w] = False
            look[p] = True
            turn = w + 1 if w + 1 < n else 0
            if barrier[i]:
                phase[w] = WAITS
                check = cta[w]
                arrived[check] += 1
                arrival[check] = max(arrival[check], now)

        if check >= 0:
            # Release the CTA where its last living warp has arrived.
            if living[check] > 0 and arrived[check] == living[check]:
                released = arrival[check] + scalars.barrier_cycles
                for w in range(n):
                    if cta[w] == check and phase[w] == WAITS:
                        phase[w] = RUNS
                        look[w % parts] = True
                        waits[4] += released - in_order[w]
                        in_order[w] = released
                arrived[check] = 0
                arrival[check] = 0.0
            check = -1

    end = max(end, in_order.max(), server_free.max())
    return end, operations, pipe_busy, server_busy, issue_busy, waits
