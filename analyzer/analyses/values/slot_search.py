"""Slots of a kernel: memory that is followed as registers are.

Compilers that do not optimise keep every variable in local memory, and loops count there (hybrid
estimation, §III-A-2, case 2). What is stored in a local variable at a known place is what the next
load from there gives, as local memory is each thread's own.

A store of another size gives a slot the bytes that lie in it. A store at an address that is not
known leaves unknown values in all slots that it may reach: those of the variables that its address
is made from, as far as masks and branches let its index go, and of those whose addresses lie in
memory that is not followed, or went into calls.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

from warpmill.analyzer.analyses.cfg.graph import Cfg, DomTree, LoopForest
from warpmill.analyzer.analyses.values.ssa import (
    NO_SLOTS,
    SlotPart,
    SlotRead,
    Slots,
    SlotWrite,
    Ssa,
    SupportsFlow,
    build_ssa,
)
from warpmill.analyzer.analyses.values.symbolic import AtomKind, symbol
from warpmill.analyzer.analyses.values.symbolic_values import SymbolicValues
from warpmill.analyzer.analyses.values.truths import limits_of
from warpmill.analyzer.ir.externs import EXTERNS, callee_of
from warpmill.analyzer.ir.kernel import (
    Address,
    Function,
    Instruction,
    Operand,
    Reg,
    Register,
    Vector,
    registers_in,
    symbols_in,
)
from warpmill.analyzer.ir.types import TYPES, OpClass, Place, Space, Type

MOST_WRITES = 1 << 16
"""Changes of slots, to unknown values among them, up to which memory is followed."""


class MemoryPart(NamedTuple):
    """Bytes of a local variable."""

    variable: str
    offset: int
    size: int

    def overlaps(self, other: MemoryPart) -> bool:
        """Whether some byte is of both."""
        return (
            self.variable == other.variable
            and self.offset < other.offset + other.size
            and other.offset < self.offset + self.size
        )


@dataclass(frozen=True)
class MemoryUse:
    """Accesses of an instruction to local memory.

    ``parts`` are the places that it accesses one by one, with an operand each; ``reach`` are the
    variables that it may access elsewhere: anywhere, or in the bytes from a number to another.
    """

    place: Place
    instruction: Instruction
    parts: tuple[tuple[MemoryPart, Operand | None], ...]
    reach: Mapping[str, tuple[int, int] | None]

    @property
    def is_load(self) -> bool:
        """Whether it loads: else it may write."""
        return self.instruction.operation.op_class is OpClass.LOAD


class FlowOfValues(SupportsFlow, Protocol):
    """A kernel's control flow with what its values are worth."""

    @property
    def values(self) -> SymbolicValues:
        """Symbolic value of each definition."""


@dataclass(frozen=True)
class ValueFlow:
    """The control flow of a function with what is known of its values."""

    kernel: Function
    cfg: Cfg
    dominators: DomTree
    loops: LoopForest
    ssa: Ssa

    @cached_property
    def values(self) -> SymbolicValues:
        """Symbolic value of each definition."""
        return SymbolicValues(self)

    def with_slots(self, slots: Slots) -> ValueFlow:
        """The same with other slots."""
        return replace(self, ssa=build_ssa(self.kernel, self.cfg, self.dominators, slots))


def follow_memory(plain: ValueFlow) -> ValueFlow:
    """Find the slots of a function that has none yet, and its values with them.

    At first no store at an address that is not known is taken to change a slot, until all addresses
    are known that can be; addresses may lie in slots. Then those that remain are, until nothing
    changes. What comes out holds at each step of a thread where it held at all before: the first
    store that changed a slot unseen would have an address that was known wrongly.
    """
    found, function = plain, plain.kernel
    local = frozenset(v.name for v in function.variables if v.space is Space.LOCAL)
    blind: frozenset[Place] = frozenset()
    for _ in range(MOST_ROUNDS if local else 0):
        pointers = Pointers(found, local)
        if not pointers.may_have_slots:
            return plain
        uses = list(pointers.uses(reaching=bool(blind)))
        slots = slots_of(uses, blind, len(function.registers))
        if slots == found.ssa.slots:
            if not blind:  # what stores may reach is asked once, when all known places are
                uses = list(pointers.uses(reaching=True))
            unseen = frozenset(u.place for u in uses if u.reach and not u.is_load) - blind
            if not unseen:
                return found
            blind |= unseen
            slots = slots_of(uses, blind, len(function.registers))
            if slots == found.ssa.slots:
                return found  # another search would find the same
        found = found.with_slots(slots)
    return plain


MOST_ROUNDS = 16
"""Searches for slots; where they come to no end, no memory is followed."""


def slots_of(uses: Sequence[MemoryUse], blind: frozenset[Place], first: int) -> Slots:
    """The slots that uses tell of, from a number on.

    Of uses that may access anywhere the ``blind`` do.
    """
    read = {part for use in uses if use.is_load for part, to in use.parts if to is not None}
    stores = [use for use in uses if not use.is_load]
    stored = {part for use in stores for part, value in use.parts if value is not None}
    parts = [part for part in read if part in stored or _is_covered(part, stored)]
    number = {part: first + i for i, part in enumerate(sorted(parts))}
    by_variable: dict[str, list[MemoryPart]] = defaultdict(list)
    for part in number:
        by_variable[part.variable].append(part)
    writes: dict[Place, dict[int, SlotWrite]] = {}
    total = 0
    for use in stores:
        changed = _changed(use, by_variable, everywhere=use.place in blind)
        total += len(changed)
        if total > MOST_WRITES:
            return NO_SLOTS
        if changed:
            writes[use.place] = {number[part]: write for part, write in changed.items()}
    registers = tuple(
        Register(f"[{p.variable}+{p.offset}]" if p.offset else f"[{p.variable}]", _bits(p.size))
        for p in number
    )
    return Slots(registers, tuple(p.variable for p in number), _reads(uses, number), writes)


def _reads(
    uses: Sequence[MemoryUse], number: Mapping[MemoryPart, int]
) -> dict[Place, dict[int, SlotRead]]:
    reads = {}
    for use in uses if number else ():
        if use.is_load:
            type_ = use.instruction.operation.types[0]
            found = {
                to.index: SlotRead(number[part], type_)
                for part, to in use.parts
                if isinstance(to, Reg) and part in number
            }
            if found:
                reads[use.place] = found
    return reads


def _bits(size: int) -> Type:
    return TYPES[f"b{8 * size}"]


def _is_covered(part: MemoryPart, stored: set[MemoryPart]) -> bool:
    """Whether a store beside others writes a part's first byte: it is made of what they store."""
    return any(
        other in stored
        for size in sorted(_SIZES)
        for offset in range(part.offset - size + 1, part.offset + 1)
        for other in [MemoryPart(part.variable, offset, size)]
    )


def _changed(
    use: MemoryUse, slots: Mapping[str, list[MemoryPart]], *, everywhere: bool
) -> dict[MemoryPart, SlotWrite]:
    """The slots that an instruction may write, with what it leaves there.

    ``slots`` are those of each variable in the order of their offsets.
    """
    found: dict[MemoryPart, SlotWrite] = {}
    for variable, span in sorted(use.reach.items()) if everywhere else ():
        for slot in slots.get(variable, ()):
            if span is None or (slot.offset < span[1] and span[0] < slot.offset + slot.size):
                found[slot] = SlotWrite(None)
    beside: dict[MemoryPart, list[tuple[MemoryPart, Operand | None]]] = defaultdict(list)
    for part, value in use.parts:
        own = slots.get(part.variable, ())
        first = bisect_left(own, part.offset - max(_SIZES) + 1, key=_offset)
        for slot in own[first : bisect_left(own, part.offset + part.size, key=_offset)]:
            if slot.overlaps(part):
                beside[slot].append((part, value))
    return found | {slot: _left_in(slot, pieces) for slot, pieces in beside.items()}


def _left_in(slot: MemoryPart, stored: list[tuple[MemoryPart, Operand | None]]) -> SlotWrite:
    """Content that stored pieces leave in a slot that they lie in, cover, or reach into."""
    if len(stored) == 1 and stored[0][0] == slot:
        return SlotWrite(stored[0][1])
    parts: list[SlotPart] = []
    for part, value in sorted(stored, key=lambda each: each[0].offset):
        if value is None:
            return SlotWrite(None)
        first = max(slot.offset, part.offset)
        size = min(slot.offset + slot.size, part.offset + part.size) - first
        parts.append(SlotPart(value, first - slot.offset, first - part.offset, size, part.size))
    return SlotWrite(None, tuple(parts), keeps=sum(p.size for p in parts) < slot.size)


def _offset(part: MemoryPart) -> int:
    return part.offset


_MAY_BE_LOCAL = frozenset({None, Space.GENERIC, Space.LOCAL})


class Pointers:
    """Follows the addresses of variables through registers and memory.

    ``variables`` are those that are followed, ``spaces`` those of instructions that may access
    them. A definition holds the variables that it may point into. What memory holds is known by
    variable; everything else is one more, ``_ELSEWHERE``.
    """

    def __init__(
        self,
        flow: FlowOfValues,
        variables: frozenset[str],
        spaces: frozenset[Space | None] = _MAY_BE_LOCAL,
    ) -> None:
        self._function, self._ssa, self._values = flow.kernel, flow.ssa, flow.values
        self._flow, self._followed, self._spaces = flow, variables, spaces
        self._order = [b for b in flow.cfg.reverse_postorder if b < len(flow.kernel.blocks)]
        self._held: dict[int, frozenset[str]] = {}
        self._content: dict[str, frozenset[str]] = {}
        self._bases: dict[Place, tuple[MemoryPart | None, ...]] = {}
        self._users: dict[int, list[Place | int]] = defaultdict(list)
        self._memory: list[tuple[Place, Instruction]] = []
        self._todo: list[Place | int] = []
        self._arriving: dict[int, frozenset[str]] = {}  # what φs get that are to be looked at
        self._waiting: set[Place | int] = set()
        for block in self._order:
            for index, instruction in enumerate(self._function.blocks[block].instructions):
                if instruction.operation.op_class is OpClass.LOAD or _may_write(instruction):
                    self._memory.append(((block, index), instruction))

    @property
    def may_have_slots(self) -> bool:
        """Whether loads, and stores too, have addresses that are known."""
        known = {i.operation.op_class for at, i in self._memory if any(self._parts(at))}
        return {OpClass.LOAD, OpClass.STORE} <= known

    def _solve(self) -> None:
        """Follow addresses until nothing new holds one."""
        self._prepare(self._flow)
        while self._todo:
            made = self._todo.pop()
            self._waiting.discard(made)
            if isinstance(made, int):
                self._hold(made, self._arriving.pop(made, frozenset()))
            else:
                block, index = made
                self._pass_on(made, self._function.blocks[block].instructions[index])

    def _look_at(self, made: Iterable[Place | int]) -> None:
        new = [each for each in made if each not in self._waiting]
        self._waiting.update(new)
        self._todo += new

    def _prepare(self, flow: FlowOfValues) -> None:
        """Note who reads what, what accesses memory, and where addresses are first named."""
        for id_, inputs in flow.ssa.phi_inputs.items():
            for source in inputs:
                out = flow.ssa.out[source.predecessor]
                for register in registers_in(source.operand):
                    users = self._users[out.get(register, -1)]
                    if not users or users[-1] != id_:  # many ways may bring the same
                        users.append(id_)
                named = frozenset(n for n in symbols_in(source.operand) if n in self._followed)
                if named:
                    self._arrive(id_, named)
        for block in self._order:
            for index, read in enumerate(flow.ssa.before[block]):
                for id_ in read.values():
                    self._users[id_].append((block, index))
            for index, instruction in enumerate(self._function.blocks[block].instructions):
                for operand in instruction.operands:
                    if any(name in self._followed for name in symbols_in(operand)):
                        self._todo.append((block, index))

    def uses(self, *, reaching: bool) -> Iterator[MemoryUse]:
        """Accesses to variables; with ``reaching``, also those that may reach them."""
        if reaching:
            self._solve()
        for place, instruction in self._memory:
            use = self._use(place, instruction, reaching=reaching)
            if use.parts or use.reach:
                yield use

    def _use(self, place: Place, instruction: Instruction, *, reaching: bool) -> MemoryUse:
        class_ = instruction.operation.op_class
        open_to = self._content.get(_ELSEWHERE, ()) if reaching and _is_open(instruction) else ()
        reach: dict[str, tuple[int, int] | None] = dict.fromkeys(open_to)
        parts: list[tuple[MemoryPart, Operand | None]] = []
        for address, part in zip(self._addresses(instruction), self._parts(place), strict=True):
            if part is None:
                if not reaching:
                    continue
                reach |= self._span(place, address) or dict.fromkeys(self.held_by(address, place))
            elif class_ in (OpClass.LOAD, OpClass.STORE):
                parts += self._pieces(instruction, part)
            else:
                parts.append((part, None))
        return MemoryUse(place, instruction, tuple(parts), reach)

    def _span(self, place: Place, address: Address) -> dict[str, tuple[int, int] | None]:
        """The bytes of a variable among which an index leads, by its mask or by branches."""
        where = self._values.of_operand(*place, address)
        size = self._function.blocks[place[0]].instructions[place[1]].width_bytes
        bases = [a for a in where.atoms if a.kind is AtomKind.ADDRESS and a.name in self._followed]
        if size is None or len(bases) != 1:
            return {}
        index = where - symbol(bases[0].kind, bases[0].name, bases[0].key)
        limits = limits_of(index, self._values.facts(place[0]))
        return {} if limits is None else {bases[0].name: (limits[0], limits[1] + size)}

    def _pieces(
        self, instruction: Instruction, part: MemoryPart
    ) -> Iterator[tuple[MemoryPart, Operand | None]]:
        """The registers that a load or store moves, each with its place."""
        is_load = instruction.operation.op_class is OpClass.LOAD
        operands = instruction.destinations if is_load else instruction.sources
        moved = next((o for o in operands if not isinstance(o, Address)), None)
        items = moved.elements if isinstance(moved, Vector) else (moved,)
        size = part.size // len(items)
        is_plain = size in _SIZES and size * len(items) == part.size
        is_plain = is_plain and 8 * size == instruction.operation.types[0].bits
        if not is_plain or any(self._is_vector(item) for item in items):
            yield part, None
            return
        for turn, item in enumerate(items):
            piece = MemoryPart(part.variable, part.offset + turn * size, size)
            yield piece, item if not is_load or isinstance(item, Reg) else None

    def _is_vector(self, item: Operand | None) -> bool:
        return isinstance(item, Reg) and self._function.registers[item.index].vector > 1

    # Where addresses lie.

    def _addresses(self, instruction: Instruction) -> list[Address]:
        if instruction.operation.space not in self._spaces:
            return []
        return [o for o in instruction.operands if isinstance(o, Address)]

    def _parts(self, place: Place) -> tuple[MemoryPart | None, ...]:
        """The place in a local variable of each address; None where none is known."""
        if place not in self._bases:
            instruction = self._function.blocks[place[0]].instructions[place[1]]
            self._bases[place] = tuple(
                self._part(place, instruction, address) for address in self._addresses(instruction)
            )
        return self._bases[place]

    def _part(self, place: Place, instruction: Instruction, address: Address) -> MemoryPart | None:
        size = instruction.width_bytes
        if size is None or instruction.operation.space not in self._spaces:
            return None
        where = self._values.of_operand(*place, address)
        for atom in where.atoms:
            if atom.kind is AtomKind.ADDRESS and atom.name in self._followed:
                offset = (where - symbol(atom.kind, atom.name, atom.key)).constant
                return None if offset is None else MemoryPart(atom.name, offset, size)
        return None

    # What registers and memory hold.

    def _arrive(self, id_: int, held: frozenset[str]) -> None:
        """Have a φ looked at for what one of its inputs holds: the others are not read again."""
        self._arriving[id_] = self._arriving.get(id_, frozenset()) | held
        self._look_at((id_,))

    def _pass_on(self, place: Place, instruction: Instruction) -> None:
        class_ = instruction.operation.op_class
        written = self._ssa.written[place[0]][place[1]]
        slots = self._ssa.slots
        for slot, write in slots.written_at(*place).items():
            variable = slots.variables[slot - len(self._function.registers)]
            held = frozenset[str]() if write.operands else self._content.get(variable, frozenset())
            held = held.union(*(self.held_by(operand, place) for operand in write.operands))
            if write.keeps:
                held |= self._held.get(self._ssa.before[place[0]][place[1]][slot], frozenset())
            self._hold(written[slot], held | self._kept(place, instruction, slot))
        if class_ is OpClass.LOAD and instruction.operation.space in _GIVEN:
            return
        if class_ is OpClass.LOAD:
            read = slots.read_at(*place)
            before = self._ssa.before[place[0]][place[1]]
            loaded = None
            for register in instruction.writes:
                if register in read:
                    held = self._held.get(before[read[register].slot], frozenset())
                else:
                    held = loaded = self._loaded(place) if loaded is None else loaded
                self._hold(written[register], held | self._kept(place, instruction, register))
            return
        given = [o for o in instruction.sources if not isinstance(o, Address)]
        held = frozenset[str]().union(*(self.held_by(o, place) for o in given))
        if _may_write(instruction):
            for variable in self._touched(place) if held else ():
                self._put(variable, held)
            held = self._content.get(_ELSEWHERE, frozenset())
        for register in instruction.writes:
            self._hold(written[register], held | self._kept(place, instruction, register))

    def _kept(self, place: Place, instruction: Instruction, register: int) -> frozenset[str]:
        """Variables whose addresses a register may still hold, where a guard decides its write."""
        if instruction.guard is None:
            return frozenset()
        before = self._ssa.before[place[0]][place[1]]
        return self._held.get(before.get(register, -1), frozenset())

    def _loaded(self, place: Place) -> frozenset[str]:
        return frozenset[str]().union(
            *(self._content.get(v, frozenset()) for v in self._touched(place))
        )

    def _touched(self, place: Place) -> Iterator[str]:
        """The variables that an instruction may access, and whether it may others."""
        instruction = self._function.blocks[place[0]].instructions[place[1]]
        if not self._addresses(instruction) or _is_open(instruction):
            yield _ELSEWHERE
        for address, part in zip(self._addresses(instruction), self._parts(place), strict=True):
            if part is not None:
                yield part.variable
            else:
                yield _ELSEWHERE
                yield from self.held_by(address, place)

    def _mix(self) -> None:
        """Merge what lies elsewhere with what lies in variables whose addresses do, both ways."""
        for variable in sorted(self._content.get(_ELSEWHERE, ())):
            self._put(_ELSEWHERE, self._content.get(variable, frozenset()))
            self._put(variable, self._content[_ELSEWHERE])

    def _put(self, variable: str, held: frozenset[str]) -> None:
        known = self._content.get(variable, frozenset())
        if not held <= known:
            self._content[variable] = known | held
            self._mix()
            self._look_at(place for place, _ in self._memory)

    def _hold(self, id_: int, held: frozenset[str]) -> None:
        known = self._held.get(id_, frozenset())
        if not held <= known:
            self._held[id_] = known | held
            for user in self._users.get(id_, ()):
                if isinstance(user, int):
                    self._arrive(user, held)
                else:
                    self._look_at((user,))

    def held_by(self, operand: Operand, place: Place) -> frozenset[str]:
        """The variables that an operand may point into, after ``uses`` has asked what reaches."""
        return self._read(operand, self._ssa.before[place[0]][place[1]])

    def _read(self, operand: Operand, at: dict[int, int]) -> frozenset[str]:
        if isinstance(operand, Reg):  # most are
            return self._held.get(at.get(operand.index, -1), frozenset())
        found = frozenset(name for name in symbols_in(operand) if name in self._followed)
        for register in registers_in(operand):
            found |= self._held.get(at.get(register, -1), frozenset())
        return found


def _may_write(instruction: Instruction) -> bool:
    """Whether an instruction may write memory, its own or that of a thread."""
    return "writes" in instruction.operation.effects or _is_open(instruction)


def _is_open(instruction: Instruction) -> bool:
    """Whether it may access whatever it can find an address of: a call, an unknown operation."""
    class_ = instruction.operation.op_class
    if class_ is OpClass.CALL:
        return callee_of(instruction) not in EXTERNS
    return class_ is OpClass.UNKNOWN


_ELSEWHERE = ""
_SIZES = frozenset({1, 2, 4, 8})
_GIVEN = frozenset({Space.PARAM, Space.CONST})
"""Memory that holds what the launch gave: no address of a thread's own memory among it."""
