"""Clone model from what a launch did: steps 1 to 4 and 12 of GPGPU-MiniBench §4.2.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.behaviour.model import BehaviourScope, BranchBehaviour, FirstThreads
from warpmill.codegen.model import (
    ByThread,
    ByWarp,
    CloneArray,
    CloneBlock,
    CloneLoop,
    CloneModel,
    Constant,
    Decision,
    LoopExit,
    Random,
)
from warpmill.codegen.synthesis.addressing import Addressing, addressing
from warpmill.codegen.synthesis.assembly import Assembled, assemble
from warpmill.codegen.synthesis.loops import CloneSubject, clone_loops, maximum_reduction
from warpmill.codegen.synthesis.slots import (
    Chains,
    block_factors,
    instructions,
    is_cloned,
    is_end,
    kept,
    representation,
)
from warpmill.codegen.synthesis.waits import binding_producers, wait_share, with_waits

_MOST_LONGER = 1.03
"""How much longer than the original's share a clone may be for the sake of its dependences."""
_MOST_OVERHEAD = 1.12
"""How much longer it may be at the largest reduction."""
_MOST_WAITING = 1.05
"""How much longer it may wait for results before addresses are worked out side by side."""
_ROUNDS = 4
"""How often the chains are chosen anew, as what is added depends on them."""


def make_model(
    subject: CloneSubject,
    *,
    reduction: int | Mapping[int, int] | None = None,
    name: str = "clone",
    target: str | None = None,
    seed: int = 0,
    min_instructions: int = 256,
) -> CloneModel:
    """Make the model of a launch's clone.

    ``reduction`` is a factor for all loops, or one for each by its header. None: the largest of
    ``reductions`` with which what the clone has to execute for its control flow and addresses is a
    small part.
    """
    named = _Named(name, target or "sm_80", seed)
    if reduction is not None:
        return _made(subject, reduction, named)[0]
    for factors in reversed(reductions(subject, min_instructions)):
        model, longer = _made(subject, factors, named)
        if longer <= _MOST_OVERHEAD:
            break
    return model


@dataclass(frozen=True)
class _Named:
    """Name of a clone, its purpose, and the seed of its generator."""

    name: str
    target: str
    seed: int


def _made(
    subject: CloneSubject, factor: int | Mapping[int, int], named: _Named
) -> tuple[CloneModel, float]:
    """Make a model; gives how much longer it is than its share of the original too."""
    loops = clone_loops(subject, factor)
    factors = block_factors(subject, loops)
    represented = representation(subject, factors)
    places = addressing(subject, loops, factors, represented)
    decided = decisions(subject, loops)
    blank = CloneModel(
        name=named.name,
        target=named.target,
        version=subject.version,
        grid=subject.grid,
        block=subject.block,
        dynamic_shared_bytes=subject.profile.dynamic_shared_bytes,
        static_shared_bytes=subject.static_shared_bytes,
        warp_size=subject.profile.warp_size,
        seed=named.seed,
        reduction=factor if isinstance(factor, int) else max(factor.values(), default=1),
        registers=(),
        arrays=_arrays(subject, places),
        pointers=sum(bool(p.is_pointer) for p in subject.structure.kernel.parameters),
        sites=(),
        loops=loops,
        entries=tuple(_entries(subject)),
        blocks=(),
        represented=represented,
    )
    deciding = _deciding(subject, decided)
    needed = {block: frozenset({place}) for block, place in deciding.items()}
    for all_producers in (True, False):
        longer = 1.0
        added: tuple[tuple[int, Operation], ...] = ()
        for _ in range(_ROUNDS):
            chosen = kept(subject, factors, represented / longer, needed, added)
            chains = Chains(subject, places, all_producers)
            model = _filled(chains, blank, decided, deciding, chosen, factors)
            made = assemble(model)
            added = made.added
            longer = max(1.0, _executed(model, made) / instructions(subject, represented))
        if longer <= _MOST_LONGER:
            break
    if _waits_longer(model, made, subject):
        model = replace(model, apart=True)
        made = assemble(model)
    return with_waits(model, made.kernel, subject), longer


def _waits_longer(model: CloneModel, made: Assembled, subject: CloneSubject) -> bool:
    """Whether a warp of a clone waits for arithmetic longer than its original does."""
    own = wait_share(made.kernel.blocks, [block.expected for block in model.blocks])
    return own > _MOST_WAITING * wait_share(subject.structure.kernel.blocks, subject.executions)


def _executed(model: CloneModel, made: Assembled) -> float:
    """About how many instructions a warp of a clone executes."""
    pairs = zip(model.blocks, made.kernel.blocks, strict=True)
    return sum(block.expected * len(written.instructions) for block, written in pairs)


def reductions(subject: CloneSubject, min_instructions: int) -> list[dict[int, int]]:
    """Ever larger reductions, a factor for each loop by its header; the first reduces nothing.

    Each halves the loop that then iterates most often, as long as a warp executes
    ``min_instructions`` or more. One factor for loops inside each other would count as often as
    they are deep, and leave nothing of the short ones.
    """
    factors = {loop.header: 1 for loop in clone_loops(subject, 1)}
    left = {loop.header: loop.original for loop in clone_loops(subject, 1)}
    found = [dict(factors)]
    while left and max(left.values()) >= 2.0:
        header = max(left, key=lambda h: (left[h], -h))
        left[header] /= 2.0
        factors[header] *= 2
        shrunk = block_factors(subject, clone_loops(subject, factors))
        if instructions(subject, representation(subject, shrunk)) < min_instructions:
            break
        found.append(dict(factors))
    return found


def largest_reduction(subject: CloneSubject, min_instructions: int) -> int:
    """The largest factor with which warps execute at least so many instructions."""
    factor = maximum_reduction(subject)
    while factor > 1:
        factors = block_factors(subject, clone_loops(subject, factor))
        if instructions(subject, representation(subject, factors)) >= min_instructions:
            break
        factor //= 2
    return factor


def _arrays(subject: CloneSubject, places: Addressing) -> tuple[CloneArray, ...]:
    """Keep the shared memory of the original, which occupancy depends on."""
    arrays = list(places.arrays)
    shared = next((k for k, a in enumerate(arrays) if a.space is Space.SHARED), None)
    least = subject.static_shared_bytes
    if shared is not None:
        size = max(least, 16 if subject.profile.dynamic_shared_bytes else arrays[shared].size_bytes)
        arrays[shared] = replace(arrays[shared], size_bytes=size)
    elif least:
        arrays.append(CloneArray(Space.SHARED, least))
    return tuple(arrays)


def _entries(subject: CloneSubject) -> Iterator[tuple[int, int]]:
    """The header of each loop with the blocks outside that lead to it."""
    cfg = subject.structure.cfg
    for loop in subject.structure.loops.loops:
        inside = set(loop.blocks)
        for block in cfg.predecessors[loop.header]:
            if block not in inside and block in cfg.reachable:
                yield loop.header, block


def _deciding(subject: CloneSubject, decided: Mapping[int, Decision]) -> dict[int, int]:
    """The comparison in each block that makes what its jump looks at."""
    found = {}
    for number in decided:
        chain = subject.structure.kernel.blocks[number].instructions
        end = chain[-1]
        if end.guard is None:
            continue
        looked = end.guard.register.index
        for place in range(len(chain) - 2, -1, -1):
            if looked in chain[place].writes:
                if _is_comparison(chain[place]):
                    found[number] = place
                break
    return found


def _is_comparison(instruction: Instruction) -> bool:
    return instruction.operation.name == "setp" and instruction.guard is None


def _filled(
    chains: Chains,
    blank: CloneModel,
    decided: Mapping[int, Decision],
    deciding: Mapping[int, int],
    chosen: Mapping[int, frozenset[int]],
    factors: tuple[float, ...],
) -> CloneModel:
    subject = chains.subject
    kernel = subject.structure.kernel
    blocks = []
    for block in kernel.blocks:
        own = frozenset(
            p
            for p in chosen.get(block.id, ())
            if is_cloned(block.instructions[p]) and chains.is_placed(block.id, p)
        )
        slots = chains.block(block.id, own, deciding.get(block.id))
        last = block.instructions[-1] if block.instructions else None
        ends = last is not None and is_end(last)
        decision = decided.get(block.id)
        if ends and last is not None and last.guard is not None and decision is None:
            decision = Constant(taken=False)
        executions = subject.executions[block.id]
        blocks.append(
            CloneBlock(
                block.id,
                slots,
                executions,
                executions / factors[block.id],
                subject.lanes[block.id],
                last.operation.opcode if ends and last is not None else None,
                last.targets if ends and last is not None else (),
                block.fallthrough,
                decision if ends else None,
            )
        )
    return replace(
        blank,
        registers=tuple(chains.registers),
        sites=tuple(chains.sites),
        blocks=tuple(blocks),
    )


# How the branches of a clone decide: GPGPU-MiniBench §4.2.2 and step 4 of §4.2.4.

_RARE = 0.02
"""A side that so few executions take, with any lane, is left out."""
_BY_PLACE = 0.3
"""The part of a branch's variance that a warp's place in its CTA tells where it decides."""
_LEVEL = 0.03
_NEAR = 3
"""Instructions from a count to its comparison where this waits."""
_FEW_LANES = 2
_MOST_WARPS = 32


def decisions(subject: CloneSubject, loops: tuple[CloneLoop, ...]) -> dict[int, Decision]:
    """The decision of each block that goes on at two places, by block."""
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


def _loop_exit(subject: CloneSubject, block: int, loop: CloneLoop) -> Decision:
    """Leave after the clone's iterations; where that is the first one, always."""
    forest = subject.structure.loops
    own = next(each for each in forest.loops if each.header == loop.header)
    taken = _taken_side(subject, block)
    leaves_taken = taken not in own.blocks
    if loop.bottom and loop.most == 1:
        return Constant(taken=leaves_taken)
    return LoopExit(loop.header, leaves_taken, _counts_first(subject, block))


def _counts_first(subject: CloneSubject, block: int) -> bool:
    """Whether what a block's jump looks at is compared just after it is made."""
    instructions = subject.structure.kernel.blocks[block].instructions
    binding = binding_producers(instructions)
    compared = binding[-1]
    counted = None if compared is None else binding[compared]
    return counted is not None and compared is not None and compared - counted <= _NEAR


def _taken_side(subject: CloneSubject, block: int) -> int:
    """Target of the jump at the end of a block; the virtual exit for a guarded return."""
    fall, other = subject.structure.cfg.successors[block]
    written = subject.structure.kernel.blocks[block].fallthrough
    return other if fall == written else fall


def _decision(
    subject: CloneSubject, seen: BranchBehaviour, by_chance: Mapping[int, CloneLoop]
) -> Decision:
    leaves = _leaves_loop(subject, seen.block)
    own = subject.structure.loops.innermost(seen.block)
    taken = (seen.all_taken + seen.split * seen.split_share) / seen.executions
    if leaves is not None and own is not None and own.header in by_chance:
        return _left_by_chance(taken, by_chance[own.header], leaves_taken=leaves)
    if leaves is not None:
        return Constant(taken=not leaves)  # the loop ends elsewhere
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


def _left_by_chance(taken: float, loop: CloneLoop, *, leaves_taken: bool) -> Decision:
    """Leave a loop whose end is not met in each iteration, as much sooner as it is shorter."""
    leaving = min(1.0, (taken if leaves_taken else 1.0 - taken) * loop.factor)
    rate = leaving if leaves_taken else 1.0 - leaving
    return Random(rate, 0.0, 0.0, None, by_cta=loop.by_cta, once=False)


def _lanes(seen: BranchBehaviour) -> int | None:
    """The lanes that mostly take a branch where lanes part; None where there are no such."""
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


def _by_place(subject: CloneSubject, seen: BranchBehaviour) -> ByThread | ByWarp | None:
    """Rule of a branch that is mostly decided by the place of a warp in its CTA.

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
        return ByThread(FirstThreads(BehaviourScope.CTA, count, taken_below=True))
    if min(steps) >= -_LEVEL:
        rest = max(1, subject.threads_per_cta - count)
        return ByThread(FirstThreads(BehaviourScope.CTA, rest, taken_below=False))
    if len(shares) > _MOST_WARPS:
        return None
    order = sorted(range(len(shares)), key=lambda place: (-shares[place], place))
    return ByWarp(sum(1 << place for place in order[: round(sum(shares))]))


def _leaves_loop(subject: CloneSubject, block: int) -> bool | None:
    """Whether taking a branch leaves a loop; None where neither side does."""
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


def _barrier_behind(subject: CloneSubject, block: int) -> bool:
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
