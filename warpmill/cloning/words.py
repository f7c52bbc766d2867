"""Words for parts of a clone's model, and its loops as blocks."""

from __future__ import annotations

from warpmill.analyzer.analyses.cfg.graph import (
    LoopForest,
    cfg_from_successors,
    dominator_tree,
    find_loops,
)
from warpmill.analyzer.profile.behaviour.model import BehaviourScope
from warpmill.codegen.model import (
    ByThread,
    ByWarp,
    CloneBlock,
    CloneLoop,
    CloneModel,
    Constant,
    LoopExit,
    Random,
)

_SCOPES = {
    BehaviourScope.GRID: "threads of the grid",
    BehaviourScope.CTA: "threads of a CTA",
    BehaviourScope.WARP: "lanes of a warp",
    BehaviourScope.CTAS: "CTAs",
}
_SELDOM = 0.001
"""A rate that is not worth words."""


def successors(model: CloneModel) -> list[list[int]]:
    """The blocks after each block, where it falls through to first; ``len`` is the end."""
    end = len(model.blocks)
    found = []
    for block in model.blocks:
        after = [] if block.fallthrough is None else [block.fallthrough]
        after += block.targets
        leaves = block.end is not None and not block.targets
        if leaves or not after:
            after.append(end)
        found.append(list(dict.fromkeys(after)))
    return found


def loop_forest(model: CloneModel) -> LoopForest:
    """Find the loops of a model's control flow."""
    cfg = cfg_from_successors([tuple(after) for after in successors(model)])
    return find_loops(cfg, dominator_tree(cfg))


def block_name(number: int) -> str:
    """Call a block as the clone's PTX does."""
    return f"B{number}"


def decision_words(block: CloneBlock) -> str | None:
    """Rule of a block's branch in words; None: it has none."""
    match block.decision:
        case None:
            return None
        case Constant(taken):
            return "always taken" if taken else "never taken"
        case ByThread(rule):
            who = "the first" if rule.taken_below else "all but the first"
            return f"taken by {who} {rule.count:,} {_SCOPES[rule.scope]}"
        case LoopExit(loop, leaves):
            return f"{'leaves' if leaves else 'goes on with'} loop {block_name(loop)}"
        case ByWarp(warps):
            taking = [str(k) for k in range(warps.bit_length()) if warps >> k & 1]
            return f"taken by warps {', '.join(taking)} of a CTA" if taking else "never taken"
        case Random() as chance:
            return _chance_words(chance)


def _chance_words(chance: Random) -> str:
    what = "threads" if chance.once else "executions"
    whose = "CTA" if chance.by_cta else "warp"
    words = f"random: {chance.all_taken:.1%} of {what} by a {whose}"
    if chance.split < _SELDOM:
        return words
    return f"{words}, {chance.split:.1%} by {chance.split_share:.0%} of its lanes"


def loop_words(loop: CloneLoop) -> str:
    """How often a loop iterates."""
    iterations = f"{loop.original:.4g} iterations"
    if loop.iterations >= loop.original:
        return f"loop {block_name(loop.header)}: {iterations}"
    name = block_name(loop.header)
    return f"loop {name}: {iterations}, {loop.iterations:,} in the clone (1/{loop.factor:.4g})"


def execution_words(block: CloneBlock) -> str:
    """How often a warp executes a block, in the original and in the clone."""
    if abs(block.original - block.expected) < 5e-4 * max(block.original, 1e-9):
        return f"{block.original:.4g} a warp"
    return f"{block.original:.4g} a warp, {block.expected:.4g} in the clone"
