"""What a round finds in the caches of its SM, against exact caches and by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.reference.cache import NaiveCache
from tests.timing.estimated_rounds import LANES, Asked, accessing, asked, words
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, GLOBAL_BASE
from warpmill.simulator.estimate.service import mixed, on_sm
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.cache import l1_spec

LOAD, STORE, ATOMIC, PAST = (
    "ld.global.u32", "st.global.u32", "atom.global.add.u32", "ld.global.cg.u32",
)  # fmt: skip
LINE = 128


def small(ways: int = 4, sets: int = 4, **more: object) -> Machine:
    """A machine whose L1 has some lines of four sectors."""
    settings = {f"{key.replace('__', '.')}": value for key, value in more.items()}
    size = ways * sets * LINE
    return load_machine("v100", {"l1.size_bytes": size, "l1.sets": sets, **settings})  # type: ignore[dict-item]


def misses(
    folder: Path, machine: Machine, warps: list[list[Asked]], resident: int = 99
) -> list[int]:
    kernel = accessing(folder, LOAD, STORE, ATOMIC, PAST)
    t = asked(kernel, machine, warps, resident=resident)
    return [int(n) for n in on_sm(t, machine, 0).misses]


def in_step(warps: list[list[Asked]], resident: int) -> list[tuple[int, Asked]]:
    """Accesses by number in the order of the round: warps in step, each a CTA."""
    starts = np.cumsum([0, *map(len, warps)])
    found = []
    for first in range(0, len(warps), resident):
        running = range(first, min(first + resident, len(warps)))
        for turn in range(max(len(warps[w]) for w in running)):
            found += [
                (int(starts[w]) + turn, warps[w][turn]) for w in running if turn < len(warps[w])
            ]
    return found


def slow_misses(machine: Machine, warps: list[list[Asked]], resident: int) -> list[int]:
    """Send them through a cache of lists, sector by sector."""
    spec = l1_spec(machine)
    assert spec is not None
    allocates, hashed = machine.flag("l1.write_allocate"), machine.text("l1.hash") == "xor"
    cache = NaiveCache(replace(spec, write_allocate=True))
    found = [0] * sum(map(len, warps))
    for number, (opcode, lanes) in in_step(warps, resident):
        sectors = list(dict.fromkeys(a // 32 for a in lanes if a is not None))
        found[number] = len(sectors)
        if opcode in {ATOMIC, PAST} or (opcode == STORE and not allocates):
            continue
        for sector in sectors:
            own = int(mixed(np.array([sector]), 4)[0]) if hashed else sector
            outcome, *_ = cache.access(own, opcode == STORE)
            found[number] -= outcome == "hit" and opcode == LOAD
    return found


def random_warps(rng: random.Random, lines: int) -> list[list[Asked]]:
    """Warps of random lengths that go about in some lines, one after another or anywhere."""
    warps: list[list[Asked]] = []
    for _ in range(rng.randint(1, 9)):
        own: list[Asked] = []
        for k in range(rng.randint(1, 12)):
            opcode = rng.choice([LOAD, LOAD, LOAD, STORE, ATOMIC, PAST])
            base = GLOBAL_BASE + LINE * rng.randrange(lines)
            base = GLOBAL_BASE + LINE * (k % lines) if rng.random() < 0.3 else base
            own.append((opcode, words(base + 32 * rng.randrange(3), rng.choice([0, 4, 8, 128]))))
        warps.append(own)
    return warps


@pytest.mark.one_in(12)
@pytest.mark.parametrize("allocates", [True, False])
@pytest.mark.parametrize("hashed", ["linear", "xor"])
@pytest.mark.parametrize(("ways", "sets"), [(1, 4), (4, 4), (16, 1), (3, 5)])
def test_l1_is_an_exact_lru_cache(
    tmp_path: Path, ways: int, sets: int, hashed: str, allocates: bool
) -> None:
    machine = small(ways, sets, l1__write_allocate=allocates, l1__hash=hashed)
    rng = random.Random(ways)
    hits = 0
    for _ in range(12):
        warps, resident = random_warps(rng, rng.choice([3, 20, 60])), rng.choice([1, 3, 99])
        found = misses(tmp_path, machine, warps, resident)
        assert found == slow_misses(machine, warps, resident)
        hits += sum(a < b for a, b in zip(found, _cold(machine, warps), strict=True))
    assert hits > 20


def _cold(machine: Machine, warps: list[list[Asked]]) -> list[int]:
    """The sectors of each access."""
    return [len({a // 32 for a in lanes if a is not None}) for warp in warps for _, lanes in warp]


def test_a_line_that_two_warps_read_is_brought_in_once(tmp_path: Path) -> None:
    warps = [[(LOAD, words(GLOBAL_BASE))]] * 3
    assert misses(tmp_path, small(), warps) == [4, 0, 0]


def test_sectors_come_in_one_by_one(tmp_path: Path) -> None:
    """The first half of a line, all of it, and all of it again."""
    half = words(GLOBAL_BASE)[:16]
    warp: list[Asked] = [(LOAD, half), (LOAD, words(GLOBAL_BASE)), (LOAD, words(GLOBAL_BASE))]
    assert misses(tmp_path, small(), [warp]) == [2, 2, 0]


def test_a_loop_over_more_lines_than_l1_has_finds_nothing(tmp_path: Path) -> None:
    """LRU throws out what comes next: 17 lines in turn, of which 16 have room."""
    for lines, second in ((16, 0), (17, 4)):
        rows: list[Asked] = [(LOAD, words(GLOBAL_BASE + LINE * k)) for k in range(lines)] * 2
        assert misses(tmp_path, small(16, 1), [rows]) == [4] * lines + [second] * lines


@pytest.mark.parametrize(("allocates", "after"), [(True, 0), (False, 4)])
def test_stores_bring_lines_in_where_the_machine_says_so(
    tmp_path: Path, allocates: bool, after: int
) -> None:
    rows: list[Asked] = [(STORE, words(GLOBAL_BASE)), (LOAD, words(GLOBAL_BASE))]
    found = misses(tmp_path, small(l1__write_allocate=allocates), [rows])
    assert found == [4, after]  # all that is stored goes on to L2


def test_what_goes_past_l1_finds_nothing_there_and_leaves_nothing(tmp_path: Path) -> None:
    lanes = words(GLOBAL_BASE)
    rows: list[Asked] = [
        (PAST, lanes),
        (LOAD, lanes),
        (PAST, lanes),
        (ATOMIC, lanes),
        (LOAD, lanes),
    ]
    assert misses(tmp_path, small(), [rows]) == [4, 4, 4, 4, 0]


def test_l1_has_what_shared_memory_leaves(tmp_path: Path) -> None:
    """V100: 128 KiB for both. Twice over 64 KiB: it stays beside 32 KiB, not beside 96 KiB."""
    machine = load_machine("v100")
    rows: list[Asked] = [(LOAD, words(GLOBAL_BASE + LINE * k)) for k in range(512)] * 2
    t = asked(accessing(tmp_path, LOAD), machine, [rows])
    beside = {kib: on_sm(t, machine, kib * 1024).misses[512:].sum() for kib in (0, 32, 96)}
    assert (beside[0], beside[32]) == (0, 0)
    assert beside[96] == 512 * 4


@pytest.mark.parametrize("name", ["tesla_k40", "gtx980", "quadro_fx5800"])
def test_machines_that_keep_no_global_data_in_l1_ask_for_all_of_it(
    tmp_path: Path, name: str
) -> None:
    machine = load_machine(name)
    kernel = accessing(tmp_path, LOAD)
    found = on_sm(asked(kernel, machine, [[(LOAD, words(GLOBAL_BASE))] * 2]), machine, 0)
    assert (found.misses.tolist(), found.asks_l1.tolist()) == ([4, 4], [False, False])


def test_lines_are_what_tags_are_looked_up_for(tmp_path: Path) -> None:
    rows: list[Asked] = [(LOAD, words(GLOBAL_BASE + 64)), (LOAD, words(GLOBAL_BASE, 64))]
    found = on_sm(asked(accessing(tmp_path, LOAD), small(), [rows]), small(), 0)
    assert found.lines.tolist() == [2, 16]
    assert found.sectors.tolist() == [4, 32]


@pytest.mark.parametrize("per_line", [1, 4])
def test_mixing_gives_each_line_a_number_of_its_own(per_line: int) -> None:
    sectors = np.unique(np.random.default_rng(3).integers(0, 1 << 45, 5000))
    found = mixed(sectors, per_line)
    assert len(np.unique(found)) == len(sectors)
    assert (found % per_line == sectors % per_line).all()
    together = sectors[:, None] // per_line * per_line + np.arange(per_line)
    assert (
        np.ptp(mixed(together.ravel(), per_line).reshape(-1, per_line) // per_line, 1) == 0
    ).all()
    for apart in (32, 64, 2048, 4096, 1 << 23):  # lines: of 64 sets two or one would do
        strided = mixed(np.arange(64) * apart * per_line, per_line) // per_line
        assert len(set((strided % 64).tolist())) >= 32


# Constants and textures.


def test_constants_come_from_the_nearest_cache_that_has_them(tmp_path: Path) -> None:
    """Two lines of 64 B in the first cache and four in the second, which see all accesses.

    a and a hit; b, a, c: c throws b out of the first cache; d and e throw b out of the second.
    """
    sizes = {"const.l1_bytes": 128, "const.l15_bytes": 256, "const.ways": 2, "const.line_bytes": 64}
    machine = load_machine("v100", sizes)
    opcode = "ld.const.u32"
    a, b, c, d, e = (CONSTANT_BASE + 64 * k for k in range(5))
    rows: list[Asked] = [(opcode, [at] * LANES) for at in (a, a, b, a, c, b, d, e, a, b)]
    t = asked(accessing(tmp_path, opcode), machine, [rows])
    # at the end the first has e and d; the second b, d, e and c: a is gone, then c
    assert on_sm(t, machine, 0).constant.tolist() == [2, 0, 2, 0, 2, 1, 2, 2, 2, 1]


def test_an_access_to_constants_is_answered_by_the_farthest_of_its_lines(tmp_path: Path) -> None:
    machine, opcode = load_machine("v100"), "ld.const.u32"
    near, both = [CONSTANT_BASE] * LANES, [CONSTANT_BASE + 64, CONSTANT_BASE]
    t = asked(accessing(tmp_path, opcode), machine, [[(opcode, near), (opcode, both)]])
    assert on_sm(t, machine, 0).constant.tolist() == [2, 2]
    again = asked(accessing(tmp_path, opcode), machine, [[(opcode, both), (opcode, near)]])
    assert on_sm(again, machine, 0).constant.tolist() == [2, 0]


def test_textures_have_a_cache_of_their_own(tmp_path: Path) -> None:
    """Two lines of 128 B: a b a c b, where c throws b out."""
    machine = small(tex__l1_bytes=256, tex__ways=2)
    kernel = accessing(tmp_path, LOAD)
    points = tuple(replace(p, space=Space.TEXTURE) for p in kernel.points)
    a, b, c = (GLOBAL_BASE + 128 * k for k in range(3))
    rows: list[Asked] = [(LOAD, [at] * LANES) for at in (a, b, a, c, b)]
    t = asked(replace(kernel, points=points), machine, [rows])
    found = on_sm(t, machine, 0)
    assert found.misses.tolist() == [4, 4, 0, 4, 4]  # sectors
    assert found.lines.tolist() == [1] * 5
    assert not found.asks_l1.any()
