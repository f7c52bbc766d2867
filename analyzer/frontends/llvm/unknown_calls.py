"""Calls of functions that no table knows: the class of the nearest rule, and a word about it."""

from __future__ import annotations

import re

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import address_of
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import PointerType, Unsupported
from warpmill.analyzer.ir.kernel import Address, Operand, Vector
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role, decode
from warpmill.analyzer.ir.types import OpClass

_VENDOR = re.compile(r"llvm\.(?:nvvm|amdgcn|spv)\.")
_TYPE_SUFFIXES = re.compile(r"(?:\.(?:p\d+|i\d+|v\d+\w+|f\d+|bf16|sl_\w+))+$")
_OPEN = frozenset(
    {OpClass.BARRIER, OpClass.FENCE, OpClass.ASYNC_COPY, OpClass.MATRIX_MOVE, OpClass.MMA,
     OpClass.TEXTURE, OpClass.SURFACE, OpClass.CONTROL, OpClass.PREFETCH}
)  # fmt: skip


def lower_unknown_intrinsic(low: Lowering, template: st.Template, callee: str) -> None:
    """Keep an intrinsic as the operation of PTX that is called like it, if its operands fit.

    Raise Unsupported where there is none; the statement then becomes an ``unknown`` one.
    """
    operation = _nearest(callee)
    operands = None if operation is None else _operands(low, template, operation)
    if operation is None or operands is None:
        raise Unsupported(f"`{callee}`")
    low.module.warn(
        low.builder.span,
        f"`{callee}` is not in the table; it is taken as `{operation.opcode}`",
    )
    low.emit(operation.opcode, *operands)


def _nearest(callee: str) -> Operation | None:
    name = _TYPE_SUFFIXES.sub("", _VENDOR.sub("", callee))
    operation = decode(name)
    known = operation.knowledge is Knowledge.TABLE and operation.op_class in _OPEN
    return operation if known else None


def _operands(low: Lowering, template: st.Template, operation: Operation) -> list[Operand] | None:
    """Result and arguments, if they fill the roles that the operation has to have."""
    assert template.type is not None
    results = low.results(template.type)
    found: list[Operand] = [] if not results else [_one_or_all(results)]
    for value in template.operands:
        if isinstance(value.value, st.Metadata):
            continue
        if isinstance(value.type, PointerType):
            found.append(address_of(low.values.pointer(value)[0]))
        else:
            found.append(_one_or_all(low.values.parts(value)))
    lines = zip(operation.roles, operation.optional, strict=True)
    required = [role for role, optional in lines if not optional and role is not Role.LABEL]
    if len(found) < len(required):
        return None
    for role, operand in zip(required, found, strict=False):
        if (role is Role.ADDRESS) != isinstance(operand, Address):
            return None
    starts_with_result = bool(required) and required[0] is Role.DESTINATION
    return found if starts_with_result == bool(results) else None


def _one_or_all(parts: tuple[Operand, ...]) -> Operand:
    return parts[0] if len(parts) == 1 else Vector(tuple(parts))


def note_unknown_function(low: Lowering, callee: str) -> None:
    """Say once of a function without a body that nothing is known of it."""
    low.module.warn_once(
        low.builder.span,
        f"the function `{callee}` has no body here and is not in the table; its work is unknown",
    )
