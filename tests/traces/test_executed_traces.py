"""Traces of executed CTAs against the slow interpreter, in any order, saved and read again."""

import random
from itertools import product

import numpy as np
import pytest

from tests.reference.interpreter import lanes_of_warp
from tests.reference.random_graphs import GraphMaker, words_of
from tests.reference.random_programs import NAMES, random_program
from tests.reference.run_kernel import kernel_text, module_of, prepare, put
from tests.reference.storing import AREA_WORDS, MOST_EVENTS, ObservedLowering
from tests.traces.test_execution_events import TellingWarp
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.traces.file_format import decoded_batch, encoded_batch
from warpmill.analyzer.traces.model import events
from warpmill.executor.compile import CompileOptions, compile_kernel
from warpmill.executor.context import Grid, RunLimits
from warpmill.executor.cta_tracing import CtaTracer, PreparedLaunch
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host.kernel_arguments import pack_arguments

PLAIN, RECORDING = CompileOptions(), CompileOptions(record_events=True)


def tracer(kernel, lanes, grid, block, arguments, resident=1, module=None):
    module, memory = module or module_of(kernel, lanes), DeviceMemory()
    values = [put(memory, n, a) if isinstance(a, np.ndarray) else a for n, a in arguments.items()]
    compiled = [compile_kernel(module, kernel, options) for options in (PLAIN, RECORDING)]
    packed = pack_arguments(kernel, values, 8)
    launch = PreparedLaunch(
        *compiled, memory, Grid(grid, block), packed.data, None, (), None, RunLimits(), resident
    )
    return CtaTracer(launch)


def of(batches):
    """The events of each CTA's warps, as the interpreter has them."""
    found = {}
    for batch in batches:
        for place, number in enumerate(batch.ctas.tolist()):
            for warp in batch.traces(place):
                found[number, warp.warp] = [
                    (e.block, e.mask, e.guards, dict(e.addresses)) for e in events(warp)
                ]
    return found


def interpreted(kernel, lanes, grid, block, numbers):
    memory, found = {}, {}
    arguments = {"out": GLOBAL_BASE, **numbers}
    places = product(range(grid[2]), range(grid[1]), range(grid[0]))
    for number, (z, y, x) in enumerate(places):
        for warp in range(-(-int(np.prod(block)) // lanes)):
            specials = lanes_of_warp(warp, lanes, grid, block, (x, y, z))
            made = TellingWarp(kernel, specials, arguments, most_events=MOST_EVENTS, memory=memory)
            found[number, warp] = [
                (b, mask, guards, told)
                for (b, mask, guards, _), told in zip(made.run(), made.told, strict=True)
            ]
    return found


def check(kernel, lanes, grid, block, numbers, words, seed):
    given = {k: np.uint32(v % 2**32) for k, v in numbers.items()}
    made = tracer(kernel, lanes, grid, block, {"out": np.zeros(words, np.uint32), **given})
    wanted = interpreted(kernel, lanes, grid, block, numbers)
    ctas = range(int(np.prod(grid)))
    assert of(made.batches(ctas)) == wanted
    # again, some of them, in any order: a pass begins anew where it has to
    some = random.Random(seed).choices(ctas, k=5)
    for number in some:
        assert of(made.batches([number])) == {k: v for k, v in wanted.items() if k[0] == number}
    lengths = [len(b.instructions) for b in kernel.blocks]
    for batch in made.batches(ctas):
        assert decoded_batch(encoded_batch(batch), made.tables, lengths) == batch


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "lanes"), [(40, 32), (64, 64), (100, 64), (32, 32)])
def test_graphs_of_any_form(threads, lanes):
    for seed in range(6):
        chance = random.Random(f"traces {seed} {threads} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 10)).kernel()
        check(kernel, lanes, (2, 2, 1), (threads, 1, 1), {}, words_of(4, threads), seed)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(8))
def test_structured_programs(seed):
    block, lanes = [((40, 1, 1), 32), ((3, 5, 2), 32), ((8, 9, 1), 64)][seed % 3]
    warps = -(-int(np.prod(block)) // lanes)
    kernel = ObservedLowering(NAMES, phis=bool(seed % 2), warps=warps).kernel(
        random_program(random.Random(seed))
    )
    words = 3 * (warps * AREA_WORDS + int(np.prod(block)) * len(NAMES))
    numbers = {"arg0": seed % 7, "arg1": (seed % 5 - 1) % 2**32}
    check(kernel, lanes, (3, 1, 1), block, numbers, words, seed)


def test_events_that_come_in_many_pieces_are_the_same(monkeypatch):
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
        L: mul.lo.u32 %r3, %r2, %r1; and.b32 %r3, %r3, 63; mul.wide.u32 %d1, %r3, 4;
        add.u64 %d1, %d1, %d0; ld.global.u32 %r4, [%d1]; add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 300; @%p1 bra L; ret;"""
    launch = (kernel_of(body), 32, (3, 1, 1), (96, 1, 1), {"out": np.zeros(64, np.uint32)})
    whole = of(tracer(*launch).batches(range(3)))
    monkeypatch.setattr("warpmill.executor.cta_runs.RECORD_WORDS", 1)
    pieces = of(tracer(*launch).batches(range(3)))
    assert pieces == whole
    assert len({tuple(e[3].values()) for e in whole[0, 1] if e[3]}) > 30


COUNTED = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0; mov.u32 %r3, 0;
    @!%p1 atom.global.add.u32 %r3, [%d0], 1;
    shfl.sync.idx.b32 %r3, %r3, 0, 31, -1;
    L: add.u32 %r3, %r3, -1; setp.gt.s32 %p2, %r3, 0; @%p2 bra L; ret;"""
"""The CTA that comes n-th goes round its loop n times: what a CTA does depends on those before."""


def kernel_of(body, lanes=32):
    return prepare(kernel_text(body, {"out": np.zeros(64, np.uint32)}), lanes).kernel


def rounds(batches):
    return {
        int(n): sum(v.block == 1 for v in batch.traces(k)[0].nodes)
        for batch in batches
        for k, n in enumerate(batch.ctas)
    }


def test_ctas_that_depend_on_those_before_run_after_them():
    made = tracer(kernel_of(COUNTED), 32, (20, 1, 1), (32, 1, 1), {"out": np.zeros(64, np.uint32)})
    assert rounds(made.batches([13])) == {13: 13}
    assert rounds(made.batches([3, 4, 17])) == {3: 3, 4: 4, 17: 17}
    assert rounds(made.batches([17])) == {17: 17}
    assert rounds(made.batches(range(20))) == {n: max(1, n) for n in range(20)}


def test_ctas_that_do_not_depend_on_others_run_alone():
    """What another CTA does is not even looked at: it would go on for ever."""
    body = """mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; ld.param.u64 %d0, [out];
        L: @!%p1 bra L; mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d1, %d0;
        st.global.u32 [%d1], %r1; ret;"""
    made = tracer(kernel_of(body), 32, (20, 1, 1), (32, 1, 1), {"out": np.zeros(64, np.uint32)})
    assert rounds(made.batches([7, 8, 15])) == {7: 1, 8: 1, 15: 1}


WAITING = """ld.param.u64 %d0, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;
    atom.global.add.u32 %r3, [%d0], 1; mul.lo.u32 %r2, %r2, 32;
    L: ld.volatile.global.u32 %r4, [%d0]; setp.lt.u32 %p1, %r4, %r2; @%p1 bra L; ret;"""
"""All CTAs wait until each has come: they have to take turns."""


@pytest.mark.parametrize("resident", [1, 4])
def test_ctas_that_wait_for_one_another_take_turns(resident):
    out = {"out": np.zeros(64, np.uint32)}
    made = tracer(kernel_of(WAITING), 32, (4, 1, 1), (32, 1, 1), out, resident)
    whole = of(made.batches(range(4)))
    assert sorted(whole) == [(n, 0) for n in range(4)]
    assert whole[0, 0][0][1] == whole[3, 0][-1][1] == 2**32 - 1
    assert of(made.batches([1, 3])) == {k: whole[k] for k in [(1, 0), (3, 0)]}


def test_a_generic_address_is_one_of_the_space_that_it_means():
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
        mov.u64 %d2, tile; cvta.shared.u64 %d3, %d2; add.u64 %d3, %d3, %d1;
        st.u32 [%d3], %r1; add.u64 %d4, %d0, %d1; st.u32 [%d4], %r1; ret;"""
    text = kernel_text(body, {"out": np.zeros(64, np.uint32)}, ".shared .b32 tile[32];")
    ready, out = prepare(text, 32), {"out": np.zeros(64, np.uint32)}
    made = tracer(ready.kernel, 32, (1, 1, 1), (32, 1, 1), out, module=ready.module)
    ((event,),) = of(made.batches([0])).values()
    shared, outside = event[3].values()
    assert shared == tuple(range(0, 128, 4))
    assert outside == tuple(range(GLOBAL_BASE, GLOBAL_BASE + 128, 4))


UNEVEN = """
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %ctaid.x;
    setp.ge.u32 %p1, %r1, 200;
    @%p1 bra $done;
    mov.u32 %r2, 0;
$loop:
    ld.global.u32 %r3, [%d1];
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 2000;
    @%p2 bra $loop;
$done:
"""


def test_batches_are_small_again_after_light_ctas():
    out = {"out": np.zeros(1, np.uint32)}
    kernel = prepare(kernel_text(UNEVEN, out)).kernel
    one = tracer(kernel, 32, (400, 1, 1), (32, 1, 1), out)
    light, heavy = (
        [len(batch.ctas) for batch in one.batches(range(*numbers))]
        for numbers in ((200, 400), (0, 200))
    )
    assert max(light) > 100
    assert heavy[0] == 1


def test_a_batch_ends_early_where_its_ctas_turn_out_heavy():
    """CTAs from 200 on are heavy here, and the batch that comes to them is a large one."""
    out = {"out": np.zeros(1, np.uint32)}
    late = UNEVEN.replace("setp.ge.u32", "setp.lt.u32").replace("2000", "20000")
    kernel = prepare(kernel_text(late, out)).kernel
    one = tracer(kernel, 32, (400, 1, 1), (32, 1, 1), out)
    batches = list(one.batches(range(400)))
    assert [cta for batch in batches for cta in batch.ctas] == list(range(400))
    assert one.is_whole
    events = np.concatenate([np.diff(batch.warps) for batch in batches])
    assert set(events[:200]) == {2} and set(events[200:]) == {20000 + 3}
    assert max(len(batch.block) for batch in batches) < 1 << 20  # of 4 million events
