"""What directives say, as plain data, before it becomes IR."""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.frontends.ptx.literals import DecimalLiteral
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Reg, Symbol
from warpmill.analyzer.ir.types import Space, Type


@dataclass(frozen=True, slots=True)
class RegisterForm:
    """``.reg .v2 .f32 %a, %b<4>;`` - the count is None for a plain name."""

    type: Type
    vector: int
    names: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Indexed:
    """``array[%r1+2]``: an element by its number, which is a register, a constant or their sum."""

    symbol: Symbol
    register: Reg | None
    elements: int


@dataclass(frozen=True, slots=True)
class MaskedSymbol:
    """``0xFF00(name)``: one byte of an address in an initialiser."""

    mask: int
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class SamplerSetting:
    """``addr_mode_0 = wrap`` in the initialiser of a sampler."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """A run of constants as written, each followed by a comma."""

    text: str


@dataclass(frozen=True, slots=True)
class Braces:
    """A list in braces."""

    entries: tuple[Initialiser, ...]


Initialiser = (
    Imm | FloatImm | DecimalLiteral | Symbol | MaskedSymbol | SamplerSetting | Numbers | Braces
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declarator:
    """``name[4][]``, maybe with an initialiser; an open dimension is None."""

    name: str
    dimensions: tuple[int | None, ...] = ()
    initialiser: Initialiser | None = None


@dataclass(frozen=True, slots=True)
class VariableForm:
    """A declaration of variables; ``align`` is None where it is left to the type."""

    space: Space
    type: Type
    vector: int
    align: int | None
    words: tuple[str, ...]
    declarators: tuple[Declarator, ...]


@dataclass(frozen=True, slots=True)
class Pointer:
    """What ``.ptr`` says; None where it is silent."""

    space: Space | None = None
    align: int | None = None


@dataclass(frozen=True, slots=True)
class PtxParameter:
    """A parameter in a header or a prototype; its name is ``_`` where it has none."""

    is_register: bool
    type: Type
    vector: int
    align: int | None
    pointer: Pointer | None
    name: str
    dimensions: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class FunctionForm:
    """A function header; ``tuning`` are its directives with their numbers, in order."""

    is_entry: bool
    name: str
    words: tuple[str, ...]
    returns: tuple[PtxParameter, ...]
    parameters: tuple[PtxParameter, ...]
    tuning: tuple[tuple[str, tuple[int | str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Location:
    """``.loc``: index of the file, line, column; the same three of the place it was inlined at."""

    file: int
    line: int
    column: int
    inlined_at: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class LabelTable:
    """A named list of branch targets (``targets``), of call targets, or a call prototype."""

    kind: str
    name: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleDirective:
    """A directive of the module with its words: ``.target sm_90, debug``."""

    word: str
    arguments: tuple[str | int, ...]
