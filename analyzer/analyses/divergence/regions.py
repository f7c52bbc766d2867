"""What a branch that parts the threads of a warp may make different: by control flow alone.

Threads that part at a branch go on apart until its reconvergence point. Three things follow:

- a φ joins values of different threads where two ways from the branch meet that have nothing else
  in common;
- a value that was computed before the branch and is computed anew on one of the ways is, for those
  that went another way, the old one: lanes that leave a loop at different iterations keep the
  values of different iterations;
- loops that one of the ways leaves have a trip count for each thread.

No assumption is made that loops have one entry: all of it follows from paths and dominators.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import networkx as nx

from warpmill.analyzer.analyses.cfg.dominators import DomTree
from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.cfg.loops import LoopForest


@dataclass(frozen=True)
class Influence:
    """What follows where the threads part at the end of ``branch``.

    ``blocks`` run while they are apart: those between the branch and ``reconvergence``, the branch
    itself too where a way leads back to it. ``joins`` are blocks whose φs then merge values of
    different threads. ``outdated`` are (block, places): values computed in that block may be of
    different iterations in those places, and where they enter a φ at the reconvergence point.
    ``loops`` are those whose trip counts differ by thread.
    """

    branch: int
    reconvergence: int
    blocks: frozenset[int]
    joins: frozenset[int]
    outdated: tuple[tuple[int, frozenset[int]], ...]
    loops: tuple[int, ...]


def influence(
    cfg: Cfg, dominators: DomTree, loops: LoopForest, branch: int, reconvergence: int
) -> Influence:
    """Work out what a branch may make different."""
    blocks = frozenset(_reached(cfg, cfg.successors[branch], reconvergence))
    inside = blocks | {reconvergence}
    left = [loop for loop in loops.containing(branch) if not inside <= loop.members]
    parts = left and sum(after != cfg.exit_id for after in cfg.successors[branch]) > 1
    met = _on_several_ways(cfg, branch, reconvergence) if parts else frozenset()
    outdated = []
    for block in sorted(blocks, key=cfg.rpo_number.__getitem__):
        if not dominators.dominates(block, branch):
            continue
        below = {b for b in met if dominators.dominates(block, b)}
        places = {b for loop in left if block in loop.members for b in below - loop.members}
        if reconvergence != cfg.exit_id and dominators.dominates(block, reconvergence):
            places |= _reached(cfg, (reconvergence,), block)
        outdated.append((block, frozenset(places)))
    return Influence(
        branch,
        reconvergence,
        blocks,
        _joins(cfg, branch, blocks, reconvergence),
        tuple(outdated),
        tuple(sorted(loop.id for loop in left)),
    )


def _reached(cfg: Cfg, starts: Iterable[int], end: int) -> set[int]:
    """Give the blocks that control gets to without passing ``end``."""
    stack = [s for s in starts if s not in (end, cfg.exit_id)]
    found = set(stack)
    while stack:
        for after in cfg.successors[stack.pop()]:
            if after not in found and after not in (end, cfg.exit_id):
                found.add(after)
                stack.append(after)
    return found


def _on_several_ways(cfg: Cfg, branch: int, end: int) -> frozenset[int]:
    """Give the blocks up to ``end`` that at least two ways from a branch lead to."""
    seen: set[int] = set()
    several: set[int] = set()
    for start in cfg.successors[branch]:
        way = _reached(cfg, (start,), end)
        ends = any(end in cfg.successors[block] for block in way) or start == end
        way |= {end} if ends and end != cfg.exit_id else set()
        several |= seen & way
        seen |= way
    return frozenset(several)


def _joins(cfg: Cfg, branch: int, blocks: frozenset[int], end: int) -> frozenset[int]:
    """Give the blocks where ways from a branch meet that have nothing in common but their ends.

    They are those that would need φs if each way out of the branch wrote one register: the iterated
    dominance frontier of the ways (Cytron et al.), in the graph of what lies behind the branch.
    """
    firsts = [after for after in cfg.successors[branch] if after != cfg.exit_id]
    if len(firsts) < 2:
        return frozenset()  # threads that end meet nobody
    reached = [_reached(cfg, (first,), end) for first in firsts]
    apart = sum(map(len, reached)) == len(set().union(*reached))
    if apart and branch not in blocks:  # the ways have nothing in common but the end
        arriving = sum(
            first == end or any(end in cfg.successors[block] for block in way)
            for first, way in zip(firsts, reached, strict=True)
        )
        return frozenset({end} if arriving > 1 else ()) - {cfg.exit_id}
    return _frontiers(cfg, firsts, blocks - {branch}, blocks | {end}) - {cfg.exit_id}


def _frontiers(
    cfg: Cfg, firsts: Sequence[int], sources: frozenset[int], inside: frozenset[int]
) -> frozenset[int]:
    """Give the iterated dominance frontier of the ways that begin at ``firsts``."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    ways = [-2 - number for number in range(len(firsts))]
    for way, first in zip(ways, firsts, strict=True):
        graph.add_edges_from([(_ROOT, way), (way, first)])
    for before in sorted(sources):
        graph.add_edges_from((before, after) for after in cfg.successors[before] if after in inside)
    frontiers = nx.dominance_frontiers(graph, _ROOT)
    joins: set[int] = set()
    work = ways
    while work:
        for join in frontiers[work.pop()]:
            if join not in joins:
                joins.add(join)
                work.append(join)
    return frozenset(joins)


_ROOT = -1
"""Stands for the branch where threads part; it may be passed again on the way, as itself."""
