"""Lowering of what moves parts of vectors and aggregates: copies of the scalars they are."""

from __future__ import annotations

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.types import Type, Unsupported, VectorType
from analyzer.ir.kernel import Imm, Operand, Reg


def _element_type(low: Lowering, type_: Type) -> Type:
    resolved = low.layout.resolve(type_)
    if not isinstance(resolved, VectorType):
        raise Unsupported("an element of what is no vector")
    return resolved.element


def lower_extract_element(low: Lowering, template: st.Template) -> None:
    """``extractelement``; an index that is not constant is looked up by a chain of selections."""
    vector, index = template.operands
    (to,) = low.results(_element_type(low, vector.type))
    parts = low.values.parts(vector)
    number = low.values.integer(index)
    if number is not None:
        low.builder.move(to, parts[number] if number < len(parts) else parts[0])
        return
    value: Operand = parts[0]
    position = low.values.scalar(index)
    for k in range(1, len(parts)):
        last = k == len(parts) - 1
        result = to if last else low.builder.temporary(low.builder.type_of(to))
        here = _is_at(low, index, position, k)
        low.emit(f"selp.{low.builder.type_of(to)}", result, parts[k], value, here)
        value = result
    if len(parts) == 1:
        low.builder.move(to, value)


def _is_at(low: Lowering, index: st.Typed, position: Operand, k: int) -> Reg:
    """A predicate that tells whether an index is ``k``."""
    (leaf,) = low.layout.leaves(index.type)
    return low.builder.compute(f"setp.eq.{low.module.spelled(leaf, 'b')}", "pred", position, Imm(k))


def lower_insert_element(low: Lowering, template: st.Template) -> None:
    """``insertelement``: a copy with one part replaced."""
    vector, element, index = template.operands
    results, parts = low.results(vector.type), low.values.parts(vector)
    value = low.values.scalar(element)
    number = low.values.integer(index)
    if number is not None:
        _replace(low, results, parts, number, (value,))
        return
    position = low.values.scalar(index)
    for k, (to, old) in enumerate(zip(results, parts, strict=True)):
        here = _is_at(low, index, position, k)
        low.emit(f"selp.{low.builder.type_of(to)}", to, value, old, here)


def _replace(
    low: Lowering,
    results: tuple[Reg, ...],
    parts: tuple[Operand, ...],
    start: int,
    new: tuple[Operand, ...],
) -> None:
    changed = (*parts[:start], *new, *parts[start + len(new) :])
    for to, value in zip(results, changed, strict=False):
        low.builder.move(to, value)


def lower_shuffle(low: Lowering, template: st.Template) -> None:
    """``shufflevector``: each part of the result is one of the two vectors'."""
    left, right, mask = template.operands
    parts = (*low.values.parts(left), *low.values.parts(right))
    resolved = low.layout.resolve(mask.type)
    if not isinstance(resolved, VectorType):
        raise Unsupported("a shuffle's mask that is no vector")
    results = low.results(VectorType(resolved.count, _element_type(low, left.type)))
    for to, index in zip(results, low.values.parts(mask), strict=True):
        if not isinstance(index, Imm) or not 0 <= index.value < len(parts):
            raise Unsupported("a shuffle's mask that is not constant")
        low.builder.move(to, parts[index.value])


def _place(low: Lowering, type_: Type, indices: tuple[int, ...]) -> tuple[Type, int]:
    """The type at a path of indices, and how many parts lie before it."""
    before = 0
    for slot in indices:
        type_, skipped = low.layout.element(type_, int(low.values.texts[slot]))
        before += skipped
    return type_, before


def lower_extract_value(low: Lowering, template: st.Template) -> None:
    """``extractvalue``: copies of the parts."""
    (aggregate,) = template.operands
    parts = low.values.parts(aggregate)
    type_, before = _place(low, aggregate.type, template.indices)
    for k, to in enumerate(low.results(type_)):
        low.builder.move(to, parts[before + k])


def lower_insert_value(low: Lowering, template: st.Template) -> None:
    """``insertvalue``: a copy with some parts replaced."""
    aggregate, value = template.operands
    _, before = _place(low, aggregate.type, template.indices)
    parts = low.values.parts(aggregate)
    _replace(low, low.results(aggregate.type), parts, before, low.values.parts(value))
