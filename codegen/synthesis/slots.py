"""The chains of a clone's blocks: opcodes with their dependences, without values or constants.

Steps 3 and 12 of GPGPU-MiniBench §4.2.4. Registers keep their types and who reads what was made
where; an instruction that is left out hands on its first source, so that what follows waits for
what it would have waited for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Register,
    Sink,
    Special,
    TupleAddress,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operation import Operation, Role, operation_table
from warpmill.analyzer.ir.types import OpClass, Space, Type
from warpmill.codegen.model import Site, Slot
from warpmill.codegen.synthesis.addressing import GLOBAL_LIKE, Addressing
from warpmill.codegen.synthesis.chains import is_end
from warpmill.codegen.synthesis.subject import CloneSubject
from warpmill.codegen.synthesis.waits import MEMORY

PLACEHOLDER = Address(Imm(0))
"""Stands where the address of a site goes."""

_LEFT_OUT = frozenset({OpClass.CALL, OpClass.UNKNOWN, OpClass.CONTROL})
_OWN_NUMBERS = frozenset({
    OpClass.BARRIER, OpClass.SHUFFLE, OpClass.VOTE, OpClass.BIT, OpClass.FENCE,
    OpClass.ASYNC_COPY, OpClass.MMA, OpClass.MATRIX_MOVE, OpClass.VIDEO,
})  # fmt: skip
"""Classes whose numbers are part of what the instruction is: barriers, masks, sizes."""
_LATE = MEMORY | {OpClass.DIV, OpClass.SPECIAL, OpClass.SHUFFLE, OpClass.VOTE}
"""Classes whose results come late: from memory, a slow unit or other lanes."""
_DEEPEST = 4
_TEXELS = ("tex", "tld4", "suld", "sust")
_NEUTRAL = 3
_FLOATS = {16: 0x3E00, 32: 0x3FC00000, 64: 0x3FF8000000000000}  # 1.5
_IDS = ("tid", "ntid", "ctaid", "nctaid", "laneid", "warpid")
_SURE = 0.98


def is_cloned(instruction: Instruction) -> bool:
    """Whether a clone can have an instruction: what has no own text in PTX it cannot."""
    operation = instruction.operation
    if is_end(instruction) or operation.op_class in _LEFT_OUT or "aborts" in operation.effects:
        return False
    if operation.op_class in (OpClass.TEXTURE, OpClass.SURFACE):
        return operation.name in _TEXELS
    entry = operation_table().get(operation.name)
    return entry is not None and entry.is_ptx


@dataclass
class Chains:
    """Makes the slots of a kernel, block by block in the order of the program.

    ``all_producers``: addresses wait for what the original makes them of, by whatever means; else
    only for what comes late, from memory or a slow unit. ``registers`` and ``sites`` grow with
    those that are used, sites by their number; ``numbers`` says which registers stand for the
    original's.
    """

    subject: CloneSubject
    places: Addressing
    all_producers: bool
    registers: list[Register] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    sites: dict[Site, int] = field(default_factory=dict)
    _instead: dict[int, int] = field(default_factory=dict)
    _wider: dict[int, int] = field(default_factory=dict)
    _age: dict[int, int] = field(default_factory=dict)
    _written_so_far: int = 0

    @property
    def _kernel(self) -> Kernel:
        return self.subject.structure.kernel

    def block(self, number: int, kept: frozenset[int], deciding: int | None) -> tuple[Slot, ...]:
        """Give the slots of a block; ``deciding`` is the place of what its jump looks at."""
        slots = []
        for place, instruction in enumerate(self._kernel.blocks[number].instructions):
            if is_end(instruction):
                continue
            if place not in kept:
                self._leave_out(instruction)
                continue
            slots.append(self._slot(number, place, instruction, decides=place == deciding))
        return tuple(slots)

    def _leave_out(self, instruction: Instruction) -> None:
        """Let readers of what an instruction would have made read what it would have read."""
        registers = self._kernel.registers
        read = [self._resolved(r) for r in instruction.reads]
        read.sort(key=lambda r: -self._age.get(r, -1))  # the last one is waited for
        for made in instruction.writes:
            same = [r for r in read if _alike(registers[r].type, registers[made].type)]
            self._instead.pop(made, None)
            self._wider.pop(made, None)
            if same and same[0] != made:
                self._instead[made] = same[0]
            elif not same and read:
                self._wider[made] = read[0]

    def _resolved(self, register: int) -> int:
        seen = set()
        while register in self._instead and register not in seen:
            seen.add(register)
            register = self._instead[register]
        return register

    def _slot(self, block: int, place: int, instruction: Instruction, *, decides: bool) -> Slot:
        sites: list[int] = []
        after: list[Reg | None] = []
        operands: list[Operand] = []
        for operand, role in zip(instruction.operands, instruction.roles, strict=True):
            if isinstance(operand, Address | TupleAddress):
                sites.append(self._site(block, place, instruction.operation, len(sites)))
                after.append(self._after(block, place, operand))
                operands.append(PLACEHOLDER)
            elif role is not Role.DESTINATION:
                operands.append(self._read(operand, instruction.operation))
        read = iter(operands)
        whole = []
        for operand, role in zip(instruction.operands, instruction.roles, strict=True):
            if role is Role.DESTINATION and not isinstance(operand, Address | TupleAddress):
                whole.append(self._written(operand))
            else:
                whole.append(next(read))
        guard = self._guard(block, place, instruction)
        fetches = any(self._is_texture(site) for site in sites)
        opcode = _opcode(instruction.operation, fetches=fetches)
        waits = decides and self._waits(block, place, _LATE)
        made = tuple(after) if any(a is not None for a in after) else ()
        return Slot(opcode, tuple(whole), tuple(sites), guard, decides, waits, made)

    def _is_texture(self, site: int) -> bool:
        if site < 0:
            return False
        return self.places.arrays[list(self.sites)[site].array].space is Space.TEXTURE

    def _after(self, block: int, place: int, address: Address | TupleAddress) -> Reg | None:
        """Give what an address is counted from, where that is made in its block."""
        if not isinstance(address, Address) or not isinstance(address.base, Reg):
            return None
        late = frozenset(OpClass) if self.all_producers else _LATE
        if not self._comes_late(block, place, address.base.index, late, _DEEPEST):
            return None
        waited = self._resolved(address.base.index)
        seen = set()
        while waited in self._wider and waited not in seen:
            seen.add(waited)
            waited = self._resolved(self._wider[waited])
        return self._number(waited)

    def _waits(self, block: int, place: int, late: frozenset[OpClass]) -> bool:
        """Whether something that an instruction reads comes late."""
        read = self._kernel.blocks[block].instructions[place].reads
        return any(self._comes_late(block, place, r, late, _DEEPEST) for r in read)

    def _comes_late(
        self, block: int, place: int, register: int, late: frozenset[OpClass], depth: int
    ) -> bool:
        """Whether a register comes late, by what made it in its block."""
        instructions = self._kernel.blocks[block].instructions
        for before in range(place - 1, -1, -1):
            if register in instructions[before].writes:
                if instructions[before].operation.op_class in late:
                    return True
                return depth > 0 and any(
                    self._comes_late(block, before, r, late, depth - 1)
                    for r in instructions[before].reads
                )
        return False

    def is_placed(self, block: int, place: int) -> bool:
        """Whether it is known where an instruction goes in memory, if it goes there.

        It is not where none of the CTAs that were looked at executed it with a lane on.
        """
        instruction = self.subject.structure.kernel.blocks[block].instructions[place]
        spaces = instruction.operation.spaces
        addresses = [o for o in instruction.operands if isinstance(o, Address | TupleAddress)]
        return all(
            spaces[min(k, len(spaces) - 1)] is Space.PARAM
            or self._site(block, place, instruction.operation, k) >= 0
            for k in range(len(addresses))
        )

    def _site(self, block: int, place: int, operation: Operation, number: int) -> int:
        spaces = operation.spaces
        space = spaces[min(number, len(spaces) - 1)]
        if space is Space.PARAM:
            return -1
        space = Space.GLOBAL if space in GLOBAL_LIKE else space
        site = self.places.site(block, place, space, alone=len(spaces) == 1)
        if site is None:
            return -1
        if site not in self.sites:
            self.sites[site] = len(self.sites)
        return self.sites[site]

    def _guard(self, block: int, place: int, instruction: Instruction) -> float | None:
        if instruction.guard is None:
            return None
        whole = self.subject.profile.blocks[block].threads
        share = self.subject.profile.threads_on(block, place) / whole if whole else 0.0
        return 1.0 if share > _SURE else 0.0 if share < 1.0 - _SURE else share

    # -- operands ------------------------------------------------------------------------------

    def _number(self, register: int) -> Reg:
        if register not in self.numbers:
            self.numbers[register] = len(self.registers)
            own = self._kernel.registers[register]
            name = f"%v{len(self.registers)}"  # not the original's
            self.registers.append(Register(name, own.type, own.vector))
        return Reg(self.numbers[register])

    def _written(self, operand: Operand) -> Operand:
        for register in registers_in(operand):
            self._instead.pop(register, None)
            self._wider.pop(register, None)
            self._age[register] = self._written_so_far
            self._written_so_far += 1
        return self._renamed(operand, resolve=False)

    def _read(self, operand: Operand, operation: Operation) -> Operand:
        if isinstance(operand, Imm) and operation.op_class in _OWN_NUMBERS:
            return operand
        return self._renamed(operand, resolve=True)

    def _renamed(self, operand: Operand, *, resolve: bool) -> Operand:
        def again(inner: Operand) -> Operand:
            return self._renamed(inner, resolve=resolve)

        match operand:
            case Reg(index):
                return self._number(self._resolved(index) if resolve else index)
            case Imm():
                return Imm(_NEUTRAL)
            case FloatImm(_, type_):
                return FloatImm(_FLOATS.get(type_.bits, 0), type_)
            case Special(name):
                return operand if name.split(".")[0] in _IDS else Special("laneid")
            case Vector(elements):
                return Vector(tuple(again(e) for e in elements))
            case Pair(first, second):
                return Pair(again(first), again(second))
            case NotPredicate(register):
                renamed = again(register)
                assert isinstance(renamed, Reg)
                return NotPredicate(renamed)
            case Negated(inner):
                renamed = again(inner)
                assert isinstance(renamed, Reg)
                return Negated(renamed)
            case Sink():
                return operand
            case _:
                return Imm(0)


def _alike(type_: Type, other: Type) -> bool:
    """Whether a register of one type may be read in the place of one of the other."""
    return type_ == other or (type_.is_integer and other.is_integer and type_.bits == other.bits)


def _opcode(operation: Operation, *, fetches: bool) -> str:
    """Give the opcode of the clone's instruction; ``fetches``: from a texture that it has."""
    vector = f".v{operation.vector}" if operation.vector > 1 else ""
    if fetches:
        return operation.opcode
    if operation.name in ("tex", "tld4"):
        return f"ld.global.nc{vector}.{operation.types[0].name}"
    if operation.name in ("suld", "sust"):
        word = "ld" if operation.name == "suld" else "st"
        return f"{word}.global{vector}.{operation.types[-1].name}"
    return operation.opcode
