"""Shortest paths from one node: one launch a round, until a round changes no distance."""

import numpy as np
from scipy.sparse.csgraph import dijkstra

from warpmill.checks import equal, holds
from warpmill.samples.common.graph_kinds import graph_of_kind
from warpmill.samples.common.graphs import with_weights

UNREACHED = 0x7FFFFFFF


def make(heaviest, block, seed, **shape):
    """Make a graph with weights; paths begin at the node with most edges but for node 0.

    A kernel that ignores the source would take node 0.
    """
    made = graph_of_kind(seed=seed, **shape)
    if not 1 <= heaviest <= UNREACHED // made.nodes:
        raise ValueError(f"heaviest is 1 to {UNREACHED // made.nodes}, or sums would be too large")
    made = with_weights(made, heaviest, seed)
    source = 1 + int(np.argmax(np.diff(made.offsets)[1:]))
    return {"graph": made, "source": source, "block": block}


def run(device, modules, inputs):
    """Relax round by round; all distances, and which nodes are marked as changed then."""
    graph, block = inputs["graph"], inputs["block"]
    module, count = modules["sssp"], graph.nodes
    grid = -(-count // block)
    offsets = device.array(graph.offsets, name="offsets")
    targets = device.array(graph.targets, name="targets")
    weights = device.array(graph.weights, name="weights")
    now, next_ = (device.empty(count, np.int32, name=f"distances {i}") for i in range(2))
    changed, next_changed = (device.empty(count, np.bool_, name=f"changed {i}") for i in range(2))
    go_on = device.zeros(1, np.bool_, name="go_on")
    start = [now, next_, changed, next_changed, inputs["source"], count]
    device.launch(module["sssp_init"], grid, block, start)
    for _ in range(count):  # no path has more edges
        go_on.fill(0)
        state = [now, next_, changed, next_changed, go_on]
        relax = [offsets, targets, weights, *state, count]
        device.launch(module["sssp_relax"], grid, block, relax)
        now, next_, changed, next_changed = next_, now, next_changed, changed
        if not go_on.get()[0]:
            break
    return {"distances": now.get(), "changed": changed.get() | next_changed.get()}


def check(inputs, results):
    """Compare with the distances that SciPy finds; the rounds end with no node marked."""
    distance = dijkstra(inputs["graph"].matrix(), indices=inputs["source"])
    expected = np.where(np.isfinite(distance), distance, UNREACHED).astype(np.int32)
    yield equal("distances", results["distances"], expected, "scipy.sparse.csgraph.dijkstra")
    yield holds("no marks", ~results["changed"], "nothing is left to be done")
