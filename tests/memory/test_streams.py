"""Transactions of warp accesses, once for each shape, against going byte by byte."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.reference.streams_twin import slow_streams
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, GLOBAL_BASE, SHARED_WINDOW
from warpmill.analyzer.memory.batches import access_costs
from warpmill.analyzer.memory.rules import CONST, LOCAL, MEMORY, SHARED, TEXTURE, WarpAccesses
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.streams import StreamRules, stream_rules, streams

SAMPLES = Path(__file__).parents[2] / "samples"
RULES = {
    "volta": StreamRules(),
    "half warps": StreamRules(banks=16, lanes_per_group=16, tex_line_bytes=32),
    "lines": StreamRules(sector_bytes=128, bank_width_bytes=8, l1_banks=1),
    "odd": StreamRules(
        sector_bytes=48, lanes_per_group=12, banks=20, l1_banks=3, const_line_bytes=40,
        tex_line_bytes=96,
    ),
    "pairs of sectors": StreamRules(sector_bytes=64, tex_line_bytes=256, const_line_bytes=512),
    "tiny": StreamRules(sector_bytes=2, l1_banks=8, bank_width_bytes=2, const_line_bytes=4),
}  # fmt: skip
WAY = {
    MEMORY: Space.GLOBAL, LOCAL: Space.LOCAL, CONST: Space.CONST, TEXTURE: Space.TEXTURE,
    SHARED: Space.SHARED,
}  # fmt: skip


def batch_of(points, lanes, point, base, pattern, patterns, mask):
    """Make a batch in which each access is an event of its own, all of one warp."""
    n = len(point)
    steps, nothing = np.arange(n + 1), np.zeros(0, np.int64)
    masks = np.asarray(mask, np.uint64)
    return EventBatch(
        tables=EventTables((1, 1, 1), lanes, 1, tuple(points), ()),
        ctas=np.zeros(1, np.int64),
        warps=np.array([0, n]),
        block=np.zeros(n, np.int32),
        mask=masks,
        event_guards=np.zeros(n + 1, np.int64),
        guard_number=nothing.astype(np.int32),
        guard_mask=nothing.astype(np.uint64),
        event_accesses=steps,
        access_point=np.asarray(point, np.int32),
        access_mask=masks,
        access_base=np.asarray(base, np.int64),
        access_pattern=np.asarray(pattern, np.int32),
        patterns=np.asarray(patterns, np.int64),
    )


def random_batch(seed, lanes, n=250, rows=40):
    random = np.random.default_rng([seed, lanes])
    widths = [1, 2, 4, 8, 12, 16, None, 100]
    points = [AccessPoint(k, 0, "load", s, w) for k, s in enumerate(Space) for w in widths]
    strides = random.choice([0, 1, 2, 4, 8, 36, 128], (rows, 1))
    patterns = random.integers(-5, 40, (rows, lanes)) * strides + random.integers(0, 2, (rows, 1))
    full = (1 << lanes) - 1
    masks = [int(m) & full for m in random.integers(1, 1 << 63, n, np.int64)]
    masks = [m if random.random() < 0.6 else full for m in masks]
    start = random.choice([0, 1 << 14, GLOBAL_BASE, CONSTANT_BASE, SHARED_WINDOW + 64, 1 << 44], n)
    return batch_of(
        points,
        lanes,
        random.integers(0, len(points), n),
        start + random.integers(0, 200, n) * random.choice([1, 2, 4], n),
        random.integers(0, rows, n),
        patterns,
        masks,
    )


def told(found):
    """What the twin gives of each access, transactions by their whole granule."""
    shapes = []
    columns = ("offset", "lanes", "full", "words", "parts")
    made = list(zip(*(getattr(found, f"txn_{c}").tolist() for c in columns), strict=True))
    for s in range(len(found.shape_passes)):
        own = made[found.shape_first[s] : found.shape_first[s + 1]]
        shapes.append((int(found.shape_passes[s]), int(found.shape_lanes[s]), own))
    for way, base, s in zip(
        found.access_way.tolist(), found.access_base.tolist(), found.access_shape, strict=True
    ):
        passes, lanes, own = shapes[s]
        yield WAY[way], passes, lanes, [(base + offset, *rest) for offset, *rest in own]


def only(space, width, steps, *, base=GLOBAL_BASE, rules=RULES["volta"], mask=None, **options):
    """What the streams of one access tell."""
    lanes = len(steps)
    point = AccessPoint(0, 0, "load", space, width)
    on = (1 << lanes) - 1 if mask is None else mask
    return streams(batch_of([point], lanes, [0], [base], [0], [steps], [on]), rules, **options)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("lanes", [32, 64, 8])
def test_every_access_costs_what_it_costs_byte_by_byte(rules, lanes):
    batch = random_batch(1, lanes)
    twin = list(slow_streams(batch, rules))
    assert len({(space, passes) for space, passes, *_ in twin}) > 15
    for k, (own, slow) in enumerate(zip(told(streams(batch, rules)), twin, strict=True)):
        assert own == slow, (k, batch.tables.points[batch.access_point[k]])


def test_many_shapes_with_more_transactions_than_there_was_room_for():
    batch = random_batch(2, 32, n=3000, rows=2000)
    found, rules = streams(batch, RULES["volta"]), RULES["volta"]
    assert len(found.shape_passes) > 2500
    chosen = range(0, 3000, 7)
    slow = list(slow_streams(batch, rules, chosen=chosen))
    own = list(told(found))
    assert [own[k] for k in chosen] == slow


def test_shapes_with_too_many_transactions_for_one_go(monkeypatch):
    batch = random_batch(2, 32, n=300, rows=200)
    whole = list(told(streams(batch, RULES["volta"])))
    monkeypatch.setattr("warpmill.analyzer.memory.shapes._TOGETHER", 1000)
    assert list(told(streams(batch, RULES["volta"]))) == whole


def test_accesses_that_need_more_room_in_turn():
    """A copy of many bytes has many transactions, and a line more pieces than a sector."""
    points = [
        AccessPoint(0, 0, "load", Space.GLOBAL, 5000),
        AccessPoint(1, 0, "load", Space.TEXTURE, 16),
    ]
    steps, n = np.zeros(32), 60
    on = [1 if k % 3 == 0 else (1 << 32) - 1 for k in range(n)]
    batch = batch_of(points, 32, np.arange(n) % 3 > 0, 7 * np.arange(n), [0] * n, [steps], on)
    assert list(told(streams(batch, RULES["volta"]))) == list(slow_streams(batch, RULES["volta"]))


def test_a_coalesced_access_is_four_sectors_of_eight_lanes():
    found = only(Space.GLOBAL, 4, np.arange(32) * 4)
    assert found.txn_offset.tolist() == [0, 1, 2, 3]
    assert found.txn_lanes.tolist() == [8] * 4 and found.txn_full.all()
    assert found.txn_words.tolist() == [1] * 4
    assert (found.shape_passes.tolist(), found.shape_lanes.tolist()) == ([1], [32])
    assert found.access_base.tolist() == [GLOBAL_BASE // 32]


@pytest.mark.parametrize(
    ("granule", "first", "lanes", "parts"),
    [
        (32, 4, 3, [0b00001110]),  # an eighth is one lane's 4 B
        (64, 8, 4, [0b00000110]),
        (64, 4, 3, [0b00000010]),  # of the first eighth only a half
        (128, 112, 8, [0b10000000, 0b00000001]),
        (256, 32, 16, [0b00000110]),
        (256, 36, 15, [0b00000100]),
        (512, 0, 32, [0]),  # parts of 64 B are told apart by none
        (48, 0, 6, [0]),
    ],
)
def test_eighths_that_are_touched_whole(granule, first, lanes, parts):
    """Lanes store 4 B each, one behind the other, from a byte of a granule on."""
    rules = replace(RULES["volta"], sector_bytes=granule)
    start = GLOBAL_BASE // granule * granule + first
    found = only(Space.GLOBAL, 4, np.arange(lanes) * 4, base=start, rules=rules)
    assert found.txn_parts.tolist() == parts


def test_order_is_that_of_lanes_and_offsets_may_be_negative():
    found = only(Space.GLOBAL, 4, -32 * np.arange(32) * 4)
    assert found.txn_offset.tolist() == [-4 * k for k in range(32)]
    assert found.shape_passes.tolist() == [32]  # all in one of four banks of L1
    assert not found.txn_full.any()


def test_lanes_that_meet_on_one_word():
    found = only(Space.GLOBAL, 4, [0] * 30 + [4, 4])
    assert (found.txn_lanes.tolist(), found.txn_words.tolist()) == ([32], [30])


def test_local_memory_interleaves_the_words_of_lanes():
    found = only(Space.LOCAL, 8, [0] * 32, base=24)
    assert found.txn_offset.tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    assert found.access_base.tolist() == [24 // 4 * 128 // 32]
    assert found.txn_lanes.tolist() == [8] * 8 and found.txn_full.all()


def test_constants_are_served_word_by_word_and_shared_memory_bank_by_bank():
    assert only(Space.CONST, 16, [0] * 32).shape_passes.tolist() == [1]
    spread = only(Space.CONST, 4, np.arange(32) * 4)
    assert (spread.shape_passes.tolist(), spread.txn_offset.tolist()) == ([32], [0, 1])
    for stride, passes in ((4, 1), (8, 2), (128, 32), (132, 1), (0, 1)):
        found = only(Space.SHARED, 4, np.arange(32) * stride, base=64)
        assert found.shape_passes.tolist() == [passes]
        assert found.txn_offset.size == 0 and found.access_base.tolist() == [16]


def test_accesses_share_shapes_wherever_they_begin():
    n = 400
    point = [AccessPoint(k, 0, "load", Space.GLOBAL, 4) for k in range(3)]
    steps = [np.arange(32) * 4, np.arange(32) * 8]
    places = GLOBAL_BASE + 4 * np.arange(n)
    on = [(1 << 32) - 1] * n
    batch = batch_of(point, 32, np.arange(n) % 3, places, np.arange(n) // 8 % 2, steps, on)
    assert len(streams(batch, RULES["volta"]).shape_passes) == 16  # two patterns, eight places
    shared = [replace(p, space=Space.SHARED) for p in point]
    batch = replace(batch, tables=replace(batch.tables, points=tuple(shared)))
    assert len(streams(batch, RULES["volta"]).shape_passes) == 2


@pytest.mark.parametrize("part", ["mask", "width", "pattern", "place"])
def test_shapes_differ_where_one_part_does(part):
    """So many that their keys collide."""
    n = 700
    each, same = np.arange(n), np.zeros(n, np.int64)
    points = [AccessPoint(k, 0, "load", Space.TEXTURE, k + 1) for k in range(n)]
    batch = batch_of(
        points,
        32,
        each if part == "width" else same,
        each if part == "place" else same,
        each if part == "pattern" else same,
        np.arange(32) * (np.arange(n)[:, None] + 1) * 4,
        each + 1 if part == "mask" else same + 1,
    )
    found = streams(batch, replace(RULES["volta"], tex_line_bytes=1024))
    assert found.access_shape.tolist() == each.tolist()


def test_generic_addresses_tell_where_they_go():
    steps = np.arange(32) * 4
    for base, way in (
        (GLOBAL_BASE, MEMORY), (64, SHARED), (CONSTANT_BASE + 64, CONST),
        (SHARED_WINDOW + 64, MEMORY),
    ):  # fmt: skip
        assert only(Space.GENERIC, 4, steps, base=base).access_way.tolist() == [way]
    known = {(0, 0): Space.LOCAL}
    assert only(Space.GENERIC, 4, steps, base=64, spaces=known).access_way.tolist() == [LOCAL]
    assert only(Space.GLOBAL, 4, steps, spaces=known).access_way.tolist() == [MEMORY]


def test_copies_of_one_lane_may_be_long_but_not_of_any_length():
    assert only(Space.GLOBAL, 1 << 20, [0] * 32, mask=1).txn_offset.tolist() == [*range(1 << 15)]
    with pytest.raises(LimitError, match="32 threads access 1073741824 bytes each at once"):
        only(Space.GLOBAL, 1 << 30, [0] * 32)


def test_room_for_what_lanes_touch_is_of_pieces_of_32_bytes(monkeypatch):
    """Each of 32 lanes may touch two lines, of four pieces each; costs need none of the pieces."""
    limit = "warpmill.analyzer.memory.shapes.MOST_PIECES"
    steps, rules = np.arange(32) * 16, replace(RULES["volta"], sector_bytes=128)
    monkeypatch.setattr(limit, 256)
    assert len(only(Space.GLOBAL, 16, steps, rules=rules).txn_offset) == 4
    monkeypatch.setattr(limit, 255)
    with pytest.raises(LimitError):
        only(Space.GLOBAL, 16, steps, rules=rules)
    one = WarpAccesses(*map(np.array, ([GLOBAL_BASE], [0], [steps], [2**32 - 1], [16], [MEMORY])))
    monkeypatch.setattr(limit, 64)
    assert access_costs(one, rules).of_accesses[0, 0] == 4


def test_no_lane_on():
    for space in (Space.GLOBAL, Space.SHARED, Space.CONST):
        found = only(space, 4, [0] * 32, mask=0)
        assert (found.shape_passes.tolist(), found.shape_lanes.tolist()) == ([1], [0])
        assert found.txn_offset.size == 0


def test_nothing_at_all():
    batch = random_batch(1, 32, n=1)
    nothing = {
        name: getattr(batch, name)[:0]
        for name in ("access_point", "access_mask", "access_base", "access_pattern")
    }
    bare = replace(batch, **nothing, patterns=batch.patterns[:0], event_accesses=np.zeros(2, int))
    found = streams(bare, RULES["volta"])
    assert found.shape_first.tolist() == [0] and found.txn_offset.size == 0
    assert found.event_lanes.tolist() == [batch.mask[0].item().bit_count()]


@pytest.mark.parametrize(
    ("sample", "kernel", "sizes"),
    [
        ("spmv", None, {"rows": 512, "cols": 512}),
        ("transpose", None, {}),
        ("binomial", "binomial_thread", {}),
    ],
)
def test_executed_batches(sample, kernel, sizes):
    options = LaunchOptions(sizes=sizes)
    job = prepare_all(SAMPLES / sample / "launch.toml", kernel, options=options)[0]
    (batch,) = executed_source(job).batches([(0, 0, 0)])
    rules = RULES["volta"]
    found = streams(batch, rules)
    assert found.event_lanes.tolist() == [m.bit_count() for m in batch.mask.tolist()]
    points = batch.tables.points
    widths = np.array([p.width_bytes for p in points])[batch.access_point]
    local = np.array([p.space is Space.LOCAL for p in points])[batch.access_point]
    accesses = WarpAccesses(
        batch.access_base, batch.access_pattern, batch.patterns, batch.access_mask, widths,
        np.where(local, LOCAL, MEMORY).astype(np.uint8),
    )  # fmt: skip
    costs = access_costs(accesses).of_accesses
    shared = found.access_way == SHARED
    memory = (found.access_way == MEMORY) | (found.access_way == LOCAL)
    assert (shared | memory).all() and memory.any()
    counts = np.diff(found.shape_first)[found.access_shape]
    assert np.array_equal(counts[memory], costs[memory, 0])
    assert np.array_equal(found.shape_passes[found.access_shape][shared], costs[shared, 2])
    few = np.unique(found.access_shape, return_index=True)[1][:300].tolist()
    own = list(told(found))
    assert [own[k] for k in few] == list(slow_streams(batch, rules, chosen=few))


def test_rules_of_machines():
    assert stream_rules(load_machine("v100")) == StreamRules(packs_pairs=True)
    assert not stream_rules(load_machine("gtx980")).packs_pairs
    old = stream_rules(load_machine("quadro_fx5800_gpgpusim"))
    assert (old.lanes_per_group, old.banks) == (16, 16)
    odd = stream_rules(load_machine("v100", {"l1.sector_bytes": 48}))
    assert (odd.sector_bytes, odd.line_bytes) == (128, 128)
    wide = stream_rules(load_machine("mi100", {"shared.banks": 64}))
    assert wide.lanes_per_group == 64


@pytest.mark.parametrize("name", machine_names())
def test_every_machine_has_rules(name):
    rules = stream_rules(load_machine(name))
    assert rules.line_bytes % rules.sector_bytes == 0
