"""The control flow of a kernel with everything that analyses and traces build on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from warpmill.analyzer.analyses.cfg.graph import Cfg, DomTree, LoopForest
from warpmill.analyzer.analyses.liveness import MachineView, machine_view
from warpmill.analyzer.analyses.ranges.analysis import Ranges
from warpmill.analyzer.analyses.values.ssa import Ssa
from warpmill.analyzer.analyses.values.symbolic_values import SymbolicValues
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Place, Space


@dataclass(frozen=True)
class Structure:
    """A kernel, its control-flow graph, its loops, and where values come from.

    ``reconvergence`` gives for each block with several successors the block where its lanes meet.
    ``unfollowed`` says why variables in shared memory are not followed, ``stores_by_one`` where one
    thread stores in those that are.
    """

    kernel: Kernel
    cfg: Cfg
    dominators: DomTree
    postdominators: DomTree
    loops: LoopForest
    reconvergence: tuple[int | None, ...]
    ssa: Ssa
    values: SymbolicValues
    unfollowed: Mapping[str, str] = field(default_factory=dict)
    stores_by_one: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)

    @property
    def ranges(self) -> Ranges:
        """Known bits and bounds of each definition."""
        return self.values.ranges

    @cached_property
    def predicates(self) -> dict[tuple[int, int], Any]:
        """Conditions of predicates that ``values.conditions`` keeps here."""
        return {}

    @cached_property
    def view(self) -> MachineView:
        """The kernel with what takes registers only."""
        return machine_view(self.kernel, self.cfg)

    @cached_property
    def private_memory(self) -> frozenset[str]:
        """The variables that each thread has for itself; ``alloca`` stands for unnamed ones."""
        kernel = self.kernel
        names = {v.name for v in kernel.variables if v.space in (Space.LOCAL, Space.PARAM)}
        has_stack = any(i.operation.name == "alloca" for i in kernel.instructions)
        return frozenset(names | ({"alloca"} if has_stack else set()))
