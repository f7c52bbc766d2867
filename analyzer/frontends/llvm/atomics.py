"""Lowering of ``atomicrmw`` and ``cmpxchg``."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import address_of, dotted
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.target import data_table
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    Scalar,
    StructType,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg, Vector

_TABLE = data_table("instructions.toml")


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
