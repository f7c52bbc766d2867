"""Calls, and what stands for them (hybrid estimation, §III-A-1).

The paper finds three kinds of calls in a kernel's bitcode: work-item functions, the
synchronisation function, and LLVM's intrinsics. Here a front-end has already turned the calls that
it knows into instructions, and PTX never had them as calls: the kinds are told by what an
instruction does, so that both come out alike. A fourth kind are calls that stayed calls.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Annotated

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.base.metric import INTERNAL, Id, Metric
from warpmill.analyzer.ir.kernel import Instruction, Kernel, Operand, Special, Symbol
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass


class CallKind(Enum):
    """What a call is for."""

    WORK_ITEM = "work-item function"
    SYNCHRONISATION = "synchronisation"
    INTRINSIC = "intrinsic function"
    FUNCTION = "function"  # one that stayed a call


class SyncScope(Enum):
    """Whose threads a synchronisation is about."""

    THREAD = "thread"
    WARP = "warp"
    CTA = "cta"
    CLUSTER = "cluster"
    GPU = "gpu"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class ClassifiedCall:
    """One place that stands for a call.

    ``name`` is the special register, the opcode or the function; ``function`` what OpenCL calls it,
    for work-item functions that OpenCL has. ``scope`` belongs to synchronisation.
    """

    kind: Annotated[CallKind, Metric("Kind")]
    block: Annotated[int, INTERNAL]
    instruction: Id
    name: Annotated[str, Metric("Name")]
    span: Annotated[Span, INTERNAL]
    function: str | None = None
    scope: Annotated[SyncScope | None, Metric("Scope")] = None


def calls(kernel: Kernel) -> tuple[ClassifiedCall, ...]:
    """List the calls of a kernel in program order."""
    return tuple(
        call
        for block in kernel.blocks
        for index, instruction in enumerate(block.instructions)
        for call in _calls(block.id, index, instruction)
    )


def call_kind(operation: Operation) -> CallKind | None:
    """Tell which kind of call an operation stands for; None where it is a plain instruction."""
    if operation.op_class is OpClass.CALL:
        return CallKind.FUNCTION
    table = _table()
    if operation.name in table.scopes:
        return CallKind.SYNCHRONISATION
    if operation.name in table.intrinsics or keeps_type(operation):
        return CallKind.INTRINSIC
    return CallKind.INTRINSIC if operation.op_class.value in table.intrinsic_classes else None


def synchronisation_scope(operation: Operation) -> SyncScope | None:
    """Give the scope of an operation that synchronises; None for others."""
    word = _table().scopes.get(operation.name)
    if word != "named":
        return None if word is None else SyncScope(word)
    named = (_NAMED[m] for m in operation.modifiers if m in _NAMED)
    return next(named, SyncScope.GPU)


_NAMED = {
    "cta": SyncScope.CTA,
    "cluster": SyncScope.CLUSTER,
    "gl": SyncScope.GPU,
    "gpu": SyncScope.GPU,
    "sys": SyncScope.SYSTEM,
}
"""Scopes as opcodes of fences name them."""


def _calls(block: int, index: int, instruction: Instruction) -> Iterator[ClassifiedCall]:
    operation, span = instruction.operation, instruction.span
    for operand in instruction.sources:
        if isinstance(operand, Special):
            name = operand.name
            yield ClassifiedCall(
                CallKind.WORK_ITEM, block, index, name, span, work_item_function(name)
            )
    kind = call_kind(operation)
    if kind is CallKind.FUNCTION:
        yield ClassifiedCall(kind, block, index, _callee(instruction.operands), span)
    elif kind is not None:
        scope = synchronisation_scope(operation)
        yield ClassifiedCall(kind, block, index, operation.opcode, span, None, scope)


def work_item_function(special: str) -> str | None:
    """Give what OpenCL calls the function that reads a special register; None if it has none."""
    name, _, component = special.partition(".")
    function = _table().work_item.get(name)
    if function is None:
        return None
    return f"{function}({'xyz'.index(component)})" if component in _AXES else f"{function}()"


_AXES = frozenset("xyz")


def _callee(operands: tuple[Operand, ...]) -> str:
    """Name the function that is called: one by its symbol, or that it is known at run time only."""
    named = next((o.name for o in operands if isinstance(o, Symbol)), None)
    return "an unknown function" if named is None else named


def keeps_type(operation: Operation) -> bool:
    """Whether it is a conversion within one type: floor, ceil and their like, all intrinsics."""
    types = operation.types
    return operation.name == "cvt" and len(types) == 2 and types[0] == types[1]


@dataclass(frozen=True)
class _Table:
    """The lists of ``calls.toml``; ``scopes`` has the word for each synchronising operation."""

    work_item: dict[str, str]
    scopes: dict[str, str]
    intrinsics: frozenset[str]
    intrinsic_classes: frozenset[str]


@cache
def _table() -> _Table:
    text = files(__package__).joinpath("calls.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    scopes = {n: word for word, names in data["synchronisation"].items() for n in names}
    listed = data["intrinsic"]
    return _Table(
        data["work_item"], scopes, frozenset(listed["operations"]), frozenset(listed["classes"])
    )
