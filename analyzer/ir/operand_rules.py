"""The verifier's rules about the operands of one operation: how many, of which form and type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    FloatImm,
    Imm,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    TupleAddress,
    Vector,
    match_roles,
    match_types,
)
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role, form_fault
from warpmill.analyzer.ir.types import TYPES, OpClass, Type, TypeKind


class OperandFault(NamedTuple):
    """A broken rule by its number, what is wrong, and the operand's place; None: their number."""

    rule: int
    message: str
    place: int | None


def operand_faults(
    operation: Operation, operands: tuple[Operand, ...], registers: SupportsRegisters
) -> Iterator[OperandFault]:
    """Breaches of the rules 12, 13, 14 and 23; operations off the table have none.

    Registers must be in range. An operand of a wrong form is not looked at for its type.
    """
    if operation.knowledge is not Knowledge.TABLE:
        return
    lacking = form_fault(operation, most_types=1)
    if lacking is not None:
        yield OperandFault(12, f"`{operation.opcode}` is not whole: {lacking}", None)
        return
    misfits = list(_role_faults(operation, operands))
    yield from misfits
    misplaced = {fault.place for fault in misfits}
    if None in misplaced:
        return
    for fault in type_faults(operation, operands, registers):
        if fault.place not in misplaced:
            yield OperandFault(23, fault.message, fault.place)


def _role_faults(operation: Operation, operands: tuple[Operand, ...]) -> Iterator[OperandFault]:
    pairs = zip(operation.roles, operation.optional, strict=True)
    required = sum(role is not Role.LABEL and not optional for role, optional in pairs)
    if len(operands) < required:
        count = f"{len(operands)} operands where {required} are required"
        yield OperandFault(12, f"`{operation.opcode}` has {count}", None)
        return
    roles = match_roles(operation, operands)
    for place, (operand, role) in enumerate(zip(operands, roles, strict=True)):
        if role in (Role.DESTINATION, Role.READ_WRITE) and not _is_writable(operand):
            yield OperandFault(13, f"`{operation.opcode}` cannot write one of its operands", place)
        if role is Role.ADDRESS and not isinstance(operand, Address | TupleAddress):
            yield OperandFault(14, f"`{operation.opcode}` wants an address", place)


def _is_writable(operand: Operand) -> bool:
    match operand:
        case Reg() | Element() | Sink() | Arguments():
            return True  # the results of a call may be variables of param space
        case Vector(elements):
            return all(map(_is_writable, elements))
        case Pair(first, second):
            return _is_writable(first) and _is_writable(second)
        case _:
            return False


# Whether operands have the types that their operation wants, by PTX's rules.
#
# Source: the PTX ISA manual's chapters on type information for operands and on operands that
# exceed the size of the instruction's type. Where the manual leaves room ptxas decided: what it
# accepts is accepted here.

_MAX_ADDRESS_BITS = 64  # ptxas takes narrower registers than an address has, too
_MAY_BE_WIDER = frozenset({OpClass.LOAD, OpClass.STORE, OpClass.CONVERT})
_TYPES_OF_REGISTERS = frozenset({"f16", "f16x2", "f32", "f64"})  # the only floats among them
_FLOATS_WITH_CONSTANTS = frozenset({"f32", "f64"})
_FLOATS_WITHOUT_CONSTANTS = frozenset({"f16", "f16x2", "bf16", "bf16x2"})
_TAKES_NEGATED = frozenset({"vmad"})
_PREDICATE = TYPES["pred"]


class SupportsRegisters(Protocol):
    """Lookup of registers by their index, as a function's tuple of registers does it."""

    def __getitem__(self, index: int, /) -> Register:
        """The register."""
        ...


class TypeFault(NamedTuple):
    """An operand that does not fit: its place among the operands, and what is wrong."""

    place: int
    message: str


def type_faults(
    operation: Operation, operands: tuple[Operand, ...], registers: SupportsRegisters
) -> Iterator[TypeFault]:
    """The operands whose types do not fit; indices of registers must be in range."""
    rule = _Rule(operation, registers)
    for place, wanted in enumerate(match_types(operation, operands)):
        message = rule.fault(operands[place], wanted)
        if message is not None:
            yield TypeFault(place, f"`{operation.opcode}` {message}")


class _Rule(NamedTuple):
    """Operands that an operation accepts; ``registers`` are those of its function."""

    operation: Operation
    registers: SupportsRegisters

    def fault(self, operand: Operand, wanted: Type | None) -> str | None:
        """Fault of an operand, as the form that the instruction wants instead."""
        match operand:
            case Address(Reg() as base) | TupleAddress((Reg() as base, *_)):
                return self._address(base)
            case Negated() if self.operation.name not in _TAKES_NEGATED:
                return "takes no register with a minus sign; negate it before, with neg"
            case _ if wanted is None:
                return None
            case Reg():
                return self._register(operand, wanted)
            case Vector(elements):
                return self._vector(elements, wanted)
            case Pair(first, second):
                return self.fault(first, wanted) or self.fault(second, _PREDICATE)
            case NotPredicate():
                is_wanted = wanted.kind is TypeKind.PREDICATE
                return None if is_wanted else f"wants {_words(wanted)}, not a predicate"
            case Element(register):
                declared = self.registers[register.index]
                return self._scalar(declared, wanted) if declared.vector > 1 else None
            case Imm() | FloatImm():
                return _constant(operand, wanted)
            case _:
                return None

    def _address(self, base: Reg) -> str | None:
        declared = self.registers[base.index]
        type_ = declared.type
        if type_.is_integer and type_.bits <= _MAX_ADDRESS_BITS and declared.vector == 1:
            return None
        return f"wants an address, an integer of 32 or 64 bits; `{declared.name}` is .{type_.name}"

    def _register(self, register: Reg, wanted: Type) -> str | None:
        declared = self.registers[register.index]
        if declared.vector > 1 and self.operation.vector != declared.vector:
            return f"wants one .{wanted.name}, `{declared.name}` has {declared.vector} elements"
        return self._scalar(declared, wanted)

    def _scalar(self, declared: Register, wanted: Type) -> str | None:
        if fits(declared.type, wanted, may_be_wider=self.operation.op_class in _MAY_BE_WIDER):
            return None
        return f"wants {_words(wanted)}, `{declared.name}` is .{declared.type.name}"

    def _vector(self, elements: tuple[Operand, ...], wanted: Type) -> str | None:
        elements_wanted = self.operation.vector
        if elements_wanted > 1 and len(elements) != elements_wanted:
            return f"wants {elements_wanted} elements in braces, there are {len(elements)}"
        if self.operation.name != "mov" or elements_wanted > 1:
            return next((f for e in elements if (f := self.fault(e, wanted)) is not None), None)
        part = TYPES.get(f"b{wanted.bits // len(elements)}")
        for element in elements:
            if isinstance(element, FloatImm) and part and (found := _constant(element, part)):
                return found
        declared = [self.registers[e.index] for e in elements if isinstance(e, Reg)]
        bits = sum(d.type.bits for d in declared)
        are_values = all(d.type.kind is not TypeKind.PREDICATE for d in declared)
        if len(declared) < len(elements) or bits == wanted.bits or not are_values:
            return None
        return f"wants {wanted.bits} bits in braces, there are {bits}"


def _words(wanted: Type) -> str:
    return "a predicate" if wanted.kind is TypeKind.PREDICATE else f".{wanted.name}"


def _constant(constant: Imm | FloatImm, wanted: Type) -> str | None:
    if wanted.name in _FLOATS_WITH_CONSTANTS:
        is_float = isinstance(constant, FloatImm)
        return None if is_float else f"wants {_words(wanted)}, not an integer constant"
    if isinstance(constant, FloatImm):
        is_as_wide = constant.type.bits == wanted.bits
        if is_as_wide and (wanted.kind is TypeKind.BITS or constant.type.name == wanted.name):
            return None
        if wanted.is_integer:
            of = f" of {constant.type.bits} bits" if wanted.kind is TypeKind.BITS else ""
            return f"wants {_words(wanted)}, not a floating-point constant{of}"
    if wanted.name in _FLOATS_WITHOUT_CONSTANTS:
        return f"takes no constant of .{wanted.name}; move its bits to a register before, with mov"
    return None


def fits(given: Type, wanted: Type, *, may_be_wider: bool) -> bool:
    """Whether a register of type ``given`` may stand where an instruction wants ``wanted``.

    Loads, stores and conversions take registers that are wider than their type. Packed values are
    bits in registers.
    """
    if TypeKind.PREDICATE in (given.kind, wanted.kind):
        return given.kind is wanted.kind
    is_exact = wanted.is_float and wanted.name not in _TYPES_OF_REGISTERS
    if given.bits != wanted.bits and (is_exact or not may_be_wider or given.bits < wanted.bits):
        return False
    if given.kind is TypeKind.BITS:
        return True
    if wanted.is_float:
        return given.name == wanted.name
    if wanted.lanes > 1:
        return given.lanes > 1
    return wanted.kind is TypeKind.BITS or given.is_integer or given.lanes > 1
