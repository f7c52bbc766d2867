"""What warpmill says of a kernel, and what its threads do, to compare the algorithms with."""

from collections import defaultdict

from tests.reference.bidirectional_graph import Graph
from tests.reference.interpreter import Warp, lanes_of_warp
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.traces.model import events
from warpmill.analyzer.traces.source import StaticSource


def visited_blocks(module, launch, cta=(0, 0, 0)):
    """The labels of the blocks that each warp of a CTA visits in its static trace."""
    kernel = module.kernels[0]
    source = StaticSource(module, analyse_structure(kernel), launch)
    traces = source.warps(cta)
    assert not source.assumptions
    return [[kernel.blocks[e.block].label for e in events(t)] for t in traces]


def graph_of(kernel):
    """A kernel's graph by labels; all ends of the thread lead to ``exit``."""
    cfg = build_cfg(kernel)
    names = [*(block.label for block in kernel.blocks), "exit"]
    edges = [(names[b], names[s]) for b, after in enumerate(cfg.successors) for s in after]
    return Graph.of(names[cfg.entry], "exit", edges)


def thread_paths(module, launch, warp, arguments):
    """Run the threads of a warp of the first CTA one by one; give the labels that each visits."""
    kernel, addresses = module.kernels[0], defaultdict(lambda: 1 << 20)
    lanes = lanes_of_warp(warp, module.warp_size, launch.grid, launch.block, (0, 0, 0))
    for number, lane in enumerate(lanes):
        if lane is not None:
            alone = [lane if i == number else None for i in range(len(lanes))]
            ran = Warp(kernel, alone, arguments, addresses).run()
            yield [*(kernel.blocks[block].label for block, *_ in ran), "exit"]
