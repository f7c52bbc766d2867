"""The control-flow graph of a function.

Nodes are block ids; one more, ``exit_id``, stands for the end of the thread, so that every block
that returns has a successor and post-dominators have a root. Blocks that cannot reach the exit
(endless loops) would have no post-dominator: each group of blocks that control cannot leave gets
one virtual edge to the exit, from the group's last block in reverse postorder, as if the loop ended
after its last block. Virtual edges stand in ``graph`` and in ``virtual_edges``, never in
``successors`` or ``predecessors``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx

from warpmill.analyzer.ir.kernel import Block, Function
from warpmill.analyzer.ir.types import OpClass


@dataclass(frozen=True)
class Cfg:
    """A control-flow graph over ``exit_id`` blocks and the virtual exit.

    ``successors`` and ``predecessors`` have a tuple for each block and for the exit; successors
    stand in divergence order: the fall-through first, then the targets as written, the exit last.
    ``reachable`` are the blocks that control can get to from the entry, and ``reverse_postorder``
    orders them (each block before what follows it, back edges aside, the fall-through side first).
    ``graph`` is frozen and holds the virtual edges too.
    """

    successors: tuple[tuple[int, ...], ...]
    predecessors: tuple[tuple[int, ...], ...]
    reverse_postorder: tuple[int, ...]
    virtual_edges: tuple[tuple[int, int], ...]
    graph: nx.DiGraph[int] = field(compare=False, repr=False)
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
    """Give what follows a block; one that returns, or has nothing to go on with, ends at the exit.

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
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(exit_id + 1))
    graph.add_edges_from((block, after) for block in range(exit_id) for after in unique[block])
    predecessors = tuple(tuple(sorted(graph.pred[node])) for node in range(exit_id + 1))
    virtual = _virtual_edges(graph, order, exit_id)
    graph.add_edges_from(virtual)
    return Cfg(unique, predecessors, order, virtual, nx.freeze(graph))


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
    graph: nx.DiGraph[int], order: tuple[int, ...], exit_id: int
) -> tuple[tuple[int, int], ...]:
    """Give an edge to the exit for each group of blocks that control cannot leave."""
    leaving = nx.ancestors(graph, exit_id)
    endless = set(graph) - leaving - {exit_id}
    if not endless:
        return ()
    components = nx.strongly_connected_components(graph.subgraph(endless))
    groups = (c for c in components if all(set(graph[block]) <= c for block in c))
    place = {block: number for number, block in enumerate(order)}
    last = (max(group, key=lambda block: (place.get(block, -1), block)) for group in groups)
    return tuple(sorted((block, exit_id) for block in last))
