"""Which instructions of each block a clone keeps: GPGPU-MiniBench §4.1.2 and step 12 of §4.2.4.

Loops that shrink by different factors, down to one iteration, and blocks outside loops, which do
not shrink at all, would shift the mix of executed instructions. So blocks that shrink less than the
one that most instructions are executed in give up instructions, such that each kind of instruction
is executed as often, relative to the others, as in the original.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analyzer.ir.kernel import Block, Instruction
from analyzer.ir.operation import Operation
from analyzer.ir.types import OpClass
from codegen.model import CloneLoop
from codegen.synthesis.subject import Subject

Kind = tuple[str, int, bool, str]
_MAIN_SHARE = 0.10
"""The share of executed instructions that blocks of one factor have where that factor counts."""


_SIMPLE = frozenset({
    OpClass.ADD, OpClass.LOGIC, OpClass.SHIFT, OpClass.MOVE, OpClass.MINMAX, OpClass.SELECT,
    OpClass.COMPARE, OpClass.ADDRESS,
})  # fmt: skip
_REPACKING = frozenset({"mov.b32", "mov.b64", "mov.b128"})
"""Moves between types and into vectors: without them what follows would not wait for its source."""
_PRODUCTS = frozenset({OpClass.MUL, OpClass.FMA})


def kind_of(operation: Operation) -> Kind:
    """Give what instructions are counted by: what is done, on how many bits, in which space.

    Simple instructions on integers are one kind, as machines take them to be, and products of
    integers are another: what a clone works out for itself it has from these.
    """
    type_ = operation.type
    bits = type_.bits if type_ is not None else 0
    is_float = type_ is not None and type_.is_float
    if type_ is not None and not is_float and operation.opcode not in _REPACKING:
        if operation.op_class in _SIMPLE:
            return ("simple", 0, False, "")
        if operation.op_class in _PRODUCTS:
            return ("product", 0, False, "")
    space = "" if operation.space is None else operation.space.value
    return (operation.name, bits * operation.vector, is_float, space)


def block_factors(subject: Subject, loops: tuple[CloneLoop, ...]) -> tuple[float, ...]:
    """Give for each block how many of its executions one of the clone's stands for."""
    factors = {loop.header: loop for loop in loops}
    found = []
    for block in subject.structure.kernel.blocks:
        product = 1.0
        for around in subject.structure.loops.containing(block.id):
            loop = factors.get(around.header)
            if loop is not None:
                product *= _factor_at(subject, loop, block.id)
        found.append(product)
    return tuple(found)


def _factor_at(subject: Subject, loop: CloneLoop, block: int) -> float:
    """Blocks up to a test at the top are executed once more than those behind it."""
    if loop.bottom or loop.exit_block is None:
        return loop.factor
    if subject.structure.dominators.dominates(block, loop.exit_block):
        return max(1.0, (loop.original + 1.0) / (loop.mean + 1.0))
    return loop.factor


def representation(subject: Subject, factors: tuple[float, ...]) -> float:
    """Give how many executed instructions one of the clone's stands for.

    It is the largest factor that a tenth of all executed instructions has.
    """
    weights: defaultdict[float, float] = defaultdict(float)
    blocks = subject.structure.kernel.blocks
    for block, factor, executions in zip(blocks, factors, subject.executions, strict=True):
        weights[round(factor, 6)] += executions * len(block.instructions)
    whole = sum(weights.values())
    main = [factor for factor, weight in weights.items() if weight >= _MAIN_SHARE * whole]
    return max(main, default=1.0)


def instructions(subject: Subject, represented: float) -> float:
    """Give about how many instructions a warp of the clone executes."""
    blocks = subject.structure.kernel.blocks
    pairs = zip(blocks, subject.executions, strict=True)
    return sum(e * len(block.instructions) for block, e in pairs) / represented


def kept(
    subject: Subject,
    factors: tuple[float, ...],
    represented: float,
    needed: Mapping[int, frozenset[int]],
    added: Iterable[tuple[int, Operation]],
) -> dict[int, frozenset[int]]:
    """Choose the instructions of each block that stay.

    ``needed`` are those that stay in any case, and ``added`` those that the clone executes beyond
    the chain, each with its block; both count. What is still missing of a kind is carried from
    block to block.
    """
    missing: defaultdict[Kind, float] = defaultdict(float)
    expected = [e / f for e, f in zip(subject.executions, factors, strict=True)]
    executed = [b for b in subject.structure.kernel.blocks if subject.executions[b.id]]
    wanted = {b.id: min(subject.executions[b.id] / represented, expected[b.id]) for b in executed}
    shares = _shares(executed, wanted, [(o, expected[b]) for b, o in added])
    found: dict[int, frozenset[int]] = {}
    for block in sorted(executed, key=lambda b: (expected[b.id], -b.id)):
        must = needed.get(block.id, frozenset()) | _barriers(block)
        own = _Wanted(wanted[block.id], expected[block.id], shares)
        found[block.id] = _choose(block, own, must, missing)
    return found


@dataclass(frozen=True)
class _Wanted:
    """How often an instruction of a block is to be executed by a warp, where it stays or not."""

    executions: float
    expected: float
    shares: Mapping[Kind, float]


def _shares(
    blocks: Iterable[Block], wanted: Mapping[int, float], added: Iterable[tuple[Operation, float]]
) -> dict[Kind, float]:
    """Give the share of each kind that is left for the chains beside what is added."""
    whole: defaultdict[Kind, float] = defaultdict(float)
    for block in blocks:
        for instruction in block.instructions:
            whole[kind_of(instruction.operation)] += wanted[block.id]
    beside: defaultdict[Kind, float] = defaultdict(float)
    for operation, executions in added:
        beside[kind_of(operation)] += executions
    return {kind: max(0.0, 1.0 - beside[kind] / count) for kind, count in whole.items() if count}


def _barriers(block: Block) -> frozenset[int]:
    """Give the barriers of a block: they are control flow, and stay."""
    return frozenset(
        place
        for place, instruction in enumerate(block.instructions)
        if "barrier" in instruction.operation.effects
    )


def _choose(
    block: Block, own: _Wanted, must: frozenset[int], missing: defaultdict[Kind, float]
) -> frozenset[int]:
    chosen = set()
    for place, instruction in enumerate(block.instructions):
        if is_end(instruction):
            continue
        kind = kind_of(instruction.operation)
        missing[kind] += own.executions * own.shares[kind]
        if place in must or missing[kind] >= own.expected / 2:
            chosen.add(place)
            missing[kind] -= own.expected
    return frozenset(chosen)


def is_end(instruction: Instruction) -> bool:
    """Whether an instruction ends its block: a jump, a return."""
    return instruction.is_branch or instruction.operation.op_class is OpClass.RETURN
