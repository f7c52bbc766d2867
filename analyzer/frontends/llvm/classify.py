"""``llvm.is.fpclass`` and AMD's ``class``: which kinds of floating-point numbers one is of."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import FloatType, Scalar
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg

_FRACTION = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
# Bits of a test: signalling and quiet NaN; then from -infinity to -0, from +0 to +infinity.
_SIGNALLING, _QUIET = 1, 2
_SIGNED = {"inf": (4, 512), "normal": (8, 256), "subnormal": (16, 128), "zero": (32, 64)}


def lower_class(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.is.fpclass(x, test)`` by comparisons of the number's bits."""
    value, test = template.operands
    wanted = low.values.integer(test)
    if wanted is None or template.type is None:
        return False
    leaves = low.layout.leaves(value.type)
    results = low.results(template.type)
    for to, part, leaf in zip(results, low.values.parts(value), leaves, strict=True):
        if not isinstance(leaf, FloatType) or leaf.name not in _FRACTION:
            return False
        _test(low, to, part, leaf, wanted)
    return True


lower_amd_class = lower_class


def _test(low: Lowering, to: Reg, part: Operand, leaf: FloatType, wanted: int) -> None:
    found: Operand | None = None
    for holds in _Number(low, part, leaf).kinds(wanted):
        found = holds if found is None else low.builder.compute("or.pred", "pred", found, holds)
    low.builder.move(to, Imm(0) if found is None else found)


class _Number:
    """A number's bits, and what limits its kinds."""

    def __init__(self, low: Lowering, part: Operand, leaf: Scalar) -> None:
        assert isinstance(leaf, FloatType)
        self.low, self.width = low, low.module.width(leaf)
        fraction = _FRACTION[leaf.name]
        self.infinity = ((1 << (self.width - 1 - fraction)) - 1) << fraction
        self.quiet = self.infinity | 1 << (fraction - 1)
        self.least_normal = 1 << fraction
        self.bits = self._compute("mov", part)
        self.size = self._compute("and", self.bits, Imm((1 << (self.width - 1)) - 1))

    def _compute(self, opcode: str, *sources: Operand) -> Reg:
        return self.low.builder.compute(f"{opcode}.b{self.width}", f"b{self.width}", *sources)

    def _compare(self, how: str, left: Operand, right: int) -> Reg:
        return self.low.builder.compute(f"setp.{how}{self.width}", "pred", left, Imm(right))

    def kinds(self, wanted: int) -> Iterator[Reg]:
        """A predicate for each kind that is asked for."""
        if wanted & 3 == 3:
            yield self._compare("gt.u", self.size, self.infinity)
        elif wanted & _QUIET:
            yield self._compare("ge.u", self.size, self.quiet)
        elif wanted & _SIGNALLING:
            yield self._between(self.infinity + 1, self.quiet)
        for name, (negative, positive) in _SIGNED.items():
            if wanted & (negative | positive):
                holds = self._signed(name)
                if not wanted & positive:
                    holds = self._also(holds, self._compare("lt.s", self.bits, 0))
                elif not wanted & negative:
                    holds = self._also(holds, self._compare("ge.s", self.bits, 0))
                yield holds

    def _also(self, left: Reg, right: Reg) -> Reg:
        return self.low.builder.compute("and.pred", "pred", left, right)

    def _between(self, first: int, end: int) -> Reg:
        moved = self._sub(first)
        return self._compare("lt.u", moved, end - first)

    def _sub(self, number: int) -> Reg:
        width = self.width
        return self.low.builder.compute(f"sub.s{width}", f"b{width}", self.size, Imm(number))

    def _signed(self, name: str) -> Reg:
        match name:
            case "inf":
                return self._compare("eq.b", self.size, self.infinity)
            case "zero":
                return self._compare("eq.b", self.size, 0)
            case "normal":
                return self._between(self.least_normal, self.infinity)
        return self._between(1, self.least_normal)
