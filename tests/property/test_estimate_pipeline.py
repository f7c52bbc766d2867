"""The jitted pipeline against its slow twin, on random programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.estimate.pipeline import END, GROWING, LOOP, VISIT, Code, Scalars, Traces, run
from tests.reference.pipeline import simulate

PIPES = 3
REGISTERS = 6


@st.composite
def operations(draw: st.DrawFn) -> dict[str, object]:
    """One operation: free, arithmetic, memory or a barrier."""
    kind = draw(st.sampled_from(["free", "alu", "alu", "memory", "barrier"]))
    takes_slot = kind != "free"
    return {
        "pipe": draw(st.integers(0, PIPES - 1)) if takes_slot else -1,
        "pipe_cycles": draw(st.sampled_from([1.0, 2.0, 4.5])) if takes_slot else 0.0,
        "issue": draw(st.sampled_from([0.5, 1.0])) if takes_slot else 0.0,
        "latency": draw(st.sampled_from([0.0, 4.0, 23.0])),
        "kind": kind,
        "reads": draw(st.lists(st.integers(0, REGISTERS - 1), max_size=3)),
        "writes": draw(st.lists(st.integers(0, REGISTERS - 1), max_size=1)),
    }


@st.composite
def kernels(draw: st.DrawFn) -> tuple[Code, list[int]]:
    """Blocks of operations, with the number of memory operations of each."""
    blocks = draw(st.lists(st.lists(operations(), max_size=5), min_size=1, max_size=3))
    flat = [op for block in blocks for op in block]
    memory, counts = [], []
    for block in blocks:
        seen = 0
        for op in block:
            memory.append(seen if op["kind"] == "memory" else -1)
            seen += op["kind"] == "memory"
        counts.append(seen)
    lists = {k: [op[k] for op in flat] for k in ("pipe", "pipe_cycles", "issue", "latency")}
    source = np.cumsum([0, *(len(op["reads"]) for op in flat)])  # type: ignore[arg-type]
    target = np.cumsum([0, *(len(op["writes"]) for op in flat)])  # type: ignore[arg-type]
    code = Code(
        np.cumsum([0, *map(len, blocks)]).astype(np.int32),
        np.array(lists["pipe"], np.int32),
        np.array(lists["pipe_cycles"], np.float64),
        np.array(lists["issue"], np.float64),
        np.array(lists["latency"], np.float64),
        np.array(memory, np.int32),
        np.array([op["kind"] == "barrier" for op in flat], np.bool_),
        source.astype(np.int32),
        np.array([r for op in flat for r in op["reads"]], np.int32),  # type: ignore[attr-defined]
        target.astype(np.int32),
        np.array([r for op in flat for r in op["writes"]], np.int32),  # type: ignore[attr-defined]
    )
    return code, counts


@st.composite
def workloads(draw: st.DrawFn) -> tuple[Code, Traces, Scalars]:
    """A kernel, programs for its warps with nested repetitions, and a machine."""
    code, memory_counts = draw(kernels())
    n_blocks = len(memory_counts)
    visits, firsts, costs = [], [], []
    for block in range(n_blocks):
        for _ in range(2):
            visits.append(block)
            firsts.append(len(costs))
            for _ in range(memory_counts[block]):
                held = [draw(st.sampled_from([0.0, 1.0, 7.5])) for _ in range(4)]
                costs.append([*held, draw(st.sampled_from([20.0, 300.0]))])
    program: list[int] = []
    growing: list[list[int]] = []
    starts = []
    for _ in range(draw(st.integers(1, 2))):
        starts.append(len(program) // 2)
        _program(draw, program, (starts[-1], growing), len(visits), 0)
        program += [END, -1]
    ctas = draw(st.integers(1, 3))
    per_cta = draw(st.integers(1, 3))
    # Warps of one CTA may run different programs: some leave early, others wait at barriers.
    cta = np.repeat(np.arange(ctas), per_cta).astype(np.int32)
    traces = Traces(
        np.array(program, np.int32),
        np.array([draw(st.sampled_from(starts)) for _ in cta], np.int32),
        cta,
        np.array(visits, np.int32),
        np.array(firsts, np.int32),
        np.array(costs or [[0.0] * 5], np.float64),
        np.array(growing or [[0] * 4], np.int64),
    )
    parts = draw(st.sampled_from([1, 2, 4]))
    blocking = draw(st.booleans())
    return code, traces, Scalars(ctas, parts, PIPES, REGISTERS, 11.0, blocking)


def _program(
    draw: st.DrawFn,
    words: list[int],
    at: tuple[int, list[list[int]]],
    n_visits: int,
    depth: int,
) -> None:
    start, growing = at
    for _ in range(draw(st.integers(1, 3))):
        if depth < 2 and draw(st.booleans()):
            grows = depth > 0 and draw(st.booleans())
            words += [GROWING, len(growing)] if grows else [LOOP, draw(st.integers(1, 3))]
            row = [draw(st.integers(0, 2)), 0, *(draw(st.integers(-1, 2)) for _ in range(depth))]
            if grows:
                growing.append(row + [0] * (4 - len(row)))
                row = growing[-1]
            body = len(words) // 2 - start
            _program(draw, words, at, n_visits, depth + 1)
            words += [END, body]
            row[1] = len(words) // 2 - start
        else:
            words += [VISIT, draw(st.integers(0, n_visits - 1))]


@settings(max_examples=150, deadline=None)
@given(workloads())
def test_the_engine_agrees_with_its_slow_twin(workload: tuple[Code, Traces, Scalars]) -> None:
    code, traces, scalars = workload
    cycles, sums = run(code, traces, scalars)
    slow_cycles, slow_operations = simulate(code, traces, scalars)
    assert cycles == pytest.approx(slow_cycles, rel=1e-12)
    assert sums.operations == slow_operations
    assert sums.issue_busy <= cycles * scalars.subpartitions + 1e-9
    assert (sums.server_busy <= cycles + 1e-9).all()
