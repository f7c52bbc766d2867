"""Bits that are reached in a graph, worked out once for all nodes of a cycle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

_Node = TypeVar("_Node", bound=Hashable)


@dataclass(slots=True)
class _Visit(Generic[_Node]):
    """A node whose successors are gone through: what it reaches, the earliest visit among it."""

    node: _Node
    number: int
    earliest: int
    bits: int
    after: Iterator[_Node]


class Reach(Generic[_Node]):
    """Bits of all nodes that a node reaches, itself included.

    ``follow`` gives a node's own bits and its successors, and is asked once a node. Nodes of one
    cycle reach the same (Tarjan's strongly connected components), so that all nodes together cost
    time linear in the edges. Nothing recurses.
    """

    def __init__(self, follow: Callable[[_Node], tuple[int, Iterable[_Node]]]) -> None:
        self._follow = follow
        self._done: dict[_Node, int] = {}

    def of(self, node: _Node) -> int:
        """Give the bits that are reached from a node."""
        if node not in self._done:
            self._visit(node)
        return self._done[node]

    def _visit(self, start: _Node) -> None:
        numbers: dict[_Node, int] = {}
        unfinished: list[_Node] = []
        path: list[_Visit[_Node]] = []

        def begin(node: _Node) -> None:
            number = numbers[node] = len(numbers)
            unfinished.append(node)
            bits, after = self._follow(node)
            path.append(_Visit(node, number, number, bits, iter(after)))

        begin(start)
        while path:
            visit = path[-1]
            following = next(visit.after, None)
            if following is None:
                path.pop()
                if visit.earliest == visit.number:
                    self._finish(visit, unfinished)
                elif path:
                    path[-1].earliest = min(path[-1].earliest, visit.earliest)
                if path:
                    path[-1].bits |= visit.bits
            elif following in self._done:
                visit.bits |= self._done[following]
            elif following in numbers:
                visit.earliest = min(visit.earliest, numbers[following])
            else:
                begin(following)

    def _finish(self, root: _Visit[_Node], unfinished: list[_Node]) -> None:
        """Note what all nodes of a root's cycle reach: what was collected on the way back to it."""
        while True:
            node = unfinished.pop()
            self._done[node] = root.bits
            if node == root.node:
                return
