"""PTX text from the IR: the only place that writes instructions of PTX.

It takes modules that came from PTX, or that hold only what PTX has. What the IR does not keep is
not written: ``.loc``, ``.file``, ``.pragma`` statements and names of aliases. Headers of functions
that are only declared, and call prototypes, are made from the calls.
"""

from __future__ import annotations

import struct
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import prod

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    Declaration,
    Element,
    FloatImm,
    Function,
    Imm,
    Instruction,
    Kernel,
    Module,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Parameter,
    Reg,
    Register,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operation import Knowledge, operation_table
from warpmill.analyzer.ir.types import OpClass, Space, Type, TypeKind

NOUNROLL = "pragma=nounroll"
"""The only hint of a block that PTX ties to the block: others are to the next instruction."""

_NO_FUNCTIONS: frozenset[str] = frozenset()
_REGISTERS_A_LINE = 12
_FLOATS_OF_REGISTERS = frozenset({"f16", "f16x2", "f32", "f64"})


def print_ptx(module: Module) -> str:
    """The PTX text of a module, ending in a newline.

    Parsing it gives an equal module but for debug information, spans, the order of registers and
    hints about single instructions. Raises UsageError where the
    module holds what PTX has no text for: an operation of ours (``lea``, ``switch``), copies on
    edges, a kernel parameter in a register, or an attribute whose numbers the IR does not keep.
    """
    functions = (*module.functions, *module.kernels)
    for function in functions:
        _check(function)
    called = _Calls(functions)
    given = [attribute.partition("=")[::2] for attribute in module.attributes]
    options = [text for word, text in given if word == "target" and text != "debug"]
    targets = [module.target, *options]  # debug wants the sections that the IR does not keep
    lines = [f".version {module.version}", f".target {', '.join(targets)}"]
    lines += [f".address_size {module.address_bits}", ""]
    lines += [f'.pragma "{text}";' for word, text in given if word == "pragma"]
    for declared in module.declarations:
        lines.append(declared_header(declared, *called.find(declared.name)) + ";")
    lines += [function_header(f) + ";" for f in module.functions]
    names = {f.name for f in functions} | {d.name for d in module.declarations}
    bits = module.address_bits
    lines += [variable_text(v, names, bits) + ";" for v in module.variables]
    for function in functions:
        body = [s.text for s in body_statements(function, names, bits)]
        lines += ["", function_header(function), "{", *body, "}"]
    defined = {function.name: function for function in module.functions}
    for alias, _, aliasee in (text.partition("=") for word, text in given if word == "alias"):
        if aliasee in defined:
            header = function_header(replace(defined[aliasee], name=alias))
            lines += ["", f"{header};", f".alias {alias}, {aliasee};"]
    return "\n".join(lines) + "\n"


def _check(function: Function) -> None:
    """Raise UsageError where a function holds what PTX has no text for."""
    parameters = function.parameters if isinstance(function, Kernel) else ()
    if any(p.register is not None for p in parameters):
        raise _cannot("a parameter of a kernel in a register", function)
    if any(block.incoming for block in function.blocks):
        raise _cannot("a copy on an edge", function)
    for instruction in function.instructions:
        operation = instruction.operation
        is_known = operation.knowledge is Knowledge.TABLE
        if is_known and not operation_table()[operation.name].is_ptx:
            raise _cannot(f"the operation `{operation.name}`", function)


class _Calls:
    """The first call of each name, by what is called: a function or a prototype."""

    def __init__(self, functions: tuple[Function, ...]) -> None:
        self._first: dict[str, tuple[Function, Instruction]] = {}
        for function in functions:
            for instruction in function.instructions:
                if instruction.operation.op_class is OpClass.CALL:
                    callee = instruction.operands[1]
                    if isinstance(callee, Symbol):
                        self._first.setdefault(callee.name, (function, instruction))

    def find(self, name: str) -> tuple[Function | None, Instruction | None]:
        return self._first.get(name, (None, None))


@dataclass(frozen=True, slots=True)
class PrintedStatement:
    """A line between the braces of a function, and the instruction that it is, where it is one.

    Lines without one declare something, are labels or hints, or go on to a block elsewhere.
    """

    text: str
    instruction: Instruction | None = None


def body_statements(
    function: Function, functions: Container[str] = _NO_FUNCTIONS, address_bits: int = 64
) -> Iterator[PrintedStatement]:
    """The lines between the braces of a function, indented as in a file.

    ``functions`` are the names of the module's functions, for addresses in initialisers.
    """
    yield from map(PrintedStatement, register_declarations(function))
    for variable in function.variables:
        yield PrintedStatement(f"\t{variable_text(variable, functions, address_bits)};")
    yield from map(PrintedStatement, _prototypes(function))
    targets = {t for i in function.instructions for t in i.targets}
    targets |= {f for b in function.blocks if (f := _explicit_fallthrough(b)) is not None}
    for block in function.blocks:
        if block.id in targets or block.label != f"bb{block.id}":
            yield PrintedStatement(f"{block.label}:")
        if NOUNROLL in block.attributes:
            yield PrintedStatement('\t.pragma "nounroll";')
        for place, instruction in enumerate(block.instructions):
            table = f"$T{block.id}_{place}"
            yield from map(PrintedStatement, _branch_table(instruction, function, table))
            yield PrintedStatement(
                "\t" + instruction_text(instruction, function, table), instruction
            )
        after = _explicit_fallthrough(block)
        if after is not None:
            yield PrintedStatement(f"\tbra.uni \t{function.blocks[after].label};")


def _explicit_fallthrough(block: Block) -> int | None:
    """The fall-through where it is not the next block, and so needs a branch."""
    return None if block.fallthrough in (None, block.id + 1) else block.fallthrough


def register_declarations(function: Function) -> Iterator[str]:
    """The lines that declare registers by type; those of parameters stand in the header."""
    parameters = (*function.parameters, *function.returns)
    bound = {p.register.index for p in parameters if p.register is not None}
    own = [r for index, r in enumerate(function.registers) if index not in bound]
    own.sort(key=_kind)
    for kind, group in groupby(own, _kind):
        names = [r.name for r in group]
        for start in range(0, len(names), _REGISTERS_A_LINE):
            line = ", ".join(names[start : start + _REGISTERS_A_LINE])
            vector = "" if kind[1] == 1 else f".v{kind[1]} "
            yield f"\t.reg {vector}.{kind[0]} \t{line};"


def _kind(register: Register) -> tuple[str, int]:
    """The type and the vector size; PTX holds the narrow formats in registers of bits."""
    type_ = register.type
    is_own = not type_.is_float or type_.name in _FLOATS_OF_REGISTERS
    return type_.name if is_own else f"b{type_.bits}", register.vector


def _prototypes(function: Function) -> Iterator[str]:
    """The prototypes that indirect calls name, each made from the first such call."""
    seen: set[str] = set()
    for instruction in function.instructions:
        if instruction.operation.op_class is OpClass.CALL and len(instruction.operands) > 3:
            name = instruction.operands[3]
            if isinstance(name, Symbol) and name.name not in seen:
                seen.add(name.name)
                yield f"\t{name.name}: .callprototype {prototype(function, instruction)};"


def _branch_table(instruction: Instruction, function: Function, name: str) -> Iterator[str]:
    """The line with the targets that ``brx.idx`` chooses from."""
    if instruction.operation.name == "brx.idx":
        labels = [function.blocks[t].label for t in instruction.targets]
        yield f"{name}: .branchtargets {', '.join(labels)};"


def instruction_text(instruction: Instruction, function: Function, table: str = "$T") -> str:
    """An instruction with its guard and semicolon: ``@%p1 add.s32 %r1, %r2, 1;``.

    ``table`` is what the list of targets is called that ``brx.idx`` names.
    """
    operation = instruction.operation
    registers = function.registers
    operands = [operand_text(o, registers) for o in instruction.operands]
    labels = [function.blocks[t].label for t in instruction.targets]
    if operation.op_class is OpClass.CALL:
        operands = _call(instruction, operands)
    if operation.name == "brx.idx":
        labels = [table]
    guard = ""
    if instruction.guard is not None:
        sign = "!" if instruction.guard.negated else ""
        guard = f"@{sign}{registers[instruction.guard.register.index].name} "
    text = ", ".join([*operands, *labels])
    return f"{guard}{operation.opcode}{' ' + text if text else ''};"


def _call(instruction: Instruction, operands: list[str]) -> list[str]:
    """Leave out an empty list of results; that of arguments separates nothing where it is last."""
    results, _, arguments, *prototypes = instruction.operands
    first = 0 if results != Arguments(()) else 1
    last = 2 if arguments == Arguments(()) and not prototypes else len(operands)
    return operands[first:last]


def operand_text(operand: Operand, registers: tuple[Register, ...]) -> str:
    """An operand as PTX writes it; ``registers`` are those of its function."""
    match operand:
        case Reg(index):
            return registers[index].name
        case Imm(value):
            return integer_text(value)
        case FloatImm(bits, type_):
            return float_text(bits, type_.bits)
        case Special(name):
            return f"%{name}"
        case Symbol(name, offset):
            return name + _offset(offset)
        case Address(base, offset):
            return f"[{operand_text(base, registers)}{_offset(offset)}]"
        case Negated(inner):
            return f"-{operand_text(inner, registers)}"
        case NotPredicate(register):
            return f"!{registers[register.index].name}"
        case Element(register, component):
            return f"{registers[register.index].name}.{component}"
        case Pair(first, second):
            return f"{operand_text(first, registers)}|{operand_text(second, registers)}"
        case Sink():
            return "_"
        case _:
            return _list_text(operand, registers)


def _list_text(operand: TupleAddress | Vector | Arguments, registers: tuple[Register, ...]) -> str:
    match operand:
        case TupleAddress(parts):
            items, left, right = parts, "[", "]"
        case Vector(elements):
            items, left, right = elements, "{", "}"
        case Arguments(arguments):
            items, left, right = arguments, "(", ")"
    return left + ", ".join([_part(o, registers) for o in items]) + right


def _part(operand: Operand, registers: tuple[Register, ...]) -> str:
    """An item of a list; an address among them has no brackets of its own."""
    text = operand_text(operand, registers)
    return text[1:-1] if isinstance(operand, Address) else text


def _offset(offset: int) -> str:
    return f"+{offset}" if offset else ""


def integer_text(value: int) -> str:
    """An integer; those beyond 63 bits in base 16, as they are no signed numbers."""
    return str(value) if value < 1 << 63 else f"0x{value:x}"


def float_text(bits: int, width: int) -> str:
    """A floating-point constant by its bits; narrow ones as the integers they are for PTX."""
    if width == 32:
        return f"0f{bits:08X}"
    return f"0d{bits:016X}" if width == 64 else integer_text(bits)


def _cannot(what: str, function: Function) -> UsageError:
    return UsageError(f"PTX has no text for {what}, which stands in `{function.name}`")


# Declarations as PTX text: variables with their initialisers, headers of functions, prototypes.

_LINKAGE = ("extern", "visible", "weak", "common")
_SPACES = {Space.TEXTURE: ".tex"}
_Value = int | float | Symbol


def variable_text(variable: Variable, functions: Container[str], address_bits: int) -> str:
    """A declaration without its semicolon; ``functions`` are the names of the module's.

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
    """``managed`` and ``unified(19,95)`` as the directive that holds them."""
    given = [f".{w}" for w in words if w == "managed" or w.startswith("unified(")]
    return [f".attribute({', '.join(given)})"] if given else []


def _align(align: int, type_: Type) -> list[str]:
    return [] if align == type_.size_bytes else [f".align {align}"]


def _items(variable: Variable, functions: Container[str], address_bits: int) -> Iterator[str]:
    """The elements of an initialiser; an address in an array of bytes is cut into bytes."""
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
    """Elements in braces, row by row."""
    if rows and (row := prod(n or 1 for n in rows)):
        starts = range(0, len(items), row)
        items = [_nested(items[start : start + row], rows[1:]) for start in starts]
    return "{" + ", ".join(items) + "}"


def function_header(function: Function) -> str:
    """The header of a function or kernel, with its directives, up to the body."""
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
    """The directives that follow a header, out of the attributes of its function."""
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
    """The dimensions of an array; without a shape they follow from its size, 0 is open."""
    if array.shape:
        return "".join(f"[{'' if n is None else n}]" for n in array.shape)
    unit, size_bytes = array.type.size_bytes, array.size_bytes or 0
    if size_bytes == unit and array.align == unit:
        return ""
    return f"[{size_bytes // unit or ''}]"


def declared_header(
    declared: Declaration, function: Function | None, call: Instruction | None
) -> str:
    """The header of a function without a body, with the parameters of a call to it."""
    words = [f".{w}" for w in declared.attributes if w in _LINKAGE]
    results, arguments = "", "()"
    if function is not None and call is not None:
        results = _passed(call.operands[0], function, "r")
        arguments = _passed(call.operands[2], function, "p")
    words += [".func", *_attribute_words(declared.attributes)]
    words += [] if results in ("", "()") else [results]
    return " ".join([*words, declared.name + arguments, *_other_directives(declared.attributes)])


def prototype(function: Function, call: Instruction) -> str:
    """The prototype that an indirect call needs: ``(.param .b32 _) _ (.param .b64 _)``."""
    results = _passed(call.operands[0], function, None)
    arguments = _passed(call.operands[2], function, None)
    return f"{'' if results == '()' else results + ' '}_ {arguments}"


def _passed(operands: Operand, function: Function, name: str | None) -> str:
    """The parameters that take what a call passes; without a name they are called ``_``."""
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
