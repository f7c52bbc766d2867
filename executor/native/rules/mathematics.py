"""``math.NAME.TYPE``: functions of mathematics libraries that stayed calls.

All are computed in double, by C's libm where that has the function and composed of what it has
where it does not; results of f32, f16 and bf16 are rounded once more. Errors are those of the C
library, or stated where a function is composed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Type
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import mathematics_composed as composed
from warpmill.executor.native.rules.halves import narrow, widen
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.rules.rounding import narrow_double
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant

Compute = Callable[..., Value]
"""Computes from an emitter, doubles and 32-bit integers."""


@dataclass(frozen=True, slots=True)
class Function:
    """How a function is computed, and what its operands are: ``f`` floats, ``i`` integers."""

    compute: Compute
    operands: str = "f"


def _libm(name: str, operands: str = "f", result: str = "double") -> Function:
    def compute(e: Emitter, *values: Value) -> Value:
        return e.external(name, *values, result=result)

    return Function(compute, operands)


_OF_LIBM = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cosh", "erf", "erfc", "expm1",
    "j0", "j1", "lgamma", "log1p", "logb", "sinh", "tgamma", "y0", "y1",
)  # fmt: skip
"""Functions of one number that C's libm has."""

FUNCTIONS: dict[str, Function] = {
    **{name: _libm(name) for name in _OF_LIBM},
    "atan2": _libm("atan2", "ff"),
    "hypot": _libm("hypot", "ff"),
    "remainder": _libm("remainder", "ff"),
    "scalb": _libm("scalb", "ff"),
    "jn": _libm("jn", "if"),
    "yn": _libm("yn", "if"),
    "ldexp": _libm("ldexp", "fi"),
    "scalbn": _libm("ldexp", "fi"),
    "scalbln": _libm("ldexp", "fi"),
    "ilogb": _libm("ilogb", "f", "i32"),
    "pown": Function(composed.integer_power, "fi"),
    "powi": Function(composed.integer_power, "fi"),
    "rootn": Function(composed.integer_root, "fi"),
    "acospi": Function(composed.over_pi("acos")),
    "asinpi": Function(composed.over_pi("asin")),
    "atanpi": Function(composed.over_pi("atan")),
    "atan2pi": Function(composed.over_pi("atan2"), "ff"),
    "sinpi": Function(composed.sine_of_pi),
    "cospi": Function(composed.cosine_of_pi),
    "tanpi": Function(composed.tangent_of_pi),
    "rcbrt": Function(composed.reciprocal("cbrt")),
    "rhypot": Function(composed.reciprocal("hypot"), "ff"),
    "len3": Function(composed.length, "fff"),
    "len4": Function(composed.length, "ffff"),
    "norm3d": Function(composed.length, "fff"),
    "norm4d": Function(composed.length, "ffff"),
    "rlen3": Function(composed.reciprocal_length, "fff"),
    "rlen4": Function(composed.reciprocal_length, "ffff"),
    "ncdf": Function(composed.normal_distribution),
    "normcdf": Function(composed.normal_distribution),
    "ncdfinv": Function(composed.normal_quantile),
    "normcdfinv": Function(composed.normal_quantile),
    "erfinv": Function(composed.inverse_error_function),
    "erfcinv": Function(composed.inverse_complement),
    "erfcx": Function(composed.scaled_complement),
    "i0": Function(composed.bessel(0)),
    "i1": Function(composed.bessel(1)),
    "cyl_bessel_i0": Function(composed.bessel(0)),
    "cyl_bessel_i1": Function(composed.bessel(1)),
    "frexp": Function(composed.fraction),
    "frexp_exp": Function(composed.exponent),
    "quotient": Function(composed.quotient, "ff"),
    "lgamma_sign": Function(composed.gamma_sign),
}
"""Every function that has code, by its name in the opcode."""

_FLOATS = ("f16", "bf16", "f32", "f64")


@rule("math")
def mathematics(step: Step) -> None:
    """Compute a function of a mathematics library."""
    operation = step.operation
    name, type_ = _name(operation), operation.types[-1]
    if name == "nextafter":
        a, b = (step.read(operand, type_) for operand in step.instruction.sources)
        step.give(step.emitter.outlined(operation.opcode, composed.next_after, a, b)[0])
        return
    function = FUNCTIONS[name]
    kinds = [type_ if kind == "f" else TYPES["s32"] for kind in function.operands]
    operands = zip(step.instruction.sources, kinds, strict=True)
    values = [step.read(operand, kind) for operand, kind in operands]
    if "i" in function.operands:
        values = [_within_mask(step, v) for v in values]

    def body(e: Emitter, *given: Value) -> Value:
        wide = [_double(e, v, k) for v, k in zip(given, kinds, strict=True)]
        return _result(e, function.compute(e, *wide), type_)

    step.give(step.emitter.outlined(operation.opcode, body, *values)[0])


def _within_mask(step: Step, value: Value) -> Value:
    """Give 0 in lanes that are off: some functions take as long as their operand is large."""
    if value.uniform or value.is_float:
        return value
    return step.emitter.select(step.mask, value, constant(0, value.type))


@refuses("math")
def refuse_mathematics(instruction: Instruction) -> str | None:
    """Functions that have no code, or too few operands."""
    operation = instruction.operation
    name = _name(operation)
    if name not in FUNCTIONS and name != "nextafter":
        return f"the function {name} is not executed"
    if not operation.types or operation.types[-1].name not in _FLOATS:
        return f"{name} is executed for f16, bf16, f32 and f64 only"
    count = 2 if name == "nextafter" else len(FUNCTIONS[name].operands)
    given = len(instruction.sources)
    return None if given == count else f"{name} takes {count} operands, not {given}"


def _name(operation: Operation) -> str:
    return operation.modifiers[0]


def _double(e: Emitter, value: Value, type_: Type) -> Value:
    if type_.is_integer:
        return value
    if type_.name in ("f16", "bf16"):
        value = widen(e, value, type_.name)
    return e.cast("fpext", value, "double")


def _result(e: Emitter, value: Value, type_: Type) -> Value:
    """Round a double to the type; an integer stays."""
    if value.type != "double" or type_.name == "f64":
        return value
    if type_.name == "f32":
        return narrow_double(e, value, "rn")
    return narrow(e, narrow_double(e, value, "odd"), type_.name)
