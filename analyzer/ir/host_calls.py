"""Functions without a body that CUDA offers: printing, assertions, the device heap."""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Instruction, Symbol
from warpmill.analyzer.ir.types import OpClass

HOST_FUNCTIONS = {"vprintf": (0, 2), "malloc": (1, 1), "free": (2, 1)}
"""The number by which each function is called, and how many arguments it takes."""

ASSERTIONS = ("__assertfail", "__assert_fail")

EXTERNS = frozenset({*HOST_FUNCTIONS, *ASSERTIONS})
"""Names of the functions that may stay calls: none of them executes code of the device."""


def callee_of(call: Instruction) -> str | None:
    """Name the function that a call is of; None: it is known at run time only."""
    target = call.operands[1] if len(call.operands) > 1 else None
    return target.name if isinstance(target, Symbol) else None


def is_unfollowed(instruction: Instruction) -> bool:
    """Whether it calls code of the device that does not stand in the kernel."""
    is_call = instruction.operation.op_class is OpClass.CALL
    return is_call and callee_of(instruction) not in EXTERNS
