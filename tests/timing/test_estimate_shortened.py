"""Long rounds by a part of them: which iterations are left, and what is made of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.timing.estimated_kernels import fmas, job
from warpmill.analyzer.traces.model import (
    LEAST_ITERATIONS,
    AffinePattern,
    LaneAddresses,
    Node,
    Repeat,
    Shortener,
    TracedAccess,
    Visit,
    WarpTrace,
    events,
    shortened,
    visits_of,
    weighted_visits,
)
from warpmill.session.estimates import Estimator
from warpmill.session.options import RegisterSources
from warpmill.simulator.estimate import timing
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines import load_machine

A, B, C = (Visit(block, 1) for block in range(3))


def executed(nodes: tuple[Node, ...]) -> dict[int, int]:
    """How often each block happens."""
    found: dict[int, int] = {}
    for visit, times in weighted_visits(nodes):
        found[visit.block] = found.get(visit.block, 0) + times
    return found


@pytest.mark.parametrize(
    ("times", "factor", "left"),
    [(100, 0.1, 10), (100, 1.0, 100), (100, 0.001, 2), (3, 0.5, 2), (1, 0.01, 1), (0, 0.5, 0)],
)
def test_a_loop_keeps_its_share_and_at_least_two(times: int, factor: float, left: int) -> None:
    assert shortened((A, Repeat(times, (B,)), C), factor) == (A, Repeat(left, (B,)), C)


def test_loops_are_shortened_from_the_outside_in() -> None:
    """10 x 10 by a twentieth: 2 x 2; 2 x 100 by a tenth: all of the saving is inside."""
    square, flat = Repeat(10, (Repeat(10, (A,)),)), Repeat(2, (Repeat(100, (A,)),))
    assert shortened((square,), 0.05) == (Repeat(2, (Repeat(2, (A,)),)),)
    assert shortened((flat,), 0.1) == (Repeat(2, (Repeat(10, (A,)),)),)
    inner = (A, Repeat(5, (B,)))
    assert shortened((Repeat(40, inner),), 0.25) == (Repeat(10, inner),)


def test_of_a_triangle_every_so_many_rows_are_kept() -> None:
    """Rows of 0, 1, … 15 iterations, 120 in all; every fourth: 0, 4, 8 and 12."""
    whole = (Repeat(16, (A, Repeat(0, (B,), (1,)))),)
    found = shortened(whole, 0.25)
    assert found == (Repeat(4, (A, Repeat(0, (B,), (4,)))),)
    assert (executed(whole), executed(found)) == ({0: 16, 1: 120}, {0: 4, 1: 24})


def moving(block: int, *strides: int) -> Visit:
    """A visit with an access that each loop around moves by so many bytes."""
    return Visit(
        block, 1, (), (TracedAccess(0, 1, LaneAddresses(0, AffinePattern(0), strides), 4),)
    )


def addresses(nodes: tuple[Node, ...]) -> list[int]:
    trace = WarpTrace((0, 0, 0), 0, nodes, (1000,))
    return [a for event in events(trace) for _, own in event.addresses if own for a in own]


def test_iterations_that_are_left_are_the_first_ones() -> None:
    whole = (Repeat(50, (moving(0, 8),)),)
    left = addresses(shortened(whole, 0.1))
    assert left == addresses(whole)[:5] == [1000 + 8 * k for k in range(5)]


def test_rows_that_are_left_of_a_triangle_are_where_they_were() -> None:
    whole = (Repeat(12, (Repeat(1, (moving(0, 100, 4),), (1,)),)),)
    rows, left = addresses(whole), addresses(shortened(whole, 1 / 3))
    starts = [sum(range(1, row + 1)) for row in range(12)]
    assert left == [a for row in (0, 3, 6, 9) for a in rows[starts[row] : starts[row] + row + 1]]


def random_nodes(rng: random.Random, depth: int, numbers: Iterator[int]) -> tuple[Node, ...]:
    """Loops in each other, ``depth`` deep at most, of blocks that come once each."""

    def node() -> Node:
        if depth == 0 or rng.random() < 0.3:
            return Visit(next(numbers), 1)
        return Repeat(rng.randint(1, 200), random_nodes(rng, depth - 1, numbers))

    return tuple(node() for _ in range(rng.randint(1, 3)))


@pytest.mark.parametrize("seed", range(30))
def test_about_the_share_that_was_asked_is_left_of_each_block(seed: int) -> None:
    """More where loops are short: each of three levels keeps two iterations."""
    rng = random.Random(seed)
    whole, factor = random_nodes(rng, 3, count()), rng.choice([0.02, 0.1, 0.5])
    before, after = executed(whole), executed(shortened(whole, factor))
    assert before.keys() == after.keys()
    for block, times in before.items():
        wanted = factor * times
        assert 0.5 * wanted <= after[block] <= min(times, max(LEAST_ITERATIONS**3, 1.5 * wanted))


def test_a_tree_is_shortened_once() -> None:
    tree, other = (Repeat(100, (A,)),), (Repeat(100, (B,)),)
    shortener = Shortener(0.1)
    first = shortener.tree(tree)
    assert first == (Repeat(10, (A,)),)
    assert shortener.tree(other) == (Repeat(10, (B,)),)
    assert shortener.tree(tree) is first
    assert Shortener(1.0).tree(tree) is tree


def test_visits_of_some_blocks_are_left_and_no_loop_without_any() -> None:
    tree = (A, Repeat(4, (B, Repeat(3, (A,)), Repeat(2, (C,)), B)), Repeat(5, (B,), (1,)))
    assert visits_of(tree, frozenset({0})) == (A, Repeat(4, (Repeat(3, (A,)),)))
    assert visits_of(tree, frozenset({1})) == (Repeat(4, (B, B)), Repeat(5, (B,), (1,)))
    assert visits_of(tree, frozenset()) == ()


def test_places_stay_the_same_where_visits_around_them_go() -> None:
    inner = moving(0, 64, 4)
    whole = (Repeat(3, (B, Repeat(5, (inner, C)))),)
    assert addresses(visits_of(whole, frozenset({0}))) == addresses(whole)


def test_what_is_left_of_some_blocks_is_shortened_as_asked() -> None:
    tree = (Repeat(100, (A, B)), Repeat(50, (B,)))
    assert Shortener(0.1, frozenset({0})).tree(tree) == (Repeat(10, (A,)),)
    assert Shortener(1.0, frozenset({0})).tree(tree) == (Repeat(100, (A,)),)


# What is made of the part.


LOADS = """ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd1, %rd1, %rd2; mov.u32 %r1, 0;
L: ld.global.cg.f32 %f1, [%rd1]; add.f32 %f2, %f2, %f1; add.s64 %rd1, %rd1, 4096;
add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 1000;
@%p1 bra L;"""


def estimated(folder: Path, body: str, params: str, most: int) -> Estimate:
    subject = job(folder, body, 80 * 2, 256, params)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(timing, "MOST_OPERATIONS", most)
        return Estimator(subject, registers=RegisterSources(32)).on(load_machine("v100"))


@pytest.mark.parametrize(
    ("body", "params"), [(fmas(2, 1000), ""), (LOADS, "p")], ids=["arithmetic", "loads"]
)
def test_a_part_is_continued_to_the_whole(tmp_path: Path, body: str, params: str) -> None:
    whole = estimated(tmp_path, body, params, 10**9)
    part = estimated(tmp_path, body, params, whole.wave_instructions // 10)
    assert (whole.extrapolated, part.extrapolated) == (False, True)
    assert part.wave_instructions == whole.wave_instructions
    assert part.cycles == pytest.approx(whole.cycles, rel=0.02)
    assert part.roofline.flops == pytest.approx(whole.roofline.flops)
    for ours, theirs in zip(part.traffic, whole.traffic, strict=True):
        assert ours.requested_bytes == pytest.approx(theirs.requested_bytes)
        assert ours.l2_bytes == pytest.approx(theirs.l2_bytes)
    shares = [{s.cause: s.fraction for s in found.shares} for found in (part, whole)]
    assert shares[0] == pytest.approx(shares[1], abs=0.03)


def test_what_runs_once_takes_its_time_once(tmp_path: Path) -> None:
    """A load before a loop that is continued takes the time that it takes before a whole one."""
    first = "ld.param.u64 %rd1, [p]; ld.global.cg.f32 %f1, [%rd1]; add.f32 %f1, %f1, %f1;\n"
    body = first + fmas(2, 2000)
    whole = estimated(tmp_path, body, "p", 10**9)
    part = estimated(tmp_path, body, "p", whole.wave_instructions // 40)
    assert part.extrapolated
    ours, theirs = (
        sum(t.fraction for t in e.instruction_times if t.block == 0) for e in (part, whole)
    )
    assert 0 < theirs < 0.3
    assert ours == pytest.approx(theirs, rel=0.1)
