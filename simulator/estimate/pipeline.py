"""The instruction pipeline of one SM, event by event, in numba (hybrid paper, §IV-B).

Warps consume the operations of their traces in order. An operation waits for its operands, for an
issue slot of its sub-partition, for its pipe, and, where it touches memory, for the servers that
carry its bytes; each is held for a fixed delay, and the result comes after the latency. Time jumps
to the earliest operation that can go. Barriers release a CTA when its last warp has arrived.

Everything jitted stands in this file: numba's cache does not see changes in another one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.jit import jit

VISIT, LOOP, END = 0, 1, 2
"""Words of a trace program: run a visit, begin a repetition (count), jump back to its start."""

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
    is held, then the latency.
    """

    program: NDArray[np.int32]
    start: NDArray[np.int32]
    cta: NDArray[np.int32]
    visit_block: NDArray[np.int32]
    visit_cost: NDArray[np.int32]
    cost: NDArray[np.float64]


class Scalars(NamedTuple):
    """Sizes and switches. ``blocking``: a warp waits for each result before its next operation."""

    ctas: int
    subpartitions: int
    pipes: int
    registers: int
    barrier_cycles: float
    blocking: bool


@jit
def run(code: Any, traces: Any, scalars: Any) -> Any:
    """Give (cycles, operations, pipe busy cycles, server busy cycles, issue busy, waits).

    Busy times are sums over sub-partitions; waits are summed over warps by reason.
    """
    n = traces.start.size
    free_issue = np.zeros(scalars.subpartitions)
    free_pipe = np.zeros((scalars.subpartitions, scalars.pipes))
    free_server = np.zeros(4)
    busy_pipe = np.zeros(scalars.pipes)
    busy_server = np.zeros(4)
    waits = np.zeros(6)
    ready_at = np.zeros((n, scalars.registers))
    from_memory = np.zeros((n, scalars.registers), dtype=np.bool_)
    pc = traces.start.copy()
    depth = np.zeros(n, dtype=np.int32)
    count = np.zeros((n, MAX_DEPTH), dtype=np.int32)
    visit = np.full(n, -1, dtype=np.int32)
    op = np.zeros(n, dtype=np.int32)
    last = np.zeros(n, dtype=np.int32)
    earliest = np.zeros(n)
    operands = np.zeros(n)
    waits_on_memory = np.zeros(n, dtype=np.bool_)
    state = np.zeros(n, dtype=np.int8)  # 0 runs, 1 waits at a barrier, 2 has finished
    arrived = np.zeros(scalars.ctas, dtype=np.int32)
    living = np.zeros(scalars.ctas, dtype=np.int32)
    arrival = np.zeros(scalars.ctas)
    busy_issue = 0.0
    end = 0.0
    operations = 0
    for w in range(n):
        living[traces.cta[w]] += 1
    pending = np.ones(n, dtype=np.bool_)  # the next operation is not fetched yet
    running = n
    turn = 0
    while running > 0:
        best, best_time = -1, np.inf
        for k in range(n):
            w = turn + k
            if w >= n:
                w -= n
            if state[w] != 0:
                continue
            if pending[w]:
                # Fetch: walk the program to the next operation.
                pending[w] = False
                while True:
                    if visit[w] >= 0 and op[w] < last[w]:
                        break
                    word, value = traces.program[2 * pc[w]], traces.program[2 * pc[w] + 1]
                    if word == VISIT:
                        visit[w] = value
                        block = traces.visit_block[value]
                        op[w], last[w] = code.first[block], code.first[block + 1]
                        pc[w] += 1
                    elif word == LOOP:
                        count[w, depth[w]] = value
                        depth[w] += 1
                        pc[w] += 1
                    elif value < 0:
                        state[w] = 2
                        break
                    else:
                        count[w, depth[w] - 1] -= 1
                        if count[w, depth[w] - 1] > 0:
                            pc[w] = traces.start[w] + value
                        else:
                            depth[w] -= 1
                            pc[w] += 1
                if state[w] == 2:
                    running -= 1
                    end = max(end, earliest[w])
                    c = traces.cta[w]
                    living[c] -= 1
                    if living[c] > 0 and arrived[c] == living[c]:
                        for v in range(n):
                            if traces.cta[v] == c and state[v] == 1:
                                state[v] = 0
                                released = arrival[c] + scalars.barrier_cycles
                                waits[4] += released - earliest[v]
                                earliest[v] = released
                        arrived[c], arrival[c] = 0, 0.0
                    continue
                i = op[w]
                operands[w] = 0.0
                waits_on_memory[w] = False
                for s in range(code.source[i], code.source[i + 1]):
                    r = code.sources[s]
                    if ready_at[w, r] > operands[w]:
                        operands[w] = ready_at[w, r]
                        waits_on_memory[w] = from_memory[w, r]
            i = op[w]
            p = w % scalars.subpartitions
            time = max(earliest[w], operands[w])
            if code.issue_cycles[i] > 0.0:
                time = max(time, free_issue[p])
                if code.pipe[i] >= 0:
                    time = max(time, free_pipe[p, code.pipe[i]])
            if time < best_time:
                best, best_time = w, time
        if best < 0:
            break
        w, i = best, op[best]
        p = w % scalars.subpartitions
        now = best_time
        # Charge the wait to what came last.
        base = earliest[w]
        if operands[w] > base:
            waits[3 if waits_on_memory[w] else 2] += operands[w] - base
            base = operands[w]
        if code.issue_cycles[i] > 0.0:
            if now > base:
                waits[1 if code.pipe[i] >= 0 and free_pipe[p, code.pipe[i]] >= now else 0] += (
                    now - base
                )
            operations += 1
            free_issue[p] = now + code.issue_cycles[i]
            busy_issue += code.issue_cycles[i]
            if code.pipe[i] >= 0:
                free_pipe[p, code.pipe[i]] = now + code.pipe_cycles[i]
                busy_pipe[code.pipe[i]] += code.pipe_cycles[i]
        done = now + code.latency[i]
        if code.memory[i] >= 0:
            row = traces.visit_cost[visit[w]] + code.memory[i]
            served = now
            for s in range(4):
                held = traces.cost[row, s]
                if held > 0.0:
                    begin = max(free_server[s], now)
                    free_server[s] = begin + held
                    busy_server[s] += held
                    served = max(served, begin + held)
            waits[5] += served - now
            done = served + traces.cost[row, 4]
        for t in range(code.target[i], code.target[i + 1]):
            ready_at[w, code.targets[t]] = done
            from_memory[w, code.targets[t]] = code.memory[i] >= 0
        earliest[w] = now + code.issue_cycles[i]
        if scalars.blocking:
            earliest[w] = max(earliest[w], done)
        end = max(end, earliest[w])
        op[w] += 1
        pending[w] = True
        turn = w + 1 if w + 1 < n else 0
        if code.barrier[i]:
            c = traces.cta[w]
            state[w] = 1
            arrived[c] += 1
            arrival[c] = max(arrival[c], now)
            if arrived[c] == living[c]:
                for v in range(n):
                    if traces.cta[v] == c and state[v] == 1:
                        state[v] = 0
                        released = arrival[c] + scalars.barrier_cycles
                        waits[4] += released - earliest[v]
                        earliest[v] = released
                arrived[c], arrival[c] = 0, 0.0
    for w in range(n):
        for r in range(scalars.registers):
            end = max(end, ready_at[w, r])
    for s in range(4):
        end = max(end, free_server[s])
    return end, operations, busy_pipe, busy_server, busy_issue, waits
