"""Random control flow of any form that can be written as PTX and read back."""

import random
from dataclasses import replace

from tests.reference.random_graphs import GraphMaker
from tests.reference.run_kernel import module_of
from warpmill.analyzer.ir.kernel import Guard, Reg
from warpmill.analyzer.ir.ptx_printer import print_ptx

_CHOSEN = Reg(7)  # the predicate that GraphMaker chooses by


class PlainGraphMaker(GraphMaker):
    """Graphs without copies on edges; where others go on at many places, lanes go to the end."""

    def copies(self):
        return ()

    def many(self):
        self.choose(backwards=False)
        self.emit("bra", guard=Guard(_CHOSEN, negated=True), targets=(self.blocks,))


def graph_text(seed, blocks):
    """The PTX of a graph; it has one parameter, a buffer."""
    kernel = PlainGraphMaker(random.Random(seed), blocks).kernel()
    return print_ptx(replace(module_of(kernel), target="sm_80", version="8.0"))
