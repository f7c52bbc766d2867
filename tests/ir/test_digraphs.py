"""Graphs as networkx has them."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.digraphs import (
    components,
    dominance_frontiers,
    immediate_dominators,
    reached,
    reversed_edges,
)


@st.composite
def graphs(draw):
    """Successors of up to nine nodes."""
    count = draw(st.integers(1, 9))
    successors = st.lists(st.integers(0, count - 1), max_size=3, unique=True)
    return dict(enumerate(draw(st.lists(successors, min_size=count, max_size=count))))


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_graphs_agree_with_networkx(graph):
    twin = nx.DiGraph(graph)
    assert reached(graph, 0) == nx.descendants(twin, 0) | {0}
    assert nx.utils.graphs_equal(nx.DiGraph(reversed_edges(graph)), twin.reverse())
    assert {frozenset(c) for c in components(graph)} == {
        frozenset(c) for c in nx.strongly_connected_components(twin)
    }
    idom = immediate_dominators(graph, 0)
    assert idom == {**nx.immediate_dominators(twin, 0), 0: None}
    inside = twin.subgraph(idom)
    for node, frontier in dominance_frontiers(graph, idom).items():
        dominated = {n for n in idom if node in chain(idom, n)}
        assert frontier == {
            after
            for before, after in inside.edges
            if before in dominated and (after not in dominated or after == node)
        }


def chain(idom, node):
    """A node and those that dominate it."""
    while node is not None:
        yield node
        node = idom[node]
