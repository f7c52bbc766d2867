"""Device functions put in place of their calls, so that every engine sees one kernel.

Calls through registers and under a guard become calls by name before (``indirect_calls``), and
recursive functions become loops (``recursion``). Calls to functions without a body here, and those
that neither could be done to, stay as they are; they are reported. Arguments that PTX passes
in param space become registers where every access to them agrees in offset and width, else local
memory; there what a function accesses by the address of its parameter lies too (PTX ISA, ``mov``).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace

from warpmill.analyzer.base.diagnostics import CALL_KEPT, Diagnostic, LimitError, Severity
from warpmill.analyzer.base.whole_files import most_inlined
from warpmill.analyzer.ir.call_rewriting import CallsByName, without_param_memory
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    CallSite,
    EdgeCopies,
    Element,
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
    Register,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operand_rules import operand_faults
from warpmill.analyzer.ir.operation import Operation, decode, moved
from warpmill.analyzer.ir.types import OpClass, Space


@dataclass(frozen=True)
class Inlined:
    """A kernel without the calls that could be inlined, and what is said about the others."""

    kernel: Kernel
    diagnostics: tuple[Diagnostic, ...]


def inline_calls(module: Module, kernel: Kernel) -> Inlined:
    """Kernel with the bodies of device functions in place of their calls, deepest first.

    LimitError where calls of calls make a kernel that is over the limit of ``limits``.
    """
    calls = CallsByName(module)
    functions, refused = calls.reached(kernel), dict[str, str]()
    said = list(calls.diagnostics)
    if len(functions) > 1:  # a kernel cannot be called
        from warpmill.analyzer.ir.recursion import without_recursion  # noqa: PLC0415 - rarely needed

        joined = without_recursion(functions, module)
        functions, refused = joined.functions, joined.refused
        said += joined.diagnostics
    inliner = _Inliner(functions, module.name, said, refused)
    whole = inliner.expand(functions[kernel.name])
    assert isinstance(whole, Kernel)
    if whole is kernel:
        return Inlined(kernel, tuple(inliner.diagnostics))
    return Inlined(without_param_memory(whole), tuple(inliner.diagnostics))


@dataclass
class _Inliner:
    """Expands functions one after another and remembers the results."""

    functions: Mapping[str, Function]
    file: str
    diagnostics: list[Diagnostic]
    refused: Mapping[str, str]
    _done: dict[str, Function] = field(default_factory=dict)
    _calling: set[str] = field(default_factory=set)
    _recursive: set[str] = field(default_factory=set)

    def expand(self, function: Function) -> Function:
        """A function with the calls in it expanded; however deep they nest, none recurses."""
        under_way = {function.name: self._expansion(function)}
        expanded = None
        while under_way:
            name, expansion = next(reversed(under_way.items()))
            try:
                wanted = expansion.send(expanded)
            except StopIteration as end:
                expanded = self._done[name] = end.value
                del under_way[name]
            else:
                expanded = self._done.get(wanted.name)
                if expanded is None:
                    under_way[wanted.name] = self._expansion(wanted)
        return self._done[function.name]

    def _expansion(self, function: Function) -> Generator[Function, Function | None, Function]:
        """Expand a function: asks for each that it calls, and is sent that one expanded."""
        body = _Body(function, self.file)
        found = False
        self._calling.add(function.name)
        for block in function.blocks:
            body.start(block)
            for instruction in block.instructions:
                called = self._callee(instruction)
                callee = None if called is None else (yield called)
                if callee is None:
                    body.add(instruction)
                elif (obstacle := body.call(instruction, callee)) is not None:
                    self._report(instruction, f"{obstacle}; its call counts as one instruction")
                    body.add(instruction)
                else:
                    found = True
            body.finish(block)
        self._calling.discard(function.name)
        return body.result() if found else function

    def _callee(self, call: Instruction) -> Function | None:
        """The function that an instruction calls, where it can be inlined."""
        if call.operation.op_class is not OpClass.CALL:
            return None
        target = call.operands[1]
        if not isinstance(target, Symbol):
            words = "a call through a register counts as one instruction"
            self._report(call, f"{words}: no function whose address is taken has its prototype")
            return None
        callee = self.functions.get(target.name)
        if callee is None:
            self._report(
                call, f"{target.name} has no body here; its call counts as one instruction"
            )
            return None
        if callee.name in self._calling:
            self._report_recursion(call, callee.name)
            return None
        return callee

    def _report_recursion(self, call: Instruction, name: str) -> None:
        """Report that a function calls itself, where that is seen first."""
        if name not in self._recursive:
            self._recursive.add(name)
            why = f": {self.refused[name]}" if name in self.refused else ""
            words = f"{name} calls itself; this recursive call cannot be inlined{why}"
            self._report(call, words)

    def _report(self, call: Instruction, message: str) -> None:
        told = Diagnostic(Severity.WARNING, message, self.file, call.span, kind=CALL_KEPT)
        self.diagnostics.append(told)


@dataclass
class _Draft:
    """A block that is being written. ``key`` is what others name it by until ids are given."""

    key: tuple[int, ...]
    label: str
    instructions: list[Instruction]
    fallthrough: tuple[int, ...] | None = None
    targets: tuple[tuple[int, ...], ...] = ()
    incoming: tuple[EdgeCopies, ...] = ()
    copies_from: tuple[tuple[int, ...], ...] = ()
    attributes: tuple[str, ...] = ()


class _Body:
    """Rewrites one function's body, block by block."""

    def __init__(self, function: Function, file: str) -> None:
        self._function, self._file = function, file
        self._registers = list(function.registers)
        self._variables = list(function.variables)
        self._drafts: list[_Draft] = []
        self._last_part: dict[int, tuple[int, ...]] = {}
        self._calls = 0
        self._size = _size(function)

    def start(self, block: Block) -> None:
        """Begin a block of the caller."""
        self._open = _Draft((block.id,), block.label, [], incoming=block.incoming)
        self._open.copies_from = tuple((e.predecessor,) for e in block.incoming)
        self._open.attributes = block.attributes

    def add(self, instruction: Instruction) -> None:
        """Keep an instruction."""
        self._open.instructions.append(instruction)

    def finish(self, block: Block) -> None:
        """End a block of the caller; what called is cut in several."""
        last = block.terminator
        self._open.targets = () if last is None else tuple((t,) for t in last.targets)
        self._open.fallthrough = None if block.fallthrough is None else (block.fallthrough,)
        self._last_part[block.id] = self._open.key
        self._drafts.append(self._open)

    def call(self, call: Instruction, callee: Function) -> str | None:
        """Replace a call by the function's body; the obstacle, where that cannot be."""
        results, _, arguments, *_ = call.operands
        assert isinstance(results, Arguments)
        assert isinstance(arguments, Arguments)
        fits = len(arguments.items) == len(callee.parameters)
        fits = fits and len(results.items) in (0, len(callee.returns))
        if not fits:
            return f"{callee.name} takes other arguments"
        self._size += _size(callee)
        if self._size > (most := most_inlined()):
            words = f"with {callee.name} inlined, {self._function.name} has more than {most:,}"
            raise LimitError(
                Diagnostic(
                    Severity.ERROR,
                    f"{words} instructions and blocks",
                    self._file,
                    call.span,
                    hint="--max-inlined moves the limit",
                )
            )
        copy = _Copy(callee, f"{callee.name}.{self._calls + 1}", len(self._registers), call)
        moves_in = copy.bind(arguments.items)
        moves_out = copy.bind_results(results.items)
        moves = (*moves_in, *moves_out)
        self._registers += copy.registers()
        if any(
            fault
            for m in moves
            for fault in operand_faults(m.operation, m.operands, self._registers)
        ):
            del self._registers[copy.first_register :]
            return f"{callee.name} takes arguments of other types"
        self._calls += 1
        self._variables += copy.variables()
        before, number = self._open, self._calls
        before.instructions += moves_in
        before.fallthrough = (*before.key[:1], number, 0)
        self._drafts.append(before)
        after = _Draft((*before.key[:1], number), f"{before.label}.{number}", moves_out)
        after.attributes, before.attributes = before.attributes, ()  # of the part that goes back
        self._drafts += copy.drafts((*before.key[:1], number), after.key)
        self._open = after
        return None

    def result(self) -> Function:
        """The function with ids in place of keys."""
        ids = {draft.key: i for i, draft in enumerate(self._drafts)}
        blocks = tuple(self._block(draft, ids) for draft in self._drafts)
        return replace(
            self._function,
            registers=tuple(self._registers),
            variables=tuple(self._variables),
            blocks=blocks,
        )

    def _block(self, draft: _Draft, ids: Mapping[tuple[int, ...], int]) -> Block:
        incoming = [
            EdgeCopies(ids[self._end_of(key)], edge.copies)
            for edge, key in zip(draft.incoming, draft.copies_from, strict=True)
        ]
        instructions = draft.instructions
        if draft.targets:
            targets = tuple([ids[t] for t in draft.targets])
            instructions = [*instructions[:-1], replace(instructions[-1], targets=targets)]
        fallthrough = None if draft.fallthrough is None else ids[draft.fallthrough]
        parts = ids[draft.key], draft.label, tuple(instructions), fallthrough, tuple(incoming)
        return Block(*parts, draft.attributes)

    def _end_of(self, key: tuple[int, ...]) -> tuple[int, ...]:
        """The part of a caller's block that control leaves it by."""
        return self._last_part[key[0]] if len(key) == 1 else key


def _size(function: Function) -> int:
    return function.instruction_count + len(function.blocks)


@dataclass
class _Copy:
    """One copy of a function's body, with registers, symbols and labels of its own."""

    callee: Function
    prefix: str
    first_register: int
    call: Instruction
    _symbols: dict[str, Operand] = field(default_factory=dict)
    _handed_over: list[Variable] = field(default_factory=list)

    def bind(self, values: tuple[Operand, ...]) -> list[Instruction]:
        """Bind arguments to parameters: by a move, or by name where both lie in memory."""
        moves = []
        for parameter, value in zip(self.callee.parameters, values, strict=True):
            if parameter.register is not None:
                moves.append(self._move(self._reg(parameter.register), value, parameter.type.bits))
            elif _is_by_itself(parameter, value):
                place = self._variable_for(parameter)
                moves.append(self._made(f"st.param.b{parameter.type.bits}", place, value))
            else:
                self._symbols[parameter.name] = value
        return moves

    def bind_results(self, values: tuple[Operand, ...]) -> list[Instruction]:
        """Bind the function's return values to the caller's results."""
        moves = []
        for returned, value in zip(self.callee.returns, values, strict=False):
            if returned.register is not None:
                moves.append(self._move(value, self._reg(returned.register), returned.type.bits))
            elif _is_by_itself(returned, value):
                place = self._variable_for(returned)
                moves.append(self._made(f"ld.param.b{returned.type.bits}", value, place))
            else:
                self._symbols[returned.name] = value
        return moves

    def _move(self, target: Operand, value: Operand, bits: int) -> Instruction:
        kind = "pred" if bits == 1 else f"b{max(bits, 8)}"
        return self._made(f"mov.{kind}", target, value)

    def _made(self, opcode: str, *operands: Operand) -> Instruction:
        return replace(self.call, operation=decode(opcode), operands=operands)

    def _variable_for(self, parameter: Parameter) -> Address:
        """Make the variable that a parameter lies in where the caller has none for it."""
        name, type_ = f"{self.prefix}.{parameter.name}", parameter.type
        self._symbols[parameter.name] = Symbol(name)
        self._handed_over.append(
            Variable(name, Space.PARAM, type_, parameter.size_bytes, parameter.align)
        )
        return Address(Symbol(name), 0)

    def registers(self) -> list[Register]:
        """The copy's registers."""
        return [replace(r, name=f"{self.prefix}.{r.name}") for r in self.callee.registers]

    def variables(self) -> list[Variable]:
        """The copy's variables; their names become its own."""
        for variable in self.callee.variables:
            self._symbols[variable.name] = Symbol(f"{self.prefix}.{variable.name}")
        own = [replace(v, name=f"{self.prefix}.{v.name}") for v in self.callee.variables]
        return [*own, *self._handed_over]

    def drafts(self, place: tuple[int, ...], after: tuple[int, ...]) -> list[_Draft]:
        """The copy's blocks; its returns go on at ``after``."""
        return [self._draft(block, place, after) for block in self.callee.blocks]

    def _draft(self, block: Block, place: tuple[int, ...], after: tuple[int, ...]) -> _Draft:
        draft = _Draft((*place, block.id), f"{self.prefix}.{block.label}", [])
        last = block.terminator
        returns = last is not None and last.operation.name == "ret"
        kept = block.instructions[:-1] if returns else block.instructions
        draft.instructions = [self._instruction(i) for i in kept]
        if block.fallthrough is not None:
            draft.fallthrough = (*place, block.fallthrough)
        if last is not None:
            draft.targets = tuple([(*place, t) for t in last.targets])
        if returns and last is not None and last.guard is not None:
            jump = replace(last, operation=decode("bra"))
            draft.instructions.append(self._instruction(jump))
            draft.targets = (after,)
        elif returns or (last is None and block.fallthrough is None):
            draft.fallthrough = after
        for e in block.incoming:
            copies = tuple([(self._reg(r), self._operand(o)) for r, o in e.copies])
            draft.incoming += (EdgeCopies(e.predecessor, copies),)
            draft.copies_from += ((*place, e.predecessor),)
        draft.attributes = block.attributes
        return draft

    def _instruction(self, instruction: Instruction) -> Instruction:
        guard = instruction.guard
        return Instruction(
            self._operation(instruction),
            tuple([self._operand(o) for o in instruction.operands]),
            instruction.span,
            None if guard is None else Guard(self._reg(guard.register), guard.negated),
            instruction.targets,
            instruction.debug,
            CallSite(self.callee.name, self.call.span, instruction.inlined),
        )

    def _operation(self, instruction: Instruction) -> Operation:
        """Operation of an access to a parameter, redirected to where that one is now."""
        operation, address = instruction.operation, instruction.address
        if operation.space is not Space.PARAM or not isinstance(address, Address):
            return operation
        match address.base:
            case Symbol(name):
                by_address = isinstance(self._symbols.get(name), Reg)
                return moved(operation, Space.PARAM, Space.GENERIC) if by_address else operation
            case Reg() if "::entry" not in operation.opcode:  # that is the kernel's
                by_address = any(isinstance(s, Reg) for s in self._symbols.values())
                return moved(operation, Space.PARAM, Space.GENERIC if by_address else Space.LOCAL)
        return operation

    def _reg(self, register: Reg) -> Reg:
        return Reg(register.index + self.first_register)

    def _operand(self, operand: Operand) -> Operand:
        match operand:
            case Reg():
                return self._reg(operand)
            case Symbol(name, offset) if name in self._symbols:
                new = self._symbols[name]
                return Symbol(new.name, new.offset + offset) if isinstance(new, Symbol) else new
            case Address(base, offset):
                moved = self._operand(base)
                if isinstance(base, Symbol) and isinstance(moved, Reg):
                    return Address(moved, base.offset + offset)
                assert isinstance(moved, Reg | Symbol | Imm)
                return replace(operand, base=moved)
            case NotPredicate(register):
                return NotPredicate(self._reg(register))
            case Negated(Reg() as register):
                return Negated(self._reg(register))
            case Negated(Element(register, component)):
                return Negated(Element(self._reg(register), component))
            case Element(register, component):
                return Element(self._reg(register), component)
            case Vector(items):
                return Vector(tuple(map(self._operand, items)))
            case Arguments(items):
                return Arguments(tuple(map(self._operand, items)))
            case TupleAddress(items):
                return TupleAddress(tuple(map(self._operand, items)))
            case Pair(first, second):
                return Pair(self._operand(first), self._operand(second))
        return operand


def _is_by_itself(parameter: Parameter, value: Operand) -> bool:
    """Whether a register or a constant is what a parameter in memory holds, not its address."""
    return not isinstance(value, Symbol) and parameter.size_bytes == parameter.type.size_bytes
