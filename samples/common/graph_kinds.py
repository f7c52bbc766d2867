"""Graphs by the name of their kind, as the presets of workloads choose them."""

from math import isqrt

import numpy as np
import scipy.sparse as sp

from warpmill.samples.common.graphs import Graph, power_law_graph, road_graph, uniform_graph


def graph_of_kind(graph, nodes, degree, shortcuts, seed):
    """Make a symmetric graph: "uniform", "power-law" or "road".

    ``degree`` is about that of the first two, on average. A road-like one has a square of nodes,
    and ``shortcuts`` more edges.
    """
    if nodes < 2:
        raise ValueError("nodes are 2 or more")
    if shortcuts < 0:
        raise ValueError("shortcuts are 0 or more")
    if graph == "road" and nodes < 4:
        raise ValueError("nodes of a road-like graph are 4 or more, a square of them")
    side = isqrt(nodes)
    makers = {
        "uniform": lambda: uniform_graph(nodes, degree, seed),
        "power-law": lambda: power_law_graph(nodes, degree, seed),
        "road": lambda: with_shortcuts(road_graph(side, side, seed), shortcuts, seed),
    }
    if graph not in makers:
        raise ValueError(f"graph is one of {', '.join(makers)}")
    return makers[graph]()


def with_shortcuts(graph, shortcuts, seed):
    """Add edges between far nodes, most of them where numbers are low, as if towns were there.

    Half of their ends are among the first eighth of the nodes: paths get short there early, and
    one part of the nodes has work when another has none.
    """
    rng = np.random.default_rng([seed, shortcuts])
    ends = tuple((graph.nodes * rng.random((2, shortcuts)) ** 3).astype(np.int64))
    added = sp.csr_matrix((np.ones(shortcuts), ends), shape=(graph.nodes, graph.nodes))
    matrix = graph.matrix() + added + added.T
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return Graph(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))
