"""What an access costs on a machine: how long it holds each server, and its latency, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.timing.estimated_rounds import LANES, Asked, accessing, asked, words
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE
from warpmill.analyzer.launch.numbering import GLOBAL_BASE as BASE
from warpmill.simulator.estimate.pipeline import LEVELS, SERVERS
from warpmill.simulator.estimate.service import BeyondL1, Carriers, OnSm, Service, on_sm, serve
from warpmill.simulator.estimate.transactions import Transactions
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

LOAD, PAST, STORE, ATOMIC = (
    "ld.global.u32", "ld.global.cg.u32", "st.global.u32", "atom.global.add.u32",
)  # fmt: skip
SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC = (
    "ld.shared.u32", "st.shared.u32", "atom.shared.add.u32",
)  # fmt: skip
CONSTANT = "ld.const.u32"
OPCODES = (LOAD, PAST, STORE, ATOMIC, SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC, CONSTANT)

VALUES = {
    "lanes.ldst": 16.0, "shared.ports": 1, "l1.bytes_per_clk": 128.0, "l1.lines_per_clk": 4.0,
    "l2.bytes_per_clk": 2000.0, "icnt.bytes_per_clk_per_sm": 64.0, "l2.write_cost": 3.0,
    "dram.measured_gbs": 600.0, "clock.sm_mhz": 1500.0, "interval.shared_atomic": 2.0,
    "latency.shared_load": 21.0, "latency.shared_store": 18.0, "latency.shared_atomic": 40.0,
    "latency.global_atomic": 250.0, "l1.latency": 30.0, "l2.latency": 200.0,
    "dram.latency": 450.0, "const.l1_latency": 26.0, "const.l15_latency": 90.0,
    "const.l2_latency": 240.0, "tex.latency": 86.0,
}  # fmt: skip
"""What the costs below are worked out from."""


def machine(**changes: float) -> Machine:
    own = {key.replace("__", "."): value for key, value in changes.items()}
    return load_machine("v100", {**VALUES, **own})


def served(  # noqa: PLR0913 - what a round is served by
    folder: Path,
    rows: Sequence[Asked],
    on: Machine | None = None,
    *,
    active: int = 1,
    reads: float = 0.0,
    waits: float = 0.0,
    writes: float = 0.0,
    efficiency: float = 1.0,
    as_one: Sequence[str] = (),
) -> tuple[Service, Transactions, OnSm]:
    """Serve one warp's accesses; these shares of what loads and stores ask L2 for go to DRAM.

    ``waits`` is the share of accesses that wait for it.
    """
    chosen = on or machine()
    t = asked(accessing(folder, *OPCODES), chosen, [rows], aggregated=as_one)
    found = on_sm(t, chosen, 0)
    points = len(OPCODES)
    shares = (np.full(points, share) for share in (reads, waits, writes))
    beyond = BeyondL1(*shares, efficiency, 1.5)
    return serve(t, found, beyond, Carriers(chosen, active)), t, found


def held(service: Service, server: str) -> list[float]:
    return [float(c) for c in service.cost[:, SERVERS.index(server)]]


def told(service: Service) -> list[tuple[str, float]]:
    """The level that answers each access, and the latency."""
    columns = service.cost[:, len(SERVERS) : len(SERVERS) + 2]
    return [(LEVELS[int(level)], float(latency)) for latency, level in columns]


def groups(service: Service) -> list[int]:
    """The load that brings what each access wants into L1; -1: none does."""
    return [int(group) for group in service.cost[:, len(SERVERS) + 2]]


# Servers.


def test_every_access_goes_through_the_load_store_unit(tmp_path: Path) -> None:
    """32 lanes, 16 at a time."""
    rows = [(SHARED_LOAD, words(0)), (ATOMIC, [BASE]), (PAST, words(BASE)), (STORE, words(BASE))]
    assert held(served(tmp_path, rows)[0], "lsu") == [2.0, 2.0, 2.0, 2.0]


def test_what_a_load_brings_into_l1_goes_through_the_load_store_unit(tmp_path: Path) -> None:
    """64 B a cycle, as 16 lanes read them: four sectors, then one more, then none."""
    rows = [(LOAD, words(BASE)), (LOAD, words(BASE + 8)), (LOAD, words(BASE))]
    assert held(served(tmp_path, rows)[0], "lsu") == [2.0 + 4 / 2, 2.0 + 1 / 2, 2.0]


@pytest.mark.parametrize(
    ("step", "cycles"),
    [
        (4, 1.0),  # one line, 128 B at 128 a cycle, a pass
        (8, 2.0),  # two lines at once; 256 B
        (36, 8.0),  # nine lines: 1 + 7 / 4; 32 sectors of 32 B, of which eight lie in each bank
        (128, 32.0),  # all lanes in one bank
        (132, 8.5),  # 32 lines: 1 + 30 / 4; 1,024 B are 8 cycles
        (0, 1.0),
    ],
)
def test_l1_is_held_for_its_tags_its_bytes_or_its_banks(
    tmp_path: Path, step: int, cycles: float
) -> None:
    assert held(served(tmp_path, [(LOAD, words(BASE, step))])[0], "l1") == [cycles]


def test_what_shared_memory_is_asked_for_is_passes(tmp_path: Path) -> None:
    rows = [(SHARED_LOAD, words(0, step)) for step in (4, 8, 128, 132)]
    found, *_ = served(tmp_path, rows)
    assert held(found, "shared") == [1, 2, 32, 1]
    assert held(found, "l1") == held(found, "l2") == [0] * 4
    turing, *_ = served(tmp_path, rows, machine(shared__ports=0.5))
    assert held(turing, "shared") == [2, 4, 64, 2]
    wide, *_ = served(tmp_path, rows, machine(shared__ports=2))
    assert held(wide, "shared") == [0.5, 1, 16, 0.5]


def test_atomics_of_shared_memory_wait_for_those_at_their_word(tmp_path: Path) -> None:
    """2 cycles for each lane at the word of most; as one they are one lane; banks are the least."""
    rows = [(SHARED_ATOMIC, lanes) for lanes in ([0] * LANES, words(0), words(0, 128))]
    assert held(served(tmp_path, rows)[0], "shared") == [64, 2, 32]
    assert held(served(tmp_path, rows, as_one=[SHARED_ATOMIC])[0], "shared") == [2, 2, 32]


def test_l2_is_held_by_what_l1_misses(tmp_path: Path) -> None:
    """One SM has its way to L2, 64 B a cycle; 80 of them share 2,000 B a cycle, 25 each."""
    rows = [(LOAD, words(BASE)), (LOAD, words(BASE)), (PAST, words(BASE))]
    alone, *_ = served(tmp_path, rows)
    assert held(alone, "l2") == pytest.approx([128 / 64, 0, 128 / 64])
    shared, *_ = served(tmp_path, rows, active=80)
    assert held(shared, "l2") == pytest.approx([128 / 25, 0, 128 / 25])


@pytest.mark.parametrize(
    ("lanes", "sectors", "pieces"),
    [
        (words(BASE), 4, 2),
        (words(BASE + 32), 4, 3),  # half a piece at each end
        (words(BASE, 64), 32, 32),
        (words(BASE)[:8], 1, 1),
    ],
)
def test_l2_that_reads_more_at_once_takes_as_long_for_less(
    tmp_path: Path, lanes: list[int], sectors: int, pieces: int
) -> None:
    """64 B at once: pieces of 64 B, of which each sector alone costs a whole one."""
    rows = [(PAST, lanes)]
    found, *_ = served(tmp_path, rows, machine(l2__access_bytes=64))
    assert held(found, "l2") == pytest.approx([pieces * 64 / 64])
    assert found.l2_sectors[OPCODES.index(PAST)] == found.l2_sectors.sum() == sectors
    plain, *_ = served(tmp_path, rows, machine(l2__access_bytes=32))
    assert held(plain, "l2") == pytest.approx([sectors * 32 / 64])


def test_without_l2_the_way_off_the_sm_is_what_is_held() -> None:
    machine = load_machine("quadro_fx5800")
    assert machine.integer("l2.size_bytes") == 0
    way = 1 / machine.number("icnt.bytes_per_clk_per_sm")
    assert Carriers(machine, 30).l2_cycles == pytest.approx(way)


def test_l2_reads_its_width_for_parts_of_it(tmp_path: Path) -> None:
    """Of 64 B at once: 128 B are two, single sectors one each, two neighbours one."""
    rows = [
        (PAST, words(BASE)),
        (PAST, [BASE, BASE + 64, BASE + 128]),
        (PAST, [BASE, BASE + 32]),
        (PAST, [BASE + 32, BASE + 64]),
    ]
    found, *_ = served(tmp_path, rows, machine(l2__access_bytes=64))
    assert held(found, "l2") == pytest.approx([2, 3, 1, 2])
    sectors, *_ = served(tmp_path, rows)
    assert held(sectors, "l2") == pytest.approx([2, 1.5, 1, 1])


def test_stores_cost_l2_what_the_machine_says(tmp_path: Path) -> None:
    found, *_ = served(tmp_path, [(STORE, words(BASE)), (ATOMIC, words(BASE + 4096))])
    assert held(found, "l2") == pytest.approx([3 * 128 / 64, 128 / 64])


def test_dram_is_held_for_the_share_that_goes_there(tmp_path: Path) -> None:
    """600 GB/s at 1,500 MHz are 400 B a cycle, of which one of 80 SMs has 5."""
    rows = [(LOAD, words(BASE)), (STORE, words(BASE + 4096))]
    found, *_ = served(tmp_path, rows, active=80, reads=1.0, writes=0.5)
    assert held(found, "dram") == pytest.approx([128 / 5, 64 / 5])
    turning, *_ = served(tmp_path, rows, active=80, reads=1.0, writes=0.5, efficiency=0.8)
    assert held(turning, "dram") == pytest.approx([128 / 4, 64 / 4])


@pytest.mark.parametrize("wanted", [0.0, 0.125, 0.25, 0.4, 0.5, 0.8, 1.0])
def test_accesses_that_wait_for_dram_are_spread_evenly(tmp_path: Path, wanted: float) -> None:
    """Over any stretch of accesses, and over those of every so manyth: none is always chosen."""
    number = 512
    rows = [(LOAD, words(BASE + 128 * k)) for k in range(number)]
    found, *_ = served(tmp_path, rows, reads=0.5, waits=wanted)
    assert found.l2_sectors[OPCODES.index(LOAD)] == found.l2_sectors.sum() == 4 * number
    assert found.dram_sectors.sum() == pytest.approx(2 * number)
    waits = found.cost[:, len(SERVERS) + 1] == LEVELS.index("dram")
    assert abs(np.cumsum(waits) - wanted * np.arange(1, number + 1)).max() < 2
    for step in (2, 3, 4, 8, 10, 16):
        every = [waits[first::step].mean() for first in range(step)]
        assert every == pytest.approx([wanted] * step, abs=0.15)


def test_accesses_wait_for_who_has_asked_for_what_they_want(tmp_path: Path) -> None:
    """Every line is asked for twice; of the first ones about half wait for DRAM."""
    rows = [(LOAD, words(BASE + 128 * (k // 2))) for k in range(64)]
    found, *_ = served(tmp_path, rows, reads=1.0, waits=0.5)
    waits = found.cost[:, len(SERVERS) + 1] == LEVELS.index("dram")
    assert abs(waits[::2].sum() - 16) <= 1
    assert list(waits[1::2]) == list(waits[::2])
    assert groups(found) == [k // 2 * 2 for k in range(64)]


def test_an_access_waits_for_the_last_that_brings_a_part_of_it(tmp_path: Path) -> None:
    """Lines of which one, the other, and both are asked for; then a line and half of another."""
    rows = [
        (LOAD, words(BASE)), (LOAD, words(BASE + 128)), (LOAD, words(BASE + 64)),
        (LOAD, words(BASE + 192)), (STORE, words(BASE)), (ATOMIC, [BASE]), (PAST, words(BASE)),
    ]  # fmt: skip
    assert groups(served(tmp_path, rows)[0]) == [0, 1, 1, 3, -1, -1, -1]


def test_fills_make_a_store_move_more_than_it_stores(tmp_path: Path) -> None:
    found, *_ = served(tmp_path, [(STORE, words(BASE, 64))], writes=2.0)
    assert (found.l2_sectors.sum(), found.dram_sectors.sum()) == (32, 64)


def test_lanes_of_atomics_go_one_by_one(tmp_path: Path) -> None:
    """1.5 cycles a lane here; a warp that sums up first has one."""
    rows = [(ATOMIC, words(BASE)), (ATOMIC, [BASE] * 5), (LOAD, words(BASE)), (SHARED_ATOMIC, [0])]
    assert held(served(tmp_path, rows)[0], "atomic") == [48, 7.5, 0, 0]
    assert held(served(tmp_path, rows, as_one=[ATOMIC])[0], "atomic") == [1.5, 1.5, 0, 0]


def test_constants_at_other_addresses_are_read_one_after_another(tmp_path: Path) -> None:
    rows = [(CONSTANT, [CONSTANT_BASE] * LANES), (CONSTANT, words(CONSTANT_BASE)[:5])]
    found, *_ = served(tmp_path, rows)
    assert held(found, "l1") == [0, 4]
    assert held(found, "l2") == [0, 0]


@pytest.mark.parametrize(("capability", "cycles"), [("7.0", 0), ("6.1", 2)])
def test_constants_leave_the_load_store_unit_alone_since_volta(
    tmp_path: Path, capability: str, cycles: int
) -> None:
    rows = [(CONSTANT, [CONSTANT_BASE] * LANES), (LOAD, words(BASE)), (SHARED_LOAD, [0])]
    on = load_machine(
        "v100", {**VALUES, "machine.compute_capability": capability, "lanes.ldst": 16}
    )
    found, *_ = served(tmp_path, rows, on)
    assert held(found, "lsu") == [cycles, 2 + 4 / 2, 2]


# Who answers, and when.


def test_the_farthest_that_is_asked_answers(tmp_path: Path) -> None:
    """The second load wants what the first one brings; of four sectors one comes from DRAM."""
    rows = [(LOAD, words(BASE)), (LOAD, words(BASE)), (PAST, words(BASE + 4096))]
    near, *_ = served(tmp_path, rows)
    assert told(near) == [("l2", 200), ("l2", 200), ("l2", 200)]
    assert groups(near) == [0, 0, -1]
    far, *_ = served(tmp_path, rows, reads=0.25, waits=1.0)
    assert told(far) == [("dram", 450), ("dram", 450), ("dram", 450)]


def test_stores_wait_for_l2_at_most(tmp_path: Path) -> None:
    assert told(served(tmp_path, [(STORE, words(BASE))], writes=1.0)[0]) == [("l2", 200)]


def test_atomics_take_their_latency_or_that_of_dram(tmp_path: Path) -> None:
    rows = [(ATOMIC, words(BASE))]
    assert told(served(tmp_path, rows)[0]) == [("l2", 250)]
    assert told(served(tmp_path, rows, reads=1.0, waits=1.0)[0]) == [("dram", 450)]


def test_shared_memory_answers_by_what_is_done(tmp_path: Path) -> None:
    rows = [(opcode, words(0)) for opcode in (SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC)]
    assert told(served(tmp_path, rows)[0]) == [("shared", 21), ("shared", 18), ("shared", 40)]


def test_constants_answer_by_the_cache_that_has_them(tmp_path: Path) -> None:
    """Lines of 64 B, two in the first cache: of four in turn the first is in the second one."""
    on = load_machine("v100", {**VALUES, "const.l1_bytes": 128, "const.ways": 2})
    places = [CONSTANT_BASE + 64 * k for k in (0, 0, 1, 2, 0)]
    found, *_ = served(tmp_path, [(CONSTANT, [at] * LANES) for at in places], on)
    assert told(found) == [
        ("l2", 240), ("constant", 26), ("l2", 240), ("l2", 240), ("constant", 90),
    ]  # fmt: skip


def test_textures_that_their_cache_has_take_its_latency(tmp_path: Path) -> None:
    on = machine()
    kernel = accessing(tmp_path, LOAD)
    kernel = replace(kernel, points=(replace(kernel.points[0], space=Space.TEXTURE),))
    t = asked(kernel, on, [[(LOAD, [BASE] * LANES)] * 2])
    beyond = BeyondL1(np.zeros(1), np.zeros(1), np.zeros(1), 1.0, 0.0)
    assert told(serve(t, on_sm(t, on, 0), beyond, Carriers(on, 1))) == [("l2", 200), ("l1", 86)]


def test_texels_ask_l2_for_all_sectors_of_their_line(tmp_path: Path) -> None:
    """Lanes at 32 lines of the texture cache, 128 B each, ask for four sectors or two pieces."""
    kernel = accessing(tmp_path, LOAD)
    kernel = replace(kernel, points=(replace(kernel.points[0], space=Space.TEXTURE),))
    beyond = BeyondL1(np.zeros(1), np.zeros(1), np.zeros(1), 1.0, 0.0)
    for at_once in (32, 64):
        on = machine(l2__access_bytes=at_once)
        t = asked(kernel, on, [[(LOAD, words(BASE, 128))]])
        found = serve(t, on_sm(t, on, 0), beyond, Carriers(on, 1))
        assert found.l2_sectors.tolist() == [LANES * 4]
        assert held(found, "l2") == pytest.approx([LANES * 128 / 64])
