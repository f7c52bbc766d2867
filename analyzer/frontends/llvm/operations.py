"""Lowering of what makes values of values: scalars part by part, and parts of vectors moved.

Arithmetic, comparisons, selection and casts of a vector are those of its scalars. Elements of
vectors and fields of aggregates are scalars already, so that taking one out is a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm import word_values
from warpmill.analyzer.frontends.llvm.context import bits_as, float_of, is_predicate
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    Scalar,
    Type,
    Unsupported,
    VectorType,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import Lowering, part_by_part
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg

_TABLE = data_table("instructions.toml")
_FAST = frozenset(_TABLE["fast_flags"])


def lower_binary(low: Lowering, template: st.Template) -> None:
    """``add`` to ``frem``, one instruction a part."""
    left, right = template.operands
    leaves = low.layout.leaves(left.type)
    results = low.results(left.type)
    if word_values.is_wide(low, left.type):
        _wide_binary(low, template, results)
        return
    parts = part_by_part(results, low.values.parts(left), low.values.parts(right), leaves)
    for to, a, b, leaf in parts:
        _binary(low, leaf, to, a, b)


def _wide_binary(low: Lowering, template: st.Template, results: tuple[Reg, ...]) -> None:
    left, right = template.operands
    bits = word_values.bits_of(low, left.type)
    pairs = zip(
        word_values.chunks(low.values.parts(left), bits),
        word_values.chunks(low.values.parts(right), bits),
        strict=True,
    )
    found = [
        part for a, b in pairs for part in word_values.binary(low, template.opcode, bits, a, b)
    ]
    for to, part in zip(results, found, strict=True):
        low.builder.move(to, part)


_ON_SIGNED = frozenset({"sdiv", "srem", "ashr"})
_KEEPS_ZEROS = frozenset({"and", "or", "xor", "udiv", "urem", "lshr"})


def _odd_binary(low: Lowering, leaf: Scalar, to: Reg, a: Operand, b: Operand) -> None:
    """An operation on integers narrower than their register, whose upper bits stay zero."""
    opcode, width = low.template.opcode, low.module.width(leaf)
    line = _TABLE["binary"][opcode]
    if opcode in _ON_SIGNED:
        a = word_values.sign_extended(low, a, leaf)
        b = b if line.get("amount") else word_values.sign_extended(low, b, leaf)
    if line.get("amount"):
        b = low.builder.resized(b, leaf, 32)
    name = line["opcode"].format(**low.module.spellings(leaf))
    if opcode in _KEEPS_ZEROS:
        low.emit(name, to, a, b)
        return
    whole = low.builder.compute(name, f"b{width}", a, b)
    mask = Imm((1 << low.layout.scalar_bits(leaf)) - 1)
    low.emit(f"and.b{width}", to, whole, mask)


def _binary(low: Lowering, leaf: Scalar, to: Reg, a: Operand, b: Operand) -> None:
    template = low.template
    if word_values.is_odd(low, leaf):
        _odd_binary(low, leaf, to, a, b)
        return
    if template.opcode == "frem":
        _remainder(low, leaf, to, a, b)
        return
    line = _TABLE["binary"][template.opcode]
    if is_predicate(leaf):
        if "predicate" not in line:
            raise Unsupported(f"`{template.opcode}` of i1")
        if template.opcode == "xor" and b == Imm(1):
            low.emit("not.pred", to, a)
            return
        low.emit(line["predicate"], to, a, b)
        return
    opcode = line["opcode"]
    if "fast" in line and not _FAST.isdisjoint(template.words):
        opcode = line["fast"]
    elif template.opcode == "fdiv" and "!fpmath" in low.attachments:
        opcode = "div.full.{f}"
    if line.get("amount"):
        b = low.builder.resized(b, leaf, 32)
    low.emit(opcode.format(**low.module.spellings(leaf)), to, a, b)


def _remainder(low: Lowering, leaf: Scalar, to: Reg, a: Operand, b: Operand) -> None:
    """``frem``, which PTX lacks: a - trunc(a / b) * b."""
    f = low.module.spelled(leaf, "f")
    quotient = low.builder.compute(f"div.rn.{f}", f, a, b)
    whole = low.builder.compute(f"cvt.rzi.{f}.{f}", f, quotient)
    negative = low.builder.compute(f"neg.{f}", f, whole)
    low.emit(f"fma.rn.{f}", to, negative, b, a)


def lower_unary(low: Lowering, template: st.Template) -> None:
    """``fneg`` and ``freeze``."""
    (value,) = template.operands
    results, leaves = low.results(value.type), low.layout.leaves(value.type)
    for to, a, leaf in zip(results, low.in_space(value), leaves, strict=True):
        if template.opcode == "freeze":
            low.builder.move(to, a)
        else:
            low.emit(f"neg.{low.module.spelled(leaf, 'f')}", to, a)


def lower_compare(low: Lowering, template: st.Template) -> None:
    """``icmp`` and ``fcmp``, one ``setp`` a part."""
    left, right = template.operands
    predicate = template.words[-1]
    results = low.results(low.predicate_type(left.type))
    leaves = low.layout.leaves(left.type)
    if word_values.is_wide(low, left.type):
        bits = word_values.bits_of(low, left.type)
        pairs = (word_values.chunks(low.values.parts(o), bits) for o in (left, right))
        for to, x, y in zip(results, *pairs, strict=True):
            word_values.compare(low, predicate, bits, x, y, to)
        return
    parts = part_by_part(results, low.values.parts(left), low.values.parts(right), leaves)
    for to, a, b, leaf in parts:
        if template.opcode == "fcmp" and predicate in ("true", "false"):
            low.emit("mov.pred", to, Imm(int(predicate == "true")))
        elif is_predicate(leaf):
            _compare_predicates(low, predicate, to, a, b)
        else:
            if predicate[0] == "s" and word_values.is_odd(low, leaf):
                pair = [word_values.sign_extended(low, x, leaf) for x in (a, b)]
            else:
                pair = [a, b]
            opcode = _TABLE[template.opcode][predicate]
            low.emit(opcode.format(**low.module.spellings(leaf)), to, *pair)


def _compare_predicates(low: Lowering, predicate: str, to: Reg, a: Operand, b: Operand) -> None:
    """Comparison of two ``i1``: bits for equality, else as the integers that they are."""
    if predicate == "ne":
        low.emit("xor.pred", to, a, b)
        return
    if predicate == "eq":
        low.emit("not.pred", to, low.builder.compute("xor.pred", "pred", a, b))
        return
    one = Imm(-1 if predicate[0] == "s" else 1)
    wide = [
        low.builder.compute("selp.s32", "b32", one, Imm(0), low.builder.predicate(p))
        for p in (a, b)
    ]
    low.emit(_TABLE["icmp"][predicate].format(s="s32", u="u32", b="b32"), to, *wide)


def lower_select(low: Lowering, template: st.Template) -> None:
    """``select``; of two ``i1`` with a constant it is a logical operation."""
    condition, yes, no = template.operands
    conditions = low.values.parts(condition)
    results = low.results(yes.type)
    pairs = list(zip(low.in_space(yes), low.in_space(no), strict=True))
    each = len(results) // len(conditions)  # parts that one condition decides on
    conditions = tuple(p for p in conditions for _ in range(each))
    for to, (a, b), p in zip(results, pairs, conditions, strict=True):
        _select(low, to, a, b, p)


def _select(low: Lowering, to: Reg, a: Operand, b: Operand, p: Operand) -> None:
    predicates = low.builder.type_of(to).name == "pred"
    if isinstance(p, Imm):
        low.builder.move(to, a if p.value else b)
    elif predicates and a == Imm(1):
        low.emit("or.pred", to, p, b)
    elif predicates and b == Imm(0):
        low.emit("and.pred", to, p, a)
    else:
        low.emit(f"selp.{low.builder.type_of(to)}", to, a, b, p)


def lower_cast(low: Lowering, template: st.Template) -> None:
    """``trunc`` to ``uitofp``, one conversion a part; a bit cast may regroup the parts."""
    (value,) = template.operands
    assert template.type is not None
    if template.opcode == "bitcast":
        _bitcast(low, value, template)
        return
    if template.opcode == "addrspacecast":
        low.cast_address(value, template)
        return
    if word_values.is_wide(low, template.type) or word_values.is_wide(low, value.type):
        _wide_cast(low, value, template)
        return
    tos, froms = low.layout.leaves(template.type), low.layout.leaves(value.type)
    results = low.results(template.type)
    for to, a, t, f in zip(results, low.values.parts(value), tos, froms, strict=True):
        _cast(low, to, a, t, f)


def _cast(low: Lowering, to: Reg, a: Operand, t: Scalar, f: Scalar) -> None:
    opcode = low.template.opcode
    if opcode in ("ptrtoint", "inttoptr", "ptrtoaddr"):
        if is_predicate(t):
            raise Unsupported(f"`{opcode}` to i1")
        low.builder.resize(to, a, low.module.width(t), low.module.width(f), "u")
    elif is_predicate(f):
        _from_predicate(low, opcode, to, a, t)
    elif is_predicate(t):
        _to_predicate(low, low.template, to, a, f)
    else:
        _convert(low, to, a, t, f)


def _convert(low: Lowering, to: Reg, a: Operand, t: Scalar, f: Scalar) -> None:
    """A conversion between numbers; odd widths are cut or extended by hand."""
    opcode = low.template.opcode
    widths = low.module.width(t), low.module.width(f)
    if opcode in ("sext", "sitofp") and word_values.is_odd(low, f):
        a = word_values.sign_extended(low, a, f)
    cut = word_values.is_odd(low, t) and opcode not in ("zext", "fptoui")
    bits = low.layout.scalar_bits(t)
    if cut and opcode == "trunc" and widths[0] == widths[1]:
        low.emit(f"and.b{widths[0]}", to, a, Imm((1 << bits) - 1))
        return
    if widths[0] == widths[1] and opcode in ("zext", "sext", "trunc"):
        low.builder.move(to, word_values.masked(low, a, widths[0], bits) if cut else a)
        return
    names = {**low.module.spellings(t, "to_"), **low.module.spellings(f, "from_")}
    name = _TABLE["cast"][opcode].format(**names)
    if not cut:
        low.emit(name, to, a)
        return
    whole = low.builder.compute(name, f"b{widths[0]}", a)
    low.emit(f"and.b{widths[0]}", to, whole, Imm((1 << bits) - 1))


def _wide_cast(low: Lowering, value: st.Typed, template: st.Template) -> None:
    assert template.type is not None
    to, source = word_values.element_of(low, template.type), word_values.element_of(low, value.type)
    results, parts = low.results(template.type), low.values.parts(value)
    step = len(low.layout.leaves(source))
    found = [
        part
        for k in range(0, len(parts), step)
        for part in word_values.cast(low, template.opcode, parts[k : k + step], to, source)
    ]
    for register, part in zip(results, found, strict=True):
        low.builder.move(register, part)


def _from_predicate(low: Lowering, opcode: str, to: Reg, a: Operand, t: Scalar) -> None:
    sign = -1 if opcode in ("sext", "sitofp") else 1
    if isinstance(t, FloatType):
        f = low.module.spelled(t, "f")
        low.emit(f"selp.{f}", to, float_of(sign, t), float_of(0, t), low.builder.predicate(a))
        return
    s = low.module.spelled(t, "s")
    low.emit(f"selp.{s}", to, Imm(sign), Imm(0), low.builder.predicate(a))


def _to_predicate(low: Lowering, template: st.Template, to: Reg, a: Operand, f: Scalar) -> None:
    width = low.module.width(f)
    if isinstance(f, FloatType):
        letter = "s" if template.opcode == "fptosi" else "u"
        a = low.builder.compute(f"cvt.rzi.{letter}32.{low.module.spelled(f, 'f')}", "b32", a)
        width = 32
    elif "nuw" not in template.words:
        a = low.builder.compute(f"and.b{width}", f"b{width}", a, Imm(1))
    low.emit(f"setp.ne.b{width}", to, a, Imm(0))


def _bitcast(low: Lowering, value: st.Typed, template: st.Template) -> None:
    assert template.type is not None
    froms, tos = low.layout.leaves(value.type), low.layout.leaves(template.type)
    results, parts = low.results(template.type), low.values.parts(value)
    if [low.layout.scalar_bits(f) for f in froms] == [low.layout.scalar_bits(t) for t in tos]:
        for to, a, leaf in zip(results, parts, tos, strict=True):
            low.builder.move(to, bits_as(a, leaf, low.layout.scalar_bits(leaf)))
        return
    if not low.regrouped(results, parts, tos, froms):
        word_values.unpack(low, word_values.pack(low, parts, froms), tos, results)


# Lowering of what moves parts of vectors and aggregates: copies of the scalars they are.

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
