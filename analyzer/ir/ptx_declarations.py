"""Declarations as PTX text: variables with their initialisers, headers of functions, prototypes."""

from __future__ import annotations

import struct
from collections.abc import Container, Iterator, Sequence
from math import prod

from warpmill.analyzer.ir.kernel import (
    Arguments,
    Declaration,
    FloatImm,
    Function,
    Instruction,
    Kernel,
    Operand,
    Parameter,
    Reg,
    Symbol,
    Variable,
)
from warpmill.analyzer.ir.types import Space, Type, TypeKind

_LINKAGE = ("extern", "visible", "weak", "common")
_SPACES = {Space.TEXTURE: ".tex"}
_Value = int | float | Symbol


def variable_text(variable: Variable, functions: Container[str], address_bits: int) -> str:
    """Give a declaration without its semicolon; ``functions`` are the names of the module's.

    An address in an initialiser is written as a generic one, unless it is a function's.
    """
    words = [f".{w}" for w in variable.attributes if w in _LINKAGE]
    words.append(_SPACES.get(variable.space, f".{variable.space.value}"))
    words += _attribute_words(variable.attributes)
    settings = [w.replace("=", " = ") for w in variable.attributes if "=" in w]
    name = variable.name + "".join(f"[{'' if n is None else n}]" for n in variable.shape)
    words += [*_align(variable.align, variable.type), f".{variable.type.name}", name]
    if settings:
        words += ["=", "{" + ", ".join(settings) + "}"]
    elif variable.initialiser is not None:
        items = list(_items(variable, functions, address_bits))
        rows = variable.shape[1:]
        words += ["=", _nested(items, rows) if variable.shape else items[0]]
    return " ".join(words)


def _attribute_words(words: Sequence[str]) -> list[str]:
    """Give ``managed`` and ``unified(19,95)`` as the directive that holds them."""
    given = [f".{w}" for w in words if w == "managed" or w.startswith("unified(")]
    return [f".attribute({', '.join(given)})"] if given else []


def _align(align: int, type_: Type) -> list[str]:
    return [] if align == type_.size_bytes else [f".align {align}"]


def _items(variable: Variable, functions: Container[str], address_bits: int) -> Iterator[str]:
    """Give the elements of an initialiser; an address in an array of bytes is cut into bytes."""
    n_bytes = address_bits // 8 if variable.type.bits == 8 else 0
    for value in variable.initialiser or ():
        if not isinstance(value, Symbol):
            yield _number(value, variable.type)
            continue
        name = value.name if value.name in functions else f"generic({value.name})"
        text = f"{name}+{value.offset}" if value.offset else name
        yield from [f"0x{0xFF << 8 * i:X}({text})" for i in range(n_bytes)] or [text]


def _number(value: _Value, type_: Type) -> str:
    if isinstance(value, float):
        if type_.bits == 32:
            return "0f" + struct.pack(">f", value).hex().upper()
        return "0d" + struct.pack(">d", value).hex().upper()
    assert isinstance(value, int)
    return str(value) if value < 1 << 63 else f"0x{value:x}"


def _nested(items: Sequence[str], rows: Sequence[int | None]) -> str:
    """Put elements in braces, row by row."""
    if rows and (row := prod(n or 1 for n in rows)):
        starts = range(0, len(items), row)
        items = [_nested(items[start : start + row], rows[1:]) for start in starts]
    return "{" + ", ".join(items) + "}"


def function_header(function: Function) -> str:
    """Give the header of a function or kernel, with its directives, up to the body."""
    words = [f".{w}" for w in function.attributes if w in _LINKAGE]
    words.append(".entry" if isinstance(function, Kernel) else ".func")
    words += _attribute_words(function.attributes)
    if function.returns:
        words.append(_parameters(function.returns, function))
    words.append(function.name + _parameters(function.parameters, function))
    return "\n".join([" ".join(words), *_directives(function)])


def _directives(function: Function) -> Iterator[str]:
    if isinstance(function, Kernel):
        bounds = function.bounds
        if bounds.max_threads is not None:
            yield f".maxntid {', '.join(map(str, bounds.max_threads))}"
        if bounds.required_threads is not None:
            yield f".reqntid {', '.join(map(str, bounds.required_threads))}"
        if bounds.min_ctas_per_sm is not None:
            yield f".minnctapersm {bounds.min_ctas_per_sm}"
        if bounds.max_registers is not None:
            yield f".maxnreg {bounds.max_registers}"
    yield from _other_directives(function.attributes)


def _other_directives(attributes: Sequence[str]) -> Iterator[str]:
    """Give the directives that follow a header, out of the attributes of its function."""
    for attribute in attributes:
        word, _, numbers = attribute.partition("=")
        if word == "pragma":
            yield f'.pragma "{numbers.strip(chr(34))}";'
        elif word not in _LINKAGE and not _attribute_words([attribute]):
            yield f".{word} {numbers.replace(',', ', ')}".rstrip()


def _parameters(parameters: tuple[Parameter, ...], function: Function) -> str:
    return "(" + ", ".join([_parameter(p, function) for p in parameters]) + ")"


def _parameter(parameter: Parameter, function: Function) -> str:
    type_ = parameter.type
    if parameter.register is not None:
        register = function.registers[parameter.register.index]
        vector = [] if register.vector == 1 else [f".v{register.vector}"]
        return " ".join([".reg", *vector, f".{type_.name}", register.name])
    pointer = []
    if parameter.is_pointer:
        space, align = parameter.pointee_space, parameter.pointee_align
        pointer = [".ptr", *([] if space is None else [f".{space.value}"])]
        pointer += [] if align is None else [f".align {align}"]
    size = _dimension(parameter)
    align_words = _align(parameter.align, type_)
    return " ".join([".param", *align_words, f".{type_.name}", *pointer, parameter.name + size])


def _dimension(array: Parameter | Variable) -> str:
    """Give the dimensions of an array; without a shape they follow from its size, 0 is open."""
    if array.shape:
        return "".join(f"[{'' if n is None else n}]" for n in array.shape)
    unit, size_bytes = array.type.size_bytes, array.size_bytes or 0
    if size_bytes == unit and array.align == unit:
        return ""
    return f"[{size_bytes // unit or ''}]"


def declared_header(
    declared: Declaration, function: Function | None, call: Instruction | None
) -> str:
    """Give the header of a function without a body, with the parameters of a call to it."""
    words = [f".{w}" for w in declared.attributes if w in _LINKAGE]
    results, arguments = "", "()"
    if function is not None and call is not None:
        results = _passed(call.operands[0], function, "r")
        arguments = _passed(call.operands[2], function, "p")
    words += [".func", *_attribute_words(declared.attributes)]
    words += [] if results in ("", "()") else [results]
    return " ".join([*words, declared.name + arguments, *_other_directives(declared.attributes)])


def prototype(function: Function, call: Instruction) -> str:
    """Give the prototype that an indirect call needs: ``(.param .b32 _) _ (.param .b64 _)``."""
    results = _passed(call.operands[0], function, None)
    arguments = _passed(call.operands[2], function, None)
    return f"{'' if results == '()' else results + ' '}_ {arguments}"


def _passed(operands: Operand, function: Function, name: str | None) -> str:
    """Give the parameters that take what a call passes; without a name they are called ``_``."""
    assert isinstance(operands, Arguments)
    variables = {v.name: v for v in function.variables}
    parameters = {p.name: p for p in (*function.parameters, *function.returns)}
    texts = []
    for place, operand in enumerate(operands.items):
        called = "_" if name is None else f"{name}{place}"
        known = None
        if isinstance(operand, Symbol):
            known = variables.get(operand.name) or parameters.get(operand.name)
        texts.append(_formal(operand, known, function, called))
    return "(" + ", ".join(texts) + ")"


def _formal(
    operand: Operand, known: Variable | Parameter | None, function: Function, name: str
) -> str:
    if known is not None:
        words = [".param", *_align(known.align, known.type), f".{known.type.name}"]
        return " ".join([*words, name + _dimension(known)])
    if isinstance(operand, Reg):
        return f".reg .{function.registers[operand.index].type.name} {name}"
    # a constant has no type of its own: the width that its kind mostly has
    is_wide = isinstance(operand, Symbol) or (
        isinstance(operand, FloatImm)
        and operand.type.kind is TypeKind.FLOAT
        and operand.type.bits == 64
    )
    return f".reg .b{64 if is_wide else 32} {name}"
