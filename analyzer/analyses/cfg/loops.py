"""The natural loops of a control-flow graph and how they nest.

A back edge leads to a block that dominates its source. Its target is the header of a loop whose
blocks are those that reach the edge's source without passing the header; back edges to one header
make one loop. Two such loops are apart or one lies in the other, whatever the graph looks like.
Cycles that no back edge closes have several entries; they are no loops here, but are reported as
irreducible regions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

import networkx as nx

from warpmill.analyzer.analyses.cfg.dominators import DomTree
from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.base.many_objects import lazy
from warpmill.analyzer.base.metric import Id, Metric


@dataclass(frozen=True)
class Loop:
    """A natural loop. ``id`` is its place in the forest.

    ``blocks`` are all its blocks in ascending order, inner loops' among them. ``latches`` are the
    sources of its back edges, ``exits`` the edges that leave it, as (from, to); a return inside the
    loop leaves to the virtual exit. ``depth`` counts from 1 for an outermost loop.
    """

    id: Id
    header: Id
    blocks: tuple[Id, ...]
    latches: tuple[Id, ...]
    exits: tuple[tuple[Id, Id], ...]
    parent: Id | None
    depth: Annotated[int, Metric("Depth")]
    children: tuple[Id, ...]

    @lazy
    def members(self) -> frozenset[int]:
        """Its blocks, for asking whether one is among them."""
        return frozenset(self.blocks)


@dataclass(frozen=True)
class LoopForest:
    """The loops of a function; an outer loop stands before those inside it.

    ``back_edges`` are (latch, header) in ascending order. ``irreducible`` holds the blocks of each
    cycle with several entries. ``innermost_ids`` has the innermost loop of each block, or None.
    """

    loops: tuple[Loop, ...]
    back_edges: tuple[tuple[int, int], ...]
    irreducible: tuple[tuple[int, ...], ...]
    innermost_ids: tuple[int | None, ...]

    def innermost(self, block: int) -> Loop | None:
        """Give the innermost loop that a block lies in."""
        found = self.innermost_ids[block]
        return None if found is None else self.loops[found]

    def containing(self, block: int) -> tuple[Loop, ...]:
        """Give all loops that a block lies in, the innermost first."""
        found = []
        number = self.innermost_ids[block]
        while number is not None:
            found.append(self.loops[number])
            number = self.loops[number].parent
        return tuple(found)


def find_loops(cfg: Cfg, dom: DomTree) -> LoopForest:
    """Find the natural loops of a graph; ``dom`` is its dominator tree.

    Blocks that the entry does not reach are in no loop.
    """
    back_edges = _back_edges(cfg, dom)
    latches: dict[int, list[int]] = {}
    for latch, header in back_edges:
        latches.setdefault(header, []).append(latch)
    # A header comes before those of the loops inside: it dominates them.
    headers = sorted(latches, key=cfg.rpo_number.__getitem__)
    before = [tuple(p for p in ps if p in cfg.reachable) for ps in cfg.predecessors]
    bodies = [_body(before, header, latches[header]) for header in headers]
    innermost: list[int | None] = [None] * (cfg.exit_id + 1)
    parents = []
    for number, (header, body) in enumerate(zip(headers, bodies, strict=True)):
        parents.append(innermost[header])
        for block in body:
            innermost[block] = number
    loops = _nest(cfg, headers, latches, bodies, parents)
    return LoopForest(loops, back_edges, _irreducible(cfg, back_edges), tuple(innermost))


def _back_edges(cfg: Cfg, dom: DomTree) -> tuple[tuple[int, int], ...]:
    return tuple(
        (block, after)
        for block in sorted(cfg.reachable)
        for after in sorted(cfg.successors[block])
        if dom.dominates(after, block)
    )


def _body(before: Sequence[tuple[int, ...]], header: int, latches: Iterable[int]) -> frozenset[int]:
    """Give the blocks that reach a latch without passing the header; ``before``: predecessors."""
    body = {header}
    stack = list(latches)
    while stack:
        block = stack.pop()
        if block not in body:
            body.add(block)
            stack += before[block]
    return frozenset(body)


def _nest(
    cfg: Cfg,
    headers: list[int],
    latches: dict[int, list[int]],
    bodies: list[frozenset[int]],
    parents: list[int | None],
) -> tuple[Loop, ...]:
    children: list[list[int]] = [[] for _ in headers]
    depths: list[int] = []
    for number, parent in enumerate(parents):
        depths.append(1 if parent is None else depths[parent] + 1)
        if parent is not None:
            children[parent].append(number)
    return tuple(
        Loop(
            id=number,
            header=header,
            blocks=tuple(sorted(bodies[number])),
            latches=tuple(latches[header]),
            exits=_exits(cfg, bodies[number]),
            parent=parents[number],
            depth=depths[number],
            children=tuple(children[number]),
        )
        for number, header in enumerate(headers)
    )


def _exits(cfg: Cfg, body: frozenset[int]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (block, after)
        for block in sorted(body)
        for after in cfg.successors[block]
        if after not in body
    )


def _irreducible(cfg: Cfg, back_edges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    """Give the cycles that are left without the back edges: each has several entries."""
    graph = nx.DiGraph(cfg.graph.subgraph(cfg.reachable))
    graph.remove_edges_from(back_edges)
    regions = (tuple(sorted(c)) for c in nx.strongly_connected_components(graph) if len(c) > 1)
    return tuple(sorted(regions))
