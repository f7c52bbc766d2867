"""Directed graphs, as a mapping from each node to its successors.

networkx has all of this as well, and takes longer to load than a kernel takes to be read.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

Digraph = Mapping[Node, Collection[Node]]
"""Successors of each node; every successor is a node."""


def reversed_edges(graph: Digraph[Node]) -> dict[Node, list[Node]]:
    """The graph with each edge the other way round."""
    found: dict[Node, list[Node]] = {node: [] for node in graph}
    for node, after in graph.items():
        for one in after:
            found[one].append(node)
    return found


def reached(graph: Digraph[Node], start: Node) -> set[Node]:
    """Nodes that can be reached from one, itself among them."""
    found, stack = {start}, [start]
    while stack:
        new = [node for node in graph[stack.pop()] if node not in found]
        found.update(new)
        stack += new
    return found


def postorder(graph: Digraph[Node], starts: Iterable[Node]) -> list[Node]:
    """Nodes in the order in which a depth-first search from ``starts`` leaves them."""
    order: list[Node] = []
    seen: set[Node] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(graph[start]))]
        while stack:
            node, rest = stack[-1]
            after = next((one for one in rest if one not in seen), None)
            if after is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(after)
                stack.append((after, iter(graph[after])))
    return order


def components(graph: Digraph[Node]) -> list[set[Node]]:
    """Strongly connected components: the nodes that reach each other (Kosaraju's algorithm)."""
    before = reversed_edges(graph)
    left = dict.fromkeys(reversed(postorder(graph, graph)))
    found = []
    while left:
        group = {next(iter(left))}
        stack = list(group)
        while stack:
            new = {node for node in before[stack.pop()] if node in left} - group
            group |= new
            stack += new
        for node in group:
            del left[node]
        found.append(group)
    return found


def immediate_dominators(graph: Digraph[Node], root: Node) -> dict[Node, Node | None]:
    """The immediate dominator of each node that the root reaches; the root's is None.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    """
    *others, _ = order = postorder(graph, [root])
    number = {node: place for place, node in enumerate(order)}
    before = reversed_edges(graph)
    idom = {root: root}
    changed = True
    while changed:
        changed = False
        for node in reversed(others):
            first, *rest = [one for one in before[node] if one in idom]
            for one in rest:
                first = _common(idom, number, first, one)
            changed = changed or idom.get(node) != first
            idom[node] = first
    return {node: None if node == root else idom[node] for node in order}


def _common(idom: Mapping[Node, Node], number: Mapping[Node, int], a: Node, b: Node) -> Node:
    """The closest node that dominates both."""
    while a != b:
        while number[a] < number[b]:
            a = idom[a]
        while number[b] < number[a]:
            b = idom[b]
    return a


def dominance_frontiers(
    graph: Digraph[Node], idom: Mapping[Node, Node | None]
) -> dict[Node, set[Node]]:
    """The dominance frontier of each node that has an immediate dominator, and of the root.

    It holds the nodes that a node does not strictly dominate although it dominates one of their
    predecessors.
    """
    found: dict[Node, set[Node]] = {node: set() for node in idom}
    for before in idom:
        for node in graph[before]:
            runner: Node | None = before
            while runner is not None and runner != idom[node]:
                found[runner].add(node)
                runner = idom[runner]
    return found
