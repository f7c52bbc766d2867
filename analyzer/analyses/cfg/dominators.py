"""Dominators and post-dominators of a control-flow graph.

Block a dominates b where every path from the entry to b goes through a; it post-dominates b where
every path from b to the exit goes through a. Both relations are trees. Endless loops leave by the
graph's virtual edges (``analyzer.analyses.cfg.graph``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx

from warpmill.analyzer.analyses.cfg.graph import Cfg


@dataclass(frozen=True)
class DomTree:
    """A dominator tree over the nodes of a graph, the virtual exit among them.

    ``idom[n]`` is the immediate dominator of n; None for the root and for nodes that the root does
    not reach, which dominate nothing and are dominated by nothing.
    """

    root: int
    idom: tuple[int | None, ...]
    _graph: nx.DiGraph[int] = field(compare=False, repr=False)

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
        found: list[set[int]] = [set() for _ in self.idom]
        for before, node in self._graph.edges:
            if self._interval[before] is None:
                continue
            runner: int | None = before
            while runner is not None and runner != self.idom[node]:
                found[runner].add(node)
                runner = self.idom[runner]
        return tuple(tuple(sorted(nodes)) for nodes in found)


def dominator_tree(cfg: Cfg) -> DomTree:
    """Give the dominator tree, rooted at the entry."""
    return _tree(cfg.graph, cfg.entry)


def postdominator_tree(cfg: Cfg) -> DomTree:
    """Give the post-dominator tree, rooted at the virtual exit; every block is in it."""
    return _tree(cfg.graph.reverse(copy=False), cfg.exit_id)


def _tree(graph: nx.DiGraph[int], root: int) -> DomTree:
    # networkx has given the root itself and None as the root's own, by version.
    immediate = nx.immediate_dominators(graph, root)
    idom = tuple(None if n == root else immediate.get(n) for n in range(len(graph)))
    return DomTree(root, idom, graph)
