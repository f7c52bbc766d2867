"""The accesses of clones: as many sectors, conflicts and bytes as in their originals."""

from dataclasses import replace

import numpy as np
import pytest

from tests.reference.clone_kernels import (
    CTAID,
    FETCH,
    LANE,
    ROUND,
    THREAD,
    WARP,
    accesses,
    hashed,
    loop,
    made,
    studied,
)
from warpmill.analyzer.ir.types import Space
from warpmill.codegen.model import ScatteredSite
from warpmill.codegen.synthesis.addressing import _places, _power, _spread, sharing


def found(random, places, draws):
    """How many different places so many draws find, on average."""
    return np.mean([len(set(random.integers(0, places, draws))) for _ in range(400)])


def test_numbers_of_places_are_those_that_draws_find():
    """Of lanes at once, and of all draws the share that is fresh; rounded to powers of two."""
    random = np.random.default_rng(3)
    for lanes, sectors in ((32, 2.0), (32, 9.0), (32, 20.0), (8, 6.5), (32, 30.0)):
        assert found(random, round(_spread(lanes, sectors)), lanes) == pytest.approx(
            sectors, rel=0.15
        )
    for draws, fresh in ((1000, 0.9), (1000, 0.5), (400, 0.1), (50, 0.6)):
        assert found(random, round(_places(draws, fresh)), draws) == pytest.approx(
            fresh * draws, rel=0.05
        )
    assert (_places(100, 0.99), _places(100, 0.0)) == (1600, 1)  # hardly any twice; all at one
    assert [_power(n) for n in (0, 1, 1.4, 1.5, 2, 5.6, 5.7, 11, 12, 1000)] == [
        1, 1, 1, 2, 2, 4, 8, 8, 16, 1024,
    ]  # fmt: skip


def test_words_beside_each_other_stay_so(clones):
    one = clones("hundred", reduction=1)
    for kind in ("load", "store"):
        (there,), (here,) = accesses(one.there, kind), accesses(one.here, kind)
        assert (here.sectors, here.lines, here.lane_stride) == (4, 1, 4)
        assert here.affine.threads == there.affine.threads == (4, 0, 0)
        assert here.affine.ctas == there.affine.ctas == (512, 0, 0)


def test_words_far_apart_stay_so(clones):
    """32 B from lane to lane: a sector a lane, 8 lines; 4 B on in each iteration."""
    one = clones("far apart", reduction=1)
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert (there.lane_stride, here.lane_stride) == (32, 32)
    assert here.sectors == pytest.approx(there.sectors, rel=0.02)
    assert here.lines == pytest.approx(there.lines, rel=0.05)
    assert here.of_warp == pytest.approx(there.of_warp, rel=0.1)
    assert [step for _, step in here.affine.loops] == [4]


@pytest.mark.parametrize(
    "name",
    [
        "scattered",
        "scattered warps",
        pytest.param(
            "atomic",
            marks=pytest.mark.xfail(
                strict=True, reason="lanes' places lie on a lattice: 26 of 32 sectors, not 20"
            ),
        ),
    ],
)
def test_scattered_accesses_touch_as_many_sectors(clones, name):
    one = clones(name, reduction=1)
    kind = "atomic" if name == "atomic" else "load"
    (there,), (here,) = accesses(one.there, kind), accesses(one.here, kind)
    assert any(isinstance(site, ScatteredSite) for site in one.model.sites)
    assert there.affine is None
    assert here.affine is None
    assert here.sectors == pytest.approx(there.sectors, rel=0.15)
    assert here.lanes == there.lanes


def test_ctas_scatter_in_windows_of_their_own(tmp_path):
    """A CTA reads 64 words of its own 256 B, 2 KB from those of the next one.

    Windows are as many as CTAs, and drawn: of 16 draws from 16 some 10 differ.
    """
    body = hashed("%r12", THREAD, ROUND, bits=6) + f"mad.lo.u32 %r12, {CTAID}, 512, %r12;\n" + FETCH
    one = made(tmp_path, studied(tmp_path, loop(body, 16), grid=16), reduction=1)
    (site,) = (site for site in one.model.sites if isinstance(site, ScatteredSite))
    assert site.windows == 16
    assert site.windows * site.granules * site.granule_bytes == site.reach
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert (there.of_grid, there.footprint_sectors) == (1.0, 16 * 8)
    assert here.footprint_sectors <= site.reach // 32 <= 2 * there.footprint_sectors
    assert here.of_cta * here.of_warp == pytest.approx(there.of_cta * there.of_warp, rel=0.2)
    (array,) = (a for a in one.model.arrays if a.space is Space.GLOBAL)
    assert site.offset + site.reach <= array.size_bytes


def test_guards_are_on_for_as_many_lanes(clones):
    one = clones("guarded", reduction=1)
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert (there.lanes, here.lanes) == (8, 8)
    assert (there.sectors, here.sectors) == (1, 1)


def test_bank_conflicts_stay(clones):
    """16 B from lane to lane: 4 passes; neighbouring words: 1."""
    one = clones("banks", reduction=1)
    for kind, passes in (("store", 4), ("load", 1)):
        (there,) = accesses(one.there, kind, Space.SHARED)
        (here,) = accesses(one.here, kind, Space.SHARED)
        assert (there.passes, here.passes) == (passes, passes)
    assert one.here.profile.barriers == one.there.profile.barriers
    assert one.here.static_shared_bytes >= one.there.static_shared_bytes == 4096


def test_arrays_are_large_enough_and_not_larger_than_addresses_reach(clones):
    """16 CTAs of 128 words, each read once."""
    (array,) = (a for a in clones("hundred", reduction=1).model.arrays if a.space is Space.GLOBAL)
    assert 16 * 128 * 4 <= array.size_bytes <= 16 * 128 * 4 + 512


@pytest.mark.parametrize("rounds", [10, 4])
def test_a_warp_stays_where_it_was_as_often(tmp_path, rounds):
    """It reads the same 32 words for some rounds, and then others: so many new sectors."""
    body = f"div.u32 %r13, {ROUND}, {rounds};\n" + hashed("%r12", WARP, CTAID, "%r13", bits=11)
    body += f"shl.b32 %r12, %r12, 5; add.u32 %r12, %r12, {LANE};\n" + FETCH
    one = made(tmp_path, studied(tmp_path, loop(body, 60), grid=16), reduction=1)
    (there,), (here,) = accesses(one.there, "load"), accesses(one.here, "load")
    assert there.affine is None
    assert there.of_warp == pytest.approx(1 / rounds, rel=0.05)
    assert here.of_warp == pytest.approx(there.of_warp, rel=0.35)
    assert here.sectors == pytest.approx(there.sectors, rel=0.1)
    assert here.footprint_sectors == pytest.approx(there.footprint_sectors, rel=0.5)


def test_windows_stay_as_many_as_ctas_where_little_is_left(tmp_path):
    """A CTA reads 256 words of its own again and again: a clone of 1/64 has fewer draws
    than sectors, and lanes still choose among all of them."""
    body = hashed("%r12", THREAD, ROUND, bits=8) + f"mad.lo.u32 %r12, {CTAID}, 512, %r12;\n" + FETCH
    one = made(tmp_path, studied(tmp_path, loop(body, 128), grid=16), reduction=64)
    (site,) = (site for site in one.model.sites if isinstance(site, ScatteredSite))
    assert site.granules == 32
    assert site.windows >= 8  # powers of two: half as many, where there are twice the places


def test_accesses_that_use_more_than_there_is_share_their_places(tmp_path):
    """Three loads scattered over the same 64 words of a CTA, where there are no more."""
    body = ""
    for salt in (1, 2, 3):
        body += hashed("%r12", THREAD, ROUND, salt, bits=6)
        body += f"mad.lo.u32 %r12, {CTAID}, 64, %r12;\n" + FETCH
    original = studied(tmp_path, loop(body, 8), grid=16)
    own = {(a.block, a.instruction, a.space): a for a in accesses(original.subjects[0], "load")}
    assert {a.footprint_sectors for a in own.values()} == {16 * 8}
    sites = dict.fromkeys(own, ScatteredSite(0, 0, 1, 8, 32, 0, by_lane=True))
    tight = {place: replace(a, region_bytes=16 * 256) for place, a in own.items()}
    ample = {place: replace(a, region_bytes=3 * 16 * 256) for place, a in own.items()}
    assert sharing(tight, sites) == [list(own)]
    assert sharing(ample, sites) == [[place] for place in own]


def test_accesses_of_ctas_that_were_not_looked_at_are_left_out(tmp_path):
    """One of 200 CTAs stores apart; nothing is known of where, so the clone has none there."""
    body = f"setp.ne.u32 %p1, {CTAID}, 77; @%p1 bra END;\nst.global.u32 [%rd2+4], %r7;\n"
    one = made(tmp_path, studied(tmp_path, body, grid=200))
    (rare,) = (b for b in one.model.blocks if 0 < b.original < 0.01)
    assert all(access.block != rare.id for access in one.original.subjects[0].accesses)
    assert not any(slot.sites for slot in rare.slots)
    text = (tmp_path / "clone.ptx").read_text()
    assert text.count("st.global") == 1


def test_copies_of_nothing_have_no_place_in_global_memory(tmp_path):
    """A copy to shared memory that reads 0 bytes: the clone reads nowhere either.

    Beside it stands one that reads 16 B, whose places stay: 4 words of the buffer a lane.
    """
    nothing = f"and.b32 %r12, {ROUND}, 0;"
    copies = (
        "shl.b32 %r14, %r1, 4; add.u32 %r15, %r8, %r14; mul.wide.u32 %rd5, %r6, 16;"
        "add.s64 %rd6, %rd2, %rd5; cp.async.cg.shared.global [%r15], [%rd6], 16;"
        "cp.async.cg.shared.global [%r15+2048], [%rd6], 16, %r12; cp.async.wait_all; bar.sync 0;"
    )
    one = made(tmp_path, studied(tmp_path, loop(nothing + copies, 16)), reduction=1)
    (there,), (here,) = (
        [a for a in subject.accesses if a.space is Space.GLOBAL and a.kind != "store"]
        for subject in (one.there, one.here)
    )
    assert (there.lanes, there.lane_stride) == (here.lanes, here.lane_stride) == (32, 16)
