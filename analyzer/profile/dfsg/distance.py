"""How far two divergence flow statistics graphs are apart, as one number and row by row.

Blocks are paired first (``pair_blocks``); edges pair where both their ends do, and loops where
their headers do. Then, with everything that has no partner against zeros:

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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from warpmill.analyzer.analyses.cfg.graph import Cfg, cfg_from_successors
from warpmill.analyzer.profile.dfsg.graph import Dfsg, Edge, LoopStatistics, Node

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class GraphPair(Generic[T]):
    """A block, edge or loop of both graphs, or of one where the other side is None.

    ``contribution`` is what it adds to its part of the distance, 0 for loops.
    """

    a: T | None
    b: T | None
    contribution: Fraction = Fraction(0)


@dataclass(frozen=True)
class DfsgComparison:
    """Two graphs side by side; each list has the rows that contribute most first.

    ``nodes`` add up to the distance of nodes, ``edges`` to that of edges.
    """

    pairing: Pairing
    nodes: tuple[GraphPair[Node], ...]
    edges: tuple[GraphPair[Edge], ...]
    loops: tuple[GraphPair[LoopStatistics], ...]

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


def compare_dfsgs(a: Dfsg, b: Dfsg) -> DfsgComparison:
    """Pair two graphs and say how far they are apart."""
    pairing = pair_blocks(a, b)
    return DfsgComparison(
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


def _nodes(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[GraphPair[Node]]:
    left, right = ({node.block: node for node in dfsg.nodes} for dfsg in (a, b))
    return _joined(left, right, lambda block: partners.get(block, _NOBODY))


def _edges(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[GraphPair[Edge]]:
    def partner(pair: tuple[int, int | None]) -> tuple[int, int | None]:
        source, target = pair
        after = None if target is None else partners.get(target, _NOBODY)
        return partners.get(source, _NOBODY), after

    return _joined(a.by_pair, b.by_pair, partner)


def _loops(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[GraphPair[LoopStatistics]]:
    left, right = ({loop.shape.header: loop for loop in dfsg.loops} for dfsg in (a, b))
    return _joined(left, right, lambda header: partners.get(header, _NOBODY))


def _joined(a: Mapping[K, T], b: Mapping[K, T], partner: Callable[[K], K]) -> list[GraphPair[T]]:
    """Join two mappings by the partners of A's keys: those of A in order, then B's lone ones."""
    taken = {partner(key) for key in a}
    found = [GraphPair(each, b.get(partner(key))) for key, each in a.items()]
    return found + [GraphPair(None, each) for key, each in b.items() if key not in taken]


Counts = tuple[int, int]


def _node_counts(node: Node | None) -> Counts:
    return (0, 0) if node is None else (node.ecount, node.scount)


def _edge_counts(edge: Edge | None) -> Counts:
    return (0, 0) if edge is None else (edge.oecount, edge.tcount)


def _ranked(
    pairs: list[GraphPair[T]], counts: Callable[[T | None], Counts]
) -> tuple[GraphPair[T], ...]:
    """Work out what pairs contribute, and put those first that contribute most."""
    known = [(pair, counts(pair.a), counts(pair.b)) for pair in pairs]
    sum_a = sum(sum(a) for _, a, _ in known) or 1
    sum_b = sum(sum(b) for _, _, b in known) or 1
    found: list[GraphPair[T]] = []
    for pair, a, b in known:
        apart = sum(abs(x * sum_b - y * sum_a) for x, y in zip(a, b, strict=True))
        found.append(GraphPair(pair.a, pair.b, Fraction(apart, 2 * sum_a * sum_b)))
    return tuple(sorted(found, key=lambda pair: -pair.contribution))


# Which block of one divergence flow statistics graph is which of another.
#
# Graphs of one structure (as many blocks, and the same edges between their ids) are paired by id.
# Others, as of two builds of a kernel or of a kernel and its clone, are paired by position:
#
# - The top level of a kernel is the sequence of its blocks outside loops and of its outermost
# loops, in reverse postorder (a loop stands at its header's place; unreachable blocks are in no
# pair). The inside of a loop is such a sequence too, behind the header. - Pairs keep the order of
# both sequences. A block pairs with a block, a loop with a loop; then their headers pair, and
# their insides by the same rule. - Of all such pairings the one is taken that costs least: a pair
# costs the difference of its blocks' executions a thread (ECount over the threads of the launch),
# a block without partner its own. Of those that cost the same it is one with the most pairs of
# blocks, and of these one with the most pairs that are executed equally often.
#
# Two sides of a branch that changed places are therefore paired on one side only. A pairing does
# not depend on which graph is given first.


@dataclass(frozen=True)
class Pairing:
    """The partner of each block of A in B. ``same_structure`` says whether ids are the partners."""

    same_structure: bool
    partners: Mapping[int, int]


def pair_blocks(a: Dfsg, b: Dfsg) -> Pairing:
    """Pair the blocks of two graphs, as the head of this module describes."""
    if len(a.nodes) == len(b.nodes) and a.by_pair.keys() == b.by_pair.keys():
        return Pairing(True, {node.block: node.block for node in a.nodes})
    if _key(b) < _key(a):  # so that swapped graphs give swapped pairs
        return Pairing(False, {y: x for x, y in _Aligner(b, a).pairs()})
    return Pairing(False, dict(_Aligner(a, b).pairs()))


def _key(dfsg: Dfsg) -> tuple[object, ...]:
    """Give what orders graphs; of equal keys only names may differ."""
    edges = [(e.source, -1 if e.target is None else e.target, e.crossings) for e in dfsg.edges]
    return len(dfsg.nodes), [node.ecount for node in dfsg.nodes], edges


def cfg_of(dfsg: Dfsg) -> Cfg:
    """Give the control-flow graph that a graph's edges are."""
    exit_id = len(dfsg.nodes)
    return cfg_from_successors(
        [
            tuple(exit_id if edge.target is None else edge.target for edge in sides)
            for sides in dfsg.leaving
        ]
    )


@dataclass(frozen=True, slots=True)
class _Item:
    """A block outside the loops of its sequence, or a loop that stands at its header ``block``."""

    block: int
    loop: int | None
    alone: int
    """What it costs without a partner."""


@dataclass(frozen=True)
class _Sequences:
    """The top level of a graph (None) and the inside of each loop, with the loops by depth."""

    items: Mapping[int | None, tuple[_Item, ...]]
    by_depth: Mapping[int, tuple[LoopStatistics, ...]]


def _sequences(dfsg: Dfsg, costs: Sequence[int]) -> _Sequences:
    """Put a graph's blocks and loops in order; ``costs`` are those of blocks without partners."""
    headers = {loop.shape.header: loop for loop in dfsg.loops}
    items: dict[int | None, list[_Item]] = {None: []}
    items |= {loop.shape.id: [] for loop in dfsg.loops}
    # A header comes before all other blocks of its loop, so that loops are filled from the back.
    for block in reversed(cfg_of(dfsg).reverse_postorder):
        loop = headers.get(block)
        if loop is None:
            items[dfsg.nodes[block].loop].append(_Item(block, None, costs[block]))
            continue
        alone = costs[block] + sum(item.alone for item in items[loop.shape.id])
        items[loop.shape.parent].append(_Item(block, loop.shape.id, alone))
    depths: dict[int, list[LoopStatistics]] = {}
    for loop in dfsg.loops:
        depths.setdefault(loop.shape.depth, []).append(loop)
    ordered = {name: tuple(reversed(found)) for name, found in items.items()}
    return _Sequences(ordered, {depth: tuple(found) for depth, found in depths.items()})


_BOTH, _LONE_A, _LONE_B = range(3)

_Pairs = tuple[tuple[int, int], ...]


class _Aligner:
    """Aligns two graphs, the innermost loops first.

    A cost is one whole number, made of three by a factor that the latter two stay below:
    executions (times the other launch's threads), lone blocks, pairs executed differently often.
    """

    def __init__(self, a: Dfsg, b: Dfsg) -> None:
        factor = len(a.nodes) + len(b.nodes) + 1
        self._often_a = [node.ecount * b.threads * factor**2 for node in a.nodes]
        self._often_b = [node.ecount * a.threads * factor**2 for node in b.nodes]
        self._a = _sequences(a, [often + factor for often in self._often_a])
        self._b = _sequences(b, [often + factor for often in self._often_b])
        self._loops: dict[tuple[int | None, int | None], tuple[int, _Pairs]] = {}

    def pairs(self) -> _Pairs:
        """Give the pairs of blocks."""
        shared = self._a.by_depth.keys() & self._b.by_depth.keys()
        for depth in sorted(shared, reverse=True):
            for x in self._a.by_depth[depth]:
                for y in self._b.by_depth[depth]:
                    self._loops[x.shape.id, y.shape.id] = self._aligned(x.shape.id, y.shape.id)
        return self._aligned(None, None)[1]

    def _aligned(self, x: int | None, y: int | None) -> tuple[int, _Pairs]:
        """Align two sequences, as edit distances do: the least cost, and the pairs that have it."""
        left, top = self._a.items[x], self._b.items[y]
        row = [0]
        for other in top:
            row.append(row[-1] + other.alone)
        steps = []
        for item in left:
            row, chosen = self._row(item, top, row)
            steps.append(chosen)
        return row[-1], tuple(self._traced(left, top, steps))

    def _row(
        self, item: _Item, top: Sequence[_Item], before: Sequence[int]
    ) -> tuple[list[int], bytearray]:
        """Go on by one item of A: the least cost with so many items of B, and how it is reached."""
        row, chosen = [before[0] + item.alone], bytearray()
        for place, other in enumerate(top):
            choices = [
                (before[place + 1] + item.alone, _LONE_A),
                (row[place] + other.alone, _LONE_B),
            ]
            if (item.loop is None) == (other.loop is None):
                choices.append((before[place] + self._cost(item, other), _BOTH))
            cost, step = min(choices)
            row.append(cost)
            chosen.append(step)
        return row, chosen

    def _cost(self, x: _Item, y: _Item) -> int:
        """Give what a pair costs: the difference of blocks or headers, and what is inside."""
        inside = 0 if x.loop is None else self._loops[x.loop, y.loop][0]
        difference = abs(self._often_a[x.block] - self._often_b[y.block])
        return difference + (difference > 0) + inside

    def _traced(
        self, left: Sequence[_Item], top: Sequence[_Item], steps: Sequence[bytearray]
    ) -> Iterator[tuple[int, int]]:
        """Go back from the ends of both sequences, and give the pairs on the way."""
        x, y = len(left), len(top)
        while x and y:
            step = steps[x - 1][y - 1]
            x, y = x - (step != _LONE_B), y - (step != _LONE_A)
            if step == _BOTH:
                yield left[x].block, top[y].block
                if left[x].loop is not None:
                    yield from self._loops[left[x].loop, top[y].loop][1]
