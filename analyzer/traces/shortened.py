"""Traces of which only a part is left: some blocks, and some iterations of each loop.

A loop keeps its first iterations, so that neighbouring iterations stay neighbours; where a count
inside depends on the iteration, every so many are kept instead, which run through all counts.
Loops are shortened from the outside in: an outer loop that has few iterations keeps two of them,
and what is left to save is saved inside.
"""

from __future__ import annotations

from dataclasses import replace

from warpmill.analyzer.traces.model import LaneAddresses, Node, Repeat, TracedAccess, Visit

LEAST_ITERATIONS = 2
"""Iterations that a shortened loop keeps, so that one follows another."""


class Shortener:
    """Shortens trees of warps by one factor; what is one tree stays one.

    ``factor`` is the share of what is executed that should be left, above 0; 1 leaves all of it.
    Of visits only those of ``blocks`` are left, where these are given.
    """

    def __init__(self, factor: float, blocks: frozenset[int] | None = None) -> None:
        self._factor, self._blocks = factor, blocks
        self._known: dict[int, tuple[tuple[Node, ...], tuple[Node, ...]]] = {}

    def tree(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """Give a tree, shortened; the same object for the same one."""
        if self._factor >= 1 and self._blocks is None:
            return nodes
        known = self._known.get(id(nodes))
        if known is None:  # the tree is kept with it, so that its identity stays its own
            left = nodes if self._blocks is None else visits_of(nodes, self._blocks)
            known = self._known[id(nodes)] = nodes, shortened(left, self._factor)
        return known[1]


def visits_of(nodes: tuple[Node, ...], blocks: frozenset[int]) -> tuple[Node, ...]:
    """Give a tree of which the visits of some blocks are left, and no Repeat that has none."""
    left: list[Node] = []
    for node in nodes:
        if isinstance(node, Repeat):
            body = visits_of(node.body, blocks)
            if body:
                left.append(Repeat(node.count, body, node.count_strides))
        elif node.block in blocks:
            left.append(node)
    return tuple(left)


def shortened(nodes: tuple[Node, ...], factor: float) -> tuple[Node, ...]:
    """Give a tree of which about the share ``factor`` of its iterations is left."""
    return tuple(_node(node, factor, 0) for node in nodes)


def _node(node: Node, factor: float, level: int) -> Node:
    if isinstance(node, Visit):
        return node
    if factor >= 1 or any(node.count_strides):
        return node  # how often it happens is decided further out
    if _decides(node, level):
        step = max(1, min(round(1 / factor), node.count // LEAST_ITERATIONS))
        return _stepped(node, step, level) if step > 1 else node
    count = min(node.count, max(LEAST_ITERATIONS, round(node.count * factor)))
    left = factor * node.count / count if count else 1.0
    body = tuple(_node(inner, left, level + 1) for inner in node.body)
    return Repeat(count, body, node.count_strides)


def _decides(node: Repeat, level: int) -> bool:
    """Whether the count of a loop inside depends on the iterations of this one."""
    return any(
        (n.count_strides and n.count_strides[level]) or _decides(n, level)
        for n in node.body
        if isinstance(n, Repeat)
    )


def _stepped(node: Repeat, step: int, level: int) -> Repeat:
    """Keep every ``step``-th iteration of a loop; what it moves, it moves by so many times."""
    body = tuple(_moved(inner, step, level) for inner in node.body)
    return Repeat(-(-node.count // step), body, node.count_strides)


def _moved(node: Node, step: int, level: int) -> Node:
    if isinstance(node, Repeat):
        strides = _scaled(node.count_strides, step, level)
        return Repeat(node.count, tuple(_moved(n, step, level) for n in node.body), strides)
    accesses = tuple(_access(access, step, level) for access in node.accesses)
    return Visit(node.block, node.mask, node.guards, accesses)


def _access(access: TracedAccess, step: int, level: int) -> TracedAccess:
    where = access.addresses
    if not isinstance(where, LaneAddresses):
        return access
    moved = LaneAddresses(where.slot, where.pattern, _scaled(where.loop_strides, step, level))
    return replace(access, addresses=moved)


def _scaled(strides: tuple[int, ...], step: int, level: int) -> tuple[int, ...]:
    if not strides:
        return strides
    return (*strides[:level], strides[level] * step, *strides[level + 1 :])
