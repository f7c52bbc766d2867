"""Recursive functions as loops over a stack of frames, so that they are inlined like others.

Functions that call each other in a circle become one function without calls: a call within it
keeps what its function needs afterwards in the frame, hands over its arguments and jumps to the
first block; a return jumps to where its frame says that the call was. Frames lie in local memory,
taken as by ``alloca``. Lanes that return at different depths wait for each other where the
function ends, as at the end of a loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, Diagnostic, Severity
from warpmill.analyzer.base.digraphs import components
from warpmill.analyzer.ir.call_rewriting import (
    BlockDraft,
    Key,
    ParamSlot,
    agree,
    called,
    finished,
    mapped,
    slot_moves,
    slot_of,
    slot_widths,
)
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
    Module,
    Operand,
    Parameter,
    Reg,
    Register,
    Symbol,
    Variable,
    registers_in,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, OpClass, Space, TypeKind

_HEADER_BYTES = 24
"""Header of a frame: the frame before, the stack before, and where to return to."""

_FRAME_ALIGN = 16
_WIDEST_BITS = 64


class UnfitError(Exception):
    """Reason why functions cannot be made one: kept in words."""


@dataclass(frozen=True)
class Joined:
    """Functions without recursive calls where that could be, what is said, and why it could not."""

    functions: dict[str, Function]
    diagnostics: tuple[Diagnostic, ...]
    refused: dict[str, str]


def without_recursion(functions: Mapping[str, Function], module: Module) -> Joined:
    """The functions, each that is recursive with what it calls in a circle made one without."""
    found, refused, said = dict(functions), {}, []
    for group in _circles(functions):
        members = [functions[name] for name in group]
        for entry in members:
            others = [f for f in members if f is not entry]
            whole = _Whole([entry, *others], module.address_bits)
            try:
                found[entry.name] = whole.function()
            except UnfitError as error:
                refused[entry.name] = str(error)
        if not refused.keys() & {*group}:
            said.append(_said(members, module.name))
    return Joined(found, tuple(said), refused)


def _said(members: Sequence[Function], file: str) -> Diagnostic:
    names = [f.name for f in members]
    words = f"{names[0]} calls itself" if len(names) == 1 else f"{', '.join(names)} call each other"
    does = "each call goes round a loop with a frame in local memory, as often as data decide"
    return Diagnostic(Severity.NOTE, f"{words}: {does}", file, members[0].span, kind=CALL_ASSUMED)


def _circles(functions: Mapping[str, Function]) -> list[list[str]]:
    """The groups of functions that call each other in a circle, or one itself."""
    graph = {
        name: [callee for callee in called(function) if callee in functions]
        for name, function in functions.items()
    }
    groups = [g for g in components(graph) if _is_circle(graph, g)]
    order = {name: number for number, name in enumerate(functions)}
    return sorted((sorted(g, key=order.__getitem__) for g in groups), key=lambda g: order[g[0]])


def _is_circle(graph: Mapping[str, list[str]], group: set[str]) -> bool:
    (one, *more) = group
    return bool(more) or one in graph[one]


@dataclass
class _Site:
    """A call within the group: what is moved to the callee and back; its number says which."""

    call: Instruction
    callee: str
    number: int
    moves_in: list[Instruction]
    moves_out: list[Instruction]
    key: Key = ()
    kept: tuple[Reg, ...] = ()

    def find(self, live_after: int) -> int:
        """Learn what lives on behind the call; gives what lives before it."""
        defined, used = _written(self.moves_out), _read(self.moves_in)
        across = live_after & ~defined
        self.kept = tuple(Reg(index) for index in _numbers(across))
        return across | used


_Item = Instruction | _Site


@dataclass
class _Part:
    """One function of the group: its blocks with registers, parameters and locals of the whole.

    ``in_registers`` are the parameters and variables whose slots are registers.
    """

    function: Function
    first_register: int
    prefix: str
    in_registers: frozenset[str] = frozenset()
    slots: dict[ParamSlot, Reg] = field(default_factory=dict)
    locals: dict[str, int] = field(default_factory=dict)
    blocks: list[list[_Item]] = field(default_factory=list)
    copies: list[tuple[EdgeCopies, ...]] = field(default_factory=list)
    kept: dict[int, int] = field(default_factory=dict)
    frame_bytes: int = _HEADER_BYTES

    def reg(self, register: Reg) -> Reg:
        """A register of the function in the whole."""
        return Reg(register.index + self.first_register)

    def room(self, size: int, align: int) -> int:
        """Take bytes of the frame; gives where they are."""
        start = -(-self.frame_bytes // align) * align
        self.frame_bytes = start + size
        return start

    def values_of(self, parameter: Parameter) -> dict[int, Reg]:
        """The registers that hold a parameter or a result, by their offset in it."""
        if parameter.register is not None:
            return {0: self.reg(parameter.register)}
        return {at: reg for (name, at), reg in self.slots.items() if name == parameter.name}


class _Whole:
    """Functions of one circle as one function, which is entered by the first of them."""

    def __init__(self, functions: Sequence[Function], address_bits: int) -> None:
        self._registers: list[Register] = []
        self._variables: list[Variable] = []
        self._bits = address_bits
        self._parts: dict[str, _Part] = {}
        self._sites: list[_Site] = []
        self._drafts: list[BlockDraft] = []
        self._span = functions[0].span
        for function in functions:
            several = len(functions) > 1
            prefix = f"{function.name}." if several and function is not functions[0] else ""
            part = _Part(function, len(self._registers), prefix)
            self._registers += [replace(r, name=f"{prefix}{r.name}") for r in function.registers]
            self._parts[function.name] = part
        self._frame = self._register("frame", f"b{address_bits}")
        self._stack = self._register("stack", f"b{address_bits}")
        self._new = self._register("next.frame", f"b{address_bits}")
        self._back = self._register("return.to", "b32")

    def function(self) -> Function:
        """The whole; UnfitError where it cannot be."""
        (entry, *_) = parts = list(self._parts.values())
        for part in parts:
            self._place_variables(part)
        for part in parts:
            self._read_blocks(part)
        for part in parts:
            self._find_kept(part)
        self._enter(entry)
        for part in parts:
            self._write(part)
        self._leave(entry)
        return replace(
            entry.function,
            registers=tuple(self._registers),
            variables=tuple(self._variables),
            blocks=finished(self._drafts),
        )

    def _register(self, name: str, type_: str) -> Reg:
        self._registers.append(Register(f"{name}.{len(self._registers)}", TYPES[type_]))
        return Reg(len(self._registers) - 1)

    def _made(self, opcode: str, *operands: Operand, at: Instruction | None = None) -> Instruction:
        if at is None:
            return Instruction(decode(opcode), operands, self._span)
        return replace(at, operation=decode(opcode), operands=operands, guard=None, targets=())

    # Parameters and variables.

    def _place_variables(self, part: _Part) -> None:
        """Assign registers to parameters and to call operands, and room in the frame to locals."""
        f = part.function
        within = [i for i in f.instructions if self._callee(i) is not None]
        handed = {n for i in within for n in _named(i)}
        own = [p for p in (*f.parameters, *f.returns) if p.register is None]
        names = {p.name for p in own} | {
            v.name for v in f.variables if v.space is Space.PARAM and v.name in handed
        }
        part.in_registers = frozenset(names)
        others = replace(
            f,
            blocks=tuple(
                replace(b, instructions=tuple(i for i in b.instructions if not _is_call(i)))
                for b in f.blocks
            ),
        )
        for name, widths in slot_widths(others, names).items():
            if not agree(widths):
                raise UnfitError(f"`{name}` is accessed in parts that overlap, or by its address")
            for offset, (size,) in sorted(widths.items()):
                part.slots[name, offset] = self._register(f"{part.prefix}{name}", f"b{8 * size}")
        for variable in f.variables:
            if variable.space is Space.LOCAL:
                size = variable.size_bytes or 0
                part.locals[variable.name] = part.room(size, min(variable.align, _FRAME_ALIGN))
            elif variable.name not in names:
                name = f"{part.prefix}{variable.name}"
                self._variables.append(replace(variable, name=name))

    def _callee(self, instruction: Instruction) -> str | None:
        """The function of the group that an instruction calls."""
        if instruction.operation.op_class is not OpClass.CALL:
            return None
        target = instruction.operands[1]
        is_within = isinstance(target, Symbol) and target.name in self._parts
        return target.name if isinstance(target, Symbol) and is_within else None

    # Reading a function.

    def _read_blocks(self, part: _Part) -> None:
        for block in part.function.blocks:
            items: list[_Item] = []
            for instruction in block.instructions:
                items += self._items(part, instruction)
            for site in (i for i in items if isinstance(i, _Site)):
                site.key = (part.function.name, block.id, site.number)
            part.blocks.append(items)
            part.copies.append(
                tuple(
                    EdgeCopies(
                        e.predecessor,
                        tuple((part.reg(r), self._copied(part, o)) for r, o in e.copies),
                    )
                    for e in block.incoming
                )
            )

    def _copied(self, part: _Part, operand: Operand) -> Operand:
        def symbol(named: Symbol) -> Operand:
            if named.name in part.locals:
                raise UnfitError(f"the address of `{named.name}` is copied where control meets")
            return self._renamed(part, named)

        return mapped(operand, part.reg, symbol)

    @staticmethod
    def _renamed(part: _Part, symbol: Symbol) -> Symbol:
        own = any(v.name == symbol.name for v in part.function.variables)
        return Symbol(f"{part.prefix}{symbol.name}", symbol.offset) if own else symbol

    def _items(self, part: _Part, instruction: Instruction) -> list[_Item]:
        """An instruction in the whole; addresses of locals are worked out before it."""
        before: list[_Item] = []

        def symbol(named: Symbol) -> Operand:
            at = part.locals.get(named.name)
            if at is None:
                return self._renamed(part, named)
            place = self._register("place", f"b{self._bits}")
            offset = Imm(at + named.offset)
            add = self._made(f"add.u{self._bits}", place, self._frame, offset, at=instruction)
            before.append(add)
            return place

        guard = instruction.guard
        changed = replace(
            instruction,
            guard=None if guard is None else Guard(part.reg(guard.register), guard.negated),
            inlined=CallSite(part.function.name, part.function.span) if part.prefix else None,
        )
        callee = self._callee(instruction)
        place = slot_of(instruction, part.in_registers)
        if place is not None:
            data = replace(changed, operands=tuple(
                o if isinstance(o, Address) else mapped(o, part.reg, symbol)
                for o in instruction.operands
            ))  # fmt: skip
            return [*before, *slot_moves(data, place, part.slots, self._registers)]
        if callee is not None:
            site = self._site(part, changed, callee, before)
            return [*before, site]
        after: list[_Item] = []
        if _is_call(instruction):
            results, _, arguments, *_ = instruction.operands
            before += self._handed_over(part, "st", arguments, changed)
            after += self._handed_over(part, "ld", results, changed)
        operands = tuple(self._placed(part, o, symbol) for o in instruction.operands)
        return [*before, replace(changed, operands=operands), *after]

    def _handed_over(
        self, part: _Part, access: str, operand: Operand, call: Instruction
    ) -> list[Instruction]:
        """Move what registers hold to or from a variable of a call of a function of no group."""
        found = []
        for name in [n for n in _symbols(operand) if n in part.in_registers]:
            own = next((v for v in part.function.variables if v.name == name), None)
            if own is None:
                raise UnfitError(f"`{name}` is handed on as it is")
            place = f"{part.prefix}{name}"
            if all(v.name != place for v in self._variables):
                self._variables.append(replace(own, name=place))
            slots = sorted((at, reg.index) for (of, at), reg in part.slots.items() if of == name)
            for at, reg in [(at, Reg(index)) for at, index in slots]:
                there = Address(Symbol(place), at)
                operands = (there, reg) if access == "st" else (reg, there)
                opcode = f"{access}.param.b{self._size(reg)}"
                found.append(self._made(opcode, *operands, at=call))
        return found

    def _placed(self, part: _Part, operand: Operand, symbol: object) -> Operand:
        """An operand; an access to a local is one from the frame on."""
        if isinstance(operand, Address) and isinstance(operand.base, Symbol):
            at = part.locals.get(operand.base.name)
            if at is not None:
                offset = at + operand.base.offset + operand.offset
                return replace(operand, base=self._frame, offset=offset)
        return mapped(operand, part.reg, symbol)  # type: ignore[arg-type]

    # Calls.

    def _site(self, part: _Part, call: Instruction, name: str, before: list[_Item]) -> _Site:
        callee = self._parts[name]
        results, _, arguments, *_ = call.operands
        assert isinstance(results, Arguments)
        assert isinstance(arguments, Arguments)
        f = callee.function
        if len(arguments.items) != len(f.parameters) or len(results.items) not in (
            0, len(f.returns),
        ):  # fmt: skip
            raise UnfitError(f"{name} takes other arguments")
        pairs = [
            pair
            for value, parameter in zip(arguments.items, f.parameters, strict=True)
            for pair in self._handed(part, value, callee, parameter, before, call)
        ]
        moves_in = self._parallel(pairs, call)
        moves_out = [
            self._move(to, value, call)
            for to, returned in zip(results.items, f.returns, strict=False)
            for value, to in self._handed(part, to, callee, returned, before, call)
            if isinstance(to, Reg)
        ]
        site = _Site(call, name, len(self._sites) + 1, moves_in, moves_out)
        self._sites.append(site)
        return site

    def _handed(
        self,
        part: _Part,
        value: Operand,
        callee: _Part,
        parameter: Parameter,
        before: list[_Item],
        call: Instruction,
    ) -> list[tuple[Reg, Operand]]:
        """The registers of a parameter or result, each with what the caller has for it."""
        inside = callee.values_of(parameter)
        if isinstance(value, Symbol) and value.name in part.in_registers:
            own = {at: reg for (name, at), reg in part.slots.items() if name == value.name}
            common = inside.keys() & own.keys()
            sizes = [(self._size(inside[at]), self._size(own[at])) for at in common]
            if any(a != b for a, b in sizes) or (own and not inside.keys() <= own.keys()):
                raise UnfitError(
                    f"`{parameter.name}` is handed over in other parts than it is read"
                )
            return [(inside[at], own[at]) for at in sorted(common)]
        if not inside:
            return []
        if inside.keys() != {0}:
            raise UnfitError(f"`{parameter.name}` is read in parts")
        if isinstance(value, Symbol) and value.name in part.locals:
            place = self._register("place", f"b{self._bits}")
            at = part.locals[value.name] + value.offset
            before.append(self._made(f"add.u{self._bits}", place, self._frame, Imm(at), at=call))
            return [(inside[0], place)]
        return [(inside[0], mapped(value, part.reg, lambda s: self._renamed(part, s)))]

    def _size(self, register: Reg) -> int:
        return self._registers[register.index].type.bits

    def _parallel(self, pairs: list[tuple[Reg, Operand]], call: Instruction) -> list[Instruction]:
        """Move values to registers all at once: by others where one is read after it is written."""
        targets = {to.index for to, _ in pairs}
        if not any(r in targets for _, value in pairs for r in registers_in(value)):
            return [self._move(to, value, call) for to, value in pairs]
        copies = [self._register("moved", self._registers[to.index].type.name) for to, _ in pairs]
        first = [self._move(c, v, call) for c, (_, v) in zip(copies, pairs, strict=True)]
        return first + [self._move(to, c, call) for c, (to, _) in zip(copies, pairs, strict=True)]

    def _move(self, to: Operand, value: Operand, call: Instruction) -> Instruction:
        assert isinstance(to, Reg)
        type_ = self._registers[to.index].type
        kind = "pred" if type_.kind is TypeKind.PREDICATE else f"b{max(8, type_.bits)}"
        return self._made(f"mov.{kind}", to, value, at=call)

    # What calls keep.

    def _find_kept(self, part: _Part) -> None:
        """Find what lives on behind each call, and give it room in the frame."""
        blocks = part.function.blocks
        at_end = 0
        for returned in part.function.returns:
            for register in part.values_of(returned).values():
                at_end |= 1 << register.index
        live_in = [0] * len(blocks)
        changed = True
        while changed:
            changed = False
            for block in reversed(blocks):
                live = self._live_in(part, block, live_in, at_end)
                changed |= live != live_in[block.id]
                live_in[block.id] = live
        own = {self._frame.index, self._stack.index, self._new.index, self._back.index}
        for items in part.blocks:
            for site in (i for i in items if isinstance(i, _Site)):
                site.kept = tuple(r for r in site.kept if r.index not in own)
                for register in site.kept:
                    self._keep(part, register)

    @staticmethod
    def _live_in(part: _Part, block: Block, live_in: list[int], at_end: int) -> int:
        live = 0 if block.successors else at_end
        for successor in block.successors:
            edges = [e for e in part.copies[successor] if e.predecessor == block.id]
            copies = [c for e in edges for c in e.copies]
            written = sum({1 << r.index for r, _ in copies})
            live |= live_in[successor] & ~written
            for _, operand in copies:
                for index in registers_in(operand):
                    live |= 1 << index
        for item in reversed(part.blocks[block.id]):
            if isinstance(item, _Site):
                live = item.find(live)
                continue
            if item.operation.name == "ret":
                live |= at_end
            if item.guard is None:
                live &= ~_written([item])
            live |= _read([item])
        return live

    def _keep(self, part: _Part, register: Reg) -> None:
        if register.index in part.kept:
            return
        declared = self._registers[register.index]
        if declared.type.bits > _WIDEST_BITS:
            raise UnfitError(
                f"`{declared.name}` of {declared.type.bits} bits lives on behind a call"
            )
        size = max(4, declared.type.size_bytes)
        part.kept[register.index] = part.room(size * declared.vector, size)

    # Writing.

    def _enter(self, entry: _Part) -> None:
        """Read the parameters, and go to the function's first block."""
        loads = [
            self._made(f"ld.param.b{self._size(reg)}", reg, Address(Symbol(p.name), at))
            for p in entry.function.parameters
            if p.register is None
            for at, reg in sorted(entry.values_of(p).items())
        ]
        start = [
            self._made("mov.b32", self._back, Imm(0)),
            self._made(f"mov.b{self._bits}", self._frame, Imm(0)),
        ]
        draft = BlockDraft(("enter",), "enter", [*loads, *start])
        draft.fallthrough = (entry.function.name, "in")
        self._drafts.append(draft)

    def _leave(self, entry: _Part) -> None:
        """Return the results from the whole function."""
        stores = [
            self._made(f"st.param.b{self._size(reg)}", Address(Symbol(r.name), at), reg)
            for r in entry.function.returns
            if r.register is None
            for at, reg in sorted(entry.values_of(r).items())
        ]
        self._drafts.append(BlockDraft(("leave",), "leave", [*stores, self._made("ret")]))

    def _write(self, part: _Part) -> None:
        name, bits = part.function.name, self._bits
        size = -(-part.frame_bytes // _FRAME_ALIGN) * _FRAME_ALIGN
        frame, new, stack, back = self._frame, self._new, self._stack, self._back
        first = BlockDraft((name, "in"), f"{part.prefix}in", [
            self._made(f"stacksave.u{bits}", stack),
            self._made(f"alloca.u{bits}", new, Imm(size), Imm(_FRAME_ALIGN)),
            self._made(f"st.local.b{bits}", Address(new, 0), frame),
            self._made(f"st.local.b{bits}", Address(new, 8), stack),
            self._made("st.local.b32", Address(new, 16), back),
            self._made(f"mov.b{bits}", frame, new),
        ])  # fmt: skip
        first.fallthrough = (name, 0)
        self._drafts.append(first)
        for block in part.function.blocks:
            self._write_block(part, block)
        sites = [site for site in self._sites if site.callee == name]
        switch = self._made("switch.b32", back, *[Imm(site.number) for site in sites])
        last = BlockDraft((name, "out"), f"{part.prefix}out", [
            self._made("ld.local.b32", back, Address(frame, 16)),
            self._made(f"ld.local.b{bits}", stack, Address(frame, 8)),
            self._made(f"ld.local.b{bits}", frame, Address(frame, 0)),
            self._made(f"stackrestore.u{bits}", stack),
            switch,
        ])  # fmt: skip
        last.targets = tuple(site.key for site in sites)
        last.fallthrough = ("leave",)
        self._drafts.append(last)

    def _write_block(self, part: _Part, block: Block) -> None:
        name = part.function.name
        draft = BlockDraft((name, block.id), f"{part.prefix}{block.label}", [])
        draft.incoming = part.copies[block.id]
        draft.copies_from = tuple(self._end_of(part, e.predecessor) for e in draft.incoming)
        attributes = block.attributes
        for item in part.blocks[block.id]:
            if isinstance(item, Instruction):
                draft.instructions.append(item)
                continue
            draft.instructions += [*self._saves(part, item), *item.moves_in]
            to = self._made("mov.b32", self._back, Imm(item.number), at=item.call)
            draft.instructions.append(to)
            draft.fallthrough = (item.callee, "in")
            self._drafts.append(draft)
            draft = BlockDraft(item.key, f"{part.prefix}{block.label}.back{item.number}", [])
            draft.instructions = [*self._restores(part, item), *item.moves_out]
        draft.attributes = attributes
        self._end(part, block, draft)
        self._drafts.append(draft)

    def _end(self, part: _Part, block: Block, draft: BlockDraft) -> None:
        """End a block as the function's does; a return goes to where the function ends."""
        name, last = part.function.name, block.terminator
        out: Key = (name, "out")
        draft.fallthrough = None if block.fallthrough is None else (name, block.fallthrough)
        if last is not None and last.operation.name == "ret":
            ended = draft.instructions.pop()
            if ended.guard is None:
                draft.fallthrough = out
            else:
                jump = replace(ended, operation=decode("bra"))
                draft.instructions.append(jump)
                draft.targets = (out,)
        elif last is not None:
            draft.targets = tuple((name, t) for t in last.targets)
        elif block.fallthrough is None:
            draft.fallthrough = out

    def _end_of(self, part: _Part, block: int) -> Key:
        """The key of the part of a block that control leaves it by."""
        sites = [i for i in part.blocks[block] if isinstance(i, _Site)]
        name = part.function.name
        return (name, block, sites[-1].number) if sites else (name, block)

    def _saves(self, part: _Part, site: _Site) -> list[Instruction]:
        found = []
        for operand, bits, at, is_predicate in self._kept(part, site):
            value: Operand = operand
            if is_predicate:
                value = self._register("kept", "b32")
                found.append(self._made("selp.b32", value, Imm(1), Imm(0), operand, at=site.call))
            place = Address(self._frame, at)
            found.append(self._made(f"st.local.b{bits}", place, value, at=site.call))
        return found

    def _restores(self, part: _Part, site: _Site) -> list[Instruction]:
        found = []
        for operand, bits, at, is_predicate in self._kept(part, site):
            into = self._register("kept", "b32") if is_predicate else operand
            place = Address(self._frame, at)
            found.append(self._made(f"ld.local.b{bits}", into, place, at=site.call))
            if is_predicate:
                found.append(self._made("setp.ne.b32", operand, into, Imm(0), at=site.call))
        return found

    def _kept(self, part: _Part, site: _Site) -> list[tuple[Operand, int, int, bool]]:
        """Values saved across a call: register or element, bits, place, whether a predicate."""
        found: list[tuple[Operand, int, int, bool]] = []
        for register in site.kept:
            declared, at = self._registers[register.index], part.kept[register.index]
            is_predicate = declared.type.kind is TypeKind.PREDICATE
            bits = 32 if is_predicate else 8 * declared.type.size_bytes
            if declared.vector == 1:
                found.append((register, bits, at, is_predicate))
                continue
            step = max(4, declared.type.size_bytes)
            found += [
                (Element(register, "xyzw"[k]), bits, at + k * step, False)
                for k in range(declared.vector)
            ]
        return found


def _is_call(instruction: Instruction) -> bool:
    return instruction.operation.op_class is OpClass.CALL


def _named(call: Instruction) -> list[str]:
    """The variables by which a call hands values over."""
    return [name for o in call.operands for name in _symbols(o)]


def _symbols(operand: Operand) -> list[str]:
    items = operand.items if isinstance(operand, Arguments) else ()
    return [item.name for item in items if isinstance(item, Symbol)]


def _written(instructions: Sequence[Instruction]) -> int:
    bits = 0
    for instruction in instructions:
        for index in instruction.writes:
            bits |= 1 << index
    return bits


def _read(instructions: Sequence[Instruction]) -> int:
    """Registers that instructions read before they write them."""
    bits = written = 0
    for instruction in instructions:
        for index in instruction.reads:
            bits |= 1 << index if not written >> index & 1 else 0
        written |= _written([instruction])
    return bits


def _numbers(bits: int) -> list[int]:
    return [index for index in range(bits.bit_length()) if bits >> index & 1]
