"""Whether the counts of a divergence flow statistics graph can be those of threads.

The rules, which hold in every graph of a whole launch:

1. Control arrives at a block as often as it is executed: the IECounts of its in-edges add up to its
   ECount. At the entry each thread of the launch arrives once more.
2. Control leaves a block as often as it is executed: the OECounts of its out-edges add up to it.
   With the first rule, each thread of the launch ends once.
3. A block or edge has as many threads as executions at most, and no more than the launch; it has
   none only where it has no executions.
4. A warp executes a block with one of its threads at least and with all at most, and a barrier of
   it at most once an execution; a block has no more barriers than instructions.
5. The header of a loop is executed once an iteration, by the threads that entered. These came
   along edges from outside, and their least and most iterations have the mean between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.profile.dfsg.graph import Dfsg, Edge, LoopStatistics, Node

ENTRY = 0
"""The block that a thread begins with."""


def flow_errors(dfsg: Dfsg) -> tuple[str, ...]:
    """Breaches of the rules above by the counts of a graph; empty where there are none."""
    return tuple(_errors(dfsg))


def _errors(dfsg: Dfsg) -> Iterator[str]:
    for node in dfsg.nodes:
        yield from _conserved(dfsg, node)
        yield from _threads(dfsg, f"block {node.label}", node.ecount, node.threads)
        yield from _warps(dfsg, node)
    for edge in dfsg.edges:
        yield from _threads(dfsg, _name(dfsg, edge), edge.oecount, edge.tcount)
    for loop in dfsg.loops:
        yield from _iterated(dfsg, loop)


def _name(dfsg: Dfsg, edge: Edge) -> str:
    after = "the end" if edge.target is None else dfsg.nodes[edge.target].label
    return f"the edge from {dfsg.nodes[edge.source].label} to {after}"


def _conserved(dfsg: Dfsg, node: Node) -> Iterator[str]:
    begun = dfsg.launch.threads if node.block == ENTRY else 0
    arrived = begun + sum(edge.iecount for edge in dfsg.arriving[node.block])
    left = sum(edge.oecount for edge in dfsg.leaving[node.block])
    for count, words in ((arrived, "come to"), (left, "left")):
        if count != node.ecount:
            yield f"block {node.label} is executed {node.ecount} times and {words} {count} times"


def _threads(dfsg: Dfsg, name: str, executions: int, threads: int) -> Iterator[str]:
    most = min(executions, dfsg.launch.threads)
    if not min(executions, 1) <= threads <= most:
        yield f"{name} has {executions} executions by {threads} of {dfsg.launch.threads} threads"


def _warps(dfsg: Dfsg, node: Node) -> Iterator[str]:
    name, lanes = f"block {node.label}", dfsg.launch.warp_size
    if not node.warps <= node.ecount <= node.warps * lanes:
        yield f"{name} has {node.ecount} executions in {node.warps} of warps of {lanes} lanes"
    if not 0 <= node.barriers <= node.instructions:
        yield f"{name} has {node.barriers} barriers among {node.instructions} instructions"
    if not 0 <= node.scount_warps <= node.warps * node.barriers:
        words = f"{node.warps} executions of {node.barriers} barriers by warps"
        yield f"{name} has {words} and an SCount of {node.scount_warps} by warps"
    if not node.scount_warps <= node.scount <= node.scount_warps * lanes:
        words = f"{node.scount} by threads and {node.scount_warps} by warps of {lanes} lanes"
        yield f"{name} has an SCount of {words}"


def _iterated(dfsg: Dfsg, loop: LoopStatistics) -> Iterator[str]:
    counts, header = loop.counts, dfsg.nodes[loop.shape.header]
    name = f"the loop of {header.label}"
    if (counts.iterations, counts.threads) != (header.ecount, header.threads):
        yield (
            f"{name} has {counts.iterations} iterations by {counts.threads} threads, and its "
            f"header {header.ecount} executions by {header.threads}"
        )
    inside = frozenset(loop.shape.blocks)
    edges = dfsg.arriving[header.block]
    entered = sum(edge.iecount for edge in edges if edge.source not in inside)
    begun = dfsg.launch.threads if header.block == ENTRY else 0
    if counts.entries != entered + begun:
        yield f"{name} has {counts.entries} entries, and {entered + begun} crossings lead into it"
    least = counts.iterations_min * counts.threads
    most = counts.iterations_max * counts.threads
    if not least <= counts.iterations <= most:
        yield f"{name} has {counts.iterations} iterations, not {least} to {most}"
