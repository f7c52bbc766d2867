"""How far two divergence flow statistics graphs are apart, as one number and row by row.

Blocks are paired first (`pairing`); edges pair where both their ends do, and
loops where their headers do. Then, with everything that has no partner against zeros:

- d_nodes is half the L1 distance of two vectors: each graph's ECounts and SCounts of all blocks,
  divided by their sum.
- d_edges is the same of the OECounts and TCounts of all edges.
- The distance is (d_nodes + d_edges) / 2.

It lies in [0, 1], is symmetric, and 0 for a graph and itself. It is 1 where nothing that was
executed has a partner. It is 0 where blocks and edges that were executed pair, and all counts of
one graph are those of the other times one factor, which is then the ratio of their threads: the
same flow by more threads. Of launches with equally many threads only equal counts are at 0.

LCount and IECount follow from ECount and OECount, so they are not in it again. Example: 64 threads
go through one block 4 times, in another graph 12 times, each between an entry and an exit block.
The shares of the three blocks are 1/6, 4/6, 1/6 and 1/14, 12/14, 1/14: d_nodes is 4/21.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from warpmill.analyzer.profile.dfsg.graph import Dfsg, Edge, LoopStatistics, Node
from warpmill.analyzer.profile.dfsg.pairing import Pairing, pair_blocks

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class Pair(Generic[T]):
    """A block, edge or loop of both graphs, or of one where the other side is None.

    ``contribution`` is what it adds to its part of the distance, 0 for loops.
    """

    a: T | None
    b: T | None
    contribution: Fraction = Fraction(0)


@dataclass(frozen=True)
class Comparison:
    """Two graphs side by side; each list has the rows that contribute most first.

    ``nodes`` add up to the distance of nodes, ``edges`` to that of edges.
    """

    pairing: Pairing
    nodes: tuple[Pair[Node], ...]
    edges: tuple[Pair[Edge], ...]
    loops: tuple[Pair[LoopStatistics], ...]

    @property
    def node_distance(self) -> Fraction:
        """Half the L1 distance of the shares of ECount and SCount, from 0 to 1."""
        return sum((pair.contribution for pair in self.nodes), Fraction(0))

    @property
    def edge_distance(self) -> Fraction:
        """Half the L1 distance of the shares of OECount and TCount, from 0 to 1."""
        return sum((pair.contribution for pair in self.edges), Fraction(0))

    @property
    def distance(self) -> Fraction:
        """The mean of both, from 0 to 1."""
        return (self.node_distance + self.edge_distance) / 2


def compare_dfsgs(a: Dfsg, b: Dfsg) -> Comparison:
    """Pair two graphs and say how far they are apart."""
    pairing = pair_blocks(a, b)
    return Comparison(
        pairing,
        _ranked(_nodes(a, b, pairing.partners), _node_counts),
        _ranked(_edges(a, b, pairing.partners), _edge_counts),
        tuple(_loops(a, b, pairing.partners)),
    )


def dfsg_distance(a: Dfsg, b: Dfsg) -> float:
    """Give the distance of two graphs, from 0 (equal) to 1."""
    return float(compare_dfsgs(a, b).distance)


_NOBODY = -1
"""The partner of a block that has none."""


def _nodes(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[Pair[Node]]:
    left, right = ({node.block: node for node in dfsg.nodes} for dfsg in (a, b))
    return _joined(left, right, lambda block: partners.get(block, _NOBODY))


def _edges(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[Pair[Edge]]:
    def partner(pair: tuple[int, int | None]) -> tuple[int, int | None]:
        source, target = pair
        after = None if target is None else partners.get(target, _NOBODY)
        return partners.get(source, _NOBODY), after

    return _joined(a.by_pair, b.by_pair, partner)


def _loops(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[Pair[LoopStatistics]]:
    left, right = ({loop.shape.header: loop for loop in dfsg.loops} for dfsg in (a, b))
    return _joined(left, right, lambda header: partners.get(header, _NOBODY))


def _joined(a: Mapping[K, T], b: Mapping[K, T], partner: Callable[[K], K]) -> list[Pair[T]]:
    """Join two mappings by the partners of A's keys: those of A in order, then B's lone ones."""
    taken = {partner(key) for key in a}
    found = [Pair(each, b.get(partner(key))) for key, each in a.items()]
    return found + [Pair(None, each) for key, each in b.items() if key not in taken]


Counts = tuple[int, int]


def _node_counts(node: Node | None) -> Counts:
    return (0, 0) if node is None else (node.ecount, node.scount)


def _edge_counts(edge: Edge | None) -> Counts:
    return (0, 0) if edge is None else (edge.oecount, edge.tcount)


def _ranked(pairs: list[Pair[T]], counts: Callable[[T | None], Counts]) -> tuple[Pair[T], ...]:
    """Work out what pairs contribute, and put those first that contribute most."""
    known = [(pair, counts(pair.a), counts(pair.b)) for pair in pairs]
    sum_a = sum(sum(a) for _, a, _ in known) or 1
    sum_b = sum(sum(b) for _, _, b in known) or 1
    found: list[Pair[T]] = []
    for pair, a, b in known:
        apart = sum(abs(x * sum_b - y * sum_a) for x, y in zip(a, b, strict=True))
        found.append(Pair(pair.a, pair.b, Fraction(apart, 2 * sum_a * sum_b)))
    return tuple(sorted(found, key=lambda pair: -pair.contribution))
