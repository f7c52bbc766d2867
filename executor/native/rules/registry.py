"""The rules that lower operations, by the name of their line in ``opcodes.toml``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.values import LlvmValue

Write = Callable[[LoweringStep], None]
"""Writes the code of one instruction."""

Compute = Callable[..., "LlvmValue | tuple[LlvmValue, ...]"]
"""Computes results from an emitter, the operation and the values of the sources."""

Refusal = Callable[[Instruction], "str | None"]
"""Says what of an instruction a rule has no code for, None where it has."""

_F = TypeVar("_F", bound=Callable[..., object])

RULES: dict[str, Write] = {}
"""What lowers each operation."""

REFUSALS: dict[str, Refusal] = {}
"""What a rule cannot do: operations, by name, with forms that have no code."""


def rule(*names: str) -> Callable[[Write], Write]:
    """Make a function the rule of operations, by their names in the table."""

    def register(write: Write) -> Write:
        for name in names:
            assert name not in RULES, name
            RULES[name] = write
        return write

    return register


def pure(*names: str) -> Callable[[Compute], Compute]:
    """Make ``compute(emitter, operation, *sources)`` the rule of operations without side effects.

    The sources are read as the types that the table gives, the result goes to the destination;
    several results go to several destinations or to both parts of a pair.
    """

    def register(compute: Compute) -> Compute:
        def write(step: LoweringStep) -> None:
            results = compute(step.emitter, step.operation, *step.sources())
            step.give(*(results if isinstance(results, tuple) else (results,)))

        rule(*names)(write)
        return compute

    return register


def refuses(*names: str) -> Callable[[Refusal], Refusal]:
    """Make a function tell what forms of operations have no code."""

    def register(refusal: Refusal) -> Refusal:
        for name in names:
            REFUSALS[name] = refusal
        return refusal

    return register


__all__ = ["RULES", "Compute", "Emitter", "Operation", "Write", "pure", "refuses", "rule"]
