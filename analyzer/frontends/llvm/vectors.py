"""Lowering of what moves parts of vectors and aggregates: copies of the scalars they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import Type, Unsupported, VectorType
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg

_Part = TypeVar("_Part", bound=Operand)


def _element_type(low: Lowering, type_: Type) -> Type:
    resolved = low.layout.resolve(type_)
    if not isinstance(resolved, VectorType):
        raise Unsupported("an element of what is no vector")
    return resolved.element


def lower_extract_element(low: Lowering, template: st.Template) -> None:
    """``extractelement``; an index that is not constant is looked up by a chain of selections."""
    vector, index = template.operands
    results = low.results(_element_type(low, vector.type))
    elements = _chunks(low.values.parts(vector), len(results))
    number = low.values.integer(index)
    if number is not None:
        chosen = elements[number if 0 <= number < len(elements) else 0]
    else:
        chosen = _looked_up(low, index, elements, results)
    for to, part in zip(results, chosen, strict=True):
        if part != to:
            low.builder.move(to, part)


def _chunks(parts: Sequence[_Part], step: int) -> list[Sequence[_Part]]:
    """A vector's parts, element by element: a wide integer is several words."""
    return [parts[k : k + step] for k in range(0, len(parts), step)]


def _looked_up(
    low: Lowering, index: st.Typed, elements: list[Sequence[Operand]], results: tuple[Reg, ...]
) -> Sequence[Operand]:
    """The element at an index; the last selection writes the results."""
    found = elements[0]
    position = low.values.scalar(index)
    for k in range(1, len(elements)):
        into = results
        if k < len(elements) - 1:
            into = tuple(low.builder.temporary(low.builder.type_of(to)) for to in results)
        here = _is_at(low, index, position, k)
        for to, part, other in zip(into, elements[k], found, strict=True):
            low.emit(f"selp.{low.builder.type_of(to)}", to, part, other, here)
        found = into
    return found


def _is_at(low: Lowering, index: st.Typed, position: Operand, k: int) -> Reg:
    """A predicate that tells whether an index is ``k``."""
    leaf = low.layout.leaf(index.type)
    return low.builder.compute(f"setp.eq.{low.module.spelled(leaf, 'b')}", "pred", position, Imm(k))


def lower_insert_element(low: Lowering, template: st.Template) -> None:
    """``insertelement``: a copy with one element replaced."""
    vector, element, index = template.operands
    results, parts = low.results(vector.type), low.values.parts(vector)
    value = low.values.parts(element)
    number = low.values.integer(index)
    if number is not None:
        inside = 0 <= number < len(parts) // len(value)
        _replace(low, results, parts, number * len(value), value if inside else ())
        return
    position = low.values.scalar(index)
    elements = zip(_chunks(results, len(value)), _chunks(parts, len(value)), strict=True)
    for k, (tos, olds) in enumerate(elements):
        here = _is_at(low, index, position, k)
        for to, new, old in zip(tos, value, olds, strict=True):
            low.emit(f"selp.{low.builder.type_of(to)}", to, new, old, here)


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
    element = _element_type(low, left.type)
    step = len(low.layout.leaves(element))
    sources = _chunks(parts, step)
    results = low.results(VectorType(resolved.count, element))
    indices = low.values.parts(mask)
    for tos, index in zip(_chunks(results, step), indices, strict=True):
        if not isinstance(index, Imm) or not 0 <= index.value < len(sources):
            raise Unsupported("a shuffle's mask that is not constant")
        for to, part in zip(tos, sources[index.value], strict=True):
            low.builder.move(to, part)


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
