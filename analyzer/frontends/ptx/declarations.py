"""Declarations of PTX as plain data, and the variables and parameters of the IR made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.base.whole_files import MOST_VARIABLE_BYTES
from warpmill.analyzer.frontends.ptx.lexer import DecimalLiteral, FaultError, float_value, number
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Parameter, Reg, Symbol, Variable
from warpmill.analyzer.ir.types import Space, Type

_MAX_ELEMENTS = 1 << 26
_LARGEST_ALIGN = 1 << 31
Value = int | float | Symbol


def make_variable(
    form: VariableForm, declared: Declarator, name: str, address_bits: int, span: Span
) -> Variable:
    """Make one variable of a declaration; raises FaultError where its parts do not go together.

    The elements of a vector type are the last dimension of the shape. An open first dimension gets
    its size from the initialiser, and stays None without one.
    """
    _check_align(form.align)
    element = form.type
    shape = (*declared.dimensions, *((form.vector,) if form.vector > 1 else ()))
    if any(size is not None and size < 0 for size in shape) or None in shape[1:]:
        raise FaultError("only the first dimension of an array may be open, and none negative")
    values: tuple[Value, ...] | None = None
    settings: tuple[str, ...] = ()
    if declared.initialiser is not None:
        settings = tuple(_settings(declared.initialiser))
        values = None if settings else _values(declared.initialiser, shape, element, address_bits)
    if shape[:1] == (None,) and values is not None:
        shape = (-(-_length(values, element, address_bits) // _row(shape)), *shape[1:])
    size = None if None in shape else _sized(element.size_bytes, shape)
    if values is not None and size is not None:
        _check_length(_length(values, element, address_bits) * element.size_bytes, size)
    return Variable(
        name=name,
        space=form.space,
        type=element,
        size_bytes=size,
        align=form.align or element.size_bytes * form.vector,
        shape=shape,
        initialiser=values,
        attributes=tuple(sorted((*form.words, *settings))),
        span=span,
    )


def make_parameter(form: PtxParameter, name: str, register: Reg | None) -> Parameter:
    """Make a parameter; one of open size has 0 bytes of its own. Raises FaultError as variables."""
    _check_align(form.align)
    unit = form.type.size_bytes * form.vector
    pointer = form.pointer
    if pointer is not None:
        _check_align(pointer.align)
    return Parameter(
        name=name,
        type=form.type,
        size_bytes=_sized(unit, form.dimensions),
        align=form.align or unit,
        register=register,
        is_pointer=None if pointer is None else True,
        pointee_space=None if pointer is None else pointer.space,
        pointee_align=None if pointer is None else pointer.align,
        shape=form.dimensions,
    )


def _sized(element_bytes: int, shape: Sequence[int | None]) -> int:
    """Bytes of an array. FaultError where no address reaches its end."""
    size = element_bytes * prod(s or 0 for s in shape)
    if size > MOST_VARIABLE_BYTES:
        raise FaultError(f"an array has at most {MOST_VARIABLE_BYTES} bytes, not {size}")
    return size


def _check_align(align: int | None) -> None:
    if align is not None and not (0 < align <= _LARGEST_ALIGN and align & (align - 1) == 0):
        raise FaultError(f"an alignment is a power of two up to {_LARGEST_ALIGN}, not {align}")


def _check_length(given: int, size: int) -> None:
    if given > size:
        raise FaultError(f"the initialiser has {given} bytes, the variable {size}")


def _row(shape: Sequence[int | None]) -> int:
    """Number of elements of everything but the first dimension."""
    return max(1, prod(size or 0 for size in shape[1:]))


def _settings(initialiser: Initialiser) -> Iterable[str]:
    if isinstance(initialiser, Braces):
        for entry in initialiser.entries:
            if isinstance(entry, SamplerSetting):
                yield f"{entry.name}={entry.value}"


def _length(values: Sequence[Value], element: Type, address_bits: int) -> int:
    """Elements that the values fill; in an array of smaller elements an address takes several."""
    per_symbol = max(1, address_bits // max(1, element.bits))
    symbols = sum(isinstance(value, Symbol) for value in values)
    return len(values) + symbols * (per_symbol - 1)


def _values(
    initialiser: Initialiser, shape: Sequence[int | None], element: Type, address_bits: int
) -> tuple[Value, ...]:
    """The elements in memory order, rows that are not full filled up with zeros."""
    flat: list[Value | MaskedSymbol] = []
    _flatten(initialiser, shape, element, flat)
    if any(isinstance(value, MaskedSymbol) for value in flat):
        return _joined(flat, address_bits)
    return tuple(value for value in flat if not isinstance(value, MaskedSymbol))


def _flatten(
    initialiser: Initialiser,
    shape: Sequence[int | None],
    element: Type,
    flat: list[Value | MaskedSymbol],
) -> None:
    if not isinstance(initialiser, Braces):
        flat.extend(_elements(initialiser, element))
        return
    row = _row(shape)
    for place, entry in enumerate(initialiser.entries):
        start = len(flat)
        _flatten(entry, shape[1:], element, flat)
        is_last = place == len(initialiser.entries) - 1
        if isinstance(entry, Braces) and not is_last:
            _pad(flat, start + row, element)


def _pad(flat: list[Value | MaskedSymbol], length: int, element: Type) -> None:
    if length > _MAX_ELEMENTS:
        raise FaultError(f"the initialiser has more than {_MAX_ELEMENTS} elements")
    zero = 0.0 if element.is_float else 0
    flat.extend([zero] * (length - len(flat)))


def _elements(initialiser: Initialiser, element: Type) -> Iterable[Value | MaskedSymbol]:
    match initialiser:
        case Symbol() | MaskedSymbol():
            yield initialiser
        case Numbers(text):
            for piece in text.split(",")[:-1]:
                yield _constant(number(piece.strip()), element)
        case Imm() | FloatImm() | DecimalLiteral():
            yield _constant(initialiser, element)
        case _:
            raise FaultError("the entries of the initialiser do not go together")


def _constant(constant: Imm | FloatImm | DecimalLiteral, element: Type) -> int | float:
    """The value of an element: a number for a floating-point type, otherwise bits."""
    match constant:
        case Imm(value):
            return float(value) if element.is_float else value
        case FloatImm():
            return float_value(constant) if element.is_float else constant.bits
        case DecimalLiteral():
            if not element.is_float:
                raise FaultError(f"`{constant.text}` is no value for .{element.name}")
            return constant.value


def _joined(flat: list[Value | MaskedSymbol], address_bits: int) -> tuple[Value, ...]:
    """Address joined from its masked bytes."""
    n_bytes = address_bits // 8
    values: list[Value] = []
    place = 0
    while place < len(flat):
        value = flat[place]
        if not isinstance(value, MaskedSymbol):
            values.append(value)
            place += 1
            continue
        expected = [MaskedSymbol(0xFF << 8 * i, value.symbol) for i in range(n_bytes)]
        if flat[place : place + n_bytes] != expected:
            raise FaultError(f"the masks of `{value.symbol.name}` are not those of a whole address")
        values.append(value.symbol)
        place += n_bytes
    return tuple(values)


# What directives say, as plain data, before it becomes IR.


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
    """Attributes of ``.ptr``; None where it is silent."""

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
