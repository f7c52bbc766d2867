"""LLVM's types: their layout, the scalars they are taken apart into, and the module's target."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any
from weakref import WeakValueDictionary

from warpmill.analyzer.ir.types import Space


class _OneOfEach(type):
    """Interned objects for equal fields: types are compared and looked up all the time.

    Equality is then identity, and a type's hash its address, which Python knows without asking.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        key = (cls, *[getattr(made, f.name) for f in fields(made)])
        return _MADE.setdefault(key, made)


_MADE: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class IntType(metaclass=_OneOfEach):
    """``iN``."""

    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class LastWord(IntType):
    """The highest word of an integer beyond 64 bits that does not fill it, zeros above its bits.

    In memory it has its bytes; in a register 64 bits, for arithmetic goes from word to word.
    """


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FloatType(metaclass=_OneOfEach):
    """``half``, ``float`` and the others, by LLVM's name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PointerType(metaclass=_OneOfEach):
    """``ptr addrspace(N)``; the number means what the target says."""

    space: int = 0


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class VectorType(metaclass=_OneOfEach):
    """``<count x element>``."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ArrayType(metaclass=_OneOfEach):
    """``[count x element]``."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class StructType(metaclass=_OneOfEach):
    """``{ ... }``, or ``<{ ... }>`` where it is packed."""

    elements: tuple[Type, ...]
    packed: bool = False


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class NamedType(metaclass=_OneOfEach):
    """``%name``: what it stands for is in the module."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FunctionType(metaclass=_OneOfEach):
    """The type of a function, as calls of variadic ones have it."""

    result: Type


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class OtherType(metaclass=_OneOfEach):
    """``void``, and what has no values that a kernel could compute with."""

    name: str


Scalar = IntType | FloatType | PointerType
Type = Scalar | VectorType | ArrayType | StructType | NamedType | FunctionType | OtherType
VOID = OtherType("void")
BOOL = IntType(1)


class Unsupported(Exception):  # noqa: N818 - no error of the user's, it becomes a warning
    """A construct that the front-end does not take apart; its text says which."""


WORD_BITS = 64
"""Wider integers are taken apart into words of so many bits."""

MOST_LEAVES = 1 << 16
"""A value of more scalars is not taken apart."""

_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "fp128": 128}
_POINTER = re.compile(r"p(\d*):(\d+)")


@dataclass(frozen=True)
class DataLayout:
    """Sizes, alignments and offsets in bytes, by the module's data layout.

    ``pointer_bits`` holds the address spaces that the layout names; ``named`` the module's types;
    ``most_integer_align`` bounds the alignment of wide integers. Alignments are natural where the
    layout is silent, which is what GPU targets ask for.
    """

    pointer_bits: Mapping[int, int]
    named: Mapping[str, Type] = field(default_factory=dict)
    most_integer_align: int = 16
    _leaves: dict[Type, tuple[Scalar, ...]] = field(default_factory=dict, compare=False)
    _counts: dict[Type, int] = field(default_factory=dict, compare=False)
    _aligns: dict[StructType, int] = field(default_factory=dict, compare=False)
    _offsets: dict[StructType, tuple[int, ...]] = field(default_factory=dict, compare=False)

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

    def bits(self, type_: Type) -> int:
        """Bits of a scalar type's value; raise Unsupported for any other type."""
        return self.scalar_bits(self._scalar(type_))

    def store_size(self, type_: Type) -> int:
        """Bytes that a store of the type writes."""
        match self.resolve(type_):
            case IntType() | FloatType() | PointerType() as scalar:
                return (self.scalar_bits(scalar) + 7) // 8
            case VectorType(count, element):
                scalar = self._scalar(element)
                return (count * self.scalar_bits(scalar) + 7) // 8
            case ArrayType() | StructType() as whole:
                return self.size(whole)
            case other:
                raise Unsupported(f"the size of {other} is not known")

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
            case StructType(elements, packed) as struct:
                if struct not in self._aligns:
                    most = max(map(self.align, elements), default=1)
                    self._aligns[struct] = 1 if packed else most
                return self._aligns[struct]
            case IntType(bits) as value if bits > WORD_BITS:
                natural = 1 << max(0, self.store_size(value) - 1).bit_length()
                return min(natural, self.most_integer_align)
            case IntType() | FloatType() | PointerType() | VectorType() as value:
                return 1 << max(0, self.store_size(value) - 1).bit_length()
            case other:
                raise Unsupported(f"the size of {other} is not known")

    def offsets(self, struct: StructType) -> tuple[int, ...]:
        """Offset of each element, and the whole size with padding as the last entry."""
        known = self._offsets.get(struct)
        if known is not None:
            return known
        found, end = [], 0
        for element in struct.elements:
            align = 1 if struct.packed else self.align(element)
            found.append(-(-end // align) * align)
            end = found[-1] + self.size(element)
        align = self.align(struct)
        self._offsets[struct] = (*found, -(-end // align) * align)
        return self._offsets[struct]

    def leaves(self, type_: Type) -> tuple[Scalar, ...]:
        """The scalars that a value of the type is taken apart into, in order."""
        found = self._leaves.get(type_)
        if found is None:
            found = tuple(leaf for leaf, _ in self.placed_leaves(type_))
            self._leaves[type_] = found
        return found

    def _count(self, type_: Type) -> int:
        """How many scalars a value of the type has."""
        found = self._counts.get(type_)
        if found is None:
            match self.resolve(type_):
                case ArrayType(count, element) | VectorType(count, element):
                    found = count * self._count(element)
                case StructType(elements):
                    found = sum(map(self._count, elements))
                case IntType(bits):
                    found = -(-bits // WORD_BITS)
                case OtherType("void"):
                    found = 0
                case _:
                    found = 1
            self._counts[type_] = found
        return found

    def leaf(self, type_: Type) -> Scalar:
        """The one scalar of a type; raise Unsupported where there are several or none."""
        found = self.leaves(type_)
        if len(found) != 1:
            raise Unsupported(f"a value of {len(found)} parts where one is expected")
        return found[0]

    def placed_leaves(
        self, type_: Type, start: int = 0, most: int = MOST_LEAVES
    ) -> Iterator[tuple[Scalar, int]]:
        """The scalars of a type with their byte offsets in memory.

        Raise Unsupported where they are more than ``most``: few words can ask for very many.
        """
        count = self._count(type_)
        if count > most:
            raise Unsupported(f"a value of {count} parts")
        yield from self._placed(type_, start)

    def _placed(self, type_: Type, start: int) -> Iterator[tuple[Scalar, int]]:
        match self.resolve(type_):
            case IntType() | FloatType() | PointerType() as scalar:
                yield from self._words(scalar, start)
            case VectorType(count, element):
                scalar = self._scalar(element)
                step = self.scalar_bits(scalar)
                for k in range(count):
                    yield from self._words(scalar, start + k * step // 8)
            case ArrayType(count, element):
                for k in range(count if self._count(element) else 0):
                    yield from self._placed(element, start + k * self.size(element))
            case StructType(elements) as struct:
                for element, offset in zip(elements, self.offsets(struct), strict=False):
                    yield from self._placed(element, start + offset)
            case OtherType("void"):
                return
            case other:
                raise Unsupported(f"a value of type {other}")

    def _words(self, scalar: Scalar, start: int) -> Iterator[tuple[Scalar, int]]:
        """A scalar itself; of an integer or buffer descriptor beyond 64 bits its words."""
        bits = 64 if isinstance(scalar, FloatType) else self.scalar_bits(scalar)
        if bits <= WORD_BITS:
            yield scalar, start
            return
        for first in range(0, bits, WORD_BITS):
            here = min(WORD_BITS, bits - first)
            yield (IntType if here == WORD_BITS else LastWord)(here), start + first // 8

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


def make_layout(datalayout: str, address_bits: int, named: Mapping[str, Type]) -> DataLayout:
    """Read what a ``target datalayout`` says about pointers; the default is ``address_bits``."""
    pointer_bits = {0: address_bits}
    integers = [int(n) // 8 for n in re.findall(r"\bi\d+:(\d+)", datalayout)]
    for part in datalayout.split("-"):
        found = _POINTER.match(part)
        if found is not None:
            pointer_bits[int(found[1] or 0)] = int(found[2])
    return DataLayout(pointer_bits, named, max(integers, default=16))


# What is known of the target that a module is for: memory spaces, warp size, name of the chip.

_NARROW_CHIP = re.compile(r'"target-cpu"="gfx1[0-9]')


@dataclass(frozen=True)
class GpuTarget:
    """A family of targets, one entry of ``targets.toml``.

    ``kernel_pointee`` is where a kernel's generic pointer arguments point to, where only one space
    is possible.
    """

    name: str
    chip: str
    warp_size: int
    wide_unless: str | None
    address_bits: int
    spaces: Mapping[int, Space]
    kernel_pointee: Space | None = None

    def space(self, number: int) -> Space:
        """The memory space behind an address space number; generic where it is not known."""
        return self.spaces.get(number, Space.GENERIC)

    def lanes(self, attributes: str) -> int:
        """Lanes of a warp, by a kernel's attributes."""
        if self.wide_unless is None or self.wide_unless in attributes:
            return self.warp_size
        if "+wavefrontsize" not in attributes and _NARROW_CHIP.search(attributes):
            return self.warp_size  # no feature is named, and the chip's default is narrow
        return 2 * self.warp_size

    def chip_name(self, attributes: str, triple: str) -> str:
        """The chip that a kernel's attributes name, else the triple."""
        found = re.search(r'"target-cpu"="([^"]+)"', attributes)
        if found is None or not self.chip or not found[1].startswith(self.chip):
            return triple
        return found[1]


@cache
def data_table(name: str) -> dict[str, Any]:
    """Read one of this package's tables."""
    text = files("warpmill.analyzer.frontends.llvm").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def find_target(triple: str) -> GpuTarget | None:
    """The entry for a triple; None where no entry's prefix fits."""
    table = data_table("targets.toml")
    if not triple:
        return _target(table["default"], table["targets"][table["default"]])
    for name, line in table["targets"].items():
        if triple.startswith(tuple(line["prefixes"])):
            return _target(name, line)
    return None


def _target(name: str, line: Mapping[str, Any]) -> GpuTarget:
    return GpuTarget(
        name=name,
        chip=line["chip"],
        warp_size=line["warp_size"],
        wide_unless=line.get("wide_unless"),
        address_bits=line["address_bits"],
        spaces={int(number): Space(space) for number, space in line["spaces"].items()},
        kernel_pointee=Space(line["kernel_pointee"]) if "kernel_pointee" in line else None,
    )
