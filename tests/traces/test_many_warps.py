"""The warps of many CTAs as arrays: the same as one by one."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.traces.event_batch import ManyWarps
from warpmill.analyzer.traces.model import Node, Repeat, Visit, WarpTrace
from warpmill.analyzer.traces.unfolding import Unfolder
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace_source

SAMPLES = Path(__file__).parents[2] / "samples"
SIZES = {
    "reduce": {"n": 65536 + 300},
    "matmul": {"n": 136},
    "stencil5": {"width": 100},
    "transpose": {"rows": 100},
    "spmv": {"rows": 1000},
}

TRIANGLE = """mov.u32 %r2, %ctaid.x; add.s32 %r2, %r2, 1; mov.u32 %r1, 0;
ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd1, %rd1, %rd2;
L: ld.global.f32 %f1, [%rd1]; add.s64 %rd1, %rd1, 4096;
add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;
@%p1 bra L;"""
"""CTA k goes round its loop k + 1 times: each has a tree of its own."""

UNLIKE = """mov.u32 %r2, %ctaid.x; and.b32 %r2, %r2, 1; setp.eq.u32 %p1, %r2, 0;
ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd1, %rd1, %rd2;
@%p1 bra E;
ld.global.f32 %f1, [%rd1];
E: st.global.f32 [%rd1+4096], %f1;"""
"""Every second CTA does something else: none stands for its neighbours."""


def static(of: Job):
    return trace_source(of, TraceOptions(source="static"))


def told(many: ManyWarps) -> list[tuple[tuple[Node, ...], tuple[int, ...]]]:
    """Tree and bases of each warp."""
    ends = zip(many.starts[:-1].tolist(), many.starts[1:].tolist(), strict=True)
    own = [tuple(many.bases[first:last].tolist()) for first, last in ends]
    return [(many.trees[n], bases) for n, bases in zip(many.which.tolist(), own, strict=True)]


def every(of: Job) -> list[tuple[int, int, int]]:
    x, y, z = of.required_launch().grid
    return [(a, b, c) for c, b, a in product(range(z), range(y), range(x))]


def check(of: Job, ctas: list[tuple[int, int, int]]) -> ManyWarps:
    one_by_one = list(static(of).many(ctas))
    found = static(of).grouped(ctas)
    assert list(found.ctas) == ctas
    assert told(found) == [(w.nodes, w.bases) for warps in one_by_one for w in warps]
    assert told(ManyWarps.of(one_by_one)) == told(found)
    assert len(found.trees) == len(set(map(id, found.trees))) == len(set(found.which.tolist()))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [*SIZES, "trisolve"])
def test_warps_of_samples(name: str) -> None:
    kernel = "trisolve_forward" if name == "trisolve" else None
    of = prepare(SAMPLES / name / "launch.toml", kernel, LaunchOptions(sizes=SIZES.get(name, {})))
    ctas = every(of)
    check(of, ctas)
    check(of, ctas[::-3])


@pytest.mark.parametrize(("body", "trees"), [(TRIANGLE, 40), (UNLIKE, 2)])
def test_ctas_that_have_trees_of_their_own(tmp_path: Path, body: str, trees: int) -> None:
    of = job(tmp_path, body, 40, 96, "p")
    assert len(check(of, every(of)).trees) == trees
    check(of, [(7, 0, 0), (3, 0, 0), (39, 0, 0)])


def test_nothing_is_walked_twice(tmp_path: Path) -> None:
    of = job(tmp_path, UNLIKE, 40, 96, "p")
    source = static(of)
    first, again = source.grouped(every(of)), source.grouped(every(of))
    assert all(a is b for a, b in zip(first.trees, again.trees, strict=True))


A, B = Visit(0, 1), Visit(1, 1)


def test_trees_and_bases_by_number() -> None:
    first, second = (A,), (Repeat(3, (B,)),)
    ctas = [
        (WarpTrace((4, 0, 0), 0, first, (5, 6)), WarpTrace((4, 0, 0), 1, second, (7,))),
        (WarpTrace((5, 0, 0), 0, second, (8,)), WarpTrace((5, 0, 0), 1, first, (9, 10))),
    ]
    many = ManyWarps.of(ctas)
    assert (many.ctas, many.warps_per_cta) == (((4, 0, 0), (5, 0, 0)), 2)
    assert many.trees == (first, second)
    assert many.which.tolist() == [0, 1, 1, 0]
    assert many.starts.tolist() == [0, 2, 3, 4, 6]
    assert many.bases.tolist() == [5, 6, 7, 8, 9, 10]


def test_what_is_too_long_is_refused(tmp_path: Path) -> None:
    """CTA 19 goes round 20 times, with two events beside: 22 a warp, of which there are three."""
    of = job(tmp_path, TRIANGLE, 20, 96, "p")
    source = static(of)
    many = source.grouped(every(of))
    unfolder = Unfolder(source, grid=(20, 1, 1), warp_size=32, max_events=66)
    whole = unfolder.together(many)
    assert whole.ctas.tolist() == list(range(20))
    unfolder = Unfolder(source, grid=(20, 1, 1), warp_size=32, max_events=65)
    with pytest.raises(LimitError, match=r"CTA 19,0,0 has 66 events, more than 65"):
        unfolder.together(many)
