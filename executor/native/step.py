"""One instruction while it is lowered: its operands read from registers, its results written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import (
    Element,
    FloatImm,
    Imm,
    Instruction,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Sink,
    Special,
    Symbol,
    Vector,
    match_types,
)
from warpmill.analyzer.ir.operation import Operation, Role
from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import FLOAT_BITS, LlvmValue, constant, float_constant
from warpmill.executor.native.points import AccessSites
from warpmill.executor.native.segments import FrameLayout, FrameSlot
from warpmill.executor.native.shadows import spread
from warpmill.executor.native.specials import Places, special

_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}


def llvm_type(type_: Type) -> str:
    """The LLVM type that rules compute on: floats as such, all else as integers.

    bf16, tf32, packed and narrow formats are bits: what can be done with them is spelled out.
    """
    if type_.kind is TypeKind.PREDICATE:
        return "i1"
    named = {"f16": "half", "f32": "float", "f64": "double"}.get(type_.name)
    return named or f"i{max(8, type_.bits)}"


def storage_of(type_: Type) -> str:
    """The LLVM integer type that a value of a type takes in memory."""
    return f"i{8 * type_.size_bytes}"


@dataclass
class LaneRegisters:
    """The registers of a warp within a straight piece of code: read once, written at its end."""

    emitter: Emitter
    layout: FrameLayout
    values: dict[FrameSlot, LlvmValue] = field(default_factory=dict)
    written: set[FrameSlot] = field(default_factory=set)

    def read(self, slot: FrameSlot) -> LlvmValue:
        """A register's value; it is loaded where this piece of code has not seen it."""
        if slot not in self.values:
            self.values[slot] = self._load(slot)
        return self.values[slot]

    def write(self, slot: FrameSlot, value: LlvmValue) -> None:
        """Set a register for all lanes; ``store`` keeps it for the active ones only."""
        self.values[slot] = value
        self.written.add(slot)

    def _load(self, slot: FrameSlot) -> LlvmValue:
        if slot.offset < 0:  # nothing has written it on any way here
            return constant(0, slot.type)
        e, place = self.emitter, self.place(slot)
        if slot.uniform:
            stored = "i8" if slot.type == "i1" else slot.type
            value = e.define(f"load {stored}, ptr {place}", stored, uniform=True)
            return e.resize(value, slot.type)
        if slot.type == "i1":
            return e.mask(e.define(f"load i{e.lanes}, ptr {place}", f"i{e.lanes}", uniform=True))
        align = 64 if slot.offset % 64 == 0 else 8
        return e.define(
            f"load {e.vector_type(slot.type)}, ptr {place}, align {align}",
            slot.type,
            uniform=False,
        )

    def place(self, slot: FrameSlot) -> str:
        """The address of a register in the frame."""
        name = self.emitter.name()
        self.emitter.raw(f"  {name} = getelementptr i8, ptr %frame, i64 {slot.offset}")
        return name

    def store(self, slot: FrameSlot, mask: LlvmValue, bits: LlvmValue) -> None:
        """Write a register to the frame in the lanes of ``mask``, whose bits are ``bits``."""
        e, value, place = self.emitter, self.values[slot], self.place(slot)
        word = f"i{e.lanes}"
        if slot.uniform:
            self._store_uniform(value, place)
            return
        if slot.type == "i1":
            old = e.define(f"load {word}, ptr {place}", word, uniform=True)
            new = e.op("and", e.bits(value), bits)
            kept = e.op("and", old, e.op("xor", bits, constant(-1, word)))
            e.raw(f"  store {word} {e.op('or', kept, new).text}, ptr {place}")
            return
        e.masked_store(e.vector(value), place, mask, 64 if slot.offset % 64 == 0 else 8)

    def _store_uniform(self, value: LlvmValue, place: str) -> None:
        """Write what all lanes have; where it was computed for each, lane 0's."""
        e = self.emitter
        if not value.uniform:
            value = e.define(f"extractelement {e.typed(value)}, i32 0", value.type, uniform=True)
        if value.type == "i1":
            value = e.resize(value, "i8")
        e.raw(f"  store {e.typed(value)}, ptr {place}")


@dataclass
class LoweringStep:
    """One instruction while it is lowered.

    ``mask`` are the lanes for which it happens, as an i1 a lane: those active in the block for
    which the guard holds. Results are computed for all lanes and kept for those. ``is_shadow``:
    its operands are shadows, and what it does to memory it does to the shadow of memory.
    """

    emitter: Emitter
    registers: LaneRegisters
    instruction: Instruction
    active: LlvmValue
    places: Places
    site: int = -1
    place: tuple[int, int] = (-1, -1)  # its block, and where it stands there
    points: AccessSites = field(default_factory=AccessSites)
    is_shadow: bool = False
    _mask: LlvmValue | None = None

    @property
    def operation(self) -> Operation:
        """The decoded opcode."""
        return self.instruction.operation

    @property
    def guard(self) -> LlvmValue | None:
        """The guard's truth in each lane, whether active or not; None where there is none."""
        guard = self.instruction.guard
        if guard is None:
            return None
        value = self.registers.read(self._slot(guard.register))
        return self.emitter.op("xor", value, constant(1, "i1")) if guard.negated else value

    @property
    def mask(self) -> LlvmValue:
        """The lanes for which the instruction happens."""
        if self._mask is None:
            guard = self.guard
            self._mask = (
                self.active if guard is None else self.emitter.op("and", self.active, guard)
            )
        return self._mask

    # Reading.

    def sources(self) -> Iterator[LlvmValue]:
        """The values of the source operands, each read as the type the opcode wants."""
        operation, operands = self.operation, self.instruction.operands
        types = match_types(operation, operands)
        for operand, role, type_ in zip(operands, self.instruction.roles, types, strict=True):
            if role is Role.SOURCE:
                yield self.read(operand, type_)

    def read(self, operand: Operand, type_: Type | None = None) -> LlvmValue:
        """Read an operand as a type; without one, as the bits that it has.

        A register that is wider than the type gives its low bits.
        """
        wanted = None if type_ is None else llvm_type(type_)
        value = self._bits(operand, wanted)
        return value if wanted is None else self._as(value, wanted)

    def _as(self, value: LlvmValue, wanted: str) -> LlvmValue:
        e = self.emitter
        if value.type == wanted:
            return value
        bits = FLOAT_BITS.get(wanted) or int(wanted[1:])
        if value.is_float:
            value = e.bitcast(value, f"i{value.bits}")
        value = e.resize(value, f"i{bits}", signed=self.is_shadow and value.type == "i1")
        return e.bitcast(value, wanted)

    def _bits(self, operand: Operand, wanted: str | None) -> LlvmValue:
        e = self.emitter
        match operand:
            case Reg():
                return self.registers.read(self._slot(operand))
            case Element(register, component):
                slots = self.registers.layout.slots[register.index]
                return self.registers.read(slots[_COMPONENTS[component]])
            case NotPredicate(register):
                return e.op("xor", self.registers.read(self._slot(register)), constant(1, "i1"))
            case Negated(inner):
                value = self._bits(inner, wanted)
                return e.op("sub", constant(0, value.type), value)
            case Imm(number):
                if wanted in FLOAT_BITS:
                    return constant(number, wanted)
                return constant(
                    number, wanted or ("i32" if -1 << 31 <= number < 1 << 32 else "i64")
                )
            case FloatImm(bits, type_):
                return _float(bits, type_, wanted)
            case Special(name):
                return special(e, name)
            case Symbol():
                return self.places.symbol(e, operand)
        raise TypeError(f"{type(operand).__name__} is no value")

    def elements(self, operand: Operand) -> tuple[Operand, ...]:
        """The operands in braces, those of a vector register, or the one operand itself."""
        if isinstance(operand, Vector):
            return operand.elements
        if isinstance(operand, Reg):
            count = len(self.registers.layout.slots[operand.index])
            if count > 1:
                return tuple(Element(operand, "xyzw"[k]) for k in range(count))
        return (operand,)

    # Writing.

    def give(self, *results: LlvmValue) -> None:
        """Write the results to the destinations, in order; the rest of a pair is its predicate."""
        places: list[Operand] = []
        for operand in self.instruction.destinations:
            places += (operand.first, operand.second) if isinstance(operand, Pair) else (operand,)
        kind = None if self.operation.type is None else self.operation.type.kind
        for operand, value in zip(places, results, strict=False):
            self.write(operand, value, signed=kind is TypeKind.SIGNED)

    def write(self, operand: Operand, value: LlvmValue, *, signed: bool = False) -> None:
        """Write a value to a destination where the guard holds.

        A register that is wider takes the value extended by its sign or by zeros.
        """
        match operand:
            case Sink():
                return
            case Reg():
                slot = self._slot(operand)
            case Element(register, component):
                slot = self.registers.layout.slots[register.index][_COMPONENTS[component]]
            case _:
                raise TypeError(f"{type(operand).__name__} is no destination")
        self.set(slot, value, signed=signed)

    def set(self, slot: FrameSlot, value: LlvmValue, *, signed: bool = False) -> None:
        """Write a slot of the frame where the guard holds."""
        e = self.emitter
        if value.is_float:
            value = e.bitcast(value, f"i{value.bits}")
        if self.is_shadow and "i1" in (slot.type, value.type):
            value = spread(e, value, slot.type)
        value = e.resize(value, slot.type, signed=signed)
        guard = self.guard
        if guard is not None:
            value = e.select(guard, value, self.registers.read(slot))
        self.registers.write(slot, value)

    def stored(self, operand: Operand, type_: Type, storage: str) -> LlvmValue:
        """Read an operand as the bits that memory takes."""
        value = self.read(operand, type_)
        if value.is_float:
            value = self.emitter.bitcast(value, f"i{value.bits}")
        return self.emitter.resize(value, storage)

    @property
    def destination_type(self) -> str:
        """The LLVM type of the register that the first destination is."""
        (register, *_) = self.instruction.destinations
        assert isinstance(register, Reg)
        return self._slot(register).type

    @property
    def carry(self) -> LlvmValue:
        """The carry flag, which addc, subc and madc read."""
        return self.registers.read(self.registers.layout.carry)

    @carry.setter
    def carry(self, value: LlvmValue) -> None:
        self.set(self.registers.layout.carry, value)

    @property
    def stack(self) -> LlvmValue:
        """Bytes of local memory that each lane has taken beside its variables."""
        return self.registers.read(self.registers.layout.stack)

    @stack.setter
    def stack(self, value: LlvmValue) -> None:
        self.set(self.registers.layout.stack, value)

    def _slot(self, register: Reg) -> FrameSlot:
        return self.registers.layout.slots[register.index][0]


def _float(bits: int, type_: Type, wanted: str | None) -> LlvmValue:
    """A floating-point constant; one of 64 bits for a narrower type is rounded."""
    given = llvm_type(type_)
    if wanted in FLOAT_BITS and given != wanted:
        import numpy as np  # noqa: PLC0415 - constants of another type are rare

        code = {"half": np.float16, "float": np.float32, "double": np.float64}
        number = np.array([bits], f"u{type_.bits // 8}").view(code[given])
        rounded = number.astype(code[wanted])
        return float_constant(int(rounded.view(f"u{FLOAT_BITS[wanted] // 8}")[0]), wanted)
    if given in FLOAT_BITS and (wanted is None or wanted in FLOAT_BITS):
        return float_constant(bits, given)
    return constant(bits, f"i{type_.bits}")
