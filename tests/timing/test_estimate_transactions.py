"""The transactions of a round: how many by the rules of each generation, and in which order."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.timing.estimated_kernels import job
from tests.timing.estimated_rounds import LANES, Lanes, accessing, asked, words
from warpmill.analyzer.launch.numbering import GLOBAL_BASE as BASE
from warpmill.analyzer.memory.rules import LOCAL, MEMORY, SHARED
from warpmill.simulator.assembler.merged_loads import MergedLoad
from warpmill.simulator.estimate.transactions import (
    ATOMIC,
    LOAD,
    STORE,
    Transactions,
)
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

V100 = load_machine("v100")
LINES = load_machine("gtx480_gpgpusim")
HALVES = load_machine("quadro_fx5800")


def count(folder: Path, machine: Machine, opcode: str, lanes: Lanes) -> int:
    (found,) = asked(accessing(folder, opcode), machine, [[(opcode, lanes)]]).count.tolist()
    return int(found)


# By hand. Maxwell and later take the sectors of 32 B that a warp touches (CUDA guide, compute
# capability 5.x); Fermi's L1 the lines of 128 B (2.x); GT200 those of each half of it (1.x). None:
# there GT200 would take a segment of 64 or 128 B for two of its sectors, which is not modelled.
EVEN = [BASE + 4 * k if k % 2 == 0 else None for k in range(LANES)]
SECOND_HALF = [None if k < 16 else BASE + 4 * k for k in range(LANES)]


@pytest.mark.parametrize(
    ("opcode", "lanes", "sectors", "lines", "of_halves"),
    [
        ("ld.global.u32", words(BASE), 4, 1, 2 + 2),
        ("ld.global.u32", words(BASE + 4), 5, 2, None),
        ("ld.global.u32", words(BASE + 64), 4, 2, 2 + 2),
        ("ld.global.u32", words(BASE, 8), 8, 2, 4 + 4),
        ("ld.global.u32", words(BASE, 0), 1, 1, 1 + 1),
        ("ld.global.u32", words(BASE, 128), 32, 32, 16 + 16),
        ("ld.global.u32", words(BASE + 124, -4), 4, 1, 2 + 2),
        ("ld.global.u8", words(BASE, 1), 1, 1, 1 + 1),  # half a warp has half a sector
        ("ld.global.u64", words(BASE, 8), 8, 2, 4 + 4),
        ("ld.global.v4.u32", words(BASE, 16), 16, 4, 8 + 8),
        ("ld.global.u32", EVEN, 4, 1, 2 + 2),
        ("ld.global.u32", SECOND_HALF, 2, 1, 0 + 2),
        ("ld.global.u64", words(BASE + 28, 0), 2, 1, None),  # 8 B over the end of a sector
        ("st.global.u32", words(BASE, 64), 32, 16, None),
    ],
)
def test_transactions_follow_the_rules_of_each_generation(
    tmp_path: Path, opcode: str, lanes: Lanes, sectors: int, lines: int, of_halves: int | None
) -> None:
    assert count(tmp_path, V100, opcode, lanes) == sectors
    assert count(tmp_path, LINES, opcode, lanes) == lines
    if of_halves is not None:
        assert count(tmp_path, HALVES, opcode, lanes) == of_halves


@pytest.mark.parametrize("machine", [V100, LINES, HALVES, load_machine("mi100")])
def test_transactions_and_lines_are_those_of_every_byte(tmp_path: Path, machine: Machine) -> None:
    rng = random.Random(7)
    rows = [_random_lanes(rng) for _ in range(60)]
    opcode = "ld.global.u64"
    found = asked(accessing(tmp_path, opcode), machine, [[(opcode, row) for row in rows]])
    sector, line = (machine.integer(f"l1.{part}_bytes") for part in ("sector", "line"))
    group = machine.integer("shared.banks")

    def touched(row: Lanes, granule: int, lanes: int) -> int:
        places = {
            (k // lanes, (a + byte) // granule)
            for k, a in enumerate(row)
            if a is not None
            for byte in range(8)
        }
        return len(places)

    assert found.count.tolist() == [touched(row, sector, group) for row in rows]
    assert found.lines(line // sector).tolist() == [touched(row, line, LANES) for row in rows]


def _random_lanes(rng: random.Random) -> list[int | None]:
    step = rng.choice([0, 4, 8, 36, 128])
    spread = rng.choice([1, 64, 4096])
    row: list[int | None] = [
        BASE + step * k + rng.randrange(spread) if rng.random() < 0.7 else None
        for k in range(LANES)
    ]
    row[rng.randrange(LANES)] = BASE + 4096
    return row


# The order.


def order_of(t: Transactions) -> list[int]:
    """The accesses by the place of their first lane, in order."""
    return (t.ordered(t.of_way(MEMORY)).granule - BASE // 32).tolist()


def test_warps_go_in_step_one_event_each(tmp_path: Path) -> None:
    """Warp 0 asks for sectors 0, 1, 2; warp 1 for 10, 11; warp 2 for 20, 21, 22, 23."""
    opcode = "ld.global.u32"
    warps = [
        [(opcode, [BASE + 32 * (10 * warp + k)]) for k in range(events)]
        for warp, events in enumerate((3, 2, 4))
    ]
    t = asked(accessing(tmp_path, opcode), V100, warps)
    assert order_of(t) == [0, 10, 20, 1, 11, 21, 2, 22, 23]
    assert t.warp.tolist() == [0] * 3 + [1] * 2 + [2] * 4


def test_ctas_that_take_a_place_come_after_those_that_had_it(tmp_path: Path) -> None:
    """Three CTAs of two warps; two of them run at once."""
    opcode = "ld.global.u32"
    warps = [[(opcode, [BASE + 32 * (10 * w + k)]) for k in range(2)] for w in range(6)]
    t = asked(accessing(tmp_path, opcode), V100, warps, warps_per_cta=2, resident=2)
    assert order_of(t) == [0, 10, 20, 30, 1, 11, 21, 31, 40, 50, 41, 51]
    one = asked(accessing(tmp_path, opcode), V100, warps, warps_per_cta=2, resident=1)
    assert order_of(one) == [0, 10, 1, 11, 20, 30, 21, 31, 40, 50, 41, 51]


def test_an_order_of_some_accesses_leaves_the_others_out(tmp_path: Path) -> None:
    kernel = accessing(tmp_path, "ld.global.u32", "st.global.u32")
    rows = [("ld.global.u32", words(BASE)), ("st.global.u32", words(BASE + 128))]
    t = asked(kernel, V100, [rows, rows])
    stores = t.ordered(t.kind == STORE)
    assert (stores.granule - BASE // 32).tolist() == [4, 5, 6, 7] * 2
    assert stores.accesses.tolist() == [1, 3]
    assert stores.owner.tolist() == [1] * 4 + [3] * 4
    assert stores.lanes.tolist() == [8] * 8
    assert stores.whole.all()


def test_local_memory_is_a_warp_s_own(tmp_path: Path) -> None:
    """Two warps at the same local address share nothing; one warp finds its own again."""
    opcode = "ld.local.u32"
    twice = [(opcode, [8] * LANES)] * 2
    t = asked(accessing(tmp_path, opcode), V100, [twice, twice])
    granules = t.ordered(t.of_way(LOCAL)).granule.reshape(4, 4)
    assert granules[0].tolist() == granules[2].tolist()
    assert granules[1].tolist() == granules[3].tolist()
    assert not set(granules[0].tolist()) & set(granules[1].tolist())


# What each access is.


def test_what_accesses_do_and_where_they_go(tmp_path: Path) -> None:
    opcodes = ("ld.global.u32", "st.global.u32", "atom.global.add.u32", "ld.shared.u32")
    t = asked(accessing(tmp_path, *opcodes), V100, [[(o, words(BASE)) for o in opcodes]])
    assert t.kind.tolist() == [LOAD, STORE, ATOMIC, LOAD]
    assert t.of_way(SHARED).tolist() == [False, False, False, True]
    assert t.count.tolist() == [4, 4, 4, 0]
    assert t.passes.tolist() == [0, 0, 0, 1]


def test_opcodes_tell_who_looks_into_l1(tmp_path: Path) -> None:
    """PTX ISA, Cache Operators; L1s that keep no global data keep what is marked read-only."""
    opcodes = (
        "ld.global.u32", "ld.global.ca.u32", "ld.global.nc.u32", "ld.global.cg.u32",
        "ld.volatile.global.u32", "ld.acquire.gpu.global.u32", "ld.local.u32", "ld.shared.u32",
    )  # fmt: skip
    t = asked(accessing(tmp_path, *opcodes), V100, [[(o, words(BASE)) for o in opcodes]])
    kept = dict(zip(opcodes, t.asks_l1(caches_global=True).tolist(), strict=True))
    assert [o for o, looks in kept.items() if looks] == [*opcodes[:3], "ld.local.u32"]
    plain = dict(zip(opcodes, t.asks_l1(caches_global=False).tolist(), strict=True))
    assert [o for o, looks in plain.items() if looks] == [*opcodes[1:3], "ld.local.u32"]


@pytest.mark.parametrize(
    ("step", "passes", "contention"),
    [(4, 1, 1), (8, 2, 1), (64, 16, 1), (128, 32, 1), (132, 1, 1), (0, 1, 32)],
)
def test_banks_and_words_that_lanes_meet_at(
    tmp_path: Path, step: int, passes: int, contention: int
) -> None:
    opcodes = ("ld.global.u32", "atom.shared.add.u32")
    rows = [(opcode, words(BASE, step)) for opcode in opcodes]
    t = asked(accessing(tmp_path, *opcodes), V100, [rows])
    assert t.shared_wavefronts.tolist() == [passes, 0]  # of shared memory nobody asks
    assert t.contention(t.kind == ATOMIC).tolist() == [0, contention]


def test_of_lanes_that_meet_in_groups_the_largest_counts(tmp_path: Path) -> None:
    opcode = "atom.global.add.u32"
    lanes = [BASE] * 5 + [BASE + 4] * 9 + [BASE + 8 * k for k in range(2, 6)]
    t = asked(accessing(tmp_path, opcode), V100, [[(opcode, lanes)]])
    assert t.contention(t.kind == ATOMIC).tolist() == [9]


@pytest.mark.parametrize(
    ("atomic", "is_one"),
    [
        ("atom.global.add.u32 %r1, [%rd1], %r2;", True),
        ("red.global.add.u32 [%rd1], %r2;", True),
        ("atom.global.exch.b32 %r1, [%rd1], %r2;", False),  # each lane gets another's value
        ("atom.global.max.u32 %r1, [%rd1], %r2;", False),
        ("atom.global.add.u32 %r1, [%rd2], %r2;", False),  # an address for each lane
    ],
)
def test_sums_at_one_address_are_made_by_a_warp_as_one(
    tmp_path: Path, atomic: str, is_one: bool
) -> None:
    address = "ld.param.u64 %rd1, [p]; mov.u32 %r9, %tid.x; mul.wide.u32 %rd9, %r9, 4;"
    subject = job(tmp_path, f"{address} add.s64 %rd2, %rd1, %rd9; {atomic}", 1, 64, "p")
    program = subject.analysis.kernel_facts.program(load_machine("v100"))
    found = [program.instruction(place) for place in program.as_one]
    assert [i.operation.op_class.value for i in found] == (["atomic"] if is_one else [])


def test_only_the_chosen_atomics_are_as_one(tmp_path: Path) -> None:
    add, exchange = "atom.global.add.u32", "atom.global.exch.b32"
    kernel = accessing(tmp_path, add, exchange)
    rows = [(add, [BASE] * LANES), (exchange, [BASE] * LANES)]
    assert asked(kernel, V100, [rows], aggregated=[add]).as_one.tolist() == [True, False]


@pytest.mark.parametrize(
    ("step", "alone", "passes"),
    [
        (8, 2, 2),  # 8 B a lane side by side: a pass for each half of the warp
        (16, 4, 4),  # every other 8 B: sixteen lanes fill the banks twice over
        (136, 2, 2),  # rows of 34 words
        (128, 32, 32),  # sixteen rows of each half begin in one bank
    ],
)
def test_loads_that_are_merged_are_asked_for_once(
    tmp_path: Path, step: int, alone: int, passes: int
) -> None:
    """Two words of a row, next to each other, as one load of 8 B."""
    first, other = "ld.shared.u32", "ld.shared.b32"
    kernel = accessing(tmp_path, first, other)
    rows = [(first, words(0, step)), (other, words(4, step))]
    places = [(p.block, p.instruction) for p in kernel.points]
    whole = MergedLoad(places[0], (places[1],), 8)
    assert asked(kernel, V100, [rows]).passes.tolist() == [alone, alone]
    assert asked(kernel, V100, [rows], merged=[whole]).passes.tolist() == [passes, 0]


@pytest.mark.parametrize(
    ("name", "lanes"),
    [
        ("gtx645", words(0, 8)),  # banks of 8 B: one pass
        ("quadro_fx5800", words(0, 8)),  # 16 banks: quarters of a warp
        ("v100", [None] * 8 + words(0, 8)[8:24]),  # lanes of both halves of the warp
    ],
)
def test_merged_loads_take_the_passes_of_a_wide_one(
    tmp_path: Path, name: str, lanes: Lanes
) -> None:
    machine, wide = load_machine(name), "ld.shared.u64"
    opcodes = ("ld.shared.u32", "ld.shared.b32")
    kernel = accessing(tmp_path, *opcodes)
    rows = [(o, [a if a is None else a + 4 * k for a in lanes]) for k, o in enumerate(opcodes)]
    places = [(p.block, p.instruction) for p in kernel.points]
    merged = asked(kernel, machine, [rows], merged=[MergedLoad(places[0], (places[1],), 8)])
    one = asked(accessing(tmp_path, wide), machine, [[(wide, lanes)]])
    assert merged.passes.tolist() == [*one.passes.tolist(), 0]


def test_a_round_without_accesses_has_none(tmp_path: Path) -> None:
    t = asked(accessing(tmp_path, "ld.global.u32"), V100, [[], []])
    assert t.count.size == t.order.size == t.asks_l1(True).size == 0
    assert t.ordered(np.zeros(0, np.bool_)).granule.size == 0
