"""The estimate's pipeline as plain Python: slow, obvious, one object a warp.

It shares nothing with the engine but the form of its input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Warp:
    """A warp: the operations that are left, and when its registers are ready."""

    number: int
    cta: int
    operations: Iterator[tuple[int, int]]
    next: tuple[int, int] | None = None
    in_order: float = 0.0
    ready: dict[int, float] = field(default_factory=dict)
    waits: bool = False


def operations(code: Any, traces: Any, start: int) -> Iterator[tuple[int, int]]:
    """Unfold a program: (operation, visit) one after another."""
    stack: list[list[int]] = []  # repetitions left, where they begin, repetitions done
    pc = start
    while True:
        word, value = traces.program[2 * pc], traces.program[2 * pc + 1]
        pc += 1
        if word == 0:
            block = traces.visit_block[value]
            for op in range(code.first[block], code.first[block + 1]):
                yield op, value
        elif word in (1, 3):
            count = int(value)
            if word == 3:
                count, end, *strides = map(int, traces.growing[value])
                count += sum(s * done for s, (_, _, done) in zip(strides, stack, strict=False))
            if count > 0:
                stack.append([count, pc, 0])
            else:
                pc = start + end
        elif value < 0:
            return
        else:
            stack[-1][0] -= 1
            stack[-1][2] += 1
            if stack[-1][0]:
                pc = stack[-1][1]
            else:
                stack.pop()


def simulate(  # noqa: PLR0915 - one obvious run from top to bottom
    code: Any, traces: Any, scalars: Any
) -> tuple[float, int]:
    """Give (cycles, operations that took an issue slot)."""
    warps = [
        Warp(w, int(traces.cta[w]), operations(code, traces, int(traces.start[w])))
        for w in range(len(traces.start))
    ]
    issue: dict[int, float] = {}
    pipes: dict[tuple[int, int], float] = {}
    servers = [0.0] * 4
    arrival: dict[int, float] = {}
    issued = turn = 0
    end = 0.0
    for warp in warps:
        warp.next = next(warp.operations, None)

    def sources(warp: Warp, op: int) -> float:
        regs = code.sources[code.source[op] : code.source[op + 1]]
        return max((warp.ready.get(int(r), 0.0) for r in regs), default=0.0)

    def earliest(warp: Warp) -> float:
        assert warp.next is not None
        op, part = warp.next[0], warp.number % scalars.subpartitions
        time = max(warp.in_order, sources(warp, op))
        if code.issue_cycles[op] > 0:
            time = max(time, issue.get(part, 0.0), pipes.get((part, int(code.pipe[op])), 0.0))
        return time

    def release() -> None:
        for cta in {w.cta for w in warps}:
            mine = [w for w in warps if w.cta == cta and (w.next is not None or w.waits)]
            if mine and all(w.waits for w in mine):
                for w in mine:
                    w.waits = False
                    w.in_order = arrival[cta] + scalars.barrier_cycles
                arrival.pop(cta)

    while True:
        ready = [w for w in warps if w.next is not None and not w.waits]
        if not ready:
            break
        times = [(earliest(w), (w.number - turn) % len(warps), w) for w in ready]
        now, _, warp = min(times, key=lambda t: t[:2])
        assert warp.next is not None
        op, visit = warp.next
        part = warp.number % scalars.subpartitions
        if code.issue_cycles[op] > 0:
            issued += 1
            issue[part] = now + code.issue_cycles[op]
            pipes[part, int(code.pipe[op])] = now + code.pipe_cycles[op]
        done = now + code.latency[op]
        if code.memory[op] >= 0:
            row = traces.cost[traces.visit_cost[visit] + code.memory[op]]
            served = now
            for s in range(4):
                if row[s] > 0:
                    servers[s] = max(servers[s], now) + row[s]
                    served = max(served, servers[s])
            done = served + row[4]
        for r in code.targets[code.target[op] : code.target[op + 1]]:
            warp.ready[int(r)] = done
        warp.in_order = now + code.issue_cycles[op]
        if scalars.blocking:
            warp.in_order = max(warp.in_order, done)
        end = max(end, done if code.target[op + 1] > code.target[op] else 0.0)
        turn = (warp.number + 1) % len(warps)
        if code.barrier[op]:
            warp.waits = True
            arrival[warp.cta] = max(arrival.get(warp.cta, 0.0), now)
        warp.next = next(warp.operations, None)
        release()
    return max(end, *(w.in_order for w in warps), *servers), issued
