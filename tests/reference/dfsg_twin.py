"""A divergence flow graph counted thread by thread: each thread is the list of blocks it executed.

Loops are found here by removing a block and looking what can still be reached.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from tests.reference.profile_twin import lanes_in


@dataclass(frozen=True)
class Twin:
    """Counts by block, by (source, target) and by header."""

    ecount: dict
    threads: dict
    lcount: dict
    scount: dict
    crossings: dict
    tcount: dict
    loops: dict


def paths_of(walked):
    """The blocks that each thread executed, in its order; None stands for the end."""
    paths = {}
    for w in walked:
        for block, mask, _ in w.events:
            for lane in lanes_in(mask):
                paths.setdefault((w.number, lane), []).append(block)
    return [[*path, None] for path in paths.values()]


def natural_loops(kernel):
    """The blocks of each natural loop by its header."""
    graph = nx.DiGraph((b.id, s) for b in kernel.blocks for s in b.successors)
    graph.add_nodes_from(b.id for b in kernel.blocks)
    reached = {0, *nx.descendants(graph, 0)}
    loops = {}
    for latch, header in graph.edges:
        if latch not in reached:
            continue
        without = graph.subgraph(set(graph) - {header})
        if header not in (0, latch) and nx.has_path(without, 0, latch):
            continue  # the header does not dominate it
        back = {header, latch}
        if latch != header:
            back |= nx.ancestors(without, latch) & reached
        loops.setdefault(header, set()).update(back)
    return loops


def twin_of(kernel, walked):
    """Count everything from the threads' paths; barriers from the masks that were on."""
    paths, loops = paths_of(walked), natural_loops(kernel)
    in_loops = set().union(*loops.values())
    blocks = [block for path in paths for block in path[:-1]]
    steps = [step for path in paths for step in pairwise(path)]
    ecount = Counter(blocks)
    return Twin(
        ecount,
        Counter(block for path in paths for block in set(path[:-1])),
        {block: n for block, n in ecount.items() if block in in_loops},
        _barriers(kernel, walked),
        Counter(steps),
        Counter(step for path in paths for step in set(pairwise(path))),
        {header: _loop(header, body, paths) for header, body in loops.items()},
    )


def _barriers(kernel, walked):
    counts = Counter()
    for w in walked:
        for block, mask, guards in w.events:
            for place, instruction in enumerate(kernel.blocks[block].instructions):
                if "barrier" in instruction.operation.effects:
                    counts[block] += guards.get(place, mask).bit_count()
    return counts


def _loop(header, body, paths):
    """Entries, threads, iterations, and the least and most of a thread."""
    each = [path.count(header) for path in paths if header in path]
    entries = sum(
        path[k] == header and (k == 0 or path[k - 1] not in body)
        for path in paths
        for k in range(len(path))
    )
    return entries, len(each), sum(each), min(each, default=0), max(each, default=0)
