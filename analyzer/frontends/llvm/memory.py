"""Lowering of loads, stores, atomics, fences and address arithmetic."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import (
    ValuePlace,
    address_of,
    dotted,
    load_parts,
    store_parts,
)
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.target import data_table
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    Scalar,
    StructType,
    Type,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.frontends.llvm.word_values import is_odd, sign_extended
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg, Symbol, Vector
from warpmill.analyzer.ir.types import Space

_TABLE = data_table("instructions.toml")


def _alignment(low: Lowering, template: st.Template, type_: Type) -> int:
    """An atomic access is taken as aligned: it cannot be cut, and no target has one that is not."""
    if template.align is None or "atomic" in template.words:
        return low.layout.align(type_)
    return int(low.values.texts[template.align])


def _qualifiers(low: Lowering, template: st.Template, kind: str) -> str:
    """``.volatile``, or order and scope of an atomic access; nothing for a plain one."""
    order = next((w for w in template.words if w in _TABLE["orders"][kind]), None)
    if order is not None:
        if order == "seq_cst":
            low.emit(f"fence.sc.{scope_of(low, template)}")
        return f".{_TABLE['orders'][kind][order]}.{scope_of(low, template)}"
    return ".volatile" if "volatile" in template.words else ""


def scope_of(low: Lowering, template: st.Template) -> str:
    """PTX's name for a statement's ``syncscope``."""
    text = "" if template.scope is None else low.values.texts[template.scope].strip('"')
    return str(_TABLE["scopes"].get(text.removesuffix("-one-as"), "sys"))


def lower_load(low: Lowering, template: st.Template) -> None:
    """``load``, as one instruction or several."""
    assert template.type is not None
    base, space = low.values.pointer(template.operands[0])
    head = f"ld{_qualifiers(low, template, 'load')}{dotted(space)}"
    if space is Space.GLOBAL and "!invariant.load" in low.attachments and head == "ld.global":
        head += ".nc"
    access = ValuePlace(head, base, _alignment(low, template, template.type))
    load_parts(low, access, template.type)


def lower_store(low: Lowering, template: st.Template) -> None:
    """``store``, as one instruction or several."""
    value, pointer = template.operands
    parts = low.values.parts(value)
    base, space = low.values.pointer(pointer)
    head = f"st{_qualifiers(low, template, 'store')}{dotted(space)}"
    access = ValuePlace(head, base, _alignment(low, template, value.type))
    store_parts(low, access, value.type, parts)


def lower_fence(low: Lowering, template: st.Template) -> None:
    """``fence``."""
    order = "sc" if "seq_cst" in template.words else "acq_rel"
    low.emit(f"fence.{order}.{scope_of(low, template)}")


def lower_gep(low: Lowering, template: st.Template) -> None:
    """``getelementptr``: one ``lea`` for each variable index, at least one; lane by lane."""
    base, *indices = template.operands
    assert template.type is not None
    types = [low.layout.resolve(o.type) for o in template.operands]
    count = next((t.count for t in types if isinstance(t, VectorType)), None)
    offset, terms = low.values.gep_terms(template.type, indices)
    if count is None:
        pointer: Operand = low.values.pointer(base)[0]
        (to,) = low.results(base.type)
        scaled = [(low.values.scalar(i), low.layout.leaf(i.type), scale) for i, scale in terms]
        _address(low, to, pointer, offset, scaled)
        return
    element = types[0].element if isinstance(types[0], VectorType) else types[0]
    bases = _spread(low.values.parts(base), count)
    lanes = [_spread(low.values.parts(index), count) for index, _ in terms]
    leaves = [low.layout.leaves(index.type)[0] for index, _ in terms]
    for k, to in enumerate(low.results(VectorType(count, element))):
        scaled = [
            (lane[k], leaf, scale)
            for lane, leaf, (_, scale) in zip(lanes, leaves, terms, strict=True)
        ]
        _address(low, to, bases[k], offset, scaled)


def _spread(parts: tuple[Operand, ...], count: int) -> tuple[Operand, ...]:
    return parts * count if len(parts) == 1 else parts


def _address(
    low: Lowering,
    to: Reg,
    address: Operand,
    offset: int,
    terms: list[tuple[Operand, Scalar, int]],
) -> None:
    """The address of one lane: a base, a byte offset, and indices with their scales."""
    width = low.builder.type_of(to).bits
    if isinstance(address, Symbol):
        address, offset = Symbol(address.name), address.offset + offset
    if not terms:
        low.emit(f"lea.b{width}", to, address, Imm(0), Imm(1), Imm(offset))
    for position, (value, leaf, scale) in enumerate(terms):
        index = sign_extended(low, value, leaf) if is_odd(low, leaf) else value
        index = low.builder.resized(index, leaf, width, "s")
        last = position == len(terms) - 1
        result = to if last else low.builder.temporary(f"b{width}")
        low.emit(f"lea.b{width}", result, address, index, Imm(scale), Imm(offset))
        address, offset = result, 0


# Lowering of ``atomicrmw`` and ``cmpxchg``.


def lower_atomic(low: Lowering, template: st.Template) -> None:
    """``atomicrmw``."""
    pointer, value = template.operands
    name = next((w for w in template.words if w in _TABLE["atomic"]), None)
    if name is None:
        raise Unsupported(f"`atomicrmw {' '.join(template.words)}`")
    if isinstance(low.layout.resolve(value.type), VectorType):
        _packed_atomic(low, template, name)
        return
    leaf = low.layout.leaf(value.type)
    line = _TABLE["atomic"][name]
    spellings = low.module.spellings(leaf)
    if isinstance(leaf, FloatType) and name == "xchg":
        spellings["b"] = f"b{low.module.width(leaf)}"
    operand = low.values.scalar(value)
    base, space = low.values.pointer(pointer)
    (to,) = low.results(value.type)
    if "negate" in line:
        operand = _negated(low, line["negate"].format(**spellings), leaf, operand)
    opcode = line["opcode"].format(**spellings, space=dotted(space))
    low.emit(opcode, to, address_of(base), operand)


def _packed_atomic(low: Lowering, template: st.Template, name: str) -> None:
    """Two halves are added at once; that is all that there is of vectors."""
    pointer, value = template.operands
    leaves = low.layout.leaves(value.type)
    if name != "fadd" or len(leaves) != 2 or low.module.width(leaves[0]) != 16:
        raise Unsupported(f"`atomicrmw {name}` of a vector")
    results, parts = low.results(value.type), low.values.parts(value)
    base, space = low.values.pointer(pointer)
    type_ = f"{low.module.spelled(leaves[0], 'f')}x2"
    both = low.builder.compute("mov.b32", "b32", Vector(parts))
    old = low.builder.compute(
        f"atom{dotted(space)}.add.noftz.{type_}", "b32", address_of(base), both
    )
    low.emit("mov.b32", Vector(results), old)


def _negated(low: Lowering, opcode: str, leaf: Scalar, operand: Operand) -> Operand:
    if isinstance(operand, Imm):
        return Imm(-operand.value)
    return low.builder.compute(opcode, low.module.register_type(leaf), operand)


def lower_compare_exchange(low: Lowering, template: st.Template) -> None:
    """``cmpxchg``: the compare-and-swap, and the comparison for its second result."""
    pointer, expected, new = template.operands
    leaves = low.layout.leaves(expected.type)
    *old, success = low.results(StructType((expected.type, IntType(1))))
    if len(leaves) == 2:
        _wide_exchange(low, template, old, success)
        return
    leaf = low.layout.leaf(expected.type)
    wanted, value = low.values.scalar(expected), low.values.scalar(new)
    base, space = low.values.pointer(pointer)
    b = low.module.spelled(leaf, "b")
    low.emit(f"atom{dotted(space)}.cas.{b}", old[0], address_of(base), wanted, value)
    low.emit(f"setp.eq.{b}", success, old[0], wanted)


def _wide_exchange(low: Lowering, template: st.Template, old: list[Reg], success: Reg) -> None:
    """Of 128 bits: PTX takes them as one register each."""
    pointer, expected, new = template.operands
    wanted, value = low.values.parts(expected), low.values.parts(new)
    base, space = low.values.pointer(pointer)
    both = [low.builder.compute("mov.b128", "b128", Vector(v)) for v in (wanted, value)]
    opcode = f"atom{dotted(space)}.cas.b128"
    found = low.builder.compute(opcode, "b128", address_of(base), *both)
    low.emit("mov.b128", Vector(tuple(old)), found)
    same = [
        low.builder.compute("setp.eq.b64", "pred", o, w) for o, w in zip(old, wanted, strict=True)
    ]
    low.emit("and.pred", success, *same)
