"""Which instructions of each block a clone keeps: GPGPU-MiniBench §4.1.2 and step 12 of §4.2.4.

Loops that shrink by different factors, down to one iteration, and blocks outside loops, which do
not shrink at all, would shift the mix of executed instructions. So blocks that shrink less than the
one that most instructions are executed in give up instructions, such that each kind of instruction
is executed as often, relative to the others, as in the original.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from warpmill.analyzer.ir.kernel import Block, Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass
from warpmill.codegen.model import CloneLoop
from warpmill.codegen.synthesis.subject import CloneSubject
from warpmill.codegen.synthesis.waits import ARITHMETIC, PRODUCTS, SIMPLE, binding_producers

Kind = tuple[str, int, bool, str]
_WIDTHS = 4
"""Classes of blocks by how many lanes are on."""
_MAIN_SHARE = 0.10
"""The share of executed instructions that blocks of one factor have where that factor counts."""

_COUNTED_SIMPLE = SIMPLE | {OpClass.ADDRESS}
"""Simple instructions of the mix: what works out an address is an addition too."""
_CHOSEN = ARITHMETIC | {OpClass.ADDRESS}
"""What may be chosen otherwise than evenly, so that it hangs together."""
_REPACKING = frozenset({"mov.b32", "mov.b64", "mov.b128"})
"""Moves between types and into vectors: without them what follows would not wait for its source."""
_STRETCH = 24
"""Instructions among which arithmetic may be chosen otherwise than evenly."""


def kind_of(operation: Operation) -> Kind:
    """Give what instructions are counted by: what is done, on how many bits, in which space.

    Simple instructions on integers are one kind, as machines take them to be, and products of
    integers are another: what a clone works out for itself it has from these.
    """
    type_ = operation.type
    bits = type_.bits if type_ is not None else 0
    is_float = type_ is not None and type_.is_float
    if type_ is not None and not is_float and operation.opcode not in _REPACKING:
        if operation.op_class in _COUNTED_SIMPLE:
            return ("simple", 0, False, "")
        if operation.op_class in PRODUCTS:
            return ("product", 0, False, "")
    space = "" if operation.space is None else operation.space.value
    return (operation.name, bits * operation.vector, is_float, space)


def block_factors(subject: CloneSubject, loops: tuple[CloneLoop, ...]) -> tuple[float, ...]:
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


def _factor_at(subject: CloneSubject, loop: CloneLoop, block: int) -> float:
    """Blocks up to a test at the top are executed once more than those behind it."""
    if loop.bottom or loop.exit_block is None:
        return loop.factor
    if subject.structure.dominators.dominates(block, loop.exit_block):
        return max(1.0, (loop.original + 1.0) / (loop.mean + 1.0))
    return loop.factor


def representation(subject: CloneSubject, factors: tuple[float, ...]) -> float:
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


def instructions(subject: CloneSubject, represented: float) -> float:
    """Give about how many instructions a warp of the clone executes."""
    blocks = subject.structure.kernel.blocks
    pairs = zip(blocks, subject.executions, strict=True)
    return sum(e * len(block.instructions) for block, e in pairs) / represented


def kept(
    subject: CloneSubject,
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
    shares = _shares(subject, executed, wanted, [(b, o, expected[b]) for b, o in added])
    found: dict[int, frozenset[int]] = {}
    for block in sorted(executed, key=lambda b: (expected[b.id], -b.id)):
        must = needed.get(block.id, frozenset()) | _barriers(block)
        own = _Wanted(wanted[block.id], expected[block.id], shares[_width(subject, block.id)])
        found[block.id] = _choose(block, own, must, missing)
    return found


def _width(subject: CloneSubject, block: int) -> int:
    """Give which quarter of a warp's lanes a block has on, as mixes are kept for each."""
    return min(_WIDTHS - 1, int(subject.lanes[block] / subject.profile.warp_size * _WIDTHS))


@dataclass(frozen=True)
class _Wanted:
    """How often an instruction of a block is to be executed by a warp, where it stays or not."""

    executions: float
    expected: float
    shares: Mapping[Kind, float]


def _shares(
    subject: CloneSubject,
    blocks: Iterable[Block],
    wanted: Mapping[int, float],
    added: Iterable[tuple[int, Operation, float]],
) -> list[dict[Kind, float]]:
    """Give the share of each kind that is left for the chains beside what is added.

    That is by how many lanes are on: what all lanes execute beside the chains is to take the place
    of what all lanes execute. What that has no room for is taken from all alike.
    """
    whole = [defaultdict[Kind, float](float) for _ in range(_WIDTHS)]
    for block in blocks:
        for instruction in block.instructions:
            whole[_width(subject, block.id)][kind_of(instruction.operation)] += wanted[block.id]
    beside = [defaultdict[Kind, float](float) for _ in range(_WIDTHS)]
    for number, operation, executions in added:
        beside[_width(subject, number)][kind_of(operation)] += executions
    left: list[dict[Kind, float]] = []
    over: defaultdict[Kind, float] = defaultdict(float)
    for own, taken in zip(whole, beside, strict=True):
        left.append({kind: max(0.0, count - taken[kind]) for kind, count in own.items()})
        for kind, count in taken.items():
            over[kind] += max(0.0, count - own.get(kind, 0.0))
    rest = {kind: sum(each.get(kind, 0.0) for each in left) for each in left for kind in each}
    return [
        {
            kind: count / own[kind] * max(0.0, 1.0 - over[kind] / rest[kind])
            for kind, count in each.items()
            if own[kind] and rest[kind]
        }
        for own, each in zip(whole, left, strict=True)
    ]


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
    """Choose as many of each kind, evenly over the block, as are missing.

    Of a stretch of arithmetic those stay that hang together: what a kept instruction waits for, and
    what waits for a kept load. Picked evenly, nothing would wait for its neighbour any more.
    """
    even = _evenly(block, own, must, missing)
    chosen = {p for p in even if p in must or not _is_arithmetic(block.instructions[p])}
    chain = _Chain.of(block)
    for begin in reversed(range(0, len(block.instructions), _STRETCH)):
        stretch = range(begin, min(begin + _STRETCH, len(block.instructions)))
        quota = Counter(
            kind_of(block.instructions[p].operation) for p in stretch if p in even - chosen
        )
        _take(chain, stretch, quota, chosen)
    return frozenset(chosen)


def _evenly(
    block: Block, own: _Wanted, must: frozenset[int], missing: defaultdict[Kind, float]
) -> frozenset[int]:
    places: defaultdict[Kind, list[int]] = defaultdict(list)
    for place, instruction in enumerate(block.instructions):
        if not is_end(instruction):
            places[kind_of(instruction.operation)].append(place)
    chosen = set(must)
    for kind, found in places.items():
        free = [place for place in found if place not in must]
        missing[kind] += own.executions * own.shares.get(kind, 0.0) * len(found)
        missing[kind] -= own.expected * (len(found) - len(free))
        count = min(len(free), max(0, int(missing[kind] / own.expected + 0.5)))
        chosen.update(free[(2 * k + 1) * len(free) // (2 * count)] for k in range(count))
        missing[kind] -= own.expected * count
    return frozenset(chosen)


def _is_arithmetic(instruction: Instruction) -> bool:
    return instruction.operation.op_class in _CHOSEN


@dataclass(frozen=True)
class _Chain:
    """A block with who waits for whom: the producer of each place, and its first reader."""

    block: Block
    producers: tuple[int | None, ...]
    readers: Mapping[int, int]

    @staticmethod
    def of(block: Block) -> _Chain:
        """Look at the instructions of a block."""
        producers = binding_producers(block.instructions)
        readers: dict[int, int] = {}
        for place, producer in enumerate(producers):
            if producer is not None:
                readers.setdefault(producer, place)
        return _Chain(block, producers, readers)


def _take(chain: _Chain, stretch: range, quota: Counter[Kind], chosen: set[int]) -> None:
    """Take so many of each kind from a stretch, first those that hang together with what stays."""
    instructions = chain.block.instructions
    open_: list[tuple[bool, int]] = []
    for place in stretch:
        if place not in chosen and _is_arithmetic(instructions[place]):
            heappush(open_, (True, -place))
    for place in sorted(chosen):
        for near in (chain.readers.get(place), chain.producers[place]):
            if near in stretch and near is not None:
                heappush(open_, (False, -near))
    while open_:
        place = -heappop(open_)[1]
        kind = kind_of(instructions[place].operation)
        if place in chosen or not quota[kind] or not _is_arithmetic(instructions[place]):
            continue
        quota[kind] -= 1
        chosen.add(place)
        producer = chain.producers[place]
        if producer is not None and producer in stretch:
            heappush(open_, (False, -producer))


def is_end(instruction: Instruction) -> bool:
    """Whether an instruction ends its block: a jump, a return."""
    return instruction.is_branch or instruction.operation.op_class is OpClass.RETURN
