"""Addresses for accesses without any: in the right buffer, all over it, the same in every run."""

from dataclasses import replace

import numpy as np
import pytest

from tests.traces.test_trace_choice import gather, sample
from tests.traces.test_unfolding import FULL, access, source_of, static, unfolder
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, GLOBAL_BASE
from warpmill.analyzer.traces import unfolding
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.analyzer.traces.layout import (
    AddressSynthesizer,
    LaunchLayout,
    MemoryRegion,
    Occasions,
)
from warpmill.analyzer.traces.model import Repeat, TracedAccess, UnknownAddresses, Visit
from warpmill.analyzer.traces.static.values import KnownNumbers, Unknown
from warpmill.analyzer.traces.unfolding import Unfolder

LANES = 32
BUFFERS = (
    MemoryRegion("a", GLOBAL_BASE, 4096),
    MemoryRegion("b", GLOBAL_BASE + 8192, 1 << 16),
    MemoryRegion("c", CONSTANT_BASE, 512),
)
LAYOUT = LaunchLayout(
    {"shared": 64, "local": 16, "table": CONSTANT_BASE},
    {
        "a": KnownNumbers(GLOBAL_BASE),
        "b": KnownNumbers(GLOBAL_BASE + 8192 + 100),
        "f": Unknown("a float"),
    },
    BUFFERS,
    128,
)


def spread(base=None, space=Space.GLOBAL, *, width=4, masks=(FULL,), events=1, layout=LAYOUT):
    """The addresses of a point, shape (accesses, lanes), -1 where a lane is off."""
    synthesizer = AddressSynthesizer(
        [AccessPoint(0, 0, "load", space, width)], {(0, 0): base}, layout, LANES
    )
    masks = np.resize(np.array(masks, np.uint64), events)
    zero, points = np.zeros(events, np.int64), np.zeros(events, np.int32)
    return lanes(synthesizer.spread(points, masks, Occasions(zero, zero, np.arange(events))), masks)


def lanes(found, masks):
    whole = found.base[:, None] + found.rows[found.row]
    on = masks[:, None] >> np.arange(LANES, dtype=np.uint64) & np.uint64(1) == 1
    assert not found.rows[found.row][~on].any()
    assert not found.rows[found.row, on.argmax(axis=1)].any()  # the first one that is on
    return np.where(on, whole, -1)


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, None])
def test_they_are_aligned_and_in_the_buffer_that_is_meant(width):
    found = spread("b", width=width, events=500, masks=(FULL, 5, 1 << 31))
    own = found[found >= 0]
    assert own.min() >= BUFFERS[1].start
    assert own.max() <= BUFFERS[1].start + BUFFERS[1].size_bytes - (width or 4)
    assert (own % (width or 4) == 0).all()
    assert [(row >= 0).sum() for row in found[:3]] == [32, 2, 1]


def test_any_lane_may_be_anywhere_as_often_as_elsewhere():
    """Each of 16 pieces of a buffer gets its share, of each lane and of all, but for chance."""
    found = spread("a", events=20_000)
    pieces = (found - GLOBAL_BASE) // 256
    for lane in (0, 1, 31):
        counts = np.bincount(pieces[:, lane], minlength=16)
        chi_square = ((counts - 1250.0) ** 2 / 1250).sum()
        assert chi_square < 50  # 15 degrees of freedom: once in 10^5
    assert np.unique(found).size == 1024


def test_lanes_go_their_own_ways():
    """So many distinct sectors are touched as by numbers of chance."""
    found = spread("b", events=2000) // 32
    distinct = np.mean([np.unique(row).size for row in found])
    sectors = (1 << 16) / 32
    assert distinct == pytest.approx(sectors * (1 - (1 - 1 / sectors) ** 32), rel=0.01)
    steps = np.corrcoef(found[:, :2].T)[0, 1]
    assert abs(steps) < 0.1


def test_patterns_are_few():
    synthesizer = AddressSynthesizer(
        [AccessPoint(0, 0, "load", Space.GLOBAL, 4)], {(0, 0): "b"}, LAYOUT, LANES
    )
    zero = np.zeros(50_000, np.int64)
    masks = np.full(50_000, FULL, np.uint64)
    when = Occasions(zero, zero, np.arange(50_000))
    assert len(synthesizer.spread(zero.astype(np.int32), masks, when).rows) <= 32 * 33


def test_they_follow_from_access_cta_warp_and_event_alone():
    point = AccessPoint(0, 0, "load", Space.GLOBAL, 4)
    synthesizer = AddressSynthesizer([point, point], {(0, 0): "b"}, LAYOUT, LANES)
    each = np.array([(p, c, w, e) for p in range(2) for c in range(5) for w in range(5)
                     for e in range(5)])  # fmt: skip
    masks = np.full(len(each), FULL, np.uint64)

    def of(rows):
        return lanes(
            synthesizer.spread(
                rows[:, 0].astype(np.int32), masks[: len(rows)], Occasions(*rows.T[1:])
            ),
            masks[: len(rows)],
        )

    found = of(each)
    assert len({tuple(row) for row in found.tolist()}) == len(each)
    order = np.random.default_rng(1).permutation(len(each))
    assert np.array_equal(of(each[order]), found[order])
    assert np.array_equal(of(each[7:9]), found[7:9])
    apart = (found[each[:, 0] == 1] - found[each[:, 0] == 0])[:, 0]
    assert np.unique(apart).size > 100  # points go their own ways too


def test_a_lane_is_where_it_is_whoever_is_on():
    whole, some = spread("a", events=64), spread("a", events=64, masks=(6 << 8,))
    assert np.array_equal(some[:, 9:11], whole[:, 9:11])


def places(found):
    return {next(r.name for r in BUFFERS if r.holds(a)) for a in found[found >= 0].tolist()}


@pytest.mark.parametrize(
    ("base", "space", "wanted"),
    [
        ("a", Space.GLOBAL, {"a"}),
        ("b", Space.GENERIC, {"b"}),  # an address inside of it
        (None, Space.GLOBAL, {"a", "b"}),
        ("f", Space.GENERIC, {"a", "b"}),
        ("nobody", Space.GLOBAL, {"a", "b"}),
        ("table", Space.CONST, {"c"}),
        (None, Space.CONST, {"c"}),
    ],
)
def test_without_a_known_buffer_they_are_in_all_of_the_space(base, space, wanted):
    assert places(spread(base, space, events=300)) == wanted


def test_larger_buffers_get_more():
    found = spread(events=2000)[:, 0]
    share = np.mean(found < GLOBAL_BASE + 4096)
    assert share == pytest.approx(4096 / (4096 + (1 << 16)), abs=0.02)


def test_buffers_that_begin_anywhere_have_aligned_places():
    layout = replace(LAYOUT, regions=(MemoryRegion("a", GLOBAL_BASE - 3, 4099),))
    found = spread("a", width=16, layout=layout, events=99)
    assert (found % 16 == 0).all()
    assert GLOBAL_BASE <= found.min() < found.max() <= GLOBAL_BASE + 4080


@pytest.mark.parametrize("size", [0, 1, 4, 7])
def test_tiny_buffers_have_one_place(size):
    layout = replace(LAYOUT, regions=(MemoryRegion("a", GLOBAL_BASE, size),))
    assert set(spread("a", layout=layout, events=9).ravel().tolist()) == {GLOBAL_BASE}


def test_a_launch_without_buffers_has_some_memory():
    found = spread(layout=replace(LAYOUT, regions=()), events=9)
    assert GLOBAL_BASE <= found.min() < found.max() < GLOBAL_BASE + (1 << 20)


def test_huge_buffers_are_filled():
    layout = replace(LAYOUT, regions=(MemoryRegion("a", GLOBAL_BASE, 1 << 44),))
    found = spread("a", width=1, layout=layout, events=100)
    assert GLOBAL_BASE <= found.min() < GLOBAL_BASE + (1 << 40)
    assert GLOBAL_BASE + (15 << 40) < found.max() < GLOBAL_BASE + (1 << 44)


def test_shared_memory_has_consecutive_words_and_local_memory_one():
    masks = (FULL, 6 << 8)
    shared = spread("shared", Space.SHARED, events=2, masks=masks)
    assert shared[0].tolist() == list(range(64, 64 + 128, 4))
    assert shared[1, 9:11].tolist() == [64 + 36, 64 + 40]
    assert spread(None, Space.SHARED, width=8)[0].tolist() == list(range(0, 256, 8))
    local = spread("local", Space.LOCAL, events=2, masks=masks)
    assert set(local[local >= 0].tolist()) == {16}


# -- in batches ----------------------------------------------------------------------------------


def test_gathered_addresses_are_in_the_buffer_that_is_gathered_from(tmp_path):
    """Of a kernel whose load from ``from`` goes by loaded numbers: those alone are unknown."""
    job = gather(tmp_path)
    source = static(job)
    work = unfolder(job, source)
    (batch,) = work.batches([(0, 0, 0)])
    (number,) = [n for n, p in enumerate(batch.tables.points) if p.kind == "load"][1:]
    assert work.unknown_accesses == {(0, batch.tables.points[number].instruction): 2}
    region = next(r for r in source.layout.regions if r.name == "from")
    loads = batch.lane_addresses[batch.access_point == number]
    assert loads.shape == (2, 32)
    assert all(region.holds(a) for a in loads.ravel().tolist())
    assert (loads[0] != loads[1]).any()
    assert all(np.unique(row).size > 10 for row in loads)  # of 64 places
    stores = batch.lane_addresses[batch.access_point == number + 1].ravel()
    assert stores.tolist() == [source.layout.regions[0].start + 4 * k for k in range(64)]


def mixed_source():
    unknown = TracedAccess(2, FULL, UnknownAddresses("data"))
    some = TracedAccess(2, 12, UnknownAddresses("data"))
    body = (Visit(0, FULL, (), (access(8), unknown)), Visit(0, FULL, (), (some, access(0))))
    return source_of((Visit(1, 1), Repeat(5, body)), (), (Repeat(3, body),))


def test_unknown_ones_are_counted_anew_once_they_were_taken():
    work = Unfolder(mixed_source(), grid=(9, 1, 1), warp_size=32, max_events=99)
    for _ in range(2):
        list(work.batches([(n, 0, 0) for n in range(3)]))
        assert work.take_unknown_accesses() == {(0, 2): 16}
    assert work.take_unknown_accesses() == {}


def test_known_and_unknown_ones_stand_together_whatever_the_batch(monkeypatch):
    def run():
        work = Unfolder(mixed_source(), grid=(9, 1, 1), warp_size=32, max_events=99)
        return work, list(work.batches([(n, 0, 0) for n in range(3)]))

    work, (whole,) = run()
    assert work.unknown_accesses == {(0, 2): 16}
    assert whole.access_mask.tolist() == [FULL, FULL, 12, FULL] * 8
    known = whole.lane_addresses[0::4, 0].tolist()
    assert known == [4096 + 8 * k for k in (*range(5), *range(3))]
    assert (whole.lane_addresses[2::4] != 0).sum(axis=1).tolist() == [2] * 8
    monkeypatch.setattr(unfolding, "TOGETHER", 1)
    work, apart = run()
    assert work.unknown_accesses == {(0, 2): 16}
    assert [b.ctas.tolist() for b in apart] == [[0], [1], [2]]
    assert all(b == whole.of_cta(int(b.ctas[0])) for b in apart)


def test_accesses_of_a_real_kernel_are_all_counted():
    """Of a sparse matrix by a vector: columns and rows are data."""
    job = sample("spmv")
    source = static(job)
    work = unfolder(job, source)
    (batch,) = work.batches([(0, 0, 0), (1, 0, 0)])
    visits = [v for b in range(2) for w in source.warps((b, 0, 0)) for v in flat(w.nodes)]
    wanted = {}
    for visit, times in visits:
        for touched in visit.accesses:
            if isinstance(touched.addresses, UnknownAddresses):
                place = (visit.block, touched.instruction)
                wanted[place] = wanted.get(place, 0) + times
    assert work.unknown_accesses == wanted
    assert wanted
    regions = source.layout.regions
    addresses = batch.lane_addresses[batch.lane_addresses != 0]
    inside = np.zeros(len(addresses), bool)
    for region in regions:
        inside |= (addresses >= region.start) & (addresses < region.start + region.size_bytes)
    assert inside.all()


def flat(nodes):
    for node in nodes:
        if isinstance(node, Repeat):
            yield from ((v, n * node.count) for v, n in flat(node.body))
        else:
            yield node, 1
