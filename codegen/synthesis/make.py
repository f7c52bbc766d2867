"""From what a launch did to a clone model: steps 1 to 4 and 12 of GPGPU-MiniBench §4.2.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.codegen.model import CloneArray, CloneBlock, CloneModel, Constant, Decision
from warpmill.codegen.synthesis.addressing import Addressing, addressing
from warpmill.codegen.synthesis.assembly import Assembled, assemble
from warpmill.codegen.synthesis.chains import (
    block_factors,
    instructions,
    is_end,
    kept,
    representation,
)
from warpmill.codegen.synthesis.decisions import decisions
from warpmill.codegen.synthesis.loops import clone_loops, maximum_reduction
from warpmill.codegen.synthesis.slots import Chains, is_cloned
from warpmill.codegen.synthesis.subject import Subject
from warpmill.codegen.synthesis.waits import wait_share, with_waits

_MOST_LONGER = 1.03
"""How much longer than the original's share a clone may be for the sake of its dependences."""
_MOST_OVERHEAD = 1.12
"""How much longer it may be at the largest reduction."""
_MOST_WAITING = 1.05
"""How much longer it may wait for results before addresses are worked out side by side."""
_ROUNDS = 4
"""How often the chains are chosen anew, as what is added depends on them."""


def make_model(  # noqa: PLR0913 - each option by its name
    subject: Subject,
    *,
    reduction: int | Mapping[int, int] | None = None,
    name: str = "clone",
    target: str | None = None,
    seed: int = 0,
    least_instructions: int = 256,
) -> CloneModel:
    """Make the model of a launch's clone.

    ``reduction`` is a factor for all loops, or one for each by its header. None: the largest of
    ``reductions`` with which what the clone has to execute for its control flow and addresses is a
    small part.
    """
    named = _Named(name, target or "sm_80", seed)
    if reduction is not None:
        return _made(subject, reduction, named)[0]
    for factors in reversed(reductions(subject, least_instructions)):
        model, longer = _made(subject, factors, named)
        if longer <= _MOST_OVERHEAD:
            break
    return model


@dataclass(frozen=True)
class _Named:
    """What a clone is called, what it is for, and the seed of its generator."""

    name: str
    target: str
    seed: int


def _made(
    subject: Subject, factor: int | Mapping[int, int], named: _Named
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


def _waits_longer(model: CloneModel, made: Assembled, subject: Subject) -> bool:
    """Whether a warp of a clone waits for arithmetic longer than its original does."""
    own = wait_share(made.kernel.blocks, [block.expected for block in model.blocks])
    return own > _MOST_WAITING * wait_share(subject.structure.kernel.blocks, subject.executions)


def _executed(model: CloneModel, made: Assembled) -> float:
    """Give about how many instructions a warp of a clone executes."""
    pairs = zip(model.blocks, made.kernel.blocks, strict=True)
    return sum(block.expected * len(written.instructions) for block, written in pairs)


def reductions(subject: Subject, least_instructions: int) -> list[dict[int, int]]:
    """Give ever larger reductions, a factor for each loop by its header; the first reduces nothing.

    Each halves the loop that then iterates most often, as long as a warp executes
    ``least_instructions`` or more. One factor for loops inside each other would count as often as
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
        if instructions(subject, representation(subject, shrunk)) < least_instructions:
            break
        found.append(dict(factors))
    return found


def largest_reduction(subject: Subject, least_instructions: int) -> int:
    """Give the largest factor with which warps execute at least so many instructions."""
    factor = maximum_reduction(subject)
    while factor > 1:
        factors = block_factors(subject, clone_loops(subject, factor))
        if instructions(subject, representation(subject, factors)) >= least_instructions:
            break
        factor //= 2
    return factor


def _arrays(subject: Subject, places: Addressing) -> tuple[CloneArray, ...]:
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


def _entries(subject: Subject) -> Iterator[tuple[int, int]]:
    """Give the header of each loop with the blocks outside that lead to it."""
    cfg = subject.structure.cfg
    for loop in subject.structure.loops.loops:
        inside = set(loop.blocks)
        for block in cfg.predecessors[loop.header]:
            if block not in inside and block in cfg.reachable:
                yield loop.header, block


def _deciding(subject: Subject, decided: Mapping[int, Decision]) -> dict[int, int]:
    """Give the comparison in each block that makes what its jump looks at."""
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


def _filled(  # noqa: PLR0913, PLR0917 - what was decided before goes along
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
