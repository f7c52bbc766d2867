"""How the branches of a clone decide: GPGPU-MiniBench §4.2.2 and step 4 of §4.2.4."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from warpmill.analyzer.profile.behaviour.model import BranchBehaviour, FirstThreads, Scope
from warpmill.codegen.model import ByThread, ByWarp, CloneLoop, Constant, Decision, LoopExit, Random
from warpmill.codegen.synthesis.dependences import binding_producers
from warpmill.codegen.synthesis.subject import Subject

_RARE = 0.02
"""A side that so few executions take, with any lane, is left out."""
_BY_PLACE = 0.3
"""The part of a branch's variance that a warp's place in its CTA tells where it decides."""
_LEVEL = 0.03
_NEAR = 3
"""Instructions from a count to its comparison where this waits."""
_FEW_LANES = 2
_MOST_WARPS = 32


def decisions(subject: Subject, loops: tuple[CloneLoop, ...]) -> dict[int, Decision]:
    """Give the decision of each block that goes on at two places, by block."""
    behaviours = {each.block: each for each in subject.branches}
    ends = {loop.exit_block: loop for loop in loops if loop.exit_block is not None}
    by_chance = {loop.header: loop for loop in loops if loop.exit_block is None}
    cfg = subject.structure.cfg
    found: dict[int, Decision] = {}
    for block in sorted(cfg.reachable):
        if len(cfg.successors[block]) != 2:
            continue
        behaviour = behaviours.get(block)
        if block in ends:
            found[block] = _loop_exit(subject, block, ends[block])
        elif behaviour is None:
            found[block] = Constant(taken=False)
        else:
            found[block] = _decision(subject, behaviour, by_chance)
    return found


def _loop_exit(subject: Subject, block: int, loop: CloneLoop) -> Decision:
    """Leave after the clone's iterations; where that is the first one, always."""
    forest = subject.structure.loops
    own = next(each for each in forest.loops if each.header == loop.header)
    taken = _taken_side(subject, block)
    leaves_taken = taken not in own.blocks
    if loop.bottom and loop.most == 1:
        return Constant(taken=leaves_taken)
    return LoopExit(loop.header, leaves_taken, _counts_first(subject, block))


def _counts_first(subject: Subject, block: int) -> bool:
    """Whether what a block's jump looks at is compared just after it is made."""
    instructions = subject.structure.kernel.blocks[block].instructions
    binding = binding_producers(instructions)
    compared = binding[-1]
    counted = None if compared is None else binding[compared]
    return counted is not None and compared is not None and compared - counted <= _NEAR


def _taken_side(subject: Subject, block: int) -> int:
    """Give where the jump at the end of a block leads; the virtual exit for a guarded return."""
    fall, other = subject.structure.cfg.successors[block]
    written = subject.structure.kernel.blocks[block].fallthrough
    return other if fall == written else fall


def _decision(
    subject: Subject, seen: BranchBehaviour, by_chance: Mapping[int, CloneLoop]
) -> Decision:
    leaves = _leaves_loop(subject, seen.block)
    own = subject.structure.loops.innermost(seen.block)
    if leaves is not None and own is not None and own.header in by_chance:
        return _left_by_chance(seen, by_chance[own.header], leaves_taken=leaves)
    if leaves is not None:
        return Constant(taken=not leaves)  # the loop ends elsewhere
    taken = (seen.all_taken + seen.split * seen.split_share) / seen.executions
    going = (seen.none_taken + seen.split, seen.all_taken + seen.split)
    if min(going) < _RARE * seen.executions:
        return Constant(taken=going[1] > going[0])
    if seen.rule is not None:
        return ByThread(seen.rule)
    if _barrier_behind(subject, seen.block):  # some warps would wait there for ever
        return Random(taken, 0.0, 0.0, None, by_cta=True, once=seen.by_cta)
    placed = _by_place(subject, seen)
    if placed is not None:
        return placed
    return Random(
        seen.all_taken / seen.executions,
        seen.split / seen.executions,
        seen.split_share,
        _lanes(seen),
        by_cta=False,
        once=seen.by_warp,
    )


def _left_by_chance(seen: BranchBehaviour, loop: CloneLoop, *, leaves_taken: bool) -> Decision:
    """Leave a loop whose end is not met in each iteration, as much sooner as it is shorter."""
    taken = (seen.all_taken + seen.split * seen.split_share) / seen.executions
    leaving = min(1.0, (taken if leaves_taken else 1.0 - taken) * loop.factor)
    rate = leaving if leaves_taken else 1.0 - leaving
    return Random(rate, 0.0, 0.0, None, by_cta=loop.by_cta, once=False)


def _lanes(seen: BranchBehaviour) -> int | None:
    """Give the lanes that mostly take a branch where lanes part; None where there are no such."""
    shares = {lane: share for lane, share in enumerate(seen.by_lane) if share is not None}
    if len(shares) < _FEW_LANES:
        return None
    mean = sum(shares.values()) / len(shares)
    spread = sum((share - mean) ** 2 for share in shares.values()) / len(shares)
    if spread < _BY_PLACE * mean * (1.0 - mean):
        return None
    count = round(mean * len(shares))
    order = sorted(shares, key=lambda lane: (-shares[lane], lane))
    return sum(1 << lane for lane in order[:count])


def _by_place(subject: Subject, seen: BranchBehaviour) -> ByThread | ByWarp | None:
    """Tell who takes a branch where that is mostly decided by the place of a warp in its CTA.

    Reductions in trees go so: at each of their steps fewer of the first threads go on; stencils
    leave out the threads at their rims. The clone's threads are as many as on average.
    """
    shares = [share for share in seen.by_position if share is not None]
    if len(shares) < max(2, len(seen.by_position)):
        return None
    mean = sum(shares) / len(shares)
    between = sum((share - mean) ** 2 for share in shares) / len(shares)
    if between < _BY_PLACE * mean * (1.0 - mean):
        return None
    steps = [b - a for a, b in pairwise(shares)]
    count = round(sum(shares) * subject.profile.warp_size)
    if max(steps) <= _LEVEL:
        return ByThread(FirstThreads(Scope.CTA, count, taken_below=True))
    if min(steps) >= -_LEVEL:
        rest = max(1, subject.threads_per_cta - count)
        return ByThread(FirstThreads(Scope.CTA, rest, taken_below=False))
    if len(shares) > _MOST_WARPS:
        return None
    order = sorted(range(len(shares)), key=lambda place: (-shares[place], place))
    return ByWarp(sum(1 << place for place in order[: round(sum(shares))]))


def _leaves_loop(subject: Subject, block: int) -> bool | None:
    """Tell whether taking a branch leaves a loop; None where neither side does."""
    loop = subject.structure.loops.innermost(block)
    if loop is None:
        return None
    inside = set(loop.blocks)
    fall, taken = subject.structure.cfg.successors[block]
    if _taken_side(subject, block) == fall:
        fall, taken = taken, fall
    if taken in inside and fall in inside:
        return None
    return taken not in inside


def _barrier_behind(subject: Subject, block: int) -> bool:
    """Whether a barrier lies between a branch and where its sides meet."""
    structure = subject.structure
    meet = structure.reconvergence[block]
    seen: set[int] = set()
    open_ = [s for s in structure.cfg.successors[block] if s != meet]
    while open_:
        at = open_.pop()
        if at in seen or at in (meet, structure.cfg.exit_id):
            continue
        seen.add(at)
        blocks = structure.kernel.blocks[at]
        if any("barrier" in i.operation.effects for i in blocks.instructions):
            return True
        open_ += structure.cfg.successors[at]
    return False
