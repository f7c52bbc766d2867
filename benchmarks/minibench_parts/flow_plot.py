"""Control flow in pictures: versions of a kernel (Figure 22), and a DFSG (Figure 13)."""

from __future__ import annotations

import networkx as nx

from benchmarks.workload_pages.plots import save

TITLES = {"original": "original", "shortened": "loops of one iteration", "clone": "clone"}
_BACK, _ON = "tab:red", "tab:gray"


def draw_flows(pyplot, found, path):
    """Draw the versions that there are: a box a block with its instructions, back edges in red."""
    there = [key for key in TITLES if found.get(key) is not None]
    figure, axes = pyplot.subplots(1, len(there), figsize=(3.2 * len(there), 4.5), squeeze=False)
    for axis, key in zip(axes[0], there, strict=True):
        _draw(axis, found[key])
        axis.set_title(TITLES[key])
    save(pyplot, figure, path)


def draw_graph(pyplot, graph, path):
    """Draw a DFSG where threads came: blocks with ECount, edges with OECount and TCount."""
    came = [block for block, count, *_ in graph["nodes"] if count]
    number = {block: place for place, block in enumerate(came)} | {None: len(came)}
    crossed = [edge for edge in graph["edges"] if edge[2]]
    flow = {
        "blocks": came,
        "edges": [[number[a], number[b]] for a, b, *_ in crossed],
        "loops": sorted({number[b] for a, b, *_ in crossed if b is not None and b <= a}),
    }
    count = {block: n for block, n, *_ in graph["nodes"]}
    names = {number[block]: f"#{block}: {count[block]:,}" for block in came}
    words = [f"{oe:,} ({t:,})" for _, _, oe, _, t in crossed]
    figure, axis = pyplot.subplots(figsize=(6, 0.75 * len(layers(flow)) + 1))
    _draw(axis, flow, names | {len(came): "end"}, words)
    save(pyplot, figure, path)


def _draw(axis, flow, names=None, words=()):
    places = layers(flow)
    end = {len(flow["blocks"]): "end"}
    names = names or {n: f"B{n}: {size}" for n, size in enumerate(flow["blocks"])} | end
    for number, (source, target) in enumerate(flow["edges"]):
        begin, to = places[source], places[target]
        back = to[1] >= begin[1]
        bend = 0.6 if back else 0.15
        if source == target:  # beside the box, as there is no way from a place to itself
            begin, to, bend = (to[0] + 0.3, to[1] - 0.15), (to[0] + 0.3, to[1] + 0.15), 1.5
        axis.annotate("", to, begin, arrowprops={
            "arrowstyle": "->", "color": _BACK if back else _ON, "connectionstyle":
            f"arc3,rad={bend}", "shrinkA": 0 if source == target else 9,
            "shrinkB": 0 if source == target else 9,
        })  # fmt: skip
        if words:
            right = 0.2 if source == target else 0.55 if back else 0.12
            if begin[1] - to[1] > 1.5:  # it bends to the left, past blocks
                right = -0.75
            axis.text((begin[0] + to[0]) / 2 + right, (begin[1] + to[1]) / 2, words[number],
                      fontsize=6, va="center", color=_BACK if back else "black")  # fmt: skip
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
