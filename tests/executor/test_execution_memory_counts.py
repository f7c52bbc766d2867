"""What accesses cost, as generated code counts it, against the rules' plain functions.

A kernel accesses memory at offsets that are read from a table, in the lanes that another table
says; what each warp's access costs follows from the table by ``analyzer.memory.rules``.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text, prepare
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import MemoryRules, requests, sectors, shared_wavefronts
from warpmill.executor.compile import CompileOptions

TIMES = 12  # accesses of a thread one after another
BYTES = 4096  # of the memory that is accessed
LAST = 3  # the seed of accesses whose lanes are as far apart each time
RULES = {
    "usual": MemoryRules(),
    "halves": MemoryRules(sector_bytes=64, lanes_per_group=16, banks=16),
    "wide": MemoryRules(sector_bytes=128, lanes_per_group=8, bank_width_bytes=8),
}
TYPES = {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "v2.u64"}


@dataclass(frozen=True)
class Case:
    """Offsets of each access, shape (times, threads), and the lanes that are on."""

    width: int
    offsets: np.ndarray
    on: np.ndarray


def case(width, threads, seed):
    """Draw accesses of every kind: in a row, with a stride, all alike, anywhere.

    With the last seed all are in a row, from another place each time.
    """
    random = np.random.default_rng(seed)
    places = BYTES // width
    rows = []
    for k in range(TIMES):
        thread = np.arange(threads)
        start, stride = random.integers(0, places, 2)
        if seed == LAST:
            rows.append(start // 2 + thread)
            continue
        anywhere = random.integers(0, places, threads)
        few = random.choice(random.integers(0, places, 3), threads)
        rows.append(
            [start + thread, start + stride * thread, np.full(threads, start), anywhere, few,
             start + thread[::-1]][(seed + k) % 6]
        )  # fmt: skip
    chance = 1.0 if seed == LAST else random.choice([0.1, 0.6, 1.0], (TIMES, 1))
    on = random.random((TIMES, threads)) < chance
    return Case(width, np.array(rows) % places * width, on)


def body(space, width):
    """Write the kernel: a loop over the accesses."""
    where = {"global": "data", "shared": "tile", "local": "mine"}[space]
    base = "ld.param.u64 %d5, [data];" if space == "global" else f"mov.u64 %d5, {where};"
    value = "{%d8, %d9}" if width == 16 else "%d8" if width == 8 else "%r8" if width == 4 else "%h8"
    if width == 1:
        value = "%h8"
    return f"""
        ld.param.u64 %d0, [offsets]; ld.param.u64 %d1, [on]; ld.param.u32 %r9, [threads];
        mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
        mad.lo.u32 %r1, %r2, %r3, %r1; mov.u32 %r4, 0; {base}
        L: mad.lo.u32 %r5, %r4, %r9, %r1; mul.wide.u32 %d2, %r5, 4;
        add.u64 %d3, %d0, %d2; ld.global.u32 %r6, [%d3];
        add.u64 %d4, %d1, %d2; ld.global.u32 %r7, [%d4]; setp.ne.u32 %p1, %r7, 0;
        cvt.u64.u32 %d6, %r6; add.u64 %d7, %d5, %d6;
        @%p1 ld.{space}.{TYPES[width]} {value}, [%d7];
        @%p1 st.{space}.{TYPES[width]} [%d7], {value};
        add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, {TIMES}; @%p2 bra L; ret;"""


VARIABLES = f".shared .align 16 .b8 tile[{BYTES}];"


def counted(drawn, space, lanes, rules, ctas, threads):
    """Run the kernel; give the sums of its load and its store as dictionaries."""
    arguments = {
        "offsets": drawn.offsets.astype(np.uint32),
        "on": drawn.on.astype(np.uint32),
        "data": np.zeros(BYTES, np.uint8),
        "threads": np.uint32(ctas * threads),
    }
    local = f".local .align 16 .b8 mine[{BYTES}];" if space == "local" else ""
    text = kernel_text(local + body(space, drawn.width), arguments, VARIABLES)
    prepared = prepare(text, lanes, CompileOptions(memory_rules=rules))
    ran = prepared.run(ctas, threads, arguments)
    points = prepared.compiled.lowered.counted
    names = ("warps", "lanes", "requests", "sectors", "passes", "free_passes")
    return [
        dict(zip(names, ran.execution.point_sums[k].tolist(), strict=True))
        for k, point in enumerate(points)
        if point.width_bytes == drawn.width and point.instruction > 8
    ]


def expected(drawn, space, lanes, rules, threads):
    """Work the sums out access by access."""
    total = dict.fromkeys(("warps", "lanes", "requests", "sectors", "passes", "free_passes"), 0)
    for offsets, on in zip(drawn.offsets, drawn.on, strict=True):
        for start in range(0, offsets.size, threads):
            for warp in range(start, start + threads, lanes):
                end = min(warp + lanes, start + threads)
                lit = np.flatnonzero(on[warp:end])
                add(total, offsets[warp:end][lit], lit, drawn.width, Space(space), rules)
    return total


def add(total, where, lanes, width, space, rules):
    if not lanes.size:
        return
    total["warps"] += 1
    total["lanes"] += lanes.size
    if space is Space.SHARED:
        total["passes"] += shared_wavefronts(where, width, rules, lanes)
        words = max(1, width // rules.bank_width_bytes)
        total["free_passes"] += np.unique(lanes // max(1, rules.banks // words)).size
        return
    if space is Space.LOCAL:
        steps = np.arange(0, width, 4)
        words = (where[:, None] + steps).ravel()
        lanes = np.repeat(lanes, steps.size)
        where, width = words // 4 * 256 + lanes * 4 + words % 4, min(width, 4)
    total["requests"] += requests(where, width)
    total["sectors"] += sectors(where, width, rules, lanes)


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("space", ["global", "shared", "local"])
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("width", TYPES)
def test_sums_are_those_of_the_rules(space, rules, width):
    for seed, (lanes, threads) in enumerate([(32, 96), (64, 100), (32, 40), (32, 64)]):
        drawn = case(width, 2 * threads, seed)
        load, store = counted(drawn, space, lanes, RULES[rules], 2, threads)
        wanted = expected(drawn, space, lanes, RULES[rules], threads)
        assert load == store == wanted
