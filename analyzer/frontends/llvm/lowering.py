"""What the lowering of one statement has at hand: operands, results, the open block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.builder import Builder
from warpmill.analyzer.frontends.llvm.constants import bits_as
from warpmill.analyzer.frontends.llvm.types import (
    IntType,
    LastWord,
    PointerType,
    Scalar,
    Type,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.frontends.llvm.values import OperandValues
from warpmill.analyzer.ir.kernel import Operand, Reg, Symbol, Vector
from warpmill.analyzer.ir.types import Space


class BlockEnds(Exception):  # noqa: N818 - no error: what follows in the block is not reached
    """An instruction that ends its thread stands in the middle of a block."""


def part_by_part(*parts: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """What stands together in values of several parts. Unsupported where their numbers differ."""
    if len({len(each) for each in parts}) > 1:  # addresses of more bits than a register has
        raise Unsupported("an address of more than 64 bits")
    return zip(*parts, strict=True)


class Lowering:
    """One function's lowering, at one statement.

    ``template`` and ``attachments`` are those of the statement; ``labels`` gives block ids.
    ``returns`` are the registers that a device function leaves its result in,
    ``constant_samplers`` those that hold the number of one so far.
    """

    def __init__(self, builder: Builder, values: OperandValues, labels: Mapping[str, int]) -> None:
        self.builder = builder
        self.values = values
        self.module = builder.module
        self.layout = builder.module.layout
        self.labels = labels
        self.attachments = ""
        self.template = st.Template("unreachable")
        self.fallthrough: int | None = None
        self.returns: tuple[Reg, ...] = ()
        self.constant_samplers: set[Reg] = set()
        self.emit = builder.emit

    def results(self, type_: Type) -> tuple[Reg, ...]:
        """The registers of the statement's result; one that is dropped gets registers too."""
        if self.template.result is None:
            leaves = self.layout.leaves(type_)
            return tuple(self.builder.temporary(self.module.register_type(leaf)) for leaf in leaves)
        return self.values.registers(self.result_name, type_)

    @property
    def result_name(self) -> str:
        """The name of the statement's result."""
        assert self.template.result is not None
        return self.values.name(self.template.result)

    @property
    def result_space(self) -> Space | None:
        """The memory space of a pointer result whose type is generic, where it is known."""
        if self.template.result is None:
            return None
        return self.values.spaces.get(self.result_name)

    def in_space(self, value: st.Typed, symbols: bool = False) -> tuple[Operand, ...]:
        """A value's parts; a pointer in the space of the result that it becomes part of."""
        if isinstance(value.type, PointerType) and self.result_space is not None:
            operand = self.values.pointer(value)[0]
            if isinstance(operand, Symbol) and not symbols:
                width = self.module.width(value.type)
                operand = self.builder.compute(f"mov.u{width}", f"b{width}", operand)
            return (operand,)
        return self.values.parts(value, symbols)

    def predicate_type(self, type_: Type) -> Type:
        """The type of a comparison's result: ``i1``, or a vector of them."""
        resolved = self.layout.resolve(type_)
        if isinstance(resolved, VectorType):
            return VectorType(resolved.count, IntType(1))
        return IntType(1)

    def cast_address(self, value: st.Typed, template: st.Template) -> None:
        """``addrspacecast``: ``cvta`` to generic, ``cvta.to`` from it, both between two others."""
        assert template.type is not None
        if not isinstance(template.type, PointerType):
            self._cast_addresses(value, template.type)
            return
        to, *rest = self.results(template.type)
        if rest:
            raise Unsupported(f"an address of {self.layout.scalar_bits(template.type)} bits")
        operand, space = self.values.pointer(value)
        wanted = self.values.type_space(template.type)
        if space is Space.GLOBAL and wanted is not space and self.values.is_generic(value):
            space = Space.GENERIC
        if space is wanted:
            self.builder.move(to, operand)
            return
        wide = self.module.generic_width
        if space is not Space.GENERIC:
            if isinstance(value.type, PointerType):
                operand = self.builder.resized(operand, value.type, wide)
            if wanted is Space.GENERIC:
                self.emit(f"cvta.{space.value}.u{wide}", to, operand)
                return
            operand = self.builder.compute(f"cvta.{space.value}.u{wide}", f"b{wide}", operand)
        narrow = self.builder.type_of(to).bits
        if narrow == wide:
            self.emit(f"cvta.to.{wanted.value}.u{wide}", to, operand)
            return
        moved = self.builder.compute(f"cvta.to.{wanted.value}.u{wide}", f"b{wide}", operand)
        self.builder.resize(to, moved, narrow, wide, "u")

    def _cast_addresses(self, value: st.Typed, type_: Type) -> None:
        """``addrspacecast`` of a vector, element by element."""
        source, to_type = self.layout.resolve(value.type), self.layout.resolve(type_)
        if not isinstance(source, VectorType) or not isinstance(to_type, VectorType):
            raise Unsupported("`addrspacecast` of an aggregate")
        space, wanted = (self.values.type_space(t.element) for t in (source, to_type))
        wide = self.module.generic_width
        for to, part in part_by_part(self.results(type_), self.values.parts(value)):
            operand: Operand = self.builder.resized(part, self.layout.leaves(source)[0], wide)
            for how in [space.value] * (space is not Space.GENERIC):
                operand = self.builder.compute(f"cvta.{how}.u{wide}", f"b{wide}", operand)
            for how in [wanted.value] * (wanted is not Space.GENERIC):
                operand = self.builder.compute(f"cvta.to.{how}.u{wide}", f"b{wide}", operand)
            self.builder.resize(to, operand, self.builder.type_of(to).bits, wide, "u")

    def regrouped(
        self,
        results: tuple[Reg, ...],
        parts: tuple[Operand, ...],
        tos: tuple[Scalar, ...],
        froms: tuple[Scalar, ...],
    ) -> bool:
        """Pack parts into wider registers, or unpack them into narrower ones, by PTX's ``mov``.

        False where the widths do not divide; those are no registers' own or over 64 bits.
        """
        few = min(len(results), len(parts))
        bits = sum(map(self.layout.scalar_bits, tos))
        if any(isinstance(leaf, LastWord) for leaf in (*tos, *froms)):
            return False  # these are narrower than their registers
        uneven = max(len(results), len(parts)) % few or bits % few
        widths = {self.layout.scalar_bits(leaf) for leaf in (*tos, *froms)}
        if uneven or bits // few not in (16, 32, 64) or not widths <= {8, 16, 32, 64}:
            return False
        step, fan = len(parts) // few, len(results) // few
        parts = tuple(
            bits_as(p, IntType(n), n)
            for p, n in zip(parts, map(self.layout.scalar_bits, froms), strict=True)
        )
        for k in range(few):
            to, source = results[k * fan : (k + 1) * fan], parts[k * step : (k + 1) * step]
            self.emit(
                f"mov.b{bits // few}",
                to[0] if fan == 1 else Vector(to),
                source[0] if step == 1 else Vector(source),
            )
        return True
