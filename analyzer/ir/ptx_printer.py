"""PTX text from the IR: the only place that writes instructions of PTX.

It takes modules that came from PTX, or that hold only what PTX has. What the IR does not keep is
not written: ``.loc``, ``.file``, ``.pragma`` statements and names of aliases. Headers of functions
that are only declared, and call prototypes, are made from the calls.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
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
    Reg,
    Register,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.operation import Knowledge, operation_table
from warpmill.analyzer.ir.ptx_declarations import (
    declared_header,
    function_header,
    prototype,
    variable_text,
)
from warpmill.analyzer.ir.types import OpClass

NOUNROLL = "pragma=nounroll"
"""The only hint of a block that PTX ties to the block: others are to the next instruction."""

_NO_FUNCTIONS: frozenset[str] = frozenset()
_REGISTERS_A_LINE = 12
_FLOATS_OF_REGISTERS = frozenset({"f16", "f16x2", "f32", "f64"})


def print_ptx(module: Module) -> str:
    """Give the PTX text of a module, ending in a newline.

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
class Statement:
    """A line between the braces of a function, and the instruction that it is, where it is one.

    Lines without one declare something, are labels or hints, or go on to a block elsewhere.
    """

    text: str
    instruction: Instruction | None = None


def body_statements(
    function: Function, functions: Container[str] = _NO_FUNCTIONS, address_bits: int = 64
) -> Iterator[Statement]:
    """Give the lines between the braces of a function, indented as in a file.

    ``functions`` are the names of the module's functions, for addresses in initialisers.
    """
    yield from map(Statement, register_declarations(function))
    for variable in function.variables:
        yield Statement(f"\t{variable_text(variable, functions, address_bits)};")
    yield from map(Statement, _prototypes(function))
    targets = {t for i in function.instructions for t in i.targets}
    targets |= {f for b in function.blocks if (f := _explicit_fallthrough(b)) is not None}
    for block in function.blocks:
        if block.id in targets or block.label != f"bb{block.id}":
            yield Statement(f"{block.label}:")
        if NOUNROLL in block.attributes:
            yield Statement('\t.pragma "nounroll";')
        for place, instruction in enumerate(block.instructions):
            table = f"$T{block.id}_{place}"
            yield from map(Statement, _branch_table(instruction, function, table))
            yield Statement("\t" + instruction_text(instruction, function, table), instruction)
        after = _explicit_fallthrough(block)
        if after is not None:
            yield Statement(f"\tbra.uni \t{function.blocks[after].label};")


def _explicit_fallthrough(block: Block) -> int | None:
    """Give the fall-through where it is not the next block, and so needs a branch."""
    return None if block.fallthrough in (None, block.id + 1) else block.fallthrough


def register_declarations(function: Function) -> Iterator[str]:
    """Give the lines that declare registers by type; those of parameters stand in the header."""
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
    """Give the type and the vector size; PTX holds the narrow formats in registers of bits."""
    type_ = register.type
    is_own = not type_.is_float or type_.name in _FLOATS_OF_REGISTERS
    return type_.name if is_own else f"b{type_.bits}", register.vector


def _prototypes(function: Function) -> Iterator[str]:
    """Give the prototypes that indirect calls name, each made from the first such call."""
    seen: set[str] = set()
    for instruction in function.instructions:
        if instruction.operation.op_class is OpClass.CALL and len(instruction.operands) > 3:
            name = instruction.operands[3]
            if isinstance(name, Symbol) and name.name not in seen:
                seen.add(name.name)
                yield f"\t{name.name}: .callprototype {prototype(function, instruction)};"


def _branch_table(instruction: Instruction, function: Function, name: str) -> Iterator[str]:
    """Give the line with the targets that ``brx.idx`` chooses from."""
    if instruction.operation.name == "brx.idx":
        labels = [function.blocks[t].label for t in instruction.targets]
        yield f"{name}: .branchtargets {', '.join(labels)};"


def instruction_text(instruction: Instruction, function: Function, table: str = "$T") -> str:
    """Give an instruction with its guard and semicolon: ``@%p1 add.s32 %r1, %r2, 1;``.

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
    """Give an operand as PTX writes it; ``registers`` are those of its function."""
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
    """Give an item of a list; an address among them has no brackets of its own."""
    text = operand_text(operand, registers)
    return text[1:-1] if isinstance(operand, Address) else text


def _offset(offset: int) -> str:
    return f"+{offset}" if offset else ""


def integer_text(value: int) -> str:
    """Give an integer; those beyond 63 bits in base 16, as they are no signed numbers."""
    return str(value) if value < 1 << 63 else f"0x{value:x}"


def float_text(bits: int, width: int) -> str:
    """Give a floating-point constant by its bits; narrow ones as the integers they are for PTX."""
    if width == 32:
        return f"0f{bits:08X}"
    return f"0d{bits:016X}" if width == 64 else integer_text(bits)


def _cannot(what: str, function: Function) -> UsageError:
    return UsageError(f"PTX has no text for {what}, which stands in `{function.name}`")
