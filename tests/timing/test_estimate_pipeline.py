"""The jitted pipeline against its slow twin, on random kernels, events and machines."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import pipeline as twin
from warpmill.simulator.estimate.pipeline import (
    COSTS,
    LEVELS,
    REASONS,
    SERVERS,
    PipelineCode,
    PipelineWork,
    Scalars,
    run,
)

PIPES = 3
REGISTERS = 6
GROUPS = 4


def test_the_twin_has_the_same_words() -> None:
    assert (twin.LEVELS, twin.SERVERS) == (LEVELS, SERVERS)
    assert len(SERVERS) + 3 == COSTS


@st.composite
def operations(draw: st.DrawFn) -> dict[str, object]:
    """One operation: free, arithmetic, of two pipes, memory or a barrier."""
    kind = draw(st.sampled_from(["free", "alu", "alu", "two", "memory", "memory", "barrier"]))
    takes_slot = kind != "free"
    pipe = draw(st.integers(0, PIPES - 1))
    other = (pipe + draw(st.integers(1, PIPES - 1))) % PIPES
    return {
        "pipe": pipe if takes_slot else -1,
        "pipe_cycles": draw(st.sampled_from([1.0, 2.0, 4.5])) if takes_slot else 0.0,
        "second": other if kind == "two" else -1,
        "second_cycles": draw(st.sampled_from([0.5, 8.0])) if kind == "two" else 0.0,
        "issue": draw(st.sampled_from([0.5, 1.0])) if takes_slot else 0.0,
        "latency": draw(st.sampled_from([0.0, 4.0, 23.0])),
        "kind": kind,
        "reads": draw(st.lists(st.integers(0, REGISTERS - 1), max_size=3)),
        "writes": draw(st.lists(st.integers(0, REGISTERS - 1), max_size=1)),
    }


@st.composite
def kernels(draw: st.DrawFn) -> tuple[PipelineCode, list[list[int]]]:
    """Blocks of operations, with the memory operations of each."""
    sizes = st.lists(operations(), min_size=1, max_size=5)
    blocks = draw(st.lists(sizes, min_size=1, max_size=3))
    flat = [op for block in blocks for op in block]
    first = np.cumsum([0, *map(len, blocks)])
    reads, writes = ([op[way] for op in flat] for way in ("reads", "writes"))
    of_memory = [i for i, op in enumerate(flat) if op["kind"] == "memory"]

    def floats(key: str) -> np.ndarray:
        return np.array([op[key] for op in flat], np.float64)

    def numbers(key: str) -> np.ndarray:
        return np.array([op[key] for op in flat], np.int32)

    code = PipelineCode(
        first=first.astype(np.int32),
        pipe=numbers("pipe"),
        pipe_cycles=floats("pipe_cycles"),
        second=numbers("second"),
        second_cycles=floats("second_cycles"),
        issue_cycles=floats("issue"),
        latency=floats("latency"),
        memory=np.array([op["kind"] == "memory" for op in flat], np.bool_),
        barrier=np.array([op["kind"] == "barrier" for op in flat], np.bool_),
        source=np.cumsum([0, *map(len, reads)]).astype(np.int32),  # type: ignore[arg-type]
        sources=np.array([r for own in reads for r in own], np.int32),  # type: ignore[attr-defined]
        target=np.cumsum([0, *map(len, writes)]).astype(np.int32),  # type: ignore[arg-type]
        targets=np.array([r for own in writes for r in own], np.int32),  # type: ignore[attr-defined]
        of_sm=np.array(draw(st.lists(st.booleans(), min_size=PIPES, max_size=PIPES)), np.bool_),
    )
    inside = [[i for i in of_memory if a <= i < b] for a, b in pairwise(first)]
    return code, inside


@st.composite
def workloads(draw: st.DrawFn) -> tuple[PipelineCode, PipelineWork, Scalars]:
    """A kernel, events of its warps with their accesses, and a machine.

    Warps of one CTA run different blocks: some end early while others wait at barriers. Guards may
    turn an access off, so that an event has fewer accesses than its block has operations for.
    """
    code, inside = draw(kernels())
    per_cta, ctas = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    blocks, ops, rows, warps, events = [], [], [], [0], [0]
    for _ in range(per_cta * ctas):
        for _ in range(draw(st.integers(1, 3))):
            block = draw(st.integers(0, len(inside) - 1))
            own = [op for op in inside[block] if draw(st.integers(0, 3))]
            held = st.sampled_from([0.0, 0.0, 1.0, 7.5])
            for _ in own:
                level = draw(st.integers(1, len(LEVELS) - 1))
                latency = draw(st.sampled_from([20.0, 300.0]))
                group = draw(st.integers(-1, GROUPS - 1))
                rows.append([*(draw(held) for _ in SERVERS), latency, float(level), float(group)])
            blocks.append(block)
            ops += own
            events.append(len(ops))
        warps.append(len(blocks))
    work = PipelineWork(
        np.array(warps, np.int64),
        np.array(blocks, np.int32),
        np.array(events, np.int64),
        np.array(ops, np.int32),
        np.array(rows, np.float64).reshape(-1, COSTS),
        GROUPS,
    )
    scalars = Scalars(
        warps_per_cta=per_cta,
        resident=draw(st.integers(1, 4)),
        subpartitions=draw(st.sampled_from([1, 2, 4])),
        pipes=PIPES,
        registers=REGISTERS,
        barrier_cycles=11.0,
        start_cycles=draw(st.sampled_from([0.0, 13.5])),
        in_flight=draw(st.sampled_from([0, 1, 3])),
        hit_cycles=30.0,
        queue=draw(st.sampled_from([1, 2, 5])),
        blocking=draw(st.booleans()),
        greedy=draw(st.booleans()),
    )
    return code, work, scalars


@settings(max_examples=300, deadline=None)
@given(workloads())
def test_the_engine_agrees_with_its_slow_twin(
    workload: tuple[PipelineCode, PipelineWork, Scalars],
) -> None:
    code, work, scalars = workload
    cycles, sums = run(code, work, scalars)
    slow = twin.simulate(code, work, scalars)
    near = {"rel": 1e-12, "abs": 1e-9}
    assert cycles == pytest.approx(slow.cycles, **near)
    assert sums.operations == slow.operations
    assert sums.issue_busy == pytest.approx(slow.issue_busy, **near)
    assert list(sums.pipe_busy) == pytest.approx([slow.pipe_busy[k] for k in range(PIPES)], **near)
    assert list(sums.server_busy) == pytest.approx([slow.server_busy[s] for s in SERVERS], **near)
    assert list(sums.waits) == pytest.approx([slow.waits[r] for r in REASONS], **near)
    assert list(sums.pipe_waits) == pytest.approx(
        [slow.pipe_waits[k] for k in range(PIPES)], **near
    )
    spent = [slow.operation_cycles[i] for i in range(len(code.pipe))]
    assert list(sums.operation_cycles) == pytest.approx(spent, **near)
    assert list(sums.ends) == pytest.approx([slow.ends[k] for k in range(len(slow.ends))], **near)


@settings(max_examples=100, deadline=None)
@given(workloads())
def test_what_is_summed_up_adds_up(workload: tuple[PipelineCode, PipelineWork, Scalars]) -> None:
    """Each cycle of a warp is one that it issues in, or that it waits in for one reason."""
    code, work, scalars = workload
    cycles, sums = run(code, work, scalars)
    assert sums.operation_cycles.sum() == pytest.approx(sums.issue_busy + sums.waits.sum())
    assert sums.pipe_waits.sum() == pytest.approx(sums.waits[REASONS.index("math_pipe_throttle")])
    assert sums.issue_busy <= cycles * scalars.subpartitions + 1e-9
    assert (sums.server_busy <= cycles + 1e-9).all()
    assert (sums.pipe_busy <= (cycles + 8.0) * scalars.subpartitions).all()


@settings(max_examples=100, deadline=None)
@given(workloads())
def test_spans_of_warps_are_the_time_at_operations(
    workload: tuple[PipelineCode, PipelineWork, Scalars],
) -> None:
    """With one sub-partition all warps have spans, which add up to what is booked."""
    code, work, scalars = workload
    scalars = scalars._replace(subpartitions=1, blocking=False)
    cycles, sums = run(code, work, scalars, 10_000)
    plain_cycles, plain_sums = run(code, work, scalars)
    assert cycles == plain_cycles
    assert list(sums.waits) == list(plain_sums.waits)
    assert not len(plain_sums.spans)
    assert len(run(code, work, scalars, 3)[1].spans) == min(3, len(sums.spans))
    spent = np.zeros(len(code.pipe))
    at: dict[float, float] = {}
    for warp, operation, reason, begin, issued, done in sums.spans.tolist():
        released = reason == REASONS.index("barrier")
        spent[int(operation)] += (
            issued - begin + (0 if released else code.issue_cycles[int(operation)])
        )
        assert begin <= issued <= done
        assert (reason >= 0) == (issued > begin) or released
        assert begin == pytest.approx(at.get(warp, begin))
        at[warp] = issued + (0.0 if released else code.issue_cycles[int(operation)])
    assert spent == pytest.approx(sums.operation_cycles)
