"""LLVM's types, how they lie in memory, and the scalars they are taken apart into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class IntType:
    """``iN``."""

    bits: int


@dataclass(frozen=True, slots=True)
class FloatType:
    """``half``, ``float`` and the others, by LLVM's name."""

    name: str


@dataclass(frozen=True, slots=True)
class PointerType:
    """``ptr addrspace(N)``; the number means what the target says."""

    space: int = 0


@dataclass(frozen=True, slots=True)
class VectorType:
    """``<count x element>``."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class ArrayType:
    """``[count x element]``."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class StructType:
    """``{ ... }``, or ``<{ ... }>`` where it is packed."""

    elements: tuple[Type, ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class NamedType:
    """``%name``: what it stands for is in the module."""

    name: str


@dataclass(frozen=True, slots=True)
class FunctionType:
    """The type of a function, as calls of variadic ones have it."""

    result: Type


@dataclass(frozen=True, slots=True)
class OtherType:
    """``void``, and what has no values that a kernel could compute with."""

    name: str


Scalar = IntType | FloatType | PointerType
Type = Scalar | VectorType | ArrayType | StructType | NamedType | FunctionType | OtherType
VOID = OtherType("void")


class Unsupported(Exception):  # noqa: N818 - no error of the user's, it becomes a warning
    """A construct that the front-end does not take apart; its text says which."""


_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "fp128": 128}
_POINTER = re.compile(r"p(\d*):(\d+)")


@dataclass(frozen=True)
class Layout:
    """Sizes, alignments and offsets in bytes, by the module's data layout.

    ``pointer_bits`` holds the address spaces that the layout names; ``named`` the module's types.
    Alignments are natural where the layout is silent, which is what GPU targets ask for.
    """

    pointer_bits: Mapping[int, int]
    named: Mapping[str, Type] = field(default_factory=dict)
    _leaves: dict[Type, tuple[Scalar, ...]] = field(default_factory=dict, compare=False)

    def pointer_width(self, space: int) -> int:
        """Bits of a pointer into address space ``space``."""
        return self.pointer_bits.get(space, self.pointer_bits.get(0, 64))

    def resolve(self, type_: Type) -> Type:
        """Replace a named type by what it stands for."""
        while isinstance(type_, NamedType):
            if type_.name not in self.named:
                raise Unsupported(f"type %{type_.name} is not defined")
            type_ = self.named[type_.name]
        return type_

    def scalar_bits(self, scalar: Scalar) -> int:
        """Bits of a scalar's value, as declared."""
        match scalar:
            case IntType(bits):
                return bits
            case PointerType(space):
                return self.pointer_width(space)
        if scalar.name not in _FLOAT_BITS:
            raise Unsupported(f"type {scalar.name}")
        return _FLOAT_BITS[scalar.name]

    def store_size(self, type_: Type) -> int:
        """Bytes that a store of the type writes."""
        match self.resolve(type_):
            case IntType() | FloatType() | PointerType() as scalar:
                return (self.scalar_bits(scalar) + 7) // 8
            case VectorType(count, element):
                scalar = self._scalar(element)
                return (count * self.scalar_bits(scalar) + 7) // 8
            case resolved:
                return self.size(resolved)

    def size(self, type_: Type) -> int:
        """Bytes from one element to the next in an array of the type."""
        match self.resolve(type_):
            case ArrayType(count, element):
                return count * self.size(element)
            case StructType() as struct:
                return self.offsets(struct)[-1]
            case resolved:
                size, align = self.store_size(resolved), self.align(resolved)
                return -(-size // align) * align

    def align(self, type_: Type) -> int:
        """Alignment in bytes where the text gives none."""
        match self.resolve(type_):
            case ArrayType(_, element):
                return self.align(element)
            case StructType(elements, packed):
                return 1 if packed else max(map(self.align, elements), default=1)
            case IntType() | FloatType() | PointerType() | VectorType() as value:
                return 1 << max(0, self.store_size(value) - 1).bit_length()
            case other:
                raise Unsupported(f"the size of {other} is not known")

    def offsets(self, struct: StructType) -> tuple[int, ...]:
        """Offset of each element, and the whole size with padding as the last entry."""
        found, end = [], 0
        for element in struct.elements:
            align = 1 if struct.packed else self.align(element)
            found.append(-(-end // align) * align)
            end = found[-1] + self.size(element)
        align = self.align(struct)
        return (*found, -(-end // align) * align)

    def leaves(self, type_: Type) -> tuple[Scalar, ...]:
        """The scalars that a value of the type is taken apart into, in order."""
        found = self._leaves.get(type_)
        if found is None:
            found = self._leaves[type_] = tuple(leaf for leaf, _ in self.placed_leaves(type_))
        return found

    def placed_leaves(self, type_: Type, start: int = 0) -> Iterator[tuple[Scalar, int]]:
        """The scalars of a type with their byte offsets in memory."""
        match self.resolve(type_):
            case IntType() | FloatType() | PointerType() as scalar:
                yield scalar, start
            case VectorType(count, element):
                scalar = self._scalar(element)
                step = self.scalar_bits(scalar)
                yield from ((scalar, start + k * step // 8) for k in range(count))
            case ArrayType(count, element):
                for k in range(count):
                    yield from self.placed_leaves(element, start + k * self.size(element))
            case StructType(elements) as struct:
                for element, offset in zip(elements, self.offsets(struct), strict=False):
                    yield from self.placed_leaves(element, start + offset)
            case OtherType("void"):
                return
            case other:
                raise Unsupported(f"a value of type {other}")

    def element(self, type_: Type, index: int) -> tuple[Type, int]:
        """The type of element ``index`` of an aggregate and the leaves that lie before it."""
        match self.resolve(type_):
            case StructType(elements) if index < len(elements):
                before = sum(len(self.leaves(e)) for e in elements[:index])
                return elements[index], before
            case ArrayType(count, element) | VectorType(count, element) if index < count:
                return element, index * len(self.leaves(element))
            case other:
                raise Unsupported(f"element {index} of {other}")

    def _scalar(self, type_: Type) -> Scalar:
        resolved = self.resolve(type_)
        if isinstance(resolved, IntType | FloatType | PointerType):
            return resolved
        raise Unsupported(f"{resolved} where a scalar is expected")


def make_layout(datalayout: str, address_bits: int, named: Mapping[str, Type]) -> Layout:
    """Read what a ``target datalayout`` says about pointers; the default is ``address_bits``."""
    pointer_bits = {0: address_bits}
    for part in datalayout.split("-"):
        found = _POINTER.match(part)
        if found is not None:
            pointer_bits[int(found[1] or 0)] = int(found[2])
    return Layout(pointer_bits, named)
