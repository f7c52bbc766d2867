"""What warps write down of themselves, against the slow interpreter, lane by lane."""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pytest

from tests.reference.event_reader import EventReader
from tests.reference.interpreter import lanes_of_warp
from tests.reference.random_graphs import GraphMaker, words_of
from tests.reference.random_programs import NAMES, random_program
from tests.reference.run_kernel import Prepared, kernel_text, module_of, prepare
from tests.reference.storing import AREA_WORDS, MOST_EVENTS, ObservedLowering, StoringWarp
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.compile import CompileOptions

RECORDED = CompileOptions(record_events=True)
MEMORY = (OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC)


@dataclass
class TellingWarp(StoringWarp):
    """It tells the addresses of each access, before the event that they belong to is there."""

    told: list = field(default_factory=list)

    def execute(self, block, lanes):
        accesses = {}
        step = self.step

        def tell(instruction, lane):
            operation = instruction.operation
            if operation.op_class in MEMORY and operation.space is not Space.PARAM:
                index = next(k for k, i in enumerate(block.instructions) if i is instruction)
                accesses.setdefault(index, []).append(self.address(instruction.address, lane))
            step(instruction, lane)

        self.step = tell
        super().execute(block, lanes)
        self.step = step
        self.told.append({k: tuple(v) for k, v in accesses.items()})


def expected_events(kernel, lanes, grid, block, numbers):
    """Each warp's events by (CTA, warp), as the interpreter has them."""
    memory, found = {}, {}
    arguments = {"out": GLOBAL_BASE, **numbers}
    places = product(range(grid[2]), range(grid[1]), range(grid[0]))
    for number, (z, y, x) in enumerate(places):
        for warp in range(-(-int(np.prod(block)) // lanes)):
            specials = lanes_of_warp(warp, lanes, grid, block, (x, y, z))
            made = TellingWarp(kernel, specials, arguments, most_events=MOST_EVENTS, memory=memory)
            events = made.run()
            found[number, warp] = [
                (b, mask, guards, told)
                for (b, mask, guards, _), told in zip(events, made.told, strict=True)
            ]
    return found


def recorded_events(prepared, grid, block, arguments, resident_ctas=1):
    """Each warp's events as the executor wrote them down."""
    points = prepared.compiled.lowered.recorded
    places = tuple((p.block, p.instruction) for p in points)
    reader = EventReader(prepared.module.warp_size, places, prepared.compiled.guards)
    found = defaultdict(list)

    def take(words):
        for event in reader.read(words):
            guards = tuple((k, on) for k, on in event.guards.items() if on != event.mask)
            told = {k: a.addresses for k, (a,) in event.accesses.items()}
            found[event.cta, event.warp].append((event.block, event.mask, guards, told))

    prepared.run(grid, block, arguments, on_words=take, resident_ctas=resident_ctas)
    return dict(found)


def check(kernel, lanes, grid, block, numbers, words):
    prepared = Prepared(module_of(kernel, lanes), kernel, RECORDED)
    wanted = expected_events(kernel, lanes, grid, block, numbers)
    given = {k: np.uint32(v % 2**32) for k, v in numbers.items()}
    arguments = {"out": np.zeros(words, np.uint32), **given}
    assert recorded_events(prepared, grid, block, arguments) == wanted


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "lanes"), [(40, 32), (64, 64), (100, 64), (32, 32)])
def test_graphs_of_any_form(threads, lanes):
    for seed in range(8):
        chance = random.Random(f"events {seed} {threads} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 10)).kernel()
        check(kernel, lanes, (2, 1, 1), (threads, 1, 1), {}, words_of(2, threads))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(10))
def test_structured_programs(seed):
    block, lanes = [((40, 1, 1), 32), ((3, 5, 2), 32), ((8, 9, 1), 64)][seed % 3]
    warps = -(-int(np.prod(block)) // lanes)
    kernel = ObservedLowering(NAMES, phis=bool(seed % 2), warps=warps).kernel(
        random_program(random.Random(seed))
    )
    words = warps * AREA_WORDS + int(np.prod(block)) * len(NAMES)
    numbers = {"arg0": seed % 7, "arg1": seed % 5 - 1}
    check(kernel, lanes, (1, 1, 1), block, {k: v % 2**32 for k, v in numbers.items()}, words)


def test_more_is_written_down_than_there_is_room_for(monkeypatch):
    """Each thread loads a thousand times: pieces are taken in between, none is lost."""
    monkeypatch.setattr("warpmill.executor.cta_runs.RECORD_WORDS", 1 << 12)
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
        L: mul.lo.u32 %r3, %r2, %r1; and.b32 %r3, %r3, 63; mul.wide.u32 %d1, %r3, 4;
        add.u64 %d1, %d1, %d0; ld.global.u32 %r4, [%d1]; add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 1000; @%p1 bra L; ret;"""
    prepared = prepare(kernel_text(body, {"out": np.zeros(64, np.uint32)}, ""), 32, RECORDED)
    found = recorded_events(prepared, 3, 256, {"out": np.zeros(64, np.uint32)})
    assert sorted(found) == [(cta, warp) for cta in range(3) for warp in range(8)]
    for (_, warp), events in found.items():
        loads = [e for e in events if e[3]]
        assert len(loads) == 1000
        threads = warp * 32 + np.arange(32)
        for k, (_, mask, _, told) in enumerate(loads):
            assert mask == 2**32 - 1
            (addresses,) = told.values()
            assert addresses == tuple(GLOBAL_BASE + 4 * (k * threads & 63))


def test_nothing_is_written_past_the_end(monkeypatch):
    """A hundred scattered loads in a row take thousands of words a warp, and there are 32 warps."""
    monkeypatch.setattr("warpmill.executor.cta_runs.RECORD_WORDS", 1)
    loads = "".join(
        f"mul.lo.u32 %r3, %r1, {2 * k + 1}; and.b32 %r3, %r3, 63; mul.wide.u32 %d1, %r3, 4;"
        f" add.u64 %d1, %d1, %d0; ld.global.u32 %r4, [%d1];"
        for k in range(100)
    )
    body = f"ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; {loads} ret;"
    out = np.zeros(64, np.uint32)
    prepared = prepare(kernel_text(body, {"out": out}, ""), 32, RECORDED)
    pieces = []
    prepared.run(2, 1024, {"out": out}, on_words=lambda words: pieces.append(words.size))
    assert sum(pieces) > 2 * 32 * 100 * 30
    assert len(pieces) > 10
    most = 4 * (2 + 100 * 35 + 2 * 1024)
    assert max(pieces) <= most


def test_ctas_that_take_turns_write_down_the_same():
    """Each CTA has a pattern of its own at one instruction, and goes round it again and again."""
    body = """ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r2, 0;
        L: mul.lo.u32 %r3, %r5, %r1; and.b32 %r3, %r3, 63; mul.wide.u32 %d1, %r3, 4;
        add.u64 %d1, %d1, %d0; ld.global.u32 %r4, [%d1]; add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 40; @%p1 bra L; ret;"""
    out = {"out": np.zeros(64, np.uint32)}
    prepared = prepare(kernel_text(body, out, ""), 32, RECORDED)
    one_by_one = recorded_events(prepared, 5, 64, out)
    assert recorded_events(prepared, 5, 64, out, resident_ctas=3) == one_by_one
