"""Operands as registers, immediates and symbols, and the lowering of one statement by them.

A pointer may be known to point into one memory space although its type is generic (a shared
variable's address, cast in a constant expression; a stack slot; an argument of a CUDA kernel). Its
register then holds the address in that space, ``OperandValues.pointer`` gives it so, and
``OperandValues.parts`` casts it to generic where the value itself is wanted; global addresses are
generic ones as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import (
    Builder,
    bits_as,
    float_operand,
    integer_operand,
    integer_value,
    string_bytes,
    word_operand,
    word_operands,
)
from warpmill.analyzer.frontends.llvm.text import unquoted
from warpmill.analyzer.frontends.llvm.types import (
    ArrayType,
    FloatType,
    IntType,
    LastWord,
    PointerType,
    Scalar,
    StructType,
    Type,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg, Symbol, Vector
from warpmill.analyzer.ir.types import Space

_SCALARS = (IntType, FloatType, PointerType)
_FOLDED = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip


class OperandValues:
    """Resolves the values of the statement whose ``texts`` are set.

    ``spaces`` holds the memory space of local pointers that is known although their type is
    generic; ``symbols`` the locals that are addresses of variables.
    """

    def __init__(
        self, builder: Builder, spaces: Mapping[str, Space], symbols: Mapping[str, Symbol]
    ) -> None:
        self.builder = builder
        self.module = builder.module
        self.layout = builder.module.layout
        self.texts: Sequence[str] = ()
        self.spaces = spaces
        self.symbols = symbols

    def name(self, name: st.Name) -> str:
        """The name behind a slot, with its percent sign."""
        return self.texts[name] if isinstance(name, int) else name

    def registers(self, name: str, type_: Type) -> tuple[Reg, ...]:
        """The registers of a local value: one, or one for each part as ``%5.0``, ``%5.1``."""
        found = self.module.register_types.get(type_)
        if found is None:
            types = tuple(self.module.register_type(leaf) for leaf in self.layout.leaves(type_))
            is_scalar = len(types) == 1 and isinstance(self.layout.resolve(type_), _SCALARS)
            found = self.module.register_types[type_] = is_scalar, types
        is_scalar, types = found
        if is_scalar:
            return (self.builder.register(name, types[0]),)
        register = self.builder.register
        return tuple([register(f"{name}.{k}", t) for k, t in enumerate(types)])

    def parts(self, typed: st.Typed, symbols: bool = False) -> tuple[Operand, ...]:
        """All scalars of a value as operands, in order.

        An address of a variable is moved into a register, unless ``symbols`` are welcome.
        """
        leaves = self.layout.leaves(typed.type)
        if len(leaves) != 1 or not isinstance(leaves[0], PointerType):
            return self._raw(typed, leaves)
        operand = self._generic(typed, leaves[0])
        if isinstance(operand, Symbol) and not symbols:
            width = self.module.width(leaves[0])
            operand = self.builder.compute(f"mov.u{width}", f"b{width}", operand)
        return (operand,)

    def constant_parts(self, typed: st.Typed) -> tuple[Operand, ...]:
        """The scalars of an initialiser; addresses are symbols, whatever space they are cast to."""
        if isinstance(typed.value, st.Aggregate):
            return tuple(p for item in typed.value.items for p in self.constant_parts(item))
        if isinstance(self.layout.resolve(typed.type), PointerType):
            return (self._raw_pointer(typed),)
        most = 8 * self.layout.size(typed.type)
        placed = self.layout.placed_leaves(typed.type, most=most)
        return self._raw(typed, tuple(leaf for leaf, _ in placed))

    def scalar(self, typed: st.Typed) -> Operand:
        """The one operand of a scalar value."""
        parts = self.parts(typed)
        if len(parts) != 1:
            raise Unsupported(f"a value of {len(parts)} parts where one is expected")
        return parts[0]

    def integer(self, typed: st.Typed) -> int | None:
        """The value of an integer constant; None where it is none."""
        match typed.value:
            case st.Integer(slot):
                return integer_value(self.texts[slot])
            case st.Keyword(word) if word in (
                "zeroinitializer",
                "undef",
                "poison",
                "false",
                "null",
            ):
                return 0
            case st.Keyword("true"):
                return 1
        return None

    def _raw(self, typed: st.Typed, leaves: tuple[Scalar, ...]) -> tuple[Operand, ...]:
        match typed.value:
            case st.Local(name):
                text = self.name(name)
                if text in self.symbols:
                    return (self.symbols[text],)
                return self.registers(text, typed.type)
            case st.Integer(slot):
                if len(leaves) > 1:
                    return word_operands(self.texts[slot], leaves)
                return (integer_operand(self.texts[slot], leaves[0]),)
            case st.Float(slot):
                return (float_operand(self.texts[slot], leaves[0]),)
            case st.Keyword(word):
                return tuple(word_operand(word, leaf) for leaf in leaves)
            case st.Aggregate(items):
                return tuple(part for item in items for part in self.parts(item))
            case st.Splat(item):
                parts = self.parts(item)
                return parts * (len(leaves) // len(parts))
            case st.Bytes(slot):
                return tuple(Imm(b) for b in string_bytes(self.texts[slot]))
            case st.Global(slot):
                return (self.global_symbol(slot),)
            case st.ConstantExpression():
                return self._expression_parts(typed.value, leaves)
            case other:
                raise Unsupported(f"a value like {_kind_of(other)}")

    def _expression_parts(
        self, value: st.ConstantExpression, leaves: tuple[Scalar, ...]
    ) -> tuple[Operand, ...]:
        if value.opcode == "bitcast" and not isinstance(leaves[0], PointerType):
            return self._other_bits(value.operands[0], leaves)
        if value.opcode == "extractelement":
            vector, index = value.operands
            number, parts = self.integer(index), self.parts(vector)
            if number is None or not 0 <= number < len(parts):
                raise Unsupported("an element of a constant that is not known")
            return (parts[number],)
        return (self._expression(value, leaves[0]),)

    def _other_bits(self, operand: st.Typed, leaves: tuple[Scalar, ...]) -> tuple[Operand, ...]:
        """A constant's bits taken apart otherwise; the first part is in the lowest bits."""
        whole, at = 0, 0
        inner = self.layout.leaves(operand.type)
        for part, leaf in zip(self.parts(operand), inner, strict=True):
            width = self.layout.scalar_bits(leaf)
            number = bits_as(part, IntType(width), width)
            if not isinstance(number, Imm):
                raise Unsupported("a bit cast of an address in a constant")
            whole |= (number.value & ((1 << width) - 1)) << at
            at += width
        found = []
        for leaf in leaves:
            width = self.layout.scalar_bits(leaf)
            found.append(bits_as(Imm(whole & ((1 << width) - 1)), leaf, width))
            whole >>= width
        return tuple(found)

    def global_symbol(self, slot: int) -> Symbol:
        """The symbol of a variable or function, noted as referenced."""
        name = self.global_name(slot)
        self.module.referenced[name] = None
        return Symbol(name)

    def global_name(self, slot: int) -> str:
        """The name of a variable or function, also where an alias of it stands."""
        name = unquoted(self.texts[slot][1:])
        return self.module.aliases.get(name, name)

    # -- pointers
    def type_space(self, type_: Type) -> Space:
        """The memory space that a pointer's type says."""
        assert isinstance(type_, PointerType)
        return self.module.target.space(type_.space)

    def pointer(self, typed: st.Typed) -> tuple[Operand, Space]:
        """An address and the space that it is an address in."""
        return self._raw_pointer(typed), self.space(typed)

    def space(self, typed: st.Typed) -> Space:
        """The space of the address that stands for a pointer value."""
        match typed.value:
            case st.Local(name) if self.name(name) in self.spaces:
                return self.spaces[self.name(name)]
            case st.ConstantExpression("addrspacecast", (operand,)):
                inner = self.space(operand)
                return inner if self._keeps(typed.type, inner) else self.type_space(typed.type)
            case st.ConstantExpression("getelementptr", (base, *_)):
                return self.space(base)
            case st.ConstantExpression("bitcast", (st.Typed(PointerType()) as operand,)):
                return self.space(operand)
            case st.Global(slot) if self.global_name(slot) in self.module.text.variables:
                space = self.type_space(typed.type)
                return Space.GLOBAL if space is Space.GENERIC else space
        return self.type_space(self.layout.resolve(typed.type))

    def is_generic(self, typed: st.Typed) -> bool:
        """Whether a local pointer is generic by its type, whatever is known of it beside."""
        return isinstance(typed.value, st.Local) and self.type_space(typed.type) is Space.GENERIC

    def _keeps(self, type_: Type, inner: Space) -> bool:
        """Whether a cast only hides the space: to generic, or to the same one."""
        return self.type_space(type_) in (Space.GENERIC, inner)

    def _raw_pointer(self, typed: st.Typed) -> Operand:
        match typed.value:
            case st.ConstantExpression("addrspacecast", (operand,)) if self._keeps(
                typed.type, self.space(operand)
            ):
                return self._raw_pointer(operand)
            case st.ConstantExpression("bitcast", (st.Typed(PointerType()) as operand,)):
                return self._raw_pointer(operand)  # text that had typed pointers has casts of them
            case st.ConstantExpression("getelementptr", (base, *indices), source):
                assert source is not None
                return self._folded_gep(self._raw_pointer(base), source, indices)
        leaf = self.layout.leaf(typed.type)
        return self._raw(typed, (leaf,))[0]

    def _folded_gep(self, base: Operand, source: Type, indices: list[st.Typed]) -> Operand:
        offset, terms = self.gep_terms(source, indices)
        if terms:
            raise Unsupported("a constant address with an index that is not known")
        match base:
            case Symbol(name, start):
                return Symbol(name, start + offset)
            case Imm(value):
                return Imm(value + offset)
        return self.builder.compute("lea.b64", "b64", base, Imm(0), Imm(1), Imm(offset))

    def _generic(self, typed: st.Typed, leaf: PointerType) -> Operand:
        """A pointer as a value of its type."""
        operand, space = self.pointer(typed)
        wanted = self.type_space(leaf)
        if space is wanted or not isinstance(operand, Reg | Symbol):
            return operand
        if isinstance(operand, Reg) and space is Space.GLOBAL and wanted is Space.GENERIC:
            return operand  # a generic address of global memory is the same number
        if space is Space.PARAM and wanted is Space.LOCAL:
            return operand  # a copy of the caller's, which the callee has for its own
        if wanted is not Space.GENERIC:
            raise Unsupported(f"an address in {space.value} memory as one in {wanted.value}")
        width = self.module.width(leaf)
        return self.builder.compute(f"cvta.{space.value}.u{width}", f"b{width}", operand)

    def gep_terms(
        self, source: Type, indices: list[st.Typed]
    ) -> tuple[int, list[tuple[st.Typed, int]]]:
        """Constant byte offset of a GEP, and its variable indices with their scales in bytes."""
        offset, terms = 0, []
        type_: Type = source
        for position, index in enumerate(indices):
            value = self.integer(index)
            resolved = self.layout.resolve(type_)
            if position and isinstance(resolved, StructType):
                if value is None or not 0 <= value < len(resolved.elements):
                    raise Unsupported("a struct's element that is not known")
                offset += self.layout.offsets(resolved)[value]
                type_ = resolved.elements[value]
                continue
            if position:
                if not isinstance(resolved, ArrayType | VectorType):
                    raise Unsupported(f"an index into {resolved}")
                type_ = resolved.element
            scale = self.layout.size(type_)
            if value is None:
                terms.append((index, scale))
            else:
                offset += value * scale
        return offset, terms

    # -- constant expressions
    def _expression(self, value: st.ConstantExpression, leaf: Scalar) -> Operand:
        if value.opcode == "addrspacecast":
            return self._cast_address(value)
        operands = [self.scalar(operand) for operand in value.operands]
        if value.opcode in _FOLDED and all(isinstance(o, Imm) for o in operands):
            left, right = (o.value for o in operands if isinstance(o, Imm))
            return Imm(_FOLDED[value.opcode](left, right))
        width = self.module.width(leaf)
        if value.opcode in ("add", "sub", "mul"):
            lo = ".lo" if value.opcode == "mul" else ""
            return self.builder.compute(f"{value.opcode}{lo}.s{width}", f"b{width}", *operands)
        if value.opcode in ("and", "or", "xor"):
            return self.builder.compute(f"{value.opcode}.b{width}", f"b{width}", *operands)
        if value.opcode in ("ptrtoint", "inttoptr", "bitcast", "ptrtoaddr", "trunc"):
            inner = self.layout.leaf(value.operands[0].type)
            return self._reinterpreted(operands[0], inner, width)
        raise Unsupported(f"the constant expression `{value.opcode}`")

    def _reinterpreted(self, operand: Operand, inner: Scalar, width: int) -> Operand:
        if isinstance(operand, Symbol):
            operand = self.builder.compute(f"mov.u{self.module.width(inner)}", f"b{width}", operand)
        return self.builder.resized(operand, inner, width)

    def _cast_address(self, value: st.ConstantExpression) -> Operand:
        """``addrspacecast`` from one space to another in a constant expression."""
        operand, space = self.pointer(value.operands[0])
        assert value.type is not None
        wanted = self.type_space(value.type)
        if not isinstance(operand, Reg | Symbol):
            return operand
        wide = self.module.generic_width
        if space is not Space.GENERIC:
            operand = self.builder.compute(f"cvta.{space.value}.u{wide}", f"b{wide}", operand)
        if wanted is Space.GENERIC:
            return operand
        operand = self.builder.compute(f"cvta.to.{wanted.value}.u{wide}", f"b{wide}", operand)
        narrow = self.module.width(PointerType(_number(value.type)))
        return operand if narrow == wide else self.builder.resize(None, operand, narrow, wide, "u")


def _number(type_: Type) -> int:
    return type_.space if isinstance(type_, PointerType) else 0


def _kind_of(value: st.Value) -> str:
    """The kind of a value in words: ``inline assembly``."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", type(value).__name__).lower()


# What the lowering of one statement has at hand: operands, results, the open block.


class BlockEnds(Exception):  # noqa: N818 - no error: what follows in the block is not reached
    """An instruction that ends its thread stands in the middle of a block."""


def part_by_part(*parts: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Corresponding parts of several values. Unsupported where their numbers differ."""
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
