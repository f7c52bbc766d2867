"""A kernel that carries along which of its values are undefined, as MemorySanitizer does.

Registers that may be undefined have a second one for their shadow, memory has a shadow behind it,
and before each instruction stand those that compute the shadows of its results, or note that it
uses what is undefined: in a guard, a branch, an address. What is copied is told nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    EdgeCopies,
    Element,
    Imm,
    Instruction,
    Kernel,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, OpClass, Type, TypeKind
from warpmill.executor.native.segments import CARRY_WORDS, cut
from warpmill.executor.sanitizers.shadow_flow import (
    Flow,
    Forms,
    Kind,
    find_forms,
    flow_of,
    registers_of,
    targets_of,
)
from warpmill.executor.sanitizers.shadow_operations import (
    atomic,
    computing,
    moving,
    product,
)

_BYTE = 8


def with_shadows(kernel: Kernel, count: int) -> Kernel:
    """The kernel, with shadows of its first ``count`` registers: others were added to it."""
    return _Writer(kernel, find_forms(kernel, count, _unwritten(kernel)), count).written()


def _unwritten(kernel: Kernel) -> frozenset[int]:
    """Registers that may be read before they are written."""
    if any(0 in block.successors for block in kernel.blocks):
        return frozenset()  # the first block comes again, when they may have been written
    given = {p.register.index for p in kernel.parameters if p.register is not None}
    live = cut(kernel).live_in[0]
    return frozenset(k for k in range(len(kernel.registers)) if live >> k & 1) - given


@dataclass
class _Writer:
    """Writes the operations on shadows."""

    kernel: Kernel
    forms: Forms
    count: int
    registers: list[Register] = field(init=False)
    shadows: dict[int, Reg] = field(default_factory=dict)
    made: list[Instruction] = field(default_factory=list)
    checked: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.registers = list(self.kernel.registers)
        self.carry = self._new(TYPES["pred"]) if self._carries() else None
        for index in sorted(self.forms.shadowed):
            own = self.kernel.registers[index]
            is_bytewise = index in self.forms.bytewise
            type_ = bits_of(own.type) if is_bytewise else TYPES["pred"]
            self.shadows[index] = self._new(type_, own.vector)

    def _carries(self) -> bool:
        return any("cc" in i.operation.modifiers for i in self.kernel.instructions)

    def _new(self, type_: Type, vector: int = 1) -> Reg:
        self.registers.append(Register(f"%shadow{len(self.registers)}", type_, vector))
        return Reg(len(self.registers) - 1)

    def written(self) -> Kernel:
        """Write the kernel."""
        blocks = tuple(map(self._block, self.kernel.blocks))
        return replace(self.kernel, registers=tuple(self.registers), blocks=blocks)

    def _block(self, block: Block) -> Block:
        self.made, self.checked = [], set()
        if block.id == 0 and block.instructions:
            place = replace(block.instructions[0], guard=None)
            for index in sorted(self.forms.unwritten):
                self._add(place, computing("undefined"), self.shadows[index])
        for instruction in block.instructions:
            if min(instruction.writes, default=0) < self.count:
                flow = flow_of(self.kernel, instruction)
                self._uses(instruction, flow)
                self._results(instruction, flow)
            self.made.append(instruction)
            self.checked.difference_update(instruction.writes)
        incoming = tuple(map(self._edge, block.incoming))
        return replace(block, instructions=tuple(self.made), incoming=incoming)

    def _edge(self, edge: EdgeCopies) -> EdgeCopies:
        more: list[tuple[Reg, Operand]] = []
        for register, value in edge.copies:
            if register.index in self.shadows:
                more.append((self.shadows[register.index], self._source(value)))
        return EdgeCopies(edge.predecessor, (*edge.copies, *more))

    def _add(
        self, place: Instruction, operation: Operation, *operands: Operand, guarded: bool = True
    ) -> None:
        """Add an instruction at the place of another one, under its guard."""
        guard = place.guard if guarded else None
        self.made.append(
            replace(place, operation=operation, operands=operands, targets=(), guard=guard)
        )

    # What has to be defined.

    def _uses(self, instruction: Instruction, flow: Flow) -> None:
        if instruction.guard is not None:
            self._use(instruction, "branch", [instruction.guard.register.index], guarded=False)
        if instruction.operation.op_class is OpClass.BRANCH:
            self._use(instruction, "branch", registers_of(instruction.operands[:1]))
        is_hint = instruction.operation.op_class is OpClass.PREFETCH
        for operand in instruction.sources:
            if isinstance(operand, Address) and not is_hint:
                self._use(instruction, "address", registers_of([operand]))
        self._use(instruction, "argument", registers_of(flow.used))

    def _use(
        self, place: Instruction, word: str, indices: Iterable[int], *, guarded: bool = True
    ) -> None:
        wanted = [k for k in dict.fromkeys(indices) if k in self.shadows and k not in self.checked]
        if not wanted:
            return
        parts = [self.shadows[k] for k in wanted]
        self._add(place, computing("use", word), *parts, guarded=guarded)
        if place.guard is None or not guarded:
            self.checked.update(wanted)

    # What results have for shadows.

    def _results(self, instruction: Instruction, flow: Flow) -> None:
        opcode, operands = instruction.operation.opcode, instruction.operands
        match flow.kind:
            case Kind.NOTHING:
                self._define(instruction)
            case Kind.LOAD:
                self._add(instruction, moving(opcode), self._target(operands[0]), *operands[1:])
            case Kind.STORE:
                self._add(instruction, moving(opcode), *self._with_shadows(operands, flow))
            case Kind.COPY:
                most = 3 if "bulk" in instruction.operation.modifiers else None
                self._add(instruction, moving(opcode), *operands[:most])
            case Kind.ATOMIC:
                self._atomic(instruction, flow)
            case Kind.LANES:
                self._lanes(instruction, flow)
            case _:
                self._computed(instruction, flow)

    def _define(self, instruction: Instruction) -> None:
        self._join(instruction, ())
        if instruction.operation.name == "mbarrier.init":
            place = instruction.operands[0]
            self._add(instruction, moving("st.shared.b64"), place, Imm(0))
        if instruction.operation.op_class is OpClass.CALL:
            self._call(instruction)

    def _call(self, instruction: Instruction) -> None:
        """A host's answer in a variable is defined."""
        results = instruction.operands[0]
        sizes = {v.name: v.size_bytes for v in self.kernel.variables}
        for result in results.items if isinstance(results, Arguments) else ():
            if isinstance(result, Symbol) and sizes.get(result.name) in (1, 2, 4, 8):
                store = moving(f"st.param.b{_BYTE * (sizes[result.name] or 0)}")
                self._add(instruction, store, Address(result), Imm(0))

    def _join(
        self,
        instruction: Instruction,
        shadows: Sequence[Operand],
        name: str = "join",
        *words: str,
    ) -> None:
        """All results are undefined where any of the shadows tells so."""
        for target in targets_of(instruction):
            own = self._target(target)
            if not isinstance(own, Sink):
                self._add(instruction, computing(name, *words), own, *shadows)
        if "cc" in instruction.operation.modifiers and self.carry is not None:
            self._add(instruction, computing("join"), self.carry, *shadows)

    def _target(self, operand: Operand) -> Operand:
        """Where the shadow of a destination goes: nowhere for what has none."""
        match operand:
            case Vector(items):
                return Vector(tuple(map(self._target, items)))
            case Pair(first, _):
                return self._target(first)
            case Reg() | Element():
                return self._own(operand) or Sink()
        return Sink()

    def _source(self, operand: Operand) -> Operand:
        """The shadow of a source: 0 of what has none."""
        match operand:
            case Vector(items):
                return Vector(tuple(map(self._source, items)))
            case NotPredicate(register):
                return self._own(register) or Imm(0)
            case Reg() | Element():
                return self._own(operand) or Imm(0)
        return Imm(0)

    def _own(self, operand: Reg | Element) -> Operand | None:
        """The shadow of a register or of an element of one; None where it has none."""
        register = operand if isinstance(operand, Reg) else operand.register
        shadow = self.shadows.get(register.index)
        if shadow is None or isinstance(operand, Reg):
            return shadow
        return Element(shadow, operand.component)

    def _shadows_of(self, operands: Iterable[Operand]) -> list[Operand]:
        """The shadows of all registers that operands name."""
        found: list[Operand] = []
        for operand in operands:
            if isinstance(operand, Vector):
                found += self._shadows_of(operand.elements)
            elif isinstance(operand, Element):
                found += [own for own in [self._own(operand)] if own is not None]
            else:
                found += [self.shadows[k] for k in registers_of([operand]) if k in self.shadows]
        return found

    def _with_shadows(self, operands: Iterable[Operand], flow: Flow) -> list[Operand]:
        """Operands with their shadows in place of those that carry values."""
        carrying = set(map(id, flow.data))
        return [self._source(o) if id(o) in carrying else o for o in operands]

    def _atomic(self, instruction: Instruction, flow: Flow) -> None:
        place = instruction.address
        assert place is not None
        target = self._target(instruction.operands[0])
        given = map(self._source, flow.data)
        self._add(instruction, atomic(instruction.operation.opcode), target, place, *given)

    def _lanes(self, instruction: Instruction, flow: Flow) -> None:
        """Exchange shadows as values are; ``shfl`` gets undefined ones of lanes that are off."""
        target, *sources = instruction.operands
        operands = self._with_shadows(sources, flow)
        opcode = _untyped(instruction.operation)
        if instruction.operation.name == "shfl":
            shown = self._new(TYPES["b32"])
            self._add(instruction, computing("present", "b32"), shown, operands[0])
            operands[0] = shown
        self._join(instruction, ())  # of the predicate that a pair has
        self._add(instruction, moving(opcode), self._target(target), *operands)

    def _computed(self, instruction: Instruction, flow: Flow) -> None:
        shadows, type_ = self._shadows_of(flow.data), instruction.operation.type
        if instruction.operation.name in CARRY_WORDS and self.carry is not None:
            shadows.append(self.carry)
        if not shadows:
            self._join(instruction, ())
        elif flow.kind is Kind.PRODUCT:
            target, *sources = instruction.operands
            parts = [self._target(target), *map(self._source, sources[:3]), *sources[3:]]
            self._add(instruction, product(instruction.operation.opcode), *parts)
        elif flow.kind is Kind.WARP:
            self._join(instruction, shadows, "join.warp")
        elif flow.kind is Kind.LOGIC:
            parts = [*flow.data, *map(self._source, flow.data)]
            self._join(instruction, parts, instruction.operation.name)
        elif flow.kind is Kind.ELEMENTS and type_ is not None:
            self._join(instruction, shadows, "join.elements", type_.name)
        elif flow.kind not in (Kind.MOVE, Kind.PICK) or not self._moved(instruction):
            self._join(instruction, shadows)

    def _moved(self, instruction: Instruction) -> bool:
        """Write what moves bytes, by the operation's name; False where they are not told apart."""
        name, sources = instruction.operation.name, instruction.sources
        if name == "selp":
            a, b, own = map(self._source, sources)
            self._join(instruction, [a, b, sources[2], own], "select", _bits(instruction).name)
            return True
        if self.forms.bytewise.isdisjoint((*instruction.reads, *instruction.writes)):
            return False
        if name in ("mov", "prmt"):
            control = sources[2:]  # a selector of bytes
            parts = [*map(self._source, sources[: len(sources) - len(control)]), *control]
            operation = moving(_untyped(instruction.operation))
            self._add(instruction, operation, self._target(instruction.operands[0]), *parts)
        elif name == "cvt":
            self._converted(instruction)
        elif (field_ := field_of(instruction)) is not None:
            self._picked(instruction, field_)
        else:
            parts = [self._source(o) for o in sources[:3]]
            self._join(instruction, parts, "merge", _bits(instruction).name)
        return True

    def _converted(self, instruction: Instruction) -> None:
        """A conversion of an integer, or of two numbers into one that holds both."""
        target, *sources = instruction.operands
        to, halves = instruction.operation.types[0], list[Operand]()
        if len(sources) == 1:
            operation, parts = moving(instruction.operation.opcode), [self._source(sources[0])]
        else:
            for operand in reversed(sources):  # the second one is the lower half
                halves.append(self._new(TYPES[f"b{to.bits // 2}"]))
                shadows = self._shadows_of([operand])
                self._add(instruction, computing("join"), halves[-1], *shadows, guarded=False)
            operation, parts = moving(f"mov.b{to.bits}"), [Vector(tuple(halves))]
        self._add(instruction, operation, self._target(target), *parts)

    def _picked(self, instruction: Instruction, picked: FieldOf) -> None:
        """The bytes that a field's bits come to lie in, and those of the number around it."""
        bits = _bits(instruction).bits
        parts = [self._source(picked.source), Imm(picked.shift), Imm(touched(picked.mask, bits))]
        if picked.base is not None:
            parts += [self._source(picked.base), Imm(touched(~picked.mask, bits))]
        words = ["signed"] if picked.signed else []
        self._join(instruction, parts, "field", *words, _bits(instruction).name)


@dataclass(frozen=True)
class FieldOf:
    """Bits of a source, moved up by ``shift`` (down below 0), kept where ``mask`` has ones.

    Around them is a ``base``, if there is one. ``signed``: the sign comes down from the top.
    """

    source: Operand
    shift: int
    mask: int
    base: Operand | None = None
    signed: bool = False


def field_of(instruction: Instruction) -> FieldOf | None:
    """The bits that an operation with numbers for operands picks; None for others."""
    name, sources, bits = instruction.operation.name, instruction.sources, _bits(instruction).bits
    numbers = [o.value for o in sources if isinstance(o, Imm)]
    values = [o for o in sources if not isinstance(o, Imm)]
    if name in ("and", "or") and len(values) == 1:
        return FieldOf(values[0], 0, numbers[0] if name == "and" else ~numbers[0])
    if name in ("shl", "shr"):
        type_ = instruction.operation.type
        signed = name == "shr" and type_ is not None and type_.kind is TypeKind.SIGNED
        amount = min(numbers[-1], bits)
        return FieldOf(sources[0], amount if name == "shl" else -amount, -1, signed=signed)
    if name in ("bfe", "bfi"):
        start, size = (min(number & 255, bits) for number in numbers[-2:])
        ones = (1 << size) - 1
        if name == "bfe":
            return FieldOf(sources[0], -start, ones)
        return FieldOf(sources[0], start, ones << start, sources[1])
    return None


def _bits(instruction: Instruction) -> Type:
    """The type of an operation, as plain bits."""
    assert instruction.operation.type is not None
    return bits_of(instruction.operation.type)


def bits_of(type_: Type) -> Type:
    """The type of as many bits."""
    return TYPES[f"b{max(_BYTE, type_.bits)}"]


def _untyped(operation: Operation) -> str:
    """An opcode for plain bits."""
    words = [f"b{TYPES[w].bits}" if w in TYPES else w for w in operation.opcode.split(".")]
    return ".".join(words)


def touched(number: int, bits: int) -> int:
    """Ones in all bytes in which a number has any bit."""
    bytes_ = (number & (1 << bits) - 1).to_bytes(bits // _BYTE, "little")
    return int.from_bytes(bytes(0xFF if byte else 0 for byte in bytes_), "little")
