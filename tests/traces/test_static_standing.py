"""Which CTAs walks stand for, and how much of a grid is walked for that."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.traces.source import StaticSource, SupportsWalking
from warpmill.analyzer.traces.static.grid import Box
from warpmill.analyzer.traces.static.walk import AbstractExecution
from warpmill.session.jobs import Job
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

FIRST_DIFFERS = """mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0;
ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd1, %rd1, %rd2;
@%p1 bra E;
ld.global.f32 %f1, [%rd1];
E: st.global.f32 [%rd1+4096], %f1;"""
"""The first CTA of each row does something that no other does."""


def static(of: Job) -> StaticSource:
    source = trace_source(of, TraceOptions(source="static"))
    assert isinstance(source, StaticSource)
    assert isinstance(source, SupportsWalking)
    return source


def test_edges_that_hardly_count_are_not_walked(tmp_path: Path) -> None:
    ctas = [(0, 0, 0), (10, 0, 0), (39, 0, 0)]
    source = static(job(tmp_path, FIRST_DIFFERS, 40, 32, "p"))
    assert source.standing(ctas, 0.95) == ((10, 0, 0), (39, 0, 0))  # 39 of 40
    assert source.standing(ctas, 0.98) == tuple(ctas)


def test_edges_that_count_are_walked(tmp_path: Path) -> None:
    ctas = [(0, 0, 0), (5, 0, 0), (9, 0, 0)]
    source = static(job(tmp_path, FIRST_DIFFERS, 10, 32, "p"))
    assert source.standing(ctas, 0.95) == tuple(ctas)


def test_a_cta_is_walked_once_for_all_that_is_asked_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether data decide, its traces one by one, those of many CTAs; then another has its own."""
    walks: list[AbstractExecution] = []
    run = AbstractExecution.run
    monkeypatch.setattr(AbstractExecution, "run", lambda walk: walks.append(walk) or run(walk))
    source = static(job(tmp_path, FIRST_DIFFERS, 40, 32, "p"))
    assert source.data_decide() is None
    (one,) = source.many([(0, 0, 0)])
    many = source.grouped([(0, 0, 0)])
    assert len(walks) == 1
    assert many.trees == (one[0].nodes,)
    assert source.grouped([(0, 0, 0), (7, 0, 0)]).trees[1] != one[0].nodes
    assert len(walks) == 2


def test_where_each_stands_for_itself_all_are_given(tmp_path: Path) -> None:
    ctas = [(k, 0, 0) for k in range(0, 40, 2)]
    unlike = FIRST_DIFFERS.replace("setp.ne", "and.b32 %r2, %r2, 1; setp.ne")
    assert static(job(tmp_path, unlike, 40, 32, "p")).standing(ctas, 0.95) == tuple(ctas)


@pytest.mark.parametrize(
    "other", [((2, 1, 0), (9, 2, 3)), ((4, 0, 0), (4, 0, 0)), ((0, 3, 0), (9, 9, 9))]
)
def test_what_two_boxes_share_is_counted_cta_by_cta(
    other: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> None:
    one, two = (Box(first, last, first, ()) for first, last in [((1, 0, 0), (4, 2, 1)), other])
    own, others = (
        {cta for cta in product(range(10), repeat=3) if box.holds(cta)} for box in (one, two)
    )
    assert one.size == len(own)
    assert one.common(two) == two.common(one) == len(own & others)
