"""The chains of a clone's blocks: opcodes with their dependences, without values or constants.

Steps 3 and 12 of GPGPU-MiniBench §4.2.4. Registers keep their types and who reads what was made
where; an instruction that is left out hands on its first source, so that what follows waits for
what it would have waited for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    Special,
    TupleAddress,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operation import Operation, Role, operation_table
from warpmill.analyzer.ir.types import OpClass, Space, Type
from warpmill.codegen.model import CloneLoop, Site, Slot
from warpmill.codegen.synthesis.addressing import GLOBAL_LIKE, Addressing
from warpmill.codegen.synthesis.loops import CloneSubject
from warpmill.codegen.synthesis.waits import ARITHMETIC, MEMORY, PRODUCTS, SIMPLE, binding_producers

PLACEHOLDER = Address(Imm(0))
"""Placeholder of a site's address."""

_LEFT_OUT = frozenset({OpClass.CALL, OpClass.UNKNOWN, OpClass.CONTROL})
_OWN_NUMBERS = frozenset({
    OpClass.BARRIER, OpClass.SHUFFLE, OpClass.VOTE, OpClass.BIT, OpClass.FENCE,
    OpClass.ASYNC_COPY, OpClass.MMA, OpClass.MATRIX_MOVE, OpClass.VIDEO,
})  # fmt: skip
"""Classes whose numbers are part of what the instruction is: barriers, masks, sizes."""
_LATE = MEMORY | {OpClass.DIV, OpClass.SPECIAL, OpClass.SHUFFLE, OpClass.VOTE}
"""Classes whose results come late: from memory, a slow unit or other lanes."""
_DEEPEST = 4
_TEXELS = ("tex", "tld4", "suld", "sust")
_NEUTRAL = 3
_FLOATS = {16: 0x3E00, 32: 0x3FC00000, 64: 0x3FF8000000000000}  # 1.5
_IDS = ("tid", "ntid", "ctaid", "nctaid", "laneid", "warpid")
_SURE = 0.98


def is_cloned(instruction: Instruction) -> bool:
    """Whether a clone can have an instruction: what has no own text in PTX it cannot."""
    operation = instruction.operation
    if is_end(instruction) or operation.op_class in _LEFT_OUT or "aborts" in operation.effects:
        return False
    if operation.op_class in (OpClass.TEXTURE, OpClass.SURFACE):
        return operation.name in _TEXELS
    entry = operation_table().get(operation.name)
    return entry is not None and entry.is_ptx


@dataclass
class Chains:
    """Slots of a kernel, block by block in the order of the program.

    ``all_producers``: addresses wait for what the original makes them of, by whatever means; else
    only for what comes late, from memory or a slow unit. ``registers`` and ``sites`` grow with
    those that are used, sites by their number; ``numbers`` says which registers stand for the
    original's.
    """

    subject: CloneSubject
    places: Addressing
    all_producers: bool
    registers: list[Register] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    sites: dict[Site, int] = field(default_factory=dict)
    _instead: dict[int, int] = field(default_factory=dict)
    _wider: dict[int, int] = field(default_factory=dict)
    _age: dict[int, int] = field(default_factory=dict)
    _written_so_far: int = 0

    @property
    def _kernel(self) -> Kernel:
        return self.subject.structure.kernel

    def block(self, number: int, kept: frozenset[int], deciding: int | None) -> tuple[Slot, ...]:
        """The slots of a block; ``deciding`` is the place of what its jump looks at."""
        slots = []
        for place, instruction in enumerate(self._kernel.blocks[number].instructions):
            if is_end(instruction):
                continue
            if place not in kept:
                self._leave_out(instruction)
                continue
            slots.append(self._slot(number, place, instruction, decides=place == deciding))
        return tuple(slots)

    def _leave_out(self, instruction: Instruction) -> None:
        """Redirect readers of an omitted instruction's result to what it would have read."""
        registers = self._kernel.registers
        read = [self._resolved(r) for r in instruction.reads]
        read.sort(key=lambda r: -self._age.get(r, -1))  # the last one is waited for
        for made in instruction.writes:
            same = [r for r in read if _alike(registers[r].type, registers[made].type)]
            self._instead.pop(made, None)
            self._wider.pop(made, None)
            if same and same[0] != made:
                self._instead[made] = same[0]
            elif not same and read:
                self._wider[made] = read[0]

    def _resolved(self, register: int) -> int:
        seen = set()
        while register in self._instead and register not in seen:
            seen.add(register)
            register = self._instead[register]
        return register

    def _slot(self, block: int, place: int, instruction: Instruction, *, decides: bool) -> Slot:
        sites: list[int] = []
        after: list[Reg | None] = []
        operands: list[Operand] = []
        for operand, role in zip(instruction.operands, instruction.roles, strict=True):
            if isinstance(operand, Address | TupleAddress):
                sites.append(self._site(block, place, instruction.operation, len(sites)))
                after.append(self._after(block, place, operand))
                operands.append(PLACEHOLDER)
            elif role is not Role.DESTINATION:
                operands.append(self._read(operand, instruction.operation))
        read = iter(operands)
        whole = []
        for operand, role in zip(instruction.operands, instruction.roles, strict=True):
            if role is Role.DESTINATION and not isinstance(operand, Address | TupleAddress):
                whole.append(self._written(operand))
            else:
                whole.append(next(read))
        guard = self._guard(block, place, instruction)
        fetches = any(self._is_texture(site) for site in sites)
        opcode = _opcode(instruction.operation, fetches=fetches)
        waits = decides and self._waits(block, place, _LATE)
        made = tuple(after) if any(a is not None for a in after) else ()
        return Slot(opcode, tuple(whole), tuple(sites), guard, decides, waits, made)

    def _is_texture(self, site: int) -> bool:
        if site < 0:
            return False
        return self.places.arrays[list(self.sites)[site].array].space is Space.TEXTURE

    def _after(self, block: int, place: int, address: Address | TupleAddress) -> Reg | None:
        """Result that an address waits for, where its base is made in its block."""
        if not isinstance(address, Address) or not isinstance(address.base, Reg):
            return None
        late = frozenset(OpClass) if self.all_producers else _LATE
        if not self._comes_late(block, place, address.base.index, late, _DEEPEST):
            return None
        waited = self._resolved(address.base.index)
        seen = set()
        while waited in self._wider and waited not in seen:
            seen.add(waited)
            waited = self._resolved(self._wider[waited])
        return self._number(waited)

    def _waits(self, block: int, place: int, late: frozenset[OpClass]) -> bool:
        """Whether something that an instruction reads comes late."""
        read = self._kernel.blocks[block].instructions[place].reads
        return any(self._comes_late(block, place, r, late, _DEEPEST) for r in read)

    def _comes_late(
        self, block: int, place: int, register: int, late: frozenset[OpClass], depth: int
    ) -> bool:
        """Whether a register comes late, by what made it in its block."""
        instructions = self._kernel.blocks[block].instructions
        for before in range(place - 1, -1, -1):
            if register in instructions[before].writes:
                if instructions[before].operation.op_class in late:
                    return True
                return depth > 0 and any(
                    self._comes_late(block, before, r, late, depth - 1)
                    for r in instructions[before].reads
                )
        return False

    def is_placed(self, block: int, place: int) -> bool:
        """Whether it is known where an instruction goes in memory, if it goes there.

        It is not where none of the CTAs that were looked at executed it with a lane on.
        """
        instruction = self.subject.structure.kernel.blocks[block].instructions[place]
        spaces = instruction.operation.spaces
        addresses = [o for o in instruction.operands if isinstance(o, Address | TupleAddress)]
        return all(
            spaces[min(k, len(spaces) - 1)] is Space.PARAM
            or self._site(block, place, instruction.operation, k) >= 0
            for k in range(len(addresses))
        )

    def _site(self, block: int, place: int, operation: Operation, number: int) -> int:
        spaces = operation.spaces
        space = spaces[min(number, len(spaces) - 1)]
        if space is Space.PARAM:
            return -1
        space = Space.GLOBAL if space in GLOBAL_LIKE else space
        site = self.places.site(block, place, space, alone=len(spaces) == 1)
        if site is None:
            return -1
        if site not in self.sites:
            self.sites[site] = len(self.sites)
        return self.sites[site]

    def _guard(self, block: int, place: int, instruction: Instruction) -> float | None:
        if instruction.guard is None:
            return None
        whole = self.subject.profile.blocks[block].threads
        share = self.subject.profile.threads_on(block, place) / whole if whole else 0.0
        return 1.0 if share > _SURE else 0.0 if share < 1.0 - _SURE else share

    # -- operands ------------------------------------------------------------------------------

    def _number(self, register: int) -> Reg:
        if register not in self.numbers:
            self.numbers[register] = len(self.registers)
            own = self._kernel.registers[register]
            name = f"%v{len(self.registers)}"  # not the original's
            self.registers.append(Register(name, own.type, own.vector))
        return Reg(self.numbers[register])

    def _written(self, operand: Operand) -> Operand:
        for register in registers_in(operand):
            self._instead.pop(register, None)
            self._wider.pop(register, None)
            self._age[register] = self._written_so_far
            self._written_so_far += 1
        return self._renamed(operand, resolve=False)

    def _read(self, operand: Operand, operation: Operation) -> Operand:
        if isinstance(operand, Imm) and operation.op_class in _OWN_NUMBERS:
            return operand
        return self._renamed(operand, resolve=True)

    def _renamed(self, operand: Operand, *, resolve: bool) -> Operand:
        def again(inner: Operand) -> Operand:
            return self._renamed(inner, resolve=resolve)

        match operand:
            case Reg(index):
                return self._number(self._resolved(index) if resolve else index)
            case Imm():
                return Imm(_NEUTRAL)
            case FloatImm(_, type_):
                return FloatImm(_FLOATS.get(type_.bits, 0), type_)
            case Special(name):
                return operand if name.split(".")[0] in _IDS else Special("laneid")
            case Vector(elements):
                return Vector(tuple(again(e) for e in elements))
            case Pair(first, second):
                return Pair(again(first), again(second))
            case NotPredicate(register):
                renamed = again(register)
                assert isinstance(renamed, Reg)
                return NotPredicate(renamed)
            case Negated(inner):
                renamed = again(inner)
                assert isinstance(renamed, Reg)
                return Negated(renamed)
            case Sink():
                return operand
            case _:
                return Imm(0)


def _alike(type_: Type, other: Type) -> bool:
    """Whether a register of one type may be read in the place of one of the other."""
    return type_ == other or (type_.is_integer and other.is_integer and type_.bits == other.bits)


def _opcode(operation: Operation, *, fetches: bool) -> str:
    """The opcode of the clone's instruction; ``fetches``: from a texture that it has."""
    vector = f".v{operation.vector}" if operation.vector > 1 else ""
    if fetches:
        return operation.opcode
    if operation.name in ("tex", "tld4"):
        return f"ld.global.nc{vector}.{operation.types[0].name}"
    if operation.name in ("suld", "sust"):
        word = "ld" if operation.name == "suld" else "st"
        return f"{word}.global{vector}.{operation.types[-1].name}"
    return operation.opcode


# Which instructions of each block a clone keeps: GPGPU-MiniBench §4.1.2 and step 12 of §4.2.4.
#
# Loops that shrink by different factors, down to one iteration, and blocks outside loops, which do
# not shrink at all, would shift the mix of executed instructions. So blocks that shrink less than
# the one that most instructions are executed in give up instructions, such that each kind of
# instruction is executed as often, relative to the others, as in the original.

Kind = tuple[str, int, bool, str]
_WIDTHS = 4
"""Classes of blocks by how many lanes are on."""
_MAIN_SHARE = 0.10
"""The share of executed instructions that blocks of one factor have where that factor counts."""

_COUNTED_SIMPLE = SIMPLE | {OpClass.ADDRESS}
"""Simple instructions of the mix: what works out an address is an addition too."""
_CHOSEN = ARITHMETIC | {OpClass.ADDRESS}
"""Classes whose choice may be uneven, so that the chain holds together."""
_REPACKING = frozenset({"mov.b32", "mov.b64", "mov.b128"})
"""Moves between types and into vectors: without them what follows would not wait for its source."""
_SLOT_RANGE = 24
"""Instructions among which arithmetic may be chosen otherwise than evenly."""


def kind_of(operation: Operation) -> Kind:
    """Kind by which instructions are counted: what is done, on how many bits, in which space.

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
    """Executions of each block that one of the clone's stands for."""
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
    """How many executed instructions one of the clone's stands for.

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
    """About how many instructions a warp of the clone executes."""
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
        own = _BlockExecutions(
            wanted[block.id], expected[block.id], shares[_width(subject, block.id)]
        )
        found[block.id] = _choose(block, own, must, missing)
    return found


def _width(subject: CloneSubject, block: int) -> int:
    """Quarter of a warp's lanes that a block has active, as mixes are kept for each."""
    return min(_WIDTHS - 1, int(subject.lanes[block] / subject.profile.warp_size * _WIDTHS))


@dataclass(frozen=True)
class _BlockExecutions:
    """Executions of a block's instruction by a warp, where it stays and where not."""

    executions: float
    expected: float
    shares: Mapping[Kind, float]


def _shares(
    subject: CloneSubject,
    blocks: Iterable[Block],
    wanted: Mapping[int, float],
    added: Iterable[tuple[int, Operation, float]],
) -> list[dict[Kind, float]]:
    """The share of each kind that is left for the chains beside what is added.

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
    """The barriers of a block: they are control flow, and stay."""
    return frozenset(
        place
        for place, instruction in enumerate(block.instructions)
        if "barrier" in instruction.operation.effects
    )


def _choose(
    block: Block, own: _BlockExecutions, must: frozenset[int], missing: defaultdict[Kind, float]
) -> frozenset[int]:
    """Choose as many of each kind, evenly over the block, as are missing.

    Of a range of arithmetic those stay that hang together: what a kept instruction waits for, and
    what waits for a kept load. Picked evenly, nothing would wait for its neighbour any more.
    """
    even = _evenly(block, own, must, missing)
    chosen = {p for p in even if p in must or not _is_arithmetic(block.instructions[p])}
    chain = _Chain.of(block)
    for begin in reversed(range(0, len(block.instructions), _SLOT_RANGE)):
        slot_range = range(begin, min(begin + _SLOT_RANGE, len(block.instructions)))
        quota = Counter(
            kind_of(block.instructions[p].operation) for p in slot_range if p in even - chosen
        )
        _take(chain, slot_range, quota, chosen)
    return frozenset(chosen)


def _evenly(
    block: Block, own: _BlockExecutions, must: frozenset[int], missing: defaultdict[Kind, float]
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
        """Chain of a block's instructions."""
        producers = binding_producers(block.instructions)
        readers: dict[int, int] = {}
        for place, producer in enumerate(producers):
            if producer is not None:
                readers.setdefault(producer, place)
        return _Chain(block, producers, readers)


def _take(chain: _Chain, slot_range: range, quota: Counter[Kind], chosen: set[int]) -> None:
    """Take so many of each kind from a range, first those that hang together with what stays."""
    instructions = chain.block.instructions
    open_: list[tuple[bool, int]] = []
    for place in slot_range:
        if place not in chosen and _is_arithmetic(instructions[place]):
            heappush(open_, (True, -place))
    for place in sorted(chosen):
        for near in (chain.readers.get(place), chain.producers[place]):
            if near in slot_range and near is not None:
                heappush(open_, (False, -near))
    while open_:
        place = -heappop(open_)[1]
        kind = kind_of(instructions[place].operation)
        if place in chosen or not quota[kind] or not _is_arithmetic(instructions[place]):
            continue
        quota[kind] -= 1
        chosen.add(place)
        producer = chain.producers[place]
        if producer is not None and producer in slot_range:
            heappush(open_, (False, -producer))


def is_end(instruction: Instruction) -> bool:
    """Whether an instruction ends its block: a jump, a return."""
    return instruction.is_branch or instruction.operation.op_class is OpClass.RETURN
