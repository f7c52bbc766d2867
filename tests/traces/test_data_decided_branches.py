"""Branches that data decide in static traces: what they can come to, and what is left to decide."""

from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.traces.model import events
from warpmill.analyzer.traces.source import StaticSource
from warpmill.commands.analyze.result import analyze_report
from warpmill.session.jobs import Job
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source

LOADED = "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; setp.gt.s32 %p1, %r1, 0;"
BY_INDEX = """mov.u32 %r2, %tid.x;
TABLE: .branchtargets A, B, C;
brx.idx {index}, TABLE;
A: add.s32 %r2, %r2, 5; bra M;
B: add.s32 %r2, %r2, 7; bra M;
C: add.s32 %r2, %r2, 9;
M: st.global.u32 [%rd1], %r2;"""
ONE_WAY = {
    "to the next block": "@%p1 bra X;\nX: st.global.u32 [%rd1], %r1;",
    "by index": "TABLE: .branchtargets X, X;\nbrx.idx %r1, TABLE;\nX: st.global.u32 [%rd1], %r1;",
}


def static(of: Job) -> StaticSource:
    source = trace_source(of, TraceOptions(source="static"))
    assert isinstance(source, StaticSource)
    return source


def visits(source: StaticSource) -> list[tuple[str, int]]:
    """The blocks and masks of the first warp."""
    (trace,) = source.warps((0, 0, 0))
    return [(source.kernel.blocks[e.block].label, e.mask) for e in events(trace)]


def test_of_an_index_that_data_decide_all_targets_are_taken(tmp_path: Path) -> None:
    of = job(tmp_path, LOADED + BY_INDEX.format(index="%r1"), 1, 32, "p")
    source = static(of)
    assert visits(source) == [(label, 0xFFFFFFFF) for label in ("bb0", "A", "B", "C", "M")]
    (assumption,) = source.assumptions
    assert "all targets are taken" in assumption.text
    assert analyze_report([of]).analyses


def test_lanes_whose_index_is_beyond_the_targets_end_as_in_execution(tmp_path: Path) -> None:
    of = job(tmp_path, LOADED + BY_INDEX.format(index="%r2"), 1, 32, "p")
    found = visits(static(of))
    assert found == [("bb0", 0xFFFFFFFF), ("A", 1), ("B", 2), ("C", 4), ("M", 7)]
    (trace,) = trace_source(of, TraceOptions(source="executed")).warps((0, 0, 0))
    assert [mask for _, mask in found] == [e.mask for e in events(trace)]


@pytest.mark.parametrize("body", ONE_WAY.values(), ids=ONE_WAY.keys())
def test_where_all_targets_are_one_block_data_decide_nothing(tmp_path: Path, body: str) -> None:
    of = job(tmp_path, LOADED + body, 1, 32, "p")
    source = static(of)
    assert visits(source) == [("bb0", 0xFFFFFFFF), ("X", 0xFFFFFFFF)]
    assert not source.assumptions
    assert analyze_report([of]).analyses
