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
12. An instruction has the operands that its operation requires, and its opcode the types and words.
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
23. Operands have the types that the operation wants (``operand_types``).

Operands of an opcode that the table does not know are not checked against rules 12 to 14 and 23.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    Element,
    FloatImm,
    Function,
    Guard,
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
    Symbol,
    TupleAddress,
    Variable,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operand_rules import operand_faults
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, OpClass, Type, TypeKind


def verify(module: Module) -> tuple[Diagnostic, ...]:
    """An error for each place where a rule is broken, in the order of the module; pure.

    Spans point into the input that the front-end read; errors about a whole module have none.
    """
    return tuple(
        Diagnostic(
            Severity.ERROR,
            f"invalid IR, rule {found.rule}: {found.message}",
            module.name,
            found.span,
        )
        for found in _module(module)
    )


def _module(module: Module) -> Iterator[BrokenRule]:
    functions = (*module.functions, *module.kernels)
    for name in _twice(f.name for f in functions):
        yield BrokenRule(19, f"two functions are called `{name}`", None)
    for name in _twice(v.name for v in module.variables):
        yield BrokenRule(19, f"two variables are called `{name}`", None)
    if module.address_bits not in (32, 64):
        yield BrokenRule(21, f"addresses of {module.address_bits} bits", None)
    if module.warp_size < 1:
        yield BrokenRule(21, f"a warp of {module.warp_size} lanes", None)
    known = frozenset(
        [
            *(v.name for v in module.variables),
            *(f.name for f in functions),
            *(d.name for d in module.declarations),
        ]
    )
    for variable in module.variables:
        yield from _variable(variable, known, None, "in the module")
    sound: Sound = set()
    for function in functions:
        yield from _function(function, known, sound)


def _function(
    function: Function, module_names: frozenset[str], sound: Sound
) -> Iterator[BrokenRule]:
    parameters = (*function.parameters, *function.returns)
    local = [*(p.name for p in parameters), *(v.name for v in function.variables)]
    edges = frozenset((place, s) for place, b in enumerate(function.blocks) for s in b.successors)
    scope = VerifiedFunction(function, module_names.union(local), edges)
    yield from _names(scope)
    if isinstance(function, Kernel) and function.returns:
        yield BrokenRule(18, f"kernel `{function.name}` has returns", function.span)
    if not function.blocks:
        yield BrokenRule(2, f"`{function.name}` has no block", function.span)
    yield from _registers(scope)
    for parameter in parameters:
        yield from _parameter(parameter, scope)
    bound = (p.register.index for p in parameters if p.register is not None)
    for index in _twice(bound):
        yield BrokenRule(
            22, f"two parameters are bound to register {index} {scope.where}", function.span
        )
    for variable in function.variables:
        yield from _variable(variable, scope.symbols, function.span, scope.where)
    rules = InstructionRules(scope, sound)
    for place, block in enumerate(function.blocks):
        yield from _block(place, block, scope, rules)


def _names(scope: VerifiedFunction) -> Iterator[BrokenRule]:
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
            yield BrokenRule(16, f"two {kind} are called `{name}` {scope.where}", function.span)
    both = set(variables)
    for name in dict.fromkeys(p for p in parameters if p in both):
        yield BrokenRule(
            16, f"a parameter and a variable are called `{name}` {scope.where}", function.span
        )


def _registers(scope: VerifiedFunction) -> Iterator[BrokenRule]:
    function = scope.function
    different = {(id(r.type), r.vector): r for r in reversed(function.registers)}
    for register in reversed(different.values()):
        yield from type_findings(register.type, function.span, scope.where)
        if register.vector < 1:
            message = f"register `{register.name}` has {register.vector} elements {scope.where}"
            yield BrokenRule(21, message, function.span)


def _parameter(parameter: Parameter, scope: VerifiedFunction) -> Iterator[BrokenRule]:
    span, where = scope.function.span, f"of parameter `{parameter.name}` {scope.where}"
    yield from type_findings(parameter.type, span, where)
    yield from _layout(parameter.size_bytes, parameter.align, span, where)
    if parameter.pointee_align is not None and not _is_power_of_two(parameter.pointee_align):
        yield BrokenRule(21, f"alignment {parameter.pointee_align} {where}", span)
    if parameter.register is not None:
        yield from register_findings((parameter.register.index,), span, scope)


def _variable(
    variable: Variable, symbols: frozenset[str], span: Span | None, where: str
) -> Iterator[BrokenRule]:
    span, where = variable.span or span, f"of variable `{variable.name}` {where}"
    yield from type_findings(variable.type, span, where)
    yield from _layout(variable.size_bytes or 0, variable.align, span, where)
    for value in variable.initialiser or ():
        if isinstance(value, Symbol) and value.name not in symbols:
            yield BrokenRule(15, f"there is no `{value.name}` for the initialiser {where}", span)


def _layout(size: int, align: int, span: Span | None, where: str) -> Iterator[BrokenRule]:
    if size < 0:
        yield BrokenRule(21, f"size {size} {where}", span)
    if not _is_power_of_two(align):
        yield BrokenRule(21, f"alignment {align} {where}", span)


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _block(
    place: int, block: Block, scope: VerifiedFunction, rules: InstructionRules
) -> Iterator[BrokenRule]:
    where = f"block `{block.label}` {scope.where}"
    span = block.instructions[-1].span if block.instructions else scope.function.span
    if block.id != place:
        yield BrokenRule(1, f"{where} has id {block.id} and place {place}", span)
    yield from _edge_copies(place, block, scope, span)
    yield from rules.findings(block)
    yield from _fallthrough(block, scope, where, span)


def _fallthrough(
    block: Block, scope: VerifiedFunction, where: str, span: Span
) -> Iterator[BrokenRule]:
    last = block.terminator
    goes_on = last is None or last.guard is not None
    if block.fallthrough is None:
        if goes_on:
            yield BrokenRule(4, f"{where} has no fall-through", span)
        return
    if not 0 <= block.fallthrough < len(scope.function.blocks):
        yield BrokenRule(
            3, f"{where} falls through to block {block.fallthrough}, which is not there", span
        )
    if not goes_on and last is not None and last.operation.name not in _WITH_DEFAULT:
        yield BrokenRule(6, f"{where} has a fall-through after `{last.operation.opcode}`", span)


_WITH_DEFAULT = frozenset({"switch", "brx.idx"})


def _edge_copies(
    place: int, block: Block, scope: VerifiedFunction, span: Span
) -> Iterator[BrokenRule]:
    where = f"into block `{block.label}` {scope.where}"
    for predecessor in _twice(edge.predecessor for edge in block.incoming):
        yield BrokenRule(10, f"two lists of copies from block {predecessor} {where}", span)
    for edge in block.incoming:
        if (edge.predecessor, place) not in scope.edges:
            yield BrokenRule(
                10, f"copies from block {edge.predecessor}, which has no edge {where}", span
            )
        for index in _twice(register.index for register, _ in edge.copies):
            yield BrokenRule(11, f"register {index} is written twice on an edge {where}", span)
        for register, value in edge.copies:
            yield from operand_findings(register, span, scope)
            yield from operand_findings(value, span, scope)
            yield from symbol_findings((value,), span, scope)


def _twice(names: Iterable[str] | Iterable[int]) -> list[str | int]:
    """Repeated names, in order of first appearance."""
    given = list[str | int](names)
    if len(set(given)) == len(given):
        return []
    return [name for name, times in Counter(given).items() if times > 1]


# The verifier's rules about one instruction: its operands, targets and types.
#
# Instructions of one operation whose operands have the same forms and types pass or fail alike, so
# each such combination is looked at once. What fails, branches or ends is looked at each time.


class BrokenRule(NamedTuple):
    """A broken rule: its number, what is wrong, and where."""

    rule: int
    message: str
    span: Span | None


@dataclass(frozen=True)
class VerifiedFunction:
    """A function with what its names may mean; ``edges`` are its (from, to)."""

    function: Function
    symbols: frozenset[str]
    edges: frozenset[tuple[int, int]] = field(default=frozenset())

    @property
    def where(self) -> str:
        """The function, in words."""
        return f"in `{self.function.name}`"


Sound = set[tuple[object, ...]]
"""Operations with forms of operands that break no rule; of any function of one module."""

_BROKEN = ""  # the form of an operand that breaks a rule by itself


class InstructionRules:
    """The rules for the instructions of one function."""

    def __init__(self, scope: VerifiedFunction, sound: Sound) -> None:
        self._scope = scope
        self._sound = sound
        self._forms = _forms(scope)

    def findings(self, block: Block) -> Iterator[BrokenRule]:
        """Broken rules in the instructions of a block."""
        forms, sound = self._forms, self._sound
        for instruction in block.instructions:
            key = (
                id(instruction.operation),
                forms[id(instruction.guard)],
                *[forms[id(operand)] for operand in instruction.operands],
            )
            if key in sound and not instruction.targets:
                continue
            found = list(_instruction(instruction, self._scope))
            yield from found
            if _transfers(instruction):
                yield from _not_last(instruction, block, self._scope)
            elif not found and _BROKEN not in key:
                sound.add(key)


def _transfers(instruction: Instruction) -> bool:
    operation = instruction.operation
    is_branch = operation.op_class is OpClass.BRANCH or instruction.is_branch
    return is_branch or "ends" in operation.effects


def _not_last(
    instruction: Instruction, block: Block, scope: VerifiedFunction
) -> Iterator[BrokenRule]:
    if instruction is not block.instructions[-1]:
        where = f"block `{block.label}` {scope.where}"
        message = f"`{instruction.operation.opcode}` is not the last instruction of {where}"
        yield BrokenRule(5, message, instruction.span)


def _forms(scope: VerifiedFunction) -> dict[int, str]:
    """The form of each operand and guard of a function: what the rules look at, as a text.

    Operands go by identity: front-ends use one object often, and hashing them takes longer.
    """
    instructions = [i for block in scope.function.blocks for i in block.instructions]
    operands: dict[int, Operand | Guard | None] = {id(i.guard): i.guard for i in instructions}
    operands |= {id(operand): operand for i in instructions for operand in i.operands}
    declared = scope.function.registers
    different = {(id(r.type), r.vector): f"{r.type.name}x{r.vector}" for r in declared}
    registers = _RegisterForms(enumerate([different[id(r.type), r.vector] for r in declared]))
    return {
        key: registers[operand.index]
        if type(operand) is Reg  # most are
        else _form(operand, registers, scope)
        for key, operand in operands.items()
    }


class _RegisterForms(dict[int, str]):
    """The forms of registers by their index; one out of range is broken."""

    def __missing__(self, index: int) -> str:
        return _BROKEN


def _form(
    operand: Operand | Guard | None, registers: _RegisterForms, scope: VerifiedFunction
) -> str:
    match operand:
        case Reg(index):
            return registers[index]
        case Address(base):
            parts: tuple[Operand, ...] = (base,)
        case FloatImm(_, type_):
            return f"float {type_.name}" if TYPES.get(type_.name) == type_ else _BROKEN
        case Symbol(name):
            return "symbol" if name in scope.symbols else _BROKEN
        case Guard(register) | NotPredicate(register) | Element(register):
            parts = (register,)
        case Negated(inner):
            parts = (inner,)
        case Vector(items) | TupleAddress(items) | Arguments(items):
            parts = items
        case Pair(first, second):
            parts = (first, second)
        case _:
            return type(operand).__name__
    forms = [_form(part, registers, scope) for part in parts]
    return _BROKEN if _BROKEN in forms else f"{type(operand).__name__}({' '.join(forms)})"


def _instruction(instruction: Instruction, scope: VerifiedFunction) -> Iterator[BrokenRule]:
    operation, span = instruction.operation, instruction.span
    if decode(operation.opcode) != operation:
        yield BrokenRule(
            20, f"`{operation.opcode}` decodes to another operation {scope.where}", span
        )
    if instruction.guard is not None:
        yield from operand_findings(NotPredicate(instruction.guard.register), span, scope)
    broken: list[BrokenRule] = []
    for operand in instruction.operands:
        broken += operand_findings(operand, span, scope)
    named = instruction.operands[:3] if operation.op_class is OpClass.CALL else instruction.operands
    yield from (*broken, *symbol_findings(named, span, scope), *_targets(instruction, scope))
    if not broken:
        registers = scope.function.registers
        for fault in operand_faults(operation, instruction.operands, registers):
            yield BrokenRule(fault.rule, f"{fault.message} {scope.where}", span)


def operand_findings(operand: Operand, span: Span, scope: VerifiedFunction) -> Iterator[BrokenRule]:
    """The rules about registers and types that an operand breaks by itself."""
    yield from register_findings(registers_in(operand), span, scope)
    for part in _parts(operand):
        match part:
            case NotPredicate(register):
                yield from _predicate(register, span, scope)
            case FloatImm(_, type_):
                yield from type_findings(type_, span, scope.where)


def register_findings(
    indices: Iterable[int], span: Span, scope: VerifiedFunction
) -> Iterator[BrokenRule]:
    """The registers that the function does not have."""
    count = len(scope.function.registers)
    for index in indices:
        if not 0 <= index < count:
            message = f"there is no register {index}, only {count} {scope.where}"
            yield BrokenRule(8, message, span)


def symbol_findings(
    operands: Iterable[Operand], span: Span, scope: VerifiedFunction
) -> Iterator[BrokenRule]:
    """The symbols that stand for nothing."""
    for operand in operands:
        for part in _parts(operand):
            if isinstance(part, Symbol) and part.name not in scope.symbols:
                yield BrokenRule(15, f"there is no `{part.name}` {scope.where}", span)


def type_findings(type_: Type, span: Span | None, where: str) -> Iterator[BrokenRule]:
    """Finding of a type that is not one of the table's."""
    if TYPES.get(type_.name) != type_:
        yield BrokenRule(20, f"type `{type_.name}` is not in the table, {where}", span)


def _parts(operand: Operand) -> Iterator[Operand]:
    """An operand and all that is in it, the base of an address included."""
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


def _predicate(register: Reg, span: Span, scope: VerifiedFunction) -> Iterator[BrokenRule]:
    registers = scope.function.registers
    if not 0 <= register.index < len(registers):
        return  # rule 8 tells
    declared = registers[register.index]
    if declared.type.kind is not TypeKind.PREDICATE or declared.vector != 1:
        yield BrokenRule(9, f"register `{declared.name}` is not a predicate {scope.where}", span)


def _targets(instruction: Instruction, scope: VerifiedFunction) -> Iterator[BrokenRule]:
    operation, span = instruction.operation, instruction.span
    opcode, count = operation.opcode, len(instruction.targets)
    for target in instruction.targets:
        if not 0 <= target < len(scope.function.blocks):
            message = f"`{opcode}` targets block {target}, which is not there {scope.where}"
            yield BrokenRule(3, message, span)
    if operation.op_class is not OpClass.BRANCH:
        if count:
            yield BrokenRule(7, f"`{opcode}` has targets {scope.where}", span)
        return
    if (operation.name == "bra" and count != 1) or (operation.name == "brx.idx" and count == 0):
        yield BrokenRule(7, f"`{opcode}` has {count} targets {scope.where}", span)
    if operation.name == "switch":
        yield from _cases(instruction, scope)


def _cases(instruction: Instruction, scope: VerifiedFunction) -> Iterator[BrokenRule]:
    values, span = instruction.operands[1:], instruction.span
    if len(values) != len(instruction.targets):
        message = f"{len(values)} case values for {len(instruction.targets)} targets {scope.where}"
        yield BrokenRule(17, message, span)
    if not all(isinstance(value, Imm) for value in values) or len(set(values)) < len(values):
        yield BrokenRule(17, f"the case values are not distinct integers {scope.where}", span)
