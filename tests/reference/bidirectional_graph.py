"""The control-flow graph as the paper's trace algorithms take it (hybrid estimation, §III-B)."""

from dataclasses import dataclass
from functools import cached_property

import networkx as nx


@dataclass(frozen=True)
class Graph:
    """Entry node B, exit node E, and the edges in the order written, split into BE and NE."""

    entry: str
    exit: str
    backedges: tuple[tuple[str, str], ...]
    non_backedges: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, entry, exit_, edges):
        """Split the edges by the circular check: a back edge leads to a block that dominates it."""
        dominators = nx.immediate_dominators(nx.DiGraph(edges), entry)

        def dominates(block, other):
            while other not in (block, entry):
                other = dominators[other]
            return other == block

        back = tuple((source, after) for source, after in edges if dominates(after, source))
        return cls(entry, exit_, back, tuple(edge for edge in edges if edge not in back))

    @cached_property
    def dag(self):
        """What is left without back edges."""
        dag = nx.DiGraph(self.non_backedges)
        assert nx.is_directed_acyclic_graph(dag), "a cycle with several entries"
        return dag

    @cached_property
    def after(self):
        """Which blocks each block leads to without a back edge, itself included."""
        return {block: nx.descendants(self.dag, block) | {block} for block in self.dag}

    @cached_property
    def before(self):
        """Which blocks lead to each block without a back edge, itself included."""
        return {block: nx.ancestors(self.dag, block) | {block} for block in self.dag}

    @cached_property
    def loops(self):
        """The blocks of each loop by header: those that reach a back edge to it within.

        Ways without back edges would not do: the body of an inner loop that is tested at its top
        leads nowhere but to its header.
        """
        every = nx.DiGraph(self.non_backedges + self.backedges)
        found = {}
        for source, header in self.backedges:
            inside = nx.restricted_view(every, [header], [])
            body = nx.ancestors(inside, source) | {source} if source != header else set()
            found.setdefault(header, {header}).update(body)
        return found

    def get_nodes_in_path(self, first, last):
        """Blocks on the ways from one block to another without a back edge, both included."""
        return self.after[first] & self.before[last]
