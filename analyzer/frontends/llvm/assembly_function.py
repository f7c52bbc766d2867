"""Assembly that jumps, or has variables of its own, as a device function of the module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.analyzer.base.source import DebugLocation, Span
from warpmill.analyzer.frontends.llvm.assembly_plan import Key, Plan
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.ptx.assembly import OPERAND
from warpmill.analyzer.ir.kernel import Block, Function, Instruction, Parameter, Reg, Register
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES

NAME = "inline_asm_"
"""What the names of such functions begin with."""


def function_of(
    module: ModuleContext, key: Key, plan: Plan, span: Span, debug: DebugLocation | None
) -> str:
    """The name of the function that an assembly text is, made at its first call.

    Its parameters are the inputs in order, without those that are written into the text; its
    returns the results. Calls that a compiler gave different lines have functions of their own.
    """
    same = (key.text, key.constraints, key.written, key.types, debug)
    function = module.assembly.get(same)
    if function is None:
        drafted = _Draft(key, plan, _free_name(module))
        function = module.assembly[same] = drafted.function(span, debug)
    return function.name


def _free_name(module: ModuleContext) -> str:
    text = module.text
    taken = {*text.functions, *text.declarations, *text.variables}
    taken |= {function.name for function in module.assembly.values()}
    number = len(module.assembly) + 1
    while f"{NAME}{number}" in taken:
        number += 1
    return f"{NAME}{number}"


class _Draft:
    """The function while its registers are gathered."""

    def __init__(self, key: Key, plan: Plan, name: str) -> None:
        self._key, self._plan, self._name = key, plan, name
        self._registers = list(plan.function.registers)
        self._numbers = {
            number: Reg(index)
            for index, number in enumerate(plan.operands[: len(plan.function.registers)])
            if number is not None
        }

    def function(self, span: Span, debug: DebugLocation | None) -> Function:
        """Give it, all its instructions at the place of a call."""
        constants = self._key.constants
        inputs = [
            n for n, p in enumerate(self._key.places) if not p.is_result and n not in constants
        ]
        results = [n for n, p in enumerate(self._key.places) if p.is_result]
        tied = list(self._tied())
        copied = {number: source for number, _, source in tied}
        parameters = [self._parameter(n, copied.get(n) or self._register(n)) for n in inputs]
        returns = [self._parameter(n, self._register(n)) for n in results]
        entry = [
            Instruction(decode(f"mov.{self._key.types[n]}"), (to, source), span, debug=debug)
            for n, to, source in tied
        ]
        body = self._plan.function
        return Function(
            name=self._name,
            parameters=tuple(parameters),
            registers=tuple(self._registers),
            blocks=_blocks(body, entry, f"{self._name}_entry", span, debug),
            span=span,
            variables=tuple(replace(variable, span=span) for variable in body.variables),
            returns=tuple(returns),
        )

    def _register(self, number: int) -> Reg:
        """The register of an operand, made where the text does not name it."""
        if number not in self._numbers:
            self._numbers[number] = self._new(f"{OPERAND}{number}", number)
        return self._numbers[number]

    def _new(self, name: str, number: int) -> Reg:
        self._registers.append(Register(name, TYPES[self._key.types[number]]))
        return Reg(len(self._registers) - 1)

    def _tied(self) -> Iterator[tuple[int, Reg, Reg]]:
        """Inputs that lie with a result: their number, the result, and where they come in."""
        places = self._key.places
        results = [n for n, place in enumerate(places) if place.is_result]
        for number, place in enumerate(places):
            if place.tie is not None:
                result = results[place.tie]
                yield number, self._register(result), self._new(f"%input{number}", result)

    def _parameter(self, number: int, register: Reg) -> Parameter:
        type_ = TYPES[self._key.types[number]]
        name = f"{self._name}_operand{number}"
        return Parameter(name, type_, type_.size_bytes, type_.size_bytes, register)


def _blocks(
    body: Function, entry: list[Instruction], label: str, span: Span, debug: DebugLocation | None
) -> tuple[Block, ...]:
    """The blocks at the place of a call, behind an entry where something has to be copied."""
    more = 1 if entry else 0
    first = (Block(0, label, tuple(entry), 1),) if entry else ()
    return first + tuple(
        replace(
            block,
            id=block.id + more,
            instructions=tuple(
                replace(i, span=span, debug=debug, targets=tuple(t + more for t in i.targets))
                for i in block.instructions
            ),
            fallthrough=None if block.fallthrough is None else block.fallthrough + more,
        )
        for block in body.blocks
    )
