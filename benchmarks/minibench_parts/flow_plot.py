"""Figure 22: the control flow of versions of a kernel, side by side."""

from __future__ import annotations

import networkx as nx

from benchmarks.workload_pages.plots import DPI

TITLES = {"original": "original", "shortened": "loops of one iteration", "clone": "clone"}
_BACK, _ON = "tab:red", "tab:gray"


def draw_flows(pyplot, found, path):
    """Draw the versions that there are: a box a block with its instructions, back edges in red."""
    there = [key for key in TITLES if found.get(key) is not None]
    figure, axes = pyplot.subplots(1, len(there), figsize=(3.2 * len(there), 4.5), squeeze=False)
    for axis, key in zip(axes[0], there, strict=True):
        _draw(axis, found[key])
        axis.set_title(TITLES[key])
    figure.tight_layout()
    figure.savefig(path, dpi=DPI, metadata={"Software": None})
    pyplot.close(figure)


def _draw(axis, flow):
    places = layers(flow)
    names = {n: f"B{n}: {size}" for n, size in enumerate(flow["blocks"])} | {
        len(flow["blocks"]): "end"
    }
    for source, target in flow["edges"]:
        back = places[target][1] >= places[source][1]
        axis.annotate(
            "", places[target], places[source],
            arrowprops={
                "arrowstyle": "->", "color": _BACK if back else _ON, "shrinkA": 9, "shrinkB": 9,
                "connectionstyle": f"arc3,rad={0.6 if back else 0.15}",
            },
        )  # fmt: skip
    for node, (x, y) in places.items():
        axis.text(x, y, names[node], ha="center", va="center",
                  bbox={"boxstyle": "round", "facecolor": "white"})  # fmt: skip
    axis.set_xlim(-1.2, max(x for x, _ in places.values()) + 1.2)
    axis.set_ylim(min(y for _, y in places.values()) - 0.7, 0.7)
    axis.axis("off")


def layers(flow):
    """Place blocks: each below all that come before it, whatever back edges say."""
    headers = set(flow["loops"])
    forward = nx.DiGraph([(a, b) for a, b in flow["edges"] if not (b in headers and b <= a)])
    forward.add_nodes_from(range(len(flow["blocks"])))
    if not nx.is_directed_acyclic_graph(forward):  # blocks may stand before what leads to them
        forward = nx.DiGraph([(a, b) for a, b in flow["edges"] if a < b])
    places = {}
    for depth, nodes in enumerate(nx.topological_generations(forward)):
        places |= {n: (float(x), -float(depth)) for x, n in enumerate(sorted(nodes))}
    return places
