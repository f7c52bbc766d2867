"""Unfolded traces have the events that the model's own iterator gives, one by one."""

import random

import pytest

from tests.reference.programs import Lowering
from tests.reference.random_programs import NAMES, random_program
from tests.reference.random_trees import GivenSource, TreeMaker
from tests.reference.run_kernel import kernel_text, module_of, prepare
from tests.traces.test_static_traces import CTAS, GRID, SHAPES, plan_of, static
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.traces import unfolding as unfolded_batch
from warpmill.analyzer.traces.file_format import decoded_batch, encoded_batch
from warpmill.analyzer.traces.model import WarpTrace, events
from warpmill.analyzer.traces.static.plan import is_access
from warpmill.analyzer.traces.unfolding import unfolded

BODY = """ld.param.u64 %d0, [out]; setp.eq.u64 %p1, %d0, 0;
    ld.global.u32 %r1, [%d0]; @%p1 st.global.v2.u32 [%d0+8], {%r1, %r1}; @%p1 add.u32 %r1, %r1, 1;
    @%p1 bra M; @!%p1 atom.global.add.u32 %r2, [%d0], %r1; st.shared.u8 [%d0], %r2;
    M: @%p1 ld.local.u64 %d1, [%d0]; @%p1 mov.u32 %r3, 4; ld.f32 %f1, [%d0];
    ret;"""


def told(warps):
    """What warps do, by CTA and warp."""
    return {(w.cta, w.warp): [as_told(e) for e in events(w)] for w in warps}


def as_told(event):
    return event.block, event.mask, event.guards, event.addresses


def read(batches, kernel):
    """What batches say, and check that each of them is whole."""
    found, sizes = {}, []
    lengths = [len(b.instructions) for b in kernel.blocks]
    for batch in batches:
        assert decoded_batch(encoded_batch(batch), batch.tables, lengths) == batch
        rows = {tuple(row) for row in batch.patterns.tolist()}
        assert len(rows) == len(batch.patterns)
        sizes.append(len(batch.ctas))
        for place in range(len(batch.ctas)):
            found |= told(batch.traces(place))
    return found, sizes


@pytest.mark.one_in(3)
@pytest.mark.parametrize("lanes", [32, 64, 5])
@pytest.mark.parametrize("together", [1, 200, 1 << 18])
def test_random_nests(lanes, together, monkeypatch):
    monkeypatch.setattr(unfolded_batch, "TOGETHER", together)
    kernel = prepare(kernel_text(BODY, {"out": b"01234567"}), lanes).kernel
    blocks = kernel.blocks
    numbers = [range(len(b.instructions)) for b in blocks]
    accesses = [
        [i for i in n if is_access(b.instructions[i])] for n, b in zip(numbers, blocks, strict=True)
    ]
    guards = [
        [i for i in n if b.instructions[i].guard is not None and b.instructions[i].targets == ()]
        for n, b in zip(numbers, blocks, strict=True)
    ]
    assert sum(map(len, accesses)) == 6
    assert sum(map(len, guards)) == 5
    grid = (3, 2, 2)
    for seed in range(4):
        chance = random.Random(f"{seed} {lanes}")
        made = []
        for _ in range(4):
            maker = TreeMaker(chance, lanes, accesses, guards)
            made.append((maker.tree(), maker.slots))
        ctas = [(x, y, z) for z in range(2) for y in range(2) for x in range(3)]
        chance.shuffle(ctas)
        traces = {cta: cta_of(chance, cta, made) for cta in ctas}
        source = GivenSource(kernel, traces)
        batches = unfolded(source, ctas, grid=grid, warp_size=lanes, max_events=1 << 20)
        found, sizes = read(batches, kernel)
        assert found == told(w for warps in traces.values() for w in warps)
        assert list(found) == [(cta, warp) for cta in ctas for warp in range(3)]
        assert together > 1 or set(sizes) == {1}


def cta_of(chance, cta, made):
    """A CTA three warps, each with one of the trees."""
    warps = []
    for warp in range(3):
        tree, slots = chance.choice(made)
        bases = tuple(chance.randrange(1 << 30) * 4 for _ in range(slots))
        warps.append(WarpTrace(cta, warp, tree, bases))
    return tuple(warps)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(24))
def test_static_traces_of_random_programs(seed):
    """Compare what a real walk leaves; programs that run long are left out."""
    chance = random.Random(f"unfolding {seed}")
    kernel = Lowering(NAMES, phis=bool(seed % 2)).kernel(random_program(chance))
    block, lanes = SHAPES[seed % len(SHAPES)]
    arguments = {"out": 0x7_0000_0000_00, "arg0": chance.randrange(7), "arg1": chance.randrange(5)}
    try:
        warps = static(
            plan_of(module_of(kernel, lanes).kernels[0]), (block, lanes), CTAS, arguments
        )
    except LimitError:
        return
    if sum(w.visits for w in warps) > 20_000:
        return
    each = len(warps) // len(CTAS)
    traces = {cta: tuple(warps[i * each : (i + 1) * each]) for i, cta in enumerate(CTAS)}
    source = GivenSource(kernel, traces)
    batches = unfolded(source, CTAS, grid=GRID, warp_size=lanes, max_events=20_000)
    assert read(batches, kernel)[0] == told(warps)
