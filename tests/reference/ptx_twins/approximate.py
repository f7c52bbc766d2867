"""The .approx and .full functions: float64 references and the errors that the manual allows.

PTX ISA 9.0, sections 9.7.3 and 9.7.4, states a largest error for each.
"""

from dataclasses import dataclass

import numpy as np

from tests.reference.ptx_twins.answers import Close, Parts, part, to_float
from tests.reference.ptx_twins.numbers import FORMATS


@dataclass(frozen=True)
class Bound:
    """A largest error, relative to the result or absolute."""

    relative: float = 0.0
    absolute: float = 0.0


ULP = 2.0**-23  # of f32, relative to the lower end of a binade

BOUNDS = {
    "div.approx.f32": Bound(2 * ULP),  # two ulp where |b| is in 2**-126 .. 2**126
    "div.full.f32": Bound(2 * ULP),  # two ulp over the whole range
    "rcp.approx.f32": Bound(ULP),  # 2**-23 for a in 1 .. 2, so relative 2**-22 at most at 0.5
    "sqrt.approx.f32": Bound(ULP),  # relative, over all positive finite numbers
    "rsqrt.approx.f32": Bound(2.0**-22.4),  # relative; 2**-22.9 in later editions
    "sin.approx.f32": Bound(absolute=2.0**-20.5),  # within -pi .. pi; see _turns
    "cos.approx.f32": Bound(absolute=2.0**-20.5),
    "lg2.approx.f32": Bound(2.0**-22, 2.0**-22),  # absolute in 0.5 .. 2, relative elsewhere
    "ex2.approx.f32": Bound(2.0**-22),  # relative, over the whole range
    "tanh.approx.f32": Bound(2.0**-11),  # relative
    "tanh.approx.f16": Bound(absolute=2.0**-10.987),
    "tanh.approx.bf16": Bound(2.0**-8),  # relative
    "ex2.approx.f16": Bound(2.0**-9.9),  # relative
    "ex2.approx.bf16": Bound(2.0**-7),  # relative
    "rcp.approx.f64": Bound(2.0**-19),  # a gross one: twenty bits of fraction in and out
    "rsqrt.approx.f64": Bound(2.0**-19),
}
"""The largest error by operation, kind and element type.

rcp's stated 2**-23 over 1..2 is an absolute one of results in 0.5..1; in relation to the result
that is up to 2**-22, which the bound doubles to in ``_bound``.
"""

SIN_RANGES = ((2 * np.pi, 2.0**-20.5), (100 * np.pi, 2.0**-14.7))
"""sin and cos: |x| up to the first, absolute error at most the second; beyond, none is stated."""

_FUNCTIONS = {
    "rcp": lambda x: 1.0 / x,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "sin": np.sin,
    "cos": np.cos,
    "lg2": np.log2,
    "ex2": np.exp2,
    "tanh": np.tanh,
    "div": lambda a, b: a / b,
}


def approximate(form, sources):
    """The answer of a function, element by element."""
    type_ = form.types[-1]
    if not type_.endswith("x2"):
        return [_one(form, sources, type_)]
    inner = type_.removesuffix("x2")
    return [Parts([_one(form, [part(s, k, 16) for s in sources], inner) for k in (0, 1)], 16)]


def _one(form, sources, type_):
    f = FORMATS[type_]
    ftz = "ftz" in form.modifiers
    values = [to_float(s, f) for s in sources]
    if ftz:
        values = [_flush(v, f) for v in values]
    free = None
    if type_ == "f64" and ftz:
        values = [_upper_half(v) for v in values]
        free = np.isinf(values[0]) & (sources[0] << np.uint64(32) != 0)  # a NaN without its end
    with np.errstate(all="ignore"):
        reference = _FUNCTIONS[form.operation](*values)
    bound = BOUNDS[f"{form.operation}.{form.modifiers[0]}.{type_}"]
    relative = 2 * bound.relative if form.operation == "rcp" and type_ == "f32" else bound.relative
    absolute, limits = bound.absolute, (-np.inf, np.inf)
    if form.operation in ("sin", "cos"):
        absolute, free = _turns(values[0])
        limits = (-1.0001, 1.0001)
    if form.operation == "lg2":
        absolute = np.where((values[0] > 0.5) & (values[0] < 2), absolute, 0.0)
        relative = np.where(absolute > 0, 0.0, relative)
    if form.modifiers[0] == "approx" and form.operation == "div":
        reference = _large_divisors(reference, *values)
        free = np.abs(values[1]) < 2.0**-126  # no bound is stated for subnormal divisors
        free &= values[1] != 0
    answer = Close(reference, type_, relative, absolute, ftz, free, limits=limits)
    return _with_array_bounds(answer)


def _flush(values, f):
    return np.where(
        np.abs(values) < 2.0 ** (f.lowest + f.fraction), np.copysign(0.0, values), values
    )


def _upper_half(values):
    """The gross functions of f64 read the upper 32 bits of the operand."""
    kept = values.view(np.uint64) & np.uint64(0xFFFFFFFF00000000)
    return kept.view(np.float64)


def _turns(x):
    """The absolute error that is allowed for each angle, and where none is stated."""
    size = np.abs(x)
    bound = np.where(size <= SIN_RANGES[0][0], SIN_RANGES[0][1], SIN_RANGES[1][1])
    return bound, (size > SIN_RANGES[1][0]) & np.isfinite(x)


def _large_divisors(reference, a, b):
    """div.approx: |b| above 2**126 gives 0, or NaN where a is infinite."""
    large = (np.abs(b) > 2.0**126) & np.isfinite(b)
    sign = np.copysign(1.0, a) * np.copysign(1.0, b)
    fixed = np.where(np.isinf(a) | np.isnan(a), np.nan, np.copysign(0.0, sign))
    return np.where(large, fixed, reference)


def _with_array_bounds(answer):
    """Plain numbers for bounds that are the same everywhere."""
    if np.ndim(answer.absolute) and not np.any(answer.absolute):
        answer.absolute = 0.0
    return answer


TWINS = dict.fromkeys(_FUNCTIONS, approximate)
"""Twins of the approximate functions, by the opcode's first word."""
