"""Breadth-first search: two launches a level, until no node is new."""

import numpy as np
from scipy.sparse.csgraph import dijkstra

from warpmill.checks import equal, holds
from warpmill.samples.common.graph_kinds import graph_of_kind


def make(nodes, degree, graph, block, seed):
    """Make a graph, and start at the node with most edges."""
    made = graph_of_kind(graph, nodes, degree, 0, seed)
    return {"graph": made, "source": int(np.argmax(np.diff(made.offsets))), "block": block}


def run(device, modules, inputs):
    """Search; the levels, -1 where there is no way, and the nodes with a mask set at the end."""
    graph, block = inputs["graph"], inputs["block"]
    module, count = modules["bfs"], graph.nodes
    edges = np.stack([graph.offsets[:-1], graph.offsets[1:]], axis=1)
    start = np.arange(count) == inputs["source"]
    edges, targets = device.array(edges, name="edges"), device.array(graph.targets, name="targets")
    frontier, visited = device.array(start, name="frontier"), device.array(start, name="visited")
    next_ = device.zeros(count, np.bool_, name="next")
    levels = device.array(np.where(start, 0, -1).astype(np.int32), name="levels")
    go_on = device.zeros(1, np.bool_, name="go_on")
    grid = -(-count // block)
    for _ in range(count):  # more levels there cannot be
        go_on.fill(0)
        expand = [edges, targets, frontier, next_, visited, levels, count]
        device.launch(module["bfs_expand"], grid, block, expand)
        device.launch(module["bfs_advance"], grid, block, [frontier, next_, visited, go_on, count])
        if not go_on.get()[0]:
            break
    return {"levels": levels.get(), "masks": frontier.get() | next_.get()}


def check(inputs, results):
    """Compare with the distances that SciPy finds; the search ends with no node on a frontier."""
    distance = dijkstra(inputs["graph"].matrix(), indices=inputs["source"], unweighted=True)
    expected = np.where(np.isfinite(distance), distance, -1).astype(np.int32)
    yield equal("levels", results["levels"], expected, "scipy.sparse.csgraph.dijkstra")
    yield holds("no frontier", ~results["masks"], "nothing is left to be done")
