"""Folded traces as batches of events: as executing gives them, within limits, by the kernel."""

import weakref
from functools import cache

import numpy as np
import pytest

from tests.reference.random_trees import GivenSource
from tests.reference.run_kernel import kernel_text, prepare
from tests.reference.saved_traces import SAMPLES, saved
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces import unfolded_tree, unfolding
from warpmill.analyzer.traces.file_format import decoded_batch, encoded_batch
from warpmill.analyzer.traces.files import FileSource
from warpmill.analyzer.traces.model import (
    AffinePattern,
    LaneAddresses,
    ListedPattern,
    Repeat,
    TracedAccess,
    Visit,
    WarpTrace,
    events,
)
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.plan import static_tables
from warpmill.analyzer.traces.unfolding import Unfolder, unfolded
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all

SIZES = {
    "matmul": {"n": 48},
    "reduce": {"n": 3000},
    "stencil5": {"width": 70, "height": 50},
    "transpose": {"rows": 96, "columns": 64},
    "vecadd": {"n": 1000},
}
FILES = [
    "matmul/launch.toml",
    "vecadd/launch.toml",
    "vecadd/launch.opencl.toml",
    "stencil5/launch.toml",
    "transpose/launch.bc.toml",
    "reduce/launch.gfx90a.toml",
]
COLUMNS = ("ctas", "warps", "block", "mask", "event_guards", "guard_number", "guard_mask",
           "event_accesses", "access_mask", "access_base", "lane_addresses")  # fmt: skip
FULL = (1 << 32) - 1


@cache
def job_of(file):
    sizes = SIZES[file.split("/")[0]]
    return prepare_all(SAMPLES / file, options=LaunchOptions(sizes=sizes))[0]


def static(job, layout=None):
    return StaticSource(job.loaded.module, job.analysis.structure, job.launch, layout=layout)


def grid_of(job):
    x, y, z = job.launch.grid
    return [(i, j, k) for k in range(z) for j in range(y) for i in range(x)]


def unfolder(job, source, most=1 << 22):
    how = {"grid": job.launch.grid, "warp_size": job.loaded.module.warp_size, "max_events": most}
    return Unfolder(source, accesses=job.analysis.accesses, **how)


# -- beside executed ones ------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("file", FILES)
def test_unfolded_traces_are_the_batches_of_executed_ones(file):
    job = job_of(file)
    executed = executed_source(job)
    ctas = grid_of(job)
    for (_, one), (_, other) in zip(
        by_cta(unfolder(job, static(job, executed.layout)).batches(ctas)),
        by_cta(executed.batches(ctas)),
        strict=True,
    ):
        for name in COLUMNS:
            a, b = getattr(one, name), getattr(other, name)
            assert a.dtype == b.dtype, name
            assert np.array_equal(a, b), name
        assert points_of(one) == points_of(other)
        assert one.tables.guards == other.tables.guards
        assert one.tables.grid == other.tables.grid
        assert one.tables.warps_per_cta == other.tables.warps_per_cta
        assert one.patterns.dtype == other.patterns.dtype


def by_cta(batches):
    return [(n, batch.of_cta(n)) for batch in batches for n in batch.ctas.tolist()]


def points_of(batch):
    return [batch.tables.points[n] for n in batch.access_point.tolist()]


def test_saved_trees_are_unfolded_too(tmp_path):
    job = job_of("stencil5/launch.toml")
    ctas, traces = saved(job, tmp_path / "traces")
    source = FileSource(tmp_path / "traces", job.loaded.module, job.kernel, job.launch)
    found = [w for b in unfolder(job, source).batches(ctas) for p in range(len(b.ctas))
             for w in b.traces(p)]  # fmt: skip
    assert [list(events(w)) for w in found] == [list(events(w)) for ws in traces for w in ws]


def test_what_comes_as_batches_is_passed_on(monkeypatch):
    job = job_of("vecadd/launch.toml")
    source = executed_source(job)
    given = list(source.batches(grid_of(job)))
    monkeypatch.setattr(source, "batches", lambda _: iter(given))
    found = unfolder(job, source, most=1).batches(grid_of(job))
    assert all(a is b for a, b in zip(found, given, strict=True))


# -- trees made by hand --------------------------------------------------------------------------

KERNEL = prepare(
    kernel_text(
        """ld.param.u64 %d0, [out]; setp.eq.u64 %p1, %d0, 0;
        ld.global.v2.u32 {%r1, %r2}, [%d0]; @%p1 st.global.u32 [%d0+8], %r1; ret;""",
        {"out": b"01234567"},
    )
).kernel
LOAD, STORE = 2, 3


def access(*strides, instruction=LOAD, mask=FULL, slot=0, width=None, pattern=None):
    where = LaneAddresses(slot, pattern or AffinePattern(8), strides)
    return TracedAccess(instruction, mask, where, width)


def source_of(*trees, bases=(4096, 8192)):
    """A source with a CTA for each tree, of one warp; equal trees are the same object."""
    traces = {(n, 0, 0): (WarpTrace((n, 0, 0), 0, t, bases),) for n, t in enumerate(trees)}
    return GivenSource(KERNEL, traces)


def batches_of(source, ctas=None, most=1 << 20):
    ctas = list(source.ctas_of) if ctas is None else ctas
    return list(unfolded(source, ctas, grid=(100, 1, 1), warp_size=32, max_events=most))


def test_a_triangle_by_hand():
    """Row by row: i = 0, 1, 2 with i iterations of the inner loop each, and a guard in them."""
    inner = Visit(0, FULL, ((STORE, 7),), (access(1000, 10), access(0, 4, instruction=STORE,
                                                                    mask=6, slot=1)))  # fmt: skip
    tree = (Repeat(3, (Visit(1, 5), Repeat(0, (inner,), (1,)))),)
    (batch,) = batches_of(source_of(tree))
    assert batch.block.tolist() == [1, 1, 0, 1, 0, 0]
    assert batch.mask.tolist() == [5, 5, FULL, 5, FULL, FULL]
    assert batch.warps.tolist() == [0, 6]
    assert batch.event_guards.tolist() == [0, 0, 0, 1, 1, 2, 3]
    assert batch.guard_mask.tolist() == [7, 7, 7]
    assert batch.event_accesses.tolist() == [0, 0, 0, 2, 2, 4, 6]
    assert batch.access_base.tolist() == [5096, 8192, 6096, 8192, 6106, 8196]
    assert batch.access_mask.tolist() == [FULL, 6] * 3
    assert batch.lane_addresses[1].tolist() == [0, 8192, 8200, *[0] * 29]
    assert [(p.kind, p.width_bytes) for p in points_of(batch)] == [("load", 8), ("store", 4)] * 3


def test_equal_patterns_are_kept_once():
    listed = ListedPattern(tuple(range(0, 256, 8)))
    visits = [Visit(0, FULL, (), (access(pattern=p),)) for p in (AffinePattern(8), listed)]
    some = Visit(0, FULL, (), (access(mask=1), access(mask=2), access(mask=3)))
    (batch,) = batches_of(source_of((*visits, some), tuple(visits)))
    assert sorted(map(sum, batch.patterns.tolist())) == [0, 8, sum(range(0, 256, 8))]


def test_a_warp_without_events_has_none():
    (batch,) = batches_of(source_of((), (Visit(0, 1),), ()))
    assert batch.warps.tolist() == [0, 0, 1, 1]
    assert batch.patterns.shape == (0, 32)


def test_addresses_go_round_at_64_bits():
    """As they do in registers: a stride of 3 times 2^62 comes back after four."""
    big = access(3 << 62, pattern=AffinePattern(3 << 62))
    (batch,) = batches_of(source_of((Repeat(5, (Visit(0, FULL, (), (big,)),)),)))
    assert batch.access_base[4] == batch.access_base[0] == 4096
    assert batch.lane_addresses[0, 4] == 4096


# -- batches -------------------------------------------------------------------------------------


def test_batches_keep_the_order_that_was_asked_for_and_ascend(monkeypatch):
    monkeypatch.setattr(unfolding, "TOGETHER", 10)
    loop = (Repeat(4, (Visit(0, FULL),)),)
    source = source_of(*[loop] * 8)
    asked = [(n, 0, 0) for n in (0, 1, 2, 5, 3, 4, 4, 7)]
    found = [b.ctas.tolist() for b in batches_of(source, asked)]
    assert found == [[0, 1], [2, 5], [3, 4], [4, 7]]
    assert [b.ctas.tolist() for b in batches_of(source, iter(asked))] == found


def test_accesses_fill_a_batch_as_well(monkeypatch):
    monkeypatch.setattr(unfolding, "TOGETHER", 10)
    wide = (Visit(0, FULL, (), (access(),) * 20),)
    assert [len(b.ctas) for b in batches_of(source_of(*[wide] * 5))] == [2, 2, 1]


def test_linear_numbers_are_those_of_the_grid():
    cta = (3, 1, 2)
    source = GivenSource(KERNEL, {cta: (WarpTrace(cta, 0, (Visit(0, 1),)),)})
    (batch,) = unfolded(source, [cta], grid=(5, 4, 3), warp_size=32, max_events=9)
    assert batch.ctas.tolist() == [3 + 5 * (1 + 4 * 2)]
    assert batch.tables.cta(int(batch.ctas[0])) == cta


def test_no_ctas_give_no_batches():
    assert batches_of(source_of(), []) == []


def counted(monkeypatch):
    """Count the trees that are unfolded."""
    done = []
    whole = unfolded_tree._Unfolding.run
    monkeypatch.setattr(unfolded_tree._Unfolding, "run", lambda s: done.append(1) or whole(s))
    return done


def test_a_tree_is_unfolded_once_for_all_batches(monkeypatch):
    monkeypatch.setattr(unfolding, "TOGETHER", 1)
    done = counted(monkeypatch)
    trees = [(Repeat(4, (Visit(b, FULL),)),) for b in (0, 1)]
    source = source_of(*trees * 5)
    work = Unfolder(source, grid=(100, 1, 1), warp_size=32, max_events=9)
    for _ in range(2):
        found = list(work.batches(source.ctas_of))
        assert len(found) == 10
        assert len({id(b.tables) for b in found}) == 1
    assert len(done) == 2


def test_trees_are_let_go_where_they_take_much(monkeypatch):
    """The same tree is then unfolded again, and ones of before are garbage."""
    monkeypatch.setattr(unfolding, "TOGETHER", 1)
    monkeypatch.setattr(unfolding, "MOST_KEPT", 12)
    done = counted(monkeypatch)
    alive = weakref.WeakSet()
    made = unfolded_tree.UnfoldedTree.__init__
    monkeypatch.setattr(
        unfolded_tree.UnfoldedTree, "__init__", lambda s, *a: alive.add(s) or made(s, *a)
    )
    trees = [(Repeat(4, (Visit(b, FULL, (), (access(0),)),)),) for b in (0, 0, 0)]
    source = source_of(*trees * 4)
    most = 0
    for batch in unfolded(source, list(source.ctas_of), grid=(100, 1, 1), warp_size=32,
                          max_events=9):  # fmt: skip
        assert batch.events == 4
        most = max(most, len(alive))
    assert len(done) == 12
    assert most <= 3


# -- limits and damage ---------------------------------------------------------------------------


def test_too_many_events_end_before_they_take_memory():
    nest = Visit(0, FULL, (), (access(0, 0, 0),))
    for _ in range(3):
        nest = Repeat(10**4, (nest,))
    with pytest.raises(LimitError) as error:
        batches_of(source_of((Visit(0, 1),), (nest,)), most=10**7)
    text = str(error.value)
    assert "CTA 1,0,0 has 1,000,000,000,000 events, more than 10,000,000" in text
    assert "--max-trace-events" in text


def test_the_limit_is_of_a_cta_and_may_be_reached():
    loop = (Repeat(6, (Visit(0, FULL),)),)
    (batch,) = batches_of(source_of(loop, loop), most=6)
    assert batch.events == 12
    with pytest.raises(LimitError, match="6 events, more than 5"):
        batches_of(source_of(loop), most=5)


@pytest.mark.parametrize("body", [(), (Repeat(0, (Visit(0, FULL),)),)])
def test_loops_around_nothing_end_at_the_limit_too(body):
    with pytest.raises(LimitError, match=r"1,000,000,000 iterations of a loop.*--max-trace-events"):
        batches_of(source_of((Repeat(10**9, body),)))


@pytest.mark.parametrize(
    ("visit", "what"),
    [
        (Visit(0, FULL, (), (access(instruction=0),)), "an access to memory in block 0"),
        (Visit(7, FULL, (), (access(),)), "an access to memory in block 7"),
        (Visit(0, FULL, (), (access(width=4),)), "an access to memory in block 0"),
        (Visit(0, FULL, ((LOAD, 1),)), "a guard in block 0, instruction 2"),
    ],
)
def test_traces_of_another_kernel_are_refused(visit, what):
    with pytest.raises(InputError, match=what):
        batches_of(source_of((visit,)))


def test_a_width_that_is_the_opcodes_is_none_of_another():
    (batch,) = batches_of(source_of((Visit(0, FULL, (), (access(width=8),)),)))
    assert batch.tables.points[0].width_bytes == 8


# -- tables --------------------------------------------------------------------------------------


def test_generic_addresses_have_the_space_that_analysis_finds():
    body = "ld.param.u64 %d0, [out]; ld.u32 %r1, [%d0]; st.u32 [%r1], %r1; ret;"
    made = prepare(kernel_text(body, {"out": np.zeros(4)}))
    bare = static_tables(made.kernel, (1, 1, 1), 32, 1)
    assert [p.space for p in bare.points] == [Space.GENERIC] * 2
    found = static_tables(made.kernel, (1, 1, 1), 32, 1, accesses_of(made))
    assert [p.space for p in found.points] == [Space.GLOBAL, Space.GENERIC]
    assert [p.kind for p in found.points] == ["load", "store"]


def accesses_of(made):
    return memory_accesses(made.module, analyse_structure(made.kernel))


def test_copies_read_at_their_second_address_and_write_at_the_first():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, tile;
        cp.async.ca.shared.global [%r1], [%d0], 16; atom.global.add.u32 %r2, [%d0], 1; ret;"""
    made = prepare(kernel_text(body, {"out": np.zeros(4)}, ".shared .b32 tile[32];"))
    points = static_tables(made.kernel, (1, 1, 1), 32, 1, accesses_of(made)).points
    assert [(p.kind, p.space, p.width_bytes) for p in points] == [
        ("load", Space.GLOBAL, 16),
        ("store", Space.SHARED, 16),
        ("atomic", Space.GLOBAL, 4),
    ]


def test_batches_can_be_saved_and_read():
    tree = (Repeat(3, (Visit(0, FULL, ((STORE, 7),), (access(8),)),)),)
    (batch,) = batches_of(source_of(tree, tree))
    lengths = [len(b.instructions) for b in KERNEL.blocks]
    assert decoded_batch(encoded_batch(batch), batch.tables, lengths) == batch
