"""Lowering of arithmetic, comparisons, selection and casts, part by part for vectors."""

from __future__ import annotations

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.builder import is_predicate
from analyzer.frontends.llvm.constants import float_of
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.target import data_table
from analyzer.frontends.llvm.types import FloatType, Scalar, Unsupported
from analyzer.ir.kernel import Imm, Operand, Reg

_TABLE = data_table("instructions.toml")
_FAST = frozenset(_TABLE["fast_flags"])


def lower_binary(low: Lowering, template: st.Template) -> None:
    """``add`` to ``frem``, one instruction a part."""
    left, right = template.operands
    leaves = low.layout.leaves(left.type)
    results = low.results(left.type)
    parts = zip(results, low.values.parts(left), low.values.parts(right), leaves, strict=True)
    for to, a, b, leaf in parts:
        _binary(low, leaf, to, a, b)


def _binary(low: Lowering, leaf: Scalar, to: Reg, a: Operand, b: Operand) -> None:
    template = low.template
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
    parts = zip(results, low.values.parts(left), low.values.parts(right), leaves, strict=True)
    for to, a, b, leaf in parts:
        if template.opcode == "fcmp" and predicate in ("true", "false"):
            low.emit("mov.pred", to, Imm(int(predicate == "true")))
        elif is_predicate(leaf):
            _compare_predicates(low, predicate, to, a, b)
        else:
            opcode = _TABLE[template.opcode][predicate]
            low.emit(opcode.format(**low.module.spellings(leaf)), to, a, b)


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
    if len(conditions) == 1:
        conditions *= len(results)
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
    bits = low.layout.scalar_bits
    widths = low.module.width(t), low.module.width(f)
    odd = not isinstance(f, FloatType) and bits(f) != widths[1]
    if opcode == "sext" and odd:
        left = low.builder.compute(
            f"shl.b{widths[1]}", f"b{widths[1]}", a, Imm(widths[1] - bits(f))
        )
        a = low.builder.compute(
            f"shr.s{widths[1]}", f"b{widths[1]}", left, Imm(widths[1] - bits(f))
        )
    mask = (1 << min(bits(t), bits(f))) - 1
    cut = (opcode == "zext" and odd) or (opcode == "trunc" and bits(t) != widths[0])
    if cut:
        a = low.builder.compute(f"and.b{widths[1]}", f"b{widths[1]}", a, Imm(mask))
    if widths[0] == widths[1] and opcode in ("zext", "sext", "trunc"):
        low.builder.move(to, a)
        return
    names = {**low.module.spellings(t, "to_"), **low.module.spellings(f, "from_")}
    low.emit(_TABLE["cast"][opcode].format(**names), to, a)


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
    if len(froms) == len(tos):
        for to, a in zip(results, parts, strict=True):
            low.builder.move(to, a)
        return
    if any(map(is_predicate, (*froms, *tos))):
        _bits_of_predicates(low, results, parts, tos)
        return
    low.regroup(results, parts, sum(map(low.layout.scalar_bits, tos)))


def _bits_of_predicates(
    low: Lowering, results: tuple[Reg, ...], parts: tuple[Operand, ...], tos: tuple[Scalar, ...]
) -> None:
    """``<N x i1>`` to an integer of N bits, and back."""
    if is_predicate(tos[0]) and len(parts) == 1:
        type_ = low.builder.type_of(parts[0]) if isinstance(parts[0], Reg) else "b64"
        for k, to in enumerate(results):
            bit = low.builder.compute(f"and.{type_}", type_, parts[0], Imm(1 << k))
            low.emit(f"setp.ne.{type_}", to, bit, Imm(0))
        return
    if len(results) != 1:
        raise Unsupported("a bit cast between vectors of predicates and others")
    type_ = low.builder.type_of(results[0])
    total: Operand = Imm(0)
    for k, part in enumerate(parts):
        p = low.builder.predicate(part)
        bit = low.builder.compute(f"selp.{type_}", type_, Imm(1 << k), Imm(0), p)
        total = low.builder.compute(f"or.{type_}", type_, total, bit)
    low.builder.move(results[0], total)
