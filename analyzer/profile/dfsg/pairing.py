"""Which block of one divergence flow statistics graph is which of another.

Graphs of one structure (as many blocks, and the same edges between their ids) are paired by id.
Others, as of two builds of a kernel or of a kernel and its clone, are paired by position:

- The top level of a kernel is the sequence of its blocks outside loops and of its outermost loops,
  in reverse postorder (a loop stands at its header's place; unreachable blocks are in no pair).
  The inside of a loop is such a sequence too, behind the header.
- Pairs keep the order of both sequences. A block pairs with a block, a loop with a loop; then their
  headers pair, and their insides by the same rule.
- Of all such pairings the one is taken that costs least: a pair costs the difference of its
  blocks' executions a thread (ECount over the threads of the launch), a block without partner its
  own. Of those that cost the same it is one with the most pairs of blocks, and of these one with
  the most pairs that are executed equally often.

Two sides of a branch that changed places are therefore paired on one side only. A pairing does not
depend on which graph is given first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpmill.analyzer.analyses.cfg.graph import Cfg, cfg_from_successors
from warpmill.analyzer.profile.dfsg.graph import Dfsg, LoopStatistics


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
