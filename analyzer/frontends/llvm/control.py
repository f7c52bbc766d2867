"""Lowering of what ends a block."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.builder import is_predicate
from warpmill.analyzer.frontends.llvm.fields import is_odd
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import Unsupported
from warpmill.analyzer.ir.kernel import Guard, Imm


def block_of(low: Lowering, label: st.Name) -> int:
    """The id of a block by its label's name."""
    text = low.values.name(label)[1:]
    if text not in low.labels:
        raise Unsupported(f"the label %{text}")
    return low.labels[text]


def lower_branch(low: Lowering, template: st.Template) -> None:
    """``br``: the false successor is the one that falls through."""
    targets = [block_of(low, label) for label in template.labels]
    if not template.operands:
        low.emit("bra", targets=(targets[0],))
        return
    condition = low.values.scalar(template.operands[0])
    guard = Guard(low.builder.predicate(condition))  # both edges stay, also of a constant
    low.emit("bra", guard=guard, targets=(targets[0],))
    low.fallthrough = targets[1]


def lower_switch(low: Lowering, template: st.Template) -> None:
    """``switch``: the default is the one that falls through."""
    value, *cases = template.operands
    default, *targets = (block_of(low, label) for label in template.labels)
    if not cases:
        low.emit("bra", targets=(default,))
        return
    leaf = low.layout.leaf(value.type)
    numbers = [low.values.integer(case) for case in cases]
    if is_odd(low, leaf):
        mask = (1 << low.layout.scalar_bits(leaf)) - 1
        numbers = [None if n is None else n & mask for n in numbers]
    operand = low.values.scalar(value)
    if is_predicate(leaf):
        operand = low.builder.resized(operand, leaf, 32)
        numbers = [None if n is None else n & 1 for n in numbers]
    width = max(low.module.width(leaf), 8) if not is_predicate(leaf) else 32
    immediates = tuple(Imm(n) for n in numbers if n is not None)
    if len(immediates) != len(targets):
        raise Unsupported("a case that is no constant")
    low.emit(f"switch.s{width}", operand, *immediates, targets=tuple(targets))
    low.fallthrough = default


def lower_indirect_branch(low: Lowering, template: st.Template) -> None:
    """``indirectbr``: a jump to one of the blocks, said not to be known which."""
    message = "`indirectbr`: which block an address names is not known, any of them may follow"
    low.module.warn(low.builder.span, message)
    operand = low.values.scalar(template.operands[0])
    targets = dict.fromkeys(block_of(low, label) for label in template.labels)
    if not targets:
        low.emit("unreachable")
        return
    operand = low.builder.resized(operand, low.layout.leaf(template.operands[0].type), 32)
    low.emit("brx.idx", operand, targets=tuple(targets))


def lower_return(low: Lowering, template: st.Template) -> None:
    """``ret``: a device function's result is moved to where its caller finds it."""
    for value in template.operands:
        for to, part in zip(low.returns, low.values.parts(value, symbols=True), strict=True):
            low.builder.move(to, part)
    low.emit("ret")


def lower_unreachable(low: Lowering, template: st.Template) -> None:  # noqa: ARG001 - a handler takes both
    """``unreachable``."""
    low.emit("unreachable")
