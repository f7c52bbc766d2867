"""Checks that a Module holds together, so that what comes after need not.

The rules; each error names the one it breaks:

1.  The id of every block equals its place in the function.
2.  A function has a block 0, its entry.
3.  Every target and every fall-through is a block of the function.
4.  A block that control can leave at its end has a fall-through: one without a branch or return
    there, or with a guarded one.
5.  Only the last instruction of a block branches or ends it.
6.  An unguarded branch or return leaves no fall-through; ``switch`` and ``brx.idx`` may have one,
    their default.
7.  A branch has targets (a ``bra`` one, a ``switch`` any number) and nothing else has.
8.  Every register index is in the range of the function's registers.
9.  The register of a guard and of a negated operand is a scalar predicate.
10. Edge copies name a predecessor that has that edge, and each predecessor once.
11. The copies on one edge write no register twice.
12. An instruction has the operands that its operation requires.
13. What is written is a register, a vector, pair or list of them, an element or a sink.
14. An address role is filled by an address; every memory operation has one that is required.
15. Every symbol is a variable or parameter of the function, or a variable, function or declaration
    of the module; the prototype that an indirect call names need not be one.
16. No two registers, no two blocks, no two parameters and no two variables of a function share a
    name, nor do a parameter and a variable.
17. A ``switch`` has one case value for each target, and they are distinct integers.
18. A kernel has no returns.
19. No two functions of a module share a name, nor do two variables.
20. Types are those of the type table, and an operation is what its opcode decodes to.
21. Sizes are not negative, alignments are powers of two, vector registers have at least one
    element, addresses have 32 or 64 bits and a warp has at least one lane.
22. No two parameters are bound to one register.

Operands of an opcode that the table does not know are not checked against rules 12 to 14.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from analyzer.diagnostics import Diagnostic, Severity
from analyzer.ir.kernel import (
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
    NotPredicate,
    Operand,
    Pair,
    Parameter,
    Reg,
    Sink,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
    registers_in,
)
from analyzer.ir.operation import Knowledge, Role, decode
from analyzer.ir.types import TYPES, OpClass, Type, TypeKind
from analyzer.source import Span

_Finding = tuple[int, str, Span | None]


def verify(module: Module) -> tuple[Diagnostic, ...]:
    """Give an error for each place where a rule is broken, in the order of the module; pure.

    Spans point into the input that the front-end read; errors about a whole module have none.
    """
    return tuple(
        Diagnostic(Severity.ERROR, f"invalid IR, rule {rule}: {message}", module.name, span)
        for rule, message, span in _module(module)
    )


@dataclass(frozen=True)
class _Scope:
    """A function with what its names may mean; ``edges`` are its (from, to)."""

    function: Function
    symbols: frozenset[str]
    edges: frozenset[tuple[int, int]] = field(default=frozenset())

    @property
    def where(self) -> str:
        return f"in `{self.function.name}`"


def _module(module: Module) -> Iterator[_Finding]:
    functions = (*module.functions, *module.kernels)
    for name in _twice(f.name for f in functions):
        yield 19, f"two functions are called `{name}`", None
    for name in _twice(v.name for v in module.variables):
        yield 19, f"two variables are called `{name}`", None
    if module.address_bits not in (32, 64):
        yield 21, f"addresses of {module.address_bits} bits", None
    if module.warp_size < 1:
        yield 21, f"a warp of {module.warp_size} lanes", None
    known = frozenset(
        [
            *(v.name for v in module.variables),
            *(f.name for f in functions),
            *(d.name for d in module.declarations),
        ]
    )
    for variable in module.variables:
        yield from _variable(variable, known, None, "in the module")
    for function in functions:
        yield from _function(function, known)


def _function(function: Function, module_names: frozenset[str]) -> Iterator[_Finding]:
    parameters = (*function.parameters, *function.returns)
    local = [*(p.name for p in parameters), *(v.name for v in function.variables)]
    edges = frozenset((place, s) for place, b in enumerate(function.blocks) for s in b.successors)
    scope = _Scope(function, module_names.union(local), edges)
    yield from _names(scope)
    if isinstance(function, Kernel) and function.returns:
        yield 18, f"kernel `{function.name}` has returns", function.span
    if not function.blocks:
        yield 2, f"`{function.name}` has no block", function.span
    for register in function.registers:
        yield from _type(register.type, function.span, scope.where)
        if register.vector < 1:
            message = f"register `{register.name}` has {register.vector} elements {scope.where}"
            yield 21, message, function.span
    for parameter in parameters:
        yield from _parameter(parameter, scope)
    bound = (p.register.index for p in parameters if p.register is not None)
    for index in _twice(bound):
        yield 22, f"two parameters are bound to register {index} {scope.where}", function.span
    for variable in function.variables:
        yield from _variable(variable, scope.symbols, function.span, scope.where)
    for place, block in enumerate(function.blocks):
        yield from _block(place, block, scope)


def _names(scope: _Scope) -> Iterator[_Finding]:
    function = scope.function
    parameters = [p.name for p in (*function.parameters, *function.returns)]
    variables = [v.name for v in function.variables]
    for kind, names in (
        ("registers", [r.name for r in function.registers]),
        ("blocks", [b.label for b in function.blocks]),
        ("parameters", parameters),
        ("variables", variables),
    ):
        for name in _twice(names):
            yield 16, f"two {kind} are called `{name}` {scope.where}", function.span
    both = set(variables)
    for name in dict.fromkeys(p for p in parameters if p in both):
        yield 16, f"a parameter and a variable are called `{name}` {scope.where}", function.span


def _parameter(parameter: Parameter, scope: _Scope) -> Iterator[_Finding]:
    span, where = scope.function.span, f"of parameter `{parameter.name}` {scope.where}"
    yield from _type(parameter.type, span, where)
    yield from _layout(parameter.size_bytes, parameter.align, span, where)
    if parameter.pointee_align is not None and not _is_power_of_two(parameter.pointee_align):
        yield 21, f"alignment {parameter.pointee_align} {where}", span
    if parameter.register is not None:
        yield from _registers((parameter.register.index,), span, scope)


def _variable(
    variable: Variable, symbols: frozenset[str], span: Span | None, where: str
) -> Iterator[_Finding]:
    span, where = variable.span or span, f"of variable `{variable.name}` {where}"
    yield from _type(variable.type, span, where)
    yield from _layout(variable.size_bytes or 0, variable.align, span, where)
    for value in variable.initialiser or ():
        if isinstance(value, Symbol) and value.name not in symbols:
            yield 15, f"there is no `{value.name}` for the initialiser {where}", span


def _layout(size: int, align: int, span: Span | None, where: str) -> Iterator[_Finding]:
    if size < 0:
        yield 21, f"size {size} {where}", span
    if not _is_power_of_two(align):
        yield 21, f"alignment {align} {where}", span


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _type(type_: Type, span: Span | None, where: str) -> Iterator[_Finding]:
    if TYPES.get(type_.name) != type_:
        yield 20, f"type `{type_.name}` is not in the table, {where}", span


def _block(place: int, block: Block, scope: _Scope) -> Iterator[_Finding]:
    where = f"block `{block.label}` {scope.where}"
    span = block.instructions[-1].span if block.instructions else scope.function.span
    if block.id != place:
        yield 1, f"{where} has id {block.id} and place {place}", span
    yield from _edge_copies(place, block, scope, span)
    for number, instruction in enumerate(block.instructions, start=1):
        yield from _instruction(instruction, scope)
        transfers = instruction.is_branch or "ends" in instruction.operation.effects
        if transfers and number < len(block.instructions):
            opcode = instruction.operation.opcode
            yield 5, f"`{opcode}` is not the last instruction of {where}", instruction.span
    yield from _fallthrough(block, scope, where, span)


def _fallthrough(block: Block, scope: _Scope, where: str, span: Span) -> Iterator[_Finding]:
    last = block.terminator
    goes_on = last is None or last.guard is not None
    if block.fallthrough is None:
        if goes_on:
            yield 4, f"{where} has no fall-through", span
        return
    if not 0 <= block.fallthrough < len(scope.function.blocks):
        yield 3, f"{where} falls through to block {block.fallthrough}, which is not there", span
    if not goes_on and last is not None and last.operation.name not in _WITH_DEFAULT:
        yield 6, f"{where} has a fall-through after `{last.operation.opcode}`", span


_WITH_DEFAULT = frozenset({"switch", "brx.idx"})


def _edge_copies(place: int, block: Block, scope: _Scope, span: Span) -> Iterator[_Finding]:
    where = f"into block `{block.label}` {scope.where}"
    for predecessor in _twice(edge.predecessor for edge in block.incoming):
        yield 10, f"two lists of copies from block {predecessor} {where}", span
    for edge in block.incoming:
        if (edge.predecessor, place) not in scope.edges:
            yield 10, f"copies from block {edge.predecessor}, which has no edge {where}", span
        for index in _twice(register.index for register, _ in edge.copies):
            yield 11, f"register {index} is written twice on an edge {where}", span
        for register, value in edge.copies:
            yield from _operand(register, span, scope)
            yield from _operand(value, span, scope)
            yield from _symbols((value,), span, scope)


def _instruction(instruction: Instruction, scope: _Scope) -> Iterator[_Finding]:
    operation, span = instruction.operation, instruction.span
    if decode(operation.opcode) != operation:
        yield 20, f"`{operation.opcode}` decodes to another operation {scope.where}", span
    guard = instruction.guard
    if guard is not None:
        yield from _operand(NotPredicate(guard.register), span, scope)
    for operand in instruction.operands:
        yield from _operand(operand, span, scope)
    named = instruction.operands[:3] if operation.op_class is OpClass.CALL else instruction.operands
    yield from _symbols(named, span, scope)
    yield from _targets(instruction, scope)
    if operation.knowledge is Knowledge.TABLE:
        yield from _roles(instruction, scope)


def _operand(operand: Operand, span: Span, scope: _Scope) -> Iterator[_Finding]:
    yield from _registers(registers_in(operand), span, scope)
    for part in _parts(operand):
        match part:
            case NotPredicate(register):
                yield from _predicate(register, span, scope)
            case FloatImm(_, type_):
                yield from _type(type_, span, scope.where)


def _parts(operand: Operand) -> Iterator[Operand]:
    """Give an operand and all that is in it, the base of an address included."""
    stack: list[Operand] = [operand]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case Vector(items) | Arguments(items) | TupleAddress(items):
                stack += reversed(items)
            case Pair(first, second):
                stack += (second, first)
            case Address(base):
                stack.append(base)


def _registers(indices: Iterable[int], span: Span, scope: _Scope) -> Iterator[_Finding]:
    count = len(scope.function.registers)
    for index in indices:
        if not 0 <= index < count:
            yield 8, f"there is no register {index}, only {count} {scope.where}", span


def _predicate(register: Reg, span: Span, scope: _Scope) -> Iterator[_Finding]:
    registers = scope.function.registers
    if not 0 <= register.index < len(registers):
        return  # rule 8 tells
    declared = registers[register.index]
    if declared.type.kind is not TypeKind.PREDICATE or declared.vector != 1:
        yield 9, f"register `{declared.name}` is not a predicate {scope.where}", span


def _symbols(operands: Iterable[Operand], span: Span, scope: _Scope) -> Iterator[_Finding]:
    for operand in operands:
        for part in _parts(operand):
            if isinstance(part, Symbol) and part.name not in scope.symbols:
                yield 15, f"there is no `{part.name}` {scope.where}", span


def _targets(instruction: Instruction, scope: _Scope) -> Iterator[_Finding]:
    operation, span = instruction.operation, instruction.span
    opcode, count = operation.opcode, len(instruction.targets)
    for target in instruction.targets:
        if not 0 <= target < len(scope.function.blocks):
            yield 3, f"`{opcode}` targets block {target}, which is not there {scope.where}", span
    if operation.op_class is not OpClass.BRANCH:
        if count:
            yield 7, f"`{opcode}` has targets {scope.where}", span
        return
    if (operation.name == "bra" and count != 1) or (operation.name == "brx.idx" and count == 0):
        yield 7, f"`{opcode}` has {count} targets {scope.where}", span
    if operation.name == "switch":
        yield from _cases(instruction, scope)


def _cases(instruction: Instruction, scope: _Scope) -> Iterator[_Finding]:
    values, span = instruction.operands[1:], instruction.span
    if len(values) != len(instruction.targets):
        message = f"{len(values)} case values for {len(instruction.targets)} targets {scope.where}"
        yield 17, message, span
    if not all(isinstance(value, Imm) for value in values) or len(set(values)) < len(values):
        yield 17, f"the case values are not distinct integers {scope.where}", span


def _roles(instruction: Instruction, scope: _Scope) -> Iterator[_Finding]:
    operation, operands, span = instruction.operation, instruction.operands, instruction.span
    pairs = zip(operation.roles, operation.optional, strict=True)
    required = sum(role is not Role.LABEL and not optional for role, optional in pairs)
    if len(operands) < required:
        count = f"{len(operands)} operands where {required} are required"
        yield 12, f"`{operation.opcode}` has {count} {scope.where}", span
        return
    for operand, role in zip(operands, instruction.roles, strict=True):
        if role in (Role.DESTINATION, Role.READ_WRITE) and not _is_writable(operand):
            yield 13, f"`{operation.opcode}` cannot write one of its operands {scope.where}", span
        if role is Role.ADDRESS and not isinstance(operand, Address | TupleAddress):
            yield 14, f"`{operation.opcode}` wants an address {scope.where}", span


def _is_writable(operand: Operand) -> bool:
    match operand:
        case Reg() | Element() | Sink() | Arguments():
            return True  # the results of a call may be variables of param space
        case Vector(elements):
            return all(map(_is_writable, elements))
        case Pair(first, second):
            return _is_writable(first) and _is_writable(second)
        case _:
            return False


def _twice(names: Iterable[str] | Iterable[int]) -> list[str | int]:
    """Give what stands more than once, in order of first appearance."""
    count = Counter[str | int](names)
    return [name for name, times in count.items() if times > 1]
