"""Minimum spanning tree in Boruvka's rounds, until a round joins no components."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from warpmill.checks import equal
from warpmill.samples.common.graph_kinds import graph_of_kind
from warpmill.samples.common.graphs import sources_of, with_weights
from warpmill.samples.common.hubs import with_towns


def make(heaviest, block, towns, streets, seed, **shape):
    """Make a graph with weights, and a number for each edge that both its ways share."""
    if heaviest < 1:
        raise ValueError("`heaviest` is 1 or more")
    plain = graph_of_kind(seed=seed, **shape)
    made = with_weights(with_towns(plain, towns, streets, seed), heaviest, seed)
    sources = sources_of(made)
    low, high = np.minimum(sources, made.targets), np.maximum(sources, made.targets)
    pairs = low.astype(np.int64) * made.nodes + high
    _, first, numbers = np.unique(pairs, return_index=True, return_inverse=True)
    ends = np.stack([low[first], high[first]])
    numbers = numbers.astype(np.int32)
    return {"graph": made, "numbers": numbers, "ends": ends, "first": first, "block": block}


def run(device, modules, inputs):
    """Join components; which edges are in the tree, their weight, each node's label."""
    graph, block = inputs["graph"], inputs["block"]
    module, count = modules["mst"], graph.nodes
    graph_arrays = [
        device.array(graph.offsets, name="offsets"),
        device.array(graph.targets, name="targets"),
        device.array(graph.weights, name="weights"),
        device.array(inputs["numbers"], name="numbers"),
    ]
    boss, label, partner = (
        device.empty(count, np.int32, name=name) for name in ("boss", "label", "partner")
    )
    lightest = [
        device.empty(count, np.uint64, name=f"lightest of {of}") for of in ("node", "component")
    ]
    in_tree = device.zeros(inputs["ends"].shape[1], np.bool_, name="in_tree")
    weight = device.zeros(1, np.uint64, name="total_weight")
    components = device.array(np.array([count], np.int32), name="components")

    def launch(kernel, *arguments):
        device.launch(module[kernel], -(-count // block), block, [*arguments, count])

    launch("mst_init", boss)
    left = count
    # a round at least halves the components that have edges to others
    for _ in range(count.bit_length() + 1):
        launch("mst_reset", *lightest, partner)
        launch("mst_find_lightest", *graph_arrays, boss, *lightest)
        launch("mst_choose", *graph_arrays, boss, *lightest, partner, in_tree)
        launch("mst_break_cycles", partner)
        launch("mst_merge", partner, lightest[1], boss, weight, components)
        before, left = left, int(components.get()[0])
        if left == before:
            break
    launch("mst_label", boss, label)
    return {
        "in_tree": in_tree.get(),
        "weight": weight.get(),
        "label": label.get(),
        "components": left,
    }


def check(inputs, results):
    """Compare with the weight of SciPy's tree, and check that the edges make a spanning forest.

    Trees differ where weights are equal. Edges that join as much as the whole graph does, and are
    no more than that takes, close no ring.
    """
    graph, in_tree = inputs["graph"], results["in_tree"]
    matrix = graph.matrix()
    tree = int(minimum_spanning_tree(matrix).sum())
    library = "scipy.sparse.csgraph.minimum_spanning_tree"
    yield equal("weight", results["weight"], [tree], library)
    taken = graph.weights[inputs["first"]][in_tree].sum(dtype=np.int64)
    yield equal("weight of the edges", taken, tree, library)
    parts, part = connected_components(matrix, directed=False)
    labels = "scipy.sparse.csgraph.connected_components"
    yield equal("components", results["components"], parts, labels)
    yield equal("edges", np.count_nonzero(in_tree), graph.nodes - parts, "nodes less components")
    ends = tuple(inputs["ends"][:, in_tree])
    chosen = sp.csr_matrix((np.ones(len(ends[0])), ends), shape=matrix.shape)
    _, joined = connected_components(chosen, directed=False)
    yield equal("nodes joined by the edges", joined, part, labels)
    names = np.zeros(parts, np.int32)
    names[part] = results["label"]
    yield equal("nodes of one label", results["label"], names[part], labels)
    yield equal("labels", len(np.unique(names)), parts, labels)
