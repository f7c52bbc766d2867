"""How samples access memory: by hand, and against sets of granules made one lane at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import requests, sectors, shared_wavefronts
from warpmill.analyzer.profile.behaviour import access_counts, accesses
from warpmill.analyzer.profile.behaviour.accesses import access_behaviours, affine_fit
from warpmill.analyzer.traces.event_batch import joined
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare, prepare_all

SAMPLES = Path(__file__).parents[2] / "samples"
MIXED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f64 %d<9>;
.local .align 8 .b8 own[64]; .shared .align 8 .b8 tile[2048];
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 36; add.s64 %rd4, %rd2, %rd3;
and.b32 %r2, %r1, 7; setp.lt.u32 %p1, %r2, 3;
@%p1 ld.global.u32 %r3, [%rd4];
mov.u64 %rd5, own; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;
st.local.u32 [%rd7], %r3; ld.local.u32 %r4, [%rd7]; st.local.f64 [%rd5], %d1;
mov.u32 %r5, tile; shl.b32 %r6, %r1, 4; and.b32 %r6, %r6, 1016; add.s32 %r7, %r5, %r6;
st.shared.f64 [%r7], %d1; atom.shared.add.u32 %r8, [%r7], 1;
atom.global.add.u32 %r9, [%rd2], %r8;
cvt.u64.u32 %rd8, %r7; cvta.shared.u64 %rd9, %rd8; ld.u32 %r10, [%rd9]; ld.u32 %r10, [%rd1];
ret;
}
"""
"""Guards, strides, 8-byte words, all spaces, and generic addresses of two."""
NESTED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0;
shl.b32 %r5, %r1, 2; shl.b32 %r6, %r2, 5; add.u32 %r5, %r5, %r6;
OUTER: mov.u32 %r4, 0;
INNER: mad.lo.u32 %r7, %r3, 640, %r5; mad.lo.u32 %r7, %r4, 128, %r7;
cvt.u64.u32 %rd3, %r7; add.s64 %rd4, %rd2, %rd3; ld.global.u32 %r8, [%rd4];
add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 5; @%p1 bra INNER;
add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra OUTER;
ret;
}
"""
"""Words beside each other: 640 B on in each of 3 rounds, 128 B in each of 5 inside, 32 B a CTA."""


@dataclass(frozen=True)
class Case:
    job: object
    batches: list
    regions: tuple

    @property
    def block(self):
        return self.job.required_launch().block

    def behaviours(self, spaces=None):
        structure = self.job.analysis.structure
        return access_behaviours(structure, self.block, self.batches, self.regions, spaces)

    def region(self, name):
        return next(r for r in self.regions if r.name == name)

    @property
    def spaces(self):
        return {(a.block, a.instruction): a.space for a in self.job.analysis.accesses}


def case(file, ctas, sizes=None, options=None):
    job = prepare(file, None, options or LaunchOptions(sizes=sizes or {}))
    source = executed_source(job)
    return Case(job, list(source.batches(ctas)), source.layout.regions)


def sample(name, sizes, ctas):
    return case(SAMPLES / name / "launch.toml", ctas, sizes)


def square(x, y):
    return [(a, b, 0) for b in range(y) for a in range(x)]


@pytest.fixture(name="mixed")
def _mixed(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(MIXED)
    options = LaunchOptions((3,), (80,), 0, ["buffer=i32:4096"])
    return case(path, square(3, 1), options=options)


@pytest.fixture(name="spmv", scope="module")
def _spmv():
    return sample("spmv", {"rows": 1024}, square(3, 1))


def test_vecadd_has_three_rows_of_words():
    found = sample("vecadd", {"n": 65536}, [(0, 0, 0), (7, 0, 0), (31, 0, 0)])
    behaviours = found.behaviours()
    assert [b.kind for b in behaviours] == ["load", "load", "store"]
    assert len({b.region for b in behaviours}) == 3
    for each in behaviours:
        assert (each.space, each.width_bytes, each.region_bytes) == (Space.GLOBAL, 4, 4 * 65536)
        assert (each.executions, each.lanes) == (24, 32)
        assert (each.sectors, each.lines, each.passes, each.lane_stride) == (4, 1, 0, 4)
        assert (each.affine.threads, each.affine.ctas) == ((4, 0, 0), (4 * 256, 0, 0))
        assert (each.affine.offset, each.affine.loops, each.affine.share) == (0, (), 1)
        assert (each.of_warp, each.of_cta, each.of_grid) == (1, 1, 1)
        assert each.footprint_sectors == 3 * 256 * 4 // 32


def test_matmul_moves_tiles_along_rows_and_columns():
    n, row = 128, 4 * 128
    found = sample("matmul", {"n": n}, square(4, 3))
    behaviours = found.behaviours()
    (loop,) = found.job.analysis.structure.loops.loops
    left, right = (b for b in behaviours if b.space is Space.GLOBAL and b.kind == "load")
    (result,) = (b for b in behaviours if b.space is Space.GLOBAL and b.kind == "store")
    assert {b.affine.threads for b in (left, right, result)} == {(4, row, 0)}
    assert (left.affine.ctas, left.affine.loops) == ((0, 16 * row, 0), ((loop.header, 64),))
    assert (right.affine.ctas, right.affine.loops) == ((64, 0, 0), ((loop.header, 16 * row),))
    assert (result.affine.ctas, result.affine.loops) == ((64, 16 * row, 0), ())
    # a warp covers two half rows; what a CTA loads is loaded by those beside or below it too
    assert {(b.sectors, b.lines, b.lane_stride) for b in (left, right)} == {(4, 2, None)}
    assert (left.of_warp, left.of_cta, left.of_grid) == (1, 1, pytest.approx(1 / 4))
    assert (right.of_warp, right.of_cta, right.of_grid) == (1, 1, pytest.approx(1 / 3))
    assert left.executions == 12 * 8 * 8
    assert left.footprint_sectors == 3 * 16 * row // 32
    shared = [b for b in behaviours if b.space is Space.SHARED]
    assert {(b.region, b.region_bytes, b.sectors, b.lines) for b in shared} == {(0, 0, 0, 0)}
    assert {b.passes for b in shared} == {1}
    assert [b.affine.offset for b in shared if b.kind == "store"] == [0, 1024]
    assert {b.affine.threads for b in shared if b.kind == "store"} == {(4, 64, 0)}
    loads = {(b.affine.threads, b.affine.offset) for b in shared if b.kind == "load"}
    assert loads == {((0, 64, 0), 4 * k) for k in range(16)} | {
        ((4, 0, 0), 1024 + 64 * k) for k in range(16)
    }
    # the same tile in all 8 rounds
    assert {b.of_warp for b in shared} == {1 / 8}
    assert {b.of_grid for b in shared} == {1}


def test_transposed_tiles_are_read_down_columns_of_33():
    found = sample("transpose", {"rows": 128, "columns": 256}, square(8, 4))
    behaviours = found.behaviours()
    down = [b for b in behaviours if b.space is Space.SHARED and b.kind == "load"]
    assert [b.affine.offset for b in down] == [0, 32, 64, 96]
    assert {(b.affine.threads, b.lane_stride, b.passes) for b in down} == {((132, 4, 0), 132, 1)}
    stores = [b for b in behaviours if b.space is Space.GLOBAL and b.kind == "store"]
    assert {b.affine.threads for b in stores} == {(4, 4 * 128, 0)}
    assert {b.affine.ctas for b in stores} == {(32 * 4 * 128, 128, 0)}
    assert [b.affine.offset for b in stores] == [8 * k * 4 * 128 for k in range(4)]


def test_a_clamped_border_is_an_exception_to_the_form():
    width = 512
    found = sample("stencil5", {"width": width, "height": 32}, square(16, 4))
    behaviours = [b for b in found.behaviours() if b.space is Space.GLOBAL and b.kind == "load"]
    centre = next(b for b in behaviours if b.executions == 512 and b.lanes == 32)
    assert (centre.affine.offset, centre.affine.share) == (0, 1)
    assert centre.affine.threads == (4, 4 * width, 0)
    assert centre.affine.ctas == (128, 8 * 4 * width, 0)
    sides = [b for b in behaviours if b.lanes == 1]
    assert len(sides) == 2
    # one lane of a row's warps; at the grid's own border it loads its neighbour
    for side in sides:
        assert side.affine.share == 15 / 16
        assert side.affine.ctas == (128, 8 * 4 * width, 0)
        assert side.affine.threads == (0, 4 * width, 0)
        assert side.lane_stride is None
    assert sorted(s.affine.offset for s in sides) == [-4, 128]


def test_each_loop_around_has_its_bytes(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(NESTED)
    options = LaunchOptions((12,), (32,), 0, ["buffer=i32:4096"])
    found = case(path, square(12, 1), options=options)
    (load,) = found.behaviours()
    outer, inner = found.job.analysis.structure.loops.loops
    assert load.affine.loops == ((outer.header, 640), (inner.header, 128))
    assert (load.affine.threads, load.affine.ctas) == ((4, 0, 0), (32, 0, 0))
    assert (load.executions, load.sectors) == (180, 4)
    assert load.lines == (1 + 2 + 2 + 2) / 4  # of four CTAs three begin inside a line
    assert (load.of_warp, load.footprint_sectors) == (1, 60 + 11)


def test_gathers_have_no_form_but_row_starts_have(spmv):
    loops = spmv.job.analysis.structure.loops
    for each in spmv.behaviours():
        inside = loops.innermost(each.block) is not None
        assert (each.affine is None) == inside
        assert each.region is not None
        assert each.lane_stride == (None if inside else 4)
    starts = [b for b in spmv.behaviours() if loops.innermost(b.block) is None]
    assert [b.affine.offset for b in starts] == [0, 4, 0]


def granules(addresses, width, size):
    return {g for a in addresses for g in range(a // size, (a + max(width, 1) - 1) // size + 1)}


def interleaved(addresses, lanes, width):
    """Place the words of a thread's local memory between those of the warp's other threads."""
    words = [(a + 4 * k, lane) for a, lane in zip(addresses, lanes, strict=True)
             for k in range(-(-width // 4))]  # fmt: skip
    return [a // 4 * 128 + lane * 4 + a % 4 for a, lane in words], [lane for _, lane in words]


def slow(batch, spaces):
    """Figures of each point as (executions, lanes, costs, reuse), one access at a time."""
    found, tables = {}, batch.tables
    wide = batch.lane_addresses
    for event in range(batch.events):
        warp = int(np.searchsorted(batch.warps, event, side="right")) - 1
        for k in range(int(batch.event_accesses[event]), int(batch.event_accesses[event + 1])):
            point = tables.points[batch.access_point[k]]
            space = spaces.get((point.block, point.instruction), point.space)
            lanes = [lane for lane in range(32) if int(batch.access_mask[k]) >> lane & 1]
            at, width = [int(wide[k, lane]) for lane in lanes], point.width_bytes
            at, lanes = interleaved(at, lanes, width) if space is Space.LOCAL else (at, lanes)
            width = min(width, 4) if space is Space.LOCAL else width
            key = (point.block, point.instruction, space)
            own = found.setdefault(key, [0, 0, np.zeros(3), 0, {}, {}, set()])
            own[0] += 1
            own[1] += int(batch.access_mask[k]).bit_count()
            addresses, on = np.array(at), np.array(lanes)
            own[2] += (
                (0, 0, shared_wavefronts(addresses, width, lanes=on))
                if space is Space.SHARED
                else (sectors(addresses, width), requests(addresses, width), 0)
            )
            cta = warp // tables.warps_per_cta
            touched = {(warp if space is Space.LOCAL else 0, g) for g in granules(at, width, 32)}
            own[3] += len(touched)
            own[4].setdefault(warp, set()).update(touched)
            own[5].setdefault(cta, set()).update(touched)
            own[6] |= touched
    return found


@pytest.mark.parametrize("name", ["spmv", "mixed"])
def test_all_counts_are_those_of_each_lane(name, request):
    found = request.getfixturevalue(name)
    wanted = slow(joined(found.batches), found.spaces)
    behaviours = found.behaviours(found.spaces)
    assert [(b.block, b.instruction) for b in behaviours] == sorted(k[:2] for k in wanted)
    for each in behaviours:
        times, lanes, costs, total, warps, ctas, every = wanted[
            each.block, each.instruction, each.space
        ]
        assert (each.executions, each.lanes) == (times, lanes / times)
        assert [each.sectors, each.lines, each.passes] == (costs / times).tolist()
        of_warps, of_ctas = (sum(map(len, own.values())) for own in (warps, ctas))
        assert each.footprint_sectors == len(every)
        own_memory = each.space in {Space.SHARED, Space.LOCAL}
        reuse = (of_warps / total, of_ctas / of_warps, 1 if own_memory else len(every) / of_ctas)
        assert (each.of_warp, each.of_cta, each.of_grid) == reuse


def test_what_guards_and_spaces_do(mixed):
    guarded, local, _, twice, double, *_ = mixed.behaviours(mixed.spaces)
    # lanes 0, 1 and 2 of each 8; the last of 3 warps has 16 lanes
    assert guarded.lanes == (12 + 12 + 6) / 3
    assert (guarded.lane_stride, guarded.affine.threads) == (36, (36, 0, 0))
    assert (local.space, local.region, local.region_bytes) == (Space.LOCAL, None, 0)
    assert local.affine is None  # tid % 8
    assert (twice.width_bytes, twice.lane_stride, twice.affine.threads) == (8, 0, (0, 0, 0))
    assert (double.space, double.passes) == (Space.SHARED, (4 + 4 + 2) / 3)


def test_generic_addresses_that_nothing_is_known_of(mixed):
    named = mixed.behaviours(mixed.spaces)
    to_tile, to_buffer = named[-2:]
    blind = mixed.behaviours()
    assert blind[:-2] == named[:-2]
    assert (to_tile.space, to_tile.passes > 0) == (Space.SHARED, True)
    unknown, known = blind[-2:]
    assert (unknown.space, unknown.sectors, unknown.region) == (Space.GENERIC, 0, None)
    assert (unknown.footprint_sectors, unknown.affine) == (0, None)
    assert (known.space, known.sectors, known.affine) == (Space.GLOBAL, 1, to_buffer.affine)


def test_texels_are_accesses_like_any():
    jobs = prepare_all("spmv-csr:tiny", options=LaunchOptions(launches="all"))
    source = executed_source(jobs[0])
    batches = list(source.batches(square(2, 1)))
    job = jobs[0]
    block = job.required_launch().block
    found = access_behaviours(job.analysis.structure, block, batches, source.layout.regions)
    texels = [b for b in found if b.space is Space.TEXTURE]
    assert texels
    for each in texels:
        assert each.region is not None
        assert 1 <= each.sectors <= each.lanes
        assert each.affine is None


def test_batches_may_be_cut_anywhere(spmv, monkeypatch):
    whole = spmv.behaviours()
    monkeypatch.setattr(accesses, "_TOGETHER", 1)
    single = [b.of_cta(int(n)) for b in spmv.batches for n in b.ctas]
    assert len(single) == 3
    assert replace(spmv, batches=single).behaviours() == whole


def test_reuse_is_counted_over_all_executions_however_many_are_taken_together(mixed, monkeypatch):
    whole = mixed.behaviours()
    monkeypatch.setattr(access_counts, "_TOGETHER", 2)
    assert mixed.behaviours() == whole


def test_a_sample_is_the_same_however_batches_are_cut(monkeypatch):
    found = sample("stencil5", {"width": 512, "height": 16}, square(16, 2))
    monkeypatch.setattr(accesses, "_MOST", 50)
    whole = found.behaviours()
    assert any(b.affine and b.affine.share < 1 for b in whole)
    monkeypatch.setattr(accesses, "_TOGETHER", 1)
    single = [b.of_cta(int(n)) for b in found.batches for n in b.ctas]
    assert replace(found, batches=single).behaviours() == whole


def test_a_sample_is_enough_for_a_form(monkeypatch):
    found = sample("matmul", {"n": 64}, square(4, 4))
    whole = found.behaviours()
    monkeypatch.setattr(accesses, "_MOST", 100)
    assert found.behaviours() == whole


def test_where_nothing_is_accessed_there_is_no_behaviour(spmv):
    assert replace(spmv, batches=[]).behaviours() == ()


def columns(*lengths):
    return np.stack([a.ravel() for a in np.indices(lengths)], axis=1).astype(np.int64)


def test_a_form_is_found_among_exceptions():
    x = columns(32, 16, 10)
    addresses = x @ np.array([4, -4096, 1 << 33]) + 100
    away = np.random.default_rng(1).random(len(x)) < 0.08
    wild = np.where(away, np.random.default_rng(2).integers(0, 1 << 40, len(x)), addresses)
    fit = affine_fit(x, wild)
    assert fit.coefficients == (4, -4096, 1 << 33)
    assert (fit.offset, fit.share) == (100, pytest.approx(1 - away.mean()))


def test_all_at_a_border_may_go_elsewhere():
    x = columns(100, 8)
    inside = x[:, 0] < 92
    fit = affine_fit(x, np.where(inside, x @ np.array([12, 1200]), 0))
    assert (fit.coefficients, fit.offset) == ((12, 1200), 0)


@pytest.mark.parametrize(
    "of", [lambda x: x[:, 0] % 8 * 4, lambda x: (x[:, 0] ^ 5) * 4, lambda x: x[:, 0] ** 2]
)
def test_what_is_not_affine_has_no_form(of):
    x = columns(64, 16)
    assert affine_fit(x, of(x) + 256 * x[:, 1]) is None


def test_a_column_that_follows_from_others_gets_nothing():
    one = columns(50)
    both = np.hstack([one, 3 * one, np.zeros_like(one)])
    assert affine_fit(both, 6 * one[:, 0]).coefficients == (6, 0, 0)
    # of the first no whole number will do
    assert affine_fit(np.hstack([3 * one, one]), 4 * one[:, 0]).coefficients == (0, 4)


def test_so_few_addresses_that_any_form_would_do():
    x = np.array([[0, 0], [1, 0], [0, 1]])
    assert affine_fit(x, np.array([0, 17, 1234])) is None
    assert affine_fit(x[:1], np.array([17])).offset == 17
