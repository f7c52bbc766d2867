"""The estimate's pipeline on a few operations whose times are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from warpmill.simulator.estimate.pipeline import (
    COSTS,
    LEVELS,
    REASONS,
    SERVERS,
    PipelineCode,
    PipelineWork,
    Scalars,
    Sums,
    run,
)

ADD, BARRIER = 0, 1
"""The blocks of the kernel: an addition to a register that it reads, and a barrier."""

LATENCY, RELEASE = 10.0, 5.0


def code(*, of_sm: bool = False) -> PipelineCode:
    """One operation a block, each of one issue cycle; the addition waits for the one before."""
    return PipelineCode(
        first=np.array([0, 1, 2], np.int32),
        pipe=np.array([0, -1], np.int32),
        pipe_cycles=np.array([1.0, 0.0]),
        second=np.array([-1, -1], np.int32),
        second_cycles=np.zeros(2),
        issue_cycles=np.ones(2),
        latency=np.array([LATENCY, 0.0]),
        memory=np.zeros(2, np.bool_),
        barrier=np.array([False, True]),
        source=np.array([0, 1, 1], np.int32),
        sources=np.array([0], np.int32),
        target=np.array([0, 1, 1], np.int32),
        targets=np.array([0], np.int32),
        of_sm=np.array([of_sm]),
    )


def timed(
    warps: list[list[int]], *, blocking: bool = False, of_sm: bool = False
) -> tuple[float, Sums]:
    """Run a CTA whose warps execute these blocks, each on a sub-partition of its own."""
    events = [block for warp in warps for block in warp]
    work = PipelineWork(
        np.cumsum([0, *map(len, warps)]).astype(np.int64),
        np.array(events, np.int32),
        np.zeros(len(events) + 1, np.int64),
        np.zeros(0, np.int32),
        np.zeros((0, COSTS)),
        0,
    )
    return run(code(of_sm=of_sm), work, scalars(len(warps), blocking=blocking))


def scalars(warps: int, *, blocking: bool = False) -> Scalars:
    """A machine with a sub-partition for each warp of the CTA."""
    return Scalars(
        warps_per_cta=warps,
        resident=1,
        subpartitions=warps,
        pipes=1,
        registers=1,
        barrier_cycles=RELEASE,
        start_cycles=0.0,
        in_flight=0,
        hit_cycles=0.0,
        queue=1,
        blocking=blocking,
        greedy=True,
    )


def waited(sums: Sums, reason: str) -> float:
    return float(sums.waits[REASONS.index(reason)])


def test_a_chain_takes_its_latencies() -> None:
    cycles, sums = timed([[ADD] * 4])
    assert cycles == 4 * LATENCY  # issued at 0, 10, 20 and 30; the last result is there at 40
    assert waited(sums, "arithmetic_latency") == 3 * (LATENCY - 1)


def test_a_barrier_lets_go_after_the_last_arrival() -> None:
    _, sums = timed([[BARRIER, ADD], [ADD, ADD, BARRIER, ADD]])
    # the second warp issues at 0, 10 and 11: both go on at 11 + 5, of which they know 1 and 12
    assert waited(sums, "barrier") == (16 - 1) + (16 - 12)


@pytest.mark.parametrize("others", [1, 3])
def test_a_warp_that_ends_is_waited_for_until_it_does(others: int) -> None:
    """It arrives at no barrier: the others go on when it has ended, not when they arrived."""
    _, sums = timed([*[[BARRIER, ADD]] * others, [ADD, ADD]])
    # it issues at 0 and at 10, and ends at 11; the others have been at the barrier since 1
    assert waited(sums, "barrier") == others * (11 + RELEASE - 1)
    assert sums.ends[0] == 11 + RELEASE + 1


def test_a_warp_that_ends_before_is_not_waited_for() -> None:
    _, sums = timed([[ADD, ADD, BARRIER, ADD], [ADD]])
    assert waited(sums, "barrier") == 16 - 12


def test_a_warp_that_waits_for_its_last_result_ends_with_it() -> None:
    """The paper's pipeline: the result is there at 10, where the warp ends, not at 1."""
    _, sums = timed([[BARRIER, ADD], [ADD]], blocking=True)
    assert waited(sums, "barrier") == LATENCY + RELEASE - 1


@pytest.mark.parametrize(
    ("before", "reason", "since"),
    [
        (0, "l2_latency", 300.0),  # both at once
        (5, "l2_latency", 300.0),  # 50 cycles later: what is left, where a hit would be there at 80
        (40, "l1_latency", 430.0),  # the sector has been there since 300: a hit
    ],
)
def test_who_comes_later_waits_for_what_is_left_of_a_sectors_way(
    before: int, reason: str, since: float
) -> None:
    """Two warps load one sector; the second does after so many additions, and adds to it."""
    events = [ADD] * (before + 3)
    loads = np.cumsum([0, 1, *[0] * before, 1, 0])
    row = [*[0.0] * len(SERVERS), 300.0, float(LEVELS.index("l2")), 0.0]
    work = PipelineWork(
        np.array([0, 1, before + 3]),
        np.array(events, np.int32),
        loads,
        np.array([ADD, ADD], np.int32),
        np.array([row, row]),
        1,
    )
    loading = code()._replace(memory=np.array([True, False]))
    cycles, sums = run(loading, work, scalars(2)._replace(hit_cycles=30.0))
    assert cycles == since + LATENCY
    assert waited(sums, reason) == since - 10 * before - 1
    alone = work._replace(cost=np.array([row, [*row[:-1], -1.0]]))
    assert run(loading, alone, scalars(2))[0] == 10 * before + 300.0 + LATENCY


@pytest.mark.parametrize(("of_sm", "last"), [(False, LATENCY), (True, LATENCY + 3)])
def test_sub_partitions_take_turns_on_a_pipe_of_the_sm(of_sm: bool, last: float) -> None:
    cycles, sums = timed([[ADD]] * 4, of_sm=of_sm)
    assert cycles == last
    assert sums.pipe_busy[0] == (4 * 4 if of_sm else 4)  # the one of the SM counts for four
