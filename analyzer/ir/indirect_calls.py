"""Calls through registers and calls under a guard, as branches around calls of functions by name.

A function whose address is taken has one: a number of its own that no memory has. A call through a
register is a switch over the functions with its prototype whose addresses are taken; divergent
targets execute in turns, and a value that is none of these addresses stops the launch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, Diagnostic, Severity
from warpmill.analyzer.ir.drafts import BlockDraft, Key, finished, mapped
from warpmill.analyzer.ir.kernel import (
    Arguments,
    Function,
    Guard,
    Imm,
    Instruction,
    Module,
    Operand,
    Parameter,
    Reg,
    Symbol,
    symbols_in,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import OpClass, Space

FUNCTION_BASE, FUNCTIONS_END = 0x0500_0000, 0x1000_0000
"""Where the addresses of functions lie: no memory is there, global memory begins at their end."""

FUNCTION_BYTES = 16
"""What addresses of functions are multiples of."""

_MOST_NAMED = 4


def function_addresses(module: Module) -> dict[str, int]:
    """The address of each function and kernel: by its name, and so the same in every module."""
    every = (module.functions, module.kernels, module.declarations)
    places = (FUNCTIONS_END - FUNCTION_BASE) // FUNCTION_BYTES
    found: dict[str, int] = {}
    taken: set[int] = set()
    for name in sorted({f.name for functions in every for f in functions}):
        place = crc32(name.encode()) % places
        while place in taken:
            place = (place + 1) % places
        taken.add(place)
        found[name] = FUNCTION_BASE + place * FUNCTION_BYTES
    return found


def taken_functions(module: Module) -> tuple[Function, ...]:
    """The functions with a body whose addresses are taken, in the order of the module."""
    named = {s.name for v in module.variables for s in v.initialiser or () if isinstance(s, Symbol)}
    for function in (*module.functions, *module.kernels):
        for instruction in function.instructions:
            named.update(name for o in _values(instruction) for name in symbols_in(o))
        copies = [o for b in function.blocks for e in b.incoming for _, o in e.copies]
        named.update(name for o in copies for name in symbols_in(o))
    return tuple(f for f in module.functions if f.name in named)


def _values(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands that are values: of a call not the function, and not its prototype."""
    if instruction.operation.op_class is not OpClass.CALL:
        return instruction.operands
    results, _, arguments, *_ = instruction.operands
    return results, arguments


def called(function: Function) -> dict[str, None]:
    """The names of what a function calls, in order."""
    calls = (i for i in function.instructions if i.operation.op_class is OpClass.CALL)
    targets = [call.operands[1] for call in calls]
    return dict.fromkeys(t.name for t in targets if isinstance(t, Symbol))


@dataclass
class CallsByName:
    """Rewrites functions of a module so that all calls that can be inlined are by name."""

    module: Module
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._named: Mapping[str, Function] = {f.name: f for f in self.module.functions}
        self._addresses = function_addresses(self.module)
        self._taken: tuple[Function, ...] | None = None

    def reached(self, kernel: Function) -> dict[str, Function]:
        """The kernel and the functions that it may call, rewritten, by name."""
        found = {kernel.name: self.rewritten(kernel)}
        pending = [*called(found[kernel.name])]
        while pending:
            name = pending.pop()
            if name in self._named and name not in found:
                found[name] = self.rewritten(self._named[name])
                pending += called(found[name])
        return found

    def rewritten(self, function: Function) -> Function:
        """A function without calls through registers and guarded calls, where it can be."""
        if not self._addresses.keys().isdisjoint(function.symbols):
            function = self._with_addresses(function)
        cut = _Cut(function)
        for block in function.blocks:
            cut.start(block.id)
            for instruction in block.instructions:
                cut.add(instruction, *self._callees(instruction, function))
            cut.finish()
        return cut.result()

    def _with_addresses(self, function: Function) -> Function:
        """Put the addresses of functions in place of their names where these are values."""

        def symbol(named: Symbol) -> Operand:
            place = self._addresses.get(named.name)
            return named if place is None else Imm(place + named.offset)

        def changed(instruction: Instruction) -> Instruction:
            values = {id(o) for o in _values(instruction)}
            operands = tuple(
                mapped(o, lambda r: r, symbol) if id(o) in values else o
                for o in instruction.operands
            )
            return instruction if operands == instruction.operands else replace(
                instruction, operands=operands
            )  # fmt: skip

        blocks = tuple(
            replace(
                block,
                instructions=tuple(map(changed, block.instructions)),
                incoming=tuple(
                    replace(
                        edge,
                        copies=tuple((r, mapped(o, lambda r: r, symbol)) for r, o in edge.copies),
                    )
                    for edge in block.incoming
                ),
            )
            for block in function.blocks
        )
        return replace(function, blocks=blocks)

    def _callees(
        self, instruction: Instruction, caller: Function
    ) -> tuple[bool, Sequence[tuple[int, str]]]:
        """Whether a call is by name and to be taken out of its guard; else what it may call."""
        if instruction.operation.op_class is not OpClass.CALL:
            return False, ()
        target = instruction.operands[1]
        if isinstance(target, Symbol):
            return instruction.guard is not None, ()
        if self._taken is None:
            self._taken = taken_functions(self.module)
        fitting = [f.name for f in self._taken if _fits(instruction, f, caller)]
        if fitting:
            self._say(instruction, fitting)
        return False, [(self._addresses[name], name) for name in fitting]

    def _say(self, call: Instruction, names: Sequence[str]) -> None:
        shown = ", ".join(names[:_MOST_NAMED])
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        words = f"a call through a register is taken to be of {shown}{more}"
        why = "the functions with its prototype whose addresses are taken"
        told = Diagnostic(Severity.NOTE, f"{words}: {why}", self.module.name, call.span,
                          kind=CALL_ASSUMED)  # fmt: skip
        self.diagnostics.append(told)


def _fits(call: Instruction, callee: Function, caller: Function) -> bool:
    """Whether a function takes as many values of the same sizes as a call hands over."""
    results, _, arguments, *_ = call.operands
    assert isinstance(results, Arguments)
    assert isinstance(arguments, Arguments)
    if len(arguments.items) != len(callee.parameters):
        return False
    if len(results.items) not in (0, len(callee.returns)):
        return False
    pairs: Iterator[tuple[Operand, Parameter]] = iter(
        [
            *zip(arguments.items, callee.parameters, strict=True),
            *zip(results.items, callee.returns, strict=False),
        ]
    )
    return all(_is_of_size(operand, parameter, callee, caller) for operand, parameter in pairs)


def _is_of_size(operand: Operand, parameter: Parameter, callee: Function, caller: Function) -> bool:
    size = parameter.size_bytes
    if parameter.register is not None:
        size = callee.registers[parameter.register.index].type.size_bytes
    match operand:
        case Reg(index):
            return caller.registers[index].type.size_bytes == size
        case Symbol(name):
            found = next((v for v in caller.variables if v.name == name), None)
            return found is None or found.space is not Space.PARAM or found.size_bytes == size
    return True


class _Cut:
    """A function's blocks, cut where calls are put behind branches."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._drafts: list[BlockDraft] = []
        self._last: dict[int, Key] = {}
        self._calls = 0

    def start(self, block: int) -> None:
        """Begin a block of the function."""
        self._block = self._function.blocks[block]
        self._open = BlockDraft((block,), self._block.label, [], incoming=self._block.incoming)
        self._open.attributes = self._block.attributes

    def add(
        self, instruction: Instruction, is_guarded: bool, callees: Sequence[tuple[int, str]]
    ) -> None:
        """Keep an instruction; a guarded call, or one with several callees, behind a branch."""
        if not is_guarded and not callees:
            self._open.instructions.append(instruction)
            return
        self._calls += 1
        before, here = self._open, (self._block.id, self._calls)
        after = BlockDraft(here, f"{before.label}.after{self._calls}", [])
        after.attributes, before.attributes = before.attributes, ()  # of the part that goes back
        plain = replace(instruction, guard=None)
        if instruction.guard is not None:
            away = Guard(instruction.guard.register, not instruction.guard.negated)
            jump = replace(instruction, operation=decode("bra"), operands=(), guard=away)
            before.instructions.append(jump)
            before.targets, before.fallthrough = (after.key,), (*here, "on")
            self._drafts.append(before)
            before = BlockDraft((*here, "on"), f"{before.label}.on{self._calls}", [])
        if callees:
            self._switch(before, plain, callees, after.key)
        else:
            before.instructions.append(plain)
            before.fallthrough = after.key
            self._drafts.append(before)
        self._open = after

    def _switch(
        self, before: BlockDraft, call: Instruction, callees: Sequence[tuple[int, str]], after: Key
    ) -> None:
        """Go to one call for each function; a value that is none of them ends in a fault."""
        here, label = (self._block.id, self._calls), before.label
        results, target, *rest = call.operands
        register = self._function.registers[target.index if isinstance(target, Reg) else 0]
        numbers = [Imm(number) for number, _ in callees]
        switch = decode(f"switch.b{register.type.bits}")
        before.instructions.append(replace(call, operation=switch, operands=(target, *numbers)))
        before.targets = tuple((*here, number) for number in range(len(callees)))
        before.fallthrough = (*here, "none")
        nowhere = replace(call, operation=decode("trap.call"), operands=(target,))
        none = BlockDraft(
            (*here, "none"), f"{label}.none{self._calls}", [nowhere], fallthrough=after
        )
        self._drafts += [before, none]
        for number, (_, name) in enumerate(callees):
            made = replace(call, operands=(results, Symbol(name), *rest[:1]))
            draft = BlockDraft((*here, number), f"{label}.to{self._calls}.{number}", [made])
            draft.fallthrough = after
            self._drafts.append(draft)

    def finish(self) -> None:
        """End a block of the function."""
        last = self._block.terminator
        self._open.targets = () if last is None else tuple((t,) for t in last.targets)
        through = self._block.fallthrough
        self._open.fallthrough = None if through is None else (through,)
        self._last[self._block.id] = self._open.key
        self._drafts.append(self._open)

    def result(self) -> Function:
        """The function; the same one where nothing was cut."""
        if not self._calls:
            return self._function
        for draft in self._drafts:
            draft.copies_from = tuple(self._last[e.predecessor] for e in draft.incoming)
        return replace(self._function, blocks=finished(self._drafts))
