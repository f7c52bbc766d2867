"""The control-flow graph of a function: dominators, loops and points of reconvergence.

Nodes are block ids; one more, ``exit_id``, stands for the end of the thread, so that every block
that returns has a successor and post-dominators have a root. Blocks that cannot reach the exit
(endless loops) would have no post-dominator: each group of blocks that control cannot leave gets
one virtual edge to the exit, from the group's last block in reverse postorder, as if the loop ended
after its last block. Virtual edges stand in ``graph`` and in ``virtual_edges``, never in
``successors`` or ``predecessors``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from warpmill.analyzer.base.digraphs import (
    components,
    dominance_frontiers,
    immediate_dominators,
    reached,
    reversed_edges,
)
from warpmill.analyzer.base.many_objects import lazy
from warpmill.analyzer.base.metric import Id, Metric
from warpmill.analyzer.ir.kernel import Block, Function
from warpmill.analyzer.ir.types import OpClass


@dataclass(frozen=True)
class Cfg:
    """A control-flow graph over ``exit_id`` blocks and the virtual exit.

    ``successors`` and ``predecessors`` have a tuple for each block and for the exit; successors
    stand in divergence order: the fall-through first, then the targets as written, the exit last.
    ``reachable`` are the blocks that control can get to from the entry, and ``reverse_postorder``
    orders them (each block before what follows it, back edges aside, the fall-through side first).
    ``graph`` has the successors with the virtual edges.
    """

    successors: tuple[tuple[int, ...], ...]
    predecessors: tuple[tuple[int, ...], ...]
    reverse_postorder: tuple[int, ...]
    virtual_edges: tuple[tuple[int, int], ...]
    graph: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    entry: int = 0

    @property
    def exit_id(self) -> int:
        """The virtual exit: one more than the last block's id."""
        return len(self.successors) - 1

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The blocks that can be reached from the entry; the exit is not among them."""
        return frozenset(self.reverse_postorder)

    @cached_property
    def rpo_number(self) -> dict[int, int]:
        """The place of each reachable block in ``reverse_postorder``."""
        return {block: place for place, block in enumerate(self.reverse_postorder)}


def build_cfg(function: Function) -> Cfg:
    """Build the control-flow graph of a function that the verifier accepts.

    ValueError where the function has no block.
    """
    if not function.blocks:
        raise ValueError(f"function {function.name} has no blocks")
    exit_id = len(function.blocks)
    return cfg_from_successors([_successors(block, exit_id) for block in function.blocks])


def _successors(block: Block, exit_id: int) -> tuple[int, ...]:
    """Successors of a block; one that returns, or has nothing to go on with, ends at the exit.

    A guarded return goes on with its fall-through for the lanes that stay.
    """
    last = block.terminator
    returns = last is not None and last.operation.op_class is OpClass.RETURN
    ends = returns or not block.successors
    return (*block.successors, exit_id) if ends else block.successors


def cfg_from_successors(successors: list[tuple[int, ...]]) -> Cfg:
    """Build a graph from the successors of each block; ``len(successors)`` names the exit.

    Successors given twice count once.
    """
    exit_id = len(successors)
    unique = (*(tuple(dict.fromkeys(after)) for after in successors), ())
    order = _reverse_postorder(unique)
    graph = dict(enumerate(unique))
    predecessors = tuple(tuple(sorted(ps)) for ps in reversed_edges(graph).values())
    virtual = _virtual_edges(graph, order, exit_id)
    graph |= {block: (*unique[block], exit_id) for block, _ in virtual}
    return Cfg(unique, predecessors, order, virtual, tuple(graph.values()))


def _reverse_postorder(successors: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Order the blocks that block 0 reaches; the exit is left out."""
    exit_id = len(successors) - 1
    postorder = []
    seen = {0, exit_id}
    stack = [(0, iter(reversed(successors[0])))]
    while stack:
        block, rest = stack[-1]
        after = next((s for s in rest if s not in seen), None)
        if after is None:
            postorder.append(block)
            stack.pop()
        else:
            seen.add(after)
            stack.append((after, iter(reversed(successors[after]))))
    return tuple(reversed(postorder))


def _virtual_edges(
    graph: Mapping[int, tuple[int, ...]], order: tuple[int, ...], exit_id: int
) -> tuple[tuple[int, int], ...]:
    """An edge to the exit for each group of blocks that control cannot leave."""
    endless = graph.keys() - reached(reversed_edges(graph), exit_id)
    if not endless:
        return ()
    within = {block: graph[block] for block in sorted(endless)}
    groups = (c for c in components(within) if all(set(graph[block]) <= c for block in c))
    place = {block: number for number, block in enumerate(order)}
    last = (max(group, key=lambda block: (place.get(block, -1), block)) for group in groups)
    return tuple(sorted((block, exit_id) for block in last))


# Dominators and post-dominators of a control-flow graph.
#
# Block a dominates b where every path from the entry to b goes through a; it post-dominates b
# where every path from b to the exit goes through a. Both relations are trees. Endless loops leave
# by the graph's virtual edges (``analyzer.analyses.cfg.graph``).


@dataclass(frozen=True)
class DomTree:
    """A dominator tree over the nodes of a graph, the virtual exit among them.

    ``idom[n]`` is the immediate dominator of n; None for the root and for nodes that the root does
    not reach, which dominate nothing and are dominated by nothing.
    """

    root: int
    idom: tuple[int | None, ...]
    _graph: Mapping[int, Sequence[int]] = field(compare=False, repr=False)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The nodes that each node dominates immediately, in ascending order."""
        below: list[list[int]] = [[] for _ in self.idom]
        for node, parent in enumerate(self.idom):
            if parent is not None:
                below[parent].append(node)
        return tuple(map(tuple, below))

    @cached_property
    def depth(self) -> tuple[int | None, ...]:
        """The distance from the root in the tree; None for nodes outside it."""
        depths: list[int | None] = [None] * len(self.idom)
        level, stage = 0, [self.root]
        while stage:
            for node in stage:
                depths[node] = level
            level, stage = level + 1, [child for node in stage for child in self.children[node]]
        return tuple(depths)

    @cached_property
    def _interval(self) -> tuple[tuple[int, int] | None, ...]:
        """Pre-order number of each node and the last one below it; None outside the tree."""
        order = []
        stack = [self.root]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += self.children[node]
        size = [1] * len(self.idom)
        for node in reversed(order):
            parent = self.idom[node]
            if parent is not None:
                size[parent] += size[node]
        found: list[tuple[int, int] | None] = [None] * len(self.idom)
        for number, node in enumerate(order):
            found[node] = (number, number + size[node] - 1)
        return tuple(found)

    def dominates(self, a: int, b: int) -> bool:
        """Whether a dominates b, in constant time; a node in the tree dominates itself."""
        above, below = self._interval[a], self._interval[b]
        if above is None or below is None:
            return False
        return above[0] <= below[0] <= above[1]

    @cached_property
    def frontier(self) -> tuple[tuple[int, ...], ...]:
        """The dominance frontier of each node, in ascending order.

        It holds the nodes that a node does not strictly dominate although it dominates one of
        their predecessors. Nodes outside the tree have none and are in none.
        """
        inside = {n: d for n, d in enumerate(self.idom) if d is not None or n == self.root}
        found = dominance_frontiers(self._graph, inside)
        return tuple(tuple(sorted(found.get(node, ()))) for node in range(len(self.idom)))


def dominator_tree(cfg: Cfg) -> DomTree:
    """The dominator tree, rooted at the entry."""
    return _tree(dict(enumerate(cfg.graph)), cfg.entry)


def postdominator_tree(cfg: Cfg) -> DomTree:
    """The post-dominator tree, rooted at the virtual exit; every block is in it."""
    return _tree(reversed_edges(dict(enumerate(cfg.graph))), cfg.exit_id)


def _tree(graph: Mapping[int, Sequence[int]], root: int) -> DomTree:
    immediate = immediate_dominators(graph, root)
    return DomTree(root, tuple(map(immediate.get, range(len(graph)))), graph)


# The natural loops of a control-flow graph and how they nest.
#
# A back edge leads to a block that dominates its source. Its target is the header of a loop whose
# blocks are those that reach the edge's source without passing the header; back edges to one
# header make one loop. Two such loops are apart or one lies in the other, whatever the graph looks
# like. Cycles that no back edge closes have several entries; they are no loops here, but are
# reported as irreducible regions.


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
        """The innermost loop that a block lies in."""
        found = self.innermost_ids[block]
        return None if found is None else self.loops[found]

    def containing(self, block: int) -> tuple[Loop, ...]:
        """All loops that a block lies in, the innermost first."""
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
    """The blocks that reach a latch without passing the header; ``before``: predecessors."""
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
    """The cycles that are left without the back edges: each has several entries."""
    closing = set(back_edges)
    graph = {
        block: [
            after
            for after in cfg.graph[block]
            if after in cfg.reachable and (block, after) not in closing
        ]
        for block in sorted(cfg.reachable)
    }
    return tuple(sorted(tuple(sorted(c)) for c in components(graph) if len(c) > 1))


# Where the lanes of a warp that a branch parted come together again.


def reconvergence(cfg: Cfg, pdom: DomTree) -> tuple[int | None, ...]:
    """The reconvergence point of each block: its immediate post-dominator.

    A block with a single successor has none (None). The virtual exit means that the lanes do not
    meet again before they end. In an endless loop the virtual edges stand for its end.
    """
    return tuple(
        pdom.idom[block] if len(cfg.successors[block]) > 1 else None for block in range(cfg.exit_id)
    )
