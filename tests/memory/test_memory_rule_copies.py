"""All that counts sectors, lines and wavefronts of warps' accesses, against counting byte by byte.

The same random accesses go through each: the plain functions and the fast form by shape, and all
that rests on them: folded traces, profiles, static analysis, both engines, simulated caches and
clones; and native code, which counts on its own. By the rules of machines of all generations, and
by random ones.
"""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.memory.test_streams import batch_of
from tests.reference.run_kernel import kernel_text, prepare
from warpmill.analyzer.analyses.access.warp_counts import AccessKind, warp_cost
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.memory.batches import Windows, access_costs, touched_sectors
from warpmill.analyzer.memory.rules import (
    DEFAULT_RULES,
    GENERIC,
    LOCAL,
    MEMORY,
    MemoryRules,
    WarpAccesses,
    access_cost,
)
from warpmill.analyzer.profile.behaviour.access_counts import (
    PointAccesses,
    PointSums,
    SectorReuse,
)
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.analyzer.traces.model import (
    Count,
    LaneAddresses,
    ListedPattern,
    TracedAccess,
    lanes_of,
)
from warpmill.analyzer.traces.summary import totals_over_warps
from warpmill.codegen.synthesis.addressing import _bank_stride
from warpmill.executor.collectors import AccessEvents
from warpmill.executor.compile import CompileOptions
from warpmill.session.cache_collector import CacheCollector
from warpmill.simulator.estimate.rounds import Events
from warpmill.simulator.estimate.transactions import Transactions
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.machines.model import memory_rules
from warpmill.simulator.memory.cache import CacheSpec
from warpmill.simulator.streams import StreamRules, streams

NUMBER, BYTES = 40, 4096
WIDTHS = (1, 2, 4, 8, 16)
BULK = (12, 48, 304)
"""Widths of no type: of structures, and of copies that a lane makes at once."""

SPACES = (Space.SHARED, Space.GLOBAL, Space.LOCAL)
GENERATIONS = {
    "GT200": "quadro_fx5800", "Fermi": "gtx480", "Fermi, lines": "gtx480_gpgpusim",
    "Kepler": "tesla_k40", "Maxwell": "gtx980", "Pascal": "p100", "Volta": "v100",
    "Turing": "t4", "Ampere": "a100", "Ada": "l4", "Hopper": "h100_sxm", "Blackwell": "b200",
    "CDNA": "mi100",
}  # fmt: skip


def random_rules(seed):
    random = np.random.default_rng(seed)
    banks = int(random.choice([4, 8, 16, 32, 64]))
    return MemoryRules(
        sector_bytes=int(random.choice([16, 32, 64, 128])),
        lanes_per_group=int(random.choice([4, 8, 16, 32, 64])),
        banks=banks,
        bank_width_bytes=int(random.choice([2, 4, 8])),
        packs_pairs=bool(random.integers(2)),
    )


RULES = {name: memory_rules(load_machine(machine)) for name, machine in GENERATIONS.items()}
RULES |= {f"random {seed}": random_rules(seed) for seed in range(8)}


def test_each_rule_that_a_machine_has_is_tried():
    assert {memory_rules(load_machine(name)) for name in machine_names()} <= {*RULES.values()}


@dataclass(frozen=True)
class Drawn:
    """Aligned offsets of all lanes from 0 on, shape (accesses, lanes), and the lanes on as bits."""

    space: Space
    width: int
    offsets: np.ndarray
    masks: list

    @property
    def warp_size(self):
        return self.offsets.shape[1]

    @property
    def full(self):
        return (1 << self.warp_size) - 1

    def lanes(self, k):
        return np.array(lanes_of(self.masks[k]), np.int64)

    def own(self, k):
        return self.offsets[k][self.lanes(k)]

    @property
    def as_traced(self):
        """The address of the first lane that is on, and the others' distances, 0 where off."""
        bits = np.array(self.masks, np.uint64)[:, None] >> np.arange(
            self.warp_size, dtype=np.uint64
        )
        on = (bits & np.uint64(1)).astype(bool)
        base = self.offsets[np.arange(NUMBER), on.argmax(axis=1)]
        return base, np.where(on, self.offsets - base[:, None], 0)

    def accesses(self, way=None, base=0):
        """All of them as the fast form takes them."""
        own = (LOCAL if self.space is Space.LOCAL else MEMORY) if way is None else way
        first, patterns = self.as_traced
        n, masks = np.arange(NUMBER, dtype=np.int32), np.array(self.masks, np.uint64)
        widths, ways = np.full(NUMBER, self.width), np.full(NUMBER, own, np.uint8)
        return WarpAccesses(base + first, n, patterns, masks, widths, ways)


def draw(space, width, seed, lanes=32):
    """Draw accesses in a row, with a stride, of lanes in pairs and in fours, and anywhere."""
    random = np.random.default_rng([seed, width, lanes])
    lane = np.arange(lanes)
    near, far = lane // 2, lane // 4 * 2 + lane % 2
    rows = []
    for k in range(NUMBER):
        start, stride, every = (
            random.integers(0, 300),
            random.integers(0, 40),
            random.integers(1, 9),
        )
        anywhere = random.integers(0, BYTES // width, lanes)
        form = (lane, near, far, lane ^ stride, anywhere[near], anywhere[far], anywhere)[k % 7]
        rows.append((start + form * (every if k % 2 else 1)) % (BYTES // width) * width)
    full = (1 << lanes) - 1
    masks = [int(m) for m in random.integers(1, full, NUMBER, np.uint64)]
    masks = [m if random.random() < 0.5 else full for m in masks]
    return Drawn(space, width, np.array(rows), masks)


# What is right, as one would say it.


def right(drawn, k, rules):
    """Sectors, lines and passes of an access, byte by byte and bank by bank."""
    lanes, addresses, width = drawn.lanes(k).tolist(), drawn.own(k).tolist(), drawn.width
    if drawn.space is Space.SHARED:
        return None, None, right_passes(dict(zip(lanes, addresses, strict=True)), width, rules)
    places = {
        (lane, address + byte)
        for lane, address in zip(lanes, addresses, strict=True)
        for byte in range(width)
    }
    if drawn.space is Space.LOCAL:  # a word of each of 64 threads lies beside the next thread's
        places = {(lane, at // 4 * 256 + lane * 4 + at % 4) for lane, at in places}
    own = {(lane // rules.lanes_per_group, at // rules.sector_bytes) for lane, at in places}
    return len(own), len({at // 128 for _, at in places}), None


def right_passes(at, width, rules):
    """A wide access goes in parts of a warp, two of them at once where lanes read in pairs."""
    words = max(1, width // rules.bank_width_bytes)
    together = max(1, rules.banks // words)
    paired = any(
        all(at[a] == at[b] for a in at for b in at if a ^ b == distance) for distance in (1, 2)
    )
    if rules.packs_pairs and 1 < words <= 4 and paired:  # copies of more are no reads of lanes
        together *= 2
    total = 0
    for part in {lane // together for lane in at}:
        first = {at[lane] // rules.bank_width_bytes for lane in at if lane // together == part}
        asked = {word + k for word in first for k in range(words)}
        banks = [word % rules.banks for word in asked]
        total += max(map(banks.count, banks))
    return total


# Who counts; each gives for every access (sectors, lines, passes), None where it counts no such.


def plain(drawn, rules):
    local = drawn.space is Space.LOCAL
    for k in range(NUMBER):
        yield access_cost(drawn.own(k), drawn.lanes(k), drawn.width, rules, in_local=local)


def of_batches(drawn, rules):
    return map(tuple, access_costs(drawn.accesses(), rules).of_accesses.tolist())


def of_touched_sectors(drawn, rules):
    if drawn.space is Space.SHARED:
        return [(None, None, None)] * NUMBER
    found = touched_sectors(drawn.accesses(), Windows(GLOBAL_BASE, 0, 0), rules)
    return [(count, None, None) for count in np.diff(found.first).tolist()]


def of_generic_addresses(drawn, rules):
    """Local memory lies from 4096 on there."""
    base = {Space.SHARED: 0, Space.GLOBAL: GLOBAL_BASE, Space.LOCAL: 4096}[drawn.space]
    windows = Windows(GLOBAL_BASE, 4096, 2 * BYTES)
    found = touched_sectors(drawn.accesses(GENERIC, base), windows, rules)
    none = drawn.space is Space.SHARED and drawn.width <= BYTES // 2
    counts = np.diff(found.first).tolist()
    if none:
        assert not any(counts)
    return [(None if none else count, None, None) for count in counts]


def of_folded_traces(drawn, rules):
    for k in range(NUMBER):
        pattern = ListedPattern(tuple(drawn.own(k).tolist()))
        access = TracedAccess(0, drawn.masks[k], LaneAddresses(0, pattern, (0,)))
        local, once = drawn.space is Space.LOCAL, (Count(1),)
        total = totals_over_warps(access, 1, {0: 1}, drawn.width, once, rules, in_local=local)
        yield total.sectors, total.lines, total.wavefronts


def of_symbolic_lanes(drawn, rules):
    """It counts warps of which the lowest lanes are on."""
    kind = AccessKind(drawn.space, drawn.width, rules)
    for k in range(NUMBER):
        if drawn.masks[k] != drawn.full:
            yield None, None, None
            continue
        first = int(drawn.offsets[k][0])
        moved = (drawn.offsets[k] - first).astype(np.int64).tobytes()
        cost = warp_cost(kind, moved, first % kind.modulus)
        yield cost.sectors, cost.lines, cost.wavefronts


def engine_rules(rules, lines_per_clk=0.0):
    own = {name: getattr(rules, name) for name in MemoryRules.__slots__}
    return StreamRules(**own, lines_per_clk=lines_per_clk)


def as_batch(drawn, base=0, kind="load"):
    n = np.arange(NUMBER)
    points = [AccessPoint(0, 0, kind, drawn.space, drawn.width)]
    first, patterns = drawn.as_traced
    return batch_of(points, drawn.warp_size, n * 0, base + first, n, patterns, drawn.masks)


def of_shapes(drawn, rules):
    found = streams(as_batch(drawn), engine_rules(rules))
    counts = np.diff(found.shape_first)[found.access_shape].tolist()
    passes = found.shape_passes[found.access_shape].tolist()
    if drawn.space is Space.SHARED:
        return [(None, None, own) for own in passes]
    return [(count, None, None) for count in counts]


def of_the_estimate(drawn, rules):
    batch, own = as_batch(drawn), engine_rules(rules)
    t = Transactions(Events(batch, streams(batch, own), {}, own), None, 1, frozenset())
    if drawn.space is Space.SHARED:
        return [(None, None, own) for own in t.passes.tolist()]
    return [(count, None, None) for count in t.count.tolist()]


COUNTERS = (
    plain, of_batches, of_touched_sectors, of_generic_addresses, of_folded_traces,
    of_symbolic_lanes, of_shapes, of_the_estimate,
)  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("lanes", [32, 64])
def test_all_count_what_bytes_and_banks_tell(space, rules, lanes):
    for seed, width in enumerate(WIDTHS if space is Space.LOCAL else WIDTHS + BULK):
        drawn = draw(space, width, seed, lanes)
        wanted = [right(drawn, k, rules) for k in range(NUMBER)]
        for counter in COUNTERS:
            for k, (found, counts) in enumerate(zip(counter(drawn, rules), wanted, strict=True)):
                told = [(f, c) for f, c in zip(found, counts, strict=True) if None not in (f, c)]
                wrong = f"{counter.__name__}, {width} B, access {k}"
                assert [f for f, _ in told] == [c for _, c in told], wrong


@pytest.mark.one_in(12)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("lanes", [32, 64])
def test_banks_behind_l1_are_those_of_shared_memory(rules, lanes):
    """Where L1's data lie in the banks of shared memory, both engines ask them as often."""
    for seed, width in enumerate(WIDTHS + BULK):
        drawn = draw(Space.GLOBAL, width, seed, lanes)
        batch, own = as_batch(drawn, GLOBAL_BASE), engine_rules(rules, 4.0)
        found = streams(batch, own)
        t = Transactions(Events(batch, found, {}, own), None, 1, frozenset())
        inside = replace(drawn, space=Space.SHARED)
        wanted = [right(inside, k, rules)[2] for k in range(NUMBER)]
        assert t.shared_wavefronts.tolist() == wanted, width
        held = found.shape_passes[found.access_shape].tolist()
        assert all(h >= w for h, w in zip(held, wanted, strict=True))


@pytest.mark.parametrize("space", [Space.GLOBAL, Space.SHARED])
@pytest.mark.parametrize("width", [2, 4, 8])
def test_lanes_of_atomics_that_meet_at_a_word(space, width):
    for lanes in (32, 64):
        drawn = draw(space, width, 5, lanes)
        own = engine_rules(MemoryRules(lanes_per_group=64))
        batch = as_batch(drawn, GLOBAL_BASE, "atomic")
        t = Transactions(Events(batch, streams(batch, own), {}, own), None, 1, frozenset())
        wanted = []
        for k in range(NUMBER):
            words = (drawn.own(k) // 4).tolist()
            wanted.append(max(map(words.count, words)))
        assert t.contention(np.ones(NUMBER, np.bool_)).tolist() == wanted


# Who counts sums: profiles by the default rules, simulated caches by any.


@pytest.mark.one_in(3)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("lanes", [32, 64])
def test_profiles_sum_what_accesses_cost(space, lanes):
    for seed, width in enumerate(WIDTHS + BULK):
        drawn = draw(space, width, seed, lanes)
        a, nothing = drawn.accesses(), np.zeros(NUMBER, np.int64)
        twice = np.r_[:NUMBER, :NUMBER]
        columns = (c[twice] for c in (a.base, a.pattern, a.mask, nothing, nothing))
        own = PointAccesses(*columns, a.patterns)
        sums = PointSums(width, space is Space.LOCAL)
        sums.add(own)
        each = [right(drawn, k, DEFAULT_RULES) for k in range(NUMBER)]
        for column, found in enumerate(sums.costs.tolist()):
            if each[0][column] is not None:
                assert found == 2 * sum(one[column] for one in each), (width, column)
        reuse = SectorReuse(width, space, 1)
        reuse.add(own)
        inside = replace(drawn, space=Space.GLOBAL if space is Space.SHARED else space)
        assert reuse.sectors == 2 * sum(right(inside, k, DEFAULT_RULES)[0] for k in range(NUMBER))


@pytest.mark.one_in(12)
@pytest.mark.parametrize("space", [Space.GLOBAL, Space.LOCAL])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("lanes", [32, 64])
def test_simulated_caches_are_asked_for_sectors(space, rules, lanes):
    kernel = prepare(kernel_text("ld.param.u64 %d0, [x]; ld.global.u32 %r1, [%d0]; ret;",
                                 {"x": np.zeros(1, np.int32)}), lanes).kernel  # fmt: skip
    place = next((b.id, k) for b in kernel.blocks for k, i in enumerate(b.instructions)
                 if i.operation.space is Space.GLOBAL)  # fmt: skip
    for width in WIDTHS:
        drawn = draw(space, width, 3, lanes)
        l1 = CacheSpec(1 << 16, 128, rules.sector_bytes)
        collector = CacheCollector(l1, None, rules=rules)
        launch = SimpleNamespace(kernel=kernel, warp_size=lanes, block=(lanes, 1, 1))
        collector.on_launch(launch)
        a, nothing = drawn.accesses(), np.zeros(NUMBER, np.int64)
        block, instruction = (np.full(NUMBER, number) for number in place)
        words = (np.full(NUMBER, word) for word in ("load", space.value))
        events = AccessEvents(nothing, nothing, block, instruction, *words, a.width_bytes, a.mask,
                              a.base, a.pattern, a.patterns)  # fmt: skip
        collector.on_accesses(events)
        (found,) = collector.simulated.launches[0].instructions
        wanted = sum(right(drawn, k, rules)[0] for k in range(NUMBER))
        assert found.counts.l1.accesses == wanted, width


@pytest.mark.parametrize("width", [4, 8, 16])
def test_clones_have_strides_with_as_many_wavefronts(width):
    def passes(stride):
        return right_passes({lane: lane * stride for lane in range(32)}, width, DEFAULT_RULES)

    strides = [0, *(width << power for power in range(8))]
    assert len({passes(stride) for stride in strides}) > 2
    for stride in strides:
        access = SimpleNamespace(lanes=32.0, passes=float(passes(stride)))
        assert passes(_bank_stride(access, width, 32, 1 << 16)) == passes(stride)


# Native code counts sums: what all accesses of a kernel's instruction cost.


LOADED = {1: "u8 %h8", 2: "u16 %h8", 4: "u32 %r8", 8: "u64 %d8", 16: "v2.u64 {%d8, %d9}"}


def kernel_of(space, lanes):
    """Load at offsets from a table, of each width; offsets come scaled by it."""
    base = {
        Space.GLOBAL: "ld.param.u64 %d5, [data];",
        Space.SHARED: "mov.u64 %d5, tile;",
        Space.LOCAL: f".local .align 16 .b8 mine[{BYTES}]; mov.u64 %d5, mine;",
    }[space]
    loads = []
    for number, width in enumerate(WIDTHS):
        kind, _, into = LOADED[width].partition(" ")
        loads.append(
            f"ld.global.u32 %r6, [%d3+{number * NUMBER * lanes * 4}]; cvt.u64.u32 %d6, %r6;"
            f"add.u64 %d7, %d5, %d6; ld.global.u32 %r7, [%d4+{number * NUMBER * lanes * 4}];"
            f"setp.ne.u32 %p1, %r7, 0; @%p1 ld.{space.value}.{kind} {into}, [%d7];"
        )
    return f"""
        {base} ld.param.u64 %d0, [offsets]; ld.param.u64 %d1, [on];
        mov.u32 %r1, %tid.x; mov.u32 %r4, 0;
        L: mad.lo.u32 %r5, %r4, {lanes}, %r1; mul.wide.u32 %d2, %r5, 4;
        add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2; {"".join(loads)}
        add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, {NUMBER}; @%p2 bra L; ret;"""


@pytest.mark.one_in(12)
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("lanes", [32, 64])
def test_native_code_counts_what_the_others_do(space, rules, lanes):
    all_drawn = [draw(space, width, 9, lanes) for width in WIDTHS]
    bits = np.arange(lanes)
    on = [[[mask >> int(bit) & 1 for bit in bits] for mask in d.masks] for d in all_drawn]
    arguments = {
        "offsets": np.array([d.offsets for d in all_drawn], np.uint32),
        "on": np.array(on, np.uint32),
        "data": np.zeros(BYTES, np.uint8),
    }
    tile = f".shared .align 16 .b8 tile[{BYTES}];"
    text = kernel_text(kernel_of(space, lanes), arguments, tile)
    prepared = prepare(text, lanes, CompileOptions(memory_rules=rules))
    sums = prepared.run(1, lanes, arguments).execution.point_sums.tolist()
    names = ("warps", "lanes", "requests", "sectors", "passes", "free_passes")
    rows = [dict(zip(names, row, strict=False)) for row in sums]
    rows = [row for row in rows if row["warps"] == NUMBER][2::3]  # after two of the table
    for drawn, row in zip(all_drawn, rows, strict=True):
        each = [right(drawn, k, rules) for k in range(NUMBER)]
        for k, name in enumerate(("sectors", "requests", "passes")):
            if each[0][k] is not None:
                assert row[name] == sum(one[k] for one in each), (drawn.width, name)
        assert row["free_passes"] <= row["passes"]
