"""A kernel's structure, worked out: control flow first, then values, then what memory keeps."""

from __future__ import annotations

from dataclasses import replace

from warpmill.analyzer.analyses.cfg.graph import (
    build_cfg,
    dominator_tree,
    find_loops,
    postdominator_tree,
    reconvergence,
)
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.shared_slots import shared_slots, with_slots
from warpmill.analyzer.analyses.values.slot_search import ValueFlow, follow_memory
from warpmill.analyzer.analyses.values.ssa import build_ssa
from warpmill.analyzer.ir.kernel import Kernel, Module


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
