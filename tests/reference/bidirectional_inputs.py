"""Listing 1 filled in from what single threads do.

Of the path of each thread only this is kept: in which iterations of the loops around it comes to
a block. In which order is what the algorithms give. A bound is how often the loop's header is
visited, so that a loop tested at its top counts one more than its body runs; the body is missed in
that last iteration. A loop that the warp never enters is visited once, and missed. Where lanes
differ, a warp comes to a block where one of its lanes does, and goes round a loop as often as the
longest of them.
"""

from functools import cached_property

import networkx as nx

from tests.reference.bidirectional import BasicBlockInfo
from tests.reference.bidirectional_graph import Graph
from tests.reference.bidirectional_kernels import Writer
from tests.reference.bidirectional_runner import path_of
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.launch.model import Launch, ScalarArgument


class BlockData:
    """Makes Listing 1 for the blocks of a graph from the paths of a warp's threads."""

    def __init__(self, graph):
        self.graph = graph

    @cached_property
    def headers(self):
        """The headers of the loops around each block, the outermost first."""
        loops = sorted(self.graph.loops.items(), key=lambda loop: -len(loop[1]))
        return {b: [h for h, body in loops if b in body] for b in self.graph.after}

    @cached_property
    def dominator(self):
        edges = self.graph.backedges + self.graph.non_backedges
        return nx.immediate_dominators(nx.DiGraph(edges), self.graph.entry)

    def bb_info_list(self, wid, paths):
        """The data of all blocks for one warp."""
        executed = {block: set() for block in self.headers}
        for path in paths:
            self.count(path, executed)
        bounds = {header: {} for header in self.graph.loops}
        for header, of in bounds.items():
            for *around, iteration in executed[header]:
                of[tuple(around)] = max(of.get(tuple(around), 1), iteration)
        return {block: self.info(block, wid, bounds, executed[block]) for block in executed}

    def count(self, path, executed):
        """Note in which iterations, from 1 and the outermost first, a path comes to each block."""
        iterations = {}
        for before, block in zip((None, *path), path, strict=False):
            if block in self.graph.loops:
                comes_back = (before, block) in self.graph.backedges
                iterations[block] = iterations[block] + 1 if comes_back else 1
            executed[block].add(tuple(iterations[header] for header in self.headers[block]))

    def info(self, block, wid, bounds, executed):
        headers = self.headers[block]
        missed = [v for v in self.vectors(headers, bounds) if v not in executed]
        return BasicBlockInfo(
            block,
            frozenset() if executed else frozenset({wid}),
            tuple(dict(zip(headers, v, strict=True)) for v in missed) if executed else (),
            len(headers) + 1,
            lambda *outer: bounds[headers[-1]].get(outer, 1),
            tuple(headers[:-1]),
            self.preceding(block),
        )

    def vectors(self, headers, bounds, before=()):
        """All iterations in which the algorithms come to a block with these loops around."""
        if len(before) == len(headers):
            yield before
            return
        for i in range(bounds[headers[len(before)]].get(before, 1)):
            yield from self.vectors(headers, bounds, (*before, i + 1))

    def preceding(self, block):
        """The closest block on every way here that lies one loop level further out."""
        headers, found = self.headers[block], block
        while headers and self.headers[found] != headers[:-1]:
            found = self.dominator[found]
        return found if headers else ""


class Described(BlockData):
    """A program of ``bidirectional_kernels`` with its PTX and its graph."""

    def __init__(self, program):
        self.program, writer = program, Writer()
        self.ptx = writer.ptx(program)
        super().__init__(Graph.of("ENTRY", "EXIT", writer.edges))

    def of_warp(self, wid, *lanes):
        """The data for one warp; ``lanes`` are the arguments and ids of its threads."""
        return self.bb_info_list(wid, [path_of(self.program, values) for values in lanes])

    def launched(self, *, warps, n, m, ctas=1):
        """The module that its PTX makes, and a launch of it."""
        module = ptx.parse(Source("kernel.ptx", self.ptx)).module
        arguments = [ScalarArgument("i32", n), ScalarArgument("i32", m)]
        block = warps * module.warp_size
        return module, Launch.of("kernel.ptx", grid=ctas, block=block, arguments=arguments)
