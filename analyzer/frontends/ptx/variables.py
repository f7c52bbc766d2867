"""Variables and parameters of the IR from their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from warpmill.analyzer.base.limits import MOST_VARIABLE_BYTES
from warpmill.analyzer.base.source import Span
from warpmill.analyzer.frontends.ptx import forms
from warpmill.analyzer.frontends.ptx.lexer import number
from warpmill.analyzer.frontends.ptx.literals import DecimalLiteral, FaultError, float_value
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Parameter, Reg, Symbol, Variable
from warpmill.analyzer.ir.types import Type

_MAX_ELEMENTS = 1 << 26
_LARGEST_ALIGN = 1 << 31
Value = int | float | Symbol


def make_variable(
    form: forms.VariableForm, declared: forms.Declarator, name: str, address_bits: int, span: Span
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


def make_parameter(form: forms.PtxParameter, name: str, register: Reg | None) -> Parameter:
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


def _settings(initialiser: forms.Initialiser) -> Iterable[str]:
    if isinstance(initialiser, forms.Braces):
        for entry in initialiser.entries:
            if isinstance(entry, forms.SamplerSetting):
                yield f"{entry.name}={entry.value}"


def _length(values: Sequence[Value], element: Type, address_bits: int) -> int:
    """Elements that the values fill; in an array of smaller elements an address takes several."""
    per_symbol = max(1, address_bits // max(1, element.bits))
    symbols = sum(isinstance(value, Symbol) for value in values)
    return len(values) + symbols * (per_symbol - 1)


def _values(
    initialiser: forms.Initialiser, shape: Sequence[int | None], element: Type, address_bits: int
) -> tuple[Value, ...]:
    """Give the elements in memory order, rows that are not full filled up with zeros."""
    flat: list[Value | forms.MaskedSymbol] = []
    _flatten(initialiser, shape, element, flat)
    if any(isinstance(value, forms.MaskedSymbol) for value in flat):
        return _joined(flat, address_bits)
    return tuple(value for value in flat if not isinstance(value, forms.MaskedSymbol))


def _flatten(
    initialiser: forms.Initialiser,
    shape: Sequence[int | None],
    element: Type,
    flat: list[Value | forms.MaskedSymbol],
) -> None:
    if not isinstance(initialiser, forms.Braces):
        flat.extend(_elements(initialiser, element))
        return
    row = _row(shape)
    for place, entry in enumerate(initialiser.entries):
        start = len(flat)
        _flatten(entry, shape[1:], element, flat)
        is_last = place == len(initialiser.entries) - 1
        if isinstance(entry, forms.Braces) and not is_last:
            _pad(flat, start + row, element)


def _pad(flat: list[Value | forms.MaskedSymbol], length: int, element: Type) -> None:
    if length > _MAX_ELEMENTS:
        raise FaultError(f"the initialiser has more than {_MAX_ELEMENTS} elements")
    zero = 0.0 if element.is_float else 0
    flat.extend([zero] * (length - len(flat)))


def _elements(
    initialiser: forms.Initialiser, element: Type
) -> Iterable[Value | forms.MaskedSymbol]:
    match initialiser:
        case Symbol() | forms.MaskedSymbol():
            yield initialiser
        case forms.Numbers(text):
            for piece in text.split(",")[:-1]:
                yield _constant(number(piece.strip()), element)
        case Imm() | FloatImm() | DecimalLiteral():
            yield _constant(initialiser, element)
        case _:
            raise FaultError("the entries of the initialiser do not go together")


def _constant(constant: Imm | FloatImm | DecimalLiteral, element: Type) -> int | float:
    """Give the value of an element: a number for a floating-point type, otherwise bits."""
    match constant:
        case Imm(value):
            return float(value) if element.is_float else value
        case FloatImm():
            return float_value(constant) if element.is_float else constant.bits
        case DecimalLiteral():
            if not element.is_float:
                raise FaultError(f"`{constant.text}` is no value for .{element.name}")
            return constant.value


def _joined(flat: list[Value | forms.MaskedSymbol], address_bits: int) -> tuple[Value, ...]:
    """Put the masked bytes of an address together again."""
    n_bytes = address_bits // 8
    values: list[Value] = []
    place = 0
    while place < len(flat):
        value = flat[place]
        if not isinstance(value, forms.MaskedSymbol):
            values.append(value)
            place += 1
            continue
        expected = [forms.MaskedSymbol(0xFF << 8 * i, value.symbol) for i in range(n_bytes)]
        if flat[place : place + n_bytes] != expected:
            raise FaultError(f"the masks of `{value.symbol.name}` are not those of a whole address")
        values.append(value.symbol)
        place += n_bytes
    return tuple(values)
