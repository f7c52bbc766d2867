"""Breadth-first search with lists: one launch a level, until the list of the next one is empty."""

import numpy as np
from scipy.sparse.csgraph import dijkstra

from warpmill.checks import equal
from warpmill.samples.common.graph_kinds import graph_of_kind

UNREACHED = 0x7FFFFFFF


def make(ctas, block, **shape):
    """Make a graph; the search begins at the node with most edges but for node 0.

    A list that was not written would read as one with node 0.
    """
    if ctas < 1:
        raise ValueError("ctas are 1 or more")
    made = graph_of_kind(**shape)
    source = 1 + int(np.argmax(np.diff(made.offsets)[1:]))
    return {"graph": made, "source": source, "ctas": ctas, "block": block}


def run(device, modules, inputs):
    """Search level by level; the nodes' levels, and how many nodes were on each frontier."""
    graph, source, block = inputs["graph"], inputs["source"], inputs["block"]
    module, count = modules["bfs_frontier"], graph.nodes
    offsets = device.array(graph.offsets, name="offsets")
    targets = device.array(graph.targets, name="targets")
    levels = device.empty(count, np.int32, name="levels")
    frontier, next_ = (device.empty(count, np.int32, name=name) for name in ("list 0", "list 1"))
    size, next_size = (device.zeros(1, np.int32, name=name) for name in ("size 0", "size 1"))
    start = [levels, frontier, size, source, count]
    device.launch(module["frontier_init"], -(-count // block), block, start)
    sizes = [1]
    while sizes[-1]:
        next_size.fill(0)
        lists = [frontier, size, next_, next_size]
        expand = [offsets, targets, levels, *lists, len(sizes)]
        device.launch(module["frontier_expand"], inputs["ctas"], block, expand)
        sizes.append(int(next_size.get()[0]))
        frontier, next_, size, next_size = next_, frontier, next_size, size
    return {"levels": levels.get(), "frontier_sizes": np.array(sizes)}


def check(inputs, results):
    """Compare with the distances that SciPy finds, and the lists with how many nodes are so far."""
    distance = dijkstra(inputs["graph"].matrix(), indices=inputs["source"], unweighted=True)
    reached = np.isfinite(distance)
    expected = np.where(reached, distance, UNREACHED).astype(np.int32)
    yield equal("levels", results["levels"], expected, "scipy.sparse.csgraph.dijkstra")
    sizes = np.append(np.bincount(expected[reached]), 0)
    yield equal("frontier sizes", results["frontier_sizes"], sizes, "nodes at each distance")
