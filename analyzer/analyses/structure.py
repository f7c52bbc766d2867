"""The control flow of a kernel with everything that analyses and traces build on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from warpmill.analyzer.analyses.cfg.dominators import DomTree, dominator_tree, postdominator_tree
from warpmill.analyzer.analyses.cfg.graph import Cfg, build_cfg
from warpmill.analyzer.analyses.cfg.loops import LoopForest, find_loops
from warpmill.analyzer.analyses.cfg.reconvergence import reconvergence
from warpmill.analyzer.analyses.liveness.values import MachineView, machine_view
from warpmill.analyzer.analyses.ranges.analysis import Ranges
from warpmill.analyzer.analyses.values.shared_slots import shared_slots, with_slots
from warpmill.analyzer.analyses.values.slot_search import ValueFlow, follow_memory
from warpmill.analyzer.analyses.values.ssa import Ssa, build_ssa
from warpmill.analyzer.analyses.values.symbolic_values import SymbolicValues
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import Space

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.values.conditions import Condition


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
        """What is known of each definition's bits and bounds."""
        return self.values.ranges

    @cached_property
    def predicates(self) -> dict[tuple[int, int], Condition]:
        """Conditions that predicates stand for, as they are found: by definition and depth."""
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


def analyse_structure(
    kernel: Kernel,
    module: Module | None = None,
    block: tuple[int, int, int] | None = None,
    *,
    follows_memory: bool = True,
) -> Structure:
    """Work out a kernel's control flow and symbolic values. ValueError where it has no block.

    ``follows_memory``: what a thread keeps in local memory at known places counts as values too,
    and what its CTA keeps in shared memory. ``module`` has the shared variables that kernels share,
    ``block`` are the threads of a CTA by axis where it is for some launches only.
    """
    cfg = build_cfg(kernel)
    dominators = dominator_tree(cfg)
    postdominators = postdominator_tree(cfg)
    loops = find_loops(cfg, dominators)
    flow = ValueFlow(kernel, cfg, dominators, loops, build_ssa(kernel, cfg, dominators))
    if follows_memory:
        flow = follow_memory(flow)
    found = Structure(
        kernel,
        cfg,
        dominators,
        postdominators,
        loops,
        reconvergence(cfg, postdominators),
        flow.ssa,
        flow.values,
    )
    if not follows_memory:
        return found
    variables = (*kernel.variables, *(() if module is None else module.variables))
    shared = shared_slots(found, variables, block)
    if shared is None:
        return found
    if shared.slots is not found.ssa.slots:
        found = with_slots(found, shared.slots)
    return replace(found, unfollowed=shared.reasons, stores_by_one=shared.stores)
