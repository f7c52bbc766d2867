"""OpenCL's functions on whole vectors: geometry, any and all, shuffles."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import Unsupported
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg


def _type(low: Lowering, value: st.Typed) -> str:
    return low.module.spelled(low.layout.leaves(value.type)[0], "f")


def _products(low: Lowering, f: str, left: Sequence[Operand], right: Sequence[Operand]) -> Reg:
    """The sum of the products of two vectors' parts."""
    total: Reg | None = None
    for a, b in zip(left, right, strict=True):
        if total is None:
            total = low.builder.compute(f"mul.{f}", f, a, b)
        else:
            total = low.builder.compute(f"fma.rn.{f}", f, a, b, total)
    assert total is not None
    return total


def _root(callee: str) -> str:
    return "sqrt.approx" if "fast_" in callee else "sqrt.rn"


def lower_length(low: Lowering, template: st.Template, callee: str) -> bool:
    """``length``, ``fast_length``."""
    (vector,) = template.operands
    f, parts = _type(low, vector), low.values.parts(vector)
    (to,) = low.results(low.layout.leaves(vector.type)[0])
    low.emit(f"{_root(callee)}.{f}", to, _products(low, f, parts, parts))
    return True


def lower_distance(low: Lowering, template: st.Template, callee: str) -> bool:
    """``distance``, ``fast_distance``."""
    left, right = template.operands
    f = _type(low, left)
    pairs = zip(low.values.parts(left), low.values.parts(right), strict=True)
    parts = [low.builder.compute(f"sub.{f}", f, a, b) for a, b in pairs]
    (to,) = low.results(low.layout.leaves(left.type)[0])
    low.emit(f"{_root(callee)}.{f}", to, _products(low, f, parts, parts))
    return True


def lower_normalize(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``normalize``, ``fast_normalize``: by the reciprocal of the length."""
    (vector,) = template.operands
    f, parts = _type(low, vector), low.values.parts(vector)
    squares = _products(low, f, parts, parts)
    factor = low.builder.compute(f"rsqrt.approx.{f}", f, squares)
    for to, part in zip(low.results(vector.type), parts, strict=True):
        low.emit(f"mul.{f}", to, part, factor)
    return True


def lower_cross(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``cross``; of four parts the last is 0."""
    left, right = template.operands
    f = _type(low, left)
    a, b = low.values.parts(left), low.values.parts(right)
    results = low.results(left.type)
    for to, (i, j) in zip(results, ((1, 2), (2, 0), (0, 1)), strict=False):
        product = low.builder.compute(f"mul.{f}", f, a[j], b[i])
        negative = low.builder.compute(f"neg.{f}", f, product)
        low.emit(f"fma.rn.{f}", to, a[i], b[j], negative)
    if len(results) == 4:
        zero = low.builder.compute(f"sub.{f}", f, a[3], a[3])
        low.builder.move(results[3], zero)
    return True


def lower_any_all(low: Lowering, template: st.Template, callee: str) -> bool:
    """``any`` and ``all``: whether the highest bits of some, or of all parts are set."""
    (value,) = template.operands
    if template.type is None:
        return False
    leaf = low.layout.leaves(value.type)[0]
    width = low.module.width(leaf)
    first, *others = low.values.parts(value)
    opcode = f"{'or' if callee.startswith('_Z3any') else 'and'}.b{width}"
    total: Operand = first
    for part in others:
        total = low.builder.compute(opcode, f"b{width}", total, part)
    p = low.builder.compute(f"setp.lt.s{width}", "pred", total, Imm(0))
    (to,) = low.results(template.type)
    low.emit(f"selp.{low.builder.type_of(to)}", to, Imm(1), Imm(0), p)
    return True


def lower_shuffle_builtin(low: Lowering, template: st.Template, callee: str) -> bool:
    """``shuffle`` and ``shuffle2``, whose mask may be computed: a chain of selections."""
    *vectors, mask = template.operands
    if template.type is None:
        return False
    parts = [part for vector in vectors for part in low.values.parts(vector)]
    indices, leaf = low.values.parts(mask), low.layout.leaves(mask.type)[0]
    width = low.module.width(leaf)
    for to, index in zip(low.results(template.type), indices, strict=True):
        if isinstance(index, Imm):
            low.builder.move(to, parts[index.value % len(parts)])
            continue
        if len(parts) & (len(parts) - 1):
            raise Unsupported(f"`{callee}` of {len(parts)} parts")
        mask_ = Imm(len(parts) - 1)
        chosen = low.builder.compute(f"and.b{width}", f"b{width}", index, mask_)
        value: Operand = parts[0]
        for k, part in enumerate(parts[1:], 1):
            here = low.builder.compute(f"setp.eq.b{width}", "pred", chosen, Imm(k))
            last = k == len(parts) - 1
            into = to if last else low.builder.temporary(low.builder.type_of(to))
            low.emit(f"selp.{low.builder.type_of(to)}", into, part, value, here)
            value = into
    return True
