"""Operations that sanitizers write beside what they look at: addresses, results of arithmetic.

``check.address`` is overflow's (``sanitizers/exact_integers.py``), ``check.numeric`` that of
numerics (``sanitizers/numeric_checks.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial, reduce

from warpmill.analyzer.ir.kernel import Operand
from warpmill.analyzer.ir.types import TYPES, Type
from warpmill.executor.native.emitter import when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.registry import opposite, rule
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.sanitizers.numeric_checks import (
    MADE_INFINITY,
    MADE_NAN,
    MOST_SHOWN,
    NON_FINITE,
    element_of,
)


@rule("check.address")
def check_address(step: LoweringStep) -> None:
    """Note the lanes whose address is another one than it would be without a wrap."""
    e = step.emitter
    address, exact = [e.vector(step.read(operand)) for operand in step.instruction.operands]
    differs = e.bits(e.op("and", e.compare("ne", address, exact), step.mask))

    def note() -> None:
        site, bits = constant(step.site, "i64"), e.resize(differs, "i64")
        lane = e.call("llvm.cttz", differs, extra=", i1 true")
        first = [e.get(e.spill(v), e.resize(lane, "i32"), "i64") for v in (address, exact)]
        lanes = e.resize(e.call("llvm.ctpop", bits), "i64")
        e.callback("warpmill.overflow", site, e.resize(lane, "i64"), lanes, *first)

    when(e, e.compare("ne", differs, constant(0, differs.type)), note)


@rule("check.numeric")
def check_numeric(step: LoweringStep) -> None:
    """Note the lanes whose result is NaN or infinite though its sources are finite."""
    e = step.emitter
    target, *sources = step.instruction.operands
    result, *given = [TYPES[word] for word in step.operation.modifiers if word in TYPES]
    pairs = list(zip(sources, given, strict=True))
    infinite = [one for pair in pairs for one in _special(step, *pair)]
    excused = _any(step, [truth for both in infinite for truth in both])
    of_warp = "warp" in step.operation.modifiers
    if of_warp:
        lanes = e.bits(e.op("and", e.vector(excused), step.mask))
        excused = e.compare("ne", lanes, constant(0, lanes.type))
    looked_at = e.op("and", e.vector(opposite(e, excused)), step.mask)
    shown = [] if of_warp else [(target, result), *pairs][: 1 + MOST_SHOWN]
    values = [step.read(operand, TYPES[f"b{type_.bits}"]) for operand, type_ in shown]
    kinds = (MADE_NAN, MADE_INFINITY)
    for kind, truths in zip(kinds, zip(*_special(step, target, result), strict=True), strict=True):
        made = e.bits(e.op("and", e.vector(_any(step, truths)), looked_at))
        some = e.compare("ne", made, constant(0, made.type))
        when(e, some, partial(_note, step, kind, made, values))


def _special(
    step: LoweringStep, operand: Operand, type_: Type
) -> list[tuple[LlvmValue, LlvmValue]]:
    """Of each element that an operand has, whether it is NaN and whether it is infinite."""
    e, whole = step.emitter, TYPES[f"b{type_.bits}"]
    exponent, mantissa = NON_FINITE[element_of(type_)]
    width, found = type_.bits // type_.lanes, []
    for part in step.elements(operand):
        value = step.read(part, whole)
        for place in range(type_.lanes):
            top, low = (constant(m << width * place, value.type) for m in (exponent, mantissa))
            full = e.compare("eq", e.op("and", value, top), top)
            zero = e.compare("eq", e.op("and", value, low), constant(0, value.type))
            found.append((e.op("and", full, opposite(e, zero)), e.op("and", full, zero)))
    return found


def _any(step: LoweringStep, truths: Iterable[LlvmValue]) -> LlvmValue:
    return reduce(partial(step.emitter.op, "or"), truths, constant(0, "i1"))


def _note(step: LoweringStep, kind: int, made: LlvmValue, values: Sequence[LlvmValue]) -> None:
    """Note lanes, each with its result and sources."""
    e, wide = step.emitter, "i64"
    kept = [(e.spill(value), value.type) for value in values]

    def note(lane: LlvmValue) -> None:
        own = [e.resize(e.get(place, lane, type_), wide) for place, type_ in kept]
        own += [constant(0, wide)] * (1 + MOST_SHOWN - len(own))
        numbers = constant(kind, wide), constant(step.site, wide), e.resize(lane, wide)
        e.callback("warpmill.numerics", *numbers, *own)

    e.each_lane(made, note)
