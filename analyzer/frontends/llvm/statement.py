"""A statement's shape as data: what the grammar makes of it, before names are filled in.

A *slot* stands where the text has a value's name, a constant or a string; it is the index of the
text in the statement. So one template serves every statement of the same shape.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.frontends.llvm.types import Type

Name = int | str
"""A slot, or the name itself where a value is called like one of the module's types."""


@dataclass(frozen=True, slots=True)
class Local:
    """``%name``."""

    name: Name


@dataclass(frozen=True, slots=True)
class Global:
    """``@name``."""

    slot: int


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer constant."""

    slot: int


@dataclass(frozen=True, slots=True)
class Float:
    """A floating-point constant, decimal or hexadecimal."""

    slot: int


@dataclass(frozen=True, slots=True)
class Bytes:
    """``c"..."``."""

    slot: int


@dataclass(frozen=True, slots=True)
class Keyword:
    """``true``, ``null``, ``undef``, ``poison``, ``zeroinitializer`` and the like."""

    word: str


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A constant vector, array or struct."""

    items: tuple[Typed, ...]


@dataclass(frozen=True, slots=True)
class Splat:
    """A vector of one constant."""

    item: Typed


@dataclass(frozen=True, slots=True)
class ConstantExpression:
    """A constant expression; ``type`` is a cast's result or a GEP's source element type."""

    opcode: str
    operands: tuple[Typed, ...]
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class InlineAssembly:
    """Inline assembly, as a callee."""

    text: int
    constraints: int


@dataclass(frozen=True, slots=True)
class MetadataArgument:
    """A metadata argument; only dropped intrinsics have them."""


Value = (
    Local | Global | Integer | Float | Bytes | Keyword | Aggregate | Splat | ConstantExpression
    | InlineAssembly | MetadataArgument
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Typed:
    """A value with its type; ``align`` is the slot of an argument's ``align N``."""

    type: Type
    value: Value
    align: int | None = None


@dataclass(frozen=True, slots=True)
class Attribute:
    """A parameter attribute: ``byval(T)`` has a type, ``align N`` a number (or its slot)."""

    name: str
    type: Type | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class HeaderParameter:
    """A parameter in a function's header."""

    type: Type
    attributes: tuple[Attribute, ...]
    name: Name | None


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed shape.

    ``type`` is a result, source element or cast target type, whichever the opcode writes out.
    ``words`` are flags and orderings as written; ``indices`` slots of constant indices; ``labels``
    block names; ``scope`` the slot of a ``syncscope``; ``align`` that of an alignment.
    """

    opcode: str
    result: Name | None = None
    type: Type | None = None
    operands: tuple[Typed, ...] = ()
    words: tuple[str, ...] = ()
    indices: tuple[int, ...] = ()
    labels: tuple[Name, ...] = ()
    callee: Value | None = None
    scope: int | None = None
    align: int | None = None


@dataclass(frozen=True, slots=True)
class FunctionHeader:
    """A function's header: return type, name and parameters."""

    returns: Type
    slot: int
    parameters: tuple[HeaderParameter, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """A module-level variable: its type, words, address space and initialiser."""

    type: Type
    words: tuple[str, ...]
    space: int
    initialiser: Value | None
