"""Every copy of the rules of coalescing and bank conflicts against counting byte by byte.

The same random accesses of warps go through each of them: the plain functions, those over batches,
folded traces, symbolic lanes, the simulator's shapes, the estimate's transactions, native code.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text, prepare
from tests.unit.test_streams import batch_of
from warpmill.analyzer.analyses.access.warp_counts import AccessKind, warp_cost
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.memory.rules import (
    GLOBAL,
    LOCAL,
    WarpAccesses,
    Windows,
    interleaved,
    requests,
    sectors,
    shared_wavefronts,
    touched_sectors,
)
from warpmill.analyzer.traces.batch_costs import access_costs
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.analyzer.traces.model import (
    Count,
    LaneAddresses,
    ListedPattern,
    TracedAccess,
    lanes_of,
)
from warpmill.analyzer.traces.summary import totals_over_warps
from warpmill.executor.compile import CompileOptions
from warpmill.simulator.estimate.rounds import Events
from warpmill.simulator.estimate.transactions import Transactions
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.machines.model import memory_rules
from warpmill.simulator.streams import StreamRules, streams

LANES, NUMBER, BYTES = 32, 40, 4096
WIDTHS = (1, 2, 4, 8, 16)
SPACES = (Space.SHARED, Space.GLOBAL, Space.LOCAL)
OF_MACHINES = {memory_rules(load_machine(name)) for name in machine_names()}
RULES = sorted(
    {replace(r, packs_pairs=packs) for r in OF_MACHINES for packs in (False, True)}, key=str
)


@dataclass(frozen=True)
class Drawn:
    """Aligned offsets of all lanes from 0 on, shape (accesses, lanes), and the lanes on as bits."""

    space: Space
    width: int
    offsets: np.ndarray
    masks: list

    def lanes(self, k):
        return np.array(lanes_of(self.masks[k]), np.int64)

    def own(self, k):
        return self.offsets[k][self.lanes(k)]


def draw(space, width, seed):
    """Draw accesses in a row, with a stride, of lanes in pairs and in fours, and anywhere."""
    random = np.random.default_rng([seed, width])
    lane = np.arange(LANES)
    near, far = lane // 2, lane // 4 * 2 + lane % 2
    rows = []
    for k in range(NUMBER):
        start, stride, every = (
            random.integers(0, 300),
            random.integers(0, 40),
            random.integers(1, 9),
        )
        anywhere = random.integers(0, BYTES // width, LANES)
        form = (lane, near, far, lane ^ stride, anywhere[near], anywhere[far], anywhere)[k % 7]
        rows.append((start + form * (every if k % 2 else 1)) % (BYTES // width) * width)
    masks = [int(m) for m in random.integers(1, 1 << LANES, NUMBER)]
    masks = [m if random.random() < 0.5 else (1 << LANES) - 1 for m in masks]
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
    if rules.packs_pairs and words > 1 and paired:
        together *= 2
    total = 0
    for part in {lane // together for lane in at}:
        first = {at[lane] // rules.bank_width_bytes for lane in at if lane // together == part}
        asked = {word + k for word in first for k in range(words)}
        banks = [word % rules.banks for word in asked]
        total += max(map(banks.count, banks))
    return total


# The copies; each gives for every access (sectors, lines, passes), None where it counts no such.


def plain(drawn, rules):
    for k in range(NUMBER):
        addresses, lanes, width = drawn.own(k), drawn.lanes(k), drawn.width
        if drawn.space is Space.LOCAL:
            addresses, lanes = interleaved(addresses, lanes, width)
            width = min(width, 4)
        counts = (sectors(addresses, width, rules, lanes), requests(addresses, width))
        yield *counts, shared_wavefronts(addresses, width, rules, lanes)


def of_batches(drawn, rules):
    n = np.arange(NUMBER, dtype=np.int32)
    masks, widths = np.array(drawn.masks, np.uint64), np.full(NUMBER, drawn.width)
    local = np.full(NUMBER, drawn.space is Space.LOCAL)
    nothing = np.zeros(NUMBER, np.int64)
    found = access_costs(nothing, n, drawn.offsets, masks, widths, local, rules)
    return map(tuple, found.tolist())


def of_touched_sectors(drawn, rules):
    if drawn.space is Space.SHARED:
        return [(None, None, None)] * NUMBER
    n, nothing = np.arange(NUMBER, dtype=np.int32), np.zeros(NUMBER, np.int64)
    space = np.full(NUMBER, LOCAL if drawn.space is Space.LOCAL else GLOBAL, np.uint8)
    masks, widths = np.array(drawn.masks, np.uint64), np.full(NUMBER, drawn.width)
    accesses = WarpAccesses(nothing, n, drawn.offsets, masks, widths, space, nothing)
    found = touched_sectors(accesses, Windows(GLOBAL_BASE, 0, 0), rules)
    return [(count, None, None) for count in np.diff(found.first).tolist()]


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
        if drawn.masks[k] != (1 << LANES) - 1:
            yield None, None, None
            continue
        first = int(drawn.offsets[k][0])
        moved = (drawn.offsets[k] - first).astype(np.int64).tobytes()
        cost = warp_cost(kind, moved, first % kind.modulus)
        yield cost.sectors, cost.lines, cost.wavefronts


def engine_rules(rules, lines_per_clk=0.0):
    return StreamRules(
        sector_bytes=rules.sector_bytes,
        line_bytes=rules.line_bytes,
        banks=rules.banks,
        bank_width_bytes=rules.bank_width_bytes,
        lanes_per_group=rules.lanes_per_group,
        packs_pairs=rules.packs_pairs,
        lines_per_clk=lines_per_clk,
    )


def as_batch(drawn, base=0):
    n = np.arange(NUMBER)
    points = [AccessPoint(0, 0, "load", drawn.space, drawn.width)]
    where = np.full(NUMBER, base)
    return batch_of(points, LANES, n * 0, where, n, drawn.offsets, drawn.masks)


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


COPIES = (
    plain, of_batches, of_touched_sectors, of_folded_traces, of_symbolic_lanes, of_shapes,
    of_the_estimate,
)  # fmt: skip


@pytest.mark.parametrize("space", SPACES)
def test_copies_of_the_rules_agree(space):
    for seed, rules in enumerate(RULES):
        for width in WIDTHS:
            drawn = draw(space, width, seed)
            wanted = [right(drawn, k, rules) for k in range(NUMBER)]
            for copy in COPIES:
                for k, (found, counts) in enumerate(zip(copy(drawn, rules), wanted, strict=True)):
                    told = [
                        (f, c) for f, c in zip(found, counts, strict=True) if None not in (f, c)
                    ]
                    wrong = f"{copy.__name__}, {rules}, {width} B, access {k}"
                    assert [f for f, _ in told] == [c for _, c in told], wrong


@pytest.mark.parametrize("width", [2, 4, 8, 16])
def test_banks_behind_l1_are_those_of_shared_memory(width):
    """Where L1's data lie in the banks of shared memory, both engines ask them as often."""
    for seed, rules in enumerate(RULES):
        drawn = draw(Space.GLOBAL, width, seed)
        batch, own = as_batch(drawn, GLOBAL_BASE), engine_rules(rules, 4.0)
        found = streams(batch, own)
        t = Transactions(Events(batch, found, {}, own), None, 1, frozenset())
        inside = replace(drawn, space=Space.SHARED)
        wanted = [right(inside, k, rules)[2] for k in range(NUMBER)]
        assert t.shared_wavefronts.tolist() == wanted, rules
        held = found.shape_passes[found.access_shape].tolist()
        assert all(h >= w for h, w in zip(held, wanted, strict=True))


# Native code counts sums: what all accesses of a kernel's instruction cost.


LOADED = {1: "u8 %h8", 2: "u16 %h8", 4: "u32 %r8", 8: "u64 %d8", 16: "v2.u64 {%d8, %d9}"}


def kernel_of(space):
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
            f"ld.global.u32 %r6, [%d3+{number * NUMBER * LANES * 4}]; cvt.u64.u32 %d6, %r6;"
            f"add.u64 %d7, %d5, %d6; ld.global.u32 %r7, [%d4+{number * NUMBER * LANES * 4}];"
            f"setp.ne.u32 %p1, %r7, 0; @%p1 ld.{space.value}.{kind} {into}, [%d7];"
        )
    return f"""
        {base} ld.param.u64 %d0, [offsets]; ld.param.u64 %d1, [on];
        mov.u32 %r1, %tid.x; mov.u32 %r4, 0;
        L: mad.lo.u32 %r5, %r4, {LANES}, %r1; mul.wide.u32 %d2, %r5, 4;
        add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2; {"".join(loads)}
        add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, {NUMBER}; @%p2 bra L; ret;"""


@pytest.mark.parametrize("machine", ["v100", "tesla_k40", "quadro_fx5800"])
def test_native_code_counts_what_the_others_do(machine):
    rules = memory_rules(load_machine(machine))
    for space in SPACES if machine == "v100" else SPACES[:1]:
        check_native_code(rules, space)


def check_native_code(rules, space):
    all_drawn = [draw(space, width, 9) for width in WIDTHS]
    bits = np.arange(LANES)
    on = [[[mask >> bit & 1 for bit in bits] for mask in d.masks] for d in all_drawn]
    arguments = {
        "offsets": np.array([d.offsets for d in all_drawn], np.uint32),
        "on": np.array(on, np.uint32),
        "data": np.zeros(BYTES, np.uint8),
    }
    tile = f".shared .align 16 .b8 tile[{BYTES}];"
    text = kernel_text(kernel_of(space), arguments, tile)
    prepared = prepare(text, LANES, CompileOptions(memory_rules=rules))
    sums = prepared.run(1, LANES, arguments).execution.point_sums.tolist()
    names = ("warps", "lanes", "requests", "sectors", "passes", "free_passes")
    rows = [dict(zip(names, row, strict=False)) for row in sums]
    rows = [row for row in rows if row["warps"] == NUMBER][2::3]  # after two of the table
    for drawn, row in zip(all_drawn, rows, strict=True):
        each = [right(drawn, k, rules) for k in range(NUMBER)]
        for k, name in enumerate(("sectors", "requests", "passes")):
            if each[0][k] is not None:
                assert row[name] == sum(one[k] for one in each), (drawn.width, name)
        assert row["free_passes"] <= row["passes"]
