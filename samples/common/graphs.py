"""Graphs in CSR form, made from a seed: with even, power-law and road-like degrees.

All are directed; a symmetric one has each edge both ways. The targets of a node ascend, without
repeats and without the node itself.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import minimum_spanning_tree


@dataclass(frozen=True)
class Graph:
    """A graph: the edges of node v are ``offsets[v] .. offsets[v + 1] - 1`` of ``targets``.

    Both are int32; ``weights`` are int32 too, from 1, or None.
    """

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray | None = None

    @property
    def nodes(self):
        """Number of nodes."""
        return len(self.offsets) - 1

    @property
    def edges(self):
        """Number of edges, each direction of a symmetric one counted."""
        return len(self.targets)

    def matrix(self):
        """Give it as a SciPy matrix, with 1 for each edge where it has no weights."""
        data = np.ones(self.edges, np.int32) if self.weights is None else self.weights
        return sp.csr_matrix((data, self.targets, self.offsets), shape=(self.nodes, self.nodes))


def uniform_graph(nodes, degree, seed):
    """Join each node to others drawn evenly among all. Symmetric.

    A node draws a third to two thirds of ``degree``, both rounded down: with 6, from 2 to 4, as the
    generator of Rodinia's graphs does. As many come from nodes that have drawn it, on average: the
    mean degree is the sum of both bounds, which is ``degree`` for multiples of 3 and one less for
    others above 2 (7 for 8). It is a little lower where draws coincide.
    """
    _require_sizes(nodes, degree)
    rng = np.random.default_rng(seed)
    drawn = rng.integers(max(1, degree // 3), 2 * degree // 3 + 1, nodes)
    sources = np.repeat(np.arange(nodes), drawn)
    ends = np.stack([sources, rng.integers(0, nodes, len(sources))])
    return _graph(nodes, *_both_ways(ends, symmetric=True))


def power_law_graph(nodes, degree, seed, exponent=2.1, symmetric=True):
    """Draw edges between nodes whose expected degrees follow a power law, ``degree`` on average.

    Node numbers say nothing of degrees. Weights are cut where the expected degree would be the
    square root of the number of edges, so that few edges coincide (Chung and Lu). The cut makes
    their sum smaller: the largest expected degree is 1.2 to 2 times that root, by the seed. Edges
    that coincide count once, so that the mean is lower than ``degree``.
    """
    _require_sizes(nodes, degree)
    rng = np.random.default_rng(seed)
    edges = nodes * degree // (2 if symmetric else 1)
    weight = (1.0 - rng.random(nodes)) ** (-1.0 / (exponent - 1.0))
    weight = np.minimum(weight, weight.mean() * np.sqrt(nodes * degree) / degree)
    heap = np.cumsum(weight / weight.sum())
    heap[-1] = 1.0
    ends = np.searchsorted(heap, rng.random((2, edges)), side="right")
    return _graph(nodes, *_both_ways(ends, symmetric))


def road_graph(width, height, seed, extra=0.45):
    """Make a road-like graph: a random spanning tree of a lattice, and some of its other edges.

    Nodes are numbered row by row, so that neighbours are near. ``extra`` is the share of the
    lattice's edges outside the tree that are kept; mean degree is about 2.9 with 0.45, as of the
    road networks of the ninth DIMACS challenge. Symmetric and connected.
    """
    if min(width, height) < 1 or width * height < 2:
        raise ValueError(f"a road-like graph needs 2 nodes or more, not {width} by {height}")
    rng = np.random.default_rng(seed)
    nodes = width * height
    number = np.arange(nodes).reshape(height, width)
    across = np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
    down = np.stack([number[:-1].ravel(), number[1:].ravel()])
    lattice = np.concatenate([across, down], axis=1)
    drawn = 1.0 + rng.random(lattice.shape[1])
    tree = minimum_spanning_tree(sp.csr_matrix((drawn, tuple(lattice)), shape=(nodes, nodes)))
    others = lattice[:, rng.random(lattice.shape[1]) < extra]
    ends = np.concatenate([np.stack(tree.nonzero()), others], axis=1)
    return _graph(nodes, *_both_ways(ends, symmetric=True))


def with_weights(graph, highest, seed):
    """Draw a weight from 1 to ``highest`` for each edge, the same for both ways of one."""
    low = np.minimum(sources_of(graph), graph.targets).astype(np.uint64)
    high = np.maximum(sources_of(graph), graph.targets).astype(np.uint64)
    # an edge's weight is a hash of its ends: both ways agree without looking for each other
    mixed = (low << np.uint64(32)) ^ high ^ np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(factor)
    weights = 1 + (mixed >> np.uint64(33)) % np.uint64(highest)
    return Graph(graph.offsets, graph.targets, weights.astype(np.int32))


def sources_of(graph):
    """Give the node that each edge starts at."""
    return np.repeat(np.arange(graph.nodes), np.diff(graph.offsets))


def _require_sizes(nodes, degree):
    if nodes < 2 or degree < 2:
        raise ValueError("a graph needs 2 nodes or more, and a degree of 2 or more")


def _both_ways(ends, symmetric):
    return np.concatenate([ends, ends[::-1]], axis=1) if symmetric else ends


def _graph(nodes, sources, targets):
    """Sort edges by source and target, without repeats and loops."""
    keep = sources != targets
    pairs = np.sort(sources[keep].astype(np.int64) * nodes + targets[keep])
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]
    counts = np.bincount(pairs // nodes, minlength=nodes)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return Graph(offsets, (pairs % nodes).astype(np.int32))
