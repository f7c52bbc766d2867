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
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from warpmill.analyzer.analyses.cfg.graph import Cfg, cfg_from_successors
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.profile.dfsg.graph import Dfsg, DfsgLaunch, Edge, LoopStatistics, Node

K = TypeVar("K")
T = TypeVar("T")


Number = int | float | None


@dataclass(frozen=True, slots=True)
class CountChange:
    """A count of both graphs; null where there is no such block, edge or loop, or no thread."""

    a: Annotated[Number, Metric("A")]
    b: Annotated[Number, Metric("B")]

    @derived("B - A")
    def delta(self) -> int | float:
        """Change of the count; what is missing counts 0."""
        return (self.b or 0) - (self.a or 0)

    @derived("Difference", "%")
    def change_fraction(self) -> float | None:
        """The difference over A; null where A is 0 or missing."""
        return self.delta / self.a if self.a else None


class _Pair:
    """A block, edge or loop of both graphs, or of one where the other side is null."""

    counted: ClassVar[Mapping[str, str]]
    """The counts that are compared, each with its path."""
    a: Any
    b: Any

    @derived("Differences")
    def changes(self) -> Mapping[str, CountChange]:
        """Its counts in both graphs."""
        sides = (self.a, self.b)
        return {
            name: CountChange(*(None if side is None else attrgetter(path)(side) for side in sides))
            for name, path in self.counted.items()
        }

    @property
    def first_difference(self) -> str:
        """The name of the first count that differs; of equal ones the first."""
        changes = self.changes
        return next((key for key, one in changes.items() if one.a != one.b), next(iter(changes)))

    @property
    def first_change(self) -> CountChange:
        """The count of that name in both graphs."""
        return self.changes[self.first_difference]

    @derived("Equal")
    def equal(self) -> bool:
        """Whether both graphs have it, with the same counts."""
        is_both = self.a is not None and self.b is not None
        return is_both and all(change.a == change.b for change in self.changes.values())


class _DistantPair(_Pair):
    contribution: Fraction

    @derived("Distance")
    def distance_part(self) -> float:
        """Part of its kind's distance: equal counts may be unequal shares."""
        return float(self.contribution)


@dataclass(frozen=True)
class NodePair(_DistantPair):
    """A block of both graphs, or of one where the other side is null."""

    counted: ClassVar[Mapping[str, str]] = {
        name: name for name in ("ecount", "lcount", "scount", "threads", "warps")
    }

    a: Node | None
    b: Node | None
    contribution: Annotated[Fraction, INTERNAL]


@dataclass(frozen=True)
class EdgePair(_DistantPair):
    """An edge of both graphs, or of one where the other side is null. IECounts are the OECounts."""

    counted: ClassVar[Mapping[str, str]] = {name: name for name in ("oecount", "tcount", "warps")}

    a: Edge | None
    b: Edge | None
    contribution: Annotated[Fraction, INTERNAL]


@dataclass(frozen=True)
class LoopPair(_Pair):
    """A loop of both graphs, or of one where the other side is null."""

    counted: ClassVar[Mapping[str, str]] = {
        name: f"counts.{name}"
        for name in (
            "entries", "threads", "iterations", "iterations_per_thread", "iterations_min",
            "iterations_max",
        )
    }  # fmt: skip

    a: LoopStatistics | None
    b: LoopStatistics | None

    @derived("Equal")
    def equal(self) -> bool:
        """Whether both graphs have it, with the same counts and the same ones by warp."""
        first, second = (None if x is None else x.counts.by_warp for x in (self.a, self.b))
        return _Pair.equal.function(self) and first == second


@dataclass(frozen=True)
class DfsgComparison:
    """Two graphs. Rows that contribute most stand first, the loop that changed most.

    Blocks are paired by id where both graphs have one structure; else by position, and what rests
    on that is marked assumed. Distances are from 0 to 1: half the sum of the differences between
    the shares that the counts of one graph and of the other have in their sums. ``equal``:
    everything has a partner with the same counts. ``changes`` are of the whole graphs.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    a: DfsgLaunch
    b: DfsgLaunch
    graphs: Annotated[tuple[Dfsg, Dfsg], INTERNAL]
    pairing: Annotated[Pairing, INTERNAL]
    exact_node_distance: Annotated[Fraction, INTERNAL]
    exact_edge_distance: Annotated[Fraction, INTERNAL]
    equal: Annotated[bool, Metric("Equal")]
    changes: Mapping[str, CountChange]
    nodes: tuple[NodePair, ...]
    edges: tuple[EdgePair, ...]
    loops: tuple[LoopPair, ...]

    @derived("Diff by")
    def paired_by(self) -> Literal["id", "position"]:
        """How blocks of one graph are found in the other."""
        return "id" if self.pairing.same_structure else "position"

    @derived("Distance")
    def distance(self) -> float:
        """The mean of that of blocks and that of edges."""
        return float(self.exact_distance)

    @derived("Distance of blocks")
    def node_distance(self) -> float:
        """Half the L1 distance of the shares of ECount and SCount."""
        return float(self.exact_node_distance)

    @derived("Distance of edges")
    def edge_distance(self) -> float:
        """Half the L1 distance of the shares of OECount and TCount."""
        return float(self.exact_edge_distance)

    @property
    def exact_distance(self) -> Fraction:
        """``distance`` before it is rounded."""
        return (self.exact_node_distance + self.exact_edge_distance) / 2

    def differing(self) -> DfsgComparison:
        """The comparison without rows that are equal."""
        return replace(
            self,
            nodes=tuple(row for row in self.nodes if not row.equal),
            edges=tuple(row for row in self.edges if not row.equal),
            loops=tuple(row for row in self.loops if not row.equal),
        )

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Distances and differences are as good as the pairing."""
        if self.pairing.same_structure:
            return {}
        rows = ("nodes", "edges", "loops")
        paired = ["distance", "node_distance", "edge_distance"]
        paired += [f"{row}.distance_part" for row in rows[:2]]
        paired += [f"{row}.changes.{key}" for row in rows for key in ("delta", "change_fraction")]
        return dict.fromkeys(paired, Mark.ASSUMED)


def compare_dfsgs(a: Dfsg, b: Dfsg) -> DfsgComparison:
    """How far two graphs are apart, and in what."""
    pairing = pair_blocks(a, b)
    nodes = _ranked(_nodes(a, b, pairing.partners), _node_counts)
    edges = _ranked(_edges(a, b, pairing.partners), _edge_counts)
    loops = [LoopPair(*pair) for pair in _loops(a, b, pairing.partners)]
    rows = (
        tuple(NodePair(*pair) for pair in nodes),
        tuple(EdgePair(*pair) for pair in edges),
        tuple(sorted(loops, key=lambda loop: -abs(loop.changes["iterations"].delta))),
    )
    return DfsgComparison(
        a.launch,
        b.launch,
        (a, b),
        pairing,
        sum((part for _, _, part in nodes), Fraction(0)),
        sum((part for _, _, part in edges), Fraction(0)),
        all(row.equal for each in rows for row in each),
        _sizes(a, b),
        *rows,
    )


def _sizes(a: Dfsg, b: Dfsg) -> dict[str, CountChange]:
    whole = {"ecount": CountChange(a.ecount, b.ecount)}
    lists = {name: (getattr(a, name), getattr(b, name)) for name in ("nodes", "edges", "loops")}
    return whole | {name: CountChange(len(x), len(y)) for name, (x, y) in lists.items()}


def dfsg_distance(a: Dfsg, b: Dfsg) -> float:
    """The distance of two graphs, from 0 (equal) to 1."""
    return compare_dfsgs(a, b).distance


_Sides = tuple[T | None, T | None]
_Ranked = tuple[T | None, T | None, Fraction]

_NOBODY = -1
"""The partner of a block that has none."""


def _nodes(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[_Sides[Node]]:
    left, right = ({node.block: node for node in dfsg.nodes} for dfsg in (a, b))
    return _joined(left, right, lambda block: partners.get(block, _NOBODY))


def _edges(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[_Sides[Edge]]:
    def partner(pair: tuple[int, int | None]) -> tuple[int, int | None]:
        source, target = pair
        after = None if target is None else partners.get(target, _NOBODY)
        return partners.get(source, _NOBODY), after

    return _joined(a.by_pair, b.by_pair, partner)


def _loops(a: Dfsg, b: Dfsg, partners: Mapping[int, int]) -> list[_Sides[LoopStatistics]]:
    left, right = ({loop.shape.header: loop for loop in dfsg.loops} for dfsg in (a, b))
    return _joined(left, right, lambda header: partners.get(header, _NOBODY))


def _joined(a: Mapping[K, T], b: Mapping[K, T], partner: Callable[[K], K]) -> list[_Sides[T]]:
    """Join two mappings by the partners of A's keys: those of A in order, then B's lone ones."""
    taken = {partner(key) for key in a}
    found: list[_Sides[T]] = [(each, b.get(partner(key))) for key, each in a.items()]
    return found + [(None, each) for key, each in b.items() if key not in taken]


Counts = tuple[int, int]


def _node_counts(node: Node | None) -> Counts:
    return (0, 0) if node is None else (node.ecount, node.scount)


def _edge_counts(edge: Edge | None) -> Counts:
    return (0, 0) if edge is None else (edge.oecount, edge.tcount)


def _ranked(pairs: list[_Sides[T]], counts: Callable[[T | None], Counts]) -> list[_Ranked[T]]:
    """Pairs with what each contributes, those that contribute most first."""
    known = [(pair, counts(pair[0]), counts(pair[1])) for pair in pairs]
    sum_a = sum(sum(a) for _, a, _ in known) or 1
    sum_b = sum(sum(b) for _, _, b in known) or 1
    found: list[_Ranked[T]] = []
    for pair, a, b in known:
        apart = sum(abs(x * sum_b - y * sum_a) for x, y in zip(a, b, strict=True))
        found.append((*pair, Fraction(apart, 2 * sum_a * sum_b)))
    return sorted(found, key=lambda pair: -pair[2])


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
    """Sort key of graphs; of equal keys only names may differ."""
    edges = [(e.source, -1 if e.target is None else e.target, e.oecount) for e in dfsg.edges]
    return len(dfsg.nodes), [node.ecount for node in dfsg.nodes], edges


def cfg_of(dfsg: Dfsg) -> Cfg:
    """The control-flow graph that a graph's edges are."""
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
    """Cost without a partner."""


@dataclass(frozen=True)
class _Sequences:
    """The top level of a graph (None) and the inside of each loop, with the loops by depth."""

    items: Mapping[int | None, tuple[_Item, ...]]
    by_depth: Mapping[int, tuple[LoopStatistics, ...]]


def _sequences(dfsg: Dfsg, costs: Sequence[int]) -> _Sequences:
    """A graph's blocks and loops in order; ``costs`` are those of blocks without partners."""
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
        self._often_a = [node.ecount * b.launch.threads * factor**2 for node in a.nodes]
        self._often_b = [node.ecount * a.launch.threads * factor**2 for node in b.nodes]
        self._a = _sequences(a, [often + factor for often in self._often_a])
        self._b = _sequences(b, [often + factor for often in self._often_b])
        self._loops: dict[tuple[int | None, int | None], tuple[int, _Pairs]] = {}

    def pairs(self) -> _Pairs:
        """The pairs of blocks."""
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
        """Cost of a pair: the difference of blocks or headers, and what is inside."""
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
