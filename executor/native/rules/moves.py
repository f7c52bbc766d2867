"""``mov``: copies, packing and unpacking. Source: PTX ISA 9.0, section 9.7.9.2 and .3."""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Operand, Sink, Special
from warpmill.executor.native.rules.compare import read_bits
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.rules.support import join, part
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value

_WITH_AXES = frozenset({"tid", "ntid", "ctaid", "nctaid"})


@rule("mov")
def mov(step: Step) -> None:
    """Copy a value, or put the elements of a value together or apart; the first is the lowest."""
    to, source = step.instruction.operands
    targets, sources = step.elements(to), _elements(step, source)
    if isinstance(source, Special):
        sources = sources[: len(targets)]
    if len(targets) == len(sources):
        values = [read_bits(step, s, step.operation.type) for s in sources]
    elif len(targets) == 1:
        values = [_packed(step, sources)]
    else:
        values = _unpacked(step, read_bits(step, sources[0], step.operation.type), len(targets))
    for target, value in zip(targets, values, strict=True):
        if not isinstance(target, Sink):
            step.write(target, value)


def _elements(step: Step, operand: Operand) -> tuple[Operand, ...]:
    """Give the elements of an operand; a special register with axes has four."""
    if isinstance(operand, Special) and operand.name in _WITH_AXES:
        return tuple(Special(f"{operand.name}.{axis}") for axis in "xyzw")
    return step.elements(operand)


def _packed(step: Step, sources: tuple[Operand, ...]) -> Value:
    e, type_ = step.emitter, step.operation.type
    assert type_ is not None
    bits = type_.bits // len(sources)
    parts = [e.resize(_as_integer(step, step.read(s)), f"i{bits}") for s in sources]
    return join(e, parts, f"i{type_.bits}")


def _unpacked(step: Step, value: Value, count: int) -> list[Value]:
    value = _as_integer(step, value)
    return [part(step.emitter, value, k, f"i{value.bits // count}") for k in range(count)]


def _as_integer(step: Step, value: Value) -> Value:
    return step.emitter.bitcast(value, f"i{value.bits}") if value.is_float else value
