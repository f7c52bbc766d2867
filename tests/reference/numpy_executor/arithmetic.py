"""Pure operations: functions of the sources' values, one result."""

from __future__ import annotations

import numpy as np

from tests.reference.numpy_executor import floats, integers
from tests.reference.numpy_executor.convert import convert
from tests.reference.numpy_executor.values import FLOATS, dtype_of
from warpmill.analyzer.ir.kernel import match_types
from warpmill.analyzer.ir.types import TypeKind

ROUNDINGS = ("rz", "rm", "rp", "rs", "rna")
ROUNDED = ("add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt")


def _single(function):
    """Compute in double and round to the operand's own format."""
    return lambda a: function(a.astype(np.float64)).astype(a.dtype)


FLOAT_RULES = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
    "neg": np.negative, "abs": np.abs, "mov": lambda a: a,
    "fma": floats.fma, "mad": floats.fma,
    "min": lambda *v: _fold(False, v), "max": lambda *v: _fold(True, v),
    "rcp": lambda a: a.dtype.type(1) / a, "sqrt": np.sqrt,
    "rsqrt": _single(lambda a: 1 / np.sqrt(a)),
    "sin": _single(np.sin), "cos": _single(np.cos), "tanh": _single(np.tanh),
    "ex2": _single(np.exp2), "lg2": _single(np.log2),
    "copysign": lambda a, b: np.copysign(b, a),
}  # fmt: skip


def _rounded_twice(a, b, c):
    return a * b + c


def _fold(larger, values):
    result = values[0]
    for value in values[1:]:
        result = floats.extreme(larger, result, value)
    return result


def float_rule(operation, exact):
    """The function of a floating-point operation, with what its modifiers ask for."""
    words = operation.modifiers
    if operation.type.name not in FLOATS or any(
        word in words for word in ("NaN", "xorsign", "relu")
    ):
        raise NotImplementedError(operation.opcode)
    if operation.name in ROUNDED and any(word in words for word in ROUNDINGS):
        raise NotImplementedError(operation.opcode)
    function = FLOAT_RULES[operation.name]
    if function is floats.fma and not exact:
        function = _rounded_twice
    result = function
    if "sat" in words:
        result = lambda *v: np.nan_to_num(np.clip(function(*v), 0, 1), nan=0.0)  # noqa: E731 - one of two
    if "ftz" in words:
        return lambda *v: floats.flushed(result(*map(floats.flushed, v)))
    return result


COMPARISONS = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
    "gt": np.greater, "ge": np.greater_equal,
    "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
}  # fmt: skip
BOOLEANS = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def comparison(operation, is_float):
    """The function of setp and set: the comparison, and its complement, with a predicate."""
    words = [w for w in operation.modifiers if w != "ftz"]
    word, combine = words[0], BOOLEANS.get(words[1])

    def compare(a, b):
        if is_float and "ftz" in operation.modifiers:
            a, b = floats.flushed(a), floats.flushed(b)
        if word in ("num", "nan"):
            either = np.isnan(a) | np.isnan(b)
            return either if word == "nan" else ~either
        if is_float and word == "ne":
            return (a != b) & ~(np.isnan(a) | np.isnan(b))
        if word in COMPARISONS:
            return COMPARISONS[word](a, b)
        return COMPARISONS[word[:-1]](a, b) | np.isnan(a) | np.isnan(b)  # equ, ltu …

    def both(a, b, *rest):
        found = compare(a, b)
        if combine is None:
            return found, ~found
        return combine(found, rest[0]), combine(~found, rest[0])

    return both


def select(a, b, on):
    return np.where(on, a, b)


def chosen_by_sign(a, b, c):
    return np.where(c >= 0, a, b)


def pure_rule(operation, exact=True):
    """The function of an operation, or None where it is not a pure one.

    Not ``exact``: fused multiply-adds round their product too, for the sake of speed.
    """
    name = operation.name
    if name == "cvt":
        return convert(operation)
    if name == "selp":
        return select
    if name == "slct":
        return chosen_by_sign
    if name == "set":
        is_float = operation.types[1].is_float
        compare, result = comparison(operation, is_float), dtype_of(operation.types[0])
        true = 1 if result.kind == "f" else -1
        return lambda *v: np.where(compare(*v)[0], np.array([true]), 0).astype(
            result if result.kind == "f" else f"i{result.itemsize}"
        )
    if name == "testp":
        return testp(operation)
    kind = None if operation.type is None else operation.type.kind
    if kind is TypeKind.FLOAT and name in ("mov", "neg", "abs"):
        return float_rule(operation, exact) if name != "mov" else (lambda a: a)
    if kind is TypeKind.FLOAT and name in FLOAT_RULES:
        return float_rule(operation, exact)
    if kind is not TypeKind.FLOAT and name in integers.RULES:
        return integers.RULES[name](operation)
    return None


def testp(operation):
    """A test of a number's kind."""
    tests = {
        "finite": np.isfinite, "infinite": np.isinf, "notanumber": np.isnan,
        "number": lambda a: ~np.isnan(a),
        "normal": lambda a: np.isfinite(a) & (np.abs(a) >= np.finfo(a.dtype).tiny),
        "subnormal": lambda a: (a != 0) & (np.abs(a) < np.finfo(a.dtype).tiny),
    }  # fmt: skip
    return tests[operation.modifiers[0]]


def source_dtypes(instruction):
    """The dtype that each source is read as; the operation's own where none is told."""
    types = match_types(instruction.operation, instruction.operands)
    roles = instruction.roles
    fallback = instruction.operation.type
    return [
        dtype_of(type_ or fallback)
        for type_, role in zip(types, roles, strict=True)
        if role.value != "d"
    ]
