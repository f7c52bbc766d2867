"""Intrinsics on integers narrower than their register: what goes in and comes out is brought about.

The rule is that of the register's width. Where the highest bit matters (saturation, overflow) the
values are moved up to it and back; elsewhere they are extended as the operation asks for.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.frontends.llvm import fields
from warpmill.analyzer.frontends.llvm.call_table import Rule
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import IntType, Scalar, Unsupported
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg

_Pairs = tuple[tuple[Operand, Scalar], ...]
Results = tuple[tuple[Reg, Scalar], ...]
_MOVED_UP = frozenset(
    {
        f"llvm.{s}{op}.{how}"
        for s in "su"
        for op in ("add", "sub")
        for how in ("sat", "with.overflow")
    }
)
_MOVED_DOWN = ("llvm.bitreverse", "llvm.bswap")
_PLAIN = frozenset(
    {"llvm.umin", "llvm.umax", "llvm.smin", "llvm.smax", "llvm.abs", "llvm.ctpop", "llvm.ctlz",
     "llvm.expect", "llvm.ssa.copy", "llvm.ucmp", "llvm.scmp", "llvm.cttz"}
)  # fmt: skip


def has_odd(low: Lowering, *groups: _Pairs | Results) -> bool:
    """Whether some of the scalars are such integers."""
    return any(fields.is_odd(low, scalar) for group in groups for _, scalar in group)


def whole(low: Lowering, scalar: Scalar) -> Scalar:
    """The integer type as wide as a scalar's register."""
    odd = fields.is_odd(low, scalar)
    return IntType(low.module.width(scalar)) if odd else scalar


class OddCall:
    """One call: ``arguments`` and ``results`` for the rule, then ``settle`` the results."""

    def __init__(
        self, low: Lowering, rule: Rule, results: Results, arguments: list[_Pairs]
    ) -> None:
        self._low, self._name = low, rule.name
        down = rule.name.startswith(_MOVED_DOWN)
        if rule.name not in _PLAIN | _MOVED_UP and not down:
            raise Unsupported(f"`{rule.name}` of an integer of such a width")
        signed = any("<s>" in text or "<0s>" in text for text in rule.emit)
        enter = self._up if rule.name in _MOVED_UP else self._signed if signed else self._same
        self.arguments = [
            tuple((enter(o, s), whole(low, s)) for o, s in pairs) for pairs in arguments
        ]
        self._late: list[tuple[Reg, Reg, Scalar]] = []
        self.results = tuple(self._result(register, scalar) for register, scalar in results)

    def _spare(self, scalar: Scalar) -> int:
        return self._low.module.width(scalar) - self._low.layout.scalar_bits(scalar)

    def _same(self, operand: Operand, scalar: Scalar) -> Operand:  # noqa: ARG002 - one of three of a kind
        return operand

    def _signed(self, operand: Operand, scalar: Scalar) -> Operand:
        odd = fields.is_odd(self._low, scalar)
        return fields.sign_extended(self._low, operand, scalar) if odd else operand

    def _up(self, operand: Operand, scalar: Scalar) -> Operand:
        width = self._low.module.width(scalar)
        if isinstance(operand, Imm):
            return Imm(operand.value << self._spare(scalar) & ((1 << width) - 1))
        amount = Imm(self._spare(scalar))
        return self._low.builder.compute(f"shl.b{width}", f"b{width}", operand, amount)

    def _result(self, register: Reg, scalar: Scalar) -> tuple[Reg, Scalar]:
        if not fields.is_odd(self._low, scalar):
            return register, scalar
        found = self._low.builder.temporary(self._low.builder.type_of(register))
        self._late.append((register, found, scalar))
        return found, whole(self._low, scalar)

    def settle(self) -> None:
        """Give the results their registers, with zeros above."""
        finish: Callable[[Reg, Reg, Scalar], None] = self._mask
        if self._name in _MOVED_UP or self._name.startswith(_MOVED_DOWN):
            finish = self._down
        elif self._name == "llvm.ctlz":
            finish = self._fewer
        elif self._name == "llvm.cttz":
            finish = self._at_most
        for to, value, scalar in self._late:
            finish(to, value, scalar)

    def _mask(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width, bits = self._low.module.width(scalar), self._low.layout.scalar_bits(scalar)
        self._low.emit(f"and.b{width}", to, value, Imm((1 << bits) - 1))

    def _down(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width = self._low.module.width(scalar)
        self._low.emit(f"shr.u{width}", to, value, Imm(self._spare(scalar)))

    def _fewer(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width = self._low.module.width(scalar)
        self._low.emit(f"sub.s{width}", to, value, Imm(self._spare(scalar)))

    def _at_most(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width, bits = self._low.module.width(scalar), self._low.layout.scalar_bits(scalar)
        self._low.emit(f"min.u{width}", to, value, Imm(bits))
