"""Registers that take room in the register file, where they are live, and dependences in a block.

A compiler's text names more registers than machine code has: constants are operands of the
instructions that use them, kernel parameters lie in the constant bank, what is the same for all
threads of a CTA is computed in the uniform register file (compute capability 7.5; AMD's scalar
registers), copies are merged, and an address plus a constant is part of the access.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Special,
    Symbol,
    registers_in,
)
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind

REGISTER_BITS = 32
ADDRESS_BITS = 64

UNIFORM_SPECIALS = frozenset(
    f"{name}.{axis}" for name in ("ctaid", "nctaid", "ntid") for axis in "xyz"
)
"""Special registers that are the same for all threads of a CTA."""

UNIFORM_CLASSES = frozenset(
    {
        OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.MINMAX, OpClass.LOGIC, OpClass.SHIFT,
        OpClass.COMPARE, OpClass.SELECT, OpClass.MOVE, OpClass.CONVERT, OpClass.BIT,
        OpClass.ADDRESS,
    }
)  # fmt: skip
"""Classes of integer operations that the uniform datapath executes."""


class InstructionRegisters(NamedTuple):
    """An instruction that machine code has too: the registers it reads and writes, each once.

    A guarded one reads what it writes, as lanes that are off keep the old value.
    """

    instruction: Instruction
    reads: tuple[int, ...]
    writes: tuple[int, ...]


@dataclass(frozen=True)
class MachineView:
    """A kernel with the registers that take room only.

    ``weights`` are the 32-bit registers of each virtual one, 0 for predicates, which have their own
    file. ``plain`` has each block's instructions with the registers of the text, ``lines`` those
    that take room; ``copies`` for each edge (from, to) the registers that are written on it and
    those that are read.
    """

    weights: tuple[int, ...]
    plain: tuple[tuple[InstructionRegisters, ...], ...]
    lines: tuple[tuple[InstructionRegisters, ...], ...]
    copies: dict[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...]]]


def machine_view(kernel: Kernel, cfg: Cfg) -> MachineView:
    """Leave out of a kernel what takes no register. Goes over the instructions a few times."""
    plain = tuple(tuple(plain_line(i) for i in b.instructions) for b in kernel.blocks)
    names = _Names(kernel, cfg, plain)
    copies = {
        (edge.predecessor, block.id): (
            tuple(register.index for register, _ in edge.copies),
            names.resolved(r for _, operand in edge.copies for r in registers_in(operand)),
        )
        for block in kernel.blocks
        for edge in block.incoming
    }
    weights = tuple(
        0 if r.type.kind is TypeKind.PREDICATE else r.vector * -(-r.type.bits // REGISTER_BITS)
        for r in kernel.registers
    )
    return MachineView(weights, plain, tuple(names.kept(lines) for lines in plain), copies)


def plain_line(instruction: Instruction) -> InstructionRegisters:
    """An instruction with the registers of the text."""
    reads, writes = instruction.reads, instruction.writes
    if instruction.guard is not None:
        reads = (*reads, *writes)
    return InstructionRegisters(
        instruction, tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(writes))
    )


class _Names:
    """Replacement of each register: another one, or nothing.

    Only registers that one unguarded instruction writes are looked at. Blocks go in reverse
    postorder, so that what an instruction reads is mostly decided before it.
    """

    def __init__(
        self, kernel: Kernel, cfg: Cfg, plain: tuple[tuple[InstructionRegisters, ...], ...]
    ) -> None:
        self._written = Counter(r for lines in plain for line in lines for r in line.writes)
        self._written.update(
            register.index for b in kernel.blocks for e in b.incoming for register, _ in e.copies
        )
        self._kernel = kernel
        self._in_addresses = _only_in_addresses(kernel, cfg, plain)
        self._free = {p.register.index for p in kernel.parameters if p.register is not None}
        self._written.update(self._free)
        self._behind: dict[int, int] = {}
        self._bits = [r.type.bits for r in kernel.registers]
        for block in cfg.reverse_postorder:
            for line in plain[block]:
                if len(line.writes) == 1 and self._written[line.writes[0]] == 1:
                    self._decide(line.instruction, line.writes[0])

    def kept(self, lines: Iterable[InstructionRegisters]) -> tuple[InstructionRegisters, ...]:
        """The instructions that machine code has too, with the registers that count."""
        return tuple(
            InstructionRegisters(line.instruction, self.resolved(line.reads), line.writes)
            for line in lines
            if not line.writes or not all(self._is_replaced(r) for r in line.writes)
        )

    def _is_replaced(self, register: int) -> bool:
        return register in self._free or register in self._behind

    def resolved(self, registers: Iterable[int]) -> tuple[int, ...]:
        """The registers that stand for others, each once, without those that take no room."""
        behind = dict.fromkeys(self._behind.get(r, r) for r in registers)
        return tuple(r for r in behind if r not in self._free)

    def _decide(self, instruction: Instruction, result: int) -> None:
        operands = instruction.operands
        if instruction.guard is not None or len(operands) < 2:
            return
        to = operands[0]
        if not isinstance(to, Reg) or to.index != result:
            return
        base = self._renamed(instruction)
        if self._is_operand(instruction) or self._is_uniform(instruction):
            self._free.add(result)
        elif base is not None and self._written[base] <= 1:
            base = self._behind.get(base, base)
            if base in self._free:
                self._free.add(result)
            else:
                self._behind[result] = base

    def _renamed(self, instruction: Instruction) -> int | None:
        """The register that an instruction only renames, or adds a constant to in accesses."""
        match instruction.operation.name, instruction.operands:
            case "mov" | "cvta", (Reg(result), Reg(base)) if self._same_size(result, base):
                return base
            case "lea", (Reg(), Reg(base), Imm(), Imm(), Imm()):
                return base
            case "add", (Reg(result), Reg(base), Imm()) if result in self._in_addresses:
                return base
            case _:
                return None

    def _same_size(self, one: int, other: int) -> bool:
        return self._bits[one] == self._bits[other]

    def _is_uniform(self, instruction: Instruction) -> bool:
        operation = instruction.operation
        if operation.op_class not in UNIFORM_CLASSES or operation.effects:
            return False
        sources = instruction.operands[1:]
        if instruction.operation.name in ("mov", "cvta") and not isinstance(sources[0], Special):
            return all(self._is_free(o) for o in sources)  # a constant of any type
        is_integer = not any(t.is_float for t in operation.types)
        return is_integer and all(self._is_free(o) for o in sources)

    def _is_free(self, operand: Operand) -> bool:
        match operand:
            case Reg(register):
                return self._behind.get(register, register) in self._free
            case Special(name):
                return name in UNIFORM_SPECIALS
            case _:
                return isinstance(operand, Imm | FloatImm | Symbol)

    def _is_operand(self, instruction: Instruction) -> bool:
        """Whether it loads a parameter or a constant by its name: an operand in their bank."""
        address, is_const = instruction.operands[1], instruction.operation.space is Space.CONST
        return (
            instruction.operation.name == "ld"
            and (is_const or self._kernel.reads_parameter(instruction))
            and isinstance(address, Address)
            and isinstance(address.base, Symbol)
        )


def _only_in_addresses(
    kernel: Kernel, cfg: Cfg, plain: tuple[tuple[InstructionRegisters, ...], ...]
) -> frozenset[int]:
    """The 64-bit registers that are read as the base of a memory address and nowhere else.

    Adding a constant to them for another such register is no use elsewhere. Blocks go backwards, so
    that what a register is for is known before the one that it is made of.
    """
    elsewhere = {n for n, r in enumerate(kernel.registers) if r.type.bits != ADDRESS_BITS}
    for block in kernel.blocks:
        for edge in block.incoming:
            elsewhere.update(r for _, operand in edge.copies for r in registers_in(operand))
    for number in reversed(cfg.reverse_postorder):
        for line in reversed(plain[number]):
            elsewhere.update(_read_elsewhere(line, elsewhere))
    return frozenset(range(len(kernel.registers))) - elsewhere


def _read_elsewhere(line: InstructionRegisters, elsewhere: set[int]) -> Iterable[int]:
    """The registers that an instruction reads for something else than an address."""
    instruction = line.instruction
    match instruction.operation.name, instruction.operands:
        case "add", (Reg(result), Reg(), Imm()) if result not in elsewhere:
            return ()
    if any(isinstance(operand, Address) for operand in instruction.operands):
        values = (o for o in instruction.sources if not isinstance(o, Address))
        return (r for operand in values for r in registers_in(operand))
    return line.reads


def used_registers(kernel: Kernel) -> set[int]:
    """Registers that memory, a branch or another effect hangs on."""
    sources: dict[int, set[int]] = {}
    work: list[int] = []
    for instruction in kernel.instructions:
        if instruction.operation.effects or not instruction.writes:
            work += instruction.reads
        for register in instruction.writes:
            sources.setdefault(register, set()).update(instruction.reads)
    for block in kernel.blocks:
        for edge in block.incoming:
            for written, value in edge.copies:
                sources.setdefault(written.index, set()).update(registers_in(value))
    used: set[int] = set()
    while work:
        register = work.pop()
        if register not in used:
            used.add(register)
            work += sources.get(register, ())
    return used


# Which registers are live where blocks begin and end: bit sets in Python's integers.


class RegisterAccesses(Protocol):
    """An instruction as far as registers go: those that it reads and writes."""

    @property
    def reads(self) -> tuple[int, ...]:
        """The registers that it reads."""

    @property
    def writes(self) -> tuple[int, ...]:
        """The registers that it writes, whatever they held."""


RegistersOnEdges = Mapping[tuple[int, int], tuple[Iterable[int], Iterable[int]]]
"""For edges (from, to) the registers that are written on them and those that are read."""


@dataclass(frozen=True)
class Liveness:
    """Sets of registers on entry and at the end of each block; bit ``r`` stands for register ``r``.

    What edge copies read is live at the end of the block before, what they write on entry of the
    one behind. Blocks that control cannot reach have empty sets.
    """

    on_entry: tuple[int, ...]
    at_end: tuple[int, ...]


def live_registers(view: MachineView, cfg: Cfg) -> Liveness:
    """Liveness of the registers that take room."""
    return liveness(view.lines, view.copies, cfg)


def liveness(
    lines: Sequence[Sequence[RegisterAccesses]], copies: RegistersOnEdges, cfg: Cfg
) -> Liveness:
    """Work out liveness backwards to the smallest fixed point, from the lines of each block."""
    used, written = zip(*map(_used_and_written, lines), strict=True)
    edges = {
        edge: (~bits(written_on), bits(read_on)) for edge, (written_on, read_on) in copies.items()
    }
    on_entry, at_end = [0] * len(lines), [0] * len(lines)
    changed = True
    while changed:
        changed = False
        for block in reversed(cfg.reverse_postorder):
            live = 0
            for after in cfg.successors[block]:
                if after != cfg.exit_id:
                    keep, read = edges.get((block, after), (-1, 0))
                    live |= on_entry[after] & keep | read
            at_end[block] = live
            before = used[block] | live & ~written[block]
            if before != on_entry[block]:
                on_entry[block], changed = before, True
    return Liveness(tuple(on_entry), tuple(at_end))


def _used_and_written(lines: Sequence[RegisterAccesses]) -> tuple[int, int]:
    """The registers that a block reads before it writes them, and those that it writes."""
    used: set[int] = set()
    written: set[int] = set()
    for line in lines:
        used.update([register for register in line.reads if register not in written])
        written.update(line.writes)
    return bits(used), bits(written)


def bits(members: Iterable[int]) -> int:
    """Make a set of small numbers into an integer."""
    result = 0
    for member in members:
        result |= 1 << member
    return result


def members(set_: int) -> Iterator[int]:
    """Members of a set, in ascending order."""
    while set_:
        lowest = set_ & -set_
        yield lowest.bit_length() - 1
        set_ ^= lowest


# A block as a dependence graph: what each of its instructions waits for, reads and makes.
#
# Values stand for registers here: a register that is written twice is two values, so that only
# true dependences and the order of memory bind the instructions.

ALU_LATENCY, SHARED_LATENCY, GLOBAL_LATENCY = 4, 20, 30
"""Issue slots that a scheduler leaves between an instruction and what waits for it.

Rough on purpose: arithmetic and shared memory as micro-benchmarks report them since Volta, and for
global memory enough that what is independent goes first. Half or three times as much for memory
changes the median error by less than a hundredth.
"""

_SHARED, _GLOBAL, _LOCAL = 1, 2, 4
_SETS = {
    Space.SHARED: _SHARED,
    Space.GLOBAL: _GLOBAL,
    Space.LOCAL: _LOCAL,
    Space.GENERIC: _SHARED | _GLOBAL | _LOCAL,
    Space.CONST: 0,
    Space.PARAM: 0,
}
_LOADS = frozenset({OpClass.LOAD, OpClass.TEXTURE, OpClass.MATRIX_MOVE})
_UNORDERED_EFFECTS = frozenset({"reads", "convergent"})


class GraphStep(NamedTuple):
    """One instruction: the values that it reads and makes, the steps before it, its latency."""

    reads: tuple[int, ...]
    makes: tuple[int, ...]
    after: tuple[int, ...]
    latency: int


@dataclass(frozen=True)
class BlockGraph:
    """A block's steps in the order of the text, and its values.

    ``weights`` are the registers of each value and ``uses`` the steps that read it; the first
    ``entering`` values are there from the start, and those in ``leaving`` stay to the end.
    ``anchors`` are the steps that do something beside making values, in order.
    """

    steps: tuple[GraphStep, ...]
    weights: tuple[int, ...]
    uses: tuple[int, ...]
    entering: int
    leaving: frozenset[int]
    anchors: tuple[int, ...]

    @property
    def most(self) -> int:
        """The registers of all values together: no order needs more."""
        return sum(self.weights)


def build_region(
    lines: Sequence[InstructionRegisters], on_entry: int, at_end: int, weights: Sequence[int]
) -> BlockGraph:
    """Make the graph of a block from its lines and the sets that are live around it."""
    values = _Values(weights)
    for register in members(on_entry):
        values.write(register)
    entering = len(values.weights)
    memory = _MemoryOrder()
    steps, anchors = [], []
    for number, line in enumerate(lines):
        reads = tuple([values.read(register) for register in line.reads])
        latency, waits, is_anchor = memory.place(number, line)
        if _ends_block(line):
            waits.update(range(number))
        waits.update([values.maker[value] for value in reads])
        waits.discard(-1)
        makes = tuple([values.write(register, number) for register in line.writes])
        steps.append(GraphStep(reads, makes, tuple(sorted(waits)), latency))
        if is_anchor:
            anchors.append(number)
    leaving = frozenset(values.now[r] for r in members(at_end) if r in values.now)
    sums = tuple(values.weights), tuple(values.uses)
    return BlockGraph(tuple(steps), *sums, entering, leaving, tuple(anchors))


def _ends_block(line: InstructionRegisters) -> bool:
    return line.instruction.is_branch or "ends" in line.instruction.operation.effects


@dataclass
class _Values:
    """The value that each register holds now, as the lines of a block go by."""

    of_register: Sequence[int]
    now: dict[int, int] = field(default_factory=dict)
    weights: list[int] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    maker: list[int] = field(default_factory=list)

    def write(self, register: int, step: int = -1) -> int:
        value = self.now[register] = len(self.weights)
        self.weights.append(self.of_register[register])
        self.uses.append(0)
        self.maker.append(step)
        return value

    def read(self, register: int) -> int:
        value = self.now[register] if register in self.now else self.write(register)
        self.uses[value] += 1
        return value


@dataclass
class _MemoryOrder:
    """Steps that a memory access has to wait for, by the spaces that it may touch.

    A load waits for stores before it, a store for loads and stores, and all else that has an effect
    (barriers, atomics, branches) for everything with one. Addresses are not looked at.
    """

    stores: dict[int, int] = field(default_factory=dict)
    loads: dict[int, list[int]] = field(default_factory=dict)
    fence: int = -1

    def place(self, number: int, line: InstructionRegisters) -> tuple[int, set[int], bool]:
        """A step's latency, the steps that it waits for, and whether it is an anchor."""
        operation = line.instruction.operation
        spaces = _spaces(line)
        if operation.op_class in _LOADS and not operation.effects - _UNORDERED_EFFECTS:
            latency = SHARED_LATENCY if spaces == _SHARED else GLOBAL_LATENCY
            return latency, self._load(number, spaces), False
        if operation.op_class is OpClass.STORE and operation.effects == {"writes"}:
            return ALU_LATENCY, self._store(number, spaces), True
        if operation.effects - {"convergent"} or line.instruction.is_branch:
            return _latency(operation.op_class), self._fence(number), True
        return _latency(operation.op_class), set(), False

    def _load(self, number: int, spaces: int) -> set[int]:
        waits = {self.fence} if spaces else set()
        for space in _each(spaces):
            self.loads.setdefault(space, []).append(number)
            waits.add(self.stores.get(space, -1))
        return waits

    def _store(self, number: int, spaces: int) -> set[int]:
        waits = {self.fence}
        for space in _each(spaces):
            waits.update(self.loads.pop(space, ()))
            waits.add(self.stores.get(space, -1))
            self.stores[space] = number
        return waits

    def _fence(self, number: int) -> set[int]:
        waits = {self.fence, *self.stores.values()}
        waits.update(load for loads in self.loads.values() for load in loads)
        self.stores.clear()
        self.loads.clear()
        self.fence = number
        return waits


def _latency(op_class: OpClass) -> int:
    if op_class is OpClass.ATOMIC:
        return GLOBAL_LATENCY
    return SHARED_LATENCY if op_class is OpClass.SHUFFLE else ALU_LATENCY


def _spaces(line: InstructionRegisters) -> int:
    """The spaces that an access may touch; 0 for memory that nobody writes meanwhile."""
    operation = line.instruction.operation
    if operation.op_class is OpClass.TEXTURE or "nc" in operation.modifiers:
        return 0
    if operation.op_class is OpClass.MATRIX_MOVE:
        return _SHARED
    return _SETS.get(operation.space or Space.GENERIC, _SETS[Space.GENERIC])


def _each(spaces: int) -> tuple[int, ...]:
    return tuple(space for space in (_SHARED, _GLOBAL, _LOCAL) if space & spaces)
