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

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity
from warpmill.analyzer.base.source import Span
from warpmill.analyzer.ir.instruction_rules import (
    Finding,
    InstructionRules,
    Scope,
    Sound,
    operand_findings,
    register_findings,
    symbol_findings,
    type_findings,
)
from warpmill.analyzer.ir.kernel import Block, Function, Kernel, Module, Parameter, Symbol, Variable


def verify(module: Module) -> tuple[Diagnostic, ...]:
    """Give an error for each place where a rule is broken, in the order of the module; pure.

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


def _module(module: Module) -> Iterator[Finding]:
    functions = (*module.functions, *module.kernels)
    for name in _twice(f.name for f in functions):
        yield Finding(19, f"two functions are called `{name}`", None)
    for name in _twice(v.name for v in module.variables):
        yield Finding(19, f"two variables are called `{name}`", None)
    if module.address_bits not in (32, 64):
        yield Finding(21, f"addresses of {module.address_bits} bits", None)
    if module.warp_size < 1:
        yield Finding(21, f"a warp of {module.warp_size} lanes", None)
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


def _function(function: Function, module_names: frozenset[str], sound: Sound) -> Iterator[Finding]:
    parameters = (*function.parameters, *function.returns)
    local = [*(p.name for p in parameters), *(v.name for v in function.variables)]
    edges = frozenset((place, s) for place, b in enumerate(function.blocks) for s in b.successors)
    scope = Scope(function, module_names.union(local), edges)
    yield from _names(scope)
    if isinstance(function, Kernel) and function.returns:
        yield Finding(18, f"kernel `{function.name}` has returns", function.span)
    if not function.blocks:
        yield Finding(2, f"`{function.name}` has no block", function.span)
    yield from _registers(scope)
    for parameter in parameters:
        yield from _parameter(parameter, scope)
    bound = (p.register.index for p in parameters if p.register is not None)
    for index in _twice(bound):
        yield Finding(
            22, f"two parameters are bound to register {index} {scope.where}", function.span
        )
    for variable in function.variables:
        yield from _variable(variable, scope.symbols, function.span, scope.where)
    rules = InstructionRules(scope, sound)
    for place, block in enumerate(function.blocks):
        yield from _block(place, block, scope, rules)


def _names(scope: Scope) -> Iterator[Finding]:
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
            yield Finding(16, f"two {kind} are called `{name}` {scope.where}", function.span)
    both = set(variables)
    for name in dict.fromkeys(p for p in parameters if p in both):
        yield Finding(
            16, f"a parameter and a variable are called `{name}` {scope.where}", function.span
        )


def _registers(scope: Scope) -> Iterator[Finding]:
    function = scope.function
    different = {(id(r.type), r.vector): r for r in reversed(function.registers)}
    for register in reversed(different.values()):
        yield from type_findings(register.type, function.span, scope.where)
        if register.vector < 1:
            message = f"register `{register.name}` has {register.vector} elements {scope.where}"
            yield Finding(21, message, function.span)


def _parameter(parameter: Parameter, scope: Scope) -> Iterator[Finding]:
    span, where = scope.function.span, f"of parameter `{parameter.name}` {scope.where}"
    yield from type_findings(parameter.type, span, where)
    yield from _layout(parameter.size_bytes, parameter.align, span, where)
    if parameter.pointee_align is not None and not _is_power_of_two(parameter.pointee_align):
        yield Finding(21, f"alignment {parameter.pointee_align} {where}", span)
    if parameter.register is not None:
        yield from register_findings((parameter.register.index,), span, scope)


def _variable(
    variable: Variable, symbols: frozenset[str], span: Span | None, where: str
) -> Iterator[Finding]:
    span, where = variable.span or span, f"of variable `{variable.name}` {where}"
    yield from type_findings(variable.type, span, where)
    yield from _layout(variable.size_bytes or 0, variable.align, span, where)
    for value in variable.initialiser or ():
        if isinstance(value, Symbol) and value.name not in symbols:
            yield Finding(15, f"there is no `{value.name}` for the initialiser {where}", span)


def _layout(size: int, align: int, span: Span | None, where: str) -> Iterator[Finding]:
    if size < 0:
        yield Finding(21, f"size {size} {where}", span)
    if not _is_power_of_two(align):
        yield Finding(21, f"alignment {align} {where}", span)


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _block(place: int, block: Block, scope: Scope, rules: InstructionRules) -> Iterator[Finding]:
    where = f"block `{block.label}` {scope.where}"
    span = block.instructions[-1].span if block.instructions else scope.function.span
    if block.id != place:
        yield Finding(1, f"{where} has id {block.id} and place {place}", span)
    yield from _edge_copies(place, block, scope, span)
    yield from rules.findings(block)
    yield from _fallthrough(block, scope, where, span)


def _fallthrough(block: Block, scope: Scope, where: str, span: Span) -> Iterator[Finding]:
    last = block.terminator
    goes_on = last is None or last.guard is not None
    if block.fallthrough is None:
        if goes_on:
            yield Finding(4, f"{where} has no fall-through", span)
        return
    if not 0 <= block.fallthrough < len(scope.function.blocks):
        yield Finding(
            3, f"{where} falls through to block {block.fallthrough}, which is not there", span
        )
    if not goes_on and last is not None and last.operation.name not in _WITH_DEFAULT:
        yield Finding(6, f"{where} has a fall-through after `{last.operation.opcode}`", span)


_WITH_DEFAULT = frozenset({"switch", "brx.idx"})


def _edge_copies(place: int, block: Block, scope: Scope, span: Span) -> Iterator[Finding]:
    where = f"into block `{block.label}` {scope.where}"
    for predecessor in _twice(edge.predecessor for edge in block.incoming):
        yield Finding(10, f"two lists of copies from block {predecessor} {where}", span)
    for edge in block.incoming:
        if (edge.predecessor, place) not in scope.edges:
            yield Finding(
                10, f"copies from block {edge.predecessor}, which has no edge {where}", span
            )
        for index in _twice(register.index for register, _ in edge.copies):
            yield Finding(11, f"register {index} is written twice on an edge {where}", span)
        for register, value in edge.copies:
            yield from operand_findings(register, span, scope)
            yield from operand_findings(value, span, scope)
            yield from symbol_findings((value,), span, scope)


def _twice(names: Iterable[str] | Iterable[int]) -> list[str | int]:
    """Give what stands more than once, in order of first appearance."""
    given = list[str | int](names)
    if len(set(given)) == len(given):
        return []
    return [name for name, times in Counter(given).items() if times > 1]
