"""The profile of a launch, counted event by event from the slow interpreter.

It has what a divergence flow graph is read off: blocks, guards, edges with the thread's end, loops.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import gcd, prod

from tests.reference.interpreter import bits, lanes_of_warp
from tests.reference.storing import MOST_EVENTS, StoringWarp
from warpmill.analyzer.analyses.cfg.graph import build_cfg, dominator_tree, find_loops
from warpmill.analyzer.profile.counts import (
    BlockProfile,
    EdgeProfile,
    GuardProfile,
    LoopProfile,
    Profile,
    WarpIterations,
)
from warpmill.analyzer.profile.dfsg.make import make_dfsg


@dataclass
class WalkingWarp(StoringWarp):
    """It tells each way that lanes take as (source, target, lanes); the target is None at the end.

    ``crossings`` of the class above leaves out lanes that end in a guarded return.
    """

    ways: list = field(default_factory=list)
    parted: list = field(default_factory=list)
    """Of each event the block, and in how many ways its lanes went on."""

    def sides(self, block, lanes, exit_id):
        before = set(self.alive)
        found = super().sides(block, lanes, exit_id)
        ended = (before - self.alive) & lanes
        taken = {None if t == exit_id else t: some for t, some in found.items()}
        if ended:
            taken[None] = ended
        self.ways += [(block.id, target, bits(some)) for target, some in taken.items()]
        self.parted.append((block.id, len(taken)))
        return found


@dataclass(frozen=True)
class Walked:
    """One warp: its number in the launch, its events (block, mask, guards), its ways."""

    number: int
    events: list
    ways: list
    parted: list


def walk(kernel, lanes, grid, block, arguments, memory=None):
    """Run all warps of a launch one after another."""
    memory = {} if memory is None else memory
    walked = []
    for z, y, x in product(range(grid[2]), range(grid[1]), range(grid[0])):
        for warp in range(-(-prod(block) // lanes)):
            specials = lanes_of_warp(warp, lanes, grid, block, (x, y, z))
            made = WalkingWarp(kernel, specials, arguments, {}, MOST_EVENTS, memory)
            events = [(b, mask, dict(guards)) for b, mask, guards, _ in made.run()]
            walked.append(Walked(len(walked), events, made.ways, made.parted))
    return walked


def lanes_in(mask):
    return [lane for lane in range(mask.bit_length()) if mask >> lane & 1]


def profile_of(kernel, lanes, grid, block, walked):
    """Count what warps did; ``walked`` are all of the launch."""
    cfg = build_cfg(kernel)
    return Profile(
        kernel, grid, block, 0, lanes,
        blocks=_blocks(kernel, walked),
        guards=_guards(kernel, walked),
        edges=_edges(cfg, walked),
        loops=tuple(
            _loop(loop, walked) for loop in find_loops(cfg, dominator_tree(cfg)).loops
        ),
    )  # fmt: skip


def _blocks(kernel, walked):
    counts = []
    for block in kernel.blocks:
        found = [(w.number, mask) for w in walked for b, mask, _ in w.events if b == block.id]
        counts.append(BlockProfile(block.id, *_counted(found)))
    return tuple(counts)


def _counted(found):
    """Executions by warps and by threads, and the threads among them, of (warp, mask)."""
    threads = {(warp, lane) for warp, mask in found for lane in lanes_in(mask)}
    return len(found), sum(mask.bit_count() for _, mask in found), len(threads)


def _guards(kernel, walked):
    counts = []
    for block in kernel.blocks:
        for place, instruction in enumerate(block.instructions):
            if instruction.guard is None or instruction is block.terminator:
                continue
            on = sum(
                guards.get(place, mask).bit_count()
                for w in walked
                for b, mask, guards in w.events
                if b == block.id
            )
            counts.append(GuardProfile(block.id, place, on))
    return tuple(counts)


def _edges(cfg, walked):
    found = defaultdict(list)
    for w in walked:
        for source, target, mask in w.ways:
            found[source, target].append((w.number, mask))
    pairs = [
        (block, None if after == cfg.exit_id else after)
        for block in range(cfg.exit_id)
        for after in cfg.successors[block]
    ]
    assert set(found) <= set(pairs)
    return tuple(EdgeProfile(*pair, *_counted(found[pair])) for pair in pairs)


def _loop(loop, walked):
    inside, entries = set(loop.blocks), 0
    by_thread, by_warp = Counter(), Counter()
    for w in walked:
        of_warp = Counter(
            lane for b, mask, _ in w.events if b == loop.header for lane in lanes_in(mask)
        )
        by_thread.update({(w.number, lane): n for lane, n in of_warp.items()})
        if of_warp:
            total, threads = sum(of_warp.values()), len(of_warp)
            common = gcd(total, threads)
            by_warp[total // common, threads // common] += 1
        if loop.header == 0:
            entries += w.events[0][1].bit_count()
        entries += sum(
            mask.bit_count()
            for source, target, mask in w.ways
            if target == loop.header and source not in inside
        )
    counts = by_thread.values()
    return LoopProfile(
        loop.header,
        entries,
        len(by_thread),
        sum(counts),
        min(counts, default=0),
        max(counts, default=0),
        tuple(
            WarpIterations(*each, warps)
            for each, warps in sorted(by_warp.items(), key=lambda item: Fraction(*item[0]))
        ),
    )


def dfsg_of(profile):
    """Make the graph of a profile."""
    cfg = build_cfg(profile.kernel)
    return make_dfsg(cfg, find_loops(cfg, dominator_tree(cfg)), profile)


def interpreted(kernel, *, lanes=32, grid=(1, 1, 1), block=(32, 1, 1), arguments=None):
    """Run a kernel of integers in the interpreter and give the graph of what it did."""
    walked = walk(kernel, lanes, grid, block, arguments or {})
    return dfsg_of(profile_of(kernel, lanes, grid, block, walked))
