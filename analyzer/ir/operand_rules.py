"""The verifier's rules about the operands of one operation: how many, of which form and type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    Operand,
    Pair,
    Reg,
    Sink,
    TupleAddress,
    Vector,
    match_roles,
)
from warpmill.analyzer.ir.operand_types import Registers, type_faults
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role, form_fault


class OperandFault(NamedTuple):
    """A broken rule by its number, what is wrong, and the operand's place; None: their number."""

    rule: int
    message: str
    place: int | None


def operand_faults(
    operation: Operation, operands: tuple[Operand, ...], registers: Registers
) -> Iterator[OperandFault]:
    """Give what breaks the rules 12, 13, 14 and 23; operations off the table have none.

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
