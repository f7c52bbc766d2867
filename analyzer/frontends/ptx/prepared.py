"""Opcodes with a shape of operands, looked up once and used for all instructions that have both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warpmill.analyzer.frontends.ptx.grammar import RejectedError, template
from warpmill.analyzer.frontends.ptx.templates import StatementTemplate, with_decimals
from warpmill.analyzer.ir.kernel import Arguments, Operand
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role, decode
from warpmill.analyzer.ir.types import OpClass

_FAMILIES = {
    "ld": "_LOAD",
    "ldu": "_LOAD",
    "atom": "_LOAD",
    "st": "_STORE",
    "red": "_STORE",
    "bra": "_BRANCH",
    "brx": "_INDEXED",
    "call": "_CALL",
    "ret": "_RETURN",
    "exit": "_RETURN",
}


_ENDING = frozenset({"branch", "indexed", "return"})


class Prepared(NamedTuple):
    """What an instruction of this opcode and shape is.

    ``is_simple`` says that every fragment is one operand and that there is nothing else to do.
    ``fault`` is set where the number of operands does not fit the operation.
    """

    operation: Operation
    statement: StatementTemplate
    is_simple: bool
    has_decimals: bool
    has_indices: bool
    ends_block: bool
    is_branch: bool
    fault: str | None


def family(opcode: str) -> str:
    """Give the kind of an opcode, as ``ptx.lark`` calls it."""
    return _FAMILIES.get(opcode.partition(".")[0].strip(), "_OPCODE")


def prepare(opcode: str, shape: str) -> Prepared:
    """Look up the opcode, maybe with blanks in it, and parse the shape; raises RejectedError."""
    opcode = "".join(opcode.split())
    statement: StatementTemplate = template("instruction", f"{family(opcode)} {shape}")
    operation = decode(opcode)
    if statement.label is not None and operation.op_class is not OpClass.BRANCH:
        raise RejectedError(0)  # `brx.no_such`: only known branches have labels
    n_operands = len(statement.operands)
    has_decimals = "DECIMAL" in shape
    has_indices = "NAME [" in shape
    is_plain = statement.kind == "plain"
    n_fragments = shape.count(",") + 1 if shape else 0
    fault = _count_fault(operation, n_operands) if is_plain else None
    return Prepared(
        operation=operation,
        statement=statement,
        is_simple=is_plain
        and n_fragments == n_operands
        and not (has_decimals or has_indices)
        and fault is None,
        has_decimals=has_decimals,
        has_indices=has_indices,
        ends_block=statement.kind in _ENDING,
        is_branch=statement.kind == "branch",
        fault=fault,
    )


def _count_fault(operation: Operation, given: int) -> str | None:
    """Say that there are too few operands or, for arithmetic, too many.

    Elsewhere more operands than the table has are let through: newer versions of PTX add some.
    """
    if operation.knowledge is not Knowledge.TABLE:
        return None
    roles = [
        optional
        for role, optional in zip(operation.roles, operation.optional, strict=True)
        if role is not Role.LABEL
    ]
    least = len(roles) - sum(roles)
    if least <= given and (given <= len(roles) or not operation.op_class.is_arithmetic):
        return None
    wanted = f"{least}" if least == len(roles) or given < least else f"at most {len(roles)}"
    return f"`{operation.opcode}` takes {wanted} operands, not {given}"


def operands_of(prepared: Prepared, values: Sequence[object]) -> tuple[Operand, ...]:
    """Make the operands of an instruction from the values of its tokens; raises FaultError."""
    operands = tuple([make(values) for make in prepared.statement.operands])
    if prepared.has_decimals:
        operands = tuple([with_decimals(o, prepared.operation.type) for o in operands])
    return _call_operands(operands) if prepared.statement.kind == "call" else operands


def _call_operands(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Bring the forms of a call to one: (results), callee, (arguments), maybe a prototype."""
    results, rest = Arguments(()), operands
    if isinstance(operands[0], Arguments):
        results, rest = operands[0], operands[1:]
    callee, *others = rest
    if others and isinstance(others[0], Arguments):
        return (results, callee, *others)
    return (results, callee, Arguments(()), *others)
