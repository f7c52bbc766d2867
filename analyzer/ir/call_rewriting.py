"""Calls rewritten: indirect ones as calls by name, arguments in param space as registers.

A function whose address is taken has one: a number of its own that no memory has. A call through a
register is a switch over the functions with its prototype whose addresses are taken; divergent
targets execute in turns, and a value that is none of these addresses stops the launch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from zlib import crc32

from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, Diagnostic, Severity
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
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
    Vector,
    symbols_in,
)
from warpmill.analyzer.ir.operation import decode, moved
from warpmill.analyzer.ir.types import TYPES, OpClass, Space, TypeKind

FUNCTION_BASE, FUNCTIONS_END = 0x0500_0000, 0x1000_0000
"""Addresses of functions: no memory is there, global memory begins at their end."""

FUNCTION_BYTES = 16
"""Alignment of functions' addresses."""

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
        """Function with functions' names replaced by their addresses where these are values."""

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


# Blocks while a function is rewritten: they name each other by keys until all are there.

Key = tuple[int | str, ...]
"""Name of a block; blocks of the function before have their id first."""


@dataclass
class BlockDraft:
    """A block that is being written; ``copies_from`` are the keys of where ``incoming`` is from."""

    key: Key
    label: str
    instructions: list[Instruction]
    fallthrough: Key | None = None
    targets: tuple[Key, ...] = ()
    incoming: tuple[EdgeCopies, ...] = ()
    copies_from: tuple[Key, ...] = ()
    attributes: tuple[str, ...] = ()


def finished(drafts: Sequence[BlockDraft]) -> tuple[Block, ...]:
    """The blocks with ids in place of keys."""
    ids = {draft.key: number for number, draft in enumerate(drafts)}
    return tuple(_block(draft, ids) for draft in drafts)


def _block(draft: BlockDraft, ids: dict[Key, int]) -> Block:
    instructions = list(draft.instructions)
    if draft.targets:
        targets = tuple(ids[key] for key in draft.targets)
        instructions[-1] = replace(instructions[-1], targets=targets)
    incoming = tuple(
        EdgeCopies(ids[key], edge.copies)
        for edge, key in zip(draft.incoming, draft.copies_from, strict=True)
    )
    fallthrough = None if draft.fallthrough is None else ids[draft.fallthrough]
    parts = ids[draft.key], draft.label, tuple(instructions), fallthrough, incoming
    return Block(*parts, draft.attributes)


def mapped(
    operand: Operand, register: Callable[[Reg], Reg], symbol: Callable[[Symbol], Operand]
) -> Operand:
    """An operand with other registers and symbols in place of its own.

    A symbol that is the base of an address may become a register or another symbol.
    """

    def each(items: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple(mapped(item, register, symbol) for item in items)

    match operand:
        case Reg():
            return register(operand)
        case Symbol():
            return symbol(operand)
        case Address(Reg() as base):
            return replace(operand, base=register(base))
        case Address(Symbol() as base):
            moved = symbol(base)
            assert isinstance(moved, Reg | Symbol | Imm)
            return replace(operand, base=moved)
        case NotPredicate(inner):
            return NotPredicate(register(inner))
        case Negated(inner):
            negated = mapped(inner, register, symbol)
            assert isinstance(negated, Reg | Element)
            return Negated(negated)
        case Element(inner, component):
            return Element(register(inner), component)
        case Vector(items):
            return Vector(each(items))
        case Arguments(items):
            return Arguments(each(items))
        case TupleAddress(items):
            return TupleAddress(each(items))
        case Pair(first, second):
            return Pair(*each((first, second)))
    return operand


# Param memory of inlined calls, turned into registers.
#
# PTX hands arguments over in param space: the caller stores, the callee loads. Once a call is
# inlined both stand in one body, and a variable whose accesses agree in offset and width is a set
# of registers. One whose accesses do not agree becomes local memory.

ParamSlot = tuple[str, int]
"""A variable and a byte offset in it."""


def without_param_memory(kernel: Kernel) -> Kernel:
    """Replace a kernel's own param-space variables by registers, or by local memory."""
    names = {v.name for v in kernel.variables if v.space is Space.PARAM}
    widths = slot_widths(kernel, names)
    split = {name for name, slots in widths.items() if agree(slots)}
    registers = list(kernel.registers)
    slots: dict[ParamSlot, Reg] = {}
    for name in sorted(split):
        for offset, sizes in sorted(widths[name].items()):
            (size,) = sizes
            slots[name, offset] = Reg(len(registers))
            registers.append(Register(f"{name}+{offset}", TYPES[f"b{8 * size}"]))
    blocks = tuple(_rewritten(block, slots, names, registers) for block in kernel.blocks)
    kept = tuple(
        replace(v, space=Space.LOCAL) if v.name in names else v
        for v in kernel.variables
        if v.name not in split
    )
    return replace(kernel, registers=tuple(registers), blocks=blocks, variables=kept)


def slot_widths(kernel: Function, names: set[str]) -> dict[str, dict[int, set[int]]]:
    """The widths in bytes with which each offset of each variable is accessed.

    Width 0 stands for an access that is no plain load or store at a fixed offset.
    """
    widths: dict[str, dict[int, set[int]]] = {n: defaultdict(set) for n in sorted(names)}
    for instruction in kernel.instructions:
        place = slot_of(instruction, names)
        if place is not None:
            name, offset = place
            size = _element_bytes(instruction)
            for lane in range(instruction.operation.vector):
                widths[name][offset + lane * size].add(size)
            continue
        for operand in instruction.operands:
            for name in _named(operand) & names:
                widths[name][0].add(0)
    return widths


def _named(operand: Operand) -> set[str]:
    match operand:
        case Symbol(name) | Address(base=Symbol(name)):
            return {name}
        case Vector(items):
            return {n for item in items for n in _named(item)}
    items = getattr(operand, "items", ())
    return {n for item in items for n in _named(item)}


def slot_of(instruction: Instruction, names: Set[str]) -> ParamSlot | None:
    """The variable and offset of a load or store of param memory."""
    address = instruction.address
    if instruction.operation.op_class not in (OpClass.LOAD, OpClass.STORE):
        return None
    if (
        isinstance(address, Address)
        and isinstance(address.base, Symbol)
        and address.base.name in names
    ):
        return address.base.name, address.base.offset + address.offset
    return None


def _element_bytes(instruction: Instruction) -> int:
    operation = instruction.operation
    return (operation.width_bytes or 0) // operation.vector


def agree(slots: dict[int, set[int]]) -> bool:
    """Whether every offset has one width and no two overlap."""
    end = 0
    for offset, sizes in sorted(slots.items()):
        if len(sizes) != 1 or min(sizes) not in (1, 2, 4, 8) or offset < end:
            return False
        end = offset + min(sizes)
    return True


def _rewritten(
    block: Block, slots: dict[ParamSlot, Reg], names: set[str], registers: Sequence[Register]
) -> Block:
    instructions: list[Instruction] = []
    for instruction in block.instructions:
        place = slot_of(instruction, names)
        if place is None:
            instructions.append(instruction)
        elif place in slots:
            instructions += slot_moves(instruction, place, slots, registers)
        else:
            in_local = moved(instruction.operation, Space.PARAM, Space.LOCAL)
            instructions.append(replace(instruction, operation=in_local))
    return replace(block, instructions=tuple(instructions))


def slot_moves(
    instruction: Instruction,
    place: ParamSlot,
    slots: dict[ParamSlot, Reg],
    registers: Sequence[Register],
) -> list[Instruction]:
    """One move for each element of a load or store; a conversion where a register is wider."""
    name, offset = place
    size = _element_bytes(instruction)
    stores = instruction.operation.op_class is OpClass.STORE
    data = instruction.operands[1 if stores else 0]
    elements = data.elements if isinstance(data, Vector) else (data,)
    type_ = instruction.operation.type
    kind = "s" if type_ is not None and type_.kind is TypeKind.SIGNED else "u"
    found = []
    for lane, element in enumerate(elements):
        slot = slots[name, offset + lane * size]
        operands = (slot, element) if stores else (element, slot)
        wide = registers[element.index].type.bits if isinstance(element, Reg) else 8 * size
        move = decode(f"mov.b{8 * size}")
        if wide > 8 * size:
            bits = (8 * size, wide) if stores else (wide, 8 * size)
            move = decode(f"cvt.{kind}{bits[0]}.{kind}{bits[1]}")
        found.append(replace(instruction, operation=move, operands=operands))
    return found
