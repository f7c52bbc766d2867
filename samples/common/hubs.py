"""Towns in a graph: a few stretches of nodes where far more edges meet than elsewhere."""

import numpy as np
import scipy.sparse as sp

from warpmill.samples.common.graphs import Graph

INSIDE = 256
"""Nodes of a town, in a row."""

AROUND = 4096
"""Nodes that a town's streets lead to, itself in their middle."""


def with_towns(graph, towns, streets, seed):
    """Add towns, each with ``streets`` more edges on average. A symmetric graph stays so.

    One end of a street is in the town, the lower the likelier: its first nodes become hubs with
    hundreds of edges. The other end is near the town. Towns differ in size, by up to three times.
    """
    if towns < 0 or streets < 0 or (towns and graph.nodes < INSIDE):
        raise ValueError(f"`towns` and `streets` are 0 or more, and a town needs {INSIDE} nodes")
    rng = np.random.default_rng([seed, towns, streets])
    first = rng.integers(0, max(1, graph.nodes - INSIDE + 1), towns)
    start = np.repeat(first, (streets * rng.uniform(0.5, 1.5, towns)).astype(int))
    share = rng.random((2, len(start)))
    hubs = start + (INSIDE * share[0] ** 3).astype(int)
    others = start + INSIDE // 2 + np.round(AROUND * (share[1] - 0.5)).astype(int)
    ends = (hubs, np.clip(others, 0, graph.nodes - 1))
    added = sp.csr_matrix((np.ones(len(start)), ends), shape=(graph.nodes, graph.nodes))
    matrix = graph.matrix() + added + added.T
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return Graph(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))
