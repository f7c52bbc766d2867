"""Functions whose name says more than a template can: conversions, dot, reductions."""

from __future__ import annotations

import re

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.builder import is_predicate
from warpmill.analyzer.frontends.llvm.call_table import joined
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import FloatType, Scalar
from warpmill.analyzer.ir.kernel import Operand

_TABLE = joined()
_CONVERT = re.compile(
    r"_Z\d+convert_(u?)(?:char|short|int|long|float|double|half)\d*(_sat)?(?:_rt([ezpn]))?"
    r"((?:Dv\d+_)?(?:Dh|[a-z]))"
)
_ROUND = {"e": "n", "z": "z", "p": "p", "n": "m"}
_UNSIGNED = frozenset("htjm")


def lower_convert(low: Lowering, template: st.Template, callee: str) -> bool:
    """``convert_T``, with rounding and saturation as its name says."""
    found = _CONVERT.fullmatch(callee)
    if found is None or len(template.operands) != 1:
        return False
    _convert(low, template, found)
    return True


def lower_reduction(low: Lowering, template: st.Template, callee: str) -> bool:
    """``llvm.vector.reduce.*``; those of floats may have a start."""
    opcode = _TABLE["reductions"].get(callee.rpartition(".")[0])
    if opcode is None:
        return False
    _reduce(low, template, opcode)
    return True


def _reduce(low: Lowering, template: st.Template, opcode: str) -> None:
    """``llvm.vector.reduce.*`` as a chain of operations."""
    *start, vector = template.operands
    leaf = low.layout.leaves(vector.type)[0]
    (to,) = low.results(leaf)
    starts = tuple(low.values.scalar(s) for s in start)
    total, *parts = starts + low.values.parts(vector)
    if is_predicate(leaf):
        opcode = opcode.split(".", maxsplit=1)[0] + ".pred"
    opcode = opcode.format(**low.module.spellings(leaf))
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        result = to if last else low.builder.temporary(low.builder.type_of(to))
        low.emit(opcode, result, total, part)
        total = result
    if not parts:
        low.builder.move(to, total)


def _convert(low: Lowering, template: st.Template, found: re.Match[str]) -> None:
    (value,) = template.operands
    assert template.type is not None
    unsigned, saturate, rounding, source = found.groups()
    tos, froms = low.layout.leaves(template.type), low.layout.leaves(value.type)
    letters = "u" if unsigned else "s", "u" if source[-1] in _UNSIGNED else "s"
    results, parts = low.results(template.type), low.values.parts(value)
    for to, part, t, f in zip(results, parts, tos, froms, strict=True):
        t_name, f_name = _name(low, t, letters[0]), _name(low, f, letters[1])
        sat = ".sat" if saturate and not isinstance(t, FloatType) else ""
        if t_name == f_name:
            low.builder.move(to, part)
        else:
            low.emit(f"cvt{_rounding(t, f, rounding)}{sat}.{t_name}.{f_name}", to, part)


def _name(low: Lowering, scalar: Scalar, letter: str) -> str:
    return low.module.spelled(scalar, "f" if isinstance(scalar, FloatType) else letter)


def _rounding(to: Scalar, source: Scalar, asked: str | None) -> str:
    """Where a conversion can lose bits it names a rounding: to integers towards zero."""
    if not isinstance(to, FloatType):
        kept = _ROUND[asked or "z"]
        return f".r{kept}i" if isinstance(source, FloatType) else ""
    widens = isinstance(source, FloatType) and (source.name, to.name) in _WIDENING
    return "" if widens else f".r{_ROUND[asked or 'e']}"


_WIDENING = frozenset({("half", "float"), ("half", "double"), ("float", "double")})


def lower_dot(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``dot``."""
    left, right = template.operands
    assert template.type is not None
    (to,) = low.results(template.type)
    f = low.builder.type_of(to).name
    pairs = list(zip(low.values.parts(left), low.values.parts(right), strict=True))
    total: Operand | None = None
    for number, (a, b) in enumerate(pairs):
        result = to if number == len(pairs) - 1 else low.builder.temporary(f)
        if total is None:
            low.emit(f"mul.{f}", result, a, b)
        else:
            low.emit(f"fma.rn.{f}", result, a, b, total)
        total = result
    return True
