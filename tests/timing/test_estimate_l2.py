"""What a wave finds in L2, against an exact cache and by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.reference.cache import NaiveCache
from tests.timing.estimated_rounds import LANES, Asked, accessing, asked, words
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE as BASE
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion
from warpmill.simulator.estimate import wave_traffic as waves
from warpmill.simulator.estimate.service import mixed
from warpmill.simulator.estimate.transactions import Transactions
from warpmill.simulator.estimate.wave_traffic import (
    ELSEWHERE,
    LOCAL_MEMORY,
    MemoryRegions,
    WaveSectors,
    WaveTraffic,
    left_in_l2,
    lines_touched,
    misses_alone,
    wave_traffic,
)
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine, fetches_on_write
from warpmill.simulator.memory.cache import l2_spec

LOAD, STORE, ATOMIC = "ld.global.u32", "st.global.u32", "atom.global.add.u32"
LINE = 128
WHOLE = LaunchLayout(
    {}, {}, (MemoryRegion("a", BASE, 1 << 20), MemoryRegion("b", BASE + (1 << 20), 1 << 20)), 0
)
A, B = BASE, BASE + (1 << 20)
V100 = load_machine("v100")


def small(lines: int, ways: int = 4, policy: str = "lazy_fetch_on_read") -> Machine:
    sizes = {"l2.size_bytes": lines * LINE, "l2.ways": ways}
    return load_machine("v100", {**sizes, "l2.write_allocate": policy})


def traffic(
    folder: Path,
    warps: Sequence[Sequence[Asked]],
    machine: Machine = V100,
    before: Sequence[Sequence[Asked]] | None = None,
    share: float = 1.0,
    warps_per_cta: int = 1,
    *,
    in_step: bool = False,
) -> WaveTraffic:
    kernel = accessing(folder, LOAD, STORE, ATOMIC)

    def sent(some: Sequence[Sequence[Asked]]) -> WaveSectors:
        made = asked(kernel, machine, some, warps_per_cta=warps_per_cta)
        return WaveSectors(made, WHOLE, in_step=in_step)

    return wave_traffic(sent(warps), None if before is None else sent(before), machine, share)


def wave(of: Transactions) -> WaveSectors:
    return WaveSectors(of, WHOLE)


# What L2 has.


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ways", [1, 4, 16])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("policy", ["lazy_fetch_on_read", "fetch_on_write"])
def test_l2_is_an_exact_lru_cache_that_all_warps_go_through(
    tmp_path: Path, ways: int, seed: int, policy: str
) -> None:
    rng = np.random.default_rng(seed)
    machine = small(64, ways, policy)

    def some_warps() -> list[list[Asked]]:
        places = rng.integers(0, 90, (6, 8))
        steps = rng.choice([0, 4, 64], (6, 8))
        opcodes = rng.choice([LOAD, LOAD, STORE, ATOMIC], (6, 8)).tolist()
        return [
            [
                (opcodes[w][k], words(A + LINE * int(places[w, k]), int(steps[w, k])))
                for k in range(8)
            ]
            for w in range(6)
        ]

    before, after = some_warps(), some_warps()
    own = 2 if seed % 2 else 6  # warps that go in step: those of a CTA, or all
    found = traffic(tmp_path, after, machine, before, warps_per_cta=2, in_step=own == 6)
    reads, waiting, fills, writes = slow_traffic(machine, before, after, own)
    assert found.misses.tolist() == [reads[LOAD], 0, reads[ATOMIC]]
    assert found.waiting.tolist() == pytest.approx([waiting[LOAD], 0, waiting[ATOMIC]])
    assert found.fills.tolist() == [0, fills, 0]
    assert found.writes.tolist() == [0, writes[STORE], writes[ATOMIC]]


def slow_traffic(
    machine: Machine, before: Sequence[Sequence[Asked]], wave: Sequence[Sequence[Asked]], own: int
) -> tuple[Counter[str], Counter[str], int, Counter[str]]:
    """Go sector by sector through a cache of lists.

    Gives reads, accesses that have any or ask for what another of ``own`` warps has in the same
    turn, sectors of which a part is read as it is stored to or when they go, and writes.
    """
    fetches = fetches_on_write(machine)
    spec = l2_spec(machine)
    assert spec is not None
    cache = NaiveCache(spec)
    reads: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    writes: Counter[str] = Counter()
    fills, written = 0, set()
    under_way: dict[int, tuple[int, int]] = {}
    known: dict[int, set[int]] = {}  # words of the sectors that came with the wave
    whole = set(range(8))
    for counted, warps in ((False, before), (True, wave)):
        for turn in range(len(warps[0])):
            for number, (opcode, lanes) in enumerate(warp[turn] for warp in warps):
                touched: dict[int, set[int]] = {}
                for a in lanes:
                    if a is not None:
                        touched.setdefault(a // 32, set()).add(a % 32 // 4)
                earlier, late = reads[opcode], False
                for sector, words_of in touched.items():
                    hit = (
                        cache.access(int(mixed(np.array([sector]), 4)[0]), opcode == STORE)[0]
                        == "hit"
                    )
                    if not counted:
                        continue
                    partial = known.get(sector, whole) != whole
                    fills += partial and not hit
                    if not hit:
                        known[sector] = set()
                    if not hit and fetches and opcode == STORE and words_of != whole:
                        known[sector], fills = set(whole), fills + 1
                    reads[opcode] += opcode != STORE and (partial or not hit)
                    if sector in known:
                        known[sector] |= words_of if opcode == STORE else whole
                    asked_at = under_way.get(sector)
                    late |= opcode != STORE and hit and asked_at == (turn, number // own)
                    if opcode != STORE and not hit:
                        under_way[sector] = turn, number // own
                    if opcode != LOAD and sector not in written:
                        writes[opcode] += 1
                        written.add(sector)
                waiting[opcode] += reads[opcode] > earlier or late
    fills += sum(words_of != whole for words_of in known.values())
    return reads, waiting, fills, writes


def test_a_wave_finds_what_the_wave_before_has_left(tmp_path: Path) -> None:
    """A row of lines that has room in L2, and one that has not."""
    rows: list[list[Asked]] = [[(LOAD, words(A + LINE * k))] for k in range(64)]
    assert traffic(tmp_path, rows, small(64, 64)).misses[0] == 64 * 4
    assert traffic(tmp_path, rows, small(64, 64), before=rows).misses[0] == 0
    assert traffic(tmp_path, rows, small(63, 63), before=rows).misses[0] == 64 * 4
    other: list[list[Asked]] = [[(LOAD, words(B + LINE * k))] for k in range(64)]
    assert traffic(tmp_path, rows, small(64, 64), before=other).misses[0] == 64 * 4


def test_misses_come_by_whole_accesses(tmp_path: Path) -> None:
    """Of four lines one is new: a quarter of the accesses waits, though each asks for 4 sectors."""
    rows: list[Asked] = [(LOAD, words(A + LINE * (0 if k % 4 else k))) for k in range(4, 68)]
    found = traffic(tmp_path, [rows], small(2048, 16))
    assert (found.misses[0], found.waiting[0]) == (17 * 4, 17)


def test_a_part_of_a_wave_has_that_part_of_l2(tmp_path: Path) -> None:
    """64 lines twice: they have room in all of 128 lines, not in a quarter of them."""
    rows: list[Asked] = [(LOAD, words(A + LINE * k)) for k in range(64)] * 2
    assert traffic(tmp_path, [rows], small(128, 16)).misses[0] == 64 * 4
    quarter = traffic(tmp_path, [rows], small(128, 16), share=0.25)
    assert quarter.misses[0] > 1.5 * 64 * 4


def test_without_l2_everything_goes_to_dram(tmp_path: Path) -> None:
    machine = load_machine("quadro_fx5800")
    found = traffic(tmp_path, [[(LOAD, words(A))] * 3], machine)
    assert found.misses[0] == 3 * 4  # each half of a warp has two sectors


def test_some_sets_stand_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    rows: list[list[Asked]] = [
        [(LOAD, words(A + LINE * int(k))) for k in rng.integers(0, 4000, 400)] for _ in range(8)
    ]
    machine = small(2048, 16)
    found = traffic(tmp_path, rows, machine)
    whole, waiting = found.misses[0], found.waiting[0]
    monkeypatch.setattr(waves, "MOST_TRANSACTIONS", 3200)  # of 12,800: every fourth set
    assert 0.3 * 12800 < whole < 0.9 * 12800
    some = traffic(tmp_path, rows, machine)
    assert (some.misses[0], some.waiting[0]) == pytest.approx((whole, waiting), rel=0.05)


def test_of_many_transactions_those_of_the_first_ctas_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 20 CTAs reads lines of its own; 40 sectors are 10 of them."""
    rows: list[list[Asked]] = [[(LOAD, words(A + LINE * k))] for k in range(20)]
    monkeypatch.setattr(waves, "MOST_TOUCHED", 40)
    found = traffic(tmp_path, rows)
    assert (found.accesses[0], found.misses[0]) == (10, 40)


def test_machines_that_have_a_wave_in_common_find_in_it_what_each_finds_alone(
    tmp_path: Path,
) -> None:
    """They differ in L2, in its slices, and in the rows of DRAM."""
    rng = np.random.default_rng(9)
    kernel = accessing(tmp_path, LOAD, STORE, ATOMIC)
    rows: list[list[Asked]] = [
        [(opcode, words(A + LINE * int(k))) for opcode in kernel.opcodes for k in each]
        for each in rng.integers(0, 200, (6, 30))
    ]
    own, past = (asked(kernel, V100, part) for part in (rows[:4], rows[4:]))
    changes = {"l2.slices": 2, "dram.page_bytes": 512}
    others = [small(64), *(load_machine("v100", {key: n}) for key, n in changes.items())]
    common, before = wave(own), wave(past)
    for machine in (V100, *others, V100):
        for earlier in (None, past):
            alone = wave_traffic(wave(own), None if earlier is None else wave(past), machine)
            found = wave_traffic(common, None if earlier is None else before, machine)
            assert {k: np.array(v).tolist() for k, v in vars(found).items()} == {
                k: np.array(v).tolist() for k, v in vars(alone).items()
            }
        assert misses_alone(common, machine).tolist() == misses_alone(wave(own), machine).tolist()
    seen = [wave_traffic(common, None, machine) for machine in (V100, *others)]
    assert len({(t.misses.sum(), t.hottest_lanes, t.rows) for t in seen}) == len(seen)


def test_first_touches_are_all_that_misses_where_lines_have_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """300 lines, of which one is read as often as all: no set stands for others then."""
    places = np.random.default_rng(4).choice(2000, 300, replace=False)
    kernel = accessing(tmp_path, LOAD)
    each = [int(k) for pair in zip(places, np.repeat(places[:1], 300), strict=True) for k in pair]
    own = wave(asked(kernel, V100, [[(LOAD, words(A + LINE * k, 4)[:8]) for k in each]]))
    monkeypatch.setattr(waves, "MOST_TRANSACTIONS", 50)
    assert lines_touched(own, V100) == 300
    assert misses_alone(own, V100).tolist() == [300]
    assert misses_alone(own, small(256)).sum() > 300


# Stores.


@pytest.mark.parametrize(
    ("lanes", "fills"),
    [
        (words(A), 0),
        (words(A + 4), 2),  # the first and the last of five sectors are left in part
        (words(A)[:20], 1),
        (words(A, 64), 32),
    ],
)
def test_of_a_sector_that_is_stored_to_in_part_the_rest_is_read(
    tmp_path: Path, lanes: list[int], fills: int
) -> None:
    found = traffic(tmp_path, [[(STORE, lanes)]])
    assert found.fills[1] == fills
    assert found.misses[1] == 0
    assert found.writes[1] == len({a // 32 for a in lanes})


def test_a_sector_that_is_stored_to_part_by_part_is_not_filled(tmp_path: Path) -> None:
    parts = [[(STORE, words(A + 4 * k, 32))] for k in range(8)]
    found = traffic(tmp_path, parts)
    assert (found.misses.sum(), found.fills[1], found.writes[1]) == (0, 0, 32)
    assert traffic(tmp_path, parts[:-1]).fills[1] == 32


def test_a_load_reads_what_was_stored_to_in_part(tmp_path: Path) -> None:
    found = traffic(tmp_path, [[(STORE, words(A, 64)), (LOAD, words(A, 64))]])
    assert (found.misses[0], found.fills[1], found.writes[1]) == (32, 0, 32)


def test_what_is_left_in_l2_is_what_was_used_last(tmp_path: Path) -> None:
    """Of 96 lines stored one after another 64 have room, fewer where loads come behind."""
    stored: list[Asked] = [(STORE, words(A + LINE * k)) for k in range(96)]
    kernel, machine = accessing(tmp_path, LOAD, STORE, ATOMIC), small(64)
    assert left_in_l2(wave(asked(kernel, machine, [stored])), machine) == 64 / 96
    loads: list[Asked] = [(LOAD, words(B + LINE * k)) for k in range(16)]
    assert left_in_l2(wave(asked(kernel, machine, [stored + loads])), machine) == 48 / 96


def test_a_sector_that_l2_has_is_not_filled(tmp_path: Path) -> None:
    found = traffic(tmp_path, [[(LOAD, words(A, 64)), (STORE, words(A, 64))]])
    assert (found.misses[0], found.fills[1], found.writes[1]) == (32, 0, 32)


def test_what_is_stored_twice_is_written_once(tmp_path: Path) -> None:
    found = traffic(tmp_path, [[(STORE, words(A))] * 3, [(STORE, words(A))]])
    assert (found.sectors[1], found.writes[1]) == (16, 4)


# Regions, rows and slices.


def test_sectors_are_told_apart_by_region(tmp_path: Path) -> None:
    rows: list[Asked] = [(LOAD, words(A)), (LOAD, words(A)), (STORE, words(B)), (LOAD, [BASE - 64])]
    found = traffic(tmp_path, [rows])
    assert found.regions == ("a", "b", LOCAL_MEMORY, ELSEWHERE)
    assert (found.sectors.sum(), found.misses.sum()) == (8 + 4 + 1, 4 + 1)
    assert found.region_touched.tolist() == [4, 4, 0, 1]
    assert found.region_of[:2].tolist() == [0, 1]


def test_textures_lie_where_their_buffers_do(tmp_path: Path) -> None:
    """A line of 128 B of a texture is four sectors of its region."""
    kernel = accessing(tmp_path, LOAD)
    points = tuple(replace(p, space=Space.TEXTURE) for p in kernel.points)
    t = asked(replace(kernel, points=points), V100, [[(LOAD, words(A))]])
    found = wave_traffic(wave(t), None, V100)
    assert found.region_touched.tolist() == [4, 0, 0, 0]
    assert found.misses.tolist() == [4]


def test_regions_end_where_they_end() -> None:
    """A region from the middle of a sector to the middle of another has both."""
    layout = LaunchLayout({}, {}, (MemoryRegion("x", 1000, 64), MemoryRegion("none", 2000, 0)), 0)
    found = MemoryRegions(layout, 32)
    assert found.names == ("x", LOCAL_MEMORY, ELSEWHERE)
    assert found.of(np.array([30, 31, 32, 33, 34, 1 << 40])).tolist() == [2, 0, 0, 0, 2, 1]


def test_what_lies_before_all_memory_is_memory_too(tmp_path: Path) -> None:
    """A static trace takes addresses as the code counts them: an index that wraps is below 0."""

    def of(base: int) -> WaveTraffic:
        own = [[(LOAD, words(base)), (STORE, words(base + 4096))], [(LOAD, words(base))]]
        return traffic(tmp_path, own)

    found, wanted = of(A - (1 << 40)), of(A)
    assert found.misses.tolist() == wanted.misses.tolist() == [4, 0, 0]
    assert found.writes.tolist() == wanted.writes.tolist() == [0, 4, 0]
    assert found.rows == wanted.rows


def test_rows_are_those_of_channels(tmp_path: Path) -> None:
    """256 B go to a channel, 32 of them in turn; a row of 1 KiB holds what four rounds bring.

    One line opens a row, and so do 8 KiB in each of 32 channels; 32 KiB open no more, 33 KiB one.
    """
    machine = load_machine("v100")
    facts = {"l2.interleave_bytes": 256, "dram.channels": 32, "dram.page_bytes": 1024}
    assert {key: machine.integer(key) for key in facts} == facts
    base = 1 << 28  # a multiple of 32 KiB
    assert base == BASE
    for lines, rows in ((1, 1), (2, 1), (3, 2), (64, 32), (256, 32), (257, 33)):
        warp: list[Asked] = [(LOAD, words(base + LINE * k)) for k in range(lines)]
        found = traffic(tmp_path, [warp], machine).rows
        assert (found.read * 4 * lines, found.written) == (pytest.approx(rows), 0)


def test_a_row_is_opened_again_for_what_comes_when_others_wait(tmp_path: Path) -> None:
    """32 channels have 64 requests each at a time: 512 lines. The first row is asked for twice.

    512 lines are 64 KiB of memory, two rows in each of 32 channels.
    """
    machine = load_machine("v100", {"dram.queue": 64})
    assert (machine.integer("dram.channels"), machine.text("dram.scheduler")) == (32, "FR-FCFS")
    first: list[Asked] = [(LOAD, words(BASE))]
    others: list[Asked] = [(LOAD, words(BASE + 65536 + LINE * k)) for k in range(512)]
    again: list[Asked] = [(LOAD, words(BASE + LINE))]
    for warp, rows in (([*first, *again, *others], 1 + 64 + 2), ([*first, *others, *again], 67)):
        found = traffic(tmp_path, [warp], machine).rows
        assert found.read * 4 * 514 == pytest.approx(rows, abs=1)
    fcfs = load_machine("v100", {"dram.scheduler": "FCFS"})
    assert traffic(tmp_path, [[*first, *others]], fcfs).rows.read > found.read


def test_the_busiest_slice_sets_the_pace_of_atomics(tmp_path: Path) -> None:
    """64 slices by lines: 32 lanes at one line, and a warp whose lanes are at 32 lines."""
    rows: list[Asked] = [(ATOMIC, words(A, 0)), (ATOMIC, words(A, LINE))]
    found = traffic(tmp_path, [rows])
    assert (found.atomic_lanes, found.hottest_lanes) == (64, 32 + 1)
    kernel = accessing(tmp_path, ATOMIC)
    as_one = asked(kernel, V100, [[(ATOMIC, [A] * LANES)] * 3], aggregated=[ATOMIC])
    made = wave_traffic(wave(as_one), None, V100)
    assert (made.atomic_lanes, made.hottest_lanes) == (3, 3)
