"""Breadth-first search: one launch a level, until a level finds no node."""

import numpy as np
from scipy.sparse.csgraph import dijkstra

from warpmill.checks import equal, holds
from warpmill.samples.common.graph_kinds import graph_of_kind


def make(block, **shape):
    """Make a graph; the search begins at the node with most edges."""
    made = graph_of_kind(**shape)
    return {"graph": made, "source": int(np.argmax(np.diff(made.offsets))), "block": block}


def run(device, modules, inputs):
    """Search; the levels, -1 where there is no way, and the nodes on a frontier at the end."""
    graph, block = inputs["graph"], inputs["block"]
    kernel, count = modules["bfs_gpgpusim"]["bfs_level"], graph.nodes
    start = np.arange(count) == inputs["source"]
    edges = np.stack([graph.offsets[:-1], graph.offsets[1:]], axis=1)
    edges, targets = device.array(edges, name="edges"), device.array(graph.targets, name="targets")
    frontier, visited = device.array(start, name="mask 0"), device.array(start, name="visited")
    next_ = device.zeros(count, np.bool_, name="mask 1")
    levels = device.array(np.where(start, 0, -1).astype(np.int32), name="levels")
    go_on = device.zeros(1, np.bool_, name="go_on")
    for _ in range(count):  # more levels there cannot be
        go_on.fill(0)
        arguments = [edges, targets, frontier, next_, visited, levels, go_on, count]
        device.launch(kernel, -(-count // block), block, arguments)
        frontier, next_ = next_, frontier
        if not go_on.get()[0]:
            break
    return {"levels": levels.get(), "frontier": frontier.get() | next_.get()}


def check(inputs, results):
    """Compare with the distances that SciPy finds; the search ends with no node on a frontier."""
    distance = dijkstra(inputs["graph"].matrix(), indices=inputs["source"], unweighted=True)
    expected = np.where(np.isfinite(distance), distance, -1).astype(np.int32)
    yield equal("levels", results["levels"], expected, "scipy.sparse.csgraph.dijkstra")
    yield holds("no frontier", ~results["frontier"], "nothing is left to be done")
