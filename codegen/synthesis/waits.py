"""Dependences of instructions, with as many waits for results in a clone as in the original.

Latency hiding depends on how far instructions stand behind those whose results they read (§4.1.1 of
GPGPU-MiniBench keeps chains for that). Instructions that were left out took some waits along. Here
a warp alone issues a block in order, one instruction a slot, each when what it reads is there; what
it waits, relative to its instructions, is to be what it waits in the original. Where it is less,
arithmetic reads what stands before it; where it is more, what is there for long.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from warpmill.analyzer.ir.kernel import Block, Instruction, Kernel, Operand, Reg, Register
from warpmill.analyzer.ir.types import OpClass, Type
from warpmill.codegen.model import CloneBlock, CloneModel
from warpmill.codegen.synthesis.loops import CloneSubject

# What the instructions of a block wait for: which of their sources comes last, and from where.

SIMPLE = frozenset({
    OpClass.ADD, OpClass.LOGIC, OpClass.SHIFT, OpClass.MOVE, OpClass.MINMAX, OpClass.SELECT,
    OpClass.COMPARE,
})  # fmt: skip
"""Operations that any integer or float unit does at once; all of it takes about as long."""
PRODUCTS = frozenset({OpClass.MUL, OpClass.FMA})
"""Products, with a sum or without: on integers a warp waits longer for them."""
ARITHMETIC = SIMPLE | PRODUCTS | {OpClass.CONVERT}
"""Operations that make registers of registers, and may read other ones in a clone."""
MEMORY = frozenset({OpClass.LOAD, OpClass.ATOMIC, OpClass.TEXTURE, OpClass.SURFACE})
"""Operations whose results come from memory, which takes its own time."""

_SIMPLE_SLOTS, _PRODUCT_SLOTS = 6, 16
_SLOTS = {
    OpClass.CONVERT: 12, OpClass.DIV: 60, OpClass.SPECIAL: 24, **dict.fromkeys(MEMORY, 100),
    OpClass.SHUFFLE: 24, OpClass.VOTE: 12, OpClass.MMA: 30,
}  # fmt: skip
"""Instructions that a warp may issue, about, before a result of a class is there. Only their order
counts: it tells which of several sources is waited for."""


def binding_producers(instructions: tuple[Instruction, ...]) -> tuple[int | None, ...]:
    """Place in its block of the producer that each instruction waits for.

    None where nothing that it reads is made in the block before it.
    """
    last: dict[int, int] = {}
    found: list[int | None] = []
    for place, instruction in enumerate(instructions):
        before = [last[r] for r in instruction.reads if r in last]
        found.append(
            max(before, key=lambda p: (p + latency_slots(instructions[p]), p), default=None)
        )
        last.update(dict.fromkeys(instruction.writes, place))
    return tuple(found)


def latency_slots(instruction: Instruction) -> int:
    """How many instructions a warp may issue, about, before the results are there."""
    operation = instruction.operation
    if (
        operation.op_class in PRODUCTS
        and operation.type is not None
        and not operation.type.is_float
    ):
        return _PRODUCT_SLOTS
    return _SLOTS.get(operation.op_class, _SIMPLE_SLOTS)


# Waits of a clone.

_WINDOW = 128
"""Instructions behind a changed one that are looked at for what they wait then."""
_NEAR = 3
"""Results just before an instruction that it may read instead of another."""


def with_waits(model: CloneModel, written: Kernel, subject: CloneSubject) -> CloneModel:
    """Model whose instructions read other results; ``written`` is its kernel as it is.

    First each block waits as long as its own original, then all of them together as long as all of
    these, as far as their arithmetic goes.
    """
    missing = wait_share(subject.structure.kernel.blocks, subject.executions)
    missing -= wait_share(written.blocks, [b.expected for b in model.blocks])
    issued = sum(b.expected * len(w.instructions) for b, w in _both(model, written))
    owed = missing * issued  # slots that a warp should wait more, or less
    found = {}
    for block, now in _both(model, written):
        original = subject.structure.kernel.blocks[block.id].instructions
        changed = found[block.id] = _Block(model, block, now.instructions)
        share = len(now.instructions) / len(original)
        own = sum(waits(original)) * share - sum(waits(now.instructions))
        if own * owed > 0:
            bound = owed / block.expected
            owed -= changed.wait(max(own, bound) if own < 0 else min(own, bound)) * block.expected
    for changed in sorted(found.values(), key=lambda f: -f.block.expected * len(f.code)):
        expected = changed.block.expected
        owed -= changed.wait(owed / expected) * expected
    blocks = [
        replace(b, slots=tuple(found[b.id].slots)) if b.id in found else b for b in model.blocks
    ]
    return replace(model, blocks=tuple(blocks))


def _both(model: CloneModel, written: Kernel) -> Iterator[tuple[CloneBlock, Block]]:
    """The blocks that are executed, with what is written of them."""
    for block, now in zip(model.blocks, written.blocks, strict=True):
        if block.expected and block.original:
            yield block, now


def wait_share(blocks: Sequence[Block], executions: Sequence[float]) -> float:
    """How many slots a warp waits for each one that it issues in."""
    pairs = [(b.instructions, e) for b, e in zip(blocks, executions, strict=True) if e]
    issued = sum(e * len(instructions) for instructions, e in pairs)
    return sum(e * sum(waits(instructions)) for instructions, e in pairs) / max(issued, 1e-9)


def waits(instructions: Sequence[Instruction]) -> list[int]:
    """How many slots each instruction of a block waits."""
    there: dict[int, int] = {}
    slot, found = 0, []
    for instruction in instructions:
        begins = max([slot, *(there.get(r, 0) for r in instruction.reads)])
        found.append(begins - slot)
        slot = begins + 1
        for made in instruction.writes:
            there[made] = (
                begins + 1 if _is_memory(instruction) else begins + latency_slots(instruction)
            )
    return found


def _is_memory(instruction: Instruction) -> bool:
    """Whether memory takes its time, which is kept by what waits for a load."""
    return instruction.operation.op_class in MEMORY


@dataclass
class _Block:
    """A block whose slots are changed one by one."""

    model: CloneModel
    block: CloneBlock
    instructions: Sequence[Instruction]

    def __post_init__(self) -> None:
        self.slots = list(self.block.slots)
        self.code = list(self.instructions)
        self.slot_places = dict(self._places())

    def _places(self) -> Iterator[tuple[int, int]]:
        """Each slot that has its own instruction with its place."""
        found: defaultdict[_Looks, list[int]] = defaultdict(list)
        for place, made in enumerate(self.code):
            found[_looks(made.operation.opcode, made.operands)].append(place)
        at = 0
        for number, slot in enumerate(self.slots):
            if slot.decides:
                continue
            same = found[_looks(slot.opcode, slot.operands)]
            k = bisect_left(same, at)
            if k < len(same):
                yield number, same[k]
                at = same[k] + 1

    def wait(self, wanted: float) -> float:
        """Change slots until the block waits so many slots more, or less; gives what it does."""
        before = sum(waits(self.code))
        warp, made = _Warp(self.code), _RegisterWrites(self.model.registers)
        gained = 0
        for number, place in self.slot_places.items():
            if abs(wanted - gained) < 1:
                break
            while warp.place < place:
                made.note(warp.place, self.code[warp.place])
                warp.issue()
            for operands in self._choices(number, place, made, more=wanted > gained):
                other = replace(self.code[place], operands=operands)
                sources = made.sources(other)
                change = warp.change(sources)
                if change and abs(wanted - gained - change) < abs(wanted - gained):
                    self.code[place] = other
                    warp.read(sources)
                    gained += change
                    self.slots[number] = replace(self.slots[number], operands=operands)
                    break
        return sum(waits(self.code)) - before

    def _choices(
        self, number: int, place: int, made: _RegisterWrites, *, more: bool
    ) -> Iterator[tuple[Operand, ...]]:
        slot, instruction = self.slots[number], self.code[place]
        if slot.sites or slot.guard is not None or instruction.operation.op_class not in ARITHMETIC:
            return
        for k, operand in enumerate(slot.operands):
            if k == 0 or not isinstance(operand, Reg):
                continue
            own = made.places.get(operand.index)
            if own is not None and _is_memory(self.code[own]):
                continue
            for other in made.near(operand.index) if more else made.elsewhere(operand.index):
                yield (*slot.operands[:k], Reg(other), *slot.operands[k + 1 :])


_Looks = tuple[str, int, tuple[Operand, ...]]


def _looks(opcode: str, operands: tuple[Operand, ...]) -> _Looks:
    """Identity of a slot's instruction: what it does, and where to."""
    return opcode, len(operands), operands[:1]


class _Warp:
    """A warp that issues a block up to a place: when what stands before was issued.

    ``waits`` says it for a whole block; here a change is looked at from its place on.
    """

    def __init__(self, code: Sequence[Instruction]) -> None:
        self._delays = [1 if _is_memory(i) else latency_slots(i) for i in code]
        self._sources: list[tuple[int, ...]] = []
        last: dict[int, int] = {}
        for place, instruction in enumerate(code):
            read = (last[r] for r in instruction.reads if r in last)
            self._sources.append(self._late(place, read))
            last.update(dict.fromkeys(instruction.writes, place))
        self._there: list[int] = []  # when the results of each place are there
        self._slot = self._all_there = 0

    @property
    def place(self) -> int:
        """The place that is issued next."""
        return len(self._there)

    def _late(self, place: int, sources: Iterable[int]) -> tuple[int, ...]:
        """The sources that may still be waited for: each place before took its slot."""
        return tuple({p for p in sources if place - p < self._delays[p]})

    def issue(self) -> None:
        """Go on by one instruction."""
        place = self.place
        begins = max([self._slot, *[self._there[p] for p in self._sources[place]]])
        self._there.append(begins + self._delays[place])
        self._all_there = max(self._all_there, self._there[-1])
        self._slot = begins + 1

    def read(self, sources: Iterable[int]) -> None:
        """Record that the next instruction reads what is made at these places."""
        self._sources[self.place] = self._late(self.place, sources)

    def change(self, sources: Iterable[int]) -> int:
        """How many slots more the block waits where the next instruction reads others.

        What follows is issued both ways until one is behind the other for good: all results that
        are not as far behind are there, in both. Where chains take turns and none waits for another
        that never comes; after ``_WINDOW`` instructions they are as far behind as they are then.
        """
        was, now = _Ahead(self._slot, self._all_there), _Ahead(self._slot, self._all_there)
        other = self._late(self.place, sources)
        behind = 0
        for place in range(self.place, min(len(self._sources), self.place + _WINDOW)):
            read = self._sources[place]
            begins = self._begins(was, read)
            later = self._begins(now, other if place == self.place else read)
            if later - begins != behind:
                behind = later - begins
                was.uneven, now.uneven = was.all_there, now.all_there
            was.issue(place, begins, self._delays[place])
            now.issue(place, later, self._delays[place])
            if was.slot >= was.uneven and now.slot >= now.uneven:
                break
        return behind

    def _begins(self, ahead: _Ahead, sources: tuple[int, ...]) -> int:
        begins = ahead.slot
        for p in sources:
            there = ahead.there[p] if p in ahead.there else self._there[p]
            begins = max(begins, there)
        return begins


@dataclass
class _Ahead:
    """A warp beyond a place, one way: its next slot, and when results are there.

    ``uneven`` is when all those are there that are not as far behind the other way's as the rest.
    """

    slot: int
    all_there: int
    uneven: int = 0
    there: dict[int, int] = field(default_factory=dict)

    def issue(self, place: int, begins: int, delay: int) -> None:
        self.there[place] = begins + delay
        self.all_there = max(self.all_there, begins + delay)
        self.slot = begins + 1


@dataclass
class _Alike:
    """Registers of a type: the results of arithmetic, the newest last, and what nothing made."""

    results: dict[int, None] = field(default_factory=dict)
    unmade: list[int] = field(default_factory=list)  # the first one last


class _RegisterWrites:
    """Registers written before a place, with the places of their last writes."""

    def __init__(self, registers: Sequence[Register]) -> None:
        self.places: dict[int, int] = {}
        kinds: defaultdict[tuple[Type, int], _Alike] = defaultdict(_Alike)
        self._alike = [kinds[r.type, r.vector] for r in registers]
        for register in reversed(range(len(registers))):
            self._alike[register].unmade.append(register)

    def note(self, place: int, instruction: Instruction) -> None:
        """Go on by one instruction."""
        arithmetic = instruction.operation.op_class in ARITHMETIC
        for register in sorted(instruction.writes, reverse=True):
            self.places[register] = place
            if register >= len(self._alike):
                continue  # of the clone's own
            results = self._alike[register].results
            results.pop(register, None)
            if arithmetic:
                results[register] = None

    def sources(self, instruction: Instruction) -> list[int]:
        """The places at which what an instruction reads is made."""
        return [self.places[r] for r in instruction.reads if r in self.places]

    def near(self, register: int) -> list[int]:
        """Registers of the same type: results just before."""
        return list(islice(reversed(self._alike[register].results), _NEAR))

    def elsewhere(self, register: int) -> list[int]:
        """A register of the same type that no one makes before, if there is one."""
        unmade = self._alike[register].unmade
        while unmade and unmade[-1] in self.places:
            unmade.pop()
        others = (r for r in reversed(unmade) if r != register and r not in self.places)
        return list(islice(others, 1))
